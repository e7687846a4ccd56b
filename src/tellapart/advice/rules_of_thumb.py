"""The rules of thumb of the five documents, and the conditions under which rules and alternatives apply.

A rule names its row of the inventory, with a letter if a row has several. Rules are cited, not followed: recommended
methods are based on newer results, which `superseded` states.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from ..bibliography import REFERENCES
from .questions import read_toml
from .situation import FEWEST_FOLDS, TEN_RUNS, Situation


def _has_too_few_runs(situation: Situation) -> bool:
    return situation.runs is not None and situation.runs < FEWEST_FOLDS


def _is_on_one_test_set(situation: Situation) -> bool:
    """Return whether two classifiers share one test set."""
    by_runs = situation.way == 8 and _has_too_few_runs(situation)
    return by_runs or (situation.way == 3 and situation.test_sets != "two")


def _is_enumerable(counts: Any) -> bool:
    """Return whether two independent counts have few enough tables to enumerate."""
    a, b = counts.a.trials, counts.b.trials
    return bool(np.max((a + 1.0) * (b + 1.0)) <= 1_000_000 and np.max([np.max(a), np.max(b)]) <= 10_000)


# What `applies` of rules.toml, and `if` of [[instead.QUESTION]] in alternatives.toml, may name.
OF_SITUATION: dict[str, Callable[[Situation], bool]] = {
    "one rate": lambda situation: situation.way == 1 and not situation.scored,
    "rate below 10% or above 90%, or unknown": lambda situation: (
        situation.rate is None or not 0.1 <= situation.rate <= 0.9
    ),
    "no errors": lambda situation: situation.errors == 0,
    "errors, or unknown": lambda situation: situation.errors != 0,
    "fewer than ten errors, or unknown": lambda situation: (situation.errors or 0) < 10,
    "at most 5000 examples, or unknown": lambda situation: (situation.examples or 0) <= 5000,
    "an estimate": lambda situation: situation.task == "estimate",
    "a choice": lambda situation: situation.task == "choose" and situation.domains == "one",
    "splits": lambda situation: situation.way in {6, 8},
    "splits to choose by": lambda situation: situation.way == 8,
    "one sample": lambda situation: situation.plan != "independent",
    "too few runs for folds": _has_too_few_runs,
    "ten runs": lambda situation: situation.runs is None or situation.runs >= TEN_RUNS,
    "one test set": lambda situation: not situation.scored and _is_on_one_test_set(situation),
    "two test sets": lambda situation: situation.way == 3 and situation.test_sets == "two",
    "many domains": lambda situation: situation.domains == "many",
    "three models or more": lambda situation: (situation.models or 0) > 2,
    "power matters": lambda situation: situation.matters == "power",
    "tuning": lambda situation: situation.tuning,
    "no tuning": lambda situation: not situation.tuning,
    "labels": lambda situation: situation.labels,
}
# What `if` of [[beside.KIND]] and [[instead.KIND]] in alternatives.toml may name: of evidence of that kind.
OF_EVIDENCE: dict[str, Callable[[Any], bool]] = {
    "a count without errors": lambda count: bool(np.any(count.errors == 0)),
    "fewer than ten errors or successes": lambda count: bool(np.min(np.minimum(count.errors, count.successes)) < 10),
    "at most 200 examples": lambda table: bool(np.max(table.size) <= 200),
    "201 to 5000 examples": lambda table: bool(200 < np.max(table.size) <= 5000),
    "more than 5000 examples": lambda table: bool(np.max(table.size) > 5000),
    "at most a million tables": _is_enumerable,
    "more than a million tables": lambda counts: not _is_enumerable(counts),
    "two models": lambda evidence: len(evidence.models) == 2,
    "clusters": lambda outcomes: outcomes.clusters is not None,
    "no clusters": lambda outcomes: outcomes.clusters is None,
    "groups": lambda outcomes: outcomes.groups is not None,
    "right or wrong, once": lambda outcomes: outcomes.metric.is_rate and not outcomes.repeated,
    "folds": lambda resamples: resamples.plan.kind == "k-fold",
    "several runs of every data set": lambda table: table.rho is not None and bool((table.runs > 1).all()),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOfThumb:
    """A rule of thumb, its source, when it applies and what supersedes it.

    Examples
    --------
    >>> rule = next(rule for rule in load_rules() if rule.row == "S1-30a")
    >>> print(rule.says)
    If each learner can be trained only once, use McNemar's test on one split
    >>> rule.applies_to(Situation(domains="one", subject="learner", task="choose", data="little", runs=1))
    True
    """

    row: str
    says: str
    source: str  # the key of its bibliography entry
    kind: Literal["+", "!", "."]  # do, beware, know
    applies: tuple[str, ...] = ()  # names of conditions, all of which have to hold
    superseded: str = ""  # the newer result
    since: str = ""  # its source, a key

    def applies_to(self, situation: Situation) -> bool:
        """Return whether all its conditions hold."""
        return all(OF_SITUATION[name](situation) for name in self.applies)

    @property
    def text(self) -> str:
        """The rule in a line, with its source and the newer result."""
        text = f"{self.says} ({REFERENCES[self.source].short})"
        return f"{text}. Newer: {self.superseded} ({REFERENCES[self.since].short})" if self.superseded else text

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name; references in full."""
        rule = {"row": self.row, "kind": self.kind, "says": self.says, "source": str(REFERENCES[self.source])}
        return rule | {"superseded": self.superseded, "since": str(REFERENCES[self.since]) if self.since else ""}


@cache
def load_rules() -> tuple[RuleOfThumb, ...]:
    """Return all rules, in the order of the documents."""
    entries = read_toml("rules.toml")["rule"]
    return tuple(RuleOfThumb(**entry | {"applies": tuple(entry.get("applies", ()))}) for entry in entries)


def rules_for(situation: Situation) -> tuple[RuleOfThumb, ...]:
    """Return the rules that apply, in the order of the documents; none while an answer is missing.

    Examples
    --------
    >>> from tellapart.evidence import ErrorCount
    >>> [rule.row for rule in rules_for(Situation.of(ErrorCount(3, 120)))]
    ['S0-04', 'S0-15', 'S0-19', 'S0-36a', 'S1-01', 'S1-02', 'S2-05', 'S2-12']
    """
    return tuple(rule for rule in load_rules() if rule.applies_to(situation)) if situation.question else ()
