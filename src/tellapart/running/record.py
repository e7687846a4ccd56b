"""An experiment: the fits of all learners on all splits, from which all evidence is computed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..display import Display
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
from ..figures import count_text, join_names
from ..rendering import Rendered
from ..typing_ import BoolArray, IntArray, one_of
from .fit import Fit
from .folding import Folding, Missing
from .metrics import TestSetLoss, as_test_set_loss
from .plans import Layout
from .race_summary import display_race, list_remarks, summarise_learners

if TYPE_CHECKING:
    from ..predictions import Disagreements


class Failure(NamedTuple):
    """A failed fit: its learner, its split and the reason."""

    learner: str
    where: str
    why: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class Race(Rendered):
    """The predictions of all learners on all splits of a cross-validation design; `race(...)` runs one.

    Each learner was fitted once per split. All estimates, comparisons and metrics are computed from the predictions:
    `resamples()` for cross-validation, `training_sets()` for disjoint training sets, `confusion_matrix(learner)` for
    predicted against true labels, `paired_table(a, b)` and others for the classifiers of one split.

    Parameters
    ----------
    learners
        Their names.
    layout
        The splits of the plan.
    labels
        For each example, the index of its label in `classes`.
    classes
        The labels.
    fits
        The fits that were run, in any order; all others are missing.
    seeds
        The number of fits of each learner on each split, with different seeds.
    reseed
        Returns the same experiment on other splits, for `reseeded`; None if the learners are not available.
    settings
        The settings of the experiment.
    remarks
        Remarks on the data and the store.

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
    _fits_by_task: dict[tuple[str, int, int], Fit] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_fits_by_task", {(fit.learner, fit.split, fit.seed): fit for fit in self.fits})

    # --- What was run ---------------------------------------------------------------------------

    @property
    def plan(self) -> Plan:
        """The cross-validation design."""
        return self.layout.plan

    @property
    def examples(self) -> int:
        """The number of examples."""
        return int(self.labels.size)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The fits that failed: learner, split and reason."""
        return tuple(
            Failure(fit.learner, self.where(fit.split, fit.seed), fit.failure)
            for fit in self.fits
            if fit.failure is not None
        )

    @property
    def missing(self) -> tuple[tuple[str, int, int], ...]:
        """The fits that were not run yet: learner, index of the split in the layout, and seed."""
        return tuple(
            (learner, split, seed)
            for learner in self.learners
            for split in range(len(self.layout.splits))
            for seed in range(self.seeds)
            if (learner, split, seed) not in self._fits_by_task
        )

    @property
    def seconds(self) -> dict[str, float]:
        """The total time of each learner."""
        return {name: float(sum(fit.seconds for fit in self.fits if fit.learner == name)) for name in self.learners}

    def fit(self, learner: str, split: int, seed: int = 0) -> Fit | None:
        """Return one fit, or None if it was not run yet."""
        return self._fits_by_task.get((learner, split, seed))

    def where(self, split: int, seed: int | None = None) -> str:
        """Return the name of a split."""
        laid = self.layout.splits[split]
        grid = self.layout.plans[laid.part] if laid.part else self.plan
        position = f"split {laid.replicate + 1}"
        if grid.folds > 1 and not (grid.kind == "halves" and not laid.part):
            position = f"replicate {laid.replicate + 1}, fold {laid.fold + 1}"
        text = f"{laid.part}, {position}" if laid.part else position
        return f"{text}, seed {seed + 1}" if seed is not None and self.seeds > 1 else text

    # --- Learners -------------------------------------------------------------------------------

    def resamples(
        self,
        *learners: str,
        metric: str | Callable[..., float] = "error",
        higher_is_better: bool | None = None,
        positive: Hashable = None,
        costs: Any = None,
        missing: Missing = "fail",
    ) -> Resamples:
        """Return the loss of learners on every test set, with all parts of the design.

        Parameters
        ----------
        learners
            The learners, in this order. Default: all.
        metric
            "error", "log-loss", "brier", "f1", "balanced-accuracy", "auc", "cost", … or a function of true
            labels and predicted labels. The loss is 1 − metric if higher is better. If it is undefined on a test set it
            has scikit-learn's value, and the evidence counts these.
        higher_is_better
            For a function: whether larger values are better.
        positive
            The positive class of precision, recall and F. Default: the second of two.
        costs
            For "cost": the cost of each prediction for each label.
        missing
            How to handle replicates with failed or missing fits: "fail" raises an error, "drop" leaves them out
            ("refuse" is a deprecated alias of "fail").
        """
        loss = as_test_set_loss(metric, self.classes, higher_is_better, positive=positive, costs=costs)
        return self._as_folding(learners, loss, missing).resamples()

    def training_sets(
        self,
        *learners: str,
        metric: str | Callable[..., float] = "error",
        positive: Hashable = None,
        costs: Any = None,
        missing: Missing = "fail",
    ) -> TrainingSets:
        """Return the loss on every test example after each of several disjoint training sets.

        For a "delve" plan; for a plan of one split and several seeds, after each seed.

        Parameters
        ----------
        learners
            The learners, in this order. Default: all.
        metric
            "error", "cost", "log-loss" or "brier": a mean over examples.
        positive, costs, missing
            As for `resamples`.
        """
        folding = self._as_folding(
            learners, as_test_set_loss(metric, self.classes, positive=positive, costs=costs), missing
        )
        if self.plan.kind == "delve":
            return folding.training_sets("training set")
        if self._is_one_split and self.seeds > 1:
            return folding.training_sets("seed")
        raise InvalidEvidence(
            f"training_sets needs disjoint training sets and one test set, got plan {self.plan.name!r}. Use"
            " plan='delve 8x200', or plan='holdout' with several seeds."
        )

    def confusion_matrix(self, learner: str) -> ConfusionMatrix:
        """Return the confusion matrix of a learner for each replicate and seed, pooled over folds.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from tellapart import race
        >>> held = race({"nb": GaussianNB()}, *load_iris(return_X_y=True), plan="3x10")
        >>> held.confusion_matrix("nb").shape, held.confusion_matrix("nb").counts[0].sum(axis=1)
        ((3,), array([50, 50, 50]))
        """
        (name,) = self._select_learners((learner,))
        indices = self.layout.places()
        self._fold_errors((name,)).refuse_what_is_missing(indices)
        replicates, size = 1 + max(self.layout.splits[index].replicate for index in indices), len(self.classes)
        counts = np.zeros((replicates, self.seeds, size, size), dtype=np.int64)
        for index in indices:
            split = self.layout.splits[index]
            for seed in range(self.seeds):
                predicted = np.asarray(self._fits_by_task[name, index, seed].predictions)
                if predicted.min() < 0:
                    raise InvalidEvidence(f"{name} must predict labels of `y`, got another ({self.where(index)}).")
                np.add.at(counts[split.replicate, seed], (self.labels[split.test], predicted), 1)
        axes = [axis for axis, length in enumerate(counts.shape[:2]) if length > 1]  # one entry has no shape
        counts = counts.reshape(*(counts.shape[axis] for axis in axes), size, size)
        return ConfusionMatrix(counts, self.classes, models=(name,))

    def class_scores(self, *learners: str) -> ClassScores:
        """Return the predicted probabilities of each example, from the first replicate and seed.

        They are for plots: those of a cross-validation come from several classifiers, whose probabilities may be
        calibrated differently.

        Parameters
        ----------
        learners
            The learners, in this order. Default: all.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from tellapart import race
        >>> held = race({"nb": GaussianNB()}, *load_breast_cancer(return_X_y=True), plan="3x10")
        >>> held.class_scores()
        ClassScores(nb: auc, 569 examples, 357 of them 1)
        """
        return self._as_folding(learners, as_test_set_loss("auc", self.classes), "fail").class_scores()

    def _as_folding(self, learners: Sequence[str], loss: TestSetLoss, missing: Missing) -> Folding:
        one_of("missing", missing, Missing)
        return Folding(self, self._select_learners(learners), loss, missing)

    def _fold_errors(self, learners: Sequence[str]) -> Folding:
        return self._as_folding(learners, as_test_set_loss("error", self.classes), "fail")

    def _select_learners(self, learners: Sequence[str]) -> tuple[str, ...]:
        """Return the named learners, or all if there are none."""
        for name in learners:
            if name not in self.learners:
                near = get_close_matches(str(name), self.learners, 1)
                names = join_names(map(repr, self.learners))
                remedy = f"Did you mean {near[0]!r}?" if near else f"The learners are {names}."
                raise InvalidOption(f"unknown learner {name!r}. {remedy}")
        if len(set(learners)) != len(learners):
            raise InvalidOption(f"the learners must be different, got {', '.join(learners)}.")
        return tuple(learners) or self.learners

    def reseeded(self, times: int) -> Iterator[Race]:
        """Yield the same experiment on the splits of other seeds, without learning curves and without a store.

        Parameters
        ----------
        times
            The number of repetitions.
        """
        if self.reseed is None:
            raise InvalidOption(
                "this experiment cannot be repeated on other splits: its splits are fixed, or it was read from a file"
                " without learners. Run race(...) with a named plan, such as plan='10x10'."
            )
        return (self.reseed(number) for number in range(1, times + 1))

    # --- Classifiers: the fits of one split -----------------------------------------------------

    @property
    def _is_one_split(self) -> bool:
        return len(self.layout.places()) == 1 and self.plan.kind != "apparent"

    def error_count(self, learner: str) -> ErrorCount:
        """Return the errors of a learner's classifier on the test set of a single split."""
        wrong = self._find_errors((learner,))[0]
        return ErrorCount(int(wrong.sum()), wrong.size, as_accuracy=True)

    def paired_table(self, a: str, b: str) -> PairedTable:
        """Return the paired table of the classifiers of two learners on the test set of a single split."""
        wrong = self._find_errors((a, b))
        return PairedTable.from_correct(~wrong[0], ~wrong[1], models=(a, b))

    def error_patterns(self, *learners: str) -> ErrorPatterns:
        """Return the error patterns of the classifiers on the test set of a single split; of all if none is named."""
        names = self._select_learners(learners)
        return ErrorPatterns.from_correct(dict(zip(names, ~self._find_errors(names), strict=True)))

    def paired_confusion(self, a: str, b: str) -> PairedConfusion:
        """Return the paired confusion of the classifiers of two learners on the test set of a single split."""
        return self.label_patterns(a, b).pair(a, b)

    def label_patterns(self, *learners: str) -> LabelPatterns:
        """Return the label patterns of several learners; of all if none is named."""
        names = self._select_learners(learners)
        predictions = self._collect_predictions(names)
        for name, predicted in zip(names, predictions, strict=True):
            if predicted.min() < 0:
                raise InvalidEvidence(f"{name} must predict labels of `y`, got another.")
        truth = self.labels[self.layout.splits[self.layout.places()[0]].test]
        rows, counts, _ = patterned([truth, *predictions], range(len(self.classes)))
        return LabelPatterns(names, rows, counts, self.classes)

    def disagreements(self, a: str, b: str, limit: int = 50) -> Disagreements:
        """Return the first discordant examples of two classifiers on the test set of a single split, by row number.

        Rows are numbered from 1, in the order of the data.
        """
        from ..predictions.disagreements import Disagreements, as_limit

        most, wrong = as_limit(limit), self._find_errors((a, b))
        index = self.layout.places()[0]
        test = self.layout.splits[index].test
        odd = np.flatnonzero(wrong[0] != wrong[1])
        first = odd[np.argsort(test[odd], kind="stable")][:most]
        labels = (*self.classes, None)  # a label that the examples do not have is −1, the last of these
        guesses = [np.asarray(self._fits_by_task[name, index, 0].predictions) for name in (a, b)]
        lines = tuple(
            (
                int(test[at]) + 1,
                *(labels[codes[at]] for codes in (self.labels[test], *guesses)),
                b if wrong[0][at] else a,
            )
            for at in first
        )
        columns = {"row": "row", "label": "label", "a": a, "b": b, "right": "right"}
        return Disagreements(models=(a, b), columns=columns, lines=lines, total=odd.size, order="row", engine="race")

    def _find_errors(self, learners: Sequence[str]) -> BoolArray:
        """Return whether the classifier of the single split was wrong, by learner and test example."""
        truth = self.labels[self.layout.splits[self.layout.places()[0]].test]
        return np.not_equal(self._collect_predictions(learners), truth)

    def _collect_predictions(self, learners: Sequence[str]) -> IntArray:
        """Return the predictions of the classifier of the single split, by learner and test example."""
        names = self._select_learners(learners)
        if not self._is_one_split:
            raise InvalidEvidence(
                f"classifiers need a single split, got plan {self.plan.name!r}. Use plan='holdout', or compare the"
                " learners."
            )
        if self.seeds > 1:
            raise InvalidEvidence(
                f"classifiers need a single seed, got {self.seeds}. Use seeds=1, or compare the learners."
            )
        folding = self._fold_errors(names)
        index = self.layout.places()[0]
        folding.refuse_what_is_missing([index])
        return np.stack([np.asarray(self._fits_by_task[name, index, 0].predictions) for name in names])

    # --- Display --------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"Race({', '.join(self.learners)}: {self.plan.name} on {self.examples} examples, {self._count_fits()})"

    def describe(self) -> str:
        """Return the number of examples, the design and the number of fits, in words."""
        examples = count_text(self.examples, "example")
        return f"{examples}, {self.plan.description}, {self._count_fits()}"

    def _count_fits(self) -> str:
        planned = len(self.learners) * len(self.layout.splits) * self.seeds
        absent, failed = len(self.missing), len(self.failures)
        fits = count_text(planned, "fit")
        done = f"{planned - absent:,} of {fits}" if absent else fits
        return f"{done}, {failed:,} failed" if failed else done

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # the table has all numbers
        """Return the design, a table of the learners, and failures and remarks."""
        return display_race(self)

    def as_dict(self) -> dict[str, Any]:
        """Return all fields but the predictions, by name."""
        return {
            "plan": self.plan.name,
            "examples": self.examples,
            "classes": list(self.classes),
            "splits": len(self.layout.splits),
            "seeds": self.seeds,
            "learners": summarise_learners(self),
            "failures": [failure._asdict() for failure in self.failures],
            "remarks": list(list_remarks(self)),
            "settings": dict(self.settings),
        }
