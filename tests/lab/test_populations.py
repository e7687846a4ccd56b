"""Populations against integration, brute force and the papers' designs; their laws."""

import csv
import math
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import integrate, stats
from sklearn.neighbors import KNeighborsClassifier

from tellapart.errors import InvalidOption
from tellapart.lab import (
    Cells,
    Constant,
    CurvedRegions,
    Discriminant,
    Linear,
    Logistic,
    LogisticModel,
    Majority,
    NearestNeighbours,
    NoisyLabels,
    NormalClasses,
    Rows,
    TwoNormals,
    binomial_check,
)

TARGETS = Path(__file__).parent.parent / "targets"
YANG_NORMAL = NormalClasses((0.4, 0.3, 0.0), (0.0, 0.0, 0.0), share_1=0.4, fixed=True)
YANG_LOGISTIC = LogisticModel(1.0, (0.2, 0.2, 3.0))
laws = settings(derandomize=True, deadline=None, max_examples=12)


def read(name):
    with (TARGETS / name).open(newline="") as file:
        return list(csv.DictReader(file))


# --- Bayes errors ---------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [0.001, 0.01, 0.02, 0.05, 0.10, 0.25, 0.40, 0.50])
def test_two_normals_have_their_inherent_error(error):
    """Mpmath integrates the smaller of the two densities."""
    population = TwoNormals(error)
    assert_allclose(population.bayes_error, error, rtol=1e-12)
    half = mpmath.mpf(population.separation) / 2
    smaller = mpmath.quad(lambda x: min(mpmath.npdf(x, -half), mpmath.npdf(x, half)) / 2, [-12, -half, 0, half, 12])
    assert_allclose(population.bayes_error, float(smaller), rtol=1e-10)


def test_the_designs_of_yang():
    """s3_designs.csv: Bayes errors 0.3716 and 0.1564, P(Y=1) 0.6129."""
    text = {(row["experiment"], row["parameter"]): row["value"] for row in read("s3_designs.csv")}
    name = "Bayes error of the design (computed)"
    assert f"{YANG_NORMAL.bayes_error:.4f}" == text["Tables 1-3", name]
    assert f"{YANG_LOGISTIC.bayes_error:.4f}" == text["Table 4", name]
    assert f"{YANG_LOGISTIC.share_1:.4f}" in text["Table 4", "P(Y=1)"]
    _, y = YANG_NORMAL.draw((50,), 100, 1)
    assert_array_equal(y.sum(axis=-1), 40)  # "fixed at 40/60 per 100"
    assert y.std(axis=0).min() > 0  # in random order


def test_bayes_errors_by_integration():
    """Normal classes in one direction, by SciPy; the logistic model by mpmath."""
    population = NormalClasses((0.5, -1.0), (1.5, 0.2), share_1=0.3)
    disagreement = math.hypot(1.0, 1.2)

    def smaller(t):
        return min(0.7 * stats.norm.pdf(t), 0.3 * stats.norm.pdf(t - disagreement))

    best = disagreement / 2 + math.log(0.7 / 0.3) / disagreement
    assert_allclose(population.bayes_error, integrate.quad(smaller, -9, 12, points=[best])[0], rtol=1e-8)
    model, length = LogisticModel(-0.7, (1.5, -2.0)), mpmath.mpf(2.5)
    lost = mpmath.quad(lambda z: mpmath.npdf(z) / (1 + mpmath.exp(abs(-0.7 + length * z))), [-12, -2, 0.28, 3, 12])
    assert_allclose(model.bayes_error, float(lost), rtol=1e-10)


@pytest.mark.parametrize(
    ("model", "weights", "offset"),
    [
        (YANG_LOGISTIC, (0.3, -0.1, 1.0), 0.2),
        (YANG_LOGISTIC, (0.2, 0.201, 3.0), 1.0),  # all but the Bayes rule
        (LogisticModel(-0.3, (8.0, 1.0)), (1.0, -8.0), 0.5),  # at right angles to it
        (LogisticModel(0.5, (40.0, 3.0)), (1.0, 0.5), -0.3),  # steep
    ],
)
def test_linear_rules_under_the_logistic_model(model, weights, offset):
    """Two nested adaptive integrals, over the rule's score and the rest."""
    truth = np.array(model.coefficients)
    length, size = np.linalg.norm(truth), np.linalg.norm(weights)
    rho = float(truth @ weights / length / size)
    rest = math.sqrt(1 - rho**2)

    def balance(u):  # E[P(1) − P(0) | score]
        kink = np.clip(-(model.intercept / length + rho * u) / rest, -9, 9)

        def part(v):
            return math.tanh((model.intercept + length * (rho * u + rest * v)) / 2) * stats.norm._pdf(v)

        return sum(integrate.quad(part, *ends, epsabs=1e-11, limit=100)[0] for ends in ((-9, kink), (kink, 9)))

    start = -offset / size
    gain = integrate.quad(lambda u: balance(u) * stats.norm._pdf(u), start, 9, epsabs=1e-10, limit=100)[0]
    result = model.true_error(Linear(np.array(weights), np.array(offset)))
    assert_allclose(result, model.share_1 - gain, atol=1e-8)


# --- True errors ----------------------------------------------------------------------------------


def test_cells_against_integration():
    """The probability of the other class in every cell, by SciPy's distribution functions, cell by cell."""
    population = TwoNormals(0.1)
    x, y = population.draw((5,), 12, 3)
    rule = NearestNeighbours(1).fit(x, y)
    half = population.separation / 2
    for i, error in enumerate(population.true_error(rule)):
        ends = [-np.inf, *rule.cuts[i], np.inf]
        wrong = sum(
            0.5 * (stats.norm.cdf(high + (half if label else -half)) - stats.norm.cdf(low + (half if label else -half)))
            for low, high, label in zip(ends[:-1], ends[1:], rule.labels[i], strict=True)
        )
        assert_allclose(error, wrong, rtol=1e-10)


def test_cells_against_scikit_learn_on_a_grid():
    population = TwoNormals(0.25)
    x, y = population.draw((), 30, 4)
    grid = np.linspace(-7, 7, 200_001)
    message = KNeighborsClassifier(3).fit(x, y).predict(grid[:, None])
    density = stats.norm.pdf(grid[:, None] - population.means[:, 0]) / 2
    wrong = density[np.arange(grid.size), 1 - message].sum() * (grid[1] - grid[0])
    assert_allclose(population.true_error(NearestNeighbours(3).fit(x, y)), wrong, atol=1e-4)


@pytest.mark.parametrize("population", [YANG_NORMAL, YANG_LOGISTIC, NoisyLabels(YANG_NORMAL, 0.1)], ids=str)
def test_what_is_exact_agrees_with_what_is_drawn(population):
    """Counting errors on drawn examples is the second route; `sampled_error` the third."""
    x, y = population.draw((), 200_000, 5)
    train = population.draw((4,), 40, 6)
    for rule in (Discriminant().fit(*train), Discriminant((0, 1)).fit(*train), Majority().fit(*train)):
        exact = population.true_error(rule)
        assert population.how(rule) == "exact"
        counted = (rule.predict(x) != y).mean(axis=-1)
        assert_allclose(counted, exact, atol=4 * math.sqrt(0.25 / 200_000))
        sampled = population.sampled_error(rule, sample=50_000, rng=7)
        assert (np.abs(sampled.error - exact) <= 4.5 * sampled.se + 1e-9).all()
        assert (sampled.se < math.sqrt(0.25 / 50_000)).all()


def test_cells_of_one_column_of_many():
    population = NormalClasses((0.0, 0.0), (0.5, 2.0), share_1=0.3)
    x, y = population.draw((3,), 25, 1)
    rule = NearestNeighbours(1, attributes=(1,)).fit(x, y)
    assert population.how(rule) == "exact"
    sampled = population.sampled_error(rule, rng=2)
    assert (np.abs(population.true_error(rule) - sampled.error) < 4 * sampled.se).all()


def test_other_classifiers_are_sampled_and_say_so():
    x, y = YANG_NORMAL.draw((), 60, 2)
    theirs = KNeighborsClassifier(1).fit(x, y)
    assert YANG_NORMAL.how(theirs) == "sampled"
    ours = NearestNeighbours(1).fit(x, y)
    assert YANG_NORMAL.how(ours) == "sampled"
    assert YANG_NORMAL.true_error(theirs, sample=5000) == YANG_NORMAL.true_error(ours, sample=5000)
    assert YANG_NORMAL.true_error(ours, sample=5000) != YANG_NORMAL.true_error(ours, sample=5000, rng=1)


def test_true_errors_of_nearest_neighbours_are_those_of_the_reference():
    """s0_nn_reference.csv (S0-40, S0-47, S0-48): simulated without this package, 240 or 400 samples a cell."""
    rng, trials = np.random.default_rng(1996), 20_000
    for row in read("s0_nn_reference.csv"):
        population, n = TwoNormals(float(row["inherent_error_pct"]) / 100), int(row["samples"])
        x, y = population.draw((trials,), int(row["N"]), rng)
        one, three = (population.true_error(NearestNeighbours(k).fit(x, y)) for k in (1, 3))
        for ours, name in ((one, "ter_1nn"), (three, "ter_3nn"), (three - one, "ter_diff_mean")):
            spread = ours.std() * math.sqrt(1 / n + 1 / trials)
            assert abs(ours.mean() - float(row[name])) < 4 * spread + 1e-5, (row["N"], row["inherent_error_pct"], name)
        sd, gap = (three - one).std(), three - one - (three - one).mean()
        spread_of_sd = math.sqrt(max((gap**4).mean() - sd**4, 0) / n) / (2 * sd) if sd > 1e-9 else 0
        assert abs(sd - float(row["ter_diff_sd"])) < 4 * spread_of_sd + 1e-5, (row["N"], row["inherent_error_pct"])


def test_table_10_of_martin_and_hirschberg():
    """The t of 20 samples' true errors: the reference's mean, and the printed one within 3 sd (except 0.1%: E0-21)."""
    printed = {(row["N"], row["inherent_error_pct"]): float(row["t_paired_TER"]) for row in read("s0_table10.csv")}
    rng = np.random.default_rng(10)
    for row in read("s0_nn_reference.csv"):
        if row["inherent_error_pct"] == "50":
            continue  # every rule has an error of 50%: there is no t
        x, y = (population := TwoNormals(float(row["inherent_error_pct"]) / 100)).draw((250, 20), int(row["N"]), rng)
        one, three = (population.true_error(NearestNeighbours(k).fit(x, y)) for k in (1, 3))
        gap = three - one
        t = gap.mean(axis=1) / gap.std(axis=1, ddof=1) * math.sqrt(20)
        groups = int(row["samples"]) // 20
        assert abs(t.mean() - float(row["t20_ter_mean"])) < 4 * t.std() * math.sqrt(1 / groups + 1 / 250)
        if row["inherent_error_pct"] != "0.1":
            assert abs(t.mean() - printed[row["N"], row["inherent_error_pct"]]) < 3 * t.std()


# --- Laws -----------------------------------------------------------------------------------------


@given(
    st.lists(st.floats(-4, 4), min_size=1, max_size=6),
    st.lists(st.integers(0, 1), min_size=7, max_size=7),
    st.sampled_from([0.001, 0.1, 0.4, 0.5]),
)
@laws
def test_laws_of_true_errors_of_cells(cuts, labels, error):
    """Between the Bayes error and one less it, no regret below 0, and turning a rule around turns its error around."""
    population, cuts, labels = TwoNormals(error), np.sort(cuts), np.array(labels[: len(cuts) + 1])
    rule = Cells(cuts, labels)
    result = population.true_error(rule)
    assert error - 1e-12 <= result <= 1 - error + 1e-12
    assert population.regret(rule) >= 0
    assert_allclose(population.true_error(Cells(cuts, 1 - labels)), 1 - result, atol=1e-14)


@given(st.lists(st.floats(-3, 3), min_size=4, max_size=4), st.floats(0, 1))
@laws
def test_laws_of_true_errors_of_planes(numbers, share):
    *weights, offset = numbers
    for population in (NormalClasses((0.0, 1.0, 0.0), (0.3, 0.0, 0.0), share), YANG_LOGISTIC):
        rule = Linear(np.array(weights), np.array(offset))
        result, best = population.true_error(rule), population.bayes_error
        assert best - 1e-9 <= result <= 1 - best + 1e-9
        if any(weights):  # the other side of the plane
            turned = Linear(-rule.weights, -rule.offset)
            assert_allclose(population.true_error(turned), 1 - result, atol=1e-9)


@given(st.permutations(range(12)), st.integers(0, 5))
@laws
def test_the_order_of_the_sample_changes_no_true_error(order, seed):
    population = TwoNormals(0.2)
    x, y = population.draw((), 12, seed)
    for inducer in (NearestNeighbours(1), NearestNeighbours(3), Discriminant(), Majority()):
        errors = [population.true_error(inducer.fit(x[rows], y[rows])) for rows in (list(range(12)), list(order))]
        assert_allclose(*errors, rtol=1e-10)


@pytest.mark.parametrize("population", [TwoNormals(0.1), YANG_NORMAL, YANG_LOGISTIC], ids=str)
def test_the_bayes_rule_is_the_best_and_the_posterior_is_calibrated(population):
    x, y = population.draw((), 100_000, 8)
    chance = population.posterior(x)
    assert_allclose(chance.sum(axis=-1), 1)
    wrong = (population.bayes_rule(x) != y).mean()
    assert abs(wrong - population.bayes_error) < 4 * math.sqrt(0.25 / 100_000)
    assert abs(chance[:, 1].mean() - y.mean()) < 4 * math.sqrt(0.25 / 100_000)
    high = chance[:, 1] > np.median(chance[:, 1])
    assert abs(chance[high, 1].mean() - y[high].mean()) < 4 * math.sqrt(0.25 / 50_000)
    assert population.posterior(x[0]).shape == (2,)


def test_bayes_rule_has_no_regret():
    for population in (YANG_NORMAL, TwoNormals(0.1)):
        weights = population.means[1] - population.means[0]
        odds = math.log(population.shares[1] / population.shares[0])
        rule = Linear(weights, np.array(odds - weights @ population.means.sum(axis=0) / 2))
        assert_allclose(population.regret(rule), 0, atol=1e-15)
        assert population.regret(Constant(np.array(1))) > 0.1


def test_expected_error_is_the_mean_over_training_sets():
    """Two normals, the midpoint: the threshold is normal with variance (1/n0 + 1/n1)/4, so PE integrates easily."""
    population = NormalClasses((-1.0,), (1.0,), 0.5, fixed=True)
    text = population.expected_error(Discriminant(shares=False), 20, trials=20_000, rng=3)
    sd = math.sqrt((1 / 10 + 1 / 10) / 4)
    exact = integrate.quad(
        lambda c: (stats.norm.cdf(-(c + 1)) + stats.norm.cdf(c - 1)) / 2 * stats.norm.pdf(c, scale=sd), -4, 4
    )[0]
    assert abs(text.error - exact) < 4 * text.se
    assert_allclose(text.regret, text.error - population.bayes_error, rtol=1e-12)
    assert_allclose(text.se, text.sd / math.sqrt(20_000), rtol=1e-12)
    sampled = YANG_NORMAL.expected_error(NearestNeighbours(1), 30, trials=20, rng=1, sample=2000)
    again = YANG_NORMAL.expected_error(NearestNeighbours(1), 30, trials=20, rng=2, sample=20_000)
    assert sampled.se > sampled.sd / math.sqrt(20)
    assert abs(sampled.error - again.error) < 4 * math.hypot(sampled.se, again.se)


def test_regrets_of_yangs_learners():
    """A predictor that tells nothing costs something; the true model's own rule has the least regret, which falls."""
    two, three = (YANG_NORMAL.expected_error(Discriminant(seen), 30, trials=2000, rng=4) for seen in ((0, 1), None))
    assert two.regret + 3 * math.hypot(two.se, three.se) < three.regret
    own, lda, later = (
        YANG_LOGISTIC.expected_error(inducer, examples, trials=500, rng=5)
        for inducer, examples in ((Logistic(), 100), (Discriminant(), 100), (Logistic(), 400))
    )
    assert own.regret < lda.regret
    assert later.regret < own.regret / 3


# --- Noise, rows, curves --------------------------------------------------------------------------


def test_noise_makes_errors_of_right_answers():
    clean = TwoNormals(0.1)
    noisy = NoisyLabels(clean, 0.2)
    x, y = clean.draw((6,), 15, 1)
    rule = NearestNeighbours(1).fit(x, y)
    assert_allclose(noisy.true_error(rule), clean.true_error(rule) * (1 - 2 * 0.2) + 0.2, rtol=1e-13)
    assert_allclose(noisy.bayes_error, 0.1 * 0.6 + 0.2, rtol=1e-12)
    assert_allclose(noisy.posterior([[0.0]]), [[0.5, 0.5]])
    assert_allclose(noisy.posterior([[9.0]]), [[0.2, 0.8]], atol=1e-8)
    assert_array_equal(noisy.bayes_rule(x), clean.bayes_rule(x))


def test_noise_among_several_classes():
    """A wrong label is each of the others as often: counted on drawn examples."""
    noisy = NoisyLabels(CurvedRegions(), 0.3)
    x, y = noisy.draw((), 100_000, 2)
    true = noisy.bayes_rule(x)
    rule = Constant(np.array(1))
    assert_allclose([(y != true).mean(), (y != 1).mean()], [noisy.bayes_error, noisy.true_error(rule)], atol=0.006)
    assert_allclose(noisy.bayes_error, 0.3)
    table = np.array([[np.mean(y[true == i] == j) for j in range(4)] for i in range(4)])
    assert_allclose(table, np.where(np.eye(4) > 0, 0.7, 0.1), atol=0.012)
    assert noisy.how(rule) == "grid"


def test_rows_are_the_population():
    x = np.array([[0.0, 1.0], [0.0, 1.0], [0.0, 1.0], [2.0, 0.0], [3.0, -0.0], [3.0, 0.0]])
    rows = Rows(x, ["b", "a", "b", "c", "a", "b"])
    assert rows.labels == ("a", "b", "c")
    assert_allclose(rows.bayes_error, 2 / 6)  # one of the three, one of the two
    assert_allclose(rows.posterior([0.0, 1.0]), [1 / 3, 2 / 3, 0])
    drawn, y = rows.draw((200,), 300, 0)
    assert_allclose(np.bincount(y.ravel()) / y.size, [2 / 6, 3 / 6, 1 / 6], atol=0.01)
    assert_allclose((drawn[..., 0] == 3).mean(), 2 / 6, atol=0.01)
    rule = Constant(np.array([0, 1, 2]))
    assert rows.how(rule) == "exact"
    assert_allclose(rows.true_error(rule), [4 / 6, 3 / 6, 5 / 6])
    assert (rows.regret(rule) > 0).all()
    with pytest.raises(InvalidOption, match="rows of the data set"):
        rows.posterior([[7.0, 7.0]])
    assert rows.as_dict()["fingerprint"] != Rows(x, ["b", "a", "b", "c", "b", "b"]).as_dict()["fingerprint"]
    x[0, 0] = 9.0
    assert rows.X[0, 0] == 0.0


def test_curved_regions_have_a_grid_as_dietterichs():
    curved = CurvedRegions()
    assert curved.grid.shape == (22_801, 2)
    assert_allclose([curved.grid.min(), curved.grid.max()], [0, 15])
    _, y = curved.draw((), 50_000, 0)
    shares = np.bincount(y, minlength=4) / y.size
    for label, share in enumerate(shares):  # the grid and the draw see the same areas
        assert 0.05 < share < 0.5
        assert abs(curved.true_error(Constant(np.array(label))) - (1 - share)) < 0.01
    assert abs(shares[3] - math.pi * 2.5**2 / 225) < 4 * math.sqrt(0.1 / 50_000)  # the disc
    near, far = (
        curved.expected_error(NearestNeighbours(1), examples, trials=10, rng=0).error for examples in (300, 30)
    )
    assert near < far / 2
    weak = curved.expected_error(NearestNeighbours(1, weights=(0.01, 1)), 300, trials=10, rng=0)
    assert weak.error > near + 0.05  # damaged


# --- Binomial errors in cross-validation ----------------------------------------------------------


def test_errors_in_cross_validation_are_binomial():
    """S0-03: means 4.107 sd apart, true error 0.0203 ± 0.0001, 10 folds of 100, Binomial(100, 0.0203) (E0-10)."""
    text = {row["parameter"]: row["implement"] for row in read("s0_chi2_experiment.csv")}
    assert_allclose(2 * stats.norm.ppf(1 - 0.02), 4.107, atol=5e-4)
    result = [binomial_check(samples=1000, rng=seed) for seed in range(12)]
    drawn = sum(check.drawn for check in result)
    assert abs(12_000 / drawn - float(text["acceptance fraction"])) < 0.05
    assert {check.df for check in result} == {int(text["df"])}
    assert abs(result[0].expected.sum() - 1000) < 1e-9
    assert_allclose(result[0].expected[:7], 1000 * stats.binom.pmf(np.arange(7), 100, 0.0203), rtol=1e-9)
    assert_allclose(result[0].pvalue, stats.chi2.sf(result[0].chi_square, 7), rtol=1e-10)
    # Twenty reruns without this package gave 3.1 to 23.4 with mean 8.3: 9.05, as printed, is an ordinary draw.
    values = [check.chi_square for check in result]
    assert abs(np.mean(values) - 8.3) < 4 * math.sqrt(2 * 8.3 * (1 / 12 + 1 / 20))
    assert min(values) < float(text["chi_square"]) < max(values)
    assert "7 degrees of freedom" in str(result[0])


# --- What cannot be -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        lambda: TwoNormals(0.0),
        lambda: TwoNormals(0.6),
        lambda: TwoNormals("many"),
        lambda: NormalClasses((0.0,), (1.0, 2.0)),
        lambda: NormalClasses((), ()),
        lambda: NormalClasses((0.0,), (math.nan,)),
        lambda: NormalClasses((0.0,), (1.0,), share_1=1.5),
        lambda: LogisticModel(math.inf, (1.0,)),
        lambda: LogisticModel(0.0, "x"),
        lambda: NoisyLabels(TwoNormals(0.1), 0.6),
        lambda: NoisyLabels(TwoNormals(0.1), -0.1),
        lambda: Rows([[1.0], [2.0]], [0]),
        lambda: Rows([[math.nan]], [0]),
        lambda: TwoNormals(0.1).draw((), 5, "seed"),
        lambda: TwoNormals(0.1).expected_error(Majority(), 10, trials=1),
        lambda: binomial_check(2.0),
        lambda: binomial_check(folds=101),
        lambda: binomial_check(0.9),
        lambda: binomial_check(cells=200),
        lambda: binomial_check(population=3),
        lambda: binomial_check(inducer=3),
        lambda: TwoNormals([0.1, 0.2]),
        lambda: NormalClasses((0.0,), (1.0,), share_1=[0.1, 0.2]),
        lambda: NormalClasses((0.0,), (1.0,), fixed="yes"),
        lambda: NoisyLabels("iris", 0.1),
        lambda: NoisyLabels(Rows([[1.0], [2.0]], [0, 0]), 0.0),
        lambda: NoisyLabels(TwoNormals(0.1), [0.1, 0.2]),
        lambda: Rows([["a"], ["b"]], [0, 1]),
        lambda: TwoNormals(0.1).expected_error("1-NN", 10),
        lambda: TwoNormals(0.1).true_error(Majority()),
    ],
)
def test_what_cannot_be(call, monkeypatch):
    monkeypatch.setattr("tellapart.lab.populations.binomial_counts._MOST", 1)
    with pytest.raises(InvalidOption):
        call()


def test_populations_describe_themselves():
    noisy = NoisyLabels(TwoNormals(0.1), 0.05)
    assert noisy.describe() == "two normal classes on one attribute, Bayes error 10%; label noise 5%"
    assert noisy.as_dict()["clean"] == {"population": "TwoNormals", "inherent_error": 0.1}
    assert YANG_LOGISTIC.as_dict() == {"population": "LogisticModel", "intercept": 1.0, "coefficients": [0.2, 0.2, 3.0]}
    for population in (YANG_NORMAL, YANG_LOGISTIC, CurvedRegions(), Rows([[1.0]], [0])):
        assert population.describe()
