"""Learners over many data sets: two of them, all pairs, or each against a control."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..advice import choose_pair
from ..errors import InvalidOption
from ..evidence import ScoreTable
from ..methods import Method, check_options, find_method, find_methods, look_up
from ..methods.assumptions import Context, check_assumptions
from ..methods.multiplicity import OF_ALL_PAIRS
from ..methods.multiplicity import adjust as adjusted_pvalues
from ..methods.score_table import OMNIBUS, effect_sizes, power_over_data_sets
from ..methods.tie_groups import square, tie_groups
from ..results import Check, Comparison, MeanRanks, Outlook, RankingOverDataSets, TestResult
from ..typing_ import Alternative, Hypothesis, as_alpha, one_of
from .learners import compare_learners, fold, two_learners
from .pairs import Adjust, compared, has_pvalues
from .parts import Asked, cited, limits_of, taken_by, trusted

_NO_SIDES = "alternative is for two learners: among several, who is A is a matter of their order."


def compare_over_data_sets(
    table: ScoreTable,
    *,
    method: str | None,
    interval: str | None,
    level: float | None,
    alpha: float | None,
    alternative: Alternative,
    margin: float | None,
    hypothesis: Hypothesis | None,
    adjust: Adjust | None,
    looks: int,
    against: Any,
    control: str | None,
    difference: float | None,
    learners: Sequence[str] | None,
    metric: Any,
    positive: Any,
    costs: Any,
    missing: str,
    **options: Any,
) -> Comparison | RankingOverDataSets:
    """Compare two learners, or rank several, over many data sets; everything is as `compare` takes it."""
    held = fold(table, learners=learners, metric=metric, positive=positive, costs=costs, missing=missing)
    _refuse(held, against, control, options)
    one_of("alternative", alternative, Alternative)
    asked = _with_rope(Asked(as_alpha(level, alpha), level, alternative, method, interval, options))
    if len(held.learners) > 2:
        if margin is not None or hypothesis is not None:
            raise InvalidOption(
                "margin and hypothesis are for two learners. Name them: learners=('a', 'b') (--learner a --learner b)."
            )
        return _several(held, asked, adjust, looks, control, difference)
    _refuse_ranks_of_two(method)
    if control is not None and control != held.learners[0]:
        held = held.select(control, held.learners[0])
    if margin is None and hypothesis is not None and hypothesis != "different":
        raise InvalidOption(f"hypothesis={hypothesis!r} needs a margin, such as margin=0.01.")
    found: Any = compare_learners(held, asked, margin=margin, hypothesis=hypothesis, adjust=adjust, looks=looks)
    return _told_besides(held, found, asked, difference)


def _refuse(table: ScoreTable, against: Any, control: str | None, options: dict[str, Any]) -> None:
    """Refuse what a table of scores does not take: nothing that was asked for is passed over in silence."""
    if table.shape:
        raise InvalidOption(f"compare takes one table of scores, but this has shape {table.shape}. Go one by one.")
    if against is not None:
        raise InvalidOption("against is a threshold for one ErrorCount; for learners write margin= instead.")
    if control is not None and control not in table.learners:
        raise InvalidOption(f"control must be one of {', '.join(table.learners)}, but is {control!r}.")
    if "side" in options:
        raise InvalidOption(
            "side is no option of compare. Write alternative='less' for an upper bound, 'greater' for a lower."
        )


def _refuse_ranks_of_two(method: str | None) -> None:
    """Refuse what compares mean ranks among several, where there are two."""
    is_test = look_up(method, "test", ScoreTable, elsewhere=False) if method else None
    if method and is_test is None and look_up(method, "pairs", ScoreTable, elsewhere=False) is not None:
        raise InvalidOption(
            f"method {method!r} compares three learners or more by their mean ranks. Of two take"
            " 'wilcoxon-signed-rank', or leave method out."
        )


def _with_rope(asked: Asked) -> Asked:
    """Return what is asked, with the method that a region of practical equivalence wants, if none is named."""
    if asked.method is None and "rope" in asked.options:
        return replace(asked, method="bayesian-signed-rank")
    if asked.method is not None and "rope" in asked.options:
        named = look_up(asked.method, "test", ScoreTable)
        if named is not None and "rope" not in named.options:
            able = (each.name for each in find_methods(gives="test", evidence=ScoreTable) if "rope" in each.options)
            raise InvalidOption(
                f"method {asked.method!r} knows no rope. Choose one of: {', '.join(able)}; or say margin=, with"
                " hypothesis='equivalent'."
            )
    return asked


# --- Two learners -------------------------------------------------------------------------------------


def _told_besides(table: ScoreTable, found: Comparison, asked: Asked, difference: float | None) -> Comparison:
    """Add who wins where, what a test says that looks at the runs, and what so many data sets can show."""
    effects = effect_sizes(table, rope=float(asked.options.get("rope", 0.0)))
    return replace(
        found,
        effects=effects,
        difference=_middle(table, found),
        beside=found.beside or _beside(table, found, asked),
        outlook=_outlook(table, found.method, asked, difference, 1),
    )


def _middle(table: ScoreTable, found: Comparison) -> Any:
    """Return the difference that the interval is of: the pseudomedian, the median, or the mean over data sets."""
    if found.significance.estimate is not None:
        return found.difference
    if found.interval.method == "wilcoxon-signed-rank":
        return effect_sizes(table).typical
    return _medians(table) if found.interval.method == "sign-test" else found.difference


def _medians(table: ScoreTable) -> Any:
    """Return the median difference over the data sets that both learners have a score on; NaN where none has."""
    apart = table.differences
    known = ~np.isnan(apart)
    filled = np.where(known.any(axis=-1, keepdims=True), apart, 0.0)
    return np.where(known.any(axis=-1), np.nanmedian(filled, axis=-1), np.nan)[()]


def _beside(table: ScoreTable, found: Comparison, asked: Asked) -> dict[str, TestResult]:
    """Return what the random-effects test says, where the runs of each data set tell its own uncertainty."""
    known = table.rho is not None and not np.isnan(table.rho).any() and bool((table.runs > 1).all())
    if asked.method is not None or found.hypothesis != "different" or not known:
        return {}
    test = find_method("random-effects", "test", ScoreTable)
    return {test.name: test(table, alternative=asked.alternative)}


def _outlook(
    table: ScoreTable, method: str, asked: Asked, difference: float | None, comparisons: int
) -> Outlook | None:
    """Return what so many data sets can show of the difference that was named; nothing if none was."""
    if difference is None:
        return None
    named = look_up(method, "test", ScoreTable, elsewhere=False)
    quick = named is not None and method not in OMNIBUS and "rng" not in named.options  # no test within a test
    test = method if quick else table.default("test")
    return power_over_data_sets(table, difference=difference, method=test, alpha=asked.alpha, comparisons=comparisons)


# --- Several ------------------------------------------------------------------------------------------


def _several(
    table: ScoreTable, asked: Asked, adjust: Adjust | None, looks: int, control: str | None, difference: float | None
) -> RankingOverDataSets:
    """Compare every two learners (or each with the control), let the p-values pay, and say who is told apart."""
    if asked.alternative != "two-sided":
        raise InvalidOption(_NO_SIDES)
    held = table.pairs(control)
    rule, ranked = _agreed(asked, adjust, control)
    overall = _overall(table, asked)  # first: what it refuses, it refuses by its own name
    if ranked is None:
        pairs, critical = two_learners(held, asked, looks), np.nan
        pairs = replace(pairs, difference=_middle(held, pairs))
    else:
        pairs, critical = _by_ranks(table, held, ranked, asked, looks, control)
    has_pvalues(pairs)
    adjusted = pairs.pvalue if rule in {"nemenyi", "bonferroni-dunn"} else adjusted_pvalues(pairs.pvalue, rule)  # type: ignore[arg-type]
    count = len(table.learners)
    groups = (
        ()
        if control is not None
        else tie_groups(table.learners, table.mean_ranks, square(adjusted < asked.alpha, count))
    )
    return RankingOverDataSets(
        method=asked.method or pairs.method,
        adjustment=rule,
        evidence=table,
        pairs=pairs,
        adjusted=adjusted,
        groups=groups,
        alpha=asked.alpha,
        checks=_paid(pairs.checks, rule) if ranked is None else pairs.checks,
        told=pairs.told,
        scope=table.scope(pairs.method),
        covers=pairs.covers,
        cites=(*pairs.cites, *cited(adjustment=rule)),
        looks=looks,
        effects=effect_sizes(held, rope=float(asked.options.get("rope", 0.0))),
        control=control,
        critical=critical,
        overall=overall,
        practical=pairs.practical,
        outlook=_outlook(table, pairs.method, asked, difference, len(adjusted)),
    )


def _paid(checks: tuple[Check, ...], rule: str) -> tuple[Check, ...]:
    """Return the checks, of which the smallest p-value there can be pays for the number of pairs as all others do."""
    from ..methods.score_table.assumptions import DATA_SETS_CAN_REJECT

    def paid(check: Check) -> Check:
        if check.code != DATA_SETS_CAN_REJECT.code or not check.shape:
            return check
        return replace(
            check,
            figure=-adjusted_pvalues(-np.asarray(check.figure), rule),  # type: ignore[arg-type]
            requirement=f"the smallest p-value that so many data sets can give, {{size}} adjusted by {rule}, is below"
            " alpha",
            violation=f"no outcome of so few data sets that differ could reach alpha: with {check.figure.size} pairs"
            f" the smallest possible p-value, adjusted by {rule}, is {{size}}",
            remedy="more data sets are needed, or fewer pairs: learners=, or control= to compare with one alone",
        )

    return checks if rule == "none" else tuple(map(paid, checks))


def _agreed(asked: Asked, adjust: Adjust | None, control: str | None) -> tuple[str, Method | None]:
    """Return how p-values pay for their number, and the comparison of ranks, if such is asked for."""
    name = asked.method
    ranked = look_up(name, "pairs", ScoreTable, elsewhere=False) if name else None
    if ranked is None and name in OMNIBUS:  # a test over all learners that has no pairs of its own
        ranked = find_method("friedman", "pairs", ScoreTable)
    if name == "bonferroni-dunn" and control is None:
        raise InvalidOption(
            "method 'bonferroni-dunn' compares all learners with a control. Say which: control= (--control)."
        )
    if name in {"nemenyi", "bonferroni-dunn"}:
        if name == "nemenyi" and control is not None:
            raise InvalidOption(
                "method 'nemenyi' is for all pairs. With a control take 'bonferroni-dunn', or leave method out."
            )
        if adjust is not None:
            raise InvalidOption(f"method {name!r} allows for the number of pairs itself. Leave adjust out.")
        return str(name), ranked
    rule = one_of("adjust", adjust or "holm", Adjust)
    if rule == "max-t":
        raise InvalidOption("adjust='max-t' resamples classifiers on one test set. Take 'holm' for learners.")
    if rule in OF_ALL_PAIRS and control is not None:
        raise InvalidOption(f"adjust={rule!r} is for all pairs. With a control take 'holm', or 'finner'.")
    return rule, ranked


def _by_ranks(
    table: ScoreTable, held: ScoreTable, ranked: Method, asked: Asked, looks: int, control: str | None
) -> tuple[Comparison, float]:
    """Compare by mean ranks; the limits beside them are of the scores."""
    _, bounds = choose_pair(held, None, asked.interval)
    omnibus = look_up(asked.method, "test", ScoreTable, elsewhere=False)
    check_options(asked.options, ranked, bounds, *(() if omnibus is None else (omnibus,)))
    limits = limits_of(bounds, held, asked.alpha, asked.level, "two", asked.options)
    own = {"alpha": asked.alpha} if "alpha" in ranked.options else {}
    found: MeanRanks = ranked(table, **own, **taken_by(ranked, asked.options))
    which = _with_control(table, control)
    sign = (
        np.ones(len(which))
        if control is None
        else np.array([1.0 if table.pair_names()[place][0] == control else -1.0 for place in which])
    )
    statistic = sign * found.statistic[which]
    significance = TestResult(
        statistic=statistic,
        pvalue=found.pvalue[which],
        chooses=np.sign(statistic).astype(np.int64),
        estimate=effect_sizes(held).typical,
    )
    context = Context(interval=limits, null=0.0, alpha=asked.alpha, options=asked.options)
    pairs = compared(held, ranked, bounds, significance, context, asked.options, looks=looks, checks=())
    assumed = (*ranked.assumes, *(() if omnibus is None else omnibus.assumes))
    checks = (
        *trusted(ranked, table),
        *check_assumptions(assumed, table, context),
        *check_assumptions(bounds.assumes, held, context),
    )
    return replace(pairs, checks=checks), float(found.critical)


def _with_control(table: ScoreTable, control: str | None) -> list[int]:
    """Return the places of the pairs that are looked at among all pairs, in the order that they are told."""
    if control is None:
        return list(range(len(table.pair_names())))
    place = {frozenset(pair): position for position, pair in enumerate(table.pair_names())}
    return [place[frozenset((control, name))] for name in table.learners if name != control]


def _overall(table: ScoreTable, asked: Asked) -> dict[str, TestResult]:
    """Return whether any two learners differ, by the test that was named, and those that everybody knows."""
    usual = ("friedman", "iman-davenport") if table.complete else ("skillings-mack",)
    names = dict.fromkeys((*((asked.method,) if asked.method in OMNIBUS else ()), *usual))
    tests = (find_method(name, "test", ScoreTable) for name in names)
    return {
        test.name: test(table, **(taken_by(test, asked.options) if test.name == asked.method else {})) for test in tests
    }
