"""TA424: the loss varies between test sets."""

import numpy as np
import pytest

from tellapart import Plan, Resamples, estimate


def analyse(scores):
    return estimate(Resamples.from_scores(scores, plan=f"{len(scores)}-fold", examples=200))


def fails():
    return analyse([0.9] * 5)


def holds():
    return analyse([0.9, 0.9, 0.8, 1.0, 0.9])


@pytest.mark.parametrize("scores", [[0.9, 0.9, 0.8, 1.0, 0.9], [0.7, 0.75], [0.5, 0.5, 0.51]])
def test_the_figure_is_the_range(check, scores):
    assert check(analyse(scores)).figure == pytest.approx(max(scores) - min(scores))
    assert check(analyse(scores)).holds


def test_without_variation_p_is_1_or_the_interval_unbounded(check):
    answer = fails()
    assert not check(answer).holds
    assert (answer.interval.low, answer.interval.high) == (0, 1)
    assert "the interval is the whole range" in check(answer).message


def test_the_remedy_counts_errors(check, quiet):
    assert "a single one (plan='holdout'), whose errors are counted" in check(fails()).message
    answer = estimate(Resamples.from_scores([1.0], plan="holdout", examples=150), method="holdout")
    assert quiet(answer)
    assert 0 < answer.interval.width < 0.1


def test_batches_are_checked_entry_by_entry(check, carriers):
    evidence = Resamples(np.array([[[[0.1, 0.1]]], [[[0.1, 0.2]]]]), 40, 40, Plan.parse("2-fold"), ("A",), examples=80)
    assert check(estimate(evidence)).holds.tolist() == [False, True]
    assert carriers == {"corrected-t-interval"}
