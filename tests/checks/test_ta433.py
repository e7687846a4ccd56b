"""TA433: ten seeds or training sets to draw from."""

import numpy as np
import pytest

from tellapart import TrainingSets, compare


def answer_for(sets, method="two-way-bootstrap"):
    wrong = np.random.default_rng(0).random((2, sets, 30)) < 0.3
    more = {"resamples": 200} if method == "two-way-bootstrap" else {}
    return compare(TrainingSets(wrong.astype(float), varies="seed"), method=method, **more)


def fails():
    return answer_for(9)


def holds():
    return answer_for(10)


@pytest.mark.parametrize(("sets", "holds"), [(2, False), (9, False), (10, True)])
def test_ten_are_enough(check, sets, holds):
    result = check(answer_for(sets))
    assert (result.figure, bool(result.holds)) == (sets, holds)


def test_two_seeds_drawn_anew_show_half_the_variance():
    """Of all four draws of two values, the mean varies by half of s²/2."""
    two = np.array([0.1, 0.3])
    draws = np.array([(one + other) / 2 for one in two for other in two])
    assert draws.var() == pytest.approx(two.var(ddof=1) / 2 / 2)


def test_the_ways_out_carry_no_such_check(check, quiet):
    message = check(fails()).message
    assert "9 seeds or training sets, fewer than 10" in message
    assert "Use method='quasi-f' with interval='crossed-interval'" in message
    answer = answer_for(9, "quasi-f")
    assert quiet(answer)
    assert answer.interval.method == "crossed-interval"


def test_only_the_bootstrap_carries_it(carriers):
    assert carriers == {"two-way-bootstrap"}
