"""What methods for one error rate assume, from a pool too: TA001 to TA009, and TA011 to TA013."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ...typing_ import Numbers
from ..assumptions import Context, above, at_least, has_width, interval_width, is_true

_USE_BETA = "method='jeffreys' needs no normal approximation"


def _variance_times_trials(count: Any, _: Context) -> Numbers:
    """Return n·e·(1−e)."""
    return count.errors * (count.successes / count.trials)


def _rarer_outcomes(count: Any, _: Context) -> Numbers:
    return np.minimum(count.errors, count.successes)


def _room_of_two_errors(count: Any, _: Context) -> Numbers:
    """Return how far e ± 2s stays inside (0, 1)."""
    reach = 2 * count.standard_error
    return np.minimum(count.rate - reach, 1 - count.rate - reach)


def _in_fitted_range(count: Any, context: Context) -> Any:
    return (_rarer_outcomes(count, context) > 5) | ((count.trials >= 10) & (count.trials <= 200))


HODGES_LEHMANN = at_least("TA001", 10, _variance_times_trials, reference="hodges1970").state(
    "M·e·(1−e){figure: = #} ≥ 10 (Hodges and Lehmann)",
    "M·e·(1−e) = {figure} < 10: the normal approximation is poor here (Hodges and Lehmann)",
    _USE_BETA,
)
ANDERSON_SCLOVE = at_least("TA002", 5, _rarer_outcomes, reference="anderson1986").state(
    "the rarer of errors and successes{figure: = #} ≥ 5 (Anderson and Sclove)",
    "the rarer of errors and successes = {figure} < 5: the normal approximation is poor here (Anderson and Sclove)",
    _USE_BETA,
)
MENDENHALL = above("TA003", 0, _room_of_two_errors, reference="mendenhall1990").state(
    "e ± 2√(e(1−e)/M) stays{figure: #} inside (0, 1) (Mendenhall and others)",
    "e ± 2√(e(1−e)/M) does not stay inside (0, 1): the normal approximation is poor here (Mendenhall and others)",
    _USE_BETA,
)
MITCHELL_SIZE = at_least("TA004", 30, lambda count, _: count.trials, reference="mitchell1997").state(
    "{figure} trials{figure: ≥ 30} (Mitchell)",
    "{figure} trials < 30: too few for the normal approximation (Mitchell)",
    _USE_BETA,
)
MITCHELL_PRODUCT = at_least("TA005", 5, _variance_times_trials, reference="mitchell1997").state(
    "n·e·(1−e){figure: = #} ≥ 5 (Mitchell)",
    "n·e·(1−e) = {figure} < 5: the normal approximation is poor here (Mitchell)",
    _USE_BETA,
)
INSIDE_RANGE = at_least(
    "TA006", 0, lambda _, context: np.minimum(context.interval.low, 1 - context.interval.high)
).state(
    "the limits lie in [0, 1]",
    "the limits leave [0, 1] by {size}: no error rate is there",
    "method='wilson' stays inside",
)
HAS_WIDTH = has_width("TA007", "the error", "method='jeffreys' stays honest at no errors and at nothing but errors")
# On every method that puts a normal quantile where the binomial has none.
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
    "both limits were asked for",
    "this construction has no one-sided form, so the bound is another method's",
    "it is that of clopper-pearson for 'blaker', the posterior quantile for 'hpd-…'",
)
INTERIOR = at_least("TA009", 1, _rarer_outcomes).state(
    "both errors and successes were seen",
    "the log odds of all or nothing are infinite, so these limits are Clopper and Pearson's",
    "method='clopper-pearson' gives the same, 'jeffreys' the default",
)
FITTED_RANGE = is_true("TA011", _in_fitted_range, reference="martin1996").state(
    "the number of trials lies in the range the formula was fitted for",
    "the formula for up to five errors (or successes) was fitted for 10 to 200 trials, and this is outside",
    "method='jeffreys' is what it approximates, at any size",
)
ROOM_AT_THRESHOLD = at_least(
    "TA012", 10, lambda count, context: count.trials * context.null * (1 - context.null)
).state(
    "M·p·(1−p){figure: = #} ≥ 10 at the threshold p",
    "M·p·(1−p) = {figure} < 10 at the threshold p: this test may reject far more often than alpha says",
    "method='clopper-pearson' (the default) keeps its level everywhere",
)
# The facts of tests that are near their level where there is such room.
WITH_ROOM: dict[str, Any] = {
    "assumes": (ROOM_AT_THRESHOLD,),
    "validity": "thresholds p with M·p·(1−p) of 10 or more",
    "where": {"variance": (10, inf)},
}
NORMAL_WITH_ROOM = WITH_ROOM | {"assumes": (*NORMAL_APPROXIMATION, ROOM_AT_THRESHOLD)}
WHOLE_POOL = above("TA013", 0, interval_width).state(
    "part of the pool is untested, so the limits differ{figure:, by #}",
    "the pool was tested to the last example, or so nearly that no other error rate of it is left to consider: the"
    " interval has no width because the error in the pool is known",
    "for examples from beyond the pool leave pool= out and use method='clopper-pearson'",
)
