"""TA009: there are both errors and successes, so the log odds are finite."""

import pytest

from tellapart import ErrorCount, estimate


def fails():
    return estimate(ErrorCount(0, 20), method="logit")


def holds():
    return estimate(ErrorCount(1, 20), method="logit")


@pytest.mark.parametrize(("errors", "holds"), [(0, False), (1, True), (19, True), (20, False)])
def test_one_of_each_is_enough(check, errors, holds):
    result = check(estimate(ErrorCount(errors, 20), method="logit"))
    assert (result.figure, bool(result.holds)) == (min(errors, 20 - errors), holds)


@pytest.mark.parametrize("errors", [0, 20])
def test_at_either_end_the_limits_are_clopper_and_pearsons(check, quiet, errors):
    """They have a closed form there: 1 - (alpha/2)^(1/n) with no errors."""
    ours, theirs = (estimate(ErrorCount(errors, 20), method=name) for name in ("logit", "clopper-pearson"))
    assert (ours.interval.low, ours.interval.high) == (theirs.interval.low, theirs.interval.high)
    assert ours.interval.width == pytest.approx(1 - 0.025 ** (1 / 20), rel=1e-12)
    assert "the limits are those of 'clopper-pearson'. Use method='jeffreys'." in check(ours).message
    assert quiet(theirs)


def test_arrays_are_checked_entry_by_entry(check):
    assert check(estimate(ErrorCount([0, 1, 20], 20), method="logit")).holds.tolist() == [False, True, False]


def test_only_logit_has_this_check(carriers):
    assert carriers == {"logit"}
