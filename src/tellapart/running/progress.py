"""A progress bar on standard error for long computations."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(description: str, total: int, done: int, progress: bool | None) -> Iterator[Callable[[int], None]]:
    """Yield a function that advances a progress bar.

    With `progress=None` the bar is shown on a terminal only.
    """
    if not (sys.stderr.isatty() if progress is None else progress) or done == total:
        yield lambda _: None
        return
    from rich.console import Console  # only if the bar is shown
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    console = Console(stderr=True)
    with Progress(*columns, TextColumn("left"), console=console, transient=console.is_terminal) as bar:
        task = bar.add_task(description, total=total, completed=done)
        yield lambda number: bar.advance(task, number)
