"""What advice comes to: the question, the way there, the method, what else there is, and what to run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..methods.selection import SplittingAdvice
from ..rendering import Rendered, folded
from ..results.wording import covers_text
from ..typing_ import SOURCES, Source
from .alternatives import Alternative, Forbidden
from .method_choice import MethodChoice
from .questions import QUESTIONS, Ask, Question
from .rules import Rule
from .situation import Situation


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the way through the taxonomy: what was asked, the answer, and who told."""

    asked: str
    answer: str
    told_by: str

    @property
    def text(self) -> str:
        """The answer in words."""
        if self.asked == "task":
            return "an estimate" if self.answer == "estimate" else "a choice"
        several = self.asked in {"domains", "test_sets", "models", "runs"} and self.answer not in {"one", "1"}
        return _WORDS[self.asked].format(self.answer) + "s" * several

    def as_dict(self) -> dict[str, str]:
        """Return everything by name."""
        return {"asked": self.asked, "answer": self.answer, "told_by": self.told_by}


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumptionNote:
    """What the method assumes; where evidence is held, whether it is so, with the figure."""

    code: str
    needs: str
    holds: bool | None = None  # None: there is no evidence to look at
    message: str = ""

    @property
    def text(self) -> str:
        """All of it in a line."""
        verdict = {None: "", True: " (holds)", False: " (fails)"}[self.holds]
        return f"{self.code}{verdict}: {self.message or self.needs}"

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        return {"code": self.code, "needs": self.needs, "holds": self.holds, "message": self.message}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Recommendation(Rendered):
    """Which question it is, what answers it and what does not; `advise` gives one.

    While a question of the taxonomy is open there is no recommendation, and the next to answer comes first in `open`.
    Follow-ups in `open` only sharpen it: each has a default.

    Examples
    --------
    >>> from tellapart import advise
    >>> recommendation = advise(subject="learner", task="choose", data="little", runs=10)
    >>> recommendation.question.number, recommendation.recommended.leading.name, recommendation.recommended.plan
    (8, '5x2cv-t', '5x2')
    >>> [ask.name for ask in advise(subject="learner").open]
    ['domains', 'task', 'data']
    """

    situation: Situation
    path: tuple[Step, ...]
    open: tuple[Ask, ...] = ()
    recommended: MethodChoice | None = None
    alternatives: tuple[Alternative, ...] = ()
    forbidden: tuple[Forbidden, ...] = ()
    assumptions: tuple[AssumptionNote, ...] = ()
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
    def sources_covered(self) -> tuple[Source, ...]:
        """Which of the four sources of variation the recommended method allows for."""
        return () if self.recommended is None else self.recommended.sources_covered

    @property
    def sources_ignored(self) -> tuple[Source, ...]:
        """Which of them it does not."""
        return (
            ()
            if self.recommended is None
            else tuple(source for source in SOURCES if source not in self.sources_covered)
        )

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        return [*self._rows_of_advice(), *self._rows_to_run()]

    def _rows_of_advice(self) -> list[tuple[str, str]]:
        question, path = self.question, self._format_path()
        if question is None:
            asked = [f"{ask.text} {ask.flag}" for ask in self.open if ask.blocks]
            return [*([("so far", path)] if path else []), *_label_first("open", asked)]
        rows = [("question", f"{question.number}. {question.asks}"), ("because", path)]
        if self.by_way_of is not None:
            rows.append(("by way of", f"{self.by_way_of.number}. {self.by_way_of.asks}"))
        if self.recommended is not None:
            rows += [("use", self.recommended.text), ("covers", covers_text(self.sources_covered))]
        rows += _label_first("or", [alternative.text for alternative in self.alternatives])
        rows += _label_first("never", [forbidden.text for forbidden in self.forbidden])
        rows += _label_first("needs", [assumption.text for assumption in self.assumptions])
        if self.splitting is not None:
            rows.append(("test share", self.splitting.words))
        rows += _label_first("rules", [rule.text for rule in self.rules])
        if self.open:
            rows.append(("may matter", "; ".join(f"{ask.text} {ask.flag}" for ask in self.open)))
        return rows

    def _format_path(self) -> str:
        """Return what was answered, and by whom."""
        answers: dict[str, list[str]] = {}
        for step in self.path:
            answers.setdefault(step.told_by, []).append(step.text)
        return "; ".join(f"{', '.join(texts)} ({who})" for who, texts in answers.items())

    def _rows_to_run(self) -> list[tuple[str, str]]:
        return [*([("run", self.command)] if self.command else []), *_label_first("or in Python", self.code)]

    def __str__(self) -> str:
        advice, to_run = self._rows_of_advice(), self._rows_to_run()
        indent = max(len(label) for label, _ in (*advice, *to_run)) + 2
        lines = [folded(f"{label:<{indent}}", value) for label, value in advice]
        lines += [f"{label:<{indent}}{value}" for label, value in to_run]  # to be copied: not folded
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name; what is not there is None, or an empty list."""
        parts = ("path", "open", "alternatives", "forbidden", "assumptions", "rules")
        lists = {name: [part.as_dict() for part in getattr(self, name)] for name in parts}
        return {
            "question": self.question and self.question.as_dict(),
            "by_way_of": self.by_way_of and self.by_way_of.as_dict(),
            "complete": self.complete,
            "recommended": self.recommended and self.recommended.as_dict(),
            **lists,
            "sources": {"covers": list(self.sources_covered), "misses": list(self.sources_ignored)},
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


def _label_first(label: str, values: Iterable[str]) -> list[tuple[str, str]]:
    """Return a row for each value, of which the first has the label."""
    return [("" if index else label, value) for index, value in enumerate(values)]
