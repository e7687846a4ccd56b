"""Balanced accuracy and informedness of two classifiers: Tango's limits of every class, put together."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...evidence import PairedConfusion
from ...metric_rules import Average
from ...numerics.distributions import critical, normal_pvalue
from ...numerics.roots import solve
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Side
from ..confusion_matrix.assumptions import DEFINED
from ..confusion_matrix.common import whole_where_undefined
from ..limits import as_interval
from ..paired_table.score import score_upper
from ..registry import Standing, interval, test
from .assumptions import DISAGREEMENTS_THAT_MATTER
from .common import as_margin, known_where_defined

_FAR = 40.0  # standard deviations beyond which floats have no p-value
_NEAR = 1e-11  # of the distance: closer than Tango's own limits are
_MOVER: dict[str, Any] = {
    "name": "mover-tango",
    "evidence": PairedConfusion,
    "metrics": ("balanced-accuracy", "informedness"),
    "parameter": "difference",
    "assumes": (DEFINED, DISAGREEMENTS_THAT_MATTER),
    "standing": Standing.RECOMMENDED,
    "because": "classes are independent samples, each with the score limits that fit it, and these add up in squares",
    "reference": "zou2008",
}


@interval(**_MOVER)
def mover_tango(pair: PairedConfusion, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give limits of the difference of balanced accuracy from Tango's limits for the recall of every class.

    With dᵢ the difference on class i, wᵢ its weight and lᵢ, uᵢ Tango's limits, the limits are
    Σwᵢdᵢ − √Σwᵢ²(dᵢ − lᵢ)² and Σwᵢdᵢ + √Σwᵢ²(uᵢ − dᵢ)²: square and add (Zou and Donner 2008; Newcombe 1998). Classes
    without examples do not count. With two labels and 10 to 1000 examples they cover 0.937 of 0.95 or more.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, asked for "balanced-accuracy" or "informedness".
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]]).by("balanced-accuracy")
    >>> limits = mover_tango(pair)
    >>> pair.difference.round(4), round(limits.low, 4), round(limits.high, 4)
    (np.float64(-0.0027), np.float64(-0.0411), np.float64(0.0356))
    """
    classes, z = _classes(pair), critical(alpha, side)
    quantile = np.full(classes.examples.shape, abs(z))
    way = -1.0 if z < 0 else 1.0  # a bound below level ½ lies on the other side of the estimate
    below, above = (classes.reach(quantile, up=up) for up in ((False, True) if z >= 0 else (True, False)))
    low, high = (
        np.clip(classes.difference + step, *pair.metric.difference_bounds) for step in (-way * below, way * above)
    )
    limits = whole_where_undefined((low, high), pair.difference, pair.metric.difference_bounds)
    return as_interval("mover-tango", limits, alpha, side, "difference", pair.metric.difference_bounds)


@test(statistic="z", **_MOVER)
def mover_tango_test(
    pair: PairedConfusion, *, against: ArrayLike = 0.0, alternative: Alternative = "two-sided"
) -> TestResult:
    """Test the difference of balanced accuracy by the level at which the limits of this name reach it.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, asked for "balanced-accuracy" or "informedness".
    against
        The difference loss(A) − loss(B) under the null hypothesis: 0, or a margin.
    alternative
        "two-sided", "greater" (the difference is larger: B is better than that) or "less".

    Returns
    -------
    TestResult
        The statistic is the normal quantile of that level, positive where the difference is above `against`.

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]]).by("balanced-accuracy")
    >>> mover_tango_test(pair).pvalue.round(3)
    np.float64(0.889)
    """
    classes = _classes(pair)
    apart = np.asarray(classes.difference - as_margin(against, pair))
    up, target = apart < 0, np.abs(apart)

    last: list[FloatArray] = [np.zeros(apart.shape), -target]  # at z = 0 the limits are the difference itself

    def step(z: FloatArray) -> tuple[FloatArray, FloatArray]:
        reach = classes.reach(np.broadcast_to(z[..., None], classes.examples.shape), up=up)
        residual = reach - target
        slope = (residual - last[1]) / (z - last[0])  # the secant: once it starts from 0, it is all but right
        last[:] = z, residual
        there = (np.abs(residual) <= _NEAR * target) | (target == 0)
        return np.where(there, 0.0, residual), z - residual / slope

    z = np.where(target == 0, 0.0, solve(step, np.ones(apart.shape), 0.0, _FAR))
    z = np.copysign(z, apart)[()]
    return known_where_defined(pair, z, normal_pvalue(z, alternative))


class _Classes(NamedTuple):
    """The table of every class, along the last dimension: lone errors of A and of B, and examples."""

    only_a: FloatArray
    only_b: FloatArray
    examples: FloatArray  # 1 where there are none; their weight is 0
    weight: FloatArray

    @property
    def difference(self) -> FloatArray:
        found: FloatArray = (self.weight * (self.only_a - self.only_b) / self.examples).sum(axis=-1)
        return found

    def reach(self, z: FloatArray, *, up: Any) -> FloatArray:
        """Return how far the limit at z lies above the difference where `up`, and how far below it elsewhere."""
        turned = ~np.broadcast_to(np.asarray(up)[..., None], z.shape)
        b, c = np.where(turned, self.only_b, self.only_a), np.where(turned, self.only_a, self.only_b)
        ends = score_upper(b.ravel(), c.ravel(), self.examples.ravel(), z.ravel()).reshape(z.shape)
        distance = self.weight * (ends - (b - c) / self.examples)
        return np.sqrt(np.square(distance).sum(axis=-1))  # type: ignore[no-any-return]


def _classes(pair: PairedConfusion) -> _Classes:
    rule = pair.metric.bound_rule
    if not isinstance(rule, Average):
        raise InvalidOption(f"{pair.metric.title} is no mean over classes.")
    counts = pair.counts.astype(float)
    right_a, right_b, both = (np.einsum(f"...{which}->...i", counts) for which in ("iij", "iji", "iii"))
    examples = counts.sum(axis=(-2, -1))
    weight = rule.times * rule.weights(counts.sum(axis=-1))
    return _Classes(right_b - both, right_a - both, np.maximum(examples, 1.0), weight)
