"""The power of paired tests, against every table of the trinomial, and figures printed elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import bdtr, gammaln

from tellapart.evidence import PairedTable
from tellapart.methods import find_method, find_methods
from tellapart.numerics.distributions import critical
from tellapart.planning.settings.pairs import PairedSetting
from tellapart.planning.settings.regions import Claim

SLOW = "mcnemar-unconditional"
TESTS = [result for result in find_methods(gives="test", evidence=PairedTable) if result.reads != "cells"]
QUICK = [result for result in TESTS if result.name != SLOW]
MARGINS = [result for result in QUICK if "against" in result.options]


def _name(method):
    return method.name


def pairs(name, disagreement, **claim):
    return PairedSetting(claim=Claim(method=find_method(name, "test", PairedTable), **claim), disagreement=disagreement)


def every_table(n):
    """All tables of n examples, but for who errs with the other: the tests do not look at it."""
    b, c = (part.ravel() for part in np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"))
    possible = b + c <= n
    return b[possible], c[possible]


def trinomial(b, c, n, only_a, only_b):
    """Return the probability of each table, by factorials."""
    rest = n - b - c

    def power(p, k):
        return np.where(k == 0, 0.0, k * (math.log(p) if p > 0 else -np.inf))

    ways = gammaln(n + 1) - gammaln(b + 1) - gammaln(c + 1) - gammaln(rest + 1)
    with np.errstate(invalid="ignore"):
        logs = ways + power(only_a, b) + power(only_b, c) + power(1 - only_a - only_b, rest)
    return np.exp(logs)


def enumerated(
    method, n, disagreement, difference, *, alpha=0.05, alternative="two-sided", margin=None, hypothesis=None
):
    """Return the power as a sum over all tables that the test rejects."""
    b, c = every_table(n)
    table = PairedTable(0 * b, b, c, n - b - c)
    if hypothesis is None:
        rejects = method(table, alternative=alternative).rejected(alpha)
    elif hypothesis == "equivalent":
        above = method(table, against=-margin, alternative="greater").rejected(alpha)
        rejects = above & method(table, against=margin, alternative="less").rejected(alpha)
    else:
        border = -margin if hypothesis == "non-inferior" else margin
        rejects = method(table, against=border, alternative="greater").rejected(alpha)
    chance = trinomial(b, c, n, (disagreement + difference) / 2, (disagreement - difference) / 2)
    return chance[rejects].sum()


# n = 50, only A wrong with .2 and only B with .05; enumerated outside of this package (METHODS, section 12).
PRINTED = [("mcnemar-exact", 0.478), ("mcnemar-mid-p", 0.573), ("mcnemar", 0.574), ("mcnemar-corrected", 0.468)]


@pytest.mark.parametrize(("name", "power"), PRINTED)
def test_matches_figures_from_elsewhere(name, power):
    assert_allclose(pairs(name, 0.25).power(50, 0.15), power, atol=5e-4)


def test_matches_scipys_binomial_for_the_exact_test():
    """All of it from SciPy: the test's p-value is twice the smaller binomial tail, at most 1."""
    for n, disagreement, difference in ((12, 0.5, 0.3), (40, 0.3, 0.15), (90, 0.1, 0.1)):
        b, c = every_table(n)
        rejects = np.minimum(2 * bdtr(np.minimum(b, c), b + c, 0.5), 1) < 0.05
        chance = trinomial(b, c, n, (disagreement + difference) / 2, (disagreement - difference) / 2)
        result = pairs("mcnemar-exact", disagreement).power(n, difference)
        assert_allclose(result, chance[rejects].sum(), rtol=1e-10)


@pytest.mark.parametrize("method", QUICK, ids=_name)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_matches_every_table(method, alternative):
    for n, disagreement, difference in ((1, 0.5, 0.2), (9, 1.0, -0.6), (17, 0.4, 0.4), (30, 0.3, 0.1)):
        for alpha in (0.01, 0.3):
            setting = PairedSetting(
                claim=Claim(method=method, alpha=alpha, alternative=alternative), disagreement=disagreement
            )
            expected = enumerated(method, n, disagreement, difference, alpha=alpha, alternative=alternative)
            assert_allclose(setting.power(n, difference), expected, rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("method", MARGINS, ids=_name)
@pytest.mark.parametrize("hypothesis", ["non-inferior", "superior", "equivalent"])
def test_matches_every_table_with_a_margin(method, hypothesis):
    for n, disagreement, difference, margin in ((8, 0.5, 0.1, 0.3), (25, 0.2, 0.0, 0.1), (30, 0.1, -0.02, 0.2)):
        options = {"margin": margin, "hypothesis": hypothesis}
        for alpha in (0.05, 0.4):
            setting = PairedSetting(claim=Claim(method=method, alpha=alpha, **options), disagreement=disagreement)
            expected = enumerated(method, n, disagreement, difference, alpha=alpha, **options)
            assert_allclose(setting.power(n, difference), expected, rtol=1e-9, atol=1e-14)


def borders(method, n, against, alternative, alpha):
    """Whether the test, asked at every table, ever takes back what it said at a smaller count of A's lone errors."""
    b, c = every_table(n)
    own = {"against": against} if "against" in method.options else {}
    result = method(PairedTable(0 * b, b, c, n - b - c), alternative=alternative, **own)
    for side in (1, -1) if alternative == "two-sided" else (1,) if alternative == "greater" else (-1,):
        speaks = result.rejected(alpha)
        if alternative == "two-sided":
            speaks = speaks & (side * ((b - c) / n - against) > 0)
        grid = np.zeros((n + 1, n + 1), dtype=int)
        grid[b + c, b if side > 0 else c] = speaks
        rows = [grid[significant, : significant + 1] for significant in range(n + 1)]
        yield all(np.all(np.diff(row) >= 0) for row in rows)


@pytest.mark.parametrize("method", TESTS, ids=_name)
def test_more_discordant_errors_of_a_never_take_a_rejection_back(method):
    """On this rests the border: of n² tables that many are looked at."""
    sizes = (1, 2, 7) if method.name == SLOW else (1, 2, 5, 12, 19, 28)
    for n in sizes:
        for against in (0.0, -0.03, 0.2) if "against" in method.options else (0.0,):
            for alternative in ("two-sided", "greater", "less"):
                for alpha in (0.001, 0.05, 0.4):
                    assert all(borders(method, n, against, alternative, alpha))


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from(["mcnemar-exact", "mcnemar-mid-p", "mcnemar", "tango"]),
    st.integers(1, 400),
    st.floats(0.01, 1.0),
    st.floats(0.0, 1.0),
    st.floats(1e-6, 0.4),
)
def test_laws(name, n, disagreement, share, alpha):
    """Swapping A and B turns the difference round; power rises with the difference and stays a probability."""
    setting = pairs(name, disagreement, alpha=alpha)
    steps = disagreement * np.array([0.0, share / 2, share])
    there, back = setting.power(n, steps), setting.power(n, -steps)
    assert_allclose(there, back, rtol=1e-9, atol=1e-12)
    assert np.all((there >= 0) & (there <= 1))
    assert np.all(np.diff(there) >= -1e-9)
    assert_allclose([setting.power(n, step) for step in steps], there, rtol=1e-12, atol=1e-15)


def test_sizes_and_differences_are_broadcast():
    setting = pairs("mcnemar-mid-p", 0.2)
    table = setting.power(np.array([[10], [100], [10]]), [0.05, 0.1])
    assert table.shape == (3, 2)
    assert_allclose(table[0], table[2], rtol=0)
    assert_allclose(table[1, 1], setting.power(100, 0.1), rtol=1e-13)


def test_extremes():
    assert pairs("mcnemar-mid-p", 0.0).power(10, 0.0) == 0
    assert pairs("mcnemar-exact", 1.0).power(6, 1.0) == 1  # six of six: p = 2/64
    assert pairs("mcnemar-exact", 1.0).power(5, 1.0) == 0  # five of five: p = 2/32
    assert pairs("tango", 0.0, margin=0.01, hypothesis="non-inferior").power([267, 268], 0.0).tolist() == [0.0, 1.0]
    assert pairs("mcnemar-mid-p", 0.5, alpha=1e-12).power(1000, 0.5) > 0.999


@pytest.mark.parametrize("n", [10**6, 10**9])
def test_very_many_are_all_but_normal(n):
    """Where every so many-th number of disagreements stands for its neighbours, the normal distribution is near."""
    step = 2.5 * math.sqrt(0.2 / n)
    normal = 0.5 * math.erfc((critical(0.05, "two") - 2.5) / math.sqrt(2))
    assert_allclose(pairs("mcnemar", 0.2).power(n, step), normal, atol=2e-5)


def test_connors_formula_by_hand():
    """Connor (1987): n = (z√ψ + z'√(ψ − δ²))²/δ²; z = 1.959964, z' = 0.841621."""
    expected = (1.959964 * math.sqrt(0.25) + 0.841621 * math.sqrt(0.25 - 0.0225)) ** 2 / 0.0225
    assert_allclose(pairs("mcnemar", 0.25).approximate(0.8, 0.15), expected, rtol=1e-5)
    assert math.isnan(pairs("mcnemar", 0.25).approximate(0.8, 0.0))
