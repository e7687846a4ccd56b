"""TA612: the metric is defined for both models in every class that it averages."""

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


def test_a_class_that_one_model_never_predicts_counts_as_0(check):
    result, never = check(fails()), fails().evidence
    assert (result.figure, bool(result.holds)) == (-1, False)
    assert "in 1 of the classes" in result.message
    each = [never.confusion_b.precision(label) for label in (0, 1)]
    assert never.by("precision-macro").levels[1] == pytest.approx(sum(each) / 3)


@pytest.mark.parametrize("metric", ["mcc", "accuracy", "f1-macro", "recall-macro"])
def test_metrics_defined_without_predictions_of_a_class_pass(quiet, metric):
    assert quiet(compare(fails().evidence, metric=metric))


def test_the_remedy_compares_one_class(check, quiet, carriers):
    assert "`positive`, method='mcnemar-mid-p'" in check(fails()).message
    assert quiet(compare(fails().evidence, metric="recall", positive=2))
    assert carriers == {"paired-delta", "joint-bootstrap"}
