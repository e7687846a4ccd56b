"""The result of a test."""

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

SMALLEST = np.finfo(np.float64).tiny  # a p-value is never 0, but at least the smallest normal float


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
    rejects: BoolArray | None = None  # the decision of a rule without a p-value
    chooses: IntArray | None = None  # the favoured model, if it may not have the better mean: −1 A, 1 B, 0 neither
    estimate: FloatArray | None = None  # the tested difference, if it is not that of the evidence
    practical: Practical | None = None  # the posterior probabilities, if there are any
    mixing: Mixing | None = None  # the convergence of the draws, if it comes from chains
    simulated: Simulated | None = None  # the draws behind the p-value, if it is a share of draws
    method: str = ""  # the name of the test
    title: str = ""  # the title in output
    statistic_name: str = ""  # the name of the statistic: "z", "P(B better)"
    note: str = ""  # a remark for readers, such as the prior
    reference: Any = ""  # its source
    forbidden: bool = False  # whether it should not be used; then its p-value is not a share of test sets
    _leader = "pvalue"

    def __post_init__(self) -> None:
        # np.maximum keeps NaN, the p-value of a rule without one; fmax would not.
        object.__setattr__(self, "pvalue", np.maximum(self.pvalue, SMALLEST))

    def _repr_html_(self) -> str:
        return html_fields(self)

    def rejected(self, alpha: float) -> BoolArray:
        """Return whether the test rejects at alpha; a rule without a p-value has its own decision."""
        return self.pvalue < alpha if self.rejects is None else self.rejects
