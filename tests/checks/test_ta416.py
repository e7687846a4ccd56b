"""TA416: 2 folds."""

import numpy as np
import pytest

from tellapart import Resamples, compare


def analyse(plan, method="calibrated-t"):
    replicates, folds = (int(number) for number in plan.split("x"))
    a = np.linspace(0.7, 0.9, replicates * folds)
    return compare(Resamples.from_scores(a, a[::-1] ** 2, plan=plan, examples=300), method=method)


def fails():
    return analyse("2x5")


def holds():
    return analyse("5x2")


@pytest.mark.parametrize(("plan", "more"), [("5x2", 0), ("2x2", 0), ("2x3", 1), ("2x5", 3), ("3x10", 8)])
def test_the_figure_is_the_number_of_folds_above_two(check, plan, more):
    result = check(analyse(plan))
    assert (result.figure, bool(result.holds)) == (-more, more == 0)


def test_the_remedy_takes_any_number_of_folds(check, quiet):
    assert "the design has 3 folds more than 2" in check(fails()).message
    assert "Use method='corrected-repeated-kfold-t', which takes any number of folds" in check(fails()).message
    assert quiet(analyse("2x5", "corrected-repeated-kfold-t"))


def test_only_the_calibrated_t_has_the_check(carriers):
    assert carriers == {"calibrated-t"}
