"""Several models or learners: who is best, who is not told apart from it, and every pair."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

from ...evidence import ErrorPatterns
from ...methods import Offer, look_up
from ...rendering import pvalue_text, significant
from ...results import Leaderboard, Ranking
from ...results.ranking_clauses import luck_text
from ...results.wording import level_of, written
from ..blocks import Block, Cell, Facts, Figure, Section, Table, Text
from .body import body_sections
from .cells import difference_cell, difference_heads, limit_cells, number_cell, pvalue_cell, spread_of
from .headline import answer_section
from .page_context import PageContext


def ranking_sections(answer: Ranking, context: PageContext) -> Iterator[Section]:
    """Return all sections about several models or learners."""
    yield answer_section(answer)
    yield _leaderboard_section(answer)
    yield _pairs_section(answer)
    yield from body_sections(answer, context, methods_of(answer))


def methods_of(answer: Ranking) -> tuple[Offer | None, ...]:
    """Return the test and the interval of every pair, and what takes all pairs together, as the registry has them."""
    kind = type(answer.pairs.evidence)
    interval = answer.pairs.interval.method
    together = (
        look_up("max-t", "pairs", type(answer.evidence)) if "max-t" in {answer.adjustment.method, interval} else None
    )
    return look_up(answer.method, "test", kind), look_up(interval, "interval", kind), together


# --- The leaderboard ------------------------------------------------------------------------------


def _leaderboard_section(answer: Ranking) -> Section:
    from ..plots import tie_groups_picture

    blocks: list[Block] = [Figure(picture=tie_groups_picture(answer)), _standings_table(answer)]
    facts = []
    omnibus = answer.note("cochran_q")
    if omnibus is not None:
        statistic, pvalue = float(omnibus.statistic), float(omnibus.pvalue)
        text = f"{significant(statistic, 4)} on {len(answer.models) - 1} degrees of freedom"
        facts.append(("Cochran's Q", f"{text}, p = {pvalue_text(pvalue, answer.alpha)}: do the models differ at all?"))
    if answer.note("optimism", 0) > 0:
        facts.append(
            (
                "the winner's luck",
                f"chosen on these very examples, the best looks {luck_text(answer)} better than it is",
            )
        )
    blocks += [Facts(rows=tuple(facts))] if facts else []
    return Section(id="ranking", title="Who is best", blocks=tuple(blocks))


def _standings_table(answer: Ranking) -> Table:
    """Return the leaderboard: best first, with the ranks left open and the letters of the tie groups."""
    board = answer.leaderboard()
    errors = _count_errors(answer.evidence)
    limits = ("from", "to") if board.interval is not None else ()
    head = (board.noun, "rank", *(("errors",) if errors else ()), board.measure, *limits, "letters")
    rows = [
        [
            name,  # what a line is about comes first: it is the line's head
            Cell(board.rank_text(index), float(board.ranks[index][0])),
            *((errors[name],) if errors else ()),
            _level_cell(board, index),
            *(limit_cells(board.interval[index], board.spread) if board.interval is not None else ()),
            board.letters[index],
        ]
        for index, name in enumerate(board.models)
    ]
    note = board.note
    if board.interval is not None:
        note += f" Limits of each by itself: {board.interval.kind_text()}; to tell two apart, see the pairs."
    return Table.of("The leaderboard", head, rows, note=note)


@singledispatch
def _count_errors(_: Any) -> dict[str, int]:
    """Return the errors of each model, where models were counted; nothing for other evidence."""
    return {}


@_count_errors.register
def _count_errors_of_patterns(patterns: ErrorPatterns) -> dict[str, int]:
    return dict(zip(patterns.models, patterns.error_counts.errors.tolist(), strict=True))


def _level_cell(board: Leaderboard, index: int) -> Cell:
    level = float(board.levels[index])
    return number_cell(level, written(level, board.spread, board.metric))


# --- Every pair -----------------------------------------------------------------------------------


def _pairs_section(answer: Ranking) -> Section:
    from ..plots import forest_picture

    text = sum(better is not None for better in answer.better)
    is_ = "is" if text == 1 else "are"
    message = f"{text} of {len(answer.names)} pairs {is_} told apart." if len(answer.names) > 1 else ""
    blocks: tuple[Block, ...] = (Figure(picture=forest_picture(answer)), _pairs_table(answer))
    return Section(
        id="pairs", title="Every pair", blocks=(*((Text(paragraphs=(message,)),) if message else ()), *blocks)
    )


def _pairs_table(answer: Ranking) -> Table:
    interval = answer.pairs.interval
    spread, drawn = spread_of(interval), answer.pairs.adjusted_simulated
    discordant = "B − A" if level_of(answer.evidence) == "highest" else "A − B"  # what is above 0 speaks for B
    head = ("A", "B", "better", *difference_heads(discordant, interval), "p", "adjusted p")
    rows = [
        [
            a,
            b,
            better or "",
            difference_cell(answer.pairs.difference[index], interval[index], spread),
            *limit_cells(interval[index], spread),
            pvalue_cell(answer.pairs.pvalue[index], answer.alpha, answer.pairs[index].simulated),
            pvalue_cell(answer.adjusted[index], answer.alpha, None if drawn is None else drawn[index]),
        ]
        for index, ((a, b), better) in enumerate(zip(answer.names, answer.better, strict=True))
    ]
    evidence = "all together" if interval.method == "max-t" else "each by itself"
    note = (
        f"{answer.method}, adjusted by {answer.adjustment.method}, alpha = {answer.alpha:g};"
        f" limits: {interval.kind_text()}, {evidence}. The adjusted p-value decides."
    )
    return Table.of("Every pair in figures", head, rows, note=note)
