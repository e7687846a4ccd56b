"""TA623: size of the rarest class times (1 − AUC) is at least 4."""

import numpy as np
import pytest

from tellapart import ClassScores, estimate

TRUTH = np.repeat([0, 1], [60, 40])


def drawn(distance):
    return ClassScores.from_scores(TRUTH, np.random.default_rng(0).normal(size=100) + distance * TRUTH)


def fails():
    return estimate(drawn(4))


def holds():
    return estimate(drawn(1))


def test_the_figure_is_the_rarest_class_times_one_minus_auc(check):
    assert check(fails()).figure == pytest.approx(40 * (1 - drawn(4).levels[0]))
    assert check(estimate(drawn(-4))).figure == pytest.approx(40 * drawn(-4).levels[0])
    assert check(holds()).figure == pytest.approx(40 * (1 - drawn(1).levels[0]))


def test_the_remedy_covers_and_delong_does_not(quiet):
    """Binormal scores with an AUC of 0.98, 50 positives and 500 negatives."""
    assert quiet(estimate(drawn(4), method="newcombe-auc"))
    truth = np.repeat([0, 1], [500, 50])
    scores = np.random.default_rng(5).normal(size=(800, 1, 550)) + 2.90442 * truth  # Φ(2.90442/√2) = 0.98
    many = ClassScores(truth, scores, (0, 1), ("A",))
    covered = {name: estimate(many, method=name).interval.contains(0.98).mean() for name in ("delong", "newcombe-auc")}
    assert covered["newcombe-auc"] > 0.94
    assert covered["delong"] < 0.935
