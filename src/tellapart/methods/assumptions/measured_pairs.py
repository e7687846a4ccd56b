"""What methods for two classifiers by precision, recall, F and the like assume: TA611 to TA617."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...metric_rules import Average
from ...typing_ import Numbers
from .base import Assumption, Given
from .pairs import CAN_REJECT_EXACT, CAN_REJECT_MID_P, SOME_AGREEMENT


def _on_class(pair: Any) -> Any:
    """Return who was wrong where among the examples of the class that the metric is a share of."""
    from ..paired_confusion.common import class_table

    return class_table(pair)[0]


def _that_matter(pair: Any, _: Given) -> Numbers:
    """Return how many equally weighty disagreements would bear as much of the difference as those there are.

    A disagreement weighs as much as it moves the difference: of recall, those on other classes not at all. Weights v
    count as (Σv²)²/Σv⁴ of equal ones (Kish). The sums are over the counts with a few disagreements more, lest the kind
    that weighs most is forgotten because it was not met, and the result is for the share Σv² of those that were.
    """
    from ..paired_confusion.common import OF_A_CLASS, influence_of, with_disagreements

    if pair.metric.name in OF_A_CLASS:
        return _on_class(pair).disagreements
    apart, more = ~np.eye(pair.counts.shape[-1], dtype=bool), with_disagreements(pair)
    squares = apart * influence_of(pair, more) ** 2
    seen, second, fourth = (
        (counts * power).sum(axis=(-3, -2, -1))
        for counts, power in ((pair.counts, squares), (more, squares), (more, squares**2))
    )
    return np.where(fourth > 0, seen * second / np.where(fourth > 0, fourth, 1.0), 0.0)


DISAGREEMENTS_THAT_MATTER = Assumption(
    code="TA611",
    needs="{figure} disagreements (or as much as so many equal ones) bear on the metric, which is at least 10",
    rule="at least 10 disagreements (or as much as so many equal ones) bear on the metric",
    broken="no more than {figure} disagreements (or as much as so many equal ones) bear on the metric: too few for a"
    " normal approximation of the difference, however many examples there are",
    otherwise="'mcnemar-exact' holds its level for accuracy, recall and specificity at any number; other metrics need"
    " more examples",
    figure=_that_matter,
    threshold=10,
)


def _left_open(pair: Any, _: Given) -> Numbers:
    """Return in how many classes the share that the metric averages is not defined for A or for B, with a minus."""
    rule = pair.metric.bound_rule
    if not isinstance(rule, Average):
        return 0.0
    found: Any = False
    for axis in (-1, -2):
        cells = pair.counts.sum(axis=axis).astype(float)
        undefined = np.isnan(np.stack([share.value(cells) for share in rule.shares], axis=-1))
        occurs = (cells.sum(axis=-1) + cells.sum(axis=-2) > 0) | (rule.weighing == "labelled")
        found = found | (undefined & occurs)
    return -found.sum(axis=-1).astype(float)


CLASSES_DEFINED_IN_BOTH = Assumption(
    code="TA612",
    needs="the metric is defined for both classifiers in every class that it averages",
    broken="in {size} of the classes the metric is not defined for one of the classifiers, because it never predicted"
    " them or they have no example: balanced accuracy and informedness leave them out, other averages take them for 0,"
    " as scikit-learn does",
    otherwise="ask for the classes one by one (positive=): of the recall of one, 'mcnemar-mid-p' is the test",
    figure=_left_open,
    threshold=0,
)
CLASS_CAN_REJECT_EXACT = Assumption(
    code="TA613",
    needs="the smallest p-value that so many disagreements on the class can give, {size}, is below alpha",
    rule="the smallest p-value that so many disagreements on the class can give is below alpha",
    broken="no outcome at so few disagreements on the class could reach alpha: the smallest possible p-value is {size}",
    otherwise="'mcnemar-mid-p' can reject at one disagreement less; else more examples of the class are needed",
    figure=lambda pair, given: CAN_REJECT_EXACT.figure(_on_class(pair), given),
    threshold=lambda given: -given.alpha,
    strict=True,
)
CLASS_CAN_REJECT_MID_P = Assumption(
    code="TA614",
    needs="the smallest p-value that so many disagreements on the class can give, {size}, is below alpha",
    rule="the smallest p-value that so many disagreements on the class can give is below alpha",
    broken="no outcome at so few disagreements on the class could reach alpha: the smallest possible p-value is {size}",
    otherwise="more examples of the class are needed; the interval, by 'tango', tells what they leave open",
    figure=lambda pair, given: CAN_REJECT_MID_P.figure(_on_class(pair), given),
    threshold=lambda given: -given.alpha,
    strict=True,
)
SOME_AGREEMENT_IN_CLASS = Assumption(
    code="TA615",
    needs="the two agree on a share of {figure} of the class ≥ 0.2",
    rule="the two agree on a share of at least 0.2 of the class",
    broken="the two agree on a share of only {figure} of the class (< 0.2): there mid-p may reject up to 1.3 times too"
    " often",
    otherwise="method='mcnemar-exact' holds its level everywhere",
    figure=lambda pair, given: SOME_AGREEMENT.figure(_on_class(pair), given),
    threshold=0.2,
)


def _fewest_hits(pair: Any, _: Given) -> Numbers:
    """Return how often the one of the two that was right less often was right."""
    return np.minimum(*(pair.metric.proportion(each.counts)[0] for each in (pair.confusion_a, pair.confusion_b)))


RATIO_BOUNDED = Assumption(
    code="TA616",
    needs="each of the two is right somewhere (right predictions of the one with fewer: {figure})",
    rule="each of the two is right somewhere",
    broken="one of the two was never right, so the ratio has no bound on one side",
    otherwise="interval='paired-delta' bounds the difference all the same",
    figure=_fewest_hits,
    threshold=1,
)
PAIRED_CORRECTION_IS_SMALL = Assumption(
    code="TA617",
    needs="there are {figure} examples for each cell of label, A and B, which is at least 10",
    rule="there are at least 10 examples for each cell of label, A and B",
    broken="there are only {figure} examples for each cell of label, A and B, and every cell gets a part of an example"
    " that was never seen: the limits lean to no difference",
    otherwise="method='paired-delta' and 'joint-bootstrap' add one disagreement for a label, and no more",
    figure=lambda pair, _: pair.examples / len(pair.labels) ** 3,
    threshold=10,
)
