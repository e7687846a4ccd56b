"""TA008: the interval is two-sided, for methods without one-sided bounds."""

import pytest

from tellapart import ErrorCount, estimate

COUNT = ErrorCount(3, 120)


def fails():
    return estimate(COUNT, method="blaker", side="upper")


def holds():
    return estimate(COUNT, method="blaker")


@pytest.mark.parametrize("method", ["blaker", "hpd-jeffreys", "hpd-uniform"])
@pytest.mark.parametrize(("side", "holds"), [("two", True), ("upper", False), ("lower", False)])
def test_only_the_two_sided_interval_passes(check, method, side, holds):
    assert check(estimate(COUNT, method=method, side=side)).holds == holds


@pytest.mark.parametrize(
    ("method", "other"), [("blaker", "clopper-pearson"), ("hpd-jeffreys", "jeffreys"), ("hpd-uniform", "uniform")]
)
@pytest.mark.parametrize("side", ["upper", "lower"])
def test_the_bound_is_the_one_the_message_names(check, quiet, method, other, side):
    bound, theirs = (estimate(COUNT, method=name, side=side) for name in (method, other))
    assert f"the bound is the one of '{other}'. Use method='{other}', or side='two'." in check(bound).message
    assert (bound.interval.low, bound.interval.high) == (theirs.interval.low, theirs.interval.high)
    assert quiet(theirs)


def test_an_end_of_blakers_interval_is_not_a_bound():
    """The bound covers at least 95%; no smaller one that increases with the errors does."""
    assert estimate(COUNT, method="blaker", level=0.9).interval.high < fails().interval.high


def test_two_sided_methods_have_this_check(carriers):
    assert carriers == {"blaker", "hpd-jeffreys", "hpd-uniform"}
