"""random-effects against metafor's printed example, statsmodels, SciPy and direct maximisation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import optimize, stats
from statsmodels.stats.meta_analysis import combine_effects

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import ScoreTable
from tellapart.methods.pivots import Student, Undetermined
from tellapart.methods.score_table.random_effects import combine_data_sets, random_effects

TAUS = ("reml", "dersimonian-laird", "paule-mandel")


def table_of(values, rho=0.0, **options):
    """Return the table in which the runs of A exceed those of B by these values, by data set and run."""
    values = np.asarray(values, dtype=float)
    names = tuple(map(str, range(values.shape[-2])))
    return ScoreTable(np.stack([values, 0 * values], axis=-3), names, metric="loss", rho=rho, **options)


def two_runs(means, variances):
    """Return two runs of each data set that have this mean, and a mean of this variance."""
    difference = np.sqrt(variances)
    return np.stack([means - difference, means + difference], axis=-1)


def drawn(seed, count, runs, between=0.02):
    rng = np.random.default_rng(seed)
    noise = rng.normal(0, 0.03, (count, runs)) * rng.uniform(0.3, 2, (count, 1))
    return rng.normal(0.01, between, (count, 1)) + noise


# Thirteen trials of the vaccine against tuberculosis (Colditz et al. 1994): cases and others, with and without it.
VACCINE = np.array(
    [
        *[(4, 119, 11, 128), (6, 300, 29, 274), (3, 228, 11, 209), (62, 13536, 248, 12619), (33, 5036, 47, 5761)],
        *[(180, 1361, 372, 1079), (8, 2537, 10, 619), (505, 87886, 499, 87892), (29, 7470, 45, 7232)],
        *[(17, 1699, 65, 1600), (186, 50448, 141, 27197), (5, 2493, 3, 2338), (27, 16886, 29, 17825)],
    ],
    dtype=float,
)
PRINTED = {  # by the estimator of τ²: τ² and the mean log ratio of risks, as metafor prints them (Viechtbauer 2010)
    "reml": (0.3132, -0.7145),
    "dersimonian-laird": (0.3088, -0.7141),
}


def vaccine():
    """Return the log ratio of risks of each trial as the mean of two runs, whose spread gives its variance."""
    cases, others, cases_without, others_without = VACCINE.T
    effect = np.log(cases / (cases + others)) - np.log(cases_without / (cases_without + others_without))
    variance = 1 / cases - 1 / (cases + others) + 1 / cases_without - 1 / (cases_without + others_without)
    return table_of(two_runs(effect, variance))


@pytest.mark.parametrize("tau", PRINTED)
def test_it_is_metafors_example(tau):
    result = combine_data_sets(vaccine(), tau=tau)
    assert_allclose([result.between, result.mean], PRINTED[tau], atol=6e-5)


def test_its_error_is_metafors():
    """The page of metafor prints, for test="knha": se 0.1808, t −3.9522, p 0.0019, limits −1.1084 and −0.3206."""
    result, limits = random_effects(vaccine()).test(), random_effects(vaccine()).interval()
    text = [combine_data_sets(vaccine()).error, result.statistic, result.pvalue, limits.low, limits.high]
    assert_allclose(text, [0.1808, -3.9522, 0.0019, -1.1084, -0.3206], atol=6e-5)


# statsmodels iterates for Paule and Mandel's until its equation holds to 10⁻⁵.
@pytest.mark.parametrize(
    ("tau", "named", "digits"), [("dersimonian-laird", "chi2", 1e-10), ("paule-mandel", "iterated", 1e-5)]
)
@pytest.mark.parametrize(("seed", "count", "runs"), [(1, 8, 10), (2, 20, 5), (3, 5, 3), (4, 12, 2)])
def test_it_is_statsmodels(tau, named, digits, seed, count, runs):
    values = drawn(seed, count, runs)
    variances = values.var(axis=1, ddof=1) * (1 / runs + 0.1 / 0.9)
    other = combine_effects(values.mean(axis=1), variances, method_re=named, use_t=True)
    result = combine_data_sets(table_of(values, rho=0.1), tau=tau, never_narrower=False)
    assert_allclose(result.between, other.tau2, rtol=digits)
    assert_allclose([result.mean, result.error], [other.mean_effect_re, other.sd_eff_w_re_hksj], rtol=digits)


@pytest.mark.parametrize("seed", range(6))
def test_reml_is_the_highest_point(seed):
    """The restricted likelihood, written down anew and searched by SciPy over a grid and within it."""
    values = drawn(seed, 4 + 3 * seed, 4, between=0.01 * seed)
    means, variances = values.mean(axis=1), values.var(axis=1, ddof=1) / 4

    def lack(between):
        total = variances + between
        mean = np.average(means, weights=1 / total)
        return 0.5 * (np.log(total).sum() + np.log((1 / total).sum()) + ((means - mean) ** 2 / total).sum())

    grid = np.concatenate([[0.0], np.geomspace(1e-9, 1, 400)])
    best = int(np.argmin([lack(each) for each in grid]))
    ends = grid[max(best - 1, 0)], grid[best + 1]
    near = optimize.minimize_scalar(lack, bounds=ends, method="bounded", options={"xatol": 1e-13})
    result = combine_data_sets(table_of(values)).between
    assert lack(result) <= min(near.fun, lack(0.0)) + 1e-10
    assert_allclose(result, near.x if near.fun < lack(0.0) else 0.0, rtol=1e-4, atol=1e-9)


@pytest.mark.parametrize("tau", TAUS)
def test_data_sets_that_are_known_equally_well_are_a_t_test(tau):
    """With equal variances all weigh alike, and Hartung and Knapp's error is Student's (SciPy's one-sample test)."""
    means = np.random.default_rng(2).normal(0.02, 0.05, 9)
    table = table_of(two_runs(means, np.full(9, 0.001)))
    for alternative in ("two-sided", "greater", "less"):
        other = stats.ttest_1samp(means, 0.01, alternative=alternative)
        mean, error, freedom, *_ = combine_data_sets(table, tau=tau, never_narrower=False)
        result = Student(mean, error, freedom, Undetermined((-1, 1)), quick=True).test(0.01, alternative)
        assert_allclose([result.statistic, result.pvalue], [other.statistic, other.pvalue], rtol=1e-9)


def test_it_is_never_narrower_than_known_variances_would_make_it():
    table = table_of(two_runs(np.array([0.1, 0.1001, 0.0999, 0.1]), np.array([1.0, 2.0, 3.0, 4.0]) * 1e-4))
    plain, wide = combine_data_sets(table, never_narrower=False), combine_data_sets(table)
    assert plain.error < wide.error
    assert_allclose(wide.error, 1 / np.sqrt(sum(1e4 / np.arange(1, 5))), rtol=1e-12)
    assert_allclose(wide.shares, (1 / np.arange(1, 5)) / sum(1 / np.arange(1, 5)))


@given(st.integers(0, 1000), st.sampled_from([0.01, 0.05, 0.3]))
def test_the_interval_is_what_the_test_leaves_standing(seed, alpha):
    table = table_of(drawn(seed, 6, 3), rho=0.2)
    limits = random_effects(table).interval(alpha=alpha)
    for end in (limits.low, limits.high):
        assert_allclose(random_effects(table).test(float(end)).pvalue, alpha, rtol=1e-6)
    wider = random_effects(table).interval(alpha=alpha / 2)
    assert wider.low < limits.low < limits.high < wider.high
    upper = random_effects(table).interval(alpha=alpha, side="upper")
    assert_allclose(random_effects(table).test(float(upper.high), "less").pvalue, alpha, rtol=1e-6)


@given(st.integers(0, 1000), st.sampled_from(TAUS))
def test_renaming_and_the_unit_change_nothing_else(seed, tau):
    values = drawn(seed, 7, 4)
    here, there, large = (random_effects(table_of(each), tau=tau).test() for each in (values, -values, 1e150 * values))
    assert_allclose([there.pvalue, -there.statistic, -there.estimate], [here.pvalue, here.statistic, here.estimate])
    assert_allclose([large.pvalue, large.statistic], [here.pvalue, here.statistic], rtol=1e-6)
    assert 0 < here.pvalue <= 1


@pytest.mark.parametrize("tau", TAUS)
def test_a_batch_is_a_loop(tau):
    values = np.stack([drawn(seed, 8, 5) for seed in range(6)])
    values[1, 2:] = np.nan
    values[2, :, 1:] = values[2, :, :1]
    values[3, 0] = 0.5
    values[4] = 0.25
    values[5, 1:] = np.nan
    table = table_of(values, rho=0.1)
    many, limits = random_effects(table, tau=tau).test(), random_effects(table, tau=tau).interval()
    for index in range(6):
        one, ends = random_effects(table[index], tau=tau).test(), random_effects(table[index], tau=tau).interval()
        text = [one.statistic, one.pvalue, one.estimate, ends.low, ends.high]
        among = [each[index] for each in (many.statistic, many.pvalue, many.estimate, limits.low, limits.high)]
        assert_allclose(among, text, rtol=1e-9)


def test_missing_runs_are_left_out():
    values = drawn(5, 6, 4)
    holed = np.concatenate([values, np.full((1, 4), np.nan)])
    holed = np.concatenate([holed, np.full((7, 2), np.nan)], axis=1)
    here, there = random_effects(table_of(holed)).test(), random_effects(table_of(values)).test()
    assert_allclose([here.pvalue, here.estimate], [there.pvalue, there.estimate], rtol=1e-12)


def test_a_data_set_without_spread_takes_that_of_the_others():
    """Its variance is the pooled one of the others: the mean of theirs, for as many runs."""
    values = drawn(6, 5, 4)
    values[0] = values[0, 0]
    pooled = values[1:].var(axis=1, ddof=1).mean()
    variances = np.append(pooled, values[1:].var(axis=1, ddof=1)) / 4
    other = combine_effects(values.mean(axis=1), variances, method_re="chi2", use_t=True)
    result = combine_data_sets(table_of(values), tau="dersimonian-laird", never_narrower=False)
    assert_allclose([result.mean, result.error], [other.mean_effect_re, other.sd_eff_w_re_hksj], rtol=1e-9)


@pytest.mark.parametrize("tau", TAUS)
def test_without_any_spread_of_runs_all_weigh_alike(tau):
    means = np.array([0.1, 0.3, 0.2, 0.05])
    result = random_effects(table_of(np.repeat(means[:, None], 3, axis=1)), tau=tau).test()
    assert_allclose(result.pvalue, stats.ttest_1samp(means, 0).pvalue, rtol=1e-9)


@pytest.mark.parametrize("values", [[[0.1, 0.1]] * 4, [[0.3 - 0.2, 0.1]] * 4, [[0.1, 0.2, 0.4]], [[0.0, 0.0]] * 3])
def test_nothing_to_judge_by_is_p_1_and_everything(values):
    table = table_of(values)
    limits = random_effects(table).interval()
    assert random_effects(table).test().pvalue == 1
    assert (limits.low, limits.high) == (-np.inf, np.inf)


def test_data_sets_that_agree_are_judged_by_their_runs():
    mean, error, freedom, *_ = combine_data_sets(table_of([[0.1, 0.3], [0.3, 0.1], [0.2, 0.2]]), never_narrower=False)
    result = Student(mean, error, freedom, Undetermined((-1, 1)), quick=True).test()
    assert 0 < result.pvalue < 1
    assert np.isfinite(result.statistic)


def test_one_run_each_is_refused():
    with pytest.raises(InvalidEvidence, match="2 runs or more"):
        random_effects(table_of([[0.1], [0.2]])).test()


def test_how_runs_go_together_has_to_be_known():
    values = drawn(1, 4, 3)
    with pytest.raises(InvalidOption, match=r"rho=0\.1 for 10-fold"):
        random_effects(table_of(values, rho=None)).test()
    text, known = (
        random_effects(table_of(values, rho=None), rho=0.3).test(),
        random_effects(table_of(values, rho=0.3)).test(),
    )
    assert_allclose([text.pvalue, text.estimate], [known.pvalue, known.estimate], rtol=1e-12)


def test_bad_options_are_named():
    with pytest.raises(InvalidOption, match="`tau` must be one of 'reml'"):
        random_effects(table_of(drawn(1, 4, 3)), tau="hedges").test()
    with pytest.raises(InvalidEvidence, match="compares two learners"):
        random_effects(ScoreTable.from_scores(np.zeros((2, 3, 2)), rho=0.0)).test()


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_squares_of_the_tiny_and_the_huge_neither_vanish_nor_overflow(size):
    values = drawn(3, 6, 4)
    here, there = (random_effects(table_of(factor * values, rho=0.2)).test() for factor in (1.0, size))
    assert_allclose([there.pvalue, there.estimate / size], [here.pvalue, here.estimate], rtol=1e-9)


def test_learners_that_share_no_data_set_sink_nobody_else():
    """A and B never met: their difference is not known, and everything is left open; the other pairs are as ever."""
    scores = np.random.default_rng(0).random((8, 3, 4))
    scores[:4, 0] = scores[4:, 1] = np.nan
    pairs = ScoreTable.from_scores(scores, rho=0.2).pairs()
    result, limits = random_effects(pairs).test(), random_effects(pairs).interval()
    assert np.isnan([result.estimate[0], result.statistic[0]]).all()
    assert (result.pvalue[0], limits.low[0], limits.high[0]) == (1, -np.inf, np.inf)
    assert_allclose(result.pvalue[1:], [random_effects(each).test().pvalue for each in pairs[1:]], rtol=1e-12)
    assert_allclose(limits.low[1:], [random_effects(each).interval().low for each in pairs[1:]], rtol=1e-12)
