"""What comparisons of learners over many data sets say: who wins where, by how much, in practice, and on what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..rendering import plain_number, points, significant

if TYPE_CHECKING:
    from .comparison import Comparison
    from .effects import Effects
    from .practical import Practical

# What the statistic of a test over all learners is called, and who described it.
OVERALL = {
    "friedman": ("Friedman's chi-square", "friedman1937"),
    "friedman-exact": ("Friedman's chi-square", "friedman1937"),
    "iman-davenport": ("Iman and Davenport's F", "iman1980"),
    "quade": ("Quade's F", "quade1979"),
    "aligned-ranks": ("the chi-square of aligned ranks", "hodges1962"),
    "skillings-mack": ("Skillings and Mack's chi-square", "skillings1981"),
}
ANY_ONE = "does not say who is better on any one of them"
_SURE = 0.001  # as far from 0 and 1 as probabilities are told
_LISTED = 6  # cells that a sentence can name
# What the middle of the differences is called that an interval is of; the mean otherwise.
_MIDDLE = {"wilcoxon-signed-rank": "typically", "sign-test": "at the median"}


def over_data_sets(evidence: Any) -> bool:
    """Whether the evidence is a table of scores, data sets by learners."""
    return bool(evidence.unit.name == "data set")


def wins_text(effects: Effects, a: str, b: str) -> str:
    """Say who wins how often, the one with more wins first.

    Examples
    --------
    >>> from .effects import Effects
    >>> half = {"superiority": np.float64(0.6), "rank_biserial": np.float64(0.1), "typical": np.float64(0.0)}
    >>> wins_text(Effects(a_wins=np.int64(3), ties=np.int64(1), b_wins=np.int64(5), **half), "nb", "svm")
    'svm wins 5, nb 3, 1 is a tie'
    """
    first, second = ((b, effects.b_wins), (a, effects.a_wins))
    if effects.a_wins > effects.b_wins:
        first, second = second, first
    ties = int(effects.ties)
    within = f" within {effects.rope:g}" if effects.rope else ""
    tied = f", {ties} {'is a tie' if ties == 1 else 'are ties'}{within}" if ties else ""
    return f"{first[0]} wins {first[1]}, {second[0]} {second[1]}{tied}"


def typical_text(told: Comparison, spread: float) -> str:
    """Say by how much one is ahead of the other: typically, at the median or on average."""
    a, b = told.evidence.models
    held: Any = told.evidence
    apart = float(told.difference)
    if np.isnan(apart):
        return "no data set has a score of both"
    middle = _MIDDLE.get(told.interval.method, "on average")
    size = margin_of(held, abs(apart), spread)
    if not apart:
        return f"{middle} they are level"
    if held.metric.is_rate:
        more, less = (a, b) if apart > 0 else (b, a)
        return f"{middle} {more} errs {size} more often than {less}"
    up, down = (b, a) if (apart > 0) == held.metric.higher_is_better else (a, b)
    which = "" if held.metric.higher_is_better else " (lower is better)"
    return f"{middle} the {held.metric.title} of {up} is {size} above that of {down}{which}"


def margin_of(evidence: Any, size: float, spread: float, *, unit: bool = True) -> str:
    """Write a difference: in points of errors, else as it is."""
    return points(size, spread, unit=unit) if evidence.metric.is_rate else plain_number(size, spread)


def effect_text(effects: Effects, a: str, b: str) -> str:
    """Say how large the difference is without its unit: how often one wins, and how the ranks of the wins lean.

    Examples
    --------
    >>> from .effects import Effects
    >>> counts = {"a_wins": np.int64(3), "ties": np.int64(0), "b_wins": np.int64(5)}
    >>> held = Effects(**counts, superiority=np.float64(0.625), rank_biserial=np.float64(0.1), typical=np.float64(0.1))
    >>> effect_text(held, "nb", "svm")
    'svm wins 62.5 % of the data sets; rank-biserial correlation 0.1 in favour of svm'
    """
    share, lean = float(effects.superiority), float(effects.rank_biserial)
    if np.isnan(share):
        return "none can be told"
    half = ", ties counted half" if effects.ties else ""
    wins = f"{b if share > 0.5 else a} wins {100 * max(share, 1 - share):.3g} % of the data sets{half}"
    favour = f" in favour of {b if lean > 0 else a}" if lean else ""
    return (
        f"{wins if share != 0.5 else 'both win equally often'}; rank-biserial correlation"
        f" {significant(abs(lean))}{favour}"
    )


def practical_text(practical: Practical, a: str, b: str, alpha: float) -> str:
    """Write the probabilities behind a verdict, by name, and whether one of them is beyond 1 − alpha.

    Examples
    --------
    >>> from .practical import Practical
    >>> held = Practical(a_better=np.float64(0.05), equivalent=np.float64(0.2), b_better=np.float64(0.75), rope=0.01)
    >>> practical_text(held, "nb", "svm", 0.3)
    'P(nb better) = 0.05, P(practically equal, within 0.01) = 0.2, P(svm better) = 0.75: svm is better in practice'
    """
    equal = f"P(practically equal, within {practical.rope:g}) {chance_text(practical.equivalent)}, "
    return (
        f"P({a} better) {chance_text(practical.a_better)}, {equal if practical.rope else ''}"
        f"P({b} better) {chance_text(practical.b_better)}{_in_practice(practical, a, b, alpha)}"
    )


def leading_text(practical: Practical, a: str, b: str) -> str:
    """Write the probability that one is better, of the one that is ahead.

    Examples
    --------
    >>> from .practical import Practical
    >>> held = Practical(a_better=np.float64(0.75), equivalent=np.float64(0.2), b_better=np.float64(0.05), rope=0.01)
    >>> leading_text(held, "nb", "svm")
    'P(nb better) = 0.75'
    """
    if practical.a_better > practical.b_better:
        return f"P({a} better) {chance_text(practical.a_better)}"
    return f"P({b} better) {chance_text(practical.b_better)}"


def chance_text(probability: Any) -> str:
    """Write a probability behind its name; draws cannot tell what is nearly 0 or 1 from it."""
    chance = float(probability)
    if chance < _SURE:
        return f"below {_SURE}"
    return f"above {1 - _SURE}" if chance > 1 - _SURE else f"= {significant(chance)}"


def _in_practice(practical: Practical, a: str, b: str, alpha: float) -> str:
    """Say what the region of practical equivalence lets one say, where it does."""
    if not practical.rope:
        return ""
    chances = (practical.a_better, practical.equivalent, practical.b_better)
    claims = (f"{a} is better in practice", "they are as good in practice", f"{b} is better in practice")
    found = next((claim for chance, claim in zip(chances, claims, strict=True) if chance > 1 - alpha), "")
    return f": {found}" if found else f"; none is beyond {1 - alpha:g}"


def scale_text(evidence: Any) -> str:
    """Say what the scores are, and which way is better."""
    which = "higher" if evidence.metric.higher_is_better else "lower"
    return f"{'error rate' if evidence.metric.is_rate else evidence.metric.title}, {which} is better"


def missing_text(evidence: Any) -> str:
    """Say which cells have no score, and what became of the data sets; nothing if there are none."""
    cells = evidence.missing
    if not cells:
        return ""
    named = ", ".join(f"{learner} on {dataset}" for dataset, learner in cells[:_LISTED])
    more = f" and {len(cells) - _LISTED} more" if len(cells) > _LISTED else ""
    two = len(evidence.learners) == 2
    count = len({dataset for dataset, _ in cells})
    then = (
        f"{count} data set{'s are' if count != 1 else ' is'} left out"
        if two
        else "two are compared where both have one"
    )
    return f" No score of {named}{more}: {then}."
