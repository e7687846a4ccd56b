"""The result of a comparison of all pairs of learners by their mean ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..rendering import html_fields
from ..shaped import Shaped
from ..typing_ import FloatArray
from .test_result import SMALLEST


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeanRanks(Shaped):
    """The mean rank of each learner, and the statistics of all pairs in the order of `ScoreTable.pairs`.

    A statistic is positive if B, the second of a pair, is better. `allows` is whether the p-values are already adjusted
    for their number; `critical` is the critical difference of mean ranks, NaN if the method has none.
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
