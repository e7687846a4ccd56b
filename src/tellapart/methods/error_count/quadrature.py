"""The posterior under a prior that is only known as a function.

The integrand is likelihood × prior on the scale of the log odds θ, where neither end of
[0, 1] is special. Every count has panels of its own, placed around its likelihood's peak and
halved until a Gauss-Legendre rule no longer changes; all open panels of all counts are
evaluated together. Tails are kept to a relative, not an absolute accuracy, so that limits of
level 1 − 10⁻¹² have digits, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...evidence import ErrorCount
from ...types import FloatArray, Numbers
from ..roots import solve
from .posterior import Posterior, _rates

__all__ = ["IntegratedPosterior"]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_LOWEST, _HIGHEST = -700.0, 36.0  # θ of the smallest normal float, and of the largest below 1
_TOLERANCE, _NEGLIGIBLE, _DEEPEST = 1e-12, 1e-30, 60


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class IntegratedPosterior(Posterior):
    """Likelihood × prior, integrated: one row of panels for each count, padded with empty ones."""

    count: ErrorCount
    prior: Callable[..., Any]
    peak: FloatArray  # the largest log integrand of each count
    left: FloatArray  # panel edges in θ, by count and panel
    right: FloatArray
    mass: FloatArray  # integral over each panel, in units of exp(peak)

    @classmethod
    def of(cls, count: ErrorCount, prior: Callable[..., Any]) -> Self:
        """Integrate for every count."""
        errors, trials = np.ravel(count.errors).astype(float), np.ravel(count.trials).astype(float)
        entry, left, right = _first_panels(errors, trials)
        peak = np.full(errors.size, -np.inf)
        np.maximum.at(
            peak,
            entry,
            _log_integrand(prior, errors[entry], trials[entry], _inside(left, right)).max(axis=-1),
        )
        if not np.all(np.isfinite(peak)):
            raise InvalidOption("prior must be positive somewhere the likelihood is, but is 0 there. Widen it.")

        def masses(who: Any, a: FloatArray, b: FloatArray) -> Numbers:
            log = _log_integrand(prior, errors[who], trials[who], _inside(a, b)) - peak[who][:, None]
            return np.exp(log) @ _WEIGHTS * (b - a) / 2

        kept: list[tuple[Any, ...]] = []
        whole = masses(entry, left, right)
        for _ in range(_DEEPEST):
            middle = (left + right) / 2
            halves = masses(entry, left, middle), masses(entry, middle, right)
            both = halves[0] + halves[1]
            total = np.bincount(entry, both, errors.size) + sum(np.bincount(k[0], k[3], errors.size) for k in kept)
            fine = (np.abs(both - whole) <= _TOLERANCE * both) | (both <= _NEGLIGIBLE * total[entry])
            kept += [(entry[fine], left[fine], middle[fine], halves[0][fine])]
            kept += [(entry[fine], middle[fine], right[fine], halves[1][fine])]
            if fine.all():
                break
            rest = ~fine
            entry, left, right = (
                np.concatenate([x[rest], y[rest]]) for x, y in ((entry, entry), (left, middle), (middle, right))
            )
            whole = np.concatenate([halves[0][rest], halves[1][rest]])
        else:
            kept.append((entry, left, right, whole))  # what is open after 60 halvings is a jump of the prior
        return cls(count, prior, peak, *_padded(*(np.concatenate(part) for part in zip(*kept, strict=True))))

    @property
    def _total(self) -> Numbers:
        return self.mass.sum(axis=1)

    def _shaped(self, values: Any) -> FloatArray:
        return np.reshape(values, self.count.shape)[()]

    def _flat(self, values: ArrayLike) -> FloatArray:
        return np.broadcast_to(np.asarray(values, dtype=float), self.count.shape).reshape(-1)

    def _integrand(self, theta: FloatArray) -> Numbers:
        """Return the integrand at θ, whose first axis is the count's, in units of exp(peak)."""
        extra = (slice(None),) + (None,) * (theta.ndim - 1)
        errors, trials = (np.ravel(field).astype(float) for field in (self.count.errors, self.count.trials))
        return np.exp(_log_integrand(self.prior, errors[extra], trials[extra], theta) - self.peak[extra])

    def _moment(self, power: int, centre: FloatArray) -> Numbers:
        theta = _inside(self.left, self.right)
        weights = self._integrand(theta) * ((self.right - self.left) / 2)[..., None] * _WEIGHTS
        return ((_expit(theta) - centre[:, None, None]) ** power * weights).sum(axis=(1, 2)) / self._total

    @property
    def mean(self) -> FloatArray:
        """The expected true error."""
        return self._shaped(self._moment(1, np.zeros(self.peak.size)))

    @property
    def variance(self) -> FloatArray:
        """The variance of the true error."""
        return self._shaped(self._moment(2, np.ravel(self.mean)))

    @property
    def mode(self) -> FloatArray:
        """The most likely true error, by golden section around the densest node."""
        theta = _inside(self.left, self.right).reshape(self.peak.size, -1)
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
        x = _expit((low + high) / 2)
        return self._shaped(np.where(x < 1e-290, 0.0, x))

    def _log_density(self, theta: FloatArray) -> Numbers:
        with np.errstate(divide="ignore"):
            log = np.log(self._integrand(theta))
        return log + np.logaddexp(0, theta) + np.logaddexp(0, -theta)  # undo dx = x(1 − x)dθ

    def density(self, error: ArrayLike) -> FloatArray:
        """Return the density at an error rate strictly between 0 and 1."""
        x = self._flat(_rates(error))
        with np.errstate(divide="ignore", invalid="ignore"):
            inside = self._integrand(_logit(x)[:, None])[:, 0] / (x * (1 - x)) / self._total
        return self._shaped(np.where((x > 0) & (x < 1), inside, np.nan))

    def cdf(self, error: ArrayLike) -> FloatArray:
        """Return the probability that the true error is at most this."""
        return self._shaped(self._below(self._flat(_rates(error))))

    def exceedance(self, error: ArrayLike) -> FloatArray:
        """Return the probability that the true error is above this."""
        return self._shaped(self._above(self._flat(_rates(error))))

    def _below(self, x: FloatArray) -> Numbers:
        theta, panel = self._locate(x)
        before = np.where(np.arange(self.mass.shape[1]) < panel[:, None], self.mass, 0.0).sum(axis=1)
        return (before + self._part(_at(self.left, panel), theta)) / self._total

    def _above(self, x: FloatArray) -> Numbers:
        theta, panel = self._locate(x)
        after = np.where(np.arange(self.mass.shape[1]) > panel[:, None], self.mass, 0.0).sum(axis=1)
        return (after + self._part(theta, _at(self.right, panel))) / self._total

    def _locate(self, x: FloatArray) -> tuple[FloatArray, Any]:
        with np.errstate(divide="ignore"):
            theta = np.clip(_logit(x), _LOWEST, _HIGHEST)
        panel = np.minimum((self.right < theta[:, None]).sum(axis=1), self.mass.shape[1] - 1)
        return np.clip(theta, _at(self.left, panel), _at(self.right, panel)), panel

    def _part(self, a: FloatArray, b: FloatArray) -> Numbers:
        return self._integrand(_inside(a, b)) @ _WEIGHTS * (b - a) / 2

    def quantile(self, probability: float) -> FloatArray:
        """Return the error rate that the true error is below with this probability."""
        return self._shaped(self._cut(probability, reverse=False))

    def upper_quantile(self, probability: float) -> FloatArray:
        """Return the error rate that the true error exceeds with this probability."""
        return self._shaped(self._cut(probability, reverse=True))

    def _cut(self, probability: float, *, reverse: bool) -> FloatArray:
        mass = self.mass[:, ::-1] if reverse else self.mass
        upto = np.cumsum(mass, axis=1)
        wanted = probability * self._total
        panel = np.minimum((upto < wanted[:, None]).sum(axis=1), mass.shape[1] - 1)
        rest = wanted - (_at(upto, panel) - _at(mass, panel))
        panel = mass.shape[1] - 1 - panel if reverse else panel
        a, b = _at(self.left, panel), _at(self.right, panel)

        def step(share: FloatArray) -> tuple[FloatArray, FloatArray]:
            theta = b - share * (b - a) if reverse else a + share * (b - a)
            found = self._part(theta, b) if reverse else self._part(a, theta)
            slope = self._integrand(theta[:, None])[:, 0] * (b - a)
            return found - rest, share - (found - rest) / slope

        share = solve(step, np.full(a.shape, 0.5), 0.0, 1.0)
        return _expit(b - share * (b - a) if reverse else a + share * (b - a))


def _first_panels(errors: FloatArray, trials: FloatArray) -> tuple[Any, FloatArray, FloatArray]:
    """Return count, left and right edge of the panels to start from: dense around each peak, wide elsewhere."""
    a, b = errors + 0.5, trials - errors + 0.5
    centre, spread = np.log(a / b), np.sqrt((a + b) / (a * b))
    near = centre[:, None] + spread[:, None] * np.linspace(-40, 40, 41)
    far = np.broadcast_to(np.linspace(_LOWEST, _HIGHEST, 93), (errors.size, 93))
    edges = np.sort(np.clip(np.concatenate([near, far], axis=1), _LOWEST, _HIGHEST), axis=1)
    entry = np.repeat(np.arange(errors.size), edges.shape[1] - 1)
    left, right = edges[:, :-1].ravel(), edges[:, 1:].ravel()
    some = right > left
    return entry[some], left[some], right[some]


def _log_integrand(prior: Callable[..., Any], errors: Any, trials: Any, theta: FloatArray) -> Numbers:
    if errors.ndim < theta.ndim:
        errors, trials = (np.reshape(each, each.shape + (1,) * (theta.ndim - each.ndim)) for each in (errors, trials))
    with np.errstate(all="ignore"):
        value = np.asarray(prior(_expit(theta)), dtype=float)
    if value.shape != theta.shape:
        value = np.broadcast_to(value, theta.shape)
    if not np.all((value >= 0) & (value < np.inf)):
        raise InvalidOption("prior must return a density, finite and not negative, everywhere inside (0, 1).")
    with np.errstate(divide="ignore"):
        log_prior = np.log(value)
    # log x = −log(1 + e^−θ) and log(1 − x) = −log(1 + e^θ); dx = x(1 − x)dθ adds one to each power.
    return log_prior - (errors + 1) * np.logaddexp(0, -theta) - (trials - errors + 1) * np.logaddexp(0, theta)


def _padded(entry: Any, left: FloatArray, right: FloatArray, mass: FloatArray) -> tuple[FloatArray, ...]:
    """Return edges and masses as one row a count, in order, with empty panels behind the last."""
    order = np.lexsort((left, entry))
    entry, left, right, mass = (part[order] for part in (entry, left, right, mass))
    sizes = np.bincount(entry)
    column = np.arange(entry.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    shape = (sizes.size, sizes.max())
    rows = np.full(shape, _HIGHEST), np.full(shape, _HIGHEST), np.zeros(shape)
    for row, part in zip(rows, (left, right, mass), strict=True):
        row[entry, column] = part
    return rows


def _inside(left: FloatArray, right: FloatArray) -> FloatArray:
    """Return the nodes of every panel, along a new last axis."""
    return (left + right)[..., None] / 2 + (right - left)[..., None] / 2 * _NODES


def _at(rows: FloatArray, panel: Any) -> FloatArray:
    return np.take_along_axis(rows, panel[:, None], axis=1)[:, 0]


def _expit(theta: FloatArray) -> FloatArray:
    return np.exp(-np.logaddexp(0, -theta))


def _logit(x: FloatArray) -> FloatArray:
    return np.log(x) - np.log1p(-x)
