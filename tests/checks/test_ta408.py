"""TA408: the loss of each learner varies by at most 0.5."""

import numpy as np
import pytest

from tellapart import Resamples, compare


def analyse(b, method="5x2cv-t", **more):
    return compare(Resamples.from_scores(np.full(10, 0.8), b, plan="5x2", examples=300, **more), method=method)


def fails():
    return analyse(np.linspace(0.1, 0.9, 10))


def holds():
    return analyse(np.linspace(0.6, 0.8, 10))


@pytest.mark.parametrize(("low", "high", "holds"), [(0.25, 0.75, True), (0.25, 0.8125, False), (0.9, 0.3, False)])
def test_a_range_of_half_passes(check, low, high, holds):
    result = check(analyse(np.linspace(low, high, 10)))
    assert result.figure == pytest.approx(-abs(high - low))
    assert result.holds == holds


def test_the_larger_range_of_both_learners_counts(check):
    swapped = compare(Resamples.from_scores(np.linspace(0.1, 0.9, 10), np.full(10, 0.8), plan="5x2", examples=300))
    assert check(swapped).figure == check(fails()).figure


def test_unbounded_losses_pass(check):
    """A squared error of 40 has no scale to compare it with."""
    assert check(analyse(np.linspace(0, 40, 10), metric="mse", higher_is_better=False)).holds


def test_the_remedy_uses_all_differences(check, quiet):
    assert "varies by 0.8 between test sets (limit 0.5)" in check(fails()).message
    assert (
        "Use method='corrected-repeated-kfold-t', best with 10 repeats of 10-fold cross-validation"
        in check(fails()).message
    )
    ten = Resamples.from_scores(np.full(100, 0.8), np.linspace(0.1, 0.9, 100), plan="10x10", examples=300)
    assert quiet(compare(ten, method="corrected-repeated-kfold-t"))


def test_only_5x2cv_has_the_check(carriers):
    assert carriers == {"5x2cv-t", "5x2cv-f"}
