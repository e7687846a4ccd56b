"""Exact coverage against sums over every outcome, and whether the methods earn their standing."""

from itertools import groupby

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom

from tellapart import ErrorCount
from tellapart.errors import InvalidEvidence, InvalidOption, UnknownMethod
from tellapart.lab import exact_coverage
from tellapart.methods import Method, Standing, find_method, find_methods
from tellapart.results import Interval

INTERVALS = find_methods(gives="interval", evidence=ErrorCount)

# Method, trials, what is asked of it. Wald's limits go back and forth; so do those of logit at 99.9 %.
ASKED = [
    ("wald", 12, {}),
    ("wald", 30, {"within": (0, 0.1)}),
    ("wald-cc", 12, {"alpha": 0.2}),
    ("logit", 25, {"level": 0.999}),
    ("bca-bootstrap", 25, {}),
    ("wilson", 30, {"level": 0.5}),
    ("jeffreys", 100, {"side": "upper"}),
    ("jeffreys", 7, {"side": "lower", "level": 0.8}),
    ("clopper-pearson", 1, {}),
    ("clopper-pearson", 40, {"side": "lower", "alpha": 1e-6}),
    ("mid-p", 60, {"within": (0.2, 0.7), "level": 0.99}),
    ("blaker", 20, {"level": 0.9}),
    ("hpd-jeffreys", 50, {}),
    ("beta", 30, {"prior": (2, 5)}),
]
asked = pytest.mark.parametrize(("name", "trials", "options"), ASKED, ids=[f"{name}-{n}" for name, n, _ in ASKED])


def limits(name, trials, *, level=None, alpha=0.05, side="two", within=None, **options):
    """Return the interval of every count; the level as alpha, and no range of true errors."""
    del within
    alpha = alpha if level is None else 1 - level
    counts = ErrorCount(np.arange(trials + 1), trials)
    return find_method(name, "interval", ErrorCount)(counts, alpha=alpha, side=side, **options)


def summed(interval, error):
    """Add up scipy.stats' probabilities of the counts whose interval holds the true error; also times width."""
    counts = np.arange(interval.low.size)
    chance = binom.pmf(counts, counts[-1], np.asarray(error)[:, None])
    held = (interval.low <= np.asarray(error)[:, None]) & (np.asarray(error)[:, None] <= interval.high)
    return (chance * held).sum(axis=1), (chance * interval.width).sum(axis=1)


# --- Against brute force -------------------------------------------------------------------------


@asked
def test_coverage_and_width_are_sums_over_every_outcome(name, trials, options):
    found = exact_coverage(name, trials, points=300, **options)
    coverage, width = summed(limits(name, trials, **options), found.error)
    assert_allclose(found.coverage, coverage, rtol=0, atol=1e-12)
    assert_allclose(found.width, width, rtol=1e-10)
    assert_allclose([found.mean, found.mean_width], [coverage.mean(), width.mean()], rtol=1e-10)


@asked
def test_the_minimum_is_that_of_a_very_fine_grid(name, trials, options):
    """Fine, and on both sides of every limit as close as a part in a thousand million."""
    found = exact_coverage(name, trials, points=10, **options)
    low, high = found.within
    interval = limits(name, trials, **options)
    ends = np.concatenate([interval.low, interval.high])
    near = np.concatenate([ends * (1 - 1e-9), ends, ends * (1 + 1e-9)])
    grid = np.concatenate([np.linspace(low, high, 20_001)[1:-1], near[(near > low) & (near < high)]])
    coverage, _ = summed(interval, grid)
    assert found.minimum <= coverage.min() + 1e-12
    assert found.minimum == pytest.approx(coverage.min(), abs=2e-3)
    assert low <= found.worst <= high


@asked
def test_the_minimum_is_reached_next_to_the_true_error_it_names(name, trials, options):
    found = exact_coverage(name, trials, points=10, **options)
    coverage, _ = summed(limits(name, trials, **options), [found.worst])
    assert_allclose(coverage, found.minimum, rtol=0, atol=1e-11)


@pytest.mark.parametrize("name", ["wald", "wilson", "percentile"])
@pytest.mark.parametrize("within", [(0.0, 1.0), (0.0, 0.1), (0.03, 0.3)])
def test_it_fails_where_the_sums_miss_more_than_twice_alpha(name, within):
    found = exact_coverage(name, 30, within=within, points=1000)
    coverage, _ = summed(limits(name, 30), found.error)
    cell = (within[1] - within[0]) / 1000
    ranges = []
    for bad, places in groupby(range(1000), lambda place: 1 - coverage[place] > 0.1):
        places = list(places)
        if bad:
            ranges.append((within[0] + places[0] * cell, within[0] + (places[-1] + 1) * cell))
    assert ranges
    assert_allclose(found.fails, ranges, rtol=0, atol=1e-12)


def test_many_trials_are_enumerated_too():
    """By scipy.stats, one true error at a time; at 20 000 trials the table of widths is cut to what counts."""
    found = exact_coverage("wilson", 20_000, within=(0, 0.2), points=5)
    coverage, width = zip(*(summed(limits("wilson", 20_000), [error]) for error in found.error), strict=True)
    assert_allclose(found.coverage, np.ravel(coverage), rtol=0, atol=1e-9)
    assert_allclose(found.width, np.ravel(width), rtol=1e-8)


def test_true_errors_are_the_middles_of_equal_cells():
    found = exact_coverage("wilson", 10, within=(0.2, 0.4), points=4)
    assert_allclose(found.error, [0.225, 0.275, 0.325, 0.375])
    assert_allclose(exact_coverage("wilson", 10, points=1).error, [0.5])


# Where no outcome's interval holds the true error: Wald has no width at 0 of 1 and 1 of 1, and at
# level one half 2 trials leave gaps that no interval reaches.
@pytest.mark.parametrize(
    ("name", "trials", "options"),
    [("wald", 1, {}), ("percentile", 1, {}), ("bca-bootstrap", 1, {}), ("wald", 2, {"level": 0.5})],
)
def test_a_true_error_that_no_interval_holds_is_covered_never(name, trials, options):
    found = exact_coverage(name, trials, points=20, **options)
    coverage, _ = summed(limits(name, trials, **options), found.error)
    assert_allclose(found.coverage, coverage, rtol=0, atol=1e-12)
    assert found.minimum == 0


def test_a_minimum_between_two_limits_is_not_overlooked():
    """Intervals of everything at none and all wrong, of nothing else: pⁿ + (1−p)ⁿ, least at one half."""

    def extremes(count, *, alpha, side="two"):
        everything = (count.errors == 0) | (count.successes == 0)
        return Interval(low=1.0 - everything, high=np.ones(count.shape), alpha=alpha, side=side, method="extremes")

    found = exact_coverage(made_up(extremes), 8, points=101)
    assert_allclose(found.coverage, found.error**8 + (1 - found.error) ** 8, rtol=1e-12)
    assert found.minimum == pytest.approx(2**-7)


# --- How it is asked -----------------------------------------------------------------------------


def made_up(function):
    """Return a method that the registry does not know."""
    return Method(
        name="made-up",
        gives="interval",
        question=1,
        evidence=ErrorCount,
        standing=Standing.HEURISTIC,
        because="made up",
        reference="brown2001",
        function=function,
    )


def same(one, other):
    assert (one.method, one.trials, one.alpha, one.side) == (other.method, other.trials, other.alpha, other.side)
    assert (one.minimum, one.worst, one.within) == (other.minimum, other.worst, other.within)
    assert_array_equal(one.coverage, other.coverage)
    assert_array_equal(one.width, other.width)


def test_a_method_and_its_name_give_the_same():
    method = find_method("mid-p", "interval", ErrorCount)
    same(exact_coverage(method, 30, level=0.9, points=50), exact_coverage("mid-p", 30, level=0.9, points=50))


def test_level_and_alpha_are_one_number():
    same(exact_coverage("wilson", 30, level=0.75, points=50), exact_coverage("wilson", 30, alpha=0.25, points=50))


def test_what_was_asked_is_in_the_answer():
    found = exact_coverage("jeffreys", 30.0, within=(0, 0.5), points=7, level=0.75, side="upper")
    assert (found.method, found.trials, found.alpha, found.side) == ("jeffreys", 30, 0.25, "upper")
    assert found.within == (0.0, 0.5)
    assert found.error.shape == found.coverage.shape == found.width.shape == (7,)


def test_the_prior_passes_through():
    """Jeffreys' interval is the Beta interval under Beta(1/2, 1/2), and a prior's name stands for its numbers."""
    jeffreys = exact_coverage("jeffreys", 40, points=50)
    for prior in ((0.5, 0.5), "jeffreys"):
        beta = exact_coverage("beta", 40, points=50, prior=prior)
        assert_allclose(beta.coverage, jeffreys.coverage, rtol=1e-12)
        assert_allclose(beta.minimum, jeffreys.minimum, rtol=1e-9)
    assert exact_coverage("beta", 40, points=50, prior=(5, 1)).minimum < jeffreys.minimum - 0.1


def test_average_coverage_under_the_prior_is_the_level():
    """A Bayesian interval's own promise: true errors drawn from the uniform prior are held at the level."""
    found = exact_coverage("beta", 30, prior="uniform", raw=True, points=20_000)
    assert found.mean == pytest.approx(0.95, abs=1e-4)


# --- Bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize("trials", [0, -1, 2.5, np.nan, np.inf, 10**7, "30", None, [30]])
def test_trials_that_cannot_be_enumerated(trials):
    with pytest.raises(InvalidOption, match="trials must be a whole number from 1 to 1,000,000"):
        exact_coverage("wilson", trials)


def test_trials_that_are_no_number():
    with pytest.raises((InvalidOption, InvalidEvidence), match="trials must"):
        exact_coverage("wilson", True)


@pytest.mark.parametrize("points", [0, -1, 2.5, "9", None])
def test_points_that_make_no_grid(points):
    with pytest.raises(InvalidOption, match="points must be a whole number, at least 1"):
        exact_coverage("wilson", 30, points=points)


@pytest.mark.parametrize(
    "within", [(0.1, 0.1), (0.2, 0.1), (-0.1, 0.5), (0, 1.1), (np.nan, 0.5), (0, 0.1, 0.2), 0.5, None, "ab"]
)
def test_a_range_that_is_none(within):
    with pytest.raises(InvalidOption, match="within must be two true errors, 0 <= low < high <= 1"):
        exact_coverage("wilson", 30, within=within)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"level": 95}, "For 95 % write 0.95"),
        ({"level": 0}, "level must lie strictly between 0 and 1"),
        ({"alpha": 1.0}, "alpha must lie strictly between 0 and 1"),
        ({"level": 0.9, "alpha": 0.05}, "contradict each other"),
        ({"side": "left"}, "side must be one of 'two', 'upper', 'lower', but is 'left'"),
        ({"prior": (1, 1)}, "prior is no option of method 'wilson', which takes none"),
        ({"against": 0.1}, "against is no option of method 'wilson'"),
    ],
)
def test_options_that_cannot_be(options, said):
    with pytest.raises(InvalidOption, match=said):
        exact_coverage("wilson", 30, **options)


def test_a_prior_that_is_missing_or_none():
    with pytest.raises(InvalidOption, match=r"method 'beta' needs prior=.*prior=\(0.5, 0.5\)"):
        exact_coverage("beta", 30)
    with pytest.raises(InvalidOption, match="prior must be one of jeffreys, uniform"):
        exact_coverage("beta", 30, prior="flat")
    with pytest.raises(InvalidOption, match="both above 0, but u is -1"):
        exact_coverage("beta", 30, prior=(-1, 1))


@pytest.mark.parametrize("name", ["wilsn", "", None, 3])
def test_a_method_nobody_knows(name):
    with pytest.raises(UnknownMethod, match="gives no interval from ErrorCount. Choose one of: agresti-coull, "):
        exact_coverage(name, 30)


def test_a_test_is_no_interval():
    with pytest.raises((InvalidOption, UnknownMethod), match="interval"):
        exact_coverage(find_method("wilson", "test", ErrorCount), 30)


# --- What the methods promise --------------------------------------------------------------------


@pytest.mark.parametrize("name", ["clopper-pearson", "blaker"])
def test_the_guarantee_holds_at_every_number_of_trials(name):
    for trials in (*range(1, 61), 100, 1000):
        assert exact_coverage(name, trials, points=1).minimum >= 0.95 - 1e-9, trials


@pytest.mark.parametrize("side", ["upper", "lower"])
@pytest.mark.parametrize("level", [0.5, 0.8, 0.999])
def test_clopper_and_pearson_guarantee_each_side_at_every_level(side, level):
    for trials in (1, 2, 7, 30, 200):
        found = exact_coverage("clopper-pearson", trials, points=1, side=side, level=level)
        assert found.minimum >= level - 1e-9, trials


def test_blakers_touching_limits_leave_no_gap():
    """At 100 trials two limits that ought to touch were once a float apart, and between them nobody held."""
    interval = limits("blaker", 100)
    ends = np.concatenate([interval.low, interval.high])
    places = np.concatenate([np.nextafter(ends, 0), ends, np.nextafter(ends, 1)])
    coverage, _ = summed(interval, places[(places > 0) & (places < 1)])
    assert coverage.min() >= 0.95 - 1e-9
    assert exact_coverage("blaker", 100, points=1).minimum >= 0.95 - 1e-9


@pytest.mark.parametrize("name", ["jeffreys", "uniform"])
@pytest.mark.parametrize("trials", [1, 10, 100])
def test_raw_beta_limits_never_hold_a_tiny_error_and_the_rule_for_the_ends_cures_it(name, trials):
    """Brown, Cai and DasGupta 2001: with a lower limit above 0 at no errors, coverage falls to 0 with the error."""
    raw, cured = (exact_coverage(name, trials, points=1, raw=raw) for raw in (True, False))
    assert raw.minimum < 1e-12
    assert raw.worst < 1e-200
    assert "as the true error goes to 0" in raw.words
    assert cured.minimum > 0.7
    assert exact_coverage(name, trials, within=(0, 1e-9), points=1).minimum > 1 - 1e-6


def test_wald_falls_to_nothing():
    """No errors give an interval of no width, so as the true error goes to 0 it is held ever less often."""
    assert exact_coverage("wald", 1000, points=1).minimum < 1e-12


PROMISES = {  # of the mean and of the minimum, at 95 %, over all true errors, from 5 trials on
    Standing.RECOMMENDED: (0.94, 0.83),
    Standing.SOUND: (0.93, 0.80),
}
PROMISING = [method for method in INTERVALS if method.standing in PROMISES and not method.required]


@pytest.mark.parametrize("method", PROMISING, ids=lambda method: method.name)
def test_standing_is_earned(method):
    mean, minimum = PROMISES[method.standing]
    for trials in (5, 10, 30, 100, 1000):
        found = exact_coverage(method, trials)
        assert found.mean >= mean, (trials, found.mean)
        assert found.minimum >= minimum, (trials, found.minimum, found.worst)


@pytest.mark.parametrize("method", PROMISING, ids=lambda method: method.name)
def test_standing_is_earned_at_every_number_of_trials(method):
    """Small even numbers are worse than their neighbours; 600 trials gave limits of 1 that were a float short."""
    assert method.holds == "every number of trials"
    mean, minimum = PROMISES[method.standing]
    for trials in (*range(5, 61), 128, 600):
        found = exact_coverage(method, trials, points=500)
        assert found.mean >= mean, (trials, found.mean)
        assert found.minimum >= minimum, (trials, found.minimum, found.worst)


GUARANTEEING = [method for method in INTERVALS if method.guarantees]


def test_some_method_guarantees():
    assert {"clopper-pearson", "blaker"} <= {method.name for method in GUARANTEEING}


@pytest.mark.parametrize("method", GUARANTEEING, ids=lambda method: method.name)
def test_a_guarantee_is_kept(method):
    for trials in (5, 10, 30, 100, 1000):
        assert exact_coverage(method, trials).minimum >= 0.95 - 1e-9, trials
    for level in (0.5, 0.9, 0.999):
        assert exact_coverage(method, 30, level=level, points=1).minimum >= level - 1e-9, level
