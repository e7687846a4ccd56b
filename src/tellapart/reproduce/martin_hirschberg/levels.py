"""Martin and Hirschberg (1996), Table 5: levels of the textbook test and of the exact one, over all pairs of counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import tellapart as ta

from ...typing_ import IntArray
from ..run import Cell, Run

SIZES = (10, 20, 30, 50, 100)
LEVELS = ("<90", "[90,95)", "[95,99)", "[99,100]")
ACCURACY = {
    "90": "accuracy at 90%",
    "95": "accuracy at 95%",
    "99": "accuracy at 99%",
    "type_i": "conspicuous Type I",
    "type_ii": "conspicuous Type II",
}
_AT_ONCE = 200  # examples up to which a table is one task, of a few seconds


def cross_classified(run: Run, sizes: Sequence[int]) -> dict[int, IntArray]:
    """Return the number of the (N + 1)² pairs by approximate level (row) and exact level (column)."""
    cells = [
        {"N": size, "part": part, "of": parts}
        for size in sizes
        for parts in [1 if size <= _AT_ONCE else size // 10]
        for part in range(parts)
    ]
    tables: dict[int, IntArray] = {}
    for cell, each in zip(cells, run.cells(_levels, cells, 1), strict=True):
        tables[cell["N"]] = tables.get(cell["N"], 0) + each["counts"][0]
    return tables


def _levels(cell: Cell, trials: int, rng: np.random.Generator) -> dict[str, Any]:  # noqa: ARG001  # nothing is drawn
    """Return the counts for one part of the pairs.

    Both levels are the same for (m, k), (k, m) and (N − m, N − k), so a quarter of the pairs is enough.
    """
    size = cell["N"]
    m, k = np.triu_indices(size + 1)
    m, k = m[m + k <= size], k[m + k <= size]
    m, k = m[cell["part"] :: cell["of"]], k[cell["part"] :: cell["of"]]
    weight = np.where(m == k, 1, 2) * np.where(m + k == size, 1, 2)
    counts = ta.IndependentCounts(ta.ErrorCount(m, np.full_like(m, size)), ta.ErrorCount(k, np.full_like(k, size)))
    index = []
    for method in ("pooled-z", "martin-hirschberg-exact"):
        pvalue = np.asarray(ta.compare(counts, method=method).pvalue)
        index.append(np.sum([pvalue <= alpha * (1 + 1e-12) for alpha in (0.1, 0.05, 0.01)], axis=0))
    table = np.zeros((4, 4), dtype=np.int64)
    np.add.at(table, (index[0], index[1]), weight)
    return {"counts": table[None]}


def accuracies(table: IntArray) -> dict[str, float]:
    """Return the decisions that agree at each level, and the conspicuous errors, in percent.

    Examples
    --------
    >>> table = np.diag([60, 10, 10, 20])
    >>> table[2, 0] = 25
    >>> {name: round(share) for name, share in accuracies(table).items()}
    {'90': 80, '95': 80, '99': 100, 'type_i': 20, 'type_ii': 0}
    """
    agree = {
        str(level): table[:cut, :cut].sum() + table[cut:, cut:].sum() for cut, level in ((1, 90), (2, 95), (3, 99))
    }
    shares = agree | {"type_i": table[2:, 0].sum(), "type_ii": table[0, 2:].sum()}
    return {name: float(100 * count / table.sum()) for name, count in shares.items()}


def halved(table: IntArray) -> dict[str, float]:
    """Return `accuracies` if half of the pairs with an approximate level in [90, 95) are counted below, half above.

    Examples
    --------
    >>> table = np.diag([60, 10, 10, 20])
    >>> {name: round(share) for name, share in halved(table).items()}
    {'90': 95, '95': 95, 'type_i': 0}
    """
    moved = table.astype(float)  # pairs come with their mirror images, so halves are whole numbers
    moved[0] += table[1] / 2
    moved[2] += table[1] / 2
    moved[1] = 0
    shares = accuracies(moved)
    return {name: shares[name] for name in ("90", "95", "type_i")}
