"""Beta limits: quantiles of the posterior, under Jeffreys' prior by default."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...evidence import ErrorCount
from ...evidence.validation import as_threshold
from ...numerics.distributions import beta_above, beta_at_most, beta_high, beta_low, pvalue_of_tails, tail
from ...numerics.repetition import once
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Side
from ..limits import as_interval
from ..registry import Standing, method
from .assumptions import ROOM_AT_THRESHOLD
from .common import open_ends
from .posterior import BetaPrior, as_prior, posterior, prior_text

JEFFREYS, UNIFORM = (0.5, 0.5), (1.0, 1.0)


@method(
    name="jeffreys",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    standing=Standing.RECOMMENDED,
    because="the default: on average closest to the level and short near 0; its floor is lower than mid-p's",
    reference="martin1996",
    told="prior Beta(1/2, 1/2)",
)
def jeffreys(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two", raw: bool = False) -> Interval:
    """Give the α/2 and 1 − α/2 quantiles of Beta(m + ½, M − m + ½).

    Martin and Hirschberg's eq. 4, with the lower limit 0 at no errors and the upper limit 1
    at no successes (Brown, Cai and DasGupta): without that the coverage falls to 0 as the
    true error does.

    Parameters
    ----------
    count
        Errors and trials: one pair, or an array of them.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" or "lower".
    raw
        Leave the quantiles as they are, without the rule for the ends.

    Examples
    --------
    >>> limits = jeffreys(ErrorCount(3, 120))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0071), np.float64(0.0652))
    >>> jeffreys(ErrorCount(0, 10)).low, round(jeffreys(ErrorCount(0, 10), raw=True).low, 6)
    (np.float64(0.0), np.float64(4.8e-05))
    """
    return _quantiles("jeffreys", count, JEFFREYS, alpha, side, raw=raw)


@method(
    name="jeffreys",
    gives="test",
    question=1,
    evidence=ErrorCount,
    assumes=(ROOM_AT_THRESHOLD,),
    standing=Standing.SOUND,
    because="it decides as the Beta limits do",
    holds="thresholds p with M·p·(1−p) of 10 or more",
    where={"variance": (10, inf)},
    reference="martin1996",
    told="prior Beta(1/2, 1/2)",
)
def jeffreys_threshold(
    count: ErrorCount, *, against: ArrayLike, alternative: Alternative = "two-sided", raw: bool = False
) -> TestResult:
    """Return the posterior probability that the error is on the other side of the threshold.

    Twice the smaller one if two-sided. The statistic is the observed error minus the threshold.

    Examples
    --------
    >>> round(jeffreys_threshold(ErrorCount(3, 120), against=0.05, alternative="less").pvalue, 3)
    np.float64(0.095)
    """
    return _against(count, JEFFREYS, against, alternative, raw=raw)


@method(
    name="uniform",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    standing=Standing.HEURISTIC,
    because="the uniform prior takes an error of 90 % for as likely as one of 10 %, which no classifier's is",
    reference="laplace1812",
    told="prior Beta(1, 1)",
)
def uniform(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two", raw: bool = False) -> Interval:
    """Give the posterior quantiles under Laplace's uniform prior, Beta(m + 1, M − m + 1).

    Martin and Hirschberg (appendix A.4) argue against it for classifiers: their error is never
    100 %, seldom above 50 %, seldom 0.

    Examples
    --------
    >>> round(uniform(ErrorCount(0, 20)).high, 4)
    np.float64(0.1611)
    """
    return _quantiles("uniform", count, UNIFORM, alpha, side, raw=raw)


@method(
    name="uniform",
    gives="test",
    question=1,
    evidence=ErrorCount,
    standing=Standing.HEURISTIC,
    because="it decides as the interval does",
    reference="laplace1812",
    told="prior Beta(1, 1)",
)
def uniform_threshold(
    count: ErrorCount, *, against: ArrayLike, alternative: Alternative = "two-sided", raw: bool = False
) -> TestResult:
    """Return the posterior probability, under the uniform prior, of the threshold's other side.

    Examples
    --------
    >>> round(uniform_threshold(ErrorCount(3, 120), against=0.05, alternative="less").pvalue, 3)
    np.float64(0.14)
    """
    return _against(count, UNIFORM, against, alternative, raw=raw)


@method(
    name="beta",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    standing=Standing.SOUND,
    because="as good as the prior it is given, which the result names",
    holds="error rates drawn from the prior",
    where={"prior": (1, 1)},
    symmetric=False,
    reference="martin1996",
    told=lambda prior, **_: f"prior {prior_text(as_prior(prior))}",
)
def beta(count: ErrorCount, *, prior: Any, alpha: float = 0.05, side: Side = "two", raw: bool = False) -> Interval:
    """Give the posterior quantiles under any Beta prior: Beta(m + u, M − m + v).

    Parameters
    ----------
    count
        Errors and trials: one pair, or an array of them.
    prior
        (u, v), or the name of a prior: "jeffreys", "uniform", "error-rates" (Beta(1, 3.67)) or
        "majority" (Beta(0.74, 1.44)), or what `fit_prior` returned.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" or "lower".
    raw
        Leave the quantiles as they are, without 0 below no errors and 1 above no successes.

    Examples
    --------
    >>> round(beta(ErrorCount(3, 120), prior=(1, 3.67)).high, 4)
    np.float64(0.0693)
    """
    return _quantiles("beta", count, _beta_prior(prior), alpha, side, raw=raw)


@method(
    name="beta",
    gives="test",
    question=1,
    evidence=ErrorCount,
    standing=Standing.SOUND,
    because="it decides as the interval does",
    holds="error rates drawn from the prior",
    where={"prior": (1, 1)},
    symmetric=False,
    reference="martin1996",
    told=lambda prior, **_: f"prior {prior_text(as_prior(prior))}",
)
def beta_threshold(
    count: ErrorCount,
    *,
    prior: Any,
    against: ArrayLike,
    alternative: Alternative = "two-sided",
    raw: bool = False,
) -> TestResult:
    """Return the posterior probability, under a Beta prior, of the threshold's other side.

    Examples
    --------
    >>> round(beta_threshold(ErrorCount(3, 120), prior=(1, 3.67), against=0.05, alternative="less").pvalue, 3)
    np.float64(0.129)
    """
    return _against(count, _beta_prior(prior), against, alternative, raw=raw)


@method(
    name="posterior",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    standing=Standing.SOUND,
    because="as good as the prior it is given, which the result names",
    holds="error rates drawn from the prior",
    where={"prior": (1, 1)},
    symmetric=False,
    reference="martin1996",
    told=lambda prior, **_: f"prior {prior_text(as_prior(prior))}",
)
def posterior_limits(
    count: ErrorCount, *, prior: Any, alpha: float = 0.05, side: Side = "two", raw: bool = False
) -> Interval:
    """Give the posterior quantiles under any prior: a density given as a function, or a Beta.

    The function takes an array of error rates in (0, 1) and returns the density there, up to a
    constant factor.

    Examples
    --------
    >>> limits = posterior_limits(ErrorCount(3, 120), prior=lambda error: (error < 0.5) * 2.0)
    >>> round(limits.high, 4)
    np.float64(0.0707)
    """
    each = tail(alpha, side)

    def limits(errors: Any, trials: Any) -> tuple[FloatArray, FloatArray]:
        after = posterior(ErrorCount(errors, trials), prior=prior)
        found = after.quantile(each), after.upper_quantile(each)
        return found if raw else open_ends(found, errors, trials)

    return as_interval("posterior", once(limits, count, symmetric=False), alpha, side)


@method(
    name="posterior",
    gives="test",
    question=1,
    evidence=ErrorCount,
    standing=Standing.SOUND,
    because="it decides as the interval does",
    holds="error rates drawn from the prior",
    where={"prior": (1, 1)},
    symmetric=False,
    reference="martin1996",
    told=lambda prior, **_: f"prior {prior_text(as_prior(prior))}",
)
def posterior_threshold(
    count: ErrorCount,
    *,
    prior: Any,
    against: ArrayLike,
    alternative: Alternative = "two-sided",
    raw: bool = False,
) -> TestResult:
    """Return the posterior probability, under any prior, of the threshold's other side.

    Examples
    --------
    >>> prior = lambda error: (error < 0.5) * 2.0
    >>> round(posterior_threshold(ErrorCount(3, 120), prior=prior, against=0.05, alternative="less").pvalue, 3)
    np.float64(0.14)
    """
    p = as_threshold(against, count)
    after = posterior(count, prior=prior)
    return decided_by_tails(count, p, (after.exceedance(p), after.cdf(p)), alternative, raw=raw)


def beta_limits(errors: Any, trials: Any, prior: tuple[float, float], each: float) -> tuple[FloatArray, FloatArray]:
    """Return the quantiles that leave `each` on either side."""
    a, b = errors + prior[0], trials - errors + prior[1]
    return beta_low(a, b, each), beta_high(a, b, each)


def beta_tails(count: ErrorCount, prior: tuple[float, float], p: Any) -> tuple[FloatArray, FloatArray]:
    """Return P(error ≥ p) and P(error ≤ p) a posteriori."""
    a, b = count.errors + prior[0], count.successes + prior[1]
    return beta_above(a, b, p), beta_at_most(a, b, p)


def decided_by_tails(
    count: ErrorCount,
    p: FloatArray,
    tails: tuple[FloatArray, FloatArray],
    alternative: Alternative,
    *,
    raw: bool = False,
) -> TestResult:
    """Return the p-value of posterior tails; unless `raw`, an open end of the interval cannot be rejected from."""
    less, greater = tails
    if not raw:
        less, greater = np.where(count.successes == 0, 1.0, less), np.where(count.errors == 0, 1.0, greater)
    return TestResult(statistic=count.rate - p, pvalue=pvalue_of_tails(less, greater, alternative)[()])


def _quantiles(
    name: str, count: ErrorCount, prior: tuple[float, float], alpha: float, side: Side, *, raw: bool
) -> Interval:
    each = tail(alpha, side)

    def limits(errors: Any, trials: Any) -> tuple[FloatArray, FloatArray]:
        found = beta_limits(errors, trials, prior, each)
        return found if raw else open_ends(found, errors, trials)

    return as_interval(name, once(limits, count, symmetric=prior[0] == prior[1]), alpha, side)


def _against(
    count: ErrorCount, prior: tuple[float, float], against: ArrayLike, alternative: Alternative, *, raw: bool
) -> TestResult:
    p = as_threshold(against, count)
    return decided_by_tails(count, p, beta_tails(count, prior, p), alternative, raw=raw)


def _beta_prior(prior: Any) -> tuple[float, float]:
    known: BetaPrior | Callable[..., Any] = as_prior(prior)
    if not isinstance(known, BetaPrior):
        raise InvalidOption("method='beta' takes a Beta prior (u, v). For a density use method='posterior'.")
    return known.u, known.v
