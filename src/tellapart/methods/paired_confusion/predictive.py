"""Precision and negative predictive value of two classifiers, whose denominators are their own predictions.

The denominators differ, so McNemar's test does not apply. Two score tests and a ratio do (Leisenring, Alonzo and Pepe
2000; Moskowitz and Pepe 2006; Kosinski 2013).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...errors import InvalidOption
from ...evidence import PairedConfusion
from ...metric_rules import CellRatio
from ...numerics.distributions import critical, normal_pvalue, pvalue_of_tails, ratio
from ...results import Interval, TestResult
from ...typing_ import Alternative, BoolArray, FloatArray, Numbers, Side
from ..confusion_matrix.assumptions import DEFINED
from ..confusion_matrix.metric_limits import fill_undefined_limits
from ..limits import RANGES, as_interval
from ..registry import Standing, interval, test
from .assumptions import ENOUGH_EFFECTIVE_PAIRS, RATIO_BOUNDED
from .metric_differences import add_discordant_pairs, mask_undefined_result

_OF_PREDICTIONS: dict[str, Any] = {
    "evidence": PairedConfusion,
    "metrics": ("precision", "negative-predictive-value"),
    "validity": "10 or more effective discordant pairs for the metric",
}


class _Predicted(NamedTuple):
    """By cell [label, A, B]: whether A, and B, predict the class, and whether the label is the class."""

    counts: FloatArray
    by_a: FloatArray
    by_b: FloatArray
    hit: FloatArray

    def total(self, weights: Any) -> FloatArray:
        """Return the sum over all cells; cells that are swapped with A and B are added first."""
        cells = self.counts * weights
        total_: FloatArray = (cells + np.swapaxes(cells, -1, -2)).sum(axis=(-3, -2, -1)) / 2
        return total_


def _count_predictions(pair: PairedConfusion, counts: Any = None) -> _Predicted:
    rule = pair.metric.bound_rule
    if not isinstance(rule, CellRatio):
        raise InvalidOption(
            f"`metric` must be a share of predictions, got {pair.metric.name!r}. Use metric='precision'."
        )
    hit = rule.hits.max(axis=1)  # of a label
    cells = np.asarray(pair.counts if counts is None else counts, dtype=float)
    return _Predicted(cells, rule.trials[:, :, None], rule.trials[:, None, :], hit[:, None, None])


@test(
    name="weighted-generalized-score",
    title="weighted generalized score",
    **_OF_PREDICTIONS,
    assumes=(DEFINED, ENOUGH_EFFECTIVE_PAIRS),
    standing=Standing.RECOMMENDED,
    rationale=(
        "the test with the type I error rate closest to alpha for similar classifiers; it uses only examples "
        "that exactly one of them predicts as the class"
    ),
    statistic="chi-square",
    reference="kosinski2013",
)
def weighted_score(pair: PairedConfusion, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test equal precision of two classifiers with the weighted generalized score statistic.

    With n_A and n_B predictions, p the share of correct ones among all n_A + n_B, and D = 1 if the label is the
    predicted one, the statistic is (p_B − p_A)²·n_A·n_B/Σ(D − p)², the sum over the examples that exactly one of the
    two predicts. That is Kosinski's statistic, in which the examples that both predict cancel.

    With two labels, 200 or 1,000 examples and equal precisions, of similar and of dissimilar classifiers, the type I
    error rate is at most 6% at alpha = 5% with ten or more effective discordant pairs (TA611). Below five it may be
    47%: if one classifier finds much more of the class, and both have the same false positives.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, with the metric "precision" or "negative-predictive-value".
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]]).by("precision")
    >>> result = weighted_score(pair)
    >>> result.statistic.round(4), result.pvalue.round(4)
    (np.float64(5.4659), np.float64(0.0194))
    """
    predictions = _count_predictions(pair)
    n_a, n_b = predictions.total(predictions.by_a), predictions.total(predictions.by_b)
    alone = np.abs(predictions.by_a - predictions.by_b)
    square = predictions.total(alone * (predictions.hit - _pooled_share(predictions)) ** 2)
    return _score_result(pair, np.sqrt(ratio(square, n_a * n_b, empty=0.0)), alternative)


@test(
    name="generalized-score",
    title="generalized score",
    **_OF_PREDICTIONS,
    assumes=(DEFINED, ENOUGH_EFFECTIVE_PAIRS),
    standing=Standing.SOUND,
    rationale=(
        "the score test of a regression of the label on the classifier; for similar classifiers and few relevant "
        "examples it rejects up to 1.6 times too often"
    ),
    statistic="chi-square",
    reference="leisenring2000",
)
def generalized_score(pair: PairedConfusion, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test equal precision of two classifiers with the generalized score statistic.

    The score test of a generalized estimating equation with independent working correlation: over all predictions, D
    (the label is the predicted one) is regressed on the classifier, with examples as clusters of one or two. The
    statistic is (p_B − p_A)²/Σ(D − p)²(t_B/n_B − t_A/n_A)², where t indicates who predicts it.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, with the metric "precision" or "negative-predictive-value".
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]]).by("precision")
    >>> generalized_score(pair).pvalue.round(4)
    np.float64(0.0169)
    """
    predictions = _count_predictions(pair)
    with np.errstate(divide="ignore", invalid="ignore"):  # nothing predicted
        a, b = (by / predictions.total(by)[..., None, None, None] for by in (predictions.by_a, predictions.by_b))
        square = predictions.total((predictions.hit - _pooled_share(predictions)) ** 2 * (b - a) ** 2)
    return _score_result(pair, np.sqrt(square), alternative)


# --- The ratio ------------------------------------------------------------------------------------

_RATIO: dict[str, Any] = {
    "title": "relative predictive value",
    **_OF_PREDICTIONS,
    "name": "relative-predictive-value",
    "parameter": "ratio",
    "assumes": (DEFINED, ENOUGH_EFFECTIVE_PAIRS, RATIO_BOUNDED),
    "standing": Standing.SOUND,
    "rationale": "closed form for the logarithm of the ratio of the two precisions",
    "reference": "moskowitz2006",
}


@interval(**_RATIO)
def relative_predictive_value(pair: PairedConfusion, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Return limits of precision(B)/precision(A); values above 1 mean that B is better.

    log(p_B/p_A) ± z·s, with s from the delta method on the joint counts. If a classifier has no correct prediction, the
    ratio has no limit on one side; then, and if s is 0 because all predictions are correct or equal, discordant pairs
    are added to the counts as by `paired-delta`.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, with the metric "precision" or "negative-predictive-value".
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]]).by("precision")
    >>> limits = relative_predictive_value(pair)
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(1.0085), np.float64(1.0903))
    """
    z, log_ratio = critical(alpha, side), _log_ratio(pair)
    with np.errstate(over="ignore"):
        low = np.where(log_ratio.none_b, 0.0, np.exp(log_ratio.log - z * log_ratio.error))
        high = np.where(log_ratio.none_a, np.inf, np.exp(log_ratio.log + z * log_ratio.error))
    limits = fill_undefined_limits((low, high), pair.difference, RANGES["ratio"])
    return as_interval("relative-predictive-value", limits, alpha, side, "ratio")


@test(statistic="z", **_RATIO)
def relative_predictive_value_test(pair: PairedConfusion, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether the ratio of the precisions is 1, on the log scale; it agrees with the interval of this name.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, with the metric "precision" or "negative-predictive-value".
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]]).by("precision")
    >>> relative_predictive_value_test(pair).pvalue.round(5)
    np.float64(0.01715)
    """
    log_ratio = _log_ratio(pair)
    z = np.nan_to_num(ratio(log_ratio.log, log_ratio.error, empty=0.0))
    # On an unbounded side nothing can be rejected.
    less = np.where(log_ratio.none_a, 1.0, normal_pvalue(z, "less"))
    greater = np.where(log_ratio.none_b, 1.0, normal_pvalue(z, "greater"))
    return mask_undefined_result(pair, TestResult(statistic=z, pvalue=pvalue_of_tails(less, greater, alternative)))


class _LogRatio(NamedTuple):
    """log(p_B/p_A) and its standard error, and whether A, or B, has no correct prediction."""

    log: FloatArray
    error: FloatArray
    none_a: BoolArray
    none_b: BoolArray


def _log_ratio(pair: PairedConfusion) -> _LogRatio:
    predictions = _count_predictions(pair)
    none_a, none_b = (predictions.total(by * predictions.hit) == 0 for by in (predictions.by_a, predictions.by_b))
    log, error = _log_and_error(predictions)
    flat = none_a | none_b | ~(error > 0)
    if np.any(flat):
        more = _log_and_error(_count_predictions(pair, add_discordant_pairs(pair)))
        same = (pair.counts == np.swapaxes(pair.counts, -1, -2)).all(axis=(-3, -2, -1))
        log = np.where(flat, np.where(same, 0.0, more[0]), log)  # to the last digit
        least_error = 1 / np.asarray(pair.examples)  # if no discordant pair matters, one example might
        error = np.where(flat, np.maximum(more[1], least_error), error)
    return _LogRatio(log, error, none_a, none_b)


def _log_and_error(predictions: _Predicted) -> tuple[FloatArray, FloatArray]:
    """Return the logarithm of the ratio and its standard error; not finite without correct predictions."""
    parts = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for by in (predictions.by_a, predictions.by_b):
            n, hits = predictions.total(by), predictions.total(by * predictions.hit)
            share = (hits / n)[..., None, None, None]
            parts.append((np.log(hits / n), by * (predictions.hit - share) / hits[..., None, None, None]))
        (log_a, change_a), (log_b, change_b) = parts
        return log_b - log_a, np.sqrt(predictions.total((change_b - change_a) ** 2))


def _pooled_share(predictions: _Predicted) -> FloatArray:
    """Return the share of correct ones among all predictions of both."""
    both = predictions.by_a + predictions.by_b
    return ratio(predictions.total(both * predictions.hit), predictions.total(both), empty=np.nan)[
        ..., None, None, None
    ]


def _score_result(pair: PairedConfusion, error: Numbers, alternative: Alternative) -> TestResult:
    """Return chi-square and its p-value; equal predictions have p = 1."""
    z = np.nan_to_num(ratio(pair.difference, error, empty=0.0))
    return mask_undefined_result(pair, TestResult(statistic=z**2, pvalue=normal_pvalue(z, alternative)))
