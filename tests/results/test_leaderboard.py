"""The leaderboard: ranks that are left open, ties told by letters, and one line that says what they mean."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

import tellapart as ta
from tellapart.results import Adjustment, Comparison, Interval, Leaderboard, Ranking, TestResult

THREE = ta.ErrorPatterns.from_codes(["forest", "svm", "stump"], {0: 800, 2: 10, 4: 90, 6: 30, 7: 70})

NAMES = ("forest", "svm", "stump")  # 70, 110 and 190 errors in 1000


def board(*adjusted, groups=((),), **facts):
    """Return the leaderboard of three models whose pairs (1-2, 1-3, 2-3) have these adjusted p-values."""
    tables, pvalue = THREE.pairs(), np.array(adjusted)
    low, high = tables.difference - 0.05, tables.difference + 0.05
    pairs = Comparison(
        evidence=tables,
        difference=tables.difference,
        interval=Interval(low=low, high=high, alpha=0.05, method="max-t", parameter="difference"),
        test=TestResult(method="made-up", statistic=tables.difference, pvalue=pvalue),
        adjustment=Adjustment(method="max-t", pvalue=pvalue),
    )
    made = {"method": "made-up", "evidence": THREE, "pairs": pairs}
    return Ranking(**made, groups=groups, **facts).leaderboard()


@pytest.mark.parametrize(
    ("adjusted", "ranks"),
    [  # counted by hand: one behind those told to be better, one ahead of those told to be worse
        ((0.2, 0.2, 0.2), ("1-3", "1-3", "1-3")),
        ((0.01, 0.01, 0.01), ("1", "2", "3")),
        ((0.2, 0.01, 0.01), ("1-2", "1-2", "3")),
        ((0.2, 0.01, 0.2), ("1-2", "1-3", "2-3")),
        ((np.nan, np.nan, np.nan), ("1-3", "1-3", "1-3")),
    ],
)
def test_ranks_are_the_places_left_open(adjusted, ranks):
    found = board(*adjusted)
    assert isinstance(found, Leaderboard)
    assert found.models == NAMES
    assert tuple(map(found.rank_text, range(3))) == ranks


def test_the_leaderboard_in_full():
    found = ta.compare(THREE).leaderboard()
    alone = [ta.estimate(ta.ErrorCount(errors, 1000)).interval for errors in (70, 110, 190)]
    assert str(found) == "\n".join(
        [
            "leaderboard  3 models on 1000 examples; limits: 95 %, two-sided, jeffreys, each by itself",
            "",
            "rank  model   error rate  95 % limits       tied",
            f"1     forest  7.0 %       {limits(alone[0])}    a",
            f"2     svm     11.0 %      {limits(alone[1])}   b",
            f"3     stump   19.0 %      {limits(alone[2])}  c",
            "",
            "Models that share a letter are tied: not told apart (max-t, alpha = 0.05 for all 3 pairs together),",
            "which does not make them equal. Ranks are the places that this leaves open.",
        ]
    )


def limits(interval):
    return f"{100 * interval.low:.1f} % to {100 * interval.high:.1f} %"


def test_every_form_has_the_table_and_the_line_below_it():
    found = board(0.2, 0.01, 0.2, groups=(("forest", "svm"), ("svm", "stump")))
    assert found.interval is None  # nobody gave the limits of each
    head, lines = found.table()
    assert head == ["rank", "model", "error rate", "tied"]
    assert [line[-1] for line in lines] == ["a", "ab", "b"]
    markdown = found.to_markdown().splitlines()
    assert markdown[2:5] == [
        "| rank | model | error rate | tied |",
        "|---|---|---|---|",
        "| 1-2 | forest | 7.0 % | a |",
    ]
    assert markdown[-1].startswith("Models that share a letter are tied: not told apart")
    assert found.to_latex().endswith("Ranks are the places that this leaves open.")
    html = found._repr_html_()
    assert html.startswith('<table class="tellapart">')
    assert html.endswith("leaves open.</p>")
    kept = json.loads(found.to_json())
    assert [model["rank"] for model in kept["models"]] == [[1, 2], [1, 3], [2, 3]]
    assert repr(found) == str(found)


def test_names_are_text():
    patterns = ta.ErrorPatterns.from_codes(["<b>", "a|b", "c"], {0: 80, 1: 10, 2: 5, 4: 5})
    found = ta.compare(patterns).leaderboard()
    assert "<b>" not in found._repr_html_()
    assert r"a\|b" in found.to_markdown()


def test_learners_and_scores_have_leaderboards_too():
    learners = {"tree": [0.95, 0.94, 0.96, 0.93], "net": [0.90, 0.92, 0.91, 0.89], "stump": [0.7, 0.72, 0.71, 0.69]}
    found = ta.compare(ta.Resamples.from_scores(learners, plan="4-fold")).leaderboard()
    assert found.table()[0] == ["rank", "learner", "error rate", "tied"]
    assert found.models[0] == "tree"
    scores = np.random.default_rng(0).beta(5, 2, (3, 50))
    outcomes = ta.Outcomes.from_scores(dict(zip("abc", scores, strict=True)), metric="rouge")
    graded = ta.compare(outcomes).leaderboard()
    assert graded.table()[0] == ["rank", "model", "mean rouge", "95 % limits", "tied"]
    assert_allclose(graded.levels, sorted(scores.mean(axis=1), reverse=True))
