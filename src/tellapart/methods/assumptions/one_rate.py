"""What methods for one error rate assume, from a pool and in strata, too: TA001 to TA016."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from .base import Assumption, Given

_USE_BETA = "method='jeffreys' needs no normal approximation"


def _mendenhall(count: Any, _: Given) -> Numbers:
    """Return how far ε ± 2s stays inside (0, 1)."""
    reach = 2 * count.standard_error
    return np.minimum(count.rate - reach, 1 - count.rate - reach)


HODGES_LEHMANN = Assumption(
    code="TA001",
    needs="M·e·(1−e) = {figure} ≥ 10 (Hodges and Lehmann)",
    rule="M·e·(1−e) ≥ 10 (Hodges and Lehmann)",
    broken="M·e·(1−e) = {figure} < 10: the normal approximation is poor here (Hodges and Lehmann)",
    otherwise=_USE_BETA,
    figure=lambda count, _: count.errors * (count.successes / count.trials),
    threshold=10,
    source="hodges1970",
)
ANDERSON_SCLOVE = Assumption(
    code="TA002",
    needs="the rarer of errors and successes = {figure} ≥ 5 (Anderson and Sclove)",
    rule="the rarer of errors and successes ≥ 5 (Anderson and Sclove)",
    broken="the rarer of errors and successes = {figure} < 5: the normal approximation is poor here"
    " (Anderson and Sclove)",
    otherwise=_USE_BETA,
    figure=lambda count, _: np.minimum(count.errors, count.successes),
    threshold=5,
    source="anderson1986",
)
MENDENHALL = Assumption(
    code="TA003",
    needs="e ± 2√(e(1−e)/M) stays {figure} inside (0, 1) (Mendenhall and others)",
    rule="e ± 2√(e(1−e)/M) stays inside (0, 1) (Mendenhall and others)",
    broken="e ± 2√(e(1−e)/M) does not stay inside (0, 1): the normal approximation is poor here"
    " (Mendenhall and others)",
    otherwise=_USE_BETA,
    figure=_mendenhall,
    threshold=0,
    strict=True,
    source="mendenhall1990",
)
MITCHELL_SIZE = Assumption(
    code="TA004",
    needs="{figure} trials ≥ 30 (Mitchell)",
    rule="at least 30 trials (Mitchell)",
    broken="{figure} trials < 30: too few for the normal approximation (Mitchell)",
    otherwise=_USE_BETA,
    figure=lambda count, _: count.trials,
    threshold=30,
    source="mitchell1997",
)
MITCHELL_PRODUCT = Assumption(
    code="TA005",
    needs="n·e·(1−e) = {figure} ≥ 5 (Mitchell)",
    rule="n·e·(1−e) ≥ 5 (Mitchell)",
    broken="n·e·(1−e) = {figure} < 5: the normal approximation is poor here (Mitchell)",
    otherwise=_USE_BETA,
    figure=lambda count, _: count.errors * (count.successes / count.trials),
    threshold=5,
    source="mitchell1997",
)
INSIDE_RANGE = Assumption(
    code="TA006",
    needs="the limits lie in [0, 1]",
    broken="the limits leave [0, 1] by {size}: no error rate is there",
    otherwise="method='wilson' stays inside",
    figure=lambda _, given: np.minimum(given.interval.low, 1 - given.interval.high),
    threshold=0,
)
HAS_WIDTH = Assumption(
    code="TA007",
    needs="the limits differ, by {figure}",
    rule="the limits differ",
    broken="the interval has no width, as if the error were known exactly",
    otherwise="method='jeffreys' stays honest at no errors and at nothing but errors",
    figure=lambda _, given: given.interval.width,
    threshold=0,
    strict=True,
)
# On every method that puts a normal quantile where the binomial has none.
NORMAL_APPROXIMATION = (
    HODGES_LEHMANN,
    ANDERSON_SCLOVE,
    MENDENHALL,
    MITCHELL_SIZE,
    MITCHELL_PRODUCT,
    HAS_WIDTH,
)

TWO_SIDED = Assumption(
    code="TA008",
    needs="both limits were asked for",
    broken="this construction has no one-sided form, so the bound is another method's",
    otherwise="it is that of clopper-pearson for 'blaker', the posterior quantile for 'hpd-…'",
    figure=lambda _, given: given.interval.side == "two",
    threshold=1,
)
INTERIOR = Assumption(
    code="TA009",
    needs="both errors and successes were seen",
    broken="the log odds of all or nothing are infinite, so these limits are Clopper and Pearson's",
    otherwise="method='clopper-pearson' gives the same, 'jeffreys' the default",
    figure=lambda count, _: np.minimum(count.errors, count.successes),
    threshold=1,
)
FITTED_RANGE = Assumption(
    code="TA011",
    needs="the number of trials lies in the range the formula was fitted for",
    broken="the formula for up to five errors (or successes) was fitted for 10 to 200 trials, and this is outside",
    otherwise="method='jeffreys' is what it approximates, at any size",
    figure=lambda count, _: (
        (np.minimum(count.errors, count.successes) > 5) | ((count.trials >= 10) & (count.trials <= 200))
    ),
    threshold=1,
    source="martin1996",
)
ROOM_AT_THRESHOLD = Assumption(
    code="TA012",
    needs="M·p·(1−p) = {figure} ≥ 10 at the threshold p",
    rule="M·p·(1−p) ≥ 10 at the threshold p",
    broken="M·p·(1−p) = {figure} < 10 at the threshold p: this test may reject far more often than alpha says",
    otherwise="method='clopper-pearson' (the default) keeps its level everywhere",
    figure=lambda count, given: count.trials * given.against * (1 - given.against),
    threshold=10,
)

WHOLE_POOL = Assumption(
    code="TA013",
    needs="part of the pool is untested, so the limits differ, by {figure}",
    rule="part of the pool is untested, so the limits differ",
    broken="the pool was tested to the last example, or so nearly that no other error rate of it is left to"
    " consider: the interval has no width because the error in the pool is known",
    otherwise="for examples from beyond the pool leave pool= out and use method='clopper-pearson'",
    figure=lambda _, given: given.interval.width,
    threshold=0,
    strict=True,
)


def _fewest(strata: Any, _: Given) -> Numbers:
    """Return the fewest errors or successes in any stratum that has a share."""
    fewest = np.minimum(strata.errors, strata.trials - strata.errors)
    return np.where(strata.shares > 0, fewest, np.max(strata.trials)).min(axis=-1)


def _with_spread(strata: Any, _: Given) -> Numbers:
    return ((strata.errors > 0) & (strata.errors < strata.trials) & (strata.shares > 0)).sum(axis=-1)


STRATA_HAVE_SPREAD = Assumption(
    code="TA014",
    needs="{figure} of the strata had both errors and successes",
    rule="every stratum had both errors and successes",
    broken="no stratum had both errors and successes, so Yan and Su's common quantile is 0/0 and the strata's limits"
    " were squared and added instead",
    otherwise="more examples per stratum would tell more; 'stratified-normal' would claim to know the error exactly",
    figure=_with_spread,
    threshold=1,
)
STRATA_HAVE_ROOM = Assumption(
    code="TA015",
    needs="the rarer of errors and successes is {figure} ≥ 5 in every stratum",
    rule="the rarer of errors and successes is at least 5 in every stratum",
    broken="the rarer of errors and successes is {figure} < 5 in some stratum: the normal approximation is poor here",
    otherwise="method='stratified-wilson' keeps near its level",
    figure=_fewest,
    threshold=5,
)
STRATA_HAVE_WIDTH = Assumption(
    code="TA016",
    needs="the limits differ, by {figure}",
    rule="the limits differ",
    broken="the interval has no width, as if the error were known exactly",
    otherwise="method='stratified-wilson' stays honest where strata have no errors or nothing but errors",
    figure=lambda _, given: given.interval.width,
    threshold=0,
    strict=True,
)
