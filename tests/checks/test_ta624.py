"""TA624: no outcome that occurred has predicted probability 0."""

import numpy as np

from tellapart import ClassScores, Outcomes, compare, estimate

TRUTH = np.arange(60) % 2
CHANCES = np.random.default_rng(0).uniform(0.2, 0.8, size=60)


def log_loss(*models):
    evidence = ClassScores.from_scores(TRUTH, *models)
    return (estimate if len(models) == 1 else compare)(evidence, metric="log-loss")


def surely_wrong(many):
    return np.where(np.arange(60) < many, 1 - TRUTH, CHANCES).astype(float)


def fails():
    return log_loss(surely_wrong(3))


def holds():
    return log_loss(CHANCES)


def test_the_figure_counts_examples_with_probability_0(check):
    assert [check(log_loss(surely_wrong(many))).figure for many in (1, 3)] == [-1, -3]
    assert check(log_loss(surely_wrong(2), surely_wrong(4))).figure == -4  # the same examples for both
    assert "probability 0 for the outcome of 3 examples" in check(fails()).message
    assert "probability 0 for the outcome of 1 example: " in check(log_loss(surely_wrong(1))).message


def test_a_certain_and_correct_model_passes(quiet):
    assert quiet(log_loss(np.where(TRUTH == 1, 1.0, 0.0)))


def test_other_scores_pass(quiet):
    assert quiet(estimate(Outcomes.from_scores(np.full(60, 50.0) + CHANCES, metric="points")))
    assert quiet(estimate(ClassScores.from_scores(TRUTH, surely_wrong(3)), metric="brier"))
