"""What a watch says of where things stand: who is better, by how much, how sure, on what, and what to beware of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..display import printable
from ..figures import level_text
from ..methods.error_count.posterior import BetaPrior, prior_text
from ..rendering import percent, plain_number, points, significant
from .watch_looks import PLANNED, Look, prior_for

if TYPE_CHECKING:
    from ..results import Interval
    from .watching import Watch


def sentences(watch: Watch, parts: Iterable[str]) -> str:
    """Return parts as sentences; a model is called as it is called, at the beginning of one, too."""
    return " ".join(part if part.startswith(watch.models) else f"{part[0].upper()}{part[1:]}" for part in parts)


def verdict(watch: Watch) -> str:
    """Say what is decided, and what that allows."""
    by = f"({watch.rule}{_bets(watch)}, alpha = {watch.alpha:.6g})"
    if not watch.looks:
        return f"nothing was looked at yet {by}"
    if watch.decided is not None:
        number = f"decided at look {watch.decided_at} of {len(watch.looks)}"
        stands = "by plan" if watch.rule in PLANNED else "whenever one stops"
        return f"{_claim(watch)}, {stands} {by}: {number}"
    what = _question(watch)
    if not what:
        return f"no threshold to decide on; the interval holds at every look {by}"
    if watch.rule not in PLANNED:
        return f"{what} yet {by}; going on is free, and so is stopping"
    return f"{what}, and the plan is used up {by}" if watch.is_over else f"{what} yet {by}"


def _bets(watch: Watch) -> str:
    """Say what the bets come from where that was chosen."""
    prior = watch.prior
    if prior is None or prior == prior_for(watch.rule, None):
        return ""
    return f" with bets from {prior_text(BetaPrior(*(prior if isinstance(prior, tuple) else (prior, prior))))}"


def _claim(watch: Watch) -> str:
    if watch.decided in ("A", "B"):
        a, b = watch.models
        return f"{b} is better than {a}" if watch.decided == "B" else f"{a} is better than {b}"
    noun = "error" if watch.watches == "rate" else "mean"
    return f"the {noun} of {watch.models[0]} is {watch.decided} {_plain(watch, watch.against or 0.0)}"


def _question(watch: Watch) -> str:
    """Say what is not decided; nothing if nothing was asked."""
    if len(watch.models) == 2:
        return f"{watch.models[0]} and {watch.models[1]} are not told apart"
    if watch.against is None:
        return ""
    noun = "error" if watch.watches == "rate" else "mean"
    return f"the {noun} of {watch.models[0]} is neither shown to be below {_plain(watch, watch.against)} nor above it"


def _plain(watch: Watch, value: float) -> str:
    return f"{100 * value:.6g} %" if watch.watches == "rate" else f"{value:.6g}"


def by_how_much(watch: Watch) -> str:
    """Give the estimate, the interval now, and what all looks together leave."""
    look, now = watch.last, watch.interval
    level = f"{level_text(watch.alpha)} at all looks at once"
    told = f"{_estimate(watch, look, now)}; {parameter(watch)}: "
    if now is None:
        return f"{told}no value is left at this look"
    bar = 0.0 if len(watch.models) == 2 else watch.against
    told += f"{now.limits_text(bar)} now"
    every = watch.intersection
    if every is not None and every.limits_text(bar) != now.limits_text(bar):
        told += f", {every.limits_text(bar)} in the intervals of all looks so far"
    return f"{told} ({level})"


def parameter(watch: Watch) -> str:
    """Say what the interval is of."""
    if watch.watches == "pair":
        return f"error({watch.models[0]}) − error({watch.models[1]})"
    if watch.watches == "paired scores":
        return f"score({watch.models[1]}) − score({watch.models[0]})"
    return "the true error" if watch.watches == "rate" else "the true mean"


def _estimate(watch: Watch, look: Look, now: Interval | None) -> str:
    spread = abs(look.estimate) if now is None else float(now.width)
    if watch.watches == "rate":
        return f"the error of {watch.models[0]} is {percent(look.estimate, spread)}"
    if watch.watches == "mean":
        return f"the mean of {watch.models[0]} is {plain_number(look.estimate, spread)}"
    a, b = watch.models if look.estimate > 0 else watch.models[::-1]
    size = abs(look.estimate)
    if watch.watches == "paired scores":
        more = f"{b} scores {plain_number(size, spread)} more than {a} on average"
        return more if size else f"{a} and {b} score equally"
    return f"{a} errs {points(size, spread)} more often than {b}" if size else f"{a} and {b} err equally often"


def how_sure(watch: Watch) -> str:
    """Give the e-value or z, and what decides; nothing for rules that have neither."""
    look = watch.last
    if watch.rule in PLANNED:
        share = min(look.examples / (watch.total or math.inf), 1)
        bound = "no z decides" if math.isinf(look.boundary) else f"beyond ±{look.boundary:.3f} decides"
        return f"z = {look.z:.3f}; {bound} at {100 * share:.3g} % of the {watch.total} examples planned"
    if math.isnan(look.evalue):
        return ""
    told = f"e-value {evalue_text(look.evalue)}; {significant(1 / watch.alpha)} decides (1/alpha)"
    best = max(range(len(watch.looks)), key=lambda place: watch.looks[place].evalue)
    if watch.looks[best].evalue > look.evalue:
        told += f"; largest so far: {evalue_text(watch.looks[best].evalue)} at look {best + 1}"
    stands = watch.decided_at is not None and look.evalue < 1 / watch.alpha
    return f"{told}; what was decided at look {watch.decided_at} stands" if stands else told


def evalue_text(evalue: float) -> str:
    """Write an e-value with three digits; the largest float stands for more.

    Examples
    --------
    >>> evalue_text(23.41), evalue_text(1.7976931348623157e308)
    ('23.4', 'above 1e+300')
    """
    return "above 1e+300" if evalue > 1e300 else significant(evalue)


def seen(watch: Watch) -> str:
    """Say on what this rests."""
    looks = _counted(len(watch.looks), "look")
    if watch.held is None:
        return looks
    told = f"{looks}, {_counted(watch.examples, 'example')}"
    evidence: Any = watch.held  # of the kind that is watched
    if watch.watches == "pair":
        return f"{told}, {_counted(int(evidence.disagreements), 'disagreement')}. {evidence.describe()}"
    return f"{told}, {_counted(int(evidence.errors), 'error')}" if watch.watches == "rate" else told


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def beware(watch: Watch) -> str:
    """Say what an ordinary p-value or interval would need, and what these rules do."""
    looks = len(watch.looks)
    if watch.rule in PLANNED:
        told = (
            "Boundaries are by the normal approximation, for this total and this rule, both fixed beforehand; a look"
            " within them allows no claim."
        )
        counting = len(watch.looks) - sum(look.late for look in watch.looks)
        if watch.decided_at is not None and watch.decided_at < counting:
            told += f" What came after look {watch.decided_at} narrows the interval and changes no decision."
        late = sum(look.late for look in watch.looks)
        if late:
            after = watch.examples - watch.last.examples
            told += (
                f" {_counted(late, 'look')} ({_counted(after, 'example')}) came after the end of the plan; alpha was"
                " spent, and nothing above rests on them."
            )
        return told
    told = "An ordinary p-value or interval is right for one look only"
    if looks > 1:
        told += (
            f": over {looks} looks each would need p below {significant(watch.alpha / looks)} (alpha/{looks}),"
            " their number fixed beforehand"
        )
    order = ", and their order must have nothing to do with their scores" * (watch.rule == "betting")
    return f"{told}. Every example must be new and independent of the others{order}."


def broken(watch: Watch) -> str:
    """Say what it means that no value has stood in all looks; nothing where one has."""
    if not watch.broken:
        return ""
    return (
        "The intervals of the looks have no value in common. That is no interval, but a sign that what the rule assumes"
        " does not hold: the examples drift, depend on each other, or were added twice. Do not use the decision."
    )


# --- A line for each look -----------------------------------------------------------------------------


def table_of_looks(watch: Watch, most: int) -> tuple[list[str], list[list[str]]]:
    """Return the head of each column, and a line for each of the last looks, at most so many."""
    what = {"pair": "difference (points)", "paired scores": "difference", "rate": "error (%)", "mean": "mean"}
    figures = ["z", "boundary"] if watch.rule in PLANNED else ["e-value"] if watch.watches == "pair" else []
    head = ["look", "examples", what[watch.watches], *figures, "low", "high", "decides", "source"]
    first = max(0, len(watch.looks) - most)
    shown = watch.looks[first:]
    digits = _digits(watch, shown)
    lines = [_line(watch, number, look, digits) for number, look in enumerate(shown, first + 1)]
    kept = len(head) if any(look.source for look in shown) else -1
    return head[:kept], [line[:kept] for line in lines]


def _line(watch: Watch, number: int, look: Look, digits: int) -> list[str]:
    """Return the cells of one look."""
    figures: list[str] = []
    if watch.rule in PLANNED:
        figures = [_figure(look.z), "none" if math.isinf(look.boundary) else _figure(look.boundary)]
    elif watch.watches == "pair":
        figures = [evalue_text(look.evalue)]
    decides = dict(zip("AB", watch.models, strict=False)).get(look.decides, look.decides)
    decides = "after the plan" if look.late else decides
    values = (_scale(watch) * value for value in (look.estimate, look.low, look.high))
    estimate, low, high = ("–" if math.isnan(value) else f"{value:.{digits}f}" for value in values)
    names = (" ".join(printable(name).split()) for name in (decides, look.source))  # a file may be called anything
    return [str(number), str(look.examples), estimate, *figures, low, high, *names]


def _digits(watch: Watch, looks: Sequence[Look]) -> int:
    """Return how many digits the narrowest interval earns: two of its width, but no fewer than a reader expects."""
    widths = [_scale(watch) * (look.high - look.low) for look in looks if look.high > look.low]
    least = 2 if _scale(watch) == 100 else 4
    return max(least, 1 - math.floor(math.log10(min(widths)))) if widths else least


def _scale(watch: Watch) -> int:
    """Return by what a column is multiplied: rates and their differences are told in percent."""
    return 100 if watch.watches in ("pair", "rate") else 1


def _figure(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"
