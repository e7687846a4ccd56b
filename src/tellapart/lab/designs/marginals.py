"""Distributions of scores, each an exact function of a normal number and its mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...errors import InvalidOption
from ...evidence import Outcomes
from ...typing_ import FloatArray

_STEPS = 60  # halvings of a bracket: to the last digit


@dataclass(frozen=True, slots=True, eq=False)
class Marginal:
    """The distribution of one score: its value as a function of a standard normal number, for a possible mean.

    A larger normal number is never a lower score, so that correlated numbers are correlated scores.
    """

    scores: Callable[[FloatArray, FloatArray], FloatArray]
    usual: float  # the default mean
    reach: tuple[float, float]  # between which the mean must lie
    words: str
    bounds: tuple[float, float] | None = None
    metric: str = "score"
    higher_is_better: bool = True
    closed: bool = False  # whether the mean may lie on the ends of its reach


def _normal_scores(z: FloatArray, mean: FloatArray) -> FloatArray:
    return z + mean


def _lognormal_losses(z: FloatArray, mean: FloatArray) -> FloatArray:
    """Return e^(z − ½) times the mean, with a kurtosis of 114, like log losses."""
    return np.asarray(mean * np.exp(z - 0.5))


def _skewed_scores(z: FloatArray, mean: FloatArray) -> FloatArray:
    """Return Beta(a, 1) with mean a/(a + 1): most scores are close to 1."""
    from scipy.special import log_ndtr

    return np.asarray(np.exp(log_ndtr(z) * (1 - mean) / mean))


def _with_zeros(z: FloatArray, mean: FloatArray) -> FloatArray:
    """Return 0 with probability 1 − 2·mean, otherwise a uniform number up to 1."""
    from scipy.special import ndtr

    return np.asarray(np.maximum(1 - (1 - ndtr(z)) / (2 * mean), 0.0))


def _binary_answers(z: FloatArray, mean: FloatArray) -> FloatArray:
    from scipy.special import ndtri

    return np.asarray(z > -ndtri(mean), dtype=float)


KINDS = {
    "normal": Marginal(_normal_scores, 0.0, (-np.inf, np.inf), "normal scores"),
    "skewed": Marginal(_skewed_scores, 0.9, (0.0, 1.0), "skewed scores", (0.0, 1.0)),
    "zero-inflated": Marginal(_with_zeros, 0.2, (0.0, 0.5), "zero-inflated scores", (0.0, 1.0)),
    "all or nothing": Marginal(_binary_answers, 0.8, (0.0, 1.0), "all-or-nothing scores", (0.0, 1.0), closed=True),
    "heavy-tailed": Marginal(
        _lognormal_losses, 1.0, (0.0, np.inf), "heavy-tailed losses", metric="loss", higher_is_better=False
    ),
    "right or wrong": Marginal(_binary_answers, 0.8, (0.0, 1.0), "right-or-wrong answers", metric="error", closed=True),
}


def marginal_of(kind: str, like: Outcomes | None) -> Marginal:
    """Return the distribution with a name; "observed" is that of the scores of evidence."""
    if kind == "observed" and like is not None:
        return observed(like)
    if kind not in KINDS:
        raise InvalidOption(f"`kind` must be one of {', '.join(KINDS)}, got {kind!r}.")
    return KINDS[kind]


# --- Scores as they were seen ---------------------------------------------------------------------


def observed(outcomes: Outcomes) -> Marginal:
    """Return the distribution of the scores of all models, exponentially tilted for another mean.

    Tilting multiplies the share of a score s by e^(λs), which moves the mean and keeps every score within what was
    seen. Of repeats only means are known: these are spread out to the variance of single answers.

    Examples
    --------
    >>> seen = observed(Outcomes.from_scores([0.1, 0.4], [0.4, 0.9], metric="rouge", bounds=(0, 1)))
    >>> round(seen.usual, 3), seen.reach
    (0.45, (0.1, 0.9))
    >>> seen.scores(np.array([-1.0, 0.0, 1.0]), np.array(0.45))
    array([0.1, 0.4, 0.9])
    """
    shares = np.tile(outcomes.shares, len(outcomes.models)) / len(outcomes.models)
    scores = outcomes.scores.ravel()
    mean = float(scores @ shares)
    wider = _repeat_spread(outcomes, float(shares @ (scores - mean) ** 2))
    values = scores if wider == 1 else mean + (scores - mean) * wider
    if outcomes.metric.known_bounds is not None:
        values = np.clip(values, *outcomes.metric.bounds)
    values, places = np.unique(values, return_inverse=True)
    frequencies = np.bincount(places, shares).astype(float)
    return Marginal(
        partial(_tilted_quantiles, values, frequencies),
        float(np.clip(values @ frequencies, values[0], values[-1])),  # up to rounding
        (float(values[0]), float(values[-1])),
        "scores as observed" if outcomes.metric.name == "score" else f"{outcomes.metric.name} scores as observed",
        outcomes.metric.known_bounds,
        outcomes.metric.name,
        outcomes.metric.is_rate or outcomes.metric.higher_is_better,
        closed=values.size == 1,
    )


def _repeat_spread(outcomes: Outcomes, variance: float) -> float:
    """Return the standard deviation of single answers divided by that of the means of repeats."""
    if outcomes.repeats is None or outcomes.within is None or variance == 0:
        return 1.0
    left = float(outcomes.within.sum() / np.maximum((outcomes.repeats - 1).sum(), 1))
    return float(np.sqrt(1 + left * float(np.mean(1 - 1 / outcomes.repeats)) / variance))


def _tilted_quantiles(values: FloatArray, shares: FloatArray, z: FloatArray, mean: FloatArray) -> FloatArray:
    """Return the quantiles of the tilted distribution at normal numbers, for a few means."""
    from scipy.special import ndtr

    chance = ndtr(z)
    target = np.broadcast_to(mean, chance.shape)
    tilted = np.empty(chance.shape)
    for each in np.unique(mean):
        here = target == each
        ends = np.cumsum(_shares_at(values, shares, float(each)))[:-1]
        tilted[here] = values[np.searchsorted(ends, chance[here])]
    return tilted


def _shares_at(values: FloatArray, shares: FloatArray, mean: float) -> FloatArray:
    """Return the probabilities of the values, tilted to a mean."""
    width = values[-1] - values[0]
    if width == 0:
        return shares
    position = (values - mean) / width
    low, high = -1e4, 1e4
    for _ in range(_STEPS):
        middle = (low + high) / 2
        power = middle * position
        tilted = shares * np.exp(power - power.max())
        low, high = (middle, high) if float(tilted @ position) < 0 else (low, middle)
    return np.asarray(tilted / tilted.sum())
