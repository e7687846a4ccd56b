"""What scikit-learn returned: scores of cross-validation by data set and learner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import InvalidEvidence
from ...evidence.of_learners import as_floats
from ...evidence.score_table import ScoreTable
from ...predictions.engine import missing, told
from ...typing_ import FloatArray
from .tables import made

_ONLY = "score"  # what scikit-learn calls the one metric


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
    for name, each in results.items():
        if not isinstance(each, Mapping) or not each:
            raise InvalidEvidence(
                f"data set {name!r} must have results by learner, as {{'nb': cross_validate(...), …}}, but is {each!r}."
            )
    there = tuple(dict.fromkeys(str(name) for each in results.values() for name in each))
    for name in learners or ():
        if name not in there:
            raise missing(name, f"learners names {name!r}", there)
    names = learners or there
    found = {
        (place, names.index(str(who))): _Runs(held, metric, f"{who} on {dataset}")
        for place, (dataset, each) in enumerate(results.items())
        for who, held in each.items()
        if str(who) in names
    }
    metrics = {runs.metric for runs in found.values()} - {_ONLY}
    if len(metrics) > 1:
        raise InvalidEvidence(f"all results must be of one metric, but there are {told(sorted(metrics))}.")
    scores = np.full((len(results), len(names), max(runs.scores.size for runs in found.values())), np.nan)
    for (place, column), runs in found.items():
        scores[place, column, : runs.scores.size] = runs.scores
    shares = _shares(found, len(results)) if rho is None else rho
    what = metric or next(iter(metrics), None)
    datasets = tuple(map(str, results))
    return made(scores, names, datasets, metric=what, higher_is_better=higher_is_better, bounds=bounds, rho=shares)


class _Runs:
    """The scores of one learner on one data set, run by run."""

    __slots__ = ("metric", "scores", "share")

    def __init__(self, held: Any, metric: str | None, where: str) -> None:
        self.share = np.nan
        self.metric = _ONLY
        if hasattr(held, "cv_results_"):
            self.metric, self.scores = _best(held.cv_results_, metric, where, getattr(held, "best_index_", None))
        elif not isinstance(held, Mapping):
            self.scores = np.atleast_1d(as_floats(f"the scores of {where}", held))
            if self.scores.ndim != 1 or not self.scores.size:
                raise InvalidEvidence(f"the scores of {where} must be a list of numbers, but are {held!r}.")
        elif any(str(key).startswith("mean_test_") for key in held):
            self.metric, self.scores = _best(held, metric, where)
        else:
            self.metric = _chosen([key[5:] for key in held if str(key).startswith("test_")], metric, where)
            self.scores = as_floats(f"the scores of {where}", held[f"test_{self.metric}"])
            self.share = _tested(held.get("indices"))


def _chosen(there: list[str], metric: str | None, where: str) -> str:
    """Return which of scikit-learn's metrics is meant: the one that was named, or the only one."""
    if not there:
        raise InvalidEvidence(
            f"{where} holds no scores. Give what cross_validate returned (test_score), a search that was fitted, or a"
            " list of scores."
        )
    if metric in there:
        return str(metric)
    if len(there) > 1:
        raise InvalidEvidence(f"{where} has scores of several metrics: {told(there)}. Say which, metric=.")
    if metric is not None and there[0] != _ONLY:
        raise missing(metric, f"metric is {metric!r}", there)
    return there[0]


def _best(held: Mapping[str, Any], metric: str | None, where: str, best: Any = None) -> tuple[str, FloatArray]:
    """Return the scores of the best candidate of a search, split by split."""
    name = _chosen([key[10:] for key in held if key.startswith("mean_test_")], metric, where)
    place = int(np.argmin(held[f"rank_test_{name}"])) if best is None else int(best)
    splits = [key for key in held if key.startswith("split") and key.endswith(f"_test_{name}")]
    if not splits:
        raise InvalidEvidence(f"{where} has a mean, but no scores of splits. Give cv_results_ as it is.")
    return name, np.array([float(held[key][place]) for key in splits])


def _tested(indices: Any) -> float:
    """Return which share of the examples a run tested, where the splits were kept (return_indices=True)."""
    if not isinstance(indices, Mapping):
        return np.nan
    sizes = [(len(test), len(train)) for test, train in zip(indices["test"], indices["train"], strict=True)]
    return float(np.mean([test / (test + train) for test, train in sizes]))


def _shares(found: Mapping[tuple[int, int], _Runs], datasets: int) -> FloatArray | None:
    """Return how the runs of each data set go together, where that is known."""
    shares = np.full(datasets, np.nan)
    for (place, _), runs in found.items():
        if not np.isnan(runs.share):
            shares[place] = runs.share
    return None if np.isnan(shares).all() else shares
