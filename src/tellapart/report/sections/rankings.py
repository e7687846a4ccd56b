"""The ranking of several models or learners: the leaderboard with its ties, and all pairs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

from ...evidence import ErrorPatterns
from ...figures import level_text
from ...methods import Offer, look_up
from ...results import Leaderboard, Ranking
from ...results.ranking_text import test_text
from ...results.wording import interval_limits
from ..blocks import Cell, Figure, Section, Table
from ..method_titles import interval_note
from .body import body_sections
from .cells import difference_cell, difference_heads, limit_cells, median_width, number_cell, pvalue_cell
from .headline import answer_section
from .page_context import PageContext


def ranking_sections(answer: Ranking, context: PageContext) -> Iterator[Section]:
    """Return all sections about several models or learners."""
    yield answer_section(answer)
    yield _leaderboard_section(answer)
    yield _pairs_section(answer)
    yield from body_sections(answer, context, methods_of(answer))


def methods_of(answer: Ranking) -> tuple[Offer | None, ...]:
    """Return the test and the interval of the pairs, and the method that adjusts for their number."""
    kind = type(answer.pairs.evidence)
    interval = answer.pairs.interval.method
    together = (
        look_up("max-t", "pairs", type(answer.evidence)) if "max-t" in {answer.adjustment.method, interval} else None
    )
    return look_up(answer.method, "test", kind), look_up(interval, "interval", kind), together


# --- The leaderboard ------------------------------------------------------------------------------


def _leaderboard_section(answer: Ranking) -> Section:
    from ..plots import tie_groups_picture

    blocks = (Figure(picture=tie_groups_picture(answer)), _standings_table(answer))
    return Section(id="ranking", title="Ranking", blocks=blocks)


def _standings_table(answer: Ranking) -> Table:
    """Return the leaderboard: the best first, with rank ranges and the letters of tie groups."""
    board = answer.leaderboard()
    errors = _count_errors(answer.evidence)
    metric, interval = board.evidence.rank_metric, board.interval
    limits = (f"{level_text(interval.alpha)} CI, low", "high") if interval is not None else ()
    head = (board.noun, "rank", *(("errors",) if errors else ()), metric.report_title, *limits, "ties")
    rows = [
        [
            name,
            Cell(board.rank_text(index), float(board.ranks[index][0])),
            *((errors[name],) if errors else ()),
            _level_cell(board, float(metric.report_value(board.levels[index]))),
            *_limit_cells(board, index),
            board.letters[index],
        ]
        for index, name in enumerate(board.models)
    ]
    note = f"{board.note} A rank of 1-2 means either place is possible."
    if interval is not None:
        note += f" {interval_note(interval, board.evidence)} Intervals are individual; for differences see the pairs."
    return Table.of("Leaderboard", head, rows, note=note)


def _level_cell(board: Leaderboard, value: float) -> Cell:
    return number_cell(value, board.scale.value(value))


def _limit_cells(board: Leaderboard, index: int) -> tuple[Cell, ...]:
    if board.interval is None:
        return ()
    return tuple(_level_cell(board, limit) for limit in interval_limits(board.evidence, board.interval[index]))


@singledispatch
def _count_errors(_: Any) -> dict[str, int]:
    """Return the errors of each model; nothing for evidence without counts of errors."""
    return {}


@_count_errors.register
def _count_errors_of_patterns(patterns: ErrorPatterns) -> dict[str, int]:
    return dict(zip(patterns.models, patterns.error_counts.errors.tolist(), strict=True))


# --- All pairs ------------------------------------------------------------------------------------


def _pairs_section(answer: Ranking) -> Section:
    from ..plots import forest_picture

    blocks = (Figure(picture=forest_picture(answer)), _pairs_table(answer))
    return Section(id="pairs", title="Pairwise differences", blocks=blocks)


def _pairs_table(answer: Ranking) -> Table:
    interval, evidence = answer.pairs.interval, answer.pairs.evidence
    width, simulated = median_width(interval), answer.pairs.adjusted_simulated
    sign = "B − A" if answer.evidence.metric.report_higher_is_better else "A − B"  # positive: B is better
    head = ("A", "B", "better", *difference_heads(sign, interval), "p", "adjusted p")
    rows = [
        [
            a,
            b,
            better or "",
            difference_cell(answer.pairs.difference[index], interval[index], width),
            *limit_cells(interval[index], width),
            pvalue_cell(answer.pairs.pvalue[index], answer.alpha, answer.pairs[index].simulated),
            pvalue_cell(answer.adjusted[index], answer.alpha, None if simulated is None else simulated[index]),
        ]
        for index, ((a, b), better) in enumerate(zip(answer.names, answer.better, strict=True))
    ]
    different = sum(better is not None for better in answer.better)
    kind = "simultaneous" if interval.method == "max-t" else "individual (unadjusted)"
    note = (
        f"{different} of {len(answer.names)} pairs are significantly different: {test_text(answer)}."
        f" Intervals are {kind}: {interval_note(interval, evidence)}"
    )
    return Table.of("Pairs in numbers", head, rows, note=note)
