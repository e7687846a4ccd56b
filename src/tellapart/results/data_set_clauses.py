"""What comparisons of learners over many data sets say: who wins where, by how much, in practice, and on what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..evidence import Evidence
from ..rendering import significant
from .comparison_clauses import names_of
from .narrate import Fact, is_over_data_sets
from .wording import difference_text

if TYPE_CHECKING:
    from .comparison import Comparison
    from .effects import Effects
    from .practical import Practical

_SURE = 0.001  # as far from 0 and 1 as probabilities are told


def list_effects(answer: Comparison) -> Iterator[Fact]:
    """Yield what only a comparison over data sets, or one by a posterior, has to say."""
    names, practical = names_of(answer), answer.practical
    effects, power = answer.note("effect_sizes"), answer.note("power")
    if practical is not None:
        shown = practical.rope or not is_over_data_sets(answer.evidence)
        text = practical_text(practical, *names, answer.alpha) if shown else ""
        yield Fact("practical", practical.as_dict, "in practice", text)
    if effects is not None:
        yield Fact("effects", effects.as_dict, "effect", effect_text(effects, *names))
    if power is not None:
        yield Fact("outlook", power.as_dict, "outlook", power.words)


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


def typical_text(answer: Comparison, spread: float) -> str:
    """Say who wins where, and by how much one is ahead of the other: typically, at the median or on average."""
    (a, b), evidence, effects = names_of(answer), answer.evidence, answer.note("effect_sizes")
    wins = "" if effects is None else f"{wins_text(effects, a, b)}; "
    difference, metric = float(answer.difference), evidence.metric
    if np.isnan(difference):
        return f"{wins}no data set has a score of both"
    middle = answer.interval.centre
    if not difference:
        return f"{wins}{middle} they are level"
    size = difference_text(abs(difference), spread, metric.name)
    if metric.is_rate:
        more, less = (a, b) if difference > 0 else (b, a)
        return f"{wins}{middle} {more} errs {size} more often than {less}"
    up, down = (b, a) if (difference > 0) == metric.higher_is_better else (a, b)
    which = "" if metric.higher_is_better else " (lower is better)"
    return f"{wins}{middle} the {metric.title} of {up} is {size} above that of {down}{which}"


def effect_text(effects: Effects, a: str, b: str) -> str:
    """Say how large the difference is without its unit: how often one wins, and how the ranks of the wins lean.

    Examples
    --------
    >>> from .effects import Effects
    >>> counts = {"a_wins": np.int64(3), "ties": np.int64(0), "b_wins": np.int64(5)}
    >>> sizes = {"superiority": np.float64(0.625), "rank_biserial": np.float64(0.1), "typical": np.float64(0.1)}
    >>> effect_text(Effects(**counts, **sizes), "nb", "svm")
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
    >>> chances = {"a_better": np.float64(0.05), "equivalent": np.float64(0.2), "b_better": np.float64(0.75)}
    >>> practical_text(Practical(**chances, rope=0.01), "nb", "svm", 0.3)
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
    >>> chances = {"a_better": np.float64(0.75), "equivalent": np.float64(0.2), "b_better": np.float64(0.05)}
    >>> leading_text(Practical(**chances, rope=0.01), "nb", "svm")
    'P(nb better) = 0.75'
    """
    ahead, chance = (a, practical.a_better) if practical.a_better > practical.b_better else (b, practical.b_better)
    return f"P({ahead} better) {chance_text(chance)}"


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
    claim = next((claim for chance, claim in zip(chances, claims, strict=True) if chance > 1 - alpha), "")
    return f": {claim}" if claim else f"; none is beyond {1 - alpha:g}"


def scale_text(evidence: Evidence) -> str:
    """Say what the scores are, and which way is better."""
    return f"{evidence.metric.title}, {'higher' if evidence.metric.higher_is_better else 'lower'} is better"
