"""Precision (and negative predictive value) of two classifiers: each has predictions of its own to be right about.

So the denominators differ, and McNemar's test does not fit. Two score tests and a ratio do (Leisenring, Alonzo and
Pepe 2000; Moskowitz and Pepe 2006; Kosinski 2013).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...errors import InvalidOption
from ...evidence import PairedConfusion
from ...metric_rules import Share
from ...numerics.distributions import critical, normal_pvalue, pvalue_of_tails, ratio
from ...results import Interval, TestResult
from ...typing_ import Alternative, BoolArray, FloatArray, Numbers, Side
from ..confusion_matrix.assumptions import DEFINED
from ..confusion_matrix.common import whole_where_undefined
from ..limits import RANGES, as_interval
from ..registry import Standing, interval, test
from .assumptions import DISAGREEMENTS_THAT_MATTER, RATIO_BOUNDED
from .common import known_where_defined, with_disagreements

_OF_PREDICTIONS: dict[str, Any] = {
    "evidence": PairedConfusion,
    "metrics": ("precision", "negative-predictive-value"),
    "validity": "10 or more disagreements that bear on the metric",
}


class _Predicted(NamedTuple):
    """By cell [label, A, B]: whether A, and B, predicted what is asked about, and whether the label is that."""

    counts: FloatArray
    by_a: FloatArray
    by_b: FloatArray
    hit: FloatArray

    def total(self, weights: Any) -> FloatArray:
        """Return the sum over all cells; two that exchanging A and B exchanges are added up first."""
        cells = self.counts * weights
        found: FloatArray = (cells + np.swapaxes(cells, -1, -2)).sum(axis=(-3, -2, -1)) / 2
        return found


def _predicted(pair: PairedConfusion, counts: Any = None) -> _Predicted:
    rule = pair.metric.bound_rule
    if not isinstance(rule, Share):
        raise InvalidOption(f"{pair.metric.title} is no share of predictions.")
    hit = rule.hits.max(axis=1)  # of a label
    cells = np.asarray(pair.counts if counts is None else counts, dtype=float)
    return _Predicted(cells, rule.trials[:, :, None], rule.trials[:, None, :], hit[:, None, None])


@test(
    name="weighted-generalized-score",
    **_OF_PREDICTIONS,
    assumes=(DEFINED, DISAGREEMENTS_THAT_MATTER),
    standing=Standing.RECOMMENDED,
    rationale="of classifiers that are alike it holds its level best; it reads only what one of the two predicted alone",
    statistic="chi-square",
    reference="kosinski2013",
)
def weighted_score(pair: PairedConfusion, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether the precisions of two classifiers are equal, by the weighted generalised score.

    With n_A and n_B predictions, p the share of right ones among all n_A + n_B, and D = 1 where the label is the one
    predicted, the statistic is (p_B − p_A)²·n_A·n_B/Σ(D − p)², the sum over the examples for which exactly one of the
    two predicted it. That is Kosinski's statistic, in which the examples that both predicted cancel.

    With two labels, 200 or 1000 examples and precisions that are equal, of classifiers that are alike and of ones that
    are not, it rejects 6 % of the time or less at 5 % where ten disagreements or more bear on the precision (TA611).
    Below five it may reject 47 %: one classifier finds much more of the class, and both raise the same false alarms.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, asked for "precision" or "negative-predictive-value".
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]]).by("precision")
    >>> found = weighted_score(pair)
    >>> found.statistic.round(4), found.pvalue.round(4)
    (np.float64(5.4659), np.float64(0.0194))
    """
    seen = _predicted(pair)
    n_a, n_b = seen.total(seen.by_a), seen.total(seen.by_b)
    alone = np.abs(seen.by_a - seen.by_b)
    square = seen.total(alone * (seen.hit - _pooled(seen)) ** 2)
    return _significance(pair, np.sqrt(ratio(square, n_a * n_b, empty=0.0)), alternative)


@test(
    name="generalized-score",
    **_OF_PREDICTIONS,
    assumes=(DEFINED, DISAGREEMENTS_THAT_MATTER),
    standing=Standing.SOUND,
    rationale="the score test of the regression of label on classifier; of classifiers that are alike it rejects up to"
    " 1.6 times as often as it should where few examples matter",
    statistic="chi-square",
    reference="leisenring2000",
)
def generalized_score(pair: PairedConfusion, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether the precisions of two classifiers are equal, by the generalised score.

    The score test of a generalised estimating equation with independent working correlation: of all predictions,
    regress D (the label is the one predicted) on who made it, examples being clusters of one or two. It is
    (p_B − p_A)²/Σ(D − p)²(t_B/n_B − t_A/n_A)², t telling who predicted it.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, asked for "precision" or "negative-predictive-value".
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]]).by("precision")
    >>> generalized_score(pair).pvalue.round(4)
    np.float64(0.0169)
    """
    seen = _predicted(pair)
    with np.errstate(divide="ignore", invalid="ignore"):  # nothing predicted
        a, b = (by / seen.total(by)[..., None, None, None] for by in (seen.by_a, seen.by_b))
        square = seen.total((seen.hit - _pooled(seen)) ** 2 * (b - a) ** 2)
    return _significance(pair, np.sqrt(square), alternative)


# --- The ratio ------------------------------------------------------------------------------------

_RATIO: dict[str, Any] = {
    **_OF_PREDICTIONS,
    "name": "relative-predictive-value",
    "parameter": "ratio",
    "assumes": (DEFINED, DISAGREEMENTS_THAT_MATTER, RATIO_BOUNDED),
    "standing": Standing.SOUND,
    "rationale": "a closed form for the logarithm of the ratio: it says how many times as precise B is",
    "reference": "moskowitz2006",
}


@interval(**_RATIO)
def relative_predictive_value(pair: PairedConfusion, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give limits of precision(B)/precision(A): how many times as precise B is; above 1 where B is better.

    log(p_B/p_A) ± z·s, with s from the delta method on the joint counts. Where one of the two was never right the
    ratio has no bound on one side; there, and where the spread is 0 because all predictions were right or the same, a
    few disagreements are added to the counts, as `paired-delta` has them.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, asked for "precision" or "negative-predictive-value".
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
    z, found = critical(alpha, side), _log_ratio(pair)
    with np.errstate(over="ignore"):
        low = np.where(found.none_b, 0.0, np.exp(found.log - z * found.error))
        high = np.where(found.none_a, np.inf, np.exp(found.log + z * found.error))
    limits = whole_where_undefined((low, high), pair.difference, RANGES["ratio"])
    return as_interval("relative-predictive-value", limits, alpha, side, "ratio")


@test(statistic="z", **_RATIO)
def relative_predictive_value_test(pair: PairedConfusion, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether the ratio of the precisions is 1, by its logarithm; it decides as the interval of this name does.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, asked for "precision" or "negative-predictive-value".
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]]).by("precision")
    >>> relative_predictive_value_test(pair).pvalue.round(5)
    np.float64(0.01715)
    """
    found = _log_ratio(pair)
    z = np.nan_to_num(ratio(found.log, found.error, empty=0.0))
    # On a side without a bound nothing can be rejected.
    less = np.where(found.none_a, 1.0, normal_pvalue(z, "less"))
    greater = np.where(found.none_b, 1.0, normal_pvalue(z, "greater"))
    return known_where_defined(pair, TestResult(statistic=z, pvalue=pvalue_of_tails(less, greater, alternative)))


class _LogRatio(NamedTuple):
    """log(p_B/p_A) and its standard error, and where A, or B, was never right."""

    log: FloatArray
    error: FloatArray
    none_a: BoolArray
    none_b: BoolArray


def _log_ratio(pair: PairedConfusion) -> _LogRatio:
    seen = _predicted(pair)
    none_a, none_b = (seen.total(by * seen.hit) == 0 for by in (seen.by_a, seen.by_b))
    log, error = _log_and_error(seen)
    flat = none_a | none_b | ~(error > 0)
    if np.any(flat):
        more = _log_and_error(_predicted(pair, with_disagreements(pair)))
        same = (pair.counts == np.swapaxes(pair.counts, -1, -2)).all(axis=(-3, -2, -1))
        log = np.where(flat, np.where(same, 0.0, more[0]), log)  # to the last digit
        one = 1 / np.asarray(pair.examples)  # where no disagreement could matter, at least one example might
        error = np.where(flat, np.maximum(more[1], one), error)
    return _LogRatio(log, error, none_a, none_b)


def _log_and_error(seen: _Predicted) -> tuple[FloatArray, FloatArray]:
    """Return the logarithm of the ratio and its standard error; neither is finite where one was never right."""
    parts = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for by in (seen.by_a, seen.by_b):
            n, hits = seen.total(by), seen.total(by * seen.hit)
            share = (hits / n)[..., None, None, None]
            parts.append((np.log(hits / n), by * (seen.hit - share) / hits[..., None, None, None]))
        (log_a, change_a), (log_b, change_b) = parts
        return log_b - log_a, np.sqrt(seen.total((change_b - change_a) ** 2))


def _pooled(seen: _Predicted) -> FloatArray:
    """Return the share of right ones among all predictions of both."""
    both = seen.by_a + seen.by_b
    return ratio(seen.total(both * seen.hit), seen.total(both), empty=np.nan)[..., None, None, None]


def _significance(pair: PairedConfusion, error: Numbers, alternative: Alternative) -> TestResult:
    """Return chi-square and its p-value; predictions that never differ show no difference."""
    z = np.nan_to_num(ratio(pair.difference, error, empty=0.0))
    return known_where_defined(pair, TestResult(statistic=z**2, pvalue=normal_pvalue(z, alternative)))
