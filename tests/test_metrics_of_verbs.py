"""metric=, positive= and costs= of the verbs: what evidence they lead to, and what they say to what cannot answer."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import tellapart as ta
from tellapart.errors import InvalidEvidence, InvalidOption, TellapartError

SPAM = ta.ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"])
OWLS = ta.ConfusionMatrix([[30, 2, 1], [4, 25, 6], [0, 3, 29]], ["cat", "dog", "owl"])
BOTH = ta.PairedConfusion([[[40, 4], [6, 10]], [[3, 5], [2, 30]]], ["ham", "spam"], models=("old", "new"))


@pytest.mark.parametrize(
    ("metric", "hits", "trials"),
    [
        ("precision", 35, 45),
        ("recall", 35, 40),
        ("specificity", 50, 60),
        ("false-positive-rate", 10, 60),
        ("negative-predictive-value", 50, 55),
        ("accuracy", 85, 100),
        ("jaccard", 35, 50),
    ],
)
@pytest.mark.parametrize("method", ["jeffreys", "wilson", "clopper-pearson"])
def test_a_proportion_has_the_interval_of_a_rate_with_its_own_denominator(metric, hits, trials, method):
    """The counts were taken from the matrix by hand."""
    result, rate = (
        ta.estimate(SPAM, metric=metric, method=method),
        ta.estimate(ta.ErrorCount(hits, trials), method=method),
    )
    assert_allclose([result.estimate, result.interval.low, result.interval.high],
                    [hits / trials, rate.interval.low, rate.interval.high], rtol=1e-12)  # fmt: skip


def test_errors_of_a_matrix_are_those_of_its_error_count():
    assert ta.estimate(SPAM).interval.high == ta.estimate(ta.ErrorCount(15, 100)).interval.high
    assert ta.estimate(SPAM, metric="error").words == ta.estimate(ta.ErrorCount(15, 100)).words
    assert ta.compare(BOTH, metric="error").pvalue == ta.compare(BOTH.paired_table()).pvalue


OUTCOMES = ta.Outcomes.from_scores([1, 0, 1, 1, 0, 1] * 5, [1, 1, 1, 0, 1, 1] * 5)
LABELS = ta.LabelPatterns.from_predictions([0, 1, 1] * 9, {"a": [0, 1, 1] * 9, "b": [0, 0, 1] * 9, "c": [1, 0, 1] * 9})


@pytest.mark.parametrize("method", [None, "mean-t"])
@pytest.mark.parametrize(("metric", "title"), [(None, "accuracy"), ("accuracy", "accuracy"), ("error", "error rate")])
def test_the_metric_that_was_named_is_the_one_reported(metric, title, method):
    """Predictions and outcomes are reported as accuracy unless the error rate is named."""
    assert ta.compare(OUTCOMES, metric=metric, method=method).display().figures.startswith(f"{title} ")
    assert ta.compare(BOTH, metric=metric).display().figures.startswith(f"{title} ")
    assert ta.estimate(SPAM, metric=metric).display().verdict.startswith(f"{title} ")
    assert ta.compare(LABELS, metric=metric).display().blocks[0].head[2] == title


def test_strata_are_reported_as_error_rate():
    strata = ta.StratifiedCount([3, 5], [100, 80], [0.4, 0.6])
    assert ta.estimate(strata, metric="error").words == ta.estimate(strata).words
    with pytest.raises(InvalidEvidence, match="must be 'error', got 'accuracy'"):
        ta.estimate(strata, metric="accuracy")


def test_accuracy_mirrors_the_error_rate():
    right, wrong = ta.estimate(SPAM, metric="accuracy").interval, ta.estimate(SPAM).interval
    assert_allclose([right.low, right.high], [1 - wrong.high, 1 - wrong.low], rtol=1e-12)


def test_recall_is_compared_on_the_examples_of_the_class():
    """Of 40 spams 3 were missed by both, 5 by old alone and 2 by new alone: McNemar's table of that class."""
    result = ta.compare(BOTH, metric="recall")
    table = ta.compare(ta.PairedTable(both_wrong=3, only_a_wrong=5, only_b_wrong=2, both_right=30))
    assert_allclose([result.pvalue, result.difference, result.interval.low, result.interval.high],
                    [table.pvalue, table.difference, table.interval.low, table.interval.high], rtol=1e-12)  # fmt: skip


def test_the_false_positive_rate_is_better_when_it_is_smaller():
    """Of 60 hams old took 16 for spam and new 14."""
    result = ta.compare(BOTH, metric="false-positive-rate")
    assert result.difference == pytest.approx((16 - 14) / 60)
    assert result.leader == "B"


@pytest.mark.parametrize(
    ("metric", "method"),
    [("f1", "f1-wilson"), ("f2", "delta"), ("mcc", "delta"), ("kappa", "delta"), ("balanced-accuracy", "mover-wilson"),
     ("label-balance", "tango"), ("recall", "jeffreys")],
)  # fmt: skip
def test_the_metric_chooses_the_interval(metric, method):
    assert ta.estimate(SPAM, metric=metric).method == method


@pytest.mark.parametrize(
    ("metric", "test", "interval"),
    [("accuracy", "mcnemar-mid-p", "tango"), ("precision", "weighted-generalized-score", "paired-delta"),
     ("f1", "paired-delta", "paired-delta"), ("informedness", "mover-tango", "mover-tango")],
)  # fmt: skip
def test_the_metric_chooses_test_and_interval(metric, test, interval):
    result = ta.compare(BOTH, metric=metric)
    assert (result.method, result.interval.method) == (test, interval)


def test_names_of_other_packages_are_understood():
    assert ta.estimate(SPAM, metric="matthews_corrcoef").interval.metric == "mcc"
    assert ta.estimate(OWLS, metric="f1_macro").interval.metric == "f1-macro"


def test_costs_alone_ask_for_the_cost():
    result = ta.estimate(SPAM, costs={("spam", "ham"): 10, ("ham", "spam"): 1})
    assert result.estimate == pytest.approx((5 * 10 + 10 * 1) / 100)


def test_a_class_among_several_is_named():
    assert ta.estimate(OWLS, metric="recall", positive="dog").estimate == pytest.approx(25 / 35)
    with pytest.raises(InvalidOption, match="`positive` is required by recall with 3 classes"):
        ta.estimate(OWLS, metric="recall")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ta.estimate(SPAM, metric="f1", positive="eggs"), "`positive` must be one of 'ham', 'spam'"),
        (lambda: ta.estimate(SPAM, metric="recal"), "Did you mean 'recall'"),
        (lambda: ta.estimate(SPAM, metric="auc"), "`metric` must be for labels"),
        (lambda: ta.estimate(SPAM, metric="cost"), "`costs` are required with metric='cost'"),
        (lambda: ta.estimate(SPAM, metric="f1", costs=[[0, 1], [1, 0]]), "`costs` need metric='cost'"),
        (lambda: ta.estimate(SPAM, metric="mcc", positive="spam"), "`positive` needs a metric of one class"),
        (lambda: ta.estimate(SPAM, metric="mcc", method="f1-wilson"), "'f1-wilson' is for f1, not for mcc"),
        (lambda: ta.estimate(SPAM, positive="spam"), "`metric` is required with positive='spam'"),
        (lambda: ta.estimate(BOTH, metric="f1"), "an estimate needs one model"),
        (lambda: ta.compare(SPAM, metric="f1"), "`evidence` must have two models to compare"),
        (lambda: ta.compare(SPAM, metric="f1", against=0.5), "`against` needs an ErrorCount"),
        (lambda: ta.estimate(ta.ErrorCount(3, 120), metric="f1"), "`metric` of ErrorCount must be 'error', got 'f1'"),
        (lambda: ta.compare(ta.PairedTable(1, 2, 3, 4), metric="auc"), "must be 'error', got 'auc'"),
        (lambda: ta.estimate(ta.ErrorCount(3, 120), metric="f1", positive=1), "`positive` and `costs` need labels"),
        (lambda: ta.estimate(ta.Outcomes.from_scores([0.2, 0.7], metric="rouge"), metric="bleu"), "unknown `metric`"),
        (lambda: ta.compare(BOTH, metric="f1", adjust="holm"), "`adjust` needs several comparisons"),
        (lambda: ta.estimate(SPAM, metric=3), "`metric` must be a name"),
    ],
)  # fmt: skip
def test_a_metric_that_does_not_apply_is_refused_with_a_fix(call, message):
    with pytest.raises(TellapartError, match=message) as caught:
        call()
    assert isinstance(caught.value, InvalidOption | InvalidEvidence)


def test_scores_lead_to_areas_and_to_losses():
    truth, a, b = np.tile([0, 0, 1, 1], 5), np.tile([0.1, 0.4, 0.35, 0.8], 5), np.tile([0.3, 0.2, 0.6, 0.9], 5)
    scores = ta.ClassScores.from_scores(truth, a, b)
    assert ta.compare(scores).method == "delong-paired"
    loss = ta.compare(scores, metric="log_loss")
    assert loss.difference == pytest.approx(np.mean(-np.log([0.9, 0.6, 0.35, 0.8]) + np.log([0.7, 0.8, 0.6, 0.9])))
    with pytest.raises(
        InvalidOption, match="`metric` of scores must be one of 'auc', 'average-precision', 'log-loss', 'brier'"
    ):
        ta.compare(scores, metric="recall")


def test_predictions_are_folded_as_the_metric_needs_it():
    columns = {"label": ["n", "n", "y", "y", "y"], "old": ["n", "y", "y", "n", "y"], "new": ["n", "n", "y", "y", "n"]}
    result = ta.compare(ta.Predictions.of(columns), metric="recall")
    assert result.difference == 0  # both found two of three
    scores = ta.Predictions.of(
        {"label": ["n", "n", "y", "y"], "old": [0.1, 0.4, 0.35, 0.8], "new": [0.2, 0.3, 0.7, 0.9]}
    )
    assert ta.compare(scores, metric="auc").difference == pytest.approx(0.25)


def test_a_margin_is_in_units_of_the_metric():
    result = ta.compare(BOTH, metric="f1", margin=0.2)
    assert result.hypothesis.kind == "non-inferior"
    assert bool(result.rejected) == bool(result.interval.low > -0.2)


def test_the_name_that_was_used_is_echoed():
    """An error rate that is requested by name is not reported as accuracy, nor a sensitivity as recall."""
    truth, a, b = [0, 0, 1, 1] * 20, [0, 1, 1, 1] * 20, [0, 0, 1, 0] * 20
    predictions = ta.Predictions.of({"label": truth, "a": a, "b": b})
    assert str(ta.compare(predictions)).splitlines()[1].startswith("accuracy 75.0% vs 75.0%")
    for name in ("error", "zero_one_loss"):
        assert str(ta.compare(predictions, metric=name)).splitlines()[1].startswith("error rate 25.0% vs 25.0%")
    for name, title in (("sensitivity", "sensitivity"), ("TPR", "TPR"), ("recall_score", "recall")):
        answer = ta.compare(predictions, metric=name)
        assert answer.evidence.metric.name == "recall"
        assert f"\n{title} 1.0" in str(answer)
    counts = ta.ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"])
    assert str(ta.estimate(counts, metric="ppv")).startswith("PPV (spam) 0.78 (95% CI")
    scores = ta.ClassScores.from_scores([0, 0, 1, 1] * 10, np.linspace(0, 1, 40) % 0.37)
    assert str(ta.estimate(scores, metric="auroc")).startswith("AUROC (1) ")
    assert str(ta.estimate(ta.ClassScores.from_scores([0, 1] * 9, [0.2, 0.9] * 9), metric="auc")).startswith("AUC (1)")


def test_the_error_rate_of_a_race_is_reported_if_it_was_named():
    from sklearn.datasets import load_wine
    from sklearn.naive_bayes import GaussianNB

    race = ta.race({"bayes": GaussianNB()}, *load_wine(return_X_y=True), plan="3-fold", jobs=1)
    assert "accuracy 9" in str(ta.estimate(race))
    assert "error rate " in str(ta.estimate(race, metric="error"))
