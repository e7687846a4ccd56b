"""The top of a page: badge, verdict, figures, cautions, tiles, the picture of the interval, and the scope."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import singledispatch
from typing import Any, Literal

import numpy as np

from ...display import Display
from ...evidence import Outcomes, PairedTable
from ...figures import Scale, count_text, equation, level_text, pvalue_text, scale_of, short_names
from ...methods import look_up
from ...results import Comparison, Estimate, Interval, Ranking
from ..blocks import Badge, Facts, IntervalDrawing, Section, Tile, Verdict

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
    texts = [(row.label, " ".join(row.text.split())) for row in display.rows]
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
    return result_section(
        answer.display(),
        badge=badge_of(answer),
        tiles=tuple(tiles_of(answer)),
        interval=interval_drawing(answer),
    )


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
    return tuple(filter(None, (_difference_tile(answer), _pvalue_tile(answer), data_tile(answer.evidence))))


@tiles_of.register
def _tiles_of_estimate(answer: Estimate) -> tuple[Tile, ...]:
    data = data_tile(answer.evidence)
    return () if data is None else (_estimate_tile(answer), data)


@tiles_of.register
def _tiles_of_ranking(answer: Ranking) -> tuple[Tile, ...]:
    pairs = len(answer.names)
    different = sum(better is not None for better in answer.better)
    adjusted = "" if answer.adjustment.method == "none" else f"{answer.adjustment.method}-adjusted"
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


def _difference_tile(answer: Comparison) -> Tile | None:
    drawing = interval_drawing(answer)
    if drawing is None:
        return None
    value = drawing.scale.value(drawing.estimate)
    if drawing.estimate > 0:
        value = f"+{value}" if answer.evidence.metric.report_higher_is_better else f"{value} lower"
    return Tile(value=value, notes=drawing.interval_notes)


def _estimate_tile(answer: Estimate) -> Tile:
    drawing = _drawing_of_estimate(answer)
    return Tile(value=drawing.scale.value(drawing.estimate), notes=drawing.interval_notes)


def _pvalue_tile(answer: Comparison) -> Tile | None:
    """Return the p-value that decides, with its method and alpha."""
    pvalue = float(answer.pvalue if answer.adjusted is None else answer.adjusted)
    if math.isnan(pvalue):
        return None
    name = "p" if answer.adjusted is None else "adjusted p"
    title = method_title(answer.method, "test", answer.evidence)
    return Tile(value=equation(name, pvalue_text(pvalue, answer.alpha)), notes=(title, _alpha_note(answer.alpha)))


def method_title(name: str, gives: Literal["test", "interval"], evidence: Any) -> str:
    """Return what readers call a method; its name if the registry does not have it."""
    method = look_up(name, gives, type(evidence))
    return name if method is None else method.display_title


def interval_note(interval: Interval, evidence: Any) -> str:
    """Return level, side and method of an interval, as the note below a table."""
    side = {"two": "interval", "upper": "upper limit", "lower": "lower limit"}[interval.side]
    return f"{level_text(interval.alpha)} {side}: {method_title(interval.method, 'interval', evidence)}."


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
    interval, metric = answer.interval, answer.evidence.metric
    low, high = _reported_limits(interval, metric)
    estimate = float(metric.report_value(answer.estimate))
    scale = scale_of("percent" if metric.is_percentage else "plain", _half_width(estimate, low, high))
    return IntervalDrawing(
        estimate=estimate,
        low=low,
        high=high,
        scale=scale,
        level=level_text(interval.alpha),
        name=f"{metric.report_title[:1].upper()}{metric.report_title[1:]}",
        zero=None,
    )


def _reported_limits(interval: Interval, metric: Any) -> tuple[float, float]:
    """Return the limits as readers see them: those of an accuracy change places with those of the error rate."""
    low, high = sorted(float(metric.report_value(limit)) for limit in _two_limits(interval))
    return low, high


def _two_limits(interval: Interval) -> tuple[float, float]:
    """Return both limits; a one-sided interval has one, and infinity in place of the other."""
    low = -math.inf if interval.side == "upper" else float(interval.low)
    high = math.inf if interval.side == "lower" else float(interval.high)
    return low, high


def _half_width(estimate: float, low: float, high: float) -> float:
    """Return half the width, or the distance to the one limit of a one-sided interval."""
    if math.isfinite(low) and math.isfinite(high):
        return (high - low) / 2
    return max((abs(limit - estimate) for limit in (low, high) if math.isfinite(limit)), default=0.0)


@interval_drawing.register
def _drawing_of_comparison(answer: Comparison) -> IntervalDrawing | None:
    """Return the advantage of the leader; against a threshold, the level of the one model beside it."""
    interval, metric = answer.interval, answer.evidence.metric
    if len(answer.evidence.models) == 1:
        return _drawing_against_threshold(answer)
    if interval.parameter != "difference" or not np.isfinite(answer.difference):
        return None
    difference, (low, high) = float(answer.difference), _two_limits(interval)
    margins = _margins_of(answer)
    leader = answer.evidence.models[1]
    if difference < 0:
        difference, low, high = -difference, -high, -low
        margins = tuple(-margin for margin in margins)
        leader = answer.evidence.models[0]
    scale: Scale = scale_of(
        "points" if metric.is_percentage else "plain",
        _half_width(difference, low, high),
        (low, high),
        apart_from=(0.0, *margins),
    )
    unit = "pp in favour of" if metric.is_percentage else "in favour of"
    caption = f"{unit} {short_names(answer.evidence.models)[leader]}" if answer.evidence.event == "wrong" else ""
    return IntervalDrawing(
        estimate=difference,
        low=low,
        high=high,
        scale=scale,
        level=level_text(interval.alpha),
        margins=margins,
        caption=caption,
    )


def _margins_of(answer: Comparison) -> tuple[float, ...]:
    """Return the margins in the sign convention of `difference`."""
    margin = float(answer.margin)
    return {"non-inferior": (-margin,), "superior": (margin,), "equivalent": (-margin, margin)}.get(
        answer.hypothesis.kind, ()
    )


def _drawing_against_threshold(answer: Comparison) -> IntervalDrawing:
    interval, metric = answer.interval, answer.evidence.metric
    low, high = _reported_limits(interval, metric)
    threshold = float(metric.report_value(float(answer.against)))
    estimate = float(metric.report_value(answer.evidence.value))
    title = metric.report_title
    return IntervalDrawing(
        estimate=estimate,
        low=low,
        high=high,
        scale=scale_of(
            "percent" if metric.is_percentage else "plain",
            _half_width(estimate, low, high),
            (low, high),
            apart_from=(threshold,),
        ),
        level=level_text(interval.alpha),
        name=f"{title[:1].upper()}{title[1:]}",
        zero=None,
        margins=(threshold,),
        margin_name="threshold",
    )
