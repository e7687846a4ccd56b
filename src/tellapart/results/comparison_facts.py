"""What a comparison says: who is better, by how much, how sure we are, and on what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..rendering import level_text
from .comparison_clauses import (
    bar_of,
    by_how_much,
    contradiction,
    how_sure,
    limits_of,
    lottery_text,
    names_of,
    question_of,
    rate_of,
    seen,
    side_of,
    threshold_text,
    verdict,
    what_p_means,
)
from .narrate import (
    Fact,
    is_over_data_sets,
    list_components,
    list_last_facts,
    list_other_notes,
    list_provenance,
    state_excluded,
    state_limits,
    state_looks,
)
from .wording import p_text, shown_pvalue

if TYPE_CHECKING:
    from ..typing_ import FloatArray
    from .comparison import Comparison
    from .simulated import Simulated


def list_facts(answer: Comparison) -> Iterator[Fact]:
    """Yield the facts of a comparison: of many entries, of one model against a threshold, or of two models."""
    if answer.shape:
        yield Fact(label="comparisons", text=str(answer.difference.size))
        yield from _list_figures(answer)
        yield from _list_settings(answer)
        yield from list_last_facts(answer, label="in words")
    elif len(answer.evidence.models) == 1:
        yield Fact(label=answer.evidence.metric.title, text=f"{rate_of(answer)}  ({answer.evidence.describe()})")
        yield Fact(label="against", text=threshold_text(answer))
        yield Fact(label="interval", text=f"{limits_of(answer)}  ({answer.interval.kind_text()})")
        pvalue = shown_pvalue(float(answer.pvalue), answer.alpha, answer.simulated)
        yield Fact(label="p-value", text=f"{pvalue}  ({answer.method}, {question_of(answer)})")
        yield from _list_figures(answer)
        yield from _list_settings(answer)
        yield from list_last_facts(answer, label="in words")
    else:
        yield from _list_facts_of_two(answer)


def _list_figures(answer: Comparison, difference: Any = "", certainty: Any = "") -> Iterator[Fact]:
    """Yield difference, interval and test; the texts are for readers of one comparison of two models."""
    yield Fact("method", answer.method)
    yield Fact("difference", answer.difference, "by how much", difference)
    yield Fact("interval", answer.interval.as_dict)
    yield Fact("statistic", answer.statistic)
    yield Fact("pvalue", answer.pvalue, "how sure", certainty)
    yield from _list_bounds(answer.simulated, answer.pvalue)
    yield Fact("alternative", answer.alternative)
    yield Fact("alpha", answer.alpha)
    if answer.adjustment is not None:
        yield Fact("adjusted", answer.adjusted)
        yield from _list_bounds(answer.adjusted_simulated, answer.adjustment.pvalue, "adjusted")
        yield Fact("adjustment", str(answer.adjustment))


def _list_bounds(simulated: Simulated | None, pvalue: FloatArray, name: str = "pvalue") -> Iterator[Fact]:
    if simulated is not None:
        yield from (Fact(key, value) for key, value in simulated.values(pvalue, name).items())


def _list_settings(answer: Comparison) -> Iterator[Fact]:
    """Yield what was asked, and what the evidence counts besides."""
    if len(answer.evidence.models) == 1:
        yield Fact("against", answer.against)
    else:
        yield Fact("hypothesis", answer.hypothesis.kind)
        yield Fact("margin", answer.margin)
        yield Fact("looks", answer.note("looks", 0))
        yield from (Fact(key, value) for key, value in answer.evidence.figures().items())
        if answer.hypothesis.kind != "different":
            yield Fact("shown", answer.rejected)
        if answer.shape and answer.practical is not None:
            yield Fact("practical", answer.practical.as_dict)
    yield from list_provenance(answer)
    yield Fact("better", answer.better)


def _list_facts_of_two(answer: Comparison) -> Iterator[Fact]:
    asks_who = answer.hypothesis.kind == "different" and answer.evidence.event == "wrong"
    yield Fact(label="better" if asks_who else "verdict", text=lambda: f"{verdict(answer)}.")
    yield from _list_figures(answer, lambda: by_how_much(answer), lambda: _certainty(answer))
    if answer.practical is not None or is_over_data_sets(answer.evidence):
        from .data_set_clauses import list_effects

        yield from list_effects(answer)
    yield from _list_other_tests(answer)
    pvalues = answer.note("reseeded_pvalues")
    if pvalues is not None:
        yield Fact("lottery", pvalues, "other splits", lambda: lottery_text(answer, pvalues))
    yield from list_components(answer, "difference")
    yield from list_other_notes(answer)
    yield Fact(label="seen", text=lambda: _observed(answer))
    yield Fact(label="careful", text=lambda: " ".join(filter(None, (*list_remarks(answer), state_limits(answer)))))
    yield from _list_settings(answer)
    a, b = names_of(answer)
    yield Fact("better_model", {"A": a, "B": b, None: None}[answer.better])
    yield from list_last_facts(answer)


def _certainty(answer: Comparison) -> str:
    meaning = what_p_means(answer)
    return f"{how_sure(answer)}{f': {meaning}' if meaning else ''}"


def _list_other_tests(answer: Comparison) -> Iterator[Fact]:
    """Yield what other tests say of the same evidence."""
    tests = answer.note("other_tests", {})
    if tests:
        texts = "; ".join(
            f"{p_text(float(test.pvalue), answer.alpha, test.simulated)} ({name})" for name, test in tests.items()
        )
        values = {
            name: {
                "statistic": test.statistic,
                "pvalue": test.pvalue,
                **(test.simulated.values(test.pvalue) if test.simulated else {}),
            }
            for name, test in tests.items()
        }
        yield Fact("beside", values, "beside", f"other tests of the same {answer.evidence.unit.name}s: {texts}")


def _observed(answer: Comparison) -> str:
    """Say on what it rests, who was wrong where, and what was left out."""
    evidence = answer.evidence
    details = evidence.summarize_models()
    if details:
        text = f"{seen(answer, ', ' if evidence.metric.is_rate else ' with ')}. {details}"
    else:
        text = evidence.describe() if evidence.subject == "learner" else seen(answer)
    scale = ""
    if is_over_data_sets(evidence):
        from .data_set_clauses import scale_text

        scale = f"; {scale_text(evidence)}"
    return f"{text}{scale}.{evidence.gaps}{state_excluded(answer)}"


# --- In words -------------------------------------------------------------------------------------------


def state_conclusion(answer: Comparison) -> str:
    """Return who is better, by how much, how sure we are and on what, in one sentence."""
    if answer.shape:
        return _state_many(answer)
    if len(answer.evidence.models) == 1:
        return _state_side(answer)
    joint = ":" if answer.hypothesis.kind == "different" else ";"  # what is shown of a margin has a colon of its own
    return f"{verdict(answer)}{joint} on {seen(answer)}, {by_how_much(answer)}; {how_sure(answer)}."


def _state_many(answer: Comparison) -> str:
    """Say of many comparisons how many came out."""
    kind, count = answer.hypothesis.kind, int(np.count_nonzero(answer.rejected))
    verb = f"are shown to be {kind}"
    if kind == "different":
        sided = {"two-sided": "differ", "greater": "have a better B", "less": "have a better A"}
        if len(answer.evidence.models) == 1:
            sided = {"two-sided": "differ from", "greater": "are above", "less": "are below"}
            sided = {alternative: f"{how} their threshold" for alternative, how in sided.items()}
        verb = sided[answer.alternative]
    rule = f"adjusted by {answer.adjustment}" if answer.adjustment else "each by itself"
    return f"{count} of {answer.difference.size} {verb} ({answer.method}, alpha = {answer.alpha:.6g}, {rule})."


def _state_side(answer: Comparison) -> str:
    """Say on which side of the threshold one model's error lies."""
    interval = answer.interval
    limit = "interval is" if interval.side == "two" else "bound is"
    whose = "" if interval.method == answer.method else f" ({interval.method})"
    note = f", {answer.test.note}" if answer.test.note else ""
    pvalue = p_text(float(answer.pvalue), answer.alpha, answer.simulated)
    what = "error" if answer.evidence.metric.is_rate else answer.evidence.metric.title
    return (
        f"The {what} of {rate_of(answer)} ({answer.evidence.describe()})"
        f" is {side_of(answer)} {threshold_text(answer)} {bar_of(answer)}"
        f" ({pvalue}, {answer.method}, {question_of(answer)}{note});"
        f" the {level_text(interval.alpha)} {limit} {limits_of(answer)}{whose}."
    )


def list_remarks(answer: Comparison) -> tuple[str, ...]:
    """Return the sentences that come after."""
    return contradiction(answer), state_looks(answer)


def state_caveat(answer: Comparison) -> str:
    """Return what no figure can show."""
    return answer.evidence.caveat
