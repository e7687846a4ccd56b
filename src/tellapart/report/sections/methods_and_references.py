"""The methods of an answer: measured error rates, alternatives, references, and a paragraph for a paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ...advice.advising import advise
from ...bibliography import REFERENCES
from ...errors import InvalidEvidence
from ...methods import Offer, find_methods
from ...methods.cards import Card, card
from ...results import Comparison, Estimate, Ranking
from ...results.paper import Citable
from ..blocks import Block, Cell, Code, Facts, Figure, Section, Table, Text


def card_sections(methods: Iterable[Offer | None]) -> Iterator[Section]:
    """Return what the lab has measured of the methods used, a section each; nothing where it has not."""
    from ..plots import card_picture

    for method in dict.fromkeys(each for each in methods if each is not None):
        result = card(method)
        if result is None:
            continue
        facts = Facts(
            rows=(
                ("method", f"{method.name} ({method.gives})"),
                ("standing", f"{method.standing}: {method.rationale}"),
                ("holds for", method.validity),
            )
        )
        yield Section(
            id=f"card-{method.name}-{method.gives}",
            title=f"How {method.name} behaves ({method.gives})",
            blocks=(
                facts,
                Figure(picture=card_picture(result)),
                card_table(result),
                Code(label="Measured by", text=result.command, language="console"),
            ),
            folded=True,
        )


def card_table(result: Card) -> Table:
    """Return a card as a table: the designs, and the figures measured there."""
    head, *lines = result.cells()
    rows = [[line[0], *map(_figure_cell, line[1:-1]), line[-1]] for line in lines]
    return Table.of(f"What was measured, at alpha = {result.alpha:g}", head, rows, note=" ".join(result.notes()))


def _figure_cell(text: str) -> Cell:
    return Cell("") if text == "–" else Cell(text, float(text))


def alternatives_section(answer: Comparison | Estimate | Ranking) -> Section:
    """Return the question of the taxonomy that this is, what is recommended for it, what else, and what never."""
    evidence = answer.pairs.evidence if isinstance(answer, Ranking) else answer.evidence
    question = 1 if isinstance(answer, Estimate) else 3
    methods = find_methods(evidence=type(evidence), question=question)
    if any(method.metrics for method in methods):  # the metric has a say in the method
        return _methods_section(evidence, methods)
    margin = {} if np.isnan(getattr(answer, "margin", np.nan)) else {"margin": answer.margin}  # type: ignore[union-attr]
    try:
        advice = advise(answer.evidence, **margin)
    except InvalidEvidence:  # a kind of evidence that the nine questions are not about
        return _methods_section(evidence, methods)
    facts = [] if advice.question is None else [("question", f"{advice.question.number}. {advice.question.asks}")]
    of_threshold = isinstance(answer, Comparison) and len(answer.evidence.models) == 1
    if advice.recommended is not None and not of_threshold:  # advice is of the interval, there
        facts.append(("recommended", advice.recommended.text))
    blocks: list[Block] = [Facts(rows=tuple(facts))] if facts else []
    if advice.alternatives:
        planned = any(each.plan for each in advice.alternatives)  # classifiers need none
        others = [
            (each.method.name, str(each.method.standing), *([each.plan] if planned else []), each.when)
            for each in advice.alternatives
        ]
        head = ("method", "standing", *(["by the plan"] if planned else []), "if")
        blocks.append(Table.of("Worth considering", head, others))
    if advice.forbidden:
        never = [(each.method.name, each.reason, each.figure) for each in advice.forbidden]
        blocks.append(Table.of("Not to be used", ("method", "because", "what the lab measured"), never))
    if advice.rules:
        rules = [(rule.says, REFERENCES[rule.source].short, rule.superseded) for rule in advice.rules]
        blocks.append(Table.of("Rules that have been given", ("rule", "by", "what is known since"), rules))
    blocks.append(Text(paragraphs=(_BEFORE,)))
    return Section(id="alternatives", title="What else could have been asked", blocks=tuple(blocks), folded=True)


def _methods_section(evidence: Any, methods: Sequence[Offer]) -> Section:
    """Return every method that answers for the metric, best standing first."""
    able = [method for method in methods if method.serves(evidence.metric.name)]
    rows = [(each.name, each.gives, str(each.standing), each.rationale, each.validity) for each in able]
    head = ("method", "gives", "standing", "because", "holds for")
    table = Table.of(f"What answers for the {evidence.metric.title}", head, rows)
    blocks = (table, Text(paragraphs=(_BEFORE,)))
    return Section(id="alternatives", title="What else could have been asked", blocks=blocks, folded=True)


_BEFORE = "Choose a method before looking at what it says: the best-looking of several answers is none."


def paper_section(answer: Citable) -> Section:
    """Return a paragraph and a table for a paper, and the references that they cite."""
    blocks = (
        Code(label="Paragraph and table, in Markdown", text=answer.to_markdown(), language="markdown"),
        Code(label="Paragraph and table, in LaTeX", text=answer.to_latex(), language="latex"),
        Code(label="What they cite, in BibTeX", text=answer.bibtex(), language="bibtex"),
    )
    return Section(id="paper", title="For a paper", blocks=blocks, folded=True)
