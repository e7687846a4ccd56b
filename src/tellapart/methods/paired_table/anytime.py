"""Anytime-valid e-value and confidence sequence for two classifiers while examples arrive."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import PairedTable
from ...evidence.validation import as_difference
from ...numerics.distributions import log_beta_front
from ...numerics.orientation import orientation
from ...numerics.repetition import each_row_once, in_blocks
from ...numerics.roots import solve
from ...numerics.wealth import Wealth, both_ways, one_way
from ...typing_ import Alternative, FloatArray, Numbers, Side, as_alpha, is_real
from ..evalues import EvaluePivot
from ..pivots import Limits
from ..registry import Standing, procedure

_BLOCK = 1024  # tables whose nodes fit the processor's cache
_LAST = 1 - 2**-53  # the largest difference below 1


@procedure(
    name="mcnemar-evalue",
    title="confidence sequence",
    evidence=PairedTable,
    parameter="difference",
    guarantees=True,
    standing=Standing.RECOMMENDED,
    validity="any number of examples and of interim analyses",
    note=lambda prior=1.0, **_: f"anytime-valid, bets from Beta({prior:g}, {prior:g})",
    rationale=(
        "anytime-valid: the coverage holds over all interim analyses together; wider than Tango's"
        " interval at a single analysis"
    ),
    reference="waudbysmith2024",
    test={
        "title": "McNemar e-value",
        "rationale": (
            "anytime-valid: test after every example and stop at any time; less power than mid-p at a single analysis"
        ),
        "reference": "robbins1970",
        "statistic": "e-value",
    },
)
def mcnemar_evalue(table: PairedTable, *, prior: float = 1.0) -> EvaluePivot:
    """Anytime-valid confidence sequence and test for the difference of paired error rates.

    Parameters
    ----------
    table
        The counts so far: one table, or an array of them.
    prior
        κ of the Beta distribution that the bets come from, 0.1 or more: 1 is uniform, larger values favour small
        differences. It has to be chosen before the first analysis.

    Notes
    -----
    E = 2^(b+c) B(b + κ, c + κ)/B(κ, κ) for a null difference of 0, with b and c the discordant counts; p = 1/E, at most
    1.

    Each example multiplies the capital of a bet by 1 + λ(W − δ), with W = 1 if only A is wrong, −1 if only B is wrong,
    and δ the difference under the null hypothesis. The e-value is the final capital of an initial 1, averaged over
    λ = −1/(1 − δ) + 2u/(1 − δ²) with u from Beta(κ, κ). If δ is true, it ever reaches 1/α with probability at most α
    (Ville 1939), so the p-value may be read after every example, and sampling may be stopped because of it. One-sided,
    only the bets on that side are made, with Beta(κ, κ) truncated at λ = 0: they lose on average under every difference
    on the other side. The statistic is the e-value (at most the largest float).

    The interval contains the differences with an e-value below 1/α. With probability at least 1 − α the intervals of
    all analyses contain the true difference. log E is convex in δ and at most 0 at the estimate, so the region is an
    interval that contains the estimate. A bound is that of the one-sided test.

    Examples
    --------
    >>> fitted = mcnemar_evalue(PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45))
    >>> fitted.test().statistic.round(3), fitted.test().pvalue.round(3)
    (np.float64(5.199), np.float64(0.192))
    >>> round(fitted.interval().low, 4), round(fitted.interval().high, 4)
    (np.float64(-0.03), np.float64(0.3275))
    """
    prior, cells = as_kappa(prior), (table.only_a_wrong, table.only_b_wrong, table.examples)

    def log_evalue(against: Any, alternative: Alternative) -> Numbers:
        null = np.asarray(as_difference(against, table))
        if null.ndim:
            b, c, n = (np.ravel(cell) for cell in cells)
            return _log_evalue(b, c, n, null.ravel(), alternative, prior).reshape(table.shape)
        return each_row_once(lambda b, c, n: _log_evalue(b, c, n, null, alternative, prior), *cells)

    def invert(target: float, side: Side) -> Limits:
        wealth = both_ways if side == "two" else _wealth_below

        def limits(b: Any, c: Any, n: Any) -> Limits:
            b, c, n = (cell.astype(float) for cell in (b, c, n))
            # Only the requested end is computed.
            low = np.full(b.shape, -1.0) if side == "upper" else -_upper_limit(wealth, c, b, n, target, prior)
            high = np.full(b.shape, 1.0) if side == "lower" else _upper_limit(wealth, b, c, n, target, prior)
            return low, high

        low, high = each_row_once(lambda *cells: in_blocks(limits, *cells, size=_BLOCK), *cells)
        return low, high

    return EvaluePivot(log_evalue, invert)


def _log_evalue(b: Any, c: Any, n: Any, null: Any, alternative: Alternative, prior: float) -> Numbers:
    if alternative == "two-sided":  # bets are the same if A and B are swapped, to the last digit
        turned = orientation(np.broadcast_to(null, b.shape), (b - c)[:, None]) < 0
        b, c, null = np.where(turned, c, b), np.where(turned, b, c), np.abs(null)
    if alternative == "two-sided" and not np.any(null):  # depends on the discordant counts only, in closed form
        return log_beta_front(prior, prior, 0.5) - log_beta_front(b + prior, c + prior, 0.5)
    wealth: Wealth = {"two-sided": both_ways, "greater": one_way, "less": _wealth_below}[alternative]

    def logs(b: Any, c: Any, n: Any, null: Any) -> tuple[FloatArray, FloatArray]:
        return wealth(b.astype(float), c.astype(float), n.astype(float), null, prior)

    return in_blocks(logs, b, c, n, np.broadcast_to(null, b.shape), size=_BLOCK)[0]


def _wealth_below(b: Any, c: Any, n: Any, delta: Any, prior: float) -> tuple[Numbers, Numbers]:
    """Return log E of bets on a mean below δ only, and its slope in δ."""
    log, slope = one_way(c, b, n, -delta, prior)
    return log, -slope


def _upper_limit(wealth: Wealth, b: Any, c: Any, n: Any, target: float, prior: float) -> FloatArray:
    """Return the largest δ at which log E does not exceed the target.

    log E is convex and increases beyond the estimate, so Newton's steps converge from above. They start at the limit of
    a normal approximation whose variance grows with δ.
    """
    estimate = (b - c) / n
    variance = (b + c) / n - estimate**2
    z = 2 * target + np.log1p(n * variance / prior)
    start = (z + np.sqrt(z * z + 4 * n * variance * z)) / (2 * n)

    def step(distance: Any) -> tuple[Numbers, Numbers]:
        log, slope = wealth(b, c, n, np.minimum(estimate + distance, _LAST), prior)
        change = (log - target) / slope
        near = np.abs(change) <= 1e-7 * distance  # the error of one more step is of the order of its square
        return np.where(near, 0.0, log - target), distance - change

    room = 1 - estimate
    # If only A makes discordant errors, the limit is 1, as it is if the root is closer to 1 than the nearest float.
    open_ = wealth(b, c, n, np.full(b.shape, _LAST), prior)[0] <= target
    distance = solve(step, np.minimum(start, room / 2), np.where(open_, room, 0.0), room)
    log, slope = wealth(b, c, n, np.minimum(estimate + distance, _LAST), prior)
    with np.errstate(divide="ignore", invalid="ignore"):  # the slope is undefined at a limit of 1
        limit = estimate + distance - (log - target) / slope
    return np.where(open_, 1.0, np.clip(limit, estimate, 1.0))


def evalue_border(discordant: Any, examples: Any, *, against: float, alpha: float, prior: float = 1.0) -> FloatArray:
    """Return the number of discordant errors of A from which on the one-sided test rejects, or infinity.

    The e-value of the bets on a larger difference increases with A's share of the discordant pairs, and is defined for
    real numbers of them: the test rejects from the real number at which it reaches 1/α.

    Parameters
    ----------
    discordant
        The number of discordant pairs, above 0: an array of real numbers.
    examples
        The number of examples.
    against
        The difference under the null hypothesis; the alternative is that it is larger.
    alpha
        The level.
    prior
        κ of the Beta distribution that the bets come from.

    Examples
    --------
    >>> border = evalue_border(np.array([40.0]), np.array([200.0]), against=-0.01, alpha=0.05).round(3)
    >>> table = PairedTable(0, [27, 28], [13, 12], 160)
    >>> border, mcnemar_evalue(table).test(-0.01, "greater").pvalue.round(3)
    (array([27.929]), array([0.111, 0.047]))
    """
    discordant, examples = np.broadcast_arrays(np.asarray(discordant, dtype=float), np.asarray(examples, dtype=float))
    null, target = np.full(discordant.shape, float(against)), -np.log(as_alpha(alpha=alpha))

    def excess(of_a: FloatArray) -> FloatArray:
        return np.asarray(one_way(of_a, discordant - of_a, examples, null, prior)[0] - target)

    def step(of_a: FloatArray) -> tuple[FloatArray, FloatArray]:
        here, width = excess(of_a), 2.0**-13 * discordant
        aside = np.where(of_a > discordant / 2, of_a - width, of_a + width)
        change = here * (aside - of_a) / (excess(aside) - here)
        return np.where(np.abs(change) <= 1e-9 * discordant, 0.0, here), of_a - change

    start = discordant / 2 + np.clip(
        examples * against / 2 + np.sqrt(discordant * (target + 1) / 2), -discordant / 2, discordant / 2
    )
    border = solve(step, start, np.zeros(discordant.shape), discordant)
    return np.where(excess(discordant) < 0, np.inf, np.where(excess(np.zeros(discordant.shape)) >= 0, 0.0, border))


def as_kappa(prior: Any) -> float:
    """Return κ of the Beta(κ, κ) of the bets; raise InvalidOption if it is too small.

    Examples
    --------
    >>> as_kappa(2)
    2.0
    """
    if not (is_real(prior) and 0.1 <= prior < 1e9):
        raise InvalidOption(
            f"`prior` must be a number κ of Beta(κ, κ), 0.1 or more, got {prior!r}. For a uniform prior use prior=1."
        )
    return float(prior)
