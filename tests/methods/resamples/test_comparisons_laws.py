"""Laws that every comparison of two learners obeys; run over the registry."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tellapart.errors import InvalidEvidence
from tellapart.evidence import Resamples
from tellapart.evidence.plan import Plan
from tellapart.methods import find_method, find_methods
from tellapart.methods.assumptions import Context, check_assumptions

OF_ONE = {"conservative-z", "nested-cv"}  # whose intervals are of one learner
TESTS = [entry for entry in find_methods(gives="test", evidence=Resamples) if entry.name not in OF_ONE]
INTERVALS = [entry for entry in find_methods(gives="interval", evidence=Resamples) if entry.parameter == "difference"]
CHOICES = {"vote", "mean-error-choice", "holdout-choice"}
# Which plan a method needs, where it is not any.
PLANS = {
    "5x2cv-t": "5x2",
    "5x2cv-f": "5x2",
    "holdout-choice": "holdout",
    "welch": "seeds",
    "unpaired-t": "seeds",
    "probability-better-run": "seeds",
    "paired-t": "independent",
    "resampled-t": "8x(2/3)",
    "splitting-se": "8x(2/3)",
    "splitting-sd": "8x(2/3)",
    "corrected-repeated-kfold-t": "3x4",
    "iterated-cv-bounds": "3x4",
    "calibrated-t": "6x2",
}
NO_AGREEMENT = {"mcnemar-on-cv", "holdout-choice"}  # another rule decides, and Tango's interval stands beside it

laws = settings(derandomize=True, deadline=None, max_examples=15)
each_test = pytest.mark.parametrize("test", TESTS, ids=lambda entry: entry.name)
with_pvalue = pytest.mark.parametrize(
    "test", [entry for entry in TESTS if entry.name not in CHOICES], ids=lambda entry: entry.name
)
each_interval = pytest.mark.parametrize("interval", INTERVALS, ids=lambda entry: entry.name)


def grid(name):
    """Return the plan for a method, and how many replicates and folds it has here."""
    plan = Plan.parse(PLANS.get(name, "6-fold"))
    return plan, plan.replicates or 7, plan.folds


def simulated(name, rng, shape=(), size=40, distances=0.1):
    """Return what two learners got wrong, example by example, as evidence with predictions."""
    plan, replicates, folds = grid(name)
    chance = rng.uniform(0.1, 0.4, size=(*shape, 1, replicates, folds, 1)) + np.array([0, distances]).reshape(
        2, 1, 1, 1
    )
    wrong = (rng.random((*shape, 2, replicates, folds, size)) < chance).astype(float)
    together = np.einsum("...arfi,...brfi->...abrf", wrong, wrong)
    trained = size * max(folds - 1, 2)
    return Resamples(wrong.mean(axis=-1), size, trained, plan, together=together, examples=size + trained)


def swapped(experiment_result):
    return Resamples(
        experiment_result.loss[..., ::-1, :, :],
        experiment_result.test,
        experiment_result.train,
        experiment_result.plan,
        together=experiment_result.together[..., ::-1, ::-1, :, :],
        examples=experiment_result.examples,
    )


def scores(a, b, name):
    """Return evidence that knows nothing but scores."""
    plan, replicates, folds = grid(name)
    return Resamples(np.stack([a, b]).reshape(2, replicates, folds), 40, 80, plan)


@each_test
def test_many_races_are_a_loop_over_one(test):
    experiment_result = simulated(test.name, np.random.default_rng(3), shape=(2, 3))
    together = test(experiment_result)
    assert together.shape == (2, 3)
    for i in range(2):
        for j in range(3):
            alone = test(experiment_result[i, j])
            assert np.ndim(alone.pvalue) == 0
            assert_allclose(alone.statistic, together.statistic[i, j], rtol=1e-12)
            assert_allclose(alone.pvalue, together.pvalue[i, j], rtol=1e-12)
            if alone.chooses is not None:
                assert alone.chooses == together.chooses[i, j]
                assert alone.rejects is None or alone.rejects == together.rejects[i, j]
            if alone.estimate is not None:
                assert_allclose(alone.estimate, together.estimate[i, j], rtol=1e-12, atol=1e-15)


@each_interval
def test_many_intervals_are_a_loop_over_one(interval):
    experiment_result = simulated(interval.name, np.random.default_rng(4), shape=(2, 3))
    for side in ("two", "upper", "lower"):
        together = interval(experiment_result, alpha=0.1, side=side)
        assert (together.shape, together.method, together.parameter) == ((2, 3), interval.name, "difference")
        for i in range(2):
            for j in range(3):
                alone = interval(experiment_result[i, j], alpha=0.1, side=side)
                assert_allclose(
                    [alone.low, alone.high], [together.low[i, j], together.high[i, j]], rtol=1e-12, atol=1e-15
                )


@with_pvalue
@laws
@given(seed=st.integers(0, 10**6))
def test_renaming_the_learners_only_flips_the_sign(test, seed):
    experiment_result = simulated(test.name, np.random.default_rng(seed))
    here, there = test(experiment_result), test(swapped(experiment_result))
    assert_allclose(there.pvalue, here.pvalue, rtol=1e-10)
    assert_allclose(
        test(experiment_result, alternative="greater").pvalue,
        test(swapped(experiment_result), alternative="less").pvalue,
        rtol=1e-10,
    )
    if test.statistic == "P(B better)":
        assert_allclose(there.statistic, 1 - here.statistic, rtol=1e-10, atol=1e-12)
    elif test.statistic in {"t", "z"}:
        assert_allclose(there.statistic, -here.statistic, rtol=1e-10)
    assert 0 < here.pvalue <= 1


@pytest.mark.parametrize("name", ["vote", "mean-error-choice", "holdout-choice"])
@laws
@given(seed=st.integers(0, 10**6))
def test_renaming_the_learners_flips_the_choice(name, seed):
    test = find_method(name, "test", Resamples)
    experiment_result = simulated(name, np.random.default_rng(seed))
    here, there = test(experiment_result, ties="none"), test(swapped(experiment_result), ties="none")
    assert here.chooses == -there.chooses
    assert np.isnan(here.pvalue)
    assert here.rejects == (here.chooses != 0)


@each_interval
@laws
@given(seed=st.integers(0, 10**6), alpha=st.sampled_from([0.5, 0.2, 0.05, 0.01, 1e-6]))
def test_test_and_interval_of_one_name_agree(interval, seed, alpha):
    experiment_result = simulated(interval.name, np.random.default_rng(seed))
    if interval.name in NO_AGREEMENT:
        return
    test = find_method(interval.name, "test", Resamples)
    for side, alternative in (("two", "two-sided"), ("lower", "greater"), ("upper", "less")):
        limits = interval(experiment_result, alpha=alpha, side=side)
        rejected = test(experiment_result, alternative=alternative).pvalue < alpha
        assert rejected == (not limits.contains(0.0))
        if "against" in test.options and 0 < experiment_result.difference + 0.01 < 1:
            moved = test(experiment_result, against=0.01, alternative=alternative).pvalue < alpha
            assert moved == (not limits.contains(0.01))


@each_interval
def test_limits_widen_with_the_level_and_stay_in_range(interval):
    experiment_result = simulated(interval.name, np.random.default_rng(6))
    inner = interval(experiment_result, alpha=0.5)
    for alpha in (0.1, 0.05, 1e-3, 1e-6, 1e-12):
        outer = interval(experiment_result, alpha=alpha)
        assert -1 <= outer.low <= inner.low < inner.high <= outer.high <= 1
        inner = outer
    assert interval(experiment_result, side="upper").low == -1
    assert interval(experiment_result, side="lower").high == 1


@each_test
def test_identical_learners_are_not_significantly_different(test):
    experiment_result = simulated(test.name, np.random.default_rng(7))
    same = Resamples(
        np.repeat(experiment_result.loss[:1], 2, axis=0),
        experiment_result.test,
        experiment_result.train,
        experiment_result.plan,
        together=np.broadcast_to(experiment_result.together[:1, :1], experiment_result.together.shape),
    )
    for alternative in ("two-sided", "greater", "less"):
        result = test(same, alternative=alternative)
        if test.name in CHOICES:
            tie = -1 if test.name == "mean-error-choice" and alternative != "greater" else 0
            assert result.chooses == tie
        elif test.name == "probability-better-run":
            assert result.statistic == 0.5
            assert result.pvalue > 0.3
        elif test.name in {"welch", "unpaired-t", "mcnemar-on-cv", "two-se"}:  # they do see a spread, or need none
            assert result.pvalue == (1.0 if alternative == "two-sided" else 0.5)
        else:
            assert result.pvalue == 1
            assert result.statistic in {0.0, 0.5}


@each_test
def test_differences_all_alike_get_no_verdict_and_a_failed_check(test):
    """0.3 against 0.2 everywhere: rounding alone tells the differences apart, and the verdict is p = 1."""
    if test.name in {"mean-se-w", "cv-wald", "mcnemar-on-cv", "two-se"}:
        return  # they look at the examples: the next test is theirs
    _, replicates, folds = grid(test.name)
    runs = replicates * folds
    base = np.full(runs, 0.2) if PLANS.get(test.name) == "seeds" else np.linspace(0.2, 0.4, runs)
    experiment_result = scores(base + 0.1, base, test.name)
    result = test(experiment_result)
    if test.name in CHOICES:
        assert result.chooses == 1
        return
    if test.name == "probability-better-run":
        assert result.statistic == 1
        return
    assert result.pvalue == 1
    interval = [entry for entry in INTERVALS if entry.name == test.name]
    limits = (
        interval[0](experiment_result)
        if interval
        else find_method("corrected-resampled-t", "interval", Resamples)(experiment_result)
    )
    assert (limits.low, limits.high) == (-1, 1)
    checks = check_assumptions(test.assumes, experiment_result, Context(interval=limits))
    assert [check.code for check in checks if check.code in {"TA401", "TA402", "TA419"} and not check.holds]


@pytest.mark.parametrize("name", ["mean-se-w", "cv-wald"])
def test_examples_all_alike_get_no_verdict_and_a_failed_check(name):
    """A always wrong, B always right: nothing varies, and nothing says how far this goes."""
    test, interval = (find_method(name, gives, Resamples) for gives in ("test", "interval"))
    for wrong in (1.0, 0.0):
        loss = np.stack([np.full((1, 6), wrong), np.zeros((1, 6))])
        together = np.zeros((2, 2, 1, 6))
        together[0, 0] = 40 * wrong
        experiment_result = Resamples(loss, 40, 200, Plan.parse("6-fold"), together=together, examples=240)
        result, limits = test(experiment_result), interval(experiment_result)
        assert result.pvalue == 1
        assert (limits.low, limits.high) == (-1, 1)
        failed = [
            check
            for check in check_assumptions(test.assumes, experiment_result, Context(interval=limits))
            if not check.holds
        ]
        assert {"TA418", "TA440"} & {check.code for check in failed}


@each_test
def test_one_test_set_is_refused_or_enough(test):
    """A t test of one difference is refused with a remedy; methods that look at examples do with one."""
    name = test.name
    experiment_result = Resamples(
        [[[0.3]], [[0.2]]], 40, 80, Plan.parse("holdout"), together=[[[[12]], [[4]]], [[[4]], [[8]]]]
    )
    enough = CHOICES | {"mean-se-w", "mcnemar-on-cv", "two-se"}
    if name in enough:
        assert test(experiment_result).shape == ()
    else:
        with pytest.raises(InvalidEvidence, match=f"'{name}' needs"):
            test(experiment_result)


@with_pvalue
def test_two_test_sets_are_enough_for_a_t(test):
    if test.name in {"5x2cv-t", "5x2cv-f", "holdout-choice"}:
        return
    kind = PLANS.get(test.name, "2-fold")
    plan = {"seeds": "seeds", "independent": "independent", "8x(2/3)": "2x(2/3)"}.get(kind, "2-fold")
    grid = (2, 1) if plan != "2-fold" else (1, 2)
    loss = np.array([[0.3, 0.25], [0.2, 0.225]]).reshape(2, *grid)
    together = np.array([[[12, 10], [4, 5]], [[4, 5], [8, 9]]]).reshape(2, 2, *grid)
    experiment_result = Resamples(loss, 40, 80, Plan.parse(plan), together=together, examples=120)
    result = test(experiment_result)
    assert 0 < result.pvalue <= 1
    assert np.isfinite(result.statistic)


@with_pvalue
def test_ten_thousand_splits(test):
    """As many splits as anybody runs: finite numbers, and the corrected t is not carried away by them."""
    plan = PLANS.get(test.name, "many-fold")
    if plan in {"5x2", "holdout"} or test.name == "single-fold-t":
        return
    rng = np.random.default_rng(9)
    kinds = {"seeds": "seeds", "independent": "independent", "8x(2/3)": "10000x(2/3)"}
    design = Plan.parse(kinds.get(plan, "10000-fold" if plan == "many-fold" else "1000x10"))
    runs = 200 if test.name == "probability-better-run" else 10_000
    grid = {"10000-fold": (1, 10_000), "1000x10": (1000, 10)}.get(design.name, (runs, 1))
    wrong = (rng.random((2, *grid, 4)) < 0.3).astype(float)
    together = np.einsum("arfi,brfi->abrf", wrong, wrong)
    experiment_result = Resamples(wrong.mean(axis=-1), 4, 40_000, design, together=together)
    result = test(experiment_result)
    assert np.isfinite(result.statistic)
    assert 0 < result.pvalue <= 1


@each_test
def test_learners_without_pairs_or_alone_are_refused(test):
    experiment_result = simulated(test.name, np.random.default_rng(1))
    with pytest.raises(InvalidEvidence, match=f"'{test.name}' compares two learners"):
        test(experiment_result.select("A"))
    if PLANS.get(test.name) != "seeds":
        ragged = Resamples.from_scores([0.2, 0.3, 0.4], [0.2, 0.3], plan="seeds", metric="error")
        with pytest.raises(InvalidEvidence, match=r"unpaired runs.*welch"):
            test(ragged)


@each_test
def test_three_learners_are_refused(test):
    three = Resamples.from_scores({"a": [0.1, 0.2], "b": [0.2, 0.3], "c": [0.1, 0.1]}, plan="2-fold", metric="error")
    with pytest.raises(InvalidEvidence, match="the method needs one or two learners"):
        test(three)


@pytest.mark.parametrize("name", ["welch", "unpaired-t", "probability-better-run"])
def test_every_pair_of_learners_with_seeds_of_their_own_numbers(name):
    """Three learners with 6, 4 and 5 runs: all pairs at once are the pairs one by one."""
    runs = {"a": [0.31, 0.28, 0.35, 0.3, 0.33, 0.29], "b": [0.27, 0.26, 0.29, 0.22], "c": [0.3, 0.31, 0.32, 0.25, 0.2]}
    experiment_result = Resamples.from_scores(runs, plan="seeds", metric="error")
    test = find_method(name, "test", Resamples)
    together = test(experiment_result.pairs())
    for index, pair in enumerate(experiment_result.pair_names()):
        alone = test(experiment_result.select(*pair))
        assert_allclose(together.statistic[index], alone.statistic, rtol=1e-13)
        assert_allclose(together.pvalue[index], alone.pvalue, rtol=1e-13)


def test_statistics_of_a_batch_keep_their_own_degenerate_entries():
    """An entry without spread sinks nobody else's."""
    a = np.array([[0.3, 0.3, 0.3], [0.3, 0.2, 0.4]])
    experiment_result = Resamples.from_scores(a, np.full((2, 3), 0.2), plan="3-fold", metric="error")
    result = find_method("corrected-resampled-t", "test", Resamples)(experiment_result)
    assert_array_equal(np.isfinite(result.statistic), [False, True])
    assert result.pvalue[0] == 1
    assert result.pvalue[1] < 1
