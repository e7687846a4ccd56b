"""What an answer over many data sets reports besides: effect sizes, other tests, and power."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...evidence import AnswerContext, Note, ScoreTable, reports_on
from ..registry import find_method, look_up
from .effects import effect_sizes
from .power import power_over_data_sets
from .random_effects import random_effects

# What the statistic of a test over all learners is called.
_STATISTICS = {
    "friedman": "Friedman's chi-square",
    "friedman-exact": "Friedman's chi-square",
    "iman-davenport": "Iman and Davenport's F",
    "quade": "Quade's F",
    "aligned-ranks": "the chi-square of aligned ranks",
    "skillings-mack": "Skillings and Mack's chi-square",
}


@reports_on(ScoreTable)
def report_on_effects(table: ScoreTable, context: AnswerContext) -> Iterator[Note]:
    """Yield who wins where and how large the differences are: of two learners, or of every pair."""
    pairs = table if len(table.learners) == 2 else table.pairs(context.control)
    effects = effect_sizes(pairs, rope=float(context.options.get("rope", 0.0)))
    yield Note(key="effect_sizes", label="effect", text="", value=effects)


@reports_on(ScoreTable)
def report_on_other_tests(table: ScoreTable, context: AnswerContext) -> Iterator[Note]:
    """Yield what the random-effects test says, where the runs of each data set tell its own uncertainty."""
    known = table.rho is not None and not (table.rho != table.rho).any() and bool((table.runs > 1).all())
    if len(table.learners) == 2 and known and not context.named and context.hypothesis == "different":
        result = random_effects(table).test(alternative=context.alternative)
        yield Note(key="other_tests", label="beside", text="", value={"random-effects": result})


@reports_on(ScoreTable)
def report_on_all_learners(table: ScoreTable, context: AnswerContext) -> Iterator[Note]:
    """Yield whether any two of several learners differ: by the test that was named, and by those that are usual."""
    if len(table.learners) == 2:
        return
    named = look_up(context.method, "test", ScoreTable, elsewhere=False)
    chosen = (context.method,) if named is not None and named.of_several else ()
    usual = ("friedman", "iman-davenport") if table.complete else ("skillings-mack",)
    results = {}
    for name in dict.fromkeys((*chosen, *usual)):
        test = find_method(name, "test", ScoreTable)
        own = {key: value for key, value in context.options.items() if key in test.options} if name in chosen else {}
        results[name] = replace(
            test(table, **own), method=name, statistic_name=_STATISTICS.get(name, name), reference=test.reference
        )
    yield Note(key="overall_tests", label="overall", text="", value=results)


@reports_on(ScoreTable)
def report_on_power(table: ScoreTable, context: AnswerContext) -> Iterator[Note]:
    """Yield how often so many data sets would show the difference that was named, and how many it would take."""
    if context.difference is None:
        return
    named = look_up(context.test or context.method, "test", ScoreTable, elsewhere=False)
    quick = named is not None and not named.of_several and "rng" not in named.options  # no test within a test
    outlook = power_over_data_sets(
        table,
        difference=context.difference,
        method=named.name if named is not None and quick else table.default("test"),
        alpha=context.alpha,
        comparisons=context.comparisons,
    )
    yield Note(key="power", label="outlook", text=outlook.words, value=outlook)
