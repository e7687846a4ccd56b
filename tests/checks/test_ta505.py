"""TA505: the null value is a difference of 0."""

import numpy as np

from tellapart import Outcomes, compare

A, B = np.random.default_rng(0).beta(5, 2, size=(2, 60)).round(3)


def pair(a=A, b=B, **more):
    return Outcomes.from_scores(a, b, **{"metric": "rouge"} | more)


def fails():
    return compare(pair(), method="sign-flip", margin=0.05)


def holds():
    return compare(pair(), method="sign-flip")


def test_a_margin_fails(check):
    assert (check(fails()).figure, check(holds()).figure) == (0, 1)
    assert "the null value is not a difference of 0" in check(fails()).message


def test_the_remedy_needs_no_symmetry(quiet):
    assert quiet(compare(pair(), method="mean-t", margin=0.05))


def test_only_sign_flip_has_the_check(carriers):
    assert carriers == {"sign-flip"}
