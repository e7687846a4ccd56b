"""Dietterich (1998), section 6.1: a tree and the nearest neighbour with equal errors, on three tasks.

A trial draws 300 examples and splits them in three ways: one third for testing, ten folds, and five times two halves.
The tree is fitted once per split, and compared with the nearest neighbour at every degree of damage.
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

FOUR = {  # the tests of section 6, and their names in the paper
    "mcnemar-corrected": "McNemar",
    "difference-of-proportions": "proportions",
    "kfold-t": "10-fold t",
    "5x2cv-t": "5x2cv t",
}
PLANS = {"holdout": 200, "10-fold": 270, "5x2": 150}  # training examples of each, out of 300
_EXAMPLES = 300


@dataclass(frozen=True, slots=True)
class TrialTask:
    """A task of the paper, its replacement, and the numbers of trials.

    Parameters
    ----------
    name
        Its name in the paper.
    shares
        The fractions λ of the gap between the undamaged learners; the first is 0, for equal learners.
    quick, most
        The numbers of trials of a quick and a full run.
    quick_sets, most_sets
        The numbers of training sets used to equalise the learners.
    """

    name: str
    shares: tuple[float, ...]
    quick: int
    most: int
    quick_sets: int
    most_sets: int

    @property
    def data(self) -> str:
        """The name of the data, or of their replacement if those of the paper are not available."""
        if self.name != "Pima":
            return {"EXP6": "curved", "Letter": "digits"}[self.name]
        try:
            pima()
        except MissingExtra:
            return "breast cancer"
        return "pima"

    @property
    def description(self) -> str:
        """The task with its replacement, for the output."""
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
    """Return the replacement of C4.5: an entropy tree with leaves of two or more and cost-complexity pruning."""
    trees = import_extra("sklearn.tree", "learn")
    return trees.DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, ccp_alpha=0.02, random_state=0)


def _nearest_learner(data: str, strength: float = 0.0) -> Any:
    """Return the nearest neighbour; its bad weights favour one axis of the square, or random attributes."""
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


# --- Measuring --------------------------------------------------------------------------------------


def equal_learners(cell: Cell, trials: int, rng: np.random.Generator) -> Arrays:
    """Return the damage of the better learner that equalises both, and settings for smaller damage."""
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
    # The evidence of each test.
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
    """Return error rates as evidence; the last three dimensions are learner, repeat and fold."""
    a, b = np.moveaxis(loss, -3, 0)
    return ta.Resamples.from_scores(a, b, plan=plan, metric="error", examples=_EXAMPLES)


def _draw_sample(data: Any, rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    """Return the examples of a trial, drawn without replacement, and their labels."""
    if hasattr(data, "draw"):
        X, y = data.draw((), _EXAMPLES, rng)  # noqa: N806
        return X, y
    X, y = data  # noqa: N806
    rows = rng.choice(len(y), _EXAMPLES, replace=False)
    return X[rows], y[rows]


def _measure_errors(
    cell: Cell, plan: str, data: tuple[FloatArray, IntArray], train: IntArray, test: IntArray, rng: np.random.Generator
) -> Any:
    """Return the errors of A and B on the test examples, by fraction of the gap, learner and example."""
    X, y = data  # noqa: N806
    settings = cell["settings"][plan]
    wrong = np.empty((len(settings), 2, test.size), dtype=bool)
    wrong[:, 0] = tree().fit(X[train], y[train]).predict(X[test]) != y[test]
    if cell["flips"]:  # with two classes a flipped prediction changes from right to wrong or back
        wrong[:, 1] = _nearest_learner(cell["data"]).fit(X[train], y[train]).predict(X[test]) != y[test]
        wrong[:, 0] ^= rng.random((len(settings), test.size)) < np.array(settings)[:, None]
        return wrong
    for index, strength in enumerate(settings):
        near = _nearest_learner(cell["data"], strength).fit(X[train], y[train])
        wrong[index, 1] = near.predict(X[test]) != y[test]
    return wrong


# --- Results ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rate:
    """The relative frequency of an event."""

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
        """Whether the rate is significantly above a bound (p < 0.001, one-sided)."""
        return self.limits(0.998)[0] > bound

    def surely_below(self, bound: float) -> bool:
        """Whether the rate is significantly below a bound (p < 0.001, one-sided)."""
        return self.limits(0.998)[1] < bound

    def against(self, bound: float) -> str:
        """Return the rate as text, and whether it differs significantly from a bound."""
        unsure = "not significantly different from"
        side = "above" if self.surely_above(bound) else "below" if self.surely_below(bound) else unsure
        return f"{self}, {side} {bound:g}"

    def __str__(self) -> str:
        low, high = self.limits()
        return f"{self.value:.3f} ({low:.3f} to {high:.3f})"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Tried:
    """The results of the trials of a task.

    Parameters
    ----------
    sizes, errors
        Sizes of training sets, and the mean errors of the undamaged tree and nearest neighbour, by learner and size.
    left, left_error
        The remaining difference between the equalised learners over the trials, by plan, and its standard error.
    measured
        Their mean errors over the trials, by plan, fraction of the gap and learner.
    rejected
        The number of rejections, by test and fraction of the gap.
    statistic, folds
        For equal learners, by trial: the 5x2cv statistic, and the errors of both learners in ten folds.
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
        """The difference of the undamaged learners trained on all 300 examples."""
        return float(self.errors[0, -1] - self.errors[1, -1])

    @property
    def points(self) -> FloatArray:
        """The difference of the learners at each fraction of the gap, in percentage points."""
        gaps: FloatArray = 100 * abs(self.gap) * np.array(self.task.shares)
        return gaps

    def rate(self, test: str, index: int = 0) -> Rate:
        """Return the rejection rate of a test at a fraction of the gap; the first is for equal learners."""
        return Rate(int(self.rejected[test][index]), self.trials)

    def target(self, share: float) -> FloatArray:
        """Return the target errors of the damaged learner by size, for a fraction of the gap."""
        worse, better = self.errors if self.gap > 0 else self.errors[::-1]
        errors: FloatArray = worse - share * (worse - better)
        return errors


def tried(run: Run, name: str) -> Tried:
    """Equalise the learners of a task, and return the results of its trials."""
    task = TASKS[name]
    sets = run.size(
        1000,
        quick=task.quick_sets,
        most=task.most_sets,
        of=f"training sets to equalise the learners, {task.description}",
    )
    trials = run.size(1000, quick=task.quick, most=task.most, of=f"trials, {task.description}")
    cell: dict[str, Any] = {"data": task.data, "shares": list(task.shares)}
    (equal,) = run.cells(equal_learners, [cell], sets, block=sets)
    sizes = equal["sizes"][0].tolist()
    # Rounded, because the settings are part of the random seed and the last bit of a sum depends on the machine.
    settings = {plan: equal["settings"][0][:, sizes.index(size)].round(4).tolist() for plan, size in PLANS.items()}
    cell |= {"settings": settings, "flips": bool(equal["flips"][0])}
    with import_extra("threadpoolctl", "learn").threadpool_limits(1):  # threads do not help with such small matrices
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
