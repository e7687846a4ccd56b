"""The methods of an answer: measured error rates, alternatives, references, and a paragraph for a paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ...advice.advising import advise
from ...bibliography import REFERENCES, cite
from ...errors import InvalidEvidence
from ...methods import Offer, find_methods
from ...methods.cards import Card, card
from ...results import Comparison, Estimate, Ranking
from ...results.citable import Citable
from ..blocks import Block, Cell, Code, Facts, Figure, Section, Table


def methods_section(answer: Comparison | Estimate | Ranking, methods: Iterable[Offer | None]) -> Section:
    """Return the methods used, what to use instead and what to avoid, and the references."""
    used = [method for method in dict.fromkeys(methods) if method is not None]
    rows = [
        (method.display_title, _ROLES.get(method.gives, method.gives), _cite_briefly(method), str(method.standing))
        for method in used
    ]
    blocks: list[Block] = []
    if rows:
        blocks.append(Table.of("Methods used", ("method", "role", "source", "status"), rows))
    blocks += _alternatives(answer)
    return Section(id="methods", title="Methods and references", blocks=(*blocks, *list_references(answer)))


_ROLES = {"pairs": "all pairs", "test": "test", "interval": "interval", "estimate": "estimate"}


def _cite_briefly(method: Offer) -> str:
    reference = method.reference
    return (REFERENCES[reference] if isinstance(reference, str) else reference).citation


def list_references(*answers: Any) -> tuple[Facts, ...]:
    """Return the references of answers in full; nothing if they have none."""
    cited = dict.fromkeys(cite(reference) for answer in answers for reference in getattr(answer, "references", ()))
    rows = tuple((str(number), text) for number, text in enumerate(cited, 1))
    return (Facts(rows=rows, title="References"),) if rows else ()


def references_sections(*answers: Any) -> Iterator[Section]:
    """Yield a section of references; nothing if the answers have none."""
    if references := list_references(*answers):
        yield Section(id="methods", title="Methods and references", blocks=references)


# --- Measured error rates -------------------------------------------------------------------------


def card_sections(methods: Iterable[Offer | None]) -> Iterator[Section]:
    """Yield the measured error rates (or coverage) of each method used; nothing for methods without a measurement."""
    from ..plots import card_picture

    for method in dict.fromkeys(method for method in methods if method is not None):
        measured = card(method)
        if measured is None:
            continue
        facts = Facts(
            rows=(
                ("method", f"{method.display_title} ({method.gives} {method.name})"),
                ("status", f"{method.standing}: {method.rationale}"),
                ("valid", method.validity),
            )
        )
        measures = "coverage" if method.gives == "interval" else "error rates"
        yield Section(
            id=f"card-{method.name}-{method.gives}",
            title=f"Measured {measures}: {method.display_title}",
            blocks=(
                facts,
                Figure(picture=card_picture(measured)),
                card_table(measured),
                Code(label="Measured by", text=measured.command, language="console"),
            ),
            folded=True,
        )


def card_table(measured: Card) -> Table:
    """Return measured error rates as a table: a line for each design."""
    head, *lines = measured.cells()
    rows = [[line[0], *map(_figure_cell, line[1:-1]), line[-1]] for line in lines]
    return Table.of(f"Designs measured at alpha = {measured.alpha:g}", head, rows, note=" ".join(measured.notes()))


def _figure_cell(text: str) -> Cell:
    return Cell("") if text == "–" else Cell(text, float(text))


# --- Alternatives ---------------------------------------------------------------------------------


def _alternatives(answer: Comparison | Estimate | Ranking) -> list[Block]:
    """Return the alternatives to the methods used, and the methods to avoid."""
    evidence = answer.pairs.evidence if isinstance(answer, Ranking) else answer.evidence
    methods = find_methods(evidence=type(evidence), question=1 if isinstance(answer, Estimate) else 3)
    if any(method.metrics for method in methods):  # the metric decides on the method
        return [_methods_for_metric(evidence, methods)]
    margin = {} if np.isnan(getattr(answer, "margin", np.nan)) else {"margin": answer.margin}  # type: ignore[union-attr]
    try:
        advice = advise(answer.evidence, **margin)
    except InvalidEvidence:  # evidence outside the taxonomy
        return [_methods_for_metric(evidence, methods)]
    blocks: list[Block] = []
    if advice.alternatives:
        planned = any(alternative.plan for alternative in advice.alternatives)  # trained models need none
        others = [
            (
                alternative.method.display_title,
                alternative.method.name,
                *([alternative.plan] if planned else []),
                alternative.format_condition(evidence.models),
            )
            for alternative in advice.alternatives
        ]
        head = ("method", "name", *(["design"] if planned else []), "use it")
        blocks.append(Table.of("Alternatives", head, others, note=_CHOOSE_FIRST))
    if advice.forbidden:
        avoid = [(method.method.name, method.reason, method.figure) for method in advice.forbidden]
        blocks.append(Table.of("Methods to avoid", ("method", "reason", "measured"), avoid))
    return blocks


def _methods_for_metric(evidence: Any, methods: Sequence[Offer]) -> Table:
    """Return every method for the metric, recommended ones first."""
    serving = [method for method in methods if method.serves(evidence.metric.name)]
    rows = [
        (method.display_title, _ROLES.get(method.gives, method.gives), str(method.standing), method.rationale)
        for method in serving
    ]
    title = f"Methods for the {evidence.metric.report_title}"
    return Table.of(title, ("method", "role", "status", "reason"), rows, note=_CHOOSE_FIRST)


_CHOOSE_FIRST = "Choose the method before you see its result; do not pick the best-looking of several."


# --- For a paper ----------------------------------------------------------------------------------


def paper_section(answer: Citable) -> Section:
    """Return a paragraph and a table for a paper, and the BibTeX of their references."""
    blocks = (
        Code(label="Paragraph and table, Markdown", text=answer.to_markdown(), language="markdown"),
        Code(label="Paragraph and table, LaTeX", text=answer.to_latex(), language="latex"),
        Code(label="References, BibTeX", text=answer.bibtex(), language="bibtex"),
    )
    return Section(id="paper", title="Text for a paper", blocks=blocks, folded=True)
