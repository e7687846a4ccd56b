"""Simultaneous comparison of all pairs of models by their mean scores."""

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
from ..largest_statistic import DIRECTED, SIDES, StepDown, claims_allowed
from ..limits import as_interval
from ..registry import Standing, simultaneous
from ..simulation import resamples_for
from .assumptions import EVERY_PAIR_DIFFERS
from .clusters import ExampleClusters, clusters_of, corrections
from .flips import draw_sign_bits
from .moments import rare_others, score_size


@simultaneous(
    name="max-t",
    title="max-T, all pairs",
    allows_for_number=True,
    evidence=Outcomes,
    assumes=(EVERY_PAIR_DIFFERS,),
    standing=Standing.SOUND,
    rationale="familywise error rate near alpha, using the correlation of pairs on shared examples",
    validity="20 or more examples (or clusters)",
    where={"clusters": (20, np.inf)},
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
    """Compare all pairs of models with a familywise error rate of alpha.

    The differences of each example (or cluster) are centred, and their signs are flipped at random, for all pairs
    together. Each time every pair's mean is divided by its standard error, and the maximum over all pairs is the
    reference distribution. The p-values are step-down (Westfall and Young 1993; Romano and Wolf 2005), never 0 and
    never below that of Student's t for the pair alone; the limits are simultaneous, at the level 1 − alpha, and at
    least as wide as Student's.

    Two models without any difference, or with a constant one, have no standard error: p and limits allow for a kind of
    example too rare to be observed, as those of `mean-t` do.

    Parameters
    ----------
    outcomes
        The scores of several models; one entry.
    alpha
        Familywise error rate, and the probability that any of the intervals misses its true value.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B) in each pair as named) or "less".
    resamples
        Number of sign patterns, more than 1/alpha. Default: 10,000, fewer for many examples.
    rng
        A seed, or a generator.

    Examples
    --------
    >>> scores = np.random.default_rng(0).beta(5, 2, size=(3, 60)) - np.array([[0.0], [0.02], [0.1]])
    >>> outcomes = Outcomes.from_scores(dict(zip("abc", scores)), metric="rouge")
    >>> result = max_t(outcomes)
    >>> outcomes.pair_names(), result.pvalue.round(2)
    ((('a', 'b'), ('a', 'c'), ('b', 'c')), array([0.45, 0.  , 0.  ]))
    """
    side = SIDES[one_of("alternative", alternative, Alternative)]
    pairs = model_pairs(outcomes)
    drawn = resamples_for(resamples, pairs.parts.size)
    allowed = claims_allowed(as_alpha(alpha=alpha), drawn)
    count, moving = pairs.lead.size, pairs.error > 0
    t = ratio(pairs.lead, pairs.error, empty=0.0)  # infinite for a constant difference
    bound, pvalue = float(student_critical(pairs.freedom, tail(alpha, side))), np.empty(count)
    if moving.any():
        steps = _turn_signs(pairs, t, moving, DIRECTED[alternative], drawn, rng)
        bound = max(steps.bound(allowed), bound)
        pvalue[moving] = steps.pvalues(student_pvalue(t[moving], pairs.freedom, alternative))
    two = outcomes.select(*outcomes.models[:2])
    unvaried = rare_others(two, pairs.lead, pairs.clusters.effective)
    pvalue[~moving] = np.minimum(count * unvaried.pvalue(0.0, alternative), 1.0)[~moving]
    with np.errstate(over="ignore"):  # with two examples some sign patterns have no variance
        reach = bound * pairs.error
    low, high = (
        np.where(moving, np.clip(pairs.lead + way * reach, *two.range), end)
        for way, end in zip((-1, 1), unvaried.limits(tail(alpha, side) / count), strict=True)
    )
    interval = as_interval("max-t", (low, high), alpha, side, "difference", two.range)
    simulated = Simulated.of(pvalue, draws=drawn, floor=np.where(moving, 1 / (drawn + 1), 0.0))
    return Pairs(statistic=t, pvalue=pvalue, critical=bound, interval=interval, simulated=simulated)


class ModelPairs(NamedTuple):
    """Each example's (or cluster's) contribution to the mean losses, and the differences of all pairs of models."""

    parts: FloatArray  # by model and unit: its contribution to the model's mean, over `unit`
    clusters: ExampleClusters  # the units, with their shares in the mean
    scale: FloatArray  # factor of a unit's square in the variance
    first: IntArray  # indices, in `parts`, of the models of each pair
    second: IntArray
    lead: FloatArray  # loss(first) − loss(second)
    error: FloatArray  # its standard error, 0 if nothing varies
    freedom: float
    unit: float


def model_pairs(outcomes: Outcomes) -> ModelPairs:
    """Return the mean differences of all pairs of models, and their components.

    Examples
    --------
    >>> pairs = model_pairs(Outcomes.from_scores({"a": [0.2, 0.4], "b": [0.4, 0.4], "c": [0.5, 0.7]}, metric="rouge"))
    >>> pairs.lead.round(3), pairs.error.round(3)
    (array([0.1, 0.3, 0.2]), array([0.1, 0. , 0.1]))
    """
    if outcomes.shape or len(outcomes.models) < 2:
        raise InvalidEvidence(
            f"method 'max-t' needs two or more models in one entry, got {len(outcomes.models)} in shape"
            f" {outcomes.shape}. Compare the entries one by one."
        )
    clusters, size = clusters_of(outcomes), float(score_size(outcomes))
    scale_size = float(unit(size))
    # In a canonical order: the last digits of sums and matrix products depend on the order of the models.
    order = sorted(range(len(outcomes.models)), key=lambda model: outcomes.losses[model].tobytes())
    losses = outcomes.losses[order] / scale_size
    means = (losses * outcomes.shares).sum(axis=-1)
    parts = clusters.totals((losses - means[:, None]) * outcomes.shares)
    scale, freedom = corrections(clusters)
    first, second = (np.argsort(order)[indices] for indices in np.triu_indices(len(outcomes.models), 1))
    squares = np.array([scale @ (parts[a] - parts[b]) ** 2 for a, b in zip(first, second, strict=True)])
    return ModelPairs(
        parts=parts,
        clusters=clusters,
        scale=scale,
        first=first,
        second=second,
        lead=without_rounding((means[first] - means[second]) * scale_size, size),
        error=without_rounding(np.sqrt(squares) * scale_size, size / np.sqrt(outcomes.examples)),
        freedom=max(freedom, 1.0),
        unit=scale_size,
    )


def _turn_signs(pairs: ModelPairs, t: FloatArray, moving: BoolArray, directed: Any, drawn: int, rng: Any) -> StepDown:
    """Return how often the sign-flipped pairs reach each pair that varies."""
    first, second = pairs.first[moving], pairs.second[moving]
    squares = (pairs.error[moving] / pairs.unit) ** 2
    steps = StepDown(directed(t[moving]))
    leaning = (pairs.parts * pairs.scale * pairs.clusters.shares).T
    share = pairs.scale @ pairs.clusters.shares**2
    for bits in draw_sign_bits(pairs.parts.shape[-1], drawn, rng):
        signs = 1 - 2 * bits
        sums, leant = signs @ pairs.parts.T, signs @ leaning
        lead, lean = sums[:, first] - sums[:, second], leant[:, first] - leant[:, second]
        # Sign-flipped parts have another mean, and the variance is around it.
        spread = np.sqrt(np.maximum(squares + lead * (share * lead - 2 * lean), 1e-24 * squares))
        steps.add(directed(lead / spread))
    return steps
