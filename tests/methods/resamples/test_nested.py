"""nested-cv and conservative-z, against their definitions example by example, and real learners."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from tellapart.errors import InvalidEvidence
from tellapart.evidence import Resamples
from tellapart.evidence.plan import Plan
from tellapart.methods import find_method
from tellapart.methods.assumptions import Context, check_assumptions
from tellapart.methods.resamples.nested import conservative_z, nested_cv


def nested(outer, inner, folds, learners=("A",)):
    """Evidence from losses outer[learner, replicate, example] and inner[learner, replicate, fold, example]."""
    many, replicates, n = outer.shape
    k = folds.max() + 1
    plan = Plan.parse(f"nested {replicates}x{k}")
    loss, within = np.empty((many, replicates, k)), np.empty((many, replicates, k))
    together, size = np.empty((many, many, replicates, k)), np.empty((replicates, k))
    for r in range(replicates):
        for j in range(k):
            test = folds[r] == j
            size[r, j] = test.sum()
            loss[:, r, j], within[:, r, j] = outer[:, r, test].mean(axis=-1), inner[:, r, j, ~test].mean(axis=-1)
            together[:, :, r, j] = outer[:, r, test] @ outer[:, r, test].T
    inside = Resamples(within, n - size, n - 2 * size, plan, learners, examples=n)
    return Resamples(loss, size, n - size, plan, learners, together=together, examples=n, parts={"inner": inside})


def bates(outer, inner, folds, z, *, bias=True):
    """Return estimate and limits by Bates, Hastie and Tibshirani's algorithm 1, one example after the other."""
    replicates, n = outer.shape
    k = folds.max() + 1
    a, b, inside = [], [], []
    for r in range(replicates):
        for j in range(k):
            e_out = [outer[r, i] for i in range(n) if folds[r, i] == j]
            e_in = [inner[r, j, i] for i in range(n) if folds[r, i] != j]
            a.append((np.mean(e_in) - np.mean(e_out)) ** 2)
            b.append(np.var(e_out, ddof=1) / len(e_out))
            inside += e_in
    mse = (k - 1) / k * (np.mean(a) - np.mean(b))
    se = np.std(outer.ravel(), ddof=1) / np.sqrt(n)
    error = max(se, min(np.sqrt(max(mse, 0)), np.sqrt(k) * se))
    centre = np.mean(outer)
    if bias:
        centre = np.mean(inside) - (1 + (k - 2) / k) * (np.mean(inside) - np.mean(outer))
    return centre, centre - z * error, centre + z * error, error


def drawn(seed, *, n=43, k=5, replicates=6, many=1, swing=0.0):
    rng = np.random.default_rng(seed)
    folds = np.stack([rng.permutation(np.arange(n) % k) for _ in range(replicates)])
    hard = rng.random(n)
    rate = 0.25 + swing * rng.normal(size=(many, replicates, 1))
    outer = (rng.random((many, replicates, n)) < rate + hard / 5).astype(float)
    inner = (rng.random((many, replicates, k, n)) < (rate + 0.02)[..., None] + hard / 5).astype(float)
    return outer, inner, folds


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("swing", [0.0, 0.1, 0.3])  # the error at its lower bound, between both, at its upper bound
@pytest.mark.parametrize("bias", [True, False])
def test_nested_cv_follows_the_algorithm(seed, swing, bias):
    outer, inner, folds = drawn(seed, swing=swing)
    resampled = nested(outer, inner, folds)
    centre, low, high, _ = bates(outer[0], inner[0], folds, stats.norm.ppf(0.95), bias=bias)
    limits = nested_cv(resampled, bias=bias).interval(alpha=0.1)
    assert_allclose([limits.low, limits.high], np.clip([low, high], 0, 1), rtol=1e-10)
    assert_allclose(nested_cv(resampled, bias=bias).location, np.clip(centre, 0, 1), rtol=1e-10)


@pytest.mark.parametrize("seed", range(4))
def test_nested_cv_of_a_difference_is_that_of_its_losses(seed):
    outer, inner, folds = drawn(seed, many=2, swing=0.05)
    resampled = nested(outer, inner, folds, ("A", "B"))
    centre, low, high, error = bates(outer[0] - outer[1], inner[0] - inner[1], folds, stats.norm.ppf(0.975))
    limits = nested_cv(resampled).interval()
    assert_allclose([limits.low, limits.high], [low, high], rtol=1e-9)
    assert limits.parameter == "difference"
    assert_allclose(nested_cv(resampled).test().pvalue, 2 * stats.norm.sf(abs(centre / error)), rtol=1e-9)
    assert_allclose(
        nested_cv(resampled).test(0.05, alternative="greater").pvalue, stats.norm.sf((centre - 0.05) / error)
    )
    swapped = nested_cv(resampled.select("B", "A")).test(-0.05, alternative="less")
    assert_allclose(swapped.pvalue, nested_cv(resampled).test(0.05, alternative="greater").pvalue, rtol=1e-12)


def test_nested_cv_of_a_real_learner():
    """Naive Bayes on iris: every fit and every loss by scikit-learn, in a loop over pairs of folds."""
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB

    x, y = load_iris(return_X_y=True)
    rng, k, replicates = np.random.default_rng(2), 5, 3
    folds = np.stack([rng.permutation(np.arange(150) % k) for _ in range(replicates)])
    outer, inner = np.zeros((1, replicates, 150)), np.zeros((1, replicates, k, 150))
    for r in range(replicates):
        for j in range(k):
            test = folds[r] == j
            outer[0, r, test] = GaussianNB().fit(x[~test], y[~test]).predict(x[test]) != y[test]
            for other in set(range(k)) - {j}:
                part = folds[r] == other
                fitted = GaussianNB().fit(x[~test & ~part], y[~test & ~part])
                inner[0, r, j, part] = fitted.predict(x[part]) != y[part]
    centre, low, high, _ = bates(outer[0], inner[0], folds, stats.norm.ppf(0.975))
    limits = nested_cv(nested(outer, inner, folds)).interval()
    assert_allclose([limits.low, limits.high], [low, high], rtol=1e-9)
    assert 0.02 < centre < 0.08


def test_nobody_ever_wrong_is_the_whole_range():
    outer, inner, folds = drawn(0)
    resampled = nested(outer * 0, inner * 0, folds)
    limits = nested_cv(resampled).interval()
    assert (nested_cv(resampled).location, limits.low, limits.high) == (0, 0, 1)
    result = {
        check.code: check
        for check in check_assumptions(
            find_method("nested-cv", "interval", Resamples).assumes, resampled, Context(interval=limits)
        )
    }
    assert not result["TA425"].holds
    assert not result["TA422"].holds
    assert "6 replicates" in result["TA422"].message
    twins = nested(np.repeat(outer, 2, axis=0), np.repeat(inner, 2, axis=0), folds, ("A", "B"))
    assert (nested_cv(twins).test().statistic, nested_cv(twins).test().pvalue) == (0, 1)
    assert (nested_cv(twins).interval().low, nested_cv(twins).interval().high) == (-1, 1)


def test_rates_alone_tell_whether_examples_differ():
    """Every fold with one error in ten: the folds are alike, the examples are not."""
    even = Resamples.from_scores([[0.9, 0.9]], plan="nested 1x2", examples=20)
    even = replace(even, parts={"inner": even})
    assumed = find_method("nested-cv", "interval", Resamples).assumes
    for resampled, holds in ((even, True), (replace(even, loss=even.loss * 0), False)):
        limits = nested_cv(resampled).interval()
        check = next(c for c in check_assumptions(assumed, resampled, Context(interval=limits)) if c.code == "TA425")
        assert check.holds == holds == (limits.width < 1)


def test_another_plan_is_refused():
    resampled = Resamples.from_scores([0.9, 0.8], plan="2-fold", examples=20)
    with pytest.raises(
        InvalidEvidence, match=r"'nested-cv' needs a cross-validation in every training set.*nested 20x10"
    ):
        nested_cv(resampled).interval()
    with pytest.raises(InvalidEvidence, match=r"'conservative-z' needs splits of disjoint halves.*'conservative-z'"):
        conservative_z(resampled).interval()
    with pytest.raises(InvalidEvidence, match="`plan` must include 'inner'"):
        nested_cv(Resamples.from_scores([[0.9, 0.8]], plan="nested 1x2", examples=20)).interval()
    scores = replace(Resamples.from_scores([[0.9, 0.8]], plan="nested 1x2"), parts={"inner": resampled})
    with pytest.raises(InvalidEvidence, match="got only scores"):
        nested_cv(scores).interval()


# --- Halves ----------------------------------------------------------------------------------------


def halved(rng, shape=(), many=1):
    plan, names = Plan.parse("conservative-z 10x15(0.9)"), ("A", "B")[:many]
    inside = Resamples(rng.random((*shape, many, 10, 2)) / 2, 5, 45, plan, names)
    return Resamples(rng.random((*shape, many, 15, 1)) / 2, 10, 90, plan, names, examples=100, parts={"halves": inside})


def test_conservative_z_follows_the_definition():
    resampled = halved(np.random.default_rng(1))
    halves, losses = resampled.parts["halves"].loss[0], resampled.loss[0, :, 0]
    error = np.sqrt(sum((one - other) ** 2 for one, other in halves) / (2 * 10))
    limits = conservative_z(resampled).interval(alpha=0.01)
    reach = stats.norm.ppf(0.995) * error
    assert_allclose([limits.low, limits.high], np.clip([losses.mean() - reach, losses.mean() + reach], 0, 1))
    assert_allclose(conservative_z(resampled).location, losses.mean())
    two = halved(np.random.default_rng(2), many=2)
    difference = two.parts["halves"].loss[0] - two.parts["halves"].loss[1]
    error = np.sqrt(((difference[:, 0] - difference[:, 1]) ** 2).sum() / 20)
    z = (two.loss[0] - two.loss[1]).mean() / error
    assert_allclose(conservative_z(two).test().statistic, z)
    assert_allclose(conservative_z(two).test().pvalue, 2 * stats.norm.sf(abs(z)))
    assert_allclose(conservative_z(two.select("B", "A")).test().statistic, -z)


def test_halves_that_never_differ_claim_nothing():
    resampled = halved(np.random.default_rng(1))
    inside = replace(resampled.parts["halves"], loss=np.full((1, 10, 2), 0.3))
    flat = replace(resampled, parts={"halves": inside})
    limits = conservative_z(flat).interval()
    assert (limits.low, limits.high) == (0, 1)
    checks = check_assumptions(
        find_method("conservative-z", "interval", Resamples).assumes, flat, Context(interval=limits)
    )
    assert [check.code for check in checks if not check.holds] == ["TA426"]


def test_many_at_once_are_many_single_ones():
    rng = np.random.default_rng(4)
    resampled = halved(rng, (2, 3), many=2)
    limits, decided = conservative_z(resampled).interval(), conservative_z(resampled).test()
    runs = [nested(*drawn(seed, many=2), ("A", "B")) for seed in range(3)]
    first = runs[0]  # folds of one size, so that the entries share them
    stacked = replace(
        first,
        loss=np.stack([run.loss for run in runs]),
        together=np.stack([run.together for run in runs]),
        parts={"inner": replace(first.parts["inner"], loss=np.stack([run.parts["inner"].loss for run in runs]))},
    )
    whole, test = nested_cv(stacked).interval(), nested_cv(stacked).test()
    for index in np.ndindex(2, 3):
        alone = conservative_z(resampled[index]).interval()
        assert_allclose([alone.low, alone.high], [limits.low[index], limits.high[index]])
        assert_allclose(conservative_z(resampled[index]).test().pvalue, decided.pvalue[index])
        assert type(alone.low) is np.float64
    for index, run in enumerate(runs):
        alone = nested_cv(run).interval()
        assert_allclose([whole.low[index], whole.high[index]], [alone.low, alone.high])
        assert_allclose(test.pvalue[index], nested_cv(run).test().pvalue)
        assert_allclose(nested_cv(stacked).location[index], nested_cv(run).location)
        assert type(nested_cv(run).location) is np.float64
