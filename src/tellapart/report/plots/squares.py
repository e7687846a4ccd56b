"""A square of learners by learners, shared by the pictures of all pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import import_extra
from ...typing_ import BoolArray, FloatArray
from ..style import COLOURS, GRID, INK, MUTED
from .labels import longest_length, name_axis, show_distinct_names, write_at

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEVELS = 8  # shades of either colour
_STRONGEST = 0.62  # opacity that words on it can still be read by, in the light and in the dark
_WIDTHS = 7.4, 8.3  # inches, of few and of many
_FEW = 10  # learners


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Square:
    """A square of learners, with a value from −1 to 1 that shades each cell.

    Above 0 a cell has the colour of the row, below 0 that of the column; NaN is left blank.
    """

    names: Sequence[str]
    shares: FloatArray
    lines: int  # of text in a cell
    ends: tuple[str, str, str]  # labels of the key: left, middle, right
    note: str  # below it

    @property
    def called(self) -> list[str]:
        """The names as they are shown."""
        return show_distinct_names(self.names, 24 if len(self.names) <= _FEW else 20)

    @property
    def width(self) -> float:
        """Width of the picture in inches."""
        return _WIDTHS[len(self.names) > _FEW]

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of a cell in typographic points."""
        across = (72 * self.width - 5.0 * longest_length(self.called) - 36) / len(self.names)
        tall = max(10.0 * self.lines + 5.0, 12.5)
        return across, max(tall, min(across, 30.0)) if self.lines else max(11.0, min(across, 16.0))

    @property
    def turned(self) -> bool:
        """Whether the names of columns stand upright, for want of room."""
        return 5.0 * longest_length(self.called) > self.cell[0]

    @property
    def head(self) -> float:
        """Typographic points for the names of columns."""
        return 4.9 * longest_length(self.called) + 8 if self.turned else 15.0

    @property
    def height(self) -> float:
        """Height of the picture in inches."""
        return (self.cell[1] * len(self.names) + self.head + _KEY) / 72 + 0.7


_KEY = 30.0  # typographic points for the key below the square


def draw_square(axes: Axes, square: Square) -> None:
    """Draw the shades, the names of rows and columns, and the key; texts in cells are the caller's."""
    many = len(square.names)
    head, key = square.head / square.cell[1], _KEY / square.cell[1]
    axes.set(xlim=(0, many), ylim=(many + key, -head), xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    for sign, colour in ((1, COLOURS[0]), (-1, COLOURS[1])):
        with np.errstate(invalid="ignore"):
            level = np.nan_to_num(np.ceil(_LEVELS * sign * square.shares - 1e-9)).astype(int)
        for step in range(1, _LEVELS + 1):
            boxes = list(_find_runs(level == step))
            if boxes:
                _fill_square(axes, boxes, colour, _shade_of(step))
    patches = import_extra("matplotlib.patches", "plot")
    if square.lines:
        for index in range(1, many):
            axes.plot([index, index], [0, many], color=GRID, linewidth=0.6)
            axes.plot([0, many], [index, index], color=GRID, linewidth=0.6)
    axes.add_patch(patches.Rectangle((0, 0), many, many, fill=False, edgecolor=MUTED, linewidth=0.8, clip_on=False))
    size = 8.5 if many <= _FEW else min(8.0, 0.62 * square.cell[1])
    for index, name in enumerate(square.called):
        write_at(axes, (0, index + 0.5), name, by=(-5, 0), ha="right", fontsize=size)
        write_at(axes, (index + 0.5, 0), name, by=(0, 4), ha="center", va="bottom", fontsize=size,
              rotation=90 if square.turned else 0)  # fmt: skip
    _draw_key(axes, square)
    name_axis(axes, x=square.note)


def _find_runs(marked: BoolArray) -> Iterator[tuple[float, float, float, float]]:
    """Return marked cells, adjacent ones merged into one box: left, top, width and height."""
    edges = np.diff(np.pad(marked, ((0, 0), (1, 1))).astype(int), axis=1)
    for (row, start), (_, end) in zip(np.argwhere(edges == 1), np.argwhere(edges == -1), strict=True):
        yield float(start), float(row), float(end - start), 1.0


def mark_cells(axes: Axes, square: Square, places: Sequence[tuple[int, int]]) -> None:
    """Mark cells, by row and column, with a small square in their middle."""
    across, down = square.cell
    longest_length, tall = 2.6 / across, 2.6 / down
    boxes = [(column + 0.5 - longest_length / 2, row + 0.5 - tall / 2, longest_length, tall) for row, column in places]
    if boxes:
        _fill_square(axes, boxes, INK, opacity=1.0)


def _shade_of(step: int) -> float:
    return 0.04 + (_STRONGEST - 0.04) * step / _LEVELS


def _fill_square(axes: Axes, boxes: list[tuple[float, float, float, float]], colour: str, opacity: float) -> None:
    """Fill boxes with one shade: one path for all of them, so that many stay a small file."""
    paths, patches, transforms = (
        import_extra(f"matplotlib.{name}", "plot") for name in ("path", "patches", "transforms")
    )
    unit = paths.Path.unit_rectangle()
    moved = [
        unit.transformed(transforms.Affine2D().scale(longest_length, tall).translate(x, y))
        for x, y, longest_length, tall in boxes
    ]
    shape = paths.Path.make_compound_path(*moved)
    axes.add_patch(patches.PathPatch(shape, facecolor=colour, linewidth=0, alpha=opacity, clip_on=False))


def _draw_key(axes: Axes, square: Square) -> None:
    """Draw a colour bar below the square, with labels at both ends and in the middle."""
    many = len(square.names)
    tall = square.cell[1]
    top, height, step = many + 9 / tall, 8 / tall, 0.4 * many / (2 * _LEVELS)
    middle = many / 2
    for index in range(1, _LEVELS + 1):
        _fill_square(axes, [(middle + (index - 1) * step, top, step, height)], COLOURS[0], _shade_of(index))
        _fill_square(axes, [(middle - index * step, top, step, height)], COLOURS[1], _shade_of(index))
    look: dict[str, Any] = {"fontsize": 8.5, "color": INK}
    reach = _LEVELS * step
    write_at(axes, (middle - reach, top + height / 2), square.ends[0], by=(-5, 0), ha="right", **look)
    write_at(axes, (middle + reach, top + height / 2), square.ends[2], by=(5, 0), **look)
    write_at(axes, (middle, top + height), square.ends[1], by=(0, -2), ha="center", va="top", **look)
