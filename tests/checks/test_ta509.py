"""TA509: the values vary within some group."""

import numpy as np
import pytest

from tellapart import Outcomes, compare

A, B = np.random.default_rng(0).beta(5, 2, size=(2, 60)).round(3)
TASKS = np.repeat(["short", "long"], [20, 40])
FLAT = np.where(TASKS == "short", 0.6, 0.8)


def macro(a=A, b=B, **more):
    return compare(Outcomes.from_scores(a, b, **{"metric": "rouge", "groups": TASKS} | more), method="macro-average")


def fails():
    return macro([0.5] * 60, FLAT)


def holds():
    return macro()


def test_the_figure_is_the_standard_error_within_groups(check):
    each = [np.var((B - A)[name == TASKS], ddof=1) / np.sum(name == TASKS) for name in ("short", "long")]
    assert check(holds()).figure == pytest.approx(np.sqrt(sum(each)) / 2, rel=1e-12)
    assert check(macro([0.5] * 60, FLAT + (np.arange(60) == 7))).holds  # one example is enough


def test_variation_between_groups_does_not_count(check):
    answer = fails()
    assert (answer.pvalue, answer.interval.low, answer.interval.high) == (1, -np.inf, np.inf)
    assert "Specify the range of the scores (`bounds`)" in check(answer).message


def test_the_remedies_are_bounds_and_sign_flips(quiet):
    bounded = macro([0.5] * 60, FLAT, bounds=(0, 1))
    assert -1 < bounded.interval.low < bounded.difference < bounded.interval.high < 1
    signs = compare(Outcomes.from_scores([0.5] * 60, FLAT, metric="rouge", groups=TASKS), method="sign-flip")
    assert signs.pvalue < 1e-15  # sixty equal signs
    assert quiet(signs)
