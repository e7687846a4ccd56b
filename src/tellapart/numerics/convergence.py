"""Convergence diagnostics of Markov chains: R-hat and effective sample size."""

from __future__ import annotations

import math

import numpy as np

from ..typing_ import FloatArray

_BUNDLES = 4  # the usual number of chains; the number of chains is a multiple of it


def agreement(draws: FloatArray) -> float:
    """Return the rank-normalized split R-hat of draws by step and chain; 1 if the chains agree.

    It is the root of the variance of all draws over that within parts, after every draw is replaced by the normal
    quantile of its rank, for robustness to heavy tails (Vehtari et al. 2021). The parts are first and second
    halves of four bundles of chains: were they of single chains, R-hat would exceed 1 because they are short
    (Margossian et al. 2024).

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> together = rng.normal(size=(200, 4))
    >>> round(agreement(together), 2), round(agreement(together + np.array([0, 0, 0, 3])), 1)
    (1.0, 1.5)
    """
    halves = _split_halves(_normal_scores(draws))
    within, total = _estimate_variances(
        halves.reshape(len(halves), 2 * _BUNDLES, -1).swapaxes(0, 1).reshape(2 * _BUNDLES, -1).T
    )
    return math.sqrt(total / within) if within > 0 else 1.0


def effective_draws(draws: FloatArray) -> float:
    """Return the effective sample size of draws by step and chain; small if chains disagree.

    The autocorrelations of half-chains are summed in pairs as long as the sums are positive, never growing (Geyer 1992;
    Vehtari et al. 2021, section 3.2).

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> fresh = rng.normal(size=(500, 4))
    >>> slow = np.cumsum(fresh, axis=0)
    >>> 1600 < effective_draws(fresh) < 2400, effective_draws(slow) < 40
    (True, True)
    """
    halves = _split_halves(_normal_scores(draws))
    within, total = _estimate_variances(halves)
    count = halves.size
    if not total > 0:
        return float(count)
    correlations = 1 - (within - _autocovariances(halves).mean(axis=-1)) / total
    correlations[0] = 1.0
    pairs = correlations[: correlations.size // 2 * 2].reshape(-1, 2).sum(axis=-1)
    ends = np.flatnonzero(pairs <= 0)
    pairs = np.minimum.accumulate(pairs[: ends[0] if ends.size else pairs.size])
    length = max(-1 + 2 * float(pairs.sum()), 1 / math.log10(count))  # below 1 if draws alternate, but not at will
    return count / length


def _normal_scores(draws: FloatArray) -> FloatArray:
    from scipy.special import ndtri
    from scipy.stats import rankdata

    ranks = rankdata(draws, axis=None).reshape(draws.shape)
    scores: FloatArray = ndtri((ranks - 0.375) / (draws.size + 0.25))
    return scores


def _split_halves(draws: FloatArray) -> FloatArray:
    """Return the first and second halves of the chains as separate chains, without a step in the middle."""
    half = draws.shape[0] // 2
    return np.concatenate([draws[:half], draws[draws.shape[0] - half :]], axis=1)


def _estimate_variances(chains: FloatArray) -> tuple[float, float]:
    """Return the variance within chains, and the estimated variance of all draws."""
    length = chains.shape[0]
    within = float(chains.var(axis=0, ddof=1).mean())
    return within, within * (length - 1) / length + float(chains.mean(axis=0).var(ddof=1))


def _autocovariances(chains: FloatArray) -> FloatArray:
    """Return the autocovariances of each chain, by lag and chain, divided by the length."""
    length = chains.shape[0]
    deviations = chains - chains.mean(axis=0)
    spectrum = np.abs(np.fft.rfft(deviations, 2 * length, axis=0)) ** 2
    covariances: FloatArray = np.fft.irfft(spectrum, axis=0)[:length] / (length - 1)
    return covariances
