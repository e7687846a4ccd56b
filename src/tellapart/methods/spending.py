"""Group sequential boundaries by alpha spending."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidOption
from ..typing_ import FloatArray, Side, as_alpha, one_of

Spending = Literal["obrien-fleming", "pocock"]
# Who described the two shapes; spending alpha as information comes in is Lan and DeMets'.
SOURCES = {"obrien-fleming": ("lan1983", "obrien1979"), "pocock": ("lan1983", "pocock1977")}

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(6)  # on panels of one standard deviation
_REACH = 12.0  # standard deviations beyond which a step adds nothing: exp(−72)
_BLOCK = 192  # places whose distances to others are looked at together


def spent(
    fraction: ArrayLike, alpha: float = 0.05, spending: Spending = "obrien-fleming", side: Side = "two"
) -> FloatArray:
    """Return the alpha spent at this fraction of the planned information.

    On each side f(t, a) is spent, where a is alpha, or half of it if both sides are looked at:
    2(1 − Φ(z_{a/2}/√t)) for O'Brien and Fleming's shape, a ln(1 + (e − 1)t) for Pocock's (Lan and DeMets 1983).

    Parameters
    ----------
    fraction
        Information so far, by what is planned in all: 0 to 1.
    alpha
        The total type I error rate.
    spending
        "obrien-fleming" (very little early) or "pocock" (about equal at every look).
    side
        "two", or "upper" or "lower" for one side alone.

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
    """Return the critical z of each look by alpha spending; the times of the looks need not be planned.

    A look rejects if z (two-sided: |z|) is beyond its boundary. Each boundary spends what the spending
    function allows since the look before, where no look has decided yet (Lan and DeMets 1983). Over the looks z goes
    as sums of independent normal increments do, which is integrated look by look (Armitage, McPherson and Rowe 1969).
    A look at which so little may be spent that no float holds it gets an infinite boundary.

    Parameters
    ----------
    fractions
        The information at each look so far, by what is planned in all: increasing, above 0 and at most 1.
        Later looks are not needed, and change nothing.
    alpha, spending, side
        As in `spent`.
    information
        The information of the looks, such as numbers of examples, where that is not in proportion to the fractions:
        at a last look that came late the fraction is 1, but there are more examples than planned.

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
    # What lies so far out that it cannot matter is left out: where less is spent later, farther out.
    least = on_one_side[on_one_side > 0].min(initial=1.0)
    far = float(np.sqrt(-2 * (np.log(least) - 46)))  # 46: twenty digits below
    bounds = _solve_boundaries(information_times / information_times[-1], on_one_side, far, both=both)
    return bounds if side != "lower" else -bounds


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Walk:
    """Where the sum of the increments was at the look before, if no look has decided: places, and their masses."""

    places: FloatArray
    masses: FloatArray

    def beyond(self, spread: float, share: float, start: float) -> float:
        """Return the bound that the next sum exceeds with probability `share`; the next increment has this spread.

        The logarithm of that probability is concave in the bound, so Newton's steps come from above and never run away,
        wherever they start.
        """
        from scipy.special import log_ndtr

        if share <= 0:
            return np.inf
        weights, bound = np.maximum(self.masses, 0), start
        for _ in range(100):
            distance = (self.places - bound) / spread
            logs = log_ndtr(distance)
            log_mass = _log_of_sum(logs, weights)
            # The slope is −Σ mass φ/spread, by the sum itself.
            slope = -np.exp(_log_of_sum(-(distance**2) / 2, weights) - log_mass) / (spread * np.sqrt(2 * np.pi))
            step = (np.log(share) - log_mass) / slope
            bound += step
            if abs(step) <= 1e-13 * max(abs(bound), spread):
                break
        return float(bound)

    def after(self, spread: float, time: float, places: FloatArray) -> FloatArray:
        """Return the density of the next sum, at this time, at these places, in order."""
        density = np.empty(places.size)
        for start in range(0, places.size, _BLOCK):
            here = places[start : start + _BLOCK]
            # To a far place the most probable step is a long one, too: its share of the time.
            reach = spread * _REACH + max(abs(here[0]), abs(here[-1])) * spread**2 / time
            near = slice(*np.searchsorted(self.places, (here[0] - reach, here[-1] + reach)))
            distance = (here[:, None] - self.places[near]) / spread
            density[start : start + _BLOCK] = np.exp(-(distance**2) / 2) @ self.masses[near]
        return np.asarray(density / (spread * np.sqrt(2 * np.pi)))


def _log_of_sum(logs: FloatArray, weights: FloatArray) -> float:
    """Return log Σ weight exp(log).

    SciPy divides by the weight of the largest term. Where that is next to nothing the quotient overflows, and the
    weights join the logarithms.
    """
    from scipy.special import logsumexp

    some = weights > 0
    if weights[some].min() > 1e-250:
        return float(logsumexp(logs, b=weights))
    return float(logsumexp(logs[some] + np.log(weights[some])))


def _solve_boundaries(times: FloatArray, shares: FloatArray, far: float, *, both: bool) -> FloatArray:
    """Return the boundaries of z at these times, each exceeded for the first time with the probability at its place."""
    spreads = np.sqrt(np.diff(times, prepend=0.0))
    walk, bounds = _Walk(places=np.zeros(1), masses=np.ones(1)), np.empty(times.size)
    near = 0.0  # the bound of the look before is seldom far off
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
    """Return places and weights of Gauss and Legendre's rule on panels of about this width."""
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
