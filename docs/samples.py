"""What the pages of methods for learners show: lines of Python that make the evidence, by method.

A page prints these lines and what comes of them. Scores do where a method needs no more; predictions
come from a race of two learners that are fitted in a millisecond, on data that ship with scikit-learn.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import tellapart as ta

__all__ = ["OUTCOMES", "asked", "evidence", "key", "lines", "measured", "models"]

_OLD = "[0.90, 0.88, 0.93, 0.91, 0.87, 0.92, 0.89, 0.91, 0.86, 0.90]"
_NEW = "[0.93, 0.90, 0.93, 0.94, 0.89, 0.91, 0.93, 0.94, 0.90, 0.92]"
_RACE = (
    "from sklearn.datasets import load_breast_cancer",
    "from sklearn.naive_bayes import GaussianNB",
    "from sklearn.neighbors import KNeighborsClassifier",
    "X, y = load_breast_cancer(return_X_y=True)",
    'learners = {"bayes": GaussianNB(), "neighbour": KNeighborsClassifier(n_neighbors=1)}',
)


def _scores(plan: str, more: str = ", examples=400") -> tuple[str, ...]:
    return (
        f"old = {_OLD}",
        f"new = {_NEW}",
        f'held = ta.Resamples.from_scores({{"old": old, "new": new}}, plan="{plan}"{more})',
    )


def _race(plan: str) -> tuple[str, ...]:
    return (*_RACE, f'held = ta.race(learners, X, y, plan="{plan}")')


_SCORES = {
    "10-fold": (
        "corrected-resampled-t",
        "bayesian-correlated-t",
        "kfold-t",
        "single-fold-t",
        "paired-cv-ss",
        "mean-error-choice",
    ),
    "5x2": ("5x2cv-t", "5x2cv-f"),
    "10x(2/3)": ("resampled-t", "splitting-sd", "splitting-se", "vote"),
}
_PREDICTIONS = {
    "10-fold": ("kfold", "corrected-t-interval", "mcnemar-on-cv", "two-se", "cv-wald"),
    "5x10": ("repeated-kfold", "corrected-repeated-kfold-t"),
    "20x(2/3)": ("mean-se-w",),
    "2-fold*20": ("iterated-kfold", "iterated-cv-bounds", "calibrated-t"),
    "apparent": ("apparent",),
    "632*60": ("632", "632plus", "oob"),
    "nested 10x5": ("nested-cv",),
    "conservative-z 10x5(0.9)": ("conservative-z",),
    "delve 8x40": ("crossed-interval", "quasi-f"),
}
_LINES: dict[str, tuple[str, ...]] = {
    **{name: _scores(plan) for plan, names in _SCORES.items() for name in names},
    **{name: _race(plan) for plan, names in _PREDICTIONS.items() for name in names},
    **dict.fromkeys(
        ("holdout", "holdout-choice"), (*_RACE, 'held = ta.race(learners, X, y, plan="holdout").resamples()')
    ),
    "paired-t": _scores("independent", ", test=40, train=360"),
    **dict.fromkeys(
        ("welch", "unpaired-t", "probability-better-run"),
        (
            "old = [0.902, 0.911, 0.897, 0.905, 0.893, 0.908]",
            "new = [0.914, 0.921, 0.909, 0.918, 0.905]",
            'held = ta.Resamples.from_scores({"old": old, "new": new}, plan="seeds")',
        ),
    ),
    **{
        plan: (*_RACE, f'held = ta.race(learners, X[::10], y[::10], plan="{plan}")  # few: one fit an example')
        for plan in ("loo", "loo-star")
    },
    "two-way-bootstrap": (
        *_RACE[:1],
        "from sklearn.ensemble import RandomForestClassifier",
        "from sklearn.tree import DecisionTreeClassifier",
        _RACE[3],
        'learners = {"tree": DecisionTreeClassifier(), "forest": RandomForestClassifier(n_estimators=5)}',
        'held = ta.race(learners, X, y, plan="holdout", seeds=10).training_sets()',
    ),
}


# Questions, some of them about one passage, that two or three models answered: right or wrong, or graded.
OUTCOMES = "outcomes "  # before the name of a method, which others may have for learners
_RIGHT = (
    "old = [1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 0]",
    "new = [1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0]",
)
_GRADED = (
    "old = [0.42, 0.61, 0.55, 0.70, 0.33, 0.58, 0.47, 0.66, 0.51, 0.39, 0.74, 0.60]",
    "new = [0.50, 0.68, 0.57, 0.69, 0.45, 0.66, 0.49, 0.75, 0.50, 0.52, 0.78, 0.71]",
)
_PASSAGES = "passages = [place // 2 for place in range(24)]"
_SCORED = 'held = ta.Outcomes.from_scores({"old": old, "new": new}, metric="rouge", bounds=(0, 1)%s)'
_OF_OUTCOMES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("mean-t", "sign-flip", "bca-bootstrap"), (*_GRADED, _SCORED % "")),
    "macro-average": (*_GRADED, _SCORED % ', groups=["law"] * 8 + ["sums"] * 4'),
    "max-t": (
        *_GRADED,
        "third = [0.47, 0.55, 0.60, 0.71, 0.40, 0.52, 0.50, 0.70, 0.49, 0.44, 0.70, 0.66]",
        'models = {"old": old, "new": new, "third": third}',
        'held = ta.Outcomes.from_scores(models, metric="rouge", bounds=(0, 1))',
    ),
    "rao-scott-wilson": (
        _RIGHT[0],
        _PASSAGES,
        'held = ta.Outcomes.from_scores({"old": old}, clusters=passages, clustered_by="passage")',
    ),
}
_OF_CLUSTERS = (
    *_RIGHT,
    _PASSAGES,
    'held = ta.Outcomes.from_scores({"old": old, "new": new}, clusters=passages, clustered_by="passage")',
)


# The benchmark that examples/make_benchmark.py made: two of its learners, four, and four on a few data sets.
_OVER_DATA_SETS = "data sets "  # before the name of a method, which others may have for one data set
_READ = 'held = ta.read_scores("examples/data/benchmark.csv", learners=[%s], rho=0.1)'
_TWO = (_READ % '"bayes", "forest"',)
_FOUR = (_READ.replace(", rho=0.1", "") % '"logistic", "bayes", "neighbours", "forest"',)
_FEW = (*_FOUR, 'held = held.only("digits", "iris", "pima", "segment", "wine")  # all ranks of these are counted')
_OF_SEVERAL = (
    *(test.name for test in ta.find_methods(evidence=ta.ScoreTable) if test.of_several),
    "nemenyi",
    "bonferroni-dunn",
)


# Which of a hundred messages one filter took for spam, or two; and the scores that two models gave twelve.
_MATRIX = ('held = ta.ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"])',)
_BOTH = (
    "counts = [[[45, 3], [10, 2]], [[2, 6], [1, 31]]]  # by label, prediction of A, prediction of B",
    'held = ta.PairedConfusion(counts, ["ham", "spam"])',
)
_LABELS = 'label = ["ham"] * 14 + ["spam"] * 10'
_SCORES_A = (
    "old = [0.1, 0.3, 0.2, 0.6, 0.4, 0.1, 0.7, 0.2, 0.5, 0.3, 0.8, 0.2, 0.4, 0.1]",
    "old += [0.9, 0.6, 0.4, 0.8, 0.7, 0.3, 0.9, 0.5, 0.8, 0.6]",
)
_SCORES_B = (
    "new = [0.1, 0.2, 0.1, 0.5, 0.2, 0.2, 0.4, 0.1, 0.3, 0.1, 0.6, 0.2, 0.3, 0.1]",
    "new += [0.9, 0.8, 0.6, 0.9, 0.8, 0.5, 0.9, 0.7, 0.7, 0.7]",
)
_ALONE = (_LABELS, *_SCORES_A, 'held = ta.ClassScores.from_scores(label, {"old": old})')
_PAIR = (_LABELS, *_SCORES_A, *_SCORES_B, 'held = ta.ClassScores.from_scores(label, {"old": old, "new": new})')
_OF_KIND = {ta.ConfusionMatrix: _MATRIX, ta.PairedConfusion: _BOTH}
# The metric that a page shows, where a method serves many.
_SHOWN = ("f1", "recall", "precision", "balanced-accuracy", "auc", "average-precision")


def measured(method: Any) -> tuple[tuple[str, ...], Any, dict[str, Any]]:
    """Return the lines that make `held`, what they make, and what a page asks of it: the metric, the costs."""
    code = _OF_KIND.get(method.evidence, _ALONE if method.question == 1 else _PAIR)
    held = _made(code)
    known = _SHOWN if method.evidence is not ta.ClassScores else _SHOWN[-2:]
    metric = next((name for name in known if method.serves(name)), (*method.metrics, "f1")[0])
    return code, held, {"metric": metric} | ({"costs": [[0, 1], [10, 0]]} if metric == "cost" else {})


def models(name: str) -> int:
    """Return how many models the example of a method for outcomes has."""
    return len(evidence(OUTCOMES + name).models)


def key(method: Any) -> str:
    """Return by what the lines of a method for learners are found: methods over data sets share names with others."""
    return f"{_OVER_DATA_SETS}{method.name}" if method.evidence is ta.ScoreTable else method.name


def lines(name: str) -> tuple[str, ...]:
    """Return the lines that make `held`, for a method by its name."""
    if name.startswith(_OVER_DATA_SETS):
        named = name.removeprefix(_OVER_DATA_SETS)
        return _FEW if named == "friedman-exact" else _FOUR if named in _OF_SEVERAL else _TWO
    if name.startswith(OUTCOMES):
        return _OF_OUTCOMES.get(name.removeprefix(OUTCOMES), _OF_CLUSTERS)
    return _LINES[name]


@cache
def _made(code: tuple[str, ...]) -> Any:
    names: dict[str, Any] = {"ta": ta}
    exec("\n".join(code), names)  # noqa: S102  # the lines above, as the page shows them
    return names["held"]


def evidence(name: str) -> Any:
    """Return the evidence that these lines make: scores, or a race."""
    return _made(lines(name))


def asked(name: str) -> str:
    """Return the learner that an estimate of this page is of."""
    found: str = evidence(name).learners[0]
    return found
