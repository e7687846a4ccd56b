"""TA008: both limits were asked for, of a construction that has no bounds."""

import pytest

from tellapart import ErrorCount, estimate

COUNT = ErrorCount(3, 120)


def fails():
    return estimate(COUNT, method="blaker", side="upper")


def holds():
    return estimate(COUNT, method="blaker")


@pytest.mark.parametrize("method", ["blaker", "hpd-jeffreys", "hpd-uniform"])
@pytest.mark.parametrize(("side", "holds"), [("two", True), ("upper", False), ("lower", False)])
def test_only_the_two_sided_interval_is_the_methods_own(check, method, side, holds):
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


def test_one_end_of_blakers_interval_is_no_bound():
    """The bound keeps 95 % for certain, and no smaller one that grows with the errors does."""
    assert estimate(COUNT, method="blaker", level=0.9).interval.high < fails().interval.high


def test_two_sided_constructions_carry_it(carriers):
    assert carriers == {"blaker", "hpd-jeffreys", "hpd-uniform"}
