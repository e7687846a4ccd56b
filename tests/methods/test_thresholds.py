"""Tests of one error rate against a threshold, each against SciPy, statsmodels or its own definition."""

import math
from fractions import Fraction

import numpy as np
import pytest
from mpmath import mp
from numpy.testing import assert_allclose
from scipy import optimize, stats
from statsmodels.stats.proportion import proportions_ztest

from tellapart import ErrorCount, compare
from tellapart.errors import InvalidOption
from tellapart.methods import find_methods

CASES = [
    (m, n, p)
    for n, errors in ((1, (0, 1)), (10, (0, 1, 3, 5, 10)), (29, (0, 1, 14, 28)), (120, (0, 3, 60, 119, 120)))
    for m in errors
    for p in (0.01, 0.05, 0.31, 0.5, 0.88)
]
OPTIONS = {
    "beta": {"prior": (2, 5)},
    "posterior": {"prior": lambda error: error * (1 - error) ** 4},
    "hypergeometric": {"pool": 150},
}


def combined(less, greater):
    return {"less": less, "greater": greater, "two-sided": min(2 * min(less, greater), 1)}


def by_normal(z):
    return combined(stats.norm.cdf(z), stats.norm.sf(z))


def with_ends(m, n, pvalues):
    """Let no errors speak against no threshold from below, nor no successes from above."""
    less, greater = 1.0 if m == n else pvalues["less"], 1.0 if m == 0 else pvalues["greater"]
    return combined(less, greater)


# --- One definition each -------------------------------------------------------------------------


def clopper_pearson(m, n, p):
    return combined(*(stats.binomtest(m, n, p, side).pvalue for side in ("less", "greater")))


def hypergeometric(m, n, p):
    """Count the samples of a pool of 150, in whole numbers."""
    pool, share = 150, Fraction(str(p))

    def probability(counts, errors):
        some = sum(math.comb(errors, k) * math.comb(pool - errors, n - k) for k in counts)
        return float(Fraction(some, math.comb(pool, n)))

    less = probability(range(m + 1), math.ceil(share * pool))
    return combined(less, probability(range(m, n + 1), math.floor(share * pool)))


def mid_p(m, n, p):
    law = stats.binom(n, p)
    return combined(law.cdf(m) - law.pmf(m) / 2, law.sf(m) + law.pmf(m) / 2)


def blaker(m, n, p):
    """All outcomes whose smaller tail does not exceed that of what was seen (Blaker 2000, by enumeration)."""
    law, k = stats.binom(n, p), np.arange(n + 1)
    smaller = np.minimum(law.cdf(k), law.sf(k - 1))
    exact = clopper_pearson(m, n, p)
    return exact | {"two-sided": law.pmf(k[smaller <= smaller[m] * (1 + 1e-10)]).sum()}


def wilson(m, n, p):
    sides = {"two-sided": "two-sided", "less": "smaller", "greater": "larger"}
    return {side: proportions_ztest(m, n, p, theirs, prop_var=p)[1] for side, theirs in sides.items()}


def wilson_cc(m, n, p):
    spread = np.sqrt(n * p * (1 - p))
    return with_ends(
        m, n, combined(stats.norm.cdf((m + 0.5 - n * p) / spread), stats.norm.sf((m - 0.5 - n * p) / spread))
    )


def agresti_coull(m, n, p):
    """Solve for the z at which a limit of the interval, Wald's after z²/2 more of each, meets the threshold."""
    sign = np.sign(m / n - p)

    def miss(z):
        centre = (m + z * z / 2) / (n + z * z)
        return sign * (centre - p) - z * np.sqrt(centre * (1 - centre) / (n + z * z))

    return by_normal(sign * optimize.brentq(miss, 0, 1000, xtol=1e-13) if sign else 0.0)


def likelihood_ratio(m, n, p):
    drop = stats.binom.logpmf(m, n, m / n) - stats.binom.logpmf(m, n, p)
    return by_normal(np.sign(m / n - p) * np.sqrt(2 * drop))


def arcsine(m, n, p):
    with mp.workdps(30):
        angle = mp.asin(mp.sqrt((m + mp.mpf(3) / 8) / (n + mp.mpf(3) / 4))) - mp.asin(mp.sqrt(mp.mpf(p)))
        z = float(2 * mp.sqrt(n) * angle)
    return with_ends(m, n, by_normal(z))


def logit(m, n, p):
    if m in (0, n):
        return clopper_pearson(m, n, p)
    return by_normal((np.log(m / (n - m)) - np.log(p / (1 - p))) / np.sqrt(1 / m + 1 / (n - m)))


def wald(m, n, p):
    if m in (0, n):  # no plug-in variance: whatever is not the estimate is out of the question
        return {"two-sided": 0, "less": float(m == n), "greater": float(m == 0)}
    sides = {"two-sided": "two-sided", "less": "smaller", "greater": "larger"}
    return {side: proportions_ztest(m, n, p, theirs)[1] for side, theirs in sides.items()}


def wald_cc(m, n, p):
    """Allow half an error more than Wald, in plug-in standard errors, of which there are none at the ends."""
    e, half = m / n, 0.5 / n
    spread = np.sqrt(e * (1 - e) / n)

    def scaled(excess):
        return excess / spread if spread else np.sign(excess) * np.finfo(float).max

    return combined(stats.norm.cdf(scaled(e - p + half)), stats.norm.sf(scaled(e - p - half)))


def posterior_of(u, v):
    def pvalues(m, n, p):
        law = stats.beta(m + u, n - m + v)
        return with_ends(m, n, combined(law.sf(p), law.cdf(p)))

    return pvalues


def hpd_of(prior):
    def both_tails(a, b, p):
        """Add the tail from p down to that from its twin up, where the density is the same, for p below the mode."""

        def miss(log_rest):  # the twin's distance from 1, which may be smaller than any 1 − x
            log_twin = np.log1p(-np.exp(log_rest))
            return (a - 1) * (np.log(p) - log_twin) + (b - 1) * (np.log1p(-p) - log_rest)

        rest = optimize.brentq(miss, -2000, np.log((b - 1) / (a + b - 2)), xtol=1e-14)
        return stats.beta.cdf(p, a, b) + stats.beta.cdf(np.exp(rest), b, a)

    def pvalues(m, n, p):
        a, b = m + prior, n - m + prior
        law, ends = stats.beta(a, b), posterior_of(prior, prior)(m, n, p)
        if a <= 1 or b <= 1:
            return ends | {"two-sided": law.sf(p) if a <= 1 else law.cdf(p)}
        mode = (a - 1) / (a + b - 2)
        if abs(p - mode) < 1e-12:
            return ends | {"two-sided": 1.0}
        return ends | {"two-sided": both_tails(a, b, p) if p < mode else both_tails(b, a, 1 - p)}

    return pvalues


def beta_binomial_cs(m, n, p):
    """Divide what likelihood × prior has on one side (or both), over the prior's, by the likelihood; 1 over that."""
    with mp.workdps(40):
        p, half = mp.mpf(p), mp.mpf(1) / 2

        def inverse(errors, more, end, share):
            over = mp.betainc(errors + half, more + half, 0, end) / mp.betainc(half, half, 0, end)
            return float(min(share**errors * (1 - share) ** more / over, 1))

        less, greater = inverse(m, n - m, p, p), inverse(n - m, m, 1 - p, 1 - p)
        return {"two-sided": inverse(m, n - m, 1, p), "less": less, "greater": greater}


DEFINITIONS = {
    "agresti-coull": agresti_coull,
    "arcsine": arcsine,
    "beta": posterior_of(2, 5),
    "beta-binomial-cs": beta_binomial_cs,
    "blaker": blaker,
    "clopper-pearson": clopper_pearson,
    "hpd-jeffreys": hpd_of(0.5),
    "hpd-uniform": hpd_of(1),
    "hypergeometric": hypergeometric,
    "jeffreys": posterior_of(0.5, 0.5),
    "likelihood-ratio": likelihood_ratio,
    "logit": logit,
    "mid-p": mid_p,
    "posterior": posterior_of(2, 5),
    "uniform": posterior_of(1, 1),
    "wald": wald,
    "wald-cc": wald_cc,
    "wilson": wilson,
    "wilson-cc": wilson_cc,
}


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("method", DEFINITIONS)
def test_pvalues_follow_the_definition(method, alternative):
    errors, trials, thresholds = np.array(CASES).T
    result = compare(
        ErrorCount(errors, trials),
        against=thresholds,
        method=method,
        alternative=alternative,
        **OPTIONS.get(method, {}),
    ).pvalue
    expected = [DEFINITIONS[method](int(m), int(n), p)[alternative] for m, n, p in CASES]
    neglected = 1e-28 if method == "posterior" else 1e-290  # what numerical integration leaves out
    assert_allclose(result, np.maximum(expected, np.finfo(float).tiny), rtol=1e-8, atol=neglected)


def test_no_test_is_without_reference_values():
    assert {method.name for method in find_methods(gives="test", evidence=ErrorCount)} == set(DEFINITIONS)


# Statistics by hand, 15 errors in 148 against 0.05: z in the units the method thinks in.
STATISTICS = {
    "wilson": (15 - 148 * 0.05) / np.sqrt(148 * 0.05 * 0.95),
    "wilson-cc": (15 - 0.5 - 148 * 0.05) / np.sqrt(148 * 0.05 * 0.95),
    "wald": (15 / 148 - 0.05) / np.sqrt(15 * 133 / 148**3),
    "wald-cc": (15 / 148 - 0.5 / 148 - 0.05) / np.sqrt(15 * 133 / 148**3),
    "logit": (np.log(15 / 133) - np.log(0.05 / 0.95)) / np.sqrt(1 / 15 + 1 / 133),
    "likelihood-ratio": np.sqrt(2 * (15 * np.log(15 / 148 / 0.05) + 133 * np.log(133 / 148 / 0.95))),
    "arcsine": 2 * np.sqrt(148) * (np.arcsin(np.sqrt(15.375 / 148.75)) - np.arcsin(np.sqrt(0.05))),
    "clopper-pearson": 15,
    "mid-p": 15,
    "blaker": 15,
    "jeffreys": 15 / 148 - 0.05,
}


@pytest.mark.parametrize("method", STATISTICS)
def test_statistics(method):
    result = compare(ErrorCount(15, 148), against=0.05, method=method)
    assert_allclose(result.statistic, STATISTICS[method], rtol=1e-11)


@pytest.mark.parametrize("against", [0, 1, -0.1, 5, np.nan, "low", [0.1, 0.2, 0.3], None])
def test_thresholds_are_error_rates(against):
    with pytest.raises(InvalidOption, match="against"):
        compare(ErrorCount([3, 4], 120), against=against)


def test_alternatives_are_three():
    with pytest.raises(InvalidOption, match="alternative"):
        compare(ErrorCount(3, 120), against=0.05, alternative="smaller")
