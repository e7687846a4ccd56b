"""Ranking: who is best, who is tied, the bias of the winner; readable for two models and for twenty."""

import json
import re
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from tellapart.evidence import ErrorPatterns, Note
from tellapart.results import Adjustment, Check, Comparison, Interval, Ranking, TestResult


def ranking(
    patterns, adjusted, groups, *, pairs=None, rule="max-t", note="", optimism=0.0042, omnibus=None, alpha=0.05, **facts
):
    tables = patterns.pairs()
    adjusted = np.array(adjusted, dtype=float)
    low, high = np.maximum(tables.difference - 0.05, -1), np.minimum(tables.difference + 0.05, 1)
    pairs = pairs or Comparison(
        evidence=tables,
        difference=tables.difference,
        interval=Interval(low=low, high=high, alpha=0.05, method="max-t", parameter="difference"),
        test=TestResult(method="made-up", statistic=tables.difference, pvalue=adjusted / 2, note=note),
        adjustment=Adjustment(method=rule, pvalue=adjusted),
    )
    notes = [Note(key="optimism", label="optimism", text="", value=optimism)]
    if omnibus is not None:
        notes.append(Note(key="cochran_q", label="Cochran's Q", text="", value=omnibus))
    return Ranking(
        method="made-up",
        evidence=patterns,
        pairs=pairs,
        groups=groups,
        alpha=alpha,
        sources_covered=("test data", "labels"),
        notes=tuple(notes),
        **facts,
    )


THREE = ErrorPatterns.from_codes(["forest", "svm", "stump"], {0: 800, 2: 10, 4: 90, 6: 30, 7: 70})  # 7, 11 and 19 %
TWO = ErrorPatterns.from_codes(["A", "B"], {0: 85, 1: 5, 2: 10})


def three(**facts):
    return ranking(THREE, [0.2, 0.001, 0.01], (("forest", "svm"), ("stump",)), **facts)


def test_the_best_and_those_tied_with_it():
    answer = three()
    assert answer.best == ("forest",)
    assert answer.contenders == ("svm",)
    assert answer.better == (None, "forest", "svm")
    assert answer.names == (("forest", "svm"), ("forest", "stump"), ("svm", "stump"))
    assert [answer.letters(name) for name in answer.models] == ["a", "a", "b"]


def test_the_text_in_full():
    omnibus = TestResult(
        statistic=np.float64(81.25), pvalue=np.float64(2.3e-18), statistic_name="Cochran's Q", note="df = 2"
    )
    assert str(three(omnibus=omnibus, excluded={"no label": 7})) == "\n".join(
        [
            "forest and svm are tied for first of 3 models",
            "",
            "  rank  model   error rate  behind forest (95% CI)  adj. p",
            "  1-2   forest        7.0%",
            "  1-2   svm          11.0%  4.0 pp (-1.0 to 9.0)     0.200",
            "  3     stump        19.0%  12.0 pp (7.0 to 17.0)    0.001",
            "",
            "  data      1,000 examples; 7 left out (no label), 3 pairs; a rank of 1-2 means",
            "            either place is possible",
            "  test      made-up, Max-T-adjusted, alpha = 0.05",
            "  interval  max-t",
            "  overall   Cochran's Q = 81.2, df = 2, p < 0.001",
            "  scope     these trained models; the leader's error rate is about 0.4 pp too",
            "            low",
        ]
    )


@pytest.mark.parametrize(
    ("adjusted", "verdict"),
    [
        ([0.2, 0.2, 0.2], "All 3 models are tied for first"),
        ([0.01, 0.01, 0.2], "forest is significantly better than the other 2 models"),
        ([0.2, 0.01, 0.2], "forest and svm are tied for first of 3 models"),
        ([np.nan, np.nan, np.nan], "All 3 models are tied for first"),
    ],
)
def test_the_verdict_says_who_is_tied_for_first(adjusted, verdict):
    answer = ranking(THREE, adjusted, (("forest", "svm", "stump"),))
    assert answer.display().verdict == verdict
    assert answer.words.startswith(f"{verdict}. Applies to these trained models")


@pytest.mark.parametrize(
    ("pvalue", "better", "verdict"),
    [
        (0.2, None, "Both models are tied for first"),
        (0.05, None, "Both models are tied for first"),  # p at alpha does not reject
        (0.01, "A", "A is significantly better than the other model"),
    ],
)
def test_two_models(pvalue, better, verdict):
    answer = ranking(TWO, [pvalue], (("A", "B"),))
    assert answer.better == (better,)
    assert answer.display().verdict == verdict
    assert "B           10.0%  5.0 pp (0.0 to 10.0)" in str(answer)


def test_exact_ties_share_the_first_place():
    patterns = ErrorPatterns.from_codes(["a", "b", "c"], {0: 80, 1: 10, 2: 10, 4: 30})
    answer = ranking(patterns, [1.0, 0.01, 0.2], (("a", "b"), ("b", "c")))
    assert answer.best == ("a", "b")
    assert answer.contenders == ()  # significantly worse than one of the best
    assert answer.display().verdict == "a and b are tied for first of 3 models"


def test_all_alike():
    patterns = ErrorPatterns.from_codes(["a", "b", "c"], {0: 100})
    answer = ranking(patterns, [1.0, 1.0, 1.0], (("a", "b", "c"),), optimism=0.0)
    assert answer.best == ("a", "b", "c")
    assert answer.display().verdict == "All 3 models are tied for first"
    assert dict(answer.rows())["scope"] == "these trained models, data from the same source; not retraining"


@pytest.mark.parametrize(
    ("adjustment", "test", "meaning"),
    [
        ("holm", "made-up, Holm-adjusted, alpha = 0.01", "the probability of any false positive among all pairs"),
        ("benjamini-hochberg", "made-up, Benjamini-Hochberg-adjusted, alpha = 0.01", "the false discovery rate"),
        ("none", "made-up, unadjusted, alpha = 0.01", "p-values are not adjusted"),
    ],
)
def test_the_adjustment_is_named_and_explained(adjustment, test, meaning):
    answer = three(rule=adjustment, alpha=0.01)
    assert dict(answer.rows())["test"] == test
    assert test in answer.to_markdown()
    assert meaning in " ".join(answer.explain().split())
    assert ("adj. p" in str(answer)) == (adjustment != "none")


def test_adjusted_p_values_are_compared_with_alpha():
    assert three(alpha=0.005).better == (None, "forest", None)
    assert three(alpha=0.3).better == ("forest", "forest", "svm")


@pytest.mark.parametrize(
    ("optimism", "text"),
    [(0.0042, "about 0.4 pp too low"), (0.1, "about 10 pp too low"), (0.000123, "about 0.01 pp too low")],
)
def test_the_bias_of_the_leader_is_in_percentage_points(optimism, text):
    assert dict(three(optimism=optimism).rows())["scope"].endswith(text)


def test_one_sided_limits_and_limits_of_another_kind():
    answer = three()
    interval = answer.pairs.interval
    upper = Interval(
        low=np.full(3, -1.0), high=interval.high, alpha=0.05, method="tango", side="upper", parameter="difference"
    )
    text = str(three(pairs=replace(answer.pairs, interval=upper)))
    assert "tango, unadjusted" in text
    odds = Interval(low=np.full(3, 0.1), high=np.full(3, 1.2), alpha=0.05, method="odds-mid-p", parameter="odds")
    text = str(three(pairs=replace(answer.pairs, interval=odds)))
    assert "0.1 to 1.2" not in text  # which are no limits of the difference
    assert "odds-mid-p, unadjusted" in text


def test_what_was_left_out_is_in_the_json():
    assert json.loads(three(excluded={"no label": 7}).to_json())["excluded"] == {"no label": 7}


def test_notes_of_methods_and_failed_checks_are_shown():
    check = Check(
        code="TA302",
        requirement="enough",
        violation="only {figure}",
        title="few draws",
        remedy="Use more.",
        figure=np.float64(3),
        threshold=10,
    )
    answer = three(checks=(check,), note="10000 resamples")
    assert "10000 resamples" in dict(answer.rows())[""]
    assert "caution   TA302: only 3. Use more." in str(answer)
    assert answer.display().verdict.endswith(" (caution: few draws)")


def many(models):
    """Return models with ever more errors, each significantly different from all but its neighbours."""
    names = [f"a-rather-long-name-of-a-model-{index}" for index in range(models)]
    wrong = np.tri(models, dtype=bool)[:, ::-1].T
    patterns = ErrorPatterns(names, wrong, np.full(models, 50))
    order = np.argsort(patterns.rates)
    rank = np.argsort(order)
    first, second = np.triu_indices(models, 1)
    adjusted = np.where(np.abs(rank[first] - rank[second]) > 1, 0.001, 0.5)
    groups = tuple((names[order[k]], names[order[k + 1]]) for k in range(models - 1))
    return ranking(patterns, adjusted, groups)


@pytest.mark.parametrize("models", range(2, 21))
def test_the_text_reads_well_for_two_to_twenty_models(models):
    answer = many(models)
    lines = str(answer).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) < models + 12
    standings = [line for line in lines if re.match(r"  \d+(-\d+)? +a-rather-lon…", line)]
    rates = [float(re.search(r"([\d.]+)%", line)[1]) for line in standings]
    assert len(standings) == models
    assert rates == sorted(rates)
    assert all(name in answer.display(verbose=True).to_text() for name in answer.models)


def test_the_verbose_text_lists_every_pair():
    answer = many(20)
    text = answer.display(verbose=True).to_text()
    assert len(re.findall(r"^  a-rather-lon…\S+ - .*\n? +a-rather-lon…", text, re.MULTILINE)) == 190
    assert " - " not in str(answer)


def test_names_are_cut_short_where_many_are_tied():
    names = [f"m{index}" for index in range(10)]
    patterns = ErrorPatterns(names, np.eye(10, dtype=bool), np.arange(10, 20))
    adjusted = np.full(45, 0.5)
    adjusted[8] = 0.01  # the best against the last
    verdict = ranking(patterns, adjusted, (tuple(names),)).display().verdict
    assert verdict == "m0, m1, m2, m3, m4, m5 and 3 more are tied for first of 10 models"


def test_letters_beyond_the_alphabet():
    names = [f"m{index}" for index in range(30)]
    patterns = ErrorPatterns(names, np.eye(30, dtype=bool), np.arange(10, 40))
    answer = ranking(patterns, np.full(435, 0.001), (*((name,) for name in names), ("m0", "m29")))
    assert [answer.letters(name) for name in ("m0", "m25", "m26", "m29")] == ["ae1", "z", "a1", "d1e1"]


def test_json_keeps_everything():
    omnibus = TestResult(
        statistic=np.float64(81.25),
        pvalue=np.float64(2.3e-18),
        statistic_name="Cochran's Q",
        note="df = 2",
    )
    values = json.loads(three(omnibus=omnibus).to_json())
    assert set(values) == {
        *("method", "adjustment", "alpha", "models", "pairs", "groups", "best", "optimism", "cochran_q"),
        *("checks", "evidence", "words", "looks", "covers", "misses", "sources_covered", "sources_ignored"),
    }
    assert values["models"][0] == {"name": "forest", "errors": 70, "rate": 0.07, "groups": "a"}
    assert values["groups"] == [["forest", "svm"], ["stump"]]
    assert values["best"] == ["forest"]
    assert values["cochran_q"] == {"statistic": 81.25, "pvalue": 2.3e-18}
    pair = values["pairs"][1]
    assert (pair["a"], pair["b"], pair["better"]) == ("forest", "stump", "forest")
    assert pair["difference"] == pytest.approx(-0.12)
    assert (pair["pvalue"], pair["adjusted"]) == (0.0005, 0.001)
    assert pair["interval"]["low"] == pytest.approx(-0.17)
    assert pair["evidence"]["models"] == ["forest", "stump"]
    assert {"only_a_wrong", "both_right"} <= set(pair["evidence"])
    assert "statistic" in pair
    assert values["pairs"][0]["better"] is None
    assert values["evidence"]["models"] == ["forest", "svm", "stump"]
    assert values["words"] == three().words
    assert json.loads(three().to_json())["cochran_q"] is None


def test_a_ranking_is_frozen_and_shows_itself():
    answer = three()
    with pytest.raises(FrozenInstanceError):
        answer.alpha = 0.5
    assert repr(answer) == str(answer)
    assert "<td" in answer._repr_html_()
    assert "forest and svm are tied for first" in answer._repr_html_()
    assert "forest" in answer.to_latex()
