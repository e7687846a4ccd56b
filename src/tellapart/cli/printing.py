"""Results on the terminal: colour for the verdict and cautions, plain text in files and pipes."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ..display import Display, Row, styled_lines
from ..rendering import Rendered
from ..text_layout import printable
from .guarding import drop_output

# Messages have options as Python writes them: `margin` in a rule, interval='tango' in a fix.
_SPOKEN = re.compile(r"`(\w+)`")
_FIX = re.compile(r"\b(\w+)=('[^']*'|\([^()]*\)|[\w.+-]*\w)")
_VERB = re.compile(r"\b(advise|calibrate|compare|estimate|plan|race)\(\)")
# Options of a race, which commands that read its store do not have.
_OF_RACES = {"plan": "--plan", "seeds": "--seeds", "learning_curve": "--learning-curve"}


def remark(text: str) -> None:
    """Write a note to stderr; ignore a stream that cannot be written."""
    try:
        click.echo(printable(text), err=True)
    except OSError:
        drop_output(sys.stderr)


def request_output(context: click.Context, name: str, value: Any) -> None:
    """Store the value of an output option (verbose, explain, latex) until an answer is shown."""
    context.meta[f"{__name__}.{name}"] = value


def requested_output(name: str) -> Any:
    """Return the value of an output option; None if the command has no such option."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.meta.get(f"{__name__}.{name}")


def show_result(
    result: Rendered,
    *,
    verbose: bool | None = None,
    explain: bool | None = None,
    change: Callable[[Display, bool], Display] = lambda display, _verbose: display,
) -> None:
    """Print a result, and its explanation with `explain`; options in it are those of the command line.

    Without `verbose` and `explain` the options --verbose and --explain decide. --latex writes the result, too.
    `change` returns the display to print, given that of the result and whether it is verbose.
    """
    verbose = bool(requested_output("verbose")) if verbose is None else verbose
    explain = bool(requested_output("explain")) if explain is None else explain
    displays = [change(result.display(verbose=verbose or explain), verbose or explain)]
    if explain:
        rows = tuple(Row(*row) for row in result.explanations())
        displays += [Display(verdict="", blocks=rows)] if rows else []
    for index, display in enumerate(displays):
        if index:
            click.echo()
        show_display(display)
    write_latex(result)


def write_latex(result: Rendered) -> None:
    """Write a result to the file of --latex; several results of one command one below the other."""
    target = requested_output("latex")
    if target is None:
        return
    from ..gate.outputs import write_output
    from .answer_output import late_output

    texts = click.get_current_context().meta.setdefault(f"{__name__}.texts", [])
    texts.append(result.to_latex())
    with late_output(f"--latex {target!r}"):
        write_output(Path(target), "\n\n".join(texts) + "\n")
    if len(texts) == 1:
        remark(f"latex: {target}")


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
    if "group_margin" in options:
        options["margins"] = options["group_margin"]
    if "lower_is_better" in options:
        options["higher_is_better"] = options["lower_is_better"]
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
    >>> as_options("Use prior=(0.5, 0.5), or scores=True.", {"prior": "--prior", "scores": "--scores"})
    'Use --prior 0.5,0.5, or --scores.'

    Options that only a race has are named with its command, and verbs with theirs.

    >>> as_options("Use 200 bootstrap samples (plan='632*200').", {})
    "Use 200 bootstrap samples (`tellapart race --plan '632*200'`)."
    >>> as_options("Use estimate() for each model.", {})
    'Use `tellapart estimate` for each model.'
    """

    def spoken(match: re.Match[str]) -> str:
        return f"`{options[match[1]]}`" if match[1] in options else match[0]

    def fix(match: re.Match[str]) -> str:
        value = match[2].strip("'")
        if match[2].startswith("("):
            value = ",".join(number.strip() for number in value.strip("()").split(","))
        if match[1] in options and match[1] != "higher_is_better":  # whose value is the opposite
            return options[match[1]] if value == "True" else f"{options[match[1]]} {shlex.quote(value)}"
        return f"`tellapart race {_OF_RACES[match[1]]} {shlex.quote(value)}`" if match[1] in _OF_RACES else match[0]

    return _VERB.sub(r"`tellapart \1`", _FIX.sub(fix, _SPOKEN.sub(spoken, text)))
