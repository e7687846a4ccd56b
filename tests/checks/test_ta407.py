"""TA407: 5 replicates."""

import numpy as np
import pytest

from tellapart import Resamples, compare


def analyse(replicates, method="5x2cv-t"):
    b = np.linspace(0.6, 0.8, 2 * replicates)
    return compare(Resamples.from_scores(np.full(b.size, 0.8), b, plan=f"{replicates}x2", examples=300), method=method)


def fails():
    return analyse(4)


def holds():
    return analyse(5)


@pytest.mark.parametrize("method", ["5x2cv-t", "5x2cv-f"])
@pytest.mark.parametrize(("replicates", "off"), [(3, 2), (4, 1), (5, 0), (6, 1), (10, 5)])
def test_the_figure_is_the_difference_from_five(check, method, replicates, off):
    result = check(analyse(replicates, method))
    assert (result.figure, bool(result.holds)) == (-off, off == 0)


def test_the_remedy_takes_any_number_of_replicates(check, quiet):
    assert "differs from 5 by 1: the type I error rate was higher" in check(fails()).message
    assert "Use method='corrected-repeated-kfold-t'" in check(fails()).message
    assert quiet(analyse(4, "corrected-repeated-kfold-t"))


def test_only_5x2cv_has_the_check(carriers):
    assert carriers == {"5x2cv-t", "5x2cv-f"}
