"""Lines of Python that make the evidence for the example on a method's page.

A page prints these lines and their output. Scores are used if the method needs no more; predictions come from a race of
two fast learners on data that ship with scikit-learn.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import tellapart as ta

__all__ = ["OUTCOMES", "estimated_learner", "evidence", "key", "lines", "measured", "models", "variable"]

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
        f'scores = ta.Resamples.from_scores({{"old": old, "new": new}}, plan="{plan}"{more})',
    )


def _race(plan: str) -> tuple[str, ...]:
    return (*_RACE, f'race = ta.race(learners, X, y, plan="{plan}")')


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
        ("holdout", "holdout-choice"), (*_RACE, 'scores = ta.race(learners, X, y, plan="holdout").resamples()')
    ),
    "paired-t": _scores("independent", ", test=40, train=360"),
    **dict.fromkeys(
        ("welch", "unpaired-t", "probability-better-run"),
        (
            "old = [0.902, 0.911, 0.897, 0.905, 0.893, 0.908]",
            "new = [0.914, 0.921, 0.909, 0.918, 0.905]",
            'scores = ta.Resamples.from_scores({"old": old, "new": new}, plan="seeds")',
        ),
    ),
    **{
        plan: (*_RACE, f'race = ta.race(learners, X[::10], y[::10], plan="{plan}")  # one fit per example')
        for plan in ("loo", "loo-star")
    },
    "two-way-bootstrap": (
        *_RACE[:1],
        "from sklearn.ensemble import RandomForestClassifier",
        "from sklearn.tree import DecisionTreeClassifier",
        _RACE[3],
        'learners = {"tree": DecisionTreeClassifier(), "forest": RandomForestClassifier(n_estimators=5)}',
        'runs = ta.race(learners, X, y, plan="holdout", seeds=10).training_sets()',
    ),
}


# Answers of two or three models to questions, two per passage: right or wrong, or graded.
OUTCOMES = "outcomes "  # prefix: methods for learners may have the same name
_RIGHT = (
    "old = [1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 0]",
    "new = [1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0]",
)
_GRADED = (
    "old = [0.42, 0.61, 0.55, 0.70, 0.33, 0.58, 0.47, 0.66, 0.51, 0.39, 0.74, 0.60]",
    "new = [0.50, 0.68, 0.57, 0.69, 0.45, 0.66, 0.49, 0.75, 0.50, 0.52, 0.78, 0.71]",
)
_PASSAGES = "passages = [question // 2 for question in range(24)]"
_SCORED = 'outcomes = ta.Outcomes.from_scores({"old": old, "new": new}, metric="rouge", bounds=(0, 1)%s)'
_OF_OUTCOMES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("mean-t", "sign-flip", "bca-bootstrap"), (*_GRADED, _SCORED % "")),
    "macro-average": (*_GRADED, _SCORED % ', groups=["law"] * 8 + ["sums"] * 4'),
    "max-t": (
        *_GRADED,
        "third = [0.47, 0.55, 0.60, 0.71, 0.40, 0.52, 0.50, 0.70, 0.49, 0.44, 0.70, 0.66]",
        'models = {"old": old, "new": new, "third": third}',
        'outcomes = ta.Outcomes.from_scores(models, metric="rouge", bounds=(0, 1))',
    ),
    "rao-scott-wilson": (
        _RIGHT[0],
        _PASSAGES,
        'outcomes = ta.Outcomes.from_scores({"old": old}, clusters=passages, clustered_by="passage")',
    ),
}
_OF_CLUSTERS = (
    *_RIGHT,
    _PASSAGES,
    'outcomes = ta.Outcomes.from_scores({"old": old, "new": new}, clusters=passages, clustered_by="passage")',
)


# The benchmark of examples/make_benchmark.py: two of its learners, four, and four on a few data sets.
_OVER_DATA_SETS = "data sets "  # prefix: methods for one data set may have the same name
_READ = 'table = ta.read_scores("examples/data/benchmark.csv", learners=[%s], rho=0.1)'
_TWO = (_READ % '"bayes", "forest"',)
_FOUR = (_READ.replace(", rho=0.1", "") % '"logistic", "bayes", "neighbours", "forest"',)
_FEW = (*_FOUR, 'table = table.only("digits", "iris", "pima", "segment", "wine")  # few enough to enumerate all ranks')
_OF_SEVERAL = (
    *(test.name for test in ta.find_methods(evidence=ta.ScoreTable) if test.of_several),
    "nemenyi",
    "bonferroni-dunn",
)


# A hundred messages classified by one spam filter and by two; class scores of two models.
_MATRIX = ('matrix = ta.ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"])',)
_BOTH = (
    "counts = [[[45, 3], [10, 2]], [[2, 6], [1, 31]]]  # by label, prediction of A, prediction of B",
    'confusion = ta.PairedConfusion(counts, ["ham", "spam"])',
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
_ALONE = (_LABELS, *_SCORES_A, 'scores = ta.ClassScores.from_scores(label, {"old": old})')
_PAIR = (_LABELS, *_SCORES_A, *_SCORES_B, 'scores = ta.ClassScores.from_scores(label, {"old": old, "new": new})')
_OF_KIND = {ta.ConfusionMatrix: _MATRIX, ta.PairedConfusion: _BOTH}
# The metrics of the examples, in order of preference.
_SHOWN = ("f1", "recall", "precision", "balanced-accuracy", "auc", "average-precision")


def measured(method: Any) -> tuple[tuple[str, ...], Any, dict[str, Any]]:
    """Return the lines that make the evidence, the evidence, and the options of the example: metric and costs."""
    code = _OF_KIND.get(method.evidence, _ALONE if method.question == 1 else _PAIR)
    names = _SHOWN if method.evidence is not ta.ClassScores else _SHOWN[-2:]
    metric = next((name for name in names if method.serves(name)), (*method.metrics, "f1")[0])
    return code, _evaluate(code), {"metric": metric} | ({"costs": [[0, 1], [10, 0]]} if metric == "cost" else {})


def models(name: str) -> int:
    """Return how many models the example of a method for outcomes has."""
    return len(evidence(OUTCOMES + name).models)


def key(method: Any) -> str:
    """Return the key of the lines of a method for learners: methods over data sets share names with others."""
    return f"{_OVER_DATA_SETS}{method.name}" if method.evidence is ta.ScoreTable else method.name


def lines(name: str) -> tuple[str, ...]:
    """Return the lines that make the evidence for a method, by its key."""
    if name.startswith(_OVER_DATA_SETS):
        method = name.removeprefix(_OVER_DATA_SETS)
        return _FEW if method == "friedman-exact" else _FOUR if method in _OF_SEVERAL else _TWO
    if name.startswith(OUTCOMES):
        return _OF_OUTCOMES.get(name.removeprefix(OUTCOMES), _OF_CLUSTERS)
    return _LINES[name]


@cache
def _evaluate(code: tuple[str, ...]) -> Any:
    names: dict[str, Any] = {"ta": ta}
    exec("\n".join(code), names)  # noqa: S102  # the lines above, as the page shows them
    return names[variable(code)]


def evidence(name: str) -> Any:
    """Return the evidence for a method, by its key."""
    return _evaluate(lines(name))


def variable(code: tuple[str, ...]) -> str:
    """Return the variable that the last of the lines assigns."""
    return code[-1].partition(" = ")[0]


def estimated_learner(name: str) -> str:
    """Return the learner whose error the example estimates."""
    learner: str = evidence(name).learners[0]
    return learner
