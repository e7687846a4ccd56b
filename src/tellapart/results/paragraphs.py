"""What estimates, comparisons and rankings say in a paper: the facts, the methods, and who described them.

A decision is told with its bar (alpha, the margin), and what the error bars do not allow for is told beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..rendering import level_text, percent, pvalue_text, significant
from ..typing_ import SOURCE_WORDS
from .comparison_clauses import (
    bar_of,
    claim_of,
    contradiction,
    event_verb,
    finding,
    is_probability,
    levels_of,
    limits_of,
    lower_text,
    margin_text,
    names_of,
    parameter_text,
    rate_of,
    seen,
    side_of,
    spread_of,
    threshold_text,
)
from .estimate_facts import seen as seen_of_one
from .estimate_facts import target_text, value_text
from .narrate import is_over_data_sets
from .paper import Cited, Sentence, software_in_print
from .ranking_clauses import family_text, is_counted, level_texts, luck_text, state_beside_control
from .wording import (
    balance,
    count_text,
    difference_name,
    difference_text,
    excluded_text,
    level_of,
    listed,
    p_text,
    written,
)

if TYPE_CHECKING:
    from ..bibliography import Reference
    from .comparison import Comparison
    from .estimate import Estimate
    from .interval import Interval
    from .ranking import Ranking

_POINT = "percentage point"
_LISTED = 12  # models that a paragraph can name


def write(answer: Any) -> Iterator[Sentence]:
    """Return what an answer says in a paper."""
    writers: dict[str, Any] = {"Estimate": _write_estimate, "Comparison": _write_comparison, "Ranking": _write_ranking}
    yield from next(writers[kind.__name__] for kind in type(answer).__mro__ if kind.__name__ in writers)(answer)
    yield from _write_reservations(answer)


# --- An estimate ----------------------------------------------------------------------------------------


def _write_estimate(answer: Estimate) -> Iterator[Sentence]:
    point, limits = _ends(answer.references)
    interval, what = answer.interval, answer.evidence.metric.title
    if answer.shape:
        ends = " to ".join(_end_text(answer, end) for end in (np.min(answer.value), np.max(answer.value)))
        first = f"{count_text(answer.value.size, 'estimate')} of the {what} ran from {ends}"
        yield (f"{first} ({level_text(interval.alpha)} intervals: {interval.method}", limits, ").")
        return
    tilted = balance(answer.evidence, float(answer.value), float(interval.width))
    what += f", {tilted[1]}," if tilted else ""
    condition, note = answer.evidence.condition(answer.method), f", {interval.note}" if interval.note else ""
    how: Sentence = () if answer.method == interval.method else (f"; estimated by {answer.method}", point)
    unless = f", {condition}" if condition else ""
    yield (
        f"The {what}{target_text(answer)} was {_signed(value_text(answer))} ({seen_of_one(answer)}",
        *how,
        f"; {_limits(interval, interval.limits_text())}{unless}, by {interval.method}",
        limits,
        f"{note}).",
    )


def _end_text(answer: Estimate, value: Any) -> str:
    return f"{100 * float(value):.3g} %" if answer.interval.metric == "error" else f"{float(value):.3g}"


# --- A comparison ---------------------------------------------------------------------------------------


def _write_comparison(answer: Comparison) -> Iterator[Sentence]:
    if answer.shape:
        yield _write_many(answer)
        return
    yield from _write_side(answer) if len(answer.evidence.models) == 1 else _write_pair(answer)
    if contradiction(answer):
        yield (contradiction(answer),)


_NAMES = {"non-inferior": "non-inferiority", "superior": "superiority", "equivalent": "equivalence"}


def _sided(answer: Comparison) -> str:
    kind = answer.hypothesis.kind
    if kind == "equivalent":
        return "two one-sided tests"
    return "two-sided" if kind == "different" and answer.alternative == "two-sided" else "one-sided"


def _write_many(answer: Comparison) -> Sentence:
    test, limits, adjustment = _parts(answer)
    rule: Sentence = (f", adjusted by {answer.adjustment}", adjustment) if answer.adjustment else (", each by itself",)
    kind = answer.hypothesis.kind
    shown = _NAMES.get(kind, "a difference")
    if kind != "different":
        shown = f"{shown} with a margin of {margin_text(answer, _POINT)}"
    elif len(answer.evidence.models) == 1:
        against = np.unique(answer.against)
        shown += f" from a threshold of {100 * float(against[0]):.6g} %" if against.size == 1 else " from a threshold"
    count = int(np.count_nonzero(answer.rejected))
    return (
        f"Of {answer.difference.size} comparisons, {count} showed {shown} at alpha = {answer.alpha:.6g}"
        f" ({answer.method}",
        test,
        f", {_sided(answer)}",
        *rule,
        f"; {level_text(answer.interval.alpha)} intervals: {answer.interval.method}",
        limits,
        ").",
    )


def _write_side(answer: Comparison) -> Iterator[Sentence]:
    test, limits, _ = _parts(answer)
    pvalue, title = p_text(float(answer.pvalue), answer.alpha, answer.simulated), answer.evidence.metric.title
    yield (
        f"The {title} was {rate_of(answer)} ({answer.evidence.describe()};"
        f" {_limits(answer.interval, limits_of(answer))}, by {answer.interval.method}",
        limits,
        f"; against a threshold of {threshold_text(answer)}: {pvalue} by the test {answer.method}",
        test,
        f", {_sided(answer)}{_note(answer)}).",
    )
    what = "error" if answer.evidence.metric.is_rate else title
    yield (f"At alpha = {answer.alpha:.6g}, the {what} was {side_of(answer)} the threshold.",)


def _note(answer: Comparison) -> str:
    return f", {answer.test.note}" if answer.test.note else ""


def _write_pair(answer: Comparison) -> Iterator[Sentence]:
    test, limits, adjustment = _parts(answer)
    a, b = names_of(answer)
    interval, evidence = answer.interval, answer.evidence
    of = difference_name(evidence, a, b) if evidence.event == "wrong" else f"{a} − {b}"
    value = difference_text(float(answer.difference), spread_of(answer), evidence.metric.name)
    what = "" if interval.parameter == "difference" else f" of {parameter_text(answer, past=True)}"
    disagreements, effects = evidence.figures().get("disagreements"), answer.note("effect_sizes")
    wins = ""
    if effects is not None:
        from .data_set_clauses import wins_text

        wins = f"; {wins_text(effects, a, b)}"
    yield (
        f"{_rates(answer)}; the difference {of} was {_signed(value)} ({_limits(interval, limits_of(answer), what)},"
        f" by {interval.method}",
        limits,
        f"{f', {interval.note}' * bool(interval.note)}; ",
        *_how_sure(answer, test, adjustment),
        "" if disagreements is None else f"; {count_text(disagreements, 'disagreement')}",
        f"{wins}).",
    )
    yield (_decision(answer),)


def _rates(answer: Comparison) -> str:
    """Say how often each of two erred, on what."""
    evidence, (a, b) = answer.evidence, names_of(answer)
    spread, metric, of_learners = spread_of(answer), evidence.metric, evidence.subject == "learner"
    if of_learners and metric.is_rate:
        first, second = (percent(rate, spread) for rate in levels_of(answer))
        return f"Over {evidence.describe()}, {a} erred on {first} and {b} on {second} of the examples on average"
    if evidence.subject != "classifier" or not metric.is_rate:
        reasons = evidence.reasons_undefined
        first, second = (
            f"undefined ({reasons[name]})" if name in reasons else written(level, spread, metric.name)
            for name, level in zip((a, b), levels_of(answer), strict=True)
        )
        down = "" if metric.is_rate else lower_text(evidence, " (")
        on, mean = (f"Over {evidence.describe()}", "mean ") if of_learners else (f"On {seen(answer)}", "")
        return f"{on}, the {mean}{metric.title} was {first} for {a} and {second} for {b}{down}{')' * bool(down)}"
    first, second = (percent(level, spread) for level in levels_of(answer))
    did, sizes = event_verb(answer, past=True), evidence.test_sizes
    on = f"On {count_text(sizes[0], 'test example')}"
    if len(sizes) > 1:
        return f"{on} {a} {did} on {first}, and on {count_text(sizes[1], 'other')} {b} on {second}"
    return f"{on}, {a} {did} on {first} and {b} on {second}"


def _how_sure(answer: Comparison, test: Cited, adjustment: Cited) -> Sentence:
    note = _note(answer)
    if np.isnan(answer.pvalue) and np.isnan(answer.difference):
        return (f"no p-value by the test {answer.method}", test)
    if np.isnan(answer.pvalue):
        return (f"no p-value: {answer.method}", test, f" is a rule{note if 'rule' not in note else ''}")
    alone = p_text(float(answer.pvalue), answer.alpha, answer.simulated)
    by: Sentence = (f"by the test {answer.method}", test, f", {_sided(answer)}{note}")
    if answer.adjusted is not None:
        adjusted = p_text(float(answer.adjusted), answer.alpha, answer.adjusted_simulated)
        return (f"{adjusted} adjusted by {answer.adjustment}", adjustment, f", {alone} by itself, {by[0]}", *by[1:])
    first = f"{answer.test.statistic_name} = {pvalue_text(float(answer.statistic))}; " * is_probability(answer)
    return (f"{first}{alone} {by[0]}", *by[1:])


def _decision(answer: Comparison) -> str:
    """Say what was decided, by which bar."""
    bar, kind = bar_of(answer), answer.hypothesis.kind
    where = f"{bar[0].upper()}{bar[1:]}"
    if kind != "different":
        shown = "shown" if answer.rejected else "not shown"
        return f"{where}, it was {shown} that {claim_of(answer, _POINT)} ({_NAMES[kind]})."
    result, objection = finding(answer, past=True)
    return f"{where}, {result}{objection}."


# --- A ranking ------------------------------------------------------------------------------------------


def _write_ranking(answer: Ranking) -> Iterator[Sentence]:
    yield (_order(answer),)
    yield _write_contest(answer)
    for test in (answer.note("cochran_q"), *answer.note("overall_tests", {}).values()):
        if test is not None:
            name, figure = test.statistic_name, significant(float(test.statistic), 4)
            note = f" {test.note}" if test.note else ""
            pvalue = p_text(float(test.pvalue), answer.alpha)
            yield (f"{name[0].upper()}{name[1:]}", Cited((test.reference,)), f" was {figure}{note} ({pvalue}).")
    if answer.note("optimism", np.nan) > (1e-4 if answer.metric == "error" else 0):
        they = "it is" if len(answer.best) == 1 else "they are"
        first = f"Chosen on these very examples, the best of {len(answer.models)} looked"
        yield (f"{first} {luck_text(answer, _POINT)} better than {they}.",)
    elif answer.noun == "learner" and answer.control is None:
        drawn = "on these very data sets" if is_over_data_sets(answer.evidence) else "by these very splits"
        yield (f"Chosen {drawn}, the best looks better than it is.",)


def _order(answer: Ranking) -> str:
    """Say which figure each model has, from the best to the worst."""
    evidence, several = answer.evidence, len(answer.models)
    figures = dict(zip(answer.models, level_texts(answer), strict=True))
    on = f"{'Over' if answer.noun == 'learner' else 'On'} {evidence.describe()}"
    if is_counted(answer):
        on = f"On {evidence.size} test examples"
    first = "lowest" if is_over_data_sets(evidence) else level_of(evidence)  # of ranks, less is better
    ends = f"from the {first} to the {'lowest' if first == 'highest' else 'highest'}"
    shown = [f"{name} ({figures[name]})" for name in answer.in_order()[:_LISTED]]
    named = f"{', '.join(shown)} and {several - _LISTED} more" if several > _LISTED else listed(shown, several)
    return f"{on}, the {answer.measure} was, {ends}, {named}."


def _write_contest(answer: Ranking) -> Sentence:
    """Say which pairs were told apart, by what."""
    rule, interval, pairs = answer.adjustment.method, answer.pairs.interval, len(answer.names)
    test, limits, adjustment = _of_several(answer)
    own = rule == "max-t"  # it has a statistic of its own, which decides
    by: Sentence = (rule, adjustment) if own else (answer.method, test)
    adjusted: Sentence = () if own or rule == "none" else (f", adjusted by {rule}", adjustment)
    together = (", all together" if interval.method == "max-t" else ", each by itself") * (pairs > 1)
    significant_ones = sum(better is not None for better in answer.better)
    return (
        f"At alpha = {answer.alpha:.6g}{family_text(answer) * (pairs > 1)} (",
        *by,
        f", {_sided(answer.pairs)}{_note(answer.pairs)}",
        *adjusted,
        f"; {level_text(interval.alpha)} intervals{together}: {interval.method}",
        limits,
        f"), {significant_ones} of {pairs} pair{'s were' if pairs != 1 else ' was'} told apart; {_contest(answer)}.",
    )


def _contest(answer: Ranking) -> str:
    if answer.control is not None:
        return state_beside_control(answer, past=True)
    first, tied = answer.best, answer.contenders
    if len(first) == len(answer.models):
        counted = answer.metric == "error"
        return "none had fewer errors than another" if counted else f"none had a better {answer.measure} than another"
    verb, names = "was" if len(first) == 1 else "were", listed(first, len(first))
    if not tied:
        return f"{names} {verb} told apart from all others, as better"
    who = listed(tied, len(tied)) if len(tied) <= _LISTED else f"{len(tied)} others"
    return f"{names} {verb} not told apart from {who}"


# --- What all have in common ----------------------------------------------------------------------------


def _write_reservations(answer: Any) -> Iterator[Sentence]:
    """Say what was left out, what the error bars do not allow for, which checks failed, and what computed it."""
    evidence, looks = answer.evidence, answer.note("looks", 0)
    if answer.excluded:
        yield (excluded_text(answer.excluded).strip(),)
    if looks:
        times = count_text(looks, "time")
        yield (f"This test set had been looked at {times} before, which the p-value does not allow for.",)
    if answer.sources_ignored and not answer.only_chooses:  # a choice has no error bars
        missed = listed([SOURCE_WORDS[source] for source in answer.sources_ignored])
        verb = "is" if len(answer.sources_ignored) == 1 else "are"
        yield (f"{_as_trained(answer, missed)} {verb} not part of this uncertainty.",)
    if evidence.subject == "learner":
        others = "any one of them" if is_over_data_sets(evidence) else "other data sets"
        scope = "" if len(evidence.models) == 1 else evidence.scope(answer.method)  # an estimate has said whose
        yield (
            f"{scope.removesuffix('.')}; nothing is said of {others}." if scope else f"Nothing is said of {others}.",
        )
    failed = [check for check in answer.checks if not np.all(check.holds)]
    if failed:
        first = "This check" if len(failed) == 1 else "These checks"
        yield (f"{first} failed: {'; '.join(f'{check.statement} ({check.code})' for check in failed)}.",)
    yield from software_in_print()


def _as_trained(answer: Any, missed: str) -> str:
    """Begin the sentence on what was left to chance; of classifiers it says that nothing was trained again."""
    evidence = answer.evidence
    if evidence.subject == "learner":
        return f"{missed[0].upper()}{missed[1:]}"
    alone = len(evidence.models) == 1
    if evidence.subject == "model" or not evidence.metric.is_rate:
        return f"The model{' was' if alone else 's were'} tested as trained: {missed}"
    one = (alone and not evidence.shape) or evidence.event != "wrong"
    return f"The classifier{' was' if one else 's were'} tested as trained: {missed}"


def _ends(references: tuple[str | Reference, ...]) -> tuple[Cited, Cited]:
    """Return who described the method, and who the interval: they may be one."""
    return Cited(references[:1]), Cited(references[-1:])


def _parts(answer: Comparison) -> tuple[Cited, Cited, Cited]:
    """Return who described the test, the interval and the adjustment, which stand in this order, each once."""
    references = answer.references
    adjusted = len(references) > 1 and answer.adjusted is not None
    test, limits = _ends(references[:-1] if adjusted else references)
    return test, limits, Cited(references[-1:] if adjusted else ())


def _of_several(answer: Ranking) -> tuple[Cited, Cited, Cited]:
    """Return who described test, interval and adjustment; that of max-t gives both of the latter."""
    references, rule = answer.references, answer.adjustment.method
    adjusted = len(references) > 1 and rule != "none"
    adjustment = Cited(references[-1:] if adjusted else ())
    test, limits = _ends(references[:-1] if adjusted else references)
    return test, adjustment if answer.pairs.interval.method == rule else limits, adjustment


def _limits(interval: Interval, limits: str, what: str = "") -> str:
    kind = {"two": "interval", "upper": "upper bound", "lower": "lower bound"}[interval.side]
    text = _signed(limits).removesuffix(" percentage points").removeprefix("at least ").removeprefix("at most ")
    return f"{level_text(interval.alpha)} {kind}{what} {text}"


def _signed(text: str) -> str:
    """Write a figure with a minus that is one, and points that are of percents."""
    minus = " ".join("−" + word[1:] if word[0] == "-" and word != "-" else word for word in text.split(" "))
    return minus.replace(" point", " percentage point")
