"""Two-way bootstrap of training sets and test examples."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from ...evidence import TrainingSets
from ...numerics.blocks import blocks
from ...numerics.distributions import pvalue_of_tails, ratio
from ...numerics.orientation import mirrored_limits, orientation
from ...numerics.rounding import ROUNDING, unit, without_rounding
from ...results import TestResult
from ...typing_ import Alternative, FloatArray, IntArray, as_generator, as_resamples
from ..loss_scale import scale
from ..pivots import Limits, Pivot
from ..registry import EVERY_SOURCE, Standing, procedure
from ..simulation import of_tails, refuse_few_resamples
from .assumptions import ENOUGH_SEEDS_DRAWN, SETS_AND_EXAMPLES_VARY
from .variation import BOTH, spread_of_draws

_BLOCK = 4_000_000  # numbers of resampled losses in memory at once


@dataclass(eq=False)
class TwoWayDraws(Pivot):
    """Means of the losses over resamples of training sets (or seeds) and test examples."""

    sets: TrainingSets
    resamples: int
    rng: Any

    def __post_init__(self) -> None:
        as_resamples(self.resamples)
        self.own_parameter, self.ends = self.sets.parameter, self.sets.range

    def limits(self, tail: float) -> Limits:
        """Return the percentiles of the resamples; the whole range if nothing varies."""
        refuse_few_resamples(self.resamples, tail)
        drawn, turn = _draw_means(self.sets, self.resamples, self.rng)
        low, high = np.quantile(drawn, [tail, 1 - tail], axis=-1)
        limits = mirrored_limits(low, high, turn)
        flat, (least, most) = spread_of_draws(self.sets) == 0, self.sets.range
        low, high = (
            np.where(flat, end, np.clip(limit, least, most))[()]
            for end, limit in zip((least, most), limits, strict=True)
        )
        return low, high

    def test(self, null: Any = 0.0, alternative: Alternative = "two-sided") -> TestResult:
        """Return the result from the share of resamples on the other side of the null value."""
        sets, resamples = self.sets, self.resamples
        drawn, turn = _draw_means(sets, resamples, self.rng, null)
        drawn -= (np.where(turn < 0, -1, 1) * null)[..., None]
        size = scale(sets)
        slack = ROUNDING * size[..., None]
        behind, ahead = ((side.sum(axis=-1) + 1) / (resamples + 1) for side in (drawn <= slack, drawn >= -slack))
        even = (behind + ahead) / 2  # learners with equal losses
        below, above = (
            np.where(turn == 0, even, np.where(turn < 0, swapped, value))
            for value, swapped in ((behind, ahead), (ahead, behind))
        )
        pvalue = pvalue_of_tails(above, below, alternative)
        mean = without_rounding(sets.values.mean(axis=BOTH) - null, size)
        scale_size = unit(size)
        deviation = without_rounding((drawn / scale_size[..., None]).std(axis=-1) * scale_size, size)
        flat = (spread_of_draws(sets) == 0) | (deviation == 0)  # or a single resample
        z = np.where(flat, ratio(mean, 0.0, empty=0.0), ratio(mean, deviation, empty=0.0))
        return TestResult(
            statistic=z[()],
            pvalue=np.where(flat, 1.0, pvalue)[()],
            simulated=of_tails(pvalue, resamples, alternative),
        )


@procedure(
    name="two-way-bootstrap",
    title="two-way bootstrap",
    sources_covered=EVERY_SOURCE,
    question=7,
    evidence=TrainingSets,
    parameter="difference",
    assumes=(ENOUGH_SEEDS_DRAWN, SETS_AND_EXAMPLES_VARY),
    standing=Standing.SOUND,
    rationale="resamples seeds and test examples together, for any distribution; too narrow with few seeds",
    validity="10 or more seeds of each learner",
    where={"sets": (10, inf)},
    statistic="z",
    reference="owen2007",
)
def two_way_bootstrap(sets: TrainingSets, *, resamples: int = 10_000, rng: Any = 0) -> TwoWayDraws:
    """Percentile interval and test for the mean over resamples of seeds and test examples.

    Seeds of A and B are resampled independently; training sets, which both learners share, are resampled together, and
    so are the examples. The p-value is the alpha at which the percentile interval reaches the null value; the statistic
    is the difference over the standard deviation of the resamples.

    Parameters
    ----------
    sets
        The losses of one learner or two, by seed (or training set) and test example.
    resamples
        Number of resamples.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> loss = np.random.default_rng(1).random((2, 10, 50)) < [[[0.3]], [[0.1]]]
    >>> draws = two_way_bootstrap(TrainingSets(loss, varies="seed"))
    >>> draws.interval().low.round(2), draws.interval().high.round(2), draws.test(0.15).pvalue.round(2)
    (np.float64(0.15), np.float64(0.31), np.float64(0.05))
    """
    return TwoWayDraws(sets, resamples, rng)


def _draw_means(sets: TrainingSets, resamples: int, rng: Any, against: float = 0.0) -> tuple[FloatArray, IntArray]:
    """Return the means of the resamples, along the last dimension, and −1 if they are those of B and A swapped.

    All entries share the resamples, and they do not depend on which learner leads.
    """
    turn, loss = _orient_losses(sets, against)
    sources = as_generator(rng).spawn(3)  # one per factor, so that the block size does not change the draws
    entries = max(int(np.prod(sets.shape)), 1)
    together = sets.varies == "training set" or len(sets.learners) == 1
    first = loss[..., 0, :, :]
    second = -loss[..., 1, :, :] if len(sets.learners) == 2 else np.zeros(())
    losses = [first + second] if together else [first, second]
    means = np.empty((*sets.shape, resamples))
    for here in blocks(resamples, _BLOCK // (entries * sets.examples)):
        count = here.stop - here.start
        by_example = sum(
            _draw_shares(source, count, sets.sets) @ loss for source, loss in zip(sources, losses, strict=False)
        )
        weights = _draw_shares(sources[2], count, sets.examples)
        means[..., here] = np.einsum("...rj,rj->...r", by_example, weights)
    return means, turn


def _orient_losses(sets: TrainingSets, against: float) -> tuple[IntArray, FloatArray]:
    """Return the losses by learner, the leader first, and −1 if that swaps A and B; a single learner is unchanged."""
    if len(sets.learners) == 1:
        return np.ones(sets.shape, dtype=np.int64), sets.loss
    loss = np.ascontiguousarray(sets.loss)
    differences = loss[..., 1, :, :] - loss[..., 0, :, :]
    turn = orientation(differences.mean(axis=BOTH), differences, np.full(sets.shape, against))
    return turn, np.where(np.asarray(turn < 0)[..., None, None, None], loss[..., ::-1, :, :], loss)


def _draw_shares(rng: np.random.Generator, count: int, size: int) -> FloatArray:
    """Return, row by row, the share of each of `size` items in a resample with replacement."""
    drawn = rng.integers(size, size=(count, size)) + size * np.arange(count)[:, None]
    return np.bincount(drawn.ravel(), minlength=count * size).reshape(count, size) / size
