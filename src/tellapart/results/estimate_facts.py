"""What an estimate says: how large it is, between which limits, how sure we are, and on what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from .narrate import Fact, list_components, list_last_facts, list_other_notes, list_provenance, state_excluded
from .wording import balance, count_text, summarize, written

if TYPE_CHECKING:
    from .estimate import Estimate


def list_facts(answer: Estimate) -> Iterator[Fact]:
    """Yield the facts of an estimate."""
    yield Fact("method", answer.method)
    kind, title = answer.interval.kind_text(), answer.evidence.metric.title
    if answer.shape:
        label = f"{title}s" if answer.interval.metric == "error" else "estimates"
        yield Fact("estimate", answer.value, label, f"{answer.value.size} ({kind})")
        yield Fact("interval", answer.interval.as_dict)
    else:
        yield Fact("estimate", answer.value, title, lambda: f"{value_text(answer)}  ({seen(answer)})")
        if answer.target:
            yield Fact("target", answer.target)
        yield Fact(
            "interval", answer.interval.as_dict, "interval", lambda: f"{answer.interval.limits_text()}  ({kind})"
        )
        yield from list_components(answer, "loss")
        yield from list_other_notes(answer)
    yield from list_provenance(answer)
    yield from list_last_facts(answer, label="in words")


def state_conclusion(answer: Estimate) -> str:
    """Return how large it is, between which limits, how sure we are and on what, in one sentence."""
    if answer.shape:
        return _state_many(answer)
    interval = answer.interval
    between = interval.between_text()
    note = f": {interval.note}" if interval.note else ""
    true = "true error" if interval.metric == "error" else f"true {answer.evidence.level_name}"
    claim = f"the {true} {'may be anything' if np.isnan(answer.value) else 'is'} {between}"
    condition = answer.evidence.condition(answer.method)
    if condition:
        claim = f"{condition}, the {true} would be {between}"
    value = f"The {answer.evidence.metric.title}{target_text(answer)} is {value_text(answer)}"
    tilted = balance(answer.evidence, float(answer.value), float(interval.width))
    if tilted is not None:
        value = f"{answer.target or 'The classifier'} {tilted[0]}"
        claim = f"the true balance ({tilted[1]}) is {between}"
    return f"{value} ({seen(answer)}), and {claim} ({interval.kind_text()}{note})."


def _state_many(answer: Estimate) -> str:
    """Say between what many estimates lie, and how many there are."""
    failed = sum(not np.all(check.holds) for check in answer.checks)
    caution = f" {failed} of {len(answer.checks)} checks fail somewhere." if failed else ""
    known = answer.value[~np.isnan(answer.value)]
    lacking = f", {answer.value.size - known.size} not defined" if known.size < answer.value.size else ""
    low, high = (float(known.min()), float(known.max())) if known.size else (np.nan, np.nan)
    if answer.interval.metric != "error":
        many, limits = f"{answer.value.size} values of {answer.interval.metric}", f"{low:.3g} to {high:.3g}"
    else:
        many, limits = count_text(answer.value.size, "error rate"), f"{100 * low:.3g} % to {100 * high:.3g} %"
    return f"{many} from {limits}{lacking}.{caution}"


def list_remarks(answer: Estimate) -> tuple[str, ...]:
    """Return the sentences that come after."""
    return (state_excluded(answer).strip(),)


def state_caveat(answer: Estimate) -> str:
    """Return what no figure can show."""
    return answer.evidence.caveat


# --- Clauses --------------------------------------------------------------------------------------------


def target_text(answer: Estimate) -> str:
    """Return whose metric it is, as what follows its name."""
    return f" of {answer.target}{',' * (', ' in answer.target)}" if answer.target else ""


def seen(answer: Estimate) -> str:
    """Return on how much it rests."""
    return summarize(answer.evidence, answer.note("effective_size", np.nan))


def value_text(answer: Estimate) -> str:
    """Write the value with the digits that its interval earns, or why it is not defined."""
    for reason in answer.evidence.reasons_undefined.values():
        return f"not defined, as {reason}"
    value, spread = float(answer.value), float(answer.interval.width)
    return written(value, spread if np.isfinite(spread) else value, answer.interval.metric)
