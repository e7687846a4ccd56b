"""A bar on standard error for work that takes its time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(what: str, total: int, done: int, progress: bool | None) -> Iterator[Callable[[int], None]]:
    """Yield what moves a progress bar on by so many; a bar that nobody wants stays where it is.

    `progress=None` shows it on a terminal only.
    """
    if not (sys.stderr.isatty() if progress is None else progress) or done == total:
        yield lambda _: None
        return
    from rich.console import Console  # only where it is seen
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    parts = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    console = Console(stderr=True)
    with Progress(*parts, TextColumn("left"), console=console, transient=console.is_terminal) as bar:
        shown = bar.add_task(what, total=total, completed=done)
        yield lambda number: bar.advance(shown, number)
