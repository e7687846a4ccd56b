"""Real learners made equal: learners of which every error is known by hand, and Dietterich's (1998) design."""

import csv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from tellapart import race
from tellapart.errors import InvalidInput, InvalidOption, TellapartError, UnknownMethod
from tellapart.evidence import PairedTable, Resamples
from tellapart.lab import (
    CurvedRegions,
    Flipped,
    NormalEffects,
    PairedOutcomes,
    RealLearners,
    Weighted,
    calibrate,
    equalise,
    fold_correlation,
    learning_curves,
)
from tellapart.lab.designs import equalising
from tellapart.lab.designs import real as real_module
from tellapart.lab.designs.learning import sample
from tellapart.lab.designs.real import training_size
from tellapart.lab.plan_views import PlanView
from tellapart.methods import find_method

TARGETS = Path(__file__).parents[1] / "targets"
IRIS = load_iris(return_X_y=True)


class Recorded:
    """A population whose first attribute is the label, and whose others are uniform numbers."""

    def __init__(self, classes=2):
        self.classes = classes

    def draw(self, shape, examples, rng):
        y = rng.integers(self.classes, size=(*shape, examples))
        return np.concatenate([y[..., None], rng.random((*shape, examples, 2))], axis=-1), y

    def describe(self):
        return f"{self.classes} classes that are told"

    def as_dict(self):
        return {"population": "Told", "classes": self.classes}


class Leaky(ClassifierMixin, BaseEstimator):
    """Predicts the next class if attribute `by` is below error + cost/m, with m training examples."""

    def __init__(self, error=0.1, cost=0.0, by=1, classes=2):
        self.error = error
        self.cost = cost
        self.by = by
        self.classes = classes

    def fit(self, X, y):  # noqa: ARG002, N803
        self.bar_ = self.error + self.cost / len(y)
        return self

    def predict(self, X):  # noqa: N803
        values = X[:, 0].astype(int)
        return np.where(X[:, self.by] < self.bar_, (values + 1) % self.classes, values)


def leaky(**options):
    """Equalise errors of 0.2 + 30/m (A) and 0.1 + 15/m (B): 0.3 and 0.15 with 300 examples, 0.4 and 0.2 with 150."""
    return equalise(
        Leaky(0.2, 30.0), Leaky(0.1, 15.0, by=2), Recorded(), 300, **({"sets": 25, "tested": 2000} | options)
    )


@pytest.fixture(scope="module")
def equal_leaky():
    return leaky()


# --- Made equal -------------------------------------------------------------------------------------


def test_errors_are_measured_by_the_size_of_the_training_set(equal_leaky):
    sizes = np.array([150, 200, 270, 300])
    assert_array_equal(equal_leaky.sizes, sizes)
    expected = np.array([0.2 + 30 / sizes, 0.1 + 15 / sizes])
    assert np.all(np.abs(equal_leaky.errors - expected) < 4 * np.sqrt(0.25 / (25 * 2000)))
    assert equal_leaky.damaged == 1
    assert equal_leaky.fits == 25 * 4 * 2
    curves = learning_curves(Leaky(0.2, 30.0), Leaky(0.1, 15.0, by=2), Recorded(), 300, sets=25, tested=2000)
    assert_array_equal(curves.errors, equal_leaky.errors)
    assert_allclose(curves.standard_errors[0, 0], np.sqrt(0.4 * 0.6 / (25 * 2000)), rtol=0.5)
    assert "300 examples" in str(curves)
    assert curves.as_dict()["sizes"] == [150, 200, 270, 300]


@pytest.mark.parametrize("size", [150, 200, 270, 300])
def test_flips_of_two_classes_follow_the_closed_form(size, equal_leaky):
    """error_A = error_B + rate (1 − 2 error_B)."""
    a, b = 0.2 + 30 / size, 0.1 + 15 / size
    assert abs(equal_leaky.setting(size) - (a - b) / (1 - 2 * b)) < 0.02
    index = equal_leaky.sizes.index(size)
    assert abs(equal_leaky.left[index]) < 1e-12  # met on the very examples it was measured on
    assert equal_leaky.standard_error[index] < 0.005


def test_of_more_classes_fewer_flips_mend_an_error():
    """Error' = error + rate (1 − error − error/(K − 1)); with five classes, from 0.2 to 0.5: 0.3/0.75 = 0.4."""
    result = equalise(
        Leaky(0.5, classes=5), Leaky(0.2, by=2, classes=5), Recorded(5), 100, sizes=[50], sets=40, tested=2000
    )
    assert abs(result.setting(100) - 0.4) < 0.02
    assert abs(result.setting(50) - 0.4) < 0.02


def test_the_same_part_of_the_gap_is_left_open_at_every_size(equal_leaky):
    """ε_target = ε_worse − λ (ε_worse − ε_better), with one λ at 150, 200, 270 and 300 (Dietterich 1998, 6.3)."""
    gap = equal_leaky.gaps[-1]
    for share in (0.0, 0.25, 1.0):
        for index, size in enumerate(equal_leaky.sizes):
            a, b = equal_leaky.errors_at(size, share * gap)
            assert_allclose(a - b, share * equal_leaky.gaps[index], atol=1e-12)
            assert_allclose(a, equal_leaky.errors[0, index])
            worse, better = equal_leaky.errors[:, index]
            rate = (1 - share) * (worse - better) / (1 - 2 * better)
            assert_allclose(equal_leaky.setting(size, share * gap), rate, atol=1e-9)
    assert equal_leaky.setting(150, gap) == 0


def test_differences_beyond_the_undamaged_learners_are_refused(equal_leaky):
    for difference in (0.3, -0.01):
        with pytest.raises(InvalidOption, match="B can only become worse"):
            equal_leaky.setting(150, difference)


def test_it_is_the_better_one_that_is_damaged_whoever_that_is():
    result = equalise(Leaky(0.1), Leaky(0.3, by=2), Recorded(), 60, sizes=[30], sets=20)
    assert result.damaged == 0
    assert isinstance(result.learners[0], Flipped)
    assert isinstance(result.learners[1], Leaky)
    assert result.gaps[-1] < 0
    a, b = result.at(60)
    assert a.rate == pytest.approx(0.25, abs=0.03)
    assert b.error == 0.3
    with pytest.raises(InvalidOption, match="`difference` must be between -0"):
        result.share(0.1)


def test_learning_curves_that_cross_leave_nobody_to_damage():
    with pytest.raises(InvalidOption, match="got A at 300 but not at 50"):
        equalise(Leaky(0.0, 30.0), Leaky(0.2, 0.0), Recorded(), 300, sizes=[50], sets=10)


def test_bad_weights_make_nearest_neighbours_as_bad_as_a_tree():
    """Measured again on other training sets and other examples."""
    tree, near = DecisionTreeClassifier(criterion="entropy"), Weighted(direction=(1.0, 0.0))
    result = equalise(tree, near, CurvedRegions(), 100, sizes=[50], sets=30, tested=400, rng=3)
    assert result.damaged == 1
    assert np.all(np.abs(result.left) <= 0.001)
    assert isinstance(result.learners[1], Weighted)
    for size in (50, 100):
        fresh = learning_curves(*result.at(size), CurvedRegions(), 100, sizes=[size], sets=30, tested=400, rng=4)
        a, b = fresh.at(size)
        spread = np.hypot(result.standard_error[result.sizes.index(size)], np.hypot(*fresh.standard_errors[:, 0]))
        assert abs(a - b) < 4 * spread + 0.001
        half = result.gaps[-1] / 2
        halfway = learning_curves(
            *result.at(size, half), CurvedRegions(), 100, sizes=[size], sets=30, tested=400, rng=5
        )
        expected = np.subtract(*result.errors_at(size, half))
        assert abs(np.subtract(*halfway.at(size)) - expected) < 4 * spread + 0.002
    assert 0 < result.setting(50, result.gaps[-1] / 2) < result.setting(50)
    assert "weight" in str(result)


class Bent:
    """Errors 0.1 + strength²/50, measured without noise."""

    start = 0.0

    def __init__(self):
        self.points = {0.0: np.full(3, 0.1)}

    def error(self, strength):
        self.points.setdefault(strength, np.full(3, 0.1 + strength**2 / 50))
        return float(self.points[strength][0])


@pytest.mark.parametrize("target", [0.1, 0.1003, 0.17, 0.3])
def test_curves_are_met_at_their_end_and_smooth_in_between(target):
    """At every fraction of the gap the error is accurate to the 0.1% tolerance of equality."""
    (settings, errors), matched = equalising._by_weights(Bent(), target, 0.001, 0.01)
    assert abs(matched[0] - target) <= 0.0005
    assert np.all(np.diff(errors) > 0)
    for expected in np.linspace(0.1, target, 9):
        result = equalising._setting_for_error(expected, settings, errors)
        assert abs(0.1 + result**2 / 50 - expected) < 0.001


def test_weights_that_do_no_harm_are_reported():
    with pytest.raises(InvalidOption, match="misleading weights reach an error rate of at most"):
        equalise(Leaky(0.4), Weighted(direction=(1.0, 0.0, 0.0)), Recorded(), 40, sizes=[20], sets=5, tested=50)


def test_the_same_seed_finds_the_same():
    first, again = (
        equalise(Leaky(0.3), GaussianNB(), Recorded(), 40, sizes=[20], sets=5, tested=50, rng=9) for _ in "ab"
    )
    assert first.as_dict() == again.as_dict()
    assert "damaged" in str(first)
    other = equalise(Leaky(0.3), GaussianNB(), Recorded(), 40, sizes=[20], sets=5, tested=50, rng=10)
    assert first.as_dict() != other.as_dict()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"examples": 150}, "`data` must have more rows than the 150 of a sample, got 150"),
        ({"sizes": [70]}, "`sizes` must be at most the 60 examples"),
        ({"sets": 1}, "`sets` must be a whole number, at least 2"),
        ({"tested": 0}, "`tested` must be a whole number"),
    ],
)
def test_what_cannot_be_measured_is_refused(options, message):
    with pytest.raises(TellapartError, match=message):
        equalise(GaussianNB(), DecisionTreeClassifier(), IRIS, **({"examples": 60} | options))


def test_a_learner_that_fails_is_reported():
    class Broken(Leaky):
        def predict(self, X):  # noqa: ARG002, N803
            raise RuntimeError("no")

    with pytest.raises(InvalidInput, match="learner B failed: RuntimeError: no"):
        equalise(Leaky(), Broken(), Recorded(), 20, sets=2)


# --- Dietterich's design ----------------------------------------------------------------------------


def test_the_defaults_are_dietterichs():
    """Section 6.1: 1000 trials of 300 examples, training sets of 270, 200 and 150, errors equal within 0.1%."""
    with (TARGETS / "s1_realdata_design.csv").open() as file:
        rows = list(csv.DictReader(file))
    design = RealLearners(GaussianNB(), KNeighborsClassifier(1), Recorded())
    for row in rows:
        assert design.trials == int(row["n_trials"])
        assert design.examples == int(row["n_per_trial"])
        methods = [("kfold-t", Resamples), ("mcnemar", PairedTable), ("5x2cv-t", Resamples)]
        sizes = [training_size(design.view(find_method(name, "test", kind)).plan, 300) for name, kind in methods]
        assert sizes == [int(size) for size in row["train_sizes"].split()]
    assert {row["match"] for row in rows} == {"within 0.1%", "identical average error"}
    assert equalise.__kwdefaults__["tolerance"] == 0.001


@pytest.mark.parametrize(
    ("plan", "size"),
    [("10x10", 270), ("30x(2/3)", 200), ("loo", 299), ("632", 300), ("delve 5x40", 40), ("nested 20x10", 270)],
)
def test_training_sets_have_the_size_of_their_plan(plan, size):
    assert training_size(plan, 300) == size


def test_every_plan_gets_the_damage_for_its_training_sets(equal_leaky):
    design = RealLearners(Leaky(0.2, 30.0), Leaky(0.1, 15.0, by=2), Recorded(), known=equal_leaky)
    assert design.movable
    for plan, size in (("10-fold", 270), ("holdout(2/3)", 200), ("5x2", 150)):
        assert design.learners(plan)["B"].rate == equal_leaky.setting(size)
        assert design.at(0.05).learners(plan)["B"].rate == equal_leaky.setting(size, 0.05)
        view = PlanView(plan, "Resamples", 2)
        assert_allclose(design.truth_for(view, "difference"), 0, atol=1e-12)
        expected = 0.05 / equal_leaky.gaps[-1] * equal_leaky.gaps[equal_leaky.sizes.index(size)]
        assert_allclose(design.at(0.05).truth_for(view, "difference"), expected)
    assert_allclose(design.at(0.05).truth("difference"), 0.05)
    assert_allclose(design.truth("error"), equal_leaky.errors[0, -1])
    assert design.grid == (0.01, 0.02, 0.05)


def test_mcnemar_on_equal_learners_has_the_size_of_the_table_they_make(equal_leaky):
    """Errors of A and of flipped B are independent, 0.35 each at 200 of 300: the exact design of 100 test examples."""
    design = RealLearners(Leaky(0.2, 30.0), Leaky(0.1, 15.0, by=2), Recorded(), known=equal_leaky)
    result = calibrate(["mcnemar", "difference-of-proportions"], design, trials=200, differences=[0.1], rng=2)
    exact = PairedOutcomes(0.35, 0.35, 2 * 0.35 * 0.65, 100)
    for name in result.methods:
        true = float(calibrate(name, exact, differences=[]).size.value)
        assert abs(result[name].size.value - true) < 4 * np.sqrt(true * (1 - true) / 200)
        a, b = equal_leaky.errors_at(200, 0.1)
        disagreement = PairedOutcomes(a, b, a + b - 2 * a * b, 100)
        power = float(calibrate(name, disagreement).power.value[0])
        assert abs(result[name].power.value[0] - power) < 4 * np.sqrt(power * (1 - power) / 200)


def test_one_race_serves_all_methods_of_a_plan(monkeypatch):
    calls = []
    monkeypatch.setattr(
        real_module, "race", lambda *values, **options: calls.append(options["plan"]) or race(*values, **options)
    )
    design = RealLearners(GaussianNB(), DecisionTreeClassifier(), IRIS, examples=60).measured(sets=3, tested=20)
    calibrate(["kfold-t", "cv-wald", "mcnemar", "mcnemar-exact", "difference-of-proportions"], design, trials=2)
    assert sorted(calls) == ["10-fold", "10-fold", "holdout(2/3)", "holdout(2/3)"]


def test_a_trial_is_a_race_on_some_rows():
    design = RealLearners(GaussianNB(), DecisionTreeClassifier(), IRIS, examples=60)
    view, rng = PlanView("5x2", "Resamples", 2), np.random.default_rng(8)
    evidence = design.draw([view], 2, np.random.default_rng(8))[view]
    for trial in range(2):
        X, y = sample(IRIS, 60, rng)  # noqa: N806
        again = race({"A": GaussianNB(), "B": DecisionTreeClassifier()}, X, y, plan="5x2", rng=int(rng.integers(2**63)))
        assert_array_equal(evidence[trial].loss, again.resamples().loss)
    assert np.unique(sample((np.arange(9)[:, None], np.arange(9)), 9, rng)[1]).size == 9  # no row twice


@pytest.mark.parametrize(
    ("name", "plan"),
    [("632", "632*5"), ("nested-cv", "nested 2x3"), ("conservative-z", "conservative-z 2x3(0.8)"), ("oob", "632*5")],
)
def test_all_plans_that_a_race_knows_can_be_measured(name, plan):
    design = RealLearners(GaussianNB(), DecisionTreeClassifier(), IRIS, examples=40, plan=plan)
    result = calibrate(name, design.measured(sets=2, tested=20), trials=2, learner="A")
    assert result.coverage is not None


def test_disjoint_training_sets_can_be_measured():
    design = RealLearners(GaussianNB(), DecisionTreeClassifier(), IRIS, examples=120, plan="delve 4x20")
    result = calibrate("quasi-f", design.measured(sets=2, tested=20), trials=2)
    assert result.tally["rejected"].shape == (1,)


def test_learners_as_they_are_have_one_difference_which_is_their_own():
    design = RealLearners(Leaky(0.3), Leaky(0.1, by=2), Recorded(), examples=60, plan="10-fold")
    with pytest.raises(InvalidOption, match="the true errors of these learners are unknown"):
        calibrate("kfold-t", design, trials=2)
    measured = design.measured(sets=20, tested=2000)
    assert not measured.movable
    assert abs(measured.truth("difference") - 0.2) < 0.01
    assert abs(measured.truth("error") - 0.3) < 0.01
    result = calibrate("kfold-t", measured, trials=30)
    assert result.size is None
    assert result.power.value[0] > 0.3
    with pytest.raises(InvalidOption, match="Make them equally good first"):
        measured.at(0.1)
    assert measured.grid == ()


def test_results_are_the_same_on_workers_and_from_a_store(tmp_path):
    design = RealLearners(GaussianNB(), DecisionTreeClassifier(), IRIS, examples=40, plan="holdout").measured(sets=3)
    here = calibrate("mcnemar", design, trials=26)
    with ThreadPoolExecutor(2) as executor:
        there = calibrate("mcnemar", design, trials=26, executor=executor)
    assert_array_equal(here.tally["pvalues"], there.tally["pvalues"])
    kept = calibrate("mcnemar", design, trials=26, store=tmp_path / "trials")
    again = calibrate("mcnemar", design, trials=26, store=tmp_path / "trials")
    assert_array_equal(kept.tally["pvalues"], again.tally["pvalues"])
    X, y = IRIS  # noqa: N806
    for other in (
        RealLearners(GaussianNB(), DecisionTreeClassifier(), (X + 1, y), 40, "holdout", errors=design.errors),
        RealLearners(GaussianNB(), DecisionTreeClassifier(max_depth=1), IRIS, 40, "holdout", errors=design.errors),
    ):
        with pytest.raises(TellapartError):
            calibrate("mcnemar", other, trials=26, store=tmp_path / "trials")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((GaussianNB(), "tree", IRIS), "`b` must be a learner"),
        ((GaussianNB(), GaussianNB(), IRIS[0]), "`data` must be"),
        ((GaussianNB(), GaussianNB(), (IRIS[0], IRIS[1][:9])), "`data` must be"),
        ((GaussianNB(), GaussianNB(), IRIS), "`data` must have more rows than the 300"),
        ((GaussianNB(), GaussianNB(), IRIS, 60, "ten folds"), "unknown `plan` 'ten folds'"),
    ],
)
def test_designs_that_cannot_be_are_refused(arguments, message):
    with pytest.raises(TellapartError, match=message):
        RealLearners(*arguments)


def test_runs_that_are_no_splits_belong_elsewhere():
    design = RealLearners(GaussianNB(), DecisionTreeClassifier(), IRIS, examples=60)
    with pytest.raises(UnknownMethod, match="SeedRuns"):
        design.view(find_method("welch", "test", Resamples))


def test_designs_say_what_they_are(equal_leaky):
    equal = RealLearners(Leaky(), Leaky(), Recorded(), known=equal_leaky)
    assert equal.describe() == "Leaky and Leaky (B damaged), samples of 300 examples from 2 classes that are told"
    assert RealLearners(Leaky(), Leaky(), IRIS, 60).describe() == (
        "Leaky and Leaky, samples of 60 examples from 150 rows"
    )
    assert equal.facts == {"examples": 300}
    assert equal.as_dict()["known"]["damaged"] == "B"
    assert equal.as_dict() == RealLearners(Leaky(), Leaky(), Recorded(), known=equal_leaky).as_dict()
    assert equal.as_dict() != equal.at(0.01).as_dict()


# --- Folds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rho", [0.0, 0.2])
def test_the_correlation_of_folds_is_found(rho):
    result = fold_correlation(NormalEffects("10-fold", rho), 20_000, rng=6)
    assert result.pairs == 45 * 20_000
    assert abs(result.within - rho) < 4 * result.within_error
    assert abs(result.across) < 4 * result.across_error
    assert result.within_error < 0.01
    assert "900,000 pairs of folds" in str(result)
    assert result.as_dict()["pairs"] == 900_000


def test_the_correlation_is_pearsons_over_all_pairs():
    """By NumPy's corrcoef of all ordered pairs of folds of one trial, of which both orders count."""
    design = NormalEffects("5x2", 0.3)
    result = fold_correlation(design, 50, rng=6)
    values = design.draw([(2, False)], 50, np.random.default_rng(6))[2, False].values.reshape(50, 10)
    i, j = np.nonzero(~np.eye(10, dtype=bool))
    expected = np.corrcoef(values[:, i].ravel(), values[:, j].ravel())[0, 1]
    assert_allclose(result.within, expected, atol=1e-12)


def test_dietterichs_correlation_is_far_beyond_chance_with_all_pairs_of_folds():
    """R = 0.03778 over 45 pairs of 1000 trials: t = 8.02 (see the target's note)."""
    with (TARGETS / "s1_correlation.csv").open() as file:
        printed = float(next(csv.DictReader(file))["printed"])
    pairs = fold_correlation(NormalEffects("10-fold", 0.04), 1000).pairs
    assert pairs == 45_000
    assert round(printed * np.sqrt((pairs - 2) / (1 - printed**2)), 2) == 8.02


def test_folds_of_real_learners_are_raced():
    design = RealLearners(GaussianNB(), DecisionTreeClassifier(max_depth=2), IRIS, examples=40, plan="4-fold")
    result = fold_correlation(design, 30)
    assert result.pairs == 30 * 6
    assert -1 <= result.within <= 1
    same = RealLearners(GaussianNB(), GaussianNB(), IRIS, examples=40)
    with pytest.raises(InvalidInput, match="their correlation is undefined"):
        fold_correlation(same, 3)


# --- Careless calls ---------------------------------------------------------------------------------------------------


def test_the_correlation_of_folds_that_were_run():
    """That of pairs of folds, by NumPy, about the mean over all folds of all cross-validations."""
    loss = np.random.default_rng(3).integers(0, 11, (40, 2, 1, 4)) / 10
    evidence = Resamples(loss, 10, 30, "4-fold")
    values = loss[:, 0, 0] - loss[:, 1, 0]
    off = values - values.mean()
    pairs = [(off[:, i] * off[:, j]).mean() for i in range(4) for j in range(i)]
    result = fold_correlation(evidence)
    assert_allclose(result.within, np.mean(pairs) / np.mean(off**2))
    assert result.pairs == 40 * 6
    with pytest.raises(InvalidOption, match="left out"):
        fold_correlation(evidence, 10)
    with pytest.raises(InvalidOption, match="three cross-validations"):
        fold_correlation(evidence[:2])
    with pytest.raises(InvalidOption, match="at least two folds"):
        fold_correlation(Resamples(loss[..., :1], 10, 30, "holdout"))


def test_identical_learners_are_equal_as_they_are():
    design = RealLearners(GaussianNB(), GaussianNB(), load_iris(return_X_y=True), 60).equalised(sets=5)
    assert design.known.setting(54) == 0
    assert_array_equal(design.known.gaps, 0)
    assert calibrate("mcnemar", design, trials=5).size.value == 0


def test_errors_that_were_not_measured_are_not_guessed():
    """A training set of two thirds lies below the sizes that were measured: it gets no setting of another size."""
    design = RealLearners(GaussianNB(), DecisionTreeClassifier(max_depth=1), load_iris(return_X_y=True), 60)
    for known in (design.equalised(sets=4, sizes=[54]), design.measured(sets=4, sizes=[54])):
        with pytest.raises(InvalidOption, match=r"for 54 to 60 training examples, not for 40.*sizes=\[40, 54, 60\]"):
            known.truth_for(PlanView("holdout(2/3)", "PairedTable", 2), "difference")
    with pytest.raises(InvalidOption, match="not for 40"):
        calibrate("mcnemar", design.equalised(sets=4, sizes=[54]), trials=2)


def test_a_plan_measures_its_own_size_and_that_of_one_split():
    design = RealLearners(
        GaussianNB(), DecisionTreeClassifier(max_depth=1), load_iris(return_X_y=True), 60, plan="10-fold"
    )
    assert design.measured(sets=4).errors.sizes == (40, 54, 60)


def test_flips_that_make_nothing_worse_are_refused():
    rows, labels = load_iris(return_X_y=True)
    bad, worse = (Flipped(GaussianNB(), rate=rate) for rate in (0.8, 0.95))
    with pytest.raises(InvalidOption, match=r"flipped predictions reach an error rate of at most"):
        equalise(bad, worse, (rows[:100], labels[:100]), 60, sets=5)


def test_learners_are_made_and_differences_are_their_own():
    data = load_iris(return_X_y=True)
    with pytest.raises(InvalidOption, match=r"`a` must be a learner.*Write GaussianNB\(\)"):
        RealLearners(GaussianNB, GaussianNB(), data, 60)
    with pytest.raises(InvalidOption, match="true difference of these learners is fixed"):
        RealLearners(GaussianNB(), GaussianNB(), data, 60, difference=0.1)
    with pytest.raises(InvalidOption, match="`tolerance` must be"):
        equalise(GaussianNB(), GaussianNB(), data, 60, tolerance=0)
    assert len(repr(RealLearners(GaussianNB(), GaussianNB(), data, 60))) < 100
    with pytest.raises(InvalidOption, match="`design` must be a design of two learners"):
        fold_correlation(5, 10)
    with pytest.raises(InvalidOption, match="at least two folds"):
        fold_correlation(RealLearners(GaussianNB(), GaussianNB(), data, 60, plan="holdout"), 3)
