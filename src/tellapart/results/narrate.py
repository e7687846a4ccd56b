"""The narrator: converts the facts of an answer to its layout, to sentences, to a paragraph for a paper, and to JSON.

Each kind of answer has its own module, which is loaded with the first answer of that kind; this module has the parts
that all answers share. The evidence supplies its own text, so this module does not depend on its kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from ..display import Display, Row
from ..evidence import Evidence
from ..figures import short_names
from ..metrics import Metric, find_metric
from ..rendering import Rendered, shares_text
from .wording import caution_rows, looks_rows, sources_text

if TYPE_CHECKING:
    from .check import Check
    from .citable import Sentence

# Notes with their own row in the layout, or their own key in JSON.
_PLACED = (
    *("looks", "optimism", "cochran_q", "own_intervals", "other_tests", "reseeded_pvalues", "variance_components"),
    *("repeat_variance_share", "effective_size", "effect_sizes", "overall_tests", "critical_difference", "power"),
)
_NARRATORS = {"Estimate": "estimate", "Comparison": "comparison", "Ranking": "ranking"}


def _narrator_module(answer: Any, what: str = "text") -> Any:
    name = next(_NARRATORS[kind.__name__] for kind in type(answer).__mro__ if kind.__name__ in _NARRATORS)
    return import_module(f"{__package__}.{name}_{what}")


# --- Views --------------------------------------------------------------------------------------------


def display(answer: Any, *, verbose: bool = False) -> Display:
    """Return the layout: verdict, figures, rows; with `verbose` more numbers."""
    page: Display = _narrator_module(answer).display(answer, verbose=verbose)
    return page


def draw_interval(answer: Any) -> str:
    """Return a small picture of the interval for a notebook; empty if there is not exactly one."""
    draw = getattr(_narrator_module(answer), "draw_interval", None)
    return "" if draw is None else str(draw(answer))


def write_latex(answer: Any) -> str:
    """Return the LaTeX table of an answer."""
    return str(_narrator_module(answer, "latex").write_latex(answer))


def state_verdict(answer: Any) -> str:
    """Return the verdict and its figures, as one sentence without its full stop.

    The figures of an estimate are in its verdict; those of two models follow a colon: "new is more accurate than old:
    accuracy 98.3% vs 96.3%, 2.0 pp higher (95% CI 1.0 to 3.3), p < 0.001".
    """
    page = display(answer)
    if not page.figures:
        return page.verdict
    return f"{page.verdict}: {page.figures.replace(': ', ', ', 1)}"


def state_in_words(answer: Any) -> str:
    """Return verdict, figures and scope as sentences; for many entries only the verdict."""
    verdict = f"{state_verdict(answer)}."
    if type(answer).__name__ == "Estimate":
        verdict = _capitalize_metric(verdict, answer.evidence.metric)
    if getattr(answer, "shape", ()):
        return verdict
    looks = [row.text for row in looks_rows(answer.note("looks", 0), answer.alpha)]
    return " ".join((verdict, *looks, answer.evidence.scope(answer.method).sentence))


def _capitalize_metric(sentence: str, metric: Metric) -> str:
    """Return the sentence with a capital if it begins with the title of a metric that is not the user's name."""
    title = metric.report_title
    own_name = title == metric.name and find_metric(title) is None
    return sentence if own_name or not sentence.startswith(title) else sentence[0].upper() + sentence[1:]


def collect_values(answer: Any) -> dict[str, Any]:
    """Return all values by key, with all digits."""
    return dict(_narrator_module(answer, "values").list_values(answer))


def explanations(answer: Any) -> list[tuple[str, str]]:
    """Return the labels and sentences of `explain`: how to read the figures, scope, references."""
    rows = list(_narrator_module(answer).explanations(answer))
    rows.append(("sources", f"The interval accounts for {sources_text(answer.sources_covered)}."))
    rows += [("", text) for text in (answer.evidence.caveat,) if text]
    rows += [("scope", answer.evidence.scope(answer.method).sentence)]
    return [*rows, *_list_references(answer)]


def _list_references(answer: Any) -> Iterator[tuple[str, str]]:
    from ..bibliography import cite

    for position, reference in enumerate(dict.fromkeys(answer.references)):
        yield "cite" if not position else "", cite(reference)


def write_paragraph(answer: Any) -> Iterator[Sentence]:
    """Return the sentences of the paragraph for a paper."""
    from . import paragraphs

    return paragraphs.write(answer)


# --- Shared parts ---------------------------------------------------------------------------------------


def cautions(checks: Sequence[Check]) -> list[tuple[str, str]]:
    """Return a row for every check that fails."""
    return [tuple(row) for row in caution_rows(checks)]  # type: ignore[misc]


def is_over_data_sets(evidence: Evidence) -> bool:
    """Return whether the sampled units are data sets."""
    return evidence.unit.name == "data set"


def note_rows(answer: Any) -> Iterator[Row]:
    """Yield the notes of an answer: effect sizes, variance components, other tests, split sensitivity."""
    from .note_text import placed_note_rows

    yield from placed_note_rows(answer)
    yield from (Row(note.label, note.text) for note in answer.notes if note.text and note.key not in _PLACED)


def passed_rows(checks: Sequence[Check]) -> Iterator[Row]:
    """Yield the checks that hold."""
    passed = [f"{check.code} {check.statement}" for check in checks if np.all(check.holds)]
    if passed:
        yield Row("checks", "\n".join(passed))


def names_rows(models: Sequence[str]) -> Iterator[Row]:
    """Yield the full names of models that are shortened in the output."""
    cut = [f"{short}: {name}" for name, short in short_names(models).items() if short != name]
    if cut:
        yield Row("models", "\n".join(cut))


def component_values(answer: Any) -> Iterator[tuple[str, Any]]:
    """Yield the variance components."""
    shares = answer.note("variance_components", {})
    if shares:
        yield "components", dict(shares)


def components_text(answer: Any, of: str) -> str:
    """Return the variance components of one loss or difference; empty if they are unknown."""
    shares, removable = answer.note("variance_components", {}), answer.note("repeat_variance_share", np.nan)
    if not shares:
        return ""
    more = f"; more repeats could remove {100 * removable:.0f}% of that of the mean" if not np.isnan(removable) else ""
    return f"variance of one {of}: {shares_text(shares)}{more}"


def note_values(answer: Any) -> Iterator[tuple[str, Any]]:
    """Yield the values of the notes without their own key."""
    for note in answer.notes:
        if note.text and note.key not in _PLACED:
            yield note.key, note.value.as_dict() if isinstance(note.value, Rendered) else note.value


def shared_values(answer: Any) -> Iterator[tuple[str, Any]]:
    """Yield the JSON of every answer: examples left out, sources of variation, evidence, checks, words."""
    removable, effective = (answer.note(name, np.nan) for name in ("repeat_variance_share", "effective_size"))
    if not np.isnan(removable):
        yield "removable", removable
    if not np.isnan(effective):
        yield "effective_sample_size", effective
        yield "worth", effective  # its old name
    if answer.excluded:
        yield "excluded", dict(answer.excluded)
    yield "sources_covered", list(answer.sources_covered)
    yield "sources_ignored", list(answer.sources_ignored)
    yield "covers", list(answer.sources_covered)  # its old name, as that of the next
    yield "misses", list(answer.sources_ignored)
    yield "evidence", answer.evidence.as_dict()
    yield "checks", [check.as_dict() for check in answer.checks]
    yield "words", answer.words
