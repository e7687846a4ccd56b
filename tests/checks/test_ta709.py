"""TA709: the interval is wider than two steps of the scores."""

import pytest

from tellapart import ScoreTable, compare

START = [0.80, 0.71, 0.65, 0.90, 0.77, 0.50, 0.61, 0.66]


def analyse(differences, method="wilcoxon-signed-rank"):
    """Compare A with B, whose scores differ by these numbers."""
    scores = {"A": START, "B": [round(score + more, 4) for score, more in zip(START, differences, strict=True)]}
    return compare(ScoreTable.from_scores(scores), method=method)


def fails():
    return analyse([0.02] * 8)


def holds():
    return analyse([0.02, 0.01, 0.05, 0.03, 0.08, 0.07, 0.13, 0.011])


@pytest.mark.parametrize("method", ["wilcoxon-signed-rank", "sign-test"])
def test_equal_differences_have_limits_one_step_away(check, method):
    """The smallest step between these scores of two digits is 0.01."""
    answer = analyse([0.02] * 8, method)
    assert (round(answer.interval.low, 9), round(answer.interval.high, 9)) == (0.01, 0.03)
    assert not check(answer).holds
    assert answer.better == "B"  # on all eight data sets


def test_equal_learners_have_limits_one_step_away(check):
    answer = analyse([0.0] * 8)
    assert answer.interval.low < 0 < answer.interval.high
    assert not check(answer).holds
