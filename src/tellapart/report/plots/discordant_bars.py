"""The picture of a paired table: concordant and discordant examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...evidence import PairedTable, is_one
from ..picture import Numbers, Picture, drawn
from ..style import BAND, COLOURS, INK, MUTED, PAPER
from .drawable_types import undrawable
from .labels import fits_beside, narrow_size, show_name, write_at
from .rows import WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def paired_table(table: PairedTable, *, ax: Axes | None = None) -> Axes:
    """Draw the four counts of a paired table: all examples above, the discordant ones below.

    The dotted line halves the lower bar: the expectation under equal error rates.

    Parameters
    ----------
    table
        The four counts of two models on one test set.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> axes = paired_table(ta.PairedTable(20, 25, 10, 45, models=("tree", "forest")))
    >>> [round(float(bar.get_width()), 2) for bar in axes.patches]
    [0.45, 0.25, 0.1, 0.2, 0.71, 0.29]
    """
    return drawn(paired_table_picture(table), ax)


def paired_table_picture(table: PairedTable) -> Picture:
    """Return the picture that `paired_table` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> paired_table_picture(ta.PairedTable(20, 25, 10, 45)).numbers.rows[1]
    ('only A wrong', 25, 0.25)
    """
    if not is_one(table, PairedTable):
        raise undrawable("table", table, "one PairedTable, such as compare(...).evidence")
    a, b = table.models
    cells = [int(each) for each in (table.both_right, table.only_a_wrong, table.only_b_wrong, table.both_wrong)]
    names = ("both right", f"only {a} wrong", f"only {b} wrong", "both wrong")
    if table.event != "wrong":
        names = (f"neither {table.event}", f"only {a} {table.event}", f"only {b} {table.event}", f"both {table.event}")
    total = sum(cells)
    text = [
        f"{show_name(name, 56)}: {count:,} ({_format_share(count, total)})"
        for name, count in zip(names, cells, strict=True)
    ]
    stacked = len(text[1]) + len(text[2]) > 58
    return Picture(
        title="Discordant examples",
        alt=(
            f"Of {total:,} examples: {'; '.join(text)}. The {cells[1] + cells[2]:,} discordant ones are drawn again"
            " below, enlarged."
        ),
        numbers=Numbers(
            head=("outcome", "examples", "share"),
            rows=tuple((name, count, count / total) for name, count in zip(names, cells, strict=True)),
        ),
        draw=lambda axes: _draw_table(axes, cells, text, stacked=stacked),
        size=(WIDTH, 2.35 + 0.18 * stacked),
        narrow=narrow_size(2.7, *text),
    )


def _format_share(count: int, total: int) -> str:
    share = count / total
    return f"{100 * share:.1f}%" if not count or 0.001 <= share <= 0.999 else f"{100 * share:.3g}%"


def _draw_table(axes: Axes, cells: list[int], text: list[str], *, stacked: bool) -> None:
    total, discordant = sum(cells), cells[1] + cells[2]
    looks = ((BAND, ""), (COLOURS[1], ""), (COLOURS[0], "////"), (MUTED, ""))
    axes.set(xlim=(0, 1), ylim=(-0.35 - 0.4 * stacked, 3.9), xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    start = 0.0
    for count, (colour, hatch) in zip(cells, looks, strict=True):
        axes.barh(
            [2.7], [count / total], left=start, height=0.8, color=colour, edgecolor=PAPER, linewidth=0.8, hatch=hatch
        )
        start += count / total
    write_at(axes, (0, 3.15), text[0], by=(0, 2), va="bottom")
    write_at(
        axes, (1, 3.15), text[3], by=(0, 2 if fits_beside(axes, text[0], text[3]) else 14), va="bottom", ha="right"
    )
    if not discordant:
        write_at(axes, (0.5, 1.3), "no discordant examples", ha="center", color=MUTED)
        return
    left, right = cells[0] / total, (cells[0] + discordant) / total
    for above, below in ((left, 0.0), (right, 1.0)):
        axes.plot([above, below], [2.27, 1.43], color=MUTED, linewidth=0.8)
    many = f"{discordant:,} discordant"
    write_at(axes, ((left + right + 1) / 4, 1.85), many, ha="center", fontsize=8.5, color=MUTED)
    lower, start = [cells[1] / discordant, cells[2] / discordant], 0.0
    for share, (colour, hatch) in zip(lower, looks[1:3], strict=True):
        axes.barh([1.0], [share], left=start, height=0.8, color=colour, edgecolor=PAPER, linewidth=0.8, hatch=hatch)
        start += share
    axes.plot([0.5, 0.5], [0.5, 1.5], color=INK, linewidth=1.1, linestyle=(0, (1, 1.5)))
    stacked = stacked or not fits_beside(axes, text[1], text[2])
    bold: dict[str, Any] = {"va": "top", "fontweight": "bold"}
    write_at(axes, (0, 0.55), text[1], by=(0, -2), **bold, color=COLOURS[1])
    write_at(axes, (1, 0.55), text[2], by=(0, -2 - 13 * stacked), ha="right", **bold, color=COLOURS[0])
