"""E-values, and the test and the confidence sequence that follow from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..results import Interval, TestResult
from ..typing_ import Alternative, Side, as_alpha, one_of
from .pivots import Limits, Pivot

_LARGEST = np.log(np.finfo(float).max)


@dataclass(eq=False)
class EvaluePivot(Pivot):
    """The log e-value of each null value, and the values that are not rejected.

    If the value is true, the e-value ever reaches 1/α with probability at most α (Ville 1939), so interval and test
    are valid at all analyses together.

    Examples
    --------
    >>> bets = EvaluePivot(lambda null, _: np.log(20 * null), lambda log, _: (0.0, np.exp(log) / 20))
    >>> bets.interval(alpha=0.1).high.round(6), bets.test(0.5).statistic.round(6), bets.test(0.5).pvalue.round(6)
    (np.float64(0.5), np.float64(10.0), np.float64(0.1))
    """

    log_evalue: Callable[[Any, Alternative], Any]  # the log e-value at a null value, against this alternative
    invert: Callable[[float, Side], Limits]  # the values at which log E reaches this

    def interval(self, alpha: float = 0.05, side: Side = "two") -> Interval:
        """Return the values whose e-value is below 1/α."""
        target = -np.log(as_alpha(alpha=alpha))
        return self._as_interval(self.invert(target, one_of("side", side, Side)), alpha, side)

    def test(self, null: Any = 0.0, alternative: Alternative = "two-sided") -> TestResult:
        """Return the e-value as the statistic, and 1/E, at most 1, as the p-value."""
        return as_evidence(self.log_evalue(null, one_of("alternative", alternative, Alternative)))


def as_evidence(log: Any) -> TestResult:
    """Return the e-value as the statistic, and 1/E, at most 1, as the p-value.

    Examples
    --------
    >>> found = as_evidence(np.log([0.5, 20.0]))
    >>> found.statistic.round(6), found.pvalue.round(6)
    (array([ 0.5, 20. ]), array([1.  , 0.05]))
    """
    log = np.asarray(log)
    evalue = np.where(log < _LARGEST, np.exp(np.minimum(log, _LARGEST)), np.finfo(float).max)
    return TestResult(statistic=evalue[()], pvalue=np.exp(-np.clip(log, 0.0, _LARGEST))[()])
