"""Rules of thumb used in papers, with the status 'do not use'; kept so that their error rates can be measured.

The type I error rate of overlapping intervals or of k standard errors depends on k and on the correlation of the
estimates, not on alpha.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidOption
from ..evidence import ErrorCount
from ..numerics.distributions import critical
from ..results import TestResult
from ..typing_ import Alternative, as_alpha, is_real, one_of
from .registry import Standing


def implied_level(k: float, correlation: float = 0.0) -> float:
    """Return the two-sided level of a rule that calls error rates different beyond k standard errors.

    If both have the standard error σ and this correlation, their difference has σ√(2(1−ρ)), so the
    rule is a test at Z = k/√(2(1−ρ)) (Martin and Hirschberg 1996, footnote 6, whose print
    multiplies by the root where its own examples divide).

    Examples
    --------
    >>> round(implied_level(1), 3), round(implied_level(1, 0.87), 2)
    (0.52, 0.95)
    """
    from scipy.special import ndtr

    if not (_is_number(k) and k >= 0):
        raise InvalidOption(f"`k` must be a number of standard errors, 0 or more, got {k!r}.")
    if not (_is_number(correlation) and -1 <= correlation < 1):
        raise InvalidOption(f"`correlation` must be at least -1 and below 1, got {correlation!r}.")
    return float(1 - 2 * ndtr(-k / np.sqrt(2 * (1 - correlation))))


def implied_correlation(k: float, alpha: float = 0.05) -> float:
    """Return the correlation at which a rule of k standard errors is a test at this alpha.

    ρ = 1 − k²/(2Z²), where Z is the two-sided normal quantile (Martin and Hirschberg 1996, footnote 6).
    A value below −1 is impossible: the rule is stricter than the test at every correlation.

    Examples
    --------
    >>> round(implied_correlation(1), 2), round(implied_correlation(1, alpha=0.1), 2)
    (0.87, 0.82)
    """
    if not (_is_number(k) and k >= 0):
        raise InvalidOption(f"`k` must be a number of standard errors, 0 or more, got {k!r}.")
    return float(1 - k**2 / (2 * critical(as_alpha(alpha=alpha), "two") ** 2))


def _describe_rule(*, k: float = 1.0, **_: Any) -> str:
    return f"k = {k:g}, confidence level {implied_level(k):.3g} at correlation 0"


INTERVAL_OVERLAP: dict[str, Any] = {
    "name": "interval-overlap",
    "question": 3,
    "standing": Standing.FORBIDDEN,
    "title": "overlap of two intervals",
    "rationale": "two individual intervals do not test the difference: they may overlap although it is significant, and"
    " without overlap the type I error rate is not alpha",
    "note": "a rule without a p-value",
    "statistic": "gap between the intervals",
    "reference": "martin1996",
}
K_SE: dict[str, Any] = {
    "name": "k-se",
    "question": 3,
    "standing": Standing.FORBIDDEN,
    "title": "k standard errors",
    "rationale": "its type I error rate depends on k and on a correlation that is not estimated, not on alpha",
    "note": _describe_rule,
    "statistic": "difference beyond k standard errors",
    "reference": "martin1996",
}


def decide_by_overlap(a: ErrorCount, b: ErrorCount, alpha: float, alternative: Alternative) -> TestResult:
    """Return whether the Wilson intervals of two error rates do not overlap."""
    from .error_count.wilson_score import wilson

    interval_a, interval_b = (wilson(count).interval(alpha) for count in (a, b))
    return _decide_by_gap(interval_a.low - interval_b.high, interval_b.low - interval_a.high, alternative)


def decide_by_k_se(a: ErrorCount, b: ErrorCount, k: float, alternative: Alternative) -> TestResult:
    """Return whether two error rates differ by more than k standard errors, the larger of the two."""
    implied_level(k)  # raises for an invalid rule
    difference, allowed = a.rate - b.rate, k * np.maximum(a.standard_error, b.standard_error)
    return _decide_by_gap(difference - allowed, -difference - allowed, alternative)


def _decide_by_gap(greater: Any, less: Any, alternative: Alternative) -> TestResult:
    """Return the decision from the gaps of error(A) above and below error(B), after subtracting the allowance."""
    one_of("alternative", alternative, Alternative)
    statistic = {"two-sided": np.maximum(greater, less), "greater": greater, "less": less}[alternative]
    return TestResult(statistic=statistic, pvalue=np.full(np.shape(statistic), np.nan)[()], rejects=statistic > 0)


def _is_number(value: Any) -> bool:
    return is_real(value) and bool(np.isfinite(value))
