"""A race: every fit of every learner on every split, from which all evidence is folded."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence.class_scores import ClassScores
from ..evidence.confusion import ConfusionMatrix, PairedConfusion
from ..evidence.error_count import ErrorCount
from ..evidence.error_patterns import ErrorPatterns
from ..evidence.label_patterns import LabelPatterns
from ..evidence.labelled import patterned
from ..evidence.paired_table import PairedTable
from ..evidence.plan import Plan
from ..evidence.resamples import Resamples
from ..evidence.training_sets import TrainingSets
from ..rendering import Rendered
from ..typing_ import BoolArray, IntArray, one_of
from .fit import Fit
from .folding import Folding, Missing
from .metrics import TestSetLoss, as_test_set_loss
from .plans import Layout
from .telling import lines_of, remarks_of, table_of

if TYPE_CHECKING:
    from ..predictions import Disagreements


class Failure(NamedTuple):
    """Which fit failed, and why."""

    learner: str
    where: str
    why: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class Race(Rendered):
    """Every prediction of every learner on every split of a plan; `race(...)` runs one.

    Each learner was fitted once a split. All estimates, all comparisons and all metrics are computed
    from what was kept: `resamples()` for learners on little data, `training_sets()` where training sets
    are disjoint, `confusion_matrix(learner)` for which label it took for which, `paired_table(a, b)` and its like for
    the classifiers of one split.

    Parameters
    ----------
    learners
        Their names.
    layout
        The splits of the plan.
    labels
        For each example, the place of its label in `classes`.
    classes
        The labels there are.
    fits
        What was run, in any order; what is not among them is missing.
    seeds
        How often each learner was fitted on each split, with other seeds.
    reseed
        Returns the same race on other splits, for `reseeded`; None if the learners are not at hand.
    settings
        How the race was set up.
    remarks
        What is odd about it, in words.

    Examples
    --------
    >>> from tellapart.running.plans import lay_out
    >>> y = np.array([0, 0, 1, 1])
    >>> layout = lay_out([([0, 2], [1, 3]), ([1, 3], [0, 2])], None, y)
    >>> fits = [Fit("always 1", split, 0, np.array([1, 1]), None, 0.01, None) for split in (0, 1)]
    >>> race = Race(("always 1",), layout, y, (0, 1), fits)
    >>> race
    Race(always 1: 2-fold on 4 examples, 2 fits)
    >>> race.resamples().loss
    array([[[0.5, 0.5]]])
    """

    learners: tuple[str, ...]
    layout: Layout
    labels: IntArray
    classes: tuple[Any, ...]
    fits: Sequence[Fit]
    seeds: int = 1
    reseed: Callable[[int], Race] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    _found: dict[tuple[str, int, int], Fit] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_found", {(fit.learner, fit.split, fit.seed): fit for fit in self.fits})

    # --- What was run ---------------------------------------------------------------------------

    @property
    def plan(self) -> Plan:
        """How the examples were divided."""
        return self.layout.plan

    @property
    def examples(self) -> int:
        """How many examples there are."""
        return int(self.labels.size)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The fits that failed: who, where and why."""
        return tuple(
            Failure(fit.learner, self.where(fit.split, fit.seed), fit.failure)
            for fit in self.fits
            if fit.failure is not None
        )

    @property
    def missing(self) -> tuple[tuple[str, int, int], ...]:
        """What was not run yet: the learner, the place of the split in the layout, and the seed."""
        return tuple(
            (learner, split, seed)
            for learner in self.learners
            for split in range(len(self.layout.splits))
            for seed in range(self.seeds)
            if (learner, split, seed) not in self._found
        )

    @property
    def seconds(self) -> dict[str, float]:
        """How long each learner took, all its fits together."""
        return {name: float(sum(fit.seconds for fit in self.fits if fit.learner == name)) for name in self.learners}

    def fit(self, learner: str, split: int, seed: int = 0) -> Fit | None:
        """Return one fit, or None if it was not run yet."""
        return self._found.get((learner, split, seed))

    def where(self, split: int, seed: int | None = None) -> str:
        """Say in words which split is meant."""
        laid = self.layout.splits[split]
        grid = self.layout.plans[laid.part] if laid.part else self.plan
        place = f"split {laid.replicate + 1}"
        if grid.folds > 1 and not (grid.kind == "halves" and not laid.part):
            place = f"replicate {laid.replicate + 1}, fold {laid.fold + 1}"
        told = f"{laid.part}, {place}" if laid.part else place
        return f"{told}, seed {seed + 1}" if seed is not None and self.seeds > 1 else told

    # --- Learners -------------------------------------------------------------------------------

    def resamples(
        self,
        *learners: str,
        metric: str | Callable[..., float] = "error",
        higher_is_better: bool | None = None,
        positive: Hashable = None,
        costs: Any = None,
        missing: Missing = "refuse",
    ) -> Resamples:
        """Return the loss of learners on every test set, and what the plan holds besides.

        Parameters
        ----------
        learners
            Whose, and in which order; all of them if left out.
        metric
            "error", "log-loss", "brier", "f1", "balanced-accuracy", "auc", "cost", … or a function of true
            labels and predicted labels. The loss is 1 − f1 and the like where more is better. Where it is not defined
            on a test set it counts as scikit-learn has it, and the evidence says how often.
        higher_is_better
            For a function: whether its larger values are better.
        positive
            The class that precision, recall, F and the like speak of; of two the second, if left out.
        costs
            Of "cost": what each label taken for each prediction costs.
        missing
            What becomes of replicates of which a fit failed or was not run: "refuse" says which, and
            "drop" does without them.
        """
        told = as_test_set_loss(metric, self.classes, higher_is_better, positive=positive, costs=costs)
        return self._folding(learners, told, missing).resamples()

    def training_sets(
        self,
        *learners: str,
        metric: str | Callable[..., float] = "error",
        positive: Hashable = None,
        costs: Any = None,
        missing: Missing = "refuse",
    ) -> TrainingSets:
        """Return the loss on every test example after each of several disjoint training sets.

        For a "delve" plan; for a plan of one split and several seeds, after each seed.

        Parameters
        ----------
        learners
            Whose, and in which order; all of them if left out.
        metric
            "error", "cost", "log-loss" or "brier": a mean over examples.
        positive, costs, missing
            As for `resamples`.
        """
        folding = self._folding(
            learners, as_test_set_loss(metric, self.classes, positive=positive, costs=costs), missing
        )
        if self.plan.kind == "delve":
            return folding.training_sets("training set")
        if self._is_one_split and self.seeds > 1:
            return folding.training_sets("seed")
        raise InvalidEvidence(
            f"training_sets needs disjoint training sets and one test set, but the plan is {self.plan.name!r}. Race by"
            " the plan 'delve 8x200', or by one split with several seeds (plan='holdout', seeds=10)."
        )

    def confusion_matrix(self, learner: str) -> ConfusionMatrix:
        """Return which label a learner took for which: a matrix for each replicate and seed, its folds pooled.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from tellapart import race
        >>> held = race({"nb": GaussianNB()}, *load_iris(return_X_y=True), plan="3x10")
        >>> held.confusion_matrix("nb").shape, held.confusion_matrix("nb").counts[0].sum(axis=1)
        ((3,), array([50, 50, 50]))
        """
        (name,) = self._named((learner,))
        places = self.layout.places()
        self._errors((name,)).refuse_what_is_missing(places)
        replicates, size = 1 + max(self.layout.splits[place].replicate for place in places), len(self.classes)
        counts = np.zeros((replicates, self.seeds, size, size), dtype=np.int64)
        for place in places:
            split = self.layout.splits[place]
            for seed in range(self.seeds):
                said = np.asarray(self._found[name, place, seed].predictions)
                if said.min() < 0:
                    raise InvalidEvidence(f"{name} predicts a label that no example has ({self.where(place)}).")
                np.add.at(counts[split.replicate, seed], (self.labels[split.test], said), 1)
        apart = [axis for axis, length in enumerate(counts.shape[:2]) if length > 1]  # one entry has no shape
        counts = counts.reshape(*(counts.shape[axis] for axis in apart), size, size)
        return ConfusionMatrix(counts, self.classes, models=(name,))

    def class_scores(self, *learners: str) -> ClassScores:
        """Return the probabilities that learners gave each example when it was tested: of the first replicate.

        They are for pictures, and for one look at all examples: those of a cross-validation come from several
        classifiers, whose probabilities need not mean the same. Of several seeds it is the first.

        Parameters
        ----------
        learners
            Whose, and in which order; all of them if left out.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from tellapart import race
        >>> held = race({"nb": GaussianNB()}, *load_breast_cancer(return_X_y=True), plan="3x10")
        >>> held.class_scores()
        ClassScores(nb: auc, 569 examples, 357 of them 1)
        """
        return self._folding(learners, as_test_set_loss("auc", self.classes), "refuse").class_scores()

    def _folding(self, learners: Sequence[str], loss: TestSetLoss, missing: Missing) -> Folding:
        one_of("missing", missing, Missing)
        return Folding(self, self._named(learners), loss, missing)

    def _errors(self, learners: Sequence[str]) -> Folding:
        return self._folding(learners, as_test_set_loss("error", self.classes), "refuse")

    def _named(self, learners: Sequence[str]) -> tuple[str, ...]:
        """Return the learners asked for, all of them if none was named."""
        for name in learners:
            if name not in self.learners:
                near = get_close_matches(str(name), self.learners, 1)
                guess = f" Did you mean {near[0]!r}?" if near else ""
                raise InvalidOption(f"learner must be one of {', '.join(self.learners)}, but is {name!r}.{guess}")
        if len(set(learners)) != len(learners):
            raise InvalidOption(f"learners must be different, but are {', '.join(learners)}.")
        return tuple(learners) or self.learners

    def reseeded(self, times: int) -> Iterator[Race]:
        """Yield the same race on the splits of other seeds, one after the other.

        Each is run when it is asked for, and kept nowhere: no store takes part. Learning curves are left out.

        Parameters
        ----------
        times
            How many.
        """
        if self.reseed is None:
            raise InvalidOption(
                "this race cannot be run on other splits: its splits were handed in or leave nothing to be drawn, or it"
                " was read from a file, which keeps no learners. Call race(...) with a plan by its name."
            )
        return (self.reseed(number) for number in range(1, times + 1))

    # --- Classifiers: the fits of one split -----------------------------------------------------

    @property
    def _is_one_split(self) -> bool:
        return len(self.layout.places()) == 1 and self.plan.kind != "apparent"

    def error_count(self, learner: str) -> ErrorCount:
        """Return the errors of the classifier that a learner made of the one training set."""
        wrong = self._wrong((learner,))[0]
        return ErrorCount(int(wrong.sum()), wrong.size, as_accuracy=True)

    def paired_table(self, a: str, b: str) -> PairedTable:
        """Return what the classifiers of two learners got wrong on the one test set."""
        wrong = self._wrong((a, b))
        return PairedTable.from_correct(~wrong[0], ~wrong[1], models=(a, b))

    def error_patterns(self, *learners: str) -> ErrorPatterns:
        """Return what the classifiers of several learners got wrong on the one test set; of all if none is named."""
        names = self._named(learners)
        return ErrorPatterns.from_correct(dict(zip(names, ~self._wrong(names), strict=True)))

    def paired_confusion(self, a: str, b: str) -> PairedConfusion:
        """Return which labels the classifiers of two learners took for which on the one test set."""
        return self.label_patterns(a, b).pair(a, b)

    def label_patterns(self, *learners: str) -> LabelPatterns:
        """Return the same of several learners; of all if none is named."""
        names = self._named(learners)
        said = self._said(names)
        for name, each in zip(names, said, strict=True):
            if each.min() < 0:
                raise InvalidEvidence(f"{name} predicts a label that no example has.")
        truth = self.labels[self.layout.splits[self.layout.places()[0]].test]
        rows, counts, _ = patterned([truth, *said], range(len(self.classes)))
        return LabelPatterns(names, rows, counts, self.classes)

    def disagreements(self, a: str, b: str, limit: int = 50) -> Disagreements:
        """Return the first examples of the one test set that only one of two classifiers gets right, by row number.

        Rows are numbered from 1, as they stand in the data.
        """
        from ..predictions.disagreements import Disagreements, as_limit

        most, wrong = as_limit(limit), self._wrong((a, b))
        place = self.layout.places()[0]
        test = self.layout.splits[place].test
        odd = np.flatnonzero(wrong[0] != wrong[1])
        first = odd[np.argsort(test[odd], kind="stable")][:most]
        known = (*self.classes, None)  # a label that the examples do not have is −1, the last of these
        guesses = [np.asarray(self._found[name, place, 0].predictions) for name in (a, b)]
        lines = tuple(
            (
                int(test[at]) + 1,
                *(known[each[at]] for each in (self.labels[test], *guesses)),
                b if wrong[0][at] else a,
            )
            for at in first
        )
        columns = {"row": "row", "label": "label", "a": a, "b": b, "right": "right"}
        return Disagreements(models=(a, b), columns=columns, lines=lines, total=odd.size, order="row", engine="race")

    def _wrong(self, learners: Sequence[str]) -> BoolArray:
        """Return by learner and test example whether the only classifier was wrong."""
        truth = self.labels[self.layout.splits[self.layout.places()[0]].test]
        return np.not_equal(self._said(learners), truth)

    def _said(self, learners: Sequence[str]) -> IntArray:
        """Return by learner and test example what the only classifier predicted."""
        names = self._named(learners)
        if not self._is_one_split:
            raise InvalidEvidence(
                f"this speaks of classifiers: one training set, one test set; but the plan is {self.plan.name!r}. Race"
                " by the plan 'holdout', or ask resamples() about the learners."
            )
        if self.seeds > 1:
            raise InvalidEvidence(
                f"each learner made {self.seeds} classifiers, one a seed. Ask training_sets(), or race with seeds=1."
            )
        folding = self._errors(names)
        place = self.layout.places()[0]
        folding.refuse_what_is_missing([place])
        return np.stack([np.asarray(self._found[name, place, 0].predictions) for name in names])

    # --- How it is told -------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"Race({', '.join(self.learners)}: {self.describe()})"

    def describe(self) -> str:
        """Say in words what was run."""
        wanted = len(self.learners) * len(self.layout.splits) * self.seeds
        absent, failed = len(self.missing), len(self.failures)
        whole = f"{wanted} fit{'s' * (wanted != 1)}"
        told = [whole if not absent else f"{wanted - absent} of {whole}"]
        told += [f"{failed} failed"] * bool(failed)
        return f"{self.plan.name} on {self.examples} examples, {', '.join(told)}"

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        return [("race", self.describe()), *lines_of(self)]

    def as_dict(self) -> dict[str, Any]:
        """Return everything but the predictions by name."""
        return {
            "plan": self.plan.name,
            "examples": self.examples,
            "classes": list(self.classes),
            "splits": len(self.layout.splits),
            "seeds": self.seeds,
            "learners": table_of(self),
            "failures": [failure._asdict() for failure in self.failures],
            "remarks": list(remarks_of(self)),
            "settings": dict(self.settings),
        }
