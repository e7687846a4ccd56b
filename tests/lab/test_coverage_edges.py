"""Exact coverage at its edges: guarantees at every size, gaps between limits, and what no grid and no limit shows."""

import re
from itertools import groupby

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom

from tellapart import ErrorCount
from tellapart.errors import InvalidOption, UnknownMethod
from tellapart.lab import exact_coverage
from tellapart.methods import Offer, Standing, find_method, find_methods
from tellapart.results import Interval


def limits(name, trials, **options):
    counts = ErrorCount(np.arange(trials + 1), trials)
    return find_method(name, "interval", ErrorCount)(counts, **{"alpha": 0.05} | options)


def summed(interval, error):
    """Add up scipy.stats' probabilities of the counts whose interval holds the true error."""
    counts, error = np.arange(interval.low.size), np.asarray(error)[:, None]
    return (binom.pmf(counts, counts[-1], error) * ((interval.low <= error) & (error <= interval.high))).sum(axis=1)


@pytest.mark.parametrize("name", ["clopper-pearson", "blaker"])
def test_the_guarantee_holds_at_every_number_of_trials(name):
    for trials in (*range(1, 61), 100, 1000):
        assert exact_coverage(name, trials, points=1).minimum >= 0.95 - 1e-9, trials


def test_blakers_touching_limits_leave_no_gap():
    """At 100 trials two limits that should be equal once differed by a float, and no interval covered the gap."""
    interval = limits("blaker", 100)
    ends = np.concatenate([interval.low, interval.high])
    places = np.concatenate([np.nextafter(ends, 0), ends, np.nextafter(ends, 1)])
    assert summed(interval, places[(places > 0) & (places < 1)]).min() >= 0.95 - 1e-9


@pytest.mark.parametrize("name", ["jeffreys", "uniform"])
@pytest.mark.parametrize("trials", [1, 10, 100])
def test_raw_beta_limits_never_hold_a_tiny_error_and_the_rule_for_the_ends_cures_it(name, trials):
    """Brown, Cai and DasGupta 2001: with a lower limit above 0 at no errors, coverage falls to 0 with the error."""
    raw, cured = (exact_coverage(name, trials, points=1, raw=raw) for raw in (True, False))
    assert raw.minimum < 1e-12
    assert raw.worst < 1e-200
    assert "as the error rate approaches 0" in raw.words
    assert cured.minimum > 0.7
    assert exact_coverage(name, trials, within=(0, 1e-9), points=1).minimum > 1 - 1e-6


@pytest.mark.parametrize("name", ["wald", "wilson", "percentile"])
@pytest.mark.parametrize("within", [(0.0, 1.0), (0.0, 0.1), (0.03, 0.3)])
def test_it_fails_where_the_sums_miss_more_than_twice_alpha(name, within):
    result = exact_coverage(name, 30, within=within, points=1000)
    missed = 1 - summed(limits(name, 30), result.error)
    cell, ranges = (within[1] - within[0]) / 1000, []
    for bad, places in groupby(range(1000), lambda index: missed[index] > 0.1):
        if bad:
            first, *rest = places
            ranges.append((within[0] + first * cell, within[0] + (first + len(rest) + 1) * cell))
    assert ranges or (name, within[0]) == ("wilson", 0.03)  # Wilson dips where one error is expected, and not there
    assert len(result.fails) == len(ranges)
    assert_allclose(np.ravel(result.fails), np.ravel(ranges), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "trials", "level"),
    [("wald", 1, 0.95), ("bca-bootstrap", 1, 0.95), ("wald", 2, 0.5), ("percentile", 9, 0.1)],
)
def test_a_true_error_that_no_interval_holds_is_covered_never(name, trials, level):
    """Limits of no width at 0 and 1, and next to every limit a gap that no interval reaches."""
    result = exact_coverage(name, trials, points=20, level=level)
    assert_allclose(result.coverage, summed(limits(name, trials, alpha=1 - level), result.error), rtol=0, atol=1e-12)
    assert result.minimum == 0


@pytest.mark.parametrize(("trials", "options"), [(600, {}), (17, {"side": "upper"}), (130, {"level": 0.8})])
def test_wilson_holds_an_error_of_1_where_all_were_wrong(trials, options):
    """As a quotient his upper root at nothing but errors may fall a float short of 1, and coverage to 0."""
    assert exact_coverage("wilson", trials, points=1, **options).minimum > 0.6


def made_up(function):
    """Return a method that the registry does not know."""
    return Offer(
        name="made-up",
        gives="interval",
        question=1,
        evidence=ErrorCount,
        standing=Standing.HEURISTIC,
        rationale="made up",
        reference="brown2001",
        function=function,
    )


def test_a_minimum_between_two_limits_is_not_overlooked():
    """Intervals of everything at none and all wrong, of nothing else: pⁿ + (1−p)ⁿ, least at one half."""

    def extremes(count, *, alpha, side="two"):
        everything = (count.errors == 0) | (count.successes == 0)
        return Interval(low=1.0 - everything, high=np.ones(count.shape), alpha=alpha, side=side, method="made-up")

    result = exact_coverage(made_up(extremes), 8, points=101)
    assert_allclose(result.coverage, result.error**8 + (1 - result.error) ** 8, rtol=1e-12)
    assert result.minimum == pytest.approx(2**-7)


def test_a_method_and_its_name_give_the_same():
    method = find_method("mid-p", "interval", ErrorCount)
    one, other = (exact_coverage(each, 30, level=0.9, points=50) for each in (method, "mid-p"))
    assert (one.method, one.alpha, one.minimum, one.worst) == (other.method, other.alpha, other.minimum, other.worst)
    assert_array_equal(one.coverage, other.coverage)
    assert_array_equal(one.width, other.width)


def test_average_coverage_under_the_prior_is_the_level():
    """A Bayesian interval's own promise: true errors drawn from the uniform prior are held at the level."""
    assert exact_coverage("beta", 30, prior="uniform", raw=True, points=20_000).mean == pytest.approx(0.95, abs=1e-4)


@pytest.mark.parametrize("trials", [np.nan, np.inf, 10**7, "30", None, [30]])
def test_trials_that_cannot_be_enumerated(trials):
    with pytest.raises(InvalidOption, match="`trials` must be a whole number from 1 to 1,000,000"):
        exact_coverage("wilson", trials)


@pytest.mark.parametrize("points", [-1, 2.5, "9", None])
def test_points_that_make_no_grid(points):
    with pytest.raises(InvalidOption, match="`points` must be a whole number from 1 to 1,000,000, got "):
        exact_coverage("wilson", 30, points=points)


@pytest.mark.parametrize("within", [(0, 0.1, 0.2), 0.5, None, "ab"])
def test_a_range_that_is_none(within):
    with pytest.raises(InvalidOption, match="`within` must be two error rates, 0 <= low < high <= 1"):
        exact_coverage("wilson", 30, within=within)


@pytest.mark.parametrize("name", ["", None, 3])
def test_a_method_nobody_knows(name):
    with pytest.raises(
        UnknownMethod, match=r"unknown method .* for ErrorCount\. Choose one of the \d+ that `tellapart methods` lists"
    ):
        exact_coverage(name, 30)


def test_a_test_is_no_interval():
    with pytest.raises((InvalidOption, UnknownMethod), match="interval"):
        exact_coverage(find_method("wilson", "test", ErrorCount), 30)


PROMISES = {"recommended": (0.94, 0.83), "sound": (0.93, 0.80)}  # of mean and minimum, from 5 trials on
PROMISING = [
    each
    for each in find_methods(gives="interval", evidence=ErrorCount)
    if each.standing in PROMISES and not each.required
]


@pytest.mark.parametrize("method", PROMISING, ids=lambda method: method.name)
def test_standing_is_earned_at_every_small_number_of_trials(method):
    mean, minimum = PROMISES[method.standing]
    message = re.search(r"(\d+) or more examples", method.validity)
    for trials in (*range(int(message.group(1)) if message else 5, 61), 128, 600):
        result = exact_coverage(method, trials, points=500)
        assert result.mean >= mean, (trials, result.mean)
        assert result.minimum >= minimum, (trials, result.minimum, result.worst)
