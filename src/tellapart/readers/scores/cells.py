"""Cells of a table of scores: numbers, missing values, or invalid texts."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ...typing_ import FloatArray
from ..texts import NOTHING

_ABSENT = frozenset(text.casefold() for text in NOTHING) | {"-", "–", "—", "?", "n.a."}  # as printed in papers
_COMMA = re.compile(r"[-+]?\d*,\d+")
_POINT = re.compile(r"[-+]?\d*\.\d+")
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")


def is_absent(value: Any, *, names: bool = False) -> bool:
    """Whether a cell is empty; among names, "NA" is a name."""
    if value is None or (isinstance(value, float) and value != value):
        return True
    text = str(value).strip()
    return not text if names else text.casefold() in _ABSENT


def _as_number(value: Any) -> float | None:
    """Return the number in a cell, NaN if it is empty, and None if it is invalid."""
    if isinstance(value, bool | np.bool_):
        return None
    if is_absent(value):
        return float("nan")
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if np.isfinite(number) and "_" not in str(value) else None


def parse_numbers(column: np.ndarray) -> tuple[FloatArray, int | None]:
    """Return the numbers in a column, and the index of the first invalid row, if any."""
    values = column.tolist()
    only_texts = {*map(type, values)} == {str}
    if column.dtype.kind in "iuf" or (only_texts and "_" not in "".join(values)):
        try:
            numbers = np.array(values, dtype=float)  # most columns, in one step
        except ValueError:
            pass
        else:
            if not np.isinf(numbers).any():
                return numbers, None
    if only_texts:  # many of them equal
        read = {text: _as_number(text) for text in dict.fromkeys(values)}
        numbers_read = [read[text] for text in values]
    else:
        numbers_read = [_as_number(value) for value in values]
    return np.array(numbers_read, dtype=float), numbers_read.index(None) if None in numbers_read else None


def all_numbers(column: np.ndarray) -> bool:
    """Whether a column can hold scores; one of empty texts only is unknown."""
    numbers, wrong = parse_numbers(column)
    return wrong is None and (column.dtype.kind in "iuf" or not np.isnan(numbers).all())


def with_points(columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return texts with decimal points for decimal commas, if all numbers of a table have them.

    A table with a decimal point in any number is unchanged, and so is one whose commas may separate thousands.

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
    """Return how to correct a cell that is not a number.

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
    return " Leave the cell empty if the score is missing, or name the columns of learners with `learners`."
