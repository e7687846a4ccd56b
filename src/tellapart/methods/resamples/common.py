"""What comparisons of two learners ask of the evidence, and the reading that several of them share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import InvalidEvidence, InvalidOption
from ...evidence import Resamples
from ...numerics.rounding import without_rounding
from ...results import TestResult
from ...typing_ import FloatArray
from ..loss_scale import scale

KFOLD = ("k-fold", "nested", "loo-star")  # plans that test every example once in each replicate


def not_crossed(name: str, resamples: Resamples) -> Resamples:
    """Return the evidence unless its training sets share one test set: then its losses are no independent runs."""
    if resamples.plan.kind == "delve":
        raise InvalidEvidence(
            f"method {name!r} takes every test set for one of its own, but by the plan {resamples.plan.name!r} all"
            " training sets share one. Take race.training_sets(), which 'quasi-f' and 'crossed-interval' are for."
        )
    return resamples


def two_learners(name: str, resamples: Resamples) -> Resamples:
    """Return the evidence if it holds two learners, whose losses are those of runs."""
    if resamples.parameter != "difference":
        raise InvalidEvidence(
            f"method {name!r} compares two learners, but the evidence holds {resamples.learners[0]!r} alone."
        )
    return not_crossed(name, resamples)


def pair_of_learners(name: str, resamples: Resamples, *, least: int = 2) -> Resamples:
    """Return the evidence if it holds two learners on the same splits, and at least so many of these."""
    two_learners(name, resamples)
    if resamples.plan.kind == "seeds":
        raise InvalidEvidence(
            f"method {name!r} needs both learners on the same splits, but runs by the plan 'seeds' are not paired. Take"
            " method='welch'."
        )
    if resamples.runs < least:
        raise InvalidEvidence(
            f"method {name!r} needs {least} test sets or more, but the plan {resamples.plan.name!r} has"
            f" {resamples.runs}: one tells nothing of the spread. Race by a plan of more ('10x10'), or take"
            " method='mcnemar-on-cv'."
        )
    return resamples


def folds_only(name: str, resamples: Resamples, *, once: bool = False, instead: str) -> Resamples:
    """Return the evidence if its plan is k-fold (and of one replicate, if `once`), or name another method."""
    repeated = once and resamples.loss.shape[-2] > 1
    if resamples.plan.kind not in KFOLD or repeated:
        wanted = "one k-fold cross-validation" if once else "k-fold cross-validation"
        raise InvalidEvidence(
            f"method {name!r} needs {wanted}, but the plan is {resamples.plan.name!r}. Take method={instead!r}."
        )
    return resamples


def other_plan(name: str, resamples: Resamples, wanted: str, remedy: str) -> InvalidEvidence:
    """Return the error that says which plan a method needs, which one there is and what to do."""
    return InvalidEvidence(
        f"method {name!r} needs {wanted}, but the plan is {resamples.plan.name!r} with {resamples.runs} test"
        f" set{'s' * (resamples.runs != 1)}. {remedy}"
    )


_QUOTIENT = "Give their quotient: ratio=1/9 for 10-fold, ratio=0.5 for two thirds of training."


def as_ratio(name: str, resamples: Resamples, ratio: float | None, remedy: str = _QUOTIENT) -> float:
    """Return the size of a test set for each example trained on, as told or as the sizes say."""
    if ratio is None:
        found = resamples.ratio
        if np.isnan(found):
            raise InvalidEvidence(
                f"method {name!r} needs the sizes of test and training sets, which plan {resamples.plan.name!r} does"
                f" not tell. {remedy}"
            )
        return found
    if isinstance(ratio, bool) or not (isinstance(ratio, int | float | np.number) and 0 <= ratio < np.inf):
        raise InvalidOption(f"ratio must be a number, 0 or more (test size over training size), but is {ratio!r}.")
    return float(ratio)


def weights(resamples: Resamples) -> FloatArray:
    """Return the share of each test set in its replicate; equal shares where sizes are not known."""
    sizes = resamples.sizes
    shares: FloatArray = sizes / sizes.sum(axis=-1, keepdims=True)
    return shares


def preferences(resamples: Resamples) -> FloatArray:
    """Return by replicate and fold −1 where A did better, 1 where B did, and 0 for a tie; rounding is a tie."""
    signs: FloatArray = np.sign(without_rounding(resamples.values, scale(resamples)[..., None, None]))
    return signs


def speaking_for(difference: FloatArray, found: TestResult) -> TestResult:
    """Return what a test found, and for whom: for whoever its own difference points to, not that of the mean losses."""
    return replace(found, chooses=np.sign(difference).astype(np.int64)[()])


def as_place(name: str, value: Any, most: int) -> int:
    """Return a number counted from 1 as a position, or say how far it may go."""
    if isinstance(value, bool) or not (isinstance(value, int | np.integer) and 1 <= value <= most):
        raise InvalidOption(f"{name} must be a whole number from 1 to {most}, but is {value!r}.")
    return int(value) - 1
