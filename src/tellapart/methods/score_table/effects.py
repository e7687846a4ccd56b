"""How large the difference of two learners is over many data sets, besides any test."""

from __future__ import annotations

import numpy as np

from ...evidence import ScoreTable
from ...numerics.distributions import ratio
from ...results import Effects
from .differences import as_size, count_wins, pair_of_learners
from .signed_ranks import rank_sums
from .walsh import pseudomedian


def effect_sizes(table: ScoreTable, *, rope: float = 0.0) -> Effects:
    """Tell on how many data sets each of two learners wins, and how much better B is.

    Wins and ties are those of the data sets on which both have a score; `superiority` is the share of them that B wins,
    ties counted half. The rank biserial correlation is (W₊ − W₋)/(W₊ + W₋) of the ranks of the differences by size,
    zeros ranked and then left out (0 if all are); `typical` is the median of the means of every two differences. Both
    are of the differences themselves, whatever the rope. Without a data set that both have a score on they are NaN.

    Parameters
    ----------
    table
        The scores of two learners: one table, or all pairs of several by `pairs()`.
    rope
        Differences up to this size count as ties, in units of the metric: 0.01 for one point of accuracy.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.8, 0.9], [0.7, 0.85], [0.6, 0.64], [0.5, 0.7], [0.9, 0.88], [0.7, 0.9]])
    >>> print(effect_sizes(table, rope=0.05))
    wins           A 0, tie 2 (within 0.05), B 4
    superiority    0.833
    rank biserial  0.905
    typical        0.12
    """
    rope = as_size("rope", rope)
    whole, unit = pair_of_learners("effect_sizes", table).steps()
    # In whole steps, as the differences: one that is the rope itself ties.
    a, tied, b = count_wins(whole, np.round(rope / unit))
    sums, _ = rank_sums(whole.reshape(-1, whole.shape[-1]))
    lead = ratio(2.0 * sums.plus - sums.total, sums.total, empty=0.0).reshape(table.shape)
    return Effects(
        a_wins=a,
        ties=tied,
        b_wins=b,
        superiority=ratio(b + tied / 2, a + tied + b, empty=np.nan),
        rank_biserial=np.where(a + tied + b > 0, lead, np.nan)[()],
        typical=pseudomedian(table),
        rope=rope,
    )
