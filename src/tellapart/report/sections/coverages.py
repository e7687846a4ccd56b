"""Exact coverage of intervals of an error rate: the curve, its mean and its minimum."""

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
from .cells import number_cell, percent_text
from .headline import result_section
from .methods_and_references import card_sections, references_sections
from .page_context import PageContext
from .reproduction import reproduce_section

_CARDS = 3  # methods whose measured error rates are shown
_ROWS = 400  # of the numbers behind the picture
_SCOPE = "independent examples, this sample size; coverage depends on the sample size"


def coverage_sections(result: Sequence[Coverage], context: PageContext) -> Iterator[Section]:
    """Return all sections about the exact coverage of one interval, or of several at one level."""
    from ..plots.coverages import exact_coverage_picture

    picture = exact_coverage_picture(result)
    yield result_section(result[0].display() if len(result) == 1 else _summarize_answers(result))
    yield Section(
        id="figures", title="Coverage", blocks=(Figure(picture=_thin_numbers(picture)), _coverage_table(result))
    )
    yield _design_section(result)
    if len(result) <= _CARDS:
        yield from card_sections(method for each in result for method in _methods_of(each))
    yield from references_sections(*result)
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
    head = ("method", "mean", "minimum", "minimum at error rate", "expected width", "low coverage, share of range")
    return Table.of(
        "Coverage by method",
        head,
        rows,
        note=f"Nominal coverage: {level_text(result[0].alpha)}. Mean and expected width are averages over the error"
        " rates; coverage is low if the miss rate is above 2 alpha.",
    )


def _worst_text(coverage: Coverage) -> str:
    end = _limit_of_range(coverage)
    return f"{significant(100 * coverage.worst)}%" if end is None else f"near {100 * end}%"


def _limit_of_range(coverage: Coverage) -> int | None:
    """Return 0 or 1 if the minimum is approached there, else None."""
    return 0 if coverage.worst < 1e-200 else 1 if coverage.worst > 1 - 1e-12 else None


def _missed_cell(coverage: Coverage) -> Cell:
    low, high = coverage.within
    share = sum(last - first for first, last in coverage.fails) / (high - low)
    return number_cell(100 * share, percent_text(share))


def _design_section(result: Sequence[Coverage]) -> Section:
    facts = {
        "examples": ", ".join(f"{size:,}" for size in sorted({each.trials for each in result})),
        "level": level_text(result[0].alpha),
        "side": ", ".join(sorted({each.side for each in result})),
        "error rates": "; ".join(dict.fromkeys(f"{each.within[0]:g} to {each.within[1]:g}" for each in result)),
        "method": "exact: all outcomes enumerated",
    }
    return Section(id="design", title="Design", blocks=(Facts(rows=tuple(facts.items())),), folded=True)
