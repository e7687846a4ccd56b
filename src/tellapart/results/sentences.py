"""What a comparison says, clause by clause: who is better, by how much, how sure we are, and on what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..evidence import ErrorCount, Evidence, Outcomes
from ..rendering import level_text, percent, points, pvalue_text
from . import scored
from .data_set_clauses import leading_text, over_data_sets, typical_text, wins_text
from .telling import p_text

if TYPE_CHECKING:
    from .comparison import Comparison

# What an interval is of, and the value that means "no difference".
_NULL = {"difference": 0.0, "reduction": 0.0, "odds": 1.0, "ratio": 1.0}


# --- What is compared ---------------------------------------------------------------------------------


def names_of(told: Comparison) -> tuple[str, str]:
    """Return what A and B are called."""
    a, b = told.evidence.models
    return a, b


def event_of(told: Comparison) -> str:
    """Return what is counted: how often each is "wrong", or says "positive"."""
    return told.evidence.event


def metric_of(told: Comparison) -> str:
    """Return what the difference is of: the error rate, or another metric."""
    return told.evidence.metric.name


def only_chooses(told: Comparison) -> bool:
    """Whether the method is a rule that chooses one of the two, without a p-value."""
    return told.significance.chooses is not None and bool(np.isnan(told.pvalue).all())


def seen(told: Comparison, also: str = " with ") -> str:
    """Say on what this rests: so many examples and disagreements, or so many splits."""
    if np.isfinite(told.worth):
        return scored.seen(told.evidence, told.worth)
    return told.evidence.summarize(also)


def _of_learners(told: Comparison) -> bool:
    """Whether this is about learners, which are trained anew, and not about classifiers."""
    return told.evidence.subject == "learner"


# --- Who is better ------------------------------------------------------------------------------------


def verdict(told: Comparison) -> str:
    """Say who is better, or that the two are not told apart, or whether what was hoped for is shown."""
    if told.hypothesis != "different":
        return f"{claim_of(told)}: {'shown' if told.rejected else 'not shown'} {bar_of(told)}"
    found, against = finding(told)
    return f"{found} {bar_of(told)}{against}"


def bar_of(told: Comparison) -> str:
    """Name the bar that decides; a rule without a p-value has its own, not alpha."""
    ruled = np.isnan(told.pvalue) and not np.isnan(told.difference)
    return f"by the rule {told.method}" if ruled else f"at alpha = {told.alpha:.6g}"


def finding(told: Comparison, *, past: bool = False) -> tuple[str, str]:
    """Say what was found of a difference, and what speaks against it; in the past for a paper."""
    a, b = names_of(told)
    is_, are, differ = ("was", "were", "differed") if past else ("is", "are", "differ")
    metric = _named_metric(told)
    if not told.rejected and told.alternative != "two-sided" and event_of(told) == "wrong":
        hoped, other = (b, a) if told.alternative == "greater" else (a, b)
        better = f"have a better {metric}" if metric else "be better"
        return f"{hoped} {is_} not shown to {better} than {other}", ""
    if not told.rejected:
        return f"{a} and {b} {are} not told apart{f' by {metric}' * bool(metric)}", ""
    if told.better is None:
        return f"{a} and {b} {differ} in how often they {are} {event_of(told)}", ""
    winner, loser = (a, b) if told.better == "A" else (b, a)
    called, against = f"{is_} better than", ""
    if only_chooses(told):
        called = f"{is_} chosen over"
    elif (told.difference > 0) == (told.better == "A"):  # the one difference that a test puts on top may be odd
        called, against = f"{is_} called better than", ", against the mean of all differences"
    elif metric:
        called = f"{'had' if past else 'has'} a better {metric} than"
    return f"{winner} {called} {loser}", against


def _named_metric(told: Comparison) -> str:
    """Name the metric that two are compared by, where better by one need not be better by another."""
    held = told.evidence
    return "" if held.metric.is_rate or held.subject == "model" else held.metric.title


def claim_of(told: Comparison, point: str = "point") -> str:
    """Say what is to be shown of a margin, in points of this name."""
    a, b = names_of(told)
    event, size = event_of(told), margin_text(told, point)
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
    return claims[told.hypothesis]


def margin_text(told: Comparison, point: str = "point") -> str:
    """Write the margin, in points of this name, or in units of the metric."""
    if metric_of(told) != "error":
        return f"{told.margin:.6g} ({metric_of(told)})"
    return f"{100 * told.margin:.6g} {point}{'s' * (told.margin != 0.01)}"


# --- By how much --------------------------------------------------------------------------------------


def by_how_much(told: Comparison) -> str:
    """Say who errs more often, by how much, and between which limits that lies."""
    a, b = names_of(told)
    interval = told.interval
    what = {
        "difference": scored.difference_name(told.evidence, a, b) if event_of(told) == "wrong" else f"{a} − {b}",
        "odds": f"lone errors of {a} for each of {b}",
        "reduction": f"share of {a}'s errors that {b} avoids",
        "ratio": f"{metric_of(told)}({b}) / {metric_of(told)}({a})",
    }[interval.parameter]
    more = f": {told.interval_told}" if told.interval_told else ""
    return f"{_claim(told, spread_of(told))}; {what}: {limits_of(told)} ({interval.kind_text()}{more})"


def _claim(told: Comparison, spread: float) -> str:
    """Say who errs more often, and how often each does."""
    if over_data_sets(told.evidence):
        wins = f"{wins_text(told.effects, *names_of(told))}; " if told.effects is not None else ""
        return f"{wins}{typical_text(told, spread)}"
    if metric_of(told) != "error":
        return _over_groups(told) + scored.claim(_averaged(told), spread, levels_of(told))
    names, rates, event = names_of(told), _rates(told), event_of(told)
    if told.difference < 0:
        names, rates = names[::-1], rates[::-1]
    (more, less), apart = names, abs(float(told.difference))
    err, errs = ("err", "errs") if event == "wrong" else (f"are {event}", f"is {event}")
    if not apart:
        return f"{more} and {less} {err} equally often ({percent(rates[0], spread)})"
    values = " against ".join(percent(rate, spread) for rate in rates)
    return f"{_over_groups(told)}{more} {errs} {points(apart, spread)} more often than {less} ({values})"


def _rates(told: Comparison) -> tuple[float, float]:
    if _of_learners(told):
        # A test that has an estimate of its own counts every example alike; over data sets each of them counts once.
        pooled = told.significance.estimate is not None and not over_data_sets(told.evidence)
        held: Any = told.evidence
        a, b = (held.pooled_losses if pooled else held.losses).tolist()
        return a, b
    a, b = _averaged(told).levels.tolist()
    return a, b


def levels_of(told: Comparison) -> tuple[float, float]:
    """Return the figures of A and B as they are told: error rates, mean scores, or another metric."""
    if _of_learners(told):
        a, b = told.evidence.metric.from_loss(np.array(_rates(told))).tolist()
        return a, b
    return _rates(told)


def _averaged(told: Comparison) -> Evidence:
    """Return the evidence, weighted as the test weighs it: one that has an estimate of its own averages groups."""
    held: Evidence = told.evidence
    if isinstance(held, Outcomes) and told.significance.estimate is not None:
        return scored.evenly(held)
    return held


def _over_groups(told: Comparison) -> str:
    alike = isinstance(told.evidence, Outcomes) and told.significance.estimate is not None
    return "on average over the groups, " if alike else ""


def limits_of(told: Comparison) -> str:
    """Write the interval's limits, told apart from where its verdict changes."""
    spread = told.interval.spread(float(told.difference)) if told.interval.parameter == "difference" else None
    return told.interval.limits_text(apart_from=_borders(told)[0], spread=spread)


def spread_of(told: Comparison) -> float:
    """Return the width by which the digits of a difference are chosen."""
    difference = float(told.difference)
    return told.interval.spread(difference) if told.interval.parameter == "difference" else abs(difference)


# --- How sure -----------------------------------------------------------------------------------------


def how_sure(told: Comparison) -> str:
    """Give the p-value (the posterior probability, the adjusted p-value, or the rule), and what it is of."""
    pvalue = float(told.pvalue)
    more = f", {told.told}" if told.told else ""
    by = f"({told.method}, {asked(told)}{more})"
    if np.isnan(pvalue) and np.isnan(told.difference):
        return f"no p-value {by}"
    if np.isnan(pvalue):
        decides = f"it {'calls' if told.rejected else 'does not call'} them different"
        if only_chooses(told):
            a, b = names_of(told)
            decides = f"it chooses {({'A': a, 'B': b, None: 'neither'})[told.better]}"
        return f"no p-value: {told.method} is a rule, and {decides} ({told.told})"
    alone = p_text(pvalue, told.alpha, told.simulated)
    if told.measures.startswith("P("):
        if over_data_sets(told.evidence) and told.practical is not None:
            return f"{leading_text(told.practical, *names_of(told))}; {alone} {by}"
        chance = pvalue_text(float(told.statistic)) if told.statistic else "0"
        return f"{told.measures} = {chance}; {alone} {by}"
    if told.adjusted is not None:
        paid = p_text(float(told.adjusted), told.alpha, told.adjusted_simulated)
        return f"{paid} adjusted by {told.adjustment} ({alone} by itself; {by[1:]}"
    silence = _silence(told)
    return f"{alone} {by}{f': {silence}' if silence else ''}"


def _silence(told: Comparison) -> str:
    """Say why a p-value of 1 says nothing, where it is one of a difference."""
    if told.hypothesis != "different":
        return ""
    if np.isinf(told.statistic) and told.pvalue == 1:  # a t test whose differences are all the same
        return "nothing shows how far this difference is to be trusted"
    return "nothing speaks for either" if told.difference == 0 else ""


def what_p_means(told: Comparison) -> str:
    """Say how often chance alone would show as much; nothing where the p-value is no such share."""
    other = told.forbidden or np.isnan(told.pvalue) or told.measures.startswith("P(") or told.adjusted is not None
    if other or told.hypothesis != "different" or _silence(told):
        return ""
    did = "erred" if event_of(told) == "wrong" else f"were {event_of(told)}"
    equal = f"{did} equally often" if metric_of(told) == "error" else "were equal"
    drawn = "such benchmark" if over_data_sets(told.evidence) else "race" if _of_learners(told) else "test set"
    share = _share(float(told.pvalue), drawn)
    if told.simulated is not None and told.simulated.bounds(told.pvalue):
        share = f"fewer than {share}"
    if told.measures == "e-value":  # what 1/E bounds, at whichever look
        return f"if they {equal}, at most {share} would ever show as much" if told.pvalue < 0.995 else ""
    as_much = "as large a difference" if told.alternative == "two-sided" else "this or more"
    return f"if they {equal}, {share} would show {as_much}"


def asked(told: Comparison) -> str:
    """Say which way the test looks."""
    if told.hypothesis != "different":
        return "one-sided" if told.hypothesis != "equivalent" else "two one-sided tests"
    if isinstance(told.evidence, ErrorCount):
        return {"two-sided": "two-sided", "greater": "is it above?", "less": "is it below?"}[told.alternative]
    a, b = names_of(told)
    return {"two-sided": "two-sided", "greater": f"is {b} better?", "less": f"is {a} better?"}[told.alternative]


def lottery_text(told: Comparison) -> str:
    """Say how much the p-value owes to the seed of the splits; nothing where that was not tried."""
    if told.lottery is None:
        return ""
    low, middle, high = np.quantile(told.lottery, (0.0, 0.5, 1.0), method="inverted_cdf").tolist()
    below = int(np.count_nonzero(told.lottery < told.alpha))
    least, half, most = (pvalue_text(value, told.alpha) for value in (low, middle, high))
    return (
        f"over {told.lottery.size} other seeds of the splits p runs from {least} to {most}, half of them at"
        f" most {half}; {below} below {told.alpha:.6g}"
    )


def _share(pvalue: float, what: str) -> str:
    """Write a probability as a share of test sets (or races), which people can picture."""
    if pvalue >= 0.995:
        return f"nearly all {what}s"
    if pvalue >= 0.01:
        return f"{100 * pvalue:.2g} % of {what}s"
    return f"1 {what} in {float(f'{1 / pvalue:.2g}'):.0f}" if pvalue > 1e-9 else f"next to no {what}"


# --- All together -------------------------------------------------------------------------------------


def over_all(told: Comparison) -> str:
    """Say of many comparisons how many came out."""
    called = int(np.count_nonzero(told.rejected))
    verb = f"are shown to be {told.hypothesis}"
    if told.hypothesis == "different":
        sided = {"two-sided": "differ", "greater": "have a better B", "less": "have a better A"}
        if isinstance(told.evidence, ErrorCount):
            sided = {"two-sided": "differ from", "greater": "are above", "less": "are below"}
            sided = {asked: f"{how} their threshold" for asked, how in sided.items()}
        verb = sided[told.alternative]
    rule = f"adjusted by {told.adjustment}" if told.adjustment else "each by itself"
    return f"{called} of {told.difference.size} {verb} ({told.method}, alpha = {told.alpha:.6g}, {rule})."


def contradiction(told: Comparison) -> str:
    """Say who decides where test and interval fall apart; a rule that chooses always does."""
    if only_chooses(told):
        return ""
    borders = _borders(told)
    if told.hypothesis == "different":
        decided = not told.interval.contains(borders[0])
    else:
        decided = bool(told.interval.low > borders[0])
        decided &= told.hypothesis != "equivalent" or bool(told.interval.high < borders[-1])
    if over_data_sets(told.evidence) and {float(told.interval.low), float(told.interval.high)} & set(borders):
        return ""  # ranks jump where a difference is met exactly: an end may itself be rejected
    alone = bool(told.significance.rejected(told.alpha))
    if told.adjusted is not None and alone != bool(told.rejected):
        return "The interval is not adjusted for the number of comparisons."
    if alone == decided:
        return ""
    return f"The interval ({told.interval.method}) would decide otherwise; the test decides."


def _borders(told: Comparison) -> tuple[float, ...]:
    """Return the values of the interval's parameter at which its verdict changes."""
    if isinstance(told.evidence, ErrorCount):
        return (float(told.against),)
    return {
        "different": (_NULL[told.interval.parameter],),
        "non-inferior": (-told.margin,),
        "superior": (told.margin,),
        "equivalent": (-told.margin, told.margin),
    }[told.hypothesis]


# --- One classifier against a threshold ---------------------------------------------------------------


def about_threshold(told: Comparison) -> str:
    """Say on which side of the threshold one classifier's error lies."""
    limit = "interval is" if told.interval.side == "two" else "bound is"
    whose = "" if told.interval.method == told.method else f" ({told.interval.method})"
    more = f", {told.told}" if told.told else ""
    return (
        f"The error of {rate_of(told)} ({told.evidence.describe()})"
        f" is {side_of(told)} {threshold_text(told)} at alpha = {told.alpha:.6g}"
        f" ({p_text(float(told.pvalue), told.alpha, told.simulated)}, {told.method}, {asked(told)}{more});"
        f" the {level_text(told.interval.alpha)} {limit} {limits_of(told)}{whose}."
    )


def side_of(told: Comparison) -> str:
    """Say where the error lies beside the threshold, as far as that is shown."""
    if told.better is not None:
        return "below" if told.better == "A" else "above"
    shown = {"two-sided": "told apart from", "less": "shown to be below", "greater": "shown to be above"}
    return f"not {shown[told.alternative]}"


def rate_of(told: Comparison) -> str:
    """Write the error rate that is held against the threshold."""
    return percent(float(told.difference + told.against), float(told.interval.width), float(told.against))


def threshold_text(told: Comparison) -> str:
    """Write the threshold."""
    return f"{100 * float(told.against):.6g} %"
