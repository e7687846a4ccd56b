"""What a ranking says, clause by clause: who is best, who is not told apart from it, by what, and how lucky it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..rendering import significant
from .narrate import is_over_data_sets
from .wording import count_text, difference_text, excluded_text, level_of, listed, p_text, summarize, written

if TYPE_CHECKING:
    from .ranking import Ranking


# --- On what ------------------------------------------------------------------------------------------


def is_counted(answer: Ranking) -> bool:
    """Whether errors of classifiers on one test set are counted."""
    return answer.evidence.subject == "classifier" and answer.evidence.metric.is_rate


def observed(answer: Ranking) -> str:
    """Say what the ranking rests on, and what was left out."""
    evidence, excluded = answer.evidence, excluded_text(answer.excluded)
    on = count_text(evidence.size, "example") if is_counted(answer) else evidence.describe()
    joint, scale = ("," if answer.noun == "learner" else " on"), ""
    if is_over_data_sets(evidence):
        from .data_set_clauses import scale_text

        scale = f"; {scale_text(evidence)}"
    return f"{len(answer.models)} {answer.noun}s{joint} {on}{scale}.{evidence.gaps}{excluded}"


def _among(answer: Ranking) -> str:
    evidence, many = answer.evidence, f"{len(answer.models)} {answer.noun}s"
    if is_over_data_sets(evidence):
        return f"of {many} over {summarize(evidence)}"
    return f"of {many} on {count_text(evidence.size, 'example') if is_counted(answer) else summarize(evidence)}"


# --- Who is best --------------------------------------------------------------------------------------


def state_best(answer: Ranking) -> str:
    """Return who is best (or better than the control), and who is not told apart from it, in one sentence."""
    note = f"; {answer.pairs.test.note}" if answer.pairs.test.note else ""
    rule = f"({state_rule(answer)}{note})"
    if answer.control is not None:
        return f"{state_beside_control(answer)} over {summarize(answer.evidence)} {rule}."
    first = answer.best
    index = answer.models.index(first[0])
    level, counts = level_texts(answer)[index], answer.evidence.counted_errors
    count = "" if counts is None else f", {counts.errors[index]} of {counts.trials[index]}"
    how = "best" if is_over_data_sets(answer.evidence) else level_of(answer.evidence)
    verb = "has" if len(first) == 1 else "share"
    return (
        f"{listed(first)} {verb} the {how} {answer.measure} ({level}{count}) {_among(answer)};"
        f" {_state_field(answer)} {rule}."
    )


def _state_field(answer: Ranking) -> str:
    first, tied, noun = answer.best, answer.contenders, answer.noun
    others, it = len(answer.models) - len(first), "it" if len(first) == 1 else "them"
    if not others:
        return f"no {noun} is told apart from another"
    if not tied:
        who = f"the other {noun} is" if others == 1 else f"all {others} others are"
        return f"{who} told apart from {it}, as worse"
    if len(tied) == others:
        who = f"the other, {tied[0]}, is" if others == 1 else f"none of the {others} others is"
        return f"{who} {'not ' * (others == 1)}told apart from {it}"
    verb, rest = "is" if len(tied) == 1 else "are", others - len(tied)
    remain = "one is" if rest == 1 else f"{rest} are"
    return f"of the {others} others, {listed(tied)} {verb} not told apart from {it}, and the other {remain}, as worse"


def state_beside_control(answer: Ranking, *, past: bool = False) -> str:
    """Say who is better and who is worse than the control; in the past for a paper."""
    is_, are = ("was", "were") if past else ("is", "are")
    order, control = answer.in_order(), answer.control
    winner = dict(zip((b for _, b in answer.names), answer.better, strict=True))
    better = tuple(name for name in order if winner.get(name) == name)
    worse = tuple(name for name in order if winner.get(name) == control)
    rest = tuple(name for name in order if name != control and winner[name] is None)
    parts = [
        f"{listed(names)} {is_ if len(names) == 1 else are} {how} than the control {control}"
        for names, how in ((better, "better"), (worse, "worse"))
        if names
    ]
    if rest:
        who = listed(rest) if parts else f"none of the {len(rest)} others" if len(rest) > 1 else rest[0]
        negated = "" if not parts and len(rest) > 1 else "not "
        verb = is_ if len(rest) == 1 or not negated else are
        parts.append(f"{who} {verb} {negated}told apart from {'it' if parts else f'the control {control}'}")
    return "; ".join(parts)


# --- By what ------------------------------------------------------------------------------------------


def state_rule(answer: Ranking) -> str:
    """Say by what two are told apart, and what alpha is the chance of."""
    pairs, rule, alpha = len(answer.names), answer.adjustment.method, f"alpha = {answer.alpha:.6g}"
    by = f"{answer.method}, adjusted by {rule}"
    if rule in {"none", answer.method}:  # whose p-values allow for their number, if they have to
        by = answer.method
    elif rule == "max-t":  # which has a statistic of its own
        by = rule
    if pairs == 1 and not is_over_data_sets(answer.evidence):
        return f"{by}, {alpha}"
    return f"{by}, {alpha}{family_text(answer)}{', so that false claims add up' * (rule == 'none')}"


def family_text(answer: Ranking) -> str:
    """Say what alpha is the chance of."""
    pairs, rule = len(answer.names), answer.adjustment.method
    if rule == "none":
        return f" for each of {pairs} pairs"
    if rule.startswith("benjamini"):
        return f" for the share of false claims among {pairs} pairs"
    return f" for all {pairs} pairs together"


def adjusted_text(answer: Ranking, pair: int, name: str = "p") -> str:
    """Write the adjusted p-value of a pair with its name."""
    simulated = answer.pairs.adjusted_simulated
    return p_text(float(answer.adjusted[pair]), answer.alpha, None if simulated is None else simulated[pair], name)


# --- Figures ------------------------------------------------------------------------------------------


def level_spread(answer: Ranking) -> float:
    """Return the width by whose digits all figures are written alike: that of the least certain, or of a pair."""
    spread = answer.evidence.rank_spread
    if spread is not None:
        return spread
    intervals = answer.note("own_intervals", answer.pairs.interval)
    widths = np.asarray(intervals.width, dtype=float)
    known = widths[np.isfinite(widths)]
    return float(known.min() if known.size else np.abs(np.asarray(answer.rates, dtype=float)).max())


def level_texts(answer: Ranking) -> list[str]:
    """Write the figure of each model."""
    spread = level_spread(answer)
    return [written(level, spread, answer.metric) for level in answer.levels.tolist()]


def luck_text(answer: Ranking, point: str = "point") -> str:
    """Say by how much the best looks better than it is, in points of this name or in units of the score."""
    optimism = float(answer.note("optimism", np.nan))
    if answer.metric != "error":
        return f"about {significant(optimism, 2)} ({answer.metric})"
    return f"{f'about {significant(100 * optimism, 2)}' if optimism > 1e-4 else 'less than 0.01'} {point}s"


def state_luck(answer: Ranking) -> str:
    """Say how lucky the best may be, for having been chosen by what it is judged by."""
    if is_over_data_sets(answer.evidence):
        return "chosen on these very data sets, the best looks better than it is" if answer.control is None else ""
    if answer.noun == "learner":
        what = "error" if answer.metric == "error" else answer.measure
        chosen = "chosen by these very splits, the best looks better than it is"
        return f"{chosen}, so estimate its {what} on fresh examples"
    looks, is_ = ("looks", "it is") if len(answer.best) == 1 else ("look", "they are")
    first = f"chosen on these very examples, the best of {len(answer.models)} {looks}"
    return f"{first} {luck_text(answer)} better than {is_}" if answer.note("optimism", np.nan) > 0 else ""


# --- Pairs --------------------------------------------------------------------------------------------


def pair_text(answer: Ranking, pair: int) -> str:
    """Write one pair that is told apart, as seen by the winner."""
    (a, b), winner = answer.names[pair], answer.better[pair]
    interval, size = answer.pairs.interval[pair], abs(float(answer.pairs.difference[pair]))
    if interval.parameter == "difference":
        spread = float(interval.width)
        low, high = (interval.low, interval.high) if winner == b else (-interval.high, -interval.low)
        least, most = (difference_text(float(limit), spread, interval.metric, unit=False) for limit in (low, high))
        by = difference_text(size, spread, interval.metric)
        limits = f"{least} to {most}" if interval.side == "two" else f"at least {least}"
    else:
        by, limits = difference_text(size, size, interval.metric), f"{interval.parameter}: {interval.limits_text()}"
    label = "p" if answer.adjustment.method == "none" or len(answer.models) == 2 else "adjusted p"
    loser = a if winner == b else b
    return f"{winner} beats {loser} by {by} ({limits}; {adjusted_text(answer, pair, label)})"
