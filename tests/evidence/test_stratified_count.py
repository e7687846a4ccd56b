"""StratifiedCount: errors by stratum, each with its share of what the classifier will meet."""

import copy
import json
import pickle
from dataclasses import FrozenInstanceError
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tellapart.errors import InvalidEvidence
from tellapart.evidence import ErrorCount, PairedTable, StratifiedCount

laws = settings(derandomize=True, deadline=None, max_examples=12)


@st.composite
def parts(draw):
    """Give errors, trials and the parts of the population (whole numbers) of one to five strata."""
    size = draw(st.integers(1, 5))
    trials = draw(st.lists(st.integers(1, 10**6), min_size=size, max_size=size))
    shares = draw(st.lists(st.integers(0, 50), min_size=size, max_size=size).filter(any))
    return [draw(st.integers(0, most)) for most in trials], trials, shares


@laws
@given(parts())
def test_the_rate_is_each_stratums_by_its_share(drawn):
    errors, trials, shares = drawn
    result = StratifiedCount(errors, trials, np.array(shares) / sum(shares))
    exact = sum(Fraction(m, n) * w / sum(shares) for m, n, w in zip(errors, trials, shares, strict=True))
    assert_allclose(result.rate, float(exact), rtol=1e-13, atol=1e-300)
    assert type(result.rate) is np.float64
    assert result.shape == ()
    assert_array_equal(result.strata.errors, errors)
    assert_array_equal(result.strata.trials, trials)


def test_rare_cases_count_as_much_as_they_occur():
    assert_allclose(StratifiedCount([2, 10], [100, 50], [0.9, 0.1]).rate, 0.9 * 0.02 + 0.1 * 0.2)


def test_a_single_number_of_trials_is_for_every_stratum():
    assert StratifiedCount([2, 1], 100, [0.5, 0.5]).trials.tolist() == [100, 100]
    assert StratifiedCount(0, [100, 20], [0.5, 0.5]).errors.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("errors", "trials", "shares", "message"),
    [
        (
            [5, 1],
            [3, 9],
            [0.5, 0.5],
            "`errors` must be at most `trials`, got 5 of 3. If they are in the wrong order, swap them.",
        ),
        ([1, 1], [3, 0], [0.5, 0.5], "`trials` must be at least 1, got 0. Leave out entries without a test example."),
        ([1, -1], [3, 9], [0.5, 0.5], "`errors` must be whole numbers of 0 or more, got -1. Check its sign."),
        (
            [1, 0.5],
            [3, 9],
            [0.5, 0.5],
            "`errors` must be whole numbers of 0 or more, got 0.5.",
        ),
        (
            [1, np.nan],
            [3, 9],
            [0.5, 0.5],
            "`errors` must be whole numbers of 0 or more, got nan.",
        ),
        ([1, 1], [3, 9], [0.5, 0.6], "`shares` must be 0 or more and add up to 1, got"),
        ([1, 1], [3, 9], [50, 50], "`shares` must be 0 or more and add up to 1, got"),
        ([1, 1], [3, 9], [1.5, -0.5], "`shares` must be 0 or more and add up to 1, got"),
        ([1, 1], [3, 9], [np.nan, 1], "`shares` must be 0 or more and add up to 1, got"),
        ([1, 1], [3, 9], [np.inf, 1], "`shares` must be 0 or more and add up to 1, got"),
        ([1, 1], [3, 9], [1.0], "`shares` must be one for each stratum, got shape (1,) for errors of shape (2,)."),
        ([1, 1], [3, 9], [[0.5, 0.5]], "`shares` must be one for each stratum, got shape ("),
        (1, 3, 1.0, "`shares` must be one for each stratum, got shape ("),
        ([1, 1], [3, 9], None, "`shares` must be"),
        ([1, 1], [3, 9], ["half", "half"], "`shares` must be"),
        ([1, 1], [3, 9], [[0.5], [0.25, 0.25]], "`shares` must be"),
    ],
)
def test_strata_that_cannot_be_are_refused(errors, trials, shares, message):
    with pytest.raises(InvalidEvidence) as caught:
        StratifiedCount(errors, trials, shares)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_shares_add_up_to_1_but_for_rounding():
    strata = StratifiedCount([100, 100], 100, [0.5, 0.5 + 9e-10])
    assert strata.rate <= 1


def test_what_was_validated_stays():
    shares = np.array([0.9, 0.1])
    strata = StratifiedCount([2, 10], [100, 50], shares)
    shares[:] = 0.5
    assert strata.shares.tolist() == [0.9, 0.1]
    for field in (strata.errors, strata.trials, strata.shares):
        with pytest.raises(ValueError, match="read-only"):
            field[0] = 1
    with pytest.raises(FrozenInstanceError):
        strata.shares = shares
    for again in (copy.deepcopy(strata), pickle.loads(pickle.dumps(strata))):  # noqa: S301  # our own bytes
        assert again.as_dict() == strata.as_dict()


# --- Many ---


def test_strata_are_along_the_last_dimension():
    many = StratifiedCount([[2, 10], [0, 5], [1, 1]], [[100, 50], [10, 10], [2, 4]], [0.9, 0.1])
    assert many.shape == many.rate.shape == (3,)
    assert_allclose(many.rate, [0.038, 0.05, 0.475])
    assert many[1].as_dict() == {"errors": [0, 5], "trials": [10, 10], "shares": [0.9, 0.1]}
    assert many[1:].shape == (2,)
    assert [entry.shape for entry in many] == [(), (), ()]
    with pytest.raises(IndexError, match="this StratifiedCount is a single entry and cannot be indexed"):
        many[1][0]
    with pytest.raises(TypeError, match="this StratifiedCount is a single entry and cannot be iterated over"):
        iter(many[1])


@pytest.mark.parametrize("index", [(0, 1), (slice(None), 0)])
def test_an_index_picks_entries_and_never_strata(index):
    many = StratifiedCount([[2, 10], [0, 5]], [[100, 50], [10, 10]], [0.9, 0.1])
    assert many[..., 0].as_dict() == many[0].as_dict()
    with pytest.raises(IndexError):
        many[index]


# --- Pooling ---


@laws
@given(parts(), st.integers(1, 100))
def test_shards_add_up_to_the_whole(drawn, more):
    errors, trials, shares = drawn
    weights = np.array(shares) / sum(shares)
    one, other = StratifiedCount(errors, trials, weights), StratifiedCount([more] * len(errors), more, weights)
    for pooled in (one + other, sum([one, other])):
        assert_array_equal(pooled.errors, np.add(errors, more))
        assert_array_equal(pooled.trials, np.add(trials, more))
        assert_array_equal(pooled.shares, weights)


def test_only_strata_of_the_same_shares_pool():
    with pytest.raises(InvalidEvidence, match="`shares` must be the same in counts that are added"):
        StratifiedCount([2, 1], 100, [0.5, 0.5]) + StratifiedCount([2, 1], 100, [0.4, 0.6])
    with pytest.raises(InvalidEvidence, match="`shares` must be the same in counts that are added"):
        StratifiedCount([2, 1], 100, [0.5, 0.5]) + StratifiedCount([2], 100, [1])
    with pytest.raises(InvalidEvidence, match="shape"):
        StratifiedCount([[2, 1]] * 2, 100, [0.5, 0.5]) + StratifiedCount([[2, 1]] * 3, 100, [0.5, 0.5])


@pytest.mark.parametrize("other", [1, None, ErrorCount(1, 2), PairedTable(1, 2, 3, 4)])
def test_nothing_else_is_added(other):
    with pytest.raises(TypeError):
        StratifiedCount([2, 1], 100, [0.5, 0.5]) + other
    with pytest.raises(TypeError):
        other + StratifiedCount([2, 1], 100, [0.5, 0.5])


# --- In words and in JSON ---


def test_what_is_shown_can_be_typed():
    strata = StratifiedCount([2, 10], [100, 50], [0.9, 0.1])
    again = eval(repr(strata))  # noqa: S307  # our own text
    assert again.as_dict() == strata.as_dict() == json.loads(json.dumps(strata.as_dict()))
    assert repr(StratifiedCount([[2, 1]], 100, [0.5, 0.5])) == "StratifiedCount(shape=(1,))"


def test_words():
    assert StratifiedCount([2, 10], [100, 50], [0.9, 0.1]).describe() == "12 errors in 150 examples in 2 strata"
    assert StratifiedCount([1], 100, [1]).describe() == "1 error in 100 examples in 1 stratum"
    assert StratifiedCount([[2, 1]], 100, [0.5, 0.5]).describe() == "stratified counts of shape (1,)"
    assert StratifiedCount([2**53, 2**53], 2**53, [0.5, 0.5]).describe().endswith("in 2 strata")
