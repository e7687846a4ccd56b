"""The verb `estimate`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..results import Estimate
from ..typing_ import Side
from . import pipeline
from .dispatch import as_evidence
from .request import Request


def estimate(
    evidence: Any,
    *,
    method: str | None = None,
    level: float | None = None,
    alpha: float | None = None,
    side: Side = "two",
    learner: str | None = None,
    metric: Any = None,
    positive: Any = None,
    costs: Any = None,
    missing: str = "fail",
    **options: Any,
) -> Estimate:
    """Return the estimate of the error rate (or another metric) of one model, with its confidence interval.

    Parameters
    ----------
    evidence
        An `ErrorCount`, a `StratifiedCount`, a `ConfusionMatrix`, or the `ClassScores` or `Outcomes` of one model; one
        entry, or an array of them. `Predictions` of one model. For a learner: a race, `Resamples` or `TrainingSets`.
    method
        The name of the interval, or of a learner's estimator. Default: chosen by design. `find_methods` lists them.
    level, alpha
        The confidence level, or the error probability 1 − level. Default: level 0.95.
    side
        "two", "upper" (an upper bound) or "lower".
    learner
        The learner, if there are several.
    metric
        The metric: "error", "accuracy", "precision", "recall", "specificity", "false-positive-rate", "f1" ("f2",
        "f0.5"), "jaccard", "balanced-accuracy", "informedness", "mcc", "kappa", "cost" or "label-balance" for a
        `ConfusionMatrix` (precision, recall, F and jaccard also with "-macro", "-micro", "-weighted"); "auc",
        "average-precision", "log-loss" or "brier" for `ClassScores`; any of these for predictions and a race.
    positive
        The positive class of precision, recall, F and similar metrics. Default: the last of two labels.
    costs
        The costs by true label and prediction: rows of numbers, or a mapping from (label, prediction).
    missing
        How to handle missing predictions and failed fits: "fail" raises an error; "drop" leaves out these examples (of
        predictions) or splits (of a race); "wrong" counts missing predictions as errors.
    options
        Options of the method, such as `prior=`, `pool=` and `raw=`.

    Examples
    --------
    >>> from tellapart import ConfusionMatrix, ErrorCount, Resamples
    >>> answer = estimate(ErrorCount(3, 120))
    >>> answer.method, round(answer.estimate, 4), round(answer.interval.low, 4), round(answer.interval.high, 4)
    ('jeffreys', np.float64(0.025), np.float64(0.0071), np.float64(0.0652))
    >>> round(estimate(ErrorCount(0, 59), side="upper", method="clopper-pearson").interval.high, 4)
    np.float64(0.0495)
    >>> answer = estimate(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]), metric="f1")
    >>> answer.method, round(answer.estimate, 4), round(answer.interval.low, 4), round(answer.interval.high, 4)
    ('f1-wilson', np.float64(0.8235), np.float64(0.72), np.float64(0.8944))
    >>> scores = Resamples.from_scores([0.95, 0.9, 0.93, 0.91, 0.96], plan="5-fold", examples=150)
    >>> answer = estimate(scores)
    >>> answer.target, round(answer.estimate, 3), round(answer.interval.low, 3), round(answer.interval.high, 3)
    ('A, trained on 120 examples', np.float64(0.07), np.float64(0.023), np.float64(0.117))
    """
    learners = None if learner is None else (learner,)
    request = Request.of(
        method=method,
        level=level,
        alpha=alpha,
        side=side,
        learners=learners,
        metric=metric,
        positive=positive,
        costs=costs,
        missing=missing,
        options=options,
    )
    observed, excluded = as_evidence(evidence, request)
    answer = pipeline.estimate(pipeline.reduce(observed, request), request)
    return replace(answer, excluded=dict(excluded)) if excluded else answer
