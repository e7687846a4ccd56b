"""Shared measures for Dietterich (1998): rejections for simulated learners, and errors by example."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import tellapart as ta
from tellapart import lab

from ...errors import import_extra
from ..drawing import Series
from ..run import Arrays, Cell, Run
from .trials import Rate, tree


def rejections(cell: Cell, trials: int, rng: np.random.Generator) -> Arrays:
    """Count the rejections of a method for learners of equal error, simulated or in the ideal case."""
    design = lab.NormalEffects(cell["ideal"], 0.0) if "ideal" in cell else lab.SimulatedLearners(**cell["options"])
    calibration: Any = ta.calibrate(cell["method"], design, trials=trials, differences=[], rng=rng, progress=False)
    return {"rejected": [round(float(calibration.size.value) * trials)]}


def rates(run: Run, cells: Sequence[Cell], trials: int) -> list[Rate]:
    """Return the rejection rate of a method in each cell."""
    measured = run.cells(rejections, cells, trials, block=100_000)
    return [Rate(int(each["rejected"].sum()), trials) for each in measured]


def point_errors(cell: Cell, trials: int, rng: np.random.Generator) -> Arrays:
    """Count how often each digit is misclassified by trees trained on others."""
    X, y = import_extra("sklearn.datasets", "learn").load_digits(return_X_y=True)  # noqa: N806
    wrong, tested = np.zeros((2, y.size), dtype=np.int64)
    error = np.empty(trials)
    for trial in range(trials):
        train = rng.choice(y.size, cell["examples"], replace=False)
        others = np.ones(y.size, dtype=bool)
        others[train] = False
        mistaken = (tree().fit(X[train], y[train]).predict(X) != y) & others
        wrong += mistaken
        tested += others
        error[trial] = mistaken.sum() / others.sum()
    return {"wrong": wrong[None], "tested": tested[None], "error": error}


def series_of(name: str, x: Any, measured: Any, kind: Any = "line") -> Series:
    """Return rates with their 95% limits as a series for a picture."""
    limits = np.array([each.limits() for each in measured])
    return Series(name, list(x), [each.value for each in measured], kind, limits[:, 0], limits[:, 1])
