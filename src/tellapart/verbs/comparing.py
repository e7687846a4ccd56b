"""The verb `compare`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..errors import InvalidOption
from ..evidence import Evidence
from ..typing_ import Alternative, FloatArray, Hypothesis, list_names
from . import pipeline
from .dispatch import as_evidence
from .request import Adjust, Request, as_count

if TYPE_CHECKING:
    from ..evidence import ErrorPatterns, Outcomes, Resamples, ScoreTable, TrainingSets
    from ..results import Comparison, Ranking


@overload
def compare(evidence: ErrorPatterns | Outcomes, **options: Any) -> Comparison | Ranking: ...  # two models are a pair
@overload
def compare(evidence: Resamples | ScoreTable | TrainingSets, **options: Any) -> Comparison | Ranking: ...
@overload
def compare(evidence: Evidence, **options: Any) -> Comparison: ...
@overload
def compare(evidence: Any, **options: Any) -> Any: ...  # anything that can be converted
def compare(
    evidence: Any,
    *,
    against: float | FloatArray | None = None,
    method: str | None = None,
    interval: str | None = None,
    level: float | None = None,
    alpha: float | None = None,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    hypothesis: Hypothesis | None = None,
    adjust: Adjust | None = None,
    looks: int = 0,
    learners: Sequence[str] | None = None,
    metric: Any = None,
    positive: Any = None,
    costs: Any = None,
    missing: str = "fail",
    reseeds: int = 0,
    control: str | None = None,
    difference: float | None = None,
    **options: Any,
) -> Comparison | Ranking:
    """Return the comparison of two models (or a ranking of several): difference, interval and p-value.

    Parameters
    ----------
    evidence
        A `PairedTable` (two classifiers, one test set), `IndependentCounts` (two test sets), `ErrorPatterns`
        (several classifiers) or an `ErrorCount` with a threshold; one entry, or an array of them. `Predictions` are
        counted first; the result reports the examples that were left out. `Outcomes` (the score of each example) for
        graded scores, clusters, weights and repeats. For metrics other than the error rate a `PairedConfusion` (or
        `LabelPatterns` for several models), or `ClassScores`. For learners: a race, `Resamples` or `TrainingSets`; the
        method follows the plan. Over many data sets: a `ScoreTable`.
    against
        The threshold for an `ErrorCount`, an error rate strictly between 0 and 1.
    method
        The test's name (or an interval's). Default: chosen by design. `find_methods` lists them.
    interval
        The interval's name. Default: the interval that belongs to the test.
    level, alpha
        The test rejects if its p-value is below alpha, or 1 − level. Default: 0.05.
    alternative
        "two-sided", "greater" (error(A) exceeds error(B): B is better) or "less".
    margin
        The non-inferiority margin: for error rates a proportion, such as 0.01 for 1 pp; else in units of the score.
    hypothesis
        With a margin: "non-inferior" (the default), "superior" (B is better by more than the margin) or
        "equivalent". One-sided at alpha; the interval has level 1 − 2·alpha, which agrees with the test.
    adjust
        For several classifiers, how p-values are adjusted for multiple comparisons: "max-t" (the default), "holm",
        "hochberg", "hommel", "finner", "shaffer", "bergmann-hommel", "benjamini-hochberg", "benjamini-yekutieli",
        "bonferroni" or "none". For an array of tables, such as one per group, all but "max-t", "shaffer" and
        "bergmann-hommel"; "none" is the default there.
    looks
        The number of earlier comparisons on this test set, which the answer reports.
    learners
        The names of two or more models to compare. Default: all.
    metric, positive, costs
        The metric, as in `estimate`: for a `PairedConfusion` or `LabelPatterns` any metric of labels ("precision",
        "f1", "mcc", "cost", …), for `ClassScores` "auc", "average-precision", "log-loss" or "brier", for predictions
        and a race any of these. Default: the error rate.
    missing
        How to handle missing predictions and failed fits: "fail" raises an error; "drop" leaves out these examples (of
        predictions) or splits (of a race); "wrong" counts missing predictions as errors.
    reseeds
        Of a race: the number of further seeds of the splits for which to compute the p-value. Each runs a new race.
    control
        Of a `ScoreTable`: the learner with which all others are compared. Default: all pairs.
    difference
        Of a `ScoreTable`: the smallest relevant difference, for which the answer reports the power and the number of
        data sets needed.
    options
        Options of the test and the interval.

    Examples
    --------
    >>> from tellapart import ErrorCount, PairedTable, Resamples
    >>> table = PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)
    >>> answer = compare(table)
    >>> answer.better, round(answer.pvalue, 4), round(answer.interval.low, 3), round(answer.interval.high, 3)
    ('B', np.float64(0.0113), np.float64(0.036), np.float64(0.263))
    >>> compare(table, margin=0.01).rejected
    np.True_
    >>> compare(ErrorCount(3, 240), against=0.05, alternative="less").better
    'A'
    >>> scores = Resamples.from_scores([0.95, 0.94, 0.96, 0.93], [0.9, 0.92, 0.91, 0.89], plan="4-fold")
    >>> answer = compare(scores)
    >>> answer.method, answer.better, round(answer.pvalue, 3)
    ('corrected-resampled-t', 'A', np.float64(0.034))
    """
    keywords = {name: value for name, value in locals().items() if name not in {"evidence", "options", "reseeds"}}
    request = Request.of(**keywords, options=options)
    if as_count("reseeds", reseeds):
        return _over_other_seeds(evidence, reseeds, keywords | options)
    observed, excluded = as_evidence(evidence, request)
    if not observed.metric.is_comparable:
        raise InvalidOption(
            f"`metric` must have a better direction to compare, got {observed.metric.name!r}. Use estimate() for each"
            " model."
        )
    answer = compare_evidence(observed, request)
    return replace(answer, excluded=dict(excluded)) if excluded else answer


def compare_evidence(evidence: Evidence, request: Request) -> Comparison | Ranking:
    """Return the comparison of two models, or the ranking of several."""
    if len(evidence.models) == 1:
        request.require_threshold(evidence)
    evidence = pipeline.reduce(evidence, request)
    request.check(evidence)
    if len(evidence.models) > 2:
        from .ranking import rank

        return rank(evidence, request)
    if request.control is not None and request.control != evidence.models[0]:
        evidence = evidence.select(request.control, evidence.models[0])
    return pipeline.adjust(pipeline.compare(evidence, request), request.adjust)


def _over_other_seeds(race: Any, times: int, keywords: dict[str, Any]) -> Comparison:
    """Return the comparison by a race, with the p-values of the same race over other splits."""
    reseeded = getattr(race, "reseeded", None)
    if reseeded is None:
        raise InvalidOption(f"`reseeds` needs a race, which can be repeated, got {type(race).__name__}. Leave it out.")
    answer = compare(race, **keywords)
    if answer.evidence.shape or len(answer.evidence.models) != 2:
        raise InvalidOption(
            f"`reseeds` needs two learners, got {list_names(answer.evidence.models)}. Use learners=('a', 'b')."
        )
    pvalues = np.array([compare(repetition, **keywords).pvalue for repetition in reseeded(times)])
    extended: Comparison = replace(answer, notes=(*answer.notes, pipeline.note_of_seeds(pvalues)))
    return extended
