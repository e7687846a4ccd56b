"""Tables of scores: wide, with a column for each learner, or long, with a row for each score."""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidEvidence, InvalidOption, import_extra
from ...evidence.base import plural
from ...evidence.score_table import ScoreTable
from ...predictions.engine import arrays, as_lazy, fetched, missing, reason_of, told
from ...typing_ import BoolArray, FloatArray, IntArray
from ..columns import whole_table
from ..files import files_of, format_of
from .cells import all_numbers, is_absent, parsed, remedy, with_points
from .metrics import Scale, is_metric
from .roles import Roles, is_nameless, plain_header

_SUMMARIES = frozenset(
    ("average", "avg", "mean", "median", "std", "averagerank", "avgrank", "meanrank", "averageranks", "rank", "total")
)
_PARTS = frozenset(("train", "training", "test", "validation", "valid", "val", "dev"))  # of one division


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """A table in memory: arrays by the name of the column, and where it comes from."""

    arrays: Mapping[str, np.ndarray]
    source: str = "the table"

    @property
    def texts(self) -> set[str]:
        """The columns that hold more than numbers and cells with nothing in them."""
        return {name for name, column in self.arrays.items() if not all_numbers(column)}

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return max((len(column) for column in self.arrays.values()), default=0)

    def kept(self, rows: BoolArray) -> Columns:
        """Return the rows where this holds."""
        return Columns({name: column[rows] for name, column in self.arrays.items()}, self.source)


def read_table(source: str | os.PathLike[str]) -> Columns:
    """Read a file; texts are not yet taken for numbers, and blank lines are no rows."""
    (file, *others) = files_of(source)
    if others:
        raise InvalidEvidence(f"scores are read from one file, but {source} stands for {1 + len(others)}.")
    kind = format_of([file])
    polars = import_extra("polars", "tables")
    try:
        table = whole_table(polars, kind, file)
    except (polars.exceptions.PolarsError, OSError) as error:
        comma = " If scores have a decimal comma, write 0.81 for 0,81." if "more fields" in str(error) else ""
        raise InvalidEvidence(f"{file} cannot be read as {kind}: {reason_of(error)}{comma}") from error
    found: dict[str, np.ndarray] = {}
    for name in table.columns:
        twice = re.fullmatch(r"(.+)_duplicated_\d+", name)
        if twice and twice[1] in table.columns:
            raise InvalidEvidence(f"{file} has more than one column {twice[1]!r}. Rename all but one.")
        found[name.strip()] = _as_array(table[name])
    if kind == "csv":  # where commas part the columns, one inside a number stands in quotes
        found = with_points(found)
    return Columns(_without_empty(found), str(file))


def held_table(frame: Any) -> Columns:
    """Return a table in memory, of whatever engine; a named index of pandas is a column, and so is one of texts."""
    if isinstance(frame, Mapping):
        columns = {str(name): np.asarray(column, dtype=object) for name, column in frame.items()}
        sizes = {name: column.shape for name, column in columns.items()}
        if len(set(sizes.values())) != 1 or any(len(shape) != 1 for shape in sizes.values()):
            shapes = ", ".join(f"{name} has shape {shape}" for name, shape in sizes.items())
            raise InvalidEvidence(f"the columns of a table must be equally long lists, but {shapes}.")
        return Columns(columns)
    lazy = as_lazy(_with_index(frame), what="scores")
    columns = {str(name).strip(): column for name, column in arrays(fetched(lazy)).items()}
    return Columns({name: each if each.ndim == 1 else _one_by_one(each.tolist()) for name, each in columns.items()})


def _with_index(frame: Any) -> Any:
    """Return a table of pandas with its index as a column, if that has a name or holds texts."""
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
    roles = Roles.recognised(
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
        raise InvalidEvidence(f"{table.source} has a header, but no data sets below it.")
    if roles.score is not None:
        if roles.metric is not None:
            table, metric = _of_metric(table, roles, metric)
        elif metric is None and is_metric(roles.score):
            metric = roles.score
    grid = _long(table, roles) if roles.score is not None else _wide(table, roles)
    return made(*grid, metric=metric, higher_is_better=higher_is_better, bounds=bounds, rho=rho)


def made(
    scores: FloatArray,
    learners: tuple[str, ...],
    datasets: tuple[str, ...],
    *,
    metric: str | None,
    higher_is_better: bool | None,
    bounds: tuple[float, float] | None,
    rho: Any,
) -> ScoreTable:
    """Return the table of scores by data set, learner and run, told which way is better."""
    if len(learners) < 2:
        raise InvalidEvidence(f"two learners are needed to compare, but there is only {', '.join(learners) or 'none'}.")
    scale = Scale.of(metric, higher_is_better=higher_is_better)
    values = scale.applied(scores)
    ends = scale.bounds(values) if bounds is None else _within(bounds, values)
    return ScoreTable.from_scores(
        values,
        learners,
        datasets,
        metric=scale.named(values),
        higher_is_better=scale.higher_is_better,
        bounds=ends,
        rho=rho,
    )


def _within(bounds: tuple[float, float], values: FloatArray) -> tuple[float, float]:
    """Return the bounds that were told, or say that scores lie outside of them."""
    low, high = float(bounds[0]), float(bounds[1])
    known = values[~np.isnan(values)]
    if known.size and not low <= known.min() <= known.max() <= high:
        raise InvalidOption(
            f"bounds must be the least and the largest score there can be, but are {low:g} and {high:g}, and scores go"
            f" from {known.min():g} to {known.max():g}."
        )
    return low, high


Grid = tuple[FloatArray, tuple[str, ...], tuple[str, ...]]  # scores by data set, learner and run; learners; data sets


def _wide(table: Columns, roles: Roles) -> Grid:
    """Return what is in a table with a column for each learner."""
    names, place = _coded(table, roles.dataset)
    _refuse_summaries(table, names)
    learners = roles.learners or ()
    if not learners:
        raise InvalidEvidence(
            f"{table.source} has no column of scores beside {roles.dataset!r}. Columns are parted by commas, semicolons"
            " or tabs."
        )
    columns = np.stack([_numbers(table, name, names, place) for name in learners], axis=-1)
    if roles.runs:
        turn = _turns(table, roles, place)
        _refuse_twice(table, place * len(turn) + turn, "one row", roles)
    else:
        turn = _occurrence(place)
        _refuse_uneven_rows(table, np.bincount(place), names)
    scores = np.full((len(names), len(learners), int(turn.max()) + 1), np.nan)
    scores[place, :, turn] = columns
    return scores, learners, names


def _long(table: Columns, roles: Roles) -> Grid:
    """Return what is in a table with a row for each score."""
    learners, column = _coded(table, str(roles.learner))
    names, place = _coded(table, roles.dataset)
    if roles.learners is not None:  # a data set that none of these was tried on stays, without a score
        for name in roles.learners:
            if name not in learners:
                raise missing(name, f"learners names {name!r}", learners)
        chosen = [learners.index(name) for name in roles.learners]
        kept = np.isin(column, chosen)
        table, place, column = table.kept(kept), place[kept], np.argsort(_all_of(chosen, len(learners)))[column[kept]]
        learners = roles.learners
    values = _numbers(table, str(roles.score), names, place)
    cell = place * len(learners) + column
    if roles.runs:
        turn = _turns(table, roles, place)
        _refuse_twice(table, cell * len(turn) + turn, "one score", roles)
    else:
        turn = _occurrence(cell)
        _refuse_uneven(table, np.bincount(cell), learners, names)
    scores = np.full((len(names), len(learners), int(turn.max()) + 1), np.nan)
    scores[place, column, turn] = values
    return scores, learners, names


def _all_of(chosen: list[int], count: int) -> list[int]:
    """Return the chosen places, and behind them all others."""
    return [*chosen, *(place for place in range(count) if place not in chosen)]


def _of_metric(table: Columns, roles: Roles, metric: str | None) -> tuple[Columns, str | None]:
    """Return the rows of one metric, where a column says what each score is of."""
    there, code = _coded(table, str(roles.metric))
    alike = [place for place, name in enumerate(there) if metric and plain_header(name) == plain_header(metric)]
    if metric is None and len(there) > 1:
        raise InvalidEvidence(
            f"column {roles.metric!r} of {table.source} has several metrics: {told(there)}. Say which, metric="
            " (--metric)."
        )
    if metric is not None and not alike:
        raise missing(metric, f"metric is {metric!r}", there)
    return table.kept(np.isin(code, alike or [0])), metric or there[0]


# --- Names and runs -----------------------------------------------------------------------------------


def _coded(table: Columns, name: str) -> tuple[tuple[str, ...], IntArray]:
    """Return the different names in a column in the order in which they occur, and for each row the place of its."""
    values = table.arrays[name].tolist()
    for row, value in enumerate(values):
        if not isinstance(value, Hashable):
            raise InvalidEvidence(
                f"{table.source}: column {name!r} must hold names, got {value!r} in row {row + 1}. Choose another"
                " column, or write one name in each cell."
            )
    texts = {value: _name_text(value) for value in dict.fromkeys(values) if not is_absent(value, names=True)}
    for row, value in enumerate(values):
        if value not in texts:
            raise InvalidEvidence(
                f"{table.source}: row {row + 1} has nothing in column {name!r}. Fill it in, or remove the row."
            )
    found = tuple(dict.fromkeys(texts.values()))
    places = {text: place for place, text in enumerate(found)}
    codes = {value: places[text] for value, text in texts.items()}
    return found, np.array([codes[value] for value in values], dtype=np.int64)


def _name_text(value: Any) -> str:
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if whole else value).strip()


def _refuse_summaries(table: Columns, names: tuple[str, ...]) -> None:
    """Refuse a row below the data sets that sums them up."""
    for name in names:
        if plain_header(name) in _SUMMARIES:
            raise InvalidEvidence(
                f"{table.source} has a row called {name!r}, which would pass for a data set. Remove it; if it is one,"
                " give it another name."
            )


def _turns(table: Columns, roles: Roles, place: IntArray) -> IntArray:
    """Return which run of its data set each row is, from 0, by the columns of runs."""
    label = np.zeros(len(place), dtype=np.int64)
    for name in roles.runs:
        found, code = _coded(table, name)
        if len(found) > 1 and {text.casefold() for text in found} <= _PARTS:
            raise InvalidEvidence(
                f"column {name!r} of {table.source} says {' and '.join(found)}, which are no runs. Keep the rows of"
                f" test sets and leave out the column, or say which column tells runs apart: run=."
            )
        label = label * len(found) + code
    _, label = np.unique(label, return_inverse=True)  # so that no product below is too large
    many = int(label.max()) + 1
    pairs, row = np.unique(place * many + label, return_inverse=True)
    first = np.searchsorted(pairs, many * np.arange(int(place.max()) + 1))
    return np.asarray(row - first[place], dtype=np.int64)


def _occurrence(cell: IntArray) -> IntArray:
    """Return for each row how many rows of the same cell stand above it."""
    order = np.argsort(cell, kind="stable")
    sorted_cells = cell[order]
    turn = np.empty_like(cell)
    turn[order] = np.arange(cell.size) - np.searchsorted(sorted_cells, sorted_cells)
    return turn


def _refuse_twice(table: Columns, key: IntArray, what: str, roles: Roles) -> None:
    """Refuse two rows of one run."""
    _, first, count = np.unique(key, return_index=True, return_counts=True)
    if (count > 1).any():
        row = int(first[count > 1].min())
        parts = [roles.dataset, *([roles.learner] if roles.learner else []), *roles.runs]
        cell = ", ".join(f"{name} {_name_text(table.arrays[name][row])}" for name in parts)
        raise InvalidEvidence(
            f"{table.source} must have {what} for each run, but has more for {cell}. Remove all but one, or name all"
            " columns that tell runs apart: run=[...]."
        )


_TELL_RUNS = "If these are runs, name the column that tells them apart: run=, or call it run, fold or seed."


def _refuse_uneven_rows(table: Columns, count: IntArray, names: tuple[str, ...]) -> None:
    """Refuse data sets on more rows than others, where nothing says which run is which."""
    if count.min() == count.max():
        return
    most, least = int(np.argmax(count)), int(np.argmin(count))
    raise InvalidEvidence(
        f"{table.source} has {plural(int(count[most]), 'row')} of data set {names[most]}, but {int(count[least])} of"
        f" {names[least]}. {_TELL_RUNS} If it is there twice by mistake, remove all but one."
    )


def _refuse_uneven(table: Columns, count: IntArray, learners: tuple[str, ...], names: tuple[str, ...]) -> None:
    """Refuse cells with more scores than others, where nothing says which run is which."""
    filled = count[count > 0]
    if filled.min() == filled.max():
        return
    most = int(np.argmax(count))
    least = int(np.argmax(count == filled.min()))
    here, there = ((learners[cell % len(learners)], names[cell // len(learners)]) for cell in (most, least))
    raise InvalidEvidence(
        f"{table.source} has {plural(int(count[most]), 'score')} of {here[0]} on {here[1]}, but"
        f" {int(count[least])} of {there[0]} on {there[1]}. {_TELL_RUNS} If not, remove all but one."
    )


def _numbers(table: Columns, name: str, datasets: tuple[str, ...], place: IntArray) -> FloatArray:
    """Return a column of scores, or say which cell is none."""
    numbers, row = parsed(table.arrays[name])
    if row is None:
        return numbers
    value = table.arrays[name][row]
    raise InvalidEvidence(
        f"{table.source}: row {row + 1} ({datasets[place[row]]}), column {name!r} holds {value!r}, which is no"
        f" number.{remedy(str(value).strip())}"
    )
