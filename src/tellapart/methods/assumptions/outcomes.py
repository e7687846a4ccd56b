"""What methods for per-example scores assume: TA501 to TA509."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from .base import Assumption, Given


def _error_of_mean(outcomes: Any, _: Given) -> Numbers:
    from ..outcomes.common import moments

    return moments(outcomes).error


OUTCOMES_VARY = Assumption(
    code="TA501",
    needs="the values vary between examples",
    broken="all examples gave the same value, so nothing shows how far it can be trusted: the limits are what a kind of"
    " example too rare to be met could make of it, and everything where scores have no bounds",
    otherwise="method='sign-flip' tests a difference that is the same everywhere; where scores have bounds, name them:"
    " bounds=",
    figure=_error_of_mean,
    threshold=0,
    strict=True,
)


def _largest_cluster(outcomes: Any, _: Given) -> Numbers:
    """Return the number of examples in the largest cluster, with a minus."""
    return -1.0 if outcomes.clusters is None else -float(np.bincount(outcomes.clusters).max())


EXAMPLES_NOT_CLUSTERED = Assumption(
    code="TA502",
    needs="every example is independent of the others",
    broken="up to {size} examples belong to one cluster, and this method takes them for independent: it claims too much"
    " where they are alike",
    otherwise="method='cluster-robust' allows for clusters",
    figure=_largest_cluster,
    threshold=-1,
)


def _examples_per_skewness(outcomes: Any, _: Given) -> Numbers:
    """Return the number of examples, or that number over their squared skewness where this exceeds 1.

    With weights the skewness is that of the weighted sum, and the number what equal weights would need for as much.
    """
    from ..outcomes.common import centred

    parts = centred(outcomes).apart * outcomes.shares
    second, third = (parts**2).sum(axis=-1), (parts**3).sum(axis=-1)
    flat = second == 0
    of_sum = np.where(flat, 0.0, third) ** 2 / np.where(flat, 1.0, second) ** 3  # skewness²/n
    return 1 / np.maximum(of_sum, 1 / outcomes.effective_examples)


LITTLE_SKEW = Assumption(
    code="TA503",
    needs="examples over their squared skewness = {figure} ≥ 25 (Cochran)",
    rule="examples over their squared skewness ≥ 25 (Cochran)",
    broken="examples over their squared skewness = {figure} < 25: the mean of so few, or so skewed, values is not yet"
    " normal, and one limit is too near (Cochran)",
    otherwise="method='sign-flip' tests a difference without the normal curve, if equally good models could be"
    " exchanged; more examples bring the limits right",
    figure=_examples_per_skewness,
    threshold=25,
    source="cochran1977",
)


def _smallest_pvalue(outcomes: Any, given: Given) -> Numbers:
    """Return the p-value if all differences that are not 0 pointed one way."""
    from ..outcomes.resampling import flip_parts

    parts, _ = flip_parts(outcomes, np.nan_to_num(given.against))
    sides = 1 if given.alternative == "two-sided" else 0
    return np.minimum(np.exp2(sides - np.minimum(np.count_nonzero(parts, axis=-1), 1000.0)), 1.0)


SIGNS_CAN_REJECT = Assumption(
    code="TA504",
    needs="the smallest p-value that turning so many signs can give, {size}, is below alpha",
    rule="the smallest p-value that turning so many signs can give is below alpha",
    broken="no outcome of so few examples (or clusters) that differ could reach alpha: the smallest possible p-value is"
    " {size}",
    otherwise="more examples on which the two differ are needed for this test; method='mean-t' leans on the t curve"
    " instead",
    figure=lambda outcomes, given: -_smallest_pvalue(outcomes, given),
    threshold=lambda given: -given.alpha,
    strict=True,
)


def _at_zero(outcomes: Any, given: Given) -> Numbers:
    """Return whether signs are turned around a difference of 0, which equal models are symmetric around."""
    return float(len(outcomes.models) > 1) * (np.nan_to_num(given.against) == 0)


FLIPPED_AT_ZERO = Assumption(
    code="TA505",
    needs="signs are turned around a difference of 0",
    broken="signs are turned around another value than a difference of 0: that supposes that the values are symmetric"
    " around it, which nothing ensures",
    otherwise="method='mean-t' needs no symmetry",
    figure=_at_zero,
    threshold=1,
)


def _smallest_group(outcomes: Any, _: Given) -> Numbers:
    from ..outcomes.macro import group_units

    return min(group_units(outcomes))


GROUPS_HAVE_SPREAD = Assumption(
    code="TA506",
    needs="every group has {figure} examples (or clusters) or more, which is at least 2",
    rule="every group has at least 2 examples (or clusters)",
    broken="a group has a single example (or cluster), which shows no spread: its variance was taken to be the largest"
    " that the range of the scores allows, and without a range the interval is everything",
    otherwise="leave such groups out, or put them together; method='mean-t' takes the mean over examples",
    figure=_smallest_group,
    threshold=2,
)


def _error_within(outcomes: Any, _: Given) -> Numbers:
    from ..outcomes.macro import macro_moments

    return macro_moments(outcomes).error


GROUPS_VARY = Assumption(
    code="TA509",
    needs="examples of some group vary",
    broken="in every group all examples gave the same value, so nothing shows how far the mean over groups can be"
    " trusted: the limits are what a kind of example too rare to be met in the smallest group could make of it, and"
    " everything where scores have no bounds",
    otherwise="where scores have bounds, name them: bounds=; method='sign-flip' tests a difference that is the same"
    " everywhere",
    figure=_error_within,
    threshold=0,
    strict=True,
)


def _units_in_effect(outcomes: Any, _: Given) -> Numbers:
    """Return the number of examples (or clusters), or how many of equal weight would say as much."""
    from ..outcomes.clusters import clusters_of

    return outcomes.cluster_count if outcomes.weights is None else clusters_of(outcomes).effective


ENOUGH_TO_RESAMPLE = Assumption(
    code="TA507",
    needs="there are {figure} examples (or clusters) ≥ 50",
    rule="there are at least 50 examples (or clusters)",
    broken="there are only {figure} examples (or clusters): below 50 the bootstrap is too short, and with 20"
    " covers 0.93 of 0.95 even where they are normal",
    otherwise="interval='mean-t', with clusters 'cluster-robust', makes up for few",
    figure=_units_in_effect,
    threshold=50,
)


def _fewest_differences(outcomes: Any, _: Given) -> Numbers:
    """Return on how many examples (or in how many clusters) the two models differ that differ least."""
    from ..outcomes.simultaneous import differing

    return differing(outcomes).min()


EVERY_PAIR_DIFFERS = Assumption(
    code="TA508",
    needs="any two models differ on {figure} examples (or clusters) or more, which is at least 10",
    rule="any two models differ on at least 10 examples (or clusters)",
    broken="two of the models differ on only {figure} examples (or clusters): below 10, 'max-t' seldom tells such a"
    " pair apart, and leans on the t curve where it does",
    otherwise="more examples would help; method='sign-flip' with adjust='holm' guarantees its level at any size",
    figure=_fewest_differences,
    threshold=10,
)
