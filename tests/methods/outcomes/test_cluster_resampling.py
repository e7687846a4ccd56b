"""Clusters drawn anew and signs turned, against brute force and their own laws."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import norm
from scipy.stats import t as student

from tellapart import Outcomes
from tellapart.errors import InvalidOption
from tellapart.methods.outcomes.cluster_resampling import cluster_bootstrap, count_moving_clusters, wild_cluster
from tellapart.methods.outcomes.clusters import robust_moments
from tellapart.methods.outcomes.sandwich import cluster_cr1


def draw(sizes, seed=0, weighted=False):
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    scores = rng.normal(size=len(sizes))[codes] + rng.normal(size=(2, codes.size))
    weights = rng.lognormal(size=codes.size) if weighted else None
    return Outcomes(scores=scores, metric="rouge", clusters=codes, weights=weights)


def turned(outcomes, against, alternative):
    """Return the p-value by turning the signs of every cluster's examples, one pattern after the other."""
    w = np.ones(outcomes.examples) if outcomes.weights is None else outcomes.weights
    ts = []
    for signs in product((1, -1), repeat=outcomes.cluster_count):
        values = against + np.array(signs)[outcomes.clusters] * (outcomes.values - against)
        mean = np.average(values, weights=w)
        parts = np.bincount(outcomes.clusters, w * (values - mean)) / w.sum()
        ts.append((mean - against) / np.sqrt((parts**2).sum()))
    ts = {"two-sided": np.abs(ts), "greater": np.array(ts), "less": -np.array(ts)}[alternative]
    return np.mean(ts >= ts[0] - 1e-9)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(("sizes", "weighted"), [([3, 1, 4, 2, 2, 6], False), ([1, 5, 2, 2, 1, 3, 2], True)])
def test_few_clusters_turn_their_signs_in_every_way(sizes, weighted, alternative):
    outcomes = draw(sizes, weighted=weighted)
    for against in (0.0, 0.4):
        result = wild_cluster(outcomes, against=against, alternative=alternative)
        assert_allclose(result.pvalue, turned(outcomes, against, alternative))
        assert_allclose(result.statistic, cluster_cr1(outcomes).test(against).statistic)


def test_signs_that_are_drawn_find_what_all_signs_do():
    """Fourteen clusters are drawn, 2¹⁴ patterns can still be gone through by hand."""
    outcomes = draw([2, 3] * 7, seed=4)
    truth = turned(outcomes, 0.0, "two-sided")
    assert wild_cluster(outcomes, resamples=20_000).pvalue == pytest.approx(truth, abs=4 * np.sqrt(truth / 20_000))


def test_equal_clusters_turn_as_a_sign_test_does():
    """Equal clusters: t rises with the mean, so p is the share of patterns with as large a sum, here 2 of 2⁸."""
    outcomes = Outcomes.from_scores([0.0] * 16, np.linspace(1, 2, 16), metric="x", clusters=np.repeat(np.arange(8), 2))
    assert wild_cluster(outcomes).pvalue == 2 / 2**8
    assert wild_cluster(outcomes, alternative="greater").pvalue == 1 / 2**8
    assert wild_cluster(outcomes, alternative="less").pvalue == 1


def test_clusters_that_do_not_move_leave_p_as_it_is():
    outcomes = Outcomes.from_scores([1, 0, 0, 1, 0, 1], [1, 1, 1, 1, 1, 1], clusters=[1, 1, 2, 3, 4, 5])
    assert count_moving_clusters(outcomes) == 3
    assert wild_cluster(outcomes).pvalue >= 2 / 2**3
    assert count_moving_clusters(outcomes, against=0.5) == 4  # half of the first cluster is just what is tested


@pytest.mark.parametrize("b", [[1, 0, 1, 1], [0.5, 1.5, 0.5, 1.5]])
def test_no_difference_is_no_claim(b):
    outcomes = Outcomes.from_scores([1, 1, 1, 1] if b[0] == 0.5 else b, b, metric="x", clusters=[1, 1, 2, 2])
    assert wild_cluster(outcomes).pvalue == 1
    assert wild_cluster(outcomes).statistic == 0


def test_percentiles_are_those_of_clusters_drawn_one_by_one():
    """Index by index, and at the widened share, with SciPy's quantiles."""
    outcomes = draw([3, 1, 4, 2, 2, 6, 2, 5, 1, 3], seed=1)
    rng = np.random.default_rng(5)
    sums, sizes = np.bincount(outcomes.clusters, outcomes.values), np.bincount(outcomes.clusters)
    picks = rng.integers(0, 10, size=(40_000, 10))
    means = sums[picks].sum(axis=1) / sizes[picks].sum(axis=1)
    share = norm.cdf(student.ppf(0.025, robust_moments(outcomes).freedom) * np.sqrt(10 / 9))
    low, high = np.quantile(means, [share, 1 - share])
    limits = cluster_bootstrap(outcomes, resamples=40_000)
    assert_allclose([limits.low, limits.high], [low, high], atol=0.15 * means.std())
    upper = cluster_bootstrap(outcomes, side="upper", alpha=0.025, resamples=40_000)
    assert (upper.low, upper.high) == (-np.inf, limits.high)


def test_draws_are_the_seeds_whatever_stands_beside():
    many = Outcomes(scores=np.random.default_rng(3).normal(size=(5, 2, 30)), metric="x", clusters=np.arange(30) % 14)
    limits, result = cluster_bootstrap(many, rng=7, resamples=500), wild_cluster(many, rng=7, resamples=500)
    assert_allclose(cluster_bootstrap(many[3], rng=7, resamples=500).low, limits.low[3])
    assert wild_cluster(many[3], rng=7, resamples=500).pvalue == result.pvalue[3]
    assert cluster_bootstrap(many, rng=8, resamples=500).low[0] != limits.low[0]
    assert_allclose(cluster_bootstrap(many, rng=np.random.default_rng(7), resamples=500).low, limits.low)


rows = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 5)), min_size=1, max_size=15)


@given(rows)
def test_nothing_degenerates(rows):
    """Whatever right and wrong there is: limits in the range, with a width, and p from 2^−G to 1."""
    a, b, codes = np.array(rows).T
    outcomes = Outcomes.from_scores(a, b, clusters=codes)
    limits, result = cluster_bootstrap(outcomes, resamples=200), wild_cluster(outcomes)
    assert -1 <= limits.low <= outcomes.difference + 1e-12
    assert outcomes.difference - 1e-12 <= limits.high <= 1
    assert limits.width > 0
    assert 2.0**-outcomes.cluster_count <= result.pvalue <= 1
    assert wild_cluster(outcomes.swapped()).pvalue == pytest.approx(result.pvalue)


def test_one_cluster_and_clusters_all_alike():
    one = Outcomes.from_scores([1, 0, 1], [0, 0, 1], clusters=["a"] * 3)
    assert (cluster_bootstrap(one).low, cluster_bootstrap(one).high) == (-1, 1)
    assert wild_cluster(one).pvalue == 1
    alike = Outcomes.from_scores([1, 0] * 20, [1, 1] * 20, clusters=np.repeat(np.arange(20), 2))
    hidden = 1 - 0.025 ** (1 / 19)  # 19 clusters repeat the first
    limits = cluster_bootstrap(alike)
    assert_allclose([limits.low, limits.high], [0.5 - 1.5 * hidden, 0.5 + 0.5 * hidden])
    assert wild_cluster(alike).pvalue <= 3 / 10_001  # two patterns of a million are as extreme


def test_large_and_small_scores_are_alike():
    outcomes = draw([3, 1, 4, 2, 2, 6])
    for size in (1e-200, 1e200):
        sized = replace(outcomes, scores=outcomes.scores * size)
        assert wild_cluster(sized).pvalue == wild_cluster(outcomes).pvalue
        assert_allclose(
            cluster_bootstrap(sized, resamples=99).low / size, cluster_bootstrap(outcomes, resamples=99).low
        )


def test_too_few_draws_are_reported():
    with pytest.raises(InvalidOption, match="`resamples` must be at least 40 for this alpha, got 20"):
        cluster_bootstrap(draw([2, 3, 4]), resamples=20)
    with pytest.raises(InvalidOption, match="`resamples` must be a whole number"):
        wild_cluster(draw([2, 3, 4]), resamples=0)
    with pytest.raises(InvalidOption, match="`alternative` must be one of"):
        wild_cluster(draw([2, 3, 4]), alternative="more")
