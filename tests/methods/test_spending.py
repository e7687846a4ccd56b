"""Boundaries of planned looks against published tables, against multivariate normal integrals, and their own laws."""

import math
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.stats import multivariate_normal, norm

from tellapart.bibliography import REFERENCES
from tellapart.errors import InvalidOption
from tellapart.methods.spending import SOURCES, Spending, spending_boundaries, spent

FIVE = [0.2, 0.4, 0.6, 0.8, 1.0]
SPENDINGS = get_args(Spending)
seldom = settings(derandomize=True, deadline=None, max_examples=12)

# The vignette of the R package ldbounds (whose integration is good to some 1e-4), two-sided alpha 0.05; the same five
# looks in Reboussin, DeMets, Kim and Lan 2000. Two looks: gsDesign, sfLDOF. One side: SeqBounds.jl, alpha 0.05.
PUBLISHED = [
    ("obrien-fleming", "two", 0.05, FIVE, [4.8769, 3.3569, 2.6803, 2.2898, 2.0310]),
    ("pocock", "two", 0.05, FIVE, [2.4380, 2.4268, 2.4101, 2.3966, 2.3859]),
    ("obrien-fleming", "two", 0.05, [0.5, 1.0], [2.9626, 1.9686]),
    ("obrien-fleming", "upper", 0.05, [0.25, 0.5, 0.75, 1.0], [3.74955, 2.53993, 2.01604, 1.72014]),
]


@pytest.mark.parametrize(("spending", "side", "alpha", "fractions", "published"), PUBLISHED)
def test_published_boundaries(spending, side, alpha, fractions, published):
    assert_allclose(spending_boundaries(fractions, alpha=alpha, spending=spending, side=side), published, atol=1.5e-4)


def test_what_is_spent_is_what_lan_and_demets_write():
    """Their functions of one side, 2 − 2Φ(z/√t) and a ln(1 + (e − 1)t), by another normal distribution."""
    for t in (0.01, 0.3, 0.99, 1.0):
        obrien = 2 * 2 * norm.sf(norm.isf(0.0125) / math.sqrt(t))
        assert_allclose(spent(t), obrien, rtol=1e-12)
        assert_allclose(
            spent(t, 0.05, "obrien-fleming", "upper"), 2 * norm.sf(norm.isf(0.025) / math.sqrt(t)), rtol=1e-12
        )
        assert_allclose(spent(t, 0.05, "pocock"), 0.05 * math.log(1 + (math.e - 1) * t), rtol=1e-12)


@pytest.mark.parametrize("spending", SPENDINGS)
@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-4, 1e-10])
def test_all_of_alpha_is_spent_and_nothing_before_the_beginning(spending, alpha):
    assert_allclose(spent([0.0, 1.0], alpha, spending), [0.0, alpha], rtol=1e-9, atol=0)


# --- By other integrals ---


def crossing(bounds, fractions, side):
    """Return the probability of each first crossing, by integrals of the multivariate normal distribution."""
    times = np.asarray(fractions)
    corr = np.sqrt(np.minimum.outer(times, times) / np.maximum.outer(times, times))
    stays = [1.0]
    for k in range(1, times.size + 1):
        low = -np.asarray(bounds[:k]) if side == "two" else np.full(k, -np.inf)
        normal = multivariate_normal(np.zeros(k), corr[:k, :k], seed=0, abseps=1e-8, releps=1e-8, maxpts=200_000)
        stays.append(normal.cdf(bounds[:k], lower_limit=low))
    return -np.diff(stays)


@pytest.mark.parametrize("spending", SPENDINGS)
@pytest.mark.parametrize("side", ["two", "upper"])
@pytest.mark.parametrize("fractions", [[0.5, 1.0], [0.1, 0.9, 1.0], [0.3, 0.35, 0.4]])
def test_each_look_spends_its_share(spending, side, fractions):
    """Multivariate normal probabilities by Genz's algorithm, as SciPy has it."""
    bounds = spending_boundaries(fractions, alpha=0.1, spending=spending, side=side)
    shares = np.diff(spent(fractions, 0.1, spending, side), prepend=0)
    assert_allclose(crossing(bounds, fractions, side), shares, atol=1e-6)


@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-10])
@pytest.mark.parametrize("fractions", [(0.6, 0.6001), (0.05, 0.5)])
def test_two_looks_by_a_one_dimensional_integral(alpha, fractions):
    """The second share is ∫ φ(x) P(|Z₂| > b₂ | x) dx inside the first boundary, to eight digits at any alpha."""
    first, second = spending_boundaries(fractions, alpha=alpha, spending="pocock")
    t, rest = fractions[0] / fractions[1], math.sqrt(1 - fractions[0] / fractions[1])

    def density(x):
        up, down = ((sign * second - x * math.sqrt(t)) / rest for sign in (1, -1))
        return norm.pdf(x) * (norm.sf(up) + norm.cdf(down))

    steps = np.linspace(-first, first, 21)
    result = sum(quad(density, a, b, epsabs=0, epsrel=1e-9)[0] for a, b in pairwise(steps))
    assert_allclose(result, np.diff(spent(fractions, alpha, "pocock"))[0], rtol=1e-8)
    assert_allclose(first, norm.isf(spent(fractions[0], alpha, "pocock") / 2), rtol=1e-10)


# --- Laws ---


@pytest.mark.parametrize("spending", SPENDINGS)
@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-10])
def test_one_look_is_an_ordinary_test(spending, alpha):
    assert_allclose(spending_boundaries([1.0], alpha=alpha, spending=spending), [norm.isf(alpha / 2)], rtol=1e-10)
    one_sided = spending_boundaries([1.0], alpha=alpha, spending=spending, side="upper")
    assert_allclose(one_sided, [norm.isf(alpha)], rtol=1e-10, atol=1e-12)
    assert_allclose(spending_boundaries([1.0], alpha=alpha, spending=spending, side="lower"), -one_sided)


@given(st.lists(st.integers(1, 1000), min_size=2, max_size=6, unique=True), st.sampled_from(SPENDINGS))
@seldom
def test_later_looks_change_nothing(looks, spending):
    """Looks need not be planned: a boundary depends on the looks before it alone, whatever the scale of information."""
    fractions = np.array(sorted(looks)) / 1000
    whole = spending_boundaries(fractions, spending=spending)
    assert_allclose(spending_boundaries(fractions[:-1], spending=spending), whole[:-1], rtol=1e-9)
    assert_allclose(spending_boundaries(fractions, spending=spending, information=fractions * 77), whole, rtol=1e-12)


@given(st.lists(st.integers(1, 100), min_size=1, max_size=5, unique=True), st.sampled_from(SPENDINGS))
@seldom
def test_less_alpha_moves_every_boundary_out(looks, spending):
    fractions = np.array(sorted(looks)) / 100
    wide, narrow = (spending_boundaries(fractions, alpha=alpha, spending=spending) for alpha in (0.01, 0.1))
    assert np.all(wide >= narrow)
    assert np.all(narrow > 0)


def test_a_tiny_first_look_may_have_nothing_to_spend():
    bounds = spending_boundaries([1e-6, 0.5, 1.0])
    assert bounds[0] == np.inf
    assert_allclose(bounds[1:], spending_boundaries([0.5, 1.0]), rtol=1e-9)
    assert np.isfinite(spending_boundaries([1e-6, 0.5, 1.0], spending="pocock")).all()


def test_many_looks_cost_more_than_few():
    """Fifty looks at Pocock's spending end between those of five and the limit of looking all the time."""
    last = spending_boundaries(np.arange(1, 51) / 50, spending="pocock")[-1]
    assert spending_boundaries(FIVE, spending="pocock")[-1] < last < 2.7


@pytest.mark.parametrize("spending", SPENDINGS)
def test_two_hundred_looks_together_spend_alpha(spending):
    """By histograms: each look folds cells with the normal density, and keeps of a cell what is inside."""
    looks, width = 200, 0.004
    bounds = spending_boundaries(np.arange(1, looks + 1) / looks, spending=spending)
    cells = width * np.arange(-1500, 1501)
    steps = norm.pdf(cells[1400:1601], scale=looks**-0.5) * width
    mass, out = np.where(cells == 0, 1.0, 0.0), 0.0
    for look, bound in enumerate(bounds, 1):
        mass = np.convolve(mass, steps, mode="same")
        inside = np.clip((bound * math.sqrt(look / looks) - np.abs(cells)) / width + 0.5, 0, 1)
        out += (mass * (1 - inside)).sum()
        mass = mass * inside
    assert_allclose(out, 0.05, atol=2e-5)


def test_a_late_last_look_goes_by_what_it_rests_on():
    """More examples than planned make the last two looks less alike: its boundary is not that of a look in time."""
    late = spending_boundaries([0.5, 1.0], information=[500, 1500], spending="pocock")
    times = np.array([500, 1500]) / 1500
    assert_allclose(crossing(late, times, "two"), np.diff(spent([0.5, 1.0], 0.05, "pocock"), prepend=0), atol=1e-6)
    assert late[1] > spending_boundaries([0.5, 1.0], spending="pocock")[1]


@pytest.mark.parametrize(
    ("fractions", "options"),
    [
        ([], {}),
        ([0.5, 0.5], {}),
        ([0.0, 1.0], {}),
        ([0.5, 1.1], {}),
        ([0.5, math.nan], {}),
        (0.5, {}),
        (["half"], {}),
        ([[0.5], [1.0]], {}),
        ([1.0], {"alpha": 0.0}),
        ([1.0], {"spending": "haybittle"}),
        ([1.0], {"side": "both"}),
        ([0.5, 1.0], {"information": [3]}),
        ([0.5, 1.0], {"information": [3, 2]}),
    ],
)
def test_bad_input_is_reported(fractions, options):
    with pytest.raises(InvalidOption, match=r"must|but is|but has"):
        spending_boundaries(fractions, **options)


def test_a_fraction_above_1_is_refused_with_a_fix():
    with pytest.raises(InvalidOption, match="by the planned total"):
        spent(30)


def test_who_described_it_is_in_the_bibliography():
    assert set(SOURCES) == set(SPENDINGS)
    assert {key for keys in SOURCES.values() for key in keys} <= set(REFERENCES)


@pytest.mark.parametrize("alpha", [1e-290, 1e-300])
def test_all_of_a_tiny_alpha_is_spent_at_the_end_where_nothing_was_before(alpha):
    """The first boundary is out of reach, so the second is the quantile of the normal distribution, as SciPy has it."""
    first, second = spending_boundaries([0.5, 1.0], alpha=alpha)
    assert first == np.inf
    assert second == pytest.approx(norm.isf(alpha / 2), rel=1e-9)
