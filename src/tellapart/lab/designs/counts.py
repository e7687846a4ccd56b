"""Shared parts of designs of counts: parameters that may be arrays, and ranges of counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...numerics.distributions import binomial_quantile
from ...typing_ import FloatArray, IntArray
from ..design import Design

# The probability of all outcomes that are left out at one end of one count: sizes at the tiniest alphas keep digits.
_NEGLIGIBLE = 1e-20
MOST = 1_000_000  # outcomes of two counts
ROUNDING = 1e-12  # by which sums of rates may be off
STEPS = (0.01, 0.02, 0.05)  # differences at which power is measured unless others are asked for


class CountDesign(Design):
    """Base class of the three designs of counts, with parameters that may be arrays."""

    __slots__ = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the parameters."""
        return np.broadcast_shapes(*(np.shape(getattr(self, name)) for name in self._rates))

    _rates: ClassVar[tuple[str, ...]]

    def _check_shapes(self) -> None:
        try:
            _ = self.shape
        except ValueError:
            shapes = ", ".join(f"{name} {np.shape(getattr(self, name))}" for name in self._rates)
            raise InvalidOption(f"the rates of a design must have one shape, got {shapes}.") from None

    def _check_one(self, what: str) -> None:
        if self.shape:
            raise InvalidOption(
                f"`{what}` needs one design, got an array of shape {self.shape}. Take one of them: design[0]."
            )

    def __getitem__(self, index: Any) -> Self:
        if not self.shape:
            raise IndexError(f"this {type(self).__name__} is one design and cannot be indexed")
        spread = np.broadcast_arrays(*(getattr(self, name) for name in self._rates))
        picked = {name: part[index] for name, part in zip(self._rates, spread, strict=True)}
        return replace(self, **picked)  # type: ignore[type-var]


def true_of(design: Design, parameter: str, truths: Mapping[str, FloatArray]) -> FloatArray:
    """Return the true value of a parameter; raise InvalidOption if the design does not have it."""
    if parameter not in truths:
        raise InvalidOption(f"`parameter` must be one of {', '.join(truths)}, got {parameter!r}: {design!r}.")
    return truths[parameter]


def few(number: int) -> int:
    """Return a number of outcomes, or 0 if there are too many to enumerate."""
    return number if number <= MOST else 0


def reach(examples: int, rates: Sequence[ArrayLike] | FloatArray) -> IntArray:
    """Return the range of counts with positive probability under any of the rates."""
    true = np.array([float(np.asarray(value)) for value in rates])
    low = binomial_quantile(_NEGLIGIBLE, examples, true).min()
    high = examples - binomial_quantile(_NEGLIGIBLE, examples, 1 - true).min()
    return np.arange(low, high + 1)


def number_text(value: ArrayLike, unit: str = "") -> str:
    """Return a number, or the range of several, with four significant digits.

    Examples
    --------
    >>> number_text(0.81), number_text([1.0, 2.5])
    ('0.81', '1 to 2.5')
    """
    least, most = f"{np.min(value):.4g}{unit}", f"{np.max(value):.4g}{unit}"
    return least if least == most else f"{least} to {most}"


def percent_text(value: ArrayLike) -> str:
    """Return a rate as a percentage, or the range of several.

    Examples
    --------
    >>> percent_text(0.025), percent_text([0.05, 0.1])
    ('2.5%', '5% to 10%')
    """
    return number_text(100 * np.asarray(value), "%")


def error_rates_text(*rates: ArrayLike) -> str:
    """Return the error rates of models; equal ones once.

    Examples
    --------
    >>> error_rates_text(0.1), error_rates_text(0.1, 0.1), error_rates_text(0.31, 0.21)
    ('error rate 10%', 'error rates 10%', 'error rates 31% and 21%')
    """
    texts = list(dict.fromkeys(map(percent_text, rates)))
    return f"error rate{'s' * (len(rates) > 1)} {' and '.join(texts)}"
