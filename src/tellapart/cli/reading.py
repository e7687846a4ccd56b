"""Options that say which column of a file is what, and reading with an eye on the clock."""

from __future__ import annotations

import shlex
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InvalidInput, InvalidOption
from .printing import remark

if TYPE_CHECKING:
    from ..predictions import CrossTally, Disagreements, Predictions, Tally
    from ..predictions.class_scores import ScoreTally
    from ..typing_ import IntArray

_PATIENCE = 2.0  # seconds before a progress bar appears
_ARE_SCORES = (
    "If these are scores, ask for --metric auc, average-precision, log-loss or brier, or make labels of them by a"
    " threshold that was chosen on other examples."
)

_OPTIONS = (
    click.option("--label", metavar="COL", help="Column of the true labels.  [default: label]"),
    click.option("--models", metavar="A,B,…", help="The models' columns (or names); all others if left out."),
    click.option("--id", "key", metavar="COL", help="Column that tells examples apart; two files are joined by it."),
    click.option("--group", metavar="COL", help="Answer for every value of this column."),
    click.option("--correct", is_flag=True, help="The models' columns say right (1, true) or wrong (0, false)."),
    click.option("--weight", metavar="COL", help="Column of whole numbers: how many examples a row stands for."),
    click.option("--labels", metavar="X,Y,…", help="The labels there are; any other value is treated as missing."),
    click.option(
        "--missing",
        type=click.Choice(["fail", "wrong", "drop"]),
        default="fail",
        show_default=True,
        help="What becomes of a prediction that is not there.",
    ),
    click.option("--model", metavar="COL", help="Long layout: column of the models' names."),
    click.option("--prediction", metavar="COL", help="Long layout: column of the predictions."),
    click.option("--text", is_flag=True, help="Compare labels as they are written: 1 is then not 1.0."),
)


def columns(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which column of a file is what."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


LEARNERS = click.option(
    "--learner", "learners", multiple=True, metavar="NAME", help="Of learners: which one; all if left out."
)
_METRIC = click.option("--metric", metavar="NAME", help="Of a race: error, f1, log-loss, auc, …  [default: error]")
_STORE = b"SQLite format 3\x00"  # how the store of a race begins


def of_race(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose from a race."""
    return LEARNERS(_METRIC(command))


def has_race(files: tuple[str, ...]) -> bool:
    """Whether one of the files is the store of a race, by its first bytes."""
    if not files:
        return False
    from ..readers.files import first_bytes, path_exists

    paths = (file for file in map(Path, files) if path_exists(file) and file.is_file())
    return any(first_bytes(file, len(_STORE)) == _STORE for file in paths)


def refuse_learners(learners: tuple[str, ...], metric: str | None = None) -> None:
    """Refuse options that choose from a race where there is none."""
    if learners or metric is not None:
        name = "learner" if learners else "metric"
        raise InvalidOption(f"--{name} is for the store of a race, which this is not.")


def refuse_races(files: tuple[str, ...]) -> None:
    """Refuse a folder of races where one race is meant, or predictions, and say what takes it."""
    for file in files:
        if Path(file).is_dir():
            from ..readers.scores import holds_races

            if holds_races(file):
                raise InvalidInput(
                    f"{file} is a folder of races. Give the store of one; over all these data sets learners are"
                    f" compared by: tellapart compare {shlex.quote(file)} --scores."
                )


@contextmanager
def _told_of_scores(files: tuple[str, ...], parts: Mapping[str, Any]) -> Iterator[None]:
    """Add to what is wrong with predictions that they look like scores over data sets, if they do."""
    try:
        yield
    except InvalidInput as error:
        if len(files) == 1 and parts["label"] is None and not parts["correct"]:
            from ..readers.scores import holds_data_sets

            if holds_data_sets(files[0], all_different=True):
                file = shlex.quote(files[0])
                more = f"If its rows are data sets, and its columns scores: tellapart compare {file} --scores."
                raise type(error)(f"{error} {more}") from error
        raise


def counted(files: tuple[str, ...], *, patterns: bool = True, each: Sequence[str | None] = (), **parts: Any) -> Tally:
    """Read the files and count, in one pass, who was wrong where; several files are joined by id.

    `each` names the one column of predictions in each of several files; where it is None, all that have no other part.
    """
    refuse_races(files)
    with progress(f"reading {_names(files)}"), _told_of_scores(files, parts):
        predictions, named = _read(files, each=each, **parts)
        tally = predictions.tally(*named, patterns=patterns)
        if not parts["correct"]:
            _look_through(tally.models, tally.errors, tally.examples, named=bool(parts["models"]) or any(each))
        return tally


def cross_counted(files: tuple[str, ...], **parts: Any) -> CrossTally:
    """Read the files and count, in one pass, which label was taken for which; several files are joined by id."""
    if parts["correct"]:
        raise InvalidOption("--correct tells right from wrong, but not which label was taken for which. Give labels.")
    if parts["missing"] == "wrong":
        raise InvalidOption("--missing wrong is for errors: what is not there is no label. Say fail or drop.")
    with progress(f"reading {_names(files)}"):
        predictions, named = _read(files, **parts)
        _refuse_numbers(predictions, named)
        tally = predictions.cross_tally(*named)
        _refuse_fractions(tally)
        wrong = tally.patterns[:, 1:] != tally.patterns[:, :1]
        examples = tally.counts.sum(axis=-1)
        _look_through(tally.models, tally.counts @ wrong.astype(int), examples, named=bool(parts["models"]))
        return tally


def class_scored(files: tuple[str, ...], positive: str | None, *, models: str | None, **parts: Any) -> ScoreTally:
    """Read what score every model gave to every example, and what was left out; several files are joined by id."""
    if parts["correct"]:
        raise InvalidOption("--correct tells right from wrong, but this metric is of scores. Leave it out.")
    if parts["group"]:
        raise InvalidOption("--group takes counts apart; scores rank all examples at once. Give the rows of one group.")
    with progress(f"reading {_names(files)}"):
        # A model may have a column for each class, so which are meant is told after they were read.
        predictions, _ = _read(files, models=None, scores=True, **parts)
        return predictions.class_score_tally(*listed(models) or (), positive=positive)


def disagreeing(
    files: tuple[str, ...], pair: tuple[str, ...], limit: int, tally: Tally | None = None, **parts: Any
) -> Disagreements:
    """Read the files again, for the first rows that only one of the two models gets right."""
    a, b = pair
    with progress(f"looking through {_names(files)}"):
        return _read(files, **parts)[0].disagreements(a, b, limit, tally=tally)


def _read(
    files: tuple[str, ...],
    *,
    models: str | None,
    key: str | None,
    labels: str | None,
    each: Sequence[str | None] = (),
    **parts: Any,
) -> tuple[Predictions, list[str]]:
    """Return the predictions in one file, or in several that are joined, and which of the models are meant of these."""
    from ..predictions import Predictions
    from ..readers import read_predictions

    named = listed(models)
    asked = {**parts, "id": key, "labels": listed(labels)}
    if len(files) == 1:
        return read_predictions(files[0], models=named, **asked), []
    names = stems(files)
    refuse_absent(files)
    if key is None:
        raise InvalidInput("several files are joined by id: say which column it is, --id COL.")
    tables = {
        name: read_predictions(file, models=column, **asked)
        for name, file, column in zip(names, files, each or [None] * len(files), strict=True)
    }
    return Predictions.joined(tables), named or []


def _names(files: tuple[str, ...]) -> str:
    return ", ".join(Path(file).name for file in files)


def listed(names: str | None) -> list[str] | None:
    """Return names between commas; one that holds a comma is put in quotes, as in a CSV file."""
    if names is None:
        return None
    import csv

    try:
        parts = next(csv.reader([names], skipinitialspace=True))
    except csv.Error:
        raise InvalidOption(
            f"names between commas must stand on one line, but are {names!r}. Put a name that holds a line end in"
            " double quotes."
        ) from None
    return [name.strip() for name in parts if name.strip()]


def stems(files: tuple[str, ...]) -> list[str]:
    """Return a short name for each file: its own without the ending, or all of it where these are alike."""
    short = [Path(file).stem for file in files]
    if len(set(files)) < len(files):
        raise InvalidInput(f"the files must be different, but {max(files, key=files.count)} was given twice.")
    return short if len(set(short)) == len(short) else list(files)


def refuse_absent(files: Sequence[str]) -> None:
    """Refuse a file that is not there, before anything else is asked of it."""
    from ..readers.files import files_of, path_exists

    for file in files:
        if not path_exists(file):
            files_of(file)  # a pattern may be


def refuse_columns(parts: dict[str, Any], counts: str) -> None:
    """Refuse an option that speaks of a file's columns where counts were given."""
    given = [name for name, value in parts.items() if value and not (name == "missing" and value == "fail")]
    if given:
        option = given[0].replace("key", "id").replace("_", "-")
        raise InvalidOption(f"--{option} speaks of a file, but {counts} are counts.")


def _refuse_numbers(predictions: Predictions, named: Sequence[str]) -> None:
    """Refuse fractions where the labels are texts: they are scores of a class."""
    schema = predictions.frame.collect_schema()
    if "label" not in schema or schema["label"].is_numeric():
        return
    for place, model in enumerate(predictions.models):
        if (not named or model in named) and schema[f"m{place}"].is_float():
            raise InvalidInput(f"{model} holds numbers, and the labels are none. {_ARE_SCORES}")


def _refuse_fractions(tally: CrossTally) -> None:
    """Refuse predictions that are fractions and no label of any example."""
    strange = [place for place in range(len(tally.labels)) if place not in tally.patterns[:, 0]]
    for place in strange:
        label = tally.labels[place]
        if isinstance(label, float) and not label.is_integer():
            model = tally.models[int((tally.patterns[:, 1:] == place).any(axis=0).argmax())]
            raise InvalidInput(f"{model} holds {label:g}, which is no label of any example. {_ARE_SCORES}")


def _look_through(models: tuple[str, ...], wrong: IntArray, examples: IntArray, *, named: bool) -> None:
    """Refuse a column that agrees with the labels nowhere; if it was named, remark on it."""
    errors, total = wrong.reshape(-1, len(models)).sum(axis=0), examples.sum()
    never = [name for name, wrong in zip(models, errors, strict=True) if wrong == total]
    if never and not named and total >= 10:  # of a few examples any model may miss all
        raise InvalidInput(
            f"model {never[0]!r} agrees with the labels nowhere. If it is no model, name those that are: --models A,B;"
            " if it is, name it, too."
        )
    many = not named and total >= 100  # few examples may all be easy
    always = [name for name, wrong in zip(models, errors, strict=True) if many and wrong == 0]
    for name in always:
        remark(f"tellapart: {name} agrees with the labels everywhere. Is it a model, or another label?")
    for name in never:
        remark(f"tellapart: {name} agrees with the labels nowhere. Are these scores, or labels of another kind?")


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
            bar.add_task(what, total=None)  # an engine does not say how far it is, only that it works
            done.wait()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
