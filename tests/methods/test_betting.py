"""Bets on a mean against a plain loop, against exact expectations, and their own laws."""

import json
import math
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tellapart.bibliography import REFERENCES
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.methods.betting import SOURCE, Bets, as_unit_values, halved

seldom = settings(derandomize=True, deadline=None, max_examples=12)
values = st.lists(st.floats(0, 1), min_size=1, max_size=40)


def capital(xs, m, alpha=0.05, c=0.5):
    """Return both gamblers' capital against a mean, by Waudby-Smith and Ramdas 2024, eqs. 21 to 24, one by one."""
    up = down = 1.0
    total, scatter = 0.0, 0.0
    for t, x in enumerate(xs, 1):
        variance = (0.25 + scatter) / t
        bet = math.sqrt(2 * math.log(2 / alpha) / (variance * t * math.log(t + 1)))
        up *= 1 + min(bet, math.inf if m == 0 else c / m) * (x - m)
        down *= 1 - min(bet, math.inf if m == 1 else c / (1 - m)) * (x - m)
        total += x
        scatter += (x - (0.5 + total) / (t + 1)) ** 2
    return up, down


@given(values, st.sampled_from([0.5, 0.05, 1e-6, 1e-12]))
@seldom
def test_a_plain_loop_agrees(xs, alpha):
    bets = Bets.begin(alpha=alpha, grid=21).after(xs)
    by_hand = np.log([capital(xs, m, alpha) for m in bets.grid.tolist()])
    assert_allclose(np.stack([bets.above, bets.below], axis=1), by_hand, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("mean", [0.1, 0.5, 0.8])
@pytest.mark.parametrize("points", [(0.0, 1.0), (0.0, 0.9), (0.05, 1.0)])
def test_against_the_true_mean_nobody_wins_on_average(mean, points):
    """Over all sequences of six values from two points, weighted by their probabilities, the capital is 1 exactly."""
    low, high = points
    p = (mean - low) / (high - low)
    position, expected = round(20 * mean), np.zeros(2)
    for xs in product((low, high), repeat=6):
        weight = math.prod(p if x == high else 1 - p for x in xs)
        bets = Bets.begin(grid=21).after(xs)
        expected += weight * np.exp([bets.above[position], bets.below[position]])
    assert_allclose(expected, 1.0, rtol=1e-12)


def test_at_all_times_at_once_the_mean_is_ruled_out_seldom():
    """Of 100 sequences of 80 fair coins, looked at after each, at most alpha = 0.2 ever rule 1/2 out.

    The bound holds by proof. The tolerance is three standard errors of a share of 0.2 over 100.
    """
    coins, ruled_out = np.random.default_rng(20).integers(0, 2, (100, 80)), 0
    for sequence in coins:
        bets, ever = Bets.begin(alpha=0.2, grid=3), False
        for coin in sequence[:, None]:
            bets = bets.after(coin)
            ever |= max(bets.above[1], bets.below[1]) >= math.log(2 / 0.2)
        ruled_out += ever
        assert ever or bets.interval().contains(0.5)
    assert 0 < ruled_out / 100 <= 0.2 + 3 * math.sqrt(0.2 * 0.8 / 100)


@given(values, st.lists(st.integers(0, 40), max_size=4))
@seldom
def test_batches_change_nothing(xs, cuts):
    whole, parts = Bets.begin(grid=31).after(xs), Bets.begin(grid=31)
    edges = [0, *sorted(cut for cut in cuts if cut < len(xs)), len(xs)]
    for start, end in pairwise(edges):
        parts = parts.after(xs[start:end]) if end > start else parts
    assert_array_equal(whole.above, parts.above)
    assert_array_equal(whole.below, parts.below)
    assert (whole.count, whole.total, whole.scatter) == (parts.count, parts.total, parts.scatter)


def test_long_batches_change_nothing():
    xs = np.random.default_rng(3).uniform(size=500)
    whole, parts = Bets.begin(grid=31).after(xs), Bets.begin(grid=31).after(xs[:130]).after(xs[130:])
    assert_array_equal(whole.above, parts.above)


def test_the_order_matters():
    sorted_, mixed = [0.0] * 20 + [1.0] * 20, [0.0, 1.0] * 20
    assert not np.allclose(Bets.begin(grid=11).after(sorted_).above, Bets.begin(grid=11).after(mixed).above)


@given(values)
@seldom
def test_exchanging_0_and_1_mirrors_the_interval(xs):
    mirrored = [1 - x for x in xs]
    here, there = (Bets.begin(grid=41).after(each).interval() for each in (xs, mirrored))
    assert (here is None) == (there is None)
    if here is not None:
        assert_allclose([there.low, there.high], [1 - here.high, 1 - here.low], atol=0.026)  # one step of the grid


@given(values)
@seldom
def test_a_finer_grid_lies_within_a_coarser_one(xs):
    """The limits are rounded outwards, so a grid costs width and never validity."""
    coarse, fine = (Bets.begin(grid=grid).after(xs).interval() for grid in (11, 101))
    if fine is not None:
        assert coarse is not None
        assert coarse.low <= fine.low < fine.high <= coarse.high


def test_a_grid_that_is_coarser_than_the_interval_leaves_a_step_of_it():
    """With five means every one of them is ruled out; what is left lies between two, and is not empty."""
    bets = Bets.begin(grid=5).after(np.random.default_rng(1).uniform(0.55, 0.65, 3000))
    interval = bets.interval()
    assert (interval.low, interval.high) == (0.5, 0.75)


def test_limits_shrink_about_the_mean():
    xs = np.random.default_rng(7).beta(8, 2, 4000)
    widths = []
    bets = Bets.begin()
    for part in np.split(xs, 4):
        bets = bets.after(part)
        widths.append(float(bets.interval().width))
        assert bets.interval().contains(0.8)
        assert bets.interval().contains(bets.mean)
    assert widths[-1] < widths[0] / 1.5 < 0.1


def test_nothing_left_is_no_interval():
    """Where both gamblers have won against one mean, none is left: that is not called an interval."""
    parts = Bets.begin(grid=5).after([0.5]).as_dict()
    assert Bets.from_dict(parts | {"above": [9.0, 9, 9, 0, 0], "below": [0.0, 0, 9, 9, 9]}).interval() is None
    assert Bets.from_dict(parts | {"above": [9.0, 9, 0, 0, 0], "below": [0.0, 0, 9, 9, 9]}).interval() is not None


def test_before_the_first_example_everything_is_possible():
    begun = Bets.begin()
    assert (begun.interval().low, begun.interval().high, begun.count) == (0.0, 1.0, 0)
    assert math.isnan(begun.mean)


@pytest.mark.parametrize("only", [0.0, 1.0])
def test_nothing_but_one_end(only):
    """All zeros leave 0 standing, however many there are."""
    interval = Bets.begin().after(np.full(2000, only)).interval()
    assert interval.contains(only)
    assert interval.width < 0.02


def test_json_keeps_every_digit():
    bets = Bets.begin(alpha=1e-9, grid=51).after(np.random.default_rng(5).uniform(size=100))
    again = Bets.from_dict(json.loads(json.dumps(bets.as_dict())))
    assert again.as_dict() == bets.as_dict()
    assert_array_equal(again.after([0.3]).above, bets.after([0.3]).above)


@pytest.mark.parametrize(
    "changed",
    [
        {"alpha": 2.0},
        {"count": -1},
        {"total": 9.0},
        {"scatter": math.nan},
        {"above": [0.0, 0.0]},
        {"above": "many"},
        {"below": [0.0, math.inf, 0.0]},
    ],
)
def test_what_are_no_bets_is_reported(changed):
    parts = Bets.begin(grid=3).after([0.5]).as_dict()
    with pytest.raises(InvalidEvidence, match="the stored bets"):
        Bets.from_dict(parts | changed)
    with pytest.raises(InvalidEvidence, match="the stored bets"):
        Bets.from_dict({})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0.5, 1.2], r"got 1.2 \(number 2\)"),
        ([math.nan], r"got nan \(number 1\)"),
        (["high"], "must be numbers"),
        ([], "at least one example"),
        ([[0.5]], "got shape"),
        (0.5, "got shape"),
        ([[1], [1, 2]], "must be numbers"),
    ],
)
def test_bad_values_are_reported(values, message):
    with pytest.raises(InvalidEvidence, match=message):
        Bets.begin().after(values)


@pytest.mark.parametrize("grid", [2, 10.0, True, 10**7])
def test_a_bad_grid_is_reported(grid):
    with pytest.raises(InvalidOption, match="`grid` must be"):
        Bets.begin(grid=grid)


def test_differences_are_halved_and_booleans_are_numbers():
    assert_array_equal(halved([-1, 0, 1]), [0, 0.5, 1])
    assert_array_equal(as_unit_values([True, False]), [1.0, 0.0])
    with pytest.raises(InvalidEvidence, match="from -1 to 1"):
        halved([1.5])


def test_who_described_it_is_in_the_bibliography():
    assert SOURCE in REFERENCES
