"""What evidence, predictions and races tell by what they are: which question they are for, and its figures."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidEvidence
from ..evidence import (
    ConfusionMatrix,
    ErrorCount,
    ErrorPatterns,
    Evidence,
    IndependentCounts,
    Outcomes,
    PairedConfusion,
    PairedTable,
    Resamples,
    ScoreTable,
    StratifiedCount,
)


def collected(held: Any) -> Any:
    """Return predictions as the one pass over them finds them: counted, or the score of each example; else the same."""
    if not hasattr(held, "tally"):
        return held
    return held.outcomes() if held.by_example else held.tally()


def counts_of(outcomes: Outcomes) -> Evidence:
    """Return the counts of right and wrong where they say all there is, else the outcomes themselves.

    Examples
    --------
    >>> counts_of(Outcomes.from_scores([1, 0, 1], [1, 1, 1]))
    PairedTable(both_wrong=0, only_a_wrong=1, only_b_wrong=0, both_right=2)
    """
    if not outcomes.countable:
        return outcomes
    if len(outcomes.models) == 1:
        return outcomes.error_counts()[..., 0]
    return outcomes.paired_table() if len(outcomes.models) == 2 else outcomes.error_patterns()


def folded_evidence(held: Any, task: str | None) -> Evidence | None:
    """Return the evidence that the methods take: predictions counted, a race folded by its plan.

    Several models of whom an error is to be estimated are entries of one count.

    Examples
    --------
    >>> folded_evidence(ConfusionMatrix([[40, 3], [5, 52]]), "estimate")
    ErrorCount(errors=8, trials=100)
    """
    match held:
        case None:
            return None
        case ConfusionMatrix():
            return held.error_count
        case PairedConfusion():
            held = held.paired_table()
    held = collected(held)
    if isinstance(held, Outcomes):
        held = counts_of(held.select(held.models[0]) if task == "estimate" else held)
    if hasattr(held, "error_counts") and hasattr(held, "reasons"):  # a tally
        if task == "estimate" or len(held.models) < 2:
            counts: ErrorCount = held.error_counts()
            return counts if len(held.models) > 1 else counts[..., 0]
        held = held.error_patterns()
    if hasattr(held, "training_sets"):  # a race
        held = _of_race(held)
    if _is_one_split(held):
        held = _table_of(held) or held
    if isinstance(held, ErrorPatterns) and len(held.models) == 2:
        held = held.pair(*held.models)
    if task == "estimate" and isinstance(held, PairedTable | IndependentCounts):
        both = held.count_a, held.count_b
        errors, trials = (np.stack([getattr(each, name) for each in both], axis=-1) for name in ("errors", "trials"))
        return ErrorCount(errors, trials)
    if task == "estimate" and isinstance(held, ErrorPatterns):
        return held.error_counts
    if not isinstance(held, Evidence):
        raise InvalidEvidence(
            f"advise takes evidence, predictions or a race, but was given {type(held).__name__}. Leave it out, and"
            " answer by keyword: advise(subject='learner', task='choose', data='little')."
        )
    return held


def _of_race(race: Any) -> Evidence:
    """Return what a race holds: one split made classifiers, several seeds of it are crossed with the examples."""
    one = race.plan.one_split
    kept: Evidence
    if race.plan.kind == "delve" or (one and race.seeds > 1):
        kept = race.training_sets(missing="drop")
    elif one and len(race.learners) > 1:
        kept = race.error_patterns()
    else:
        kept = race.resamples(missing="drop")
    return kept


def _is_one_split(held: Any) -> bool:
    """Whether these are scores of one split, which made one classifier of each learner."""
    return isinstance(held, Resamples) and held.plan.one_split


def _table_of(held: Any) -> PairedTable | None:
    """Return who of two was wrong where on the one test set, if the scores kept it."""
    if len(held.learners) != 2 or held.metric.name != "error" or held.together is None:
        return None
    both, a, b = (held.together[..., i, j, 0, 0].round().astype(np.int64) for i, j in ((0, 1), (0, 0), (1, 1)))
    examples = np.int64(held.test[0, 0])
    return PairedTable(both, a - both, b - both, examples - a - b + both, models=held.learners)


def facts_of(held: Any) -> dict[str, Any]:
    """Return the facts that evidence shows: which question it is for, and its figures."""
    if isinstance(held, ConfusionMatrix):
        return facts_of(held.error_count) | {"labels": True}
    held = collected(held)  # counted once, not again for each look
    labelled = {"labels": True} if isinstance(held, PairedConfusion) else {}
    race = held if hasattr(held, "training_sets") else None
    held = folded_evidence(held, None)
    if held is not None and hasattr(held, "learners"):
        known = _of_learners(held)
        return known | ({"examples": race.examples} if race is not None else {})
    return _of_classifiers(held) | labelled


def _of_classifiers(held: Any) -> dict[str, Any]:
    known: dict[str, Any] = {"domains": "one", "subject": "classifier", "data": "much"}
    match held:
        case ErrorCount():
            models = held.shape[-1] if held.shape else 1  # a count of each model, along the last dimension
            known |= {"task": "estimate", "models": models, "errors": _least(held.errors)}
            known |= {"examples": _least(held.trials)}
        case StratifiedCount():
            known |= {"task": "estimate", "models": 1, "strata": True, "errors": int(np.sum(held.errors))}
            known |= {"examples": int(np.sum(held.trials))}
        case PairedTable():
            known |= {"task": "choose", "models": 2, "test_sets": "one", "examples": _least(held.examples)}
            known |= {"disagreements": _least(held.disagreements)}
        case IndependentCounts():
            known |= {"task": "choose", "models": 2, "test_sets": "two"}
            known |= {"examples": min(_least(held.a.trials), _least(held.b.trials))}
        case ErrorPatterns():
            known |= {"task": "choose", "models": len(held.models), "test_sets": "one"}
            tables = held.pairs()
            known |= {"examples": _least(held.examples), "disagreements": _least(tables.disagreements)}
        case Outcomes():
            many = len(held.models) > 1
            known |= {"task": "choose" if many else "estimate", "models": len(held.models), "examples": held.examples}
            known |= ({"test_sets": "one"} if many else {}) | ({} if held.metric.is_rate else {"scored": True})
        case _:
            raise InvalidEvidence(f"advise knows no question that {type(held).__name__} is for.")
    return known


def _of_learners(held: Any) -> dict[str, Any]:
    count = len(held.learners)
    if isinstance(held, ScoreTable):
        return {"domains": "many", "subject": "learner", "task": "choose", "models": count}
    known: dict[str, Any] = {"domains": "one", "task": "choose" if count > 1 else "estimate", "models": count}
    if not hasattr(held, "plan"):  # disjoint training sets, or seeds, crossed with test examples
        known |= {"subject": "learner", "data": "much", "examples": held.examples}
        return known | ({"stochastic": True} if held.varies == "seed" else {})
    known |= {"plan": held.plan.name, **({"examples": held.examples} if held.examples else {})}
    if _is_one_split(held):
        return known | {"subject": "classifier", "data": "much"} | ({"test_sets": "one"} if count > 1 else {})
    seeds = {"stochastic": True} if held.seeds > 1 or held.plan.kind == "seeds" else {}
    return known | {"subject": "learner", "data": "little"} | seeds


def _least(counts: Any) -> int:
    return int(np.min(counts))
