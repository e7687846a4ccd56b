"""Designs of one test set or two: the outcomes are counts, so that all of them can be listed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...evidence import ErrorCount, IndependentCounts, PairedTable
from ...methods import Method
from ...methods.distributions import binomial_quantile
from ...types import FloatArray, IntArray
from ..design import Design, Everything, rate, whole
from ..models import binomial_probability

__all__ = ["OneRate", "PairedOutcomes", "TwoRates"]

# The probability of all outcomes that are left out at one end of one count: sizes at the tiniest alphas keep digits.
_NEGLIGIBLE = 1e-20
_MOST = 1_000_000  # outcomes of two counts
_MOST_TABLES = 180_000  # tables of four cells: all of 100 examples
_ROUNDING = 1e-12  # by which sums of rates may be off
_STEPS = (0.01, 0.02, 0.05)  # differences at which power is measured unless others are asked for


class _Counts(Design):
    """What the three designs share: parameters that may be arrays."""

    __slots__ = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the parameters."""
        return np.broadcast_shapes(*(np.shape(getattr(self, name)) for name in self._rates))

    _rates: ClassVar[tuple[str, ...]]

    def _check_shapes(self) -> None:
        try:
            _ = self.shape
        except ValueError:
            told = ", ".join(f"{name} {np.shape(getattr(self, name))}" for name in self._rates)
            raise InvalidOption(f"the rates of a design must have one shape, but have {told}.") from None

    def _check_one(self, what: str) -> None:
        if self.shape:
            raise InvalidOption(f"{what} are of one design, but this holds {self.shape}. Take one: design[0].")

    def __getitem__(self, index: Any) -> Self:
        if not self.shape:
            raise IndexError(f"this {type(self).__name__} is one design and has nothing to index")
        spread = np.broadcast_arrays(*(getattr(self, name) for name in self._rates))
        picked = {name: part[index] for name, part in zip(self._rates, spread, strict=True)}
        return replace(self, **picked)  # type: ignore[type-var]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OneRate(_Counts):
    """One classifier of a true error on a test set of so many independent examples.

    Examples
    --------
    >>> OneRate(0.05, 120).describe()
    'one classifier with a true error of 0.05, 120 examples'
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
        """How far the error is from the threshold; else one, two and five points, where there is room."""
        own = self.error - self.against
        if np.ndim(own) == 0 and abs(own) > _ROUNDING:
            return (float(own),)
        return tuple(step for step in _STEPS if np.all(self.against + step <= 1))

    @property
    def testable(self) -> bool:
        """Whether the threshold is one that errors can be tested against: neither 0 nor 1."""
        return bool(np.all((self.against > 0) & (self.against < 1)))

    def at(self, difference: float) -> Self:
        """Return the design whose true error exceeds the threshold by so much."""
        moved = self.against + np.asarray(difference)
        if np.any((moved < -_ROUNDING) | (moved > 1 + _ROUNDING)):
            raise InvalidOption(
                f"a true error cannot differ by {difference:g} from {_told(self.against)}. Take a difference from"
                f" {-np.min(self.against):.4g} to {1 - np.max(self.against):.4g}."
            )
        return replace(self, error=np.clip(moved, 0.0, 1.0))

    def truth(self, parameter: str) -> FloatArray:
        """Return the true error, or by how much it exceeds the threshold."""
        return _known(self, parameter, {"difference": self.error - self.against, "error": self.error})

    def options(self, method: Method) -> dict[str, Any]:
        """Return the threshold for a test."""
        return {"against": self.against} if "against" in method.options else {}

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw the number of errors."""
        count = ErrorCount(rng.binomial(self.examples, float(self.error), trials), self.examples)
        return dict.fromkeys(views, count)

    def outcomes(self, view: Any, conditions: Sequence[Self]) -> int:  # noqa: ARG002
        """Return how many numbers of errors have any probability."""
        return _few(_reach(self.examples, [design.error for design in conditions]).size)

    def everything(self, view: Any, conditions: Sequence[Self]) -> Everything:  # noqa: ARG002
        """Return every number of errors that has any probability."""
        errors = _reach(self.examples, [design.error for design in conditions])
        true = np.array([float(design.error) for design in conditions])
        return Everything(ErrorCount(errors, self.examples), binomial_probability(errors[:, None], self.examples, true))

    @property
    def facts(self) -> dict[str, float]:
        """The number of examples, and the variance of the number of errors."""
        self._check_one("facts")
        return {"examples": self.examples, "variance": float(self.examples * self.error * (1 - self.error))}

    def describe(self) -> str:
        """Say in words what is collected."""
        moved = "" if np.all(self.error == self.against) else f" (tested against {_told(self.against)})"
        return f"one classifier with a true error of {_told(self.error)}{moved}, {self.examples} examples"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TwoRates(_Counts):
    """Two classifiers, each on a test set of its own.

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
        """The design's own difference; else one, two and five points, where there is room."""
        middle, own = self._middle, self.error_a - self.error_b
        if np.ndim(own) == 0 and abs(own) > _ROUNDING:
            return (float(own),)
        return tuple(step for step in _STEPS if np.all((middle >= step / 2) & (middle <= 1 - step / 2)))

    @property
    def _middle(self) -> FloatArray:
        return (self.error_a + self.error_b) / 2

    def at(self, difference: float) -> Self:
        """Return the design with the same mean error whose errors differ by so much."""
        a, b = self._middle + difference / 2, self._middle - difference / 2
        if np.any((np.minimum(a, b) < -_ROUNDING) | (np.maximum(a, b) > 1 + _ROUNDING)):
            most = 2 * np.min(np.minimum(self._middle, 1 - self._middle))
            raise InvalidOption(
                f"errors around {_told(self._middle)} cannot differ by {difference:g}. Take a difference up to"
                f" {most:.4g}."
            )
        return replace(self, error_a=np.clip(a, 0.0, 1.0), error_b=np.clip(b, 0.0, 1.0))

    def truth(self, parameter: str) -> FloatArray:
        """Return error(A) − error(B), or error(A)."""
        return _known(self, parameter, {"difference": self.error_a - self.error_b, "error": self.error_a})

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw the numbers of errors of both."""
        a = ErrorCount(rng.binomial(self.examples_a, float(self.error_a), trials), self.examples_a)
        b = ErrorCount(rng.binomial(self.examples_b, float(self.error_b), trials), self.examples_b)
        return dict.fromkeys(views, IndependentCounts(a, b))

    def _reaches(self, conditions: Sequence[Self]) -> tuple[IntArray, IntArray]:
        a = _reach(self.examples_a, [design.error_a for design in conditions])
        return a, _reach(self.examples_b, [design.error_b for design in conditions])

    def outcomes(self, view: Any, conditions: Sequence[Self]) -> int:  # noqa: ARG002
        """Return how many pairs of numbers of errors have any probability."""
        a, b = self._reaches(conditions)
        return _few(a.size * b.size)

    def everything(self, view: Any, conditions: Sequence[Self]) -> Everything:  # noqa: ARG002
        """Return every two numbers of errors that have any probability."""
        a, b = self._reaches(conditions)
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
        """The size of the smaller test set, and how many times larger the other is."""
        sizes = sorted((self.examples_a, self.examples_b))
        return {"examples": sizes[0], "ratio": sizes[1] / sizes[0]}

    def describe(self) -> str:
        """Say in words what is collected."""
        errors = f"true errors of {_told(self.error_a)} and {_told(self.error_b)}"
        return f"two classifiers with {errors}, {self.examples_a} and {self.examples_b} examples"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PairedOutcomes(_Counts):
    """Two classifiers on the same independent examples: how often each errs, and how often they disagree.

    Parameters
    ----------
    error_a, error_b
        The true errors.
    disagreement
        How often one of the two is right and the other wrong; at least the difference of their errors.
    examples
        How many examples are tested.

    Examples
    --------
    >>> design = PairedOutcomes(0.10, 0.10, disagreement=0.08, examples=300)
    >>> design.at(0.02).describe()
    'two classifiers with true errors of 0.11 and 0.09 that disagree on 0.08, 300 examples'
    >>> PairedOutcomes.from_table(PairedTable(10, 25, 10, 255)).disagreement.round(4)
    np.float64(0.1167)
    """

    error_a: FloatArray
    error_b: FloatArray
    disagreement: FloatArray
    examples: int
    evidence: ClassVar = (PairedTable,)
    usual: ClassVar = (
        "mcnemar-mid-p",
        "mcnemar",
        "mcnemar-exact",
        "mcnemar-corrected",
        "difference-of-proportions",
        "tango",
        "bonett-price",
        "wald-paired",
    )
    _rates: ClassVar = ("error_a", "error_b", "disagreement")

    def __post_init__(self) -> None:
        for name in self._rates:
            object.__setattr__(self, name, rate(name, getattr(self, name)))
        object.__setattr__(self, "examples", whole("examples", self.examples))
        self._check_shapes()
        a, b, apart = np.broadcast_arrays(self.error_a, self.error_b, self.disagreement)
        least, most = np.abs(a - b), np.minimum(a + b, 2 - a - b)
        wrong = (apart < least - _ROUNDING) | (apart > most + _ROUNDING)
        if wrong.any():
            place = np.flatnonzero(wrong)[0]
            raise InvalidOption(
                f"disagreement must lie between {least.flat[place]:.4g} and {most.flat[place]:.4g} for errors of"
                f" {a.flat[place]:.4g} and {b.flat[place]:.4g}, but is {apart.flat[place]:.4g}."
            )

    @classmethod
    def from_table(cls, table: PairedTable) -> Self:
        """Take the mean error, the disagreement and the size from what was observed, but not the difference."""
        if table.shape:
            raise InvalidOption(f"a design takes one table, but this holds {table.shape}. Take one: table[0].")
        apart = table.disagreements / table.examples
        middle = (table.count_a.rate + table.count_b.rate) / 2
        return cls(middle, middle, apart, int(table.examples))  # the power at an observed difference says nothing new

    @classmethod
    def from_correlation(cls, error_a: ArrayLike, error_b: ArrayLike, correlation: ArrayLike, examples: int) -> Self:
        """Take how strongly the errors of A and B are correlated (φ) in place of the disagreement.

        The two are wrong together on e_A·e_B + φ·√(e_A(1 − e_A)·e_B(1 − e_B)) of the examples.

        Examples
        --------
        >>> PairedOutcomes.from_correlation(0.1, 0.1, 0.0, 300).disagreement.round(4)
        np.float64(0.18)
        >>> PairedOutcomes.from_correlation(0.1, 0.1, 0.5, 300).disagreement.round(4)
        np.float64(0.09)
        """
        a, b = rate("error_a", error_a), rate("error_b", error_b)
        given = np.asarray(correlation)
        phi = given.astype(float) if given.dtype.kind in "iuf" else np.asarray(np.nan)  # neither True nor '0.1'
        spread = np.sqrt(a * (1 - a) * b * (1 - b))
        together = a * b + phi * spread
        least, most = np.maximum(a + b - 1, 0.0), np.minimum(a, b)
        wrong = ~((together >= least - 1e-12) & (together <= most + 1e-12))  # NaN is none
        if np.any(wrong):
            room = np.where(spread > 0, spread, np.inf)  # who always errs, or never, is correlated with nobody
            low, high = np.max((least - a * b) / room), np.min((most - a * b) / room)
            raise InvalidOption(
                f"correlation must lie between {low:.4g} and {high:.4g} for these errors, but is {correlation!r}."
            )
        return cls(a, b, a + b - 2 * np.clip(together, least, most), examples)

    @property
    def grid(self) -> tuple[float, ...]:
        """The design's own difference; else one, two and five points, where the disagreement allows it."""
        own = self.error_a - self.error_b
        if np.ndim(own) == 0 and abs(own) > _ROUNDING:
            return (float(own),)
        return tuple(step for step in _STEPS if np.all(self.disagreement >= step))

    def at(self, difference: float) -> Self:
        """Return the design of the same disagreement, as often wrong together, whose errors differ by so much."""
        if np.any(abs(difference) > self.disagreement + _ROUNDING):
            raise InvalidOption(
                f"errors cannot differ by {difference:g} where the classifiers disagree on"
                f" {np.min(self.disagreement):.4g} of the examples. Take a difference up to that."
            )
        together = (self.error_a + self.error_b - self.disagreement) / 2
        middle = together + self.disagreement / 2
        a, b = (np.clip(middle + step / 2, 0.0, 1.0) for step in (difference, -difference))
        return replace(self, error_a=a, error_b=b)

    @property
    def cells(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """The probabilities of both wrong, only A, only B, both right."""
        only_a = _or_none((self.disagreement + self.error_a - self.error_b) / 2)
        only_b = _or_none((self.disagreement - self.error_a + self.error_b) / 2)
        both = _or_none(self.error_a - only_a)
        return both, only_a, only_b, _or_none(1 - self.disagreement - both)

    def truth(self, parameter: str) -> FloatArray:
        """Return the difference, error(A), the odds of lone errors, or the reduction of the error."""
        both, only_a, only_b, _ = self.cells
        with np.errstate(divide="ignore", invalid="ignore"):  # no lone errors have no odds
            known = {
                "difference": self.error_a - self.error_b,
                "error": self.error_a,
                "odds": np.divide(only_a, only_b),
                "reduction": 1 - np.divide(both + only_b, both + only_a),
            }
        return _known(self, parameter, known)

    def view(self, method: Method, learners: int = 2) -> str:
        """Whether a method reads all four cells, or only who was wrong alone."""
        Design.view(self, method, learners)
        return "four cells" if method.reads == "cells" else "lone errors"

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw the tables."""
        shares = np.array([float(cell) for cell in self.cells])
        cells = rng.multinomial(self.examples, shares / shares.sum(), trials)
        return dict.fromkeys(views, PairedTable(*cells.T))

    def _tables(self, view: Any, conditions: Sequence[Self]) -> tuple[IntArray, IntArray, IntArray] | None:
        """Return only A wrong, only B wrong and both wrong of every table that has any probability, if they are few."""
        both, only_a, only_b = _cells(conditions)
        four = view == "four cells"
        each = [_reach(self.examples, only_a), _reach(self.examples, only_b)]
        each.append(_reach(self.examples, both) if four else np.zeros(1, dtype=np.int64))
        most = _MOST_TABLES if four else _MOST
        if (
            math.prod(part.size for part in each) > 6 * most
        ):  # a box, a sixth of which may be tables of so many examples
            return None
        grid = [part.ravel() for part in np.meshgrid(*each, indexing="ij")]
        possible = grid[0] + grid[1] + grid[2] <= self.examples
        a, b, wrong = (part[possible] for part in grid)
        return (a, b, wrong) if a.size <= most else None

    def outcomes(self, view: Any, conditions: Sequence[Self]) -> int:
        """Return how many tables have any probability."""
        tables = self._tables(view, conditions)
        return 0 if tables is None else tables[0].size

    def everything(self, view: Any, conditions: Sequence[Self]) -> Everything:
        """Return every table that has any probability; who reads lone errors only sees the others as right."""
        tables = self._tables(view, conditions)
        assert tables is not None  # noqa: S101  # `outcomes` has counted them
        a, b, wrong = tables
        both, only_a, only_b = _cells(conditions)
        chance = binomial_probability(a[:, None], self.examples, only_a)
        chance *= binomial_probability(b[:, None], self.examples - a[:, None], _part(only_b, 1 - only_a))
        if view == "four cells":
            left = (self.examples - a - b)[:, None]
            chance *= binomial_probability(wrong[:, None], left, _part(both, 1 - only_a - only_b))
        return Everything(PairedTable(wrong, a, b, self.examples - a - b - wrong), chance)

    @property
    def facts(self) -> dict[str, float]:
        """The number of examples, and how often the classifiers disagree."""
        self._check_one("facts")
        return {"examples": self.examples, "disagreement": float(self.disagreement)}

    def describe(self) -> str:
        """Say in words what is collected."""
        errors = f"true errors of {_told(self.error_a)} and {_told(self.error_b)}"
        return f"two classifiers with {errors} that disagree on {_told(self.disagreement)}, {self.examples} examples"


def _known(design: Design, parameter: str, truths: Mapping[str, FloatArray]) -> FloatArray:
    """Return what is true of a parameter, or say that it means nothing here."""
    if parameter not in truths:
        raise InvalidOption(f"parameter must be one of {', '.join(truths)}, but is {parameter!r}: {design!r}.")
    return truths[parameter]


def _cells(conditions: Sequence[PairedOutcomes]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the probabilities of both wrong, only A and only B, under each condition."""
    both, only_a, only_b, _ = np.array([[float(cell) for cell in design.cells] for design in conditions]).T
    return both, only_a, only_b


def _or_none(share: FloatArray) -> FloatArray:
    """Return a share, or 0 where it is but what rounding left of two that are equal."""
    return np.where(share > 1e-15, share, 0.0)[()]


def _part(of: FloatArray, whole: FloatArray) -> FloatArray:
    """Return a share of what is left; where nothing is left, none."""
    return np.minimum(np.divide(of, whole, out=np.zeros_like(of), where=whole > 0), 1.0)


def _few(number: int) -> int:
    """Return a number of outcomes, or 0 where they are too many to be listed."""
    return number if number <= _MOST else 0


def _reach(examples: int, rates: Sequence[ArrayLike] | FloatArray) -> IntArray:
    """Return the counts that have any probability under some of the rates, without gaps."""
    true = np.array([float(np.asarray(value)) for value in rates])
    low = binomial_quantile(_NEGLIGIBLE, examples, true).min()
    high = examples - binomial_quantile(_NEGLIGIBLE, examples, 1 - true).min()
    return np.arange(low, high + 1)


def _told(value: FloatArray) -> str:
    least, most = f"{np.min(value):.4g}", f"{np.max(value):.4g}"
    return least if least == most else f"{least} to {most}"
