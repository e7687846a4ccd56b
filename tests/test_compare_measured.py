"""Several models by a metric: every pair by the metric's own test, p-values that pay, ties, and the best of them."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

import tellapart as ta
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import ClassScores
from tellapart.methods.winners import metric_winner_optimism

NAMES = ("slack", "fair", "sharp", "twin")
RNG = np.random.default_rng(7)
TRUTH = (RNG.random(600) < 0.35).astype(int)
SCORES = {
    name: TRUTH * strength + RNG.standard_normal(600)
    for name, strength in zip(NAMES, (0.6, 1.5, 2.6, 2.6), strict=True)
}
LABELS = {name: (scores > 0.8).astype(int) for name, scores in SCORES.items()}
PATTERNS = ta.LabelPatterns.from_predictions(TRUTH, LABELS)
METRICS = ("f1", "precision", "recall", "mcc", "balanced-accuracy", "f1-macro", "false-positive-rate")


def holm(pvalues):
    """Return Holm's p-values by their definition: the smallest of m times m, the next times m − 1, never falling."""
    order = np.argsort(pvalues)
    stepped = np.maximum.accumulate(np.sort(pvalues) * np.arange(len(pvalues), 0, -1))
    return np.minimum(stepped, 1)[np.argsort(order)]


@pytest.fixture(scope="module")
def by_f1():
    return ta.compare(PATTERNS, metric="f1")


@pytest.mark.parametrize("metric", METRICS)
def test_every_pair_is_compared_as_it_would_be_alone(metric):
    """The p-value and the limits of a pair are those of the two alone, and the limits of each those of the one."""
    answer = ta.compare(PATTERNS, metric=metric)
    alone = [ta.compare(PATTERNS.pair(a, b), metric=metric) for a, b in PATTERNS.pair_names()]
    assert answer.method == alone[0].method
    assert_allclose(answer.pairs.pvalue, [each.pvalue for each in alone], rtol=1e-9)
    assert_allclose(answer.pairs.difference, [each.difference for each in alone], rtol=1e-12)
    assert_allclose(answer.pairs.interval.low, [each.interval.low for each in alone], rtol=1e-9, atol=1e-12)
    assert answer.adjustment.method == "holm"
    assert_allclose(answer.adjusted, holm(answer.pairs.pvalue), rtol=1e-12)
    own = [ta.estimate(PATTERNS.confusion(name), metric=metric).interval for name in NAMES]
    assert_allclose(answer.note("own_intervals").high, [each.high for each in own], rtol=1e-9)


def test_the_best_and_who_is_tied_with_it_are_told(by_f1):
    assert by_f1.best[0] in {"sharp", "twin"}
    assert len(by_f1.contenders) == 1
    assert by_f1.answer.startswith(f"{by_f1.best[0]} has the highest F1 (1) (")
    assert "of 4 models on 600 examples of 2 labels" in by_f1.answer
    assert "beats slack by 0." in str(by_f1)
    assert by_f1.leaderboard().table()[0] == ["rank", "model", "F1 (1)", "95 % limits", "tied"]
    assert by_f1.leaderboard().table()[1][-1][1] == "slack"
    assert "the F1 (1) was, from the highest to the lowest" in by_f1.paragraph()
    told = json.loads(by_f1.to_json())
    assert [each["value"] for each in told["models"]] == pytest.approx(PATTERNS.by("f1").levels.tolist())
    assert told["evidence"]["metric"] == "f1"


def test_less_is_better_puts_the_least_first():
    answer = ta.compare(PATTERNS, metric="cost", costs={(1, 0): 5, (0, 1): 1})
    costs = PATTERNS.by("cost", costs=[[0, 1], [5, 0]]).levels
    assert answer.best == (NAMES[int(np.argmin(costs))],)
    assert "has the lowest cost per example" in answer.answer


def test_errors_are_ranked_as_errors_always_are():
    here, there = ta.compare(PATTERNS), ta.compare(PATTERNS.error_patterns())
    assert (here.adjustment.method, here.answer) == ("max-t", there.answer)
    assert ta.compare(PATTERNS, metric="error").answer == there.answer


def test_two_of_them_are_a_pair():
    answer = ta.compare(PATTERNS.select("fair", "sharp"), metric="f1")
    assert (type(answer).__name__, answer.evidence.models) == ("Comparison", ("fair", "sharp"))


def test_a_model_without_the_metric_sinks_nobody_else():
    held = ta.LabelPatterns.from_predictions(TRUTH, LABELS | {"mute": np.zeros(600, dtype=int)})
    answer, without = ta.compare(held, metric="precision"), ta.compare(PATTERNS, metric="precision")
    assert answer.best == without.best
    kept = [place for place, pair in enumerate(answer.names) if "mute" not in pair]
    assert_allclose(answer.adjusted[kept], without.adjusted)
    assert np.isnan(np.delete(answer.adjusted, kept)).all()
    assert answer.leaderboard().table()[1][-1][:3] == ["1-5", "mute", "undefined"]
    assert json.loads(answer.to_json())["models"][-1]["value"] is None


def test_luck_of_the_best_is_that_of_a_bootstrap():
    """After Tsamardinos et al.: in each resample of the examples the best is chosen again, by F1."""
    held, rng = PATTERNS.by("f1"), np.random.default_rng(1)
    drawn = rng.multinomial(600, held.counts / 600, size=4000)
    again = ta.LabelPatterns(NAMES, held.patterns, drawn).by("f1").levels
    first = again.argmax(axis=1)
    gained = np.take_along_axis(again, first[:, None], axis=1)[:, 0] - held.levels[first]
    assert metric_winner_optimism(held) == pytest.approx(gained.mean(), abs=0.1 * gained.mean() + 5e-4)


@pytest.mark.parametrize(("metric", "options"), [("auc", {}), ("average-precision", {"resamples": 200})])
def test_scores_are_ranked_by_the_area_under_their_curves(metric, options):
    held = ClassScores.from_scores(TRUTH, SCORES)
    answer = ta.compare(held, metric=metric, **options)
    alone = [ta.compare(held.select(a, b), metric=metric, **options) for a, b in held.pair_names()]
    assert_allclose(answer.pairs.difference, [each.difference for each in alone], rtol=1e-12)
    assert_allclose(answer.pairs.pvalue, [each.pvalue for each in alone], rtol=1e-9)
    assert_allclose(answer.adjusted, holm(answer.pairs.pvalue), rtol=1e-12)
    assert answer.best[0] in {"sharp", "twin"}
    assert f"the highest {answer.evidence.metric.title} (0." in answer.answer
    assert (answer.note("optimism") > 0) == (metric == "auc")  # of average precision no covariance is known


def test_log_loss_is_a_mean_and_ranked_as_one():
    chances = {name: 1 / (1 + np.exp(-scores)) for name, scores in SCORES.items()}
    answer = ta.compare(ClassScores.from_scores(TRUTH, chances), metric="log-loss")
    assert (answer.adjustment.method, answer.measure) == ("max-t", "mean log loss")
    assert "has the lowest mean log loss" in answer.answer or "share the lowest mean log loss" in answer.answer


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "f1", "adjust": "max-t"}, "max-t resamples error rates and mean scores on one test set, not F1"),
        ({"metric": "f1", "method": "max-t"}, "Take adjust='holm'"),
        ({"metric": "label-balance"}, "not who is better"),
        ({"metric": "f1", "margin": 0.01}, "margin is for two"),
        ({"metric": "f1", "alternative": "less"}, "alternative is for two"),
        ({"metric": "f1", "method": "mcnemar-exact"}, "not for f1"),
    ],
)
def test_what_several_cannot_answer_is_refused(options, message):
    with pytest.raises(InvalidOption, match=message):
        ta.compare(PATTERNS, **options)


def test_a_metric_that_no_model_has_is_refused():
    held = ta.LabelPatterns.from_predictions([0, 1, 1], {name: [0, 0, 0] for name in "abc"})
    with pytest.raises(InvalidEvidence, match="of no model is defined"):
        ta.compare(held, metric="precision")


def test_another_adjustment_and_another_test_may_be_named():
    answer = ta.compare(PATTERNS, metric="f1", method="joint-bootstrap", adjust="bonferroni", resamples=500)
    assert (answer.method, answer.adjustment.method) == ("joint-bootstrap", "bonferroni")
    assert_allclose(answer.adjusted, np.minimum(6 * answer.pairs.pvalue, 1))
