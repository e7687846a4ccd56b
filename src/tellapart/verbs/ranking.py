"""Rankings of several models: all pairs (or all with a control), with adjusted p-values."""

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
    """All pairs with adjusted p-values."""

    pairs: Comparison
    pvalue: FloatArray
    rule: str
    checks: tuple[Check, ...]
    references: tuple[Any, ...]
    simulated: Simulated | None = None
    critical: float = np.nan
    title: str = ""  # of a method for all pairs at once
    reference: Any = ""


def rank(evidence: Evidence, request: Request) -> Ranking:
    """Return the ranking of several models, with the pairs that differ significantly."""
    _refuse_for_several(evidence, request)
    joint, rule, request = _choose_rule(evidence, request)
    by_ranks = joint is not None and joint.of_ranks  # the omnibus test reports errors by its name
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
    """Yield the individual intervals of the models, and the critical difference of mean ranks."""
    intervals = _own_intervals(evidence, request.alpha)
    if intervals is not None:
        yield Note(key="own_intervals", label="limits of each", text="", value=intervals)
    if np.isfinite(adjusted.critical):
        yield Note(key="critical_difference", label="critical", text="", value=adjusted.critical)


def _refuse_for_several(evidence: Evidence, request: Request) -> None:
    noun = "learners" if evidence.subject == "learner" else "models"
    if evidence.shape:
        raise InvalidOption(f"a ranking needs one entry, got shape {evidence.shape}. Compare them one at a time.")
    if request.alternative != "two-sided":
        raise InvalidOption(f"`alternative` needs two {noun}, got {len(evidence.models)}. Use learners=('a', 'b').")
    if request.margin is not None or request.hypothesis not in {None, "different"}:
        name = "margin" if request.margin is not None else "hypothesis"
        raise InvalidOption(f"`{name}` needs two {noun}, got {len(evidence.models)}. Use learners=('a', 'b').")
    if evidence.subject != "learner" and np.isnan(np.asarray(evidence.levels, dtype=float)).all():
        raise InvalidEvidence(
            f"`metric` must be defined for a model, got {evidence.metric.title}, undefined for all. Use another metric."
        )


def _choose_rule(evidence: Evidence, request: Request) -> tuple[Offer | None, str, Request]:
    """Return the method for all pairs at once (if any), the adjustment method, and the request for pairs."""
    kind, name = type(evidence), request.method
    joint = look_up(name, "pairs", kind, elsewhere=False)
    omnibus = look_up(name, "test", kind, elsewhere=False) if joint is None else None
    if omnibus is not None and omnibus.pairs:  # an omnibus test with a method for its pairs
        joint = find_method(omnibus.pairs, "pairs", kind)
    elif omnibus is not None and omnibus.only_two:
        raise InvalidOption(f"method {name!r} needs two models, got {len(evidence.models)}. Use select(a, b).")
    elif omnibus is not None and omnibus.of_several:
        raise InvalidOption(f"`method` must compare pairs, got {name!r}, which every ranking reports. Leave it out.")
    if joint is not None and joint.allows_for_number:
        if joint.needs_control and request.control is None:
            raise InvalidOption(
                f"`control` is required by method {name!r}. Use control={evidence.models[0]!r}, for example."
            )
        if request.control is not None and not joint.needs_control:
            able = [method.name for method in find_methods(gives="pairs", evidence=kind) if method.needs_control]
            instead = f"Use method={able[0]!r}, or leave it out." if able else "Leave it out."
            raise InvalidOption(f"`method` must take a control, got {name!r} for all pairs. {instead}")
        if request.adjust not in {None, name}:
            raise InvalidOption(
                f"`adjust` must be left out with method {name!r}, which adjusts for all pairs, got {request.adjust!r}."
            )
        keep = name if joint.of_ranks else None
        return joint, str(name), replace(request, method=keep)
    rule = as_rule(evidence.default("adjust") if request.adjust is None else request.adjust)
    at_once = next((method for method in (rule, name) if method in RULES and not adjusts_pvalues(method)), None)
    if at_once:
        joint = look_up(at_once, "pairs", kind, elsewhere=False)
        if joint is None:
            raise InvalidOption(
                f"`adjust` must work from p-values alone for {evidence.metric.title} of {evidence.subject}s, got"
                f" {at_once!r}, which resamples one test set. Use adjust='holm'."
            )
    if rule in OF_ALL_PAIRS and request.control is not None:
        raise InvalidOption(f"`adjust` must take a control, got {rule!r} for all pairs. Use adjust='holm' or 'finner'.")
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
    """Return all pairs, each compared by a test of two, with adjusted p-values."""
    pairs = compare(evidence.pairs(request.control), replace(request, control=None, adjust=None, learners=None))
    require_pvalues(pairs)
    pvalue = adjust_pvalues(pairs.pvalue, rule)  # type: ignore[arg-type]  # checked by as_rule
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
    """Return a check of the smallest attainable p-value, adjusted as all p-values are."""
    if rule == "none" or not check.adjusts or not check.shape:
        return check
    return replace(
        check,
        figure=-adjust_pvalues(-np.asarray(check.figure), rule),  # type: ignore[arg-type]  # checked by as_rule
        requirement="the smallest attainable adjusted p-value, {size}, is below alpha",
        violation=f"with {check.figure.size} pairs the smallest adjusted p-value attainable with these {unit}s is"
        " {size}, not below alpha",
        remedy=f"Add {unit}s, select fewer models, or compare with one alone by control='name'.",
    )


def _omnibus_checks(evidence: Evidence, pairs: Comparison, request: Request) -> tuple[Check, ...]:
    """Return the checks of the omnibus test that every ranking reports."""
    seen = Context(interval=pairs.interval, alpha=request.alpha)
    reported = (method for method in known_methods("test", type(evidence)) if method.reported)
    return tuple(check for test in reported for check in check_assumptions(test.assumes, evidence, seen))


# --- All at once ------------------------------------------------------------------------------------


def _adjust_jointly(evidence: Evidence, joint: Offer, rule: str, request: Request) -> _Adjusted:
    """Return all pairs, compared by joint resampling or by mean ranks."""
    if joint.of_ranks:
        return _by_ranks(evidence, joint, rule, request)
    return _by_resampling(evidence, joint, request)


def _by_resampling(evidence: Evidence, joint: Offer, request: Request) -> _Adjusted:
    """Return all pairs, with simultaneous p-values and intervals by resampling."""
    drawing = accepted_options(joint, request.options)
    pair_options = {name: value for name, value in request.options.items() if name not in drawing}
    pairs = compare(evidence.pairs(), replace(request, options=pair_options, adjust=None, learners=None))
    require_pvalues(pairs)
    result = joint(evidence, alpha=request.alpha, alternative=request.alternative, **drawing)
    # The adjusted p-value comes from another test; it must not be below the unadjusted one.
    pvalue = np.maximum(result.pvalue, pairs.pvalue)
    if request.interval is None:  # simultaneous intervals
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
    """Return all pairs, compared by mean ranks, with intervals of the scores."""
    whole = evidence.pairs(request.control)
    _, bounds = choose(whole, replace(request, method=None))
    named = look_up(request.method, "test", type(evidence), elsewhere=False)  # the omnibus test
    check_options(request.options, joint, bounds, *(() if named is None else (named,)))
    limits = compute_interval(Fits(whole, request.options), bounds, request.alpha, request.level, "two")
    level = {"alpha": request.alpha} if "alpha" in joint.options else {}
    ranks: MeanRanks = joint(evidence, **level, **accepted_options(joint, request.options))
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
    """Return statistic and p-value of the requested pairs, with the control as A."""
    if control is None:
        return ranks.statistic, ranks.pvalue
    names = evidence.pair_names()
    index = {frozenset(pair): position for position, pair in enumerate(names)}
    chosen = [index[frozenset(pair)] for pair in evidence.pair_names(control)]
    sign = np.array([1.0 if names[position][0] == control else -1.0 for position in chosen])
    return sign * ranks.statistic[chosen], ranks.pvalue[chosen]


# --- Individual models ---------------------------------------------------------------------------


def _own_intervals(evidence: Evidence, alpha: float) -> Interval | None:
    """Return the individual interval of each model's metric; None for learners."""
    from .pipeline import estimate

    if evidence.subject == "learner":
        return None
    singles = evidence.singles()
    if singles is not None:
        return estimate(singles, Request(alpha=alpha)).interval
    intervals = [estimate(evidence.select(name).reduced(), Request(alpha=alpha)).interval for name in evidence.models]
    low, high = (np.array([getattr(limits, end) for limits in intervals]) for end in ("low", "high"))
    return replace(intervals[0], low=low, high=high)
