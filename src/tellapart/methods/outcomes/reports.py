"""Notes of a result from per-example scores: effective sample size, variance of repeats, selection bias."""

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
    """Yield effective sample size and variance components of the mean over all examples, not of one over groups."""
    if len(outcomes.models) > 2 or context.own_estimate or context.method == "macro-average":
        return
    if outcomes.clusters is not None:
        size = float(design_effect(outcomes).effective_examples)
        yield Note(key="effective_size", label="data", text=f"effective sample size {size:.0f}", value=size)
    if outcomes.repeats is not None and outcomes.examples > 1 and (outcomes.repeats > 1).any(axis=-1).all():
        components = repeat_components(outcomes)
        shares = {name: float(components.of(name)) for name in components.names}
        yield Note(key="variance_components", label="variance", text="", value=shares)
        yield Note(key="repeat_variance_share", label="repeats", text="", value=float(components.removable))


@reports_on(Outcomes)
def report_on_the_best(outcomes: Outcomes, context: AnswerContext) -> Iterator[Note]:
    """Yield the selection bias (winner's curse) of the best of several models."""
    if len(outcomes.models) > 2:
        drawing = {name: context.options[name] for name in ("resamples", "rng") if name in context.options}
        optimism = mean_winner_optimism(outcomes, **drawing)
        yield Note(key="optimism", label="selection bias", text=f"{optimism:.3g}", value=optimism)


def mean_winner_optimism(
    outcomes: Outcomes, *, resamples: int | None = None, rng: int | np.random.Generator = 0
) -> float:
    """Return the selection bias (winner's curse) of the best of several models, in units of the score.

    The best is selected by its mean on these examples, so that mean is too good on average. Other examples would change
    all means together, according to their (cluster-robust) covariance. The best is selected again after each simulated
    change, and the mean change of the selected model is the selection bias (after Tsamardinos, Greasidou and
    Borboudakis 2018, with a normal distribution instead of their bootstrap). If all models are equally good the true
    bias is larger, because the observed differences are taken as real; only a new test set avoids it.

    Parameters
    ----------
    outcomes
        The scores of several models.
    resamples
        Number of simulated changes. Default: 10,000.
    rng
        A seed, or a generator.

    Examples
    --------
    >>> scores = np.random.default_rng(1).random((3, 100))
    >>> outcomes = Outcomes.from_scores(dict(zip("abc", scores)))
    >>> round(mean_winner_optimism(outcomes), 3)
    0.017
    """
    scale = float(unit(score_size(outcomes)))  # squares neither overflow nor underflow
    covariance = covariance_of_means(outcomes, scale=scale)
    return luck_of_the_best(outcomes.rank_by / scale, covariance, resamples=resamples, rng=rng) * scale


def covariance_of_means(outcomes: Outcomes, *, scale: float = 1.0) -> FloatArray:
    """Return the covariance of the models' mean losses over samples of clusters (or examples).

    It is in units of `scale` squared, with the factor G/(G − 1) for G clusters (or examples).

    Examples
    --------
    >>> outcomes = Outcomes.from_scores([0.0, 1.0, 1.0, 0.0], [0.0, 1.0, 1.0, 1.0])
    >>> covariance_of_means(outcomes).round(4)
    array([[0.0833, 0.0417],
           [0.0417, 0.0625]])
    """
    deviations = (outcomes.losses - outcomes.rank_by[:, None]) * outcomes.shares
    if outcomes.clusters is not None:
        deviations = np.stack([np.bincount(outcomes.clusters, weights=row) for row in deviations])
    units = deviations.shape[1]
    parts = deviations * np.sqrt(units / max(units - 1, 1)) / scale
    covariance: FloatArray = parts @ parts.T
    return covariance
