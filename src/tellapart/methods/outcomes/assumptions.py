"""What methods for per-example scores assume, in clusters too: TA501 to TA517, TA621 and TA624."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from ...metrics import LEAST_CHANCE
from ...typing_ import Numbers
from ..assumptions import Context, all_one_way, at_least, at_most, can_reject, is_true, varies
from .clusters import clusters_of, robust_moments
from .moments import deviations_from_mean, moments

_NARROW = 2.0  # a range in which no tail is long: shares, grades between 0 and 1, Brier scores


def _largest_cluster(outcomes: Any, _: Context) -> Numbers:
    """Return the number of examples in the largest cluster."""
    return 1 if outcomes.clusters is None else np.bincount(outcomes.clusters).max()


def _examples_per_skewness(outcomes: Any, _: Context) -> Numbers:
    """Return the number of examples, or that number over their squared skewness where this exceeds 1.

    With weights the skewness is that of the weighted sum, and the number what equal weights would need for as much.
    """
    parts = deviations_from_mean(outcomes).values * outcomes.shares
    second, third = (parts**2).sum(axis=-1), (parts**3).sum(axis=-1)
    flat = second == 0
    of_sum = np.where(flat, 0.0, third) ** 2 / np.where(flat, 1.0, second) ** 3  # skewness²/n
    return 1 / np.maximum(of_sum, 1 / outcomes.effective_examples)


def _signs_to_turn(outcomes: Any, context: Context) -> Numbers:
    """Return how many differences are not 0."""
    from .resampling import flip_parts

    return np.count_nonzero(flip_parts(outcomes, np.nan_to_num(context.null))[0], axis=-1)


def _flipped_at_zero(outcomes: Any, context: Context) -> Numbers:
    """Return whether signs are turned around a difference of 0, which equal models are symmetric around."""
    return float(len(outcomes.models) > 1) * (np.nan_to_num(context.null) == 0)


def _smallest_group(outcomes: Any, _: Context) -> Numbers:
    from .macro import group_units

    return min(group_units(outcomes))


def _error_within_groups(outcomes: Any, _: Context) -> Numbers:
    from .macro import macro_moments

    return macro_moments(outcomes).error


def _effective_units(outcomes: Any, _: Context) -> Numbers:
    """Return the number of examples (or clusters), or how many of equal weight would say as much."""
    return outcomes.cluster_count if outcomes.weights is None else clusters_of(outcomes).effective


def _fewest_differences(outcomes: Any, _: Context) -> Numbers:
    """Return on how many examples (or in how many clusters) the two models differ that differ least."""
    clusters = clusters_of(outcomes)
    pairs = combinations(outcomes.scores, 2)
    return min(np.count_nonzero(clusters.totals((a != b).astype(float))) for a, b in pairs)


OUTCOMES_VARY = varies("TA501", lambda outcomes, _: moments(outcomes).error).state(
    "the values vary between examples",
    "all examples gave the same value, so nothing shows how far it can be trusted: the limits are what a kind of"
    " example too rare to be met could make of it, and everything where scores have no bounds",
    "method='sign-flip' tests a difference that is the same everywhere; where scores have bounds, name them: bounds=",
)
EXAMPLES_NOT_CLUSTERED = at_most("TA502", 1, _largest_cluster).state(
    "every example is independent of the others",
    "up to {size} examples belong to one cluster, and this method takes them for independent: it claims too much where"
    " they are alike",
    "method='cluster-robust' allows for clusters",
)
LITTLE_SKEW = at_least("TA503", 25, _examples_per_skewness, reference="cochran1977").state(
    "examples over their squared skewness{figure: = #} ≥ 25 (Cochran)",
    "examples over their squared skewness = {figure} < 25: the mean of so few, or so skewed, values is not yet normal,"
    " and one limit is too near (Cochran)",
    "method='sign-flip' tests a difference without the normal curve, if equally good models could be exchanged; more"
    " examples bring the limits right",
)
SIGNS_CAN_REJECT = can_reject(
    "TA504",
    all_one_way(_signs_to_turn),
    "nonzero differences",
    "Use method='mean-t', which uses the t distribution, or test more examples.",
)
FLIPPED_AT_ZERO = is_true("TA505", _flipped_at_zero).state(
    "signs are turned around a difference of 0",
    "signs are turned around another value than a difference of 0: that supposes that the values are symmetric around"
    " it, which nothing ensures",
    "method='mean-t' needs no symmetry",
)
GROUPS_HAVE_SPREAD = at_least("TA506", 2, _smallest_group).state(
    "every group has {figure} examples (or clusters){figure: or more, which is at least 2}",
    "a group has a single example (or cluster), which shows no spread: its variance was taken to be the largest that"
    " the range of the scores allows, and without a range the interval is everything",
    "leave such groups out, or put them together; method='mean-t' takes the mean over examples",
)
ENOUGH_TO_RESAMPLE = at_least("TA507", 50, _effective_units).state(
    "there are {figure} examples (or clusters){figure: ≥ 50}",
    "there are only {figure} examples (or clusters): below 50 the bootstrap is too short, and with 20 covers 0.93 of"
    " 0.95 even where they are normal",
    "interval='mean-t', with clusters 'cluster-robust', makes up for few",
)
EVERY_PAIR_DIFFERS = at_least("TA508", 10, _fewest_differences).state(
    "any two models differ on {figure} examples (or clusters){figure: or more, which is at least 10}",
    "two of the models differ on only {figure} examples (or clusters): below 10, 'max-t' seldom tells such a pair"
    " apart, and leans on the t curve where it does",
    "more examples would help; method='sign-flip' with adjust='holm' guarantees its level at any size",
)
GROUPS_VARY = varies("TA509", _error_within_groups).state(
    "examples of some group vary",
    "in every group all examples gave the same value, so nothing shows how far the mean over groups can be trusted:"
    " the limits are what a kind of example too rare to be met in the smallest group could make of it, and everything"
    " where scores have no bounds",
    "where scores have bounds, name them: bounds=; method='sign-flip' tests a difference that is the same everywhere",
)

# --- Examples in clusters -----------------------------------------------------------------------------------


def _effective_clusters(outcomes: Any, _: Context) -> float:
    return clusters_of(outcomes).effective


def _share_of_other_clusters(outcomes: Any, _: Context) -> float:
    """Return what all clusters but the largest count in the mean."""
    return round(1 - float(clusters_of(outcomes).shares.max()), 12)


def _evenness_of_clusters(outcomes: Any, _: Context) -> float:
    """Return the number of clusters that sizes leave in effect, as a share of all."""
    clusters = clusters_of(outcomes)
    return round(clusters.effective / clusters.count, 12)


def _moving_clusters(outcomes: Any, context: Context) -> Numbers:
    """Return how many clusters differ from the tested mean."""
    from .cluster_resampling import moving_clusters

    return moving_clusters(outcomes, np.nan_to_num(context.null))


def _rarer_outcome(outcomes: Any, _: Context) -> Numbers:
    """Return the share of the rarer of right and wrong."""
    rate = np.round(outcomes.mean_of(outcomes.values), 12)  # none is none: rounding is no error
    return np.minimum(rate, 1 - rate)


ENOUGH_CLUSTERS = at_least("TA510", 10, _effective_clusters).state(
    "as many clusters as {figure} of equal weight ≥ 10",
    "as few clusters as {figure} of equal weight, which is below 10: what they show hangs on a handful of cluster"
    " means, and claims come two or three times as often as alpha says where these have a long tail",
    "more clusters would help, more examples in each hardly; method='wild-cluster' asks only that signs could as well"
    " be turned",
    rule="the clusters count for as much as 10 or more of equal weight",
)
MANY_CLUSTERS = at_least("TA511", 40, _effective_clusters).state(
    "as many clusters as {figure} of equal weight ≥ 40",
    "as few clusters as {figure} of equal weight, which is below 40: this standard error is too small there",
    "method='cluster-robust' corrects for few and for unequal clusters",
    rule="the clusters count for as much as 40 or more of equal weight",
)
NO_RULING_CLUSTER = at_least("TA512", 0.5, _share_of_other_clusters).state(
    "all clusters but the largest count for {figure} of the mean{figure: ≥ 0.5}",
    "all clusters but the largest count for only {figure} of the mean: one cluster decides, and how far it is from"
    " others of its kind cannot be seen",
    "test more clusters, or take the largest for a group of its own; method='durkalski' lets each cluster count alike,"
    " if that is the question",
)
CLUSTERS_SHARED = at_least("TA513", 2, _largest_cluster).state(
    "some cluster holds {figure} examples{figure: ≥ 2}",
    "every example is a cluster of its own, so none belong together, which may mean that the wrong column was named",
    "method='mean-t' is for examples that are independent",
)
CLUSTERS_VARY = varies("TA514", lambda outcomes, _: robust_moments(outcomes).error).state(
    "clusters differ from each other",
    "no cluster differs from another (or there is only one), so nothing shows how far the mean can be trusted: the"
    " limits are what a kind of cluster too rare to be met could make of it, and everything where scores have no"
    " bounds",
    "test more clusters; where scores have bounds, name them: bounds=; method='mean-t' takes examples for independent,"
    " if they are",
)
CLUSTERS_ALIKE = at_least("TA515", 0.8, _evenness_of_clusters).state(
    "clusters are of about one size (their number in effect over their number{figure: = #} ≥ 0.8)",
    "clusters differ in size (their number in effect over their number = {figure} < 0.8), and here a cluster counts as"
    " much as any other: this is the difference of an average cluster, not of an average example",
    "method='yang' and 'cluster-robust' speak of examples",
)
ENOUGH_SIGNS = can_reject(
    "TA516",
    all_one_way(_moving_clusters),
    "clusters",
    "Use method='cluster-robust', which uses the t distribution, or add clusters.",
)
ERRORS_VARY = varies("TA517", _rarer_outcome).state(
    "there are both errors and successes{figure: (the rarer is a share of #)}",
    "there are no errors, or nothing but errors, so nothing shows how far examples of one cluster go together: every"
    " cluster was counted as a single example, which is the worst they could be",
    "more clusters would help; if examples are independent after all, method='mean-t' says so",
)

# --- Scores without bounds ----------------------------------------------------------------------------------


def _times_the_largest(outcomes: Any, _: Context) -> Numbers:
    """Return how many times the largest value all of them come to; endless where scores have no room for a tail."""
    low, high = outcomes.metric.bounds
    if high - low <= _NARROW:
        return np.inf
    sizes = np.abs(outcomes.values)
    sizes = sizes if outcomes.weights is None else sizes * outcomes.shares
    most = sizes.max(axis=-1)
    return np.where(most > 0, sizes.sum(axis=-1) / np.where(most > 0, most, 1.0), np.inf)


def _impossible_examples(outcomes: Any, _: Context) -> Numbers:
    """Return for how many examples a model gave what happened no probability."""
    if outcomes.metric.name != "log-loss":
        return 0.0
    worst = -np.log(LEAST_CHANCE) * (1 - 1e-12)
    return (outcomes.scores >= worst).any(axis=-2).sum(axis=-1)


NO_RULING_EXAMPLE = at_least("TA621", 10, _times_the_largest).state(
    "all examples together come to {figure} times the largest one{figure:, which is at least 10}",
    "all examples together come to only {figure} times the largest one, whose share of the total is above a tenth: the"
    " mean hangs on it, and nobody knows how many of its kind there are",
    "look at that example; the Brier score is bounded where the log loss is not; method='sign-flip' compares two"
    " models without the normal curve",
    moot="no value is large enough to dominate the mean",
)
NOT_CLIPPED = at_most("TA624", 0, _impossible_examples).state(
    "no model gives what happened the probability 0",
    "a model gave what happened the probability 0 in {size} of the examples, whose log loss is infinite; they count as"
    " if it had been 2·10⁻¹⁶, and the mean hangs on that choice",
    "the Brier score needs no such choice, and a model that is never quite sure (smoothed, or calibrated) makes it"
    " needless",
)
# On every method whose answer a few large values could decide.
NO_LONG_TAIL = (NO_RULING_EXAMPLE, NOT_CLIPPED)
