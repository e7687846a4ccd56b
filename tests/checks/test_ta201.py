"""TA201: the smaller test set has at least half the size of the larger one."""

import numpy as np
import pytest
from scipy.stats import binom

from tellapart import IndependentCounts, compare


def answer_of(m, n, method="pooled-z"):
    return compare(IndependentCounts.from_counts(3, m, 10, n), method=method)


def fails():
    return answer_of(20, 200)


def holds():
    return answer_of(100, 200)


@pytest.mark.parametrize("method", ["miettinen-nurminen", "mee", "pooled-z", "n-1-z"])
@pytest.mark.parametrize(
    ("m", "n", "holds"), [(100, 49, False), (49, 100, False), (100, 50, True), (50, 100, True), (100, 100, True)]
)
def test_one_half_is_enough_in_either_order(check, method, m, n, holds):
    result = check(answer_of(m, n, method))
    assert (result.figure, bool(result.holds)) == (min(m, n) / max(m, n), holds)


def test_below_it_the_type_i_error_rate_is_twice_alpha():
    """Error rates of 0.7% in sets of 20 and 1,000 examples: all likely outcomes with their probabilities."""
    a, b = (each.ravel() for each in np.mgrid[0:6, 0:41])
    pvalue = compare(IndependentCounts.from_counts(a, 20, b, 1000), method="pooled-z").pvalue
    chance = binom.pmf(a, 20, 0.007) * binom.pmf(b, 1000, 0.007)
    assert chance.sum() > 1 - 1e-8
    assert 0.09 < chance[pvalue < 0.05].sum() < 0.11


def test_the_remedy_does_not_have_this_check(check, quiet):
    assert "a share of 0.1 of the larger one's size, below 0.5: the type I error rate" in check(fails()).message
    assert check(fails()).remedy == "Use method='fisher-mid-p'."
    assert check(answer_of(9, 200)).remedy == "Use method='fisher'."  # mid-p is valid from 10 examples on
    with_margin = compare(IndependentCounts.from_counts(3, 20, 10, 200), margin=0.1)
    assert check(with_margin).remedy == "Add examples to the smaller test set."
    for name in ("fisher-mid-p", "boschloo", "fisher"):
        assert quiet(answer_of(20, 200, name))


def test_arrays_are_checked_entry_by_entry(check, carriers):
    result = check(compare(IndependentCounts.from_counts(3, [49, 50], 10, 100), method="pooled-z"))
    assert result.holds.tolist() == [False, True]
    assert carriers == {"mee", "miettinen-nurminen", "n-1-z", "pooled-z"}
