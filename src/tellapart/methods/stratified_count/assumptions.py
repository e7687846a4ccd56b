"""What methods for an error rate in strata assume: TA014 to TA016."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from ..assumptions import Context, at_least, has_width


def _fewest_of_a_kind(strata: Any, _: Context) -> Numbers:
    """Return the fewest errors or successes in any stratum that has a share."""
    fewest = np.minimum(strata.errors, strata.trials - strata.errors)
    return np.where(strata.shares > 0, fewest, np.max(strata.trials)).min(axis=-1)


def _strata_with_spread(strata: Any, _: Context) -> Numbers:
    return ((strata.errors > 0) & (strata.errors < strata.trials) & (strata.shares > 0)).sum(axis=-1)


STRATA_HAVE_SPREAD = at_least("TA014", 1, _strata_with_spread).state(
    "{figure} of the strata had both errors and successes",
    "no stratum had both errors and successes, so Yan and Su's common quantile is 0/0 and the strata's limits were"
    " squared and added instead",
    "more examples per stratum would tell more; 'stratified-normal' would claim to know the error exactly",
    rule="every stratum had both errors and successes",
)
STRATA_HAVE_ROOM = at_least("TA015", 5, _fewest_of_a_kind).state(
    "the rarer of errors and successes is {figure}{figure: ≥ 5} in every stratum",
    "the rarer of errors and successes is {figure} < 5 in some stratum: the normal approximation is poor here",
    "method='stratified-wilson' keeps near its level",
)
STRATA_HAVE_WIDTH = has_width(
    "TA016", "the error", "method='stratified-wilson' stays honest where strata have no errors or nothing but errors"
)
