"""What methods for scores by class assume: TA622, TA623, and TA625 to TA628."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from ..assumptions import Context, all_one_way, at_least, reaches_alpha


def _size_of_wrong_ranks(scores: Any, _: Context) -> Numbers:
    """Return the size of the rarest class, times what its share of wrong (or of right) pairs is."""
    areas = scores.levels
    return scores.class_counts.min() * np.minimum(areas, 1 - areas).min(axis=-1)


def _positives(scores: Any, _: Context) -> Numbers:
    return np.inf if scores.metric.name == "auc" else float(scores.positives)


def _examples_placed_differently(scores: Any, _: Context) -> Numbers:
    return np.inf if len(scores.models) < 2 else scores.areas.differing


def _examples_moved(scores: Any, _: Context) -> Numbers:
    """Return how many examples an exchange of ranks moves."""
    from .permutation import swap_parts

    return np.count_nonzero(swap_parts(scores)[0], axis=-1)


def _different_scores(scores: Any, _: Context) -> Numbers:
    """Return how many different scores the model with the fewest gives: 1, 2, or 3 for any more."""
    values = scores.scores
    if len(scores.classes) > 2:
        values = values.reshape(*values.shape[:-2], -1)
    first = values[..., :1]
    second = np.take_along_axis(values, (values != first).argmax(axis=-1)[..., None], axis=-1)
    more = ((values != first) & (values != second)).any(axis=-1)
    return (1.0 + (second != first)[..., 0] + more).min(axis=-1)


ENOUGH_OF_EVERY_CLASS = at_least("TA622", 20, lambda scores, _: scores.class_counts.min()).state(
    "the rarest class has {figure} examples{figure:, which is at least 20}",
    "the rarest class has only {figure} examples: their spread, on which DeLong's variance rests, is hardly known",
    "interval='newcombe-auc' of one model, 'mover-newcombe' of two, takes the variance from the area itself;"
    " method='auc-permutation' holds its level at any size",
)
ENOUGH_WRONG_RANKS = at_least("TA623", 4, _size_of_wrong_ranks).state(
    "the rarest class, times what the area lacks to 1,{figure: is #, which} is at least 4",
    "the rarest class, times what the area lacks to 1 (or has above 0), is only {figure}: so few are ranked wrongly"
    " that DeLong's variance is often far too small",
    "interval='newcombe-auc' covers up to 1",
)
ENOUGH_POSITIVES = at_least("TA625", 20, _positives).state(
    "there are {figure} positives (of several classes, in the rarest){figure:, which is at least 20}",
    "there are only {figure} positives (of several classes, in the rarest): the average precision of so few is too"
    " high on average, and the limits do not allow for that",
    "more positives help; the AUC, by method='delong' or 'delong-paired', has no such bias",
    moot="the AUC is not biased by a small number of positives",
)
RANKS_DIFFER = at_least("TA626", 10, _examples_placed_differently).state(
    "the two models place {figure} examples differently{figure:, which is at least 10}",
    "the two models place only {figure} examples differently among those of the other class: a difference of so few is"
    " hardly ever told from none, and where there are none nothing shows how far it varies",
    "method='auc-permutation' is exact however few they are",
    moot="there is only one model, so no ranks to compare",
)
RANKS_CAN_REJECT = reaches_alpha("TA627", all_one_way(_examples_moved)).state(
    "the smallest p-value there could be{size:, #,} is at most alpha",
    "the smallest p-value there could be, {size}, is above alpha: an exchange of ranks changes too few examples",
    "more examples help; interval='mover-newcombe' bounds the difference all the same",
)
MORE_THAN_TWO_SCORES = at_least("TA628", 3, _different_scores).state(
    "the scores of every model take {figure} different values{figure: or more, which is at least 3}",
    "the scores of a model take no more than {figure} different values, as labels do: they rank by a single threshold,"
    " so the AUC is the balanced accuracy of these labels, and the average precision rests on one point",
    "give the model's scores or probabilities in place of its labels; of labels ask for the metric balanced-accuracy,"
    " precision or recall",
)
