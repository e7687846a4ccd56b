"""What a command reads where every example counts by itself: logs, or tables of scores, repeats, clusters, weights."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InvalidInput, InvalidOption
from ..typing_ import as_real
from .parameters import listed_numbers
from .reading import listed, progress, refuse_absent, stems

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
_OF_LOGS = ("task", "filter")  # what only logs have
_OF_TABLES = ("epoch", "scores")  # what a log says itself
GATE = ("format", "task", "filter", "errors")  # what a gate takes besides the metric
OWN = ("format", "errors", "cluster", "sampling_weight", "repeats", "bounds", "lower_is_better", *_OF_LOGS, *_OF_TABLES)
_COLUMNS = ("label", "key", "correct", "weight", "labels", "model", "prediction", "text")  # of a table, too
_NO_LOGS = (".csv", ".tsv", ".parquet", ".arrow", ".feather")  # no tool writes logs so, and start-up is quick
_LOOKED_AT = 20  # files of a folder by which it is told whether there are logs in it
_TRIES = re.compile(r"pass([@^])([1-9][0-9]{0,8})")

_OPTIONS = (
    click.option(
        "--format",
        type=click.Choice([*FORMATS, "table"]),
        help="The tool that wrote a log, or a plain table; told by the content if left out.",
    ),
    click.option("--task", metavar="NAME", help="Of a log: which task; all, as groups, if left out."),
    click.option("--filter", metavar="NAME", help="Of a log: which filter, where answers were filtered several ways."),
    click.option(
        "--errors",
        type=click.Choice(["fail", "wrong", "drop"]),
        help="What becomes of answers without a score.  [default: fail where the runs differ in them]",
    ),
    click.option("--cluster", metavar="COL", help="What belongs together, such as questions of one passage_id."),
    click.option("--sampling-weight", metavar="COL", help="How much each example counts in the mean: any numbers."),
    click.option("--epoch", metavar="COL", help="Column that tells repeats of one example (--id) apart."),
    click.option(
        "--repeats",
        metavar="mean|pass@K|pass^K",
        help="Of repeats: their mean, or the chance that one of K, or all K, are right.  [default: mean]",
    ),
    click.option(
        "--scores",
        is_flag=True,
        help="The models' columns hold scores, higher being better, with a row for each example. For compare also"
        " scores of learners, with a row for each data set, which a column names; or FILE is a folder of races.",
    ),
    click.option("--bounds", metavar="LOW,HIGH", callback=listed_numbers, help="Between what scores lie, as 0,1."),
    click.option("--lower-is-better", is_flag=True, help="Lower scores are better."),
)


def of_logs(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose from a log, or say what each example carries."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def of_gate(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose from a log alone: a gate counts right and wrong."""
    metric = click.option("--metric", metavar="NAME", help="Of a log: which score.")
    for option in (metric, *reversed(_OPTIONS[: len(GATE)])):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSource:
    """The files and what was said of them."""

    files: tuple[str, ...]
    own: Mapping[str, Any]  # the options of this module
    parts: Mapping[str, Any]  # those that say which column of a table is what
    metric: str | None

    @property
    def by_example(self) -> bool:
        """Whether these are logs, or tables of which more than counts is asked."""
        if any(self.own[name] for name in OWN if name != "format"):
            return True
        return self.own["format"] != "table" and (self.own["format"] is not None or any(map(_is_log, self.files)))

    @property
    def is_logs(self) -> bool:
        """Whether all files are logs."""
        named = self.own["format"]
        return named != "table" and (named is not None or all(map(_is_log, self.files)))

    def tally(self) -> OutcomeTally:
        """Read the files, and collect what every example gave."""
        with progress(f"reading {', '.join(Path(file).name for file in self.files)}"):
            predictions = self._logs() if self.is_logs else self._tables()
            return predictions.outcome_tally(*self._named(predictions.models))

    def of_repeats(self, outcomes: Outcomes) -> Outcomes:
        """Return the mean of repeats, as it is, or the chance that a few tries do."""
        tries = self._tries()
        return outcomes if tries is None else getattr(outcomes, tries[0])(tries[1])

    def reading(self, models: tuple[str, ...] = ()) -> list[str]:
        """Return the lines of Python that read the same."""
        from .lines import calling

        if self.is_logs:
            lines = [f"predictions = {calling('ta.read_logs', *map(repr, self.files), **self._log_options())}"]
        elif len(self.files) == 1:
            told = {"models": listed(self.parts["models"]), **self._table_options()}
            lines = [f"predictions = {calling('ta.read_predictions', repr(self.files[0]), **told)}"]
        else:
            tables = [
                f"    {stem!r}: {calling('ta.read_predictions', repr(file), **self._table_options())},"
                for stem, file in zip(stems(self.files), self.files, strict=True)
            ]
            lines = ["predictions = ta.Predictions.joined({", *tables, "})"]
        tries, chosen = self._tries(), ", ".join(map(repr, models)) if self.parts["models"] else ""
        rule = "" if tries is None else f".{tries[0]}({tries[1]})"
        return [*lines, f"outcomes = predictions.outcomes({chosen}){rule}"]

    def _named(self, models: tuple[str, ...]) -> list[str]:
        """Return the models that were asked for; all, if none was."""
        named = listed(self.parts["models"]) or []
        for name in named:
            if name not in models:
                raise InvalidOption(f"--models names {name!r}, but there is none. There are {', '.join(models)}.")
        return named

    def _tries(self) -> tuple[str, int] | None:
        rule = self.own["repeats"]
        if rule in (None, "mean"):
            return None
        found = _TRIES.fullmatch(rule)
        if found is None:
            raise InvalidOption(f"--repeats must be mean, pass@K or pass^K, such as pass@5, but is {rule!r}.")
        return "pass_at" if found[1] == "@" else "pass_all", int(found[2])

    def _logs(self) -> Predictions:
        from ..readers import read_logs

        stray = [name for name in _COLUMNS if self.parts[name]] + [name for name in _OF_TABLES if self.own[name]]
        if stray:
            option = stray[0].replace("key", "id").replace("_", "-")
            remedy = "Of a log say --models." if option == "model" else "Leave it out, or say --format table."
            raise InvalidOption(f"--{option} is for tables; a log says it itself. {remedy}")
        stems(self.files)  # the same log twice is refused
        return read_logs(*self.files, **self._log_options())

    def _log_options(self) -> dict[str, Any]:
        own = {name: self.own[name] for name in ("format", "task", "filter", "cluster", "sampling_weight", "errors")}
        own |= {"metric": self.metric, "group": self.parts["group"], "missing": self.parts["missing"]}
        return own | {"bounds": self.bounds, "higher_is_better": False if self.own["lower_is_better"] else None}

    def _tables(self) -> Predictions:
        from ..predictions import Predictions
        from ..readers import read_predictions

        refuse_absent(self.files)
        logs = [] if self.own["format"] == "table" else [file for file in self.files if _is_log(file)]
        if logs:
            table = next(file for file in self.files if file not in logs)
            if Path(table).is_file() and not Path(table).stat().st_size:
                raise InvalidInput(f"{table} is empty.")
            raise InvalidInput(
                f"{logs[0]} is the log of an evaluation tool and {table} is none that is known: a log and a table have"
                " no ids in common. Give logs, or tables."
            )
        for name in _OF_LOGS:
            if self.own[name]:
                raise InvalidOption(f"--{name} is for the logs of evaluation tools, which {self.files[0]} is not.")
        told = self._table_options()
        if len(self.files) == 1:
            found = read_predictions(self.files[0], models=listed(self.parts["models"]), **told)
            if self.own["scores"] and "id" in found.models:  # numbers as scores are
                raise InvalidOption("'id' would pass for a model: say --id id, or which the models are, --models A,B.")
            return found
        if self.parts["key"] is None:
            raise InvalidInput("several files are joined by id: say which column it is, --id COL.")
        named = zip(stems(self.files), self.files, strict=True)
        return Predictions.joined({name: read_predictions(file, **told) for name, file in named})

    def _table_options(self) -> dict[str, Any]:
        told = {name: value for name, value in self.parts.items() if name not in ("models", "key", "labels")}
        told |= {"id": self.parts["key"], "labels": listed(self.parts["labels"])}
        told |= {name: self.own[name] for name in ("epoch", "cluster", "sampling_weight", "errors")}
        bounds, lower = self.bounds, self.own["lower_is_better"]
        if self.own["scores"]:
            from ..metrics import RANKED, canonical_name
            from ..predictions import Scored

            if self.metric and canonical_name(self.metric) in RANKED:
                raise InvalidOption(
                    f"--metric {self.metric} ranks the scores of a class, and --scores says how good every answer is."
                    " Leave --scores out."
                )

            told["scores"] = Scored(metric=self.metric or "score", higher_is_better=not lower, bounds=bounds)
        elif self.metric and not (bounds or lower):
            part = next(name for name in OWN if self.own[name]).replace("_", "-")
            raise InvalidOption(
                f"--metric {self.metric} counts independent examples alike, so --{part} has no part in it: leave that"
                " out; or if the columns hold scores of that name, say --scores, too."
            )
        elif bounds or lower or self.metric:
            raise InvalidOption("--metric, --bounds and --lower-is-better are of scores: say --scores, too.")
        elif self.own["errors"]:
            raise InvalidOption("--errors is of logs and --scores. What becomes of a missing prediction is --missing.")
        return told

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Between what scores lie, if that was told."""
        bounds = self.own["bounds"]
        if bounds is None:
            return None
        if len(bounds) != 2:
            raise InvalidOption(f"--bounds must be two numbers, LOW,HIGH, such as 0,1, but there {_are(len(bounds))}.")
        return as_real(bounds[0]), as_real(bounds[1])


def _are(numbers: int) -> str:
    return f"is {numbers}" if numbers == 1 else f"are {numbers}"


def _is_log(file: str) -> bool:
    from ..readers.files import files_inside, path_exists

    path = Path(file)
    if not path_exists(path) or (path.is_file() and path.suffix.lower() in _NO_LOGS):
        return False
    from ..readers.logs import recognise

    if path.is_file() or recognise(path) is not None:
        return recognise(path) is not None
    inside = sorted(each for each in files_inside(path) if not each.name.startswith("."))
    return any(recognise(each) is not None for each in inside[:_LOOKED_AT] if each.suffix.lower() not in _NO_LOGS)
