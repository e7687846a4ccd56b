"""What methods for two test sets assume: TA201 to TA206."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from ..assumptions import Context, above, at_least, has_width
from .common import standard_error


def _smaller_variance_times_trials(counts: Any, _: Context) -> Numbers:
    """Return the smaller n·e·(1−e) of the two test sets."""
    a, b = counts.a, counts.b
    return np.minimum(a.errors * (a.successes / a.trials), b.errors * (b.successes / b.trials))


def _probability_of_direction(counts: Any, context: Context) -> Numbers:
    """Return the posterior probability of the direction seen; at equal rates ½, unless a direction is all but sure."""
    from .bayesian import direction_probabilities

    seen, (better, worse) = counts.difference, direction_probabilities(counts)
    rarer = np.minimum(better, worse)
    none = np.where(2 * rarer < context.alpha, rarer, 0.5)
    return np.where(seen > 0, better, np.where(seen < 0, worse, none))[()]


SIZES_ALIKE = at_least(
    "TA201", 0.5, lambda counts, _: np.minimum(*counts.test_sizes) / np.maximum(*counts.test_sizes)
).state(
    "the smaller test set has {figure} of the larger one's examples{figure: ≥ 0.5}",
    "the smaller test set has only {figure} of the larger one's examples (< 0.5): this test may reject twice as often"
    " as alpha says",
    "without a margin method='fisher-mid-p' stays near its level, 'boschloo' and 'fisher' keep it",
)
BOTH_SETS_LARGE = at_least("TA202", 5, _smaller_variance_times_trials, reference="mitchell1997").state(
    "n·e·(1−e){figure: = #} ≥ 5 in both test sets (Mitchell)",
    "n·e·(1−e) = {figure} < 5 in a test set: the normal approximation is poor here (Mitchell)",
    "method='fisher-mid-p' and interval='miettinen-nurminen' need no such number",
)
DIFFERENCE_INSIDE_RANGE = at_least(
    "TA203", 0, lambda _, context: np.minimum(1 + context.interval.low, 1 - context.interval.high)
).state(
    "the limits lie in [−1, 1]",
    "the limits leave [−1, 1] by {size}: no difference is there",
    "interval='miettinen-nurminen' stays inside",
)
TWO_SETS_HAVE_WIDTH = has_width(
    "TA204", "the difference", "interval='miettinen-nurminen' stays honest where nobody errs"
)
SPREAD_SEEN = above("TA205", 0, lambda counts, _: standard_error(counts)).state(
    "the difference has a standard error{figure:, #}",
    "each classifier was always right or always wrong: the standard error is 0, and any difference is infinitely many"
    " of them",
    "method='fisher-mid-p' needs no standard error",
)
COUNTS_OUTWEIGH_PRIOR = at_least("TA206", 0.5, _probability_of_direction).state(
    "the posterior gives the observed direction a probability of {figure}{figure: ≥ 0.5}",
    "the posterior gives the observed direction a probability of only {figure} (< 0.5): the prior outweighs the"
    " counts, so P(B better) stops at 0.5 and the interval takes in the observed difference",
    "method='fisher-mid-p' and interval='miettinen-nurminen' have no prior",
)
