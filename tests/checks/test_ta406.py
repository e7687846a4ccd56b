"""TA406: the runs of the two learners are independent."""

import pytest
from scipy.stats import ttest_ind, ttest_rel

from tellapart import Resamples, compare

A, B = [0.90, 0.88, 0.93, 0.86, 0.91], [0.91, 0.90, 0.94, 0.88, 0.92]


def analyse(plan, method="welch"):
    more = {"test": 40, "train": 360} if plan == "independent" else {}
    return compare(Resamples.from_scores(A, B, plan=plan, **more), method=method)


def fails():
    return analyse("5-fold")


def holds():
    return analyse("seeds")


@pytest.mark.parametrize("method", ["welch", "unpaired-t", "probability-better-run"])
@pytest.mark.parametrize(("plan", "holds"), [("seeds", True), ("5-fold", False), ("independent", False)])
def test_only_seeds_are_independent(check, method, plan, holds):
    assert check(analyse(plan, method)).holds == holds


def test_an_unpaired_test_has_less_power():
    """SciPy's tests of the same scores; B is ahead in every run."""
    assert analyse("independent").pvalue == pytest.approx(ttest_ind(B, A, equal_var=False).pvalue, rel=1e-9)
    assert analyse("independent", "paired-t").pvalue == pytest.approx(ttest_rel(B, A).pvalue, rel=1e-9)
    assert analyse("independent").pvalue > 0.3
    assert analyse("independent", "paired-t").pvalue < 0.01


def test_the_remedies_are_paired(check, quiet):
    for name, plan in (("corrected-resampled-t", "5-fold"), ("paired-t", "independent")):
        assert f"Use method='{name}'." in check(analyse(plan)).message
        assert quiet(analyse(plan, name))


def test_comparisons_of_runs_have_the_check(carriers):
    assert carriers == {"unpaired-t", "welch", "probability-better-run"}
