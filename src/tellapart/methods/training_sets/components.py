"""Variance components of a loss: training sets, test examples, seeds and repeats."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...display import Display, Row, TextTable
from ...errors import InvalidEvidence, InvalidOption
from ...evidence import Outcomes, Resamples, TrainingSets, expect
from ...figures import Scale, count_text
from ...numerics.distributions import ratio
from ...rendering import Rendered, significant
from ...typing_ import FloatArray
from ..loss_scale import scale
from .variation import BOTH, mean_squares

_SQUARED = 1e150  # squares of larger losses overflow


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Components(Rendered):
    """The variance components of one loss (or difference).

    `variance` has a component for each of `names` along its last dimension; it is 0 if the estimate by the method of
    moments, in `moments`, is negative.
    """

    names: tuple[str, ...]
    moments: FloatArray

    @property
    def variance(self) -> FloatArray:
        """The components; negative estimates are 0."""
        return np.maximum(self.moments, 0.0)

    @property
    def shares(self) -> FloatArray:
        """The share of each component in their sum; NaN if nothing varies."""
        return ratio(self.variance, self.variance.sum(axis=-1, keepdims=True), empty=np.nan)

    def of(self, name: str) -> FloatArray:
        """Return one component by its name."""
        if name not in self.names:
            raise InvalidOption(f"`name` must be one of {', '.join(self.names)}, got {name!r}.")
        return self.variance[..., self.names.index(name)][()]

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # there is no more
        """Return the largest component, and a table of all; of several entries their means."""
        variance = self.variance.reshape(-1, len(self.names)).mean(axis=0)
        total = float(variance.sum())
        shares = [Scale("percent", 1).value(value / total) if total > 0 else "none" for value in variance]
        largest = int(np.argmax(variance))
        verdict = (
            f"Largest variance component: {self.names[largest]} ({shares[largest]})" if total > 0 else "No variance"
        )
        lines = list(zip(self.names, format_alike(variance), shares, strict=True))
        table = TextTable(head=("component", "variance", "share"), lines=lines, align="lrr")
        return Display(verdict=verdict, blocks=(table, *self.support_rows()))

    def support_rows(self) -> list[Row]:
        """Return the rows below the table: estimates that are negative."""
        if self.moments.ndim > 1:
            return [Row("data", f"means of {count_text(self.moments[..., 0].size, 'entry', 'entries')}")]
        negative = [
            f"{name} {significant(value)}" for name, value in zip(self.names, self.moments, strict=True) if value < 0
        ]
        return [Row("data", f"negative estimates, set to 0: {', '.join(negative)}")] if negative else []

    def as_dict(self) -> dict[str, Any]:
        """Return the components by name, with all digits."""
        return {name: self.of(name) for name in self.names}

    def __repr__(self) -> str:
        return str(self)


def format_alike(values: Iterable[float]) -> list[str]:
    """Return numbers with one number of decimals: enough for three significant digits of the largest.

    Examples
    --------
    >>> format_alike([0.00273, 0.0179, 0.0589]), format_alike([12.3, 0.0])
    (['0.0027', '0.0179', '0.0589'], ['12.3', '0.0'])
    """
    numbers = [float(value) for value in values]
    largest = max(map(abs, numbers))
    if not 1e-9 < largest < 1e6:
        return [significant(number) for number in numbers]
    decimals = max(2 - math.floor(math.log10(largest)), 0)
    return [Scale("plain", decimals).number(number) for number in numbers]


def variance_components(evidence: TrainingSets | Resamples | Outcomes) -> Components:
    """Return the variance components of training sets, test examples, seeds and repeats, by the method of moments.

    For training sets: the training set, (MS_T − MS_R)/J minus the contribution of seeds; the test example,
    (MS_X − MS_R)/I; the rest, MS_R; and the seed, if there are several. For resamples with several seeds: the split,
    and the seed. For outcomes with repeats: between and within examples. For two learners the components are those of
    the difference.

    Parameters
    ----------
    evidence
        The losses of one learner or two (one model or two).

    Examples
    --------
    >>> sets = TrainingSets([[[1, 0, 0, 1], [1, 0, 0, 0], [1, 0, 1, 1]]], learners=("a",))
    >>> print(variance_components(sets))
    Largest variance component: test example (45.5%)
    <BLANKLINE>
      component     variance  share
      training set     0.028   9.1%
      test example     0.139  45.5%
      rest             0.139  45.5%
    """
    if isinstance(evidence, Outcomes):
        from ..outcomes.components import repeat_components  # which imports this module

        return repeat_components(evidence)
    expect(TrainingSets, evidence, Resamples)
    size = scale(evidence)
    if np.any((size > _SQUARED) | ((size < 1 / _SQUARED) & (size > 0))):
        raise InvalidEvidence(
            f"losses must be between 1e-150 and 1e150 in size, got {np.max(size):.3g}. Use another unit."
        )
    if isinstance(evidence, Resamples):
        if evidence.seed_variance is None or evidence.runs < 2:
            raise InvalidEvidence(
                f"variance components need 2 or more seeds and test sets, got {evidence.seeds} and {evidence.runs}."
                " Use seeds=5."
            )
        seed = evidence.seed_variance.mean(axis=BOTH).sum(axis=-1)
        split = evidence.values.var(axis=BOTH, ddof=1) - seed / evidence.seeds
        return Components(names=("split", "seed"), moments=np.stack([split, seed], axis=-1))
    square = mean_squares("variance-components", evidence)
    by_set, by_example, rest = (component * square.unit**2 for component in (square.sets, square.examples, square.rest))
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
