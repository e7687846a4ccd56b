"""A planned sample size, power, difference or width: its curves, and the same under other assumptions."""

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
from .methods_and_references import paper_section, references_sections
from .page_context import PageContext
from .reproduction import reproduce_section


def plan_sections(planned: Planned, context: PageContext) -> Iterator[Section]:
    """Return all sections about a plan."""
    yield result_section(planned.display())
    figures = [Figure(picture=picture) for picture in _draw_pictures(planned)]
    if figures:
        yield Section(
            id="curves", title="Power curves" if math.isnan(planned.width) else "Expected width", blocks=tuple(figures)
        )
    if planned.beside:
        yield _assumptions_section(planned)
    yield from references_sections(planned)
    yield paper_section(planned)
    yield reproduce_section(planned, context, {})


def _draw_pictures(planned: Planned) -> Iterator[Picture]:
    """Yield the curves of a plan."""
    from ..plots import power_curve_picture, width_curve_picture

    if not math.isnan(planned.width):
        yield width_curve_picture(planned)
        return
    for over in ("size", "difference"):
        try:
            yield power_curve_picture(planned, over=over)
        except InvalidInput:  # no difference or no number of examples reaches the power
            continue


def _assumptions_section(planned: Planned) -> Section:
    """Return the same plan under other assumptions."""
    rows = [("as planned", _planned_cell(planned, float(getattr(planned, planned.solved))))]
    rows += [(each.assuming, _planned_cell(planned, each.value)) for each in planned.beside]
    head = {"size": planned.unit, "power": "power"}.get(planned.solved, f"{planned.solved}{_unit_suffix(planned)}")
    note = "Each line changes one assumption."
    table = Table.of("Other assumptions", ("assumption", head), rows, note=note)
    return Section(id="assumptions", title="Other assumptions", blocks=(table,))


def _unit_suffix(planned: Planned) -> str:
    return " (pp)" if planned.points else ""


def _planned_cell(planned: Planned, value: float) -> Cell:
    """Return the planned quantity, as it is written."""
    if planned.solved == "size":
        if math.isfinite(value):
            return Cell(many(value), value)
        return Cell("not reached" if planned.capped else "more than 1,000,000,000")
    if math.isnan(value):
        return Cell("none")
    if planned.solved == "power":
        return Cell(power_text(value), value)
    return Cell(amount(value, planned.points, unit=False), value)
