"""Two classifiers on the same examples, with enumerable tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...evidence import PairedTable
from ...methods import Offer
from ...typing_ import FloatArray, IntArray
from ..design import Design, Everything, rate, whole
from ..models import binomial_probability
from .counts import MOST, ROUNDING, STEPS, CountDesign, error_rates_text, percent_text, reach, true_of

_MOST_TABLES = 180_000  # tables of four cells: all of 100 examples


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PairedOutcomes(CountDesign):
    """Two classifiers on the same independent examples: their error rates and their discordant rate.

    Parameters
    ----------
    error_a, error_b
        The true errors.
    disagreement
        The discordant rate, at least the difference of the error rates.
    examples
        The number of test examples.

    Examples
    --------
    >>> design = PairedOutcomes(0.10, 0.10, disagreement=0.08, examples=300)
    >>> design.at(0.02).describe()
    'two models, error rates 11% and 9%, discordant rate 8%, 300 examples'
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
        a, b, discordant = np.broadcast_arrays(self.error_a, self.error_b, self.disagreement)
        least, most = np.abs(a - b), np.minimum(a + b, 2 - a - b)
        wrong = (discordant < least - ROUNDING) | (discordant > most + ROUNDING)
        if wrong.any():
            index = np.flatnonzero(wrong)[0]
            raise InvalidOption(
                f"`disagreement` must be between {least.flat[index]:.4g} and {most.flat[index]:.4g} for errors of"
                f" {a.flat[index]:.4g} and {b.flat[index]:.4g}, got {discordant.flat[index]:.4g}."
            )

    @classmethod
    def from_table(cls, table: PairedTable) -> Self:
        """Return the design with the observed mean error, discordant rate and size, but not the difference."""
        if table.shape:
            raise InvalidOption(
                f"`table` must be one table, got an array of shape {table.shape}. Take one of them: table[0]."
            )
        discordant = table.disagreements / table.examples
        mean_error = (table.count_a.rate + table.count_b.rate) / 2
        return cls(
            mean_error, mean_error, discordant, int(table.examples)
        )  # the power at an observed difference says nothing new

    @classmethod
    def from_correlation(cls, error_a: ArrayLike, error_b: ArrayLike, correlation: ArrayLike, examples: int) -> Self:
        """Return the design with a correlation φ of the errors of A and B instead of the discordant rate.

        The two are wrong together on e_A·e_B + φ·√(e_A(1 − e_A)·e_B(1 − e_B)) of the examples.

        Examples
        --------
        >>> PairedOutcomes.from_correlation(0.1, 0.1, 0.0, 300).disagreement.round(4)
        np.float64(0.18)
        >>> PairedOutcomes.from_correlation(0.1, 0.1, 0.5, 300).disagreement.round(4)
        np.float64(0.09)
        """
        a, b = rate("error_a", error_a), rate("error_b", error_b)
        array = np.asarray(correlation)
        phi = array.astype(float) if array.dtype.kind in "iuf" else np.asarray(np.nan)  # neither True nor '0.1'
        spread = np.sqrt(a * (1 - a) * b * (1 - b))
        together = a * b + phi * spread
        least, most = np.maximum(a + b - 1, 0.0), np.minimum(a, b)
        wrong = ~((together >= least - 1e-12) & (together <= most + 1e-12))  # NaN is none
        if np.any(wrong):
            room = np.where(spread > 0, spread, np.inf)  # constant errors have no correlation
            low, high = np.max((least - a * b) / room), np.min((most - a * b) / room)
            raise InvalidOption(
                f"`correlation` must be between {low:.4g} and {high:.4g} for these errors, got {correlation!r}."
            )
        return cls(a, b, a + b - 2 * np.clip(together, least, most), examples)

    @property
    def grid(self) -> tuple[float, ...]:
        """Default differences: that of the design, else 1, 2 and 5 pp, if the discordant rate allows."""
        own = self.error_a - self.error_b
        if np.ndim(own) == 0 and abs(own) > ROUNDING:
            return (float(own),)
        return tuple(step for step in STEPS if np.all(self.disagreement >= step))

    def at(self, difference: float) -> Self:
        """Return the design with the same discordant rate, the same rate of both wrong, and this difference."""
        if np.any(abs(difference) > self.disagreement + ROUNDING):
            least = np.min(self.disagreement)
            raise InvalidOption(
                f"`difference` must be between {-least:.4g} and {least:.4g}, the discordant rate, got {difference:g}."
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
        """Return the difference, error(A), the odds of discordant errors, or the reduction of the error."""
        both, only_a, only_b, _ = self.cells
        with np.errstate(divide="ignore", invalid="ignore"):  # without discordant errors the odds are undefined
            known = {
                "difference": self.error_a - self.error_b,
                "error": self.error_a,
                "odds": np.divide(only_a, only_b),
                "reduction": 1 - np.divide(both + only_b, both + only_a),
            }
        return true_of(self, parameter, known)

    def view(self, method: Offer, learners: int = 2) -> str:
        """Return whether a method uses all four cells, or only discordant errors."""
        Design.view(self, method, learners)
        return "four cells" if method.reads == "cells" else "discordant errors"

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw the tables."""
        shares = np.array([float(cell) for cell in self.cells])
        cells = rng.multinomial(self.examples, shares / shares.sum(), trials)
        return dict.fromkeys(views, PairedTable(*cells.T))

    def _list_tables(self, view: Any, conditions: Sequence[Self]) -> tuple[IntArray, IntArray, IntArray] | None:
        """Return only A wrong, only B wrong and both wrong of every possible table, if they are few."""
        both, only_a, only_b = _cell_probabilities(conditions)
        four = view == "four cells"
        each = [reach(self.examples, only_a), reach(self.examples, only_b)]
        each.append(reach(self.examples, both) if four else np.zeros(1, dtype=np.int64))
        most = _MOST_TABLES if four else MOST
        if (
            math.prod(part.size for part in each) > 6 * most
        ):  # a box, a sixth of which may be tables of so many examples
            return None
        grid = [part.ravel() for part in np.meshgrid(*each, indexing="ij")]
        possible = grid[0] + grid[1] + grid[2] <= self.examples
        a, b, wrong = (part[possible] for part in grid)
        return (a, b, wrong) if a.size <= most else None

    def outcomes(self, view: Any, conditions: Sequence[Self]) -> int:
        """Return the number of tables with positive probability."""
        tables = self._list_tables(view, conditions)
        return 0 if tables is None else tables[0].size

    def everything(self, view: Any, conditions: Sequence[Self]) -> Everything:
        """Return every table with positive probability; without four cells, only the discordant errors."""
        tables = self._list_tables(view, conditions)
        assert tables is not None  # noqa: S101  # `outcomes` has counted them
        a, b, wrong = tables
        both, only_a, only_b = _cell_probabilities(conditions)
        chance = binomial_probability(a[:, None], self.examples, only_a)
        chance *= binomial_probability(b[:, None], self.examples - a[:, None], _share_of_rest(only_b, 1 - only_a))
        if view == "four cells":
            left = (self.examples - a - b)[:, None]
            chance *= binomial_probability(wrong[:, None], left, _share_of_rest(both, 1 - only_a - only_b))
        return Everything(PairedTable(wrong, a, b, self.examples - a - b - wrong), chance)

    @property
    def facts(self) -> dict[str, float]:
        """The number of examples and the discordant rate."""
        self._check_one("facts")
        return {"examples": self.examples, "disagreement": float(self.disagreement)}

    def describe(self) -> str:
        """Return a description of the design."""
        return f"{self.describe_population()}, {self.examples:,} examples"

    def describe_population(self) -> str:
        """Return the true rates as text."""
        errors = error_rates_text(self.error_a, self.error_b)
        return f"two models, {errors}, discordant rate {percent_text(self.disagreement)}"


def _cell_probabilities(conditions: Sequence[PairedOutcomes]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the probabilities of both wrong, only A and only B, under each condition."""
    both, only_a, only_b, _ = np.array([[float(cell) for cell in design.cells] for design in conditions]).T
    return both, only_a, only_b


def _or_none(share: FloatArray) -> FloatArray:
    """Return a share, or 0 if it is only a rounding error."""
    return np.where(share > 1e-15, share, 0.0)[()]


def _share_of_rest(of: FloatArray, whole: FloatArray) -> FloatArray:
    """Return a share of the rest; 0 if the rest is 0."""
    return np.minimum(np.divide(of, whole, out=np.zeros_like(of), where=whole > 0), 1.0)
