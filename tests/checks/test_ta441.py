"""TA441: the difference on top speaks for the same learner as the mean of all."""

import pytest

from tellapart import Resamples, compare

ODD = [0.10, 0.111, 0.25, 0.251, 0.25, 0.251, 0.25, 0.251, 0.25, 0.251]


def answer_for(a, b=0.2, method="5x2cv-t", plan="5x2", **options):
    evidence = Resamples.from_scores(a, [b] * len(a), plan=plan, metric="error", examples=1000)
    return compare(evidence, method=method, **options)


def fails():
    return answer_for(ODD)


def holds():
    return answer_for(ODD[2:] + ODD[:2])


def test_one_odd_difference_on_top_is_found_out(check):
    """A is better by 10 points in the first half, and worse by 2 on average."""
    assert sum(ODD) / 10 - 0.2 == pytest.approx(0.0215, abs=1e-4)
    assert fails().better == "A"
    assert (check(fails()).figure, bool(check(fails()).holds)) == (-1, False)
    assert (check(holds()).figure, bool(check(holds()).holds)) == (1, True)


def test_the_difference_that_was_asked_for_is_on_top(check):
    """Of the second replicate, first half."""
    assert check(answer_for(ODD, numerator=(2, 1))).holds


def test_where_one_of_them_is_nothing_nobody_is_contradicted(check):
    assert check(answer_for([0.2, 0.211, *ODD[2:]])).figure == 0
    assert check(answer_for([0.2, 0.211, *ODD[2:]])).holds


def test_a_single_fold_stands_on_one_as_well(check):
    assert not check(answer_for([0.1, 0.25, 0.26, 0.3], method="single-fold-t", plan="4-fold")).holds
    assert check(answer_for([0.3, 0.25, 0.26, 0.3], method="single-fold-t", plan="4-fold")).holds


def test_the_way_out_judges_the_mean(check, quiet):
    assert "Use method='corrected-resampled-t', which tests the mean" in check(fails()).message
    answer = answer_for(ODD, method="corrected-resampled-t")
    assert quiet(answer)
    assert answer.difference > 0


def test_tests_by_one_difference_carry_it(carriers):
    assert carriers == {"5x2cv-t", "single-fold-t"}
