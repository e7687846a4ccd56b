"""TA426: the halves' losses differ."""

import numpy as np
import pytest

from tellapart import Plan, Resamples, estimate

PLAN = Plan.parse("conservative-z 5x3(0.9)")


def answer_for(halves):
    """Losses of two halves, five times; all of it in the place of a race."""
    inside = Resamples(np.asarray(halves, float)[None], 5, 45, PLAN, ("A",))
    losses = np.full((1, 15, 1), 0.25)
    return estimate(Resamples(losses, 10, 90, PLAN, ("A",), examples=100, parts={"halves": inside}))


def fails():
    return answer_for([[0.2, 0.2]] * 10)


def holds():
    return answer_for([[0.2, 0.2]] * 9 + [[0.2, 0.4]])


def test_the_figure_is_the_largest_distance(check):
    halves = [[0.1, 0.2], [0.4, 0.1], [0.2, 0.2], [0.3, 0.35], [0.2, 0.1]] * 2
    assert check(answer_for(halves)).figure == pytest.approx(0.3)
    assert check(holds()).figure == pytest.approx(0.2)
    assert check(holds()).holds


def test_it_is_halves_that_count_and_not_replicates(check):
    """Replicates may differ; if their halves do not, nothing is claimed."""
    answer = answer_for([[0.1, 0.1], [0.4, 0.4]] * 5)
    assert not check(answer).holds
    assert (answer.interval.low, answer.interval.high) == (0, 1)


def test_the_way_out_counts_errors(check, quiet):
    assert "a single one (plan='holdout'), whose errors are counted" in check(fails()).message
    answer = estimate(Resamples.from_scores([1.0], plan="holdout", examples=150), method="holdout")
    assert quiet(answer)
    assert 0 < answer.interval.width < 0.1


def test_only_conservative_z_carries_it(carriers):
    assert carriers == {"conservative-z"}
