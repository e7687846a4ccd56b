"""What methods for scores by class assume, and what log loss asks of a mean: TA621 to TA629."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...metrics import LEAST_CHANCE
from ...typing_ import Numbers
from .base import Assumption, Given

_NARROW = 2.0  # a range in which no tail is long: shares, grades between 0 and 1, Brier scores


def _times_the_largest(outcomes: Any, _: Given) -> Numbers:
    """Return how many times the largest value all of them come to; endless where scores have no room for a tail."""
    low, high = outcomes.metric.bounds
    if high - low <= _NARROW:
        return np.inf
    sizes = np.abs(outcomes.values)
    sizes = sizes if outcomes.weights is None else sizes * outcomes.shares
    most = sizes.max(axis=-1)
    return np.where(most > 0, sizes.sum(axis=-1) / np.where(most > 0, most, 1.0), np.inf)


NO_RULING_EXAMPLE = Assumption(
    code="TA621",
    needs="all examples together come to {figure} times the largest one, which is at least 10",
    rule="all examples together come to at least 10 times the largest one",
    broken="all examples together come to only {figure} times the largest one, whose share of the total is above a"
    " tenth: the mean hangs on it, and nobody knows how many of its kind there are",
    otherwise="look at that example; the Brier score is bounded where the log loss is not; method='sign-flip' compares"
    " two models without the normal curve",
    figure=_times_the_largest,
    threshold=10,
    moot="no value is large enough to dominate the mean",
)


def _fewest(scores: Any, _: Given) -> Numbers:
    return float(scores.class_counts.min())


ENOUGH_OF_EVERY_CLASS = Assumption(
    code="TA622",
    needs="the rarest class has {figure} examples, which is at least 20",
    rule="the rarest class has at least 20 examples",
    broken="the rarest class has only {figure} examples: their spread, on which DeLong's variance rests, is hardly"
    " known",
    otherwise="interval='newcombe-auc' of one model, 'mover-newcombe' of two, takes the variance from the area itself;"
    " method='auc-permutation' holds its level at any size",
    figure=_fewest,
    threshold=20,
)


def _misranked(scores: Any, _: Given) -> Numbers:
    """Return the size of the rarest class, times what its share of wrong (or of right) pairs is."""
    found = scores.levels
    return scores.class_counts.min() * np.minimum(found, 1 - found).min(axis=-1)


ENOUGH_WRONG_RANKS = Assumption(
    code="TA623",
    needs="the rarest class, times what the area lacks to 1, is {figure}, which is at least 4",
    rule="the rarest class, times what the area lacks to 1, is at least 4",
    broken="the rarest class, times what the area lacks to 1 (or has above 0), is only {figure}: so few are ranked"
    " wrongly that DeLong's variance is often far too small",
    otherwise="interval='newcombe-auc' covers up to 1",
    figure=_misranked,
    threshold=4,
)


def _clipped(outcomes: Any, _: Given) -> Numbers:
    """Return for how many examples a model found impossible what happened, with a minus."""
    if outcomes.metric.name != "log-loss":
        return 0.0
    worst = -np.log(LEAST_CHANCE) * (1 - 1e-12)
    return -(outcomes.scores >= worst).any(axis=-2).sum(axis=-1).astype(float)


NOT_CLIPPED = Assumption(
    code="TA624",
    needs="no model gives what happened the probability 0",
    broken="a model gave what happened the probability 0 in {size} of the examples, whose log loss is infinite; they"
    " count as if it had been 2·10⁻¹⁶, and the mean hangs on that choice",
    otherwise="the Brier score needs no such choice, and a model that is never quite sure (smoothed, or calibrated)"
    " makes it needless",
    figure=_clipped,
    threshold=0,
)


def _positives(scores: Any, _: Given) -> Numbers:
    return np.inf if scores.metric.name == "auc" else float(scores.positives)


ENOUGH_POSITIVES = Assumption(
    code="TA625",
    needs="there are {figure} positives (of several classes, in the rarest), which is at least 20",
    rule="there are at least 20 positives (of several classes, in the rarest)",
    broken="there are only {figure} positives (of several classes, in the rarest): the average precision of so few is"
    " too high on average, and the limits do not allow for that",
    otherwise="more positives help; the AUC, by method='delong' or 'delong-paired', has no such bias",
    figure=_positives,
    threshold=20,
    moot="the AUC is not biased by a small number of positives",
)


def _differing(scores: Any, _: Given) -> Numbers:
    return np.inf if len(scores.models) < 2 else scores.areas.differing


RANKS_DIFFER = Assumption(
    code="TA626",
    needs="the two models place {figure} examples differently, which is at least 10",
    rule="the two models place at least 10 examples differently",
    broken="the two models place only {figure} examples differently among those of the other class: a difference of so"
    " few is hardly ever told from none, and where there are none nothing shows how far it varies",
    otherwise="method='auc-permutation' is exact however few they are",
    moot="there is only one model, so no ranks to compare",
    figure=_differing,
    threshold=10,
)


def _smallest_pvalue(scores: Any, given: Given) -> Numbers:
    """Return less than alpha what the p-value would be if all examples that an exchange moves pointed one way."""
    from ..class_scores.permutation import swap_parts

    moved = np.count_nonzero(swap_parts(scores)[0], axis=-1)
    sides = 1 if given.alternative == "two-sided" else 0
    return -np.minimum(np.exp2(sides - np.minimum(moved, 1000.0)), 1.0)


RANKS_CAN_REJECT = Assumption(
    code="TA627",
    needs="the smallest p-value there could be, {size}, is at most alpha",
    rule="the smallest p-value there could be is at most alpha",
    broken="the smallest p-value there could be, {size}, is above alpha: an exchange of ranks changes too few examples",
    otherwise="more examples help; interval='mover-newcombe' bounds the difference all the same",
    figure=_smallest_pvalue,
    threshold=lambda given: -given.alpha,
)


def _different_scores(scores: Any, _: Given) -> Numbers:
    """Return how many different scores the model with the fewest gives: 1, 2, or 3 for any more."""
    values = scores.scores
    if len(scores.classes) > 2:
        values = values.reshape(*values.shape[:-2], -1)
    first = values[..., :1]
    second = np.take_along_axis(values, (values != first).argmax(axis=-1)[..., None], axis=-1)
    more = ((values != first) & (values != second)).any(axis=-1)
    return (1.0 + (second != first)[..., 0] + more).min(axis=-1)


MORE_THAN_TWO_SCORES = Assumption(
    code="TA628",
    needs="the scores of every model take {figure} different values or more, which is at least 3",
    rule="the scores of every model take at least 3 different values",
    broken="the scores of a model take no more than {figure} different values, as labels do: they rank by a single"
    " threshold, so the AUC is the balanced accuracy of these labels, and the average precision rests on one point",
    otherwise="give the model's scores or probabilities in place of its labels; of labels ask for the metric"
    " balanced-accuracy, precision or recall",
    figure=_different_scores,
    threshold=3,
)
