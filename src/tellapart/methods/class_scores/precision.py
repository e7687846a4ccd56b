"""The average precision of one model: limits on the log-odds scale."""

from __future__ import annotations

from math import inf

import numpy as np

from ...evidence import ClassScores
from ...numerics.distributions import tail
from ...results import Interval
from ...typing_ import Numbers, Side
from ..limits import as_interval
from ..pivots import Limits
from ..registry import Standing, interval
from .areas import logit_limits, require_model_count
from .assumptions import ENOUGH_POSITIVES, MORE_THAN_TWO_SCORES


@interval(
    name="ap-logit",
    title="logit interval",
    question=1,
    evidence=ClassScores,
    metrics=("average-precision",),
    assumes=(ENOUGH_POSITIVES, MORE_THAN_TWO_SCORES),
    standing=Standing.RECOMMENDED,
    rationale=(
        "treats average precision as a share of the positives: conservative, but valid with few positives, where "
        "the bootstrap is biased and too short"
    ),
    validity="20 positives or more",
    where={"positives": (20, inf)},
    monotone=False,
    reference="boyd2013",
)
def ap_logit(scores: ClassScores, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Return the limits of an average precision θ with m positives: its log odds ∓ z/√(mθ(1 − θ)), transformed back.

    For several classes it is the mean of each against the rest, with m of the rarest class. If all positives outrank
    all negatives, the lower limit is that of m successes in m trials.

    Parameters
    ----------
    scores
        The scores of one model.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".

    Examples
    --------
    >>> limits = ap_logit(ClassScores.from_scores([0, 1] * 20, np.arange(40) % 13, metric="average-precision"))
    >>> limits.low.round(3), limits.high.round(3)
    (np.float64(0.281), np.float64(0.693))
    """
    require_model_count(scores, "ap-logit", models=1)
    return as_interval("ap-logit", ap_limits(scores, scores.levels[..., 0], tail(alpha, side)), alpha, side)


def ap_limits(scores: ClassScores, area: Numbers, tail: float) -> Limits:
    """Return both limits of an average precision.

    Examples
    --------
    >>> scores = ClassScores.from_scores([0] * 50 + [1] * 30, range(80), metric="average-precision")
    >>> [round(float(limit), 3) for limit in ap_limits(scores, 1.0, 0.025)]
    [0.884, 1.0]
    """
    area = np.asarray(area, dtype=float)
    perfect = area >= 1  # it is never 0
    low, high = logit_limits(area, np.sqrt(area * (1 - area) / scores.positives), tail)
    return np.where(perfect, tail ** (1 / scores.positives), low)[()], np.where(perfect, 1.0, high)[()]
