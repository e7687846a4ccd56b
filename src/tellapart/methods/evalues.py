"""E-values in logarithms: the tails of the priors that bets come from, and what a test makes of one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..results import TestResult

_LARGEST = np.log(np.finfo(float).max)


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
