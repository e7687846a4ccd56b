"""Slopes, and distributions of sums of discordant errors, for the exhibits of Yang (2006)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...typing_ import FloatArray
from ..measured import Measured


def slope_of(sizes: ArrayLike, values: list[Measured]) -> Measured:
    """Return the exponent b of values proportional to size^b, by weighted least squares of logarithms.

    Examples
    --------
    >>> slope_of([10, 100], [Measured(0.1, 0.001), Measured(0.01, 0.0001)]).value.__round__(6)
    -1.0
    """
    x, y = np.log(np.asarray(sizes, dtype=float)), np.log([measured.value for measured in values])
    weight = np.array([(measured.value / measured.error) ** 2 for measured in values])
    away = x - np.average(x, weights=weight)
    below = (weight * away**2).sum()
    return Measured(float((weight * away * y).sum() / below), float(1 / np.sqrt(below)))


def sum_of_discordant_errors(only_a: float, only_b: float, n_test: int) -> FloatArray:
    """Return the probabilities of ΣW = −n, …, n, where W is 1 for "only A wrong", −1 for "only B wrong", else 0.

    Computed from the characteristic function of one W to the power n, by an inverse Fourier transform.

    Examples
    --------
    >>> sum_of_discordant_errors(0.5, 0.5, 2).round(12).tolist()
    [0.25, 0.0, 0.5, 0.0, 0.25]
    """
    length = 1 << (2 * n_test).bit_length()  # a power of 2, for speed
    angle = 2 * np.pi * np.arange(length) / length
    characteristic: Any = only_a * np.exp(-1j * angle) + only_b * np.exp(1j * angle) + (1 - only_a - only_b)
    probabilities: FloatArray = np.maximum(
        np.fft.ifft(characteristic**n_test).real[np.arange(-n_test, n_test + 1)], 0.0
    )
    return probabilities


def right_choice(difference: float, disagreement: float, n_test: int) -> float:
    """Return the probability that the better of two classifiers makes fewer errors, with ties decided by a coin.

    Examples
    --------
    >>> right_choice(0.0, 0.1, 50).__round__(12), right_choice(0.1, 0.1, 50) > 0.99
    (0.5, True)
    """
    only_worse, only_better = (disagreement + difference) / 2, (disagreement - difference) / 2
    chance = sum_of_discordant_errors(only_worse, only_better, n_test)
    return float(chance[n_test + 1 :].sum() + chance[n_test] / 2)
