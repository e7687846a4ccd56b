"""How large is the error?"""

from __future__ import annotations

from typing import Any

from ..advice import choose_interval
from ..evidence import ErrorCount, Evidence, StratifiedCount, expect
from ..methods import check_options
from ..methods.assumptions import Given, examine
from ..results import Estimate
from ..types import Side, as_alpha
from .parts import limits_of, scope_of, told_of, trusted

__all__ = ["estimate"]


def estimate(
    evidence: Evidence,
    *,
    method: str | None = None,
    level: float | None = None,
    alpha: float | None = None,
    side: Side = "two",
    **options: Any,
) -> Estimate:
    """Tell how large the true error is, and how sure we are.

    Parameters
    ----------
    evidence
        What was observed: an `ErrorCount` or a `StratifiedCount`; one entry, or an array of them.
    method
        The interval's name; advice picks one if left out. `find_methods` lists them.
    level, alpha
        Confidence level, or the error probability 1 − level; 0.95 if neither is given.
    side
        "two", "upper" (an upper bound) or "lower".
    options
        What the method takes besides: `prior=`, `pool=`, `raw=` and the like.

    Examples
    --------
    >>> answer = estimate(ErrorCount(3, 120))
    >>> answer.method, round(answer.estimate, 4), round(answer.interval.low, 4), round(answer.interval.high, 4)
    ('jeffreys', np.float64(0.025), np.float64(0.0071), np.float64(0.0652))
    >>> round(estimate(ErrorCount(0, 59), side="upper", method="clopper-pearson").interval.high, 4)
    np.float64(0.0495)
    """
    evidence = expect(ErrorCount, evidence, StratifiedCount)
    tail = as_alpha(level, alpha)
    bounds = choose_interval(evidence, method, options)
    check_options(options, bounds)
    interval = limits_of(bounds, evidence, tail, level, side, options)
    return Estimate(
        method=bounds.name,
        evidence=evidence,
        estimate=evidence.rate,
        interval=interval,
        checks=(*trusted(bounds, evidence), *examine(bounds.assumes, evidence, Given(interval=interval))),
        told=told_of(bounds, options),
        scope=scope_of(bounds, evidence),
    )
