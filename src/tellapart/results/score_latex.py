r"""The LaTeX table of scores: a line for each data set, a column for each learner, and the comparison in the foot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from ..figures import Scale, count_text, scale_of, short_names
from ..typing_ import FloatArray
from .comparison_latex import caption_of_two
from .latex_layout import MISSING, alpha_text, bold, metric_head, number, prose, value_cell, write_table
from .oriented import leading_position, orient
from .ranking_latex import latex_pvalue_head
from .ranking_text import level_scale, pair_certainty_text, pairs_with, test_name, wins_text

if TYPE_CHECKING:
    from ..evidence import ScoreTable
    from .comparison import Comparison
    from .ranking import Ranking

_WORSE, _BETTER = r"$^\dagger$", r"$^\ddagger$"


def table_of_ranking(answer: Ranking) -> str:
    """Return the scores of learners by mean rank; those that differ from the best (or the control) are marked."""
    table, order, short = cast("ScoreTable", answer.evidence), answer.in_order(), short_names(answer.models)
    reference = answer.control or order[0]
    pairs, effects = pairs_with(answer, reference), answer.note("effect_sizes")
    marks = {
        name: _WORSE if answer.better[pair] == reference else _BETTER if answer.better[pair] == name else ""
        for name, (pair, _) in pairs.items()
    }
    scale = _scale_of_scores(table, level_scale(answer))
    foot = _foot_of_means(table, order, scale)
    if effects is not None:
        wins = {name: wins_text(effects[pair], first_is_a=sign == 1) for name, (pair, sign) in pairs.items()}
        foot.append([f"{prose(short[reference])} W/T/L", *(wins.get(name, MISSING) for name in order)])
    pvalues = {name: number(pair_certainty_text(answer, *pair)) for name, pair in pairs.items()}
    foot.append([latex_pvalue_head(answer), *(pvalues.get(name, MISSING) for name in order)])
    caption = [
        _caption_of_scores(table, scale),
        f"{_meaning_of_marks(set(marks.values()), prose(short[reference]))} over the"
        f" {count_text(len(table.datasets), 'data set')}",
        f"({prose(test_name(answer, cited=False))}, {alpha_text(answer.alpha)}).",
    ]
    head = ["", *(f"{prose(short[name])}{marks.get(name, '')}" for name in order)]
    return write_table([*caption, _note_on_missing(table)], head, _lines_of_scores(table, order, scale), foot)


def table_of_two(answer: Comparison) -> str:
    """Return the scores of two learners, the leader first."""
    table, position = cast("ScoreTable", answer.evidence), leading_position(answer)
    order = [table.learners[position], table.learners[1 - position]]
    scale = _scale_of_scores(table, Scale("plain", orient(answer).scale.decimals))
    wins, ties, losses = (int(count) for count in (table.wins if position == 0 else table.wins[::-1]))
    short = short_names(table.learners)
    foot = [
        *_foot_of_means(table, order, scale),
        [f"{prose(short[order[0]])} W/T/L", MISSING, f"{wins}/{ties}/{losses}"],
    ]
    return write_table(
        [_caption_of_scores(table, scale), *caption_of_two(answer), _note_on_missing(table)],
        ["", *(prose(short[name]) for name in order)],
        _lines_of_scores(table, order, scale),
        foot,
    )


# --- The scores -----------------------------------------------------------------------------------------


def _lines_of_scores(table: ScoreTable, order: Sequence[str], scale: Scale) -> list[list[str]]:
    """Return for each data set the mean of each learner, with the SD of its runs; the best mean in bold."""
    positions = [table.learners.index(name) for name in order]
    losses, deviations = table.cells[:, positions], _deviations(table)[:, positions]
    means, names = table.metric.from_loss(losses), short_names(table.datasets)
    lines = []
    for index, name in enumerate(table.datasets):
        best = _best_of(losses[index])
        cells = (_score_cell(scale, *cell) for cell in zip(means[index], deviations[index], best, strict=True))
        lines.append([prose(names[name]), *cells])
    return lines


def _score_cell(scale: Scale, mean: float, deviation: float, best: bool) -> str:
    r"""Return "$\mathbf{87.6} \pm 4.9$"; without runs "\textbf{87.6}"."""
    if math.isnan(mean):
        return MISSING
    text = scale.number(float(mean))
    if math.isnan(deviation):
        return bold(number(text)) if best else number(text)
    shown = rf"\mathbf{{{text}}}" if best else text
    return rf"${shown} \pm {scale.number(float(deviation))}$"


def _foot_of_means(table: ScoreTable, order: Sequence[str], scale: Scale) -> list[list[str]]:
    """Return the means over the data sets and the mean ranks, the best of each in bold."""
    positions = [table.learners.index(name) for name in order]
    losses, ranks = np.asarray(table.losses)[positions], table.mean_ranks[positions]
    return [
        ["Mean", *_with_best_in_bold([value_cell(scale, mean) for mean in table.metric.from_loss(losses)], losses)],
        ["Mean rank", *_with_best_in_bold([f"{rank:.2f}" for rank in ranks], ranks)],
    ]


def _with_best_in_bold(cells: Sequence[str], losses: FloatArray) -> list[str]:
    return [bold(cell) if best else cell for cell, best in zip(cells, _best_of(losses), strict=True)]


def _best_of(losses: FloatArray) -> Any:
    """Return which losses are the smallest; none if all are equal, or fewer than two are known."""
    known = losses[~np.isnan(losses)]
    if known.size < 2 or np.ptp(known) <= _ROUNDING * np.abs(known).max():
        return np.zeros(len(losses), dtype=bool)
    return losses <= known.min() + _ROUNDING * np.abs(known).max()


_ROUNDING = 1e-12  # by which the means of equal scores may differ


def _deviations(table: ScoreTable) -> FloatArray:
    """Return the SD of the runs (n − 1 in the denominator), by data set and learner; NaN for fewer than two runs."""
    count = np.count_nonzero(~np.isnan(table.loss), axis=-1)
    centred = table.loss - np.nansum(table.loss, axis=-1, keepdims=True) / np.maximum(count, 1)[..., None]
    squares = np.nansum(centred**2, axis=-1)
    deviations: FloatArray = np.sqrt(np.divide(squares, count - 1, where=count > 1, out=np.full(count.shape, np.nan)))
    return deviations.T


def _scale_of_scores(table: ScoreTable, scale: Scale) -> Scale:
    """Return the scale of the scores: a proportion in percent; with the decimals that the typical SD earns.

    Without runs they have the decimals of `scale`, which is that of the answer.
    """
    known = table.loss[~np.isnan(table.loss)]
    kind: Literal["percent", "plain"] = (
        "percent" if table.metric.is_percentage and (np.abs(known) <= 1).all() else "plain"
    )
    deviations = _deviations(table)
    deviations = deviations[deviations > 0]  # NaN is not
    if deviations.size:
        return scale_of(kind, float(np.median(deviations)))
    return Scale(kind, max(1, scale.decimals - 2) if kind == "percent" else scale.decimals)


# --- The caption ----------------------------------------------------------------------------------------


def _caption_of_scores(table: ScoreTable, scale: Scale) -> str:
    r"""Return metric, unit and cell content: "Accuracy (\%), mean $\pm$ SD of 10 runs. Bold: best mean."."""
    title = metric_head(table, "%" if scale.kind == "percent" else "")
    direction = "" if table.metric.report_higher_is_better else ", lower is better"
    most = table.loss.shape[-1]
    if most == 1:
        return f"{title}{direction}. Bold: best."
    few = "" if table.complete and not np.isnan(table.loss).any() else "up to "
    return rf"{title}{direction}, mean $\pm$ SD of {few}{most} runs. Bold: best mean."


def _meaning_of_marks(marks: set[str], reference: str) -> str:
    """Return what the marks mean, as the beginning of a sentence."""
    if marks >= {_WORSE, _BETTER}:
        return f"{_WORSE}: worse, {_BETTER}: better than {reference}"
    if _WORSE in marks:
        return f"{_WORSE}: worse than {reference}"
    if _BETTER in marks:
        return f"{_BETTER}: better than {reference}"
    return f"None is significantly different from {reference}"


def _note_on_missing(table: ScoreTable) -> str:
    """Return over which data sets the means are, if scores are missing."""
    if table.complete:
        return ""
    return f"{MISSING}: no score; means over the {count_text(int(table.compared), 'data set')} with all scores."
