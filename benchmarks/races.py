"""W5: six learners on breast_cancer, all pairs by 5x2 and by ten times 10-fold cross-validation."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from mlxtend.evaluate import paired_ttest_5x2cv
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from contest import Contest
from tellapart.methods.resamples.five_by_two import five_by_two_t
from tellapart.running import Race, race

X, Y = load_breast_cancer(return_X_y=True)
LEARNERS: dict[str, Any] = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "bayes": GaussianNB(),
    "neighbours": KNeighborsClassifier(),
    "tree": DecisionTreeClassifier(random_state=0),
    "discriminant": LinearDiscriminantAnalysis(),
    "support": SVC(),
}
PAIRS = list(combinations(LEARNERS, 2))


def their_splits(seed: int = 1998) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the splits that mlxtend draws, as indices."""
    rng = np.random.RandomState(seed)  # mlxtend's own
    splits = []
    for _ in range(5):
        draw = rng.randint(low=0, high=32767)
        one, other = train_test_split(np.arange(Y.size), test_size=0.5, random_state=draw)
        splits += [(one, other), (other, one)]
    return splits


SPLITS = their_splits()


def ours() -> Race:
    """Fit each learner once a split, keep every prediction in a store, and compute all pairs."""
    with tempfile.TemporaryDirectory() as folder:
        held = race(LEARNERS, X, Y, plan=SPLITS, jobs=1, store=Path(folder) / "my.race")
    five_by_two_t(held.resamples().pairs())
    return held


def theirs() -> list[float]:
    """Run mlxtend's test on every pair."""
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # their learners', which ours keeps to itself
        return [paired_ttest_5x2cv(LEARNERS[a], LEARNERS[b], X, Y, random_seed=1998)[0] for a, b in PAIRS]


def bare(splits: Any) -> None:
    """Fit and predict, and nothing else."""
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for train, test in splits:
            for learner in LEARNERS.values():
                clone(learner).fit(X[train], Y[train]).predict(X[test])


REPEATED = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)


def loop() -> None:
    """Score one learner after the other."""
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for learner in LEARNERS.values():
            cross_val_score(learner, X, Y, cv=REPEATED)


def same_statistics() -> bool:
    """Print whether 60 fits give the t statistics of mlxtend's 300, and return it."""
    held = ours()
    mine = five_by_two_t(held.resamples().pairs()).statistic
    far = np.abs(mine + theirs()).max()  # they subtract accuracies, we errors
    good = len(held.fits) == 60 and far < 1e-9
    print(f"\nW5 15 pairs by 5x2cv: {len(held.fits)} fits (mlxtend: {20 * len(PAIRS)}), t statistics within {far:.1g}")
    print(f"  goal: 60 fits, identical t: {'met' if good else 'MISSED'}")
    return good


def contests() -> Iterator[Contest]:
    """Yield the contests of W5."""
    yield Contest(
        title="W5 15 pairs of six learners by 5x2cv, store included",
        ours=ours,
        peers={"mlxtend, 300 fits": theirs, "limit: the bare 60 fits": lambda: bare(SPLITS)},
        faster={"mlxtend, 300 fits": 4.5},
        within={"limit: the bare 60 fits": 1.35},
        turns=5,
    )
    splits = list(REPEATED.split(X, Y))
    yield Contest(
        title="W5 10x10 cross-validation of six learners, 600 fits",
        ours=lambda: race(LEARNERS, X, Y, plan=REPEATED, jobs=1),
        peers={"cross_val_score, a loop": loop, "limit: the bare 600 fits": lambda: bare(splits)},
        faster={"cross_val_score, a loop": 1.0},
        within={"limit: the bare 600 fits": 1.3},
        turns=3,
    )
