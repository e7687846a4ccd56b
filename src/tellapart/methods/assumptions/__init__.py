"""What methods assume, stated once: the figure, the threshold, and where to go otherwise.

A method lists its assumptions in `@method(assumes=...)`; the verbs examine them, so no
author can forget to, and the lab's million calls pay nothing. Codes TA0xx speak of one
error rate, TA1xx of two classifiers on one test set, TA2xx of two test sets, TA3xx of several
classifiers. A code once given keeps its meaning.
"""

from __future__ import annotations

from .base import Assumption, Given, examine, trust
from .one_rate import (
    ANDERSON_SCLOVE,
    FITTED_RANGE,
    HAS_WIDTH,
    HODGES_LEHMANN,
    INSIDE_RANGE,
    INTERIOR,
    MENDENHALL,
    MITCHELL_PRODUCT,
    MITCHELL_SIZE,
    NORMAL_APPROXIMATION,
    ROOM_AT_THRESHOLD,
    STRATA_HAVE_ROOM,
    STRATA_HAVE_SPREAD,
    STRATA_HAVE_WIDTH,
    TWO_SIDED,
    WHOLE_POOL,
)
from .pairs import (
    BOTH_ERR,
    CAN_REJECT_EXACT,
    CAN_REJECT_MID_P,
    DIFFERENCE_HAS_WIDTH,
    ENOUGH_DISAGREEMENTS,
    SOME_AGREEMENT,
    SOME_DISAGREEMENT,
    SPREAD_IN_BOTH,
)
from .several import (
    DISAGREEMENTS_OF_EVERY_PAIR,
    INFORMATIVE_EXAMPLES,
)
from .two_sets import (
    BOTH_SETS_LARGE,
    DIFFERENCE_INSIDE_RANGE,
    SIZES_ALIKE,
    SPREAD_SEEN,
    TWO_SETS_HAVE_WIDTH,
)

__all__ = [
    "ANDERSON_SCLOVE",
    "BOTH_ERR",
    "BOTH_SETS_LARGE",
    "CAN_REJECT_EXACT",
    "CAN_REJECT_MID_P",
    "DIFFERENCE_HAS_WIDTH",
    "DIFFERENCE_INSIDE_RANGE",
    "DISAGREEMENTS_OF_EVERY_PAIR",
    "ENOUGH_DISAGREEMENTS",
    "FITTED_RANGE",
    "HAS_WIDTH",
    "HODGES_LEHMANN",
    "INFORMATIVE_EXAMPLES",
    "INSIDE_RANGE",
    "INTERIOR",
    "MENDENHALL",
    "MITCHELL_PRODUCT",
    "MITCHELL_SIZE",
    "NORMAL_APPROXIMATION",
    "ROOM_AT_THRESHOLD",
    "SIZES_ALIKE",
    "SOME_AGREEMENT",
    "SOME_DISAGREEMENT",
    "SPREAD_IN_BOTH",
    "SPREAD_SEEN",
    "STRATA_HAVE_ROOM",
    "STRATA_HAVE_SPREAD",
    "STRATA_HAVE_WIDTH",
    "TWO_SETS_HAVE_WIDTH",
    "TWO_SIDED",
    "WHOLE_POOL",
    "Assumption",
    "Given",
    "examine",
    "trust",
]
