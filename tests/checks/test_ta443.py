"""TA443: both learners have equally many runs."""

import pytest
from scipy.stats import ttest_ind

from tellapart import Resamples, compare

FEW, MANY = [0.91, 0.79, 0.88], [0.81, 0.8, 0.79, 0.8, 0.805, 0.795, 0.8, 0.8]


def analyse(a, b, method="unpaired-t"):
    return compare(Resamples.from_scores(a, b, plan="seeds"), method=method)


def fails():
    return analyse(FEW, MANY)


def holds():
    return analyse(FEW, FEW[::-1])


@pytest.mark.parametrize(("a", "b", "more"), [(3, 8, 5), (8, 3, 5), (3, 4, 1), (3, 3, 0), (8, 8, 0)])
def test_the_figure_is_the_difference_in_runs(check, a, b, more):
    runs = [0.01 * number for number in range(50, 58)]
    result = check(analyse(runs[:a], runs[:b][::-1]))
    assert (result.figure, bool(result.holds)) == (-more, more == 0)


def test_a_pooled_variance_rejects_and_welch_does_not():
    """SciPy on the same runs: the learner of fewer runs varies more."""
    pooled, difference = (ttest_ind(FEW, MANY, equal_var=equal).pvalue for equal in (True, False))
    assert fails().pvalue == pytest.approx(pooled, rel=1e-9)
    assert analyse(FEW, MANY, "welch").pvalue == pytest.approx(difference, rel=1e-9)
    assert pooled < 0.05 < difference


def test_the_remedy_needs_no_equal_numbers(check, quiet):
    assert "the numbers of runs differ by 5" in check(fails()).message
    assert "Use method='welch'." in check(fails()).message
    assert quiet(analyse(FEW, MANY, "welch"))


def test_only_the_pooled_variance_has_the_check(carriers):
    assert carriers == {"unpaired-t"}
