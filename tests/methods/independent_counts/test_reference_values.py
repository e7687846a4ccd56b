"""Every method against fractions and 40-digit arithmetic (tests/references), and against SciPy's tests."""

import csv
from pathlib import Path

import numpy as np
import pytest
from mpmath import mp
from numpy.testing import assert_allclose
from scipy import stats

from tellapart.evidence import IndependentCounts
from tellapart.methods import find_method
from tellapart.methods.independent_counts.conditional import fisher
from tellapart.methods.independent_counts.two_betas import _posterior_parameters, _probability_of_excess, two_betas
from tellapart.methods.independent_counts.unconditional import barnard, boschloo

with (Path(__file__).parents[2] / "references" / "independent_counts.csv").open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))

KINDS = sorted({(row["kind"], row["method"]) for row in ROWS})


def table_of(row):
    return tuple(int(row[name]) for name in ("errors_a", "trials_a", "errors_b", "trials_b"))


def answer(row):
    """Return what the package gives for a row of the file."""
    x, n, y, m = table_of(row)
    counts = IndependentCounts.from_counts(x, n, y, m)
    if row["kind"] == "interval":
        interval = find_method(row["method"], "interval", IndependentCounts)(counts, alpha=float(row["at"]))
        return interval.low, interval.high
    if row["kind"] == "posterior":
        return (
            _probability_of_excess(_posterior_parameters(x, n), _posterior_parameters(y, m), np.float64(row["at"])),
        )
    margin = {"against": float(row["at"])} if row["at"] else {}
    result = find_method(row["method"], "test", IndependentCounts)(counts, alternative=row["side"], **margin)
    return result.pvalue, result.statistic


@pytest.mark.parametrize(("kind", "method"), KINDS)
def test_matches_exact_arithmetic(kind, method):
    """Ten digits at 10⁹ examples, twelve below; a difference of rates near 0.3 has lost some of its own."""
    rows = [row for row in ROWS if (row["kind"], row["method"]) == (kind, method)]
    assert rows
    for row in rows:
        expected = [float(row[name]) for name in ("one", "two") if row[name]]
        tolerance = 1e-10 if max(table_of(row)) >= 10**8 else 1e-12
        # Where the margin is the difference itself, z is 0 and its reference the rounding of -0.1.
        assert_allclose(
            answer(row)[: len(expected)], expected, rtol=tolerance, atol=1e-300 if kind != "test" else 2e-15
        )


def test_small_pvalues_keep_their_digits():
    """The tails of Fisher's test, relatively, down to 10⁻¹³⁰ and at 10⁹ examples."""
    small = [row for row in ROWS if row["method"].startswith("fisher") and float(row["one"]) < 1e-6]
    assert len(small) >= 8
    for row in small:
        assert_allclose(answer(row)[0], float(row["one"]), rtol=1e-12)


@pytest.mark.parametrize("table", [(7, 12, 1, 12), (8, 30, 3, 40), (0, 9, 4, 14), (12, 15, 9, 20), (30, 61, 19, 50)])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_fisher_and_boschloo_are_scipys(table, alternative):
    x, n, y, m = table
    counts, cells = IndependentCounts.from_counts(*table), [[x, y], [n - x, m - y]]
    assert_allclose(
        fisher(counts, alternative=alternative).pvalue,
        stats.fisher_exact(cells, alternative=alternative).pvalue,
        rtol=1e-12,
    )
    theirs = stats.boschloo_exact(cells, alternative=alternative, n=128).pvalue
    assert_allclose(boschloo(counts, alternative=alternative).pvalue, theirs, rtol=1e-9)


def test_barnards_ties_are_ties():
    """SciPy's value for 9/10 against 3/10 is 13 % too small: it loses outcomes of just the same z."""
    x, n, y, m = 9, 10, 3, 10
    counts = IndependentCounts.from_counts(x, n, y, m)
    theirs = stats.barnard_exact([[x, y], [n - x, m - y]], n=128).pvalue
    assert_allclose(barnard(counts).pvalue, 0.007955551147460938, rtol=1e-12)  # by fractions, in the references
    assert theirs < 0.9 * barnard(counts).pvalue


@pytest.mark.parametrize("table", [(30, 100, 20, 100), (0, 12, 5, 50), (0, 30, 0, 30), (4, 400, 1, 7)])
@pytest.mark.parametrize("alpha", [0.1, 0.01])
def test_two_betas_limits_cut_off_their_tails(table, alpha):
    """By mpmath's own quadrature of the posterior at the limits."""
    x, n, y, m = table
    half = mp.mpf(1) / 2
    interval = two_betas(IndependentCounts.from_counts(*table), alpha=alpha)

    def below(limit):
        def integrand(rate):
            top = min(max(rate + limit, 0), 1)
            part = mp.betainc(x + half, n - x + half, 0, top, regularized=True)
            return part * rate ** (y - half) * (1 - rate) ** (m - y - half) / mp.beta(y + half, m - y + half)

        cuts = sorted({0, 1, *(cut for cut in (-limit, 1 - limit, y / m, 0.02, 0.1, 0.3) if 0 < cut < 1)})
        return mp.quad(integrand, cuts)

    assert_allclose(float(below(mp.mpf(float(interval.low)))), alpha / 2, rtol=1e-7)
    assert_allclose(float(below(mp.mpf(float(interval.high)))), 1 - alpha / 2, rtol=1e-7)
