"""What several kinds of answers share: groups, examples behind a disagreement, alternatives, a calibration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import singledispatch
from typing import Any

import numpy as np

from ...advice.advising import advise
from ...bibliography import REFERENCES
from ...errors import InvalidEvidence, InvalidInput
from ...evidence import PairedTable
from ...methods import Offer, find_methods
from ...results import Breakdown, Comparison, Estimate, Ranking, Simulated, shown_pvalue
from ...results.wording import difference_name, written
from ..blocks import Block, Cell, Facts, Figure, Section, Table, Text
from ..picture import Picture
from .common import Given, difference_cell, difference_heads, facts_of, limit_cells, number_cell, spread_of

# --- Several answers ------------------------------------------------------------------------------


def group_sections(given: Given) -> Iterator[Section]:
    """Return the error, or the difference, of every group: a picture and a table."""
    if not given.groups:
        return
    from ..plots import groups_picture

    broken = given.groups if isinstance(given.groups, Breakdown) else None
    groups: Mapping[str, Any] = given.groups if broken is None else broken.answers  # type: ignore[assignment]
    of_two = {name: each for name, each in groups.items() if isinstance(each, Comparison)}
    table = _comparisons_table(of_two) if of_two else estimates_table(groups, "group")
    figures = figure_of_many(groups, groups_picture, "differ most" if of_two else "are largest")
    said: tuple[Block, ...] = () if broken is None else (Text(paragraphs=(_TWO_WAYS,)), *facts_of(broken.rows()))
    yield Section(id="groups", title="Group by group", blocks=(*said, *figures, table))


_TWO_WAYS = (
    "In the macro average every group counts the same; among all examples every example does, so that large groups"
    " count more. The two differ where groups of different sizes say different things."
)


def figure_of_many(
    answers: Mapping[str, Any], draw: Callable[[Mapping[str, Any]], Picture], which: str
) -> tuple[Block, ...]:
    """Return a picture of several answers; of very many, of the largest, in their order."""
    if len(answers) <= _DRAWN:
        return (Figure(picture=draw(answers)),)
    sizes = {
        name: abs(float(getattr(each, "difference", getattr(each, "estimate", 0)))) for name, each in answers.items()
    }
    largest = set(sorted(sizes, key=sizes.__getitem__, reverse=True)[:_DRAWN])
    told = f"Of {len(answers)}, the picture shows the {_DRAWN} that {which}; the table has the others, too."
    shown = {name: each for name, each in answers.items() if name in largest}
    return Text(paragraphs=(told,)), Figure(picture=draw(shown))


_DRAWN = 60  # rows that a picture has room for


def _comparisons_table(groups: Mapping[str, Comparison]) -> Table:
    first = next(iter(groups.values()))
    named = len({each.evidence.models for each in groups.values()}) > 1
    adjusted = any(each.adjusted is not None for each in groups.values())
    shown = first.hypothesis.kind if first.hypothesis.kind != "different" else "better"
    head = [
        "group",
        *(["A", "B"] if named else []),
        shown,
        *difference_heads("difference", first.interval),
        "p",
        *(["adjusted p"] if adjusted else []),
    ]
    rows, spread = [], spread_of(*(each.interval for each in groups.values()))
    for name, each in groups.items():
        models = each.evidence.models
        paid, drawn = each.pvalue, each.simulated
        if each.adjusted is not None:
            paid, drawn = each.adjusted, each.adjusted_simulated
        verdict = {"A": models[0], "B": models[1], None: ""}[each.better]
        if each.hypothesis.kind != "different":
            verdict = "shown" if each.rejected else "not shown"
        rows.append(
            [
                str(name),
                *(models if named else []),
                verdict,
                difference_cell(each.difference, each.interval, spread),
                *limit_cells(each.interval, spread),
                pvalue_cell(each.pvalue, each.alpha, each.simulated),
                *([pvalue_cell(paid, each.alpha, drawn)] if adjusted else []),
            ]
        )
    a, b = first.evidence.models
    told = "" if named or first.evidence.event != "wrong" else f": {difference_name(first.evidence, a, b)}"
    rule = f"p-values adjusted by {first.adjustment}" if first.adjustment else "every group by itself"
    kind = first.interval.kind_text()
    return Table.of(f"The difference by group{told}", head, rows, note=f"{first.method}; {rule}; limits: {kind}.")


def pvalue_cell(pvalue: Any, alpha: float, simulated: Simulated | None = None) -> Cell:
    """Return a p-value as it is written, sorted by its value; what is a share of draws may be a bound."""
    return number_cell(float(pvalue), shown_pvalue(float(pvalue), alpha, simulated))


def _error_cell(answer: Estimate, spread: float) -> Cell:
    """Return an error rate, or another loss, with the digits that an interval of such a width earns."""
    value = float(answer.estimate)
    return number_cell(value, written(value, spread if np.isfinite(spread) else value, answer.interval.metric))


def estimates_table(estimates: Mapping[str, Estimate], head: str = "model") -> Table:
    """Return a line for each of several estimates."""
    first = next(iter(estimates.values()))
    what = first.evidence.metric.title
    spread = spread_of(*(each.interval for each in estimates.values()))
    failed = [
        " ".join(dict.fromkeys(check.code for check in each.checks if not check.holds)) for each in estimates.values()
    ]
    rows = [
        (
            str(name),
            _error_cell(each, spread),
            *limit_cells(each.interval, spread),
            each.evidence.describe(),
            *([codes] if any(failed) else []),
        )
        for (name, each), codes in zip(estimates.items(), failed, strict=True)
    ]
    note = f"Limits: {first.interval.kind_text()}."
    if len(estimates) > 1:
        note = f"{note} Each stands by itself: that two intervals overlap does not say that the two are alike."
    heads = (head, what, "from", "to", "seen", *(["failed checks"] if any(failed) else []))
    return Table.of(f"The {what} in figures", heads, rows, note=note)


# --- The examples behind a disagreement -----------------------------------------------------------


@singledispatch
def examples_sections(_: Any, given: Given) -> Iterator[Section]:
    """Yield the examples that only one of the two got right, where they were asked for."""
    if given.examples is not None:
        yield _examples_section(given)


@examples_sections.register
def _examples_of_table(table: PairedTable, given: Given) -> Iterator[Section]:
    """Yield the examples behind the counts, or how to ask for them; a race has its own sections."""
    if given.examples is not None or (table.event == "wrong" and given.race is None):
        yield _examples_section(given)


def _examples_section(given: Given) -> Section:
    """Return the examples that only one of the two got right, or how to ask for them."""
    found = given.examples
    if found is None:
        ask = (
            "The answer rests on counts, which know no examples. To see those that only one of the two got right, ask"
            " for them: --examples 50 at the command line, or Predictions.disagreements(a, b, limit=50) in Python."
        )
        return Section(id="examples", title="Where the two disagree", blocks=(Text(paragraphs=(ask,)),))
    head, lines = found.table()
    rows = [
        [Cell(text, _sorted_by(value)) for text, value in zip(texts, line, strict=True)]
        for texts, line in zip(lines, found.lines, strict=True)
    ]
    told = found.describe()
    told = f"{told[0].upper()}{told[1:]}"
    sizes = np.cumsum([sum(len(cell.text) + _CELL for cell in row) for row in rows])
    room = int(np.searchsorted(sizes, _ROOM, side="right"))
    note = f"The first {room} of {len(rows)} rows: a page has no room for more." if room < len(rows) else ""
    block: Block = Table.of(told, head, rows[:room], note=note) if rows else Text(paragraphs=(f"{told}.",))
    blocks = (block,)
    return Section(id="examples", title="Where the two disagree", blocks=blocks)


_ROOM, _CELL = 400_000, 12  # characters that examples may take of a page, and what a cell costs besides its text


def _sorted_by(value: Any) -> float | str | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return None if value is None else str(value)


# --- What is believed after the test --------------------------------------------------------------


def posterior_sections(answer: Any) -> Iterator[Section]:
    """Return the density of what is believed after the test; nothing where the package has none for such evidence."""
    from ..plots import posterior_picture

    try:
        picture = posterior_picture(answer)
    except InvalidInput:  # two test sets, disjoint training sets, differences that do not vary
        return
    yield Section(
        id="posterior", title="What is believed after the test", blocks=(Figure(picture=picture),), folded=True
    )


# --- What else could have been asked --------------------------------------------------------------


def alternatives_section(answer: Comparison | Estimate | Ranking) -> Section:
    """Return the question of the taxonomy that this is, what is recommended for it, what else, and what never."""
    evidence = answer.pairs.evidence if isinstance(answer, Ranking) else answer.evidence
    question = 1 if isinstance(answer, Estimate) else 3
    methods = find_methods(evidence=type(evidence), question=question)
    if any(method.metrics for method in methods):  # the metric has a say in the method
        return _methods_section(evidence, methods)
    margin = {} if np.isnan(getattr(answer, "margin", np.nan)) else {"margin": answer.margin}  # type: ignore[union-attr]
    try:
        advice = advise(answer.evidence, **margin)
    except InvalidEvidence:  # a kind of evidence that the nine questions are not about
        return _methods_section(evidence, methods)
    facts = [] if advice.question is None else [("question", f"{advice.question.number}. {advice.question.asks}")]
    of_threshold = isinstance(answer, Comparison) and len(answer.evidence.models) == 1
    if advice.recommended is not None and not of_threshold:  # advice is of the interval, there
        facts.append(("recommended", advice.recommended.text))
    blocks: list[Block] = [Facts(rows=tuple(facts))] if facts else []
    if advice.alternatives:
        planned = any(each.plan for each in advice.alternatives)  # classifiers need none
        others = [
            (each.method.name, str(each.method.standing), *([each.plan] if planned else []), each.when)
            for each in advice.alternatives
        ]
        head = ("method", "standing", *(["by the plan"] if planned else []), "if")
        blocks.append(Table.of("Worth considering", head, others))
    if advice.forbidden:
        never = [(each.method.name, each.reason, each.figure) for each in advice.forbidden]
        blocks.append(Table.of("Not to be used", ("method", "because", "what the lab measured"), never))
    if advice.rules:
        rules = [(rule.says, REFERENCES[rule.source].short, rule.superseded) for rule in advice.rules]
        blocks.append(Table.of("Rules that have been given", ("rule", "by", "what is known since"), rules))
    blocks.append(Text(paragraphs=(_BEFORE,)))
    return Section(id="alternatives", title="What else could have been asked", blocks=tuple(blocks), folded=True)


def _methods_section(evidence: Any, methods: Sequence[Offer]) -> Section:
    """Return every method that answers for the metric, best standing first."""
    able = [method for method in methods if method.serves(evidence.metric.name)]
    rows = [(each.name, each.gives, str(each.standing), each.rationale, each.validity) for each in able]
    head = ("method", "gives", "standing", "because", "holds for")
    table = Table.of(f"What answers for the {evidence.metric.title}", head, rows)
    blocks = (table, Text(paragraphs=(_BEFORE,)))
    return Section(id="alternatives", title="What else could have been asked", blocks=blocks, folded=True)


_BEFORE = "Choose a method before looking at what it says: the best-looking of several answers is none."


# --- A calibration at this very design ------------------------------------------------------------


def calibration_sections(given: Given) -> Iterator[Section]:
    """Return what the lab found at the design of this very answer, where it was asked."""
    if given.calibration is None:
        return
    from .calibrations import each_of, figures_of

    words = Text(paragraphs=tuple(each.words for each in each_of(given.calibration)))
    yield Section(
        id="calibration",
        title="How the method behaves at this very design",
        blocks=(words, *figures_of(given.calibration)),
    )
