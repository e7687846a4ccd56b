"""Is B really better than A?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..errors import InvalidOption
from ..evidence import Evidence
from ..typing_ import Alternative, FloatArray, Hypothesis
from . import pipeline
from .dispatch import as_evidence
from .request import Adjust, Request, as_count

if TYPE_CHECKING:
    from ..evidence import ErrorPatterns, Outcomes, Resamples, ScoreTable, TrainingSets
    from ..results import Comparison, Ranking


@overload
def compare(evidence: ErrorPatterns | Outcomes, **options: Any) -> Comparison | Ranking: ...  # two of them are a pair
@overload
def compare(evidence: Resamples | ScoreTable | TrainingSets, **options: Any) -> Comparison | Ranking: ...
@overload
def compare(evidence: Evidence, **options: Any) -> Comparison: ...
@overload
def compare(evidence: Any, **options: Any) -> Any: ...  # whatever can be converted
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
    missing: str = "refuse",
    reseeds: int = 0,
    control: str | None = None,
    difference: float | None = None,
    **options: Any,
) -> Comparison | Ranking:
    """Return whether B is really better than A, by how much, and how sure that is.

    Parameters
    ----------
    evidence
        What was observed: a `PairedTable` (two classifiers, one test set), `IndependentCounts` (two
        test sets), `ErrorPatterns` (several classifiers) or an `ErrorCount` with a threshold; one
        entry, or an array of them. `Predictions` are counted first, and what was left out is in the result.
        `Outcomes` (the score of each example) where counts cannot tell: graded scores, clusters, weights, repeats.
        For other metrics than errors a `PairedConfusion` (or `LabelPatterns` of several), or `ClassScores`.
        Of learners: a race, `Resamples` or `TrainingSets`; the method follows the plan. Over many data sets: a
        `ScoreTable`.
    against
        The threshold for an `ErrorCount`, an error rate strictly between 0 and 1.
    method
        The test's name (or an interval's); advice picks one if left out. `find_methods` lists them.
    interval
        The name of the interval to show beside it; the test's partner, or the default.
    level, alpha
        The test rejects where its p-value is below alpha, or 1 − level; 0.05 if neither is given.
    alternative
        "two-sided", "greater" (error(A) exceeds error(B): B is better) or "less".
    margin
        A difference that would not matter: of error rates, such as 0.01 for one point; else in units of the score.
    hypothesis
        What is to be shown of a margin: "non-inferior" (B is at most that much worse; the default),
        "superior" (B is better by more) or "equivalent". One-sided at alpha; the interval shown is
        the one that decides, at 1 − 2·alpha.
    adjust
        For several classifiers, how p-values pay for their number: "max-t" (the default), "holm",
        "hochberg", "hommel", "finner", "shaffer", "bergmann-hommel", "benjamini-hochberg", "benjamini-yekutieli",
        "bonferroni" or "none". For an array of tables, such as one a group, all but "max-t", "shaffer" and
        "bergmann-hommel"; "none" is the default there.
    looks
        How often this test set was looked at before; it is reported.
    learners
        Which of the learners, two or more; all if left out.
    metric, positive, costs
        What to measure, as `estimate` takes them: of a `PairedConfusion` or `LabelPatterns` all that counts determine
        ("precision", "f1", "mcc", "cost", …), of `ClassScores` "auc", "average-precision", "log-loss" or "brier", of
        predictions and of a race either. Errors, if left out.
    missing
        Of a race: whether to "refuse" or "drop" splits whose fit failed.
    reseeds
        Of a race: over how many other seeds of the splits to show the p-value as well. Every one is a race of its own.
    control
        Of a `ScoreTable`: the learner that every other is compared with; all pairs, if left out.
    difference
        Of a `ScoreTable`: a difference that would matter. The answer then tells how often so many data sets would show
        it, and how many it would take; it is never taken from the scores.
    options
        What test and interval take besides.

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
            f"{observed.metric.name} says how often a class is predicted, not who is better: estimate it of each model."
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
    """Compare by this race, and add the p-values of the same race over other splits."""
    reseeded = getattr(race, "reseeded", None)
    if reseeded is None:
        raise InvalidOption("reseeds runs a race again on other splits; what is given here cannot be. Leave it out.")
    answer = compare(race, **keywords)
    if answer.evidence.shape or len(answer.evidence.models) != 2:
        raise InvalidOption("reseeds is for two learners. Name them: learners=('a', 'b').")
    pvalues = np.array([compare(other, **keywords).pvalue for other in reseeded(times)])
    shown: Comparison = replace(answer, notes=(*answer.notes, pipeline.note_of_seeds(pvalues)))
    return shown
