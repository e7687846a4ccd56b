"""The available data sets of Elazmeh, Japkowicz and Matwin (2006), and their four learners, retrained."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

import tellapart as ta

from ...errors import MissingExtra, import_extra
from ...typing_ import BoolArray, FloatArray, IntArray
from ..data import DataSet, breast_cancer, hepatitis, hypothyroid, pima, spect, spectf, wisconsin
from ..run import Arrays, Cell, Run

LEARNERS = {"S": "decision stump", "T": "decision tree", "F": "random forest", "B": "naive Bayes"}
CORRECTED = "12 corrected"  # SPECTF with the test set of September 2006
_SLOW = ({"set": "5", "learner": "B"},)  # fifteen attributes are incomplete

# By number. Label 1 is the positive class of the paper: benign in set 2, healthy in set 3.
_SETS: Mapping[str, Callable[[], DataSet]] = {
    "2": lambda: wisconsin().swapped(),
    "3": lambda: pima().swapped(),
    "5": hepatitis,
    "6": hypothyroid,
    "7": breast_cancer,
    "11": spect,
    "12": spectf,
    CORRECTED: lambda: spectf(corrected=True),
}


def in_hand() -> tuple[dict[str, DataSet], dict[str, str]]:
    """Return the available data sets by number, and the reasons why others are not available."""
    data_sets: dict[str, DataSet] = {}
    reasons: dict[str, str] = {}
    for number, load in _SETS.items():
        try:
            data_sets[number] = load()
        except MissingExtra as error:
            reasons[number] = f"Not installed: {error}"
    return data_sets, reasons


class NaiveBayes:
    """scikit-learn's naive Bayes, which ignores missing values like Weka's.

    Attributes with two values use `BernoulliNB`, all others `GaussianNB`. An incomplete attribute is trained on the
    examples that have it, and used for those only; it is not used if all examples of a class lack it.

    Parameters
    ----------
    nominal, incomplete
        Whether an attribute has two values, 0 and 1, and whether some are missing, by attribute.

    Examples
    --------
    >>> X = np.array([[1.0, 0.0], [1.2, np.nan], [3.0, 1.0], [3.2, 1.0]])
    >>> model = NaiveBayes(nominal=np.array([False, True]), incomplete=np.array([False, True]))
    >>> model.fit(X, np.array([0, 0, 1, 1])).predict(np.array([[1.1, np.nan], [3.1, 1.0]]))
    array([0, 1])
    """

    def __init__(self, nominal: BoolArray, incomplete: BoolArray) -> None:
        self.nominal = nominal
        self.incomplete = incomplete

    def fit(self, X: FloatArray, y: IntArray) -> Self:  # noqa: N803  # the name in scikit-learn
        """Fit the model to examples and their labels."""
        bayes = import_extra("sklearn.naive_bayes", "learn")
        self.classes_, often = np.unique(y, return_counts=True)
        shares = often / y.size
        whole = [np.flatnonzero(~self.incomplete & self.nominal), np.flatnonzero(~self.incomplete & ~self.nominal)]
        self.prior_ = np.log(shares)
        self.parts_: list[tuple[IntArray, Any]] = []
        for columns in [*whole, *np.flatnonzero(self.incomplete)[:, None]]:
            rows = ~np.isnan(X[:, columns]).any(axis=1)
            if columns.size and np.unique(y[rows]).size == self.classes_.size:
                counted = bool(self.nominal[columns[0]])
                model = bayes.BernoulliNB(class_prior=shares) if counted else bayes.GaussianNB(priors=shares)
                self.parts_.append((columns, model.fit(X[np.ix_(rows, columns)], y[rows])))
        return self

    def predict(self, X: FloatArray) -> IntArray:  # noqa: N803
        """Return the most probable label of each example."""
        joint = np.tile(self.prior_, (len(X), 1))
        for columns, model in self.parts_:
            rows = ~np.isnan(X[:, columns]).any(axis=1)
            if rows.any():
                joint[rows] += model.predict_joint_log_proba(X[np.ix_(rows, columns)]) - self.prior_
        chosen: IntArray = self.classes_[joint.argmax(axis=1)]
        return chosen


def learner_of(name: str, data: DataSet) -> Any:
    """Return the replacement of one of Weka's learners for a data set.

    Weka's random forest had ten trees with log2(attributes) + 1 attributes at each split, and its tree at least two
    examples per leaf; all split by entropy. Missing values are replaced by the median of the training examples, which
    for an attribute with two values is the more frequent one.
    """
    if name == "B":
        return NaiveBayes(data.nominal, data.incomplete)
    trees = import_extra("sklearn.tree", "learn")
    if name == "F":
        tried = int(np.log2(data.X.shape[1])) + 1
        forests = import_extra("sklearn.ensemble", "learn")
        model: Any = forests.RandomForestClassifier(n_estimators=10, criterion="entropy", max_features=tried)
    elif name == "T":
        model = trees.DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)
    else:
        model = trees.DecisionTreeClassifier(criterion="entropy", max_depth=1)
    if not data.incomplete.any():
        return model
    filled = import_extra("sklearn.impute", "learn").SimpleImputer(strategy="median", keep_empty_features=True)
    return import_extra("sklearn.pipeline", "learn").make_pipeline(filled, model)


def retrain(cell: Cell, trials: int, rng: np.random.Generator) -> Arrays:
    """Return a confusion matrix for each shuffle of ten folds, or for each seed if there is a test set."""
    data, name = _SETS[cell["set"]](), cell["learner"]
    learners = {name: learner_of(name, data)}
    options: dict[str, Any] = {"jobs": 1, "rng": rng, "progress": False}
    if data.split is None:
        race = ta.race(learners, data.X, data.y, plan=f"{trials}x10", **options)
    else:
        race = ta.race(learners, data.X, data.y, plan=[data.split], seeds=trials, **options)
    return {"counts": race.confusion_matrix(name).counts.reshape(-1, 2, 2)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrained:
    """A learner on a data set: its confusion matrix for each shuffle or seed, and whether it is confident."""

    number: str
    learner: str
    matrix: ta.ConfusionMatrix
    confident: BoolArray


def has_chance(number: str, learner: str) -> bool:
    """Return whether the result of a learner on a set is random, by its folds or by the learner."""
    return number not in {"11", "12", CORRECTED} or learner in {"T", "F"}


def retrained(run: Run, numbers: list[str]) -> list[Retrained]:
    """Return every learner on these sets, retrained as often as the run requires."""
    cells = [{"set": number, "learner": learner} for number in numbers for learner in LEARNERS]
    dear = [cell for cell in cells if cell["learner"] == "F" or cell["set"] == "6" or cell in _SLOW]
    cheap = [cell for cell in cells if cell not in dear]
    often = run.size(1, quick=3, most=600, of="shuffles of the folds")
    seldom = run.size(1, quick=2, most=40, of="shuffles of the folds, forests and other slow learners")
    measured = run.cells(retrain, cheap, often, block=20) + run.cells(retrain, dear, seldom, block=5)
    counts = {(cell["set"], cell["learner"]): each["counts"] for cell, each in zip(cheap + dear, measured, strict=True)}
    return [_judge_ticks(cell["set"], cell["learner"], counts[cell["set"], cell["learner"]]) for cell in cells]


def _judge_ticks(number: str, learner: str, counts: IntArray) -> Retrained:
    matrix = ta.ConfusionMatrix(counts, ["negative", "positive"])
    return Retrained(number=number, learner=learner, matrix=matrix, confident=confident(matrix))


def confident(matrix: ta.ConfusionMatrix) -> BoolArray:
    """Return whether Tango's 95% interval for (b − c) / n includes 0, "confident" in the paper."""
    limits = ta.estimate(matrix, metric="label-balance").interval
    return (limits.low <= 0) & (limits.high >= 0)
