"""Rules that choose a learner and say nothing of how sure the choice is."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ...evidence import Resamples
from ...results import TestResult
from ...typing_ import Alternative, FloatArray, one_of
from ..pivots import Pivot
from ..registry import ONE_TEST_SET, Standing, procedure, test
from .assumptions import CHOOSES_ONLY, JOINT_ERRORS_KNOWN, NOT_CHOSEN
from .moments import fit_student, mean_of_splits, preferences
from .pooled import mcnemar_on_cv_interval, mean_se_w
from .required_plans import OF_TWO, require_pair, wrong_plan

Ties = Literal["none", "first"]


def _state_ties(ties: Ties = "none", **_: Any) -> str:
    return "a choice without a p-value" + ("; a tie goes to A" if ties == "first" else "")


_FACTS = OF_TWO | {"standing": Standing.HEURISTIC, "reference": "yang2006"}
_CHOICE = _FACTS | {"sources_covered": (), "assumes": (CHOOSES_ONLY, NOT_CHOSEN)}  # without error bars


@test(
    name="vote",
    **_CHOICE,
    rationale="splittings outvote chance, but a splitting that is wrong for the task stays wrong however often it votes",
    statistic="share of splits for A",
    note=_state_ties,
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
    >>> splits = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.9], plan="4x(2/3)")
    >>> result = vote(splits)
    >>> result.statistic, result.chooses
    (np.float64(0.625), np.int64(-1))
    """
    signs = preferences(require_pair("vote", resamples, least=1))
    if ties == "first":
        signs = np.where(signs == 0, -1, signs)
    toward_b = signs.mean(axis=(-2, -1))
    return _as_choice((1 - toward_b) / 2, signs.sum(axis=(-2, -1)), alternative, ties)


@test(
    name="mean-error-choice",
    **_CHOICE,
    rationale="less of a lottery than one split, and nothing says how sure the choice is",
    statistic="difference",
    note=lambda ties="first", **_: _state_ties(ties),
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
    >>> splits = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.9], plan="4x(2/3)")
    >>> mean_error_choice(splits).chooses
    np.int64(-1)
    """
    mean = mean_of_splits(require_pair("mean-error-choice", resamples, least=1))
    return _as_choice(mean, mean, alternative, ties)


@test(
    name="holdout-choice",
    **_CHOICE | {"assumes": (CHOOSES_ONLY, JOINT_ERRORS_KNOWN, NOT_CHOSEN)},
    rationale="one split may favour either by chance; many that vote choose the better one more often",
    statistic="difference",
    note=_state_ties,
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
    mean = mean_of_splits(_one_split(resamples))
    return _as_choice(mean, mean, alternative, ties)


@procedure(
    name="holdout-choice",
    offers=("interval",),
    **_FACTS,
    sources_covered=ONE_TEST_SET,
    assumes=(JOINT_ERRORS_KNOWN, NOT_CHOSEN),
    rationale="Tango's limits speak for the two classifiers of this one split, and for no others",
)
def holdout_choice_interval(resamples: Resamples) -> Pivot:
    """Give Tango's limits for the one test set; everything, where it is not known who was wrong where.

    Of another loss than right and wrong they are those of `mean-se-w`.

    Examples
    --------
    >>> limits = holdout_choice_interval(Resamples.from_scores([0.8], [0.9], plan="holdout")).interval()
    >>> limits.low, limits.high
    (np.float64(-1.0), np.float64(1.0))
    """
    if _one_split(resamples).together is None:
        unknown = np.zeros(resamples.shape)[()]  # without an error Student's limits are the range
        return fit_student(resamples, unknown, unknown, np.inf)
    counted = resamples.metric.name == "error" and resamples.seeds == 1
    return mcnemar_on_cv_interval(resamples) if counted else mean_se_w(resamples)


def _one_split(resamples: Resamples) -> Resamples:
    if require_pair("holdout-choice", resamples, least=1).runs != 1:
        raise wrong_plan("holdout-choice", resamples, "one split", "Take method='vote' or 'mean-error-choice'.")
    return resamples


def _as_choice(statistic: FloatArray, lead: FloatArray, alternative: Alternative, ties: Ties) -> TestResult:
    """Return the choice that the sign of B's lead makes: −1 for A, 1 for B, and for 0 what `ties` says."""
    one_of("ties", ties, Ties)
    allowed = {"two-sided": (-1, 1), "less": (-1,), "greater": (1,)}[one_of("alternative", alternative, Alternative)]
    settled = np.where(lead == 0, -1 if ties == "first" else 0, np.sign(lead)).astype(np.int64)
    chooses = np.where(np.isin(settled, allowed), settled, 0)[()]
    return TestResult(
        statistic=statistic,
        pvalue=np.full_like(statistic, np.nan)[()],
        rejects=chooses != 0,
        chooses=chooses,
    )
