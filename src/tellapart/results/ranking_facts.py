"""What a ranking says: who is best, who is told apart, by what, and what the choice of the best costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..rendering import level_text, pvalue_text, significant
from .narrate import (
    Fact,
    is_over_data_sets,
    list_last_facts,
    list_other_notes,
    list_provenance,
    state_limits,
    state_looks,
)
from .ranking_clauses import level_texts, observed, pair_text, state_best, state_luck, state_rule
from .wording import count_text

if TYPE_CHECKING:
    from .ranking import Ranking
    from .test_result import TestResult

_LISTED = 12  # pairs that the text shows; the fields hold all of them


def list_facts(answer: Ranking) -> Iterator[Fact]:
    """Yield the facts of a ranking; over data sets learners stand in the order of their mean ranks."""
    yield Fact("method", answer.method)
    yield Fact("adjustment", answer.adjustment.method)
    yield Fact("alpha", answer.alpha)
    yield Fact("looks", answer.note("looks", 0))
    label = "best" if answer.control is None else "control"
    yield Fact("best", list(answer.best), label, lambda: state_best(answer))
    yield Fact(label="seen", text=lambda: observed(answer))
    if is_over_data_sets(answer.evidence):
        from .data_set_rankings import list_facts_of_ranks

        yield from list_facts_of_ranks(answer)
    else:
        yield from _list_facts_of_levels(answer)
    yield from list_other_notes(answer)
    yield Fact(label="careful", text=lambda: " ".join(filter(None, (*list_remarks(answer), state_limits(answer)))))
    yield from list_provenance(answer)
    yield from list_last_facts(answer)


def _list_facts_of_levels(answer: Ranking) -> Iterator[Fact]:
    label = "error rates" if answer.metric == "error" else answer.measure
    yield Fact("models", lambda: _values_of_models(answer), label, lambda: _standings(answer))
    letters = f"{answer.noun}s that share a letter are not told apart ({state_rule(answer)})"
    yield Fact("groups", list(map(list, answer.groups)), "letters", letters)
    yield Fact("pairs", lambda: values_of_pairs(answer), "told apart", lambda: significant_pairs(answer, pair_text))
    yield Fact(label="limits", text=lambda: _limits_text(answer))
    yield Fact("optimism", answer.note("optimism", np.nan))
    omnibus: TestResult | None = answer.note("cochran_q")
    if omnibus is None:
        yield Fact("cochran_q", None)
    else:
        pvalue = pvalue_text(float(omnibus.pvalue), answer.alpha)
        text = f"{significant(float(omnibus.statistic), 4)} {omnibus.note}, p = {pvalue}"
        yield Fact("cochran_q", test_values(omnibus), omnibus.statistic_name, f"{text} (do the models differ at all?)")


def test_values(test: TestResult) -> dict[str, Any]:
    """Return statistic and p-value of a test that stands beside others."""
    return {"statistic": test.statistic, "pvalue": test.pvalue}


def state_conclusion(answer: Ranking) -> str:
    """Return who is best, who is not told apart from it, by what and on what, in one sentence."""
    return state_best(answer)


def list_remarks(answer: Ranking) -> tuple[str, ...]:
    """Return the sentences that come after."""
    return (state_looks(answer),)


def state_caveat(answer: Ranking) -> str:
    """Return what the choice of the best costs."""
    return state_luck(answer)


# --- The models -----------------------------------------------------------------------------------------


def lines_of_models(answer: Ranking, details: list[str]) -> list[str]:
    """Return a line for each model, the best first: its figure, its letters, its name, and a detail."""
    texts = dict(zip(answer.models, zip(level_texts(answer), details, strict=True), strict=True))
    letters = {model: answer.letters(model) for model in answer.models}
    wide, wider = max(len(text) for text, _ in texts.values()), max(map(len, letters.values()))
    return [
        f"{texts[model][0]:>{wide}}  {f'{letters[model]:<{wider}}  ' * bool(answer.groups)}{model}{texts[model][1]}"
        for model in answer.in_order()
    ]


def _standings(answer: Ranking) -> list[str]:
    counts = answer.evidence.counted_errors
    if counts is None:
        return lines_of_models(answer, [""] * len(answer.models))
    return lines_of_models(answer, [f" ({count_text(count, 'error')})" for count in counts.errors.tolist()])


def _values_of_models(answer: Ranking) -> list[dict[str, Any]]:
    counts, intervals = answer.evidence.counted_errors, answer.note("own_intervals")
    name_of_level = "rate" if answer.metric == "error" else answer.evidence.level_name
    return [
        {
            "name": name,
            **({} if counts is None else {"errors": counts.errors[index]}),
            name_of_level: level,
            **({} if intervals is None else {"interval": intervals[index].as_dict()}),
            "groups": answer.letters(name),
        }
        for index, (name, level) in enumerate(zip(answer.models, answer.levels, strict=True))
    ]


# --- The pairs ------------------------------------------------------------------------------------------


def significant_pairs(answer: Ranking, write: Any) -> list[str]:
    """Write the pairs that are told apart, in the order of the leaderboard; of many, those with the best."""
    index = {name: position for position, name in enumerate(answer.in_order())}
    names, better = answer.names, answer.better
    pairs = [pair for pair, winner in enumerate(better) if winner is not None]
    pairs.sort(key=lambda pair: sorted(index[name] for name in names[pair]))
    if not pairs:
        return ["no" if len(names) == 1 else f"none of {len(names)} pairs"]
    first = foremost(answer)
    shown = pairs if len(pairs) <= _LISTED else [pair for pair in pairs if first & set(names[pair])]
    lines = [write(answer, pair) for pair in shown[:_LISTED]]
    more = f"and {len(pairs) - len(lines)} more; {len(pairs)} of {len(names)} pairs in all"
    return lines if len(lines) == len(pairs) else [*lines, more]


def foremost(answer: Ranking) -> set[str]:
    """Return whose pairs are shown, where there are too many to show all."""
    return set(answer.best) if answer.control is None else {answer.control}


def _limits_text(answer: Ranking) -> str:
    """Say what the limits are; where they hold 0 beside a pair that is told apart, who decides."""
    significant_ones = np.array([better is not None for better in answer.better])
    if not significant_ones.any():
        return ""
    interval = answer.pairs.interval
    null = 1.0 if interval.parameter in {"odds", "ratio"} else 0.0
    alone = "" if len(answer.models) == 2 else ", all together" if interval.method == "max-t" else ", each by itself"
    contradicts = np.any(significant_ones & interval.contains(null))
    decides = f" Where they hold {null:g}, the p-value decides." if contradicts else ""
    return f"in parentheses, {level_text(interval.alpha)} ({interval.method}{alone}).{decides}"


def values_of_pairs(answer: Ranking) -> list[dict[str, Any]]:
    """Return every pair by name, every digit kept; a pair's own table, where errors are counted."""
    pairs, counted = answer.pairs, answer.evidence.counted_errors is not None
    alone, adjusted = pairs.simulated, pairs.adjusted_simulated
    return [
        {
            "a": a,
            "b": b,
            "difference": pairs.difference[pair],
            "interval": pairs.interval[pair].as_dict(),
            "statistic": pairs.statistic[pair],
            "pvalue": pairs.pvalue[pair],
            "adjusted": answer.adjusted[pair],
            **({} if alone is None else alone[pair].values(pairs.pvalue[pair])),
            **({} if adjusted is None else adjusted[pair].values(answer.adjusted[pair], "adjusted")),
            "better": better,
            **({"evidence": answer.evidence.select(a, b).as_dict()} if counted else {}),
        }
        for pair, ((a, b), better) in enumerate(zip(answer.names, answer.better, strict=True))
    ]
