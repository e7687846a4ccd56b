"""Cluster-robust (sandwich) standard errors of a (weighted) mean, with and without small-sample correction.

Each cluster contributes u, the sum of share·(value − mean) over its examples, and the sum of u² estimates the variance
of the mean for any correlation within clusters. But every u is measured from a mean that the cluster itself has
influenced, so the sum is too small, the more so with few or unequal clusters. CR0 has no correction; CR1 multiplies by
G/(G − 1); CR2 corrects every cluster for its influence, with estimated degrees of freedom (Bell and McCaffrey 2002):
about 4 for one large cluster among many small ones.
"""

from __future__ import annotations

from math import inf

from ...evidence import Outcomes
from ..pivots import Student
from ..registry import Standing, procedure
from .assumptions import (
    CLUSTERS_OF_SEVERAL_EXAMPLES,
    CLUSTERS_VARY,
    ENOUGH_CLUSTERS,
    MANY_CLUSTERS,
    NO_DOMINANT_CLUSTER,
)
from .clusters import robust_moments
from .moments import OF_OUTCOMES, as_student

_FOR_FEW = OF_OUTCOMES | {
    "assumes": (CLUSTERS_VARY, ENOUGH_CLUSTERS, NO_DOMINANT_CLUSTER, CLUSTERS_OF_SEVERAL_EXAMPLES),
    "standing": Standing.RECOMMENDED,
    "validity": "10 or more clusters, and values with a skewness of 1 at most",
    "where": {"clusters": (10, inf), "skewness": (0, 1)},
    "statistic": "t",
}
_FOR_MANY = OF_OUTCOMES | {"assumes": (CLUSTERS_VARY, MANY_CLUSTERS, NO_DOMINANT_CLUSTER, CLUSTERS_OF_SEVERAL_EXAMPLES)}


@procedure(
    name="cluster-robust",
    title="cluster-robust",
    **_FOR_FEW,
    rationale="valid for any correlation within clusters: CR2 for up to 40 effective clusters, CR1 beyond",
    reference="pustejovsky2018",
)
def cluster_robust(outcomes: Outcomes) -> Student:
    """Interval and test for the mean of values of clustered examples.

    Up to 40 effective clusters it is `cluster-cr2`, beyond that `cluster-cr1`. The effective number is 1/Σ share², so
    one large cluster among many small ones keeps the better correction. Without clusters every example is its own
    cluster, and the answer is that of `mean-t` (with weights, except for the degrees of freedom).

    If no cluster differs from another, the standard error cannot be estimated: the limits allow for a kind of cluster
    too rare to be observed; for a single cluster they are the whole range.

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
    title="cluster-robust CR2",
    **_FOR_FEW,
    rationale=(
        "corrects every cluster for its influence on the mean, with degrees of freedom that allow for unequal clusters"
    ),
    reference="bell2002",
)
def cluster_cr2(outcomes: Outcomes) -> Student:
    """Interval and test for the mean with the bias-reduced sandwich (CR2) and Satterthwaite's degrees of freedom.

    Notes
    -----
    V = Σ u²/(1 − n_g/n) over clusters (for equal weights), where u is a cluster's contribution to the mean; G − 1
    degrees of freedom for equal clusters, fewer for unequal ones (Bell and McCaffrey 2002; Pustejovsky and Tipton
    2018).

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
    title="cluster-robust CR1",
    **_FOR_MANY,
    standing=Standing.SOUND,
    rationale=(
        "the default correction of most packages; liberal with unequal clusters: it rejects up to six times too "
        "often if one cluster has half of the examples"
    ),
    validity="40 or more clusters of about equal size, and values with a skewness of 1 at most",
    where={"clusters": (40, inf), "skewness": (0, 1)},
    statistic="t",
    reference="cameron2015",
)
def cluster_cr1(outcomes: Outcomes) -> Student:
    """Interval and test for the mean with the sandwich times G/(G − 1) (CR1), and G − 1 degrees of freedom.

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
    title="cluster-robust CR0",
    **_FOR_MANY,
    standing=Standing.HEURISTIC,
    rationale=(
        "the uncorrected formula printed in papers on evaluation: with 10 equal clusters it rejects twice as often "
        "as alpha allows, with unequal ones more often"
    ),
    validity="hundreds of clusters",
    statistic="z",
    reference="miller2024",
)
def cluster_cr0(outcomes: Outcomes) -> Student:
    """Interval and test for the mean with the uncorrected sandwich (CR0) and the normal distribution.

    The interval is too narrow for few or unequal clusters.

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
