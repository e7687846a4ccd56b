"""Pictures of all pairs of learners over many data sets: probability of being better, and difference.

Both show learners in the order of their mean ranks, best first, a row and a column each.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...evidence import ScoreTable, is_one
from ...figures import precise_pvalue_text as pvalue_text
from ...results import Ranking
from ...results.ranking_text import test_text
from ...typing_ import FloatArray
from ..picture import Numbers, Picture, drawn
from ..style import MUTED
from .drawable_types import undrawable
from .labels import join_listing, longest_length, typeset, write_at
from .squares import Square, draw_square, mark_cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NUMBERS = 16  # learners up to which probabilities are written
_THREE, _TWO, _ONE = 8, 12, 20  # learners up to which a cell has so many lines


# --- Probabilities --------------------------------------------------------------------------------


def pairwise_probabilities(
    evidence: ScoreTable | Ranking,
    *,
    rope: float = 0.0,
    method: str = "bayesian-signed-rank",
    resamples: int = 10_000,
    rng: Any = 0,
    ax: Axes | None = None,
) -> Axes:
    """Draw the posterior probability that the learner of the row is better than that of the column.

    Up to 16 learners the probabilities are written; with more they are colours. With a `rope`, better means by more
    than that; the rest of the probability is that of practical equivalence.

    Parameters
    ----------
    evidence
        A table of scores, or the result of `compare` for one.
    rope, method, resamples, rng
        As for `pairwise_probabilities` of the package.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> scores = {"svm": [0.9, 0.8, 0.9, 0.7], "nb": [0.8, 0.7, 0.8, 0.6], "tree": [0.7, 0.6, 0.9, 0.5]}
    >>> ta.plots.pairwise_probabilities(ta.ScoreTable.from_scores(scores)).get_title(loc="left")
    'Posterior probabilities of pairs'
    """
    return drawn(pairwise_probabilities_picture(evidence, rope=rope, method=method, resamples=resamples, rng=rng), ax)


def pairwise_probabilities_picture(
    evidence: ScoreTable | Ranking,
    *,
    rope: float = 0.0,
    method: str = "bayesian-signed-rank",
    resamples: int = 10_000,
    rng: Any = 0,
) -> Picture:
    """Return the picture that `pairwise_probabilities` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> scores = {"svm": [0.9, 0.8, 0.9, 0.7], "nb": [0.8, 0.7, 0.8, 0.6], "tree": [0.7, 0.6, 0.9, 0.5]}
    >>> picture = pairwise_probabilities_picture(ta.ScoreTable.from_scores(scores))
    >>> [row[:2] for row in picture.numbers.rows[:2]]
    [('svm', 'nb'), ('svm', 'tree')]
    """
    from ...methods.score_table.bayesian import pairwise_probabilities as probabilities_of

    table = _collect_table(evidence)
    order = np.argsort(table.mean_ranks, kind="stable")
    names = [table.learners[index] for index in order]
    result = probabilities_of(table.select(*names), rope=rope, method=method, resamples=resamples, rng=rng)
    within, pairs = f" by more than {rope:g}" if rope else "", _list_pairs(names)
    square = Square(
        names=names,
        shares=2 * result - 1 if not rope else result - result.T,
        lines=1 if len(names) <= _NUMBERS else 0,
        ends=("column better", "even", "row better"),
        note=f"probability that the row is better{within}\n({method}, {len(table.datasets)} data sets)",
    )
    likely = sorted(pairs, key=lambda pair: -result[pair])
    text = join_listing(
        f"{names[row]} over {names[column]} {_format_share(result[row, column])}" for row, column in likely
    )
    return Picture(
        title="Posterior probabilities of pairs",
        alt=(
            f"Posterior probability that the learner of the row is better{within} than that of the column, {len(names)}"
            f" learners, {method}: {text}."
        ),
        numbers=Numbers(
            head=("row", "column", "P(row better)", "P(column better)"),
            rows=tuple(
                (names[row], names[column], float(result[row, column]), float(result[column, row]))
                for row, column in pairs
            ),
        ),
        draw=lambda axes: _draw_probabilities(axes, square, result),
        size=(square.width, square.height),
    )


def _format_share(share: float) -> str:
    """Write a probability in two digits, and in more only to keep it from 0 and 1."""
    if not 0.005 <= share < 0.995 and 0 < share < 1:
        return "<.01" if share < 0.5 else ">.99"
    return f"{share:.2f}"


def _draw_probabilities(axes: Axes, square: Square, result: FloatArray) -> None:
    draw_square(axes, square)
    if not square.lines:
        return
    size = min(9.0, square.cell[0] / 2.6)
    for (row, column), share in np.ndenumerate(result):
        if not np.isnan(share):
            write_at(axes, (column + 0.5, row + 0.5), _format_share(float(share)), ha="center", fontsize=size)


# --- The matrix of comparisons --------------------------------------------------------------------


def comparison_matrix(ranking: Ranking, *, ax: Axes | None = None) -> Axes:
    """Draw every pair of learners in a cell: difference in favour of the row, wins, ties, losses and p-value.

    A cell depends on its two learners only, except for the p-value, which is adjusted for the number of comparisons.
    Significant pairs are bold. With more than 8 learners cells have fewer lines, with more than 20 only a colour, and a
    dot if significant. After the multi-comparison matrix of Ismail-Fawaz and
    others.

    Parameters
    ----------
    ranking
        What `compare` said of several learners over many data sets.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> scores = {"svm": [0.9, 0.8, 0.9, 0.7], "nb": [0.8, 0.7, 0.8, 0.6], "tree": [0.7, 0.6, 0.9, 0.5]}
    >>> comparison_matrix(ta.compare(ta.ScoreTable.from_scores(scores))).get_title(loc="left")
    'Pairwise comparison matrix'
    """
    return drawn(comparison_matrix_picture(ranking), ax)


def comparison_matrix_picture(ranking: Ranking) -> Picture:
    """Return the picture that `comparison_matrix` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> scores = {"svm": [0.9, 0.8, 0.9, 0.7], "nb": [0.8, 0.7, 0.8, 0.6], "tree": [0.7, 0.6, 0.9, 0.5]}
    >>> comparison_matrix_picture(ta.compare(ta.ScoreTable.from_scores(scores))).numbers.rows[0][:6]
    ('svm', 'nb', 0.1, 4, 0, 0)
    """
    if not isinstance(ranking, Ranking) or ranking.evidence.unit.name != "data set":
        raise undrawable("ranking", ranking, "the result of compare(...) for a ScoreTable")
    table: Any = ranking.evidence
    names = [table.learners[index] for index in np.argsort(table.mean_ranks, kind="stable")]
    many, cells = len(names), _list_cells(ranking, names)
    sizes = np.array([[cells[row, column].mean if row != column else np.nan for column in range(many)]
                      for row in range(many)])  # fmt: skip
    largest = float(np.nanmax(np.abs(sizes), initial=0.0))
    unit = " in pp" if table.metric.is_rate else f" ({table.metric.title})"
    square = Square(
        names=names,
        shares=sizes / (largest or 1.0),
        lines=_collect_lines(many),
        ends=("column better", "0", f"row better by {_figure_size(ranking, largest, largest).lstrip('+')}"),
        note=_format_power(ranking, _collect_lines(many), unit),
    )
    return Picture(
        title="Pairwise comparison matrix",
        alt=_describe_picture(ranking, names, cells),
        numbers=Numbers(
            head=("row", "column", "mean difference", "row wins", "ties", "column wins", "adjusted p-value", "better"),
            rows=tuple(
                (names[row], names[column], each.mean, each.wins, each.ties, each.losses, each.pvalue, each.better)
                for row, column in _list_pairs(names)
                for each in (cells[row, column],)
            ),
        ),
        draw=lambda axes: _draw_matrix(axes, ranking, square, cells, largest),
        size=(square.width, square.height),
    )


def _collect_lines(many: int) -> int:
    """Return how many lines a cell has room for."""
    return 3 if many <= _THREE else 2 if many <= _TWO else 1 if many <= _ONE else 0


class _Cell(NamedTuple):
    """A pair from the side of the row; a pair that was not compared has no p-value."""

    mean: float
    wins: int
    ties: int
    losses: int
    pvalue: float | None
    better: str | None
    bound: bool = False  # whether the p-value is the least that its draws can give


def _list_cells(ranking: Ranking, names: list[str]) -> dict[tuple[int, int], _Cell]:
    """Return every pair twice, by the places of row and column; with a control, p-values of its pairs alone."""
    table: Any = ranking.evidence
    every, index = table.pairs(), {name: index for index, name in enumerate(names)}
    figures = zip(table.pair_names(), np.atleast_1d(every.difference), *map(np.atleast_1d, every.wins), strict=True)
    drawn = ranking.pairs.adjusted_simulated
    bounds = np.zeros(len(ranking.names), dtype=bool) if drawn is None else drawn.bounds(ranking.adjusted)
    known = {
        frozenset(pair): (float(pvalue), better, bool(bound))
        for pair, pvalue, better, bound in zip(ranking.names, ranking.adjusted, ranking.better, bounds, strict=True)
    }
    result = {}
    for (a, b), mean, a_wins, ties, b_wins in figures:
        decided = known.get(frozenset((a, b)), (None, None, False))
        row, column = index[a], index[b]
        result[column, row] = _Cell(float(mean), int(b_wins), int(ties), int(a_wins), *decided)
        result[row, column] = _Cell(-float(mean) + 0.0, int(a_wins), int(ties), int(b_wins), *decided)
    return result


def _format_power(ranking: Ranking, lines: int, unit: str) -> str:
    """Return what the cells show, in short lines."""
    every = (f"mean difference{unit}", "wins/ties/losses of the row", "p")
    inside = f"cells: {'; '.join(every[:lines])}\nbold" if lines else f"colour: {every[0]}\ndots"
    return f"{inside}: significant\n{test_text(ranking)}"


def _figure_size(ranking: Ranking, value: float, largest: float, digits: int = 3) -> str:
    """Write a difference in as many places as give the largest of them so many digits; never as a power of ten."""
    by = 100.0 if ranking.evidence.metric.is_rate else 1.0
    places = digits - 1 - math.floor(math.log10(by * largest)) if largest > 0 else 2
    text = f"{by * value:+.{min(max(places, 0), 6)}f}"
    return typeset(text if float(text) else text[1:])


def _draw_matrix(
    axes: Axes, ranking: Ranking, square: Square, cells: dict[tuple[int, int], _Cell], most: float
) -> None:
    draw_square(axes, square)
    if not square.lines:
        mark_cells(axes, square, [index for index, cell in cells.items() if cell.better is not None])
        return
    texts = {index: _write_texts(ranking, cell, most, square.lines) for index, cell in cells.items()}
    size = min(8.5, square.cell[0] / (0.7 * longest_length(text for each in texts.values() for text in each)))
    for (row, column), each in texts.items():
        bold = "bold" if cells[row, column].better is not None else "normal"
        for line, text in enumerate(each):
            by = (0, 10.0 * ((len(each) - 1) / 2 - line))
            write_at(axes, (column + 0.5, row + 0.5), text, by=by, ha="center", fontsize=size, fontweight=bold)
    for index in range(len(square.names)):
        write_at(axes, (index + 0.5, index + 0.5), "–", ha="center", color=MUTED)


def _write_texts(ranking: Ranking, cell: _Cell, most: float, lines: int) -> list[str]:
    """Return the lines of a cell; a small cell has a short first line."""
    size = "none" if math.isnan(cell.mean) else _figure_size(ranking, cell.mean, most, 3 if lines > 1 else 2)
    if lines == 1:
        return [size.replace("0.", ".", 1) if size[1:].startswith("0.") else size]
    pvalue = "" if cell.pvalue is None else _deciding_pvalue(cell.pvalue, ranking.alpha, bound=cell.bound)
    return [size, f"{cell.wins}/{cell.ties}/{cell.losses}", pvalue][:lines]


def _deciding_pvalue(pvalue: float, alpha: float, *, bound: bool) -> str:
    """Write a p-value in few signs, on the right side of alpha."""
    if math.isnan(pvalue):
        return ""
    if pvalue < 0.001 <= alpha:
        return "p < .001"
    text = f"{pvalue:.3f}" if pvalue < 0.1 else f"{pvalue:.2f}"
    if (float(text) < alpha) != (pvalue < alpha):
        text = pvalue_text(pvalue, alpha)
    return f"p {'<' if bound else '='} {text[1:] if text.startswith('0.') else text}"


def _describe_picture(ranking: Ranking, names: list[str], cells: dict[tuple[int, int], _Cell]) -> str:
    text = join_listing(
        f"{names[row]} and {names[column]}: {_figure_size(ranking, cell.mean, abs(cell.mean)).replace('−', '-')},"
        f" {cell.wins} wins, {cell.ties} ties, {cell.losses} losses"
        for (row, column), cell in sorted(cells.items())
        if row < column
    )
    significant = sum(winner is not None for winner in ranking.better)
    return (
        f"Mean difference and wins of all pairs of {len(names)} learners; {significant} of {len(ranking.names)} pairs"
        f" significant ({test_text(ranking)}). {text}."
    )


def _list_pairs(names: list[str]) -> list[tuple[int, int]]:
    return [(row, column) for row in range(len(names)) for column in range(row + 1, len(names))]


def _collect_table(evidence: Any) -> ScoreTable:
    """Return a table of scores of two learners or more; raise InvalidOption for anything else."""
    table = evidence.evidence if isinstance(evidence, Ranking) else evidence
    if not is_one(table, ScoreTable) or len(table.learners) < 2:
        raise undrawable(
            "evidence", evidence, "one ScoreTable of two learners or more, or the result of compare(...) for it"
        )
    return table
