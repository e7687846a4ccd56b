"""Numerical traps that broke other packages: each has its test, with the right answer beside it."""

import tracemalloc

import numpy as np
import pytest
from mpmath import mp, mpf
from numpy.testing import assert_allclose

from tellapart import ErrorCount, IndependentCounts, PairedTable, compare, estimate
from tellapart.methods.independent_counts.conditional import fisher, fisher_mid_p
from tellapart.methods.independent_counts.unconditional import barnard, boschloo
from tellapart.methods.paired_table.closed_form import newcombe_paired
from tellapart.methods.paired_table.mcnemar import mcnemar, mcnemar_corrected, mcnemar_exact, mcnemar_mid_p
from tellapart.methods.paired_table.tango_score import tango

BILLION = 10**9


@pytest.mark.parametrize("scale", [1, 430, 110_000, 10**6, 10**7])
def test_the_product_of_four_margins_does_not_overflow(scale):
    """In int32 it does at n ≈ 430, in int64 at n ≈ 110 000; φ is the same for every multiple of a table."""
    cells = np.array([20, 12, 2, 16]) * scale
    limits = newcombe_paired(PairedTable(*cells))
    mp.dps = 50
    a, b, c, d = (mpf(int(cell)) for cell in cells)
    n, z = a + b + c + d, mp.sqrt(2) * mp.erfinv(mpf("0.95"))

    def wilson(errors, sign):
        return (errors + z**2 / 2 + sign * z * mp.sqrt(errors * (n - errors) / n + z**2 / 4)) / (n + z**2)

    first, second = (a + b) / n, (a + c) / n
    together = a * d - b * c
    phi = max(together - n / 2, 0) / mp.sqrt((a + b) * (c + d) * (a + c) * (b + d))
    below, above = first - wilson(a + b, -1), wilson(a + c, 1) - second
    low = first - second - mp.sqrt(below**2 - 2 * phi * below * above + above**2)
    assert_allclose(limits.low, float(low), rtol=1e-10)


def test_ties_in_exact_tests_are_reported_by_whole_numbers():
    """Barnard's test of 9/10 against 3/10: rounding that parts the mirror image from the outcome loses 13 %.

    The right value, from exact fractions over a fine grid of the common rate, holds both.
    """
    counts = IndependentCounts.from_counts(9, 10, 3, 10)
    mp.dps = 30

    def square(x, y):  # of the pooled z, up to a factor
        total = x + y
        return 0 if total in {0, 20} else mpf((x - y) ** 2) / (total * (20 - total))

    seen = square(9, 3)
    region = [(x, y) for x in range(11) for y in range(11) if square(x, y) >= seen]
    assert (3, 9) in region
    assert (1, 7) in region  # the mirror image, errors and successes exchanged

    def size(rate):
        chance = [mp.binomial(10, k) * rate**k * (1 - rate) ** (10 - k) for k in range(11)]
        return mp.fsum(chance[x] * chance[y] for x, y in region)

    largest = max(size(mpf(step) / 2000) for step in range(1, 2000))
    assert_allclose(barnard(counts).pvalue, float(largest), rtol=1e-5)
    # A table and its mirror image are one outcome to every exact test.
    for test in (fisher, fisher_mid_p, boschloo, barnard):
        assert_allclose(test(counts).pvalue, test(IndependentCounts.from_counts(1, 10, 7, 10)).pvalue, rtol=1e-12)


def test_a_tail_is_not_one_minus_the_rest():
    """All of 200 lone errors are A's: 2·2⁻²⁰⁰, and half of it by mid-p; 1 − cdf would be 0."""
    table = PairedTable(0, 200, 0, 800)
    assert mcnemar_exact(table).pvalue == 2.0**-199
    assert mcnemar_mid_p(table).pvalue == 2.0**-200
    mp.dps = 40
    assert_allclose(mcnemar(table).pvalue, float(mp.erfc(mp.sqrt(100))), rtol=1e-10)
    assert_allclose(
        fisher(IndependentCounts.from_counts(300, 300, 0, 300)).pvalue, float(2 / mp.binomial(600, 300)), rtol=1e-10
    )


def test_a_pvalue_is_never_zero():
    for test in (mcnemar, mcnemar_corrected, mcnemar_exact, mcnemar_mid_p):
        assert test(PairedTable(0, BILLION, 0, 0)).pvalue == np.finfo(float).tiny
    assert "p < 1e-307" in str(compare(PairedTable(0, 10**6, 0, 10**6)))


def test_alpha_keeps_the_digits_that_a_level_near_one_loses():
    """The 1 − 10⁻¹² interval of no disagreements is ±z²/(n + z²)."""
    mp.dps = 40
    z = mp.sqrt(2) * mp.erfinv(1 - mpf(10) ** -12)
    right = float(z**2 / (100 + z**2))
    table = PairedTable(0, 0, 0, 100)
    assert_allclose(compare(table, alpha=1e-12).interval.high, right, rtol=1e-12)
    assert compare(table, level=1 - 1e-12).interval.high != right


def test_limits_keep_their_digits_at_a_billion_examples():
    """An absolute tolerance of 10⁻⁷ would leave nothing of limits of this size."""
    limits = tango(PairedTable(0, 1000, 1000, BILLION - 2000)).interval()
    mp.dps = 60
    n, b, c, z = mpf(BILLION), mpf(1000), mpf(1000), mp.sqrt(2) * mp.erfinv(mpf("0.95"))

    def score(delta):
        middle = -b - c + (2 * n - b + c) * delta
        q = (mp.sqrt(middle**2 + 8 * n * c * delta * (1 - delta)) - middle) / (4 * n)
        return (b - c - n * delta) / mp.sqrt(n * (2 * q + delta * (1 - delta))) + z

    right = mp.findroot(score, (mpf("1e-8"), mpf("1e-6")), solver="anderson", tol=mpf(10) ** -80)
    assert_allclose(limits.high, float(right), rtol=1e-11)
    assert limits.low == -limits.high


def test_no_vector_of_the_examples_length_is_needed():
    tables = [PairedTable(0, 5 * 10**8 + 20_000, 5 * 10**8 - 20_000, 0), PairedTable(10**8, 10**8, 10**8, 7 * 10**8)]
    mcnemar_exact(tables[0])  # SciPy is loaded here, not below
    tracemalloc.start()
    for table in tables:
        mcnemar_exact(table), mcnemar_mid_p(table), tango(table).interval()
        compare(IndependentCounts(table.count_a, table.count_b))
        estimate(table.count_a)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50_000_000  # a vector of 10⁹ bytes would be twenty times that


@pytest.mark.parametrize("each", [0, 1, 5, 10, BILLION // 2])
def test_equal_discordant_errors_show_no_difference_with_any_correction(each):
    table = PairedTable(1, each, each, 1)
    for test in (mcnemar, mcnemar_corrected):
        assert (test(table).statistic, test(table).pvalue) == (0, 1)
    for test in (mcnemar_exact, mcnemar_mid_p):
        assert test(table).pvalue == 1


def test_angles_and_odds_at_the_ends_do_not_fold_back():
    for name in ("arcsine", "logit"):
        for count in (ErrorCount(0, 20), ErrorCount(20, 20)):
            limits = estimate(count, method=name).interval
            assert 0 <= limits.low < limits.high <= 1


@pytest.mark.parametrize(
    ("errors", "trials", "method", "low", "high"),
    [
        (0, 100, "clopper-pearson", 0, 0.0362),  # others print [0, 0]
        (0, 100, "wilson", 0, 0.037),  # 100 of 100 right: [0.963, 1], others [1, 1]
        (1, 40, "jeffreys", 0, 0.14),  # 39 of 40 right: others print an accuracy of up to 1.026
    ],
)
def test_no_errors_are_no_certainty_and_no_rate_exceeds_1(errors, trials, method, low, high):
    """By R's binom.test and Newcombe's formula: 1 − 0.025^(1/100) = 0.0362, z²/(100 + z²) = 0.0370."""
    limits = estimate(ErrorCount(errors, trials), method=method).interval
    assert low <= limits.low < limits.high <= high + 1e-3
    assert limits.high > 0.03
