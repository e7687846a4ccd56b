"""What a page says about a watch: where things stand, the picture of the looks, and every one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ...methods import find_methods
from ...planning import Watch
from ...planning.watch_words import sentences, table_of_looks
from ..blocks import Cell, Figure, Section, Table, Text, Tone, Verdict
from .common import Given, card_sections, reproduce_section

_ANSWER, _LIMITS = ("verdict", "by how much", "how sure"), ("caution", "careful")
_MOST = 500  # looks in the table
_ALL_LOOKS = (
    "Band and bars are the interval of each look; dashed lines are what the intervals so far have in common. All of"
    " them hold the truth at once, with the probability that alpha leaves, "
)


def watch_title(watched: Watch) -> str:
    """Return what the page is called."""
    if len(watched.models) == 2:
        return f"{watched.models[0]} or {watched.models[1]}, so far?"
    noun = "error" if watched.watches == "rate" else "mean score"
    return f"How large is the {noun}, so far?"


def watch_sections(watched: Watch, given: Given) -> Iterator[Section]:
    """Return all sections about a watch; before the first look there is but the verdict."""
    from ..plots import watch_picture

    rows = watched.statements
    answer, limits = (
        sentences(watched, [rows[label] for label in labels if label in rows]) for labels in (_ANSWER, _LIMITS)
    )
    verdict = Verdict(answer=answer, limits=limits, tone=_tone(watched))
    yield Section(id="verdict", title="The answer", blocks=(verdict,))
    if watched.looks:
        figure = Figure(picture=watch_picture(watched))
        how = "however often one looks." if watched.total is None else "up to the end of the plan, if it is kept."
        blocks = (figure, Text(paragraphs=(f"{_ALL_LOOKS}{how}",)), _table(watched))
        yield Section(id="looks", title="Look by look", blocks=blocks)
    yield from card_sections(find_methods(name=watched.rule))
    prints = {f"look {place}: {look.source}": look.fingerprint for place, look in enumerate(watched.looks, 1)}
    data = {name: " ".join(part[:16] for part in told.split()) for name, told in prints.items() if told}
    provenance = replace(given.provenance, data={**given.provenance.data, **data})
    yield reproduce_section(watched, replace(given, provenance=provenance), {})


def _tone(watched: Watch) -> Tone:
    if watched.broken:
        return "caution"
    if len(watched.models) == 1:
        return "plain"
    return "not told apart" if watched.decided is None else "told apart"


def _table(watched: Watch) -> Table:
    head, lines = table_of_looks(watched, _MOST)
    rows = [[_cell(name, text) for name, text in zip(head, line, strict=True)] for line in lines]
    more = len(watched.looks) - len(rows)
    note = f"The last {len(rows)} looks; {more} came before." if more else ""
    return Table.of("Every look", head, rows, note=note)


def _cell(column: str, text: str) -> Cell:
    """Return a cell that is sorted by its number; what a look does not have is left empty."""
    if column in ("decides", "source"):
        return Cell(text)
    if text.startswith("above "):  # an e-value that no float holds
        return Cell(text, np.finfo(float).max)
    return Cell("") if text in ("–", "none") else Cell(text, float(text))
