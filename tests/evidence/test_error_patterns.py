"""ErrorPatterns: counted right from whatever is held, poolable, and every pair's table in it."""

import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from tellapart.errors import InvalidEvidence
from tellapart.evidence import ErrorPatterns, PairedTable
from tellapart.evidence.paired_table import CELLS

seldom = settings(derandomize=True, deadline=None, max_examples=12)
outcomes = st.integers(2, 5).flatmap(
    lambda models: st.lists(st.lists(st.booleans(), min_size=models, max_size=models), min_size=2, max_size=40)
)


def from_rows(right):
    return ErrorPatterns.from_correct(
        {f"m{index}": list(column) for index, column in enumerate(zip(*right, strict=True))}
    )


def same(here, there):
    assert here.models == there.models
    assert_array_equal(here.wrong, there.wrong)
    assert_array_equal(here.counts, there.counts)


# --- Counting ------------------------------------------------------------------------------------


@given(outcomes)
@seldom
def test_every_example_is_counted_once_under_its_pattern(right):
    patterns = from_rows(right)
    counted = {tuple(row): int(n) for row, n in zip(patterns.wrong.tolist(), patterns.counts, strict=True)}
    models = len(right[0])
    for pattern in product([False, True], repeat=models):
        assert counted.get(pattern, 0) == sum(tuple(not each for each in row) == pattern for row in right)
    assert patterns.examples == len(right)


@given(outcomes)
@seldom
def test_a_pair_is_the_table_of_the_two(right):
    patterns = from_rows(right)
    tables = patterns.pairs()
    assert tables.shape == (len(patterns.pair_names()),)
    for index, (a, b) in enumerate(patterns.pair_names()):
        columns = [[row[int(name[1:])] for row in right] for name in (a, b)]
        expected = PairedTable.from_correct(*columns)
        for cell in CELLS:
            assert getattr(patterns.pair(a, b), cell) == getattr(expected, cell) == getattr(tables, cell)[index]
        assert patterns.pair(a, b).models == (a, b)
        assert patterns.pair(b, a).only_a_wrong == expected.only_b_wrong


@given(outcomes)
@seldom
def test_errors_and_rates_are_those_of_each_model(right):
    patterns = from_rows(right)
    wrong = ~np.array(right)
    assert_array_equal(patterns.error_counts.errors, wrong.sum(axis=0))
    assert_array_equal(patterns.rates, wrong.mean(axis=0))


def test_labels_of_any_type():
    truth = np.array(["cat", "dog", "dog", "eel"])
    same(
        ErrorPatterns.from_predictions(truth, {"a": ["cat", "dog", "cat", "eel"], "b": ["dog", "dog", "dog", "dog"]}),
        ErrorPatterns.from_predictions([0, 1, 1, 2], {"a": [0, 1, 0, 2], "b": [1, 1, 1, 1]}),
    )


def test_long_vectors_are_counted_chunk_by_chunk():
    """150 000 examples go through in three chunks; NumPy counts them all at once."""
    rng = np.random.default_rng(6)
    truth = rng.integers(0, 3, 150_000)
    predictions = {name: np.where(rng.random(truth.size) < 0.1, 3, truth) for name in "abc"}
    patterns = ErrorPatterns.from_predictions(truth, predictions)
    wrong = np.stack([predictions[name] != truth for name in "abc"], axis=1)
    rows, counts = np.unique(wrong, axis=0, return_counts=True)
    same(patterns, ErrorPatterns(["a", "b", "c"], rows, counts))


def test_the_order_of_patterns_is_of_no_importance():
    wrong = [[False, True], [True, True], [False, False]]
    same(ErrorPatterns(["a", "b"], wrong, [1, 2, 3]), ErrorPatterns(["a", "b"], wrong[::-1], [3, 2, 1]))


def test_as_many_models_as_an_integer_has_bits():
    names = [f"m{index}" for index in range(62)]
    patterns = ErrorPatterns(names, np.eye(62, dtype=bool), np.arange(1, 63))
    assert_array_equal(patterns.error_counts.errors, np.arange(1, 63))
    assert len(patterns.pair_names()) == 62 * 61 // 2
    assert patterns.pair("m0", "m61").only_b_wrong == 62


# --- Pooling and many tables ---------------------------------------------------------------------


@given(outcomes, st.integers(1, 39))
@seldom
def test_shards_add_up_to_the_whole(right, cut):
    cut = min(cut, len(right) - 1)
    one, two, whole = from_rows(right[:cut]), from_rows(right[cut:]), from_rows(right)
    same(one + two, whole)
    same(sum([two, one]), whole)


def test_only_the_same_models_add_up():
    one, two = ErrorPatterns.from_codes(["a", "b"], {0: 1}), ErrorPatterns.from_codes(["b", "a"], {0: 1})
    with pytest.raises(InvalidEvidence, match="`models` must be the same in counts that are added"):
        _ = one + two
    with pytest.raises(TypeError):
        _ = one + 1
    with pytest.raises(TypeError):
        _ = 1 + one


def test_many_tables_at_once():
    many = ErrorPatterns.from_codes(["a", "b"], {0: [90, 80], 1: [6, 0], 3: [4, 20]})
    assert many.shape == (2,)
    assert_array_equal(many.examples, [100, 100])
    assert_array_equal(many.error_counts.errors, [[10, 4], [20, 20]])
    assert many.pairs().shape == (2, 1)
    assert many[1].shape == ()
    assert many[1].pair("a", "b").both_wrong == 20
    assert [each.examples for each in many] == [100, 100]
    assert_array_equal((many + many).counts, 2 * many.counts)
    with pytest.raises(IndexError, match="this ErrorPatterns is a single entry and cannot be indexed"):
        _ = many[0][0]


# --- Refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("models", "wrong", "counts", "message"),
    [
        (["a"], [[True]], [1], "`models` must be 2 to 62 different names, got '"),
        (["a", "a"], [[True, False]], [1], "`models` must be 2 to 62 different names, got '"),
        (
            [f"m{k}" for k in range(63)],
            np.eye(63, dtype=bool),
            np.ones(63),
            "`models` must be 2 to 62 different names, got '",
        ),
        ("ab", [[True, False]], [1], "`models` must be a list of names, got 'ab'."),
        ([1, 2], [[True, False]], [1], "`models` must be a list of names, got [1, 2]."),
        (
            ["a", "b"],
            [[True]],
            [1],
            "`wrong` must have a row for each pattern and a column for each of 2 models, got shape (1, 1).",
        ),
        (
            ["a", "b"],
            [True, False],
            [1],
            "`wrong` must have a row for each pattern and a column for each of 2 models, got shape (2,).",
        ),
        (["a", "b"], [[True, False]], [1, 2], "`counts` must have an entry for each of 1 patterns, got shape (2,)."),
        (["a", "b"], [[True, False]], 1, "an entry for each of 1 patterns"),
        (
            ["a", "b"],
            [[True, False], [True, False]],
            [1, 2],
            "`wrong` must hold every pattern once, got one twice. Add up their counts.",
        ),
        (["a", "b"], [[True, False]], [0], "at least one example"),
        (["a", "b"], [[True, False], [True, True]], [[1, 2], [0, 0]], "at least one example"),
        (
            ["a", "b"],
            [[True, False]],
            [0.5],
            "`counts` must be whole numbers of 0 or more, got 0.5.",
        ),
        (["a", "b"], [[True, False]], [-1], "`counts` must be whole numbers of 0 or more, got -1. Check its sign."),
    ],
)
def test_what_cannot_be_is_refused(models, wrong, counts, message):
    with pytest.raises(InvalidEvidence) as caught:
        ErrorPatterns(models, wrong, counts)
    assert message in str(caught.value)


def test_vectors_of_unequal_length_are_refused_with_both_lengths():
    with pytest.raises(InvalidEvidence, match="'a' and 'b' must have outcomes of the same examples"):
        ErrorPatterns.from_correct({"a": [1, 0], "b": [1, 0, 1]})
    with pytest.raises(InvalidEvidence, match=r"predictions\['b'\]"):
        ErrorPatterns.from_predictions([0, 1], {"a": [0, 1], "b": [0, 1, 1]})


def test_missing_predictions_are_refused():
    with pytest.raises(InvalidEvidence, match="missing"):
        ErrorPatterns.from_predictions([0.0, 1.0], {"a": [0.0, np.nan], "b": [0.0, 1.0]})
    with pytest.raises(InvalidEvidence):
        ErrorPatterns.from_correct({"a": [1.0, np.nan], "b": [1.0, 0.0]})


def test_an_unknown_model_is_reported_who_there_is():
    patterns = ErrorPatterns.from_codes(["a", "b"], {0: 1})
    with pytest.raises(InvalidEvidence, match="`model` must be one of 'a', 'b'"):
        patterns.pair("a", "c")
    with pytest.raises(InvalidEvidence, match="`a` and `b` must be two different models"):
        patterns.pair("a", "a")


def test_nobody_changes_it_behind_our_back():
    wrong, counts = np.array([[True, False]]), np.array([3])
    patterns = ErrorPatterns(["a", "b"], wrong, counts)
    wrong[:], counts[:] = False, 0
    assert patterns.error_counts.errors.tolist() == [3, 0]
    with pytest.raises(ValueError, match="read-only"):
        patterns.wrong[0, 0] = False


# --- Showing -------------------------------------------------------------------------------------


def test_it_describes_itself():
    patterns = ErrorPatterns.from_codes(["a", "b", "c"], {0: 90, 5: 10})
    assert patterns.describe() == "100 examples"
    assert "3 models" in ErrorPatterns(patterns.models, patterns.wrong, [patterns.counts] * 2).describe()
    assert json.loads(json.dumps(patterns.as_dict())) == {
        "models": ["a", "b", "c"],
        "wrong": [[False, False, False], [True, False, True]],
        "counts": [90, 10],
    }
    assert repr(patterns).startswith("ErrorPatterns(models=('a', 'b', 'c'), wrong=[[False")
