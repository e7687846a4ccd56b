"""The pipeline of every answer: choose methods → interval → test → checks → result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from ..errors import InvalidEvidence, InvalidOption, UnknownMethod
from ..evidence import AnswerContext, Evidence, Note
from ..evidence.validation import as_threshold
from ..methods import Gives, Offer, Standing, check_options, find_method, find_methods, look_up
from ..methods.assumptions import Context, check_assumptions, standing_check
from ..methods.registry import covered, list_methods
from ..results import Adjustment, Check, Comparison, Hypothesis, Interval, TestResult
from ..typing_ import Alternative, FloatArray, Side, list_names, nearest_name, show_value
from ..typing_ import Hypothesis as HypothesisKind
from .request import Request, adjusts_pvalues, as_rule

if TYPE_CHECKING:
    from ..bibliography import Reference
    from ..results import Estimate


def reduce(evidence: Evidence, request: Request) -> Evidence:
    """Return the sufficient statistic, unless a named method needs more."""
    reduced = evidence.reduced()
    if reduced is evidence:
        return evidence
    kinds = {type(reduced), *((type(reduced.pairs()),) if len(reduced.models) > 2 else ())}
    named = [name for name in (request.method, request.interval) if name is not None]
    several = len(evidence.models) > 2
    needs_more = any(
        not any(_is_known(name, kind, several) for kind in kinds) and _is_known(name, type(evidence), several)
        for name in named
    )
    return evidence if needs_more else reduced


def _is_known(name: str, kind: type[Evidence], several: bool) -> bool:
    """Return whether there is a method of this name for such evidence, of several models or of two at most."""
    offers = (look_up(name, gives, kind, elsewhere=False) for gives in get_args(Gives))
    return any(offer and (several or not (offer.gives == "pairs" or offer.of_several)) for offer in offers)


# --- Choosing ---------------------------------------------------------------------------------------


def choose_estimator(evidence: Evidence, request: Request) -> tuple[Offer | None, Offer]:
    """Return estimator and interval for one model; the estimator is None if the evidence's value is the estimate."""
    kind = type(evidence)
    name = evidence.default("estimate", request.options) if request.method is None else request.method
    estimator = look_up(name, "estimate", kind, elsewhere=False)
    interval = look_up(name, "interval", kind, elsewhere=estimator is None)
    if interval is None and estimator is None:  # of another package, which is loaded by now
        estimator = look_up(name, "estimate", kind)
    if interval is None:
        if estimator is None:
            raise UnknownMethod(_no_estimator(name, kind))
        interval = find_method(estimator.partner or evidence.default("interval"), "interval", kind)
    return estimator, interval


def _no_estimator(name: str, kind: type[Evidence]) -> str:
    able = sorted({method.name for goal in _ESTIMATES for method in find_methods(gives=goal, evidence=kind)})
    near = nearest_name(name, able)
    if near and near != name:
        return f"unknown method {name!r}. Did you mean {near!r}?"
    if find_methods(name=name):
        return f"method {name!r} gives no interval from {kind.__name__}. {list_methods(able)}"
    return f"unknown method {name!r} for {kind.__name__}. {list_methods(able)}"


def choose(evidence: Evidence, request: Request) -> tuple[Offer, Offer]:
    """Return test and interval: the named ones, their partners, or the evidence's defaults.

    If `method` names an interval, the test is its partner, or the default.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> table = PairedTable(20, 25, 10, 45)
    >>> [chosen.name for chosen in choose(table, Request())]
    ['mcnemar-mid-p', 'tango']
    >>> [chosen.name for chosen in choose(table, Request(method="bonett-price"))]
    ['mcnemar-mid-p', 'bonett-price']
    """
    kind, named, margin = type(evidence), request.method, request.margin is not None
    interval = request.interval
    test = look_up(named, "test", kind)
    if test is None:
        limits = look_up(named, "interval", kind)
        if named is not None and limits is None and look_up(named, "pairs", kind, elsewhere=False):
            raise InvalidOption(
                f"method {named!r} needs three {evidence.subject}s or more, got two. Use"
                f" method={evidence.default('test')!r}."
            )
        if named is not None and limits is None:
            find_method(named, "test", kind)  # raises the error
        if named is not None and interval not in {None, named}:
            raise InvalidOption(
                f"`method` must be a test if `interval` is used, got two intervals, {named!r} and {interval!r}. Use"
                " one of them."
            )
        interval = named if interval is None else interval
        partner = look_up(limits.partner, "test", kind) if limits else None
        test = partner or find_method(evidence.default("margin" if margin else "test", request.options), "test", kind)
    if margin and "against" not in test.options:
        known = (method for method in find_methods(gives="test", evidence=kind) if "against" in method.options)
        able = list_methods(sorted(method.name for method in known if method.serves(evidence.metric.name)))
        raise InvalidOption(f"method {test.name!r} takes no margin. {able}")
    if interval is None:
        partners = () if named is None else (test.partner,)  # the default test has the default interval
        names = (*partners, test.name) if len(evidence.models) == 1 else (test.name, *partners)
        offers = (look_up(name, "interval", kind, elsewhere=False) for name in names if name)
        partner = next((method for method in offers if method and method.parameter not in _OTHER_PARAMETERS), None)
        interval = partner.name if partner else evidence.default("interval", request.options)
    bounds = find_method(interval, "interval", kind)
    if margin and "resamples" in bounds.options and not evidence.resampling_has_width:
        raise InvalidOption(
            f"interval {bounds.name!r} may have width 0 and cannot be used with a margin. Leave it out."
        )
    if margin and bounds.parameter in _OTHER_PARAMETERS:
        raise UnknownMethod(
            f"`interval` must be one of the difference with a margin, got {bounds.name!r} of the {bounds.parameter}."
            " Leave it out."
        )
    return test, bounds


def refuse_options(evidence: Evidence, request: Request, *methods: Offer) -> None:
    """Raise InvalidOption for an option that none of the methods accepts, with the methods that accept it."""
    for option in request.options:
        if any(option in method.options for method in methods):
            continue
        gives, metric = {method.gives for method in methods}, evidence.metric.name
        offers = [offer for offer in find_methods(evidence=type(evidence)) if option in offer.options]
        offers = [offer for offer in offers if offer.gives in gives and offer.serves(metric)]
        if offers and request.method is not None:
            names = sorted({offer.name for offer in offers})
            raise InvalidOption(f"method {request.method!r} does not accept `{option}`. {list_methods(names)}")
        if offers:
            ranked = sorted(offers, key=lambda offer: list(Standing).index(offer.standing))
            names = list(dict.fromkeys(offer.name for offer in ranked))
            fix = f"Use method={names[0]!r}." if len(names) == 1 else list_methods(names)
            raise InvalidOption(
                f"`{option}` needs a method that accepts it, got the default, {methods[0].name!r}. {fix}"
            )
    check_options(request.options, *methods)


_ESTIMATES: tuple[Gives, ...] = ("estimate", "interval")
_OTHER_PARAMETERS = ("odds", "ratio", "reduction")  # parameters of two models other than the difference


# --- One model --------------------------------------------------------------------------------------


def estimate(evidence: Evidence, request: Request) -> Estimate:
    """Return the estimate of the metric of one model, with its interval."""
    from ..results import Estimate

    if len(evidence.models) != 1:
        raise InvalidEvidence(
            f"an estimate needs one {evidence.noun}, got {list_names(evidence.models)}. Use select(name),"
            " learner='name', or"
            " compare()."
        )
    estimator, bounds = choose_estimator(evidence, request)
    used = (bounds,) if estimator is None else (estimator, bounds)
    refuse_options(evidence, request, *used)
    side = _OTHER_SIDE.get(request.side, request.side) if _is_turned(evidence) else request.side
    fits = Fits(evidence, request.options)
    limits = compute_interval(fits, bounds, request.alpha, request.level, side)
    seen, limits = Context(interval=limits, alpha=request.alpha), _of_metric(limits, evidence)
    value = evidence.value
    if estimator is not None:
        value = fits.apply(estimator)
        value = evidence.metric.from_loss(value) if evidence.sees_losses else value
    method = used[0].name
    context = AnswerContext(
        method=method, named=request.method is not None, alpha=request.alpha, options=request.options
    )
    note = "; ".join(dict.fromkeys(filter(None, (method_note(offer, request.options) for offer in used))))
    return Estimate(
        method=method,
        method_title=method_title(used[0], request.options),
        evidence=evidence,
        value=value,
        interval=replace(limits, note=note) if note else limits,
        alpha=request.alpha,
        checks=(
            *_check_standing(used, evidence),
            *check_assumptions(_collect_assumptions(used), evidence, seen),
        ),
        sources_covered=covered(evidence, bounds),
        references=collect_references(*used),
        notes=() if evidence.shape else tuple(evidence.notes(context)),
    )


_OTHER_SIDE: dict[str, Side] = {"upper": "lower", "lower": "upper"}


def _is_turned(evidence: Evidence) -> bool:
    """Return whether methods return losses of a metric with higher values better, so that bounds are swapped."""
    return evidence.sees_losses and evidence.metric.higher_is_better


def _of_metric(limits: Interval, evidence: Evidence) -> Interval:
    """Return the interval of a loss as one of its metric."""
    if not _is_turned(evidence):
        return limits
    low, high = evidence.metric.from_loss(limits.high), evidence.metric.from_loss(limits.low)
    return replace(limits, low=low, high=high, side=_OTHER_SIDE.get(limits.side, limits.side))


# --- Two models, or one against a threshold ---------------------------------------------------------


def compare(evidence: Evidence, request: Request) -> Comparison:
    """Return the comparison of two models, or of one with a threshold; every entry of an array is one comparison."""
    hypothesis, null, margin = _read_hypothesis(evidence, request)
    test, bounds = choose(evidence, request)
    refuse_options(evidence, request, test, bounds)
    fits = Fits(evidence, request.options)
    if margin:
        limits = compute_interval(fits, bounds, 2 * request.alpha, None, "two")
        result = beyond_margin(partial(fits.apply, test), margin, hypothesis.kind)
    else:
        limits = compute_interval(fits, bounds, request.alpha, request.level, request.interval_side)
        result = _run_test(fits, test, request, null)
    return build_comparison(evidence, test, bounds, limits, result, request, hypothesis=hypothesis, null=null)


def build_comparison(
    evidence: Evidence,
    test: Offer,
    bounds: Offer,
    limits: Interval,
    result: TestResult,
    request: Request,
    *,
    hypothesis: Hypothesis | None = None,
    null: Any = 0.0,
    checks: tuple[Check, ...] | None = None,
) -> Comparison:
    """Return the comparison of two models (or one and a threshold), assembled from its parts."""
    hypothesis, difference = hypothesis or Hypothesis(), _reported_difference(evidence, result, bounds, null)
    alternative: Alternative = "greater" if hypothesis.kind != "different" else hypothesis.alternative
    seen = Context(
        interval=limits,
        null=null,
        alpha=request.alpha,
        alternative=alternative,
        test=replace(result, method=test.name),
        options=request.options,
        chooses=result.chooses,
    )
    used = (test,) if test.name == bounds.name else (test, bounds)
    if checks is None:
        checks = (*_check_standing(used, evidence), *check_assumptions(_collect_assumptions(used), evidence, seen))
    context = AnswerContext(
        method=test.name,
        named=request.method is not None,
        alpha=request.alpha,
        alternative=alternative,
        hypothesis=hypothesis.kind,
        own_estimate=result.estimate is not None,
        difference=request.difference,
        options=request.options,
        result=result,
    )
    named = replace(
        result,
        method=test.name,
        statistic_name=test.statistic or "",
        note=method_note(test, request.options),
        title=method_title(test, request.options),
        reference=test.reference,
        forbidden=test.standing == Standing.FORBIDDEN,
    )
    return Comparison(
        evidence=evidence,
        difference=difference,
        interval=limits if bounds.name == test.name else replace(limits, note=method_note(bounds, request.options)),
        test=named,
        alpha=request.alpha,
        hypothesis=hypothesis,
        checks=checks,
        sources_covered=covered(evidence, test, bounds),
        references=collect_references(test, bounds),
        notes=(*note_of_looks(request), *(() if evidence.shape else evidence.notes(context))),
    )


def _read_hypothesis(evidence: Evidence, request: Request) -> tuple[Hypothesis, Any, float]:
    """Return the hypothesis, the value under the null hypothesis, and the margin (0 if there is none)."""
    if len(evidence.models) == 1:  # checked by Request.require_threshold
        threshold = as_threshold(request.against, evidence)
        return Hypothesis(alternative=request.alternative, threshold=threshold), threshold, 0.0
    if request.margin is None:
        if request.hypothesis not in {None, "different"}:
            raise InvalidOption(
                f"`margin` is required with hypothesis={request.hypothesis!r}. For 1 pp use margin=0.01."
            )
        return Hypothesis(alternative=request.alternative), 0.0, 0.0
    ends = evidence.metric.difference_bounds
    margin = request.as_margin(bounds=ends)
    if margin >= ends[1]:
        title = evidence.metric.title
        raise InvalidOption(
            f"`margin` must be below {ends[1]:g}, the largest difference of {title}, got {show_value(request.margin)}."
        )
    kind = request.hypothesis or "non-inferior"
    alternative: Alternative = "two-sided" if kind == "equivalent" else "greater"
    return Hypothesis(kind=kind, alternative=alternative, margin=margin), border(margin, kind), margin


def border(margin: float, kind: HypothesisKind) -> float:
    """Return the difference under the null hypothesis: minus the margin for non-inferiority, else the margin."""
    return -margin if kind == "non-inferior" else margin


def _run_test(fits: Fits, test: Offer, request: Request, null: Any) -> TestResult:
    keywords: dict[str, Any] = {}
    if "alternative" in test.options:
        keywords["alternative"] = request.alternative
    elif request.alternative != "two-sided":
        raise InvalidOption(
            f"method {test.name!r} is two-sided only, got alternative={request.alternative!r}. Leave it out."
        )
    if "alpha" in test.options:
        keywords["alpha"] = request.alpha
    if len(fits.evidence.models) == 1:
        keywords["against"] = null
    result: TestResult = fits.apply(test, **keywords)
    return result


def beyond_margin(test: Callable[..., TestResult], margin: float, kind: HypothesisKind) -> TestResult:
    """Return the test of a hypothesis with a margin; for equivalence the larger p-value of both one-sided tests."""
    from ..results import larger_of, worst_mixing

    if kind != "equivalent":
        return test(against=border(margin, kind), alternative="greater")
    above, below = test(against=-margin, alternative="greater"), test(against=margin, alternative="less")
    upper = below.pvalue > above.pvalue
    return TestResult(
        statistic=np.where(upper, below.statistic, above.statistic)[()],
        pvalue=np.maximum(above.pvalue, below.pvalue),
        mixing=worst_mixing(above, below),
        simulated=larger_of(above.simulated, below.simulated, upper),
    )


def _reported_difference(evidence: Evidence, result: TestResult, bounds: Offer, null: Any) -> Any:
    """Return the reported difference: the test's estimate, the interval's location, or the evidence's."""
    if len(evidence.models) == 1:
        return evidence.value - null
    if result.estimate is not None:
        return result.estimate
    return evidence.difference if bounds.location is None else bounds.location(evidence)


# --- Many tables ------------------------------------------------------------------------------------


def adjust(answers: Comparison, rule: Any) -> Comparison:
    """Return the comparisons with adjusted p-values."""
    if rule is None or as_rule(rule) == "none":
        return answers
    from ..methods.multiplicity import OF_ALL_PAIRS
    from ..methods.multiplicity import adjust as adjust_pvalues

    if not adjusts_pvalues(rule):
        raise InvalidOption(
            f"`adjust` must work from p-values alone, got {rule!r}, which resamples one test set. Use adjust='holm'."
        )
    if rule in OF_ALL_PAIRS:
        raise InvalidOption(
            f"`adjust` must work from p-values alone, got {rule!r}, which needs all pairs of some models. Use"
            " adjust='holm'."
        )
    require_pvalues(answers)
    adjusted = adjust_pvalues(answers.pvalue.ravel(), rule).reshape(answers.shape)
    return replace(
        answers,
        adjustment=Adjustment(
            method=str(rule), pvalue=adjusted, family=f"{adjusted.size} comparisons", reference=source_of(str(rule))
        ),
        references=(*answers.references, *collect_references(adjustment=rule)),
    )


def require_pvalues(answers: Comparison) -> None:
    """Raise InvalidOption if a method has no p-values, other than for undefined differences."""
    if np.any(np.isnan(answers.pvalue) & ~np.isnan(answers.difference)):
        raise InvalidOption(
            f"method {answers.method!r} has no p-values to adjust. Use another method, or adjust='none'."
        )


# --- Parts of all answers ----------------------------------------------------------


class Fits:
    """The methods of one answer and their evidence; the pivot of a method is computed once for test and interval.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> fits = Fits(PairedTable(20, 25, 10, 45), {})
    >>> limits = fits.apply(find_method("tango", "interval", PairedTable), alpha=0.05, side="two")
    >>> round(limits.low, 3), fits.apply(find_method("tango", "test", PairedTable)).pvalue.round(3)
    (np.float64(0.036), np.float64(0.011))
    """

    def __init__(self, evidence: Evidence, options: Mapping[str, Any]) -> None:
        self.evidence, self.options = evidence, options
        self._pivots: dict[Callable[..., Any], Any] = {}

    def apply(self, method: Offer, **question: Any) -> Any:
        """Return the result of a method, called with the options that it accepts."""
        if not method.pivotal:
            return method(self.evidence, **question, **accepted_options(method, self.options))
        if method.function not in self._pivots:
            self._pivots[method.function] = method.fit(self.evidence, self.options)
        return method.read(self._pivots[method.function], **question)


def compute_interval(fits: Fits, bounds: Offer, alpha: float, level: float | None, side: Side) -> Interval:
    """Return the interval with its title, its metric and the exact level of the request."""
    evidence = fits.evidence
    interval: Interval = fits.apply(bounds, alpha=alpha, side=side)
    facts: dict[str, Any] = {"title": method_title(bounds, fits.options), "reference": bounds.reference}
    if bounds.centre != interval.centre:
        facts["centre"] = bounds.centre
    if evidence.metric.name != interval.metric:
        facts["metric"] = evidence.metric.name
    if level is not None:  # 1 − (1 − level) may differ in the last digit
        facts["level"] = float(level)
    return replace(interval, **facts)


def accepted_options(method: Offer, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that the method accepts."""
    return {name: value for name, value in options.items() if name in method.options}


def method_title(method: Offer, options: Mapping[str, Any]) -> str:
    """Return the title of a method, with the options that it requires, such as the prior."""
    return f"{method.display_title}, {_option_note(method, options)}" if _needs_option(method) else method.display_title


def method_note(method: Offer, options: Mapping[str, Any]) -> str:
    """Return the note on a method in a result: the prior, and whether it is a heuristic."""
    heuristic = f"heuristic ({method.rationale})" if method.standing == Standing.HEURISTIC else ""
    return "; ".join(part for part in (_option_note(method, options), heuristic) if part)


def _needs_option(method: Offer) -> bool:
    """Return whether a method needs more than the evidence and a threshold: a prior, the size of a pool."""
    return bool(set(method.required) - {"against"})


def _option_note(method: Offer, options: Mapping[str, Any]) -> str:
    return method.note if isinstance(method.note, str) else method.note(**options)


def collect_references(*methods: Offer, adjustment: str = "") -> tuple[str | Reference, ...]:
    """Return the references of the methods and the adjustment, each once.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> collect_references(find_method("mcnemar", "test", PairedTable), adjustment="holm")
    ('mcnemar1947', 'holm1979')
    """
    references = [method.reference for method in methods]
    return tuple(dict.fromkeys((*references, *filter(None, (source_of(adjustment),)))))


def source_of(adjustment: str) -> str:
    """Return the key of the reference of an adjustment method; empty if there is none."""
    if not adjustment:
        return ""
    from ..methods.multiplicity import SOURCES

    return SOURCES.get(adjustment, "")


def _collect_assumptions(methods: tuple[Offer, ...]) -> tuple[Any, ...]:
    return tuple(assumption for method in methods for assumption in method.assumes)


def _check_standing(methods: tuple[Offer, ...], evidence: Evidence) -> tuple[Check, ...]:
    """Return the failed checks of methods that should not be used; the remedy of a test or an interval alone is one."""
    forbidden = dict.fromkeys(method for method in methods if method.standing == Standing.FORBIDDEN)
    return tuple(
        check
        for method in forbidden
        for check in standing_check(
            method,
            evidence,
            evidence.recommend(method.gives if len(methods) > 1 else "") or "Leave `method` out for the default.",
        )
    )


def note_of_looks(request: Request) -> tuple[Note, ...]:
    """Return the number of earlier looks as a note; nothing if it is 0."""
    return (Note(key="looks", label="looks", text="", value=request.looks),) if request.looks else ()


def note_of_seeds(pvalues: FloatArray) -> Note:
    """Return the p-values over other seeds of the splits as a note."""
    return Note(key="reseeded_pvalues", label="other splits", text="", value=pvalues)
