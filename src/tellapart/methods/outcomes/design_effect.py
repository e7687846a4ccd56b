"""The design effect of clusters and weights, the intraclass correlation, and an interval of an error rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...display import Display, Row
from ...errors import InvalidEvidence
from ...evidence import Outcomes, expect
from ...figures import count_text
from ...numerics.distributions import ratio, tail
from ...numerics.rounding import ROUNDING
from ...numerics.student_t import student_critical
from ...rendering import Rendered, significant
from ...results import Interval
from ...typing_ import FloatArray, Side
from ..limits import as_interval
from ..registry import Standing, interval
from .assumptions import ENOUGH_CLUSTERS, ERRORS_VARY, NO_DOMINANT_CLUSTER
from .clusters import ExampleClusters, clusters_of, corrections, robust_moments
from .moments import ALONE, deviations_from_mean, rare_others

# Keys of the bibliography that no registered method has.
SOURCES = {"design_effect": ("kish1965",), "rao_scott_wilson": ("wilson1927",)}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DesignEffect(Rendered):
    """The loss of information by clusters and unequal weights.

    `effect` is the design effect: the variance of the mean over that of independent examples of equal weight.
    `likeness` is the intraclass correlation, the correlation of two examples of one cluster. `effective_examples` is
    the effective sample size, `clusters` the number of clusters and `effective_clusters` their effective number.
    """

    effect: FloatArray
    likeness: FloatArray
    effective_examples: FloatArray
    examples: int
    clusters: int
    effective_clusters: float

    def rows(self) -> list[tuple[str, str]]:
        """Return label and text of each figure."""
        return [
            ("design effect", _format_range(self.effect)),
            ("intraclass correlation", _format_range(self.likeness)),
            ("effective sample size", f"{_format_range(self.effective_examples)} of {self.examples:,} examples"),
            ("clusters", self._count_clusters()),
        ]

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # there is no more
        """Return the design effect with the effective sample size, and the intraclass correlation."""
        size = _format_range(self.effective_examples)
        return Display(
            verdict=f"Design effect {_format_range(self.effect)}, effective sample size {size}",
            figures=f"intraclass correlation {_format_range(self.likeness)}",
            blocks=(Row("data", f"{self.examples:,} examples in {self._count_clusters()}"),),
        )

    def _count_clusters(self) -> str:
        count = count_text(self.clusters, "cluster")
        uneven = self.effective_clusters < 0.995 * self.clusters
        return f"{count}, effective number {significant(self.effective_clusters)}" if uneven else count

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, with all digits."""
        return {name: getattr(self, name) for name in self.__slots__}


def _format_range(values: FloatArray) -> str:
    """Return one value, or the least and the largest, with three significant digits."""
    texts = dict.fromkeys(significant(float(end)) for end in (np.min(values), np.max(values)))
    return " to ".join("unknown" if text == "nan" else text for text in texts)


def design_effect(outcomes: Outcomes) -> DesignEffect:
    """Return the design effect of clusters and weights, for the score of one model or the difference of two.

    The design effect is the variance of the mean by `cluster-cr2` over s²/n, where s² is weighted if there are weights:
    it is the variance of all examples that the weighted ones represent. The effective sample size is n over the design
    effect (Kish 1965). The intraclass correlation is that of an analysis of variance, with mean squares weighted by
    cluster size only; it is negative if examples of one cluster differ more than others do. Both are NaN if no values
    differ.

    Examples
    --------
    >>> scores = [1, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 0]
    >>> result = design_effect(Outcomes.from_scores(scores, clusters=[1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]))
    >>> print(result)
    Design effect 2.04, effective sample size 5.89
    intraclass correlation 0.437
    <BLANKLINE>
      data      12 examples in 4 clusters
    """
    expect(Outcomes, outcomes, name="outcomes")
    clusters, n = clusters_of(outcomes), outcomes.examples
    deviations = deviations_from_mean(outcomes)
    # Both in the unit of the scores, whose squares neither overflow nor underflow.
    square = ratio(np.square(deviations.values) @ outcomes.shares, 1 - 1 / outcomes.effective_examples, empty=0.0)
    error = robust_moments(outcomes, "CR2").error / deviations.unit
    effect = ratio(error**2, square / n, empty=np.nan)
    if clusters.effective < ALONE:
        effect = np.full(outcomes.shape, np.nan)[()]  # the variance of one cluster cannot be estimated
    return DesignEffect(
        effect=effect,
        likeness=_intraclass_correlation(clusters, deviations.values),
        effective_examples=np.where(effect == 0, np.nan, ratio(n, effect, empty=np.nan))[()],
        examples=n,
        clusters=clusters.count,
        effective_clusters=clusters.effective,
    )


def _intraclass_correlation(clusters: ExampleClusters, values: FloatArray) -> FloatArray:
    """Return the intra-cluster correlation, (MSB − MSW)/(MSB + (n₀ − 1)·MSW), without weights."""
    count, sizes, n = clusters.count, clusters.sizes, values.shape[-1]
    if count in (1, n):
        return np.full(values.shape[:-1], np.nan)[()]
    values = values - values.mean(axis=-1, keepdims=True)
    sums = clusters.totals(values)
    between = (sums**2 / sizes).sum(axis=-1)
    within = (np.einsum("...i,...i->...", values, values) - between) / (n - count)
    between = between / (count - 1)
    typical = (n - (sizes**2).sum() / n) / (count - 1)
    return ratio(between - within, between + (typical - 1) * within, empty=np.nan)


@interval(
    name="rao-scott-wilson",
    title="Rao-Scott Wilson interval",
    evidence=Outcomes,
    assumes=(ERRORS_VARY, ENOUGH_CLUSTERS, NO_DOMINANT_CLUSTER),  # it also serves weights and repeats without clusters
    standing=Standing.RECOMMENDED,
    rationale=(
        "Wilson's interval for the effective sample size: always within 0 and 1, and of positive width even "
        "without errors"
    ),
    validity="10 or more clusters",
    where={"clusters": (10, np.inf)},
    reference="rao1992",
)
def rao_scott_wilson(outcomes: Outcomes, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Return Wilson's limits of one error rate for the effective sample size of clusters and weights.

    The effective sample size is e(1 − e)/V with the variance V of `cluster-cr2` (n over the design effect of Rao and
    Scott 1992), and at most the number of answers; t with the degrees of freedom of `cluster-cr2` replaces z. Without
    errors, or with errors only, the design effect cannot be estimated: every cluster then counts as one example, the
    worst case.

    Parameters
    ----------
    outcomes
        One model, right or wrong.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".

    Examples
    --------
    >>> scores = [1, 1, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1]
    >>> limits = rao_scott_wilson(Outcomes.from_scores(scores, clusters=[1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]))
    >>> limits.low.round(3), limits.high.round(3)
    (np.float64(0.036), np.float64(0.869))
    """
    if not outcomes.metric.is_rate or outcomes.parameter != "error":
        raise InvalidEvidence(
            f"method 'rao-scott-wilson' needs one model, right or wrong on each example, got {outcomes!r}."
            f" Use {'method' if len(outcomes.models) == 1 else 'interval'}='cluster-robust'."
        )
    clusters = clusters_of(outcomes)
    mean_moments = robust_moments(outcomes, "CR2")
    answers = outcomes.examples if outcomes.repeats is None else int(outcomes.repeats.sum())
    most = answers * outcomes.effective_examples / outcomes.examples
    rate = np.where(1 - mean_moments.mean <= ROUNDING, 1.0, np.maximum(mean_moments.mean, 0.0))
    spread = rate * (1 - rate)
    effective = np.where(
        spread == 0, clusters.effective, np.minimum(ratio(spread, mean_moments.error**2, empty=most), most)
    )
    if clusters.effective < ALONE:
        return as_interval("rao-scott-wilson", (np.zeros(outcomes.shape)[()], np.ones(outcomes.shape)[()]), alpha, side)
    spent = tail(alpha, side)
    t = student_critical(corrections(clusters)[1], spent)
    middle = rate + t**2 / (2 * effective)
    reach = t * np.sqrt(spread / effective + t**2 / (4 * effective**2))
    low, high = ((middle + way * reach) / (1 + t**2 / effective) for way in (-1, 1))
    # Without errors (or successes) t near 0 would give width 0: the limit is at least that of a rare kind of cluster.
    still = rare_others(outcomes, rate, effective).limits(spent)
    low = np.where(rate == 1, np.minimum(low, still[0]), np.where(rate == 0, 0.0, low))
    high = np.where(rate == 0, np.maximum(high, still[1]), np.where(rate == 1, 1.0, high))
    return as_interval("rao-scott-wilson", (np.clip(low, 0.0, 1.0)[()], np.clip(high, 0.0, 1.0)[()]), alpha, side)
