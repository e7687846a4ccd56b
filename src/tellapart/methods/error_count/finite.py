"""Interval and test for the error rate of a finite pool, sampled without replacement.

The parameter is the error rate of the whole pool. Only the untested part is unknown: the larger the tested share, the
closer the limits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidEvidence, InvalidOption
from ...evidence import ErrorCount
from ...evidence.validation import as_counts, as_threshold
from ...numerics.distributions import beta_low
from ...numerics.hypergeometric import at_least, log_probability
from ...numerics.repetition import each_once
from ...typing_ import FloatArray, IntArray, Numbers
from ..pivots import Limits, Tails
from ..registry import Standing, procedure
from .assumptions import WHOLE_POOL


@procedure(
    name="hypergeometric",
    title="exact hypergeometric interval",
    evidence=ErrorCount,
    assumes=(WHOLE_POOL,),
    standing=Standing.SOUND,
    guarantees=True,
    validity="examples drawn without replacement from a pool of known size",
    reference="wright1991",
    note=lambda pool, **_: "from finite pools" if np.ndim(pool) else f"from a pool of {np.asarray(pool):,} examples",
    rationale="guaranteed coverage on each side for every pool; applies to that pool only",
    test={
        "title": "exact hypergeometric test",
        "rationale": "guaranteed type I error rate for every pool; applies to that pool only",
    },
)
def hypergeometric(count: ErrorCount, *, pool: ArrayLike) -> Tails:
    """Exact hypergeometric interval and test for the error rate of a finite pool.

    Parameters
    ----------
    count
        Errors and trials: one pair, or an array of them.
    pool
        Number of examples in the pool, including those tested; one for all counts, or one for each.

    Notes
    -----
    The lower limit is K/N for the smallest number K of errors in the pool with P(X ≥ m) ≥ α/2,
    the upper one for the largest with P(X ≤ m) ≥ α/2, where X counts the errors among M examples
    drawn from N. The limits are whole numbers of errors in the pool, at least the m observed ones and at most
    N − M + m. If almost all examples were tested, the observed error rate may lie outside the limits, because it is
    not such a number. For an infinite pool they are Clopper and Pearson's.

    The p-value is the exact tail, twice the smaller one if two-sided; the statistic is the number of errors. A
    threshold between two possible numbers of errors in the pool is replaced by the nearer one on the side of the null
    hypothesis.

    Examples
    --------
    >>> limits = hypergeometric(ErrorCount(3, 120), pool=400).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0075), np.float64(0.0625))
    >>> hypergeometric(ErrorCount(3, 120), pool=120).interval().width  # nothing is left to infer
    np.float64(0.0)
    >>> round(hypergeometric(ErrorCount(0, 59), pool=200).test(0.05, "less").pvalue, 4)
    np.float64(0.0275)
    """
    errors, trials, size = count.errors, count.trials, _as_pool(pool, count)

    def tails(null: Any) -> tuple[FloatArray, FloatArray]:
        below, above = _whole_errors(as_threshold(null, count), size)
        return _at_least(count.successes, trials, size - above, size), _at_least(errors, trials, below, size)

    def invert(tail: float) -> Limits:
        def limits(m: IntArray, n: IntArray, pool: IntArray) -> Limits:
            return _fewest_errors(m, n, pool, tail) / pool, (pool - _fewest_errors(n - m, n, pool, tail)) / pool

        return each_once(limits, errors, trials, size)  # type: ignore[no-any-return]

    return Tails(tails, invert, statistic=lambda _: errors.astype(float))


def _as_pool(pool: ArrayLike, count: ErrorCount) -> IntArray:
    """Return the pool's size for every count; raise InvalidOption if it is too small."""
    try:
        size = np.broadcast_to(as_counts("pool", pool), count.shape)[()]
    except (InvalidEvidence, ValueError):
        raise InvalidOption(
            f"`pool` must be the number of examples in the pool, or one number per count, got {pool!r}."
        ) from None
    short = size < count.trials
    if np.any(short):
        first = np.flatnonzero(short)[0]
        raise InvalidOption(
            f"`pool` must be at least the {count.trials.flat[first]:,} examples tested, got {size.flat[first]:,}."
            " For sampling with replacement use method='clopper-pearson'."
        )
    return size


def _whole_errors(p: FloatArray, pool: IntArray) -> tuple[IntArray, IntArray]:
    """Return the largest number of errors in the pool at or below the threshold, and the smallest at or above it."""
    expected = p * pool
    nearest = np.rint(expected)
    hit = np.abs(expected - nearest) <= 4 * np.finfo(float).eps * expected  # a limit K/N times N is K
    below, above = (np.where(hit, nearest, side(expected)) for side in (np.floor, np.ceil))
    return below.astype(np.int64), above.astype(np.int64)


def _fewest_errors(errors: IntArray, trials: IntArray, pool: IntArray, tail: float) -> IntArray:
    """Return the smallest number K of errors in the pool with P(X ≥ m) ≥ `tail`.

    Newton's steps on the logarithm of the tail start at Clopper and Pearson's limit, shrunk by the finite-population
    correction. They stay within a bracket, which is halved if the steps are slow. From K to K + 1, P(X ≥ m) increases
    by P(X = m | K+1)·m/(K+1).
    """
    m, n, size = (np.ravel(column) for column in (errors, trials, pool))
    low, high = m - 1, size - (n - m)  # P is 0 at `low` and 1 at `high`
    high = np.where(m == 0, 0, high)
    rate = m / n
    reach = np.where(m > 0, rate - beta_low(np.maximum(m, 1), n - m + 1.0, tail), 0.0)
    guess = np.nan_to_num((rate - reach * np.sqrt((size - n) / size)) * size)
    for step in range(200):
        open_ = np.flatnonzero(high - low > 1)
        if not open_.size:
            break
        lowest, highest = low[open_], high[open_]
        wished = guess[open_] if step < 16 or step % 2 else lowest + (highest - lowest) / 2
        k = np.clip(np.rint(wished), lowest + 1, highest - 1).astype(np.int64)
        some = m[open_], n[open_], k, size[open_]
        reached = _at_least(*some)
        seen = np.exp(log_probability(some[0], some[1], some[3] - some[1], k))
        gain = seen * (some[0] / (k - some[0] + 1)) * ((size[open_] - k - some[1] + some[0]) / (size[open_] - k))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            ahead = k + np.log(tail / reached) * reached / gain
        guess[open_] = np.where(np.isfinite(ahead), ahead, lowest + (highest - lowest) / 2)
        enough = reached >= tail
        low[open_], high[open_] = np.where(enough, lowest, k), np.where(enough, k, highest)
    return high.reshape(np.shape(errors))[()]


# Probabilities are increased by this share, so that rounding does not hide ties with alpha (probabilities are fractions
# here) or break a guarantee.
_TIE = 1e-12


def _at_least(k: Any, n: Any, errors: Any, pool: Any) -> Numbers:
    """Return P(X ≥ k), with X the number of errors among n examples from a pool with `errors` errors."""
    return np.minimum(at_least(k, n, pool - n, errors) * (1 + _TIE), 1.0)
