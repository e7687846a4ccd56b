"""Paragraphs for papers about estimates, comparisons and rankings: figures, methods with citations, decision.

A decision is stated with its alpha or margin, and the same paragraph names the sources of variation that are not
covered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..figures import count_text, join_names, level_text
from ..typing_ import SOURCE_WORDS
from .citable import Cited, Sentence, software_in_print
from .comparison_text import certainty_text, contradiction, is_probability, limits_clause, verdict
from .estimate_text import value_text
from .narrate import state_verdict
from .oriented import orient
from .ranking_text import level_scale
from .ranking_text import verdict as ranking_verdict
from .wording import adjustment_text, excluded_text, note_beside_title, precise_p_text

if TYPE_CHECKING:
    from .comparison import Comparison
    from .estimate import Estimate
    from .interval import Interval
    from .ranking import Ranking
    from .test_result import TestResult

_LISTED = 12  # most models that a paragraph names
_NAMES = {"non-inferior": "non-inferiority", "superior": "superiority", "equivalent": "equivalence"}


def write(answer: Any) -> Iterator[Sentence]:
    """Yield the sentences of an answer for a paper."""
    writers: dict[str, Any] = {"Estimate": _write_estimate, "Comparison": _write_comparison, "Ranking": _write_ranking}
    yield from next(writers[kind.__name__] for kind in type(answer).__mro__ if kind.__name__ in writers)(answer)
    yield from _write_reservations(answer)


def _cite_one(reference: Any) -> Cited:
    return Cited((reference,) if reference else ())


# --- An estimate ----------------------------------------------------------------------------------------


def _write_estimate(answer: Estimate) -> Iterator[Sentence]:
    interval, title = answer.interval, answer.evidence.metric.report_title
    estimator: Sentence = ()
    if answer.method != interval.method:
        estimator = (f"; estimated by {answer.method_title or answer.method}", _cite_one(answer.references[0]))
    if answer.shape:
        opening = state_verdict(answer)
    else:
        figures = value_text(answer).removeprefix(title)
        verb = "" if figures.startswith(" is ") else " was"
        opening = f"The {title}{f' of {answer.target}' if answer.target else ''}{verb}{figures}"
    condition = answer.evidence.condition(answer.method)
    unless = f", valid if {condition}" if condition else ""
    yield (
        f"{opening} from {answer.evidence.describe()}",
        *estimator,
        f"; {interval.title or interval.method} interval",
        _cite_one(interval.reference),
        f"{unless}{_note_clause(interval)}.",
    )


def _note_clause(result: Interval | TestResult) -> str:
    note = note_beside_title(result)
    return f", {note}" if note else ""


# --- A comparison ---------------------------------------------------------------------------------------


def _write_comparison(answer: Comparison) -> Iterator[Sentence]:
    if answer.shape:
        yield _write_many(answer)
    elif len(answer.evidence.models) == 1:
        yield from _write_threshold(answer)
    else:
        yield from _write_pair(answer)
    remark = "" if answer.shape else contradiction(answer)
    if remark and remark != "unadjusted":
        yield (f"The {level_text(answer.interval.alpha)} interval {remark}.",)


def _sides_text(answer: Comparison) -> str:
    kind = answer.hypothesis.kind
    if kind == "equivalent":
        return "two one-sided tests"
    return "two-sided" if kind == "different" and answer.alternative == "two-sided" else "one-sided"


def _test_clause(answer: Comparison) -> Sentence:
    """Return test, p-value, side and note; for an adjusted p-value with its rule."""
    test, note = answer.test, _note_clause(answer.test)
    name = test.title or answer.method
    if np.isnan(answer.pvalue):
        return (name, _cite_one(test.reference), f": no p-value{note}")
    pvalue = precise_p_text(float(answer.pvalue), answer.alpha, answer.simulated)
    if is_probability(answer):
        pvalue = f"{certainty_text(answer, orient(answer))}; {pvalue}"
    clause: Sentence = (name, _cite_one(test.reference), f": {pvalue}, {_sides_text(answer)}{note}")
    if answer.adjustment is None:
        return clause
    adjusted = precise_p_text(float(answer.adjustment.pvalue), answer.alpha, answer.adjusted_simulated, "adjusted p")
    rule = answer.adjustment
    return (*clause, f"; {adjustment_text(rule.method)}", _cite_one(rule.reference), f" over {rule.family}: {adjusted}")


def _write_many(answer: Comparison) -> Sentence:
    rule: Sentence = ("unadjusted",)
    if answer.adjustment:
        rule = (f"{adjustment_text(answer.adjustment.method)}", _cite_one(answer.adjustment.reference))
    return (
        f"{verdict(answer)} at alpha = {answer.alpha:.6g} ({answer.test.title or answer.method}",
        _cite_one(answer.test.reference),
        f", {_sides_text(answer)}, ",
        *rule,
        f"; {level_text(answer.interval.alpha)} intervals: {answer.interval.title or answer.interval.method}",
        _cite_one(answer.interval.reference),
        ").",
    )


def _write_threshold(answer: Comparison) -> Iterator[Sentence]:
    from .comparison_text import threshold_value_text

    title, figures = answer.evidence.metric.title, threshold_value_text(answer)
    method = answer.interval.title or answer.interval.method
    yield (
        f"The {title} was {figures} from {answer.evidence.describe()} ({method}",
        _cite_one(answer.interval.reference),
        "; ",
        *_test_clause(answer),
        f"). At alpha = {answer.alpha:.6g}: {_begin_lower(verdict(answer), ())}.",
    )


def _write_pair(answer: Comparison) -> Iterator[Sentence]:
    evidence, interval = answer.evidence, answer.interval
    on = f"{'Over' if evidence.subject == 'learner' else 'On'} {_observed_text(answer)}"
    bar = f"At alpha = {answer.alpha:.6g}: {_begin_lower(verdict(answer), evidence.models)}"
    if answer.hypothesis.kind != "different":
        bar = f"{bar} ({_NAMES[answer.hypothesis.kind]})"
    if np.isnan(answer.difference):
        yield (f"{on}: {verdict(answer)}.",)
        return
    lead = orient(answer)
    title = evidence.metric.report_title if evidence.event == "wrong" else f"share of '{evidence.event}'"
    size = lead.size_text.replace(" pp ", " percentage points ")
    effects = answer.note("effect_sizes")
    wins = ""
    if effects is not None:
        a, b = evidence.models
        wins = f"; {b} wins {int(effects.b_wins)}, ties {int(effects.ties)}, {a} wins {int(effects.a_wins)}"
    yield (
        f"{on}, the {title} was {lead.scale.value(lead.value)} for {evidence.models[lead.position]} and"
        f" {lead.scale.value(lead.other_value)} for {evidence.models[1 - lead.position]}: {size}"
        f" {limits_clause(answer, lead)[:-1]}, {interval.title or interval.method}",
        _cite_one(interval.reference),
        f"{_note_clause(interval)}; ",
        *_test_clause(answer),
        f"{wins}).",
    )
    yield (f"{bar}.",)


def _observed_text(answer: Comparison) -> str:
    """Return a description of the data, with the number of discordant pairs."""
    evidence = answer.evidence
    if evidence.subject == "learner":
        return evidence.describe()
    sizes, discordant = evidence.test_sizes, evidence.figures().get("disagreements")
    if len(sizes) > 1:
        return f"{count_text(int(sizes[0]), 'test example')} and {count_text(int(sizes[1]), 'other')}"
    if discordant is None:
        return evidence.describe()
    return f"{count_text(int(evidence.size), 'test example')} ({count_text(int(discordant), 'discordant pair')})"


def _begin_lower(text: str, models: tuple[str, ...]) -> str:
    """Return a verdict as the middle of a sentence; a name keeps its case."""
    return text if any(text.startswith(name) for name in models) else f"{text[0].lower()}{text[1:]}"


# --- A ranking ------------------------------------------------------------------------------------------


def _write_ranking(answer: Ranking) -> Iterator[Sentence]:
    evidence, scale = answer.evidence, level_scale(answer)
    levels = dict(zip(answer.models, evidence.levels.tolist(), strict=True))
    figures = [
        f"{name} ({scale.value(float(evidence.metric.report_value(levels[name])))})"
        for name in answer.in_order()[:_LISTED]
    ]
    more = f" and {len(levels) - _LISTED} more" if len(levels) > _LISTED else ""
    on = f"{'Over' if answer.noun == 'learner' else 'On'} {evidence.describe()}"
    listed = f"{', '.join(figures)}{more}" if more else join_names(figures, len(figures))
    yield (f"{on}, the {evidence.metric.report_title} was, from the first to the last, {listed}.",)
    adjustment, test, interval = answer.adjustment, answer.pairs.test, answer.pairs.interval
    rule: Sentence = (test.title or test.method, _cite_one(test.reference), f", {adjustment_text(adjustment.method)}")
    if adjustment.title:
        rule = (adjustment.title,)
    elif adjustment.method == "none":
        rule = (test.title or test.method, _cite_one(test.reference), ", unadjusted")
    significant = sum(better is not None for better in answer.better)
    together = "simultaneous" if interval.method == adjustment.method else "unadjusted"
    yield (
        f"{ranking_verdict(answer)}: {significant} of {count_text(len(answer.names), 'pair')}"
        f" {'was' if significant == 1 else 'were'} significantly different at alpha = {answer.alpha:.6g} (",
        *rule,
        _cite_one(adjustment.reference if adjustment.method != "none" else ""),
        f"; {together} {level_text(interval.alpha)} intervals: {interval.title or interval.method}",
        _cite_one(interval.reference),
        ").",
    )
    for result in (answer.note("cochran_q"), *answer.note("overall_tests", {}).values()):
        if result is not None:
            note = f", {result.note}" if result.note else ""
            pvalue = precise_p_text(float(result.pvalue), answer.alpha)
            name = result.statistic_name
            yield (
                f"{name[0].upper()}{name[1:]}",
                _cite_one(result.reference),
                f" = {float(result.statistic):.4g}{note} ({pvalue}).",
            )
    if answer.control is None:
        from .ranking_text import scope_text

        _, _, bias = scope_text(answer).partition("; the leader")
        if bias:
            yield (f"The leader{bias}, as it was chosen on these data.",)


# --- Shared sentences -----------------------------------------------------------------------------------


def _write_reservations(answer: Any) -> Iterator[Sentence]:
    """Yield sentences about left-out examples, sources of variation, failed checks, and the software."""
    looks = answer.note("looks", 0)
    if answer.excluded:
        text = excluded_text(answer.excluded).removeprefix("; ")
        yield (f"{text}.",)
    if looks:
        yield (f"The test set had been used {count_text(looks, 'time')} before; p-values do not account for it.",)
    if answer.sources_ignored and not answer.only_chooses:  # a rule without a p-value has no interval
        ignored = " or ".join(SOURCE_WORDS[source] for source in answer.sources_ignored)
        yield (f"The error bars do not account for {ignored}.",)
    scope = answer.evidence.scope(answer.method).sentence
    yield (f"This {scope[0].lower()}{scope[1:]}",)
    failed = [check for check in answer.checks if not np.all(check.holds)]
    if failed:
        first = "One check" if len(failed) == 1 else f"{len(failed)} checks"
        yield (f"{first} failed: {'; '.join(f'{check.statement} ({check.code})' for check in failed)}.",)
    yield from software_in_print()
