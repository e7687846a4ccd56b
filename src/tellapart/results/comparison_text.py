"""The text of a comparison: the verdict, its figures, and the rows that support them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..display import Display, Row, Tone
from ..figures import count_text, equation, level_text, precise_pvalue_text, scale_of, short_names
from .narrate import is_over_data_sets, names_rows, note_rows, passed_rows
from .oriented import Oriented, bounded_text, leading_position, orient
from .wording import (
    adjustment_text,
    caution_rows,
    data_text,
    looks_rows,
    margin_test_title,
    method_text,
    note_beside_title,
    p_text,
    power_rows,
    precise_p_text,
    probability_text,
    with_cautions,
)

if TYPE_CHECKING:
    from .comparison import Comparison
    from .interval import Interval

# The value of an interval's parameter that means "no difference".
_NULL = {"difference": 0.0, "reduction": 0.0, "odds": 1.0, "ratio": 1.0}
_HYPOTHESES = {"non-inferior": "non-inferiority", "superior": "superiority", "equivalent": "equivalence"}
_PARAMETERS = {"difference": "difference", "reduction": "relative reduction", "odds": "odds ratio", "ratio": "ratio"}


def display(answer: Comparison, *, verbose: bool = False) -> Display:
    """Return the layout of a comparison: of many entries, of one model and a threshold, or of two models."""
    if answer.shape:
        figures, support = "", _rows_of_many(answer)
    elif len(answer.evidence.models) == 1:
        figures, support = _threshold_figures(answer), _rows_of_one(answer, verbose=verbose)
    else:
        figures, support = pair_figures(answer), _rows_of_one(answer, verbose=verbose)
    return Display(
        verdict=with_cautions(verdict(answer), answer.checks),
        figures=figures,
        emphasis=orient(answer).size_text if figures and len(answer.evidence.models) == 2 else "",
        blocks=(*caution_rows(answer.checks), *looks_rows(answer.note("looks", 0), answer.alpha), *support),
        tone=tone(answer),
    )


def tone(answer: Comparison) -> Tone:
    """Return the colour of the verdict: a winner, a demonstrated margin, or neither."""
    if answer.shape:
        return "neutral"
    if answer.hypothesis.kind != "different":
        return "good" if answer.rejected else "open"
    return "good" if answer.better is not None and len(answer.evidence.models) == 2 else "neutral"


# --- The verdict ----------------------------------------------------------------------------------------


def verdict(answer: Comparison) -> str:
    """Return which model is better, that there is no significant difference, or the conclusion about a margin."""
    if answer.shape:
        return _verdict_of_many(answer)
    if len(answer.evidence.models) == 1:
        return _threshold_verdict(answer)
    if answer.hypothesis.kind != "different":
        return margin_claim(answer)
    return _pair_verdict(answer)


def _pair_verdict(answer: Comparison) -> str:
    names = list(short_names(answer.evidence.models).values())
    position = leading_position(answer)
    lead, other, event = names[position], names[1 - position], answer.evidence.event
    if np.isnan(answer.difference):
        return f"{lead} and {other} cannot be compared: {undefined_text(answer)}"
    if event != "wrong":
        both = f"how often {names[0]} and {names[1]} say '{event}'"
        return f"{'S' if answer.rejected else 'No s'}ignificant difference in {both}"
    if answer.only_chooses:
        return f"{lead} is chosen over {other}" if answer.better else f"Neither {lead} nor {other} is chosen"
    if answer.better is not None:
        return f"{lead} {superior_text(answer)} {other}"
    one_sided = f"{lead} is not significantly better than {other}"
    return f"No significant difference between {lead} and {other}" if answer.alternative == "two-sided" else one_sided


def superior_text(answer: Comparison) -> str:
    """Return how a winner is better: "is more accurate than", "has a higher F1 than"."""
    metric, evidence = answer.evidence.metric, answer.evidence
    if (float(answer.difference) > 0) != (answer.better == "B"):  # the test does not follow the mean difference
        return "is significantly better than"
    if metric.as_accuracy or (metric.name == "accuracy" and evidence.value_kind == "percent"):
        return "is more accurate than"
    word = "higher" if metric.report_higher_is_better else "lower"
    return f"has a {word} {metric.report_title} than"


def margin_claim(answer: Comparison) -> str:
    """Return the demonstrated claim about a margin, or that the result is inconclusive."""
    a, b = names = list(short_names(answer.evidence.models).values())
    lead = leading_position(answer)
    both = f"{names[lead]} and {names[1 - lead]}"
    size, event = margin_text(answer), answer.evidence.event
    kind, shown = answer.hypothesis.kind, bool(answer.rejected)
    if event != "wrong":
        claims = {
            "non-inferior": f"{b} says '{event}' at most {size} more often than {a}",
            "superior": f"{a} says '{event}' more than {size} more often than {b}",
            "equivalent": f"{both} differ by less than {size} in how often they say '{event}'",
        }
        return claims[kind] if shown else f"Not demonstrated: {claims[kind]}"
    claims = {
        "non-inferior": f"{b} is at most {size} worse than {a}",
        "superior": f"{b} is better than {a} by more than {size}",
        "equivalent": f"{both} differ by less than {size}",
    }
    return claims[kind] if shown else f"Not demonstrated: {claims[kind]}"


def margin_text(answer: Comparison) -> str:
    """Return the margin: "1 pp", or a number on the scale of the metric."""
    if answer.evidence.difference_kind == "points":
        return f"{100 * answer.margin:.6g} pp"
    return f"{answer.margin:.6g}"


def undefined_text(answer: Comparison) -> str:
    """Return why a metric is undefined."""
    reasons, title = answer.evidence.reasons_undefined, answer.evidence.metric.report_title
    if not reasons:
        return "no data set has a score of both" if is_over_data_sets(answer.evidence) else f"{title} is undefined"
    return f"{title} is undefined ({' and '.join(dict.fromkeys(reasons.values()))})"


def _verdict_of_many(answer: Comparison) -> str:
    """Return the number of significant comparisons among many."""
    kind, count = answer.hypothesis.kind, int(np.count_nonzero(answer.rejected))
    total = f"{count:,} of {count_text(answer.difference.size, 'comparison')}"
    if kind != "different":
        return f"{total} demonstrate {_HYPOTHESES[kind]} (margin {margin_text(answer)})"
    sided = {"two-sided": "", "greater": ", B better", "less": ", A better"}
    if len(answer.evidence.models) == 1:
        sided = {"two-sided": "", "greater": ", above the threshold", "less": ", below the threshold"}
    return f"{total} {'is' if count == 1 else 'are'} significant{sided[answer.alternative]}"


# --- Two models -----------------------------------------------------------------------------------------


def pair_figures(answer: Comparison, first: int | None = None) -> str:
    """Return metric, both values, the difference with its interval, and p; with `first` in the direction of a model."""
    if np.isnan(answer.difference):
        return ""
    lead = orient(answer, first)
    title = answer.evidence.metric.short_title
    if answer.evidence.event != "wrong":
        title = f"share of '{answer.evidence.event}'"
    return f"{title} {lead.values_text}: {difference_clause(answer, lead)}"


def difference_clause(answer: Comparison, lead: Oriented) -> str:
    """Return the difference with its interval, and p: "2.0 pp higher (95% CI 1.0 to 3.3), p < 0.001"."""
    typically = "typically " if answer.interval.centre != "on average" and lead.size else ""
    certainty = certainty_text(answer, lead)
    return f"{typically}{lead.size_text} {limits_clause(answer, lead)}{f', {certainty}' * bool(certainty)}"


def limits_clause(answer: Comparison, lead: Oriented) -> str:
    """Return the interval in parentheses; for odds, a ratio or a reduction with its name."""
    interval, parameter = answer.interval, answer.interval.parameter
    if parameter == "difference":
        return lead.limits_text(interval)
    low, high = float(interval.low), float(interval.high)
    a, b = short_names(answer.evidence.models).values()
    level = level_text(interval.alpha)
    if parameter == "reduction":
        scale = scale_of("percent", (high - low) / 2)
        return f"(errors of {a} that {b} avoids: {level} CI {scale.range(low, high, unit=True)})"
    inverted = lead.position == 0 if parameter == "ratio" else (lead.position == 0) != (lead.word == "higher")
    low, high = (_invert_ratio(high), _invert_ratio(low)) if inverted else (low, high)
    name = {"odds": "odds ratio", "ratio": "ratio"}[parameter]
    limits = "unbounded" if low == 0 and np.isinf(high) else bounded_text(_ratio_text, low, high)
    return f"({name} {level} CI {limits})"


def _ratio_text(value: float) -> str:
    """Return a ratio with three significant digits, or more if that is needed to distinguish it from 1."""
    texts = (f"{value:.{digits}g}" for digits in range(3, 17))
    return next(text for text in texts if value == 1 or float(text) != 1)


def _invert_ratio(value: float) -> float:
    return float("inf") if value == 0 else 1 / value


def certainty_text(answer: Comparison, lead: Oriented) -> str:
    """Return the p-value, the posterior probability or the e-value; empty for a rule that has none of them."""
    if np.isnan(answer.pvalue):
        return ""
    if answer.practical is not None or is_probability(answer):
        return _posterior_text(answer, lead)
    if answer.test.statistic_name == "e-value":
        return f"e-value {float(answer.statistic):.3g}"
    if answer.adjusted is not None:
        return p_text(float(answer.adjusted), answer.alpha, answer.adjusted_simulated, "adj. p")
    return p_text(float(answer.pvalue), answer.alpha, answer.simulated)


def is_probability(answer: Comparison) -> bool:
    """Return whether the statistic is the posterior probability that one model is better."""
    return answer.test.statistic_name.startswith("P(")


def _posterior_text(answer: Comparison, lead: Oriented) -> str:
    practical = answer.practical
    if practical is None:
        chance = float(answer.statistic)
        of_b = answer.test.statistic_name == "P(B better)"
        return equation(
            f"P({lead.first} better)", probability_text(chance if of_b == (lead.position == 1) else 1 - chance)
        )
    leading = practical.b_better if lead.position == 1 else practical.a_better
    text = equation(f"P({lead.first} better)", probability_text(leading))
    if practical.rope:
        text += ", " + equation(f"P(equivalent within {practical.rope:g})", probability_text(practical.equivalent))
    return text


# --- Rows -----------------------------------------------------------------------------------------------


def _rows_of_one(answer: Comparison, *, verbose: bool) -> Iterator[Row]:
    evidence = answer.evidence
    if answer.hypothesis.kind != "different":
        yield Row("margin", margin_row(answer))
    lead = leading_position(answer) if len(evidence.models) == 2 else 0
    yield Row("data", data_text(evidence, answer.excluded, answer.note("effective_size", np.nan), lead))
    if verbose and evidence.details():
        yield Row("", evidence.details())
    yield Row("test", test_text(answer))
    if verbose:
        yield Row("", _test_details(answer))
    row = interval_text(answer.interval, answer.method, contradiction(answer))
    if verbose or answer.hypothesis.kind == "different" or row != "same method":  # as a gate, which has no such row
        yield Row("interval", row)
    if verbose:
        yield Row("", "; ".join(filter(None, (f"method {answer.interval.method}", note_beside_title(answer.interval)))))
        yield from note_rows(answer)
        yield from passed_rows(answer.checks)
        yield from names_rows(evidence.models)
    yield from power_rows(answer.note("power"))
    yield Row("scope", evidence.scope(answer.method).row)


def margin_row(answer: Comparison) -> str:
    """Return the margin, and its position relative to the interval."""
    interval, level, kind = answer.interval, level_text(answer.interval.alpha), answer.hypothesis.kind
    gap = orient(answer).gap
    decimals = len(margin_text(answer).removesuffix(" pp").partition(".")[2])  # as many as the interval, or more
    size = gap._replace(decimals=max(gap.decimals, decimals)).value(answer.margin)
    if kind == "equivalent":
        inside = bool(interval.low > -answer.margin) and bool(interval.high < answer.margin)
        return f"{size} either way; the {level} CI lies {'inside' if inside else 'partly outside'}"
    border = -answer.margin if kind == "non-inferior" else answer.margin
    what = "a loss that large" if kind == "non-inferior" else "a gain that small"
    where = "outside" if not interval.contains(border) and interval.low > border else "inside"
    return f"{size}; {what} lies {where} the {level} CI"


def test_text(answer: Comparison) -> str:
    """Return the test with its source, the p-value and alpha."""
    test, alpha = answer.test, f"alpha = {answer.alpha:.6g}"
    name = method_text(test_title(answer), test.reference)
    if np.isnan(answer.pvalue):
        rule = "a rule without a p-value" if not np.isnan(answer.difference) else "no p-value"
        return f"{name}: {rule}"
    if test.statistic_name == "e-value":
        return f"{name}: e-value {float(answer.statistic):.3g}, {1 / answer.alpha:.3g} needed, {alpha} at any stop"
    if is_probability(answer) and answer.hypothesis.kind == "different":
        needed = answer.alpha / 2 if answer.alternative == "two-sided" else answer.alpha
        return f"{name}: P above {1 - needed:.6g} needed"
    sided = sided_text(answer)
    pvalue = precise_p_text(float(answer.pvalue), answer.alpha, answer.simulated)
    if answer.adjustment is not None:
        adjusted = precise_p_text(float(answer.adjustment.pvalue), answer.alpha, answer.adjusted_simulated, "adj. p")
        rule = adjustment_text(answer.adjustment.method, answer.adjustment.reference)
        return f"{name}{sided}, {rule}: {adjusted}, {alpha}"
    return f"{name}{sided}: {pvalue}, {alpha}"


def test_title(answer: Comparison) -> str:
    """Return the title of the test; with a margin it names the hypothesis, such as "Tango non-inferiority"."""
    title, kind = answer.test.title or answer.method, answer.hypothesis.kind
    return title if kind == "different" else margin_test_title(title, _HYPOTHESES[kind])


def sided_text(answer: Comparison) -> str:
    """Return ", one-sided", or which tests decide on equivalence; empty for a two-sided test or one of a margin."""
    if answer.hypothesis.kind == "equivalent":
        return ", two one-sided tests"
    return ", one-sided" if answer.hypothesis.kind == "different" and answer.alternative != "two-sided" else ""


def interval_text(interval: Interval, test: str, remark: str = "") -> str:
    """Return the interval's method with its source; "same method" if the test has that name."""
    if interval.method == test:
        name = "same method"
    else:
        name = method_text(interval.title or interval.method, interval.reference)
    return f"{name}{f'; {remark}' if remark else ''}"


def _test_details(answer: Comparison) -> str:
    """Return the test's name in code, its statistic and its side."""
    parts = [f"method {answer.method}"]
    if answer.adjustment is not None and answer.adjustment.family:
        parts.append(f"adjusted over {answer.adjustment.family}")
    if np.isfinite(answer.statistic) and not is_probability(answer):
        parts.append(f"{answer.test.statistic_name or 'statistic'} = {float(answer.statistic):.6g}")
    if not np.isnan(answer.pvalue):
        parts.append(
            f"unadjusted p = {precise_pvalue_text(float(answer.pvalue))}" if answer.adjusted is not None else ""
        )
        sided = (
            "one-sided" if answer.hypothesis.kind != "different" or answer.alternative != "two-sided" else "two-sided"
        )
        parts.append(sided)
    parts.append(note_beside_title(answer.test))
    return "; ".join(filter(None, parts))


def _rows_of_many(answer: Comparison) -> Iterator[Row]:
    evidence = answer.evidence
    yield Row("data", evidence.describe())
    rule = adjustment_text(answer.adjustment.method, answer.adjustment.reference) if answer.adjustment else "unadjusted"
    yield Row(
        "test",
        f"{method_text(test_title(answer), answer.test.reference)}, {rule}, alpha = {answer.alpha:.6g}",
    )
    yield Row("interval", f"{interval_text(answer.interval, answer.method)}, unadjusted")
    yield Row("scope", evidence.scope(answer.method).row)


def contradiction(answer: Comparison) -> str:
    """Return a note if interval and test decide differently; empty for a rule without a p-value."""
    if answer.only_chooses or np.isnan(answer.difference):
        return ""
    barriers, interval, kind = _null_values(answer), answer.interval, answer.hypothesis.kind
    if kind == "different":
        decided = not interval.contains(barriers[0])
    else:
        decided = bool(interval.low > barriers[0]) and (kind != "equivalent" or bool(interval.high < barriers[-1]))
    if is_over_data_sets(answer.evidence) and {float(interval.low), float(interval.high)} & set(barriers):
        return ""  # p-values of ranks jump at the differences, so a limit may itself be rejected
    alone = bool(answer.test.rejected(answer.alpha))
    if answer.adjusted is not None and alone != bool(answer.rejected):
        return "unadjusted"
    if alone == decided:
        return ""
    null = "the threshold" if len(answer.evidence.models) == 1 else f"{barriers[0]:g}"
    return f"{'includes' if alone else 'excludes'} {null}, the test decides"


def _null_values(answer: Comparison) -> tuple[float, ...]:
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


def threshold_text(answer: Comparison) -> str:
    """Return the threshold on the scale of the metric."""
    threshold = float(answer.against)
    return f"{100 * threshold:.6g}%" if answer.evidence.value_kind == "percent" else f"{threshold:.6g}"


def _threshold_verdict(answer: Comparison) -> str:
    """Return on which side of the threshold the metric lies; for errors it is the error rate, as is the threshold."""
    title, threshold = answer.evidence.metric.title, threshold_text(answer)
    if answer.better is not None:
        return f"The {title} is significantly {'below' if answer.better == 'A' else 'above'} {threshold}"
    sides = {"less": f"is not significantly below {threshold}", "greater": f"is not significantly above {threshold}"}
    if answer.alternative in sides:
        return f"The {title} {sides[answer.alternative]}"
    return f"No significant difference between the {title} and {threshold}"


def _threshold_figures(answer: Comparison) -> str:
    pvalue = "" if np.isnan(answer.pvalue) else f", {p_text(float(answer.pvalue), answer.alpha, answer.simulated)}"
    return f"{answer.evidence.metric.title} {threshold_value_text(answer)}{pvalue}"


def threshold_value_text(answer: Comparison) -> str:
    """Return the value that is compared with a threshold, with its interval: "2.5% (95% CI 0.7% to 6.5%)"."""
    from .estimate_text import bound_text

    interval, threshold = answer.interval, float(answer.against)
    value = float(answer.difference) + threshold
    ends = [float(limit) for limit in (interval.low, interval.high) if np.isfinite(limit)]
    kind = answer.evidence.value_kind
    scale = scale_of(kind, interval.spread(value) / 2, ends=[*ends, value], apart_from=[threshold])
    return f"{scale.value(value)} ({bound_text(interval, float(interval.low), float(interval.high), scale)})"


def draw_interval(answer: Comparison) -> str:
    """Return the difference of two models with its interval as SVG; empty for many, odds and one-sided bounds."""
    from ..interval_svg import interval_svg

    drawable = not answer.shape and len(answer.evidence.models) == 2 and answer.interval.parameter == "difference"
    if not drawable or answer.interval.side != "two" or np.isnan(answer.difference):
        return ""
    lead = orient(answer)
    margins = () if np.isnan(answer.margin) else (-answer.margin, answer.margin)
    unit = "pp " if lead.gap.kind == "points" else ""
    return interval_svg(
        lead.size,
        lead.low,
        lead.high,
        scale=lead.gap,
        level=level_text(answer.interval.alpha),
        margins=margins,
        caption=f"{unit}{lead.word} for {lead.first}",
    )


# --- Explanations ---------------------------------------------------------------------------------------


def explanations(answer: Comparison) -> Iterator[tuple[str, str]]:
    """Yield explanations of the p-value and the interval."""
    meaning = pvalue_meaning(answer)
    if meaning:
        yield "p-value", meaning
    if answer.shape:
        return
    level, what = level_text(answer.interval.alpha), _PARAMETERS.get(answer.interval.parameter, "value")
    yield (
        "interval",
        f"The procedure gives an interval that contains the true {what} in {level} of samples.",
    )
    if answer.test.estimate is not None and answer.evidence.averaging:
        yield "average", answer.evidence.averaging


def pvalue_meaning(answer: Comparison) -> str:
    """Return how often a difference as large would occur under the null hypothesis; empty if p is not such a share."""
    no_share = answer.shape or answer.test.forbidden or np.isnan(answer.pvalue) or is_probability(answer)
    if no_share or answer.adjusted is not None or answer.hypothesis.kind != "different":
        return ""
    metric = answer.evidence.metric.report_title
    equal = f"If both had the same true {metric}" if len(answer.evidence.models) == 2 else "Under the null hypothesis"
    replication = answer.evidence.unit.replication
    share = _share_of(float(answer.pvalue), "such benchmark" if replication == "benchmark" else replication)
    if answer.simulated is not None and answer.simulated.bounds(answer.pvalue):
        share = f"fewer than {share}"
    if answer.test.statistic_name == "e-value":  # the bound 1/E is valid for all looks
        return f"{equal}, an e-value this large would ever occur in at most {share}."
    extreme = "as large a difference" if answer.alternative == "two-sided" else "this difference or a larger one"
    return f"{equal}, {share} would show {extreme}."


def _share_of(pvalue: float, noun: str) -> str:
    """Return a probability as a share of test sets (or experiments)."""
    if pvalue >= 0.995:
        return f"nearly all {noun}s"
    if pvalue >= 0.01:
        return f"{100 * pvalue:.2g}% of {noun}s"
    return f"1 {noun} in {float(f'{1 / pvalue:.2g}'):,.0f}" if pvalue > 1e-9 else f"almost no {noun}"
