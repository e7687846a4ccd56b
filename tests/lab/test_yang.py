"""Yang's (2006) two designs, against the tables he prints and their rerun with scikit-learn, checked against R."""

import csv
from pathlib import Path

import numpy as np
import pytest

from tellapart.lab import calibrate, yang_logistic, yang_predictors
from tellapart.lab.plan_views import PlanView

TARGETS = Path(__file__).parent.parent / "targets"


def rows_of(name):
    with (TARGETS / name).open() as file:
        return list(csv.DictReader(file))


SELECTION = {(row["table"], int(row["n"])): row for row in rows_of("s3_table1_2_3.csv")}
TABLE_4 = {(int(row["n2"]), row["quantity"]): float(row["computed"]) for row in rows_of("s3_table4.csv")}


def chosen(result):
    """Return how often the two predictors were chosen, which are A's."""
    return float(result.chosen["A"].value[0])


def within(result, trials, expected, replications, standard_errors=4):
    """Whether two shares agree within so many combined standard errors."""
    se = np.sqrt(expected * (1 - expected) * (1 / trials + 1 / replications))
    return abs(result - expected) <= standard_errors * se


# --- Tables 1 to 3: which of two discriminants is chosen ----------------------------------------------


@pytest.mark.parametrize(("table", "n", "trials"), [("1", 100, 400), ("1", 300, 150), ("2", 300, 150), ("3", 500, 100)])
def test_how_often_the_right_predictors_are_chosen(table, n, trials):
    """The mean error over a hundred splittings, ties to the first: the rule of the tables (E3-12)."""
    row = SELECTION[table, n]
    design = yang_predictors(n, f"100x({row['n1_train']}/{n})")
    result = chosen(calibrate("mean-error-choice", design, trials=trials))
    assert within(result, trials, float(row["prob_computed_mean_rule"]), int(row["reps_computed"]))
    if (table, n) != ("2", 300):  # which prints run high (E3-13)
        assert within(result, trials, float(row["prob_printed"]), 1000)


@pytest.mark.parametrize(("table", "n"), [("1", 100), ("1", 900), ("2", 500)])
def test_one_splitting_chooses_less_well(table, n):
    row = SELECTION[table, n]
    design = yang_predictors(n, f"holdout({row['n1_train']}/{n})")
    result = chosen(calibrate("holdout-choice", design, trials=2000, ties="first"))
    assert within(result, 2000, float(row["prob_computed_single_split"]), int(row["reps_computed"]))


def test_votes_of_splittings():
    """Section 2.2: a splitting selects the first learner if its error is no larger; so do half of the votes (E3-12)."""
    row = SELECTION["1", 100]
    result = chosen(calibrate("vote", yang_predictors(100, "100x(30/100)"), trials=400, ties="first", rng=6))
    assert within(result, 400, float(row["prob_computed_vote_rule"]), int(row["reps_computed"]))


def test_classes_are_of_fixed_size_and_splittings_are_not_stratified():
    """E3-14."""
    design = yang_predictors(100)
    _, y = design.population.draw((5,), 100, np.random.default_rng(0))
    assert (y.sum(axis=-1) == 40).all()
    assert not design.stratify
    assert design.population.bayes_error == pytest.approx(0.3716, abs=5e-5)


# --- Table 4: what the standard errors of a difference are worth --------------------------------------


@pytest.fixture(scope="module")
def differences():
    """Return what is seen on twenty splittings of 60 samples: 25 examples are trained on, 75 tested."""
    view = PlanView("20x(0.25)", "Resamples", 2)
    return yang_logistic(100, view.plan).draw([view], 60, np.random.default_rng(4))[view]


def test_table_4(differences):
    """EW, sd(W), E sd_split and E se_W of one splitting and of their mean; 200 splittings there, 20 here."""
    w = differences.values[..., 0]  # sample by splitting
    trials, splits = w.shape
    squares = differences.squares[..., 0] / 75
    se_w = np.sqrt((squares - w**2) / 75)

    def target(quantity):
        return TABLE_4[75, quantity]

    mean = w.mean(axis=1)
    both = np.sqrt(1 / trials + 1 / 200)
    assert w[:, 0].mean() == pytest.approx(target("EW_single"), abs=4 * target("sd_W_single") * both)
    assert mean.mean() == pytest.approx(target("EW_avg"), abs=4 * target("sd_W_avg") * both)
    # A standard deviation of so many values is known to 1/√(2n); fewer splittings leave more of their own variance.
    assert w[:, 0].std(ddof=1) == pytest.approx(target("sd_W_single"), rel=4 * both / np.sqrt(2))
    extra = target("E_sd_split") ** 2 * (1 / splits - 1 / 200)
    assert mean.std(ddof=1) == pytest.approx(np.hypot(target("sd_W_avg"), np.sqrt(extra)), rel=4 * both / np.sqrt(2))
    sd_split = w.std(axis=1, ddof=1)
    assert sd_split.mean() == pytest.approx(target("E_sd_split"), rel=0.08)
    assert se_w[:, 0].mean() == pytest.approx(target("E_se_W"), abs=4 * target("sd_of_se_W") * both)
    assert se_w.mean() == pytest.approx(target("E_se_W_avg"), abs=4 * target("sd_of_se_W_avg") * both)
    assert se_w[:, 0].std() > 2 * se_w.mean(axis=1).std()  # print has the two swapped (E3-09)


def test_true_difference_of_the_two_learners():
    """Trained on 25, E W of Table 4; trained on all 100, mean −0.0155 over 400 training sets of sd 0.011 (E3-17)."""
    design = yang_logistic(100, "200x(0.25)")
    assert not design.movable
    se = np.hypot(design.truth_error("difference"), TABLE_4[75, "sd_W_avg"] / np.sqrt(200))
    assert design.truth("difference") == pytest.approx(TABLE_4[75, "EW_avg"], abs=4 * se)
    everything = PlanView("apparent", "Resamples", 2)
    se = np.hypot(design.truth_error("difference", everything), 0.011 / np.sqrt(400))
    assert design.truth("difference", everything) == pytest.approx(-0.0155, abs=4 * se)
