"""compare, estimate and breakdown on the score of each example: what is chosen, what it says, and what is refused.

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


# --- What is chosen -------------------------------------------------------------------------------


def test_graded_scores_are_compared_as_scipy_pairs_them():
    answer, found = ta.compare(SCORES), stats.ttest_rel(NEW, OLD)
    assert (answer.method, answer.interval.method, answer.better) == ("mean-t", "mean-t", "B")
    assert_allclose([answer.statistic, answer.pvalue], [found.statistic, found.pvalue], rtol=1e-10)
    assert_allclose([answer.interval.low, answer.interval.high], found.confidence_interval(0.95), rtol=1e-9)
    assert_allclose(answer.difference, np.mean(NEW - OLD))
    less = stats.ttest_rel(NEW, OLD, alternative="less")
    assert_allclose(ta.compare(SCORES, alternative="less").pvalue, less.pvalue)


def test_a_margin_is_tested_in_units_of_the_score():
    answer = ta.compare(SCORES, margin=0.02)
    assert_allclose(answer.pvalue, stats.ttest_1samp(NEW - OLD, -0.02, alternative="greater").pvalue)
    assert answer.interval.level == pytest.approx(0.9)
    assert "new is at most 0.02 (rouge) worse than old" in answer.words
    wide = ta.Outcomes.from_scores(100 * OLD, 100 * NEW, metric="words")
    assert (
        ta.compare(wide, margin=5.0, hypothesis="equivalent").hypothesis.kind == "equivalent"
    )  # no share, so 5 will do
    with pytest.raises(InvalidOption, match="`margin` must be between 0 and 1"):
        ta.compare(REPEATED, margin=5.0)


@pytest.mark.parametrize(
    ("outcomes", "chosen"),
    [
        (SCORES, ("mean-t", "mean-t")),
        (CLUSTERED, ("cluster-robust", "cluster-robust")),
        (REPEATED, ("mean-t", "mean-t")),
        (BINARY, ("mcnemar-mid-p", "tango")),  # counts say all there is
        (replace(BINARY, clusters=np.arange(90) // 3), ("cluster-robust", "cluster-robust")),
        (replace(BINARY, weights=np.arange(1.0, 91)), ("mean-t", "mean-t")),
    ],
    ids=["graded", "clusters", "repeats", "counts", "clustered counts", "weighted counts"],
)
def test_the_design_chooses_the_method(outcomes, chosen):
    answer = ta.compare(outcomes)
    assert (answer.method, answer.interval.method) == chosen
    assert ta.advise(outcomes).recommended.test.name == chosen[0]


def test_counts_stay_outcomes_where_a_method_is_for_these_alone():
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
    ("outcomes", "besides"),
    [
        (SCORES, ["sign-flip", "bca-bootstrap"]),
        (GROUPED, ["sign-flip", "bca-bootstrap", "macro-average"]),
        (replace(BINARY, clusters=np.arange(90) // 3), ["wild-cluster", "cluster-bootstrap", "yang", "obuchowski"]),
        (CLUSTERED.select("old"), ["cluster-bootstrap"]),
    ],
    ids=["graded", "groups", "clustered counts", "one model"],
)
def test_advice_names_what_else_there_is_and_no_rules_of_counts(outcomes, besides):
    counsel = ta.advise(outcomes)
    assert [each.method.name for each in counsel.alternatives] == besides
    assert counsel.code[-1] == f"print(ta.{'estimate' if len(outcomes.models) == 1 else 'compare'}(held))"
    assert ("S3-17" in {rule.row for rule in counsel.rules}) == (outcomes.metric.is_rate)  # how many disagreements
    assert all(needed.holds is not None for needed in counsel.assumptions)
    several = ta.advise(THREE)
    assert (several.recommended.adjustment, several.recommended.interval.name) == ("max-t", "max-t")
    assert [each.method.name for each in suggest_alternatives(SCORES)] == ["sign-flip"]


# --- One model ------------------------------------------------------------------------------------


def test_a_mean_score_is_estimated():
    answer = ta.estimate(SCORES.select("new"))
    low, high = stats.t.interval(0.95, 89, NEW.mean(), stats.sem(NEW))
    assert_allclose([answer.estimate, answer.interval.low, answer.interval.high], [NEW.mean(), low, high])
    assert answer.answer.startswith("The mean rouge of new is ")
    assert ta.estimate(REPEATED.select("old")).method == "rao-scott-wilson"
    with pytest.raises(InvalidEvidence, match=r"one model, but these are old, new\. Take one by select"):
        ta.estimate(SCORES)


def test_the_macro_average_of_one_model_is_that_of_the_groups_means():
    answer = ta.estimate(GROUPED.select("new"), method="macro-average")
    assert_allclose(answer.estimate, np.mean([NEW[np.equal(TASKS, task)].mean() for task in ("sums", "prose", "code")]))


# --- What it says ---------------------------------------------------------------------------------


@settings(derandomize=True, deadline=None, max_examples=12)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=12), st.booleans())
def test_exchanging_the_two_keeps_the_winner_and_the_words(pairs, higher):
    a, b = (np.array(each) / 10 for each in zip(*pairs, strict=True))
    held = ta.Outcomes.from_scores(a, b, metric="rouge", models=("old", "new"), higher_is_better=higher)
    here, there = ta.compare(held), ta.compare(held.swapped())
    assert_allclose(there.difference, -here.difference, atol=1e-12)
    assert_allclose(there.pvalue, here.pvalue)
    assert here.to_json().count('"better_model": null') == there.to_json().count('"better_model": null')
    if here.better:
        assert {here.better, there.better} == {"A", "B"}
        winner = ("old", "new")[here.better == "B"]
        assert (held.means[held.models.index(winner)] == held.means.max()) == higher


def test_the_words_say_whose_mean_is_above_and_which_way_is_better():
    held = ta.Outcomes.from_scores([0.2, 0.4, 0.6, 0.5], [0.5, 0.6, 0.9, 0.9], metric="seconds", models=("old", "new"))
    up, down = ta.compare(held), ta.compare(replace(held, metric=replace(held.metric, higher_is_better=False)))
    assert "the mean seconds of new is 0.300 above that of old (0.725 against 0.425);" in up.answer
    assert "seconds(new) − seconds(old): " in up.answer
    assert "the mean seconds of new is 0.300 above that of old (0.725 against 0.425; lower is better);" in down.answer
    assert "seconds(old) − seconds(new): " in down.answer
    assert (up.better, down.better) == ("B", "A")
    same = ta.compare(ta.Outcomes.from_scores([0.2, 0.4], [0.4, 0.2], metric="rouge"))
    assert "A and B have the same mean rouge (0.3" in same.answer


def test_clusters_and_repeats_are_told_with_what_they_are_worth():
    answer = ta.compare(CLUSTERED)
    # n over the ratio of the cluster-robust variance (equal clusters: G/(G − 1)·Σu²) to s²/n
    apart = (NEW - OLD) - np.mean(NEW - OLD)
    robust = 30 / 29 * np.sum(apart.reshape(30, 3).sum(axis=1) ** 2) / 90**2
    worth = np.var(NEW - OLD, ddof=1) / robust
    assert_allclose(answer.note("effective_size"), worth)
    assert f"90 examples in 30 clusters (passage), worth {worth:.0f} independent examples" in answer.answer
    assert "on clusters (passage) drawn independently" in answer.limits
    assert_allclose(json.loads(answer.to_json())["worth"], worth)
    repeated = ta.compare(REPEATED)
    assert "40 examples, 3 repeats each." in dict(repeated.rows())["seen"]
    assert set(repeated.note("variance_components")) == {"between examples", "within examples"}
    assert "more repeats could remove" in dict(repeated.rows())["varies by"]
    assert 0 <= repeated.note("repeat_variance_share") <= 1


# --- Groups ---------------------------------------------------------------------------------------


def test_a_breakdown_is_every_group_by_itself_and_their_p_values_pay():
    found = ta.breakdown(GROUPED)
    each = {task: stats.ttest_rel(NEW[np.equal(TASKS, task)], OLD[np.equal(TASKS, task)]) for task in found.groups}
    assert_allclose([group.pvalue for group in found.groups.values()], [one.pvalue for one in each.values()])
    adjusted = multipletests([one.pvalue for one in each.values()], method="holm")[1]
    assert_allclose([group.adjusted for group in found.groups.values()], adjusted)
    assert found.told_apart == tuple(task for task, p in zip(each, adjusted, strict=True) if p < 0.05)
    macro = np.mean([np.mean((NEW - OLD)[np.equal(TASKS, task)]) for task in each])
    assert_allclose([found.macro.difference, found.overall.difference], [macro, np.mean(NEW - OLD)])
    assert found.sizes == tuple(int(np.sum(np.equal(TASKS, task))) for task in each)
    plain = ta.breakdown(GROUPED, adjust="none")
    assert all(group.adjusted is None for group in plain.groups.values())
    assert "adjusted p" not in plain.table()[0]


@pytest.mark.parametrize("rule", ["shaffer", "bergmann-hommel"])
def test_groups_are_no_pairs(rule):
    with pytest.raises(InvalidOption, match=rf"adjust='{rule}' is for all pairs of several, but groups are no pairs"):
        ta.breakdown(GROUPED, adjust=rule)


def test_a_breakdown_is_shown_in_every_form():
    found = ta.breakdown(GROUPED)
    head, lines = found.table()
    assert head == ["group", "examples", "old", "new", "difference", "95 % limits", "p", "adjusted p", "better"]
    assert [line[0] for line in lines] == ["code", "prose", "sums", "macro average", "all examples"]
    assert [line[1] for line in lines] == ["10", "20", "60", "", "90"]
    assert "Every group counting alike, " in str(found)
    assert found.to_markdown().count("\n| ") == 6
    assert found.to_latex().count(r"\\") == len(found.rows()) + 6
    assert re.search(r'<th scope="row"[^>]*>macro average</th>', found._repr_html_())
    kept = json.loads(found.to_json())
    assert [group["group"] for group in kept["groups"]] == ["code", "prose", "sums"]
    assert kept["macro_average"]["method"] == "macro-average"
    alone = ta.breakdown(GROUPED.select("new"))
    assert alone.table()[0] == ["group", "examples", "mean rouge", "95 % limits"]
    assert "the mean rouge is " in str(alone)
    rates = ta.breakdown(replace(BINARY, groups=TASKS))
    assert rates.table()[0][4] == "difference (points)"
    assert {group.method for group in rates.groups.values()} == {"mcnemar-mid-p"}


def test_the_macro_average_tells_the_means_of_its_own():
    answer = ta.compare(GROUPED, method="macro-average")
    means = [np.mean([scores[np.equal(TASKS, task)].mean() for task in set(TASKS)]) for scores in (OLD, NEW)]
    assert "on average over the groups, the mean rouge of new is " in answer.answer
    assert f"({means[1]:.3f} against {means[0]:.3f})" in answer.answer


def test_groups_called_as_all_together_lose_nothing():
    held = ta.Outcomes.from_scores(OLD, NEW, metric="rouge", groups=["macro average"] * 45 + ["all examples"] * 45)
    assert len(ta.breakdown(held).answers) == 4


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        (SCORES, "these outcomes have no groups"),
        (replace(THREE, groups=TASKS), r"one model or of two, but these are old, new, bad\. Take them out by select"),
        (ta.PairedTable(1, 2, 3, 4), "PairedTable knows no groups. Give outcomes"),
    ],
)
def test_what_cannot_be_broken_down_is_refused(evidence, message):
    with pytest.raises(InvalidEvidence, match=message):
        ta.breakdown(evidence)


# --- Several models -------------------------------------------------------------------------------


def test_several_models_are_ranked_by_their_means():
    found = ta.compare(THREE)
    assert isinstance(found, Ranking)
    assert found.best == ("new",)
    assert found.answer.startswith("new has the highest mean rouge (0.7")
    assert (found.adjustment.method, found.pairs.interval.method, found.pairs.interval.metric) == (
        "max-t",
        "max-t",
        "rouge",
    )
    rows = THREE.scores
    pairs = [(0, 1), (0, 2), (1, 2)]
    assert_allclose(found.pairs.pvalue, [stats.ttest_rel(rows[a], rows[b]).pvalue for a, b in pairs])
    assert (found.adjusted >= found.pairs.pvalue).all()
    assert_allclose(found.levels, rows.mean(axis=1))
    holm = ta.compare(THREE, adjust="holm")
    assert_allclose(holm.adjusted, multipletests(found.pairs.pvalue, method="holm")[1])
    lower = ta.compare(replace(THREE, metric=Metric(name="seconds", higher_is_better=False)))
    assert lower.best == ("bad",)
    assert lower.answer.startswith("bad has the lowest mean seconds (0.5")
    assert isinstance(ta.compare(THREE.select("old", "new")), Comparison)


def test_the_limits_of_each_are_those_of_its_own_estimate():
    for held in (THREE, ta.Outcomes.from_scores({name: RNG.integers(0, 2, (40, 3)) for name in "abc"})):
        found = ta.compare(held)
        alone = [ta.estimate(held.select(name)).interval for name in held.models]
        assert_allclose(found.note("own_intervals").low, [each.low for each in alone])
        assert_allclose(found.note("own_intervals").high, [each.high for each in alone])


def test_the_winners_luck_is_that_of_a_bootstrap_of_the_examples():
    scores = np.random.default_rng(3).random((4, 80))
    held = ta.Outcomes.from_scores(dict(zip("abcd", scores, strict=True)), clusters=np.arange(80) // 2)
    drawn = np.random.default_rng(0).multinomial(40, [1 / 40] * 40, size=20_000) / 40
    again = drawn @ scores.reshape(4, 40, 2).mean(axis=2).T
    winner = again.argmax(axis=1)
    gained = np.take_along_axis(again - scores.mean(axis=1), winner[:, None], axis=1).mean()
    assert mean_winner_optimism(held) == pytest.approx(gained, rel=0.05)
    parts = scores.reshape(4, 40, 2).mean(axis=2)
    assert_allclose(covariance_of_means(held), np.cov(parts) / 40)
    same = ta.Outcomes.from_scores(dict.fromkeys("abc", scores[0]))
    assert ta.compare(same).best == ("a", "b", "c")
    assert mean_winner_optimism(same) == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": 0.1}, "margin is for two models"),
        ({"alternative": "less"}, "alternative is for two models"),
        ({"method": "macro-average"}, "is for two models at a time"),
        ({"against": 0.1}, "against is a threshold"),
    ],
)
def test_what_several_cannot_answer_is_refused(options, message):
    with pytest.raises(InvalidOption, match=message):
        ta.compare(THREE, **options)


def test_what_two_cannot_answer_is_refused():
    with pytest.raises(InvalidOption, match="against is a threshold"):
        ta.compare(SCORES, against=0.1)
    with pytest.raises(InvalidOption, match="adjust is for several"):
        ta.compare(SCORES, adjust="holm")
    with pytest.raises(InvalidEvidence, match="two models"):
        ta.compare(SCORES.select("new"))
