"""Anytime-valid confidence sequence for a mean in [0, 1], by betting against every value."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidEvidence, InvalidOption
from ..results import Interval
from ..typing_ import FloatArray, as_alpha

SOURCE = "waudbysmith2024"
_TRUNCATION = 0.5  # the largest share of the wealth that one bet may lose
_BLOCK = 64  # examples that are processed at once, for the whole grid


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class Bets:
    """The wealth of bets against each mean of a grid, after the examples so far, in their order.

    Half of the capital is bet on values above the mean, half on values below. If the mean is the true one, the total
    wealth has expectation 1 at any stopping time, and ever reaches 1/alpha with probability at most alpha (Ville). The
    means against which neither bet got that far are a confidence sequence: with probability 1 − alpha it contains the
    true mean at all times (the hedged capital process of Waudby-Smith and Ramdas 2024).

    The examples must be independent, or at least have the same mean given all earlier examples; nothing else is
    assumed. The result depends on the order of the examples, but not on the batches.

    Examples
    --------
    >>> bets = Bets.begin(alpha=0.05).after([0.9, 0.7, 1.0, 0.8, 0.6] * 20)
    >>> bets.count, round(bets.mean, 2)
    (100, 0.8)
    >>> print(bets.interval())
      interval  0.738 to 0.844 (95% CI, betting)
    """

    alpha: float
    count: int
    total: float  # sum of the values
    scatter: float  # sum of the squared distances, each from the regularised mean at its time
    above: FloatArray  # logarithm of the wealth of the bet on values above each mean
    below: FloatArray

    @property
    def size(self) -> int:
        """The number of examples."""
        return self.count

    @classmethod
    def begin(cls, *, alpha: float = 0.05, grid: int = 1001) -> Self:
        """Return the initial state: no examples, and no mean excluded.

        Parameters
        ----------
        alpha
            Probability that the interval ever excludes the mean.
        grid
            Number of candidate means from 0 to 1, both included. The limits are rounded outwards to this grid.
        """
        if isinstance(grid, bool) or not isinstance(grid, int | np.integer) or not 3 <= grid <= 10**6:
            raise InvalidOption(f"`grid` must be a whole number from 3 to 1000000, got {grid!r}.")
        nothing = np.zeros(int(grid))
        return cls(alpha=as_alpha(alpha=alpha), count=0, total=0.0, scatter=0.0, above=nothing, below=nothing)

    @property
    def grid(self) -> FloatArray:
        """The candidate means."""
        return np.arange(self.above.size) / (self.above.size - 1)  # the nearest floats, for any grid

    @property
    def mean(self) -> float:
        """The mean of the values so far; NaN before the first."""
        return self.total / self.count if self.count else math.nan

    def after(self, values: ArrayLike) -> Self:
        """Return the wealth after more examples, in their order.

        Examples
        --------
        >>> Bets.begin().after([1, 0, 1]).after([0.5]).count
        4
        """
        x = as_unit_values(values)
        # The bet on example t depends on those before it: their regularised mean and variance.
        times = self.count + np.arange(1, x.size + 1)
        totals = np.cumsum([self.total, *x])
        means = (0.5 + totals[1:]) / (times + 1)
        scatters = np.cumsum([self.scatter, *(x - means) ** 2])
        variances = (0.25 + scatters[:-1]) / times
        bets = np.sqrt(2 * math.log(2 / self.alpha) / (variances * times * np.log1p(times)))
        m = self.grid
        with np.errstate(divide="ignore"):
            most = _TRUNCATION / m, _TRUNCATION / (1 - m)
        above, below = self.above, self.below
        for start in range(0, x.size, _BLOCK):
            here = slice(start, start + _BLOCK)
            distance, bet = x[here, None] - m, bets[here, None]
            above = _grow_wealth(above, np.minimum(bet, most[0]) * distance)
            below = _grow_wealth(below, np.minimum(bet, most[1]) * -distance)
        return replace(
            self,
            count=self.count + x.size,
            total=float(totals[-1]),
            scatter=float(scatters[-1]),
            above=above,
            below=below,
        )

    def interval(self) -> Interval | None:
        """Return the interval of the means that are not excluded, rounded outwards; None if all are excluded.

        The wealth of the bet on larger values decreases with the mean, that of the other bet increases, so the rest is
        an interval. It ends at the nearest excluded means of the grid, which is conservative. If every mean is
        excluded, the examples do not have one mean: they drift, or depend on each other.
        """
        ruin = math.log(2 / self.alpha)  # half of the capital each
        grid = self.grid
        too_low, too_high = np.flatnonzero(self.above >= ruin), np.flatnonzero(self.below >= ruin)
        low = float(grid[too_low[-1]]) if too_low.size else 0.0
        high = float(grid[too_high[0]]) if too_high.size else 1.0
        if low >= high:
            return None
        ends: dict[str, Any] = {"low": np.float64(low), "high": np.float64(high)}  # a scalar goes by the array's type
        return Interval(**ends, alpha=self.alpha, method="betting", parameter="mean", metric="score")

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers and lists, with all digits."""
        parts = {"alpha": self.alpha, "count": self.count, "total": self.total, "scatter": self.scatter}
        return {**parts, "above": self.above.tolist(), "below": self.below.tolist()}

    @classmethod
    def from_dict(cls, parts: Mapping[str, Any]) -> Self:
        """Return the bets of a dictionary that `as_dict` made; raise InvalidEvidence if it is inconsistent.

        Examples
        --------
        >>> bets = Bets.begin(grid=11).after([0.25, 0.5])
        >>> Bets.from_dict(bets.as_dict()).as_dict() == bets.as_dict()
        True
        """
        try:
            numbers = {name: float(parts[name]) for name in ("alpha", "total", "scatter")}
            count = int(parts["count"])
            above, below = (np.asarray(parts[name], dtype=float) for name in ("above", "below"))
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidEvidence(f"the stored bets cannot be read: {error!r}.") from error
        finite = all(map(math.isfinite, numbers.values())) and np.isfinite(above).all() and np.isfinite(below).all()
        possible = finite and 0 < numbers["alpha"] < 1 and count >= 0 and 0 <= numbers["total"] <= count * (1 + 1e-9)
        if not (possible and above.ndim == 1 and above.shape == below.shape and above.size >= 3):
            raise InvalidEvidence("the stored bets are inconsistent. Start again with Bets.begin().")
        return cls(**numbers, count=count, above=above, below=below)

    def __repr__(self) -> str:
        return f"Bets(alpha={self.alpha!r}, count={self.count}, mean={self.mean!r})"


def _grow_wealth(logs: FloatArray, gains: FloatArray) -> FloatArray:
    """Return the log wealth after these gains, row by row, so that the result is the same for any batches."""
    gains += 1
    np.log(gains, out=gains)
    gains[0] += logs
    return np.asarray(gains.sum(axis=0))


def as_unit_values(values: ArrayLike, low: float = 0.0) -> FloatArray:
    """Return values from `low` to 1 in their order; raise InvalidEvidence if one is outside.

    Examples
    --------
    >>> as_unit_values([0.5, 1])
    array([0.5, 1. ])
    """
    try:
        x = np.asarray(values)
        if x.dtype.kind not in "biuf":
            raise TypeError
    except (TypeError, ValueError):
        raise InvalidEvidence(f"`values` must be numbers from {low:g} to 1, got {_shorten_repr(values)}.") from None
    if x.ndim != 1:
        raise InvalidEvidence(f"`values` must be one list in the order of the examples, got shape {x.shape}.")
    if not x.size:
        raise InvalidEvidence("`values` must hold at least one example, got an empty list.")
    x = x.astype(float)
    good = (x >= low) & (x <= 1)  # NaN is neither
    if not good.all():
        index = int(np.flatnonzero(~good)[0])
        raise InvalidEvidence(
            f"`values` must be from {low:g} to 1, got {x[index]:g} (number {index + 1}). Rescale the scores by"
            " limits that were fixed before the data."
        )
    return x


def halved(differences: ArrayLike) -> FloatArray:
    """Map differences of paired scores, from −1 to 1, to [0, 1].

    Examples
    --------
    >>> halved([-1, 0, 0.5])
    array([0.  , 0.5 , 0.75])
    """
    return (as_unit_values(differences, low=-1.0) + 1) / 2


def _shorten_repr(values: Any) -> str:
    text = repr(values)
    return text if len(text) <= 60 else f"{text[:60]}…"
