"""TA418: the values vary between examples."""

import pytest

from tellapart import Resamples, compare

RIGHT = [1, 1, 0, 1, 1, 1, 1, 1]


def analyse(b, method="cv-wald"):
    return compare(Resamples.from_scores(RIGHT, b, plan="loo"), method=method)


def fails():
    return analyse(RIGHT)


def holds():
    return analyse([1, 0, 0, 1, 1, 1, 1, 1])


def test_the_figure_is_the_standard_error_over_examples(check):
    """One difference of 1 among eight: variance 1/8 − 1/64, over 8 examples."""
    assert check(holds()).figure == pytest.approx(((1 / 8 - 1 / 64) / 8) ** 0.5)
    assert check(holds()).holds


def test_without_discordant_pairs_the_interval_is_the_whole_range(check):
    answer = fails()
    assert not check(answer).holds
    assert (answer.pvalue, answer.interval.low, answer.interval.high) == (1, -1, 1)


def test_a_constant_difference_is_not_variation(check):
    """A always right, B always wrong."""
    always = compare(Resamples.from_scores([1] * 8, [0] * 8, plan="loo"), method="cv-wald")
    assert not check(always).holds


def test_the_remedy_has_an_interval_without_discordant_pairs(check, quiet):
    assert "Use method='mcnemar-on-cv'." in check(fails()).message
    answer = analyse(RIGHT, "mcnemar-on-cv")
    assert quiet(answer)
    assert answer.pvalue == 1
    assert -1 < answer.interval.low < 0 < answer.interval.high < 1


def test_only_cv_wald_has_the_check(carriers):
    assert carriers == {"cv-wald"}
