"""The posterior under a prior that is given as a function.

The integrand is likelihood × prior on the scale of the log odds θ, which has no end points. Every count has its own
panels around the peak of its likelihood. They are halved until a Gauss-Legendre rule no longer changes; all unfinished
panels of all counts are evaluated together. Tails have a relative, not an absolute accuracy, so that limits of level
1 − 10⁻¹² are accurate too. Near 1 the prior, a function of x, can only be evaluated to the precision of x, so a prior
that is infinite at 1 is less accurate if every example was an error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...evidence import ErrorCount
from ...numerics.roots import solve
from ...typing_ import FloatArray, Numbers
from .posterior import Posterior, as_probability, as_rates

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_LOWEST, _HIGHEST = -700.0, 36.0  # θ of the smallest normal float, and of the largest below 1
_TOLERANCE, _NEGLIGIBLE = 1e-12, 1e-30  # of a panel's mass, and of the total
_DEEPEST, _MOST = 60, 4000  # most halvings, and most unfinished panels per count


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class IntegratedPosterior(Posterior):
    """The integral of likelihood × prior: one row of panels for each count, padded with empty ones."""

    count: ErrorCount
    prior: Callable[..., Any]
    peak: FloatArray  # the largest log integrand of each count
    left: FloatArray  # panel edges in θ, by count and panel
    right: FloatArray
    mass: FloatArray  # integral over each panel, in units of exp(peak)

    @classmethod
    def of(cls, count: ErrorCount, prior: Callable[..., Any]) -> Self:
        """Return the posterior of every count."""
        errors, trials = np.ravel(count.errors).astype(float), np.ravel(count.trials).astype(float)
        entry, left, right = _first_panels(errors, trials)
        highest = _log_integrand(prior, errors[entry], trials[entry], _panel_nodes(left, right)).max(axis=-1)
        peak = np.full(errors.size, -np.inf)
        np.maximum.at(peak, entry, highest)
        if not np.all(np.isfinite(peak)):
            raise InvalidOption("`prior` must be positive where the likelihood is, got 0 there. Use a wider prior.")

        def masses(who: Any, a: FloatArray, b: FloatArray) -> Numbers:
            log = _log_integrand(prior, errors[who], trials[who], _panel_nodes(a, b)) - peak[who][:, None]
            return np.exp(log) @ _WEIGHTS * (b - a) / 2

        rarer = np.minimum(errors, trials - errors) + 1
        rounding = np.maximum(_TOLERANCE, 64 * np.finfo(float).eps * np.sqrt(rarer))  # of the integrand itself
        return cls(count, prior, peak, *_pad_rows(*_refine_panels(masses, rounding, entry, left, right)))

    @property
    def _total(self) -> Numbers:
        return self.mass.sum(axis=1)

    def _reshape_values(self, values: Any) -> FloatArray:
        return np.reshape(values, self.count.shape)[()]

    def _evaluate_integrand(self, theta: FloatArray, row: Any = slice(None)) -> Numbers:
        """Return the integrand at θ, whose first axis goes through the rows, in units of exp(peak)."""
        errors, trials = (np.ravel(field)[row].astype(float) for field in (self.count.errors, self.count.trials))
        peak = np.reshape(self.peak[row], (-1,) + (1,) * (theta.ndim - 1))
        return np.exp(_log_integrand(self.prior, errors, trials, theta) - peak)

    def _compute_moment(self, power: int, centre: FloatArray) -> Numbers:
        theta = _panel_nodes(self.left, self.right)
        weights = self._evaluate_integrand(theta) * ((self.right - self.left) / 2)[..., None] * _WEIGHTS
        return ((_inverse_logit(theta) - centre[:, None, None]) ** power * weights).sum(axis=(1, 2)) / self._total

    @property
    def mean(self) -> FloatArray:
        """The posterior mean of the true error rate."""
        return self._reshape_values(self._compute_moment(1, np.zeros(self.peak.size)))

    @property
    def variance(self) -> FloatArray:
        """The posterior variance of the true error rate."""
        return self._reshape_values(self._compute_moment(2, np.ravel(self.mean)))

    @property
    def mode(self) -> FloatArray:
        """The posterior mode of the true error rate, by golden section around the densest node."""
        theta = _panel_nodes(self.left, self.right).reshape(self.peak.size, -1)
        order = np.argsort(theta, axis=1)
        theta = np.take_along_axis(theta, order, axis=1)
        best = np.argmax(self._log_density(theta), axis=1)[:, None]
        low = np.take_along_axis(theta, np.maximum(best - 1, 0), axis=1)[:, 0]
        high = np.take_along_axis(theta, np.minimum(best + 1, theta.shape[1] - 1), axis=1)[:, 0]
        ratio = (np.sqrt(5) - 1) / 2
        for _ in range(100):
            inner, outer = high - ratio * (high - low), low + ratio * (high - low)
            worse = self._log_density(inner[:, None])[:, 0] < self._log_density(outer[:, None])[:, 0]
            low, high = np.where(worse, inner, low), np.where(worse, high, outer)
        x = _inverse_logit((low + high) / 2)
        return self._reshape_values(np.where(x < 1e-290, 0.0, x))

    def _log_density(self, theta: FloatArray) -> Numbers:
        with np.errstate(divide="ignore"):
            log = np.log(self._evaluate_integrand(theta))
        return log + np.logaddexp(0, theta) + np.logaddexp(0, -theta)  # undo dx = x(1 − x)dθ

    def density(self, error: ArrayLike) -> Numbers:
        """Return the density at an error rate; at 0 and 1 that of the next float inside."""
        x, row, shape = self._match_rows(error)
        inside = np.clip(x, np.finfo(float).tiny, 1 - np.finfo(float).epsneg)
        value = (
            self._evaluate_integrand(_logit(inside)[:, None], row)[:, 0] / (inside * (1 - inside)) / self._total[row]
        )
        return value.reshape(shape)[()]

    def cdf(self, error: ArrayLike) -> Numbers:
        """Return the probability that the true error is at most this."""
        return self._mass_beyond(error, above=False)

    def exceedance(self, error: ArrayLike) -> Numbers:
        """Return the probability that the true error is above this."""
        return self._mass_beyond(error, above=True)

    def _mass_beyond(self, error: ArrayLike, *, above: bool) -> Numbers:
        """Return the mass beyond an error rate: that of whole panels, and of a part of the panel that contains it."""
        x, row, shape = self._match_rows(error)
        left, right = self.left[row], self.right[row]
        with np.errstate(divide="ignore"):
            theta = np.clip(_logit(x), _LOWEST, _HIGHEST)
        panel = np.minimum((right < theta[:, None]).sum(axis=1), right.shape[1] - 1)
        start, end = _take_panel(left, panel), _take_panel(right, panel)
        theta = np.clip(theta, start, end)
        places = np.arange(right.shape[1])
        beyond = places > panel[:, None] if above else places < panel[:, None]
        whole = np.where(beyond, self.mass[row], 0.0).sum(axis=1)
        mass = self._panel_mass(theta, end, row) if above else self._panel_mass(start, theta, row)
        return ((whole + mass) / self._total[row]).reshape(shape)[()]

    def _match_rows(self, error: ArrayLike) -> tuple[FloatArray, Any, tuple[int, ...]]:
        """Return error rates, the rows of the counts they belong to, and the shape of the answer."""
        counts = np.arange(self.peak.size).reshape(self.count.shape)
        x, row = np.broadcast_arrays(as_rates(error), counts)
        return x.ravel(), row.ravel(), x.shape

    def _panel_mass(self, a: FloatArray, b: FloatArray, row: Any = slice(None)) -> Numbers:
        return self._evaluate_integrand(_panel_nodes(a, b), row) @ _WEIGHTS * (b - a) / 2

    def quantile(self, probability: float) -> FloatArray:
        """Return the quantile: the error rate that the true one is below with this probability."""
        return self._reshape_values(self._find_quantile(as_probability(probability), reverse=False))

    def upper_quantile(self, probability: float) -> FloatArray:
        """Return the upper quantile: the error rate that the true one exceeds with this probability."""
        return self._reshape_values(self._find_quantile(as_probability(probability), reverse=True))

    def _find_quantile(self, probability: float, *, reverse: bool) -> FloatArray:
        mass = self.mass[:, ::-1] if reverse else self.mass
        upto = np.cumsum(mass, axis=1)
        target = probability * self._total
        panel = np.minimum((upto < target[:, None]).sum(axis=1), mass.shape[1] - 1)
        rest = target - (_take_panel(upto, panel) - _take_panel(mass, panel))
        panel = mass.shape[1] - 1 - panel if reverse else panel
        a, b = _take_panel(self.left, panel), _take_panel(self.right, panel)

        def step(share: FloatArray) -> tuple[FloatArray, FloatArray]:
            theta = b - share * (b - a) if reverse else a + share * (b - a)
            mass_so_far = self._panel_mass(theta, b) if reverse else self._panel_mass(a, theta)
            slope = self._evaluate_integrand(theta[:, None])[:, 0] * (b - a)
            return mass_so_far - rest, share - (mass_so_far - rest) / slope

        share = solve(step, np.full(a.shape, 0.5), 0.0, 1.0)
        return _inverse_logit(b - share * (b - a) if reverse else a + share * (b - a))


def _first_panels(errors: FloatArray, trials: FloatArray) -> tuple[Any, FloatArray, FloatArray]:
    """Return count, left and right edge of the first panels: dense around each peak, wide elsewhere."""
    a, b = errors + 0.5, trials - errors + 0.5
    centre, spread = np.log(a / b), np.sqrt((a + b) / (a * b))
    near = centre[:, None] + spread[:, None] * np.linspace(-40, 40, 41)
    far = np.broadcast_to(np.linspace(_LOWEST, _HIGHEST, 93), (errors.size, 93))
    edges = np.sort(np.clip(np.concatenate([near, far], axis=1), _LOWEST, _HIGHEST), axis=1)
    entry = np.repeat(np.arange(errors.size), edges.shape[1] - 1)
    left, right = edges[:, :-1].ravel(), edges[:, 1:].ravel()
    some = right > left
    return entry[some], left[some], right[some]


def _refine_panels(
    masses: Callable[..., Any], rounding: FloatArray, entry: Any, left: FloatArray, right: FloatArray
) -> tuple[Any, ...]:
    """Return count, edges and mass of panels, halved until their mass no longer changes."""
    kept: list[tuple[Any, ...]] = []
    total = np.zeros(rounding.size)
    whole = masses(entry, left, right)
    for _ in range(_DEEPEST):
        if not entry.size:
            break
        middle = (left + right) / 2
        lower, upper = masses(entry, left, middle), masses(entry, middle, right)
        both = lower + upper
        so_far = total + np.bincount(entry, both, total.size)
        # Near 1 the rounding of x limits the accuracy of 1 − x: e^θ times the rounding error.
        within = (rounding[entry] + 32 * np.finfo(float).eps * np.exp(right)) * both
        fine = (np.abs(both - whole) <= within) | (both <= _NEGLIGIBLE * so_far[entry])
        fine |= np.bincount(entry, minlength=total.size)[entry] > _MOST  # a prior that halving does not smooth
        kept.append((entry[fine], left[fine], middle[fine], lower[fine]))
        kept.append((entry[fine], middle[fine], right[fine], upper[fine]))
        total += np.bincount(entry[fine], both[fine], total.size)
        rest = ~fine
        left, right = np.concatenate([left[rest], middle[rest]]), np.concatenate([middle[rest], right[rest]])
        entry, whole = np.tile(entry[rest], 2), np.concatenate([lower[rest], upper[rest]])
    kept.append((entry, left, right, whole))
    return tuple(np.concatenate(columns) for columns in zip(*kept, strict=True))


def _log_integrand(prior: Callable[..., Any], errors: Any, trials: Any, theta: FloatArray) -> Numbers:
    """Return log(likelihood × prior × dx/dθ), relative to the peak of the first and last factor together."""
    errors, trials = (np.reshape(count, count.shape + (1,) * (theta.ndim - count.ndim)) for count in (errors, trials))
    # x^(m+1) (1−x)^(M−m+1), with dx = x(1−x)dθ, as a function of the distance from its peak: there the first-order
    # terms cancel exactly, whereas at 10⁹ trials the difference of their sums would keep only seven digits.
    a, b = errors + 1, trials - errors + 1
    few, many = np.minimum(a, b), np.maximum(a, b)
    distance = np.where(a <= b, 1.0, -1.0) * (theta - np.log(a / b))
    with np.errstate(over="ignore"):
        shape = few * distance - (a + b) * np.log1p(few / (few + many) * np.expm1(distance))
    with np.errstate(divide="ignore"):
        return shape + np.log(_evaluate_density(prior, _inverse_logit(theta)))


def _evaluate_density(prior: Callable[..., Any], x: FloatArray) -> FloatArray:
    try:
        with np.errstate(all="ignore"):
            value = np.broadcast_to(np.asarray(prior(x), dtype=float), x.shape)
    except (TypeError, ValueError) as error:
        raise InvalidOption(
            f"`prior` must be a function that maps error rates to densities, array by array, got an error: {error}"
        ) from error
    if not np.all((value >= 0) & (value < np.inf)):
        raise InvalidOption("`prior` must return finite densities of 0 or more inside (0, 1), got others.")
    return value


def _pad_rows(entry: Any, left: FloatArray, right: FloatArray, mass: FloatArray) -> tuple[FloatArray, ...]:
    """Return edges and masses in one row per count, in order, with empty panels at the end."""
    order = np.lexsort((left, entry))
    entry, left, right, mass = (values_of[order] for values_of in (entry, left, right, mass))
    sizes = np.bincount(entry)
    column = np.arange(entry.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    shape = (sizes.size, sizes.max())
    rows = np.full(shape, _HIGHEST), np.full(shape, _HIGHEST), np.zeros(shape)
    for row, values_of in zip(rows, (left, right, mass), strict=True):
        row[entry, column] = values_of
    return rows


def _panel_nodes(left: FloatArray, right: FloatArray) -> FloatArray:
    """Return the nodes of every panel, along a new last axis."""
    return (left + right)[..., None] / 2 + (right - left)[..., None] / 2 * _NODES


def _take_panel(rows: FloatArray, panel: Any) -> FloatArray:
    return np.take_along_axis(rows, panel[:, None], axis=1)[:, 0]


def _inverse_logit(theta: FloatArray) -> FloatArray:
    return np.exp(-np.logaddexp(0, -theta))


def _logit(x: FloatArray) -> FloatArray:
    return np.log(x) - np.log1p(-x)
