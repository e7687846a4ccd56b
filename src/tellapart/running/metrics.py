"""From kept predictions to a loss: the metric is chosen after the race."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from ..errors import InvalidEvidence, InvalidOption, import_extra
from ..types import FloatArray, IntArray

__all__ = ["KNOWN", "Answers", "Metric", "as_metric"]


@dataclass(frozen=True, slots=True, eq=False)  # eq=False: arrays have no single ==
class Answers:
    """What one classifier said of the examples of one test set.

    Parameters
    ----------
    truth
        The codes of the labels, as places in `classes`.
    predictions
        The codes of the predictions; -1 for a label that is none of the classes.
    probabilities
        By example and class, where the learner gives them.
    classes
        The labels there are.
    """

    truth: IntArray
    predictions: IntArray
    probabilities: FloatArray | None
    classes: tuple[Any, ...]

    @property
    def chances(self) -> FloatArray:
        """The probabilities, or one error if there are none."""
        if self.probabilities is None:
            raise InvalidEvidence("class probabilities are needed, but the learner gives none.")
        return self.probabilities


@dataclass(frozen=True, slots=True)
class Metric:
    """A loss: what is better when it is smaller.

    Parameters
    ----------
    name
        What the loss is called: "error", "log_loss", "1 - f1", "-mcc".
    whole
        The loss on a test set.
    each
        By example and class: what the prediction would cost if this class were the truth. The loss is
        the mean over the examples of what the true class costs. None if it is no such mean.
    probable
        Whether it needs class probabilities.

    Examples
    --------
    >>> answers = Answers(np.array([0, 1, 1]), np.array([0, 0, 1]), None, ("no", "yes"))
    >>> round(as_metric("error").whole(answers), 3), round(as_metric("f1").whole(answers), 3)
    (0.333, 0.333)
    """

    name: str
    whole: Callable[[Answers], float]
    each: Callable[[Answers], FloatArray] | None = None
    probable: bool = False

    def per_example(self, answers: Answers) -> FloatArray:
        """Return what each example costs; for a loss that is a mean over examples."""
        if self.each is None:
            raise InvalidOption(
                f"{self.name} is no mean over examples, which this needs. Choose metric='error', 'log_loss' or 'brier'."
            )
        if self.each is _wrong:  # the commonest of all, without its table
            return np.not_equal(answers.predictions, answers.truth).astype(float)
        return self.each(answers)[np.arange(answers.truth.size), answers.truth]


def as_metric(metric: str | Callable[..., float], greater_is_better: bool | None = None) -> Metric:
    """Return a metric by its name, or from a function of true labels and predictions.

    Parameters
    ----------
    metric
        "error", "log_loss", "brier", "f1", "balanced_accuracy", … (scikit-learn's names of scores are known,
        too), or a function of true labels and predicted labels.
    greater_is_better
        For a function: whether its larger values are better.

    Examples
    --------
    >>> as_metric("neg_log_loss").name, as_metric("accuracy").name, as_metric("recall_macro").name
    ('log_loss', 'error', '1 - recall_macro')
    """
    if callable(metric):
        return _from_function(metric, greater_is_better)
    if greater_is_better is not None:
        raise InvalidOption("greater_is_better is for a metric that is a function. Leave it out.")
    name = _ALIASES.get(metric, metric) if isinstance(metric, str) else metric
    if isinstance(name, str) and name in _METRICS:
        return _METRICS[name]
    base, _, average = str(name).partition("_")
    if base in _AVERAGED and average in {"macro", "micro", "weighted"}:
        return _averaged(base, average)
    known = sorted(_METRICS)
    near = get_close_matches(str(metric), [*known, *_ALIASES], 1)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    raise InvalidOption(
        f"metric must be one of {', '.join(known)} (f1, jaccard, precision and recall also with _macro, _micro or"
        f" _weighted) or a function, but is {metric!r}.{guess}"
    )


def _from_function(function: Callable[..., float], greater: bool | None) -> Metric:
    name = getattr(function, "__name__", type(function).__name__)
    if greater is None:
        raise InvalidOption(f"greater_is_better must be told for {name}: True if larger values are better, else False.")

    def whole(answers: Answers) -> float:
        if (answers.predictions < 0).any():
            raise InvalidEvidence(f"{name} cannot be computed: a prediction is a label that y does not have.")
        labels = np.asarray(answers.classes)
        value = float(function(labels[answers.truth], labels[answers.predictions]))
        return -value if greater else value

    return Metric(f"-{name}" if greater else name, whole)


# --- Means over examples --------------------------------------------------------------------------


def _mean(each: Callable[[Answers], FloatArray]) -> Callable[[Answers], float]:
    def whole(answers: Answers) -> float:
        return float(each(answers)[np.arange(answers.truth.size), answers.truth].mean())

    return whole


def _wrong(answers: Answers) -> FloatArray:
    return np.not_equal(answers.predictions[:, None], np.arange(len(answers.classes))).astype(float)


def _surprise(answers: Answers) -> FloatArray:
    """Return minus the logarithm of each class's probability; 0 counts as the smallest step from it."""
    least = np.finfo(float).eps
    return -np.log(np.clip(answers.chances, least, 1 - least))


def _brier(answers: Answers) -> FloatArray:
    """Return the squared distance from certainty in each class; of two classes that of one, as is the custom."""
    chances = answers.chances
    squares: FloatArray = (chances**2).sum(axis=1, keepdims=True) - 2 * chances + 1  # |p − e_c|², no third dimension
    return np.maximum(squares, 0.0) / (2 if chances.shape[1] == 2 else 1)


# --- Scores of a whole test set -------------------------------------------------------------------


def _binary(answers: Answers, name: str, instead: str) -> None:
    if len(answers.classes) != 2:
        raise InvalidOption(f"{name} is for two classes, but there are {len(answers.classes)}. Choose {instead!r}.")


_AVERAGED = ("f1", "jaccard", "precision", "recall")


def _averaged(base: str, average: str) -> Metric:
    name = base if average == "binary" else f"{base}_{average}"

    def whole(answers: Answers) -> float:
        score = getattr(import_extra("sklearn.metrics", "learn"), f"{base}_score")
        if average != "binary":
            return 1 - float(score(answers.truth, answers.predictions, average=average, zero_division=0))
        _binary(answers, base, f"{base}_macro")
        positive = answers.truth == 1, answers.predictions == 1  # a label that is no class is not the second
        return 1 - float(score(*positive, average="binary", zero_division=0))

    return Metric(f"1 - {name}", whole)


def _balanced(answers: Answers) -> float:
    """1 − the mean share of right answers, over the classes that occur."""
    right = np.bincount(answers.truth, answers.predictions == answers.truth)
    there = np.bincount(answers.truth)
    return 1 - float(np.mean(right[there > 0] / there[there > 0]))


def _mcc(answers: Answers) -> float:
    """Minus the correlation of label and prediction (Gorodkin's, for any number of classes)."""
    observed, labels, predictions = _agreement(answers)
    spread = np.sqrt((1 - labels @ labels) * (1 - predictions @ predictions))
    return -float((observed - labels @ predictions) / spread) if spread > 0 else 0.0  # a constant correlates with none


def _kappa(answers: Answers) -> float:
    """Minus the agreement beyond chance (Cohen's)."""
    observed, labels, predictions = _agreement(answers)
    chance = float(labels @ predictions)
    return -(observed - chance) / (1 - chance) if chance < 1 else 0.0


def _agreement(answers: Answers) -> tuple[float, FloatArray, FloatArray]:
    """Return how often label and prediction agree, and the share of each class in both."""
    both = np.stack([answers.truth, answers.predictions])
    shares = [np.bincount(row + 1, minlength=len(answers.classes) + 1) / row.size for row in both]
    return float(np.mean(both[0] == both[1])), shares[0], shares[1]


def _both_occur(answers: Answers, name: str, classes: int) -> None:
    if np.unique(answers.truth).size < classes:
        raise InvalidEvidence(
            f"{name} is not defined on a test set that lacks a class. Take larger test sets, or keep them stratified."
        )


def _roc_auc(answers: Answers) -> float:
    _binary(answers, "roc_auc", "roc_auc_ovr")
    _both_occur(answers, "roc_auc", 2)
    return 1 - float(import_extra("sklearn.metrics", "learn").roc_auc_score(answers.truth, answers.chances[:, 1]))


def _average_precision(answers: Answers) -> float:
    _binary(answers, "average_precision", "roc_auc_ovr")
    _both_occur(answers, "average_precision", 2)
    found = import_extra("sklearn.metrics", "learn").average_precision_score(answers.truth, answers.chances[:, 1])
    return 1 - float(found)


def _many_auc(way: str) -> Metric:
    def whole(answers: Answers) -> float:
        if len(answers.classes) == 2:
            return _roc_auc(answers)
        _both_occur(answers, f"roc_auc_{way}", len(answers.classes))
        chances = answers.chances / answers.chances.sum(axis=1, keepdims=True)  # scikit-learn wants an exact 1
        score = import_extra("sklearn.metrics", "learn").roc_auc_score
        return 1 - float(score(answers.truth, chances, multi_class=way, labels=np.arange(len(answers.classes))))

    return Metric(f"1 - roc_auc_{way}", whole, probable=True)


_METRICS = {
    "error": Metric("error", _mean(_wrong), _wrong),
    "log_loss": Metric("log_loss", _mean(_surprise), _surprise, probable=True),
    "brier": Metric("brier", _mean(_brier), _brier, probable=True),
    "balanced_accuracy": Metric("1 - balanced_accuracy", _balanced),
    "mcc": Metric("-mcc", _mcc),
    "cohen_kappa": Metric("-cohen_kappa", _kappa),
    "roc_auc": Metric("1 - roc_auc", _roc_auc, probable=True),
    "roc_auc_ovr": _many_auc("ovr"),
    "roc_auc_ovo": _many_auc("ovo"),
    "average_precision": Metric("1 - average_precision", _average_precision, probable=True),
    **{base: _averaged(base, "binary") for base in _AVERAGED},
}

# What scikit-learn, and people, call the same.
_ALIASES = {
    "accuracy": "error",
    "zero_one_loss": "error",
    "neg_log_loss": "log_loss",
    "neg_brier_score": "brier",
    "brier_score_loss": "brier",
    "matthews_corrcoef": "mcc",
}
KNOWN = tuple(sorted([*_METRICS, *(f"{base}_{way}" for base in _AVERAGED for way in ("macro", "micro", "weighted"))]))
