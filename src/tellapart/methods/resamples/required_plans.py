"""Which learners and plans methods are for: what their registrations share, and the refusals of everything else."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidEvidence, InvalidOption
from ...evidence import Resamples
from ...typing_ import as_real

# What all methods state that compare two learners, and all that estimate the error of one.
OF_TWO: dict[str, Any] = {"question": 8, "evidence": Resamples, "parameter": "difference"}
OF_ONE: dict[str, Any] = {"question": 6, "evidence": Resamples}
WITH_LIMITS = OF_ONE | {"offers": ("estimate", "interval")}
T_OF_TWO = OF_TWO | {"statistic": "t"}
# Where training sets overlap, how much they vary is not seen in full (Dietterich 1998, section 3).
TRAINING_OVERLAPS: dict[str, Any] = {"sources_covered": ("test data", "learner", "labels")}
KFOLD = ("k-fold", "nested", "loo-star")  # plans that test every example once in each replicate


def refuse_crossed(name: str, resamples: Resamples) -> Resamples:
    """Return the evidence unless its training sets share one test set: then its losses are no independent runs."""
    if resamples.plan.kind == "delve":
        raise InvalidEvidence(
            f"method {name!r} takes every test set for one of its own, but by the plan {resamples.plan.name!r} all"
            " training sets share one. Take race.training_sets(), which 'quasi-f' and 'crossed-interval' are for."
        )
    return resamples


def require_one(name: str, resamples: Resamples) -> Resamples:
    """Return the evidence if it holds one learner."""
    if len(resamples.learners) != 1:
        raise InvalidEvidence(
            f"method {name!r} estimates the error of one learner, but these are {', '.join(resamples.learners)}. Take"
            f" one out by select({resamples.learners[0]!r})."
        )
    return resamples


def require_two(name: str, resamples: Resamples) -> Resamples:
    """Return the evidence if it holds two learners, whose losses are those of runs."""
    if resamples.parameter != "difference":
        raise InvalidEvidence(
            f"method {name!r} compares two learners, but the evidence holds {resamples.learners[0]!r} alone."
        )
    return refuse_crossed(name, resamples)


def require_pair(name: str, resamples: Resamples, *, least: int = 2) -> Resamples:
    """Return the evidence if it holds two learners on the same splits, and at least so many of these."""
    require_two(name, resamples)
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


def require_folds(name: str, resamples: Resamples, *, once: bool = False, instead: str) -> Resamples:
    """Return the evidence if its plan is k-fold (and of one replicate, if `once`), or name another method."""
    repeated = once and resamples.loss.shape[-2] > 1
    if resamples.plan.kind not in KFOLD or repeated:
        wanted = "one k-fold cross-validation" if once else "k-fold cross-validation"
        raise InvalidEvidence(
            f"method {name!r} needs {wanted}, but the plan is {resamples.plan.name!r}. Take method={instead!r}."
        )
    return resamples


def require_paired_folds(name: str, resamples: Resamples, *, once: bool = False, instead: str) -> Resamples:
    """Return the evidence if it holds two learners by a k-fold plan, with two test sets or more."""
    return require_folds(name, require_pair(name, resamples), once=once, instead=instead)


def wrong_plan(name: str, resamples: Resamples, wanted: str, remedy: str) -> InvalidEvidence:
    """Return the error that says which plan a method needs, which one there is and what to do."""
    return InvalidEvidence(
        f"method {name!r} needs {wanted}, but the plan is {resamples.plan.name!r} with {resamples.runs} test"
        f" set{'s' * (resamples.runs != 1)}. {remedy}"
    )


def find_bootstrap(resamples: Resamples) -> Resamples | None:
    """Return the bootstrap samples that the plan or one of its parts has."""
    return next((part for part in (resamples, *resamples.parts.values()) if part.plan.kind == "bootstrap"), None)


def find_apparent(resamples: Resamples) -> Resamples | None:
    """Return the resamples that were trained and tested on the same examples, which may be a part of a part."""
    if resamples.plan.kind == "apparent":
        return resamples
    wholes = (resamples, *resamples.parts.values())
    return next((whole.parts["apparent"] for whole in wholes if "apparent" in whole.parts), None)


_QUOTIENT = "Give their quotient: ratio=1/9 for 10-fold, ratio=0.5 for two thirds of training."


def as_ratio(name: str, resamples: Resamples, ratio: float | None, remedy: str = _QUOTIENT) -> float:
    """Return the size of a test set for each example trained on: what is stated, or what the sizes say."""
    if ratio is None:
        known = resamples.ratio
        if np.isnan(known):
            raise InvalidEvidence(
                f"method {name!r} needs the sizes of test and training sets, which plan {resamples.plan.name!r} does"
                f" not tell. {remedy}"
            )
        return known
    if not 0 <= as_real(ratio) < np.inf:  # NaN fails this, too
        raise InvalidOption(f"ratio must be a number, 0 or more (test size over training size), but is {ratio!r}.")
    return float(ratio)


def as_position(name: str, value: Any, most: int) -> int:
    """Return a number counted from 1 as a position, or say how far it may go."""
    if isinstance(value, bool) or not (isinstance(value, int | np.integer) and 1 <= value <= most):
        raise InvalidOption(f"{name} must be a whole number from 1 to {most}, but is {value!r}.")
    return int(value) - 1
