"""Assumptions: the checks, and the sources of variation that the intervals cover."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from ...results import Check, Comparison, Estimate, Ranking
from ...typing_ import Source
from ..blocks import Block, CheckBlock, Checks, Section, Table, Text
from .headline import badge_of


def checks_section(checks: Iterable[Check]) -> Section:
    """Return the checks of an answer, those that fail first."""
    return _list_checks([(check, check.message) for check in checks])


def checks_of_several(answers: Mapping[str, Estimate]) -> Section:
    """Return the checks of several answers, with their names."""
    return _list_checks(
        [(check, f"{name}: {check.message}") for name, answer in answers.items() for check in answer.checks]
    )


def _list_checks(checks: list[tuple[Check, str]]) -> Section:
    lines = [CheckBlock(code=check.code, holds=bool(np.all(check.holds)), message=message) for check, message in checks]
    lines.sort(key=lambda line: line.holds)  # a stable sort: failed checks come first
    block: Block = Checks(checks=tuple(lines))
    if not lines:
        block = Text(paragraphs=("The assumptions of this method cannot be checked with these data.",))
    return Section(id="checks", title="Checks", blocks=(block,))


# The four sources of variation of Dietterich (1998).
_SOURCES: dict[Source, str] = {
    "test data": "the choice of test examples",
    "training data": "the choice of training examples",
    "learner": "randomness in training: seeds, initial weights, the order of the examples",
    "labels": "wrong labels",
}


# Over several data sets, the choice of data sets is one more source, which includes the four.
_SOURCES_OVER_DATA_SETS = (
    ("choice of data sets", "which data sets of the population are in the table", "yes"),
    ("other kinds of data sets", "data sets from another population", "no"),
)


def sources_section(answer: Estimate | Comparison | Ranking) -> Section:
    """Return which sources of variation the interval and the test cover."""
    rows = [
        (source, meaning, "yes" if source in answer.sources_covered else "no") for source, meaning in _SOURCES.items()
    ]
    over = answer.evidence.unit.name == "data set"
    others = _SOURCES_OVER_DATA_SETS if over else (("other data sets", "examples from another source or time", "no"),)
    table = Table.of(
        "Sources of variation",
        ("source of variation", "meaning", "covered"),
        [*rows, *others],
        note=f"{'The first four' if over else 'All but the last'} are the sources of Dietterich (1998).",
    )
    caveat = _state_caveat(answer)
    blocks: tuple[Block, ...] = (Text(paragraphs=(caveat,)), table) if caveat else (table,)
    return Section(id="sources", title="Sources of variation", blocks=blocks)


def _state_caveat(answer: Estimate | Comparison | Ranking) -> str:
    """Return the common misreading of a decision; "" for one model."""
    if len(answer.evidence.models) == 1:
        return ""
    badge = badge_of(answer)
    if badge == "Significant difference":
        return "A significant difference need not be large enough to matter: see the confidence interval."
    if badge == "No significant difference":
        return (
            "No significant difference does not mean equal: the confidence interval shows how large the difference may"
            " be. To demonstrate that it is small, choose a margin in advance and test for equivalence."
        )
    return ""
