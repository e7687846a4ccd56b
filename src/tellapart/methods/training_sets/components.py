"""Where the variance of a loss comes from: training sets, test examples, seeds and repeats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidEvidence, InvalidOption
from ...evidence import Outcomes, Resamples, TrainingSets
from ...numerics.distributions import ratio
from ...rendering import Rendered, percent, significant
from ...typing_ import FloatArray
from ..loss_scale import scale
from .variation import BOTH, mean_squares

_SQUARED = 1e150  # larger losses have no square


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Components(Rendered):
    """How much of the variance of one loss (or difference) comes from where.

    `variance` has a component for each of `names` along its last dimension, 0 where `moments`, the method of
    moments, came out negative.
    """

    names: tuple[str, ...]
    moments: FloatArray

    @property
    def variance(self) -> FloatArray:
        """The components, none below 0."""
        return np.maximum(self.moments, 0.0)

    @property
    def shares(self) -> FloatArray:
        """Each component's part of their sum; NaN where nothing varies."""
        return ratio(self.variance, self.variance.sum(axis=-1, keepdims=True), empty=np.nan)

    def of(self, name: str) -> FloatArray:
        """Return one component by its name."""
        if name not in self.names:
            raise InvalidOption(f"component must be one of {', '.join(self.names)}, but is {name!r}.")
        return self.variance[..., self.names.index(name)][()]

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        if self.moments.ndim > 1:
            mean = self.variance.reshape(-1, len(self.names)).mean(axis=0)
            texts = [f"variance {significant(value)} on average" for value in mean]
        else:
            texts = [
                f"variance {significant(value)}, {'nothing' if np.isnan(share) else percent(share, 0.04)} of all"
                + (f" (below 0 by the method of moments: {significant(raw)})" if raw < 0 else "")
                for value, share, raw in zip(self.variance, self.shares, self.moments, strict=True)
            ]
        return list(zip(self.names, texts, strict=True))

    def as_dict(self) -> dict[str, Any]:
        """Return the components by name, every digit kept."""
        return {name: self.of(name) for name in self.names}

    def __repr__(self) -> str:
        return str(self)


def variance_components(evidence: TrainingSets | Resamples | Outcomes) -> Components:
    """Return how much training sets, test examples, seeds and repeats make a loss vary, by the method of moments.

    For training sets: that of the training set, (MS_T − MS_R)/J less the seeds' part in it; of the test example,
    (MS_X − MS_R)/I; of the rest, MS_R; and of the seed, where there were several. For resamples with several
    seeds: that of the split, and of the seed. For outcomes with repeats: that between and that within examples. Of
    two learners it is the variance of their difference.

    Parameters
    ----------
    evidence
        Of one learner or two (of one model or two).

    Examples
    --------
    >>> sets = TrainingSets([[[1, 0, 0, 1], [1, 0, 0, 0], [1, 0, 1, 1]]], learners=("a",))
    >>> print(variance_components(sets))
    training set  variance 0.0278, 9.1 % of all
    test example  variance 0.139, 45.5 % of all
    rest          variance 0.139, 45.5 % of all
    """
    if isinstance(evidence, Outcomes):
        from ..outcomes.components import repeat_components  # which builds on this module

        return repeat_components(evidence)
    size = scale(evidence)
    if np.any((size > _SQUARED) | ((size < 1 / _SQUARED) & (size > 0))):
        raise InvalidEvidence(
            f"the variance of losses of the size {np.max(size):.3g} is no number that a computer holds. Give them in"
            " another unit."
        )
    if isinstance(evidence, Resamples):
        if evidence.seed_variance is None or evidence.runs < 2:
            raise InvalidEvidence(
                f"the components of split and seed need two or more seeds and test sets, but there are {evidence.seeds}"
                f" and {evidence.runs}. Race with seeds=5."
            )
        seed = evidence.seed_variance.mean(axis=BOTH).sum(axis=-1)
        split = evidence.values.var(axis=BOTH, ddof=1) - seed / evidence.seeds
        return Components(names=("split", "seed"), moments=np.stack([split, seed], axis=-1))
    square = mean_squares("variance-components", evidence)
    by_set, by_example, rest = (part * square.unit**2 for part in (square.sets, square.examples, square.rest))
    parts = {
        evidence.varies: (by_set - rest) / evidence.examples,
        "test example": (by_example - rest) / evidence.sets,
        "rest": rest,
    }
    if evidence.seed_variance is not None:
        seed = evidence.seed_variance.mean(axis=-1).sum(axis=-1)
        parts[evidence.varies] = parts[evidence.varies] - seed / evidence.seeds
        parts["seed"] = seed
    return Components(names=tuple(parts), moments=np.stack(list(parts.values()), axis=-1))
