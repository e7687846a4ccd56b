"""Values of examples: logs, or tables with scores, repeats, clusters or weights."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InvalidInput, InvalidOption
from ..typing_ import as_real
from .file_reading import describe_missing_id, name_files, progress, refuse_absent, split_names
from .help_pages import COLUMNS, LOGS, grouped_option
from .parameters import parse_numbers

if TYPE_CHECKING:
    from ..evidence import Outcomes
    from ..predictions import OutcomeTally, Predictions

FORMATS = (
    "inspect",
    "lm-eval",
    "promptfoo",
    "deepeval",
    "openai-evals",
    "helm",
    "swe-bench",
    "mlflow",
    "every-eval-ever",
)
_OF_LOGS = ("task", "filter")  # only of logs
_OF_TABLES = ("epoch", "scores")  # only of tables
GATE = ("format", "task", "filter", "errors")  # of a gate, in addition to the metric
LOG_OPTIONS = (
    "format",
    "errors",
    "cluster",
    "sampling_weight",
    "repeats",
    "bounds",
    "lower_is_better",
    *_OF_LOGS,
    *_OF_TABLES,
)
_COLUMNS = ("label", "key", "correct", "weight", "labels", "model", "prediction", "text")  # columns of a table
_NO_LOGS = (".csv", ".tsv", ".parquet", ".arrow", ".feather")  # never logs; not opened, for a quick start
_LOOKED_AT = 20  # files of a folder that are opened to recognise logs
_REPEATS = re.compile(r"pass([@^])([1-9][0-9]{0,8})")

_OPTIONS = (
    grouped_option(
        "--format",
        type=click.Choice([*FORMATS, "table"]),
        metavar="NAME",
        section=LOGS,
        rare=True,
        help="Tool that wrote the log, or table. [detected from the content]",
    ),
    grouped_option("--task", metavar="NAME", section=LOGS, help="Task to compare. [every task]"),
    grouped_option(
        "--filter", metavar="NAME", section=LOGS, rare=True, help="Filter, for answers filtered in several ways."
    ),
    grouped_option(
        "--errors",
        type=click.Choice(["fail", "wrong", "drop"]),
        metavar="POLICY",
        section=LOGS,
        help="Unscored answers: fail, wrong or drop. [fail]",
    ),
    grouped_option(
        "--cluster", metavar="COL", section=COLUMNS, help="Group of dependent examples, such as passage_id."
    ),
    grouped_option(
        "--sampling-weight", metavar="COL", section=COLUMNS, rare=True, help="Weight of each example in the mean."
    ),
    grouped_option(
        "--epoch", metavar="COL", section=COLUMNS, rare=True, help="Number of the repeat of an example (--id)."
    ),
    grouped_option(
        "--repeats",
        metavar="RULE",
        section=LOGS,
        rare=True,
        help="Repeated answers: mean, pass@K (any of K right) or pass^K (all K right). [mean]",
    ),
    grouped_option(
        "--scores",
        is_flag=True,
        section=COLUMNS,
        rare=True,
        help="Columns hold scores of examples; for compare also of data sets, or FILE is a folder of races.",
    ),
    grouped_option(
        "--bounds",
        metavar="LOW,HIGH",
        callback=parse_numbers,
        section=COLUMNS,
        rare=True,
        help="Smallest and largest possible score, such as 0,1.",
    ),
    grouped_option("--lower-is-better", is_flag=True, section=COLUMNS, rare=True, help="Lower scores are better."),
)


def of_logs(command: Any) -> Any:
    """Add the options of logs, and of columns with values of examples."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def of_gate(command: Any) -> Any:
    """Add the options of logs that a gate takes, which counts right and wrong."""
    metric = grouped_option("--metric", metavar="NAME", section=LOGS, rare=True, help="Score of the log to compare.")
    for option in (metric, *reversed(_OPTIONS[: len(GATE)])):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSource:
    """Files with values of examples, and the options for reading them."""

    files: tuple[str, ...]
    log_options: Mapping[str, Any]  # options of this module
    parts: Mapping[str, Any]  # options of columns
    metric: str | None

    @property
    def by_example(self) -> bool:
        """Whether these are logs, or tables with options that counts do not have."""
        if any(self.log_options[name] for name in LOG_OPTIONS if name != "format"):
            return True
        return self.log_options["format"] != "table" and (
            self.log_options["format"] is not None or any(map(_is_log, self.files))
        )

    @property
    def is_logs(self) -> bool:
        """Whether all files are logs."""
        named = self.log_options["format"]
        return named != "table" and (named is not None or all(map(_is_log, self.files)))

    def tally(self) -> OutcomeTally:
        """Return the values of all examples in the files."""
        with progress(f"reading {', '.join(Path(file).name for file in self.files)}"):
            predictions = self._read_log_files() if self.is_logs else self._read_tables()
            return predictions.outcome_tally(*self._named_models(predictions.models))

    def of_repeats(self, outcomes: Outcomes) -> Outcomes:
        """Return the mean over repeats, or the probability that one of K, or all K, are right."""
        tries = self._parse_repeats()
        return outcomes if tries is None else getattr(outcomes, tries[0])(tries[1])

    def reading(self, models: tuple[str, ...] = ()) -> list[str]:
        """Return the lines of Python that read the same files."""
        from .python_code import write_call

        if self.is_logs:
            lines = [f"predictions = {write_call('ta.read_logs', *map(repr, self.files), **self._log_options())}"]
        elif len(self.files) == 1:
            options = {"models": split_names(self.parts["models"]), **self._table_options()}
            lines = [f"predictions = {write_call('ta.read_predictions', repr(self.files[0]), **options)}"]
        else:
            tables = [
                f"    {stem!r}: {write_call('ta.read_predictions', repr(file), **self._table_options())},"
                for stem, file in zip(name_files(self.files), self.files, strict=True)
            ]
            lines = ["predictions = ta.Predictions.joined({", *tables, "})"]
        tries, chosen = self._parse_repeats(), ", ".join(map(repr, models)) if self.parts["models"] else ""
        rule = "" if tries is None else f".{tries[0]}({tries[1]})"
        return [*lines, f"outcomes = predictions.outcomes({chosen}){rule}"]

    def _named_models(self, models: tuple[str, ...]) -> list[str]:
        """Return the models of --models; none without the option."""
        named = split_names(self.parts["models"]) or []
        for name in named:
            if name not in models:
                raise InvalidOption(f"`--models` must name models of the files ({', '.join(models)}), got {name!r}.")
        return named

    def _parse_repeats(self) -> tuple[str, int] | None:
        rule = self.log_options["repeats"]
        if rule in (None, "mean"):
            return None
        match = _REPEATS.fullmatch(rule)
        if match is None:
            raise InvalidOption(f"`--repeats` must be mean, pass@K or pass^K, such as pass@5, got {rule!r}.")
        return "pass_at" if match[1] == "@" else "pass_all", int(match[2])

    def _read_log_files(self) -> Predictions:
        from ..readers import read_logs

        stray = [name for name in _COLUMNS if self.parts[name]] + [
            name for name in _OF_TABLES if self.log_options[name]
        ]
        if stray:
            option = stray[0].replace("key", "id").replace("_", "-")
            remedy = "Use --models." if option == "model" else "Or use --format table."
            raise InvalidOption(f"`--{option}` must be left out for logs, which have no such column. {remedy}")
        name_files(self.files)  # raises for the same log twice
        return read_logs(*self.files, **self._log_options())

    def _log_options(self) -> dict[str, Any]:
        options = {
            name: self.log_options[name]
            for name in ("format", "task", "filter", "cluster", "sampling_weight", "errors")
        }
        options |= {"metric": self.metric, "group": self.parts["group"], "missing": self.parts["missing"]}
        return options | {
            "bounds": self.bounds,
            "higher_is_better": False if self.log_options["lower_is_better"] else None,
        }

    def _read_tables(self) -> Predictions:
        from ..predictions import Predictions
        from ..readers import read_predictions

        refuse_absent(self.files)
        logs = [] if self.log_options["format"] == "table" else [file for file in self.files if _is_log(file)]
        if logs:
            table = next(file for file in self.files if file not in logs)
            if Path(table).is_file() and not Path(table).stat().st_size:
                raise InvalidInput(f"{table} is empty.")
            raise InvalidInput(f"files must be all logs or all tables, got the log {logs[0]} and {table}.")
        for name in _OF_LOGS:
            if self.log_options[name]:
                raise InvalidOption(f"`--{name}` needs an evaluation log, got {self.files[0]}. Leave it out.")
        options = self._table_options()
        if len(self.files) == 1:
            predictions = read_predictions(self.files[0], models=split_names(self.parts["models"]), **options)
            if self.log_options["scores"] and "id" in predictions.models:  # a column of numbers
                raise InvalidOption(
                    "`--id` is required if a column is called id: --id id. Or name the models: --models A,B."
                )
            return predictions
        if self.parts["key"] is None:
            raise InvalidInput(describe_missing_id(self.files))
        named = zip(name_files(self.files), self.files, strict=True)
        return Predictions.joined({name: read_predictions(file, **options) for name, file in named})

    def _table_options(self) -> dict[str, Any]:
        options = {name: value for name, value in self.parts.items() if name not in ("models", "key", "labels")}
        options |= {"id": self.parts["key"], "labels": split_names(self.parts["labels"])}
        options |= {name: self.log_options[name] for name in ("epoch", "cluster", "sampling_weight", "errors")}
        bounds, lower = self.bounds, self.log_options["lower_is_better"]
        if self.log_options["scores"]:
            from ..metrics import RANKED, canonical_name
            from ..predictions import Scored

            if self.metric and canonical_name(self.metric) in RANKED:
                raise InvalidOption(
                    f"`--scores` must be left out with --metric {self.metric}, which ranks the scores of a class."
                )

            options["scores"] = Scored(metric=self.metric or "score", higher_is_better=not lower, bounds=bounds)
        elif self.metric and not (bounds or lower):
            option = next(name for name in LOG_OPTIONS if self.log_options[name]).replace("_", "-")
            raise InvalidOption(
                f"`--{option}` must be left out with --metric {self.metric}, or add"
                " --scores if the columns hold such scores."
            )
        elif bounds or lower or self.metric:
            raise InvalidOption("`--metric`, `--bounds` and `--lower-is-better` need scores of examples. Add --scores.")
        elif self.log_options["errors"]:
            raise InvalidOption("`--errors` needs logs or --scores. For missing predictions use --missing.")
        return options

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The smallest and the largest possible score, if known."""
        bounds = self.log_options["bounds"]
        if bounds is None:
            return None
        if len(bounds) != 2:
            raise InvalidOption(f"`--bounds` must be two numbers, such as 0,1, got {len(bounds)}.")
        return as_real(bounds[0]), as_real(bounds[1])


def _is_log(file: str) -> bool:
    from ..readers.files import files_inside, path_exists

    path = Path(file)
    if not path_exists(path) or (path.is_file() and path.suffix.lower() in _NO_LOGS):
        return False
    from ..readers.logs import recognise

    if path.is_file() or recognise(path) is not None:
        return recognise(path) is not None
    inside = sorted(file_inside for file_inside in files_inside(path) if not file_inside.name.startswith("."))
    return any(
        recognise(file_inside) is not None
        for file_inside in inside[:_LOOKED_AT]
        if file_inside.suffix.lower() not in _NO_LOGS
    )
