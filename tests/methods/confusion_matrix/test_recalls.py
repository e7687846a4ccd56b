"""Balanced accuracy and informedness: square and add by hand, posteriors by integration."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import betainc, betaln
from scipy.stats import beta, norm
from statsmodels.stats.proportion import proportion_confint

from tellapart import ConfusionMatrix
from tellapart.methods.confusion_matrix.beta_sums import sum_quantiles
from tellapart.methods.confusion_matrix.recalls import balanced_bayes, mover_wilson

THREE = [[20, 3, 1], [4, 30, 6], [0, 2, 9]]


def test_distances_to_wilsons_limits_are_squared_and_added():
    """Each class by statsmodels; the rest by hand."""
    recalls, limits = [], []
    for right, size in ((20, 24), (30, 40), (9, 11)):
        recalls.append(right / size)
        limits.append(proportion_confint(right, size, 0.05, "wilson"))
    recalls, (low, high) = np.array(recalls), np.array(limits).T
    ends = [
        recalls.mean() - np.sqrt(((recalls - low) ** 2).sum()) / 3,
        recalls.mean() + np.sqrt(((high - recalls) ** 2).sum()) / 3,
    ]
    result = mover_wilson(ConfusionMatrix(THREE).by("balanced-accuracy")).interval()
    assert_allclose([result.low, result.high], ends, rtol=1e-12)
    scaled = mover_wilson(ConfusionMatrix(THREE).by("informedness")).interval()
    assert_allclose([scaled.low, scaled.high], 1.5 * np.array(ends) - 0.5, rtol=1e-12)


def below(limit, first, second):
    """P((X + Y)/2 ≤ limit) of two Beta variables: the density of one against the distribution of the other.

    With X = sin²t the density has no poles, and a hundred thousand midpoints give nine digits.
    """
    t = (np.arange(100_000) + 0.5) / 100_000 * np.pi / 2
    (a, b), x = first, np.sin(t) ** 2
    density = 2 * np.exp((2 * a - 1) * np.log(np.sin(t)) + (2 * b - 1) * np.log(np.cos(t)) - betaln(a, b))
    return (density * betainc(*second, np.clip(2 * limit - x, 0, 1))).mean() * np.pi / 2


@pytest.mark.parametrize(
    ("counts", "added"), [([[50, 10], [5, 35]], 0.5), ([[18, 2], [1, 3]], 1.0), ([[300, 4], [0, 2]], 0.5)]
)
def test_the_posterior_of_two_classes_by_integration(counts, added):
    result = balanced_bayes(ConfusionMatrix(counts).by("balanced-accuracy"), added=added).interval()
    (tn, fp), (fn, tp) = counts
    for limit, probability in ((result.low, 0.025), (result.high, 0.975)):
        at = [below(limit + off, (tn + added, fp + added), (tp + added, fn + added)) for off in (-2e-7, 2e-7)]
        assert at[0] < probability < at[1]


def test_sums_that_are_known():
    """Three uniform ones have the distribution x³/6 up to 1, and one counted alone its own quantiles (SciPy)."""
    ones = np.ones((2, 3))
    low, high = sum_quantiles(ones, ones, [[True] * 3, [False, True, False]], 0.02)
    assert_allclose([low[0], high[0]], [0.12 ** (1 / 3), 3 - 0.12 ** (1 / 3)], atol=1e-9)
    assert_allclose([low[1], high[1]], [0.02, 0.98], atol=1e-9)
    skewed = sum_quantiles([[900.5]], [[0.5]], [[True]], 1e-9)
    assert_allclose(skewed[0], beta.ppf(1e-9, 900.5, 0.5), rtol=1e-6)
    # A billion examples are normal, to what the skewness leaves.
    low, high = sum_quantiles([[9e8, 8e8]], [[1e8, 2e8]], [[True, True]], 0.005)
    spread = np.sqrt(0.09e-9 + 0.16e-9)
    assert_allclose([low[0] - 1.7, high[0] - 1.7], norm.ppf([0.005, 0.995]) * spread, rtol=4e-5)


def _below(first, second, total):
    """Return by mpmath how probably two Beta variables add up to less."""
    (a, b), (c, d) = first, second
    least, most = max(total - 1, 0), min(total, 1)

    def part(x):
        rest = mp.betainc(c, d, 0, min(max(total - x, 0), 1), regularized=True)
        return x ** (a - 1) * (1 - x) ** (b - 1) / mp.beta(a, b) * rest

    whole = mp.betainc(a, b, 0, least, regularized=True) if least else mp.mpf(0)
    return whole + mp.quad(part, mp.linspace(least, most, 9))


@pytest.mark.parametrize("each", [5e-6, 5e-10, 5e-13, 5e-21, 5e-51])
@pytest.mark.parametrize(
    ("first", "second"), [((40.5, 10.5), (43.5, 7.5)), ((1.5, 3.5), (2.5, 2.5)), ((9.5, 2.5), (30.5, 70.5))]
)
def test_far_tails_of_a_sum_keep_their_digits(first, second, each):
    """A transform alone has no digits below 1e-13: at 1e-16 it gave 0.2261 for 0.4287."""
    (a, b), (c, d) = first, second
    low, high = sum_quantiles([[a, c]], [[b, d]], [[True, True]], each)
    turned = sum_quantiles([[c, a]], [[d, b]], [[True, True]], each)
    assert_allclose([low, high], turned, rtol=1e-13)
    with mp.workdps(30):
        for variables, limit in (((first, second), mp.mpf(float(low[0]))), ((first[::-1], second[::-1]), 2 - high[0])):
            tolerance = 1e-5 if limit > 1e-6 else 0.1  # digits after the point
            assert abs(_below(*variables, mp.mpf(float(limit))) / mp.mpf(each) - 1) < tolerance


@given(st.integers(0, 40), st.integers(1, 40))
def test_a_class_without_examples_may_be_anything(right, wrong):
    """Whatever its recall, the limits hold: those of the other class with 0, and with 1."""
    matrix = ConfusionMatrix([[right, wrong], [0, 0]]).by("balanced-accuracy")
    trials, alpha = right + wrong, 0.05
    wilson = np.array(proportion_confint(right, trials, alpha, "wilson"))
    result = mover_wilson(matrix).interval(alpha=alpha)
    assert_allclose([result.low, result.high], [wilson[0] / 2, (1 + wilson[1]) / 2], rtol=1e-9, atol=1e-12)
    posterior = balanced_bayes(matrix).interval(alpha=alpha)
    low = beta.ppf(alpha / 2, right + 0.5, wrong + 0.5) if right else 0.0
    high = beta.isf(alpha / 2, right + 0.5, wrong + 0.5)
    assert_allclose([posterior.low, posterior.high], [low / 2, (1 + high) / 2], atol=2e-6)
