"""The curves of calibrations, with intervals if trials were simulated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...lab import Calibration, Calibrations
from ...results import Coverage
from ...typing_ import FloatArray
from .coverages import curve_names
from .drawable_types import undrawable


@dataclass(frozen=True, slots=True, eq=False)
class PlotCurve:
    """Points of a line, with 95% intervals if it was simulated."""

    x: FloatArray
    y: FloatArray
    low: FloatArray
    high: FloatArray
    trials: int = 0  # 0: exact


Curves = dict[str, PlotCurve]
Found = Calibration | Calibrations | Iterable[Calibration]
Covered = Found | Coverage | Iterable[Coverage]


def qq_numbers(result: Found) -> Curves:
    """Return for each test its p-values and their distribution under the null hypothesis.

    Examples
    --------
    >>> import tellapart as ta
    >>> curve = qq_numbers(ta.calibrate("mcnemar-exact", ta.PairedTable(10, 25, 10, 255)))["mcnemar-exact"]
    >>> bool((curve.y <= curve.x + 1e-9).all())
    True
    """
    curves = {}
    for each in each_of(result):
        if has_pvalues(each):
            claimed, share = each.quantiles
            error = 1.96 * np.sqrt(share * (1 - share) / (each.simulated or np.inf))
            limits = np.clip(share - error, 0, 1), np.clip(share + error, 0, 1)
            curves[each.method] = PlotCurve(claimed, share, *limits, each.simulated)
    return _require_curves(curves, "no test at a design under the null hypothesis")


def power_numbers(result: Found) -> Curves:
    """Return for each test its rejection rate by true difference; at 0 that is its type I error rate.

    Examples
    --------
    >>> import tellapart as ta
    >>> result = ta.calibrate("mcnemar-mid-p", ta.PairedTable(10, 25, 10, 255), differences=[0.05])
    >>> power_numbers(result)["mcnemar-mid-p"].y.round(3)
    array([0.047, 0.725])
    """
    curves = {}
    for each in each_of(result):
        size, power = each.size, each.power
        if power is not None and each.effects.size:
            parts = [power] if size is None else [size, power]
            text = [np.concatenate([np.atleast_1d(getattr(part, name)) for part in parts]) for name in _SHARE]
            curves[each.method] = _in_order(each, *text)
    return _require_curves(curves, "no test at a difference other than 0")


def coverage_numbers(result: Covered) -> Curves:
    """Return for each interval its coverage by true difference or, if exact, by true error rate.

    Examples
    --------
    >>> import tellapart as ta
    >>> result = ta.calibrate("wald", ta.ErrorCount(3, 120), differences=[0.05])
    >>> coverage_numbers(result)["wald"].y.round(3)
    array([0.801, 0.943])
    """
    if exact := exact_coverages(result):
        return {
            name: PlotCurve(each.error, each.coverage, each.coverage, each.coverage)
            for name, each in zip(curve_names(exact), exact, strict=True)
        }
    curves = {}
    for each in each_of(result, COVERED):
        if each.coverage is not None:
            curves[each.method] = _in_order(each, *(getattr(each.coverage, name) for name in _SHARE))
    return _require_curves(curves, "no interval")


def statistic_qq_numbers(values: ArrayLike, quantiles: Callable[[FloatArray], Any]) -> PlotCurve:
    """Return nominal and observed quantiles of a statistic.

    `values` are simulated values of the statistic, `quantiles` is a function from probabilities to nominal quantiles.

    Examples
    --------
    >>> curve = statistic_qq_numbers([3.0, 1.0, 2.0], lambda probability: 4 * probability)
    >>> curve.x, curve.y
    (array([0.66666667, 2.        , 3.33333333]), array([1., 2., 3.]))
    """
    result = np.sort(np.asarray(values, dtype=float).ravel())
    result = result[np.isfinite(result)]
    if result.size < 2:
        raise InvalidOption(f"`values` must have at least 2 finite numbers, got {result.size}.")
    claimed = np.asarray(quantiles((np.arange(result.size) + 0.5) / result.size), dtype=float)
    return PlotCurve(claimed, result, result, result, result.size)


_SHARE = ("value", "low", "high")


COVERED = "the result of calibrate or exact_coverage: a Calibration or a Coverage, or several of one type"
_CALIBRATED = "the result of calibrate: a Calibration, or several"
_SEVERAL = (Calibrations, list, tuple)


def each_of(result: Any, expected: str = _CALIBRATED) -> list[Calibration]:
    """Return one calibration or several as a list; raise InvalidOption for anything else."""
    if isinstance(result, Iterator):
        result = list(result)
    selected = [result] if isinstance(result, Calibration) else list(result) if isinstance(result, _SEVERAL) else []
    if not selected or not all(isinstance(each, Calibration) for each in selected):
        raise undrawable("result", result, expected)
    for each in selected:
        if each.design.shape:
            raise InvalidOption(
                f"`result` must have one design, got {each.method!r} at shape {each.design.shape}. Calibrate one."
            )
    return selected


def exact_coverages(result: Any) -> list[Coverage]:
    """Return results of `exact_coverage` as a list; empty for anything else."""
    selected = [result] if isinstance(result, Coverage) else list(result) if isinstance(result, list | tuple) else []
    return selected if selected and all(isinstance(each, Coverage) for each in selected) else []


def has_pvalues(each: Calibration) -> bool:
    """Return whether the design has a null hypothesis and the method p-values; some rules only decide."""
    return each.size is not None and each.undefined is not None and bool(each.undefined.value[0] < 1 - 1e-9)


def _in_order(each: Calibration, value: Any, low: Any, high: Any) -> PlotCurve:
    order = np.argsort(each.differences)
    text, below, above = (np.asarray(part)[order] for part in (value, low, high))
    return PlotCurve(each.differences[order], text, below, above, each.simulated)


def _require_curves(curves: Curves, lacking: str) -> Curves:
    if not curves:
        raise InvalidOption(f"nothing to draw: {lacking}.")
    return curves
