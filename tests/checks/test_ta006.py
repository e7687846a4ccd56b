"""TA006: the confidence limits lie between 0 and 1, unless the interval is Wald's."""

from itertools import product
from math import sqrt

import pytest

from tellapart import ErrorCount, estimate

Z = 1.959963984540054


def fails():
    return estimate(ErrorCount(3, 120), method="wald")


def holds():
    return estimate(ErrorCount(12, 40), method="wald")


@pytest.mark.parametrize("errors", [3, 117])
@pytest.mark.parametrize(("method", "correction"), [("wald", 0), ("wald-cc", 1 / 240)])
def test_the_figure_is_the_distance_of_a_limit_from_the_range(check, errors, method, correction):
    """At 3 errors in 120 the lower limit is below 0, at 117 the upper as far above 1."""
    result = check(estimate(ErrorCount(errors, 120), method=method))
    outside = 0.025 - Z * sqrt(0.025 * 0.975 / 120) - correction
    assert outside < 0
    assert result.figure == pytest.approx(outside, rel=1e-12)
    assert f"by {-outside:.3g}:" in result.message  # without a minus sign


def test_a_limit_at_the_end_is_inside(check):
    """With no errors both Wald limits are 0."""
    assert check(estimate(ErrorCount(0, 40), method="wald")).holds


def test_the_remedy_stays_inside_the_range(check, quiet):
    assert check(fails()).message.endswith("Use method='jeffreys'.")
    for errors, method in product(range(41), ("jeffreys", "wilson")):
        answer = estimate(ErrorCount(errors, 40), method=method)
        assert quiet(answer)
        assert 0 <= answer.interval.low <= answer.interval.high <= 1


def test_only_walds_intervals_have_this_check(carriers):
    assert carriers == {"wald", "wald-cc"}


def test_arrays_are_checked_entry_by_entry(check):
    assert check(estimate(ErrorCount([3, 60, 117], 120), method="wald")).holds.tolist() == [False, True, False]
