"""What comparisons of learners over many data sets assume: TA701 to TA709, TA711 to TA718, and TA721 to TA729."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...evidence import ScoreTable
from ...numerics.distributions import ratio
from ...results import Mixing, worst_mixing
from ...typing_ import IntArray, Numbers
from ..assumptions import Assumption, Context, Figure, all_one_way, at_least, at_most, can_reject, varies
from ..registry import find_method
from .hierarchical_posterior import summaries
from .shuffled import least_pvalue
from .signed_ranks import EXACT

_TELLING = 8  # data sets below which the skewness says nothing: it cannot be large, whatever they are drawn from


def _differing_data_sets(table: Any, context: Context) -> IntArray:
    """Return on how many data sets the difference is not what is tested."""
    null = float(np.nan_to_num(np.asarray(context.null, dtype=float).reshape(-1)[0]))
    whole, _unit = table.steps(null)
    return np.asarray(np.count_nonzero((whole != 0) & ~np.isnan(whole), axis=-1))


def _share_that_differs(table: Any, context: Context) -> Numbers:
    return _differing_data_sets(table, context) / np.maximum(table.compared, 1)


def _share_of_the_rest(table: Any, _: Context) -> Numbers:
    """Return the share of the sum of squares around the mean that all data sets but one make up, whichever is most."""
    from .paired_t import paired_t

    whole, unit = table.steps()
    mean = paired_t(table).estimate / unit
    squares = np.square(np.where(np.isnan(whole), 0.0, whole - np.expand_dims(np.nan_to_num(mean), -1)))
    total = squares.sum(axis=-1)
    few = table.compared < 3  # of two each makes up half
    return np.where((total == 0) | few, 1.0, 1 - squares.max(axis=-1) / np.where(total == 0, 1.0, total))


def _error_over_data_sets(table: Any, _: Context) -> Numbers:
    from .paired_t import paired_t

    return paired_t(table).error


def _skewness(table: Any, _: Context) -> Numbers:
    """Return the size of the skewness of the differences, m₃/m₂^1.5; 0 where there are too few, or no spread."""
    whole, _unit = table.steps()
    known = ~np.isnan(whole)
    count = np.count_nonzero(known, axis=-1)
    scaled = whole / np.expand_dims(np.maximum(np.fmax.reduce(np.abs(whole), axis=-1), 1.0), -1)
    mean = np.where(known, scaled, 0.0).sum(axis=-1) / np.maximum(count, 1)
    centred = np.where(known, scaled - np.expand_dims(mean, -1), 0.0)
    second, third = (np.sum(centred**power, axis=-1) / np.maximum(count, 1) for power in (2, 3))
    flat = (second <= 1e-24) | (count < _TELLING)
    return np.where(flat, 0.0, np.abs(third) / np.where(flat, 1.0, second) ** 1.5)


def _steps_between_limits(table: Any, context: Context) -> Numbers:
    """Return how many steps of the scores lie between the limits; endless where there are no steps."""
    return ratio(context.interval.width, table.resolution, empty=np.inf)


SOME_DATA_SET_DIFFERS = at_least("TA701", 1, _differing_data_sets).state(
    "the learners differ on some data set{figure: (on #)}",
    "the learners differ on no data set, so there is nothing to test: p is 1",
    "scores of more digits, or of another metric, may tell them apart; method='bayesian-signed-rank' with rope= says"
    " how probable it is that they are as good in practice",
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
FEW_TIES = at_least("TA703", 0.5, _share_that_differs).state(
    "the learners differ on at least half of the data sets{figure: (# of all)}",
    "the learners tie on more than half of the data sets, and the test speaks of the rest alone ({figure} of all):"
    " that one is ahead there does not make it better on most",
    "method='bayesian-sign' counts ties for neither; 'bayesian-signed-rank' with rope= says how probable it is that"
    " they are as good in practice",
)
# On every test that looks at the signs of the differences.
SIGNS_OF_DIFFERENCES = (SOME_DATA_SET_DIFFERS, DATA_SETS_CAN_REJECT, FEW_TIES)
EVERY_DATA_SET_KNOWN = at_most("TA704", 0, lambda table, _: len(table.datasets) - table.compared).state(
    "both learners have a score on every data set",
    "data sets without a score of both learners were left out ({size} of them): if one is missing because a learner"
    " failed there, that learner looks better than it is",
    "run what is missing, or give a learner that failed the score of a guess there",
)
DATA_SETS_OF_ONE_SCALE = at_least("TA705", 0.5, _share_of_the_rest).state(
    "no data set makes up more than half of the variance of the differences{figure: (the others make up #)}",
    "one data set makes up more than half of the variance of the differences (all others together {figure}): its"
    " scores are of another size, and the mean is mostly about it",
    "method='wilcoxon-signed-rank' takes ranks, which no single data set can rule",
)
DATA_SETS_VARY = varies("TA706", _error_over_data_sets).state(
    "the differences vary between data sets",
    "the differences are the same on every data set, so nothing shows how far they can be trusted: p is 1, and the"
    " interval is everything",
    "method='wilcoxon-signed-rank' tests a difference that is the same everywhere",
)
LITTLE_SKEW_OVER_DATA_SETS = at_most("TA707", 1.5, _skewness).state(
    "the differences are about as symmetric as if neither learner were better (skewness{size: #} ≤ 1.5)",
    "the differences are skewed ({size} > 1.5): signed ranks suppose that they are symmetric around the difference in"
    " question, and a median of 0 is rejected too often where they are not",
    "method='sign-test' needs no symmetry, and speaks of the median",
)
PATTERNS_COUNTED = at_most(
    "TA708", 0, lambda table, context: table.compared - context.options.get("exact", EXACT)
).state(
    "there are no more data sets than all patterns of signs are counted for (500, or exact=)",
    "there are {size} data sets more than all patterns of signs are counted for (500, or exact=): the normal curve"
    " stands in, which is close but not exact",
    "method='sign-test' is exact for any number",
)
LIMITS_HAVE_WIDTH = at_least("TA709", 2.000001, _steps_between_limits).state(
    "the limits are more than two steps of the scores apart",
    "so many differences are the same that the limits are only {figure} steps of the scores apart: they show how"
    " finely the scores were written, not how data sets vary",
    "scores of more digits, or more data sets, would show it; a mean over data sets is what method='paired-t' has"
    " limits for",
)
# On every interval whose limits are differences of data sets, and on every mean over data sets.
LIMITS_AMONG_DIFFERENCES = (LIMITS_HAVE_WIDTH, EVERY_DATA_SET_KNOWN)
MEAN_DIFFERENCE = (DATA_SETS_OF_ONE_SCALE, EVERY_DATA_SET_KNOWN)

# --- Several learners by their ranks ------------------------------------------------------------------------


def _ranking_data_sets(table: Any, _: Context) -> Numbers:
    """Return how many data sets rank the learners: not all that have a score there tie."""
    ranks = table.ranks
    middle = (len(table.learners) + 1) / 2
    return np.count_nonzero((np.nan_to_num(ranks, nan=middle) != middle).any(axis=-1), axis=-1)


def _pool_matters_not(code: str, ranks: str, method: str, incomplete: str = "") -> Assumption:
    """Return the assumption that who else was ranked does not matter to two learners.

    Its verdicts on them are the method's, or those of the other where cells are missing.
    """

    def compare_pairs(table: Any) -> Any:
        return find_method(method if table.complete else incomplete or method, "pairs", ScoreTable)(table)

    def count_changed_verdicts(table: Any, context: Context) -> Numbers:
        learners = table.learners
        first, second = np.triu_indices(len(learners), 1)
        claimed = compare_pairs(table).pvalue < context.alpha
        changed = np.zeros(claimed.shape, dtype=bool)
        for index, name in enumerate(learners if len(learners) > 2 else ()):
            kept = (first != index) & (second != index)
            others = table.select(*(learner for learner in learners if learner != name))
            changed[..., kept] |= claimed[..., kept] != (compare_pairs(others).pvalue < context.alpha)
        return np.count_nonzero(changed, axis=-1)

    return at_most(code, 0, count_changed_verdicts, reference="benavoli2016").state(
        f"leaving out any one learner would change no verdict on two others by {ranks} (each at alpha by itself)",
        f"of the verdicts on two learners by {ranks} (each at alpha by itself), {{size}} would change if some"
        " other learner were left out: they depend on who else is in the pool (Benavoli, Corani and Mangili)",
        "method='wilcoxon-signed-rank' or 'sign-test' with adjust='holm' looks at these two alone",
    )


def _ratio_of_ranges(table: Any, _: Context) -> Numbers:
    """Return the range of scores at the lower quartile of data sets over that at the upper, where learners differ."""
    cells = table.cells
    ranges = np.sort(cells.max(axis=-1) - cells.min(axis=-1), axis=-1)
    many = ranges.shape[-1]
    tied = np.count_nonzero(ranges == 0, axis=-1)
    last = np.maximum(many - tied - 1, 0)
    low, high = (np.minimum(tied + step, many - 1) for step in (np.floor(last / 4), np.ceil(3 * last / 4)))
    quartiles = [np.take_along_axis(ranges, np.asarray(at, dtype=np.intp)[..., None], axis=-1) for at in (low, high)]
    return ratio(quartiles[0][..., 0], quartiles[1][..., 0], empty=1.0)


def _unlinked_learners(table: Any, _: Context) -> Numbers:
    """Return how many learners the first one cannot be compared with, by no way of data sets shared."""
    from .skillings_mack import linked

    known = table.known.astype(float)
    met = np.swapaxes(known, -1, -2) @ known > 0
    return np.count_nonzero(~linked(met)[..., 0, :], axis=-1)


RANKS_TELL_APART = at_least("TA711", 1, _ranking_data_sets).state(
    "{figure} data sets rank the learners, which is at least 1",
    "all learners tie on every data set, so nothing tells them apart: the statistic is 0, and p is 1",
    "scores with more digits may tell them apart, or more data sets; method='bayesian-signed-rank' with rope= says how"
    " probable it is that two are as good in practice",
    rule="some data set ranks the learners",
)
CAN_REJECT_BY_RANKS = can_reject(
    "TA712",
    lambda table, _: least_pvalue(table.ranks),
    "data sets",
    "Add data sets. If each has several runs, method='random-effects' uses them.",
)
POOL_MATTERS_NOT = _pool_matters_not("TA713", "mean ranks", "friedman", "skillings-mack")
POOL_MATTERS_NOT_QUADE = _pool_matters_not("TA714", "weighted ranks", "quade")
POOL_MATTERS_NOT_ALIGNED = _pool_matters_not("TA715", "aligned ranks", "aligned-ranks")
ENOUGH_DATA_SETS_FOR_RANKS = at_least("TA716", 10, _ranking_data_sets, reference="demsar2006").state(
    "{figure} data sets rank the learners{figure:, which is at least 10} (Demšar)",
    "only {figure} data sets rank the learners: below 10 (Demšar) the curve that gives the p-value is no more than"
    " near what counting every way to rank gives",
    "method='friedman-exact' counts them, for a handful of learners",
)
# On every test of several learners by a curve for their ranks.
RANKS_OF_SEVERAL = (RANKS_TELL_APART, CAN_REJECT_BY_RANKS, ENOUGH_DATA_SETS_FOR_RANKS)
ONE_SCALE_FOR_RANKS = at_least("TA717", 0.1, _ratio_of_ranges).state(
    "scores are about as far apart on all data sets (the quartiles of their range are as {figure} to 1, at least 0.1)",
    "scores are far further apart on some data sets than on others (the quartiles of their range are as {figure} to 1,"
    " below 0.1), and the former count for more",
    "method='iman-davenport' lets each data set count alike, whatever its scale",
    rule="scores are about as far apart on all data sets (the quartiles of their range are as 0.1 to 1, or closer)",
)
LEARNERS_MEET = at_most("TA718", 0, _unlinked_learners).state(
    "every two learners share a data set, or are linked by others that do",
    "learners fall into groups that share no data set ({size} of them never met the first, not even by way of others):"
    " nothing compares one group with another",
    "try a learner of each group on the data sets of the others; method='wilcoxon-signed-rank' compares every two that"
    " share data sets",
)

# --- The runs of each data set ------------------------------------------------------------------------------


def _data_sets_without_spread(more_runs_than: int) -> Figure:
    """Return on how many data sets with more runs than this all runs differ by the same."""

    def figure(table: Any, _: Context) -> Numbers:
        _means, deviations, runs = summaries(table)
        return np.count_nonzero((deviations == 0) & (runs > more_runs_than), axis=-1)

    return figure


def _combined(table: Any, context: Context) -> Any:
    """Return the data sets combined by the method's options."""
    from .random_effects import combined

    return combined(table, **{name: context.options[name] for name in ("rho", "tau") if name in context.options})


def _share_of_other_data_sets(table: Any, context: Context) -> Numbers:
    """Return what all data sets but the weightiest have of the weight; one of two may have half."""
    return np.where(table.compared > 2, 1 - np.max(_combined(table, context).shares, axis=-1), 1.0)


def _fewest_runs(table: Any, _: Context) -> Numbers:
    runs = table.runs
    return np.min(np.where(runs > 0, runs, np.iinfo(np.int64).max), axis=-1)


def _mixing(context: Context) -> Mixing:
    """Return what the draws behind the test and the interval are worth; nothing speaks against none."""
    mixing = worst_mixing(context.test, context.interval)
    return Mixing(agreement=np.array(1.0), effective=np.array(np.inf)) if mixing is None else mixing


DATA_SETS_OUTWEIGH_PRIOR = at_least("TA721", 10, lambda table, _: table.compared).state(
    "there are {figure} data sets with scores of both{figure:, which is at least 10}",
    "only {figure} data sets have scores of both (< 10): the posterior makes more of so few than they are worth, and"
    " calls one of two equal learners better more often than it says",
    "method='wilcoxon-signed-rank' holds its level for any number; prior=, and prior_at= the learner that seems worse,"
    " show how much hangs on what is believed before",
)
RUNS_HAVE_SPREAD = at_most("TA722", 0, _data_sets_without_spread(0)).state(
    "the runs of every data set differ",
    "on {size} of the data sets the runs differ by nothing, or there is only one: the spread of the other data sets'"
    " runs is taken for theirs (without any, all data sets weigh alike)",
    "method='wilcoxon-signed-rank' takes every data set alike, and needs no spread of runs",
)
NO_RULING_DATA_SET = at_least("TA723", 0.5, _share_of_other_data_sets).state(
    "no data set has more than half of the weight{figure: (the others have #)}",
    "one data set has more than half of the weight (all others together {figure}): its runs vary least, and the mean"
    " is mostly about it",
    "method='wilcoxon-signed-rank' takes every data set alike",
)
ENOUGH_RUNS_OF_EACH = at_least("TA724", 5, _fewest_runs).state(
    "every data set has {figure} runs{figure: or more, which is at least 5}",
    "a data set has only {figure} runs (< 5): its variance is hardly known, and data sets whose runs agree by chance"
    " weigh too much",
    "method='wilcoxon-signed-rank' or 'paired-t' takes every data set alike; more runs help",
)
SPREAD_OF_ANY_KIND = varies("TA725", lambda table, context: _combined(table, context).error).state(
    "the runs differ, or the data sets do, and there are two data sets or more",
    "neither runs nor data sets differ (or there is only one data set), so nothing shows how far the difference can be"
    " trusted: p is 1, and the interval is everything",
    "method='wilcoxon-signed-rank' tests a difference that is the same everywhere",
)
CHAINS_AGREE = at_most("TA726", 1.01, lambda _, context: _mixing(context).agreement, reference="vehtari2021").state(
    "the chains of draws agree: split R-hat{size: is #, which} is at most 1.01",
    "the chains of draws tell different stories: split R-hat is {size}, above 1.01, so the answer is not that of the"
    " model yet",
    "draw more (draws=100_000); 'random-effects' needs no draws",
)
ENOUGH_DRAWS = at_least("TA727", 400, lambda _, context: _mixing(context).effective, reference="vehtari2021").state(
    "the draws are worth {figure} independent ones{figure:, which is at least 400}",
    "the draws are worth only {figure} independent ones: another seed would give visibly other probabilities",
    "draw more (draws=100_000); 'random-effects' needs no draws",
    moot="nothing had to be drawn",
)
DATA_SETS_HAVE_SPREAD = at_most("TA728", 0, _data_sets_without_spread(1)).state(
    "the runs of every data set differ",
    "on {size} of the data sets all runs differ by the same: nothing shows how far that can be trusted, and the"
    " smallest spread of the others is taken for theirs (where nothing differs, not even between data sets, p is 1,"
    " the interval everything, and the posterior sits on the one difference)",
    "'wilcoxon-signed-rank' and 'bayesian-signed-rank' take every data set alike, and need no spread",
)
ENOUGH_FOR_A_SPREAD = at_least("TA729", 5, lambda table, _: table.compared, reference="gelman2006").state(
    "there are {figure} data sets with scores of both{figure:, which is at least 5}",
    "only {figure} data sets have scores of both: how much the difference varies between data sets is hardly known,"
    " and the limits are as wide as the prior lets them be",
    "'random-effects' says as much with fewer assumptions; more data sets help, more runs of these do not",
)
