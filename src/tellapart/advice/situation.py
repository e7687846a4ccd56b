"""What is known of somebody's situation, and from where: their evidence, or their word.

Dietterich's taxonomy (1998, Figure 1) asks four things: one domain or many, a classifier or a learner, an estimate or
a choice, much data or little. Evidence tells most of it by what it is; what it cannot tell is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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
Matters = Literal["false alarms", "missed differences", "guarantee"]
Convergence = Literal["slow", "parametric", "fast"]
Informant = Literal["the evidence", "you", "what was said before"]

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
_COUNTS = {"models": 1, "examples": 1, "errors": 0, "disagreements": 0, "runs": 1}  # and the least of each
_FLAGS = ("stochastic", "tuning")
FEWEST_FOLDS = 5  # below so many runs one split says more than folds do
TEN_RUNS, HUNDRED_RUNS = 10, 100
ANSWERS = (*CHOICES, *_COUNTS, *_FLAGS, "margin", "plan")  # what may be answered


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What is known: None (or False) where nobody has told.

    Parameters
    ----------
    domains, subject, task, data
        The four questions of the taxonomy.
    models
        How many classifiers, or learners.
    test_sets
        Whether two classifiers met "one" test set, or "two" of their own.
    examples, errors, disagreements
        Of the test set (of the smallest, where there are several).
    runs
        How often each learner can be trained.
    matters
        Which mistake is the worse one, or that a guarantee is asked for.
    margin
        A difference that would not matter.
    plan
        How the examples were divided, or will be.
    convergence
        How fast the learners approach the best there is: slower than n^-1/2, as parametric models do, or faster.
    stochastic
        Whether a learner differs from run to run on the same examples.
    tuning
        Whether a good setting of one learner is sought, whichever it is.
    strata, labels, scored
        Whether the counts are by stratum, or by label and prediction; or whether there are scores in their place.
    sources
        Where each of them is from.

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
        """Return what evidence answers; nothing of None."""
        known = {} if evidence is None else dict(evidence.traits())
        known.pop("counts", None)
        return cls(**known, sources=dict.fromkeys(known, "the evidence"))

    def answered(self, **answers: Any) -> Situation:
        """Return the situation with these answers; one that contradicts the evidence is an error."""
        answers = {name: _checked(name, value) for name, value in answers.items() if value is not None}
        for name, value in answers.items():
            known = getattr(self, name)
            by_evidence = self.sources.get(name) == "the evidence"
            by_itself = (name, value) == ("task", "estimate")  # which can be asked of two as well
            if by_evidence and known != value and not by_itself:
                raise InvalidOption(
                    f"{name}={value!r} contradicts the evidence, by which {name} is {known!r}. Leave one of them out."
                )
        news = {name: value for name, value in answers.items() if getattr(self, name) != value}
        whole = _completed(replace(self, **news, sources={**self.sources, **dict.fromkeys(news, "you")}))
        _refuse_contradictions(whole)
        return whole

    @property
    def question(self) -> int | None:
        """The number of the question, 1 to 9; None while something is open."""
        if self.domains == "many":
            return 9
        if None in (self.domains, self.subject, self.task, self.data):
            return None
        return 1 + 4 * (self.subject == "learner") + 2 * (self.task == "choose") + (self.data == "little")

    @property
    def way(self) -> int | None:
        """The question whose methods answer: 6 for question 2, and 8 for question 4; else the question itself."""
        return {2: 6, 4: 8}.get(self.question or 0, self.question)

    @property
    def rate(self) -> float | None:
        """The error rate, where errors and examples are known."""
        return None if self.errors is None or not self.examples else self.errors / self.examples


def _completed(known: Situation) -> Situation:
    """Add what follows: a classifier has one domain, and over many domains learners are compared."""
    implied: dict[str, Any] = {}
    if known.domains == "many":
        implied = {"subject": "learner", "task": "choose"}
    elif known.subject == "classifier" or known.data is not None or known.plan is not None:
        implied["domains"] = "one"
    plan = _named_plan(known)
    if plan is not None:
        implied["data"] = "much" if plan.kind == "delve" else "little"
    news = {name: value for name, value in implied.items() if getattr(known, name) is None}
    return replace(known, **news, sources={**known.sources, **dict.fromkeys(news, "what was said before")})


def _named_plan(known: Situation) -> Plan | None:
    """Return the plan that somebody named; that of evidence may have no name, and the evidence has told the rest."""
    named = known.plan is not None and known.sources.get("plan") != "the evidence"
    return Plan.parse(str(known.plan)) if named else None


def _refuse_contradictions(known: Situation) -> None:
    """Refuse answers that cannot be true together."""
    most = max(known.errors or 0, known.disagreements or 0)
    plan = _named_plan(known)
    problems = (
        (
            known.domains == "many" and known.subject == "classifier",
            "domains='many' and subject='classifier' contradict each other: a classifier belongs to one domain. Say"
            " subject='learner'.",
        ),
        (
            known.domains == "many" and known.task == "estimate",
            "domains='many' and task='estimate' contradict each other: an error is of one domain. Say task='choose', or"
            " ask of each domain by itself.",
        ),
        (
            plan is not None and known.data == "little" and plan.kind == "delve",
            f"data='little' and plan={known.plan!r} contradict each other: disjoint training sets are for much data."
            " Say data='much', or plan='10x10'.",
        ),
        (
            plan is not None
            and known.data == "much"
            and plan.kind != "delve"
            and not (plan.one_split and known.subject != "learner"),  # which makes classifiers of much data
            f"data='much' and plan={known.plan!r} contradict each other: learners meet much data in disjoint training"
            " sets. Say data='little', or plan='delve 8x200'.",
        ),
        (
            known.task == "choose" and known.models == 1,
            "models must be 2 or more to choose from, but is 1. Say task='estimate', or add a model.",
        ),
        (
            known.test_sets == "two" and (known.models or 2) > 2,
            f"test_sets='two' is for two classifiers, but models is {known.models}. Compare them two by two, and let"
            " the p-values pay for it by adjust(pvalues, 'holm').",
        ),
        (
            known.examples is not None and most > known.examples,
            f"examples must be no fewer than errors and disagreements, but is {known.examples} beside {most}.",
        ),
    )
    for broken, message in problems:
        if broken:
            raise InvalidOption(message)


def _checked(name: str, value: Any) -> Any:
    """Return an answer that can be, or say what is allowed."""
    if name in CHOICES:
        if not (isinstance(value, str) and value in CHOICES[name]):
            allowed = ", ".join(map(repr, CHOICES[name]))
            raise InvalidOption(f"{name} must be one of {allowed}, but is {value!r}.")
        return value
    if name in _COUNTS:
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not (whole and _COUNTS[name] <= value <= 2**53):
            raise InvalidOption(f"{name} must be a whole number, {_COUNTS[name]} or more, but is {value!r}.")
        return int(value)
    if name in _FLAGS:
        if not isinstance(value, bool):
            raise InvalidOption(f"{name} must be True or False, but is {value!r}.")
        return value
    if name == "margin":
        number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not (number and 0 < value < 1):
            raise InvalidOption(
                f"margin must lie strictly between 0 and 1, but is {value!r}. For one point write 0.01."
            )
        return float(value)
    if name == "plan":
        return (value if isinstance(value, Plan) else Plan.parse(value)).name
    raise InvalidOption(f"{name} is nothing that advise asks. It takes {', '.join(ANSWERS)}.")
