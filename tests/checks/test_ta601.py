"""TA601: the metric is defined for these counts."""

import numpy as np
import pytest

from tellapart import ConfusionMatrix, estimate


def fails():
    """Estimate precision without any positive prediction."""
    return estimate(ConfusionMatrix([[40, 0], [9, 0]], ["ham", "spam"]), metric="precision")


def holds():
    return estimate(ConfusionMatrix([[40, 0], [8, 1]], ["ham", "spam"]), metric="precision")


@pytest.mark.parametrize(
    ("metric", "counts"),
    [
        ("precision", [[40, 0], [9, 0]]),
        ("recall", [[40, 9], [0, 0]]),
        ("f1", [[49, 0], [0, 0]]),
        ("mcc", [[40, 0], [9, 0]]),
    ],
)
def test_an_undefined_metric_has_the_whole_range(check, metric, counts):
    answer = estimate(ConfusionMatrix(counts), metric=metric)
    assert np.isnan(answer.estimate)
    assert not check(answer).holds
    assert (answer.interval.low, answer.interval.high) == ((-1, 1) if metric == "mcc" else (0, 1))


def test_one_more_prediction_is_enough(check):
    """One of one prediction is right: Jeffreys' upper limit is 1, and the lower one above 0."""
    assert check(holds()).holds
    assert 0 < holds().interval.low < holds().interval.high == 1


def test_the_remedy_is_defined(check, quiet):
    answer = estimate(ConfusionMatrix([[40, 0], [9, 0]]), metric="recall", method="clopper-pearson")
    assert "use the error rate" in check(fails()).message
    assert quiet(answer)
    assert answer.interval.high == pytest.approx(1 - 0.025 ** (1 / 9))  # none of nine


def test_methods_for_ratios_have_the_check(carriers):
    assert {"delta", "jeffreys", "f1-wilson", "mover-wilson", "count-bootstrap"} <= carriers
