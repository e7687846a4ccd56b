"""Populations of other kinds: a data set, one whose labels are noisy, and one of curved regions."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidOption
from ..types import BoolArray, FloatArray, IntArray, as_generator
from .design import one_rate
from .population import SAMPLE, Population, SampledError

__all__ = ["CurvedRegions", "NoisyLabels", "Rows"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rows(Population):
    """A data set taken for the population: examples are its rows, drawn with replacement.

    What is found here is true of these rows. That it is true of the domain they came from is a further claim, and
    contingent: it assumes that the data set is large and was drawn at random from that domain (Martin and
    Hirschberg 1996).

    Parameters
    ----------
    X
        One row an example, numbers.
    y
        The classes, labels of any kind; they are numbered in sorted order, see `labels`.

    Examples
    --------
    >>> rows = Rows([[1.0], [1.0], [2.0], [3.0]], ["yes", "no", "no", "no"])
    >>> rows.labels, rows.bayes_error  # two rows look alike and differ in class
    (('no', 'yes'), 0.25)
    """

    X: FloatArray
    y: IntArray
    labels: tuple[Any, ...] = field(init=False)
    _chances: dict[bytes, FloatArray] = field(init=False)

    def __post_init__(self) -> None:
        X, y = _rows(self.X), np.asarray(self.y)  # noqa: N806
        if X.ndim != 2 or y.shape != X.shape[:1] or not X.size or not np.isfinite(X).all():
            raise InvalidOption(
                f"X must be rows of finite numbers and y one class a row, but their shapes are {X.shape} and {y.shape}."
            )
        names, code = np.unique(y, return_inverse=True)
        X += 0.0  # noqa: N806  # −0 looks like 0
        X.setflags(write=False)
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "y", code.astype(np.int64))
        object.__setattr__(self, "labels", tuple(names.tolist()))
        alike, which = np.unique(X, axis=0, return_inverse=True)
        counts = np.zeros((len(alike), len(names)))
        np.add.at(counts, (which.ravel(), code), 1.0)
        chances = counts / counts.sum(axis=1, keepdims=True)
        object.__setattr__(self, "_chances", {row.tobytes(): part for row, part in zip(alike, chances, strict=True)})

    @property
    def attributes(self) -> int:
        """How many numbers describe an example."""
        return int(self.X.shape[1])

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return len(self.labels)

    @property
    def points(self) -> int:
        """On how many points true errors are counted: all rows."""
        return len(self.y)

    @property
    def bayes_error(self) -> float:
        """The error of the best possible rule: rows that look alike get their most frequent class."""
        return float(np.mean(self.bayes_rule(self.X) != self.y))

    def draw(self, shape: tuple[int, ...], examples: int, rng: Any) -> tuple[FloatArray, IntArray]:
        """Return `shape` samples of rows, with replacement."""
        chosen = as_generator(rng).integers(len(self.y), size=(*shape, examples))
        return self.X[chosen], self.y[chosen]

    def posterior(self, X: ArrayLike) -> FloatArray:  # noqa: N803
        """Return how the rows that look like X are divided among the classes; only rows of the data set have any."""
        asked = np.asarray(X, dtype=float) + 0.0
        try:
            found = [self._chances[row.tobytes()] for row in asked.reshape(-1, self.attributes)]
        except KeyError:
            raise InvalidOption("X must hold rows of the data set; no others have a class here.") from None
        return np.array(found).reshape(*asked.shape[:-1], self.classes)

    def _exact(self, classifier: Any) -> FloatArray:
        """Count all rows."""
        return _share(np.asarray(classifier.predict(self.X)) != self.y)

    def __repr__(self) -> str:
        return f"Rows({len(self.y)} rows, {self.attributes} attributes, labels={self.labels!r})"

    def how(self, classifier: Any) -> str:  # noqa: ARG002
        """Say how true errors are found: by counting all rows, whatever the classifier."""
        return "exact"

    def describe(self) -> str:
        """Say in words where the examples come from."""
        return f"{len(self.y)} rows taken for the population, {self.attributes} attributes, {self.classes} classes"

    def as_dict(self) -> dict[str, Any]:
        """Return the size and a fingerprint of the rows; the rows themselves would be too many."""
        print_ = hashlib.sha256(self.X.tobytes() + self.y.tobytes()).hexdigest()[:16]
        sizes = {"rows": len(self.y), "attributes": self.attributes, "classes": self.classes}
        return {"population": "Rows"} | sizes | {"fingerprint": print_}


@dataclass(frozen=True, slots=True, repr=False)
class NoisyLabels(Population):
    """A population whose labels are wrong at random, at a given rate: then no rule has a smaller error than the rate.

    A wrong label is any other class, all alike (Dietterich 1998, the fourth source of variation).

    Examples
    --------
    >>> from tellapart.lab import TwoNormals
    >>> round(NoisyLabels(TwoNormals(0.10), 0.05).bayes_error, 12)  # 0.1 × 0.95 + 0.9 × 0.05
    0.14
    """

    population: Population
    rate: float

    def __post_init__(self) -> None:
        if not isinstance(self.population, Population) or self.population.classes < 2:
            raise InvalidOption(
                "population must be one of tellapart.lab with two classes or more, such as TwoNormals(0.1), but is"
                f" {self.population!r}."
            )
        noise, most = one_rate("rate", self.rate), 1 - 1 / self.population.classes
        if noise > most:
            raise InvalidOption(
                f"rate must be at most {most:.4g}, where labels of {self.population.classes} classes say nothing"
                f" any more, but is {noise:g}."
            )
        object.__setattr__(self, "rate", noise)

    @property
    def attributes(self) -> int:
        """How many numbers describe an example."""
        return self.population.attributes

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return self.population.classes

    @property
    def points(self) -> int:
        """On how many points true errors are counted: as in the clean population."""
        return self.population.points

    @property
    def bayes_error(self) -> float:
        """The error of the best possible rule, which is that of the clean population."""
        return float(self._noisy(self.population.bayes_error))

    def _noisy(self, error: Any) -> Any:
        """Return how often a rule of this error seems wrong: right but the label is not, or wrong and it differs."""
        return (1 - error) * self.rate + error * (1 - self.rate / (self.classes - 1))

    def draw(self, shape: tuple[int, ...], examples: int, rng: Any) -> tuple[FloatArray, IntArray]:
        """Return `shape` samples, some labels changed."""
        generator = as_generator(rng)
        X, y = self.population.draw(shape, examples, generator)  # noqa: N806
        wrong = generator.random(y.shape) < self.rate
        return X, (y + wrong * generator.integers(1, self.classes, size=y.shape)) % self.classes

    def posterior(self, X: ArrayLike) -> FloatArray:  # noqa: N803
        """Return the probability of each label at X (..., attributes)."""
        clean = self.population.posterior(X)
        return clean * (1 - self.rate) + (1 - clean) * self.rate / (self.classes - 1)

    def sampled_error(self, classifier: Any, *, sample: int = SAMPLE, rng: Any = 0) -> SampledError:
        """Measure the error on clean labels, and add what the noise does to it."""
        clean = self.population.sampled_error(classifier, sample=sample, rng=rng)
        return SampledError(self._noisy(clean.error), clean.se * (1 - self.rate * self.classes / (self.classes - 1)))

    def true_error(self, classifier: Any, *, sample: int = SAMPLE, rng: Any = 0) -> FloatArray:
        """Return what the noise makes of the error on clean labels."""
        return self._noisy(self.population.true_error(classifier, sample=sample, rng=rng))  # type: ignore[no-any-return]

    def how(self, classifier: Any) -> str:
        """Say how the true error of such a classifier is found: as in the clean population."""
        return self.population.how(classifier)

    def describe(self) -> str:
        """Say in words where the examples come from."""
        return f"{self.population.describe()}; labels wrong at a rate of {self.rate:.4g}"

    def as_dict(self) -> dict[str, Any]:
        """Return the clean population and the rate."""
        return {"population": "NoisyLabels", "clean": self.population.as_dict(), "rate": self.rate}


@dataclass(frozen=True, slots=True, repr=False)
class CurvedRegions(Population):
    """Four classes with curved borders on a square of side 15, examples spread evenly; a perfect rule exists.

    Class 3 is a disc of radius 2.5 about (10.5, 7.5). Elsewhere two waves part the square: class 0 lies below
    4 + 2 sin(2π x / 15), class 2 above 10 + 2 cos(2π x / 10), class 1 between. It stands in for the EXP6 task of
    Dietterich (1998), which was never published; as there, true errors are taken on the 22 801 points of a grid of
    spacing 0.1.

    Examples
    --------
    >>> from tellapart.lab import Constant
    >>> curved = CurvedRegions()
    >>> curved.bayes_rule([[1.0, 1.0], [1.0, 7.5], [1.0, 14.0], [10.5, 7.5]])
    array([0, 1, 2, 3])
    >>> curved.bayes_error, curved.how(Constant(np.array(1)))
    (0.0, 'grid')
    """

    @property
    def attributes(self) -> int:
        """Two: the place in the square."""
        return 2

    @property
    def classes(self) -> int:
        """Four."""
        return 4

    @property
    def points(self) -> int:
        """On how many points true errors are counted: those of the grid."""
        return 151**2

    @property
    def bayes_error(self) -> float:
        """None: the place decides the class."""
        return 0.0

    @property
    def grid(self) -> FloatArray:
        """The points on which true errors are taken, (22801, 2)."""
        side = np.arange(151) / 10
        return np.stack(np.meshgrid(side, side, indexing="ij"), axis=-1).reshape(-1, 2)

    def bayes_rule(self, X: ArrayLike) -> IntArray:  # noqa: N803
        """Return the class at each place."""
        x, height = np.moveaxis(np.asarray(X, dtype=float), -1, 0)
        above_low = height > 4 + 2 * np.sin(2 * np.pi * x / 15)
        above_high = height > 10 + 2 * np.cos(2 * np.pi * x / 10)
        disc = (x - 10.5) ** 2 + (height - 7.5) ** 2 < 2.5**2
        return np.where(disc, 3, above_low.astype(np.int64) + above_high)

    def draw(self, shape: tuple[int, ...], examples: int, rng: Any) -> tuple[FloatArray, IntArray]:
        """Return `shape` samples of places and their classes."""
        X = 15 * as_generator(rng).random((*shape, examples, 2))  # noqa: N806
        return X, self.bayes_rule(X)

    def posterior(self, X: ArrayLike) -> FloatArray:  # noqa: N803
        """Return 1 for the class at each place, 0 for the others."""
        return np.eye(self.classes)[self.bayes_rule(X)]

    def how(self, classifier: Any) -> str:  # noqa: ARG002
        """Say how true errors are found: on the grid."""
        return "grid"

    def _exact(self, classifier: Any) -> FloatArray:
        grid = self.grid
        return _share(np.asarray(classifier.predict(grid)) != self.bayes_rule(grid))

    def describe(self) -> str:
        """Say in words where the examples come from."""
        return "four classes with curved borders on a square"


def _rows(X: Any) -> FloatArray:  # noqa: N803
    """Return numbers of our own, which nobody may change later."""
    try:
        return np.array(X, dtype=float)
    except (TypeError, ValueError) as error:
        raise InvalidOption(f"X must be rows of numbers, but {error}. Encode what are no numbers first.") from None


def _share(wrong: BoolArray) -> FloatArray:
    """Return how many are wrong, along the last axis."""
    found: FloatArray = np.mean(wrong, axis=-1)
    return found[()]
