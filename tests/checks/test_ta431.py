"""TA431: at least 5 training sets."""

import numpy as np
import pytest

from tellapart import TrainingSets, compare


def analyse(sets):
    wrong = np.random.default_rng(0).random((2, sets, 40)) < 0.3
    return compare(TrainingSets(wrong.astype(float)), method="quasi-f")


def fails():
    return analyse(4)


def holds():
    return analyse(5)


@pytest.mark.parametrize(("sets", "holds"), [(2, False), (4, False), (5, True), (8, True)])
def test_five_are_enough(check, sets, holds):
    result = check(analyse(sets))
    assert (result.figure, bool(result.holds)) == (sets, holds)


def test_two_training_sets_reject_far_too_often():
    """Normal effects of the sets and of the examples; the learners are equally good."""
    rng = np.random.default_rng(1)

    def size(sets, trials=2000):
        effects = rng.normal(size=(trials, sets, 1)) + 0.5**0.5 * rng.normal(size=(trials, 1, 30))
        a = effects + rng.normal(size=(trials, sets, 30))
        evidence = TrainingSets(np.stack([a, np.zeros_like(a)], axis=1), metric="loss")
        return (compare(evidence, method="quasi-f").pvalue < 0.05).mean()

    assert size(2) > 0.09  # alpha is 0.05, with a standard error of 0.005
    assert size(8) < 0.07


def test_the_remedy_has_more_and_smaller_sets(check, quiet):
    assert "4 training sets, fewer than 5" in check(fails()).message
    assert "such as plan='delve 8x200'" in check(fails()).message
    assert quiet(analyse(8))


def test_both_methods_for_crossed_designs_have_the_check(carriers):
    assert carriers == {"crossed-interval", "quasi-f"}
