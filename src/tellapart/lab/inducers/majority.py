"""The error of the majority inducer, which uses only labels (Martin and Hirschberg 1996, appendix A.4)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...typing_ import FloatArray
from ..design import rate, whole

_DECAY = 0.83  # of the number of classes, in 118 data sets
_HEIGHT, _LACK = 0.86, 1.39  # of the mean error by the number of classes, in the same data sets
_MOST = 20_000  # classes times examples: some seconds
_NEGLIGIBLE = 1e-18  # probability of a count that is left out


def majority_error(shares: ArrayLike, examples: int | None = None) -> float:
    """Return the expected error of a rule that predicts the most frequent class of its sample.

    Exact, not simulated: a sample may be misleading about which class is the most frequent one. As samples grow the
    error falls to 1 − max(shares), which is the answer without `examples`.

    Parameters
    ----------
    shares
        The probability of each class. Among classes with equal counts in the sample the first is predicted.
    examples
        The size of the sample.

    Examples
    --------
    >>> round(majority_error([0.6, 0.4]), 6), round(majority_error([0.6, 0.4], examples=11), 4)
    (0.4, 0.4493)
    """
    p = np.atleast_1d(rate("shares", shares))
    if p.ndim != 1 or abs(p.sum() - 1) > 1e-9:
        raise InvalidOption(f"`shares` must be one probability per class that add up to 1, got {shares!r}.")
    if examples is None:
        return float(1 - p.max())
    n = whole("examples", examples)
    if n * p.size > _MOST:
        raise InvalidOption(
            f"`examples` must be at most {_MOST // p.size} for {p.size} classes, got {n}. Leave out `examples` for"
            " the limit."
        )
    return float((1 - p) @ _majority_probability(p, n))


def _majority_probability(p: FloatArray, n: int) -> FloatArray:
    """Return the probability of each class to be the most frequent in n examples.

    Counts of a multinomial are independent Poisson counts, given their sum. So class i wins with j examples as often
    as the others have n − j together, each at most j (fewer, if it comes before i): a product of polynomials.
    """
    from scipy.stats import poisson

    count = np.arange(n + 1)
    chance = np.asarray(poisson.pmf(count, n * p[:, None]))  # class by count
    won = np.zeros(p.size)
    likely = np.flatnonzero((chance > _NEGLIGIBLE).any(axis=0))
    for j in likely[likely * p.size >= n].tolist():  # no class wins with less than an even share
        before = _cumulative_counts(chance[:-1, :j], n - j)
        after = _cumulative_counts(chance[:0:-1, : j + 1], n - j)[::-1]
        won += chance[:, j] * (before * after[:, ::-1]).sum(axis=1)
    return won / poisson.pmf(n, n)


def _cumulative_counts(chance: FloatArray, most: int) -> FloatArray:
    """Return the distributions of the sums of the first 0, 1, 2, … counts, up to a limit."""
    probabilities = np.zeros((len(chance) + 1, most + 1))
    probabilities[0, 0] = 1
    for index, each in enumerate(chance[:, : most + 1]):
        # To add a count to none takes no convolution, which would be the longest of all.
        both = np.convolve(probabilities[index], each)[: most + 1] if index else each
        probabilities[index + 1, : both.size] = both
    return probabilities


def majority_bound(classes: int) -> float:
    """Return the expected error if the largest class's share is uniform on [1/classes, 1].

    Examples
    --------
    >>> majority_bound(2), majority_bound(5)
    (0.25, 0.4)
    """
    return 0.5 * (1 - 1 / whole("classes", classes, 1))


def typical_majority_error(classes: int) -> float:
    """Return the mean error of the majority inducer by number of classes: 0.86 (1 − 1.39 / classes).

    A line drawn through 118 data sets that were in use in 1996; no law of nature.

    Examples
    --------
    >>> round(typical_majority_error(2), 4)
    0.2623
    """
    return _HEIGHT * (1 - _LACK / whole("classes", classes, 2))


def class_number_share(classes: Any) -> float:
    """Return the share of data sets with this number of classes, proportional to exp(−0.83 classes).

    Drawn through the same 118 data sets as `typical_majority_error`.

    Examples
    --------
    >>> round(class_number_share(2), 4)
    0.564
    """
    number = whole("classes", classes, 2)
    return math.exp(-_DECAY * (number - 2)) * (1 - math.exp(-_DECAY))
