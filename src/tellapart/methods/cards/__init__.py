"""Cards: measured error rates of every test and interval, kept as data, and the bounds that a standing promises.

`make calibration` writes the data (one file for each kind of evidence); nothing here computes a figure. A file is
read when the first card of its evidence is requested.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from ...display import TextTable
from ...rendering import Rendered
from ..registry import Offer, Standing, snake_case

__all__ = ["Card", "CardRow", "RateSummary", "breaches", "card", "file_of", "holds_at", "key_of"]

CARRIED = ("test", "interval", "pairs")  # what has a card
ANYWHERE = {"examples": (5.0, math.inf)}  # the range of every method that does not state another
FACT_TITLES = {  # how the facts of a design read; others read as they are
    "area": "AUC",
    "cluster_size": "examples per cluster",
    "cochran": "effective sample size over squared skewness",
    "counted": "examples the metric counts",
    "datasets": "data sets",
    "disagreement": "discordant rate",
    "disagreements": "discordant pairs",
    "exchangeable": "exchangeable models",
    "misranked": "misranked examples of the smaller class",
    "normal": "normal effects",
    "outcomes": "discordant examples × models",
    "outlier": "outliers",
    "rarest": "examples of the rarest class",
    "sets": "training sets",
    "smaller": "examples of the smaller class",
    "smallest_group": "clusters of the smallest group",
    "spreads": "ratio of the standard deviations",
    "stable": "stable learners",
    "test": "test examples",
}
_FLAGS = {  # how facts read that are 0, not 1
    "exchangeable": "models not exchangeable",
    "normal": "effects not normal",
    "outlier": "no outliers",
    "stable": "unstable learners",
}
_ROUNDING = 1e-9  # an exact figure may reach a bound


class _Promise(NamedTuple):
    """The bounds of a standing: the most that coverage may be below its level, and type I error rates above alpha."""

    mean: float
    least: float
    times: float


PROMISES = {Standing.RECOMMENDED: _Promise(0.01, 0.12, 1.2), Standing.SOUND: _Promise(0.02, 0.15, 1.7)}


class RateSummary(NamedTuple):
    """A rate over several designs: its mean, its extreme, and the design of the extreme."""

    mean: float
    extreme: float | None  # the largest type I error rate, the smallest coverage; None if only the mean was measured
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """The error rates of one method over a range of designs: exact, or in a number of trials of each."""

    design: str
    facts: Mapping[str, Any]  # a number, or a range
    designs: int
    trials: int = 0  # of each design; 0: every outcome was enumerated
    seed: int | None = None
    alternative: str = "two-sided"
    options: Mapping[str, Any] = field(default_factory=dict)
    size: RateSummary | None = None
    power: float | None = None
    power_at: str = ""
    coverage: RateSummary | None = None
    width: float | None = None

    @property
    def how(self) -> str:
        """The number of trials, or "exact"."""
        return f"{self.trials:,} trials" if self.trials else "exact"

    def describe_rates(self) -> list[str]:
        """Return one clause for each of the rates."""
        clauses = []
        if self.size is not None:
            clauses.append(_describe_rate("type I error rate", self.size, "maximum"))
        if self.power is not None:
            clauses.append(f"power {_format_digits(self.power)} for {self.power_at}")
        if self.coverage is not None:
            clauses.append(_describe_rate("coverage", self.coverage, "minimum"))
        if self.width is not None:
            clauses.append(f"mean width {self.width:.4g}")
        return clauses

    def as_dict(self) -> dict[str, Any]:
        """Return the row as it is stored in the file."""
        kept: dict[str, Any] = {"design": self.design, "facts": dict(self.facts), "designs": self.designs}
        kept |= {"trials": self.trials or "exact"} | ({"seed": self.seed} if self.trials else {})
        kept |= {"alternative": self.alternative} | ({"options": dict(self.options)} if self.options else {})
        for name, rate, extreme in (("size", self.size, "largest"), ("coverage", self.coverage, "smallest")):
            if rate is not None:
                kept[name] = {"mean": rate.mean} | (
                    {} if rate.extreme is None else {extreme: rate.extreme, "at": rate.at}
                )
            if name == "size" and self.power is not None:
                kept["power"] = {"value": self.power, "at": self.power_at}
        return kept | ({} if self.width is None else {"width": self.width})

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> CardRow:
        """Return the row that `as_dict` wrote."""
        size, coverage, power = kept.get("size"), kept.get("coverage"), kept.get("power", {})
        return cls(
            design=kept["design"],
            facts=kept["facts"],
            designs=kept["designs"],
            trials=0 if kept["trials"] == "exact" else kept["trials"],
            seed=kept.get("seed"),
            alternative=kept["alternative"],
            options=kept.get("options", {}),
            size=size and RateSummary(size["mean"], size.get("largest"), size.get("at", "")),
            power=power.get("value"),
            power_at=power.get("at", ""),
            coverage=coverage and RateSummary(coverage["mean"], coverage.get("smallest"), coverage.get("at", "")),
            width=kept.get("width"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Card(Rendered):
    """The measured error rates of one method, and the command that measures them.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> from tellapart.methods import find_method
    >>> measured = card(find_method("mcnemar-exact", "test", PairedTable))
    >>> all(row.size.extreme <= 0.05 for row in measured.entries)
    True
    """

    method: Offer
    alpha: float
    command: str
    entries: tuple[CardRow, ...]

    def within(self) -> tuple[CardRow, ...]:
        """Return the rows inside the range for which the method is valid; the bounds of its standing apply to them."""
        return tuple(row for row in self.entries if holds_at(self.method, row.facts))

    def rows(self) -> list[tuple[str, str]]:
        """Return the designs and the rates of every row."""
        return [(self._label_row(row), "; ".join([*row.describe_rates(), row.how])) for row in self.entries]

    def _label_row(self, row: CardRow) -> str:
        """Return the designs of a row with the range of each fact, and whether one is outside the method's range."""
        inside = holds_at(self.method, row.facts)
        parts = [row.design, *(_format_fact(name, value) for name, value in self._facts_to_show(row))]
        parts += [] if row.alternative == "two-sided" else [f"one-sided ({row.alternative})"]
        return ", ".join([*parts, *([] if inside else ["outside its valid range"])])

    def _facts_to_show(self, row: CardRow) -> list[tuple[str, Any]]:
        """Return the facts of a row that are ranges, and those outside the method's range."""
        ranges = {name: value for name, value in row.facts.items() if isinstance(value, list) and name != "error"}
        outside = {name: value for name, value in row.facts.items() if _is_outside(self.method, name, value)}
        return [*(ranges | outside).items()]

    def cells(self) -> list[list[str]]:
        """Return the headings, and the cells of every row below them."""
        tests, limits = (any(getattr(row, name) for row in self.entries) for name in ("size", "coverage"))
        heads = ["mean type I error", "maximum", "power"] * tests + ["mean coverage", "minimum", "width"] * limits
        lines = [["designs", *heads, "how"]]
        for row in self.entries:
            shown = [*_format_rate(row.size), _format_cell(row.power)] * tests + [
                *_format_rate(row.coverage),
                _format_cell(row.width),
            ] * limits
            lines.append([self._label_row(row), *shown, row.how])
        return lines

    def notes(self) -> Iterator[str]:
        """Yield the design of the extreme rate, and the design of the power."""
        rates = (("size", "type I error rate", max, "maximum"), ("coverage", "coverage", min, "minimum"))
        for name, title, worst, word in rates:
            values = [getattr(row, name) for row in self.within() or self.entries]
            measured = [rate for rate in values if rate and rate.at]
            if measured:
                rate = worst(measured, key=lambda rate: rate.extreme)
                where = " within the valid range" if self.method.standing in PROMISES else ""
                yield f"{word.capitalize()} {title}{where}, {_format_digits(rate.extreme)}: {rate.at}."
        designs = [row.power_at for row in self.entries if row.power is not None]
        if designs:
            yield f"Power in the last row: {designs[-1]}."

    def text_table(self, caption: str = "", notes: Sequence[str] = ()) -> TextTable:
        """Return the cells of a terminal: without facts that repeat the design, and with marks for what recurs."""
        tests, limits = (any(getattr(row, name) for row in self.entries) for name in ("size", "coverage"))
        heads = ["type I\nmean", "type I\nmax", "power"] * tests + ["coverage\nmean", "coverage\nmin", "width"] * limits
        counts = dict.fromkeys(row.how for row in self.entries)
        outside = any(not holds_at(self.method, row.facts) for row in self.entries)
        lines = [
            [self._shorten_row_label(row), *cells[1:-1], *[row.how] * (len(counts) > 1)]
            for row, cells in zip(self.entries, self.cells()[1:], strict=True)
        ]
        return TextTable(
            head=["design", *heads, *["how"] * (len(counts) > 1)],
            lines=lines,
            align="l" + "r" * (len(lines[0]) - 1),
            caption="; ".join(filter(None, [caption, *(counts if len(counts) == 1 else ())])),
            notes=(*["* outside the valid range"] * outside, *notes),
        )

    def _shorten_row_label(self, row: CardRow) -> str:
        """Return the designs of a row for a terminal; * if one is outside the method's range."""
        inside = holds_at(self.method, row.facts)
        ranges = [_format_fact(name, value) for name, value in self._facts_to_show(row) if not _repeats(row, value)]
        sided = [] if row.alternative == "two-sided" else ["1-sided"]
        return f"{', '.join([row.design, *ranges, *sided])}{'' if inside else '*'}"

    def __str__(self) -> str:
        return "\n".join(self.text_table(notes=tuple(self.notes())).to_lines(indent=0))

    def table(self) -> Iterator[str]:
        """Return a Markdown table, and the notes below it."""
        head, *lines = self.cells()
        yield f"| {' | '.join(head)} |"
        yield f"|---|{'---:|' * (len(head) - 2)}---|"
        for line in lines:
            yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |"
        yield from ("", " ".join(self.notes()))

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        rows = [row.as_dict() | {"within": holds_at(self.method, row.facts)} for row in self.entries]
        return {"command": self.command, "alpha": self.alpha, "rows": rows}

    def __repr__(self) -> str:
        return str(self)


def card(method: Offer) -> Card | None:
    """Return the card of a method, or None if it has not been measured.

    Examples
    --------
    >>> from tellapart.evidence import ErrorCount
    >>> from tellapart.methods import find_method
    >>> measured = card(find_method("wald", "interval", ErrorCount))
    >>> min(row.coverage.extreme for row in measured.entries) < 0.01
    True
    """
    content = _read_card_file(method.evidence.__name__)
    kept = content.get("cards", {}).get(key_of(method))
    if kept is None or not method.function.__module__.startswith("tellapart."):  # a plugin may take our names
        return None
    rows = tuple(CardRow.from_dict(row) for row in kept)
    return Card(method=method, alpha=content["alpha"], command=content["command"], entries=rows)


def key_of(method: Offer) -> str:
    """Return the key of a method in the file of its evidence."""
    return f"{method.name} {method.gives}"


def file_of(evidence: str) -> str:
    """Return the name of the file for an evidence.

    Examples
    --------
    >>> file_of("PairedTable")
    'paired_table.json'
    """
    return f"{snake_case(evidence)}.json"


@cache
def _read_card_file(evidence: str) -> dict[str, Any]:
    from importlib.resources import files

    path = files(__name__) / file_of(evidence)
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


# --- The bounds of a standing ---------------------------------------------------------------------


def holds_at(method: Offer, facts: Mapping[str, Any]) -> bool:
    """Return whether designs with such facts are all inside the range for which the method is valid.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> from tellapart.methods import find_method
    >>> mid_p = find_method("mcnemar-mid-p", "test", PairedTable)
    >>> holds_at(mid_p, {"examples": 50, "disagreement": [0.02, 0.8]}), holds_at(mid_p, {"examples": 2})
    (True, False)
    """
    # A design may have no examples: effects that are drawn as they are.
    stated = all(name in facts for name in method.where)
    return stated and not any(_is_outside(method, name, value) for name, value in facts.items())


def _is_outside(method: Offer, name: str, value: Any) -> bool:
    """Return whether a fact, or part of a range, is outside the range for which the method is valid."""
    low, high = (ANYWHERE | dict(method.where)).get(name, (-math.inf, math.inf))
    least, most = value if isinstance(value, list | tuple) else (value, value)
    return bool(least < low - _ROUNDING or most > high + _ROUNDING)


def breaches(method: Offer, measured: Card) -> list[str]:
    """Return one sentence for each rate of a card that breaks a bound of the method's standing.

    A rate in trials breaks a bound only if its 95% Clopper-Pearson interval excludes the bound.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> from tellapart.methods import find_method
    >>> tango = find_method("tango", "interval", PairedTable)
    >>> breaches(tango, card(tango))
    []
    """
    if not method.guarantees and method.standing not in PROMISES:
        return []
    rows = measured.within()
    if not rows:
        return [f"{key_of(method)}: no measured design is within the valid range of the method ({dict(method.where)})"]
    found_breaches = ((row, text) for row in rows for text in _find_breaches(method, row, measured.alpha))
    return [f"{key_of(method)}: {row.design}: {text}" for row, text in found_breaches]


def _find_breaches(method: Offer, row: CardRow, alpha: float) -> Iterator[str]:
    promise = PROMISES.get(method.standing, _Promise(0.0, 0.0, 1.0))
    level, of_prior = 1 - alpha, "prior" in method.required  # whose bounds apply to the mean only
    if row.size is not None:
        most = alpha if method.guarantees or of_prior else promise.times * alpha
        where, shown, trials = "", row.size.mean, row.trials * row.designs
        if not of_prior and row.size.extreme is not None:
            where, shown, trials = f" at {row.size.at}", row.size.extreme, row.trials
        if _share_limits(shown, trials)[0] > most + _ROUNDING:
            yield f"type I error rate {shown:.4f}{where}, bound {most:g}"
    if row.coverage is not None:
        floors = (0.0, 0.0) if method.guarantees or of_prior else (promise.mean, promise.least)
        if _share_limits(row.coverage.mean, row.trials * row.designs)[1] < level - floors[0] - _ROUNDING:
            yield f"mean coverage {row.coverage.mean:.4f}, bound {level - floors[0]:g}"
        if of_prior or row.coverage.extreme is None:
            return
        if _share_limits(row.coverage.extreme, row.trials)[1] < level - floors[1] - _ROUNDING:
            yield f"coverage {row.coverage.extreme:.4f} at {row.coverage.at}, bound {level - floors[1]:g}"


def _share_limits(share: float, trials: int) -> tuple[float, float]:
    """Return the 95% limits of a rate in trials; an exact probability is both limits itself."""
    if not trials:
        return share, share
    from ...evidence import ErrorCount
    from ..error_count.exact import clopper_pearson

    interval = clopper_pearson(ErrorCount(round(share * trials), trials)).interval()
    return float(interval.low), float(interval.high)


def _describe_rate(name: str, rate: RateSummary, extreme: str) -> str:
    if rate.extreme is None:
        return f"mean {name} {_format_digits(rate.mean)}"
    if rate.extreme == rate.mean:
        return f"{name} {_format_digits(rate.mean)}"
    return f"mean {name} {_format_digits(rate.mean)}, {extreme} {_format_digits(rate.extreme)} ({rate.at})"


def _format_fact(name: str, value: Any) -> str:
    """Return a fact of a design with its title."""
    title = FACT_TITLES.get(name, name)
    if name in _FLAGS:
        return title if value else _FLAGS[name]
    return f"{title} {_format_range(value)}"


def _repeats(row: CardRow, value: Any) -> bool:
    """Return whether the design of a row already has the number of a fact."""
    numbers = set(value) if isinstance(value, list) else {value}
    return len(numbers) == 1 and re.search(rf"(?<![\d.]){min(numbers):g}(?![\d.])", row.design) is not None


def _format_range(value: Any) -> str:
    return f"{value[0]:.4g} to {value[1]:.4g}" if isinstance(value, list) else f"{value:.4g}"


def _format_rate(rate: RateSummary | None) -> tuple[str, str]:
    return ("–", "–") if rate is None else (_format_cell(rate.mean), _format_cell(rate.extreme))


def _format_cell(value: float | None) -> str:
    return "–" if value is None else _format_digits(value)


def _format_digits(value: float) -> str:
    return f"{value:.4f}" if value >= 1e-4 or value == 0 else f"{value:.1e}"
