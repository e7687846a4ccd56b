"""The likelihood ratio."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...evidence import ErrorCount
from ...evidence.validation import as_threshold
from ...numerics.large_beta import deviance
from ...numerics.repetition import once
from ...numerics.roots import solve
from ...typing_ import FloatArray, Numbers
from ..pivots import Limits, Score
from ..registry import Standing, procedure
from .assumptions import NORMAL_APPROXIMATION, NORMAL_WITH_ROOM
from .score import score_limits


@procedure(
    name="likelihood-ratio",
    evidence=ErrorCount,
    standing=Standing.SOUND,
    reference="wilks1938",
    interval={
        "assumes": NORMAL_APPROXIMATION,
        "because": "short, and the one that carries over to other models; too short at no errors",
    },
    test={**NORMAL_WITH_ROOM, "because": "it decides as the interval does"},
)
def likelihood_ratio(count: ErrorCount) -> Score:
    """Likelihood ratio interval and test for an error rate.

    Notes
    -----
    The limits hold the error rates whose likelihood is not too far below the largest: 2 log(L(e)/L(p)) ≤ z². At no
    errors the upper limit is 1 − exp(−z²/(2M)), about half of what Clopper and Pearson need. The statistic is the
    signed root of the likelihood ratio.

    Examples
    --------
    >>> round(likelihood_ratio(ErrorCount(0, 20)).interval().high, 4)
    np.float64(0.0916)
    >>> round(likelihood_ratio(ErrorCount(15, 148)).test(0.05).statistic, 3)
    np.float64(2.533)
    """
    return Score(
        z=lambda null: -_signed_root(as_threshold(null, count), count.errors, count.trials),
        invert=lambda z: once(lambda m, n: _deviance_limits(m, n, z), count),
    )


def _signed_root(p: Any, errors: Any, trials: Any) -> Numbers:
    """Return ±√(2 log(L(e)/L(p))), positive where p exceeds e."""
    with np.errstate(divide="ignore", invalid="ignore"):
        inner = deviance(errors, trials - errors, p)
        none, everything = -trials * np.log1p(-p), -trials * np.log(p)
    distance = np.where(errors == 0, none, np.where(errors == trials, everything, inner))
    return np.sign(p - errors / trials) * np.sqrt(np.maximum(2 * distance, 0.0))


def _deviance_limits(errors: Any, trials: Any, z: float) -> Limits:
    def limit(target: float, start: FloatArray) -> Numbers:
        def step(p: FloatArray) -> tuple[FloatArray, FloatArray]:
            root = _signed_root(p, errors, trials)
            # The root is nearly straight in the log odds; its slope there is (Mp − m)/root.
            change = np.exp(-(root - target) * root / (trials * p - errors))
            return root - target, p * change / (1 - p + p * change)

        return solve(step, start, 0.0, 1.0)

    low, high = score_limits(errors, errors, trials, z)
    tiny = np.finfo(float).tiny
    inner_low, inner_high = limit(-z, np.maximum(low, tiny)), limit(z, np.minimum(high, 1 - 2**-53))
    # All or nothing has closed forms; a bound below level ½ (negative z) lies on the other side of e.
    near, far = -np.expm1(-z * z / (2 * trials)), np.exp(-z * z / (2 * trials))
    none, everything = np.asarray(errors) == 0, np.equal(errors, trials)
    low = np.where(none, near if z < 0 else 0.0, np.where(everything, far if z > 0 else 1.0, inner_low))
    high = np.where(none, near if z > 0 else 0.0, np.where(everything, far if z < 0 else 1.0, inner_high))
    return low[()], high[()]
