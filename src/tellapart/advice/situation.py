"""What is known of somebody's situation, and from where: their evidence, or their word.

Dietterich's taxonomy (1998, Figure 1) asks four things: one domain or many, a classifier or a learner, an estimate or
a choice, much data or little. Evidence tells most of it by what it is; what it cannot tell is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import (
    ConfusionMatrix,
    ErrorCount,
    ErrorPatterns,
    Evidence,
    IndependentCounts,
    PairedConfusion,
    PairedTable,
    StratifiedCount,
)
from ..evidence.plan import Plan

__all__ = [
    "ANSWERS",
    "CHOICES",
    "TAXONOMY",
    "Convergence",
    "Data",
    "Domains",
    "Matters",
    "Situation",
    "Subject",
    "Task",
    "folded_evidence",
]

Domains = Literal["one", "many"]
Subject = Literal["classifier", "learner"]
Task = Literal["estimate", "choose"]
Data = Literal["much", "little"]
Sets = Literal["one", "two"]
Matters = Literal["false alarms", "missed differences", "guarantee"]
Convergence = Literal["slow", "parametric", "fast"]
Teller = Literal["the evidence", "you", "what was said before"]

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
    strata, labels
        Whether the counts are by stratum, or by label and prediction.
    told
        Who told each of them.

    Examples
    --------
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
    told: Mapping[str, Teller] = field(default_factory=dict, hash=False)

    @classmethod
    def of(cls, held: Any) -> Situation:
        """Return what evidence, predictions or a race tell; nothing of None."""
        known = {} if held is None else _read(held)
        return cls(**known, told=dict.fromkeys(known, "the evidence"))

    def answered(self, **answers: Any) -> Situation:
        """Return the situation with these answers; one that contradicts the evidence is an error."""
        given = {name: _checked(name, value) for name, value in answers.items() if value is not None}
        for name, value in given.items():
            known = getattr(self, name)
            by_evidence = self.told.get(name) == "the evidence"
            each_by_itself = (name, value) == ("task", "estimate")  # which can be asked of two as well
            if by_evidence and known != value and not each_by_itself:
                raise InvalidOption(
                    f"{name}={value!r} contradicts the evidence, by which {name} is {known!r}. Leave one of them out."
                )
        news = {name: value for name, value in given.items() if getattr(self, name) != value}
        whole = _completed(replace(self, **news, told={**self.told, **dict.fromkeys(news, "you")}))
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
    follows: dict[str, Any] = {}
    if known.domains == "many":
        follows = {"subject": "learner", "task": "choose"}
    elif known.subject == "classifier" or known.data is not None or known.plan is not None:
        follows["domains"] = "one"
    if known.plan is not None:
        follows["data"] = "much" if Plan.parse(known.plan).kind == "delve" else "little"
    news = {name: value for name, value in follows.items() if getattr(known, name) is None}
    return replace(known, **news, told={**known.told, **dict.fromkeys(news, "what was said before")})


def _refuse_contradictions(known: Situation) -> None:
    """Refuse answers that cannot be true together."""
    most = max(known.errors or 0, known.disagreements or 0)
    troubles = (
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
    for broken, message in troubles:
        if broken:
            raise InvalidOption(message)


def folded_evidence(held: Any, task: str | None) -> Evidence | None:
    """Return the evidence that the methods take: predictions counted, a race folded by its plan.

    Several models of whom an error is to be estimated are entries of one count.

    Examples
    --------
    >>> folded_evidence(ConfusionMatrix([[40, 3], [5, 52]]), "estimate")
    ErrorCount(errors=8, trials=100)
    """
    match held:
        case None:
            return None
        case ConfusionMatrix():
            return held.error_count
        case PairedConfusion():
            held = held.paired_table()
    if hasattr(held, "tally"):  # predictions count themselves
        held = held.tally()
    if hasattr(held, "error_counts") and hasattr(held, "reasons"):  # a tally
        if task == "estimate" or len(held.models) < 2:
            counts: ErrorCount = held.error_counts()
            return counts if len(held.models) > 1 else counts[..., 0]
        held = held.error_patterns()
    if hasattr(held, "training_sets"):  # a race
        held = _of_race(held)
    if _is_one_split(held):
        held = _table_of(held) or held
    if isinstance(held, ErrorPatterns) and len(held.models) == 2:
        held = held.pair(*held.models)
    if task == "estimate" and isinstance(held, PairedTable | IndependentCounts):
        both = held.count_a, held.count_b
        errors, trials = (np.stack([getattr(each, name) for each in both], axis=-1) for name in ("errors", "trials"))
        return ErrorCount(errors, trials)
    if task == "estimate" and isinstance(held, ErrorPatterns):
        return held.error_counts
    if not isinstance(held, Evidence):
        raise InvalidEvidence(
            f"advise takes evidence, predictions or a race, but was given {type(held).__name__}. Leave it out, and"
            " answer by keyword: advise(subject='learner', task='choose', data='little')."
        )
    return held


def _of_race(race: Any) -> Evidence:
    """Return what a race holds: one split made classifiers, several seeds of it are crossed with the examples."""
    one = race.plan.kind in {"random", "splits"} and race.plan.replicates * race.plan.folds == 1
    kept: Evidence
    if race.plan.kind == "delve" or (one and race.seeds > 1):
        kept = race.training_sets(missing="drop")
    elif one and len(race.learners) > 1:
        kept = race.error_patterns()
    else:
        kept = race.resamples(missing="drop")
    return kept


def _is_one_split(held: Any) -> bool:
    """Whether these are scores of one split, which made one classifier of each learner."""
    plan = getattr(held, "plan", None)
    return isinstance(plan, Plan) and plan.kind in {"random", "splits"} and plan.replicates * plan.folds == 1


def _table_of(held: Any) -> PairedTable | None:
    """Return who of two was wrong where on the one test set, if the scores kept it."""
    if len(held.learners) != 2 or held.metric != "error" or held.together is None:
        return None
    both, a, b = (held.together[..., i, j, 0, 0].round().astype(np.int64) for i, j in ((0, 1), (0, 0), (1, 1)))
    examples = np.int64(held.test[0, 0])
    return PairedTable(both, a - both, b - both, examples - a - b + both, models=held.learners)


def _read(held: Any) -> dict[str, Any]:
    """Return the facts that evidence shows: which question it is for, and its figures."""
    if isinstance(held, ConfusionMatrix):
        return _read(held.error_count) | {"labels": True}
    if hasattr(held, "tally"):
        held = held.tally()  # counted once, not again for each look
    labelled = {"labels": True} if isinstance(held, PairedConfusion) else {}
    race = held if hasattr(held, "training_sets") else None
    held = folded_evidence(held, None)
    if held is not None and hasattr(held, "learners"):
        known = _of_learners(held)
        return known | ({"examples": race.examples} if race is not None else {})
    return _of_classifiers(held) | labelled


def _of_classifiers(held: Any) -> dict[str, Any]:
    known: dict[str, Any] = {"domains": "one", "subject": "classifier", "data": "much"}
    match held:
        case ErrorCount():
            models = held.shape[-1] if held.shape else 1  # a count of each model, along the last dimension
            known |= {"task": "estimate", "models": models, "errors": _least(held.errors)}
            known |= {"examples": _least(held.trials)}
        case StratifiedCount():
            known |= {"task": "estimate", "models": 1, "strata": True, "errors": int(np.sum(held.errors))}
            known |= {"examples": int(np.sum(held.trials))}
        case PairedTable():
            known |= {"task": "choose", "models": 2, "test_sets": "one", "examples": _least(held.examples)}
            known |= {"disagreements": _least(held.disagreements)}
        case IndependentCounts():
            known |= {"task": "choose", "models": 2, "test_sets": "two"}
            known |= {"examples": min(_least(held.a.trials), _least(held.b.trials))}
        case ErrorPatterns():
            known |= {"task": "choose", "models": len(held.models), "test_sets": "one"}
            tables = held.tables()
            known |= {"examples": _least(held.examples), "disagreements": _least(tables.disagreements)}
        case _:
            raise InvalidEvidence(f"advise knows no question that {type(held).__name__} is for.")
    return known


def _of_learners(held: Any) -> dict[str, Any]:
    count = len(held.learners)
    known: dict[str, Any] = {"domains": "one", "task": "choose" if count > 1 else "estimate", "models": count}
    if not hasattr(held, "plan"):  # disjoint training sets, or seeds, crossed with test examples
        known |= {"subject": "learner", "data": "much", "examples": held.examples}
        return known | ({"stochastic": True} if held.varies == "seed" else {})
    known |= {"plan": held.plan.name, **({"examples": held.examples} if held.examples else {})}
    if _is_one_split(held):
        return known | {"subject": "classifier", "data": "much"} | ({"test_sets": "one"} if count > 1 else {})
    seeds = {"stochastic": True} if held.seeds > 1 or held.plan.kind == "seeds" else {}
    return known | {"subject": "learner", "data": "little"} | seeds


def _least(counts: Any) -> int:
    return int(np.min(counts))


def _checked(name: str, value: Any) -> Any:
    """Return an answer that can be, or say what is allowed."""
    if name in CHOICES:
        if not (isinstance(value, str) and value in CHOICES[name]):
            allowed = ", ".join(map(repr, CHOICES[name]))
            raise InvalidOption(f"{name} must be one of {allowed}, but is {value!r}.")
        return value
    if name in _COUNTS:
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not (whole and value >= _COUNTS[name]):
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
