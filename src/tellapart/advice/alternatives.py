"""Alternatives to a method, and methods to avoid with their measured error rates."""

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
from .rules_of_thumb import OF_EVIDENCE, OF_SITUATION
from .situation import Situation

# --- Alternatives -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """Another method, and when to use it."""

    method: Offer
    when: str  # "if you need a guaranteed type I error rate"; {b} stands for the second model
    plan: str = ""  # to race by for it
    interval: str = ""  # to take with it
    side: Side = "two"
    option: str = ""  # the option that selects it, if that is not --method
    topic: str = ""  # what it is for, in a word; of alternatives with the same topic the first is printed

    @property
    def request(self) -> str:
        """The option or the name that asks for it."""
        return self.option or self.method.name

    @property
    def text(self) -> str:
        """All of it in a line."""
        by_plan = f" with --plan {self.plan}" if self.plan else ""
        return f"{self.method.name} ({self.method.standing} {self.method.gives}){by_plan} {self.format_condition()}"

    @property
    def options(self) -> str:
        """The options of the command line that select it, and when to use it."""
        side = "" if self.side == "two" else f" --side {self.side}"
        interval = f" --interval {self.interval}" if self.interval else ""
        plan = f" with --plan {self.plan}" if self.plan else ""
        return f"--method {self.method.name}{side}{interval}{plan} {self.format_condition()}"

    def format_condition(self, models: Sequence[str] = ()) -> str:
        """Return when to use it, with the name of the second model."""
        return self.when.replace("{b}", models[1] if len(models) == 2 else "B")

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        method = {"method": self.method.name, "gives": self.method.gives, "standing": self.method.standing}
        return method | {"plan": self.plan, "when": self.when}


def find_alternatives(
    methods: Sequence[Offer], situation: Situation, evidence: Evidence | None
) -> Iterator[Alternative]:
    """Yield alternatives to these methods, the most needed first.

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
    """Return the name of the table: the question's number, for several classifiers with their test sets."""
    if situation.way != 3:
        return str(situation.way)
    if situation.test_sets == "two":
        return "3 two"
    return "3 several" if (situation.models or 2) > 2 else "3 one"


def suggest_alternatives(evidence: Evidence) -> tuple[Alternative, ...]:
    """Return alternatives to the default for this evidence.

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
    return tuple(_iterate_alternatives(evidence))


def find_guarantee(evidence: Evidence) -> Alternative | None:
    """Return the method with a guaranteed type I error rate or coverage; None if there is none."""
    return next(_iterate_alternatives(evidence, guarantee=True), None)


def _iterate_alternatives(evidence: Evidence, *, guarantee: bool = False) -> Iterator[Alternative]:
    for entry in read_toml("alternatives.toml")["beside"].get(type(evidence).__name__, ()):
        if guarantee and not entry.get("guarantee", False):
            continue
        beside = entry.get("default")  # the default method that it is an alternative to
        if beside is not None and beside != evidence.default(entry["gives"]):
            continue
        if all(OF_EVIDENCE[name](evidence) for name in entry.get("if", ())):
            yield _read_alternative(entry)


def _read_alternative(entry: dict[str, Any]) -> Alternative:
    method = find_method(entry["method"], entry["gives"], getattr(kinds, entry["evidence"]))
    facts = {name: entry[name] for name in ("when", "plan", "interval", "side", "option", "topic") if name in entry}
    return Alternative(method=method, **facts)


# --- What not to use --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """A method that papers report but that should not be used, with the reason and its measured error rate."""

    method: Offer
    reason: str
    figure: str  # in words; empty if it was not measured
    cause: str = ""  # the reason in two or three words
    rate: str = ""  # the figure in three or four

    @property
    def is_common(self) -> bool:
        """Whether it is common enough to be named in every recommendation."""
        return bool(self.cause)

    @property
    def brief(self) -> str:
        """Its name, the cause and the worst error rate."""
        return f"{self.method.name}: {self.cause}" + (f"; {self.rate}" if self.rate else "")

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
    """Return the tests, or intervals, of such evidence not to use, each with its worst figure (at about that size).

    Those that are common come first.

    Examples
    --------
    >>> from tellapart.evidence import ErrorCount
    >>> [forbidden.method.name for forbidden in find_forbidden(ErrorCount, "interval")]
    ['wald', 'bca-bootstrap', 'percentile']
    >>> print(find_forbidden(ErrorCount, "interval", examples=30)[0].figure)
    Coverage at nominal 95% as low as 0.0% (exact; 30 examples, all error rates).
    """
    methods = find_methods(evidence=kind, standing="forbidden", gives=gives)
    causes: dict[str, str] = read_toml("alternatives.toml")["avoid"].get(kind.__name__, {})
    names = list(causes)
    entries = []
    for method in methods:
        figure, rate = _format_worst_figure(method, examples)
        cause = causes.get(method.name, "")
        entries.append(Forbidden(method=method, reason=method.rationale, figure=figure, cause=cause, rate=rate))
    return tuple(sorted(entries, key=lambda entry: names.index(entry.method.name) if entry.cause else len(names)))


def _format_worst_figure(method: Offer, examples: int | None) -> tuple[str, str]:
    """Return the worst measured type I error rate, or power if that is low, or coverage; as a sentence and in short."""
    measured = card(method)
    if measured is None:
        return "", ""
    rows = _rows_near(measured, examples)
    if method.gives == "interval":
        row = min(rows, key=lambda row: _extreme_of(row, "coverage", 1.0))
        covered = _extreme_of(row, "coverage", 1.0)
        nominal = f"{100 * (1 - measured.alpha):g}%"
        sentence = f"Coverage at nominal {nominal} as low as {100 * covered:.1f}% ({_design_of(row)})."
        return sentence, f"coverage down to {100 * covered:.2g}%"
    row = max(rows, key=lambda row: _extreme_of(row, "size", 0.0))
    size = _extreme_of(row, "size", 0.0)
    rate = f"type I error up to {100 * size:.2g}%"
    sentence = f"Type I error up to {100 * size:.1f}% at nominal {100 * measured.alpha:g}% ({_design_of(row)})"
    if size <= measured.alpha and row.power is not None:
        return f"{sentence}; power {100 * row.power:.1f}% for {row.power_at}.", f"power {100 * row.power:.2g}%"
    return f"{sentence}.", rate


def _rows_near(measured: Card, examples: int | None) -> tuple[CardRow, ...]:
    """Return the rows of the nearest number of examples; all if none is requested, or known."""
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


def _extreme_of(row: CardRow, name: str, default: float) -> float:
    """Return the worst size or coverage of a row; the default if only a mean was measured, or nothing."""
    figure = getattr(row, name)
    return default if figure is None or figure.extreme is None else float(figure.extreme)


def _design_of(row: CardRow) -> str:
    return f"{row.how}; {row.design}"
