"""Pictures of several models: all pairs, and who is not told apart from whom."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InvalidOption, import_extra
from ...rendering import percent, plain_number
from ...results import Ranking
from ...results.ranking_clauses import adjusted_text, level_spread
from ..picture import Numbers, Picture, drawn
from ..style import COLOURS, INK, MUTED
from .drawable_types import undrawable
from .labels import join_listing, name_axis, show_name, write_at
from .rows import WIDTH, Row, draw_rows, mark, row_of, scale_of, span_of, tall

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LONG = 34  # characters of two names that fit on one line
_SHOWN_GROUPS = 24


def forest(ranking: Ranking, *, most: int = 60, ax: Axes | None = None) -> Axes:
    """Draw the differences of all pairs, the largest on top; pairs that are told apart stand out.

    Every pair is seen by the one that did better: its difference is never below 0.

    Parameters
    ----------
    ranking
        What `compare` said of several models or learners.
    most
        How many pairs to draw: of more, those with the best, then the others that are told apart.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> patterns = ta.ErrorPatterns.from_codes(("a", "b", "c"), {0: 90, 1: 16, 3: 4})
    >>> forest(ta.compare(patterns)).get_title(loc="left")
    'All 3 pairs'
    """
    return drawn(forest_picture(ranking, most=most), ax)


def forest_picture(ranking: Ranking, *, most: int = 60) -> Picture:
    """Return the picture that `forest` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> patterns = ta.ErrorPatterns.from_codes(("a", "b", "c"), {0: 90, 1: 16, 3: 4})
    >>> [row[:2] for row in forest_picture(ta.compare(patterns)).numbers.rows]
    [('a', 'c'), ('a', 'b'), ('b', 'c')]
    """
    _require_ranking(ranking)
    if isinstance(most, bool) or not (isinstance(most, int) and most > 0):
        raise InvalidOption(f"most must be a number of pairs, 1 or more, but is {most!r}.")
    pairs, metric = ranking.pairs, ranking.pairs.interval.metric
    if pairs.interval.parameter != "difference":
        raise InvalidOption("the forest is drawn of intervals of the difference. Choose another interval.")
    text = np.array([winner is not None for winner in ranking.better])
    size = np.abs(np.asarray(pairs.difference, dtype=float))
    with_best = np.array([bool(set(names) & set(ranking.best)) for names in ranking.names])
    order = np.lexsort((-size, ~text, ~with_best))[:most]
    order = order[np.argsort(-size[order], kind="stable")]
    seen = [_seen_by_the_better(ranking, int(index)) for index in order]
    breaks = any(len(worse) + len(better) > _LONG for worse, better, *_ in seen)
    rows = [_pair_row(ranking, int(index), *each, breaks=breaks) for index, each in zip(order, seen, strict=True)]
    number, hidden = len(text), len(text) - len(rows)
    unit = "in points" if metric == "error" else f"in {metric}"
    left_out = f"; {hidden} more pairs not drawn" if hidden else ""

    def draw(axes: Axes) -> None:
        low, high = span_of(rows, [0.0])
        draw_rows(axes, rows, (min(low, -0.04 * high), high))
        mark(axes, 0.0)
        each = "all together" if pairs.interval.method == "max-t" else "each by itself"
        rule = ranking.adjustment.method
        name_axis(axes, x=f"by how much the first is better, {unit} ({pairs.interval.kind_text()}, {each})\n"
                  f"filled: told apart (p by {rule}, alpha = {ranking.alpha:g}){left_out}")  # fmt: skip

    words = join_listing(
        f"{better} over {worse}: {row.text.replace('−', '-')}"
        for (worse, better, *_), row in zip(seen, rows, strict=True)
    )
    return Picture(
        title=f"All {number} pairs" if number > 1 else "The pair",
        alt=(
            f"Differences of {number} pair{'s' * (number != 1)}, {unit}, with limits and p-values; {int(text.sum())}"
            f" told apart at alpha = {ranking.alpha:g}, p by {ranking.adjustment.method}. {words}{left_out}."
        ),
        numbers=Numbers(
            head=("A", "B", "difference", "low", "high", "p-value", "adjusted p-value", "told apart"),
            rows=tuple(
                (*each, float(pairs.pvalue[index]), float(ranking.adjusted[index]), bool(text[index]))
                for each, index in zip(seen, order, strict=True)
            ),
        ),
        draw=draw,
        size=(WIDTH + 1.0, tall(len(rows), 0.4 if breaks else 0.23, 1.1)),
    )


def _require_ranking(ranking: Any) -> None:
    if not isinstance(ranking, Ranking):
        raise undrawable("ranking", ranking, "a Ranking, what compare says of several models")


def _seen_by_the_better(ranking: Ranking, index: int) -> tuple[str, str, float, float, float]:
    """Return the worse one, the better one, and their difference with its limits."""
    (a, b), interval = ranking.names[index], ranking.pairs.interval[index]
    value, low, high = (float(each) for each in (ranking.pairs.difference[index], interval.low, interval.high))
    return (a, b, value, low, high) if value >= 0 else (b, a, -value, -high, -low)


def _pair_row(ranking: Ranking, index: int, worse: str, better: str, *figures: float, breaks: bool) -> Row:
    value, low, high = figures
    interval = ranking.pairs.interval[index]
    turned = ranking.names[index][0] != worse
    side: Any = {"upper": "lower", "lower": "upper"}.get(interval.side, "two") if turned else interval.side
    shown_limits = replace(interval, low=np.asarray(low)[()], high=np.asarray(high)[()], side=side)
    return row_of(
        f"{show_name(better)}\nover {show_name(worse)}" if breaks else f"{better} over {worse}",
        value,
        shown_limits,
        more=f"; {adjusted_text(ranking, index)}",
        strong=ranking.better[index] is not None,
    )


# --- Who is not told apart from whom --------------------------------------------------------------


def tie_groups(ranking: Ranking, *, ax: Axes | None = None) -> Axes:
    """Draw models in the order of their error rates; bars join those that are not told apart.

    No intervals are drawn beside the rates: whether they overlap does not tell whether two models differ.

    Parameters
    ----------
    ranking
        What `compare` said of several models or learners.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> patterns = ta.ErrorPatterns.from_codes(("a", "b", "c"), {0: 90, 1: 16, 3: 4})
    >>> tie_groups(ta.compare(patterns)).get_title(loc="left")
    'Who is not told apart from whom'
    """
    return drawn(tie_groups_picture(ranking), ax)


def tie_groups_picture(ranking: Ranking) -> Picture:
    """Return the picture that `tie_groups` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> patterns = ta.ErrorPatterns.from_codes(("a", "b", "c"), {0: 90, 1: 16, 3: 4})
    >>> tie_groups_picture(ta.compare(patterns)).numbers.rows[0]
    ('c', 0.0, 'a')
    """
    _require_ranking(ranking)
    by, rates = scale_of(ranking.metric), np.asarray(ranking.levels, dtype=float)
    places = np.argsort(ranking.rates, kind="stable")
    names = [ranking.models[index] for index in places]
    wording = percent if by == 100 else plain_number
    texts = [wording(float(rates[index]), level_spread(ranking)) for index in places]
    rows = [
        Row(name=show_name(name), value=by * float(rates[index]), low=math.nan, high=math.nan, text=text)
        for name, index, text in zip(names, places, texts, strict=True)
    ]
    what = ranking.measure
    joined = [group for group in ranking.groups if len(group) > 1]

    def draw(axes: Axes) -> None:
        low, high = span_of(rows, (), (0.0, math.inf) if by == 100 else (-math.inf, math.inf))
        draw_rows(axes, rows, (0.0 if by == 100 and low < high / 2 else low, high))
        _draw_groups(axes, joined[:_SHOWN_GROUPS], names, 10 + 5 * max(map(len, texts)) + 10)
        more = f"; {len(joined) - _SHOWN_GROUPS} more not drawn" if len(joined) > _SHOWN_GROUPS else ""
        rule = f"by {ranking.adjustment.method}, " if ranking.adjustment.method != "none" else ""
        name_axis(axes, x=f"{what}{' in %' if by == 100 else ''}\n"
                  f"bars join those not told apart ({rule}alpha = {ranking.alpha:g}){more}")  # fmt: skip

    listing = join_listing(f"{name} {text}" for name, text in zip(names, texts, strict=True))
    ties = join_listing(" = ".join(sorted(group, key=names.index)) for group in joined) or "none"
    return Picture(
        title="Who is not told apart from whom",
        alt=(
            f"{len(names)} in the order of their {what}: {listing}."
            f" Not told apart at alpha = {ranking.alpha:g}: {ties}."
        ),
        numbers=Numbers(
            head=("name", what, "groups"),
            rows=tuple(
                (name, float(rates[index]), ranking.letters(name)) for name, index in zip(names, places, strict=True)
            ),
        ),
        draw=draw,
        size=(WIDTH, tall(len(rows), besides=1.1)),
    )


def _draw_groups(axes: Axes, groups: list[tuple[str, ...]], names: list[str], start: float) -> None:
    """Draw a bar for each group, with a point for each of its models: a bar may pass one that is not in it."""
    transforms = import_extra("matplotlib.transforms", "plot")
    figure = axes.figure.figure
    step = 11 if len(groups) <= 12 else 7
    for number, group in enumerate(groups):
        by = transforms.ScaledTranslation((start + step * number) / 72, 0, figure.dpi_scale_trans)
        places = sorted(names.index(name) for name in group)
        look: dict[str, Any] = {
            "transform": axes.get_yaxis_transform() + by, "clip_on": False, "color": (COLOURS[0], INK)[number % 2],
        }  # fmt: skip
        axes.plot([1, 1], [places[0], places[-1]], linewidth=2.2, solid_capstyle="round", **look)
        axes.plot([1] * len(places), places, "o", markersize=4.5, markeredgewidth=0, **look)
    if not groups:
        write_at(axes, (1, len(names) - 1), "all told apart", by=(start, 0), on=axes.get_yaxis_transform(), fontsize=8.5,
              color=MUTED)  # fmt: skip
