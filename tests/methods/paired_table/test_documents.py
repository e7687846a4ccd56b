"""What Dietterich (1998), Yang (2006), Elazmeh, Japkowicz and Matwin (2006) and Martin and Hirschberg (1996) print.

`tests/targets` holds it beside what was computed without this package. S…-.. number the statements of
the texts and E…-.. their errata.
"""

import csv
import statistics
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chi2, norm

from tellapart import ConfusionMatrix, PairedTable, compare
from tellapart.methods import find_method
from tellapart.methods.paired_table.assumptions import ENOUGH_DISAGREEMENTS
from tellapart.methods.paired_table.closed_form import wald_paired, yang_paired
from tellapart.methods.paired_table.proportions import interval_ratio
from tellapart.numerics.distributions import critical
from tellapart.reproduce.dietterich.printed_tests import mcnemar_as_printed, proportions_as_printed

TARGETS = Path(__file__).parent.parent.parent / "targets"


@cache
def rows(table):
    with (TARGETS / f"{table}.csv").open(newline="", encoding="utf-8") as file:
        return tuple(csv.DictReader(file))


def test_of(name, table, **options):
    return find_method(name, "test", PairedTable)(table, **options)


test_of.__test__ = False  # a helper, whatever its name begins with


def interval_of(name, table, **options):
    return find_method(name, "interval", PairedTable)(table, **options)


# --- Dietterich ----------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("s1_examples_2x2"), ids=lambda row: row["table"])
class TestDietterichsTwoTables:
    """S1-04 to S1-08: n00 both wrong, n01 only A, n10 only B, n11 both right."""

    @pytest.fixture
    def table(self, row):
        return PairedTable(*(int(row[cell]) for cell in ("n00", "n01", "n10", "n11")))

    def test_counts_and_rates(self, row, table):
        assert table.examples == int(row["n"])
        assert_allclose([table.count_a.rate, table.count_b.rate], [float(row["pA"]), float(row["pB"])])

    def test_difference_of_proportions(self, row, table):
        result = test_of("difference-of-proportions", table)
        assert_allclose(result.statistic, float(row["z_prop"]), rtol=0, atol=1e-6)
        assert_allclose(result.pvalue, float(row["p_prop"]), rtol=0, atol=5.001e-9)
        assert (row["prop_claim"], bool(result.pvalue < 0.005)) == ("p<0.005", True)

    def test_mcnemar_with_correction(self, row, table):
        result = test_of("mcnemar-corrected", table)
        assert_allclose(result.statistic, float(row["mcnemar_cc"]), rtol=1e-6)
        assert_allclose(result.pvalue, float(row["p_mcnemar_cc"]), rtol=1e-6)
        assert {"not significant": result.pvalue > 0.05, "p<0.001": result.pvalue < 0.001}[row["mcnemar_claim"]]

    def test_the_corrected_root(self, row, table):
        """E1-02: the printed z' has McNemar's −1 built in; its square is the corrected chi-square."""
        result = proportions_as_printed(table)
        assert_allclose(abs(result.statistic), float(row["z_corrected"]), rtol=0, atol=1e-6)
        assert_allclose(result.statistic**2, float(row["mcnemar_cc"]), rtol=1e-6)
        assert_allclose(result.pvalue, float(row["p_mcnemar_cc"]), rtol=1e-6)

    def test_mcnemar_without_correction(self, row, table):
        """E1-03: the left table's "no significant difference" is that of the corrected and exact tests only."""
        for result in (test_of("mcnemar", table), proportions_as_printed(table, continuity=False)):
            assert_allclose(result.pvalue, float(row["p_mcnemar_nocc"]), rtol=1e-6)
        assert_allclose(test_of("mcnemar", table).statistic, float(row["mcnemar_nocc"]), rtol=1e-6)

    def test_exact(self, row, table):
        assert_allclose(test_of("mcnemar-exact", table).pvalue, float(row["p_exact_binomial"]), rtol=1e-6)


def test_critical_values():
    """S1-05, S1-07: 3.841459 and 1.96 are where the tests of this package begin to reject."""
    printed = {row["test"]: row for row in rows("s1_critical_values")}
    chi_square = float(printed["McNemar"]["printed"])
    assert_allclose(chi2.isf(0.05, 1), chi_square, rtol=0, atol=1e-6)
    assert_allclose(critical(0.05, "two") ** 2, chi_square, rtol=0, atol=1e-6)
    assert_allclose(critical(0.05, "two"), float(printed["difference of proportions"]["printed"]), rtol=0, atol=5e-3)


def test_mcnemar_where_the_print_is_undefined_or_odd():
    """E1-04: no disagreements are p = 1; b = c is a statistic of 0, where the print has 1/(b + c)."""
    for name in ("mcnemar", "mcnemar-corrected", "mcnemar-exact", "mcnemar-mid-p", "mcnemar-unconditional"):
        assert test_of(name, PairedTable(3, 0, 0, 97)).pvalue == 1
    even = PairedTable(0, 5, 5, 0)
    assert (test_of("mcnemar-corrected", even).statistic, test_of("mcnemar-corrected", even).pvalue) == (0, 1)
    assert_allclose(mcnemar_as_printed(even).statistic, 0.1)


# --- Martin and Hirschberg -----------------------------------------------------------------------


def test_the_two_standard_errors_rule():
    """S0-27: different if |e1 − e2| > 2 SE with SE² = e(1 − e)/N, e the mean of both."""
    table = PairedTable(both_wrong=10, only_a_wrong=20, only_b_wrong=8, both_right=62)
    mean = (0.30 + 0.18) / 2
    z = (0.30 - 0.18) / np.sqrt(mean * (1 - mean) / 100)
    result = test_of("two-se", table)
    assert_allclose([abs(result.statistic), result.pvalue], [z, 2 * norm.sf(z)], rtol=1e-12)
    assert bool(result.pvalue < 2 * norm.sf(2)) == (z > 2)
    assert find_method("two-se", "test", PairedTable).standing == "forbidden"


@pytest.mark.parametrize("k", [1, 1.645, 2])
def test_a_rule_of_k_standard_errors_is_a_verdict_without_a_p_value(k):
    """S0-20: is the difference more than k standard errors of one of the two?"""
    for table in (PairedTable(10, 20, 5, 65), PairedTable(10, 9, 5, 76), PairedTable(0, 0, 0, 9)):
        result = test_of("k-se", table, k=k)
        e, f, n = float(table.count_a.rate), float(table.count_b.rate), int(table.examples)
        largest = max(np.sqrt(e * (1 - e) / n), np.sqrt(f * (1 - f) / n))
        assert np.isnan(result.pvalue)
        assert bool(result.rejects) == (abs(e - f) > k * largest)


def test_whether_intervals_overlap_is_a_verdict_without_a_p_value():
    table = PairedTable(10, [20, 40], 5, [65, 45])
    result = test_of("interval-overlap", table)
    assert np.isnan(result.pvalue).all()
    assert result.rejects.tolist() == [False, True]


# --- Yang ----------------------------------------------------------------------------------------


def test_yangs_numbers():
    """S3-17, S3-18, E3-05: with Berry and Esseen's constant c, (c·2/0.25)² disagreements keep the error below 25 %."""
    printed = {row["quantity"]: row for row in rows("s3_normal_approx_rule")}

    def computed(quantity):
        return float(printed[quantity]["computed"])

    assert (6 * 2 / 0.25) ** 2 == computed("D needed for an error below 25%") == 48**2
    assert np.ceil((2 * 0.4748 / 0.25) ** 2) == computed("D with the constant 0.4748 and factor 2")
    assert np.ceil((0.4748 / 0.25) ** 2) == computed("D with the constant 0.4748 and exact ratio at p=q")
    assert computed("D rule of thumb") == ENOUGH_DISAGREEMENTS.threshold
    assert_allclose(critical(0.05 / 2, "two"), computed("Bonferroni quantile"), rtol=0, atol=5e-7)
    assert_allclose(critical(0.05, "two"), computed("difference quantile"), rtol=0, atol=5e-7)


@pytest.mark.parametrize("cells", [(1, 4, 1, 4), (59, 6, 16, 80), (0, 1, 0, 1), (3, 0, 2, 35)])
def test_yangs_interval_is_made_of_the_standard_deviation_of_w(cells):
    """Section 3.1: W̄ ± z·sd_W/√n with sd_W² = Σ(W − W̄)²/(n − 1), by Python's statistics.stdev of every W."""
    both, of_a, of_b, neither = cells
    w = [0] * both + [1] * of_a + [-1] * of_b + [0] * neither
    reach = 1.959963984540054 * statistics.stdev(w) / len(w) ** 0.5
    limits = yang_paired(PairedTable(*cells))
    expected = np.clip([statistics.fmean(w) - reach, statistics.fmean(w) + reach], -1, 1)
    assert_allclose([limits.low, limits.high], expected, rtol=1e-12)


def test_yangs_interval_of_ten_examples():
    """By hand: W̄ = 0.3 and sd_W² = (5 − 10·0.09)/9, so that 1.96·sd_W/√10 is 0.4183."""
    limits = yang_paired(PairedTable(1, 4, 1, 4))
    assert_allclose([limits.low, limits.high], [-0.1183, 0.7183], atol=5e-5)
    plain = wald_paired(PairedTable(1, 4, 1, 4))  # divides by n
    assert_allclose([plain.low, plain.high], [-0.0969, 0.6969], atol=5e-5)


def test_one_example_has_no_standard_deviation():
    limits = yang_paired(PairedTable([0, 0, 1], [1, 0, 0], [0, 0, 0], [0, 1, 0]))
    assert_array_equal([limits.low, limits.high], [[-1.0] * 3, [1.0] * 3])


def test_four_disagreements_are_called_questionable_and_ten_are_not():
    for disagreements, holds in ((4, False), (9, False), (10, True), (2304, True)):
        table = PairedTable(0, disagreements, 0, 10_000)
        checks = {check.code: check for check in compare(table, method="mcnemar", interval="wald-paired").checks}
        assert bool(checks["TA104"].holds) is holds


def test_two_intervals_reject_beyond_the_bonferroni_quantile():
    """S3-18: different if |W| > z_{α/4}(√v1 + √v2)/√n; the ratio to one interval's √v is 1 or more (Minkowski)."""
    rng = np.random.default_rng(2006)
    cells = rng.multinomial(300, [0.1, 0.15, 0.05, 0.7], size=400).T
    table = PairedTable(*cells)
    a, b = (cells[0] + cells[1]) / 300, (cells[0] + cells[2]) / 300
    spread = np.sqrt(a * (1 - a)) + np.sqrt(b * (1 - b))
    result = test_of("two-intervals", table)
    expected = np.abs(a - b) > 2.241402727604947 * spread / np.sqrt(300)
    assert 0 < expected.sum() < 400
    assert ((result.pvalue < 0.05) == expected).all()
    w = a - b
    assert_allclose(interval_ratio(table), spread / np.sqrt((cells[1] + cells[2]) / 300 - w**2), rtol=1e-12)
    assert (interval_ratio(table) >= 1).all()
    # Valid but weak: it never rejects where one interval of the difference would not.
    single = interval_of("wald-paired", table)
    assert not np.any(expected & (single.low <= 0) & (single.high >= 0))


def test_the_essential_difference():
    """S3-06: R = |err2 − err1|/P(disagree), from 0 to 1."""
    table = PairedTable(3, [6, 5, 7, 0], [2, 5, 0, 0], 10)
    assert_allclose(table.essential_difference, [0.5, 0, 1, 0])


def test_the_plain_interval_is_that_of_the_mean_of_w_with_divisor_n():
    """Newcombe 1998, method 1: W = 1, 0, −1 by example; mean ± z·sd/√n with the sum of squares over n."""
    w = np.repeat([1, -1, 0], [25, 10, 65])
    half = norm.isf(0.025) * w.std() / 10
    result = interval_of("wald-paired", PairedTable(20, 25, 10, 45))
    assert_allclose([result.low, result.high], [w.mean() - half, w.mean() + half], rtol=1e-12)


# --- Elazmeh, Japkowicz and Matwin ---------------------------------------------------------------


def test_table_3():
    """S4-09, E4-01: the marijuana example to five decimals."""
    (row,) = rows("s4_table3")
    cells = ("a_both", "b_nonuser_only", "c_user_only", "d_neither")
    table = PairedTable(*(int(row[cell]) for cell in cells))
    result = interval_of("tango", table, alpha=float(row["alpha"]))
    assert_allclose(table.difference * 100, float(row["diff_printed_pct"]))
    assert_allclose([result.low, result.high], [float(row["ci_lo_printed"]), float(row["ci_hi_printed"])], atol=5e-6)
    assert_allclose([result.low, result.high], [float(row["ci_lo_computed"]), float(row["ci_hi_computed"])], atol=5e-8)
    assert table.examples == int(row["n_pairs"]) == 32  # E4-05: pairs, not cases and controls


TABLE_6 = rows("s4_table6")


def label_against_prediction(rows):
    """Return the label against the prediction, from matrices of true label (negative, positive) by prediction."""
    matrices = [[[int(row["d"]), int(row["c"])], [int(row["b"]), int(row["a"])]] for row in rows]
    return ConfusionMatrix(matrices).label_against_prediction()


def printed(percent):
    """Round as the print does: to two decimals, then to one (E4-08); the float is written out exactly first."""
    twice = Decimal(float(percent)).quantize(Decimal("0.01"), ROUND_HALF_UP).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return float(twice)


def test_table_6_all_rows():
    """S4-03, S4-07, claim C12: 48 intervals, differences and ticks."""
    table = label_against_prediction(TABLE_6)
    interval = interval_of("tango", table)
    assert len(TABLE_6) == 48
    for index, row in enumerate(TABLE_6):
        assert table.examples[index] == int(row["n"])
        figures = {
            "ci_lo_printed_pct": interval.low[index],
            "ci_hi_printed_pct": interval.high[index],
            "diff_printed_pct": table.difference[index],
        }
        for column, figure in figures.items():
            assert printed(100 * figure) == float(row[column]), (row, figure)
        assert bool(interval.contains(0.0)[index]) == bool(int(row["confident"])), row
    for column, figures in {"ci_lo": interval.low, "ci_hi": interval.high, "diff": table.difference}.items():
        expected = [float(row[f"{column}_computed_pct"]) for row in TABLE_6]
        assert_allclose(100 * figures, expected, rtol=0, atol=0.5001e-4)


def test_table_6_needs_double_rounding_in_seven_places():
    """E4-08: rounded once, these are off by one in the last digit."""
    table = label_against_prediction(TABLE_6)
    interval = interval_of("tango", table)
    off = [
        (row["dataset"], row["classifier"], column)
        for index, row in enumerate(TABLE_6)
        for column, figure in (("lo", interval.low), ("hi", interval.high), ("diff", table.difference))
        if abs(100 * figure[index] - float(row[f"{'ci_' * (column != 'diff')}{column}_printed_pct"])) > 0.05
    ]
    assert off == [
        ("1", "S", "hi"),
        ("1", "T", "hi"),
        ("3", "B", "lo"),
        ("7", "S", "diff"),
        ("12", "T", "hi"),
        ("12", "B", "lo"),
        ("12", "B", "diff"),
    ]


class TestClaims:
    """The claims of the results' text, with the verdicts of s4_claims.csv."""

    @pytest.fixture
    def result(self):
        interval = interval_of("tango", label_against_prediction(TABLE_6))
        numbers = {}
        for index, row in enumerate(TABLE_6):
            a, b, c, d = (int(row[cell]) for cell in "abcd")
            numbers[int(row["dataset"]), row["classifier"]] = {
                "cells": (a, b, c, d),
                "width": float(interval.width[index]),
                "confident": bool(interval.contains(0.0)[index]),
                "f": 2 * a / (2 * a + b + c) if a else 0.0,
                "recall": a / (a + b),
                "specificity": d / (c + d),
            }
        return numbers

    @staticmethod
    def best(result, dataset):
        return max((each for (number, _), each in result.items() if number == dataset), key=lambda each: each["f"])

    def test_every_claim_is_listed(self):
        assert [row["id"] for row in rows("s4_claims")] == [f"C{number}" for number in range(1, 14)]

    def test_c1_is_false(self, result):
        widths = {name: each["width"] for (number, name), each in result.items() if number == 1}
        assert min(widths, key=widths.get) == "S"
        assert_allclose([100 * widths[name] for name in "STFB"], [11.7, 14.0, 12.1, 15.8], atol=0.1)

    def test_c2_and_c3(self, result):
        assert result[1, "S"]["cells"] == (151, 0, 47, 0)
        assert [name for (number, name), each in result.items() if number == 1 and each["confident"]] == ["T"]

    def test_c4_and_c5(self, result):
        for dataset, name in ((5, "B"), (9, "T")):
            chosen = {who: each for (number, who), each in result.items() if number == dataset}
            assert all(each["recall"] < each["specificity"] for each in chosen.values())
            assert [who for who, each in chosen.items() if each["confident"]] == [name]
            assert self.best(result, dataset) is chosen[name]

    def test_c6_is_false_for_set_2_alone(self, result):
        confident = {dataset: self.best(result, dataset)["confident"] for dataset in (2, 4, 6, 7, 8, 10)}
        assert [dataset for dataset, is_so in confident.items() if not is_so] == [2]

    def test_c7_and_c8(self, result):
        for lower, higher in (((3, "T"), (10, "F")), ((2, "T"), (2, "B"))):
            assert result[lower]["f"] < result[higher]["f"]
            assert result[lower]["confident"]
            assert not result[higher]["confident"]

    def test_c9_is_false_in_general(self, result):
        """E4-11: a tick means balanced error counts, no more."""
        many, few = result[3, "S"], result[2, "B"]
        assert (sum(many["cells"][1:3]), sum(few["cells"][1:3])) == (216, 18)
        assert many["confident"]
        assert not few["confident"]

    def test_c10(self):
        """S4-06, E4-12: at margin zero the score is McNemar's, the one without correction."""
        table = label_against_prediction(TABLE_6)
        score = test_of("tango", table, against=0.0)
        b, c = table.only_a_wrong, table.only_b_wrong
        assert_allclose(score.statistic, (b - c) / np.sqrt(np.maximum(b + c, 1)), rtol=1e-12)
        assert_allclose(score.pvalue, test_of("mcnemar", table).pvalue, rtol=1e-10)

    def test_c11(self):
        result = interval_of("tango", PairedTable(50, 0, 0, 24))
        assert_allclose([100 * result.low, 100 * result.high], [-4.935, 4.935], atol=5e-4)

    def test_ticks_by_data_set(self, result):
        """E4-07: 26 ticks; that of set 4, classifier F, is lost in the print of Table 6."""
        ticks = {
            dataset: "".join(name for (_, name), each in group if each["confident"])
            for dataset, group in groupby(result.items(), key=lambda item: item[0][0])
        }
        assert ticks[4] == "STFB"
        assert sum(map(len, ticks.values())) == sum(int(row["confident"]) for row in TABLE_6)
