"""Contact lenses: 24 kinds of patients, three classes, and noisy labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...typing_ import FloatArray, IntArray, as_generator
from ..design import one_rate
from .base import Population

_NONE, _SOFT, _HARD = range(3)


@dataclass(frozen=True, slots=True, repr=False)
class ContactLenses(Population):
    """The contact lens data: four nominal attributes, 24 equally likely cells, and three classes.

    The attributes are age (0 young, 1 pre-presbyopic, 2 presbyopic), prescription (0 myope, 1 hypermetrope),
    astigmatism (0 no, 1 yes) and tears (0 reduced, 1 normal). The rules: with reduced tears none (class 0). Without
    astigmatism soft lenses (class 1), but none for presbyopic myopes. With it hard ones (class 2) for myopes and for
    young hypermetropes, none for others. That is 15 cells of none, 5 of soft and 4 of hard.

    A label is another class than the rules say with probability `error`, both others alike. The noise of Martin and
    Hirschberg (1996, appendix B.2) is described only in their report; this is our reading of it.

    Parameters
    ----------
    error
        The inherent error, that of the rules themselves.

    Examples
    --------
    >>> lenses = ContactLenses(0.05)
    >>> np.bincount(lenses.bayes_rule(lenses.cells)).tolist(), lenses.bayes_error
    ([15, 5, 4], 0.05)
    >>> from tellapart.lab import Constant
    >>> round(float(lenses.true_error(Constant(np.array(0)))), 6)  # 9/24 × 0.975 + 15/24 × 0.05
    0.396875
    """

    error: float = 0.0
    values: ClassVar[tuple[int, ...]] = (3, 2, 2, 2)  # how many values each attribute has

    def __post_init__(self) -> None:
        error = one_rate("error", self.error)
        if error > 2 / 3:
            raise InvalidOption(f"`error` must be at most 2/3, at which labels are random, got {error:g}.")
        object.__setattr__(self, "error", error)

    @property
    def attributes(self) -> int:
        """Number of attributes: 4."""
        return len(self.values)

    @property
    def classes(self) -> int:
        """Number of classes: none, soft, hard."""
        return 3

    @property
    def points(self) -> int:
        """Number of inputs over which true errors are summed: the cells."""
        return 24

    @property
    def bayes_error(self) -> float:
        """The Bayes error: the rate of wrong labels."""
        return self.error

    @property
    def cells(self) -> FloatArray:
        """Every kind of patient once, (24, 4)."""
        return np.stack(np.unravel_index(np.arange(24), self.values), axis=-1).astype(float)

    def bayes_rule(self, X: ArrayLike) -> IntArray:  # noqa: N803
        """Return the correct lens of each patient."""
        age, hypermetrope, astigmatic, normal = np.moveaxis(np.asarray(X, dtype=float), -1, 0)
        soft = np.where((age == 2) & (hypermetrope == 0), _NONE, _SOFT)
        hard = np.where((hypermetrope == 0) | (age == 0), _HARD, _NONE)
        return np.where(normal == 0, _NONE, np.where(astigmatic == 0, soft, hard))

    def draw(self, shape: tuple[int, ...], examples: int, rng: Any) -> tuple[FloatArray, IntArray]:
        """Return `shape` samples of patients, some labels changed."""
        generator, cells = as_generator(rng), self.cells
        which = generator.integers(24, size=(*shape, examples))
        wrong = generator.random(which.shape) < self.error
        y = self.bayes_rule(cells)[which]
        return cells[which], (y + wrong * generator.integers(1, 3, size=which.shape)) % 3

    def posterior(self, X: ArrayLike) -> FloatArray:  # noqa: N803
        """Return the probability of each class at X (..., attributes)."""
        return np.where(np.eye(3, dtype=bool)[self.bayes_rule(X)], 1 - self.error, self.error / 2)

    def how(self, classifier: Any) -> str:  # noqa: ARG002
        """Return how true errors are computed: over all cells, for any classifier."""
        return "exact"

    def _exact_error(self, classifier: Any) -> FloatArray:
        predicted = np.asarray(classifier.predict(self.cells))
        right = np.take_along_axis(
            np.broadcast_to(self.posterior(self.cells), (*predicted.shape, 3)), predicted[..., None], -1
        )
        return np.asarray(1 - right[..., 0].mean(axis=-1))[()]

    def describe(self) -> str:
        """Return a description of the population."""
        return f"24 kinds of patients and their contact lenses, label noise {100 * self.error:.4g}%"
