"""TA501: the values vary between examples."""

import numpy as np
import pytest

from tellapart import Outcomes, compare

A, B = np.random.default_rng(0).beta(5, 2, size=(2, 60)).round(3)


def pair(a=A, b=B, **more):
    return Outcomes.from_scores(a, b, **{"metric": "rouge"} | more)


def fails():
    return compare(pair([0.5] * 30, [0.6] * 30))


def holds():
    return compare(pair())


def test_the_figure_is_the_standard_error(check):
    assert check(holds()).figure == pytest.approx(np.std(B - A, ddof=1) / np.sqrt(60), rel=1e-12)


def test_without_variation_and_bounds_the_interval_is_unbounded(check):
    answer = fails()
    assert (answer.pvalue, answer.interval.low, answer.interval.high) == (1, -np.inf, np.inf)
    assert "Specify the range of the scores (`bounds`)" in check(answer).message


def test_the_remedy_tests_a_constant_difference(quiet):
    """Thirty equal signs: two of 2³⁰ patterns."""
    assert compare(pair([0.5] * 30, [0.6] * 30), method="sign-flip", interval="mean-t").pvalue == pytest.approx(2**-29)
    bounded = compare(pair([0.5] * 300, [0.6] * 300, bounds=(0, 1)))
    assert 0 < bounded.interval.low < 0.1 < bounded.interval.high < 0.2
    assert quiet(compare(pair(), method="sign-flip"))


def test_every_pair_of_models_is_checked(check):
    """A and its shifted copy have a constant difference."""
    outcomes = Outcomes.from_scores({"a": A, "b": B, "c": A + 0.25}, metric="rouge")
    assert check(compare(outcomes)).holds.tolist() == [True, False, True]


def test_batches_are_checked_entry_by_entry(check):
    scores = np.zeros((2, 2, 5))
    scores[0, 0, 0] = 1
    assert check(compare(Outcomes(scores))).holds.tolist() == [True, False]
