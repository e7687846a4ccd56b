"""What a ranking of learners over many data sets says besides: mean ranks, effects, and who is not told apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..rendering import level_text, pvalue_text, significant
from .data_set_clauses import chance_text, leading_text, wins_text
from .narrate import Fact
from .ranking_clauses import adjusted_text
from .ranking_facts import foremost, lines_of_models, significant_pairs, test_values, values_of_pairs
from .wording import difference_text, written

if TYPE_CHECKING:
    from .ranking import Ranking

_OPEN = 6  # pairs that are not told apart of which the text shows the limits


def list_facts_of_ranks(answer: Ranking) -> Iterator[Fact]:
    """Yield the mean ranks, the pairs with their effects, and the tests over all learners."""
    yield Fact("control", answer.control)
    yield Fact("models", lambda: _values_of_models(answer), "mean ranks", lambda: _standings(answer))
    letters = "learners that share a letter are not told apart, which does not make them equal"
    yield Fact("groups", list(map(list, answer.groups)), "letters", letters if answer.groups else "")
    yield Fact("pairs", lambda: _values_of_pairs(answer), "told apart", lambda: significant_pairs(answer, _pair_text))
    yield Fact(label="not apart", text=lambda: _open_pairs(answer))
    yield Fact(label="as good", text=lambda: _equivalent_pairs(answer))
    yield Fact(label="limits", text=lambda: _limits_text(answer))
    tests = answer.note("overall_tests", {})
    texts = "; ".join(
        f"{test.statistic_name} {significant(float(test.statistic), 4)},"
        f" p = {pvalue_text(float(test.pvalue), answer.alpha)}"
        for test in tests.values()
    )
    values = {name: test_values(test) for name, test in tests.items()}
    yield Fact("overall", values, "overall", f"{texts} (do the learners differ at all?)" if tests else "")
    critical, power = answer.note("critical_difference", np.nan), answer.note("power")
    apart = f"mean ranks {significant(critical)} apart" if np.isfinite(critical) else ""
    yield Fact("critical_difference", critical, "critical", apart)
    yield Fact("outlook", power and power.as_dict(), "outlook", power.words if power else "")
    yield from (Fact(key, value) for key, value in answer.evidence.figures().items())


def _values_of_models(answer: Ranking) -> list[dict[str, Any]]:
    figures = zip(answer.models, answer.levels, answer.evidence.levels.tolist(), strict=True)
    return [
        {"name": name, "groups": answer.letters(name), "mean_rank": rank, "mean_score": mean}
        for name, rank, mean in figures
    ]


def _values_of_pairs(answer: Ranking) -> list[dict[str, Any]]:
    effects, practical = answer.note("effect_sizes"), answer.pairs.practical
    return [
        values
        | ({} if effects is None else {"effects": effects[pair].as_dict()})
        | ({} if practical is None else {"practical": practical[pair].as_dict()})
        for pair, values in enumerate(values_of_pairs(answer))
    ]


def _standings(answer: Ranking) -> list[str]:
    evidence = answer.evidence
    widths = np.asarray(answer.pairs.interval.width, dtype=float)
    least, most = evidence.metric.difference_bounds
    known = widths[widths < most - least]  # limits that are everything earn no digits, and take none away
    spread = float(known.min()) if known.size else 0.01
    title = evidence.metric.title
    means = [
        "mean unknown" if np.isnan(mean) else f"mean {title} {written(mean, spread, evidence.metric.name)}"
        for mean in evidence.levels.tolist()
    ]
    marks = [", the control" * (name == answer.control) for name in answer.models]
    return lines_of_models(answer, [f" ({mean}{mark})" for mean, mark in zip(means, marks, strict=True)])


def _open_pairs(answer: Ranking) -> list[str]:
    """Write the pairs with the best (or the control) that are not told apart: by how much they may still differ."""
    first, order = foremost(answer), answer.in_order()
    pairs = [
        pair
        for pair, (names, winner) in enumerate(zip(answer.names, answer.better, strict=True))
        if winner is None and first & set(names)
    ]
    pairs.sort(key=lambda pair: sorted(map(order.index, answer.names[pair])))
    lines = [_pair_text(answer, pair) for pair in pairs[:_OPEN]]
    more = len(pairs) - len(lines)
    whom = "the best" if answer.control is None else answer.control
    return [*lines, *([f"and {more} more from {whom}"] if more else [])]


def _pair_text(answer: Ranking, pair: int) -> str:
    """Write one pair, as seen by the winner; without one, by whom the difference favours."""
    (a, b), winner, evidence = answer.names[pair], answer.better[pair], answer.evidence
    interval, typical = answer.pairs.interval[pair], float(answer.pairs.difference[pair])
    if np.isnan(typical):
        return f"{a} and {b}: no data set has a score of both"
    ahead = winner or (a if typical < 0 else b)
    behind = a if ahead == b else b
    spread, sign = float(interval.spread(typical)), 1 if ahead == b else -1
    ends = sorted((sign * float(interval.low), sign * float(interval.high)))
    low, high = (difference_text(end, spread, evidence.metric.name, unit=False) for end in ends)
    by = difference_text(abs(typical) if winner is None else sign * typical, spread, evidence.metric.name)
    limits = f"{low} to {high}" if np.isfinite(ends).all() else "limits: anything"
    pvalue = adjusted_text(answer, pair, "p" if answer.adjustment.method == "none" else "adjusted p")
    effects = answer.note("effect_sizes")
    wins = "" if effects is None else f"{wins_text(effects[pair], a, b)}; "
    claim = f"{ahead} {'beats' if winner else 'leads'} {behind} by {by}" if typical else f"{a} and {b} are level"
    return f"{claim} ({limits}; {wins}{pvalue}{_chances_text(answer, pair)})"


def _chances_text(answer: Ranking, pair: int) -> str:
    """Return what the posterior says of a pair, where there is one."""
    practical = answer.pairs.practical
    if practical is None:
        return ""
    chances = practical[pair]
    equal = f", P(practically equal) {chance_text(chances.equivalent)}" if chances.rope else ""
    return f"; {leading_text(chances, *answer.names[pair])}{equal}"


def _equivalent_pairs(answer: Ranking) -> list[str]:
    """Write the pairs that are as good in practice, each by itself."""
    practical = answer.pairs.practical
    if practical is None or not practical.rope:
        return []
    within = f"P(practically equal, within {practical.rope:g})"
    pairs = np.flatnonzero(np.asarray(practical.equivalent) > 1 - answer.alpha)
    if not pairs.size:
        return [f"no pair: {within} is nowhere beyond {1 - answer.alpha:g}"]
    lines = [
        f"{' and '.join(answer.names[pair])} in practice: {within} {chance_text(practical.equivalent[pair])}"
        for pair in pairs[:_OPEN]
    ]
    more = f"and {pairs.size - len(lines)} more; {pairs.size} of {len(answer.names)} pairs in all"
    return lines if pairs.size == len(lines) else [*lines, more]


def _limits_text(answer: Ranking) -> str:
    """Say what the limits are, and who decides where they and the p-values fall apart."""
    interval = answer.pairs.interval
    decided = np.array([better is not None for better in answer.better])
    disagree = np.any(decided == interval.contains(0.0))
    decides = " Where they would decide otherwise, the p-value decides." if disagree else ""
    return f"in parentheses, {level_text(interval.alpha)} ({interval.method}, each by itself).{decides}"
