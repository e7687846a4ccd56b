"""TA203: the confidence limits lie between -1 and 1."""

from math import sqrt

import pytest

from tellapart import IndependentCounts, compare

Z = 1.959963984540054


def answer_of(*four, interval="wald-independent"):
    return compare(IndependentCounts.from_counts(*four), interval=interval)


def fails():
    return answer_of(1, 3, 3, 3)


def holds():
    return answer_of(10, 30, 20, 30)


@pytest.mark.parametrize("four", [(1, 3, 3, 3), (3, 3, 1, 3)])
def test_the_figure_is_the_distance_of_a_limit_from_the_range(check, four):
    """The difference is 2/3 to one side, the standard error √(1/3·2/3/3)."""
    outside = 1 - 2 / 3 - Z * sqrt(2 / 27)
    assert outside < 0
    assert check(answer_of(*four)).figure == pytest.approx(outside, rel=1e-12)
    assert f"outside -1 to 1, by {-outside:.3g}:" in check(answer_of(*four)).message


def test_the_ends_of_the_range_are_inside(check):
    """A always right, B always wrong: both limits are -1."""
    assert answer_of(0, 40, 40, 40).interval.low == -1
    assert check(answer_of(0, 40, 40, 40)).holds


def test_the_remedy_stays_inside_the_range(check, quiet):
    assert check(fails()).message.endswith("Use interval='miettinen-nurminen'.")
    answer = answer_of(1, 3, 3, 3, interval="miettinen-nurminen")
    assert quiet(answer)
    assert -1 <= answer.interval.low < answer.interval.high <= 1


def test_arrays_are_checked_entry_by_entry(check, carriers):
    assert check(answer_of([1, 10], [3, 30], [3, 20], [3, 30])).holds.tolist() == [False, True]
    assert carriers == {"wald-independent"}
