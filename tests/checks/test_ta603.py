"""TA603: the metric is defined for every class that it averages."""

import numpy as np
import pytest

from tellapart import ConfusionMatrix, estimate

NEVER_PREDICTED = [[12, 0, 3], [5, 0, 4], [1, 0, 8]]
NO_EXAMPLE = [[12, 2, 3], [0, 0, 0], [1, 1, 8]]


def fails():
    return estimate(ConfusionMatrix(NEVER_PREDICTED), metric="precision-macro")


def holds():
    return estimate(ConfusionMatrix([[12, 1, 3], [5, 2, 4], [1, 0, 8]]), metric="precision-macro")


def test_a_class_that_was_never_predicted_counts_as_0(check):
    assert check(fails()).figure == -1
    assert fails().estimate == pytest.approx((12 / 18 + 0 + 8 / 15) / 3)


@pytest.mark.parametrize(
    ("metric", "counts", "figure"),
    [
        ("recall-macro", NO_EXAMPLE, -1),  # it was predicted, and counts as 0
        ("balanced-accuracy", NO_EXAMPLE, -1),  # it is omitted
        ("f1-macro", NO_EXAMPLE, 0),  # F1 is 0 there, and defined
        ("f1-macro", [[12, 0, 3], [0, 0, 0], [4, 0, 8]], 0),  # a class that never occurs does not count
        ("mcc", NEVER_PREDICTED, 0),  # no average
    ],
)
def test_which_averages_have_undefined_classes(check, metric, counts, figure):
    assert check(estimate(ConfusionMatrix(counts), metric=metric, method="delta")).figure == figure


def test_balanced_accuracy_accounts_for_the_omitted_class(check):
    answer = estimate(ConfusionMatrix([[9, 1], [0, 0]]), metric="balanced-accuracy", method="mover-wilson")
    assert not check(answer).holds
    assert answer.estimate == 0.9
    assert answer.interval.low < 0.45  # the other recall may be 0,
    assert answer.interval.high > 0.95  # and 1


def test_the_remedy_reports_one_class(check, quiet):
    assert "`positive`" in check(fails()).message
    answer = estimate(ConfusionMatrix(NEVER_PREDICTED), metric="precision", positive=2, method="jeffreys")
    assert quiet(answer)
    assert np.isfinite(answer.estimate)
