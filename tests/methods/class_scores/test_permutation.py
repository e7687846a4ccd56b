"""auc-permutation against every exchange of ranks, areas counted anew from pairs."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import rankdata

from tellapart import ClassScores
from tellapart.methods.class_scores.delong import delong_paired
from tellapart.methods.class_scores.permutation import auc_permutation


def area(truth, ranks):
    """Give the share of pairs that are ranked rightly, ties counting half; every pair is looked at."""
    positive, negative = ranks[..., truth == 1, None], ranks[..., None, truth == 0]
    return ((positive > negative) + 0.5 * (positive == negative)).mean(axis=(-2, -1))


def by_exchanges(truth, scores):
    """Go through all exchanges of ranks: the share after which the areas differ as much, and as much upward."""
    ranks, truth = rankdata(scores, axis=-1), np.array(truth)
    swaps = np.array(list(product((False, True), repeat=truth.size)))
    result = area(truth, np.where(swaps, ranks[0], ranks[1])) - area(truth, np.where(swaps, ranks[1], ranks[0]))
    near = 1e-10
    return (np.abs(result) >= abs(result[0]) - near).mean(), (result >= result[0] - near).mean()


@given(hnp.arrays(np.int64, (2, 6), elements=st.integers(0, 5)))
def test_is_the_share_of_all_exchanges(scores):
    truth = [0, 1, 0, 1, 1, 0]
    evidence = ClassScores.from_scores(truth, *scores)
    expected = by_exchanges(truth, scores)
    ours = [auc_permutation(evidence, alternative=way).pvalue for way in ("two-sided", "greater")]
    assert ours == pytest.approx(expected, abs=1e-12)
    assert auc_permutation(evidence).statistic == pytest.approx(evidence.difference)


def test_of_several_classes_the_ranks_of_all_are_exchanged_together():
    rng = np.random.default_rng(1)
    truth = np.array([0, 1, 2, 2, 1, 0, 2])
    chances = rng.random((2, 7, 3)).round(1)
    ranks, result = rankdata(chances, axis=1), 0
    swaps = np.array(list(product((False, True), repeat=7)))
    for index in range(3):
        a, b = ranks[..., index]
        result = result + area(truth == index, np.where(swaps, a, b)) - area(truth == index, np.where(swaps, b, a))
    expected = (np.abs(result) >= abs(result[0]) - 1e-10).mean()
    assert auc_permutation(ClassScores.from_scores(truth, *chances)).pvalue == pytest.approx(expected)


def test_beyond_what_can_be_gone_through_it_is_near_the_normal_test():
    """400 examples: drawn, the same with the same seed, and near DeLong's."""
    rng = np.random.default_rng(6)
    truth = np.arange(400) % 2
    evidence = ClassScores.from_scores(truth, rng.normal(size=400) + truth, rng.normal(size=400) + 1.35 * truth)
    ours = auc_permutation(evidence, resamples=3000)
    assert ours.pvalue == pytest.approx(delong_paired(evidence).test().pvalue, rel=0.25)
    assert auc_permutation(evidence, resamples=3000).pvalue == ours.pvalue
    assert auc_permutation(evidence, resamples=3000, rng=1).pvalue != ours.pvalue


def test_models_that_rank_alike_have_nothing_to_exchange():
    evidence = ClassScores.from_scores([0, 1, 0, 1], [1, 2, 3, 4], [10, 20, 30, 40])
    assert auc_permutation(evidence).pvalue == 1
    many = ClassScores(np.array([0, 0, 1, 1]), np.arange(16.0).reshape(2, 2, 4), (0, 1))
    assert auc_permutation(many).pvalue.tolist() == [1, 1]
