"""TA504: enough nonzero differences for p to reach alpha."""

import numpy as np
import pytest

from tellapart import Outcomes, compare

A, B = np.random.default_rng(0).beta(5, 2, size=(2, 60)).round(3)


def pair(a=A, b=B, **more):
    return Outcomes.from_scores(a, b, **{"metric": "rouge"} | more)


def analyse(differing, **options):
    return compare(pair(np.zeros(40), [0.0] * (40 - differing) + [0.1] * differing), method="sign-flip", **options)


def fails():
    return analyse(4)


def holds():
    return analyse(20)


@pytest.mark.parametrize(
    ("differing", "options", "least"),
    [(4, {}, 0.125), (5, {}, 0.0625), (6, {}, 0.03125), (5, {"alternative": "greater"}, 0.03125), (0, {}, 1)],
)
def test_the_figure_is_the_p_value_of_equal_signs(check, differing, options, least):
    answer = analyse(differing, **options)
    assert check(answer).figure == -least
    assert bool(check(answer).holds) == (least < 0.05)
    if differing:
        assert answer.pvalue == pytest.approx(least)  # all differences have the same sign


def test_clusters_have_one_sign_each(check):
    codes = np.arange(60) // 15
    assert check(compare(pair(clusters=codes), method="sign-flip")).figure == -0.125


def test_the_remedy_says_how_many_differences_are_needed(check, quiet):
    assert check(fails()).remedy == "Test more examples: at least 6 must differ."
    assert check(analyse(4, alternative="greater")).remedy == "Test more examples: at least 5 must differ."
    assert quiet(compare(pair(), method="mean-t"))
