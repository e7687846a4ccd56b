"""TA426: the losses of the two halves differ."""

import numpy as np
import pytest

from tellapart import Plan, Resamples, estimate

PLAN = Plan.parse("conservative-z 5x3(0.9)")


def analyse(halves):
    """Estimate from five replicates of the losses of two halves, without an experiment."""
    inside = Resamples(np.asarray(halves, float)[None], 5, 45, PLAN, ("A",))
    losses = np.full((1, 15, 1), 0.25)
    return estimate(Resamples(losses, 10, 90, PLAN, ("A",), examples=100, parts={"halves": inside}))


def fails():
    return analyse([[0.2, 0.2]] * 10)


def holds():
    return analyse([[0.2, 0.2]] * 9 + [[0.2, 0.4]])


def test_the_figure_is_the_largest_difference(check):
    halves = [[0.1, 0.2], [0.4, 0.1], [0.2, 0.2], [0.3, 0.35], [0.2, 0.1]] * 2
    assert check(analyse(halves)).figure == pytest.approx(0.3)
    assert check(holds()).figure == pytest.approx(0.2)
    assert check(holds()).holds


def test_halves_count_and_replicates_do_not(check):
    """Replicates may differ; if their halves do not, the interval is the whole range."""
    answer = analyse([[0.1, 0.1], [0.4, 0.4]] * 5)
    assert not check(answer).holds
    assert (answer.interval.low, answer.interval.high) == (0, 1)


def test_the_remedy_counts_errors(check, quiet):
    assert "a single one (plan='holdout'), whose errors are counted" in check(fails()).message
    answer = estimate(Resamples.from_scores([1.0], plan="holdout", examples=150), method="holdout")
    assert quiet(answer)
    assert 0 < answer.interval.width < 0.1


def test_only_conservative_z_has_the_check(carriers):
    assert carriers == {"conservative-z"}
