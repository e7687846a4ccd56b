"""The posterior against SciPy's Beta and mpmath's integrals; priors given as functions and fitted ones."""

import numpy as np
import pytest
from mpmath import mp
from numpy.testing import assert_allclose
from scipy import integrate, stats

from tellapart import BetaPrior, ErrorCount, estimate, fit_prior, posterior
from tellapart.errors import InvalidOption
from tellapart.methods.error_count.posterior_intervals import beta, jeffreys, posterior_limits, uniform

COUNTS = ErrorCount([0, 1, 3, 40, 100, 0, 1, 30], [1, 1, 120, 120, 100, 1000, 1000, 1000])
PRIORS = {"jeffreys": (0.5, 0.5), "uniform": (1, 1), "skewed": (2, 5), "error-rates": (1, 3.67), "narrow": (40, 160)}


def law(count, prior):
    return stats.beta(count.errors + prior[0], count.successes + prior[1])


def density_of(u, v):
    """Return the density of Beta(u, v), up to a factor, as a user would write it."""
    return lambda error: error ** (u - 1) * (1 - error) ** (v - 1)


# --- Beta priors ---------------------------------------------------------------------------------


@pytest.mark.parametrize("prior", PRIORS.values(), ids=PRIORS)
def test_beta_posterior_is_scipys_beta(prior):
    after, expected = posterior(COUNTS, prior=prior), law(COUNTS, prior)
    assert_allclose(after.mean, expected.mean(), rtol=1e-13)
    assert_allclose(after.variance, expected.var(), rtol=1e-12)
    assert_allclose(after.sd, expected.std(), rtol=1e-12)
    for x in (0.001, 0.025, 0.3, 0.9):
        assert_allclose(after.density(x), expected.pdf(x), rtol=1e-10, atol=1e-300)
        assert_allclose(after.cdf(x), expected.cdf(x), rtol=1e-11, atol=1e-300)
        assert_allclose(after.exceedance(x), expected.sf(x), rtol=1e-11, atol=1e-300)
    for probability in (1e-12, 0.025, 0.5, 0.9):
        assert_allclose(after.quantile(probability), expected.ppf(probability), rtol=1e-10)
        assert_allclose(after.upper_quantile(probability), expected.isf(probability), rtol=1e-10)


@pytest.mark.parametrize(
    ("errors", "trials", "prior", "mode"),
    [
        (3, 120, (1, 1), 3 / 120),  # under the uniform prior the mode is the estimate
        (3, 120, (0.5, 0.5), 2.5 / 119),
        (0, 10, (0.5, 0.5), 0),
        (10, 10, (0.5, 0.5), 1),
        (10, 10, (1, 3.67), 10 / 12.67),
        (0, 10, (2, 5), 1 / 15),
        (1, 1, (1, 1), 1),
    ],
)
def test_the_mode_is_where_the_density_is_largest(errors, trials, prior, mode):
    after = posterior(ErrorCount(errors, trials), prior=prior)
    assert_allclose(after.mode, mode, rtol=1e-13)
    grid = np.linspace(1e-4, 1 - 1e-4, 9999)
    assert abs(grid[np.argmax(after.density(grid))] - mode) <= 1e-4


def test_priors_by_name_by_pair_and_by_value_are_the_same():
    count = ErrorCount(3, 120)
    for name, (u, v) in {
        "jeffreys": (0.5, 0.5),
        "uniform": (1, 1),
        "error-rates": (1, 3.67),
        "majority": (0.74, 1.44),
    }.items():
        means = {
            float(posterior(count, prior=prior).mean)
            for prior in (name, (u, v), [u, v], np.array([u, v]), BetaPrior(u, v))
        }
        assert means == {(3 + u) / (120 + u + v)}


def test_jeffreys_prior_is_the_default():
    assert posterior(ErrorCount(3, 120)).mean == 3.5 / 121


def test_a_posterior_prints_its_mean_and_credible_interval():
    """The limits are those of the Jeffreys interval."""
    assert str(posterior(ErrorCount(3, 120))).splitlines() == [
        "posterior mean error rate 2.9% (95% credible interval 0.7% to 6.5%)",
        "median 2.6%, mode 2.1%, SD 1.5 pp",
        "",
        "  data      3 errors in 120 examples",
        "  design    prior Beta(1/2, 1/2)",
    ]
    assert str(posterior(ErrorCount([3, 4], 120))).startswith("posterior of 2 error rates")
    assert "given as a function" in str(posterior(ErrorCount(3, 120), prior=lambda error: 1 - error))


# --- Priors given as functions -------------------------------------------------------------------

FUNCTIONS = {"jeffreys": (0.5, 0.5), "uniform": (1, 1), "skewed": (2, 5)}
LARGE = ErrorCount([0, 1, 3, 10**6, 5 * 10**8, 2, 0], [10**9, 10**9, 10**9, 10**9, 10**9, 10**5, 10**5])


@pytest.mark.parametrize("counts", [COUNTS, LARGE], ids=["usual", "large"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_density_that_is_a_beta_gives_the_beta_posterior(name, counts):
    """Ten digits, up to 10⁹ trials and to the level 1 − 10⁻¹²."""
    if name == "jeffreys":  # infinite at 1, and no float is closer to 1 than 10⁻¹⁶: see the next test
        counts = counts[counts.successes > 0]
    by_function, exact = (posterior(counts, prior=prior) for prior in (density_of(*FUNCTIONS[name]), FUNCTIONS[name]))
    assert_allclose(by_function.mean, exact.mean, rtol=1e-10)
    assert_allclose(by_function.variance, exact.variance, rtol=1e-10)
    for probability in (1e-12, 5e-13, 0.025, 0.5, 0.8):
        assert_allclose(by_function.quantile(probability), exact.quantile(probability), rtol=1e-10)
        assert_allclose(by_function.upper_quantile(probability), exact.upper_quantile(probability), rtol=1e-10)
    for x in (exact.mean, np.minimum(exact.mean + 2 * exact.sd, 0.999), exact.mean / 10):
        # Probabilities below 10⁻³⁰ are neglected.
        assert_allclose(by_function.cdf(x), exact.cdf(x), rtol=1e-10, atol=1e-28)
        assert_allclose(by_function.exceedance(x), exact.exceedance(x), rtol=1e-10, atol=1e-28)


def test_a_density_that_is_infinite_at_1_keeps_eight_digits():
    """Where every example was an error, under Jeffreys' prior told as a function."""
    counts = ErrorCount([1, 100], [1, 100])
    by_function, exact = posterior(counts, prior=density_of(0.5, 0.5)), posterior(counts)
    assert_allclose(by_function.mean, exact.mean, rtol=2e-8)
    assert_allclose(by_function.quantile(0.025), exact.quantile(0.025), rtol=2e-8)


@pytest.mark.parametrize("counts", [COUNTS, LARGE], ids=["usual", "large"])
@pytest.mark.parametrize("prior", [(1, 1), density_of(1, 1)], ids=["Beta", "function"])
def test_the_density_keeps_ten_digits(counts, prior):
    after, expected = posterior(counts, prior=prior), law(counts, (1, 1))
    for x in (after.mean, np.minimum(after.mean + 2 * after.sd, 0.999)):
        assert_allclose(after.density(x), expected.pdf(x), rtol=1e-10)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_mode_under_a_density(name):
    """A maximum is flat: half the digits of a float are what a search can find."""
    for counts in (COUNTS, LARGE):
        by_function, exact = (
            posterior(counts, prior=prior) for prior in (density_of(*FUNCTIONS[name]), FUNCTIONS[name])
        )
        assert np.all(np.abs(by_function.mode - exact.mode) <= 1e-6 * exact.sd)


def test_one_count_or_many_under_a_density():
    prior = density_of(2, 5)
    many = posterior(COUNTS, prior=prior)
    for i in range(COUNTS.errors.size):
        one = posterior(COUNTS[i], prior=prior)
        assert one.mean.shape == ()
        assert_allclose(one.mean, many.mean[i], rtol=1e-12)
        assert_allclose(one.upper_quantile(0.025), many.upper_quantile(0.025)[i], rtol=1e-12)


def test_a_prior_that_stops_at_one_half():
    """Uniform on [0, ½]: the Beta posterior of the uniform prior, truncated."""
    after = posterior(ErrorCount(3, 12), prior=lambda error: (error < 0.5) * 2.0)
    whole = stats.beta(4, 10)
    share = whole.cdf(0.5)
    for x in (0.01, 0.2, 0.4, 0.5, 0.7):
        assert_allclose(after.cdf(x), min(whole.cdf(x) / share, 1), rtol=1e-11)
    assert_allclose(after.quantile(0.025), whole.ppf(0.025 * share), rtol=1e-11)
    assert_allclose(after.upper_quantile(0.025), whole.ppf(0.975 * share), rtol=1e-11)
    with mp.workdps(30):
        weights = [mp.quad(lambda t, k=k: t ** (3 + k) * (1 - t) ** 9, [0, 0.25, 0.5]) for k in (0, 1, 2)]
        mean = weights[1] / weights[0]
        variance = weights[2] / weights[0] - mean**2
    assert_allclose([after.mean, after.variance], [float(mean), float(variance)], rtol=1e-11)


def test_a_prior_of_two_humps():
    """A mixture of Betas has a mixture of Betas for its posterior; here against mpmath."""

    def prior(error):
        return error**2 * (1 - error) ** 60 + 1e5 * error**30 * (1 - error) ** 25

    after = posterior(ErrorCount(8, 40), prior=prior)
    with mp.workdps(40):

        def mass(a, b):
            return mp.quad(lambda t: t**8 * (1 - t) ** 32 * prior(t), mp.linspace(a, b, 9))

        total = mass(0, 1)
        below = mass(0, mp.mpf("0.2")) / total
        mean = mp.quad(lambda t: t**9 * (1 - t) ** 32 * prior(t), mp.linspace(0, 1, 9)) / total
    assert_allclose([after.cdf(0.2), after.mean], [float(below), float(mean)], rtol=1e-10)


def test_the_interval_method_is_the_posteriors_quantiles():
    after, result = (
        posterior(COUNTS, prior=density_of(2, 5)),
        posterior_limits(COUNTS, prior=density_of(2, 5), raw=True).interval(),
    )
    assert_allclose([result.low, result.high], [after.quantile(0.025), after.upper_quantile(0.025)], rtol=1e-12)
    ended = posterior_limits(COUNTS, prior=density_of(2, 5)).interval()
    assert np.all(ended.low[COUNTS.errors == 0] == 0)
    assert np.all(ended.high[COUNTS.successes == 0] == 1)


@pytest.mark.parametrize(("name", "function"), [("jeffreys", jeffreys), ("uniform", uniform)])
def test_the_posterior_method_under_a_beta_prior_is_the_beta_method(name, function):
    for raw in (True, False):
        interval, expected = (
            posterior_limits(COUNTS, prior=name, raw=raw).interval(),
            function(COUNTS, raw=raw).interval(),
        )
        assert_allclose([interval.low, interval.high], [expected.low, expected.high], rtol=1e-12)


# --- Priors that cannot be -----------------------------------------------------------------------


BAD_PRIORS = {
    "u is 0": (0, 1),
    "v is negative": (1, -1),
    "u is NaN": (np.nan, 1),
    "u is infinite": (np.inf, 1),
    "the sum is infinite": (1e308, 1e308),
    "u is so large that no count changes it": (1e17, 1),
    "v is too small for a logarithm": (1, 5e-324),
    "complex": (np.complex128(1), 1),
    "lists": ([1], [1, 2]),
    "texts": ("a", "b"),
    "three numbers": (1, 2, 3),
    "no such name": "laplace",
    "no name": "",
    "one number": 3,
    "nothing": None,
    "a negative density": lambda error: -error,
    "a density of NaN": lambda error: error * np.nan,
    "a density of 0": lambda error: error * 0,
    "an infinite density": lambda error: 1 / (error - error),
    "a density outside": lambda error: (error > 2) * 1.0,
}


@pytest.mark.parametrize("prior", BAD_PRIORS.values(), ids=BAD_PRIORS)
def test_bad_priors_are_reported_as_such(prior):
    with pytest.raises(InvalidOption, match="prior"):
        posterior(ErrorCount(3, 120), prior=prior)
    with pytest.raises(InvalidOption, match="prior"):
        estimate(ErrorCount(3, 120), method="posterior", prior=prior)


@pytest.mark.parametrize("prior", [(1e15, 1e15), (2**52, 1.0), (1.0, 2**52), (1e-300, 1e-300), (1e-5, 1e5)])
@pytest.mark.parametrize("errors", [0, 3, 120])
def test_extreme_priors_give_the_moments_of_their_posterior(prior, errors):
    """Mean a/(a+b) in mpmath's 50 digits; limits are finite, in order, and no warning is raised."""
    after = posterior(ErrorCount(errors, 120), prior=prior)
    limits = beta(ErrorCount(errors, 120), prior=prior, raw=True).interval()
    with mp.workdps(50):
        a, b = mp.mpf(prior[0]) + errors, mp.mpf(prior[1]) + (120 - errors)
        assert_allclose(after.mean, float(a / (a + b)), rtol=1e-15)
        assert_allclose(after.sd, float(mp.sqrt(a * b / (a + b + 1)) / (a + b)), rtol=1e-12)
    assert 0 <= limits.low <= limits.high <= 1


def test_a_strong_prior_gives_normal_limits():
    """Beta(10¹⁵ + 3, 10¹⁵ + 117): mean ± z·sd to the sixth digit of the width."""
    after, limits = (
        posterior(ErrorCount(3, 120), prior=(1e15, 1e15)),
        beta(ErrorCount(3, 120), prior=(1e15, 1e15)).interval(),
    )
    reach = stats.norm.isf(0.025) * after.sd
    assert_allclose([after.mean - limits.low, limits.high - after.mean], reach, rtol=1e-6)


@pytest.mark.parametrize(
    ("rates", "bins"),
    [
        ([np.inf] * 6, 10),
        ([0.1, 0.2, np.nan, 0.3, 0.4], 10),
        ([1e-200 * k for k in range(6)], 10),
        ([0.1, [0.2]], 10),
        ([0.1, 0.2, 0.3, 0.4, 0.5], "x"),
        ([0.1, 0.2, 0.3, 0.4, 0.5], 10**9),
        ([0.1, 0.2, 0.3, 0.4, 0.5], 3.5),
    ],
    ids=str,
)
def test_what_no_prior_can_be_fitted_to_is_reported(rates, bins):
    with pytest.raises(InvalidOption, match=r"rates|bins"):
        fit_prior(rates, bins=bins)


def test_a_prior_that_rules_out_what_was_seen():
    """Above one half only, after 3 errors in 100: unlikely, but the posterior is there, at the border."""
    after = posterior(ErrorCount(3, 100), prior=lambda error: (error > 0.5) * 1.0)
    whole = stats.beta(4, 98)
    assert_allclose(after.exceedance(0.51), whole.sf(0.51) / whole.sf(0.5), rtol=1e-9)


def test_the_beta_method_wants_a_beta_prior():
    with pytest.raises(InvalidOption, match="method='posterior'"):
        beta(ErrorCount(3, 120), prior=lambda error: 1 - error).interval()


def test_methods_with_a_prior_need_one():
    for method in ("beta", "posterior"):
        with pytest.raises(InvalidOption, match="`prior` is required"):
            estimate(ErrorCount(3, 120), method=method)


@pytest.mark.parametrize("error", [-0.1, 1.1, np.nan, [0.2, 2]])
def test_posteriors_speak_of_rates_only(error):
    for prior in ("jeffreys", density_of(2, 5)):
        after = posterior(ErrorCount([3, 4], 120), prior=prior)
        for ask in (after.cdf, after.density, after.exceedance):
            with pytest.raises(InvalidOption, match="from 0 to 1"):
                ask(error)


@pytest.mark.parametrize("probability", [0, 1, -0.1, 95, np.nan, "half"])
def test_quantiles_are_of_probabilities_only(probability):
    for prior in ("jeffreys", density_of(2, 5)):
        after = posterior(ErrorCount(3, 120), prior=prior)
        for ask in (after.quantile, after.upper_quantile):
            with pytest.raises(InvalidOption, match="probability"):
                ask(probability)


@pytest.mark.parametrize("prior", [(2, 5), density_of(2, 5)], ids=["Beta", "function"])
def test_one_posterior_at_many_error_rates(prior):
    """As a plot asks for it, ends included."""
    after, rates = posterior(ErrorCount(3, 120), prior=prior), np.linspace(0, 1, 11)
    expected = law(after.count, (2, 5))
    assert_allclose(after.cdf(rates), expected.cdf(rates), rtol=1e-10, atol=1e-28)
    assert_allclose(after.exceedance(rates), expected.sf(rates), rtol=1e-10, atol=1e-28)
    assert_allclose(after.density(rates), expected.pdf(rates), rtol=1e-10, atol=1e-28)


# --- Fitted priors -------------------------------------------------------------------------------


def test_a_fit_recovers_the_prior_from_many_rates():
    rates = stats.beta(1, 3.67).ppf((np.arange(20_000) + 0.5) / 20_000)
    prior = fit_prior(rates)
    assert_allclose([prior.u, prior.v], [1, 3.67], rtol=2e-3)
    assert "20000" in prior.name


@pytest.mark.parametrize(("u", "v"), [(1, 3.67), (0.74, 1.44), (2, 5)])
@pytest.mark.parametrize("bins", [8, 10, 20])
def test_a_fit_to_exact_shares_is_exact(u, v, bins):
    """As many rates in each bin as Beta(u, v) has there, to one in a million."""
    edges = np.linspace(0, 1, bins + 1)
    seen = np.round(1e6 * np.diff(stats.beta(u, v).cdf(edges))).astype(int)
    prior = fit_prior(np.repeat((edges[1:] + edges[:-1]) / 2, seen), bins=bins)
    assert_allclose([prior.u, prior.v], [u, v], rtol=1e-4)


def test_a_fitted_prior_is_a_prior():
    prior = fit_prior([0.02, 0.05, 0.08, 0.11, 0.15, 0.18, 0.22, 0.31, 0.45])
    after = posterior(ErrorCount(3, 120), prior=prior)
    assert_allclose(after.mean, (3 + prior.u) / (120 + prior.u + prior.v), rtol=1e-13)
    assert "fitted to 9 error rates" in estimate(ErrorCount(3, 120), prior=prior).interval.note


@pytest.mark.parametrize(
    ("rates", "bins", "match"),
    [
        ([0.1, 0.2, 0.3], 10, "at least five"),
        ([0.2] * 9, 10, "not all equal"),
        ([2, 5, 8, 11, 15, 18], 10, "Divide percentages by 100"),
        ([0.1, 0.2, np.nan, 0.3, 0.4], 10, "rates"),
        ([-0.1, 0.2, 0.1, 0.3, 0.4], 10, "rates"),
        ([], 10, "rates"),
        (["a", "b", "c", "d", "e"], 10, "rates"),
        ([0.1, 0.2, 0.3, 0.4, 0.5], 2, "bins"),
    ],
)
def test_rates_that_fit_nothing(rates, bins, match):
    with pytest.raises(InvalidOption, match=match):
        fit_prior(rates, bins=bins)


# --- What a prior promises -----------------------------------------------------------------------


@pytest.mark.parametrize("prior", [(0.5, 0.5), (1, 1), (1, 3.67), (2, 5)])
@pytest.mark.parametrize("trials", [5, 30])
def test_average_coverage_under_the_prior_is_the_level(prior, trials):
    """Exactly so for the raw quantiles, and no less with the rule for the ends.

    P(low(m) <= τ <= high(m)) over prior and data, one count after the other: ∫ P(m given τ) f(τ) dτ.
    """
    counts = ErrorCount(np.arange(trials + 1), trials)

    def covered(raw):
        interval, total = beta(counts, prior=prior, raw=raw).interval(), 0.0
        for m, low, high in zip(counts.errors, interval.low, interval.high, strict=True):
            joint = lambda t, m=m: stats.binom.pmf(m, trials, t) * stats.beta.pdf(t, *prior)  # noqa: E731
            total += integrate.quad(joint, low, high, epsabs=1e-12, epsrel=1e-10, limit=200)[0]
        return total

    assert_allclose(covered(raw=True), 0.95, atol=1e-8)
    assert covered(raw=False) >= 0.95
