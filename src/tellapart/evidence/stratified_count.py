"""Errors of one classifier in each stratum of a population with known shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidEvidence
from ..typing_ import FloatArray, IntArray, Numbers, list_names
from .base import RETRAINING, TRAITS_OF_CLASSIFIERS, Pooled, Scope, Table, plural, same
from .error_count import ErrorCount


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)  # eq=False: arrays have no single ==
class StratifiedCount(Pooled):
    """Errors and trials by stratum, and the share of each stratum in the population.

    If rare cases are oversampled in the test set, weighting the strata by their shares gives an unbiased
    error rate for the population.

    Parameters
    ----------
    errors, trials
        By stratum, along the last dimension; every stratum has a trial.
    shares
        The strata's shares of the population: not negative, adding up to 1.

    Examples
    --------
    >>> strata = StratifiedCount(errors=[2, 10], trials=[100, 50], shares=[0.9, 0.1])
    >>> round(strata.rate, 4)
    np.float64(0.038)
    """

    errors: IntArray
    trials: IntArray
    shares: FloatArray
    question: ClassVar = 1
    defaults: ClassVar = {"interval": "stratified-wilson"}
    summed = deep = ("errors", "trials")
    this_and_that = ("this count", "that one")
    _leader = "size"

    def __init__(self, errors: ArrayLike, trials: ArrayLike, shares: ArrayLike) -> None:
        strata = ErrorCount(errors, trials)
        weights = _as_shares(shares)
        if not strata.shape or weights.shape != strata.shape[-1:]:
            raise InvalidEvidence(
                f"`shares` must be one for each stratum, got shape {weights.shape} for errors of shape {strata.shape}."
            )
        if not (np.all(weights >= 0) and abs(weights.sum() - 1) <= 1e-9):  # false for NaN
            raise InvalidEvidence(f"`shares` must be 0 or more and add up to 1, got {list_names(weights.tolist())}.")
        weights = weights / weights.sum()
        weights.flags.writeable = False
        self._set_fields(errors=strata.errors, trials=strata.trials, shares=weights)

    @property
    def strata(self) -> ErrorCount:
        """The error count of each stratum."""
        return ErrorCount(self.errors, self.trials)

    @property
    def rate(self) -> Numbers:
        """The error rate in the population: the strata's rates, weighted by their shares."""
        return (self.strata.rate * self.shares).sum(axis=-1)

    @property
    def size(self) -> Numbers:
        """The number of examples."""
        return self.trials.sum(axis=-1)

    @property
    def levels(self) -> FloatArray:
        """The error rate in the population, along a last dimension of one model."""
        return np.asarray(self.rate)[..., None]

    def traits(self) -> dict[str, Any]:
        """Return the answers to the questions of `advise` that the counts determine."""
        errors, examples = int(np.sum(self.errors)), int(np.sum(self.trials))
        counts = {"models": 1, "strata": True, "errors": errors, "examples": examples}
        return TRAITS_OF_CLASSIFIERS | {"task": "estimate"} | counts

    def scope(self, method: str = "") -> Scope:
        """Return the scope of the answer."""
        return Scope("this trained model", "a population with these shares of strata", RETRAINING)

    def _refuse_unlike(self, other: Self) -> None:
        same("shares", tuple(self.shares.tolist()), tuple(other.shares.tolist()))

    def _notebook_table(self) -> Table:
        strata = enumerate(zip(self.errors.tolist(), self.trials.tolist(), self.shares.tolist(), strict=True), start=1)
        lines = [[str(stratum), str(wrong), str(of), f"{100 * share:.4g}%"] for stratum, (wrong, of, share) in strata]
        return f"StratifiedCount: {self.describe()}", ["stratum", "errors", "examples", "share"], lines

    def describe(self) -> str:
        """Return a description of the observations."""
        if self.shape:
            return f"stratified counts of shape {self.shape}"
        strata = "1 stratum" if self.shares.size == 1 else f"{self.shares.size} strata"
        return f"{plural(self.errors.sum(), 'error')} in {plural(self.size, 'example')} in {strata}"


def _as_shares(shares: ArrayLike) -> FloatArray:
    try:
        return np.array(shares, dtype=float)
    except (TypeError, ValueError):
        raise InvalidEvidence(f"`shares` must be numbers that add up to 1, one per stratum, got {shares!r}.") from None
