"""What the best of several models owes to luck, where they were ranked by mean scores."""

from __future__ import annotations

import numpy as np

from ...evidence import Outcomes
from ...numerics.rounding import unit
from ...typing_ import FloatArray
from ..winners import luck_of_the_best
from .moments import score_size

# Whom the registry has no place for, by key of the bibliography.
SOURCES = {"mean_winner_optimism": ("tsamardinos2018",)}


def mean_winner_optimism(
    outcomes: Outcomes, *, resamples: int | None = None, rng: int | np.random.Generator = 0
) -> float:
    """Say how much better the best of several models looks than it is, in units of the score.

    The best was chosen for its mean on these very examples, so that mean is too good. Other examples would move all
    means together, by what their (cluster-robust) covariance says. The best is chosen again after each such move, and
    the mean of what moved it to the top is what the choice gains by luck (after Tsamardinos, Greasidou and Borboudakis
    2018, with the normal curve in place of their bootstrap). Where all models are equally good it finds less than the
    true figure, for then the observed differences are taken to be real; a fresh test set is the one full cure.

    Parameters
    ----------
    outcomes
        The scores of several models.
    resamples
        How many times the means are moved; 10,000 if left out.
    rng
        A seed, or a generator.

    Examples
    --------
    >>> scores = np.random.default_rng(1).random((3, 100))
    >>> held = Outcomes.from_scores(dict(zip("abc", scores)))
    >>> round(mean_winner_optimism(held), 3)
    0.017
    """
    one = float(unit(score_size(outcomes)))  # squares neither overflow nor vanish
    means, parts = outcomes.rank_by / one, _parts(outcomes) / one
    return luck_of_the_best(means, parts @ parts.T, resamples=resamples, rng=rng) * one


def covariance_of_means(outcomes: Outcomes) -> FloatArray:
    """Return how the mean losses of the models vary together, if the clusters (or examples) were drawn anew.

    Examples
    --------
    >>> held = Outcomes.from_scores([0.0, 1.0, 1.0, 0.0], [0.0, 1.0, 1.0, 1.0])
    >>> covariance_of_means(held).round(4)
    array([[0.0833, 0.0417],
           [0.0417, 0.0625]])
    """
    parts = _parts(outcomes)
    found: FloatArray = parts @ parts.T
    return found


def _parts(outcomes: Outcomes) -> FloatArray:
    """Return how far each cluster (or example) moves the mean loss of every model, made up for the mean's own move."""
    apart = (outcomes.losses - outcomes.rank_by[:, None]) * outcomes.shares
    if outcomes.clusters is not None:
        apart = np.stack([np.bincount(outcomes.clusters, weights=row) for row in apart])
    units = apart.shape[1]
    parts: FloatArray = apart * np.sqrt(units / max(units - 1, 1))
    return parts
