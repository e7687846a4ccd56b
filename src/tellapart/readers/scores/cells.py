"""What is in a cell of a table of scores: a number, nothing, or something else."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ...typing_ import FloatArray
from ..texts import NOTHING

_ABSENT = frozenset(text.casefold() for text in NOTHING) | {"-", "–", "—", "?", "n.a."}  # as papers print it
_COMMA = re.compile(r"[-+]?\d*,\d+")
_POINT = re.compile(r"[-+]?\d*\.\d+")
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")


def is_absent(value: Any, *, names: bool = False) -> bool:
    """Whether a cell holds nothing; as a name, "NA" and the like are something."""
    if value is None or (isinstance(value, float) and value != value):
        return True
    text = str(value).strip()
    return not text if names else text.casefold() in _ABSENT


def _as_number(value: Any) -> float | None:
    """Return the number in a cell, NaN where there is nothing, and None where there is something else."""
    if isinstance(value, bool | np.bool_):
        return None
    if is_absent(value):
        return float("nan")
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if np.isfinite(number) and "_" not in str(value) else None


def parsed(column: np.ndarray) -> tuple[FloatArray, int | None]:
    """Return the numbers in a column, and the first row that holds something else, if one does."""
    values = column.tolist()
    only_texts = {*map(type, values)} == {str}
    if column.dtype.kind in "iuf" or (only_texts and "_" not in "".join(values)):
        try:
            numbers = np.array(values, dtype=float)  # what most columns are, at once
        except ValueError:
            pass
        else:
            if not np.isinf(numbers).any():
                return numbers, None
    if only_texts:  # of which many are alike
        read = {text: _as_number(text) for text in dict.fromkeys(values)}
        found = [read[text] for text in values]
    else:
        found = [_as_number(value) for value in values]
    return np.array(found, dtype=float), found.index(None) if None in found else None


def all_numbers(column: np.ndarray) -> bool:
    """Whether a column can be of scores; one of texts that all say nothing may be anything."""
    numbers, wrong = parsed(column)
    return wrong is None and (column.dtype.kind in "iuf" or not np.isnan(numbers).all())


def with_points(columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return texts with decimal points for decimal commas, where all numbers of a table are written with them.

    A table with a point in some number is left as it is, and so is one whose commas may part thousands.

    Examples
    --------
    >>> with_points({"nb": np.array(["0,81", "1"], dtype=object)})["nb"].tolist()
    ['0.81', '1']
    >>> with_points({"nb": np.array(["1,234", "2,345"], dtype=object)})["nb"].tolist()
    ['1,234', '2,345']
    """
    texts = {text.strip() for column in columns.values() for text in column.tolist() if isinstance(text, str)}
    commas = {text for text in texts if _COMMA.fullmatch(text)}
    if all(map(_THOUSANDS.fullmatch, commas)) or any(map(_POINT.fullmatch, texts)):
        return columns
    exchanged = {text: text.replace(",", ".") for text in commas}

    def exchange(value: Any) -> Any:
        return exchanged.get(value.strip(), value) if isinstance(value, str) else value

    return {
        name: np.array([exchange(value) for value in column.tolist()], dtype=object)
        if column.dtype == object
        else column
        for name, column in columns.items()
    }


def remedy(text: str) -> str:
    """Return what to do about a cell that holds no number.

    Examples
    --------
    >>> remedy("0,81")
    ' Write it with a decimal point: 0.81.'
    """
    if _COMMA.fullmatch(text):
        return f" Write it with a decimal point: {text.replace(',', '.')}."
    if text.endswith("%"):
        return " Leave the sign % out of all cells; scores may be percentages."
    if re.search(r"\d\s*(±|\+/?-|\()", text):
        return " Keep the score alone, without its spread."
    return (
        " Leave the cell empty if the score is missing; if the column is no learner, name those that are: learners="
        " (--learner)."
    )
