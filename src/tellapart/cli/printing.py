"""Results on the terminal: colour for the verdict and cautions where somebody looks, plain text in files and pipes."""

from __future__ import annotations

import os
import re
import sys

import click

from ..display import Display, Row, printable, styled_lines
from ..rendering import Rendered
from .guarding import drop_output

# In messages an option stands as Python has it: `margin` where it is spoken of, interval='tango' where it is a fix.
_SPOKEN = re.compile(r"`(\w+)`")
_FIX = re.compile(r"\b(\w+)=('[^']*'|[\w.+-]*\w)")


def remark(text: str) -> None:
    """Write a note beside the answer to stderr; if that cannot be written, nothing fails."""
    try:
        click.echo(printable(text), err=True)
    except OSError:
        drop_output(sys.stderr)


def show_result(result: Rendered, *, verbose: bool = False, explain: bool = False) -> None:
    """Print a result, or its explanation; options in it are those of the command line."""
    displays = [result.display(verbose=verbose or explain)]
    if explain:
        rows = tuple(Row(*row) for row in result.explanations())
        displays += [Display(verdict="", blocks=rows)] if rows else []
    for index, display in enumerate(displays):
        if index:
            click.echo()
        show_display(display)


def show_display(display: Display) -> None:
    """Print a display; in colour on a terminal, unless NO_COLOR is set."""
    context = click.get_current_context(silent=True)
    options = {} if context is None else options_of(context.command)
    display = display.mapped(lambda text: as_options(text, options))
    plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    for text, colour, bold in styled_lines(display):
        click.echo(text if plain or not (colour or bold) else click.style(text, fg=colour or None, bold=bold or None))


def options_of(command: click.Command) -> dict[str, str]:
    """Return the long options of a command, by the names that Python gives them."""
    options = {}
    for parameter in command.params:
        long = [name for name in parameter.opts if name.startswith("--")]
        if long:
            options[long[0].removeprefix("--").replace("-", "_")] = long[0]
            options.setdefault(parameter.name or "", long[0])
    return options


def as_options(text: str, options: dict[str, str]) -> str:
    """Return a message with the options of the command line instead of Python's keywords.

    Examples
    --------
    >>> options = {"margin": "--margin", "interval": "--interval", "alpha": "--alpha"}
    >>> as_options("`margin` must be between 0 and 1, got 1. For 1 pp use 0.01.", options)
    '`--margin` must be between 0 and 1, got 1. For 1 pp use 0.01.'
    >>> as_options("Use interval='unconditional', or test more examples.", options)
    'Use --interval unconditional, or test more examples.'
    """

    def spoken(match: re.Match[str]) -> str:
        return f"`{options[match[1]]}`" if match[1] in options else match[0]

    def fix(match: re.Match[str]) -> str:
        return f"{options[match[1]]} {match[2].strip(chr(39))}" if match[1] in options else match[0]

    return _FIX.sub(fix, _SPOKEN.sub(spoken, text))
