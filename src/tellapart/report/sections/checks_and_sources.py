"""What was assumed: the checks, and the sources of variation that the intervals cover."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from ...results import Check as CheckFound
from ...results import Comparison, Estimate, Ranking
from ...typing_ import Source
from ..blocks import Block, Check, Checks, Section, Table, Text
from .headline import badge_of


def check_section(checks: Iterable[CheckFound]) -> Section:
    """Return what was checked, what failed first."""
    return _checks_section([(each, each.message) for each in checks])


def checks_of_several(answers: Mapping[str, Estimate]) -> Section:
    """Return what was checked for each of several answers, by their names."""
    return _checks_section(
        [(each, f"{name}: {each.message}") for name, answer in answers.items() for each in answer.checks]
    )


def _checks_section(result: list[tuple[CheckFound, str]]) -> Section:
    text = [Check(code=each.code, holds=bool(np.all(each.holds)), message=message) for each, message in result]
    text.sort(key=lambda each: each.holds)  # a stable sort: what failed comes first
    block: Block = Checks(checks=tuple(text))
    if not text:
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


def limits_section(answer: Estimate | Comparison | Ranking) -> Section:
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
    message = _not_meant(answer)
    blocks: tuple[Block, ...] = (Text(paragraphs=(message,)), table) if message else (table,)
    return Section(id="limits", title="What this does not say", blocks=blocks)


def _not_meant(answer: Estimate | Comparison | Ranking) -> str:
    """Say what this very verdict is often taken for, and is not; of one rate there is nothing to mistake."""
    if len(answer.evidence.models) == 1:
        return ""
    badge = badge_of(answer)
    if badge == "Significant difference":
        return "That a difference was found does not say that it matters: its limits say how large it may be."
    if badge == "No significant difference":
        return (
            "That no difference was found does not say that there is none: its limits say how large it may be. To show"
            " that it is too small to matter, say beforehand what would matter (a margin), and test that."
        )
    return ""
