"""The two verbs: how large is the error, and is B really better than A?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, overload

import numpy as np

from .advice import choose_interval, choose_pair, choose_test
from .errors import InvalidOption
from .evidence import (
    ErrorCount,
    ErrorPatterns,
    Evidence,
    IndependentCounts,
    PairedConfusion,
    PairedTable,
    StratifiedCount,
    expect,
)
from .evidence.validation import as_threshold
from .methods import Method, check_options, find_method
from .methods.assumptions import Given, examine, trust
from .methods.error_patterns import square, tie_groups, winner_optimism
from .methods.multiplicity import adjust as adjusted_pvalues
from .results import Check, Comparison, Estimate, Interval, Ranking, Significance
from .types import Alternative, FloatArray, Hypothesis, Side, as_alpha, one_of, open_unit

__all__ = ["compare", "estimate"]

# How the p-values of several classifiers pay for their number.
Adjust = Literal[
    "max-t", "holm", "hochberg", "hommel", "benjamini-hochberg", "benjamini-yekutieli", "bonferroni", "none"
]

# What no figure can show, told in the words' last sentence.
_SCOPE = (
    "This speaks of this classifier on examples drawn independently, like those tested;"
    " it says nothing about training it again."
)
_POOL_SCOPE = (
    "This speaks of this classifier on the examples of the pool, of which those tested were drawn at random;"
    " it says nothing about training it again."
)
_STRATA_SCOPE = (
    "This speaks of this classifier on a population with these shares, each stratum's examples drawn independently from"
    " it; it says nothing about training it again."
)
_PAIR_SCOPE = (
    "This speaks of these two classifiers on examples drawn independently, like those tested; it says nothing about"
    " training them again (question 8: learners on little data, which resampling answers)."
)
_BALANCE_SCOPE = (
    "This compares how often the two say the same thing, not how often they are right: errors of both kinds that"
    " balance go unseen, however many they are."
)
_SEVERAL_SCOPE = _PAIR_SCOPE.replace("these two", "these")


def estimate(
    evidence: Evidence,
    *,
    method: str | None = None,
    level: float | None = None,
    alpha: float | None = None,
    side: Side = "two",
    **options: Any,
) -> Estimate:
    """Tell how large the true error is, and how sure we are.

    Parameters
    ----------
    evidence
        What was observed: an `ErrorCount` or a `StratifiedCount`; one entry, or an array of them.
    method
        The interval's name; advice picks one if left out. `find_methods` lists them.
    level, alpha
        Confidence level, or the error probability 1 − level; 0.95 if neither is given.
    side
        "two", "upper" (an upper bound) or "lower".
    options
        What the method takes besides: `prior=`, `pool=`, `raw=` and the like.

    Examples
    --------
    >>> answer = estimate(ErrorCount(3, 120))
    >>> answer.method, round(answer.estimate, 4), round(answer.interval.low, 4), round(answer.interval.high, 4)
    ('jeffreys', np.float64(0.025), np.float64(0.0071), np.float64(0.0652))
    >>> round(estimate(ErrorCount(0, 59), side="upper", method="clopper-pearson").interval.high, 4)
    np.float64(0.0495)
    """
    evidence = expect(ErrorCount, evidence, StratifiedCount)
    tail = as_alpha(level, alpha)
    bounds = choose_interval(evidence, method, options)
    check_options(options, bounds)
    interval = _interval(bounds, evidence, tail, level, side, options)
    return Estimate(
        method=bounds.name,
        evidence=evidence,
        estimate=evidence.rate,
        interval=interval,
        checks=(*_trust(bounds, evidence), *examine(bounds.assumes, evidence, Given(interval=interval))),
        told=_told(bounds, options),
        scope=_scope(bounds, evidence),
    )


@overload
def compare(evidence: ErrorPatterns, **options: Any) -> Comparison | Ranking: ...  # two of them are a pair
@overload
def compare(evidence: Evidence, **options: Any) -> Comparison: ...
def compare(
    evidence: Evidence,
    *,
    against: float | FloatArray | None = None,
    method: str | None = None,
    interval: str | None = None,
    level: float | None = None,
    alpha: float | None = None,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    hypothesis: Hypothesis | None = None,
    adjust: Adjust | None = None,
    looks: int = 0,
    **options: Any,
) -> Comparison | Ranking:
    """Tell whether B is really better than A, by how much, and how sure we are.

    Parameters
    ----------
    evidence
        What was observed: a `PairedTable` (two classifiers, one test set), `IndependentCounts` (two
        test sets), `ErrorPatterns` (several classifiers) or an `ErrorCount` with a threshold; one
        entry, or an array of them. `Predictions` are counted first, and what was left out is in the result.
    against
        The threshold for an `ErrorCount`, an error rate strictly between 0 and 1.
    method
        The test's name (or an interval's); advice picks one if left out. `find_methods` lists them.
    interval
        The name of the interval to show beside it; the test's partner, or the default.
    level, alpha
        The test rejects where its p-value is below alpha, or 1 − level; 0.05 if neither is given.
    alternative
        "two-sided", "greater" (error(A) exceeds error(B): B is better) or "less".
    margin
        A difference of error rates that would not matter, such as 0.01 for one point.
    hypothesis
        What is to be shown of a margin: "non-inferior" (B is at most that much worse; the default),
        "superior" (B is better by more) or "equivalent". One-sided at alpha; the interval shown is
        the one that decides, at 1 − 2·alpha.
    adjust
        For several classifiers, how p-values pay for their number: "max-t" (the default), "holm",
        "hochberg", "hommel", "benjamini-hochberg", "benjamini-yekutieli", "bonferroni" or "none". For an
        array of tables, such as one a group, all but "max-t"; "none" is the default there.
    looks
        How often this test set was looked at before; it is reported.
    options
        What test and interval take besides.

    Examples
    --------
    >>> table = PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)
    >>> answer = compare(table)
    >>> answer.better, round(answer.pvalue, 4), round(answer.interval.low, 3), round(answer.interval.high, 3)
    ('B', np.float64(0.0113), np.float64(0.036), np.float64(0.263))
    >>> compare(table, margin=0.01).rejected
    np.True_
    >>> compare(ErrorCount(3, 240), against=0.05, alternative="less").better
    'A'
    """
    if hasattr(evidence, "tally"):  # predictions fold themselves, and say what was left out
        tally = evidence.tally()
        folded = tally.paired_table() if len(tally.models) == 2 else tally.error_patterns()
        keywords: dict[str, Any] = {
            "method": method,
            "interval": interval,
            "level": level,
            "alpha": alpha,
            "alternative": alternative,
        }
        keywords |= {"margin": margin, "hypothesis": hypothesis, "adjust": adjust, "looks": looks, "against": against}
        answer: Comparison | Ranking = compare(folded, **keywords, **options)
        return replace(answer, excluded=tally.reasons)
    if isinstance(evidence, PairedConfusion):
        evidence = evidence.paired_table()
    if isinstance(evidence, ErrorPatterns) and len(evidence.models) == 2:
        evidence = evidence.pair(*evidence.models)
    if against is not None and not isinstance(evidence, Evidence):
        expect(ErrorCount, evidence)
    evidence = expect(PairedTable, evidence, IndependentCounts, ErrorPatterns, ErrorCount)
    one_of("alternative", alternative, Alternative)
    given = {"against": against, "margin": margin, "hypothesis": hypothesis, "adjust": adjust, "looks": looks or None}
    _refuse_others(evidence, {name for name, value in given.items() if value is not None}, options)
    if isinstance(looks, bool) or not (isinstance(looks, int | np.integer) and looks >= 0):
        raise InvalidOption(f"looks must be a whole number, 0 or more, but is {looks!r}.")
    asked = _Asked(as_alpha(level, alpha), level, alternative, method, interval, options)
    if isinstance(evidence, ErrorCount):
        return _against_threshold(evidence, against, asked)
    if isinstance(evidence, ErrorPatterns):
        return _several(evidence, adjust, asked, int(looks))
    if margin is not None:
        return _paid(_with_margin(evidence, margin, hypothesis or "non-inferior", asked, int(looks)), adjust)
    if hypothesis is not None and one_of("hypothesis", hypothesis, Hypothesis) != "different":
        raise InvalidOption(f"hypothesis={hypothesis!r} needs a margin, such as margin=0.01 for one point.")
    return _paid(_pair(evidence, asked, int(looks)), adjust)


# What only some evidence takes, and what to say to the rest.
_ONLY = {
    ErrorCount: {
        name: f"{name} is for two classifiers, but this is one error count and a threshold."
        for name in ("margin", "hypothesis", "adjust", "looks")
    },
    ErrorPatterns: {
        "against": "against is a threshold for one ErrorCount; several classifiers are compared with each other.",
        "margin": "margin is for two classifiers. Take them out of the patterns by pair(a, b).",
        "hypothesis": "hypothesis is for two classifiers. Take them out of the patterns by pair(a, b).",
    },
}
_ONLY[PairedTable] = _ONLY[IndependentCounts] = {
    "against": "against is a threshold for one ErrorCount. For two classifiers write margin= instead.",
    "adjust": "adjust is for several comparisons; two classifiers on one test set are one.",
}


def _refuse_others(evidence: Evidence, given: set[str], options: dict[str, Any]) -> None:
    """Refuse what this evidence does not take: nothing that was asked for is passed over in silence."""
    for name, trouble in _ONLY[type(evidence)].items():
        if name in given and not (name == "adjust" and evidence.shape):
            raise InvalidOption(trouble)
    if "side" in options:
        raise InvalidOption(
            "side is no option of compare. Write alternative='less' for an upper bound, 'greater' for a lower."
        )


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the caller of `compare` wants, whatever the evidence is."""

    alpha: float
    level: float | None
    alternative: Alternative
    method: str | None
    interval: str | None
    options: dict[str, Any]

    @property
    def side(self) -> Side:
        """The side of the interval that goes with the alternative."""
        return {"two-sided": "two", "less": "upper", "greater": "lower"}[self.alternative]  # type: ignore[return-value]


def _against_threshold(count: ErrorCount, against: Any, asked: _Asked) -> Comparison:
    if against is None:
        raise InvalidOption("against is needed to compare one error count: the threshold, such as against=0.05.")
    threshold, options = as_threshold(against, count), asked.options
    test = choose_test(count, asked.method, options)
    named = (test.partner or test.name) if asked.interval is None else asked.interval
    bounds = choose_interval(count, named, options)
    check_options(options, test, bounds)
    limits = _interval(bounds, count, asked.alpha, asked.level, asked.side, options)
    significance: Significance = test(count, against=threshold, alternative=asked.alternative, **_of(test, options))
    given = Given(interval=limits, against=threshold, alpha=asked.alpha, alternative=asked.alternative)
    return Comparison(
        method=test.name,
        evidence=count,
        difference=count.rate - threshold,
        interval=limits,
        significance=significance,
        alpha=asked.alpha,
        alternative=asked.alternative,
        against=threshold,
        checks=_checks(test, bounds, count, given),
        told=_told(test, options),
        measures=test.statistic,
        scope=_scope(test, count),
    )


def _pair(evidence: Any, asked: _Asked, looks: int) -> Comparison:
    test, bounds = choose_pair(evidence, asked.method, asked.interval)
    check_options(asked.options, test, bounds)
    limits = _interval(bounds, evidence, asked.alpha, asked.level, asked.side, asked.options)
    own = {"alpha": asked.alpha} if "alpha" in test.options else {}
    significance: Significance = test(evidence, alternative=asked.alternative, **own, **_of(test, asked.options))
    given = Given(interval=limits, against=0.0, alpha=asked.alpha, alternative=asked.alternative)
    return _compared(evidence, test, bounds, significance, given, asked.options, looks=looks)


def _compared(
    evidence: Any,
    test: Method,
    bounds: Method,
    significance: Significance,
    given: Given,
    options: dict[str, Any],
    **more: Any,
) -> Comparison:
    """Put the answer about two classifiers together; `more` are further fields of it."""
    facts = {
        "method": test.name,
        "evidence": evidence,
        "difference": evidence.difference,
        "interval": given.interval,
        "significance": significance,
        "alpha": given.alpha,
        "alternative": given.alternative,
        "checks": _checks(test, bounds, evidence, given),
        "told": _told(test, options),
        "interval_told": _told(bounds, options) if bounds.name != test.name else "",
        "measures": test.statistic,
        "scope": _PAIR_SCOPE if getattr(evidence, "event", "wrong") == "wrong" else _BALANCE_SCOPE,
    }
    return Comparison(**facts | more)


def _as_margin(margin: float, hypothesis: Hypothesis, asked: _Asked) -> float:
    """Return the margin, or say what does not go with one."""
    if one_of("hypothesis", hypothesis, Hypothesis) == "different":
        raise InvalidOption("hypothesis='different' takes no margin. Write 'non-inferior', 'superior' or 'equivalent'.")
    if asked.alternative != "two-sided":
        raise InvalidOption("alternative is told by the hypothesis where there is a margin. Leave it out.")
    if asked.alpha >= 0.5:
        raise InvalidOption(
            f"alpha must be below 0.5 with a margin (its interval has 1 - 2 alpha), but is {asked.alpha}."
        )
    return open_unit("margin", margin, "For one point write 0.01.")


def _with_margin(evidence: Any, margin: float, hypothesis: Hypothesis, asked: _Asked, looks: int) -> Comparison:
    """Test against the margin, one-sided; the interval at 1 − 2·alpha decides alike."""
    size = _as_margin(margin, hypothesis, asked)
    test, bounds = choose_pair(evidence, asked.method, asked.interval, margin=True)
    check_options(asked.options, test, bounds)
    limits = _interval(bounds, evidence, 2 * asked.alpha, None, "two", asked.options)

    def one_sided(border: float, alternative: Alternative) -> Significance:
        found: Significance = test(evidence, against=border, alternative=alternative, **_of(test, asked.options))
        return found

    if hypothesis == "equivalent":  # both one-sided tests have to reject: the larger p-value counts
        above, below = one_sided(-size, "greater"), one_sided(size, "less")
        upper = below.pvalue > above.pvalue
        significance = Significance(
            statistic=np.where(upper, below.statistic, above.statistic)[()],
            pvalue=np.maximum(above.pvalue, below.pvalue),
        )
    else:
        significance = one_sided(-size if hypothesis == "non-inferior" else size, "greater")
    given = Given(interval=limits, against=size, alpha=asked.alpha, alternative="greater")
    asked_side = {"alternative": "two-sided"} if hypothesis == "equivalent" else {}
    facts = {"hypothesis": hypothesis, "margin": size, "looks": looks, **asked_side}
    return _compared(evidence, test, bounds, significance, given, asked.options, **facts)


def _paid(answers: Comparison, adjustment: Adjust | None) -> Comparison:
    """Let the p-values of many comparisons pay for their number."""
    if adjustment is None or one_of("adjust", adjustment, Adjust) == "none":
        return answers
    if adjustment == "max-t":
        raise InvalidOption(
            "adjust='max-t' resamples several classifiers on one test set. Take 'holm' for many tables."
        )
    _has_pvalues(answers)
    adjusted = adjusted_pvalues(answers.pvalue.ravel(), adjustment).reshape(answers.shape)
    return replace(answers, adjusted=adjusted, adjustment=f"{adjustment} over {adjusted.size} comparisons")


def _has_pvalues(answers: Comparison) -> None:
    if np.any(np.isnan(answers.pvalue)):
        raise InvalidOption(f"method {answers.method!r} is a rule without p-values: nothing pays for their number.")


def _several(patterns: ErrorPatterns, adjustment: Adjust | None, asked: _Asked, looks: int) -> Ranking:
    """Compare every two classifiers, let the p-values pay for their number, and say who is tied with the best."""
    if patterns.shape:
        raise InvalidOption(f"compare ranks one table of patterns, but this has shape {patterns.shape}. Go one by one.")
    if asked.alternative != "two-sided":
        raise InvalidOption("alternative is for two classifiers: among several, who is A is a matter of their order.")
    if asked.method == "max-t":
        if adjustment not in {None, "max-t"}:
            raise InvalidOption(f"method='max-t' and adjust={adjustment!r} contradict each other. Give one of them.")
        asked, adjustment = replace(asked, method=None), "max-t"
    if asked.method == "cochran-q":
        raise InvalidOption("method 'cochran-q' tells no two apart; every ranking has it as `omnibus`. Leave it out.")
    name = one_of("adjust", adjustment or "max-t", Adjust)
    simultaneous = find_method("max-t", "pairs", ErrorPatterns)
    drawn = _of(simultaneous, asked.options)
    others = {option: value for option, value in asked.options.items() if option not in drawn}
    pairs = _pair(patterns.tables(), replace(asked, options=others), looks)
    _has_pvalues(pairs)
    if name == "max-t":
        found = simultaneous(patterns, alpha=asked.alpha, alternative=asked.alternative, **drawn)
        adjusted = np.maximum(found.pvalue, pairs.pvalue)  # another test's: never more certain than the pair alone
        if asked.interval is None:  # limits that all hold at once
            pairs = replace(pairs, interval=found.interval)
    else:
        adjusted = adjusted_pvalues(pairs.pvalue, name)
    omnibus = find_method("cochran-q", "test", ErrorPatterns)
    given = Given(interval=pairs.interval, alpha=asked.alpha, alternative=asked.alternative)
    assumed = (*omnibus.assumes, *(simultaneous.assumes if name == "max-t" else ()))
    apart = square(adjusted < asked.alpha, len(patterns.models))
    return Ranking(
        method=pairs.method,
        adjustment=name,
        evidence=patterns,
        pairs=pairs,
        adjusted=adjusted,
        groups=tie_groups(patterns.models, patterns.rates, apart),
        optimism=winner_optimism(patterns, **drawn),
        omnibus=omnibus(patterns),
        alpha=asked.alpha,
        checks=(*pairs.checks, *examine(assumed, patterns, given)),
        told=pairs.told,
        scope=_SEVERAL_SCOPE,
        looks=looks,
    )


def _checks(test: Method, bounds: Method, evidence: Evidence, given: Given) -> tuple[Check, ...]:
    """Examine what test and interval assume, each assumption once."""
    both = (test,) if test.name == bounds.name else (test, bounds)
    assumed = tuple(assumption for each in both for assumption in each.assumes)
    return (*(check for each in both for check in _trust(each, evidence)), *examine(assumed, evidence, given))


def _interval(
    bounds: Method, evidence: Evidence, alpha: float, level: float | None, side: Side, options: dict[str, Any]
) -> Interval:
    interval: Interval = bounds(evidence, alpha=alpha, side=side, **_of(bounds, options))
    # A level below one half is not 1 − (1 − level) to the last digit: keep the one that was given.
    return interval if level is None else replace(interval, level=float(level))


def _of(method: Method, options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name in method.options}


def _told(method: Method, options: dict[str, Any]) -> str:
    """Return what a result has to say of its method: the prior, and that a heuristic is one."""
    told = method.told if isinstance(method.told, str) else method.told(**options)
    heuristic = f"heuristic ({method.because})" if method.standing == "heuristic" else ""
    return "; ".join(part for part in (told, heuristic) if part)


def _scope(method: Method, evidence: Evidence) -> str:
    if isinstance(evidence, StratifiedCount):
        return _STRATA_SCOPE
    return _POOL_SCOPE if "pool" in method.options else _SCOPE


def _trust(method: Method, evidence: Evidence) -> tuple[Check, ...]:
    return trust(method.name, method.standing, method.because, evidence)
