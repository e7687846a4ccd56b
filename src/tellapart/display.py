"""The layout of all output: a verdict, its figures, then rows and tables; as text, Markdown, LaTeX or HTML.

    new is more accurate than old                                             the verdict
    accuracy 98.3% vs 96.3%: 2.0 pp higher (95% CI 1.0 to 3.3), p < 0.001     the figures

      data      899 examples, 26 discordant: 22 only new right, 4 only old right
      scope     these trained models, data from the same source; not retraining

The modules that write the rows know what they mean. Names of models come from files, so all text is escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from .markup import in_html, in_latex, in_markdown
from .text_layout import fit_table, printable, wrap_text

WIDTH = 80  # columns of a terminal
INDENT, LABEL = 2, 10
Tone = Literal["good", "bad", "open", "neutral"]  # a winner or PASS; WORSE; NOT ENOUGH EVIDENCE; all else
_COLOURS: dict[str, str] = {"good": "green", "bad": "red", "open": "yellow", "neutral": ""}


class Row(NamedTuple):
    """One line (or several) of support: a label of the closed set of labels, and its text."""

    label: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTable:
    """Lines under heads; a head may have several lines. `align` has an l or r for each column.

    On a terminal the longest texts of a table that is too wide go on below their first line; if they are short, the
    last columns follow below the others.
    """

    head: Sequence[str]
    lines: Sequence[Sequence[str]]
    align: str
    caption: str = ""
    notes: Sequence[str] = ()  # sentences below the lines

    def to_lines(self, indent: int = INDENT) -> Iterator[str]:
        """Yield the lines of text, the heads first."""
        if self.caption:
            yield from wrap_text(self.caption, WIDTH, " " * indent, indent)
        heads = [printable(head).split("\n") for head in self.head]
        depth = max(map(len, heads))
        above = [[([""] * (depth - len(head)) + head)[level] for head in heads] for level in range(depth)]
        below = [[printable(cell).replace("\n", " ") for cell in line] for line in self.lines]
        for part in fit_table(above, below, self.align, WIDTH - indent):
            yield from (f"{' ' * indent}{line}".rstrip() for line in part)
        for note in self.notes:
            yield from wrap_text(note, WIDTH, " " * indent, indent)


Block = Row | TextTable | str  # a text stands by itself, as wide as a row


class DisplayLine(NamedTuple):
    """A line of text with its role, which determines its colour."""

    text: str
    role: Literal["verdict", "caution", "text"] = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """The output of an answer: the verdict, its figures, and the rows and tables that support them."""

    verdict: str
    figures: str = ""
    emphasis: str = ""  # the part of the figures that matters most: "2.0 pp higher"
    blocks: tuple[Block, ...] = ()
    tone: Tone = "neutral"

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows, without the tables between them."""
        return tuple(block for block in self.blocks if isinstance(block, Row))

    def mapped(self, change: Callable[[str], str]) -> Display:
        """Return a copy with the text of each row changed, for a front end with other names of options."""
        blocks = tuple(
            Row(block.label, change(block.text)) if isinstance(block, Row) else block for block in self.blocks
        )
        return replace(self, blocks=blocks)

    def to_lines(self, width: int = WIDTH) -> Iterator[DisplayLine]:
        """Yield the lines of text with their roles."""
        if self.verdict:
            yield from (DisplayLine(text, "verdict") for text in wrap_text(self.verdict, width))
        if self.figures:
            yield from map(DisplayLine, wrap_text(self.figures, width))
        label_width = max([LABEL, *(len(row.label) + 2 for row in self.rows)])
        before: type | None = None
        for block in self.blocks:
            if (before is None and self.verdict) or before not in {None, type(block)} or before is TextTable:
                yield DisplayLine("")
            before = type(block)
            if isinstance(block, TextTable):
                yield from map(DisplayLine, block.to_lines())
            elif isinstance(block, Row):
                label = f"{' ' * INDENT}{block.label:<{label_width}}"
                role: Literal["caution", "text"] = "caution" if block.label == "caution" else "text"
                yield from (
                    DisplayLine(text, role) for text in wrap_text(block.text, width, label, INDENT + label_width)
                )
            else:
                yield from map(DisplayLine, wrap_text(block, width, " " * INDENT, INDENT))

    def to_text(self, width: int = WIDTH) -> str:
        """Return plain text."""
        return "\n".join(line.text for line in self.to_lines(width))

    def to_markdown(self) -> str:
        """Return Markdown: the verdict in bold, the figures, tables."""
        parts = [f"**{in_markdown(self.verdict)}**"] if self.verdict else []
        if self.figures:
            parts.append(in_markdown(self.figures))
        for rows, block in _group_rows(self.blocks):
            if rows:
                lines = [f"| {in_markdown(row.label)} | {in_markdown(row.text)} |" for row in rows]
                parts.append("\n".join(["| | |", "|---|---|", *lines]))
            elif isinstance(block, TextTable):
                sides = "".join("---:|" if side == "r" else "---|" for side in block.align)
                cells = [
                    f"| {' | '.join(map(in_markdown, line))} |" for line in (_flatten_head(block.head), *block.lines)
                ]
                caption = [in_markdown(block.caption), ""] if block.caption else []
                parts.append("\n".join([*caption, cells[0], f"|{sides}", *cells[1:]]))
                parts += map(in_markdown, block.notes)
            else:
                parts.append(in_markdown(str(block)))
        return "\n\n".join(parts)

    def to_latex(self) -> str:
        r"""Return LaTeX: a tabular for the rows and one for each table, the verdict and its figures above them."""
        bold = rf"\textbf{{{in_latex(self.verdict)}}}" if self.verdict else ""
        parts = [" ".join(filter(None, (bold, in_latex(self.figures))))] if self.verdict or self.figures else []
        for rows, block in _group_rows(self.blocks):
            if rows:
                lines = [rf"{in_latex(row.label)} & {in_latex(row.text)} \\" for row in rows]
                body = [r"\toprule", *lines, r"\bottomrule"]
                parts.append("\n".join([r"\begin{tabular}{lp{0.75\linewidth}}", *body, r"\end{tabular}"]))
            elif isinstance(block, TextTable):
                cells = [rf"{' & '.join(map(in_latex, line))} \\" for line in (_flatten_head(block.head), *block.lines)]
                body = [r"\toprule", cells[0], r"\midrule", *cells[1:], r"\bottomrule"]
                parts.append("\n".join([rf"\begin{{tabular}}{{{block.align}}}", *body, r"\end{tabular}"]))
                parts += map(in_latex, block.notes)
            else:
                parts.append(in_latex(str(block)))
        return "\n\n".join(parts)

    def to_html(self, picture: str = "") -> str:
        """Return HTML for a notebook: verdict, figures, picture, cautions and tables; the other rows are folded."""
        cautions = [row for row in self.rows if row.label == "caution"]
        details = [row for row in self.rows if row.label != "caution"]
        parts = [f'<p style="{_VERDICT}">{in_html(self.verdict)}</p>'] if self.verdict else []
        if self.figures:
            figures = in_html(self.figures)
            if self.emphasis:
                figures = figures.replace(in_html(self.emphasis), f"<b>{in_html(self.emphasis)}</b>", 1)
            parts.append(f'<p style="margin:.2em 0 .6em">{figures}</p>')
        parts += [
            f'<p style="margin:.2em 0;border-left:.25em solid #d9a400;padding-left:.6em">{in_html(row.text)}</p>'
            for row in cautions
        ]
        parts += [picture, *(_html_table(block) for block in self.blocks if isinstance(block, TextTable))]
        parts += [f"<p>{in_html(block)}</p>" for block in self.blocks if isinstance(block, str)]
        if details and self.verdict:
            parts.append(f"<details><summary>Data, methods, scope</summary>{html_rows(details)}</details>")
        elif details:
            parts.append(html_rows(details))
        return f'<div class="tellapart" style="text-align:left;max-width:44em">{"".join(parts)}</div>'


def styled_lines(display: Display, width: int = WIDTH) -> Iterator[tuple[str, str, bool]]:
    """Yield each line with its colour (or "") and whether it is bold; only the verdict and cautions have either."""
    for line in display.to_lines(width):
        if line.role == "verdict":
            yield line.text, _COLOURS[display.tone], True
        else:
            yield line.text, "yellow" if line.role == "caution" else "", False


def html_rows(rows: Sequence[tuple[str, str]]) -> str:
    """Return an HTML table of labels and texts, left-aligned whatever the notebook's style."""
    lines = (f"<tr><th{_LEFT}>{in_html(label)}</th><td{_LEFT}>{_html_lines(text)}</td></tr>" for label, text in rows)
    return f"<table>{''.join(lines)}</table>"


def _html_lines(text: str) -> str:
    return in_html(text).replace("\n", "<br>")


# Notebooks align cells to the right by their own style sheets; the style of a cell has precedence.
_VERDICT = "font-size:1.25em;font-weight:600;margin:0"
_UNBROKEN = 32  # characters of a cell without line breaks
_LEFT, _RIGHT = (f' style="text-align:{side};vertical-align:top"' for side in ("left", "right"))


def _html_table(table: TextTable) -> str:
    sides = [_RIGHT if side == "r" else _LEFT for side in table.align]
    head = "".join(
        f"<th{side}>{in_html(cell)}</th>" for cell, side in zip(_flatten_head(table.head), sides, strict=True)
    )
    body = "".join(
        f"<tr>{''.join(_html_cell(cell, side) for cell, side in zip(line, sides, strict=True))}</tr>"
        for line in table.lines
    )
    caption = f'<caption style="text-align:left">{in_html(table.caption)}</caption>' if table.caption else ""
    notes = "".join(f"<p>{in_html(note)}</p>" for note in table.notes)
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"


def _html_cell(text: str, style: str) -> str:
    """Return a cell; names and figures stay on one line."""
    kept = f'{style[:-1]};white-space:nowrap"' if len(text) <= _UNBROKEN else style
    return f"<td{kept}>{in_html(text)}</td>"


def _group_rows(blocks: Sequence[Block]) -> Iterator[tuple[list[Row], Block | None]]:
    """Yield runs of rows as a list, and every other block by itself."""
    rows: list[Row] = []
    for block in blocks:
        if isinstance(block, Row):
            rows.append(block)
            continue
        if rows:
            yield rows, None
            rows = []
        yield [], block
    if rows:
        yield rows, None


def _flatten_head(head: Sequence[str]) -> list[str]:
    return [cell.replace("\n", " ") for cell in head]
