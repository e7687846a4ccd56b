"""Distributions of true differences over data sets, with mean 0 and variance 1, and their location parameters."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Literal

import numpy as np

from ...typing_ import FloatArray, IntArray

Centre = Literal["mean", "median", "pseudomedian"]
CENTRES: tuple[Centre, ...] = ("mean", "median", "pseudomedian")
STEPS = 4  # of those that tie: a binomial number of them, half of it either way, has variance 1
_FREEDOM = 3  # of the heavy-tailed ones: the fewest whose variance is finite
_FAR = 10.0  # how many times as far the outlier spreads
_WALSH = 2000  # values that stand for a distribution where all their pairs are looked at

_Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EffectDistribution:
    """A distribution: its description, random draws, and location parameters relative to the mean."""

    words: str
    draw: Callable[[np.random.Generator, _Shape], FloatArray]  # data sets along the last dimension
    quantile: Callable[[FloatArray], FloatArray] | None = None  # of one that is not symmetric
    skewness: float = 0.0
    offsets: Mapping[str, float] = field(default_factory=lambda: dict.fromkeys(CENTRES, 0.0))


def _draw_normal(rng: np.random.Generator, shape: _Shape) -> FloatArray:
    return rng.standard_normal(shape)


def _draw_heavy_tailed(rng: np.random.Generator, shape: _Shape) -> FloatArray:
    return rng.standard_t(_FREEDOM, shape) * math.sqrt((_FREEDOM - 2) / _FREEDOM)


def _draw_skewed(rng: np.random.Generator, shape: _Shape) -> FloatArray:
    return rng.standard_exponential(shape) - 1.0


def _draw_tied(rng: np.random.Generator, shape: _Shape) -> FloatArray:
    return np.asarray(rng.binomial(STEPS, 0.5, shape) - STEPS / 2, dtype=float)


def _draw_outlier(rng: np.random.Generator, shape: _Shape) -> FloatArray:
    effects = rng.standard_normal(shape)
    effects[..., 0] *= _FAR  # which of them it is does not matter
    return effects


# An exponential less its mean: the median is ln 2 − 1; the mean of two of them is x − 1 where (1 + 2x)·exp(−2x) = ½.
_OF_EXPONENTIAL = {"mean": 0.0, "median": math.log(2.0) - 1.0, "pseudomedian": -0.16082650499166940}
SPREADS: dict[str, EffectDistribution] = {
    "normal": EffectDistribution("normal", _draw_normal),
    "heavy-tailed": EffectDistribution("heavy-tailed", _draw_heavy_tailed),
    "skewed": EffectDistribution("skewed", _draw_skewed, lambda u: -np.log1p(-u) - 1.0, 2.0, _OF_EXPONENTIAL),
    "tied": EffectDistribution("tied (in whole steps)", _draw_tied),
    "one outlier": EffectDistribution("normal but for one outlier", _draw_outlier),
}


def middles(values: FloatArray) -> dict[str, float]:
    """Return the mean, median and pseudomedian of values that represent a distribution.

    Examples
    --------
    >>> {name: round(middle, 3) for name, middle in middles(np.array([0.0, 0.0, 1.0, 5.0])).items()}
    {'mean': 1.5, 'median': 0.5, 'pseudomedian': 0.75}
    """
    ranked = np.sort(values)
    few = ranked[:: max(1, -(-ranked.size // _WALSH))]
    first, second = np.triu_indices(few.size)  # Hodges and Lehmann's: every value with itself, too
    walsh = np.median((few[first] + few[second]) / 2)
    return {"mean": float(values.mean()), "median": float(np.median(ranked)), "pseudomedian": float(walsh)}


@lru_cache(maxsize=8)
def ways(datasets: int) -> tuple[IntArray, FloatArray]:
    """Return the sorted steps of every pattern of ties between data sets, and its probability.

    Examples
    --------
    >>> steps, chance = ways(2)
    >>> steps[:3].tolist(), chance[:3].round(6).tolist()
    ([[-2, -2], [-2, -1], [-2, 0]], [0.003906, 0.03125, 0.046875])
    """
    from scipy.special import gammaln

    # Stars and bars: where the bars stand says how many data sets lie below each step.
    bars = np.array(list(combinations(range(datasets + STEPS), STEPS)), dtype=np.int64) - np.arange(STEPS)
    steps = np.count_nonzero(np.arange(datasets)[:, None] >= bars[:, None, :], axis=-1) - STEPS // 2
    counts = np.diff(np.pad(bars, ((0, 0), (1, 1)), constant_values=((0, 0), (0, datasets))), axis=1)
    each = np.array([math.comb(STEPS, step) / 2**STEPS for step in range(STEPS + 1)])
    chance = np.exp(gammaln(datasets + 1) - gammaln(counts + 1).sum(axis=1) + counts @ np.log(each))
    order = np.lexsort(steps.T[::-1])
    return steps[order], np.asarray(chance[order])
