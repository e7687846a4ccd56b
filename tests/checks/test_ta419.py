"""TA419: the differences vary between the halves of a replicate."""

import numpy as np
import pytest

from tellapart import Resamples, compare

EVEN = [0.80, 0.80, 0.70, 0.70, 0.85, 0.85, 0.75, 0.75, 0.90, 0.90]


def analyse(b, method="5x2cv-t"):
    return compare(Resamples.from_scores([0.9] * 10, b, plan="5x2", examples=300), method=method)


def fails():
    return analyse(EVEN)


def holds():
    return analyse([*EVEN[:9], 0.91])


@pytest.mark.parametrize("method", ["5x2cv-t", "5x2cv-f"])
def test_the_figure_is_the_sum_of_the_variances(check, method):
    """s² of two halves is half their squared difference."""
    b = np.array([0.8, 0.7, 0.75, 0.8, 0.9, 0.85, 0.7, 0.75, 0.8, 0.9])
    assert check(analyse(b, method)).figure == pytest.approx(((b[::2] - b[1::2]) ** 2 / 2).sum())
    assert not check(analyse(EVEN, method)).holds
    assert analyse(EVEN, method).pvalue == 1


def test_one_replicate_that_varies_is_enough(check):
    assert check(holds()).figure == pytest.approx(0.01**2 / 2)
    assert check(holds()).holds


def test_the_remedy_uses_the_spread_between_replicates(check, quiet):
    assert "Use method='corrected-resampled-t', which also uses the spread between replicates" in check(fails()).message
    answer = analyse(EVEN, "corrected-resampled-t")
    assert quiet(answer)
    assert 0 < answer.pvalue < 1


def test_only_5x2cv_has_the_check(carriers):
    assert carriers == {"5x2cv-t", "5x2cv-f"}
