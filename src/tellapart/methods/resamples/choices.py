"""Rules that choose a learner and say nothing of how sure the choice is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from ...evidence import Resamples
from ...numerics.distributions import tail
from ...numerics.rounding import without_rounding
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Side, one_of
from ..limits import as_interval
from ..loss_scale import scale
from ..registry import ONE_TEST_SET, Standing, method
from .assumptions import CHOOSES_ONLY, JOINT_ERRORS_KNOWN, NOT_CHOSEN
from .common import other_plan, pair_of_learners, preferences
from .pooled import mcnemar_on_cv_interval
from .splittings import mean_se_w_interval

Ties = Literal["none", "first"]
_FACTS: dict[str, Any] = {
    "gives": "test",
    "question": 8,
    "evidence": Resamples,
    "parameter": "difference",
    "assumes": (CHOOSES_ONLY, NOT_CHOSEN),
    "standing": Standing.HEURISTIC,
    "told": lambda ties="none", **_: "a choice without a p-value" + ("; a tie goes to A" if ties == "first" else ""),
    "reference": "yang2006",
}


@method(
    name="vote",
    covers=(),  # a choice, without error bars
    **_FACTS,
    because="splittings outvote chance, but a splitting that is wrong for the task stays wrong however often it votes",
    statistic="share of splits for A",
)
def vote(resamples: Resamples, *, alternative: Alternative = "two-sided", ties: Ties = "none") -> TestResult:
    """Choose the learner that does better on more of the splits.

    The statistic is the share of splits that prefer A, a split where both did equally well counting half.
    There is no p-value: votes of overlapping splits are not independent.

    Parameters
    ----------
    resamples
        The losses of two learners on the same splits.
    alternative
        "two-sided", "greater" (only B may be chosen) or "less" (only A).
    ties
        Whom a split votes for where both did equally well, and whom half of the votes chooses: "none" of
        the two, or the "first", as the paper has it (Yang 2006, section 2.2). On small test sets, where ties
        are many, this favours the first by a lot.

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.9], plan="4x(2/3)")
    >>> found = vote(held)
    >>> found.statistic, found.chooses
    (np.float64(0.625), np.int64(-1))
    """
    signs = preferences(pair_of_learners("vote", resamples, least=1))
    if ties == "first":
        signs = np.where(signs == 0, -1, signs)
    toward_b = signs.mean(axis=(-2, -1))
    return _chosen((1 - toward_b) / 2, np.sign(signs.sum(axis=(-2, -1))), alternative, ties)


@method(
    name="mean-error-choice",
    covers=(),  # a choice, without error bars
    **_FACTS | {"told": lambda ties="first", **_: _FACTS["told"](ties=ties)},
    because="less of a lottery than one split, and nothing says how sure the choice is",
    statistic="difference",
)
def mean_error_choice(
    resamples: Resamples, *, alternative: Alternative = "two-sided", ties: Ties = "first"
) -> TestResult:
    """Choose the learner whose mean loss over all splits is smaller.

    The statistic is the difference of the mean losses. Yang's tables 1 to 3 choose so, with ties to the first.

    Parameters
    ----------
    resamples
        The losses of two learners on the same splits.
    alternative
        "two-sided", "greater" (only B may be chosen) or "less" (only A).
    ties
        Whom equal losses choose: the "first", or "none" of the two.

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.9], plan="4x(2/3)")
    >>> mean_error_choice(held).chooses
    np.int64(-1)
    """
    mean = _mean(pair_of_learners("mean-error-choice", resamples, least=1))
    return _chosen(mean, np.sign(mean), alternative, ties)


@method(
    name="holdout-choice",
    covers=(),  # a choice, without error bars
    **_FACTS | {"assumes": (CHOOSES_ONLY, JOINT_ERRORS_KNOWN, NOT_CHOSEN)},
    because="one split may favour either by chance; many that vote choose the better one more often",
    statistic="difference",
)
def holdout_choice(resamples: Resamples, *, alternative: Alternative = "two-sided", ties: Ties = "none") -> TestResult:
    """Choose the learner whose loss on the one test set is smaller.

    Parameters
    ----------
    resamples
        The losses of two learners on one split.
    alternative
        "two-sided", "greater" (only B may be chosen) or "less" (only A).
    ties
        Whom equal losses choose: "none" of the two, or the "first".

    Examples
    --------
    >>> holdout_choice(Resamples.from_scores([0.8], [0.9], plan="holdout")).chooses
    np.int64(1)
    """
    mean = _mean(_one_split(resamples))
    return _chosen(mean, np.sign(mean), alternative, ties)


@method(
    name="holdout-choice",
    covers=ONE_TEST_SET,
    **_FACTS | {"gives": "interval", "assumes": (JOINT_ERRORS_KNOWN, NOT_CHOSEN), "told": ""},
    because="Tango's limits speak for the two classifiers of this one split, and for no others",
)
def holdout_choice_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give Tango's limits for the one test set; everything, where it is not known who was wrong where.

    Of another loss than right and wrong they are those of `mean-se-w`.

    Examples
    --------
    >>> limits = holdout_choice_interval(Resamples.from_scores([0.8], [0.9], plan="holdout"))
    >>> limits.low, limits.high
    (np.float64(-1.0), np.float64(1.0))
    """
    name = "holdout-choice"
    if _one_split(resamples).together is not None:
        counted = resamples.metric.name == "error" and resamples.seeds == 1
        limits = mcnemar_on_cv_interval if counted else mean_se_w_interval
        return replace(limits(resamples, alpha=alpha, side=side), method=name)
    tail(alpha, side)  # refuses what is no level and no side
    low, high = (np.full(resamples.shape, end)[()] for end in resamples.range)
    return as_interval(name, (low, high), alpha, side, resamples.parameter, resamples.range)


def _one_split(resamples: Resamples) -> Resamples:
    name = "holdout-choice"
    if pair_of_learners(name, resamples, least=1).runs != 1:
        raise other_plan(name, resamples, "one split", "Take method='vote' or 'mean-error-choice'.")
    return resamples


def _mean(resamples: Resamples) -> FloatArray:
    return without_rounding(resamples.values.mean(axis=(-2, -1)), scale(resamples))


def _chosen(statistic: FloatArray, sign: FloatArray, alternative: Alternative, ties: Ties) -> TestResult:
    """Return the choice that a sign makes: −1 for A, 1 for B, and for 0 what `ties` says."""
    one_of("ties", ties, Ties)
    allowed = {"two-sided": (-1, 1), "less": (-1,), "greater": (1,)}[one_of("alternative", alternative, Alternative)]
    settled = np.where(np.asarray(sign) == 0, -1 if ties == "first" else 0, sign).astype(np.int64)
    chooses = np.where(np.isin(settled, allowed), settled, 0)[()]
    return TestResult(
        statistic=statistic,
        pvalue=np.full_like(statistic, np.nan)[()],
        rejects=(np.asarray(chooses) != 0)[()],
        chooses=chooses,
    )
