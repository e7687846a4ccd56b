"""A check of several pairs or entries is one sentence: the worst figure, and where it fails."""

import json

import numpy as np
import pytest

import tellapart as ta
from tellapart.report.writing import write_report
from tellapart.results import Ranking

RNG = np.random.default_rng(18)
NAMES = ("old", "new", "next")


def patterns():
    """Old and new are discordant on 2 examples: too few for TA105 to hold (2 · ½² = ½ is the smallest p-value)."""
    right = RNG.random(120) < 0.7
    new = right.copy()
    new[:2] = ~new[:2]
    return ta.ErrorPatterns.from_correct({"old": right, "new": new, "next": RNG.random(120) < 0.8})


def outcomes():
    scores = RNG.random((3, 40))
    scores[1] = scores[0]
    scores[1, :2] += 0.25
    return ta.Outcomes.from_scores(dict(zip(NAMES, scores, strict=True)), metric="score")


def splits():
    scores = 0.8 + RNG.normal(0, 0.02, (3, 10))
    scores[1] = scores[0] + 0.01
    return ta.Resamples.from_scores(dict(zip(NAMES, scores, strict=True)), plan="10-fold", examples=200)


def score_table():
    scores = 0.8 + RNG.normal(0, 0.02, (3, 12)).round(3)
    scores[1, :10] = scores[0, :10]
    return ta.ScoreTable.from_scores(dict(zip(NAMES, scores, strict=True)))


def labels():
    truth = RNG.integers(2, size=120)
    old = np.where(RNG.random(120) < 0.8, truth, 1 - truth)
    new = old.copy()
    new[:2] = 1 - new[:2]
    return ta.LabelPatterns.from_predictions(truth, {"old": old, "new": new, "next": RNG.integers(2, size=120)})


def answers():
    yield "patterns", ta.compare(patterns(), method="mcnemar-exact")
    yield "patterns-max-t", ta.compare(patterns(), adjust="max-t")
    yield "outcomes", ta.compare(outcomes())
    yield "splits", ta.compare(splits())
    yield "score-table", ta.compare(score_table())
    yield "labels", ta.compare(labels(), metric="f1")
    yield "tables", ta.compare(ta.PairedTable([3, 11, 0], [1, 22, 0], [1, 4, 0], [40, 862, 30]), method="mcnemar-exact")
    yield "counts", ta.estimate(ta.ErrorCount([3, 40, 0], 120), method="wilson")


ANSWERS = dict(answers())


def renderings(answer, folder):
    yield from (
        str(answer),
        repr(answer),
        answer.to_markdown(),
        answer.to_latex(),
        answer.to_json(),
        answer._repr_html_(),
    )
    if not answer_has_shape(answer):
        yield from (answer.paragraph(form) for form in ("text", "markdown", "latex"))
        yield write_report(folder / "page.html", answer).read_text(encoding="utf-8")


def answer_has_shape(answer):
    return bool(getattr(answer, "shape", ()))


@pytest.mark.parametrize("name", ANSWERS)
def test_no_rendering_of_several_pairs_or_entries_shows_a_placeholder(name, tmp_path):
    answer = ANSWERS[name]
    assert any(check.shape and not np.all(check.holds) for check in answer.checks)
    for text in renderings(answer, tmp_path):
        assert "…" not in text
        assert r"\ldots" not in text
        assert r"\u2026" not in text


@pytest.mark.parametrize("name", [name for name, answer in ANSWERS.items() if isinstance(answer, Ranking)])
def test_the_pairs_that_fail_are_named(name):
    answer = ANSWERS[name]
    failed = [check for check in answer.checks if check.shape and 0 < np.count_nonzero(~check.holds) < check.holds.size]
    for check in failed:
        order = answer.in_order().index  # the leader is named first
        failing = [sorted(pair, key=order) for pair, holds in zip(answer.names, check.holds, strict=True) if not holds]
        pairs = [" and ".join(pair) for pair in failing]
        where = f"for {pairs[0]}" if len(pairs) == 1 else f"in {len(pairs)} of 3 pairs ({', '.join(pairs)})"
        assert where in check.message
        assert check.message in [values["message"] for values in json.loads(answer.to_json())["checks"]]
    assert failed


def test_the_worst_figure_stands_for_all():
    """Two discordant pairs: the smallest two-sided p-value of the exact test is 2 · ½² = 0.5."""
    check = next(check for check in ANSWERS["patterns"].checks if check.code == "TA105")
    assert "is 0.5, not below alpha for old and new" in check.message
    assert " failed: " in ANSWERS["patterns"].paragraph()
    assert f"{check.statement} (TA105)" in ANSWERS["patterns"].paragraph()
