"""Whether draws by chains are fit to be read off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..shaped import Shaped
from ..typing_ import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # eq=False: arrays have no single ==
class Mixing(Shaped):
    """How far the chains behind an answer agree (split R-hat), and how many independent draws they are worth.

    An answer that is read off such draws carries it, so that a check judges these very draws. Where nothing had to be
    drawn they agree, and are worth any number.

    Examples
    --------
    >>> Mixing(agreement=np.array([1.0, 1.3]), effective=np.array([5000.0, 20.0]))[1].agreement
    np.float64(1.3)
    """

    agreement: FloatArray
    effective: FloatArray
    _leader = "agreement"


def worst_mixing(*answers: Any) -> Mixing | None:
    """Return the least that can be said of the draws behind several answers; None if none of them drew by chains.

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
