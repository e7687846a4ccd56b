"""`tellapart compare --group`: an answer for every group and pair of models, whose p-values pay for their number."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from ..errors import InvalidOption
from ..evidence import PairedTable
from ..rendering import folded, plain, pvalue_text
from ..results import Comparison
from ..results.comparison import excluded_text, looks_text
from ..verbs import compare
from .reading import excluded

if TYPE_CHECKING:
    from ..predictions import Tally

__all__ = ["show_groups"]


@dataclass(frozen=True, slots=True)
class _Cell:
    """One group and pair: the answer told by its adjusted p-value, which decides, and the p-value as it was."""

    group: Any
    pair: tuple[str, str]
    answer: Comparison
    pvalue: float

    def as_dict(self) -> dict[str, Any]:
        told = self.answer.as_dict() | {"pvalue": self.pvalue, "adjusted": float(self.answer.pvalue)}
        return {"group": self.group, "a": self.pair[0], "b": self.pair[1]} | told

    def row(self) -> tuple[str, ...]:
        answer, table = self.answer, self.answer.evidence
        assert isinstance(table, PairedTable)  # noqa: S101  # groups are of paired tables
        return (
            str(self.group),
            *self.pair,
            *(str(count) for count in (table.examples, table.only_a_wrong, table.only_b_wrong)),
            f"{100 * float(answer.difference):+.2f}",
            answer.interval.limits_text(),
            pvalue_text(self.pvalue, answer.alpha),
            pvalue_text(float(answer.pvalue), answer.alpha),
            self._verdict(),
        )

    def _verdict(self) -> str:
        if self.answer.hypothesis != "different":
            return "shown" if self.answer.rejected else "not shown"
        return {"A": self.pair[0], "B": self.pair[1], None: "-"}[self.answer.better]


def show_groups(tally: Tally, method: str | None, adjust: str | None, asked: dict[str, Any], *, as_json: bool) -> None:
    """Print a line (or an object) for every group and pair of models."""
    if method == "all":
        raise InvalidOption("--method all is for one table. Leave --group out.")
    if adjust == "max-t":
        raise InvalidOption("--adjust max-t is for one table of several models. Leave --group out, or take holm.")
    rule, left_out = adjust or "holm", excluded(tally)
    cells, answers = _cells(tally, method, rule, asked)
    if as_json:
        whole = {"adjustment": rule, "groups": [cell.as_dict() for cell in cells]}
        click.echo(
            json.dumps(plain(whole | ({"excluded": left_out} if left_out else {})), indent=2, ensure_ascii=False)
        )
        return
    from .tables import show_table

    click.echo(f"{answers.method} ({answers.alternative}), p-values adjusted by {rule}; {answers.interval.kind_text()}")
    counts, pvalues = ("examples", "A wrong, B right", "A right, B wrong", "difference"), ("p", "adjusted p")
    last = "better" if answers.hypothesis == "different" else answers.hypothesis
    show_table(
        ("group", "A", "B", *counts, "interval", *pvalues, last),
        [cell.row() for cell in cells],
        numbers=(*counts, *pvalues),
    )
    broken = sorted({check.code for check in answers.checks if not np.all(check.holds)})
    if broken:
        fail = "fails" if len(broken) == 1 else "fail"
        click.echo(f"caution: {', '.join(broken)} {fail} in some groups; ask for one of them alone to see why.")
    for said in (looks_text(answers.looks, answers.alpha), excluded_text(left_out).strip()):
        if said:
            click.echo(folded("", said))


def _cells(tally: Tally, method: str | None, rule: Any, asked: dict[str, Any]) -> tuple[list[_Cell], Comparison]:
    """Compare all tables at once, adjust their p-values together, and tell each answer by its own."""
    from ..methods.multiplicity import adjust

    patterns = tally.error_patterns()
    answers = compare(patterns.tables(), method=method, **asked)
    adjusted = adjust(answers.pvalue.ravel(), rule).reshape(answers.shape)
    told = f"adjusted by {rule} over {adjusted.size} comparisons"
    cells = []
    for place, group in enumerate(tally.groups or ()):
        for other, pair in enumerate(patterns.pairs):
            one = answers[place, other]
            answer = replace(
                one,
                evidence=replace(one.evidence, models=pair),  # type: ignore[type-var]  # all evidence are dataclasses
                significance=replace(one.significance, pvalue=adjusted[place, other]),
                told="; ".join(part for part in (one.told, told if rule != "none" else "") if part),
            )
            cells.append(_Cell(group, pair, answer, float(one.pvalue)))
    return cells, answers
