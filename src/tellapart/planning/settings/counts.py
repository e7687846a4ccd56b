"""The counts with non-negligible probability, for many sizes at once; thinned out if there are very many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...numerics.distributions import binomial_quantile
from ...typing_ import FloatArray, IntArray

_NEGLIGIBLE = 1e-16  # the total probability of the counts that are left out at either end
_MOST = 2000  # most counts for one size


@dataclass(frozen=True, slots=True)
class Spread:
    """Counts for each size in turn, the index of their size, the start of each size, and the stride of the counts."""

    count: IntArray
    index: IntArray
    starts: IntArray
    stride: IntArray

    def total(self, values: FloatArray) -> FloatArray:
        """Return the sum over the counts of each size."""
        return np.add.reduceat(values, self.starts) * self.stride


def spread(sizes: ArrayLike, low: ArrayLike, high: ArrayLike, *, most: int = _MOST) -> Spread:
    """Return the counts that a binomial variable may take, at any rate from `low` to `high`.

    If there are more than `most`, only every k-th count is used. Sums over them are accurate for functions that are
    smooth on that scale; those that alternate between counts are sampled, and power is accurate to four digits or more.

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
    stride += 1 - stride % 2  # an odd stride includes even and odd counts equally; ties need an even count
    lengths = -(-lengths // stride)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    index = np.repeat(np.arange(n.size), lengths)
    count = first[index] + (np.arange(lengths.sum()) - starts[index]) * stride[index]
    return Spread(count, index, starts, stride)
