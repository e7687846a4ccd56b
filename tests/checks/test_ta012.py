"""TA012: n p (1 - p) is at least 10 at the threshold p."""

import pytest
from scipy.stats import beta, binom

from tellapart import ErrorCount, compare, find_methods


def fails():
    return compare(ErrorCount(3, 120), against=0.05, method="jeffreys")


def holds():
    return compare(ErrorCount(3, 120), against=0.10, method="jeffreys")


@pytest.mark.parametrize(
    ("trials", "against", "holds"), [(40, 0.5, True), (39, 0.5, False), (54, 0.25, True), (53, 0.25, False)]
)
@pytest.mark.parametrize("errors", [0, 20])
def test_it_depends_on_the_threshold_and_not_on_the_errors(check, errors, trials, against, holds):
    """40·0.25 = 10; 54·0.1875 = 10.125, 53·0.1875 = 9.94."""
    result = check(compare(ErrorCount(errors, trials), against=against, method="mid-p"))
    assert result.figure == pytest.approx(trials * against * (1 - against), rel=1e-14)
    assert result.holds == holds


def test_below_it_the_test_may_reject_three_times_too_often():
    """100 examples at p = 0.0015: the posterior test rejects with one error, which has a probability of 14%."""
    assert beta.cdf(0.0015, 1.5, 99.5) < 0.05
    assert binom.sf(0, 100, 0.0015) > 0.13
    answer = compare(ErrorCount(1, 100), against=0.0015, method="jeffreys", alternative="greater")
    assert answer.pvalue == pytest.approx(beta.cdf(0.0015, 1.5, 99.5), rel=1e-10)


def test_the_remedy_is_the_default_and_does_not_have_this_check(check, quiet):
    assert "n p (1 - p) = 5.7 at the threshold p, below 10" in check(fails()).message
    assert "Use method='clopper-pearson'." in check(fails()).message
    exact = compare(ErrorCount(3, 120), against=0.05, method="clopper-pearson")
    assert quiet(exact)
    assert exact.method == compare(ErrorCount(3, 120), against=0.05).method


def test_tests_valid_for_such_thresholds_have_this_check(carriers):
    """The stated validity of a test agrees with its checks."""
    tests = find_methods(evidence=ErrorCount, gives="test")
    assert carriers == {test.name for test in tests if test.validity == "thresholds p with n p (1 - p) of at least 10"}
    assert {"jeffreys", "mid-p", "wilson"} < carriers


def test_arrays_are_checked_entry_by_entry(check):
    assert check(compare(ErrorCount(3, [39, 40]), against=0.5, method="wilson")).holds.tolist() == [False, True]
