"""Learners over several data sets: ranking, pairs, scores, and the population of data sets."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ...evidence import ScoreTable
from ...methods import Offer, look_up
from ...rendering import significant
from ...results import Comparison, Ranking
from ...results.power_projection import PowerProjection
from ...results.ranking_text import test_text
from ..blocks import Block, Cell, Facts, Figure, Section, Table, Text
from ..method_titles import interval_note, method_title
from ..picture import Picture
from .calibrations import calibration_sections
from .cells import difference_cell, difference_heads, limit_cells, median_width, number_cell, pvalue_cell
from .checks_and_sources import checks_section, sources_section
from .classes_and_curves import kind_of
from .comparisons import difference_section
from .headline import answer_section
from .methods_and_references import card_sections, methods_section, paper_section
from .page_context import PageContext
from .reproduction import reproduce_section

_PROBABLE = 20  # learners up to which the probability of each pair is computed
_DRAWS = 4000  # for each of these


def score_table_sections(answer: Comparison | Ranking, context: PageContext) -> Iterator[Section]:
    """Return all sections about learners over many data sets."""
    table: ScoreTable = answer.evidence  # type: ignore[assignment]  # the caller has looked at its unit
    if isinstance(answer, Ranking):
        yield answer_section(answer)
        yield _ranks_section(answer)
        yield _pairs_section(answer)
        yield from _probability_sections(answer)
    else:
        yield answer_section(answer)
        yield difference_section(answer)
        yield _by_data_set_section(answer)
        yield from _triangle_sections(answer)
    yield _scores_section(table)
    yield from _outlook_sections(answer.note("power"))
    yield checks_section(answer.checks)
    yield sources_section(answer)
    yield _population_section(table)
    yield from calibration_sections(context)
    yield methods_section(answer, _methods_of(answer))
    yield from card_sections(_methods_of(answer))
    yield paper_section(answer)
    yield reproduce_section(answer, context, {kind_of(table): table})


def _methods_of(answer: Comparison | Ranking) -> tuple[Offer | None, ...]:
    """Return the methods of the answer from the registry."""
    several = isinstance(answer, Ranking)
    pairs = answer.pairs if isinstance(answer, Ranking) else answer
    together = look_up(answer.method, "pairs", ScoreTable) if several else None
    return (
        together,
        look_up(answer.method, "test", ScoreTable),
        look_up(pairs.interval.method, "interval", ScoreTable),
    )


# --- Several --------------------------------------------------------------------------------------


def _ranks_section(answer: Ranking) -> Section:
    from ..plots import critical_difference_picture

    blocks: list[Block] = [Figure(picture=critical_difference_picture(answer)), _standings_table(answer)]
    overall = answer.note("overall_tests", {})
    if overall:
        rows = [
            (
                method_title(name, "test", answer.evidence),
                number_cell(float(result.statistic), significant(float(result.statistic), 5)),
                pvalue_cell(result.pvalue, answer.alpha, result.simulated),
            )
            for name, result in overall.items()
        ]
        note = "Null hypothesis: all learners are equal. The pairwise tests do not depend on these tests."
        blocks.append(Table.of("Overall tests", ("test", "statistic", "p"), rows, note=note))
    title = "Ranking" if answer.control is None else f"Comparison with {answer.control}"
    return Section(id="ranking", title=title, blocks=tuple(blocks))


def _standings_table(answer: Ranking) -> Table:
    """Return learners by mean rank, with the mean score and the number of data sets on which each is best."""
    table: Any = answer.evidence
    order = np.argsort(answer.levels, kind="stable")
    cells = table.cells
    best = (cells == np.nanmin(cells, axis=1, keepdims=True)).sum(axis=0)
    means, by, metric = table.levels, _score_factor(table), _name_quantity(table)
    digits = _count_decimals(by * means)
    winners = {}
    if answer.control is not None:
        winners = {b: winner for (_, b), winner in zip(answer.names, answer.better, strict=True)}
    rows = [
        [
            table.learners[index],
            number_cell(answer.levels[index], f"{answer.levels[index]:.2f}"),
            number_cell(means[index], "" if np.isnan(means[index]) else f"{by * means[index]:.{digits}f}"),
            int(best[index]),
            *([answer.letters(table.learners[index])] if answer.control is None else []),
            *([_compare_to_control(answer, table.learners[index], winners)] if answer.control is not None else []),
        ]
        for index in order
    ]
    last = "ties" if answer.control is None else f"different from {answer.control}"
    common = int(table.compared)
    over = f" over the {common} data sets with scores of all" if not table.complete else ""
    note = (
        f"Mean rank: 1 if a learner is best on all data sets; ties share ranks. Mean {metric}{over} is descriptive:"
        " data sets differ in difficulty."
    )
    if answer.control is None:
        note += f" Learners that share a letter are tied: no significant difference ({test_text(answer)})."
    return Table.of("Learners", ("learner", "mean rank", f"mean {metric}", "best on", last), rows, note=note)


def _compare_to_control(answer: Ranking, name: str, winners: dict[str, str | None]) -> str:
    if name == answer.control:
        return "control"
    winner = winners[name]
    return "no" if winner is None else "better" if winner == name else "worse"


def _pairs_section(answer: Ranking) -> Section:
    from ..plots import comparison_matrix_picture

    different = sum(better is not None for better in answer.better)
    count = len(answer.names)
    are = "is" if different == 1 else "are"
    message = f"{different} of {count} pairs {are} significantly different: {test_text(answer)}."
    how = (
        "Each test uses the scores of its two learners only. Mean ranks give the order; their differences depend on"
        " which other learners were compared."
    )
    if look_up(answer.pairs.method, "pairs", ScoreTable, elsewhere=False) is not None:
        how = (
            "The tests use ranks among all learners, so the result for a pair depends on the other learners in the"
            " table. For tests that use two learners only: method='wilcoxon-signed-rank'."
        )
    blocks = (Text(paragraphs=(message, how)), Figure(picture=comparison_matrix_picture(answer)), _pairs_table(answer))
    return Section(id="pairs", title="Pairwise differences", blocks=blocks)


def _pairs_table(answer: Ranking) -> Table:
    pairs, effects, table = answer.pairs, answer.note("effect_sizes"), answer.evidence
    interval, spread = pairs.interval, median_width(pairs.interval)
    discordant = "B − A" if table.metric.higher_is_better else "A − B"
    practical = pairs.practical
    likely = ("P(A better)", *(("P(equal)",) if practical.rope else ()), "P(B better)") if practical else ()
    adjusted_pvalue = answer.adjustment.method != "none"
    heads = (
        *(
            "A",
            "B",
            "better",
            *difference_heads(discordant, interval),
            "p",
            *(("adjusted p",) if adjusted_pvalue else ()),
        ),
        *("W/T/L of A", "rank-biserial", *likely),
    )
    rows = []
    for index, ((a, b), better) in enumerate(zip(answer.names, answer.better, strict=True)):
        own = effects[index]
        shares: list[Any] = []
        if practical is not None:
            shares = [practical.a_better[index], practical.equivalent[index], practical.b_better[index]]
            shares = [number_cell(share, significant(float(share))) for share in shares]
            shares = shares if practical.rope else [shares[0], shares[2]]
        pvalues = [
            pvalue_cell(value[index], answer.alpha, None if drawn is None else drawn[index])
            for value, drawn in [
                (pairs.pvalue, pairs.simulated),
                *([(answer.adjusted, pairs.adjusted_simulated)] if adjusted_pvalue else []),
            ]
        ]
        rows.append(
            [
                *(a, b, better or ""),
                difference_cell(pairs.difference[index], interval[index], spread),
                *limit_cells(interval[index], spread),
                *pvalues,
                Cell(f"{int(own.a_wins)}/{int(own.ties)}/{int(own.b_wins)}", float(own.a_wins)),
                number_cell(own.rank_biserial, f"{float(own.rank_biserial):.2f}"),
                *shares,
            ]
        )
    within = f" Ties: within {effects.rope:g}." if effects.rope else ""
    note = (
        f"Difference: typical difference of the scores. Individual (unadjusted) intervals:"
        f" {interval_note(interval, pairs.evidence)} Rank-biserial: −1 if A wins on all data sets, 1 if B does.{within}"
        f" p: {test_text(answer)}."
    )
    return Table.of("Pairs in numbers", heads, rows, note=note)


def _probability_sections(answer: Ranking) -> Iterator[Section]:
    """Yield the posterior probabilities of all pairs; nothing for very many learners."""
    from ..plots import pairwise_probabilities_picture

    if len(answer.models) > _PROBABLE:
        return
    rope = 0.0 if answer.pairs.practical is None else answer.pairs.practical.rope
    options = {"method": answer.method} if answer.method == "bayesian-sign" else {}
    picture = pairwise_probabilities_picture(answer, rope=rope, resamples=_DRAWS, **options)
    message = (
        "Posterior probabilities that the learner of the row is better, with a weak prior; not adjusted for the number"
        " of pairs. A p-value is not such a probability."
    )
    blocks = (Text(paragraphs=(message,)), Figure(picture=picture))
    yield Section(id="probabilities", title="Posterior probabilities", blocks=blocks, folded=True)


# --- Two ------------------------------------------------------------------------------------------


def _by_data_set_section(answer: Comparison) -> Section:
    from ..plots import dataset_differences_picture

    blocks: list[Block] = []
    if answer.evidence.compared:  # type: ignore[attr-defined]  # a table of scores; with nothing in common, no picture
        blocks.append(Figure(picture=dataset_differences_picture(answer)))
    effects, (a, b) = answer.note("effect_sizes"), answer.evidence.models
    if effects is not None:
        within = f" (within {effects.rope:g})" if effects.rope else ""
        row = (
            int(effects.a_wins), int(effects.ties), int(effects.b_wins),
            number_cell(effects.superiority, f"{float(effects.superiority):.3f}"),
            number_cell(effects.rank_biserial, f"{float(effects.rank_biserial):.3f}"),
            number_cell(effects.typical, significant(_score_factor(answer.evidence) * float(effects.typical))),
        )  # fmt: skip
        unit = " (pp)" if _score_factor(answer.evidence) == 100 else ""
        head = (f"{a} wins", f"ties{within}", f"{b} wins", "superiority", "rank-biserial", f"typical difference{unit}")
        note = (
            f"Superiority: share of data sets on which {b} wins, ties count half. Rank-biserial: −1 if {a} wins on all"
            f" data sets, 1 if {b} does. Typical difference: pseudomedian; positive if {b} is better."
        )
        blocks.append(Table.of("Wins and effect sizes", head, [row], note=note))
    return Section(id="datasets", title="Differences by data set", blocks=tuple(blocks))


def _triangle_sections(answer: Comparison) -> Iterator[Section]:
    """Yield the posterior triangle if there is a region of practical equivalence."""
    practical = answer.practical
    if practical is None or not practical.rope:
        return
    from ..plots import posterior_triangle_picture

    picture: Picture = posterior_triangle_picture(answer)
    yield Section(id="triangle", title="Practical equivalence", blocks=(Figure(picture=picture),))


# --- The scores -----------------------------------------------------------------------------------


def _scores_section(table: ScoreTable) -> Section:
    """Return the scores by data set, the best of each in bold."""
    values = _score_factor(table) * table.metric.from_loss(table.cells)
    digits = _count_decimals(values)
    best = table.cells == np.nanmin(np.where(table.known, table.cells, np.inf), axis=1, keepdims=True)
    rows = [
        [name, *(_score_cell(float(value), digits, strong=bool(top)) for value, top in zip(row, tops, strict=True))]
        for name, row, tops in zip(table.datasets, values, best, strict=True)
    ]
    runs = table.loss.shape[-1]
    better = "higher" if table.metric.higher_is_better else "lower"
    note = (
        f"{_name_quantity(table, upper=True)}, {better} is better; the best of each"
        f" data set is bold{'; means over runs' if runs > 1 else ''}{table.gaps}."
    )
    made = Table.of("Scores", ("data set", *table.learners), rows, note=note)
    made = replace(made, numeric=frozenset(range(1, 1 + len(table.learners))))  # also with missing scores
    return Section(id="scores", title="Scores", blocks=(made,), folded=True)


def _score_cell(value: float, digits: int, *, strong: bool) -> Cell:
    return Cell("missing") if math.isnan(value) else Cell(f"{value:.{digits}f}", value, strong=strong)


def _count_decimals(values: Any) -> int:
    """Return the fewest decimals that show all values, or as many as give the largest value four digits."""
    known = np.asarray(values, dtype=float)
    known = known[np.isfinite(known)]
    largest = float(np.abs(known).max(initial=0.0))
    most = 4 if not largest else int(np.clip(4 - math.ceil(math.log10(largest)), 0, 12))
    return next((d for d in range(most) if np.allclose(known, known.round(d), rtol=0, atol=1e-9 * largest)), most)


def _score_factor(table: Any) -> float:
    return 100.0 if table.metric.is_rate else 1.0


def _name_quantity(table: ScoreTable, *, upper: bool = False) -> str:
    name = "error rate (%)" if table.metric.is_rate else table.metric.title
    return f"{name[:1].upper()}{name[1:]}" if upper else name


# --- Power, and the population of data sets -------------------------------------------------------


def _outlook_sections(outlook: PowerProjection | None) -> Iterator[Section]:
    """Yield the power by the number of data sets for a difference that was specified; nothing if none was."""
    if outlook is None:
        return
    message = (
        f"Power {outlook.words.rstrip('.')}. It is the power for the specified difference; power at the observed"
        " difference would only restate the p-value."
    )
    blocks: list[Block] = [Text(paragraphs=(message,))]
    if outlook.curve:
        rows = [(count, number_cell(power, significant(power, 3))) for count, power in outlook.curve]
        note = f"{outlook.resamples:,} resamples of these data sets, shifted to the specified difference."
        blocks.append(Table.of("Power", ("data sets", "power"), rows, note=note))
    yield Section(id="outlook", title="Power by the number of data sets", blocks=tuple(blocks))


def _population_section(table: ScoreTable) -> Section:
    count = len(table.datasets)
    facts = (
        ("weights", f"each of the {count} data sets counts once, whatever its number of examples"),
        (
            "applies to",
            "the next data set of this kind, with learners trained and tested as here; for one particular data set,"
            " compare the learners on its own splits",
        ),
        (
            "assumes",
            "data sets like a random sample of the population. Benchmark collections seldom are; several versions or"
            " parts of one data set are correlated, but count as several",
        ),
        (
            "not checked",
            "learners tuned on these data sets, and data sets excluded because of their results: both bias the"
            " comparison",
        ),
    )
    return Section(id="population", title="Population of data sets", blocks=(Facts(rows=facts),))
