"""Designs in which learners are trained on samples, with varying and overlapping training sets."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any, ClassVar
from zlib import crc32

import numpy as np

from ...errors import InvalidOption, UnknownMethod
from ...evidence import PairedTable, Plan, Resamples, TrainingSets
from ...evidence.paired_table import CELLS
from ...methods import Offer
from ...typing_ import FloatArray, IntArray
from ..design import Design, brief, flag, whole
from ..inducers.batched import Inducer, as_inducer
from ..plan_views import PlanView, view_of
from ..populations.base import Population
from .expected import Training, in_portion, true_errors
from .sample_folding import PARTS, divided, fresh, losses_of, raced, sizes, stacked, true_scores, with_folds

_PARAMETERS = ("difference", "error", "odds", "reduction")
_MOST_NUMBERS = 3_000_000  # numbers of a sample, or of the training sets drawn from it, that are held at once


class Trained(Design):
    """Base class of designs in which two learners are trained on samples of a population.

    A subclass has `population`, `a`, `b`, `examples`, `plan`, `rounds`, `tested` and `stratify`; `target`, if it is
    another one.
    """

    __slots__ = ()
    population: Population
    a: Inducer
    b: Inducer
    examples: int
    plan: str | None
    rounds: int
    tested: int | str | None
    stratify: bool
    target: str = "plan"
    evidence: ClassVar = (PairedTable, Resamples, TrainingSets)
    usual: ClassVar = (
        "corrected-resampled-t",
        "corrected-repeated-kfold-t",
        "5x2cv-t",
        "kfold-t",
        "resampled-t",
        "mcnemar-mid-p",
    )
    block: ClassVar = 500
    trials: ClassVar = 2000
    movable: ClassVar = False

    def _check_parameters(self) -> None:
        """Raise InvalidOption if a common parameter is invalid."""
        object.__setattr__(self, "examples", whole("examples", self.examples, least=2))
        object.__setattr__(self, "rounds", whole("rounds", self.rounds, least=2))
        if isinstance(self.tested, str):
            self._check_all_tested()
        elif self.tested is not None:
            object.__setattr__(self, "tested", whole("tested", self.tested))
        object.__setattr__(self, "stratify", flag("stratify", self.stratify))
        if self.plan is not None:
            object.__setattr__(self, "plan", Plan.parse(self.plan).name)
            self._training_sizes(self.plan)

    def _check_all_tested(self) -> None:
        """Raise InvalidOption if the true error on the whole population is requested but has to be sampled."""
        if self.tested != "all":
            raise InvalidOption(f"`tested` must be a whole number or 'all', got {self.tested!r}.")
        for each in (self.a, self.b):
            if in_portion(self.population, each):
                raise InvalidOption(
                    f"`tested` must be a number, such as 1000: the true error of {each.name} has no formula here, so"
                    " 'all' is not available."
                )

    def __repr__(self) -> str:
        return brief(self)

    # --- What is true -----------------------------------------------------------------------------

    def truth(self, parameter: str, view: PlanView | None = None) -> FloatArray:
        """Return the difference of the expected errors, or the "error" of A, for the training sets of a view.

        Without a view, training sets are those of the design's plan, or of all examples. So are they with
        target="all", of every plan that divides a sample.
        """
        return np.asarray(self._of_sets(parameter, view).mean())[()]

    def truth_for(self, view: Any, parameter: str) -> FloatArray:
        """Return the true value for training sets of the view's sizes, or of all examples on request."""
        return self.truth(parameter, view)

    def truth_error(self, parameter: str, view: PlanView | None = None) -> FloatArray:
        """Return the standard error of `truth`, a mean over drawn training sets; 0 if exact."""
        values = self._of_sets(parameter, view)
        spread = values.std(ddof=1) if values.size > 1 else 0.0
        return np.asarray(spread / np.sqrt(values.size))[()]

    @property
    def exchangeable(self) -> bool:
        """Whether A and B have equal error rates by construction."""
        return self.a.as_dict() == self.b.as_dict()

    def _of_sets(self, parameter: str, view: PlanView | None) -> FloatArray:
        """Return the parameter's value for each of many training sets; one value if it is exact."""
        if parameter not in _PARAMETERS:
            raise InvalidOption(f"`parameter` must be one of {', '.join(_PARAMETERS)}, got {parameter!r}.")
        plan = self._spoken_of(view.plan if view is not None else self.plan)
        portions = [in_portion(self.population, each) for each in (self.a, self.b)]
        if parameter == "error":
            return self._errors_after(0, plan, portions[0])
        if self.exchangeable:  # discordant errors of both are equally frequent
            return np.array([1.0 if parameter == "odds" else 0.0])
        if parameter == "odds":
            raise InvalidOption(
                "the true odds of discordant errors are known only for equally good learners. Use Twins(…) with"
                " differences=[]."
            )
        a, b = (self._errors_after(index, plan, min(filter(None, portions), default=0)) for index in (0, 1))
        if parameter == "difference":
            return a - b
        with np.errstate(divide="ignore", invalid="ignore"):  # nothing is left to be reduced of no errors
            left = b.mean() / a.mean()
            return np.asarray(1 - left - (b - left * a) / a.mean())  # set by set as far as a ratio has such parts

    def _spoken_of(self, plan: str | None) -> str | None:
        """Return the plan that defines the training sets; None for all examples."""
        divides = plan is not None and Plan.parse(plan).kind in {"k-fold", "random", "halves"}
        return None if divides and self.target == "all" else plan

    def _errors_after(self, index: int, plan: str | None, portion: int) -> FloatArray:
        """Return the true errors of A (0) or B (1) for training sets shared by both."""
        return self._true_errors((self.a, self.b)[index], plan, portion)

    def _true_errors(self, inducer: Inducer, plan: str | None, portion: int) -> FloatArray:
        """Return true errors for training sets of the plan, weighted by its mixture of sizes."""
        trained = Counter(self._training_sizes(plan).tolist())
        fresh_sets = plan is not None and self._draws_fresh_sets(Plan.parse(plan))
        key = json.dumps([self.population.as_dict(), inducer.as_dict()], sort_keys=True)
        total: Any = 0.0
        for size, often in trained.items():
            pool = size if fresh_sets else self.examples
            sets = Training(key, size, pool, self.stratify, portion, self.population, inducer)
            total = total + often * true_errors(sets)
        return np.asarray(total / trained.total())

    def _training_sizes(self, plan: str | None) -> IntArray:
        """Return the sizes of a plan's training sets; without a plan, the number of examples."""
        if plan is None:
            return np.array([self.examples])
        parsed = Plan.parse(plan)
        if parsed.kind == "delve":
            if self.tested == "all":
                raise InvalidOption(f"plan {parsed.name!r} needs test examples. Set `tested` to a number.")
            needed = parsed.replicates * parsed.size
            if self.tested is None and needed >= self.examples:
                raise InvalidOption(
                    f"plan {parsed.name!r} trains on {needed} of {self.examples} examples and leaves no test"
                    " set. Use more"
                    " examples, another plan (plan='delve 4x50'), or separate test examples (tested=300)."
                )
        return sizes(parsed, self.examples)

    # --- What is looked at ------------------------------------------------------------------------

    def view(self, method: Offer, learners: int = 2) -> PlanView:
        """Return the view of a method: its plan."""
        Design.view(self, method, learners)
        selected = view_of(method, self.plan, learners)
        try:
            self._training_sizes(selected.plan)
        except InvalidOption as error:  # too few examples for it, or none that could be drawn
            raise UnknownMethod(f"method {method.name!r} does not apply here: {error}") from error
        return selected

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw samples, and train and test both learners by every plan.

        Every plan has random numbers of its own, so that what is drawn for a method does not depend on the others.
        """
        seed = int(rng.integers(2**63))
        learners = {view.plan: 0 for view in views}
        for view in views:
            learners[view.plan] = max(learners[view.plan], view.learners)
        streams = {plan: np.random.default_rng([seed, crc32(plan.encode())]) for plan in learners}
        samples, evidence = np.random.default_rng(seed), {view: [] for view in views}  # type: ignore[var-annotated]
        for count in _portion_sizes(trials, self.examples * self.population.attributes):
            X, y = self.population.draw((count,), self.examples, samples)  # noqa: N806
            for plan, many in learners.items():
                plan_views = [view for view in views if view.plan == plan]
                for view, some in self._fold_portions(plan_views, (self.a, self.b)[:many], X, y, streams[plan]):
                    evidence[view] += some
        return {view: _join_evidence(parts) for view, parts in evidence.items()}

    def _fold_portions(
        self,
        views: Sequence[PlanView],
        inducers: Sequence[Inducer],
        X: FloatArray,  # noqa: N803
        y: IntArray,
        rng: np.random.Generator,
    ) -> Iterator[tuple[PlanView, list[Any]]]:
        """Yield the evidence of samples by one plan, in portions."""
        plan = with_folds(Plan.parse(views[0].plan), self.examples)
        if plan.kind in PARTS:
            entries = [
                raced(inducers, *sample, plan, self.population.classes, rng, stratify=self.stratify)
                for sample in zip(X, y, strict=True)
            ]
            for view in views:
                yield view, entries if view.learners == len(inducers) else [each.select("A") for each in entries]
            return
        start = 0
        for count in _portion_sizes(len(y), self._count_numbers(plan)):
            some = slice(start, start + count)
            start += count
            seen = self._observe_samples(plan, {view.kind for view in views}, inducers, X[some], y[some], rng)
            for view in views:
                folder = seen[view.kind]
                yield view, [folder if view.learners == len(inducers) else folder.select("A")]

    def _observe_samples(
        self,
        plan: Plan,
        kinds: set[str],
        inducers: Sequence[Inducer],
        X: FloatArray,  # noqa: N803
        y: IntArray,
        rng: np.random.Generator,
    ) -> dict[str, Any]:
        """Return the evidence of every requested kind, after training and testing."""
        if plan.kind == "independent" and self.tested == "all":
            return {"Resamples": true_scores(inducers, self.population, (len(y), self.rounds), self.examples, rng)}
        if self._draws_fresh_sets(plan):
            losses = fresh(inducers, *self._draw_fresh_sets(plan, len(y), rng))
        else:
            groups = divided(plan, y, rng, stratify=self.stratify)
            losses = losses_of(inducers, X, y, groups, (plan.replicates, plan.folds))
        known = 0 if self._draws_fresh_sets(plan) else self.examples
        make: dict[str, Callable[[], Any]] = {
            "PairedTable": losses.paired_table,
            "TrainingSets": losses.training_sets,
            "Resamples": lambda: losses.resamples(plan, known),
        }
        return {kind: make[kind]() for kind in kinds}

    def _count_numbers(self, plan: Plan) -> int:
        """Return the approximate number of values in memory per sample."""
        attributes = self.population.attributes
        if plan.kind == "independent":
            tested = self.population.points if self.tested == "all" else self._count_fresh * attributes
            return self.rounds * max(self.examples * attributes, tested)
        trained = plan.replicates * max(self.examples, plan.size)
        return max(trained, self._count_fresh if self._draws_fresh_sets(plan) else 0) * attributes

    @property
    def _count_fresh(self) -> int:
        """Return the number of new test examples."""
        return int(self.tested or max(self.examples // 2, 1))

    def _draw_fresh_sets(self, plan: Plan, count: int, rng: np.random.Generator) -> tuple[Any, Any]:
        """Draw training and test sets for every round, or disjoint training sets and one test set."""
        if plan.kind == "independent":
            shape = (count, self.rounds)
            return self.population.draw(shape, self.examples, rng), self.population.draw(shape, self._count_fresh, rng)
        train = self.population.draw((count, plan.replicates), plan.size, rng)
        X, y = self.population.draw((count, 1), self._count_fresh, rng)  # noqa: N806
        shape = (count, plan.replicates)
        return train, (np.broadcast_to(X, (*shape, *X.shape[2:])), np.broadcast_to(y, (*shape, y.shape[-1])))

    def _draws_fresh_sets(self, plan: Plan) -> bool:
        """Return whether sets are drawn from the population, not from one sample."""
        return plan.kind == "independent" or (plan.kind == "delve" and self.tested is not None)

    # --- What it is -------------------------------------------------------------------------------

    @property
    def facts(self) -> dict[str, float]:
        """The number of examples."""
        return {"examples": self.examples}

    def describe(self) -> str:
        """Return a description of the design."""
        who = f"{self.a.name} against {self.b.name}"
        return f"{who}, trained and tested on {self._describe_examples()}; {self.population.describe()}"

    def _describe_examples(self) -> str:
        if self.plan == "independent":
            return f"{self.rounds} samples of {self.examples} examples, each with its own test data"
        return f"{self.examples} examples" + ("" if self.plan is None else f" by {self.plan}")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Learners(Trained):
    """Two learners trained on repeated samples of a population.

    Their true errors are fixed, so the difference cannot be set. For learners that are equally good by construction, or
    have a given difference, see `Twins`.

    Parameters
    ----------
    population
        The population of examples.
    a, b
        The learners.
    examples
        The number of examples of a sample; with the plan "independent", of every training set.
    plan
        How samples are split. Default: the natural plan of each method. A method for one test set always gets a
        holdout.
    rounds
        The number of rounds of the plan "independent", each with its own training and test sets.
    tested
        The number of new test examples in a round of "independent" (default: half the training examples), or after the
        training sets of "delve 8x100" (default: the remaining examples). "all": scores in a round of "independent" are
        true errors, as in Martin and Hirschberg (1996, Table 10), if these have a formula.
    stratify
        Whether every set has the classes in the same shares, as far as possible.
    target
        The target of estimates and intervals: the expected error for training sets of the "plan", which its scores
        estimate without bias, or for "all" examples of a sample, the usual interpretation. Folds of half the examples
        overestimate the error of a learner trained on all of them; target="all" shows this bias (Martin and Hirschberg
        1996, Table 15).

    Examples
    --------
    >>> from tellapart.lab import Discriminant, Learners, NearestNeighbours, TwoNormals, calibrate
    >>> design = Learners(TwoNormals(0.1), NearestNeighbours(1), Discriminant(), examples=60, plan="10-fold")
    >>> bool(design.truth("difference") > 0.03)
    True

    Twenty samples of twenty examples with true errors: the paired t test has more power than the unpaired one.

    >>> pair = NearestNeighbours(1), NearestNeighbours(3)
    >>> fresh = Learners(TwoNormals(0.1), *pair, 20, plan="independent", rounds=20, tested="all")
    >>> found = calibrate(["paired-t", "unpaired-t"], fresh, trials=500)
    >>> bool(found["paired-t"].power.value > found["unpaired-t"].power.value + 0.2)
    True
    """

    population: Population
    a: Inducer
    b: Inducer
    examples: int
    plan: str | None = None
    rounds: int = 10
    tested: int | str | None = None
    stratify: bool = False
    target: str = "plan"

    def __post_init__(self) -> None:
        if not isinstance(self.population, Population):
            raise InvalidOption(
                f"`population` must be one of tellapart.lab, such as TwoNormals(0.1), got {self.population!r}."
            )
        for name in ("a", "b"):
            as_inducer(name, getattr(self, name))
        if self.target not in ("plan", "all"):
            raise InvalidOption(f"`target` must be 'plan' or 'all', got {self.target!r}.")
        self._check_parameters()

    def as_dict(self) -> dict[str, Any]:
        """Return the design's name and its parameters, for JSON and to identify the design."""
        plain = {name: getattr(self, name) for name in ("examples", "plan", "rounds", "tested", "stratify", "target")}
        who = {"population": self.population.as_dict(), "a": self.a.as_dict(), "b": self.b.as_dict()}
        return {"design": type(self).__name__} | who | plain


# --- Small helpers --------------------------------------------------------------------------------


def _portion_sizes(number: int, size: int) -> Iterator[int]:
    """Yield portion sizes that limit memory, independent of the machine."""
    step = max(1, _MOST_NUMBERS // max(size, 1))
    for start in range(0, number, step):
        yield min(step, number - start)


def _join_evidence(parts: list[Any]) -> Any:
    """Return evidence of several samples as one, or as a list if sizes differ."""
    first = parts[0]
    if len(parts) == 1 and first.shape:
        return first
    return _join_portions(first, parts)


@singledispatch
def _join_portions(first: Any, parts: list[Any]) -> Any:
    """Return evidence of several portions as one, by the type of the first."""
    return replace(first, loss=np.concatenate([part.loss for part in parts])) if first.shape else stacked(parts)


@_join_portions.register
def _concatenate_tables(_first: PairedTable, parts: list[PairedTable]) -> PairedTable:
    return PairedTable(*(np.concatenate([getattr(part, cell) for part in parts]) for cell in CELLS))


@_join_portions.register
def _concatenate_resamples(first: Resamples, parts: list[Resamples]) -> Resamples | list[Resamples]:
    if not first.shape:
        return stacked(parts)
    losses = np.concatenate([part.loss for part in parts])
    joint = [part.joint for part in parts if part.together is not None]
    return replace(first, loss=losses, together=np.concatenate(joint) if joint else first.together)
