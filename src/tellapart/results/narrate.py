"""The narrator: an answer's facts, once; the terminal's rows, the words, the paragraph and JSON are views of them.

A kind of answer has a module that lists its facts and states its conclusion; it is loaded with the first answer of
that kind. What all answers say stands here. Which kind of evidence an answer rests on is never asked: evidence says
itself what is to be said of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from ..evidence import Evidence
from ..rendering import Rendered, shares_text
from ..typing_ import SOURCE_WORDS
from .wording import excluded_text, join_alternatives, looks_text

if TYPE_CHECKING:
    from .check import Check
    from .paper import Sentence

ABOUT_NONE_ALONE = "does not say who is better on any one of them"  # of the data sets
# Notes that have a fact of their own, with an older key.
_STATED = (
    *("looks", "optimism", "cochran_q", "own_intervals", "other_tests", "reseeded_pvalues", "variance_components"),
    *("repeat_variance_share", "effective_size", "effect_sizes", "overall_tests", "critical_difference", "power"),
)
_NARRATORS = {"Estimate": "estimate_facts", "Comparison": "comparison_facts", "Ranking": "ranking_facts"}


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement: a key and a value for programs, a label and a text for readers; either may be left out.

    Value and text may be functions, which only the view that needs them calls; a text may have several lines.
    """

    key: str = ""
    value: Any = None
    label: str = ""
    text: str | Sequence[str] | Callable[[], str | Sequence[str]] = ""


def _narrator(answer: Any) -> Any:
    name = next(_NARRATORS[kind.__name__] for kind in type(answer).__mro__ if kind.__name__ in _NARRATORS)
    return import_module(f"{__package__}.{name}")


def list_facts(answer: Any) -> Iterator[Fact]:
    """Return the facts of an answer, in order."""
    facts: Iterator[Fact] = _narrator(answer).list_facts(answer)
    return facts


# --- Views --------------------------------------------------------------------------------------------


def list_rows(answer: Any) -> list[tuple[str, str]]:
    """Return label and text of every line; only the first line of a fact has its label."""
    rows = []
    for fact in list_facts(answer):
        text = fact.text() if callable(fact.text) else fact.text
        lines = [text] if isinstance(text, str) else text
        rows += [("" if index else fact.label, line) for index, line in enumerate(lines) if line]
    return rows


def collect_values(answer: Any) -> dict[str, Any]:
    """Return every value by its key, every digit kept."""
    facts = (fact for fact in list_facts(answer) if fact.key)
    return {fact.key: fact.value() if callable(fact.value) else fact.value for fact in facts}


def state_conclusion(answer: Any) -> str:
    """Return what was concluded, in one sentence."""
    conclusion: str = _narrator(answer).state_conclusion(answer)
    return conclusion


def state_in_words(answer: Any) -> str:
    """Return the conclusion, what it does not say, and what else must be said; of many entries a summary."""
    conclusion = state_conclusion(answer)
    if getattr(answer, "shape", ()):
        return conclusion
    return " ".join(filter(None, (conclusion, state_limits(answer), state_remarks(answer))))


def state_remarks(answer: Any) -> str:
    """Return what else must be said, which only some answers have."""
    return " ".join(filter(None, _narrator(answer).list_remarks(answer)))


def write_paragraph(answer: Any) -> Iterator[Sentence]:
    """Return the sentences of the paragraph for a paper."""
    from . import paragraphs

    return paragraphs.write(answer)


# --- What all answers say -------------------------------------------------------------------------------


def is_over_data_sets(evidence: Evidence) -> bool:
    """Whether what was drawn are data sets."""
    return evidence.unit.name == "data set"


def state_limits(answer: Any) -> str:
    """Return what an answer does not say: of whom it speaks, and what could have come out otherwise."""
    scope = answer.evidence.scope(answer.method).removesuffix(".")
    parts = (scope, f"{'it' if scope else 'This'} {_sources_left_out(answer)}", _narrator(answer).state_caveat(answer))
    return f"{'; '.join(part for part in parts if part)}."


def _sources_left_out(answer: Any) -> str:
    evidence = answer.evidence
    if is_over_data_sets(evidence):
        return ABOUT_NONE_ALONE
    missed = [f"for {SOURCE_WORDS[source]}" for source in answer.sources_ignored]
    if not missed:
        return "does not speak of other data sets"
    question = 6 if len(evidence.models) == 1 else 8 if evidence.event == "wrong" else 0  # this one, of learners
    retrained = question and evidence.subject != "learner" and "training data" in answer.sources_ignored
    elsewhere = f" (question {question}, which resampling answers)" if retrained else ""
    return f"does not allow {join_alternatives(missed)}{elsewhere}, nor does it speak of other data sets"


def state_looks(answer: Any) -> str:
    """Return what earlier looks at the test set mean for the p-value; nothing if there were none."""
    return looks_text(answer.note("looks", 0), answer.alpha)


def state_excluded(answer: Any) -> str:
    """Return which examples were left out, as a sentence after another; nothing if there were none."""
    return excluded_text(answer.excluded)


def list_components(answer: Any, of: str) -> Iterator[Fact]:
    """Yield what the variance comes from, and what repeats could do, where that is known."""
    shares, removable = answer.note("variance_components", {}), answer.note("repeat_variance_share", np.nan)
    if shares:
        known = not np.isnan(removable)
        more = f"; more repeats could remove {100 * removable:.0f} % of that of the mean" if known else ""
        yield Fact("components", dict(shares), "varies by", f"{shares_text(shares)} of the variance of one {of}{more}")


def list_other_notes(answer: Any) -> Iterator[Fact]:
    """Yield the notes that no other fact states: those of other packages' kinds of evidence, say."""
    for note in answer.notes:
        if note.text and note.key not in _STATED:
            value = note.value
            yield Fact(note.key, value.as_dict if isinstance(value, Rendered) else value, note.label, note.text)


def list_provenance(answer: Any) -> Iterator[Fact]:
    """Yield what programs get to know of every answer: what was left out, and which sources of variation it covers."""
    for key, name in (("removable", "repeat_variance_share"), ("worth", "effective_size")):
        value = answer.note(name, np.nan)
        if not np.isnan(value):
            yield Fact(key, value)
    if answer.excluded:
        yield Fact("excluded", dict(answer.excluded))
    for name in ("sources_covered", "covers"):  # the second is the old name
        yield Fact(name, list(answer.sources_covered))
    for name in ("sources_ignored", "misses"):
        yield Fact(name, list(answer.sources_ignored))


def list_last_facts(answer: Any, label: str = "") -> Iterator[Fact]:
    """Yield the evidence, the checks, the words, and a caution for every check that fails.

    Cautions are shown wherever the answer is shown; the words where `label` names their line.
    """
    yield Fact("evidence", answer.evidence.as_dict)
    yield Fact("checks", lambda: [check.as_dict() for check in answer.checks])
    yield Fact("words", lambda: answer.words, label, (lambda: answer.words) if label else "")
    yield from (Fact(label=caution, text=message) for caution, message in cautions(answer.checks))


def cautions(checks: Sequence[Check]) -> list[tuple[str, str]]:
    """Return a row for every check that fails."""
    return [("caution", f"{check.code}: {check.message}") for check in checks if not np.all(check.holds)]
