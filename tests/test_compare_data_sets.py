"""compare on a table of scores: default methods, output and errors.

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
from tellapart.display import TextTable
from tellapart.errors import InvalidEvidence, InvalidOption, TellapartError
from tellapart.results import Comparison, Ranking

RNG = np.random.default_rng(1)
LEARNERS = ("nb", "tree", "svm", "forest")
SCORES = 0.7 + 0.1 * RNG.standard_normal((20, 4)) + np.array([0.0, 0.01, 0.12, 0.15])
TABLE = ta.ScoreTable.from_scores(SCORES, LEARNERS, metric="accuracy")
TWO = TABLE.select("nb", "svm")
RUNS = ta.ScoreTable.from_scores(
    SCORES[:, :2, None] + 0.02 * RNG.standard_normal((20, 2, 10)), LEARNERS[:2], metric="accuracy", rho=0.1
)
DEMSAR = Path(__file__).parent / "methods" / "score_table" / "demsar2006.csv"


def in_one_line(answer, *, verbose=False):
    """Return the text of an answer in one line."""
    return " ".join(answer.display(verbose=verbose).to_text().split())


def pairwise(test):
    """Return SciPy's p-value of every two learners, in the order of `pairs`."""
    return [test(SCORES[:, a], SCORES[:, b]).pvalue for a, b in combinations(range(4), 2)]


# --- Two learners ---------------------------------------------------------------------------------------


def test_two_learners_are_compared_by_wilcoxons_test():
    answer, expected = ta.compare(TWO), stats.wilcoxon(SCORES[:, 0], SCORES[:, 2], method="exact")
    assert isinstance(answer, Comparison)
    assert (answer.method, answer.interval.method, answer.better) == ("wilcoxon-signed-rank",) * 2 + ("B",)
    assert_allclose(answer.pvalue, expected.pvalue, rtol=1e-10)
    gains = SCORES[:, 2] - SCORES[:, 0]
    walsh = [(x + y) / 2 for index, x in enumerate(gains) for y in gains[index:]]
    assert_allclose(answer.difference, np.median(walsh), rtol=1e-9)
    assert answer.interval.low <= answer.difference <= answer.interval.high
    assert (
        answer.note("effect_sizes").a_wins,
        answer.note("effect_sizes").ties,
        answer.note("effect_sizes").b_wins,
    ) == (sum(gains < 0), 0, sum(gains > 0))


def test_an_answer_applies_to_data_sets_like_these():
    answer = ta.compare(TWO)
    assert answer.display().verdict == "svm has a higher accuracy than nb"
    assert answer.display().figures.startswith(
        "accuracy 0.836 vs 0.680: typically 0.155 higher (95% CI 0.101 to 0.218)"
    )
    assert dict(answer.display().rows)["data"] == "accuracy, 20 data sets"
    assert answer.words.endswith("Applies to data sets like these, equally weighted, not to any single data set.")
    assert "1 such benchmark in 21,000 would show" in dict(answer.explanations())["p-value"]


def test_which_is_called_a_does_not_matter():
    here, there = ta.compare(TWO), ta.compare(TABLE.select("svm", "nb"))
    assert_allclose([there.pvalue, there.difference], [here.pvalue, -here.difference])
    assert (here.better, there.better) == ("B", "A")
    assert here.note("effect_sizes").b_wins == there.note("effect_sizes").a_wins


@pytest.mark.parametrize("method", ["sign-test", "paired-t", "random-effects"])
def test_other_tests_are_chosen_by_name_with_their_own_limits(method):
    answer = ta.compare(RUNS, method=method)
    assert (answer.method, answer.interval.method) == (method, method)
    assert answer.interval.low <= answer.difference <= answer.interval.high
    assert answer.note("other_tests", {}) == {}


def test_a_test_that_uses_the_runs_is_an_alternative_if_there_are_runs():
    answer = ta.compare(RUNS)
    assert list(answer.note("other_tests", {})) == ["random-effects"]
    assert_allclose(
        answer.note("other_tests", {})["random-effects"].pvalue, ta.compare(RUNS, method="random-effects").pvalue
    )
    assert " or random-effects: p = 0.343 " in in_one_line(answer, verbose=True)
    assert ta.compare(TWO).note("other_tests", {}) == {}


def test_a_rope_gives_probabilities():
    answer = ta.compare(TWO, rope=0.01)
    assert answer.method == "bayesian-signed-rank"
    total = answer.practical.a_better + answer.practical.equivalent + answer.practical.b_better
    assert_allclose(total, 1, atol=1e-9)
    assert "P(svm better) > 0.999, P(equivalent within 0.01) < 0.001" in in_one_line(answer)
    details = in_one_line(answer, verbose=True)
    assert "rope P(nb better) < 0.001, P(equivalent within 0.01) < 0.001, P(svm better) > 0.999" in details
    assert answer.note("effect_sizes").rope == 0.01
    assert json.loads(answer.to_json())["practical"]["rope"] == 0.01
    with pytest.raises(InvalidOption, match="method 'sign-test' does not accept `rope`"):
        ta.compare(TWO, method="sign-test", rope=0.01)


def test_a_margin_is_in_units_of_the_score():
    answer = ta.compare(TWO, margin=0.02)
    shifted = stats.wilcoxon(SCORES[:, 2] - SCORES[:, 0] + 0.02, alternative="greater", method="exact")
    assert_allclose(answer.pvalue, shifted.pvalue)
    assert answer.words.startswith("svm is at most 0.02 worse than nb: accuracy ")
    with pytest.raises(InvalidOption, match="`margin` is required with hypothesis='equivalent'"):
        ta.compare(TWO, hypothesis="equivalent")
    with pytest.raises(InvalidOption, match="`margin` needs two learners"):
        ta.compare(TABLE, margin=0.02)


def test_a_specified_difference_gives_power_and_the_number_of_data_sets():
    answer = ta.compare(TWO, difference=0.02)
    assert answer.note("power").difference == 0.02
    assert answer.note("power").datasets == 20
    assert dict(answer.display().rows)["power"].startswith(
        "10% at a typical difference of 0.02 with 20 data sets; 80% "
    )
    assert ta.compare(TWO).note("power") is None  # never for the observed difference
    assert json.loads(answer.to_json())["outlook"]["difference"] == 0.02


# --- Several --------------------------------------------------------------------------------------------


def test_several_are_compared_in_pairs_and_adjusted_by_holm():
    ranking = ta.compare(TABLE)
    assert isinstance(ranking, Ranking)
    pvalues = pairwise(lambda a, b: stats.wilcoxon(a, b, method="exact"))
    assert_allclose(ranking.pairs.pvalue, pvalues, rtol=1e-10)
    assert_allclose(ranking.adjusted, multipletests(pvalues, method="holm")[1], rtol=1e-10)
    assert ranking.best == ("forest",)
    assert ranking.names == TABLE.pair_names()
    assert_allclose(ranking.levels, stats.rankdata(-SCORES, axis=1).mean(axis=0))
    friedman = stats.friedmanchisquare(*SCORES.T)
    assert_allclose(ranking.note("overall_tests")["friedman"].statistic, friedman.statistic)


def test_the_comparison_of_two_does_not_depend_on_the_other_learners():
    """Which is why mean ranks are not the default (Benavoli, Corani and Mangili 2016)."""
    alone = ta.compare(TABLE.select("nb", "svm")).pvalue
    assert_allclose(ta.compare(TABLE).pairs.pvalue[TABLE.pair_names().index(("nb", "svm"))], alone)


@pytest.mark.parametrize("rule", ["holm", "hochberg", "hommel", "bonferroni", "finner", "shaffer", "bergmann-hommel"])
def test_p_values_are_adjusted_by_the_named_rule(rule):
    ranking = ta.compare(TABLE, adjust=rule)
    assert ranking.adjustment.method == rule
    assert_allclose(ranking.adjusted, ta.adjust(ranking.pairs.pvalue, rule))
    name = "-".join(part.capitalize() for part in rule.split("-"))
    assert f", {name}-adjusted (" in dict(ranking.display().rows)["test"]


def test_nemenyi_agrees_with_scikit_posthocs_and_is_a_heuristic():
    ranking = ta.compare(TABLE, method="nemenyi")
    peer = scikit_posthocs.posthoc_nemenyi_friedman(SCORES).to_numpy()
    assert_allclose(ranking.adjusted, peer[np.triu_indices(4, 1)], atol=1e-6)
    critical = stats.studentized_range.ppf(0.95, 4, np.inf) / np.sqrt(2) * np.sqrt(4 * 5 / (6 * 20))
    assert_allclose(ranking.note("critical_difference"), critical, rtol=1e-6)
    assert ranking.adjustment.method == "nemenyi"
    assert "heuristic" in ranking.pairs.test.note
    assert "heuristic (the comparison of two learners depends on the others" in in_one_line(ranking, verbose=True)
    assert "critical difference of mean ranks 1.05" in in_one_line(ranking, verbose=True)
    with pytest.raises(
        InvalidOption, match="`adjust` must be left out with method 'nemenyi', which adjusts for all pairs"
    ):
        ta.compare(TABLE, method="nemenyi", adjust="holm")


def test_with_a_control_all_others_are_compared_with_it():
    ranking = ta.compare(TABLE, control="tree")
    assert ranking.names == (("tree", "nb"), ("tree", "svm"), ("tree", "forest"))
    pvalues = [stats.wilcoxon(SCORES[:, 1], SCORES[:, column], method="exact").pvalue for column in (0, 2, 3)]
    assert_allclose(ranking.adjusted, multipletests(pvalues, method="holm")[1], rtol=1e-10)
    assert ranking.groups == ()
    assert ranking.answer == "forest and svm are significantly better than tree (control) over 20 data sets."
    assert json.loads(ranking.to_json())["control"] == "tree"


def test_with_a_control_only_its_pairs_are_printed():
    """The best is not the control."""
    gains = np.linspace(0, 0.6, 16) + 0.001 * np.random.default_rng(2).standard_normal((9, 16))
    table = ta.ScoreTable.from_scores(gains, [f"l{index}" for index in range(16)], metric="gain")
    display = ta.compare(table, control="l0", adjust="none").display(verbose=True)
    of_models, of_pairs = (block for block in display.blocks if isinstance(block, TextTable))
    assert len(of_models.lines) == 16
    assert [line[0] for line in of_pairs.lines] == [f"l0 - l{index}" for index in range(1, 16)]
    assert of_pairs.caption.startswith("Pairs with the control")


def test_pairs_without_a_significant_difference_have_intervals_too():
    ranking = ta.compare(TABLE)
    of_pairs = ranking.display(verbose=True).blocks[1]
    (pair,) = [index for index, names in enumerate(ranking.names) if set(names) == {"svm", "forest"}]
    (line,) = [line for line in of_pairs.lines if line[0] == "forest - svm"]
    assert line[1] == "0.005 (-0.054 to 0.057)"
    assert line[-1] == f"{ranking.adjusted[pair]:.3f}"


def test_the_smallest_attainable_p_value_is_adjusted_for_all_pairs():
    """2/2⁷ = 0.0156 is below 0.05, but times 6 it is not: on 7 data sets no two of 4 learners differ significantly."""
    few = ta.ScoreTable.from_scores(np.arange(28).reshape(7, 4) % 4 + np.arange(7)[:, None], LEARNERS, metric="gain")
    ranking = ta.compare(few)
    assert_allclose(ranking.adjusted, 6 * 2 / 2**7)
    (check,) = [check for check in ranking.checks if check.code == "TA702"]
    assert not check.holds.any()
    text = in_one_line(ranking)
    assert "TA702: with 6 pairs the smallest adjusted p-value attainable with these data sets is 0.0938" in text
    assert "in all 6 pairs" in text
    for options in ({"control": "nb"}, {"adjust": "none"}, {"adjust": "benjamini-hochberg"}):
        assert "TA702" not in in_one_line(ta.compare(few, **options))


def test_an_infinite_statistic_is_printed_as_a_word():
    """Friedman's statistic at its maximum: Iman and Davenport divide by 0."""
    ordered = ta.ScoreTable.from_scores(np.arange(21).reshape(7, 3), ["a", "b", "c"], metric="gain")
    assert "Iman-Davenport F infinite, p < 0.001" in dict(ta.compare(ordered).display().rows)["overall"]


def test_a_caution_about_some_pairs_names_them_and_the_worst_figure():
    skewed = SCORES.copy()
    skewed[0, 0] = 9
    text = in_one_line(ta.compare(ta.ScoreTable.from_scores(skewed[:, :3], LEARNERS[:3], metric="gain")))
    assert "TA707: skewness up to 4.11 (limit 1.5) in 2 of 3 pairs (tree and nb, svm and nb): " in text


def test_a_ranking_with_a_rope_has_the_probability_of_equivalence():
    close = ta.ScoreTable.from_scores(SCORES[:, [0, 0, 2]] + [0, 1e-4, 0], ("nb", "twin", "svm"), metric="accuracy")
    of_models, of_pairs = ta.compare(close, rope=0.01).display(verbose=True).blocks[:2]
    assert [line[-1] for line in of_models.lines] == ["", "> 0.999", "> 0.999"]
    assert of_models.head[-1] == "P(behind)"
    assert of_pairs.head[-2:] == ["P(ahead)", "P(equivalent within 0.01)"]
    equivalent = {line[0]: line[-1] for line in of_pairs.lines}
    assert equivalent == {"twin - nb": "> 0.999", "svm - nb": "< 0.001", "svm - twin": "< 0.001"}


def test_probabilities_are_reported_with_the_names_of_learners():
    for pair in (("nb", "svm"), ("svm", "nb")):
        answer = ta.compare(TABLE, learners=pair, method="bayesian-signed-rank")
        assert answer.display().figures.endswith("P(svm better) > 0.999")
        text = in_one_line(answer, verbose=True)
        assert "50,000 draws" in text
        assert "P(B better)" not in text
        assert "P(A better)" not in text


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
def test_tests_of_all_learners_are_reported_next_to_the_pairs(method):
    ranking = ta.compare(TABLE, method=method)
    assert ranking.method == method
    assert next(iter(ranking.note("overall_tests"))) == method
    assert ranking.note("overall_tests")[method].pvalue < 1e-4
    assert ranking.adjustment.method == "holm"
    assert "forest" in ranking.best


def test_missing_scores_are_reported_and_pairs_use_the_data_sets_that_both_have():
    scores = SCORES.copy()
    scores[3, 1] = np.nan
    table = ta.ScoreTable.from_scores(scores, LEARNERS, metric="accuracy")
    ranking = ta.compare(table)
    assert list(ranking.note("overall_tests")) == ["skillings-mack"]
    assert "20 data sets (1 cell without a score); no score of tree on 4" in in_one_line(ranking)
    kept = np.arange(20) != 3
    alone = stats.wilcoxon(SCORES[kept, 0], SCORES[kept, 1], method="exact").pvalue
    assert_allclose(ranking.pairs.pvalue[0], alone, rtol=1e-10)
    assert_allclose(ranking.pairs.pvalue[1], stats.wilcoxon(SCORES[:, 0], SCORES[:, 2], method="exact").pvalue)
    assert json.loads(ranking.to_json())["missing"] == [["4", "tree"]]
    assert "19 of 20 data sets" in in_one_line(ta.compare(table.select("nb", "tree")))
    with pytest.raises(InvalidEvidence, match="tree"):
        ta.compare(table, method="nemenyi")


def test_a_ranking_has_the_power_at_a_specified_difference():
    ranking = ta.compare(TABLE, difference=0.05)
    assert ranking.note("power").comparisons == 6
    assert_allclose(ranking.note("power").alpha, 0.05 / 6)
    assert "alpha shared by 6 comparisons" in dict(ranking.display().rows)["power"]


def test_demsars_learners_are_in_the_order_of_his_paper():
    """Demšar 2006, section 3.2.2: mean ranks 3.143, 2.000, 2.893 and 1.964, after a tie by rounding is broken."""
    table = ta.read_scores(DEMSAR, metric="auc")
    ranking = ta.compare(table)
    order = [ranking.models[index] for index in np.argsort(ranking.levels)]
    assert set(order[:2]) == {"C4.5+m+cf", "C4.5+m"}
    assert order[2:] == ["C4.5+cf", "C4.5"]
    assert_allclose(np.sort(ranking.levels), [1.964, 2.0, 2.893, 3.143], atol=0.04)
    assert ranking.evidence.metric.higher_is_better


def test_options_of_the_test_of_all_learners_reach_it():
    """Demšar's table as printed: 9.857 without the correction for ties, 10.952 with it (by hand, from mid-ranks)."""
    table = ta.read_scores(DEMSAR, metric="auc")
    results = [
        ta.compare(table, method="friedman", ties=ties).note("overall_tests") for ties in ("uncorrected", "corrected")
    ]
    assert_allclose([tests["friedman"].statistic for tests in results], [9.857, 10.952], atol=5e-4)
    assert_allclose(
        results[0]["iman-davenport"].statistic, results[1]["iman-davenport"].statistic
    )  # which was not named


def test_a_test_refuses_missing_cells_by_its_own_name():
    table = ta.ScoreTable.from_scores([[0.9, None, 0.8], [0.7, 0.6, 0.5], [0.7, 0.5, 0.6]])
    with pytest.raises(InvalidEvidence, match="'iman-davenport'"):
        ta.compare(table, method="iman-davenport")


def test_intervals_as_wide_as_the_range_do_not_decide_the_digits_of_means():
    errors = [[0.047, 0.092, 0.033], [0.051, 0.088, 0.042], [0.064, 0.071, 0.021]]
    ranking = ta.compare(ta.ScoreTable.from_scores(errors, ["a", "b", "c"], metric="error"))
    (line,) = [line for line in ranking.display().blocks[0].lines if line[1] == "b"]
    assert float(line[3]) == pytest.approx((0.092 + 0.088 + 0.071) / 3, abs=5e-5)


# --- Odd tables -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [None, "sign-test", "paired-t", "bayesian-signed-rank", "friedman"])
def test_identical_columns_give_p_1_and_a_reason(method):
    """SciPy's Friedman test and autorank print NaN for these."""
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
    assert ranking.answer.startswith("All 3 learners are tied for first over 20 data sets")


def test_two_data_sets_cannot_show_a_difference_and_a_check_fails():
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


# --- Errors, and output -----------------------------------------------------------------


BAD = [
    ({"control": "lda"}, "`control` must be one of 'nb', 'tree', 'svm', 'forest'"),
    ({"alternative": "greater"}, "`alternative` needs two learners"),
    ({"adjust": "max-t"}, "`adjust` must work from p-values alone for accuracy of learners"),
    ({"adjust": "shaffer", "control": "nb"}, "`adjust` must take a control"),
    ({"method": "nemenyi", "control": "nb"}, "`method` must take a control"),
    ({"method": "bonferroni-dunn"}, "`control` is required by method 'bonferroni-dunn'"),
    ({"against": 0.1}, "`against` needs one ErrorCount, as it is a threshold"),
    ({"side": "upper"}, r"`side` is an option of estimate\(\)"),
    ({"metric": "f1"}, "`metric`, `positive`, `costs` and `missing` need a race, which keeps predictions"),
    ({"method": "no-such"}, "no-such"),
    ({"prior": 3}, "`prior` needs a method that accepts it, got the default, 'wilcoxon-signed-rank'"),
    ({"difference": -1}, "difference"),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_an_option_that_a_table_does_not_have_is_refused(options, message):
    with pytest.raises(TellapartError, match=message):
        ta.compare(TABLE, **options)


def test_other_evidence_has_no_control():
    with pytest.raises(InvalidOption, match="`control` needs a table of scores on many data sets"):
        ta.compare(ta.PairedTable(1, 2, 3, 4), control="A")
    with pytest.raises(InvalidOption, match="`difference` needs a table of scores on many data sets"):
        ta.compare(ta.PairedTable(1, 2, 3, 4), difference=0.01)
    with pytest.raises(InvalidEvidence, match="an estimate needs one data set"):
        ta.estimate(TABLE, learner="nb")


@pytest.mark.parametrize("options", [{}, {"control": "nb"}, {"method": "nemenyi"}, {"rope": 0.01}])
def test_a_ranking_is_written_in_every_form(options):
    ranking = ta.compare(TABLE, **options)
    document = json.loads(ranking.to_json())
    assert {model["name"] for model in document["models"]} == set(LEARNERS)
    assert_allclose([model["mean_rank"] for model in document["models"]], ranking.levels)
    assert len(document["pairs"]) == len(ranking.names)
    counts = (document["pairs"][0]["effects"][name] for name in ("a_wins", "ties", "b_wins"))
    assert sum(counts) == 20
    assert ("practical" in document["pairs"][0]) == ("rope" in options)
    for text in (str(ranking), ranking.to_markdown(), ranking.to_latex(), ranking._repr_html_()):
        assert "forest" in text
    assert "20 data sets" in ranking.paragraph()
    assert len(ranking.leaderboard().lines()) == 4


def test_tables_of_errors_keep_their_scale():
    errors = ta.ScoreTable.from_scores(1 - np.clip(SCORES, 0, 1), LEARNERS, metric="error")
    assert ta.compare(errors.select("nb", "svm")).words.startswith(
        "svm has a lower error rate than nb: error rate 0.166 vs 0.320, typically 0.154 lower "
    )
    assert "error rate" in ta.compare(errors).display().blocks[0].head
