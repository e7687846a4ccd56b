"""ClassScores: what it takes, what it refuses, and its metrics against scikit-learn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss, roc_auc_score

from tellapart import ClassScores, ConfusionMatrix, Outcomes
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.metrics import canonical_name, is_scored

RNG = np.random.default_rng(0)
TRUTH = np.array(["ham", "spam"])[np.arange(50) % 2]
A, B = RNG.beta(2, 2, size=(2, 50)).round(2)
HELD = ClassScores.from_scores(TRUTH, A, B)
ANIMALS = np.array(["cat", "dog", "owl"])[np.arange(60) % 3]
CHANCES = RNG.dirichlet([1, 1, 1], size=(2, 60))
SEVERAL = ClassScores.from_scores(ANIMALS, {"old": CHANCES[0], "new": CHANCES[1]})


@pytest.mark.parametrize(
    ("metric", "theirs"),
    [
        ("auc", roc_auc_score),
        ("average_precision", average_precision_score),
        ("log_loss", log_loss),
        ("brier", brier_score_loss),
    ],
)
def test_two_classes_are_scikit_learns(metric, theirs):
    expected = [theirs(TRUTH == "spam", row) for row in (A, B)]
    evidence = HELD.by(metric)
    assert_allclose(evidence.levels, expected, rtol=1e-13)
    better = expected[1] - expected[0] if evidence.metric.higher_is_better else expected[0] - expected[1]
    assert evidence.difference == pytest.approx(better, abs=1e-13)


def test_several_classes_are_scikit_learns():
    codes = np.arange(60) % 3
    assert_allclose(SEVERAL.levels, [roc_auc_score(codes, row, multi_class="ovr") for row in CHANCES], rtol=1e-13)
    each = [np.mean([average_precision_score(codes == k, row[:, k]) for k in range(3)]) for row in CHANCES]
    assert_allclose(SEVERAL.by("average-precision").levels, each, rtol=1e-13)
    assert_allclose(SEVERAL.by("log-loss").levels, [log_loss(codes, row) for row in CHANCES], rtol=1e-13)
    squares = [np.mean(((row - np.eye(3)[codes]) ** 2).sum(axis=1)) for row in CHANCES]
    assert_allclose(SEVERAL.by("brier").levels, squares, rtol=1e-13)
    owl = SEVERAL.by("auc", positive="owl")
    assert_allclose(owl.levels, [roc_auc_score(codes == 2, row[:, 2]) for row in CHANCES], rtol=1e-13)
    assert (owl.metric.title, SEVERAL.metric.title, owl.classes) == ("AUC (owl)", "macro AUC", ("not owl", "owl"))


def test_what_methods_read():
    assert (HELD.examples, HELD.positives, HELD.negatives, HELD.pair_names()) == (50, 25, 25, (("A", "B"),))
    assert (HELD.parameter, HELD.range, HELD.select("B").parameter) == ("difference", (-1, 1), "error")
    assert_allclose(HELD.rank_by, 1 - HELD.levels)
    assert HELD.swapped().difference == -HELD.difference
    assert SEVERAL.select("new").models == ("new",)
    assert HELD.metric.title == "AUC (spam)"
    loss = HELD.by("log-loss")
    assert (type(loss), loss.metric.name, loss.metric.higher_is_better) == (Outcomes, "log-loss", False)
    assert loss.metric.bounds[1] == pytest.approx(-np.log(np.finfo(float).eps))
    assert SEVERAL.by("brier").metric.bounds == (0, 2)
    assert SEVERAL.as_dict()["classes"] == {"cat": 20, "dog": 20, "owl": 20}
    assert repr(HELD) == "ClassScores(A, B: auc, 50 examples, 25 of them spam)"
    assert "macro AUC" in SEVERAL._repr_html_()


def test_the_positive_class_is_reported_by_value_or_text_and_turned_round():
    numbers = ClassScores.from_scores([0, 1, 1, 0], [0.2, 0.7, 0.4, 0.6], positive="1")
    assert numbers.classes == (0, 1)
    ham = HELD.by("average-precision", positive="ham")
    expected = [average_precision_score(TRUTH == "ham", 1 - row) for row in (A, B)]
    assert_allclose(ham.levels, expected, rtol=1e-13)
    assert_allclose(HELD.by("log-loss", positive="ham").levels, HELD.by("log-loss").levels, rtol=1e-13)
    logits = ClassScores.from_scores(TRUTH, np.log(A / (1 - A)))
    assert_allclose(logits.against_rest("ham").scores, -logits.scores)
    wide = ClassScores.from_scores(TRUTH, np.column_stack([1 - A, A]), positive="ham")
    assert_allclose(wide.scores[0], 1 - A)
    assert wide.classes == ("spam", "ham")


def test_a_probability_of_nothing_for_what_happened_counts_as_the_smallest_step():
    evidence = ClassScores.from_scores([0, 1, 1], [1.0, 1.0, 0.5]).by("log_loss")
    assert evidence.scores[0].tolist() == pytest.approx([-np.log(np.finfo(float).eps), 0, np.log(2)])


def test_many_entries_are_taken_out_one_by_one():
    many = ClassScores(np.arange(20) % 2, RNG.normal(size=(2, 3, 2, 20)), (0, 1))
    assert (many.shape, many[1].shape, many[1, 2].shape) == ((2, 3), (3,), ())
    assert_allclose(many[1, 2].levels, many.levels[1, 2])
    assert repr(many).startswith("ClassScores(shape=(2, 3)")
    with pytest.raises(IndexError, match="this ClassScores is a single entry and cannot be indexed"):
        HELD[0]


def test_names_are_those_of_scikit_learn_too():
    assert [canonical_name(name) for name in ("roc_auc", "neg_brier_score", "AP")] == [
        "auc",
        "brier",
        "average-precision",
    ]
    assert is_scored("Log_Loss")
    assert not is_scored("f1")


def scores_of(truth=(0, 1, 0, 1), a=(0.1, 0.2, 0.3, 0.4), *more, **options):
    return ClassScores.from_scores(truth, a, *more, **options)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: scores_of(a=[0.1, 0.2, np.nan, 0.4]), "`scores` must be finite"),
        (lambda: scores_of(a=[0.1, 0.2]), "the scores of A must be a number or a row for each of 4 examples"),
        (lambda: scores_of(a="x"), "scores of A must be numbers"),
        (lambda: scores_of([0, 0, 0, 0]), "`truth` must hold two classes or more"),
        (lambda: scores_of([0, 1, None, 1]), "`truth` must have no missing labels"),
        (lambda: scores_of([0, 1, 2, 1]), "`positive` is required for a single score with 3 classes, one of 0, 1, 2"),
        (lambda: scores_of(positive=7), "`positive` must be one of 0, 1"),
        (lambda: scores_of(a=np.ones((4, 3)) / 3), "the scores of A must have a column for each of 2 classes"),
        (lambda: scores_of(classes=[0, 2]), "`labels` must include every label that occurs"),
        (lambda: scores_of(metric="f1"), "`metric` must be one of 'auc', 'average-precision'"),
        (lambda: scores_of(a={}), "`a` must hold the scores of at least one model"),
        (
            lambda: scores_of((0, 1, 0, 1), {"x": [1, 2, 3, 4]}, [1, 2, 3, 4]),
            "`b` must be left out if `a` is a mapping from names to scores",
        ),
        (lambda: scores_of(models=["a", "b"]), "`models` must be 1 name, got"),
        (
            lambda: scores_of().by("aucc"),
            "`metric` of scores must be one of 'auc', 'average-precision', 'log-loss', 'brier'",
        ),
        (lambda: scores_of(a=[1, 2, 3, 4]).by("brier"), "scores for brier must be probabilities from 0 to 1"),
        (lambda: scores_of().select("C"), "`model` must be one of 'A'"),
        (lambda: scores_of().difference, "`difference` needs two models"),
        (
            lambda: scores_of(classes=[0, 1, 2], a=np.ones((4, 3)) / 3).levels,
            "auc needs examples of every class",
        ),
        (
            lambda: scores_of([0, 1, 2, 0], np.ones((4, 3))).by("log-loss"),
            "scores for log-loss must be probabilities that add up to 1 over the classes",
        ),
        (
            lambda: ClassScores(["a", "b"], [[0.1, 0.2]], ("a", "b"), ("A",)),
            "`labels` must be a vector of indices into `classes`",
        ),
        (lambda: ClassScores([0, 2], [[0.1, 0.2]], ("a", "b"), ("A",)), "`labels` must be from 0 to 1"),
        (lambda: ClassScores([0, 1], [[0.1, 0.2]], ("a", "a"), ("A",)), "two different labels or more"),
        (
            lambda: ClassScores([0, 1], [0.1, 0.2], ("a", "b"), ("A",)),
            r"`scores` must have models and examples as last dimensions, \(1, 2\)",
        ),
        (
            lambda: ClassScores(np.zeros(3, int), np.ones((3, 3)), (0, 1), ("A", "B", "C")).parameter,
            "one or two models",
        ),
    ],
)
def test_bad_input_is_refused_with_a_fix(call, message):
    with pytest.raises((InvalidEvidence, InvalidOption), match=message):
        call()


def test_a_class_without_examples_is_no_trouble_for_a_loss():
    evidence = scores_of(classes=[0, 1, 2], a=[[0.8, 0.1, 0.1]] * 4)
    assert evidence.by("log-loss").levels == pytest.approx([-np.log([0.8, 0.1]).mean()])
    assert evidence.by("auc", positive=1).levels == 0.5


def test_a_class_without_examples_can_be_shown_though_it_has_no_area():
    evidence = ClassScores.from_scores(["cat", "dog"] * 30, CHANCES[0], classes=["cat", "dog", "owl"])
    assert np.isnan(evidence.as_dict()["means"]).all()
    assert evidence.as_dict()["classes"] == {"cat": 30, "dog": 30, "owl": 0}
    assert "nan" in evidence._repr_html_()


@pytest.mark.parametrize(
    ("truth", "message"), [([0, 1], "1.0"), ([0.0, 1.0], "1"), ([False, True], "true"), (["No", "Yes"], "yes")]
)
def test_the_positive_class_is_reported_as_a_file_has_it(truth, message):
    assert ClassScores.from_scores(truth * 5, range(10), positive=message).classes == tuple(truth)
    labels = ConfusionMatrix.from_predictions(truth * 5, truth * 5)
    assert labels.by("recall", positive=message).metric.title == f"recall ({truth[1]})"


def test_what_was_certain_and_happened_costs_nothing():
    losses = ClassScores.from_scores([0, 1, 1], [0.0, 1.0, 0.5]).by("log-loss").values
    assert_allclose(losses, [0, 0, np.log(2)], atol=0, rtol=1e-15)
    assert not np.signbit(losses).any()
