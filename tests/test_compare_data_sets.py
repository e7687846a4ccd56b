"""compare on a table of scores: what is chosen, what it says, and what is refused.

The figures are SciPy's, statsmodels' and scikit-posthocs'; Demšar's table is that of his paper of 2006.
"""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import scikit_posthocs
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from statsmodels.stats.multitest import multipletests

import tellapart as ta
from tellapart.errors import InvalidEvidence, InvalidOption, TellapartError
from tellapart.results import Comparison, Ranking
from tellapart.results.ranking_clauses import state_rule

RNG = np.random.default_rng(1)
LEARNERS = ("nb", "tree", "svm", "forest")
SCORES = 0.7 + 0.1 * RNG.standard_normal((20, 4)) + np.array([0.0, 0.01, 0.12, 0.15])
TABLE = ta.ScoreTable.from_scores(SCORES, LEARNERS, metric="accuracy")
TWO = TABLE.select("nb", "svm")
RUNS = ta.ScoreTable.from_scores(
    SCORES[:, :2, None] + 0.02 * RNG.standard_normal((20, 2, 10)), LEARNERS[:2], metric="accuracy", rho=0.1
)
DEMSAR = Path(__file__).parent / "methods" / "score_table" / "demsar2006.csv"


def said(answer):
    """Return the text of an answer in one line."""
    return " ".join(str(answer).split())


def pairwise(test):
    """Return SciPy's p-value of every two learners, in the order of `pairs`."""
    return [test(SCORES[:, a], SCORES[:, b]).pvalue for a, b in combinations(range(4), 2)]


# --- Two learners ---------------------------------------------------------------------------------------


def test_two_learners_are_compared_by_wilcoxons_test():
    answer, found = ta.compare(TWO), stats.wilcoxon(SCORES[:, 0], SCORES[:, 2], method="exact")
    assert isinstance(answer, Comparison)
    assert (answer.method, answer.interval.method, answer.better) == ("wilcoxon-signed-rank",) * 2 + ("B",)
    assert_allclose(answer.pvalue, found.pvalue, rtol=1e-10)
    apart = SCORES[:, 2] - SCORES[:, 0]
    walsh = [(x + y) / 2 for place, x in enumerate(apart) for y in apart[place:]]
    assert_allclose(answer.difference, np.median(walsh), rtol=1e-9)
    assert answer.interval.low <= answer.difference <= answer.interval.high
    assert (
        answer.note("effect_sizes").a_wins,
        answer.note("effect_sizes").ties,
        answer.note("effect_sizes").b_wins,
    ) == (sum(apart < 0), 0, sum(apart > 0))


def test_the_words_say_what_over_these_data_sets_means():
    answer = ta.compare(TWO)
    assert answer.words.startswith("svm has a better accuracy than nb at alpha = 0.05: on 20 data sets, svm wins ")
    assert "typically the accuracy of svm is 0." in answer.words
    assert "data sets like these, as if drawn at random from all that one may meet" in answer.words
    assert "each of which counts once, however large it is" in answer.words
    assert "does not say who is better on any one of them" in answer.words
    assert "if they were equal, 1 such benchmark in" in said(answer)


def test_which_is_called_a_does_not_matter():
    here, there = ta.compare(TWO), ta.compare(TABLE.select("svm", "nb"))
    assert_allclose([there.pvalue, there.difference], [here.pvalue, -here.difference])
    assert (here.better, there.better) == ("B", "A")
    assert here.note("effect_sizes").b_wins == there.note("effect_sizes").a_wins


@pytest.mark.parametrize("method", ["sign-test", "paired-t", "random-effects"])
def test_other_tests_go_by_name_with_their_own_limits(method):
    answer = ta.compare(RUNS, method=method)
    assert (answer.method, answer.interval.method) == (method, method)
    assert answer.interval.low <= answer.difference <= answer.interval.high
    assert answer.note("other_tests", {}) == {}


def test_a_test_that_knows_the_runs_stands_beside_where_they_are_known():
    answer = ta.compare(RUNS)
    assert list(answer.note("other_tests", {})) == ["random-effects"]
    assert_allclose(
        answer.note("other_tests", {})["random-effects"].pvalue, ta.compare(RUNS, method="random-effects").pvalue
    )
    assert "other tests of the same data sets: p = " in said(answer)
    assert ta.compare(TWO).note("other_tests", {}) == {}


def test_a_rope_asks_for_probabilities():
    answer = ta.compare(TWO, rope=0.01)
    assert answer.method == "bayesian-signed-rank"
    total = answer.practical.a_better + answer.practical.equivalent + answer.practical.b_better
    assert_allclose(total, 1, atol=1e-9)
    assert "P(practically equal, within 0.01) " in said(answer)
    assert answer.note("effect_sizes").rope == 0.01
    assert json.loads(answer.to_json())["practical"]["rope"] == 0.01
    with pytest.raises(InvalidOption, match=r"'sign-test' knows no rope\. Choose one of: .*bayesian-sign"):
        ta.compare(TWO, method="sign-test", rope=0.01)


def test_a_margin_is_in_units_of_the_score():
    answer = ta.compare(TWO, margin=0.02)
    shifted = stats.wilcoxon(SCORES[:, 2] - SCORES[:, 0] + 0.02, alternative="greater", method="exact")
    assert_allclose(answer.pvalue, shifted.pvalue)
    assert "svm is at most 0.02 (accuracy) worse than nb: shown" in answer.words
    with pytest.raises(InvalidOption, match="needs a margin"):
        ta.compare(TWO, hypothesis="equivalent")
    with pytest.raises(InvalidOption, match="margin is for two learners"):
        ta.compare(TABLE, margin=0.02)


def test_a_difference_that_is_named_tells_how_many_data_sets_it_takes():
    answer = ta.compare(TWO, difference=0.02)
    assert answer.note("power").difference == 0.02
    assert answer.note("power").datasets == 20
    assert "A typical difference of 0.02 would be seen with 20 data sets in" in said(answer)
    assert ta.compare(TWO).note("power") is None  # never at the one that was observed
    assert json.loads(answer.to_json())["outlook"]["difference"] == 0.02


# --- Several --------------------------------------------------------------------------------------------


def test_several_are_compared_two_by_two_and_pay_by_holm():
    ranking = ta.compare(TABLE)
    assert isinstance(ranking, Ranking)
    pvalues = pairwise(lambda a, b: stats.wilcoxon(a, b, method="exact"))
    assert_allclose(ranking.pairs.pvalue, pvalues, rtol=1e-10)
    assert_allclose(ranking.adjusted, multipletests(pvalues, method="holm")[1], rtol=1e-10)
    assert ranking.best == ("forest",)
    assert ranking.names == TABLE.pair_names()
    assert_allclose(ranking.levels, stats.rankdata(-SCORES, axis=1).mean(axis=0))
    found = stats.friedmanchisquare(*SCORES.T)
    assert_allclose(ranking.note("overall_tests")["friedman"].statistic, found.statistic)


def test_the_verdict_on_two_does_not_depend_on_who_else_is_there():
    """Which is why mean ranks are not the default (Benavoli, Corani and Mangili 2016)."""
    alone = ta.compare(TABLE.select("nb", "svm")).pvalue
    assert_allclose(ta.compare(TABLE).pairs.pvalue[TABLE.pair_names().index(("nb", "svm"))], alone)


@pytest.mark.parametrize("rule", ["holm", "hochberg", "hommel", "bonferroni", "finner", "shaffer", "bergmann-hommel"])
def test_p_values_pay_by_the_rule_that_is_named(rule):
    ranking = ta.compare(TABLE, adjust=rule)
    assert ranking.adjustment.method == rule
    assert_allclose(ranking.adjusted, ta.adjust(ranking.pairs.pvalue, rule))
    assert f"adjusted by {rule}" in state_rule(ranking)


def test_nemenyi_is_what_scikit_posthocs_has_and_says_what_is_wrong_with_it():
    ranking = ta.compare(TABLE, method="nemenyi")
    peer = scikit_posthocs.posthoc_nemenyi_friedman(SCORES).to_numpy()
    assert_allclose(ranking.adjusted, peer[np.triu_indices(4, 1)], atol=1e-6)
    critical = stats.studentized_range.ppf(0.95, 4, np.inf) / np.sqrt(2) * np.sqrt(4 * 5 / (6 * 20))
    assert_allclose(ranking.note("critical_difference"), critical, rtol=1e-6)
    assert ranking.adjustment.method == "nemenyi"
    assert "heuristic" in ranking.pairs.test.note
    with pytest.raises(InvalidOption, match="allows for the number of pairs itself"):
        ta.compare(TABLE, method="nemenyi", adjust="holm")


def test_with_a_control_every_other_is_compared_with_it():
    ranking = ta.compare(TABLE, control="tree")
    assert ranking.names == (("tree", "nb"), ("tree", "svm"), ("tree", "forest"))
    pvalues = [stats.wilcoxon(SCORES[:, 1], SCORES[:, other], method="exact").pvalue for other in (0, 2, 3)]
    assert_allclose(ranking.adjusted, multipletests(pvalues, method="holm")[1], rtol=1e-10)
    assert ranking.groups == ()
    assert "better than the control tree" in ranking.answer
    assert "nb is not told apart from it" in ranking.answer
    assert json.loads(ranking.to_json())["control"] == "tree"


def test_of_many_pairs_those_with_the_control_are_shown():
    """The best is not the control: its pairs, and no others, are what was asked for."""
    gains = np.linspace(0, 0.6, 16) + 0.001 * np.random.default_rng(2).standard_normal((9, 16))
    table = ta.ScoreTable.from_scores(gains, [f"l{place}" for place in range(16)], metric="gain")
    text = said(ta.compare(table, control="l0", adjust="none"))
    assert text.count(" beats l0 by ") == 12
    assert "and 3 more; 15 of 15 pairs in all" in text


def test_pairs_that_are_not_told_apart_have_their_limits_too():
    ranking = ta.compare(TABLE)
    rows = dict(ranking.rows())
    (pair,) = [place for place, names in enumerate(ranking.names) if set(names) == {"svm", "forest"}]
    assert rows["not apart"].startswith("forest leads svm by 0.")
    assert f"adjusted p = {ranking.adjusted[pair]:.4f}" in rows["not apart"]
    beside = [value for _, value in ta.compare(TABLE, control="nb").rows()]
    assert sum(" nb by " in value and "leads" in value for value in beside) == 1  # the tree, which is like it


def test_the_smallest_p_value_there_can_be_pays_for_all_pairs():
    """2/2⁷ = 0.0156 is below 0.05, and times 6 it is not: on 7 data sets no two of 4 learners can be told apart."""
    few = ta.ScoreTable.from_scores(np.arange(28).reshape(7, 4) % 4 + np.arange(7)[:, None], LEARNERS, metric="gain")
    ranking = ta.compare(few)
    assert_allclose(ranking.adjusted, 6 * 2 / 2**7)
    (check,) = [each for each in ranking.checks if each.code == "TA702"]
    assert not check.holds.any()
    assert "TA702: in all 6 pairs: no outcome of so few data sets that differ could reach alpha" in said(ranking)
    assert "with 6 pairs the smallest possible p-value, adjusted by holm, is 0.0938" in said(ranking)
    for asked in ({"control": "nb"}, {"adjust": "none"}, {"adjust": "benjamini-hochberg"}):
        assert "TA702" not in said(ta.compare(few, **asked))


def test_a_caution_about_some_pairs_names_them_and_shows_the_worst():
    skewed = SCORES.copy()
    skewed[0, 0] = 9
    text = said(ta.compare(ta.ScoreTable.from_scores(skewed[:, :3], LEARNERS[:3], metric="gain")))
    assert "TA707: in 2 of 3 pairs (nb and tree, nb and svm), at worst: the differences are skewed (" in text


def test_a_ranking_with_a_rope_says_who_is_as_good_in_practice():
    close = ta.ScoreTable.from_scores(SCORES[:, [0, 0, 2]] + [0, 1e-4, 0], ("nb", "twin", "svm"), metric="accuracy")
    rows = dict(ta.compare(close, rope=0.01).rows())
    assert rows["as good"] == "nb and twin in practice: P(practically equal, within 0.01) above 0.999"
    text = said(ta.compare(close, rope=0.01))
    assert "; P(svm better)" in text
    assert ", P(practically equal) below 0.001)" in text
    assert "as good no pair: P(practically equal, within 1e-05) is nowhere beyond 0.95" in said(
        ta.compare(close, rope=1e-5)
    )


def test_probabilities_are_told_by_name():
    for pair in (("nb", "svm"), ("svm", "nb")):
        text = said(ta.compare(TABLE, learners=pair, method="bayesian-signed-rank"))
        assert "P(svm better) above 0.999; p < 0.00004 (50,000 draws) (" in text
        assert "P(B better)" not in text


def test_bonferroni_and_dunn_take_a_control():
    ranking = ta.compare(TABLE, method="bonferroni-dunn", control="nb")
    ranks = stats.rankdata(-SCORES, axis=1).mean(axis=0)
    z = (ranks[0] - ranks[1:]) / np.sqrt(4 * 5 / (6 * 20))
    assert_allclose(ranking.adjusted, np.minimum(3 * 2 * stats.norm.sf(np.abs(z)), 1), rtol=1e-9)
    assert_allclose(ranking.pairs.statistic, z)
    assert ranking.better[-1] == "forest"
    reverse = ta.compare(TABLE, method="bonferroni-dunn", control="forest")
    assert_allclose(reverse.pairs.statistic[0], -z[-1])
    assert reverse.better[0] == "forest"


def test_two_learners_with_a_control_have_it_as_a():
    assert ta.compare(TWO, control="svm").evidence.learners == ("svm", "nb")


@pytest.mark.parametrize("method", ["friedman", "iman-davenport", "quade", "aligned-ranks", "skillings-mack"])
def test_tests_of_all_learners_rank_them_and_stand_beside(method):
    ranking = ta.compare(TABLE, method=method)
    assert ranking.method == method
    assert next(iter(ranking.note("overall_tests"))) == method
    assert ranking.note("overall_tests")[method].pvalue < 1e-4
    assert ranking.adjustment.method == "holm"
    assert "forest" in ranking.best


def test_missing_cells_are_told_and_each_pair_has_its_own_data_sets():
    scores = SCORES.copy()
    scores[3, 1] = np.nan
    table = ta.ScoreTable.from_scores(scores, LEARNERS, metric="accuracy")
    ranking = ta.compare(table)
    assert list(ranking.note("overall_tests")) == ["skillings-mack"]
    assert "No score of tree on 4: two are compared where both have one." in said(ranking)
    kept = np.arange(20) != 3
    alone = stats.wilcoxon(SCORES[kept, 0], SCORES[kept, 1], method="exact").pvalue
    assert_allclose(ranking.pairs.pvalue[0], alone, rtol=1e-10)
    assert_allclose(ranking.pairs.pvalue[1], stats.wilcoxon(SCORES[:, 0], SCORES[:, 2], method="exact").pvalue)
    assert json.loads(ranking.to_json())["missing"] == [["4", "tree"]]
    assert "1 data set is left out" in said(ta.compare(table.select("nb", "tree")))
    with pytest.raises(InvalidEvidence, match="tree"):
        ta.compare(table, method="nemenyi")


def test_a_ranking_names_a_difference_to_plan_for():
    ranking = ta.compare(TABLE, difference=0.05)
    assert ranking.note("power").comparisons == 6
    assert_allclose(ranking.note("power").alpha, 0.05 / 6)
    assert "shared by 6 comparisons" in said(ranking)


def test_demsars_learners_are_in_the_order_of_his_paper():
    """Demšar 2006, section 3.2.2: mean ranks 3.143, 2.000, 2.893 and 1.964, once a tie of his rounding is broken."""
    table = ta.read_scores(DEMSAR, metric="auc")
    ranking = ta.compare(table)
    order = [ranking.models[place] for place in np.argsort(ranking.levels)]
    assert set(order[:2]) == {"C4.5+m+cf", "C4.5+m"}
    assert order[2:] == ["C4.5+cf", "C4.5"]
    assert_allclose(np.sort(ranking.levels), [1.964, 2.0, 2.893, 3.143], atol=0.04)
    assert ranking.evidence.metric.higher_is_better


def test_what_is_said_of_the_test_of_all_learners_reaches_it():
    """Demšar's table as printed: 9.857 without the correction for ties, 10.952 with it (by hand, from mid-ranks)."""
    table = ta.read_scores(DEMSAR, metric="auc")
    found = [
        ta.compare(table, method="friedman", ties=ties).note("overall_tests") for ties in ("uncorrected", "corrected")
    ]
    assert_allclose([each["friedman"].statistic for each in found], [9.857, 10.952], atol=5e-4)
    assert_allclose(found[0]["iman-davenport"].statistic, found[1]["iman-davenport"].statistic)  # which was not named


def test_a_test_refuses_missing_cells_by_its_own_name():
    table = ta.ScoreTable.from_scores([[0.9, None, 0.8], [0.7, 0.6, 0.5], [0.7, 0.5, 0.6]])
    with pytest.raises(InvalidEvidence, match="'iman-davenport'"):
        ta.compare(table, method="iman-davenport")


def test_limits_that_are_everything_take_no_digits_from_the_means():
    errors = [[0.047, 0.092, 0.033], [0.051, 0.088, 0.042], [0.064, 0.071, 0.021]]
    ranking = ta.compare(ta.ScoreTable.from_scores(errors, ["a", "b", "c"], metric="error"))
    assert "b (mean error rate 8.37 %)" in said(
        ranking
    )  # (0.092 + 0.088 + 0.071)/3, where three data sets show nothing


# --- Odd tables -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [None, "sign-test", "paired-t", "bayesian-signed-rank", "friedman"])
def test_identical_columns_give_p_1_and_a_reason(method):
    """Where scipy's Friedman and autorank print NaN."""
    same = ta.ScoreTable.from_scores(np.repeat(SCORES[:, :1], 2, axis=1), ["a", "b"])
    answer = ta.compare(same, method=method)
    assert answer.pvalue == 1
    assert answer.better is None
    assert answer.note("effect_sizes").ties == 20
    assert any(not check.holds for check in answer.checks) or method == "bayesian-signed-rank"


def test_three_identical_learners_are_one_group():
    ranking = ta.compare(ta.ScoreTable.from_scores(np.repeat(SCORES[:, :1], 3, axis=1), ["a", "b", "c"]))
    assert ranking.groups == (("a", "b", "c"),)
    assert_array_equal(ranking.adjusted, 1.0)
    assert ranking.note("overall_tests")["friedman"].pvalue == 1
    assert ranking.best == ("a", "b", "c")
    assert "no learner is told apart from another" in ranking.answer


def test_two_data_sets_cannot_tell_anybody_apart_and_the_answer_says_why():
    answer = ta.compare(ta.ScoreTable.from_scores([[0.9, 0.1], [0.9, 0.1]], ["good", "bad"]))
    assert answer.pvalue == 0.5  # 2 · 2⁻²
    assert answer.better is None
    assert any("data sets" in check.message and not check.holds for check in answer.checks)
    ranking = ta.compare(ta.ScoreTable.from_scores([[0.9, 0.1, 0.5], [0.9, 0.1, 0.4]]))
    assert all(better is None for better in ranking.better)


def test_one_data_set_is_an_answer_too():
    answer = ta.compare(ta.ScoreTable.from_scores([[0.9, 0.1]]))
    assert answer.pvalue == 1
    assert answer.better is None


def test_ties_everywhere_but_once():
    scores = np.full((8, 2), 0.5)
    scores[0, 1] = 0.6
    answer = ta.compare(ta.ScoreTable.from_scores(scores))
    assert answer.pvalue == 1
    assert (answer.note("effect_sizes").ties, answer.note("effect_sizes").b_wins) == (7, 1)


def test_learners_that_share_no_data_set_have_no_verdict():
    nan = float("nan")
    table = ta.ScoreTable.from_scores([[0.9, nan, 0.8], [nan, 0.7, 0.6], [nan, 0.5, 0.6], [0.9, nan, 0.3]])
    ranking = ta.compare(table)
    assert ranking.better[0] is None
    assert ranking.pairs.evidence[0].compared == 0


# --- What is refused, and what is written -----------------------------------------------------------------


BAD = [
    ({"control": "lda"}, "control must be one of nb, tree, svm, forest, but is 'lda'"),
    ({"alternative": "greater"}, "alternative is for two learners"),
    ({"adjust": "max-t"}, "not accuracy of these learners. Take adjust='holm'"),
    ({"adjust": "shaffer", "control": "nb"}, "'shaffer' is for all pairs"),
    ({"method": "nemenyi", "control": "nb"}, "'nemenyi' is for all pairs"),
    ({"method": "bonferroni-dunn"}, "compares all learners with a control"),
    ({"against": 0.1}, "against is a threshold for one ErrorCount"),
    ({"side": "upper"}, "side is not an option of compare"),
    ({"metric": "f1"}, "scores have one metric"),
    ({"method": "no-such"}, "no-such"),
    ({"prior": 3}, "unknown option `prior` of method"),
    ({"difference": -1}, "difference"),
]


@pytest.mark.parametrize(("asked", "message"), BAD)
def test_what_a_table_cannot_answer_is_refused(asked, message):
    with pytest.raises(TellapartError, match=message):
        ta.compare(TABLE, **asked)


def test_other_evidence_has_no_control():
    with pytest.raises(InvalidOption, match="control is for a table of scores"):
        ta.compare(ta.PairedTable(1, 2, 3, 4), control="A")
    with pytest.raises(InvalidOption, match="difference is for a table of scores"):
        ta.compare(ta.PairedTable(1, 2, 3, 4), difference=0.01)
    with pytest.raises(InvalidEvidence, match="an error is of one data set"):
        ta.estimate(TABLE, learner="nb")


@pytest.mark.parametrize("asked", [{}, {"control": "nb"}, {"method": "nemenyi"}, {"rope": 0.01}])
def test_a_ranking_is_told_in_every_form(asked):
    ranking = ta.compare(TABLE, **asked)
    told = json.loads(ranking.to_json())
    assert {own["name"] for own in told["models"]} == set(LEARNERS)
    assert_allclose([own["mean_rank"] for own in told["models"]], ranking.levels)
    assert len(told["pairs"]) == len(ranking.names)
    counts = (told["pairs"][0]["effects"][name] for name in ("a_wins", "ties", "b_wins"))
    assert sum(counts) == 20
    assert ("practical" in told["pairs"][0]) == ("rope" in asked)
    for text in (str(ranking), ranking.to_markdown(), ranking.to_latex(), ranking._repr_html_()):
        assert "forest" in text
    assert "20 data sets" in ranking.paragraph()
    assert len(ranking.leaderboard().table()[1]) == 4


def test_errors_are_told_in_points():
    errors = ta.ScoreTable.from_scores(1 - np.clip(SCORES, 0, 1), LEARNERS, metric="error")
    assert "errs" in ta.compare(errors.select("nb", "svm")).words
    assert "points" in ta.compare(errors.select("nb", "svm")).words
    assert "lower is better" in str(ta.compare(errors))
    assert "%" in str(ta.compare(errors))
