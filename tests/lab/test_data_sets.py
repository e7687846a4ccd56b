"""Learners over data sets: what is drawn is what was said, and sizes are those that others compute."""

from itertools import combinations, product
from math import comb, log

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate, stats

from tellapart import ScoreTable
from tellapart.errors import InvalidOption, UnknownMethod
from tellapart.lab import ManyDataSets, ObservedDataSets, calibrate
from tellapart.lab.calibrating import as_design
from tellapart.lab.designs.data_sets import DataSetView
from tellapart.lab.designs.effect_distributions import SPREADS, STEPS, middles, ways
from tellapart.methods import find_method
from tellapart.methods.score_table.friedman import friedman_pairs

MEAN, MEDIAN, CENTRE = (DataSetView(name, False, False) for name in ("mean", "median", "pseudomedian"))


def drawn(design, trials=20_000, view=MEAN, seed=1):
    return design.draw([view], trials, np.random.default_rng(seed))[view]


def within_chance(share, expected):
    """Within four standard errors of a share that is known."""
    return abs(float(share.value) - expected) < 4 * np.sqrt(expected * (1 - expected) / share.trials)


# --- How differences spread -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", SPREADS)
def test_a_spread_has_mean_0_and_variance_1(kind):
    values = SPREADS[kind].draw(np.random.default_rng(0), (50_000, 4))[:, -1]  # the outlier is the first
    assert abs(values.mean()) < 0.02
    assert abs(values.std() - 1) < 0.1  # the fourth moment of the heavy-tailed one is infinite


def test_the_middles_of_skewed_differences():
    """The median of an exponential, and that of a sum of two (Gamma of shape 2), by scipy.stats."""
    off = SPREADS["skewed"].offsets
    assert_allclose(off["median"], stats.expon.median() - 1, rtol=1e-12)
    assert_allclose(off["pseudomedian"], stats.gamma(2).median() / 2 - 1, rtol=1e-12)
    grid = SPREADS["skewed"].quantile((np.arange(40_000) + 0.5) / 40_000)
    assert_allclose(list(middles(grid).values()), [0.0, off["median"], off["pseudomedian"]], atol=2e-3)


def test_the_middles_with_noise_are_those_of_the_sum():
    """The median of an exponential and a normal number: the root of a distribution function by quadrature (scipy)."""
    design = ManyDataSets(8, "skewed", runs=4, noise=1.0, rho=0.2)
    sd = np.sqrt(0.2 + 0.8 / 4)
    result = design.offsets["median"]
    below = integrate.quad(lambda x: np.exp(-x) * stats.norm.cdf((result - (x - 1)) / sd), 0, 40)[0]
    assert abs(below - 0.5) < 2e-3
    assert result < design.offsets["pseudomedian"] < design.offsets["mean"] == 0


def test_every_way_to_tie_is_listed_once():
    steps, chance = ways(6)
    assert len({tuple(row) for row in steps.tolist()}) == len(steps) == comb(6 + STEPS, STEPS)
    assert_allclose(chance.sum(), 1, rtol=1e-12)
    row = steps.tolist().index([-2, -1, -1, 0, 0, 2])
    assert_allclose(chance[row], stats.multinomial.pmf([1, 2, 2, 0, 1], 6, stats.binom.pmf(np.arange(5), 4, 0.5)))


# --- What is drawn --------------------------------------------------------------------------------------------------


def test_runs_vary_and_go_together_as_stated():
    design = ManyDataSets(5, spread=0.5, runs=4, noise=2.0, rho=0.3, uneven=0.7, difference=1.0)
    values = drawn(design, 40_000).values  # trial, data set, run
    assert_allclose(values.mean(), 1.0, atol=0.02)
    assert_allclose(values.var(axis=(0, 2)), 0.25 + design.noises**2, rtol=0.05)
    first, last = values[:, 2, 0], values[:, 2, 3]
    assert_allclose(np.cov(first, last)[0, 1], 0.25 + 0.3 * design.noises[2] ** 2, rtol=0.05)
    assert_allclose(values.mean(axis=2).var(axis=0), 0.25 + design.within, rtol=0.05)
    assert_allclose(np.mean(design.noises**2), 4.0)
    assert drawn(design, 10).rho.tolist() == [0.3] * 5


def test_each_method_has_its_own_null_hypothesis():
    """Differences of a median of 0 for the sign test, of a mean of 0 for the t test, and both as drawn elsewhere."""
    design = ManyDataSets(9, "skewed")
    assert_allclose(np.median(drawn(design, view=MEDIAN).differences), 0, atol=0.01)
    assert_allclose(drawn(design, view=MEAN).differences.mean(), 0, atol=0.01)
    moved = ManyDataSets(9, "skewed", centre="mean", difference=0.5)
    assert_allclose(moved.truth_for(MEDIAN, "difference"), 0.5 + log(2) - 1)
    assert_allclose(np.median(drawn(moved, view=MEDIAN).differences), 0.5 + log(2) - 1, atol=0.01)
    assert design.at(0.3).truth_for(CENTRE, "difference") == 0.3


def test_several_learners_are_alike_but_for_the_last():
    design = ManyDataSets(6, "normal", learners=4, spread=2.0, difference=1.5)
    table = drawn(design)
    assert_allclose(table.select("learner 1", "learner 4").differences.mean(), 1.5, atol=0.03)
    assert_allclose(table.select("learner 1", "learner 2").differences.std(), 2.0, rtol=0.02)
    assert design.truth("difference").tolist() == [0, 0, 1.5, 0, 1.5, 1.5]


def test_cells_are_missing_but_nobody_is_without_a_score():
    table = drawn(ManyDataSets(10, missing=0.4, learners=3), 5000)
    assert table.known[:, :2].all()
    assert_allclose(table.known[:, 2:].mean(), 0.6, atol=0.01)


def test_batches_and_single_tables_are_the_same_draws():
    design = ManyDataSets(4, "heavy-tailed", runs=3, noise=1.0)
    disagreement = DataSetView("mean", False, True)
    result = design.draw([MEAN, disagreement], 5, np.random.default_rng(3))
    assert_allclose([each.differences for each in result[disagreement]], result[MEAN].differences)


# --- Sizes and power, computed by others ----------------------------------------------------------------------------


def sign_rejects(wins, losses):
    return wins + losses > 0 and stats.binomtest(wins, wins + losses).pvalue < 0.05


def test_the_size_of_the_sign_test_with_ties_is_exact():
    """By scipy.stats: wins, ties and losses are multinomial (5, 6 and 5 sixteenths)."""
    result = calibrate("sign-test", ManyDataSets(12, "tied"), differences=[])
    splits = [(won, 12 - won - lost, lost) for won, lost in product(range(13), repeat=2) if won + lost <= 12]
    law = stats.multinomial(12, [5 / 16, 6 / 16, 5 / 16])
    expected = sum(law.pmf(split) for split in splits if sign_rejects(split[0], split[2]))
    assert result.trials == "exact"
    assert_allclose(result.size.value, expected, rtol=1e-9)


def pratt(differences):
    """Return Wilcoxon's two-sided p-value by all signs: zeros are ranked and then left out (Pratt 1959)."""
    ranks = stats.rankdata(np.abs(differences))[differences != 0]
    signs = np.array(list(product([0, 1], repeat=ranks.size))).reshape(2**ranks.size, ranks.size)
    every, here = signs @ ranks, ranks[differences[differences != 0] > 0].sum()
    return min(1.0, 2 * min(np.mean(every >= here - 1e-9), np.mean(every <= here + 1e-9)))


def test_the_size_of_wilcoxons_test_with_ties_is_exact():
    """By all signs of all outcomes of seven data sets."""
    steps, chance = ways(7)
    expected = sum(p for row, p in zip(steps, chance, strict=True) if pratt(row) < 0.05)
    result = calibrate("wilcoxon-signed-rank", ManyDataSets(7, "tied"), differences=[])
    assert result.trials == "exact"
    assert_allclose(result.size.value, expected, rtol=1e-9)


def test_simulated_size_and_power_against_scipy():
    """The t test: 5%, and the noncentral t; the sign test of ten untied data sets: the binomial."""
    result = calibrate(["paired-t", "sign-test"], ManyDataSets(10), differences=[0.8], trials=20_000)
    t, sign = result
    assert within_chance(t.size, 0.05)
    beyond, shift = stats.t.ppf(0.975, 9), 0.8 * np.sqrt(10)
    assert within_chance(t.power[0], stats.nct.sf(beyond, 9, shift) + stats.nct.cdf(-beyond, 9, shift))
    assert within_chance(t.coverage[0], 0.95)
    assert within_chance(sign.size, 22 / 1024)
    assert within_chance(sign.power[0], sum(stats.binom.pmf([0, 1, 9, 10], 10, stats.norm.cdf(0.8))))


def test_a_median_that_is_not_the_mean_shows_in_the_sign_test():
    """A mean of 0 of skewed differences: B wins with probability 1/e, and rejection is binomial."""
    result = calibrate("sign-test", ManyDataSets(20, "skewed", centre="mean"), differences=[], trials=10_000)
    few = [wins for wins in range(21) if sign_rejects(wins, 20 - wins)]
    assert within_chance(result.size, stats.binom.pmf(few, 20, np.exp(-1)).sum())


# --- Several learners -----------------------------------------------------------------------------------------------


def holm(pvalues):
    """Return which of six p-values Holm rejects at 0.05: from the smallest on, up to the first that is too large."""
    order = np.argsort(pvalues, axis=1)
    small = np.take_along_axis(pvalues, order, axis=1) * np.arange(6, 0, -1) < 0.05
    rejected = np.zeros_like(small)
    np.put_along_axis(rejected, order, np.logical_and.accumulate(small, axis=1), axis=1)
    return rejected


def test_pairs_are_counted_by_any_claim_after_holm():
    """Any rejection counts; those of equal models, or in favour of the worse one, are counted separately."""
    design = ManyDataSets(12, learners=4, difference=1.0)
    method = find_method("friedman", "pairs", ScoreTable)
    result = calibrate(method, design, differences=[1.0], trials=300, rng=5)
    again = np.random.default_rng(np.random.SeedSequence(5, spawn_key=(0, 1)))
    view = design.view(method)
    answer = friedman_pairs(design.draw([view], 300, again)[view])
    rejected = holm(answer.pvalue)
    assert result.power.value[0] == np.mean(rejected.any(axis=1))
    equal = np.array([not (a == 3 or b == 3) for a, b in combinations(range(4), 2)])
    wrong = rejected & (equal | (answer.statistic < 0))
    assert result.sign_errors.value[0] == np.mean(wrong.any(axis=1))
    assert result.coverage is None


def test_bonferroni_dunn_is_read_of_the_pairs_with_the_first():
    """Two learners have one pair; of four, three pairs of six are counted, so claims are fewer than Nemenyi's."""
    result = calibrate(["nemenyi", "bonferroni-dunn"], ManyDataSets(40, learners=4), differences=[], trials=4000)
    assert within_chance(result["nemenyi"].size, 0.05)
    assert 0.03 < result["bonferroni-dunn"].size.value < 0.055


def test_a_name_of_a_test_and_of_pairs_stands_for_the_test():
    result = calibrate("friedman", ManyDataSets(8, learners=3), trials=50, differences=[])
    assert result.gives == ("test",)
    assert "If all models are equally good, friedman rejects" in result.words


def test_a_test_of_two_has_no_place_among_several():
    with pytest.raises(UnknownMethod, match=r"'sign-test' compares two learners, got 3.* one of: .*friedman"):
        calibrate("sign-test", ManyDataSets(8, learners=3))
    with pytest.raises(UnknownMethod, match=r"'paired-t' compares learners. Leave out `learner`"):
        calibrate("paired-t", ManyDataSets(8), learner="A")


# --- A table that was observed ----------------------------------------------------------------------------------------

TABLE = ScoreTable.from_scores(
    {
        "old": [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.0],
        "new": [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.0],
    },
    metric="auc",
)


def test_an_observed_table_is_drawn_from_and_centred():
    design = as_design(TABLE)
    assert isinstance(design, ObservedDataSets)
    for view, middle in ((MEAN, np.mean), (MEDIAN, np.median)):
        disagreement = drawn(design, 300, view).differences
        expected = np.unique((TABLE.differences - middle(TABLE.differences)).round(9))
        assert np.isin(disagreement.round(9), expected).all()
        assert np.unique(disagreement.round(9)).size == expected.size
    assert np.mean(drawn(design, 300, MEDIAN).differences == 0) == 0  # the median lies between two of them
    shifted = drawn(design.at(design.offsets["mean"]), 300).differences
    assert_allclose(np.mean(shifted == 0), 0.2, atol=0.03)  # two ties of ten stay ties


def test_a_table_is_calibrated():
    result = calibrate(["wilcoxon-signed-rank", "paired-t"], TABLE, differences=[0.01], trials=1000)
    assert [each.size.value < 0.15 for each in result] == [True, True]
    assert result[0].coverage.value.shape == (2,)
    assert "old and new, 10 data sets resampled from those observed" in str(result)
    assert result[0].power.value > result[0].size.value
    assert result[0].as_dict()["design"]["like"] == as_design(TABLE).as_dict()["like"]


def test_several_observed_learners_share_their_scores():
    """On each data set the scores are those of an observed one, permuted between learners; gaps remain."""
    scores = [[0.9, 0.8, 0.7], [0.6, 0.6, 0.5], [0.9, np.nan, 0.8], [0.7, 0.6, 0.2]]
    table = ScoreTable.from_scores(scores)
    cells = drawn(as_design(table), 400).cells
    observed = {tuple(sorted(-np.array(row), key=lambda x: (np.isnan(x), x))) for row in scores}
    rows = np.sort(cells.reshape(-1, 3), axis=1).round(9)
    assert {tuple(np.where(np.isnan(row), 9, row)) for row in rows} == {
        tuple(np.where(np.isnan(row), 9, row)) for row in observed
    }
    assert set(np.flatnonzero(np.isnan(cells).any(axis=(0, 1)))) == {1}
    assert calibrate("skillings-mack", table, differences=[], trials=20).size is not None


def test_data_sets_without_a_score_of_both_are_left_out():
    evidence = ScoreTable.from_scores({"a": [0.1, 0.2, np.nan, 0.5], "b": [0.2, 0.1, 0.3, 0.4]})
    assert as_design(evidence).datasets == 3
    assert drawn(as_design(evidence), 10).complete


# --- What is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ManyDataSets(1), "`datasets` must be a whole number, at least 2"),
        (lambda: ManyDataSets(10, "odd"), "`kind` must be one of normal, heavy-tailed"),
        (lambda: ManyDataSets(10, rho=1.0), "`rho` must be below 1"),
        (lambda: ManyDataSets(10, centre="mode"), "`centre` must be"),
        (lambda: ManyDataSets(10, missing=1), "`missing` must be below 1"),
        (lambda: ManyDataSets(10).truth("error"), "`parameter` must be 'difference'"),
        (lambda: ObservedDataSets(TABLE.pairs()), r"`like` must be one ScoreTable.*table\[0\]"),
        (lambda: ObservedDataSets(TABLE.select("old")), "at least two learners"),
        (lambda: as_design(TABLE.only("1")), "`like` must have 2 data sets or more"),
    ],
)
def test_what_cannot_be_is_refused(make, message):
    with pytest.raises(InvalidOption, match=message):
        make()


def test_designs_describe_themselves():
    evidence = ManyDataSets(14, "one outlier", learners=5, missing=0.1, difference=0.5, runs=10, noise=1.0, rho=0.1)
    assert evidence.describe() == (
        "5 learners, 14 data sets, differences normal but for one outlier with SD 1, the last better by 0.5; 10 runs"
        " per data set with SD 1, correlation 0.1; 10% of the cells missing"
    )
    assert evidence.facts["learners"] == 5
    assert ManyDataSets(9, "one outlier").facts["outlier"] == 1
    assert ManyDataSets(14, spread=0.0, noise=1.0).facts["between"] == 0
    assert evidence.grid == (0.27, 0.55, 1.1)
    assert "ManyDataSets" in repr(evidence)
