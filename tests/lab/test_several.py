"""Several models, strata, pools and priors, against closed forms, SciPy and brute force."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import ErrorCount, ErrorPatterns, StratifiedCount
from tellapart.lab import OneRate, PairedOutcomes, Pool, SeveralModels, Strata, average_coverage, calibrate
from tellapart.methods import find_method
from tellapart.methods.error_patterns.cochran import cochran_q
from tellapart.methods.stratified_count.wilson_and_normal import stratified_wilson

# --- Several models ---------------------------------------------------------------------------------


@pytest.mark.parametrize("difference", [0.0, 0.12, -0.05])
def test_patterns_have_the_errors_and_the_correlation_that_were_requested(difference):
    design = SeveralModels(0.2, 4, 100, 0.3).at(difference)
    shares = design.patterns
    assert_allclose(shares.sum(), 1)
    wrong = (np.arange(16)[:, None] >> np.arange(4)) & 1
    assert_allclose(shares @ wrong, design.errors)
    assert_allclose(design.errors, [0.2, 0.2, 0.2, 0.2 - difference])
    together = shares @ (wrong[:, 0] & wrong[:, 1])
    assert_allclose((together - 0.04) / 0.16, 0.3)


def test_two_models_are_a_paired_design():
    """Q of two models is McNemar's statistic, so its size by simulation is that of the exact paired design."""
    design = SeveralModels(0.2, 2, 60, 0.5)
    paired = PairedOutcomes.from_correlation(0.2, 0.2, 0.5, 60)
    assert_allclose(1 - design.patterns[[0, 3]].sum(), paired.disagreement)
    exact = calibrate("mcnemar", paired, differences=[])
    drawn = calibrate("cochran-q", design, differences=[], trials=20_000)
    true = float(exact.size.value)
    assert abs(drawn.size.value - true) < 4 * np.sqrt(true * (1 - true) / 20_000)


def test_size_of_cochran_q_is_that_of_all_outcomes_by_hand():
    """Three models, five examples: every one of 8^5 outcomes, by brute force."""
    design = SeveralModels(0.3, 3, 5, 0.2)
    counts, chances = {}, design.patterns
    for outcome in product(range(8), repeat=5):
        key = tuple(np.bincount(outcome, minlength=8).tolist())
        counts[key] = counts.get(key, 0.0) + float(np.prod(chances[list(outcome)]))
    wrong = ((np.arange(8)[:, None] >> np.arange(3)) & 1).astype(bool)
    pvalue = cochran_q(ErrorPatterns(["a", "b", "c"], wrong, list(counts))).pvalue
    true = float(np.array(list(counts.values())) @ (pvalue < 0.2))
    drawn = calibrate("cochran-q", design, alpha=0.2, differences=[], trials=20_000)
    assert abs(drawn.size.value - true) < 4 * np.sqrt(true * (1 - true) / 20_000)


def test_max_t_keeps_the_chance_of_any_false_claim_and_covers_all_pairs():
    result = calibrate("max-t", SeveralModels(0.2, 4, 100, 0.3), trials=600, differences=[0.15], resamples=399)
    low, high = 0.05 - 4 * np.sqrt(0.05 * 0.95 / 600), 0.05 + 4 * np.sqrt(0.05 * 0.95 / 600)
    assert low < result.size.value < high
    assert np.all(np.abs(result.coverage.value - 0.95) < 0.04)
    # Claims about the pairs that are equally good are false, and no more frequent; those about the others are not.
    assert result.power.value[0] > 0.6
    assert result.sign_errors.value[0] < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 600)


def test_what_is_true_is_reported_pair_by_pair():
    design = SeveralModels(0.2, 3, 100).at(0.05)
    assert_allclose(design.truth("difference"), [0, 0.05, 0.05])
    assert design.truth("error") == 0.2
    assert "the last lower by 5 pp" in design.describe()
    # Uncorrelated and equal: all right or all wrong on 0.8³ + 0.2³ of the examples.
    assert_allclose(SeveralModels(0.2, 3, 100).facts["outcomes"], 300 * (1 - 0.512 - 0.008))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.2, 1, 100), "`models` must be a whole number, at least 2"),
        ((0.2, 20, 100), "`models` must be 2 to 12"),
        ((1.2, 3, 100), "`error` must be a rate"),
        ((0.2, 3, 100, 0.0, 0.3), "`difference` must be at most `error`"),
    ],
)
def test_models_that_cannot_be_are_refused(arguments, message):
    with pytest.raises(InvalidOption, match=message):
        SeveralModels(*arguments)


# --- Strata -----------------------------------------------------------------------------------------


def test_coverage_in_strata_is_the_sum_over_all_outcomes():
    """By SciPy's binomial and a loop."""
    design = Strata((0.1, 0.4), (0.7, 0.3), (12, 8))
    covered = 0.0
    for a, b in product(range(13), range(9)):
        limits = stratified_wilson(StratifiedCount([a, b], [12, 8], [0.7, 0.3]))
        evidence = limits.low <= 0.19 <= limits.high
        covered += evidence * stats.binom.pmf(a, 12, 0.1) * stats.binom.pmf(b, 8, 0.4)
    result = calibrate("stratified-wilson", design)
    assert result.trials == "exact"
    assert_allclose(result.coverage.value[0], covered, atol=1e-12)
    drawn = calibrate("stratified-wilson", design, trials=20_000)
    assert abs(drawn.coverage.value[0] - covered) < 4 * np.sqrt(covered * (1 - covered) / 20_000)


def test_one_stratum_is_one_rate():
    one = calibrate("wilson", OneRate(0.1, 50), differences=[])
    assert_allclose(
        calibrate("stratified-wilson", Strata((0.1,), (1.0,), (50,))).coverage.value, one.coverage.value, atol=1e-12
    )


def test_strata_move_together_or_not_at_all():
    design = Strata((0.1, 0.4), (0.7, 0.3), (12, 8))
    assert_allclose(design.at(0.1).truth("error"), 0.29)
    assert design.facts == {"strata": 2, "examples": 8}
    assert "error rate 10%, weight 0.7, 12 examples" in design.describe()
    assert Strata((0.1,) * 9, (1 / 9,) * 9, (100,) * 9).outcomes("", []) == 0
    with pytest.raises(InvalidOption, match=r"`difference` must be between -0\.1 and 0\.6"):
        design.at(0.7)
    with pytest.raises(InvalidEvidence, match="add up to 1"):
        Strata((0.1, 0.4), (0.7, 0.2), (12, 8))
    with pytest.raises(InvalidOption, match="one entry for each stratum"):
        Strata((0.1, 0.4, 0.2), (0.7, 0.3), (12, 8))
    with pytest.raises(InvalidOption, match="`parameter` must be 'error'"):
        design.truth("difference")


# --- A pool -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wrong", "pool", "examples"), [(20, 400, 120), (0, 30, 10), (30, 30, 10), (5, 12, 12)])
def test_errors_among_those_tested_are_hypergeometric(wrong, pool, examples):
    design = Pool(wrong, pool, examples)
    listed = design.everything("", [design])
    assert_allclose(
        listed.probability[:, 0], stats.hypergeom.pmf(np.arange(examples + 1), pool, wrong, examples), atol=1e-13
    )
    drawn = design.draw([""], 20_000, np.random.default_rng(1))[""]
    mean = examples * wrong / pool
    variance = mean * (1 - wrong / pool) * (pool - examples) / (pool - 1)
    assert abs(drawn.errors.mean() - mean) <= 4 * np.sqrt(variance / 20_000)


def test_limits_for_a_pool_keep_their_level_in_every_pool():
    for wrong in range(5, 40, 5):
        result = calibrate("hypergeometric", Pool(wrong, 40, 15))
        assert result.coverage.value[0] >= 0.95
        assert result.size.value <= 0.05
    # A pool without end is a binomial sample.
    endless = calibrate("clopper-pearson", Pool(10**6, 10**7, 50)).coverage.value
    assert_allclose(endless, calibrate("clopper-pearson", OneRate(0.1, 50), differences=[]).coverage.value, atol=1e-5)


def test_power_in_a_pool_is_at_whole_examples():
    design = Pool(20, 400, 120)
    assert design.at(0.05).wrong == 40
    result = calibrate("hypergeometric", design, differences=[0.05])
    assert result.power.value[0] > 10 * result.size.value
    with pytest.raises(InvalidOption, match="must be a whole number of the pool's"):
        design.at(0.001)
    with pytest.raises(InvalidOption, match="`wrong` must be at most the pool's 10"):
        Pool(20, 10, 5)
    assert "20 errors in a pool of 400 examples, 120 tested" in design.describe()
    assert design.facts["tested"] == 0.3


# --- A prior ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("prior", [(1, 3.67), (0.5, 0.5), (0.74, 1.44)])
@pytest.mark.parametrize("examples", [1, 10, 200])
def test_quantiles_of_the_posterior_hold_the_truth_as_often_as_they_say(prior, examples):
    """Bayes' theorem: under the prior itself the average coverage is the level, exactly."""
    assert_allclose(average_coverage("beta", prior, examples, raw=True), 0.95, atol=1e-10)
    assert_allclose(average_coverage("posterior", prior, examples, level=0.8, raw=True), 0.8, atol=1e-7)


def test_average_coverage_is_the_integral_of_the_exact_coverage():
    """Gauss and Legendre's quadrature of the prior's density times the probability of each count."""
    limits = find_method("wilson", "interval", ErrorCount)(ErrorCount(np.arange(13), 12), alpha=0.1)
    nodes, weights = np.polynomial.legendre.leggauss(60)
    half = (limits.high - limits.low)[:, None] / 2
    errors = limits.low[:, None] + half * (nodes + 1)
    density = stats.binom.pmf(np.arange(13)[:, None], 12, errors) * stats.beta.pdf(errors, 1, 3.67)
    expected = (density * weights * half).sum()
    assert_allclose(average_coverage("wilson", "error-rates", 12, alpha=0.1), expected, atol=1e-10)


def test_a_prior_without_closed_form_is_refused():
    with pytest.raises(InvalidOption, match="must be a Beta"):
        average_coverage("wilson", lambda error: 2.0 * (error < 0.5), 20)
    with pytest.raises(InvalidOption, match="must be an interval, got 'jeffreys', a test"):
        average_coverage(find_method("jeffreys", "test", ErrorCount), (1, 1), 20)


# --- Careless calls ---------------------------------------------------------------------------------------------------


def test_a_pool_without_errors_has_intervals_and_no_test():
    for wrong in (0, 400):
        for each in calibrate(None, Pool(wrong, 400, 120)):
            assert each.size is None
            assert_allclose(each.coverage.value, 1.0)


def test_one_sided_limits_of_strata():
    """By the sum over all outcomes of both strata."""
    design = Strata((0.1, 0.3), (0.9, 0.1), (12, 9))
    result = calibrate("stratified-wilson", design, alternative="less")
    errors = np.array(list(product(range(13), range(10))))
    chance = stats.binom.pmf(errors[:, 0], 12, 0.1) * stats.binom.pmf(errors[:, 1], 9, 0.3)
    limits = stratified_wilson(
        StratifiedCount(errors, np.broadcast_to((12, 9), errors.shape), (0.9, 0.1)), side="upper"
    )
    assert result.side == "upper"
    assert_allclose(result.coverage.value, chance[limits.high >= 0.12 - 1e-12].sum())


@pytest.mark.parametrize("wrong", ["0.1", None, True, float("nan"), [0.1]])
def test_a_difference_is_one_number(wrong):
    with pytest.raises(InvalidOption, match="`difference` must be a number"):
        SeveralModels(0.2, 3, 50).at(wrong)
