"""Assumptions of methods for an error rate in strata: TA014 to TA016."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from ..assumptions import Context, at_least, has_width


def _fewest_of_a_kind(strata: Any, _: Context) -> Numbers:
    """Return the smallest number of errors or successes in any stratum with a positive share."""
    fewest = np.minimum(strata.errors, strata.trials - strata.errors)
    return np.where(strata.shares > 0, fewest, np.max(strata.trials)).min(axis=-1)


def _strata_with_spread(strata: Any, _: Context) -> Numbers:
    return ((strata.errors > 0) & (strata.errors < strata.trials) & (strata.shares > 0)).sum(axis=-1)


STRATA_HAVE_SPREAD = at_least("TA014", 1, _strata_with_spread).state(
    "both errors and successes in {figure} of the strata{figure:, at least 1}",
    "no stratum has both errors and successes",
    "Test more examples in every stratum.",
    title="uniform strata",
    so="Yan and Su's weights are 0/0, and Wilson's limits of the strata are squared and added instead",
    rule="both errors and successes in at least 1 stratum",
)
STRATA_HAVE_ROOM = at_least("TA015", 5, _fewest_of_a_kind).state(
    "fewest errors or successes in any stratum:{figure: #, which is} at least 5",
    "a stratum has {figure} errors or successes, fewer than 5",
    "Use method='stratified-wilson'.",
    title="few errors per stratum",
    so="the normal approximation is poor",
)
STRATA_HAVE_WIDTH = has_width("TA016", "the error rate", "Use method='stratified-wilson'.")
