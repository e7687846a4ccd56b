"""Exact coverage against sums over every outcome, and what a standing promises."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from tellapart import ErrorCount, exact_coverage
from tellapart.errors import InvalidOption, UnknownMethod
from tellapart.methods import find_method, find_methods

INTERVALS = find_methods(gives="interval", evidence=ErrorCount)
PROMISED = [method for method in INTERVALS if method.standing in ("recommended", "sound") and not method.required]


def by_hand(method, trials, errors, **options):
    """Return coverage and expected width at each true error, outcome by outcome, in SciPy's binomial."""
    counts = ErrorCount(np.arange(trials + 1), trials)
    interval = find_method(method, "interval", ErrorCount)(counts, **options)
    chance = stats.binom.pmf(counts.errors, trials, np.asarray(errors)[:, None])
    evidence = (interval.low <= np.asarray(errors)[:, None]) & (np.asarray(errors)[:, None] <= interval.high)
    return (chance * evidence).sum(axis=1), chance @ interval.width


@pytest.mark.parametrize("within", [(0, 1), (0, 0.1), (0.3, 0.7)])
@pytest.mark.parametrize("trials", [1, 10, 97])
@pytest.mark.parametrize("method", ["jeffreys", "clopper-pearson", "blaker", "wilson", "wald", "wald-cc", "percentile"])
def test_coverage_and_width_are_sums_over_outcomes(method, trials, within):
    """Wald's limits go back and forth, so that the counts which hold a true error need not be a run."""
    result = exact_coverage(method, trials, within=within, points=500)
    low, high = within
    assert_allclose(result.error, low + (np.arange(500) + 0.5) * (high - low) / 500, rtol=1e-14)
    coverage, width = by_hand(method, trials, result.error)
    assert_allclose(result.coverage, coverage, rtol=0, atol=1e-11)
    assert_allclose(result.width, width, rtol=1e-10, atol=1e-13)
    assert_allclose([result.mean, result.mean_width], [coverage.mean(), width.mean()], rtol=1e-9)


@pytest.mark.parametrize("side", ["upper", "lower"])
def test_coverage_of_bounds(side):
    result = exact_coverage("wilson", 40, side=side, alpha=0.1, points=300)
    coverage, width = by_hand("wilson", 40, result.error, side=side, alpha=0.1)
    assert_allclose(result.coverage, coverage, rtol=0, atol=1e-12)
    assert_allclose(result.width, width, rtol=1e-10)


def test_options_reach_the_method():
    result = exact_coverage("beta", 25, prior=(1, 3.67), raw=True, points=200)
    coverage, _ = by_hand("beta", 25, result.error, prior=(1, 3.67), raw=True)
    assert_allclose(result.coverage, coverage, rtol=0, atol=1e-12)
    assert exact_coverage("jeffreys", 25, raw=True).minimum < 0.05  # without the rule for the ends it falls to 0


def test_many_trials():
    """At 10⁵ trials the sums run over the outcomes that have any probability."""
    result = exact_coverage("wilson", 100_000, within=(0.001, 0.002), points=5)
    coverage, width = by_hand("wilson", 100_000, result.error)
    assert_allclose(result.coverage, coverage, rtol=0, atol=1e-9)
    assert_allclose(result.width, width, rtol=1e-9)


@pytest.mark.parametrize("within", [(0, 1), (0, 0.1), (0.2, 0.25)])
@pytest.mark.parametrize("trials", [5, 30, 60])
@pytest.mark.parametrize("method", ["jeffreys", "mid-p", "wilson", "clopper-pearson", "agresti-coull", "wald", "logit"])
def test_the_minimum_is_that_of_a_very_fine_grid(method, trials, within):
    """Never above it, and hardly below: the coverage is lowest next to a limit, where no grid point is."""
    low, high = within
    fine = low + (np.arange(20_000) + 0.5) * (high - low) / 20_000
    coverage, _ = by_hand(method, trials, fine)
    result = exact_coverage(method, trials, within=within, points=10)
    assert result.minimum <= coverage.min() + 1e-12
    # Between neighbours on the grid the binomial probabilities move by at most trials times the step.
    assert result.minimum >= coverage.min() - trials * (high - low) / 20_000 - 1e-12
    at_worst, _ = by_hand(method, trials, [result.worst])
    assert_allclose(result.minimum, at_worst[0], rtol=0, atol=1e-10)
    assert low <= result.worst <= high


def test_wald_covers_nothing_as_the_error_vanishes():
    result = exact_coverage("wald", 30)
    assert result.minimum < 1e-12
    assert result.fails[0][0] == 0
    assert all(low < high for low, high in result.fails)


def test_a_guaranteed_interval_fails_nowhere():
    result = exact_coverage("clopper-pearson", 30)
    assert result.fails == []
    assert "never less than" in result.words


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.99, 1 - 1e-6])
@pytest.mark.parametrize("trials", [1, 2, 5, 11, 30, 100, 400])
@pytest.mark.parametrize(
    "method",
    [method for method in INTERVALS if method.guarantees and not method.required],
    ids=lambda method: method.name,
)
def test_a_guarantee_holds_everywhere(method, trials, level):
    assert exact_coverage(method, trials, level=level, points=10).minimum >= level - 1e-9


@pytest.mark.parametrize("side", ["upper", "lower"])
@pytest.mark.parametrize(
    "method",
    [method for method in INTERVALS if method.guarantees and not method.required],
    ids=lambda method: method.name,
)
def test_a_guarantee_holds_on_each_side(method, side):
    assert exact_coverage(method, 30, side=side, points=10).minimum >= 0.95 - 1e-9


def first_promised(method):
    """Return from how many trials on the method's facts promise its standing: five, unless it says otherwise."""
    message = re.search(r"(\d+) or more examples", method.validity)
    return int(message.group(1)) if message else 5


@pytest.mark.parametrize(
    ("method", "trials"),
    [
        pytest.param(method, trials, id=f"{method.name}-{trials}")
        for method in PROMISED
        for trials in (5, 6, 7, 8, 10, 13, 20, 30, 43, 60, 100, 300, 1000)
        if trials >= first_promised(method)
    ],
)
def test_a_standing_is_earned(method, trials):
    """Over all true errors; recommended: mean >= level − 0.01, minimum >= level − 0.12; sound: 0.02 and 0.15."""
    mean, floor = {"recommended": (0.94, 0.83), "sound": (0.93, 0.80)}[method.standing]
    result = exact_coverage(method, trials, points=1000)
    assert result.mean >= mean
    assert result.minimum >= (0.95 - 1e-9 if method.guarantees else floor)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"trials": 0}, "trials"),
        ({"trials": -3}, "trials"),
        ({"trials": 2.5}, "trials"),
        ({"within": (0.2, 0.1)}, "within"),
        ({"within": (0.2, 0.2)}, "within"),
        ({"within": (-0.1, 0.5)}, "within"),
        ({"within": (0, 1.5)}, "within"),
        ({"within": (0, np.nan)}, "within"),
        ({"points": 0}, "points"),
        ({"points": True}, "points"),
        ({"points": 10**9}, "`points` must be a whole number from 1 to 1,000,000, got 1000000000"),
        ({"points": 2**63 - 1}, "points"),
        ({"points": 2**63}, "points"),
        ({"points": [1, [2]]}, "points"),
        ({"alpha": 5e-324}, "`alpha` must be at least 1e-300"),
        ({"level": 95}, "level"),
        ({"side": "both"}, "side"),
        ({"alpha": 0.1, "level": 0.95}, "must be 1 - level"),
        ({"method": "jeffreys-approx", "level": 0.9}, "must have level 0.95"),
        ({"method": "beta"}, "prior"),
        ({"prior": (1, 1)}, "prior"),
    ],
    ids=str,
)
def test_bad_arguments(options, match):
    options = {"method": "jeffreys", "trials": 30} | options
    with pytest.raises(InvalidOption, match=match):
        exact_coverage(options.pop("method"), options.pop("trials"), **options)


def test_an_unknown_method():
    with pytest.raises(UnknownMethod, match="wilsen"):
        exact_coverage("wilsen", 30)
