"""Options of a file's columns, and reading with a progress bar."""

from __future__ import annotations

import shlex
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InvalidInput, InvalidOption, import_extra
from .help_pages import COLUMNS, DATA, STATISTICS, grouped_option
from .printing import remark

if TYPE_CHECKING:
    from ..predictions import CrossTally, Disagreements, Predictions, Tally
    from ..predictions.class_scores import ScoreTally
    from ..typing_ import IntArray

_PATIENCE = 2.0  # seconds before a progress bar appears
ADD_A_MODEL = "Add another file, or name two columns with --models."
_ARE_SCORES = "For probabilities use --metric auc."

_POLICIES = ["fail", "wrong", "drop"]
_OPTIONS = (
    grouped_option("--label", metavar="COL", section=COLUMNS, help="True labels. [label]"),
    grouped_option("--id", "key", metavar="COL", section=COLUMNS, help="Example id; joins several files."),
    grouped_option("--correct", is_flag=True, section=COLUMNS, help="Columns hold 1 (right) or 0 (wrong), not labels."),
    grouped_option(
        "--missing",
        type=click.Choice(_POLICIES),
        default="fail",
        metavar="POLICY",
        section=COLUMNS,
        help="Missing predictions: fail, wrong or drop. [fail]",
    ),
    grouped_option("--group", metavar="COL", section=COLUMNS, rare=True, help="One answer per value of this column."),
    grouped_option(
        "--weight", metavar="COL", section=COLUMNS, rare=True, help="Number of examples that a row stands for."
    ),
    grouped_option(
        "--labels", metavar="X,Y,...", section=COLUMNS, rare=True, help="Valid labels; other values are missing."
    ),
    grouped_option("--model", metavar="COL", section=COLUMNS, rare=True, help="Long layout: names of the models."),
    grouped_option("--prediction", metavar="COL", section=COLUMNS, rare=True, help="Long layout: predictions."),
    grouped_option(
        "--text", is_flag=True, section=COLUMNS, rare=True, help="Compare labels as text: 1 differs from 1.0."
    ),
)


def column_options(models: str) -> Callable[[Any], Any]:
    """Return a decorator that adds the options of a file's columns; `models` explains --models."""
    named = grouped_option("--models", metavar="A,B,...", section=COLUMNS, help=models)

    def add(command: Any) -> Any:
        for decorate in (*reversed(_OPTIONS[2:]), named, *reversed(_OPTIONS[:2])):
            command = decorate(command)
        return command

    return add


columns = column_options("Models to compare. [all other columns]")
LEARNERS = grouped_option(
    "--learner",
    "learners",
    multiple=True,
    metavar="NAME",
    section=DATA,
    rare=True,
    help="Learner of a race or score table; repeatable. [all]",
)
_METRIC = grouped_option("--metric", metavar="NAME", section=STATISTICS, rare=True, help="Metric of a race. [error]")
_STORE = b"SQLite format 3\x00"  # the first bytes of a race store


def of_race(command: Any) -> Any:
    """Add the options of a race."""
    return LEARNERS(_METRIC(command))


def has_race(files: tuple[str, ...]) -> bool:
    """Return whether one of the files is a race store, by its first bytes."""
    if not files:
        return False
    from ..readers.files import first_bytes, path_exists

    paths = (file for file in map(Path, files) if path_exists(file) and file.is_file())
    return any(first_bytes(file, len(_STORE)) == _STORE for file in paths)


def refuse_learners(learners: tuple[str, ...], metric: str | None = None) -> None:
    """Raise InvalidOption for options of a race without one."""
    if learners or metric is not None:
        name = "learner" if learners else "metric"
        raise InvalidOption(f"`--{name}` needs a race store or a table of scores (--scores). Leave it out.")


def refuse_races(files: tuple[str, ...]) -> None:
    """Raise InvalidInput for a folder of races instead of one race or predictions."""
    for file in files:
        if Path(file).is_dir():
            from ..readers.scores import holds_races

            if holds_races(file):
                raise InvalidInput(
                    f"{file} is a folder of races. Give one race store, or run: tellapart compare"
                    f" {shlex.quote(file)} --scores."
                )


@contextmanager
def _hint_at_scores(files: tuple[str, ...], parts: Mapping[str, Any]) -> Iterator[None]:
    """Add to an error of predictions that the file looks like scores of data sets, if it does."""
    try:
        yield
    except InvalidInput as error:
        if len(files) == 1 and parts["label"] is None and not parts["correct"]:
            from ..readers.scores import holds_data_sets

            if holds_data_sets(files[0]):
                file = shlex.quote(files[0])
                more = f"If it holds scores of data sets: tellapart compare {file} --scores."
                raise type(error)(f"{error} {more}") from error
        raise


def count_predictions(
    files: tuple[str, ...], *, patterns: bool = True, each: Sequence[str | None] = (), **parts: Any
) -> Tally:
    """Return the counts of right and wrong in the files, which are joined by id.

    `each` names the column of predictions of each file; None for all columns without another role.
    """
    refuse_races(files)
    with progress(f"reading {_format_names(files)}"), _hint_at_scores(files, parts):
        predictions, named = _read_files(files, each=each, **parts)
        tally = predictions.tally(*named, patterns=patterns)
        if not parts["correct"]:
            _check_agreement(tally.models, tally.errors, tally.examples, named=bool(parts["models"]) or any(each))
        return tally


def count_labels(files: tuple[str, ...], **parts: Any) -> CrossTally:
    """Return the counts of labels and predictions in the files, which are joined by id."""
    if parts["correct"]:
        raise InvalidOption("`--correct` must be left out with this metric, which needs labels.")
    if parts["missing"] == "wrong":
        raise InvalidOption("`--missing` must be fail or drop with this metric, got wrong.")
    with progress(f"reading {_format_names(files)}"):
        predictions, named = _read_files(files, **parts)
        _refuse_numbers(predictions, named)
        tally = predictions.cross_tally(*named)
        _refuse_fractions(tally)
        wrong = tally.patterns[:, 1:] != tally.patterns[:, :1]
        examples = tally.counts.sum(axis=-1)
        _check_agreement(tally.models, tally.counts @ wrong.astype(int), examples, named=bool(parts["models"]))
        return tally


def collect_class_scores(
    files: tuple[str, ...], positive: str | None, *, models: str | None, **parts: Any
) -> ScoreTally:
    """Return the class scores of every model and example in the files, which are joined by id."""
    if parts["correct"]:
        raise InvalidOption("`--correct` must be left out with this metric, which needs scores.")
    if parts["group"]:
        raise InvalidOption(
            "`--group` must be left out with this metric, which ranks all examples. Give the rows of one group."
        )
    with progress(f"reading {_format_names(files)}"):
        # A model may have a column for each class, so models are selected after reading.
        predictions, _ = _read_files(files, models=None, scores=True, **parts)
        return predictions.class_score_tally(*split_names(models) or (), positive=positive)


def find_discordant_rows(
    files: tuple[str, ...], pair: tuple[str, ...], limit: int, tally: Tally | None = None, **parts: Any
) -> Disagreements:
    """Return the first rows that only one of two models gets right."""
    a, b = pair
    with progress(f"looking through {_format_names(files)}"):
        return _read_files(files, **parts)[0].disagreements(a, b, limit, tally=tally)


def _read_files(
    files: tuple[str, ...],
    *,
    models: str | None,
    key: str | None,
    labels: str | None,
    each: Sequence[str | None] = (),
    **parts: Any,
) -> tuple[Predictions, list[str]]:
    """Return the predictions in one file or in joined files, and the models selected from joined files."""
    from ..predictions import Predictions
    from ..readers import read_predictions

    named = split_names(models)
    options = {**parts, "id": key, "labels": split_names(labels)}
    if len(files) == 1:
        return read_predictions(files[0], models=named, **options), []
    names = name_files(files)
    refuse_absent(files)
    if key is None:
        raise InvalidInput(describe_missing_id(files))
    tables = {
        name: read_predictions(file, models=column, **options)
        for name, file, column in zip(names, files, each or [None] * len(files), strict=True)
    }
    return Predictions.joined(tables), named or []


def _format_names(files: tuple[str, ...]) -> str:
    return ", ".join(Path(file).name for file in files)


def split_names(names: str | None) -> list[str] | None:
    """Return names between commas; a name with a comma is quoted, as in a CSV file."""
    if names is None:
        return None
    import csv

    try:
        parts = next(csv.reader([names], skipinitialspace=True))
    except csv.Error:
        raise InvalidOption(
            f"names must be on one line, got {names!r}. Put a name with a line break in double quotes."
        ) from None
    return [name.strip() for name in parts if name.strip()]


def describe_missing_id(files: Sequence[str]) -> str:
    """Return that --id is required, with the columns that all files have."""
    from ..readers.columns import whole_table
    from ..readers.files import format_of

    names: list[str] = []
    try:
        polars = import_extra("polars", "tables")
        tables = [whole_table(polars, format_of([Path(file)]), Path(file), rows=1) for file in files]
        names = [name for name in tables[0].columns if all(name in table.columns for table in tables)]
    except Exception:  # what is wrong with a file is reported once it is read
        names = []
    shared = f" Columns in {'both' if len(files) == 2 else 'all'}: {', '.join(names)}." if names else ""
    return f"`--id` is required to join {len(files)} files.{shared}"


def name_files(files: tuple[str, ...]) -> list[str]:
    """Return a short name for each file: without its ending, or its path if these are equal."""
    short = [Path(file).stem for file in files]
    if len(set(files)) < len(files):
        raise InvalidInput(f"files must be different, got {max(files, key=files.count)} twice.")
    return short if len(set(short)) == len(short) else list(files)


def refuse_absent(files: Sequence[str]) -> None:
    """Raise an error for a missing file."""
    from ..readers.files import files_of, path_exists

    for file in files:
        if not path_exists(file):
            files_of(file)  # a glob pattern may match


def refuse_columns(parts: dict[str, Any], counts: str) -> None:
    """Raise InvalidOption for an option of columns with counts."""
    conflicts = [name for name, value in parts.items() if value and not (name == "missing" and value == "fail")]
    if conflicts:
        option = conflicts[0].replace("key", "id").replace("_", "-")
        raise InvalidOption(f"`--{option}` must be left out with {counts}, which are counts.")


def _refuse_numbers(predictions: Predictions, named: Sequence[str]) -> None:
    """Raise InvalidInput for fractional predictions of text labels: they are class scores."""
    schema = predictions.frame.collect_schema()
    if "label" not in schema or schema["label"].is_numeric():
        return
    for index, model in enumerate(predictions.models):
        if (not named or model in named) and schema[f"m{index}"].is_float():
            raise InvalidInput(f"`{model}` must hold labels, got numbers. {_ARE_SCORES}")


def _refuse_fractions(tally: CrossTally) -> None:
    """Raise InvalidInput for fractional predictions that are not labels."""
    strange = [index for index in range(len(tally.labels)) if index not in tally.patterns[:, 0]]
    for index in strange:
        label = tally.labels[index]
        if isinstance(label, float) and not label.is_integer():
            model = tally.models[int((tally.patterns[:, 1:] == index).any(axis=0).argmax())]
            raise InvalidInput(f"`{model}` must hold labels, got {label:g}. {_ARE_SCORES}")


def _check_agreement(models: tuple[str, ...], wrong: IntArray, examples: IntArray, *, named: bool) -> None:
    """Raise InvalidInput for a column that never agrees with the labels; if it was named, print a note."""
    errors, total = wrong.reshape(-1, len(models)).sum(axis=0), examples.sum()
    never = [name for name, wrong in zip(models, errors, strict=True) if wrong == total]
    if never and not named and total >= 10:  # with few examples a model may be always wrong
        raise InvalidInput(
            f"model {never[0]!r} never agrees with the labels. Use --models A,B to name the models, with {never[0]!r}"
            " if it is one."
        )
    many = not named and total >= 100  # with few examples a model may be always right
    always = [name for name, wrong in zip(models, errors, strict=True) if many and wrong == 0]
    for name in always:
        remark(f"note: {name} always agrees with the labels. Is it a model, or another label?")
    for name in never:
        remark(f"note: {name} never agrees with the labels. Are these scores, or labels of another kind?")


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Show a bar on the terminal if the work takes more than two seconds."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()

    def watch() -> None:
        if done.wait(_PATIENCE):
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        parts = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
        with Progress(*parts, console=Console(stderr=True), transient=True) as bar:
            bar.add_task(what, total=None)  # the engine reports no progress
            done.wait()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
