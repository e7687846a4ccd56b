"""TA621: the sum of all values is at least 10 times the largest."""

import numpy as np
import pytest

from tellapart import ClassScores, Outcomes, compare, estimate

TRUTH = np.arange(80) % 2
CHANCES = np.where(TRUTH == 1, 0.8, 0.2)
SURE = np.where(np.arange(80) == 0, 1 - 1e-12, CHANCES)  # almost certain that the first is a 1, but it is a 0


def log_loss(chances, **options):
    return estimate(ClassScores.from_scores(TRUTH, chances), metric="log-loss", **options)


def fails():
    return log_loss(SURE)


def holds():
    return log_loss(np.clip(CHANCES + np.random.default_rng(0).normal(size=80) * 0.05, 0.1, 0.9))


def test_the_figure_is_the_sum_over_the_largest(check):
    assert check(fails()).figure == pytest.approx((79 * -np.log(0.8) - np.log(1e-12)) / -np.log(1e-12), rel=1e-4)


def test_for_two_models_differences_count(check):
    b = np.random.default_rng(1).uniform(0.3, 0.7, size=80)
    result = check(compare(ClassScores.from_scores(TRUTH, SURE, b), metric="log-loss"))
    a_loss, b_loss = (-np.log(np.where(TRUTH == 1, each, 1 - each)) for each in (SURE, b))
    sizes = np.abs(a_loss - b_loss)
    assert result.figure == pytest.approx(sizes.sum() / sizes.max(), rel=1e-4)
    assert not result.holds


def test_scores_between_0_and_1_pass(check, quiet):
    """The Brier score of the same probabilities is at most 1 for each example."""
    assert quiet(estimate(ClassScores.from_scores(TRUTH, SURE), metric="brier"))
    bounded = check(estimate(Outcomes.from_scores(SURE, metric="rouge", bounds=(0, 1))))
    assert bounded.figure == np.inf
    assert bounded.message == "no value is large enough to dominate the mean"


def test_both_methods_of_a_mean_have_the_check_and_weights_count(carriers, check):
    assert carriers == {"mean-t", "bca-bootstrap"}
    values = [5.0] + [1.0] * 30
    heavy = estimate(Outcomes.from_scores(values, metric="loss", higher_is_better=False, weights=[8] + [1] * 30))
    assert check(heavy).figure == pytest.approx(70 / 40)
