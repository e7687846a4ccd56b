"""Ranking: who is best, who is tied, how lucky the winner is; readable for two models and for twenty."""

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


def test_the_best_and_those_not_told_apart_from_it():
    found = three()
    assert found.best == ("forest",)
    assert found.contenders == ("svm",)
    assert found.better == (None, "forest", "svm")
    assert found.names == (("forest", "svm"), ("forest", "stump"), ("svm", "stump"))
    assert [found.letters(name) for name in found.models] == ["a", "a", "b"]


def test_the_words_tell_it_all():
    assert three().words == (
        "forest has the lowest error rate (7.0 %, 70 of 1000) of 3 models on 1000 examples; of the 2 others, svm is not"
        " told apart from it, and the other one is, as worse (max-t, alpha = 0.05 for all 3 pairs together). This"
        " speaks of these classifiers on examples drawn independently, like those tested; it does not allow for the"
        " choice of training data or for randomness in the learner (question 8, which resampling answers), nor does it"
        " speak of other data sets; chosen on these very examples, the best of 3 looks about 0.42 points better than it"
        " is."
    )


def test_the_text_in_full():
    omnibus = TestResult(
        statistic=np.float64(81.25),
        pvalue=np.float64(2.3e-18),
        statistic_name="Cochran's Q",
        note="on 2 degrees of freedom",
    )
    text = str(three(omnibus=omnibus, excluded={"no label": 7}))
    assert text == (
        "best         forest has the lowest error rate (7.0 %, 70 of 1000) of 3 models on 1000 examples; of\n"
        "             the 2 others, svm is not told apart from it, and the other one is, as worse (max-t,\n"
        "             alpha = 0.05 for all 3 pairs together).\n"
        "seen         3 models on 1000 examples. Left out: no label: 7.\n"
        "error rates   7.0 %  a  forest (70 errors)\n"
        "             11.0 %  a  svm (110 errors)\n"
        "             19.0 %  b  stump (190 errors)\n"
        "letters      models that share a letter are not told apart (max-t, alpha = 0.05 for all 3 pairs\n"
        "             together)\n"
        "told apart   forest beats stump by 12.0 points (7.0 to 17.0; adjusted p = 0.001)\n"
        "             svm beats stump by 8.0 points (3.0 to 13.0; adjusted p = 0.01)\n"
        "limits       in parentheses, 95 % (max-t, all together).\n"
        "Cochran's Q  81.25 on 2 degrees of freedom, p = 2.3e-18 (do the models differ at all?)\n"
        "careful      This speaks of these classifiers on examples drawn independently, like those tested; it\n"
        "             does not allow for the choice of training data or for randomness in the learner\n"
        "             (question 8, which resampling answers), nor does it speak of other data sets; chosen on\n"
        "             these very examples, the best of 3 looks about 0.42 points better than it is."
    )


@pytest.mark.parametrize(
    ("adjusted", "sentence"),
    [
        ([0.2, 0.2, 0.2], "none of the 2 others is told apart from it (max-t"),
        ([0.01, 0.01, 0.2], "all 2 others are told apart from it, as worse (max-t"),
        ([0.2, 0.01, 0.2], "of the 2 others, svm is not told apart from it, and the other one is, as worse (max-t"),
        ([np.nan, np.nan, np.nan], "none of the 2 others is told apart from it (max-t"),
    ],
)
def test_who_is_told_apart_from_the_best(adjusted, sentence):
    assert sentence in ranking(THREE, adjusted, (("forest", "svm", "stump"),)).words


@pytest.mark.parametrize(
    ("pvalue", "better", "sentence", "row"),
    [
        (0.2, None, "the other, B, is not told apart from it (max-t, alpha = 0.05).", "told apart   no\n"),
        (0.05, None, "the other, B, is not told apart", "told apart   no\n"),  # p at alpha does not reject
        (
            0.01,
            "A",
            "the other model is told apart from it, as worse",
            "A beats B by 5.0 points (0.00 to 10.0; p = 0.01)",
        ),
    ],
)
def test_two_models(pvalue, better, sentence, row):
    found = ranking(TWO, [pvalue], (("A", "B"),))
    assert found.better == (better,)
    assert sentence in found.words
    assert row in str(found).replace("-0.0 ", "0.00 ").replace("(0.0 ", "(0.00 ")


def test_exact_ties_share_the_first_place():
    patterns = ErrorPatterns.from_codes(["a", "b", "c"], {0: 80, 1: 10, 2: 10, 4: 30})
    found = ranking(patterns, [1.0, 0.01, 0.2], (("a", "b"), ("b", "c")))
    assert found.best == ("a", "b")
    assert found.contenders == ()  # told apart from one of the best
    assert found.words.startswith(
        "a and b share the lowest error rate (7.7 %, 10 of 130) of 3 models on 130 examples; the other model is told"
        " apart"
    )
    assert "the best of 3 look about" in found.words


def test_all_alike():
    patterns = ErrorPatterns.from_codes(["a", "b", "c"], {0: 100})
    found = ranking(patterns, [1.0, 1.0, 1.0], (("a", "b", "c"),), optimism=0.0)
    assert found.best == ("a", "b", "c")
    assert "a, b and c share the lowest error rate" in found.words
    assert "no model is told apart from another" in found.words
    assert "points better" not in found.words
    assert "told apart   none of 3 pairs" in str(found)


@pytest.mark.parametrize(
    ("adjustment", "rule"),
    [
        ("max-t", "(max-t, alpha = 0.01 for all 3 pairs together)"),
        ("holm", "(made-up, adjusted by holm, alpha = 0.01 for all 3 pairs together)"),
        (
            "benjamini-hochberg",
            "adjusted by benjamini-hochberg, alpha = 0.01 for the share of false claims among 3 pairs)",
        ),
        ("none", "(made-up, alpha = 0.01 for each of 3 pairs, so that false claims add up)"),
    ],
)
def test_what_alpha_is_the_chance_of(adjustment, rule):
    found = three(rule=adjustment, alpha=0.01)
    assert rule in found.words
    assert rule in found.to_markdown()
    assert ("adjusted p = " in str(found)) == (adjustment != "none")


def test_alpha_is_what_adjusted_p_values_are_held_against():
    assert three(alpha=0.005).better == (None, "forest", None)
    assert three(alpha=0.3).better == ("forest", "forest", "svm")


@pytest.mark.parametrize(
    ("optimism", "told"),
    [
        (0.0042, "about 0.42 points"),
        (0.1, "about 10 points"),
        (1e-7, "looks less than 0.01 points"),
        (0.000123, "0.012"),
    ],
)
def test_optimism_in_points(optimism, told):
    assert told in three(optimism=optimism).words


def test_limits_that_hold_zero_beside_a_claim_say_who_decides():
    found = ranking(THREE, [0.01, 0.001, 0.01], (("forest",), ("svm",), ("stump",)))
    assert "svm by 4.0 points (-1.0 to 9.0; adjusted p = 0.01)" in str(found)
    assert "Where they hold 0, the p-value decides." in str(found)


def test_one_sided_limits_and_limits_of_another_kind():
    found = three()
    interval = found.pairs.interval
    upper = Interval(
        low=interval.low, high=interval.high, alpha=0.05, method="tango", side="upper", parameter="difference"
    )
    pairs = Comparison(
        evidence=found.pairs.evidence,
        difference=found.pairs.difference,
        interval=upper,
        test=found.pairs.test,
        adjustment=found.pairs.adjustment,
    )
    text = str(three(pairs=pairs))
    assert "forest beats stump by 12.0 points (at least 7.0; " in text
    assert "95 % (tango, each by itself)" in text


def test_limits_of_the_odds_are_not_taken_for_points():
    found = three()
    odds = Interval(low=np.full(3, 0.1), high=np.full(3, 1.2), alpha=0.05, method="odds-mid-p", parameter="odds")
    text = str(three(pairs=replace(found.pairs, interval=odds)))
    assert "forest beats stump by 12.0 points (odds: 0.1 to 1.2; adjusted p = 0.001)" in text
    assert "95 % (odds-mid-p, each by itself). Where they hold 1, the p-value decides." in " ".join(text.split())


def test_what_was_left_out_is_in_the_json():
    assert json.loads(three(excluded={"no label": 7}).to_json())["excluded"] == {"no label": 7}


def test_what_the_methods_want_said_and_failed_checks_are_shown():
    check = Check(
        code="TA302",
        requirement="enough",
        violation="only {figure}",
        remedy="use more",
        figure=np.float64(3),
        threshold=10,
    )
    found = three(checks=(check,), note="10000 resamples")
    assert "for all 3 pairs together; 10000 resamples)" in found.words
    assert "caution      TA302: only 3; use more" in str(found)


def many(models):
    """Make models that err on ever more examples, each told apart from all but its neighbours."""
    names = [f"a-rather-long-name-of-a-model-{place}" for place in range(models)]
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
    found = many(models)
    lines = str(found).splitlines()
    assert max(map(len, lines)) <= 100
    assert len(lines) < models + 40
    assert not re.search(r"\bsignifican", str(found))
    assert all(name in str(found) for name in found.models)
    standings = [line for line in lines if re.search(r"%  [a-z]+ +a-rather", line)]
    rates = [float(re.search(r"([\d.]+) %", line).group(1)) for line in standings]
    assert len(standings) == models
    assert rates == sorted(rates)


def test_of_many_claims_those_about_the_best_are_listed():
    found = many(20)
    told = sum(better is not None for better in found.better)
    listed = re.findall(r"(\S+) beats", str(found))
    assert set(listed) == set(found.best)
    assert f"and {told - len(listed)} more; {told} of 190 pairs in all" in str(found)


def test_names_are_cut_short_where_many_are_tied():
    names = [f"m{place}" for place in range(10)]
    patterns = ErrorPatterns(names, np.eye(10, dtype=bool), np.arange(10, 20))
    adjusted = np.full(45, 0.5)
    adjusted[8] = 0.01  # the best against the last
    assert "m1, m2, m3, m4, m5, m6 and 2 more are not told apart from it, and the other one is" in (
        ranking(patterns, adjusted, (tuple(names),)).words
    )


def test_letters_beyond_the_alphabet():
    names = [f"m{place}" for place in range(30)]
    patterns = ErrorPatterns(names, np.eye(30, dtype=bool), np.arange(10, 40))
    found = ranking(patterns, np.full(435, 0.001), (*((name,) for name in names), ("m0", "m29")))
    assert [found.letters(name) for name in ("m0", "m25", "m26", "m29")] == ["ae1", "z", "a1", "d1e1"]


def test_json_keeps_everything():
    omnibus = TestResult(
        statistic=np.float64(81.25),
        pvalue=np.float64(2.3e-18),
        statistic_name="Cochran's Q",
        note="on 2 degrees of freedom",
    )
    told = json.loads(three(omnibus=omnibus).to_json())
    assert set(told) == {
        *("method", "adjustment", "alpha", "models", "pairs", "groups", "best", "optimism", "cochran_q"),
        *("checks", "evidence", "words", "looks", "covers", "misses"),
    }
    assert told["models"][0] == {"name": "forest", "errors": 70, "rate": 0.07, "groups": "a"}
    assert told["groups"] == [["forest", "svm"], ["stump"]]
    assert told["best"] == ["forest"]
    assert told["cochran_q"] == {"statistic": 81.25, "pvalue": 2.3e-18}
    pair = told["pairs"][1]
    assert (pair["a"], pair["b"], pair["better"]) == ("forest", "stump", "forest")
    assert pair["difference"] == pytest.approx(-0.12)
    assert (pair["pvalue"], pair["adjusted"]) == (0.0005, 0.001)
    assert pair["interval"]["low"] == pytest.approx(-0.17)
    assert pair["evidence"]["models"] == ["forest", "stump"]
    assert {"only_a_wrong", "both_right"} <= set(pair["evidence"])
    assert "statistic" in pair
    assert told["pairs"][0]["better"] is None
    assert told["evidence"]["models"] == ["forest", "svm", "stump"]
    assert told["words"] == three().words
    assert json.loads(three().to_json())["cochran_q"] is None


def test_a_ranking_is_frozen_and_shows_itself():
    found = three()
    with pytest.raises(FrozenInstanceError):
        found.alpha = 0.5
    assert repr(found) == str(found)
    plain = re.sub(' style="[^"]*"', "", found._repr_html_())
    assert '<th scope="row">told apart</th><td>forest beats stump' in plain
    assert "forest beats stump" in found.to_latex()
