"""TA406: the runs of A and of B share nothing."""

import pytest
from scipy.stats import ttest_ind, ttest_rel

from tellapart import Resamples, compare

A, B = [0.90, 0.88, 0.93, 0.86, 0.91], [0.91, 0.90, 0.94, 0.88, 0.92]


def answer_for(plan, method="welch"):
    more = {"test": 40, "train": 360} if plan == "independent" else {}
    return compare(Resamples.from_scores(A, B, plan=plan, **more), method=method)


def fails():
    return answer_for("5-fold")


def holds():
    return answer_for("seeds")


@pytest.mark.parametrize("method", ["welch", "unpaired-t", "probability-better-run"])
@pytest.mark.parametrize(("plan", "holds"), [("seeds", True), ("5-fold", False), ("independent", False)])
def test_only_seeds_share_nothing(check, method, plan, holds):
    assert check(answer_for(plan, method)).holds == holds


def test_two_heaps_miss_what_pairs_show():
    """SciPy's tests of the same scores, where B is ahead in every one."""
    assert answer_for("independent").pvalue == pytest.approx(ttest_ind(B, A, equal_var=False).pvalue, rel=1e-9)
    assert answer_for("independent", "paired-t").pvalue == pytest.approx(ttest_rel(B, A).pvalue, rel=1e-9)
    assert answer_for("independent").pvalue > 0.3
    assert answer_for("independent", "paired-t").pvalue < 0.01


def test_the_ways_out_compare_split_by_split(check, quiet):
    for name, plan in (("corrected-resampled-t", "5-fold"), ("paired-t", "independent")):
        assert f"Use method='{name}'." in check(answer_for(plan)).message
        assert quiet(answer_for(plan, name))


def test_comparisons_of_runs_carry_it(carriers):
    assert carriers == {"unpaired-t", "welch", "probability-better-run"}
