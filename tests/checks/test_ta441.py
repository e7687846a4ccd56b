"""TA441: the difference in the numerator and the mean difference have the same sign."""

import pytest

from tellapart import Resamples, compare

ODD = [0.10, 0.111, 0.25, 0.251, 0.25, 0.251, 0.25, 0.251, 0.25, 0.251]


def analyse(a, b=0.2, method="5x2cv-t", plan="5x2", **options):
    evidence = Resamples.from_scores(a, [b] * len(a), plan=plan, metric="error", examples=1000)
    return compare(evidence, method=method, **options)


def fails():
    return analyse(ODD)


def holds():
    return analyse(ODD[2:] + ODD[:2])


def test_an_outlier_in_the_numerator_fails(check):
    """A is better by 10 percentage points in the first half, and worse by 2 on average."""
    assert sum(ODD) / 10 - 0.2 == pytest.approx(0.0215, abs=1e-4)
    assert fails().better == "A"
    assert (check(fails()).figure, bool(check(fails()).holds)) == (-1, False)
    assert (check(holds()).figure, bool(check(holds()).holds)) == (1, True)


def test_the_requested_numerator_counts(check):
    """The numerator is the first half of the second replicate."""
    assert check(analyse(ODD, numerator=(2, 1))).holds


def test_a_difference_of_0_contradicts_nothing(check):
    assert check(analyse([0.2, 0.211, *ODD[2:]])).figure == 0
    assert check(analyse([0.2, 0.211, *ODD[2:]])).holds


def test_a_single_fold_has_the_check_too(check):
    assert not check(analyse([0.1, 0.25, 0.26, 0.3], method="single-fold-t", plan="4-fold")).holds
    assert check(analyse([0.3, 0.25, 0.26, 0.3], method="single-fold-t", plan="4-fold")).holds


def test_the_remedy_tests_the_mean(check, quiet):
    assert "Use method='corrected-resampled-t', which tests the mean" in check(fails()).message
    answer = analyse(ODD, method="corrected-resampled-t")
    assert quiet(answer)
    assert answer.difference > 0


def test_tests_of_one_difference_have_the_check(carriers):
    assert carriers == {"5x2cv-t", "single-fold-t"}
