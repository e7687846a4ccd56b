"""Assumptions of methods for learners over many data sets: TA701 to TA709, TA711 to TA718, and TA721 to TA729."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...evidence import ScoreTable
from ...numerics.distributions import ratio
from ...results import Mixing, worst_mixing
from ...typing_ import IntArray, Numbers
from ..assumptions import Assumption, Context, Figure, Remedy, all_one_way, at_least, at_most, can_reject, varies
from ..registry import find_method
from .hierarchical_posterior import summarise_runs
from .shuffled import least_pvalue
from .signed_ranks import EXACT

_FEWEST_FOR_SKEWNESS = 8  # data sets: of fewer the skewness cannot be large, whatever the distribution


def _differing_data_sets(table: Any, context: Context) -> IntArray:
    """Return on how many data sets the difference is not the tested value."""
    null = float(np.nan_to_num(np.asarray(context.null, dtype=float).reshape(-1)[0]))
    whole, _unit = table.steps(null)
    return np.asarray(np.count_nonzero((whole != 0) & ~np.isnan(whole), axis=-1))


def _share_of_differing_data_sets(table: Any, context: Context) -> Numbers:
    return _differing_data_sets(table, context) / np.maximum(table.compared, 1)


def _variance_share_of_others(table: Any, _: Context) -> Numbers:
    """Return the share of the sum of squares around the mean of all data sets but the one with the largest share."""
    from .paired_t import paired_t

    whole, unit = table.steps()
    mean = paired_t(table).estimate / unit
    squares = np.square(np.where(np.isnan(whole), 0.0, whole - np.expand_dims(np.nan_to_num(mean), -1)))
    total = squares.sum(axis=-1)
    few = table.compared < 3  # two always have half each
    return np.where((total == 0) | few, 1.0, 1 - squares.max(axis=-1) / np.where(total == 0, 1.0, total))


def _standard_error_over_data_sets(table: Any, _: Context) -> Numbers:
    from .paired_t import paired_t

    return paired_t(table).error


def _absolute_skewness(table: Any, _: Context) -> Numbers:
    """Return the absolute skewness of the differences, |m₃|/m₂^1.5; 0 if there are too few, or if they are equal."""
    whole, _unit = table.steps()
    present = ~np.isnan(whole)
    count = np.count_nonzero(present, axis=-1)
    scaled = whole / np.expand_dims(np.maximum(np.fmax.reduce(np.abs(whole), axis=-1), 1.0), -1)
    mean = np.where(present, scaled, 0.0).sum(axis=-1) / np.maximum(count, 1)
    centred = np.where(present, scaled - np.expand_dims(mean, -1), 0.0)
    second, third = (np.sum(centred**power, axis=-1) / np.maximum(count, 1) for power in (2, 3))
    flat = (second <= 1e-24) | (count < _FEWEST_FOR_SKEWNESS)
    return np.where(flat, 0.0, np.abs(third) / np.where(flat, 1.0, second) ** 1.5)


def _interval_width_in_steps(table: Any, context: Context) -> Numbers:
    """Return the width of the interval in steps of the scores; infinite if there are no steps."""
    return ratio(context.interval.width, table.resolution, empty=np.inf)


def _if_differing(remedy: str, otherwise: str) -> Remedy:
    """Return a remedy for data with a difference on some data set, and another for data without."""
    return lambda table, context: remedy if np.any(_differing_data_sets(table, context)) else otherwise


_MORE_DIGITS = "Use scores with more digits, or more data sets."

SOME_DATA_SET_DIFFERS = at_least("TA701", 1, _differing_data_sets).state(
    "the learners differ on some data set{figure: (on #)}",
    "the difference is the tested value on every data set",
    _MORE_DIGITS,
    title="no differences",
    so="p is 1",
)
DATA_SETS_CAN_REJECT = replace(
    can_reject(
        "TA702",
        all_one_way(_differing_data_sets),
        "data sets",
        "Use method='paired-t', which assumes normal differences, or add data sets.",
    ),
    adjusts=True,
)
FEW_TIES = at_least("TA703", 0.5, _share_of_differing_data_sets).state(
    "the learners differ on at least half of the data sets{figure: (# of all)}",
    "the learners differ on a share of only {figure} of the data sets (limit 0.5)",
    "Use method='paired-t', whose mean includes the ties.",
    title="many ties",
    so="the test ignores the ties",
)
# On every test that uses the signs of the differences.
SIGNS_OF_DIFFERENCES = (SOME_DATA_SET_DIFFERS, DATA_SETS_CAN_REJECT, FEW_TIES)
EVERY_DATA_SET_SCORED = at_most("TA704", 0, lambda table, _: len(table.datasets) - table.compared).state(
    "both learners have a score on every data set",
    "{size} data sets left out because a score is missing",
    "Run what is missing, or enter the score of guessing if a learner failed.",
    title="missing scores",
    so="the comparison favours a learner that failed there",
)
DATA_SETS_OF_ONE_SCALE = at_least("TA705", 0.5, _variance_share_of_others).state(
    "no data set makes up more than half of the variance of the differences{figure: (the others make up #)}",
    "one data set makes up most of the variance of the differences (all others {figure}, limit 0.5)",
    "Use method='wilcoxon-signed-rank', which uses ranks.",
    title="dominant data set",
    so="the mean is mostly about it",
)
DATA_SETS_VARY = varies("TA706", _standard_error_over_data_sets).state(
    "the differences vary between data sets",
    "the difference is the same on every data set",
    _if_differing("Use method='wilcoxon-signed-rank', which needs no variance.", _MORE_DIGITS),
    title="constant differences",
    so="p is 1 and the interval is the whole range",
)
LITTLE_SKEW_OVER_DATA_SETS = at_most("TA707", 1.5, _absolute_skewness).state(
    "the differences are roughly symmetric (skewness{size: #} ≤ 1.5)",
    "skewness {size} (limit 1.5)",
    "Try method='sign-test'.",
    title="skewed differences",
    so="the test may reject too often",
)


def _raise_exact_limit(table: Any, context: Context) -> str:
    exact, sign_test = context.options.get("exact", EXACT), "method='sign-test', which is exact for any number"
    enough = np.all(table.compared <= EXACT) and exact < EXACT
    return f"Use `exact` up to {EXACT}, or {sign_test}." if enough else f"Use {sign_test}."


PATTERNS_COUNTED = at_most(
    "TA708", 0, lambda table, context: table.compared - context.options.get("exact", EXACT)
).state(
    f"there are no more data sets than the p-value is exact for ({EXACT}, or `exact`)",
    f"{{size}} data sets more than the p-value is exact for ({EXACT}, or `exact`)",
    _raise_exact_limit,
    title="approximate p-value",
    so="it is a normal approximation",
)
INTERVAL_WIDER_THAN_STEPS = at_least("TA709", 2.000001, _interval_width_in_steps).state(
    "the interval is wider than two steps of the scores",
    "the width of the interval is {figure} steps of the scores (limit 2)",
    _MORE_DIGITS,
    title="coarse scores",
    so="it shows how the scores were rounded, not how data sets vary",
)
# On every interval whose limits are differences of data sets, and on every mean over data sets.
LIMITS_AMONG_DIFFERENCES = (INTERVAL_WIDER_THAN_STEPS, EVERY_DATA_SET_SCORED)
MEAN_DIFFERENCE = (DATA_SETS_OF_ONE_SCALE, EVERY_DATA_SET_SCORED)

# --- Several learners by their ranks ------------------------------------------------------------------------


def _ranking_data_sets(table: Any, _: Context) -> Numbers:
    """Return on how many data sets the learners do not all tie."""
    ranks = table.ranks
    middle = (len(table.learners) + 1) / 2
    return np.count_nonzero((np.nan_to_num(ranks, nan=middle) != middle).any(axis=-1), axis=-1)


def _independent_of_pool(code: str, ranks: str, method: str, incomplete: str = "") -> Assumption:
    """Return the assumption that the other learners ranked do not matter to the comparison of two.

    The comparisons are those of `method`, or of `incomplete` if cells are missing.
    """

    def compare_pairs(table: Any) -> Any:
        return find_method(method if table.complete else incomplete or method, "pairs", ScoreTable)(table)

    def count_changed_verdicts(table: Any, context: Context) -> Numbers:
        learners = table.learners
        first, second = np.triu_indices(len(learners), 1)
        significant = compare_pairs(table).pvalue < context.alpha
        changed = np.zeros(significant.shape, dtype=bool)
        for index, name in enumerate(learners if len(learners) > 2 else ()):
            kept = (first != index) & (second != index)
            others = table.select(*(learner for learner in learners if learner != name))
            changed[..., kept] |= significant[..., kept] != (compare_pairs(others).pvalue < context.alpha)
        return np.count_nonzero(changed, axis=-1)

    return at_most(code, 0, count_changed_verdicts, reference="benavoli2016").state(
        f"no comparison of two learners by {ranks} changes if another learner is left out",
        f"leaving out another learner changes {{size}} comparisons by {ranks} (unadjusted; Benavoli et al. 2016)",
        "Use method='wilcoxon-signed-rank', which compares two learners by their own scores.",
        title="pool-dependent ranks",
        so="they depend on the other learners in the pool",
    )


def _ratio_of_ranges(table: Any, _: Context) -> Numbers:
    """Return the lower over the upper quartile of the range of scores, over data sets on which learners differ."""
    cells = table.cells
    ranges = np.sort(cells.max(axis=-1) - cells.min(axis=-1), axis=-1)
    many = ranges.shape[-1]
    tied = np.count_nonzero(ranges == 0, axis=-1)
    last = np.maximum(many - tied - 1, 0)
    low, high = (np.minimum(tied + step, many - 1) for step in (np.floor(last / 4), np.ceil(3 * last / 4)))
    quartiles = [np.take_along_axis(ranges, np.asarray(at, dtype=np.intp)[..., None], axis=-1) for at in (low, high)]
    return ratio(quartiles[0][..., 0], quartiles[1][..., 0], empty=1.0)


def _unlinked_learners(table: Any, _: Context) -> Numbers:
    """Return how many learners are not linked to the first one by shared data sets, even indirectly."""
    from .skillings_mack import link_learners

    present = table.known.astype(float)
    met = np.swapaxes(present, -1, -2) @ present > 0
    return np.count_nonzero(~link_learners(met)[..., 0, :], axis=-1)


def _use_runs(table: Any, _: Context) -> str:
    usable = table.rho is not None and bool(np.all(table.runs > 1)) and not np.isnan(table.rho).any()
    return "Use method='random-effects', which uses the runs, or add data sets." if usable else "Add data sets."


_MOST_DATA_SETS_TO_ENUMERATE = {2: 10, 3: 10, 4: 10, 5: 10, 6: 6}  # by number of learners


def _enumerate_rankings(table: Any, _: Context) -> str:
    few = len(table.datasets) <= _MOST_DATA_SETS_TO_ENUMERATE.get(len(table.learners), 0)
    if few and table.complete:
        return "Use method='friedman-exact', or add data sets."
    return "Use method='wilcoxon-signed-rank' for the pairs, or add data sets."


SOME_DATA_SET_RANKS = at_least("TA711", 1, _ranking_data_sets).state(
    "not all learners are tied on {figure} data sets",
    "all learners are tied on every data set",
    _MORE_DIGITS,
    rule="not all learners are tied on every data set",
    title="no differences",
    so="p is 1",
)
CAN_REJECT_BY_RANKS = can_reject("TA712", lambda table, _: least_pvalue(table.ranks), "data sets", _use_runs)
INDEPENDENT_OF_POOL = _independent_of_pool("TA713", "mean ranks", "friedman", "skillings-mack")
INDEPENDENT_OF_POOL_QUADE = _independent_of_pool("TA714", "weighted ranks", "quade")
INDEPENDENT_OF_POOL_ALIGNED = _independent_of_pool("TA715", "aligned ranks", "aligned-ranks")
ENOUGH_DATA_SETS_FOR_RANKS = at_least("TA716", 10, _ranking_data_sets, reference="demsar2006").state(
    "{figure} data sets rank the learners{figure:, which is at least 10} (Demšar 2006)",
    "{figure} data sets without ties of all learners, fewer than 10 (Demšar 2006)",
    _enumerate_rankings,
    title="few data sets",
    so="the p-value is a rough approximation",
)
# On every test of several learners that approximates the distribution of their ranks.
RANKS_OF_SEVERAL = (SOME_DATA_SET_RANKS, CAN_REJECT_BY_RANKS, ENOUGH_DATA_SETS_FOR_RANKS)
ONE_SCALE_FOR_RANKS = at_least("TA717", 0.1, _ratio_of_ranges).state(
    "the ranges of scores are similar on all data sets (ratio of their quartiles {figure}, at least 0.1)",
    "the range of scores differs between data sets (ratio of its quartiles {figure}, limit 0.1)",
    "Use method='iman-davenport', which ranks within each data set.",
    rule="the ranges of scores are similar on all data sets (ratio of their quartiles at least 0.1)",
    title="unequal scales",
    so="data sets with a wide range count for more",
)
LEARNERS_MEET = at_most("TA718", 0, _unlinked_learners).state(
    "all learners are linked by shared data sets",
    "{size} learners not linked to the first one by shared data sets",
    "Run a learner of each group on the data sets of the others; method='wilcoxon-signed-rank' compares pairs that"
    " share data sets.",
    title="unlinked learners",
    so="no comparison with it is possible",
)

# --- The runs of each data set ------------------------------------------------------------------------------


def _data_sets_without_spread(more_runs_than: int) -> Figure:
    """Return on how many data sets with more runs than this all runs have the same difference."""

    def figure(table: Any, _: Context) -> Numbers:
        _means, deviations, runs = summarise_runs(table)
        return np.count_nonzero((deviations == 0) & (runs > more_runs_than), axis=-1)

    return figure


def _combine_by_options(table: Any, context: Context) -> Any:
    """Return the data sets combined by the method's options."""
    from .random_effects import combine_data_sets

    return combine_data_sets(
        table, **{name: context.options[name] for name in ("rho", "tau") if name in context.options}
    )


def _weight_of_others(table: Any, context: Context) -> Numbers:
    """Return the weight of all data sets but the one with the largest; of two, each may have half."""
    return np.where(table.compared > 2, 1 - np.max(_combine_by_options(table, context).shares, axis=-1), 1.0)


def _fewest_runs(table: Any, _: Context) -> Numbers:
    runs = table.runs
    return np.min(np.where(runs > 0, runs, np.iinfo(np.int64).max), axis=-1)


def _worst_mixing(context: Context) -> Mixing:
    """Return the worse convergence of the draws of test and interval; perfect convergence without draws."""
    mixing = worst_mixing(context.test, context.interval)
    return Mixing(agreement=np.array(1.0), effective=np.array(np.inf)) if mixing is None else mixing


def _use_more_draws(_: Any, context: Context) -> str:
    draws = max(100_000, 10 * int(context.options.get("draws", 10_000)))
    return f"Use more draws (draws={draws}), or method='random-effects', which needs none."


_EQUAL_WEIGHTS = "Use method='wilcoxon-signed-rank', which weights data sets equally."

DATA_SETS_OUTWEIGH_PRIOR = at_least("TA721", 10, lambda table, _: table.compared).state(
    "{figure} data sets with scores of both{figure:, which is at least 10}",
    "{figure} data sets with scores of both, fewer than 10",
    "Use method='wilcoxon-signed-rank', or add data sets.",
    title="few data sets",
    so="the posterior probability is too extreme",
)
RUNS_HAVE_SPREAD = at_most("TA722", 0, _data_sets_without_spread(0)).state(
    "the runs of every data set vary",
    "{size} data sets with constant runs or a single run",
    _EQUAL_WEIGHTS,
    title="constant runs",
    so="the variance of the other data sets is used instead",
)
NO_DOMINANT_DATA_SET = at_least("TA723", 0.5, _weight_of_others).state(
    "no data set has more than half of the weight{figure: (the others have #)}",
    "one data set has most of the weight (all others {figure}, limit 0.5)",
    _EQUAL_WEIGHTS,
    title="dominant data set",
    so="the mean is mostly about it",
)
ENOUGH_RUNS_PER_DATA_SET = at_least("TA724", 5, _fewest_runs).state(
    "every data set has {figure} runs{figure: or more, which is at least 5}",
    "{figure} runs on a data set, fewer than 5",
    "Use more runs, or method='wilcoxon-signed-rank'.",
    title="few runs",
    so="its variance, and so its weight, is poorly known",
)
SPREAD_OF_ANY_KIND = varies("TA725", lambda table, context: _combine_by_options(table, context).error).state(
    "the runs or the data sets vary, and there are 2 data sets or more",
    "neither runs nor data sets vary, or there is only one data set",
    _if_differing(_EQUAL_WEIGHTS, _MORE_DIGITS),
    title="constant differences",
    so="p is 1 and the interval is the whole range",
)
CHAINS_AGREE = at_most(
    "TA726", 1.01, lambda _, context: _worst_mixing(context).agreement, reference="vehtari2021"
).state(
    "the chains of draws agree: split R-hat{size: is #, which} is at most 1.01",
    "split R-hat {size} (limit 1.01, Vehtari et al. 2021)",
    _use_more_draws,
    title="chains disagree",
    so="the chains have not converged",
)
ENOUGH_DRAWS = at_least(
    "TA727", 400, lambda _, context: _worst_mixing(context).effective, reference="vehtari2021"
).state(
    "effective sample size of the draws {figure}{figure:, which is at least 400}",
    "effective sample size of the draws {figure}, below 400 (Vehtari et al. 2021)",
    _use_more_draws,
    title="few effective draws",
    so="another seed would give visibly different probabilities",
    moot="no draws were needed",
)
DATA_SETS_HAVE_SPREAD = at_most("TA728", 0, _data_sets_without_spread(1)).state(
    "the runs of every data set vary",
    "{size} data sets with constant runs",
    _EQUAL_WEIGHTS,
    title="constant runs",
    so="the smallest variance of the others is used instead; without any, p is 1",
)
ENOUGH_FOR_A_SPREAD = at_least("TA729", 5, lambda table, _: table.compared, reference="gelman2006").state(
    "{figure} data sets with scores of both{figure:, which is at least 5}",
    "{figure} data sets with scores of both, fewer than 5 (Gelman 2006)",
    "Add data sets, or use method='random-effects'.",
    title="few data sets",
    so="their variance is poorly known and the interval too wide",
)
