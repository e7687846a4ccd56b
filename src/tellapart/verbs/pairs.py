"""Two classifiers (or learners), or one against a threshold: the test, the interval, and the margin that matters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from ..advice import choose_interval, choose_pair, choose_test
from ..errors import InvalidOption
from ..evidence import ClassScores, ErrorCount, PairedConfusion
from ..evidence.validation import as_threshold
from ..methods import Offer, Standing, check_options
from ..methods.assumptions import Context
from ..methods.multiplicity import OF_ALL_PAIRS, Adjustment
from ..methods.multiplicity import adjust as adjusted_pvalues
from ..methods.sources import covered
from ..results import Comparison, TestResult, larger_of, worst_mixing
from ..typing_ import Alternative, Hypothesis, one_of, open_unit
from .parts import (
    BALANCE_SCOPE,
    PAIR_SCOPE,
    Asked,
    checks_of,
    cited,
    limits_of,
    scope_of,
    taken_by,
    told_of,
)

# How the p-values of several classifiers pay for their number.
Adjust = Literal["max-t", Adjustment]


def against_threshold(count: ErrorCount, against: Any, asked: Asked) -> Comparison:
    """Test whether one classifier's error is above or below a threshold."""
    if against is None:
        raise InvalidOption("against is needed to compare one error count: the threshold, such as against=0.05.")
    threshold, options = as_threshold(against, count), asked.options
    test = choose_test(count, asked.method, options)
    named = (test.partner or test.name) if asked.interval is None else asked.interval
    bounds = choose_interval(count, named, options)
    check_options(options, test, bounds)
    limits = limits_of(bounds, count, asked.alpha, asked.level, asked.side, options)
    significance: TestResult = test(count, against=threshold, alternative=asked.alternative, **taken_by(test, options))
    context = Context(interval=limits, null=threshold, alpha=asked.alpha, alternative=asked.alternative)
    return Comparison(
        method=test.name,
        evidence=count,
        difference=count.rate - threshold,
        interval=limits,
        significance=significance,
        alpha=asked.alpha,
        alternative=asked.alternative,
        against=threshold,
        checks=checks_of(test, bounds, count, context),
        told=told_of(test, options),
        measures=test.statistic or "",
        forbidden=test.standing == Standing.FORBIDDEN,
        scope=scope_of(test, count),
        covers=covered(count, test, bounds),
        cites=cited(test, bounds),
    )


def pair(evidence: Any, asked: Asked, looks: int) -> Comparison:
    """Compare two, by the test and the interval that were asked for or that fit the evidence."""
    test, bounds = choose_pair(evidence, asked.method, asked.interval)
    check_options(asked.options, test, bounds)
    limits = limits_of(bounds, evidence, asked.alpha, asked.level, asked.side, asked.options)
    own = {"alpha": asked.alpha} if "alpha" in test.options else {}
    significance: TestResult = test(evidence, alternative=asked.alternative, **own, **taken_by(test, asked.options))
    context = Context(interval=limits, null=0.0, alpha=asked.alpha, alternative=asked.alternative)
    return compared(evidence, test, bounds, significance, context, asked.options, looks=looks)


def compared(
    evidence: Any,
    test: Offer,
    bounds: Offer,
    significance: TestResult,
    context: Context,
    options: dict[str, Any],
    **more: Any,
) -> Comparison:
    """Put the answer about two classifiers (or learners) together; `more` are further fields of it, or other ones."""
    facts = {
        "method": test.name,
        "evidence": evidence,
        "difference": evidence.difference if significance.estimate is None else significance.estimate,
        "interval": context.interval,
        "significance": significance,
        "alpha": context.alpha,
        "alternative": context.alternative,
        "checks": checks_of(test, bounds, evidence, replace(context, test=significance, options=options)),
        "told": told_of(test, options),
        "interval_told": told_of(bounds, options) if bounds.name != test.name else "",
        "measures": test.statistic,
        "forbidden": test.standing == Standing.FORBIDDEN,
        "scope": PAIR_SCOPE if evidence.event == "wrong" else BALANCE_SCOPE,
        "covers": covered(evidence, test, bounds),
        "cites": cited(test, bounds),
    }
    return Comparison(**facts | more)


def as_margin(margin: Any, hypothesis: Hypothesis, asked: Asked, *, bounded: bool = True) -> float:
    """Return the margin, or say what does not go with one; that of a loss without bound may be any above 0."""
    if one_of("hypothesis", hypothesis, Hypothesis) == "different":
        raise InvalidOption("hypothesis='different' takes no margin. Write 'non-inferior', 'superior' or 'equivalent'.")
    if asked.alternative != "two-sided":
        raise InvalidOption("alternative is told by the hypothesis where there is a margin. Leave it out.")
    if asked.alpha >= 0.5:
        raise InvalidOption(
            f"alpha must be below 0.5 with a margin (its interval has 1 - 2 alpha), but is {asked.alpha}."
        )
    if bounded:
        return open_unit("margin", margin, "For one point write 0.01.", least=0.0)
    if isinstance(margin, bool) or not (isinstance(margin, int | float | np.number) and 0 < margin < np.inf):
        raise InvalidOption(f"margin must be a number above 0, in units of the metric, but is {margin!r}.")
    return float(margin)


def with_margin(evidence: Any, margin: float, hypothesis: Hypothesis, asked: Asked, looks: int) -> Comparison:
    """Test against the margin, one-sided; the interval at 1 − 2·alpha decides alike."""
    size = as_margin(margin, hypothesis, asked, bounded=evidence.metric.is_rate)
    if isinstance(evidence, PairedConfusion | ClassScores) and size >= evidence.metric.difference_bounds[1]:
        most = f"{evidence.metric.difference_bounds[1]:g}, for {evidence.metric.title} cannot differ by more"
        raise InvalidOption(f"margin must be below {most}, but is {margin!r}.")
    test, bounds = choose_pair(evidence, asked.method, asked.interval, margin=True)
    check_options(asked.options, test, bounds)
    limits = limits_of(bounds, evidence, 2 * asked.alpha, None, "two", asked.options)

    significance = beyond_margin(test, evidence, size, hypothesis, asked.options)
    context = Context(interval=limits, null=border(size, hypothesis), alpha=asked.alpha, alternative="greater")
    asked_side = {"alternative": "two-sided"} if hypothesis == "equivalent" else {}
    facts = {"hypothesis": hypothesis, "margin": size, "looks": looks, **asked_side}
    return compared(evidence, test, bounds, significance, context, asked.options, **facts)


def border(size: float, hypothesis: Hypothesis) -> float:
    """Return the difference that is tested: B may be worse by the margin, or has to be better by it."""
    return -size if hypothesis == "non-inferior" else size


def beyond_margin(
    test: Offer, evidence: Any, size: float, hypothesis: Hypothesis, options: dict[str, Any]
) -> TestResult:
    """Test what is to be shown of a margin; for equivalence the larger p-value of both sides counts."""

    def one_sided(against: float, alternative: Alternative) -> TestResult:
        found: TestResult = test(evidence, against=against, alternative=alternative, **taken_by(test, options))
        return found

    if hypothesis != "equivalent":
        return one_sided(border(size, hypothesis), "greater")
    above, below = one_sided(-size, "greater"), one_sided(size, "less")
    upper = below.pvalue > above.pvalue
    return TestResult(
        statistic=np.where(upper, below.statistic, above.statistic)[()],
        pvalue=np.maximum(above.pvalue, below.pvalue),
        mixing=worst_mixing(above, below),
        simulated=larger_of(above.simulated, below.simulated, upper),
    )


def paid(answers: Comparison, adjustment: Adjust | None) -> Comparison:
    """Let the p-values of many comparisons pay for their number."""
    if adjustment is None or one_of("adjust", adjustment, Adjust) == "none":
        return answers
    if adjustment == "max-t":
        raise InvalidOption(
            "adjust='max-t' resamples several classifiers on one test set. Take 'holm' for many tables."
        )
    if adjustment in OF_ALL_PAIRS:
        raise InvalidOption(f"adjust={adjustment!r} is for all pairs of several. Take 'holm' for many tables.")
    has_pvalues(answers)
    adjusted = adjusted_pvalues(answers.pvalue.ravel(), adjustment).reshape(answers.shape)
    return replace(
        answers,
        adjusted=adjusted,
        adjustment=f"{adjustment} over {adjusted.size} comparisons",
        cites=(*answers.cites, *cited(adjustment=adjustment)),
    )


def has_pvalues(answers: Comparison) -> None:
    """Refuse a rule that has no p-values to adjust; a difference that is not defined has none for a better reason."""
    if np.any(np.isnan(answers.pvalue) & ~np.isnan(answers.difference)):
        raise InvalidOption(f"method {answers.method!r} is a rule without p-values: nothing pays for their number.")
