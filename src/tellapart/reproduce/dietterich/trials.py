"""Dietterich (1998), section 6.1: a tree and the nearest neighbour, made equally good, on three tasks.

A trial draws 300 examples and splits them three ways: one third to test on, ten folds, and five times two halves. The
tree is fitted once a split, and meets the nearest neighbour at every degree of damage there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ...errors import MissingExtra, import_extra
from ...typing_ import FloatArray, IntArray
from ..data import pima
from ..run import Arrays, Cell, Run

FOUR = {  # the tests of section 6, and what the paper calls them
    "mcnemar-corrected": "McNemar",
    "difference-of-proportions": "proportions",
    "kfold-t": "10-fold t",
    "5x2cv-t": "5x2cv t",
}
PLANS = {"holdout": 200, "10-fold": 270, "5x2": 150}  # how many of the 300 examples each trains on
_EXAMPLES = 300


@dataclass(frozen=True, slots=True)
class TrialTask:
    """A task of the paper, what stands in for it, and how much of it is computed.

    Parameters
    ----------
    name
        What the paper calls it.
    shares
        Which parts λ of the gap between the undamaged learners are left open; the first is none of it.
    quick, most
        How many trials a quick and a full run take.
    quick_sets, most_sets
        By how many training sets learners are made equal there.
    """

    name: str
    shares: tuple[float, ...]
    quick: int
    most: int
    quick_sets: int
    most_sets: int

    @property
    def data(self) -> str:
        """What the examples are of: where the paper's not available, what stands in for them."""
        if self.name != "Pima":
            return {"EXP6": "curved", "Letter": "digits"}[self.name]
        try:
            pima()
        except MissingExtra:
            return "breast cancer"
        return "pima"

    @property
    def description(self) -> str:
        """The task with its stand-in, as a reader gets to see it."""
        return {
            "curved": "curved regions for EXP6",
            "digits": "digits for Letter",
            "pima": "Pima",
            "breast cancer": "breast cancer for Pima",
        }[self.data]


_FOUR_PARTS = (0.0, 0.25, 0.5, 0.75, 1.0)
TASKS = {
    "EXP6": TrialTask("EXP6", _FOUR_PARTS, quick=100, most=8_000, quick_sets=30, most_sets=1000),
    "Letter": TrialTask(
        "Letter", (0.0, 0.125, 0.25, 0.375, 0.5, 0.75, 1.0), quick=40, most=4_000, quick_sets=16, most_sets=400
    ),
    "Pima": TrialTask("Pima", _FOUR_PARTS, quick=100, most=8_000, quick_sets=40, most_sets=1000),
}


def tree() -> Any:
    """Return what stands in for C4.5: an entropy tree of leaves of two or more, pruned by cost and complexity."""
    trees = import_extra("sklearn.tree", "learn")
    return trees.DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, ccp_alpha=0.02, random_state=0)


def _nearest_learner(data: str, strength: float = 0.0) -> Any:
    """Return the nearest neighbour; its bad weights look at one side of the square, or at attributes by chance."""
    return lab.Weighted(strength=strength, direction=(1.0, 0.0) if data == "curved" else None)


@cache
def _load_data(name: str) -> Any:
    """Return a population, or examples and labels."""
    if name == "curved":
        return lab.CurvedRegions()
    if name == "pima":
        data = pima()
        return data.X, data.y
    shipped = import_extra("sklearn.datasets", "learn")
    return (shipped.load_digits if name == "digits" else shipped.load_breast_cancer)(return_X_y=True)


# --- What is measured -------------------------------------------------------------------------------


def equal_learners(cell: Cell, trials: int, rng: np.random.Generator) -> Arrays:
    """Damage the better learner until both err equally often over so many training sets, and less and less of it."""
    data = cell["data"]
    curve = lab.equalise(
        tree(),
        _nearest_learner(data),
        _load_data(data),
        _EXAMPLES,
        sets=trials,
        tested=500,
        step=0.03,
        rng=rng,
        progress=False,
    )
    gap = float(curve.gaps[-1])
    settings = [[curve.setting(size, share * gap) for size in curve.sizes] for share in cell["shares"]]
    return {
        "sizes": [curve.sizes],
        "errors": curve.errors[None],
        "settings": [settings],
        "flips": [curve.damaged == 0],
        "left": [curve.left],
        "left_error": [curve.standard_error],
    }


def real_trials(cell: Cell, trials: int, rng: np.random.Generator) -> Arrays:
    """Count the rejections of four tests at every fraction of the gap."""
    sklearn = import_extra("sklearn", "learn")
    data, shares = cell["data"], len(cell["shares"])
    tables = np.empty((trials, 4, shares), dtype=np.int64)
    losses = {"10-fold": np.empty((trials, shares, 2, 1, 10)), "5x2": np.empty((trials, shares, 2, 5, 2))}
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        for trial in range(trials):
            X, y = _draw_sample(_load_data(data), rng)  # noqa: N806
            order = rng.permutation(_EXAMPLES)
            errors = _measure_errors(cell, "holdout", (X, y), order[:200], order[200:], rng)
            a, b = errors[:, 0], errors[:, 1]
            tables[trial] = [(first & second).sum(axis=-1) for first in (a, ~a) for second in (b, ~b)]
            for plan, loss in losses.items():
                for replicate, fold in np.ndindex(loss.shape[-2:]):
                    if fold == 0:
                        parts = rng.permutation(_EXAMPLES).reshape(loss.shape[-1], -1)
                    others = np.delete(parts, fold, axis=0).ravel()
                    errors = _measure_errors(cell, plan, (X, y), others, parts[fold], rng)
                    loss[trial, :, :, replicate, fold] = errors.mean(axis=-1)
    both, only_a, only_b, neither = np.moveaxis(tables, 1, 0)
    table = ta.PairedTable(both, only_a, only_b, neither)
    folds, halves = (resamples(loss, plan) for plan, loss in losses.items())
    # Each test is given what it looks at.
    pvalues: list[Any] = [
        ta.compare(evidence, method=name) for evidence, name in zip((table, table, folds, halves), FOUR, strict=True)
    ]
    means = {plan: loss.mean(axis=(-2, -1)) for plan, loss in losses.items()}  # trial, share, learner
    means["holdout"] = np.stack([both + only_a, both + only_b], axis=-1) / 100
    every = np.stack([means[plan] for plan in PLANS], axis=1)  # trial, plan, share, learner
    return {
        "trials": [trials],
        "rejected": [[(each.pvalue <= 0.05).sum(axis=0) for each in pvalues]],
        "errors": [every.sum(axis=0)],
        "left": every[:, :, 0, 0] - every[:, :, 0, 1],
        "statistic": pvalues[3].statistic[:, 0],
        "folds": losses["10-fold"][:, 0, :, 0],
    }


def resamples(loss: FloatArray, plan: str) -> ta.Resamples:
    """Return error rates, by learner, replicate and fold along the last three dimensions, as evidence."""
    a, b = np.moveaxis(loss, -3, 0)
    return ta.Resamples.from_scores(a, b, plan=plan, metric="error", examples=_EXAMPLES)


def _draw_sample(data: Any, rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    """Return the examples of a trial, none twice, and their labels."""
    if hasattr(data, "draw"):
        X, y = data.draw((), _EXAMPLES, rng)  # noqa: N806
        return X, y
    X, y = data  # noqa: N806
    rows = rng.choice(len(y), _EXAMPLES, replace=False)
    return X[rows], y[rows]


def _measure_errors(
    cell: Cell, plan: str, data: tuple[FloatArray, IntArray], train: IntArray, test: IntArray, rng: np.random.Generator
) -> Any:
    """Return which test examples A and B get wrong, by part of the gap, learner and example."""
    X, y = data  # noqa: N806
    settings = cell["settings"][plan]
    wrong = np.empty((len(settings), 2, test.size), dtype=bool)
    wrong[:, 0] = tree().fit(X[train], y[train]).predict(X[test]) != y[test]
    if cell["flips"]:  # of two classes: what is flipped turns from right to wrong, or back
        wrong[:, 1] = _nearest_learner(cell["data"]).fit(X[train], y[train]).predict(X[test]) != y[test]
        wrong[:, 0] ^= rng.random((len(settings), test.size)) < np.array(settings)[:, None]
        return wrong
    for index, strength in enumerate(settings):
        near = _nearest_learner(cell["data"], strength).fit(X[train], y[train])
        wrong[index, 1] = near.predict(X[test]) != y[test]
    return wrong


# --- What came of it --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something happened in so many trials."""

    count: int
    trials: int

    @property
    def value(self) -> float:
        """The share of the trials."""
        return self.count / self.trials

    def limits(self, level: float = 0.95) -> tuple[float, float]:
        """Return Clopper and Pearson's limits."""
        count = ta.ErrorCount(self.count, self.trials)
        interval = ta.estimate(count, method="clopper-pearson", level=level).interval
        return float(interval.low), float(interval.high)

    def surely_above(self, bound: float) -> bool:
        """Whether chance does not explain that it lies above: one in a thousand."""
        return self.limits(0.998)[0] > bound

    def surely_below(self, bound: float) -> bool:
        """Whether chance does not explain that it lies below: one in a thousand."""
        return self.limits(0.998)[1] < bound

    def against(self, bound: float) -> str:
        """Say on which side of a bound it lies, if trials tell."""
        side = "above" if self.surely_above(bound) else "below" if self.surely_below(bound) else "not different from"
        return f"{self}, {side} {bound:g}"

    def __str__(self) -> str:
        low, high = self.limits()
        return f"{self.value:.3f} ({low:.3f} to {high:.3f})"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Tried:
    """What the trials of a task came to.

    Parameters
    ----------
    sizes, errors
        Sizes of training sets, and the mean errors of the undamaged tree and nearest neighbour, by learner and size.
    left, left_error
        By plan: the difference that is left between learners made equal, over the trials, and its standard error.
    measured
        Their mean errors over the trials, by plan, part of the gap and learner.
    rejected
        The number of rejections, by test and fraction of the gap.
    statistic, folds
        By trial, where the learners are equal: the 5x2cv statistic, and both learners' errors in ten folds.
    """

    task: TrialTask
    sizes: IntArray
    errors: FloatArray
    left: FloatArray
    left_error: FloatArray
    measured: FloatArray
    trials: int
    rejected: dict[str, IntArray]
    statistic: FloatArray
    folds: FloatArray

    @property
    def gap(self) -> float:
        """By how much the undamaged learners differ when trained on all 300 examples."""
        return float(self.errors[0, -1] - self.errors[1, -1])

    @property
    def points(self) -> FloatArray:
        """By how many percentage points the learners differ at each part of the gap."""
        gaps: FloatArray = 100 * abs(self.gap) * np.array(self.task.shares)
        return gaps

    def rate(self, test: str, index: int = 0) -> Rate:
        """Return the rejection rate of a test at a fraction of the gap; the first is for equal learners."""
        return Rate(int(self.rejected[test][index]), self.trials)

    def target(self, share: float) -> FloatArray:
        """Return the errors that the damaged learner was to have, by size, where so much of the gap is open."""
        worse, better = self.errors if self.gap > 0 else self.errors[::-1]
        errors: FloatArray = worse - share * (worse - better)
        return errors


def tried(run: Run, name: str) -> Tried:
    """Make the learners of a task equal, and take its trials."""
    task = TASKS[name]
    sets = run.size(
        1000,
        quick=task.quick_sets,
        most=task.most_sets,
        of=f"training sets to make learners equal by, {task.description}",
    )
    trials = run.size(1000, quick=task.quick, most=task.most, of=f"trials, {task.description}")
    cell: dict[str, Any] = {"data": task.data, "shares": list(task.shares)}
    (equal,) = run.cells(equal_learners, [cell], sets, block=sets)
    sizes = equal["sizes"][0].tolist()
    # Rounded, so that the last bit of a sum on another machine does not draw other random numbers.
    settings = {plan: equal["settings"][0][:, sizes.index(size)].round(4).tolist() for plan, size in PLANS.items()}
    cell |= {"settings": settings, "flips": bool(equal["flips"][0])}
    with import_extra("threadpoolctl", "learn").threadpool_limits(1):  # on products this small, threads only wait
        (measured,) = run.cells(real_trials, [cell], trials, block=50)
    total = int(measured["trials"].sum())
    return Tried(
        task=task,
        sizes=equal["sizes"][0],
        errors=equal["errors"][0],
        left=measured["left"].mean(axis=0),
        left_error=measured["left"].std(axis=0, ddof=1) / np.sqrt(total),
        measured=measured["errors"].sum(axis=0) / total,
        trials=total,
        rejected=dict(zip(FOUR, measured["rejected"].sum(axis=0), strict=True)),
        statistic=measured["statistic"],
        folds=measured["folds"],
    )
