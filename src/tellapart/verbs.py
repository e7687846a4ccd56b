"""The two verbs: how large is the error, and is it really different?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .advice import choose_interval, choose_test
from .errors import InvalidOption
from .evidence import ErrorCount, Evidence, expect
from .evidence.validation import as_threshold
from .methods import Method, check_options
from .methods.assumptions import Given, examine, trust
from .results import Check, Comparison, Estimate, Interval, Significance
from .types import Alternative, FloatArray, Side, as_alpha, one_of

__all__ = ["compare", "estimate"]

# What no figure can show, told in the words' second sentence.
_SCOPE = (
    "This speaks of this classifier on examples drawn independently, like those tested;"
    " it says nothing about training it again."
)


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
        What was observed, such as an `ErrorCount`; one entry, or an array of them.
    method
        The interval's name; advice picks one if left out. `find_methods` lists them.
    level, alpha
        Confidence level, or the error probability 1 − level; 0.95 if neither is given.
    side
        "two", "upper" (an upper bound) or "lower".
    options
        What the method takes besides: `prior=`, `raw=` and the like.

    Examples
    --------
    >>> answer = estimate(ErrorCount(3, 120))
    >>> answer.method, round(answer.estimate, 4), round(answer.interval.low, 4), round(answer.interval.high, 4)
    ('jeffreys', np.float64(0.025), np.float64(0.0071), np.float64(0.0652))
    >>> round(estimate(ErrorCount(0, 59), side="upper", method="clopper-pearson").interval.high, 4)
    np.float64(0.0495)
    """
    evidence = expect(ErrorCount, evidence)
    tail = as_alpha(level, alpha)
    bounds = choose_interval(evidence, method, options)
    check_options(options, bounds)
    interval = _interval(bounds, evidence, tail, level, side, options)
    return Estimate(
        method=bounds.name,
        evidence=evidence,
        estimate=evidence.rate,
        interval=interval,
        checks=(*_trust(bounds, evidence), *examine(bounds.assumes, evidence, Given(interval=interval))),
        told=_told(bounds, options),
        scope=_SCOPE,
    )


def compare(
    evidence: Evidence,
    *,
    against: float | FloatArray | None = None,
    method: str | None = None,
    interval: str | None = None,
    level: float | None = None,
    alpha: float | None = None,
    alternative: Alternative = "two-sided",
    **options: Any,
) -> Comparison:
    """Tell whether an error is really below (or above) a threshold, and how sure we are.

    Parameters
    ----------
    evidence
        What was observed: an `ErrorCount`, one entry or an array of them.
    against
        The threshold, an error rate strictly between 0 and 1.
    method
        The test's name; the exact one if left out. The interval of the same name decides alike.
    interval
        The name of the interval to show beside it.
    level, alpha
        The test rejects where its p-value is below alpha; 0.05 if neither is given.
    alternative
        "two-sided", "less" (the error is below the threshold) or "greater".
    options
        What test and interval take besides.

    Examples
    --------
    >>> answer = compare(ErrorCount(3, 240), against=0.05, alternative="less")
    >>> answer.better, round(answer.pvalue, 4)
    ('A', np.float64(0.0019))
    """
    evidence = expect(ErrorCount, evidence)
    if against is None:
        raise InvalidOption("against is needed to compare one error count: the threshold, such as against=0.05.")
    if "side" in options:
        raise InvalidOption(
            "side is no option of compare. Write alternative='less' for an upper bound, 'greater' for a lower."
        )
    threshold = as_threshold(against, evidence)
    tail = as_alpha(level, alpha)
    one_of("alternative", alternative, Alternative)
    test = choose_test(evidence, method, options)
    bounds = choose_interval(evidence, (test.partner or test.name) if interval is None else interval, options)
    check_options(options, test, bounds)
    side: Side = {"two-sided": "two", "less": "upper", "greater": "lower"}[alternative]  # type: ignore[assignment]
    limits = _interval(bounds, evidence, tail, level, side, options)
    significance: Significance = test(evidence, against=threshold, alternative=alternative, **_of(test, options))
    both = (test,) if test.name == bounds.name else (test, bounds)
    assumed = tuple(assumption for each in both for assumption in each.assumes)
    return Comparison(
        method=test.name,
        evidence=evidence,
        difference=evidence.rate - threshold,
        interval=limits,
        significance=significance,
        alpha=tail,
        alternative=alternative,
        against=threshold,
        checks=(
            *(check for each in both for check in _trust(each, evidence)),
            *examine(assumed, evidence, Given(interval=limits, against=threshold)),
        ),
        told=_told(test, options),
        scope=_SCOPE,
    )


def _interval(
    bounds: Method, evidence: Evidence, alpha: float, level: float | None, side: Side, options: dict[str, Any]
) -> Interval:
    interval: Interval = bounds(evidence, alpha=alpha, side=side, **_of(bounds, options))
    # A level below one half is not 1 − (1 − level) to the last digit: keep the one that was given.
    return interval if level is None else replace(interval, level=float(level))


def _of(method: Method, options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name in method.options}


def _told(method: Method, options: dict[str, Any]) -> str:
    """Return what a result has to say of its method: the prior, and that a heuristic is one."""
    told = method.told if isinstance(method.told, str) else method.told(**options)
    heuristic = f"heuristic ({method.because})" if method.standing == "heuristic" else ""
    return "; ".join(part for part in (told, heuristic) if part)


def _trust(method: Method, evidence: Evidence) -> tuple[Check, ...]:
    return trust(method.name, method.standing, method.because, evidence)
