"""How often intervals hold the truth, exactly: the sawtooth, and its mean and minimum as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...evidence import ErrorCount
from ...methods import Offer, find_methods
from ...rendering import level_text, significant
from ...results import Coverage
from ..blocks import Cell, Facts, Figure, Section, Table, Verdict
from ..picture import Picture
from .common import Given, card_sections, number_cell, reproduce_section

_TOLD = 3  # methods whose own words make up the answer, and whose cards are shown
_ROWS = 400  # of the numbers behind the picture
_LIMITS = (
    "These figures are for this number of examples, drawn independently; with other numbers of examples the coverage"
    " is another."
)


def coverage_sections(found: Sequence[Coverage], given: Given) -> Iterator[Section]:
    """Return all sections about the exact coverage of one interval, or of several at one level."""
    from ..plots.coverages import exact_coverage_picture

    picture = exact_coverage_picture(found)
    yield Section(id="verdict", title="The answer", blocks=(Verdict(answer=_answer(found), limits=_LIMITS),))
    yield Section(id="figures", title="Coverage", blocks=(Figure(picture=_thinned(picture)), _table(found)))
    yield _asked_section(found)
    if len(found) <= _TOLD:
        yield from card_sections(method for each in found for method in _methods_of(each))
    yield reproduce_section(found[0] if len(found) == 1 else None, given, {})


def _answer(found: Sequence[Coverage]) -> str:
    if len(found) <= _TOLD:
        return " ".join(each.words for each in found)
    held = [each.method for each in found if each.minimum >= each.level - 1e-9]
    lowest = min(found, key=lambda each: each.minimum)
    kept = f"{', '.join(held)} never cover{'s' * (len(held) == 1)} less" if held else "None never covers less"
    return (
        f"{len(found)} intervals at {level_text(found[0].alpha)}. {kept} often than that. The lowest minimum is that of"
        f" {lowest.method}: {lowest.minimum:.4f} ({lowest.place})."
    )


def _methods_of(found: Coverage) -> tuple[Offer, ...]:
    return tuple(find_methods(name=found.method, evidence=ErrorCount, gives="interval"))


def _thinned(picture: Picture) -> Picture:
    """Leave out most of the thousands of true errors; a page shows them as a line, and the result has them all."""
    step = -(-len(picture.numbers.rows) // _ROWS)
    return replace(picture, numbers=replace(picture.numbers, rows=picture.numbers.rows[::step]))


def _table(found: Sequence[Coverage]) -> Table:
    from ..plots.coverages import curve_names

    rows = [
        [
            name,
            number_cell(each.mean, f"{each.mean:.4f}"),
            number_cell(each.minimum, f"{each.minimum:.4f}"),
            number_cell(100 * each.worst, _worst_text(each)),
            number_cell(each.mean_width, f"{each.mean_width:.4f}"),
            _missed(each),
        ]
        for name, each in zip(curve_names(found), found, strict=True)
    ]
    head = ("method", "mean", "minimum", "next to a true error (%)", "expected width", "fails (% of the range)")
    return Table.of(
        "Coverage by method",
        head,
        rows,
        note=f"A {level_text(found[0].alpha)} interval should cover that often. Mean and expected width are averages"
        " over the range; an interval fails where it misses more than twice as often as allowed.",
    )


def _worst_text(found: Coverage) -> str:
    """Write the true error next to which the minimum lies; at an end of the range it is a limit, not a number."""
    end = found.place.removeprefix("as the true error goes to ")
    return f"to {100 * float(end):g}" if end != found.place else significant(100 * found.worst)


def _missed(found: Coverage) -> Cell:
    share = sum(high - low for low, high in found.fails) / (found.within[1] - found.within[0])
    return number_cell(100 * share, significant(100 * share))


def _asked_section(found: Sequence[Coverage]) -> Section:
    facts = {
        "examples": ", ".join(f"{size:,}" for size in sorted({each.trials for each in found})),
        "level": level_text(found[0].alpha),
        "side": ", ".join(sorted({each.side for each in found})),
        "true errors": "; ".join(dict.fromkeys(f"{each.within[0]:g} to {each.within[1]:g}" for each in found)),
        "how": "exact: every outcome enumerated",
    }
    return Section(id="design", title="What was asked", blocks=(Facts(rows=tuple(facts.items())),), folded=True)
