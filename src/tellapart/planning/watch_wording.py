"""The text of a watch: the decision so far, the leader's figures, one line per look, then data, rule and scope."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..bibliography import cite, reference_of
from ..display import INDENT, LABEL, WIDTH, Block, Display, Row, TextTable, Tone
from ..figures import Scale, count_text, finish_sentence, level_text, scale_of, short_names
from ..methods import find_methods
from ..methods.error_count.posterior import BetaPrior, prior_text
from ..text_layout import printable
from .watch_looks import PLANNED, InterimAnalysis, prior_for

if TYPE_CHECKING:
    from .watching import Watch

_SHOWN = 12  # looks in the terminal's table
_ROOM = WIDTH - INDENT - LABEL  # columns of a row's text
_SCOPE = "every batch must be new, independent examples"
_PLANNED_TITLES = {"obrien-fleming": "O'Brien-Fleming boundaries", "pocock": "Pocock boundaries"}
_BROKEN = (
    "the intervals of the looks have no value in common: the examples drift, depend on each other, or were added twice."
    " Do not use the decision."
)


# --- The whole ----------------------------------------------------------------------------------------


def build_display(watch: Watch, *, verbose: bool = False) -> Display:
    """Return the layout: the decision, the figures, the table of looks, and the rows for data, rule and scope."""
    if not watch.looks:
        rows = (Row("test", format_test(watch)), Row("scope", _SCOPE))
        return Display(verdict=state_decision(watch), blocks=rows)
    tone: Tone = "open" if watch.broken else "good" if watch.decided is not None else "neutral"
    return Display(
        verdict=state_decision(watch) + (" (caution: intervals contradict each other)" if watch.broken else ""),
        figures=format_figures(watch),
        blocks=tuple(_list_blocks(watch, verbose=verbose)),
        tone=tone,
    )


def _list_blocks(watch: Watch, *, verbose: bool) -> Iterator[Block]:
    yield from (Row("caution", text) for text in list_cautions(watch))
    most = len(watch.looks) if verbose else _SHOWN
    yield build_look_table(watch, most)
    if len(watch.looks) > most:
        yield f"the last {most} of {len(watch.looks)} looks"
    yield Row("data", format_data(watch))
    test = format_test(watch)
    if test:
        yield Row("test", test)
    yield Row("interval", "\n".join(_list_interval_lines(watch, verbose=verbose)))
    order = ", in an order unrelated to their scores" if watch.rule == "betting" else ""
    yield Row("scope", f"{_SCOPE}{order}")


def list_cautions(watch: Watch) -> Iterator[str]:
    """Yield cautions: reasons why the decision is invalid, and looks that were not used."""
    if watch.broken:
        yield _BROKEN
    late = sum(look.late for look in watch.looks)
    if late:
        after = count_text(watch.examples - watch.last.examples, "example")
        yield f"{count_text(late, 'look')} ({after}) after the end of the plan not used, because alpha is spent"


def summarize_watch(watch: Watch) -> str:
    """Return the decision, the figures and the data, as sentences."""
    if not watch.looks:
        return f"{state_decision(watch)}."
    figures = format_figures(watch).replace(": ", ", ", 1)  # a colon follows the decision
    decision = ": ".join(filter(None, (state_decision(watch), figures)))
    rows = [("Test", format_test(watch)), *(("Interval", text) for text in _list_interval_lines(watch, verbose=False))]
    rows.append(("Data", format_data(watch)))
    return " ".join(
        (
            f"{decision}." if len(watch.models) == 2 else finish_sentence(decision),  # a name keeps its case
            *(f"{label}: {text}." for label, text in rows if text),
            *map(finish_sentence, list_cautions(watch)),
        )
    )


def explain_watch(watch: Watch) -> Iterator[tuple[str, str]]:
    """Yield labels and sentences: the validity of the decision, and the meaning of the figures."""
    if watch.rule in PLANNED:
        yield (
            "test",
            "Boundaries use the normal approximation, for this total and this rule, both fixed before the first look. A"
            " z within them allows no claim. Looks after the decision narrow the interval and do not change it.",
        )
    else:
        looks = len(watch.looks)
        each = (
            f" Over {looks} looks each would need p < {watch.alpha / looks:.2g} (alpha/{looks})." if looks > 1 else ""
        )
        yield (
            "test",
            "The decision and the intervals are anytime-valid: look after every batch, and stop whenever you like. An"
            f" ordinary p-value or interval is valid for a single look.{each}",
        )
    if watch.watches == "pair" and watch.rule not in PLANNED:
        yield "e-value", "An e-value is evidence against equal error rates: by 1/alpha, a true null is rarely exceeded."
    yield "scope", f"{_SCOPE[0].upper()}{_SCOPE[1:]}: none may be added twice."
    for reference in watch.references:
        yield "cite", cite(reference)


# --- The decision -------------------------------------------------------------------------------------


def state_decision(watch: Watch) -> str:
    """Return the decision, or that there is none yet."""
    if not watch.looks:
        return "No examples yet"
    if watch.decided is not None:
        return f"{_state_claim(watch)} (decided at look {watch.decided_at})"
    question = _state_no_difference(watch)
    if not question:
        return _format_estimate(watch)
    if watch.rule not in PLANNED:
        return f"{question} yet; you may stop or continue"
    return question if watch.is_over else f"{question} yet; continue up to {watch.total:,} examples"


def _state_claim(watch: Watch) -> str:
    names = _short_names(watch)
    if watch.decided not in ("A", "B"):
        return f"{_quantity(watch)} of {names[0]} is {watch.decided} {_format_threshold(watch)}"
    winner, loser = names[::-1] if watch.decided == "B" else names
    if watch.watches == "paired scores":
        return f"{winner} has a higher mean score than {loser}"
    return (
        f"{winner} is more accurate than {loser}"
        if _as_accuracy(watch)
        else f"{winner} has a lower error rate than {loser}"
    )


def _state_no_difference(watch: Watch) -> str:
    """Return the statement of no significant difference; empty without a threshold."""
    names = _short_names(watch)
    if len(names) == 2:
        return f"No significant difference between {names[0]} and {names[1]}"
    if watch.against is None:
        return ""
    return f"No significant difference of {names[0]} from {_format_threshold(watch)}"


def _short_names(watch: Watch) -> tuple[str, ...]:
    names = short_names(watch.models)
    return tuple(" ".join(printable(names[name]).split()) for name in watch.models)


def _quantity(watch: Watch) -> str:
    return "Error rate" if watch.watches == "rate" else "Mean score"


def _format_threshold(watch: Watch) -> str:
    value = watch.against or 0.0
    return f"{100 * value:.6g}%" if watch.watches == "rate" else f"{value:.6g}"


def _as_accuracy(watch: Watch) -> bool:
    return bool(getattr(watch.evidence, "as_accuracy", False)) and watch.watches == "pair"


# --- Figures ------------------------------------------------------------------------------------------


def format_figures(watch: Watch) -> str:
    """Return the leader's figures against the other's, the difference, interval and e-value; or the estimate."""
    if len(watch.models) == 1:
        return "" if watch.against is None else _format_estimate(watch)
    look, interval = watch.last, watch.interval
    sign = _leading_sign(watch)
    if interval is None:
        limits = f"{level_text(watch.alpha)} CI empty"
    else:
        low, high = sorted((sign * float(interval.low), sign * float(interval.high)))
        limits = f"{level_text(watch.alpha)} CI {_difference_scale(watch).range(low, high)}"
    size = (
        f"{_difference_scale(watch).value(abs(look.estimate))} {_direction(watch)}"
        if look.estimate
        else "no difference"
    )
    levels = _format_levels(watch, sign)
    return ", ".join(filter(None, (f"{levels}{size} ({limits})", _format_evidence(watch, look))))


def _format_levels(watch: Watch, sign: int) -> str:
    if watch.watches != "pair":
        return "mean score "
    table: Any = watch.evidence
    if watch.last.late or watch.last.examples != int(table.examples):
        return f"{'accuracy' if _as_accuracy(watch) else 'error rate'} "
    rates = [float(table.count_a.rate), float(table.count_b.rate)]
    if _as_accuracy(watch):
        rates = [1 - rate for rate in rates]
    leader, follower = rates[::-1] if sign > 0 else rates
    scale = Scale("percent", _difference_scale(watch).decimals)
    return f"{'accuracy' if _as_accuracy(watch) else 'error rate'} {scale.value(leader)} vs {scale.value(follower)}: "


def _format_evidence(watch: Watch, look: InterimAnalysis) -> str:
    if watch.rule in PLANNED:
        return f"z = {abs(look.z):.2f}"
    return "" if math.isnan(look.evalue) else f"e-value {evalue_text(look.evalue, 1 / watch.alpha)}"


def _leading_sign(watch: Watch) -> int:
    """Return 1 if B leads, as in `estimate`, and -1 if A does; the first if they are equal."""
    if watch.decided in ("A", "B"):
        return 1 if watch.decided == "B" else -1
    return 1 if watch.last.estimate > 0 else -1


def _direction(watch: Watch) -> str:
    """Return the direction of a positive advantage of the leader: lower error rates, higher accuracy and scores."""
    ahead = watch.last.estimate * _leading_sign(watch) >= 0
    higher = watch.watches == "paired scores" or _as_accuracy(watch)
    return "higher" if higher == ahead else "lower"


def _difference_scale(watch: Watch) -> Scale:
    looks = [look for look in watch.looks[-_SHOWN:] if look.high > look.low]
    widths = [look.high - look.low for look in looks]
    ends = [end for look in looks for end in (look.low, look.high)]
    kind: Any = "points" if watch.watches == "pair" else "plain"
    return scale_of(kind, min(widths, default=math.nan) / 2, ends=ends, apart_from=(0.0,))


def _estimate_scale(watch: Watch) -> Scale:
    looks = [look for look in watch.looks[-_SHOWN:] if look.high > look.low]
    widths = [look.high - look.low for look in looks]
    ends = [end for look in looks for end in (look.low, look.high)]
    kind: Any = "percent" if watch.watches == "rate" else "plain"
    bar = () if watch.against is None else (watch.against,)
    return scale_of(kind, min(widths, default=math.nan) / 2, ends=ends, apart_from=bar)


def _format_estimate(watch: Watch) -> str:
    """Return the estimate of one model with its interval."""
    scale, interval = _estimate_scale(watch), watch.interval
    limits = "empty" if interval is None else scale.range(float(interval.low), float(interval.high), unit=True)
    return f"{_quantity(watch).lower()} {scale.value(watch.last.estimate)} ({level_text(watch.alpha)} CI {limits})"


def evalue_text(evalue: float, threshold: float = math.nan) -> str:
    """Return an e-value with one decimal, or more if rounding would move it to the other side of the threshold.

    Examples
    --------
    >>> evalue_text(23.41), evalue_text(19.98, 20), evalue_text(0.01), evalue_text(1.7976931348623157e308)
    ('23.4', '19.98', '< 0.1', 'above 1e+300')
    """
    if evalue > 1e300:
        return "above 1e+300"
    if evalue < 0.05:
        return "< 0.1"
    if evalue >= 1e6:
        return f"{evalue:.3g}"
    decimals = 1
    while decimals < 12 and (float(f"{evalue:.{decimals}f}") >= threshold) != (evalue >= threshold):
        decimals += 1
    return f"{evalue:,.{decimals}f}"


# --- Rows ---------------------------------------------------------------------------------------------


def format_data(watch: Watch) -> str:
    """Return the number of examples, and of discordant pairs or errors."""
    text = count_text(watch.examples, "example")
    evidence: Any = watch.evidence
    if watch.watches == "rate":
        return f"{count_text(int(evidence.errors), 'error')} in {text}"
    if watch.watches != "pair":
        return text
    a, b = _short_names(watch)
    right = _as_accuracy(watch)
    word = "right" if right else "wrong"
    only_a, only_b = int(evidence.only_a_wrong), int(evidence.only_b_wrong)
    counts = [(only_b, a), (only_a, b)] if right else [(only_a, a), (only_b, b)]
    text = f"{text}, {only_a + only_b:,} discordant"
    if not only_a and not only_b:
        return text
    (more, first), (fewer, second) = sorted(counts, key=lambda item: -item[0])
    ends = (f"{fewer:,} only {second} {word}", f"{fewer:,} only {second}", f"{fewer:,} {second}")
    texts = [f"{text}: {more:,} only {first} {word}, {end}" for end in ends]
    return next((short for short in texts if len(short) <= _ROOM), texts[0])


def format_test(watch: Watch) -> str:
    """Return the rule with its reference, the e-value or z that it needs, and alpha; empty without a test."""
    alpha = f"alpha = {watch.alpha:.6g}"
    if watch.rule in PLANNED:
        return f"{_name_rule(watch)}: {_format_boundary(watch)}, {alpha}"
    if watch.watches != "pair":
        return "" if watch.against is None and len(watch.models) == 1 else f"{_name_rule(watch)}, {alpha} at any stop"
    text = f"{_name_rule(watch)}: {1 / watch.alpha:.3g} needed, {alpha} at any stop"
    text += _describe_prior(watch)
    best = max(range(len(watch.looks)), key=lambda index: watch.looks[index].evalue, default=0)
    if watch.looks and watch.looks[best].evalue > watch.last.evalue:
        text += f"; largest {evalue_text(watch.looks[best].evalue, 1 / watch.alpha)} at look {best + 1}"
    return text


def _describe_prior(watch: Watch) -> str:
    """Return the prior of the bets if it is not the default."""
    prior = watch.prior
    if prior is None or prior == prior_for(watch.rule, None):
        return ""
    return f", bets from {prior_text(BetaPrior(*(prior if isinstance(prior, tuple) else (prior, prior))))}"


def _format_boundary(watch: Watch) -> str:
    planned = f"{watch.total:,} examples planned"
    if not watch.looks:
        return planned
    look = watch.last
    share = f"{100 * min(look.examples / (watch.total or math.inf), 1):.3g}% of {planned}"
    if math.isinf(look.boundary):
        return f"no z decides at {share}"
    return f"z = {abs(look.z):.3f}, {look.boundary:.3f} needed at {share}"


def _name_rule(watch: Watch) -> str:
    gives = "test" if watch.watches == "pair" else "interval"
    offer = next((offer for offer in find_methods(name=watch.rule) if offer.gives == gives), None)
    title = _PLANNED_TITLES.get(watch.rule, "betting confidence sequence") if offer is None else offer.display_title
    reference = watch.references[-2 if watch.rule in PLANNED else 0] if offer is None else offer.reference
    return f"{title} ({reference_of(reference).citation})"


def _list_interval_lines(watch: Watch, *, verbose: bool) -> Iterator[str]:
    if watch.rule in PLANNED:
        yield f"repeated confidence interval ({reference_of('jennison2000').citation})"
    else:
        offer = next((offer for offer in find_methods(name=watch.rule) if offer.gives == "interval"), None)
        title = "betting confidence sequence" if offer is None else offer.display_title
        reference = watch.references[0] if offer is None else offer.reference
        prior = _describe_prior(watch) if watch.watches == "rate" else ""
        yield f"{title} ({reference_of(reference).citation}){prior}"
    common = watch.intersection
    if verbose and common is not None:
        scale, sign = (
            (_estimate_scale(watch), 1) if len(watch.models) == 1 else (_difference_scale(watch), _leading_sign(watch))
        )
        low, high = sorted((sign * float(common.low), sign * float(common.high)))
        yield f"{watch.rule}; in the intervals of all looks: {scale.range(low, high, unit=True)}"


# --- One line per look --------------------------------------------------------------------------------


def build_look_table(watch: Watch, most: int) -> TextTable:
    """Return one line for each of the last looks, in the leader's direction."""
    first = max(0, len(watch.looks) - most)
    pair = len(watch.models) == 2
    scale = _difference_scale(watch) if pair else _estimate_scale(watch)
    sign = _leading_sign(watch) if pair else 1
    value = f"{_direction(watch)} by" if pair else _quantity(watch).lower()
    figures = ["z", "needed"] if watch.rule in PLANNED else ["e-value"] if watch.watches == "pair" else []
    head = ["look", "examples", value, f"{level_text(watch.alpha)} CI", *figures, "", "batch"]
    flip = sign if pair and watch.last.estimate * sign >= 0 else -sign if pair else 1
    lines = [
        _format_look(watch, number, look, scale, flip) for number, look in enumerate(watch.looks[first:], first + 1)
    ]
    kept = [index for index, name in enumerate(head) if name or any(line[index] for line in lines)]
    if not any(line[-1] for line in lines):
        kept = [index for index in kept if head[index] != "batch"]
    return TextTable(
        head=[head[index] for index in kept],
        lines=[[line[index] for index in kept] for line in lines],
        align="".join("l" if head[index] in {"look", "", "batch"} else "r" for index in kept),
    )


def _format_look(watch: Watch, number: int, look: InterimAnalysis, scale: Scale, sign: int) -> list[str]:
    low, high = sorted((sign * look.low, sign * look.high))
    limits = "" if math.isnan(look.low) else scale.range(low, high)
    figures: list[str] = []
    if watch.rule in PLANNED:
        boundary = "" if look.late else "none" if math.isinf(look.boundary) else f"{look.boundary:.3f}"
        figures = ["" if look.late else f"{abs(look.z):.3f}", boundary]
    elif watch.watches == "pair":
        figures = [evalue_text(look.evalue, 1 / watch.alpha)]
    state = "after the plan" if look.late else "decided" if number == watch.decided_at else ""
    source = " ".join(printable(look.source).split())
    return [str(number), f"{look.examples:,}", scale.value(sign * look.estimate), limits, *figures, state, source]


def list_look_cells(watch: Watch, most: int) -> tuple[list[str], list[list[str]]]:
    """Return the head of each column, and plain numbers for each of the last looks, for a page that sorts them."""
    what = {"pair": "difference (pp)", "paired scores": "difference", "rate": "error rate (%)", "mean": "mean score"}
    figures = ["z", "boundary"] if watch.rule in PLANNED else ["e-value"] if watch.watches == "pair" else []
    head = ["look", "examples", what[watch.watches], *figures, "low", "high", "decides", "source"]
    first = max(0, len(watch.looks) - most)
    looks = watch.looks[first:]
    decimals = _count_decimals(watch, looks)
    lines = [_list_cells(watch, number, look, decimals) for number, look in enumerate(looks, first + 1)]
    kept = len(head) if any(look.source for look in looks) else -1
    return head[:kept], [line[:kept] for line in lines]


def _list_cells(watch: Watch, number: int, look: InterimAnalysis, decimals: int) -> list[str]:
    figures: list[str] = []
    if watch.rule in PLANNED:
        boundary = "none" if math.isinf(look.boundary) else _format_number(look.boundary)
        figures = [_format_number(look.z), boundary]
    elif watch.watches == "pair":
        figures = ["above 1e+300" if look.evalue > 1e300 else f"{look.evalue:.3g}"]
    decides = dict(zip("AB", watch.models, strict=False)).get(look.decides, look.decides)
    decides = "after the plan" if look.late else decides
    values = (_percent_factor(watch) * value for value in (look.estimate, look.low, look.high))
    estimate, low, high = ("–" if math.isnan(value) else f"{value:.{decimals}f}" for value in values)
    names = (" ".join(printable(name).split()) for name in (decides, look.source))  # names from files
    return [str(number), str(look.examples), estimate, *figures, low, high, *names]


def _count_decimals(watch: Watch, looks: Sequence[InterimAnalysis]) -> int:
    """Return the decimals that show two digits of the narrowest interval."""
    widths = [_percent_factor(watch) * (look.high - look.low) for look in looks if look.high > look.low]
    least = 2 if _percent_factor(watch) == 100 else 4
    return max(least, 1 - math.floor(math.log10(min(widths)))) if widths else least


def _percent_factor(watch: Watch) -> int:
    return 100 if watch.watches in ("pair", "rate") else 1


def _format_number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"


def name_parameter(watch: Watch) -> str:
    """Return the parameter of the interval."""
    if watch.watches == "pair":
        return f"error({watch.models[0]}) − error({watch.models[1]})"
    if watch.watches == "paired scores":
        return f"score({watch.models[1]}) − score({watch.models[0]})"
    return "error rate" if watch.watches == "rate" else "mean score"
