"""How often intervals hold the truth, exactly: the sawtooth, and its mean and minimum as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...display import Display, Row
from ...evidence import ErrorCount
from ...figures import join_names, level_text
from ...methods import Offer, find_methods
from ...rendering import significant
from ...results import Coverage
from ..blocks import Cell, Facts, Figure, Section, Table
from ..picture import Picture
from .cells import number_cell
from .headline import result_section
from .methods_and_references import card_sections
from .page_context import PageContext
from .reproduction import reproduce_section

_CARDS = 3  # methods whose measured error rates are shown
_ROWS = 400  # of the numbers behind the picture
_SCOPE = "this number of independent examples; other numbers of examples have another coverage"


def coverage_sections(result: Sequence[Coverage], context: PageContext) -> Iterator[Section]:
    """Return all sections about the exact coverage of one interval, or of several at one level."""
    from ..plots.coverages import exact_coverage_picture

    picture = exact_coverage_picture(result)
    yield result_section(result[0].display() if len(result) == 1 else _summarize_answers(result))
    yield Section(
        id="figures", title="Coverage", blocks=(Figure(picture=_thin_numbers(picture)), _coverage_table(result))
    )
    yield _asked_section(result)
    if len(result) <= _CARDS:
        yield from card_sections(method for each in result for method in _methods_of(each))
    yield reproduce_section(result[0] if len(result) == 1 else None, context, {})


def _summarize_answers(result: Sequence[Coverage]) -> Display:
    """Return which of several intervals keep the nominal level everywhere, and which falls below it most."""
    level = level_text(result[0].alpha)
    valid = [coverage.method for coverage in result if coverage.minimum >= coverage.level - 1e-9]
    lowest = min(result, key=lambda coverage: coverage.minimum)
    return Display(
        verdict=f"{len(valid)} of {len(result)} intervals cover at least {level} at every error rate",
        figures=f"lowest minimum: {lowest.method}, {lowest.minimum:.4f} ({lowest.worst_location})",
        blocks=(Row("valid", join_names(valid, most=12)), Row("scope", _SCOPE)),
    )


def _methods_of(result: Coverage) -> tuple[Offer, ...]:
    return tuple(find_methods(name=result.method, evidence=ErrorCount, gives="interval"))


def _thin_numbers(picture: Picture) -> Picture:
    """Leave out most of the thousands of true errors; a page shows them as a line, and the result has them all."""
    step = -(-len(picture.numbers.rows) // _ROWS)
    return replace(picture, numbers=replace(picture.numbers, rows=picture.numbers.rows[::step]))


def _coverage_table(result: Sequence[Coverage]) -> Table:
    from ..plots.coverages import curve_names

    rows = [
        [
            name,
            number_cell(each.mean, f"{each.mean:.4f}"),
            number_cell(each.minimum, f"{each.minimum:.4f}"),
            number_cell(100 * each.worst, _worst_text(each)),
            number_cell(each.mean_width, f"{each.mean_width:.4f}"),
            _missed_cell(each),
        ]
        for name, each in zip(curve_names(result), result, strict=True)
    ]
    head = ("method", "mean", "minimum", "next to a true error (%)", "expected width", "fails (% of the range)")
    return Table.of(
        "Coverage by method",
        head,
        rows,
        note=f"A {level_text(result[0].alpha)} interval should cover that often. Mean and expected width are averages"
        " over the range; an interval fails where it misses more than twice as often as allowed.",
    )


def _worst_text(result: Coverage) -> str:
    """Write the true error next to which the minimum lies; at an end of the range it is a limit, not a number."""
    end = result.worst_location.removeprefix("as the error rate approaches ")
    return f"to {100 * float(end):g}" if end != result.worst_location else significant(100 * result.worst)


def _missed_cell(result: Coverage) -> Cell:
    share = sum(high - low for low, high in result.fails) / (result.within[1] - result.within[0])
    return number_cell(100 * share, significant(100 * share))


def _asked_section(result: Sequence[Coverage]) -> Section:
    facts = {
        "examples": ", ".join(f"{size:,}" for size in sorted({each.trials for each in result})),
        "level": level_text(result[0].alpha),
        "side": ", ".join(sorted({each.side for each in result})),
        "true errors": "; ".join(dict.fromkeys(f"{each.within[0]:g} to {each.within[1]:g}" for each in result)),
        "how": "exact: every outcome enumerated",
    }
    return Section(id="design", title="What was asked", blocks=(Facts(rows=tuple(facts.items())),), folded=True)
