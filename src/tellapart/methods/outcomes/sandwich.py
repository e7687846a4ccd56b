"""Cluster-robust standard errors of a (weighted) mean: the sandwich, from the plain one to the one for few clusters.

Each cluster moves the mean by its part u, the sum of share·(value − mean) over its examples, and the sum of u²
estimates the variance of the mean whatever goes on within clusters. But every part is measured from a mean that the
cluster itself has drawn towards it, so the sum is too small, and the more so the fewer and the less equal clusters
are. CR0 leaves it at that; CR1 multiplies by G/(G − 1); CR2 corrects every cluster by what it drew, and counts its
degrees of freedom (Bell and McCaffrey 2002), which one large cluster among many small ones brings down to about 4.
"""

from __future__ import annotations

from math import inf

from ...evidence import Outcomes
from ..pivots import Student
from ..registry import Standing, procedure
from .assumptions import CLUSTERS_SHARED, CLUSTERS_VARY, ENOUGH_CLUSTERS, MANY_CLUSTERS, NO_RULING_CLUSTER
from .clusters import robust_moments
from .moments import OF_OUTCOMES, as_student

_FOR_FEW = OF_OUTCOMES | {
    "assumes": (CLUSTERS_VARY, ENOUGH_CLUSTERS, NO_RULING_CLUSTER, CLUSTERS_SHARED),
    "standing": Standing.RECOMMENDED,
    "validity": "10 or more clusters, and values with a skewness of 1 at most",
    "where": {"clusters": (10, inf), "skewness": (0, 1)},
    "statistic": "t",
}
_FOR_MANY = OF_OUTCOMES | {"assumes": (CLUSTERS_VARY, MANY_CLUSTERS, NO_RULING_CLUSTER, CLUSTERS_SHARED)}


@procedure(
    name="cluster-robust",
    **_FOR_FEW,
    rationale="right whatever goes on within clusters: the correction for few or unequal clusters up to 40, the simple"
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
    rationale="corrects every cluster for what it drew the mean towards it, with degrees of freedom that know unequal"
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
    rationale="the correction most packages make; with unequal clusters it claims too much: up to six times as often"
    " as alpha says where one holds half of the examples",
    validity="40 or more clusters of about equal size, and values with a skewness of 1 at most",
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
    rationale="the formula that papers on evaluations print, without any correction: with 10 equal clusters it finds"
    " differences twice as often as alpha says, with unequal ones more often",
    validity="hundreds of clusters",
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
