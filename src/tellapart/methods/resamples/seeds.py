"""Runs that differ in their seed, which are not paired: t tests, and how often a run of B beats a run of A."""

from __future__ import annotations

from math import comb, inf
from typing import Any

import numpy as np

from ...evidence import Resamples
from ...numerics.blocks import blocks
from ...numerics.distributions import pvalue_of_tails, ratio, tail
from ...numerics.orientation import orientation
from ...numerics.rounding import without_rounding
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, IntArray, Side, as_generator, as_resamples, one_of
from ..limits import as_interval
from ..loss_scale import scale
from ..pivots import Student
from ..registry import Standing, procedure, test
from ..simulation import of_tails
from .assumptions import AS_MANY_RUNS, ENOUGH_RUNS, NOT_CHOSEN, SEEDS_HAVE_SPREAD, UNPAIRED_RUNS
from .moments import fit_student, moments_of_each
from .required_plans import OF_TWO, T_OF_TWO

_BLOCK = 4_000_000  # numbers in memory at once
_T_OF_SEEDS = T_OF_TWO | {"sources_covered": ("learner",), "standing": Standing.SOUND}


@procedure(
    name="unpaired-t",
    **_T_OF_SEEDS,
    assumes=(SEEDS_HAVE_SPREAD, AS_MANY_RUNS, UNPAIRED_RUNS, NOT_CHOSEN),
    rationale="right for runs of A and B that share nothing but the task; on paired data it misses differences",
    validity="as many runs of A as of B, whose variances do not differ much",
    where={"ratio": (1, 1), "spreads": (0.5, 2)},
    reference="martin1996",
)
def unpaired_t(resamples: Resamples) -> Student:
    """Two-sample t test and interval for the difference of mean losses over runs that share nothing (plan "seeds").

    t = x̄/√((s_A² + s_B²)/η) for η runs of each (Martin and Hirschberg 1996, section 3.3), and Student's two-sample t,
    with one variance pooled from both, where their numbers differ. On samples that both learners met it
    overestimates the error, and seven of thirty-five decisions of the paper came out wrong. It has η_A + η_B − 2
    degrees of freedom, the paper's η − 1.

    Examples
    --------
    >>> seeds = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="seeds")
    >>> unpaired_t(seeds).test().pvalue.round(4), unpaired_t(seeds).interval().high.round(4)
    (np.float64(0.0401), np.float64(-0.0079))
    """
    mean, deviation, runs = moments_of_each("unpaired-t", resamples)
    degrees = runs.sum(axis=-1) - 2
    pooled = np.hypot(*np.moveaxis(deviation * np.sqrt(runs - 1), -1, 0)) / np.sqrt(degrees)
    return fit_student(resamples, _subtract(resamples, mean), pooled * np.sqrt((1 / runs).sum(axis=-1)), degrees)


@procedure(
    name="welch",
    **_T_OF_SEEDS,
    assumes=(SEEDS_HAVE_SPREAD, UNPAIRED_RUNS, NOT_CHOSEN),
    rationale="needs neither as many runs of one as of the other nor equal variances",
    validity="5 runs or more of each learner",
    where={"runs": (5, inf)},
    reference="welch1947",
)
def welch(resamples: Resamples) -> Student:
    """Welch's t test and interval for the difference of mean losses over seeds, as many of each as there are.

    t = (x̄_A − x̄_B)/√(s_A²/n_A + s_B²/n_B) with Welch's degrees of freedom. All runs share one test set (and one
    training set, if only the seed changed), and the answer is about these alone.

    Examples
    --------
    >>> seeds = Resamples.from_scores([0.80, 0.74, 0.90, 0.82, 0.79], [0.70, 0.71, 0.72], plan="seeds")
    >>> result = welch(seeds).test()
    >>> result.statistic.round(3), result.pvalue.round(4), welch(seeds).interval().high.round(4)
    (np.float64(-3.744), np.float64(0.017), np.float64(-0.0283))
    """
    mean, deviation, runs = moments_of_each("welch", resamples)
    errors = deviation / np.sqrt(runs)
    error = np.hypot(errors[..., 0], errors[..., 1])
    # Without any spread the degrees of freedom are 0/0 and do not matter.
    share = ratio(errors, error[..., None], empty=0.5) ** 2
    return fit_student(resamples, _subtract(resamples, mean), error, 1 / (share**2 / (runs - 1)).sum(axis=-1))


def _subtract(resamples: Resamples, mean: FloatArray) -> FloatArray:
    return without_rounding(mean[..., 0] - mean[..., 1], scale(resamples))


# --- How often the better learner wins --------------------------------------------------------------


@test(
    name="probability-better-run",
    **OF_TWO,
    sources_covered=("learner",),
    assumes=(ENOUGH_RUNS, UNPAIRED_RUNS, NOT_CHOSEN),
    partner="welch",
    standing=Standing.HEURISTIC,
    rationale="it says how often the better learner wins, which is what a single run needs; its bootstrap is too sure of"
    " few runs",
    note="better in practice from 0.75 on (Bouthillier et al.)",
    statistic="P(B better)",
    reference="bouthillier2021",
)
def probability_better_run(
    runs: Resamples, *, alternative: Alternative = "two-sided", resamples: int = 2000, rng: Any = 0
) -> TestResult:
    """Give the share of pairs of runs in which B did better than A, and a bootstrap test of one half.

    Every run of A meets every run of B, ties counting half: the statistic of Mann and Whitney. The p-value is the
    share of bootstrap samples of the runs that fall on the other side of one half, doubled if
    two-sided, and never below what exchanging so many runs could give. Bouthillier et al. (2021) call
    B better where the interval (`better_run_interval`) lies above 0.5 and reaches 0.75.

    Parameters
    ----------
    runs
        The losses of A and of B over their seeds, not paired.
    alternative
        "two-sided", "greater" (B is better) or "less".
    resamples
        How often runs are drawn anew.
    rng
        A seed or a generator.

    Examples
    --------
    >>> seeds = Resamples.from_scores([0.80, 0.74, 0.70, 0.82, 0.79], [0.81, 0.83, 0.84, 0.80, 0.86], plan="seeds")
    >>> result = probability_better_run(seeds)
    >>> result.statistic, result.pvalue < 0.05
    (np.float64(0.9), np.True_)
    """
    one_of("alternative", alternative, Alternative)
    share, drawn, turn = _draw_shares("probability-better-run", runs, resamples, rng)
    behind = ((drawn <= 0.5).sum(axis=-1) + 1) / (resamples + 1)
    ahead = ((drawn >= 0.5).sum(axis=-1) + 1) / (resamples + 1)
    even = (ahead + behind) / 2  # for learners with the same runs
    at_least, at_most = (
        np.where(turn == 0, even, np.where(turn < 0, other, own)) for own, other in ((ahead, behind), (behind, ahead))
    )
    pvalue = pvalue_of_tails(at_least, at_most, alternative)
    met = np.moveaxis(np.isfinite(runs.loss).sum(axis=(-2, -1)), -1, 0)  # by A, by B
    ways = np.vectorize(lambda a, b: 1 / comb(int(a + b), int(a)), otypes=[float])(*met)
    least = np.minimum(ways * (2 if alternative == "two-sided" else 1), 1)
    return TestResult(
        statistic=share,
        pvalue=np.maximum(pvalue, least)[()],
        simulated=of_tails(pvalue, resamples, alternative),
    )


def better_run_interval(
    runs: Resamples, *, alpha: float = 0.05, side: Side = "two", resamples: int = 2000, rng: Any = 0
) -> Interval:
    """Give percentile bootstrap limits of the probability that a run of B does better than a run of A.

    Examples
    --------
    >>> seeds = Resamples.from_scores([0.80, 0.74, 0.70, 0.82, 0.79], [0.81, 0.83, 0.84, 0.80, 0.86], plan="seeds")
    >>> limits = better_run_interval(seeds)
    >>> bool(limits.low > 0.5), bool(limits.high >= 0.75)
    (True, True)
    """
    spent = tail(alpha, side)
    _, drawn, turn = _draw_shares("better_run_interval", runs, resamples, rng)
    low, high = np.quantile(drawn, [spent, 1 - spent], axis=-1)
    low, high = np.where(turn < 0, 1 - high, low), np.where(turn < 0, 1 - low, high)
    even = 0.5 + (high - low) / 2
    low, high = np.where(turn == 0, 1 - even, low)[()], np.where(turn == 0, even, high)[()]
    return as_interval("probability-better-run", (low, high), alpha, side, "P(B better)", (0.0, 1.0))


def _draw_shares(name: str, runs: Resamples, resamples: int, rng: Any) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return the share of pairs of runs that B wins, and how often the leader wins in bootstrap samples.

    These are along the last dimension. And −1 where the leader is A, 0 where both have the same runs: whichever learner
    leads meets the same draws.
    """
    moments_of_each(name, runs)  # two learners, two runs each
    count, shape = as_resamples(resamples), runs.shape
    loss = runs.loss.reshape(-1, 2, runs.runs)
    won = _share_of_wins(loss)
    known, filled = np.isfinite(loss).astype(float), np.nan_to_num(loss)
    # What tells A from B: where either has a run, and by how much runs differ.
    turn = orientation(won - 0.5, known[:, 0] - known[:, 1], filled[:, 0] - filled[:, 1])
    loss = np.where((turn < 0)[:, None, None], loss[:, ::-1], loss)
    known = np.isfinite(loss)
    # Every run is as likely as any other to be drawn: how often, by run; entries of like numbers share their draws.
    sizes = known.sum(axis=-1)
    drawn = np.empty((len(loss), count))
    for a, b in np.unique(sizes, axis=0):
        here = np.flatnonzero((sizes == (a, b)).all(axis=-1))
        generator = as_generator(rng)  # from the seed again: an entry gets the draws it would get alone
        times = [generator.multinomial(size, np.full(size, 1 / size), size=count) / size for size in (a, b)]
        for part in blocks(here.size, _BLOCK // (count * int(b))):
            block = here[part]
            first = loss[block, 0][known[block, 0]].reshape(-1, a, 1)
            second = loss[block, 1][known[block, 1]].reshape(-1, 1, b)
            drawn[block] = ((times[0] @ _wins(first, second)) * times[1]).sum(axis=-1)
    return won.reshape(shape)[()], drawn.reshape(*shape, count), turn.reshape(shape)[()]


def _wins(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return 1 where the loss of the first is larger, ½ where both are equal, else 0."""
    wins: FloatArray = (first > second) + 0.5 * (first == second)
    return wins


def _share_of_wins(loss: FloatArray) -> FloatArray:
    """Return the share of pairs of runs in which B did better, of losses by entry, learner and run."""
    wins = [  # a run that is not there (NaN) neither wins nor loses
        _wins(loss[block, 0, :, None], loss[block, 1, None, :]).sum(axis=(-2, -1))
        for block in blocks(len(loss), _BLOCK // loss.shape[-1] ** 2)
    ]
    share: FloatArray = np.concatenate(wins) / np.isfinite(loss).sum(axis=-1).prod(axis=-1)
    return share
