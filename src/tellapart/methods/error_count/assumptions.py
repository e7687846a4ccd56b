"""Assumptions of methods for one error rate, with and without a finite pool: TA001 to TA009, and TA011 to TA013."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ...typing_ import Numbers
from ..assumptions import Context, Remedy, above, at_least, has_width, interval_width, is_true, use_instead

_POOR = "the normal approximation is poor"
_FEW = "few errors or successes"
_OF_BOUNDS = {"blaker": "clopper-pearson", "hpd-jeffreys": "jeffreys", "hpd-uniform": "uniform"}


def _variance_times_trials(count: Any, _: Context) -> Numbers:
    """Return n e (1 - e)."""
    return count.errors * (count.successes / count.trials)


def _rarer_outcomes(count: Any, _: Context) -> Numbers:
    return np.minimum(count.errors, count.successes)


def _room_of_two_errors(count: Any, _: Context) -> Numbers:
    """Return the distance of e ± 2s from the ends of (0, 1); negative outside."""
    reach = 2 * count.standard_error
    return np.minimum(count.rate - reach, 1 - count.rate - reach)


def _in_fitted_range(count: Any, context: Context) -> Any:
    return (_rarer_outcomes(count, context) > 5) | ((count.trials >= 10) & (count.trials <= 200))


def _use_exact_methods(code: str) -> Remedy:
    """Return the remedy for a check of the normal approximation."""
    return use_instead(code, test="clopper-pearson", interval="jeffreys")


def _method_of_bound(context: Context) -> str:
    """Return the method whose one-sided bound a two-sided construction returns."""
    names = (context.interval.method, "" if context.test is None else context.test.method)
    return next((_OF_BOUNDS[name] for name in names if name in _OF_BOUNDS), "clopper-pearson")


def _ask_for_bound(_: Any, context: Context) -> str:
    both = "side='two'" if context.test is None else "alternative='two-sided'"
    return f"Use method='{_method_of_bound(context)}', or {both}."


HODGES_LEHMANN = at_least("TA001", 10, _variance_times_trials, reference="hodges1970").state(
    "n e (1 - e){figure: = #, which is} at least 10 (Hodges & Lehmann 1970)",
    "n e (1 - e) = {figure}, below 10 (Hodges & Lehmann 1970)",
    _use_exact_methods("TA001"),
    title=_FEW,
    so=_POOR,
)
ANDERSON_SCLOVE = at_least("TA002", 5, _rarer_outcomes, reference="anderson1986").state(
    "the smaller of errors and successes{figure: is #, which} is at least 5 (Anderson & Sclove 1986)",
    "the smaller of errors and successes is {figure}, below 5 (Anderson & Sclove 1986)",
    _use_exact_methods("TA002"),
    title=_FEW,
    so=_POOR,
)
MENDENHALL = above("TA003", 0, _room_of_two_errors, reference="mendenhall1990").state(
    "e ± 2 sqrt(e (1 - e) / n) lies inside 0 to 1{figure:, by #} (Mendenhall et al. 1990)",
    "e ± 2 sqrt(e (1 - e) / n) does not lie inside 0 to 1 (Mendenhall et al. 1990)",
    _use_exact_methods("TA003"),
    title=_FEW,
    so=_POOR,
)
MITCHELL_SIZE = at_least("TA004", 30, lambda count, _: count.trials, reference="mitchell1997").state(
    "{figure} examples{figure:, which is at least 30} (Mitchell 1997)",
    "{figure} examples, fewer than 30 (Mitchell 1997)",
    _use_exact_methods("TA004"),
    title="few examples",
    so=_POOR,
)
MITCHELL_PRODUCT = at_least("TA005", 5, _variance_times_trials, reference="mitchell1997").state(
    "n e (1 - e){figure: = #, which is} at least 5 (Mitchell 1997)",
    "n e (1 - e) = {figure}, below 5 (Mitchell 1997)",
    _use_exact_methods("TA005"),
    title=_FEW,
    so=_POOR,
)
INSIDE_RANGE = at_least(
    "TA006", 0, lambda _, context: np.minimum(context.interval.low, 1 - context.interval.high)
).state(
    "the confidence limits lie between 0 and 1",
    "a confidence limit lies outside 0 to 1, by {size}",
    _use_exact_methods("TA006"),
    title="limits outside range",
    so="part of the interval is impossible",
)
HAS_WIDTH = has_width("TA007", "the error rate", _use_exact_methods("TA007"))
# On every method that uses a quantile of the normal distribution in place of one of the binomial.
NORMAL_APPROXIMATION = (
    HODGES_LEHMANN,
    ANDERSON_SCLOVE,
    MENDENHALL,
    MITCHELL_SIZE,
    MITCHELL_PRODUCT,
    HAS_WIDTH,
)
WALD = (*NORMAL_APPROXIMATION, INSIDE_RANGE)
TWO_SIDED = is_true("TA008", lambda _, context: context.interval.side == "two").state(
    "the interval is two-sided",
    "this method has no one-sided form",
    _ask_for_bound,
    title="two-sided method",
    so=lambda _, context: f"the bound is the one of '{_method_of_bound(context)}'",
)
INTERIOR = at_least("TA009", 1, _rarer_outcomes).state(
    "there are both errors and successes",
    "there are no errors, or no successes",
    _use_exact_methods("TA009"),
    title="one outcome only",
    so="the log odds are infinite, and the limits are those of 'clopper-pearson'",
)
FITTED_RANGE = is_true("TA011", _in_fitted_range, reference="martin1996").state(
    "10 to 200 examples, or more than 5 errors and 5 successes",
    "with at most 5 errors or successes the formula is fitted to 10 to 200 examples (Martin & Hirschberg 1996)",
    "Use method='jeffreys', which the formula approximates.",
    title="outside fitted range",
    so="the limits may be far off",
)
ROOM_AT_THRESHOLD = at_least(
    "TA012", 10, lambda count, context: count.trials * context.null * (1 - context.null)
).state(
    "n p (1 - p){figure: = #, which is} at least 10 at the threshold p",
    "n p (1 - p) = {figure} at the threshold p, below 10",
    "Use method='clopper-pearson'.",
    title="extreme threshold",
    so="the type I error rate may be far above alpha",
)
# The facts of tests whose type I error rate is close to alpha at such thresholds.
WITH_ROOM: dict[str, Any] = {
    "assumes": (ROOM_AT_THRESHOLD,),
    "validity": "thresholds p with n p (1 - p) of at least 10",
    "where": {"variance": (10, inf)},
}
NORMAL_WITH_ROOM = WITH_ROOM | {"assumes": (*NORMAL_APPROXIMATION, ROOM_AT_THRESHOLD)}
WHOLE_POOL = above("TA013", 0, interval_width).state(
    "part of the pool is untested, so the interval has a width{figure:, #}",
    "the pool was tested to the last example, or nearly so",
    "For examples from beyond the pool use method='clopper-pearson' without a pool.",
    title="whole pool tested",
    so="the interval has width 0 because the error rate in the pool is known",
)
