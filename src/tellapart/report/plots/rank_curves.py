"""Pictures of ROC and precision-recall curves with simultaneous bands."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import import_extra
from ...evidence import ClassScores, is_one
from ...figures import level_text
from ...methods.curves import RankCurve, RankCurves
from ...methods.curves import rank_curves as curves_of
from ...typing_ import FloatArray
from ..picture import Numbers, Picture, drawn
from ..style import COLOURS, DASHES, GRID, MUTED
from .drawable_types import undrawable
from .labels import PLAIN, is_narrow, join_listing, name_axis, narrow_size, show_name, write_at
from .rows import WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CURVES, _BANDS = 8, 3  # models that a picture has colours for, and whose bands it can show
_DRAWN, _LISTED = 200, 40  # points of a curve, and those of them whose numbers are listed

Ranked = ClassScores | RankCurves


def roc(scores: Ranked, *, positive: Hashable = None, ax: Axes | None = None) -> Axes:
    """Draw the ROC curve of each model with a simultaneous band.

    Parameters
    ----------
    scores
        The scores of each model and the labels, or the result of `rank_curves`.
    positive
        The positive class, against all others; of two classes the second if left out.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> scores = ClassScores.from_scores([0, 0, 1, 0, 1, 1], [0.1, 0.4, 0.35, 0.2, 0.8, 0.7])
    >>> roc(scores).get_ylabel()
    'recall (true positive rate)'
    """
    return drawn(roc_picture(scores, positive=positive), ax)


def roc_picture(scores: Ranked, *, positive: Hashable = None) -> Picture:
    """Return the picture that `roc` draws.

    Examples
    --------
    >>> scores = ClassScores.from_scores([0, 0, 1, 0, 1, 1], [0.1, 0.4, 0.35, 0.2, 0.8, 0.7])
    >>> roc_picture(scores).numbers.rows[1][:4]
    ('A', 0.8, 0.0, 0.3333333333333333)
    """
    result, curves = _select_curves(scores, positive, lambda curve: curve.auc)

    def draw(axes: Axes) -> None:
        square(axes, "false positive rate", "recall (true positive rate)")
        axes.plot([0, 1], [0, 1], color=MUTED, linewidth=0.9, linestyle=(0, (1, 2)))
        for index, curve in enumerate(curves):
            at = _band_positions(curve.thinned(_LISTED).false_positive_rate, curve.reach[0])
            band = (at, *curve.roc_band(at)) if len(curves) <= _BANDS else None
            points = curve.thinned(_DRAWN)
            _draw_curve(
                axes, index, (points.false_positive_rate, points.recall), band, "default", filled=len(curves) == 1
            )
        _label_curves(axes, curves, "AUC", [curve.auc for curve in curves])

    return _make_picture(result, curves, draw, "ROC curve", "AUC", lambda curve: curve.auc, _roc_rows)


def precision_recall(scores: Ranked, *, positive: Hashable = None, ax: Axes | None = None) -> Axes:
    """Draw the precision-recall curve of each model with a simultaneous band.

    The band takes the observed share of positives as known; the dotted line is the precision if all are positive.

    Parameters
    ----------
    scores
        The scores of each model and the labels, or the result of `rank_curves`.
    positive
        The positive class, against all others; of two classes the second if left out.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> scores = ClassScores.from_scores([0, 0, 1, 0, 1, 1], [0.1, 0.4, 0.35, 0.2, 0.8, 0.7])
    >>> precision_recall(scores).get_xlabel()
    'recall'
    """
    return drawn(precision_recall_picture(scores, positive=positive), ax)


def precision_recall_picture(scores: Ranked, *, positive: Hashable = None) -> Picture:
    """Return the picture that `precision_recall` draws.

    Examples
    --------
    >>> scores = ClassScores.from_scores([0, 0, 1, 0, 1, 1], [0.1, 0.4, 0.35, 0.2, 0.8, 0.7])
    >>> precision_recall_picture(scores).numbers.rows[3][:4]
    ('A', 0.4, 0.6666666666666666, 0.6666666666666666)
    """
    result, curves = _select_curves(scores, positive, lambda curve: curve.average_precision)
    first = curves[0]
    share = first.positives / (first.positives + first.negatives)

    def draw(axes: Axes) -> None:
        square(axes, "recall", "precision")
        axes.plot([0, 1], [share, share], color=MUTED, linewidth=0.9, linestyle=(0, (1, 2)))
        for index, curve in enumerate(curves):
            at = _band_positions(curve.thinned(_LISTED).recall, curve.reach[1])
            band = (at, *curve.precision_band(at)) if len(curves) <= _BANDS else None
            points = curve.thinned(_DRAWN)
            _draw_curve(axes, index, (points.recall, points.precision), band, "steps-pre", filled=len(curves) == 1)
        _label_curves(axes, curves, "average precision", [curve.average_precision for curve in curves])

    return _make_picture(
        result,
        curves,
        draw,
        "Precision-recall curve",
        "average precision",
        lambda curve: curve.average_precision,
        _precision_rows,
    )


def _select_curves(
    scores: Ranked, positive: Hashable, level: Callable[[RankCurve], float]
) -> tuple[RankCurves, list[RankCurve]]:
    """Return all curves, and those that are drawn: of very many models the best."""
    if not isinstance(scores, RankCurves) and not is_one(scores, ClassScores):
        raise undrawable("scores", scores, "one ClassScores, or the result of rank_curves(...)")
    result = scores if isinstance(scores, RankCurves) else curves_of(scores, positive=positive)
    kept = sorted(result.curves, key=level, reverse=True)[:_CURVES] if len(result.curves) > _CURVES else result.curves
    return result, list(kept)


def _band_positions(steps: FloatArray, reach: float) -> FloatArray:
    """Return the positions at which a band is drawn: its steps, and evenly spaced ones."""
    result: FloatArray = np.unique(np.clip([*np.linspace(0, 1, 101), *(steps - reach), *(steps + reach)], 0.0, 1.0))
    return result


# --- What is drawn --------------------------------------------------------------------------------


def square(axes: Axes, x: str, y: str, span: tuple[float, float] = (0.0, 1.0)) -> None:
    """Prepare axes of shares, as high as they are wide."""
    axes.set(xlim=span, ylim=span)
    axes.set_box_aspect(1)
    axes.grid(visible=True, color=GRID, linewidth=0.6)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:.6g}")
    axes.locator_params(nbins=6)
    name_axis(axes, x=x, y=y)


def _draw_curve(
    axes: Axes,
    index: int,
    points: tuple[FloatArray, FloatArray],
    band: tuple[FloatArray, FloatArray, FloatArray] | None,
    drawstyle: str,
    *,
    filled: bool,
) -> None:
    """Draw a curve, and its band: filled if it is the only one, else as two dotted edges."""
    colour = COLOURS[index]
    if band is not None:
        if filled:
            axes.fill_between(*band, color=colour, alpha=0.13, linewidth=0)
        for edge in band[1:]:
            axes.plot(band[0], edge, color=colour, linewidth=0.9, linestyle=(0, (1, 1.5)))
    look: dict[str, Any] = {"color": colour, "linestyle": DASHES[index % len(DASHES)], "drawstyle": drawstyle}
    axes.plot(*points, linewidth=1.7, clip_on=False, zorder=4 - index / 100, **look)


def _label_curves(axes: Axes, curves: list[RankCurve], what: str, values: list[float]) -> None:
    lines = [[f"{what} {value:.3f}"] for value in values]
    edges = "band" if len(curves) == 1 else "dotted: bands"
    note = "" if len(curves) > _BANDS else f"{edges}, {level_text(curves[0].alpha)},\nsimultaneous"
    name_models(axes, [curve.model for curve in curves], lines, note)


def name_models(axes: Axes, names: list[str], lines: list[list[str]], note: str = "") -> None:
    """Write a legend on the right of the axes, with further lines below each name; on a phone below the axes."""
    if is_narrow(axes):
        _name_models_below(axes, names, lines, note)
        return
    transforms = import_extra("matplotlib.transforms", "plot")
    below = 4.0
    for index, (name, more) in enumerate(zip(names, lines, strict=True)):
        by = transforms.ScaledTranslation(0, -below / 72, axes.figure.figure.dpi_scale_trans)
        look: dict[str, Any] = {"color": COLOURS[index], "linestyle": DASHES[index % len(DASHES)], "linewidth": 1.7}
        axes.plot([1.03, 1.12], [1, 1], transform=axes.transAxes + by, clip_on=False, **look)
        write_at(axes, (1.15, 1), show_name(name, 26), by=(0, -below), on="axes fraction", fontsize=8.5)
        for step, text in enumerate(more, 1):
            write_at(axes, (1.15, 1), text, by=(0, -below - 12 * step), on="axes fraction", fontsize=8, color=MUTED)
        below += 12 * len(more) + 19
    if note:
        write_at(axes, (1.03, 0), note, by=(0, 2), on="axes fraction", fontsize=8, color=MUTED, va="bottom")


def _name_models_below(axes: Axes, names: list[str], lines: list[list[str]], note: str) -> None:
    handles = [
        axes.plot(
            [], [], color=COLOURS[index], linestyle=DASHES[index % len(DASHES)], linewidth=1.7,
            label="\n".join([show_name(name, 30), *more]),
        )[0]
        for index, (name, more) in enumerate(zip(names, lines, strict=True))
    ]  # fmt: skip
    if note:
        handles.append(axes.plot([], [], linestyle="none", label=note.replace("\n", " "))[0])
    legend = axes.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(0, -0.2), frameon=False, fontsize=8, borderaxespad=0
    )
    for text in legend.get_texts():
        text.set(**PLAIN)


# --- Texts and numbers ----------------------------------------------------------------------------


def _roc_rows(curve: RankCurve) -> zip[Any]:
    text = curve.thinned(_LISTED)  # the band is that of the whole curve
    x = text.false_positive_rate
    return zip(text.thresholds, x, text.recall, *curve.roc_band(x), strict=True)


def _precision_rows(curve: RankCurve) -> zip[Any]:
    text = curve.thinned(_LISTED)
    return zip(text.thresholds, text.recall, text.precision, *curve.precision_band(text.recall), strict=True)


def _make_picture(
    result: RankCurves,
    curves: list[RankCurve],
    draw: Callable[[Axes], None],
    title: str,
    what: str,
    level: Callable[[RankCurve], float],
    rows: Callable[[RankCurve], Any],
) -> Picture:
    first = curves[0]
    text = join_listing(f"{curve.model} {level(curve):.3f}" for curve in curves)
    left = len(result.curves) - len(curves)
    more = f" The best {len(curves)} of {len(result.curves)} models are drawn." if left else ""
    axes = ("false positive rate", "recall") if what == "AUC" else ("recall", "precision")
    numbers = Numbers(
        head=("model", "threshold", *axes, "low", "high"),
        rows=tuple(
            (curve.model, None if np.isinf(threshold) else float(threshold), *map(float, point))
            for curve in curves
            for threshold, *point in rows(curve)
        ),
    )
    return Picture(
        title=f"{title} ({show_name(result.positive, 24)})",
        alt=(
            f"{title} of {result.positive}, {first.positives} of {first.positives + first.negatives} examples, with"
            f" simultaneous bands ({level_text(result.alpha)}). {what[:1].upper()}{what[1:]}: {text}.{more}"
        ),
        numbers=numbers,
        draw=draw,
        size=(WIDTH, 3.9),
        narrow=narrow_size(3.9 + 0.32 * len(curves)),
    )
