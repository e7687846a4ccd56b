"""Losses from kept predictions, against scikit-learn's metrics on the same."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics as skl

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.running.metrics import Answers, as_metric


def answers(classes, seed=0, examples=200):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, examples)
    scores = rng.normal(size=(examples, classes)) + 1.5 * np.eye(classes)[truth]
    chances = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    names = tuple("abcdef"[:classes])
    return Answers(truth, chances.argmax(axis=1), chances, names)


def score(scorer, said, **options):
    return scorer(said.truth, said.predictions, **options)


BINARY = [
    ("error", lambda a: score(skl.zero_one_loss, a)),
    ("accuracy", lambda a: 1 - score(skl.accuracy_score, a)),
    ("log_loss", lambda a: skl.log_loss(a.truth, a.probabilities)),
    ("brier", lambda a: skl.brier_score_loss(a.truth, a.probabilities[:, 1])),
    ("f1", lambda a: 1 - score(skl.f1_score, a)),
    ("precision", lambda a: 1 - score(skl.precision_score, a)),
    ("recall", lambda a: 1 - score(skl.recall_score, a)),
    ("jaccard", lambda a: 1 - score(skl.jaccard_score, a)),
    ("roc_auc", lambda a: 1 - skl.roc_auc_score(a.truth, a.probabilities[:, 1])),
    ("roc_auc_ovr", lambda a: 1 - skl.roc_auc_score(a.truth, a.probabilities[:, 1])),
    ("average_precision", lambda a: 1 - skl.average_precision_score(a.truth, a.probabilities[:, 1])),
]
ANY = [
    ("error", lambda a: score(skl.zero_one_loss, a)),
    ("log_loss", lambda a: skl.log_loss(a.truth, a.probabilities)),
    ("f1_macro", lambda a: 1 - score(skl.f1_score, a, average="macro")),
    ("precision_weighted", lambda a: 1 - score(skl.precision_score, a, average="weighted")),
    ("recall_micro", lambda a: 1 - score(skl.recall_score, a, average="micro")),
    ("balanced_accuracy", lambda a: 1 - score(skl.balanced_accuracy_score, a)),
    ("mcc", lambda a: -score(skl.matthews_corrcoef, a)),
    ("cohen_kappa", lambda a: -score(skl.cohen_kappa_score, a)),
]
MANY = [
    ("brier", lambda a: np.mean(((a.probabilities - np.eye(4)[a.truth]) ** 2).sum(axis=1))),  # Brier 1950
    ("roc_auc_ovr", lambda a: 1 - skl.roc_auc_score(a.truth, a.probabilities, multi_class="ovr")),
    ("roc_auc_ovo", lambda a: 1 - skl.roc_auc_score(a.truth, a.probabilities, multi_class="ovo")),
]


@pytest.mark.parametrize(
    ("name", "expected", "classes"),
    [(*each, 2) for each in BINARY] + [(*each, k) for each in ANY for k in (2, 4)] + [(*each, 4) for each in MANY],
)
def test_losses_are_scikit_learns_scores(name, expected, classes):
    for seed in range(3):
        said = answers(classes, seed)
        assert_allclose(as_metric(name).whole(said), expected(said), rtol=1e-12)


@pytest.mark.parametrize("name", ["error", "log_loss", "brier"])
@pytest.mark.parametrize("classes", [2, 3])
def test_means_over_examples_are_means(name, classes):
    said, metric = answers(classes), as_metric(name)
    assert_allclose(metric.per_example(said).mean(), metric.whole(said))
    if name != "error":  # by hand, example by example
        each = [
            -np.log(p[t]) if name == "log_loss" else ((p - np.eye(classes)[t]) ** 2).sum() / (2 if classes == 2 else 1)
            for t, p in zip(said.truth, said.probabilities, strict=True)
        ]
        assert_allclose(metric.per_example(said), each)


def test_a_label_that_is_none_of_the_classes_is_wrong():
    said = Answers(np.array([0, 1, 1, 0]), np.array([0, -1, 1, -1]), None, ("n", "y"))
    assert as_metric("error").whole(said) == 0.5
    assert_allclose(as_metric("recall").whole(said), 0.5)
    assert_allclose(as_metric("balanced_accuracy").whole(said), 0.5)
    assert_allclose(as_metric("mcc").whole(said), -skl.matthews_corrcoef(said.truth, said.predictions))
    with pytest.raises(InvalidEvidence, match="a label that y does not have"):
        as_metric(skl.accuracy_score, greater_is_better=True).whole(said)


@pytest.mark.parametrize("name", ["mcc", "cohen_kappa", "f1", "precision", "recall", "balanced_accuracy", "error"])
def test_one_class_alone_gives_a_number_and_no_warning(name):
    said = Answers(np.zeros(5, dtype=int), np.zeros(5, dtype=int), None, ("n", "y"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(as_metric(name).whole(said))


def test_a_probability_of_nothing_is_no_infinity():
    said = Answers(np.array([0, 1]), np.array([0, 0]), np.array([[1.0, 0.0], [1.0, 0.0]]), ("n", "y"))
    assert_allclose(as_metric("log_loss").whole(said), skl.log_loss(said.truth, said.probabilities))


def test_names_tell_what_the_loss_is():
    names = ["accuracy", "neg_log_loss", "neg_brier_score", "f1", "f1_macro", "matthews_corrcoef", "roc_auc"]
    expected = ["error", "log_loss", "brier", "1 - f1", "1 - f1_macro", "-mcc", "1 - roc_auc"]
    assert [as_metric(name).name for name in names] == expected


def test_a_function_sees_the_labels_themselves():
    said = answers(2)
    metric = as_metric(lambda y, p: skl.f1_score(y, p, pos_label="b"), greater_is_better=True)
    assert_allclose(metric.whole(said), -skl.f1_score(said.truth, said.predictions))
    assert as_metric(skl.hamming_loss, greater_is_better=False).name == "hamming_loss"
    assert as_metric(skl.f1_score, greater_is_better=True).name == "-f1_score"


@pytest.mark.parametrize(
    ("metric", "options", "words"),
    [
        ("f2", {}, "metric must be one of"),
        ("roc_acu", {}, "Did you mean 'roc_auc'?"),
        (3, {}, "metric must be one of"),
        ("error", {"greater_is_better": False}, "Leave it out"),
        (skl.f1_score, {}, "greater_is_better must be told for f1_score"),
    ],
)
def test_unknown_metrics_are_told(metric, options, words):
    with pytest.raises(InvalidOption) as told:
        as_metric(metric, **options)
    assert words in str(told.value)


def test_what_a_metric_cannot_do_is_told():
    for name, instead in (("f1", "f1_macro"), ("roc_auc", "roc_auc_ovr"), ("average_precision", "roc_auc_ovr")):
        with pytest.raises(InvalidOption, match=instead):
            as_metric(name).whole(answers(3))
    lone = Answers(np.zeros(3, dtype=int), np.zeros(3, dtype=int), np.full((3, 2), 0.5), ("n", "y"))
    with pytest.raises(InvalidEvidence, match="lacks a class"):
        as_metric("roc_auc").whole(lone)
    with pytest.raises(InvalidEvidence, match="gives none"):
        as_metric("log_loss").whole(Answers(np.array([0]), np.array([0]), None, ("n", "y")))
    with pytest.raises(InvalidOption, match="no mean over examples"):
        as_metric("f1").per_example(lone)
