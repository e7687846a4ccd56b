"""The convergence of Markov chains behind an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..shaped import Shaped
from ..typing_ import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # eq=False: arrays have no single ==
class Mixing(Shaped):
    """The agreement of the chains behind an answer (split R-hat), and the effective sample size of their draws.

    An answer from such draws has this field, so that a check can use it. If nothing was drawn, the agreement is perfect
    and the effective sample size infinite.

    Examples
    --------
    >>> Mixing(agreement=np.array([1.0, 1.3]), effective=np.array([5000.0, 20.0]))[1].agreement
    np.float64(1.3)
    """

    agreement: FloatArray
    effective: FloatArray
    _leader = "agreement"


def worst_mixing(*answers: Any) -> Mixing | None:
    """Return the worst convergence of the chains behind several answers; None if none of them used chains.

    Examples
    --------
    >>> from tellapart.results import TestResult
    >>> good, bad = (Mixing(agreement=np.float64(one), effective=np.float64(900.0)) for one in (1.0, 1.5))
    >>> both = (TestResult(statistic=np.float64(0), pvalue=np.float64(1), mixing=each) for each in (good, bad))
    >>> worst_mixing(*both, None).agreement
    np.float64(1.5)
    """
    carried = (getattr(answer, "mixing", None) for answer in answers)
    mixings = [mixing for mixing in carried if mixing is not None]
    if not mixings:
        return None
    return Mixing(
        agreement=np.max([mixing.agreement for mixing in mixings], axis=0),
        effective=np.min([mixing.effective for mixing in mixings], axis=0),
    )
