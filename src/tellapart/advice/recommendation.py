"""A recommendation: the question, the method, alternatives, methods to avoid, and the command to run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..display import Display, Row
from ..errors import InvalidInput
from ..evidence.plan import Plan
from ..figures import count_text
from ..methods.selection import SplittingAdvice
from ..rendering import Rendered
from ..typing_ import SOURCES, Source
from .alternatives import Alternative, Forbidden
from .method_choice import MethodChoice
from .method_names import describe_sources
from .questions import QUESTIONS, Ask, Question
from .rules_of_thumb import RuleOfThumb
from .situation import Situation

_MOST_ALTERNATIVES, _MOST_AVOIDED = 3, 2  # in output without --verbose


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One answer of the taxonomy, and its source."""

    topic: str
    answer: str
    source: str

    @property
    def text(self) -> str:
        """The answer in words."""
        words = _WORDS.get((self.topic, self.answer)) or _FORMS.get(self.topic, "{}").format(self.answer)
        several = self.topic in {"models", "runs"} and self.answer != "1"
        return words + "s" * several

    def as_dict(self) -> dict[str, str]:
        """Return everything by name."""
        return {
            "topic": self.topic,
            "answer": self.answer,
            "source": self.source,
            "asked": self.topic,
            "told_by": self.source,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumptionNote:
    """An assumption of the method, and whether it holds for the evidence."""

    code: str
    requirement: str
    holds: bool | None = None  # None without evidence
    message: str = ""

    @property
    def text(self) -> str:
        """All of it in a line."""
        verdict = {None: "", True: " (holds)", False: " (fails)"}[self.holds]
        return f"{self.code}{verdict}: {self.message or self.requirement}"

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        return {
            "code": self.code,
            "requirement": self.requirement,
            "needs": self.requirement,
            "holds": self.holds,
            "message": self.message,
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Recommendation(Rendered):
    """The recommended method with alternatives, methods to avoid and the command to run, as `advise` returns it.

    While a question of the taxonomy is open, there is no recommendation, and `open` begins with the next question.
    Follow-ups in `open` have a default and refine the recommendation.

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
    rules: tuple[RuleOfThumb, ...] = ()
    splitting: SplittingAdvice | None = None
    command: str = ""
    code: tuple[str, ...] = field(default=())
    models: tuple[str, ...] = ()  # their names, if the evidence has them

    @property
    def complete(self) -> bool:
        """Whether the question is known."""
        return self.situation.question is not None

    @property
    def question(self) -> Question | None:
        """The question of Dietterich's taxonomy; None while an answer is missing."""
        return QUESTIONS[self.situation.question] if self.situation.question else None

    @property
    def by_way_of(self) -> Question | None:
        """The question that is answered instead: for a classifier without a test set, that about its learner."""
        way = self.situation.way
        return QUESTIONS[way] if way and way != self.situation.question else None

    @property
    def sources_covered(self) -> tuple[Source, ...]:
        """The sources of variation that the recommended method accounts for."""
        return () if self.recommended is None else self.recommended.sources_covered

    @property
    def sources_ignored(self) -> tuple[Source, ...]:
        """The sources of variation that it does not account for."""
        return (
            ()
            if self.recommended is None
            else tuple(source for source in SOURCES if source not in self.sources_covered)
        )

    def display(self, *, verbose: bool = False) -> Display:
        """Return the recommendation, why, the command and alternatives; with `verbose` all of these, and Python."""
        if self.recommended is None:
            return self._display_open_questions()
        rows = [Row("caution", f"{note.code}: {note.message}") for note in self.assumptions if note.holds is False]
        rows.append(Row("why", self._format_reasons()))
        if self.command:
            rows.append(Row("run", self.command))
        if verbose or not self.command:
            rows.append(Row("python", "\n".join(self.code)))
        if verbose:
            rows += self._verbose_rows()
        else:
            rows += _table_row(
                "or", [(entry.request, entry.format_condition(self.models)) for entry in self.main_alternatives]
            )
            rows += _list_row("avoid", [entry.brief for entry in self.forbidden if entry.is_common][:_MOST_AVOIDED])
        rows.append(Row("scope", describe_sources(self.sources_covered)))
        return Display(verdict=f"Use {self.recommended.headline}", blocks=tuple(rows))

    def _display_open_questions(self) -> Display:
        """Return the known facts, and the questions that must be answered before a method can be recommended."""
        rows = [Row("known", self._format_path())] if self.path else []
        rows += _list_row("next", [f"{ask.text} {ask.flag}" for ask in self.open if ask.blocks])
        return Display(verdict="More information is needed to recommend a method", blocks=tuple(rows))

    def _verbose_rows(self) -> list[Row]:
        """Return all alternatives, all methods to avoid, and the assumptions."""
        rows = _list_row("or", [alternative.text for alternative in self.alternatives])
        rows += _list_row("avoid", [forbidden.text for forbidden in self.forbidden])
        rows += _list_row("assumes", [assumption.text for assumption in self.assumptions])
        return rows + ([] if self.splitting is None else [Row("test share", self.splitting.words)])

    def _format_reasons(self) -> str:
        """Return the problem in words, and why the method was chosen if that does not follow from the evidence."""
        reason = self.recommended.why if self.recommended is not None else ""
        usual = self.recommended is None or reason == self.recommended.leading.rationale
        return describe_problem(self.situation) + ("" if usual or not reason else f". {reason[0].upper()}{reason[1:]}")

    def _format_path(self) -> str:
        """Return the answers, and their sources."""
        answers: dict[str, list[str]] = {}
        for step in self.path:
            answers.setdefault(step.source, []).append(step.text)
        return "; ".join(f"{', '.join(texts)} ({source})" for source, texts in answers.items())

    @property
    def main_alternatives(self) -> tuple[Alternative, ...]:
        """The first alternatives, one for each topic."""
        by_topic: dict[str, Alternative] = {}
        for alternative in self.alternatives:
            if alternative.topic:
                by_topic.setdefault(alternative.topic, alternative)
        return tuple(by_topic.values())[:_MOST_ALTERNATIVES]

    def explanations(self) -> list[tuple[str, str]]:
        """Return labels and sentences: the question, why, answers that would change the advice, rules of thumb."""
        if self.question is None or self.recommended is None:
            return []
        rows = [("question", self.question.asks), ("known", self._format_path())]
        if self.by_way_of is not None:
            rows.append(("answered by", self.by_way_of.asks))
        rows.append((str(self.recommended.leading.standing), f"{self.recommended.text}."))
        rows += [("open", f"{ask.text} {ask.flag}") for ask in self.open]
        return [*rows, *(("rule", f"{rule.text}.") for rule in self.rules)]

    def __repr__(self) -> str:
        return str(self)

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name; missing parts are None, or an empty list."""
        parts = ("path", "open", "alternatives", "forbidden", "assumptions", "rules")
        lists = {name: [entry.as_dict() for entry in getattr(self, name)] for name in parts}
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
    ("domains", "one"): "one data set",
    ("domains", "many"): "many data sets",
    ("subject", "classifier"): "trained models",
    ("subject", "learner"): "learners",
    ("task", "estimate"): "an estimate",
    ("task", "choose"): "a comparison",
    ("data", "much"): "a separate test set",
    ("data", "little"): "all data needed for training",
    ("test_sets", "one"): "one test set",
    ("test_sets", "two"): "two test sets",
    ("matters", "type I error"): "type I error matters most",
    ("matters", "power"): "power matters most",
    ("matters", "guarantee"): "a guaranteed type I error rate",
}
_FORMS = {
    "models": "{} model",
    "runs": "{} fit",
    "margin": "margin {}",
    "plan": "plan {}",
    "convergence": "{} convergence",
}


def _describe_plan(name: str) -> str:
    """Return a plan in words; a plan of evidence may have a name of its own."""
    try:
        return Plan.parse(name).description
    except InvalidInput:
        return name


def _list_row(label: str, texts: Iterable[str]) -> list[Row]:
    """Return one row with a line for each text; nothing, if there are none."""
    text = "\n".join(texts)
    return [Row(label, text)] if text else []


def _table_row(label: str, pairs: Sequence[tuple[str, str]]) -> list[Row]:
    """Return one row with two columns; nothing, if there are no lines."""
    width = max((len(name) for name, _ in pairs), default=0)
    return _list_row(label, [f"{name:<{width}}  {text}" for name, text in pairs])


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def describe_problem(situation: Situation) -> str:
    """Return the problem in words, with the known counts.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> describe_problem(Situation.of(PairedTable(11, 22, 4, 862)))
    'two trained models, one shared test set: 899 examples, 26 discordant'
    """
    estimate = situation.task == "estimate"
    count = situation.models or (1 if estimate else 2)
    number = _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"
    kind = "learner" if situation.subject == "learner" else "trained model"
    subject = f"{number} {kind}{'s' * (count != 1)}"
    if situation.domains == "many":
        return f"{subject}, many data sets"
    if situation.subject == "learner":
        setting = {5: "disjoint training sets", 7: "disjoint training sets"}.get(situation.way or 0, "one data set")
        plan = f", {_describe_plan(situation.plan)}" if situation.plan else ""
        runs = f", {count_text(situation.runs, 'fit')} each" if situation.runs else ""
        setting = f"{setting}{plan}{runs}"
    elif situation.data == "little":
        setting = "no separate test set"
    elif count == 1 or estimate:
        setting = "one test set"
    else:
        setting = "two test sets" if situation.test_sets == "two" else "one shared test set"
    counts = [count_text(situation.examples, "example")] if situation.examples is not None else []
    counts += [count_text(situation.errors, "error")] if estimate and situation.errors is not None else []
    counts += (
        [f"{situation.disagreements:,} discordant"] if not estimate and situation.disagreements is not None else []
    )
    margin = [f"margin {100 * situation.margin:g} pp"] if situation.margin is not None else []
    text = f"{subject}, {setting}" + (f": {', '.join(counts)}" if counts else "")
    return ", ".join([text, *margin])
