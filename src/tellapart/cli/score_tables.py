"""`--scores`: scores of learners on many data sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InvalidOption
from ..verbs import compare
from .file_reading import progress, split_names
from .help_pages import SCORES, grouped_option

if TYPE_CHECKING:
    from ..evidence import ScoreTable
    from .answer_output import Output
    from .log_source import LogSource

OF_DATA_SETS = ("dataset", "control", "rho", "difference")
# Options of tables with a row for each example.
_PARTS = ("label", "key", "group", "correct", "weight", "labels", "model", "prediction", "text")
_EXAMPLE_OPTIONS = ("errors", "cluster", "sampling_weight", "repeats", "epoch", "task", "filter")

RHO = grouped_option(
    "--rho",
    type=float,
    section=SCORES,
    rare=True,
    help="Test share of each run, for several runs per data set; 0.1 for 10-fold.",
)
_OPTIONS = (
    grouped_option("--dataset", metavar="COL", section=SCORES, rare=True, help="Data sets. [detected by its name]"),
    grouped_option(
        "--control", metavar="NAME", section=SCORES, rare=True, help="Compare each learner with this one only."
    ),
    RHO,
    grouped_option(
        "--difference",
        type=float,
        section=SCORES,
        rare=True,
        help="Also print how many data sets detect a difference of this size.",
    ),
)


def of_data_sets(command: Any) -> Any:
    """Add the options of learners over many data sets."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def over_data_sets(source: LogSource, table_options: dict[str, Any], learners: tuple[str, ...]) -> bool:
    """Return whether the scores are of data sets, not of examples; raise InvalidOption for options of both.

    `table_options` are the options of this module.
    """
    named = _named_options(table_options)
    races = [file for file in source.files if _is_folder_of_races(file)]
    if not source.log_options["scores"]:
        if named:
            raise InvalidOption(f"`--{named[0]}` needs scores of data sets. Add --scores.")
        if races:
            raise InvalidOption(f"`--scores` is required for a folder of races, got {races[0]}.")
        return False
    stray = [name for name in _PARTS if source.parts[name]] + [
        name for name in _EXAMPLE_OPTIONS if source.log_options[name]
    ]
    if stray:
        option = stray[0].replace("key", "id").replace("_", "-")
        if named or races:
            conflict = f"--{named[0]}" if named else "a folder of races"
            raise InvalidOption(f"`--{option}` must be left out with {conflict}, which is for data sets.")
        return False
    if table_options["dataset"] is None and not races:
        different = source.parts["models"] is not None
        single = len(source.files) == 1 and not source.is_logs
        from ..readers.scores import holds_data_sets

        if not (single and holds_data_sets(source.files[0], all_different=different)):
            _refuse_unknown(source, named, learners)
            return False
    if len(source.files) > 1:
        raise InvalidOption(f"scores of data sets must be in one FILE, got {len(source.files)}.")
    return True


def _named_options(table_options: dict[str, Any]) -> list[str]:
    return [name for name in OF_DATA_SETS if table_options[name] is not None]


def _is_folder_of_races(file: str) -> bool:
    if not Path(file).is_dir():
        return False
    from ..readers.scores import holds_races

    return holds_races(file)


def refuse_one_race(file: str, table_options: dict[str, Any], *, scores: bool) -> None:
    """Raise InvalidOption for options of data sets with one race."""
    named = ["scores"] * scores + _named_options(table_options)
    if named:
        raise InvalidOption(
            f"`--{named[0]}` needs many data sets, got the race of one, {file}. Give a folder of races, or leave it"
            " out."
        )


def _refuse_unknown(source: LogSource, named: list[str], learners: tuple[str, ...]) -> None:
    """Raise InvalidOption for options of data sets without a column of data sets."""
    if named or learners:
        option = named[0] if named else "learner"
        raise InvalidOption(f"`--dataset` is required with --{option}: no column of {source.files[0]} names data sets.")


def table_of(
    files: tuple[str, ...],
    learners: tuple[str, ...],
    parts: dict[str, Any],
    *,
    metric: str | None = None,
    rho: float | None = None,
) -> tuple[ScoreTable, str]:
    """Return the scores of some or all learners, and the Python expression that reads them."""
    from ..readers import read_scores
    from .python_code import write_call

    if len(files) != 1:
        raise click.UsageError(f"`--scores` needs one FILE, got {len(files)}: a table of scores, or a folder of races.")
    stray = [name for name in _PARTS if parts[name]]
    if stray:
        option = stray[0].replace("key", "id")
        raise InvalidOption(f"`--{option}` must be left out with scores of data sets.")
    table_options = {"learners": list(learners) or split_names(parts["models"]) or None, "metric": metric, "rho": rho}
    options: dict[str, Any] = {name: value for name, value in table_options.items() if value is not None}
    return read_scores(files[0], **options), write_call("ta.read_scores", repr(files[0]), **options)


def show_comparison(
    source: LogSource,
    table_options: dict[str, Any],
    request: dict[str, Any],
    how: Output,
    *,
    learners: tuple[str, ...],
    markdown: str | None,
) -> None:
    """Print the comparison of learners over data sets.

    `table_options` are the options of this module, and those of classes.
    """
    _refuse_example_options(request, how, markdown, source.parts["missing"])
    reading_options = {
        "dataset": table_options["dataset"],
        "learners": list(learners) or split_names(source.parts["models"]),
        "metric": source.metric,
        "higher_is_better": False if source.log_options["lower_is_better"] else None,
        "bounds": source.bounds,
        "rho": table_options["rho"],
        "positive": table_options.get("positive"),
        "costs": table_options.get("costs"),
    }
    reading_options |= {"missing": "drop"} if source.parts["missing"] == "drop" else {}
    request = {name: value for name, value in request.items() if value is not None}
    request |= {name: table_options[name] for name in ("control", "difference") if table_options[name] is not None}
    (file,) = source.files
    from ..readers import read_scores

    with progress(f"reading {Path(file).name}"):
        table = read_scores(file, **reading_options)
    with progress("comparing"):
        answer = compare(table, **request)
    default = not {"method", "margin", "rope", "hypothesis"} & request.keys()
    how.show(answer, notes=_assumed_direction(table, reading_options), alternatives=default)
    if how.html:
        from .python_code import write_call, write_program

        lines = [f"table = {write_call('ta.read_scores', repr(file), **reading_options)}"]
        lines.append(f"print({write_call('ta.compare', 'table', **request)})")
        how.write(answer, code=write_program(lines), files=source.files)


def _assumed_direction(table: ScoreTable, reading_options: dict[str, Any]) -> list[str]:
    """Return a note that higher scores are assumed to be better, if neither table nor command specify the direction."""
    if (
        reading_options["metric"] is None
        and reading_options["higher_is_better"] is None
        and table.metric.name == "score"
    ):
        return ["assumed: higher scores are better; else use --metric NAME or --lower-is-better"]
    return []


def _refuse_example_options(request: dict[str, Any], how: Output, markdown: str | None, missing: str) -> None:
    """Raise InvalidOption for options of examples."""
    if request["method"] == "all":
        raise InvalidOption("`--method` must be one method for scores of data sets, got all.")
    if how.examples is not None:
        raise InvalidOption("`--examples` must be left out with scores of data sets.")
    if markdown is not None:
        raise InvalidOption("`--markdown` needs logs or a table of examples. Use --html.")
    if missing == "wrong":
        raise InvalidOption("`--missing` must be fail or drop for scores, got wrong.")
