"""Shares and F1 by their own denominators: against one error rate, statsmodels, mpmath and SciPy."""

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import beta
from statsmodels.stats.proportion import proportion_confint

from tellapart import ConfusionMatrix, ErrorCount, estimate
from tellapart.errors import InvalidOption
from tellapart.methods import find_method

F1_BAYES, F1_EXACT = (find_method(name, "interval", ConfusionMatrix) for name in ("f1-bayes", "f1-exact"))
MATRIX = ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"])
SHARES = {  # of MATRIX, by hand: hits and trials
    "accuracy": (85, 100),
    "error": (15, 100),
    "precision": (35, 45),
    "recall": (35, 40),
    "specificity": (50, 60),
    "false-positive-rate": (10, 60),
    "negative-predictive-value": (50, 55),
    "jaccard": (35, 50),
    "recall-micro": (85, 100),
}


@pytest.mark.parametrize("name", ["jeffreys", "wilson", "clopper-pearson", "mid-p"])
def test_the_numbers_are_those_of_as_many_errors_and_trials(name):
    for metric, (hits, trials) in SHARES.items():
        for side in ("two", "lower"):
            here = estimate(MATRIX, metric=metric, method=name, side=side, alpha=0.01)
            there = estimate(ErrorCount(hits, trials), method=name, side=side, alpha=0.01)
            assert (here.interval.low, here.interval.high) == (there.interval.low, there.interval.high)
            assert here.estimate == pytest.approx(hits / trials, rel=1e-15)
            assert here.interval.method == name


@pytest.mark.parametrize(
    ("name", "theirs"), [("jeffreys", "jeffreys"), ("wilson", "wilson"), ("clopper-pearson", "beta")]
)
def test_shares_against_statsmodels(name, theirs):
    for metric, (hits, trials) in SHARES.items():
        result = find_method(name, "interval", ConfusionMatrix)(MATRIX.by(metric))
        assert_allclose([result.low, result.high], proportion_confint(hits, trials, 0.05, theirs), rtol=1e-10)


@pytest.mark.parametrize(("name", "theirs"), [("f1-wilson", "wilson"), ("f1-exact", "beta")])
def test_f1_is_a_share_that_was_mapped(name, theirs):
    """35 of the 50 that are spam or were taken for it, by statsmodels; 2x/(1 + x) by hand."""
    low, high = proportion_confint(35, 50, 0.05, theirs)
    result = find_method(name, "interval", ConfusionMatrix)(MATRIX.by("f1"))
    assert_allclose([result.low, result.high], [2 * low / (1 + low), 2 * high / (1 + high)], rtol=1e-10)
    # Of several labels it is one against the rest, and true negatives do not matter.
    three = ConfusionMatrix([[20, 3, 1], [4, 30, 6], [0, 2, 9]]).by("f1", positive=1)
    plain = ConfusionMatrix([[10**6, 5], [10, 30]]).by("f1")
    function = find_method(name, "interval", ConfusionMatrix)
    assert_array_equal([function(three).low, function(three).high], [function(plain).low, function(plain).high])


def test_f1_by_bayes_is_what_two_gamma_variables_make():
    """Goutte and Gaussier's F is U/(U + V) with U ~ Γ(TP + λ, 2) and V ~ Γ(FP + FN + 2λ, 1): P(F ≤ f) by mpmath.

    F ≤ f where X/(X + V) ≤ f/(2 − f), X = U/2: an integral of the Gamma density against the Gamma distribution.
    """
    for tp, wrong, weight in ((35, 15, 0.5), (35, 15, 1.0), (2, 1, 0.5)):
        matrix = ConfusionMatrix([[50, wrong], [0, tp]]).by("f1")
        result = F1_BAYES(matrix, added=weight)
        for limit, probability in ((result.low, 0.025), (result.high, 0.975)):
            a, b, share = mpmath.mpf(tp + weight), mpmath.mpf(wrong + 2 * weight), limit / (2 - limit)

            def inner(v, a=a, b=b, odds=share / (1 - share)):
                density = v ** (b - 1) * mpmath.exp(-v) / mpmath.gamma(b)
                return density * mpmath.gammainc(a, 0, odds * v, regularized=True)

            assert float(mpmath.quad(inner, [0, b / 2, b, 2 * b, 8 * b + 40])) == pytest.approx(probability, rel=1e-9)


def test_f1_at_the_ends():
    """The rule of one rate: 0 without a true positive, 1 without an error; the other limit by SciPy's Beta."""
    none, every = ConfusionMatrix([[5, 3], [2, 0]]).by("f1"), ConfusionMatrix([[5, 0], [0, 7]]).by("f1")
    low, high = F1_BAYES(none), F1_BAYES(every)
    q, p = beta.ppf(0.975, 0.5, 6), beta.ppf(0.025, 7.5, 1)
    assert_allclose([low.low, low.high, high.low, high.high], [0, 2 * q / (1 + q), 2 * p / (1 + p), 1], rtol=1e-12)
    exact = F1_EXACT(every, alpha=0.05)
    assert_allclose([exact.low, exact.high], [2 * 0.025 ** (1 / 7) / (1 + 0.025 ** (1 / 7)), 1], rtol=1e-12)


@pytest.mark.parametrize("added", [0, -1, np.nan, np.inf, "much", True, None])
def test_what_a_prior_adds_is_a_positive_number(added):
    with pytest.raises(InvalidOption, match="`added` must be a positive number"):
        F1_BAYES(MATRIX.by("f1"), added=added)


@pytest.mark.parametrize(
    ("name", "metric", "instead"),
    [
        ("f1-wilson", "f2", "delta"),
        ("jeffreys", "mcc", "delta"),
        ("tango", "f1", "f1-wilson"),
        ("bcost", "error", "`tellapart methods`"),
    ],
)
def test_a_metric_that_is_not_served_is_refused_and_shown_the_way(name, metric, instead):
    with pytest.raises(InvalidOption, match=rf"method '{name}' is for .*, not for {metric}.*{instead}"):
        find_method(name, "interval", ConfusionMatrix)(MATRIX.by(metric))
