"""TA625: at least 20 positives."""

import numpy as np

from tellapart import ClassScores, compare, estimate


def drawn(positives, models=2):
    truth = np.repeat([0, 1], [90, positives])
    scores = np.random.default_rng(1).normal(size=(models, truth.size)) + truth
    return ClassScores(truth, scores, (0, 1), ("A", "B")[:models], "average-precision")


def fails():
    return compare(drawn(15), resamples=200)


def holds():
    return compare(drawn(20), resamples=200)


def test_the_figure_is_the_number_of_positives(check):
    assert check(fails()).figure == 15
    assert check(estimate(drawn(8, models=1))).figure == 8


def test_the_auc_passes(check, carriers):
    assert carriers == {"ap-logit", "stratified-bootstrap"}
    assert check(compare(drawn(15).by("auc"), method="stratified-bootstrap", resamples=200)).figure == np.inf


def test_few_positives_bias_the_average_precision():
    """The average precision of random scores is the share of positives, but higher with few positives."""
    result = {}
    for positives in (5, 100):
        truth = np.repeat([0, 1], [9 * positives, positives])
        scores = np.random.default_rng(2).random((300, 1, truth.size))
        result[positives] = ClassScores(truth, scores, (0, 1), ("A",), "average-precision").levels.mean()
    assert result[5] > 0.14
    assert result[100] < 0.11
