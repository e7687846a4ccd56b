"""The calibration plot of predicted probabilities."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...evidence import ClassScores, is_one
from ...figures import equation, level_text, pvalue_text
from ...methods.reliability import Reliability, ReliabilityCurve
from ...methods.reliability import reliability as reliability_of
from ...rendering import significant
from ..picture import Numbers, Picture, drawn
from ..style import COLOURS, DASHES, MUTED
from .drawable_types import undrawable
from .labels import join_listing, narrow_size, show_name, typeset
from .rank_curves import name_models, square
from .rows import WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CURVES, _LIMITS = 6, 3  # models that a picture has colours for, and whose intervals it can show


def reliability(
    scores: ClassScores | Reliability, *, positive: Hashable = None, bins: int | None = None, ax: Axes | None = None
) -> Axes:
    """Draw observed frequencies over predicted probabilities, in bins: calibrated probabilities lie on the diagonal.

    Parameters
    ----------
    scores
        The probabilities of each model and the labels, or the result of `ta.reliability`.
    positive
        The class whose probabilities are drawn; of two the second, of more the most probable, if left out.
    bins
        How many bins, of equally many examples.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> scores = ClassScores.from_scores([0, 0, 1, 0, 1, 1], [0.1, 0.4, 0.35, 0.2, 0.8, 0.7])
    >>> reliability(scores).get_xlabel()
    'predicted probability of 1'
    """
    return drawn(reliability_picture(scores, positive=positive, bins=bins), ax)


def reliability_picture(
    scores: ClassScores | Reliability, *, positive: Hashable = None, bins: int | None = None
) -> Picture:
    """Return the picture that `reliability` draws.

    Examples
    --------
    >>> scores = ClassScores.from_scores([0, 0, 1, 0, 1, 1], [0.1, 0.4, 0.35, 0.2, 0.8, 0.7])
    >>> reliability_picture(scores).numbers.head
    ('model', 'examples', 'predicted', 'observed', 'low', 'high')
    """
    if not isinstance(scores, Reliability) and not is_one(scores, ClassScores):
        raise undrawable("scores", scores, "one ClassScores, or the result of reliability(...)")
    result = scores if isinstance(scores, Reliability) else reliability_of(scores, positive=positive, bins=bins)
    curves = result.curves[:_CURVES]
    limits = len(curves) <= _LIMITS

    def draw(axes: Axes) -> None:
        span = _axis_span(curves, limits=limits)
        label = show_name(result.of, 24)
        square(axes, f"predicted probability of {label}", f"observed frequency of {label}", span)
        axes.plot(span, span, color=MUTED, linewidth=0.9, linestyle=(0, (1, 2)))
        for index, curve in enumerate(curves):
            _draw_curve(axes, index, curve, limits=limits)
        note = f"bars: {level_text(result.alpha)} CI,\nindividual bins" if limits else ""
        name_models(
            axes, [curve.model for curve in curves], [_collect_lines(curve, result.alpha) for curve in curves], note
        )

    rows = tuple(
        (curve.model, int(count), *map(float, point))
        for curve in result.curves
        for count, *point in zip(curve.counts, curve.promised, curve.happened, curve.low, curve.high, strict=True)
    )
    text = join_listing(f"{curve.model}: {curve.verdict(result.alpha)}" for curve in result.curves)
    first = curves[0]
    return Picture(
        title="Calibration plot",
        alt=(
            f"Observed frequency of {result.of} over its predicted probability, {first.examples} examples in bins of"
            f" about {np.median(first.counts):.0f}; the diagonal is perfect calibration. {text}."
        ),
        numbers=Numbers(head=("model", "examples", "predicted", "observed", "low", "high"), rows=rows),
        draw=draw,
        size=(WIDTH, 3.9),
        narrow=narrow_size(4.0 + 0.47 * len(curves)),
    )


def _collect_lines(curve: ReliabilityCurve, alpha: float) -> list[str]:
    """Return the statistics below the name of a model."""
    error = "unknown" if np.isnan(curve.error) else significant(curve.error, 2)
    if np.isnan(curve.statistic):
        return [f"calibration error {error}"]
    text = f"z = {typeset(f'{curve.statistic:.2f}')}, {equation('p', pvalue_text(curve.pvalue, alpha))}"
    return [text, f"calibration error {error}"]


def _axis_span(curves: tuple[ReliabilityCurve, ...], *, limits: bool) -> tuple[float, float]:
    """Return the limits of both axes: 0 to 1, unless all points lie in a part of it."""
    ends = [("low", "promised"), ("high", "promised")] if limits else [("happened", "promised")] * 2
    low = min(float(getattr(curve, name).min()) for curve in curves for name in ends[0])
    high = max(float(getattr(curve, name).max()) for curve in curves for name in ends[1])
    room = 0.05 * (high - low) or 0.05
    return (0.0 if low < 0.3 else low - room, 1.0 if high > 0.7 else high + room)


def _draw_curve(axes: Axes, index: int, curve: ReliabilityCurve, *, limits: bool) -> None:
    look: dict[str, Any] = {"color": COLOURS[index], "zorder": 3 - index / 100}
    if limits:
        axes.vlines(curve.promised, curve.low, curve.high, linewidth=1.3, **look)
    dashes = DASHES[index % len(DASHES)]
    axes.plot(curve.promised, curve.happened, linewidth=1.1, linestyle=dashes, marker="o", markersize=4.5, **look,
              clip_on=False)  # fmt: skip
