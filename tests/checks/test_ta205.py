"""TA205: the difference has a standard error."""

from math import hypot, sqrt

import pytest

from tellapart import IndependentCounts, compare


def answer_of(*four, method="probability-better"):
    return compare(IndependentCounts.from_counts(*four), method=method)


def fails():
    return answer_of(0, 40, 40, 40)


def holds():
    return answer_of(1, 40, 39, 40)


@pytest.mark.parametrize("four", [(0, 40, 40, 40), (0, 40, 0, 40), (0, 1, 1, 1)])
def test_always_right_or_always_wrong_has_none(check, four):
    assert (check(answer_of(*four)).figure, bool(check(answer_of(*four)).holds)) == (0, False)


def test_the_figure_is_that_of_two_independent_rates(check):
    one, other = sqrt(0.1 * 0.9 / 40), sqrt(0.3 * 0.7 / 90)
    assert check(answer_of(4, 40, 27, 90)).figure == pytest.approx(hypot(one, other), rel=1e-12)
    assert check(answer_of(0, 40, 27, 90)).figure == pytest.approx(other, rel=1e-12)  # one that varies is enough
    assert check(answer_of(0, 40, 27, 90)).holds


def test_the_remedy_needs_no_standard_error(check, quiet):
    """Fisher's mid-p at 0 of 1 and 1 of 1: both tables of one error are equally likely."""
    assert "Use method='fisher-mid-p'." in check(fails()).message
    answer = answer_of(0, 1, 1, 1, method="fisher-mid-p")
    assert quiet(answer)
    assert answer.pvalue > 0.4


def test_arrays_are_checked_entry_by_entry(check, carriers):
    assert check(answer_of([0, 1], 40, [40, 39], 40)).holds.tolist() == [False, True]
    assert carriers == {"probability-better"}
