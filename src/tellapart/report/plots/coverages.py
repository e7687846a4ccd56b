"""The picture of exact coverage: a sawtooth over the true error rate, with the level, the mean and the minimum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...errors import InvalidOption
from ...figures import level_text
from ...results import Coverage
from ...typing_ import FloatArray
from ..picture import Numbers, Picture
from ..style import COLOURS, DASHES, GRID, MUTED
from .labels import PLAIN, join_listing, name_axis, narrow_size, show_distinct_names, space_out
from .rows import WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BINS = 500  # positions along the axis that a screen resolves
_FULL = 6  # methods up to which names have mean and minimum below them
_LINE = 0.165  # inches between lines of text


def exact_coverage_picture(result: Sequence[Coverage]) -> Picture:
    """Return the picture that `coverage` draws of the result of `exact_coverage`.

    Examples
    --------
    >>> import tellapart as ta
    >>> picture = exact_coverage_picture([ta.exact_coverage("wald", 50), ta.exact_coverage("wilson", 50)])
    >>> picture.numbers.head
    ('method', 'true error rate', 'coverage', 'expected width')
    """
    names = curve_names(result)
    _check_one_level(result)
    level = level_text(result[0].alpha)
    text = join_listing(
        f"{name}: mean {each.mean:.4f}, minimum {each.minimum:.4f} ({each.worst_location})"
        for name, each in zip(names, result, strict=True)
    )
    rows = tuple(
        (name, *point)
        for name, each in zip(names, result, strict=True)
        for point in zip(each.error.tolist(), each.coverage.tolist(), each.width.tolist(), strict=True)
    )
    return Picture(
        title="Exact coverage",
        alt=f"Coverage of {level} intervals by the true error rate; {_trials_text(result)}. {text}.",
        numbers=Numbers(head=("method", "true error rate", "coverage", "expected width"), rows=rows),
        draw=lambda axes: _draw_sawtooth(axes, result, names),
        size=(WIDTH, _figure_height(result)),
        narrow=narrow_size(_figure_height(result) + 0.15),
    )


def curve_names(result: Sequence[Coverage]) -> list[str]:
    """Return a name for each curve: the method, with the number of examples or the side if these differ.

    Examples
    --------
    >>> import tellapart as ta
    >>> curve_names([ta.exact_coverage("wald", 20), ta.exact_coverage("wald", 50)])
    ['wald, n = 20', 'wald, n = 50']
    """
    sizes, sides = {each.trials for each in result}, {each.side for each in result}
    names = [
        each.method + (f", n = {each.trials}" if len(sizes) > 1 else "") + (f", {each.side}" if len(sides) > 1 else "")
        for each in result
    ]
    return [f"{name} ({index})" if names.count(name) > 1 else name for index, name in enumerate(names, 1)]


def _check_one_level(result: Sequence[Coverage]) -> None:
    levels = sorted({each.level for each in result})
    if len(levels) > 1:
        text = " and ".join(f"{level:g}" for level in levels)
        raise InvalidOption(f"`result` must be of one level, got {text}. Draw each level on axes of its own.")


def _trials_text(result: Sequence[Coverage]) -> str:
    sizes = sorted({each.trials for each in result})
    return f"{' and '.join(map(str, sizes))} examples, all outcomes enumerated"


def _draw_sawtooth(axes: Axes, result: Sequence[Coverage], names: Sequence[str]) -> None:
    level = result[0].level
    low, high = min(each.within[0] for each in result), max(each.within[1] for each in result)
    bottom = _axis_bottom(result)
    axes.set(xlim=(100 * low, 100 * high), ylim=(bottom, 1))
    axes.grid(visible=True, color=GRID, linewidth=0.6)
    axes.axhline(level, color=MUTED, linewidth=0.9, linestyle=(0, (1, 2)))
    for index, each in enumerate(result):
        colour, dashes = COLOURS[index % len(COLOURS)], DASHES[index // len(COLOURS) % len(DASHES)]
        x, y = _curve_envelope(each)
        axes.plot(100 * x, y, color=colour, linestyle=dashes, linewidth=1.0, zorder=4 - index / 100)
        if len(result) <= 2:
            axes.axhline(each.mean, color=colour, linewidth=1.2, linestyle=DASHES[1], alpha=0.7, zorder=3)
        axes.plot([1.0], [max(each.mean, bottom)], "D", color=colour, markersize=4, clip_on=False, zorder=6,
                  transform=axes.get_yaxis_transform())  # fmt: skip
        axes.plot([100 * each.worst], [max(each.minimum, bottom)], "v", color=colour, markersize=6, clip_on=False,
                  zorder=6)  # fmt: skip
    _name_curves(axes, result, names)
    below = "" if all(each.minimum >= bottom for each in result) else f"; minima below {bottom:.2g} at the bottom"
    name_axis(
        axes,
        x=f"true error rate, in %\nexact, {_trials_text(result).partition(',')[0]}; ▾ minimum, ◆ mean{below}",
        y=f"coverage (dotted: {level:g})",
    )


def _axis_bottom(result: Sequence[Coverage]) -> float:
    """Return the lower end of the axis: at most six times the nominal miss rate is shown."""
    alpha, lowest = result[0].alpha, min(min(each.minimum, float(each.coverage.min())) for each in result)
    return max(0.0, 1 - min(max(2 * alpha, 1.15 * (1 - lowest)), 6 * alpha))


def _curve_envelope(each: Coverage) -> tuple[FloatArray, FloatArray]:
    """Return the lowest and the highest coverage of each narrow range of error rates."""
    if each.error.size <= 2 * _BINS:
        return each.error, each.coverage
    kept = [
        start + index
        for start, part in _split_methods(each.coverage)
        for index in sorted({int(part.argmin()), int(part.argmax())})
    ]
    return each.error[kept], each.coverage[kept]


def _split_methods(values: FloatArray) -> list[tuple[int, FloatArray]]:
    parts = np.array_split(values, _BINS)
    starts = np.cumsum([0, *(part.size for part in parts[:-1])])
    return list(zip(starts.tolist(), parts, strict=True))


def _figure_height(result: Sequence[Coverage]) -> float:
    """Return the height of a figure, in inches."""
    return max(4.2, 1.5 + _LINE * _lines_each(result) * len(result))


def _lines_each(result: Sequence[Coverage]) -> int:
    """Return how many lines of text each curve has beside the panel."""
    return 2 if len(result) <= _FULL else 1


def _name_curves(axes: Axes, result: Sequence[Coverage], names: Sequence[str]) -> None:
    """Write names on the right, as high as the means but never over each other."""
    bottom, top = axes.get_ylim()
    ends = np.array([np.clip((each.mean - bottom) / (top - bottom), 0, 1) for each in result])
    lines = _lines_each(result)
    tall = _figure_height(result) - 1.3  # of the panel, about
    for index, (each, name, end, at) in enumerate(
        zip(result, show_distinct_names(names, 24), ends, space_out(ends, lines * _LINE / tall), strict=True)
    ):
        figures = f"\nmean {each.mean:.3f}, min {each.minimum:.3f}" if lines == 2 else ""
        axes.annotate(
            f"{name}{figures}", (1.02, end), (1.07, at), xycoords="axes fraction", textcoords="axes fraction",
            va="center", fontsize=8.5, annotation_clip=False, **PLAIN,
            arrowprops={"arrowstyle": "-", "linewidth": 1.3, "shrinkA": 0, "shrinkB": 0, "relpos": (0, 0.5),
                        "color": COLOURS[index % len(COLOURS)]},
        )  # fmt: skip
