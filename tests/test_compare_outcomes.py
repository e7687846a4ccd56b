"""compare, estimate and breakdown on the score of each example: default methods, output and errors.

The figures are SciPy's and statsmodels', or plain sums over the examples.
"""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from statsmodels.stats.multitest import multipletests

import tellapart as ta
from tellapart.advice.alternatives import suggest_alternatives
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.methods.outcomes.reports import covariance_of_means, mean_winner_optimism
from tellapart.metrics import Metric
from tellapart.results import Comparison, Ranking

RNG = np.random.default_rng(8)
OLD = RNG.beta(5, 2, 90)
NEW = np.clip(OLD + RNG.normal(0.04, 0.12, 90), 0, 1)
TASKS = np.array(["sums"] * 60 + ["prose"] * 20 + ["code"] * 10)
FACTS = {"metric": "rouge", "bounds": (0, 1), "models": ("old", "new")}
SCORES = ta.Outcomes.from_scores(OLD, NEW, **FACTS)
CLUSTERED = ta.Outcomes.from_scores(OLD, NEW, **FACTS, clusters=np.arange(90) // 3, clustered_by="passage")
GROUPED = ta.Outcomes.from_scores(OLD, NEW, **FACTS, groups=TASKS)
BINARY = ta.Outcomes.from_scores(OLD > 0.6, NEW > 0.6, models=("old", "new"))
REPEATED = ta.Outcomes.from_scores(RNG.integers(0, 2, (40, 3)), RNG.integers(0, 2, (40, 3)), models=("old", "new"))
THREE = ta.Outcomes.from_scores({"old": OLD, "new": NEW, "bad": OLD - 0.3 * RNG.random(90)}, metric="rouge")


# --- Defaults -------------------------------------------------------------------------------


def test_graded_scores_are_compared_by_scipys_paired_t_test():
    answer, expected = ta.compare(SCORES), stats.ttest_rel(NEW, OLD)
    assert (answer.method, answer.interval.method, answer.better) == ("mean-t", "mean-t", "B")
    assert_allclose([answer.statistic, answer.pvalue], [expected.statistic, expected.pvalue], rtol=1e-10)
    assert_allclose([answer.interval.low, answer.interval.high], expected.confidence_interval(0.95), rtol=1e-9)
    assert_allclose(answer.difference, np.mean(NEW - OLD))
    less = stats.ttest_rel(NEW, OLD, alternative="less")
    assert_allclose(ta.compare(SCORES, alternative="less").pvalue, less.pvalue)


def test_a_margin_is_tested_in_units_of_the_score():
    answer = ta.compare(SCORES, margin=0.02)
    assert_allclose(answer.pvalue, stats.ttest_1samp(NEW - OLD, -0.02, alternative="greater").pvalue)
    assert answer.interval.level == pytest.approx(0.9)
    assert answer.words.startswith("new is at most 0.02 worse than old: mean rouge ")
    wide = ta.Outcomes.from_scores(100 * OLD, 100 * NEW, metric="words")
    assert (
        ta.compare(wide, margin=5.0, hypothesis="equivalent").hypothesis.kind == "equivalent"
    )  # not a rate, so 5 is valid
    with pytest.raises(InvalidOption, match="`margin` must be between 0 and 1"):
        ta.compare(REPEATED, margin=5.0)


@pytest.mark.parametrize(
    ("outcomes", "chosen"),
    [
        (SCORES, ("mean-t", "mean-t")),
        (CLUSTERED, ("cluster-robust", "cluster-robust")),
        (REPEATED, ("mean-t", "mean-t")),
        (BINARY, ("mcnemar-mid-p", "tango")),  # counts are sufficient
        (replace(BINARY, clusters=np.arange(90) // 3), ("cluster-robust", "cluster-robust")),
        (replace(BINARY, weights=np.arange(1.0, 91)), ("mean-t", "mean-t")),
    ],
    ids=["graded", "clusters", "repeats", "counts", "clustered counts", "weighted counts"],
)
def test_the_design_chooses_the_method(outcomes, chosen):
    answer = ta.compare(outcomes)
    assert (answer.method, answer.interval.method) == chosen
    assert ta.advise(outcomes).recommended.test.name == chosen[0]


def test_binary_outcomes_stay_outcomes_for_methods_that_need_them():
    assert isinstance(ta.compare(BINARY).evidence, ta.PairedTable)
    answer = ta.compare(BINARY, method="mean-t")
    assert answer.evidence is BINARY
    assert_allclose(answer.pvalue, stats.ttest_rel(NEW > 0.6, np.array(OLD > 0.6, dtype=float)).pvalue)
    three = ta.Outcomes.from_scores({"a": OLD > 0.6, "b": NEW > 0.6, "c": OLD > 0.5})
    assert isinstance(ta.compare(three).evidence, ta.ErrorPatterns)
    assert isinstance(ta.estimate(BINARY.select("new")).evidence, ta.ErrorCount)
    assert ta.compare(BINARY.select("new"), against=0.5).interval.method == "clopper-pearson"


def test_predictions_with_scores_are_compared_by_them():
    columns = {"id": range(90), "old": OLD, "new": NEW}
    predictions = ta.Predictions.of(columns, id="id", models=["old", "new"], scores="rouge")
    assert_allclose(ta.compare(predictions).pvalue, ta.compare(SCORES).pvalue)
    columns["new"] = [None, *NEW[1:]]
    missing = ta.Predictions.of(columns, id="id", models=["old", "new"], scores="rouge", errors="drop")
    answer = ta.compare(missing)
    assert answer.evidence.examples == 89
    assert sum(answer.excluded.values()) == 1
    assert ta.advise(missing).recommended.test.name == "mean-t"


@pytest.mark.parametrize(
    ("outcomes", "alternatives"),
    [
        (SCORES, ["sign-flip", "bca-bootstrap"]),
        (GROUPED, ["sign-flip", "bca-bootstrap", "macro-average"]),
        (replace(BINARY, clusters=np.arange(90) // 3), ["wild-cluster", "cluster-bootstrap", "yang", "obuchowski"]),
        (CLUSTERED.select("old"), ["cluster-bootstrap"]),
    ],
    ids=["graded", "groups", "clustered counts", "one model"],
)
def test_advice_names_alternatives_and_no_rules_of_counts(outcomes, alternatives):
    advice = ta.advise(outcomes)
    assert [alternative.method.name for alternative in advice.alternatives] == alternatives
    assert advice.code[-1] == f"print(ta.{'estimate' if len(outcomes.models) == 1 else 'compare'}(evidence))"
    assert ("S3-17" in {rule.row for rule in advice.rules}) == (outcomes.metric.is_rate)  # how many discordant pairs
    assert all(assumption.holds is not None for assumption in advice.assumptions)
    several = ta.advise(THREE)
    assert (several.recommended.adjustment, several.recommended.interval.name) == ("max-t", "max-t")
    assert [alternative.method.name for alternative in suggest_alternatives(SCORES)] == ["sign-flip"]


# --- One model ------------------------------------------------------------------------------------


def test_a_mean_score_is_estimated():
    answer = ta.estimate(SCORES.select("new"))
    low, high = stats.t.interval(0.95, 89, NEW.mean(), stats.sem(NEW))
    assert_allclose([answer.estimate, answer.interval.low, answer.interval.high], [NEW.mean(), low, high])
    assert answer.answer == "new: mean rouge 0.736 (95% CI 0.694 to 0.779)."
    assert ta.estimate(REPEATED.select("old")).method == "rao-scott-wilson"
    with pytest.raises(InvalidEvidence, match="an estimate needs one model"):
        ta.estimate(SCORES)


def test_the_macro_average_of_one_model_is_that_of_the_groups_means():
    answer = ta.estimate(GROUPED.select("new"), method="macro-average")
    assert_allclose(answer.estimate, np.mean([NEW[np.equal(TASKS, task)].mean() for task in ("sums", "prose", "code")]))


# --- Output ---------------------------------------------------------------------------------


@settings(derandomize=True, deadline=None, max_examples=12)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=12), st.booleans())
def test_swapping_the_two_keeps_the_winner(pairs, higher):
    a, b = (np.array(scores) / 10 for scores in zip(*pairs, strict=True))
    outcomes = ta.Outcomes.from_scores(a, b, metric="rouge", models=("old", "new"), higher_is_better=higher)
    here, there = ta.compare(outcomes), ta.compare(outcomes.swapped())
    assert_allclose(there.difference, -here.difference, atol=1e-12)
    assert_allclose(there.pvalue, here.pvalue)
    assert here.to_json().count('"better_model": null') == there.to_json().count('"better_model": null')
    if here.better:
        assert {here.better, there.better} == {"A", "B"}
        winner = ("old", "new")[here.better == "B"]
        assert (outcomes.means[outcomes.models.index(winner)] == outcomes.means.max()) == higher


def test_the_verdict_follows_the_direction_of_the_metric():
    scores = [[0.2, 0.4, 0.6, 0.5], [0.5, 0.6, 0.9, 0.9]]
    outcomes = ta.Outcomes.from_scores(*scores, metric="seconds", models=("old", "new"))
    lower = replace(outcomes, metric=replace(outcomes.metric, higher_is_better=False))
    up, down = ta.compare(outcomes), ta.compare(lower)
    assert up.words.startswith("new has a higher mean seconds than old")
    assert up.display().figures.startswith("mean seconds 0.72 vs 0.43: 0.30 higher (95% CI 0.17 to 0.43)")
    assert down.words.startswith("old has a lower mean seconds than new")
    assert down.display().figures.startswith("mean seconds 0.43 vs 0.72: 0.30 lower (95% CI 0.17 to 0.43)")
    assert (up.better, down.better) == ("B", "A")
    same = ta.compare(ta.Outcomes.from_scores([0.2, 0.4], [0.4, 0.2], metric="rouge"))
    assert "mean rouge 0.3 vs 0.3: no difference" in same.display().figures


def test_clusters_and_repeats_have_an_effective_sample_size():
    answer = ta.compare(CLUSTERED)
    # n over the ratio of the cluster-robust variance (equal clusters: G/(G − 1)·Σu²) to s²/n
    residuals = (NEW - OLD) - np.mean(NEW - OLD)
    robust = 30 / 29 * np.sum(residuals.reshape(30, 3).sum(axis=1) ** 2) / 90**2
    effective = np.var(NEW - OLD, ddof=1) / robust
    assert_allclose(answer.note("effective_size"), effective)
    rows = dict(answer.display().rows)
    assert rows["data"] == f"90 examples in 30 clusters (passage), effective sample size {effective:.0f}"
    assert rows["scope"] == "these models, passages from the same source; not retraining"
    document = json.loads(answer.to_json())
    assert_allclose([document["effective_sample_size"], document["worth"]], effective)
    repeated = ta.compare(REPEATED)
    assert dict(repeated.rows())["data"] == "40 examples, 3 repeats each"
    assert set(repeated.note("variance_components")) == {"between examples", "within examples"}
    assert "more repeats could remove" in dict(repeated.rows())["design"]
    assert 0 <= repeated.note("repeat_variance_share") <= 1


# --- Groups ---------------------------------------------------------------------------------------


def test_a_breakdown_compares_in_every_group_and_adjusts_the_p_values():
    breakdown = ta.breakdown(GROUPED)
    tests = {task: stats.ttest_rel(NEW[np.equal(TASKS, task)], OLD[np.equal(TASKS, task)]) for task in breakdown.groups}
    pvalues = [test.pvalue for test in tests.values()]
    assert_allclose([group.pvalue for group in breakdown.groups.values()], pvalues)
    adjusted = multipletests(pvalues, method="holm")[1]
    assert_allclose([group.adjusted for group in breakdown.groups.values()], adjusted)
    assert breakdown.significant == tuple(task for task, p in zip(tests, adjusted, strict=True) if p < 0.05)
    assert breakdown.told_apart == breakdown.significant  # the old name
    macro = np.mean([np.mean((NEW - OLD)[np.equal(TASKS, task)]) for task in tests])
    assert_allclose([breakdown.macro.difference, breakdown.overall.difference], [macro, np.mean(NEW - OLD)])
    assert breakdown.sizes == tuple(int(np.sum(np.equal(TASKS, task))) for task in tests)
    unadjusted = ta.breakdown(GROUPED, adjust="none")
    assert all(group.adjusted is None for group in unadjusted.groups.values())
    assert "adj. p" not in unadjusted.display().blocks[0].head


@pytest.mark.parametrize("rule", ["shaffer", "bergmann-hommel"])
def test_adjustments_for_pairs_are_refused_for_groups(rule):
    with pytest.raises(InvalidOption, match=rf"^`adjust` must .*, got '{rule}'"):
        ta.breakdown(GROUPED, adjust=rule)


def test_a_breakdown_is_written_in_every_form():
    breakdown = ta.breakdown(GROUPED)
    table = breakdown.display().blocks[0]
    assert table.head == ["group", "examples", "old", "new", "new higher by (95% CI)", "p", "adj. p"]
    assert [line[0] for line in table.lines] == ["code", "prose", "sums", "macro average", "all examples"]
    assert [line[1] for line in table.lines] == ["10", "20", "60", "", "90"]
    assert "macro average: equal weight per group" in " ".join(str(breakdown).split())
    assert breakdown.to_markdown().count("\n| macro average |") == 1
    assert breakdown.to_latex().count("\nmacro average & ") == 1
    assert re.search(r"<td[^>]*>macro average</td>", breakdown._repr_html_())
    document = json.loads(breakdown.to_json())
    assert [group["group"] for group in document["groups"]] == ["code", "prose", "sums"]
    assert document["macro_average"]["method"] == "macro-average"
    single = ta.breakdown(GROUPED.select("new"))
    assert single.display().blocks[0].head == ["group", "examples", "mean rouge", "95% CI"]
    assert str(single).startswith("mean rouge 0.736 (95% CI 0.694 to 0.779)")
    rates = ta.breakdown(replace(BINARY, groups=TASKS))
    assert " pp (" in rates.display().blocks[0].lines[0][4]
    assert {group.method for group in rates.groups.values()} == {"mcnemar-mid-p"}


def test_the_macro_average_reports_means_over_groups():
    answer = ta.compare(GROUPED, method="macro-average")
    means = [np.mean([scores[np.equal(TASKS, task)].mean() for task in set(TASKS)]) for scores in (OLD, NEW)]
    assert answer.display().figures.startswith(f"mean rouge {means[1]:.3f} vs {means[0]:.3f}: ")
    assert "averages over the groups" in answer.explain()


def test_groups_may_be_named_like_the_totals():
    outcomes = ta.Outcomes.from_scores(OLD, NEW, metric="rouge", groups=["macro average"] * 45 + ["all examples"] * 45)
    assert len(ta.breakdown(outcomes).answers) == 4


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        (SCORES, "`groups` must be known for a breakdown"),
        (replace(THREE, groups=TASKS), "a breakdown needs one model or two"),
        (ta.PairedTable(1, 2, 3, 4), "PairedTable has no groups"),
    ],
)
def test_evidence_without_groups_of_two_models_is_refused(evidence, message):
    with pytest.raises(InvalidEvidence, match=message):
        ta.breakdown(evidence)


# --- Several models -------------------------------------------------------------------------------


def test_several_models_are_ranked_by_their_means():
    ranking = ta.compare(THREE)
    assert isinstance(ranking, Ranking)
    assert ranking.best == ("new",)
    assert ranking.answer == "new is significantly better than the other 2 models."
    assert (ranking.adjustment.method, ranking.pairs.interval.method, ranking.pairs.interval.metric) == (
        "max-t",
        "max-t",
        "rouge",
    )
    rows = THREE.scores
    pairs = [(0, 1), (0, 2), (1, 2)]
    assert_allclose(ranking.pairs.pvalue, [stats.ttest_rel(rows[a], rows[b]).pvalue for a, b in pairs])
    assert (ranking.adjusted >= ranking.pairs.pvalue).all()
    assert_allclose(ranking.levels, rows.mean(axis=1))
    holm = ta.compare(THREE, adjust="holm")
    assert_allclose(holm.adjusted, multipletests(ranking.pairs.pvalue, method="holm")[1])
    lower = ta.compare(replace(THREE, metric=Metric(name="seconds", higher_is_better=False)))
    assert lower.best == ("bad",)
    assert lower.answer == "bad is significantly better than the other 2 models."
    assert lower.display().blocks[0].lines[0][2].startswith("0.5")
    assert isinstance(ta.compare(THREE.select("old", "new")), Comparison)


def test_the_limits_of_a_model_are_those_of_its_estimate():
    for outcomes in (THREE, ta.Outcomes.from_scores({name: RNG.integers(0, 2, (40, 3)) for name in "abc"})):
        intervals = [ta.estimate(outcomes.select(name)).interval for name in outcomes.models]
        of_ranking = ta.compare(outcomes).note("own_intervals")
        assert_allclose(of_ranking.low, [interval.low for interval in intervals])
        assert_allclose(of_ranking.high, [interval.high for interval in intervals])


def test_the_optimism_of_the_best_is_that_of_a_bootstrap_of_the_examples():
    scores = np.random.default_rng(3).random((4, 80))
    outcomes = ta.Outcomes.from_scores(dict(zip("abcd", scores, strict=True)), clusters=np.arange(80) // 2)
    drawn = np.random.default_rng(0).multinomial(40, [1 / 40] * 40, size=20_000) / 40
    again = drawn @ scores.reshape(4, 40, 2).mean(axis=2).T
    winner = again.argmax(axis=1)
    gained = np.take_along_axis(again - scores.mean(axis=1), winner[:, None], axis=1).mean()
    assert mean_winner_optimism(outcomes) == pytest.approx(gained, rel=0.05)
    cluster_means = scores.reshape(4, 40, 2).mean(axis=2)
    assert_allclose(covariance_of_means(outcomes), np.cov(cluster_means) / 40)
    same = ta.Outcomes.from_scores(dict.fromkeys("abc", scores[0]))
    assert ta.compare(same).best == ("a", "b", "c")
    assert mean_winner_optimism(same) == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": 0.1}, "`margin` needs two models"),
        ({"alternative": "less"}, "`alternative` needs two models"),
        ({"method": "macro-average"}, "method 'macro-average' needs two models"),
        ({"against": 0.1}, "`against` needs one ErrorCount, as it is a threshold"),
    ],
)
def test_an_option_that_several_models_do_not_have_is_refused(options, message):
    with pytest.raises(InvalidOption, match=message):
        ta.compare(THREE, **options)


def test_an_option_that_two_models_do_not_have_is_refused():
    with pytest.raises(InvalidOption, match="`against` needs one ErrorCount, as it is a threshold"):
        ta.compare(SCORES, against=0.1)
    with pytest.raises(InvalidOption, match="`adjust` needs several comparisons"):
        ta.compare(SCORES, adjust="holm")
    with pytest.raises(InvalidEvidence, match="two models"):
        ta.compare(SCORES.select("new"))
