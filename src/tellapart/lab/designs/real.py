"""Real learners on real data or a population: every trial is an experiment (Dietterich 1998, section 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any, ClassVar, Self

import numpy as np

from ...display import Display, Row, TextTable
from ...errors import InvalidInput, InvalidOption, UnknownMethod
from ...evidence import PairedTable, Plan, Resamples, TrainingSets
from ...methods import Offer, find_method
from ...rendering import Rendered, plain
from ...running import Race, race
from ...running.fingerprints import of_data, of_learner
from ...typing_ import FloatArray, as_generator
from ..design import Design, whole
from ..plan_views import PlanView, view_of
from .equalising import Equalised, equalise
from .learning import LearningCurves, learning_curves, sample


def training_size(plan: str, examples: int) -> int:
    """Return the number of training examples of a plan.

    Examples
    --------
    >>> [training_size(plan, 300) for plan in ("10-fold", "holdout(2/3)", "5x2", "632")]
    [270, 200, 150, 300]
    """
    parsed = Plan.parse(plan)
    if parsed.kind in {"k-fold", "nested"}:
        return round(examples * (parsed.folds - 1) / parsed.folds) if parsed.folds else examples - 1
    if parsed.kind in {"random", "halves"}:
        return round(parsed.share * examples)
    return parsed.size if parsed.kind == "delve" else examples  # a bootstrap sample is as large as the whole


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RealLearners(Design):
    """Two learners on samples of a data set or a population; every trial is an experiment on a new sample.

    The true errors of real learners have to be measured first. `equalised()` damages the better one until both have
    equal error rates, for type I error, and power at any difference up to that of the undamaged learners. `measured()`
    does not damage them, for power at their own difference, and coverage.

    The damage depends on the size of the training set, so each plan gets its own setting: learners that are equal in
    10-fold cross-validation are also equal in 5x2cv. The difference is that of learners trained on a whole sample; in
    all plans it is the same fraction λ of the gap between both undamaged learners (Dietterich 1998, section 6.3).

    Parameters
    ----------
    a, b
        The learners, as for `race`.
    data
        (X, y), of which every sample is drawn without replacement; or a population of `tellapart.lab`.
    examples
        The number of examples of a sample.
    plan
        The plan for all methods. Default: the natural plan of each method.
    known
        The result of `equalise`.
    errors
        The result of `learning_curves`.
    difference
        The true difference of the damaged learners.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from tellapart.lab import calibrate
    >>> data = load_iris(return_X_y=True)
    >>> design = RealLearners(GaussianNB(), DecisionTreeClassifier(max_depth=1), data, examples=60, plan="5x2")
    >>> equal = design.equalised(sets=20)
    >>> found = calibrate("5x2cv-t", equal, trials=20, differences=[])
    >>> 0 <= found.size.value <= 0.3
    np.True_
    """

    a: Any
    b: Any
    data: Any
    examples: int = 300
    plan: str | None = None
    known: Equalised | None = None
    errors: LearningCurves | None = None
    difference: float = 0.0
    evidence: ClassVar = (PairedTable, Resamples, TrainingSets)
    usual: ClassVar = ("mcnemar-corrected", "difference-of-proportions", "kfold-t", "5x2cv-t")  # Dietterich's four
    block: ClassVar = 25
    trials: ClassVar = 1000

    def __post_init__(self) -> None:
        object.__setattr__(self, "examples", whole("examples", self.examples, 4))
        for name in ("a", "b"):
            learner = getattr(self, name)
            if isinstance(learner, type) or not (hasattr(learner, "fit") and hasattr(learner, "predict")):
                made = f" Write {learner.__name__}()." if isinstance(learner, type) else ""
                raise InvalidOption(f"`{name}` must be a learner, with fit and predict, got {learner!r}.{made}")
        if not hasattr(self.data, "draw"):
            pair = isinstance(self.data, tuple | list) and len(self.data) == 2
            counts = [_count_rows(part) for part in self.data] if pair else []
            if len(set(counts)) != 1:
                raise InvalidOption("`data` must be (X, y) with one label per row, or a population of tellapart.lab.")
            if counts[0] <= self.examples:
                raise InvalidInput(f"`data` must have more rows than the {self.examples} of a sample, got {counts[0]}.")
        if self.known is None and self.difference != 0:
            raise InvalidOption(
                "the true difference of these learners is fixed. Make them equally good first: design.equalised()."
            )
        if self.plan is not None:
            object.__setattr__(self, "plan", Plan.parse(self.plan).name)

    # --- True values --------------------------------------------------------------------------------

    @property
    def movable(self) -> bool:  # type: ignore[override]
        """Whether the learners were equalised, so that any difference can be set."""
        return self.known is not None

    def equalised(self, **options: Any) -> Self:
        """Return the design with the better learner damaged until both have equal error rates; see `equalise`."""
        return replace(
            self, known=equalise(self.a, self.b, self.data, self.examples, **self._training_options(options))
        )

    def measured(self, **options: Any) -> Self:
        """Return the design of the unchanged learners with measured errors; see `learning_curves`."""
        curves = learning_curves(self.a, self.b, self.data, self.examples, **self._training_options(options))
        return replace(self, errors=curves, known=None)

    def _training_options(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return the options with the plan's training sizes as a default, and that of one split.

        Whatever the plan, methods for one test set look at one split.
        """
        if self.plan is None:
            return options
        sizes = {training_size(plan, self.examples) for plan in (self.plan, "holdout")}
        return {"sizes": [size for size in sorted(sizes) if size <= self.examples]} | options

    @property
    def grid(self) -> tuple[float, ...]:
        """Default differences: 1, 2 and 5 pp, up to the difference of the undamaged learners, with its sign."""
        if self.known is None:
            return ()
        gap = float(self.known.gaps[-1])
        return tuple(float(np.sign(gap)) * step for step in (0.01, 0.02, 0.05) if step <= abs(gap))

    def at(self, difference: float) -> Self:
        """Return the design with this difference of the learners trained on a whole sample."""
        if self.known is None:
            raise InvalidOption(
                "the true difference of these learners is fixed. Make them equally good first: design.equalised()."
            )
        self.known.share(difference)  # which says what is possible
        return replace(self, difference=float(difference))

    def truth(self, parameter: str) -> FloatArray:
        """Return the difference, or the error of A, after training on a whole sample."""
        return self._true_difference(self.examples, parameter)

    def truth_for(self, view: Any, parameter: str) -> FloatArray:
        """Return the true value for the training size of the view's plan."""
        return self._true_difference(training_size(view.plan, self.examples), parameter)

    def _true_difference(self, size: int, parameter: str) -> FloatArray:
        if self.known is not None:
            a, b = self.known.errors_at(size, self.difference)
        elif self.errors is not None:
            a, b = self.errors.at(size)
        else:
            raise InvalidOption(
                "the true errors of these learners are unknown. Use design.equalised() or design.measured()."
            )
        return np.asarray(a - b if parameter == "difference" else a)[()]

    # --- What is drawn ------------------------------------------------------------------------------

    def view(self, method: Offer, learners: int = 2) -> PlanView:
        """Return the view of a method: its plan and kind of evidence."""
        selected = view_of(method, self.plan, learners)
        if Plan.parse(selected.plan).kind in {"independent", "seeds"}:
            raise UnknownMethod(
                f"method {method.name!r} reads runs by {selected.plan!r}, not the splits of one sample. Measure it by"
                " NormalEffects('independent') or SeedRuns, or name a plan."
            )
        return selected

    def learners(self, plan: str) -> dict[str, Any]:
        """Return A and B for a plan, damaged according to the size of its training sets."""
        if self.known is None:
            return {"A": self.a, "B": self.b}
        return dict(zip("AB", self.known.at(training_size(plan, self.examples), self.difference), strict=True))

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw samples and cross-validate the learners; views of one plan share the fits."""
        raced = {plan: self.learners(plan) for plan in dict.fromkeys(view.plan for view in views)}
        evidence: dict[Any, list[Any]] = {view: [] for view in views}
        for _ in range(trials):
            X, y = sample(self.data, self.examples, rng)  # noqa: N806
            seed = int(rng.integers(2**63))
            for plan, learners in raced.items():
                record = race(learners, X, y, plan=plan, jobs=1, progress=False, rng=seed)
                for view in views:
                    if view.plan == plan:
                        evidence[view].append(_fold_record(record, view))
        return evidence

    # --- Description -----------------------------------------------------------------------------

    @property
    def facts(self) -> dict[str, float]:
        """The number of examples."""
        return {"examples": self.examples}

    def describe(self) -> str:
        """Return a description of the design."""
        names = " and ".join(type(learner).__name__ for learner in (self.a, self.b))
        source = self.data.describe() if hasattr(self.data, "describe") else f"{len(self.data[1])} rows"
        damaged = "" if self.known is None else f" ({'AB'[self.known.damaged]} damaged)"
        return f"{names}{damaged}, samples of {self.examples} examples from {source}"

    def as_dict(self) -> dict[str, Any]:
        """Return the design's parameters, with fingerprints of learners and data, and the damage."""
        drawn = hasattr(self.data, "draw")
        data = self.data.as_dict() if drawn else [of_data(_data_bytes(part)) for part in self.data]
        parameters: dict[str, Any] = plain(
            {
                "design": type(self).__name__,
                "learners": [of_learner(self.a), of_learner(self.b)],
                "data": data,
                "examples": self.examples,
                "plan": self.plan,
                "known": None if self.known is None else self.known.as_dict(),
                "errors": None if self.errors is None else self.errors.as_dict(),
                "difference": self.difference,
            }
        )
        return parameters


def _count_rows(part: Any) -> int:
    """Return the number of rows, or −1 if there are none."""
    if hasattr(part, "shape"):
        return int(part.shape[0]) if part.shape else -1
    return len(part) if hasattr(part, "__len__") else -1


def _data_bytes(part: Any) -> Any:
    return part if hasattr(part, "shape") else np.asarray(part)


def _fold_record(record: Race, view: PlanView) -> Any:
    """Return the evidence of a view."""
    if view.kind == "PairedTable":
        return record.paired_table("A", "B")
    names = ("A", "B")[: view.learners]
    return record.training_sets(*names) if view.kind == "TrainingSets" else record.resamples(*names)


# --- Folds that share their training examples -------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FoldCorrelation(Rendered):
    """Correlation of the differences of two folds, of one cross-validation and of independent ones.

    A fold that happens to suit A in one cross-validation is no news of another's folds. Within one, training sets
    overlap. The standard errors take trials for independent, and not the pairs of folds within them.
    """

    within: float
    across: float
    within_error: float
    across_error: float
    pairs: int  # of folds, within all trials

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # the table has all numbers
        """Return the correlation of two folds of one cross-validation and of independent ones."""
        lines = [
            ["within one cross-validation", f"{self.within:+.5f}", f"{self.within_error:.5f}"],
            ["across cross-validations", f"{self.across:+.5f}", f"{self.across_error:.5f}"],
        ]
        return Display(
            verdict=f"Differences of two folds have a correlation of {self.within:.3f}",
            blocks=(
                TextTable(head=["folds", "correlation", "standard error"], lines=lines, align="lrr"),
                Row("design", f"{self.pairs:,} pairs of folds"),
            ),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return all fields by name, at full precision."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __repr__(self) -> str:
        return str(self)


def fold_correlation(design: Design | Resamples, trials: int | None = None, *, rng: Any = 0) -> FoldCorrelation:
    """Return the correlation of the differences of two folds, of 10-fold unless the design has its own plan.

    Dietterich (1998) found 0.038 within a cross-validation, and none across.

    Parameters
    ----------
    design
        A design of two learners; or cross-validations that were run, each of another sample.
    trials
        The number of cross-validations drawn from a design.
    rng
        A seed or a generator.

    Examples
    --------
    >>> from tellapart.lab import NormalEffects
    >>> found = fold_correlation(NormalEffects("10-fold", 0.1), 2000)
    >>> bool(abs(found.within - 0.1) < 4 * found.within_error)
    True
    """
    values = _fold_differences(design, trials, rng)
    number, folds = values.shape
    if folds < 2:
        description = design.describe() if isinstance(design, Design) else "a design"
        raise InvalidOption(f"`design` must have at least two folds, got {description} with one test set.")
    values = values - values.mean()
    sums, squares = values.sum(axis=1), (values**2).sum(axis=1)
    # Means of products over the mean square, trial by trial: the error of a ratio by its linear part.
    total = squares.sum()
    if not total > 0:
        raise InvalidInput("the differences of all folds are equal, so their correlation is undefined.")
    correlations = []
    for products in ((sums**2 - squares) / (folds - 1), sums * np.roll(sums, 1) / folds):
        share = float(products.sum() / total)
        correlations.append((share, float(np.sqrt(((products - share * squares) ** 2).sum()) / total)))
    (within, within_error), (across, across_error) = correlations
    return FoldCorrelation(
        within=within,
        across=across,
        within_error=within_error,
        across_error=across_error,
        pairs=number * folds * (folds - 1) // 2,
    )


@singledispatch
def _fold_differences(design: object, _trials: int | None, _rng: Any) -> FloatArray:
    """Return the differences of all folds, by cross-validation and fold."""
    raise InvalidOption(f"`design` must be a design of two learners of tellapart.lab, got {type(design).__name__}.")


@_fold_differences.register
def _differences_of_resamples(resamples: Resamples, trials: int | None, _rng: Any) -> FloatArray:
    if trials is not None:
        raise InvalidOption(f"`trials` must be left out if cross-validations are given, got {trials!r}.")
    shape = resamples.shape
    if len(resamples.learners) != 2 or len(shape) != 1 or shape[0] < 3:
        raise InvalidOption(
            f"`design` must hold at least three cross-validations of two learners, got shape {shape}"
            f" and learners {', '.join(resamples.learners)}."
        )
    return np.reshape(resamples.values, (shape[0], -1))


@_fold_differences.register
def _differences_of_design(design: Design, trials: int | None, rng: Any) -> FloatArray:
    count, generator = whole("trials", trials, 3), as_generator(rng)
    view = design.view(find_method("kfold-t", "test", Resamples), 2)
    parts = []
    for start in range(0, count, design.block):
        size = min(design.block, count - start)
        drawn = design.draw([view], size, generator)[view]
        values = [resamples.values for resamples in drawn] if isinstance(drawn, list) else drawn.values
        parts.append(np.reshape(values, (size, -1)))
    return np.concatenate(parts)
