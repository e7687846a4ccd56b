"""Assumptions of methods for two classifiers by precision, recall, F1 and other metrics: TA611 to TA617."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...typing_ import Numbers
from ..assumptions import Assumption, Context, Remedy, at_least, at_most, can_reject, carriers
from ..confusion_matrix.assumptions import find_undefined_classes
from ..paired_table.assumptions import CAN_REJECT_EXACT, CAN_REJECT_MID_P, SOME_AGREEMENT
from .metric_differences import OF_A_CLASS, add_discordant_pairs, class_table, influence_of


def _effective_discordant_pairs(pair: Any, _: Context) -> Numbers:
    """Return the effective number of discordant pairs, weighted by how much each moves the difference.

    For recall, pairs on other classes have weight 0. Weights v have the effective number (Σv²)²/Σv⁴ (Kish). The sums
    are over the counts with a few discordant pairs added, so that a kind with a large weight counts even if it was not
    observed, and the result is scaled to the share of Σv² that was observed.
    """
    if pair.metric.name in OF_A_CLASS:
        return class_table(pair).disagreements
    differ, more = ~np.eye(pair.counts.shape[-1], dtype=bool), add_discordant_pairs(pair)
    squares = differ * influence_of(pair, more) ** 2
    seen, second, fourth = (
        (counts * power).sum(axis=(-3, -2, -1))
        for counts, power in ((pair.counts, squares), (more, squares), (more, squares**2))
    )
    return np.where(fourth > 0, seen * second / np.where(fourth > 0, fourth, 1.0), 0.0)


def _undefined_classes(pair: Any, _: Context) -> Numbers:
    """Return in how many classes the share that the metric averages is undefined for A or for B."""
    for_a, for_b = (find_undefined_classes(pair.metric.bound_rule, pair.counts.sum(axis=axis)) for axis in (-1, -2))
    return (for_a | for_b).sum(axis=-1)


def _fewest_hits(pair: Any, _: Context) -> Numbers:
    """Return the smaller of the two models' numbers of correct predictions."""
    return np.minimum(*(pair.metric.proportion(matrix.counts)[0] for matrix in (pair.confusion_a, pair.confusion_b)))


def _can_reject_on_class(code: str, of_table: Assumption, remedy: Remedy) -> Assumption:
    """Return the assumption of a test of tables as that of the test of one class."""
    assumption = can_reject(
        code,
        lambda pair, context: -of_table.figure(class_table(pair), context),
        "discordant pairs of the class",
        remedy,
    )
    return replace(assumption, title="few discordant pairs")


def _suggest_exact_test(pair: Any, context: Context) -> str:
    """Return what helps with few discordant pairs: an exact test, if it can reach alpha, or more examples."""
    applies = pair.metric.name in OF_A_CLASS and np.all(np.nan_to_num(context.null) == 0)
    if applies and carriers("TA611", pair, context)[0] and _rejects_on_class(CAN_REJECT_EXACT, pair, context):
        return "Test more examples, or use method='mcnemar-exact' for the test."
    return "Test more examples."


def _suggest_mid_p(pair: Any, context: Context) -> str:
    if _rejects_on_class(CAN_REJECT_MID_P, pair, context):
        return "Use method='mcnemar-mid-p', or test more examples of the class."
    return "Test more examples of the class."


def _rejects_on_class(of_table: Assumption, pair: Any, context: Context) -> bool:
    return bool(np.all(of_table.check(class_table(pair), context).holds))


ENOUGH_EFFECTIVE_PAIRS = at_least("TA611", 10, _effective_discordant_pairs).state(
    "{figure} effective discordant pairs{figure: ≥ 10}",
    "{figure} effective discordant pairs for this metric, fewer than 10",
    _suggest_exact_test,
    title="few discordant pairs",
    so="the normal approximation is unreliable",
)
CLASSES_DEFINED_IN_BOTH = at_most("TA612", 0, _undefined_classes).state(
    "the metric is defined for both models in every class that it averages",
    "the metric is undefined for a model in {size} of the classes",
    "Test more examples, or compare recalls (`positive`, method='mcnemar-mid-p').",
    title="undefined classes",
    so="averages omit them or count them as 0",
)
CLASS_CAN_REJECT_EXACT = _can_reject_on_class("TA613", CAN_REJECT_EXACT, _suggest_mid_p)
CLASS_CAN_REJECT_MID_P = _can_reject_on_class("TA614", CAN_REJECT_MID_P, "Test more examples of the class.")
SOME_AGREEMENT_IN_CLASS = at_least(
    "TA615", 0.2, lambda pair, context: SOME_AGREEMENT.figure(class_table(pair), context)
).state(
    "the models agree on a share of {figure} of the class{figure: ≥ 0.2}",
    "the models agree on {figure} of the class, less than 0.2",
    "Use method='mcnemar-exact'.",
    title="little agreement",
    so="the mid-p test may reject up to 1.3 times too often",
)
RATIO_BOUNDED = at_least("TA616", 1, _fewest_hits).state(
    "both models have correct predictions of the class{figure: (the lower number is #)}",
    "one model has no correct prediction of the class",
    "Use method='paired-delta' for the difference.",
    title="unbounded ratio",
    so="the ratio has no limit on one side",
)
PAIRED_CORRECTION_IS_SMALL = at_least("TA617", 10, lambda pair, _: pair.examples / len(pair.labels) ** 3).state(
    "{figure} examples per cell of label and both predictions{figure: ≥ 10}",
    "{figure} examples per cell of the joint counts, fewer than 10",
    "Use method='paired-delta' or method='joint-bootstrap'.",
    title="sparse counts",
    so="the correction biases the difference towards 0",
)
