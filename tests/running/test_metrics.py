"""Losses from stored predictions, against the metrics of scikit-learn."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics as skl

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.running.metrics import KNOWN, Answers, as_test_set_loss


def answers(classes, seed=0, examples=200):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, examples)
    scores = rng.normal(size=(examples, classes)) + 1.5 * np.eye(classes)[truth]
    chances = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    names = tuple("abcdef"[:classes])
    return Answers(truth, chances.argmax(axis=1), chances, names)


def loss(name, message, **text):
    return as_test_set_loss(name, message.classes, **text).whole(message)


def score(scorer, message, **options):
    return scorer(message.truth, message.predictions, **options)


BINARY = [
    ("error", lambda a: score(skl.zero_one_loss, a)),
    ("accuracy", lambda a: 1 - score(skl.accuracy_score, a)),
    ("log_loss", lambda a: skl.log_loss(a.truth, a.probabilities)),
    ("brier", lambda a: skl.brier_score_loss(a.truth, a.probabilities[:, 1])),
    ("f1", lambda a: 1 - score(skl.f1_score, a)),
    ("f0.5", lambda a: 1 - score(skl.fbeta_score, a, beta=0.5)),
    ("precision", lambda a: 1 - score(skl.precision_score, a)),
    ("recall", lambda a: 1 - score(skl.recall_score, a)),
    ("specificity", lambda a: 1 - score(skl.recall_score, a, pos_label=0)),
    ("false_positive_rate", lambda a: 1 - score(skl.recall_score, a, pos_label=0)),
    ("negative-predictive-value", lambda a: 1 - score(skl.precision_score, a, pos_label=0)),
    ("jaccard", lambda a: 1 - score(skl.jaccard_score, a)),
    ("auc", lambda a: 1 - skl.roc_auc_score(a.truth, a.probabilities[:, 1])),
    ("roc_auc_ovr", lambda a: 1 - skl.roc_auc_score(a.truth, a.probabilities[:, 1])),
    ("roc_auc_ovo", lambda a: 1 - skl.roc_auc_score(a.truth, a.probabilities[:, 1])),
    ("average_precision", lambda a: 1 - skl.average_precision_score(a.truth, a.probabilities[:, 1])),
]
ANY = [
    ("error", lambda a: score(skl.zero_one_loss, a)),
    ("log-loss", lambda a: skl.log_loss(a.truth, a.probabilities)),
    ("f1_macro", lambda a: 1 - score(skl.f1_score, a, average="macro")),
    ("f2-weighted", lambda a: 1 - score(skl.fbeta_score, a, beta=2, average="weighted")),
    ("jaccard-micro", lambda a: 1 - score(skl.jaccard_score, a, average="micro")),
    ("precision_weighted", lambda a: 1 - score(skl.precision_score, a, average="weighted")),
    ("recall_micro", lambda a: 1 - score(skl.recall_score, a, average="micro")),
    ("balanced_accuracy", lambda a: 1 - score(skl.balanced_accuracy_score, a)),
    ("informedness", lambda a: -score(skl.balanced_accuracy_score, a, adjusted=True)),
    ("mcc", lambda a: -score(skl.matthews_corrcoef, a)),
    ("cohen_kappa", lambda a: -score(skl.cohen_kappa_score, a)),
]
MANY = [
    ("brier", lambda a: np.mean(((a.probabilities - np.eye(4)[a.truth]) ** 2).sum(axis=1))),  # Brier 1950
    ("auc", lambda a: 1 - skl.roc_auc_score(a.truth, a.probabilities, multi_class="ovr")),
    ("auc-ovo", lambda a: 1 - skl.roc_auc_score(a.truth, a.probabilities, multi_class="ovo")),
    ("average-precision", lambda a: 1 - skl.average_precision_score(np.eye(4)[a.truth], a.probabilities)),
]


@pytest.mark.parametrize(
    ("name", "expected", "classes"),
    [(*each, 2) for each in BINARY] + [(*each, k) for each in ANY for k in (2, 4)] + [(*each, 4) for each in MANY],
)
def test_losses_equal_the_scores_of_scikit_learn(name, expected, classes):
    message = answers(classes, seed=classes)
    assert_allclose(loss(name, message), expected(message), rtol=1e-12)


@pytest.mark.parametrize("metric", ["f1", "recall", "precision", "jaccard"])
def test_one_class_of_several_against_the_rest(metric):
    message = answers(4)
    scorer = getattr(skl, f"{metric}_score")
    expected = scorer(message.truth == 2, message.predictions == 2)
    assert_allclose(loss(metric, message, positive="c"), 1 - expected, rtol=1e-12)
    assert as_test_set_loss(metric, message.classes, positive="c").metric.title.endswith(" (c)")


def test_scores_of_one_class_against_the_rest():
    message = answers(4)
    one, chance = message.truth == 1, message.probabilities[:, 1]
    expected = {"auc": 1 - skl.roc_auc_score(one, chance), "log-loss": skl.log_loss(one, chance)}
    for name, value in expected.items():
        test_loss = as_test_set_loss(name, message.classes, positive="b")
        assert_allclose(test_loss.whole(message), value, rtol=1e-12)
        assert test_loss.metric.title.endswith(" (b)")
    assert_allclose(
        as_test_set_loss("brier", message.classes, positive="b").per_example(message), (one - chance) ** 2, rtol=1e-12
    )


def test_costs_are_summed_over_examples():
    message = answers(3)
    table = np.array([[0.0, 1.0, 5.0], [2.0, 0.0, 1.0], [-1.0, 4.0, 0.5]])
    test_loss = as_test_set_loss("cost", message.classes, costs=table)
    corrected = [table[label, guess] for label, guess in zip(message.truth, message.predictions, strict=True)]
    assert_allclose(test_loss.per_example(message), corrected)
    assert_allclose(test_loss.whole(message), np.mean(corrected))
    assert (test_loss.metric.name, test_loss.metric.bounds) == ("cost", (-1.0, 5.0))
    named = {("a", "b"): 1, ("a", "c"): 5, ("b", "a"): 2, ("b", "c"): 1, ("c", "a"): -1, ("c", "b"): 4, ("c", "c"): 0.5}
    assert_allclose(loss("cost", message, costs=named), np.mean(corrected))


@pytest.mark.parametrize("name", ["error", "log_loss", "brier"])
@pytest.mark.parametrize("classes", [2, 3])
def test_means_over_examples_are_means(name, classes):
    message = answers(classes)
    test_loss = as_test_set_loss(name, message.classes)
    assert_allclose(test_loss.per_example(message).mean(), test_loss.whole(message))
    if name != "error":  # by hand, example by example
        each = [
            -np.log(p[t]) if name == "log_loss" else ((p - np.eye(classes)[t]) ** 2).sum() / (2 if classes == 2 else 1)
            for t, p in zip(message.truth, message.probabilities, strict=True)
        ]
        assert_allclose(test_loss.per_example(message), each)


def test_a_label_outside_the_classes_is_wrong():
    message = Answers(np.array([0, 1, 1, 0]), np.array([0, -1, 1, -1]), None, ("n", "y"))
    assert loss("error", message) == 0.5
    assert_allclose(loss("recall", message), 0.5)
    assert_allclose(loss("precision", message), 0.0)
    for name in ("specificity", "false-positive-rate"):  # neither negative is taken for positive
        assert_allclose(loss(name, message), 0.0)
    assert_allclose(loss("balanced-accuracy", message), 0.5)
    assert_allclose(loss("informedness", message), 0.0)
    assert_allclose(loss("mcc", message), -skl.matthews_corrcoef(message.truth, message.predictions))
    three = score(skl.f1_score, message, average="macro", zero_division=0)
    assert_allclose(loss("f1-macro", message), 1 - three)
    with pytest.raises(InvalidEvidence, match="labels of `y`, got another"):
        as_test_set_loss(skl.accuracy_score, message.classes, higher_is_better=True).whole(message)
    with pytest.raises(InvalidEvidence, match="must cover all predictions"):
        loss("cost", message, costs=[[0, 1], [1, 0]])


@pytest.mark.parametrize(
    ("name", "instead"),
    [("mcc", 0), ("kappa", 0), ("f1", 1), ("precision", 1), ("recall", 1), ("jaccard", 1)],
)
def test_an_undefined_metric_is_reported_with_its_replacement(name, instead):
    """The replacement is a score of 0, as with zero_division=0 in scikit-learn."""
    message = Answers(np.zeros(5, dtype=int), np.zeros(5, dtype=int), None, ("n", "y"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(loss(name, message))
        assert as_test_set_loss(name, message.classes).instead == instead
        assert loss("balanced-accuracy", message) == loss("error", message) == 0
    other = Answers(np.ones(5, dtype=int), np.zeros(5, dtype=int), None, ("n", "y"))
    assert np.isnan(loss("specificity", other))
    assert np.isnan(loss("false-positive-rate", other))
    assert (
        as_test_set_loss("specificity", ("n", "y")).instead
        == as_test_set_loss("false-positive-rate", ("n", "y")).instead
        == 1
    )


def test_a_probability_of_zero_gives_a_finite_log_loss():
    message = Answers(np.array([0, 1]), np.array([0, 0]), np.array([[1.0, 0.0], [1.0, 0.0]]), ("n", "y"))
    assert_allclose(loss("log_loss", message), skl.log_loss(message.truth, message.probabilities))


def test_a_loss_knows_its_metric():
    names = ["accuracy", "neg_log_loss", "neg_brier_score", "f1", "f1-macro", "matthews_corrcoef", "roc_auc", "fpr"]
    expected = ["error", "log-loss", "brier", "f1", "f1-macro", "mcc", "auc", "false-positive-rate"]
    assert [as_test_set_loss(name, (0, 1)).metric.name for name in names] == expected
    assert as_test_set_loss("recall", (0, 1), positive=0).metric.title == "recall (0)"


def test_every_known_name_is_a_metric_with_its_range():
    message = answers(2)
    for name in KNOWN:
        test_loss = as_test_set_loss(name, message.classes, costs=[[0, 1], [5, 0]] if name == "cost" else None)
        low, high = test_loss.metric.loss_bounds
        assert low <= test_loss.whole(message) <= high


def test_a_function_gets_the_original_labels():
    message = answers(2)
    test_loss = as_test_set_loss(lambda y, p: skl.f1_score(y, p, pos_label="b"), message.classes, higher_is_better=True)
    assert_allclose(test_loss.whole(message), -skl.f1_score(message.truth, message.predictions))
    assert as_test_set_loss(skl.hamming_loss, message.classes, higher_is_better=False).metric.name == "hamming_loss"
    assert as_test_set_loss(skl.f1_score, message.classes, higher_is_better=True).metric.name == "f1_score"


@pytest.mark.parametrize(
    ("metric", "text", "words"),
    [
        ("f1x", {}, "unknown `metric` 'f1x'. Did you mean 'f1'?"),
        ("roc_acu", {}, "Did you mean 'roc-auc'?"),
        (3, {}, "`metric` must be a name, got 3."),
        ("error", {"higher_is_better": False}, "Leave it out"),
        (skl.f1_score, {}, "`higher_is_better` must be True or False for f1_score"),
        (skl.f1_score, {"higher_is_better": True, "positive": "b"}, "Set them in the function"),
        ("f1", {"positive": "z"}, "`positive` must be one of 'a', 'b', got 'z'."),
        ("auc", {"positive": "z"}, "`positive` must be one of 'a', 'b', got 'z'."),
        ("mcc", {"positive": "b"}, "`positive` needs a metric of one class, got metric='mcc'"),
        ("f1", {"costs": [[0, 1], [1, 0]]}, "`costs` need metric='cost', got metric='f1'."),
        ("auc", {"costs": [[0, 1], [1, 0]]}, "`costs` need metric='cost'"),
        ("cost", {}, "`costs` are required with metric='cost'."),
        ("label-balance", {}, "must rank learners"),
    ],
)
def test_invalid_metrics_are_refused(metric, text, words):
    with pytest.raises(InvalidOption) as error:
        as_test_set_loss(metric, ("a", "b"), **text)
    assert words in str(error.value)


def test_a_metric_that_does_not_apply_is_refused():
    with pytest.raises(InvalidOption, match="`positive` is required by f1 with 3 classes"):
        as_test_set_loss("f1", ("a", "b", "c"))
    single = Answers(np.zeros(3, dtype=int), np.zeros(3, dtype=int), np.full((3, 2), 0.5), ("n", "y"))
    for name in ("auc", "auc-ovo", "average-precision"):
        with pytest.raises(InvalidEvidence, match="'y' is missing in one"):
            loss(name, single)
    with pytest.raises(InvalidEvidence, match="has none"):
        loss("log_loss", Answers(np.array([0]), np.array([0]), None, ("n", "y")))
    with pytest.raises(InvalidOption, match="must be a mean over examples"):
        as_test_set_loss("f1", single.classes).per_example(single)
