"""What every report has: the verdict on top; below it checks, limits, cards, lines for a paper and the way back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...bibliography import cite
from ...evidence import ClassScores, Evidence
from ...methods import Offer
from ...methods.cards import Card, card
from ...rendering import percent, significant
from ...results import Breakdown, Comparison, Estimate, Interval, Ranking
from ...results import Check as CheckFound
from ...results.paper import Citable
from ...results.wording import difference_text, excluded_text
from ...typing_ import Source
from ..blocks import Block, Cell, Check, Checks, Code, Facts, Figure, Section, Table, Text, Tone, Verdict
from ..provenance import Provenance, fingerprint_of, versions
from .lines import lines_of

Answer = Estimate | Comparison | Ranking


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a page may show besides the answer itself."""

    race: Any = None
    groups: Mapping[str, Comparison | Estimate] | Breakdown | None = None
    examples: Any = None
    calibration: Any = None
    scores: ClassScores | None = None
    provenance: Provenance = field(default_factory=Provenance)


# --- The top --------------------------------------------------------------------------------------


def verdict_section(answer: Answer, *, leave_out: Iterable[str] = ()) -> Section:
    """Return the verdict, and what it does not say by itself."""
    verdict = Verdict(answer=answer.answer, limits=answer.limits, tone=tone_of(answer))
    told = " ".join(answer.answer.split())
    rows = [(label, _unsaid(label, " ".join(value.split()), told)) for label, value in answer.rows()]
    left_out = excluded_text(getattr(answer, "excluded", {})).strip()
    facts = facts_of([*rows, ("examples", left_out), ("besides", answer.remarks)], leave_out=(*_ELSEWHERE, *leave_out))
    return Section(id="verdict", title="The answer", blocks=(verdict, *facts))


# Rows that the verdict has, the subtitle, or a section of their own further down.
_ELSEWHERE = ("in words", "careful", "seen", "beside", "other splits", "varies by")


def _unsaid(label: str, value: str, told: str) -> str:
    """Return what a row says beyond the verdict; nothing where that has it word for word."""
    if value.rstrip(".") in told:
        return ""
    first, _, rest = value.partition(": ")
    return rest if label == "how sure" and rest and first in told else value


def tone_of(answer: Answer) -> Tone:
    """Say whether the answer tells apart, does not, or is to be read with care, because a check fails."""
    if any(not np.all(check.holds) for check in answer.checks):
        return "caution"
    if isinstance(answer, Estimate):
        return "plain"
    if isinstance(answer, Comparison) and answer.hypothesis.kind in {"non-inferior", "equivalent"}:
        return "plain"  # what is shown then, or not, is not that the two differ
    told = any(answer.better) if isinstance(answer, Ranking) else bool(answer.rejected)
    return "told apart" if told else "not told apart"


def facts_of(rows: Iterable[tuple[str, str]], *, leave_out: Iterable[str] = ()) -> tuple[Facts, ...]:
    """Return rows as facts, without those of these labels (and the lines that go on below them)."""
    dropped, kept, last = set(leave_out), [], ""
    for label, value in rows:
        last = label or last
        if last not in dropped and value:
            kept.append((label, value))
    return (Facts(rows=tuple(kept)),) if kept else ()


# --- Cells ----------------------------------------------------------------------------------------


def number_cell(value: Any, text: str) -> Cell:
    """Return a number as it is written, sorted by its value; what is undefined is sorted by nothing."""
    return Cell(text, float(value)) if np.isfinite(value) else Cell(text if np.isinf(value) else "")


def spread_of(*intervals: Interval) -> float:
    """Return the width that the numbers of a column are written by, all with the same digits: the middle one."""
    widths = np.concatenate([np.atleast_1d(each.width) for each in intervals])
    known = widths[np.isfinite(widths) & (widths > 0)]
    return float(np.median(known)) if known.size else np.nan


def difference_cell(difference: Any, interval: Interval, spread: float = np.nan) -> Cell:
    """Return a difference with the digits that its interval earns, or an interval of such a width."""
    value = float(difference)
    width = spread if np.isfinite(spread) else float(interval.width)
    known = interval.parameter == "difference" and np.isfinite(width)
    text = difference_text(value, width if known else abs(value), interval.metric, unit=False)
    return number_cell(value, text)


def difference_heads(difference: str, interval: Interval) -> tuple[str, str, str]:
    """Return the heads of a difference and of limits, which need not be of the difference."""
    unit = " (points)" if interval.metric == "error" else ""
    of = "" if interval.parameter == "difference" else f"{interval.parameter}, "
    return f"{difference}{unit}", f"{of}from", f"{of}to"


def limit_cells(interval: Interval, spread: float = np.nan) -> tuple[Cell, Cell]:
    """Return both limits, with the digits that an interval of such a width earns; a bound has but one of them."""
    width = spread if np.isfinite(spread) else float(interval.width)

    def cell(limit: Any, missing: str) -> Cell:
        value = float(limit)
        if interval.side == missing or not np.isfinite(value):
            return Cell("")
        own = width if np.isfinite(width) else value
        if interval.parameter in {"odds", "ratio"}:
            return number_cell(value, significant(value))
        if interval.parameter == "difference" or interval.metric != "error":
            return number_cell(value, difference_text(value, own, interval.metric, unit=False))
        return number_cell(value, percent(value, own))

    return cell(interval.low, missing="upper"), cell(interval.high, missing="lower")


# --- What was assumed -----------------------------------------------------------------------------


def check_section(checks: Iterable[CheckFound]) -> Section:
    """Return what was checked, what failed first."""
    return _checked([(each, each.message) for each in checks])


def checks_of_several(answers: Mapping[str, Estimate]) -> Section:
    """Return what was checked for each of several answers, by their names."""
    return _checked([(each, f"{name}: {each.message}") for name, answer in answers.items() for each in answer.checks])


def _checked(found: list[tuple[CheckFound, str]]) -> Section:
    told = [Check(code=each.code, holds=bool(np.all(each.holds)), message=message) for each, message in found]
    told.sort(key=lambda each: each.holds)  # a stable sort: what failed comes first
    block: Block = Checks(checks=tuple(told))
    if not told:
        block = Text(paragraphs=("No figure can check what this method assumes.",))
    return Section(id="checks", title="What was checked", blocks=(block,))


# What the four sources of variation are (Dietterich 1998).
_SOURCES: dict[Source, str] = {
    "test data": "which examples happened to be tested",
    "training data": "which examples happened to be trained on",
    "learner": "the learner's own chance: seeds, starting points, the order of the examples",
    "labels": "labels that are wrong themselves",
}


# Over many data sets their choice is a source of its own, which the four are part of.
_OTHERS_OVER = (
    ("choice of data sets", "which of the data sets that are meant happened to be in the table", "yes"),
    ("other kinds of data sets", "data sets that these are no sample of", "no"),
)


def limits_section(answer: Answer) -> Section:
    """Return which sources of variation the error bars allow for, and what else the verdict must not be taken for."""
    rows = [
        (source, meaning, "yes" if source in answer.sources_covered else "no") for source, meaning in _SOURCES.items()
    ]
    over = answer.evidence.unit.name == "data set"
    others = _OTHERS_OVER if over else (("other data sets", "examples from elsewhere, or of another time", "no"),)
    table = Table.of(
        "What would come out otherwise another time, and whether the figures above allow for it",
        ("source of variation", "what it means", "allowed for"),
        [*rows, *others],
        note=f"{'The first four' if over else 'All but the last'} are the four sources of Dietterich (1998).",
    )
    said = _not_meant(answer)
    blocks: tuple[Block, ...] = (Text(paragraphs=(said,)), table) if said else (table,)
    return Section(id="limits", title="What this does not say", blocks=blocks)


def _not_meant(answer: Answer) -> str:
    """Say what this very verdict is often taken for, and is not; of one rate there is nothing to mistake."""
    if len(answer.evidence.models) == 1:
        return ""
    tone = tone_of(replace(answer, checks=()))
    if tone == "told apart":
        return "That a difference was found does not say that it matters: its limits say how large it may be."
    if tone == "not told apart":
        return (
            "That no difference was found does not say that there is none: its limits say how large it may be. To show"
            " that it is too small to matter, say beforehand what would matter (a margin), and test that."
        )
    return ""


# --- Cards ----------------------------------------------------------------------------------------


def card_sections(methods: Iterable[Offer | None]) -> Iterator[Section]:
    """Return what the lab has measured of the methods used, a section each; nothing where it has not."""
    from ..plots import card_picture

    for method in dict.fromkeys(each for each in methods if each is not None):
        found = card(method)
        if found is None:
            continue
        facts = Facts(
            rows=(
                ("method", f"{method.name} ({method.gives})"),
                ("standing", f"{method.standing}: {method.rationale}"),
                ("holds for", method.validity),
            )
        )
        yield Section(
            id=f"card-{method.name}-{method.gives}",
            title=f"How {method.name} behaves ({method.gives})",
            blocks=(
                facts,
                Figure(picture=card_picture(found)),
                card_table(found),
                Code(label="Measured by", text=found.command, language="console"),
            ),
            folded=True,
        )


def card_table(found: Card) -> Table:
    """Return a card as a table: the designs, and the figures measured there."""
    head, *lines = found.cells()
    rows = [[line[0], *map(_figure, line[1:-1]), line[-1]] for line in lines]
    return Table.of(f"What was measured, at alpha = {found.alpha:g}", head, rows, note=" ".join(found.notes()))


def _figure(text: str) -> Cell:
    return Cell("") if text == "–" else Cell(text, float(text))


# --- For a paper, and for whoever wants it again --------------------------------------------------


def paper_section(answer: Citable) -> Section:
    """Return a paragraph and a table for a paper, and the references that they cite."""
    blocks = (
        Code(label="Paragraph and table, in Markdown", text=answer.to_markdown(), language="markdown"),
        Code(label="Paragraph and table, in LaTeX", text=answer.to_latex(), language="latex"),
        Code(label="What they cite, in BibTeX", text=answer.bibtex(), language="bibtex"),
    )
    return Section(id="paper", title="For a paper", blocks=blocks, folded=True)


def reproduce_section(answer: Any, given: Given, evidence: Mapping[str, Evidence]) -> Section:
    """Return how to have the answer again: command, lines, seed, versions, fingerprints, references in full."""
    told = given.provenance
    blocks: list[Block] = []
    if told.command:
        blocks.append(Code(label="Command", text=told.command, language="console"))
    lines = told.code or lines_of(answer)
    if lines:
        blocks.append(Code(label="Python", text=lines, language="python"))
    seed = [] if told.seed is None else [("seed", str(told.seed))]
    blocks.append(Facts(rows=(*versions().items(), *seed), title="Versions"))
    prints = dict(told.data) | {name: fingerprint_of(held) for name, held in evidence.items()}
    if given.scores is not None:
        prints["scores by class"] = fingerprint_of(given.scores)
    if given.race is not None:
        prints["race (labels and predictions)"] = fingerprint_of(given.race)
    if prints:
        note = "The first digits of a SHA-256: the same data have the same."
        rows = [(name, text) for name, text in prints.items()]
        blocks.append(Table.of("Fingerprints of what was read", ("data", "fingerprint"), rows, note=note))
    answers = answer.values() if isinstance(answer, Mapping) else (answer,)
    cited = dict.fromkeys(cite(reference) for each in answers for reference in getattr(each, "references", ()))
    if cited:
        blocks.append(Facts(rows=tuple((str(place), text) for place, text in enumerate(cited, 1)), title="References"))
    return Section(id="reproduce", title="How to have this again", blocks=tuple(blocks))
