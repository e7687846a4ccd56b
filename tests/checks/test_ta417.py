"""TA417: both bounds of the standard error lead to the same decision."""

import numpy as np
import pytest
from scipy.stats import t

from tellapart import Resamples, compare

A, B = [0.3, 0.2, 0.4, 0.3], [0.2, 0.2, 0.2, 0.1]


def analyse(times, method="iterated-cv-bounds", **options):
    """Compare by the same four differences, repeated."""
    a, b = np.tile(A, times), np.tile(B, times)
    evidence = Resamples.from_scores(a, b, plan=f"{2 * times}x2", metric="error", examples=300)
    return compare(evidence, method=method, **options)


def fails():
    return analyse(25)


def holds():
    return analyse(25, alpha=0.5)


def test_the_bounds_differ_by_the_root_of_the_replicates(check):
    """S(x)/√m ≤ S(x̄) ≤ S(x), by hand: fifty replicates of two folds."""
    difference = np.tile(np.subtract(A, B), 25)
    ratio = difference.mean() / difference.std(ddof=1)
    upper, lower = (2 * t.sf(ratio * root, 99) for root in (1, 50**0.5))
    assert analyse(25).pvalue == pytest.approx(upper, rel=1e-9)
    assert analyse(25, bound="lower").pvalue == pytest.approx(lower, rel=1e-9)
    assert lower < 0.05 < upper
    assert (check(analyse(25)).figure, bool(check(analyse(25)).holds)) == (0, False)


def test_at_an_alpha_above_both_they_agree(check):
    assert (check(holds()).figure, bool(check(holds()).holds)) == (1, True)


def test_the_remedy_estimates_the_standard_error(check, quiet):
    assert "lead to different decisions: which of them is right is unknown" in check(fails()).message
    assert "Use method='corrected-repeated-kfold-t', which estimates the standard error" in check(fails()).message
    answer = analyse(25, "corrected-repeated-kfold-t")
    assert quiet(answer)
    assert analyse(25, bound="lower").pvalue < answer.pvalue < 1


def test_only_the_bounds_have_the_check(carriers):
    assert carriers == {"iterated-cv-bounds"}
