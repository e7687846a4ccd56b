"""Assumptions of methods for scores by class: TA622, TA623, and TA625 to TA628."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from ..assumptions import Context, all_one_way, at_least, carriers, reaches_alpha

_FEW_RANKS = 10  # examples that two models rank differently


def _wrongly_ranked_size(scores: Any, _: Context) -> Numbers:
    """Return the size of the rarest class times its share of wrongly (or correctly) ranked pairs."""
    areas = scores.levels
    return scores.class_counts.min() * np.minimum(areas, 1 - areas).min(axis=-1)


def _count_positives(scores: Any, _: Context) -> Numbers:
    return np.inf if scores.metric.name == "auc" else float(scores.positives)


def _count_rank_differences(scores: Any, _: Context) -> Numbers:
    return np.inf if len(scores.models) < 2 else scores.areas.differing


def _count_swaps_that_matter(scores: Any, _: Context) -> Numbers:
    """Return for how many examples swapping the ranks changes the difference."""
    from .permutation import swap_parts

    return np.count_nonzero(swap_parts(scores)[0], axis=-1)


def _different_scores(scores: Any, _: Context) -> Numbers:
    """Return the fewest different scores of any model: 1, 2, or 3 for more."""
    values = scores.scores
    if len(scores.classes) > 2:
        values = values.reshape(*values.shape[:-2], -1)
    first = values[..., :1]
    second = np.take_along_axis(values, (values != first).argmax(axis=-1)[..., None], axis=-1)
    more = ((values != first) & (values != second)).any(axis=-1)
    return (1.0 + (second != first)[..., 0] + more).min(axis=-1)


def _suggest_without_delong(scores: Any, context: Context) -> str:
    """Return the methods that do not use DeLong's variance: for two classes there are intervals too."""
    more = "test more of that class"
    if scores.several_classes:
        return f"{more.capitalize()}."
    if len(scores.models) == 1:
        return f"Use method='newcombe-auc', or {more}."
    if np.all(_count_rank_differences(scores, context) >= _FEW_RANKS):
        return f"Use method='auc-permutation' with interval='mover-newcombe', or {more}."
    return f"{more.capitalize()}."


def _suggest_newcombe(scores: Any, _: Context) -> str:
    return "Test more examples." if scores.several_classes else "Use method='newcombe-auc'."


def _suggest_permutation(scores: Any, context: Context) -> str:
    if carriers("TA626", scores, context)[0] and np.all(RANKS_CAN_REJECT.check(scores, context).holds):
        return "Test more examples, or use method='auc-permutation' for the test."
    return "Test more examples."


ENOUGH_OF_EVERY_CLASS = at_least("TA622", 20, lambda scores, _: scores.class_counts.min()).state(
    "{figure} examples of the rarest class{figure: ≥ 20}",
    "{figure} examples of the rarest class, fewer than 20",
    _suggest_without_delong,
    title="rare class",
    so="DeLong's variance is unreliable",
)
ENOUGH_WRONG_RANKS = at_least("TA623", 4, _wrongly_ranked_size).state(
    "size of the rarest class times (1 - AUC){figure: = #} ≥ 4",
    "size of the rarest class times (1 - AUC) is {figure}, less than 4",
    _suggest_newcombe,
    title="AUC near 1",
    so="DeLong's variance is often far too small",
)
ENOUGH_POSITIVES = at_least("TA625", 20, _count_positives).state(
    "{figure} positives{figure: ≥ 20}",
    "{figure} positives, fewer than 20",
    "Add positives, or use metric='auc', which is unbiased.",
    title="few positives",
    so="the average precision is biased upwards",
    moot="the AUC is not biased by a small number of positives",
)
RANKS_DIFFER = at_least("TA626", _FEW_RANKS, _count_rank_differences).state(
    "the models rank {figure} examples differently{figure:, at least 10}",
    "{figure} examples ranked differently, fewer than 10",
    _suggest_permutation,
    title="similar rankings",
    so="its variance is unreliable",
    moot="there is only one model, so no ranks to compare",
)
RANKS_CAN_REJECT = reaches_alpha("TA627", all_one_way(_count_swaps_that_matter)).state(
    "the smallest attainable p-value{size:, #,} is at most alpha",
    "the smallest attainable p-value is {size}, above alpha",
    "Test more examples, or report interval='mover-newcombe'.",
    title="few different ranks",
    so="the test cannot reject",
)
MORE_THAN_TWO_SCORES = at_least("TA628", 3, _different_scores).state(
    "the scores of every model have at least 3 different values",
    "the scores of a model have only {figure} different values",
    "Use scores, or metric='balanced-accuracy'.",
    title="labels, not scores",
    so="the AUC is the balanced accuracy of labels",
)
