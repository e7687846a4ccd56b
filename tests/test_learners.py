"""Learners through the verbs: the method follows the plan, pairs and rankings, margins, other seeds, plain words."""

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


def held(plan, *, learners=2, **more):
    """Return scores of one, two or three learners by such a plan."""
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
    answer = ta.compare(held(plan))
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
    answer = ta.estimate(held(plan, learners=1, examples=300))
    assert (answer.method, answer.interval.method) == (method, interval)
    assert_allclose(answer.estimate, 1 - held(plan, learners=1).loss.size * 0 - A[: held(plan).runs].mean())


def test_races_by_every_plan_have_an_answer_of_their_own():
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


def test_training_errors_compare_nothing_but_can_be_looked_at():
    race = ta.race({"nb": GaussianNB(), "nn": KNeighborsClassifier(1)}, X, Y, plan="apparent", jobs=1)
    with pytest.raises(InvalidEvidence, match="cannot be compared by their errors on the examples they"):
        ta.compare(race)
    answer = ta.estimate(race, learner="nn")
    assert answer.estimate == 0
    assert any(not check.holds for check in answer.checks)  # optimistic, and it says so
    assert "made from this training set" in answer.words


def test_every_estimate_names_its_target():
    """The learner at the size it was trained at, or at the size of all examples where the estimator says so."""
    learner = {"nb": GaussianNB()}
    targets = {
        "10-fold": "nb, trained on 135 examples",
        "loo": "nb, trained on 149 examples",
        "10x(2/3)": "nb, trained on 100 examples",
        "632*20": "nb, trained on 150 examples",
        "nested 2x3": "nb, trained on 150 examples",
        "delve 3x30": "nb, trained on 30 examples",
        "holdout": "the classifier that nb made from this training set",
    }
    for plan, target in targets.items():
        answer = ta.estimate(ta.race(learner, X, Y, plan=plan, jobs=1))
        assert answer.target == target
        assert f"The error rate of {target}" in answer.words
        assert answer.as_dict()["target"] == target


def test_the_target_is_that_of_the_method_not_of_the_plan():
    race = ta.race({"nb": GaussianNB()}, X, Y, plan="632*20", jobs=1)
    assert ta.estimate(race, method="oob").target == "nb, trained on bootstrap samples of 150 examples"
    seen = ta.estimate(race, method="apparent")
    assert seen.target == "the classifier that nb made from this training set"
    assert "were these examples fresh, the true error would be between" in seen.words
    assert "of the very examples it was trained on" in seen.words


def test_two_folds_carry_their_warning():
    """Martin and Hirschberg 1996: 2-CV* is biased, and not alike for all learners."""
    for plan in ("2-fold*20", "5x2", "2-fold"):
        answer = ta.estimate(held(plan, learners=1, examples=300))
        assert "TA428" in [check.code for check in answer.checks if not check.holds]


def test_folded_training_sets_are_not_taken_for_splits():
    race = ta.race({"nb": GaussianNB(), "nn": KNeighborsClassifier(1)}, X, Y, plan="delve 3x30", jobs=1)
    with pytest.raises(InvalidEvidence, match="training_sets"):
        ta.compare(race.resamples())
    with pytest.raises(InvalidEvidence, match="training_sets"):
        ta.estimate(race.resamples("nb"))


# --- Two learners ----------------------------------------------------------------------------------


def test_the_corrected_t_beside_scikit_learns_published_example():
    """The formula of scikit-learn's page on comparing grid searches, computed here from the scores."""
    evidence = held("10x10")
    d = B - A  # error(A) − error(B)
    t = d.mean() / np.sqrt(d.var(ddof=1) * (1 / 100 + 1 / 9))
    answer = ta.compare(evidence)
    assert_allclose(answer.statistic, t)
    assert_allclose(answer.pvalue, 2 * stats.t.sf(abs(t), 99))
    assert answer.better == "A"
    assert answer.as_dict()["better_model"] == "a"
    assert "a is better than b" in answer.words


def test_sides_and_swaps():
    evidence = held("10-fold")
    both, greater, less = (ta.compare(evidence, alternative=side) for side in ("two-sided", "greater", "less"))
    assert_allclose(2 * min(greater.pvalue, less.pvalue), both.pvalue)
    swapped = ta.compare(evidence.select("b", "a"))
    assert_allclose(swapped.pvalue, both.pvalue)
    assert_allclose(swapped.difference, -both.difference)
    assert_allclose([swapped.interval.low, swapped.interval.high], [-both.interval.high, -both.interval.low])


def test_by_5x2_the_corrected_t_stands_beside():
    answer = ta.compare(held("5x2"))
    d = (B - A)[:10]
    t = d.mean() / np.sqrt(d.var(ddof=1) * (1 / 10 + 1))  # half and half: as many tested as trained on
    assert_allclose(answer.note("other_tests", {})["corrected-resampled-t"].statistic, t)
    assert "corrected-resampled-t" in dict(answer.rows())["beside"]
    assert (
        answer.as_dict()["beside"]["corrected-resampled-t"]["pvalue"]
        == answer.note("other_tests", {})["corrected-resampled-t"].pvalue
    )


def test_a_margin_is_tested_one_sided_beside_the_interval_that_decides_it():
    evidence = held("10x10")
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
        ta.compare(held("5x2"), margin=0.01, method="5x2cv-t")
    assert ta.compare(held("5x2"), margin=0.01).method == "corrected-resampled-t"


def test_another_metric_speaks_in_its_own_units():
    answer = ta.compare(held("10-fold", metric="f1"))
    assert answer.words.startswith("a has a better F1 than b at alpha = 0.05")
    assert f"the F1 of a is {A[:10].mean() - B[:10].mean():.3f} above that of b" in answer.words
    assert "; f1(b) − f1(a): -" in answer.words
    assert "point" not in answer.words
    assert answer.interval.as_dict()["metric"] == "f1"
    assert_allclose(answer.difference, B[:10].mean() - A[:10].mean())  # loss(A) − loss(B), as ever
    assert "the mean F1 was" in answer.to_markdown()
    assert "the difference f1(b) − f1(a) was −" in answer.to_markdown()
    estimate = ta.estimate(held("10-fold", learners=1, metric="neg_log_loss", examples=0))
    assert estimate.words.startswith("The log loss of a, at the size of these training sets, is")


@pytest.mark.parametrize(
    ("metric", "greater", "told", "title", "sign"),
    [
        ("f1", None, "f1", "F1", 1),
        ("roc_auc", None, "auc", "AUC", 1),
        ("mcc", True, "mcc", "MCC", 1),
        ("my_score", True, "my_score", "my_score", 1),
        ("cost", False, "cost", "cost per example", -1),
        ("my_loss", False, "my_loss", "my_loss", -1),
    ],
)
def test_an_estimate_is_of_the_metric_and_its_side_too(metric, greater, told, title, sign):
    """By SciPy's t with the correction of Nadeau and Bengio: n_test/n_train = 1/9."""
    evidence = held("10-fold", learners=1, metric=metric, higher_is_better=greater)
    both, below, above = (ta.estimate(evidence, side=side) for side in ("two", "lower", "upper"))
    a, error = A[:10], np.sqrt(A[:10].var(ddof=1) * (1 / 10 + 1 / 9))
    assert_allclose(both.estimate, a.mean())
    assert_allclose([both.interval.low, both.interval.high], stats.t.interval(0.95, 9, a.mean(), error))
    assert_allclose(below.interval.low, a.mean() + stats.t.ppf(0.05, 9) * error)
    assert_allclose(above.interval.high, a.mean() + stats.t.ppf(0.95, 9) * error)
    assert (below.interval.side, above.interval.side) == ("lower", "upper")
    assert "the true value is at least" in below.words
    assert "the true value is at most" in above.words
    assert str(both).startswith(title)
    assert both.as_dict()["interval"]["metric"] == told
    assert evidence.metric.higher_is_better == (sign > 0)
    two = held("10-fold", metric=metric, higher_is_better=greater)
    answer = ta.compare(two)
    assert_allclose(answer.difference, sign * (B[:10].mean() - A[:10].mean()))
    assert ("lower is better" in answer.words) == (sign < 0)
    assert f"{answer.as_dict()['better_model']} has a better {title} than" in answer.words
    assert answer.as_dict()["better_model"] == ("a" if sign > 0 else "b")


def test_a_board_of_learners_leads_with_the_highest_score():
    ranking = ta.compare(held("10-fold", learners=3, metric="f1"))
    scores = {"a": A[:10], "b": B[:10], "c": B[:10] - 0.05 * (np.arange(10) % 3)}
    assert ranking.answer.startswith("a has the highest F1 (")
    assert ranking.metric == "f1"
    told = {each["name"]: each["value"] for each in ranking.as_dict()["models"]}
    assert told == pytest.approx({name: values.mean() for name, values in scores.items()})
    board = ranking.leaderboard()
    assert board.models[0] == "a"
    assert_allclose(board.levels, sorted((values.mean() for values in scores.values()), reverse=True))
    assert "| F1 " in board.to_markdown()
    assert "the F1 was, from the highest to the lowest, a (" in ranking.to_latex()
    assert "so estimate its F1 on fresh examples" in ranking.words
    lower = ta.compare(held("10-fold", learners=3, metric="cost", higher_is_better=False))
    assert "has the lowest cost per example (" in lower.answer


def test_rules_that_only_choose():
    answer = ta.compare(held("10-fold"), method="vote")
    assert answer.better == "A"
    assert np.isnan(answer.pvalue)
    assert "a is chosen over b by the rule vote" in answer.words
    assert answer.as_dict()["pvalue"] is None or np.isnan(answer.as_dict()["pvalue"])


def test_a_vote_may_go_against_the_mean():
    """A wins four of five splits by a little and loses one by a lot (Yang 2006: voting and mean error differ)."""
    evidence = ta.Resamples.from_scores([0.10] * 4 + [0.9], [0.12] * 4 + [0.2], plan="5x(1/2)", metric="error")
    assert evidence.difference > 0
    assert ta.compare(evidence, method="vote").better == "A"
    assert ta.compare(evidence, method="mean-error-choice").better == "B"


def test_a_test_that_counts_examples_names_the_winner_by_examples():
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
        assert "A errs 8." in answer.words
        assert ta.compare(evidence, method=method, alternative="greater").better == "B"


def test_5x2cv_speaks_for_whom_its_one_difference_speaks():
    """The difference on top says A, the mean says B: the test decides, and a check warns of it."""
    errors = [0.10, 0.111, 0.25, 0.251, 0.25, 0.251, 0.25, 0.251, 0.25, 0.251]
    evidence = ta.Resamples.from_scores(errors, [0.2] * 10, plan="5x2", metric="error", examples=1000)
    assert evidence.difference > 0
    answer = ta.compare(evidence)
    assert answer.statistic < 0
    assert answer.better == "A" == ta.compare(evidence, alternative="less").better
    assert any(not check.holds and "corrected-resampled-t" in check.message for check in answer.checks)


def test_margins_of_other_metrics_are_in_their_units():
    evidence = held("10-fold", metric="neg_log_loss")
    answer = ta.compare(evidence, margin=2)
    assert answer.words.startswith("b is at most 2 (log-loss) worse than a: shown")
    assert "point" not in answer.words
    with pytest.raises(InvalidOption, match="margin must be a number above 0, in units of the metric"):
        ta.compare(evidence, margin=0)
    with pytest.raises(InvalidOption, match="`margin` must be between 0 and 1"):
        ta.compare(held("10-fold"), margin=2)


def test_a_method_of_another_kind_is_refused_by_name():
    with pytest.raises(UnknownMethod, match=r"unknown method 'wilson' for Resamples. Choose one of"):
        ta.compare(held("10-fold"), method="wilson")
    with pytest.raises(UnknownMethod, match=r"unknown method 'tango' for Resamples. Choose one of"):
        ta.estimate(held("10-fold", learners=1), method="tango")
    with pytest.raises(InvalidOption, match="against is a threshold"):
        ta.compare(held("10-fold"), against=0.1)
    with pytest.raises(InvalidOption, match="metric, positive, costs and missing are for a race"):
        ta.compare(held("10-fold"), metric="f1")
    with pytest.raises(InvalidOption, match="reseeds runs a race again"):
        ta.compare(held("10-fold"), reseeds=3)
    with pytest.raises(InvalidOption, match="learners must be some of A, B, each once"):
        ta.compare(ta.PairedTable(1, 2, 3, 4), learners=("a", "b"))
    with pytest.raises(InvalidEvidence, match="compare wants two models, but this Resamples is of 'a' alone"):
        ta.compare(held("10-fold", learners=1))
    with pytest.raises(InvalidEvidence, match="an estimate is of one"):
        ta.estimate(held("10-fold"))


# --- Several learners ------------------------------------------------------------------------------


def test_all_pairs_adjusted_with_tie_groups():
    evidence = held("10x10", learners=3)
    ranking = ta.compare(evidence)
    assert ranking.adjustment.method == "holm"
    alone = [ta.compare(evidence, learners=pair).pvalue for pair in evidence.pair_names()]
    assert_allclose(ranking.pairs.pvalue, alone)
    assert_allclose(ranking.adjusted, ta.adjust(alone, "holm"))
    assert ranking.best == ("a",)
    for (a, b), adjusted in zip(evidence.pair_names(), ranking.adjusted, strict=True):
        together = any({a, b} <= set(group) for group in ranking.groups)
        assert together == (adjusted >= 0.05)
    text = str(ranking)
    assert "learners that share a letter are not told apart" in text
    assert "chosen by these very splits" in text
    assert [told["name"] for told in ranking.as_dict()["models"]] == ["a", "b", "c"]
    with pytest.raises(InvalidOption, match="Take adjust='holm'"):
        ta.compare(evidence, adjust="max-t")
    with pytest.raises(InvalidOption, match="alternative is for two learners"):
        ta.compare(evidence, alternative="less")
    with pytest.raises(InvalidOption, match="margin is for two learners"):
        ta.compare(evidence, margin=0.01)
    with pytest.raises(InvalidOption, match="rule without p-values"):
        ta.compare(evidence, method="vote")


def test_many_entries_at_once_pay_for_their_number_if_asked():
    a = np.stack([A[:10], A[10:20], A[20:30]])
    b = np.stack([B[:10], B[10:20], B[20:30]])
    answers = ta.compare(ta.Resamples.from_scores(a, b, plan="10-fold"), adjust="bonferroni")
    assert answers.shape == (3,)
    assert_allclose(answers.adjusted, np.minimum(3 * answers.pvalue, 1))
    with pytest.raises(InvalidOption, match="two models on one test set are one"):
        ta.compare(held("10-fold"), adjust="holm")


# --- A race ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def race():
    return ta.race(LEARNERS, X, Y, plan="5x2", jobs=1)


def test_a_race_is_evidence_for_every_pair_and_metric(race):
    assert set(ta.compare(race).models) == set(LEARNERS)
    assert ta.compare(race, learners=("nb", "none")).better == "A"
    f1 = ta.compare(race, learners=("nb", "nn"), metric="f1_macro")
    assert f1.evidence.metric.name == "f1-macro"


def test_other_seeds_of_the_splits_are_shown_beside_the_value(race):
    answer = ta.compare(race, learners=("nb", "nn"), reseeds=6)
    assert answer.note("reseeded_pvalues").shape == (6,)
    assert np.unique(answer.note("reseeded_pvalues")).size > 1
    row = dict(answer.rows())["other splits"]
    assert row.startswith("over 6 other seeds of the splits p runs from ")
    assert answer.pvalue == ta.compare(race, learners=("nb", "nn")).pvalue
    again = ta.compare(race, learners=("nb", "nn"), reseeds=6)
    assert_allclose(answer.note("reseeded_pvalues"), again.note("reseeded_pvalues"), rtol=0)
    with pytest.raises(InvalidOption, match="reseeds is for two learners"):
        ta.compare(race, reseeds=2)
    with pytest.raises(InvalidOption, match="reseeds must be a whole number"):
        ta.compare(race, reseeds=-1)


def test_one_split_makes_classifiers_which_are_compared_as_such():
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
    assert "this one training set, whatever their seeds" in answer.words


def test_what_failed_is_named_or_left_out():
    class Sulks:
        """Fails on every second training set, more or less."""

        def fit(self, x, y):
            if round(10 * x.sum()) % 2 == 0:
                raise RuntimeError("not today")
            self.nb = GaussianNB().fit(x, y)
            return self

        def predict(self, x):
            return self.nb.predict(x)

    race = ta.race({"nb": GaussianNB(), "sulks": Sulks(), "nn": KNeighborsClassifier(1)}, X, Y, plan="20x(2/3)", jobs=1)
    assert 0 < len(race.failures) < 20
    with pytest.raises(InvalidEvidence, match="not today"):
        ta.compare(race, learners=("nb", "sulks"))
    answer = ta.compare(race, learners=("nb", "sulks"), missing="drop")
    assert answer.evidence.runs == 20 - len(race.failures)
    assert "left out" in dict(answer.rows())["seen"]
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
def test_no_spread_is_no_certainty(plan, scores):
    evidence = ta.Resamples.from_scores(*scores, plan=plan, learners=("x", "y"), examples=300)
    for method in ta.find_methods(gives="test", evidence=ta.Resamples):
        try:
            answer = ta.compare(evidence, method=method.name)
        except InvalidEvidence:
            continue  # it needs another plan, or predictions, and says so
        chooses = answer.test.chooses is not None
        assert chooses or np.isfinite(answer.pvalue), method.name
        assert chooses or answer.pvalue > 1e-9, method.name
        assert answer.interval.low < answer.interval.high, method.name
        spread = plan == "seeds" and np.ptp(scores[0]) > 0  # these are not paired, and have spread of their own
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


def test_advice_prefers_what_is_less_of_a_lottery():
    """Bouckaert and Frank 2004: the corrected t by ten times 10-fold decides alike most often."""
    assert [advice.method.name for advice in suggest_alternatives(held("5x2"))] == [
        "corrected-resampled-t",
        "corrected-repeated-kfold-t",
    ]
    assert suggest_alternatives(held("10-fold"))[0].plan == "10x10"
    assert [advice.method.name for advice in suggest_alternatives(held("10x10"))] == [
        "bayesian-correlated-t",
        "conservative-z",
    ]
    known = {method.name for method in ta.find_methods(evidence=ta.Resamples)}
    for plan in ("5x2", "10-fold", "10x10", "30x(2/3)", "seeds"):
        for advice in suggest_alternatives(held(plan)):
            assert advice.method.name in known
            assert not advice.plan or as_plan(advice.plan)


def test_the_corrected_t_by_10x10_varies_less_over_splits_than_5x2cv():
    """The lottery, measured: the spread of log p over other seeds of the splits."""
    x, y = load_breast_cancer(return_X_y=True)
    learners = {"nb": GaussianNB(), "nn": KNeighborsClassifier(3)}
    spread = {}
    for plan in ("5x2", "10x10"):
        answer = ta.compare(ta.race(learners, x[:200], y[:200], plan=plan, jobs=1), reseeds=6)
        spread[plan] = np.std(np.log(answer.note("reseeded_pvalues")))
    assert spread["10x10"] < spread["5x2"]


# --- What makes it vary ----------------------------------------------------------------------------


def test_the_answer_tells_what_its_variance_comes_from():
    """Training set, test example and seed for disjoint training sets; split and seed for splits."""
    learners = {"tree": DecisionTreeClassifier(max_features=1), "nb": GaussianNB()}
    race = ta.race(learners, X, Y, plan="delve 4x20", seeds=3, jobs=1)
    answer = ta.compare(race)
    assert set(answer.note("variance_components")) == {"training set", "test example", "rest", "seed"}
    assert_allclose(
        list(answer.note("variance_components").values()), ta.variance_components(race.training_sets()).variance
    )
    assert dict(answer.rows())["varies by"].startswith("training set ")
    assert answer.as_dict()["components"] == answer.note("variance_components")
    seen = ta.estimate(ta.race(learners, X, Y, plan="5-fold", seeds=3, jobs=1), learner="tree")
    assert set(seen.note("variance_components")) == {"split", "seed"}
    assert "varies by" in str(seen)
    assert seen.as_dict()["components"] == seen.note("variance_components")
    assert not ta.compare(held("10-fold")).note("variance_components")  # scores do not tell
