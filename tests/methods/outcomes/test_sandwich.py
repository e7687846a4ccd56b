"""Cluster-robust means against dense matrices, statsmodels and their own laws."""

from dataclasses import replace

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.linalg import block_diag
from scipy.stats import norm
from scipy.stats import t as student

from tellapart import Outcomes
from tellapart.methods.outcomes.clusters import clusters_of, corrections, robust_moments
from tellapart.methods.outcomes.mean import mean_t
from tellapart.methods.outcomes.moments import moments
from tellapart.methods.outcomes.sandwich import (
    cluster_cr0,
    cluster_cr1,
    cluster_cr2,
    cluster_robust,
)

PROCEDURES = [cluster_robust, cluster_cr2, cluster_cr1, cluster_cr0]
RNG = np.random.default_rng(10)
SIZES = [[3, 3, 3, 3], [1, 2, 9, 4, 4], [1, 30], [1] * 6, [2, 1, 1, 1, 1, 1, 20]]


def draw(sizes, weights=None, seed=0):
    """Return shuffled examples in clusters of these sizes, which go together."""
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    scores = rng.normal(size=len(sizes))[codes] + rng.normal(size=(2, codes.size))
    return Outcomes(scores=scores, metric="rouge", clusters=codes, weights=weights)


def dense(outcomes):
    """Return variance and degrees of freedom of CR2 by its definition, with whole matrices.

    Bell and McCaffrey 2002, for a regression on a constant with weights and the working model that all examples are
    independent and vary alike.
    """
    x, w = outcomes.values, np.ones(outcomes.examples) if outcomes.weights is None else outcomes.weights
    bread = 1 / w.sum()
    left = np.eye(x.size) - np.outer(np.ones(x.size), w) * bread
    vectors = []
    for code in np.unique(outcomes.clusters):
        rows = np.flatnonzero(outcomes.clusters == code)
        values, base = np.linalg.eigh(left[rows] @ left[rows].T)
        root = base @ np.diag([0 if value < 1e-12 else value**-0.5 for value in values]) @ base.T
        vectors.append(left[rows].T @ root @ w[rows] * bread)
    vectors = np.array(vectors)
    gram = vectors @ vectors.T
    return ((vectors @ x) ** 2).sum(), np.trace(gram) ** 2 / (gram**2).sum()


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_cr2_is_that_of_whole_matrices(sizes):
    evidence = draw(sizes)
    variance, freedom = dense(evidence)
    result = robust_moments(evidence)
    assert_allclose([result.error**2, result.freedom], [variance, freedom], rtol=1e-10)


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_weights_that_clusters_share_are_those_of_whole_matrices_too(sizes):
    evidence = draw(sizes)
    evidence = replace(evidence, weights=np.random.default_rng(3).lognormal(size=len(sizes))[evidence.clusters])
    variance, freedom = dense(evidence)
    result = robust_moments(evidence)
    assert_allclose([result.error**2, result.freedom], [variance, freedom], rtol=1e-9)


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_any_weights_leave_it_unbiased_for_independent_examples(sizes):
    """The expected variance is that of the mean, Σ share²; the degrees of freedom are those of the quadratic form."""
    n = sum(sizes)
    evidence = draw(sizes, weights=np.random.default_rng(4).lognormal(size=n))
    clusters = clusters_of(evidence)
    scale, freedom = corrections(clusters)
    share = evidence.shares
    inside = np.array([evidence.clusters == code for code in range(len(sizes))])
    vectors = (inside * share) @ (np.eye(n) - np.outer(np.ones(n), share))  # each cluster's u, by example
    gram = np.sqrt(np.outer(scale, scale)) * (vectors @ vectors.T)
    assert np.trace(gram) == pytest.approx((share**2).sum())
    assert freedom == pytest.approx(np.trace(gram) ** 2 / (gram**2).sum())


@pytest.mark.parametrize("weighted", [False, True])
def test_cr0_and_cr1_are_those_of_statsmodels(weighted):
    evidence = draw([3, 1, 8, 5, 5, 2], weights=RNG.lognormal(size=24) if weighted else None)
    ones, w = np.ones(evidence.examples), np.ones(evidence.examples) if evidence.weights is None else evidence.weights
    fitted = sm.WLS(evidence.values, ones, weights=w)
    plain = fitted.fit(cov_type="cluster", cov_kwds={"groups": evidence.clusters, "use_correction": False})
    grown = fitted.fit(cov_type="cluster", cov_kwds={"groups": evidence.clusters}, use_t=True)
    # statsmodels multiplies by (n − 1)/(n − k) besides G/(G − 1), which is 1 for a mean alone.
    assert_allclose(robust_moments(evidence, "CR0").error, plain.bse[0])
    assert_allclose(robust_moments(evidence, "CR1").error, grown.bse[0])
    assert_allclose(cluster_cr0(evidence).test().pvalue, plain.pvalues[0])
    assert_allclose(cluster_cr1(evidence).test().pvalue, grown.pvalues[0])
    limits = cluster_cr1(evidence).interval(alpha=0.1)
    assert_allclose([limits.low, limits.high], grown.conf_int(0.1)[0])


def test_the_formula_that_miller_prints():
    """Miller 2024, section 2.2: √(Σ over clusters, i and j of (s_i − s̄)(s_j − s̄))/n."""
    evidence = draw([4, 2, 7])
    distance = evidence.values - evidence.values.mean()
    together = block_diag(*(np.ones((size, size)) for size in [4, 2, 7]))
    order = np.argsort(evidence.clusters, kind="stable")
    assert_allclose(robust_moments(evidence, "CR0").error, np.sqrt(distance[order] @ together @ distance[order]) / 13)


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_without_clusters_every_example_is_one(procedure):
    evidence = replace(draw([1] * 30), clusters=None)
    if procedure is not cluster_cr0:  # which has no correction
        assert_allclose(procedure(evidence).test().pvalue, mean_t(evidence).test().pvalue)
        assert_allclose(procedure(evidence).interval().low, mean_t(evidence).interval().low)
    weighed = replace(evidence, weights=RNG.lognormal(size=30))
    assert_allclose(robust_moments(weighed).error, moments(weighed).error)  # the same correction, found twice


def test_equal_clusters_are_their_means():
    """A t test of the means of equal clusters, by SciPy's distribution; CR1 and CR2 agree."""
    evidence = draw([5] * 9)
    means = np.array([evidence.values[evidence.clusters == code].mean() for code in range(9)])
    t = means.mean() / (means.std(ddof=1) / 3)
    for procedure in (cluster_robust, cluster_cr1, cluster_cr2):
        assert_allclose(procedure(evidence).test().pvalue, 2 * student.sf(abs(t), 8))
        assert_allclose(procedure(evidence).test(0.3, "less").pvalue, student.cdf(t - 0.9 / means.std(ddof=1), 8))
    assert_allclose(cluster_cr0(evidence).test().pvalue, 2 * norm.sf(abs(t) * np.sqrt(9 / 8)))


def test_the_better_correction_stays_until_forty_clusters_in_effect():
    """By the sizes of clusters alone: forty-one small ones and a large one are few."""
    for sizes, same in [([2] * 40, cluster_cr2), ([2] * 41, cluster_cr1), ([2] * 60 + [100], cluster_cr2)]:
        evidence = draw(sizes)
        assert cluster_robust(evidence).test().pvalue == same(evidence).test().pvalue
        assert cluster_robust(evidence).interval().low == same(evidence).interval().low


def test_one_large_cluster_leaves_few_degrees_of_freedom():
    """Of a hundred clusters, one with half of all examples: CR1 takes 99, CR2 finds about 4."""
    evidence = draw([2] * 99 + [198])
    assert robust_moments(evidence, "CR1").freedom == 99
    assert 3.5 < robust_moments(evidence, "CR2").freedom < 4
    assert clusters_of(evidence).effective == pytest.approx(1 / (0.25 + 99 * (2 / 396) ** 2))


numbers = st.floats(-100, 100, allow_subnormal=False)
held_outcomes = st.lists(st.tuples(numbers, numbers, st.integers(0, 4)), min_size=2, max_size=12).map(
    lambda rows: Outcomes.from_scores(
        [row[0] for row in rows], [row[1] for row in rows], clusters=[row[2] for row in rows], metric="x"
    )
)


@given(held_outcomes, st.sampled_from(PROCEDURES), st.floats(0.001, 0.9), st.sampled_from(["two", "upper", "lower"]))
def test_test_and_interval_decide_alike(evidence, procedure, alpha, side):
    limits = procedure(evidence).interval(alpha=alpha, side=side)
    alternative = {"two": "two-sided", "upper": "less", "lower": "greater"}[side]
    for limit in (limits.low, limits.high):
        if (
            np.isfinite(limit) and robust_moments(evidence).error > 1e-6
        ):  # else the limits are the mean but for rounding
            assert procedure(evidence).test(float(limit), alternative).pvalue == pytest.approx(alpha, rel=1e-5)


@given(held_outcomes, st.sampled_from(PROCEDURES))
def test_renaming_models_and_moving_examples_change_nothing_else(evidence, procedure):
    here, there = procedure(evidence).test(), procedure(evidence.swapped()).test()
    assert_allclose([there.pvalue, there.statistic], [here.pvalue, -here.statistic], atol=1e-9)
    order = np.random.default_rng(1).permutation(evidence.examples)
    moved = replace(evidence, scores=evidence.scores[:, order], clusters=evidence.clusters[order])
    assert_allclose(procedure(moved).test().pvalue, here.pvalue, rtol=1e-6, atol=1e-9)
    limits = procedure(evidence).interval()
    assert limits.low <= evidence.difference <= limits.high
    assert limits.width > 0


def test_many_entries_are_a_loop():
    scores = RNG.normal(size=(3, 4, 2, 20))
    many = Outcomes(scores=scores, metric="x", clusters=np.arange(20) % 6, weights=np.arange(1.0, 21))
    for procedure in PROCEDURES:
        result, limits = procedure(many).test(), procedure(many).interval()
        assert result.pvalue.shape == limits.low.shape == (3, 4)
        assert_allclose(procedure(many[1, 2]).test().pvalue, result.pvalue[1, 2])
        assert_allclose(procedure(many[2, 3]).interval().high, limits.high[2, 3])


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_a_single_cluster_tells_nothing(procedure):
    evidence = Outcomes.from_scores([1, 0, 1, 1], [0, 0, 1, 0], clusters=["a"] * 4)
    assert procedure(evidence).test().pvalue == 1
    assert (procedure(evidence).interval().low, procedure(evidence).interval().high) == (-1, 1)
    unbounded = Outcomes.from_scores([1.5, 0, 1, 1], [0, 0, 1, 0], clusters=["a"] * 4, metric="x")
    assert procedure(unbounded).test().pvalue == 1
    assert (procedure(unbounded).interval().low, procedure(unbounded).interval().high) == (-np.inf, np.inf)


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_clusters_that_are_all_alike_keep_a_width(procedure):
    """Twenty passages, each with one question that only B solves: 19 repeat the first with chance p¹⁹."""
    evidence = Outcomes.from_scores([1, 0] * 20, [1, 1] * 20, clusters=np.repeat(np.arange(20), 2))
    limits = procedure(evidence).interval()
    hidden = 1 - 0.025 ** (1 / 19)
    assert_allclose([limits.low, limits.high], [0.5 - 1.5 * hidden, 0.5 + 0.5 * hidden])
    assert procedure(evidence).test(0.5).pvalue == 1
    same = Outcomes.from_scores([1, 0] * 20, [1, 0] * 20, clusters=np.repeat(np.arange(20), 2))
    assert procedure(same).test().pvalue == 1
    assert procedure(same).interval().width > 0.1


@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
def test_no_size_of_scores_is_too_large_or_too_small(size):
    evidence = draw([3, 1, 8, 5, 5, 2])
    sized = replace(evidence, scores=evidence.scores * size)
    assert_allclose(cluster_cr2(sized).test().pvalue, cluster_cr2(evidence).test().pvalue)
    far = replace(evidence, scores=evidence.scores + 1e6)
    assert_allclose(cluster_cr2(far).test().pvalue, cluster_cr2(evidence).test().pvalue, rtol=1e-6)
