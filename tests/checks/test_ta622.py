"""TA622: at least 20 examples of the rarest class."""

import numpy as np

from tellapart import ClassScores, compare, estimate


def drawn(positives, negatives=60, models=2):
    truth = np.repeat([0, 1], [negatives, positives])
    scores = np.random.default_rng(0).normal(size=(models, truth.size)) + truth
    return ClassScores(truth, scores, (0, 1), ("A", "B")[:models])


def fails():
    return compare(drawn(12))


def holds():
    return compare(drawn(20))


def test_the_figure_is_the_size_of_the_smallest_class(check):
    assert [check(compare(drawn(*sizes))).figure for sizes in ((12, 60), (60, 15), (30, 30))] == [12, 15, 30]
    truth = np.repeat(list("abc"), [30, 9, 40])
    several = ClassScores.from_scores(truth, np.random.default_rng(0).dirichlet([1, 1, 1], size=79))
    assert check(estimate(several)).figure == 9


def test_the_remedy_has_no_such_check(quiet, carriers):
    assert carriers == {"delong", "delong-paired"}
    assert quiet(estimate(drawn(12, models=1), method="newcombe-auc"))
    assert quiet(compare(drawn(12), method="auc-permutation", interval="mover-newcombe"))
