"""One classifier on a test set, and two on separate test sets, with enumerable errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from ...errors import InvalidOption
from ...evidence import ErrorCount, IndependentCounts
from ...methods import Offer
from ...typing_ import FloatArray, IntArray
from ..design import Everything, rate, whole
from ..models import binomial_probability
from .counts import ROUNDING, STEPS, CountDesign, error_rates_text, few, number_text, percent_text, reach, true_of


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OneRate(CountDesign):
    """One classifier with a given true error on independent test examples.

    Examples
    --------
    >>> OneRate(0.05, 120).describe()
    'one model, error rate 5%, 120 examples'
    """

    error: FloatArray
    examples: int
    against: Any = None  # what tests compare it with: its own error, unless `at` moved it
    evidence: ClassVar = (ErrorCount,)
    usual: ClassVar = ("jeffreys", "wilson", "clopper-pearson", "wald")
    _rates: ClassVar = ("error", "against")

    def __post_init__(self) -> None:
        object.__setattr__(self, "error", rate("error", self.error))
        object.__setattr__(self, "examples", whole("examples", self.examples))
        object.__setattr__(self, "against", self.error if self.against is None else rate("against", self.against))
        self._check_shapes()

    @property
    def grid(self) -> tuple[float, ...]:
        """Default differences: that of the error from the threshold, else 1, 2 and 5 pp, if possible."""
        own = self.error - self.against
        if np.ndim(own) == 0 and abs(own) > ROUNDING:
            return (float(own),)
        return tuple(step for step in STEPS if np.all(self.against + step <= 1))

    @property
    def testable(self) -> bool:
        """Whether errors can be tested against the threshold: it is neither 0 nor 1."""
        return bool(np.all((self.against > 0) & (self.against < 1)))

    @property
    def value_name(self) -> str:
        """Name of the true value of the classifier: its error rate."""
        return "error rate"

    def at(self, difference: float) -> Self:
        """Return the design with this difference of the true error from the threshold."""
        moved = self.against + np.asarray(difference)
        if np.any((moved < -ROUNDING) | (moved > 1 + ROUNDING)):
            raise InvalidOption(
                f"`difference` must be between {-np.min(self.against):.4g} and {1 - np.max(self.against):.4g} for a"
                f" threshold of {number_text(self.against)}, got {difference:g}."
            )
        return replace(self, error=np.clip(moved, 0.0, 1.0))

    def truth(self, parameter: str) -> FloatArray:
        """Return the true error, or its difference from the threshold."""
        return true_of(self, parameter, {"difference": self.error - self.against, "error": self.error})

    def options(self, method: Offer) -> dict[str, Any]:
        """Return the threshold for a test."""
        return {"against": self.against} if "against" in method.options else {}

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw the number of errors."""
        count = ErrorCount(rng.binomial(self.examples, float(self.error), trials), self.examples)
        return dict.fromkeys(views, count)

    def outcomes(self, view: Any, conditions: Sequence[Self]) -> int:  # noqa: ARG002
        """Return the number of error counts with positive probability."""
        return few(reach(self.examples, [design.error for design in conditions]).size)

    def everything(self, view: Any, conditions: Sequence[Self]) -> Everything:  # noqa: ARG002
        """Return every error count with positive probability."""
        errors = reach(self.examples, [design.error for design in conditions])
        true = np.array([float(design.error) for design in conditions])
        return Everything(ErrorCount(errors, self.examples), binomial_probability(errors[:, None], self.examples, true))

    @property
    def facts(self) -> dict[str, float]:
        """The number of examples, and the variance of the number of errors."""
        self._check_one("facts")
        return {"examples": self.examples, "variance": float(self.examples * self.error * (1 - self.error))}

    def describe(self) -> str:
        """Return a description of the design."""
        return f"{self.describe_population()}, {self.examples:,} examples"

    def describe_population(self) -> str:
        """Return the true rate as text, and the threshold if it differs."""
        threshold = "" if np.all(self.error == self.against) else f", threshold {percent_text(self.against)}"
        return f"one model, {error_rates_text(self.error)}{threshold}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TwoRates(CountDesign):
    """Two classifiers on separate test sets.

    Examples
    --------
    >>> TwoRates(0.1, 0.1, 50, 80).at(0.02).truth("difference").round(12)
    np.float64(0.02)
    """

    error_a: FloatArray
    error_b: FloatArray
    examples_a: int
    examples_b: int
    evidence: ClassVar = (IndependentCounts,)
    usual: ClassVar = ("fisher-mid-p", "fisher", "pooled-z", "miettinen-nurminen", "newcombe", "wald-independent")
    _rates: ClassVar = ("error_a", "error_b")

    def __post_init__(self) -> None:
        for name in ("error_a", "error_b"):
            object.__setattr__(self, name, rate(name, getattr(self, name)))
        for name in ("examples_a", "examples_b"):
            object.__setattr__(self, name, whole(name, getattr(self, name)))
        self._check_shapes()

    @property
    def grid(self) -> tuple[float, ...]:
        """Default differences: that of the design, else 1, 2 and 5 pp, if possible."""
        middle, own = self._mean_error, self.error_a - self.error_b
        if np.ndim(own) == 0 and abs(own) > ROUNDING:
            return (float(own),)
        return tuple(step for step in STEPS if np.all((middle >= step / 2) & (middle <= 1 - step / 2)))

    @property
    def _mean_error(self) -> FloatArray:
        return (self.error_a + self.error_b) / 2

    def at(self, difference: float) -> Self:
        """Return the design with the same mean error and this difference."""
        a, b = self._mean_error + difference / 2, self._mean_error - difference / 2
        if np.any((np.minimum(a, b) < -ROUNDING) | (np.maximum(a, b) > 1 + ROUNDING)):
            most = 2 * np.min(np.minimum(self._mean_error, 1 - self._mean_error))
            raise InvalidOption(
                f"`difference` must be at most {most:.4g} for a mean error rate of {number_text(self._mean_error)}, got"
                f" {difference:g}."
            )
        return replace(self, error_a=np.clip(a, 0.0, 1.0), error_b=np.clip(b, 0.0, 1.0))

    def truth(self, parameter: str) -> FloatArray:
        """Return error(A) − error(B), or error(A)."""
        return true_of(self, parameter, {"difference": self.error_a - self.error_b, "error": self.error_a})

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw the numbers of errors of both."""
        a = ErrorCount(rng.binomial(self.examples_a, float(self.error_a), trials), self.examples_a)
        b = ErrorCount(rng.binomial(self.examples_b, float(self.error_b), trials), self.examples_b)
        return dict.fromkeys(views, IndependentCounts(a, b))

    def _count_ranges(self, conditions: Sequence[Self]) -> tuple[IntArray, IntArray]:
        a = reach(self.examples_a, [design.error_a for design in conditions])
        return a, reach(self.examples_b, [design.error_b for design in conditions])

    def outcomes(self, view: Any, conditions: Sequence[Self]) -> int:  # noqa: ARG002
        """Return the number of pairs of error counts with positive probability."""
        a, b = self._count_ranges(conditions)
        return few(a.size * b.size)

    def everything(self, view: Any, conditions: Sequence[Self]) -> Everything:  # noqa: ARG002
        """Return every pair of error counts with positive probability."""
        a, b = self._count_ranges(conditions)
        true_a, true_b = (np.array([float(getattr(each, name)) for each in conditions]) for name in self._rates)
        chance = (
            binomial_probability(a[:, None, None], self.examples_a, true_a)
            * binomial_probability(b[:, None], self.examples_b, true_b)
        ).reshape(-1, len(conditions))
        errors_a, errors_b = (part.ravel() for part in np.meshgrid(a, b, indexing="ij"))
        counts = IndependentCounts(ErrorCount(errors_a, self.examples_a), ErrorCount(errors_b, self.examples_b))
        return Everything(counts, chance)

    @property
    def facts(self) -> dict[str, float]:
        """The size of the smaller test set, and the ratio of both sizes."""
        sizes = sorted((self.examples_a, self.examples_b))
        return {"examples": sizes[0], "ratio": sizes[1] / sizes[0]}

    def describe(self) -> str:
        """Return a description of the design."""
        errors = error_rates_text(self.error_a, self.error_b)
        return f"two models, {errors}, {self.examples_a:,} and {self.examples_b:,} examples"
