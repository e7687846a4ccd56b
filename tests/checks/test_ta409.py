"""TA409, Yang: ten disagreements in a test set, on average."""

from dataclasses import replace

import numpy as np
import pytest

from tellapart import Plan, Resamples, compare


def counted(only_a, only_b, size=100, both=5):
    """Two splits, each with so many examples that A alone, B alone and both got wrong."""
    loss = np.array([both + only_a, both + only_b]).reshape(2, 1, 1) / size
    together = np.array([[both + only_a, both], [both, both + only_b]], float).reshape(2, 2, 1, 1)
    return Resamples(
        loss.repeat(2, axis=-2),
        size,
        size,
        Plan.parse("2x(1/2)"),
        together=together.repeat(2, axis=-2),
        examples=2 * size,
    )


def answer_for(evidence, method="mean-se-w"):
    return compare(evidence, method=method)


def fails():
    return answer_for(counted(6, 3))


def holds():
    return answer_for(counted(6, 4))


@pytest.mark.parametrize(("only_a", "only_b", "holds"), [(6, 4, True), (10, 0, True), (6, 3, False), (0, 0, False)])
def test_ten_are_enough_on_whichever_side(check, only_a, only_b, holds):
    for evidence in (counted(only_a, only_b), counted(only_b, only_a)):
        result = check(answer_for(evidence))
        assert (result.figure, bool(result.holds)) == (only_a + only_b, holds)


def test_the_average_counts(check):
    """8 and 12 disagreements are ten on average."""
    evidence = counted(6, 4)
    uneven = evidence.together.copy()
    uneven[0, 0, :, 0] += [-2, 2]
    loss = evidence.loss.copy()
    loss[0, :, 0] += [-0.02, 0.02]
    assert check(answer_for(replace(evidence, together=uneven, loss=loss))).figure == pytest.approx(10)


def test_other_losses_count_no_disagreements(check):
    assert check(answer_for(replace(counted(6, 3), metric="brier"))).holds


def test_the_way_out_needs_no_such_number(check, quiet):
    assert "9 discordant pairs in a test set on average, fewer than 10" in check(fails()).message
    assert "Use method='corrected-resampled-t'." in check(fails()).message
    assert quiet(answer_for(counted(6, 3), "corrected-resampled-t"))


def test_only_yangs_interval_carries_it(carriers):
    assert carriers == {"mean-se-w"}
