"""Several models or learners: who is best, who is not told apart from it, and every pair."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...evidence import ErrorPatterns
from ...methods import Method, look_up
from ...rendering import percent, plain_number, pvalue_text, significant
from ...results import Interval, Ranking
from ..blocks import Block, Cell, Facts, Figure, Section, Table, Text
from .common import (
    Given,
    card_sections,
    check_section,
    difference_cell,
    difference_heads,
    limit_cells,
    limits_section,
    number_cell,
    paper_section,
    reproduce_section,
    spread_of,
    verdict_section,
)
from .learners import learner_sections, race_sections
from .parts import alternatives_section, calibration_sections, examples_section, group_sections, pvalue_cell

__all__ = ["ranking_sections"]


def ranking_sections(answer: Ranking, given: Given) -> Iterator[Section]:
    """Return all sections about several models or learners."""
    shown_below = ("error rates", _loss(answer), "letters", "told apart", "limits", "Cochran's Q")
    yield verdict_section(answer, leave_out=shown_below)
    yield _leaderboard(answer)
    yield _pairs_section(answer)
    yield from group_sections(given)
    if given.examples is not None:
        yield examples_section(given)
    yield from race_sections(given)
    yield from learner_sections(answer.evidence, answer)
    yield from card_sections(methods_of(answer))
    yield from calibration_sections(given)
    yield check_section(answer.checks, tuple(f"{a} and {b}" for a, b in answer.names))
    yield limits_section(answer)
    yield alternatives_section(answer)
    yield paper_section(answer)
    name = "counts" if isinstance(answer.evidence, ErrorPatterns) else "losses"
    yield reproduce_section(answer, given, {name: answer.evidence})


def methods_of(answer: Ranking) -> tuple[Method | None, ...]:
    """Return the test and the interval of every pair, and what takes all pairs together, as the registry has them."""
    kind = type(answer.pairs.evidence)
    interval = answer.pairs.interval.method
    together = look_up("max-t", "pairs", type(answer.evidence)) if "max-t" in {answer.adjustment, interval} else None
    return look_up(answer.method, "test", kind), look_up(interval, "interval", kind), together


def _loss(answer: Ranking) -> str:
    metric = getattr(answer.evidence, "metric", "error")
    return "error rate" if metric == "error" else str(metric)


# --- The leaderboard ------------------------------------------------------------------------------


def _leaderboard(answer: Ranking) -> Section:
    from ..plots import tie_groups_picture

    blocks: list[Block] = [Figure(picture=tie_groups_picture(answer)), _standings(answer)]
    facts = []
    if answer.omnibus is not None:
        statistic, pvalue = float(answer.omnibus.statistic), float(answer.omnibus.pvalue)
        told = f"{significant(statistic, 4)} on {len(answer.models) - 1} degrees of freedom"
        facts.append(("Cochran's Q", f"{told}, p = {pvalue_text(pvalue, answer.alpha)}: do the models differ at all?"))
    if answer.optimism > 0:
        facts.append(
            (
                "the winner's luck",
                f"chosen on these very examples, the best looks about {significant(100 * answer.optimism, 2)} points"
                " better than it is",
            )
        )
    blocks += [Facts(rows=tuple(facts))] if facts else []
    return Section(id="ranking", title="Who is best", blocks=tuple(blocks))


def _standings(answer: Ranking) -> Table:
    """Return the leaderboard: best first, with the letters of the tie groups."""
    order = np.argsort(answer.rates, kind="stable").tolist()
    letters = {model: answer.letters(model) for model in answer.models}
    loss, spread = _loss(answer), answer.rate_spread
    if isinstance(answer.evidence, ErrorPatterns):
        counts = answer.evidence.error_counts
        interval = _each_by_itself(answer)
        head: tuple[str, ...] = ("model", "errors", loss, "from", "to", "letters")
        rows = [
            [
                answer.models[place],
                int(counts.errors[place]),
                _rate(answer, place, spread),
                *limit_cells(interval[place], spread),
                letters[answer.models[place]],
            ]
            for place in order
        ]
        note = f" Limits of each error rate by itself: {interval.kind_text()}; to tell two apart, see the pairs."
    else:
        head = ("learner", loss, "letters")
        rows = [[answer.models[place], _rate(answer, place, spread), letters[answer.models[place]]] for place in order]
        note = ""
    rule = f"Who shares a letter is not told apart (alpha = {answer.alpha:g}, adjusted by {answer.adjustment})."
    return Table.of("The leaderboard", head, rows, note=f"{rule}{note}")


def _each_by_itself(answer: Ranking) -> Interval:
    """Return the interval that `estimate` gives each error rate."""
    from ...verbs import estimate

    counts = answer.evidence.error_counts  # type: ignore[attr-defined]  # who asks has looked
    return estimate(counts, alpha=answer.alpha).interval


def _rate(answer: Ranking, place: int, spread: float) -> Cell:
    rate = float(answer.rates[place])
    write = percent if _loss(answer) == "error rate" else plain_number
    return number_cell(rate, write(rate, spread))


# --- Every pair -----------------------------------------------------------------------------------


def _pairs_section(answer: Ranking) -> Section:
    from ..plots import forest_picture

    told = sum(better is not None for better in answer.better)
    is_ = "is" if told == 1 else "are"
    said = f"{told} of {len(answer.names)} pairs {is_} told apart." if len(answer.names) > 1 else ""
    blocks: tuple[Block, ...] = (Figure(picture=forest_picture(answer)), _pairs_table(answer))
    return Section(id="pairs", title="Every pair", blocks=(*((Text(paragraphs=(said,)),) if said else ()), *blocks))


def _pairs_table(answer: Ranking) -> Table:
    interval = answer.pairs.interval
    spread = spread_of(interval)
    head = ("A", "B", "better", *difference_heads("A − B", interval), "p", "adjusted p")
    rows = [
        [
            a,
            b,
            better or "",
            difference_cell(answer.pairs.difference[place], interval[place], spread),
            *limit_cells(interval[place], spread),
            pvalue_cell(answer.pairs.pvalue[place], answer.alpha),
            pvalue_cell(answer.adjusted[place], answer.alpha),
        ]
        for place, ((a, b), better) in enumerate(zip(answer.names, answer.better, strict=True))
    ]
    held = "all together" if interval.method == "max-t" else "each by itself"
    note = (
        f"{answer.method}, adjusted by {answer.adjustment}, alpha = {answer.alpha:g}; limits: {interval.kind_text()},"
        f" {held}. The adjusted p-value decides."
    )
    return Table.of("Every pair in figures", head, rows, note=note)
