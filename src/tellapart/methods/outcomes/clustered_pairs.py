"""Two models, right or wrong, on examples in clusters: McNemar's test after the literature on clustered pairs.

With b and c the lone errors of A and of B in a cluster of n examples, all of them look at d = b − c. McNemar's test
takes every lone error for independent; these do not. Each statistic is the square of a z, chi-square with one degree
of freedom.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import Outcomes
from ...numerics.distributions import normal_pvalue, ratio
from ...results import TestResult
from ...typing_ import Alternative, FloatArray
from ..registry import Standing, test
from .assumptions import CLUSTERS_ALIKE, CLUSTERS_SHARED, CLUSTERS_VARY, ENOUGH_CLUSTERS
from .clusters import Clusters, clusters_of
from .moments import OF_OUTCOMES

_FACTS = OF_OUTCOMES | {
    "assumes": (ENOUGH_CLUSTERS, CLUSTERS_VARY, CLUSTERS_SHARED),
    "standing": Standing.SOUND,
    "statistic": "chi-square",
}


def _right_or_wrong(name: str, outcomes: Outcomes, against: float = 0.0) -> tuple[FloatArray, Clusters]:
    """Return b − c − n·against of every cluster, and these, if two models were right or wrong on each example once."""
    plain = outcomes.metric.is_rate and not outcomes.repeated and outcomes.weights is None
    if not plain or len(outcomes.models) != 2:
        raise InvalidEvidence(
            f"method {name!r} counts who of two models was right or wrong on each example, once and unweighted, but"
            f" these are {outcomes!r}. Take method='cluster-robust'."
        )
    clusters = clusters_of(outcomes)
    return clusters.totals(outcomes.values) - against * clusters.sizes, clusters


def _significance(lead: FloatArray, error: FloatArray, alternative: Alternative) -> TestResult:
    z = ratio(lead, error, empty=0.0)
    return TestResult(statistic=z**2, pvalue=normal_pvalue(z, alternative))


@test(
    name="obuchowski",
    **_FACTS,
    rationale="allows for any likeness within clusters; cautious, and very much so where clusters are few or unequal",
    validity="5 or more clusters",
    where={"clusters": (5, np.inf)},
    reference="obuchowski1998",
)
def obuchowski(outcomes: Outcomes, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether two models err equally often, by the spread of b − c among clusters around its value under the null.

    χ² = (K − 1)/K·(Σd)²/Σd² over K clusters (Obuchowski 1998, in the form of Yang, Sun and Hardin 2010). Against a
    margin δ, d − nδ stands for d. Models that never disagree do not differ: χ² is 0 and p is 1.

    Parameters
    ----------
    outcomes
        Two models, right or wrong.
    against
        The difference of error rates that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (error(A) exceeds error(B): B is better) or "less".

    Examples
    --------
    >>> a, b = [1, 0, 0, 1, 0, 1, 0, 0, 1], [1, 1, 1, 1, 0, 1, 1, 1, 1]
    >>> found = obuchowski(Outcomes.from_scores(a, b, clusters=[1, 1, 1, 2, 2, 3, 3, 4, 4]))
    >>> found.statistic.round(3), found.pvalue.round(3)
    (np.float64(2.0), np.float64(0.157))
    """
    lead, clusters = _right_or_wrong("obuchowski", outcomes, against)
    return _significance(lead.sum(axis=-1) * _shrinkage(clusters), np.sqrt((lead**2).sum(axis=-1)), alternative)


def _shrinkage(clusters: Clusters) -> float:
    """Return √((K − 1)/K): nothing counts of a single cluster, which has no spread to be held against."""
    return sqrt((clusters.count - 1) / clusters.count)


@test(
    name="yang",
    **_FACTS | {"standing": Standing.RECOMMENDED},
    rationale="near alpha for few and for unequal clusters alike, the best of the tests for clustered pairs",
    validity="20 or more clusters",
    where={"clusters": (20, np.inf)},
    reference="yang2010",
)
def yang(outcomes: Outcomes, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether two models err equally often, by the mean of two spreads of b − c among clusters.

    As `obuchowski`, but the variance is the mean of that around the null and that around what was observed:
    χ² = (K − 1)/K·(Σd)²/(½Σ[(d − n·Σd/Σn)² + d²]) (Yang, Sun and Hardin 2010). It is between Obuchowski's test, which
    claims too little, and `cluster-cr0`, which claims too much.

    Parameters
    ----------
    outcomes
        Two models, right or wrong.
    against
        The difference of error rates that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (error(A) exceeds error(B): B is better) or "less".

    Examples
    --------
    >>> a, b = [1, 0, 0, 1, 0, 1, 0, 0, 1], [1, 1, 1, 1, 0, 1, 1, 1, 1]
    >>> found = yang(Outcomes.from_scores(a, b, clusters=[1, 1, 1, 2, 2, 3, 3, 4, 4]))
    >>> found.statistic.round(3), found.pvalue.round(3)
    (np.float64(3.306), np.float64(0.069))
    """
    lead, clusters = _right_or_wrong("yang", outcomes, against)
    total = lead.sum(axis=-1)
    around = lead - (total / outcomes.examples)[..., None] * clusters.sizes
    spread = ((around**2).sum(axis=-1) + (lead**2).sum(axis=-1)) / 2
    return _significance(total * _shrinkage(clusters), np.sqrt(spread), alternative)


@test(
    name="durkalski",
    **_FACTS | {"assumes": (ENOUGH_CLUSTERS, CLUSTERS_ALIKE, CLUSTERS_VARY, CLUSTERS_SHARED)},
    rationale="keeps its level, and lets every cluster count alike: where clusters differ in size that is another"
    " difference than that of the error rates",
    validity="5 or more clusters",
    where={"clusters": (5, np.inf)},
    reference="durkalski2003",
)
def durkalski(outcomes: Outcomes, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether two models err equally often in an average cluster, each cluster counting alike.

    χ² = (Σd/n)²/Σ(d/n)² (Durkalski et al. 2003). The difference it speaks of is the mean of the clusters' own.

    Parameters
    ----------
    outcomes
        Two models, right or wrong.
    against
        The difference of error rates that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (error(A) exceeds error(B): B is better) or "less".

    Examples
    --------
    >>> a, b = [1, 0, 0, 1, 0, 1, 0, 0, 1], [1, 1, 1, 1, 0, 1, 1, 1, 1]
    >>> found = durkalski(Outcomes.from_scores(a, b, clusters=[1, 1, 1, 2, 2, 3, 3, 4, 4]))
    >>> found.statistic.round(3), found.pvalue.round(3)
    (np.float64(2.941), np.float64(0.086))
    """
    lead, clusters = _right_or_wrong("durkalski", outcomes)
    each = lead / clusters.sizes
    apart = each - against
    found = _significance(apart.sum(axis=-1), np.sqrt((apart**2).sum(axis=-1)), alternative)
    return replace(found, chooses=np.sign(each.sum(axis=-1)).astype(np.int64)[()])


@test(
    name="eliasziw-donner",
    **_FACTS | {"standing": Standing.HEURISTIC},
    rationale="divides McNemar's chi-square by a design effect of the lone errors, which holds if they go together within"
    " clusters as the four kinds of outcomes do",
    validity="clusters in which all kinds of outcomes are alike to the same degree",
    reference="eliasziw1991",
)
def eliasziw_donner(outcomes: Outcomes, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether two models err equally often, by McNemar's chi-square over a design effect.

    χ² = (b − c)²/(b + c)/(1 + (n_c − 1)ρ), where n_c = ΣS²/ΣS for the S lone errors of each cluster. Their likeness ρ
    follows from that of the four outcomes (both wrong, A alone, B alone, both right), which an analysis of variance
    estimates (Eliasziw and Donner 1991). A likeness below 0 counts as 0.

    Examples
    --------
    >>> a, b = [1, 0, 0, 1, 0, 1, 0, 0, 1], [1, 1, 1, 1, 0, 1, 1, 1, 1]
    >>> found = eliasziw_donner(Outcomes.from_scores(a, b, clusters=[1, 1, 1, 2, 2, 3, 3, 4, 4]))
    >>> found.statistic.round(3), found.pvalue.round(3)
    (np.float64(4.0), np.float64(0.046))
    """
    lead, clusters = _right_or_wrong("eliasziw-donner", outcomes)
    wrong = outcomes.scores < 0.5
    a, b = wrong[..., 0, :], wrong[..., 1, :]
    cells = [clusters.totals(cell.astype(float)) for cell in (a & b, a & ~b, ~a & b, ~a & ~b)]
    lone = cells[1] + cells[2]
    counted = lone.sum(axis=-1)
    alike = np.maximum(_likeness(cells, clusters), 0.0)
    of_lone = ratio(alike, alike + counted / outcomes.examples * (1 - alike), empty=0.0)
    # Clusters without lone errors drop out of n_c, which is the paper's S₀ + K(S̄ − S₀) written out.
    together = ratio((lone**2).sum(axis=-1), counted, empty=1.0)
    spread = counted * (1 + np.maximum(together - 1, 0.0) * of_lone)
    return _significance(lead.sum(axis=-1), np.sqrt(spread), alternative)


def _likeness(cells: list[FloatArray], clusters: Clusters) -> FloatArray:
    """Return how far examples of one cluster have the same of the four outcomes, pooled, by an analysis of variance."""
    sizes, count = clusters.sizes, clusters.count
    mean = sizes.mean()
    if count == 1 or mean == 1:
        return np.zeros(cells[0].shape[:-1])[()]  # nothing to compare
    typical = mean - ((sizes - mean) ** 2).sum() / (count * (count - 1) * mean)
    between, within = np.zeros(cells[0].shape[:-1]), np.zeros(cells[0].shape[:-1])
    for cell in cells:
        expected = (cell.sum(axis=-1) / sizes.sum())[..., None] * sizes
        between += ((cell - expected) ** 2 / sizes).sum(axis=-1) / count
        within += (cell * (sizes - cell) / sizes).sum(axis=-1) / (count * (mean - 1))
    return ratio(between - within, between + (typical - 1) * within, empty=0.0)
