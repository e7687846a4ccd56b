"""Four classes with curved borders on a square."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...typing_ import FloatArray, IntArray, as_generator
from .base import Population


@dataclass(frozen=True, slots=True, repr=False)
class CurvedRegions(Population):
    """Four classes with curved borders on a square of side 15, with uniform examples and Bayes error 0.

    Class 3 is a disc of radius 2.5 about (10.5, 7.5). Elsewhere two waves divide the square: class 0 lies below
    4 + 2 sin(2π x / 15), class 2 above 10 + 2 cos(2π x / 10), class 1 between. It replaces the EXP6 task of Dietterich
    (1998), which was never published. As there, true errors are taken on a grid of 151 × 151 values with spacing 0.1.

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
        """Number of attributes: two coordinates."""
        return 2

    @property
    def classes(self) -> int:
        """Number of classes: 4."""
        return 4

    @property
    def points(self) -> int:
        """Number of inputs over which true errors are summed: the grid."""
        return 151**2

    @property
    def bayes_error(self) -> float:
        """The Bayes error, 0."""
        return 0.0

    @property
    def grid(self) -> FloatArray:
        """The grid for true errors, (22801, 2)."""
        side = np.arange(151) / 10
        return np.stack(np.meshgrid(side, side, indexing="ij"), axis=-1).reshape(-1, 2)

    def bayes_rule(self, X: ArrayLike) -> IntArray:  # noqa: N803
        """Return the class at each position."""
        x, height = np.moveaxis(np.asarray(X, dtype=float), -1, 0)
        above_low = height > 4 + 2 * np.sin(2 * np.pi * x / 15)
        above_high = height > 10 + 2 * np.cos(2 * np.pi * x / 10)
        disc = (x - 10.5) ** 2 + (height - 7.5) ** 2 < 2.5**2
        return np.where(disc, 3, above_low.astype(np.int64) + above_high)

    def draw(self, shape: tuple[int, ...], examples: int, rng: Any) -> tuple[FloatArray, IntArray]:
        """Return `shape` samples of positions and their classes."""
        X = 15 * as_generator(rng).random((*shape, examples, 2))  # noqa: N806
        return X, self.bayes_rule(X)

    def posterior(self, X: ArrayLike) -> FloatArray:  # noqa: N803
        """Return 1 for the class at each position, 0 for the others."""
        return np.eye(self.classes)[self.bayes_rule(X)]

    def how(self, classifier: Any) -> str:  # noqa: ARG002
        """Return how true errors are computed: on the grid."""
        return "grid"

    def _exact_error(self, classifier: Any) -> FloatArray:
        grid = self.grid
        wrong = np.asarray(classifier.predict(grid)) != self.bayes_rule(grid)
        return np.asarray(wrong.mean(axis=-1))[()]

    def describe(self) -> str:
        """Return a description of the population."""
        return "four classes with curved borders on a square"
