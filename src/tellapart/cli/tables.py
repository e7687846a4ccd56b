"""Tables on the terminal, by rich; this module is loaded only by commands that show one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..display import printable


def show_table(headers: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[str] = ()) -> None:
    """Print a table; columns named in `numbers` are aligned on the right, nothing is ever cut off."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for header in headers:
        table.add_column(
            printable(header),
            justify="right" if header in numbers else "left",
            overflow="fold",
            no_wrap=header in numbers,
        )
    for row in rows:
        table.add_row(*map(printable, row))
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:  # a pipe has no width: let every row have its line
        console.width = 400
    console.print(table)
