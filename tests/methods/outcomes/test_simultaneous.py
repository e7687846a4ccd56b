"""max-t of mean scores: two models, many, identical ones, and the chance of a false claim."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from tellapart import Outcomes
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.methods.outcomes.mean import mean_t
from tellapart.methods.outcomes.sandwich import cluster_cr2
from tellapart.methods.outcomes.simultaneous import max_t, model_pairs


def several(scores, **more):
    return Outcomes.from_scores(dict(zip("abcdefgh", scores, strict=False)), **{"metric": "rouge"} | more)


@pytest.fixture
def scores():
    return np.random.default_rng(0).normal([[0.0], [0.1], [0.8]], 1, size=(3, 50))


def test_each_pair_has_its_own_t(scores):
    result = max_t(several(scores))
    for index, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
        assert_allclose(result.statistic[index], stats.ttest_rel(scores[b], scores[a]).statistic, rtol=1e-12)
        reach = result.critical * stats.sem(scores[b] - scores[a])
        assert_allclose(result.interval.width[index], 2 * reach, rtol=1e-12)
    assert (result.pvalue >= stats.ttest_rel(scores[[1, 2, 2]], scores[[0, 0, 1]], axis=1).pvalue).all()


def test_clusters_have_the_error_of_cr2(scores):
    outcomes = several(scores, clusters=np.random.default_rng(1).integers(12, size=50))
    first = cluster_cr2(outcomes.select("a", "c")).test()
    assert_allclose(max_t(outcomes, resamples=200).statistic[1], first.statistic, rtol=1e-9)


def test_two_models_are_students(scores):
    """With one pair there is nothing to allow for: the turned t has Student's quantile, up to the noise of draws."""
    outcomes = several(scores[:2])
    assert_allclose(max_t(outcomes).critical, stats.t.ppf(0.975, 49), rtol=0.03)
    assert_allclose(max_t(outcomes).interval.low, mean_t(outcomes).interval().low, atol=0.02)


def test_pairs_are_held_to_all_of_them_at_once():
    """Five independent models: between what one pair needs and what Bonferroni asks of ten."""
    outcomes = several(np.random.default_rng(2).normal(size=(5, 100)))
    bound = max_t(outcomes).critical
    assert stats.t.ppf(0.975, 99) < bound < stats.t.ppf(1 - 0.025 / 10, 99)
    # The studentised range of five means, over √2, is what bounds all ten exactly for normal scores of one variance.
    assert_allclose(bound, stats.studentized_range.ppf(0.95, 5, np.inf) / np.sqrt(2), rtol=0.04)


def test_a_false_claim_is_as_rare_as_alpha_says():
    """200 races of four equal models; 5 % within four standard errors, for the test and for all limits at once."""
    rng = np.random.default_rng(3)
    races = [max_t(several(rng.normal(size=(4, 25)) ** 3), resamples=199) for _ in range(200)]
    claims = np.mean([race.pvalue.min() < 0.05 for race in races])
    missed = np.mean([not race.interval.contains(0).all() for race in races])
    assert max(claims, missed) < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 200)
    assert all(((race.pvalue < 0.05) | race.interval.contains(0)).all() for race in races)  # p decides no less often


def test_the_order_and_the_names_do_not_matter(scores):
    here, there = max_t(several(scores)), max_t(several(scores[::-1]))
    assert_allclose(there.statistic, -here.statistic[::-1], rtol=1e-12)
    assert_allclose(there.pvalue, here.pvalue[::-1], rtol=1e-12)
    greater, less = (max_t(several(scores), alternative=way) for way in ("greater", "less"))
    assert (np.minimum(greater.pvalue, less.pvalue) <= here.pvalue + 1e-12).all()
    assert (greater.interval.high == np.inf).all()
    assert (less.interval.low == -np.inf).all()


def test_identical_models_are_not_significantly_different_and_spoil_nobody(scores):
    outcomes = several([*scores, scores[0]], bounds=(-9, 9))
    result = max_t(outcomes)
    assert (result.statistic[2], result.pvalue[2]) == (0, 1)  # a and d
    hidden = 1 - (0.025 / 6) ** (1 / 49)  # all six pairs at once, of fifty examples
    assert_allclose([result.interval.low[2], result.interval.high[2]], [-18 * hidden, 18 * hidden], rtol=1e-12)
    assert np.isfinite(result.critical)
    same = several([[0.5] * 9] * 3)
    assert (max_t(same).pvalue == 1).all()
    assert (max_t(same).interval.high == np.inf).all()
    ahead = max_t(several([[0.2] * 200, [0.6] * 200], bounds=(0, 1)))  # by the same everywhere
    assert_allclose(ahead.pvalue, [2 * (1 / 1.4) ** 199], rtol=1e-9)
    assert np.isposinf(ahead.statistic[0])


def test_what_it_cannot_take(scores):
    with pytest.raises(InvalidEvidence, match="two or more models in one entry"):
        max_t(Outcomes(np.zeros((4, 3, 5)), models=("a", "b", "c")))
    with pytest.raises(InvalidEvidence, match="got 1 "):
        model_pairs(Outcomes.from_scores([0.1, 0.2]))
    with pytest.raises(InvalidOption, match="`resamples` must be at least 20"):
        max_t(several(scores), resamples=10)
