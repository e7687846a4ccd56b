"""What methods assume that look at the runs of each data set: TA721 to TA729."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...results import worst_mixing
from ...typing_ import Numbers
from .base import Assumption, Given


def _compared(table: Any, _: Given) -> Numbers:
    return table.compared


# --- Weights drawn for the data sets ------------------------------------------------------------------------


DATA_SETS_OUTWEIGH_PRIOR = Assumption(
    code="TA721",
    needs="there are {figure} data sets with scores of both, which is at least 10",
    rule="there are at least 10 data sets with scores of both",
    broken="only {figure} data sets have scores of both (< 10): the posterior makes more of so few than they are worth,"
    " and calls one of two equal learners better more often than it says",
    otherwise="method='wilcoxon-signed-rank' holds its level for any number; prior=, and prior_at= the learner that"
    " seems worse, show how much hangs on what is believed before",
    figure=_compared,
    threshold=10,
)


# --- Random effects -------------------------------------------------------------------------------------------


def _lonely(table: Any, _: Given) -> Numbers:
    from ..score_table.hierarchical_posterior import summaries

    _means, deviations, runs = summaries(table)
    return -np.count_nonzero((deviations == 0) & (runs > 0), axis=-1).astype(float)


RUNS_HAVE_SPREAD = Assumption(
    code="TA722",
    needs="the runs of every data set differ",
    broken="on {size} of the data sets the runs differ by nothing, or there is only one: the spread of the other data"
    " sets' runs is taken for theirs (without any, all data sets weigh alike)",
    otherwise="method='wilcoxon-signed-rank' takes every data set alike, and needs no spread of runs",
    figure=_lonely,
    threshold=0,
)


def _combined(table: Any, given: Given) -> Any:
    """Return the data sets combined as the method was told to."""
    from ..score_table.random_effects import combined

    return combined(table, **{name: given.options[name] for name in ("rho", "tau") if name in given.options})


def _share_of_others(table: Any, given: Given) -> Numbers:
    """Return what all data sets but the weightiest have of the weight; one of two may have half."""
    found = _combined(table, given)
    return np.where(table.compared > 2, 1 - np.max(found.shares, axis=-1), 1.0)


NO_RULING_DATA_SET = Assumption(
    code="TA723",
    needs="no data set has more than half of the weight (the others have {figure})",
    rule="no data set has more than half of the weight",
    broken="one data set has more than half of the weight (all others together {figure}): its runs vary least, and the"
    " mean is mostly about it",
    otherwise="method='wilcoxon-signed-rank' takes every data set alike",
    figure=_share_of_others,
    threshold=0.5,
)


def _fewest_runs(table: Any, _: Given) -> Numbers:
    runs = table.runs
    return np.min(np.where(runs > 0, runs, np.iinfo(np.int64).max), axis=-1)


ENOUGH_RUNS_OF_EACH = Assumption(
    code="TA724",
    needs="every data set has {figure} runs or more, which is at least 5",
    rule="every data set has at least 5 runs",
    broken="a data set has only {figure} runs (< 5): its variance is hardly known, and data sets whose runs agree by"
    " chance weigh too much",
    otherwise="method='wilcoxon-signed-rank' or 'paired-t' takes every data set alike; more runs help",
    figure=_fewest_runs,
    threshold=5,
)

SPREAD_OF_ANY_KIND = Assumption(
    code="TA725",
    needs="the runs differ, or the data sets do, and there are two data sets or more",
    broken="neither runs nor data sets differ (or there is only one data set), so nothing shows how far the difference"
    " can be trusted: p is 1, and the interval is everything",
    otherwise="method='wilcoxon-signed-rank' tests a difference that is the same everywhere",
    figure=lambda table, given: _combined(table, given).error,
    threshold=0,
    strict=True,
)


# --- Draws from a joint model of all data sets ------------------------------------------------------------


def _disagreement(_: Any, given: Given) -> Numbers:
    """Return split R-hat of the draws behind the test and the interval, with a minus; 1 where neither drew."""
    found = worst_mixing(given.significance, given.interval)
    return -1.0 if found is None else -found.agreement


CHAINS_AGREE = Assumption(
    code="TA726",
    needs="the chains of draws agree: split R-hat is {size}, which is at most 1.01",
    rule="the chains of draws agree: split R-hat is at most 1.01",
    broken="the chains of draws tell different stories: split R-hat is {size}, above 1.01, so the answer is not that of"
    " the model yet",
    otherwise="draw more (draws=100_000); 'random-effects' needs no draws",
    figure=_disagreement,
    threshold=-1.01,
    source="vehtari2021",
)


def _effective(_: Any, given: Given) -> Numbers:
    found = worst_mixing(given.significance, given.interval)
    return np.inf if found is None else found.effective


ENOUGH_DRAWS = Assumption(
    code="TA727",
    needs="the draws are worth {figure} independent ones, which is at least 400",
    rule="the draws are worth at least 400 independent ones",
    broken="the draws are worth only {figure} independent ones: another seed would give visibly other probabilities",
    otherwise="draw more (draws=100_000); 'random-effects' needs no draws",
    moot="nothing had to be drawn",
    figure=_effective,
    threshold=400,
    source="vehtari2021",
)


def _without_spread(table: Any, _: Given) -> Numbers:
    from ..score_table.hierarchical_posterior import summaries

    found = summaries(table)
    return -np.count_nonzero((found[1] == 0) & (found[2] > 1), axis=-1).astype(float)


DATA_SETS_HAVE_SPREAD = Assumption(
    code="TA728",
    needs="the runs of every data set differ",
    broken="on {size} of the data sets all runs differ by the same: nothing shows how far that can be trusted, and the"
    " smallest spread of the others is taken for theirs (where nothing differs, not even between data sets, p is 1, the"
    " interval everything, and the posterior sits on the one difference)",
    otherwise="'wilcoxon-signed-rank' and 'bayesian-signed-rank' take every data set alike, and need no spread",
    figure=_without_spread,
    threshold=0,
)


ENOUGH_FOR_A_SPREAD = Assumption(
    code="TA729",
    needs="there are {figure} data sets with scores of both, which is at least 5",
    rule="there are at least 5 data sets with scores of both",
    broken="only {figure} data sets have scores of both: how much the difference varies between data sets is hardly"
    " known, and the limits are as wide as the prior lets them be",
    otherwise="'random-effects' says as much with fewer assumptions; more data sets help, more runs of these do not",
    figure=_compared,
    threshold=5,
    source="gelman2006",
)
