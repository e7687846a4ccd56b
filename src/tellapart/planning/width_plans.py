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
from .known_rates import Errors, KnownErrors, as_rate, disagreements, errors_of_pilot
from .planned import Aside, Planned, amount
from .settings.widths import Limits, PairWidth, RateWidth, TwoSetsWidth
from .solving import first_size
from .wanted import Wanted

_BY_NONE = "ln(alpha)/ln(1 − width)"  # where no error is to be expected
_SMOOTH, _SAWING = 4, 32  # sizes beyond the first that must do: an expected width falls smoothly, a quantile saws


class Asked(NamedTuple):
    """The width that is wanted, or None; of which side; and with which assurance, where not on average."""

    width: float | None
    side: Side = "two"
    assurance: float | None = None


def as_range(error: Any) -> tuple[float, float]:
    """Return the least and the largest error rate that is planned for.

    Examples
    --------
    >>> as_range(0.1), as_range((0.2, 0.6))
    ((0.1, 0.1), (0.2, 0.6))
    """
    if isinstance(error, tuple | list | np.ndarray):
        if len(error) != 2 or not as_rate("error", error[0]) <= as_rate("error", error[1]):
            raise InvalidOption(f"error must be a rate, or two of them, the smaller first, but is {error!r}.")
        return float(error[0]), float(error[1])
    rate = as_rate("error", error)
    return rate, rate


def plan_width(
    wanted: Wanted, asked: Asked, *, method: str | None, count: ErrorCount | None, error: tuple[float, float] | None
) -> Planned:
    """Return the plan for an interval of one error rate."""
    notes: list[str] = []
    asides = []
    bounds = _interval(ErrorCount(0, 1), method, wanted)
    if count is not None:
        if error is not None:
            raise InvalidOption("a pilot has an error rate of its own. Leave it out, or leave error= out.")
        if count.shape:
            raise InvalidOption(f"a pilot is one count, but this holds {count.errors.size}. Plan for one of them.")
        limits = find_method(count.default("interval"), "interval", ErrorCount)(count, alpha=0.05, side="two")
        asides = [(float(limits.low), float(limits.high))]
        error = float(count.rate), float(count.rate)
        notes.append(f"The error rate is taken from a pilot ({count.describe()}).")
    low, high = error or (0.0, 1.0)

    def planned(low: float, high: float) -> Planned:
        setting = RateWidth(limits=_limits(bounds, wanted, asked), low=low, high=high)
        found = _solved(setting, wanted, asked, bounds)
        told = f"the true error is {_range_told(low, high)}"
        if low < high and asked.assurance != 1 and math.isfinite(found.size):
            told += f" (widest at {100 * setting.worst(wanted.clusters.worth(int(found.size)))[0]:.3g} %)"
        by = "Mitchell's normal formula" if setting.high or asked.side != "upper" else _BY_NONE
        return replace(
            found,
            truth=told,
            formula_name=by,
            references=(bounds.reference, "mitchell1997", *wanted.clusters.references),
        )

    found = planned(low, high)
    beside = [
        Aside.of(
            f"wherever the true error lies in the pilot's 95 % interval ({100 * a:.3g} % to {100 * b:.3g} %)",
            planned(a, b),
        )
        for a, b in asides
    ]
    if found.solved == "size" and math.isfinite(found.formula):
        notes.append(_by_formula(found, asked))
    return replace(found, beside=tuple(beside), notes=(*notes, *_told(bounds)))


def _by_formula(found: Planned, asked: Asked) -> str:
    """Tell the textbook's number beside the plan's, and why they differ."""
    ours = "the mean over all that can come out" if asked.assurance is None else "what comes out so often"
    told = f"{math.ceil(found.formula):,} {found.unit} are asked for by {found.formula_name}"
    if found.formula_name == _BY_NONE:
        return f"{told}, for a bound by clopper-pearson."
    return f"{told}, which takes what will be observed for what is true; the plan is {ours}."


def _range_told(low: float, high: float) -> str:
    return f"{100 * low:.4g} %" if low == high else f"between {100 * low:.3g} % and {100 * high:.3g} %"


def plan_pair_width(
    wanted: Wanted,
    asked: Asked,
    *,
    method: str | None,
    table: PairedTable | None,
    disagreement: float | None,
    errors: Errors,
) -> Planned:
    """Return the plan for an interval of the difference of two classifiers on one test set."""
    bounds = _interval(PairedTable(0, 0, 0, 1), method, wanted)
    known = disagreements(wanted, table, disagreement, errors)
    difference = wanted.difference or 0.0

    def planned(disagreement: float) -> Planned:
        if abs(difference) > disagreement + 1e-9:
            raise InvalidOption(
                f"difference={difference:g} cannot be where two disagree on {disagreement:.4g} of the examples: errors"
                " differ by that at most. Write a smaller difference=, or a larger disagreement=."
            )
        setting = PairWidth(limits=_limits(bounds, wanted, asked), disagreement=disagreement, difference=difference)
        return _solved(setting, wanted, asked, bounds)

    found = planned(known.first.disagreement)
    asides = [Aside.of(each.assuming, planned(each.disagreement)) for each in known.others]
    told: dict[str, Any] = {"truth": _truth(difference), "difference": difference, "formula_name": "normal formula"}
    notes = (*known.notes, *_told(bounds))
    return replace(
        found, **told, beside=tuple(asides), notes=notes, references=(bounds.reference, *wanted.clusters.references)
    )


def plan_two_sets_width(
    wanted: Wanted, asked: Asked, *, method: str | None, counts: IndependentCounts | None, errors: Errors, ratio: float
) -> Planned:
    """Return the plan for an interval of the difference of two classifiers on a test set each."""
    bounds = _interval(IndependentCounts.from_counts(0, 1, 0, 1), method, wanted)
    known = KnownErrors(errors) if counts is None else errors_of_pilot(counts, errors)
    difference = wanted.difference or 0.0

    def planned(errors: Errors) -> Planned:
        a, b = errors.both(difference)
        setting = TwoSetsWidth(limits=_limits(bounds, wanted, asked), error_a=a, error_b=b, ratio=ratio)
        return _solved(setting, wanted, asked, bounds)

    found = planned(known.first)
    asides = tuple(Aside.of(told, planned(errors)) for told, errors in known.others)
    told: dict[str, Any] = {"truth": _truth(difference), "difference": difference, "formula_name": "normal formula"}
    references = (bounds.reference, *wanted.clusters.references)
    return replace(found, **told, beside=asides, notes=(*known.notes, *_told(bounds)), references=references)


def _truth(difference: float) -> str:
    return f"the two really differ by {amount(abs(difference))}" if difference else "both really are equally good"


def _interval(like: Evidence, name: str | None, wanted: Wanted) -> Offer:
    bounds = find_method(name or like.default("interval", wanted.options), "interval", type(like))
    trouble = _trouble(bounds)
    if trouble:
        able = (found.name for found in find_methods(gives="interval", evidence=type(like)) if not _trouble(found))
        raise InvalidOption(f"interval {bounds.name!r} {trouble}. Choose one of: {', '.join(able)}.")
    check_options(wanted.options, bounds)
    return bounds


def _trouble(bounds: Offer) -> str:
    """Say why an interval cannot be planned for; nothing if it can."""
    if bounds.parameter not in {"error", "difference"}:
        return f"is of the {bounds.parameter}, and a plan is for one of the difference"
    if bounds.evidence is PairedTable and bounds.reads == "cells":
        return "needs to know on how many examples both are wrong, and a plan knows on how many they disagree"
    if "rng" in bounds.options:
        return "draws at random, which no plan can do for every outcome"
    return "takes minutes to plan for" if bounds.name in {"two-betas", "unconditional"} else ""


def _told(bounds: Offer) -> tuple[str, ...]:
    return (f"Interval {bounds.name} is forbidden: {bounds.rationale}.",) if bounds.standing == "forbidden" else ()


def _limits(bounds: Offer, wanted: Wanted, asked: Asked) -> Limits:
    return Limits(
        method=bounds,
        alpha=wanted.alpha,
        side=asked.side,
        assurance=asked.assurance,
        options={name: value for name, value in wanted.options.items() if name in bounds.options},
    )


def _solved(setting: Any, wanted: Wanted, asked: Asked, bounds: Offer) -> Planned:
    """Return the size for a width, or the width at a size."""
    clusters = wanted.clusters
    if (asked.width is None) == (wanted.size is None):
        raise InvalidOption("for an interval give width=0.05 (to find how many) or examples=500 (to find the width).")
    if asked.width is not None:
        width, teeth = asked.width, _SMOOTH if asked.assurance is None else _SAWING
        enough = first_size(lambda size: width - setting.width(size), setting.approximate(width), teeth=lambda _: teeth)
        size, formula = clusters.sizes(enough), setting.approximate(width) * clusters.effect
        found = float(setting.width(int(enough))) if math.isfinite(enough) else width
    else:
        assert wanted.size is not None  # noqa: S101  # one of the two is there
        size, worth = wanted.size, clusters.worth(wanted.size)
        found, formula = float(setting.width(worth)), setting.by_formula(wanted.size / clusters.effect)
    return Planned(
        solved="width" if asked.width is None else "size",
        unit=setting.unit,
        size=size,
        width=found,
        target=math.nan if asked.assurance is None else asked.assurance,
        formula=formula,
        method=bounds.name,
        alpha=wanted.alpha,
        side=asked.side,
        about=setting.describe(),
        design_effect=clusters.effect,
        cluster_size=clusters.size,
        setting=setting,
    )
