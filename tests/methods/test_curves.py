"""ROC and precision-recall curves against scikit-learn, and their bands against rectangles, chance and the truth."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import ndtr
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score, roc_curve

import tellapart as ta
from tellapart.bibliography import REFERENCES
from tellapart.errors import InvalidOption
from tellapart.evidence import ClassScores
from tellapart.methods.curves import SOURCES, rank_curves

RNG = np.random.default_rng(7)
LABELS = np.repeat([0, 1], [60, 25])
SMOOTH = RNG.normal(LABELS, 1.0)
TIED = np.round(SMOOTH)


@st.composite
def ranked(draw):
    """Return labels of both classes, and scores with ties."""
    labels = [0, 1, *draw(st.lists(st.integers(0, 1), max_size=12))]
    scores = draw(st.lists(st.integers(-3, 3), min_size=len(labels), max_size=len(labels)))
    return np.array(labels), np.array(scores, dtype=float)


@pytest.mark.parametrize("scores", [SMOOTH, TIED, 0 * TIED], ids=["smooth", "tied", "all equal"])
def test_points_are_those_of_scikit_learn(scores):
    curve = ta.rank_curves(ClassScores.from_scores(LABELS, scores)).curves[0]
    false, recall, thresholds = roc_curve(LABELS, scores, drop_intermediate=False)
    for ours, theirs in (
        (curve.false_positive_rate, false),
        (curve.recall, recall),
        (curve.thresholds, thresholds),
    ):
        assert_allclose(ours, theirs, rtol=1e-14)
    precision, recall, _ = precision_recall_curve(LABELS, scores)
    assert_allclose(curve.precision[::-1], precision, rtol=1e-14)
    assert_allclose(curve.recall[::-1], recall, rtol=1e-14)
    assert_allclose(curve.auc, roc_auc_score(LABELS, scores))
    assert_allclose(curve.average_precision, average_precision_score(LABELS, scores))


@given(ranked(), st.floats(0, 1))
def test_a_band_is_all_that_rectangles_about_the_curve_reach(scores, at):
    """Campbell's region, drawn by hand: a rectangle about every point of the curve, of which each has thousands."""
    curve = rank_curves(ClassScores.from_scores(*scores, classes=[0, 1]), alpha=0.3).curves[0]
    fall, rise = curve.reach
    steps = np.linspace(0, 1, 400)
    x, y = (
        np.concatenate([start + steps * (end - start) for start, end in pairwise(way)])
        for way in (curve.false_positive_rate, curve.recall)
    )
    near = np.abs(x - at) <= fall + 1e-12
    low, high = curve.roc_band(at)
    assert_allclose(low, max(0, y[near].min() - rise), atol=0.003)
    assert_allclose(high, min(1, y[near].max() + rise), atol=0.003)
    near = np.abs(y - at) <= rise + 1e-12
    worst, best = min(1, x[near].max() + fall), max(0, x[near].min() - fall)
    right = curve.positives * at
    expected = [right / (right + curve.negatives * wrong) if right + wrong else 1.0 for wrong in (worst, best)]
    result = np.array(curve.precision_band(at))
    slack = 0.003 * curve.negatives / max(right, 1e-9)  # what a step of the walk above may miss
    assert np.all(np.abs(result - expected) <= np.minimum(slack, 1.0) + 1e-9)
    assert low < high


@pytest.mark.parametrize(("positives", "negatives"), [(8, 20), (60, 60)])
def test_the_whole_true_curve_lies_inside_as_often_as_promised(positives, negatives):
    """Binormal scores, whose ROC curve is Φ(1 + Φ⁻¹(x)) at every false positive rate x; smooth ones more often."""
    rng, trials, alpha = np.random.default_rng(1), 300, 0.9
    at = np.linspace(-4, 4, 120)
    false, recall = ndtr(-at), ndtr(1 - at)
    precision = positives * recall / (positives * recall + negatives * false)
    labels = np.repeat([0, 1], [negatives, positives])
    scores = np.zeros(2)
    for _ in range(trials):
        curve = rank_curves(ClassScores.from_scores(labels, rng.normal(labels)), alpha=alpha).curves[0]
        for index, (band, truth) in enumerate(
            ((curve.roc_band(false), recall), (curve.precision_band(recall), precision))
        ):
            scores[index] += np.all((band[0] <= truth + 1e-12) & (truth <= band[1] + 1e-12))
    assert (scores / trials > 1 - alpha - 3 * np.sqrt(alpha * (1 - alpha) / trials)).all()
    assert scores.max() < trials  # it is no band that holds everything


def test_reach_is_massarts_at_the_root_of_the_level():
    curve = rank_curves(ClassScores.from_scores(LABELS, SMOOTH), alpha=0.05).curves[0]
    for size, reach in zip((60, 25), curve.reach, strict=True):
        assert_allclose(2 * np.exp(-2 * size * reach**2), 1 - np.sqrt(0.95), rtol=1e-12)
    tiny = rank_curves(ClassScores.from_scores([0, 1], [0.2, 0.9]), alpha=1e-12).curves[0]
    assert tiny.reach == (1.0, 1.0)
    assert_allclose(tiny.roc_band([0.0, 1.0]), [[0, 0], [1, 1]])


def test_of_a_million_examples_few_points_are_drawn():
    labels = np.arange(10**5) % 2
    full = rank_curves(ClassScores.from_scores(labels, np.random.default_rng(0).normal(labels))).curves[0]
    curve = full.thinned()
    assert curve.recall.size <= 200
    assert_allclose(
        np.interp(full.false_positive_rate, curve.false_positive_rate, curve.recall), full.recall, atol=0.011
    )
    assert (curve.recall[0], curve.recall[-1], curve.auc) == (0, 1, full.auc)
    assert curve.thinned() is curve


def test_several_models_and_classes():
    chances = RNG.dirichlet([1, 1, 1], 40)
    labels = np.array(["cat", "dog", "owl", "owl"] * 10)
    scores = ClassScores.from_scores(labels, {"old": chances, "new": chances[::-1]})
    with pytest.raises(InvalidOption, match="`positive` must be one of 'cat', 'dog', 'owl'"):
        ta.rank_curves(scores)
    result = ta.rank_curves(scores, positive="owl")
    assert [curve.model for curve in result] == ["old", "new"]
    assert_allclose(result["old"].auc, roc_auc_score(labels == "owl", chances[:, 2]))
    assert "40 examples, 20 of class owl" in str(result)
    assert json.loads(result.to_json())["curves"]["new"]["recall"][-1] == 1
    with pytest.raises(InvalidOption, match="`model` must be one of old, new"):
        result["other"]
    with pytest.raises(InvalidOption, match="one ClassScores"):
        ta.rank_curves([0.1, 0.2])


def test_whom_they_follow_is_in_the_bibliography():
    assert {key for keys in SOURCES.values() for key in keys} <= set(REFERENCES)
