"""Where comparisons of learners were led astray: rounding, size, direction, bootstrap samples and shared test sets."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from tellapart import compare
from tellapart.errors import InvalidEvidence
from tellapart.evidence import Plan, Resamples
from tellapart.methods import find_method, find_methods
from tellapart.methods.assumptions import Context, check_assumptions
from tellapart.methods.resamples.choices import holdout_choice, holdout_choice_interval
from tellapart.methods.resamples.corrected import corrected_resampled_t
from tellapart.methods.resamples.estimators import corrected_t_interval, loo
from tellapart.methods.resamples.five_by_two import five_by_two_f, five_by_two_t, single_fold_t
from tellapart.methods.resamples.nested import conservative_z, nested_cv
from tellapart.methods.resamples.out_of_bag import oob
from tellapart.methods.resamples.pooled import cv_wald, mcnemar_on_cv_interval, mean_se_w, pooled_table
from tellapart.methods.resamples.seeds import unpaired_t

OF_ONE = {"conservative-z", "nested-cv"}  # whose intervals are of one learner
TESTS = [entry for entry in find_methods(gives="test", evidence=Resamples) if entry.name not in OF_ONE]


def failed(entry, experiment_result, **context):
    limits = context.pop("interval", None) or corrected_resampled_t(experiment_result, ratio=1).interval()
    checks = check_assumptions(entry.assumes, experiment_result, Context(interval=limits, **context))
    return {check.code: check.message for check in checks if not np.all(check.holds)}


# --- Whom a test speaks for ----------------------------------------------------------------------


def lopsided():
    """Return 5x2 differences of 0.02 for B, but for the first replicate, where A does better by 0.06."""
    distances = np.full((5, 2), 0.02) + np.linspace(0, 1e-3, 10).reshape(5, 2)
    distances[0] = -0.06, -0.055
    return Resamples(np.stack([np.full((5, 2), 0.2), 0.2 - distances]), 50, 50, "5x2", examples=100)


def test_5x2cv_t_speaks_for_whom_its_numerator_does():
    experiment_result = lopsided()
    assert experiment_result.difference > 0
    assert five_by_two_t(experiment_result).chooses == -1
    assert five_by_two_t(experiment_result, numerator=(2, 1)).chooses == 1
    assert five_by_two_t(experiment_result).statistic < 0


def test_a_numerator_against_the_mean_is_reported():
    experiment_result, entry = lopsided(), find_method("5x2cv-t", "test", Resamples)
    assert "'corrected-resampled-t'" in failed(entry, experiment_result)["TA441"]
    assert "TA441" in failed(entry, experiment_result, chooses=five_by_two_t(experiment_result).chooses)
    assert "TA441" not in failed(
        entry, experiment_result, chooses=five_by_two_t(experiment_result, numerator=(2, 1)).chooses
    )
    assert "TA441" not in failed(find_method("5x2cv-f", "test", Resamples), experiment_result)
    folds = Resamples.from_scores([0.8, 0.7, 0.7, 0.7], [0.7, 0.8, 0.82, 0.79], plan="4-fold")
    entry = find_method("single-fold-t", "test", Resamples)
    assert single_fold_t(folds).chooses == -1
    assert single_fold_t(folds, fold=2).chooses == 1
    assert "TA441" in failed(entry, folds)
    assert "TA441" not in failed(entry, folds, chooses=1)


def test_nested_cv_speaks_for_whom_its_centre_does():
    """Outside A does worse by 0.01 and inside by 0.07; less the bias it does better: 0.07 − 1.5·0.06 < 0."""
    plan = Plan.parse("nested 1x4")
    a = np.full((1, 4), 0.3)
    inner = Resamples(np.stack([a, a - 0.07]), 60, 40, plan)
    together = np.zeros((2, 2, 1, 4)) + 20 * np.array([[0.3, 0.2], [0.2, 0.29]])[:, :, None, None]
    outer = Resamples(np.stack([a, a - 0.01]), 20, 60, plan, together=together, parts={"inner": inner})
    assert outer.difference > 0
    assert nested_cv(outer).test().chooses == -1
    assert nested_cv(outer, bias=False).test().chooses == 1


def unequal_folds():
    """Eight folds of five where B does better by 0.2, two of five hundred where A does by 0.05."""
    test = np.array([[5.0] * 8 + [500.0] * 2])
    wrong_a, wrong_b = np.array([2] * 8 + [200] * 2), np.array([1] * 8 + [225] * 2)
    both = np.minimum(wrong_a, wrong_b)
    together = np.array([[wrong_a, both], [both, wrong_b]], dtype=float)[:, :, None]
    loss = np.stack([wrong_a, wrong_b])[:, None] / test
    return Resamples(loss, test, test.sum() - test, Plan("grouped", "k-fold", 1, 10), together=together, examples=1040)


@pytest.mark.parametrize("name", ["cv-wald", "mcnemar-on-cv", "paired-cv-ss"])
def test_tests_of_pooled_losses_tell_the_difference_they_speak_of(name):
    """Of 1040 examples A got 416 wrong and B 458."""
    experiment_result = unequal_folds()
    assert experiment_result.difference > 0
    assert_allclose(find_method(name, "test", Resamples)(experiment_result).estimate, (416 - 458) / 1040, rtol=1e-12)
    assert_allclose(experiment_result.pooled, (416 - 458) / 1040, rtol=1e-12)
    assert_allclose(experiment_result.pooled_losses, [416 / 1040, 458 / 1040], rtol=1e-12)


# --- Rounding ------------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", ["5x2", "10-fold", "10x(0.9)"])
def test_scores_near_one_are_rounded_like_a_one(plan):
    """(n − k)/n less (n − k − 1)/n is 1/n whatever k is, and what remains of the score is no more exact than a 1."""
    rng = np.random.default_rng(0)
    sizes = np.unique(np.concatenate([[7777, 10**7], np.geomspace(30, 10**7, 400).astype(int)]))
    wrong = rng.integers(1, 20, size=(sizes.size, 10))
    n = sizes[:, None]
    result = compare(Resamples.from_scores((n - wrong) / n, (n - wrong - 1) / n, plan=plan))
    assert (result.pvalue == 1).all()
    assert not result.rejected.any()
    spread = next(check for check in result.checks if check.code in {"TA401", "TA419"})
    assert not spread.holds.any()


@pytest.mark.parametrize("entry", TESTS, ids=lambda entry: entry.name)
def test_no_test_takes_rounding_for_a_spread(entry):
    if entry.name in {
        "cv-wald",
        "mean-se-w",
        "mcnemar-on-cv",
        "two-se",
        "nested-cv",
        "conservative-z",
        "probability-better-run",
    }:
        return  # they look at the examples, or at parts, or at nothing but the order
    plans = {"welch": "seeds", "unpaired-t": "seeds", "holdout-choice": "holdout", "corrected-repeated-kfold-t": "5x2"}
    plan = "5x2" if entry.name in {"5x2cv-t", "5x2cv-f", "iterated-cv-bounds", "calibrated-t"} else "10-fold"
    plan = plans.get(entry.name, plan)
    n, wrong = 7777, np.random.default_rng(1).integers(1, 20, 1 if plan == "holdout" else 10)
    if plan == "seeds":
        wrong = np.full(10, 3)
    result = entry(Resamples.from_scores((n - wrong) / n, (n - wrong - 1) / n, plan=plan))
    if result.rejects is None:
        assert result.pvalue == 1


def test_a_tie_of_scores_near_one_is_a_tie():
    """1 − 0.9 and 0.3 − 0.2 differ by rounding, and nobody wins by that."""
    experiment_result = Resamples(np.array([[[0.1 + 0.2]], [[0.3]]]), 30, 60, "holdout")
    assert experiment_result.values != 0
    assert holdout_choice(experiment_result).chooses == 0


# --- Losses of any size --------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1e-300, 1e300])
@pytest.mark.parametrize("entry", TESTS, ids=lambda entry: entry.name)
def test_tests_do_not_depend_on_the_unit_of_the_loss(entry, size):
    if entry.name in {"cv-wald", "mean-se-w", "mcnemar-on-cv", "two-se", "nested-cv"}:
        return  # they need the squares of losses, which have no such numbers
    plans = {
        "welch": "seeds",
        "unpaired-t": "seeds",
        "probability-better-run": "seeds",
        "paired-t": "independent",
        "holdout-choice": "holdout",
    }
    folds = {"kfold-t", "paired-cv-ss", "single-fold-t"}
    plan = plans.get(entry.name, "10-fold" if entry.name in folds else "5x2")
    loss = np.random.default_rng(3).random((2, 1 if plan == "holdout" else 10))

    def raced(unit):
        return Resamples.from_scores(*(unit * loss), plan=plan, metric="cost", higher_is_better=False)

    options = {"ratio": 0.5} if "ratio" in entry.options else {}
    here, there = entry(raced(1.0), **options), entry(raced(size), **options)
    assert_allclose(there.pvalue, here.pvalue, rtol=1e-9)
    if entry.statistic != "difference":
        assert_allclose(there.statistic, here.statistic, rtol=1e-9)


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_intervals_follow_the_unit_of_the_loss(size):
    scores, halves = np.random.default_rng(5).random((2, 10)), np.random.default_rng(4).random((2, 10, 2))
    result = []
    for unit in (1.0, size):
        part = Resamples(unit * halves, 5, 45, Plan("halves", "splits", 10, 2), metric="cost")
        plan = Plan.parse("conservative-z 10x10(0.9)")
        experiment_result = Resamples(unit * scores[..., None], 10, 90, plan, metric="cost", parts={"halves": part})
        limits = conservative_z(experiment_result).interval()
        result.append((limits.low / unit, limits.high / unit, conservative_z(experiment_result).test().pvalue))
    assert_allclose(result[1], result[0], rtol=1e-9)
    options = {"plan": "10-fold", "metric": "cost", "higher_is_better": False}
    for fit in (corrected_t_interval, corrected_resampled_t):
        here, there = (fit(Resamples.from_scores(*(unit * scores), **options)).interval() for unit in (1.0, size))
        assert_allclose([there.low / size, there.high / size], [here.low, here.high], rtol=1e-9)


# --- Bootstrap samples ---------------------------------------------------------------------------


def bootstrapped(n, samples, races, seed):
    """Return the errors of two learners that are equally good, on what bootstrap samples left out."""
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, (races, n))
    data = rng.normal(size=(races, n, 2)) + 0.6 * label[..., None]  # learner j sees feature j alone: nearest mean
    error, left = np.empty((races, 2, samples)), np.empty((races, samples))
    for index in range(samples):
        times = rng.multinomial(n, np.full(n, 1 / n), size=races)
        means = [
            np.einsum("rn,rnf->rf", times * (label == kind), data) / (times * (label == kind)).sum(axis=1)[:, None]
            for kind in (0, 1)
        ]
        to_one, to_zero = (np.abs(data - means[kind][:, None]) for kind in (1, 0))
        wrong = ((to_one < to_zero) != (label == 1)[..., None]).astype(float)
        out = (times == 0).astype(float)
        left[:, index] = out.sum(axis=1)
        error[..., index] = np.einsum("rn,rnf->rf", out, wrong) / left[:, index, None]
    return error, left


def test_the_size_of_the_corrected_t_over_bootstrap_samples():
    """By what a sample left out over the examples it holds, .58: near 0.05. By .37, as large as it is, 0.11."""
    error, left = bootstrapped(60, 50, 2000, seed=1)
    experiment_result = Resamples.from_scores(error[:, 0], error[:, 1], plan="632*50", metric="error", examples=60)
    assert experiment_result.ratio == pytest.approx(np.exp(-1) / (1 - np.exp(-1)))
    assert left.mean() == pytest.approx(experiment_result.test.mean(), rel=0.01)
    rejected = (corrected_resampled_t(experiment_result).test().pvalue < 0.05).sum()
    assert rejected <= stats.binom.ppf(0.999, 2000, 0.06)
    assert rejected >= stats.binom.ppf(0.001, 2000, 0.04)
    assert (corrected_resampled_t(experiment_result, ratio=np.exp(-1)).test().pvalue < 0.05).mean() > 0.09


def test_the_ratio_of_bootstrap_samples():
    whole = Resamples([[[0.1], [0.2]]], test=[[4], [5]], train=12, plan="632*2", learners=("A",), examples=12)
    assert_allclose(whole.ratio, (4 / 8 + 5 / 7) / 2)
    assert_allclose(replace(whole, examples=0).ratio, (4 / 8 + 5 / 7) / 2)
    limits = oob(whole).interval()
    reach = stats.t.isf(0.025, 1) * np.std([0.1, 0.2], ddof=1) * np.sqrt(1 / 2 + whole.ratio)
    assert_allclose(limits.high, min(1, (4 * 0.1 + 5 * 0.2) / 9 + reach))
    with pytest.raises(InvalidEvidence, match="`test` must be the examples that a bootstrap sample left out"):
        replace(whole, test=np.array([[4], [12]]))


# --- Training sets that share a test set -----------------------------------------------------------


def test_training_sets_that_share_a_test_set_are_no_runs():
    experiment_result = Resamples.from_scores([0.7, 0.8, 0.75], [0.6, 0.7, 0.72], plan="delve 3x50", test=100, train=50)
    for entry in TESTS:
        with pytest.raises(InvalidEvidence, match=r"race.training_sets\(\).*'quasi-f' and 'crossed-interval'|needs"):
            entry(experiment_result)
    for name in ("corrected-resampled-t", "welch", "vote", "kfold-t", "mean-se-w"):
        with pytest.raises(InvalidEvidence, match=rf"'{name}' needs a test set for each training set.*'delve 3x50'"):
            find_method(name, "test", Resamples)(experiment_result)
    with pytest.raises(InvalidEvidence, match="crossed-interval"):
        corrected_t_interval(experiment_result.select("A"))


# --- Unequal numbers of runs -----------------------------------------------------------------------


@pytest.mark.parametrize("counts", [(3, 40), (5, 5), (2, 3)])
def test_unpaired_t_is_students(counts):
    rng = np.random.default_rng(6)
    a, b = (rng.normal(0.5, 0.05, count) for count in counts)
    experiment_result = Resamples.from_scores(a, b, plan="seeds", metric="error")
    theirs = stats.ttest_ind(a, b, equal_var=True)
    result, limits = unpaired_t(experiment_result).test(), unpaired_t(experiment_result).interval(alpha=0.1)
    assert_allclose([result.statistic, result.pvalue], [theirs.statistic, theirs.pvalue], rtol=1e-10)
    assert_allclose([limits.low, limits.high], theirs.confidence_interval(0.9), rtol=1e-10)


# --- Checks ----------------------------------------------------------------------------------------


def test_a_bound_reaches_from_the_centre_to_its_one_limit():
    """The difference moves by 0.03; half of the two-sided interval is 0.04, and the bound is 0.02 away."""
    experiment_result = Resamples.from_scores(
        [0.3, 0.2, 0.4, 0.34], [0.2, 0.1, 0.3, 0.25], plan="4-fold", metric="error"
    )
    before = replace(experiment_result, loss=experiment_result.loss + np.array([0.03, 0]).reshape(2, 1, 1))
    curved = replace(experiment_result, parts={"train x 0.5": before})
    entry, centre = find_method("kfold-t", "test", Resamples), experiment_result.difference
    limits = corrected_resampled_t(experiment_result).interval()
    for side, low, high, text in (
        ("two", centre - 0.04, centre + 0.04, False),
        ("two", centre - 0.02, centre + 0.02, True),
        ("upper", -1.0, centre + 0.02, True),
        ("upper", -1.0, centre + 0.04, False),
        ("lower", centre - 0.02, 1.0, True),
        ("lower", centre - 0.02, np.inf, True),
        ("lower", centre - 0.04, 1.0, False),
    ):
        interval = replace(limits, low=np.float64(low), high=np.float64(high), side=side)
        assert ("TA413" in failed(entry, curved, interval=interval)) == text


def test_only_errors_are_disagreements():
    """Squared differences of log loss add up to 1.6 here, which counts nothing; the size of the test set does."""
    each = np.random.default_rng(7).random((2, 2, 25))  # learner, fold, example
    together = np.einsum("afi,bfi->abf", each, each)[:, :, None]
    experiment_result = Resamples(each.mean(axis=-1)[:, None], 25, 25, "2-fold", metric="log_loss", together=together)
    entry = find_method("mean-se-w", "test", Resamples)
    result = failed(entry, experiment_result)
    assert "TA409" not in result
    assert "a test set of 25 examples" in result["TA403"]
    assert "TA409" in failed(entry, replace(experiment_result, metric="error"))
    large = replace(experiment_result, test=np.full((1, 2), 30.0))
    assert "TA403" not in failed(entry, large)


def test_nested_cross_validation_asks_for_its_plan():
    with pytest.raises(InvalidEvidence, match="method 'nested-cv' needs a cross-validation in every training set"):
        nested_cv(Resamples.from_scores([0.8, 0.7], [0.7, 0.7], plan="2-fold")).test()


def test_a_mean_of_exactly_nothing_is_half_of_either_side():
    a = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95]
    b = [0.2, 0.1, 0.4, 0.3, 0.6, 0.5, 0.8, 0.7, 0.95, 0.9]
    experiment_result = Resamples.from_scores(a, b, plan="5x2")
    for alternative in ("greater", "less"):
        assert five_by_two_f(experiment_result, alternative=alternative).pvalue == 0.5


# --- One example, one split ------------------------------------------------------------------------


def test_scores_of_single_examples_tell_who_was_wrong_where():
    """Right and wrong on eight examples: A errs on 2 of them, B on 4, both on 2."""
    a, b = [1, 1, 0, 1, 0, 1, 1, 1], [1, 0, 0, 1, 0, 1, 0, 1]
    experiment_result = Resamples.from_scores(a, b, plan="loo")
    assert (experiment_result.examples, experiment_result.test.tolist(), experiment_result.train.tolist()) == (
        8,
        [[1] * 8],
        [[7] * 8],
    )
    table = pooled_table(experiment_result)
    assert (table.both_wrong, table.only_a_wrong, table.only_b_wrong, table.both_right) == (2, 0, 2, 4)
    distances = np.subtract(b, a)
    assert_allclose(cv_wald(experiment_result).test().statistic, distances.mean() / np.sqrt(distances.var() / 8))
    assert loo(experiment_result.select("B")) == 0.5
    also = Resamples.from_scores(a, b, plan="8-fold", examples=8)
    assert_allclose(also.together, experiment_result.together)
    star = Resamples.from_scores(a, b, plan="loo-star")
    assert_allclose(star.together, experiment_result.together)
    many = Resamples.from_scores([a, b], [b, a], plan="loo")
    assert_allclose(many[0].together, experiment_result.together)
    with pytest.raises(InvalidEvidence, match="`examples` must be the number of scores, 8, for plan 'loo'"):
        Resamples.from_scores(a, b, plan="loo", examples=9)


def test_one_split_is_chosen_by_with_an_interval():
    alone = Resamples.from_scores([0.8], [0.9], plan="holdout")
    result = compare(alone, method="holdout-choice")
    assert (result.better, result.interval.low, result.interval.high) == ("B", -1, 1)
    assert "TA442" in {check.code for check in result.checks if not check.holds}
    bound = holdout_choice_interval(alone).interval(side="upper")
    assert (bound.low, bound.high, bound.side) == (-1, 1, "upper")
    together = [[[[12]], [[4]]], [[[4]], [[8]]]]
    raced = Resamples([[[0.3]], [[0.2]]], 40, 80, "holdout", together=together)
    theirs = mcnemar_on_cv_interval(raced).interval()
    assert_allclose(holdout_choice_interval(raced).interval().low, theirs.low)
    assert "TA442" not in failed(find_method("holdout-choice", "test", Resamples), raced, interval=theirs)
    handed_in = replace(raced, plan=Plan("mine", "splits"))
    assert_allclose(mcnemar_on_cv_interval(handed_in).interval().low, theirs.low)
    other = replace(raced, metric="brier")
    assert_allclose(holdout_choice_interval(other).interval().low, mean_se_w(other).interval().low)


# --- A metric that is no mean ----------------------------------------------------------------------


def test_a_metric_that_is_no_mean_over_examples_says_so():
    experiment_result = Resamples.from_scores([0.8, 0.7], [0.7, 0.7], plan="2-fold", metric="f1_macro")
    expected = "needs losses by example: `metric` must be a mean over examples"
    for test in (cv_wald, find_method("mean-se-w", "test", Resamples)):
        with pytest.raises(InvalidEvidence, match=expected):
            test(experiment_result)
    nested = Resamples.from_scores([[0.8, 0.7]], plan="nested 1x2", metric="f1_macro", examples=40)
    with pytest.raises(InvalidEvidence, match=expected):
        find_method("nested-cv", "interval", Resamples)(nested)
    with pytest.raises(InvalidEvidence, match=expected):
        find_method("632plus", "estimate", Resamples)(
            replace(
                Resamples.from_scores([0.8, 0.7], plan="632*2", metric="f1_macro"),
                parts={"apparent": Resamples.from_scores([0.9], plan="apparent", metric="f1_macro")},
            )
        )
    with pytest.raises(InvalidEvidence, match=r"race\(...\).resamples\(\)"):
        cv_wald(Resamples.from_scores([0.8, 0.7], [0.7, 0.7], plan="2-fold")).test()
