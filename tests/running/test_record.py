"""Evidence from finished fits, against loops over examples and scikit-learn on the same splits."""

import json
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from tellapart import compare, estimate
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.metrics import Metric, canonical_name
from tellapart.running.fit import Fit
from tellapart.running.plans import lay_out
from tellapart.running.record import Race

X, Y = load_iris(return_X_y=True)
X, Y = X[50:, :2], Y[50:] - 1  # two species that overlap
LEARNERS = {"nb": GaussianNB(), "nn": KNeighborsClassifier(1), "tree": DecisionTreeClassifier(max_depth=2)}


def run(layout, learners=None, *, seeds=1, skip=lambda *_: False, fail=lambda *_: False):
    """Fit every learner on every split in a loop."""
    learners = learners or LEARNERS
    fits = []
    for name, learner in learners.items():
        for index, split in enumerate(layout.splits):
            for seed in range(seeds):
                if skip(name, split, seed):
                    continue
                if fail(name, split, seed):
                    fits.append(Fit(name, index, seed, None, None, 0.5, "ValueError: no luck"))
                    continue
                if "random_state" in learner.get_params():
                    learner.set_params(random_state=seed)
                learner.fit(X[split.train], Y[split.train])
                chances = learner.predict_proba(X[split.test])
                fits.append(Fit(name, index, seed, learner.predict(X[split.test]), chances, 0.5, None))
    return Race(tuple(learners), layout, Y, ("versicolor", "virginica"), fits, seeds)


def invented(plan, learners=("a", "b"), seeds=1, classes=3, examples=40, **options):
    """Return a race with random predictions."""
    rng = np.random.default_rng(11)
    y = rng.integers(0, classes, examples)
    layout = lay_out(plan, None, y, **options)
    fits = []
    for name in learners:
        for index, split in enumerate(layout.splits):
            for seed in range(seeds):
                chances = rng.dirichlet(np.ones(classes), split.test.size)
                fits.append(Fit(name, index, seed, rng.integers(-1, classes, split.test.size), chances, 0.1, None))
    return Race(tuple(learners), layout, y, tuple(range(classes)), fits, seeds)


def by_hand(race, part, loss=lambda y, fit, i: float(fit.predictions[i] != y)):
    """Return per split the losses by learner and test example, means over seeds, by loops."""
    summary = []
    for index, split in enumerate(race.layout.splits):
        if split.part == part:
            rows = []
            for name in race.learners:
                row = []
                for i, example in enumerate(split.test):
                    values = [loss(race.labels[example], race.fit(name, index, s), i) for s in range(race.seeds)]
                    row.append(sum(values) / len(values))
                rows.append(row)
            summary.append((split, rows))
    return summary


# --- Losses and what is lost together ---


@pytest.mark.parametrize("seeds", [1, 3])
@pytest.mark.parametrize("metric", ["error", "log_loss", "brier"])
@pytest.mark.parametrize("plan", ["3x4", "6x(2/3)", "loo"])
def test_aggregation_equals_a_loop_over_examples(plan, metric, seeds):
    race = invented(plan, ("a", "b", "c"), seeds)
    experiment_result = race.resamples(metric=metric)
    losses = {
        "error": lambda y, fit, i: float(fit.predictions[i] != y),
        "log_loss": lambda y, fit, i: -np.log(fit.probabilities[i, y]),
        "brier": lambda y, fit, i: sum((fit.probabilities[i, c] - (c == y)) ** 2 for c in range(3)),
    }
    summary = by_hand(race, "", losses[metric])
    shape = (race.plan.replicates, race.plan.folds)
    assert experiment_result.metric.name == canonical_name(metric)
    assert (experiment_result.examples, experiment_result.seeds) == (40, seeds)
    assert experiment_result.loss.shape == (3, *shape)
    for index, (split, rows) in enumerate(summary):
        at = np.unravel_index(index, shape)
        assert experiment_result.test[at] == split.test.size
        assert experiment_result.train[at] == split.train.size
        for a in range(3):
            assert_allclose(experiment_result.loss[(a, *at)], sum(rows[a]) / len(rows[a]))
            for b in range(3):
                together = sum(x * y for x, y in zip(rows[a], rows[b], strict=True))
                assert_allclose(experiment_result.together[(a, b, *at)], together)


def test_the_variance_between_seeds_is_that_of_mean_losses():
    race = invented("2x3", seeds=4)
    experiment_result = race.resamples()
    for index, split in enumerate(race.layout.splits):
        for a, name in enumerate(race.learners):
            means = [np.mean(race.fit(name, index, seed).predictions != race.labels[split.test]) for seed in range(4)]
            assert_allclose(experiment_result.seed_variance[a, split.replicate, split.fold], np.var(means, ddof=1))
    assert invented("2x3").resamples().seed_variance is None


@pytest.mark.parametrize(
    ("metric", "scoring"),
    [
        ("error", "accuracy"),
        ("f1", "f1"),
        ("balanced_accuracy", "balanced_accuracy"),
        ("roc_auc", "roc_auc"),
        ("log_loss", "neg_log_loss"),
        ("brier", "neg_brier_score"),
        ("mcc", "matthews_corrcoef"),
        ("precision_macro", "precision_macro"),
    ],
)
def test_losses_are_those_of_cross_val_score_on_the_same_splits(metric, scoring):
    splitter = RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=3)
    learners = {"nb": GaussianNB(), "lr": LogisticRegression()}
    experiment_result = run(lay_out(splitter, X, Y), learners).resamples(metric=metric)
    for index, learner in enumerate(learners.values()):
        scores = cross_val_score(learner, X, Y, cv=splitter, scoring=scoring)
        shift = 0 if scoring.startswith("neg") or metric == "mcc" else 1
        assert_allclose(experiment_result.loss[index].ravel(), shift - scores, atol=1e-12)
    assert (experiment_result.together is None) == (metric not in {"error", "log_loss", "brier"})


def test_learners_are_returned_in_the_requested_order():
    race = run(lay_out("5x2", X, Y))
    both = race.resamples("nn", "nb")
    assert both.learners == ("nn", "nb")
    every = race.resamples()
    assert_allclose(both.loss, every.select("nn", "nb").loss)
    assert_allclose(both.together, every.select("nn", "nb").together)
    with pytest.raises(InvalidOption, match="Did you mean 'tree'"):
        race.resamples("three")
    with pytest.raises(InvalidOption, match="must be different"):
        race.resamples("nb", "nb")


def test_a_function_is_a_metric():
    race = run(lay_out("3-fold", X, Y))
    experiment_result = race.resamples("nb", metric=lambda y, p: np.mean(y == p), higher_is_better=True)
    assert_allclose(experiment_result.loss + 1, race.resamples("nb").loss)
    assert (experiment_result.metric.name, experiment_result.metric.higher_is_better) == ("<lambda>", True)


# --- Further parts of plans ---


@pytest.mark.parametrize("metric", ["error", "log_loss"])
def test_the_bootstrap_keeps_apparent_out_of_bag_and_no_information(metric):
    race = invented("632*15", seeds=2)
    experiment_result = race.resamples(metric=metric)
    losses = {
        "error": lambda y, fit, i: float(fit.predictions[i] != y),
        "log_loss": lambda y, fit, i: -np.log(fit.probabilities[i, y]),
    }[metric]
    sums, often = np.zeros((2, 40)), np.zeros(40)
    for split, rows in by_hand(race, "", losses):
        for i, example in enumerate(split.test):
            often[example] += 1
            sums[:, example] += [rows[0][i], rows[1][i]]
    mean = sums[:, often > 0] / often[often > 0]
    bag = experiment_result.part("out-of-bag")
    assert bag.loss.shape == (2, 1, np.count_nonzero(often))
    assert_allclose(bag.loss[:, 0], mean)
    assert_allclose(bag.together[0, 1, 0], mean[0] * mean[1])
    assert set(bag.test.flat) == {1.0}
    [(split, rows)] = by_hand(race, "apparent", losses)
    assert split.test.size == 40
    assert_allclose(experiment_result.part("apparent").loss[:, 0, 0], np.mean(rows, axis=1))
    index = race.layout.places("apparent")[0]
    for a, name in enumerate(race.learners):  # Efron and Tibshirani 1997, eq. 27: all pairs of label and prediction
        gamma = np.mean(
            [
                losses(y, race.fit(name, index, seed), j)
                for seed in range(2)
                for y in race.labels
                for j in range(race.labels.size)
            ]
        )
        assert_allclose(experiment_result.part("no-information").loss[a, 0, 0], gamma)
    assert experiment_result.loss.shape == (2, 15, 1)


def test_the_no_information_rate_of_two_classes_is_the_papers():
    """Efron and Tibshirani 1997, eq. 29: γ = p(1 − q) + (1 − p)q."""
    race = run(lay_out("632*3", X, Y), {"nb": GaussianNB()})
    predictions = race.fit("nb", race.layout.places("apparent")[0]).predictions
    p, q = Y.mean(), predictions.mean()
    assert_allclose(race.resamples().part("no-information").loss.item(), p * (1 - q) + (1 - p) * q)


def test_nested_pools_the_inner_cross_validation_of_each_training_set():
    race = invented("nested 2x4")
    inner = race.resamples().part("inner")
    assert inner.loss.shape == (2, 2, 4)
    tests = {(s.replicate, s.fold): set(s.test.tolist()) for s in race.layout.splits if not s.part}
    pairs = by_hand(race, "pairs")
    for replicate in range(2):
        for left_out in range(4):
            values = []
            for index, (j, k) in enumerate(combinations(range(4), 2)):
                if left_out not in (j, k):
                    continue
                split, rows = next(p for p in pairs if (p[0].replicate, p[0].fold) == (replicate, index))
                tested = tests[replicate, j if left_out == k else k]
                values += [(rows[0][i], rows[1][i]) for i, example in enumerate(split.test) if example in tested]
            assert inner.test[replicate, left_out] == len(values) == 40 - len(tests[replicate, left_out])
            assert_allclose(inner.loss[:, replicate, left_out], np.mean(values, axis=0))
            assert_allclose(inner.together[0, 1, replicate, left_out], sum(x * y for x, y in values))
            assert inner.train[replicate, left_out] == 20


def test_halves_are_means_over_their_splits():
    race = invented("conservative-z 3x4(0.8)")
    experiment_result = race.resamples()
    assert experiment_result.loss.shape == (2, 4, 1)
    halves = experiment_result.part("halves")
    assert halves.loss.shape == (2, 3, 2)
    for replicate in range(3):
        for half in range(2):
            rows = [
                np.mean(rows, axis=1)
                for split, rows in by_hand(race, "halves")
                if split.replicate == replicate and split.fold // 4 == half
            ]
            assert len(rows) == 4
            assert_allclose(halves.loss[:, replicate, half], np.mean(rows, axis=0))
    assert race.resamples(metric="f1_macro").part("halves").loss.shape == (2, 3, 2)


def test_loo_star_has_its_three_parts():
    experiment_result = invented("loo-star", examples=15).resamples()
    assert experiment_result.loss.shape == (2, 1, 15)
    assert experiment_result.part("632").loss.shape == (2, 100, 1)
    assert {"apparent", "out-of-bag", "no-information"} <= set(experiment_result.part("632").parts)
    assert experiment_result.part("2-fold*100").loss.shape == (2, 100, 2)


def test_several_plans_and_a_learning_curve_are_parts():
    race = invented(["2x3", "632*4", "nested 1x3"], learning_curve=(0.5,))
    experiment_result = race.resamples()
    assert set(experiment_result.parts) == {"632*4", "apparent", "nested 1x3", "train x 0.5"}
    assert set(experiment_result.part("632*4").parts) == {"apparent", "out-of-bag", "no-information"}
    assert set(experiment_result.part("nested 1x3").parts) == {"inner"}
    assert experiment_result.part("train x 0.5").plan.kind == "k-fold"
    assert_allclose(experiment_result.part("train x 0.5").test, experiment_result.test)
    assert (experiment_result.part("train x 0.5").train < experiment_result.train).all()


def test_a_metric_of_whole_test_sets_keeps_the_parts_it_is_defined_for():
    experiment_result = invented("632*4").resamples(metric="f1_macro")
    assert set(experiment_result.parts) == {"apparent"}
    assert set(invented("nested 1x3").resamples(metric="mcc").parts) == set()


# --- Missing fits ---


def test_failed_fits_are_refused_by_name_or_dropped_by_replicate():
    layout = lay_out("5x2", X, Y)
    race = run(
        layout,
        fail=lambda name, split, _: name == "nn" and (split.replicate, split.fold) == (3, 1),
        skip=lambda name, split, _: name == "nn" and (split.replicate, split.fold) == (1, 0),
    )
    with pytest.raises(InvalidEvidence) as summary:
        race.resamples("nb", "nn")
    for words in (
        "2 fits missing: nn was not run (replicate 2, fold 1); nn failed: ValueError: no luck (replicate 4, fold",
        "missing='drop'",
    ):
        assert words in str(summary.value)
    assert race.resamples("nb", "tree").loss.shape == (2, 5, 2)  # those who ran are not concerned
    experiment_result = race.resamples("nb", "nn", missing="drop")
    assert experiment_result.missing == {"nn failed: ValueError: no luck": 1, "nn was not run": 1}
    assert experiment_result.plan.replicates == 3
    whole = run(layout).resamples("nb", "nn")
    assert_allclose(experiment_result.loss, whole.loss[:, [0, 2, 4]])
    assert "2 left out" in experiment_result.describe() or "1 left out" in experiment_result.describe()
    assert [failure.learner for failure in race.failures] == ["nn"]
    assert race.failures[0].where == "replicate 4, fold 2"
    assert race.missing == (("nn", 2, 0),)


def test_random_splits_are_dropped_one_by_one():
    layout = lay_out("6x(2/3)", X, Y)
    race = run(layout, fail=lambda name, split, _: name == "nb" and split.replicate in {0, 5})
    experiment_result = race.resamples(missing="drop")
    assert experiment_result.loss.shape == (3, 4, 1)
    assert experiment_result.missing == {"nb failed: ValueError: no luck": 2}


def test_a_failed_seed_is_a_missing_fit():
    layout = lay_out("6x(2/3)", X, Y)
    race = run(layout, {"nb": GaussianNB()}, seeds=2, fail=lambda _, split, seed: seed == 1 and split.replicate == 2)
    assert race.resamples(missing="drop").loss.shape == (1, 5, 1)
    assert race.failures[0].where == "split 3, seed 2"


def test_nested_plans_drop_whole_replicates():
    layout = lay_out("nested 3x4", X, Y)
    race = run(
        layout,
        {"nb": GaussianNB()},
        fail=lambda _, split, __: split.part == "pairs" and split.replicate == 1 and split.fold == 3,
    )
    experiment_result = race.resamples(missing="drop")
    whole = run(layout, {"nb": GaussianNB()}).resamples()
    assert_allclose(experiment_result.loss, whole.loss[:, [0, 2]])
    assert_allclose(experiment_result.part("inner").loss, whole.part("inner").loss[:, [0, 2]])


def test_a_failed_part_is_left_out_by_the_policy_drop():
    race = run(lay_out("632*4", X, Y), {"nb": GaussianNB()}, fail=lambda _, split, __: split.part == "apparent")
    assert set(race.resamples(missing="drop").parts) == {"out-of-bag"}
    with pytest.raises(InvalidEvidence, match="apparent, split 1"):
        race.resamples()


def test_a_race_without_complete_replicates_is_refused():
    race = run(lay_out("4-fold", X, Y), fail=lambda name, split, _: name == "nb" and split.fold == 0)
    with pytest.raises(InvalidEvidence, match="at least one replicate must be complete for nb, nn and tree"):
        race.resamples(missing="drop")
    with pytest.raises(InvalidOption, match="`missing` must be one of"):
        race.resamples(missing="ignore")


def test_a_learner_without_probabilities_is_named():
    layout = lay_out("2-fold", X, Y)
    fits = [Fit("svm", index, 0, Y[split.test], None, 0.1, None) for index, split in enumerate(layout.splits)]
    race = Race(("svm",), layout, Y, (0, 1), fits)
    assert race.resamples().losses == 0
    for metric in ("log_loss", "roc_auc"):
        with pytest.raises(InvalidEvidence, match="svm has none"):
            race.resamples(metric=metric)


def test_an_undefined_metric_names_its_split():
    with pytest.raises(InvalidEvidence, match=r"nb \(replicate 1, fold 1\): auc needs every class"):
        run(lay_out("loo", X, Y), {"nb": GaussianNB()}).resamples(metric="roc_auc")


def test_an_undefined_score_counts_as_0_and_is_reported():
    """As in scikit-learn with zero_division=0; `no` never predicts yes, and `b` is random."""
    race = invented("3x4", ("no", "b"), classes=2)
    fits = [replace(fit, predictions=0 * fit.predictions) if fit.learner == "no" else fit for fit in race.fits]
    race = replace(race, fits=fits)
    experiment_result = race.resamples(metric="precision")
    assert (experiment_result.loss[0] == 1).all()
    assert experiment_result.undefined["no"] == 12
    summary = "precision of no undefined on 12 test sets, counted as 0"
    assert summary in experiment_result.describe()
    assert summary in " ".join(str(compare(race, metric="precision")).split())
    assert experiment_result.as_dict()["undefined"]["no"] == 12
    assert "no" not in experiment_result.select("b").undefined
    assert experiment_result.pairs().undefined == experiment_result.undefined
    mcc = race.resamples(metric="mcc")
    assert (mcc.loss[0] == 0).all()
    assert "MCC of no undefined on 12 test sets, counted as 0" in mcc.describe()
    assert race.resamples(metric="balanced-accuracy").undefined == {}
    with pytest.raises(InvalidEvidence, match=r"^precision of no must be defined on some test set"):
        race.resamples("no", metric="precision")


def test_losses_have_the_range_of_the_metric():
    """The t interval of a few folds with large variance would exceed the range."""
    race = invented("4-fold", classes=2)
    costs = [[0.0, 1.0], [3.0, 0.0]]
    fits = [replace(fit, predictions=np.maximum(fit.predictions, 0)) for fit in race.fits]
    experiment_result = replace(race, fits=fits)
    summary = {"mcc": (-1, 1), "informedness": (-1, 1), "false-positive-rate": (0, 1), "brier": (0, 1), "cost": (0, 3)}
    for metric, ends in summary.items():
        context = {"costs": costs} if metric == "cost" else {}
        both = experiment_result.resamples(metric=metric, **context)
        assert both.select("a").range == ends
        assert both.range == (ends[0] - ends[1], ends[1] - ends[0])
        limits = estimate(experiment_result, learner="a", metric=metric, level=0.9999, **context).interval
        assert ends[0] <= limits.low < limits.high <= ends[1]
    assert experiment_result.resamples(metric="cost", costs=costs).together is not None
    sets = invented("delve 4x5", classes=2)
    sets = replace(sets, fits=[replace(fit, predictions=np.maximum(fit.predictions, 0)) for fit in sets.fits])
    assert sets.training_sets("a", metric="cost", costs=costs).range == (0, 3)
    with pytest.raises(InvalidEvidence, match=r"`bounds` must contain all losses, from 0\.3 to 0\.7"):
        replace(experiment_result.resamples(), metric=Metric(name="loss", higher_is_better=False, bounds=(0.9, 1.0)))


# --- Training sets and classifiers ---


@pytest.mark.parametrize("seeds", [1, 3])
def test_disjoint_training_sets_are_crossed_with_test_examples(seeds):
    race = invented("delve 4x5", seeds=seeds)
    sets = race.training_sets("b", "a")
    summary = by_hand(race, "")
    assert (sets.learners, sets.sets, sets.trained_on, sets.examples) == (("b", "a"), 4, 5, 20)
    assert sets.varies == "training set"
    for index, (_, rows) in enumerate(summary):
        assert_allclose(sets.loss[:, index], [rows[1], rows[0]])
    if seeds > 1:
        assert sets.seeds == 3
        assert_allclose(sets.seed_variance[::-1], race.resamples().seed_variance[..., 0])
    assert race.resamples().loss.shape == (2, 4, 1)


def test_one_split_and_several_seeds_are_crossed_with_test_examples():
    race = invented("holdout", seeds=5)
    sets = race.training_sets()
    assert (sets.varies, sets.sets, sets.seeds) == ("seed", 5, 1)
    truth = race.labels[race.layout.splits[0].test]
    for seed in range(5):
        assert_allclose(sets.loss[1, seed], race.fit("b", 0, seed).predictions != truth)
    with pytest.raises(InvalidEvidence, match="single seed"):
        race.paired_table("a", "b")


def test_other_plans_have_no_training_sets():
    for race in (invented("5x2"), invented("holdout")):
        with pytest.raises(InvalidEvidence, match="delve 8x200"):
            race.training_sets()


def test_one_split_gives_a_paired_table():
    race = invented("holdout", ("a", "b", "c"))
    [(_, rows)] = by_hand(race, "")
    a, b, c = (np.array(row, dtype=bool) for row in rows)
    table = race.paired_table("a", "c")
    assert (table.both_wrong, table.only_a_wrong, table.only_b_wrong) == (
        (a & c).sum(),
        (a & ~c).sum(),
        (c & ~a).sum(),
    )
    assert table.models == ("a", "c")
    assert (race.error_count("b").errors, race.error_count("b").trials) == (b.sum(), b.size)
    assert race.error_patterns().error_counts.errors.tolist() == [a.sum(), b.sum(), c.sum()]
    assert race.error_patterns("c", "b").models == ("c", "b")
    for plan in ("5x2", "apparent"):
        with pytest.raises(InvalidEvidence, match="a single split"):
            invented(plan).error_count("a")


def test_one_split_gives_a_paired_confusion():
    race = run(lay_out("holdout", X, Y))
    test = race.layout.splits[0].test
    message = {name: np.asarray(race.fit(name, 0).predictions) for name in race.learners}
    both = race.paired_confusion("nb", "tree")
    assert (both.models, both.labels) == (("nb", "tree"), ("versicolor", "virginica"))
    for name, matrix in (("nb", both.confusion_a), ("tree", both.confusion_b)):
        assert_array_equal(matrix.counts, confusion_matrix(Y[test], message[name]))
    experiment_result = race.label_patterns()
    assert experiment_result.models == race.learners
    assert_array_equal(experiment_result.confusion("nn").counts, confusion_matrix(Y[test], message["nn"]))
    with pytest.raises(InvalidEvidence, match="a must predict labels of `y`"):
        invented("holdout").paired_confusion("a", "b")
    with pytest.raises(InvalidEvidence, match="a single split"):
        invented("5x2").label_patterns()


def test_one_split_and_a_metric_compare_classifiers():
    """Learners need several splits; classifiers of one split are compared on its test examples."""
    race = run(lay_out("holdout", X, Y))
    for metric in ("f1", "auc", "log-loss"):
        experiment_result = race.class_scores("nb", "tree") if metric != "f1" else race.paired_confusion("nb", "tree")
        answer, expected = (
            compare(race, learners=("nb", "tree"), metric=metric),
            compare(experiment_result, metric=metric),
        )
        assert (answer.method, answer.pvalue) == (expected.method, expected.pvalue)
    answer = estimate(race, learner="nb", metric="recall", positive="versicolor")
    expected = estimate(race.confusion_matrix("nb"), metric="recall", positive="versicolor")
    assert (answer.interval.low, answer.method) == (expected.interval.low, expected.method)
    assert answer.target == "nb"
    assert compare(race, metric="f1").evidence.models == race.learners


# --- Probabilities: one replicate ---


@pytest.mark.parametrize("plan", ["3x5", "holdout", "loo"])
def test_class_scores_have_every_tested_example_once(plan):
    race = invented(plan, ("a", "b"), seeds=2, classes=2)
    experiment_result = race.class_scores("b", "a")
    assert experiment_result.models == ("b", "a")
    places = [index for index, split in enumerate(race.layout.splits) if split.replicate == 0]
    expected = {
        int(example): (race.labels[example], race.fit("b", index, 0).probabilities[at, 1])
        for index in places
        for at, example in enumerate(race.layout.splits[index].test)
    }
    assert experiment_result.examples == len(expected) == (13 if plan == "holdout" else 40)
    for at, example in enumerate(sorted(expected)):
        assert (experiment_result.labels[at], experiment_result.scores[0, at]) == expected[example]


def test_class_scores_of_several_classes_and_of_none():
    race = invented("4-fold", classes=3)
    experiment_result = race.class_scores()
    assert experiment_result.scores.shape == (2, 40, 3)
    assert_allclose(experiment_result.scores.sum(axis=-1), 1)
    fits = [replace(fit, probabilities=None) for fit in race.fits if fit.learner == "a"]
    with pytest.raises(InvalidEvidence, match="needs class probabilities, but a has none"):
        replace(race, fits=fits).class_scores("a")
    with pytest.raises(InvalidEvidence, match="b was not run"):
        replace(race, fits=fits).class_scores("b")


# --- Confusion matrices: one a replicate and seed ---


def test_a_confusion_matrix_pools_the_folds_of_a_replicate():
    race = run(lay_out("3x5", X, Y))
    matrix = race.confusion_matrix("tree")
    assert matrix.shape == (3,)
    assert matrix.labels == ("versicolor", "virginica")
    for replicate in range(3):
        places = [index for index, split in enumerate(race.layout.splits) if split.replicate == replicate]
        truth = np.concatenate([Y[race.layout.splits[index].test] for index in places])
        message = np.concatenate([race.fit("tree", index).predictions for index in places])
        assert_array_equal(matrix.counts[replicate], confusion_matrix(truth, message))


def test_a_confusion_matrix_for_each_seed():
    layout = lay_out("2x5", X, Y)
    tree = {"tree": DecisionTreeClassifier(max_features=1)}
    assert run(layout, tree, seeds=4).confusion_matrix("tree").shape == (2, 4)
    one = run(lay_out("holdout", X, Y), tree, seeds=4)
    truth = Y[one.layout.splits[0].test]
    for seed, counts in enumerate(one.confusion_matrix("tree").counts):
        assert_array_equal(counts, confusion_matrix(truth, one.fit("tree", 0, seed).predictions))
    assert run(lay_out("5-fold", X, Y), tree).confusion_matrix("tree").shape == ()


def test_races_without_a_confusion_matrix_are_refused():
    with pytest.raises(InvalidEvidence, match="a must predict labels of `y`"):
        invented("5-fold").confusion_matrix("a")
    with pytest.raises(InvalidOption, match="unknown learner 'nbb'"):
        run(lay_out("5-fold", X, Y)).confusion_matrix("nbb")
    with pytest.raises(InvalidEvidence, match="no luck"):
        run(lay_out("5-fold", X, Y), fail=lambda *_: True).confusion_matrix("nb")


# --- Reseeding, and its description ---


def test_other_seeds_are_numbered_from_one():
    settings_passed = []
    race = invented("2-fold")
    again = Race(race.learners, race.layout, race.labels, race.classes, race.fits, reseed=settings_passed.append)
    assert list(again.reseeded(3)) == [None, None, None]
    assert settings_passed == [1, 2, 3]
    with pytest.raises(InvalidOption, match="read from a file without learners"):
        race.reseeded(2)


def test_a_race_is_shown_with_errors_times_and_failures():
    race = run(lay_out("3x2", X, Y), fail=lambda name, split, _: name == "nn" and split.replicate == 0)
    text = str(race)
    assert "100 examples, 3 repeats of 2-fold cross-validation, 18 fits, 2" in text
    (row,) = race.display().rows
    assert row == ("caution", "nn failed, 2 times: ValueError: no luck")
    summary = json.loads(race.to_json())
    assert [each["name"] for each in summary["learners"]] == ["nb", "nn", "tree"]
    assert_allclose(summary["learners"][0]["error"], race.resamples("nb").losses.item())
    assert summary["learners"][1]["failed"] == 2
    assert race.seconds == {"nb": 3.0, "nn": 3.0, "tree": 3.0}
    assert repr(race) == "Race(nb, nn, tree: 3x2 on 100 examples, 18 fits, 2 failed)"
    unfinished = run(lay_out("3x2", X, Y), skip=lambda name, *_: name == "nn")
    assert "12 of 18 fits" in unfinished.describe()
    assert ["nn", "none", "0", "6"] in unfinished.display().blocks[0].lines
