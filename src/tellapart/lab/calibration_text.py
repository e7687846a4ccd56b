"""Summary of a calibration in sentences, and the verdict: valid, conservative or liberal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from ..evidence import ErrorCount, ErrorPatterns
from ..figures import join_names, level_text
from .oscillation import average_coverage_of
from .rate_text import difference_text, rate_text, share_text, significant_text

if TYPE_CHECKING:
    from .calibration import Calibration
    from .estimated_share import Share

Verdict = Literal[
    "valid", "likely valid", "conservative", "slightly liberal", "liberal", "valid on average", "too few trials"
]
_BOUNDS = {"two": "interval", "upper": "upper bound", "lower": "lower bound"}


def verdict_of(calibration: Calibration) -> Verdict | None:
    """Return "valid", "conservative" or "liberal", by the type I error rate; None if there is none.

    A test is liberal if the lower 95% limit of its rate is above 1.7 alpha, slightly liberal above 1.2 alpha, and
    conservative if the upper limit is below 0.5 alpha. Exact rates have both limits equal to the rate.
    """
    size, alpha = calibration.size, calibration.alpha
    if size is None or size.shape or calibration.rule:
        return None
    if float(size.low) > 1.2 * alpha:
        if average_coverage_of(calibration) is not None:
            return "valid on average"
        return "liberal" if float(size.low) > 1.7 * alpha else "slightly liberal"
    if float(size.high) < 0.5 * alpha:
        return "conservative"
    if float(size.high) > 1.7 * alpha:
        return "too few trials"
    return "valid" if float(size.high) <= 1.2 * alpha else "likely valid"


def describe_calibration(calibration: Calibration) -> str:
    """Return a summary in a few sentences."""
    if calibration.shape:
        return f"{int(np.prod(calibration.shape))} designs. Select one by its index for a summary."
    sentences = (
        [_describe_choices(calibration)]
        if calibration.chooses
        else [_describe_size(calibration), _describe_power(calibration)]
    )
    sentences.append(_describe_coverage(calibration, named=not any(sentences)))
    sentences.append(_describe_bias(calibration, named=not any(sentences)))
    return " ".join(filter(None, sentences))


def _describe_size(calibration: Calibration) -> str:
    if calibration.size is None:
        return ""
    rate = f"{share_text(calibration.size)}{_limits_text(calibration.size)}"
    text = f"If {null_text(calibration)}, {calibration.method} {_claim_text(calibration)} with probability {rate}"
    if calibration.rule:
        return f"{text}; it is a rule without a nominal level."
    return f"{text} at alpha = {calibration.alpha:g}: {calibration.verdict}.{_describe_average(calibration)}"


def _describe_average(calibration: Calibration) -> str:
    """Return the average coverage, if the method guarantees only that and the coverage here is lower."""
    if calibration.verdict != "valid on average" or (average := average_coverage_of(calibration)) is None:
        return ""
    return (
        " Counts are whole, so the coverage oscillates with the error rate:"
        f" {rate_text(average.coverage)} on average over {average.over}."
    )


def _describe_choices(calibration: Calibration) -> str:
    """Return how often a selection rule chooses each model."""
    if calibration.chosen is None:
        return ""
    clauses = []
    for index, step in enumerate(calibration.differences.tolist()):
        condition = {-1: "A is better by", 0: "A and B are equally good", 1: "B is better by"}[int(np.sign(step))]
        condition += f" {difference_text(calibration.design, abs(step))}" if step else ""
        shares = [f"{model} with probability {share_text(share[index])}" for model, share in calibration.chosen.items()]
        clauses.append(f"{condition}, {'it' if index else calibration.method} chooses {join_names(shares)}")
    return f"If {'; if '.join(clauses)}."


def null_text(calibration: Calibration) -> str:
    """Return the null hypothesis as text."""
    if calibration.margin is not None:
        size = difference_text(calibration.design, calibration.margin.size)
        return f"B is {'better' if calibration.margin.hypothesis == 'superior' else 'worse'} by {size}"
    if calibration.design.evidence == (ErrorCount,):
        return f"the error rate is {rate_text(float(calibration.design.at(0.0).truth('error')))}"
    return "all models are equally good" if _several_models(calibration) else "A and B are equally good"


def _claim_text(calibration: Calibration) -> str:
    """Return the alternative hypothesis as text."""
    if calibration.margin is not None:
        hypothesis = {"non-inferior": "non-inferiority", "superior": "superiority", "equivalent": "equivalence"}
        return f"claims {hypothesis[calibration.margin.hypothesis]}"
    if calibration.alternative == "two-sided":
        return "rejects for at least one pair" if "pairs" in calibration.gives else "rejects"
    higher = calibration.alternative == "greater"
    if calibration.design.evidence == (ErrorCount,):
        return f"rejects for a {'higher' if higher else 'lower'} error rate"
    return "rejects" if _several_models(calibration) else f"rejects in favour of {'B' if higher else 'A'}"


def _several_models(calibration: Calibration) -> bool:
    design = calibration.design
    several = design.evidence == (ErrorPatterns,) or len(getattr(design, "names", ())) > 2
    return several or "pairs" in calibration.gives


def _describe_power(calibration: Calibration) -> str:
    if calibration.power is None or not calibration.effects.size:
        return ""
    two_sided = calibration.alternative == "two-sided" and calibration.margin is None
    one_direction = two_sided and np.unique(np.sign(calibration.effects)).size == 1
    steps = np.abs(calibration.effects) if one_direction else calibration.effects
    powers = [
        f"{share_text(share)} at {'a difference of ' * (index == 0)}{difference_text(calibration.design, step)}"
        for index, (step, share) in enumerate(zip(steps.tolist(), calibration.power, strict=True))
    ]
    name = f"The power of {calibration.method}" if calibration.size is None else "Its power"
    return f"{name} is {join_names(powers)}."


def _describe_coverage(calibration: Calibration, *, named: bool) -> str:
    if calibration.coverage is None:
        return ""
    bounds = f"{level_text(calibration.alpha)} {_BOUNDS[calibration.side]}"
    bounds = f"The {bounds} of {calibration.method}" if named else f"Its {bounds}"
    worst = worst_of(calibration.coverage)
    if worst is None:
        return f"The coverage of {bounds[0].lower()}{bounds[1:]} is undefined here: the true value is undefined."
    share = calibration.coverage[worst]
    rate = share_text(share)
    least = "at least " if calibration.differences.size > 1 and not rate.startswith(">") else ""
    where = f", lowest {_where_text(calibration, float(calibration.differences[worst]))}" if worst else ""
    return f"{bounds} contains the true value with probability {least}{rate}{_limits_text(share)}{where}."


def _describe_bias(calibration: Calibration, *, named: bool) -> str:
    if calibration.bias is None or calibration.rmse is None:
        return ""
    name = f"The estimate of {calibration.method}" if named else "Its estimate"
    bias, error = bias_texts(calibration)
    return f"{name} has a bias of {bias} and a root mean squared error of {error}."


def bias_texts(calibration: Calibration) -> tuple[str, str]:
    """Return bias and root mean squared error at the first difference."""
    assert calibration.bias is not None  # noqa: S101  # callers have checked
    assert calibration.rmse is not None  # noqa: S101
    bias, error = float(calibration.bias[0]), float(calibration.rmse[0])
    if calibration.design.in_points:
        return f"{100 * bias:+.2f} pp", f"{100 * error:.2f} pp"
    return f"{bias:+.3g}", f"{error:.3g}"


def _where_text(calibration: Calibration, step: float) -> str:
    """Return the true value of a measurement as text: a difference of two models, or the value of one."""
    design = calibration.design
    if not design.value_name:
        return f"at a difference of {difference_text(design, step)}"
    truth = float(design.at(step).truth("error"))
    return f"at a true {design.value_name} of {rate_text(truth) if design.in_points else significant_text(truth)}"


def worst_of(coverage: Share) -> int | None:
    """Return the index of the smallest coverage; None if it is undefined everywhere."""
    return None if np.isnan(coverage.value).all() else int(np.nanargmin(coverage.value))


def _limits_text(share: Share) -> str:
    """Return the 95% limits of a simulated probability as text."""
    if not share.trials:
        return ""
    low, high = rate_text(float(share.low)).removesuffix("%"), rate_text(float(share.high)).removesuffix("%")
    return f" (95% CI {low} to {high})"
