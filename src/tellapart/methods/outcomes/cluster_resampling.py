"""Resampling of whole clusters: the cluster bootstrap, and the wild cluster bootstrap-t.

Clusters are resampled, never examples, because examples of one cluster are correlated. A resample needs of each cluster
only its contribution to the mean and its share. All entries with the same clusters share the draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...evidence import Outcomes
from ...numerics.blocks import blocks
from ...numerics.distributions import ratio, tail
from ...numerics.orientation import mirrored_limits, orientation
from ...numerics.rounding import ROUNDING, without_rounding
from ...numerics.student_t import student_critical
from ...results import Interval, Simulated, TestResult
from ...typing_ import Alternative, FloatArray, IntArray, Numbers, Side, one_of
from ..largest_statistic import DIRECTED
from ..limits import as_interval
from ..registry import Standing, interval, test
from ..simulation import draw_seed, refuse_few_resamples, resamples_for, times_drawn
from .assumptions import CLUSTERS_OF_SEVERAL_EXAMPLES, CLUSTERS_VARY, ENOUGH_CLUSTERS, ENOUGH_SIGNS, NO_DOMINANT_CLUSTER
from .clusters import ClusterParts, cluster_parts, corrections, robust_moments
from .flips import draw_sign_bits
from .moments import OF_OUTCOMES, as_student

_WORK = 100_000_000  # clusters times resamples: a few seconds
_DRAWN = 4_000_000  # numbers drawn at a time
_IN_MEMORY = 20_000_000  # resampled means in memory at once
_ENUMERATED = 12  # clusters of which all 4096 sign patterns are enumerated


@interval(
    name="cluster-bootstrap",
    title="cluster bootstrap",
    **OF_OUTCOMES,
    assumes=(CLUSTERS_VARY, ENOUGH_CLUSTERS, NO_DOMINANT_CLUSTER, CLUSTERS_OF_SEVERAL_EXAMPLES),
    standing=Standing.SOUND,
    rationale=(
        "assumes no distribution of the mean, and is widened for few clusters; 'cluster-robust' has equally good "
        "coverage without resampling"
    ),
    validity="10 or more clusters",
    where={"clusters": (10, np.inf)},
    monotone=False,
    reference="hesterberg2015",
)
def cluster_bootstrap(
    outcomes: Outcomes,
    *,
    alpha: float = 0.05,
    side: Side = "two",
    resamples: int | None = None,
    rng: int | np.random.Generator = 0,
) -> Interval:
    """Return percentiles of the mean over resampled clusters, widened for few clusters.

    Plain percentiles are too narrow with few clusters, for the same reasons as the plain sandwich estimator. The
    percentiles are therefore taken at Φ(−t·√(G/(G − 1))) instead of α/2, with the t quantile for the degrees of freedom
    of `cluster-cr2` (the expanded percentile interval of Hesterberg 2015). With few and with unequal clusters it covers
    better than bias-corrected and accelerated or studentized percentiles.

    Parameters
    ----------
    outcomes
        The scores of one model or of two.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".
    resamples
        Number of resamples. Default: 10,000, down to 1,000 for very many clusters.
    rng
        A seed, or a generator.

    Examples
    --------
    >>> a, b = [1, 0, 1, 1, 0, 1, 0, 0], [1, 1, 1, 1, 0, 1, 1, 1]
    >>> limits = cluster_bootstrap(Outcomes.from_scores(a, b, clusters=[1, 1, 2, 2, 3, 3, 4, 4]))
    >>> limits.low.round(2), limits.high.round(2)
    (np.float64(0.0), np.float64(1.0))
    """
    from scipy.special import ndtr

    contributions, spent = cluster_parts(outcomes), tail(alpha, side)
    clusters, count = contributions.clusters, contributions.clusters.count
    drawn, seed = resamples_for(resamples, count, work=_WORK), draw_seed(rng)
    refuse_few_resamples(drawn, spent)
    parts = contributions.parts.reshape(-1, count)
    turn = orientation(np.ravel(contributions.mean), parts)
    parts = np.where(turn[:, None] < 0, -parts, parts)
    ends = np.zeros((2, len(parts)))
    freedom = corrections(clusters)[1]
    if freedom > 0:
        share = ndtr(-student_critical(freedom, spent) * np.sqrt(count / (count - 1)))
        for block in blocks(len(parts), _IN_MEMORY // drawn):
            moved = _resample_means(parts[block], clusters.shares, drawn, seed)
            ends[:, block] = np.quantile(moved, [share, 1 - share], axis=0)
    low, high = (
        np.clip(contributions.mean + end.reshape(outcomes.shape) * contributions.unit, *outcomes.range)
        for end in mirrored_limits(ends[0], ends[1], turn)
    )
    # If no cluster differs, or so few that both percentiles are equal, the limits are those of the sandwich.
    plain = as_student(outcomes, robust_moments(outcomes)).limits(spent)
    narrow = ~(high - low > ROUNDING * contributions.size)
    low, high = (np.where(narrow, fallback, limit)[()] for fallback, limit in zip(plain, (low, high), strict=True))
    return as_interval("cluster-bootstrap", (low, high), alpha, side, outcomes.parameter, outcomes.range)


def _resample_means(parts: FloatArray, shares: FloatArray, drawn: int, seed: int) -> FloatArray:
    """Return the change of the mean in each resample, by resample and entry."""
    draws = times_drawn(shares.size, drawn, seed)  # the same for all entries, whatever the block size
    # A draw of total weight 0 leaves the mean unchanged.
    return np.concatenate([(times @ parts.T) / np.maximum(times @ shares, 1e-300)[:, None] for times in draws])


# --- Signs ----------------------------------------------------------------------------------------


@test(
    name="wild-cluster",
    title="wild bootstrap-t",
    evidence=Outcomes,
    assumes=(ENOUGH_SIGNS, CLUSTERS_VARY, NO_DOMINANT_CLUSTER, CLUSTERS_OF_SEVERAL_EXAMPLES),
    standing=Standing.SOUND,
    rationale=(
        "valid with a dozen clusters, equal or not; exact if differences are symmetric and all sign patterns are "
        "enumerated"
    ),
    validity="8 or more clusters, whose means are not badly skewed",
    where={"clusters": (8, np.inf)},
    statistic="t",
    reference="cameron2008",
)
def wild_cluster(
    outcomes: Outcomes,
    *,
    against: float = 0.0,
    alternative: Alternative = "two-sided",
    resamples: int | None = None,
    rng: int | np.random.Generator = 0,
) -> TestResult:
    """Test the mean with the wild cluster bootstrap-t, with the null hypothesis imposed.

    Each cluster's contribution to x̄ − against keeps its size and takes a random sign, and t is computed again with the
    sandwich standard error (Cameron, Gelbach and Miller 2008, with Rademacher signs). p is the share of sign patterns
    whose t is at least as extreme as the observed one. Up to 12 clusters, all patterns are enumerated; beyond that they
    are drawn, and p is (1 + k)/(1 + R).

    Parameters
    ----------
    outcomes
        The scores of one model or of two.
    against
        The mean that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    resamples
        Number of sign patterns beyond 12 clusters. Default: 10,000, down to 1,000 for very many clusters.
    rng
        A seed, or a generator.

    Examples
    --------
    >>> a, b = [1, 0, 1, 1, 0, 1, 0, 0], [1, 1, 1, 1, 0, 1, 1, 1]
    >>> wild_cluster(Outcomes.from_scores(a, b, clusters=[1, 1, 2, 2, 3, 3, 4, 4])).pvalue
    np.float64(0.5)
    """
    one_of("alternative", alternative, Alternative)
    contributions = cluster_parts(outcomes)
    clusters, count = contributions.clusters, contributions.clusters.count
    drawn, seed = resamples_for(resamples, count, work=_WORK), draw_seed(rng)
    added = _compute_contributions(contributions, against).reshape(-1, count)
    t = _studentize_patterns(np.ones((1, count)), added, clusters.shares)[0]
    reached = np.zeros(len(added), dtype=np.int64)
    patterns = 0
    for signs in _generate_signs(count, drawn, seed):
        for block in blocks(len(added), _DRAWN // len(signs)):
            turned = _studentize_patterns(signs, added[block], clusters.shares)
            reached[block] += _as_extreme(turned, t[block], alternative).sum(axis=0)
        patterns += len(signs)
    exact = count <= _ENUMERATED
    pvalue = reached / patterns if exact else (reached + 1) / (patterns + 1)
    statistic = t * np.sqrt(max(count - 1, 1) / count)  # the statistic of 'cluster-cr1'
    pvalue = pvalue.reshape(outcomes.shape)[()]
    return TestResult(
        statistic=statistic.reshape(outcomes.shape)[()],
        pvalue=pvalue,
        simulated=None if exact else Simulated.of(pvalue, draws=patterns, floor=1 / (patterns + 1)),
    )


def count_moving_clusters(outcomes: Outcomes, against: Numbers = 0.0) -> IntArray:
    """Return the number of clusters that differ from the null value; the signs of the others change nothing.

    Examples
    --------
    >>> count_moving_clusters(Outcomes.from_scores([1, 0, 0, 1], [1, 1, 0, 1], clusters=[1, 1, 2, 3]))
    np.int64(1)
    """
    moving: IntArray = np.count_nonzero(_compute_contributions(cluster_parts(outcomes), against), axis=-1)
    return moving


def _compute_contributions(contributions: ClusterParts, against: Numbers) -> FloatArray:
    """Return each cluster's contribution to mean − against, in the unit of the parts; rounding counts as 0."""
    shares = contributions.clusters.shares
    deviations = contributions.parts + ((contributions.mean - against) / contributions.unit)[..., None] * shares
    return without_rounding(deviations, (contributions.size / contributions.unit)[..., None] * shares)


def _generate_signs(count: int, drawn: int, seed: int) -> Iterator[FloatArray]:
    """Yield sign patterns: all of them for few clusters, else random ones."""
    if count <= _ENUMERATED:
        yield (1 - 2 * (np.arange(2**count)[:, None] >> np.arange(count) & 1)).astype(np.float64)
        return
    for bits in draw_sign_bits(count, drawn, seed):
        yield 1 - 2 * bits


def _studentize_patterns(signs: FloatArray, added: FloatArray, shares: FloatArray) -> FloatArray:
    """Return the t of each pattern (with the plain sandwich) and entry; infinite if all clusters are at the mean.

    The deviation of a cluster is its signed sum minus its share of the mean; the sum of squares is expanded:
    Σa² − 2m·Σ±a·share + m²·Σshare².
    """
    mean = signs @ added.T
    squares = (added**2).sum(axis=-1)
    spread = squares - 2 * mean * (signs @ (added * shares).T) + mean**2 * (shares @ shares)
    spread = np.where(spread <= ROUNDING * squares, 0.0, spread)
    mean = np.where(np.abs(mean) <= ROUNDING * np.abs(added).sum(axis=-1), 0.0, mean)
    return ratio(mean, np.sqrt(spread), empty=0.0)


def _as_extreme(turned: FloatArray, t: FloatArray, alternative: Alternative) -> Any:
    """Return whether a pattern's t is at least as extreme as the observed one, allowing for rounding."""
    turned, t = map(DIRECTED[alternative], (turned, t))
    return turned >= t - np.where(np.isfinite(t), 1e-9 * np.abs(t), 0.0)
