"""The design of observed outcomes: their layout, scores, and correlations of models and clusters."""

from __future__ import annotations

import numpy as np

from ...errors import InvalidOption
from ...evidence import Outcomes
from ...typing_ import FloatArray
from .marginals import KINDS, Marginal, observed
from .scored_examples import ScoredExamples

_POINTS = 4000  # quantiles that stand for a distribution
_TERMS = 60  # of the Hermite series
_STEPS = np.linspace(0.0, 1.0, 201)


def as_scored(outcomes: Outcomes) -> ScoredExamples:
    """Return the design with the same examples and equally good models.

    Clusters, weights, groups and repeats are those observed. Scores are distributed as those of all models together;
    correlations are estimated by the method of moments, and are those of the normal numbers that give them.

    Examples
    --------
    >>> held = Outcomes.from_scores([1, 0, 1, 1, 0, 1], [1, 1, 0, 1, 0, 1], clusters=[0, 0, 0, 1, 1, 1])
    >>> as_scored(held).describe()
    'two models, right-or-wrong answers, mean 0.6667, 6 examples in 2 clusters, intraclass correlation 0'
    """
    if outcomes.shape:
        raise InvalidOption(
            f"`outcomes` must be one entry, got an array of shape {outcomes.shape}. Take one of them: outcomes[0]."
        )
    kind = "right or wrong" if outcomes.metric.is_rate else "observed"
    marginal = KINDS[kind] if kind in KINDS else observed(outcomes)
    mean = float(outcomes.means.mean()) if kind in KINDS else marginal.usual
    single = _score_variance(marginal, mean)
    gained = _score_correlations(marginal, mean)
    within, alike, correlation = 0.0, 0.0, 0.0
    if single > 0:
        within = 1 - _number_for(1 - _repeat_variance(outcomes) / single, gained)
        alike = min(_number_for(_model_covariance(outcomes) / single, gained) / max(1 - within, 1e-9), 1.0)
        correlation = _of_clusters(outcomes, single, alike, gained)
    return ScoredExamples(
        outcomes.examples,
        kind,
        mean,
        alike=alike,
        correlation=min(correlation, 1 - within),
        within=within,
        models=len(outcomes.models),
        like=outcomes,
    )


# --- Moments of the scores ------------------------------------------------------------------------


def _score_variance(marginal: Marginal, mean: float) -> float:
    return float(_score_quantiles(marginal, mean).var())


def _score_quantiles(marginal: Marginal, mean: float) -> FloatArray:
    from scipy.special import ndtri

    return marginal.scores(ndtri((np.arange(_POINTS) + 0.5) / _POINTS), np.asarray(mean))


def _repeat_variance(outcomes: Outcomes) -> float:
    """Return the variance of the repeats of one example; 0 without repeats."""
    if outcomes.repeats is None or outcomes.within is None:
        return 0.0
    return float(outcomes.within.sum() / max((outcomes.repeats - 1).sum(), 1))


def _model_covariance(outcomes: Outcomes) -> float:
    """Return the mean covariance of two models' scores."""
    number = len(outcomes.models)
    if number < 2 or outcomes.examples < 2:
        return 0.0
    covariances = np.cov(outcomes.scores)
    return float((covariances.sum() - np.trace(covariances)) / (number * (number - 1)))


def _of_clusters(outcomes: Outcomes, single: float, alike: float, gained: FloatArray) -> float:
    """Return the share of variance from clusters, by the covariance of differences (or scores) within them."""
    if outcomes.clusters is None:
        return 0.0
    losses = outcomes.losses
    values = losses if len(losses) == 1 else losses[np.triu_indices(len(losses), 1)[0]]
    if len(losses) > 1:
        values = values - losses[np.triu_indices(len(losses), 1)[1]]
    shared = np.mean([_within_clusters(row, outcomes.clusters) for row in values])
    times = 1.0 if len(losses) == 1 else 2.0
    theirs = gained - np.interp(_STEPS * alike, _STEPS, gained) if len(losses) > 1 else gained
    return float(np.interp(shared / (times * single), np.maximum.accumulate(theirs), _STEPS))


def _within_clusters(values: FloatArray, clusters: np.ndarray) -> float:
    """Return the variance component of clusters, by the mean squares between and within them."""
    sizes = np.bincount(clusters)
    number, total = sizes.size, values.size
    if number in (1, total):
        return 0.0
    means = np.bincount(clusters, values) / sizes
    inner = float(np.sum((values - means[clusters]) ** 2)) / (total - number)
    between = float(np.sum(sizes * (means - values.mean()) ** 2)) / (number - 1)
    return max((between - inner) * (number - 1) / (total - float(np.sum(sizes**2)) / total), 0.0)


# --- From normal numbers to scores ----------------------------------------------------------------


def _score_correlations(marginal: Marginal, mean: float) -> FloatArray:
    """Return the correlations of scores for given correlations of their normal numbers.

    It is Σ c_k² r^k / Σ c_k², with the coefficients c_k of the scores in normalised Hermite polynomials.
    """
    from scipy.special import ndtri

    z = ndtri((np.arange(_POINTS) + 0.5) / _POINTS)
    scores = _score_quantiles(marginal, mean)
    scores = scores - scores.mean()
    before, here = np.zeros_like(z), np.ones_like(z)
    squares = []
    for term in range(1, _TERMS + 1):  # h_k = (z h_{k−1} − √(k−1) h_{k−2}) / √k
        before, here = here, (z * here - np.sqrt(term - 1) * before) / np.sqrt(term)
        squares.append(float(np.mean(scores * here)) ** 2)
    powers = _STEPS[:, None] ** np.arange(1, _TERMS + 1)
    correlations = powers @ np.array(squares) / max(float(scores.var()), 1e-300)
    correlations[-1] = 1.0  # what terms beyond these bring, they bring there
    return np.asarray(np.maximum.accumulate(np.minimum(correlations, 1.0)))


def _number_for(correlation: float, gained: FloatArray) -> float:
    """Return the correlation of normal numbers for a correlation of scores, at least 0."""
    return float(np.interp(correlation, gained, _STEPS))
