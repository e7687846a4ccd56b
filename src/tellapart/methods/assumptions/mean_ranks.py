"""What methods for several learners by their ranks assume: TA711 to TA718."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...typing_ import Numbers
from .base import Assumption, Given


def _ranking(table: Any, _: Given) -> Numbers:
    """Return how many data sets rank the learners: not all that have a score there tie."""
    ranks = table.ranks
    middle = (len(table.learners) + 1) / 2
    return np.count_nonzero((np.nan_to_num(ranks, nan=middle) != middle).any(axis=-1), axis=-1)


RANKS_TELL_APART = Assumption(
    code="TA711",
    needs="{figure} data sets rank the learners, which is at least 1",
    rule="some data set ranks the learners",
    broken="all learners tie on every data set, so nothing tells them apart: the statistic is 0, and p is 1",
    otherwise="scores with more digits may tell them apart, or more data sets; method='bayesian-signed-rank' with rope="
    " says how probable it is that two are as good in practice",
    figure=_ranking,
    threshold=1,
)


def _least(table: Any, _: Given) -> Numbers:
    from ..score_table.shuffled import least_pvalue

    return -least_pvalue(table.ranks)


CAN_REJECT_BY_RANKS = Assumption(
    code="TA712",
    needs="the smallest p-value that ranks on so many data sets can give, {size}, is below alpha",
    rule="the smallest p-value that ranks on so many data sets can give is below alpha",
    broken="no ranks on so few data sets could reach alpha: the smallest possible p-value is {size}",
    otherwise="more data sets are needed; where each has several runs, method='random-effects' looks at these, too",
    figure=_least,
    threshold=lambda given: -given.alpha,
    strict=True,
)


def _changed(pairs: Callable[[Any], Any]) -> Callable[[Any, Given], Numbers]:
    """Return how many verdicts on two learners change when one of the others is left out, with a minus."""

    def figure(table: Any, given: Given) -> Numbers:
        learners = table.learners
        first, second = np.triu_indices(len(learners), 1)
        claimed = pairs(table).pvalue < given.alpha
        changed = np.zeros(claimed.shape, dtype=bool)
        for place, name in enumerate(learners if len(learners) > 2 else ()):
            left = (first != place) & (second != place)
            others = table.select(*(other for other in learners if other != name))
            changed[..., left] |= claimed[..., left] != (pairs(others).pvalue < given.alpha)
        return -np.count_nonzero(changed, axis=-1)

    return figure


def _by_mean_ranks(table: Any) -> Any:
    from ..score_table.friedman import friedman_pairs
    from ..score_table.skillings_mack import skillings_mack_pairs

    return friedman_pairs(table) if table.complete else skillings_mack_pairs(table)


def _by_quade(table: Any) -> Any:
    from ..score_table.quade import quade_pairs

    return quade_pairs(table)


def _by_aligned_ranks(table: Any) -> Any:
    from ..score_table.aligned import aligned_pairs

    return aligned_pairs(table)


def _pool(code: str, ranks: str, pairs: Callable[[Any], Any]) -> Assumption:
    """Return the assumption that who else was ranked does not matter to two learners."""
    return Assumption(
        code=code,
        needs=f"leaving out any one learner would change no verdict on two others by {ranks} (each at alpha by itself)",
        broken=f"of the verdicts on two learners by {ranks} (each at alpha by itself), {{size}} would change if some"
        " other learner were left out: they depend on who else is in the pool (Benavoli, Corani and Mangili)",
        otherwise="method='wilcoxon-signed-rank' or 'sign-test' with adjust='holm' looks at these two alone",
        figure=_changed(pairs),
        threshold=0,
        source="benavoli2016",
    )


POOL_MATTERS_NOT = _pool("TA713", "mean ranks", _by_mean_ranks)
POOL_MATTERS_NOT_QUADE = _pool("TA714", "weighted ranks", _by_quade)
POOL_MATTERS_NOT_ALIGNED = _pool("TA715", "aligned ranks", _by_aligned_ranks)
ENOUGH_DATA_SETS_FOR_RANKS = Assumption(
    code="TA716",
    needs="{figure} data sets rank the learners, which is at least 10 (Demšar)",
    rule="at least 10 data sets rank the learners (Demšar)",
    broken="only {figure} data sets rank the learners: below 10 (Demšar) the curve that gives the p-value is no more"
    " than near what counting every way to rank gives",
    otherwise="method='friedman-exact' counts them, for a handful of learners",
    figure=_ranking,
    threshold=10,
    source="demsar2006",
)


def _alike(table: Any, _: Given) -> Numbers:
    """Return the range of scores at the lower quartile of data sets over that at the upper, where learners differ."""
    from ...numerics.distributions import ratio

    cells = table.cells
    ranges = np.sort(cells.max(axis=-1) - cells.min(axis=-1), axis=-1)
    many = ranges.shape[-1]
    tied = np.count_nonzero(ranges == 0, axis=-1)
    last = np.maximum(many - tied - 1, 0)
    low, high = (np.minimum(tied + step, many - 1) for step in (np.floor(last / 4), np.ceil(3 * last / 4)))
    quartiles = [np.take_along_axis(ranges, np.asarray(at, dtype=np.intp)[..., None], axis=-1) for at in (low, high)]
    return ratio(quartiles[0][..., 0], quartiles[1][..., 0], empty=1.0)


ONE_SCALE_FOR_RANKS = Assumption(
    code="TA717",
    needs="scores are about as far apart on all data sets (the quartiles of their range are as {figure} to 1, at least"
    " 0.1)",
    rule="scores are about as far apart on all data sets (the quartiles of their range are as 0.1 to 1, or closer)",
    broken="scores are far further apart on some data sets than on others (the quartiles of their range are as {figure}"
    " to 1, below 0.1), and the former count for more",
    otherwise="method='iman-davenport' lets each data set count alike, whatever its scale",
    figure=_alike,
    threshold=0.1,
)


def _apart(table: Any, _: Given) -> Numbers:
    """Return how many learners the first one cannot be compared with, by no way of data sets shared, with a minus."""
    from ..score_table.skillings_mack import linked

    known = table.known.astype(float)
    met = np.swapaxes(known, -1, -2) @ known > 0
    return -np.count_nonzero(~linked(met)[..., 0, :], axis=-1)


LEARNERS_MEET = Assumption(
    code="TA718",
    needs="every two learners share a data set, or are linked by others that do",
    broken="learners fall into groups that share no data set ({size} of them never met the first, not even by way of"
    " others): nothing compares one group with another",
    otherwise="try a learner of each group on the data sets of the others; method='wilcoxon-signed-rank' compares every"
    " two that share data sets",
    figure=_apart,
    threshold=0,
)
