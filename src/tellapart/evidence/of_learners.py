"""What evidence about learners has in common: a loss by learner, along the third dimension from the end."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any, Self

import numpy as np

from ..errors import InvalidEvidence
from ..types import FloatArray
from .base import Evidence, Table

__all__ = ["OfLearners", "as_floats", "as_names"]


_NEVER_NEGATIVE = {"log_loss", "brier"}  # losses without an upper bound that is worth telling


class OfLearners(Evidence):
    """The losses of one learner or more; methods take one, or the difference of two.

    A subclass has the fields, and says in `_of` what is kept of some of the learners.
    """

    __slots__ = ()
    loss: FloatArray  # […, learner, one dimension more, another]
    learners: tuple[str, ...]
    metric: str
    _leader = "_first"

    @property
    def _first(self) -> FloatArray:
        return self.loss[..., 0, 0, 0]

    @property
    def models(self) -> tuple[str, ...]:
        """The learners, by the name that comparisons have for them."""
        return self.learners

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The names of every two learners, in order."""
        return tuple(combinations(self.learners, 2))

    def select(self, *learners: str) -> Self:
        """Return what is known of these learners, in this order."""
        if len(set(learners)) != len(learners) or not learners:
            raise InvalidEvidence(f"learners must be different names, but are {learners!r}.")
        for name in learners:
            if name not in self.learners:
                raise InvalidEvidence(f"learner must be one of {', '.join(self.learners)}, but is {name!r}.")
        return self._of([self.learners.index(name) for name in learners], learners)

    def every_pair(self) -> Self:
        """Return all pairs at once, in the order of `pairs`, along the last dimension of the shape; called A and B."""
        return self._of(np.stack(np.triu_indices(len(self.learners), 1), axis=-1), ("A", "B"))

    def _table(self) -> Table:
        means = zip(self.learners, self.losses.tolist(), strict=True)
        lines = [[name, f"{mean:.6g}"] for name, mean in means]
        return f"{type(self).__name__}: {self.describe()}", ["learner", f"mean {self.metric}"], lines

    def _of(self, places: Any, learners: tuple[str, ...]) -> Self:
        raise TypeError(f"{type(self).__name__} does not say what it keeps of {learners} at {places}")

    @property
    def losses(self) -> FloatArray:
        """The mean loss of each learner, along the last dimension: every split (or example) counts alike."""
        means: FloatArray = np.nanmean(self.loss, axis=(-2, -1))
        return means

    @property
    def rates(self) -> FloatArray:
        """The mean losses, by the name that rankings have for them."""
        return self.losses

    @property
    def bounded(self) -> bool:
        """Whether the loss lies between 0 and 1."""
        return self.metric == "error" or self.metric.startswith("1 - ")

    @property
    def parameter(self) -> str:
        """What the values are: the "error" of one learner, or the "difference" of two."""
        if len(self.learners) > 2:
            raise InvalidEvidence(
                f"one or two learners are wanted, but these are {', '.join(self.learners)}. Take them out by select."
            )
        return "error" if len(self.learners) == 1 else "difference"

    @property
    def range(self) -> tuple[float, float]:
        """Between what the loss of one learner, or the difference of two, must lie."""
        most = 1.0 if self.bounded else np.inf
        if self.parameter == "difference":
            return -most, most
        return (0.0 if self.bounded or self.metric in _NEVER_NEGATIVE else -np.inf), most

    @property
    def values(self) -> FloatArray:
        """The loss of one learner, or loss(A) − loss(B) of two, along the last two dimensions."""
        if self.parameter == "error":
            return self.loss[..., 0, :, :]
        return self.loss[..., 0, :, :] - self.loss[..., 1, :, :]

    @property
    def difference(self) -> FloatArray:
        """The mean of loss(A) − loss(B); positive: B is better."""
        if len(self.learners) != 2:
            raise InvalidEvidence(f"difference is of two learners, but these are {', '.join(self.learners)}.")
        losses = self.losses
        return (losses[..., 0] - losses[..., 1])[()]


def as_floats(name: str, value: Any) -> FloatArray:
    """Return numbers as an array of our own, or say what is none.

    Examples
    --------
    >>> as_floats("loss", [1, 0])
    array([1., 0.])
    """
    try:
        return np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise InvalidEvidence(f"{name} must be numbers, but is {value!r}.") from None


def as_names(learners: Any) -> tuple[str, ...]:
    """Return what the learners are called, or say that different names are wanted.

    Examples
    --------
    >>> as_names(["lr", "nb"])
    ('lr', 'nb')
    """
    names = tuple(learners) if isinstance(learners, Iterable) and not isinstance(learners, str) else ()
    if not names or not all(isinstance(name, str) for name in names):
        raise InvalidEvidence(f"learners must be a list of names, such as ['lr', 'nb'], but is {learners!r}.")
    if len(set(names)) != len(names):
        raise InvalidEvidence(f"learners must be different names, but is {names!r}.")
    return names
