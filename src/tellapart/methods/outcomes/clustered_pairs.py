"""McNemar-type tests of two models, right or wrong, on clustered examples.

With b and c the discordant errors of A and of B in a cluster of n examples, every test is of d = b − c. McNemar's test
assumes that discordant pairs are independent; within clusters they are not. Each statistic is the square of a z,
chi-square with one degree of freedom.
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
from .assumptions import CLUSTERS_OF_SEVERAL_EXAMPLES, CLUSTERS_OF_SIMILAR_SIZE, CLUSTERS_VARY, ENOUGH_CLUSTERS
from .clusters import ExampleClusters, clusters_of
from .moments import OF_OUTCOMES

_FACTS = OF_OUTCOMES | {
    "assumes": (ENOUGH_CLUSTERS, CLUSTERS_VARY, CLUSTERS_OF_SEVERAL_EXAMPLES),
    "standing": Standing.SOUND,
    "statistic": "chi-square",
}


def _right_or_wrong(name: str, outcomes: Outcomes, against: float = 0.0) -> tuple[FloatArray, ExampleClusters]:
    """Return b − c − n·against of every cluster, and the clusters; refuse other evidence than two models' errors."""
    plain = outcomes.metric.is_rate and not outcomes.repeated and outcomes.weights is None
    if not plain or len(outcomes.models) != 2:
        raise InvalidEvidence(
            f"method {name!r} needs two models, right or wrong on each example, without repeats or weights, got"
            f" {outcomes!r}. Use method='cluster-robust'."
        )
    clusters = clusters_of(outcomes)
    return clusters.totals(outcomes.values) - against * clusters.sizes, clusters


def _chi_square_result(lead: FloatArray, error: FloatArray, alternative: Alternative) -> TestResult:
    z = ratio(lead, error, empty=0.0)
    return TestResult(statistic=z**2, pvalue=normal_pvalue(z, alternative))


@test(
    name="obuchowski",
    title="clustered McNemar",
    **_FACTS,
    rationale=(
        "valid for any correlation within clusters; conservative, and very conservative with few or unequal clusters"
    ),
    validity="5 or more clusters",
    where={"clusters": (5, np.inf)},
    reference="obuchowski1998",
)
def obuchowski(outcomes: Outcomes, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test equal error rates with the variance of b − c between clusters under the null hypothesis.

    χ² = (K − 1)/K·(Σd)²/Σd² over K clusters (Obuchowski 1998, in the form of Yang, Sun and Hardin 2010). For a margin
    δ, d − nδ replaces d. Two models without discordant pairs have χ² = 0 and p = 1.

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
    >>> result = obuchowski(Outcomes.from_scores(a, b, clusters=[1, 1, 1, 2, 2, 3, 3, 4, 4]))
    >>> result.statistic.round(3), result.pvalue.round(3)
    (np.float64(2.0), np.float64(0.157))
    """
    lead, clusters = _right_or_wrong("obuchowski", outcomes, against)
    return _chi_square_result(
        lead.sum(axis=-1) * _shrink_factor(clusters), np.sqrt((lead**2).sum(axis=-1)), alternative
    )


def _shrink_factor(clusters: ExampleClusters) -> float:
    """Return √((K − 1)/K): 0 for a single cluster, whose variance cannot be estimated."""
    return sqrt((clusters.count - 1) / clusters.count)


@test(
    name="yang",
    title="clustered McNemar",
    **_FACTS | {"standing": Standing.RECOMMENDED},
    rationale=(
        "type I error rate near alpha with few and with unequal clusters: the best of the tests for clustered pairs"
    ),
    validity="20 or more clusters",
    where={"clusters": (20, np.inf)},
    reference="yang2010",
)
def yang(outcomes: Outcomes, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test equal error rates with the mean of two variances of b − c between clusters.

    The variance is the mean of that under the null hypothesis and that around the observed difference: χ² = (K −
    1)/K·(Σd)²/(½Σ[(d − n·Σd/Σn)² + d²]) (Yang, Sun and Hardin 2010). The test lies between Obuchowski's, which is
    conservative, and `cluster-cr0`, which is liberal.

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
    >>> result = yang(Outcomes.from_scores(a, b, clusters=[1, 1, 1, 2, 2, 3, 3, 4, 4]))
    >>> result.statistic.round(3), result.pvalue.round(3)
    (np.float64(3.306), np.float64(0.069))
    """
    lead, clusters = _right_or_wrong("yang", outcomes, against)
    total = lead.sum(axis=-1)
    around = lead - (total / outcomes.examples)[..., None] * clusters.sizes
    spread = ((around**2).sum(axis=-1) + (lead**2).sum(axis=-1)) / 2
    return _chi_square_result(total * _shrink_factor(clusters), np.sqrt(spread), alternative)


@test(
    name="durkalski",
    title="clustered McNemar",
    **_FACTS | {"assumes": (ENOUGH_CLUSTERS, CLUSTERS_OF_SIMILAR_SIZE, CLUSTERS_VARY, CLUSTERS_OF_SEVERAL_EXAMPLES)},
    rationale=(
        "valid, and weights every cluster equally: with clusters of different sizes it does not test the difference "
        "of the error rates"
    ),
    validity="5 or more clusters",
    where={"clusters": (5, np.inf)},
    reference="durkalski2003",
)
def durkalski(outcomes: Outcomes, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test equal error rates in an average cluster, weighting every cluster equally.

    χ² = (Σd/n)²/Σ(d/n)² (Durkalski et al. 2003). The difference is the mean of the clusters' differences.

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
    >>> result = durkalski(Outcomes.from_scores(a, b, clusters=[1, 1, 1, 2, 2, 3, 3, 4, 4]))
    >>> result.statistic.round(3), result.pvalue.round(3)
    (np.float64(2.941), np.float64(0.086))
    """
    lead, clusters = _right_or_wrong("durkalski", outcomes)
    differences = lead / clusters.sizes
    deviations = differences - against
    result = _chi_square_result(deviations.sum(axis=-1), np.sqrt((deviations**2).sum(axis=-1)), alternative)
    return replace(result, chooses=np.sign(differences.sum(axis=-1)).astype(np.int64)[()])


@test(
    name="eliasziw-donner",
    title="clustered McNemar",
    **_FACTS | {"standing": Standing.HEURISTIC},
    rationale=(
        "divides McNemar's chi-square by a design effect of the discordant pairs; valid if the "
        "intraclass correlation is the same for all four outcomes"
    ),
    validity="clusters in which all four outcomes have the same intraclass correlation",
    reference="eliasziw1991",
)
def eliasziw_donner(outcomes: Outcomes, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test equal error rates with McNemar's chi-square divided by a design effect.

    χ² = (b − c)²/(b + c)/(1 + (n_c − 1)ρ), with n_c = ΣS²/ΣS for the S discordant pairs of each cluster. Their
    intraclass correlation ρ follows from that of the four outcomes (both wrong, only A wrong, only B wrong, both
    right), estimated by an analysis of variance (Eliasziw and Donner 1991). Negative correlations count as 0.

    Examples
    --------
    >>> a, b = [1, 0, 0, 1, 0, 1, 0, 0, 1], [1, 1, 1, 1, 0, 1, 1, 1, 1]
    >>> result = eliasziw_donner(Outcomes.from_scores(a, b, clusters=[1, 1, 1, 2, 2, 3, 3, 4, 4]))
    >>> result.statistic.round(3), result.pvalue.round(3)
    (np.float64(4.0), np.float64(0.046))
    """
    lead, clusters = _right_or_wrong("eliasziw-donner", outcomes)
    wrong = outcomes.scores < 0.5
    a, b = wrong[..., 0, :], wrong[..., 1, :]
    cells = [clusters.totals(cell.astype(float)) for cell in (a & b, a & ~b, ~a & b, ~a & ~b)]
    discordant = cells[1] + cells[2]
    counted = discordant.sum(axis=-1)
    outcome_correlation = np.maximum(_correlate_outcomes(cells, clusters), 0.0)
    correlation = ratio(
        outcome_correlation, outcome_correlation + counted / outcomes.examples * (1 - outcome_correlation), empty=0.0
    )
    # Clusters without discordant pairs drop out of n_c, which is the paper's S₀ + K(S̄ − S₀) written out.
    size = ratio((discordant**2).sum(axis=-1), counted, empty=1.0)
    spread = counted * (1 + np.maximum(size - 1, 0.0) * correlation)
    return _chi_square_result(lead.sum(axis=-1), np.sqrt(spread), alternative)


def _correlate_outcomes(cells: list[FloatArray], clusters: ExampleClusters) -> FloatArray:
    """Return the intraclass correlation of the four outcomes, pooled, by an analysis of variance."""
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
