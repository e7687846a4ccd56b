"""What a method gives that compares every two of several learners by their mean ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..rendering import html_fields
from ..shaped import Shaped
from ..typing_ import FloatArray
from .test_result import SMALLEST


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeanRanks(Shaped):
    """The mean rank of each learner, and what every two of them differ by, in the order of `ScoreTable.pairs`.

    A statistic is positive where B, the second of a pair, is better. `allows` says that the p-values allow for their
    number already; `critical` is the difference of mean ranks from which two are told apart at the alpha asked for,
    where the method has one.
    """

    ranks: FloatArray
    statistic: FloatArray
    pvalue: FloatArray
    critical: float = np.nan
    allows: bool = False
    _leader = "pvalue"

    def __post_init__(self) -> None:
        object.__setattr__(self, "pvalue", np.maximum(self.pvalue, SMALLEST))

    def _repr_html_(self) -> str:
        return html_fields(self)
