"""Paired bootstrap intervals, by resampling the discordant counts.

Resampling n pairs with replacement changes the four cells only, which are multinomial, and the difference depends on
the discordant counts only. So a resample needs two binomial draws, for any n.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...evidence import PairedTable
from ...evidence.paired_table import CELLS
from ...numerics.blocks import blocks
from ...numerics.distributions import ratio, tail
from ...numerics.orientation import mirrored_limits, orientation
from ...results import Interval
from ...typing_ import FloatArray, IntArray, Side, as_generator, as_resamples
from ..limits import as_interval
from ..pivots import Limits
from ..registry import Standing, interval
from ..simulation import bca_percentiles, refuse_few_resamples
from .assumptions import DIFFERENCE_HAS_WIDTH, ENOUGH_DISAGREEMENTS

_DRAWN = 20_000_000  # differences in memory at once
_NEEDLESS: dict[str, Any] = {
    "evidence": PairedTable,
    "parameter": "difference",
    "assumes": (ENOUGH_DISAGREEMENTS, DIFFERENCE_HAS_WIDTH),
    "standing": Standing.FORBIDDEN,
    "rationale": "width 0 without discordant pairs; the counts are sufficient statistics, so resampling adds nothing",
}


@interval(name="percentile", title="percentile bootstrap interval", reference="efron1993", **_NEEDLESS)
def percentile(
    table: PairedTable, *, alpha: float = 0.05, side: Side = "two", resamples: int = 10_000, rng: Any = 0
) -> Interval:
    """Percentile bootstrap interval of the difference of paired error rates.

    Parameters
    ----------
    table
        The counts of one table, or of an array of them.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".
    resamples
        Number of resampled test sets.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> limits = percentile(PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45))
    >>> limits.low.round(2), limits.high.round(2)
    (np.float64(0.04), np.float64(0.26))
    """
    spent = tail(alpha, side)

    def limits(drawn: FloatArray, _: PairedTable) -> Limits:
        low, high = np.quantile(drawn, [spent, 1 - spent], axis=0)
        return low, high

    return as_interval("percentile", _limits_in_pieces(limits, table, spent, resamples, rng), alpha, side, "difference")


@interval(name="bca-bootstrap", title="BCa bootstrap interval", monotone=False, reference="efron1987", **_NEEDLESS)
def bca_bootstrap(
    table: PairedTable, *, alpha: float = 0.05, side: Side = "two", resamples: int = 10_000, rng: Any = 0
) -> Interval:
    """Bias-corrected and accelerated (BCa) bootstrap interval of the difference of paired error rates.

    The jackknife of the acceleration has three values only (without an error of A only, of B only, or another example),
    so it needs no further draws.

    Parameters
    ----------
    table
        The counts of one table, or of an array of them.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".
    resamples
        Number of resampled test sets.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> limits = bca_bootstrap(PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45))
    >>> limits.low.round(2), limits.high.round(2)
    (np.float64(0.04), np.float64(0.26))
    """
    spent = tail(alpha, side)

    def limits(drawn: FloatArray, piece: PairedTable) -> Limits:
        below = ((drawn < piece.difference).sum(axis=0) + (drawn == piece.difference).sum(axis=0) / 2) / len(drawn)
        return bca_percentiles(drawn, below, _jackknife_acceleration(piece), spent)

    return as_interval(
        "bca-bootstrap", _limits_in_pieces(limits, table, spent, resamples, rng), alpha, side, "difference"
    )


def _limits_in_pieces(
    limits: Callable[[FloatArray, PairedTable], Limits], table: PairedTable, spent: float, resamples: int, rng: Any
) -> Limits:
    """Return limits from the resampled differences, for blocks of tables that fit in memory."""
    rng, shape = as_generator(rng), table.shape
    flat = PairedTable(*(np.ravel(getattr(table, cell)) for cell in CELLS))
    low, high = np.empty(flat.shape), np.empty(flat.shape)
    refuse_few_resamples(as_resamples(resamples), spent)
    for here in blocks(low.size, _DRAWN // resamples):
        piece, turn = _orient_tables(flat[here])
        results = limits(resampled_differences(piece, resamples=resamples, rng=rng), piece)
        low[here], high[here] = mirrored_limits(*results, turn)
    return low.reshape(shape)[()], high.reshape(shape)[()]


def _orient_tables(table: PairedTable) -> tuple[PairedTable, IntArray]:
    """Return the tables with A and B swapped if "only B wrong" is more frequent, and −1 for swapped tables."""
    turn = orientation(table.only_a_wrong - table.only_b_wrong)
    only_first_wrong = np.where(turn < 0, table.only_b_wrong, table.only_a_wrong)
    return PairedTable(
        table.both_wrong, only_first_wrong, table.disagreements - only_first_wrong, table.both_right
    ), turn


def resampled_differences(table: PairedTable, *, resamples: int, rng: Any) -> FloatArray:
    """Return differences of resampled test sets, along the first dimension.

    Examples
    --------
    >>> resampled_differences(PairedTable(0, 0, 0, 10), resamples=3, rng=0)
    array([0., 0., 0.])
    """
    resamples, rng = as_resamples(resamples), as_generator(rng)
    n, discordant = table.examples, table.disagreements
    resampled = rng.binomial(n, discordant / n, size=(resamples, *table.shape))
    share = np.where(discordant == 0, 0.5, table.only_a_wrong / np.maximum(discordant, 1))
    of_a = rng.binomial(resampled, share)
    differences: FloatArray = (2 * of_a - resampled) / n
    return differences


def _jackknife_acceleration(table: PairedTable) -> FloatArray:
    """Return a sixth of the skewness of the jackknife: that of W, over √n."""
    mean = table.difference
    rest = table.examples - table.disagreements
    second = table.only_a_wrong * (1 - mean) ** 2 + table.only_b_wrong * (1 + mean) ** 2 + rest * mean**2
    third = table.only_a_wrong * (1 - mean) ** 3 - table.only_b_wrong * (1 + mean) ** 3 - rest * mean**3
    return ratio(third, 6 * second**1.5, empty=0.0)
