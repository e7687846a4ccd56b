"""The top of a page: badge, verdict, figures, cautions, tiles, the picture of the interval, and the scope."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np

from ...display import Display
from ...evidence import Outcomes, PairedTable
from ...figures import count_text, level_text, short_names
from ...results import Comparison, Estimate, Interval, Ranking
from ...results.comparison_text import certainty_text
from ...results.comparison_text import verdict as state_comparison
from ...results.oriented import orient
from ...results.ranking_text import verdict as state_ranking
from ...results.wording import adjustment_text, interval_limits, p_text, value_scale
from ..blocks import Badge, Facts, IntervalDrawing, Section, Tile, Verdict
from ..method_titles import method_title

_ABOVE = ("caution", "scope")  # rows of a display that the top shows itself


def result_section(
    display: Display,
    *,
    badge: Badge = "",
    tiles: Iterable[Tile] = (),
    interval: IntervalDrawing | None = None,
    facts: Iterable[tuple[str, str]] = (),
) -> Section:
    """Return the first section of a page: the verdict of an answer, and below it the rows that support it.

    Parameters
    ----------
    display
        What the answer prints: verdict, figures and rows.
    badge
        The decision, if there is one.
    tiles
        At most three figures beside each other.
    interval
        The estimate with its interval, to be drawn.
    facts
        Further rows.
    """
    texts = [(row.label, row.text) for row in display.rows]
    verdict = Verdict(
        verdict=display.verdict,
        figures=display.figures,
        badge=badge,
        cautions=tuple(text for label, text in texts if label == "caution"),
        tiles=tuple(tiles),
        interval=interval,
        scope=" ".join(text for label, text in texts if label == "scope"),
    )
    rows = (*((label, text) for label, text in texts if label not in _ABOVE), *facts)
    return Section(id="result", title="Result", blocks=(verdict, *facts_of(rows)))


def facts_of(rows: Iterable[tuple[str, str]]) -> tuple[Facts, ...]:
    """Return rows as facts, without those that are empty; nothing if none is left."""
    kept = tuple((label, text) for label, text in rows if text)
    return (Facts(rows=kept),) if kept else ()


def answer_section(answer: Estimate | Comparison | Ranking) -> Section:
    """Return the first section of a page about an estimate, a comparison or a ranking."""
    display = answer.display()
    return result_section(
        replace(
            display, verdict=bare_verdict(answer) or display.verdict, figures=brief_figures(answer) or display.figures
        ),
        badge=badge_of(answer),
        tiles=tiles_of(answer),
        interval=interval_drawing(answer),
    )


@singledispatch
def bare_verdict(_: Any) -> str:
    """Return the verdict without the titles of failed checks, which stand above it; "" for that of the display."""
    return ""


@bare_verdict.register
def _bare_verdict_of_comparison(answer: Comparison) -> str:
    return state_comparison(answer)


@bare_verdict.register
def _bare_verdict_of_ranking(answer: Ranking) -> str:
    return state_ranking(answer)


@singledispatch
def brief_figures(_: Any) -> str:
    """Return the figures that stand in no tile; "" if all that is displayed stands below the verdict."""
    return ""


@brief_figures.register
def _brief_figures_of_comparison(answer: Comparison) -> str:
    """Return the metric of both models and the sample size: the tiles have difference, interval and p."""
    if interval_drawing(answer) is None or len(answer.evidence.models) == 1 or answer.evidence.event != "wrong":
        return ""
    evidence = answer.evidence
    size = f", {count_text(int(evidence.size), evidence.unit.name)}" if np.ndim(evidence.size) == 0 else ""
    return f"{evidence.metric.report_title} {orient(answer).values_text}{size}"


# --- The decision ---------------------------------------------------------------------------------


@singledispatch
def badge_of(_: Any) -> Badge:
    """Return the decision of an answer; "" for an answer that decides nothing."""
    return ""


@badge_of.register
def _badge_of_comparison(answer: Comparison) -> Badge:
    if answer.only_chooses:
        return ""
    if answer.hypothesis.kind in {"non-inferior", "equivalent"}:
        return "Pass" if answer.rejected else "Not enough evidence"
    return "Significant difference" if answer.rejected else "No significant difference"


@badge_of.register
def _badge_of_ranking(answer: Ranking) -> Badge:
    return "Significant difference" if any(answer.better) else "No significant difference"


# --- Tiles ----------------------------------------------------------------------------------------


@singledispatch
def tiles_of(_: Any) -> tuple[Tile, ...]:
    """Return the figures that stand beside each other below the verdict."""
    return ()


@tiles_of.register
def _tiles_of_comparison(answer: Comparison) -> tuple[Tile, ...]:
    return tuple(filter(None, (difference_tile(answer), _certainty_tile(answer), data_tile(answer.evidence))))


@tiles_of.register
def _tiles_of_estimate(answer: Estimate) -> tuple[Tile, ...]:
    data = data_tile(answer.evidence)
    return () if data is None else (_estimate_tile(answer), data)


@tiles_of.register
def _tiles_of_ranking(answer: Ranking) -> tuple[Tile, ...]:
    pairs = len(answer.names)
    different = sum(better is not None for better in answer.better)
    adjusted = "" if answer.adjustment.method == "none" else adjustment_text(answer.adjustment.method)
    tests = Tile(
        value=f"{different} of {pairs:,}",
        notes=(f"{'pair' if pairs == 1 else 'pairs'} significantly different", _alpha_note(answer.alpha, adjusted)),
    )
    models = Tile(value=count_text(len(answer.models), answer.noun), notes=(_tied_note(answer),))
    return tuple(filter(None, (models, tests, data_tile(answer.evidence))))


def _tied_note(answer: Ranking) -> str:
    if answer.control is not None:
        return f"compared with {short_names(answer.models)[answer.control]}"
    tied = len(answer.best) + len(answer.contenders)
    return "one significantly best" if tied == 1 else f"{tied} tied for first"


def _alpha_note(alpha: float, adjusted: str = "") -> str:
    return f"alpha = {alpha:g}{f', {adjusted}' if adjusted else ''}"


def difference_tile(answer: Comparison) -> Tile | None:
    """Return the difference in the direction of the headline; None if the interval is of another parameter."""
    drawing = interval_drawing(answer)
    if drawing is None:
        return None
    if len(answer.evidence.models) == 1:
        return Tile(value=drawing.scale.value(drawing.estimate), notes=drawing.interval_notes)
    lead = orient(answer)
    value = lead.gap.value(lead.size)
    if lead.size:
        gain = lead.word == "higher" and answer.evidence.metric.report_higher_is_better
        value = f"+{value}" if gain and lead.size > 0 else f"{value} {lead.word}"
    return Tile(value=value, notes=drawing.interval_notes)


def _estimate_tile(answer: Estimate) -> Tile:
    drawing = _drawing_of_estimate(answer)
    return Tile(value=drawing.scale.value(drawing.estimate), notes=drawing.interval_notes)


def _certainty_tile(answer: Comparison) -> Tile | None:
    """Return the p-value that decides (or a posterior probability), with its method and alpha."""
    if len(answer.evidence.models) == 1:
        text = "" if math.isnan(answer.pvalue) else p_text(float(answer.pvalue), answer.alpha, answer.simulated)
    else:
        text = certainty_text(answer, orient(answer))
    title = method_title(answer.method, "test", answer.evidence)
    return Tile(value=text, notes=(title, _alpha_note(answer.alpha))) if text else None


@singledispatch
def data_tile(evidence: Any) -> Tile | None:
    """Return what the answer is based on: how many units were drawn."""
    size = evidence.size
    return Tile(value=count_text(int(size), evidence.unit.name)) if np.ndim(size) == 0 else None


@data_tile.register
def _tile_of_paired_table(table: PairedTable) -> Tile:
    """Return the discordant pairs, and which of the two models was right in them."""
    a, b = short_names(table.models).values()
    only_b, only_a = int(table.only_b_wrong), int(table.only_a_wrong)
    if table.event != "wrong":
        notes = f"{only_a:,} only {a} {table.event}, {only_b:,} only {b}"
    elif table.as_accuracy:
        (more, first), (less, second) = sorted(((only_a, b), (only_b, a)), key=lambda pair: -pair[0])
        notes = f"{more:,} only {first} right, {less:,} only {second}"
    else:
        notes = f"{only_a:,} only {a} wrong, {only_b:,} only {b}"
    return Tile(
        value=f"{int(table.disagreements):,} discordant",
        notes=(notes, f"of {count_text(int(table.examples), 'example')}"),
    )


@data_tile.register
def _tile_of_outcomes(outcomes: Outcomes) -> Tile:
    examples = count_text(int(outcomes.examples), "example")
    if outcomes.clusters is None:
        return Tile(value=examples)
    return Tile(value=count_text(int(outcomes.cluster_count), "cluster"), notes=(examples,))


# --- The interval ---------------------------------------------------------------------------------


@singledispatch
def interval_drawing(_: Any) -> IntervalDrawing | None:
    """Return the estimate and its interval in the direction of the headline; None if there is none to draw."""
    return None


@interval_drawing.register
def _drawing_of_estimate(answer: Estimate) -> IntervalDrawing:
    return _drawing_of_level(answer.evidence, answer.interval, float(answer.estimate))


def _drawing_of_level(evidence: Any, interval: Interval, value: float, threshold: float = math.nan) -> IntervalDrawing:
    """Return the metric of one model with its interval, and a threshold if there is one."""
    metric = evidence.metric
    low, high = interval_limits(evidence, interval)
    if interval.side != "two":
        low, high = (low, math.inf) if (interval.side == "lower") != metric.as_accuracy else (-math.inf, high)
    title = metric.report_title
    return IntervalDrawing(
        estimate=float(metric.report_value(value)),
        low=low,
        high=high,
        scale=value_scale(evidence, interval, value),
        level=level_text(interval.alpha),
        name=f"{title[:1].upper()}{title[1:]}",
        zero=None,
        margins=() if math.isnan(threshold) else (float(metric.report_value(threshold)),),
        margin_name="threshold",
    )


@interval_drawing.register
def _drawing_of_comparison(answer: Comparison) -> IntervalDrawing | None:
    """Return the difference in the direction of the headline; against a threshold, the metric of the one model."""
    interval, evidence = answer.interval, answer.evidence
    if len(evidence.models) == 1:
        threshold = float(answer.against)
        return _drawing_of_level(evidence, interval, float(answer.difference) + threshold, threshold)
    if interval.parameter != "difference" or not np.isfinite(answer.difference):
        return None
    lead = orient(answer)
    low, high = lead.low, lead.high
    if interval.side != "two":
        low, high = (low, math.inf) if (interval.side == "lower") != lead.turned else (-math.inf, high)
    favours_first = (lead.word == "higher") == evidence.metric.report_higher_is_better
    favoured = lead.position if favours_first else 1 - lead.position
    sign = 1 if favoured == 1 else -1  # margins are those of B
    unit = "pp in favour of" if lead.gap.kind == "points" else "in favour of"
    name = (lead.first if favours_first else lead.other) if evidence.event == "wrong" else ""
    return IntervalDrawing(
        estimate=lead.size,
        low=low,
        high=high,
        scale=lead.gap,
        level=level_text(interval.alpha),
        margins=tuple(sorted(sign * margin for margin in _margins_of(answer))),
        caption=f"{unit} {name}" if name else "",
    )


def _margins_of(answer: Comparison) -> tuple[float, ...]:
    """Return the margins in the sign convention of `difference`: positive if B is better."""
    margin = float(answer.margin)
    return {"non-inferior": (-margin,), "superior": (margin,), "equivalent": (-margin, margin)}.get(
        answer.hypothesis.kind, ()
    )
