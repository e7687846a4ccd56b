"""Comparisons of all pairs by their largest statistic: step-down p-values, and one bound for all."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidOption
from ..typing_ import FloatArray, Side

SIDES: dict[str, Side] = {"two-sided": "two", "greater": "lower", "less": "upper"}
DIRECTED: dict[str, Any] = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}


def claims_allowed(alpha: float, resamples: int) -> int:
    """Return the number of attainable p-values below alpha; raise InvalidOption if there is none."""
    allowed = int(np.count_nonzero(np.arange(1, resamples + 2) / (resamples + 1) < alpha))
    if not allowed:
        raise InvalidOption(
            f"`resamples` must be at least {np.ceil(1 / alpha):.6g} for alpha = {alpha:.6g}, got {resamples}."
            " Use more, or adjust='holm'."
        )
    return allowed


class StepDown:
    """Counts of resampled statistics that reach the observed ones: for each pair, the maximum over it and later pairs.

    Examples
    --------
    >>> steps = StepDown(np.array([0.5, 2.0]))
    >>> steps.add(np.array([[1.0, 0.0], [0.0, 3.0], [0.0, 0.0]]))
    >>> steps.pvalues(alone=np.zeros(2)), steps.bound(allowed=1)
    (array([0.5, 0.5]), 3.0)
    """

    def __init__(self, observed: FloatArray) -> None:
        self.order = np.argsort(-observed, kind="stable")
        # Equal sums may differ in the last digit.
        self.bar = observed[self.order] - 1e-9 * np.abs(observed[self.order])
        self.reached = np.zeros(observed.size, dtype=np.int64)
        self.largest: list[FloatArray] = []

    def add(self, drawn: FloatArray) -> None:
        """Add resampled statistics by draw and pair."""
        # The maximum over each pair and all later ones: the families of the step-down procedure.
        families = np.maximum.accumulate(drawn[:, self.order[::-1]], axis=1)[:, ::-1]
        self.reached += (families >= self.bar).sum(axis=0)
        self.largest.append(families[:, 0])

    def pvalues(self, alone: FloatArray) -> FloatArray:
        """Return p-values that are at least that of the pair alone, and at least those of more extreme pairs."""
        draws = sum(block.size for block in self.largest)
        pvalues = np.empty(self.order.size)
        pvalues[self.order] = np.maximum.accumulate(
            np.maximum((self.reached + 1) / (draws + 1), np.asarray(alone)[self.order])
        )
        return pvalues

    def bound(self, allowed: int) -> float:
        """Return the critical value: a larger statistic has a p-value below alpha."""
        return float(np.sort(np.concatenate(self.largest))[-allowed])
