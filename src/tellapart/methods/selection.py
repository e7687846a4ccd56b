"""How surely a split chooses the better of two classifiers, and how large its test set must be (Yang 2006).

These are bounds and conditions, not estimates: they hold for any classifiers, and tell the order of things. Yang's
n₁ examples train both candidates and n₂ test them; the one with fewer errors is chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidOption
from ..rendering import Rendered, significant
from ..typing_ import FloatArray, one_of

Purpose = Literal["compare", "tune"]


def misselection_bound(difference: ArrayLike, disagreement: ArrayLike, n_test: ArrayLike) -> FloatArray:
    """Bound the probability that the worse of two classifiers makes fewer errors on the test set.

    exp(−n₂D²/(2V + 4D/3)), Bernstein's inequality for the difference D of the two error rates, whose variance V is
    at most the share of examples on which the classifiers disagree (proof of Yang's Theorem 1).

    Parameters
    ----------
    difference
        By how much the error rates differ; its sign does not matter.
    disagreement
        The probability that the two predict differently, no less than the difference.
    n_test
        How many examples test them.

    Examples
    --------
    >>> misselection_bound(0.02, 0.10, 1000).round(3)
    np.float64(0.171)
    """
    size = np.abs(_numbers("difference", difference, -1.0, 1.0))
    apart = _numbers("disagreement", disagreement, 0.0, 1.0)
    count = _numbers("n_test", n_test, 1.0, np.inf)
    if np.any(size > apart * (1 + 1e-12)):
        raise InvalidOption(
            f"difference must not exceed the disagreement, but {np.max(size):g} does: two classifiers that agree err"
            " alike."
        )
    below = 2 * apart + 4 * size / 3
    bound: FloatArray = np.exp(-count * size**2 / np.where(below > 0, below, 1.0))[()]
    return bound


def risk_bound(n_test: ArrayLike, disagreement: ArrayLike) -> FloatArray:
    """Bound by how much the chosen classifier's expected error exceeds that of the better candidate.

    (4 ln n₂ + 3)/(3n₂) + √(2 ln n₂/n₂)·√P(disagree), Yang's Theorem 2: choosing on n₂ examples costs
    no more than this, whichever was chosen.

    Parameters
    ----------
    n_test
        How many examples test them.
    disagreement
        The probability that the two predict differently.

    Examples
    --------
    >>> risk_bound(1000, 0.1).round(4)
    np.float64(0.0474)
    """
    count = _numbers("n_test", n_test, 1.0, np.inf)
    apart = _numbers("disagreement", disagreement, 0.0, 1.0)
    log = np.log(count)
    bound: FloatArray = ((4 * log + 3) / (3 * count) + np.sqrt(2 * log / count) * np.sqrt(apart))[()]
    return bound


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SplittingAdvice(Rendered):
    """What share of the examples should test two learners, and what that rests on.

    `exponent` is 2β − η: the test set has to outgrow the training set to this power. `fixed_ratio` tells
    whether n₁ and n₂ of one order (half and half, or three to one) choose the better learner in the end, and `share` is
    how much of the examples to test on; `test_size` is n₂ = n₁^(2β−η) at that many examples, if they were told.
    """

    exponent: float
    fixed_ratio: bool
    share: float
    words: str
    examples: int = 0
    test_size: int = 0

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        shown = [
            ("test on", f"{'at least ' * (not self.fixed_ratio)}{significant(self.share)} of the examples"),
            ("condition", f"n₂/n₁^{significant(self.exponent)} → ∞ (Yang 2006, Theorem 1)"),
        ]
        if self.examples:
            shown.append(("border", f"{self.test_size} of {self.examples} examples"))
        return [*shown, ("in words", self.words)]

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        names = ("exponent", "fixed_ratio", "share", "examples", "test_size", "words")
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        return str(self)


def splitting_advice(
    *, regret_rate: float, disagreement_rate: float = 0.0, examples: int = 0, purpose: Purpose = "compare"
) -> SplittingAdvice:
    """Tell how to divide examples between training and testing, so that the better learner is chosen.

    By Yang's Theorem 1 the choice is right in the end if n₁ → ∞ and n₂·max(p², q²)/s → ∞, with the regrets p and q
    of the learners and the probability s that they disagree. Where the larger regret falls as
    n^−β and disagreement as n^−η this is n₂/n₁^(2β−η) → ∞: below 1, half and half will do; from 1 on
    no fixed ratio does, and more data divided alike may even hurt. Where regrets fall no faster than
    1/n, n₂/n₁² → ∞ is always enough (Corollary 1).

    Parameters
    ----------
    regret_rate
        β: how fast the worse learner's error approaches the least possible, n^−β; ½ for parametric models, less for
        most others.
    disagreement_rate
        η: how fast the two learners come to agree, n^−η, from 0 (never) to β.
    examples
        How many there are, to be told where n₂ = n₁^(2β−η) lies.
    purpose
        "compare" to find the better learner, or "tune" to have a good classifier, whichever it is.

    Examples
    --------
    >>> advice = splitting_advice(regret_rate=0.4)
    >>> round(advice.exponent, 3), advice.fixed_ratio, advice.share
    (0.8, True, 0.25)
    >>> splitting_advice(regret_rate=0.5).fixed_ratio
    False
    """
    beta = float(_numbers("regret_rate", regret_rate, 0.0, 1.0))
    eta = float(_numbers("disagreement_rate", disagreement_rate, 0.0, 1.0))
    one_of("purpose", purpose, Purpose)
    if beta == 0 or eta > beta:
        raise InvalidOption(
            f"the rates must be 0 < regret_rate ≤ 1 and 0 ≤ disagreement_rate ≤ regret_rate, but are {beta:g} and"
            f" {eta:g}."
        )
    count = int(_numbers("examples", examples, 0.0, 2.0**53))
    exponent = 2 * beta - eta
    fixed = exponent < 1
    share = 0.25 if fixed and beta < 0.5 else 0.5
    return SplittingAdvice(
        exponent=exponent,
        fixed_ratio=fixed,
        share=share,
        words=_words(beta, fixed=fixed, purpose=purpose),
        examples=count,
        test_size=_border(count, exponent) if count else 0,
    )


def _words(beta: float, *, fixed: bool, purpose: Purpose) -> str:
    if purpose == "tune":
        return (
            "To tune one learner, a good classifier is wanted and not the best setting: a small test share will do,"
            " and leave-one-out may."
        )
    if fixed and beta < 0.5:
        return (
            "Training and test sets of one order choose the better learner in the end: the customary quarter will do,"
            " and a third or a half does better where examples are few and the learners accurate."
        )
    if fixed:
        return (
            "The learners come to agree fast enough for training and test sets of one order; as they are accurate,"
            " test on a half, or on a third at least."
        )
    return (
        "No fixed ratio chooses the better learner in the end, and the customary quarter does not: the better the"
        " learners become, the larger the test set has to be beside the training set. More examples call for a larger"
        " test share; n₂/n₁² → ∞ is always enough (Corollary 1)."
    )


def _border(examples: int, exponent: float) -> int:
    """Return n₂ where n₁ + n₁^exponent is all examples, rounded up."""
    low, high = 0.0, float(examples)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if middle + middle**exponent < examples else (low, middle)
    return int(np.ceil(examples - low - 1e-9))


def _numbers(name: str, value: Any, least: float, most: float) -> FloatArray:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise InvalidOption(f"{name} must be numbers, but is {value!r}.") from None
    if not np.all((array >= least) & (array <= most) & np.isfinite(array)):
        raise InvalidOption(f"{name} must lie between {least:g} and {most:g}, but is {value!r}.")
    return array[()]
