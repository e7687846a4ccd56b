"""The numbers that figures of calibrations show: curves, with limits where trials were simulated."""

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
class Curve:
    """What a line shows: where, how much, and between which limits (95 %) where it was simulated."""

    x: FloatArray
    y: FloatArray
    low: FloatArray
    high: FloatArray
    trials: int = 0  # 0: exact


Curves = dict[str, Curve]
Found = Calibration | Calibrations | Iterable[Calibration]
Covered = Found | Coverage | Iterable[Coverage]


def qq_numbers(result: Found) -> Curves:
    """Return of each test what its p-values claim, and how often they are that small where A and B are equally good.

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
            curves[each.method] = Curve(claimed, share, *limits, each.simulated)
    return _require_curves(curves, "no test at a design where A and B could be equally good")


def power_numbers(result: Found) -> Curves:
    """Return of each test how often it rejects at every true difference; at 0 that is its size.

    Examples
    --------
    >>> import tellapart as ta
    >>> found = ta.calibrate("mcnemar-mid-p", ta.PairedTable(10, 25, 10, 255), differences=[0.05])
    >>> power_numbers(found)["mcnemar-mid-p"].y.round(3)
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
    """Return of each interval how often it holds the truth, at every true difference or, if exact, true error rate.

    Examples
    --------
    >>> import tellapart as ta
    >>> found = ta.calibrate("wald", ta.ErrorCount(3, 120), differences=[0.05])
    >>> coverage_numbers(found)["wald"].y.round(3)
    array([0.801, 0.943])
    """
    if exact := exact_coverages(result):
        return {
            name: Curve(each.error, each.coverage, each.coverage, each.coverage)
            for name, each in zip(curve_names(exact), exact, strict=True)
        }
    curves = {}
    for each in each_of(result, COVERED):
        if each.coverage is not None:
            curves[each.method] = _in_order(each, *(getattr(each.coverage, name) for name in _SHARE))
    return _require_curves(curves, "no interval")


def statistic_qq_numbers(values: ArrayLike, quantiles: Callable[[FloatArray], Any]) -> Curve:
    """Return the quantiles that a statistic should have, and those that it has.

    `values` are simulated values of the statistic, `quantiles` turns probabilities into what it is claimed to be.

    Examples
    --------
    >>> curve = statistic_qq_numbers([3.0, 1.0, 2.0], lambda probability: 4 * probability)
    >>> curve.x, curve.y
    (array([0.66666667, 2.        , 3.33333333]), array([1., 2., 3.]))
    """
    result = np.sort(np.asarray(values, dtype=float).ravel())
    result = result[np.isfinite(result)]
    if result.size < 2:
        raise InvalidOption(f"values must hold at least 2 numbers, but has {result.size}.")
    claimed = np.asarray(quantiles((np.arange(result.size) + 0.5) / result.size), dtype=float)
    return Curve(claimed, result, result, result, result.size)


_SHARE = ("value", "low", "high")


COVERED = "what calibrate or exact_coverage found: a Calibration or a Coverage, or several of one kind"
_CALIBRATED = "what calibrate found: a Calibration, or several"
_SEVERAL = (Calibrations, list, tuple)


def each_of(result: Any, expected: str = _CALIBRATED) -> list[Calibration]:
    """Return one calibration or several as a list, or say what cannot be drawn."""
    if isinstance(result, Iterator):
        result = list(result)
    selected = [result] if isinstance(result, Calibration) else list(result) if isinstance(result, _SEVERAL) else []
    if not selected or not all(isinstance(each, Calibration) for each in selected):
        raise undrawable("found", result, expected)
    for each in selected:
        if each.design.shape:
            raise InvalidOption(f"one design is drawn, but {each.method!r} was measured at {each.design.shape}.")
    return selected


def exact_coverages(result: Any) -> list[Coverage]:
    """Return what `exact_coverage` found as a list; empty for anything else."""
    selected = [result] if isinstance(result, Coverage) else list(result) if isinstance(result, list | tuple) else []
    return selected if selected and all(isinstance(each, Coverage) for each in selected) else []


def has_pvalues(each: Calibration) -> bool:
    """Whether there is a null hypothesis, and a test that gives p-values; some rules only decide."""
    return each.size is not None and each.undefined is not None and bool(each.undefined.value[0] < 1 - 1e-9)


def _in_order(each: Calibration, value: Any, low: Any, high: Any) -> Curve:
    order = np.argsort(each.differences)
    text, below, above = (np.asarray(part)[order] for part in (value, low, high))
    return Curve(each.differences[order], text, below, above, each.simulated)


def _require_curves(curves: Curves, lacking: str) -> Curves:
    if not curves:
        raise InvalidOption(f"there is nothing to draw: {lacking} was measured.")
    return curves
