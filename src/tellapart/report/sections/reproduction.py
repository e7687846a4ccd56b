"""How to reproduce an answer: command, Python, versions, fingerprints of the data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...evidence import Evidence
from ..blocks import Block, Code, Facts, Section, Table
from ..provenance import fingerprint_of, versions
from .page_context import PageContext
from .python_code import write_python_code


def reproduce_section(answer: Any, context: PageContext, evidence: Mapping[str, Evidence]) -> Section:
    """Return how to reproduce the answer: command, Python, versions, seed, fingerprints of the data."""
    provenance = context.provenance
    blocks: list[Block] = []
    if provenance.command:
        blocks.append(Code(label="Command", text=provenance.command, language="console"))
    lines = provenance.code or write_python_code(answer)
    if lines:
        blocks.append(Code(label="Python", text=lines, language="python"))
    seed = [] if provenance.seed is None else [("seed", str(provenance.seed))]
    blocks.append(Facts(rows=(*versions().items(), *seed), title="Versions"))
    prints = dict(provenance.data) | {name: fingerprint_of(known) for name, known in evidence.items()}
    if context.scores is not None:
        prints["scores by class"] = fingerprint_of(context.scores)
    if context.race is not None:
        prints["race (labels and predictions)"] = fingerprint_of(context.race)
    if prints:
        note = "First digits of the SHA-256: equal data have equal fingerprints."
        rows = [(name, text) for name, text in prints.items()]
        blocks.append(Table.of("Fingerprints of the data", ("data", "fingerprint"), rows, note=note))
    return Section(id="reproduce", title="Reproduce this", blocks=tuple(blocks))
