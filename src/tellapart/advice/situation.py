"""The problem at hand, and the source of each fact: the evidence, or an answer.

Dietterich's taxonomy (1998, Figure 1) has four questions: one domain or many, a classifier or a learner, an estimate or
a comparison, and whether there is enough data for a separate test set. Evidence answers most of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Literal, get_args

import numpy as np

from ..errors import InvalidOption
from ..evidence import Evidence
from ..evidence.plan import Plan

Domains = Literal["one", "many"]
Subject = Literal["classifier", "learner"]
Task = Literal["estimate", "choose"]
Data = Literal["much", "little"]
Sets = Literal["one", "two"]
Matters = Literal["type I error", "power", "guarantee"]
Convergence = Literal["slow", "parametric", "fast"]
Informant = Literal["the evidence", "you", "implied"]

TAXONOMY = ("domains", "subject", "task", "data")  # the questions of the figure, from its root
CHOICES: dict[str, tuple[str, ...]] = {
    "domains": get_args(Domains),
    "subject": get_args(Subject),
    "task": get_args(Task),
    "data": get_args(Data),
    "test_sets": get_args(Sets),
    "matters": get_args(Matters),
    "convergence": get_args(Convergence),
}
FORMER_VALUES = {"false-alarms": "type I error", "missed-differences": "power"}  # deprecated, of `matters`
_COUNTS = {"models": 1, "examples": 1, "errors": 0, "disagreements": 0, "runs": 1}  # and the smallest value of each
_FLAGS = ("stochastic", "tuning")
FEWEST_FOLDS = 5  # below it, one split is better than folds
TEN_RUNS, HUNDRED_RUNS = 10, 100
ANSWERS = (*CHOICES, *_COUNTS, *_FLAGS, "margin", "plan")  # keywords of `advise`


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """The problem at hand: None (or False) for unknown facts.

    Parameters
    ----------
    domains, subject, task, data
        The four questions of the taxonomy.
    models
        Number of classifiers, or learners.
    test_sets
        "one" shared test set of two classifiers, or "two" test sets.
    examples, errors
        Size and errors of the test set (of the smallest, if there are several).
    disagreements
        Number of discordant pairs.
    runs
        Number of affordable fits of each learner.
    matters
        Whether type I error or power matters more, or a guarantee is needed.
    margin
        The non-inferiority margin.
    plan
        The resampling plan.
    convergence
        Convergence of the learners: slower than n^-1/2, at the parametric rate, or faster.
    stochastic
        Whether a learner is random, given the training data.
    tuning
        Whether settings of one learner are compared.
    strata, labels, scored
        Whether the counts are by stratum, or by label and prediction; or scores instead of counts.
    sources
        The source of each of them.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> Situation.of(PairedTable(20, 25, 10, 45)).question
    3
    >>> Situation.of(None).answered(subject="learner", task="choose", data="little").question
    8
    """

    domains: Domains | None = None
    subject: Subject | None = None
    task: Task | None = None
    data: Data | None = None
    models: int | None = None
    test_sets: Sets | None = None
    examples: int | None = None
    errors: int | None = None
    disagreements: int | None = None
    runs: int | None = None
    matters: Matters | None = None
    margin: float | None = None
    plan: str | None = None
    convergence: Convergence | None = None
    stochastic: bool = False
    tuning: bool = False
    strata: bool = False
    labels: bool = False
    scored: bool = False
    sources: Mapping[str, Informant] = field(default_factory=dict, hash=False)

    @classmethod
    def of(cls, evidence: Evidence | None) -> Situation:
        """Return the facts that evidence determines; none for None."""
        facts = {} if evidence is None else dict(evidence.traits())
        facts.pop("counts", None)
        return cls(**facts, sources=dict.fromkeys(facts, "the evidence"))

    def answered(self, **answers: Any) -> Situation:
        """Return the situation with these answers; raise InvalidOption if one contradicts the evidence."""
        answers = {name: _validate_answer(name, value) for name, value in answers.items() if value is not None}
        for name, value in answers.items():
            current = getattr(self, name)
            by_evidence = self.sources.get(name) == "the evidence"
            by_itself = (name, value) == ("task", "estimate")  # estimates are possible for two models as well
            if by_evidence and current != value and not by_itself:
                raise InvalidOption(f"`{name}` must be {current!r} for this evidence, got {value!r}. Leave it out.")
        news = {name: value for name, value in answers.items() if getattr(self, name) != value}
        whole = _add_implied_facts(replace(self, **news, sources={**self.sources, **dict.fromkeys(news, "you")}))
        _refuse_contradictions(whole)
        return whole

    @property
    def question(self) -> int | None:
        """The number of the question in the taxonomy, 1 to 9; None while an answer is missing."""
        if self.domains == "many":
            return 9
        if None in (self.domains, self.subject, self.task, self.data):
            return None
        return 1 + 4 * (self.subject == "learner") + 2 * (self.task == "choose") + (self.data == "little")

    @property
    def way(self) -> int | None:
        """The number of the question whose methods are used: the learner's, for a classifier without a test set."""
        return {2: 6, 4: 8}.get(self.question or 0, self.question)

    @property
    def rate(self) -> float | None:
        """The error rate, if errors and examples are known."""
        return None if self.errors is None or not self.examples else self.errors / self.examples


def _add_implied_facts(situation: Situation) -> Situation:
    """Return the situation with implied facts: a classifier has one domain; over many domains learners are compared."""
    implied: dict[str, Any] = {}
    if situation.domains == "many":
        implied = {"subject": "learner", "task": "choose"}
    elif situation.subject == "classifier" or situation.data is not None or situation.plan is not None:
        implied["domains"] = "one"
    plan = _parse_named_plan(situation)
    if plan is not None:
        implied["data"] = "much" if plan.kind == "delve" else "little"
    news = {name: value for name, value in implied.items() if getattr(situation, name) is None}
    return replace(situation, **news, sources={**situation.sources, **dict.fromkeys(news, "implied")})


def _parse_named_plan(situation: Situation) -> Plan | None:
    """Return the plan that was named; that of evidence may have no name."""
    named = situation.plan is not None and situation.sources.get("plan") != "the evidence"
    return Plan.parse(str(situation.plan)) if named else None


def _refuse_contradictions(situation: Situation) -> None:
    """Raise InvalidOption if answers contradict each other."""
    most = max(situation.errors or 0, situation.disagreements or 0)
    plan = _parse_named_plan(situation)
    problems = (
        (
            situation.domains == "many" and situation.subject == "classifier",
            "`subject` must be 'learner' with domains='many', got 'classifier'. A classifier belongs to one domain.",
        ),
        (
            situation.domains == "many" and situation.task == "estimate",
            "`task` must be 'choose' with domains='many', got 'estimate'. An error rate belongs to one domain.",
        ),
        (
            plan is not None and situation.data == "little" and plan.kind == "delve",
            f"`plan` must reuse examples, such as '10x10', with data='little', got {situation.plan!r}. For disjoint"
            " training sets use data='much'.",
        ),
        (
            plan is not None
            and situation.data == "much"
            and plan.kind != "delve"
            and not (plan.one_split and situation.subject != "learner"),  # one split has a separate test set
            f"`plan` must have disjoint training sets, such as 'delve 8x200', with data='much', got"
            f" {situation.plan!r}. Use data='little' for other plans.",
        ),
        (
            situation.task == "choose" and situation.models == 1,
            "`models` must be 2 or more for a comparison, got 1. Use task='estimate' for one model.",
        ),
        (
            situation.test_sets == "two" and (situation.models or 2) > 2,
            f"`models` must be 2 with test_sets='two', got {situation.models}. Compare pairs, and adjust p-values:"
            " adjust(pvalues, 'holm').",
        ),
        (
            situation.examples is not None and most > situation.examples,
            f"`examples` must be at least the number of errors and discordant pairs, {most}, got {situation.examples}.",
        ),
    )
    for broken, message in problems:
        if broken:
            raise InvalidOption(message)


def _validate_answer(name: str, value: Any) -> Any:
    """Return a valid answer; raise InvalidOption for others."""
    if name == "matters":
        value = FORMER_VALUES.get(str(value).replace(" ", "-"), value)
    if name in CHOICES:
        if not (isinstance(value, str) and value in CHOICES[name]):
            allowed = ", ".join(map(repr, CHOICES[name]))
            raise InvalidOption(f"`{name}` must be one of {allowed}, got {value!r}.")
        return value
    if name in _COUNTS:
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not (whole and _COUNTS[name] <= value <= 2**53):
            raise InvalidOption(f"`{name}` must be a whole number of {_COUNTS[name]} or more, got {value!r}.")
        return int(value)
    if name in _FLAGS:
        if not isinstance(value, bool):
            raise InvalidOption(f"`{name}` must be True or False, got {value!r}.")
        return value
    if name == "margin":
        number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not (number and 0 < value < 1):
            raise InvalidOption(f"`margin` must be between 0 and 1, got {value!r}. For 1 pp use 0.01.")
        return float(value)
    if name == "plan":
        return (value if isinstance(value, Plan) else Plan.parse(value)).name
    near = "".join(f" Did you mean `{match}`?" for match in get_close_matches(name, ANSWERS, 1))
    raise InvalidOption(f"unknown option `{name}`.{near or ' See help(tellapart.advise).'}")
