"""Yang's bounds and conditions, against the table of Theorem 2, exact probabilities and his text."""

import csv
from pathlib import Path

import numpy as np
import pytest
from mpmath import mp, mpf
from numpy.testing import assert_allclose

from tellapart.errors import InvalidOption
from tellapart.methods.selection import misselection_bound, risk_bound, splitting_advice

TARGETS = Path(__file__).parent.parent / "targets"


def test_theorem_2():
    """S3-14: both terms of the bound on a grid, computed elsewhere."""
    with (TARGETS / "s3_theorem2_bound.csv").open() as file:
        rows = [[float(value) for value in row.values()] for row in csv.DictReader(file)]
    n, discordant, log, other, total = np.array(rows).T
    assert len(rows) == 48
    assert_allclose(risk_bound(n, discordant), total, atol=1.5e-8)
    assert_allclose(risk_bound(n, 0.0), log, atol=1e-8)
    assert_allclose(risk_bound(n, discordant) - risk_bound(n, 0.0), other, atol=1.5e-8)


@pytest.mark.parametrize(
    ("difference", "discordant", "n"), [(0.02, 0.1, 1000), (0.3, 0.3, 7), (1e-4, 0.5, 10**6), (0.5, 1, 50)]
)
def test_misselection_is_bernsteins(difference, discordant, n):
    with mp.workdps(30):
        d, v = mpf(difference), mpf(discordant)
        expected = mp.exp(-n * d**2 / (2 * v + 4 * d / 3))
    assert_allclose(misselection_bound(difference, discordant, n), float(expected), rtol=1e-12)
    assert misselection_bound(-difference, discordant, n) == misselection_bound(difference, discordant, n)


@pytest.mark.parametrize(("p", "q"), [(0.1, 0.05), (0.3, 0.2), (0.02, 0.0), (0.5, 0.1)])
@pytest.mark.parametrize("n", [5, 20, 60])
def test_misselection_is_indeed_a_bound(p, q, n):
    """P(lone errors of the better one ≥ those of the other), by enumeration of a trinomial."""
    chances = np.array([1.0])
    for _ in range(n):
        chances = np.convolve(chances, [q, 1 - p - q, p])  # the sum goes from −n to n
    wrongly = chances[: n + 1].sum()  # ties count as wrong, too
    assert wrongly <= misselection_bound(p - q, p + q, n)


def test_bounds_at_their_ends():
    assert misselection_bound(0, 0, 100) == misselection_bound(0, 0.4, 100) == 1
    assert type(misselection_bound(0.1, 0.2, 10)) is np.float64
    assert misselection_bound([0.1, 0.0], 0.2, [[10], [20], [30]]).shape == (3, 2)
    assert misselection_bound(0.1, 0.2, 10**9) == 0
    assert_allclose(risk_bound(1, 0.5), 1.0)
    for wrong in ((0.3, 0.2, 10), (0.1, 1.2, 10), (0.1, 0.2, 0), (np.nan, 0.2, 5), ("a", 0.2, 5)):
        with pytest.raises(InvalidOption, match="must"):
            misselection_bound(*wrong)
    with pytest.raises(InvalidOption, match="`n_test` must be between"):
        risk_bound(0, 0.1)


def test_bounds_are_monotone():
    n = np.arange(1, 2000)
    assert np.all(np.diff(misselection_bound(0.05, 0.2, n)) < 0)
    assert np.all(np.diff(misselection_bound(np.linspace(0, 0.2, 50), 0.2, 100)) < 0)
    assert np.all(np.diff(misselection_bound(0.05, np.linspace(0.05, 1, 50), 100)) > 0)
    assert np.all(np.diff(risk_bound(100, np.linspace(0, 1, 50))) > 0)


@pytest.mark.parametrize(
    ("beta", "eta", "exponent", "fixed", "share"),
    [
        (0.25, 0.0, 0.5, True, 0.25),  # slower than n^−½: a quarter will do
        (0.4, 0.2, 0.6, True, 0.25),
        (0.5, 0.0, 1.0, False, 0.5),  # "parametrically accurate": the quarter fails even asymptotically
        (0.5, 0.25, 0.75, True, 0.5),  # accurate, but agreeing more and more
        (0.9, 0.9, 0.9, True, 0.5),
        (1.0, 1.0, 1.0, False, 0.5),
        (1.0, 0.0, 2.0, False, 0.5),  # Corollary 1's n₂/n₁²
    ],
)
def test_advice_follows_theorem_1(beta, eta, exponent, fixed, share):
    """S3-04, S3-05 and S3-11: n₂/n₁^(2β−η) → ∞, which half and half meets below 1 only."""
    advice = splitting_advice(regret_rate=beta, disagreement_rate=eta)
    assert_allclose(advice.exponent, exponent, rtol=1e-12)
    assert (advice.fixed_ratio, advice.share) == (fixed, share)
    assert ("no fixed ratio" in advice.words) == (not fixed)
    assert ("quarter is enough" in advice.words) == (share == 0.25)
    assert "Theorem 1" in str(advice)
    assert advice.as_dict()["share"] == share


@pytest.mark.parametrize(("beta", "n"), [(0.5, 900), (0.25, 1000), (1.0, 110), (0.75, 10**6)])
def test_the_border_is_where_the_sizes_meet(beta, n):
    advice = splitting_advice(regret_rate=beta, examples=n)
    test = advice.test_size
    assert (n - test) ** (2 * beta) <= test * (1 + 1e-9)
    assert (n - test + 1) ** (2 * beta) > test - 1
    assert f"{test:,} of {n:,} examples" in str(advice)
    if (beta, n) == (1.0, 110):
        assert test == 100  # 10 to train and 10² to test


def test_tuning_is_another_matter():
    assert "leave-one-out" in splitting_advice(regret_rate=0.5, purpose="tune").words


@pytest.mark.parametrize(
    "wrong",
    [
        {"regret_rate": 0},
        {"regret_rate": 1.1},
        {"regret_rate": 0.3, "disagreement_rate": 0.4},
        {"regret_rate": 0.3, "disagreement_rate": -0.1},
        {"regret_rate": 0.3, "examples": -1},
        {"regret_rate": 0.3, "purpose": "win"},
    ],
)
def test_what_no_rate_can_be_is_refused(wrong):
    with pytest.raises(InvalidOption, match="must"):
        splitting_advice(**wrong)
