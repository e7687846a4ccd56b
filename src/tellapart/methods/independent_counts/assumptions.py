"""Assumptions of methods for two test sets: TA201 to TA206."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from ..assumptions import Context, above, at_least, has_width, use_instead
from .two_samples import standard_error


def _smaller_variance_times_trials(counts: Any, _: Context) -> Numbers:
    """Return the smaller n e (1 - e) of the two test sets."""
    a, b = counts.a, counts.b
    return np.minimum(a.errors * (a.successes / a.trials), b.errors * (b.successes / b.trials))


def _probability_of_direction(counts: Any, context: Context) -> Numbers:
    """Return the posterior probability of the observed direction; at equal rates 1/2, unless one is nearly certain."""
    from .two_betas import direction_probabilities

    observed, (better, worse) = counts.difference, direction_probabilities(counts)
    rarer = np.minimum(better, worse)
    neither = np.where(2 * rarer < context.alpha, rarer, 0.5)
    return np.where(observed > 0, better, np.where(observed < 0, worse, neither))[()]


def _replace_pooled_test(counts: Any, context: Context) -> str:
    """Return the remedy for test sets of unequal size: an exact test, unless there is a margin."""
    if np.any(np.asarray(context.null) != 0):
        return "Add examples to the smaller test set."
    return f"Use method='{'fisher-mid-p' if np.min(counts.test_sizes) >= 10 else 'fisher'}'."


SIZES_ALIKE = at_least(
    "TA201", 0.5, lambda counts, _: np.minimum(*counts.test_sizes) / np.maximum(*counts.test_sizes)
).state(
    "size of the smaller test set, as a share of the larger one:{figure: #, which is} at least 0.5",
    "the smaller test set has a share of {figure} of the larger one's size, below 0.5",
    _replace_pooled_test,
    title="unequal test sets",
    so="the type I error rate may be twice alpha",
)
BOTH_SETS_LARGE = at_least("TA202", 5, _smaller_variance_times_trials, reference="mitchell1997").state(
    "n e (1 - e){figure: = #, which is} at least 5 in both test sets (Mitchell 1997)",
    "n e (1 - e) = {figure} in a test set, below 5 (Mitchell 1997)",
    use_instead("TA202", test="fisher-mid-p", interval="miettinen-nurminen"),
    title="few errors or successes",
    so="the normal approximation is poor",
)
DIFFERENCE_INSIDE_RANGE = at_least(
    "TA203", 0, lambda _, context: np.minimum(1 + context.interval.low, 1 - context.interval.high)
).state(
    "the confidence limits lie between -1 and 1",
    "a confidence limit lies outside -1 to 1, by {size}",
    "Use interval='miettinen-nurminen'.",
    title="limits outside range",
    so="part of the interval is impossible",
)
TWO_SETS_HAVE_WIDTH = has_width("TA204", "the difference", "Use interval='miettinen-nurminen'.")
SPREAD_SEEN = above("TA205", 0, lambda counts, _: standard_error(counts)).state(
    "the difference has a standard error{figure:, #}",
    "each model was always right or always wrong",
    "Use method='fisher-mid-p'.",
    title="standard error of 0",
    so="the standard error is 0",
)
COUNTS_OUTWEIGH_PRIOR = at_least("TA206", 0.5, _probability_of_direction).state(
    "posterior probability of the observed direction:{figure: #, which is} at least 0.5",
    "the posterior gives the observed direction a probability of {figure}, below 0.5",
    use_instead("TA206", test="fisher-mid-p", interval="miettinen-nurminen"),
    title="prior outweighs data",
    so="the answer depends on the prior more than on the counts",
)
