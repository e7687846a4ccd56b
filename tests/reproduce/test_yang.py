"""Yang (2006) in a quick run: every verdict; and the exhibits' own arithmetic against numbers from elsewhere."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tellapart import find_methods, lab
from tellapart.reproduce import find_exhibits, printed
from tellapart.reproduce.measured import Measured
from tellapart.reproduce.yang.discordant_sums import right_choice, slope_of, sum_of_discordant_errors
from tellapart.reproduce.yang.examples import _least_regret
from tellapart.reproduce.yang.splittings import split

from .quick import check, shown

pytestmark = pytest.mark.slow  # learners are retrained

TARGETS = Path(__file__).parent.parent / "targets"

# By exhibit, what deviates, whatever the seed (looked at with seven).
EXPECTED = {
    "examples": {
        "example 1, R",  # E3-01
        "example 1, test set",
        "example 2, difference",  # E3-02
        "example 2, R",
        "example 2, test set",
        "example 3, regret of the smoother rule",
    },
    "table-1": set(),
    "table-2": set(),
    "table-3": {"text"},  # E3-07
    "theorem-2": {"rate S3, where it occurs"},
    "theorem-3": {"second moment"},  # E3-04
    "table-4": {
        "n2 = 75, sd of se_W",  # E3-09
        "n2 = 75, sd of the mean se_W",
        "n2 = 50, se_split by sd_split",  # E3-08
        "n2 = 25, se_split by sd_split",
        "single and averaged",  # E3-10
        "se_W against sd(W̄)",  # E3-11
    },
    "table-5": set(),
}
# What a full run finds to deviate, and a quick one may or may not (E3-08, E3-13).
UNSURE = {"n2 = 25, E se_split", "mean of the printed n = 300 to 900"}


def rows_of(name):
    with (TARGETS / name).open() as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def exhibits():
    """Return what every exhibit comes to, computed once."""
    return {name: shown("yang", name) for name in EXPECTED}


@pytest.mark.parametrize("name", EXPECTED)
def test_verdicts(exhibits, name):
    unsure = {line.what for line in exhibits[name].lines if line.verdict == "deviates"} & UNSURE
    check(exhibits[name], EXPECTED[name] | unsure)


def test_every_exhibit_is_looked_at():
    assert [exhibit.name for exhibit in find_exhibits("yang")] == list(EXPECTED)


def test_every_printed_number_has_a_line(exhibits):
    numbers = {name: [line for line in shown.lines if not line.statement] for name, shown in exhibits.items()}
    assert [len(numbers[f"table-{table}"]) for table in (1, 2, 3, 4, 5)] == [5, 6, 5, 42, 6]
    for table in ("1", "2", "3"):
        rows = [row["probability"] for row in printed("yang_tables_1_to_3") if row["table"] == table]
        assert [line.printed for line in numbers[f"table-{table}"]][:5] == rows


# --- The printed numbers ---------------------------------------------------------------------------


def test_printed_numbers_are_those_of_the_targets():
    for name, target, key in (
        ("yang_tables_1_to_3", "s3_table1_2_3.csv", ("probability", "prob_printed")),
        ("yang_table_4", "s3_table4.csv", ("value", "printed")),
        ("yang_table_5", "s3_table5.csv", ("share", "lambda_printed_pct")),
    ):
        ours, theirs = printed(name), rows_of(target)
        assert [float(row[key[0]]) for row in ours] == [float(row[key[1]]) for row in theirs]


def test_table_4_keeps_its_zeros():
    """Three decimals everywhere, but four for the standard error of splittings."""
    for row in printed("yang_table_4"):
        assert len(row["value"].partition(".")[2]) == (4 if row["quantity"] == "E_se_split" else 3)


# --- Simulated numbers, against a rerun that was checked with R ------------------------------------


def test_table_4_by_rerun(exhibits):
    """Ours lie as near to the rerun (200 replications) as two draws do; its order is that of the print."""
    lines = {line.what: line for line in exhibits["table-4"].lines if not line.statement}
    far = []
    for row, line in zip(rows_of("s3_table4.csv"), lines.values(), strict=False):
        # The tolerance allows for our error and for 200 replications, at 40 numbers; 0.0006 for rounding.
        far.append(abs(float(line.ours) - float(row["computed"])) > line.tolerance + 6e-4)
    assert not any(far)


def test_table_5_by_rerun(exhibits):
    """λ with ties to the discriminant, and its wins alone, over 40 data sets there (E3-16)."""
    table = exhibits["table-5"].tables[0]
    for row, target in zip(table.rows, rows_of("s3_table5.csv"), strict=True):
        wins, _, _, share, sd = (cell.value for cell in row[1:])
        reach = 4 * max(sd, 8.0) * math.sqrt(1 / 24 + 1 / 40) + 4 * 40 / math.sqrt(240)
        assert share == pytest.approx(float(target["lambda_computed_ties_to_lda_pct"]), abs=reach)
        assert wins == pytest.approx(float(target["lambda_computed_strict_pct"]), abs=reach + 8)


def test_theorem_2_by_its_terms(exhibits):
    rows = {row[0].text: [cell.value for cell in row[1:]] for row in exhibits["theorem-2"].tables[0].rows}
    for target in rows_of("s3_theorem2_bound.csv"):
        index = ("0.01", "0.05", "0.1", "0.25", "0.5", "1.0").index(target["disagreement_prob"])
        assert rows[target["n2"]][index] == pytest.approx(float(target["excess_over_best_PER"]), abs=5.1e-6)


def test_theorem_3_by_its_rules(exhibits):
    """E3-05: 48², 15 with the constant of today and the factor 2, 4 with exact moments; the two quantiles."""
    table, quantiles = exhibits["theorem-3"].tables
    rows = {int(row[0].value): [cell.value for cell in row] for row in table.rows}
    assert rows[2304][1] == 0.25
    assert rows[15][2] < 0.25 < rows[10][2]
    assert rows[4][3] < 0.25 < rows[2][3]
    target = {row["quantity"]: row["computed"] for row in rows_of("s3_normal_approx_rule.csv")}
    z = next(row for row in quantiles.rows if row[0].text == "0.05")
    assert z[1].value == pytest.approx(float(target["Bonferroni quantile"]), abs=1e-6)
    assert z[2].value == pytest.approx(float(target["difference quantile"]), abs=1e-6)
    assert rows[4][6] == 2 / 2**4  # 4 : 0 and 0 : 4
    assert rows[10][6] == pytest.approx(2 * (1 + 10) / 2**10, abs=5e-5)  # 9 : 1 and beyond


# --- Arithmetic ------------------------------------------------------------------------------------


def test_the_sum_of_discordant_errors_is_a_convolution():
    one = np.array([0.2, 0.7, 0.1])  # −1, 0, 1
    whole = np.array([1.0])
    for _ in range(7):
        whole = np.convolve(whole, one)
    assert_allclose(sum_of_discordant_errors(0.1, 0.2, 7), whole, atol=1e-14)


def test_right_choice_by_hand():
    """One example: the better one is alone right with (s + d)/2, alone wrong with (s − d)/2."""
    assert right_choice(0.1, 0.3, 1) == pytest.approx(0.2 + 0.7 / 2)


def test_the_least_regret_of_a_half_line():
    """Of f = ½ − 0.4 cos 2πx: 2f − 1 integrated over a quarter of [0, 1], twice, is what the best half-line loses."""
    assert _least_regret() == pytest.approx(0.4 / math.pi, abs=1e-6)


def test_slope_weighs_by_errors():
    values = [Measured(1.0, 0.01), Measured(0.5, 0.005), Measured(9.0, 90.0)]  # the last is almost unknown
    assert slope_of([1, 2, 4], values).value == pytest.approx(-1, abs=0.01)


def test_moments_over_splittings_are_those_of_the_race():
    """W̄, its square and the variance over splittings, from who was wrong where."""
    exhibits = split({"n2": 50, "splittings": 3}, 2, np.random.default_rng(5))
    design = lab.yang_logistic(100, "3x(50/100)")
    view = design.view(find_methods(name="vote")[0])
    w = design.draw([view], 2, np.random.default_rng(5))[view].values[..., 0]
    assert_allclose(exhibits["w1"], w.mean(axis=1))
    assert_allclose(exhibits["w_var"], w.var(axis=1, ddof=1))
    assert (exhibits["splitting-se low"] <= exhibits["w1"]).all()
