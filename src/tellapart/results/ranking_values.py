"""The JSON of a ranking: all values by key, with all digits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .narrate import is_over_data_sets, note_values, shared_values

if TYPE_CHECKING:
    from .ranking import Ranking
    from .test_result import TestResult


def list_values(answer: Ranking) -> Iterator[tuple[str, Any]]:
    """Yield all keys and values; over data sets also ranks, effects and the tests of all learners."""
    yield "method", answer.method
    yield "adjustment", answer.adjustment.method
    yield "alpha", answer.alpha
    yield "looks", answer.note("looks", 0)
    yield "best", list(answer.best)
    if is_over_data_sets(answer.evidence):
        yield from _values_over_data_sets(answer)
    else:
        yield "models", _values_of_models(answer)
        yield "groups", list(map(list, answer.groups))
        yield "pairs", values_of_pairs(answer)
        yield "optimism", answer.note("optimism", np.nan)
        omnibus = answer.note("cochran_q")
        yield "cochran_q", None if omnibus is None else _values_of_test(omnibus)
    yield from note_values(answer)
    yield from shared_values(answer)


def _values_over_data_sets(answer: Ranking) -> Iterator[tuple[str, Any]]:
    effects, practical, power = answer.note("effect_sizes"), answer.pairs.practical, answer.note("power")
    yield "control", answer.control
    figures = zip(answer.models, answer.levels, answer.evidence.levels.tolist(), strict=True)
    yield (
        "models",
        [
            {"name": name, "groups": answer.letters(name), "mean_rank": rank, "mean_score": mean}
            for name, rank, mean in figures
        ],
    )
    yield "groups", list(map(list, answer.groups))
    yield (
        "pairs",
        [
            values
            | ({} if effects is None else {"effects": effects[pair].as_dict()})
            | ({} if practical is None else {"practical": practical[pair].as_dict()})
            for pair, values in enumerate(values_of_pairs(answer))
        ],
    )
    tests = answer.note("overall_tests", {})
    yield "overall", {name: _values_of_test(test) for name, test in tests.items()}
    yield "critical_difference", answer.note("critical_difference", np.nan)
    yield "power_projection", power and power.as_dict()
    yield "outlook", power and power.as_dict()  # its old name
    yield from answer.evidence.figures().items()


def _values_of_test(test: TestResult) -> dict[str, Any]:
    return {"statistic": test.statistic, "pvalue": test.pvalue}


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


def values_of_pairs(answer: Ranking) -> list[dict[str, Any]]:
    """Return all pairs by name; with their tables, if errors are counted."""
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
