"""Balanced accuracy and informedness of two classifiers: Tango's limits of every class, combined."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...errors import InvalidOption
from ...evidence import PairedConfusion
from ...metric_rules import Average
from ...numerics.roots import solve
from ...typing_ import FloatArray
from ..confusion_matrix.assumptions import DEFINED
from ..paired_table.tango_score import score_upper
from ..pivots import Limits, Score
from ..registry import Standing, procedure
from .assumptions import ENOUGH_EFFECTIVE_PAIRS
from .metric_differences import DIFFERENCE, PossiblyUndefined, as_margin

_FAR = 40.0  # standard deviations beyond which p-values underflow
_NEAR = 1e-11  # relative tolerance, below that of Tango's limits


@procedure(
    name="mover-tango",
    title="MOVER-Tango",
    **DIFFERENCE,
    metrics=("balanced-accuracy", "informedness"),
    assumes=(DEFINED, ENOUGH_EFFECTIVE_PAIRS),
    standing=Standing.RECOMMENDED,
    rationale="combines the score limits of the classes, which are independent samples, by square-and-add (MOVER)",
    reference="zou2008",
    test={"statistic": "z"},
)
def mover_tango(pair: PairedConfusion) -> PossiblyUndefined:
    """Interval and test for the difference of balanced accuracy from Tango's limits for every class (MOVER).

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, with the metric "balanced-accuracy" or "informedness".

    Notes
    -----
    With dᵢ the difference on class i, wᵢ its weight and lᵢ, uᵢ Tango's limits, the limits are
    Σwᵢdᵢ − √Σwᵢ²(dᵢ − lᵢ)² and Σwᵢdᵢ + √Σwᵢ²(uᵢ − dᵢ)²: square and add (Zou and Donner 2008; Newcombe 1998). Classes
    without examples are omitted. With two labels and 10 to 1,000 examples coverage is at least 93.7% at nominal 95%.

    The statistic of the test is the normal quantile at which a limit reaches the null value, positive where the
    difference is above it.

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]]).by("balanced-accuracy")
    >>> limits = mover_tango(pair).interval()
    >>> pair.difference.round(4), round(limits.low, 4), round(limits.high, 4)
    (np.float64(-0.0027), np.float64(-0.0411), np.float64(0.0356))
    >>> mover_tango(pair).test().pvalue.round(3)
    np.float64(0.889)
    """
    classes = _class_tables(pair)

    def invert(z: float) -> Limits:
        quantile = np.full(classes.examples.shape, abs(z))
        ways = (1, -1) if z < 0 else (-1, 1)  # a bound below level ½ lies on the other side of the estimate
        limits = (classes.difference + way * classes.reach(quantile, up=way > 0) for way in ways)
        low, high = (np.clip(limit, *pair.metric.difference_bounds) for limit in limits)
        return low, high

    return PossiblyUndefined(pair, Score(lambda null: _quantile_at(classes, as_margin(null, pair)), invert))


def _quantile_at(classes: _Classes, null: FloatArray) -> FloatArray:
    """Return the normal quantile at which a limit reaches the null value."""
    distance = np.asarray(classes.difference - null)
    up, target = distance < 0, np.abs(distance)
    last: list[FloatArray] = [np.zeros(distance.shape), -target]  # at z = 0 the limits are the difference itself

    def step(z: FloatArray) -> tuple[FloatArray, FloatArray]:
        reach = classes.reach(np.broadcast_to(z[..., None], classes.examples.shape), up=up)
        residual = reach - target
        slope = (residual - last[1]) / (z - last[0])  # the secant
        last[:] = z, residual
        there = (np.abs(residual) <= _NEAR * target) | (target == 0)
        return np.where(there, 0.0, residual), z - residual / slope

    z = np.where(target == 0, 0.0, solve(step, np.ones(distance.shape), 0.0, _FAR))
    return np.copysign(z, distance)[()]


class _Classes(NamedTuple):
    """The table of every class, along the last dimension: discordant errors of A and of B, and examples."""

    only_a: FloatArray
    only_b: FloatArray
    examples: FloatArray  # 1 for classes without examples, which have weight 0
    weight: FloatArray

    @property
    def difference(self) -> FloatArray:
        total: FloatArray = (self.weight * (self.only_a - self.only_b) / self.examples).sum(axis=-1)
        return total

    def reach(self, z: FloatArray, *, up: Any) -> FloatArray:
        """Return the distance of the limit at z above the difference if `up`, else below it."""
        turned = ~np.broadcast_to(np.asarray(up)[..., None], z.shape)
        b, c = np.where(turned, self.only_b, self.only_a), np.where(turned, self.only_a, self.only_b)
        ends = score_upper(b.ravel(), c.ravel(), self.examples.ravel(), z.ravel()).reshape(z.shape)
        distance = self.weight * (ends - (b - c) / self.examples)
        return np.sqrt(np.square(distance).sum(axis=-1))  # type: ignore[no-any-return]


def _class_tables(pair: PairedConfusion) -> _Classes:
    rule = pair.metric.bound_rule
    if not isinstance(rule, Average):
        raise InvalidOption(
            f"`metric` must be a mean over classes, got {pair.metric.name!r}. Use metric='balanced-accuracy'."
        )
    counts = pair.counts.astype(float)
    right_a, right_b, both = (np.einsum(f"...{which}->...i", counts) for which in ("iij", "iji", "iii"))
    examples = counts.sum(axis=(-2, -1))
    weight = rule.times * rule.weights(counts.sum(axis=-1))
    return _Classes(right_b - both, right_a - both, np.maximum(examples, 1.0), weight)
