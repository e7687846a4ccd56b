"""TA204: the interval of a difference over two test sets has a width."""

import pytest

from tellapart import IndependentCounts, compare


def answer_of(*four, interval="wald-independent"):
    return compare(IndependentCounts.from_counts(*four), interval=interval)


def fails():
    return answer_of(0, 40, 0, 40)


def holds():
    return answer_of(1, 40, 0, 40)


@pytest.mark.parametrize("four", [(0, 40, 0, 40), (40, 40, 40, 40), (0, 40, 40, 40)])
def test_where_nobody_errs_now_and_then_it_is_a_point(check, four):
    assert answer_of(*four).interval.width == 0
    assert not check(answer_of(*four)).holds


def test_one_error_is_enough(check):
    width = 2 * 1.959963984540054 * (1 / 40 * 39 / 40 / 40) ** 0.5
    assert check(holds()).figure == pytest.approx(width, rel=1e-12)
    assert check(holds()).holds


def test_the_way_out_stays_honest(check, quiet):
    assert "Use interval='miettinen-nurminen'." in check(fails()).message
    answer = answer_of(0, 40, 0, 40, interval="miettinen-nurminen")
    assert quiet(answer)
    assert answer.interval.low < -0.05 < 0.05 < answer.interval.high


def test_many_are_looked_at_one_by_one(check, carriers):
    assert check(answer_of([0, 1], 40, 0, 40)).holds.tolist() == [False, True]
    assert carriers == {"wald-independent"}
