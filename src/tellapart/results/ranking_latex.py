"""The LaTeX table of a ranking: a line for each model, with its ranks, metric, interval, distance and p-value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..figures import level_text, short_names
from .latex_layout import alpha_text, capitalized, metric_head, metric_title, number, prose, value_cell, write_table
from .narrate import is_over_data_sets
from .ranking_text import (
    behind_text,
    distance_behind,
    gap_scale,
    level_of_pairs,
    level_scale,
    pair_certainty_text,
    pairs_with,
    pvalue_head,
    rank_text,
    ranks_of,
    test_name,
    verdict,
)
from .wording import data_text, interval_limits, with_cautions

if TYPE_CHECKING:
    from .leaderboard import Leaderboard
    from .ranking import Ranking

_HEADS = {"adj. p": "Adjusted $p$", "p": "$p$", "P(behind)": "$P$(behind)"}


def write_latex(answer: Ranking) -> str:
    """Return the table of the scores for learners over data sets, else of the models."""
    if is_over_data_sets(answer.evidence):
        from .score_latex import table_of_ranking

        return table_of_ranking(answer)
    return _table_of_models(answer)


def latex_pvalue_head(answer: Ranking) -> str:
    """Return the head of the p-values: "Adjusted $p$", "$p$"."""
    return _HEADS[pvalue_head(answer)]


def _table_of_models(answer: Ranking) -> str:
    """Return a line for each model, the best first."""
    evidence, order, short = answer.evidence, answer.in_order(), short_names(answer.models)
    reference = answer.control or order[0]
    pairs, ranks, own = pairs_with(answer, reference), ranks_of(answer), answer.note("own_intervals")
    scale, gap = level_scale(answer), gap_scale(answer)
    unit = "pp" if gap.kind == "points" else ""
    ranked = answer.control is None
    head = [*(["Rank"] if ranked else []), capitalized(answer.noun), metric_head(evidence)]
    if own is None:
        head.append(f"Behind {prose(short[reference])} ({f'{unit}, ' * bool(unit)}{prose(level_of_pairs(answer))} CI)")
    else:
        head += [f"{prose(level_text(own.alpha))} CI", f"Behind by{f' ({unit})' * bool(unit)}"]
    lines = []
    for name in order:
        index, pair = answer.models.index(name), pairs.get(name)
        line = [*([rank_text(ranks[name]).replace("-", "--")] if ranked else []), prose(short[name])]
        line.append(value_cell(scale, float(evidence.metric.report_value(evidence.levels[index]))))
        if own is not None:
            line.append(number(scale.range(*interval_limits(evidence, own[index]))))
        if pair is None:
            line += ["", ""]
        else:
            distance = behind_text(answer, *pair, gap, unit=False) if own is None else None
            line.append(value_cell(gap, distance_behind(answer, *pair)[0]) if distance is None else number(distance))
            line.append(number(pair_certainty_text(answer, *pair)))
        lines.append(line)
    several = len(answer.models)
    data = data_text(evidence, answer.excluded, answer.note("effective_size", math.nan))
    caption = [
        f"{prose(metric_title(evidence.metric))} of {several} {answer.noun}s, {prose(data)}.",
        prose(with_cautions(verdict(answer), answer.checks)),
        f"({prose(test_name(answer, cited=False))}, {alpha_text(answer.alpha)}).",
    ]
    if own is not None:
        title = prose(own.title or own.method)
        caption.append(f"{prose(level_text(own.alpha))} CI: {title}, one {answer.noun} at a time.")
    return write_table(
        caption, [*head, latex_pvalue_head(answer)], lines, align="l" * (1 + ranked) + "c" * (len(head) - ranked)
    )


def write_leaderboard(board: Leaderboard) -> str:
    """Return the table of a leaderboard: ranks, metric, interval, and the letters of ties."""
    metric, short, interval = board.evidence.rank_metric, short_names(board.models), board.interval
    unit = r" (\%)" if board.scale.kind == "percent" else ""
    head = ["Rank", capitalized(board.noun), f"{prose(metric_title(metric))}{unit}"]
    head += [] if interval is None else [f"{prose(level_text(interval.alpha))} CI"]
    lines = []
    for index, name in enumerate(board.models):
        line = [board.rank_text(index).replace("-", "--"), prose(short[name])]
        line.append(value_cell(board.scale, float(metric.report_value(board.levels[index]))))
        if interval is not None:
            line.append(number(board.scale.range(*interval_limits(board.evidence, interval[index]))))
        lines.append([*line, board.letters[index]])
    caption = [
        f"{prose(capitalized(board.data))}.",
        prose(board.headline),
        f"({prose(board.rule)}). Models that share a letter are tied.",
    ]
    return write_table(caption, [*head, "Tied"], lines, align="ll" + "c" * (len(head) - 1))
