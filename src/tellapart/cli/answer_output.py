"""`--html`, `--latex` and `--examples`: answers as files, and the examples behind them."""

from __future__ import annotations

import io
import json
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..display import Display
from ..errors import InvalidOption, OutputNotWritten, TellapartError
from ..rendering import plain
from .printing import remark, requested_output, show_display, show_result, write_latex

if TYPE_CHECKING:
    from ..predictions import Disagreements

_RELEASE = f"{__name__}.release"  # the key of the function that prints delayed output


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """How to show an answer, checked before there is one."""

    as_json: bool
    html: str | None = None
    examples: int | None = None
    done: str = "the answer was given"  # what is already done when a report is written

    def show(
        self,
        answer: Any,
        rows: Disagreements | None = None,
        *,
        notes: Sequence[str] = (),
        alternatives: bool = False,
    ) -> None:
        """Print an answer; JSON with the examples behind it.

        `notes` are further lines of the data row. With `alternatives`, --verbose lists alternatives to the default.
        """
        if not self.as_json:

            def change(display: Display, verbose: bool) -> Display:  # as show_result calls it
                from .answer_tables import add_alternatives, add_notes

                display = add_notes(display, notes) if notes else display
                return add_alternatives(display, answer.evidence) if verbose and alternatives else display

            show_result(answer, change=change)
            return
        document = answer.as_dict() | ({} if rows is None else {"examples": rows.as_dict()})
        click.echo(json.dumps(plain(document), indent=2, ensure_ascii=False, allow_nan=False))
        write_latex(answer)

    def show_rows(self, rows: Disagreements | None) -> None:
        """Print a table of examples, unless JSON or a report has them."""
        if rows is None or self.as_json or self.html is not None:
            return
        from ..display import TextTable

        click.echo()
        summary = rows.describe()
        head, lines = rows.table()
        table = TextTable(head=head, lines=list(lines), align="l" * len(head))
        blocks = (table,) if rows.lines else ()
        show_display(Display(verdict="", blocks=(f"{summary[0].upper()}{summary[1:]}.", *blocks)))

    def write(
        self,
        answer: Any,
        *,
        code: str = "",
        files: tuple[str, ...] = (),
        data: Mapping[str, str] | None = None,
        seed: int | None = None,
        **shown: Any,
    ) -> None:
        """Write the report of --html, and name its file on stderr."""
        if self.html is None:
            return
        from ..report.provenance import Provenance
        from ..report.writing import write_report
        from .file_reading import progress

        with late_output(f"--html {self.html!r}", self.done), progress("writing the report"):
            seed = _find_seed(answer) if seed is None else seed
            provenance = Provenance(command=typed(), code=code, seed=seed, data={**(data or {}), **fingerprints(files)})
            write_report(self.html, answer, provenance=provenance, **shown)
        click.get_current_context().meta.get(_RELEASE, lambda: None)()
        remark(f"report: {self.html}")


def output(
    *, as_json: bool, html: str | None, method: Any = None, examples: int | None = None, spare: tuple[Any, ...] = ()
) -> Output:
    """Return how to show an answer; raise InvalidOption now for a report that cannot be written.

    Parameters
    ----------
    as_json, html, examples
        Values of the options.
    method
        The requested method; all has no report.
    spare
        Files that a report must not replace: inputs and stores.
    """
    if html is not None:
        from ..gate.outputs import output_file
        from ..report.writing import report_file

        check_ending("--html", html, (".html", ".htm"))
        if method == "all":
            raise InvalidOption("`--method` must be one method with --html, got all.")
        output_file(html, "--html")
        target = report_file(html).resolve()
        _refuse_overwriting("--html", html, target, spare)
        if not sys.stdout.isatty():
            click.get_current_context().with_resource(_delay_output())
    latex = requested_output("latex")
    if latex is not None:
        _refuse_overwriting("--latex", latex, _resolve_path(latex), (*spare, html))
    if examples is not None and method == "all":
        raise InvalidOption("`--method` must be one method with --examples, got all.")
    return Output(as_json=as_json, html=html, examples=examples)


def check_ending(option: str, file: str, endings: Sequence[str]) -> None:
    """Raise InvalidOption if the name of an output has another ending.

    Examples
    --------
    >>> check_ending("--html", "page.html", (".html", ".htm"))
    """
    if Path(file).suffix.lower() not in endings:
        raise InvalidOption(f"`{option}` must end in {_join_choices(endings)}, got {file!r}.")


def _join_choices(choices: Sequence[str]) -> str:
    return " or ".join(part for part in (", ".join(choices[:-1]), choices[-1]) if part)


def check_plot(file: str) -> None:
    """Raise InvalidOption for a picture that cannot be drawn or written; commands call this before the work."""
    from ..gate.outputs import output_file
    from ..report.plots.saving import FORMATS, figure_format

    check_ending("--plot", file, [f".{name}" for name in FORMATS])
    output_file(file, "--plot", appended=True)
    figure_format(file)


def _refuse_overwriting(name: str, value: str, target: Path | None, inputs: tuple[Any, ...]) -> None:
    """Raise InvalidOption if an output would replace a file that the command reads or writes."""
    if target is not None and any(_resolve_path(file) == target for file in inputs if file):
        raise InvalidOption(f"`{name}` must not replace a file of this command, got {value}. Choose another name.")


def _resolve_path(name: Any) -> Path | None:
    """Return the resolved path; None for a name that cannot be a file, which reading reports."""
    try:
        return Path(name).resolve()
    except (OSError, ValueError):
        return None


@contextmanager
def late_output(name: str, done: str = "the answer was given") -> Iterator[None]:
    """Raise OutputNotWritten for an output that fails after the answer."""
    try:
        yield
    except BrokenPipeError:  # the reader has closed the pipe, as `head` does
        raise
    except OutputNotWritten as error:
        raise OutputNotWritten(f"{done}, but {error}") from error
    except (TellapartError, OSError) as error:
        raise OutputNotWritten(f"{done}, but {name} was not written: {error}") from error


@contextmanager
def _delay_output() -> Iterator[None]:
    """Delay printing until the report is written: a reader that closes the pipe must not prevent it."""
    real, buffer = sys.stdout, io.StringIO()

    def release() -> None:
        text = buffer.getvalue()
        buffer.seek(buffer.truncate(0))
        click.echo(text, file=real, nl=False)

    click.get_current_context().meta[_RELEASE] = release
    with redirect_stdout(buffer):
        try:
            yield
        finally:
            release()


def typed() -> str:
    """Return the command line as typed."""
    return shlex.join(("tellapart", *click.get_current_context().meta["typed"]))


def fingerprints(files: tuple[str, ...]) -> dict[str, str]:
    """Return the fingerprint of each file by its name on the command line; for a folder, of all its files."""
    from ..readers.files import files_inside, files_of
    from ..report.provenance import fingerprint_of_file

    def inside(name: str) -> list[Path]:
        folder = Path(name)
        if not folder.is_dir():
            return files_of(name)
        # A log may be split into several files.
        return sorted(file for file in files_inside(folder) if not file.name.startswith("."))

    return {str(file): fingerprint_of_file(file) for name in files for file in inside(name)}


def _find_seed(answer: Any) -> int | None:
    """Return the default seed of random methods; None without any."""
    from ..methods import find_methods

    answers = answer.values() if isinstance(answer, Mapping) else [answer]
    names = {getattr(entry, "method", None) for entry in answers}
    names |= {getattr(getattr(entry, "interval", None), "method", None) for entry in answers}
    names |= {getattr(entry, "adjustment", None) for entry in answers}
    draws = any("rng" in entry.options for name in names if name for entry in find_methods(name=name))
    return 0 if draws else None
