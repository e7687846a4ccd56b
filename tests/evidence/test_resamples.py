"""Resamples: scores that people hold become losses by replicate and fold, and nothing is guessed."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.model_selection import (
    GridSearchCV,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import Plan, Resamples

A, B = [0.9, 0.8, 0.7, 0.6], [0.8, 0.8, 0.8, 0.8]


def test_accuracy_becomes_error_and_the_difference_is_that_of_errors():
    resamples = Resamples.from_scores(A, B, plan="4-fold")
    assert resamples.metric.name == "error"
    assert_allclose(resamples.loss[0], [[0.1, 0.2, 0.3, 0.4]])
    assert_allclose(resamples.values, [[-0.1, 0, 0.1, 0.2]], atol=1e-15)
    assert resamples.difference == pytest.approx(0.05)  # A errs more often: B is better


def test_errors_are_taken_as_they_are():
    resamples = Resamples.from_scores([0.1, 0.2], [0.3, 0.2], plan="2-fold", metric="error")
    assert_allclose(resamples.loss[:, 0], [[0.1, 0.2], [0.3, 0.2]])


@pytest.mark.parametrize(
    ("metric", "greater", "loss", "called"),
    [
        ("f1_macro", None, 0.25, "f1-macro"),
        ("roc_auc", None, 0.25, "auc"),
        ("neg_log_loss", None, -0.75, "log-loss"),
        ("kappa", True, -0.75, "kappa"),
        ("cost", False, 0.75, "cost"),
        ("error", None, 0.75, "error"),
    ],
)
def test_every_metric_becomes_a_loss_with_a_name(metric, greater, loss, called):
    resamples = Resamples.from_scores([0.75] * 2, plan="2-fold", metric=metric, higher_is_better=greater)
    assert resamples.metric.name == called
    assert_allclose(resamples.loss, loss)


def test_a_metric_that_is_not_known_must_say_what_is_better():
    with pytest.raises(InvalidOption, match="`higher_is_better` is required for the unknown metric 'kappa'"):
        Resamples.from_scores(A, B, plan="4-fold", metric="kappa")


def test_replicates_follow_each_other_as_scikit_learn_yields_them():
    resamples = Resamples.from_scores(np.arange(6) / 10, plan="3x2", metric="error")
    assert_allclose(resamples.loss[0], [[0, 0.1], [0.2, 0.3], [0.4, 0.5]])
    laid_out = Resamples.from_scores(np.arange(6).reshape(3, 2) / 10, plan="3x2", metric="error")
    assert_array_equal(resamples.loss, laid_out.loss)


def test_dimensions_in_front_are_entries():
    resamples = Resamples.from_scores(np.zeros((7, 10)), np.full((7, 10), 0.5), plan="5x2", metric="error")
    assert resamples.shape == (7,)
    assert resamples[3].shape == ()
    assert resamples[3].loss.shape == (2, 5, 2)
    assert_allclose(resamples.difference, -0.5)
    assert [entry.difference for entry in resamples] == [-0.5] * 7


def test_sizes_follow_from_the_plan_or_are_reported():
    assert Resamples.from_scores(A, B, plan="4-fold").ratio == pytest.approx(1 / 3)
    assert_allclose(Resamples.from_scores(A, B, plan="4-fold", examples=80).test, 20)
    assert Resamples.from_scores(A, B, plan="4x(2/3)").ratio == pytest.approx(0.5)
    values = Resamples.from_scores(A, B, plan=Plan("splits", "splits", 4), test=10, train=40)
    assert values.ratio == 0.25
    assert np.isnan(Resamples.from_scores(A, B, plan=Plan("splits", "splits", 4)).ratio)
    with pytest.raises(InvalidOption, match="`test` and `train` must be used together"):
        Resamples.from_scores(A, B, plan="4-fold", test=10)


def test_bootstrap_samples_leave_out_a_share_of_the_examples():
    """(1 − 1/n)ⁿ of them, which goes to 1/e: the others are trained on, and no more."""
    resamples = Resamples.from_scores(A, B, plan="632*4", examples=1000)
    assert_allclose(resamples.test, 1000 * (1 - 1 / 1000) ** 1000, rtol=1e-3)
    assert_allclose(resamples.train, 1000)
    assert resamples.ratio == pytest.approx(0.582, abs=5e-4)
    assert Resamples.from_scores(A, B, plan="632*4").ratio == pytest.approx(0.582, abs=5e-4)


def test_sizes_of_a_row_of_scores_are_laid_out_as_the_scores_are():
    resamples = Resamples.from_scores(A, plan="2x2", test=[1, 2, 3, 4], train=5)
    assert resamples.test.tolist() == [[1, 2], [3, 4]]


def test_learners_by_name_in_any_order():
    resamples = Resamples.from_scores({"x": A, "y": B, "z": [0.5] * 4}, plan="4-fold")
    assert resamples.pair_names() == (("x", "y"), ("x", "z"), ("y", "z"))
    assert resamples.select("z", "x").difference == pytest.approx(0.5 - 0.25)
    pairs = resamples.pairs()
    assert pairs.shape == (3,)
    for index, (a, b) in enumerate(resamples.pair_names()):
        assert_array_equal(pairs[index].loss, resamples.select(a, b).loss)
    with pytest.raises(InvalidEvidence, match="`learner` must be one of 'x', 'y', 'z'"):
        resamples.select("w", "x")
    with pytest.raises(InvalidEvidence, match="the method needs one or two learners"):
        _ = resamples.values


def _with_predictions(entries=()):
    generator = np.random.default_rng(1)
    wrong = generator.random((*entries, 3, 2, 4, 10)) < 0.3  # learner × replicate × fold × example
    together = np.einsum("...irke,...jrke->...ijrk", wrong, wrong.astype(float))
    loss = wrong.mean(axis=-1)
    resamples = Resamples(
        loss=loss, test=10.0, train=30.0, plan=Plan.parse("2x4"), learners=("x", "y", "z"), together=together
    )
    return wrong, resamples


@pytest.mark.parametrize("entries", [(), (5,)])
def test_what_learners_got_wrong_together_gives_the_squared_differences(entries):
    wrong, resamples = _with_predictions(entries)
    squares = ((wrong[..., 2, :, :, :] * 1.0 - wrong[..., 0, :, :, :]) ** 2).sum(axis=-1)
    assert_allclose(resamples.select("z", "x").squares, squares)
    assert_allclose(resamples.pairs()[..., 1].squares, squares)
    assert_allclose(resamples.select("y").squares, wrong[..., 1, :, :, :].sum(axis=-1))


def test_scores_alone_do_not_tell_what_was_wrong_together():
    with pytest.raises(InvalidEvidence, match="the method needs losses by example"):
        _ = Resamples.from_scores(A, B, plan="4-fold").squares


def test_parts_are_of_the_same_learners():
    _, resamples = _with_predictions()
    whole = Resamples(
        loss=resamples.loss,
        test=10.0,
        train=30.0,
        plan=resamples.plan,
        learners=resamples.learners,
        parts={"apparent": resamples},
    )
    assert whole.select("y").part("apparent").learners == ("y",)
    with pytest.raises(InvalidEvidence, match="`plan` must include 'halves'"):
        whole.part("halves")


def test_seeds_need_not_be_paired():
    resamples = Resamples.from_scores([0.9, 0.8, 0.7], [0.6, 0.8], plan="seeds")
    assert resamples.plan.replicates == 3
    assert_allclose(resamples.losses, [0.2, 0.3])


@pytest.mark.parametrize(
    ("fields", "trouble"),
    [
        ({"a": [0.9, np.nan], "plan": "2-fold"}, "`scores` must be finite"),
        ({"a": [90, 80], "plan": "2-fold"}, r"`loss` \(error\) must be from 0 to 1"),
        ({"a": [0.9, 0.8], "plan": "3-fold"}, "`scores` must be 3 for plan '3-fold'"),
        ({"a": [0.9, 0.8], "b": [0.9], "plan": "2-fold"}, "every learner must have a score for each split"),
        ({"a": 0.9, "plan": "2-fold"}, "`scores` must be one for each split"),
        ({"a": ["high", "low"], "plan": "2-fold"}, "the scores of A must be numbers"),
        ({"a": [0.9, 0.8], "plan": "2-fold", "learners": ["x", "y"]}, "`learners` must be 1 name, got"),
        (
            {"a": {"x": [0.9, 0.8]}, "b": [1, 1], "plan": "2-fold"},
            "`b` must be left out if `a` is a mapping from names to scores",
        ),
        ({"a": [0.9, 0.8], "b": [0.9, 0.8], "plan": "2-fold", "learners": ["x", "x"]}, "must be different names"),
        ({"a": [0.9, 0.8], "b": [0.9, 0.8], "plan": "2-fold", "learners": "ab"}, "`learners` must be a list of names"),
        ({"a": [0.9, 0.8], "plan": "2-fold", "learners": 5}, "`learners` must be a list of names"),
        ({"a": {}, "plan": "2-fold"}, "`a` must hold the scores of at least one learner"),
        ({"a": [], "plan": "2-fold"}, "`scores` must be one for each split"),
        ({"a": [0.9, 0.8], "plan": "2-fold", "examples": -5}, "`examples` must be a whole number, 0 if unknown"),
        ({"a": [0.9, 0.8], "plan": "2-fold", "examples": "x"}, "`examples` must be a whole number, 0 if unknown"),
        ({"a": [0.9, 0.8], "plan": "2-fold", "examples": 80.5}, "`examples` must be a whole number, 0 if unknown"),
        ({"a": [0.9, 0.8], "plan": "2-fold", "examples": True}, "`examples` must be a whole number, 0 if unknown"),
        ({"a": [0.9, 0.8], "plan": "2-fold", "test": -5, "train": 3}, "`test` must be sizes above 0"),
        ({"a": [0.9, 0.8], "plan": "2-fold", "test": 5, "train": 0}, "`train` must be sizes above 0"),
        (
            {"a": [0.9, 0.8], "plan": "2-fold", "test": [1, 2, 3], "train": 1},
            r"`test` must be one size, or one for each split \(shape \(1, 2\)\)",
        ),
        ({"a": [0.9, 0.8], "plan": "2-fold", "test": "a", "train": 1}, "`test` must be numbers"),
        ({"a": [0.9, 0.8], "plan": "2-fold", "metric": None}, "`metric` must be a name"),
        ({"a": [0.9, np.nan, 0.8], "b": [0.7], "plan": "seeds"}, "`scores` must be finite"),
        ({"a": [], "b": [0.7, 0.8], "plan": "seeds"}, "`scores` must be one for each split"),
        (
            {"a": np.ones((2, 3)), "b": np.ones((3, 3)), "plan": "seeds"},
            "the scores of all learners must have the same leading dimensions",
        ),
    ],
)
def test_bad_scores_are_refused_with_a_fix(fields, trouble):
    fields = dict(fields)
    with pytest.raises((InvalidEvidence, InvalidOption), match=trouble):
        Resamples.from_scores(fields.pop("a"), fields.pop("b", None), **fields)


# --- What scikit-learn returns -------------------------------------------------------------------

X, Y = load_iris(return_X_y=True)


def test_cross_validate_tells_its_plan_where_it_kept_the_indices():
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    results = {
        name: cross_validate(learner, X, Y, cv=cv, return_indices=True)
        for name, learner in {"nb": GaussianNB(), "nn": KNeighborsClassifier(1)}.items()
    }
    resamples = Resamples.from_cross_validate(results)
    assert (resamples.plan.kind, resamples.plan.name, resamples.examples) == ("k-fold", "2x5", 150)
    assert_allclose(resamples.test, 30)
    assert_allclose(resamples.train, 120)
    assert_allclose(resamples.loss[0].ravel(), 1 - results["nb"]["test_score"])
    assert_allclose(Resamples.from_cross_validate(results, plan="2x5").loss, resamples.loss)
    for values in ("10-fold", "5x2", "10x(0.8)", "independent"):
        with pytest.raises(InvalidEvidence, match=f"the indices, '2x5', got '{re.escape(values)}'"):
            Resamples.from_cross_validate(results, plan=values)


def test_the_share_of_random_splits_is_that_of_the_indices():
    cv = ShuffleSplit(6, test_size=1 / 3, random_state=0)
    results = {"nb": cross_validate(GaussianNB(), X, Y, cv=cv, return_indices=True)}
    resamples = Resamples.from_cross_validate(results, plan="6x(2/3)")
    assert (resamples.plan.name, resamples.plan.kind, resamples.ratio) == ("6x(2/3)", "random", 0.5)
    with pytest.raises(InvalidEvidence, match=r"`plan` must be that of the indices, '6x\(0\.6667\)'"):
        Resamples.from_cross_validate(results, plan="half-and-half 6")


def test_results_are_by_the_name_of_the_learner():
    result = {"test_score": [0.9, 0.8]}
    for bad in ([result, result], result):
        with pytest.raises(
            InvalidEvidence,
            match=r"`results` must be a mapping from names to results, such as \{'lr': cross_validate\(\.\.\.\)\}",
        ):
            Resamples.from_cross_validate(bad, plan="2-fold")
    with pytest.raises(InvalidEvidence, match="`a` must hold the scores of at least one learner"):
        Resamples.from_cross_validate({}, plan="2-fold")


def test_cross_validate_without_indices_needs_a_plan():
    results = {"nb": cross_validate(GaussianNB(), X, Y, cv=5, scoring=["f1_macro", "accuracy"])}
    with pytest.raises(InvalidOption, match="return_indices=True"):
        Resamples.from_cross_validate(results, score="f1_macro")
    resamples = Resamples.from_cross_validate(results, score="f1_macro", plan="5-fold")
    assert resamples.metric.name == "f1-macro"
    with pytest.raises(InvalidEvidence, match=r"`results\['nb'\]` must have 'test_score'"):
        Resamples.from_cross_validate(results, plan="5-fold")


def test_learners_on_different_splits_are_not_compared():
    results = {
        name: cross_validate(
            GaussianNB(), X, Y, cv=StratifiedKFold(5, shuffle=True, random_state=seed), return_indices=True
        )
        for seed, name in enumerate("ab")
    }
    with pytest.raises(InvalidEvidence, match="the learners must be tested on the same splits"):
        Resamples.from_cross_validate(results)


def test_a_search_remembers_of_how_many_its_best_was_chosen():
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3, 5, 7]}, cv=5).fit(X, Y)
    resamples = Resamples.from_cv_results(search.cv_results_, plan="5-fold")
    assert resamples.learners == ("n_neighbors=1", "n_neighbors=3", "n_neighbors=5", "n_neighbors=7")
    assert resamples.chosen_from == 4
    assert_allclose(1 - resamples.losses, search.cv_results_["mean_test_score"])
    two = Resamples.from_cv_results(search.cv_results_, plan="5-fold", candidates=[search.best_index_, 0])
    assert two.difference == pytest.approx(
        search.cv_results_["mean_test_score"][0] - search.cv_results_["mean_test_score"][search.best_index_]
    )
    assert (two.learners[1], two.chosen_from) == ("n_neighbors=1", 4)  # the others were candidates, too
    for bad in ([9], [-1], [0.5], 0, "01", [], [True]):
        with pytest.raises(InvalidOption, match="`candidates` must be a list of numbers from 0 to 3"):
            Resamples.from_cv_results(search.cv_results_, plan="5-fold", candidates=bad)
    with pytest.raises(InvalidEvidence, match="`cv_results` must be the results of a search"):
        Resamples.from_cv_results(search, plan="5-fold")
    with pytest.raises(InvalidEvidence, match="`cv_results` must have 'split0_test_f1'"):
        Resamples.from_cv_results(search.cv_results_, plan="5-fold", score="f1")


def test_a_fit_that_failed_is_named():
    scores = {f"split{index}_test_score": [0.8, np.nan if index == 1 else 0.7] for index in range(2)}
    with pytest.raises(InvalidEvidence, match="`scores` must be finite"):
        Resamples.from_cv_results({"params": [{"k": 1}, {"k": -3}], **scores}, plan="2-fold")


def test_a_successive_halving_pairs_only_what_had_the_same_resources():
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.model_selection import HalvingGridSearchCV

    grid = {"n_neighbors": [1, 3, 5, 7]}
    search = HalvingGridSearchCV(KNeighborsClassifier(), grid, cv=5, min_resources=30, factor=2, random_state=0)
    result = search.fit(X, Y).cv_results_
    assert result["n_resources"].tolist() == [30, 30, 30, 30, 60, 60, 120]
    with pytest.raises(InvalidEvidence, match="`candidates` must have the same n_resources"):
        Resamples.from_cv_results(result, plan="5-fold")
    resamples = Resamples.from_cv_results(result, plan="5-fold", candidates=[4, 5])
    assert resamples.chosen_from == 7
    again = {"params": [{"k": 1}, {"k": 1}], "iter": [0, 1], "n_resources": [9, 9]}
    scores = {f"split{index}_test_score": [0.8, 0.7] for index in range(2)}
    assert Resamples.from_cv_results(again | scores, plan="2-fold").learners == ("k=1, iter=0", "k=1, iter=1")


# --- Made by hand ----------------------------------------------------------------------------------

LOSS = np.array([[[0.1, 0.2]], [[0.2, 0.3]]])


def test_a_plan_goes_by_its_name_and_takes_what_it_leaves_open_from_the_losses():
    assert Resamples(LOSS, 1, 1, "2-fold").plan == Plan.parse("2-fold")
    assert Resamples(LOSS, 1, 1, "loo").plan.folds == 2
    assert Resamples(LOSS.swapaxes(1, 2), 1, 1, Plan.parse("seeds")).plan.replicates == 2
    assert Resamples(LOSS.swapaxes(1, 2), 1, 1, "independent").plan.replicates == 2


@pytest.mark.parametrize(
    ("options", "trouble"),
    [
        ({"loss": "abc"}, "`loss` must be numbers"),
        ({"loss": None}, "`loss` must have learners, replicates and folds as last dimensions, 2 learners"),
        ({"loss": [["a"]]}, "`loss` must be numbers"),
        ({"learners": None}, "`learners` must be a list of names"),
        ({"learners": "ab"}, "`learners` must be a list of names"),
        ({"learners": ("a",)}, "`loss` must have learners, replicates and folds as last dimensions, 1 learners"),
        ({"plan": "10x10"}, "`loss` must have 10 replicates of 10 folds for plan '10x10'"),
        ({"plan": "nested 2x1"}, "`plan` must leave examples to train on and to test on"),
        ({"plan": "nested 3x2"}, "`loss` must have 3 replicates of 2 folds for plan 'nested 3x2'"),
        ({"plan": None}, "`plan` must be a name"),
        ({"metric": 5}, "`metric` must be a name"),
        ({"examples": 1.5}, "`examples` must be a whole number, 0 if unknown"),
        ({"test": [[1, 2, 3]]}, r"`test` must be one size, or one for each split \(shape \(1, 2\)\)"),
        ({"train": -1}, "`train` must be sizes above 0"),
        ({"train": np.inf}, "`train` must be sizes above 0"),
        ({"seed_variance": np.zeros(3)}, r"`seed_variance` must have shape \(2, 1, 2\)"),
        ({"together": np.full((2, 2, 1, 2), np.inf)}, "`together` must be finite"),
    ],
)
def test_bad_fields_are_refused_with_a_fix(options, trouble):
    fields = {"loss": LOSS, "test": 1, "train": 1, "plan": "2-fold"} | options
    with pytest.raises((InvalidEvidence, InvalidOption), match=trouble):
        Resamples(**fields)


def test_seeds_end_in_nothing_and_have_no_hole():
    nan = np.nan
    good = np.array([[0.1, 0.2, 0.3], [0.1, nan, nan]])[:, :, None]
    resamples = Resamples(good, 1, 1, "seeds")
    assert_allclose(resamples.losses, [0.2, 0.1])
    assert_allclose(resamples.pooled_losses, [0.2, 0.1])
    for bad in ([0.1, nan, 0.2], [nan, nan, nan], [nan, 0.1, 0.2], [0.1, 0.2, np.inf]):
        with pytest.raises(InvalidEvidence, match="must be finite"):
            Resamples(np.array([[0.1, 0.2, 0.3], bad])[:, :, None], 1, 1, "seeds", metric="cost")


def test_it_describes_itself_and_goes_into_json():
    resamples = Resamples.from_scores(A, B, plan="4-fold", examples=80)
    assert resamples.describe() == "80 examples, 4-fold cross-validation"
    assert repr(resamples) == "Resamples(A, B: error by 4-fold)"
    values = resamples.as_dict()
    assert values["plan"] == "4-fold"
    assert values["learners"] == ["A", "B"]
    assert_allclose(values["loss"], resamples.loss)
