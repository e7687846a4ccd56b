"""The JSON of a comparison: all values by key, with all digits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .narrate import component_values, note_values, shared_values

if TYPE_CHECKING:
    from ..typing_ import FloatArray
    from .comparison import Comparison
    from .simulated import Simulated

Item = tuple[str, Any]


def list_values(answer: Comparison) -> Iterator[Item]:
    """Yield all keys and values."""
    yield "method", answer.method
    yield "difference", answer.difference
    yield "interval", answer.interval.as_dict()
    yield "statistic", answer.statistic
    yield "pvalue", answer.pvalue
    yield from bound_values(answer.simulated, answer.pvalue)
    yield "alternative", answer.alternative
    yield "alpha", answer.alpha
    if answer.adjustment is not None:
        yield "adjusted", answer.adjusted
        yield from bound_values(answer.adjusted_simulated, answer.adjustment.pvalue, "adjusted")
        yield "adjustment", str(answer.adjustment)
    two = len(answer.evidence.models) == 2
    if two and not answer.shape:
        yield from _values_of_two(answer)
    yield from _requested_values(answer)
    if two and not answer.shape:
        a, b = answer.evidence.models
        yield "better_model", {"A": a, "B": b, None: None}[answer.better]
    yield from shared_values(answer)


def bound_values(simulated: Simulated | None, pvalue: FloatArray, name: str = "pvalue") -> Iterator[Item]:
    """Yield the number of draws behind a p-value, and whether it is only a bound."""
    if simulated is not None:
        yield from simulated.values(pvalue, name).items()


def _values_of_two(answer: Comparison) -> Iterator[Item]:
    effects, power, practical = answer.note("effect_sizes"), answer.note("power"), answer.practical
    if practical is not None:
        yield "practical", practical.as_dict()
    if effects is not None:
        yield "effects", effects.as_dict()
    if power is not None:
        yield "power_projection", power.as_dict()
        yield "outlook", power.as_dict()  # its old name
    tests = answer.note("other_tests", {})
    if tests:
        results = {
            name: {
                "statistic": test.statistic,
                "pvalue": test.pvalue,
                **(test.simulated.values(test.pvalue) if test.simulated else {}),
            }
            for name, test in tests.items()
        }
        yield "reference_results", results
        yield "beside", results  # its old name
    pvalues = answer.note("reseeded_pvalues")
    if pvalues is not None:
        yield "split_sensitivity", pvalues
        yield "lottery", pvalues  # its old name
    yield from component_values(answer)
    yield from note_values(answer)


def _requested_values(answer: Comparison) -> Iterator[Item]:
    """Yield the options of the request, and the counts of the evidence."""
    if len(answer.evidence.models) == 1:
        yield "against", answer.against
    else:
        yield "hypothesis", answer.hypothesis.kind
        yield "margin", answer.margin
        yield "looks", answer.note("looks", 0)
        yield from answer.evidence.figures().items()
        if answer.hypothesis.kind != "different":
            yield "shown", answer.rejected
        if answer.shape and answer.practical is not None:
            yield "practical", answer.practical.as_dict()
    yield "better", answer.better
