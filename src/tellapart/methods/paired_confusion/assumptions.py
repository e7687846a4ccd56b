"""What methods for two classifiers by precision, recall, F and the like assume: TA611 to TA617."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from ..assumptions import Assumption, Context, at_least, at_most, can_reject
from ..confusion_matrix.assumptions import occurring_undefined
from ..paired_table.assumptions import CAN_REJECT_EXACT, CAN_REJECT_MID_P, SOME_AGREEMENT
from .common import OF_A_CLASS, class_table, influence_of, with_disagreements


def _equal_disagreements(pair: Any, _: Context) -> Numbers:
    """Return how many equally weighty disagreements would bear as much of the difference as those there are.

    A disagreement weighs as much as it moves the difference: of recall, those on other classes not at all. Weights v
    count as (Σv²)²/Σv⁴ of equal ones (Kish). The sums are over the counts with a few disagreements more, lest the kind
    that weighs most is forgotten because it was not met, and the result is for the share Σv² of those that were.
    """
    if pair.metric.name in OF_A_CLASS:
        return class_table(pair).disagreements
    differ, more = ~np.eye(pair.counts.shape[-1], dtype=bool), with_disagreements(pair)
    squares = differ * influence_of(pair, more) ** 2
    seen, second, fourth = (
        (counts * power).sum(axis=(-3, -2, -1))
        for counts, power in ((pair.counts, squares), (more, squares), (more, squares**2))
    )
    return np.where(fourth > 0, seen * second / np.where(fourth > 0, fourth, 1.0), 0.0)


def _undefined_classes(pair: Any, _: Context) -> Numbers:
    """Return in how many classes the share that the metric averages is not defined for A or for B."""
    for_a, for_b = (occurring_undefined(pair.metric.bound_rule, pair.counts.sum(axis=axis)) for axis in (-1, -2))
    return (for_a | for_b).sum(axis=-1)


def _fewest_hits(pair: Any, _: Context) -> Numbers:
    """Return how often the one of the two that was right less often was right."""
    return np.minimum(*(pair.metric.proportion(each.counts)[0] for each in (pair.confusion_a, pair.confusion_b)))


def _can_reject_on_class(code: str, of_table: Assumption, remedy: str) -> Assumption:
    """Return the assumption of a test of tables as that of the test of one class."""
    return can_reject(
        code,
        lambda pair, context: -of_table.figure(class_table(pair), context),
        "discordant pairs of the class",
        remedy,
    )


DISAGREEMENTS_THAT_MATTER = at_least("TA611", 10, _equal_disagreements).state(
    "{figure} disagreements (or as much as so many equal ones) bear on the metric{figure:, which is at least 10}",
    "no more than {figure} disagreements (or as much as so many equal ones) bear on the metric: too few for a normal"
    " approximation of the difference, however many examples there are",
    "'mcnemar-exact' holds its level for accuracy, recall and specificity at any number; other metrics need more"
    " examples",
)
CLASSES_DEFINED_IN_BOTH = at_most("TA612", 0, _undefined_classes).state(
    "the metric is defined for both classifiers in every class that it averages",
    "in {size} of the classes the metric is not defined for one of the classifiers, because it never predicted them or"
    " they have no example: balanced accuracy and informedness leave them out, other averages take them for 0, as"
    " scikit-learn does",
    "ask for the classes one by one (positive=): of the recall of one, 'mcnemar-mid-p' is the test",
)
CLASS_CAN_REJECT_EXACT = _can_reject_on_class(
    "TA613",
    CAN_REJECT_EXACT,
    "'mcnemar-mid-p' can reject at one disagreement less; else more examples of the class are needed",
)
CLASS_CAN_REJECT_MID_P = _can_reject_on_class(
    "TA614",
    CAN_REJECT_MID_P,
    "more examples of the class are needed; the interval, by 'tango', tells what they leave open",
)
SOME_AGREEMENT_IN_CLASS = at_least(
    "TA615", 0.2, lambda pair, context: SOME_AGREEMENT.figure(class_table(pair), context)
).state(
    "the two agree on a share of {figure} of the class{figure: ≥ 0.2}",
    "the two agree on a share of only {figure} of the class (< 0.2): there mid-p may reject up to 1.3 times too often",
    "method='mcnemar-exact' holds its level everywhere",
)
RATIO_BOUNDED = at_least("TA616", 1, _fewest_hits).state(
    "each of the two is right somewhere{figure: (right predictions of the one with fewer: #)}",
    "one of the two was never right, so the ratio has no bound on one side",
    "interval='paired-delta' bounds the difference all the same",
)
PAIRED_CORRECTION_IS_SMALL = at_least("TA617", 10, lambda pair, _: pair.examples / len(pair.labels) ** 3).state(
    "there are {figure} examples for each cell of label, A and B{figure:, which is at least 10}",
    "there are only {figure} examples for each cell of label, A and B, and every cell gets a part of an example that"
    " was never seen: the limits lean to no difference",
    "method='paired-delta' and 'joint-bootstrap' add one disagreement for a label, and no more",
)
