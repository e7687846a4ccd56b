"""Cards: what the lab measured of every test and interval, kept as data, and what a standing promises.

`make calibration` writes the data (one file for each kind of evidence); nothing here computes a figure. A file is
read when the first card of its evidence is asked for.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from ...rendering import Rendered, folded
from ..registry import Offer, Standing, snake_case

__all__ = ["Card", "CardRow", "Found", "breaches", "card", "file_of", "holds_at", "key_of"]

CARRIED = ("test", "interval", "pairs")  # what has a card
ANYWHERE = {"examples": (5.0, math.inf)}  # where every method is held to its promise, unless it says otherwise
_ROUNDING = 1e-9  # an exact figure may reach a bound


class _Promise(NamedTuple):
    """What a standing promises: how far coverage may fall below the level, and how many times alpha a size may be."""

    mean: float
    least: float
    times: float


PROMISES = {Standing.RECOMMENDED: _Promise(0.01, 0.12, 1.2), Standing.SOUND: _Promise(0.02, 0.15, 1.7)}


class Found(NamedTuple):
    """A share over several designs: its mean, the one that matters most, and at which design that is."""

    mean: float
    extreme: float | None  # the largest size, the smallest coverage; None where only the mean was looked at
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """What one method does over a range of designs: exactly, or in so many trials of each."""

    design: str
    facts: Mapping[str, Any]  # a number, or the least and the most of them
    designs: int
    trials: int = 0  # of each design; 0: every outcome was enumerated
    seed: int | None = None
    alternative: str = "two-sided"
    options: Mapping[str, Any] = field(default_factory=dict)
    size: Found | None = None
    power: float | None = None
    power_at: str = ""
    coverage: Found | None = None
    width: float | None = None

    @property
    def how(self) -> str:
        """Say whether the figures are exact."""
        return f"{self.trials:,} trials" if self.trials else "exact"

    def told(self) -> list[str]:
        """Return the figures, a clause each."""
        said = []
        if self.size is not None:
            said.append(_told("size", self.size, "largest"))
        if self.power is not None:
            said.append(f"power {_digits(self.power)} to see {self.power_at}")
        if self.coverage is not None:
            said.append(_told("coverage", self.coverage, "smallest"))
        if self.width is not None:
            said.append(f"mean width {self.width:.4g}")
        return said

    def as_dict(self) -> dict[str, Any]:
        """Return the row as it is kept in the file."""
        kept: dict[str, Any] = {"design": self.design, "facts": dict(self.facts), "designs": self.designs}
        kept |= {"trials": self.trials or "exact"} | ({"seed": self.seed} if self.trials else {})
        kept |= {"alternative": self.alternative} | ({"options": dict(self.options)} if self.options else {})
        for name, found, extreme in (("size", self.size, "largest"), ("coverage", self.coverage, "smallest")):
            if found is not None:
                kept[name] = {"mean": found.mean} | (
                    {} if found.extreme is None else {extreme: found.extreme, "at": found.at}
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
            size=size and Found(size["mean"], size.get("largest"), size.get("at", "")),
            power=power.get("value"),
            power_at=power.get("at", ""),
            coverage=coverage and Found(coverage["mean"], coverage.get("smallest"), coverage.get("at", "")),
            width=kept.get("width"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Card(Rendered):
    """All that was measured of one method, and the command that measures it again.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> from tellapart.methods import find_method
    >>> found = card(find_method("mcnemar-exact", "test", PairedTable))
    >>> all(row.size.extreme <= 0.05 for row in found.entries)
    True
    """

    method: Offer
    alpha: float
    command: str
    entries: tuple[CardRow, ...]

    def within(self) -> tuple[CardRow, ...]:
        """Return the rows that lie where the method says it holds: these are held to its promise."""
        return tuple(row for row in self.entries if holds_at(self.method, row.facts))

    def rows(self) -> list[tuple[str, str]]:
        """Return a line for each row: the designs, and the figures."""
        return [(self._label(row), "; ".join([*row.told(), row.how])) for row in self.entries]

    def _label(self, row: CardRow) -> str:
        """Return the words of a row, the range of each fact, and if it is outside of the method's, by which fact."""
        inside = holds_at(self.method, row.facts)
        told = [name for name, held in row.facts.items() if isinstance(held, list) and name != "error"]
        if not inside:
            told += [name for name, held in row.facts.items() if name not in told and _outside(self.method, name, held)]
        parts = [row.design, *(f"{name} {_range(row.facts[name])}" for name in told)]
        parts += [] if row.alternative == "two-sided" else [f"one-sided ({row.alternative})"]
        return ", ".join([*parts, *([] if inside else ["outside its range"])])

    def cells(self) -> list[list[str]]:
        """Return the headings, and the cells of every row below them."""
        tests, limits = (any(getattr(row, name) for row in self.entries) for name in ("size", "coverage"))
        heads = ["mean size", "largest", "power"] * tests + ["mean coverage", "smallest", "width"] * limits
        lines = [["designs", *heads, "how"]]
        for row in self.entries:
            shown = [*_cells(row.size), _cell(row.power)] * tests + [*_cells(row.coverage), _cell(row.width)] * limits
            lines.append([self._label(row), *shown, row.how])
        return lines

    def notes(self) -> Iterator[str]:
        """Say where the worst figure of all is, and what power is told of."""
        for name, worst, word in (("size", max, "largest"), ("coverage", min, "smallest")):
            held = [getattr(row, name) for row in self.within() or self.entries if getattr(row, name)]
            if any(found.at for found in held):
                found = worst((found for found in held if found.at), key=lambda found: found.extreme)
                where = "of all where it is said to hold" if self.method.standing in PROMISES else "of all"
                yield f"The {word} {name} {where}, {_digits(found.extreme)}: {found.at}."
        told = [row.power_at for row in self.entries if row.power is not None]
        if told:
            yield f"Power, in the last row that tells it, is to see {told[-1]}."

    def __str__(self) -> str:
        lines = self.cells()
        widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
        table = [
            "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip() for line in lines
        ]
        return "\n".join([*table, *(folded("", note) for note in self.notes())])

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
    """Return the card of a method, or None where nobody has measured it.

    Examples
    --------
    >>> from tellapart.evidence import ErrorCount
    >>> from tellapart.methods import find_method
    >>> found = card(find_method("wald", "interval", ErrorCount))
    >>> min(row.coverage.extreme for row in found.entries) < 0.01
    True
    """
    held = _file(method.evidence.__name__)
    kept = held.get("cards", {}).get(key_of(method))
    if kept is None or not method.function.__module__.startswith("tellapart."):  # a plugin may take our names
        return None
    rows = tuple(CardRow.from_dict(row) for row in kept)
    return Card(method=method, alpha=held["alpha"], command=held["command"], entries=rows)


def key_of(method: Offer) -> str:
    """Return what a method goes by in the file of its evidence."""
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
def _file(evidence: str) -> dict[str, Any]:
    from importlib.resources import files

    path = files(__name__) / file_of(evidence)
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


# --- What a standing promises ---------------------------------------------------------------------


def holds_at(method: Offer, facts: Mapping[str, Any]) -> bool:
    """Whether designs with such facts all lie where the method says that it holds.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> from tellapart.methods import find_method
    >>> mid_p = find_method("mcnemar-mid-p", "test", PairedTable)
    >>> holds_at(mid_p, {"examples": 50, "disagreement": [0.02, 0.8]}), holds_at(mid_p, {"examples": 2})
    (True, False)
    """
    # A design may have no examples: effects that are drawn as they are.
    known = all(name in facts for name in method.where)
    return known and not any(_outside(method, name, held) for name, held in facts.items())


def _outside(method: Offer, name: str, held: Any) -> bool:
    """Whether a fact, or any of a range of them, lies outside of what the method says."""
    low, high = (ANYWHERE | dict(method.where)).get(name, (-math.inf, math.inf))
    least, most = held if isinstance(held, list | tuple) else (held, held)
    return bool(least < low - _ROUNDING or most > high + _ROUNDING)


def breaches(method: Offer, found: Card) -> list[str]:
    """Return where a card breaks what the method's standing promises, a sentence each; none, if it keeps it.

    A share of trials breaks a bound only if its own Clopper-Pearson interval (95 %) leaves the bound out.

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
    rows = found.within()
    if not rows:
        return [f"{key_of(method)}: no row of its card lies where it says it holds ({dict(method.where)})"]
    return [f"{key_of(method)}: {row.design}: {each}" for row in rows for each in _broken(method, row, found.alpha)]


def _broken(method: Offer, row: CardRow, alpha: float) -> Iterator[str]:
    promise = PROMISES.get(method.standing, _Promise(0.0, 0.0, 1.0))
    level, of_prior = 1 - alpha, "prior" in method.required  # which promises an average, and no more
    if row.size is not None:
        most = alpha if method.guarantees or of_prior else promise.times * alpha
        where, shown, trials = "", row.size.mean, row.trials * row.designs
        if not of_prior and row.size.extreme is not None:
            where, shown, trials = f" at {row.size.at}", row.size.extreme, row.trials
        if _limits(shown, trials)[0] > most + _ROUNDING:
            yield f"size {shown:.4f}{where}, {most:g} promised"
    if row.coverage is not None:
        floors = (0.0, 0.0) if method.guarantees or of_prior else (promise.mean, promise.least)
        if _limits(row.coverage.mean, row.trials * row.designs)[1] < level - floors[0] - _ROUNDING:
            yield f"mean coverage {row.coverage.mean:.4f}, {level - floors[0]:g} promised"
        if of_prior or row.coverage.extreme is None:
            return
        if _limits(row.coverage.extreme, row.trials)[1] < level - floors[1] - _ROUNDING:
            yield f"coverage {row.coverage.extreme:.4f} at {row.coverage.at}, {level - floors[1]:g} promised"


def _limits(share: float, trials: int) -> tuple[float, float]:
    """Return the limits of a share of trials; of an exact probability, itself twice."""
    if not trials:
        return share, share
    from ...evidence import ErrorCount
    from ..error_count.exact import clopper_pearson

    interval = clopper_pearson(ErrorCount(round(share * trials), trials)).interval()
    return float(interval.low), float(interval.high)


def _told(name: str, found: Found, extreme: str) -> str:
    if found.extreme is None:
        return f"{name} {_digits(found.mean)} on average"
    if found.extreme == found.mean:
        return f"{name} {_digits(found.mean)}"
    return f"{name} {_digits(found.mean)} on average, {extreme} {_digits(found.extreme)} ({found.at})"


def _range(held: Any) -> str:
    return f"{held[0]:.4g} to {held[1]:.4g}" if isinstance(held, list) else f"{held:.4g}"


def _cells(found: Found | None) -> tuple[str, str]:
    return ("–", "–") if found is None else (_cell(found.mean), _cell(found.extreme))


def _cell(value: float | None) -> str:
    return "–" if value is None else _digits(value)


def _digits(value: float) -> str:
    return f"{value:.4f}" if value >= 1e-4 or value == 0 else f"{value:.1e}"
