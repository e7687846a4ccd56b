"""TA204: the interval of the difference between two test sets has a width."""

import pytest

from tellapart import IndependentCounts, compare


def answer_of(*four, interval="wald-independent"):
    return compare(IndependentCounts.from_counts(*four), interval=interval)


def fails():
    return answer_of(0, 40, 0, 40)


def holds():
    return answer_of(1, 40, 0, 40)


@pytest.mark.parametrize("four", [(0, 40, 0, 40), (40, 40, 40, 40), (0, 40, 40, 40)])
def test_if_no_model_is_both_right_and_wrong_the_width_is_0(check, four):
    assert answer_of(*four).interval.width == 0
    assert not check(answer_of(*four)).holds


def test_one_error_is_enough(check):
    width = 2 * 1.959963984540054 * (1 / 40 * 39 / 40 / 40) ** 0.5
    assert check(holds()).figure == pytest.approx(width, rel=1e-12)
    assert check(holds()).holds


def test_the_remedy_has_a_width(check, quiet):
    assert "Use interval='miettinen-nurminen'." in check(fails()).message
    answer = answer_of(0, 40, 0, 40, interval="miettinen-nurminen")
    assert quiet(answer)
    assert answer.interval.low < -0.05 < 0.05 < answer.interval.high


def test_arrays_are_checked_entry_by_entry(check, carriers):
    assert check(answer_of([0, 1], 40, 0, 40)).holds.tolist() == [False, True]
    assert carriers == {"wald-independent"}
