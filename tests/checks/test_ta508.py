"""TA508: any two models differ on at least ten examples."""

import numpy as np
import pytest

from tellapart import Outcomes, compare

A, B = np.random.default_rng(0).beta(5, 2, size=(2, 60)).round(3)


def answer_for(differing, **options):
    other = np.where(np.arange(60) < differing, B + 0.1, B)
    return compare(Outcomes.from_scores({"a": A, "b": B, "c": other}, metric="rouge"), **options)


def fails():
    return answer_for(4)


def holds():
    return answer_for(30)


@pytest.mark.parametrize("differing", [0, 9, 10])
def test_ten_of_the_pair_that_differs_least_are_enough(check, differing):
    result = check(answer_for(differing))
    assert (result.figure, bool(result.holds)) == (differing, differing >= 10)


def test_the_way_out_carries_no_such_check(check, quiet):
    assert "use method='sign-flip' with adjust='holm'" in check(fails()).message
    answer = answer_for(4, method="sign-flip", adjust="holm")
    assert quiet(answer)
    assert answer.pairs.pvalue[2] == 0.125  # four signs that all point one way


def test_only_max_t_carries_it(carriers):
    assert carriers == {"max-t"}
