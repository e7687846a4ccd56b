"""What methods for examples in clusters assume: TA510 to TA517."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from .base import Assumption, Given


def _effective(outcomes: Any, _: Given) -> float:
    from ..outcomes.clusters import clusters_of

    return clusters_of(outcomes).effective


ENOUGH_CLUSTERS = Assumption(
    code="TA510",
    needs="as many clusters as {figure} of equal weight ≥ 10",
    rule="the clusters count for as much as 10 or more of equal weight",
    broken="as few clusters as {figure} of equal weight, which is below 10: what they show hangs on a handful of"
    " cluster means, and claims come two or three times as often as alpha says where these have a long tail",
    otherwise="more clusters would help, more examples in each hardly; method='wild-cluster' asks only that signs could"
    " as well be turned",
    figure=_effective,
    threshold=10,
)
MANY_CLUSTERS = Assumption(
    code="TA511",
    needs="as many clusters as {figure} of equal weight ≥ 40",
    rule="the clusters count for as much as 40 or more of equal weight",
    broken="as few clusters as {figure} of equal weight, which is below 40: this standard error is too small there",
    otherwise="method='cluster-robust' corrects for few and for unequal clusters",
    figure=_effective,
    threshold=40,
)


def _others(outcomes: Any, _: Given) -> float:
    """Return what all clusters but the largest count in the mean."""
    from ..outcomes.clusters import clusters_of

    return round(1 - clusters_of(outcomes).largest_share, 12)


NO_RULING_CLUSTER = Assumption(
    code="TA512",
    needs="all clusters but the largest count for {figure} of the mean ≥ 0.5",
    rule="all clusters but the largest count for at least 0.5 of the mean",
    broken="all clusters but the largest count for only {figure} of the mean: one cluster decides, and how far it is"
    " from others of its kind cannot be seen",
    otherwise="test more clusters, or take the largest for a group of its own; method='durkalski' lets each cluster"
    " count alike, if that is the question",
    figure=_others,
    threshold=0.5,
)
CLUSTERS_SHARED = Assumption(
    code="TA513",
    needs="some cluster holds {figure} examples ≥ 2",
    rule="some cluster holds at least 2 examples",
    broken="every example is a cluster of its own, so none belong together, which may mean that the wrong column was"
    " named",
    otherwise="method='mean-t' is for examples that are independent",
    figure=lambda outcomes, _: 1 if outcomes.clusters is None else np.bincount(outcomes.clusters).max(),
    threshold=2,
)


def _error_between(outcomes: Any, _: Given) -> Numbers:
    from ..outcomes.sandwich import robust_moments

    return robust_moments(outcomes).error


CLUSTERS_VARY = Assumption(
    code="TA514",
    needs="clusters differ from each other",
    broken="no cluster differs from another (or there is only one), so nothing shows how far the mean can be trusted:"
    " the limits are what a kind of cluster too rare to be met could make of it, and everything where scores have no"
    " bounds",
    otherwise="test more clusters; where scores have bounds, name them: bounds=; method='mean-t' takes examples for"
    " independent, if they are",
    figure=_error_between,
    threshold=0,
    strict=True,
)


def _evenness(outcomes: Any, _: Given) -> float:
    """Return the number of clusters that sizes leave in effect, as a share of all."""
    from ..outcomes.clusters import clusters_of

    found = clusters_of(outcomes)
    return round(found.effective / found.count, 12)


CLUSTERS_ALIKE = Assumption(
    code="TA515",
    needs="clusters are of about one size (their number in effect over their number = {figure} ≥ 0.8)",
    rule="clusters are of about one size (their number in effect over their number ≥ 0.8)",
    broken="clusters differ in size (their number in effect over their number = {figure} < 0.8), and here a cluster"
    " counts as much as any other: this is the difference of an average cluster, not of an average example",
    otherwise="method='yang' and 'cluster-robust' speak of examples",
    figure=_evenness,
    threshold=0.8,
)


def _smallest_pvalue(outcomes: Any, given: Given) -> Numbers:
    """Return the p-value if all clusters that differ from the tested mean lay on one side of it."""
    from ..outcomes.cluster_resampling import moving_clusters

    against = np.where(np.isnan(given.against), 0.0, given.against)
    sides = 1 if given.alternative == "two-sided" else 0
    return np.minimum(np.exp2(sides - np.minimum(moving_clusters(outcomes, against), 1000.0)), 1.0)


ENOUGH_SIGNS = Assumption(
    code="TA516",
    needs="the smallest p-value that turning the signs of so many clusters can give, {size}, is below alpha",
    rule="the smallest p-value that turning the signs of so many clusters can give is below alpha",
    broken="no outcome in so few clusters could reach alpha: the smallest possible p-value is {size}",
    otherwise="more clusters are needed for this test; method='cluster-robust' leans on the t curve instead",
    figure=lambda outcomes, given: -_smallest_pvalue(outcomes, given),
    threshold=lambda given: -given.alpha,
    strict=True,
)


def _both_kinds(outcomes: Any, _: Given) -> Numbers:
    """Return the share of the rarer of right and wrong."""
    rate = np.round(outcomes.mean_of(outcomes.values), 12)  # none is none: rounding is no error
    return np.minimum(rate, 1 - rate)


ERRORS_VARY = Assumption(
    code="TA517",
    needs="there are both errors and successes (the rarer is a share of {figure})",
    rule="there are both errors and successes",
    broken="there are no errors, or nothing but errors, so nothing shows how far examples of one cluster go together:"
    " every cluster was counted as a single example, which is the worst they could be",
    otherwise="more clusters would help; if examples are independent after all, method='mean-t' says so",
    figure=_both_kinds,
    threshold=0,
    strict=True,
)
