"""Every answer in words: one sentence of what was found, one of what it does not say, and nothing left out."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tellapart as ta
from tellapart.methods import find_methods
from tellapart.typing_ import SOURCE_WORDS, SOURCES

TABLE = ta.PairedTable(20, 25, 10, 45, models=("old", "new"))
A, B = [0.95, 0.94, 0.96, 0.93, 0.92], [0.90, 0.92, 0.91, 0.89, 0.93]
SCORES = {"tree": A, "net": B}
PLANS = ("5-fold", "5x(2/3)", "seeds", "independent", "632*5")
THREE = ta.ErrorPatterns.from_codes(["forest", "svm", "stump"], {0: 800, 2: 10, 4: 90, 6: 30, 7: 70})
cells = st.tuples(*[st.integers(0, 60)] * 4).filter(any)
laws = settings(derandomize=True, deadline=None, max_examples=12)


def of_pairs():
    """Return an answer by every test of two classifiers on one test set."""
    for method in find_methods(gives="test", evidence=ta.PairedTable):
        options = {"prior": (0.5, 0.5)} if "prior" in method.required else {}
        yield pytest.param(ta.compare(TABLE, method=method.name, **options), id=method.name)


def of_all_kinds():
    """Return answers of every kind that has words of its own."""
    yield "margin", ta.compare(TABLE, margin=0.01)
    yield "equivalent", ta.compare(TABLE, margin=0.3, hypothesis="equivalent")
    yield "one-sided", ta.compare(TABLE, alternative="greater")
    yield "odds", ta.compare(TABLE, interval="odds-mid-p")
    yield "reduction", ta.compare(TABLE, interval="reduction-score")
    yield "looks", ta.compare(TABLE, looks=3)
    yield "alike", ta.compare(ta.PairedTable(5, 0, 0, 95))
    yield "balance", ta.compare(ta.ConfusionMatrix([[21, 26], [22, 129]]).label_against_prediction())
    yield "two test sets", ta.compare(ta.IndependentCounts.from_counts(3, 120, 9, 130))
    yield "threshold", ta.compare(ta.ErrorCount(3, 120), against=0.05)
    yield "adjusted", ta.compare(ta.PairedTable([20, 3], [25, 9], [10, 1], [45, 80]), adjust="holm")[0]
    yield "rate", ta.estimate(ta.ErrorCount(3, 120))
    yield "bound", ta.estimate(ta.ErrorCount(0, 59), side="upper")
    yield "strata", ta.estimate(ta.StratifiedCount([3, 5], [100, 80], [0.4, 0.6]))
    yield "several", ta.compare(THREE)
    yield "several learners", ta.compare(ta.Resamples.from_scores(SCORES | {"stump": B[::-1]}, plan="5-fold"))
    yield "flat", ta.compare(ta.Resamples.from_scores([0.9] * 5, [0.8] * 5, plan="5-fold"))
    yield "vote", ta.compare(ta.Resamples.from_scores(SCORES, plan="5x(2/3)"), method="vote")
    yield "posterior", ta.compare(ta.Resamples.from_scores(SCORES, plan="5-fold"), method="bayesian-correlated-t")
    yield "f1", ta.compare(ta.Resamples.from_scores(SCORES, plan="5-fold", metric="f1"))
    yield "learner", ta.estimate(ta.Resamples.from_scores(A, plan="5-fold", examples=150))
    yield "apparent", ta.estimate(ta.Resamples.from_scores([0.97], plan="apparent", test=100, train=100))
    yield from of_outcomes()
    yield from of_metrics()
    for plan in PLANS:
        yield plan, ta.compare(ta.Resamples.from_scores(SCORES, plan=plan))


def of_outcomes():
    """Return answers about the score of each example: graded, clustered, repeated, in groups, of several models."""
    rng = np.random.default_rng(0)
    old, new, mid = rng.beta(5, 2, (3, 60))
    facts = {"metric": "rouge", "bounds": (0, 1), "models": ("old", "new")}
    scores = ta.Outcomes.from_scores(old, new, **facts)
    grouped = ta.Outcomes.from_scores(old, new, **facts, clusters=np.arange(60) // 4, groups=np.arange(60) % 3)
    repeated = ta.Outcomes.from_scores(rng.integers(0, 2, (60, 3)), rng.integers(0, 2, (60, 3)), models=("old", "new"))
    yield "scores", ta.compare(scores)
    yield "scores, a margin", ta.compare(scores, margin=0.05)
    yield (
        "scores, lower is better",
        ta.compare(replace(scores, metric=replace(scores.metric, higher_is_better=False)), alternative="less"),
    )
    yield "mean score", ta.estimate(scores.select("new"))
    yield "clusters", ta.compare(grouped)
    yield "over groups", ta.compare(grouped, method="macro-average")
    yield "repeats", ta.compare(repeated)
    yield "rate of repeats", ta.estimate(repeated.select("new"))
    yield "several by scores", ta.compare(ta.Outcomes.from_scores({"old": old, "new": new, "mid": mid}, metric="rouge"))


def of_metrics():
    """Return answers by other metrics than the error rate."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 90)
    guesses = dict(zip(("old", "new", "mid"), truth ^ (rng.random((3, 90)) < 0.2), strict=True))
    held = ta.LabelPatterns.from_predictions(truth, guesses)
    for metric in ("f1", "precision", "label-balance", "mcc"):
        yield f"one {metric}", ta.estimate(held.confusion("new"), metric=metric)
    for metric in ("f1", "precision", "recall", "balanced-accuracy"):
        yield f"two by {metric}", ta.compare(held.pair("old", "new"), metric=metric)
    yield "a cost, one-sided", ta.compare(held.pair("old", "new"), costs=[[0, 1], [5, 0]], alternative="greater")
    yield "a ratio", ta.compare(held.pair("old", "new"), metric="precision", interval="relative-predictive-value")
    yield "a margin of recall", ta.compare(held.pair("old", "new"), metric="recall", margin=0.05)
    never = ta.PairedConfusion.from_predictions(truth, 0 * truth, truth, models=("old", "new"))
    yield "undefined of one", ta.compare(never, metric="precision")
    yield "several by F1", ta.compare(held, metric="f1")


PAIRS = list(of_pairs())
KINDS = [pytest.param(answer, id=name) for name, answer in of_all_kinds()]
every_answer = pytest.mark.parametrize("answer", [*PAIRS, *KINDS])


def is_one_sentence(text):
    return text.endswith(".") and not re.search(r"[.!?]['\")]*\s+[A-Z]", text) and "\n" not in text


@every_answer
def test_the_answer_is_one_sentence_and_the_limits_another(answer):
    assert is_one_sentence(answer.answer)
    assert is_one_sentence(answer.limits)
    assert answer.words.startswith(f"{answer.answer} {answer.limits}")


@every_answer
def test_every_source_is_covered_or_missed_and_the_missed_are_named(answer):
    assert (
        tuple(source for source in SOURCES if source in {*answer.sources_covered, *answer.sources_ignored}) == SOURCES
    )
    assert not set(answer.sources_covered) & set(answer.sources_ignored)
    for source in SOURCES:
        assert (SOURCE_WORDS[source] in answer.limits) == (source in answer.sources_ignored)
    assert "other data sets" in answer.limits
    assert (answer.as_dict()["covers"], answer.as_dict()["misses"]) == (
        list(answer.sources_covered),
        list(answer.sources_ignored),
    )


@every_answer
def test_significant_is_not_a_word_we_use(answer):
    for text in (answer.words, str(answer), *(check.message for check in answer.checks)):
        assert "significan" not in text.lower()


@pytest.mark.parametrize("answer", PAIRS)
def test_the_answer_names_both_the_limits_and_how_sure(answer):
    said = answer.answer
    assert "old" in said
    assert "new" in said
    assert answer.interval.limits_text(apart_from=1.0 if answer.interval.parameter == "odds" else 0.0) in said
    assert "on 100 examples with 35 disagreements" in said
    assert f"({answer.method}" in said or f"{answer.method} is a rule" in said
    if np.isnan(answer.pvalue):
        assert f"by the rule {answer.method}" in said
    else:
        shown = re.search(r"\bp = (\S+)", said)[1]
        assert float(shown) == pytest.approx(answer.pvalue, abs=6e-5)
        assert "at alpha = 0.05" in said
        assert "two-sided" in said


@given(cells, st.booleans())
@laws
def test_exchanging_the_two_keeps_the_winner_and_the_sizes(four, margin):
    """Which of the two is called A changes no name, no size and no p-value."""
    both, one, other, neither = four
    options = {"margin": 0.1, "hypothesis": "equivalent"} if margin else {}
    here = ta.compare(ta.PairedTable(both, one, other, neither, models=("old", "new")), **options)
    there = ta.compare(ta.PairedTable(both, other, one, neither, models=("new", "old")), **options)
    assert here.as_dict()["better_model"] == there.as_dict()["better_model"]
    said = [answer.answer.partition("; error(" if not margin else "; on ")[0] for answer in (here, there)]
    if here.better is not None:  # of those that are not told apart, A goes first
        assert said[0] == said[1]
    sizes = [sorted(re.findall(r"\d[\d.]*", answer.answer)) for answer in (here, there)]
    assert sizes[0] == sizes[1]
    assert re.findall(r"\bp = \S+", here.answer) == re.findall(r"\bp = \S+", there.answer)


@given(cells)
@laws
def test_any_table_gets_one_sentence(four):
    for options in ({}, {"margin": 0.01}, {"alternative": "less"}, {"interval": "odds-exact"}):
        answer = ta.compare(ta.PairedTable(*four), **options)
        assert is_one_sentence(answer.answer)
        assert is_one_sentence(answer.limits)


@pytest.mark.parametrize(
    ("options", "begins"),
    [
        ({}, "new is better than old at alpha = 0.05: on "),
        ({"alpha": 0.001}, "old and new are not told apart at alpha = 0.001: on "),
        ({"alternative": "less"}, "old is not shown to be better than new at alpha = 0.05: on "),
        ({"margin": 0.01}, "new is at most 1 point worse than old: shown at alpha = 0.05; on "),
        ({"margin": 0.01, "alpha": 1e-4}, "new is at most 1 point worse than old: not shown at alpha = 0.0001; on "),
        ({"margin": 0.01, "hypothesis": "superior"}, "new is better than old by more than 1 point: shown at alpha"),
        ({"method": "k-se"}, "new is better than old by the rule k-se: on "),
    ],
)
def test_the_decision_and_the_estimate_are_both_told(options, begins):
    said = ta.compare(TABLE, **options).answer
    assert said.startswith(begins)
    assert re.search(r"old errs 15(\.0)? points more often than new \(45(\.0)? % against 30(\.0)? %\)", said)
    assert "error(old) − error(new): " in said


def test_the_answer_in_full():
    """Differences of 15 of 100 and 35 disagreements, with the mid-p test and Tango's limits of other tests here."""
    answer = ta.compare(TABLE)
    assert answer.answer == (
        "new is better than old at alpha = 0.05: on 100 examples with 35 disagreements, old errs 15.0 points more often"
        " than new (45.0 % against 30.0 %); error(old) − error(new): 3.6 to 26.3 points (95 %, two-sided, tango);"
        " p = 0.0113 (mcnemar-mid-p, two-sided)."
    )
    assert answer.limits == (
        "This speaks of these two classifiers on examples drawn independently, like those tested; it does not allow for"
        " the choice of training data or for randomness in the learner (question 8, which resampling answers), nor does"
        " it speak of other data sets."
    )
    assert answer.words == f"{answer.answer} {answer.limits}"
    assert dict(answer.rows())["careful"] == answer.limits


def test_what_else_must_be_said_comes_last():
    answer = ta.compare(TABLE, looks=2)
    assert re.fullmatch(r".*data sets\. This test set was looked at 2 times before.*\(alpha/3\)\.", answer.words)
    wide = replace(answer, interval=replace(answer.interval, low=np.float64(-0.1)), notes=())
    assert wide.words.endswith("The interval (tango) would decide otherwise; the test decides.")
    assert "decides" not in wide.answer + wide.limits


def test_a_ranking_says_who_is_best_of_whom_by_what_and_how_lucky():
    far, close = ta.compare(THREE), ta.compare(ta.ErrorPatterns.from_codes(["a", "b", "c"], {0: 80, 1: 8, 2: 9, 4: 9}))
    assert far.answer.startswith(
        "forest has the lowest error rate (7.0 %, 70 of 1000) of 3 models on 1000 examples; all 2 others are told apart"
        " from it, as worse (max-t, alpha = 0.05 for all 3 pairs together"
    )
    assert close.answer.startswith(
        "a has the lowest error rate (7.5 %, 8 of 106) of 3 models on 106 examples; none of the 2 others is told apart"
    )
    luck = r"; chosen on these very examples, the best of 3 looks about \S+ points better than it is\.$"
    assert re.search(luck, close.limits)


def test_of_many_entries_there_is_a_summary():
    many = ta.compare(ta.PairedTable([20, 3], [25, 0], [10, 0], [45, 7]))
    assert many.words == many.answer == "1 of 2 differ (mcnemar-mid-p, alpha = 0.05, each by itself)."
    assert many[0].words.startswith("B is better than A")
    rates = ta.estimate(ta.ErrorCount([3, 0], 120))
    assert rates.words == rates.answer


def test_names_that_end_a_sentence_do_not_break_the_law_for_others():
    """A model may be called anything; its name is text."""
    said = ta.compare(replace(TABLE, models=("v1.0", "<script>"))).answer
    assert said.startswith("<script> is better than v1.0 at alpha")
    assert is_one_sentence(said)


@pytest.mark.parametrize(
    ("answer", "keys"),
    [
        (ta.compare(TABLE), ("fagerland2013", "tango1998")),
        (ta.compare(TABLE, method="tango"), ("tango1998",)),
        (ta.compare(ta.PairedTable([20, 3], [25, 9], [10, 1], [45, 80]), adjust="holm"), ("holm1979",)),
        (ta.compare(THREE, adjust="hommel"), ("fagerland2013", "tango1998", "hommel1988")),
        (ta.compare(THREE), ("fagerland2013", "westfall1993")),
        (ta.compare(THREE, adjust="none"), ("fagerland2013", "tango1998")),
        (ta.estimate(ta.ErrorCount(3, 120), method="wilson"), ("wilson1927",)),
        (ta.estimate(ta.Resamples.from_scores(A, plan="5-fold")), ("stone1974", "nadeau2003")),
        (ta.compare(ta.Resamples.from_scores(SCORES, plan="5-fold")), ("nadeau2003",)),
    ],
)
def test_who_described_it_is_cited_once_and_in_order(answer, keys):
    assert answer.references[-len(keys) :] == keys
    assert len(set(answer.references)) == len(answer.references)
