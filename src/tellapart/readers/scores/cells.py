"""What is in a cell of a table of scores: a number, nothing, or something else."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ...types import FloatArray
from ..texts import NOTHING

__all__ = ["all_numbers", "is_absent", "parsed", "remedy"]

_ABSENT = frozenset(text.casefold() for text in NOTHING) | {"-", "–", "—", "?", "n.a."}  # as papers print it


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


def remedy(text: str) -> str:
    """Return what to do about a cell that holds no number.

    Examples
    --------
    >>> remedy("0,81")
    ' Write it with a decimal point: 0.81.'
    """
    if re.fullmatch(r"[-+]?\d*,\d+", text):
        return f" Write it with a decimal point: {text.replace(',', '.')}."
    if text.endswith("%"):
        return " Leave the sign % out of all cells; scores may be percentages."
    if re.search(r"\d\s*(±|\+/?-|\()", text):
        return " Keep the score alone, without its spread."
    return " Leave the cell empty if the score is missing; if the column is no learner, name those that are: learners=."
