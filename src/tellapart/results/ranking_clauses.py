"""Used by pages that are being rewritten."""

from __future__ import annotations

import numpy as np

from .ranking import Ranking
from .ranking_text import level_scale, test_text
from .wording import p_text


def state_rule(answer: Ranking) -> str:
    """Return test and adjustment."""
    return test_text(answer)


def adjusted_text(answer: Ranking, pair: int, name: str = "p") -> str:
    """Return the adjusted p-value of a pair with its name."""
    simulated = answer.pairs.adjusted_simulated
    return p_text(float(answer.adjusted[pair]), answer.alpha, None if simulated is None else simulated[pair], name)


def level_spread(answer: Ranking) -> float:
    """Return a width for the digits of levels."""
    return 4 * 10.0 ** -level_scale(answer).decimals


def luck_text(answer: Ranking, point: str = "point") -> str:  # noqa: ARG001
    """Return the bias of the leader."""
    return f"{float(answer.note('optimism', np.nan)):.2g}"
