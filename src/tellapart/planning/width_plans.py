"""Plans for the width of an interval: of one error rate, or of the difference of two."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..errors import InvalidOption
from ..evidence import ErrorCount, Evidence, IndependentCounts, PairedTable
from ..methods import Offer, check_options, find_method, find_methods
from ..typing_ import Side
from .known_rates import Errors, KnownErrors, as_rate, pool_pilot_errors, resolve_discordance
from .plan_target import PlanTarget
from .plan_wording import format_amount
from .planned import AlternativePlan, Planned
from .settings.widths import Limits, PairWidth, RateWidth, TwoSetsWidth
from .solving import first_size

_RULE_OF_THREE = "ln(alpha)/ln(1 - width)"  # if no errors are expected
_SMOOTH, _SAWING = 4, 32  # further sizes to check: a mean width decreases smoothly, a quantile does not


class WidthRequest(NamedTuple):
    """The requested width (None to compute it), its side, and its assurance (None for the mean width)."""

    width: float | None
    side: Side = "two"
    assurance: float | None = None


def as_range(error: Any) -> tuple[float, float]:
    """Return the smallest and largest error rate to plan for.

    Examples
    --------
    >>> as_range(0.1), as_range((0.2, 0.6))
    ((0.1, 0.1), (0.2, 0.6))
    """
    if isinstance(error, tuple | list | np.ndarray):
        if len(error) != 2 or not as_rate("error", error[0]) <= as_rate("error", error[1]):
            raise InvalidOption(f"`error` must be a rate, or two with the smaller first, got {error!r}.")
        return float(error[0]), float(error[1])
    rate = as_rate("error", error)
    return rate, rate


def plan_width(
    target: PlanTarget,
    request: WidthRequest,
    *,
    method: str | None,
    count: ErrorCount | None,
    error: tuple[float, float] | None,
) -> Planned:
    """Return the plan for an interval of one error rate."""
    notes: list[str] = []
    pilot_intervals = []
    bounds = _resolve_interval(ErrorCount(0, 1), method, target)
    if count is not None:
        if error is not None:
            raise InvalidOption("`error` must not be set with a pilot, which has its own. Leave it out.")
        if count.shape:
            raise InvalidOption(f"`evidence` must be one count, got {count.errors.size}. Plan for one of them.")
        limits = find_method(count.default("interval"), "interval", ErrorCount)(count, alpha=0.05, side="two")
        pilot_intervals = [(float(limits.low), float(limits.high))]
        error = float(count.rate), float(count.rate)
        notes.append(f"error rate from a pilot ({count.describe()})")
    low, high = error or (0.0, 1.0)

    def build_plan(low: float, high: float) -> Planned:
        setting = RateWidth(limits=_build_limits(bounds, target, request), low=low, high=high)
        planned = _solve_width(setting, target, request, bounds)
        truth = f"error rate {_format_range(low, high)}"
        if low < high and request.assurance != 1 and math.isfinite(planned.size):
            worst, *_ = setting.worst(target.clusters.effective_sample_size(int(planned.size)))
            truth += f" (widest at {100 * worst:.3g}%)"
        by = "Mitchell's normal formula" if setting.high or request.side != "upper" else _RULE_OF_THREE
        return replace(
            planned,
            truth=truth,
            formula_name=by,
            references=(bounds.reference, "mitchell1997", *target.clusters.references),
        )

    planned = build_plan(low, high)
    alternatives = [
        AlternativePlan.from_plan(
            f"for the whole 95% interval of the pilot ({100 * a:.3g}% to {100 * b:.3g}%)", build_plan(a, b)
        )
        for a, b in pilot_intervals
    ]
    return replace(
        planned,
        alternatives=tuple(alternatives),
        cautions=_warn_of_forbidden_interval(bounds),
        notes=tuple(notes),
        effect="",
    )


def _format_range(low: float, high: float) -> str:
    return f"{100 * low:.4g}%" if low == high else f"{100 * low:.3g}% to {100 * high:.3g}%"


def plan_pair_width(
    target: PlanTarget,
    request: WidthRequest,
    *,
    method: str | None,
    table: PairedTable | None,
    disagreement: float | None,
    errors: Errors,
) -> Planned:
    """Return the plan for an interval of the difference of two classifiers on one test set."""
    bounds = _resolve_interval(PairedTable(0, 0, 0, 1), method, target)
    known = resolve_discordance(target, table, disagreement, errors)
    difference = target.difference or 0.0

    def build_plan(disagreement: float) -> Planned:
        if abs(difference) > disagreement + 1e-9:
            raise InvalidOption(
                f"`difference` must be at most the discordant rate ({disagreement:.4g}), got {difference:g}. For 1 pp"
                " use 0.01."
            )
        setting = PairWidth(
            limits=_build_limits(bounds, target, request), disagreement=disagreement, difference=difference
        )
        return _solve_width(setting, target, request, bounds)

    planned = build_plan(known.first.disagreement)
    alternatives = [AlternativePlan.from_plan(guess.assuming, build_plan(guess.disagreement)) for guess in known.others]
    return replace(
        planned,
        truth=_describe_difference(difference),
        difference=difference,
        formula_name="normal formula",
        alternatives=tuple(alternatives),
        cautions=(*known.cautions, *_warn_of_forbidden_interval(bounds)),
        notes=known.notes,
        references=(bounds.reference, *target.clusters.references),
    )


def plan_two_sets_width(
    target: PlanTarget,
    request: WidthRequest,
    *,
    method: str | None,
    counts: IndependentCounts | None,
    errors: Errors,
    ratio: float,
) -> Planned:
    """Return the plan for an interval of the difference of two classifiers on a test set each."""
    bounds = _resolve_interval(IndependentCounts.from_counts(0, 1, 0, 1), method, target)
    known = KnownErrors(errors) if counts is None else pool_pilot_errors(counts, errors)
    difference = target.difference or 0.0

    def build_plan(errors: Errors) -> Planned:
        a, b = errors.both(difference)
        setting = TwoSetsWidth(limits=_build_limits(bounds, target, request), error_a=a, error_b=b, ratio=ratio)
        return _solve_width(setting, target, request, bounds)

    planned = build_plan(known.first)
    alternatives = [AlternativePlan.from_plan(assuming, build_plan(errors)) for assuming, errors in known.others]
    return replace(
        planned,
        truth=_describe_difference(difference),
        difference=difference,
        formula_name="normal formula",
        alternatives=tuple(alternatives),
        cautions=(*known.cautions, *_warn_of_forbidden_interval(bounds)),
        notes=known.notes,
        references=(bounds.reference, *target.clusters.references),
    )


def _describe_difference(difference: float) -> str:
    return f"difference {format_amount(abs(difference))}" if difference else "no difference"


def _resolve_interval(like: Evidence, name: str | None, target: PlanTarget) -> Offer:
    bounds = find_method(name or like.default("interval", target.options), "interval", type(like))
    problem = _find_problem(bounds)
    if problem:
        offers = find_methods(gives="interval", evidence=type(like))
        able = ", ".join(offer.name for offer in offers if not _find_problem(offer))
        raise InvalidOption(f"`method` of a plan must not be {bounds.name!r}, which {problem}. Use one of: {able}.")
    check_options(target.options, bounds)
    return bounds


def _find_problem(bounds: Offer) -> str:
    """Return why an interval cannot be planned for; nothing if it can."""
    if bounds.parameter not in {"error", "difference"}:
        return f"is of the {bounds.parameter}, not of the difference"
    if bounds.evidence is PairedTable and bounds.reads == "cells":
        return "needs the number of examples that both get wrong"
    if "rng" in bounds.options:
        return "draws at random"
    return "takes minutes" if bounds.name in {"two-betas", "unconditional"} else ""


def _warn_of_forbidden_interval(bounds: Offer) -> tuple[str, ...]:
    return (f"{bounds.display_title} is invalid: {bounds.rationale}.",) if bounds.standing == "forbidden" else ()


def _build_limits(bounds: Offer, target: PlanTarget, request: WidthRequest) -> Limits:
    return Limits(
        method=bounds,
        alpha=target.alpha,
        side=request.side,
        assurance=request.assurance,
        options={name: value for name, value in target.options.items() if name in bounds.options},
    )


def _solve_width(setting: Any, target: PlanTarget, request: WidthRequest, bounds: Offer) -> Planned:
    """Return the size for a width, or the width at a size."""
    clusters = target.clusters
    if (request.width is None) == (target.size is None):
        raise InvalidOption(
            "one of `width` and `examples` must be set. For a sample size use width=0.05, for a width examples=500."
        )
    if request.width is not None:
        width, teeth = request.width, _SMOOTH if request.assurance is None else _SAWING
        enough = first_size(lambda size: width - setting.width(size), setting.approximate(width), teeth=lambda _: teeth)
        size, formula = clusters.sizes(enough), setting.approximate(width) * clusters.effect
        reached = float(setting.width(int(enough))) if math.isfinite(enough) else width
    else:
        assert target.size is not None  # noqa: S101  # checked above
        size, effective = target.size, clusters.effective_sample_size(target.size)
        reached, formula = float(setting.width(effective)), setting.by_formula(target.size / clusters.effect)
    return Planned(
        solved="width" if request.width is None else "size",
        unit=setting.unit,
        size=size,
        width=reached,
        target=math.nan if request.assurance is None else request.assurance,
        formula=formula,
        method=bounds.name,
        alpha=target.alpha,
        side=request.side,
        about=setting.describe(),
        design_effect=clusters.effect,
        cluster_size=clusters.size,
        setting=setting,
    )
