"""The counts that have any probability, for many sizes at once; of very many, every so many-th."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...numerics.distributions import binomial_quantile
from ...typing_ import FloatArray, IntArray

_NEGLIGIBLE = 1e-16  # the probability of all counts that are left out at one end
_MOST = 2000  # counts of one size that are looked at, each of them if there are no more


@dataclass(frozen=True, slots=True)
class Spread:
    """Counts, size after size; the place of their size; where each size begins; and how many each stands for."""

    count: IntArray
    index: IntArray
    starts: IntArray
    stride: IntArray

    def total(self, values: FloatArray) -> FloatArray:
        """Return the sum over the counts of each size."""
        return np.add.reduceat(values, self.starts) * self.stride


def spread(sizes: ArrayLike, low: ArrayLike, high: ArrayLike, *, most: int = _MOST) -> Spread:
    """Return the counts that a binomial takes, at any rate from `low` to `high`.

    Where they are more than `most`, a sum over every so many-th of them is the integral of what is smooth on that
    scale; what saws from count to count is sampled, and such sums of a power are right to four digits and more.

    Examples
    --------
    >>> spread([1, 2], 0.5, 0.5).count
    array([0, 1, 0, 1, 2])
    """
    n = np.atleast_1d(np.asarray(sizes, dtype=np.int64))
    first = np.atleast_1d(binomial_quantile(_NEGLIGIBLE, n, low))
    last = n - np.atleast_1d(binomial_quantile(_NEGLIGIBLE, n, 1 - np.asarray(high)))
    lengths = np.maximum(last - first + 1, 1)
    stride = -(-lengths // most)
    stride += 1 - stride % 2  # an odd one meets even and odd counts alike: with an even number of them nobody is ahead
    lengths = -(-lengths // stride)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    index = np.repeat(np.arange(n.size), lengths)
    count = first[index] + (np.arange(lengths.sum()) - starts[index]) * stride[index]
    return Spread(count, index, starts, stride)
