"""TA435: the error hardly depends on the size of the training set."""

from dataclasses import replace

import pytest

from tellapart import Resamples, estimate

SPLITS = Resamples.from_scores([0.9, 0.88, 0.91, 0.89], plan="4-fold", examples=400)


def analyse(move, **options):
    """Estimate with an error that is larger by this much after training on half of the training set."""
    return estimate(replace(SPLITS, parts={"train x 0.5": replace(SPLITS, loss=SPLITS.loss + move)}), **options)


def fails():
    return analyse(0.3)


def holds():
    return analyse(0.001)


@pytest.mark.parametrize("move", [0.3, 0.001, -0.05])
def test_the_figure_is_half_the_width_minus_the_change(check, move):
    reach = estimate(SPLITS).interval.width / 2
    assert check(analyse(move)).figure == pytest.approx(reach - abs(move))
    assert check(analyse(move)).holds == (abs(move) <= reach)


def test_without_a_learning_curve_it_passes(check):
    assert check(estimate(SPLITS)).holds


def test_a_one_sided_interval_counts_from_its_limit(check):
    answer = analyse(0.3, side="upper")
    assert check(answer).figure == pytest.approx(answer.interval.high - 0.105 - 0.3)


def test_the_remedy_trains_on_all_but_one(check, quiet):
    assert "more than half the width of the interval" in check(fails()).message
    assert "Use larger training sets" in check(fails()).message
    evidence = Resamples.from_scores([1, 1, 0, 1, 1, 1, 0, 1], [1] * 8, plan="loo").select("A")
    assert quiet(estimate(evidence, method="loo"))


def test_cross_validation_estimates_have_the_check(carriers):
    assert carriers == {"corrected-t-interval", "kfold", "loo", "repeated-kfold", "iterated-kfold"}
