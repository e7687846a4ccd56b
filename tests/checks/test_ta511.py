"""TA511: as many clusters as forty of equal weight, for standard errors without the finer correction."""

import numpy as np
import pytest

from tellapart import Outcomes, compare


def answer_for(count, method="cluster-cr1"):
    codes = np.repeat(np.arange(count), 3)
    scores = np.random.default_rng(2).integers(0, 2, size=(2, codes.size))
    return compare(Outcomes.from_scores(*scores, clusters=codes), method=method)


def fails():
    return answer_for(20)


def holds():
    return answer_for(40)


@pytest.mark.parametrize("method", ["cluster-cr0", "cluster-cr1"])
@pytest.mark.parametrize("count", [39, 40])
def test_forty_are_enough(check, method, count):
    assert check(answer_for(count, method)).figure == pytest.approx(count)
    assert check(answer_for(count, method)).holds == (count >= 40)


def test_the_way_out_corrects_for_few(check, quiet):
    assert "method='cluster-robust'" in check(fails()).message
    assert quiet(answer_for(20, "cluster-robust"))


def test_only_the_plain_sandwiches_carry_it(carriers):
    assert carriers == {"cluster-cr0", "cluster-cr1"}
