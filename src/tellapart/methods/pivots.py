"""Pivots: a fitted quantity from which interval and test follow, so that they agree by construction.

A procedure returns a pivot. `limits(tail)` are the limits with this tail probability at either end, and
`test(null, alternative)` tests one value; common quantities are computed once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..errors import InvalidOption
from ..numerics.distributions import normal_pvalue, normal_quantile, pvalue_of_tails, ratio, tail
from ..results import Interval, TestResult
from ..typing_ import Alternative, FloatArray, IntArray, Numbers, Side, one_of
from .limits import as_interval

Limits = tuple[FloatArray, FloatArray]


class Pivot:
    """The base class of pivots; `procedure` sets the method and the parameter."""

    method = ""
    parameter = "error"
    own_parameter = ""  # if the parameter depends on the evidence: the error of one learner, the difference of two
    ends: tuple[float, float] | None = None  # the range, if the parameter does not determine it
    location: Any = None  # a point estimate other than that of the evidence: a pseudomedian, or corrected for bias

    def limits(self, tail: float) -> Limits:  # noqa: ARG002  # subclasses use it
        """Return the limits with this tail probability at either end."""
        raise InvalidOption(f"method {self.method!r} gives no interval. Use its test.")

    def interval(self, alpha: float = 0.05, side: Side = "two") -> Interval:
        """Return the interval; a one-sided one ends where the parameter's range ends."""
        return self._as_interval(self.limits(tail(alpha, side)), alpha, side)

    def test(self, null: Any = 0.0, alternative: Alternative = "two-sided") -> TestResult:  # noqa: ARG002  # as above
        """Return the result of the test of this null value."""
        raise InvalidOption(f"method {self.method!r} gives no test. Use its interval.")

    def _as_interval(self, limits: Limits, alpha: float, side: Side) -> Interval:
        return as_interval(self.method, limits, alpha, side, self.parameter, self.ends)


@dataclass(eq=False)
class Score(Pivot):
    """A statistic that is standard normal at the true value, and its inversion.

    Examples
    --------
    >>> mean = Score(z=lambda null: (0.5 - null) / 0.1, invert=lambda z: (0.5 - 0.1 * z, 0.5 + 0.1 * z))
    >>> limits = mean.interval(0.05, "two")
    >>> round(limits.low, 3), mean.test(limits.low, "greater").pvalue.round(6)
    (0.304, np.float64(0.025))
    """

    z: Callable[[Any], FloatArray]
    invert: Callable[[float], Limits]  # the limits where z reaches this quantile; negative for a bound below level ½

    def limits(self, tail: float) -> Limits:
        """Return the values at which z reaches the quantile of this tail."""
        return self.invert(normal_quantile(tail))

    def test(self, null: Any = 0.0, alternative: Alternative = "two-sided") -> TestResult:
        """Return z and its p-value."""
        z = self.z(null)
        return TestResult(statistic=z, pvalue=normal_pvalue(z, alternative), estimate=self.location)


@dataclass(eq=False)
class Tails(Pivot):
    """Exact or posterior tail probabilities, and the values at which they reach a given size.

    A method with a two-sided interval that is not a pair of one-sided bounds (the shortest set, Blaker's) defines
    `set_of` and `outside`.
    """

    tails: Callable[[Any], tuple[FloatArray, FloatArray]]  # the p-values of "less" and of "greater" at a null value
    invert: Callable[[float], Limits]  # the values at which a tail has this size
    statistic: Callable[[Any], Any]  # at a null value
    set_of: Callable[[float], Limits] | None = None  # the two-sided limits at this alpha
    outside: Callable[[Any], FloatArray] | None = None  # the two-sided p-value at a null value

    def limits(self, tail: float) -> Limits:
        """Return the values at which either tail has this size."""
        return self.invert(tail)

    def interval(self, alpha: float = 0.05, side: Side = "two") -> Interval:
        """Return the interval; a one-sided one ends where the parameter's range ends."""
        spent = tail(alpha, side)
        limits = self.limits(spent) if side != "two" or self.set_of is None else self.set_of(alpha)
        return self._as_interval(limits, alpha, side)

    def test(self, null: Any = 0.0, alternative: Alternative = "two-sided") -> TestResult:
        """Return the statistic, and the tail of the alternative, or twice the smaller one."""
        if one_of("alternative", alternative, Alternative) == "two-sided" and self.outside is not None:
            pvalue = self.outside(null)
        else:
            pvalue = pvalue_of_tails(*self.tails(null), alternative)
        return TestResult(statistic=self.statistic(null), pvalue=pvalue, estimate=self.location)


# --- Student's t -----------------------------------------------------------------------------------


class NoVariance(Protocol):
    """Interval and test if all values are equal, where Student's t is undefined."""

    def limits(self, tail: float, /) -> tuple[Numbers, Numbers]:
        """Return the limits with this tail probability at either end."""

    def pvalue(self, null: Any, alternative: Alternative, /) -> Numbers:
        """Return the p-value of this null value."""


@dataclass(frozen=True, slots=True)
class Undetermined:
    """No information without variance: the interval is the whole range, and p is 1."""

    ends: tuple[float, float]

    def limits(self, _: float) -> tuple[Numbers, Numbers]:
        """Return the ends of the range."""
        return self.ends

    def pvalue(self, *_: Any) -> Numbers:
        """Return 1."""
        return 1.0


@dataclass(frozen=True, slots=True)
class RareOthers:
    """Bounds on the mean from rare unobserved values, if all observed values are equal.

    If the observed value has the share p of all examples, n − 1 of them repeat the first with probability pⁿ⁻¹, so
    shares below α^(1/(n − 1)) are rejected. The other examples are at most at an end of the range, which bounds the
    mean (for 0 errors nearly Clopper and Pearson's limit, the "rule of three").

    Examples
    --------
    >>> low, high = RareOthers(0.0, (-1.0, 1.0), repeats=99).limits(0.025)
    >>> round(float(low), 4), round(float(high), 4)
    (-0.0366, 0.0366)
    """

    value: Any
    ends: tuple[float, float]
    repeats: Any  # the number of values that repeat the first

    def limits(self, tail: float) -> tuple[Numbers, Numbers]:
        """Return the limits of the mean, with this tail probability at either end."""
        with np.errstate(divide="ignore"):  # with one value, all other examples may differ
            hidden = -np.expm1(np.log(tail) / self.repeats)
        value, (least, most) = np.asarray(self.value, dtype=float), self.ends
        return (value - (value - least) * hidden)[()], (value + (most - value) * hidden)[()]

    def pvalue(self, null: Any, alternative: Alternative) -> Numbers:
        """Return the p-value that agrees with the limits: 1 if the observed value is the null value."""
        value, (least, most) = np.asarray(self.value, dtype=float), self.ends
        greater, less = (
            (1 - np.clip(ratio(np.maximum(needed, 0.0), room, empty=0.0), 0.0, 1.0)) ** self.repeats
            for needed, room in ((value - null, value - least), (null - value, most - value))
        )
        return pvalue_of_tails(less, greater, alternative)


@dataclass(eq=False)
class Student(Pivot):
    """An estimate with its standard error: estimate ± t·error inside the range.

    Examples
    --------
    >>> mean = Student(0.04, 0.01, 9, Undetermined((-1.0, 1.0)), ends=(-1.0, 1.0))
    >>> mean.test(0.0, "two-sided").pvalue.round(5), mean.interval(0.05, "two").low.round(4)
    (np.float64(0.00311), np.float64(0.0174))
    """

    estimate: Any
    error: Any  # 0 if nothing varies
    df: Any  # degrees of freedom; None for a normal distribution, which differs in the last bits from infinitely many
    without_variance: NoVariance
    ends: tuple[float, float] | None = None
    flat: Any = None  # whether nothing varies; by default whether the error is 0
    size: Any = None  # magnitude of the data: distances as small as their rounding errors are 0
    quick: bool = False  # whether the two-sided p-value for few degrees of freedom is a finite sum
    location: Any = None
    chooses: IntArray | None = None  # the model that the test favours, if it may not have the better mean
    own_parameter: str = ""

    def limits(self, tail: float) -> Limits:
        """Return the values t·error away, and those without variance if nothing varies."""
        with np.errstate(over="ignore"):  # with few degrees of freedom t may overflow
            reach = self._quantile(tail) * self.error
        flat, (least, most) = self._is_flat(), (-np.inf, np.inf) if self.ends is None else self.ends
        low, high = (
            np.where(flat, still, np.clip(self.estimate + way * reach, least, most))[()]
            for way, still in zip((-1, 1), self.without_variance.limits(tail), strict=True)
        )
        return low, high

    def test(self, null: Any = 0.0, alternative: Alternative = "two-sided") -> TestResult:
        """Return t = (estimate − null)/error and its p-value; without error t is 0 or infinite."""
        one_of("alternative", alternative, Alternative)
        distance = self.estimate - null
        if self.size is not None:
            from ..numerics.rounding import without_rounding

            distance = without_rounding(distance, self.size)
        flat = self._is_flat()
        t: FloatArray = np.where(flat, ratio(distance, 0.0, empty=0.0), ratio(distance, self.error, empty=np.nan))[()]
        if self.df is None:
            varied: FloatArray = normal_pvalue(t, alternative)
        else:
            from ..numerics.student_t import student_pvalue

            varied = student_pvalue(t, self._usable_df(), alternative, quick=self.quick)
        pvalue: FloatArray = np.where(flat, self.without_variance.pvalue(null, alternative), varied)[()]
        return TestResult(statistic=t, pvalue=pvalue, estimate=self.location, chooses=self.chooses)

    def _quantile(self, tail: float) -> Any:
        if self.df is None:
            return normal_quantile(tail)
        from ..numerics.student_t import student_critical

        return student_critical(self._usable_df(), tail)

    def _is_flat(self) -> Any:
        return np.asarray(self.error) == 0 if self.flat is None else self.flat

    def _usable_df(self) -> Any:
        """Return degrees of freedom for which t is defined; a single number is returned unchanged, which is faster."""
        if isinstance(self.df, int | float) and self.df > 0:
            return self.df
        unusable = self._is_flat() & ~np.greater(self.df, 0)
        return np.where(unusable, 1.0, self.df) if np.any(unusable) else self.df


# --- Estimate and pivot ----------------------------------------------------------------------------


@dataclass(eq=False)
class Centred(Pivot):
    """A point estimate, and the pivot of its interval and test, which may need more of the evidence.

    The pivot is computed when it is first used. Its test need not be based on the point estimate.

    Examples
    --------
    >>> known = Undetermined((0.0, 1.0))
    >>> middle = Centred(lambda: Student(0.3, 0.1, 9, known, ends=(0.0, 1.0)), location=0.3)
    >>> middle.location, middle.interval(0.05, "two").low.round(4)
    (0.3, np.float64(0.0738))
    """

    pivot: Callable[[], Pivot]
    location: Any = None

    def limits(self, tail: float) -> Limits:
        """Return the limits of the pivot."""
        return self.pivot().limits(tail)

    def interval(self, alpha: float = 0.05, side: Side = "two") -> Interval:
        """Return the interval of the pivot under the name of this method."""
        pivot = self.pivot()
        pivot.method, pivot.parameter = self.method, pivot.own_parameter or self.parameter
        return pivot.interval(alpha, side)

    def test(self, null: Any = 0.0, alternative: Alternative = "two-sided") -> TestResult:
        """Return the result of the pivot's test."""
        return self.pivot().test(null, alternative)
