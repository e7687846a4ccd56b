"""What an answer about outcomes reports besides: effective sample size, what repeats do, how lucky the best may be."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...evidence import AnswerContext, Note, Outcomes, reports_on
from ...numerics.rounding import unit
from ...typing_ import FloatArray
from ..winners import luck_of_the_best
from .components import repeat_components
from .design_effect import design_effect
from .moments import score_size


@reports_on(Outcomes)
def report_on_examples(outcomes: Outcomes, context: AnswerContext) -> Iterator[Note]:
    """Yield what the examples are worth and what varies: of the mean over all examples, not of one over groups."""
    if len(outcomes.models) > 2 or context.own_estimate or context.method == "macro-average":
        return
    if outcomes.clusters is not None:
        size = float(design_effect(outcomes).effective_examples)
        yield Note(key="effective_size", label="effective size", text=f"{size:.0f} independent examples", value=size)
    if outcomes.repeats is not None and outcomes.examples > 1 and (outcomes.repeats > 1).any(axis=-1).all():
        components = repeat_components(outcomes)
        shares = {name: float(components.of(name)) for name in components.names}
        yield Note(key="variance_components", label="varies by", text="", value=shares)
        yield Note(key="repeat_variance_share", label="repeats", text="", value=float(components.removable))


@reports_on(Outcomes)
def report_on_the_best(outcomes: Outcomes, context: AnswerContext) -> Iterator[Note]:
    """Yield by how much the best of several looks better than it is."""
    if len(outcomes.models) > 2:
        drawing = {name: context.options[name] for name in ("resamples", "rng") if name in context.options}
        optimism = mean_winner_optimism(outcomes, **drawing)
        yield Note(key="optimism", label="optimism", text=f"{optimism:.3g}", value=optimism)


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
    covariance = covariance_of_means(outcomes, one=one)
    return luck_of_the_best(outcomes.rank_by / one, covariance, resamples=resamples, rng=rng) * one


def covariance_of_means(outcomes: Outcomes, *, one: float = 1.0) -> FloatArray:
    """Return how the mean losses of the models vary together, if the clusters (or examples) were drawn anew.

    They are those over `one`, and each cluster (or example) is made up for the mean's own move.

    Examples
    --------
    >>> held = Outcomes.from_scores([0.0, 1.0, 1.0, 0.0], [0.0, 1.0, 1.0, 1.0])
    >>> covariance_of_means(held).round(4)
    array([[0.0833, 0.0417],
           [0.0417, 0.0625]])
    """
    apart = (outcomes.losses - outcomes.rank_by[:, None]) * outcomes.shares
    if outcomes.clusters is not None:
        apart = np.stack([np.bincount(outcomes.clusters, weights=row) for row in apart])
    units = apart.shape[1]
    parts = apart * np.sqrt(units / max(units - 1, 1)) / one
    covariance: FloatArray = parts @ parts.T
    return covariance
