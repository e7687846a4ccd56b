"""Dietterich (1998) in a quick run: every verdict, and the figures against runs made elsewhere.

The verdicts are the same from all other seeds that were looked at.
"""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from tellapart.errors import MissingExtra
from tellapart.reproduce import find_exhibits
from tellapart.reproduce.dietterich import trials
from tellapart.reproduce.dietterich.trials import PLANS, TASKS, Rate, real_trials, tried

from .quick import QUICK, check, shown

pytestmark = pytest.mark.slow  # learners are retrained

TARGETS = Path(__file__).parents[1] / "targets"
EXPECTED = {  # by exhibit, what deviates and what not available
    "taxonomy": (set(), set()),
    "critical-values": ({"5x2cv t in the ideal case"}, set()),
    "fold-correlation": (set(), {"within a cross-validation", "between independent cross-validations"}),
    "figure-2": (set(), set()),
    "replications": ({"fewer than five"}, set()),
    "figure-3": (set(), {"the curve of C4.5"}),
    "figure-4": (set(), {"choice of the two levels"}),
    "figure-5": (set(), set()),
    "figure-6": (set(), set()),
    "examples": (set(), set()),
    "figure-7": (set(), set()),
    "figure-8": (set(), set()),
    "figure-9": (set(), set()),
    "figure-10": (set(), {"power at 10 pp"}),
    "figure-11": (set(), set()),
    "discussion": ({"5x2cv t, error rates vary together"}, set()),
}
CLAIMS = {  # where each statement of the paper is looked at
    "F1": [("taxonomy", f"Q{number}") for number in range(1, 10)],
    "F2": [("figure-2", "fit"), ("figure-2", "tails")],
    "F3": [("figure-3", "ε(x)")],
    "F4": [("figure-4", "two levels"), ("figure-4", "average error of A"), ("figure-4", "average error of B")],
    "F5a": [("figure-5", "proportions")],
    "F5b": [("figure-5", "resampled t")],
    "F5c": [("figure-5", "McNemar"), ("figure-5", "10-fold t"), ("figure-5", "5x2cv t")],
    "F5d": [("figure-5", "proportions by ε")],
    "F6a": [("figure-6", "resampled t")],
    "F6b": [("figure-6", "cross-validated t")],
    "F7a": [("figure-7", "10-fold t")],
    "F7b": [("figure-7", "McNemar"), ("figure-7", "proportions"), ("figure-7", "5x2cv t")],
    "F7c": [("figure-7", "10-fold t, how much")],
    "F8": [("figure-8", "curves for fixed λ")],
    "F9": [("figure-9", "10-fold t")],
    "F10": [("figure-10", "10-fold t"), ("figure-10", "5x2cv t"), ("figure-10", "power at 10 pp")],
    "F11": [("figure-11", "10-fold t"), ("figure-11", "5x2cv t")],
    "D1": [("discussion", "McNemar")],
    "D2": [
        ("discussion", "5x2cv t, error rates of 0.1 or 0.9"),
        ("discussion", "5x2cv t, error rates vary together"),
    ],
    "D3": [("discussion", "proportions")],
    "D4": [("fold-correlation", "overlap of two training sets, % of the sample")],
    "D5": [("replications", "fewer than five"), ("replications", "more than five")],
    "D6": [("discussion", "cost")],
}


def rows(name):
    with (TARGETS / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def numbers(name, index=0):
    """Return what a picture draws, by series."""
    result = {}
    for series, x, y, *_ in shown("dietterich", name).pictures[index].numbers.rows:
        result.setdefault(series, {})[x] = y
    return result


@pytest.mark.parametrize("name", EXPECTED)
def test_verdicts(name):
    check(shown("dietterich", name), *EXPECTED[name])


def test_every_exhibit_is_looked_at():
    assert [exhibit.name for exhibit in find_exhibits("dietterich")] == list(EXPECTED)


def test_every_statement_is_looked_at():
    assert [row["id"] for row in rows("s1_figure_claims.csv")] == list(CLAIMS)
    for name, what in (index for places in CLAIMS.values() for index in places):
        assert what in [line.what for line in shown("dietterich", name).lines], (name, what)


# --- Against runs made elsewhere --------------------------------------------------------------------


def test_critical_values():
    text = {row["test"]: row for row in rows("s1_critical_values.csv")}
    table = {row[0].text: row[2].value for row in shown("dietterich", "critical-values").tables[0].rows}
    assert_allclose(table["10-fold t"], float(text["10-fold cross-validated paired t"]["computed"]), atol=5e-7)
    assert_allclose(table["5x2cv t"], float(text["5x2cv paired t"]["computed"]), atol=5e-7)
    line = shown("dietterich", "critical-values").lines[-1]
    result = float(line.ours.split("2.571 is ")[1].split(" (")[0])
    size = next(float(row["computed"]) for name, row in text.items() if "actual" in name)
    assert abs(result - size) < 0.0005 + 4 * math.sqrt(size / 100_000)


def test_figure_5():
    """Runs of 20 000 trials; ours of 30 000, and those of one split enumerated."""
    names = {
        "mcnemar": "mcnemar-corrected",
        "mcnemar_nocc": "mcnemar",
        "prop": "difference-of-proportions",
        "resampled": "resampled-t",
        "kfoldcv": "kfold-t",
        "5x2cv": "5x2cv-t",
    }
    table = {
        (row[0].text, row[1].text): [cell.value for cell in row[2:]]
        for row in shown("dietterich", "figure-5").tables[0].rows
    }
    for row in rows("s1_fig5_reference.csv"):
        expected, error = float(row["type1_computed"]), float(row["mc_se"])
        name, index = names[row["test"]], round(10 * float(row["epsilon"])) - 1
        both = math.hypot(error, math.sqrt(expected / 30_000))
        assert abs(table[name, "simulated"][index] - expected) < 4 * both, row
        if (name, "enumerated") in table:
            assert abs(table[name, "enumerated"][index] - expected) < 4 * error, row


def test_figure_6():
    """Runs of 10 000 trials, which count an infinite t of two folds as a rejection; here it is none."""
    result = numbers("figure-6")
    names = {"resampled": "resampled t, by splits", "kfold": "k-fold t, by folds"}
    for row in rows("s1_fig6_reference.csv"):
        number, expected = int(row["replications_or_folds"]), float(row["type1_computed"])
        if number > 2:
            off = abs(result[names[row["test"]]][number] - expected)
            assert off < 4 * math.hypot(float(row["mc_se"]), math.sqrt(expected / 20_000)), row


def test_examples():
    result = {row[0].text: [cell.value for cell in row[1:]] for row in shown("dietterich", "examples").tables[0].rows}
    for row in rows("s1_examples_2x2.csv"):
        text = [float(row[name]) for name in ("p_prop", "p_mcnemar_cc", "p_mcnemar_nocc", "p_exact_binomial")]
        assert_allclose(result[row["table"]][:4], text, rtol=2e-6)


def test_the_correlation_of_the_paper():
    """0.03778 over 45 000 and over 1000 pairs, by SciPy."""
    line = shown("dietterich", "fold-correlation").lines[-1]
    p = [2 * stats.t.sf(0.03778 * math.sqrt((n - 2) / (1 - 0.03778**2)), n - 2) for n in (45_000, 1000)]
    assert f"p = {p[0]:.1g} " in line.ours
    assert f"{p[1]:.2f} with one pair" in line.ours


# --- Real learners ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TASKS)
def test_learners_made_equal_are_equal_in_the_trials(name):
    evidence = tried(QUICK, name)
    assert np.all(np.abs(evidence.left) < 4 * evidence.left_error)  # by plan
    assert evidence.points[0] == 0
    assert np.all(np.diff(evidence.points) > 0)
    gaps = np.abs(evidence.measured[:, :, 0] - evidence.measured[:, :, 1])  # by plan and part of the gap
    assert np.all(gaps[:, -1] > gaps[:, 0])


def test_flips_of_all_predictions_make_every_right_one_wrong():
    cell = {"data": "pima", "shares": [0.0, 1.0], "flips": True}
    settings = {plan: [0.0, 1.0] for plan in PLANS}
    result = real_trials(cell | {"settings": settings}, 2, np.random.default_rng(0))
    sums = np.array(result["errors"])[0]  # by plan, share and learner
    assert_allclose(sums[:, 0, 0] + sums[:, 1, 0], 2)
    assert_allclose(sums[:, 0, 1], sums[:, 1, 1])


def test_learners_that_are_the_same_are_never_significantly_different(monkeypatch):
    monkeypatch.setattr(trials, "tree", lambda: trials._nearest_learner("curved"))
    settings = {plan: [0.0] for plan in PLANS}
    cell = {"data": "curved", "shares": [0.0], "flips": False, "settings": settings}
    result = real_trials(cell, 2, np.random.default_rng(0))
    assert not np.any(result["rejected"])
    assert not np.any(result["left"])


def test_without_the_data_something_stands_in(monkeypatch):
    def lost():
        raise MissingExtra("no such data")

    assert TASKS["Pima"].description == "Pima"
    monkeypatch.setattr(trials, "pima", lost)
    assert TASKS["Pima"].description == "breast cancer for Pima"


def test_what_chance_explains():
    assert_allclose(Rate(10, 100).limits(), stats.binomtest(10, 100).proportion_ci(method="exact"))
    assert not Rate(10, 100).surely_above(0.05)
    assert Rate(100, 1000).surely_above(0.05)
    assert Rate(20, 1000).surely_below(0.05)
    assert str(Rate(10, 100)) == "0.100 (0.049 to 0.176)"
    assert Rate(10, 100).against(0.05) == "0.100 (0.049 to 0.176), not significantly different from 0.05"
    assert Rate(100, 1000).against(0.05).endswith(", above 0.05")
    assert Rate(20, 1000).against(0.05).endswith(", below 0.05")
