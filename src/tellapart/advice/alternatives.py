"""What to consider instead of a method, and when; and what not to use, with what the lab found of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from .. import evidence as kinds
from ..evidence import Evidence
from ..methods import Offer, find_method, find_methods
from ..methods.cards import Card, CardRow, card
from ..typing_ import Side
from .questions import read_toml
from .rules import OF_EVIDENCE, OF_SITUATION
from .situation import Situation

# --- Alternatives -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """A method worth considering instead, and when."""

    method: Offer
    when: str
    plan: str = ""  # to race by for it
    interval: str = ""  # to take with it
    side: Side = "two"

    @property
    def text(self) -> str:
        """All of it in a line."""
        by_plan = f", by the plan {self.plan}" if self.plan else ""
        return f"{self.method.name} ({self.method.standing} {self.method.gives}){by_plan}: if {self.when}"

    @property
    def options(self) -> str:
        """What takes it, on a command line, and when."""
        side = "" if self.side == "two" else f" --side {self.side}"
        interval = f" --interval {self.interval}" if self.interval else ""
        plan = f" by --plan {self.plan}" if self.plan else ""
        return f"--method {self.method.name}{side}{interval}{plan}: {self.when}"

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        method = {"method": self.method.name, "gives": self.method.gives, "standing": self.method.standing}
        return method | {"plan": self.plan, "when": self.when}


def find_alternatives(
    methods: Sequence[Offer], situation: Situation, evidence: Evidence | None
) -> Iterator[Alternative]:
    """Yield what to consider instead of these methods, in order of need.

    Examples
    --------
    >>> situation = Situation.of(None).answered(subject="learner", task="estimate", data="little")
    >>> [alternative.method.name for alternative in find_alternatives((), situation, None)][:3]
    ['repeated-kfold', 'kfold', 'holdout']
    """
    tables, kind = read_toml("alternatives.toml")["instead"], type(evidence).__name__
    used = {(method.name, method.gives) for method in methods}
    for entry in tables[kind if kind in tables else _question_of(situation)]:
        conditions = entry.get("if", ())
        applies = (
            all(OF_EVIDENCE[name](evidence) for name in conditions)
            if kind in tables
            else all(OF_SITUATION[name](situation) for name in conditions)
        )
        if applies and (entry["method"], entry["gives"]) not in used:
            yield _read_alternative(entry)


def _question_of(situation: Situation) -> str:
    """Return the name of the table: the question's number, and of several classifiers what they met."""
    if situation.way != 3:
        return str(situation.way)
    if situation.test_sets == "two":
        return "3 two"
    return "3 several" if (situation.models or 2) > 2 else "3 one"


def suggest_alternatives(evidence: Evidence) -> tuple[Alternative, ...]:
    """Return what to consider besides the default for this very evidence: what an answer by default is shown with.

    Martin and Hirschberg (1996, section 6) ask for Beta limits below ten errors; by exact coverage mid-p has the
    better floor there, and Clopper and Pearson's limits the only guarantee. Bouckaert and Frank (2004) measured how
    often a test decides alike on other splits of the same data: ten times 10-fold with the corrected t was the most
    replicable.

    Examples
    --------
    >>> from tellapart.evidence import ErrorCount, PairedTable
    >>> [alternative.method.name for alternative in suggest_alternatives(ErrorCount(3, 120))]
    ['mid-p', 'clopper-pearson']
    >>> [alternative.method.name for alternative in suggest_alternatives(PairedTable(0, 3, 1, 10**6))]
    ['mcnemar-exact']
    """
    return tuple(_beside_default(evidence))


def find_guarantee(evidence: Evidence) -> Alternative | None:
    """Return the method that is taken for such evidence where a guarantee is asked for; None where there is none."""
    return next(_beside_default(evidence, guarantee=True), None)


def _beside_default(evidence: Evidence, *, guarantee: bool = False) -> Iterator[Alternative]:
    for entry in read_toml("alternatives.toml")["beside"].get(type(evidence).__name__, ()):
        if guarantee and not entry.get("guarantee", False):
            continue
        beside = entry.get("default")  # the method beside which it stands
        if beside is not None and beside != evidence.default(entry["gives"]):
            continue
        if all(OF_EVIDENCE[name](evidence) for name in entry.get("if", ())):
            yield _read_alternative(entry)


def _read_alternative(entry: dict[str, Any]) -> Alternative:
    method = find_method(entry["method"], entry["gives"], getattr(kinds, entry["evidence"]))
    facts = {name: entry[name] for name in ("when", "plan", "interval", "side") if name in entry}
    return Alternative(method=method, **facts)


# --- What not to use --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """A method that is kept because papers report it, why it is not to be used, and what the lab measured."""

    method: Offer
    reason: str
    figure: str  # in words; empty where nobody has measured it

    @property
    def text(self) -> str:
        """All of it in a line."""
        return f"{self.method.name}: {self.reason}{f'. {self.figure}' if self.figure else ''}"

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        return {"method": self.method.name, "gives": self.method.gives, "reason": self.reason, "figure": self.figure}


def find_forbidden(
    kind: type[Evidence], gives: Literal["test", "interval"], examples: int | None = None
) -> tuple[Forbidden, ...]:
    """Return the forbidden tests, or intervals, of such evidence, each with its worst figure (at about that size).

    Examples
    --------
    >>> from tellapart.evidence import ErrorCount
    >>> [forbidden.method.name for forbidden in find_forbidden(ErrorCount, "interval")]
    ['bca-bootstrap', 'percentile', 'wald']
    >>> print(find_forbidden(ErrorCount, "interval", examples=30)[-1].figure)
    In the lab its 95 % interval held the truth in as few as 0.0 % of cases (exact; 30 examples, all true errors).
    """
    methods = find_methods(evidence=kind, standing="forbidden", gives=gives)
    return tuple(
        Forbidden(method=method, reason=method.rationale, figure=_format_worst_figure(method, examples))
        for method in methods
    )


def _format_worst_figure(method: Offer, examples: int | None) -> str:
    """Return the worst that the lab found: how often it errs, or where that is seldom, what it misses."""
    measured = card(method)
    if measured is None:
        return ""
    rows = _rows_near(measured, examples)
    if method.gives == "interval":
        row = min(rows, key=lambda row: _extreme_of(row, "coverage", 1.0))
        covered, level = _format_share(_extreme_of(row, "coverage", 1.0)), f"{100 * (1 - measured.alpha):g} %"
        return f"In the lab its {level} interval held the truth in as few as {covered} of cases ({_design_of(row)})."
    row = max(rows, key=lambda row: _extreme_of(row, "size", 0.0))
    size = _extreme_of(row, "size", 0.0)
    alarms = f"In the lab it found a difference in up to {_format_share(size)} of cases without one ({_design_of(row)})"
    if size <= measured.alpha and row.power is not None:
        return f"{alarms}; to see {row.power_at} it had a power of {_format_share(row.power)}."
    return f"{alarms}; {100 * measured.alpha:g} % were meant."


def _rows_near(measured: Card, examples: int | None) -> tuple[CardRow, ...]:
    """Return the rows at the number of examples that is nearest; all where none is asked for, or known."""
    sized = [(row, size) for row in measured.entries if (size := _size_of(row)) is not None]
    if examples is None or not sized:
        return measured.entries
    gap = min(abs(np.log(size / examples)) for _, size in sized)
    return tuple(row for row, size in sized if abs(np.log(size / examples)) <= gap + 1e-9)


def _size_of(row: CardRow) -> float | None:
    size = row.facts.get("examples")
    if isinstance(size, list | tuple):
        size = size[0]
    return float(size) if isinstance(size, int | float) and size > 0 else None


def _extreme_of(row: CardRow, name: str, otherwise: float) -> float:
    """Return the worst size or coverage of a row; `otherwise` where only a mean was looked at, or nothing."""
    figure = getattr(row, name)
    return otherwise if figure is None or figure.extreme is None else float(figure.extreme)


def _format_share(value: float) -> str:
    return f"{100 * value:.1f} %"


def _design_of(row: CardRow) -> str:
    return f"{row.how}; {row.design}"
