"""Limits that square and add the distances of Wilson's limits: to the last digits, at every size and at every rate."""

from itertools import permutations, product

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tellapart import IndependentCounts, PairedTable
from tellapart.methods.error_count.wilson_score import score_distances
from tellapart.methods.independent_counts.closed_form import newcombe, newcombe_cc
from tellapart.methods.paired_table.closed_form import newcombe_paired

SIZES = (7, 100, 10**9, 10**15)
ALPHAS = (0.5, 0.01)
FEW_ULPS = 8 * np.finfo(float).eps


def paired_tables(n):
    """Return tables of n examples in which one cell, or two, hold nearly all."""
    few = {(n // 2, 1, 0, n - 1 - n // 2), (1, 1, 0, n - 2), (n, 0, 0, 0)}
    return sorted({order for cells in few for order in permutations(cells)})


def two_sets(n):
    few = (0, n // 2, n - 1, n)
    return sorted({(x, n, y, m) for m in (7, n) for x, y in product(few, (0, 1, m // 2, m))})


def wilson(errors, trials, alpha):
    """Return the roots p of (e − p)² = z² p(1 − p)/M, with 40 digits."""
    z = mpmath.sqrt(2) * mpmath.erfinv(1 - mpmath.mpf(alpha))
    m, size = mpmath.mpf(errors), mpmath.mpf(trials)
    root = z * mpmath.sqrt(m * (size - m) / size + z * z / 4)
    return (m + z * z / 2 - root) / (size + z * z), (m + z * z / 2 + root) / (size + z * z)


def newcombe_1998c(a, b, c, d, alpha):
    """Return Newcombe's method 10 for paired proportions as his paper has it, with 40 digits."""
    n = mpmath.mpf(a + b + c + d)
    together = mpmath.mpf(a) * d - mpmath.mpf(b) * c
    margins = mpmath.sqrt(mpmath.mpf(a + b) * (c + d) * (a + c) * (b + d))
    together = max(together - n / 2, mpmath.mpf(0)) if together > 0 else together
    phi = together / margins if margins else mpmath.mpf(0)
    p, q = (a + b) / n, (a + c) / n
    (low_a, high_a), (low_b, high_b) = wilson(a + b, n, alpha), wilson(a + c, n, alpha)
    below, above = (
        mpmath.sqrt(x * x - 2 * phi * x * y + y * y) for x, y in ((p - low_a, high_b - q), (high_a - p, q - low_b))
    )
    return max(p - q - below, mpmath.mpf(-1)), p - q, min(p - q + above, mpmath.mpf(1))


def newcombe_1998b(x, n, y, m, alpha, half):
    """Return Newcombe's method 10 (half = 0) or 11 (half = 1/2) for two test sets, with 40 digits."""
    low_a, high_a = mpmath.mpf(0), mpmath.mpf(1)
    low_b, high_b = mpmath.mpf(0), mpmath.mpf(1)
    if x > 0 or not half:
        low_a = wilson(x - half, n, alpha)[0]
    if x < n or not half:
        high_a = wilson(x + half, n, alpha)[1]
    if y > 0 or not half:
        low_b = wilson(y - half, m, alpha)[0]
    if y < m or not half:
        high_b = wilson(y + half, m, alpha)[1]
    p, q = mpmath.mpf(x) / n, mpmath.mpf(y) / m
    below, above = mpmath.hypot(p - low_a, high_b - q), mpmath.hypot(high_a - p, q - low_b)
    return max(p - q - below, mpmath.mpf(-1)), p - q, min(p - q + above, mpmath.mpf(1))


def assert_to_a_few_ulps(limits, expected):
    """Compare in ulps of the larger of the difference and the distance from it: what the limit is made of."""
    low, difference, high = expected
    for limit, exact in ((limits.low, low), (limits.high, high)):
        size = max(abs(difference), abs(exact - difference))
        assert abs(mpmath.mpf(float(limit)) - exact) <= FEW_ULPS * size


@pytest.mark.parametrize("n", SIZES)
def test_paired_limits_agree_with_forty_digits(n):
    with mpmath.workdps(40):
        for cells, alpha in product(paired_tables(n), ALPHAS):
            assert_to_a_few_ulps(newcombe_paired(PairedTable(*cells), alpha=alpha), newcombe_1998c(*cells, alpha))


@pytest.mark.parametrize(("method", "half"), [(newcombe, 0), (newcombe_cc, mpmath.mpf("0.5"))])
@pytest.mark.parametrize("n", SIZES)
def test_limits_of_two_test_sets_agree_with_forty_digits(n, method, half):
    with mpmath.workdps(40):
        for counts, alpha in product(two_sets(n), ALPHAS):
            limits = method(IndependentCounts.from_counts(*counts), alpha=alpha)
            assert_to_a_few_ulps(limits, newcombe_1998b(*counts, alpha, half))


@pytest.mark.parametrize("side", ["two", "upper", "lower"])
@pytest.mark.parametrize("alpha", [0.7, *ALPHAS])
def test_paired_limits_mirror_to_the_bit_where_right_and_wrong_are_exchanged(alpha, side):
    """error(A) − error(B) is success(B) − success(A), so the mirrored table has the negative limits."""
    a, b, c, d = np.array([cells for n in SIZES for cells in paired_tables(n)]).T
    other = {"two": "two", "upper": "lower", "lower": "upper"}[side]
    limits = newcombe_paired(PairedTable(a, b, c, d), alpha=alpha, side=side)
    for mirrored in (PairedTable(d, c, b, a), PairedTable(a, c, b, d)):
        opposite = newcombe_paired(mirrored, alpha=alpha, side=other)
        assert_array_equal(limits.low, -opposite.high)
        assert_array_equal(limits.high, -opposite.low)


@pytest.mark.parametrize("z", [1.96, 0.0, -0.5])
def test_distances_are_exchanged_with_errors_and_successes(z):
    errors, trials = np.array([(m, n) for n in SIZES for m in (0, 1, n // 3, n // 2, n - 1, n)]).T
    below, above = score_distances(errors, trials, z)
    mirrored = score_distances(trials - errors, trials, z)
    assert_array_equal(below, mirrored[1])
    assert_array_equal(above, mirrored[0])
    assert_array_equal(np.sign(below + above), np.sign(z))
