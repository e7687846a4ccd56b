"""The power of tests on two test sets, against every pair of counts, statsmodels and the formula by hand."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom, fisher_exact
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import proportion_effectsize, samplesize_proportions_2indep_onetail

from tellapart.evidence import ErrorCount, IndependentCounts
from tellapart.methods import find_method, find_methods
from tellapart.planning.settings.regions import Claim
from tellapart.planning.settings.two_sets import TwoSets
from tellapart.planning.solving import size_for

SLOW = {"barnard", "boschloo", "two-betas"}  # refused: each looks at every table, or integrates
TESTS = [result for result in find_methods(gives="test", evidence=IndependentCounts) if result.name not in SLOW]
MARGINS = [result for result in TESTS if "against" in result.options]


def _name(method):
    return method.name


def two_sets(name, error, share=0.5, ratio=1.0, **claim):
    test = find_method(name, "test", IndependentCounts)
    return TwoSets(claim=Claim(method=test, **claim), error=error, share=share, ratio=ratio)


def enumerated(method, n_a, n_b, a, b, *, alpha, alternative="two-sided", **options):
    """Return the power as a sum over all pairs of counts that the test rejects."""
    errors_a, errors_b = np.meshgrid(np.arange(n_a + 1), np.arange(n_b + 1), indexing="ij")
    own = {"alpha": alpha} if "alpha" in method.options else {}
    counts = IndependentCounts(ErrorCount(errors_a, n_a), ErrorCount(errors_b, n_b))
    rejects = method(counts, alternative=alternative, **own, **options).rejected(alpha)
    return (binom.pmf(errors_a, n_a, a) * binom.pmf(errors_b, n_b, b))[rejects].sum()


@pytest.mark.parametrize("method", TESTS, ids=_name)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_matches_every_pair_of_counts(method, alternative):
    """Sets of different sizes, too: there Fisher's two-sided p-value saws, at 30 and 10 examples with alpha 0.3."""
    cases = ((1, 1.0, 0.5, 0.2, 0.6), (12, 1.0, 0.3, 0.3, 0.02), (9, 2.0, 0.2, -0.2, 0.05), (30, 1 / 3, 0.3, 0.1, 0.3))
    for n_a, ratio, error, difference, alpha in cases:
        claim = Claim(method=method, alpha=alpha, alternative=alternative)
        setting = TwoSets(claim=claim, error=error, ratio=ratio)
        a, b = error + difference / 2, error - difference / 2
        n_b = int(setting.size_b(n_a))
        expected = enumerated(method, n_a, n_b, a, b, alpha=alpha, alternative=alternative)
        assert_allclose(setting.power(n_a, difference), expected, rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("method", MARGINS, ids=_name)
def test_matches_every_pair_of_counts_with_a_margin(method):
    for n, error, difference, margin in ((20, 0.3, 0.1, 0.2), (30, 0.1, -0.05, 0.1)):
        a, b = error + difference / 2, error - difference / 2
        for hypothesis, border in (("non-inferior", -margin), ("superior", margin)):
            claim = Claim(method=method, alpha=0.1, margin=margin, hypothesis=hypothesis)
            expected = enumerated(method, n, n, a, b, alpha=0.1, alternative="greater", against=border)
            assert_allclose(TwoSets(claim=claim, error=error).power(n, difference), expected, rtol=1e-9, atol=1e-13)


def test_fishers_power_with_scipys_test():
    """Nothing of ours: SciPy's p-values and probabilities, 14 examples each, 60 % against 10 % wrong."""
    expected = sum(
        binom.pmf(a, 14, 0.6) * binom.pmf(b, 14, 0.1)
        for a in range(15)
        for b in range(15)
        if fisher_exact([[a, 14 - a], [b, 14 - b]]).pvalue < 0.05
    )
    assert_allclose(two_sets("fisher", 0.6, share=0.0).power(14, 0.5), expected, rtol=1e-9)


def test_who_is_known_moves_the_other():
    """The same rates, told by A's, by B's and by the mean."""
    text = [two_sets("pooled-z", error, share).power(80, 0.1) for error, share in ((0.3, 0.0), (0.2, 1.0), (0.25, 0.5))]
    assert_allclose(text, text[0], rtol=1e-12)


@pytest.mark.parametrize(
    ("a", "b", "ratio", "power"), [(0.2, 0.15, 1.0, 0.8), (0.1, 0.05, 2.0, 0.9), (0.5, 0.3, 0.5, 0.7)]
)
def test_the_formula_is_statsmodels(a, b, ratio, power):
    """Theirs is the number of examples of A, too; both leave out that the wrong side may be shown."""
    theirs = samplesize_proportions_2indep_onetail(a - b, b, power, ratio=ratio, alpha=0.05, alternative="two-sided")
    assert_allclose(two_sets("pooled-z", b, share=1.0, ratio=ratio).approximate(power, a - b), theirs, rtol=1e-6)


def test_the_corrected_formula_by_hand():
    """Fleiss, Tytun and Ury (1980): n = n'/4 (1 + √(1 + 2(r + 1)/(n' r |δ|)))²; at r = 1, 4/(n'|δ|)."""
    plain = two_sets("pooled-z", 0.2, share=0.0).approximate(0.8, 0.05)
    by_hand = plain / 4 * (1 + math.sqrt(1 + 4 / (plain * 0.05))) ** 2
    assert_allclose(two_sets("fisher", 0.2, share=0.0).approximate(0.8, 0.05), by_hand, rtol=1e-12)
    assert two_sets("fisher", 0.2, share=0.0).corrected
    assert math.isnan(two_sets("fisher", 0.2).approximate(0.8, 0.0))


def test_sizes_are_near_the_approximations():
    """Exact sizes: pooled z within two in a hundred of Cohen's arcsine rule, Fisher's of the corrected formula."""
    cohen = NormalIndPower().solve_power(proportion_effectsize(0.35, 0.15), alpha=0.05, power=0.8)
    assert_allclose(size_for(two_sets("pooled-z", 0.25), 0.8, 0.2), cohen, rtol=0.02)
    fisher = two_sets("fisher", 0.25)
    assert_allclose(size_for(fisher, 0.8, 0.2), fisher.approximate(0.8, 0.2), rtol=0.02)


def test_ends_of_the_difference():
    setting = two_sets("fisher-mid-p", 0.1)
    assert_allclose(setting.ends, (-0.2, 0.2))
    assert_allclose(two_sets("fisher-mid-p", 0.1, share=0.0).ends, (-0.9, 0.1))
    assert_allclose(two_sets("fisher-mid-p", 0.1, share=1.0).ends, (-0.1, 0.9))
    assert setting.power(1, setting.most) == 0
    assert_allclose(two_sets("fisher", 0.5).power(10, 1.0), 1.0)


def test_very_many_are_all_but_normal():
    n = 10**8
    normal = 0.5 * math.erfc((1.9599639845 - 2.0) / math.sqrt(2))
    assert_allclose(two_sets("pooled-z", 0.1).power(n, 2 * math.sqrt(0.18 / n)), normal, atol=1e-4)
