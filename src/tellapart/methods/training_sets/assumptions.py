"""What methods for crossed training sets and test examples assume: TA430 to TA434."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from ..assumptions import Context, at_least, is_true, varies
from .variation import mean_squares, spread_of_draws

_MORE_TEST_EXAMPLES = "more test examples would tell more, by 'crossed-interval' and 'quasi-f' as well"


def _spread_of_means(sets: Any, _: Context) -> Numbers:
    """Return the spread of the sets' means or of the examples', whichever is larger."""
    square = mean_squares("crossed-interval", sets)
    by_set, by_example = (np.ptp(sets.values.mean(axis=axis), axis=-1) for axis in (-1, -2))
    return np.where(square.sets + square.examples > 0, np.maximum(by_set, by_example), 0.0)


SETS_OR_EXAMPLES_VARY = varies("TA430", _spread_of_means).state(
    "the mean loss varies between training sets or between test examples{figure:, by up to #}",
    "the mean loss is the same for every training set and for every test example, which leaves nothing to judge it by:"
    " the interval is the whole range, and the p-value 1",
    _MORE_TEST_EXAMPLES,
)
ENOUGH_CROSSED_SETS = at_least("TA431", 5, lambda sets, _: sets.sets).state(
    "{figure} training sets{figure: ≥ 5}",
    "{figure} training sets < 5: with 4 of them the test may reject 1.3 times too often, with 2 of them 3 times",
    "race by the plan 'delve 8x200', so that 'crossed-interval' has more of them",
)
TRAINING_SETS_VARY = is_true("TA432", lambda sets, _: sets.varies == "training set").state(
    "the training sets are different ones",
    "seeds took the place of training sets: this speaks for learners trained on this one training set only",
    "race by a 'delve' plan to have 'crossed-interval' and 'quasi-f' speak for other training sets, too",
)
ENOUGH_SEEDS_DRAWN = at_least("TA433", 10, lambda sets, _: sets.sets).state(
    "{figure} seeds or training sets{figure: ≥ 10}",
    "{figure} seeds or training sets < 10: drawn from so few, their spread comes out too small",
    "'quasi-f' and 'crossed-interval' make up for small numbers by Student's quantile",
)
SETS_AND_EXAMPLES_VARY = varies("TA434", lambda sets, _: spread_of_draws(sets)).state(
    "the loss is not the same throughout{figure: (it varies by up to #)}",
    "the loss is the same for every training set and test example, so that every draw is alike: the interval is the"
    " whole range, and the p-value 1",
    _MORE_TEST_EXAMPLES,
)
