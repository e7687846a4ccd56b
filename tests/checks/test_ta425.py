"""TA425: the loss varies between examples."""

from functools import cache

import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from tellapart import Resamples, estimate, race
from tellapart.methods.resamples.assumptions import LOSSES_DIFFER


@cache
def analyse(examples):
    """Estimate on iris: the first two species are classified without an error, all three are not."""
    x, y = load_iris(return_X_y=True)
    return estimate(race({"bayes": GaussianNB()}, x[:examples], y[:examples], plan="nested 2x3"))


def fails():
    return analyse(100)


def holds():
    return analyse(150)


@pytest.mark.parametrize(("errors", "examples"), [(0, 8), (1, 8), (4, 8), (8, 8)])
def test_the_figure_is_the_variance_of_right_and_wrong(errors, examples):
    wrong = [0] * errors + [1] * (examples - errors)
    evidence = Resamples.from_scores(wrong, wrong, plan="loo").select("A")
    e = errors / examples
    result = LOSSES_DIFFER.check(evidence, None)
    assert result.figure == pytest.approx(e * (1 - e), abs=1e-15)
    assert result.holds == (0 < errors < examples)


def test_with_rates_only_it_is_the_variance_of_their_mean():
    evidence = Resamples.from_scores([0.8, 0.6], plan="2-fold", examples=40)
    assert LOSSES_DIFFER.check(evidence, None).figure == pytest.approx(0.3 * 0.7)


def test_without_errors_the_interval_is_the_whole_range(check):
    answer = fails()
    assert answer.estimate == 0
    assert (answer.interval.low, answer.interval.high) == (0, 1)
    assert not check(answer).holds


def test_the_remedy_counts_errors(check, quiet):
    assert (
        "Use more examples, or a single test set (plan='holdout'), whose errors are counted" in check(fails()).message
    )
    answer = estimate(Resamples.from_scores([1.0], plan="holdout", examples=150), method="holdout")
    assert quiet(answer)
    assert 0 < answer.interval.width < 0.1


def test_methods_based_on_this_variance_have_the_check(carriers):
    assert carriers == {"nested-cv", "loo-star"}
