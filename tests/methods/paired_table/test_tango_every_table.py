"""Tango's limits of every table with up to 60 examples, and of large ones, against bisection in longer floats."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ndtri

from tellapart import PairedTable
from tellapart.methods import find_method

TANGO = find_method("tango", "interval", PairedTable)
MOST = 60


def every_table():
    n, b, c = (cell.ravel() for cell in np.indices((MOST + 1, MOST + 1, MOST + 1)))
    possible = (n > 0) & (b + c <= n)
    return b[possible], c[possible], n[possible]


def upper_by_bisection(b, c, n, z):
    """Return where (b − c − nδ)/√(n(2q + δ(1 − δ))) is −z, halving the bracket in 80-bit floats.

    Right of the estimate nothing cancels: q = (√(W² + 8ncδ(1−δ)) − W)/4n is taken in its other form
    where W is positive and δ, too; where δ is negative, A and B are exchanged.
    """
    b, c, n = (np.asarray(cell, dtype=np.longdouble) for cell in (b, c, n))
    estimate = (b - c) / n
    near, far = np.zeros_like(n), 1 - estimate
    for _ in range(90):
        distance = (near + far) / 2
        delta = estimate + distance
        x = np.abs(delta)
        plus, minus = np.where(delta < 0, c, b), np.where(delta < 0, b, c)
        w = (2 * n - plus + minus) * x - plus - minus
        root = np.sqrt(w * w + 8 * n * minus * x * (1 - x))
        with np.errstate(divide="ignore", invalid="ignore"):
            q = np.where(w > 0, 2 * minus * x * (1 - x) / (root + w), (root - w) / (4 * n))
        inside = n * distance * distance <= np.longdouble(z) ** 2 * (2 * q + x * (1 - x))
        near, far = np.where(inside, distance, near), np.where(inside, far, distance)
    return np.where(b == n, np.longdouble(1), estimate + (near + far) / 2).astype(float)


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="this machine has no longer floats to compare with")
@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-12])
def test_ten_digits_for_every_table_of_up_to_60_examples(alpha):
    b, c, n = every_table()
    assert b.size == sum((m + 1) * (m + 2) // 2 for m in range(1, MOST + 1))
    interval = TANGO(PairedTable(0, b, c, n - b - c), alpha=alpha)
    z = float(ndtri(1 - alpha / 2) if alpha > 1e-6 else -ndtri(alpha / 2))
    high = upper_by_bisection(b, c, n, z)
    assert_ten_digits(interval.high, high, (b - c) / n)
    # The mirror image of a table comes from another row, so the lower limits are compared, too.
    assert_ten_digits(interval.low, -upper_by_bisection(c, b, n, z), (b - c) / n)


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="this machine has no longer floats to compare with")
@pytest.mark.parametrize("n", [10**9, 2**53])
def test_ten_digits_at_a_billion_examples_and_at_the_most_there_can_be(n):
    few = [0, 1, 2, 10, 1000]
    many = [10**6, n // 10, n // 4, n // 2 - 10**5, n // 2]
    b, c = (cell.ravel() for cell in np.meshgrid(few + many, few + many))
    for alpha in (0.5, 0.05, 1e-12):
        interval = TANGO(PairedTable(0, b, c, n - b - c), alpha=alpha)
        z = -float(ndtri(alpha / 2))
        assert_ten_digits(interval.high, upper_by_bisection(b, c, n, z), (b - c) / n)
        assert_ten_digits(interval.low, -upper_by_bisection(c, b, n, z), (b - c) / n)


def assert_ten_digits(result, expected, estimate):
    """Compare relatively; where estimate and distance nearly cancel in a limit, the estimate's last digit shows."""
    off = np.abs(result - expected) - 1e-10 * np.abs(expected) - 8 * np.spacing(np.abs(estimate))
    worst = int(np.argmax(off))
    assert off[worst] <= 0, f"found {result[worst]!r}, not {expected[worst]!r}"


def test_no_disagreements_have_limits_in_closed_form():
    n, z = np.array([1, 2, 5, 74, 100, 10**9]), -float(ndtri(0.025))
    interval = TANGO(PairedTable(0, 0, 0, n))
    assert_allclose([interval.low, interval.high], [-(z**2) / (n + z**2), z**2 / (n + z**2)], rtol=1e-14)


def test_one_always_wrong_alone_reaches_the_end_of_the_range():
    n = np.array([1, 2, 30, 10**9])
    interval = TANGO(PairedTable(0, n, 0, 0))
    assert np.all(interval.high == 1)
    assert np.all((interval.low < 1) & (interval.low > -1))
