"""Assumptions of methods for per-example scores, with and without clusters: TA501 to TA517, TA621 and TA624."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from ...metrics import LEAST_CHANCE
from ...typing_ import Numbers
from ..assumptions import (
    Context,
    all_one_way,
    at_least,
    at_most,
    can_reject,
    carriers,
    is_true,
    smallest_pvalue,
    varies,
)
from .clusters import clusters_of, name_clusters, robust_moments
from .moments import deviations_from_mean, moments

_NARROW = 2.0  # a range in which no tail is long: shares, grades between 0 and 1, Brier scores
_FEW_CLUSTERS = 10


def _largest_cluster(outcomes: Any, _: Context) -> Numbers:
    """Return the number of examples in the largest cluster."""
    return 1 if outcomes.clusters is None else np.bincount(outcomes.clusters).max()


def _examples_per_skewness(outcomes: Any, _: Context) -> Numbers:
    """Return the number of examples, divided by their squared skewness where this exceeds 1.

    With weights the skewness is that of the weighted sum, and the number is the effective one.
    """
    parts = deviations_from_mean(outcomes).values * outcomes.shares
    second, third = (parts**2).sum(axis=-1), (parts**3).sum(axis=-1)
    flat = second == 0
    of_sum = np.where(flat, 0.0, third) ** 2 / np.where(flat, 1.0, second) ** 3  # skewness²/n
    return 1 / np.maximum(of_sum, 1 / outcomes.effective_examples)


def _count_nonzero_differences(outcomes: Any, context: Context) -> Numbers:
    """Return how many differences are not 0."""
    from .example_resampling import flip_parts

    return np.count_nonzero(flip_parts(outcomes, np.nan_to_num(context.null))[0], axis=-1)


def _flipped_at_zero(outcomes: Any, context: Context) -> Numbers:
    """Return whether the null value is a difference of 0, around which equal models are symmetric."""
    return float(len(outcomes.models) > 1) * (np.nan_to_num(context.null) == 0)


def _smallest_group(outcomes: Any, _: Context) -> Numbers:
    from .macro import group_units

    return min(group_units(outcomes))


def _error_within_groups(outcomes: Any, _: Context) -> Numbers:
    from .macro import macro_moments

    return macro_moments(outcomes).error


def _effective_units(outcomes: Any, _: Context) -> Numbers:
    """Return the effective number of examples (or clusters)."""
    return outcomes.cluster_count if outcomes.weights is None else clusters_of(outcomes).effective


def _fewest_differences(outcomes: Any, _: Context) -> Numbers:
    """Return on how many examples (or clusters) the two most similar models differ."""
    clusters = clusters_of(outcomes)
    pairs = combinations(outcomes.scores, 2)
    return min(np.count_nonzero(clusters.totals((a != b).astype(float))) for a, b in pairs)


# --- What helps with the data at hand -------------------------------------------------------------------------------


def _count_flips_to_reject(context: Context) -> int:
    """Return how many nonzero differences a sign-flip test needs to reach alpha when all have the same sign."""
    return next(count for count in range(1, 1100) if smallest_pvalue(count, context.alternative) < context.alpha)


def _sign_flip_can_reject(outcomes: Any, context: Context) -> bool:
    """Whether 'sign-flip' can replace the test and reach alpha: two models, a null value of 0, enough differences."""
    replaceable = context.test is not None and context.test.method != "sign-flip" and len(outcomes.models) == 2
    if not replaceable or np.any(np.nan_to_num(context.null) != 0):
        return False
    return bool(np.all(_count_nonzero_differences(outcomes, context) >= _count_flips_to_reject(context)))


def _affected_by_few_clusters(outcomes: Any, context: Context) -> str:
    """Return how few clusters affect the test, or without one the interval."""
    if carriers("TA510", outcomes, context)[0]:
        return "the test may reject 2-3 times too often"
    return "the interval may miss the true value 2-3 times too often"


def _wild_cluster_can_reject(outcomes: Any, context: Context) -> bool:
    """Whether 'wild-cluster' can replace the test and reach alpha: enough clusters differ from the null value."""
    if not carriers("TA510", outcomes, context)[0]:
        return False
    return bool(np.all(_moving_clusters(outcomes, context) >= _count_flips_to_reject(context)))


def _has_bounds(outcomes: Any) -> bool:
    return bool(np.isfinite(outcomes.range).all())


def _method_for_mean(outcomes: Any, _: Context | None = None) -> str:
    return "mean-t" if outcomes.clusters is None else "cluster-robust"


def _add_variation(outcomes: Any, context: Context) -> str:
    """Return the remedy if no value varies: a range for the limits, a test without a standard error, or more data."""
    if not _has_bounds(outcomes):
        return "Specify the range of the scores (`bounds`), or test more examples."
    if _sign_flip_can_reject(outcomes, context):
        return "Use method='sign-flip' for the test, or test more examples."
    return "Test more examples."


def _reduce_skew(outcomes: Any, context: Context) -> str:
    if _sign_flip_can_reject(outcomes, context):
        return "Use method='sign-flip', or test more examples."
    if len(outcomes.models) == 1 and outcomes.metric.is_rate:
        return "Use method='rao-scott-wilson', or test more examples."
    return "Test more examples."


def _suggest_student_interval(outcomes: Any, _: Context) -> str:
    option = "method" if len(outcomes.models) == 1 else "interval"
    return f"Use {option}='{_method_for_mean(outcomes)}', or test more examples."


def _add_flips(outcomes: Any, context: Context) -> str:
    fix = "Test more examples" if outcomes.clusters is None else f"Add {name_clusters(outcomes)}"
    return f"{fix}: at least {_count_flips_to_reject(context)} must differ."


def _add_clusters(outcomes: Any, context: Context) -> str:
    help_test = ", or use method='wild-cluster'" if _wild_cluster_can_reject(outcomes, context) else ""
    return f"Add {name_clusters(outcomes)}{help_test}."


def _add_varying_clusters(outcomes: Any, _: Context) -> str:
    clusters = name_clusters(outcomes)
    if not _has_bounds(outcomes):
        return f"Specify the range of the scores (`bounds`), or add {clusters}."
    if np.all(moments(outcomes).error > 0):
        return f"Add {clusters}, or use method='mean-t' for independent examples."
    return f"Add {clusters}."


def _balance_clusters(outcomes: Any, _: Context) -> str:
    pair = len(outcomes.models) == 2 and outcomes.metric.is_rate
    if pair and not outcomes.repeated and outcomes.weights is None:
        return f"Add {name_clusters(outcomes)}, or use method='durkalski'."
    return f"Add {name_clusters(outcomes)}, or analyse the largest one separately."


def _add_moving_clusters(outcomes: Any, context: Context) -> str:
    if _effective_clusters(outcomes, context) >= _FEW_CLUSTERS:
        return f"Use method='cluster-robust', or add {name_clusters(outcomes)}."
    return _add_flips(outcomes, context)


def _bound_the_loss(outcomes: Any, context: Context) -> str:
    if outcomes.metric.name == "log-loss":
        return "Inspect it, or use metric='brier'."
    if _sign_flip_can_reject(outcomes, context):
        return "Inspect it, or use method='sign-flip' for the test."
    return "Inspect it, or test more examples."


# --- Examples that are independent ----------------------------------------------------------------------------------

OUTCOMES_VARY = varies("TA501", lambda outcomes, _: moments(outcomes).error).state(
    "the values vary between examples",
    "all examples have the same value",
    _add_variation,
    title="no variation",
    so="the standard error cannot be estimated",
)
EXAMPLES_NOT_CLUSTERED = at_most("TA502", 1, _largest_cluster).state(
    "every example is independent of the others",
    "{size} examples in the largest cluster",
    "Use method='cluster-robust'.",
    title="clustered examples",
    so="the standard error is too small if they are correlated",
)
LITTLE_SKEW = at_least("TA503", 25, _examples_per_skewness, reference="cochran1977").state(
    "n/skewness²{figure: = #} ≥ 25 (Cochran 1977)",
    "n/skewness² is {figure}, less than 25 (Cochran 1977)",
    _reduce_skew,
    title="skewed values",
    so="one limit is too near the mean",
)
SIGNS_CAN_REJECT = can_reject("TA504", all_one_way(_count_nonzero_differences), "nonzero differences", _add_flips)
FLIPPED_AT_ZERO = is_true("TA505", _flipped_at_zero).state(
    "the null value is a difference of 0",
    "the null value is not a difference of 0",
    lambda outcomes, _: f"Use method='{_method_for_mean(outcomes)}'.",
    title="symmetry assumed",
    so="symmetry around it is assumed",
)
GROUPS_HAVE_SPREAD = at_least("TA506", 2, _smallest_group).state(
    "{figure} examples (or clusters) in the smallest group{figure:, at least 2}",
    lambda outcomes, _: f"{{figure}} {name_clusters(outcomes)} in the smallest group, fewer than 2",
    lambda outcomes, _: f"Merge such groups, or use method='{_method_for_mean(outcomes)}' for the mean over examples.",
    title="single-example group",
    so="its variance is unknown",
)
ENOUGH_TO_RESAMPLE = at_least("TA507", 50, _effective_units).state(
    "{figure} examples (or clusters){figure: ≥ 50}",
    lambda outcomes, _: f"{{figure}} {name_clusters(outcomes)}, fewer than 50",
    _suggest_student_interval,
    title="few examples",
    so="the bootstrap interval is too short",
)
EVERY_PAIR_DIFFERS = at_least("TA508", 10, _fewest_differences).state(
    "any two models differ on {figure} examples (or clusters){figure:, at least 10}",
    lambda outcomes, _: f"two models differ on {{figure}} {name_clusters(outcomes)}, fewer than 10",
    "Test more examples, or use method='sign-flip' with adjust='holm'.",
    title="few differences",
    so="little power for that pair",
)
GROUPS_VARY = varies("TA509", _error_within_groups).state(
    "the values vary within some group",
    "in every group all examples have the same value",
    _add_variation,
    title="no variation",
    so="the standard error cannot be estimated",
)

# --- Examples in clusters -----------------------------------------------------------------------------------


def _effective_clusters(outcomes: Any, _: Context) -> float:
    return clusters_of(outcomes).effective


def _weight_of_other_clusters(outcomes: Any, _: Context) -> float:
    """Return the weight in the mean of all clusters but the largest."""
    return round(1 - float(clusters_of(outcomes).shares.max()), 12)


def _evenness_of_clusters(outcomes: Any, _: Context) -> float:
    """Return the effective number of clusters, as a share of their number."""
    clusters = clusters_of(outcomes)
    return round(clusters.effective / clusters.count, 12)


def _moving_clusters(outcomes: Any, context: Context) -> Numbers:
    """Return how many clusters differ from the null value."""
    from .cluster_resampling import count_moving_clusters

    return count_moving_clusters(outcomes, np.nan_to_num(context.null))


def _rarer_outcome(outcomes: Any, _: Context) -> Numbers:
    """Return the share of the rarer outcome, correct or wrong."""
    rate = np.round(outcomes.mean_of(outcomes.values), 12)  # none is none: rounding is no error
    return np.minimum(rate, 1 - rate)


ENOUGH_CLUSTERS = at_least("TA510", _FEW_CLUSTERS, _effective_clusters).state(
    "{figure} effective clusters{figure: ≥ 10}",
    "{figure} effective clusters, fewer than 10",
    _add_clusters,
    title="few clusters",
    so=_affected_by_few_clusters,
)
MANY_CLUSTERS = at_least("TA511", 40, _effective_clusters).state(
    "{figure} effective clusters{figure: ≥ 40}",
    "{figure} effective clusters, fewer than 40",
    "Use method='cluster-robust', which corrects for that.",
    title="few clusters",
    so="this standard error is too small",
)
NO_DOMINANT_CLUSTER = at_least("TA512", 0.5, _weight_of_other_clusters).state(
    "all clusters but the largest have a weight of {figure}{figure: ≥ 0.5}",
    "the weight of all clusters but the largest is {figure}, less than 0.5",
    _balance_clusters,
    title="dominant cluster",
    so="one cluster dominates",
)
CLUSTERS_OF_SEVERAL_EXAMPLES = at_least("TA513", 2, _largest_cluster).state(
    "{figure} examples in the largest cluster{figure: ≥ 2}",
    "every cluster has a single example",
    "Check the cluster column, or use method='mean-t' for independent examples.",
    title="no clustering",
    so="the column may be the wrong one",
)
CLUSTERS_VARY = varies("TA514", lambda outcomes, _: robust_moments(outcomes).error).state(
    "the cluster means differ",
    "the cluster means do not differ",
    _add_varying_clusters,
    title="no variation",
    so="the standard error cannot be estimated",
)
CLUSTERS_OF_SIMILAR_SIZE = at_least("TA515", 0.8, _evenness_of_clusters).state(
    "effective number of clusters over their number{figure: = #} ≥ 0.8",
    "effective over actual number of clusters is {figure}, less than 0.8",
    "Use method='yang' or method='cluster-robust'.",
    title="unequal clusters",
    so="clusters, not examples, are averaged",
)
ENOUGH_SIGNS = can_reject("TA516", all_one_way(_moving_clusters), "clusters", _add_moving_clusters)
ERRORS_VARY = varies("TA517", _rarer_outcome).state(
    "there are both errors and correct answers{figure: (the rarer is a share of #)}",
    lambda outcomes, _: f"there are {'no' if np.all(outcomes.mean_of(outcomes.values) < 0.5) else 'only'} errors",
    lambda outcomes, _: f"Add {name_clusters(outcomes)}.",
    title="no variation",
    so="the design effect is unknown, and each cluster counts as one example",
)

# --- Scores without bounds ----------------------------------------------------------------------------------


def _sum_over_largest(outcomes: Any, _: Context) -> Numbers:
    """Return the sum of all values over the largest; infinite if the range of scores leaves no room for a tail."""
    low, high = outcomes.metric.bounds
    if high - low <= _NARROW:
        return np.inf
    sizes = np.abs(outcomes.values)
    sizes = sizes if outcomes.weights is None else sizes * outcomes.shares
    most = sizes.max(axis=-1)
    return np.where(most > 0, sizes.sum(axis=-1) / np.where(most > 0, most, 1.0), np.inf)


def _impossible_examples(outcomes: Any, _: Context) -> Numbers:
    """Return on how many examples a model predicts probability 0 for the outcome that occurred."""
    if outcomes.metric.name != "log-loss":
        return 0.0
    worst = -np.log(LEAST_CHANCE) * (1 - 1e-12)
    return (outcomes.scores >= worst).any(axis=-2).sum(axis=-1)


NO_DOMINANT_EXAMPLE = at_least("TA621", 10, _sum_over_largest).state(
    "the sum of all values is {figure} times the largest{figure:, at least 10}",
    "the sum of all values is {figure} times the largest, less than 10",
    _bound_the_loss,
    title="dominant example",
    so="one example dominates the mean",
    moot="no value is large enough to dominate the mean",
)
NOT_CLIPPED = at_most("TA624", 0, _impossible_examples).state(
    "no outcome that occurred has predicted probability 0",
    "probability 0 for the outcome of {size} examples",
    "Use metric='brier', or smooth the probabilities.",
    title="probability of 0",
    so="the log loss is set to 36.04",
)
# On every method whose answer a few large values could decide.
NO_LONG_TAIL = (NO_DOMINANT_EXAMPLE, NOT_CLIPPED)
