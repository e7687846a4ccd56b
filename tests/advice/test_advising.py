"""The walk through the nine questions: from answers and from evidence to a method that the verbs would use."""

import itertools
import json
import shlex

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import tellapart as ta
from tellapart import (
    ConfusionMatrix,
    ErrorCount,
    ErrorPatterns,
    IndependentCounts,
    PairedConfusion,
    PairedTable,
    Predictions,
    Resamples,
    ScoreTable,
    StratifiedCount,
    TrainingSets,
    advise,
    find_methods,
)
from tellapart.advice.situation import ANSWERS, CHOICES, Situation
from tellapart.cli import main
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.methods.cards import card

IRIS = load_iris(return_X_y=True)
LEARNERS = {"subject": "learner", "task": "choose", "data": "little"}
TABLE = PairedTable(20, 25, 10, 45)
COUNTS = IndependentCounts.from_counts(30, 100, 20, 100)
FIVE_BY_TWO = Resamples.from_scores([0.90, 0.88, 0.93, 0.91, 0.87] * 2, [0.93, 0.90, 0.93, 0.94, 0.89] * 2, plan="5x2")
SETS = TrainingSets(np.random.default_rng(0).integers(0, 2, (2, 8, 40)))
SEEDS = TrainingSets(np.random.default_rng(1).integers(0, 2, (2, 8, 40)), varies="seed")


def raced(plan, seeds=1, learners=("nb", "tree")):
    made = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
    return ta.race({name: made[name] for name in learners}, *IRIS, plan=plan, seeds=seeds, jobs=1)


# --- The question ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("subject", "task", "data", "number"),
    [  # Dietterich 1998, Figure 1
        ("classifier", "estimate", "much", 1),
        ("classifier", "estimate", "little", 2),
        ("classifier", "choose", "much", 3),
        ("classifier", "choose", "little", 4),
        ("learner", "estimate", "much", 5),
        ("learner", "estimate", "little", 6),
        ("learner", "choose", "much", 7),
        ("learner", "choose", "little", 8),
    ],
)
def test_the_taxonomy(subject, task, data, number):
    recommendation = advise(domains="one", subject=subject, task=task, data=data)
    assert recommendation.question.number == number
    assert recommendation.complete
    assert recommendation.recommended is not None
    assert [(step.topic, step.answer, step.source) for step in recommendation.path] == [
        ("domains", "one", "you"),
        ("subject", subject, "you"),
        ("task", task, "you"),
        ("data", data, "you"),
    ]


def test_without_a_test_set_classifiers_are_judged_by_their_learners():
    for number, way, task in ((2, 6, "estimate"), (4, 8, "choose")):
        recommendation = advise(subject="classifier", task=task, data="little")
        assert (recommendation.question.number, recommendation.by_way_of.number) == (number, way)
        learner = advise(subject="learner", task=task, data="little")
        assert recommendation.recommended == learner.recommended
        assert recommendation.command == learner.command
        assert recommendation.by_way_of.asks in recommendation.explain().replace("\n               ", " ")
    assert advise(TABLE).by_way_of is None


def test_over_many_domains_learners_are_compared_two_by_two():
    recommendation = advise(domains="many")
    assert recommendation.question.number == 9
    assert recommendation.recommended.leading.name == "wilcoxon-signed-rank"
    assert recommendation.recommended.adjustment == ""
    assert recommendation.command == "tellapart compare scores.csv --scores"
    assert recommendation.code == (
        "import tellapart as ta",
        'evidence = ta.read_scores("scores.csv")',
        "print(ta.compare(evidence))",
    )
    others = [each.method.name for each in recommendation.alternatives]
    assert others[:3] == ["sign-test", "hierarchical", "random-effects"]
    assert "friedman" in others
    assert not recommendation.forbidden


def test_more_than_two_learners_over_many_domains_pay_for_their_number():
    recommendation = advise(domains="many", models=5)
    assert recommendation.recommended.adjustment == "holm"
    sure = advise(domains="many", models=5, matters="guarantee").recommended
    assert (sure.leading.name, sure.by_default) == ("sign-test", False)


EVIDENCE = [  # what is evidence, the question, who is recommended, its interval
    (ErrorCount(3, 120), 1, "jeffreys", "jeffreys"),
    (ErrorCount([3, 5], 120), 1, "jeffreys", "jeffreys"),
    (ConfusionMatrix([[40, 3], [5, 52]]), 1, "jeffreys", "jeffreys"),
    (StratifiedCount([2, 10], [100, 50], [0.9, 0.1]), 1, "stratified-wilson", "stratified-wilson"),
    (TABLE, 3, "mcnemar-mid-p", "tango"),
    (PairedTable([20, 3], [25, 2], [10, 1], [45, 94]), 3, "mcnemar-mid-p", "tango"),
    (PairedConfusion(np.arange(1, 9).reshape(2, 2, 2)), 3, "mcnemar-mid-p", "tango"),
    (COUNTS, 3, "fisher-mid-p", "miettinen-nurminen"),
    (ErrorPatterns(("a", "b"), [[1, 0], [0, 1], [0, 0]], [5, 9, 50]), 3, "mcnemar-mid-p", "tango"),
    (ErrorPatterns(("a", "b", "c"), [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [15, 19, 50]), 3, "mcnemar-mid-p", "max-t"),
    (Resamples.from_scores([0.9, 0.95, 0.85, 0.9, 0.8], plan="5-fold"), 6, "kfold", "corrected-t-interval"),
    (FIVE_BY_TWO, 8, "5x2cv-t", "corrected-resampled-t"),
    (Resamples.from_scores([0.9] * 100, [0.8] * 99 + [0.7], plan="10x10"), 8, "corrected-repeated-kfold-t", None),
    (Resamples.from_scores([0.9, 0.8, 0.7], [0.8, 0.8, 0.5], plan="independent"), 8, "paired-t", "paired-t"),
    (Resamples.from_scores([0.9, 0.8, 0.7], [0.8, 0.8, 0.5], plan="seeds"), 8, "welch", "welch"),
    (ScoreTable.from_scores([[0.9, 0.8], [0.7, 0.6], [0.8, 0.7]]), 9, "wilcoxon-signed-rank", "wilcoxon-signed-rank"),
    (SETS, 7, "quasi-f", "crossed-interval"),
    (SETS.select("A"), 5, "crossed-interval", "crossed-interval"),
    (SEEDS, 7, "two-way-bootstrap", "two-way-bootstrap"),
]


@pytest.mark.parametrize(("evidence", "number", "method", "interval"), EVIDENCE)
def test_evidence_tells_the_question_and_the_method(evidence, number, method, interval):
    recommendation = advise(evidence)
    assert recommendation.question.number == number
    assert recommendation.recommended.leading.name == method
    assert recommendation.recommended.interval.name == (interval or method)
    assert {step.source for step in recommendation.path} == {"the evidence"}
    assert all(not ask.blocks for ask in recommendation.open)


@pytest.mark.parametrize("evidence", [each[0] for each in EVIDENCE])
def test_what_is_recommended_is_what_the_verbs_do(evidence):
    """The lines of Python run with the evidence given, and the result is by the method recommended."""
    recommendation = advise(evidence)
    answer = run_code(recommendation, evidence)
    assert answer.method == recommendation.recommended.leading.name
    assert answer.sources_covered == recommendation.sources_covered
    if hasattr(answer, "pairs"):
        assert answer.adjustment.method == recommendation.recommended.adjustment
    else:
        assert answer.interval.method == recommendation.recommended.interval.name


def run_code(recommendation, evidence=None, **names):
    """Run the lines but for the printing, and return what would be printed."""
    *lines, last = recommendation.code
    assert last.startswith("print(")
    assert len(recommendation.code) <= 3
    space = {"evidence": evidence} | names
    exec("\n".join(lines), space)  # noqa: S102  # the lines are ours
    return eval(last[len("print(") : -1], space)  # noqa: S307


# --- Predictions and races ------------------------------------------------------------------------


def test_predictions_are_counted():
    table = {"label": [0, 1, 1, 0], "a": [0, 1, 0, 0], "b": [0, 0, 1, 1], "c": [1, 1, 1, 0]}
    two = advise(Predictions.of(table, models=["a", "b"]))
    assert (two.question.number, two.situation.models, two.situation.disagreements) == (3, 2, 3)
    three = advise(Predictions.of(table))
    assert (three.situation.models, three.recommended.adjustment) == (3, "max-t")
    one = advise(Predictions.of(table, models=["a"]))
    assert (one.question.number, one.situation.errors, one.situation.examples) == (1, 1, 4)
    each = advise(Predictions.of(table), task="estimate")
    assert each.question.number == 1
    assert run_code(each).estimate.tolist() == [0.25, 0.5, 0.25]


def test_groups_of_predictions_are_entries():
    table = {"label": [0, 1, 1, 0], "a": [0, 1, 0, 0], "b": [0, 0, 1, 1], "site": ["n", "n", "s", "s"]}
    recommendation = advise(Predictions.of(table, group="site"))
    assert recommendation.question.number == 3
    assert recommendation.situation.examples == 2  # of the smaller group


@pytest.mark.parametrize(
    ("plan", "seeds", "number", "method"),
    [
        ("holdout", 1, 3, "mcnemar-mid-p"),  # one split makes classifiers
        ("holdout", 3, 7, "two-way-bootstrap"),  # and several seeds of it are crossed with the test examples
        ("5x2", 1, 8, "5x2cv-t"),
        ("3x(2/3)", 1, 8, "corrected-resampled-t"),
        ("delve 3x20", 1, 7, "quasi-f"),
    ],
)
def test_a_race_tells_by_its_plan(plan, seeds, number, method):
    race = raced(plan, seeds)
    recommendation = advise(race)
    assert (recommendation.question.number, recommendation.recommended.leading.name) == (number, method)
    assert run_code(recommendation, race).method == method == ta.compare(race).method
    assert ta.compare(race).sources_covered == recommendation.sources_covered
    estimate = advise(race, task="estimate")
    assert estimate.question.number == number - 2


def test_splits_of_ones_own_are_a_plan_without_a_name():
    rows = np.arange(150)
    race = raced([(rows[:60], rows[90:]), (rows[30:90], rows[100:])])
    assert race.plan.kind == "splits"
    recommendation = advise(race)
    assert recommendation.question.number == 8
    assert run_code(recommendation, race).sources_covered == recommendation.sources_covered
    assert run_code(recommendation, race).method == recommendation.recommended.leading.name == "corrected-resampled-t"


def test_a_race_of_one_learner_is_an_estimate():
    race = raced("5x2", learners=("nb",))
    recommendation = advise(race)
    assert (recommendation.question.number, recommendation.situation.examples) == (6, 150)
    assert run_code(recommendation, race).method == recommendation.recommended.leading.name == "repeated-kfold"
    race = raced("holdout", learners=("nb",))
    recommendation = advise(race)
    assert recommendation.question.number == 1
    assert run_code(recommendation, race).method == recommendation.recommended.leading.name == "holdout"


@pytest.mark.parametrize("plan", ["apparent", "632*10", "loo-star"])
def test_a_plan_with_heuristics_only_is_left_for_another(plan):
    estimate = advise(subject="learner", task="estimate", data="little", plan=plan)
    assert estimate.recommended.plan == "10x10"
    assert "no sound method" in estimate.recommended.why
    if plan == "apparent":
        assert advise(**LEARNERS, plan=plan).recommended.plan == "10x10"


def test_scores_that_lack_what_the_method_needs_are_raced_anew():
    """Nested cross-validation looks at the folds inside, which scores of the folds outside do not tell."""
    recommendation = advise(Resamples.from_scores([0.9, 0.8, 0.7] * 5, [0.8, 0.8, 0.5] * 5, plan="nested 3x5"))
    assert (recommendation.recommended.leading.name, recommendation.recommended.plan) == ("nested-cv", "nested 3x5")
    assert "Repeat the experiment as a race" in recommendation.recommended.why
    assert 'plan="nested 3x5"' in recommendation.code[1]
    assert recommendation.assumptions
    assert all(each.holds is None for each in recommendation.assumptions)


def test_losses_of_one_split_do_not_tell_where_two_were_wrong():
    recommendation = advise(Resamples.from_scores([0.9], [0.8], plan="holdout"))
    assert (recommendation.question.number, recommendation.recommended.leading.name) == (3, "mcnemar-mid-p")
    assert "read_predictions" in recommendation.code[1]


# --- What the answers change ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "method", "plan"),
    [  # Dietterich: McNemar for one run, 5x2cv for ten; since: ten times 10-fold for a hundred
        ({"runs": 1}, "mcnemar-mid-p", "holdout"),
        ({"runs": 4}, "mcnemar-mid-p", "holdout"),
        ({"runs": 5}, "corrected-resampled-t", "5-fold"),
        ({"runs": 9}, "corrected-resampled-t", "9-fold"),
        ({"runs": 10}, "5x2cv-t", "5x2"),
        ({"runs": 99}, "5x2cv-t", "5x2"),
        ({"runs": 100}, "corrected-repeated-kfold-t", "10x10"),
        ({}, "corrected-repeated-kfold-t", "10x10"),
        ({"runs": 10, "matters": "power"}, "corrected-resampled-t", "10-fold"),
        ({"runs": 10, "margin": 0.01}, "corrected-resampled-t", "10-fold"),
        ({"matters": "guarantee"}, "conservative-z", "conservative-z"),
        ({"matters": "guarantee", "runs": 100}, "corrected-repeated-kfold-t", "10x10"),
        ({"plan": "30x(2/3)"}, "corrected-resampled-t", "30x(2/3)"),
        ({"plan": "holdout"}, "mcnemar-mid-p", "holdout(2/3)"),
        ({"plan": "nested 3x5"}, "nested-cv", "nested 3x5"),
    ],
)
def test_runs_and_what_matters_choose_the_plan(answers, method, plan):
    recommendation = advise(**LEARNERS, **answers)
    assert (recommendation.recommended.leading.name, recommendation.recommended.plan) == (method, plan)
    made = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1, random_state=0)}
    if plan not in {"10x10", "conservative-z"}:  # which take long
        assert run_code(recommendation, learners=made, X=IRIS[0], y=IRIS[1]).method == method


@pytest.mark.parametrize(
    ("runs", "method", "plan"),
    [(1, "holdout", "holdout"), (5, "kfold", "5-fold"), (10, "kfold", "10-fold"), (None, "repeated-kfold", "10x10")],
)
def test_an_estimate_by_as_many_runs_as_can_be_had(runs, method, plan):
    recommendation = advise(subject="learner", task="estimate", data="little", runs=runs)
    assert (recommendation.recommended.leading.name, recommendation.recommended.plan) == (method, plan)


def test_a_guarantee_is_given_by_what_has_a_proof():
    for evidence in (ErrorCount(3, 120), TABLE, COUNTS, PairedTable(0, 3, 1, 10**6)):
        recommendation = advise(evidence, matters="guarantee")
        assert recommendation.recommended.leading.guarantees
        assert not recommendation.recommended.by_default
        assert run_code(recommendation).method == recommendation.recommended.leading.name
        assert f"--method {recommendation.recommended.leading.name}" in recommendation.command
    several = advise(EVIDENCE[9][0], matters="guarantee")
    assert (several.recommended.leading.name, several.recommended.adjustment) == ("mcnemar-exact", "holm")
    assert run_code(several, EVIDENCE[9][0]).adjustment.method == "holm"


def test_where_there_is_no_guarantee_it_is_stated():
    for evidence in (EVIDENCE[3][0], FIVE_BY_TWO, SETS):
        assert (
            "no method here has a guaranteed type I error rate" in advise(evidence, matters="guarantee").recommended.why
        )
    assert (
        "no method here has a guaranteed type I error rate"
        in advise(TABLE, matters="guarantee", margin=0.01).recommended.why
    )
    assert "no method here has a guaranteed type I error rate" not in advise(TABLE, matters="guarantee").recommended.why


def test_several_learners_are_ranked():
    race = ta.race(
        {name: GaussianNB(var_smoothing=10.0**-index) for index, name in enumerate("abc")}, *IRIS, plan="5x2"
    )
    recommendation = advise(race)
    assert recommendation.recommended.adjustment == run_code(recommendation, race).adjustment.method == "holm"


def test_a_margin_is_decided_by_the_score():
    for evidence, method in ((TABLE, "tango"), (COUNTS, "miettinen-nurminen")):
        recommendation = advise(evidence, margin=0.01)
        answer = run_code(recommendation)
        assert (recommendation.recommended.leading.name, answer.method, float(answer.margin)) == (method, method, 0.01)
        assert recommendation.command.endswith("--margin 0.01")


def test_more_than_two_learners_pay_for_their_number():
    assert advise(**LEARNERS, models=3).recommended.adjustment == "holm"
    assert advise(**LEARNERS, models=2).recommended.adjustment == ""


def test_the_share_to_test_on_follows_the_speed_of_the_learners():
    """Yang, Theorem 1: below n^-1/2 a fixed ratio will do; from there on none does."""
    shares = {speed: advise(**LEARNERS, convergence=speed).splitting for speed in ("slow", "parametric", "fast")}
    assert [result.fixed_ratio for result in shares.values()] == [True, False, False]
    assert [result.share for result in shares.values()] == [0.25, 0.5, 0.5]
    assert shares["fast"].exponent == 2  # n₂/n₁² → ∞, Corollary 1
    assert "to tune one learner" in advise(**LEARNERS, tuning=True).splitting.words
    assert advise(**LEARNERS).splitting is None
    assert advise(subject="learner", task="estimate", data="little", convergence="slow").splitting is None


def test_seeds_are_for_learners_that_draw():
    recommendation = advise(**LEARNERS, stochastic=True)
    assert recommendation.recommended.seeds == 5
    assert "--seeds 5" in recommendation.command
    assert "seeds=5" in recommendation.code[1]


# --- What is recommended, offered, refused ---------------------------------------------------------


def make_recommendations():
    for values in itertools.product(*(CHOICES[name] for name in ("subject", "task", "data"))):
        document = dict(zip(("subject", "task", "data"), values, strict=True))
        for more in (
            {},
            *({"matters": each} for each in CHOICES["matters"]),
            *({"runs": each} for each in (1, 5, 10, 100)),
            {"models": 3, "matters": "guarantee"} if document["task"] == "choose" else {"errors": 0, "examples": 30},
            {"test_sets": "two"} if document["task"] == "choose" else {"stochastic": True},
            {"margin": 0.02},
        ):
            yield advise(**document, **more)
    yield advise(domains="many")
    for evidence, *_ in EVIDENCE:
        yield advise(evidence)


RECOMMENDATIONS = list(make_recommendations())


def test_what_is_recommended_is_known_and_trusted():
    known = {(method.name, method.gives, method.evidence): method for method in find_methods()}
    for recommendation in RECOMMENDATIONS:
        for method in recommendation.recommended.methods:
            assert known[method.name, method.gives, method.evidence] is method
            assert method.standing in {"recommended", "sound"}
        for other in recommendation.alternatives:
            assert known[other.method.name, other.method.gives, other.method.evidence] is other.method
            assert other.method.standing != "forbidden"
            assert other.method not in recommendation.recommended.methods
        assert {each.method.name for each in recommendation.forbidden} <= {
            m.name for m in find_methods(standing="forbidden")
        }


def test_sources_of_variation_are_reported():
    recommendation = advise(TABLE)
    assert set(recommendation.sources_covered) | set(recommendation.sources_ignored) == {
        "test data",
        "training data",
        "learner",
        "labels",
    }
    assert "training data" in recommendation.sources_ignored
    assert "training data" in advise(**LEARNERS).sources_covered
    assert "not retraining" in str(recommendation)


def test_a_point_estimate_has_the_error_bars_of_its_interval():
    """Cross-validation estimates; that the interval beside it allows for other training sets is what counts."""
    learner = advise(subject="learner", task="estimate", data="little")
    assert learner.recommended.leading.name == "repeated-kfold"
    assert learner.sources_covered == ("test data", "training data", "learner", "labels")
    assert learner.sources_ignored == ()
    once = advise(subject="learner", task="estimate", data="little", runs=1)
    assert once.sources_covered == ("test data", "labels")


def test_every_command_printed_is_one_that_the_command_line_takes():
    printed = {recommendation.command for recommendation in RECOMMENDATIONS if recommendation.command}
    assert len(printed) > 15
    for line in printed:
        for command in line.split(" && "):
            program, name, *words = shlex.split(command)
            assert program == "tellapart"
            with main.make_context("tellapart", [name]) as whole:  # which lends its help option
                assert main.get_command(whole, name).make_context(name, words, parent=whole).params


def test_the_forbidden_have_the_labs_figure():
    recommendation = advise(**LEARNERS)
    (worst,) = (each for each in recommendation.forbidden if each.method.name == "resampled-t")
    (method,) = find_methods(name="resampled-t", gives="test")
    largest = max(row.size.extreme for row in card(method).entries)
    assert f"Type I error up to {100 * largest:.1f}% at nominal 5%" in worst.figure
    assert worst.reason == method.rationale
    near = advise(PairedTable(0, 12, 10, 28)).forbidden[0]  # 50 examples
    (method,) = find_methods(name="difference-of-proportions")
    row = next(row for row in card(method).entries if row.facts["examples"] == 50)
    assert f"up to {100 * row.size.extreme:.1f}%" in near.figure


@pytest.mark.parametrize("evidence", [each[0] for each in EVIDENCE])
def test_assumptions_are_those_the_verb_examines(evidence):
    recommendation = advise(evidence)
    checks = {check.code: bool(np.all(check.holds)) for check in run_code(recommendation, evidence).checks}
    result = {each.code: each.holds for each in recommendation.assumptions}
    assert {code: checks[code] for code in result} == result
    assert all(each.message for each in recommendation.assumptions)


def test_without_evidence_assumptions_are_stated():
    recommendation = advise(**LEARNERS)
    assert recommendation.assumptions
    assert all(each.holds is None and each.requirement for each in recommendation.assumptions)


def test_few_disagreements_are_seen():
    recommendation = advise(PairedTable(0, 4, 3, 93))
    (few,) = (each for each in recommendation.assumptions if each.code == "TA104")
    assert not few.holds
    assert few.text.startswith("TA104 (fails): ")


# --- What is open ---------------------------------------------------------------------------------


def test_the_next_question_comes_first_and_nothing_is_requested_twice():
    assert [ask.name for ask in advise().open] == ["domains", "subject", "task", "data"]
    assert [ask.name for ask in advise(domains="one").open] == ["subject", "task", "data"]
    assert [ask.name for ask in advise(subject="classifier").open] == ["task", "data"]  # which has one domain
    assert [ask.name for ask in advise(subject="learner", data="little").open] == ["task"]
    for recommendation in (advise(), advise(subject="learner")):
        assert recommendation.recommended is None
        assert recommendation.question is None
        assert not recommendation.complete
        assert all(ask.blocks and ask.choices and ask.flag and ask.why for ask in recommendation.open)


def test_follow_ups_have_a_default_and_block_nothing():
    recommendation = advise(**LEARNERS)
    assert [ask.name for ask in recommendation.open] == ["runs", "models", "matters", "convergence"]
    assert all(ask.default and not ask.blocks for ask in recommendation.open)
    assert recommendation.recommended is not None
    answered = advise(**LEARNERS, runs=10, models=2, matters="type I error", convergence="slow")
    assert answered.open == ()
    assert [ask.name for ask in advise(TABLE).open] == ["matters"]  # the rest is seen


# --- Bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"subject": "forest"}, "`subject` must be one of 'classifier', 'learner', got 'forest'."),
        ({"data": 3}, "`data` must be one of 'much', 'little', got 3."),
        ({"runs": 0}, "`runs` must be a whole number of 1 or more, got 0."),
        ({"models": 2.5}, "`models` must be a whole number of 1 or more, got 2.5."),
        ({"errors": True}, "`errors` must be a whole number of 0 or more, got True."),
        ({"margin": 1}, "`margin` must be between 0 and 1, got 1. For 1 pp use 0.01."),
        ({"margin": float("nan")}, "`margin` must be between 0 and 1, got nan."),
        ({"tuning": "yes"}, "`tuning` must be True or False, got 'yes'."),
        ({"plan": "often"}, "'often'"),
        ({"colour": "red"}, "unknown option `colour`."),
        ({"run": 3}, "unknown option `run`. Did you mean `runs`?"),
        ({"domains": "many", "subject": "classifier"}, "got 'classifier'. A classifier belongs to one domain."),
        ({"domains": "many", "task": "estimate"}, "got 'estimate'. An error rate belongs to one domain."),
        ({"subject": "learner", "data": "much", "plan": "10x10"}, "with data='much', got '10x10'."),
        (
            {"subject": "learner", "data": "much", "plan": "holdout"},
            "such as 'delve 8x200', with data='much', got 'holdout(2/3)'.",
        ),
        ({"subject": "classifier", "data": "much", "plan": "5x2"}, "with data='much', got '5x2'."),
        ({"data": "little", "plan": "delve 8x200"}, "with data='little', got 'delve 8x200'."),
        ({"task": "choose", "models": 1}, "`models` must be 2 or more for a comparison, got 1."),
        ({"test_sets": "two", "models": 3}, "`models` must be 2 with test_sets='two', got 3."),
        (
            {"errors": 9, "examples": 5},
            "`examples` must be at least the number of errors and discordant pairs, 9, got 5.",
        ),
    ],
)
def test_bad_answers_are_named(answers, message):
    with pytest.raises(InvalidOption) as error:
        advise(**answers)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("evidence", "answers", "message"),
    [
        (TABLE, {"subject": "learner"}, "`subject` must be 'classifier' for this evidence, got 'learner'."),
        (TABLE, {"examples": 5}, "`examples` must be 100 for this evidence, got 5."),
        (ErrorCount(3, 120), {"task": "choose"}, "`task` must be 'estimate' for this evidence, got 'choose'."),
        (FIVE_BY_TWO, {"plan": "10x10"}, "`plan` must be '5x2' for this evidence, got '10x10'."),
        (COUNTS, {"domains": "many"}, "`domains` must be 'one' for this evidence, got 'many'."),
        (ErrorCount([3, 5], 120), {"task": "choose"}, "`task` must be 'estimate' for this evidence, got 'choose'."),
    ],
)
def test_answers_that_contradict_the_evidence_are_refused(evidence, answers, message):
    with pytest.raises(InvalidOption) as error:
        advise(evidence, **answers)
    assert message in str(error.value)


def test_answers_that_agree_with_the_evidence_are_welcome():
    assert advise(TABLE, subject="classifier", models=2).question.number == 3
    assert advise(TABLE, task="estimate").question.number == 1  # each of the two by itself


@pytest.mark.parametrize("stranger", [3, "table", [1, 2, 3, 4], {"a": 1}])
def test_what_is_no_evidence_is_refused(stranger):
    with pytest.raises(InvalidEvidence, match="`evidence` must be evidence, predictions or a race, got"):
        advise(stranger)


# --- Every form -----------------------------------------------------------------------------------


def test_json_has_every_part_and_nothing_that_json_cannot_hold():
    parts = {
        "question", "by_way_of", "complete", "recommended", "path", "open", "alternatives", "forbidden", "assumptions",
        "rules", "sources", "splitting", "command", "code",
    }  # fmt: skip
    for recommendation in (*RECOMMENDATIONS[:40], advise(), advise(**LEARNERS, convergence="fast"), advise(TABLE)):
        document = json.loads(recommendation.to_json())
        assert set(document) == parts
        assert document["complete"] == (document["question"] is not None)
        assert all(set(step) == {"topic", "answer", "source", "asked", "told_by"} for step in document["path"])
        for ask in document["open"]:
            assert set(ask) == {"name", "text", "flag", "why", "choices", "default", "blocks"}
            assert ask["name"] in ANSWERS
    document = json.loads(advise(TABLE).to_json())
    assert document["question"]["number"] == 3
    assert document["recommended"]["method"] == "mcnemar-mid-p"
    assert document["forbidden"][0] == {
        "method": "difference-of-proportions",
        "gives": "test",
        "reason": find_methods(name="difference-of-proportions")[0].rationale,
        "figure": advise(TABLE).forbidden[0].figure,
    }


def test_every_form_has_the_same_rows():
    recommendation = advise(TABLE)
    for form in (
        str(recommendation),
        recommendation.to_markdown(),
        recommendation.to_latex(),
        recommendation._repr_html_(),
    ):
        assert "mcnemar-unconditional" in form
        assert "difference-of-proportions" in form
    assert f"  run       {recommendation.command}" in str(recommendation).splitlines()
    assert repr(recommendation) == str(recommendation)


def test_every_recommendation_is_at_most_twelve_lines_for_two_trained_models():
    for evidence in (TABLE, COUNTS, ErrorCount(3, 120), ErrorCount(0, 500)):
        assert len(str(advise(evidence)).splitlines()) <= 12


def test_a_name_that_looks_like_markup_stays_text():
    table = PairedTable(20, 25, 10, 45, models=("<script>alert(1)</script>", "a|b_c & $x$"))
    recommendation = advise(table)
    assert "<script>" not in recommendation._repr_html_()
    assert run_code(recommendation).evidence.models == table.models


def test_a_situation_names_its_sources():
    known = Situation.of(TABLE).answered(matters="guarantee")
    assert known.sources["subject"] == "the evidence"
    assert known.sources["matters"] == "you"
    assert Situation.of(None).answered(subject="classifier").sources["domains"] == "implied"


@settings(derandomize=True, deadline=None, max_examples=12)
@given(
    st.fixed_dictionaries(
        {},
        optional={name: st.sampled_from(allowed) for name, allowed in CHOICES.items()}
        | {name: st.integers(0, 200) for name in ("models", "runs", "examples", "errors", "disagreements")}
        | {"stochastic": st.booleans(), "tuning": st.booleans(), "margin": st.floats(0, 1)},
    )
)
def test_any_answers_give_a_recommendation_or_one_clear_error(answers):
    try:
        recommendation = advise(**answers)
    except InvalidOption as trouble:
        message = str(trouble)
        recommendation = None
    if recommendation is None:
        assert any(name in message for name in answers)
        return
    assert recommendation.complete != any(ask.blocks for ask in recommendation.open)
    assert (recommendation.recommended is None) == (recommendation.situation.question is None)
    assert json.loads(recommendation.to_json())["command"] == recommendation.command


@pytest.mark.parametrize(("former", "value"), [("false alarms", "type I error"), ("missed differences", "power")])
def test_former_values_of_matters_are_accepted(former, value):
    table = ta.PairedTable(20, 25, 10, 45)
    assert str(ta.advise(table, matters=former)) == str(ta.advise(table, matters=value))
