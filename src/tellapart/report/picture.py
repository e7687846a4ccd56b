"""A picture: its description, how it is drawn, and the numbers behind it.

The description and the numbers serve readers who cannot see the picture, or who want to draw it again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import import_extra
from .style import STYLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """The numbers of a picture as a table: column heads and rows, at full precision."""

    head: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One panel.

    Parameters
    ----------
    title
        What it is, in a few words.
    alt
        The description, in a sentence or two, for readers who do not see it.
    numbers
        What is drawn.
    draw
        Draws it on axes.
    size
        Width and height in inches on a figure of its own.
    narrow
        The same on a phone, if it can be drawn as narrow as that; else it moves sideways there.
    """

    title: str
    alt: str
    numbers: Numbers
    draw: Callable[[Axes], None]
    size: tuple[float, float] = (6.4, 2.4)
    narrow: tuple[float, float] | None = None


def drawn(picture: Picture, ax: Axes | None = None) -> Axes:
    """Draw a picture on the axes, or on those of a new figure, and return them.

    The style ends when it is drawn: nothing of it stays in matplotlib's settings. A title that the axes have is kept.
    """
    with import_extra("matplotlib", "plot").rc_context(STYLE):
        axes: Axes = new_figure(picture.size).add_subplot() if ax is None else ax
        titled = any(axes.get_title(loc=index) for index in ("left", "center", "right"))
        picture.draw(axes)
        if not titled:
            axes.set_title(picture.title, loc="left", parse_math=False, usetex=False)
    return axes


def new_figure(size: tuple[float, float]) -> Figure:
    """Return an empty figure that belongs to no window."""
    layout = import_extra("matplotlib.layout_engine", "plot").ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.08)
    figure: Figure = import_extra("matplotlib.figure", "plot").Figure(figsize=size, layout=layout)
    return figure
