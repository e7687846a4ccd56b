"""The delta method: its variances against formulas of others, its limits by hand, its coverage by enumeration."""

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import gammaln, xlogy
from scipy.stats import norm
from statsmodels.stats.inter_rater import cohens_kappa

from tellapart import ConfusionMatrix
from tellapart.methods.confusion_matrix.delta import delta, delta_logit, standard_error

TWO, THREE = np.array([[50, 10], [5, 35]]), np.array([[20, 3, 1], [4, 30, 6], [0, 2, 9]])


def error(counts, metric, **options):
    return standard_error(ConfusionMatrix(counts).by(metric, **options).metric, counts)


@pytest.mark.parametrize("counts", [TWO, THREE, THREE * 10**8], ids=["two", "three", "huge"])
def test_kappa_has_the_variance_of_fleiss_cohen_and_everitt(counts):
    """By statsmodels (its standard error away from 0)."""
    assert_allclose(error(counts, "kappa"), cohens_kappa(counts.astype(float)).std_kappa, rtol=1e-10)


def test_matthews_correlation_has_the_variance_of_bishop_fienberg_and_holland():
    """(1 − φ² + φ(1 + φ²/2)(p₁. − p₂.)(p.₁ − p.₂)/√(p₁.p₂.p.₁p.₂) − ¾φ²[(p₁. − p₂.)²/(p₁.p₂.) + …])/n, 11.4-4 there."""
    shares = TWO / 100
    (r1, r2), (c1, c2) = shares.sum(axis=1), shares.sum(axis=0)
    phi = np.linalg.det(shares) / np.sqrt(r1 * r2 * c1 * c2)
    cross = (r1 - r2) * (c1 - c2) / np.sqrt(r1 * r2 * c1 * c2)
    squares = (r1 - r2) ** 2 / (r1 * r2) + (c1 - c2) ** 2 / (c1 * c2)
    variance = (1 - phi**2 + phi * (1 + phi**2 / 2) * cross - 0.75 * phi**2 * squares) / 100
    assert_allclose(error(TWO, "mcc"), np.sqrt(variance), rtol=1e-12)


@pytest.mark.parametrize("counts", [TWO, THREE], ids=["two", "three"])
def test_macro_f1_has_the_variance_of_takahashi_and_others(counts):
    """Their formula for macro F1: 2(a + b)/(n r²), with the two sums written out."""
    n, r = counts.sum(), len(counts)
    p = counts / n
    named, right = p.sum(axis=0) + p.sum(axis=1), np.diag(p)
    f1 = 2 * right / named
    missed = (named - 2 * right) / named
    a = (f1 * missed / named * (missed + f1 / 2)).sum()
    b = sum(p[i, j] * f1[i] * f1[j] / (named[i] * named[j]) for i in range(r) for j in range(r) if i != j)
    assert_allclose(error(counts, "f1-macro"), np.sqrt(2 * (a + b) / (n * r**2)), rtol=1e-12)


def test_costs_and_shares_have_the_variance_of_a_mean():
    costs = np.array([[0.0, 1.0], [10.0, 0.0]])
    cost = np.repeat(costs.ravel(), TWO.ravel())
    assert_allclose(error(TWO, "cost", costs=costs), cost.std() / 10, rtol=1e-12)
    assert_allclose(error(TWO, "precision"), np.sqrt(35 / 45 * 10 / 45 / 45), rtol=1e-12)


def test_two_right_and_two_wrong_examples_are_added():
    """By hand: precision 36/47 with one more in every cell, and on the log odds with a quarter."""
    result = delta(ConfusionMatrix(TWO).by("precision")).interval(alpha=0.1)
    share, z = 36 / 47, norm.isf(0.05)
    reach = z * np.sqrt(share * (1 - share) / 47)
    assert_allclose([result.low, result.high], [share - reach, share + reach], rtol=1e-9)
    bent = delta_logit(ConfusionMatrix(TWO).by("precision")).interval(alpha=0.1)
    odds = np.log(35.25 / 10.25) + np.array([-z, z]) * np.sqrt(1 / 35.25 + 1 / 10.25)
    assert_allclose([bent.low, bent.high], 1 / (1 + np.exp(-odds)), rtol=1e-9)
    mcc = ConfusionMatrix(TWO).by("mcc")
    fisher = delta_logit(mcc).interval()
    value, spread = mcc.metric.of(TWO + 0.25), standard_error(mcc.metric, TWO + 0.25)
    reach = norm.isf(0.025) * spread / (1 - value**2)
    assert_allclose([fisher.low, fisher.high], np.tanh(np.arctanh(value) + np.array([-reach, reach])), rtol=1e-9)


def test_other_classes_do_not_matter_to_a_metric_of_one_class():
    three = delta(ConfusionMatrix(THREE).by("f2", positive=1)).interval()
    merged = delta(ConfusionMatrix([[30, 5], [10, 30]]).by("f2")).interval()
    assert_allclose([three.low, three.high], [merged.low, merged.high], rtol=1e-12)


@cache
def every_table(n):
    """Return all matrices of n examples and the logarithm of how many ways lead to each."""
    cells = np.array(
        [(a, b, c, n - a - b - c) for a in range(n + 1) for b in range(n - a + 1) for c in range(n - a - b + 1)]
    )
    return cells.reshape(-1, 2, 2), gammaln(n + 1) - gammaln(cells + 1).sum(axis=1)


@pytest.mark.parametrize("metric", ["f1", "mcc", "kappa", "f1-macro"])
def test_it_covers_by_exact_enumeration(metric):
    """Twenty examples, every matrix with its probability: 0.92 or more at worst, 0.95 or more on average."""
    tables, ways = every_table(20)
    matrix = ConfusionMatrix(tables).by(metric)
    result, covers = delta(matrix).interval(), []
    for positive in (0.1, 0.5):
        for recall in (0.5, 0.9, 0.99):
            for specificity in (0.5, 0.9, 0.99):
                rows = np.array([1 - positive, positive])[:, None]
                shares = rows * [[specificity, 1 - specificity], [1 - recall, recall]]
                chance = np.exp(ways + xlogy(tables, shares).sum(axis=(1, 2)))
                covers.append(chance @ result.contains(matrix.metric.of(shares)))
    assert min(covers) > 0.92
    assert 0.95 < np.mean(covers) < 0.985
