"""The one table of metrics: losses and directions, slopes, and a metric that is added by one entry."""

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import f1_score, get_scorer, get_scorer_names, precision_score, recall_score

import tellapart as ta
from tellapart.errors import InvalidOption
from tellapart.metric_rules import Smooth
from tellapart.metrics import (
    METRICS,
    Metric,
    canonical_name,
    direction_of,
    find_metric,
    get_metric,
    is_counted,
    is_scored,
    unknown_metric,
)
from tellapart.running.metrics import Answers, as_test_set_loss

TWO, THREE = np.array([[50.0, 10], [5, 35]]), np.array([[20.0, 3, 1], [4, 30, 6], [0, 2, 9]])
SPAM = ta.ConfusionMatrix(TWO.astype(int), ["ham", "spam"])
BOTH = ta.PairedConfusion([[[40, 4], [6, 10]], [[3, 5], [2, 30]]], ["ham", "spam"], models=("old", "new"))


# --- Slopes a complex step away ---


def chance_agreement(shares):
    return (shares.sum(axis=-1) * shares.sum(axis=-2)).sum(axis=-1)


def right(shares):
    return np.trace(shares, axis1=-2, axis2=-1)


def unlike(margin):
    return 1 - (margin * margin).sum(axis=-1)


FORMULAS = {
    "kappa": lambda shares: 1 - (1 - right(shares)) / (1 - chance_agreement(shares)),
    "mcc": lambda shares: (
        (right(shares) - chance_agreement(shares)) / np.sqrt(unlike(shares.sum(axis=-1)) * unlike(shares.sum(axis=-2)))
    ),
    "f1": lambda shares: 2 * shares[..., 1, 1] / (shares[..., 1, :].sum(axis=-1) + shares[..., :, 1].sum(axis=-1)),
}


@pytest.mark.parametrize("counts", [TWO, THREE, np.stack([THREE, THREE.T * 1e6])], ids=["two", "three", "many"])
@pytest.mark.parametrize("name", FORMULAS)
def test_complex_steps_give_the_slopes_that_are_written_by_hand(name, counts):
    labels, positive = range(counts.shape[-1]), 1 if name == "f1" else None
    written = get_metric(name).of_labels(labels, positive=positive)
    stepped = Metric(name=name, needs="counts", rule=lambda *_: Smooth(FORMULAS[name])).of_labels(labels)
    assert_allclose(stepped.of(counts), written.of(counts), rtol=1e-13)
    assert_allclose(stepped.slopes(counts), written.slopes(counts), rtol=1e-11, atol=1e-13)


def test_complex_steps_have_no_slope_where_nothing_is_defined():
    rule = Smooth(FORMULAS["mcc"])
    assert not rule.slopes(np.array([[6.0, 0], [3, 0]])).any()


# --- A new metric is one entry ---


@pytest.fixture
def fowlkes_mallows(monkeypatch):
    """Return the geometric mean of precision and recall (Fowlkes and Mallows 1983), known while the test runs."""

    def value(shares):
        return shares[..., 1, 1] / np.sqrt(shares[..., 1, :].sum(axis=-1) * shares[..., :, 1].sum(axis=-1))

    metric = Metric(
        name="fowlkes-mallows",
        title="Fowlkes-Mallows index",
        needs="counts",
        bounds=(0.0, 1.0),
        ideal=1.0,
        rule=lambda *_: Smooth(value),
    )
    monkeypatch.setitem(METRICS, metric.name, metric)
    return metric


@pytest.mark.usefixtures("fowlkes_mallows")
def test_a_new_metric_is_one_entry():
    """Estimates, comparisons and races then accept it."""
    expected = np.sqrt(35 / 45 * 35 / 40)
    answer = ta.estimate(SPAM, metric="Fowlkes_Mallows")
    assert_allclose(answer.estimate, expected)
    assert answer.interval.low < expected < answer.interval.high
    assert str(answer).startswith("Fowlkes-Mallows index 0.825 (95% CI ")
    two = ta.compare(BOTH, metric="fowlkes-mallows")
    old, new = (ta.estimate(side, metric="fowlkes-mallows").estimate for side in (BOTH.confusion_a, BOTH.confusion_b))
    assert_allclose(two.difference, new - old)  # which is loss(A) − loss(B)
    assert two.method == "paired-delta"
    assert direction_of("fowlkes_mallows") is True
    truth, predicted = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 1, 0])
    loss = as_test_set_loss("fowlkes-mallows", ("ham", "spam")).whole(Answers(truth, predicted, None, ("ham", "spam")))
    assert_allclose(loss, 1 - np.sqrt(precision_score(truth, predicted) * recall_score(truth, predicted)))


def test_a_metric_is_unknown_unless_registered():
    with pytest.raises(InvalidOption, match="unknown `metric` 'fowlkes-mallows'"):
        get_metric("fowlkes-mallows")


@pytest.mark.parametrize("needs", [None, "counts"])
def test_an_unknown_metric_is_answered_with_metrics_that_exist(needs):
    message = unknown_metric("zzz", needs=needs)
    first, *usual = re.findall(r"'([^']*)'", message)
    assert first == "zzz"
    assert len(usual) == 6
    assert all(is_counted(name) or (is_scored(name) and needs is None) for name in usual)
    assert (Path(__file__).parent.parent / "docs/reference/command-line.md").exists()
    assert message.endswith("or another of docs/reference/command-line.md.")


# --- Losses and directions ---


@pytest.mark.parametrize("name", METRICS)
def test_a_loss_turns_back_into_its_value_and_is_better_when_smaller(name):
    metric = METRICS[name]
    values = np.array([0.125, 0.5])
    assert_allclose(metric.from_loss(metric.loss(values)), values)
    worse, better = metric.loss(values) if metric.higher_is_better else metric.loss(values[::-1])
    assert better < worse
    assert metric.loss_bounds[0] <= better < worse <= metric.loss_bounds[1]


def test_the_loss_of_a_share_counts_from_1_and_that_of_a_correlation_from_0():
    assert [get_metric(name).loss(0.25) for name in ("f1", "mcc", "error", "log-loss")] == [0.75, -0.25, 0.25, 0.25]
    assert get_metric("mcc").difference_bounds == (-2.0, 2.0)


@pytest.mark.parametrize("name", get_scorer_names())
def test_the_names_of_scikit_learns_scorers_have_the_direction_that_scikit_learn_gives_them(name):
    metric = find_metric(name)
    if metric is None:
        assert name.removeprefix("neg_") not in METRICS
        return
    scorer = get_scorer(name)
    assert metric.higher_is_better == (scorer._sign > 0)  # nothing public says it
    assert canonical_name(metric) == metric.name == find_metric(metric.name).name


def test_f_of_any_beta_is_known():
    truth, predicted = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 1, 0])
    matrix = ta.ConfusionMatrix.from_predictions(truth, predicted)
    assert_allclose(ta.estimate(matrix, metric="f1").estimate, f1_score(truth, predicted))
    assert [find_metric(name).name for name in ("f_beta0.5", "F3", "f2_score")] == ["f0.5", "f3", "f2"]
