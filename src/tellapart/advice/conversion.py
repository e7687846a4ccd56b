"""From what users hold to the evidence that advice looks at: predictions counted, a race folded by its plan."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidEvidence
from ..evidence import ErrorCount, Evidence


def as_evidence(data: Any) -> Evidence | None:
    """Return the evidence in evidence, predictions, their tally or a race; None of None."""
    if data is None or isinstance(data, Evidence):
        return data
    if hasattr(data, "tally"):
        data = data.outcomes() if data.by_example else data.tally()
    if hasattr(data, "error_counts") and hasattr(data, "reasons"):
        evidence: Evidence = data.error_patterns() if len(data.models) > 1 else data.error_counts()[..., 0]
        return evidence
    if hasattr(data, "training_sets"):
        return _evidence_of_race(data)
    if not isinstance(data, Evidence):
        raise InvalidEvidence(
            f"advise takes evidence, predictions or a race, but was given {type(data).__name__}. Leave it out, and"
            " answer by keyword: advise(subject='learner', task='choose', data='little')."
        )
    return data


def _evidence_of_race(race: Any) -> Evidence:
    """Return what a race holds: one split made classifiers, several seeds of it are crossed with the examples."""
    one_split = race.plan.one_split
    evidence: Evidence
    if race.plan.kind == "delve" or (one_split and race.seeds > 1):
        evidence = race.training_sets(missing="drop")
    elif one_split and len(race.learners) > 1:
        evidence = race.error_patterns()
    else:
        evidence = race.resamples(missing="drop")
    return evidence


def holds_predictions(data: Any) -> bool:
    """Return whether these are predictions, or their tally: both make error_counts() and error_patterns()."""
    return hasattr(data, "tally") or hasattr(data, "reasons")


def reduce_for_task(evidence: Evidence, task: str | None) -> Evidence:
    """Return what the methods of a task take: counts where they say all there is.

    Several classifiers of whom an error is to be estimated are entries of one count.

    Examples
    --------
    >>> from tellapart.evidence import ConfusionMatrix, Outcomes
    >>> reduce_for_task(ConfusionMatrix([[40, 3], [5, 52]]), "estimate")
    ErrorCount(errors=8, trials=100)
    >>> reduce_for_task(Outcomes.from_scores([1, 0, 1], [1, 1, 1]), "choose")
    PairedTable(both_wrong=0, only_a_wrong=1, only_b_wrong=0, both_right=2)
    """
    evidence = evidence.traits().get("counts", evidence)
    if task != "estimate" or len(evidence.models) == 1 or evidence.subject == "learner":
        return evidence.reduced()
    if evidence.subject == "model":
        return evidence.select(evidence.models[0]).reduced()
    counts = [evidence.select(model) for model in evidence.models]
    errors, trials = (np.stack([getattr(count, name) for count in counts], axis=-1) for name in ("errors", "trials"))
    return ErrorCount(errors, trials)
