"""What advice comes to: the question, the way there, the method, what else there is, and what to run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..methods.selection import SplittingAdvice
from ..rendering import Rendered, folded
from ..results.wording import covers_text
from ..typing_ import SOURCES, Source
from .beside import Alternative
from .picking import Recommended
from .questions import QUESTIONS, Question
from .refused import Forbidden
from .rules import Rule
from .situation import Situation


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question that is open: what it is about, what may be answered, and why it is asked."""

    name: str
    text: str
    flag: str  # of the command line
    why: str
    choices: tuple[str, ...] = ()  # empty: a number
    default: str = ""  # what is taken where nobody answers

    @property
    def blocks(self) -> bool:
        """Whether there is no recommendation without an answer."""
        return not self.default

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        names = ("name", "text", "flag", "why", "choices", "default", "blocks")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the way through the taxonomy: what was asked, the answer, and who told."""

    asked: str
    answer: str
    told_by: str

    @property
    def told(self) -> str:
        """The answer in words."""
        if self.asked == "task":
            return "an estimate" if self.answer == "estimate" else "a choice"
        several = self.asked in {"domains", "test_sets", "models", "runs"} and self.answer not in {"one", "1"}
        return _WORDS[self.asked].format(self.answer) + "s" * several

    def as_dict(self) -> dict[str, str]:
        """Return everything by name."""
        return {"asked": self.asked, "answer": self.answer, "told_by": self.told_by}


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """What the method assumes; where evidence is held, whether it is so, with the figure."""

    code: str
    needs: str
    holds: bool | None = None  # None: there is no evidence to look at
    message: str = ""

    @property
    def told(self) -> str:
        """All of it in a line."""
        verdict = {None: "", True: " (holds)", False: " (fails)"}[self.holds]
        return f"{self.code}{verdict}: {self.message or self.needs}"

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        return {"code": self.code, "needs": self.needs, "holds": self.holds, "message": self.message}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Counsel(Rendered):
    """Which question it is, what answers it and what does not; `advise` gives one.

    While a question of the taxonomy is open there is no recommendation, and the next to answer comes first in `open`.
    Follow-ups in `open` only sharpen it: each has a default.

    Examples
    --------
    >>> from tellapart import advise
    >>> counsel = advise(subject="learner", task="choose", data="little", runs=10)
    >>> counsel.question.number, counsel.recommended.leading.name, counsel.recommended.plan
    (8, '5x2cv-t', '5x2')
    >>> [ask.name for ask in advise(subject="learner").open]
    ['domains', 'task', 'data']
    """

    situation: Situation
    path: tuple[Step, ...]
    open: tuple[Ask, ...] = ()
    recommended: Recommended | None = None
    alternatives: tuple[Alternative, ...] = ()
    forbidden: tuple[Forbidden, ...] = ()
    assumptions: tuple[Needed, ...] = ()
    rules: tuple[Rule, ...] = ()
    splitting: SplittingAdvice | None = None
    command: str = ""
    code: tuple[str, ...] = field(default=())

    @property
    def complete(self) -> bool:
        """Whether the question is known."""
        return self.situation.question is not None

    @property
    def question(self) -> Question | None:
        """Which of the nine it is; None while something is open."""
        return QUESTIONS[self.situation.question] if self.situation.question else None

    @property
    def by_way_of(self) -> Question | None:
        """The question that is answered instead, where this one cannot be (2 and 4)."""
        way = self.situation.way
        return QUESTIONS[way] if way and way != self.situation.question else None

    @property
    def covers(self) -> tuple[Source, ...]:
        """Which of the four sources of variation the recommended method allows for."""
        return () if self.recommended is None else self.recommended.covers

    @property
    def misses(self) -> tuple[Source, ...]:
        """Which of them it does not."""
        return () if self.recommended is None else tuple(each for each in SOURCES if each not in self.covers)

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        return [*self._told(), *self._to_run()]

    def _told(self) -> list[tuple[str, str]]:
        found = self.question
        way = self._way()
        if found is None:
            asked = [(ask.text, ask.flag) for ask in self.open if ask.blocks]
            return [*([("so far", way)] if way else []), *_list("open", [f"{text} {flag}" for text, flag in asked])]
        rows = [("question", f"{found.number}. {found.asks}"), ("because", way)]
        if self.by_way_of is not None:
            rows.append(("by way of", f"{self.by_way_of.number}. {self.by_way_of.asks}"))
        if self.recommended is not None:
            rows.append(("use", self.recommended.told))
            rows.append(("covers", covers_text(self.covers)))
        rows += _list("or", [each.told for each in self.alternatives])
        rows += _list("never", [each.told for each in self.forbidden])
        rows += _list("needs", [each.told for each in self.assumptions])
        if self.splitting is not None:
            rows.append(("test share", self.splitting.words))
        rows += _list("rules", [rule.told for rule in self.rules])
        if self.open:
            rows.append(("may matter", "; ".join(f"{ask.text} {ask.flag}" for ask in self.open)))
        return rows

    def _way(self) -> str:
        """Say what was answered, by whom."""
        tellers = dict.fromkeys(step.told_by for step in self.path)
        own = {who: ", ".join(step.told for step in self.path if step.told_by == who) for who in tellers}
        return "; ".join(f"{told} ({who})" for who, told in own.items())

    def _to_run(self) -> list[tuple[str, str]]:
        return [*([("run", self.command)] if self.command else []), *_list("or in Python", self.code)]

    def __str__(self) -> str:
        told, to_run = self._told(), self._to_run()
        indent = max(len(label) for label, _ in (*told, *to_run)) + 2
        lines = [folded(f"{label:<{indent}}", value) for label, value in told]
        return "\n".join(
            [*lines, *(f"{label:<{indent}}{value}" for label, value in to_run)]
        )  # to be copied: not folded

    def __repr__(self) -> str:
        return str(self)

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name; what is not there is None, or an empty list."""
        found = {"question": self.question, "by_way_of": self.by_way_of}
        told: dict[str, Any] = {
            name: None if each is None else {"number": each.number, "asks": each.asks, "answered_by": each.answered_by}
            for name, each in found.items()
        }
        parts = ("path", "open", "alternatives", "forbidden", "assumptions", "rules")
        lists = {name: [each.as_dict() for each in getattr(self, name)] for name in parts}
        return {
            **told,
            "complete": self.complete,
            "recommended": self.recommended and self.recommended.as_dict(),
            **lists,
            "sources": {"covers": list(self.covers), "misses": list(self.misses)},
            "splitting": self.splitting and self.splitting.as_dict(),
            "command": self.command,
            "code": list(self.code),
        }


_WORDS = {
    "domains": "{} domain",
    "subject": "a {}",
    "data": "{} data",
    "test_sets": "{} test set",
    "models": "{} model",
    "runs": "{} run",
    "matters": "{} in mind",
    "margin": "a margin of {}",
    "plan": "the plan {}",
    "convergence": "{} convergence",
}


def _list(label: str, values: Any) -> list[tuple[str, str]]:
    """Return a row for each value, of which the first has the label."""
    return [("" if place else label, value) for place, value in enumerate(values)]
