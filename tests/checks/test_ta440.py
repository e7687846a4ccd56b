"""TA440: the values vary between the examples of a test set."""

import numpy as np
import pytest

from tellapart import Plan, Resamples, compare


def counted(only_a, only_b, size=40, both=5):
    """Return two splits; the first has these numbers of examples that only A and only B got wrong, the second none."""
    wrong = np.array([[both + only_a, both], [both + only_b, both]], float)
    together = np.array([[wrong[0], [both] * 2], [[both] * 2, wrong[1]]])[..., None]
    return Resamples(wrong[..., None] / size, size, size, Plan.parse("2x(1/2)"), together=together, examples=2 * size)


def analyse(only_a, only_b, method="mean-se-w"):
    return compare(counted(only_a, only_b), method=method)


def fails():
    return analyse(0, 0)


def holds():
    return analyse(1, 0)


@pytest.mark.parametrize(("only_a", "only_b"), [(1, 0), (0, 1), (6, 4), (10, 10)])
def test_the_figure_is_the_largest_variance_inside_a_test_set(check, only_a, only_b):
    """The differences are 1, −1 and 0."""
    values = np.repeat([1.0, -1.0, 0.0], [only_a, only_b, 40 - only_a - only_b])
    assert check(analyse(only_a, only_b)).figure == pytest.approx(values.var())
    assert check(analyse(only_a, only_b)).holds


def test_without_discordant_pairs_p_is_1(check):
    answer = fails()
    assert not check(answer).holds
    assert (answer.pvalue, answer.interval.low, answer.interval.high) == (1, -1, 1)


def test_the_remedy_has_an_interval_without_discordant_pairs(check, quiet):
    assert "Test more examples." in check(fails()).message
    same = [1, 1, 0, 1, 1, 1, 1, 1]
    answer = compare(Resamples.from_scores(same, same, plan="loo"), method="mcnemar-on-cv")
    assert quiet(answer)
    assert answer.pvalue == 1
    assert -1 < answer.interval.low < 0 < answer.interval.high < 1


def test_only_yangs_interval_has_the_check(carriers):
    assert carriers == {"mean-se-w"}
