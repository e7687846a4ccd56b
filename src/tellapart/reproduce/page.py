"""A reproduction as one page, every table and figure with ours beside it, and as a summary in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .. import __version__
from ..bibliography import cite
from ..markup import in_markdown
from ..report.blocks import Block, Cell, Code, Facts, Figure, Page, Section, Table, Text, Verdict
from ..report.provenance import versions
from .lines import VERDICTS, Line, counted
from .reproduction import Reproduced, Reproduction

LINE_HEAD = ("what", "paper", "ours", "difference", "allowed", "verdict")
_CELLS = 200_000  # of all tables: every number of every paper
_PAPERS = ("paper", "exhibits", "numbers and statements", *VERDICTS)
_CONCLUDED = ("exhibit", "statement", "here", "found")
_DEVIATES = ("exhibit", "verdict", "what", "why")
_SCALES = {
    "quick": "a quick look: few trials, so that much is allowed for",
    "paper": "the sample sizes of the papers",
    "full": "a thousand times the sample sizes of the papers, or as near as an hour comes (each exhibit tells)",
}


def page_of(found: Reproduction, *, command: str = "") -> Page:
    """Return a reproduction as a page: the summary on top, then every exhibit.

    Examples
    --------
    >>> from tellapart.reproduce import Run, find_exhibits, run_exhibits
    >>> page = page_of(run_exhibits(find_exhibits("mitchell", "table-5.1"), Run(scale="quick")))
    >>> [section.title for section in page.sections]
    ['In short', 'What the papers conclude', 'Mitchell 1997, Table 5.1', 'How to have this again']
    """
    exhibits = (_exhibit(part) for part in found.parts)
    sections = _summary(found), _conclusions(found), *exhibits, _again(found, command)
    return Page(title="Five papers, reproduced", sections=sections, cells=_CELLS)


def size_of(found: Reproduction) -> str:
    """Say how large a reproduction is."""
    return _SCALES[found.scale] if found.times is None else f"{found.times:,g} times the sample sizes of the papers"


def line_cells(line: Line) -> tuple[str, ...]:
    """Return a line as texts, one a column of `LINE_HEAD`."""
    difference = "" if line.difference is None else f"{line.difference:+.4g}" if abs(line.difference) > 1e-9 else "0"
    allowed = "" if line.tolerance is None else f"{line.tolerance:.3g}"
    return line.what, line.printed, line.ours, difference, allowed, line.verdict


def _summary(found: Reproduction) -> Section:
    blocks: list[Block] = [
        Verdict(
            verdict="Five papers, reproduced",
            figures=found.words,
            scope=f"measured by tellapart {__version__}, by {size_of(found)}",
        ),
        Table.of("How much agrees, by paper", _PAPERS, _papers(found)),
        Table.of(
            "How much agrees, by exhibit", ("exhibit", "title", *VERDICTS), (row[:-1] for row in _exhibits(found))
        ),
    ]
    news = list(_grouped(found))
    if news:
        blocks.append(Table.of("What does not match, and why", _DEVIATES, news))
    return Section(id="summary", title="In short", blocks=tuple(blocks))


def _conclusions(found: Reproduction) -> Section:
    rows = [(*_concluded(part, line), line.ours, line.reason) for part, line in found.conclusions]
    return Section(
        id="conclusions",
        title="What the papers conclude",
        blocks=(_told("Statements, and whether they survive", _CONCLUDED, rows),),
    )


def _concluded(part: Reproduced, line: Line) -> tuple[str, ...]:
    """Return where a statement stands, what it says, and whether that is so here."""
    return _called(part), _statement(line), "holds" if line.verdict == "matches" else "does not hold"


def _statement(line: Line) -> str:
    return f"{line.what}: {line.printed}"


def _papers(found: Reproduction) -> Iterator[tuple[object, ...]]:
    for name in dict.fromkeys(part.exhibit.paper for part in found.parts):
        parts = [part for part in found.parts if part.exhibit.paper == name]
        lines = [line for part in parts for line in part.shown.lines]
        yield parts[0].exhibit.source, len(parts), len(lines), *counted(line.verdict for line in lines).values()


def _exhibits(found: Reproduction) -> Iterator[tuple[object, ...]]:
    for part in found.parts:
        yield (
            _called(part),
            part.exhibit.title,
            *part.shown.counts.values(),
            "; ".join(f"{what}: {size}" for what, size in part.sizes.items()) or "exact",
        )


def _called(part: Reproduced) -> str:
    return f"{part.exhibit.source}, {part.exhibit.label}"


def _exhibit(part: Reproduced) -> Section:
    """Return an exhibit as a section: what it is, its pictures, the numbers, and what goes beyond."""
    shown = part.shown
    blocks: list[Block] = [Text(paragraphs=(f"{part.exhibit.title}.", *shown.notes))]
    if part.sizes:
        blocks.append(Facts(rows=tuple(part.sizes.items())))
    blocks += [Figure(picture=picture) for picture in shown.pictures]
    blocks += _lines(shown.lines)
    blocks += shown.tables
    return Section(
        id=f"{part.exhibit.paper}-{part.exhibit.name}",
        title=_called(part),
        blocks=tuple(blocks),
    )


def _again(found: Reproduction, command: str) -> Section:
    """Return how to have the page again: command, versions, seed, and the papers."""
    blocks: list[Block] = [Code(label="Command", text=command, language="console")] if command else []
    papers = dict.fromkeys(part.exhibit.cites for part in found.parts)
    blocks += [
        Facts(rows=(*versions().items(), ("seed", str(found.seed))), title="Versions"),
        Facts(rows=tuple((str(place), cite(key)) for place, key in enumerate(papers, 1)), title="The papers"),
    ]
    return Section(id="reproduce", title="How to have this again", blocks=tuple(blocks))


def _lines(lines: Iterable[Line]) -> Iterator[Table]:
    """Yield numbers as one table and statements as another; the last column says why, where anything is to be said."""
    held = tuple(lines)
    numbers, statements = ([line for line in held if line.statement is kind] for kind in (False, True))
    if numbers:
        allows = "; ".join(dict.fromkeys(line.allows for line in numbers if line.allows))
        rows = ((*map(_cell, line_cells(line)), line.reason) for line in numbers)
        yield _told("The paper and ours", LINE_HEAD, rows, note=f"Allowed: {allows}." if allows else "")
    if statements:
        rows = ((_statement(line), line.verdict, line.ours, line.reason) for line in statements)
        yield _told("What the paper says", ("statement", "verdict", "what is found"), rows)


def _told(caption: str, head: tuple[str, ...], rows: Iterable[tuple[Any, ...]], note: str = "") -> Table:
    """Return a table whose last column, the reasons, is left out where it is empty."""
    every = list(rows)
    if any(row[-1] for row in every):
        return Table.of(caption, (*head, "why"), every, note=note)
    return Table.of(caption, head, [row[:-1] for row in every], note=note)


def _cell(text: str) -> Cell:
    try:
        return Cell(text, float(text))
    except ValueError:
        return Cell(text, text)


# --- Markdown ---------------------------------------------------------------------------------------


def markdown_of(found: Reproduction, *, date: str, command: str) -> str:
    """Return a summary in Markdown: how much agrees, what does not and why, and which conclusions survive.

    Parameters
    ----------
    found
        What was run.
    date, command
        When, and by which command.

    Examples
    --------
    >>> from tellapart.reproduce import Run, find_exhibits, run_exhibits
    >>> found = run_exhibits(find_exhibits("mitchell", "table-5.1"), Run(scale="quick"))
    >>> markdown_of(found, date="2006-06-01", command="tellapart reproduce").splitlines()[0]
    '# Five papers, reproduced'
    """
    told = [
        "# Five papers, reproduced",
        "",
        f"Written by `{command}` on {date}, with tellapart {__version__}, by {size_of(found)}.",
        "",
        found.words,
        "",
        "## How much agrees",
        "",
        *_table(_PAPERS, _papers(found)),
        "",
        *_table(("exhibit", "what it shows", *VERDICTS, "sizes"), _exhibits(found)),
        "",
        "## What does not match, and why",
        "",
        *_table(_DEVIATES, _grouped(found)),
        "",
        "## What the papers conclude, and what survives",
        "",
        *_table(
            _CONCLUDED,
            (
                (*_concluded(part, line), line.ours + (f" ({line.reason})" if line.reason else ""))
                for part, line in found.conclusions
            ),
        ),
        "",
    ]
    return "\n".join(told)


def _grouped(found: Reproduction) -> Iterator[tuple[object, ...]]:
    """Yield what does not match, numbers that share a reason in one row."""
    for part in found.parts:
        groups: dict[tuple[str, str], list[Line]] = {}
        for line in part.shown.lines:
            if line.verdict != "matches":
                groups.setdefault((line.verdict, line.reason or "nobody knows"), []).append(line)
        for (verdict, reason), lines in groups.items():
            first = "; ".join(f"{line.what} ({line.printed}, ours {line.ours})" for line in lines[:3])
            more = f" and {len(lines) - 3} more" if len(lines) > 3 else ""
            yield _called(part), verdict, first + more, reason


def _table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'|'.join(' --- ' for _ in head)}|"
    for row in rows:
        yield f"| {' | '.join(in_markdown(str(each)) for each in row)} |"
