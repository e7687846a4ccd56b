"""The learners and the cross-validation designs that methods are for: shared facts, and errors for all others."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidEvidence, InvalidOption
from ...evidence import Resamples
from ...figures import count_text, join_names
from ...typing_ import as_real

# The facts of all methods that compare two learners, and of all that estimate the error of one.
OF_TWO: dict[str, Any] = {"question": 8, "evidence": Resamples, "parameter": "difference"}
OF_ONE: dict[str, Any] = {"question": 6, "evidence": Resamples}
WITH_LIMITS = OF_ONE | {"offers": ("estimate", "interval")}
T_OF_TWO = OF_TWO | {"statistic": "t"}
# With overlapping training sets their variation is understated (Dietterich 1998, section 3).
TRAINING_OVERLAPS: dict[str, Any] = {"sources_covered": ("test data", "learner", "labels")}
KFOLD = ("k-fold", "nested", "loo-star")  # plans that test every example once in each replicate


def refuse_crossed(name: str, resamples: Resamples) -> Resamples:
    """Return the evidence, or raise InvalidEvidence if its training sets share one test set."""
    if resamples.plan.kind == "delve":
        raise InvalidEvidence(
            f"method {name!r} needs a test set for each training set, got plan {resamples.plan.name!r} with one for"
            " all. Use race.training_sets() with method='quasi-f' or 'crossed-interval'."
        )
    return resamples


def require_one(name: str, resamples: Resamples) -> Resamples:
    """Return the evidence, or raise InvalidEvidence if it has several learners."""
    if len(resamples.learners) != 1:
        raise InvalidEvidence(
            f"method {name!r} estimates the error of one learner, got {len(resamples.learners)}"
            f" ({join_names(resamples.learners)}). Use select({resamples.learners[0]!r})."
        )
    return resamples


def require_two(name: str, resamples: Resamples) -> Resamples:
    """Return the evidence, or raise InvalidEvidence if it has not two learners with a test set for each run."""
    if resamples.parameter != "difference":
        raise InvalidEvidence(
            f"method {name!r} compares two learners, got {resamples.learners[0]!r} alone. Add another learner."
        )
    return refuse_crossed(name, resamples)


def require_pair(name: str, resamples: Resamples, *, least: int = 2) -> Resamples:
    """Return the evidence, or raise InvalidEvidence if it has not two learners on `least` common splits."""
    require_two(name, resamples)
    if resamples.plan.kind == "seeds":
        raise InvalidEvidence(
            f"method {name!r} needs both learners on the same splits, got unpaired runs (plan 'seeds'). Use"
            " method='welch'."
        )
    if resamples.runs < least:
        raise InvalidEvidence(
            f"method {name!r} needs {least} test sets or more, got {resamples.runs} (plan {resamples.plan.name!r})."
            " Use plan='10x10', or method='mcnemar-on-cv'."
        )
    return resamples


def require_folds(name: str, resamples: Resamples, *, once: bool = False, instead: str) -> Resamples:
    """Return the evidence, or raise InvalidEvidence if it is not from (one, if `once`) k-fold cross-validation."""
    repeated = once and resamples.loss.shape[-2] > 1
    if resamples.plan.kind not in KFOLD or repeated:
        design = "one k-fold cross-validation" if once else "k-fold cross-validation"
        raise InvalidEvidence(
            f"method {name!r} needs {design}, got plan {resamples.plan.name!r}. Use method={instead!r}."
        )
    return resamples


def require_paired_folds(name: str, resamples: Resamples, *, once: bool = False, instead: str) -> Resamples:
    """Return the evidence, or raise InvalidEvidence if it has not two learners and two folds or more."""
    return require_folds(name, require_pair(name, resamples), once=once, instead=instead)


def wrong_plan(name: str, resamples: Resamples, needed: str, remedy: str) -> InvalidEvidence:
    """Return the error for the wrong design: the required one, the actual one, and a remedy."""
    return InvalidEvidence(
        f"method {name!r} needs {needed}, got plan {resamples.plan.name!r} with"
        f" {count_text(resamples.runs, 'test set')}. {remedy}"
    )


def has_one_test_per_example(resamples: Resamples) -> bool:
    """Return whether the design is one cross-validation or one split."""
    once = resamples.plan.kind in KFOLD and resamples.loss.shape[-2] == 1
    return once or (resamples.plan.kind in {"random", "splits"} and resamples.runs == 1)


def counts_errors(resamples: Resamples) -> bool:
    """Return whether the errors of each example are known, for one seed."""
    return resamples.metric.name == "error" and resamples.seeds == 1 and resamples.together is not None


def find_bootstrap(resamples: Resamples) -> Resamples | None:
    """Return the resamples by bootstrap samples: these, or those among their parts."""
    return next((bag for bag in (resamples, *resamples.parts.values()) if bag.plan.kind == "bootstrap"), None)


def find_apparent(resamples: Resamples) -> Resamples | None:
    """Return the resamples that were trained and tested on the same examples, which may be a part of a part."""
    if resamples.plan.kind == "apparent":
        return resamples
    wholes = (resamples, *resamples.parts.values())
    return next((whole.parts["apparent"] for whole in wholes if "apparent" in whole.parts), None)


_STATE_RATIO = "Use ratio=1/9 for 10-fold cross-validation, ratio=0.5 for training on two thirds."


def as_ratio(name: str, resamples: Resamples, ratio: float | None, remedy: str = _STATE_RATIO) -> float:
    """Return the size of a test set over that of a training set: the option, or from the sizes."""
    if ratio is None:
        observed = resamples.ratio
        if np.isnan(observed):
            raise InvalidEvidence(
                f"method {name!r} needs the sizes of test and training sets, unknown for plan {resamples.plan.name!r}."
                f" {remedy}"
            )
        return observed
    if not 0 <= as_real(ratio) < np.inf:  # NaN fails this, too
        raise InvalidOption(f"`ratio` must be 0 or more (test size over training size), got {ratio!r}. {remedy}")
    return float(ratio)


def as_position(name: str, value: Any, most: int) -> int:
    """Return a number counted from 1 as an index, or raise InvalidOption if it is out of range."""
    if isinstance(value, bool) or not (isinstance(value, int | np.integer) and 1 <= value <= most):
        raise InvalidOption(f"{name} must be a whole number from 1 to {most}, got {value!r}.")
    return int(value) - 1
