"""What a comparison says, clause by clause: who is better, by how much, how sure we are, and on what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..evidence import Evidence
from ..rendering import percent, plain_number, points, pvalue_text
from .narrate import is_over_data_sets
from .wording import difference_name, p_text, summarize

if TYPE_CHECKING:
    from .comparison import Comparison

# The value of an interval's parameter that means "no difference".
_NULL = {"difference": 0.0, "reduction": 0.0, "odds": 1.0, "ratio": 1.0}


# --- What is compared -----------------------------------------------------------------------------------


def names_of(answer: Comparison) -> tuple[str, str]:
    """Return what A and B are called."""
    a, b = answer.evidence.models
    return a, b


def seen(answer: Comparison, joint: str = " with ") -> str:
    """Say on what this rests: so many examples and disagreements, or so many splits."""
    return summarize(answer.evidence, answer.note("effective_size", np.nan), joint)


def event_verb(answer: Comparison, *, past: bool = False) -> str:
    """Say what is counted of each: that it errs, or that it is what two raters say."""
    event = answer.evidence.event
    if event == "wrong":
        return "erred" if past else "errs"
    return f"{'was' if past else 'is'} {event}"


# --- Who is better --------------------------------------------------------------------------------------


def verdict(answer: Comparison) -> str:
    """Say who is better, or that the two are not told apart, or whether what was hoped for is shown."""
    if answer.hypothesis.kind != "different":
        return f"{claim_of(answer)}: {'shown' if answer.rejected else 'not shown'} {bar_of(answer)}"
    result, objection = finding(answer)
    return f"{result} {bar_of(answer)}{objection}"


def bar_of(answer: Comparison) -> str:
    """Name the bar that decides; a rule without a p-value has its own, not alpha."""
    ruled = len(answer.evidence.models) > 1 and np.isnan(answer.pvalue) and not np.isnan(answer.difference)
    return f"by the rule {answer.method}" if ruled else f"at alpha = {answer.alpha:.6g}"


def finding(answer: Comparison, *, past: bool = False) -> tuple[str, str]:
    """Say what was found of a difference, and what speaks against it; in the past for a paper."""
    a, b = names_of(answer)
    is_, are, differ = ("was", "were", "differed") if past else ("is", "are", "differ")
    metric, event = _named_metric(answer.evidence), answer.evidence.event
    if not answer.rejected and answer.alternative != "two-sided" and event == "wrong":
        hoped, other = (b, a) if answer.alternative == "greater" else (a, b)
        better = f"have a better {metric}" if metric else "be better"
        return f"{hoped} {is_} not shown to {better} than {other}", ""
    if not answer.rejected:
        return f"{a} and {b} {are} not told apart{f' by {metric}' * bool(metric)}", ""
    if answer.better is None:
        return f"{a} and {b} {differ} in how often they {are} {event}", ""
    winner, loser = (a, b) if answer.better == "A" else (b, a)
    called, objection = f"{is_} better than", ""
    if answer.only_chooses:
        called = f"{is_} chosen over"
    elif (answer.difference > 0) == (answer.better == "A"):  # the one difference that a test puts on top may be odd
        called, objection = f"{is_} called better than", ", against the mean of all differences"
    elif metric:
        called = f"{'had' if past else 'has'} a better {metric} than"
    return f"{winner} {called} {loser}", objection


def _named_metric(evidence: Evidence) -> str:
    """Name the metric that two are compared by, where better by one need not be better by another."""
    return "" if evidence.metric.is_rate or evidence.subject == "model" else evidence.metric.title


def claim_of(answer: Comparison, point: str = "point") -> str:
    """Say what is to be shown of a margin, in points of this name."""
    a, b = names_of(answer)
    event, size = answer.evidence.event, margin_text(answer, point)
    claims = {
        "non-inferior": f"{b} is at most {size} worse than {a}",
        "superior": f"{b} is better than {a} by more than {size}",
        "equivalent": f"{a} and {b} differ by at most {size}",
    }
    if event != "wrong":
        claims = {
            "non-inferior": f"{b} is {event} at most {size} more often than {a}",
            "superior": f"{a} is {event} more than {size} more often than {b}",
            "equivalent": f"{a} and {b} differ by at most {size} in how often they are {event}",
        }
    return claims[answer.hypothesis.kind]


def margin_text(answer: Comparison, point: str = "point") -> str:
    """Write the margin, in points of this name, or in units of the metric."""
    metric = answer.evidence.metric
    if not metric.is_rate:
        return f"{answer.margin:.6g} ({metric.name})"
    return f"{100 * answer.margin:.6g} {point}{'s' * (answer.margin != 0.01)}"


# --- By how much ----------------------------------------------------------------------------------------


def by_how_much(answer: Comparison) -> str:
    """Say who errs more often, by how much, and between which limits that lies."""
    interval = answer.interval
    note = f": {interval.note}" if interval.note else ""
    what = parameter_text(answer)
    return f"{_claim(answer, spread_of(answer))}; {what}: {limits_of(answer)} ({interval.kind_text()}{note})"


def parameter_text(answer: Comparison, *, past: bool = False) -> str:
    """Say what the interval is of."""
    a, b = names_of(answer)
    metric = answer.evidence.metric.name
    return {
        "difference": difference_name(answer.evidence, a, b) if answer.evidence.event == "wrong" else f"{a} − {b}",
        "odds": f"lone errors of {a} for each of {b}",
        "reduction": f"{'the ' * past}share of {a}'s errors that {b} {'avoided' if past else 'avoids'}",
        "ratio": f"{metric}({b}) / {metric}({a})",
    }[answer.interval.parameter]


def _claim(answer: Comparison, spread: float) -> str:
    """Say who errs more often, and how often each does."""
    if is_over_data_sets(answer.evidence):
        from .data_set_clauses import typical_text

        return typical_text(answer, spread)
    averaged = answer.evidence.averaging if answer.test.estimate is not None else ""
    levels = levels_of(answer)
    if not answer.evidence.metric.is_rate:
        return averaged + level_claim(answer.evidence, spread, levels)
    names, event = names_of(answer), answer.evidence.event
    if answer.difference < 0:
        names, levels = names[::-1], levels[::-1]
    (more, less), size = names, abs(float(answer.difference))
    if not size:
        verb = "err" if event == "wrong" else f"are {event}"
        return f"{more} and {less} {verb} equally often ({percent(levels[0], spread)})"
    values = " against ".join(percent(level, spread) for level in levels)
    return f"{averaged}{more} {event_verb(answer)} {points(size, spread)} more often than {less} ({values})"


def level_claim(evidence: Evidence, spread: float, levels: tuple[float, float]) -> str:
    """Say whose figure is above whose, and which way is better where that is not up.

    Examples
    --------
    >>> from tellapart import PairedConfusion
    >>> both = PairedConfusion.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1], models=("old", "new"))
    >>> rate = both.by("false-positive-rate")
    >>> level_claim(rate, 0.5, tuple(rate.levels))
    'the false positive rate (1) of old is 0.50 above that of new (0.50 against 0.00; lower is better)'
    """
    title, reasons = evidence.metric.title, evidence.reasons_undefined
    if reasons:
        whose = "" if len(reasons) == 2 else f" of {next(iter(reasons))}"
        return f"the {title}{whose} is not defined: {' and '.join(dict.fromkeys(reasons.values()))}"
    figures, down = dict(zip(evidence.models, levels, strict=True)), lower_text(evidence, "; ")
    more, less = sorted(figures, key=figures.__getitem__, reverse=True)
    size = figures[more] - figures[less]
    if size <= 1e-13 * max(map(abs, levels)):  # which is rounding
        return f"{' and '.join(figures)} have the same {title} ({plain_number(figures[more], spread)}{down})"
    values = " against ".join(plain_number(figures[name], spread) for name in (more, less))
    return f"the {title} of {more} is {plain_number(size, spread)} above that of {less} ({values}{down})"


def lower_text(evidence: Evidence, before: str = "") -> str:
    """Say that lower is better, where it is."""
    return "" if evidence.metric.higher_is_better else f"{before}lower is better"


def levels_of(answer: Comparison) -> tuple[float, float]:
    """Return the figures of A and B as they are told, averaged as the test averages them."""
    evidence = answer.evidence
    a, b = (evidence.levels if answer.test.estimate is None else evidence.estimated_levels).tolist()
    return a, b


def limits_of(answer: Comparison) -> str:
    """Write the interval's limits, told apart from where its verdict changes."""
    spread = answer.interval.spread(float(answer.difference)) if answer.interval.parameter == "difference" else None
    return answer.interval.limits_text(apart_from=_borders(answer)[0], spread=spread)


def spread_of(answer: Comparison) -> float:
    """Return the width by which the digits of a difference are chosen."""
    difference = float(answer.difference)
    return answer.interval.spread(difference) if answer.interval.parameter == "difference" else abs(difference)


# --- How sure -------------------------------------------------------------------------------------------


def how_sure(answer: Comparison) -> str:
    """Give the p-value (the posterior probability, the adjusted p-value, or the rule), and what it is of."""
    pvalue, test = float(answer.pvalue), answer.test
    by = f"{answer.method}, {question_of(answer)}{f', {test.note}' if test.note else ''})"
    if np.isnan(pvalue) and np.isnan(answer.difference):
        return f"no p-value ({by}"
    if np.isnan(pvalue):
        decides = f"it {'calls' if answer.rejected else 'does not call'} them different"
        if answer.only_chooses:
            a, b = names_of(answer)
            decides = f"it chooses {({'A': a, 'B': b, None: 'neither'})[answer.better]}"
        return f"no p-value: {answer.method} is a rule, and {decides} ({test.note})"
    alone = p_text(pvalue, answer.alpha, answer.simulated)
    if is_probability(answer):
        if is_over_data_sets(answer.evidence) and answer.practical is not None:
            from .data_set_clauses import leading_text

            return f"{leading_text(answer.practical, *names_of(answer))}; {alone} ({by}"
        chance = pvalue_text(float(answer.statistic)) if answer.statistic else "0"
        return f"{test.statistic_name} = {chance}; {alone} ({by}"
    if answer.adjusted is not None:
        adjusted = p_text(float(answer.adjusted), answer.alpha, answer.adjusted_simulated)
        return f"{adjusted} adjusted by {answer.adjustment} ({alone} by itself; {by}"
    silence = _silence(answer)
    return f"{alone} ({by}{f': {silence}' if silence else ''}"


def is_probability(answer: Comparison) -> bool:
    """Whether the statistic is the posterior probability that one is better."""
    return answer.test.statistic_name.startswith("P(")


def _silence(answer: Comparison) -> str:
    """Say why a p-value of 1 says nothing, where it is one of a difference."""
    if answer.hypothesis.kind != "different":
        return ""
    if np.isinf(answer.statistic) and answer.pvalue == 1:  # a t test whose differences are all the same
        return "nothing shows how far this difference is to be trusted"
    return "nothing speaks for either" if answer.difference == 0 else ""


def what_p_means(answer: Comparison) -> str:
    """Say how often chance alone would show as much; nothing where the p-value is no such share."""
    no_share = answer.test.forbidden or np.isnan(answer.pvalue) or is_probability(answer) or answer.adjusted is not None
    if no_share or answer.hypothesis.kind != "different" or _silence(answer):
        return ""
    event = answer.evidence.event
    equal = f"{'erred' if event == 'wrong' else f'were {event}'} equally often"
    equal = equal if answer.evidence.metric.is_rate else "were equal"
    replication = answer.evidence.unit.replication
    share = _share(float(answer.pvalue), "such benchmark" if replication == "benchmark" else replication)
    if answer.simulated is not None and answer.simulated.bounds(answer.pvalue):
        share = f"fewer than {share}"
    if answer.test.statistic_name == "e-value":  # what 1/E bounds, at whichever look
        return f"if they {equal}, at most {share} would ever show as much" if answer.pvalue < 0.995 else ""
    as_much = "as large a difference" if answer.alternative == "two-sided" else "this or more"
    return f"if they {equal}, {share} would show {as_much}"


def question_of(answer: Comparison) -> str:
    """Say which way the test looks."""
    kind, alternative = answer.hypothesis.kind, answer.alternative
    if kind != "different":
        return "one-sided" if kind != "equivalent" else "two one-sided tests"
    if len(answer.evidence.models) == 1:
        return {"two-sided": "two-sided", "greater": "is it above?", "less": "is it below?"}[alternative]
    a, b = names_of(answer)
    return {"two-sided": "two-sided", "greater": f"is {b} better?", "less": f"is {a} better?"}[alternative]


def lottery_text(answer: Comparison, pvalues: np.ndarray) -> str:
    """Say how much the p-value owes to the seed of the splits."""
    low, middle, high = np.quantile(pvalues, (0.0, 0.5, 1.0), method="inverted_cdf").tolist()
    below = int(np.count_nonzero(pvalues < answer.alpha))
    least, half, most = (pvalue_text(value, answer.alpha) for value in (low, middle, high))
    return (
        f"over {pvalues.size} other seeds of the splits p runs from {least} to {most}, half of them at"
        f" most {half}; {below} below {answer.alpha:.6g}"
    )


def _share(pvalue: float, what: str) -> str:
    """Write a probability as a share of test sets (or races), which people can picture."""
    if pvalue >= 0.995:
        return f"nearly all {what}s"
    if pvalue >= 0.01:
        return f"{100 * pvalue:.2g} % of {what}s"
    return f"1 {what} in {float(f'{1 / pvalue:.2g}'):.0f}" if pvalue > 1e-9 else f"next to no {what}"


def contradiction(answer: Comparison) -> str:
    """Say who decides where test and interval fall apart; a rule that chooses always does."""
    if answer.only_chooses:
        return ""
    borders, interval, kind = _borders(answer), answer.interval, answer.hypothesis.kind
    if kind == "different":
        decided = not interval.contains(borders[0])
    else:
        decided = bool(interval.low > borders[0]) and (kind != "equivalent" or bool(interval.high < borders[-1]))
    if is_over_data_sets(answer.evidence) and {float(interval.low), float(interval.high)} & set(borders):
        return ""  # ranks jump where a difference is met exactly: an end may itself be rejected
    alone = bool(answer.test.rejected(answer.alpha))
    if answer.adjusted is not None and alone != bool(answer.rejected):
        return "The interval is not adjusted for the number of comparisons."
    return "" if alone == decided else f"The interval ({interval.method}) would decide otherwise; the test decides."


def _borders(answer: Comparison) -> tuple[float, ...]:
    """Return the values of the interval's parameter at which its verdict changes."""
    if len(answer.evidence.models) == 1:
        return (float(answer.against),)
    margin = answer.margin
    return {
        "different": (_NULL[answer.interval.parameter],),
        "non-inferior": (-margin,),
        "superior": (margin,),
        "equivalent": (-margin, margin),
    }[answer.hypothesis.kind]


# --- One model against a threshold ----------------------------------------------------------------------


def side_of(answer: Comparison) -> str:
    """Say where the error lies beside the threshold, as far as that is shown."""
    if answer.better is not None:
        return "below" if answer.better == "A" else "above"
    shown = {"two-sided": "told apart from", "less": "shown to be below", "greater": "shown to be above"}
    return f"not {shown[answer.alternative]}"


def rate_of(answer: Comparison) -> str:
    """Write the error rate that is held against the threshold."""
    threshold, width = float(answer.against), float(answer.interval.width)
    write = percent if answer.evidence.metric.is_rate else plain_number
    return write(float(answer.difference + threshold), width, threshold)


def threshold_text(answer: Comparison) -> str:
    """Write the threshold."""
    threshold = float(answer.against)
    return f"{100 * threshold:.6g} %" if answer.evidence.metric.is_rate else f"{threshold:.6g}"
