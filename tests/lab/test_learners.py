"""Learners that are truly trained, against loops over scikit-learn's and against the laws of resampling."""

import csv
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import tellapart as ta
from tellapart.errors import InvalidOption, UnknownMethod
from tellapart.evidence import Plan, Resamples
from tellapart.lab import (
    CurvedRegions,
    Discriminant,
    Estimator,
    Learners,
    Majority,
    NearestNeighbours,
    NoisyLabels,
    NormalClasses,
    PairedOutcomes,
    Rows,
    Twins,
    TwoNormals,
    calibrate,
    majority_error,
)
from tellapart.lab.designs.sample_folding import divided, losses_of, raced, with_folds
from tellapart.lab.plan_views import PlanView
from tellapart.methods import look_up


class Pooled(LinearDiscriminantAnalysis):
    """scikit-learn's discriminant divides the pooled covariance by n; ours, as R's MASS, by n − 2 (for two classes)."""

    def predict(self, X):  # noqa: N803
        odds = np.log(self.priors_[1] / self.priors_[0])
        examples = self.trained_
        return (((self.decision_function(X) - odds) * (examples - 2) / examples + odds) > 0).astype(int)

    def fit(self, X, y):  # noqa: N803
        self.trained_ = len(y)
        return super().fit(X, y)


TARGETS = Path(__file__).parent.parent / "targets"
PLANE = NormalClasses((0.0, 0.0, 0.0), (1.5, 1.0, 0.0), share_1=0.4)
PAIRS = {  # ours, and scikit-learn's
    "discriminants": (
        (Discriminant(attributes=(0, 1)), Discriminant()),
        (Pooled(), Pooled()),
        ([0, 1], [0, 1, 2]),
    ),
    "neighbours": (
        (NearestNeighbours(1), NearestNeighbours(3, attributes=(0,))),
        (KNeighborsClassifier(1), KNeighborsClassifier(3)),
        ([0, 1, 2], [0]),
    ),
}


def sampled(examples, trials=3, seed=5):
    return PLANE.draw((trials,), examples, np.random.default_rng(seed))


def by_loop(pair, X, y, train, test):  # noqa: N803
    """Return which test examples each of scikit-learn's two learners gets wrong."""
    _, estimators, columns = PAIRS[pair]
    return [
        estimator.fit(X[np.ix_(train, some)], y[train]).predict(X[np.ix_(test, some)]) != y[test]
        for estimator, some in zip(estimators, columns, strict=True)
    ]


# --- The same as a loop -------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("plan", ["7-fold", "3x2", "4x(2/3)", "holdout", "loo", "delve 2x12"])
def test_losses_are_those_of_a_loop_over_scikit_learn(pair, plan):
    X, y = sampled(30)  # noqa: N806
    laid = with_folds(Plan.parse(plan), 30)
    groups = list(divided(laid, y, np.random.default_rng(3), stratify=False))
    result = losses_of(PAIRS[pair][0], X, y, iter(groups), (laid.replicates, laid.folds)).resamples(laid, 30)
    for where, train, test in groups:
        for trial in range(len(y)):
            for index, trained, evidence in zip(where, train[trial], test[trial], strict=True):
                a, b = by_loop(pair, X[trial], y[trial], trained, evidence)
                row = divmod(int(index), laid.folds)
                assert_allclose(result.loss[(trial, slice(None), *row)], [a.mean(), b.mean()], rtol=0, atol=1e-12)
                assert_array_equal(
                    result.together[(trial, slice(None), slice(None), *row)],
                    [[a.sum(), (a & b).sum()], [(a & b).sum(), b.sum()]],
                )
                assert (result.train[row], result.test[row]) == (trained.size, evidence.size)


@pytest.mark.parametrize("plan", ["632*20", "nested 2x5", "conservative-z 3x4(0.8)", "apparent", "loo-star", "3x4"])
def test_a_plan_with_parts_is_what_a_race_of_the_same_learners_finds(plan):
    """`race` fits scikit-learn's estimators one by one, on the same splits."""
    X, y = (part[0] for part in sampled(20))  # noqa: N806
    learners = {"A": Pooled(), "B": KNeighborsClassifier(3)}
    expected = ta.race(learners, X, y, plan=plan, stratify=False, rng=8).resamples()
    mine = (Discriminant(), NearestNeighbours(3))
    result = raced(mine, X, y, Plan.parse(plan), 2, np.random.default_rng(8), stratify=False)
    same_evidence(result, expected)


def same_evidence(result, expected):
    assert_allclose(result.loss, expected.loss, atol=1e-12)
    assert_array_equal(result.train, expected.train)
    assert_array_equal(result.test, expected.test)
    if expected.together is not None:
        assert_allclose(result.together, expected.together, atol=1e-12)
    assert result.parts.keys() == expected.parts.keys()
    for name, part in expected.parts.items():
        same_evidence(result.parts[name], part)


def test_a_wrapped_estimator_learns_what_ours_does():
    rng = np.random.default_rng(2)
    X, y = PLANE.draw((4, 2), 25, rng)  # noqa: N806
    options, _ = PLANE.draw((4, 2), 10, rng)
    wrapped = Estimator(Pooled(), attributes=(0, 2))
    assert_array_equal(wrapped.fit(X, y).predict(options), Discriminant(attributes=(0, 2)).fit(X, y).predict(options))
    alone = wrapped.fit(X, np.ones_like(y))
    assert (alone.predict(options) == 1).all()  # which most estimators refuse to learn
    assert alone.predict(options[0, 0]).shape == (4, 2, 10)


def test_an_open_seed_is_made_of_the_training_set():
    """The same examples give the same tree, others another, in whatever batch they are."""
    rng = np.random.default_rng(4)
    X, y = PLANE.draw((6,), 40, rng)  # noqa: N806
    guesses = Estimator(DummyClassifier(strategy="uniform"))
    message = guesses.fit(X, y).predict(X)
    assert_array_equal(guesses.fit(X[3:], y[3:]).predict(X[3:]), message[3:])
    assert len({tuple(row) for row in message.tolist()}) == 6


# --- Laws ---------------------------------------------------------------------------------------------


@settings(derandomize=True, deadline=None, max_examples=12)
@given(
    plan=st.sampled_from(["2-fold", "5-fold", "3x4", "6x(0.7)", "holdout(1/3)", "loo", "delve 2x5"]),
    examples=st.integers(12, 31),
    stratify=st.booleans(),
    seed=st.integers(0, 99),
)
def test_splits_are_splits(plan, examples, stratify, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=(4, examples))
    laid = with_folds(Plan.parse(plan), examples)
    tests = np.zeros((4, laid.replicates, examples), dtype=int)
    for where, train, test in divided(laid, y, rng, stratify=stratify):
        for trial in range(4):
            for index, trained, evidence in zip(where, train[trial], test[trial], strict=True):
                assert not np.intersect1d(trained, evidence).size
                assert np.unique(trained).size == trained.size
                if laid.kind != "delve":
                    assert trained.size + evidence.size == examples
                if stratify and laid.kind == "random":  # every class has its share, give or take one
                    share = np.bincount(y[trial], minlength=3) * trained.size / examples
                    assert (np.abs(np.bincount(y[trial][trained], minlength=3) - share) <= 1).all()
                tests[trial, index // laid.folds, evidence] += 1
        if laid.kind == "delve":
            assert all(np.unique(rows).size == rows.size for rows in train)  # disjoint training sets
    if laid.kind == "k-fold":
        assert (tests == 1).all()  # every example is tested once a replicate


@settings(derandomize=True, deadline=None, max_examples=15)
@given(plan=st.sampled_from(["10-fold", "3x2", "5x(0.8)", "loo", "independent"]), seed=st.integers(0, 99))
def test_what_is_wrong_together_agrees_with_the_losses(plan, seed):
    twins = Twins(NearestNeighbours(1), 23, shared=1.0, plan=plan, rounds=4)
    view = PlanView(twins.plan, "Resamples", 2)
    evidence = twins.draw([view], 6, np.random.default_rng(seed))[view]
    assert evidence.shape == (6,)
    own = np.stack([evidence.together[:, index, index] for index in (0, 1)], axis=1)
    assert_allclose(own, evidence.loss * evidence.test)
    assert_array_equal(evidence.together[:, 0, 1], evidence.together[:, 1, 0])
    assert (evidence.together[:, 0, 1] <= own.min(axis=1)).all()
    assert (own.sum(axis=1) - evidence.together[:, 0, 1] <= evidence.test).all()


def test_views_of_the_same_split_show_the_same():
    """One split as a table and as resamples, of two learners and of one."""
    twins = Twins(Discriminant(), 60, plan="holdout(3/4)")
    views = [
        PlanView("holdout(3/4)", kind, many) for kind, many in (("PairedTable", 2), ("Resamples", 2), ("Resamples", 1))
    ]
    table, two, one = (twins.draw(views, 50, np.random.default_rng(1))[view] for view in views)
    assert_array_equal(table.only_a_wrong + table.both_wrong, two.together[:, 0, 0, 0, 0])
    assert_array_equal(table.both_wrong, two.together[:, 0, 1, 0, 0])
    assert_array_equal(table.examples, np.full(50, 15))
    assert_array_equal(one.loss[:, 0], two.loss[:, 0])
    assert one.learners == ("A",)


def test_a_methods_trials_do_not_depend_on_the_others_or_on_the_workers():
    twins = Twins(NearestNeighbours(1), 30)
    names = ["kfold-t", "5x2cv-t", "mcnemar"]
    alone = calibrate(names, twins, trials=1200, differences=[])
    with ThreadPoolExecutor(2) as executor:
        together = calibrate(names[::-1], twins, trials=1200, differences=[], executor=executor)
    single = calibrate("kfold-t", twins, trials=1200, differences=[])
    for name in names:
        for part, values in alone[name].tally.items():
            assert_array_equal(values, together[name].tally[part])
    assert_array_equal(single.tally["pvalues"], alone["kfold-t"].tally["pvalues"])


def test_a_design_may_travel_to_another_process():
    design = Learners(TwoNormals(0.2), NearestNeighbours(1), Estimator(GaussianNB()), 20, plan="2-fold")
    view = PlanView("2-fold", "Resamples", 2)
    here, there = (
        each.draw([view], 9, np.random.default_rng(1))[view]
        for each in (design, pickle.loads(pickle.dumps(design)))  # noqa: S301  # our own
    )
    assert_array_equal(here.together, there.together)


def test_large_samples_are_drawn_in_portions(monkeypatch):
    """How many samples are held at once changes no plan's trials, but which ones are drawn."""
    monkeypatch.setattr("tellapart.lab.designs.learner_populations._MOST_NUMBERS", 1000)
    twins = Twins(Discriminant(), 40, plan="3x(0.5)")
    for kind, plan in (("Resamples", "3x(0.5)"), ("PairedTable", "holdout(2/3)"), ("TrainingSets", "delve 2x10")):
        evidence = twins.draw([PlanView(plan, kind, 2)], 37, np.random.default_rng(0))[PlanView(plan, kind, 2)]
        assert evidence.shape == (37,)
        assert len(np.unique(np.atleast_1d(evidence.difference))) > 3


# --- What is true -------------------------------------------------------------------------------------


def test_expected_errors_are_those_of_a_rerun_elsewhere():
    """Mean true errors of 1-NN and 3-NN on Martin and Hirschberg's classes: s0_nn_reference.csv, 400 samples."""
    with (TARGETS / "s0_nn_reference.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["N"] == "30" and float(row["inherent_error_pct"]) >= 10]
    assert rows
    for row in rows:
        design = Learners(
            TwoNormals(float(row["inherent_error_pct"]) / 100), NearestNeighbours(3), NearestNeighbours(1), 30
        )
        se = np.hypot(float(row["ter_diff_sd"]) / np.sqrt(int(row["samples"])), design.truth_error("difference"))
        assert design.truth("difference") == pytest.approx(float(row["ter_diff_mean"]), abs=4 * se)


def test_truth_is_that_of_the_views_training_sets():
    """Losses over many fresh samples average to the truth of their own plan, and not to another's."""
    design = Learners(TwoNormals(0.1), NearestNeighbours(1), Discriminant(), 24)
    for plan in ("2-fold", "loo", "20x(1/4)"):
        view = PlanView(Plan.parse(plan).name, "Resamples", 2)
        result = design.draw([view], 4000, np.random.default_rng(7))[view].difference
        se = np.hypot(result.std() / np.sqrt(result.size), design.truth_error("difference", view))
        assert design.truth("difference", view) == pytest.approx(result.mean(), abs=4 * se)
    small, large = (design.truth("error", PlanView(plan, "Resamples", 2)) for plan in ("20x(1/4)", "loo"))
    assert small > large + 0.005
    assert design.truth("error") == design.truth("error", PlanView("632*100", "Resamples", 2))  # trained on all


def test_truth_without_a_formula_agrees_with_the_exact_one():
    """scikit-learn's discriminant has no formula here, ours has one."""
    plane = NormalClasses((0.0, 0.0), (1.5, 1.0))
    exact = Learners(plane, Discriminant(), Discriminant(attributes=(0,)), 20)
    sampled_ = Learners(plane, Estimator(Pooled()), Discriminant(attributes=(0,)), 20)
    se = np.hypot(exact.truth_error("difference"), sampled_.truth_error("difference"))
    assert 0 < se < 0.01
    assert exact.truth("difference") == pytest.approx(sampled_.truth("difference"), abs=4 * se)
    assert exact.truth("reduction") == pytest.approx(float(exact.truth("difference") / exact.truth("error")), abs=1e-12)
    with pytest.raises(InvalidOption, match="true odds"):
        exact.truth("odds")


@pytest.mark.parametrize("inducer", [Discriminant(), NearestNeighbours(1), NearestNeighbours(3)])
def test_twins_are_equal_and_differ_by_what_is_requested(inducer):
    """Where they were moved, against other training sets than those the distance was solved with."""
    twins = Twins(inducer, 50, distance=1.2, plan="5-fold")
    for plan in ("5-fold", "5x2", "holdout(2/3)", "632*100"):
        assert twins.truth("difference", PlanView(plan, "Resamples", 2)) == 0
    for expected in (0.05, -0.08):
        moved = twins.at(expected)
        assert moved.truth("difference") == pytest.approx(expected, abs=1e-4)
        fresh = [moved.population.expected_error(each, 40, trials=4000, rng=9) for each in (moved.a, moved.b)]
        se = np.hypot(fresh[0].se, fresh[1].se) + moved.truth_error("difference")
        assert fresh[0].error - fresh[1].error == pytest.approx(expected, abs=4 * se)
    assert twins.at(0.08).moved == -twins.at(-0.08).moved
    assert twins.at(0.05).at(0.0).truth("difference") == 0


def test_a_shared_attribute_makes_twins_err_together():
    def disagreement(shared):
        view = PlanView("holdout(2/3)", "PairedTable", 2)
        table = Twins(Discriminant(), 90, shared=shared).draw([view], 500, np.random.default_rng(0))[view]
        return table.disagreements.mean()

    assert disagreement(2.0) < 0.7 * disagreement(None)


def test_one_learner_alone():
    """The expected error of A, and intervals for it."""
    design = Learners(PLANE, Discriminant(), Majority(), 50, plan="10-fold")
    result = calibrate("corrected-t-interval", design, trials=1000, learner="A")
    assert 0.85 < result.coverage.value[0] < 1
    view = design.view(look_up("corrected-t-interval", "interval", Resamples), 1)
    assert view == PlanView("10-fold", "Resamples", 1)


def test_labels_that_are_noisy_are_so_in_truth():
    """Losses on noisy test sets average to the truth: what the clean error becomes, (1 − e)r + e(1 − r)."""
    clean = Learners(PLANE, Discriminant(), Majority(), 40, plan="4-fold")
    noisy = replace(clean, population=NoisyLabels(PLANE, 0.2))
    view = PlanView("4-fold", "Resamples", 2)
    result = noisy.draw([view], 3000, np.random.default_rng(6))[view].losses
    truths = noisy.truth("error", view), noisy.truth("error", view) - noisy.truth("difference", view)
    for mean, sd, truth in zip(result.mean(axis=0), result.std(axis=0), truths, strict=True):
        assert mean == pytest.approx(
            float(truth), abs=4 * np.hypot(sd / np.sqrt(3000), noisy.truth_error("error", view))
        )
    assert noisy.truth("error") > clean.truth("error") + 0.05


def test_the_majority_learns_what_its_law_says():
    """The exact law counts multinomial outcomes, without training anybody."""
    design = Learners(PLANE, Majority(), Discriminant(), 30, plan="holdout(1/2)")
    assert design.truth("error") == pytest.approx(majority_error([0.6, 0.4], 15), abs=4 * design.truth_error("error"))


def test_the_reduction_has_a_standard_error():
    """That of a ratio of two means, by the bootstrap of the same training sets."""
    design = Learners(TwoNormals(0.1), NearestNeighbours(1), NearestNeighbours(3), 20)
    errors = [
        TwoNormals(0.1).true_error(each.fit(*TwoNormals(0.1).draw((4000,), 20, 3))) for each in (design.a, design.b)
    ]
    chosen = np.random.default_rng(0).integers(4000, size=(400, 4000))
    ratios = 1 - errors[1][chosen].mean(axis=1) / errors[0][chosen].mean(axis=1)
    assert design.truth_error("reduction") == pytest.approx(ratios.std(), rel=0.2)
    assert design.truth("reduction") == pytest.approx(ratios.mean(), abs=6 * ratios.std())


@pytest.mark.parametrize("population", [CurvedRegions(), Rows(*PLANE.draw((), 1500, 0))])
def test_true_errors_that_are_counted_are_counted_for_fewer_sets(population):
    """Thousands of sets on thousands of points would take minutes; the mean of other sets agrees."""
    design = Learners(population, Discriminant(), Majority(), 40)
    other = population.expected_error(Discriminant(), 40, trials=100, rng=4)
    se = np.hypot(other.se, design.truth_error("error"))
    assert 0 < se < 0.02
    assert design.truth("error") == pytest.approx(other.error, abs=4 * se)


@pytest.mark.parametrize(("examples", "plan"), [(2, "2-fold"), (3, "loo"), (4, "2-fold"), (5, "holdout")])
def test_fewer_examples_than_neighbours(examples, plan):
    """All of them vote, then; the smaller label wins a tie. Of one example, all is said to be of its class."""
    design = Learners(TwoNormals(0.1), NearestNeighbours(5), NearestNeighbours(1), examples, plan=plan)
    view = PlanView(Plan.parse(plan).name, "Resamples", 2)
    assert 0.1 < design.truth("error", view) <= 0.5
    assert np.isfinite(design.draw([view], 20, np.random.default_rng(0))[view].loss).all()
    if examples == 2:
        assert design.truth("error") > 0.4
        assert design.truth("error", view) == design.truth("error", view) - design.truth("difference", view) == 0.5


# --- What is measured ---------------------------------------------------------------------------------


def test_fresh_sets_keep_the_level_of_the_t_test():
    """Mitchell's idealised procedure (1997, section 5.6): rounds with training and test sets of their own."""
    twins = Twins(Discriminant(), 30, plan="independent", rounds=10, tested=40)
    result = calibrate("paired-t", twins, trials=4000, differences=[])
    assert result.size.value == pytest.approx(0.05, abs=0.012)  # 3.5 standard errors
    assert result.coverage.value[0] == pytest.approx(0.95, abs=0.012)


def test_overlapping_splits_do_not():
    """Dietterich's (1998) finding for thirty random splits, with learners that are truly trained."""
    names = ["resampled-t", "corrected-resampled-t", "mcnemar"]
    result = calibrate(names, Twins(NearestNeighbours(1), 60), trials=1000, differences=[])
    assert result["resampled-t"].size.low > 0.5
    assert result["corrected-resampled-t"].size.high < 0.2
    assert result["mcnemar"].size.high < 0.1


def test_nearest_neighbours_are_often_mutual():
    """An example and its nearest neighbour in the other half are wrong about each other, or neither is.

    So the two folds of a 2-fold cross-validation of 1-NN correlate, and 5x2cv-t, which takes them for independent,
    rejects too often. The loop finds the correlation without us.
    """
    rng, disagreement = np.random.default_rng(77), []
    for _ in range(400):
        y = rng.integers(2, size=60)
        x = rng.normal(size=(60, 2)) + 1.5 * y[:, None]
        halves = (slice(30), slice(30, 60))
        errors = [
            [(y[train][np.abs(x[test, c][:, None] - x[train, c]).argmin(axis=1)] != y[test]).mean() for c in (0, 1)]
            for train, test in (halves, halves[::-1])
        ]
        disagreement.append([a - b for a, b in errors])
    expected = np.corrcoef(np.transpose(disagreement))[0, 1]
    twins, view = Twins(NearestNeighbours(1), 60, distance=1.5), PlanView("5x2", "Resamples", 2)
    evidence = twins.draw([view], 2000, np.random.default_rng(1))[view].values
    assert np.corrcoef(evidence[:, 0].T)[0, 1] == pytest.approx(expected, abs=0.15)
    assert expected > 0.3
    assert calibrate("5x2cv-t", twins, trials=2000, differences=[]).size.low > 0.07
    assert calibrate("5x2cv-t", replace(twins, inducer=Discriminant()), trials=2000, differences=[]).size.high < 0.07


def test_disjoint_training_sets():
    twins = Twins(Discriminant(), 100, plan="delve 4x15", tested=50)
    view = PlanView("delve 4x15", "TrainingSets", 2)
    evidence = twins.draw([view], 8, np.random.default_rng(0))[view]
    assert (evidence.shape, evidence.sets, evidence.examples, evidence.trained_on) == ((8,), 4, 50, 15)
    left = replace(twins, tested=None).draw([view], 8, np.random.default_rng(0))[view]
    assert left.examples == 40
    assert calibrate("quasi-f", twins, trials=300, differences=[]).size.value < 0.15


def test_plans_of_different_test_sets_are_requested_one_by_one():
    design = Learners(TwoNormals(0.2), NearestNeighbours(3), Majority(), 20, plan="632*10")
    result = calibrate(["632", "632plus"], design, trials=40, learner="A")
    assert abs(float(result["632"].bias[0])) < 0.1
    nested = Twins(Discriminant(), 20, plan="nested 3x4")
    assert calibrate("nested-cv", nested, trials=30, differences=[]).coverage.value[0] > 0.7


def test_who_was_chosen():
    """A rule always speaks; against the majority class, mostly for the learner that looks at the attributes."""
    rule = Learners(PLANE, Discriminant(), Majority(), 40, plan="2x(0.5)")
    result = calibrate("mean-error-choice", rule, trials=300)
    chosen = {whom: float(share.value[0]) for whom, share in result.chosen.items()}
    assert sum(chosen.values()) == pytest.approx(1)
    assert chosen["A"] > 0.9
    assert chosen["neither"] == pytest.approx(0)  # ties go to the first
    assert result.sign_errors.value[0] == chosen["B"]
    assert result.as_dict()["chosen"]["A"]["value"].tolist() == [chosen["A"]]


def test_who_was_chosen_exactly():
    """Four examples, of which one learner alone is wrong on all with probability (1/2)⁴: the sign test at 1/8."""
    design = PairedOutcomes(0.5, 0.5, disagreement=1.0, examples=4)
    result = calibrate("mcnemar-exact", design, differences=[], alpha=0.126)
    assert {whom: float(share.value[0]) for whom, share in result.chosen.items()} == pytest.approx(
        {"A": 1 / 16, "B": 1 / 16, "neither": 14 / 16}
    )


def reference(*sizes):
    """Return a rerun of Martin and Hirschberg's (1996) designs elsewhere, of samples of these sizes."""
    with (TARGETS / "s0_nn_reference.csv").open() as file:
        rows = [{name: float(value or "nan") for name, value in row.items()} for row in csv.DictReader(file)]
    return [row for row in rows if row["N"] in sizes and 1 <= row["inherent_error_pct"] <= 40]


def samples_of_twenty(row):
    population = TwoNormals(row["inherent_error_pct"] / 100)
    pair = NearestNeighbours(3), NearestNeighbours(1)
    return Learners(population, *pair, int(row["N"]), plan="independent", rounds=20, tested="all")


@pytest.mark.parametrize("row", reference(20, 50), ids=lambda row: f"{row['N']:.0f} at {row['inherent_error_pct']:g} %")
def test_paired_t_of_true_errors(row):
    """Martin and Hirschberg's Table 10: paired t of true errors over twenty samples, 3-NN against 1-NN."""
    view = PlanView("independent", "Resamples", 2)
    evidence = samples_of_twenty(row).draw([view], 1000, np.random.default_rng(20))[view]
    assert evidence.loss.shape == (1000, 2, 20, 1)
    t = look_up("paired-t", "test", Resamples)(evidence).statistic
    groups = row["samples"] / 20
    assert t.mean() == pytest.approx(row["t20_ter_mean"], abs=4 * t.std() * np.sqrt(1 / groups + 1 / t.size))
    assert t.std() == pytest.approx(row["t20_ter_sd"], rel=4 / np.sqrt(2 * (groups - 1)))


def test_paired_t_of_true_errors_and_the_printed_ones():
    """Table 10 is one experiment; the paper's 0.1% column is not reproducible and left out."""
    with (TARGETS / "s0_table10.csv").open() as file:
        printed = {(float(row["N"]), float(row["inherent_error_pct"])): row for row in csv.DictReader(file)}
    view = PlanView("independent", "Resamples", 2)
    for row in reference(10, 20, 30):
        evidence = samples_of_twenty(row).draw([view], 400, np.random.default_rng(10))[view]
        t = look_up("paired-t", "test", Resamples)(evidence).statistic
        known = float(printed[row["N"], row["inherent_error_pct"]]["t_paired_TER"])
        assert known == pytest.approx(t.mean(), abs=4 * t.std())


def test_the_unpaired_formula_loses_power_where_samples_are_shared():
    """Table 11 of the paper: seven of the cells that the paired test finds are missed by the unpaired formula."""
    for row in reference(20):
        result = calibrate(["paired-t", "unpaired-t"], samples_of_twenty(row), trials=1000)
        paired, unpaired = (result[name].power for name in ("paired-t", "unpaired-t"))
        assert paired.low[0] > unpaired.high[0]
        assert result["unpaired-t"].coverage.value[0] > result["paired-t"].coverage.value[0]


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("row", reference(10, 20), ids=lambda row: f"{row['N']:.0f} at {row['inherent_error_pct']:g} %")
def test_bias_of_iterated_two_fold_cross_validation(row, k):
    """Table 15: what 2-fold*100 estimates, less the true error after all examples; the rerun's means, in points."""
    population = TwoNormals(row["inherent_error_pct"] / 100)
    design = Learners(population, NearestNeighbours(k), Majority(), int(row["N"]), plan="2-fold*100", target="all")
    result = calibrate("iterated-kfold", design, trials=600, learner="A")
    se = np.hypot(row[f"bias_{k}nn_se"] / 100, result.rmse[0] / np.sqrt(600))
    assert result.bias[0] == pytest.approx(row[f"bias2cvstar_{k}nn_pct"] / 100, abs=4 * se)
    if row["N"] == 10 and row["inherent_error_pct"] <= 10:
        assert result.bias[0] > 3 * se  # a learner of five examples is not one of ten
        own = calibrate("iterated-kfold", replace(design, target="plan"), trials=600, learner="A")
        assert abs(own.bias[0]) < 4 * own.rmse[0] / np.sqrt(600)  # of what it is trained on it is right


def test_the_target_of_plans_that_divide_no_sample_stays():
    design = Learners(TwoNormals(0.1), NearestNeighbours(1), Majority(), 40, target="all")
    own = replace(design, target="plan")
    for plan in ("632*100", "apparent", "independent", "delve 2x10"):
        view = PlanView(plan, "Resamples", 2)
        assert design.truth("error", view) == own.truth("error", view)
    half = PlanView("5x2", "Resamples", 2)
    assert design.truth("error", half) == own.truth("error") < own.truth("error", half)


def test_designs_are_written_in_short():
    design = Learners(TwoNormals(0.1), NearestNeighbours(1), Discriminant(), 40, plan="5x2")
    assert repr(design) == (
        "Learners(population=TwoNormals(inherent_error=0.1), a=NearestNeighbours(k=1), b=Discriminant(), examples=40,"
        " plan='5x2')"
    )
    assert repr(Twins(NearestNeighbours(3), 40)) == "Twins(inducer=NearestNeighbours(k=3), examples=40)"
    assert repr(Rows(*PLANE.draw((), 50, 0))) == "Rows(50 rows, 3 attributes, labels=(0, 1))"
    fresh = replace(design, plan="independent", rounds=20)
    assert fresh.describe().startswith(
        "1-NN against discriminant, trained and tested on 20 samples of 40 examples, each with its own test data;"
    )


# --- In clear words -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Learners("iris", Majority(), Majority(), 10), "`population` must be one of"),
        (lambda: Learners(PLANE, GaussianNB(), Majority(), 10), r"`a` must be a learner .* Estimator"),
        (lambda: Learners(PLANE, Majority(), Majority(), 1), "`examples` must be a whole number, at least 2"),
        (lambda: Learners(PLANE, Majority(), Majority(), 10, plan="20-fold"), "at least 20 examples"),
        (
            lambda: Learners(PLANE, Majority(), Majority(), 10, plan="3x(0.01)"),
            "leaves no training or no test set of 10",
        ),
        (lambda: Learners(PLANE, Majority(), Majority(), 10, plan="seeds"), "no training sets"),
        (
            lambda: Learners(PLANE, Majority(), Majority(), 90, plan="delve 8x100"),
            ("800 of 90 examples and leaves no test set"),
        ),
        (lambda: Learners(PLANE, Majority(), Majority(), 10, stratify="yes"), "`stratify` must be True or False"),
        (lambda: Learners(PLANE, Majority(), Majority(), 10, tested=0), "`tested` must be a whole number"),
        (
            lambda: Learners(PLANE, Majority(), Majority(), 10, tested="most"),
            "`tested` must be a whole number or 'all'",
        ),
        (lambda: Learners(PLANE, Majority(), NearestNeighbours(), 10, tested="all"), "1-NN has no formula here"),
        (lambda: Learners(PLANE, Majority(), Majority(), 10, "delve 2x4", tested="all"), "needs test examples"),
        (lambda: Learners(PLANE, Majority(), Majority(), 10, target="half"), "`target` must be 'plan' or 'all'"),
        (lambda: Learners(PLANE, Majority(), Discriminant(), 10).truth("size"), "`parameter` must be one of"),
        (lambda: Twins(Discriminant(), 10, distance=-1.0), "`distance` must be a number from 0 to 12"),
        (lambda: Twins(Discriminant(), 10, share_1=[0.1, 0.2]), "`share_1` must be one rate"),
        (lambda: Twins(Discriminant(), 10).at(float("nan")), "`difference` must be a number, got nan"),
        (lambda: Twins(Discriminant(), 10).at(0.05).truth("odds"), r"odds .* equally good learners. Use Twins\(…\)"),
        (lambda: Estimator(GaussianNB(), attributes="first"), "`attributes` must be a whole number"),
        (lambda: Estimator(GaussianNB(), called=3), "`called` must be a name"),
        (lambda: Twins(Majority(), 10), "with the parameter `attributes`"),
        (lambda: Twins(Discriminant(), 10, distance="far"), "`distance` must be a number"),
        (lambda: Twins(Discriminant(), 40, distance=1.5).at(0.4), "`difference` must be at most"),
        (lambda: Estimator(GaussianNB), "`estimator` must be one of scikit-learn's kind"),
    ],
)
def test_what_cannot_be_is_reported(make, says):
    with pytest.raises(InvalidOption, match=says):
        make()


def test_what_has_no_place_here_is_reported():
    with pytest.raises(UnknownMethod, match="needs"):
        calibrate("wilson", Twins(Discriminant(), 40))
    with pytest.raises(InvalidOption, match="`differences` must be left out"):
        calibrate("kfold-t", Learners(PLANE, Discriminant(), Majority(), 40), differences=[0.1])
