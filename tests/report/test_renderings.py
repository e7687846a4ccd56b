"""No rendering of any result shows what only a program understands: nan, None, a placeholder, a left-over brace."""

import html
import re
from dataclasses import fields, is_dataclass
from functools import cache

import numpy as np
import pytest

import tellapart as ta
from tellapart import lab
from tellapart.report.blocks import Code, IntervalDrawing
from tellapart.report.plots import coverage_picture
from tellapart.report.writing import page_of

pytest.importorskip("matplotlib")

LEFT_OVER = re.compile(r"\bnan\b|\bNaN\b|\bNone\b|\bundefined\b|\binf\b|…|[{}]|<[a-z]+ object at")
SEEDS = range(4)


@cache
def answers(seed):
    """Return an ordinary result of every type, of evidence that differs by seed."""
    rng = np.random.default_rng(seed)
    pair = ta.PairedTable(*rng.integers(5, 30, 3), 200, models=("old", "new"))
    count = ta.ErrorCount(int(rng.integers(5, 30)), 120)
    patterns = ta.ErrorPatterns.from_correct(
        {name: rng.random(150) > rate for name, rate in (("tree", 0.1), ("forest", 0.2), ("stump", 0.35))}
    )
    sets = [f"set {index}" for index in range(12)]
    scores = ta.ScoreTable.from_scores(0.6 + 0.3 * rng.random((12, 3)), ["nb", "svm", "tree"], sets, metric="accuracy")
    resamples = ta.Resamples.from_scores(
        {name: 0.8 + 0.1 * rng.random((10, 10)) for name in ("nb", "svm")}, plan="10x10"
    )
    truth = rng.random(80) < 0.5
    called = np.array(["ham", "spam"])[truth * 1]
    by_class = ta.ClassScores.from_scores(called, {name: 0.3 * truth + 0.7 * rng.random(80) for name in ("old", "new")})
    graded = ta.Outcomes.from_scores(
        rng.random(60), rng.random(60), metric="rouge", groups=np.array(["day", "night"])[np.arange(60) % 2]
    )
    labels = rng.integers(0, 2, 90)
    message = [np.where(rng.random(90) < rate, 1 - labels, labels) for rate in (0.2, 0.3)]
    both = ta.PairedConfusion.from_predictions(labels, *message, models=("old", "new"))
    design = lab.PairedOutcomes(0.1, 0.1, disagreement=0.1, examples=60)
    return {
        "estimate": ta.estimate(count),
        "upper bound": ta.estimate(count, side="upper"),
        "comparison": ta.compare(pair),
        "margin": ta.compare(pair, margin=0.05, hypothesis="non-inferior"),
        "threshold": ta.compare(count, against=0.2),
        "two test sets": ta.compare(ta.IndependentCounts.from_counts(*rng.integers(5, 30, 1), 100, 20, 100)),
        "ranking": ta.compare(patterns),
        "over data sets": ta.compare(scores),
        "two over data sets": ta.compare(scores, learners=("nb", "svm")),
        "learners": ta.compare(resamples),
        "areas": ta.compare(by_class),
        "f1": ta.compare(both, metric="f1", positive=1),
        "groups": ta.breakdown(graded),
        "calibration": ta.calibrate("tango", pair, trials=50, rng=seed),
        "calibrations": ta.calibrate(["wald", "wilson"], count),
        "coverage": ta.exact_coverage("wald", 20 + seed, points=200),
        "peeking": lab.peeking(design, looks=2, rules=["mcnemar-mid-p", "pocock"], differences=[0.05], trials=20),
        "plan": ta.plan(difference=0.15, disagreement=0.25 + 0.05 * seed, method="mcnemar"),
        "width": ta.plan(width=0.1, error=0.1 + 0.05 * seed),
        "watch": ta.Watch.rate().add(count),
    }


NAMES = list(answers(0))


def shown_texts(value):
    """Return every string that a page shows, without the lines that are to be copied."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, float):
        return [f"{value:g}"]
    if isinstance(value, Code | IntervalDrawing) or callable(value):
        return [value.to_svg()] if isinstance(value, IntervalDrawing) else []
    if isinstance(value, tuple | list | frozenset | dict):
        return [text for part in (value.values() if isinstance(value, dict) else value) for text in shown_texts(part)]
    if is_dataclass(value):
        return [text for field in fields(value) for text in shown_texts(getattr(value, field.name))]
    return []


def visible(text):
    """Return what a reader sees of a piece of HTML."""
    return html.unescape(re.sub(r"<[^>]*>", " ", text))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_renderings_show_nothing_that_is_not_meant_for_readers(name, seed):
    answer = answers(seed)[name]
    description = [str(answer), repr(answer), visible(answer._repr_html_()), answer.to_markdown()]
    description += [answer.paragraph(), answer.paragraph("markdown")] if hasattr(answer, "paragraph") else []
    description += [str(value) for value in (getattr(answer, part, "") for part in ("words", "answer", "limits"))]
    for text in description:
        assert text is not None
        assert not LEFT_OVER.search(text), LEFT_OVER.search(text)


@pytest.mark.parametrize("name", NAMES)
def test_pages_show_nothing_that_is_not_meant_for_readers(name):
    texts = shown_texts(page_of(answers(0)[name]))
    assert len(texts) > 10
    assert not [text for text in texts if LEFT_OVER.search(text)]


def test_a_left_over_is_found():
    assert all(LEFT_OVER.search(text) for text in ("p = nan", "is None.", "{name}", "TA104: …", "<b object at 0x1>"))
    assert not LEFT_OVER.search("nanometres of an infinite Nonesuch")
    assert coverage_picture(answers(0)["coverage"]).alt
