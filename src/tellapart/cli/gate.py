"""`tellapart gate`: a non-inferiority verdict for a candidate, as text, files and exit status."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..display import Display, Row
from ..errors import InvalidOption, MissingExtra, OutputNotWritten
from ..figures import join_names
from ..rendering import Rendered, plain
from .file_reading import columns, count_predictions, progress, refuse_columns, split_names
from .guarding import UNEXPECTED, ReaderLeft
from .help_pages import COUNTS, OUTPUT, STATISTICS, grouped_option
from .log_source import GATE, LOG_OPTIONS, LogSource, of_gate
from .parameters import FilesAndNumbers, as_count, build_counts, complete_methods, output_options
from .printing import remark, show_result, write_latex

if TYPE_CHECKING:
    from ..gate import Judgement
    from ..gate.rules import Rules

_DEFAULTS = {"margin": 0.01, "alpha": 0.05, "power": 0.8, "missing": "fail", "correct": False, "text": False}
_JUDGING = ("margin", "alpha", "power", "method")


@click.command("gate", cls=FilesAndNumbers, short_help="Decide whether a candidate may replace a baseline.")
@click.argument("files", nargs=-1, metavar="[BASELINE] [CANDIDATE]")
@columns
@of_gate
@grouped_option(
    "--table",
    type=as_count,
    nargs=4,
    metavar="N N N N",
    section=COUNTS,
    help="Both wrong, only baseline wrong, only candidate wrong, both right.",
)
@grouped_option(
    "--margin",
    type=float,
    section=STATISTICS,
    help="Largest acceptable loss of the candidate; 0.01 is 1 pp. [0.01]",
)
@grouped_option(
    "--group-margin",
    multiple=True,
    metavar="NAME=M",
    section=STATISTICS,
    rare=True,
    help="Margin of one group of --group; repeatable.",
)
@grouped_option("--alpha", type=float, section=STATISTICS, help="Significance level. [0.05]")
@grouped_option(
    "--method",
    metavar="NAME",
    section=STATISTICS,
    rare=True,
    shell_complete=complete_methods(question=3, gives="test"),
    help="Non-inferiority test with an interval. [tango]",
)
@grouped_option(
    "--power", type=float, section=STATISTICS, rare=True, help="Power of the sample size that is still needed. [0.8]"
)
@grouped_option(
    "--config",
    metavar="FILE",
    section=STATISTICS,
    rare=True,
    help="TOML file with [tool.tellapart.gate]. [nearest pyproject.toml]",
)
@grouped_option("--markdown", metavar="FILE", section=OUTPUT, help="Also write Markdown for a pull request.")
@grouped_option("--junit", metavar="FILE", section=OUTPUT, help="Also write JUnit XML.")
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
    **options: Any,
) -> None:
    """Test whether CANDIDATE is not worse than BASELINE: pass, worse, or not enough evidence.

    Two files of predictions of the same examples, joined by --id, or two evaluation logs; or one FILE with both models,
    the baseline first in --models. With --group every group must pass.

    \b
    Examples:
      tellapart gate old.csv new.csv --label species --id row --margin 0.01
      tellapart gate predictions.csv --label species --models stump,forest \\
        --group site
      tellapart gate old.eval new.eval --errors wrong --margin 0.02
      tellapart gate --table 20 12 9 2959 --margin 0.01

    Settings can be kept in [tool.tellapart.gate] of pyproject.toml; options override them. The verdict is appended to
    the file $GITHUB_STEP_SUMMARY, if that is set.

    \b
    Exit status:
      0  pass
      1  worse
      2  bad input
      3  not enough evidence
      4  unexpected failure
    """
    try:
        judgement = _run_gate(ctx, files, table, group_margin, config, as_json, options)
    except (MissingExtra, OutputNotWritten) as error:  # the input is fine, but there is no verdict
        remark(f"error: {' '.join(str(error).split())}")
        ctx.exit(UNEXPECTED)
    ctx.exit(judgement.exit_status)


def _run_gate(
    ctx: click.Context,
    files: tuple[str, ...],
    table: tuple[float, ...] | None,
    group_margin: tuple[str, ...],
    config: str | None,
    as_json: bool,
    options: dict[str, Any],
) -> Judgement:
    """Return the judgement; write all requested files before anything is printed."""
    names = {name: options.pop(name) for name in ("markdown", "junit", "html")}
    outputs = _Outputs.from_options(names, inputs=(*files, config))
    settings = _Settings.from_options(ctx, options, _find_rules(config, counts_only=bool(table)), group_margin)
    if bool(files) == bool(table) or len(files) > 2:
        raise click.UsageError("Give BASELINE and CANDIDATE, or one FILE with --models, or --table.")
    if table and group_margin:
        raise InvalidOption("`--group-margin` is for files with --group, got --table. Leave it out.")
    judgement, notes = (_judge_counts(ctx, table, settings, options), ()) if table else _judge_files(files, settings)
    try:
        outputs.write(judgement, settings, files, table)
    except InvalidOption as error:  # it was writable before; a verdict needs all its files
        raise OutputNotWritten(str(error)) from error
    try:
        _show_judgement(judgement, settings, notes, as_json=as_json)
    except BrokenPipeError as error:
        raise ReaderLeft from error
    return judgement


# --- Settings: options, rules, defaults -------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settings:
    """All settings, and where each came from."""

    values: Mapping[str, Any]
    origins: Mapping[str, str]
    rules: Rules
    group_margins: Mapping[str, float]  # from the command line

    @classmethod
    def from_options(
        cls, ctx: click.Context, options: Mapping[str, Any], rules: Rules, group_margin: tuple[str, ...]
    ) -> _Settings:
        """Return the options, completed by the rules and then by the defaults."""
        values, origins = {}, {}
        for name, value in options.items():
            key = "id" if name == "key" else name
            typed = ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
            origins[key] = "command line" if typed else rules.file if key in rules.values else "default"
            values[name] = value if typed else _join_rule(rules.values[key]) if key in rules.values else value
            if values[name] is None:
                values[name] = _DEFAULTS.get(key)
        margins = dict(map(_parse_group_margin, group_margin))
        return cls(values=values, origins=origins, rules=rules, group_margins=margins)

    @property
    def judging(self) -> dict[str, Any]:
        """Options of `judge`."""
        margins = {**self.rules.margins, **self.group_margins}
        return {name: self.values[name] for name in _JUDGING} | {"margins": margins or None}

    @property
    def columns(self) -> dict[str, Any]:
        """Options of the reader of tables."""
        return {name: value for name, value in self.values.items() if name not in (*_JUDGING, *GATE, "metric")}

    def source(self, files: tuple[str, ...]) -> LogSource:
        """Return the files as logs, with their options."""
        options = dict.fromkeys(LOG_OPTIONS) | {name: self.values[name] for name in GATE}
        return LogSource(files=files, log_options=options, parts=self.columns, metric=self.values["metric"])

    def as_dict(self) -> dict[str, Any]:
        """Return the settings of the test and those that are not defaults, with their origins."""
        settings: dict[str, Any] = {
            name: {"value": value, "from": self.origins[name]}
            for name, value in self._by_name().items()
            if name in _JUDGING or self.origins[name] != "default"
        }
        margins = {name: {"value": value, "from": self.rules.file} for name, value in self.rules.margins.items()}
        margins |= {name: {"value": value, "from": "command line"} for name, value in self.group_margins.items()}
        return settings | ({"margins": margins} if margins else {})

    def describe_rules(self) -> str:
        """Return the settings that come from the rules; empty if there are none."""
        file = self.rules.file
        texts = [f"{name} = {value}" for name, value in self._by_name().items() if file and self.origins[name] == file]
        texts += [
            f"margin of {name} = {value}"
            for name, value in self.rules.margins.items()
            if name not in self.group_margins
        ]
        return f"{', '.join(texts)} (from {file})" if texts else ""

    def _by_name(self) -> dict[str, Any]:
        """Return the settings by the names of their options."""
        return {("id" if name == "key" else name): value for name, value in self.values.items()}


def _find_rules(config: str | None, *, counts_only: bool) -> Rules:
    """Return the project's rules; for counts without those about files and groups."""
    from ..gate.rules import Rules, find_rules, read_rules

    rules = find_rules() if config is None else read_rules(config)
    if not counts_only:
        return rules
    return Rules(file=rules.file, values={name: rules.values[name] for name in _JUDGING if name in rules.values})


def _join_rule(value: Any) -> Any:
    """Return a rule as its option is typed: names separated by commas, quoted if they contain one."""
    if not isinstance(value, list):
        return value
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(value)
    return line.getvalue()


def _parse_group_margin(text: str) -> tuple[str, float]:
    name, _, size = text.rpartition("=")
    try:
        margin = float(size)
    except ValueError:
        margin = math.nan
    if not name or math.isnan(margin):
        raise InvalidOption(f"`--group-margin` must be a name and a margin such as de=0.02, got {text!r}.")
    return name, margin


# --- Inputs -----------------------------------------------------------------------------------------


def _judge_counts(
    ctx: click.Context, counts: tuple[float, ...], settings: _Settings, options: dict[str, Any]
) -> Judgement:
    from ..evidence import PairedTable
    from ..gate import judge

    typed = {
        name: value
        for name, value in options.items()
        if name not in _JUDGING and ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }
    refuse_columns(typed, "--table")
    return judge(build_counts(PairedTable, counts, "--table"), **settings.judging)


def _judge_files(files: tuple[str, ...], settings: _Settings) -> tuple[Judgement, tuple[str, ...]]:
    """Return the judgement, and notes about logs."""
    from ..gate import judge

    source, notes = settings.source(files), tuple[str, ...]()
    if source.by_example:
        log_tally = source.tally()
        models = log_tally.outcomes.models
        if len(models) < 2:
            raise InvalidOption(f"a gate compares two models, got only {models[0]}. Add the baseline's file.")
        if len(models) > 2:
            raise InvalidOption(
                f"`--models` must name two models, the baseline first. The models are: {join_names(models)}."
            )
        tally, notes = log_tally.counted(), log_tally.notes
    else:
        if settings.values["metric"]:
            raise InvalidOption("`--metric` is for evaluation logs, got predictions. Leave it out.")
        tally = count_predictions(files, **_reading_options(files, settings))
    with progress("judging"):
        return judge(tally, **settings.judging), notes


def _reading_options(files: tuple[str, ...], settings: _Settings) -> dict[str, Any]:
    """Return how the files are read: the columns of the two models, and the id that joins the files."""
    options = settings.columns
    models = split_names(options["models"])
    if len(files) == 1:
        if models is None:
            raise InvalidOption("`--models` is required for one file. Use --models BASELINE,CANDIDATE.")
        if len(models) != 2:
            raise InvalidOption(f"`--models` must name two models, the baseline first, got {options['models']!r}.")
        return options
    if models is not None and len(models) not in {1, 2}:
        raise InvalidOption(
            f"`--models` must name the column of predictions, or one per file, got {options['models']!r}."
        )
    options |= {"models": None, "key": options["key"] or "id"}
    if models is None:
        from ..gate.asserting import find_prediction_column

        reading_options = {"id": options["key"]}
        reading_options |= {name: options[name] for name in ("label", "group", "weight", "model", "prediction")}
        return options | {"each": [find_prediction_column(file, reading_options) for file in files]}
    return options | {"each": models if len(models) == 2 else models * 2}


# --- Outputs ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outputs:
    """The requested files, checked before the work as far as possible."""

    files: Mapping[str, Path]

    @classmethod
    def from_options(cls, names: Mapping[str, str | None], inputs: tuple[str | None, ...]) -> _Outputs:
        """Return the files to write; raise InvalidOption if one cannot be written, or would replace another."""
        from ..gate.outputs import SUMMARY, output_file

        files = {name: output_file(target, f"--{name}") for name, target in names.items() if target is not None}
        if "html" in files:
            from ..report.writing import report_file
            from .answer_output import check_ending

            check_ending("--html", str(files["html"]), (".html", ".htm"))
            report_file(files["html"])
        summary = os.environ.get(SUMMARY)
        appended = {"summary": output_file(summary, f"${SUMMARY}", appended=True)} if summary else {}
        taken = {Path(name).resolve(): "an input of this command" for name in inputs if name}
        taken |= {path.resolve(): f"${SUMMARY}" for path in appended.values()}
        for name, path in files.items():
            target = path.resolve()
            if target in taken:
                raise InvalidOption(f"`--{name}` must be a new file, got {str(path)!r}, which is {taken[target]}.")
            if path.is_file() or not path.exists():
                taken[target] = f"the file of --{name}"
        return cls(files=files | appended)

    def write(
        self, judgement: Judgement, settings: _Settings, files: tuple[str, ...], table: tuple[float, ...] | None
    ) -> None:
        """Write all files; raise an error if one fails, for any verdict."""
        from ..gate.outputs import append_summary, format_junit, write_output

        if "markdown" in self.files:
            write_output(self.files["markdown"], judgement.to_markdown())
        if "junit" in self.files:
            write_output(self.files["junit"], format_junit(judgement))
        if "html" in self.files:
            self._write_page(judgement, settings, files, table)
        if "summary" in self.files:
            append_summary(self.files["summary"], judgement)

    def _write_page(
        self, judgement: Judgement, settings: _Settings, files: tuple[str, ...], table: tuple[float, ...] | None
    ) -> None:
        from ..gate.page import build_page
        from ..report.provenance import Provenance
        from ..report.writing import write_page
        from .answer_output import fingerprints, typed

        with progress("writing the report"):
            code = _write_code(settings, files, table)
            provenance = Provenance(command=typed(), code=code, data=fingerprints(files))
            page = build_page(judgement, provenance=provenance, rules=settings.describe_rules())
            write_page(self.files["html"], page)
        remark(f"report: {self.files['html']}")


def _write_code(settings: _Settings, files: tuple[str, ...], table: tuple[float, ...] | None) -> str:
    """Return Python code with the same result."""
    from .python_code import write_call, write_program, write_reading

    if table:
        counts = write_call("ta.PairedTable", *table)
        return write_program([f"print({write_call('ta.judge', counts, **settings.judging)})"])
    source = settings.source(files)
    if source.by_example:
        lines = source.reading()[:-1]  # without the line that counts: `judge` does that
        return write_program([*lines, f"print({write_call('ta.judge', 'predictions', **settings.judging)})"])
    options = _reading_options(files, settings)
    lines = write_reading(files, options, options.pop("each", ()))
    return write_program([*lines, f"print({write_call('ta.judge', 'predictions', **settings.judging)})"])


@dataclass(frozen=True, slots=True)
class _WithRules(Rendered):
    """A judgement, with the settings that come from rules."""

    judgement: Judgement
    rules: str

    def display(self, *, verbose: bool = False) -> Display:
        """Return the display of the judgement with a row for the rules."""
        display = self.judgement.display(verbose=verbose)
        *blocks, scope = display.blocks
        return replace(display, blocks=(*blocks, Row("design", f"rules: {self.rules}"), scope))

    def explanations(self) -> list[tuple[str, str]]:
        """Return the explanations of the judgement."""
        return self.judgement.explanations()


def _show_judgement(judgement: Judgement, settings: _Settings, notes: tuple[str, ...], *, as_json: bool) -> None:
    if sys.stdout is None:  # closed from the start: click would silently write nothing
        raise ReaderLeft
    if as_json:
        fields = judgement.as_dict() | {"settings": settings.as_dict(), "rules": settings.rules.file or None}
        fields |= {"notes": list(notes)} if notes else {}
        click.echo(json.dumps(plain(fields), indent=2, ensure_ascii=False, allow_nan=False))
        write_latex(judgement)
        return
    for note in notes:
        remark(f"note: {note}")
    rules = settings.describe_rules()
    show_result(_WithRules(judgement, rules) if rules else judgement)
