"""Clustered and correlated outcomes: moments by hand, all outcomes of tiny designs by brute force."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from tellapart.errors import InvalidOption
from tellapart.evidence import PairedTable
from tellapart.lab import ClusteredOutcomes, PairedOutcomes, calibrate
from tellapart.methods import find_method


def tables_by_hand(design):
    """Every outcome of every example: which clusters' outcomes there are, and which examples repeat them."""
    shares = [float(cell) for cell in design.independent.cells]
    copies = np.sqrt(design.correlation)
    result = {}
    for owns in product(range(4), repeat=design.clusters):
        own_chance = np.prod([shares[own] for own in owns])
        for outcomes in product(range(4), repeat=design.clusters * design.size):
            chance = own_chance
            for index, outcome in enumerate(outcomes):
                own = owns[index // design.size]
                chance *= copies * (outcome == own) + (1 - copies) * shares[outcome]
            table = tuple(outcomes.count(cell) for cell in range(4))
            result[table] = result.get(table, 0.0) + chance
    return result


@pytest.mark.parametrize("correlation", [0.0, 0.3, 1.0])
@pytest.mark.parametrize(("clusters", "size"), [(2, 2), (1, 3), (3, 1)])
def test_all_tables_of_a_tiny_design_have_the_probability_found_by_hand(correlation, clusters, size):
    design = ClusteredOutcomes(0.3, 0.2, 0.25, clusters, size, correlation)
    expected = tables_by_hand(design)
    listed = design.everything("four cells", [design])
    table = listed.evidence
    cells = np.stack([table.both_wrong, table.only_a_wrong, table.only_b_wrong, table.both_right], axis=-1)
    assert len(cells) == design.outcomes("four cells", [design])
    assert_allclose(listed.probability[:, 0], [expected.get(tuple(row), 0.0) for row in cells.tolist()], atol=1e-14)
    discordant = design.everything("discordant errors", [design])
    sums = {}
    for (_, a, b, _), chance in expected.items():
        sums[a, b] = sums.get((a, b), 0.0) + chance
    pairs = zip(discordant.evidence.only_a_wrong.tolist(), discordant.evidence.only_b_wrong.tolist(), strict=True)
    assert_allclose(discordant.probability[:, 0], [sums[pair] for pair in pairs], atol=1e-14)


@settings(derandomize=True, deadline=None, max_examples=12)
@given(
    st.floats(0.05, 0.45),
    st.floats(0.1, 0.9),
    st.integers(1, 20),
    st.integers(1, 6),
    st.floats(0, 1),
)
def test_counts_vary_by_the_design_effect_and_keep_their_mean(error, part, clusters, size, correlation):
    """Closed form: Var(count) = n π (1 − π) (1 + (size − 1) ρ) (Kish 1965)."""
    design = ClusteredOutcomes(error, error, part * 2 * error, clusters, size, correlation)
    listed = design.everything("discordant errors", [design])
    chance, count = listed.probability[:, 0], listed.evidence.only_a_wrong
    share, n = part * error, clusters * size
    assert_allclose(chance.sum(), 1, atol=1e-12)
    mean = chance @ count
    assert_allclose(mean, n * share, atol=1e-9)
    assert_allclose(chance @ (count - mean) ** 2, n * share * (1 - share) * design.inflation, atol=1e-8)


def test_what_is_drawn_has_the_mean_and_the_spread_of_clusters():
    design = ClusteredOutcomes(0.2, 0.15, 0.15, 30, 4, 0.4)
    table = design.draw(["four cells"], 40_000, np.random.default_rng(5))["four cells"]
    for name, share in zip(
        ("both_wrong", "only_a_wrong", "only_b_wrong", "both_right"), design.independent.cells, strict=True
    ):
        count = getattr(table, name)
        variance = 120 * share * (1 - share) * (1 + 3 * 0.4)
        assert abs(count.mean() - 120 * share) < 4 * np.sqrt(variance / 40_000)
        assert abs(count.var() / variance - 1) < 0.05


def test_without_correlation_it_is_a_design_of_independent_examples():
    result = calibrate(["mcnemar", "tango"], ClusteredOutcomes(0.1, 0.1, 0.1, 50, 4, 0.0), differences=[0.03])
    plain = calibrate(["mcnemar", "tango"], PairedOutcomes(0.1, 0.1, 0.1, 200), differences=[0.03])
    assert result["mcnemar"].trials == "exact"
    assert_allclose(result["mcnemar"].size.value, plain["mcnemar"].size.value, atol=1e-10)
    assert_allclose(result["mcnemar"].power.value, plain["mcnemar"].power.value, atol=1e-10)
    assert_allclose(result["tango"].coverage.value, plain["tango"].coverage.value, atol=1e-10)


def test_tests_that_ignore_clusters_find_differences_that_are_not_there():
    sizes = [
        float(calibrate("mcnemar", ClusteredOutcomes(0.1, 0.1, 0.1, 60, 5, rho), differences=[]).size.value)
        for rho in (0.0, 0.01, 0.1, 0.5)
    ]
    assert sizes[0] < 0.06
    assert sizes == sorted(sizes)
    assert abs(sizes[1] - sizes[0]) < 0.01  # the smaller the correlation, the nearer
    # For many clusters, McNemar's z has variance 1 + 4ρ: 2Φ(−1.96/√3) = 0.258 at ρ = 0.5.
    assert abs(sizes[3] - 0.258) < 0.02


def test_enumeration_and_simulation_agree():
    design = ClusteredOutcomes(0.15, 0.15, 0.12, 20, 4, 0.3)
    exact = calibrate(["mcnemar-mid-p", "difference-of-proportions"], design, differences=[0.05])
    drawn = calibrate(["mcnemar-mid-p", "difference-of-proportions"], design, differences=[0.05], trials=20_000, rng=3)
    for name in exact.methods:
        for figure in ("size", "power"):
            true, seen = getattr(exact[name], figure).value, getattr(drawn[name], figure).value
            assert np.all(np.abs(true - seen) < 4 * np.sqrt(true * (1 - true) / 20_000))


def test_large_designs_are_drawn():
    design = ClusteredOutcomes(0.1, 0.1, 0.1, 500, 10, 0.2)
    assert design.outcomes("discordant errors", [design]) == 0
    assert calibrate("mcnemar", design, trials=1000, differences=[]).size.value > 0.1


def test_design_says_what_it_is():
    design = ClusteredOutcomes(0.1, 0.1, 0.1, 60, 5, 0.5)
    assert "60 clusters of 5 examples" in design.describe()
    assert design.facts["inflation"] == 3
    assert design.as_dict()["clusters"] == 60
    assert design.at(0.02).truth("difference").round(12) == 0.02
    assert design.view(find_method("mcnemar", "test", PairedTable)) == "discordant errors"
    with pytest.raises(InvalidOption, match="`correlation` must be a rate"):
        ClusteredOutcomes(0.1, 0.1, 0.1, 60, 5, 1.5)
    with pytest.raises(InvalidOption, match="`disagreement` must be between"):
        ClusteredOutcomes(0.1, 0.1, 0.5, 60, 5, 0.5)


# --- Correlated errors ------------------------------------------------------------------------------


@settings(derandomize=True, deadline=None, max_examples=12)
@given(st.floats(0.02, 0.6), st.floats(0.02, 0.6), st.floats(0, 1))
def test_errors_have_the_correlation_that_was_requested(a, b, part):
    spread = np.sqrt(a * (1 - a) * b * (1 - b))
    low, high = (max(a + b - 1, 0) - a * b) / spread, (min(a, b) - a * b) / spread
    phi = low + part * (high - low)
    both, only_a, only_b, right = PairedOutcomes.from_correlation(a, b, phi, 100).cells
    assert_allclose([both + only_a, both + only_b], [a, b], atol=1e-12)
    # The phi coefficient of a fourfold table.
    result = (both * right - only_a * only_b) / np.sqrt(
        (both + only_a) * (only_b + right) * (both + only_b) * (only_a + right)
    )
    assert_allclose(result, phi, atol=1e-9)


def test_a_correlation_that_errors_cannot_have_is_refused():
    with pytest.raises(InvalidOption, match=r"`correlation` must be between -0\.1667 and 0\.6667"):
        PairedOutcomes.from_correlation(0.1, 0.2, 0.9, 300)
    with pytest.raises(InvalidOption, match="got 'high'"):
        PairedOutcomes.from_correlation(0.1, 0.2, "high", 300)
    assert PairedOutcomes.from_correlation([0.1, 0.2], 0.2, 0.1, 300).shape == (2,)
