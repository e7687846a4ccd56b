"""paired-t over data sets against SciPy, R's published example, and its own laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from tellapart.errors import InvalidEvidence
from tellapart.evidence import ScoreTable
from tellapart.methods.score_table.paired_t import paired_t

SLEEP = {  # hours gained by two drugs, Student 1908: R's data set `sleep`
    "1": [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    "2": [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
}


def test_students_sleep_data():
    """R's help of t.test: t = −4.0621 on 9 degrees of freedom, p = 0.002833, −2.4598858 to −0.7001142."""
    table = ScoreTable.from_scores(SLEEP)
    result, limits = paired_t(table).test(), paired_t(table).interval()
    assert_allclose(result.statistic, 4.0621, atol=5e-5)
    assert_allclose(result.pvalue, 0.002833, atol=5e-7)
    assert_allclose([limits.low, limits.high], [0.7001142, 2.4598858], atol=5e-8)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("count", [2, 3, 10, 54, 150])
def test_it_is_scipys_paired_test(count, alternative):
    a, b = np.random.default_rng(count).normal(0.8, 0.1, (2, count))
    table = ScoreTable.from_scores({"A": a, "B": b})
    expected = stats.ttest_rel(b, a, alternative=alternative)
    result = paired_t(table).test(alternative=alternative)
    assert_allclose([result.statistic, result.pvalue], [expected.statistic, expected.pvalue], rtol=1e-8)
    side = {"two-sided": "two", "greater": "lower", "less": "upper"}[alternative]
    limits, bounds = paired_t(table).interval(side=side, alpha=0.1), expected.confidence_interval(0.9)
    assert_allclose([limits.low, limits.high], [bounds.low, bounds.high], rtol=1e-8)


def test_a_shift_is_tested_where_the_limits_are():
    table = ScoreTable.from_scores(SLEEP)
    limits = paired_t(table).interval(alpha=0.1)
    assert_allclose([paired_t(table).test(limit).pvalue for limit in (limits.low, limits.high)], 0.1, rtol=1e-9)


@pytest.mark.parametrize("differences", [[0.1] * 7, [0.0] * 3, [0.3]])
def test_without_spread_nothing_is_claimed(differences):
    table = ScoreTable.from_scores({"A": [0.2] * len(differences), "B": 0.2 + np.array(differences)}, bounds=(0, 1))
    result, limits = paired_t(table).test(), paired_t(table).interval()
    assert result.pvalue == 1.0
    assert (limits.low, limits.high) == (-1.0, 1.0)


def test_no_data_set_in_common():
    table = ScoreTable.from_scores([[0.5, None], [None, 0.5]])
    assert paired_t(table).test().pvalue == 1.0
    assert (paired_t(table).interval().low, paired_t(table).interval().high) == (-np.inf, np.inf)


def test_large_scores_keep_their_digits():
    """Differences of 1, 2 and 3 near a million: t = 2√3, whatever the scores are."""
    table = ScoreTable.from_scores({"A": [1e6, 1e6, 1e6], "B": [1e6 + 1, 1e6 + 2, 1e6 + 3]})
    assert_allclose(paired_t(table).test().statistic, 2 * np.sqrt(3), rtol=1e-6)


@given(st.lists(st.integers(-50, 50), min_size=3, max_size=12), st.floats(0.001, 0.5))
def test_swapping_learners_flips_the_sign(differences, alpha):
    values = np.array([1, *differences]) / 100
    here, there = (ScoreTable.from_scores({"A": 0 * values, "B": sign * values}) for sign in (1, -1))
    assert_allclose(paired_t(there).test().statistic, -paired_t(here).test().statistic, atol=1e-12)
    assert_allclose(paired_t(there).test().pvalue, paired_t(here).test().pvalue, rtol=1e-9)
    assert 0 < paired_t(here).test().pvalue <= 1
    one, other = paired_t(here).interval(alpha=alpha), paired_t(there).interval(alpha=alpha)
    assert_allclose([one.low, one.high], [-other.high, -other.low], atol=1e-12)
    wider = paired_t(here).interval(alpha=alpha / 2)
    assert wider.low <= one.low <= one.high <= wider.high


def test_a_batch_is_a_loop():
    scores = np.random.default_rng(0).normal(size=(9, 5)).round(3)
    scores[2, 3] = scores[4, :2] = np.nan
    scores_table = ScoreTable.from_scores(scores)
    result = paired_t(scores_table.pairs()).test()
    one_by_one = [paired_t(scores_table.select(*pair)).test() for pair in scores_table.pair_names()]
    assert_allclose(result.pvalue, [one.pvalue for one in one_by_one], rtol=1e-9)
    assert_allclose(result.statistic, [one.statistic for one in one_by_one], rtol=1e-9)
    assert_array_equal(np.shape(result.pvalue), (10,))


def test_three_learners_are_refused():
    with pytest.raises(InvalidEvidence, match=r"'paired-t' compares two learners, got 3 \(A, B and C\)"):
        paired_t(ScoreTable.from_scores([[1, 2, 3]])).test()


def test_no_data_set_in_common_leaves_everything_open():
    result = paired_t(ScoreTable.from_scores([[0.5, None], [None, 0.7]])).test()
    assert np.isnan(result.statistic)
    assert result.pvalue == 1
