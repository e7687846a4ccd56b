"""Assumptions of methods for two classifiers on one test set: TA103 to TA110."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from ..assumptions import Context, all_one_way, at_least, can_reject, carriers, has_width, smallest_pvalue

# Facts of tests that are valid unless the models seldom agree.
UNLESS_THEY_DISAGREE: dict[str, Any] = {
    "validity": "discordant rate up to 80%",
    "where": {"disagreement": (0, 0.8)},
}
MOST_ENUMERATED_TABLES = 200  # examples: the largest size for interval='unconditional'
MOST_ENUMERATED_TESTS = 5000  # examples: beyond, the search takes seconds, and the exact tests agree
_MID_P, _EXACT = 0.5, 1.0  # the weight of the observed outcome in a p-value


def _count_discordant(table: Any, _: Context) -> Numbers:
    return table.disagreements


def _discordant_pairs_for_bound(table: Any, context: Context) -> Numbers:
    """Return the number of discordant pairs that are needed for a bound of the odds ratio on a side of the interval."""
    return table.disagreements if context.interval.side == "lower" else table.only_b_wrong


def _rarest_outcome(table: Any, _: Context) -> Numbers:
    fewest = (np.minimum(count.errors, count.successes) for count in (table.count_a, table.count_b))
    return np.minimum(*fewest)


def _can_reject(discordant: Any, context: Context, weight: float) -> bool:
    """Return whether this number of discordant pairs suffices for a p-value below alpha."""
    return bool(np.all(smallest_pvalue(np.min(discordant), context.alternative, weight) < context.alpha))


def _fewest_to_reject(context: Context, weight: float) -> int:
    """Return the smallest number of discordant pairs that suffices for a p-value below alpha."""
    counts = (count for count in range(1, 1000) if _can_reject(count, context, weight))
    return next(counts, 1000)


def _interval_for_few(table: Any) -> str:
    """Return the interval of the difference for few discordant pairs that is available at this size."""
    return "unconditional" if np.max(table.examples) <= MOST_ENUMERATED_TABLES else "newcombe-paired"


def _use_interval_of_difference(table: Any, _: Context) -> str:
    """Return the remedy for an interval without bounds or width."""
    many = np.min(table.disagreements) >= ENOUGH_DISAGREEMENTS.threshold
    return f"Use interval='{'tango' if many else _interval_for_few(table)}' for the difference."


def _affected_by_few_pairs(table: Any, context: Context) -> str:
    """Return whether few discordant pairs make the test, the interval or both unreliable."""
    of_test, of_interval = carriers("TA104", table, context)
    if of_test and of_interval:
        return "the test and the interval are unreliable"
    return f"the {'test' if of_test else 'interval'} is unreliable"


def _replace_for_few_pairs(table: Any, context: Context) -> str:
    """Return the remedy for few discordant pairs: methods that exist at this size and can reject, or more examples."""
    of_test, of_interval = carriers("TA104", table, context)
    if of_test and (np.any(np.asarray(context.null) != 0) or not _can_reject(table.disagreements, context, _MID_P)):
        return "Test more examples."
    choices = ["method='mcnemar-mid-p'"] * of_test
    choices += [f"interval='{_interval_for_few(table)}'"] * (of_interval or not of_test)
    also = "" if _another_check_asks_for_examples(table, context) else ", or test more examples"
    return f"Use {' and '.join(choices)}{also}."


def _another_check_asks_for_examples(table: Any, context: Context) -> bool:
    """Return whether the test cannot reject, so that the remedy of its own check is to test more examples."""
    weight = {"mcnemar-mid-p": _MID_P, "mcnemar-exact": _EXACT}.get("" if context.test is None else context.test.method)
    return weight is not None and not _can_reject(table.disagreements, context, weight)


def _replace_exact_test(table: Any, context: Context) -> str:
    """Return the remedy for an exact test that cannot reject: mid-p if it can, or more examples."""
    if _can_reject(table.disagreements, context, _MID_P):
        return "Use method='mcnemar-mid-p', or test more examples."
    return _require_pairs(context, _EXACT)


def _require_pairs(context: Context, weight: float) -> str:
    return f"Test more examples: the test needs at least {_fewest_to_reject(context, weight)} discordant pairs."


def _replace_mid_p(table: Any, _: Context) -> str:
    """Return the remedy for mid-p if the models seldom agree."""
    enumerable = np.max(table.examples) <= MOST_ENUMERATED_TESTS
    return f"Use method='{'mcnemar-unconditional' if enumerable else 'mcnemar-exact'}'."


def _replace_two_intervals(table: Any, context: Context) -> str:
    """Return the remedy for two intervals of which one has no width."""
    if _can_reject(table.disagreements, context, _MID_P):
        return "Use method='mcnemar-mid-p'."
    return "Test more examples."


def _name_missing_pair(_: Any, context: Context) -> str:
    """Return which discordant pairs are missing for a bound of the odds ratio."""
    if context.interval.side == "lower":
        return "there are no discordant pairs"
    return "there is no example that only the second model got wrong"


ENOUGH_DISAGREEMENTS = at_least("TA104", 10, _count_discordant, reference="yang2006").state(
    "{figure} discordant pairs{figure:, which is at least 10} (Yang 2006)",
    "{figure} discordant pairs, fewer than 10 (Yang 2006)",
    _replace_for_few_pairs,
    title="few discordant pairs",
    so=_affected_by_few_pairs,
)
DIFFERENCE_HAS_WIDTH = has_width("TA103", "the difference", _use_interval_of_difference)
CAN_REJECT_EXACT = can_reject("TA105", all_one_way(_count_discordant), "discordant pairs", _replace_exact_test)
SOME_AGREEMENT = at_least("TA106", 0.2, lambda table, _: (table.examples - table.disagreements) / table.examples).state(
    "the models agree on a share of {figure} of the examples{figure:, which is at least 0.2}",
    "the models agree on a share of {figure} of the examples, below 0.2",
    _replace_mid_p,
    title="low agreement",
    so="mid-p may reject up to 1.3 times too often",
    rule="agreement on at least 20% of the examples",
)
SOME_DISAGREEMENT = at_least("TA107", 1, _discordant_pairs_for_bound).state(
    "enough discordant pairs to bound the odds ratio{figure: (#, at least 1 needed)}",
    _name_missing_pair,
    _use_interval_of_difference,
    title="unbounded odds ratio",
    so="the odds ratio has no upper bound",
)
BOTH_ERR = at_least("TA108", 1, lambda table, _: np.minimum(table.count_a.errors, table.count_b.errors)).state(
    "both models make errors{figure:, the better one #}",
    "a model made no errors",
    _use_interval_of_difference,
    title="model without errors",
    so="the ratio of the error rates is unbounded on one side",
)
SPREAD_IN_BOTH = at_least("TA109", 1, _rarest_outcome).state(
    "each model is sometimes right and sometimes wrong{figure: (the rarer outcome # times)}",
    "a model was always right or always wrong",
    _replace_two_intervals,
    title="one outcome only",
    so="its own interval has width 0",
)
CAN_REJECT_MID_P = can_reject(
    "TA110",
    all_one_way(_count_discordant, observed=_MID_P),
    "discordant pairs",
    lambda _, context: _require_pairs(context, _MID_P),
)
