"""Reliability against scikit-learn and statsmodels, and against every outcome there could be."""

import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.calibration import calibration_curve
from statsmodels.stats.proportion import proportion_confint

import tellapart as ta
from tellapart.bibliography import REFERENCES
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import ClassScores
from tellapart.methods.reliability import SOURCES, reliability

RNG = np.random.default_rng(3)
CHANCE = RNG.random(200)
HAPPENED = RNG.random(200) < CHANCE


def of(happened, chance, **options):
    return reliability(ClassScores.from_scores(np.asarray(happened, dtype=int), chance, classes=[0, 1]), **options)["A"]


def test_bins_are_those_of_scikit_learn_and_limits_those_of_statsmodels():
    result = of(HAPPENED, CHANCE, bins=8, alpha=0.1)
    happened, promised = calibration_curve(HAPPENED, CHANCE, n_bins=8, strategy="quantile")
    assert_allclose(result.happened, happened)
    assert_allclose(result.promised, promised)
    assert result.counts.tolist() == [25] * 8
    hits = np.rint(result.happened * 25)
    assert_allclose([result.low, result.high], proportion_confint(hits, 25, alpha=0.1, method="wilson"))
    assert_allclose(result.plug_in_error, np.sqrt(np.mean((happened - promised) ** 2)))
    assert_allclose(result.means, [CHANCE.mean(), HAPPENED.mean()])


def test_z_is_the_excess_of_the_brier_score_over_what_it_promises():
    """Spiegelhalter (1986): the Brier score less its mean Σp(1−p)/n, over its standard deviation."""
    result = of(HAPPENED, CHANCE)
    brier, promised = np.mean((HAPPENED - CHANCE) ** 2), np.mean(CHANCE * (1 - CHANCE))
    spread = np.sqrt(np.sum((1 - 2 * CHANCE) ** 2 * CHANCE * (1 - CHANCE))) / CHANCE.size
    assert_allclose(result.statistic, (brier - promised) / spread, rtol=1e-9)


def test_over_all_outcomes_z_has_mean_0_and_variance_1_and_the_error_no_bias():
    chance = np.array([0.1, 0.1, 0.1, 0.1, 0.7, 0.7, 0.7, 0.7])
    truth = np.where(chance < 0.5, 0.2, 0.6)  # by which the probabilities are wrong
    outcomes = np.array(list(product([0, 1], repeat=8)))
    result = [of(row, chance, bins=2) for row in outcomes]
    as_promised, as_it_is = (np.where(outcomes, each, 1 - each).prod(axis=1) for each in (chance, truth))
    z = np.array([each.statistic for each in result])
    assert_allclose([as_promised @ z, as_promised @ z**2], [0, 1], atol=1e-12)
    # What is below 0 is cut off at 0 only when the root is taken: the square before that has no bias.
    shares = np.array([each.happened for each in result])
    squares = ((shares - [0.1, 0.7]) ** 2 - shares * (1 - shares) / 3).mean(axis=1)
    assert_allclose(as_it_is @ squares, 0.1**2)
    assert_allclose([each.error for each in result], np.sqrt(np.maximum(squares, 0)))
    assert as_it_is @ np.array([each.plug_in_error**2 for each in result]) > 3 * 0.1**2


@given(st.lists(st.tuples(st.integers(0, 10), st.booleans()), min_size=2, max_size=40), st.integers(1, 30))
def test_bins_hold_every_example_once_keep_ties_together_and_have_width(evidence, bins):
    chance, happened = np.array([each[0] / 10 for each in evidence]), np.array([each[1] for each in evidence])
    result = of(happened, chance, bins=bins)
    assert result.counts.sum() == len(evidence)
    assert result.counts.min() >= 2
    assert result.counts.size <= bins
    edges = np.cumsum(result.counts)[:-1]
    ordered = np.sort(chance)
    assert (ordered[edges - 1] < ordered[edges]).all()
    assert_allclose((result.counts * result.promised).sum(), chance.sum(), atol=1e-12)
    assert_allclose((result.counts * result.happened).sum(), happened.sum(), atol=1e-12)
    assert (result.low < result.high).all()
    assert 0 <= result.error <= result.plug_in_error


def test_too_sure_and_not_sure_enough_are_reported():
    bold = np.where(CHANCE > 0.5, (2 + CHANCE) / 3, CHANCE / 3)
    shy = 0.5 + (CHANCE - 0.5) / 3
    result = ta.reliability(ClassScores.from_scores(HAPPENED, {"bold": bold, "shy": shy, "honest": CHANCE}))
    words = str(result)
    assert "overconfident" in result["bold"].verdict()
    assert "underconfident" in result["shy"].verdict()
    assert "no significant miscalibration" in result["honest"].verdict()
    assert result["honest"].error < result["honest"].plug_in_error < result["bold"].error
    assert words.startswith("bold and shy are miscalibrated")
    assert json.loads(result.to_json())["curves"]["shy"]["counts"] == result["shy"].counts.tolist()
    assert result["bold"].counts.size == 6  # the cube root of 200


def test_what_was_given_no_chance_and_happened_shows_that_probabilities_are_wrong():
    result = of([0, 1, 1, 0], [0.0, 0.0, 0.9, 0.2])
    assert (result.impossible, result.pvalue) == (1, np.finfo(float).tiny)
    assert "probability 0 for the outcome of 1 example" in result.verdict()
    right = of([0, 1, 1, 0], [0.0, 1.0, 1.0, 0.0])
    assert np.isnan([right.statistic, right.pvalue]).all()
    assert "not testable" in right.verdict()
    assert right.error == 0


def test_one_example_has_a_share_with_limits_and_no_error():
    result = of([1], [0.3])
    assert (result.counts.tolist(), result.happened.tolist()) == ([1], [1])
    assert np.isnan(result.error)
    assert result.low[0] < 1
    assert "unknown" in str(ta.reliability(ClassScores.from_scores([1], [0.3], classes=[0, 1])))


def test_of_several_classes_the_most_probable_one_is_looked_at():
    chances = RNG.dirichlet([2, 1, 1], 60)
    labels = np.array(["cat", "dog", "owl"] * 20)
    evidence = ClassScores.from_scores(labels, chances)
    result = ta.reliability(evidence)
    message = np.array(["cat", "dog", "owl"])[chances.argmax(axis=1)]
    assert_allclose(result["A"].means, [chances.max(axis=1).mean(), np.mean(message == labels)])
    assert result.of == "the most probable class"
    one = ta.reliability(evidence, positive="dog")
    assert_allclose(one["A"].means, [chances[:, 1].mean(), 1 / 3])
    assert one.of == "dog"


def test_what_is_no_probability_is_refused():
    with pytest.raises(InvalidEvidence, match=r"between 0 and 1, got -1 to 2\.5"):
        ta.reliability(ClassScores.from_scores([0, 1], [-1.0, 2.5]))
    evidence = ClassScores.from_scores([0, 1], [0.2, 0.5])
    for bins in (0, True, 2.5):
        with pytest.raises(InvalidOption, match="`bins` must be a whole number"):
            ta.reliability(evidence, bins=bins)
    with pytest.raises(InvalidOption, match="one ClassScores"):
        ta.reliability([0.2])
    with pytest.raises(InvalidOption, match="`model` must be one of A"):
        ta.reliability(evidence)["B"]


def test_whom_it_follows_is_in_the_bibliography():
    assert {key for keys in SOURCES.values() for key in keys} <= set(REFERENCES)
