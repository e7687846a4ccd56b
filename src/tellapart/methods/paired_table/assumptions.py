"""What methods for two classifiers on one test set assume: TA103 to TA110."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from ..assumptions import Context, all_one_way, at_least, can_reject, has_width

# The facts of tests that are near their level unless the two hardly ever agree.
UNLESS_THEY_DISAGREE: dict[str, Any] = {
    "validity": "disagreement on up to 80 % of the examples",
    "where": {"disagreement": (0, 0.8)},
}
_MORE_EXAMPLES = "Test more examples: this test needs more discordant pairs."


def _disagreements(table: Any, _: Context) -> Numbers:
    return table.disagreements


def _disagreements_that_bound(table: Any, context: Context) -> Numbers:
    """Return the lone errors without which the odds have no bound on a side of the interval."""
    return table.disagreements if context.interval.side == "lower" else table.only_b_wrong


def _rarest_outcome(table: Any, _: Context) -> Numbers:
    fewest = (np.minimum(count.errors, count.successes) for count in (table.count_a, table.count_b))
    return np.minimum(*fewest)


DIFFERENCE_HAS_WIDTH = has_width("TA103", "the difference", "interval='tango' stays honest where nobody disagrees")
ENOUGH_DISAGREEMENTS = at_least("TA104", 10, _disagreements, reference="yang2006").state(
    "{figure} disagreements{figure: ≥ 10} (Yang)",
    "{figure} disagreements < 10: too few for a normal approximation of the difference (Yang)",
    "without a margin method='mcnemar-exact' holds its level at any size, interval='unconditional' up to 200 examples",
)
CAN_REJECT_EXACT = can_reject(
    "TA105",
    all_one_way(_disagreements),
    "discordant pairs",
    _MORE_EXAMPLES,
)
SOME_AGREEMENT = at_least("TA106", 0.2, lambda table, _: (table.examples - table.disagreements) / table.examples).state(
    "the two agree on a share of {figure} of the examples{figure: ≥ 0.2}",
    "the two agree on a share of only {figure} of the examples (< 0.2): there mid-p may reject up to 1.3 times too"
    " often",
    "method='mcnemar-exact' or 'mcnemar-unconditional' holds its level everywhere",
)
SOME_DISAGREEMENT = at_least("TA107", 1, _disagreements_that_bound).state(
    "there are lone errors that bound the odds{figure: (# of them)}",
    "no example was wrong for B alone (or the two never disagree), so the odds have no upper bound",
    "interval='tango' bounds the difference all the same",
)
BOTH_ERR = at_least("TA108", 1, lambda table, _: np.minimum(table.count_a.errors, table.count_b.errors)).state(
    "each of the two errs somewhere{figure: (errors of the better one: #)}",
    "one of the two made no error, so the ratio of their error rates has no bound on one side",
    "interval='tango' bounds the difference all the same",
)
SPREAD_IN_BOTH = at_least("TA109", 1, _rarest_outcome).state(
    "each of the two was both right and wrong{figure: (the rarer outcome # times)}",
    "one of the two was always right or always wrong, so its own interval has no width and decides nothing",
    "method='mcnemar-mid-p' looks at the disagreements alone",
)
CAN_REJECT_MID_P = can_reject(
    "TA110",
    all_one_way(_disagreements, observed=0.5),
    "discordant pairs",
    _MORE_EXAMPLES,
)
