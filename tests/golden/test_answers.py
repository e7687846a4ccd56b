"""Answers of every kind as they are printed: each in a golden file, and all by the same laws of layout."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.glossary import find_phrases

import tellapart as ta
from tellapart.methods import find_methods
from tellapart.typing_ import SOURCES

FOLDER = Path(__file__).parent / "answers"
LABELS = {
    "caution",
    "data",
    "design",
    "test",
    "interval",
    "margin",
    "overall",
    "power",
    "coverage",
    "or",
    "next",
    "scope",
}
TABLE = ta.PairedTable(20, 25, 10, 45, models=("old", "new"))
A, B = [0.95, 0.94, 0.96, 0.93, 0.92], [0.90, 0.92, 0.91, 0.89, 0.93]
SCORES = {"tree": A, "net": B}
PLANS = ("5-fold", "5x(2/3)", "seeds", "independent", "632*5")
THREE = ta.ErrorPatterns.from_codes(["forest", "svm", "stump"], {0: 800, 2: 10, 4: 90, 6: 30, 7: 70})


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
    patterns = ta.LabelPatterns.from_predictions(truth, guesses)
    for metric in ("f1", "precision", "label-balance", "mcc"):
        yield f"one {metric}", ta.estimate(patterns.confusion("new"), metric=metric)
    for metric in ("f1", "precision", "recall", "balanced-accuracy"):
        yield f"two by {metric}", ta.compare(patterns.pair("old", "new"), metric=metric)
    yield "a cost, one-sided", ta.compare(patterns.pair("old", "new"), costs=[[0, 1], [5, 0]], alternative="greater")
    yield "a ratio", ta.compare(patterns.pair("old", "new"), metric="precision", interval="relative-predictive-value")
    yield "a margin of recall", ta.compare(patterns.pair("old", "new"), metric="recall", margin=0.05)
    never = ta.PairedConfusion.from_predictions(truth, 0 * truth, truth, models=("old", "new"))
    yield "undefined of one", ta.compare(never, metric="precision")
    yield "several by F1", ta.compare(patterns, metric="f1")


PAIRS = list(of_pairs())
KINDS = dict(of_all_kinds())
every_answer = pytest.mark.parametrize(
    "answer", [*PAIRS, *(pytest.param(answer, id=name) for name, answer in KINDS.items())]
)


def named_file(name):
    return FOLDER / f"{re.sub('[^a-z0-9]+', '-', name.lower()).strip('-')}.txt"


@pytest.mark.parametrize("name", KINDS)
def test_an_answer_is_printed_as_written(name, request):
    answer, path = KINDS[name], named_file(name)
    text = f"{answer}\n\n{answer.words}\n\n{answer.explain()}\n"
    if request.config.getoption("--update"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_no_golden_file_is_left_behind():
    assert {path.name for path in FOLDER.iterdir()} == {named_file(name).name for name in KINDS}


@every_answer
def test_the_layout_is_one_for_all(answer):
    """A verdict of one sentence, its figures, then rows with labels of the closed set; 80 columns."""
    display = answer.display()
    assert not display.verdict.endswith(".")
    assert {row.label for row in display.rows} <= LABELS
    assert display.rows[-1].label == "scope"
    lines = str(answer).splitlines()
    assert max(map(len, lines)) <= 80
    cautions = [row for row in display.rows if row.label == "caution"]
    assert [row.label for row in display.rows[: len(cautions)]] == ["caution"] * len(cautions)


@every_answer
def test_the_words_are_the_fields_own(answer):
    for text in (
        str(answer),
        answer.words,
        answer.explain(),
        answer.paragraph(),
        answer.display(verbose=True).to_text(),
    ):
        assert find_phrases(text) == []
        assert "p = 0.000" not in text
        assert not re.search(r"\bnan\b|\binf\b|\{|\}|…", text)


@every_answer
def test_the_verdict_shows_which_checks_fail(answer):
    failed = [check for check in answer.checks if not np.all(check.holds)]
    assert ("(caution" in answer.display().verdict) == bool(failed)
    for check in failed:
        assert any(row.text.startswith(f"{check.code}: ") for row in answer.display().rows)


@every_answer
def test_the_limits_have_the_sign_of_the_headline(answer):
    """The difference lies between its limits, whichever way it was turned."""
    figures = re.search(
        r": (?:typically )?(-?[\d.,]+)(?: pp)? (?:higher|lower) \(\S+ CI (-?[\d.,]+) to (-?[\d.,]+)\)",
        answer.display().figures,
    )
    if figures is None:
        return
    size, low, high = (float(number.replace(",", "")) for number in figures.groups())
    assert size >= 0
    assert low <= size <= high or "typically" in answer.display().figures
    assert len({len(number.partition(".")[2]) for number in figures.groups()}) == 1  # one number of decimals


@every_answer
def test_every_source_of_variation_is_covered_or_ignored(answer):
    covered, ignored = set(answer.sources_covered), set(answer.sources_ignored)
    assert covered | ignored == set(SOURCES)
    assert not covered & ignored
    values = answer.as_dict()
    assert (values["sources_covered"], values["covers"]) == (list(answer.sources_covered),) * 2
    assert (values["sources_ignored"], values["misses"]) == (list(answer.sources_ignored),) * 2


@pytest.mark.parametrize("answer", PAIRS)
def test_two_models_take_seven_lines_and_a_few_where_names_are_long(answer):
    cautions = sum(row.label == "caution" for row in answer.display().rows)
    assert len(str(answer).splitlines()) <= 9 + 4 * cautions  # seven, unless names of methods are long
