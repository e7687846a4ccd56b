"""Variance components of a mean score over examples with repeats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...display import Row
from ...errors import InvalidEvidence
from ...evidence import Outcomes
from ...figures import Scale
from ...numerics.distributions import ratio
from ...typing_ import FloatArray
from ..training_sets.components import Components, format_alike
from .clusters import robust_moments
from .moments import ALONE, moments


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RepeatComponents(Components):
    """The variance of a score (or difference) between examples, and between repeats of one example.

    `variance` has the components between examples and within an example, for a single repeat. `error` is the standard
    error of the mean, and `noise` the part of its square that is due to repeats.
    """

    error: FloatArray
    noise: FloatArray

    @property
    def removable(self) -> FloatArray:
        """The share of the variance of the mean that infinitely many repeats would remove; 0 if nothing varies."""
        return np.minimum(ratio(self.noise, self.error**2, empty=0.0), 1.0)

    @property
    def error_with_endless_repeats(self) -> FloatArray:
        """The standard error with infinitely many repeats of every example."""
        return self.error * np.sqrt(1 - self.removable)

    @property
    def error_with_twice_the_examples(self) -> FloatArray:
        """The standard error with twice as many examples (or clusters), with the same number of repeats."""
        halved: FloatArray = self.error / np.sqrt(2)
        return halved

    def support_rows(self) -> list[Row]:
        """Return the rows below the table: negative estimates, the standard error, and the effect of more repeats."""
        rows = Components.support_rows(self)  # a class with slots has no zero-argument super()
        if self.moments.ndim > 1:
            return rows
        now, endless, twice = format_alike(
            map(float, (self.error, self.error_with_endless_repeats, self.error_with_twice_the_examples))
        )
        removable = Scale("percent", 1).value(float(self.removable))
        return [
            *rows,
            Row(
                "data", f"standard error {now}; {twice} with twice the examples, {endless} with infinitely many repeats"
            ),
            Row("next", f"more repeats can remove {removable} of the variance of the mean"),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return components and errors by name, with all digits."""
        return Components.as_dict(self) | {
            "standard error": self.error,
            "standard error with endless repeats": self.error_with_endless_repeats,
            "standard error with twice the examples": self.error_with_twice_the_examples,
        }


def repeat_components(outcomes: Outcomes) -> RepeatComponents:
    """Return the variance components of a score (or of a difference) between and within examples.

    Var(mean) = (between + within/K)/n with K repeats of n examples each: more repeats reduce the second term only
    (Miller 2024). The estimates are by the method of moments, unbiased for unequal numbers of repeats and for examples
    of different variance: within is the mean of the variances of the examples (for an example without repeats the
    mean of the others), and between is the variance of the examples' means minus the contribution of repeats. For two
    models both are of the difference, whose repeats are independent draws.

    Parameters
    ----------
    outcomes
        The scores of one model or two, with repeats.

    Examples
    --------
    >>> outcomes = Outcomes.from_scores([[1, 0], [1, 1], [0, 0], [1, 1], [0, 1], [1, 1]])
    >>> print(repeat_components(outcomes))
    Largest variance component: within examples (66.7%)
    <BLANKLINE>
      component         variance  share
      between examples     0.083  33.3%
      within examples      0.167  66.7%
    <BLANKLINE>
      data      standard error 0.167; 0.118 with twice the examples, 0.118 with
                infinitely many repeats
      next      more repeats can remove 50.0% of the variance of the mean
    """
    if outcomes.repeats is None or outcomes.within is None:
        raise InvalidEvidence(
            "the variance within examples needs repeats, got one value per example. Run several epochs, and name their"
            " column with `epoch`."
        )
    share, repeats = outcomes.shares, outcomes.repeats
    if outcomes.effective_examples < ALONE or not (repeats > 1).any(axis=-1).all():
        raise InvalidEvidence(
            "variance components need 2 or more examples of positive weight, and repeats of each model. Add repeats."
        )
    mean_moments = moments(outcomes) if outcomes.clusters is None else robust_moments(outcomes, "auto")
    # The variance of one repeat by model and example; of an example without repeats, the mean of the others.
    variances = ratio(outcomes.within, np.maximum(repeats - 1, 1), empty=0.0)
    weight = share * (repeats > 1)
    average = (variances * weight).sum(axis=-1) / weight.sum(axis=-1)
    completed = np.where(repeats > 1, variances, average[..., None])
    within = (completed @ share).sum(axis=-1)
    noise = (completed / repeats).sum(axis=-2)  # variance of each example's mean by repeats
    values = outcomes.values
    deviations = values - (values @ share)[..., None]
    between = (np.square(deviations) @ share - noise @ (share * (1 - share))) / (1 - share @ share)
    return RepeatComponents(
        names=("between examples", "within examples"),
        moments=np.stack([between, within], axis=-1),
        error=mean_moments.error,
        noise=np.minimum(noise @ share**2, mean_moments.error**2)[()],
    )
