"""TA626: the models rank at least 10 examples differently."""

import numpy as np

from tellapart import ClassScores, compare

TRUTH = np.arange(60) % 2
SCORES = np.random.default_rng(0).normal(size=60) + TRUTH


def pair(moved):
    """Return two models; B gives the highest scores to this number of positives."""
    up = np.isin(np.arange(60), np.flatnonzero(TRUTH == 1)[:moved])
    return ClassScores.from_scores(TRUTH, SCORES, np.where(up, 10.0 + np.arange(60), SCORES))


def fails():
    return compare(pair(2))


def holds():
    return compare(pair(12))


def placed_by_hand(evidence, model):
    scores = evidence.scores[model]
    own, other = scores[:, None], scores[None, :]
    ahead = np.where(TRUTH[:, None] == 1, own > other, own < other)
    return (ahead & (TRUTH[:, None] != TRUTH[None, :])).sum(axis=1)


def test_the_figure_counts_examples_ranked_differently(check):
    for moved in (0, 2, 12):
        evidence = pair(moved)
        assert check(compare(evidence)).figure == (placed_by_hand(evidence, 0) != placed_by_hand(evidence, 1)).sum()


def test_equal_rankings_have_a_p_value_of_1(check):
    answer = compare(pair(0))
    assert check(answer).figure == 0
    assert answer.pvalue == 1
    assert answer.interval.low < 0 < answer.interval.high


def test_the_exact_test_has_no_such_check(quiet, carriers):
    assert carriers == {"delong-paired", "mover-newcombe", "stratified-bootstrap"}
    assert quiet(compare(pair(12), method="auc-permutation"))
