"""The probability that a split selects the better of two classifiers, and the size of its test set (Yang 2006).

These are bounds and conditions, not estimates: they hold for any classifiers, and show orders of magnitude. Yang's n₁
examples train both candidates and n₂ test them; the one with fewer errors is selected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..display import Display, Row
from ..errors import InvalidOption
from ..figures import Scale
from ..rendering import Rendered, significant
from ..typing_ import FloatArray, one_of

Purpose = Literal["compare", "tune"]


def misselection_bound(difference: ArrayLike, disagreement: ArrayLike, n_test: ArrayLike) -> FloatArray:
    """Return a bound of the probability that the worse of two classifiers makes fewer errors on the test set.

    exp(−n₂D²/(2V + 4D/3)), Bernstein's inequality for the difference D of the two error rates, whose variance V is at
    most the probability of different predictions (proof of Yang's Theorem 1).

    Parameters
    ----------
    difference
        The difference of the error rates; its sign does not matter.
    disagreement
        The probability of different predictions, which is at least the difference.
    n_test
        Number of test examples.

    Examples
    --------
    >>> misselection_bound(0.02, 0.10, 1000).round(3)
    np.float64(0.171)
    """
    size = np.abs(_as_numbers("difference", difference, -1.0, 1.0))
    discordant = _as_numbers("disagreement", disagreement, 0.0, 1.0)
    count = _as_numbers("n_test", n_test, 1.0, np.inf)
    if np.any(size > discordant * (1 + 1e-12)):
        raise InvalidOption(
            f"`difference` must be at most `disagreement`, got {np.max(size):g}."
            " Error rates differ only if predictions do."
        )
    below = 2 * discordant + 4 * size / 3
    bound: FloatArray = np.exp(-count * size**2 / np.where(below > 0, below, 1.0))[()]
    return bound


def risk_bound(n_test: ArrayLike, disagreement: ArrayLike) -> FloatArray:
    """Return a bound of the expected excess error of the selected classifier over the better candidate.

    (4 ln n₂ + 3)/(3n₂) + √(2 ln n₂/n₂)·√P(different predictions), Yang's Theorem 2.

    Parameters
    ----------
    n_test
        Number of test examples.
    disagreement
        The probability of different predictions.

    Examples
    --------
    >>> risk_bound(1000, 0.1).round(4)
    np.float64(0.0474)
    """
    count = _as_numbers("n_test", n_test, 1.0, np.inf)
    discordant = _as_numbers("disagreement", disagreement, 0.0, 1.0)
    log = np.log(count)
    bound: FloatArray = ((4 * log + 3) / (3 * count) + np.sqrt(2 * log / count) * np.sqrt(discordant))[()]
    return bound


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SplittingAdvice(Rendered):
    """The recommended share of test examples for comparing two learners.

    `exponent` is 2β − η: the test set must grow faster than this power of the training set. `fixed_ratio` is whether a
    fixed ratio of n₁ and n₂ (half and half, or three to one) selects the better learner asymptotically, and `share` is
    the share of test examples; `test_size` is n₂ = n₁^(2β−η) for `examples`, if they are known.
    """

    exponent: float
    fixed_ratio: bool
    share: float
    words: str
    examples: int = 0
    test_size: int = 0

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # there is no more
        """Return the share of examples for testing, the condition behind it, and what it means."""
        share = Scale("percent", 0).value(self.share)
        rows = [Row("design", f"n2/n1^{significant(self.exponent)} must tend to infinity (Yang 2006, Theorem 1)")]
        if self.examples:
            power = f"n2 = n1^{significant(self.exponent)}"
            rows.append(Row("data", f"{self.test_size:,} of {self.examples:,} examples for testing give {power}"))
        return Display(
            verdict=f"Test on {'' if self.fixed_ratio else 'at least '}{share} of the examples",
            blocks=(*rows, Row("scope", self.words)),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        names = ("exponent", "fixed_ratio", "share", "examples", "test_size", "words")
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        return str(self)


def splitting_advice(
    *, regret_rate: float, disagreement_rate: float = 0.0, examples: int = 0, purpose: Purpose = "compare"
) -> SplittingAdvice:
    """Return the recommended division of examples between training and testing for comparing two learners.

    Notes
    -----
    By Yang's Theorem 1 the selection is consistent if n₁ → ∞ and n₂·max(p², q²)/s → ∞, with the regrets p and q of the
    learners and the probability s of different predictions. If the larger regret decreases as n^−β and s as n^−η, this
    is n₂/n₁^(2β−η) → ∞: for an exponent below 1, half and half suffices; from 1 on no fixed ratio does, and more data
    divided in the same ratio may even be worse. If regrets decrease no faster than 1/n, n₂/n₁² → ∞ always suffices
    (Corollary 1).

    Parameters
    ----------
    regret_rate
        β: the worse learner's excess error decreases as n^−β; ½ for parametric models, less for most others.
    disagreement_rate
        η: the probability of different predictions decreases as n^−η, from 0 (constant) to β.
    examples
        Number of examples, for the size n₂ = n₁^(2β−η).
    purpose
        "compare" to select the better learner, or "tune" to obtain a good classifier.

    Examples
    --------
    >>> advice = splitting_advice(regret_rate=0.4)
    >>> round(advice.exponent, 3), advice.fixed_ratio, advice.share
    (0.8, True, 0.25)
    >>> splitting_advice(regret_rate=0.5).fixed_ratio
    False
    """
    beta = float(_as_numbers("regret_rate", regret_rate, 0.0, 1.0))
    eta = float(_as_numbers("disagreement_rate", disagreement_rate, 0.0, 1.0))
    one_of("purpose", purpose, Purpose)
    if beta == 0 or eta > beta:
        raise InvalidOption(
            f"`regret_rate` must be above 0 and `disagreement_rate` at most `regret_rate`, got {beta:g} and {eta:g}."
        )
    count = int(_as_numbers("examples", examples, 0.0, 2.0**53))
    exponent = 2 * beta - eta
    fixed = exponent < 1
    share = 0.25 if fixed and beta < 0.5 else 0.5
    return SplittingAdvice(
        exponent=exponent,
        fixed_ratio=fixed,
        share=share,
        words=_explain_share(beta, fixed=fixed, purpose=purpose),
        examples=count,
        test_size=_compute_test_size(count, exponent) if count else 0,
    )


def _explain_share(beta: float, *, fixed: bool, purpose: Purpose) -> str:
    if purpose == "tune":
        return "to tune one learner, a good classifier is enough: use a small test share, or leave-one-out"
    if fixed and beta < 0.5:
        return (
            "a fixed ratio selects the better learner asymptotically: the usual quarter is enough, a third or a half is"
            " better with few examples and accurate learners"
        )
    if fixed:
        return (
            "a fixed ratio selects the better learner asymptotically; because the learners are accurate, test on a"
            " half, or at least a third"
        )
    return (
        "no fixed ratio selects the better learner asymptotically: the more accurate the learners, the larger the test"
        " set must be relative to the training set; n2/n1^2 tending to infinity always suffices (Corollary 1)"
    )


def _compute_test_size(examples: int, exponent: float) -> int:
    """Return n₂ such that n₁ + n₁^exponent is the number of examples, rounded up."""
    low, high = 0.0, float(examples)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if middle + middle**exponent < examples else (low, middle)
    return int(np.ceil(examples - low - 1e-9))


def _as_numbers(name: str, value: Any, least: float, most: float) -> FloatArray:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise InvalidOption(f"`{name}` must be numbers, got {value!r}.") from None
    if not np.all((array >= least) & (array <= most) & np.isfinite(array)):
        raise InvalidOption(f"`{name}` must be between {least:g} and {most:g}, got {value!r}.")
    return array[()]
