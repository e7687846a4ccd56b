"""What a calibration says in a paper: how often the method erred at this design, exactly or in so many trials."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..bibliography import Reference
from ..methods import look_up
from ..rendering import level_text, significant
from ..results.paper import Cited, Sentence, listed, software_in_print
from .estimated_share import Share

if TYPE_CHECKING:
    from .calibration import Calibration


def calibration_in_print(found: Calibration) -> Iterator[Sentence]:
    """Return what a calibration says in a paper."""
    design = f"In a design of {found.design.describe()}"
    if found.shape:
        design = f"In {int(np.prod(found.shape))} designs ({found.design.describe()})"
    how = f"{found.simulated:,} trials were simulated" if found.simulated else "every outcome was enumerated"
    told = list(_figures(found)) if not found.shape else ["was examined"]
    yield (f"{design}, {found.method}", Cited(_described(found)), f" {listed(told)} ({how}).")
    yield from software_in_print()


def _described(found: Calibration) -> tuple[str | Reference, ...]:
    """Return who described the method, as test and as interval."""
    kinds: Any = found.gives
    methods = (look_up(found.method, gives, evidence) for gives in kinds for evidence in found.design.evidence)
    return tuple(dict.fromkeys(method.reference for method in methods if method is not None))


def _figures(found: Calibration) -> Iterator[str]:
    """Return what it did, clause by clause."""
    if found.chooses:
        if found.chosen is not None:
            for place, step in enumerate(found.differences.tolist()):
                each = listed([f"{whom} {_percent(share[place])}" for whom, share in found.chosen.items()])
                yield f"chose {each} of the time at a true difference of {_apart(found, step)}"
        return
    if found.size is not None:
        bar = "" if found.rule else f" at alpha = {found.alpha:g}"
        yield f"rejected a true null hypothesis in {_percent(found.size)} of cases{bar}"
    if found.power is not None and found.effects.size:
        steps = zip(found.effects.tolist(), found.power, strict=True)
        seen = [f"{_percent(share)} at a true difference of {_apart(found, step)}" for step, share in steps]
        yield f"had a power of {listed(seen)}"
    if found.coverage is not None and not np.isnan(found.coverage.value).all():
        worst = int(np.nanargmin(found.coverage.value))
        least = " at worst" if found.differences.size > 1 else ""
        bound = "interval" if found.side == "two" else f"{found.side} bound"
        held = _percent(found.coverage[worst])
        yield f"gave a {level_text(found.alpha)} {bound} that held the truth in {held} of cases{least}"
    if found.bias is not None and found.rmse is not None:
        bias, rmse = 100 * float(found.bias[0]), 100 * float(found.rmse[0])
        off = f"{bias:+.2f} percentage points on average ({rmse:.2f} in the root mean square)"
        if not found.design.in_points:
            off = f"{bias / 100:+.3g} on average ({rmse / 100:.3g} in the root mean square)"
        yield f"was off by {off}".replace("-", "−")


def _percent(share: Share) -> str:
    """Write a share, with its 95 % limits where it was counted."""
    value = f"{100 * float(share.value):.3g} %"
    if not share.trials:
        return value
    return f"{value} (95 % interval {100 * float(share.low):.3g} to {100 * float(share.high):.3g} %)"


def _apart(found: Calibration, step: float) -> str:
    """Write a difference: in percentage points where it is of error rates."""
    if not found.design.in_points:
        return significant(step).replace("-", "−")
    text = significant(100 * step).replace("-", "−")
    return f"{text} percentage point{'s' * (text.strip('−') != '1')}"
