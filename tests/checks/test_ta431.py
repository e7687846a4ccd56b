"""TA431: five disjoint training sets."""

import numpy as np
import pytest

from tellapart import TrainingSets, compare


def answer_for(sets):
    wrong = np.random.default_rng(0).random((2, sets, 40)) < 0.3
    return compare(TrainingSets(wrong.astype(float)), method="quasi-f")


def fails():
    return answer_for(4)


def holds():
    return answer_for(5)


@pytest.mark.parametrize(("sets", "holds"), [(2, False), (4, False), (5, True), (8, True)])
def test_five_are_enough(check, sets, holds):
    result = check(answer_for(sets))
    assert (result.figure, bool(result.holds)) == (sets, holds)


def test_two_of_them_reject_far_too_often():
    """Normal effects of the sets and of the examples, with nothing between the learners."""
    rng = np.random.default_rng(1)

    def size(sets, trials=2000):
        effects = rng.normal(size=(trials, sets, 1)) + 0.5**0.5 * rng.normal(size=(trials, 1, 30))
        a = effects + rng.normal(size=(trials, sets, 30))
        evidence = TrainingSets(np.stack([a, np.zeros_like(a)], axis=1), metric="loss")
        return (compare(evidence, method="quasi-f").pvalue < 0.05).mean()

    assert size(2) > 0.09  # alpha is 0.05, with a standard error of 0.005
    assert size(8) < 0.07


def test_the_way_out_has_more_and_smaller_sets(check, quiet):
    assert "4 training sets, fewer than 5" in check(fails()).message
    assert "such as plan='delve 8x200'" in check(fails()).message
    assert quiet(answer_for(8))


def test_both_methods_for_crossed_designs_carry_it(carriers):
    assert carriers == {"crossed-interval", "quasi-f"}
