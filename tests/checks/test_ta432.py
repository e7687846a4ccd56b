"""TA432: the training sets differ."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from tellapart import TrainingSets, compare, race

LOSS = (np.random.default_rng(0).random((2, 6, 20)) < 0.3).astype(float)


def fails():
    return compare(TrainingSets(LOSS, varies="seed"), method="quasi-f")


def holds():
    return compare(TrainingSets(LOSS), method="quasi-f")


@pytest.mark.parametrize(("varies", "holds"), [("seed", False), ("training set", True)])
def test_only_what_varies_counts(check, varies, holds):
    answer = compare(TrainingSets(LOSS, varies=varies), method="quasi-f")
    assert (check(answer).figure, bool(check(answer).holds)) == (float(holds), holds)


def test_an_experiment_records_what_varies(check, quiet):
    """Seeds on one split fail; the remedy is a 'delve' plan."""
    learners = {"bayes": GaussianNB(), "neighbour": KNeighborsClassifier(n_neighbors=1)}
    x, y = load_iris(return_X_y=True)
    seeds = race(learners, x, y, plan="holdout", seeds=5).training_sets()
    assert "seeds, not training sets, vary" in check(compare(seeds, method="quasi-f")).message
    assert "plan='delve 8x200'" in check(fails()).message
    assert quiet(compare(race(learners, x, y, plan="delve 5x15"), method="quasi-f"))


def test_the_caution_changes_no_number():
    assert fails().pvalue == holds().pvalue


def test_both_methods_for_crossed_designs_have_the_check(carriers):
    assert carriers == {"crossed-interval", "quasi-f"}
