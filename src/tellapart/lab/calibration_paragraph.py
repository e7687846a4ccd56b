"""The sentences about a calibration for the methods section of a paper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..bibliography import Reference
from ..figures import level_text, scale_of
from ..methods import look_up
from ..rendering import significant
from ..results.citable import Cited, Sentence, listed, software_in_print
from .estimated_share import Share

if TYPE_CHECKING:
    from .calibration import Calibration


def calibration_in_print(calibration: Calibration) -> Iterator[Sentence]:
    """Return the sentences about a calibration for a paper."""
    design = f"In a design of {calibration.design.describe()}"
    if calibration.shape:
        design = f"In {int(np.prod(calibration.shape))} designs ({calibration.design.describe()})"
    how = (
        f"{calibration.simulated:,} trials were simulated" if calibration.simulated else "all outcomes were enumerated"
    )
    clauses = list(_describe_figures(calibration)) if not calibration.shape else ["was examined"]
    yield (f"{design}, {calibration.method}", Cited(_cited_references(calibration)), f" {listed(clauses)} ({how}).")
    yield from software_in_print()


def _cited_references(calibration: Calibration) -> tuple[str | Reference, ...]:
    """Return the references of the test and the interval."""
    kinds: Any = calibration.gives
    methods = (
        look_up(calibration.method, gives, evidence) for gives in kinds for evidence in calibration.design.evidence
    )
    return tuple(dict.fromkeys(method.reference for method in methods if method is not None))


def _describe_figures(calibration: Calibration) -> Iterator[str]:
    """Return the measured rates, as clauses."""
    if calibration.chooses:
        if calibration.chosen is not None:
            for index, step in enumerate(calibration.differences.tolist()):
                choices = listed(
                    [f"{whom} {_percent_text(share[index])}" for whom, share in calibration.chosen.items()]
                )
                yield f"chose {choices} of the time at a true difference of {_difference_text(calibration, step)}"
        return
    if calibration.size is not None:
        bar = "" if calibration.rule else f" at alpha = {calibration.alpha:g}"
        yield f"rejected a true null hypothesis in {_percent_text(calibration.size)} of cases{bar}"
    if calibration.power is not None and calibration.effects.size:
        steps = zip(calibration.effects.tolist(), calibration.power, strict=True)
        seen = [
            f"{_percent_text(share)} at a true difference of {_difference_text(calibration, step)}"
            for step, share in steps
        ]
        yield f"had a power of {listed(seen)}"
    if calibration.coverage is not None and not np.isnan(calibration.coverage.value).all():
        worst = int(np.nanargmin(calibration.coverage.value))
        least = " at worst" if calibration.differences.size > 1 else ""
        bound = "interval" if calibration.side == "two" else f"{calibration.side} bound"
        covered = _percent_text(calibration.coverage[worst])
        yield (
            f"gave a {level_text(calibration.alpha)} {bound} that contained the true value in {covered} of cases{least}"
        )
    if calibration.bias is not None and calibration.rmse is not None:
        bias, rmse = 100 * float(calibration.bias[0]), 100 * float(calibration.rmse[0])
        off = f"{bias:+.2f} percentage points on average ({rmse:.2f} in the root mean square)"
        if not calibration.design.in_points:
            off = f"{bias / 100:+.3g} on average ({rmse / 100:.3g} in the root mean square)"
        yield f"was off by {off}".replace("-", "−")


def _percent_text(share: Share) -> str:
    """Return a probability in percent, with its 95% limits if it was simulated."""
    value, low, high = float(share.value), float(share.low), float(share.high)
    if not share.trials:
        return f"{100 * value:.3g}%"
    scale = scale_of("percent", (high - low) / 2, ends=(low, high), apart_from=(0.0, 1.0))
    return f"{scale.value(value)} (95% CI {scale.range(low, high, unit=True)})"


def _difference_text(calibration: Calibration, step: float) -> str:
    """Return a difference as text, in pp for error rates."""
    if not calibration.design.in_points:
        return significant(step).replace("-", "−")
    text = significant(100 * step).replace("-", "−")
    return f"{text} percentage point{'s' * (text.strip('−') != '1')}"
