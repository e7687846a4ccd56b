"""What comparisons of two learners over many data sets assume: TA701 to TA709."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import FloatArray, IntArray, Numbers
from .base import Assumption, Given


def _steps(table: Any, given: Given) -> FloatArray:
    """Return the differences from what is tested, in whole steps."""
    against = float(np.nan_to_num(np.asarray(given.against, dtype=float).reshape(-1)[0]))
    whole: FloatArray = table.steps(against)[0]
    return whole


def _differing(table: Any, given: Given) -> IntArray:
    """Return on how many data sets the difference is not what is tested."""
    whole = _steps(table, given)
    return np.asarray(np.count_nonzero((whole != 0) & ~np.isnan(whole), axis=-1))


SOME_DATA_SET_DIFFERS = Assumption(
    code="TA701",
    needs="the learners differ on some data set (on {figure})",
    rule="the learners differ on some data set",
    broken="the learners differ on no data set, so there is nothing to test: p is 1",
    otherwise="scores of more digits, or of another metric, may tell them apart; method='bayesian-signed-rank' with"
    " rope= says how probable it is that they are as good in practice",
    figure=_differing,
    threshold=1,
)


def _smallest_pvalue(table: Any, given: Given) -> Numbers:
    """Return the p-value if all data sets that differ pointed one way."""
    sides = 1 if given.alternative == "two-sided" else 0
    return np.minimum(np.exp2(sides - np.minimum(_differing(table, given), 1000.0)), 1.0)


DATA_SETS_CAN_REJECT = Assumption(
    code="TA702",
    needs="the smallest p-value that so many data sets can give, {size}, is below alpha",
    rule="the smallest p-value that so many data sets can give is below alpha",
    broken="no outcome of so few data sets that differ could reach alpha: the smallest possible p-value is {size}",
    otherwise="more data sets are needed; method='paired-t' leans on the normal curve instead",
    figure=lambda table, given: -_smallest_pvalue(table, given),
    threshold=lambda given: -given.alpha,
    strict=True,
)


def _share_that_differs(table: Any, given: Given) -> Numbers:
    known = np.maximum(np.asarray(table.compared), 1)
    return _differing(table, given) / known


FEW_TIES = Assumption(
    code="TA703",
    needs="the learners differ on at least half of the data sets ({figure} of all)",
    rule="the learners differ on at least half of the data sets",
    broken="the learners tie on more than half of the data sets, and the test speaks of the rest alone ({figure} of"
    " all): that one is ahead there does not make it better on most",
    otherwise="method='bayesian-sign' counts ties for neither; 'bayesian-signed-rank' with rope= says how probable it"
    " is that they are as good in practice",
    figure=_share_that_differs,
    threshold=0.5,
)
EVERY_DATA_SET_KNOWN = Assumption(
    code="TA704",
    needs="both learners have a score on every data set",
    broken="data sets without a score of both learners were left out ({size} of them): if one is missing because a"
    " learner failed there, that learner looks better than it is",
    otherwise="run what is missing, or give a learner that failed the score of a guess there",
    figure=lambda table, _: np.asarray(table.compared) - float(len(table.datasets)),
    threshold=0,
)


def _share_of_the_rest(table: Any, _: Given) -> Numbers:
    """Return the share of the sum of squares around the mean that all data sets but one make up, whichever is most."""
    from ..score_table.paired_t import over_data_sets

    whole, unit = table.steps()
    mean = over_data_sets(table).mean / unit
    squares = np.square(np.where(np.isnan(whole), 0.0, whole - np.expand_dims(np.nan_to_num(mean), -1)))
    total = squares.sum(axis=-1)
    few = np.asarray(table.compared) < 3  # of two each makes up half
    return np.where((total == 0) | few, 1.0, 1 - squares.max(axis=-1) / np.where(total == 0, 1.0, total))


DATA_SETS_OF_ONE_SCALE = Assumption(
    code="TA705",
    needs="no data set makes up more than half of the variance of the differences (the others make up {figure})",
    rule="no data set makes up more than half of the variance of the differences",
    broken="one data set makes up more than half of the variance of the differences (all others together {figure}): its"
    " scores are of another size, and the mean is mostly about it",
    otherwise="method='wilcoxon-signed-rank' takes ranks, which no single data set can rule",
    figure=_share_of_the_rest,
    threshold=0.5,
)


def _error_over_data_sets(table: Any, _: Given) -> Numbers:
    from ..score_table.paired_t import over_data_sets

    return over_data_sets(table).error


DATA_SETS_VARY = Assumption(
    code="TA706",
    needs="the differences vary between data sets",
    broken="the differences are the same on every data set, so nothing shows how far they can be trusted: p is 1, and"
    " the interval is everything",
    otherwise="method='wilcoxon-signed-rank' tests a difference that is the same everywhere",
    figure=_error_over_data_sets,
    threshold=0,
    strict=True,
)

_TELLING = 8  # data sets below which the skewness says nothing: it cannot be large, whatever they are drawn from


def _skewness(table: Any, _: Given) -> Numbers:
    """Return the size of the skewness of the differences, m₃/m₂^1.5; 0 where there are too few, or no spread."""
    whole, _unit = table.steps()
    known = ~np.isnan(whole)
    count = np.count_nonzero(known, axis=-1)
    scaled = whole / np.expand_dims(np.maximum(np.fmax.reduce(np.abs(whole), axis=-1), 1.0), -1)
    mean = np.where(known, scaled, 0.0).sum(axis=-1) / np.maximum(count, 1)
    apart = np.where(known, scaled - np.expand_dims(mean, -1), 0.0)
    second, third = (np.sum(apart**power, axis=-1) / np.maximum(count, 1) for power in (2, 3))
    flat = (second <= 1e-24) | (count < _TELLING)
    return np.where(flat, 0.0, np.abs(third) / np.where(flat, 1.0, second) ** 1.5)


LITTLE_SKEW_OVER_DATA_SETS = Assumption(
    code="TA707",
    needs="the differences are about as symmetric as if neither learner were better (skewness {size} ≤ 1.5)",
    rule="the differences are about as symmetric as if neither learner were better (skewness ≤ 1.5)",
    broken="the differences are skewed ({size} > 1.5): signed ranks suppose that they are symmetric around the"
    " difference in question, and a median of 0 is rejected too often where they are not",
    otherwise="method='sign-test' needs no symmetry, and speaks of the median",
    figure=lambda table, given: -_skewness(table, given),
    threshold=-1.5,
)
PATTERNS_COUNTED = Assumption(
    code="TA708",
    needs="there are no more data sets than all patterns of signs are counted for (500, or exact=)",
    broken="there are {size} data sets more than all patterns of signs are counted for (500, or exact=): the normal"
    " curve stands in, which is close but not exact",
    otherwise="method='sign-test' is exact for any number",
    figure=lambda table, given: float(given.options.get("exact", 500)) - np.asarray(table.compared),
    threshold=0,
)


def _steps_apart(table: Any, given: Given) -> Numbers:
    """Return how many steps of the scores the limits are apart; so many that no others matter where they are not."""
    width, step = np.asarray(given.interval.width, dtype=float), np.asarray(table.resolution, dtype=float)
    return np.divide(width, step, where=step > 0, out=np.full(np.broadcast(width, step).shape, np.inf))


LIMITS_HAVE_WIDTH = Assumption(
    code="TA709",
    needs="the limits are more than two steps of the scores apart",
    broken="so many differences are the same that the limits are only {figure} steps of the scores apart: they show how"
    " finely the scores were written, not how data sets vary",
    otherwise="scores of more digits, or more data sets, would show it; a mean over data sets is what method='paired-t'"
    " has limits for",
    figure=_steps_apart,
    threshold=2.000001,
)
