"""How large is the error?"""

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
    missing: str = "refuse",
    **options: Any,
) -> Estimate:
    """Return how large the true error (or another metric) is, and how sure that is.

    Parameters
    ----------
    evidence
        What was observed: an `ErrorCount`, a `StratifiedCount`, a `ConfusionMatrix`, or the `ClassScores` or
        `Outcomes` of one model; one entry, or an array of them. `Predictions` of one model, where a metric is asked
        for. Of a learner: a race, `Resamples` or `TrainingSets`.
    method
        The name of the interval, or of a learner's estimator; advice picks one if left out. `find_methods` lists them.
    level, alpha
        Confidence level, or the error probability 1 − level; 0.95 if neither is given.
    side
        "two", "upper" (an upper bound) or "lower".
    learner
        Which learner, where there are several.
    metric
        What to measure: "error", "accuracy", "precision", "recall", "specificity", "false-positive-rate", "f1" ("f2",
        "f0.5"), "jaccard", "balanced-accuracy", "informedness", "mcc", "kappa", "cost" or "label-balance" of a
        `ConfusionMatrix` (precision, recall, F and jaccard also with "-macro", "-micro", "-weighted"); "auc",
        "average-precision", "log-loss" or "brier" of `ClassScores`; either of predictions and of a race.
    positive
        The class that precision, recall, F and the like speak of; of two labels the last, if left out.
    costs
        What each label taken for each prediction costs: rows of numbers, or a mapping from (label, prediction).
    missing
        Of a race: whether to "refuse" or "drop" splits whose fit failed.
    options
        What the method takes besides: `prior=`, `pool=`, `raw=` and the like.

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
