"""Cells of tables: numbers with the digits that their intervals justify, sorted by their values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...figures import Scale, precise_pvalue_text, pvalue_text, scale_of
from ...results import Interval, Simulated
from ..blocks import Cell

_UNITLESS = frozenset({"odds", "ratio"})


def number_cell(value: Any, text: str) -> Cell:
    """Return a number as it is written, sorted by its value; an undefined number is an empty cell."""
    return Cell(text, float(value)) if np.isfinite(value) else Cell(text if np.isinf(value) else "")


def median_width(*intervals: Interval) -> float:
    """Return the median width of intervals, which sets the decimals of a column; NaN if none is known."""
    widths = np.concatenate([np.atleast_1d(interval.width) for interval in intervals])
    known = widths[np.isfinite(widths) & (widths > 0)]
    return float(np.median(known)) if known.size else math.nan


def is_percentage(interval: Interval) -> bool:
    """Return whether an interval is of an error rate, or of a difference of two."""
    return interval.metric == "error" and interval.parameter not in _UNITLESS


def difference_scale(interval: Interval, width: float = math.nan) -> Scale:
    """Return how differences are written beside intervals of this width, or of the interval's own."""
    known = width if np.isfinite(width) else float(interval.width)
    kind = "points" if is_percentage(interval) else "plain"
    return scale_of(kind, known / 2)  # type: ignore[arg-type]  # one of the kinds


def difference_cell(difference: Any, interval: Interval, width: float = math.nan) -> Cell:
    """Return a difference, in percentage points if it is one of percentages, with the decimals of its interval."""
    value = float(difference)
    if interval.parameter == "difference":
        return number_cell(value, difference_scale(interval, width).number(value))
    return number_cell(value, scale_of("points" if interval.metric == "error" else "plain", abs(value)).number(value))


def difference_heads(difference: str, interval: Interval) -> tuple[str, str, str]:
    """Return the heads of a difference and of the limits, which need not be limits of the difference."""
    unit = " (pp)" if interval.metric == "error" else ""
    parameter = "" if interval.parameter == "difference" else f"{interval.parameter}, "
    return f"{difference}{unit}", f"{parameter}low", f"{parameter}high"


def limit_cells(interval: Interval, width: float = math.nan) -> tuple[Cell, Cell]:
    """Return both limits; the open end of a one-sided interval is empty."""
    scale = difference_scale(interval, width)
    if is_percentage(interval) and interval.parameter != "difference":
        scale = Scale("percent", scale.decimals)

    def make_cell(limit: Any, open_side: str) -> Cell:
        value = float(limit)
        if interval.side == open_side or not np.isfinite(value):
            return Cell("")
        return number_cell(value, scale.value(value) if scale.kind == "percent" else scale.number(value))

    return make_cell(interval.low, "upper"), make_cell(interval.high, "lower")


def percent_text(share: float, decimals: int = 1) -> str:
    """Return a share as a percentage; small shares have more decimals.

    Examples
    --------
    >>> percent_text(0.0289), percent_text(0.0004), percent_text(1.0)
    ('2.9%', '0.04%', '100.0%')
    """
    if 0 < share < 0.001:
        return scale_of("percent", 10 * share).value(share)
    return Scale("percent", decimals).value(share)


def pvalue_cell(pvalue: Any, alpha: float, simulated: Simulated | None = None, *, precise: bool = False) -> Cell:
    """Return a p-value, sorted by its value; the smallest that random draws can give is a bound."""
    value = float(pvalue)
    text = precise_pvalue_text(value, alpha) if precise else pvalue_text(value, alpha, column=True)
    if simulated is not None and simulated.bounds(value) and not text.startswith("<"):
        text = f"≤ {precise_pvalue_text(value)}"
    return number_cell(value, text)
