"""Mean errors of real learners over many training sets, on other examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from ...display import Display, Row, TextTable
from ...errors import InvalidInput, InvalidOption
from ...evidence.plan import Plan
from ...rendering import Rendered
from ...running import race
from ...running.engine import undisturbed
from ...running.learners import fresh
from ...running.plans import lay_out
from ...running.task import rows as rows_of
from ...typing_ import FloatArray, IntArray, as_generator
from ..design import whole
from ..inducers.damage import Weighted


def sample(data: Any, number: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return examples and labels from a population, or rows of (X, y) without replacement.

    Examples
    --------
    >>> X, y = sample((np.arange(8).reshape(4, 2), np.array([0, 1, 0, 1])), 2, np.random.default_rng(0))
    >>> X.shape, y.shape
    ((2, 2), (2,))
    """
    if hasattr(data, "draw"):
        X, y = data.draw((), number, rng)  # noqa: N806
        return X, y
    X, y = data  # noqa: N806
    places = rng.choice(len(y), number, replace=False)
    return rows_of(X, places), np.asarray(y)[places]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class LearningCurves(Rendered):
    """The mean errors of two learners by the size of the training set, with standard errors.

    Parameters
    ----------
    sizes
        The sizes of training sets, from the smallest; the last is that of a whole sample.
    errors, standard_errors
        By learner and size; the standard errors are those of means over training sets.
    fits
        The number of fits.
    """

    sizes: tuple[int, ...]
    errors: FloatArray
    standard_errors: FloatArray
    fits: int

    def at(self, size: int) -> FloatArray:
        """Return the errors of A and B for a training size, with linear interpolation."""
        check_size(size, self.sizes)
        return np.array([np.interp(size, self.sizes, row) for row in self.errors])

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # the table has all numbers
        """Return the true errors of both learners at each size of the training set."""
        largest = int(np.argmax(self.sizes))
        first, second = (f"{100 * error:.2f}%" for error in self.errors[:, largest])
        lines = [
            [f"{size:,}", *(f"{number:.4f}" for number in numbers)]
            for size, numbers in zip(
                self.sizes, np.stack([self.errors, self.standard_errors], axis=1).reshape(4, -1).T.tolist(), strict=True
            )
        ]
        head = ["training\nexamples", "error\nof A", "standard\nerror", "error\nof B", "standard\nerror"]
        return Display(
            verdict=f"True error rates with {self.sizes[largest]:,} examples: A {first}, B {second}",
            blocks=(TextTable(head=head, lines=lines, align="r" * 5), Row("design", f"{self.fits:,} fits")),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return all fields by name, at full precision."""
        return {
            "sizes": list(self.sizes),
            "errors": self.errors.tolist(),
            "standard_errors": self.standard_errors.tolist(),
            "fits": self.fits,
        }

    def __repr__(self) -> str:
        return str(self)


def learning_curves(
    a: Any,
    b: Any,
    data: Any,
    examples: int = 300,
    *,
    sizes: Sequence[int] | None = None,
    sets: int = 200,
    tested: int = 1000,
    rng: Any = 0,
) -> LearningCurves:
    """Return the mean errors of two learners over many training sets, on other examples.

    Parameters
    ----------
    a, b, data, examples, sizes, sets, tested, rng
        As for `equalise`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> data = load_iris(return_X_y=True)
    >>> found = learning_curves(GaussianNB(), DecisionTreeClassifier(max_depth=1), data, 60, sets=20)
    >>> found.sizes, bool(found.at(54)[1] > 0.3)
    ((30, 40, 54, 60), True)
    """
    lengths = training_sizes(sizes, whole("examples", examples, 4))
    measure = Measure.of(data, examples, sets, tested, rng)
    with undisturbed():
        measured = [measure({"A": a, "B": b}, size) for size in lengths]
    each = np.array([[one[name].errors for one in measured] for name in "AB"])
    spread = each.std(axis=-1, ddof=1) / np.sqrt(each.shape[-1])
    return LearningCurves(sizes=lengths, errors=each.mean(axis=-1), standard_errors=spread, fits=measure.fits)


def training_sizes(requested: Sequence[int] | None, examples: int) -> tuple[int, ...]:
    """Return sorted training sizes, by default those of 10-fold, holdout, 5x2 and all examples.

    Examples
    --------
    >>> training_sizes(None, 300)
    (150, 200, 270, 300)
    """
    usual = (round(0.9 * examples), round(examples * 2 / 3), examples // 2)
    sizes = {whole("sizes", size, 2) for size in (usual if requested is None else requested)} | {examples}
    if max(sizes) > examples:
        raise InvalidOption(f"`sizes` must be at most the {examples} examples of a sample, got {max(sizes)}.")
    return tuple(sorted(sizes))


def check_size(size: int, sizes: Sequence[int]) -> None:
    """Raise InvalidOption if a training size is outside of the measured range.

    Examples
    --------
    >>> check_size(200, (150, 300))
    """
    if not sizes[0] <= size <= sizes[-1]:
        raise InvalidOption(
            f"errors were measured for {sizes[0]} to {sizes[-1]} training examples, not for {size}. Use"
            f" sizes={sorted({size, *sizes})}."
        )


class MeasuredErrors(NamedTuple):
    """The mean error by training set, and the share of flipped predictions that become right."""

    errors: FloatArray
    mended: FloatArray


class Measure:
    """Mean errors of learners over fixed training sets and test examples."""

    def __init__(self, data: Any, examples: int, tested: int, seeds: Sequence[int]) -> None:
        self.data, self.examples, self.tested, self.seeds = data, examples, tested, seeds
        self.fits = 0

    @classmethod
    def of(cls, data: Any, examples: int, sets: int, tested: int, rng: Any) -> Self:
        """Draw the seeds of the training sets, with at most the examples outside a sample for testing."""
        number = whole("tested", tested)
        if not hasattr(data, "draw"):
            if len(data[1]) <= examples:
                raise InvalidInput(f"`data` must have more rows than the {examples} of a sample, got {len(data[1])}.")
            number = min(number, len(data[1]) - examples)
        return cls(data, examples, number, as_generator(rng).integers(2**63, size=whole("sets", sets, 2)).tolist())

    def __call__(self, learners: dict[str, Any], size: int) -> dict[str, MeasuredErrors]:
        """Return the errors of all learners, fitted to training sets of a size, on examples outside the sample."""
        errors: dict[str, list[tuple[float, float]]] = {name: [] for name in learners}
        for seed in self.seeds:
            rng = np.random.default_rng(seed)
            X, y = sample(self.data, self.examples + self.tested, rng)  # noqa: N806
            codes = np.unique(y, return_inverse=True)[1]
            train, test = (
                self._draw_training_set(codes[: self.examples], size, rng),
                np.arange(self.examples, codes.size),
            )
            seen = np.isin(codes[test], codes[train])
            others = max(np.unique(codes[train]).size - 1, 1)
            for name, predicted in _predict_labels(learners, X, codes, train, test, seed).items():
                wrong = predicted != codes[test]
                errors[name].append((wrong.mean(), (wrong & seen).mean() / others))
            self.fits += len(learners)
        return {name: MeasuredErrors(*np.array(each).T) for name, each in errors.items()}

    def _draw_training_set(self, labels: Any, size: int, rng: np.random.Generator) -> Any:
        """Return a stratified training set of a sample, as in a race."""
        if size == len(labels):
            return np.arange(size)
        plan = Plan(f"holdout of {size}", "random", 1, 1, size / len(labels))
        return lay_out(plan, None, labels, rng=rng).splits[0].train


def _predict_labels(
    learners: dict[str, Any],
    X: Any,  # noqa: N803
    codes: IntArray,
    train: IntArray,
    test: IntArray,
    seed: int,
) -> dict[str, IntArray]:
    """Return the predictions of each learner; for bad weights, without the overhead of a race."""
    if all(isinstance(learner, Weighted) for learner in learners.values()):
        train_rows, test_rows = rows_of(X, train), rows_of(X, test)
        return {name: fresh(it).fit(train_rows, codes[train]).predict(test_rows) for name, it in learners.items()}
    record = race(learners, X, codes, plan=[(train, test)], jobs=1, progress=False, rng=seed)
    if record.failures:
        raise InvalidInput(f"learner {record.failures[0].learner} failed: {record.failures[0].why}.")
    return {fit.learner: fit.predictions for fit in record.fits if fit.predictions is not None}
