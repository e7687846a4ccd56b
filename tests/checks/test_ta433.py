"""TA433: at least 10 seeds or training sets."""

import numpy as np
import pytest

from tellapart import TrainingSets, compare


def analyse(sets, method="two-way-bootstrap"):
    wrong = np.random.default_rng(0).random((2, sets, 30)) < 0.3
    more = {"resamples": 200} if method == "two-way-bootstrap" else {}
    return compare(TrainingSets(wrong.astype(float), varies="seed"), method=method, **more)


def fails():
    return analyse(9)


def holds():
    return analyse(10)


@pytest.mark.parametrize(("sets", "holds"), [(2, False), (9, False), (10, True)])
def test_ten_are_enough(check, sets, holds):
    result = check(analyse(sets))
    assert (result.figure, bool(result.holds)) == (sets, holds)


def test_bootstrap_samples_of_two_seeds_have_half_the_variance():
    """Over all four bootstrap samples of two values the mean has half of the variance s²/2."""
    two = np.array([0.1, 0.3])
    draws = np.array([(one + other) / 2 for one in two for other in two])
    assert draws.var() == pytest.approx(two.var(ddof=1) / 2 / 2)


def test_the_remedies_have_no_such_check(check, quiet):
    message = check(fails()).message
    assert "9 seeds or training sets, fewer than 10" in message
    assert "Use method='quasi-f' with interval='crossed-interval'" in message
    answer = analyse(9, "quasi-f")
    assert quiet(answer)
    assert answer.interval.method == "crossed-interval"


def test_only_the_bootstrap_has_the_check(carriers):
    assert carriers == {"two-way-bootstrap"}
