"""Rows for the notes that many answers share: effect sizes, other tests, split sensitivity, variance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..display import Row
from ..figures import short_names
from .narrate import components_text
from .wording import precise_p_text

if TYPE_CHECKING:
    from .effects import Effects


def placed_note_rows(answer: Any) -> Iterator[Row]:
    """Yield a row for each of these notes that the answer has."""
    models = answer.evidence.models
    effects, practical = answer.note("effect_sizes"), getattr(answer, "practical", None)
    if len(models) == 2:
        a, b = short_names(models).values()
        if practical is not None:
            yield Row("rope", practical.sentence(a, b))
        if effects is not None and not effects.shape:
            yield Row("effect", effect_text(effects, a, b))
    for position, (name, test) in enumerate(answer.note("other_tests", {}).items()):
        text = precise_p_text(float(test.pvalue), answer.alpha, test.simulated)
        yield Row("or" if not position else "", f"{name}: {text}")
    pvalues = answer.note("reseeded_pvalues")
    if pvalues is not None:
        yield Row("splits", split_sensitivity_text(pvalues, answer.alpha))
    components = components_text(answer, "difference" if len(models) == 2 else "loss")
    if components:
        yield Row("design", components)


def effect_text(effects: Effects, a: str, b: str) -> str:
    """Return wins, ties and losses, the share of data sets won, and the rank-biserial correlation.

    Examples
    --------
    >>> from .effects import Effects
    >>> counts = {"a_wins": np.int64(3), "ties": np.int64(0), "b_wins": np.int64(5)}
    >>> sizes = {"superiority": np.float64(0.625), "rank_biserial": np.float64(0.1), "typical": np.float64(0.1)}
    >>> effect_text(Effects(**counts, **sizes), "nb", "svm")
    'svm wins 5, ties 0, nb wins 3; svm wins 62.5% of the data sets; rank-biserial correlation 0.1 for svm'
    """
    share, correlation = float(effects.superiority), float(effects.rank_biserial)
    if np.isnan(share):
        return "undefined: no data set has a score of both"
    first, second = (b, a) if effects.b_wins >= effects.a_wins else (a, b)
    wins = sorted((int(effects.a_wins), int(effects.b_wins)), reverse=True)
    ties = f"ties {int(effects.ties)}" + (f" (within {effects.rope:g})" if effects.rope else "")
    half = ", ties counted half" if effects.ties else ""
    won = "both win half of the data sets"
    if share != 0.5:
        won = f"{b if share > 0.5 else a} wins {100 * max(share, 1 - share):.3g}% of the data sets"
    favour = f" for {b if correlation > 0 else a}" if correlation else ""
    return (
        f"{first} wins {wins[0]}, {ties}, {second} wins {wins[1]}; {won}{half};"
        f" rank-biserial correlation {abs(correlation):.3g}{favour}"
    )


def split_sensitivity_text(pvalues: np.ndarray, alpha: float) -> str:
    """Return the range of p-values over other seeds of the splits.

    Examples
    --------
    >>> split_sensitivity_text(np.array([0.01, 0.2, 0.03]), 0.05)
    'p over 3 other seeds of the splits: 0.01 to 0.2, median 0.03; 2 below 0.05'
    """
    from ..figures import precise_pvalue_text

    low, middle, high = np.quantile(pvalues, (0.0, 0.5, 1.0), method="inverted_cdf").tolist()
    below = int(np.count_nonzero(pvalues < alpha))
    least, half, most = (precise_pvalue_text(value, alpha) for value in (low, middle, high))
    return (
        f"p over {pvalues.size} other seeds of the splits: {least} to {most}, median {half}; {below} below {alpha:.6g}"
    )
