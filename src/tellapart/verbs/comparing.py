"""Is B really better than A?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import (
    ClassScores,
    ConfusionMatrix,
    ErrorCount,
    ErrorPatterns,
    Evidence,
    IndependentCounts,
    LabelPatterns,
    Outcomes,
    PairedConfusion,
    PairedTable,
    expect,
)
from ..metrics import canonical_name
from ..results import Comparison, Ranking
from ..typing_ import Alternative, FloatArray, Hypothesis, as_alpha, one_of
from .pairs import Adjust, against_threshold, paid, pair, with_margin
from .parts import Asked

if TYPE_CHECKING:
    from ..evidence import Resamples, ScoreTable, TrainingSets

_MEASURED_OF = (ClassScores, ConfusionMatrix, LabelPatterns, Outcomes, PairedConfusion)  # of a metric of their own
_MEASURED = (PairedConfusion, LabelPatterns, ClassScores)  # which are asked for a metric


@overload
def compare(evidence: ErrorPatterns | Outcomes, **options: Any) -> Comparison | Ranking: ...  # two of them are a pair
@overload
def compare(evidence: Resamples | ScoreTable | TrainingSets, **options: Any) -> Comparison | Ranking: ...
@overload
def compare(evidence: Evidence, **options: Any) -> Comparison: ...
@overload
def compare(evidence: Any, **options: Any) -> Any: ...  # predictions and races fold themselves
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
    """Tell whether B is really better than A, by how much, and how sure we are.

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
    >>> table = PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)
    >>> answer = compare(table)
    >>> answer.better, round(answer.pvalue, 4), round(answer.interval.low, 3), round(answer.interval.high, 3)
    ('B', np.float64(0.0113), np.float64(0.036), np.float64(0.263))
    >>> compare(table, margin=0.01).rejected
    np.True_
    >>> compare(ErrorCount(3, 240), against=0.05, alternative="less").better
    'A'
    >>> from tellapart import Resamples
    >>> held = Resamples.from_scores([0.95, 0.94, 0.96, 0.93], [0.9, 0.92, 0.91, 0.89], plan="4-fold")
    >>> answer = compare(held)
    >>> answer.method, answer.better, round(answer.pvalue, 3)
    ('corrected-resampled-t', 'A', np.float64(0.034))
    """
    own = {"learners": learners, "metric": metric, "positive": positive, "costs": costs, "missing": missing}
    keywords: dict[str, Any] = {"method": method, "interval": interval, "level": level, "alpha": alpha} | options
    keywords |= {"alternative": alternative, "margin": margin, "hypothesis": hypothesis, "adjust": adjust}
    keywords |= {"looks": looks, "against": against}
    if _as_count("reseeds", reseeds):
        return _over_other_seeds(evidence, int(reseeds), keywords | own)
    benchmark: dict[str, Any] = {"control": control, "difference": difference}
    if hasattr(evidence, "datasets"):
        from .data_sets import compare_over_data_sets

        return compare_over_data_sets(evidence, **keywords, **own, **benchmark)
    _refuse_for_one_data_set(benchmark)
    if hasattr(evidence, "learners"):
        from .learners import fold  # a test set is no reason to load what learners need

        evidence = fold(evidence, **own, named=(method, interval))
    else:
        _refuse_for_classifiers({"learners": learners, "missing": missing})
        if isinstance(evidence, _MEASURED_OF) or (metric, positive, costs) != (None, None, None):
            from .measured import asked_for

            if isinstance(evidence, ConfusionMatrix):
                _refuse_one(evidence, against, metric)
            evidence, reasons = asked_for(evidence, metric, positive, costs)
            if reasons:
                return _without(reasons, evidence, keywords)
    if hasattr(evidence, "tally"):  # predictions fold themselves, and say what was left out
        folded, reasons = _folded(evidence)
        return _without(reasons, folded, keywords)
    if isinstance(evidence, Outcomes):
        from .outcomes import as_counted

        evidence = as_counted(evidence, method, interval)
    if isinstance(evidence, ErrorPatterns | LabelPatterns) and len(evidence.models) == 2:
        evidence = evidence.pair(*evidence.models)
    if against is not None and not isinstance(evidence, Evidence):
        expect(ErrorCount, evidence)
    held = (
        evidence
        if hasattr(evidence, "learners")
        else expect(PairedTable, evidence, IndependentCounts, ErrorPatterns, ErrorCount, Outcomes, *_MEASURED)
    )
    one_of("alternative", alternative, Alternative)
    given = {"against": against, "margin": margin, "hypothesis": hypothesis, "adjust": adjust, "looks": looks or None}
    _refuse_others(held, {name for name, value in given.items() if value is not None}, options)
    asked = Asked(as_alpha(level, alpha), level, alternative, method, interval, options)
    if isinstance(held, ErrorCount):
        return against_threshold(held, against, asked)
    return _compared(held, asked, margin, hypothesis, adjust, _as_count("looks", looks))


def _refuse_one(matrix: ConfusionMatrix, against: Any, metric: Any) -> None:
    """Refuse one classifier where two are wanted; against a threshold its errors alone can be held."""
    if against is None:
        raise InvalidEvidence(
            "compare wants two classifiers, but a ConfusionMatrix is of one. Give a PairedConfusion; of one take"
            " estimate(matrix, metric=...), its error_count with against=, or label_against_prediction() to compare"
            " both kinds of error."
        )
    name = canonical_name(metric or matrix.metric.name)
    if name != "error":
        raise InvalidOption(
            f"against is a threshold of the error rate. For {name} look whether the"
            " interval of estimate(matrix, metric=...) is on one side of it."
        )


def _without(reasons: dict[str, int], evidence: Any, keywords: dict[str, Any]) -> Comparison | Ranking:
    """Compare what is left, and say what was left out."""
    answer: Comparison | Ranking = replace(compare(evidence, **keywords), excluded=reasons)
    return answer


def _compared(
    evidence: Any,
    asked: Asked,
    margin: float | None,
    hypothesis: Hypothesis | None,
    adjust: Adjust | None,
    looks: int,
) -> Comparison | Ranking:
    """Compare two or more with each other, as their evidence wants it."""
    if _several(evidence):
        from .several import several

        return several(evidence, adjust, asked, looks)
    if margin is None and hypothesis is not None and one_of("hypothesis", hypothesis, Hypothesis) != "different":
        raise InvalidOption(f"hypothesis={hypothesis!r} needs a margin, such as margin=0.01 for one point.")
    if hasattr(evidence, "learners"):
        from .learners import compare_learners

        return compare_learners(evidence, asked, margin=margin, hypothesis=hypothesis, adjust=adjust, looks=looks)
    found = (
        pair(evidence, asked, looks)
        if margin is None
        else with_margin(evidence, margin, hypothesis or "non-inferior", asked, looks)
    )
    if isinstance(evidence, Outcomes):
        from .outcomes import told_besides

        found = replace(found, **told_besides(evidence, over_groups=found.significance.estimate is not None))
    if isinstance(evidence, _MEASURED):
        from .measured import beside_of, scope_of_metric

        found = replace(found, scope=scope_of_metric(evidence), beside=beside_of(evidence, found, asked))
    return paid(found, adjust)


def _several(evidence: Any) -> bool:
    """Whether more than two classifiers met one test set."""
    if isinstance(evidence, ErrorPatterns | LabelPatterns):
        return True
    return isinstance(evidence, Outcomes | ClassScores) and len(evidence.models) > 2


def _folded(predictions: Any) -> tuple[Evidence, dict[str, int]]:
    """Return the evidence that predictions hold, and what was left out of it."""
    if predictions.by_example:
        collected = predictions.outcome_tally()
        return collected.outcomes, collected.reasons
    tally = predictions.tally()
    return tally.paired_table() if len(tally.models) == 2 else tally.error_patterns(), tally.reasons


_MOST_LOOKS = 2**53


def _as_count(name: str, value: Any) -> int:
    if isinstance(value, bool) or not (isinstance(value, int | np.integer) and 0 <= value <= _MOST_LOOKS):
        raise InvalidOption(f"{name} must be a whole number, 0 or more, but is {value!r}.")
    return int(value)


def _refuse_for_classifiers(given: dict[str, Any]) -> None:
    for name, value in given.items():
        if value is not None and value != "refuse":
            raise InvalidOption(f"{name} is for a race of learners. Leave it out for classifiers on a test set.")


def _refuse_for_one_data_set(given: dict[str, Any]) -> None:
    ways = {
        "control": "Name the learners that you compare: learners=('a', 'b').",
        "difference": "Plan for one: plan(evidence, difference=0.01, power=0.8).",
    }
    for name, value in given.items():
        if value is not None:
            raise InvalidOption(f"{name} is for a table of scores, learners over many data sets. {ways[name]}")


def _over_other_seeds(race: Any, times: int, keywords: dict[str, Any]) -> Comparison:
    """Compare by this race, and show the p-values of the same race over other splits beside it."""
    if not hasattr(race, "reseeded"):
        raise InvalidOption("reseeds runs a race again on other splits; what is given here cannot be. Leave it out.")
    answer = compare(race, **keywords)
    if isinstance(answer, Ranking):
        raise InvalidOption("reseeds is for two learners. Name them: learners=('a', 'b').")
    pvalues = [compare(other, **keywords).pvalue for other in race.reseeded(times)]
    shown: Comparison = replace(answer, lottery=np.array(pvalues))
    return shown


# What only some evidence takes, and what to say to the rest.
_ONLY: dict[type[Evidence], dict[str, str]] = {
    ErrorCount: {
        name: f"{name} is for two classifiers, but this is one error count and a threshold."
        for name in ("margin", "hypothesis", "adjust", "looks")
    },
    ErrorPatterns: {
        "against": "against is a threshold for one ErrorCount; several classifiers are compared with each other.",
        "margin": "margin is for two classifiers. Take them out of the patterns by pair(a, b).",
        "hypothesis": "hypothesis is for two classifiers. Take them out of the patterns by pair(a, b).",
    },
}
_OF_LEARNERS = {"against": "against is a threshold for one ErrorCount; for learners write margin= instead."}
_ONLY[PairedTable] = _ONLY[IndependentCounts] = {
    "against": "against is a threshold for one ErrorCount. For two classifiers write margin= instead.",
    "adjust": "adjust is for several comparisons; two classifiers on one test set are one.",
}


def _refuse_others(evidence: Evidence, given: set[str], options: dict[str, Any]) -> None:
    """Refuse what this evidence does not take: nothing that was asked for is passed over in silence."""
    paired = isinstance(evidence, Outcomes | PairedConfusion | ClassScores)
    kind = ErrorPatterns if _several(evidence) else PairedTable if paired else type(evidence)
    for name, trouble in _ONLY.get(kind, _OF_LEARNERS).items():
        if name in given and not (name == "adjust" and evidence.shape):
            raise InvalidOption(trouble)
    if evidence.metric.name == "label-balance":
        raise InvalidOption(
            "label-balance says how often a class is predicted, not who is better: estimate it of each model."
        )
    if "side" in options:
        raise InvalidOption(
            "side is no option of compare. Write alternative='less' for an upper bound, 'greater' for a lower."
        )
