"""Selection bias (winner's curse) of the best of several models, for any metric."""

from __future__ import annotations

import numpy as np

from ..evidence import ClassScores, LabelPatterns
from ..typing_ import FloatArray, as_generator, as_resamples

# Keys of the bibliography that no registered method has.
SOURCES = {"metric_winner_optimism": ("tsamardinos2018",)}

_DRAWS = 10_000


def luck_of_the_best(
    losses: FloatArray, covariance: FloatArray, *, resamples: int | None = None, rng: int | np.random.Generator = 0
) -> float:
    """Return the selection bias of the smallest loss of several models.

    Other examples would change all losses together, according to their covariance. The best is selected again after
    each simulated change, and the mean change of the selected model is the selection bias (after Tsamardinos, Greasidou
    and Borboudakis 2018, with a normal distribution instead of their bootstrap).

    Examples
    --------
    >>> round(luck_of_the_best(np.zeros(2), np.eye(2)), 2)  # E max of two standard normal variates is 1/√π = 0.56
    0.56
    """
    draws = _DRAWS if resamples is None else as_resamples(resamples)
    sizes, ways = np.linalg.eigh(covariance)
    normal = as_generator(rng).standard_normal((draws, losses.size))
    moved = (normal * np.sqrt(np.maximum(sizes, 0.0))) @ ways.T
    first = np.argmin(losses + moved, axis=1)
    gained = -np.take_along_axis(moved, first[:, None], axis=1)
    return max(float(gained.mean()), 0.0)


def metric_winner_optimism(evidence: LabelPatterns | ClassScores) -> float:
    """Return the selection bias of the best of several models, in units of the metric.

    The covariance of the models' metrics follows from the influence of every example on each of them (the delta method;
    for areas, DeLong's placements). If all models are equally good the true bias is larger, because the observed
    differences are taken as real; only a new test set avoids it. NaN for average precision, for which no such
    covariance is known.

    Examples
    --------
    >>> truth, guesses = np.arange(100) % 2, np.random.default_rng(1).random((3, 100))
    >>> patterns = LabelPatterns.from_predictions(truth, dict(zip("abc", (guesses < 0.2) ^ truth)))
    >>> 0.01 < metric_winner_optimism(patterns.by("f1")) < 0.02
    True
    """
    if isinstance(evidence, ClassScores):
        if evidence.metric.name != "auc":
            return np.nan
        return luck_of_the_best(evidence.rank_by, evidence.areas.covariance)
    defined = ~np.isnan(evidence.rank_by)
    moves = _metric_changes(evidence)[defined]
    return luck_of_the_best(evidence.rank_by[defined], (moves * evidence.counts) @ moves.T)


def _metric_changes(evidence: LabelPatterns) -> FloatArray:
    """Return the influence of an example of each pattern on the metric of every model, [model, pattern]."""
    slopes = evidence.metric.slopes(evidence.confusions.counts)  # [model, label, prediction]
    label, *predictions = evidence.patterns.T
    moves = np.stack([slope[label, made] for slope, made in zip(slopes, predictions, strict=True)])
    return moves / float(evidence.examples)
