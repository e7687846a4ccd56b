"""Effect sizes of two learners over many data sets."""

from __future__ import annotations

import numpy as np

from ...evidence import ScoreTable, expect
from ...numerics.distributions import ratio
from ...results import Effects
from .differences import as_size, count_wins, pair_of_learners
from .signed_ranks import rank_sums
from .walsh import pseudomedian


def effect_sizes(table: ScoreTable, *, rope: float = 0.0) -> Effects:
    """Return the wins and ties of two learners over data sets, and the size of the difference.

    Wins and ties are counted over the data sets on which both have a score; `superiority` is the share that B wins,
    ties counted half. The rank biserial correlation is (W₊ − W₋)/(W₊ + W₋) of the ranks of the differences by size,
    zeros ranked and then left out (0 if all are zero); `typical` is the median of the means of every two differences.
    Neither depends on the rope. Without a data set on which both have a score they are NaN.

    Parameters
    ----------
    table
        The scores of two learners: one table, or all pairs of several by `pairs()`.
    rope
        Differences up to this size count as ties, in units of the metric: 0.01 is 1 pp of accuracy.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.8, 0.9], [0.7, 0.85], [0.6, 0.64], [0.5, 0.7], [0.9, 0.88], [0.7, 0.9]])
    >>> effects = effect_sizes(table, rope=0.05)
    >>> int(effects.a_wins), int(effects.ties), int(effects.b_wins)
    (0, 2, 4)
    >>> effects.superiority.round(3), effects.rank_biserial.round(3), effects.typical.round(3)
    (np.float64(0.833), np.float64(0.905), np.float64(0.12))
    """
    expect(ScoreTable, table, name="table")
    rope = as_size("rope", rope)
    whole, unit = pair_of_learners("effect_sizes", table).steps()
    # In whole steps, as the differences are: a difference equal to the rope ties.
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
