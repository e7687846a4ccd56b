"""Crossed training sets and test examples, against an analysis of variance done elsewhere, and by simulation."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import Resamples, TrainingSets
from tellapart.evidence.plan import Plan
from tellapart.methods import find_method, find_methods
from tellapart.methods.assumptions import Context, check_assumptions
from tellapart.methods.resamples.estimators import corrected_t_interval
from tellapart.methods.training_sets.components import variance_components
from tellapart.methods.training_sets.crossed import crossed_interval, quasi_f
from tellapart.methods.training_sets.two_way import two_way_bootstrap

laws = settings(derandomize=True, deadline=None, max_examples=12)


def squares(values):
    """Return mean and mean squares of a two-way table without replication, one number after the other."""
    many, each = len(values), len(values[0])
    grand = sum(map(sum, values)) / (many * each)
    rows = [sum(row) / each for row in values]
    columns = [sum(row[j] for row in values) / many for j in range(each)]
    of_rows = each * sum((row - grand) ** 2 for row in rows) / (many - 1)
    of_columns = many * sum((column - grand) ** 2 for column in columns) / (each - 1)
    rest = sum((values[i][j] - rows[i] - columns[j] + grand) ** 2 for i in range(many) for j in range(each))
    return grand, of_rows, of_columns, rest / ((many - 1) * (each - 1))


def crossed_limits(values, alpha):
    grand, t, x, r = squares(values)
    i, j = len(values), len(values[0])
    total = max(t + x - r, t, x)
    freedom = max((t + x - r) ** 2 / (t**2 / (i - 1) + x**2 / (j - 1) + r**2 / ((i - 1) * (j - 1))), i - 1)
    reach = stats.t.isf(alpha / 2, freedom) * np.sqrt(total / (i * j))
    return grand - reach, grand + reach


def random_sets(seed, *, learners=2, sets=5, examples=12, shape=()):
    rng = np.random.default_rng(seed)
    hard = rng.random((*shape, 1, 1, examples)) * 0.6
    luck = rng.normal(size=(*shape, learners, sets, 1)) * 0.1
    loss = rng.random((*shape, learners, sets, examples)) < hard + luck
    return TrainingSets(loss, learners=("A", "B", "C")[:learners])


def failed(name, gives, sets):
    interval = crossed_interval(sets).interval()
    checks = check_assumptions(find_method(name, gives, TrainingSets).assumes, sets, Context(interval=interval))
    return [check.code for check in checks if not np.all(check.holds)]


# --- Numbers from elsewhere ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("learners", [1, 2])
def test_crossed_interval_follows_the_definition(seed, learners):
    sets = random_sets(seed, learners=learners, sets=2 + seed)
    low, high = crossed_limits(sets.values.tolist(), 0.1)
    limits = crossed_interval(sets).interval(alpha=0.1)
    assert_allclose([limits.low, limits.high], np.clip([low, high], 1 - learners, 1), rtol=1e-9, atol=1e-12)
    assert limits.parameter == ("error", "difference")[learners - 1]
    assert_allclose(crossed_interval(sets).location, np.mean(sets.values))


@pytest.mark.parametrize("seed", range(4))
def test_quasi_f_is_that_of_a_three_way_analysis_of_variance(seed):
    """Statsmodels' mean squares of learner, learner × training set, learner × example and all three."""
    import pandas as pd
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    sets = random_sets(seed, sets=4, examples=7)
    loss = sets.loss + np.random.default_rng(seed).normal(size=sets.loss.shape) * 0.01
    sets = replace(sets, loss=loss, metric="brier")
    index = np.indices(loss.shape).reshape(3, -1)
    table = pd.DataFrame({"y": loss.ravel(), "a": index[0], "t": index[1], "x": index[2]})
    fitted = anova_lm(ols("y ~ C(a) + C(t) + C(x) + C(a):C(t) + C(a):C(x) + C(t):C(x)", table).fit())
    a, at, ax, atx = fitted["mean_sq"][["C(a)", "C(a):C(t)", "C(a):C(x)", "Residual"]]
    f = (a + atx) / (at + ax)
    above = (a + atx) ** 2 / (a**2 + atx**2 / 18)
    below = (at + ax) ** 2 / (at**2 / 3 + ax**2 / 6)
    result = quasi_f(sets)
    assert_allclose([result.statistic, result.pvalue], [f, stats.f.sf(f, above, below)], rtol=1e-8)
    one = {way: quasi_f(sets, alternative=way).pvalue for way in ("greater", "less")}
    assert_allclose(one["greater"] + one["less"], 1)
    assert_allclose(one["greater" if sets.difference > 0 else "less"], result.pvalue / 2)


def test_components_by_hand():
    """Row means ½, ¼, ¾ and column means 1, 0, ⅓, ⅔: MS_T = ¼, MS_X = 5/9, MS_R = 5/36."""
    sets = TrainingSets([[[1, 0, 0, 1], [1, 0, 0, 0], [1, 0, 1, 1]]], learners=("a",))
    parts = variance_components(sets)
    assert parts.names == ("training set", "test example", "rest")
    assert_allclose(parts.variance, [1 / 36, 5 / 36, 5 / 36], rtol=1e-12)
    assert_allclose(parts.shares.sum(), 1)
    assert_allclose(parts.of("test example"), 5 / 36)
    assert parts.as_dict().keys() == set(parts.names)
    with pytest.raises(InvalidOption, match="`name` must be one of training set"):
        parts.of("luck")


def test_seeds_are_taken_out_of_the_training_sets_component():
    sets = random_sets(1, learners=1)
    plain = variance_components(sets)
    spread = np.full((1, 5), 0.004)
    seeded = variance_components(replace(sets, seeds=4, seed_variance=spread))
    assert seeded.names[-1] == "seed"
    assert_allclose(seeded.moments[:-1], plain.moments - [0.001, 0, 0])
    assert_allclose(seeded.of("seed"), 0.004)
    assert variance_components(replace(sets, varies="seed")).names[0] == "seed"


def test_what_comes_out_below_zero_is_zero_and_stated():
    sets = TrainingSets([[[1, 0, 1, 0], [0, 1, 0, 1]]], learners=("a",))  # nothing but interaction
    parts = variance_components(sets)
    assert parts.of("training set") == parts.of("test example") == 0 < parts.of("rest")
    assert "negative estimates, set to 0: training set" in str(parts)
    many = variance_components(random_sets(3, shape=(2, 4)))
    assert many.variance.shape == (2, 4, 3)
    assert "means of 8 entries" in str(many)


def test_components_of_resamples():
    """Losses .1, .3, .2, .4: variance 1/60, of which a quarter of the seeds' .004 is theirs."""
    evidence = Resamples(
        [[[0.1, 0.3, 0.2, 0.4]]],
        10,
        30,
        Plan.parse("4-fold"),
        ("A",),
        seeds=4,
        seed_variance=np.full((1, 1, 4), 0.004),
    )
    parts = variance_components(evidence)
    assert parts.names == ("split", "seed")
    assert_allclose(parts.variance, [1 / 60 - 0.001, 0.004])
    with pytest.raises(InvalidEvidence, match="Use seeds=5"):
        variance_components(Resamples.from_scores([0.1, 0.2], plan="2-fold"))


@pytest.mark.parametrize("varies", ["seed", "training set"])
def test_two_way_bootstrap_is_a_loop_over_draws(varies):
    """The same draws, one after the other: seeds of A and B apart, training sets and examples together."""
    sets = replace(random_sets(2, sets=6, examples=9), varies=varies)
    one, other, third = np.random.default_rng(7).spawn(3)
    drawn = []
    for _ in range(200):
        a = one.integers(6, size=6)
        b = other.integers(6, size=6) if varies == "seed" else a
        items = third.integers(9, size=9)
        drawn.append(sets.loss[0][a][:, items].mean() - sets.loss[1][b][:, items].mean())
    limits = two_way_bootstrap(sets, resamples=200, rng=7).interval(alpha=0.1)
    assert_allclose([limits.low, limits.high], np.quantile(drawn, [0.05, 0.95]), atol=1e-12)
    below, above = ((np.array(drawn) * sign <= 1e-12).sum() for sign in (1, -1))
    result = two_way_bootstrap(sets, resamples=200, rng=7).test()
    assert_allclose(result.pvalue, min(1, 2 * (1 + min(below, above)) / 201))
    assert_allclose(result.statistic, sets.difference / np.std(drawn), rtol=1e-9)
    greater = two_way_bootstrap(sets, resamples=200, rng=7).test(alternative="greater")
    assert_allclose(greater.pvalue, (1 + below) / 201)


def test_the_variance_of_the_two_way_bootstrap():
    """Owen 2007: draws vary by the seeds' and the examples' variance, and by some of the rest."""
    rng = np.random.default_rng(0)
    loss = rng.normal(size=(1, 30, 1)) + rng.normal(size=(1, 1, 40))
    sets = TrainingSets(loss, learners=("A",), metric="loss", varies="seed")
    limits = two_way_bootstrap(sets).interval(alpha=0.3173)
    expected = np.sqrt(loss[0].mean(axis=1).var() / 30 + loss[0].mean(axis=0).var() / 40)
    assert_allclose(limits.width / 2, expected, rtol=0.05)


# --- Where there is nothing to judge by ------------------------------------------------------------------


def test_identical_learners_and_constant_differences():
    loss = np.random.default_rng(1).random((1, 5, 8)) < 0.4
    twins = TrainingSets(np.repeat(loss, 2, axis=0))
    constant = TrainingSets(np.stack([np.full((5, 8), 0.3), np.full((5, 8), 0.2)]))
    for sets, statistic in ((twins, 0), (constant, np.inf)):
        for way in ("two-sided", "greater", "less"):
            result = quasi_f(sets, alternative=way)
            assert (result.statistic, result.pvalue) == (statistic, 1)
            result = two_way_bootstrap(replace(sets, varies="training set"), resamples=50).test(alternative=way)
            assert (result.statistic, result.pvalue) == (statistic, 1)
        for limits in (crossed_interval(sets).interval(), two_way_bootstrap(sets, resamples=100).interval()):
            assert (limits.low, limits.high) == (-1, 1)
        assert failed("quasi-f", "test", sets) == failed("crossed-interval", "interval", sets) == ["TA430"]
        assert "TA434" in failed("two-way-bootstrap", "test", sets)


@laws
@given(st.integers(0, 10**6), st.floats(-18, -8), st.sampled_from([1e-6, 1.0, 1e6]))
def test_what_counts_as_rounding_is_always_reported(seed, power, scale):
    """Where the interval is everything for want of spread, a check says so."""
    noise = np.random.default_rng(seed).normal(size=(2, 5, 8)) * 10**power
    sets = TrainingSets(scale * (np.array([0.3, 0.2])[:, None, None] + noise), metric="loss")
    limits, interval = crossed_interval(sets).interval(), quasi_f(sets)
    if np.isinf(limits.low):
        assert "TA430" in failed("crossed-interval", "interval", sets)
        assert interval.pvalue == 1
    evidence = Resamples(sets.loss[:1], 10, 30, Plan.parse("5x8"), ("A",), metric="loss")
    limits = corrected_t_interval(evidence).interval()
    checks = check_assumptions(
        find_method("corrected-t-interval", "interval", Resamples).assumes, evidence, Context(interval=limits)
    )
    assert np.isfinite(limits.low) or "TA424" in [check.code for check in checks if not check.holds]


def test_nothing_but_interaction_is_reported():
    sets = TrainingSets([[[1, 0, 1, 0], [0, 1, 0, 1]], [[0, 0, 0, 0], [0, 0, 0, 0]]])
    assert quasi_f(sets).pvalue == 1
    assert "TA430" in failed("quasi-f", "test", sets)
    assert (crossed_interval(sets).interval().low, crossed_interval(sets).interval().high) == (-1, 1)


@pytest.mark.parametrize("shape", [(2, 1, 5), (2, 5, 1)])
def test_one_training_set_or_one_example_is_refused(shape):
    sets = TrainingSets(np.zeros(shape))
    for function in (lambda sets: crossed_interval(sets).interval(), quasi_f, variance_components):
        with pytest.raises(InvalidEvidence, match=r"needs 2 or more training sets and test examples.*delve 8x200"):
            function(sets)


def test_checks_and_refusals():
    few = random_sets(0, sets=4)
    assert failed("quasi-f", "test", few) == ["TA431"]
    assert failed("two-way-bootstrap", "test", few) == ["TA433"]
    assert failed("quasi-f", "test", replace(random_sets(0), varies="seed")) == ["TA432"]
    with pytest.raises(InvalidEvidence, match="'quasi-f' needs two learners, got A, B, C"):
        quasi_f(random_sets(0, learners=3))
    with pytest.raises(InvalidOption, match="`resamples` must be at least 40"):
        two_way_bootstrap(few, resamples=30).interval()


# --- Laws --------------------------------------------------------------------------------------------------

METHODS = find_methods(evidence=TrainingSets)
each_method = pytest.mark.parametrize("entry", METHODS, ids=lambda entry: f"{entry.name}-{entry.gives}")


def fields(entry, result):
    if entry.gives == "estimate":
        return [result]
    return [result.low, result.high] if entry.gives == "interval" else [result.statistic, result.pvalue]


def options(entry):
    return {"resamples": 300} if "resamples" in entry.options else {}


@each_method
def test_many_at_once_are_many_single_ones(entry):
    sets = random_sets(5, shape=(2, 3))
    together = fields(entry, entry(sets, **options(entry)))
    for index in np.ndindex(2, 3):
        alone = fields(entry, entry(sets[index], **options(entry)))
        assert all(type(value) is np.float64 for value in alone)
        assert_allclose(alone, [value[index] for value in together], rtol=1e-10, atol=1e-14)


@each_method
@laws
@given(st.integers(0, 10**6))
def test_renaming_the_learners_only_flips_the_sign(entry, seed):
    if entry.name == "two-way-bootstrap":
        return  # A and B have draws of their own
    sets = random_sets(seed, sets=3, examples=8)
    here, there = entry(sets), entry(sets.select("B", "A"))
    if entry.gives == "test":
        assert_allclose([here.statistic, here.pvalue], [there.statistic, there.pvalue], rtol=1e-9)
        less, greater = entry(sets, alternative="less"), entry(sets.select("B", "A"), alternative="greater")
        assert_allclose(less.pvalue, greater.pvalue, rtol=1e-9)
        assert 0 < here.pvalue <= 1
    elif entry.gives == "interval":
        assert_allclose([here.low, here.high], [-there.high, -there.low], atol=1e-12)
        assert -1 <= here.low <= sets.difference <= here.high <= 1
    else:
        assert_allclose(here, -there, atol=1e-14)


@laws
@given(st.integers(0, 10**6), st.floats(1e-9, 0.5), st.floats(1e-9, 0.5))
def test_a_higher_level_is_wider(seed, one, other):
    sets = random_sets(seed, learners=1)
    wide, narrow = (crossed_interval(sets).interval(alpha=alpha) for alpha in sorted((one, other)))
    assert wide.low <= narrow.low <= narrow.high <= wide.high
    crossed = crossed_interval(sets)
    assert crossed.interval(alpha=one / 2, side="upper").high == crossed.interval(alpha=one).high
    assert crossed.interval(alpha=one, side="lower").high == 1


def test_a_margin_moves_the_null():
    sets = random_sets(9, sets=6, examples=30)
    shifted = replace(sets, loss=sets.loss - np.array([0.1, 0.0])[:, None, None], metric="loss")
    assert_allclose(quasi_f(sets, against=0.1).pvalue, quasi_f(shifted).pvalue, rtol=1e-9)
    assert quasi_f(sets, against=float(sets.difference)).pvalue == 1
    moved = two_way_bootstrap(sets, resamples=300).test(0.1)
    assert_allclose(moved.pvalue, two_way_bootstrap(shifted, resamples=300).test().pvalue)


def test_the_size_of_blocks_changes_no_draw(monkeypatch):
    sets = random_sets(3, sets=10)
    before = two_way_bootstrap(sets, resamples=500).interval()
    monkeypatch.setattr("tellapart.methods.training_sets.two_way._BLOCK", 500)
    after = two_way_bootstrap(sets, resamples=500).interval()
    assert (before.low, before.high) == (after.low, after.high)


# --- What they are worth -----------------------------------------------------------------------------------

# The spread of training sets, of examples and of the rest; sets, examples. Every loss is normal, its mean 0.
DESIGNS = [(0.3, 1.0, 1.0, 8, 200), (0.05, 1.0, 1.0, 8, 200), (0.3, 0.1, 1.0, 5, 200), (0.05, 0.5, 1.0, 5, 400)]


def effects(rng, design, trials):
    by_set, by_example, rest, sets, examples = design
    return (
        by_set * rng.normal(size=(trials, 1, sets, 1))
        + by_example * rng.normal(size=(trials, 1, 1, examples))
        + rest * rng.normal(size=(trials, 1, sets, examples))
    )


@pytest.mark.parametrize("design", DESIGNS)
def test_coverage_and_size(design):
    """The 95 % interval covers 0.94 to 0.98 and quasi-F rejects 0.02 to 0.06, with a binomial's 10⁻⁴ to spare."""
    rng, trials = np.random.default_rng(25), 1500
    evidence = TrainingSets(effects(rng, design, trials), learners=("A",), metric="loss")
    covered = int(crossed_interval(evidence).interval().contains(0.0).sum())
    assert stats.binom.ppf(1e-4, trials, 0.94) <= covered <= stats.binom.isf(1e-4, trials, 0.985)
    two = np.concatenate([evidence.loss, np.zeros_like(evidence.loss)], axis=1)
    rejected = int((quasi_f(TrainingSets(two, metric="loss")).pvalue < 0.05).sum())
    assert stats.binom.ppf(1e-4, trials, 0.018) <= rejected <= stats.binom.isf(1e-4, trials, 0.06)


def test_a_t_test_over_training_sets_is_wrong_here():
    """Where examples carry the variance: the t over 8 training sets covers 0.66 to 0.86 and less."""
    trials = 1000
    values = effects(np.random.default_rng(3), DESIGNS[1], trials)[:, 0].mean(axis=-1)
    naive = np.abs(stats.ttest_1samp(values, 0.0, axis=-1).pvalue) > 0.05
    assert naive.mean() < 0.86


def test_components_are_recovered():
    parts = variance_components(
        TrainingSets(effects(np.random.default_rng(8), DESIGNS[0], 400), learners=("A",), metric="loss")
    )
    assert_allclose(parts.moments.mean(axis=0), [0.09, 1.0, 1.0], rtol=0.08)


# --- Losses of any size -----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1e-300, 1e-16, 1e200, 1e300])
def test_nothing_depends_on_the_unit_of_the_loss(size):
    loss = np.random.default_rng(0).random((2, 5, 9)) * [[[1.0]], [[5.0]]]

    def sets(unit, varies="training set"):
        return TrainingSets(unit * loss, metric="log_loss", varies=varies)

    for test in (find_method(name, "test", TrainingSets) for name in ("quasi-f", "two-way-bootstrap")):
        for varies in ("training set", "seed"):
            here, there = test(sets(1.0, varies)), test(sets(size, varies))
            assert_allclose([there.statistic, there.pvalue], [here.statistic, here.pvalue], rtol=1e-9)
        here, there = (test(sets(unit), against=-2.0 * unit).pvalue for unit in (1.0, size))
        assert_allclose(there, here, rtol=1e-9)
    for fit in (crossed_interval, two_way_bootstrap):
        here, there = fit(sets(1.0)).interval(), fit(sets(size)).interval()
        assert_allclose([there.low / size, there.high / size], [here.low, here.high], rtol=1e-9)
    assert failed("quasi-f", "test", sets(size)) == failed("quasi-f", "test", sets(1.0)) == []


def test_variances_that_are_no_numbers_are_refused():
    loss = np.random.default_rng(0).random((1, 5, 9))
    for size in (1e-300, 1e300):
        with pytest.raises(InvalidEvidence, match="Use another unit"):
            variance_components(TrainingSets(size * loss, learners=("A",), metric="log_loss"))
    parts = [variance_components(TrainingSets(size * loss, ("A",), metric="x")).variance for size in (1.0, 1e100)]
    assert_allclose(parts[1] / 1e200, parts[0], rtol=1e-9)


def test_seeds_that_vary_together_still_vary():
    """A and B err on the same seeds, but any seed of A may meet any seed of B: the draws differ, and no check fails."""
    wrong = np.repeat([[1.0], [0.0], [1.0], [0.0]] * 3, 8, axis=1)
    sets = TrainingSets(np.stack([wrong, wrong]), varies="seed")
    result = two_way_bootstrap(sets, resamples=500).test()
    assert np.ptp(sets.values) == 0
    assert result.pvalue > 0.5
    assert "TA434" not in failed("two-way-bootstrap", "test", sets)
    constant = TrainingSets(np.stack([np.ones((12, 8)), np.zeros((12, 8))]), varies="seed")
    assert "TA434" in failed("two-way-bootstrap", "test", constant)
    assert two_way_bootstrap(constant, resamples=500).test().pvalue == 1
