"""LabelPatterns: every row that occurs and its count, and all that follows from them."""

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tellapart as ta
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.rendering import plain

rows = st.lists(st.tuples(*[st.sampled_from("abc")] * 4), min_size=1, max_size=40)
laws = settings(derandomize=True, deadline=None, max_examples=12)
NAMES = ("x", "y", "z")


def count_rows(examples, labels="abc"):
    truth, *each = zip(*examples, strict=True)
    return ta.LabelPatterns.from_predictions(truth, dict(zip(NAMES, each, strict=True)), labels=list(labels))


@given(rows)
@laws
def test_every_row_that_occurs_is_counted_once(examples):
    patterns = count_rows(examples)
    values = {
        tuple("abc"[index] for index in row): int(n) for row, n in zip(patterns.patterns, patterns.counts, strict=True)
    }
    assert values == Counter(examples)
    assert patterns.examples == len(examples)
    assert ta.LabelPatterns.from_rows(NAMES, values, "abc").patterns.tolist() == patterns.patterns.tolist()


@given(rows)
@laws
def test_its_parts_are_those_of_the_vectors(examples):
    """Matrices, pairs and patterns of errors are what their own constructors count from the same vectors."""
    patterns, (truth, *each) = count_rows(examples), zip(*examples, strict=True)
    vectors = dict(zip(NAMES, each, strict=True))
    assert patterns.pair_names() == (("x", "y"), ("x", "z"), ("y", "z"))
    for index, name in enumerate(NAMES):
        alone = ta.ConfusionMatrix.from_predictions(truth, vectors[name], labels=list("abc")).counts
        assert (patterns.confusion(name).counts == alone).all()
        assert (patterns.confusions[index].counts == alone).all()
    for index, (a, b) in enumerate(patterns.pair_names()):
        both = ta.PairedConfusion.from_predictions(truth, vectors[a], vectors[b], labels=list("abc")).counts
        assert (patterns.pair(a, b).counts == both).all()
        assert (patterns.pairs()[index].counts == both).all()
        assert (patterns.select(a, b).counts == both).all()
    errors = ta.ErrorPatterns.from_predictions(truth, vectors)
    assert (patterns.error_patterns().wrong.tolist(), patterns.error_patterns().counts.tolist()) == (
        errors.wrong.tolist(),
        errors.counts.tolist(),
    )


@given(rows, rows)
@laws
def test_disjoint_examples_add_up(here, there):
    pooled, whole = sum([count_rows(here), count_rows(there)]), count_rows([*here, *there])
    assert (pooled.patterns.tolist(), pooled.counts.tolist()) == (whole.patterns.tolist(), whole.counts.tolist())


def macro_f1(truth, made):
    hits = [np.sum((truth == label) & (made == label)) for label in range(4)]
    return np.mean([2 * hit / np.sum((truth == label) * 1 + (made == label)) for label, hit in enumerate(hits)])


def kappa(truth, made):
    chance = sum(np.mean(truth == label) * np.mean(made == label) for label in range(4))
    return (np.mean(truth == made) - chance) / (1 - chance)


@pytest.mark.parametrize(("metric", "defined"), [("f1-macro", macro_f1), ("kappa", kappa)])
def test_metrics_of_each_model_are_those_of_their_definitions(metric, defined):
    rng = np.random.default_rng(11)
    truth, predictions = rng.integers(0, 4, 300), rng.integers(0, 4, (3, 300))
    patterns = ta.LabelPatterns.from_predictions(truth, dict(zip(NAMES, predictions, strict=True))).by(metric)
    expected = [defined(truth, each) for each in predictions]
    np.testing.assert_allclose(patterns.levels, expected, rtol=1e-12)
    np.testing.assert_allclose(patterns.rank_by, -np.array(expected), rtol=1e-12)


def test_what_is_not_defined_of_one_model_is_nan_there_alone():
    patterns = ta.LabelPatterns.from_predictions([0, 1, 1], {"x": [0, 0, 0], "y": [0, 1, 1], "z": [1, 1, 1]})
    assert np.isnan(patterns.by("precision").levels).tolist() == [True, False, False]
    assert np.isnan(patterns.by("mcc").levels).tolist() == [True, False, True]


def test_a_metric_that_is_better_when_smaller_is_its_own_loss():
    patterns = ta.LabelPatterns.from_predictions([0, 0, 1], {"x": [0, 1, 1], "y": [1, 1, 1]}).by("fpr")
    assert (patterns.levels.tolist(), patterns.rank_by.tolist()) == ([0.5, 1.0], [0.5, 1.0])


def test_many_labels_and_models_do_not_run_over():
    """1000 labels and 12 models could make 10^39 patterns; at most as many occur as there are examples."""
    rng = np.random.default_rng(0)
    truth, predictions = rng.integers(0, 1000, 500), rng.integers(0, 1000, (12, 500))
    named = {f"m{index}": each for index, each in enumerate(predictions)}
    patterns = ta.LabelPatterns.from_predictions(truth, named, labels=range(1000))
    assert patterns.counts.tolist() == [1] * 500
    assert sorted(map(tuple, patterns.patterns.tolist())) == sorted(zip(truth, *predictions, strict=True))


def test_counts_may_have_dimensions_in_front():
    patterns, counts = [[0, 0, 0], [1, 1, 0], [1, 0, 1]], [[5, 3, 1], [2, 0, 4]]
    result = ta.LabelPatterns(["x", "y"], patterns, counts, ["no", "yes"]).by("recall")
    assert (result.shape, result[1].counts.tolist()) == ((2,), [2, 4, 0])  # in the order of the patterns
    assert result.levels.tolist() == [[0.75, 0.25], [0.0, 1.0]]
    assert result.pair("x", "y").difference.tolist() == [-0.5, 1.0]
    with pytest.raises(IndexError, match="this LabelPatterns is a single entry and cannot be indexed"):
        result[1][0]


def test_it_says_what_it_holds():
    patterns = ta.LabelPatterns.from_predictions(list("abab"), {"x": list("abab"), "y": list("aaab")}).by("f1")
    assert patterns.describe() == "4 examples of 2 labels"
    assert "F1 (b)" in patterns._repr_html_()
    values = json.loads(json.dumps(plain(patterns.as_dict())))
    assert (values["metric"], values["positive"], values["models"], values["means"][0]) == ("f1", "b", ["x", "y"], 1.0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: ta.LabelPatterns(["x"], [[0, 0]], [1]), "two names or more"),
        (
            lambda: ta.LabelPatterns(["x", "y"], [[0, 0]], [1]),
            "`patterns` must have a row of whole numbers for each pattern, the label and 2 predictions",
        ),
        (lambda: ta.LabelPatterns(["x", "y"], [[0, 0, 0.5]], [1]), "whole numbers"),
        (lambda: ta.LabelPatterns(["x", "y"], [[0, 0, 0]], [1, 2]), "an entry for each of 1 patterns"),
        (lambda: ta.LabelPatterns(["x", "y"], [[0, 0, 0]], [0]), "at least one example"),
        (
            lambda: ta.LabelPatterns(["x", "y"], [[0, 0, 2]], [1], ["a", "b"]),
            "`patterns` must hold numbers from 0 to 1",
        ),
        (
            lambda: ta.LabelPatterns(["x", "y"], [[0, 0, 0], [0, 0, 0]], [1, 1]),
            "`patterns` must hold every pattern once",
        ),
        (
            lambda: ta.LabelPatterns.from_rows(["x", "y"], {("a", "b", "c"): 1}, ["a", "b"]),
            "`labels` must include every label that occurs",
        ),
        (lambda: ta.LabelPatterns.from_predictions([0, 1], {"x": [0, 1], "y": [0]}), "same examples"),
        (lambda: count_rows([("a",) * 4]).pair("x", "x"), "two different models"),
        (lambda: count_rows([("a",) * 4]).confusion("w"), "one of 'x', 'y', 'z'"),
        (lambda: count_rows([("a",) * 4]).by("recall"), "`positive` is required by recall with 3 classes"),
        (
            lambda: count_rows([("a",) * 4]) + count_rows([("b",) * 4], "ab"),
            "`labels` must be the same in counts that are added",
        ),
        (
            lambda: count_rows([("a",) * 4]).by("mcc") + count_rows([("b",) * 4]),
            "`metric` must be the same in counts that are added",
        ),
    ],
)
def test_bad_input_is_refused_with_a_fix(wrong, message):
    with pytest.raises((InvalidEvidence, InvalidOption), match=message):
        wrong()


def test_counts_requested_other_costs_do_not_add_up():
    patterns = ta.LabelPatterns.from_predictions([0, 1], {"x": [0, 1], "y": [1, 1]})
    here, there = (patterns.by("cost", costs=[[0, 1], [cost, 0]]) for cost in (5, 6))
    assert (here + here).levels.tolist() == here.levels.tolist()
    with pytest.raises(InvalidEvidence, match="`costs` must be the same in counts that are added"):
        here + there
