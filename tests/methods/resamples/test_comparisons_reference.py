"""Comparisons of two learners against 50-digit arithmetic, SciPy, mlxtend and baycomp, and numbers in print."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from tellapart import compare
from tellapart.errors import InvalidOption
from tellapart.evidence import Resamples
from tellapart.methods import find_method, look_up
from tellapart.methods.pivots import Student, Undetermined
from tellapart.methods.practical import practical_probabilities
from tellapart.methods.resamples.corrected import (
    bayesian_correlated_interval,
    bayesian_correlated_t,
    corrected_repeated_kfold_t,
    corrected_resampled_t,
)
from tellapart.methods.resamples.five_by_two import five_by_two_f, five_by_two_t, single_fold_t
from tellapart.methods.resamples.heuristics import paired_cv_ss, variance_of_difference
from tellapart.methods.resamples.moments import fit_student
from tellapart.methods.resamples.seeds import better_run_interval, probability_better_run, unpaired_t, welch
from tellapart.methods.resamples.t_tests import kfold_t, paired_t, splitting_se

REFERENCES = Path(__file__).parents[2] / "references"
TARGETS = Path(__file__).parents[2] / "targets"


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def evidence(case):
    a, b = (np.array(json.loads(case[learner])) / int(case["size"]) for learner in ("a", "b"))
    return Resamples.from_scores(a, b, plan=case["plan"], metric="error")


CASES = {case["case"]: evidence(case) for case in read(REFERENCES / "learner_pairs_cases.csv")}
ROWS = read(REFERENCES / "learner_pairs.csv")


def of(source):
    rows = [row for row in ROWS if row["source"] == source]
    return pytest.mark.parametrize(
        "row", rows, ids=lambda row: f"{row['method']}-{row['case']}-{row['alpha'] or row['rope']}"
    )


# --- Against other arithmetic ---------------------------------------------------------------------


@of("mpmath")
def test_matches_fifty_digits(row):
    experiment_result = CASES[row["case"]]
    test = find_method(row["method"], "test", Resamples)(experiment_result)
    pvalue = max(float(row["pvalue"]), np.finfo(float).tiny)  # a smaller one is told as this
    assert_allclose([test.statistic, test.pvalue], [float(row["statistic"]), pvalue], rtol=1e-11)
    interval = look_up(row["method"], "interval", Resamples)
    if interval:
        limits = interval(experiment_result, alpha=float(row["alpha"]))
        expected = np.clip([float(row["low"]), float(row["high"])], -1, 1)
        assert_allclose([limits.low, limits.high], expected, rtol=1e-11)


@of("mlxtend")
def test_matches_mlxtend(row):
    test = find_method(row["method"], "test", Resamples)(CASES[row["case"]])
    # mlxtend takes the p-value from 1 − cdf.
    assert_allclose([test.statistic, test.pvalue], [float(row["statistic"]), float(row["pvalue"])], rtol=1e-9)


@of("baycomp")
def test_matches_baycomp(row):
    rope, experiment_result = float(row["rope"]), CASES[row["case"]]
    b_better, a_better = float(row["statistic"]), float(row["pvalue"])
    result = practical_probabilities(experiment_result, rope=rope)
    assert_allclose([result.b_better, result.a_better], [b_better, a_better], rtol=1e-9, atol=1e-15)
    assert_allclose(result.equivalent, 1 - b_better - a_better, atol=1e-14)
    assert_allclose(bayesian_correlated_t(experiment_result, rope=rope).statistic, b_better, rtol=1e-9)


def test_matches_scipy_on_pairs():
    experiment_result = CASES["ten folds"]
    for alternative in ("two-sided", "greater", "less"):
        expected = stats.ttest_rel(experiment_result.loss[0, 0], experiment_result.loss[1, 0], alternative=alternative)
        for fit in (kfold_t, paired_t, paired_cv_ss):
            result = fit(experiment_result).test(alternative=alternative)
            assert_allclose([result.statistic, result.pvalue], [expected.statistic, expected.pvalue], rtol=1e-11)
    limits = find_method("kfold-t", "interval", Resamples)(experiment_result, alpha=0.1)
    expected = stats.ttest_rel(experiment_result.loss[0, 0], experiment_result.loss[1, 0]).confidence_interval(0.9)
    assert_allclose([limits.low, limits.high], expected, rtol=1e-11)


SEEDS_A, SEEDS_B = [0.31, 0.28, 0.35, 0.30, 0.33, 0.29], [0.27, 0.26, 0.29, 0.22]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_matches_scipy_on_seeds(alternative):
    experiment_result = Resamples.from_scores(SEEDS_A, SEEDS_B, plan="seeds", metric="error")
    expected = stats.ttest_ind(SEEDS_A, SEEDS_B, equal_var=False, alternative=alternative)
    result = welch(experiment_result).test(alternative=alternative)
    assert_allclose([result.statistic, result.pvalue], [expected.statistic, expected.pvalue], rtol=1e-11)
    limits, wide = welch(experiment_result).interval(alpha=0.01), expected.confidence_interval(0.99)
    if alternative == "two-sided":
        assert_allclose([limits.low, limits.high], [wide.low, wide.high], rtol=1e-11)
    # As many runs of both: Student's two-sample test.
    even = Resamples.from_scores(SEEDS_A[:4], SEEDS_B, plan="seeds", metric="error")
    expected = stats.ttest_ind(SEEDS_A[:4], SEEDS_B, alternative=alternative)
    result = unpaired_t(even).test(alternative=alternative)
    assert_allclose([result.statistic, result.pvalue], [expected.statistic, expected.pvalue], rtol=1e-11)
    if alternative == "two-sided":
        limits, wide = unpaired_t(even).interval(), expected.confidence_interval(0.95)
        assert_allclose([limits.low, limits.high], [wide.low, wide.high], rtol=1e-11)


def test_share_of_runs_is_that_of_mann_and_whitney():
    experiment_result = Resamples.from_scores([*SEEDS_A, 0.29], [*SEEDS_B, 0.29], plan="seeds", metric="error")
    u = stats.mannwhitneyu([*SEEDS_A, 0.29], [*SEEDS_B, 0.29]).statistic
    assert_allclose(probability_better_run(experiment_result).statistic, u / 35, rtol=1e-14)


def test_bootstrap_of_runs_agrees_with_drawing_them_one_by_one():
    """A plain loop over bootstrap samples has the same quantiles, within its own noise."""
    experiment_result = Resamples.from_scores(SEEDS_A, SEEDS_B, plan="seeds", metric="error")
    rng = np.random.default_rng(5)
    drawn = []
    for _ in range(4000):
        a, b = rng.choice(SEEDS_A, 6), rng.choice(SEEDS_B, 4)
        drawn.append(np.mean((a[:, None] > b) + 0.5 * (a[:, None] == b)))
    limits = better_run_interval(experiment_result, resamples=4000)
    assert_allclose([limits.low, limits.high], np.quantile(drawn, [0.025, 0.975]), atol=0.03)
    assert (limits.parameter, limits.method) == ("P(B better)", "probability-better-run")
    assert better_run_interval(experiment_result, side="upper").low == 0
    assert better_run_interval(experiment_result, side="lower").high == 1


def test_few_runs_are_never_surer_than_their_exchange_allows():
    """Two runs each, fully apart: 2 of the 6 ways to deal them out look so extreme."""
    experiment_result = Resamples.from_scores([0.3, 0.4], [0.1, 0.2], plan="seeds", metric="error")
    result = probability_better_run(experiment_result)
    assert result.statistic == 1
    assert_allclose(result.pvalue, 1 / 3)
    assert_allclose(probability_better_run(experiment_result, alternative="greater").pvalue, 1 / 6)
    assert probability_better_run(experiment_result, alternative="less").pvalue == 1


# --- Against print --------------------------------------------------------------------------------


def judge(t, df):
    """Return Student's two-sided test of this t."""
    return Student(t, np.ones_like(t), df, Undetermined((-1, 1)), quick=True).test()


def test_printed_critical_values():
    """Dietterich 1998, section 3: the t points with 29, 9 and 5 degrees of freedom."""
    rows = [row for row in read(TARGETS / "s1_critical_values.csv") if row["statistic"] == "t"]
    assert len(rows) == 3
    for row in rows:
        t, freedom = float(row["computed"]), int(row["df"])
        assert_allclose(judge(t, freedom).pvalue, 0.05, rtol=1e-5)
        if row["printed"] != "not printed":
            assert_allclose(float(row["printed"]), t, rtol=1e-6)


def test_printed_quantiles_of_mitchell():
    """Mitchell 1997, table 5.6: the t values of his interval 5.17, to their three digits."""
    rows = read(TARGETS / "s2_table5_6.csv")
    ends = Resamples.from_scores([1.0, 0.0], [0.0, 1.0], plan="2-fold", metric="neg_loss", higher_is_better=True)
    for row in rows:
        freedom, alpha = float(row["df"]), 1 - float(row["confidence_pct"]) / 100
        limits = fit_student(ends, 0.0, 1.0, freedom).interval(alpha)
        assert_allclose(limits.high, float(row["t_exact"]), atol=6e-7)


def test_unpaired_decisions_of_martin_and_hirschberg():
    """Table 11, by the 19 degrees of freedom they print and by 38: the same decisions, 7 of them missed."""
    rows = read(TARGETS / "s0_table11.csv")
    values = np.array([float(row["t_unpaired_TER"]) for row in rows])
    paired = np.array([float(row["t_paired_TER_table10"]) for row in rows])
    by_print = judge(values, 19).pvalue < 0.05
    by_both = judge(values, 38).pvalue < 0.05
    np.testing.assert_array_equal(by_print, by_both)
    truly = judge(paired, 19).pvalue < 0.05
    missed = truly & ~by_print
    assert missed.sum() == 7
    np.testing.assert_array_equal(missed, [row["marked_missed"] == "1" for row in rows])


def test_both_readings_of_the_variance_of_a_difference():
    """Martin and Hirschberg 1996, section 3.4, with s1 = s3 = 1: ρ = ½ gives 1, 0.375 gives 1.25, 0.625 gives 0.75."""
    result = variance_of_difference(np.ones(3), np.ones(3), correlation=[0.5, 0.375, 0.625])
    assert_allclose(result, [1, 1.25, 0.75], rtol=1e-14)
    rng = np.random.default_rng(8)
    x, y = rng.multivariate_normal([0, 0], [[4, 1.5], [1.5, 9]], size=50).T
    expected = np.var(x - y, ddof=1)
    rho = np.corrcoef(x, y)[0, 1]
    assert_allclose(variance_of_difference(x.std(ddof=1), y.std(ddof=1), correlation=rho), expected, rtol=1e-12)
    assert variance_of_difference(2, 2, correlation=1) == 0
    for bad in ({"s1": -1, "s2": 1, "correlation": 0}, {"s1": 1, "s2": np.nan, "correlation": 0}):
        with pytest.raises(InvalidOption, match="standard deviation"):
            variance_of_difference(**bad)
    with pytest.raises(InvalidOption, match="`correlation` must be between -1 and 1"):
        variance_of_difference(1, 1, correlation=1.1)


def test_anneal_of_the_bayesian_tutorial():
    """Naive Bayes against AODE on anneal, ten times 10-fold (Benavoli, Corani, Demšar and Zaffalon 2017).

    Their notebook prints these probabilities to the last digit. They follow from the 100 differences of accuracy by
    their sum and sum of squares alone, here in hundredths of a percentage point; any differences with the same two do.
    """
    total, squares, runs = 19392, 6242062, 100
    spread = np.sqrt((squares - total**2 / runs) / (runs - 1))
    shape = np.linspace(-1, 1, runs)
    differences = (total / runs + spread * shape / shape.std(ddof=1)) / 1e4
    result = practical_probabilities(
        Resamples.from_scores(0.5 - differences, np.full(runs, 0.5), plan="10x10"), rope=0.01
    )
    assert_allclose(
        [result.b_better, result.equivalent, result.a_better],
        [0.9542966354882696, 0.04570306097263277, 3.0353909763469744e-07],
        rtol=1e-9,
    )


# --- By hand --------------------------------------------------------------------------------------


def test_one_formula_under_two_names():
    experiment_result = CASES["10x10"]
    one, two = corrected_resampled_t(experiment_result).test(), corrected_repeated_kfold_t(experiment_result).test()
    assert (one.statistic, one.pvalue) == (two.statistic, two.pvalue)
    one, two = (fit(experiment_result, ratio=0.5).test() for fit in (corrected_repeated_kfold_t, corrected_resampled_t))
    assert one.pvalue == two.pvalue
    # Without the correction it is the plain t.
    assert_allclose(
        corrected_resampled_t(experiment_result, ratio=0).test().statistic,
        kfold_t(experiment_result).test().statistic,
        rtol=1e-14,
    )


def test_bayesian_is_the_corrected_t_read_as_a_probability():
    experiment_result = CASES["ten folds"]
    for alternative in ("two-sided", "greater", "less"):
        expected = corrected_resampled_t(experiment_result).test(alternative=alternative).pvalue
        assert_allclose(bayesian_correlated_t(experiment_result, alternative=alternative).pvalue, expected, rtol=1e-13)
    limits = bayesian_correlated_interval(experiment_result).interval(alpha=0.01)
    expected = find_method("corrected-resampled-t", "interval", Resamples)(experiment_result, alpha=0.01)
    assert_allclose([limits.low, limits.high], [expected.low, expected.high], rtol=1e-14)
    assert_allclose(
        bayesian_correlated_t(experiment_result, rho=0.1).pvalue,
        bayesian_correlated_t(experiment_result).pvalue,
        rtol=1e-12,
    )


def test_rope_asks_for_more_than_a_difference():
    experiment_result = CASES["ten folds"]
    result = bayesian_correlated_t(experiment_result, rope=0.01, alternative="greater")
    assert_allclose(result.pvalue, 1 - result.statistic, rtol=1e-9)
    assert result.pvalue > bayesian_correlated_t(experiment_result, alternative="greater").pvalue
    # With a margin of that size the corrected t says the same.
    assert_allclose(
        result.pvalue, corrected_resampled_t(experiment_result).test(0.01, alternative="greater").pvalue, rtol=1e-12
    )


def test_folds_are_weighted_by_their_size():
    """Folds of 10, 20 and 30 with differences 0.1, 0.2 and 0: x = 5/60, SS² = Σm(d−x)²/(2·60)."""
    sizes = np.array([[10, 20, 30]])
    experiment_result = Resamples.from_scores(
        [0.3, 0.4, 0.2], [0.2, 0.2, 0.2], plan="3-fold", metric="error", test=sizes, train=40
    )
    x = 5 / 60
    squared = (10 * (0.1 - x) ** 2 + 20 * (0.2 - x) ** 2 + 30 * x**2) / 120
    assert_allclose(paired_cv_ss(experiment_result).test().statistic, x / np.sqrt(squared), rtol=1e-12)


def test_the_difference_on_top_may_be_chosen():
    experiment_result = CASES["5x2"]
    root = np.sqrt(sum((p - q) ** 2 / 2 for p, q in experiment_result.values) / 5)
    for replicate in range(5):
        for half in range(2):
            result = five_by_two_t(experiment_result, numerator=(replicate + 1, half + 1)).statistic
            assert_allclose(result, experiment_result.values[replicate, half] / root, rtol=1e-12)
    ten = CASES["ten folds"]
    assert_allclose(single_fold_t(ten, fold=4).statistic, ten.values[0, 3] / ten.values.std(ddof=1), rtol=1e-12)


def test_f_of_other_replicates_and_sides():
    experiment_result = CASES["3x2"]
    squares, spread = (experiment_result.values**2).sum(), sum((p - q) ** 2 / 2 for p, q in experiment_result.values)
    result = five_by_two_f(experiment_result)
    assert_allclose(result.statistic, squares / (2 * spread), rtol=1e-12)
    assert_allclose(result.pvalue, stats.f.sf(squares / (2 * spread), 6, 3), rtol=1e-11)
    assert_allclose(
        five_by_two_f(experiment_result, exact=True).pvalue, stats.f.sf(squares / spread - 1, 3, 3), rtol=1e-11
    )
    assert experiment_result.difference > 0
    assert_allclose(five_by_two_f(experiment_result, alternative="greater").pvalue, result.pvalue / 2, rtol=1e-14)
    assert_allclose(five_by_two_f(experiment_result, alternative="less").pvalue, 1 - result.pvalue / 2, rtol=1e-14)


def test_degrees_of_freedom_of_the_unpaired_test():
    more = Resamples.from_scores(SEEDS_A, SEEDS_B, plan="seeds", metric="error")  # 6 of A, 4 of B
    t = unpaired_t(more).test().statistic
    assert_allclose(unpaired_t(more).test().pvalue, 2 * stats.t.sf(abs(t), 8), rtol=1e-12)


def test_more_splittings_prove_anything_to_the_splitting_standard_error():
    """The same spread over a hundred times as many splittings: ten times the z."""
    few = CASES["four splits"]
    many = Resamples(np.tile(few.loss, (1, 100, 1)), 40, 80, few.plan)
    gain = splitting_se(many).test().statistic / splitting_se(few).test().statistic
    assert_allclose(gain, 10 * np.sqrt((399 / 400) / (3 / 4)), rtol=1e-12)


def test_two_standard_errors_of_a_cross_validated_rate():
    """Martin and Hirschberg 1996, section 3.4: SE² = e(1 − e)/N over all N examples of one cross-validation."""
    wrong_a, wrong_b, n = np.array([[12, 9, 11, 8, 10]]), np.array([[6, 7, 9, 5, 8]]), 200
    both = np.minimum(wrong_a, wrong_b)
    together = np.array([[wrong_a, both], [both, wrong_b]])
    experiment_result = Resamples(np.stack([wrong_a, wrong_b]) / 40, 40, 160, "5-fold", together=together, examples=n)
    e = (wrong_a.sum() + wrong_b.sum()) / (2 * n)
    z = (wrong_a.sum() - wrong_b.sum()) / n / np.sqrt(e * (1 - e) / n)
    result = compare(experiment_result, method="two-se")
    assert_allclose(result.statistic, z)
    assert_allclose(result.pvalue, 2 * stats.norm.sf(z))
    assert "TA010" in [check.code for check in result.checks if not check.holds]
