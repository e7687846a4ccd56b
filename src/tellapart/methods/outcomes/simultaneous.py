"""Every two of several models at once, by their mean scores."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import Outcomes
from ...numerics.distributions import ratio, tail
from ...numerics.rounding import unit, without_rounding
from ...numerics.student_t import student_critical, student_pvalue
from ...results import Pairs, Simulated
from ...typing_ import Alternative, BoolArray, FloatArray, IntArray, as_alpha, one_of
from ..largest_statistic import DIRECTED, SIDES, claims_allowed
from ..limits import as_interval
from ..registry import ONE_TEST_SET, Standing, method
from .assumptions import EVERY_PAIR_DIFFERS
from .clusters import clusters_of
from .common import score_size, unvaried_limits, unvaried_pvalue
from .flips import drawn_bits
from .resampling import resamples_for
from .sandwich import corrections


@method(
    name="max-t",
    gives="pairs",
    allows_for_number=True,
    covers=ONE_TEST_SET,
    question=3,
    evidence=Outcomes,
    assumes=(EVERY_PAIR_DIFFERS,),
    standing=Standing.SOUND,
    because="keeps the chance of any false claim near alpha and uses that all pairs share their examples",
    holds="20 or more examples (or clusters)",
    where={"clusters": (20, np.inf)},
    parameter="difference",
    statistic="t",
    reference="westfall1993",
)
def max_t(
    outcomes: Outcomes,
    *,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    resamples: int | None = None,
    rng: int | np.random.Generator = 0,
) -> Pairs:
    """Compare every two models at once, with one alpha for all of them.

    The differences of each example (of each cluster, where there are) are taken around their means, and their signs are
    turned at random, for all pairs together. Each time every pair's mean is divided by its standard error, and the
    largest of all pairs is kept: what a pair shows has to stand out against that. The p-values are step-down (Westfall
    and Young 1993; Romano and Wolf 2005), never 0 and never below that of Student's t for this pair alone; the limits
    hold all at once, at the level 1 − alpha, and reach at least as far as Student's.

    Two models that differ nowhere, or everywhere by the same, have no standard error: p and limits allow for a
    kind of example too rare to be met, as those of `mean-t` do.

    Parameters
    ----------
    outcomes
        The scores of several models; one entry.
    alpha
        The chance of any false claim among all pairs, and that any limit misses.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B) in each pair as named) or "less".
    resamples
        How many times signs are drawn, more than 1/alpha; 10,000 if left out, fewer for many examples.
    rng
        A seed, or a generator.

    Examples
    --------
    >>> scores = np.random.default_rng(0).beta(5, 2, size=(3, 60)) - np.array([[0.0], [0.02], [0.1]])
    >>> held = Outcomes.from_scores(dict(zip("abc", scores)), metric="rouge")
    >>> found = max_t(held)
    >>> held.pair_names(), found.pvalue.round(2)
    ((('a', 'b'), ('a', 'c'), ('b', 'c')), array([0.45, 0.  , 0.  ]))
    """
    side = SIDES[one_of("alternative", alternative, Alternative)]
    held = model_pairs(outcomes)
    drawn = resamples_for(resamples, held.parts.size)
    allowed = claims_allowed(as_alpha(alpha=alpha), drawn)
    count, moving = held.lead.size, held.error > 0
    t = ratio(held.lead, held.error, empty=0.0)  # endless for two that differ by the same everywhere
    bound, pvalue = _student(held.freedom, tail(alpha, side)), np.empty(count)
    if moving.any():
        reached, largest = _turned(held, t, moving, DIRECTED[alternative], drawn, rng)
        # What exceeds this is reached by fewer draws than would lift its p-value to alpha.
        bound = max(float(np.sort(largest)[-allowed]), bound)
        alone = student_pvalue(t[moving], held.freedom, alternative)
        pvalue[moving] = _stepped(DIRECTED[alternative](t[moving]), np.maximum((reached + 1) / (drawn + 1), alone))
    two = outcomes.select(*outcomes.models[:2])
    still = unvaried_pvalue(two, held.lead, held.units, 0.0, alternative)
    pvalue[~moving] = np.minimum(count * still, 1.0)[~moving]
    ends = unvaried_limits(two, held.lead, held.units, tail(alpha, side) / count)
    with np.errstate(over="ignore"):  # two examples: turned, they may show no spread, and the bound is far out
        reach = bound * held.error
    limits = [
        np.where(moving, np.clip(held.lead + way * reach, *two.range), end)
        for way, end in zip((-1, 1), ends, strict=True)
    ]
    interval = as_interval("max-t", (limits[0], limits[1]), alpha, side, "difference", two.range)
    simulated = Simulated.of(pvalue, draws=drawn, floor=np.where(moving, 1 / (drawn + 1), 0.0))
    return Pairs(statistic=t, pvalue=pvalue, critical=bound, interval=interval, simulated=simulated)


class ModelPairs(NamedTuple):
    """What each example (or cluster) adds to the models' mean losses, and every two of them compared."""

    parts: FloatArray  # by model and unit: how far the unit moves the model's mean, over `unit`
    shares: FloatArray  # of each unit, in the mean
    scale: FloatArray  # what multiplies a unit's square in the variance
    first: IntArray  # the places, in `parts`, of the models of each pair
    second: IntArray
    lead: FloatArray  # loss(first) − loss(second)
    error: FloatArray  # its standard error, 0 where nothing varies
    freedom: float
    units: float  # how many that count alike would say as much
    unit: float


def model_pairs(outcomes: Outcomes) -> ModelPairs:
    """Return the mean differences of every two models, and what they are made of.

    Examples
    --------
    >>> held = model_pairs(Outcomes.from_scores({"a": [0.2, 0.4], "b": [0.4, 0.4], "c": [0.5, 0.7]}, metric="rouge"))
    >>> held.lead.round(3), held.error.round(3)
    (array([0.1, 0.3, 0.2]), array([0.1, 0. , 0.1]))
    """
    if outcomes.shape or len(outcomes.models) < 2:
        raise InvalidEvidence(
            f"max-t compares two models or more in one entry, but there are {len(outcomes.models)} and the shape is"
            f" {outcomes.shape}. Go through entries one by one."
        )
    clusters, size = clusters_of(outcomes), float(score_size(outcomes))
    one = float(unit(size))
    # In an order of their own: sums and products of matrices depend in their last digits on the place of a model.
    order = sorted(range(len(outcomes.models)), key=lambda model: outcomes.losses[model].tobytes())
    losses = outcomes.losses[order] / one
    means = (losses * outcomes.shares).sum(axis=-1)
    parts = clusters.totals((losses - means[:, None]) * outcomes.shares)
    scale, freedom = corrections(clusters)
    first, second = (np.argsort(order)[places] for places in np.triu_indices(len(outcomes.models), 1))
    squares = np.array([scale @ (parts[a] - parts[b]) ** 2 for a, b in zip(first, second, strict=True)])
    return ModelPairs(
        parts=parts,
        shares=clusters.shares,
        scale=scale,
        first=first,
        second=second,
        lead=without_rounding((means[first] - means[second]) * one, size),
        error=without_rounding(np.sqrt(squares) * one, size / np.sqrt(outcomes.examples)),
        freedom=max(freedom, 1.0),
        units=clusters.effective,
        unit=one,
    )


def _turned(
    held: ModelPairs, t: FloatArray, moving: BoolArray, directed: Any, drawn: int, rng: Any
) -> tuple[IntArray, FloatArray]:
    """Return how often the turned pairs reach each pair that moves, with those behind it, and the largest each time."""
    first, second = held.first[moving], held.second[moving]
    squares = (held.error[moving] / held.unit) ** 2
    observed = directed(t[moving])
    order = np.argsort(-observed, kind="stable")
    bar = observed[order] - 1e-9 * np.abs(observed[order])  # equal sums may differ in the last digit
    leaning = (held.parts * held.scale * held.shares).T
    share = held.scale @ held.shares**2
    reached, largest = np.zeros(order.size, dtype=np.int64), []
    for bits in drawn_bits(held.parts.shape[-1], drawn, rng):
        signs = 1 - 2 * bits
        sums, leant = signs @ held.parts.T, signs @ leaning
        lead, lean = sums[:, first] - sums[:, second], leant[:, first] - leant[:, second]
        # Turned parts have a mean of their own, which the spread is around.
        spread = np.sqrt(np.maximum(squares + lead * (share * lead - 2 * lean), 1e-24 * squares))
        ts = directed(lead / spread)[:, order]
        # The largest of each pair and all behind it: the families of the steps down.
        ts = np.maximum.accumulate(ts[:, ::-1], axis=1)[:, ::-1]
        reached += (ts >= bar).sum(axis=0)
        largest.append(ts[:, 0])
    back = np.empty_like(reached)
    back[order] = reached
    return back, np.concatenate(largest)


def _stepped(observed: FloatArray, pvalue: FloatArray) -> FloatArray:
    """Return p-values none of which is below that of a pair which stands out more."""
    order = np.argsort(-observed, kind="stable")
    stepped = np.empty_like(pvalue)
    stepped[order] = np.maximum.accumulate(pvalue[order])
    return stepped


def _student(freedom: float, spent: float) -> float:
    return float(student_critical(freedom, spent))
