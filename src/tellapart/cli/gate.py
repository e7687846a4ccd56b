"""`tellapart gate`: may this model ship? A verdict in words, in files and in the exit status."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..display import printable
from ..errors import InvalidOption, MissingExtra, OutputNotWritten
from ..rendering import Rendered, plain
from .guarding import UNEXPECTED, ReaderLeft
from .log_source import GATE, OWN, LogSource, of_gate
from .parameters import FilesAndNumbers, as_count, completing, output_options
from .printing import remark, show_result
from .reading import columns, counted, listed, progress, refuse_columns

if TYPE_CHECKING:
    from ..gate import Judgement
    from ..gate.rules import Rules

_DEFAULTS = {"margin": 0.01, "alpha": 0.05, "power": 0.8, "missing": "fail", "correct": False, "text": False}
_JUDGING = ("margin", "alpha", "power", "method")
_COLORS = {"pass": "green", "worse": "red", "not enough evidence": "yellow"}


@click.command("gate", cls=FilesAndNumbers)
@click.argument("files", nargs=-1, metavar="[BASELINE] [CANDIDATE]")
@columns
@of_gate
@click.option(
    "--table",
    type=as_count,
    nargs=4,
    metavar="BOTH_WRONG ONLY_BASELINE_WRONG ONLY_CANDIDATE_WRONG BOTH_RIGHT",
    help="Four counts instead of files.",
)
@click.option("--margin", type=float, help="By how much more often the candidate may err.  [default: 0.01, one point]")
@click.option("--group-margin", multiple=True, metavar="NAME=M", help="A margin for one group; may be repeated.")
@click.option("--alpha", type=float, help="How often, about, one worse by the margin passes.  [default: 0.05]")
@click.option(
    "--method",
    metavar="NAME",
    shell_complete=completing(question=3, gives="test"),
    help="Test that takes a margin, and its interval.  [default: tango]",
)
@click.option("--power", type=float, help="Probability of a pass that `more examples` are told for.  [default: 0.8]")
@click.option(
    "--config", metavar="FILE", help="TOML with [tool.tellapart.gate].  [default: the nearest pyproject.toml]"
)
@click.option("--markdown", metavar="OUT", help="Write Markdown, too, for a pull request.")
@click.option("--junit", metavar="OUT", help="Write JUnit XML, too.")
@output_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    table: tuple[float, ...] | None,
    group_margin: tuple[str, ...],
    config: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Tell whether CANDIDATE may take the place of BASELINE: pass, worse, or not enough evidence.

    Both are files of predictions (CSV, TSV, Parquet, JSON lines or Arrow) of the same examples, joined by the column
    id (or --id), with predictions in the column prediction (or --models); or one FILE holds both and --models names
    them, the baseline first; or both are logs of evaluation tools (see compare). It passes where the interval of
    error(baseline) - error(candidate) lies above -margin; with --group every group must pass.

    Exit status: 0 pass, 1 worse, 2 bad input, 3 not enough evidence, 4 anything unexpected. Rules may stand in
    [tool.tellapart.gate] of pyproject.toml; options win over them. Where $GITHUB_STEP_SUMMARY is set, the verdict is
    appended to that file.

    \b
    Examples:
      tellapart gate old.csv new.csv --label species --id row --margin 0.01
      tellapart gate predictions.csv --label species --models stump,forest --group site
      tellapart gate old.csv new.csv --label species --id row --markdown gate.md --junit gate.xml
      tellapart gate old.eval new.eval --errors wrong --margin 0.02
      tellapart gate --table 20 12 9 2959 --margin 0.01
    """
    try:
        found = _judged(ctx, files, table, group_margin, config, as_json, given)
    except (MissingExtra, OutputNotWritten) as error:  # nothing that was typed is wrong, and yet there is no verdict
        remark(f"tellapart: {' '.join(str(error).split())}")
        ctx.exit(UNEXPECTED)
    ctx.exit(found.exit_status)


def _judged(
    ctx: click.Context,
    files: tuple[str, ...],
    table: tuple[float, ...] | None,
    group_margin: tuple[str, ...],
    config: str | None,
    as_json: bool,
    given: dict[str, Any],
) -> Judgement:
    """Judge, and write everything that was asked for, before anything is printed."""
    outputs = _Outputs.asked({name: given.pop(name) for name in ("markdown", "junit", "html")}, spare=(*files, config))
    settings = _Settings.told(ctx, given, _rules(config, of_counts=bool(table)), group_margin)
    if bool(files) == bool(table) or len(files) > 2:
        raise click.UsageError("give BASELINE and CANDIDATE, or one FILE with --models, or --table.")
    if table and group_margin:
        raise InvalidOption("--group-margin speaks of groups, but --table has none. Leave it out, or give files.")
    found, notes = (_of_counts(ctx, table, settings, given), ()) if table else _of_files(files, settings)
    try:
        outputs.write(found, settings, files, table)
    except InvalidOption as error:  # it had seemed that this file could be written: a verdict that nobody gets is none
        raise OutputNotWritten(str(error)) from error
    try:
        _show(found, settings, notes, as_json=as_json)
    except BrokenPipeError as error:
        raise ReaderLeft from error
    return found


# --- What holds: options, rules, defaults -----------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settings:
    """Every setting, and where it came from."""

    values: Mapping[str, Any]
    origins: Mapping[str, str]
    rules: Rules
    own: Mapping[str, float]  # margins of groups, from the command line

    @classmethod
    def told(
        cls, ctx: click.Context, given: Mapping[str, Any], rules: Rules, group_margin: tuple[str, ...]
    ) -> _Settings:
        """Put together what the command line says, then the rules, then the defaults."""
        values, origins = {}, {}
        for name, value in given.items():
            key = "id" if name == "key" else name
            typed = ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
            origins[key] = "command line" if typed else rules.file if key in rules.values else "default"
            values[name] = value if typed else _as_typed(rules.values[key]) if key in rules.values else value
            if values[name] is None:
                values[name] = _DEFAULTS.get(key)
        return cls(values=values, origins=origins, rules=rules, own=dict(map(_group_margin, group_margin)))

    @property
    def judging(self) -> dict[str, Any]:
        """What `judge` takes."""
        margins = {**self.rules.margins, **self.own}
        return {name: self.values[name] for name in _JUDGING} | {"margins": margins or None}

    @property
    def parts(self) -> dict[str, Any]:
        """What a reader of tables takes."""
        return {name: value for name, value in self.values.items() if name not in (*_JUDGING, *GATE, "metric")}

    def source(self, files: tuple[str, ...]) -> LogSource:
        """Return the files as logs, with what was said of them."""
        own = dict.fromkeys(OWN) | {name: self.values[name] for name in GATE}
        return LogSource(files=files, own=own, parts=self.parts, metric=self.values["metric"])

    def as_dict(self) -> dict[str, Any]:
        """Return every setting that was made, or that judges, with its origin."""
        told: dict[str, Any] = {
            name: {"value": value, "from": self.origins[name]}
            for name, value in self._by_name().items()
            if name in _JUDGING or self.origins[name] != "default"
        }
        ruled = {name: {"value": value, "from": self.rules.file} for name, value in self.rules.margins.items()}
        margins = ruled | {name: {"value": value, "from": "command line"} for name, value in self.own.items()}
        return told | ({"margins": margins} if margins else {})

    def from_rules(self) -> str:
        """Say what the rules have set; nothing where they have set nothing."""
        file = self.rules.file
        told = [f"{name} = {value}" for name, value in self._by_name().items() if file and self.origins[name] == file]
        told += [f"margin of {name} = {value}" for name, value in self.rules.margins.items() if name not in self.own]
        return f"{', '.join(told)} (from {file})" if told else ""

    def _by_name(self) -> dict[str, Any]:
        """Return every setting by the name that its option has."""
        return {("id" if name == "key" else name): value for name, value in self.values.items()}


def _rules(config: str | None, *, of_counts: bool) -> Rules:
    """Return the project's rules; what they say of files and of groups does not concern counts, which have neither."""
    from ..gate.rules import Rules, find_rules, read_rules

    rules = find_rules() if config is None else read_rules(config)
    if not of_counts:
        return rules
    return Rules(file=rules.file, values={name: rules.values[name] for name in _JUDGING if name in rules.values})


def _as_typed(value: Any) -> Any:
    """Return a rule as the option would have it: names between commas, in quotes where they hold one."""
    if not isinstance(value, list):
        return value
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(value)
    return line.getvalue()


def _group_margin(text: str) -> tuple[str, float]:
    name, _, size = text.rpartition("=")
    try:
        margin = float(size)
    except ValueError:
        margin = math.nan
    if not name or math.isnan(margin):
        raise InvalidOption(f"--group-margin must be a name and a margin, such as de=0.02, but is {text!r}.")
    return name, margin


# --- What is judged ---------------------------------------------------------------------------------


def _of_counts(ctx: click.Context, counts: tuple[float, ...], settings: _Settings, given: dict[str, Any]) -> Judgement:
    from ..evidence import PairedTable
    from ..gate import judge

    typed = {
        name: value
        for name, value in given.items()
        if name not in _JUDGING and ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }
    refuse_columns(typed, "--table")
    return judge(PairedTable(*counts), **settings.judging)


def _of_files(files: tuple[str, ...], settings: _Settings) -> tuple[Judgement, tuple[str, ...]]:
    """Return the judgement, and what logs want said of themselves."""
    from ..gate import judge

    source, notes = settings.source(files), tuple[str, ...]()
    if source.by_example:
        held = source.tally()
        if len(held.outcomes.models) < 2:
            raise InvalidOption(f"a gate judges two models, but there is only {held.outcomes.models[0]}.")
        if len(held.outcomes.models) > 2:
            raise InvalidOption(f"--models must name two of {', '.join(held.outcomes.models)}, the baseline first.")
        tally, notes = held.counted(), held.notes
    else:
        if settings.values["metric"]:
            raise InvalidOption("--metric is for the logs of evaluation tools, which these files are not.")
        tally = counted(files, **_reading(files, settings))
    with progress("judging"):
        return judge(tally, **settings.judging), notes


def _reading(files: tuple[str, ...], settings: _Settings) -> dict[str, Any]:
    """Return how the files are read: which columns are the two models', and by which they are joined."""
    parts = settings.parts
    models = listed(parts["models"])
    if len(files) == 1:
        if models is None:
            raise InvalidOption("one FILE holds several models: say which two are meant, --models BASELINE,CANDIDATE.")
        if len(models) != 2:
            raise InvalidOption(f"--models must name two, the baseline first, but is {parts['models']!r}.")
        return parts
    if models is not None and len(models) not in {1, 2}:
        raise InvalidOption(f"--models must name the column of predictions in each file, but is {parts['models']!r}.")
    parts |= {"models": None, "key": parts["key"] or "id"}
    if models is None:
        from ..gate.asserting import usual_column

        told = ("label", "group", "weight", "model", "prediction")
        own = {"id": parts["key"], **{name: parts[name] for name in told}}
        return parts | {"each": [usual_column(file, own) for file in files]}
    return parts | {"each": models if len(models) == 2 else models * 2}


# --- What comes of it -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outputs:
    """The files that were asked for; each can be written, as far as one can know before."""

    files: Mapping[str, Path]

    @classmethod
    def asked(cls, named: Mapping[str, str | None], spare: tuple[str | None, ...]) -> _Outputs:
        from ..gate.outputs import SUMMARY, output_file

        files = {name: output_file(target, f"--{name}") for name, target in named.items() if target is not None}
        if "html" in files:
            from ..report.writing import report_file

            report_file(files["html"])
        summary = os.environ.get(SUMMARY)
        also = {"summary": output_file(summary, f"${SUMMARY}", appended=True)} if summary else {}
        held = {Path(each).resolve(): "a file that this command reads" for each in spare if each}
        held |= {path.resolve(): f"${SUMMARY}, to which the verdict is appended anyhow" for path in also.values()}
        for name, path in files.items():
            if path.resolve() in held:
                raise InvalidOption(f"--{name} {str(path)!r} would replace {held[path.resolve()]}. Take another name.")
            if path.is_file() or not path.exists():
                held[path.resolve()] = f"what --{name} writes"
        return cls(files=files | also)

    def write(
        self, found: Judgement, settings: _Settings, files: tuple[str, ...], table: tuple[float, ...] | None
    ) -> None:
        """Write all of them; one that fails now is an error, whatever the verdict is."""
        from ..gate.outputs import append_summary, junit_of, write_output

        if "markdown" in self.files:
            write_output(self.files["markdown"], found.to_markdown())
        if "junit" in self.files:
            write_output(self.files["junit"], junit_of(found))
        if "html" in self.files:
            self._write_page(found, settings, files, table)
        if "summary" in self.files:
            append_summary(self.files["summary"], found)

    def _write_page(
        self, found: Judgement, settings: _Settings, files: tuple[str, ...], table: tuple[float, ...] | None
    ) -> None:
        from ..gate.page import page_of
        from ..report.provenance import Provenance
        from ..report.writing import write_page
        from .reports import fingerprints, typed

        with progress("writing the report"):
            told = Provenance(command=typed(), code=_lines(settings, files, table), data=fingerprints(files))
            write_page(self.files["html"], page_of(found, provenance=told, rules=settings.from_rules()))
        remark(f"report: {self.files['html']}")


def _lines(settings: _Settings, files: tuple[str, ...], table: tuple[float, ...] | None) -> str:
    """Return the lines of Python that judge the same."""
    from .python_code import write_call, write_program, write_reading

    if table:
        counts = write_call("ta.PairedTable", *table)
        return write_program([f"print({write_call('ta.judge', counts, **settings.judging)})"])
    source = settings.source(files)
    if source.by_example:
        lines = source.reading()[:-1]  # the gate counts for itself
        return write_program([*lines, f"print({write_call('ta.judge', 'predictions', **settings.judging)})"])
    parts = _reading(files, settings)
    lines = write_reading(files, parts, parts.pop("each", ()))
    return write_program([*lines, f"print({write_call('ta.judge', 'predictions', **settings.judging)})"])


class _Told(Rendered):
    """All rows but the verdict, which stands above them."""

    __slots__ = ("_rows",)

    def __init__(self, rows: list[tuple[str, str]]) -> None:
        self._rows = rows

    def rows(self) -> list[tuple[str, str]]:
        """Return what stands below the verdict."""
        return self._rows


def _show(found: Judgement, settings: _Settings, notes: tuple[str, ...], *, as_json: bool) -> None:
    if sys.stdout is None:  # it was closed from the start, where click would write nothing, in silence
        raise ReaderLeft
    if as_json:
        whole = found.as_dict() | {"settings": settings.as_dict(), "rules": settings.rules.file or None}
        whole |= {"notes": list(notes)} if notes else {}
        click.echo(json.dumps(plain(whole), indent=2, ensure_ascii=False, allow_nan=False))
        return
    (_, verdict), *rest = found.rows()
    ruled = settings.from_rules()
    bright = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    line = printable(verdict)
    click.echo(line if bright else click.style(line, fg=_COLORS[found.verdict], bold=True))  # a pipe gets no colours
    click.echo()
    show_result(_Told([*rest, *(("note", note) for note in notes), *([("rules", ruled)] if ruled else [])]))
