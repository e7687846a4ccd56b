"""Results on a terminal, by rich, which is loaded with this module and by nothing else below the command line.

What is shown is text: a model called `[red]x[/red]` is shown as such.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text


def grid(rows: Sequence[tuple[str, str]], width: int) -> Table:
    """Return labels and values side by side, at most `width` columns; labels stand out, and cautions warn."""
    side_by_side = Table.grid(padding=(0, 2, 0, 0))
    side_by_side.add_column(no_wrap=True)
    side_by_side.add_column(overflow="fold", max_width=width - max(len(label) for label, _ in rows) - 2)
    for label, value in rows:
        style = "yellow" if label == "caution" else ""
        side_by_side.add_row(_text(label, f"bold {style}"), _text(value, style))
    return side_by_side


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> Table:
    """Return cells under their heads."""
    cells = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in head:
        cells.add_column(_text(name, "bold"), overflow="fold")
    for line in lines:
        cells.add_row(*(_text(cell) for cell in line))
    return cells


def _text(text: str, style: str = "") -> Text:
    """Return text that is no markup, without characters that a terminal would obey."""
    return Text("".join(each if each.isprintable() else " " for each in text), style=style)
