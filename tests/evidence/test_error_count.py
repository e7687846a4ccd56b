"""ErrorCount holds errors and trials, one pair or many, and pools disjoint examples exactly."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tellapart import ErrorCount
from tellapart.errors import InvalidEvidence

labels = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30)


@st.composite
def counts(draw, size=None):
    size = draw(st.integers(1, 5)) if size is None else size
    trials = draw(st.lists(st.integers(1, 10**9), min_size=size, max_size=size))
    return ErrorCount([draw(st.integers(0, most)) for most in trials], trials)


def same(one, other):
    return one.shape == other.shape and np.all(one.errors == other.errors) and np.all(one.trials == other.trials)


# --- Construction ---


def test_one_pair_is_two_numpy_scalars():
    count = ErrorCount(3, 120)
    assert (type(count.errors), type(count.trials)) == (np.int64, np.int64)
    assert (count.errors, count.trials, count.successes, count.shape) == (3, 120, 117, ())


def test_many_pairs_are_two_arrays():
    count = ErrorCount([3, 0], [120, 40])
    assert count.shape == (2,)
    assert count.successes.tolist() == [117, 40]


@pytest.mark.parametrize(
    ("errors", "trials", "shape"),
    [([3, 0], 120, (2,)), (3, [120, 40], (2,)), ([1, 2], [[10], [20], [30]], (3, 2)), ([[1, 2]], 10, (1, 2))],
)
def test_errors_and_trials_broadcast_to_one_shape(errors, trials, shape):
    count = ErrorCount(errors, trials)
    assert count.shape == count.errors.shape == count.trials.shape == shape
    assert_array_equal(count.errors, np.broadcast_to(errors, shape))
    assert_array_equal(count.trials, np.broadcast_to(trials, shape))


@pytest.mark.parametrize(
    ("errors", "trials", "message"),
    [
        (5, 3, "`errors` must be at most `trials`, got 5 of 3. If they are in the wrong order, swap them."),
        ([1, 9], [2, 4], "9 of 4"),
        ([[1, 2]], [[3], [1]], "2 of 1"),
        (0, 0, "`trials` must be at least 1, got 0. Leave out entries without a test example."),
        ([0, 0], [1, 0], "`trials` must be at least 1, got 0. Leave out entries without a test example."),
        (3, -1, "`trials` must be whole numbers of 0 or more, got -1. Check its sign."),
        (
            3,
            0.5,
            "`trials` must be whole numbers of 0 or more, got 0.5.",
        ),
        (
            3,
            np.nan,
            "`trials` must be whole numbers of 0 or more, got nan.",
        ),
        (3, None, "`trials` must be whole numbers of 0 or more, got"),
        (3, "120", "`trials` must be whole numbers of 0 or more, got"),
        (
            [1, 2],
            [10, 20, 30],
            "`errors` and `trials` must have one shape, got (2,) and (3,). Give arrays of one shape, or counts.",
        ),
    ],
)
def test_counts_that_cannot_be_are_refused(errors, trials, message):
    with pytest.raises(InvalidEvidence) as caught:
        ErrorCount(errors, trials)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_exchanged_arguments_get_the_hint():
    with pytest.raises(InvalidEvidence, match="`errors` must be at most `trials`"):
        ErrorCount(120, 3)


def test_invalid_evidence_is_a_value_error():
    with pytest.raises(ValueError, match="`errors` must be at most `trials`"):
        ErrorCount(5, 3)


# --- A frozen value of its own ---


def test_fields_cannot_be_set():
    with pytest.raises(FrozenInstanceError):
        ErrorCount(3, 120).errors = 4


def test_the_callers_arrays_are_copied():
    errors, trials = np.array([3, 0]), np.array([120, 40])
    count = ErrorCount(errors, trials)
    errors[:], trials[:] = 7, 7
    assert count.errors.tolist() == [3, 0]
    assert count.trials.tolist() == [120, 40]


@pytest.mark.parametrize("trials", [120, [120, 40]])
def test_what_was_validated_cannot_be_written_to(trials):
    count = ErrorCount([3, 0], trials)
    with pytest.raises(ValueError, match="read-only"):
        count.errors[0] = 999
    with pytest.raises(ValueError, match="read-only"):
        count.trials[0] = 0


@pytest.mark.parametrize("again", [copy.deepcopy, lambda count: pickle.loads(pickle.dumps(count))])  # noqa: S301  # our own bytes
def test_copies_and_pickles_say_the_same(again):
    count = ErrorCount([3, 0], [120, 40])
    assert same(again(count), count)


# --- Shape and [i] ---


def test_an_index_picks_one_pair():
    count = ErrorCount([3, 0], [120, 40])[1]
    assert count.shape == ()
    assert (count.errors, count.trials) == (0, 40)


def test_a_slice_or_a_mask_picks_some():
    count = ErrorCount([3, 0, 7], 120)
    assert count[1:].errors.tolist() == [0, 7]
    assert count[np.array([True, False, True])].errors.tolist() == [3, 7]
    assert count[[2, 0]].errors.tolist() == [7, 3]


def test_two_axes_are_picked_one_after_the_other_or_at_once():
    grid = ErrorCount([[1, 2, 3], [4, 5, 6]], [[10], [20]])
    assert grid[1].shape == (3,)
    assert grid[1].trials.tolist() == [20, 20, 20]
    assert same(grid[1][2], grid[1, 2])
    assert grid[1, 2].errors == 6
    assert grid[:, 0].errors.tolist() == [1, 4]


def test_one_pair_has_nothing_to_index():
    with pytest.raises(IndexError, match="this ErrorCount is a single entry and cannot be indexed"):
        ErrorCount(3, 120)[0]


def test_a_place_beyond_the_last_is_an_index_error():
    with pytest.raises(IndexError):
        ErrorCount([3, 0], 120)[2]


def test_many_pairs_can_be_looped_over():
    assert [int(count.errors) for count in ErrorCount([3, 0, 7], 120)] == [3, 0, 7]


def test_looping_over_one_pair_is_an_error_not_an_empty_loop():
    with pytest.raises((IndexError, TypeError)):
        list(ErrorCount(3, 120))


# --- Pooling ---


def test_plus_pools_disjoint_examples():
    assert repr(ErrorCount(3, 120) + ErrorCount(1, 80)) == "ErrorCount(errors=4, trials=200)"


@settings(deadline=None)
@given(st.integers(1, 4).flatmap(lambda size: st.tuples(*[counts(size)] * 3)))
def test_pooling_is_addition_entry_by_entry(three):
    a, b, c = three
    assert_array_equal((a + b).errors, a.errors + b.errors)
    assert_array_equal((a + b).trials, a.trials + b.trials)
    assert same(a + b, b + a)
    assert same((a + b) + c, a + (b + c))


def test_pooling_broadcasts():
    assert (ErrorCount([3, 0], 120) + ErrorCount(1, 80)).errors.tolist() == [4, 1]


def test_pooling_shapes_that_do_not_fit_is_reported():
    with pytest.raises(InvalidEvidence, match="this count and that one must have one shape"):
        ErrorCount([1, 2], 10) + ErrorCount([1, 2, 3], 10)


@pytest.mark.parametrize("stranger", [1, (1, 10), None])
def test_only_counts_of_errors_are_pooled(stranger):
    with pytest.raises(TypeError):
        ErrorCount(3, 120) + stranger


def test_a_pool_too_large_to_be_exact_is_refused():
    with pytest.raises(InvalidEvidence, match="2\\*\\*53"):
        ErrorCount(0, 2**53) + ErrorCount(0, 1)


# --- From predictions and folds ---


@pytest.mark.parametrize(
    ("truth", "predictions", "errors"),
    [
        (["cat", "dog", "dog"], ["cat", "dog", "cat"], 1),
        ([0, 1, 2], [0, 2, 1], 2),
        ([0, 1, 2], [0.0, 1.0, 2.0], 0),
        ([True, False], [True, True], 1),
        ([True, False], [1, 0], 0),
        (np.array(["cat", 7], dtype=object), np.array(["cat", 8], dtype=object), 1),
        (np.array(["cat", "dog"], dtype=object), ["cat", "cow"], 1),
        (("cat", "dog"), np.array(["cat", "a longer name"]), 1),
        (np.array(["cat", "dog"], dtype=np.dtypes.StringDType()), ["cat", "cow"], 1),
    ],
)
def test_labels_of_any_type_are_compared(truth, predictions, errors):
    count = ErrorCount.from_predictions(truth, predictions)
    assert (count.errors, count.trials) == (errors, len(truth))


@settings(deadline=None)
@given(labels)
def test_predictions_are_counted_one_by_one(pairs):
    truth, predictions = zip(*pairs, strict=True)
    count = ErrorCount.from_predictions(truth, predictions)
    assert (count.errors, count.trials) == (sum(t != p for t, p in pairs), len(pairs))


@settings(deadline=None)
@given(labels, labels)
def test_predictions_put_together_are_counts_put_together(here, there):
    first, second, both = (
        ErrorCount.from_predictions(*zip(*pairs, strict=True)) for pairs in (here, there, here + there)
    )
    assert same(first + second, both)


def test_unequal_lengths_are_reported():
    with pytest.raises(InvalidEvidence, match="`truth` and `predictions` must hold labels of the same examples"):
        ErrorCount.from_predictions(["a", "b", "c"], ["a", "b"])


@pytest.mark.parametrize("missing", [np.nan, None])
def test_a_missing_label_is_reported_with_its_place(missing):
    with pytest.raises(InvalidEvidence, match="`predictions` must have no missing labels"):
        ErrorCount.from_predictions([0, 1], [0, missing])
    with pytest.raises(InvalidEvidence, match="`truth` must have no missing labels"):
        ErrorCount.from_predictions([missing, 1], [0, 1])


@pytest.mark.parametrize(
    ("truth", "predictions"),
    [
        ([0, 1], ["0", "1"]),
        (["0", "1"], [0.0, 1.0]),
        (["True", "False"], [True, False]),
        ([b"cat", b"dog"], ["cat", "dog"]),
        (np.array([0, 1], dtype=object), ["0", "1"]),
        (["0", "1"], np.array([0, 1], dtype=object)),
        (np.array(["0", "1"], dtype=np.dtypes.StringDType()), [0, 1]),
    ],
    ids=["int-text", "text-float", "text-bool", "bytes-text", "objects-text", "text-objects", "strings-int"],
)
def test_text_against_numbers_is_refused_not_counted_as_all_wrong(truth, predictions):
    with pytest.raises(InvalidEvidence, match="`truth` and `predictions` must hold labels of one kind"):
        ErrorCount.from_predictions(truth, predictions)


def test_folds_are_summed():
    folds = ErrorCount.from_folds([1, 0, 2, 1, 0], [20, 20, 20, 20, 19])
    assert (folds.errors, folds.trials, folds.shape) == (4, 99, ())


def test_folds_of_one_size_need_it_once():
    assert repr(ErrorCount.from_folds([1, 0, 2], 20)) == "ErrorCount(errors=3, trials=60)"


def test_a_fold_with_more_errors_than_examples_is_refused_though_the_sum_would_pass():
    with pytest.raises(InvalidEvidence, match="5 of 3"):
        ErrorCount.from_folds([5, 0], [3, 20])


# --- What it says ---


def test_rate_and_standard_error_are_mitchells():
    """Mitchell 1997, section 5.3.4: 12 errors in 40 are 0.30, with a standard deviation of √8.4/40, about 0.07."""
    count = ErrorCount(12, 40)
    assert_allclose(count.rate, 0.3, rtol=1e-15)
    assert_allclose(count.standard_error, 0.0725, atol=5e-5)
    assert_allclose(count.standard_error**2, 0.3 * 0.7 / 40, rtol=1e-14)


def test_all_or_nothing_has_no_standard_error():
    assert ErrorCount([0, 20], 20).standard_error.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("errors", "trials", "message"),
    [
        (0, 120, "0 errors in 120 examples"),
        (1, 120, "1 error in 120 examples"),
        (1, 1, "1 error in 1 example"),
        (3, 120, "3 errors in 120 examples"),
        ([3, 0], 120, "2 counts of errors"),
        ([3], 120, "1 count of errors"),
    ],
)
def test_what_was_observed_is_stated_in_words(errors, trials, message):
    assert ErrorCount(errors, trials).describe() == message


def test_repr_shows_one_pair_or_the_shape_of_many():
    assert repr(ErrorCount(3, 120)) == "ErrorCount(errors=3, trials=120)"
    assert repr(ErrorCount([[3, 0]], 120)) == "ErrorCount(shape=(1, 2))"


def test_the_plain_form_is_made_of_python_numbers():
    assert ErrorCount(3, 120).as_dict() == {"errors": 3, "trials": 120}
    assert ErrorCount([3, 0], 120).as_dict() == {"errors": [3, 0], "trials": [120, 120]}
    assert type(ErrorCount(3, 120).as_dict()["errors"]) is int
