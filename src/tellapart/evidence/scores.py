"""Scores that were computed elsewhere, and sizes: laid out by replicate and fold, and turned into losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..metrics import ERROR, ERROR_AS_ACCURACY, Metric, is_share
from ..typing_ import FloatArray
from .of_learners import as_floats, as_metric_of_losses
from .plan import Plan, as_plan


def as_scores(name: str, row: Any) -> FloatArray:
    """Return one learner's scores, none of them missing."""
    scores = as_floats(f"the scores of {name}", row)
    if scores.ndim == 0 or scores.size == 0:
        raise InvalidEvidence(
            f"scores must be one for each split, but those of {name} are {'none' if scores.ndim else scores.item()}."
        )
    if not np.isfinite(scores).all():
        index = int(np.flatnonzero(~np.isfinite(scores))[0])
        raise InvalidEvidence(
            f"the scores must be finite, but that of {name} on split {index + 1} is {scores.flat[index]}. A fit that"
            " failed has this score by scikit-learn's error_score=nan: repair that learner, or leave it out."
        )
    return scores


def as_sizes(name: str, value: Any, grid: tuple[int, ...]) -> FloatArray:
    """Return the sizes of test or training sets by replicate and fold; NaN where they are not known."""
    sizes = as_floats(name, value)
    try:
        by_split = np.broadcast_to(sizes, grid)
    except ValueError:
        if sizes.ndim != 1 or sizes.size != grid[0] * grid[1]:
            raise InvalidEvidence(
                f"{name} must be one size, or one for each split (shape {grid}), but has shape {sizes.shape}."
            ) from None
        by_split = sizes.reshape(grid)  # in the order of the scores
    if not ((by_split > 0) & np.isfinite(by_split) | np.isnan(by_split)).all():
        raise InvalidEvidence(f"{name} must be sizes above 0, but has {by_split.min():g}.")
    return by_split


def leaves_one_out(plan: Plan | str, design: Plan, examples: int) -> bool:
    """Whether every test set is one example, by the plan's name or by the number of examples."""
    named = (Plan.parse(plan) if isinstance(plan, str) else plan).folds == 0
    if named and examples not in {0, design.folds}:
        raise InvalidEvidence(
            f"plan {design.name!r} tests every example once, but examples is {examples!r} and there are {design.folds}"
            " scores."
        )
    return named or (design.kind == "k-fold" and design.folds == examples)


def check_same_plan(named: Plan, recognised: Plan, examples: int) -> None:
    """Refuse a plan that is not that of the indices kept."""
    ours, theirs = ((plan.kind, plan.replicates, plan.folds) for plan in (named, recognised))
    if ours != theirs or (recognised.kind == "random" and abs(named.share - recognised.share) * examples > 2):
        raise InvalidEvidence(
            f"plan {named.name!r} was told, but the indices that cross_validate kept are of {recognised.name!r}. Leave plan"
            " out."
        )


def as_candidates(candidates: Any, many: int) -> list[int]:
    """Return which candidates are wanted, as a list of places."""
    if candidates is None:
        return list(range(many))
    listed = isinstance(candidates, Sequence | np.ndarray | range) and not isinstance(candidates, str)
    places = list(candidates) if listed else []
    good = (isinstance(number, int | np.integer) and not isinstance(number, bool) for number in places)
    if not places or not all(good) or any(not 0 <= number < many for number in places):
        raise InvalidOption(f"candidates must be a list of numbers from 0 to {many - 1}, but is {candidates!r}.")
    return [int(number) for number in places]


def check_same_resources(cv_results: Mapping[str, Any], chosen: Sequence[int]) -> None:
    """Refuse candidates that a successive halving trained on different numbers of examples."""
    if "n_resources" not in cv_results:
        return
    spent = [int(cv_results["n_resources"][index]) for index in chosen]
    if len(set(spent)) > 1:
        by_count = [np.flatnonzero(np.asarray(cv_results["n_resources"]) == count) for count in sorted(set(spent))]
        last = max(by_count, key=lambda places: places.size > 1 and places[-1]).tolist()  # of two candidates or more
        raise InvalidEvidence(
            "the candidates had different resources (n_resources"
            f" {', '.join(map(str, sorted(set(spent))))}), so that their scores are not of the same splits. Take those"
            f" of one iteration: candidates={last}."
        )


def arrange_scores(plan: Plan | str, rows: list[FloatArray], names: Sequence[str]) -> tuple[Plan, list[FloatArray]]:
    """Lay scores out by replicate and fold."""
    longest = max(row.shape[-1] for row in rows)
    design = as_plan(plan, longest)
    if design.kind == "seeds":  # not paired: one learner may have more seeds than another
        longest = max(longest, design.replicates)
        entries = {name: row.shape[:-1] for name, row in zip(names, rows, strict=True)}
        if len(set(entries.values())) > 1:
            text = ", ".join(f"{name} {shape}" for name, shape in entries.items())
            raise InvalidEvidence(f"every learner needs as many entries in front, but the shapes are {text}.")
        return replace(design, replicates=longest), [_pad_scores(row, longest)[..., :, None] for row in rows]
    sizes = {name: row.shape for name, row in zip(names, rows, strict=True)}
    if len(set(sizes.values())) > 1:
        text = ", ".join(f"{name} {shape}" for name, shape in sizes.items())
        raise InvalidEvidence(f"every learner needs a score for each split, but the shapes are {text}.")
    grid = (design.replicates, design.folds)
    if rows[0].shape[-2:] == grid:
        return design, rows
    if longest != design.replicates * design.folds:
        raise InvalidEvidence(
            f"plan {design.name!r} has {design.replicates * design.folds} splits, but there are {longest} scores."
        )
    return design, [row.reshape(*row.shape[:-1], *grid) for row in rows]


def _pad_scores(row: FloatArray, longest: int) -> FloatArray:
    """Let a row of fewer scores end in NaN."""
    padded = np.full((*row.shape[:-1], longest), np.nan)
    padded[..., : row.shape[-1]] = row
    return padded


def sizes_of(plan: Plan, examples: int, test: Any, train: Any) -> tuple[Any, Any]:
    """Return the sizes of test and training sets, as shares of all examples where their number is not known."""
    if (test is None) != (train is None):
        raise InvalidOption("test and train go together: give both sizes or none.")
    if test is not None:
        return test, train
    whole = float(examples or 1)
    if not np.isnan(plan.ratio):
        test = whole * plan.ratio / (1 + plan.ratio)
        # A tenth of 300 examples are 30 of them, and not a trifle fewer: checks count them.
        test = round(test) if abs(test - round(test)) < 1e-12 * whole else test
        return test, whole - test
    if plan.kind == "bootstrap":
        return whole * np.exp(-1), whole
    if plan.kind == "apparent" and examples:
        return whole, whole
    return np.nan, np.nan


def as_loss(scores: FloatArray, metric: str, higher_is_better: bool | None) -> tuple[FloatArray, Metric]:
    """Return scores as losses, and the metric that they stand for."""
    if not isinstance(metric, str):
        raise InvalidOption(f"metric must be a name, such as 'accuracy', but is {metric!r}.")
    if metric in {"error", "zero_one_loss"} and higher_is_better is not True:
        return scores, ERROR
    if metric == "accuracy" and higher_is_better is not False:
        return 1 - scores, ERROR_AS_ACCURACY
    if metric.startswith("neg_") and higher_is_better is not False:
        return -scores, as_metric_of_losses(metric.removeprefix("neg_"), higher_is_better=False)
    if is_share(metric) and higher_is_better is not False:
        return 1 - scores, as_metric_of_losses(metric, higher_is_better=True, ideal=1.0, bounds=(0.0, 1.0))
    if higher_is_better is None:
        raise InvalidOption(f"metric {metric!r} is not known here. Say higher_is_better=True or False.")
    called = as_metric_of_losses(metric, higher_is_better=higher_is_better)
    return called.loss(scores), called


def setting_text(setting: Any) -> str:
    """Name a candidate of a search by its settings."""
    return ", ".join(f"{key}={value}" for key, value in dict(setting).items()) or "default"
