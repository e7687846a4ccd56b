"""TA435: the error hardly depends on the size of the training set."""

from dataclasses import replace

import pytest

from tellapart import Resamples, estimate

HELD = Resamples.from_scores([0.9, 0.88, 0.91, 0.89], plan="4-fold", examples=400)


def answer_for(move, **options):
    """Let the error have been larger by so much when trained on half of the training set."""
    return estimate(replace(HELD, parts={"train x 0.5": replace(HELD, loss=HELD.loss + move)}), **options)


def fails():
    return answer_for(0.3)


def holds():
    return answer_for(0.001)


@pytest.mark.parametrize("move", [0.3, 0.001, -0.05])
def test_the_figure_is_half_the_interval_less_the_move(check, move):
    reach = estimate(HELD).interval.width / 2
    assert check(answer_for(move)).figure == pytest.approx(reach - abs(move))
    assert check(answer_for(move)).holds == (abs(move) <= reach)


def test_without_a_curve_nobody_is_blamed(check):
    assert check(estimate(HELD)).holds


def test_a_bound_is_judged_by_its_one_limit(check):
    answer = answer_for(0.3, side="upper")
    assert check(answer).figure == pytest.approx(answer.interval.high - 0.105 - 0.3)


def test_the_way_out_trains_on_all_but_one(check, quiet):
    assert "more than half the width of the interval" in check(fails()).message
    assert "Use larger training sets" in check(fails()).message
    evidence = Resamples.from_scores([1, 1, 0, 1, 1, 1, 0, 1], [1] * 8, plan="loo").select("A")
    assert quiet(estimate(evidence, method="loo"))


def test_estimates_by_cross_validation_carry_it(carriers):
    assert carriers == {"corrected-t-interval", "kfold", "loo", "repeated-kfold", "iterated-kfold"}
