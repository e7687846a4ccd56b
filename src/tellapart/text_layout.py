"""Lines of plain text: wrapped texts, and tables that fit a terminal.

A table that is too wide has less space between its columns, then texts that go on below their first line; if that is
not enough, its last columns follow below the others.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest

_NARROWEST = 12  # columns of a wrapped text
_HANGING = 2  # columns by which the first text of a line goes on to the right

# "p = 0.02" and "0.3 to 1.9%" stay on one line
_GLUED = re.compile(
    r"(?<=\d) (?=(?:pp|%)\b)|(?<=[=<>]) (?=[\d.])|(?<=[\w)]) (?=[=<>] )|(?<=\d) (?=to \d)|(?<=\d to) (?=\d)"
)
_PROBABILITY = re.compile(r"P\([^()]{1,40}\)")  # "P(new better)"


def wrap_text(text: str, width: int, label: str = "", indent: int = 0) -> list[str]:
    """Return the lines of a text, without breaks between a number and its unit or name, or within a method's name.

    Line breaks in the text begin a new line below the label.
    """
    lines: list[str] = []
    for part in printable(text).split("\n"):
        lines += textwrap.wrap(
            _glue_words(part),
            width,
            initial_indent=" " * indent if lines else label,
            subsequent_indent=" " * indent,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [" " * indent if lines else label]
    return [line.replace("\N{NO-BREAK SPACE}", " ").rstrip() for line in lines]


def _glue_words(text: str) -> str:
    """Return the text with no-break spaces where a line must not end."""
    text = _PROBABILITY.sub(lambda match: match[0].replace(" ", "\N{NO-BREAK SPACE}"), text)
    return _GLUED.sub("\N{NO-BREAK SPACE}", text)


def printable(text: str) -> str:
    """Return a text without control characters, which a terminal would obey; names come from files.

    Examples
    --------
    >>> printable(f"a{chr(27)}[31mb")
    'a [31mb'
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() or character == "\n" else " " for character in text)


def fit_table(
    above: Sequence[Sequence[str]], below: Sequence[Sequence[str]], align: str, room: int
) -> Iterator[Iterator[str]]:
    """Yield the lines of a table; in several parts with the first column if it is too wide even with wrapped texts.

    `above` are the lines of heads, `below` those of cells, `align` has an l or r for each column.

    Examples
    --------
    >>> [part] = fit_table([["id", "text"]], [["a", "one two three four"]], "ll", room=16)
    >>> list(part)
    ['id  text      ', 'a   one two   ', '    three four']
    """
    wide, wrapped = [*above, *below], [*above, *below]
    if not _fits(wide, room):
        wrapped = [*above, *_wrap_cells(below, _widths_of(wide), align, room)]
    if _fits(wrapped, room) or len(align) < 3:
        yield _join_cells(wrapped, align, room)
        return
    count = len(align) - 1
    while count > 2 and not _fits([line[:count] for line in wide], room):
        count -= 1
    yield _join_cells([line[:count] for line in wide], align[:count], room)
    yield iter([""])
    heads, cells = ([[line[0], *line[count:]] for line in lines] for lines in (above, below))
    yield from fit_table(heads, cells, align[0] + align[count:], room)


def _fits(cells: Sequence[Sequence[str]], room: int) -> bool:
    """Return whether lines fit with one space between columns."""
    widths = _widths_of(cells)
    return sum(widths) + len(widths) - 1 <= room


def _join_cells(cells: Sequence[Sequence[str]], align: str, room: int) -> Iterator[str]:
    """Yield the lines of aligned cells."""
    widths = _widths_of(cells)
    gaps = _gaps_between(widths, room)
    for line in cells:
        columns = zip(line, widths, align, gaps, strict=True)
        texts = (
            (cell.rjust(width) if side == "r" else cell.ljust(width)) + " " * gap for cell, width, side, gap in columns
        )
        yield "".join(texts)


def _widths_of(cells: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*cells, strict=True)]


def _wrap_cells(lines: Sequence[Sequence[str]], widths: Sequence[int], align: str, room: int) -> list[list[str]]:
    """Return the lines with the texts of the widest columns wrapped, so that the table has `room` columns."""
    widths = list(widths)
    excess = sum(widths) + 2 * (len(widths) - 1) - room
    texts = [column for column, side in enumerate(align) if side == "l"]
    for column in sorted(texts, key=lambda column: -widths[column]):
        words = (word for line in lines for word in _glue_words(line[column]).split(" "))
        longest = max(map(len, words), default=0) + (0 if column else _HANGING)
        narrow = min(widths[column], max(widths[column] - max(excess, 0), _NARROWEST, longest))
        excess -= widths[column] - narrow
        widths[column] = narrow
    wrapped = []
    for line in lines:
        parts = [
            wrap_text(cell, max(width, 1), indent=0 if index else _HANGING)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        wrapped += [list(level) for level in zip_longest(*parts, fillvalue="")]
    return wrapped


def _gaps_between(widths: Sequence[int], room: int) -> list[int]:
    """Return the spaces behind each column: two, or one behind the widest columns of a table that is too wide."""
    gaps = [2] * (len(widths) - 1) + [0]
    for column in sorted(range(len(widths) - 1), key=lambda column: -widths[column]):
        if sum(widths) + sum(gaps) <= room:
            break
        gaps[column] = 1
    return gaps
