"""Where the variance of a mean score comes from, when each example was met several times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import Outcomes
from ...numerics.distributions import ratio
from ...rendering import percent, significant
from ...typing_ import FloatArray
from ..training_sets.components import Components
from .clusters import robust_moments
from .moments import ALONE, moments


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RepeatComponents(Components):
    """How much examples, and how much repeats of one example, make a score (or difference) vary.

    `variance` has that between examples and that within an example, of a single repeat. `error` is the standard error
    of the mean as it is, and `noise` the part of its square that the repeats leave.
    """

    error: FloatArray
    noise: FloatArray

    @property
    def removable(self) -> FloatArray:
        """The share of the variance of the mean that ever more repeats would remove; 0 where nothing varies."""
        return np.minimum(ratio(self.noise, self.error**2, empty=0.0), 1.0)

    @property
    def error_with_endless_repeats(self) -> FloatArray:
        """The standard error that would be left if every example were met over and over."""
        return self.error * np.sqrt(1 - self.removable)

    @property
    def error_with_twice_the_examples(self) -> FloatArray:
        """The standard error with twice as many examples (or clusters), met as often as these."""
        halved: FloatArray = self.error / np.sqrt(2)
        return halved

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        rows = Components.rows(self)  # super() does not find itself in a class with slots
        if self.moments.ndim > 1:
            return rows
        now, endless, twice = (
            significant(float(value))
            for value in (self.error, self.error_with_endless_repeats, self.error_with_twice_the_examples)
        )
        share = percent(float(self.removable), 0.04)
        return [
            *rows,
            ("standard error", f"{now}; {endless} with endless repeats, {twice} with twice the examples"),
            ("repeats", f"more of them could remove {share} of the variance of the mean"),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return components and errors by name, every digit kept."""
        return Components.as_dict(self) | {
            "standard error": self.error,
            "standard error with endless repeats": self.error_with_endless_repeats,
            "standard error with twice the examples": self.error_with_twice_the_examples,
        }


def repeat_components(outcomes: Outcomes) -> RepeatComponents:
    """Split the variance of a score (or of a difference) into that between and that within examples.

    Var(mean) = (between + within/K)/n with K repeats of n examples each: more repeats shrink the second part alone
    (Miller 2024). The method of moments, without bias for unequal numbers of repeats and for examples
    that differ in their spread: within is the mean of the examples' own variances (an example that was met once is
    taken for an average one), and between is the variance of the examples' means less what their repeats put into it.
    Of two models both are of the difference, whose repeats are independent draws.

    Parameters
    ----------
    outcomes
        Of one model or two, with repeats.

    Examples
    --------
    >>> held = Outcomes.from_scores([[1, 0], [1, 1], [0, 0], [1, 1], [0, 1], [1, 1]])
    >>> print(repeat_components(held))
    between examples  variance 0.0833, 33.3 % of all
    within examples   variance 0.167, 66.7 % of all
    standard error    0.167; 0.118 with endless repeats, 0.118 with twice the examples
    repeats           more of them could remove 50.0 % of the variance of the mean
    """
    if outcomes.repeats is None or outcomes.within is None:
        raise InvalidEvidence(
            "the variance within examples needs repeats, but every example was met once. Run several epochs, and name"
            " their column: epoch=."
        )
    share, met = outcomes.shares, outcomes.repeats
    if outcomes.effective_examples < ALONE or not (met > 1).any(axis=-1).all():
        raise InvalidEvidence(
            "the components need two examples or more that count, and of every model one that was met twice or more."
        )
    found = moments(outcomes) if outcomes.clusters is None else robust_moments(outcomes, "auto")
    # The variance of one repeat by model and example; of an example met once, the mean over the others.
    own = ratio(outcomes.within, np.maximum(met - 1, 1), empty=0.0)
    weight = share * (met > 1)
    usual = (own * weight).sum(axis=-1) / weight.sum(axis=-1)
    each = np.where(met > 1, own, usual[..., None])
    within = (each @ share).sum(axis=-1)
    left = (each / met).sum(axis=-2)  # what the repeats leave in each example's value
    values = outcomes.values
    apart = values - (values @ share)[..., None]
    between = (np.square(apart) @ share - left @ (share * (1 - share))) / (1 - share @ share)
    return RepeatComponents(
        names=("between examples", "within examples"),
        moments=np.stack([between, within], axis=-1),
        error=found.error,
        noise=np.minimum(left @ share**2, found.error**2)[()],
    )
