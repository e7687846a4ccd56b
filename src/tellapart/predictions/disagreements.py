"""Where two models disagree in being right: a second, filtered read of the rows behind a table of counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import narwhals.stable.v2 as nw

from ..errors import InvalidOption
from ..evidence.base import plural
from ..rendering import Tabled
from .comparable import comparable
from .engine import collected, flag
from .troubles import any_of

if TYPE_CHECKING:
    from .record import Predictions

Order = Literal["id", "row", "value"]
_MOST = 10_000  # a table is for looking at, not for taking the file along
_LONGEST = 200  # characters of a cell: predictions may be whole texts
_ON_THE_WAY = ("absent", "again", "clash")  # what was noted when rows were put together
_ORDERS = {"id": "by id", "row": "by row number", "value": "by label and predictions"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Disagreements(Tabled):
    """Examples that only one of two models gets right, the first ones of all; `Predictions.disagreements` finds them.

    Parameters
    ----------
    models
        The two, A and B.
    columns
        What stands where: "id" (or "row"), "label", "a", "b", "right", "group", "weight", as far as there are any, and
        how it is headed, the predictions by the models' names.
    lines
        The cells of each row, as plain values: None where there is no prediction, and under "right" a model's name.
    total
        How many such examples there are, shown or not; with weights, how many the rows stand for.
    order
        What the rows are sorted by: "id", "row" (their number from 1, where there is no id), or "value" (label and
        predictions, where the engine numbers no rows, either).
    engine
        Who found them, such as "polars".

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
    they disagree  only one of old and new is right on 1 example; 1 row shown, by id
    <BLANKLINE>
    id  label  old  new  right
    7   cat    dog  cat  new
    """

    models: tuple[str, str]
    columns: Mapping[str, str]
    lines: tuple[tuple[Any, ...], ...]
    total: int
    order: Order
    engine: str

    @property
    def head(self) -> tuple[str, ...]:
        """How the columns are headed."""
        return tuple(self.columns.values())

    def describe(self) -> str:
        """Say in words how many there are, and which of them are shown."""
        told = f"only one of {self.models[0]} and {self.models[1]} is right on {plural(self.total, 'example')}"
        return f"{told}; {plural(len(self.lines), 'row')} shown, {_ORDERS[self.order]}" if self.lines else told

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of what stands above the table."""
        return [("they disagree", self.describe())]

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the head of each column, and the cells of each line, very long ones cut."""
        return list(self.head), [[_shown(value) for value in line] for line in self.lines]

    def as_dict(self) -> dict[str, Any]:
        """Return each row by the columns' parts ("a", "b"): a model may be called as another column is."""
        return {
            "models": list(self.models),
            "total": self.total,
            "order": self.order,
            "engine": self.engine,
            "rows": [dict(zip(self.columns, line, strict=True)) for line in self.lines],
        }


def as_limit(limit: Any, name: str = "limit") -> int:
    """Return how many rows to show, or say how many there may be.

    Examples
    --------
    >>> as_limit(50)
    50
    """
    whole = not isinstance(limit, bool) and hasattr(limit, "__index__")
    if not whole or not 1 <= int(limit) <= _MOST:
        raise InvalidOption(f"{name} must be a whole number from 1 to {_MOST}, but is {limit!r}.")
    return int(limit)


def disagreements(predictions: Predictions, a: str, b: str, total: int, limit: int) -> Disagreements:
    """Read the first rows that only one of two models gets right; how many there are was counted before.

    Filter, sort, take the first: every engine can do it, and nothing but those few rows is handed over.
    """
    predictions, order = _identified(predictions)
    table = comparable(predictions, (a, b))
    settled = [each for each in table.troubles if not each.forbids(predictions.missing)]
    frame = table.frame.with_columns(*(flag(each).alias(f"right{place}") for place, each in enumerate(table.right)))
    if settled and predictions.missing == "drop":
        frame = frame.filter(~any_of(settled))
    if table.weight:
        frame = frame.filter(nw.col(table.weight) > 0)  # a row that stands for no example
    there = frame.collect_schema().names()
    keys = ["id"] if order == "id" else [each for each in ("label", "m0", "m1", "group", "weight") if each in there]
    wanted = [each for each in there if each not in ("right1", "unread_label") and not each.startswith(_ON_THE_WAY)]
    odd = frame.filter(nw.col("right0") != nw.col("right1"))
    rows = odd.select(*wanted)
    # What has numbers stands in their order already: the engine may stop as soon as it has enough.
    found = collected((rows if order == "row" else rows.sort(*keys)).head(limit))
    columns = _columns(found, predictions, (a, b), order)
    return Disagreements(
        models=(a, b),
        columns={part: title for part, (title, _) in columns.items()},
        lines=tuple(zip(*(cells for _, cells in columns.values()), strict=True)),
        total=total,
        order=order,
        engine=str(predictions.frame.implementation.value),
    )


def _identified(predictions: Predictions) -> tuple[Predictions, Order]:
    """Return the table with something to tell its rows apart by, and what that is."""
    frame = predictions.frame
    if "id" in frame.collect_schema().names():
        return predictions, "id"
    if frame.implementation.is_polars():
        numbered = nw.from_native(frame.to_native().with_row_index("id", offset=1))
    elif frame.implementation.is_pandas() or frame.implementation.is_pyarrow():  # held in memory as it is
        numbered = frame.collect().with_row_index("id").with_columns(nw.col("id") + 1).lazy()
    else:
        return predictions, "value"
    return replace(predictions, frame=numbered), "row"


def _columns(
    found: Mapping[str, list[Any]], predictions: Predictions, models: tuple[str, str], order: Order
) -> dict[str, tuple[str, list[Any]]]:
    """Return how each column is headed, and its cells."""
    names = predictions.names
    size = len(found["right0"])
    guesses = {part: _guesses(found, f"m{place}", predictions.correct) for place, part in enumerate("ab")}
    compared = {"label": found["label"]} | guesses if "label" in found else guesses
    # One rule for all three: 1.0 beside 1 would look like another label.
    alike = _whole([value for cells in compared.values() for value in cells])
    compared = {part: alike[place * size : (place + 1) * size] for place, part in enumerate(compared)}
    first: dict[str, tuple[str, list[Any]]] = (
        {} if order == "value" else {order: (names.get("id", order), _whole(found["id"]))}
    )
    titles = {"label": names.get("label", "label"), "a": models[0], "b": models[1]}
    right = [models[0] if it_is else models[1] for it_is in found["right0"]]
    rest = {"group": names.get("group", "group"), "weight": "examples"}
    return {
        **first,
        **{part: (titles[part], cells) for part, cells in compared.items()},
        "right": ("right", right),
        **{part: (title, _whole(found[part])) for part, title in rest.items() if part in found},
    }


def _guesses(found: Mapping[str, list[Any]], ours: str, correct: bool) -> list[Any]:
    """Return a model's predictions, texts that are no labels as they were written; or its outcomes in words."""
    known = found[ours]
    if correct:
        words = {"1": "right", "1.0": "right", "true": "right"}
        return [None if value is None else words.get(str(value).lower(), "wrong") for value in known]
    unread: Iterable[Any] = found.get(f"unread_{ours}", [None] * len(known))
    return [value if text is None else text for value, text in zip(known, unread, strict=True)]


def _whole(values: Sequence[Any]) -> list[Any]:
    """Return 7 for 7.0: whole numbers become floats on the way, where one is missing or tables are joined."""
    floats = [value for value in values if isinstance(value, float)]
    if not all(value.is_integer() for value in floats):
        return list(values)
    return [int(value) if isinstance(value, float) else value for value in values]


def _shown(value: Any) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
