"""Numbers from the literature: Newcombe, Fagerland and others, Mitchell, Martin and Hirschberg."""

import csv
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tellapart.errors import InvalidOption
from tellapart.evidence import IndependentCounts, PairedTable
from tellapart.methods import find_method
from tellapart.methods.independent_counts.closed_form import (
    interval_overlap,
    k_se,
    probability_better,
    wald_independent,
)
from tellapart.methods.independent_counts.conditional import fisher, fisher_mid_p
from tellapart.methods.independent_counts.constrained_score import pooled_z
from tellapart.methods.independent_counts.unconditional import martin_hirschberg_exact
from tellapart.methods.paired_table.proportions import paired_interval_overlap, paired_k_se
from tellapart.methods.rules_of_thumb import _describe_rule, implied_correlation, implied_level
from tellapart.numerics.distributions import normal_pvalue

TARGETS = Path(__file__).parents[2] / "targets"


def target(name):
    with (TARGETS / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def counts_of(*table):
    return IndependentCounts.from_counts(*table)


def limits(name, *table, **options):
    interval = find_method(name, "interval", IndependentCounts)(counts_of(*table), **options)
    assert interval.parameter == "difference"
    return [interval.low, interval.high]


@pytest.mark.parametrize(
    ("name", "table", "low", "high"),
    [
        # Newcombe (1998), second paper, examples d and a.
        ("miettinen-nurminen", (5, 56, 0, 29), -0.0326, 0.1933),
        ("mee", (5, 56, 0, 29), -0.0313, 0.1926),
        ("newcombe", (5, 56, 0, 29), -0.0381, 0.1926),
        ("miettinen-nurminen", (56, 70, 48, 80), 0.0528, 0.3382),
        ("newcombe", (56, 70, 48, 80), 0.0524, 0.3339),
        ("newcombe-cc", (56, 70, 48, 80), 0.0428, 0.3422),
        # Fagerland, Lydersen and Laake (2015): Perondi, Ritland.
        ("agresti-caffo", (7, 34, 1, 34), 0.0116, 0.3217),
        ("newcombe", (7, 34, 1, 34), 0.0189, 0.3404),
        ("mee", (7, 34, 1, 34), 0.0284, 0.3439),
        ("miettinen-nurminen", (0, 16, 15, 72), -0.3164, -0.0056),
        # A brute-force restricted likelihood, where a cubic with a wrong coefficient fails.
        ("miettinen-nurminen", (3, 100, 8, 100), -0.1243, 0.0154),
        ("miettinen-nurminen", (10, 100, 20, 100), -0.2018, -0.0008),
    ],
)
def test_published_limits(name, table, low, high):
    assert_allclose(limits(name, *table), [low, high], atol=5.1e-5)


@pytest.mark.parametrize("sizes", [(100, 100), (10, 200), (1, 1), (10**9, 7)])
@pytest.mark.parametrize("wrong", [0, 1])
def test_nobody_errs_and_everybody_does(sizes, wrong):
    """By hand: z² = n p²/(p(1−p)) at p = z²/(n+z²), for Mee; N/(N−1) times z² for Miettinen and Nurminen."""
    n, m = sizes
    table = (n * wrong, n, m * wrong, m)
    square = 1.959963984540054**2
    first, second = (n, m) if not wrong else (m, n)
    assert_allclose(limits("mee", *table), [-square / (second + square), square / (first + square)], rtol=1e-12)
    square *= (n + m) / (n + m - 1)
    expected = [-square / (second + square), square / (first + square)]
    assert_allclose(limits("miettinen-nurminen", *table), expected, rtol=1e-12)


def test_published_pvalues():
    assert_allclose(fisher(counts_of(0, 16, 15, 72)).pvalue, 0.06287, atol=5e-6)  # Ritland
    assert_allclose(fisher_mid_p(counts_of(0, 16, 15, 72)).pvalue, 0.04466, atol=5e-6)
    barnard = find_method("barnard", "test", IndependentCounts)
    assert_allclose(barnard(counts_of(3, 4, 1, 4)).pvalue, 0.28906, atol=5e-6)  # Suissa and Shuster (1985), tea
    assert_allclose(fisher(counts_of(3, 3, 0, 3)).pvalue, 0.10, rtol=1e-12)  # two of the 20 ways to choose three of six


# --- Mitchell (1997), sections 5.5 and exercise 5.5 ---------------------------------------------------------


def test_mitchells_example():
    """S2-14, S2-15, S2-16: 30 and 20 errors in 100 each; E10 to E13 of the targets."""
    printed = {row["id"]: row for row in target("s2_worked_examples.csv")}
    counts = counts_of(30, 100, 20, 100)
    low, high = limits("wald-independent", 30, 100, 20, 100, alpha=0.05)
    sigma = (high - low) / (2 * 1.959963984540054)
    better = probability_better(counts)
    assert_allclose(counts.difference, float(printed["E10"]["computed"]), rtol=1e-12)
    assert_allclose(sigma, float(printed["E11"]["computed"]), atol=5e-7)
    assert_allclose(counts.difference / sigma, float(printed["E12"]["computed"]), atol=5e-7)
    assert_allclose(better.statistic, float(printed["E13"]["computed"]), atol=5e-7)
    assert round(float(better.statistic), 2) == float(printed["E13"]["printed"])
    assert_allclose(better.pvalue, 2 * (1 - better.statistic), rtol=1e-12)


@pytest.mark.parametrize(
    ("level", "z"), [(0.95, 1.6448536269514722), (0.90, 1.2815515655446004), (0.3, -0.5244005127080409)]
)
def test_one_sided_bounds_of_exercise_5_5(level, z):
    counts = counts_of(30, 100, 20, 100)
    sigma = np.sqrt(0.3 * 0.7 / 100 + 0.2 * 0.8 / 100)
    upper = wald_independent(counts, alpha=1 - level, side="upper")
    lower = wald_independent(counts, alpha=1 - level, side="lower")
    assert_allclose([upper.high, lower.low], [0.1 + z * sigma, 0.1 - z * sigma], rtol=1e-9)
    assert (upper.low, lower.high) == (-1.0, 1.0)


@pytest.mark.parametrize(("cells", "paired"), [((0, 40, 60, 0), 0.0980), ((40, 0, 20, 40), 0.0400)])
def test_one_sample_for_both_is_not_always_conservative(cells, paired):
    """E2-06: of Dietterich's two tables with 40 and 60 errors in 100, the left one is wider when paired."""
    table = PairedTable(*cells)
    interval = wald_independent(IndependentCounts(table.count_a, table.count_b))
    unpaired = interval.width / (2 * 1.959963984540054)
    assert_allclose(unpaired, 0.0693, atol=5e-5)
    true = np.sqrt(table.disagreements / table.examples - table.difference**2) / np.sqrt(table.examples)
    assert_allclose(true, paired, atol=5e-5)
    assert (unpaired > true) == (cells[0] > 0)


# --- Martin and Hirschberg (1996), section 3.1 ----------------------------------------------------------------


def test_method_a_against_method_b():
    """Q07 to Q09: 58.1 ± 0.7 and 57.3 ± 0.7 % on independent data are no significant difference at 90 %."""
    computed = next(row["computed"] for row in target("s0_quoted_numbers.csv") if row["id"] == "Q09")
    for half_width, figures in ((1.959963984540054, "Z=1.584 p=0.113"), (1.0, "Z=0.808 p=0.419")):
        z = 0.8 / (0.7 / half_width * np.sqrt(2))
        assert f"Z={z:.3f} p={float(normal_pvalue(z, 'two-sided')):.3f}" == figures
        assert figures in computed


def test_the_correlation_implied_by_one_standard_error():
    """Q10, Q11 and E0-06: the footnote's 0.9 and 0.8 need Z = k/√(2(1−ρ)); as printed it would be −0.92 and −0.35."""
    computed = {
        row["id"]: float(row["computed"]) for row in target("s0_quoted_numbers.csv") if row["id"] in ("Q10", "Q11")
    }
    assert_allclose(implied_correlation(1, alpha=0.05), computed["Q10"], atol=5e-5)
    assert_allclose(implied_correlation(1, alpha=0.10), computed["Q11"], atol=5e-5)
    assert_allclose(implied_level(1, implied_correlation(1, alpha=0.05)), 0.95, rtol=1e-12)
    assert_allclose(1 - 1.959963984540054**2 / 2, -0.92, atol=5e-3)  # what the printed formula gives
    assert_allclose(implied_level(2), 1 - normal_pvalue(np.sqrt(2), "two-sided"), rtol=1e-12)
    assert implied_level(0) == 0


BANDS = ["<90", "[90,95)", "[95,99)", "[99,100]"]


def band(level):
    return np.searchsorted([0.90, 0.95, 0.99], level + 1e-12, side="right")


def cross_classification(size):
    """Return how often each band of the approximate level meets each of the exact one, over all pairs."""
    x, y = np.meshgrid(np.arange(size + 1), np.arange(size + 1))
    counts = IndependentCounts.from_counts(x, size, y, size)
    approximate, exact = (band(1 - test(counts).pvalue) for test in (pooled_z, martin_hirschberg_exact))
    table = np.zeros((4, 4), dtype=int)
    np.add.at(table, (approximate, exact), 1)
    return table


@pytest.mark.parametrize("size", [10, 20, 30, 50, 100])
def test_table_5(size):
    """S0-21 to S0-23: all (N+1)² pairs by the textbook's test and by enumeration.

    The print has 68, 0, 17, 36 in the rows of N = 10, where the approximation gives 61, 14, 12, 34: the
    authors' program must have had a slip for 1.645 < Z < 1.96, for a symmetric approximation cannot
    give odd counts off the diagonal (E0-09). The columns, which are the exact levels, agree.
    """
    cells = {
        (row["approx_level_pct"], row["exact_level_pct"]): int(row["count"])
        for row in target("s0_table05_enumerated_cells.csv")
        if row["N"] == str(size)
    }
    result = cross_classification(size)
    assert result.tolist() == [[cells[row, column] for column in BANDS] for row in BANDS]
    (printed,) = (row for row in target("s0_table05_accuracy.csv") if row["N"] == str(size))
    for first, column in ((1, "acc90"), (2, "acc95"), (3, "acc99")):
        agree = result[:first, :first].sum() + result[first:, first:].sum()
        assert_allclose(100 * agree / result.sum(), float(printed[f"{column}_enumerated"]), atol=0.005)
    # No conspicuous error of either kind, where the print has up to 4.1 % of the first (by its slip).
    assert result[2:, 0].sum() == result[0, 2:].sum() == 0
    assert float(printed["typeI_printed"]) > 0


def test_table_5_as_printed():
    rows = target("s0_table05_n10.csv")
    result = cross_classification(10)
    printed = np.array([int(row["count_printed"]) for row in rows]).reshape(4, 4)
    assert printed.sum(axis=0).tolist() == result.sum(axis=0).tolist() == [71, 4, 22, 24]
    assert printed.sum(axis=1).tolist() == [68, 0, 17, 36]
    assert result.sum(axis=1).tolist() == [61, 14, 12, 34]


# --- The rules ------------------------------------------------------------------------------------------------


def test_intervals_may_overlap_where_the_errors_differ():
    """S0-20: at 24 v 12 of 100 the test rejects and the intervals overlap; far apart they do not."""
    close, far = counts_of(24, 100, 12, 100), counts_of(40, 100, 12, 100)
    assert pooled_z(close).pvalue < 0.05
    assert not interval_overlap(close).rejects
    assert interval_overlap(far).rejects
    assert interval_overlap(far, alternative="greater").rejects
    assert not interval_overlap(far, alternative="less").rejects
    assert np.isnan(interval_overlap(far).pvalue)


def test_one_standard_error_is_not_a_test():
    """By hand: the larger standard error at 30 and 24 of 100 is √(0.21/100) = 0.0458."""
    counts = counts_of(30, 100, [26, 25], 100)
    verdict = k_se(counts)
    assert verdict.rejects.tolist() == [False, True]
    assert_allclose(verdict.statistic, [0.04 - 0.0458257569495584, 0.05 - 0.0458257569495584])
    assert np.isnan(verdict.pvalue).all()
    assert not k_se(counts, k=2).rejects.any()
    assert _describe_rule(k=1) == "k = 1, confidence level 0.52 at correlation 0"
    assert not k_se(counts_of(0, 9, 0, 9)).rejects


def test_rules_for_one_test_set_see_the_same_two_counts():
    table = PairedTable(10, 25, 5, 60)
    counts = IndependentCounts(table.count_a, table.count_b)
    for paired, discordant in ((paired_k_se, k_se), (paired_interval_overlap, interval_overlap)):
        assert paired(table).statistic == discordant(counts).statistic
        assert paired(table).rejects == discordant(counts).rejects


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: implied_level(-1), "`k` must be a number of standard errors, 0 or more, got -1"),
        (lambda: implied_level(1, 1.0), "`correlation` must be at least -1 and below 1, got 1.0"),
        (lambda: implied_correlation(np.nan), "`k` must be a number of standard errors"),
        (lambda: k_se(counts_of(1, 2, 1, 2), k="two"), "`k` must be a number"),
    ],
)
def test_rules_that_make_no_sense(call, message):
    with pytest.raises(InvalidOption, match=message):
        call()
