"""TA628: the scores of every model have at least 3 different values."""

import numpy as np
import pytest

from tellapart import ClassScores, compare, estimate

TRUTH = np.repeat([0, 1], [40, 60])
SCORES = np.random.default_rng(1).normal(size=100) + TRUTH
LABELS = (SCORES > 0.5).astype(int)


def fails():
    return estimate(ClassScores.from_scores(TRUTH, LABELS))


def holds():
    return estimate(ClassScores.from_scores(TRUTH, SCORES))


def test_the_figure_is_the_number_of_different_scores(check):
    assert check(fails()).figure == 2
    assert check(holds()).figure == 3
    assert check(estimate(ClassScores.from_scores(TRUTH, np.zeros(100)), method="newcombe-auc")).figure == 1
    assert check(estimate(ClassScores.from_scores(TRUTH, LABELS + (SCORES > 2)))).holds


def test_the_requirement_has_the_number_once(check):
    assert check(holds()).message == "the scores of every model have at least 3 different values"


def test_the_auc_of_labels_is_their_balanced_accuracy():
    """By hand: the ROC curve has one inner point, so its area is that of two triangles and a rectangle."""
    sensitivity, specificity = LABELS[TRUTH == 1].mean(), 1 - LABELS[TRUTH == 0].mean()
    assert fails().estimate == pytest.approx((sensitivity + specificity) / 2)


@pytest.mark.parametrize("metric", ["auc", "average-precision"])
@pytest.mark.parametrize("pair", [(LABELS, LABELS[::-1]), (LABELS, SCORES), (SCORES, LABELS)])
def test_one_of_two_models_is_enough(check, metric, pair):
    assert not check(compare(ClassScores.from_scores(TRUTH, *pair, metric=metric))).holds
    for index in (0, 1):
        one = estimate(ClassScores.from_scores(TRUTH, pair[index], metric=metric))
        assert check(one).holds == (pair[index] is SCORES)


def test_two_models_with_scores_hold(check):
    assert check(compare(ClassScores.from_scores(TRUTH, SCORES, SCORES[::-1]))).holds


def test_labels_of_several_classes_fail(check):
    truth = np.arange(90) % 3
    guess = np.eye(3)[np.r_[truth[:60], (truth[60:] + 1) % 3]]
    assert check(estimate(ClassScores.from_scores(truth, guess))).figure == 2
    assert check(estimate(ClassScores.from_scores(truth, guess * 0.7 + 0.1 * np.arange(3)))).holds


def test_every_method_for_rankings_has_the_check(carriers):
    names = {"ap-logit", "auc-permutation", "delong", "delong-paired", "mover-newcombe", "newcombe-auc"}
    assert carriers == names | {"stratified-bootstrap"}
