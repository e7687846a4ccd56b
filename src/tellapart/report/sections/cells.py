"""Cells of tables: numbers with the digits that their intervals earn, sorted by their values."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...rendering import percent, significant
from ...results import Interval, Simulated, shown_pvalue
from ...results.wording import difference_text
from ..blocks import Cell


def number_cell(value: Any, text: str) -> Cell:
    """Return a number as it is written, sorted by its value; what is undefined is sorted by nothing."""
    return Cell(text, float(value)) if np.isfinite(value) else Cell(text if np.isinf(value) else "")


def spread_of(*intervals: Interval) -> float:
    """Return the width that the numbers of a column are written by, all with the same digits: the middle one."""
    widths = np.concatenate([np.atleast_1d(each.width) for each in intervals])
    known = widths[np.isfinite(widths) & (widths > 0)]
    return float(np.median(known)) if known.size else np.nan


def difference_cell(difference: Any, interval: Interval, spread: float = np.nan) -> Cell:
    """Return a difference with the digits that its interval earns, or an interval of such a width."""
    value = float(difference)
    width = spread if np.isfinite(spread) else float(interval.width)
    known = interval.parameter == "difference" and np.isfinite(width)
    text = difference_text(value, width if known else abs(value), interval.metric, unit=False)
    return number_cell(value, text)


def difference_heads(difference: str, interval: Interval) -> tuple[str, str, str]:
    """Return the heads of a difference and of limits, which need not be of the difference."""
    unit = " (points)" if interval.metric == "error" else ""
    of = "" if interval.parameter == "difference" else f"{interval.parameter}, "
    return f"{difference}{unit}", f"{of}from", f"{of}to"


def limit_cells(interval: Interval, spread: float = np.nan) -> tuple[Cell, Cell]:
    """Return both limits, with the digits that an interval of such a width earns; a bound has but one of them."""
    width = spread if np.isfinite(spread) else float(interval.width)

    def cell(limit: Any, missing: str) -> Cell:
        value = float(limit)
        if interval.side == missing or not np.isfinite(value):
            return Cell("")
        own = width if np.isfinite(width) else value
        if interval.parameter in {"odds", "ratio"}:
            return number_cell(value, significant(value))
        if interval.parameter == "difference" or interval.metric != "error":
            return number_cell(value, difference_text(value, own, interval.metric, unit=False))
        return number_cell(value, percent(value, own))

    return cell(interval.low, missing="upper"), cell(interval.high, missing="lower")


def pvalue_cell(pvalue: Any, alpha: float, simulated: Simulated | None = None) -> Cell:
    """Return a p-value as it is written, sorted by its value; what is a share of draws may be a bound."""
    return number_cell(float(pvalue), shown_pvalue(float(pvalue), alpha, simulated))
