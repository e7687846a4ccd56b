"""The numbers of Martin and Hirschberg (1996) and of Mitchell (1997, chapter 5), reproduced.

`tests/targets` holds what they print beside what was computed without this package. Where a print
is wrong, the test shows both and says which one comes out. S0-… and S2-… number the statements of
the two texts, E0-… and E2-… their errata.
"""

import csv
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special, stats

from tellapart import BetaPrior, ErrorCount, compare, estimate, posterior
from tellapart.advice.alternatives import suggest_alternatives
from tellapart.lab import BinomialModel, NormalModel, moments
from tellapart.methods.error_count.approximate import jeffreys_approx, jeffreys_handbook
from tellapart.methods.error_count.normal import wald, wald_cc
from tellapart.methods.error_count.posterior import as_prior
from tellapart.methods.error_count.posterior_intervals import beta, jeffreys, uniform
from tellapart.methods.error_count.wilson_score import wilson
from tellapart.numerics.distributions import critical
from tellapart.numerics.series import incomplete_beta, incomplete_beta_by_recurrence, inverse_incomplete_beta, log_gamma
from tellapart.reproduce.martin_hirschberg.printed_formulas import fitted_as_printed
from tellapart.reproduce.martin_hirschberg.printed_formulas import handbook_as_printed as as_printed

TARGETS = Path(__file__).parent.parent / "targets"


@cache
def rows(table):
    with (TARGETS / f"{table}.csv").open(newline="", encoding="utf-8") as file:
        return tuple(csv.DictReader(file))


def row(table, **expected):
    (result,) = (each for each in rows(table) if all(each[key] == value for key, value in expected.items()))
    return result


def column(table, *columns):
    return tuple(np.array([float(each[column]) for each in rows(table)]) for column in columns)


def alpha_of(z):
    """Return the two-sided alpha of a z as it is printed: 1.96 is not quite that of 95 %."""
    return 2 * special.ndtr(-z)


def limits(interval):
    return np.array([interval.low, interval.high])


# --- The binomial model, and counting (S0-01, S0-02, S2-06) --------------------------------------


@pytest.mark.parametrize("target", rows("s0_binomial_m0"), ids=lambda target: target["tau"])
def test_chance_of_no_errors(target):
    """Martin and Hirschberg, eq. 1 and appendix A.1: P(m = 0) with M = 10."""
    result = BinomialModel(int(target["M"]), float(target["tau"])).probability(0)
    assert abs(result - float(target["p_printed"])) <= 5e-5
    assert abs(result - float(target["p_exact"])) <= 5e-9


def test_cross_validation_adds_the_errors_of_its_folds():
    """S0-02: m is the sum over the test sets, M = N, e = m/N."""
    count = ErrorCount.from_folds(errors=[2, 0, 1, 1, 3, 0, 0, 1, 2, 1], sizes=[10] * 9 + [8])
    assert (count.errors, count.trials, count.rate) == (11, 98, 11 / 98)


# --- Limits (S0-05 to S0-09, S0-11 to S0-14) -----------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "interval"),
    [
        ("textbook", lambda count: wald_cc(count).interval(alpha=alpha_of(1.96))),  # eq. 2, with z = 1.96
        ("textbook_nocc", lambda count: wald(count).interval(alpha=alpha_of(1.96))),  # the same without 0.5/M
        ("alternative", lambda count: wilson(count).interval(alpha=alpha_of(1.96))),  # eq. 3
        ("approx_beta", jeffreys_approx),  # eq. 5
        ("jeffreys", lambda count: jeffreys(count, raw=True).interval()),  # eq. 4, the bare quantiles
    ],
)
def test_limits_of_martin_and_hirschberg(columns, interval):
    """Eq. 2 to 5 for M = 10 to 200 and m up to M/2."""
    trials, errors, low, high = column("s0_limits_reference", "M", "m", f"{columns}_lo", f"{columns}_hi")
    assert_allclose(limits(interval(ErrorCount(errors, trials))), [low, high], rtol=0, atol=1e-6)


@pytest.mark.parametrize("branch", ["A&S", "empirical"])
def test_limits_of_appendix_a3(branch):
    """Abramowitz and Stegun's inverse away from the ends, with z = 1.96, and the fitted limits up to five errors."""
    trials, errors, low, high = column("s0_limits_reference", "M", "m", "appendixA3_lo", "appendixA3_hi")
    here = [each["appendixA3_branch"] == branch for each in rows("s0_limits_reference")]
    alpha = alpha_of(1.96) if branch == "A&S" else 0.05
    interval = limits(jeffreys_handbook(ErrorCount(errors[here], trials[here]), alpha=alpha))
    assert_allclose(interval, [low[here], high[here]], rtol=0, atol=1e-6)


def test_posterior_moments_under_jeffreys_prior():
    """S0-08 and S0-09: mean (m+½)/(M+1), variance μ(1−μ)/(M+2), mode (m−½)/(M−1), or 0 at no errors."""
    trials, errors, mean, variance, mode = column("s0_limits_reference", "M", "m", "post_mean", "post_var", "post_mode")
    after = posterior(ErrorCount(errors, trials))
    assert_allclose([after.mean, after.variance, after.mode], [mean, variance, mode], rtol=0, atol=1e-6)


@pytest.mark.parametrize("z", [1, 1.645, 1.96, 2.576])
def test_the_alternative_limits_are_wilsons(z):
    """AC11: eq. 3 as it is printed, centre (e + k₁/2M) and spread s′, for all m of M = 1 to 200."""
    count = ErrorCount(*np.array([(m, n) for n in range(1, 201) for m in range(n + 1)]).T)
    e, trials = count.rate, count.trials
    k1 = (1 - 2 * e) * z**2 / (1 + z**2 / trials)
    k2 = (z / (2 * (trials + z**2))) ** 2 * (1 - 4 * e * (1 - e) * (2 + z**2 / trials))
    spread = np.sqrt(e * (1 - e) / trials + k2)
    centre = e + k1 / (2 * trials)
    printed = [centre - z * spread, centre + z * spread]
    assert_allclose(limits(wilson(count).interval(alpha=alpha_of(z))), printed, rtol=0, atol=2e-15)


def test_the_common_form_of_the_approximate_limits():
    """S0-12, eq. 6: e + g/2M ± 1.96 s″ with g = 2(M − 2m)A is eq. 5 from two errors on, below one half."""
    trials, errors = column("s0_limits_reference", "M", "m")
    trials, errors = trials[errors >= 2], errors[errors >= 2]
    e = errors / trials
    g = 2 * (trials - 2 * errors) * 1.96 * math.sqrt(0.5) / (trials + 3)
    spread = np.sqrt(e * (1 - e) / (trials + 2.5))
    form = [e + g / (2 * trials) - 1.96 * spread, e + g / (2 * trials) + 1.96 * spread]
    assert_allclose(limits(jeffreys_approx(ErrorCount(errors, trials))), form, rtol=1e-13)


# --- How far the approximations are off (AC1 to AC10) --------------------------------------------


def grid(first, fewest=0):
    """Give M = `first` to 200 by tens with m = `fewest` to M/2, as the report does."""
    return ErrorCount(*np.array([(m, n) for n in range(first, 201, 10) for m in range(fewest, n // 2 + 1)]).T)


def deviation(approximation, count, end):
    exact = jeffreys(count, raw=True).interval()
    return np.abs(getattr(approximation(count), end) - getattr(exact, end))


def largest(off, count):
    worst = int(np.argmax(off))
    return off[worst], (int(count.trials[worst]), int(count.errors[worst]))


def test_ac1_ac2_approximate_beta_limits():
    """Printed: off by at most 0.017, at M = 10, m = 3, and by 0.27/M. It is at m = 2 (E0-07); the rest holds."""
    count = grid(10)
    off = np.maximum(deviation(jeffreys_approx, count, "low"), deviation(jeffreys_approx, count, "high"))
    value, index = largest(off, count)
    assert (round(value, 5), index) == (0.01706, (10, 2))
    at_three = ErrorCount(3, 10)
    assert round(deviation(jeffreys_approx, at_three, "high"), 4) == 0.0091
    value, index = largest(off * count.trials, count)
    assert (round(value, 4), index) == (0.2589, (200, 2))
    assert value < 0.27


def test_ac3_ac4_upper_limits_of_appendix_a3():
    """Printed: 0.0046 at M = 10, m = 4, and 0.00035 + 0.07/M. So with 0.273901 for 0.237901 (E0-04)."""
    count = grid(10)
    off = deviation(jeffreys_handbook, count, "high")
    value, index = largest(off, count)
    assert (round(value, 5), index) == (0.00458, (10, 4))
    excess = off - (0.00035 + 0.07 / count.trials)
    value, index = largest(excess, count)
    assert (round(value, 5), index) == (0.00004, (200, 4))
    assert np.count_nonzero(excess > 0) == 1


def test_ac3_upper_limits_with_the_printed_constant():
    """With 0.237901 the limits for one to five errors are off by 0.0309 at M = 10, m = 5, and never in bounds."""
    count = ErrorCount(*np.array([(m, n) for n in range(10, 201, 10) for m in range(1, 6)]).T)
    off = deviation(as_printed, count, "high")
    value, index = largest(off, count)
    assert (round(value, 4), index) == (0.0309, (10, 5))
    assert np.all(off > 0.00035 + 0.07 / count.trials)


def test_ac5_ac6_lower_limits_of_appendix_a3():
    """Printed: 0.0033 at M = 20, m = 5 (0.0032 comes out, E0-08), and 0.00078 + 1/M²."""
    count = grid(10)
    off = deviation(jeffreys_handbook, count, "low")
    value, index = largest(off, count)
    assert (round(value, 5), index) == (0.00316, (20, 5))
    assert np.all(off <= 0.00078 + 1.0 / count.trials**2)


def test_ac7_the_handbooks_inverse_is_very_accurate():
    """With z = 1.96: 0.00044 below, at M = 20, m = 6; above, 0.00015 at M = 60, m = 6.

    The target says 0.00023 for the latter. Its own table of limits says otherwise: at M = 50, m = 6,
    next to the worst place, 0.230858 stands beside 0.230711.
    """

    def inverse(count):
        return jeffreys_handbook(count, alpha=alpha_of(1.96))

    count = grid(20, fewest=6)
    low = largest(deviation(inverse, count, "low"), count)
    high = largest(deviation(inverse, count, "high"), count)
    assert (round(low[0], 5), low[1]) == (0.00044, (20, 6))
    assert (round(high[0], 5), high[1]) == (0.00015, (60, 6))
    near = row("s0_limits_reference", M="50", m="6")
    assert abs(float(near["appendixA3_hi"]) - float(near["jeffreys_hi"]) - 0.00015) < 0.00001


def test_ac8_the_handbooks_inverse_as_printed_is_not():
    """Without the factor 2 in the exponent and with the sign of 2/(3h) turned (E0-01, E0-02)."""
    count = grid(20, fewest=6)
    low = largest(deviation(as_printed, count, "low"), count)
    high = largest(deviation(as_printed, count, "high"), count)
    assert (round(low[0], 3), low[1][0]) == (0.098, 20)
    assert (round(high[0], 3), high[1][0]) == (0.109, 20)


def test_ac9_ac10_upper_limit_at_no_errors():
    """The sign of b₂ decides (E0-03): off by 0.000045 at M = 30, or a limit of 2.42 at M = 200."""
    count = ErrorCount(0, np.arange(10, 201, 10))
    value, index = largest(deviation(jeffreys_handbook, count, "high"), count)
    assert (round(value, 6), index) == (0.000045, (30, 0))
    bare = fitted_as_printed(count.errors, count.trials)
    value, index = largest(np.abs(bare - jeffreys(count, raw=True).interval().high), count)
    assert (round(value, 2), index) == (2.40, (200, 0))
    assert as_printed(ErrorCount(0, 200)).high == 1  # an interval ends where error rates end


def test_the_fitted_limits_do_not_extrapolate():
    """E0-27: at no errors 0.00273 for 1000 trials (exact 0.00251), 0.00047 for 10⁴ (0.00025), above 1 for 10⁹."""
    counts = ErrorCount(0, [1000, 10_000, 10**9])
    assert_allclose(jeffreys_handbook(counts).high, [0.00273, 0.00047, 1], rtol=0, atol=5e-6)
    assert_allclose(jeffreys(counts).interval().high[:2], [0.00251, 0.00025], rtol=0, atol=5e-6)
    (check,) = estimate(counts, method="jeffreys-handbook").checks
    assert not check.holds.any()


def test_the_coefficients_are_those_of_the_report():
    """The fitted limits of appendix A.3, from the printed coefficients and from the corrected ones."""

    def coefficient(formula, name, variant):
        return float(row("s0_coefficients", formula=formula, name=name)[variant].split()[0])

    count = ErrorCount(*np.array([(m, n) for n in (10, 37, 120, 200) for m in range(1, 6)]).T)
    m, log = count.errors, np.log(count.trials)
    for variant, result in (("implement", jeffreys_handbook(count)), ("printed", as_printed(count))):
        k = [coefficient("A3 lcl", name, variant) for name in ("k0", "k1", "k2")]
        assert_allclose(result.low, np.exp(k[0] + k[1] * np.log(m) - (1 + k[2] * m) * log), rtol=1e-12)
        fit = {name: coefficient("A3 ucl 1<=m<=5", name, variant) for name in ("A const", "A m", "A m^2", "A m^3")}
        fit |= {f"{x} {y}": coefficient("A3 ucl 1<=m<=5", f"{x} {y}", variant) for x in "BCD" for y in ("const", "m")}
        high = fit["A const"] + fit["A m"] * m + fit["A m^2"] * m**2 + fit["A m^3"] * m**3
        high = high - (fit["B const"] + fit["B m"] * m) * log - (fit["C const"] + fit["C m"] * m) * log**2
        high = high + (fit["D const"] + fit["D m"] * m) * log**3
        assert_allclose(result.high, np.exp(high), rtol=1e-12)


# --- The series of appendix A.3 (S0-10) ----------------------------------------------------------


@pytest.mark.parametrize(("u", "v"), [(0.5, 10.5), (1.5, 2.5), (3.5, 117.5), (20, 30), (60.5, 140.5), (5, 1)])
def test_the_series_is_the_incomplete_beta_function(u, v):
    """Eq. 7, its symmetry and its recurrence, against SciPy."""
    for x in (1e-6, 0.01, 0.2, 0.5, 0.77, 0.999):
        exact = special.betainc(u, v, x)
        assert_allclose(incomplete_beta(x, u, v), exact, rtol=1e-11, atol=1e-13)
        assert_allclose(1 - incomplete_beta(1 - x, v, u), exact, rtol=1e-11, atol=1e-13)
        if min(u, v) > 1:
            assert_allclose(incomplete_beta_by_recurrence(x, u, v), exact, rtol=1e-11, atol=1e-13)


def test_the_series_at_the_ends():
    assert incomplete_beta(0, 2.5, 3.5) == 0
    assert incomplete_beta(1, 2.5, 3.5) == 1


@pytest.mark.parametrize("x", [0.5, 1, 1.5, 2, 73.5, 500, 500.5, 501, 1000, 123456.5])
def test_log_gamma_by_table_and_by_stirling(x):
    assert_allclose(log_gamma(x), special.gammaln(x), rtol=1e-13, atol=1e-13)


def test_log_gamma_knows_multiples_of_one_half_only():
    with pytest.raises(ValueError, match="multiple of one half"):
        log_gamma(0.3)


@pytest.mark.parametrize(("errors", "trials"), [(0, 10), (1, 10), (5, 10), (3, 120), (60, 200), (199, 200)])
def test_precise_limits_of_the_report_are_those_of_jeffreys(errors, trials):
    """Bisection until the probability is met to 10⁻⁸, as the report does."""
    u, v = errors + 0.5, trials - errors + 0.5
    precise = [inverse_incomplete_beta(probability, u, v) for probability in (0.025, 0.975)]
    assert_allclose(stats.beta.cdf(precise, u, v), [0.025, 0.975], rtol=0, atol=1e-8)
    assert_allclose(precise, limits(jeffreys(ErrorCount(errors, trials), raw=True).interval()), rtol=1e-5)


# --- Posterior and priors (S0-07, S0-08, S0-15 to S0-17) -----------------------------------------


def test_posterior_under_any_prior():
    """S0-07, appendix A.1: P(τ < x) = ∫₀ˣ P(m) f / ∫₀¹ P(m) f, here with the triangular f = 2(1 − τ)."""
    after = posterior(ErrorCount(2, 12), prior=lambda error: 2 * (1 - error))
    assert_allclose(after.cdf(0.2), stats.beta(3, 12).cdf(0.2), rtol=1e-12)  # τ²(1−τ)¹⁰ × (1 − τ)


def test_the_mode_at_the_ends_is_not_as_printed():
    """E0-13: appendix A.2 says 1 when all are errors; under Be(1, 3.67) with 10 of 10 it is 0.789."""
    after = posterior(ErrorCount(10, 10), prior=(1, 3.67))
    assert round(after.mode, 3) == 0.789
    assert after.printed_mode == 1
    assert posterior(ErrorCount(10, 10)).mode == posterior(ErrorCount(10, 10)).printed_mode == 1  # Jeffreys


def test_ac12_ac13_posterior_variance_against_the_plug_in():
    """S0-15: larger where m/M < 0.1 or > 0.9, smaller where 0.15 < m/M < 0.85 (from M = 4 on)."""
    count = ErrorCount(*np.array([(m, n) for n in range(1, 401) for m in range(n + 1)]).T)
    difference = posterior(count).variance - count.standard_error**2
    # 0.1 and 0.9 themselves are outside; as counts, because 1 − 0.9 is not 0.1.
    extreme = (10 * count.errors < count.trials) | (10 * count.successes < count.trials)
    middle = (20 * count.errors > 3 * count.trials) & (20 * count.successes > 3 * count.trials) & (count.trials >= 4)
    assert np.all(difference[extreme] > 0)
    assert np.all(difference[middle] < 0)


def test_ac13_where_the_variances_cross():
    """As M grows they cross at m/M = (2 − √2)/4 = 0.14645."""
    trials = 10**6
    count = ErrorCount(np.arange(100_000, 200_000, 10), trials)
    larger = posterior(count).variance > count.standard_error**2
    assert_allclose(count.rate[np.argmin(larger)], (2 - math.sqrt(2)) / 4, atol=2e-5)


def test_priors_of_appendix_a4():
    """Be(1, 3.67): mean 0.21, P(τ > 0.5) < 0.08, P(τ > 0.25) a third; sd and median 0.17, printed 0.16 (E0-14)."""
    prior = as_prior("error-rates")
    assert (prior.u, prior.v) == (1, 3.67)
    law = stats.beta(prior.u, prior.v)
    result = {
        "mean": prior.mean,
        "sd": math.sqrt(prior.variance),
        "median": law.median(),
        "P(tau>0.50)": law.sf(0.5),
        "P(tau>0.25)": law.sf(0.25),
    }
    for quantity, value in result.items():
        target = row("s0_priors_a4", prior="Be(1,3.67)", quantity=quantity)
        assert abs(value - float(target["computed"])) < 5.1e-5, quantity
    for quantity in ("sd", "median"):
        assert (
            round(result[quantity], 2)
            == 0.17
            != float(row("s0_priors_a4", prior="Be(1,3.67)", quantity=quantity)["printed"])
        )
    majority = as_prior("majority")
    assert (majority.u, majority.v) == (0.74, 1.44)
    assert round(majority.mean, 4) == float(row("s0_priors_a4", prior="Be(0.74,1.44)")["computed"])


def test_the_empirical_prior_gives_lower_and_narrower_intervals():
    """S0-17, appendix A.4: than the uniform and Jeffreys' prior. The latter only above its own mean error of 0.21."""
    count = ErrorCount(*np.array([(m, n) for n in (10, 30, 100) for m in range(n // 2 + 1)]).T)
    empirical, flat, default = (
        beta(count, prior="error-rates", raw=True).interval(),
        uniform(count, raw=True).interval(),
        jeffreys(count, raw=True).interval(),
    )
    assert np.all((empirical.low < flat.low) & (empirical.high < flat.high) & (empirical.width < flat.width))
    below = (empirical.low < default.low) & (empirical.high < default.high) & (empirical.width < default.width)
    assert np.all(below[count.rate >= 0.3])
    assert not np.any(below[count.errors == 0])


def test_the_uniform_prior_is_laplaces():
    """S0-16: Be(1, 1), whose posterior after m of M is Be(m + 1, M − m + 1)."""
    law = stats.beta(4, 118)
    assert_allclose(limits(uniform(ErrorCount(3, 120)).interval()), law.ppf([0.025, 0.975]), rtol=1e-10)


def test_a_report_names_the_interval_and_the_prior():
    """S0-19."""
    for answer, method, prior in (
        (estimate(ErrorCount(3, 120)), "jeffreys", "prior Beta(1/2, 1/2)"),
        (estimate(ErrorCount(3, 120), prior=BetaPrior(1, 3.67)), "beta", "prior Beta(1, 3.67)"),
    ):
        text = " ".join(answer.explain().split())
        assert f"method {method}" in text
        assert prior in text


# --- When the normal approximation may be used (S0-04, S2-05) ------------------------------------


def checks(errors, trials):
    return {check.code: check for check in estimate(ErrorCount(errors, trials), method="wald").checks}


@pytest.mark.parametrize(
    ("code", "met", "missed"),
    [
        ("TA001", (20, 40), (19, 38)),  # Q01, Hodges and Lehmann: M e (1 − e) >= 10, at one half M >= 40
        ("TA002", (5, 100), (4, 100)),  # Q02, Anderson and Sclove: M e >= 5 ...
        ("TA002", (95, 100), (96, 100)),  # ... and M (1 − e) >= 5
        ("TA003", (5, 16), (3, 16)),  # Q03, Mendenhall: 0 < e ± 2s < 1
        ("TA003", (11, 16), (13, 16)),
        ("TA004", (15, 30), (14, 29)),  # E17, Mitchell: n >= 30
        ("TA005", (10, 20), (9, 19)),  # E16, Mitchell: n e (1 − e) >= 5, at one half n >= 20
    ],
)
def test_rules_of_thumb(code, met, missed):
    assert checks(*met)[code].holds
    assert not checks(*missed)[code].holds


@pytest.mark.parametrize("errors", [12, 30, 150])
def test_how_many_times_the_sample_the_safest_rule_needs(errors):
    """Q04 and Q05: 2/(1 − e) times Anderson's smallest sample ("2"), 2.5/(1 − e)² times Mendenhall's ("2.5")."""
    trials = 1000
    e, result = errors / trials, checks(errors, trials)
    hodges = 10 / (result["TA001"].figure / trials)
    anderson = 5 / (result["TA002"].figure / trials)
    reach = e - result["TA003"].figure  # 2s, which falls as the root of the sample
    mendenhall = trials * (reach / e) ** 2
    assert_allclose(hodges / anderson, 2 / (1 - e), rtol=1e-12)
    assert_allclose(hodges / mendenhall, 2.5 / (1 - e) ** 2, rtol=1e-12)


def test_chance_of_a_negative_error_count():
    """Q06: at Mendenhall's limit, e = 2s, the normal curve has Φ(−2) = 1/44 below 0; printed "about 1 in 40"."""
    result = NormalModel(0.2, 0.1).probability(-np.inf, 0)
    assert_allclose(result, stats.norm.cdf(-2), rtol=1e-13)
    assert round(1 / result) == 44


def test_beta_limits_below_ten_errors():
    """Q39: they are the default at any count; below ten errors advice goes further."""
    assert estimate(ErrorCount(9, 500)).method == estimate(ErrorCount(10, 500)).method == "jeffreys"
    assert [result.method.name for result in suggest_alternatives(ErrorCount(9, 500))] == ["mid-p", "clopper-pearson"]
    assert [result.method.name for result in suggest_alternatives(ErrorCount(10, 500))] == ["clopper-pearson"]


# --- Mitchell (1997), chapter 5 (S2-01, S2-03, S2-05 to S2-11) -----------------------------------


def half_width(interval):
    return float(interval.width / 2)


TWELVE = ErrorCount(12, 40)
WORKED = {
    "E1": lambda: TWELVE.rate,
    "E2": lambda: half_width(wald(TWELVE).interval(alpha=alpha_of(1.96))),
    "E4": lambda: half_width(wald(TWELVE).interval(alpha=alpha_of(1.00))),  # Table 5.1 prints 1.00 for 68 % (E2-03)
    "E5": lambda: moments([1, 2], [0.7, 0.3]).mean,
    "E6": lambda: BinomialModel(40, 0.3).variance,
    "E7": lambda: math.sqrt(BinomialModel(40, 0.3).variance),
    "E8": lambda: TWELVE.standard_error,
    "E9": lambda: wald(TWELVE).interval(alpha=alpha_of(1.96) / 2, side="upper").high,
    "E14": lambda: NormalModel(0, 1).interval(alpha=0.2)[1],
    "E15": lambda: NormalModel(0, 1).interval(alpha=0.1, side="upper")[1],
}


@pytest.mark.parametrize("example", WORKED)
def test_worked_examples(example):
    target, result = row("s2_worked_examples", id=example), WORKED[example]()
    decimals = len(target["printed"].partition(".")[2])
    assert abs(result - float(target["printed"])) <= 0.5 * 10.0**-decimals
    assert abs(result - float(target["computed"])) <= 5.1e-7


def test_worked_interval():
    """E3, eq. 5.1: 0.30 ± 0.14."""
    expected = [float(end) for end in row("s2_worked_examples", id="E3")["computed"].split()]
    assert_allclose(limits(wald(TWELVE).interval(alpha=alpha_of(1.96))), expected, rtol=0, atol=5.1e-7)


def test_the_rules_of_thumb_have_mitchells_thresholds():
    """E16 and E17: n e (1 − e) at least 5, n at least 30."""
    result = checks(12, 40)
    assert result["TA005"].figure == pytest.approx(8.4)
    assert "at least 5" in result["TA005"].message
    assert "at least 30" in result["TA004"].message


@pytest.mark.parametrize("target", rows("s2_table5_1"), ids=lambda target: target["confidence_pct"])
def test_table_5_1(target):
    """The z of two-sided levels. The print has 1.00 for 68 %; it is 0.99 (E2-03)."""
    alpha = 1 - float(target["confidence_pct"]) / 100
    result = critical(alpha, "two")
    assert abs(result - float(target["z_exact"])) <= 5.1e-7
    agrees = abs(result - float(target["z_printed"])) <= 0.005
    assert agrees == (target["confidence_pct"] != "68")


def test_one_sided_bounds():
    """S2-11: the end of a two-sided 100(1 − α) % interval is a 100(1 − α/2) % bound (E2-05)."""
    two = wald(TWELVE).interval(alpha=0.05)
    assert wald(TWELVE).interval(alpha=0.025, side="upper").high == two.high
    assert wald(TWELVE).interval(alpha=0.025, side="lower").low == two.low
    low, high = NormalModel(3, 2).interval(alpha=0.05)
    assert NormalModel(3, 2).interval(alpha=0.025, side="upper") == (-np.inf, high)
    assert NormalModel(3, 2).interval(alpha=0.025, side="lower") == (low, np.inf)


EXERCISES = {
    ("5.1", "sd of sample error (r=300 n=1000)"): lambda: ErrorCount(300, 1000).standard_error,
    ("5.1", "ratio to the n=40 example"): lambda: TWELVE.standard_error / ErrorCount(300, 1000).standard_error,
    ("5.2", "error rate (17 wrong of 100)"): lambda: ErrorCount(17, 100).rate,
    ("5.2", "sd"): lambda: ErrorCount(17, 100).standard_error,
    ("5.2", "95% half-width"): lambda: half_width(wald(ErrorCount(17, 100)).interval(alpha=alpha_of(1.96))),
    ("5.2", "95% lower"): lambda: wald(ErrorCount(17, 100)).interval(alpha=alpha_of(1.96)).low,
    ("5.2", "95% upper"): lambda: wald(ErrorCount(17, 100)).interval(alpha=alpha_of(1.96)).high,
    ("5.3", "error rate (10 of 65)"): lambda: ErrorCount(10, 65).rate,
    ("5.3", "sd"): lambda: ErrorCount(10, 65).standard_error,
    ("5.3", "90% two-sided lower (z=1.64)"): lambda: wald(ErrorCount(10, 65)).interval(alpha=alpha_of(1.64)).low,
    ("5.3", "90% two-sided upper (z=1.64)"): lambda: wald(ErrorCount(10, 65)).interval(alpha=alpha_of(1.64)).high,
    ("5.3", "95% one-sided upper (z=1.64)"): lambda: (
        wald(ErrorCount(10, 65)).interval(alpha=alpha_of(1.64) / 2, side="upper").high
    ),
    ("5.3", "90% one-sided upper (z=1.28)"): lambda: (
        wald(ErrorCount(10, 65)).interval(alpha=alpha_of(1.28) / 2, side="upper").high
    ),
}


@pytest.mark.parametrize(("exercise", "quantity"), EXERCISES)
def test_exercises(exercise, quantity):
    target = row("s2_exercises", exercise=exercise, quantity=quantity)
    assert abs(EXERCISES[exercise, quantity]() - float(target["value"])) <= 1e-6


def test_exercises_5_1_to_5_3_are_complete():
    options = {(each["exercise"], each["quantity"]) for each in rows("s2_exercises") if each["exercise"] < "5.4"}
    assert options == set(EXERCISES)


def test_sample_error_is_the_share_that_is_wrong():
    """S2-01."""
    assert ErrorCount.from_predictions([0, 1, 1, 0, 1], [0, 1, 0, 0, 0]).rate == 0.4


def test_estimation_bias():
    """S2-08: E[Y] − p is 0 for the sample error, and not for (m + ½)/(n + 1), whose bias is (½ − p)/(n + 1)."""
    model = BinomialModel(40, 0.3)
    assert abs(model.bias(lambda count: count.rate)) < 1e-14
    assert_allclose(model.bias(lambda count: posterior(count).mean), (0.5 - 0.3) / 41, rtol=1e-12)


def test_normal_intervals():
    """S2-10, eq. 5.10 and 5.11, Fig. 5.1: μ ± zσ holds N % of the probability."""
    model = NormalModel(5, 2)
    low, high = model.interval(alpha=0.2)
    assert_allclose(model.probability(low, high), 0.8, rtol=1e-12)
    assert_allclose([low, high], stats.norm(5, 2).ppf([0.1, 0.9]), rtol=1e-12)


def test_a_threshold_is_met_when_the_one_sided_bound_is_below_it():
    """S2-11, read as a decision."""
    answer = compare(ErrorCount(3, 240), against=0.05, method="wald", alternative="less", alpha=0.025)
    assert (answer.pvalue < 0.025) == (wald(ErrorCount(3, 240)).interval(alpha=0.025, side="upper").high < 0.05)
