"""The difference of two models in the direction of the leader, in the reported metric.

Fields have loss(A) − loss(B); only this module changes the sign, as in "accuracy 98.3% vs 96.3%: 2.0 pp higher (95% CI
1.0 to 3.3)".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..figures import Scale, level_text, scale_of, short_names

if TYPE_CHECKING:
    from ..metrics import Metric
    from .comparison import Comparison
    from .interval import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Oriented:
    """Two models, the position of the first one in the text, and the size of its advantage.

    `size`, `low` and `high` have the direction of `word`; `turned` is whether they are −1 times those of the fields.
    """

    first: str
    other: str
    position: int  # that of the first: 0 for A, 1 for B
    value: float
    other_value: float
    size: float
    low: float
    high: float
    word: str  # "higher", "lower"
    turned: bool
    scale: Scale  # of values
    gap: Scale  # of differences

    @property
    def values_text(self) -> str:
        """Both values: "98.3% vs 96.3%"."""
        return f"{self.scale.value(self.value)} vs {self.scale.value(self.other_value)}"

    @property
    def size_text(self) -> str:
        """The difference with its direction: "2.0 pp higher"; "no difference" if it is exactly 0."""
        return f"{self.gap.value(self.size)} {self.word}" if self.size else "no difference"

    def limits_text(self, interval: Interval) -> str:
        """Return the interval in parentheses: "(95% CI 1.0 to 3.3)", "(95% lower bound 0.5)"."""
        level = level_text(interval.alpha)
        if math.isnan(self.low) or math.isnan(self.high):
            return f"({level} CI undefined)"
        if interval.side != "two":
            bounded_below = (interval.side == "lower") != self.turned
            limit, name = (self.low, "lower") if bounded_below else (self.high, "upper")
            return f"({level} {name} bound {self.gap.number(limit)})"
        return f"({level} CI {bounded_text(self.gap.number, self.low, self.high)})"


def bounded_text(write: Callable[[float], str], low: float, high: float) -> str:
    """Return "1.0 to 3.3"; for an infinite limit "above 1.0", "below 3.3" or "unbounded".

    Examples
    --------
    >>> bounded_text("{:g}".format, 1.0, math.inf), bounded_text("{:g}".format, -math.inf, math.inf)
    ('above 1', 'unbounded')
    """
    if math.isinf(low) and math.isinf(high):
        return "unbounded"
    if math.isinf(high):
        return f"above {write(low)}"
    return f"below {write(high)}" if math.isinf(low) else f"{write(low)} to {write(high)}"


def orient(answer: Comparison, first: int | None = None) -> Oriented:
    """Return a comparison of two models in the direction of the leader, or of the model at the position `first`.

    Examples
    --------
    >>> from tellapart import PairedTable, compare
    >>> lead = orient(compare(PairedTable(11, 22, 4, 862, models=("old", "new"))))
    >>> lead.first, lead.values_text, lead.size_text
    ('new', '1.7% vs 3.7%', '2.0 pp lower')
    """
    evidence, interval, metric = answer.evidence, answer.interval, answer.evidence.metric
    names = list(short_names(evidence.models).values())
    levels = evidence.levels if answer.test.estimate is None else evidence.estimated_levels
    values = [float(metric.report_value(level)) for level in levels.tolist()]
    difference = float(answer.difference)
    position = leading_position(answer) if first is None else first
    ahead = difference if position == 1 else -difference  # the advantage of the first in the loss
    better, worse = ("higher", "lower") if metric.report_higher_is_better else ("lower", "higher")
    word = worse if ahead < 0 or (not ahead and values[position] < values[1 - position]) else better
    sign = (1 if position == 1 else -1) * (1 if word == better else -1)
    low, high = (float(limit) for limit in (interval.low, interval.high))
    if interval.parameter != "difference":
        low = high = math.nan
    ends = (low, high) if sign == 1 else (-high, -low)
    half = interval.spread(difference) / 2 if interval.parameter == "difference" else abs(difference) / 2
    borders = {"non-inferior": (-1,), "superior": (1,), "equivalent": (-1, 1)}.get(answer.hypothesis.kind, ())
    barriers = [0.0, *(sign * border * answer.margin for border in borders)]
    kind = evidence.difference_kind
    gap = scale_of(kind, half, ends=[end for end in ends if math.isfinite(end)], apart_from=barriers)
    return Oriented(
        first=names[position],
        other=names[1 - position],
        position=position,
        value=values[position],
        other_value=values[1 - position],
        size=sign * difference,
        low=ends[0],
        high=ends[1],
        word=word,
        turned=sign == -1,
        scale=Scale(evidence.value_kind, gap.decimals),
        gap=gap,
    )


def direction_text(metric: Metric) -> str:
    """Return the direction of a positive advantage: "higher" or "lower"; "ahead" if neither is better.

    Examples
    --------
    >>> from tellapart.metrics import get_metric
    >>> direction_text(get_metric("f1")), direction_text(get_metric("log-loss"))
    ('higher', 'lower')
    """
    if not metric.is_comparable:
        return "ahead"
    return "higher" if metric.report_higher_is_better else "lower"


def leading_position(answer: Comparison, *, ahead: bool = False) -> int:
    """Return the position of the model that is named first.

    It is the winner; else B with a margin of non-inferiority or superiority, or the model that a one-sided test is
    about; else the leader. With `ahead` it is always the leader.
    """
    if ahead:
        return int(float(answer.difference) > 0)
    if answer.better is not None:
        return int(answer.better == "B")
    if answer.hypothesis.kind in {"non-inferior", "superior"}:
        return 1
    if answer.alternative != "two-sided":
        return int(answer.alternative == "greater")
    return int(float(answer.difference) > 0)
