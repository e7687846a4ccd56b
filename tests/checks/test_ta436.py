"""TA436: the loss varies between bootstrap samples."""

from functools import cache

import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from tellapart import Resamples, estimate, race
from tellapart.methods.resamples.assumptions import SAMPLES_DIFFER


@cache
def analyse(examples):
    """Estimate on iris: the first two species are classified without an error, all three are not."""
    x, y = load_iris(return_X_y=True)
    return estimate(race({"bayes": GaussianNB()}, x[:examples], y[:examples], plan="632*12"))


def fails():
    return analyse(100)


def holds():
    return analyse(150)


@pytest.mark.parametrize("scores", [[0.8, 0.7, 0.9], [0.5, 0.5, 0.51], [0.8, 0.8, 0.8]])
def test_the_figure_is_the_range(scores):
    result = SAMPLES_DIFFER.check(Resamples.from_scores(scores, plan="632*3", examples=50), None)
    assert result.figure == pytest.approx(max(scores) - min(scores))
    assert result.holds == (len(set(scores)) > 1)


def test_without_errors_the_interval_is_the_whole_range(check):
    answer = fails()
    assert not check(answer).holds
    assert (answer.interval.low, answer.interval.high) == (0, 1)
    assert check(holds()).holds


def test_the_remedy_counts_errors(check, quiet):
    assert (
        "Use more examples, or a single test set (plan='holdout'), whose errors are counted" in check(fails()).message
    )
    answer = estimate(Resamples.from_scores([1.0], plan="holdout", examples=150), method="holdout")
    assert quiet(answer)
    assert 0 < answer.interval.width < 0.1


def test_bootstrap_estimates_have_the_check(carriers):
    assert carriers == {"632", "632plus", "oob"}
