"""TA014: at least 1 stratum has both errors and successes."""

import pytest

from tellapart import StratifiedCount, estimate


def fails():
    return estimate(StratifiedCount([0, 50], [100, 50], [0.9, 0.1]), method="stratified-wilson")


def holds():
    return estimate(StratifiedCount([0, 1], [100, 50], [0.9, 0.1]), method="stratified-wilson")


@pytest.mark.parametrize(
    ("errors", "shares", "figure"),
    [
        ([0, 0], [0.9, 0.1], 0),
        ([0, 50], [0.9, 0.1], 0),  # errors only in one stratum, none in the other
        ([0, 1], [0.9, 0.1], 1),
        ([5, 10], [0.9, 0.1], 2),
        ([0, 10], [1.0, 0.0], 0),  # a stratum with a share of 0 is ignored
    ],
)
def test_the_figure_counts_strata_with_both(check, errors, shares, figure):
    result = check(estimate(StratifiedCount(errors, [100, 50], shares)))
    assert (result.figure, bool(result.holds)) == (figure, figure >= 1)


def test_without_any_the_strata_s_limits_are_squared_and_added(check):
    """With no errors Wilson's upper limit is z²/(n + z²)."""
    answer = estimate(StratifiedCount([0, 0], [100, 50], [0.9, 0.1]))
    square = 1.959963984540054**2
    parts = [0.9 * square / (100 + square), 0.1 * square / (50 + square)]
    assert answer.interval.high == pytest.approx((parts[0] ** 2 + parts[1] ** 2) ** 0.5, rel=1e-10)
    assert "squared and added instead" in check(answer).message


def test_the_requirement_counts_strata(check):
    assert check(holds()).message == "both errors and successes in 1 of the strata, at least 1"


def test_the_normal_interval_has_width_0(check):
    """So the remedy is more examples, not another method."""
    strata = StratifiedCount([0, 0], [100, 50], [0.9, 0.1])
    assert check(estimate(strata)).message.endswith("Test more examples in every stratum.")
    assert estimate(strata, method="stratified-normal").interval.width == 0


def test_arrays_are_checked_entry_by_entry(check, carriers):
    result = check(estimate(StratifiedCount([[0, 0], [5, 10]], [[100, 50], [100, 50]], [0.9, 0.1])))
    assert result.holds.tolist() == [False, True]
    assert "in 1 of 2 comparisons" in result.message
    assert carriers == {"stratified-wilson"}
