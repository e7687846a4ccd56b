"""Measured type I error rates and coverage of a method, with the nominal level."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from ...errors import InvalidOption
from ...methods import Offer, find_method
from ...methods.cards import Card, CardRow
from ...methods.cards import card as card_of
from ...results import Comparison, Estimate
from ..picture import Numbers, Picture, drawn
from ..style import COLOURS, GRID, INK, MUTED, PAPER
from .drawable_types import undrawable
from .labels import join_listing, name_axis, number_ticks, show_name, write_at
from .rows import WIDTH, mark

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...methods.cards import RateSummary

_LINE = 46  # characters of a line of small type


def card(method: Offer | Card | Comparison | Estimate, *, most: int = 24, ax: Axes | None = None) -> Axes:
    """Draw the measured type I error rate of a test with alpha, or the coverage of an interval with its level.

    One row for each range of designs: the open point is the mean, the filled one the worst.

    Parameters
    ----------
    method
        A method of `find_methods`, its card, or an answer: the test of a comparison, the interval of an estimate.
    most
        The largest number of rows.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> ta.plots.card(ta.compare(ta.PairedTable(20, 25, 10, 45))).get_title(loc="left")
    'Type I error rate of McNemar mid-p'
    """
    return drawn(card_picture(method, most=most), ax)


def card_picture(method: Offer | Card | Comparison | Estimate, *, most: int = 24) -> Picture:
    """Return the picture that `card` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> picture = card_picture(ta.compare(ta.PairedTable(20, 25, 10, 45)))
    >>> picture.numbers.head[:4]
    ('designs', 'mean size', 'largest size', 'how')
    """
    known = _find_card(method)
    if isinstance(most, bool) or not (isinstance(most, int) and most > 0):
        raise InvalidOption(f"`most` must be a whole number of 1 or more, got {most!r}.")
    tests = any(row.size is not None for row in known.entries)
    kind, extreme = ("size", "largest") if tests else ("coverage", "smallest")
    within = set(map(id, known.within()))
    labels = dict(zip(map(id, known.entries), (cells[0] for cells in known.cells()[1:]), strict=True))
    rows = [row for row in known.entries if getattr(row, kind) is not None]
    rows.sort(key=lambda row: id(row) not in within)
    if not rows:
        raise InvalidOption(f"`method` must have a measured size or coverage, got {known.method.name!r} without.")
    drawn_rows, hidden = rows[:most], len(rows) - most
    promised = known.alpha if tests else 1 - known.alpha
    name = known.method.name
    worst = (max if tests else min)(
        result for row in rows if id(row) in within or not within for result in [_find_worst_design(getattr(row, kind))]
    )
    together = {id(row): labels[id(row)].replace(" %", "\N{NO-BREAK SPACE}%") for row in drawn_rows}
    wrapped = [textwrap.wrap(together[id(row)], _LINE, break_on_hyphens=False) for row in drawn_rows]

    shown_rows = [
        (lines, getattr(row, kind), id(row) in within) for lines, row in zip(wrapped, drawn_rows, strict=True)
    ]
    meaning = "type I error rate" if tests else "coverage"

    def draw(axes: Axes) -> None:
        _draw_picture(axes, shown_rows, promised)
        grey = "; grey: outside its valid range" if not all(inside for *_, inside in shown_rows) else ""
        more = f"; {hidden} more rows not drawn" if hidden > 0 else ""
        name_axis(axes, x=f"{meaning} (line: nominal {promised:g})\nopen: mean; filled: {extreme}{grey}{more}")

    text = join_listing((f"{labels[id(row)]}: {row.describe_rates()[0]}" for row in drawn_rows), 6)
    return Picture(
        title=f"{meaning[:1].upper()}{meaning[1:]} of {show_name(known.method.display_title, 40)}",
        alt=(
            f"{meaning[:1].upper()}{meaning[1:]} of {name}, nominal {promised:g}. The {extreme} within its valid range"
            f" is {worst:.4g}. {text}."
        ),
        numbers=Numbers(
            head=("designs", f"mean {kind}", f"{extreme} {kind}", "how", "within the valid range", f"{extreme} at"),
            rows=tuple(
                _collect_numbers(row, labels[id(row)], getattr(row, kind), inside=id(row) in within) for row in rows
            ),
        ),
        draw=draw,
        size=(WIDTH + 0.4, 1.2 + sum(0.13 + 0.115 * len(lines) for lines in wrapped)),
    )


def _find_card(method: Any) -> Card:
    """Return the measured error rates of a method, or of the method of an answer."""
    known = method
    if isinstance(known, Comparison | Estimate):
        gives = "test" if isinstance(known, Comparison) else "interval"
        name = known.method if gives == "test" else known.interval.method
        known = find_method(name, gives, type(known.evidence))  # type: ignore[arg-type]  # test or interval
    if isinstance(known, Offer):
        name, known = known.name, card_of(known)
        if known is None:
            raise InvalidOption(f"`method` must have measured error rates, got {name!r} without. Use calibrate(...).")
    if not isinstance(known, Card):
        raise undrawable("method", method, "an Offer, a Card, or the answer of a method")
    return known


def _find_worst_design(result: RateSummary) -> float:
    return result.mean if result.extreme is None else result.extreme


def _collect_numbers(row: CardRow, label: str, result: RateSummary, *, inside: bool) -> tuple[Any, ...]:
    return (label, result.mean, result.extreme, row.how, "yes" if inside else "no", result.at)


def _draw_picture(axes: Axes, rows: list[tuple[list[str], RateSummary, bool]], promised: float) -> None:
    known = [promised, *(value for _, result, _ in rows for value in (result.mean, _find_worst_design(result)))]
    low, high = min(known), max(known)
    room = 0.06 * (high - low) or 0.01
    span = max(0.0, low - room), min(1.0, high + room)
    heights = [0.13 + 0.115 * len(lines) for lines, *_ in rows]
    ends = [sum(heights[: index + 1]) for index in range(len(heights))]
    axes.set(xlim=span, ylim=(ends[-1], -0.05), yticks=[])
    axes.spines[["left", "top", "right"]].set_visible(False)
    axes.set_axisbelow(True)
    axes.grid(visible=True, axis="x", color=GRID, linewidth=0.6)
    number_ticks(axes, "x", span, 5)
    mark(axes, promised)
    of_axis = axes.get_yaxis_transform()
    for (lines, result, inside), end, height in zip(rows, ends, heights, strict=True):
        y, worst, colour = end - height / 2, _find_worst_design(result), COLOURS[0] if inside else MUTED
        look: dict[str, Any] = {"color": colour, "clip_on": False, "zorder": 3}
        axes.plot([result.mean, worst], [y, y], linewidth=1.4, **look)
        axes.plot([worst], [y], "o", markersize=5, markeredgewidth=1.2, **look)
        axes.plot([result.mean], [y], "o", markersize=5, markerfacecolor=PAPER, markeredgewidth=1.2, **look)
        write_at(axes, (0, y), "\n".join(lines), by=(-8, 0), on=of_axis, ha="right", fontsize=7.5, linespacing=1.05,
              color=INK if inside else MUTED)  # fmt: skip
        text = f"{result.mean:.3f}" if result.extreme in (None, result.mean) else f"{result.mean:.3f}, {worst:.3f}"
        write_at(axes, (1, y), text, by=(9, 0), on=of_axis, fontsize=8, color=INK if inside else MUTED)
