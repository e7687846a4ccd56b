"""Results of scikit-learn: scores of cross-validation by data set and learner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import InvalidEvidence
from ...evidence.of_learners import as_floats
from ...evidence.score_table import ScoreTable
from ...predictions.engine import quote_names, unknown_name
from ...typing_ import FloatArray
from .score_grids import build_score_table

_ONLY = "score"  # the name that scikit-learn gives a single metric


def from_results(
    results: Mapping[Any, Any],
    *,
    learners: tuple[str, ...] | None,
    metric: str | None,
    higher_is_better: bool | None,
    bounds: tuple[float, float] | None,
    rho: Any,
) -> ScoreTable:
    """Return the scores in {data set: {learner: result}}."""
    for name, by_learner in results.items():
        if not isinstance(by_learner, Mapping) or not by_learner:
            raise InvalidEvidence(
                f"data set {name!r} must have results by learner, as {{'nb': cross_validate(...)}}, got {by_learner!r}."
            )
    there = tuple(dict.fromkeys(str(name) for by_learner in results.values() for name in by_learner))
    for name in learners or ():
        if name not in there:
            raise unknown_name("learners", "learners in the results", name, there)
    names = learners or there
    runs_by_cell = {
        (row, names.index(str(learner))): _LearnerRuns(result, metric, f"{learner} on {dataset}")
        for row, (dataset, by_learner) in enumerate(results.items())
        for learner, result in by_learner.items()
        if str(learner) in names
    }
    metrics = {runs.metric for runs in runs_by_cell.values()} - {_ONLY}
    if len(metrics) > 1:
        raise InvalidEvidence(
            f"all results must have one metric, got {quote_names(sorted(metrics))}. Choose one with `metric`."
        )
    scores = np.full((len(results), len(names), max(runs.scores.size for runs in runs_by_cell.values())), np.nan)
    for (row, column), runs in runs_by_cell.items():
        scores[row, column, : runs.scores.size] = runs.scores
    shares = _shares_by_data_set(runs_by_cell, len(results)) if rho is None else rho
    metric_name = metric or next(iter(metrics), None)
    datasets = tuple(map(str, results))
    return build_score_table(
        scores, names, datasets, metric=metric_name, higher_is_better=higher_is_better, bounds=bounds, rho=shares
    )


class _LearnerRuns:
    """The scores of one learner on one data set, run by run."""

    __slots__ = ("metric", "scores", "share")

    def __init__(self, result: Any, metric: str | None, where: str) -> None:
        self.share = np.nan
        self.metric = _ONLY
        if hasattr(result, "cv_results_"):
            self.metric, self.scores = _best_candidate(
                result.cv_results_, metric, where, getattr(result, "best_index_", None)
            )
        elif not isinstance(result, Mapping):
            self.scores = np.atleast_1d(as_floats(f"the scores of {where}", result))
            if self.scores.ndim != 1 or not self.scores.size:
                raise InvalidEvidence(f"the scores of {where} must be a list of numbers, got {result!r}.")
        elif any(str(key).startswith("mean_test_") for key in result):
            self.metric, self.scores = _best_candidate(result, metric, where)
        else:
            self.metric = _choose_metric([key[5:] for key in result if str(key).startswith("test_")], metric, where)
            self.scores = as_floats(f"the scores of {where}", result[f"test_{self.metric}"])
            self.share = _tested_share(result.get("indices"))


def _choose_metric(there: list[str], metric: str | None, where: str) -> str:
    """Return the requested metric of scikit-learn, or the only one."""
    if not there:
        raise InvalidEvidence(
            f"{where} must hold scores, got none. Give the result of cross_validate (test_score), a fitted search, or a"
            " list of scores."
        )
    if metric in there:
        return str(metric)
    if len(there) > 1:
        raise InvalidEvidence(f"`metric` must name one of the metrics of {where}: {quote_names(there)}.")
    if metric is not None and there[0] != _ONLY:
        raise unknown_name("metric", f"a metric of {where}", metric, there)
    return there[0]


def _best_candidate(
    search: Mapping[str, Any], metric: str | None, where: str, best: Any = None
) -> tuple[str, FloatArray]:
    """Return the scores of the best candidate of a search, split by split."""
    name = _choose_metric([key[10:] for key in search if key.startswith("mean_test_")], metric, where)
    candidate = int(np.argmin(search[f"rank_test_{name}"])) if best is None else int(best)
    splits = [key for key in search if key.startswith("split") and key.endswith(f"_test_{name}")]
    if not splits:
        raise InvalidEvidence(f"{where} must have scores of splits, got only a mean. Give cv_results_ unchanged.")
    return name, np.array([float(search[key][candidate]) for key in splits])


def _tested_share(indices: Any) -> float:
    """Return the share of examples that a run tests; NaN if the splits were not kept (return_indices=True)."""
    if not isinstance(indices, Mapping):
        return np.nan
    sizes = [(len(test), len(train)) for test, train in zip(indices["test"], indices["train"], strict=True)]
    return float(np.mean([test / (test + train) for test, train in sizes]))


def _shares_by_data_set(runs_by_cell: Mapping[tuple[int, int], _LearnerRuns], datasets: int) -> FloatArray | None:
    """Return the correlation of the runs of each data set; None if unknown for all."""
    shares = np.full(datasets, np.nan)
    for (row, _), runs in runs_by_cell.items():
        if not np.isnan(runs.share):
            shares[row] = runs.share
    return None if np.isnan(shares).all() else shares
