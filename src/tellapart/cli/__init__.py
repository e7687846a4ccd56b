"""The command line: parse, call, render. One file per command, loaded when it is called."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

from .. import __version__
from ..errors import OutputNotWritten, TellapartError
from .guarding import asks_gate, drop_output, give_up, guarded

try:
    import click

    from .help_pages import CommandList
except Exception as error:  # a gate exits with 4 even if click cannot be loaded
    give_up(error)

__all__ = ["main"]

_NOT_WRITTEN = 3  # an answer was printed or stored, but an output was not written

COMMANDS = (
    "advise",
    "calibrate",
    "compare",
    "completion",
    "coverage",
    "estimate",
    "gate",
    "methods",
    "peek",
    "plan",
    "race",
    "reproduce",
    "watch",
)


class Main(CommandList):
    """The group of all commands: bad input is one line on stderr and status 2, an output that fails late is 3."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command, whose module is loaded now."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"tellapart.cli.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; its errors learn the names of its options."""
        try:
            return super().invoke(ctx)
        except TellapartError as error:
            from .printing import options_of

            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            error.options = ({} if command is None else options_of(command)) | getattr(error, "options", {})
            raise

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words of the command line for the report."""
        ctx.meta["typed"] = tuple(args)
        return super().parse_args(ctx, args)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run, and turn expected failures into one line and an exit status; for a gate also unexpected ones."""
        if asks_gate(kwargs.get("args", args[0] if args else None)):
            guarded(lambda: self._run_command(*args, **kwargs))
        for name in ("stdout", "stderr"):
            if getattr(sys, name) is None:  # closed by the parent process
                setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  # until the end
        try:
            return self._run_command(*args, **kwargs)
        except (click.Abort, KeyboardInterrupt):
            _exit_with("stopped before it was done.", 130)
        except BrokenPipeError:  # the reader has closed the pipe, as `head` does
            drop_output()
            sys.exit(1)
        except OSError as error:
            _fail_by_system(error)

    def _run_command(self, *args: Any, **kwargs: Any) -> Any:
        """Run, and turn bad input into one line and exit status 2, a late failure of an output into 3."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")  # a terminal that lacks a character gets a question mark
        try:
            return super().main(*args, **{**kwargs, "standalone_mode": False})
        except click.exceptions.NoArgsIsHelpError as shown:
            click.echo(shown.format_message())
            sys.exit(2)
        except TellapartError as error:
            _exit_with(_in_options(error), _NOT_WRITTEN if isinstance(error, OutputNotWritten) else 2)
        except click.ClickException as error:
            from .usage_errors import describe_usage_error

            _exit_with(describe_usage_error(error), 2)


def _in_options(error: TellapartError) -> str:
    """Return the message of an error with the options of its command instead of Python's keywords."""
    from .printing import as_options

    return as_options(str(error), getattr(error, "options", {}))


def _fail_by_system(error: OSError) -> None:
    """Exit with one line for an error of the operating system: of a named file, or of standard output."""
    why = error.strerror or str(error) or type(error).__name__
    if error.filename is not None:
        _exit_with(f"{str(error.filename)!r} cannot be used: {why}.", 2)
    drop_output()
    _exit_with(f"standard output cannot be written: {why}.", _NOT_WRITTEN)


def _exit_with(message: str, status: int) -> None:
    from ..text_layout import printable
    from .printing import remark

    remark(f"error: {' '.join(printable(message).split())}")
    sys.exit(status)


@click.group(cls=Main, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", prog_name="tellapart")
def main() -> None:
    """Compare models honestly: which is better, by how much, how surely.

    \b
    Examples:
      tellapart compare predictions.csv --label species --models forest,stump
      tellapart estimate 3 120
      tellapart race --data wine --learner sklearn.naive_bayes.GaussianNB \\
        --learner sklearn.tree.DecisionTreeClassifier

    \b
    Exit status (gate and reproduce have their own):
      0  answered
      2  bad input; nothing was stored except finished fits of a race
      3  answered or stored, but an output could not be written
    """


main.name = "tellapart"
