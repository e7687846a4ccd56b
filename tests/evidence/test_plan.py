"""Plans: what a name means, what is refused, and the plan that explicit splits follow."""

import math
import re

import numpy as np
import pytest
from sklearn.model_selection import (
    KFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)

from tellapart.errors import InvalidOption
from tellapart.evidence import Plan
from tellapart.evidence.plan import as_plan, recognise


@pytest.mark.parametrize(
    ("name", "kind", "replicates", "folds"),
    [
        ("10-fold", "k-fold", 1, 10),
        ("5x2", "k-fold", 5, 2),
        ("5×2", "k-fold", 5, 2),
        ("5x2cv", "k-fold", 5, 2),
        ("10x10", "k-fold", 10, 10),
        ("2-fold*100", "k-fold", 100, 2),
        ("30x(2/3)", "random", 30, 1),
        ("30x(0.9)", "random", 30, 1),
        ("half-and-half 200", "random", 200, 1),
        ("holdout", "random", 1, 1),
        ("holdout(3/4)", "random", 1, 1),
        ("loo", "k-fold", 1, 0),
        ("loo-star", "loo-star", 1, 0),
        ("apparent", "apparent", 1, 1),
        ("632", "bootstrap", 100, 1),
        (".632", "bootstrap", 100, 1),
        ("632*200", "bootstrap", 200, 1),
        ("nested", "nested", 20, 10),
        ("nested 7x5", "nested", 7, 5),
        ("conservative-z", "halves", 10, 15),
        ("conservative-z 4x3(0.8)", "halves", 4, 3),
        ("delve 8x200", "delve", 8, 1),
        ("seeds", "seeds", 0, 1),
        ("independent", "independent", 0, 1),
    ],
)
def test_names_of_plans(name, kind, replicates, folds):
    plan = Plan.parse(name)
    assert (plan.kind, plan.replicates, plan.folds) == (kind, replicates, folds)
    assert Plan.parse(plan.name) == plan  # a plan's own name means that plan


def test_shares_and_sizes():
    assert Plan.parse("30x(2/3)").share == 2 / 3
    assert Plan.parse("half-and-half 3").share == 0.5
    assert Plan.parse("delve 8x200").size == 200
    assert Plan.parse("conservative-z").share == 0.9


def test_the_ratio_of_test_to_training_size():
    assert Plan.parse("10x10").ratio == 1 / 9  # not 1/10, which is the share of all examples
    assert Plan.parse("5x2").ratio == 1
    assert Plan.parse("30x(2/3)").ratio == pytest.approx(0.5)
    assert math.isnan(Plan.parse("632").ratio)


@pytest.mark.parametrize(
    "name",
    [
        *("", "ten-fold", "0-fold", "1-fold", "5x1", "0x10", "3x(3/2)", "delve 8x0", "30x(0)"),
        *("30x(1/0)", "30x(0/0)", "holdout(1/0)", "conservative-z 5x0(0.9)", "conservative-z 0x5(0.9)"),
    ],
)
def test_an_unknown_plan_is_refused_by_name(name):
    with pytest.raises(InvalidOption, match=rf"`plan` .*'{re.escape(name)}'"):
        Plan.parse(name)


def test_a_plan_is_a_name():
    with pytest.raises(InvalidOption, match="`plan` must be a name"):
        as_plan(10)


def test_runs_fill_what_a_name_leaves_open():
    assert as_plan("loo", 57).folds == 57
    assert as_plan("seeds", 7).replicates == 7
    assert as_plan("10-fold", 57).folds == 10


def _recognise_plan(splitter, n=60):
    x, y = np.zeros((n, 1)), np.arange(n) % 3
    trains, tests = zip(*splitter.split(x, y), strict=True)
    return recognise(trains, tests)


@pytest.mark.parametrize("name", ["30x(0)", "30x(1)", "0fold", "0x0fold", "10x1 cv"])
def test_a_suggested_plan_is_valid(name):
    with pytest.raises(InvalidOption, match="unknown `plan`") as caught:
        Plan.parse(name)
    for suggestion in re.findall(r"'([^']*)'", str(caught.value))[1:]:
        assert Plan.parse(suggestion).name


@pytest.mark.parametrize(
    ("splitter", "kind", "replicates", "folds"),
    [
        (KFold(7), "k-fold", 1, 7),
        (StratifiedKFold(5, shuffle=True, random_state=0), "k-fold", 1, 5),
        (RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0), "k-fold", 3, 4),
        (RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0), "k-fold", 5, 2),
        (LeaveOneOut(), "k-fold", 1, 60),
        (ShuffleSplit(30, test_size=1 / 3, random_state=0), "random", 30, 1),
        (ShuffleSplit(1, test_size=1 / 3, random_state=0), "random", 1, 1),
        (TimeSeriesSplit(5), "splits", 5, 1),
    ],
)
def test_the_plan_of_scikit_learns_splitters(splitter, kind, replicates, folds):
    plan = _recognise_plan(splitter)
    assert (plan.kind, plan.replicates, plan.folds) == (kind, replicates, folds)


def test_test_sets_that_overlap_are_no_folds():
    everything = np.arange(6)
    tests = [np.array([0, 1, 2]), np.array([2, 3, 4])]
    plan = recognise([np.setdiff1d(everything, test) for test in tests], tests)
    assert plan.kind == "random"


def test_training_sets_that_hold_test_examples_are_just_splits():
    assert recognise([np.arange(4)], [np.arange(4)]).kind == "splits"


def test_random_splits_have_test_sets_of_one_size():
    """Sizes that differ by one are the same share of all examples, rounded; by more they are not."""
    everything = np.arange(30)
    for sizes, kind in (((10, 10, 10, 10), "random"), ((10, 11, 10, 10), "random"), ((10, 12, 10, 10), "splits")):
        tests = [everything[:size] for size in sizes]
        assert recognise([np.setdiff1d(everything, test) for test in tests], tests).kind == kind
