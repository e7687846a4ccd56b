"""What methods for two test sets assume: TA201 to TA206."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from .base import Assumption, Given


def _mitchell_products(counts: Any, _: Given) -> Numbers:
    """Return the smaller n·e·(1−e) of the two test sets."""
    a, b = counts.a, counts.b
    return np.minimum(a.errors * (a.successes / a.trials), b.errors * (b.successes / b.trials))


SIZES_ALIKE = Assumption(
    code="TA201",
    needs="the smaller test set has {figure} of the larger one's examples ≥ 0.5",
    rule="the smaller test set has at least 0.5 of the larger one's examples",
    broken="the smaller test set has only {figure} of the larger one's examples (< 0.5): this test may reject twice"
    " as often as alpha says",
    otherwise="without a margin method='fisher-mid-p' stays near its level, 'boschloo' and 'fisher' keep it",
    figure=lambda counts, _: (
        np.minimum(counts.a.trials, counts.b.trials) / np.maximum(counts.a.trials, counts.b.trials)
    ),
    threshold=0.5,
)
BOTH_SETS_LARGE = Assumption(
    code="TA202",
    needs="n·e·(1−e) = {figure} ≥ 5 in both test sets (Mitchell)",
    rule="n·e·(1−e) ≥ 5 in both test sets (Mitchell)",
    broken="n·e·(1−e) = {figure} < 5 in a test set: the normal approximation is poor here (Mitchell)",
    otherwise="method='fisher-mid-p' and interval='miettinen-nurminen' need no such number",
    figure=_mitchell_products,
    threshold=5,
    source="mitchell1997",
)
DIFFERENCE_INSIDE_RANGE = Assumption(
    code="TA203",
    needs="the limits lie in [−1, 1]",
    broken="the limits leave [−1, 1] by {size}: no difference is there",
    otherwise="interval='miettinen-nurminen' stays inside",
    figure=lambda _, given: np.minimum(1 + given.interval.low, 1 - given.interval.high),
    threshold=0,
)
TWO_SETS_HAVE_WIDTH = Assumption(
    code="TA204",
    needs="the limits differ, by {figure}",
    rule="the limits differ",
    broken="the interval has no width, as if the difference were known exactly",
    otherwise="interval='miettinen-nurminen' stays honest where nobody errs",
    figure=lambda _, given: given.interval.width,
    threshold=0,
    strict=True,
)
SPREAD_SEEN = Assumption(
    code="TA205",
    needs="the difference has a standard error, {figure}",
    rule="the difference has a standard error",
    broken="each classifier was always right or always wrong: the standard error is 0, and any difference is"
    " infinitely many of them",
    otherwise="method='fisher-mid-p' needs no standard error",
    figure=lambda counts, _: np.hypot(counts.a.standard_error, counts.b.standard_error),
    threshold=0,
    strict=True,
)


def _probability_of_direction(counts: Any, given: Given) -> Numbers:
    """Return the posterior probability of the direction seen; at equal rates ½, unless a direction is all but sure."""
    from ..independent_counts.bayesian import direction_probabilities

    seen, (better, worse) = counts.difference, direction_probabilities(counts)
    rarer = np.minimum(better, worse)
    none = np.where(2 * rarer < given.alpha, rarer, 0.5)
    return np.where(seen > 0, better, np.where(seen < 0, worse, none))[()]


COUNTS_OUTWEIGH_PRIOR = Assumption(
    code="TA206",
    needs="the posterior gives the observed direction a probability of {figure} ≥ 0.5",
    rule="the posterior gives the observed direction a probability of at least 0.5",
    broken="the posterior gives the observed direction a probability of only {figure} (< 0.5): the prior outweighs the"
    " counts, so P(B better) stops at 0.5 and the interval takes in the observed difference",
    otherwise="method='fisher-mid-p' and interval='miettinen-nurminen' have no prior",
    figure=_probability_of_direction,
    threshold=0.5,
)
