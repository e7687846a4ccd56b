"""TA409: at least 10 discordant pairs in a test set."""

from dataclasses import replace

import numpy as np
import pytest

from tellapart import Plan, Resamples, compare


def counted(only_a, only_b, size=100, both=5):
    """Return two splits, each with these numbers of examples that only A, only B and both got wrong."""
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


def analyse(evidence, method="mean-se-w"):
    return compare(evidence, method=method)


def fails():
    return analyse(counted(6, 3))


def holds():
    return analyse(counted(6, 4))


@pytest.mark.parametrize(("only_a", "only_b", "holds"), [(6, 4, True), (10, 0, True), (6, 3, False), (0, 0, False)])
def test_ten_are_enough_in_favour_of_either_learner(check, only_a, only_b, holds):
    for evidence in (counted(only_a, only_b), counted(only_b, only_a)):
        result = check(analyse(evidence))
        assert (result.figure, bool(result.holds)) == (only_a + only_b, holds)


def test_the_average_counts(check):
    """8 and 12 discordant pairs are 10 on average."""
    evidence = counted(6, 4)
    uneven = evidence.together.copy()
    uneven[0, 0, :, 0] += [-2, 2]
    loss = evidence.loss.copy()
    loss[0, :, 0] += [-0.02, 0.02]
    assert check(analyse(replace(evidence, together=uneven, loss=loss))).figure == pytest.approx(10)


def test_other_losses_have_no_discordant_pairs(check):
    assert check(analyse(replace(counted(6, 3), metric="brier"))).holds


def test_the_remedy_has_no_such_check(check, quiet):
    assert "9 discordant pairs in a test set on average, fewer than 10" in check(fails()).message
    assert "Use method='corrected-resampled-t'." in check(fails()).message
    assert quiet(analyse(counted(6, 3), "corrected-resampled-t"))


def test_only_yangs_interval_has_the_check(carriers):
    assert carriers == {"mean-se-w"}
