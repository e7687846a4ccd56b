"""TA502: every example is independent of the others."""

import numpy as np
import pytest

from tellapart import Outcomes, compare

A, B = np.random.default_rng(0).beta(5, 2, size=(2, 60)).round(3)


def pair(a=A, b=B, **more):
    return Outcomes.from_scores(a, b, **{"metric": "rouge"} | more)


def fails():
    return compare(pair(clusters=np.arange(60) // 4), method="mean-t")


def holds():
    return compare(pair())


@pytest.mark.parametrize(("codes", "largest"), [(np.arange(60) // 4, 4), (np.arange(60), 1), ([0] * 9 + [1] * 51, 51)])
def test_the_figure_is_the_size_of_the_largest_cluster(check, codes, largest):
    result = check(compare(pair(clusters=codes), method="mean-t"))
    assert (result.figure, bool(result.holds)) == (-largest, largest == 1)


def test_the_remedy_accounts_for_clusters(check, quiet):
    """Every example four times: the standard error is that of fifteen examples, not of sixty."""
    codes = np.arange(60) // 4
    a, b = (np.repeat(each[:15], 4) for each in (A, B))
    assert "4 examples in the largest cluster" in check(fails()).message
    answer = compare(pair(a, b, clusters=codes), method="cluster-robust")
    assert quiet(answer)
    once = compare(pair(A[:15], B[:15]), method="mean-t")
    assert answer.pvalue == pytest.approx(float(once.pvalue), rel=1e-9)
