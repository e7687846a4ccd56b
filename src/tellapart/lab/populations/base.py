"""Base class of populations, with a known Bayes rule and known true errors of classifiers.

The true error PE(h) of a classifier h is the probability that it labels a new example wrongly. The Bayes rule has the
least possible, PE*; the rest, CPER = PE − PE*, is the classifier's regret, and its mean over training sets is the
learner's, PER (Mitchell 1997, section 5.2; Yang 2006, section 2).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...rendering import plain
from ...typing_ import FloatArray, IntArray, as_generator
from ..design import brief, whole
from ..inducers.batched import Inducer, as_inducer
from ..inducers.classifiers import largest

SAMPLE = 100_000  # examples on which a true error is measured that has no formula
_ANSWERS = 1_000_000  # predictions that are held in memory together
_AT_ONCE = 200_000  # attributes of examples that are drawn together: what the cache holds


@dataclass(frozen=True, slots=True)
class SampledError:
    """A true error estimated on a large sample, and its standard error.

    Examples
    --------
    >>> from tellapart.lab import Discriminant, TwoNormals
    >>> population = TwoNormals(0.10)
    >>> rule = Discriminant().fit(*population.draw((), 30, 1))
    >>> measured = population.sampled_error(rule, sample=10_000)
    >>> bool(abs(measured.error - population.true_error(rule)) < 4 * measured.se)
    True
    """

    error: FloatArray
    se: FloatArray


@dataclass(frozen=True, slots=True)
class ExpectedError:
    """The error of a learner: the mean true error of its classifiers over training sets.

    `regret` is the learner's PER, by how much `error` exceeds the Bayes error; `se` the standard error of both; `sd`
    the standard deviation of the true error from one training set to the next.

    Examples
    --------
    >>> from tellapart.lab import NearestNeighbours, TwoNormals
    >>> told = TwoNormals(0.10).expected_error(NearestNeighbours(1), examples=100, trials=2000)
    >>> round(told.error, 2), round(told.regret, 2)  # nearest neighbours come near twice the Bayes error
    (0.15, 0.05)
    """

    error: float
    regret: float
    se: float
    sd: float
    trials: int


class Population(ABC):
    """A distribution of examples and their classes.

    `draw` takes any number of samples at once. `true_error` and `regret` take any classifier with `predict`, and arrays
    of them; `how` says whether they are exact for it.

    A subclass draws, and knows the posterior probabilities and the Bayes error. If it has a formula for some kinds of
    classifiers, it names them in `formulas` and gives their true error in `_exact_error`.
    """

    __slots__ = ()
    formulas: ClassVar[tuple[type, ...]] = ()  # kinds of classifiers whose true error needs no sample

    @property
    @abstractmethod
    def attributes(self) -> int:
        """Number of attributes of an example."""

    @property
    def classes(self) -> int:
        """Number of classes; the labels are 0, 1, …"""
        return 2

    @property
    def points(self) -> int:
        """The number of inputs over which true errors are summed; 0 if there is a formula, or a sample is drawn."""
        return 0

    @property
    @abstractmethod
    def bayes_error(self) -> float:
        """The Bayes error, PE*."""

    @abstractmethod
    def draw(self, shape: tuple[int, ...], examples: int, rng: Any) -> tuple[FloatArray, IntArray]:
        """Return `shape` samples: X of shape (*shape, examples, attributes) and y of shape (*shape, examples)."""

    @abstractmethod
    def posterior(self, X: ArrayLike) -> FloatArray:  # noqa: N803
        """Return the probability of each class at X (..., attributes), of shape (..., classes)."""

    def bayes_rule(self, X: ArrayLike) -> IntArray:  # noqa: N803
        """Return the most probable class at X (..., attributes); the smallest label among ties."""
        return largest(self.posterior(X))

    def how(self, classifier: Any) -> str:
        """Return how the true error of such a classifier is computed: "exact", "grid" or "sampled"."""
        return "exact" if isinstance(classifier, self.formulas) else "sampled"

    def true_error(self, classifier: Any, *, sample: int = SAMPLE, rng: Any = 0) -> FloatArray:
        """Return the probability of an error on a new example, for each classifier.

        Where there is no formula it is measured on a sample of the given size, the same at each call unless another
        seed is given. `sampled_error` tells its standard error.
        """
        if self.how(classifier) == "sampled":
            return self.sampled_error(classifier, sample=sample, rng=rng).error
        return self._exact_error(classifier)

    def regret(self, classifier: Any, *, sample: int = SAMPLE, rng: Any = 0) -> FloatArray:
        """Return the true error minus the Bayes error (CPER), at least 0."""
        return np.maximum(self.true_error(classifier, sample=sample, rng=rng) - self.bayes_error, 0.0)[()]

    def sampled_error(self, classifier: Any, *, sample: int = SAMPLE, rng: Any = 0) -> SampledError:
        """Return a true error estimated on a sample.

        What is averaged is how much less probable the predicted class is than the most probable one: the Bayes error
        is known and need not be measured.
        """
        if not hasattr(classifier, "predict"):
            raise InvalidOption(
                f"`classifier` must have been fitted, such as Discriminant().fit(X, y), got {classifier!r}."
            )
        generator = as_generator(rng)
        shape = getattr(classifier, "shape", ())
        total, squares, left = np.zeros(shape), np.zeros(shape), whole("sample", sample, 2)
        while left:
            size = min(left, max(_ANSWERS // max(math.prod(shape), 1), 1))
            X, _ = self.draw((), size, generator)  # noqa: N806
            chance = self.posterior(X)
            predicted = np.asarray(classifier.predict(X))
            lost = chance.max(axis=-1) - chance[np.arange(size), predicted]
            total, squares, left = total + lost.sum(axis=-1), squares + (lost**2).sum(axis=-1), left - size
        mean = total / sample
        variance = np.maximum(squares / sample - mean**2, 0.0) / (sample - 1)
        return SampledError((self.bayes_error + mean)[()], np.sqrt(variance)[()])

    def expected_error(
        self, inducer: Inducer, examples: int, trials: int = 1000, rng: Any = 0, *, sample: int = 10_000
    ) -> ExpectedError:
        """Return the mean true error of a learner trained on several samples.

        Errors that have no formula are measured on `sample` examples, new ones for each block of training sets; their
        standard error is part of the answer's.
        """
        trials, examples = whole("trials", trials, 2), whole("examples", examples)
        inducer = as_inducer("inducer", inducer)
        generator, errors, noise, left = as_generator(rng), [], [], trials
        while left:
            size = min(left, max(_AT_ONCE // (examples * self.attributes), 1))
            size = min(size, max(_ANSWERS // max(self.points, 1), 1))
            learned = inducer.fit(*self.draw((size,), examples, generator))
            if self.how(learned) == "sampled":
                measured = self.sampled_error(learned, sample=sample, rng=generator)
                errors.append(measured.error)
                noise.append(np.mean(measured.se**2))  # at most: the classifiers of a block share their sample
            else:
                errors.append(self.true_error(learned))
            left -= size
        values = np.concatenate(errors)
        mean, sd = float(values.mean()), float(values.std(ddof=1))
        se = math.sqrt(sd**2 / trials + sum(noise) / len(errors) ** 2)
        return ExpectedError(mean, max(mean - self.bayes_error, 0.0), se, sd, trials)

    def _exact_error(self, classifier: Any) -> FloatArray:
        """Return the true error of a classifier by a formula."""
        raise TypeError(f"{type(self).__name__} has no formula for {type(classifier).__name__}")

    @abstractmethod
    def describe(self) -> str:
        """Return a description of the population."""

    def __repr__(self) -> str:
        return brief(self)

    def as_dict(self) -> dict[str, Any]:
        """Return the population's name and its parameters, for JSON and to identify the population."""
        parameters = {field.name: plain(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]
        return {"population": type(self).__name__} | parameters
