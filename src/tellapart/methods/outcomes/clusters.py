"""Clusters of correlated examples: their sums, shares and effective number.

Examples of one cluster (questions of one passage, tickets of one customer) are correlated, so they carry less
information than as many independent ones. The methods for clusters need one number per cluster: its contribution to the
mean.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...evidence import Outcomes
from ...numerics.distributions import ratio
from ...numerics.rounding import without_rounding
from ...typing_ import FloatArray, IntArray
from .moments import ALONE, MeanMoments, deviations_from_mean


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExampleClusters:
    """The clusters of the examples, and the weight of each cluster in the mean."""

    order: IntArray | None  # the examples, cluster by cluster; None if they are in that order already
    starts: IntArray  # the first index of each cluster in that order
    sizes: IntArray  # examples in each
    shares: FloatArray  # the weight of each in the mean; they add up to 1
    squares: FloatArray  # the sum of its examples' squared shares

    @property
    def count(self) -> int:
        """The number of clusters."""
        return self.sizes.size

    @property
    def effective(self) -> float:
        """The effective number of clusters, 1/Σ share²: the number of equally weighted ones with the same information.

        It is rounded, so that forty equal clusters are exactly forty when they are compared with a threshold.
        """
        return round(float(1 / np.sum(self.shares**2)), 9)

    def totals(self, values: FloatArray) -> FloatArray:
        """Return the sum of the values of each cluster, along the last dimension."""
        ordered = values if self.order is None else values[..., self.order]
        if self.count == values.shape[-1]:
            return ordered
        return np.add.reduceat(ordered, self.starts, axis=-1)


def clusters_of(outcomes: Outcomes) -> ExampleClusters:
    """Return the clusters of the examples; without clusters, each example is its own.

    Examples
    --------
    >>> result = clusters_of(Outcomes.from_scores([1, 0, 1, 1], clusters=["a", "b", "a", "a"]))
    >>> result.sizes, result.totals(np.array([1.0, 10.0, 2.0, 3.0])), round(result.effective, 2)
    (array([3, 1]), array([ 6., 10.]), 1.6)
    """
    share = outcomes.shares
    if outcomes.clusters is None:
        indices = np.arange(outcomes.examples)
        return ExampleClusters(order=None, starts=indices, sizes=np.ones_like(indices), shares=share, squares=share**2)
    codes = outcomes.clusters
    sizes = np.bincount(codes)
    sorted_already = bool((np.diff(codes) >= 0).all())
    return ExampleClusters(
        order=None if sorted_already else np.argsort(codes, kind="stable"),
        starts=np.concatenate([[0], np.cumsum(sizes)[:-1]]),
        sizes=sizes,
        shares=_sum_by_code(codes, share),
        squares=_sum_by_code(codes, share**2),
    )


def _sum_by_code(codes: IntArray, weights: FloatArray) -> FloatArray:
    return np.bincount(codes, weights=weights).astype(np.float64)


# One or two words with a vowel in each, so that "grp" is not a noun.
_NOUN = re.compile(r"(?=\w*[aeiouy])[a-z]{3,}(?: (?=\w*[aeiouy])[a-z]{3,})?")
_IRREGULAR = re.compile(r"(?:[sjqv]|fe?|man|child|foot|mouse|people|data|media|dex|trix)$")  # "s": perhaps a plural
_SUFFIX = re.compile(r"[ _-](?:id|ids|name|key|no|nr|number|index|idx|uuid)$|(?<=[a-z])(?:Id|ID)$")


def name_clusters(outcomes: Outcomes) -> str:
    """Return the plural noun for clusters, from the name of their column: "clusters" if it has no regular plural.

    Examples
    --------
    >>> outcomes = Outcomes.from_scores([1, 0, 1], clusters=[1, 1, 2], clustered_by="passage_id")
    >>> name_clusters(outcomes), name_clusters(Outcomes.from_scores([1, 0, 1], clusters=[1, 1, 2]))
    ('passages', 'clusters')
    """
    if outcomes.clusters is None:
        return "examples"
    noun = _SUFFIX.sub("", outcomes.clustered_by).replace("_", " ").lower()
    if not _NOUN.fullmatch(noun) or _IRREGULAR.search(noun):
        return "clusters"
    if noun.endswith(("ch", "sh", "x", "z")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"


class ClusterParts(NamedTuple):
    """The mean of the values, and the contribution of each cluster to its deviation."""

    mean: FloatArray
    parts: FloatArray  # by cluster, along the last dimension: Σ share·(value − mean)/unit; they add up to 0
    unit: FloatArray  # scale in which squares neither overflow nor underflow
    size: FloatArray  # how large the scores are
    clusters: ExampleClusters


def cluster_parts(outcomes: Outcomes) -> ClusterParts:
    """Return the mean and the contribution of every cluster to its deviation.

    Examples
    --------
    >>> result = cluster_parts(Outcomes.from_scores([0.2, 0.4, 0.6, 1.0], metric="rouge", clusters=[1, 1, 2, 2]))
    >>> result.mean.round(3), (result.parts * result.unit).round(3)
    (np.float64(0.55), array([-0.125,  0.125]))
    """
    mean, deviations, unit, size = deviations_from_mean(outcomes)
    clusters = clusters_of(outcomes)
    return ClusterParts(mean, clusters.totals(deviations * outcomes.shares), unit, size, clusters)


# --- The sandwich -----------------------------------------------------------------------------------

_MANY = 40  # effective clusters, beyond which the simple correction suffices


def corrections(clusters: ExampleClusters) -> tuple[FloatArray, float]:
    """Return the CR2 factor of each cluster's u², and the degrees of freedom.

    Notes
    -----
    With p and s a cluster's share and its sum of squared shares, and S the sum of s: for independent examples of equal
    variance, the covariance of u_g and u_h is a_gh = δs_g − p_h s_g − p_g s_h + p_g p_h S. So u²·s/a_gg is an unbiased
    estimate of the cluster's contribution to the variance S (for equal weights s/a is 1/(1 − n_g/n)), and the degrees
    of freedom are S² over the sum of (c_g c_h a_gh)², c² = s/a. If weights differ within a cluster, the cluster is
    scaled as a whole; otherwise this is exactly CR2.

    Examples
    --------
    >>> each, freedom = corrections(clusters_of(Outcomes.from_scores([1, 0, 1, 1], clusters=[0, 0, 1, 2])))
    >>> each.round(3), round(freedom, 3)
    (array([2.   , 1.333, 1.333]), 1.8)
    """
    p, s = clusters.shares, clusters.squares
    if clusters.effective < ALONE:
        return np.zeros(clusters.count), 0.0
    total = s.sum()
    excess = p * (p * total - 2 * s)  # a_gg without s
    alone = s * (1 - p) ** 2 + p**2 * np.maximum(total - s, 0)  # a_gg, as a sum of nonnegative terms
    scale = ratio(s, alone, empty=1.0)  # shares whose squares are too small for a float
    first, second, third = scale @ p**2, scale @ s**2, scale @ (p * s)
    across = (total * first) ** 2 + 2 * first * second - 4 * total * first * third + 2 * third**2
    across -= scale**2 @ excess**2
    return scale, float(total**2 / (s @ s + max(across, 0.0)))


def robust_moments(outcomes: Outcomes, correction: str = "CR2") -> MeanMoments:
    """Return mean, cluster-robust standard error and degrees of freedom; "auto" depends on the cluster sizes alone.

    Examples
    --------
    >>> outcomes = Outcomes.from_scores([0.2, 0.4, 0.6, 1.0, 0.9], metric="rouge", clusters=[1, 1, 2, 2, 3])
    >>> result = robust_moments(outcomes)
    >>> result.mean.round(3), result.error.round(4), round(result.freedom, 2)
    (np.float64(0.62), np.float64(0.1997), 1.8)
    """
    contributions = cluster_parts(outcomes)
    clusters, effective = contributions.clusters, contributions.clusters.effective
    if correction == "auto":
        correction = "CR1" if effective > _MANY else "CR2"
    if correction == "CR2":
        scale, freedom = corrections(clusters)
    else:
        few = max(clusters.count - 1, 1)
        factor, freedom = (1.0, np.inf) if correction == "CR0" else (clusters.count / few, float(clusters.count - 1))
        scale = np.full(clusters.count, factor)
    error = np.sqrt(np.square(contributions.parts) @ scale) * contributions.unit
    error = without_rounding(error, contributions.size / np.sqrt(outcomes.examples))
    return MeanMoments(contributions.mean, error, freedom, effective, contributions.size)
