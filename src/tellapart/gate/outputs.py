"""A judgement for those who read it elsewhere: a pull request, the summary of a workflow, a list of test results."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from .. import __version__
from ..display import printable
from ..errors import InvalidOption, OutputNotWritten
from ..markup import in_markdown
from ..rendering import plain
from ..replacing import folder_trouble, replace_file
from ..results.comparison_clauses import by_how_much
from ..results.narrate import cautions
from ..results.wording import excluded_text
from .wording import GROUP_HEAD, cells_of, headline, ordered, rows_of, settling

if TYPE_CHECKING:
    from .judging import Judgement, Line

SUMMARY = "GITHUB_STEP_SUMMARY"  # under which GitHub tells a step where its summary goes
_SIGNS = {"pass": "✔", "worse": "✘", "not enough evidence": "?"}
_GROUPS = 200  # that a comment has room for: GitHub takes 65536 characters
# All that XML 1.0 does not take, and what a terminal or a log would obey.
_NOT_XML = re.compile("[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


# --- Markdown ---------------------------------------------------------------------------------------


def markdown_of(found: Judgement) -> str:
    """Return a comment for a pull request: the verdict, the interval, the table, the groups, what would settle it.

    Examples
    --------
    >>> from tellapart import PairedTable, judge
    >>> print(markdown_of(judge(PairedTable(20, 12, 9, 2959))).splitlines()[0])
    ### ✔ PASS: candidate is at most 1 point worse than baseline (alpha = 0.05)
    """
    return "\n\n".join(part for part in _parts(found) if part) + "\n"


def _parts(found: Judgement) -> Iterator[str]:
    told = dict(rows_of(found))
    yield f"### {_SIGNS[found.verdict]} {_as_text(headline(found))}"
    if found.groups:
        yield _groups_table(found.groups)
        yield f"All groups together, which decide nothing: {_as_text(told['all groups'])}."
    else:
        yield f"{_as_text(told['by how much'])}. That it is {_as_text(told['how sure'])}."
    yield _counts_table(found)
    yield _as_text(excluded_text(found.excluded).strip())
    lacking = settling(found)
    yield f"**To settle it:** {_as_text(lacking)} {_as_text(told.get('looking again', ''))}" if lacking else ""
    for label, value in rows_of(found):
        if label == "caution":
            yield f"**Caution:** {_as_text(value)}"
    yield f"<sub>{_as_text(found.comparison.limits)} tellapart {__version__}.</sub>"


def _counts_table(found: Judgement) -> str:
    (baseline, candidate), table = found.models, found.comparison.evidence
    cells = table.as_dict()
    rows = [
        ("", f"{candidate} wrong", f"{candidate} right"),
        (f"{baseline} wrong", str(cells["both_wrong"]), str(cells["only_a_wrong"])),
        (f"{baseline} right", str(cells["only_b_wrong"]), str(cells["both_right"])),
    ]
    return _table(rows)


def _groups_table(groups: Mapping[str, Line]) -> str:
    lines = ordered(groups)
    table = _table([GROUP_HEAD, *(cells_of(name, line) for name, line in lines[:_GROUPS])])
    return f"{table}\n\nand {len(lines) - _GROUPS} more groups." if len(lines) > _GROUPS else table


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *rest = (f"| {' | '.join(map(_as_text, row))} |" for row in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *rest])


def _as_text(text: str) -> str:
    return in_markdown(printable(text))


# --- JUnit ------------------------------------------------------------------------------------------


def junit_of(found: Judgement) -> str:
    """Return JUnit's XML: a test case for all examples, or one for each group; what does not pass is a failure.

    The type of a failure is the verdict: "worse" or "not enough evidence".

    Examples
    --------
    >>> from tellapart import PairedTable, judge
    >>> print(junit_of(judge(PairedTable(0, 0, 0, 5))).splitlines()[1])
    <testsuites name="tellapart gate" tests="1" failures="1" errors="0">
    """
    lines = found.deciding
    counts = f'tests="{len(lines)}" failures="{len(found.holding_up)}" errors="0"'
    facts = {
        "verdict": found.verdict,
        "baseline": found.models[0],
        "candidate": found.models[1],
        "margin": found.margin,
        "alpha": found.alpha,
        "method": found.method,
    }
    told = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="tellapart gate" {counts}>',
        f'<testsuite name="tellapart gate" {counts} skipped="0" time="0">',
        *_properties(facts),
        *(text for name, line in lines.items() for text in _case(found, name, line)),
        f"<system-out>{_xml(str(found))}</system-out>",
        "</testsuite>",
        "</testsuites>",
    ]
    return "\n".join(told) + "\n"


def _case(found: Judgement, name: str, line: Line) -> Iterator[str]:
    comparison = line.comparison
    baseline, candidate = found.models
    where = f" ({name})" if found.groups else ""
    yield f'<testcase classname="tellapart.gate" name="{_attribute(f"{candidate} for {baseline}{where}")}" time="0">'
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
    yield from _properties({key: value for key, value in plain(facts).items() if value is not None})
    if line.verdict != "pass":
        message = f"{by_how_much(comparison)}; {comparison.evidence.describe()}"
        text = "\n".join([message, *(value for _, value in cautions(comparison.checks))])
        yield f'<failure type="{line.verdict}" message="{_attribute(message)}">{_xml(text)}</failure>'
    yield "</testcase>"


def _properties(facts: Mapping[str, object]) -> list[str]:
    each = (f'<property name="{name}" value="{_attribute(str(value))}"/>' for name, value in facts.items())
    return ["<properties>", *each, "</properties>"]


def _xml(text: str) -> str:
    return escape(_NOT_XML.sub(" ", text))


def _attribute(text: str) -> str:
    return _xml(text).replace("\n", "&#10;")  # a line end as it is would be read as a space


# --- Files ------------------------------------------------------------------------------------------


def output_file(name: str, option: str, *, appended: bool = False) -> Path:
    """Return where an output goes, or say why it cannot be written there, before any work is done for it.

    A file that is `appended` to need not be in a folder that takes new files.

    Examples
    --------
    >>> output_file("no-such-folder/gate.xml", "--junit")
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: --junit 'no-such-folder/gate.xml' cannot be written: there is no such folder.
    """
    path = Path(name)
    trouble = _trouble(path, appended=appended) if name else "it has no name"
    if trouble:
        raise InvalidOption(f"{option} {name!r} cannot be written: {trouble}.")
    return path


def _trouble(path: Path, *, appended: bool) -> str:
    """Return what stands in the way; nothing where nothing does."""
    try:
        there = path
        if stat.S_ISDIR(path.stat().st_mode):
            return "it is a folder"
    except FileNotFoundError:
        there = path.parent
        if not there.is_dir():
            return "there is no such folder"
    except (OSError, ValueError) as error:  # a name may be too long, or hold what no name may
        return getattr(error, "strerror", None) or "that is no name for a file"
    if not os.access(there, os.W_OK):
        return "it may not be written to"
    in_place = there == path and (appended or not path.is_file())  # a device is written to as it is
    return "" if in_place else folder_trouble(path.resolve())


def write_output(path: Path, text: str) -> None:
    """Write a file as a whole or not at all; a pipe or a device as it is."""
    if path.exists() and not path.is_file():
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise OutputNotWritten(f"{str(path)!r} cannot be written: {error.strerror}.") from error
        return
    replace_file(path.resolve(), text)


def append_summary(path: Path, found: Judgement) -> None:
    """Append the judgement to the summary of a workflow's step."""
    try:
        with path.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(f"{markdown_of(found)}\n")
    except OSError as error:
        raise OutputNotWritten(f"${SUMMARY} {str(path)!r} cannot be written: {error.strerror}.") from error
