"""Mean ranks of every two learners: against scikit-posthocs, Demšar's paper, SciPy and mpmath."""

import numpy as np
import pytest
import scikit_posthocs
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm, studentized_range

from tellapart import ScoreTable
from tellapart.errors import InvalidOption
from tellapart.methods.score_table.friedman import friedman_pairs
from tellapart.methods.score_table.nemenyi import bonferroni_dunn, nemenyi
from tellapart.numerics.studentized_range import range_exceeds, range_quantile

# The range of k standard normal numbers exceeds q (mpmath, 120 digits, steps of 1/40).
RANGES = [
    (3, 0.5, 0.93342194513528696),
    (20, 4.0, 0.33602345116867539),
    (100, 6.0, 0.062516555461499043),
    (3, 8.0, 4.6214387129336176e-8),
    (20, 12.0, 4.0886972587078897e-15),
    (10, 30.0, 3.245847377603043e-98),
]
# Demšar 2006, table 5: critical values for two to ten classifiers, Nemenyi at 0.05 and 0.10, Bonferroni-Dunn alike.
TABLE_5A = {
    0.05: [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
    0.10: [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
}
TABLE_5B = {
    0.05: [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.724, 2.773],
    0.10: [1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539],
}


def table(scores):
    return ScoreTable.from_scores(scores, metric="score")


@pytest.mark.parametrize(("learners", "q", "probability"), RANGES)
def test_the_range_keeps_its_digits_in_the_tail(learners, q, probability):
    assert range_exceeds(q, learners) == pytest.approx(probability, rel=1e-13)


@pytest.mark.parametrize("learners", [2, 3, 10, 11, 20, 21, 60])
def test_scipy_agrees_where_it_has_digits(learners):
    q = np.array([0.0, 0.1, 1.0, 2.5, 3.7, 5.0])
    assert_allclose(range_exceeds(q, learners), studentized_range.sf(q, learners, np.inf), rtol=1e-9)


def test_two_numbers_have_a_normal_range():
    q = np.array([0.3, 2.0, 9.0, 40.0])
    assert_allclose(range_exceeds(q, 2), 2 * norm.sf(q / np.sqrt(2)), rtol=1e-12)


@pytest.mark.parametrize("learners", [2, 5, 20, 150])
def test_the_quantile_is_the_inverse(learners):
    for alpha in (0.999, 0.5, 0.05, 1e-8, 1e-100):
        assert range_exceeds(range_quantile(alpha, learners), learners) == pytest.approx(alpha, rel=1e-12)


def test_many_values_are_as_good_as_few():
    q = np.random.default_rng(5).uniform(0, 9, size=(3, 500)).round(2)
    assert_allclose(range_exceeds(q, 7), [[range_exceeds(each, 7) for each in row] for row in q], rtol=1e-13)


@pytest.mark.parametrize("alpha", TABLE_5A)
@pytest.mark.parametrize("method", [nemenyi, bonferroni_dunn])
def test_demsars_critical_values(alpha, method):
    """For N data sets CD = q √(k(k + 1)/(6N)); his 2.724 for nine classifiers with a control should be 2.734."""
    for learners, printed in enumerate((TABLE_5A if method is nemenyi else TABLE_5B)[alpha], 2):
        scores = np.random.default_rng(learners).uniform(size=(10, learners))
        q = method(table(scores), alpha=alpha).critical / np.sqrt(learners * (learners + 1) / 60)
        assert q == pytest.approx(2.734 if printed == 2.724 else printed, abs=1e-3)


def test_demsars_critical_differences():
    """Section 3.2.2: Nemenyi 1.25 and, at 0.10, 1.12; Bonferroni-Dunn is printed as 1.16, and is 1.168."""
    scores = np.random.default_rng(14).uniform(size=(14, 4))
    assert nemenyi(table(scores)).critical == pytest.approx(1.25, abs=5e-3)
    assert nemenyi(table(scores), alpha=0.10).critical == pytest.approx(1.12, abs=5e-3)
    assert bonferroni_dunn(table(scores)).critical == pytest.approx(2.394 * np.sqrt(4 * 5 / (6 * 14)), abs=1e-3)


@pytest.mark.parametrize("shape", [(5, 3), (30, 20)])
@pytest.mark.parametrize("digits", [0, 9])
def test_scikit_posthocs_agrees(shape, digits):
    scores = np.rint(10**digits * (np.random.default_rng(6).normal(size=shape) + 0.3 * np.arange(shape[1])))
    above = np.triu_indices(shape[1], 1)
    theirs = scikit_posthocs.posthoc_nemenyi_friedman(scores).to_numpy()[above]
    assert_allclose(nemenyi(table(scores)).pvalue, theirs, rtol=1e-8, atol=1e-14)
    theirs = scikit_posthocs.posthoc_siegel_friedman(scores).to_numpy()[above]
    assert_allclose(friedman_pairs(table(scores)).pvalue, theirs, rtol=1e-9, atol=1e-15)


def test_the_control_is_compared_with_all_others():
    """Dunn: k − 1 times the p-value of each, as a Bonferroni adjustment of the pairs with the control."""
    scores = np.random.default_rng(8).normal(size=(20, 5)) + 0.4 * np.arange(5)
    raw, result = friedman_pairs(table(scores)), bonferroni_dunn(table(scores))
    assert_allclose(result.pvalue, np.minimum(4 * raw.pvalue, 1), rtol=1e-12)
    assert (result.allows, nemenyi(table(scores)).allows, raw.allows) == (True, True, False)
    assert np.isnan(raw.critical)


@pytest.mark.parametrize("method", [nemenyi, bonferroni_dunn])
@pytest.mark.parametrize("ties", ["corrected", "uncorrected"])
def test_a_difference_is_critical_where_the_p_value_is_alpha(method, ties):
    scores = np.random.default_rng(9).integers(0, 9, size=(40, 6)) + np.arange(6)
    result = method(table(scores), alpha=0.03, ties=ties)
    first, second = np.triu_indices(6, 1)
    difference = np.abs(result.ranks[first] - result.ranks[second])
    assert 0 < np.count_nonzero(difference > result.critical) < 15
    assert_array_equal(difference > result.critical, result.pvalue < 0.03)


def test_ties_leave_less_to_differ():
    """The variance of R̄_A − R̄_B when ranks are shuffled, by a million shuffles of two kinds of rows."""
    scores = np.array([[1, 1, 2], [1, 2, 3], [2, 2, 1], [1, 2, 2]])
    rng = np.random.default_rng(10)
    ranks = np.array([[2.5, 2.5, 1], [3, 2, 1], [1.5, 1.5, 3], [3, 1.5, 1.5]])
    drawn = rng.permuted(np.tile(ranks, (200_000, 1, 1)), axis=-1).mean(axis=1)
    error = np.std(drawn[:, 0] - drawn[:, 1])
    result = friedman_pairs(table(scores), ties="corrected")
    difference = result.ranks[0] - result.ranks[2]
    assert result.statistic[1] == pytest.approx(difference / error, rel=5e-3)
    assert abs(result.statistic[1]) > abs(friedman_pairs(table(scores)).statistic[1])


def test_bad_options():
    scores = [[1, 2, 3], [3, 1, 2]]
    with pytest.raises(InvalidOption, match="`alpha` must"):
        nemenyi(table(scores), alpha=2)
    with pytest.raises(InvalidOption, match="`ties` must be one of 'corrected', 'uncorrected', got 'split'"):
        nemenyi(table(scores), ties="split")
