"""Comparisons that look into the test sets, against a second reading of the same predictions example by example."""

import csv
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tellapart import PairedTable
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import Resamples
from tellapart.evidence.plan import Plan
from tellapart.methods import find_method
from tellapart.methods.assumptions import Context
from tellapart.methods.paired_table.closed_form import yang_paired
from tellapart.methods.paired_table.mcnemar import mcnemar_mid_p
from tellapart.methods.paired_table.tango_score import tango
from tellapart.methods.practical import practical_probabilities
from tellapart.methods.resamples.choices import holdout_choice, mean_error_choice, vote
from tellapart.methods.resamples.instability import Instability, instability
from tellapart.methods.resamples.pooled import cv_wald, mcnemar_on_cv, mcnemar_on_cv_interval, mean_se_w, pooled_table

TARGETS = Path(__file__).parents[2] / "targets"


def held_of(plan, losses, learners=("A", "B"), metric="error"):
    """Return evidence from losses by learner, replicate and fold: lists of test sets of any size."""
    grid = [[[np.asarray(fold, dtype=float) for fold in replicate] for replicate in learner] for learner in losses]
    loss = [[[fold.mean() for fold in replicate] for replicate in learner] for learner in grid]
    together = [
        [[[f @ g for f, g in zip(r, s, strict=True)] for r, s in zip(one, two, strict=True)] for two in grid]
        for one in grid
    ]
    test = np.array([[fold.size for fold in replicate] for replicate in grid[0]])
    whole = int(test.sum(axis=-1).max())
    return Resamples(
        loss, test, np.maximum(whole - test, 1), Plan.parse(plan), learners, metric, np.array(together), examples=whole
    )


def folds_of(rng, sizes, replicates=1, binary=True):
    """Draw losses of two learners, by replicate and fold."""
    draw = (lambda n: (rng.random(n) < 0.3).astype(float)) if binary else (lambda n: rng.gamma(2, 1, n))
    return [[[draw(size) for size in sizes] for _ in range(replicates)] for _ in range(2)]


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("replicates", [1, 3])
def test_cv_wald_is_the_normal_interval_of_all_examples(binary, replicates):
    """Bayle et al.: n losses around their mean (over n), or around each fold's (over its size less one)."""
    rng = np.random.default_rng(replicates)
    sizes = [30, 30, 30, 30]
    losses = folds_of(rng, sizes, replicates, binary)
    plan = "4-fold" if replicates == 1 else "3x4"
    resampled = held_of(plan, losses, metric="error" if binary else "log_loss")
    means, everywhere, inside = [], [], []
    for replicate in range(replicates):
        difference = [a - b for a, b in zip(losses[0][replicate], losses[1][replicate], strict=True)]
        pooled = np.concatenate(difference)
        means.append(pooled.mean())
        everywhere.append(pooled.var() / pooled.size)
        inside.append(np.mean([fold.var(ddof=1) for fold in difference]) / pooled.size)
    for variance, each in (("all-pairs", everywhere), ("within-fold", inside)):
        error = np.sqrt(np.mean(each))
        assert_allclose(cv_wald(resampled, variance=variance).test().statistic, np.mean(means) / error, rtol=1e-10)
        limits = cv_wald(resampled, variance=variance).interval()
        reach = 1.959963984540054 * error
        assert_allclose([limits.low, limits.high], [np.mean(means) - reach, np.mean(means) + reach], rtol=1e-10)


def test_cv_wald_of_one_learner_and_unequal_folds():
    rng = np.random.default_rng(2)
    losses = folds_of(rng, [20, 31, 40])
    resampled = held_of("3-fold", losses)
    one = resampled.select("B")
    pooled = np.concatenate(losses[1][0])
    limits = cv_wald(one).interval(alpha=0.1)
    reach = 1.6448536269514722 * pooled.std() / np.sqrt(pooled.size)
    assert_allclose([limits.low, limits.high], [pooled.mean() - reach, pooled.mean() + reach], rtol=1e-10)
    assert limits.parameter == "error"


def test_cv_wald_takes_leave_one_out_but_not_within_folds_of_one():
    rng = np.random.default_rng(3)
    losses = folds_of(rng, [1] * 50)
    resampled = held_of("50-fold", losses)
    difference = np.concatenate(losses[0][0]) - np.concatenate(losses[1][0])
    assert_allclose(cv_wald(resampled).test().statistic, difference.mean() / difference.std() * np.sqrt(50), rtol=1e-10)
    with pytest.raises(InvalidOption, match="2 examples or more in every fold"):
        cv_wald(resampled, variance="within-fold").test()


def test_mean_se_w_averages_the_standard_errors_of_the_splittings():
    """Yang 2006, sections 3.1 and 3.3: W̿ over the mean of sd_W/√n2, where sd_W divides by n2 − 1."""
    rng = np.random.default_rng(4)
    losses = [[[(rng.random(50) < chance).astype(float)] for _ in range(20)] for chance in (0.2, 0.35)]
    resampled = held_of("20x(2/3)", losses)
    difference = [a[0] - b[0] for a, b in zip(*losses, strict=True)]
    mean = np.mean([w.mean() for w in difference])
    error = np.mean([w.std(ddof=1) / np.sqrt(50) for w in difference])
    assert_allclose(mean_se_w(resampled).test().statistic, mean / error, rtol=1e-12)
    limits = mean_se_w(resampled).interval()
    assert_allclose([limits.low, limits.high], [mean - 1.959963984540054 * error, mean + 1.959963984540054 * error])


def test_one_splitting_is_the_paired_interval_of_its_test_set():
    resampled = held_of("holdout", [[[[1] * 12 + [0] * 48]], [[[1] * 6 + [0] * 6 + [1] * 14 + [0] * 34]]])
    table = PairedTable(both_wrong=6, only_a_wrong=6, only_b_wrong=14, both_right=34)
    limits, expected = mean_se_w(resampled).interval(), yang_paired(table)
    assert_allclose([limits.low, limits.high], [expected.low, expected.high], rtol=1e-12)


def test_mcnemar_counts_every_example_once():
    rng = np.random.default_rng(5)
    losses = folds_of(rng, [20, 20, 21])
    resampled = held_of("3-fold", losses)
    a, b = (np.concatenate(learner[0]).astype(bool) for learner in losses)
    table = PairedTable((a & b).sum(), (a & ~b).sum(), (~a & b).sum(), (~a & ~b).sum())
    result = pooled_table(resampled)
    for cell in ("both_wrong", "only_a_wrong", "only_b_wrong", "both_right"):
        assert getattr(result, cell) == getattr(table, cell)
    assert mcnemar_on_cv(resampled, alternative="less").pvalue == mcnemar_mid_p(table, alternative="less").pvalue
    limits, expected = mcnemar_on_cv_interval(resampled).interval(alpha=0.1), tango(table).interval(alpha=0.1)
    assert (limits.low, limits.high, limits.method) == (expected.low, expected.high, "mcnemar-on-cv")


def test_what_cannot_be_pooled_is_refused_with_a_remedy():
    rng = np.random.default_rng(6)
    again = held_of("2x3", folds_of(rng, [20, 20, 20], replicates=2))
    with pytest.raises(InvalidEvidence, match=r"'mcnemar-on-cv' needs one cross-validation or one split.*'2x3'"):
        mcnemar_on_cv(again)
    losses = held_of("3-fold", folds_of(rng, [20, 20, 20], binary=False), metric="log_loss")
    with pytest.raises(InvalidEvidence, match="the errors of one seed, got metric 'log-loss'"):
        mcnemar_on_cv_interval(losses)
    scores = Resamples.from_scores([0.9, 0.8], [0.8, 0.8], plan="2-fold")
    for test in (cv_wald, mean_se_w, mcnemar_on_cv):
        with pytest.raises(InvalidEvidence, match="race"):
            test(scores)
    shares = Resamples([[[0.1, 0.2]], [[0.2, 0.2]]], 0.5, 0.5, Plan.parse("2-fold"), together=np.ones((2, 2, 1, 2)))
    with pytest.raises(InvalidEvidence, match="sizes of the test sets must be numbers of examples"):
        mean_se_w(shares).test()
    splits = held_of("2x(2/3)", folds_of(rng, [20], replicates=2))
    with pytest.raises(InvalidEvidence, match=r"'cv-wald' needs k-fold cross-validation.*'mean-se-w'"):
        cv_wald(splits).test()


def test_a_constant_difference_of_real_losses_has_no_spread():
    """B's loss is A's less 0.1 on every example: what sums of squares leave of that is rounding."""
    rng = np.random.default_rng(7)
    a = [[rng.gamma(2, 3, 40) for _ in range(5)]]
    resampled = held_of("5-fold", [a, [[fold - 0.1 for fold in a[0]]]], metric="log_loss")
    for fit in (cv_wald, mean_se_w):
        assert fit(resampled).test().pvalue == 1
    limits = cv_wald(resampled).interval()
    assert (limits.low, limits.high) == (-np.inf, np.inf)


def test_folds_that_differ_a_little_are_not_rounding():
    """Constant inside a fold, 10⁻⁸ apart between folds: a small spread, but one."""
    steps = np.array([1.0, 2.0, 3.0, 5.0]) * 1e-8
    resampled = held_of("4-fold", [[[np.full(30, 1 + step) for step in steps]], [[np.ones(30)] * 4]], metric="log_loss")
    assert_allclose(cv_wald(resampled).test().statistic, steps.mean() / steps.std() * np.sqrt(120), rtol=1e-6)
    assumption = find_method("cv-wald", "test", Resamples).assumes[0]
    assert assumption.code == "TA418"
    assert assumption.check(resampled, Context(interval=cv_wald(resampled).interval())).holds
    within, everywhere = cv_wald(resampled, variance="within-fold").test(), cv_wald(resampled).test()
    assert within.pvalue == everywhere.pvalue  # not an interval of no width
    # Inside the test sets there is none, and that is all that mean-se-w looks at.
    assert mean_se_w(resampled).test().pvalue == 1
    assumption = find_method("mean-se-w", "test", Resamples).assumes[0]
    assert assumption.code == "TA440"
    assert not assumption.check(resampled, Context(interval=cv_wald(resampled).interval())).holds


# --- Rules that only choose -----------------------------------------------------------------------


def of_scores(a, b, plan):
    return Resamples.from_scores(a, b, plan=plan, metric="error")


def test_votes_are_counted_with_ties_half():
    resampled = of_scores([0.1, 0.2, 0.3, 0.2, 0.3 - 0.1], [0.2, 0.2, 0.2, 0.1, 0.2], "5x(2/3)")
    result = vote(resampled)  # A wins one, B two; two ties, one of them by rounding
    assert (result.statistic, result.chooses, result.rejects) == (0.4, 1, True)
    assert np.isnan(result.pvalue)
    assert vote(resampled, alternative="less").chooses == 0
    even = of_scores([0.1, 0.3], [0.2, 0.2], "2x(2/3)")
    assert (vote(even).chooses, vote(even).rejects) == (0, False)
    assert vote(even, ties="first").chooses == -1
    first = vote(resampled, ties="first")  # both ties vote for A, which makes three of five (Yang 2006, section 2.2)
    assert (first.statistic, first.chooses) == (0.6, -1)
    with pytest.raises(InvalidOption, match="`ties` must be one of"):
        vote(even, ties="second")


def test_votes_and_mean_errors_may_disagree():
    """B is a little better twice, A much better once."""
    resampled = of_scores([0.20, 0.20, 0.10], [0.19, 0.19, 0.30], "3x(2/3)")
    assert vote(resampled).chooses == 1
    result = mean_error_choice(resampled)
    assert result.chooses == -1
    assert_allclose(result.statistic, 0.5 / 3 - 0.68 / 3)


def test_ties_of_the_mean_error_go_to_the_first():
    """Yang 2006, section 2.4: the first is declared winner if it performs no worse on average."""
    resampled = of_scores([0.1, 0.3], [0.3, 0.1], "2x(2/3)")
    assert mean_error_choice(resampled).chooses == -1
    assert mean_error_choice(resampled, ties="none").chooses == 0
    assert mean_error_choice(resampled, alternative="greater").chooses == 0


def test_a_holdout_is_one_split():
    assert holdout_choice(of_scores([0.1], [0.2], "holdout")).chooses == -1
    with pytest.raises(InvalidEvidence, match=r"'holdout-choice' needs one split.*'vote'"):
        holdout_choice(of_scores([0.1, 0.2], [0.2, 0.1], "2x(2/3)"))


# --- Instability ----------------------------------------------------------------------------------


def test_yangs_table_is_flat():
    """Table 5: λ = 83.4, 82.6, 81.6, 80.0, 82.4, 92.2 % of 500 splittings, "little sequential instability"."""
    with (TARGETS / "s3_table5.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    chosen = np.array([round(5 * float(row["lambda_printed_pct"])) for row in rows])
    strict = np.minimum([round(5 * float(row["lambda_computed_strict_pct"])) for row in rows], chosen)
    sizes = np.array([float(row["n1"]) for row in rows])
    result = Instability(learners=("LDA", "SVM"), train=sizes, wins=strict, ties=chosen - strict, losses=500 - chosen)
    assert_allclose(result.share, [float(row["lambda_printed_pct"]) / 100 for row in rows])
    assert result.flat
    assert "83.4%" in str(result)
    assert result.verdict == "The choice between LDA and SVM hardly depends on the training set size"


def test_instability_by_size():
    small = of_scores([0.1, 0.2, 0.2, 0.3], [0.2, 0.2, 0.1, 0.4], "4x(1/2)")
    large = of_scores([0.3, 0.2, 0.3, 0.3], [0.2, 0.2, 0.1, 0.4], "4x(3/4)")
    other = of_scores([0.3, 0.2], [0.2, 0.2], "2-fold")
    both = Resamples(large.loss, large.test, large.train, large.plan, parts={"4x(1/2)": small, "2-fold": other})
    result = instability(both)
    assert_allclose(result.train, [0.5, 0.75])
    assert_array_equal(result.wins, [2, 1])
    assert_array_equal(result.ties, [1, 1])
    assert_array_equal(result.losses, [1, 2])
    assert_allclose(result.share, [0.75, 0.5])
    assert_allclose(result.strict, [0.5, 0.25])
    assert not result.flat
    assert instability(both, tolerance=0.25).flat
    crossing = Instability(
        learners=("A", "B"),
        train=np.array([50, 80]),
        wins=np.array([45, 55]),
        ties=np.zeros(2, int),
        losses=np.array([55, 45]),
    )
    assert not crossing.flat  # a small step, but the choice is another
    assert "The choice between A and B depends on the training set size" in str(result)
    assert result.as_dict()["flat"] == np.False_
    assert '"share"' in result.to_json()


def test_instability_of_many_pairs():
    rng = np.random.default_rng(1)
    losses = rng.integers(0, 5, size=(3, 2, 10, 1)) / 10
    resampled = Resamples(losses, 20, 80, Plan.parse("10x(4/5)"))
    result = instability(resampled)
    assert result.shape == (3,)
    assert_array_equal(result[1].wins, instability(resampled[1]).wins)
    assert str(result) == "No dependence on the training set size in 0 of 3"


def test_instability_needs_random_splits():
    with pytest.raises(InvalidEvidence, match=r"random splits, got plan '2-fold'.*200x"):
        instability(of_scores([0.1, 0.2], [0.2, 0.2], "2-fold"))
    with pytest.raises(InvalidOption, match="`tolerance` must be a share"):
        instability(of_scores([0.1, 0.2], [0.2, 0.2], "2x(1/2)"), tolerance=2)


# --- Practical equivalence ------------------------------------------------------------------------


def test_probabilities_add_up():
    resampled = of_scores([0.1, 0.2, 0.3], [0.2, 0.2, 0.1], "3-fold")
    result = practical_probabilities(resampled, rope=0.02)
    assert_allclose(result.a_better + result.equivalent + result.b_better, 1, rtol=1e-14)
    flat = practical_probabilities(of_scores([0.1, 0.2, 0.3], [0.1, 0.2, 0.3], "3-fold"), rope=0.02)
    assert [flat.a_better, flat.equivalent, flat.b_better] == [0, 1, 0]  # the posterior sits on a difference of 0
    assert "P(equivalent" in str(flat)
    many = Resamples(np.stack([resampled.loss, resampled.loss[::-1]]), 30, 60, resampled.plan)
    both = practical_probabilities(many)
    assert_allclose(both.a_better[0], both.b_better[1], rtol=1e-12)
    assert " ".join(str(both).split()) == "rope of 2 comparisons, equivalent within 0.01"
    assert both[1].as_dict()["rope"] == 0.01
    for bad in ({"rope": -1}, {"rope": np.nan}, {"rho": 1}, {"rho": "much"}):
        with pytest.raises(InvalidOption, match=r"`rope` must be|`rho` must be"):
            practical_probabilities(resampled, **bad)
