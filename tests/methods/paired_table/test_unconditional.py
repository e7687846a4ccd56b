"""The exact unconditional test and interval against enumeration in exact fractions and on fine grids."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import gammaln, xlogy

from tellapart import PairedTable
from tellapart.errors import InvalidOption
from tellapart.methods import find_method

TEST = find_method("mcnemar-unconditional", "test", PairedTable)
INTERVAL = find_method("unconditional", "interval", PairedTable)
TANGO = find_method("tango", "interval", PairedTable)


def all_tables(n):
    return [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]


def worst_rate(n, region):
    """Return the largest probability of a set of (b, c) over a fine grid of disagreement rates."""
    by_total = np.zeros(n + 1)
    for b, c in region:
        by_total[b + c] += comb(b + c, b) / 2 ** (b + c)
    theta = np.linspace(0, 1, 20001)[:, None]
    t = np.arange(n + 1)
    ways = gammaln(n + 1) - gammaln(t + 1) - gammaln(n - t + 1)
    return float((np.exp(ways + xlogy(t, theta) + xlogy(n - t, 1 - theta)) @ by_total).max())


@pytest.mark.parametrize("n", [1, 2, 7, 16])
def test_every_table_of_a_size(n):
    """Suissa and Shuster's p-value, its ties told by fractions."""

    def squared(b, c):
        return Fraction((b - c) ** 2, b + c) if b + c else Fraction(0)

    tables = all_tables(n)
    pvalues = TEST(PairedTable(0, *np.array(tables).T, [n - b - c for b, c in tables])).pvalue
    for (b, c), pvalue in zip(tables, pvalues, strict=True):
        region = [other for other in tables if squared(*other) >= squared(b, c)]
        assert_allclose(pvalue, worst_rate(n, region), rtol=1e-6, err_msg=str((b, c)))


def test_ties_that_floats_would_miss_are_counted():
    """Three more of nine and one more of one are the same statistic, 3/√9 = 1/√1, so they have the same tail."""
    here = TEST(PairedTable(0, 6, 3, 1)).pvalue
    there = TEST(PairedTable(0, 1, 0, 9)).pvalue
    assert_allclose(here, there, rtol=1e-12)


def test_it_lies_between_the_asymptotic_and_the_exact_test():
    """Bentur: .034, .0353 and .070."""
    table = PairedTable(1, 1, 7, 12)
    asymptotic, exact = (find_method(name, "test", PairedTable)(table).pvalue for name in ("mcnemar", "mcnemar-exact"))
    assert asymptotic < TEST(table).pvalue < exact


@pytest.mark.parametrize(("n", "alpha"), [(6, 0.05), (9, 0.1)])
def test_the_interval_holds_its_level_everywhere_and_no_more_than_needed(n, alpha):
    """Each side's error is at most alpha/2 at every difference and disagreement, and nearly that somewhere."""
    tables = np.array(all_tables(n)).T
    b, c = tables
    interval = INTERVAL(PairedTable(0, b, c, n - b - c), alpha=alpha)
    ways = gammaln(n + 1) - gammaln(b + 1) - gammaln(c + 1) - gammaln(n - b - c + 1)
    largest = {"low": 0.0, "high": 0.0}
    for delta in np.linspace(-0.98, 0.98, 99):
        psi = np.linspace(abs(delta), 1, 60)[:, None]
        chance = xlogy(b, (psi + delta) / 2) + xlogy(c, np.maximum(psi - delta, 0) / 2) + xlogy(n - b - c, 1 - psi)
        chance = np.exp(ways + chance)
        largest["low"] = max(largest["low"], (chance @ (interval.low > delta)).max())
        largest["high"] = max(largest["high"], (chance @ (interval.high < delta)).max())
    for error in largest.values():
        assert 0.6 * alpha / 2 < error <= alpha / 2 + 1e-9


def test_more_discordant_errors_of_a_never_lower_the_limits():
    n = 12
    b = np.arange(n - 1)
    interval = INTERVAL(PairedTable(0, b, 1, n - 1 - b))
    assert np.all(np.diff(interval.low) >= -1e-9)
    assert np.all(np.diff(interval.high) >= -1e-9)


def test_the_interval_is_near_tangos():
    table = PairedTable(10, 15, 5, 30)
    exact, score = INTERVAL(table), TANGO(table)
    assert_allclose([exact.low, exact.high], [score.low, score.high], atol=0.03)


def test_too_many_examples_are_refused_with_the_way_out():
    with pytest.raises(InvalidOption, match="mcnemar-exact"):
        TEST(PairedTable(0, 5, 3, 10**6))
    with pytest.raises(InvalidOption, match="tango"):
        INTERVAL(PairedTable(0, 5, 3, 10**6))
