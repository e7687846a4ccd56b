"""Results on the terminal: by rich where somebody looks, as plain text in files and pipes."""

from __future__ import annotations

import os
import sys

import click

from ..rendering import Rendered, printable
from .guarding import drop_output


def remark(text: str) -> None:
    """Say something beside the answer, on stderr; where that cannot be written, nobody listens and nothing fails."""
    try:
        click.echo(printable(text), err=True)
    except OSError:
        drop_output(sys.stderr)


def show_result(result: Rendered) -> None:
    """Print a result: labels and cautions stand out on a terminal; elsewhere, and with NO_COLOR, it is plain text."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        click.echo(result)
        return
    from rich.console import Console

    Console(markup=False, highlight=False, emoji=False).print(result)
