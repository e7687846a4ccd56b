"""TA413: the difference hardly depends on the size of the training set."""

from dataclasses import replace

import numpy as np
import pytest

from tellapart import Resamples, compare

SPLITS = Resamples.from_scores(
    [0.30, 0.20, 0.40, 0.34], [0.20, 0.10, 0.30, 0.25], plan="4-fold", metric="error", examples=400
)


def curve(**moves):
    """Return splits with a learning curve: larger differences at these shares of the training set."""
    parts = {
        f"train x 0.{share[1:]}": replace(SPLITS, loss=SPLITS.loss + np.array([move, 0]).reshape(2, 1, 1))
        for share, move in moves.items()
    }
    return replace(SPLITS, parts=parts)


def fails():
    return compare(curve(_5=0.08))


def holds():
    return compare(curve(_5=0.001))


def test_the_figure_is_half_the_width_minus_the_change(check):
    answer = compare(curve(_5=0.003))
    assert check(answer).figure == pytest.approx(answer.interval.width / 2 - 0.003)
    assert check(answer).holds


def test_the_next_smaller_training_set_counts(check):
    assert check(compare(curve(_5=0.001, _25=0.5))).holds
    assert not check(compare(curve(_5=0.08, _25=0.0))).holds


def test_a_change_of_half_the_width_passes(check):
    reach = compare(SPLITS).interval.width / 2
    assert check(compare(curve(_5=0.999 * reach))).holds
    assert not check(compare(curve(_5=1.001 * reach))).holds
    assert not check(compare(curve(_5=-1.001 * reach))).holds  # in either direction


def test_a_one_sided_interval_counts_from_its_limit(check):
    answer = compare(curve(_5=0.08), alternative="greater")
    center = SPLITS.values.mean()
    assert answer.interval.side == "lower"
    assert check(answer).figure == pytest.approx(center - answer.interval.low - 0.08)


def test_without_a_learning_curve_it_passes(check):
    assert (check(compare(SPLITS)).figure, bool(check(compare(SPLITS)).holds)) == (0, True)
    apparent = replace(SPLITS, parts={"apparent": curve(_5=0.5).parts["train x 0.5"]})
    assert check(compare(apparent)).holds


def test_the_remedy_trains_on_more_examples(check, quiet):
    assert "more than half the width of the interval" in check(fails()).message
    assert "10 repeats of 10-fold cross-validation (plan='10x10')" in check(fails()).message
    ten = Resamples.from_scores(np.linspace(0.7, 0.9, 100), np.linspace(0.9, 0.7, 100), plan="10x10", examples=300)
    assert quiet(compare(ten, method="corrected-repeated-kfold-t"))
