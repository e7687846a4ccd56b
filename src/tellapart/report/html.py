"""A page as one self-contained file of HTML, which loads nothing from a network.

Texts of users are escaped by the template engine; only style sheets, the script and pictures are inserted as they are.
The content security policy lets a browser run that script and no other.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from typing import Any

from ..errors import import_extra
from .blocks import Badge, Cell, CheckBlock, Checks, Figure, Page, Section, Table, Verdict
from .picture import Numbers, Picture
from .svg import both_svgs, legible

TONES: dict[Badge, str] = {  # the class of each decision
    "Significant difference": "good",
    "No significant difference": "neutral",
    "Pass": "good",
    "Worse": "bad",
    "Not enough evidence": "open",
}
_PHONE_CHARACTERS = 38  # of a table's rows, with the space between columns
_MOST_ROWS = 2000  # of one table
_OURS = ("content", "contents", "dark", "status", "theme", "top")  # ids that no section may take
_UNIT = re.compile(r"(?<=\d) (?=%)")  # a number and its sign stay on one line
_CODE = re.compile(r"\bTA\d{3}\b")
_BELOW = re.compile(r"(?<![\w-])-(?=[\d.]+(?: to | pp\b))|(?<= to )-(?=\d)")  # limits and differences below zero


def render(page: Page) -> str:
    """Return a page as HTML: one file, for every browser, for light and dark, phone and paper.

    Parameters
    ----------
    page
        What it is made of.

    Examples
    --------
    >>> from tellapart.report.blocks import Section, Verdict
    >>> section = Section(id="result", title="Result", blocks=(Verdict(verdict="a < b"),))
    >>> text = render(Page(title="<script>", subtitle="", sections=(section,)))
    >>> text[:15], "<title>&lt;script&gt;</title>" in text, "<h1>a &lt; b</h1>" in text
    ('<!DOCTYPE html>', True, True)
    """
    jinja2, markupsafe = import_extra("jinja2", "plot"), import_extra("markupsafe", "plot")
    ours = {name: _read_asset(name) for name in ("page.css", "dark.css", "page.js")}
    anchors = _check_anchors(page)
    places = {id(check): anchor for anchor, check in anchors.items()}
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["linked"] = _link_codes(anchors, markupsafe)
    text: str = environment.from_string(_read_asset("page.html.j2")).render(
        page=page,
        sections=tuple(zip(_section_ids(page.sections), page.sections, strict=True)),
        most=_most_rows(page),
        policy=_content_policy(script=ours["page.js"], styles=(ours["page.css"], ours["dark.css"])),
        style=markupsafe.Markup(ours["page.css"]),
        dark=markupsafe.Markup(ours["dark.css"]),
        script=markupsafe.Markup(ours["page.js"]),
        tones=TONES,
        topped=_begins_with_verdict(page),
        interval_of=lambda verdict: markupsafe.Markup(verdict.interval.to_svg()),
        kind_of=lambda block: type(block).__name__,
        anchor_of=lambda check: places.pop(id(check), None),  # the id belongs to the first
        drawing=lambda picture, prefix: markupsafe.Markup(both_svgs(picture, prefix)),
        gathered=_gather_rows,
        width_of=_cell_width,
        is_wide=_is_wider_than_phone,
        numbers_of=_numbers_table,
        value_of=_sort_value,
        shown=_format_cell_text,
    )
    return legible(text)


def _begins_with_verdict(page: Page) -> bool:
    """Return whether the first block is a verdict, which is the page's heading then."""
    return bool(page.sections and page.sections[0].blocks) and isinstance(page.sections[0].blocks[0], Verdict)


def _read_asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


def _content_policy(*, script: str, styles: Iterable[str]) -> str:
    """Return the content security policy: the page's own styles and script, and nothing else."""
    dressed = " ".join(_hash_source(style) for style in styles)
    return (
        f"default-src 'none'; script-src {_hash_source(script)}; style-src {dressed}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash_source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _section_ids(sections: Iterable[Section]) -> Iterator[str]:
    """Return section ids that are unique on the page."""
    taken = set(_OURS)
    for section in sections:
        plain = re.sub(r"[^a-z0-9]+", "-", section.id.lower()).strip("-") or "section"
        index, result = 1, plain
        while result in taken:
            index += 1
            result = f"{plain}-{index}"
        taken.add(result)
        yield result


def _check_anchors(page: Page) -> dict[str, CheckBlock]:
    """Return the checks by the id of their list items; of equal codes the first check."""
    anchors: dict[str, CheckBlock] = {}
    for section in page.sections:
        for block in section.blocks:
            for check in block.checks if isinstance(block, Checks) else ():
                anchors.setdefault(f"check-{check.code}", check)
    return anchors


def _link_codes(anchors: dict[str, CheckBlock], markupsafe: Any) -> Callable[[str], Any]:
    def linked(text: str) -> Any:
        """Return escaped text with nonbreaking units and links from the codes of checks."""

        def link(code: re.Match[str]) -> str:
            return f'<a href="#check-{code[0]}">{code[0]}</a>' if f"check-{code[0]}" in anchors else code[0]

        description = _BELOW.sub("\u2212", _UNIT.sub("\u00a0", str(markupsafe.escape(text))))
        return markupsafe.Markup(_CODE.sub(link, description))

    return linked


def _most_rows(page: Page) -> int:
    """Return the number of rows shown of each table, to limit the size of the page."""
    blocks = [block for section in page.sections for block in section.blocks]
    tables = [block.picture.numbers if isinstance(block, Figure) else block for block in blocks]
    sizes = [(len(each.rows), len(each.head)) for each in tables if isinstance(each, Numbers | Table)]
    most = _MOST_ROWS
    while most > 100 and sum(min(length, most) * width for length, width in sizes) > page.cells:
        most -= 100
    return most


def _gather_rows(rows: Iterable[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Return labels with their values; an empty or repeated label continues the one above."""
    result: list[tuple[str, list[str]]] = []
    for label, value in rows:
        if result and label in {"", result[-1][0]}:
            result[-1][1].append(value)
        else:
            result.append((label, [value]))
    return result


def _numbers_table(picture: Picture) -> Table:
    return Table.of(f"{picture.title}: the numbers", picture.numbers.head, picture.numbers.rows)


def _cell_width(cell: Cell) -> str:
    """Return the CSS class of a cell: text that must not wrap, or long text with a minimum width."""
    if len(cell.text) > 24:
        return "long" if len(cell.text) > 60 else "name"
    return "" if cell.text.isalnum() else "short"


def _is_wider_than_phone(table: Table) -> bool:
    """Return whether the columns of a table need more characters than a phone shows; its rows are stacked there."""
    widths = (
        max([*map(len, head.split()), *(min(len(row[column].text), 24) for row in table.rows)], default=0)
        for column, head in enumerate(table.head)
    )
    return sum(width + 2 for width in widths) > _PHONE_CHARACTERS


def _sort_value(cell: Cell) -> str | None:
    """Return the value a cell is sorted by, as JavaScript writes it; None if it equals the text."""
    if cell.value is None:
        return None
    if isinstance(cell.value, float) and math.isinf(cell.value):
        return "Infinity" if cell.value > 0 else "-Infinity"
    text = repr(cell.value).removesuffix(".0") if isinstance(cell.value, float) else str(cell.value)
    return None if text == _format_cell_text(cell) else text


def _format_cell_text(cell: Cell) -> str:
    """Return the text of a cell, with a minus sign for negative numbers; copies have a hyphen."""
    below = isinstance(cell.value, float) and cell.text.startswith("-")
    return f"\u2212{cell.text[1:]}" if below else cell.text
