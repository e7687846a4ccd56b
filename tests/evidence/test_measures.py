"""What a confusion matrix determines: against scikit-learn, whole numbers, and slopes by small steps."""

import warnings
from fractions import Fraction
from math import isqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn import metrics

from tellapart import ConfusionMatrix
from tellapart.errors import InvalidOption
from tellapart.metrics import COUNTED, canonical_name, get_metric, is_counted

COSTS = np.array([[0, 1, 4], [10, 0, 2.5], [3, 7, -1]])
MATRICES = {  # a row for each label; labels that never occur or are never predicted among them
    "two": [[50, 10], [5, 35]],
    "three": [[20, 3, 1], [4, 30, 6], [0, 2, 9]],
    "never-predicted": [[12, 0, 3], [5, 0, 4], [1, 0, 8]],
    "no-example": [[12, 2, 3], [0, 0, 0], [1, 1, 8]],
    "neither": [[12, 0, 3], [0, 0, 0], [4, 0, 8]],
    "all-wrong": [[0, 4], [7, 0]],
    "huge": [[10**9, 3 * 10**7, 5], [10**6, 10**9, 0], [2, 10**5, 10**3]],
}
each_matrix = pytest.mark.parametrize("counts", MATRICES.values(), ids=MATRICES)


def by_sklearn(function, counts, **options):
    """Ask scikit-learn, which takes a cell for an example with a weight."""
    label, predicted = np.nonzero(np.array(counts))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it minds classes without examples
        return function(label, predicted, sample_weight=np.array(counts, dtype=float)[label, predicted], **options)


OF_CLASSES = {
    "precision": (metrics.precision_score, {}),
    "recall": (metrics.recall_score, {}),
    "f1": (metrics.f1_score, {}),
    "f0.5": (metrics.fbeta_score, {"beta": 0.5}),
    "f2": (metrics.fbeta_score, {"beta": 2}),
    "jaccard": (metrics.jaccard_score, {}),
}


@each_matrix
@pytest.mark.parametrize("name", OF_CLASSES)
def test_classes_and_averages_are_those_of_scikit_learn(counts, name):
    (function, options), places = OF_CLASSES[name], range(len(counts))
    for average in ("macro", "micro", "weighted"):
        values = by_sklearn(function, counts, average=average, zero_division=0, **options)
        assert_allclose(ConfusionMatrix(counts).by(f"{name}-{average}").value, values, rtol=1e-12)
    each = by_sklearn(function, counts, average=None, labels=list(places), zero_division=0, **options)
    result = [get_metric(name).of_labels(places, positive=index).of(counts) for index in places]
    assert_allclose(np.nan_to_num(result), each, rtol=1e-12)  # what is not defined is 0 there


@each_matrix
def test_measures_of_all_classes_are_those_of_scikit_learn(counts):
    matrix = ConfusionMatrix(counts)
    for name, values in {
        "accuracy": by_sklearn(metrics.accuracy_score, counts),
        "error": by_sklearn(metrics.zero_one_loss, counts),
        "balanced-accuracy": by_sklearn(metrics.balanced_accuracy_score, counts),
        "mcc": by_sklearn(metrics.matthews_corrcoef, counts),
        "kappa": by_sklearn(metrics.cohen_kappa_score, counts),
    }.items():
        assert_allclose(matrix.by(name).value, values, rtol=1e-9, atol=1e-12, err_msg=name)
    if (np.array(counts).sum(axis=1) > 0).all():  # without an example of a class it takes chance for another
        adjusted = by_sklearn(metrics.balanced_accuracy_score, counts, adjusted=True)
        assert_allclose(matrix.by("informedness").value, adjusted, rtol=1e-12)


def test_what_speaks_of_the_other_class():
    """TN/(TN + FP) and the like, by hand: two labels, and one of three against the rest."""
    two, three = ConfusionMatrix([[50, 10], [5, 35]]), ConfusionMatrix(MATRICES["three"])
    names = ("specificity", "false-positive-rate", "negative-predictive-value", "label-balance")
    assert_allclose([two.by(name).value for name in names], [50 / 60, 10 / 60, 50 / 55, -5 / 100])
    result = [three.by(name, positive=1).value for name in names]
    assert_allclose(result, [30 / 35, 5 / 35, 30 / 40, (40 - 35) / 75])
    assert_allclose(ConfusionMatrix(MATRICES["three"]).by("cost", costs=COSTS).value, (3 + 4 + 40 + 15 + 14 - 9) / 75)


@pytest.mark.parametrize("name", ["mcc", "kappa", "precision", "f1", "recall", "informedness"])
def test_what_is_not_defined_is_no_number(name):
    """A constant prediction has no correlation, nothing predicted no precision, one class alone no informedness."""
    counts = {"recall": [[6, 3], [0, 0]], "f1": [[9, 0], [0, 0]], "kappa": [[9, 0], [0, 0]]}.get(name, [[6, 0], [3, 0]])
    counts = [[6, 3], [0, 0]] if name == "informedness" else counts
    matrix = ConfusionMatrix(counts).by(name)
    assert np.isnan(matrix.value)
    assert not matrix.metric.slopes(counts).any()


def test_products_of_margins_do_not_run_over():
    """10⁹ in every cell and one more: by whole numbers of any length."""
    tp, fn, fp, tn = 10**9 + 7, 10**9, 10**9, 10**9 - 3
    product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    exact = Fraction((tp * tn - fp * fn) * 10**30, isqrt(product * 10**60))
    assert_allclose(ConfusionMatrix([[tn, fp], [fn, tp]]).by("mcc").value, float(exact), rtol=1e-5)
    assert_allclose(ConfusionMatrix([[2**52, 0], [0, 2**52]]).by("mcc").value, 1.0)
    assert ConfusionMatrix([[2**52, 1], [0, 2**51]]).by("precision").metric.proportion([[2**52, 1], [0, 2**51]]) == (
        2**51,
        2**51 + 1,
    )


@given(st.lists(st.integers(1, 60), min_size=9, max_size=9))
def test_slopes_are_what_small_steps_show(cells):
    """Move a millionth of all examples to a cell, and away from it."""
    counts = np.array(cells, dtype=float).reshape(3, 3)
    shares = counts / counts.sum()
    for name in (*COUNTED, "f0.5", "f2-macro"):
        options = {"costs": COSTS} if name == "cost" else {}
        try:
            measure = get_metric(name).of_labels(range(3), **options)
        except InvalidOption:  # of one class
            measure = get_metric(name).of_labels(range(3), positive=1)
        slopes = measure.slopes(counts)
        assert_allclose((slopes * shares).sum(), 0, atol=1e-12)
        moved = 1e-6 * np.eye(9).reshape(9, 3, 3)
        there, back = (measure.of(shares * (1 - way * 1e-6) + way * moved) for way in (1, -1))
        assert_allclose((there - back).reshape(3, 3) / 2e-6, slopes, atol=1e-6, err_msg=name)


def test_one_pass_serves_many_matrices():
    many = np.array([MATRICES["three"], MATRICES["never-predicted"], MATRICES["huge"]])
    for name in ("f1-macro", "mcc", "kappa", "balanced-accuracy", "f1-weighted"):
        measure = get_metric(name).of_labels(range(3))
        assert_allclose(measure.of(many), [measure.of(each) for each in many], rtol=1e-14)
        assert_allclose(measure.slopes(many), [measure.slopes(each) for each in many], rtol=1e-12, atol=1e-14)


def test_names_of_others_are_understood_and_unknown_ones_are_not():
    predicted = ["matthews_corrcoef", "PPV", "f1_macro", "sensitivity", "F beta 2", "zero_one_loss", "f1_score"]
    assert [canonical_name(name) for name in predicted] == [
        "mcc",
        "precision",
        "f1-macro",
        "recall",
        "f2",
        "error",
        "f1",
    ]
    assert is_counted("fbeta0.5")
    assert not is_counted("auc")
    with pytest.raises(InvalidOption, match=r"Did you mean 'precision'\?"):
        get_metric("precison").of_labels((0, 1))
    with pytest.raises(InvalidOption, match="`positive` is required by f1 with 3 classes"):
        get_metric("f1").of_labels((0, 1, 2))
    with pytest.raises(InvalidOption, match="`positive` must be one of 0, 1"):
        get_metric("f1").of_labels((0, 1), positive=7)
    with pytest.raises(InvalidOption, match="`positive` needs a metric of one class"):
        get_metric("mcc").of_labels((0, 1), positive=1)
    with pytest.raises(InvalidOption, match="unknown `metric` 'f1-foo'"):
        get_metric("f1-foo").of_labels((0, 1))
    with pytest.raises(InvalidOption, match="`costs` are required with metric='cost'"):
        get_metric("cost").of_labels((0, 1))


@pytest.mark.parametrize("cost", ["dear", None, float("inf"), [1, 2]])
def test_a_cost_is_a_finite_number(cost):
    with pytest.raises(InvalidOption, match="`costs` must be"):
        get_metric("cost").of_labels((0, 1), costs={(1, 0): cost})
