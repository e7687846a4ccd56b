"""Pictures of several models: all pairs, and the ranking with its ties."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InvalidOption, import_extra
from ...figures import Scale, short_names
from ...results import Ranking
from ...results.ranking_text import test_text
from ...results.wording import interval_limits, p_text
from ..method_titles import interval_title
from ..picture import Numbers, Picture, drawn
from ..style import COLOURS, INK, MUTED
from .drawable_types import undrawable
from .labels import is_narrow, join_listing, name_axis, narrow_size, show_name, typeset, write_at
from .rows import WIDTH, Kind, PlotRow, axis_factor, common_scale, draw_rows, mark, row_of, span_of, tall

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LONG = 34  # characters of two names that fit on one line
_SHOWN_GROUPS = 24
_FEW_GROUPS = 6  # bars that a phone has room for


def forest(ranking: Ranking, *, most: int = 60, ax: Axes | None = None) -> Axes:
    """Draw the differences of all pairs, the largest on top; significant differences are filled.

    Each pair is drawn from the side of its leader, so that no difference is negative.

    Parameters
    ----------
    ranking
        Result of `compare` for several models or learners.
    most
        The largest number of pairs: of more, those with the best, then the other significant ones.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> patterns = ta.ErrorPatterns.from_codes(("a", "b", "c"), {0: 90, 1: 16, 3: 4})
    >>> forest(ta.compare(patterns)).get_title(loc="left")
    'Pairwise differences'
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
        raise InvalidOption(f"`most` must be a whole number of 1 or more, got {most!r}.")
    pairs = ranking.pairs
    if pairs.interval.parameter != "difference":
        raise InvalidOption("`ranking` must have intervals of the difference. Use another `interval` in compare.")
    significant = np.array([winner is not None for winner in ranking.better])
    size = np.abs(np.asarray(pairs.difference, dtype=float))
    with_best = np.array([bool(set(names) & set(ranking.best)) for names in ranking.names])
    order = np.lexsort((-size, ~significant, ~with_best))[:most]
    order = order[np.argsort(-size[order], kind="stable")]
    led = [_from_leader(ranking, int(index)) for index in order]
    short = short_names(ranking.models)
    breaks = any(len(short[worse]) + len(short[better]) > _LONG for worse, better, *_ in led)
    kind = pairs.evidence.difference_kind
    scale = common_scale(
        [pairs.interval[int(index)] for index in order], np.asarray(pairs.difference, dtype=float)[order].tolist(), kind
    )
    rows = [
        _pair_row(ranking, int(index), short[worse], short[better], *figures, breaks=breaks, scale=scale)
        for index, (worse, better, *figures) in zip(order, led, strict=True)
    ]
    number, hidden = len(significant), len(significant) - len(rows)
    metric = ranking.evidence.metric.report_title
    unit = f"{metric}, in pp" if pairs.evidence.difference_kind == "points" else metric
    left_out = f"; {hidden} more pairs not drawn" if hidden else ""
    simultaneous = "simultaneous" if pairs.interval.method == "max-t" else "individual"
    method = f"{interval_title(pairs.interval, pairs.evidence)}, {simultaneous}"

    def draw(axes: Axes) -> None:
        low, high = span_of(rows, [0.0])
        draw_rows(axes, rows, (min(low, -0.04 * high), high), texts=not is_narrow(axes))
        mark(axes, 0.0)
        if is_narrow(axes):
            name_axis(axes, x="in pp" if kind == "points" else "advantage")
            return
        name_axis(axes, x=f"advantage of the first in {unit} ({method})\n"
                  f"filled: significant{left_out}\n({test_text(ranking)})")  # fmt: skip

    listing = join_listing(
        f"{better} over {worse}: {row.text.replace('−', '-')}"
        for (worse, better, *_), row in zip(led, rows, strict=True)
    )
    return Picture(
        title="Pairwise differences",
        alt=(
            f"Differences of {number} pair{'s' * (number != 1)} in {unit}, {method}, with p-values;"
            f" {int(significant.sum())} significant ({test_text(ranking)}). {listing}{left_out}."
        ),
        numbers=Numbers(
            head=("A", "B", "difference", "low", "high", "p-value", "adjusted p-value", "significant"),
            rows=tuple(
                (*figures, float(pairs.pvalue[index]), float(ranking.adjusted[index]), bool(significant[index]))
                for figures, index in zip(led, order, strict=True)
            ),
        ),
        draw=draw,
        size=(WIDTH + 1.0, tall(len(rows), 0.4 if breaks else 0.23, 1.1)),
        narrow=narrow_size(tall(len(rows), 0.4 if breaks else 0.23, 1.6)),
    )


def _require_ranking(ranking: Any) -> None:
    if not isinstance(ranking, Ranking):
        raise undrawable("ranking", ranking, "a Ranking, the result of compare(...) for several models")


def _from_leader(ranking: Ranking, index: int) -> tuple[str, str, float, float, float]:
    """Return the worse model, the better one, and their difference with its limits."""
    (a, b), interval = ranking.names[index], ranking.pairs.interval[index]
    value, low, high = (float(number) for number in (ranking.pairs.difference[index], interval.low, interval.high))
    return (a, b, value, low, high) if value >= 0 else (b, a, -value, -high, -low)


def _pair_row(
    ranking: Ranking, index: int, worse: str, better: str, *figures: Any, breaks: bool, scale: Scale
) -> PlotRow:
    value, low, high = figures
    interval, simulated = ranking.pairs.interval[index], ranking.pairs.adjusted_simulated
    turned = float(ranking.pairs.difference[index]) < 0
    side: Any = {"upper": "lower", "lower": "upper"}.get(interval.side, "two") if turned else interval.side
    oriented = replace(interval, low=np.asarray(low)[()], high=np.asarray(high)[()], side=side)
    pvalue = p_text(float(ranking.adjusted[index]), ranking.alpha, None if simulated is None else simulated[index])
    return row_of(
        f"{show_name(better)}\nover {show_name(worse)}" if breaks else f"{better} over {worse}",
        value,
        oriented,
        ranking.pairs.evidence.difference_kind,
        more=f"; {pvalue}",
        strong=ranking.better[index] is not None,
        scale=scale,
    )


# --- Ties -----------------------------------------------------------------------------------------


def tie_groups(ranking: Ranking, *, ax: Axes | None = None) -> Axes:
    """Draw models in their order, each with its individual interval; bars on the right join tied models.

    The bars show the result of the tests of the differences; whether individual intervals overlap does not.

    Parameters
    ----------
    ranking
        Result of `compare` for several models or learners.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> patterns = ta.ErrorPatterns.from_codes(("a", "b", "c"), {0: 90, 1: 16, 3: 4})
    >>> tie_groups(ta.compare(patterns)).get_title(loc="left")
    'Ranking with ties'
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
    levels, metric = np.asarray(ranking.levels, dtype=float), ranking.evidence.rank_metric
    order = np.argsort(ranking.rates, kind="stable")
    names = [ranking.models[index] for index in order]
    rows = _level_rows(ranking, order)
    percent = _kind_of_levels(ranking) == "percent"
    joined = [group for group in ranking.groups if len(group) > 1]
    intervals = ranking.note("own_intervals")
    quantity = f"{metric.report_title}{' in %' if percent else ''}"
    if intervals is not None:
        quantity += f" (individual {interval_title(intervals, ranking.evidence)})"

    def draw(axes: Axes) -> None:
        low, high = span_of(rows, (), (0.0, 100.0) if percent else (-math.inf, math.inf))
        texts = not is_narrow(axes)
        draw_rows(axes, rows, (0.0 if percent and low < high / 2 else low, high), texts=texts)
        start = 10 + 5 * max(len(row.text) for row in rows) if texts else 0
        _draw_groups(axes, joined[:_SHOWN_GROUPS], names, start + 10)
        more = f"; {len(joined) - _SHOWN_GROUPS} more not drawn" if len(joined) > _SHOWN_GROUPS else ""
        name_axis(axes, x=f"{quantity}\nbars join tied models{more}\n({test_text(ranking)})")

    listing = join_listing(f"{name} {row.text.replace('−', '-')}" for name, row in zip(names, rows, strict=True))
    ties = join_listing(" = ".join(sorted(group, key=names.index)) for group in joined) or "none"
    return Picture(
        title="Ranking with ties",
        alt=f"{len(names)} models by {quantity}: {listing}. Ties ({test_text(ranking)}): {ties}.",
        numbers=Numbers(
            head=("name", metric.title, "groups"),
            rows=tuple(
                (name, float(levels[index]), ranking.letters(name)) for name, index in zip(names, order, strict=True)
            ),
        ),
        draw=draw,
        size=(WIDTH, tall(len(rows), besides=1.1)),
        narrow=narrow_size(tall(len(rows), besides=1.6)) if len(joined) <= _FEW_GROUPS else None,
    )


def _kind_of_levels(ranking: Ranking) -> Kind:
    return "plain" if ranking.evidence.rank_metric is not ranking.evidence.metric else ranking.evidence.value_kind


def _level_rows(ranking: Ranking, order: Any) -> list[PlotRow]:
    """Return a row for each model: its metric as readers see it, with its individual interval if there is one."""
    metric, kind, intervals = ranking.evidence.rank_metric, _kind_of_levels(ranking), ranking.note("own_intervals")
    short, board = short_names(ranking.models), ranking.leaderboard()
    values = [float(metric.report_value(ranking.levels[index])) for index in order]
    names = [short[ranking.models[index]] for index in order]
    if intervals is None:
        by = axis_factor(kind)
        texts = [typeset(board.scale.value(value)) for value in values]
        return [
            PlotRow(name=name, value=by * value, low=math.nan, high=math.nan, text=text)
            for name, value, text in zip(names, values, texts, strict=True)
        ]
    own = []
    for index in order:
        low, high = interval_limits(ranking.evidence, intervals[index])
        own.append(replace(intervals[index], low=np.asarray(low)[()], high=np.asarray(high)[()]))
    scale = common_scale(own, values, kind)
    return [
        row_of(name, value, interval, kind, scale=scale)
        for name, value, interval in zip(names, values, own, strict=True)
    ]


def _draw_groups(axes: Axes, groups: list[tuple[str, ...]], names: list[str], start: float) -> None:
    """Draw a bar for each group of ties, with a dot for each member: a bar may pass a model outside the group."""
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
        write_at(
            axes,
            (1, len(names) - 1),
            "no ties",
            by=(start, 0),
            on=axes.get_yaxis_transform(),
            fontsize=8.5,
            color=MUTED,
        )
