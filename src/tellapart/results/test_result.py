"""What a test gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..rendering import html_fields
from ..shaped import Shaped
from ..typing_ import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from .mixing import Mixing
    from .practical import Practical
    from .simulated import Simulated

SMALLEST = np.finfo(np.float64).tiny  # a p-value is never 0: the smallest normal float stands for less


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TestResult(Shaped):
    """A statistic and its p-value.

    Examples
    --------
    >>> TestResult(statistic=np.float64(40.0), pvalue=np.float64(0.0)).pvalue
    np.float64(2.2250738585072014e-308)
    """

    __test__ = False  # its name must not make pytest collect it

    statistic: FloatArray
    pvalue: FloatArray
    rejects: BoolArray | None = None  # the verdict of a rule that has no p-value
    chooses: IntArray | None = None  # whom it speaks for, if not for who does better on average: −1 A, 1 B, 0 neither
    estimate: FloatArray | None = None  # the difference it speaks of, if that is not the evidence's own
    practical: Practical | None = None  # the probabilities behind it, where it is read off a posterior
    mixing: Mixing | None = None  # what the draws are worth, where it is read off chains
    simulated: Simulated | None = None  # how small a p-value the draws can give, where it is a share of them
    method: str = ""  # which test it is
    title: str = ""  # what readers know it by
    statistic_name: str = ""  # what its statistic is: "z", "P(B better)"
    note: str = ""  # what it wants said of itself: the prior
    reference: Any = ""  # who described it
    forbidden: bool = False  # whether the test is: then its p-value is no share of test sets
    _leader = "pvalue"

    def __post_init__(self) -> None:
        # fmax would turn NaN, which says that a rule has no p-value, into a number.
        object.__setattr__(self, "pvalue", np.maximum(self.pvalue, SMALLEST))

    def _repr_html_(self) -> str:
        return html_fields(self)

    def rejected(self, alpha: float) -> BoolArray:
        """Whether the test rejects at alpha; a rule without a p-value has its own verdict."""
        return self.pvalue < alpha if self.rejects is None else self.rejects
