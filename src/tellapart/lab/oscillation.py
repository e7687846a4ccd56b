"""Average coverage of intervals that do not reach their level at every true error.

Counts are whole, so the coverage of an interval for one rate oscillates as the true error moves. Only methods with a
guarantee have nominal coverage at every true error; the others are judged, here as in their measured
rates, by the average over true errors and by how far below the level a single one may lie.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ..evidence import ErrorCount
from ..methods import Offer, look_up
from ..methods.cards import PROMISES
from ..typing_ import Side
from .coverage_enumeration import exact_coverage
from .designs.rates import OneRate

if TYPE_CHECKING:
    from .calibration import Calibration

_MOST = 10_000  # examples: beyond, the oscillation is small and the average takes long
_SMALL = 0.1  # the cards look at all true errors, and at those up to here


class OnAverage(NamedTuple):
    """The average coverage of an interval over a range of true errors."""

    coverage: float
    over: str


def average_coverage_of(calibration: Calibration) -> OnAverage | None:
    """Return the average coverage of the interval that corresponds to a test, if it reaches its level.

    None if the method promises more (a guarantee) or nothing, if the average does not keep the promise, or if the
    coverage at this true error is lower than the promise allows at any.
    """
    design = calibration.design
    if (
        not isinstance(design, OneRate)
        or calibration.margin is not None
        or calibration.options
        or calibration.size is None
    ):
        return None
    if calibration.shape or design.examples > _MOST:
        return None
    method = look_up(calibration.method, "interval", ErrorCount)
    if method is None or method.guarantees or method.required or method.standing not in PROMISES:
        return None
    promise, level = PROMISES[method.standing], 1 - calibration.alpha
    if float(calibration.size.low) > calibration.alpha + promise.least:
        return None
    average = _compute_average(
        method, int(design.examples), calibration.alpha, calibration.side, _range_around(float(design.against))
    )
    return average if average.coverage >= level - promise.mean else None


def _range_around(error: float) -> tuple[float, float]:
    """Return the range of true errors to average over, that of the measured error rates which includes this one."""
    return (0, _SMALL) if error <= _SMALL else (1 - _SMALL, 1) if error >= 1 - _SMALL else (0, 1)


@lru_cache(maxsize=64)
def _compute_average(method: Offer, examples: int, alpha: float, side: Side, within: tuple[float, float]) -> OnAverage:
    low, high = within
    over = "error rates up to 10%" if high < 1 else "error rates from 90% on" if low > 0 else "all error rates"
    return OnAverage(exact_coverage(method, examples, within=within, alpha=alpha, side=side).mean, over)
