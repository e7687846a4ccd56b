"""Calibrations: type I error rate, power, wrong signs, coverage and width of methods at one design."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import InvalidInput
from ...figures import level_text
from ...lab import Calibration, Calibrations
from ...methods import Offer, find_methods
from ..blocks import Block, Cell, Facts, Figure, Section, Table, Text
from ..picture import Picture
from .cells import number_cell
from .headline import result_section
from .methods_and_references import card_sections, references_sections
from .page_context import PageContext
from .reproduction import reproduce_section

Found = Calibration | Calibrations
_CARDS = 3  # methods whose measured error rates are shown, too


def calibration_answer_sections(result: Found, context: PageContext) -> Iterator[Section]:
    """Return all sections about a calibration, or several at one design."""
    calibrations = each_of(result)
    yield result_section(result.display())
    yield Section(id="figures", title="Measured error rates", blocks=figures_of(result, context.calibration))
    yield _design_section(calibrations)
    yield from references_sections(*calibrations)
    if len(calibrations) <= _CARDS:
        yield from card_sections(method for calibration in calibrations for method in methods_of(calibration))
    yield reproduce_section(result, context, {})


def each_of(result: Found) -> tuple[Calibration, ...]:
    """Return one calibration or several as a tuple."""
    return (result,) if isinstance(result, Calibration) else result.each


def methods_of(result: Calibration) -> tuple[Offer, ...]:
    """Return the methods that were measured, as the registry has them."""
    return tuple(
        method
        for method in find_methods(name=result.method)
        if method.gives in result.gives and method.evidence in result.design.evidence
    )


# --- The figures ----------------------------------------------------------------------------------


def figures_of(result: Found, finer: Found | None = None) -> tuple[Block, ...]:
    """Return the pictures and the tables of a calibration.

    `finer` is the same at more differences than a table has lines for; the pictures are drawn of it.
    """
    from ..plots import coverage_picture, power_picture, pvalues_picture

    calibrations = each_of(result if finer is None else finer)
    tests = [
        calibration for calibration in calibrations if not calibration.chooses
    ]  # a rule that only selects has no type I error rate
    blocks: list[Block] = []
    for draw, selected in ((pvalues_picture, tests), (power_picture, tests), (coverage_picture, list(calibrations))):
        try:
            picture = draw(selected)
        except InvalidInput:  # no test, no difference, or no interval was measured
            continue
        blocks.append(
            Figure(picture=_thin_numbers(picture, calibrations[0].alpha) if draw is pvalues_picture else picture)
        )
    return (*blocks, *figures_tables(each_of(result)))


def _thin_numbers(picture: Picture, alpha: float) -> Picture:
    """Leave out most of a thousand p-values of each method: kept are small ones, every hundredth, and alpha."""

    def kept(claimed: float) -> bool:
        return claimed < 0.0105 or abs(100 * claimed - round(100 * claimed)) < 1e-6 or abs(claimed - alpha) < 1e-9

    rows = tuple(row for row in picture.numbers.rows if kept(row[1]))
    return replace(picture, numbers=replace(picture.numbers, rows=rows))


# The columns of the tables of tests, of rules that only select, of intervals and of estimates.
_COLUMNS = {
    "Tests": ("rejects", "rejects, low", "rejects, high", "wrong sign"),
    "Selections": ("selects A", "selects B", "neither"),
    "Intervals": ("coverage", "coverage, low", "coverage, high", "width"),
    "Estimates": ("bias", "RMSE"),
}


def figures_tables(calibrations: tuple[Calibration, ...]) -> tuple[Table, ...]:
    """Return a table for tests, selections, intervals and estimates: a line for each method and true difference."""
    lines = [
        (calibration, step, _measured_cells(calibration, index))
        for calibration in calibrations
        for index, step in enumerate(calibration.differences)
    ]
    tables, first = [], 0
    for title, names in _COLUMNS.items():
        places = range(first, first + len(names))
        first += len(names)
        kept = [index for index in places if any(cells[index].text for _, _, cells in lines)]
        evidence = [(calibration, step, [cells[index] for index in kept]) for calibration, step, cells in lines]
        if kept:
            heads = tuple(names[index - places[0]] for index in kept)
            tables.append(
                _figures_table(title, heads, [line for line in evidence if any(cell.text for cell in line[2])])
            )
    return tuple(tables)


def _figures_table(title: str, heads: tuple[str, ...], lines: list[tuple[Calibration, Any, list[Cell]]]) -> Table:
    from ..plots.truths import truth_axis

    alpha, axis = lines[0][0].alpha, truth_axis(lines[0][0].design)
    truths = axis.of([step for _, step, _ in lines])
    rows = [
        [calibration.method, number_cell(truth, f"{axis.scale * float(truth):.6g}"), *cells]
        for (calibration, _, cells), truth in zip(lines, truths, strict=True)
    ]
    notes = {
        "rejects": f"Rejections under the null hypothesis are type I errors (alpha = {alpha:g}); else they are power.",
        "coverage": f"Nominal coverage: {level_text(alpha)}.",
        "rejects, low": _LIMITS_NOTE,
        "coverage, low": _LIMITS_NOTE,
    }
    note = " ".join(text for name, text in notes.items() if name in heads)
    return Table.of(title, ("method", axis.head, *heads), rows, note=note)


_LIMITS_NOTE = "Low, high: 95% CI of the simulation (Clopper-Pearson)."


def _measured_cells(result: Calibration, index: int) -> list[Cell]:
    """Return a cell for each column at one true difference; what was not measured is empty."""
    nulls = result.differences.size - result.effects.size
    at = index - nulls
    rejects: Any = None
    if result.power is not None and not result.chooses:
        rejects = result.size if at < 0 else result.power[at]
    wrong = None if result.sign_errors is None or at < 0 or result.chooses else result.sign_errors[at]
    chosen = result.chosen.values() if result.chooses and result.chosen else (None, None, None)
    covers = None if result.coverage is None else result.coverage[index]
    return [
        *_share_cells(rejects),
        _share_cells(wrong)[0],
        *(_share_cells(None if share is None else share[index])[0] for share in chosen),
        *_share_cells(covers),
        *(_mean_cell(values, index) for values in (result.width, result.bias, result.rmse)),
    ]


def _mean_cell(values: Any, index: int) -> Cell:
    if values is None or not np.isfinite(values[index]):
        return Cell("")
    return Cell(f"{values[index]:.4g}", float(values[index]))


def _share_cells(share: Any) -> list[Cell]:
    """Return a share and its limits; an exact one has none."""
    if share is None or np.isnan(share.value):
        return [Cell(""), Cell(""), Cell("")]
    value = Cell(_format_digits(float(share.value)), float(share.value))
    if not share.trials:
        return [value, Cell(""), Cell("")]
    return [value, *(Cell(_format_digits(float(limit)), float(limit)) for limit in (share.low, share.high))]


def _format_digits(value: float) -> str:
    return f"{value:.4f}" if value >= 1e-4 or value == 0 else f"{value:.1e}"


def _design_section(calibrations: tuple[Calibration, ...]) -> Section:
    facts = {calibration.design.describe(): None for calibration in calibrations}
    how = {
        f"{calibration.simulated:,} simulated trials" if calibration.simulated else "exact: all outcomes enumerated"
        for calibration in calibrations
    }
    seeds = sorted({str(seed) for calibration in calibrations for seed, *_ in calibration.drawn})
    rows = [("design", each_design) for each_design in facts]
    rows += [("how", text) for text in sorted(how)]
    rows += [("seed", ", ".join(seeds))] if seeds else []
    parameters = [
        (name, _format_parameter(value))
        for name, value in calibrations[0].design.as_dict().items()
        if value is not None
    ]
    return Section(
        id="design",
        title="Design",
        blocks=(Facts(rows=tuple(rows)), Facts(rows=tuple(parameters), title="Parameters")),
        folded=True,
    )


def _format_parameter(value: Any) -> str:
    """Write a parameter of a design; numbers without the digits that only a computer sees."""
    if isinstance(value, list | tuple):
        return ", ".join(map(_format_parameter, value))
    return f"{value:.10g}" if isinstance(value, float) else str(value)


# --- Beside another answer -------------------------------------------------------------------------


def calibration_sections(context: PageContext) -> Iterator[Section]:
    """Yield a calibration at the design of this answer, if there is one."""
    if context.calibration is None:
        return

    summaries = Text(paragraphs=tuple(calibration.words for calibration in each_of(context.calibration)))
    yield Section(
        id="calibration",
        title="Simulation of this design",
        blocks=(summaries, *figures_of(context.calibration)),
    )
