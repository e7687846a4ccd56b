"""A judgement as Markdown for pull requests and workflow summaries, and as JUnit XML for lists of test results."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from .. import __version__
from ..errors import InvalidOption, OutputNotWritten
from ..markup import in_markdown
from ..rendering import plain
from ..replacing import folder_trouble, replace_file
from ..text_layout import printable
from .wording import GROUP_HEAD, column_scale, format_group_cells, format_group_figures, sort_by_verdict

if TYPE_CHECKING:
    from .judging import GroupJudgement, Judgement

SUMMARY = "GITHUB_STEP_SUMMARY"  # environment variable of GitHub: the file for the summary of a step
_SIGNS = {"pass": "✔", "worse": "✘", "not enough evidence": "?"}
_GROUPS = 200  # lines of a table: GitHub accepts comments of up to 65536 characters
# Characters that XML 1.0 does not allow, and control characters of terminals.
_NOT_XML = re.compile("[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


# --- Markdown ---------------------------------------------------------------------------------------


def format_markdown(judgement: Judgement) -> str:
    """Return Markdown for a pull request: the verdict, the figures, groups and counts, then the rows.

    Examples
    --------
    >>> from tellapart import PairedTable, judge
    >>> print(format_markdown(judge(PairedTable(20, 12, 9, 2959))).splitlines()[0])
    ### ✔ PASS: candidate is at most 1 pp worse than baseline
    """
    return "\n\n".join(part for part in _list_markdown_parts(judgement) if part) + "\n"


def _list_markdown_parts(judgement: Judgement) -> Iterator[str]:
    display = judgement.display()
    yield f"### {_SIGNS[judgement.verdict]} {_escape_markdown(display.verdict)}"
    yield _escape_markdown(display.figures)
    if judgement.groups:
        yield _format_groups(judgement.groups)
    yield _format_counts(judgement)
    yield "\n".join(f"- **{row.label}** {_escape_markdown(row.text)}" for row in display.rows)
    yield f"<sub>tellapart {__version__}</sub>"


def _format_counts(judgement: Judgement) -> str:
    (baseline, candidate), table = judgement.models, judgement.comparison.evidence
    cells = table.as_dict()
    rows = [
        ("", f"{candidate} wrong", f"{candidate} right"),
        (f"{baseline} wrong", str(cells["both_wrong"]), str(cells["only_a_wrong"])),
        (f"{baseline} right", str(cells["only_b_wrong"]), str(cells["both_right"])),
    ]
    return _format_table(rows)


def _format_groups(groups: Mapping[str, GroupJudgement]) -> str:
    lines, scale = sort_by_verdict(groups), column_scale(groups)
    table = _format_table([GROUP_HEAD, *(format_group_cells(name, line, scale) for name, line in lines[:_GROUPS])])
    return f"{table}\n\nand {len(lines) - _GROUPS} more groups." if len(lines) > _GROUPS else table


def _format_table(rows: Sequence[Sequence[str]]) -> str:
    head, *rest = (f"| {' | '.join(map(_escape_markdown, row))} |" for row in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *rest])


def _escape_markdown(text: str) -> str:
    return in_markdown(printable(text))


# --- JUnit ------------------------------------------------------------------------------------------


def format_junit(judgement: Judgement) -> str:
    """Return JUnit XML: one test case for all examples, or one per group; a group that does not pass is a failure.

    The type of a failure is the verdict: "worse" or "not enough evidence".

    Examples
    --------
    >>> from tellapart import PairedTable, judge
    >>> print(format_junit(judge(PairedTable(0, 0, 0, 5))).splitlines()[1])
    <testsuites name="tellapart gate" tests="1" failures="1" errors="0">
    """
    lines = judgement.deciding
    counts = f'tests="{len(lines)}" failures="{len(judgement.holding_up)}" errors="0"'
    facts = {
        "verdict": judgement.verdict,
        "baseline": judgement.models[0],
        "candidate": judgement.models[1],
        "margin": judgement.margin,
        "alpha": judgement.alpha,
        "method": judgement.method,
    }
    xml = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="tellapart gate" {counts}>',
        f'<testsuite name="tellapart gate" {counts} skipped="0" time="0">',
        *_format_properties(facts),
        *(text for name, line in lines.items() for text in _format_case(judgement, name, line)),
        f"<system-out>{_escape_xml(str(judgement))}</system-out>",
        "</testsuite>",
        "</testsuites>",
    ]
    return "\n".join(xml) + "\n"


def _format_case(judgement: Judgement, name: str, line: GroupJudgement) -> Iterator[str]:
    comparison = line.comparison
    baseline, candidate = judgement.models
    title = f"{candidate} for {baseline}{f' ({name})' if judgement.groups else ''}"
    yield f'<testcase classname="tellapart.gate" name="{_escape_attribute(title)}" time="0">'
    facts = {
        "verdict": line.verdict,
        "margin": comparison.margin,
        "difference": comparison.difference,
        "low": comparison.interval.low,
        "high": comparison.interval.high,
        "level": comparison.interval.level,
        "pvalue": comparison.pvalue,
        "adjusted_worse": line.adjusted,
        "more": line.more,
    }
    yield from _format_properties({key: value for key, value in plain(facts).items() if value is not None})
    if line.verdict != "pass":
        message = format_group_figures(line)
        checks = (f"{check.code}: {check.message}" for check in comparison.checks if not check.holds)
        text = "\n".join([message, comparison.evidence.describe(), *checks])
        yield f'<failure type="{line.verdict}" message="{_escape_attribute(message)}">{_escape_xml(text)}</failure>'
    yield "</testcase>"


def _format_properties(facts: Mapping[str, object]) -> list[str]:
    properties = (f'<property name="{name}" value="{_escape_attribute(str(value))}"/>' for name, value in facts.items())
    return ["<properties>", *properties, "</properties>"]


def _escape_xml(text: str) -> str:
    return escape(_NOT_XML.sub(" ", text))


def _escape_attribute(text: str) -> str:
    return _escape_xml(text).replace("\n", "&#10;")  # a line end as it is would be read as a space


# --- Files ------------------------------------------------------------------------------------------


def output_file(name: str, option: str, *, appended: bool = False) -> Path:
    """Return the path of an output; raise InvalidOption before any work if it cannot be written.

    A file that is `appended` to may be in a folder that accepts no new files.

    Examples
    --------
    >>> output_file("no-folder/a.xml", "--junit")
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: `--junit` must be a file that can be written, got 'no-folder/a.xml': no such folder.
    """
    path = Path(name)
    problem = _find_problem(path, appended=appended) if name else "the name is empty"
    if problem:
        raise InvalidOption(f"`{option}` must be a file that can be written, got {name!r}: {problem}.")
    return path


def _find_problem(path: Path, *, appended: bool) -> str:
    """Return why a file cannot be written; nothing if it can."""
    try:
        checked = path
        if stat.S_ISDIR(path.stat().st_mode):
            return "it is a folder"
    except FileNotFoundError:
        checked = path.parent
        if not checked.is_dir():
            return "no such folder"
    except (OSError, ValueError) as error:  # a name that is too long, or has characters that names may not have
        return getattr(error, "strerror", None) or "not a valid file name"
    if not os.access(checked, os.W_OK):
        return "permission denied"
    in_place = checked == path and (appended or not path.is_file())  # a device is written to as it is
    return "" if in_place else folder_trouble(path.resolve())


def write_output(path: Path, text: str) -> None:
    """Write a file completely or not at all; write to a pipe or a device as it is."""
    if path.exists() and not path.is_file():
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise OutputNotWritten(f"{str(path)!r} cannot be written: {error.strerror}.") from error
        return
    replace_file(path.resolve(), text)


def append_summary(path: Path, judgement: Judgement) -> None:
    """Append the judgement to the summary of a workflow step."""
    try:
        with path.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(f"{format_markdown(judgement)}\n")
    except OSError as error:
        raise OutputNotWritten(f"${SUMMARY} {str(path)!r} cannot be written: {error.strerror}.") from error
