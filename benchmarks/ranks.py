"""Two areas under ROC curves compared by DeLong's test, and bootstraps of counts that do not grow with the examples."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np

from contest import Contest, hold_all
from tellapart import ClassScores, ConfusionMatrix, PairedConfusion
from tellapart.methods.class_scores.delong import delong_paired
from tellapart.methods.confusion_matrix.count_resampling import count_bootstrap
from tellapart.methods.paired_confusion.joint_resampling import joint_bootstrap

__all__ = ["bootstraps_are_flat", "contests"]

_PEER, _LIMIT = "MLstatkit", "limit: two np.argsort"


def contests() -> Iterator[Contest]:
    """Yield the contests of W8."""
    peer = _mlstatkit()
    for examples in (100_000, 1_000_000):
        for tied in (False, True):
            truth, scores = _drawn(examples, tied=tied)
            peers: dict[str, Callable[[], Any]] = {_LIMIT: lambda scores=scores: [np.argsort(row) for row in scores]}
            if peer is not None:
                peers[_PEER] = lambda truth=truth, scores=scores: peer(truth, *scores)
            yield Contest(
                title=f"W8 DeLong's test of two models, {examples} examples, {'tied' if tied else 'continuous'} scores",
                ours=lambda truth=truth, scores=scores: delong_paired(ClassScores(truth, scores, (0, 1))).test(),
                peers=peers,
                faster={_PEER: 5 if tied else 14},
                within={_LIMIT: 1.4},
                turns=5 if examples > 100_000 else 15,
            )


def _drawn(examples: int, *, tied: bool) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1988)
    truth = (rng.random(examples) < 0.3).astype(np.int64)
    scores = rng.normal(size=(2, examples)) + truth
    return truth, scores.round(1) if tied else scores


def _mlstatkit() -> Callable[..., Any] | None:
    """Return the peer's test, or say that it is not there."""
    try:
        return import_module("MLstatkit").Delong_test  # type: ignore[no-any-return]
    except ImportError:
        print("\nW8: MLstatkit is not installed, and only the limit is raced. Install it with: pip install MLstatkit")
        return None


def bootstraps_are_flat() -> bool:
    """Print how long bootstraps of counts take, and return whether a billion examples are as quick as a thousand."""
    shares = np.array([[0.70, 0.08], [0.05, 0.17]])
    cube = np.array([[[0.66, 0.04], [0.03, 0.05]], [[0.03, 0.02], [0.04, 0.13]]])
    good, sizes = True, (10**3, 10**6, 10**9)
    print("\nbootstraps of counts: seconds at a thousand, a million and a billion examples")
    matrices = {many: ConfusionMatrix(_counts(shares, many)) for many in sizes}
    cubes = {many: PairedConfusion(_counts(cube, many)) for many in sizes}
    for name, run in {
        "count-bootstrap, f1": lambda many: count_bootstrap(matrices[many].by("f1")).interval(),
        "count-bootstrap, mcc": lambda many: count_bootstrap(matrices[many].by("mcc")).interval(),
        "joint-bootstrap, f1": lambda many: joint_bootstrap(cubes[many].by("f1")).interval(),
        "joint-bootstrap, kappa": lambda many: joint_bootstrap(cubes[many].by("kappa")).interval(),
    }.items():
        taken = [_best(lambda run=run, many=many: run(many)) for many in sizes]
        flat = taken[-1] <= 1.5 * taken[0]  # a thousand take longer to draw than a billion, if anything
        good &= flat
        print(f"  {name:<26}{'  '.join(f'{each:.4f}' for each in taken)}   goal: flat: {'met' if flat else 'MISSED'}")
    return good


def _counts(shares: np.ndarray, examples: int) -> np.ndarray:
    return np.rint(shares * examples).astype(np.int64)


def _best(run: Callable[[], object]) -> float:
    best = np.inf
    for _ in range(7):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return float(best)


if __name__ == "__main__":
    flat = bootstraps_are_flat()
    sys.exit(min(hold_all([*contests()]) + (not flat), 1))
