"""A plan: how many, with which power, to see which difference; drawn, and under other assumptions."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...errors import InvalidInput
from ...planning import Planned
from ...planning.plan_wording import format_amount as amount
from ...planning.plan_wording import many, power_text
from ..blocks import Cell, Figure, Section, Table
from ..picture import Picture
from .headline import result_section
from .methods_and_references import paper_section
from .page_context import PageContext
from .reproduction import reproduce_section


def plan_sections(planned: Planned, context: PageContext) -> Iterator[Section]:
    """Return all sections about a plan."""
    yield result_section(planned.display())
    figures = [Figure(picture=picture) for picture in _draw_pictures(planned)]
    if figures:
        yield Section(id="curves", title="What other numbers would buy", blocks=tuple(figures))
    if planned.beside:
        yield _assumptions_section(planned)
    yield paper_section(planned)
    yield reproduce_section(planned, context, {})


def _draw_pictures(planned: Planned) -> Iterator[Picture]:
    """Return what can be drawn of a plan."""
    from ..plots import power_curve_picture, width_curve_picture

    if not math.isnan(planned.width):
        yield width_curve_picture(planned)
        return
    for over in ("size", "difference"):
        try:
            yield power_curve_picture(planned, over=over)
        except InvalidInput:  # nothing is shown at any difference, or by any number
            continue


def _assumptions_section(planned: Planned) -> Section:
    """Return what the plan would be under other assumptions."""
    rows = [("as planned", _planned_cell(planned, float(getattr(planned, planned.solved))))]
    rows += [(each.assuming, _planned_cell(planned, each.value)) for each in planned.beside]
    head = {"size": planned.unit, "power": "power"}.get(planned.solved, f"{planned.solved}{_unit_suffix(planned)}")
    note = "Every line is the same question with one thing changed."
    table = Table.of("Under other assumptions", ("assuming", head), rows, note=note)
    return Section(id="assumptions", title="What if it is otherwise?", blocks=(table,))


def _unit_suffix(planned: Planned) -> str:
    return " (points)" if planned.points else ""


def _planned_cell(planned: Planned, value: float) -> Cell:
    """Return what was left open, as it is written."""
    if planned.solved == "size":
        if math.isfinite(value):
            return Cell(many(value), value)
        return Cell("no number is enough" if planned.capped else "more than a thousand million")
    if math.isnan(value):
        return Cell("none")
    if planned.solved == "power":
        return Cell(power_text(value), value)
    return Cell(amount(value, planned.points, unit=False), value)
