"""TA709: limits that are further apart than the scores are fine."""

import pytest

from tellapart import ScoreTable, compare

START = [0.80, 0.71, 0.65, 0.90, 0.77, 0.50, 0.61, 0.66]


def ask(differences, method="wilcoxon-signed-rank"):
    """Compare A with B, who differs by so much on each data set."""
    scores = {"A": START, "B": [round(score + more, 4) for score, more in zip(START, differences, strict=True)]}
    return compare(ScoreTable.from_scores(scores), method=method)


def fails():
    return ask([0.02] * 8)


def holds():
    return ask([0.02, 0.01, 0.05, 0.03, 0.08, 0.07, 0.13, 0.011])


@pytest.mark.parametrize("method", ["wilcoxon-signed-rank", "sign-test"])
def test_equal_differences_have_limits_a_step_away(check, method):
    """Scores of two digits here lie 0.01 apart at least, so that 0.02 is known to no less than 0.01."""
    answer = ask([0.02] * 8, method)
    assert (round(answer.interval.low, 9), round(answer.interval.high, 9)) == (0.01, 0.03)
    assert not check(answer).holds
    assert answer.better == "B"  # as all eight say


def test_learners_that_never_differ_are_known_to_a_step(check):
    answer = ask([0.0] * 8)
    assert answer.interval.low < 0 < answer.interval.high
    assert not check(answer).holds
