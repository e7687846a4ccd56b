"""The text of a ranking: the leaders, a line for each model, and the rows that support them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..display import Block, Display, Row, TextTable
from ..figures import Scale, count_text, equation, join_names, pvalue_text, scale_of, short_names
from .narrate import is_over_data_sets, names_rows, note_rows, passed_rows
from .oriented import bounded_text
from .wording import (
    adjustment_text,
    caution_rows,
    data_text,
    interval_limits,
    looks_rows,
    method_text,
    power_rows,
    probability_text,
    shown_pvalue,
    with_cautions,
)

if TYPE_CHECKING:
    from .interval import Interval
    from .ranking import Ranking

_LONGEST_VERDICT = 6  # names that a verdict lists
_LONGEST_HEAD = 12  # characters of a name in the head of a column


def display(answer: Ranking, *, verbose: bool = False) -> Display:
    """Return the layout of a ranking: the verdict, a table of the models, and the rows."""
    blocks: list[Block] = [table_of_models(answer)]
    if verbose:
        blocks.append(table_of_pairs(answer))
    blocks += caution_rows(answer.checks)
    blocks += looks_rows(answer.note("looks", 0), answer.alpha)
    blocks += _data_and_method_rows(answer, verbose=verbose)
    alone = answer.control is None and len(answer.best) == 1 and not answer.contenders
    return Display(
        verdict=with_cautions(verdict(answer), answer.checks), blocks=tuple(blocks), tone="good" if alone else "neutral"
    )


# --- The verdict ----------------------------------------------------------------------------------------


def verdict(answer: Ranking) -> str:
    """Return the models that are first or tied for first; with a control the better and the worse models."""
    over = f" over {count_text(int(answer.evidence.size), 'data set')}" if is_over_data_sets(answer.evidence) else ""
    if answer.control is not None:
        return f"{_verdict_with_control(answer)}{over}"
    short, several = short_names(answer.models), len(answer.models)
    first = [short[name] for name in (*answer.best, *answer.contenders)]
    if len(first) == several:
        who = "Both" if several == 2 else f"All {several}"
        return f"{who} {answer.noun}s are tied for first{over}"
    if len(first) == 1:
        return f"{first[0]} is significantly better than the other {several - 1} {answer.noun}s{over}".replace(
            "the other 1 models", "the other model"
        ).replace("the other 1 learners", "the other learner")
    return f"{join_names(first, _LONGEST_VERDICT)} are tied for first of {several} {answer.noun}s{over}"


def _verdict_with_control(answer: Ranking) -> str:
    short, control = short_names(answer.models), str(answer.control)
    winners = dict(zip((b for _, b in answer.names), answer.better, strict=True))
    order = [name for name in answer.in_order() if name != control]
    better = [short[name] for name in order if winners.get(name) == name]
    worse = [short[name] for name in order if winners.get(name) == control]
    if not better and not worse:
        rest = join_names([short[name] for name in order]) if len(order) <= 3 else f"the {len(order)} others"
        return f"No significant difference between {short[control]} (control) and {rest}"
    parts = [
        f"{join_names(names)} {'is' if len(names) == 1 else 'are'} significantly {how}"
        for names, how in ((better, "better"), (worse, "worse"))
        if names
    ]
    return f"{'; '.join(parts)} than {short[control]} (control)"


# --- The models -----------------------------------------------------------------------------------------


def ranks_of(answer: Ranking) -> dict[str, tuple[int, int]]:
    """Return the best and the worst possible rank of each model."""
    better, worse = dict.fromkeys(answer.models, 0), dict.fromkeys(answer.models, 0)
    for (a, b), winner in zip(answer.names, answer.better, strict=True):
        if winner is not None:
            better[b if winner == a else a] += 1
            worse[winner] += 1
    return {name: (1 + better[name], len(answer.models) - worse[name]) for name in answer.models}


def rank_text(rank: tuple[int, int]) -> str:
    """Return the possible ranks: "2", or "1-3"."""
    return str(rank[0]) if rank[0] == rank[1] else f"{rank[0]}-{rank[1]}"


def table_of_models(answer: Ranking) -> TextTable:
    """Return a line for each model, the best first: rank, metric, and the distance behind the leader."""
    evidence, order, short = answer.evidence, answer.in_order(), short_names(answer.models)
    reference = answer.control or order[0]
    pairs, ranks, intervals = pairs_with(answer, reference), ranks_of(answer), answer.note("own_intervals")
    scale, gap = level_scale(answer), gap_scale(answer)
    position = {name: index for index, name in enumerate(answer.models)}
    title, over = evidence.metric.report_title, is_over_data_sets(evidence)
    ranked = answer.control is None
    whom = short[reference] if len(short[reference]) <= _LONGEST_HEAD else "by"
    named = f"behind {whom} ({level_of_pairs(answer)} CI)"
    head = [*(["rank"] if ranked else []), answer.noun, *(["mean rank"] if over else []), title]
    align = "l" * (1 + ranked) + "r" * (1 + over)
    if intervals is not None:
        head, align = [*head, f"{level_of_pairs(answer)} CI", "behind by"], f"{align}rr"
    else:
        head, align = [*head, named], f"{align}l"
    effects = answer.note("effect_sizes")
    if effects is not None:
        head, align = [*head, "W/T/L"], f"{align}r"
    head, align = [*head, pvalue_head(answer)], f"{align}r"
    lines = []
    for name in order:
        index = position[name]
        line = [*([rank_text(ranks[name])] if ranked else []), short[name]]
        line += [f"{answer.levels[index]:.2f}"] if over else []
        level = float(evidence.metric.report_value(evidence.levels[index]))
        line.append(scale.value(level) if not math.isnan(level) else "undefined")
        pair = pairs.get(name)
        if intervals is not None:
            line.append(scale.range(*interval_limits(evidence, intervals[index])))
            line.append("" if pair is None else gap.value(distance_behind(answer, *pair)[0]))
        else:
            line.append("" if pair is None else behind_text(answer, *pair, gap))
        if effects is not None:
            line.append("" if pair is None else wins_text(effects[pair[0]], first_is_a=pair[1] == 1))
        line.append("" if pair is None else pair_certainty_text(answer, *pair))
        lines.append(line)
    return TextTable(head=head, lines=lines, align=align)


def level_of_pairs(answer: Ranking) -> str:
    """Return the confidence level of the intervals of pairs: "95%"."""
    from ..figures import level_text

    return level_text(answer.pairs.interval.alpha)


def pvalue_head(answer: Ranking) -> str:
    """Return the head of the column of p-values: "adj. p", "p", or "P(behind)" if there is a posterior."""
    if answer.pairs.test.statistic_name.startswith("P("):
        return "P(behind)"
    return "p" if answer.adjustment.method == "none" or len(answer.models) == 2 else "adj. p"


def pairs_with(answer: Ranking, reference: str) -> dict[str, tuple[int, int]]:
    """Return for each other model the index of its pair with the reference, and 1 if the reference is A, else -1."""
    return {
        (b if a == reference else a): (index, 1 if a == reference else -1)
        for index, (a, b) in enumerate(answer.names)
        if reference in {a, b}
    }


def distance_behind(answer: Ranking, pair: int, sign: int) -> tuple[float, float, float]:
    """Return the distance of a model behind the reference with its limits; negative if it is ahead."""
    pairs = answer.pairs
    interval: Interval = pairs.interval[pair]
    size, low, high = -sign * float(pairs.difference[pair]), float(interval.low), float(interval.high)
    return size, *((low, high) if sign == -1 else (-high, -low))


def behind_text(answer: Ranking, pair: int, sign: int, gap: Scale, *, unit: bool = True) -> str:
    """Return the distance of a model behind the reference, with its interval: "0.3 pp (-0.7 to 1.3)"."""
    size, low, high = distance_behind(answer, pair, sign)
    if math.isnan(size):
        return "undefined"
    if answer.pairs.interval.parameter != "difference":
        return gap.number(size)
    limits = bounded_text(gap.number, low, high)
    return f"{gap.value(size) if unit else gap.number(size)} ({limits})"


def wins_text(effects: Any, *, first_is_a: bool) -> str:
    """Return the numbers of data sets that the first model wins, ties and loses: "14/1/3"."""
    wins, losses = (effects.a_wins, effects.b_wins) if first_is_a else (effects.b_wins, effects.a_wins)
    return f"{int(wins)}/{int(effects.ties)}/{int(losses)}"


def pair_certainty_text(answer: Ranking, pair: int, sign: int) -> str:
    """Return the adjusted p-value of a pair, or the posterior probability that its first model is better."""
    if _has_posterior(answer):
        chances = answer.pairs.practical[pair]  # type: ignore[index]  # there is a posterior
        return probability_text(chances.a_better if sign == 1 else chances.b_better)
    simulated = answer.pairs.adjusted_simulated
    drawn = None if simulated is None else simulated[pair]
    return shown_pvalue(float(answer.adjusted[pair]), answer.alpha, drawn, column=True)


def level_scale(answer: Ranking) -> Scale:
    """Return the scale of the metric of each model, with the decimals of a typical interval."""
    evidence, intervals = answer.evidence, answer.note("own_intervals")
    widths = np.asarray((answer.pairs.interval if intervals is None else intervals).width, dtype=float)
    low, high = evidence.metric.bounds if intervals is not None else evidence.metric.difference_bounds
    return scale_of(evidence.value_kind, _typical_half_width(widths, evidence.levels, high - low))


def gap_scale(answer: Ranking) -> Scale:
    """Return the scale of differences, with one number of decimals."""
    evidence = answer.evidence
    if answer.note("own_intervals") is not None:  # with the digits of the values
        return Scale(evidence.difference_kind, level_scale(answer).decimals)
    widths = np.asarray(answer.pairs.interval.width, dtype=float)
    low, high = evidence.metric.difference_bounds
    return scale_of(evidence.difference_kind, _typical_half_width(widths, answer.pairs.difference, high - low))


def _typical_half_width(widths: Any, values: Any, whole: float) -> float:
    """Return half the median width, without intervals that are the whole range."""
    known = widths[np.isfinite(widths) & (widths > 0) & (widths < whole)]
    if known.size:
        return float(np.median(known)) / 2
    finite = np.abs(np.asarray(values, dtype=float))
    finite = finite[np.isfinite(finite)]
    return float(finite.max()) / 20 if finite.size else 0.0


def table_of_pairs(answer: Ranking) -> TextTable:
    """Return a line for each pair: the difference with its interval, and the p-values."""
    short, gap = short_names(answer.models), gap_scale(answer)
    effects = answer.note("effect_sizes")
    order = answer.in_order()
    lines = []
    for pair, (a, b) in enumerate(answer.names):
        first, second = sorted((a, b), key=order.index) if answer.control is None else (a, b)
        sign = 1 if first == a else -1
        wins = [] if effects is None else [wins_text(effects[pair], first_is_a=first == a)]
        text = behind_text(answer, pair, sign, gap)
        lines.append([f"{short[first]} - {short[second]}", text, *wins, *_certainty_cells(answer, pair, sign)])
    simultaneous = answer.pairs.interval.method == answer.adjustment.method
    kind = "single-step simultaneous" if simultaneous else "unadjusted"
    which = "All pairs" if answer.control is None else "Pairs with the control"
    caption = f"{which}; {kind} {level_of_pairs(answer)} intervals{', step-down p-values' * simultaneous}"
    head = ["pair", "ahead by", *([] if effects is None else ["W/T/L"]), *_certainty_heads(answer)]
    wide = [line[0] for pair, line in enumerate(lines) if simultaneous and _is_rejected_beyond_interval(answer, pair)]
    note = f"{join_names(wide)}: the single-step interval includes 0; the step-down p-value decides." if wide else ""
    notes = [note] if note else []
    return TextTable(head=head, lines=lines, align="ll" + "r" * (len(head) - 2), caption=caption, notes=notes)


def _is_rejected_beyond_interval(answer: Ranking, pair: int) -> bool:
    """Return whether a pair is significantly different although its interval includes 0: step-down tests gain power."""
    return answer.better[pair] is not None and bool(answer.pairs.interval[pair].contains(0.0))


def _has_posterior(answer: Ranking) -> bool:
    return answer.pairs.test.statistic_name.startswith("P(") and answer.pairs.practical is not None


def _certainty_heads(answer: Ranking) -> list[str]:
    """Return the heads of the columns of p-values, or of posterior probabilities."""
    if not _has_posterior(answer):
        return ["p", "adj. p"]
    rope = answer.pairs.practical.rope  # type: ignore[union-attr]  # there is a posterior
    return ["P(ahead)", *([f"P(equivalent within {rope:g})"] if rope else [])]


def _certainty_cells(answer: Ranking, pair: int, sign: int) -> list[str]:
    """Return the p-values of a pair, or the posterior probabilities for its first model."""
    if _has_posterior(answer):
        chances = answer.pairs.practical[pair]  # type: ignore[index]  # there is a posterior
        equivalent = [probability_text(chances.equivalent)] if chances.rope else []
        return [pair_certainty_text(answer, pair, sign), *equivalent]
    alone = answer.pairs.simulated
    drawn = None if alone is None else alone[pair]
    raw = shown_pvalue(float(answer.pairs.pvalue[pair]), answer.alpha, drawn, column=True)
    return [raw, pair_certainty_text(answer, pair, sign)]


# --- Rows -----------------------------------------------------------------------------------------------


def _data_and_method_rows(answer: Ranking, *, verbose: bool) -> Iterator[Row]:
    yield Row("data", _data_row(answer))
    yield Row("test", test_text(answer))
    if verbose:
        yield Row("", "; ".join(filter(None, (f"method {answer.method}", answer.pairs.test.note))))
    yield Row("interval", _interval_text(answer))
    overall = _overall_text(answer)
    if overall:
        yield Row("overall", overall)
    if verbose:
        critical = answer.note("critical_difference", np.nan)
        if np.isfinite(critical):
            yield Row("critical", f"difference of mean ranks {critical:.3g}")
        yield from note_rows(answer)
        yield from passed_rows(answer.checks)
        yield from names_rows(answer.models)
    yield from power_rows(answer.note("power"))
    yield Row("scope", scope_text(answer))


def _data_row(answer: Ranking) -> str:
    evidence, effective = answer.evidence, answer.note("effective_size", np.nan)
    text = data_text(evidence, answer.excluded, effective)
    if answer.note("effect_sizes") is not None:
        first = short_names(answer.models)[answer.control or answer.in_order()[0]]
        return f"{text}; W/T/L: {first} wins, ties, losses"
    if answer.control is not None or is_over_data_sets(evidence):
        return text
    open_ranks = [rank for rank in ranks_of(answer).values() if rank[0] != rank[1]]
    pairs = f"{text}, {count_text(len(answer.names), 'pair')}"
    if not open_ranks:
        return pairs
    narrow = min(open_ranks, key=lambda rank: (rank[1] - rank[0], rank[0]))
    which = "either" if narrow[1] - narrow[0] == 1 else "any such"
    return f"{pairs}; a rank of {rank_text(narrow)} means {which} place is possible"


def test_text(answer: Ranking) -> str:
    """Return the test and the adjustment with their sources, and alpha."""
    return f"{test_name(answer, cited=True)}, alpha = {answer.alpha:.6g}"


def test_name(answer: Ranking, *, cited: bool) -> str:
    """Return the test and the adjustment, with their sources if `cited`."""
    test, adjustment = answer.pairs.test, answer.adjustment
    if adjustment.title:  # a method for all pairs at once
        return method_text(adjustment.title, adjustment.reference if cited else None, compact=True)
    name = method_text(test.title or test.method, test.reference if cited else None, compact=True)
    if adjustment.method in {"none", test.method}:
        return f"{name}{', unadjusted' * (adjustment.method == 'none')}"
    return f"{name}, {adjustment_text(adjustment.method, adjustment.reference if cited else None)}"


def _interval_text(answer: Ranking) -> str:
    own, interval = answer.note("own_intervals"), answer.pairs.interval
    if own is not None:
        return f"{method_text(own.title or own.method, own.reference)}, one model at a time"
    name = method_text(interval.title or interval.method, interval.reference)
    return name if interval.method == answer.adjustment.method else f"{name}, unadjusted"


def _overall_text(answer: Ranking) -> str:
    tests = [answer.note("cochran_q"), *answer.note("overall_tests", {}).values()]
    parts = []
    for test in tests:
        if test is not None:
            pvalue = equation("p", pvalue_text(float(test.pvalue), answer.alpha))
            note = f", {test.note}" if test.note else ""
            size = float(test.statistic)
            value = f"= {size:.1f}" if math.isfinite(size) else "infinite"
            parts.append(f"{test.statistic_name} {value}{note}, {pvalue}")
    return "; ".join(parts)


def scope_text(answer: Ranking) -> str:
    """Return the scope in one line; for models on one test set with the selection bias of the leader."""
    evidence = answer.evidence
    scope, optimism = evidence.scope(answer.method), float(answer.note("optimism", np.nan))
    if answer.control is not None or is_over_data_sets(evidence):
        return scope.row
    if evidence.subject == "learner":
        return f"{scope.subject}; the leader is favoured by selection"
    if not optimism > (1e-4 if evidence.metric.is_rate else 0):
        return scope.row
    title, high = evidence.metric.report_title, evidence.metric.report_higher_is_better
    scale = scale_of(evidence.difference_kind, 1.0 if evidence.difference_kind == "points" else optimism)
    size = f"{float(f'{100 * optimism:.1g}'):g} pp" if evidence.difference_kind == "points" else scale.number(optimism)
    return f"{scope.subject}; the leader's {title} is about {size} too {'high' if high else 'low'}"


def explanations(answer: Ranking) -> Iterator[tuple[str, str]]:
    """Yield explanations of ranks, ties and p-values."""
    yield (
        "rank",
        f"A range of ranks contains all possible ranks of a {answer.noun}. A tie means that no difference is"
        f" significant at alpha = {answer.alpha:.6g}; it does not mean that the {answer.noun}s are equal.",
    )
    rule = answer.adjustment.method
    if rule == "none":
        yield "p", "p-values are not adjusted: over many pairs, false positives accumulate."
    elif rule.startswith("benjamini"):
        yield "adj. p", "p-values are adjusted so that the false discovery rate is at most alpha."
    else:
        yield (
            "adj. p",
            "p-values are adjusted so that the probability of any false positive among all pairs is at most alpha.",
        )
