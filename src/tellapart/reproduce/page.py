"""A reproduction as one page, with every table and figure, and as a summary in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .. import __version__
from ..bibliography import cite
from ..figures import count_text
from ..markup import in_markdown
from ..report.blocks import Block, Cell, Code, Facts, Figure, Page, Section, Table, Text, Verdict
from ..report.provenance import versions
from .reproduction import LINE_HEAD, Reproduced, Reproduction, line_cells
from .verdicts import VERDICTS, Line, counted

_CELLS = 200_000  # of all tables: every number of every paper
_PAPERS = ("paper", "exhibits", "numbers and statements", *VERDICTS)
_CONCLUDED = ("exhibit", "statement", "verdict", "here")
_DEVIATES = ("exhibit", "verdict", "what", "why")
_SCALES = {
    "quick": "a quick run with few trials and wide tolerances",
    "paper": "the sample sizes of the papers",
    "full": "a thousand times the sample sizes of the papers, or as many as an hour allows (see each exhibit)",
}


def page_of(reproduction: Reproduction, *, command: str = "") -> Page:
    """Return a reproduction as a page: the summary on top, then every exhibit.

    Examples
    --------
    >>> from tellapart.reproduce import Run, find_exhibits, run_exhibits
    >>> page = page_of(run_exhibits(find_exhibits("mitchell", "table-5.1"), Run(scale="quick")))
    >>> [section.title for section in page.sections]
    ['Summary', 'Conclusions of the papers', 'Mitchell 1997, Table 5.1', 'Reproduce this']
    """
    exhibits = (_exhibit_section(part) for part in reproduction.parts)
    sections = (
        _summary_section(reproduction),
        _conclusions_section(reproduction),
        *exhibits,
        _provenance_section(reproduction, command),
    )
    return Page(title="Five papers, reproduced", sections=sections, cells=_CELLS)


def size_of(reproduction: Reproduction) -> str:
    """Return a description of the sample sizes."""
    return (
        _SCALES[reproduction.scale]
        if reproduction.times is None
        else f"{reproduction.times:,g} times the sample sizes of the papers"
    )


def _summary_section(reproduction: Reproduction) -> Section:
    unexplained = len(reproduction.unexplained)
    blocks: list[Block] = [
        Verdict(
            verdict="Five papers, reproduced",
            figures=reproduction.words,
            cautions=(f"{count_text(unexplained, 'deviation')} without a known reason.",) if unexplained else (),
            scope=f"measured by tellapart {__version__}, by {size_of(reproduction)}",
        ),
        Table.of("Agreement by paper", _PAPERS, _paper_rows(reproduction)),
        Table.of(
            "Agreement by exhibit", ("exhibit", "title", *VERDICTS), (row[:-1] for row in _exhibit_rows(reproduction))
        ),
    ]
    news = list(_group_by_reason(reproduction))
    if news:
        blocks.append(Table.of("Deviations and reasons", _DEVIATES, news))
    return Section(id="summary", title="Summary", blocks=tuple(blocks))


def _conclusions_section(reproduction: Reproduction) -> Section:
    rows = [(*_conclusion_cells(part, line), line.ours, line.reason) for part, line in reproduction.conclusions]
    return Section(
        id="conclusions",
        title="Conclusions of the papers",
        blocks=(_table_with_reasons("Statements", _CONCLUDED, rows),),
    )


def _conclusion_cells(part: Reproduced, line: Line) -> tuple[str, ...]:
    """Return the exhibit of a statement, its text, and whether it holds."""
    return _exhibit_name(part), _statement_text(line), "holds" if line.verdict == "matches" else "does not hold"


def _statement_text(line: Line) -> str:
    return f"{line.what}: {line.printed}"


def _paper_rows(reproduction: Reproduction) -> Iterator[tuple[object, ...]]:
    for name in dict.fromkeys(part.exhibit.paper for part in reproduction.parts):
        parts = [part for part in reproduction.parts if part.exhibit.paper == name]
        lines = [line for part in parts for line in part.shown.lines]
        yield parts[0].exhibit.source, len(parts), len(lines), *counted(line.verdict for line in lines).values()


def _exhibit_rows(reproduction: Reproduction) -> Iterator[tuple[object, ...]]:
    for part in reproduction.parts:
        yield (
            _exhibit_name(part),
            part.exhibit.title,
            *part.shown.counts.values(),
            "; ".join(f"{what}: {size}" for what, size in part.sizes.items()) or "exact",
        )


def _exhibit_name(part: Reproduced) -> str:
    return f"{part.exhibit.source}, {part.exhibit.label}"


def _exhibit_section(part: Reproduced) -> Section:
    """Return an exhibit as a section: title, notes, pictures, numbers and further tables."""
    shown = part.shown
    blocks: list[Block] = [Text(paragraphs=(f"{part.exhibit.title}.", *shown.notes))]
    if part.sizes:
        blocks.append(Facts(rows=tuple(part.sizes.items())))
    blocks += [Figure(picture=picture) for picture in shown.pictures]
    blocks += _line_tables(shown.lines)
    blocks += shown.tables
    return Section(
        id=f"{part.exhibit.paper}-{part.exhibit.name}",
        title=_exhibit_name(part),
        blocks=tuple(blocks),
    )


def _provenance_section(reproduction: Reproduction, command: str) -> Section:
    """Return the section with command, versions, seed and papers."""
    blocks: list[Block] = [Code(label="Command", text=command, language="console")] if command else []
    papers = dict.fromkeys(part.exhibit.cites for part in reproduction.parts)
    blocks += [
        Facts(rows=(*versions().items(), ("seed", str(reproduction.seed))), title="Versions"),
        Facts(rows=tuple((str(number), cite(key)) for number, key in enumerate(papers, 1)), title="The papers"),
    ]
    return Section(id="reproduce", title="Reproduce this", blocks=tuple(blocks))


def _line_tables(lines: Iterable[Line]) -> Iterator[Table]:
    """Yield a table of numbers and one of statements; reasons, if any, are the last column."""
    every_line = tuple(lines)
    numbers, statements = ([line for line in every_line if line.statement is kind] for kind in (False, True))
    if numbers:
        allows = "; ".join(dict.fromkeys(line.allows for line in numbers if line.allows))
        rows = ((*map(_number_cell, line_cells(line)), line.reason) for line in numbers)
        yield _table_with_reasons("Numbers", LINE_HEAD, rows, note=f"Allowed: {allows}." if allows else "")
    if statements:
        rows = ((_statement_text(line), line.verdict, line.ours, line.reason) for line in statements)
        yield _table_with_reasons("Statements", ("statement", "verdict", "here"), rows)


def _table_with_reasons(caption: str, head: tuple[str, ...], rows: Iterable[tuple[Any, ...]], note: str = "") -> Table:
    """Return a table without its last column, the reasons, if that is empty."""
    every = list(rows)
    if any(row[-1] for row in every):
        return Table.of(caption, (*head, "why"), every, note=note)
    return Table.of(caption, head, [row[:-1] for row in every], note=note)


def _number_cell(text: str) -> Cell:
    try:
        return Cell(text, float(text))
    except ValueError:
        return Cell(text, text)


# --- Markdown ---------------------------------------------------------------------------------------


def markdown_of(reproduction: Reproduction, *, date: str, command: str) -> str:
    """Return a summary in Markdown: agreement, deviations with reasons, and the papers' conclusions.

    Parameters
    ----------
    found
        The results.
    date, command
        The date and the command of the run.

    Examples
    --------
    >>> from tellapart.reproduce import Run, find_exhibits, run_exhibits
    >>> found = run_exhibits(find_exhibits("mitchell", "table-5.1"), Run(scale="quick"))
    >>> markdown_of(found, date="2006-06-01", command="tellapart reproduce").splitlines()[0]
    '# Five papers, reproduced'
    """
    texts = [
        "# Five papers, reproduced",
        "",
        f"Written by `{command}` on {date}, with tellapart {__version__}, by {size_of(reproduction)}.",
        "",
        reproduction.words,
        "",
        "## Agreement",
        "",
        *_markdown_table(_PAPERS, _paper_rows(reproduction)),
        "",
        *_markdown_table(("exhibit", "title", *VERDICTS, "sizes"), _exhibit_rows(reproduction)),
        "",
        "## Deviations and reasons",
        "",
        *_markdown_table(_DEVIATES, _group_by_reason(reproduction)),
        "",
        "## Conclusions of the papers",
        "",
        *_markdown_table(
            _CONCLUDED,
            (
                (*_conclusion_cells(part, line), line.ours + (f" ({line.reason})" if line.reason else ""))
                for part, line in reproduction.conclusions
            ),
        ),
        "",
    ]
    return "\n".join(texts)


def _group_by_reason(reproduction: Reproduction) -> Iterator[tuple[object, ...]]:
    """Yield rows of deviations; numbers that share a reason are in one row."""
    for part in reproduction.parts:
        groups: dict[tuple[str, str], list[Line]] = {}
        for line in part.shown.lines:
            if line.verdict != "matches":
                groups.setdefault((line.verdict, line.reason or "unknown"), []).append(line)
        for (verdict, reason), lines in groups.items():
            first = "; ".join(f"{line.what} ({line.printed}, ours {line.ours})" for line in lines[:3])
            more = f" and {len(lines) - 3} more" if len(lines) > 3 else ""
            yield _exhibit_name(part), verdict, first + more, reason


def _markdown_table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'|'.join(' --- ' for _ in head)}|"
    for row in rows:
        yield f"| {' | '.join(in_markdown(str(each)) for each in row)} |"
