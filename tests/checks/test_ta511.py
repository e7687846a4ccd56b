"""TA511: at least 40 effective clusters."""

import numpy as np
import pytest

from tellapart import Outcomes, compare


def analyse(count, method="cluster-cr1"):
    codes = np.repeat(np.arange(count), 3)
    scores = np.random.default_rng(2).integers(0, 2, size=(2, codes.size))
    return compare(Outcomes.from_scores(*scores, clusters=codes), method=method)


def fails():
    return analyse(20)


def holds():
    return analyse(40)


@pytest.mark.parametrize("method", ["cluster-cr0", "cluster-cr1"])
@pytest.mark.parametrize("count", [39, 40])
def test_forty_are_enough(check, method, count):
    assert check(analyse(count, method)).figure == pytest.approx(count)
    assert check(analyse(count, method)).holds == (count >= 40)


def test_the_remedy_corrects_for_few_clusters(check, quiet):
    assert "method='cluster-robust'" in check(fails()).message
    assert quiet(analyse(20, "cluster-robust"))


def test_only_cr0_and_cr1_have_the_check(carriers):
    assert carriers == {"cluster-cr0", "cluster-cr1"}
