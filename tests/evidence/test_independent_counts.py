"""IndependentCounts: A's errors on one test set, B's on another."""

import copy
import json
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tellapart.errors import InvalidEvidence
from tellapart.evidence import ErrorCount, IndependentCounts, PairedTable

laws = settings(derandomize=True, deadline=None, max_examples=12)
labels = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30)


def numbers(counts):
    return tuple(np.asarray(part).tolist() for each in (counts.a, counts.b) for part in (each.errors, each.trials))


@st.composite
def pairs(draw):
    trials = [draw(st.integers(1, 10**9)) for _ in range(2)]
    return IndependentCounts(*(ErrorCount(draw(st.integers(0, most)), most) for most in trials))


# --- Construction ---


def test_a_comes_first():
    counts = IndependentCounts.from_counts(30, 100, 20, 80)
    assert (counts.a.errors, counts.a.trials, counts.b.errors, counts.b.trials) == (30, 100, 20, 80)
    assert counts.count_a is counts.a
    assert counts.count_b is counts.b
    assert_allclose(counts.difference, 0.3 - 0.25)  # error(A) − error(B): B is better
    assert counts.shape == ()


@laws
@given(labels, labels)
def test_counts_and_predictions_agree(a, b):
    (truth_a, said_a), (truth_b, said_b) = (zip(*rows, strict=True) for rows in (a, b))
    wrong_a, wrong_b = (sum(truth != predicted for truth, predicted in rows) for rows in (a, b))
    expected = (wrong_a, len(a), wrong_b, len(b))
    assert numbers(IndependentCounts.from_predictions(truth_a, said_a, truth_b, said_b)) == expected
    assert numbers(IndependentCounts.from_counts(*expected)) == expected
    assert numbers(IndependentCounts(ErrorCount(wrong_a, len(a)), ErrorCount(wrong_b, len(b)))) == expected


def test_the_two_test_sets_may_have_labels_of_different_kinds():
    counts = IndependentCounts.from_predictions([1, 2], [1, 1], ["a"], ["a"], models=("old", "new"))
    assert numbers(counts) == (1, 2, 0, 1)
    assert counts.models == ("old", "new")


@pytest.mark.parametrize(
    ("a", "b", "shape"),
    [
        (([1, 2], 10), (3, 20), (2,)),
        ((1, 10), ([1, 2], [20, 30]), (2,)),
        (([1, 2], 10), ([[1], [2], [3]], 9), (3, 2)),
    ],
)
def test_a_and_b_broadcast_to_one_shape(a, b, shape):
    counts = IndependentCounts(ErrorCount(*a), ErrorCount(*b))
    assert counts.shape == counts.a.shape == counts.b.shape == shape
    assert_array_equal(counts.a.errors, np.broadcast_to(a[0], shape))
    assert_array_equal(counts.b.trials, np.broadcast_to(b[1], shape))
    assert counts.difference.shape == shape


def test_a_table_is_reported_where_its_counts_are():
    with pytest.raises(InvalidEvidence, match="`a` must be an ErrorCount"):
        IndependentCounts(PairedTable(1, 2, 3, 4), ErrorCount(1, 2))


@pytest.mark.parametrize("wrong", [3, None, (3, 120)])
def test_only_error_counts_will_do(wrong):
    with pytest.raises(InvalidEvidence, match="`a` must be an ErrorCount"):
        IndependentCounts(wrong, ErrorCount(1, 2))
    with pytest.raises(InvalidEvidence, match="ErrorCount"):
        IndependentCounts(ErrorCount(1, 2), wrong)


@pytest.mark.parametrize(
    ("given_counts", "message"),
    [
        ((5, 3, 1, 2), "`errors` must be at most `trials`, got 5 of 3. If they are in the wrong order, swap them."),
        ((1, 3, -1, 2), "`errors` must be whole numbers of 0 or more, got -1. Check its sign."),
        ((1, 3, 1, 0), "`trials` must be at least 1, got 0. Leave out entries without a test example."),
        (
            (np.nan, 3, 1, 2),
            "`errors` must be whole numbers of 0 or more, got nan.",
        ),
        (
            (0.5, 3, 1, 2),
            "`errors` must be whole numbers of 0 or more, got 0.5.",
        ),
        ((1, 3, 1, 2**54), "`trials` must be at most 2**53, got 18014398509481984. Larger counts are not exact."),
        (
            ([1, 2], 3, [1, 1, 1], 2),
            "`a` and a's trials and `b` and b's trials must have one shape, got (2,) and (2,) and (3,) and (3,)",
        ),
    ],
)
def test_counts_that_cannot_be_are_refused(given_counts, message):
    with pytest.raises(InvalidEvidence) as caught:
        IndependentCounts.from_counts(*given_counts)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("models", [("x",), ("x", "x"), "AB", (1, 2), None])
def test_models_are_two_different_names(models):
    with pytest.raises(InvalidEvidence, match="`models` must be two"):
        IndependentCounts.from_counts(1, 2, 1, 2, models=models)


def test_the_largest_counts_are_exact():
    counts = IndependentCounts.from_counts(2**53, 2**53, 2**53 - 1, 2**53)
    assert counts.a.errors - counts.b.errors == 1
    assert counts.difference == 2.0**-53


# --- A frozen value, its shape and [i] ---


def test_fields_cannot_be_set():
    with pytest.raises(FrozenInstanceError):
        IndependentCounts.from_counts(1, 2, 1, 2).a = ErrorCount(1, 2)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda counts: pickle.loads(pickle.dumps(counts))])  # noqa: S301  # our own bytes
def test_copies_and_pickles_say_the_same(again):
    counts = IndependentCounts.from_counts([1, 2], 10, 3, 20, models=("old", "new"))
    assert numbers(again(counts)) == numbers(counts)
    assert again(counts).models == ("old", "new")


def test_one_entry_is_picked_from_both():
    counts = IndependentCounts.from_counts([[1, 2, 3]], 10, [[4, 5, 6]], [[20, 30, 40]], models=("old", "new"))
    assert numbers(counts[0, 1]) == (2, 10, 5, 30)
    assert counts[0, 1].models == ("old", "new")
    assert [numbers(entry) for entry in counts[0]] == [(1, 10, 4, 20), (2, 10, 5, 30), (3, 10, 6, 40)]
    assert counts[0, 1:].shape == (2,)
    with pytest.raises(IndexError, match="this IndependentCounts is a single entry and cannot be indexed"):
        counts[0, 1][0]
    with pytest.raises(TypeError, match="this IndependentCounts is a single entry and cannot be iterated over"):
        iter(counts[0, 1])


@laws
@given(pairs())
def test_exchanging_twice_changes_nothing(counts):
    assert numbers(counts.swapped().swapped()) == numbers(counts)
    assert numbers(counts.swapped()) == numbers(counts)[2:] + numbers(counts)[:2]
    assert counts.swapped().difference == -counts.difference


def test_names_go_with_their_models():
    counts = IndependentCounts.from_counts(1, 2, 3, 4, models=("old", "new"))
    assert counts.swapped().models == ("new", "old")
    assert IndependentCounts.from_counts(1, 2, 3, 4).swapped().models == ("A", "B")


# --- Pooling ---


@laws
@given(labels, labels, labels, labels)
def test_shards_add_up_to_the_whole(a, b, more_a, more_b):
    def made(rows_a, rows_b):
        return IndependentCounts.from_predictions(*zip(*rows_a, strict=True), *zip(*rows_b, strict=True))

    parts = [made(a, b), made(more_a, more_b)]
    assert numbers(parts[0] + parts[1]) == numbers(made(a + more_a, b + more_b)) == numbers(sum(parts))


def test_only_counts_of_the_same_models_pool():
    one, other = (IndependentCounts.from_counts(1, 2, 3, 4, models=names) for names in (("old", "new"), ("A", "B")))
    assert (one + one).models == ("old", "new")
    with pytest.raises(InvalidEvidence, match="`models` must be the same in counts that are added"):
        one + other
    with pytest.raises(InvalidEvidence, match="`models` must be the same in counts that are added"):
        one + one.swapped()


@pytest.mark.parametrize("other", [1, None, ErrorCount(1, 2), PairedTable(1, 2, 3, 4)])
def test_nothing_else_is_added(other):
    with pytest.raises(TypeError):
        IndependentCounts.from_counts(1, 2, 1, 2) + other
    with pytest.raises(TypeError):
        other + IndependentCounts.from_counts(1, 2, 1, 2)


def test_pooling_beyond_the_exact_counts_is_refused():
    most = IndependentCounts.from_counts(0, 2**53, 0, 1)
    with pytest.raises(InvalidEvidence, match=r"`trials` must be at most 2\*\*53, got 18014398509481984"):
        most + most


def test_counts_that_do_not_fit_are_refused():
    with pytest.raises(InvalidEvidence, match="shape"):
        IndependentCounts.from_counts([1, 2], 10, 1, 2) + IndependentCounts.from_counts([1, 2, 3], 10, 1, 2)


# --- In words and in JSON ---


@pytest.mark.parametrize("models", [("A", "B"), ("old", "new")])
def test_what_is_shown_can_be_typed(models):
    counts = IndependentCounts.from_counts(7, 34, 1, 33, models=models)
    again = eval(repr(counts))  # noqa: S307  # our own text
    assert (numbers(again), again.models) == (numbers(counts), models)
    assert repr(IndependentCounts.from_counts([7, 8], 34, 1, 33)) == "IndependentCounts(shape=(2,))"


def test_a_dictionary_is_ready_for_json():
    values = json.loads(json.dumps(IndependentCounts.from_counts([7, 8], 34, 1, 33).as_dict()))
    assert values == {
        "a": {"errors": [7, 8], "trials": [34, 34]},
        "b": {"errors": [1, 1], "trials": [33, 33]},
        "models": ["A", "B"],
    }


def test_words():
    assert (
        IndependentCounts.from_counts(7, 34, 1, 33).describe()
        == "A: 7 errors in 34 examples; B: 1 error in 33 examples"
    )
    named = IndependentCounts.from_counts(0, 1, 1, 33, models=("old", "new"))
    assert named.describe() == "old: 0 errors in 1 example; new: 1 error in 33 examples"
    assert IndependentCounts.from_counts([7, 8], 34, 1, 33).describe() == "2 pairs of error counts"
    assert IndependentCounts.from_counts([7], 34, 1, 33).describe() == "1 pair of error counts"
