"""A judgement as an HTML page: the verdict, the interval and the margin, the groups, and how to reproduce it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ..evidence import Evidence
from ..figures import Scale, count_text, equation, pvalue_text
from ..report.blocks import Badge, Block, Cell, Figure, Page, Section, Table, Text, Tile
from ..report.plots import difference_picture, groups_picture
from ..report.provenance import Provenance
from ..report.sections.checks_and_sources import checks_section, sources_section
from ..report.sections.comparisons import methods_of
from ..report.sections.data import data_sections
from ..report.sections.groups import figure_of_many
from ..report.sections.headline import data_tile, difference_tile, interval_drawing, result_section
from ..report.sections.methods_and_references import card_sections, methods_section
from ..report.sections.page_context import PageContext
from ..report.sections.reproduction import reproduce_section
from ..report.writing import write_page
from ..results import Check
from .judging import GroupJudgement, Judgement
from .wording import (
    GROUP_HEAD,
    VERDICT_MEANINGS,
    column_scale,
    format_group_cells,
    format_values,
    sort_by_verdict,
)

_BADGES: dict[str, Badge] = {"pass": "Pass", "worse": "Worse", "not enough evidence": "Not enough evidence"}


def write_judgement(file: str | Path, judgement: Judgement, *, provenance: Provenance | None = None) -> Path:
    """Write a judgement as one self-contained HTML file.

    Examples
    --------
    >>> import tempfile
    >>> from tellapart import PairedTable, judge
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_judgement(f"{folder}/gate.html", judge(PairedTable(20, 12, 9, 2959))).name
    'gate.html'
    """
    return write_page(file, build_page(judgement, provenance=provenance))


def build_page(judgement: Judgement, *, provenance: Provenance | None = None, rules: str = "") -> Page:
    """Return a judgement as a page.

    Parameters
    ----------
    judgement
        Result of `judge`.
    provenance
        The command or the code, and fingerprints of the data.
    rules
        Settings that came from a project's rules.

    Examples
    --------
    >>> from tellapart import PairedTable, judge
    >>> [section.title for section in build_page(judge(PairedTable(20, 12, 9, 2959))).sections][:2]
    ['Result', 'Difference']
    """
    baseline, candidate = judgement.models
    return Page(
        title=f"{_BADGES[judgement.verdict]}: {candidate} against {baseline}",
        sections=tuple(_list_sections(judgement, provenance or Provenance(), rules)),
    )


def _list_sections(judgement: Judgement, provenance: Provenance, rules: str) -> Iterator[Section]:
    comparison = judgement.comparison
    yield _build_result_section(judgement, rules)
    if judgement.groups:
        yield _build_groups_section(judgement)
    yield _build_interval_section(judgement)
    yield from data_sections(comparison.evidence, PageContext())
    yield _build_checks_section(judgement)
    limits = sources_section(comparison)
    meaning = Text(paragraphs=(VERDICT_MEANINGS[judgement.verdict],))
    yield Section(id=limits.id, title=limits.title, blocks=(meaning, *limits.blocks))
    yield methods_section(comparison, methods_of(comparison))
    yield from card_sections(methods_of(comparison))
    context = PageContext(provenance=_add_code(judgement, provenance))
    yield reproduce_section(comparison, context, _list_evidence(judgement))


def _build_result_section(judgement: Judgement, rules: str) -> Section:
    settings = [
        ("exit status", str(judgement.exit_status)),
        *([("rules", rules)] if rules else []),
    ]
    display = judgement.display()
    if not judgement.groups:  # the tiles have difference, interval and p
        size = count_text(int(judgement.comparison.evidence.size), judgement.comparison.evidence.unit.name)
        display = replace(display, figures=f"{format_values(judgement.comparison)}, {size}")
    return result_section(
        display,
        badge=_BADGES[judgement.verdict],
        tiles=_build_tiles(judgement),
        interval=interval_drawing(judgement.comparison),
        facts=settings,
    )


def _build_tiles(judgement: Judgement) -> tuple[Tile, ...]:
    """Return difference, p-value of the verdict, and discordant examples; groups have a table instead."""
    if judgement.groups:
        return ()
    line, comparison = judgement.together, judgement.comparison
    pvalue = line.worse if line.verdict == "worse" else float(comparison.pvalue)
    certainty = Tile(
        value=equation("p", pvalue_text(pvalue, judgement.alpha)),
        notes=(judgement.test.display_title, f"alpha = {judgement.alpha:.6g}"),
    )
    tiles = (difference_tile(comparison), certainty, data_tile(comparison.evidence))
    return tuple(tile for tile in tiles if tile is not None)


def _list_margins(judgement: Judgement) -> Iterator[float]:
    return (line.comparison.margin for line in judgement.deciding.values())


def _build_interval_section(judgement: Judgement) -> Section:
    note: tuple[Block, ...] = ()
    if judgement.groups:
        note = (Text(paragraphs=("All groups together; they do not decide, the groups do.",)),)
    return Section(
        id="interval",
        title="Difference",
        blocks=(*note, Figure(picture=difference_picture(judgement.comparison))),
    )


def _build_groups_section(judgement: Judgement) -> Section:
    """Return the groups: one picture per margin, and a table."""
    pictures: list[Block] = []
    for size in dict.fromkeys(_list_margins(judgement)):
        lines = {name: line.comparison for name, line in judgement.groups.items() if line.comparison.margin == size}
        pictures += figure_of_many(lines, groups_picture)
    scale = column_scale(judgement.groups)
    table = Table.of(
        "Groups",
        GROUP_HEAD,
        [_build_group_row(name, line, scale) for name, line in sort_by_verdict(judgement.groups)],
        note="Every group must pass at alpha; p-values of losses are Holm-adjusted over the groups. Examples needed: to"
        f" pass with {100 * judgement.power:.6g}% power if both models are equal in the group.",
    )
    return Section(id="groups", title="Groups", blocks=(*pictures, table))


def _build_group_row(name: str, line: GroupJudgement, scale: Scale) -> tuple[Cell | str, ...]:
    _, verdict, *texts = format_group_cells(name, line, scale)
    comparison = line.comparison
    values = (
        line.examples,
        comparison.margin,
        -float(comparison.difference),
        -float(comparison.interval.high),
        float(comparison.pvalue),
        line.adjusted,
        line.enough,
    )
    return (name, verdict, *(Cell(text, value) for text, value in zip(texts, values, strict=True)))


def _build_checks_section(judgement: Judgement) -> Section:
    if not judgement.groups:
        return checks_section(judgement.comparison.checks)
    failed: list[Check] = [
        check for line in judgement.groups.values() for check in line.comparison.checks if not check.holds
    ]
    section = checks_section(failed[:20])
    count = Text(paragraphs=(f"{len(failed)} checks fail in {len(judgement.groups)} groups.",))
    return Section(id=section.id, title=section.title, blocks=(count, *section.blocks) if failed else (count,))


def _list_evidence(judgement: Judgement) -> dict[str, Evidence]:
    if not judgement.groups:
        return {"counts": judgement.comparison.evidence}
    return {f"counts of {name}": line.comparison.evidence for name, line in judgement.groups.items()}


def _add_code(judgement: Judgement, provenance: Provenance) -> Provenance:
    """Return the provenance; without code in it, with Python code that uses the four counts."""
    if provenance.code or judgement.groups:
        return provenance
    options = {name: getattr(judgement, name) for name in ("margin", "alpha", "method", "power")}
    arguments = ", ".join(f"{name}={value!r}" for name, value in options.items())
    code = f"import tellapart as ta\n\nprint(ta.judge(ta.{judgement.comparison.evidence!r}, {arguments}))"
    return Provenance(command=provenance.command, code=code, seed=provenance.seed, data=provenance.data)
