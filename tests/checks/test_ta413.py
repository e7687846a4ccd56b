"""TA413: the difference hardly depends on the size of the training set."""

from dataclasses import replace

import numpy as np
import pytest

from tellapart import Resamples, compare

HELD = Resamples.from_scores(
    [0.30, 0.20, 0.40, 0.34], [0.20, 0.10, 0.30, 0.25], plan="4-fold", metric="error", examples=400
)


def curve(**moves):
    """Let the difference have been larger by so much, trained on such shares of the training set."""
    parts = {
        f"train x 0.{share[1:]}": replace(HELD, loss=HELD.loss + np.array([move, 0]).reshape(2, 1, 1))
        for share, move in moves.items()
    }
    return replace(HELD, parts=parts)


def fails():
    return compare(curve(_5=0.08))


def holds():
    return compare(curve(_5=0.001))


def test_the_figure_is_half_the_interval_less_the_move(check):
    answer = compare(curve(_5=0.003))
    assert check(answer).figure == pytest.approx(answer.interval.width / 2 - 0.003)
    assert check(answer).holds


def test_the_next_smaller_training_set_counts(check):
    assert check(compare(curve(_5=0.001, _25=0.5))).holds
    assert not check(compare(curve(_5=0.08, _25=0.0))).holds


def test_just_half_the_interval_is_enough(check):
    reach = compare(HELD).interval.width / 2
    assert check(compare(curve(_5=0.999 * reach))).holds
    assert not check(compare(curve(_5=1.001 * reach))).holds
    assert not check(compare(curve(_5=-1.001 * reach))).holds  # to either side


def test_a_bound_is_judged_by_its_one_limit(check):
    answer = compare(curve(_5=0.08), alternative="greater")
    center = HELD.values.mean()
    assert answer.interval.side == "lower"
    assert check(answer).figure == pytest.approx(center - answer.interval.low - 0.08)


def test_without_a_curve_nobody_is_blamed(check):
    assert (check(compare(HELD)).figure, bool(check(compare(HELD)).holds)) == (0, True)
    apparent = replace(HELD, parts={"apparent": curve(_5=0.5).parts["train x 0.5"]})
    assert check(compare(apparent)).holds


def test_the_way_out_trains_on_more(check, quiet):
    assert "more than half the width of the interval" in check(fails()).message
    assert "10 repeats of 10-fold cross-validation (plan='10x10')" in check(fails()).message
    ten = Resamples.from_scores(np.linspace(0.7, 0.9, 100), np.linspace(0.9, 0.7, 100), plan="10x10", examples=300)
    assert quiet(compare(ten, method="corrected-repeated-kfold-t"))
