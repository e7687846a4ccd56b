"""The text of a plan: the computed number, its design, the test, and the alternatives."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..bibliography import cite, reference_of
from ..display import Display, Row
from ..figures import count_text, finish_sentence, level_text
from ..methods import Offer, find_methods

if TYPE_CHECKING:
    from .planned import Planned

_STEP = 0.02  # a power that exceeds the target by more is explained
_MOST = "1,000,000,000"
_SIDES = {"two": "two-sided", "upper": "upper bound", "lower": "lower bound"}


def build_display(planned: Planned, *, verbose: bool = False) -> Display:
    """Return the layout: the answer, the design, the test or interval, the power, and alternatives."""
    return Display(
        verdict=state_answer(planned),
        blocks=tuple(_list_rows(planned, verbose=verbose)),
        tone="neutral" if planned.reached else "open",
    )


def _list_rows(planned: Planned, *, verbose: bool) -> Iterator[Row]:
    yield from (Row("caution", text) for text in planned.cautions)
    yield Row("design", "\n".join([format_design(planned), *planned.notes]))
    if math.isnan(planned.width):
        yield Row("test", format_test(planned, verbose=verbose))
        yield Row("power", format_power_row(planned))
    else:
        yield Row("interval", format_interval_row(planned, verbose=verbose))
    alternatives = list(_list_alternatives(planned, verbose=verbose))
    if alternatives:
        yield Row("or", ("\n" if verbose else ", ").join(alternatives))


# --- The answer ---------------------------------------------------------------------------------------


def state_answer(planned: Planned) -> str:
    """Return the computed number and its power or width, without a full stop.

    Examples
    --------
    >>> import tellapart as ta
    >>> state_answer(ta.plan(difference=0.03, power=0.8, disagreement=0.08))
    '678 examples detect a difference of 3 pp with 80% power'
    """
    if not math.isnan(planned.width):
        return _state_width(planned)
    if planned.solved == "size" and not planned.reached:
        if planned.capped:
            return f"No number of {planned.unit} gives {power_text(planned.target)} power"
        return f"More than {_MOST} {planned.unit} are needed for {power_text(planned.target)} power"
    if planned.solved == "difference" and not planned.reached:
        power = f"{power_text(planned.target)} power; power is at most {power_text(planned.power)}"
        return f"{format_size(planned)} {_verb(planned, 'detect')} no difference with {power}"
    power = power_text(planned.power if planned.solved == "power" else planned.target)
    verb, claim = ("detect", planned.effect) if planned.effect else ("show", planned.shows)
    condition = "" if planned.effect else f" if {planned.truth}"
    if planned.solved == "difference" and planned.hypothesis != "equivalent":
        beyond = " at most" if planned.hypothesis == "non-inferior" and planned.difference < 0 else " or more"
        claim, condition = (claim + beyond, "") if planned.effect else (claim, condition + beyond)
    return f"{format_size(planned)} {_verb(planned, verb)} {claim} with {power} power{condition}"


def _state_width(planned: Planned) -> str:
    if not planned.reached:
        return f"More than {_MOST} {planned.unit} are needed for such an interval"
    width = format_amount(planned.width, planned.points)
    level = level_text(planned.alpha)
    interval = {
        "two": f"a {level} interval of width {width}",
        "upper": f"a {level} upper bound {width} above the true value",
        "lower": f"a {level} lower bound {width} below the true value",
    }[planned.side]
    often = "" if math.isnan(planned.target) else f" or less with {power_text(planned.target)} assurance"
    return f"{format_size(planned)} {_verb(planned, 'give')} {interval}{often}"


def _verb(planned: Planned, verb: str) -> str:
    return f"{verb}s" if planned.size == 1 else verb


def format_size(planned: Planned) -> str:
    """Return the size with its unit: "678 examples", "8 repeats of 10-fold cross-validation"."""
    folds = getattr(planned.setting, "folds", 1)
    if planned.unit == "replicates" and folds > 1:
        return f"{count_text(int(planned.size), 'repeat')} of {folds}-fold cross-validation"
    return f"{many(planned.size)} {name_unit(planned.unit) if planned.size == 1 else planned.unit}"


# --- Rows ---------------------------------------------------------------------------------------------


def format_design(planned: Planned) -> str:
    """Return the design, with the design effect of clusters."""
    parts = [planned.about]
    if not math.isnan(planned.width):
        parts.append(planned.truth)
    if planned.design_effect != 1:
        clusters = ""
        if math.isfinite(planned.clusters) and planned.cluster_size > 1:
            count = count_text(math.ceil(planned.clusters - 1e-9), "cluster")
            clusters = f" ({count} of {planned.cluster_size:g})"
        parts.append(f"design effect {planned.design_effect:.4g}{clusters}")
    return ", ".join(filter(None, parts))


def _find_offer(planned: Planned) -> Offer | None:
    gives = "test" if math.isnan(planned.width) else "interval"
    offers = [offer for offer in find_methods(name=planned.method) if offer.gives == gives]
    known = {str(reference) for reference in planned.references}
    return next((offer for offer in offers if str(offer.reference) in known), offers[0] if offers else None)


def _name_method(planned: Planned) -> str:
    offer = _find_offer(planned)
    if offer is None:
        return planned.method
    return (
        f"{offer.display_title} ({reference_of(offer.reference).citation})" if offer.reference else offer.display_title
    )


def format_test(planned: Planned, *, verbose: bool = False) -> str:
    """Return the test, its reference, its side or margin, and alpha."""
    margin = f"margin {format_amount(planned.margin, planned.points)}"
    kind = {
        "different": planned.alternative if planned.alternative == "two-sided" else "one-sided",
        "non-inferior": f"non-inferiority, {margin}",
        "superior": f"superiority, {margin}",
        "equivalent": f"equivalence, {margin}",
    }[planned.hypothesis]
    text = f"{_name_method(planned)}, {kind}, alpha = {planned.alpha:g}"
    return f"{text}\n{planned.method}; {planned.quantity}" if verbose else text


def format_interval_row(planned: Planned, *, verbose: bool = False) -> str:
    """Return the interval's method, its reference, side and width."""
    text = f"{_name_method(planned)}, {_SIDES[planned.side]}, {level_text(planned.alpha)}"
    text += (
        f", {'mean' if math.isnan(planned.target) else 'largest'} width {format_amount(planned.width, planned.points)}"
    )
    return f"{text}\n{planned.method}" if verbose else text


def format_power_row(planned: Planned) -> str:
    """Return the power and how it was computed."""
    power = "none" if math.isnan(planned.power) else power_text(planned.power)
    texts = [f"{power}{'' if math.isfinite(planned.size) else f' with {_MOST} {planned.unit}'}", planned.basis]
    if planned.solved == "size" and planned.reached and planned.power - planned.target > _STEP:
        texts.append(f"below {power_text(planned.target)} with one fewer")
    return "; ".join([", ".join(filter(None, texts)), *planned.power_notes])


def _list_alternatives(planned: Planned, *, verbose: bool) -> Iterator[str]:
    """Yield the answers of other tests, under other assumptions, and by the textbook's formula; the unit once."""
    first = True
    for alternative in planned.alternatives:
        yield f"{format_value(planned, alternative.value, unit=first or verbose)} {alternative.assuming}"
        first = False
    if math.isfinite(planned.formula):
        exact = f" ({planned.formula:,.2f})" if verbose and planned.solved == "size" else ""
        value = math.ceil(planned.formula) if planned.solved == "size" else planned.formula
        yield f"{format_value(planned, value, unit=first or verbose)} by {planned.formula_name}{exact}"


def format_value(planned: Planned, value: float, *, unit: bool = True) -> str:
    """Return a value of the computed quantity."""
    if planned.solved == "size" and not math.isfinite(value):
        return "no number" if planned.capped else f"more than {_MOST}"
    if planned.solved == "size":
        return f"{many(value)}{f' {name_unit(planned.unit) if value == 1 else planned.unit}' if unit else ''}"
    if planned.solved == "power":
        return f"{power_text(value)}{' power' if unit else ''}"
    size = abs(value) if planned.hypothesis == "different" else value  # the assumption says which model is better
    return format_amount(size, planned.points) if math.isfinite(value) else "no difference"


# --- Sentences ----------------------------------------------------------------------------------------


def summarize_plan(planned: Planned) -> str:
    """Return the answer, the design and the notes, as sentences."""
    notes = (*planned.cautions, *planned.notes, *(f"Power: {note}" for note in planned.power_notes))
    design = f"Design: {format_design(planned)}."
    return " ".join([f"{state_answer(planned)}.", design, *map(finish_sentence, notes)])


def explain_plan(planned: Planned) -> Iterator[tuple[str, str]]:
    """Yield labels and sentences: the meaning of the figures, and their assumptions."""
    if math.isnan(planned.width):
        yield (
            "power",
            f"Power is the probability that the test rejects at alpha = {planned.alpha:g} if the true difference is as"
            f" planned. The difference is {planned.quantity}; it is chosen as one that would matter, never taken from"
            " data.",
        )
    else:
        yield (
            "interval",
            "The width is the mean over all samples that can be drawn; with an assurance it is exceeded with"
            " probability 1 - assurance.",
        )
    yield "design", "The answer is as good as these assumptions. Fix the plan before the data are collected."
    if planned.alternatives or math.isfinite(planned.formula):
        yield "or", "The same question for other tests or assumptions, each with one thing changed."
    for reference in dict.fromkeys(planned.references):
        yield "cite", cite(reference)


# --- Figures ------------------------------------------------------------------------------------------


def format_amount(value: float, points: bool = True, *, unit: bool = True) -> str:
    """Return a planned difference or width: in percentage points if it is of rates.

    Examples
    --------
    >>> format_amount(0.01), format_amount(0.0213), format_amount(2.5, points=False)
    ('1 pp', '2.13 pp', '2.5')
    """
    if not points:
        return f"{value:.4g}"
    text = f"{100 * value:.3g}"
    return f"{text} pp" if unit else text


def many(value: float) -> str:
    """Return a number of examples.

    Examples
    --------
    >>> many(3768)
    '3,768'
    """
    return f"{int(value):,}" if math.isfinite(value) else f"more than {_MOST}"


def power_text(value: float, digits: int = 4) -> str:
    """Return a power in percent: never 100% if it is less, and without meaningless digits if it is tiny.

    Examples
    --------
    >>> power_text(0.80014), power_text(0.9999999), power_text(1e-7)
    ('80.01%', '> 99.99%', '< 0.01%')
    """
    if 0 < value < 1e-4:
        return "< 0.01%"
    text = f"{100 * value:.{digits}g}"
    return f"{text}%" if float(text) < 100 or value >= 1 else "> 99.99%"


def name_unit(unit: str) -> str:
    """Return a unit in the singular.

    Examples
    --------
    >>> name_unit("examples of each"), name_unit("data sets")
    ('example of each', 'data set')
    """
    first, _, rest = unit.partition(" ")
    return unit.removesuffix("s") if not rest or rest.endswith("s") else f"{first.removesuffix('s')} {rest}"
