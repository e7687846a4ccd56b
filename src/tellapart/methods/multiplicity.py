"""Adjustment of p-values for multiple comparisons."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidInput
from ..typing_ import Adjustment, FloatArray, IntArray, one_of
from .all_pairs import bergmann_hommel, learners_of, most_equal

# Adjustments for all pairs, which use the sets of pairs that can be equal.
OF_ALL_PAIRS = ("shaffer", "bergmann-hommel")
# The source of each adjustment, by key of the bibliography.
SOURCES = {
    "holm": "holm1979",
    "hochberg": "hochberg1988",
    "hommel": "hommel1988",
    "finner": "finner1993",
    "shaffer": "shaffer1986",
    "bergmann-hommel": "bergmann1988",
    "benjamini-hochberg": "benjamini1995",
    "benjamini-yekutieli": "benjamini2001",
    "bonferroni": "dunn1961",
}


def adjust(pvalues: ArrayLike, method: Adjustment = "holm") -> FloatArray:
    """Return p-values adjusted for multiple comparisons, to be compared with alpha.

    A family lies along the last dimension; leading dimensions make it many families. NaN means that there was no test:
    it stays NaN and is not counted in its family.

    Parameters
    ----------
    pvalues
        One family, or an array of families of one size.
    method
        The adjustment, by the error rate that it controls.

        - The familywise error rate, always: "holm" (never worse than "bonferroni").
        - The same, if Simes' inequality holds, as for independent and most positively dependent tests: "hochberg"
          (never worse than Holm) and "hommel" (never worse than Hochberg; its cost grows with the square of the
          family); and, if Šidák's inequality holds, as for two-sided tests with one control, "finner" (never worse
          than Holm). Neither is proved for all pairs of several models.
        - The same, always, for all pairs of several learners in the order of `itertools.combinations`:
          "shaffer" (never worse than Holm) and "bergmann-hommel" (never worse than Shaffer; up to 12 learners). If A
          equals B and B equals C, then A equals C: so fewer pairs can be equal, and the adjustment is smaller.
        - The false discovery rate: "benjamini-hochberg" under the same kind of
          dependence, "benjamini-yekutieli" under any.
        - "none" returns the p-values unchanged.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    >>> adjust([[0.01, 0.04, np.nan], [0.5, 0.2, 0.001]], "bonferroni")
    array([[0.02 , 0.08 ,   nan],
           [1.   , 0.6  , 0.003]])
    >>> adjust([0.01, 0.04, 0.03], "shaffer")  # A and B, A and C, B and C
    array([0.03, 0.04, 0.03])
    """
    one_of("method", method, Adjustment)
    unadjusted = _as_pvalues(pvalues)
    family = np.atleast_1d(unadjusted)
    if method == "none" or not family.size:
        return unadjusted
    if method == "bergmann-hommel":
        return np.fmax(bergmann_hommel(family), family).reshape(unadjusted.shape)[()]
    # Missing p-values are put first, where they have no effect: ranks are counted from the largest p-value.
    missing = np.isnan(family)
    order = np.argsort(np.where(missing, -1.0, family), axis=-1, kind="stable")
    ascending = np.take_along_axis(np.where(missing, 0.0, family), order, axis=-1)
    size = np.count_nonzero(~missing, axis=-1, keepdims=True)
    adjusted = np.empty_like(family)
    np.put_along_axis(adjusted, order, _RULES[method](ascending, size), axis=-1)
    # An adjusted p-value may be smaller than the p-value by rounding.
    adjusted = np.where(missing, np.nan, np.clip(adjusted, family, 1.0))
    return adjusted.reshape(unadjusted.shape)[()]


def _as_pvalues(pvalues: ArrayLike) -> FloatArray:
    array = np.asarray(pvalues)
    if array.dtype.kind not in "iuf":
        raise InvalidInput(f"`pvalues` must be numbers from 0 to 1, got {pvalues!r}.")
    wrong = (array < 0) | (array > 1)
    if wrong.any():
        raise InvalidInput(
            f"`pvalues` must be numbers from 0 to 1, got {array[wrong].flat[0]}. Pass p-values, not statistics."
        )
    return array.astype(float)[()]


def _from_the_top(ascending: FloatArray) -> IntArray:
    """Return the number of p-values in the family that are at least as large: m for the smallest, 1 for the largest."""
    return np.arange(ascending.shape[-1], 0, -1)


def _least_so_far(values: FloatArray) -> FloatArray:
    """Return the minimum of each value and all later ones, so that adjusted p-values keep their order."""
    return np.minimum.accumulate(values[..., ::-1], axis=-1)[..., ::-1]


def _adjust_hommel(ascending: FloatArray, size: IntArray) -> FloatArray:
    """Return p-values adjusted by closing the family under Simes' test.

    A hypothesis is rejected if Simes' test rejects every set that contains it. Of the sets of size j that contain it,
    the one with the largest other p-values has the largest p-value.
    """
    most = ascending.shape[-1]
    adjusted = ascending.copy()
    for j in range(2, most + 1):
        largest = (j / np.arange(2, j + 1) * ascending[..., most - j + 1 :]).min(axis=-1, keepdims=True)
        hardest = np.minimum(j * ascending, largest)
        hardest[..., most - j + 1 :] = hardest[..., most - j, None]
        adjusted = np.where(j <= size, np.maximum(adjusted, hardest), adjusted)
    return adjusted


def _adjust_finner(ascending: FloatArray, size: IntArray) -> FloatArray:
    rank = np.maximum(size - _from_the_top(ascending) + 1, 1)  # below 1 there is no test
    with np.errstate(divide="ignore"):  # of a p-value of 1
        adjusted: FloatArray = np.maximum.accumulate(-np.expm1(size / rank * np.log1p(-ascending)), axis=-1)
    return adjusted


def _adjust_shaffer(ascending: FloatArray, size: IntArray) -> FloatArray:
    """Return p-values times the largest possible number of equal pairs after rejecting all smaller p-values.

    Pairs without a test, which come first, may be equal: they do not count as rejected.
    """
    pairs = ascending.shape[-1]
    rejected = np.maximum(size - _from_the_top(ascending), 0)
    equal = most_equal(pairs, learners_of(pairs, "shaffer"))[rejected]
    adjusted: FloatArray = np.maximum.accumulate(ascending * np.minimum(equal, size - rejected), axis=-1)
    return adjusted


def _benjamini_hochberg(ascending: FloatArray, size: IntArray) -> FloatArray:
    rank = np.maximum(size - _from_the_top(ascending) + 1, 1)  # below 1 there is no test
    return _least_so_far(ascending * size / rank)


def _benjamini_yekutieli(ascending: FloatArray, size: IntArray) -> FloatArray:
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, ascending.shape[-1] + 1))])
    adjusted: FloatArray = _benjamini_hochberg(ascending, size) * harmonic[size]
    return adjusted


_RULES: dict[str, Callable[[FloatArray, IntArray], FloatArray]] = {
    "bonferroni": lambda ascending, size: ascending * size,
    "holm": lambda ascending, _: np.maximum.accumulate(ascending * _from_the_top(ascending), axis=-1),
    "hochberg": lambda ascending, _: _least_so_far(ascending * _from_the_top(ascending)),
    "hommel": _adjust_hommel,
    "finner": _adjust_finner,
    "shaffer": _adjust_shaffer,
    "benjamini-hochberg": _benjamini_hochberg,
    "benjamini-yekutieli": _benjamini_yekutieli,
}
