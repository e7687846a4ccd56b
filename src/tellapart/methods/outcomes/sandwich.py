"""Cluster-robust standard errors of a (weighted) mean: the sandwich, from the plain one to the one for few clusters.

Each cluster moves the mean by its part u, the sum of share·(value − mean) over its examples, and the sum of u²
estimates the variance of the mean whatever goes on within clusters. But every part is measured from a mean that the
cluster itself has drawn towards it, so the sum is too small, and the more so the fewer and the less equal clusters
are. CR0 leaves it at that; CR1 multiplies by G/(G − 1); CR2 corrects every cluster by what it drew, and counts its
degrees of freedom (Bell and McCaffrey 2002), which one large cluster among many small ones brings down to about 4.
"""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ...evidence import Outcomes
from ...numerics.distributions import ratio
from ...numerics.rounding import without_rounding
from ...typing_ import FloatArray
from ..pivots import Student
from ..registry import Standing, procedure
from .assumptions import CLUSTERS_SHARED, CLUSTERS_VARY, ENOUGH_CLUSTERS, MANY_CLUSTERS, NO_RULING_CLUSTER
from .clusters import Clusters, cluster_parts
from .moments import ALONE, OF_OUTCOMES, Moments, as_student

MANY = 40  # clusters of equal weight, beyond which the simple correction does
_FOR_FEW: dict[str, Any] = OF_OUTCOMES | {
    "assumes": (CLUSTERS_VARY, ENOUGH_CLUSTERS, NO_RULING_CLUSTER, CLUSTERS_SHARED),
    "standing": Standing.RECOMMENDED,
    "holds": "10 or more clusters, and values with a skewness of 1 at most",
    "where": {"clusters": (10, inf), "skewness": (0, 1)},
    "statistic": "t",
}
_FOR_MANY = OF_OUTCOMES | {"assumes": (CLUSTERS_VARY, MANY_CLUSTERS, NO_RULING_CLUSTER, CLUSTERS_SHARED)}


def corrections(clusters: Clusters) -> tuple[FloatArray, float]:
    """Return by how much CR2 multiplies each cluster's u², and the degrees of freedom.

    With p and s a cluster's share and its sum of squared shares, and S the sum of s: if all examples were independent
    and varied alike, u_g and u_h would go together as a_gh = δs_g − p_h s_g − p_g s_h + p_g p_h S. So u²·s/a_gg
    estimates what the cluster adds to the variance S without bias (for equal weights s/a is 1/(1 − n_g/n)), and the
    degrees of freedom are S² over the sum of (c_g c_h a_gh)², c² = s/a, which is taken by its moments. Where weights
    differ within a cluster this scales the cluster as a whole; elsewhere it is CR2 to the last digit.

    Examples
    --------
    >>> from tellapart.methods.outcomes.clusters import clusters_of
    >>> each, freedom = corrections(clusters_of(Outcomes.from_scores([1, 0, 1, 1], clusters=[0, 0, 1, 2])))
    >>> each.round(3), round(freedom, 3)
    (array([2.   , 1.333, 1.333]), 1.8)
    """
    p, s = clusters.shares, clusters.squares
    if clusters.effective < ALONE:
        return np.zeros(clusters.count), 0.0
    total = s.sum()
    own = p * (p * total - 2 * s)  # what a_gg has besides s
    alone = s * (1 - p) ** 2 + p**2 * np.maximum(total - s, 0)  # a_gg, as a sum of what is not below 0
    scale = ratio(s, alone, empty=1.0)  # shares whose squares are too small for a float
    first, second, third = scale @ p**2, scale @ s**2, scale @ (p * s)
    across = (total * first) ** 2 + 2 * first * second - 4 * total * first * third + 2 * third**2
    across -= scale**2 @ own**2
    return scale, float(total**2 / (s @ s + max(across, 0.0)))


def robust_moments(outcomes: Outcomes, correction: str = "CR2") -> Moments:
    """Return mean, cluster-robust standard error and degrees of freedom; "auto" chooses by the sizes of clusters alone.

    Examples
    --------
    >>> outcomes = Outcomes.from_scores([0.2, 0.4, 0.6, 1.0, 0.9], metric="rouge", clusters=[1, 1, 2, 2, 3])
    >>> found = robust_moments(outcomes)
    >>> found.mean.round(3), found.error.round(4), round(found.freedom, 2)
    (np.float64(0.62), np.float64(0.1997), 1.8)
    """
    found = cluster_parts(outcomes)
    clusters, effective = found.clusters, found.clusters.effective
    if correction == "auto":
        correction = "CR1" if effective > MANY else "CR2"
    if correction == "CR2":
        scale, freedom = corrections(clusters)
    else:
        few = max(clusters.count - 1, 1)
        each, freedom = (1.0, inf) if correction == "CR0" else (clusters.count / few, float(clusters.count - 1))
        scale = np.full(clusters.count, each)
    error = np.sqrt(np.square(found.parts) @ scale) * found.unit
    error = without_rounding(error, found.size / np.sqrt(outcomes.examples))
    return Moments(found.mean, error, freedom, effective, found.size)


@procedure(
    name="cluster-robust",
    **_FOR_FEW,
    because="right whatever goes on within clusters: the correction for few or unequal clusters up to 40, the simple"
    " one beyond",
    reference="pustejovsky2018",
)
def cluster_robust(outcomes: Outcomes) -> Student:
    """Interval and test for the mean of values whose examples come in clusters.

    Up to 40 clusters it is `cluster-cr2`, beyond that `cluster-cr1`; clusters are counted as 1/Σ share², so that a
    large one among many small ones keeps the better correction. Without clusters every example is one of its own, and
    the answer is that of `mean-t` (with weights, but for the degrees of freedom).

    Where no cluster differs from another there is no standard error, and the limits are what a kind of cluster too rare
    to be met could make of the mean; where there is but one cluster, that is everything.

    Examples
    --------
    >>> a, b = [1, 0, 1, 1, 0, 1, 0, 0], [1, 1, 1, 1, 0, 1, 1, 1]
    >>> pivot = cluster_robust(Outcomes.from_scores(a, b, clusters=[1, 1, 2, 2, 3, 3, 4, 4]))
    >>> pivot.test(0.0, "two-sided").pvalue.round(4), pivot.interval(0.05, "two").low.round(3)
    (np.float64(0.2152), np.float64(-0.387))
    """
    return as_student(outcomes, robust_moments(outcomes, "auto"))


@procedure(
    name="cluster-cr2",
    **_FOR_FEW,
    because="corrects every cluster for what it drew the mean towards it, with degrees of freedom that know unequal"
    " clusters",
    reference="bell2002",
)
def cluster_cr2(outcomes: Outcomes) -> Student:
    """Interval and test for the mean by the bias-reduced sandwich, with Satterthwaite's degrees of freedom.

    Notes
    -----
    V = Σ u²/(1 − n_g/n) over clusters (for equal weights), where u is what a cluster moves the mean by; G − 1 degrees
    of freedom for equal clusters, fewer for unequal ones (Bell and McCaffrey 2002; Pustejovsky and Tipton 2018).

    Examples
    --------
    >>> a, b, clusters = [1, 0, 1, 1, 0, 1, 0], [1, 1, 1, 1, 0, 1, 1], [1, 1, 1, 1, 2, 3, 3]
    >>> cluster_cr2(Outcomes.from_scores(a, b, clusters=clusters)).test(0.0, "two-sided").pvalue.round(4)
    np.float64(0.1194)
    >>> outcomes = Outcomes.from_scores([0.2, 0.4, 0.6, 1.0, 0.9], metric="rouge", clusters=[1, 1, 2, 2, 3])
    >>> limits = cluster_cr2(outcomes).interval(alpha=0.2)
    >>> limits.low.round(3), limits.high.round(3)
    (np.float64(0.224), np.float64(1.016))
    """
    return as_student(outcomes, robust_moments(outcomes, "CR2"))


@procedure(
    name="cluster-cr1",
    **_FOR_MANY,
    standing=Standing.SOUND,
    because="the correction most packages make; with unequal clusters it claims too much: up to six times as often"
    " as alpha says where one holds half of the examples",
    holds="40 or more clusters of about equal size, and values with a skewness of 1 at most",
    where={"clusters": (40, inf), "skewness": (0, 1)},
    statistic="t",
    reference="cameron2015",
)
def cluster_cr1(outcomes: Outcomes) -> Student:
    """Interval and test for the mean by the sandwich times G/(G − 1), with G − 1 degrees of freedom for G clusters.

    Examples
    --------
    >>> a, b, clusters = [1, 0, 1, 1, 0, 1, 0], [1, 1, 1, 1, 0, 1, 1], [1, 1, 1, 1, 2, 3, 3]
    >>> cluster_cr1(Outcomes.from_scores(a, b, clusters=clusters)).test(0.0, "two-sided").pvalue.round(4)
    np.float64(0.0925)
    >>> outcomes = Outcomes.from_scores([0.2, 0.4, 0.6, 1.0, 0.9], metric="rouge", clusters=[1, 1, 2, 2, 3])
    >>> cluster_cr1(outcomes).interval(alpha=0.2).high.round(3)
    np.float64(0.983)
    """
    return as_student(outcomes, robust_moments(outcomes, "CR1"))


@procedure(
    name="cluster-cr0",
    **_FOR_MANY,
    standing=Standing.HEURISTIC,
    because="the formula that papers on evaluations print, without any correction: with 10 equal clusters it finds"
    " differences twice as often as alpha says, with unequal ones more often",
    holds="hundreds of clusters",
    statistic="z",
    reference="miller2024",
)
def cluster_cr0(outcomes: Outcomes) -> Student:
    """Interval and test for the mean by the plain sandwich and the normal curve.

    Too narrow where clusters are few or unequal.

    Notes
    -----
    Var = Σ_g(Σ_{i in g}(x − x̄))²/n² (Miller 2024).

    Examples
    --------
    >>> a, b, clusters = [1, 0, 1, 1, 0, 1, 0], [1, 1, 1, 1, 0, 1, 1], [1, 1, 1, 1, 2, 3, 3]
    >>> cluster_cr0(Outcomes.from_scores(a, b, clusters=clusters)).test(0.0, "two-sided").pvalue.round(4)
    np.float64(0.0002)
    >>> outcomes = Outcomes.from_scores([0.2, 0.4, 0.6, 1.0, 0.9], metric="rouge", clusters=[1, 1, 2, 2, 3])
    >>> cluster_cr0(outcomes).interval(alpha=0.2).high.round(3)
    np.float64(0.821)
    """
    return as_student(outcomes, robust_moments(outcomes, "CR0"))
