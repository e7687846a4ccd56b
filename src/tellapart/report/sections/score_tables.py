"""Learners over many data sets: two of them or several, the scores behind it, and what "over these data sets" means."""

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
from ...results.outlook import Outlook
from ...results.ranking_clauses import state_rule
from ..blocks import Block, Cell, Facts, Figure, Section, Table, Text
from ..picture import Picture
from .calibrations import calibration_sections
from .cells import difference_cell, difference_heads, limit_cells, number_cell, pvalue_cell, spread_of
from .checks_and_sources import check_section, limits_section
from .classes_and_curves import kind_of
from .comparisons import difference_section
from .headline import answer_section
from .methods_and_references import alternatives_section, card_sections, paper_section
from .page_context import PageContext
from .reproduction import reproduce_section

_PROBABLE = 20  # learners of which every two get a probability
_DRAWS = 4000  # for each of these


def score_table_sections(answer: Comparison | Ranking, context: PageContext) -> Iterator[Section]:
    """Return all sections about learners over many data sets."""
    table: ScoreTable = answer.evidence  # type: ignore[assignment]  # this is what brought us here
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
    yield _meaning_section(table)
    yield from card_sections(_methods_of(answer))
    yield from calibration_sections(context)
    yield check_section(answer.checks)
    yield limits_section(answer)
    yield alternatives_section(answer)
    yield paper_section(answer)
    yield reproduce_section(answer, context, {kind_of(table): table})


def _methods_of(answer: Comparison | Ranking) -> tuple[Offer | None, ...]:
    """Return the methods that answered, as the registry has them."""
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
            (name, number_cell(float(result.statistic), significant(float(result.statistic), 5)),
             pvalue_cell(result.pvalue, answer.alpha, result.simulated))
            for name, result in overall.items()
        ]  # fmt: skip
        note = "Whether any two differ at all. It does not say which, and no pair below needs it to be told apart."
        blocks.append(Table.of("All learners at once", ("test", "statistic", "p"), rows, note=note))
    title = "Who is best" if answer.control is None else f"Beside {answer.control}"
    return Section(id="ranking", title=title, blocks=tuple(blocks))


def _standings_table(answer: Ranking) -> Table:
    """Return learners by their mean rank, with their mean score and how often each is best."""
    table: Any = answer.evidence
    order = np.argsort(answer.levels, kind="stable")
    cells = table.cells
    best = (cells == np.nanmin(cells, axis=1, keepdims=True)).sum(axis=0)
    means, by, what = table.levels, _score_factor(table), _name_quantity(table)
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
    last = "letters" if answer.control is None else f"told apart from {answer.control}"
    common = int(table.compared)
    over = f" over the {common} data sets that all have a score on" if not table.complete else ""
    note = (
        f"Mean rank: 1 for a learner that is the best everywhere; ties share their ranks. Mean {what}{over}: data sets"
        " differ in difficulty, so it decides nothing here."
    )
    if answer.control is None:
        note += (
            f" Learners that share a letter are not told apart ({state_rule(answer)}), which does not make them equal."
        )
    return Table.of("The learners", ("learner", "mean rank", f"mean {what}", "best on", last), rows, note=note)


def _compare_to_control(answer: Ranking, name: str, winners: dict[str, str | None]) -> str:
    if name == answer.control:
        return "the control"
    winner = winners[name]
    return "no" if winner is None else "yes, better" if winner == name else "yes, worse"


def _pairs_section(answer: Ranking) -> Section:
    from ..plots import comparison_matrix_picture

    text = sum(better is not None for better in answer.better)
    count = len(answer.names)
    message = f"{text} of {count} pairs {'is' if text == 1 else 'are'} told apart ({state_rule(answer)})."
    how = (
        "Each pair is judged by its own two columns of scores. Mean ranks are for the order alone: how far two of them"
        " are apart depends on who else was compared."
    )
    if look_up(answer.pairs.method, "pairs", ScoreTable, elsewhere=False) is not None:
        how = (
            "Pairs are judged by their ranks among all learners, so that the verdict on two of them depends on who else"
            " is in the table. Pairwise tests look at the two alone: method='wilcoxon-signed-rank'."
        )
    blocks = (Text(paragraphs=(message, how)), Figure(picture=comparison_matrix_picture(answer)), _pairs_table(answer))
    return Section(id="pairs", title="Every pair", blocks=blocks)


def _pairs_table(answer: Ranking) -> Table:
    pairs, effects, table = answer.pairs, answer.note("effect_sizes"), answer.evidence
    interval, spread = pairs.interval, spread_of(pairs.interval)
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
        *("A wins", "ties", "B wins", "rank-biserial", *likely),
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
                *(int(own.a_wins), int(own.ties), int(own.b_wins)),
                number_cell(own.rank_biserial, f"{float(own.rank_biserial):.2f}"),
                *shares,
            ]
        )
    within = f" Ties: within {effects.rope:g}." if effects.rope else ""
    note = (
        f"Difference: of the scores, typical over the data sets; limits: {interval.kind_text()}, each by itself."
        f" Rank-biserial: from −1 (A wins everywhere) to 1 (B does).{within} p: {state_rule(answer)}."
    )
    return Table.of("Every pair in figures", heads, rows, note=note)


def _probability_sections(answer: Ranking) -> Iterator[Section]:
    """Return how probable it is that one of two is better, for every two; nothing for very many learners."""
    from ..plots import pairwise_probabilities_picture

    if len(answer.models) > _PROBABLE:
        return
    rope = 0.0 if answer.pairs.practical is None else answer.pairs.practical.rope
    options = {"method": answer.method} if answer.method == "bayesian-sign" else {}
    picture = pairwise_probabilities_picture(answer, rope=rope, resamples=_DRAWS, **options)
    message = (
        "A p-value does not say how probable it is that one is better; this does, by a prior that says next to"
        " nothing. Many pairs are looked at here, and nothing is adjusted for it."
    )
    blocks = (Text(paragraphs=(message,)), Figure(picture=picture))
    yield Section(id="probabilities", title="How probable it is that one is better", blocks=blocks, folded=True)


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
        unit = " (points)" if _score_factor(answer.evidence) == 100 else ""
        head = (f"{a} wins", f"ties{within}", f"{b} wins", "superiority", "rank-biserial", f"typical difference{unit}")
        note = (
            f"Superiority: the share of data sets on which {b} wins, ties counted half; 0.5 where neither is ahead."
            f" Rank-biserial: from −1 ({a} wins everywhere) to 1 ({b} does). Typical difference: the pseudomedian;"
            f" above 0 {b} is better."
        )
        blocks.append(Table.of("Wins and effect sizes", head, [row], note=note))
    return Section(id="datasets", title="Data set by data set", blocks=tuple(blocks))


def _triangle_sections(answer: Comparison) -> Iterator[Section]:
    """Return the posterior triangle where a region of practical equivalence was named."""
    practical = answer.practical
    if practical is None or not practical.rope:
        return
    from ..plots import posterior_triangle_picture

    picture: Picture = posterior_triangle_picture(answer)
    yield Section(id="triangle", title="Better, or practically equal?", blocks=(Figure(picture=picture),))


# --- The scores -----------------------------------------------------------------------------------


def _scores_section(table: ScoreTable) -> Section:
    """Return the scores by data set: the best of each stands out, what is missing is said."""
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
        f" data set is bold{'; the mean over runs' if runs > 1 else ''}.{table.gaps}"
    )
    made = Table.of("The scores", ("data set", *table.learners), rows, note=note)
    made = replace(made, numeric=frozenset(range(1, 1 + len(table.learners))))  # a missing score is no word to sort by
    return Section(id="scores", title="The scores", blocks=(made,), folded=True)


def _score_cell(value: float, digits: int, *, strong: bool) -> Cell:
    return Cell("missing") if math.isnan(value) else Cell(f"{value:.{digits}f}", value, strong=strong)


def _count_decimals(values: Any) -> int:
    """Return the fewest decimals that tell all values, or as many as give the largest four digits."""
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


# --- What it would take, and what it means --------------------------------------------------------


def _outlook_sections(outlook: Outlook | None) -> Iterator[Section]:
    """Return what so many data sets can show of the difference that was named; nothing if none was."""
    if outlook is None:
        return
    message = (
        f"{outlook.words} The difference is the one that was named, not the one that was found: the power at what was"
        " found says nothing that the p-value has not said."
    )
    blocks: list[Block] = [Text(paragraphs=(message,))]
    if outlook.curve:
        rows = [(count, number_cell(power, significant(power, 3))) for count, power in outlook.curve]
        note = f"By {outlook.resamples} draws of data sets from these, with their differences moved to the one named."
        blocks.append(Table.of("Power by the number of data sets", ("data sets", "power"), rows, note=note))
    yield Section(id="outlook", title="How many data sets it would take", blocks=tuple(blocks))


def _meaning_section(table: ScoreTable) -> Section:
    count = len(table.datasets)
    facts = (
        (
            "one data set, one voice",
            f"each of the {count} data sets counts once, however many examples it has. More examples make its own"
            " score surer; they do not make it count more.",
        ),
        (
            "what is asked",
            "who would do better on the next data set of this kind, trained and tested as these were. Not who is better"
            " on a certain one of them: for that, compare the two on its own splits.",
        ),
        (
            "what is assumed",
            "that these data sets are like a random draw from those that are meant. Collections of benchmarks seldom"
            " are. Parts or versions of one data set (its classes one by one, its years) say hardly more than one of"
            " them, but are counted as several.",
        ),
        (
            "what may spoil it",
            "a method that was developed or tuned on these very data sets, or data sets that were left out for how"
            " they came out. Nothing in the table can show that.",
        ),
    )
    return Section(id="meaning", title="What “over these data sets” means", blocks=(Facts(rows=facts),))
