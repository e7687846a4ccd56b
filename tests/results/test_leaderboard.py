"""The leaderboard: ranges of ranks, and ties by letters."""

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
    [  # counted by hand: one behind those that are better, one ahead of those that are worse
        ((0.2, 0.2, 0.2), ("1-3", "1-3", "1-3")),
        ((0.01, 0.01, 0.01), ("1", "2", "3")),
        ((0.2, 0.01, 0.01), ("1-2", "1-2", "3")),
        ((0.2, 0.01, 0.2), ("1-2", "1-3", "2-3")),
        ((np.nan, np.nan, np.nan), ("1-3", "1-3", "1-3")),
    ],
)
def test_ranks_are_the_places_left_open(adjusted, ranks):
    leaderboard = board(*adjusted)
    assert isinstance(leaderboard, Leaderboard)
    assert leaderboard.models == NAMES
    assert tuple(map(leaderboard.rank_text, range(3))) == ranks


def test_the_leaderboard_in_full():
    board = ta.compare(THREE).leaderboard()
    alone = [ta.estimate(ta.ErrorCount(errors, 1000)).interval for errors in (70, 110, 190)]
    limits = [f"{100 * interval.low:.1f} to {100 * interval.high:.1f}" for interval in alone]
    assert str(board) == "\n".join(
        [
            "forest is significantly better than the other 2 models",
            "",
            "  rank  model   error rate        95% CI  tied",
            f"  1     forest        7.0%  {limits[0]:>12}  a",
            f"  2     svm          11.0%  {limits[1]:>12}  b",
            f"  3     stump        19.0%  {limits[2]:>12}  c",
            "",
            "  data      1,000 examples",
            "  test      max-T, all pairs (Westfall & Young 1993), alpha = 0.05; models that",
            "            share a letter are tied",
            "  interval  Jeffreys (Martin & Hirschberg 1996), one model at a time",
        ]
    )


def test_every_form_has_the_table():
    board_of_ties = board(0.2, 0.01, 0.2, groups=(("forest", "svm"), ("svm", "stump")))
    assert board_of_ties.interval is None  # no limits of each were given
    assert [line[-1] for line in board_of_ties.lines()] == ["a", "ab", "b"]
    markdown = board_of_ties.to_markdown()
    assert "| rank | model | error rate | tied |\n|---|---|---:|---|\n| 1-2 | forest | 7.0% | a |" in markdown
    assert r"1--2 & forest & 7.0 & a \\" in board_of_ties.to_latex()
    assert board_of_ties._repr_html_().startswith('<div class="tellapart"')
    values = json.loads(board_of_ties.to_json())
    assert [model["rank"] for model in values["models"]] == [[1, 2], [1, 3], [2, 3]]
    assert repr(board_of_ties) == str(board_of_ties)


def test_names_are_text():
    patterns = ta.ErrorPatterns.from_codes(["<b>", "a|b", "c"], {0: 80, 1: 10, 2: 5, 4: 5})
    leaderboard = ta.compare(patterns).leaderboard()
    assert "<b>" not in leaderboard._repr_html_()
    assert r"a\|b" in leaderboard.to_markdown()


def heads(leaderboard):
    return list(leaderboard.display().blocks[0].head)


def test_learners_and_scores_have_leaderboards_too():
    learners = {"tree": [0.95, 0.94, 0.96, 0.93], "net": [0.90, 0.92, 0.91, 0.89], "stump": [0.7, 0.72, 0.71, 0.69]}
    leaderboard = ta.compare(ta.Resamples.from_scores(learners, plan="4-fold")).leaderboard()
    assert heads(leaderboard) == ["rank", "learner", "accuracy", "tied"]
    assert leaderboard.models[0] == "tree"
    scores = np.random.default_rng(0).beta(5, 2, (3, 50))
    outcomes = ta.Outcomes.from_scores(dict(zip("abc", scores, strict=True)), metric="rouge")
    graded = ta.compare(outcomes).leaderboard()
    assert heads(graded) == ["rank", "model", "mean rouge", "95% CI", "tied"]
    assert_allclose(graded.levels, sorted(scores.mean(axis=1), reverse=True))
