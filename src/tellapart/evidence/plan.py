"""Cross-validation designs: how examples are divided into training and test sets, and the names of such plans."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..errors import InvalidOption
from ..rendering import html_fields
from ..typing_ import IntArray

Kind = Literal[
    "k-fold",  # every replicate divides the examples into folds; each fold is tested once
    "random",  # every replicate is one random split
    "bootstrap",  # every replicate trains on a bootstrap sample and tests on the examples left out
    "apparent",  # trained and tested on all examples
    "nested",  # k-fold, with another cross-validation within every training set
    "halves",  # random splits of all examples, and of each of two random halves
    "loo-star",  # leave-one-out, the bootstrap and an iterated 2-fold cross-validation
    "delve",  # disjoint training sets, one test set
    "independent",  # every replicate has its own sample and its own test data
    "seeds",  # one training and one test set; a replicate is another seed of the learner
    "splits",  # any other splits
]


@dataclass(frozen=True, slots=True)
class Plan:
    """A cross-validation design: how, and how often, examples are divided into training and test sets.

    Examples
    --------
    >>> plan = Plan.parse("10x10")
    >>> plan.kind, plan.replicates, plan.folds
    ('k-fold', 10, 10)
    >>> Plan.parse("30x(2/3)").share.__round__(3)
    0.667
    >>> Plan.parse("delve 8x200").size
    200
    >>> Plan.parse("holdout").one_split
    True
    """

    name: str
    kind: Kind
    replicates: int = 1
    folds: int = 1  # 0: one per example
    share: float = 0.0  # of the examples used for training, for random splits
    size: int = 0  # of each training set, for disjoint ones

    @classmethod
    def parse(cls, name: str) -> Plan:
        """Return the plan of this name; raise InvalidOption if it is unknown."""
        text = " ".join(str(name).lower().replace("×", "x").split())
        for pattern, make in _GRAMMAR:
            match = re.fullmatch(pattern, text)
            if match:
                return _check_plan(make(*match.groups()), name)
        raise InvalidOption(f"unknown `plan` {name!r}. {_suggest_plan(text)}")

    @property
    def ratio(self) -> float:
        """The ratio of test to training size, if the plan determines it; else NaN."""
        if self.kind in {"k-fold", "nested"} and self.folds > 1:
            return 1 / (self.folds - 1)
        return (1 - self.share) / self.share if self.kind in {"random", "halves"} and self.share else float("nan")

    @property
    def one_split(self) -> bool:
        """Whether there is one split only, so that answers apply to the trained classifiers."""
        return self.kind in {"random", "splits"} and self.replicates * self.folds == 1

    @property
    def counts_runs(self) -> bool:
        """Whether the description says how many test sets there are."""
        return self.kind in {"k-fold", "random", "bootstrap", "apparent", "nested", "delve"}

    @property
    def description(self) -> str:
        """The design in words.

        Examples
        --------
        >>> [Plan.parse(name).description for name in ("10x3", "10-fold", "loo")]
        ['10 repeats of 3-fold cross-validation', '10-fold cross-validation', 'leave-one-out cross-validation']
        >>> Plan.parse("30x(2/3)").description
        '30 random splits (67% for training)'
        """
        many = f"{self.replicates:,}"
        repeats = f"{many} repeats of " if self.replicates > 1 else ""
        folds = f"{self.folds}-fold" if self.folds else "leave-one-out"
        return {
            "k-fold": f"{repeats}{folds} cross-validation",
            "nested": f"{repeats}nested {folds} cross-validation",
            "random": f"{many} random split{'s' * (self.replicates != 1)} ({100 * self.share:.0f}% for training)",
            "bootstrap": f"{many} bootstrap samples",
            "apparent": "tested on the training examples",
            "halves": f"{self.folds} splits of all examples and of {many} pairs of halves",
            "loo-star": "leave-one-out, bootstrap and repeated 2-fold cross-validation",
            "delve": f"{many} disjoint training sets of {self.size:,}",
            "independent": "independent samples",
            "seeds": "seeds",
            "splits": "given splits",
        }[self.kind]

    def _repr_html_(self) -> str:
        return html_fields(self)

    def __str__(self) -> str:
        return self.name


_EXAMPLES = "Use '10-fold', '10x10', '5x2', '30x(2/3)', 'holdout' or '632'."


def _suggest_plan(text: str) -> str:
    """Return the plan with the same numbers that is spelled most like this text, or where plans are described."""
    from difflib import get_close_matches  # noqa: PLC0415  # only an unknown name needs it

    first, second = (*re.findall(r"\d+", text), "10", "10")[:2]
    shapes = ("{}-fold", "{}x{}", "{}x(2/3)", "half-and-half {}", "632*{}", "2-fold*{}", "nested {}x{}", "delve {}x{}")
    named = ("holdout", "loo", "loo-star", "apparent", "632", "nested", "conservative-z", "independent", "seeds")
    near = get_close_matches(text, [*(shape.format(first, second) for shape in shapes), *named])
    valid = next(filter(_is_valid, near), "")
    return f"Did you mean {valid!r}?" if valid else _EXAMPLES


def _is_valid(name: str) -> bool:
    """Return whether a name that the grammar accepts has valid numbers, too."""
    try:
        Plan.parse(name)
    except InvalidOption:
        return False
    return True


def _read_share(text: str) -> float:
    above, _, below = text.partition("/")
    return float(above) / float(below or 1) if float(below or 1) else float("nan")


_NUMBER = r"(\d+)"
_PART = r"(\d+/\d+|0?\.\d+)"
_GRAMMAR: tuple[tuple[str, Callable[..., Plan]], ...] = (
    (f"{_NUMBER}-fold", lambda k: Plan(f"{k}-fold", "k-fold", 1, int(k))),
    (f"{_NUMBER}x{_NUMBER}(?:-fold|cv)?", lambda r, k: Plan(f"{r}x{k}", "k-fold", int(r), int(k))),
    (rf"{_NUMBER}-fold\*{_NUMBER}", lambda k, r: Plan(f"{k}-fold*{r}", "k-fold", int(r), int(k))),
    (rf"{_NUMBER}x\({_PART}\)", lambda r, p: Plan(f"{r}x({p})", "random", int(r), 1, _read_share(p))),
    (f"half-and-half {_NUMBER}", lambda r: Plan(f"half-and-half {r}", "random", int(r), 1, 0.5)),
    (
        rf"holdout(?: ?\(?{_PART}\)?)?",
        lambda p: Plan(f"holdout({p or '2/3'})", "random", 1, 1, _read_share(p or "2/3")),
    ),
    ("loo|leave-one-out", lambda: Plan("loo", "k-fold", 1, 0)),
    (r"loo-star|loo\*", lambda: Plan("loo-star", "loo-star", 1, 0)),
    ("apparent", lambda: Plan("apparent", "apparent")),
    (rf"\.?632(?:\*{_NUMBER})?", lambda r: Plan(f"632*{r or 100}", "bootstrap", int(r or 100))),
    (
        f"nested(?: {_NUMBER}x{_NUMBER})?",
        lambda r, k: Plan(f"nested {r or 20}x{k or 10}", "nested", int(r or 20), int(k or 10)),
    ),
    ("conservative-z", lambda: Plan("conservative-z 10x15(0.9)", "halves", 10, 15, 0.9)),
    (
        rf"conservative-z {_NUMBER}x{_NUMBER}\({_PART}\)",
        lambda r, j, p: Plan(f"conservative-z {r}x{j}({p})", "halves", int(r), int(j), _read_share(p)),
    ),
    (f"delve {_NUMBER}x{_NUMBER}", lambda r, m: Plan(f"delve {r}x{m}", "delve", int(r), 1, size=int(m))),
    ("independent", lambda: Plan("independent", "independent", 0)),
    ("seeds", lambda: Plan("seeds", "seeds", 0)),
)


def _check_plan(plan: Plan, name: str) -> Plan:
    """Return the plan; raise InvalidOption if it has no replicates, one fold or no training set."""
    empty = plan.replicates < 1 and plan.kind not in {"independent", "seeds"}
    empty |= plan.folds < 1 and plan.kind == "halves"
    single = plan.folds < 2 and plan.kind in {"k-fold", "nested"} and plan.name != "loo"
    shapeless = plan.kind in {"random", "halves"} and not 0 < plan.share < 1
    if empty or single or shapeless or (plan.kind == "delve" and plan.size < 1):
        raise InvalidOption(f"`plan` must leave examples to train on and to test on, got {name!r}. {_EXAMPLES}")
    return plan


def as_plan(plan: Plan | str, runs: int | None = None) -> Plan:
    """Return a plan from its name; `runs` is the number of runs if the name does not determine it."""
    if not isinstance(plan, Plan | str):
        raise InvalidOption(f"`plan` must be a name, got {plan!r}. {_EXAMPLES}")
    design = Plan.parse(plan) if isinstance(plan, str) else plan
    if runs is not None and design.replicates == 0:
        return replace(design, replicates=runs)
    if runs is not None and design.folds == 0:
        return replace(design, folds=runs)
    return design


def recognise(trains: Sequence[IntArray], tests: Sequence[IntArray], name: str = "") -> Plan:
    """Return the plan that explicit training and test indices follow.

    Splits whose consecutive test sets partition the examples are k-fold; others of equal size are random; all
    others are "splits".

    Examples
    --------
    >>> recognise([[2, 3], [0, 1]], [[0, 1], [2, 3]]).name
    '2-fold'
    """
    splits = [(np.unique(train), np.unique(test)) for train, test in zip(trains, tests, strict=True)]
    everything = np.unique(np.concatenate([part for split in splits for part in split]))
    whole = all(train.size + test.size == everything.size for train, test in splits)
    disjoint = all(not np.isin(test, train, assume_unique=True).any() for train, test in splits)
    if whole and disjoint:
        starts, seen = [0], 0
        for index, (_, test) in enumerate(splits):
            seen += test.size
            if seen % everything.size == 0 and index + 1 < len(splits):
                starts.append(index + 1)
        replicates = len(starts)
        folds, rest = divmod(len(splits), replicates)
        cut = [splits[start : start + folds] for start in starts]
        if not rest and folds > 1 and all(_is_partition(part, everything) for part in cut):
            called = f"{folds}-fold" if replicates == 1 else f"{replicates}x{folds}"
            return Plan(name or called, "k-fold", replicates, folds)
        sizes = {test.size for _, test in splits}
        if max(sizes) - min(sizes) <= 1:
            share = splits[0][0].size / everything.size
            return Plan(name or f"{len(splits)}x({share:.4g})", "random", len(splits), 1, share)
    return Plan(name or "splits", "splits", len(splits))


def _is_partition(splits: Sequence[tuple[IntArray, IntArray]], everything: IntArray) -> bool:
    together = np.concatenate([test for _, test in splits])
    return together.size == everything.size and np.array_equal(np.sort(together), everything)
