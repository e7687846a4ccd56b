"""TA508: any two models differ on at least 10 examples (or clusters)."""

import numpy as np
import pytest

from tellapart import Outcomes, compare

A, B = np.random.default_rng(0).beta(5, 2, size=(2, 60)).round(3)


def analyse(differing, **options):
    other = np.where(np.arange(60) < differing, B + 0.1, B)
    return compare(Outcomes.from_scores({"a": A, "b": B, "c": other}, metric="rouge"), **options)


def fails():
    return analyse(4)


def holds():
    return analyse(30)


@pytest.mark.parametrize("differing", [0, 9, 10])
def test_ten_for_the_most_similar_pair_are_enough(check, differing):
    result = check(analyse(differing))
    assert (result.figure, bool(result.holds)) == (differing, differing >= 10)


def test_the_remedy_has_no_such_check(check, quiet):
    assert "use method='sign-flip' with adjust='holm'" in check(fails()).message
    answer = analyse(4, method="sign-flip", adjust="holm")
    assert quiet(answer)
    assert answer.pairs.pvalue[2] == 0.125  # four equal signs


def test_only_max_t_has_the_check(carriers):
    assert carriers == {"max-t"}
