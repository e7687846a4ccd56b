"""Several models: the same pipeline over all pairs (or all against a control), adjusted for their number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import AnswerContext, Evidence, Note
from ..methods import Offer, check_options, find_method, find_methods, known_methods, look_up
from ..methods.assumptions import Context, check_assumptions
from ..methods.multiplicity import OF_ALL_PAIRS
from ..methods.multiplicity import adjust as adjust_pvalues
from ..methods.tie_groups import square, tie_groups
from ..results import Adjustment, Check, Comparison, Interval, MeanRanks, Ranking, Simulated, TestResult
from ..typing_ import FloatArray
from .pipeline import (
    Fits,
    accepted_options,
    build_comparison,
    choose,
    collect_references,
    compare,
    compute_interval,
    note_of_looks,
    require_pvalues,
    source_of,
)
from .request import RULES, Request, adjusts_pvalues, as_rule


@dataclass(frozen=True, slots=True, kw_only=True)
class _Adjusted:
    """All pairs, and their p-values adjusted for their number."""

    pairs: Comparison
    pvalue: FloatArray
    rule: str
    checks: tuple[Check, ...]
    references: tuple[Any, ...]
    simulated: Simulated | None = None
    critical: float = np.nan
    title: str = ""  # of a procedure of its own, over all pairs at once
    reference: Any = ""


def rank(evidence: Evidence, request: Request) -> Ranking:
    """Return who is best of several models, and which of them differ."""
    _refuse_for_several(evidence, request)
    joint, rule, request = _choose_rule(evidence, request)
    by_ranks = joint is not None and joint.of_ranks  # what the test over all refuses, it refuses by its own name
    notes = _collect_notes(evidence, request, str(joint and joint.name)) if by_ranks else ()
    adjusted = _adjust_jointly(evidence, joint, rule, request) if joint else _adjust_pairs(evidence, rule, request)
    pairs = adjusted.pairs
    notes = notes or _collect_notes(evidence, request, pairs.method)
    rejected = adjusted.pvalue < request.alpha
    groups = (
        () if request.control else tie_groups(evidence.models, evidence.rank_by, square(rejected, len(evidence.models)))
    )
    record = Adjustment(
        method=adjusted.rule,
        pvalue=adjusted.pvalue,
        family=f"{adjusted.pvalue.size} pairs",
        simulated=adjusted.simulated,
        title=adjusted.title,
        reference=adjusted.reference or source_of(adjusted.rule),
    )
    return Ranking(
        method=str(request.method) if by_ranks else pairs.method,
        evidence=evidence,
        pairs=replace(pairs, adjustment=record),
        groups=groups,
        control=request.control,
        alpha=request.alpha,
        checks=adjusted.checks,
        sources_covered=pairs.sources_covered,
        references=adjusted.references,
        notes=(*note_of_looks(request), *notes, *_notes_of_figures(evidence, adjusted, request)),
    )


def _notes_of_figures(evidence: Evidence, adjusted: _Adjusted, request: Request) -> Iterator[Note]:
    """Yield the intervals of each model by itself, and the difference of mean ranks that tells two apart."""
    intervals = _own_intervals(evidence, request.alpha)
    if intervals is not None:
        yield Note(key="own_intervals", label="limits of each", text="", value=intervals)
    if np.isfinite(adjusted.critical):
        yield Note(key="critical_difference", label="critical", text="", value=adjusted.critical)


def _refuse_for_several(evidence: Evidence, request: Request) -> None:
    noun = "learners" if evidence.subject == "learner" else "models"
    if evidence.shape:
        raise InvalidOption(f"compare ranks one set of {noun}, but this has shape {evidence.shape}. Go one by one.")
    if request.alternative != "two-sided":
        raise InvalidOption(f"alternative is for two {noun}: among several, who is A is a matter of their order.")
    if request.margin is not None or request.hypothesis not in {None, "different"}:
        name = "margin" if request.margin is not None else "hypothesis"
        raise InvalidOption(
            f"{name} is for two {noun}. Take them out: learners=('a', 'b') (--learner a --learner b), or pair(a, b)."
        )
    if evidence.subject != "learner" and np.isnan(np.asarray(evidence.levels, dtype=float)).all():
        raise InvalidEvidence(
            f"the {evidence.metric.title} of no model is defined on these examples. Ask for another metric."
        )


def _choose_rule(evidence: Evidence, request: Request) -> tuple[Offer | None, str, Request]:
    """Return the method that compares all at once (if one does), the rule of adjustment, and the request for pairs."""
    kind, name = type(evidence), request.method
    joint = look_up(name, "pairs", kind, elsewhere=False)
    omnibus = look_up(name, "test", kind, elsewhere=False) if joint is None else None
    if omnibus is not None and omnibus.pairs:  # a test over all that has its pairs by another name
        joint = find_method(omnibus.pairs, "pairs", kind)
    elif omnibus is not None and omnibus.only_two:
        raise InvalidOption(f"method {name!r} is for two models at a time. Take them out by select(a, b).")
    elif omnibus is not None and omnibus.of_several:
        raise InvalidOption(f"method {name!r} compares no two models; every ranking reports it. Leave it out.")
    if joint is not None and joint.allows_for_number:
        if joint.needs_control and request.control is None:
            raise InvalidOption(
                f"method {name!r} compares all learners with a control. Say which: control= (--control)."
            )
        if request.control is not None and not joint.needs_control:
            able = (method.name for method in find_methods(gives="pairs", evidence=kind) if method.needs_control)
            instead = "".join(f"take {one!r}, or " for one in able)
            raise InvalidOption(f"method {name!r} is for all pairs. With a control {instead}leave method out.")
        if request.adjust not in {None, name}:
            raise InvalidOption(
                f"method={name!r} and adjust={request.adjust!r} contradict each other: this method allows for the"
                " number of pairs itself. Leave adjust out."
            )
        keep = name if joint.of_ranks else None
        return joint, str(name), replace(request, method=keep)
    rule = as_rule(evidence.default("adjust") if request.adjust is None else request.adjust)
    at_once = next((one for one in (rule, name) if one in RULES and not adjusts_pvalues(one)), None)
    if at_once:
        joint = look_up(at_once, "pairs", kind, elsewhere=False)
        if joint is None:
            raise InvalidOption(
                f"{at_once} resamples error rates and mean scores on one test set, not {evidence.metric.title} of these"
                f" {evidence.subject}s. Take adjust='holm', which needs nothing but the p-values."
            )
    if rule in OF_ALL_PAIRS and request.control is not None:
        raise InvalidOption(f"adjust={rule!r} is for all pairs. With a control take 'holm', or 'finner'.")
    return joint, rule, request


def _collect_notes(evidence: Evidence, request: Request, test: str) -> tuple[Note, ...]:
    context = AnswerContext(
        method=request.method or test,
        test=test,
        named=request.method is not None,
        alpha=request.alpha,
        difference=request.difference,
        comparisons=len(evidence.pair_names(request.control)),
        options=request.options,
        control=request.control,
    )
    return tuple(evidence.notes(context))


# --- All pairs, adjusted ----------------------------------------------------------------------------


def _adjust_pairs(evidence: Evidence, rule: str, request: Request) -> _Adjusted:
    """Compare every two by a test of two, and adjust the p-values."""
    pairs = compare(evidence.pairs(request.control), replace(request, control=None, adjust=None, learners=None))
    require_pvalues(pairs)
    pvalue = adjust_pvalues(pairs.pvalue, rule)  # type: ignore[arg-type]  # as_rule has looked
    return _Adjusted(
        pairs=pairs,
        pvalue=pvalue,
        rule=rule,
        checks=(
            *(_adjust_check(check, rule, evidence.unit.name) for check in pairs.checks),
            *_omnibus_checks(evidence, pairs, request),
        ),
        references=tuple(dict.fromkeys((*pairs.references, *collect_references(adjustment=rule)))),
    )


def _adjust_check(check: Check, rule: str, unit: str) -> Check:
    """Return a check of the smallest attainable p-value, adjusted for the number of pairs as all others are."""
    if rule == "none" or not check.adjusts or not check.shape:
        return check
    return replace(
        check,
        figure=-adjust_pvalues(-np.asarray(check.figure), rule),  # type: ignore[arg-type]  # as_rule has looked
        requirement="the smallest attainable adjusted p-value, {size}, is below alpha",
        violation=f"with {check.figure.size} pairs the smallest adjusted p-value attainable with these {unit}s is"
        " {size}, not below alpha",
        remedy=f"Add {unit}s, select fewer models, or compare with one alone by control='name'.",
    )


def _omnibus_checks(evidence: Evidence, pairs: Comparison, request: Request) -> tuple[Check, ...]:
    """Return what the test over all models that every ranking reports assumes."""
    seen = Context(interval=pairs.interval, alpha=request.alpha)
    reported = (method for method in known_methods("test", type(evidence)) if method.reported)
    return tuple(check for test in reported for check in check_assumptions(test.assumes, evidence, seen))


# --- All at once ------------------------------------------------------------------------------------


def _adjust_jointly(evidence: Evidence, joint: Offer, rule: str, request: Request) -> _Adjusted:
    """Compare all at once: by resampling all statistics together, or by mean ranks."""
    if joint.of_ranks:
        return _by_ranks(evidence, joint, rule, request)
    return _by_resampling(evidence, joint, request)


def _by_resampling(evidence: Evidence, joint: Offer, request: Request) -> _Adjusted:
    """Compare every two by a test of two, with p-values and limits that all hold at once."""
    drawing = accepted_options(joint, request.options)
    others = {name: value for name, value in request.options.items() if name not in drawing}
    pairs = compare(evidence.pairs(), replace(request, options=others, adjust=None, learners=None))
    require_pvalues(pairs)
    result = joint(evidence, alpha=request.alpha, alternative=request.alternative, **drawing)
    # The adjusted p-value is another test's: never more certain than the pair alone.
    pvalue = np.maximum(result.pvalue, pairs.pvalue)
    if request.interval is None:  # limits that all hold at once
        pairs = replace(
            pairs,
            interval=replace(
                result.interval, metric=evidence.metric.name, title=joint.display_title, reference=joint.reference
            ),
            references=pairs.references[:1],
        )
    seen = Context(interval=pairs.interval, alpha=request.alpha)
    omnibus = _omnibus_checks(evidence, pairs, request)
    return _Adjusted(
        pairs=pairs,
        pvalue=pvalue,
        rule=joint.name,
        checks=(*pairs.checks, *omnibus, *check_assumptions(joint.assumes, evidence, seen)),
        references=tuple(dict.fromkeys((*pairs.references, *collect_references(joint)))),
        simulated=result.simulated,
        title=joint.display_title,
        reference=joint.reference,
    )


def _by_ranks(evidence: Evidence, joint: Offer, rule: str, request: Request) -> _Adjusted:
    """Compare by mean ranks; the limits beside them are of the scores."""
    whole = evidence.pairs(request.control)
    _, bounds = choose(whole, replace(request, method=None))
    named = look_up(request.method, "test", type(evidence), elsewhere=False)  # the test over all learners
    check_options(request.options, joint, bounds, *(() if named is None else (named,)))
    limits = compute_interval(Fits(whole, request.options), bounds, request.alpha, request.level, "two")
    own = {"alpha": request.alpha} if "alpha" in joint.options else {}
    ranks: MeanRanks = joint(evidence, **own, **accepted_options(joint, request.options))
    statistic, pvalue = _with_control(evidence, ranks, request.control)
    result = TestResult(
        statistic=statistic,
        pvalue=pvalue,
        chooses=np.sign(statistic).astype(np.int64),
        estimate=bounds.location(whole) if bounds.location else whole.difference,
    )
    seen = Context(interval=limits, null=0.0, alpha=request.alpha, options=request.options)
    assumed = (*joint.assumes, *(() if named is None else named.assumes))
    checks = (*check_assumptions(assumed, evidence, seen), *check_assumptions(bounds.assumes, whole, seen))
    pairs = build_comparison(whole, joint, bounds, limits, result, replace(request, method=None), checks=checks)
    require_pvalues(pairs)
    own_rule = joint.allows_for_number
    return _Adjusted(
        pairs=pairs,
        pvalue=pvalue if own_rule else adjust_pvalues(pvalue, rule),  # type: ignore[arg-type]
        rule=rule,
        checks=checks,
        references=(*pairs.references, *(() if own_rule else collect_references(adjustment=rule))),
        critical=float(ranks.critical),
        title=joint.display_title if own_rule else "",
        reference=joint.reference if own_rule else "",
    )


def _with_control(evidence: Evidence, ranks: MeanRanks, control: str | None) -> tuple[FloatArray, FloatArray]:
    """Return statistic and p-value of the pairs that are looked at, with the control as A."""
    if control is None:
        return ranks.statistic, ranks.pvalue
    names = evidence.pair_names()
    index = {frozenset(pair): position for position, pair in enumerate(names)}
    chosen = [index[frozenset(pair)] for pair in evidence.pair_names(control)]
    sign = np.array([1.0 if names[position][0] == control else -1.0 for position in chosen])
    return sign * ranks.statistic[chosen], ranks.pvalue[chosen]


# --- Each model by itself ---------------------------------------------------------------------------


def _own_intervals(evidence: Evidence, alpha: float) -> Interval | None:
    """Return the interval of each model's own metric; None where there is none for one learner alone."""
    from .pipeline import estimate

    if evidence.subject == "learner":
        return None
    singles = evidence.singles()
    if singles is not None:
        return estimate(singles, Request(alpha=alpha)).interval
    intervals = [estimate(evidence.select(name).reduced(), Request(alpha=alpha)).interval for name in evidence.models]
    low, high = (np.array([getattr(limits, end) for limits in intervals]) for end in ("low", "high"))
    return replace(intervals[0], low=low, high=high)
