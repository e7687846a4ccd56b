"""Notes of an answer over many data sets: effect sizes, alternative and overall tests, and power."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...evidence import AnswerContext, Note, ScoreTable, reports_on
from ..registry import find_method, look_up
from .effects import effect_sizes
from .power import power_over_data_sets
from .random_effects import random_effects

# The names of the statistics of tests of several learners.
_STATISTICS = {
    "friedman": "Friedman chi2",
    "friedman-exact": "Friedman chi2 (exact)",
    "iman-davenport": "Iman-Davenport F",
    "quade": "Quade F",
    "aligned-ranks": "aligned ranks chi2",
    "skillings-mack": "Skillings-Mack chi2",
}


@reports_on(ScoreTable)
def report_on_effects(table: ScoreTable, context: AnswerContext) -> Iterator[Note]:
    """Yield wins, ties and effect sizes of two learners, or of every pair."""
    pairs = table if len(table.learners) == 2 else table.pairs(context.control)
    effects = effect_sizes(pairs, rope=float(context.options.get("rope", 0.0)))
    yield Note(key="effect_sizes", label="effect", text="", value=effects)


@reports_on(ScoreTable)
def report_on_other_tests(table: ScoreTable, context: AnswerContext) -> Iterator[Note]:
    """Yield the random-effects test, if each data set has several runs of known correlation."""
    usable = table.rho is not None and not (table.rho != table.rho).any() and bool((table.runs > 1).all())
    if len(table.learners) == 2 and usable and not context.named and context.hypothesis == "different":
        result = random_effects(table).test(alternative=context.alternative)
        yield Note(key="other_tests", label="or", text="", value={"random-effects": result})


@reports_on(ScoreTable)
def report_on_all_learners(table: ScoreTable, context: AnswerContext) -> Iterator[Note]:
    """Yield the tests of whether any two of several learners differ: the requested one, and the usual ones."""
    if len(table.learners) == 2:
        return
    requested = look_up(context.method, "test", ScoreTable, elsewhere=False)
    chosen = (context.method,) if requested is not None and requested.of_several else ()
    usual = ("friedman", "iman-davenport") if table.complete else ("skillings-mack",)
    results = {}
    for name in dict.fromkeys((*chosen, *usual)):
        test = find_method(name, "test", ScoreTable)
        accepted = {key: value for key, value in context.options.items() if key in test.options}
        results[name] = replace(
            test(table, **(accepted if name in chosen else {})),
            method=name,
            statistic_name=_STATISTICS.get(name, name),
            reference=test.reference,
        )
    yield Note(key="overall_tests", label="overall", text="", value=results)


@reports_on(ScoreTable)
def report_on_power(table: ScoreTable, context: AnswerContext) -> Iterator[Note]:
    """Yield the power for the difference of interest, and the number of data sets it needs."""
    if context.difference is None:
        return
    requested = look_up(context.test or context.method, "test", ScoreTable, elsewhere=False)
    quick = requested is not None and not requested.of_several and "rng" not in requested.options  # not simulated
    projection = power_over_data_sets(
        table,
        difference=context.difference,
        method=requested.name if requested is not None and quick else table.default("test"),
        alpha=context.alpha,
        comparisons=context.comparisons,
    )
    yield Note(key="power", label="power", text=projection.words, value=projection)
