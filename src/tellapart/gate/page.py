"""A judgement as a page: the verdict, the interval beside the margin, the groups, and how to have it again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..evidence import Evidence
from ..rendering import pvalue_text
from ..report.blocks import Badge, Block, Cell, Figure, Page, Section, Table, Text
from ..report.plots import difference_picture, groups_picture
from ..report.provenance import Provenance
from ..report.sections.checks_and_sources import checks_section, sources_section
from ..report.sections.comparisons import methods_of
from ..report.sections.data import data_sections
from ..report.sections.groups import figure_of_many
from ..report.sections.headline import interval_drawing, result_section, tiles_of
from ..report.sections.methods_and_references import card_sections
from ..report.sections.page_context import PageContext
from ..report.sections.reproduction import reproduce_section
from ..report.writing import write_page
from ..results import Check as CheckFound
from .judging import Judgement, Line
from .wording import GROUP_HEAD, cells_of, ordered

_BADGES: dict[str, Badge] = {"pass": "Pass", "worse": "Worse", "not enough evidence": "Not enough evidence"}
# What a gate's verdict is taken for, and is not.
_NOT_MEANT = {
    "pass": "That it passes does not say that the candidate is better, nor that it is as good: it is at most the margin"
    " worse, and about alpha of those that are worse by just the margin would pass as well.",
    "worse": "That it is worse says by how much at least, in the interval; it does not say why.",
    "not enough evidence": "That there is not enough evidence says neither that the candidate is worse nor that it is"
    " not: a difference that is not shown is not shown to be absent.",
}


def write_judgement(file: str | Path, found: Judgement, *, provenance: Provenance | None = None) -> Path:
    """Write a judgement as one HTML file that needs no other and no network.

    Examples
    --------
    >>> import tempfile
    >>> from tellapart import PairedTable, judge
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_judgement(f"{folder}/gate.html", judge(PairedTable(20, 12, 9, 2959))).name
    'gate.html'
    """
    return write_page(file, page_of(found, provenance=provenance))


def page_of(found: Judgement, *, provenance: Provenance | None = None, rules: str = "") -> Page:
    """Return a judgement as a page.

    Parameters
    ----------
    found
        What `judge` said.
    provenance
        The command or the lines that gave it, and fingerprints of the data.
    rules
        Which settings came from a project's rules.

    Examples
    --------
    >>> from tellapart import PairedTable, judge
    >>> [section.title for section in page_of(judge(PairedTable(20, 12, 9, 2959))).sections][:2]
    ['Result', 'The interval and the margin']
    """
    baseline, candidate = found.models
    return Page(
        title=f"{_BADGES[found.verdict]}: {candidate} against {baseline}",
        sections=tuple(_sections(found, provenance or Provenance(), rules)),
    )


def _sections(found: Judgement, provenance: Provenance, rules: str) -> Iterator[Section]:
    yield _verdict(found, rules)
    if found.groups:
        yield _groups(found)
    yield _interval(found)
    yield from data_sections(found.comparison.evidence, PageContext())
    yield from card_sections(methods_of(found.comparison))
    yield _checks(found)
    limits = sources_section(found.comparison)
    said = Text(paragraphs=(_NOT_MEANT[found.verdict],))
    yield Section(id=limits.id, title=limits.title, blocks=(said, *limits.blocks))
    yield reproduce_section(found.comparison, PageContext(provenance=_with_code(found, provenance)), _evidence(found))


def _verdict(found: Judgement, rules: str) -> Section:
    asked = [
        ("margin", ", ".join(f"{size:.6g}" for size in dict.fromkeys(_margins(found)))),
        ("alpha", f"{found.alpha:.6g}"),
        ("exit status", str(found.exit_status)),
        *([("rules", rules)] if rules else []),
    ]
    return result_section(
        found.display(),
        badge=_BADGES[found.verdict],
        tiles=tiles_of(found.comparison),
        interval=interval_drawing(found.comparison),
        facts=asked,
    )


def _margins(found: Judgement) -> Iterator[float]:
    return (line.comparison.margin for line in found.deciding.values())


def _interval(found: Judgement) -> Section:
    told: tuple[Block, ...] = ()
    if found.groups:
        told = (Text(paragraphs=("All groups together are shown for what they are worth; the groups decide.",)),)
    return Section(
        id="interval",
        title="The interval and the margin",
        blocks=(*told, Figure(picture=difference_picture(found.comparison))),
    )


def _groups(found: Judgement) -> Section:
    """Return the groups: a picture for each margin there is, and a table."""
    pictures: list[Block] = []
    for size in dict.fromkeys(_margins(found)):
        drawn = {name: line.comparison for name, line in found.groups.items() if line.comparison.margin == size}
        pictures += figure_of_many(drawn, groups_picture)
    head = (*GROUP_HEAD[:2], "margin", *GROUP_HEAD[2:])
    table = Table.of(
        "Group by group",
        head,
        [_row(name, line) for name, line in ordered(found.groups)],
        note="Every group must pass, each at alpha; a loss in some group is adjusted by Holm over all of them. More"
        f" examples: to pass with a probability of {100 * found.power:.6g} %, were the two equally good in the group.",
    )
    return Section(id="groups", title="Group by group", blocks=(*pictures, table))


def _row(name: str, line: Line) -> tuple[Cell | str, ...]:
    _, verdict, examples, only_a, only_b, difference, interval, _, _, more = cells_of(name, line)
    comparison = line.comparison
    return (
        name,
        verdict,
        Cell(f"{comparison.margin:.6g}", comparison.margin),
        *(Cell(text, float(text)) for text in (examples, only_a, only_b)),
        Cell(difference, float(comparison.difference)),
        Cell(interval, float(comparison.interval.low)),
        *(Cell(pvalue_text(p, comparison.alpha), p) for p in (float(comparison.pvalue), line.adjusted)),
        Cell(more, None if line.enough is None else line.enough),
    )


def _checks(found: Judgement) -> Section:
    if not found.groups:
        return checks_section(found.comparison.checks)
    broken: list[CheckFound] = [
        check for line in found.groups.values() for check in line.comparison.checks if not check.holds
    ]
    section = checks_section(broken[:20])
    told = Text(paragraphs=(f"{len(broken)} checks fail in {len(found.groups)} groups.",))
    return Section(id=section.id, title=section.title, blocks=(told, *section.blocks) if broken else (told,))


def _evidence(found: Judgement) -> dict[str, Evidence]:
    return {"counts" if name == "all" and not found.groups else f"counts of {name}": line.comparison.evidence
            for name, line in found.deciding.items()}  # fmt: skip


def _with_code(found: Judgement, provenance: Provenance) -> Provenance:
    """Return where it came from, with lines of Python if there are none: four counts are all it takes."""
    if provenance.code or found.groups:
        return provenance
    table = found.comparison.evidence
    options = f"margin={found.margin!r}, alpha={found.alpha!r}, method={found.method!r}, power={found.power!r}"
    code = f"import tellapart as ta\n\nprint(ta.judge(ta.{table!r}, {options}))"
    return Provenance(command=provenance.command, code=code, seed=provenance.seed, data=provenance.data)
