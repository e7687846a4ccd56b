"""Tables of scores: wide (a column for each learner) or long (a row for each score)."""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidEvidence, InvalidOption, import_extra
from ...evidence.score_table import ScoreTable
from ...predictions.engine import as_arrays, as_lazy, fetch_rows, quote_names, reason_of, unknown_name
from ...typing_ import BoolArray, FloatArray, IntArray
from ..columns import whole_table
from ..files import files_of, format_of
from .cells import all_numbers, is_absent, parse_numbers, remedy, with_points
from .roles import ScoreRoles, is_nameless, plain_header
from .score_scales import ScoreScale, is_metric

_SUMMARIES = frozenset(
    ("average", "avg", "mean", "median", "std", "averagerank", "avgrank", "meanrank", "averageranks", "rank", "total")
)
_SPLIT_PARTS = frozenset(("train", "training", "test", "validation", "valid", "val", "dev"))  # of one split


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """A table in memory: arrays by the name of the column, and its source."""

    arrays: Mapping[str, np.ndarray]
    source: str = "the table"

    @property
    def texts(self) -> set[str]:
        """The columns that hold values other than numbers and empty cells."""
        return {name for name, column in self.arrays.items() if not all_numbers(column)}

    @property
    def rows(self) -> int:
        """The number of rows."""
        return max((len(column) for column in self.arrays.values()), default=0)

    def kept(self, rows: BoolArray) -> Columns:
        """Return the selected rows."""
        return Columns({name: column[rows] for name, column in self.arrays.items()}, self.source)


def read_table(source: str | os.PathLike[str]) -> Columns:
    """Return the rows of a file, with texts not yet read as numbers, without blank lines."""
    (file, *others) = files_of(source)
    if others:
        raise InvalidEvidence(f"`source` must be one file of scores, got {1 + len(others)}.")
    kind = format_of([file])
    polars = import_extra("polars", "tables")
    try:
        table = whole_table(polars, kind, file)
    except (polars.exceptions.PolarsError, OSError) as error:
        comma = " If scores have a decimal comma, write 0.81 for 0,81." if "more fields" in str(error) else ""
        raise InvalidEvidence(f"cannot read {file} as {kind}: {reason_of(error)}{comma}") from error
    columns: dict[str, np.ndarray] = {}
    for name in table.columns:
        twice = re.fullmatch(r"(.+)_duplicated_\d+", name)
        if twice and twice[1] in table.columns:
            raise InvalidEvidence(f"{file} must have different column names, got {twice[1]!r} twice. Rename one.")
        columns[name.strip()] = _as_array(table[name])
    if kind == "csv":  # a decimal comma is quoted if commas separate the columns
        columns = with_points(columns)
    return Columns(_without_empty(columns), str(file))


def table_in_memory(frame: Any) -> Columns:
    """Return a table in memory of any engine; a named index of pandas, or one of texts, becomes a column."""
    if isinstance(frame, Mapping):
        columns = {str(name): np.asarray(column, dtype=object) for name, column in frame.items()}
        sizes = {name: column.shape for name, column in columns.items()}
        if len(set(sizes.values())) != 1 or any(len(shape) != 1 for shape in sizes.values()):
            shapes = ", ".join(f"{name} has shape {shape}" for name, shape in sizes.items())
            raise InvalidEvidence(f"columns must be lists of equal length, but {shapes}.")
        return Columns(columns)
    lazy = as_lazy(_with_index(frame), what="scores")
    columns = {str(name).strip(): column for name, column in as_arrays(fetch_rows(lazy)).items()}
    return Columns({name: each if each.ndim == 1 else _one_by_one(each.tolist()) for name, each in columns.items()})


def _with_index(frame: Any) -> Any:
    """Return a table of pandas with its index as a column if it has a name or holds texts."""
    index = getattr(frame, "index", None)
    if index is None or not hasattr(frame, "reset_index"):
        return frame
    if index.nlevels > 1 or index.name is not None:
        return frame.reset_index()
    if index.dtype.kind in "iuf":
        return frame
    return frame.rename_axis("index" if "dataset" in frame.columns else "dataset").reset_index()


def _as_array(column: Any) -> np.ndarray:
    if column.dtype.is_numeric():
        return np.asarray(column.cast(float).fill_null(float("nan")).to_numpy())
    return _one_by_one(column.to_list())


def _one_by_one(values: Sequence[Any]) -> np.ndarray:
    """Return an array with a cell for each value, also where every value is a list of the same length."""
    cells = np.empty(len(values), dtype=object)
    for row, value in enumerate(values):
        cells[row] = value
    return cells


def _without_empty(columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Leave out columns without a name and without a value: a separator at the end of every line makes one."""
    return {
        name: column
        for name, column in columns.items()
        if not is_nameless(name) or not all(map(is_absent, column.tolist()))
    }


def from_table(
    table: Columns,
    *,
    dataset: str | None = None,
    learner: str | None = None,
    score: str | None = None,
    run: str | Iterable[str] | None = None,
    learners: tuple[str, ...] | None = None,
    metric: str | None = None,
    higher_is_better: bool | None = None,
    bounds: tuple[float, float] | None = None,
    rho: Any = None,
) -> ScoreTable:
    """Return the scores in a table, wide or long."""
    if not table.arrays:
        raise InvalidEvidence(f"{table.source} has no columns.")
    roles = ScoreRoles.recognise(
        tuple(table.arrays),
        table.texts,
        dataset=dataset,
        learner=learner,
        score=score,
        run=run,
        learners=learners,
        metric=metric,
    )
    if not table.rows:
        raise InvalidEvidence(f"{table.source} must have rows below its header, got none.")
    if roles.score is not None:
        if roles.metric is not None:
            table, metric = _select_metric(table, roles, metric)
        elif metric is None and is_metric(roles.score):
            metric = roles.score
    grid = _read_long(table, roles) if roles.score is not None else _read_wide(table, roles)
    return build_score_table(*grid, metric=metric, higher_is_better=higher_is_better, bounds=bounds, rho=rho)


def build_score_table(
    scores: FloatArray,
    learners: tuple[str, ...],
    datasets: tuple[str, ...],
    *,
    metric: str | None,
    higher_is_better: bool | None,
    bounds: tuple[float, float] | None,
    rho: Any,
) -> ScoreTable:
    """Return the table of scores by data set, learner and run, with the direction of the metric."""
    if len(learners) < 2:
        raise InvalidEvidence(f"at least two learners are needed, got {', '.join(learners) or 'none'}.")
    scale = ScoreScale.of(metric, higher_is_better=higher_is_better)
    values = scale.applied(scores)
    ends = scale.bounds(values) if bounds is None else _check_bounds(bounds, values)
    return ScoreTable.from_scores(
        values,
        learners,
        datasets,
        metric=scale.named(values),
        higher_is_better=scale.higher_is_better,
        bounds=ends,
        rho=rho,
    )


def _check_bounds(bounds: tuple[float, float], values: FloatArray) -> tuple[float, float]:
    """Return the bounds; raise InvalidOption if scores lie outside of them."""
    low, high = float(bounds[0]), float(bounds[1])
    present = values[~np.isnan(values)]
    if present.size and not low <= present.min() <= present.max() <= high:
        raise InvalidOption(
            f"`bounds` must include all scores ({present.min():g} to {present.max():g}), got {low:g} and {high:g}."
        )
    return low, high


Grid = tuple[FloatArray, tuple[str, ...], tuple[str, ...]]  # scores by data set, learner and run; learners; data sets


def _read_wide(table: Columns, roles: ScoreRoles) -> Grid:
    """Return the scores in a wide table."""
    names, row = _encode_names(table, roles.dataset)
    _refuse_summaries(table, names)
    learners = roles.learners or ()
    if not learners:
        raise InvalidEvidence(
            f"{table.source} must have columns of scores in addition to {roles.dataset!r}, got none."
            f" Separate columns by"
            " commas, semicolons or tabs."
        )
    columns = np.stack([_read_scores_column(table, name, names, row) for name in learners], axis=-1)
    if roles.runs:
        turn = _number_runs(table, roles, row)
        _refuse_twice(table, row * len(turn) + turn, "one row", roles)
    else:
        turn = _number_occurrences(row)
        _refuse_uneven_rows(table, np.bincount(row), names)
    scores = np.full((len(names), len(learners), int(turn.max()) + 1), np.nan)
    scores[row, :, turn] = columns
    return scores, learners, names


def _read_long(table: Columns, roles: ScoreRoles) -> Grid:
    """Return the scores in a long table."""
    learners, column = _encode_names(table, str(roles.learner))
    names, row = _encode_names(table, roles.dataset)
    if roles.learners is not None:  # a data set without scores of these learners is kept
        for name in roles.learners:
            if name not in learners:
                raise unknown_name("learners", f"names in the column {roles.learner!r}", name, learners)
        chosen = [learners.index(name) for name in roles.learners]
        kept = np.isin(column, chosen)
        table, row, column = table.kept(kept), row[kept], np.argsort(_chosen_first(chosen, len(learners)))[column[kept]]
        learners = roles.learners
    values = _read_scores_column(table, str(roles.score), names, row)
    cell = row * len(learners) + column
    if roles.runs:
        turn = _number_runs(table, roles, row)
        _refuse_twice(table, cell * len(turn) + turn, "one score", roles)
    else:
        turn = _number_occurrences(cell)
        _refuse_uneven(table, np.bincount(cell), learners, names)
    scores = np.full((len(names), len(learners), int(turn.max()) + 1), np.nan)
    scores[row, column, turn] = values
    return scores, learners, names


def _chosen_first(chosen: list[int], count: int) -> list[int]:
    """Return the chosen indices, followed by all others."""
    return [*chosen, *(index for index in range(count) if index not in chosen)]


def _select_metric(table: Columns, roles: ScoreRoles, metric: str | None) -> tuple[Columns, str | None]:
    """Return the rows of one metric, if a column holds the metric of each score."""
    there, code = _encode_names(table, str(roles.metric))
    alike = [index for index, name in enumerate(there) if metric and plain_header(name) == plain_header(metric)]
    if metric is None and len(there) > 1:
        raise InvalidEvidence(
            f"`metric` must name one of the metrics in column {roles.metric!r}: {quote_names(there)}."
        )
    if metric is not None and not alike:
        raise unknown_name("metric", f"a metric in the column {roles.metric!r}", metric, there)
    return table.kept(np.isin(code, alike or [0])), metric or there[0]


# --- Names and runs -----------------------------------------------------------------------------------


def _encode_names(table: Columns, name: str) -> tuple[tuple[str, ...], IntArray]:
    """Return the distinct names in a column in order of occurrence, and the index of the name in each row."""
    values = table.arrays[name].tolist()
    for row, value in enumerate(values):
        if not isinstance(value, Hashable):
            raise InvalidEvidence(
                f"{table.source}: column {name!r} must hold names, got {value!r} in row {row + 1}. Write one"
                f" name in each"
                " cell."
            )
    texts = {value: _name_text(value) for value in dict.fromkeys(values) if not is_absent(value, names=True)}
    for row, value in enumerate(values):
        if value not in texts:
            raise InvalidEvidence(
                f"{table.source}: column {name!r} must hold names, got an empty cell in row {row + 1}. Fill it in, or"
                " remove the row."
            )
    names = tuple(dict.fromkeys(texts.values()))
    places = {text: index for index, text in enumerate(names)}
    codes = {value: places[text] for value, text in texts.items()}
    return names, np.array([codes[value] for value in values], dtype=np.int64)


def _name_text(value: Any) -> str:
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if whole else value).strip()


def _refuse_summaries(table: Columns, names: tuple[str, ...]) -> None:
    """Raise InvalidEvidence for a row that summarises the data sets, such as a mean."""
    for name in names:
        if plain_header(name) in _SUMMARIES:
            raise InvalidEvidence(
                f"rows of {table.source} must be data sets, got {name!r}. Remove the row, or rename it if it"
                f" is a data set."
            )


def _number_runs(table: Columns, roles: ScoreRoles, datasets: IntArray) -> IntArray:
    """Return the index of the run of each row within its data set, by the columns of runs."""
    label = np.zeros(len(datasets), dtype=np.int64)
    for name in roles.runs:
        values, code = _encode_names(table, name)
        if len(values) > 1 and {text.casefold() for text in values} <= _SPLIT_PARTS:
            raise InvalidEvidence(
                f"column {name!r} of {table.source} must hold runs, got {', '.join(values)}. Keep the rows"
                f" of test sets, or"
                " name the column of runs with `run`."
            )
        label = label * len(values) + code
    _, label = np.unique(label, return_inverse=True)  # so that the product below cannot overflow
    many = int(label.max()) + 1
    pairs, row = np.unique(datasets * many + label, return_inverse=True)
    first = np.searchsorted(pairs, many * np.arange(int(datasets.max()) + 1))
    return np.asarray(row - first[datasets], dtype=np.int64)


def _number_occurrences(cell: IntArray) -> IntArray:
    """Return for each row the number of rows of the same cell above it."""
    order = np.argsort(cell, kind="stable")
    sorted_cells = cell[order]
    turn = np.empty_like(cell)
    turn[order] = np.arange(cell.size) - np.searchsorted(sorted_cells, sorted_cells)
    return turn


def _refuse_twice(table: Columns, key: IntArray, what: str, roles: ScoreRoles) -> None:
    """Raise InvalidEvidence for two rows of one run."""
    _, first, count = np.unique(key, return_index=True, return_counts=True)
    if (count > 1).any():
        row = int(first[count > 1].min())
        parts = [roles.dataset, *([roles.learner] if roles.learner else []), *roles.runs]
        cell = ", ".join(f"{name} {_name_text(table.arrays[name][row])}" for name in parts)
        raise InvalidEvidence(
            f"{table.source} must have {what} for each run, got several for {cell}. Remove all but one, or"
            f" name all columns"
            " that distinguish runs with `run`."
        )


_NAME_RUNS = "Remove duplicates, or name the column of runs with `run`."


def _refuse_uneven_rows(table: Columns, count: IntArray, names: tuple[str, ...]) -> None:
    """Raise InvalidEvidence if data sets have different numbers of rows and no column identifies runs."""
    if count.min() == count.max():
        return
    most, least = int(np.argmax(count)), int(np.argmin(count))
    raise InvalidEvidence(
        f"{table.source} must have equally many rows for each data set, got {int(count[most])} for {names[most]} and"
        f" {int(count[least])} for {names[least]}. {_NAME_RUNS}"
    )


def _refuse_uneven(table: Columns, count: IntArray, learners: tuple[str, ...], names: tuple[str, ...]) -> None:
    """Raise InvalidEvidence if cells have different numbers of scores and no column identifies runs."""
    filled = count[count > 0]
    if filled.min() == filled.max():
        return
    most = int(np.argmax(count))
    least = int(np.argmax(count == filled.min()))
    here, there = ((learners[cell % len(learners)], names[cell // len(learners)]) for cell in (most, least))
    raise InvalidEvidence(
        f"{table.source} must have equally many scores for each learner and data set, got {int(count[most])}"
        f" for {here[0]}"
        f" on {here[1]} and {int(count[least])} for {there[0]} on {there[1]}. {_NAME_RUNS}"
    )


def _read_scores_column(table: Columns, name: str, datasets: tuple[str, ...], dataset_of_row: IntArray) -> FloatArray:
    """Return a column of scores; raise InvalidEvidence for a cell that is not a number."""
    numbers, row = parse_numbers(table.arrays[name])
    if row is None:
        return numbers
    value = table.arrays[name][row]
    raise InvalidEvidence(
        f"{table.source}: column {name!r} must hold numbers, got {value!r} in row {row + 1}"
        f" ({datasets[dataset_of_row[row]]})."
        f"{remedy(str(value).strip())}"
    )
