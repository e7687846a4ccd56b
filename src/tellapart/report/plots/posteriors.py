"""Posterior densities of an error rate, and of the difference of two."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import ErrorCount, IndependentCounts, PairedTable, Resamples
from ...figures import equation, scale_of
from ...methods.error_count.posterior import Posterior, prior_text
from ...methods.error_count.posterior import posterior as posterior_of
from ...results import Comparison, Estimate
from ...results.wording import difference_name, probability_text
from ...typing_ import LARGEST_SIZE, FloatArray, as_real
from ..picture import Numbers, Picture, drawn
from ..style import BAND, COLOURS, INK
from .drawable_types import undrawable
from .labels import fits_beside, name_axis, narrow_size, number_ticks, show_name, write_at
from .rows import WIDTH, axis_factor, mark

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    Known = Estimate | Comparison | Posterior | ErrorCount | PairedTable | IndependentCounts | Resamples

_STEPS = 400
_LINE = 0.185  # inches
_TAIL = 0.0005  # left out on either side
_PRIORS = {"jeffreys": "jeffreys", "uniform": "uniform"}  # methods whose name is that of their prior


def posterior(known: Known, *, rope: float = 0.0, prior: Any = None, ax: Axes | None = None) -> Axes:
    """Draw the posterior distribution of the difference, with the probabilities of its regions.

    Of an error rate, the posterior under a prior (Jeffreys' by default). Of the difference of two models on one test
    set, under Jeffreys' prior for the four cells of their table; on two test sets, under one for each error; of two
    learners, the correlated Bayesian t.

    Parameters
    ----------
    known
        Result of `estimate` or `compare`, its evidence, or the result of `posterior`.
    rope
        The region of practical equivalence: differences up to this size, either way, count as none.
    prior
        For one error rate, the prior; as for `posterior`.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> ta.plots.posterior(ta.ErrorCount(3, 120)).get_xlabel()
    'error rate in %; prior Beta(1/2, 1/2)'
    """
    return drawn(posterior_picture(known, rope=rope, prior=prior), ax)


def posterior_picture(known: Known, *, rope: float = 0.0, prior: Any = None) -> Picture:
    """Return the picture that `posterior` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> picture = posterior_picture(ta.PairedTable(20, 25, 10, 45, models=("tree", "forest")))
    >>> picture.alt.partition(". ")[0]
    'Posterior of error(tree) − error(forest): P(tree better) = 0.005, P(forest better) = 0.995'
    """
    if not 0 <= as_real(rope) <= LARGEST_SIZE:
        raise InvalidOption(f"`rope` must be a number of 0 or more, got {rope!r}. For 1 pp use 0.01.")
    belief = _find_posterior(known, float(rope), prior)
    edges = np.linspace(*belief.span, _STEPS + 1)
    below = np.asarray(belief.cdf(edges), dtype=float)
    height = np.diff(below) / np.diff(edges)  # the mean over a step, which is finite
    middle = (edges[1:] + edges[:-1]) / 2
    parts = [
        equation(f"P({name})", probability_text(share)) for name, share in zip(belief.names, belief.shares, strict=True)
    ]
    unit = {100.0: " in %" if belief.one else ", in pp"}.get(belief.by, "")
    return Picture(
        title="Posterior distribution",
        alt=f"Posterior of {belief.what}: {', '.join(parts)}. {belief.prior_note[:1].upper()}{belief.prior_note[1:]}.",
        numbers=Numbers(
            head=(belief.what, "density", "probability below"),
            rows=tuple(zip(middle.tolist(), height.tolist(), ((below[1:] + below[:-1]) / 2).tolist(), strict=True)),
        ),
        draw=lambda axes: _draw_picture(axes, belief, middle, height, unit),
        size=(WIDTH, 2.4 + _LINE * len(_describe_posterior(belief))),
        narrow=narrow_size(
            2.55 + _LINE * len(_describe_posterior(belief)),
            *(text for line in _describe_posterior(belief) for _, text in line),
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Belief:
    """A distribution, cut into parts that have names and probabilities."""

    what: str
    cdf: Callable[[FloatArray], FloatArray]
    span: tuple[float, float]
    borders: tuple[float, ...]  # between the parts
    names: tuple[str, ...]
    shares: tuple[float, ...]
    colours: tuple[str, ...]
    prior_note: str
    marks: tuple[float, ...] = ()
    by: float = 100.0
    one: bool = False  # of one error rate, not of a difference
    axis: str = "error(A) − error(B)"  # of a difference, whose names may be long


# --- Posteriors -----------------------------------------------------------------------------------


def _find_posterior(known: Any, rope: float, prior: Any) -> _Belief:
    evidence = known.evidence if isinstance(known, Estimate | Comparison) else known
    if getattr(known, "shape", ()) or getattr(evidence, "shape", ()):
        raise InvalidOption("`known` must have one posterior, got several. Index them.")
    return believe(evidence, known, rope, prior)


@singledispatch
def believe(_evidence: Any, known: Any, _rope: float, _prior: Any) -> _Belief:
    """Return the posterior; each type of evidence registers its own."""
    raise _no_posterior(known)


def _no_posterior(known: Any) -> InvalidOption:
    return undrawable(
        "known", known, "an ErrorCount, a PairedTable, IndependentCounts, the Resamples of two learners, or an answer"
        " about one of them"
    )  # fmt: skip


def _refuse_prior(prior: Any) -> None:
    if prior is not None:
        raise InvalidOption("`prior` applies to one error rate only, got a difference. Leave it out.")


@believe.register
def _of_rate(evidence: ErrorCount | Posterior, known: Any, rope: float, prior: Any) -> _Belief:
    """Return the posterior of an error rate, divided by a threshold or by the credible limits."""
    if rope:
        raise InvalidOption("`rope` applies to a difference only, got one error rate. Leave it out.")
    if isinstance(evidence, Posterior):
        after = evidence
    else:
        method = getattr(known, "method", "")
        if prior is None and method in {"beta", "posterior"}:
            raise InvalidOption(f"`prior` is required for an answer by {method!r}. Use for example prior=(1, 3.67).")
        after = posterior_of(evidence, prior=_PRIORS.get(method, "jeffreys") if prior is None else prior)
    low, high = float(after.quantile(_TAIL)), float(after.upper_quantile(_TAIL))
    common: dict[str, Any] = {
        "what": "the error rate", "cdf": lambda x: after.cdf(np.clip(x, 0, 1)), "one": True,
        "prior_note": f"prior {prior_text(after.prior)}",
    }  # fmt: skip
    if isinstance(known, Comparison):
        at = float(known.against)
        low, high = min(low, at), max(high, at)
        room = 0.05 * (high - low)
        limit = f"{100 * at:.6g}%"
        return _Belief(
            **common, borders=(at,), marks=(at,), span=(max(low - room, 0.0), min(high + room, 1.0)),
            names=(f"below {limit}", f"above {limit}"), shares=(float(after.cdf(at)), float(after.exceedance(at))),
            colours=(COLOURS[0], COLOURS[1]),
        )  # fmt: skip
    alpha = known.interval.alpha if isinstance(known, Estimate) else 0.05
    ends = float(after.quantile(alpha / 2)), float(after.upper_quantile(alpha / 2))
    width = ends[1] - ends[0]
    scale = scale_of("percent", width / 2)
    names = (f"below {scale.value(ends[0])}", scale.range(*ends, unit=True), f"above {scale.value(ends[1])}")
    return _Belief(
        **common, borders=ends, span=(0.0 if low < high / 3 else low, high), names=names,
        shares=(alpha / 2, 1 - alpha, alpha / 2), colours=(BAND, COLOURS[0], BAND),
    )  # fmt: skip


def _of_difference(
    what: str, names: tuple[str, str], cdf: Callable[[FloatArray], FloatArray], span: tuple[float, float],
    better: tuple[float, float], rope: float, text: str, by: float = 100.0,
) -> _Belief:  # fmt: skip
    """Return the posterior of a difference, divided at zero, or by the region of practical equivalence."""
    low, high = min(span[0], -1.5 * rope), max(span[1], 1.5 * rope)
    low, high = min(low, -0.1 * high, 0.0), max(high, -0.1 * low, 0.0)
    called, shares, colours, borders = [f"{name} better" for name in names], better, (COLOURS[1], COLOURS[0]), (0.0,)
    if rope:
        size = f"{by * rope:.6g}{' pp' * (by == 100)}"
        called = [called[0], f"equivalent, within {size}", called[1]]
        shares, colours = (better[0], max(1 - sum(better), 0.0), better[1]), (COLOURS[1], BAND, COLOURS[0])  # type: ignore[assignment]
        borders = (-rope, rope)  # type: ignore[assignment]
    return _Belief(
        what=what, cdf=cdf, span=(low, high), borders=borders, names=tuple(called), shares=shares, colours=colours,
        prior_note=text, marks=(0.0,), by=by,
    )  # fmt: skip


def _density_nodes(number: int = 400) -> tuple[FloatArray, FloatArray]:
    """Return probabilities and weights that turn a mean over a distribution into a sum over its quantiles."""
    from scipy.special import roots_legendre  # NumPy's takes a dense matrix of so many rows and columns

    index, weight = roots_legendre(number)
    return (index + 1) / 2, weight / 2


def _axis_span(cdf: Callable[[FloatArray], FloatArray], reach: float = 1.0) -> tuple[float, float]:
    """Return the quantiles of both tails by bisection: the limits of the axis."""
    ends = []
    for tail in (_TAIL, 1 - _TAIL):
        low, high = -reach, reach
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if float(cdf(np.array([middle]))[0]) < tail else (low, middle)
        ends.append((low + high) / 2)
    return ends[0], ends[1]


@believe.register
def _of_table(table: PairedTable, known: Any, rope: float, prior: Any) -> _Belief:
    """Return the belief about θ_b − θ_c = s(2t − 1): s the discordant rate, t the share of "only A wrong"."""
    _refuse_prior(prior)
    if table.event != "wrong":
        raise _no_posterior(known)
    from scipy.special import betainc, betaincinv

    from ...methods.paired_table.mcnemar import dirichlet

    b, c, rest = (float(each) for each in (table.only_a_wrong, table.only_b_wrong, table.both_wrong + table.both_right))
    probability, weight = _density_nodes()
    significant = betaincinv(b + c + 1, rest + 1, probability)[:, None]

    def cdf(x: FloatArray) -> FloatArray:
        inside = np.clip((np.asarray(x) / np.maximum(significant, 1e-300) + 1) / 2, 0, 1)
        result: FloatArray = weight @ betainc(b + 0.5, c + 0.5, inside)
        return result

    result = [float(dirichlet(each).statistic) for each in (table.swapped(), table)]
    if rope:
        result = [float(cdf(np.array([-rope]))[0]), 1 - float(cdf(np.array([rope]))[0])]
    a, other = table.models
    text = "prior Dirichlet(1/2, 1/2, 1/2, 1/2) for the four cells"
    return _of_difference(
        f"error({a}) − error({other})", (a, other), cdf, _axis_span(cdf), (result[0], result[1]), rope, text
    )


@believe.register
def _of_counts(counts: IndependentCounts, _: Any, rope: float, prior: Any) -> _Belief:
    _refuse_prior(prior)
    from scipy.special import betainc, betaincinv

    from ...methods.independent_counts.two_betas import two_betas_probability

    one, other = counts.count_a, counts.count_b
    probability, weight = _density_nodes()
    rates = betaincinv(float(other.errors) + 0.5, float(other.successes) + 0.5, probability)[:, None]

    def cdf(x: FloatArray) -> FloatArray:
        inside = np.clip(rates + np.asarray(x), 0, 1)
        result: FloatArray = weight @ betainc(float(one.errors) + 0.5, float(one.successes) + 0.5, inside)
        return result

    better = float(two_betas_probability(counts, alternative="greater").statistic)
    result = (1 - better, better)
    if rope:
        result = float(cdf(np.array([-rope]))[0]), 1 - float(cdf(np.array([rope]))[0])
    a, b = counts.models
    return _of_difference(
        f"error({a}) − error({b})", (a, b), cdf, _axis_span(cdf), result, rope, "prior Beta(1/2, 1/2) for each error"
    )


@believe.register
def _of_learners(evidence: Resamples, known: Any, rope: float, prior: Any) -> _Belief:
    _refuse_prior(prior)
    if len(evidence.learners) != 2:
        raise _no_posterior(known)
    from ...methods.practical import practical_probabilities
    from ...methods.resamples.corrected import bayesian_correlated_interval
    from ...methods.resamples.moments import moments

    if not moments(evidence).deviation > 0:
        raise InvalidOption("there is nothing to draw: the differences have no spread, and teach nothing about it.")
    limits = bayesian_correlated_interval(evidence).interval(2 * _TAIL)

    def below(x: float) -> float:
        shares = practical_probabilities(evidence, rope=abs(x))
        return float(shares.a_better if x < 0 else 1 - shares.b_better)

    shares = practical_probabilities(evidence, rope=rope)
    a, b = evidence.learners
    by = axis_factor(evidence.difference_kind)
    result = _of_difference(
        difference_name(evidence, a, b), (a, b), lambda x: np.array([below(float(each)) for each in x]),
        (float(limits.low), float(limits.high)),
        (float(shares.a_better), float(shares.b_better)), rope, "flat prior, correlated differences", by,
    )  # fmt: skip
    return replace(result, axis=difference_name(evidence, "A", "B"))


# --- How it is drawn ------------------------------------------------------------------------------


def _describe_posterior(belief: _Belief) -> list[list[tuple[float, str]]]:
    """Return the lines of text above the density: position from 0 (left) to 1 (right), and text."""
    if belief.one and not belief.marks:
        return [[(1.0, f"{100 * belief.shares[1]:.6g}% probability: {belief.names[1]}")]]
    text = [
        f"{show_name(name, 56)}: {probability_text(p)}" for name, p in zip(belief.names, belief.shares, strict=True)
    ]
    left, right = (0.0, f"← {text[0]}"), (1.0, f"{text[-1]} →")
    sides = [[left, right]] if len(text[0]) + len(text[-1]) <= 50 else [[left], [right]]
    return [*sides, *[[(0.5, middle)] for middle in text[1:-1]]]


def _draw_picture(axes: Axes, belief: _Belief, middle: FloatArray, height: FloatArray, unit: str) -> None:
    x, by, words = belief.by * middle, belief.by, _describe_posterior(belief)
    ends = [-math.inf, *belief.borders, math.inf]
    ordinary = float(np.quantile(height, 0.9))
    peak = min(float(height.max()), 4 * ordinary) if ordinary > 0 else float(height.max())  # it may have no end
    top = 1 - _LINE * len(words) / (1.55 + _LINE * len(words))  # below the words
    steps = np.linspace(*belief.span, _STEPS + 1)
    curve = np.minimum(height, 1.04 * peak)
    for index, colour in enumerate(belief.colours):
        inside = (steps[1:] > ends[index]) & (steps[:-1] < ends[index + 1])
        if inside.any():
            opacity = 1.0 if colour == BAND else 0.55
            axes.fill_between(x, curve, where=inside, color=colour, alpha=opacity, linewidth=0, step="mid")
    axes.plot(x, np.where(height > curve, np.nan, curve), color=INK, linewidth=1.3)
    for border in belief.borders:
        mark(axes, by * border, strong=border in belief.marks, top=top)
    for at in belief.marks:
        mark(axes, by * at, top=top)
    axes.set(xlim=(by * belief.span[0], by * belief.span[1]), ylim=(0, 1.06 * peak / top), yticks=[])
    axes.spines[["left", "top", "right"]].set_visible(False)
    number_ticks(axes, "x", axes.get_xlim(), 8)
    what = "error rate" if belief.one else belief.axis
    name_axis(axes, x=f"{what}{unit}; {belief.prior_note}")
    if not fits_beside(axes, *(text for _, text in words[0])):
        words = [[part] for parts in words for part in parts]
    for line, parts in enumerate(words):
        for at, text in parts:
            ha = {0.0: "left", 0.5: "center", 1.0: "right"}[at]
            write_at(axes, (at, 1), text, on="axes fraction", by=(0, -13 * line), ha=ha, va="top")
