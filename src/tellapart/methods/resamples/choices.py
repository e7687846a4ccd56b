"""Rules that choose a learner without a p-value."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ...evidence import Resamples
from ...results import TestResult
from ...typing_ import Alternative, FloatArray, one_of
from ..pivots import Pivot
from ..registry import ONE_TEST_SET, Standing, procedure, test
from .assumptions import CHOOSES_ONLY, JOINT_ERRORS_KNOWN, NOT_SELECTED
from .moments import fit_student, mean_of_splits, preferences
from .pooled import mcnemar_on_cv_interval, mean_se_w
from .required_plans import OF_TWO, require_pair, wrong_plan

Ties = Literal["none", "first"]


def _state_ties(ties: Ties = "none", **_: Any) -> str:
    return "a choice without a p-value" + ("; a tie goes to A" if ties == "first" else "")


_FACTS = OF_TWO | {"standing": Standing.HEURISTIC, "reference": "yang2006"}
_CHOICE = _FACTS | {"sources_covered": (), "assumes": (CHOOSES_ONLY, NOT_SELECTED)}


@test(
    name="vote",
    title="majority vote",
    **_CHOICE,
    rationale="averages over splits, but has no p-value and does not remove a bias of the design",
    statistic="share of splits for A",
    note=_state_ties,
)
def vote(resamples: Resamples, *, alternative: Alternative = "two-sided", ties: Ties = "none") -> TestResult:
    """Choose the learner with the lower loss on more of the splits.

    The statistic is the share of splits that prefer A; ties count half. There is no p-value: the votes of overlapping
    splits are not independent.

    Parameters
    ----------
    resamples
        The losses of two learners on the same splits.
    alternative
        "two-sided", "greater" (only B may be chosen) or "less" (only A).
    ties
        The learner that a tied split votes for, and that is chosen by half of the votes: "none" of the two, or the
        "first" (Yang 2006, section 2.2). On small test sets with many ties this strongly favours the first.

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
    title="smaller mean loss",
    **_CHOICE,
    rationale="varies less from split to split than one test set, but has no p-value",
    statistic="difference",
    note=lambda ties="first", **_: _state_ties(ties),
)
def mean_error_choice(
    resamples: Resamples, *, alternative: Alternative = "two-sided", ties: Ties = "first"
) -> TestResult:
    """Choose the learner with the smaller mean loss over all splits.

    The statistic is the difference of the mean losses. It is the rule of tables 1 to 3 of Yang (2006), with ties to
    the first.

    Parameters
    ----------
    resamples
        The losses of two learners on the same splits.
    alternative
        "two-sided", "greater" (only B may be chosen) or "less" (only A).
    ties
        The learner chosen if the losses are equal: the "first", or "none" of the two.

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
    title="smaller loss on one test set",
    **_CHOICE | {"assumes": (CHOOSES_ONLY, JOINT_ERRORS_KNOWN, NOT_SELECTED)},
    rationale="one split may favour either learner by chance; a vote over many splits more often selects the better",
    statistic="difference",
    note=_state_ties,
)
def holdout_choice(resamples: Resamples, *, alternative: Alternative = "two-sided", ties: Ties = "none") -> TestResult:
    """Choose the learner with the smaller loss on the test set.

    Parameters
    ----------
    resamples
        The losses of two learners on one split.
    alternative
        "two-sided", "greater" (only B may be chosen) or "less" (only A).
    ties
        The learner chosen if the losses are equal: "none" of the two, or the "first".

    Examples
    --------
    >>> holdout_choice(Resamples.from_scores([0.8], [0.9], plan="holdout")).chooses
    np.int64(1)
    """
    mean = mean_of_splits(_require_one_split(resamples))
    return _as_choice(mean, mean, alternative, ties)


@procedure(
    name="holdout-choice",
    title="Tango score interval",
    offers=("interval",),
    **_FACTS,
    sources_covered=ONE_TEST_SET,
    assumes=(JOINT_ERRORS_KNOWN, NOT_SELECTED),
    rationale="applies to the two classifiers of this split, not to the learners",
)
def holdout_choice_interval(resamples: Resamples) -> Pivot:
    """Tango's interval for one test set; the whole range if only the scores are known.

    For another loss than the error rate it is the interval of `mean-se-w`.

    Examples
    --------
    >>> limits = holdout_choice_interval(Resamples.from_scores([0.8], [0.9], plan="holdout")).interval()
    >>> limits.low, limits.high
    (np.float64(-1.0), np.float64(1.0))
    """
    if _require_one_split(resamples).together is None:
        no_error = np.zeros(resamples.shape)[()]  # with a standard error of 0 the interval is the whole range
        return fit_student(resamples, no_error, no_error, np.inf)
    counted = resamples.metric.name == "error" and resamples.seeds == 1
    return mcnemar_on_cv_interval(resamples) if counted else mean_se_w(resamples)


def _require_one_split(resamples: Resamples) -> Resamples:
    if require_pair("holdout-choice", resamples, least=1).runs != 1:
        raise wrong_plan("holdout-choice", resamples, "one split", "Use method='vote'.")
    return resamples


def _as_choice(statistic: FloatArray, lead: FloatArray, alternative: Alternative, ties: Ties) -> TestResult:
    """Return the choice by the sign of B's lead: −1 for A, 1 for B; `ties` decides about 0."""
    one_of("ties", ties, Ties)
    allowed = {"two-sided": (-1, 1), "less": (-1,), "greater": (1,)}[one_of("alternative", alternative, Alternative)]
    choice = np.where(lead == 0, -1 if ties == "first" else 0, np.sign(lead)).astype(np.int64)
    chooses = np.where(np.isin(choice, allowed), choice, 0)[()]
    return TestResult(
        statistic=statistic,
        pvalue=np.full_like(statistic, np.nan)[()],
        rejects=chooses != 0,
        chooses=chooses,
    )
