"""Assumptions of methods for crossed training sets and test examples: TA430 to TA434."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from ..assumptions import Context, at_least, is_true, varies
from .variation import mean_squares, spread_of_draws


def _spread_of_means(sets: Any, _: Context) -> Numbers:
    """Return the range of the means of training sets or of test examples, whichever is larger."""
    square = mean_squares("crossed-interval", sets)
    by_set, by_example = (np.ptp(sets.values.mean(axis=axis), axis=-1) for axis in (-1, -2))
    return np.where(square.sets + square.examples > 0, np.maximum(by_set, by_example), 0.0)


def _suggest_analysis_of_variance(sets: Any, _: Context) -> str:
    """Return the methods that use the t distribution: they correct for a small number of training sets."""
    more = f"add {sets.varies}s"
    if len(sets.learners) == 1:
        return f"Use method='crossed-interval', or {more}."
    return f"Use method='quasi-f' with interval='crossed-interval', or {more}."


SETS_OR_EXAMPLES_VARY = varies("TA430", _spread_of_means).state(
    "the mean loss varies between training sets or between test examples{figure:, by up to #}",
    "equal mean losses of all training sets and of all test examples",
    "Test more examples.",
    title="no variation",
    so="the interval is the whole range, and p is 1",
)
ENOUGH_CROSSED_SETS = at_least("TA431", 5, lambda sets, _: sets.sets).state(
    "{figure} training sets{figure: ≥ 5}",
    "{figure} training sets, fewer than 5",
    "Use more training sets, such as plan='delve 8x200'.",
    title="few training sets",
    so="the test may reject 1.3 to 3 times too often",
)
TRAINING_SETS_VARY = is_true("TA432", lambda sets, _: sets.varies == "training set").state(
    "the training sets differ",
    "seeds, not training sets, vary",
    "Use more training sets, such as plan='delve 8x200'.",
    title="one training set",
    so="the result applies to this training set only",
)
ENOUGH_SEEDS_DRAWN = at_least("TA433", 10, lambda sets, _: sets.sets).state(
    "{figure} seeds or training sets{figure: ≥ 10}",
    "{figure} seeds or training sets, fewer than 10",
    _suggest_analysis_of_variance,
    title="few seeds",
    so="the bootstrap underestimates their variance",
)
SETS_AND_EXAMPLES_VARY = varies("TA434", lambda sets, _: spread_of_draws(sets)).state(
    "the loss varies{figure: (by up to #)}",
    "the loss is the same for every training set and every test example",
    "Test more examples.",
    title="no variation",
    so="the interval is the whole range, and p is 1",
)
