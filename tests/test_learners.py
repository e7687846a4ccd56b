"""Learners through the verbs: defaults by design, pairs and rankings, margins, other seeds, output."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import tellapart as ta
from tellapart.advice.alternatives import suggest_alternatives
from tellapart.errors import InvalidEvidence, InvalidOption, UnknownMethod
from tellapart.evidence.plan import as_plan

RNG = np.random.default_rng(7)
A = 0.90 + 0.02 * RNG.standard_normal(100)
B = 0.87 + 0.02 * RNG.standard_normal(100)
X, Y = load_iris(return_X_y=True)
LEARNERS = {"nb": GaussianNB(), "nn": KNeighborsClassifier(1), "none": DummyClassifier()}


def scores_by(plan, *, learners=2, **more):
    """Return scores of one, two or three learners by this cross-validation design."""
    design = as_plan(plan, 10)
    runs = design.replicates * design.folds
    scores = {"a": A[:runs], "b": B[:runs], "c": B[:runs] - 0.05 * (np.arange(runs) % 3)}
    return ta.Resamples.from_scores(dict(list(scores.items())[:learners]), plan=plan, **more)


# --- The method follows the plan -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "test", "interval"),
    [
        ("10x10", "corrected-repeated-kfold-t", "corrected-repeated-kfold-t"),
        ("3x2", "corrected-repeated-kfold-t", "corrected-repeated-kfold-t"),
        ("10-fold", "corrected-resampled-t", "corrected-resampled-t"),
        ("30x(2/3)", "corrected-resampled-t", "corrected-resampled-t"),
        ("half-and-half 40", "corrected-resampled-t", "corrected-resampled-t"),
        ("5x2", "5x2cv-t", "corrected-resampled-t"),
        ("seeds", "welch", "welch"),
        ("independent", "paired-t", "paired-t"),
    ],
)
def test_the_default_follows_the_plan(plan, test, interval):
    answer = ta.compare(scores_by(plan))
    assert (answer.method, answer.interval.method) == (test, interval)


@pytest.mark.parametrize(
    ("plan", "method", "interval"),
    [
        ("10-fold", "kfold", "corrected-t-interval"),
        ("10x10", "repeated-kfold", "corrected-t-interval"),
        ("2-fold*20", "iterated-kfold", "corrected-t-interval"),
        ("30x(2/3)", "corrected-t-interval", "corrected-t-interval"),
    ],
)
def test_the_estimator_follows_the_plan(plan, method, interval):
    answer = ta.estimate(scores_by(plan, learners=1, examples=300))
    assert (answer.method, answer.interval.method) == (method, interval)
    assert_allclose(answer.estimate, 1 - scores_by(plan, learners=1).loss.size * 0 - A[: scores_by(plan).runs].mean())


def test_every_plan_has_its_own_default_methods():
    expected = {
        "loo": ("cv-wald", "loo"),
        "632*20": ("corrected-resampled-t", "632plus"),
        "nested 2x4": ("nested-cv", "nested-cv"),
        "conservative-z 2x3(0.8)": ("conservative-z", "conservative-z"),
        "loo-star": ("cv-wald", "loo-star"),
        "delve 3x30": ("quasi-f", "crossed-interval"),
        "holdout": ("mcnemar-mid-p", "holdout"),
    }
    learners = {"nb": GaussianNB(), "nn": KNeighborsClassifier(1)}
    for plan, (test, estimator) in expected.items():
        race = ta.race(learners, X, Y, plan=plan, jobs=1)
        answer = ta.compare(race)
        assert answer.method == test, plan
        assert 0 < answer.pvalue <= 1, plan
        assert answer.interval.low < answer.interval.high, plan
        assert ta.estimate(race, learner="nn").method == estimator, plan


def test_training_errors_cannot_be_compared_but_estimated():
    race = ta.race({"nb": GaussianNB(), "nn": KNeighborsClassifier(1)}, X, Y, plan="apparent", jobs=1)
    with pytest.raises(InvalidEvidence, match="`plan` must have separate test sets to compare learners"):
        ta.compare(race)
    answer = ta.estimate(race, learner="nn")
    assert answer.estimate == 0
    assert any(not check.holds for check in answer.checks)  # optimistic
    assert answer.words.startswith("nn, trained on this training set: accuracy 100.00% ")
    assert answer.words.endswith("Applies to the training examples, not to new data.")


def test_every_estimate_names_its_target():
    """The learner at the size of its training sets, or at the size of all examples, by the estimator."""
    learner = {"nb": GaussianNB()}
    targets = {
        "10-fold": "nb, trained on 135 examples",
        "loo": "nb, trained on 149 examples",
        "10x(2/3)": "nb, trained on 100 examples",
        "632*20": "nb, trained on 150 examples",
        "nested 2x3": "nb, trained on 150 examples",
        "delve 3x30": "nb, trained on 30 examples",
        "holdout": "nb, trained on this training set",
    }
    for plan, target in targets.items():
        answer = ta.estimate(ta.race(learner, X, Y, plan=plan, jobs=1))
        assert answer.target == target
        assert answer.words.startswith(f"{target}: accuracy ")
        assert answer.as_dict()["target"] == target


def test_the_target_is_that_of_the_method_not_of_the_plan():
    race = ta.race({"nb": GaussianNB()}, X, Y, plan="632*20", jobs=1)
    assert ta.estimate(race, method="oob").target == "nb, trained on bootstrap samples of 150 examples"
    apparent = ta.estimate(race, method="apparent")
    assert apparent.target == "nb, trained on this training set"
    assert "It would be one if these examples were new." in " ".join(apparent.explain().split())
    assert "not to new data" in apparent.words


def test_two_folds_fail_a_check():
    """Martin and Hirschberg 1996: 2-CV* is biased, and not equally for all learners."""
    for plan in ("2-fold*20", "5x2", "2-fold"):
        answer = ta.estimate(scores_by(plan, learners=1, examples=300))
        assert "TA428" in [check.code for check in answer.checks if not check.holds]


def test_disjoint_training_sets_are_not_splits():
    race = ta.race({"nb": GaussianNB(), "nn": KNeighborsClassifier(1)}, X, Y, plan="delve 3x30", jobs=1)
    with pytest.raises(InvalidEvidence, match="training_sets"):
        ta.compare(race.resamples())
    with pytest.raises(InvalidEvidence, match="training_sets"):
        ta.estimate(race.resamples("nb"))


# --- Two learners ----------------------------------------------------------------------------------


def test_the_corrected_t_is_that_of_scikit_learns_published_example():
    """The formula of scikit-learn's page on comparing grid searches, computed here from the scores."""
    evidence = scores_by("10x10")
    d = B - A  # error(A) − error(B)
    t = d.mean() / np.sqrt(d.var(ddof=1) * (1 / 100 + 1 / 9))
    answer = ta.compare(evidence)
    assert_allclose(answer.statistic, t)
    assert_allclose(answer.pvalue, 2 * stats.t.sf(abs(t), 99))
    assert answer.better == "A"
    assert answer.as_dict()["better_model"] == "a"
    assert answer.words.startswith("a is more accurate than b: ")


def test_sides_and_swaps():
    evidence = scores_by("10-fold")
    both, greater, less = (ta.compare(evidence, alternative=side) for side in ("two-sided", "greater", "less"))
    assert_allclose(2 * min(greater.pvalue, less.pvalue), both.pvalue)
    swapped = ta.compare(evidence.select("b", "a"))
    assert_allclose(swapped.pvalue, both.pvalue)
    assert_allclose(swapped.difference, -both.difference)
    assert_allclose([swapped.interval.low, swapped.interval.high], [-both.interval.high, -both.interval.low])


def test_by_5x2_the_corrected_t_is_an_alternative():
    answer = ta.compare(scores_by("5x2"))
    d = (B - A)[:10]
    t = d.mean() / np.sqrt(d.var(ddof=1) * (1 / 10 + 1))  # half and half: as many tested as trained on
    assert_allclose(answer.note("other_tests", {})["corrected-resampled-t"].statistic, t)
    assert dict(answer.rows())["or"].startswith("corrected-resampled-t: p = ")
    assert (
        answer.as_dict()["beside"]["corrected-resampled-t"]["pvalue"]
        == answer.note("other_tests", {})["corrected-resampled-t"].pvalue
    )


def test_a_margin_is_tested_one_sided_in_agreement_with_its_interval():
    evidence = scores_by("10x10")
    d = B - A
    error = np.sqrt(d.var(ddof=1) * (1 / 100 + 1 / 9))
    answer = ta.compare(evidence, margin=0.06)
    assert_allclose(answer.pvalue, stats.t.sf((d.mean() + 0.06) / error, 99))
    assert answer.rejected == (answer.interval.low > -0.06)
    assert answer.interval.alpha == 0.1
    equivalent = ta.compare(evidence, margin=0.06, hypothesis="equivalent")
    sides = stats.t.sf((d.mean() + 0.06) / error, 99), stats.t.cdf((d.mean() - 0.06) / error, 99)
    assert_allclose(equivalent.pvalue, max(sides))
    with pytest.raises(InvalidOption, match="takes no margin"):
        ta.compare(scores_by("5x2"), margin=0.01, method="5x2cv-t")
    assert ta.compare(scores_by("5x2"), margin=0.01).method == "corrected-resampled-t"


def test_another_metric_keeps_its_units():
    answer = ta.compare(scores_by("10-fold", metric="f1"))
    a, b = A[:10].mean(), B[:10].mean()
    assert answer.display().verdict == "a has a higher F1 than b"
    assert answer.display().figures.startswith(f"F1 {a:.3f} vs {b:.3f}: {a - b:.3f} higher (95% CI ")
    assert " pp" not in answer.words
    assert answer.interval.as_dict()["metric"] == "f1"
    assert_allclose(answer.difference, b - a)  # loss(A) − loss(B)
    assert f"the F1 was {a:.3f} for a and {b:.3f} for b" in answer.to_markdown()
    estimate = ta.estimate(scores_by("10-fold", learners=1, metric="neg_log_loss", examples=0))
    assert estimate.words.startswith("a, at the size of these training sets: log loss ")


@pytest.mark.parametrize(
    ("metric", "greater", "name", "title", "sign"),
    [
        ("f1", None, "f1", "F1", 1),
        ("roc_auc", None, "auc", "AUC", 1),
        ("mcc", True, "mcc", "MCC", 1),
        ("my_score", True, "my_score", "my_score", 1),
        ("cost", False, "cost", "cost per example", -1),
        ("my_loss", False, "my_loss", "my_loss", -1),
    ],
)
def test_an_estimate_is_of_the_metric_and_its_side(metric, greater, name, title, sign):
    """By SciPy's t with the correction of Nadeau and Bengio: n_test/n_train = 1/9."""
    evidence = scores_by("10-fold", learners=1, metric=metric, higher_is_better=greater)
    both, below, above = (ta.estimate(evidence, side=side) for side in ("two", "lower", "upper"))
    a, error = A[:10], np.sqrt(A[:10].var(ddof=1) * (1 / 10 + 1 / 9))
    assert_allclose(both.estimate, a.mean())
    assert_allclose([both.interval.low, both.interval.high], stats.t.interval(0.95, 9, a.mean(), error))
    assert_allclose(below.interval.low, a.mean() + stats.t.ppf(0.05, 9) * error)
    assert_allclose(above.interval.high, a.mean() + stats.t.ppf(0.95, 9) * error)
    assert (below.interval.side, above.interval.side) == ("lower", "upper")
    for estimate, limits in ((both, "CI"), (below, "lower bound"), (above, "upper bound")):
        assert re.search(rf": {title} 0\.(90|896) \(95% {limits} 0\.", estimate.words)
    assert both.as_dict()["interval"]["metric"] == name
    assert evidence.metric.higher_is_better == (sign > 0)
    two = scores_by("10-fold", metric=metric, higher_is_better=greater)
    answer = ta.compare(two)
    assert_allclose(answer.difference, sign * (B[:10].mean() - A[:10].mean()))
    word = "higher" if sign > 0 else "lower"
    assert answer.words.startswith(f"{answer.as_dict()['better_model']} has a {word} {title} than ")
    assert answer.as_dict()["better_model"] == ("a" if sign > 0 else "b")


def test_a_ranking_of_learners_begins_with_the_highest_score():
    ranking = ta.compare(scores_by("10-fold", learners=3, metric="f1"))
    scores = {"a": A[:10], "b": B[:10], "c": B[:10] - 0.05 * (np.arange(10) % 3)}
    table = ranking.display().blocks[0]
    assert [line[1] for line in table.lines] == ["a", "b", "c"]
    assert table.head[2] == "F1"
    assert ranking.metric == "f1"
    values = {model["name"]: model["value"] for model in ranking.as_dict()["models"]}
    assert values == pytest.approx({name: values.mean() for name, values in scores.items()})
    leaderboard = ranking.leaderboard()
    assert leaderboard.models[0] == "a"
    assert_allclose(leaderboard.levels, sorted((values.mean() for values in scores.values()), reverse=True))
    assert "| F1 " in leaderboard.to_markdown()
    assert "the F1 was, from the first to the last, a (" in ranking.to_latex()
    assert dict(ranking.display().rows)["scope"].endswith("the leader is favoured by selection")
    lower = ta.compare(scores_by("10-fold", learners=3, metric="cost", higher_is_better=False))
    assert [line[1] for line in lower.display().blocks[0].lines] == ["c", "b", "a"]


def test_a_rule_that_only_chooses_has_no_p_value():
    answer = ta.compare(scores_by("10-fold"), method="vote")
    assert answer.better == "A"
    assert np.isnan(answer.pvalue)
    assert answer.words.startswith("a is chosen over b (caution: no p-value): ")
    assert answer.as_dict()["pvalue"] is None or np.isnan(answer.as_dict()["pvalue"])


def test_a_vote_may_contradict_the_mean():
    """A wins four of five splits by a little and loses one by a lot (Yang 2006: voting and mean error differ)."""
    evidence = ta.Resamples.from_scores([0.10] * 4 + [0.9], [0.12] * 4 + [0.2], plan="5x(1/2)", metric="error")
    assert evidence.difference > 0
    assert ta.compare(evidence, method="vote").better == "A"
    assert ta.compare(evidence, method="mean-error-choice").better == "B"


def test_a_test_that_counts_examples_decides_by_examples():
    """B is worse on four small test sets and better on the large one: by splits A wins, by examples B does."""
    test = np.array([[10, 10, 10, 10, 1000]])
    wrong_a, wrong_b = np.array([[2, 2, 2, 2, 300]]), np.array([[5, 5, 5, 5, 200]])
    both = np.minimum(wrong_a, wrong_b)
    evidence = ta.Resamples(
        loss=np.stack([wrong_a / test, wrong_b / test]),
        test=test,
        train=test.sum() - test,
        plan=as_plan("5-fold"),
        together=np.array([[wrong_a, both], [both, wrong_b]]),
        examples=int(test.sum()),
    )
    assert evidence.difference < 0
    for method in ("cv-wald", "mcnemar-on-cv"):
        answer = ta.compare(evidence, method=method)
        assert answer.better == "B"
        assert_allclose(answer.difference, (308 - 220) / 1040)
        assert answer.interval.low < answer.difference < answer.interval.high
        assert answer.display().figures.startswith("error rate 21.2% vs 29.6%: 8.5 pp lower ")
        assert ta.compare(evidence, method=method, alternative="greater").better == "B"


def test_5x2cv_decides_by_its_one_difference():
    """The difference in the numerator favours A, the mean favours B: the test decides, and a check fails."""
    errors = [0.10, 0.111, 0.25, 0.251, 0.25, 0.251, 0.25, 0.251, 0.25, 0.251]
    evidence = ta.Resamples.from_scores(errors, [0.2] * 10, plan="5x2", metric="error", examples=1000)
    assert evidence.difference > 0
    answer = ta.compare(evidence)
    assert answer.statistic < 0
    assert answer.better == "A" == ta.compare(evidence, alternative="less").better
    assert any(not check.holds and "corrected-resampled-t" in check.message for check in answer.checks)


def test_margins_of_other_metrics_are_in_their_units():
    evidence = scores_by("10-fold", metric="neg_log_loss")
    answer = ta.compare(evidence, margin=2)
    assert answer.words.startswith("b is at most 2 worse than a: log loss ")
    assert " pp" not in answer.words
    with pytest.raises(InvalidOption, match="`margin` must be a number above 0 in units of the metric"):
        ta.compare(evidence, margin=0)
    with pytest.raises(InvalidOption, match="`margin` must be between 0 and 1"):
        ta.compare(scores_by("10-fold"), margin=2)


def test_a_method_of_another_kind_is_refused_by_name():
    with pytest.raises(UnknownMethod, match=r"unknown method 'wilson' for Resamples\. Choose one of"):
        ta.compare(scores_by("10-fold"), method="wilson")
    with pytest.raises(UnknownMethod, match=r"'tango' .* Resamples"):
        ta.estimate(scores_by("10-fold", learners=1), method="tango")
    with pytest.raises(InvalidOption, match="`against` needs one ErrorCount, as it is a threshold"):
        ta.compare(scores_by("10-fold"), against=0.1)
    with pytest.raises(
        InvalidOption, match="`metric`, `positive`, `costs` and `missing` need a race, which keeps predictions"
    ):
        ta.compare(scores_by("10-fold"), metric="f1")
    with pytest.raises(InvalidOption, match="`reseeds` needs a race, which can be repeated"):
        ta.compare(scores_by("10-fold"), reseeds=3)
    with pytest.raises(InvalidOption, match="`learners` must be one of 'A', 'B'"):
        ta.compare(ta.PairedTable(1, 2, 3, 4), learners=("a", "b"))
    with pytest.raises(InvalidEvidence, match="two models to compare, got a Resamples of 'a'"):
        ta.compare(scores_by("10-fold", learners=1))
    with pytest.raises(InvalidEvidence, match="an estimate needs one learner"):
        ta.estimate(scores_by("10-fold"))


# --- Several learners ------------------------------------------------------------------------------


def test_several_learners_have_adjusted_pairs_and_groups_of_ties():
    evidence = scores_by("10x10", learners=3)
    ranking = ta.compare(evidence)
    assert ranking.adjustment.method == "holm"
    pvalues = [ta.compare(evidence, learners=pair).pvalue for pair in evidence.pair_names()]
    assert_allclose(ranking.pairs.pvalue, pvalues)
    assert_allclose(ranking.adjusted, ta.adjust(pvalues, "holm"))
    assert ranking.best == ("a",)
    for (a, b), adjusted in zip(evidence.pair_names(), ranking.adjusted, strict=True):
        together = any({a, b} <= set(group) for group in ranking.groups)
        assert together == (adjusted >= 0.05)
    assert ranking.display().verdict == "a is significantly better than the other 2 learners"
    assert dict(ranking.display().rows)["scope"].endswith("the leader is favoured by selection")
    assert [model["name"] for model in ranking.as_dict()["models"]] == ["a", "b", "c"]
    with pytest.raises(InvalidOption, match="`adjust` must work from p-values alone for error rate of learners"):
        ta.compare(evidence, adjust="max-t")
    with pytest.raises(InvalidOption, match="`alternative` needs two learners"):
        ta.compare(evidence, alternative="less")
    with pytest.raises(InvalidOption, match="`margin` needs two learners"):
        ta.compare(evidence, margin=0.01)
    with pytest.raises(InvalidOption, match="method 'vote' has no p-values to adjust"):
        ta.compare(evidence, method="vote")


def test_p_values_of_many_entries_are_adjusted_on_request():
    a = np.stack([A[:10], A[10:20], A[20:30]])
    b = np.stack([B[:10], B[10:20], B[20:30]])
    answers = ta.compare(ta.Resamples.from_scores(a, b, plan="10-fold"), adjust="bonferroni")
    assert answers.shape == (3,)
    assert_allclose(answers.adjusted, np.minimum(3 * answers.pvalue, 1))
    with pytest.raises(InvalidOption, match="`adjust` needs several comparisons"):
        ta.compare(scores_by("10-fold"), adjust="holm")


# --- A race ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def race():
    return ta.race(LEARNERS, X, Y, plan="5x2", jobs=1)


def test_a_race_is_evidence_for_every_pair_and_metric(race):
    assert set(ta.compare(race).models) == set(LEARNERS)
    assert ta.compare(race, learners=("nb", "none")).better == "A"
    f1 = ta.compare(race, learners=("nb", "nn"), metric="f1_macro")
    assert f1.evidence.metric.name == "f1-macro"


def test_p_values_with_other_seeds_of_the_splits_are_reported(race):
    answer = ta.compare(race, learners=("nb", "nn"), reseeds=6)
    assert answer.note("reseeded_pvalues").shape == (6,)
    assert np.unique(answer.note("reseeded_pvalues")).size > 1
    assert dict(answer.rows())["splits"].startswith("p over 6 other seeds of the splits: ")
    assert answer.pvalue == ta.compare(race, learners=("nb", "nn")).pvalue
    again = ta.compare(race, learners=("nb", "nn"), reseeds=6)
    assert_allclose(answer.note("reseeded_pvalues"), again.note("reseeded_pvalues"), rtol=0)
    with pytest.raises(InvalidOption, match="`reseeds` needs two learners"):
        ta.compare(race, reseeds=2)
    with pytest.raises(InvalidOption, match="`reseeds` must be a whole number of 0 or more"):
        ta.compare(race, reseeds=-1)


def test_learners_on_one_split_are_compared_as_classifiers():
    """By McNemar's table of the one test set: the counts are those of the predictions."""
    x, y = load_breast_cancer(return_X_y=True)
    learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    race = ta.race(learners, x, y, plan="holdout", jobs=1)
    answer = ta.compare(race)
    assert isinstance(answer.evidence, ta.PairedTable)
    assert answer.method == "mcnemar-mid-p"
    split = race.layout.splits[0]
    fitted = {name: learner.fit(x[split.train], y[split.train]) for name, learner in learners.items()}
    wrong = {name: learner.predict(x[split.test]) != y[split.test] for name, learner in fitted.items()}
    assert answer.evidence.only_a_wrong == (wrong["nb"] & ~wrong["tree"]).sum()
    assert answer.evidence.both_wrong == (wrong["nb"] & wrong["tree"]).sum()
    assert ta.compare(race, method="holdout-choice").method == "holdout-choice"  # for learners only


def test_seeds_of_one_split_are_crossed_with_the_test_examples():
    learners = {"tree": DecisionTreeClassifier(), "nb": GaussianNB()}
    race = ta.race(learners, X, Y, plan="holdout", seeds=4, jobs=1)
    answer = ta.compare(race)
    assert answer.method == "two-way-bootstrap"
    assert "Applies to retraining with other seeds on this training set on data from the same source" in answer.words


def test_failed_runs_are_refused_or_left_out():
    class FailingLearner:
        """Fails on every second training set, more or less."""

        def fit(self, x, y):
            if round(10 * x.sum()) % 2 == 0:
                raise RuntimeError("not today")
            self.nb = GaussianNB().fit(x, y)
            return self

        def predict(self, x):
            return self.nb.predict(x)

    race = ta.race(
        {"nb": GaussianNB(), "failing": FailingLearner(), "nn": KNeighborsClassifier(1)}, X, Y, plan="20x(2/3)", jobs=1
    )
    assert 0 < len(race.failures) < 20
    with pytest.raises(InvalidEvidence, match="not today"):
        ta.compare(race, learners=("nb", "failing"))
    answer = ta.compare(race, learners=("nb", "failing"), missing="drop")
    assert answer.evidence.runs == 20 - len(race.failures)
    assert "left out" in dict(answer.rows())["data"]
    assert ta.compare(race, learners=("nb", "nn")).evidence.runs == 20


# --- Never degenerate ------------------------------------------------------------------------------

FLAT = {
    "identical": ([0.9, 0.8, 0.7, 0.9, 0.8, 0.7, 0.9, 0.8, 0.7, 0.6],) * 2,
    "constant": ([0.9] * 10, [0.88] * 10),
    "constant up to rounding": ([0.1 + 0.1 * k / 7 for k in range(10)], [0.3 + 0.1 * k / 7 for k in range(10)]),
    "perfect": ([1.0] * 10, [1.0] * 10),
    "opposite": ([1.0] * 10, [0.0] * 10),
}


@pytest.mark.parametrize("scores", FLAT.values(), ids=FLAT)
@pytest.mark.parametrize("plan", ["10-fold", "5x2", "10x(2/3)", "seeds", "independent"])
def test_no_variance_is_no_certainty(plan, scores):
    evidence = ta.Resamples.from_scores(*scores, plan=plan, learners=("x", "y"), examples=300)
    for method in ta.find_methods(gives="test", evidence=ta.Resamples):
        try:
            answer = ta.compare(evidence, method=method.name)
        except InvalidEvidence:
            continue  # it needs another plan, or predictions
        chooses = answer.test.chooses is not None
        assert chooses or np.isfinite(answer.pvalue), method.name
        assert chooses or answer.pvalue > 1e-9, method.name
        assert answer.interval.low < answer.interval.high, method.name
        spread = plan == "seeds" and np.ptp(scores[0]) > 0  # these are not paired, and have their own variance
        assert spread or any(not check.holds for check in answer.checks), method.name
        assert str(answer)


def test_equal_means_from_unequal_scores_are_no_difference():
    evidence = ta.Resamples.from_scores([0.9, 0.8], [0.8, 0.9], plan="2-fold")
    answer = ta.compare(evidence)
    assert answer.pvalue == 1
    assert answer.better is None


def test_a_logistic_regression_against_itself_is_no_better():
    twins = {"a": LogisticRegression(max_iter=500), "b": LogisticRegression(max_iter=500)}
    answer = ta.compare(ta.race(twins, X, Y, plan="5x2", jobs=1))
    assert answer.pvalue == 1
    assert answer.better is None


# --- Advice ----------------------------------------------------------------------------------------


def test_advice_prefers_low_split_to_split_variability():
    """Bouckaert and Frank 2004: the corrected t by ten times 10-fold is the most replicable."""
    assert [advice.method.name for advice in suggest_alternatives(scores_by("5x2"))] == [
        "corrected-resampled-t",
        "corrected-repeated-kfold-t",
    ]
    assert suggest_alternatives(scores_by("10-fold"))[0].plan == "10x10"
    assert [advice.method.name for advice in suggest_alternatives(scores_by("10x10"))] == [
        "bayesian-correlated-t",
        "conservative-z",
    ]
    names = {method.name for method in ta.find_methods(evidence=ta.Resamples)}
    for plan in ("5x2", "10-fold", "10x10", "30x(2/3)", "seeds"):
        for advice in suggest_alternatives(scores_by(plan)):
            assert advice.method.name in names
            assert not advice.plan or as_plan(advice.plan)


def test_the_corrected_t_by_10x10_varies_less_over_splits_than_5x2cv():
    """Measured by the standard deviation of log p over other seeds of the splits."""
    x, y = load_breast_cancer(return_X_y=True)
    learners = {"nb": GaussianNB(), "nn": KNeighborsClassifier(3)}
    spread = {}
    for plan in ("5x2", "10x10"):
        answer = ta.compare(ta.race(learners, x[:200], y[:200], plan=plan, jobs=1), reseeds=6)
        spread[plan] = np.std(np.log(answer.note("reseeded_pvalues")))
    assert spread["10x10"] < spread["5x2"]


# --- Variance components ----------------------------------------------------------------------------


def test_variance_components_are_reported():
    """Training set, test example and seed for disjoint training sets; split and seed for splits."""
    learners = {"tree": DecisionTreeClassifier(max_features=1), "nb": GaussianNB()}
    race = ta.race(learners, X, Y, plan="delve 4x20", seeds=3, jobs=1)
    answer = ta.compare(race)
    assert set(answer.note("variance_components")) == {"training set", "test example", "rest", "seed"}
    assert_allclose(
        list(answer.note("variance_components").values()), ta.variance_components(race.training_sets()).variance
    )
    assert dict(answer.rows())["design"].startswith("variance of one difference: training set ")
    assert answer.as_dict()["components"] == answer.note("variance_components")
    estimate = ta.estimate(ta.race(learners, X, Y, plan="5-fold", seeds=3, jobs=1), learner="tree")
    assert set(estimate.note("variance_components")) == {"split", "seed"}
    assert dict(estimate.rows())["design"].startswith("variance of one loss: split ")
    assert estimate.as_dict()["components"] == estimate.note("variance_components")
    assert not ta.compare(scores_by("10-fold")).note("variance_components")  # scores alone have none
