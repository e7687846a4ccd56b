"""What estimates, comparisons and rankings say in a paper: the facts, the methods, and who described them.

A decision is told with its bar (alpha, the margin), and what the error bars do not allow for is told beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..bibliography import Reference
from ..evidence import (
    ErrorCount,
    ErrorPatterns,
    Evidence,
    IndependentCounts,
    PairedTable,
)
from ..rendering import level_text, percent, plain_number, points, pvalue_text, significant
from ..typing_ import SOURCE_WORDS
from .check import Check
from .data_set_clauses import OVERALL, over_data_sets, wins_text
from .interval import Interval
from .paper import Cited, Sentence, listed, software_in_print
from .scored import balance, difference_name, level_of, written
from .scored import seen as seen_in
from .sentences import (
    bar_of,
    claim_of,
    contradiction,
    event_of,
    finding,
    levels_of,
    limits_of,
    margin_text,
    metric_of,
    names_of,
    only_chooses,
    rate_of,
    side_of,
    spread_of,
    threshold_text,
)
from .telling import excluded_text, p_text

if TYPE_CHECKING:
    from .comparison import Comparison
    from .estimate import Estimate
    from .ranking import Ranking

# --- An estimate ----------------------------------------------------------------------------------


def estimate_in_print(answer: Estimate) -> Iterator[Sentence]:
    """Return what an estimate says in a paper."""
    point, limits = _ends(answer.cites)
    interval, error = answer.interval, answer.interval.metric == "error"
    what = answer.evidence.metric.title
    if answer.shape:
        write = (lambda value: f"{100 * value:.3g} %") if error else (lambda value: f"{value:.3g}")
        ends = " to ".join(map(write, (float(np.min(answer.estimate)), float(np.max(answer.estimate)))))
        many = answer.estimate.size
        first = f"{many} estimate{'s' * (many != 1)} of the {what} ran from {ends}"
        yield (f"{first} ({level_text(interval.alpha)} intervals: {interval.method}", limits, ").")
    else:
        spread = float(interval.width)
        spread = spread if np.isfinite(spread) else float(answer.estimate)
        value, held = _signed(written(float(answer.estimate), spread, interval.metric)), answer.evidence
        value = next((f"not defined, as {reason}" for reason in held.reasons_undefined.values()), value)
        seen = seen_in(held, answer.worth)
        tilted = balance(held, float(answer.estimate), spread)
        what += f", {tilted[1]}," if tilted else ""
        of = f" of {answer.target}{',' * (', ' in answer.target)}" if answer.target else ""
        unless = f", {answer.unless}" if answer.unless else ""
        told = f", {answer.told}" if answer.told else ""
        how: Sentence = () if answer.method == interval.method else (f"; estimated by {answer.method}", point)
        yield (
            f"The {what}{of} was {value} ({seen}",
            *how,
            f"; {_limits(interval, interval.limits_text())}{unless}, by {interval.method}",
            limits,
            f"{told}).",
        )
    yield from _uncertainty(answer)


# --- A comparison ---------------------------------------------------------------------------------


def comparison_in_print(answer: Comparison) -> Iterator[Sentence]:
    """Return what a comparison says in a paper."""
    if answer.shape:
        yield from _many(answer)
    elif isinstance(answer.evidence, ErrorCount):
        yield from _against(answer)
    else:
        yield from _pair(answer)
    if not answer.shape and contradiction(answer):
        yield (contradiction(answer),)
    yield from _uncertainty(answer)


_NAMES = {"non-inferior": "non-inferiority", "superior": "superiority", "equivalent": "equivalence"}
_POINT = "percentage point"


def _sided(answer: Comparison) -> str:
    if answer.hypothesis == "equivalent":
        return "two one-sided tests"
    return "two-sided" if answer.hypothesis == "different" and answer.alternative == "two-sided" else "one-sided"


def _many(answer: Comparison) -> Iterator[Sentence]:
    test, limits, adjustment = _parts(answer)
    paid: Sentence = (f", adjusted by {answer.adjustment}", adjustment) if answer.adjustment else (", each by itself",)
    shown = _NAMES.get(answer.hypothesis, "a difference")
    if answer.hypothesis != "different":
        shown = f"{shown} with a margin of {margin_text(answer, _POINT)}"
    elif isinstance(answer.evidence, ErrorCount):
        against = np.unique(answer.against)
        shown += f" from a threshold of {100 * float(against[0]):.6g} %" if against.size == 1 else " from a threshold"
    called = int(np.count_nonzero(answer.rejected))
    yield (
        f"Of {answer.difference.size} comparisons, {called} showed {shown} at alpha = {answer.alpha:.6g}"
        f" ({answer.method}",
        test,
        f", {_sided(answer)}",
        *paid,
        f"; {level_text(answer.interval.alpha)} intervals: {answer.interval.method}",
        limits,
        ").",
    )


def _against(answer: Comparison) -> Iterator[Sentence]:
    test, limits, _ = _parts(answer)
    pvalue, rate = p_text(float(answer.pvalue), answer.alpha, answer.simulated), rate_of(answer)
    told = f", {answer.told}" if answer.told else ""
    yield (
        f"The error rate was {rate} ({answer.evidence.describe()}; {_limits(answer.interval, limits_of(answer))},"
        f" by {answer.interval.method}",
        limits,
        f"; against a threshold of {threshold_text(answer)}: {pvalue} by the test {answer.method}",
        test,
        f", {_sided(answer)}{told}).",
    )
    yield (f"At alpha = {answer.alpha:.6g}, the error was {side_of(answer)} the threshold.",)


def _pair(answer: Comparison) -> Iterator[Sentence]:
    test, limits, adjustment = _parts(answer)
    a, b = names_of(answer)
    error = answer.interval.metric == "error"
    of = difference_name(answer.evidence, a, b) if event_of(answer) == "wrong" else f"{a} − {b}"
    value = (points if error else plain_number)(float(answer.difference), spread_of(answer))
    interval, what = answer.interval, ""
    if interval.parameter != "difference":
        lone = {
            "odds": f"lone errors of {a} for each of {b}",
            "reduction": f"the share of {a}'s errors that {b} avoided",
            "ratio": f"{metric_of(answer)}({b}) / {metric_of(answer)}({a})",
        }
        what = f" of {lone[interval.parameter]}"
    apart = answer.evidence.disagreements if isinstance(answer.evidence, PairedTable) else None
    yield (
        f"{_rates(answer)}; the difference {of} was {_signed(value)} ({_limits(interval, limits_of(answer), what)},"
        f" by {interval.method}",
        limits,
        f"{f', {answer.interval_told}' * bool(answer.interval_told)}; ",
        *_how_sure(answer, test, adjustment),
        "" if apart is None else f"; {apart} disagreement{'s' * bool(apart != 1)}",
        "" if answer.effects is None else f"; {wins_text(answer.effects, a, b)}",
        ").",
    )
    yield (_decision(answer),)


def _rates(answer: Comparison) -> str:
    """Say how often each of two erred, on what."""
    held: Any = answer.evidence
    (a, b), spread = held.models, spread_of(answer)
    if held.subject == "learner" and held.metric.is_rate:
        first, second = (percent(rate, spread) for rate in levels_of(answer))
        return f"Over {held.describe()}, {a} erred on {first} and {b} on {second} of the examples on average"
    if held.subject != "classifier" or not held.metric.is_rate:
        missing = held.reasons_undefined
        first, second = (
            f"undefined ({missing[name]})" if name in missing else written(level, spread, held.metric.name)
            for name, level in zip((a, b), levels_of(answer), strict=True)
        )
        down = "" if held.metric.higher_is_better or held.metric.is_rate else " (lower is better)"
        on, mean = f"On {seen_in(held, answer.worth)},", ""
        if held.subject == "learner":
            on, mean = f"Over {held.describe()},", "mean "
        return f"{on} the {mean}{held.metric.title} was {first} for {a} and {second} for {b}{down}"
    first, second = (percent(level, spread) for level in levels_of(answer))
    did = "erred" if event_of(answer) == "wrong" else f"was {event_of(answer)}"
    tested = held.size
    if isinstance(held, IndependentCounts):
        tested, others = held.count_a.trials, held.count_b.trials
        other = f"{others} other{'s' * bool(others != 1)}"
        return f"On {tested} test example{'s' * bool(tested != 1)} {a} {did} on {first}, and on {other} {b} on {second}"
    return f"On {tested} test example{'s' * bool(tested != 1)}, {a} {did} on {first} and {b} on {second}"


def _how_sure(answer: Comparison, test: Cited, adjustment: Cited) -> Sentence:
    asked = _sided(answer)
    told = f", {answer.told}" if answer.told else ""
    if np.isnan(answer.pvalue) and np.isnan(answer.difference):
        return (f"no p-value by the test {answer.method}", test)
    if np.isnan(answer.pvalue):
        return (f"no p-value: {answer.method}", test, f" is a rule{told if 'rule' not in told else ''}")
    first = f"{answer.measures} = {pvalue_text(float(answer.statistic))}; " if answer.measures.startswith("P(") else ""
    alone = p_text(float(answer.pvalue), answer.alpha, answer.simulated)
    if answer.adjusted is not None:
        paid = p_text(float(answer.adjusted), answer.alpha, answer.adjusted_simulated)
        return (
            f"{paid} adjusted by {answer.adjustment}",
            adjustment,
            f", {alone} by itself, by the test {answer.method}",
            test,
            f", {asked}{told}",
        )
    return (
        f"{first}{alone} by the test {answer.method}",
        test,
        f", {asked}{told}",
    )


def _decision(answer: Comparison) -> str:
    """Say what was decided, by which bar."""
    bar = bar_of(answer)
    where = f"{bar[0].upper()}{bar[1:]}"
    if answer.hypothesis != "different":
        shown = "shown" if answer.rejected else "not shown"
        return f"{where}, it was {shown} that {claim_of(answer, _POINT)} ({_NAMES[answer.hypothesis]})."
    found, against = finding(answer, past=True)
    return f"{where}, {found}{against}."


# --- A ranking ------------------------------------------------------------------------------------


def ranking_in_print(answer: Ranking) -> Iterator[Sentence]:
    """Return what a ranking says in a paper."""
    test, limits, adjustment = _of_several(answer)
    spread, several = answer.rate_spread, len(answer.models)
    figures = [written(level, spread, answer.metric) for level in answer.levels.tolist()]
    rates = dict(zip(answer.models, figures, strict=True))
    order = [answer.models[place] for place in np.argsort(answer.rates, kind="stable")]
    on = f"{'Over' if answer.evidence.subject == 'learner' else 'On'} {answer.evidence.describe()}"
    if isinstance(answer.evidence, ErrorPatterns):
        on = f"On {answer.evidence.examples} test examples"
    first = "lowest" if over_data_sets(answer.evidence) else level_of(answer.evidence)  # of ranks, less is better
    ends = f"from the {first} to the {'lowest' if first == 'highest' else 'highest'}"
    shown = [f"{name} ({rates[name]})" for name in order[:_LISTED]]
    named = f"{', '.join(shown)} and {several - _LISTED} more" if several > _LISTED else listed(shown)
    yield (f"{on}, the {answer.measure} was, {ends}, {named}.",)
    pairs = len(answer.names)
    each = {"none": f" for each of {pairs} pairs"}.get(answer.adjustment, f" for all {pairs} pairs together")
    if answer.adjustment.startswith("benjamini"):
        each = f" for the share of false claims among {pairs} pairs"
    told = f", {answer.told}" if answer.told else ""
    apart = sum(better is not None for better in answer.better)
    own = answer.adjustment == "max-t"  # it has a statistic of its own, which decides
    by: Sentence = ("max-t", adjustment) if own else (answer.method, test)
    paid: Sentence = () if own or answer.adjustment == "none" else (f", adjusted by {answer.adjustment}", adjustment)
    interval = answer.pairs.interval
    together = (", all together" if interval.method == "max-t" else ", each by itself") * (pairs > 1)
    yield (
        f"At alpha = {answer.alpha:.6g}{each * (pairs > 1)} (",
        *by,
        f", {_sided(answer.pairs)}{told}",
        *paid,
        f"; {level_text(interval.alpha)} intervals{together}: {interval.method}",
        limits,
        f"), {apart} of {pairs} pair{'s were' if pairs != 1 else ' was'} told apart; {_contest(answer)}.",
    )
    if answer.omnibus is not None:
        freedom = f"{several - 1} degree{'s' * (several > 2)} of freedom"
        pvalue = p_text(float(answer.omnibus.pvalue), answer.alpha)
        yield (
            "Cochran's Q",
            Cited(("cochran1950",)),
            f" was {significant(float(answer.omnibus.statistic), 4)} on {freedom} ({pvalue}).",
        )
    if answer.optimism > (1e-4 if answer.metric == "error" else 0):
        lucky = answer.luck.replace("points", "percentage points")
        they = "it is" if len(answer.best) == 1 else "they are"
        yield (f"Chosen on these very examples, the best of {several} looked {lucky} better than {they}.",)
    elif over_data_sets(answer.evidence):
        yield from _over_data_sets(answer)
    elif answer.evidence.subject == "learner":
        yield ("Chosen by these very splits, the best looks better than it is.",)
    yield from _uncertainty(answer)


def _over_data_sets(answer: Any) -> Iterator[Sentence]:
    """Say whether any two learners differ at all, by the tests over all of them."""
    for name, found in answer.overall.items():
        pvalue = p_text(float(found.pvalue), answer.alpha)
        title, source = OVERALL[name]
        yield (
            title[0].upper() + title[1:],
            Cited((source,)),
            f" was {significant(float(found.statistic), 4)} ({pvalue}).",
        )
    if answer.control is None:
        yield ("Chosen on these very data sets, the best looks better than it is.",)


_LISTED = 12  # models that a paragraph can name
_NO_FEWER = "none had fewer errors than another"


def _contest(answer: Any) -> str:
    if getattr(answer, "control", None) is not None:
        told: str = answer.beside_control(past=True)
        return told
    first, tied = answer.best, answer.contenders
    if len(first) == len(answer.models):
        return f"none had a better {answer.measure} than another" if answer.metric != "error" else _NO_FEWER
    verb = "was" if len(first) == 1 else "were"
    if not tied:
        return f"{listed(first)} {verb} told apart from all others, as better"
    who = listed(tied) if len(tied) <= _LISTED else f"{len(tied)} others"
    return f"{listed(first)} {verb} not told apart from {who}"


# --- What all have in common ----------------------------------------------------------------------


def _uncertainty(answer: Estimate | Comparison | Ranking) -> Iterator[Sentence]:
    """Say what was left out, what the error bars do not allow for, which checks failed, and what computed it."""
    if answer.excluded:
        yield (excluded_text(answer.excluded).strip(),)
    looks = getattr(answer, "looks", 0)
    if looks:
        times = f"{looks} time{'s' * (looks != 1)}"
        yield (f"This test set had been looked at {times} before, which the p-value does not allow for.",)
    told: Any = answer
    barred = not hasattr(told, "significance") or not only_chooses(told)  # a choice has no error bars
    if answer.misses and barred:
        missed = f"{listed([SOURCE_WORDS[source] for source in answer.misses])}"
        verb = "is" if len(answer.misses) == 1 else "are"
        yield (f"{_as_trained(answer.evidence, missed)} {verb} not part of this uncertainty.",)
    if answer.evidence.subject == "learner":
        spoken = answer.scope.removesuffix(".") if not hasattr(answer, "target") else ""  # an estimate has said whose
        others = "any one of them" if over_data_sets(answer.evidence) else "other data sets"
        yield (f"{spoken}; nothing is said of {others}." if spoken else "Nothing is said of other data sets.",)
    failed = [check for check in answer.checks if not np.all(check.holds)]
    if failed:
        first = "This check" if len(failed) == 1 else "These checks"
        yield (f"{first} failed: {'; '.join(map(_broken, failed))}.",)
    yield from software_in_print()


def _as_trained(evidence: Evidence, missed: str) -> str:
    """Begin the sentence on what was left to chance; of classifiers it says that nothing was trained again."""
    if evidence.subject == "learner":
        return f"{missed[0].upper()}{missed[1:]}"
    alone = len(evidence.models) == 1
    if evidence.subject == "model" or not evidence.metric.is_rate:
        return f"The model{' was' if alone else 's were'} tested as trained: {missed}"
    one = (alone and not evidence.shape) or evidence.event != "wrong"
    return f"The classifier{' was' if one else 's were'} tested as trained: {missed}"


def _broken(check: Check) -> str:
    return f"{check.message.removesuffix(f'; {check.remedy}')} ({check.code})"


def _ends(cites: tuple[str | Reference, ...]) -> tuple[Cited, Cited]:
    """Return who described the method, and who the interval: they may be one."""
    return Cited(cites[:1]), Cited(cites[-1:])


def _parts(answer: Comparison) -> tuple[Cited, Cited, Cited]:
    """Return who described the test, the interval and the adjustment, which stand in this order, each once."""
    paid = len(answer.cites) > 1 and answer.adjusted is not None
    test, limits = _ends(answer.cites[:-1] if paid else answer.cites)
    return test, limits, Cited(answer.cites[-1:] if paid else ())


def _of_several(answer: Ranking) -> tuple[Cited, Cited, Cited]:
    """Return who described test, interval and adjustment; that of max-t gives both of the latter."""
    paid = len(answer.cites) > 1 and answer.adjustment != "none"
    adjustment = Cited(answer.cites[-1:] if paid else ())
    test, limits = _ends(answer.cites[:-1] if paid else answer.cites)
    return test, adjustment if answer.pairs.interval.method == answer.adjustment else limits, adjustment


def _limits(interval: Interval, limits: str, what: str = "") -> str:
    kind = {"two": "interval", "upper": "upper bound", "lower": "lower bound"}[interval.side]
    told = _signed(limits).removesuffix(" percentage points").removeprefix("at least ").removeprefix("at most ")
    return f"{level_text(interval.alpha)} {kind}{what} {told}"


def _signed(text: str) -> str:
    """Write a figure with a minus that is one, and points that are of percents."""
    minus = " ".join("−" + word[1:] if word[0] == "-" and word != "-" else word for word in text.split(" "))
    return minus.replace(" point", " percentage point")
