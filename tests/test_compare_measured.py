"""Several models by a metric: every pair by the metric's own test, adjusted p-values, ties, and the best of them."""

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
def test_every_pair_is_compared_as_if_it_were_alone(metric):
    """The p-value and the limits of a pair are those of the two alone, and the limits of each those of the one."""
    answer = ta.compare(PATTERNS, metric=metric)
    pairs = [ta.compare(PATTERNS.pair(a, b), metric=metric) for a, b in PATTERNS.pair_names()]
    assert answer.method == pairs[0].method
    assert_allclose(answer.pairs.pvalue, [pair.pvalue for pair in pairs], rtol=1e-9)
    assert_allclose(answer.pairs.difference, [pair.difference for pair in pairs], rtol=1e-12)
    assert_allclose(answer.pairs.interval.low, [pair.interval.low for pair in pairs], rtol=1e-9, atol=1e-12)
    assert answer.adjustment.method == "holm"
    assert_allclose(answer.adjusted, holm(answer.pairs.pvalue), rtol=1e-12)
    intervals = [ta.estimate(PATTERNS.confusion(name), metric=metric).interval for name in NAMES]
    assert_allclose(answer.note("own_intervals").high, [interval.high for interval in intervals], rtol=1e-9)


def test_a_leaderboard_has_the_best_and_those_tied_with_it(by_f1):
    assert by_f1.best[0] in {"sharp", "twin"}
    assert len(by_f1.contenders) == 1
    assert by_f1.answer == f"{by_f1.best[0]} and {by_f1.contenders[0]} are tied for first of 4 models."
    assert dict(by_f1.display().rows)["data"].startswith("600 examples of 2 labels, 6 pairs")
    of_models = by_f1.display().blocks[0]
    assert of_models.head == ["rank", "model", "F1 (1)", "95% CI", "behind by", "adj. p"]
    assert [line[1] for line in of_models.lines[2:]] == ["fair", "slack"]
    leaderboard = by_f1.leaderboard()
    assert leaderboard.display().blocks[0].head == ["rank", "model", "F1 (1)", "95% CI", "tied"]
    assert [line[:3] for line in leaderboard.lines()] == [line[:3] for line in of_models.lines]
    assert "the F1 (1) was, from the first to the last" in by_f1.paragraph()
    document = json.loads(by_f1.to_json())
    assert [model["value"] for model in document["models"]] == pytest.approx(PATTERNS.by("f1").levels.tolist())
    assert document["evidence"]["metric"] == "f1"


def test_the_lowest_cost_is_first():
    answer = ta.compare(PATTERNS, metric="cost", costs={(1, 0): 5, (0, 1): 1})
    costs = PATTERNS.by("cost", costs=[[0, 1], [5, 0]]).levels
    assert answer.best == (NAMES[int(np.argmin(costs))],)
    of_models = answer.display().blocks[0]
    assert of_models.head[2] == "cost per example"
    assert of_models.lines[0][1] == answer.best[0]
    assert dict(answer.display().rows)["scope"].endswith(" too low")


def test_errors_are_ranked_by_max_t():
    here, there = ta.compare(PATTERNS), ta.compare(PATTERNS.error_patterns())
    assert (here.adjustment.method, here.answer) == ("max-t", there.answer)
    assert ta.compare(PATTERNS, metric="error").answer == there.answer


def test_two_of_them_are_a_pair():
    answer = ta.compare(PATTERNS.select("fair", "sharp"), metric="f1")
    assert (type(answer).__name__, answer.evidence.models) == ("Comparison", ("fair", "sharp"))


def test_a_model_without_the_metric_does_not_affect_the_others():
    patterns = ta.LabelPatterns.from_predictions(TRUTH, LABELS | {"mute": np.zeros(600, dtype=int)})
    answer, without = ta.compare(patterns, metric="precision"), ta.compare(PATTERNS, metric="precision")
    assert answer.best == without.best
    kept = [index for index, pair in enumerate(answer.names) if "mute" not in pair]
    assert_allclose(answer.adjusted[kept], without.adjusted)
    assert np.isnan(np.delete(answer.adjusted, kept)).all()
    assert answer.leaderboard().lines()[-1][:3] == ["1-5", "mute", "undefined"]
    assert json.loads(answer.to_json())["models"][-1]["value"] is None


def test_the_optimism_of_the_best_is_that_of_a_bootstrap():
    """After Tsamardinos et al.: in each resample of the examples the best is chosen again, by F1."""
    by_f1, rng = PATTERNS.by("f1"), np.random.default_rng(1)
    drawn = rng.multinomial(600, by_f1.counts / 600, size=4000)
    again = ta.LabelPatterns(NAMES, by_f1.patterns, drawn).by("f1").levels
    first = again.argmax(axis=1)
    gained = np.take_along_axis(again, first[:, None], axis=1)[:, 0] - by_f1.levels[first]
    assert metric_winner_optimism(by_f1) == pytest.approx(gained.mean(), abs=0.1 * gained.mean() + 5e-4)


@pytest.mark.parametrize(("metric", "options"), [("auc", {}), ("average-precision", {"resamples": 200})])
def test_scores_are_ranked_by_the_area_under_their_curves(metric, options):
    scores = ClassScores.from_scores(TRUTH, SCORES)
    answer = ta.compare(scores, metric=metric, **options)
    pairs = [ta.compare(scores.select(a, b), metric=metric, **options) for a, b in scores.pair_names()]
    assert_allclose(answer.pairs.difference, [pair.difference for pair in pairs], rtol=1e-12)
    assert_allclose(answer.pairs.pvalue, [pair.pvalue for pair in pairs], rtol=1e-9)
    assert_allclose(answer.adjusted, holm(answer.pairs.pvalue), rtol=1e-12)
    assert answer.best[0] in {"sharp", "twin"}
    assert answer.display().blocks[0].head[2] == answer.evidence.metric.title
    assert (answer.note("optimism") > 0) == (metric == "auc")  # of average precision no covariance is known


def test_log_loss_is_a_mean_and_ranked_as_one():
    chances = {name: 1 / (1 + np.exp(-scores)) for name, scores in SCORES.items()}
    answer = ta.compare(ClassScores.from_scores(TRUTH, chances), metric="log-loss")
    assert (answer.adjustment.method, answer.measure) == ("max-t", "mean log loss")
    assert answer.display().blocks[0].head[2] == "mean log loss"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"metric": "f1", "adjust": "max-t"},
            r"`adjust` must work from p-values alone for F1 \(1\) of classifiers",
        ),
        (
            {"metric": "f1", "method": "max-t"},
            r"`adjust` must work from p-values alone for F1 \(1\) of classifiers",
        ),
        ({"metric": "label-balance"}, "`metric` must have a better direction to compare"),
        ({"metric": "f1", "margin": 0.01}, "`margin` needs two models"),
        ({"metric": "f1", "alternative": "less"}, "`alternative` needs two models"),
        ({"metric": "f1", "method": "mcnemar-exact"}, "not for f1"),
    ],
)
def test_an_option_that_several_models_do_not_have_is_refused(options, message):
    with pytest.raises(InvalidOption, match=message):
        ta.compare(PATTERNS, **options)


def test_a_metric_that_no_model_has_is_refused():
    patterns = ta.LabelPatterns.from_predictions([0, 1, 1], {name: [0, 0, 0] for name in "abc"})
    with pytest.raises(InvalidEvidence, match="`metric` must be defined for a model"):
        ta.compare(patterns, metric="precision")


def test_another_adjustment_and_another_test_may_be_named():
    answer = ta.compare(PATTERNS, metric="f1", method="joint-bootstrap", adjust="bonferroni", resamples=500)
    assert (answer.method, answer.adjustment.method) == ("joint-bootstrap", "bonferroni")
    assert_allclose(answer.adjusted, np.minimum(6 * answer.pairs.pvalue, 1))
