"""Selection bias (winner's curse) of the best of several models, for any metric."""

from __future__ import annotations

import numpy as np

from ..evidence import ClassScores, LabelPatterns
from ..typing_ import FloatArray, as_generator, as_resamples

# Whom the registry has no place for, by key of the bibliography.
SOURCES = {"metric_winner_optimism": ("tsamardinos2018",)}

_DRAWS = 10_000


def luck_of_the_best(
    losses: FloatArray, covariance: FloatArray, *, resamples: int | None = None, rng: int | np.random.Generator = 0
) -> float:
    """Return the selection bias of the smallest loss of several models.

    Other examples would move all losses together, by what their covariance says. The best is chosen again after each
    such move, and the mean of what moved it to the top is what the choice gains by luck (after Tsamardinos, Greasidou
    and Borboudakis 2018, with the normal curve in place of their bootstrap).

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

    How the figures of all models vary together follows from what every example has to do with each of them (the delta
    method; of areas, DeLong's placements). Where all models are equally good it finds less than the true figure, for
    then the observed differences are taken to be real; a fresh test set is the one full cure. NaN for average
    precision, of which no such figure is known.

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
    """Return by how much an example of each pattern moves the metric of every model, [model, pattern]."""
    slopes = evidence.metric.slopes(evidence.confusions.counts)  # [model, label, prediction]
    label, *predictions = evidence.patterns.T
    moves = np.stack([slope[label, made] for slope, made in zip(slopes, predictions, strict=True)])
    return moves / float(evidence.examples)
