"""Discordant examples, which only one of two models gets right: a second, filtered read of the rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import narwhals.stable.v2 as nw

from ..display import Display, Row
from ..errors import InvalidOption
from ..figures import count_text
from ..rendering import Rendered, table_of
from .comparable import make_comparable
from .engine import collect_columns, flag
from .problems import combine_conditions

if TYPE_CHECKING:
    from .record import Predictions

Order = Literal["id", "row", "value"]
_MOST = 10_000  # rows: a table to read, not a copy of the file
_LONGEST = 200  # characters of a cell: predictions may be whole texts
_NOTED = ("absent", "again", "clash")  # columns that only say what went wrong when rows were joined
_ORDERS = {"id": "by id", "row": "by row number", "value": "by label and predictions"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Disagreements(Rendered):
    """Discordant examples, which only one of two models gets right; `Predictions.disagreements` finds them.

    Parameters
    ----------
    models
        The names of A and B.
    columns
        The heading of each column, by its role: "id" (or "row"), "label", "a", "b", "right", "group", "weight", if
        there are such columns. Predictions are headed by the models' names.
    lines
        The cells of each row, as plain values: None for a missing prediction, and under "right" a model's name.
    total
        The number of discordant examples, shown or not; with weights, the number that the rows stand for.
    order
        The order of the rows: "id", "row" (their number from 1, if there are no ids), or "value" (label and
        predictions, if the engine does not number rows either).
    engine
        The table engine, such as "polars".

    Examples
    --------
    >>> found = Disagreements(
    ...     models=("old", "new"),
    ...     columns={"id": "id", "label": "label", "a": "old", "b": "new", "right": "right"},
    ...     lines=((7, "cat", "dog", "cat", "new"),),
    ...     total=1,
    ...     order="id",
    ...     engine="polars",
    ... )
    >>> print(found)
    1 discordant example of old and new
    <BLANKLINE>
      id  label  old  new  right
      7   cat    dog  cat  new
    <BLANKLINE>
      data      1 row shown, by id
    """

    models: tuple[str, str]
    columns: Mapping[str, str]
    lines: tuple[tuple[Any, ...], ...]
    total: int
    order: Order
    engine: str

    @property
    def head(self) -> tuple[str, ...]:
        """The headings of the columns."""
        return tuple(self.columns.values())

    def describe(self) -> str:
        """Return the number of discordant examples, and which of them are shown."""
        verdict = f"{count_text(self.total, 'discordant example')} of {self.models[0]} and {self.models[1]}"
        return f"{verdict}; {self._describe_shown()}" if self.lines else verdict

    def _describe_shown(self) -> str:
        return f"{count_text(len(self.lines), 'row')} shown, {_ORDERS[self.order]}"

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the heading of each column, and the cells of each row, very long ones cut."""
        return list(self.head), [[_format_cell(value) for value in line] for line in self.lines]

    def display(self, *, verbose: bool = False) -> Display:
        """Return the number of discordant examples, and a table of those shown."""
        verdict = f"{count_text(self.total, 'discordant example')} of {self.models[0]} and {self.models[1]}"
        if not self.lines:
            return Display(verdict=verdict)
        engine = f", found by {self.engine}" if verbose else ""
        rows = Row("data", f"{self._describe_shown()}{engine}")
        return Display(verdict=verdict, blocks=(table_of(*self.table()), rows))

    def as_dict(self) -> dict[str, Any]:
        """Return plain values; each row is keyed by role ("a", "b"), as a model may be named like another column."""
        return {
            "models": list(self.models),
            "total": self.total,
            "order": self.order,
            "engine": self.engine,
            "rows": [dict(zip(self.columns, line, strict=True)) for line in self.lines],
        }


def as_limit(limit: Any, name: str = "limit") -> int:
    """Return the number of rows to show; raise InvalidOption if it is out of range.

    Examples
    --------
    >>> as_limit(50)
    50
    """
    whole = not isinstance(limit, bool) and hasattr(limit, "__index__")
    if not whole or not 1 <= int(limit) <= _MOST:
        raise InvalidOption(f"`{name}` must be a whole number from 1 to {_MOST}, got {limit!r}.")
    return int(limit)


def disagreements(predictions: Predictions, a: str, b: str, total: int, limit: int) -> Disagreements:
    """Return the first discordant examples; their number, `total`, was counted before.

    Every engine can filter, sort and take the first rows, so only those few rows leave it.
    """
    predictions, order = _number_rows(predictions)
    table = make_comparable(predictions, (a, b))
    settled = [problem for problem in table.problems if not problem.is_forbidden(predictions.missing)]
    frame = table.frame.with_columns(
        *(flag(problem).alias(f"right{index}") for index, problem in enumerate(table.right))
    )
    if settled and predictions.missing == "drop":
        frame = frame.filter(~combine_conditions(settled))
    if table.weight:
        frame = frame.filter(nw.col(table.weight) > 0)  # rows that stand for no example
    there = frame.collect_schema().names()
    keys = (
        ["id"]
        if order == "id"
        else [problem for problem in ("label", "m0", "m1", "group", "weight") if problem in there]
    )
    selected = [
        problem for problem in there if problem not in ("right1", "unread_label") and not problem.startswith(_NOTED)
    ]
    odd = frame.filter(nw.col("right0") != nw.col("right1"))
    rows = odd.select(*selected)
    # Numbered rows are in order already, so the engine can stop once it has enough.
    rows_read = collect_columns((rows if order == "row" else rows.sort(*keys)).head(limit))
    columns = _format_columns(rows_read, predictions, (a, b), order)
    return Disagreements(
        models=(a, b),
        columns={role: title for role, (title, _) in columns.items()},
        lines=tuple(zip(*(cells for _, cells in columns.values()), strict=True)),
        total=total,
        order=order,
        engine=str(predictions.frame.implementation.value),
    )


def _number_rows(predictions: Predictions) -> tuple[Predictions, Order]:
    """Return the table with a column that identifies its rows if possible, and the order of rows."""
    frame = predictions.frame
    if "id" in frame.collect_schema().names():
        return predictions, "id"
    if frame.implementation.is_polars():
        numbered = nw.from_native(frame.to_native().with_row_index("id", offset=1))
    elif frame.implementation.is_pandas() or frame.implementation.is_pyarrow():  # in memory already
        numbered = frame.collect().with_row_index("id").with_columns(nw.col("id") + 1).lazy()
    else:
        return predictions, "value"
    return replace(predictions, frame=numbered), "row"


def _format_columns(
    rows_read: Mapping[str, list[Any]], predictions: Predictions, models: tuple[str, str], order: Order
) -> dict[str, tuple[str, list[Any]]]:
    """Return the heading and the cells of each column."""
    names = predictions.names
    size = len(rows_read["right0"])
    guesses = {
        role: _format_predictions(rows_read, f"m{index}", predictions.correct) for index, role in enumerate("ab")
    }
    compared = {"label": rows_read["label"]} | guesses if "label" in rows_read else guesses
    # One format for all three: 1.0 next to 1 would look like another label.
    alike = _as_whole_numbers([value for cells in compared.values() for value in cells])
    compared = {role: alike[index * size : (index + 1) * size] for index, role in enumerate(compared)}
    first: dict[str, tuple[str, list[Any]]] = (
        {} if order == "value" else {order: (names.get("id", order), _as_whole_numbers(rows_read["id"]))}
    )
    titles = {"label": names.get("label", "label"), "a": models[0], "b": models[1]}
    right = [models[0] if a_is_right else models[1] for a_is_right in rows_read["right0"]]
    rest = {"group": names.get("group", "group"), "weight": "examples"}
    return {
        **first,
        **{role: (titles[role], cells) for role, cells in compared.items()},
        "right": ("right", right),
        **{role: (title, _as_whole_numbers(rows_read[role])) for role, title in rest.items() if role in rows_read},
    }


def _format_predictions(rows_read: Mapping[str, list[Any]], ours: str, correct: bool) -> list[Any]:
    """Return a model's predictions, unreadable texts as written; or its outcomes as "right" and "wrong"."""
    values = rows_read[ours]
    if correct:
        words = {"1": "right", "1.0": "right", "true": "right"}
        return [None if value is None else words.get(str(value).lower(), "wrong") for value in values]
    unread: Iterable[Any] = rows_read.get(f"unread_{ours}", [None] * len(values))
    return [value if text is None else text for value, text in zip(values, unread, strict=True)]


def _as_whole_numbers(values: Sequence[Any]) -> list[Any]:
    """Return 7 for 7.0: whole numbers become floats if one is missing or tables are joined."""
    floats = [value for value in values if isinstance(value, float)]
    if not all(value.is_integer() for value in floats):
        return list(values)
    return [int(value) if isinstance(value, float) else value for value in values]


def _format_cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
