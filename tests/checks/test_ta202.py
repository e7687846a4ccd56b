"""TA202: Mitchell's n e (1 - e) is at least 5 in both test sets."""

from fractions import Fraction

import pytest

from tellapart import IndependentCounts, compare


def answer_of(errors, trials=100, other=40):
    return compare(IndependentCounts.from_counts(errors, trials, other, 100), interval="wald-independent")


def fails():
    return answer_of(5)


def holds():
    return answer_of(6)


@pytest.mark.parametrize(("errors", "holds"), [(0, False), (5, False), (6, True), (50, True), (94, True), (96, False)])
def test_the_smaller_product_counts(check, errors, holds):
    """100·0.05·0.95 = 4.75, 100·0.06·0.94 = 5.64; the other set has 100·0.4·0.6 = 24."""
    product = min(Fraction(errors * (100 - errors), 100), Fraction(24))
    assert check(answer_of(errors)).figure == pytest.approx(float(product), rel=1e-14)
    assert check(answer_of(errors)).holds == holds == (product >= 5)


def test_exactly_5_is_enough_on_either_side(check):
    """6·30/36 = 5."""
    for four in ((6, 36, 40, 100), (40, 100, 6, 36)):
        interval = check(compare(IndependentCounts.from_counts(*four), interval="wald-independent"))
        assert (interval.figure, bool(interval.holds)) == (5, True)


def test_the_remedy_does_not_have_this_check(check, quiet):
    message = check(fails()).message
    assert "n e (1 - e) = 4.75 in a test set, below 5" in message
    assert message.endswith("Use interval='miettinen-nurminen'.")
    both = compare(IndependentCounts.from_counts(5, 100, 40, 100), method="probability-better")
    assert check(both).remedy == "Use method='fisher-mid-p' and interval='miettinen-nurminen'."
    rare = IndependentCounts.from_counts(5, 100, 40, 100)
    assert quiet(compare(rare, method="fisher-mid-p", interval="miettinen-nurminen"))


def test_arrays_are_checked_entry_by_entry(check, carriers):
    assert check(answer_of([5, 6])).holds.tolist() == [False, True]
    assert carriers == {"wald-independent", "probability-better"}
