"""Group sequential boundaries by alpha spending."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidOption
from ..typing_ import FloatArray, Side, as_alpha, one_of

Spending = Literal["obrien-fleming", "pocock"]
# The sources of the two spending functions; alpha spending is due to Lan and DeMets.
SOURCES = {"obrien-fleming": ("lan1983", "obrien1979"), "pocock": ("lan1983", "pocock1977")}

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(6)  # on panels of one standard deviation
_REACH = 12.0  # standard deviations beyond which a step is negligible: exp(−72)
_BLOCK = 192  # points that are processed at once


def spent(
    fraction: ArrayLike, alpha: float = 0.05, spending: Spending = "obrien-fleming", side: Side = "two"
) -> FloatArray:
    """Return the alpha spent at this fraction of the planned information.

    On each side f(t, a) is spent, with a = alpha, or alpha/2 if two-sided: 2(1 − Φ(z_{a/2}/√t)) for O'Brien and
    Fleming's shape, a ln(1 + (e − 1)t) for Pocock's (Lan and DeMets 1983).

    Parameters
    ----------
    fraction
        The information so far as a fraction of the planned total: 0 to 1.
    alpha
        The total type I error rate.
    spending
        "obrien-fleming" (very little early) or "pocock" (about equal at each look).
    side
        "two", "upper" or "lower".

    Examples
    --------
    >>> spent([0.2, 0.5, 1.0], 0.05, "pocock").round(4)
    array([0.0148, 0.031 , 0.05  ])
    """
    t = np.asarray(fraction, dtype=float)
    if not np.all((t >= 0) & (t <= 1)):
        raise InvalidOption(
            f"`fraction` must be from 0 to 1, got {fraction!r}. Divide the number of examples by the planned total."
        )
    sides = 2.0 if one_of("side", side, Side) == "two" else 1.0
    level = as_alpha(alpha=alpha) / sides
    if one_of("spending", spending, Spending) == "pocock":
        return np.asarray(sides * level * np.log1p(np.expm1(1.0) * t))[()]
    from scipy.special import ndtr, ndtri

    with np.errstate(divide="ignore"):
        return np.where(t == 0, 0.0, sides * 2 * ndtr(ndtri(level / 2) / np.sqrt(t)))[()]


def spending_boundaries(
    fractions: ArrayLike,
    *,
    alpha: float = 0.05,
    spending: Spending = "obrien-fleming",
    side: Side = "two",
    information: ArrayLike | None = None,
) -> FloatArray:
    """Return the critical value of z at each look by alpha spending; the times of looks need not be planned.

    A look rejects if z (two-sided: |z|) is beyond its boundary. Each boundary spends the increase of the spending
    function since the previous look, given that no look has rejected (Lan and DeMets 1983). Over the looks z follows
    sums of independent normal increments, which are integrated look by look (Armitage, McPherson and Rowe 1969). If the
    alpha to be spent underflows, the boundary is infinite.

    Parameters
    ----------
    fractions
        The information at each look so far as a fraction of the planned total: increasing, above 0 and at most 1.
        Later looks are not needed.
    alpha, spending, side
        As in `spent`.
    information
        The information at each look, such as the number of examples, if it is not proportional to the fractions: a late
        last look has the fraction 1, but more examples than planned.

    Examples
    --------
    >>> spending_boundaries([0.2, 0.4, 0.6, 0.8, 1.0]).round(3)
    array([4.877, 3.357, 2.68 , 2.29 , 2.031])
    >>> spending_boundaries([0.2, 0.4, 0.6, 0.8, 1.0], spending="pocock").round(3)
    array([2.438, 2.427, 2.41 , 2.397, 2.386])
    """
    t = _as_increasing("fractions", fractions, most=1.0)
    information_times = t if information is None else _as_increasing("information", information)
    if information_times.size != t.size:
        raise InvalidOption(
            f"`information` must have a value for each of the {t.size} looks, got {information_times.size}."
        )
    both = one_of("side", side, Side) == "two"
    on_one_side = np.diff(spent(t, alpha, spending, side), prepend=0.0) / (1 + both)
    # Sums that are too large to matter are left out; the less is spent at any look, the farther out.
    least = on_one_side[on_one_side > 0].min(initial=1.0)
    far = float(np.sqrt(-2 * (np.log(least) - 46)))  # 46: twenty digits below
    bounds = _solve_boundaries(information_times / information_times[-1], on_one_side, far, both=both)
    return bounds if side != "lower" else -bounds


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Walk:
    """The distribution of the sum of increments at the previous look, without a rejection: points and their masses."""

    places: FloatArray
    masses: FloatArray

    def beyond(self, spread: float, share: float, start: float) -> float:
        """Return the bound that the next sum exceeds with probability `share`; `spread` is the SD of the increment.

        The logarithm of that probability is concave in the bound, so Newton's steps converge from above.
        """
        from scipy.special import log_ndtr

        if share <= 0:
            return np.inf
        weights, bound = np.maximum(self.masses, 0), start
        for _ in range(100):
            distance = (self.places - bound) / spread
            logs = log_ndtr(distance)
            log_mass = _log_of_sum(logs, weights)
            # The slope is −Σ mass φ/spread, divided by the sum.
            slope = -np.exp(_log_of_sum(-(distance**2) / 2, weights) - log_mass) / (spread * np.sqrt(2 * np.pi))
            step = (np.log(share) - log_mass) / slope
            bound += step
            if abs(step) <= 1e-13 * max(abs(bound), spread):
                break
        return float(bound)

    def after(self, spread: float, time: float, places: FloatArray) -> FloatArray:
        """Return the density of the next sum, at this time, at sorted points."""
        density = np.empty(places.size)
        for start in range(0, places.size, _BLOCK):
            here = places[start : start + _BLOCK]
            # The most probable step to a distant point is long, too: in proportion to the time.
            reach = spread * _REACH + max(abs(here[0]), abs(here[-1])) * spread**2 / time
            near = slice(*np.searchsorted(self.places, (here[0] - reach, here[-1] + reach)))
            distance = (here[:, None] - self.places[near]) / spread
            density[start : start + _BLOCK] = np.exp(-(distance**2) / 2) @ self.masses[near]
        return np.asarray(density / (spread * np.sqrt(2 * np.pi)))


def _log_of_sum(logs: FloatArray, weights: FloatArray) -> float:
    """Return log Σ weight exp(log).

    SciPy divides by the weight of the largest term. If that is tiny the quotient overflows, and logarithms of the
    weights are added instead.
    """
    from scipy.special import logsumexp

    some = weights > 0
    if weights[some].min() > 1e-250:
        return float(logsumexp(logs, b=weights))
    return float(logsumexp(logs[some] + np.log(weights[some])))


def _solve_boundaries(times: FloatArray, shares: FloatArray, far: float, *, both: bool) -> FloatArray:
    """Return the boundaries of z at these times, each exceeded for the first time with the given probability."""
    spreads = np.sqrt(np.diff(times, prepend=0.0))
    walk, bounds = _Walk(places=np.zeros(1), masses=np.ones(1)), np.empty(times.size)
    near = 0.0  # start at the bound of the previous look
    for look, (time, spread, share) in enumerate(zip(times.tolist(), spreads.tolist(), shares.tolist(), strict=True)):
        bounds[look] = walk.beyond(spread, share, near)
        near = bounds[look] if np.isfinite(bounds[look]) else near
        if look + 1 < times.size:
            outermost = far * np.sqrt(time)
            high = min(bounds[look], outermost)
            low = -high if both else -outermost
            places, weights = _gauss_panels(low, high, min(spread, float(spreads[look + 1])))
            walk = _Walk(places=places, masses=weights * walk.after(spread, time, places))
    return bounds / np.sqrt(times)


def _gauss_panels(low: float, high: float, width: float) -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights of Gauss and Legendre's rule on panels of about this width."""
    edges = np.linspace(low, high, max(1, int(np.ceil((high - low) / width))) + 1)
    half = (edges[1:] - edges[:-1]) / 2
    places = (edges[:-1] + half)[:, None] + half[:, None] * _NODES
    return places.ravel(), (half[:, None] * _WEIGHTS).ravel()


def _as_increasing(name: str, values: ArrayLike, most: float = np.inf) -> FloatArray:
    try:
        numbers: Any = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        numbers = np.full(1, np.nan)
    limit = "" if most == np.inf else f", at most {most:g}"
    if not (
        numbers.ndim == 1 and numbers.size and numbers[0] > 0 and np.all(np.diff(numbers) > 0) and numbers[-1] <= most
    ):
        raise InvalidOption(f"`{name}` must be increasing numbers above 0{limit}, one for each look, got {values!r}.")
    return np.asarray(numbers)
