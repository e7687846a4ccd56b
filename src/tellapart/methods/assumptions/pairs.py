"""What methods for two classifiers on one test set assume: TA103 to TA110."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...typing_ import Numbers
from .base import Assumption, Given

DIFFERENCE_HAS_WIDTH = Assumption(
    code="TA103",
    needs="the limits differ, by {figure}",
    rule="the limits differ",
    broken="the interval has no width, as if the difference were known exactly",
    otherwise="interval='tango' stays honest where nobody disagrees",
    figure=lambda _, given: given.interval.width,
    threshold=0,
    strict=True,
)
ENOUGH_DISAGREEMENTS = Assumption(
    code="TA104",
    needs="{figure} disagreements ≥ 10 (Yang)",
    rule="at least 10 disagreements (Yang)",
    broken="{figure} disagreements < 10: too few for a normal approximation of the difference (Yang)",
    otherwise="without a margin method='mcnemar-exact' holds its level at any size, interval='unconditional' up to 200"
    " examples",
    figure=lambda table, _: table.disagreements,
    threshold=10,
    source="yang2006",
)


def _smallest_pvalue(table: Any, given: Given, observed: float) -> Numbers:
    """Return the p-value if all disagreements went one way, whose probability counts as much as `observed`."""
    sides = 2 if given.alternative == "two-sided" else 1
    return np.minimum(sides * observed * np.exp2(-np.minimum(table.disagreements, 1000.0)), 1)


CAN_REJECT_EXACT = Assumption(
    code="TA105",
    needs="the smallest p-value that so many disagreements can give, {size}, is below alpha",
    rule="the smallest p-value that so many disagreements can give is below alpha",
    broken="no outcome at so few disagreements could reach alpha: the smallest possible p-value is {size}",
    otherwise="more examples on which the two disagree are needed for this test to tell them apart",
    figure=lambda table, given: -_smallest_pvalue(table, given, 1.0),
    threshold=lambda given: -given.alpha,
    strict=True,
)
CAN_REJECT_MID_P = replace(
    CAN_REJECT_EXACT, code="TA110", figure=lambda table, given: -_smallest_pvalue(table, given, 0.5)
)
SOME_AGREEMENT = Assumption(
    code="TA106",
    needs="the two agree on a share of {figure} of the examples ≥ 0.2",
    rule="the two agree on a share of at least 0.2 of the examples",
    broken="the two agree on a share of only {figure} of the examples (< 0.2): there mid-p may reject up to 1.3 times"
    " too often",
    otherwise="method='mcnemar-exact' or 'mcnemar-unconditional' holds its level everywhere",
    figure=lambda table, _: (table.examples - table.disagreements) / table.examples,
    threshold=0.2,
)


def _bounding(table: Any, given: Given) -> Numbers:
    """Return the lone errors without which the odds have no bound on a side that was asked for."""
    return table.disagreements if given.interval.side == "lower" else table.only_b_wrong


SOME_DISAGREEMENT = Assumption(
    code="TA107",
    needs="there are lone errors that bound the odds ({figure} of them)",
    rule="there are lone errors that bound the odds",
    broken="no example was wrong for B alone (or the two never disagree), so the odds have no upper bound",
    otherwise="interval='tango' bounds the difference all the same",
    figure=_bounding,
    threshold=1,
)
SPREAD_IN_BOTH = Assumption(
    code="TA109",
    needs="each of the two was both right and wrong (the rarer outcome {figure} times)",
    rule="each of the two was both right and wrong",
    broken="one of the two was always right or always wrong, so its own interval has no width and decides nothing",
    otherwise="method='mcnemar-mid-p' looks at the disagreements alone",
    figure=lambda table, _: np.minimum(
        np.minimum(table.count_a.errors, table.count_a.successes),
        np.minimum(table.count_b.errors, table.count_b.successes),
    ),
    threshold=1,
)
BOTH_ERR = Assumption(
    code="TA108",
    needs="each of the two errs somewhere (errors of the better one: {figure})",
    rule="each of the two errs somewhere",
    broken="one of the two made no error, so the ratio of their error rates has no bound on one side",
    otherwise="interval='tango' bounds the difference all the same",
    figure=lambda table, _: np.minimum(table.count_a.errors, table.count_b.errors),
    threshold=1,
)
