"""TA612: an average is defined in every class, for both classifiers."""

import numpy as np
import pytest

from tellapart import PairedConfusion, compare

TRUTH = np.repeat([0, 1, 2], 20)


def pair(b):
    return PairedConfusion.from_predictions(TRUTH, np.roll(TRUTH, 3), b, labels=[0, 1, 2])


def fails():
    return compare(pair(np.minimum(np.roll(TRUTH, 5), 1)).by("precision-macro"))


def holds():
    return compare(pair(np.roll(TRUTH, 5)).by("precision-macro"))


def test_a_class_that_one_never_predicts_is_taken_for_0(check):
    result, never = check(fails()), fails().evidence
    assert (result.figure, bool(result.holds)) == (-1, False)
    assert "in 1 of the classes" in result.message
    each = [never.confusion_b.precision(label) for label in (0, 1)]
    assert never.by("precision-macro").levels[1] == pytest.approx(sum(each) / 3)


@pytest.mark.parametrize("metric", ["mcc", "accuracy", "f1-macro", "recall-macro"])
def test_what_needs_no_prediction_of_the_class_does_not_ask_for_one(quiet, metric):
    assert quiet(compare(fails().evidence, metric=metric))


def test_the_classes_one_by_one(check, quiet, carriers):
    assert "`positive`, method='mcnemar-mid-p'" in check(fails()).message
    assert quiet(compare(fails().evidence, metric="recall", positive=2))
    assert carriers == {"paired-delta", "joint-bootstrap"}
