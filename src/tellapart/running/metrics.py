"""From kept predictions to a loss: the metric is chosen after the race.

Metrics are defined in `metrics.py`: here they become losses of one test set.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence.of_learners import as_metric_of_losses
from ..evidence.ranks import area, average_precision
from ..evidence.score_columns import place_of
from ..metrics import (
    COUNTED,
    ERROR_AS_ACCURACY,
    LEAST_CHANCE,
    METRICS,
    LabelMetric,
    Metric,
    find_metric,
    get_metric,
    unknown_metric,
)
from ..typing_ import FloatArray, IntArray


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


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSetLoss:
    """A loss: what is better when it is smaller.

    Parameters
    ----------
    metric
        The metric that the loss stands for.
    whole
        The loss on a test set; NaN where it is not defined.
    each
        By example and class: what the prediction would cost if this class were the truth. The loss is
        the mean over the examples of what the true class costs. None if it is no such mean.
    probable
        Whether it needs class probabilities.
    instead
        What counts where it is not defined, as scikit-learn has it: the loss of a score of 0.

    Examples
    --------
    >>> answers = Answers(np.array([0, 1, 1]), np.array([0, 0, 1]), None, ("no", "yes"))
    >>> error, f1 = (as_test_set_loss(name, answers.classes) for name in ("error", "f1"))
    >>> round(error.whole(answers), 3), round(f1.whole(answers), 3)
    (0.333, 0.333)
    """

    __test__ = False  # its name must not make pytest collect it

    metric: Metric
    whole: Callable[[Answers], float]
    each: Callable[[Answers], FloatArray] | None = None
    probable: bool = False
    instead: float = np.nan

    def per_example(self, answers: Answers) -> FloatArray:
        """Return what each example costs; for a loss that is a mean over examples."""
        if self.each is None:
            raise InvalidOption(
                f"{self.metric.name} is no mean over examples, which this needs. Choose metric='error', 'cost',"
                " 'log-loss' or 'brier'."
            )
        if self.each is _wrong:  # the commonest of all, without its table
            return np.not_equal(answers.predictions, answers.truth).astype(float)
        return self.each(answers)[np.arange(answers.truth.size), answers.truth]


def as_test_set_loss(
    metric: str | Callable[..., float],
    classes: tuple[Any, ...],
    higher_is_better: bool | None = None,
    *,
    positive: Hashable = None,
    costs: Any = None,
) -> TestSetLoss:
    """Return the loss by a metric of this name, or from a function of true labels and predictions.

    Parameters
    ----------
    metric
        "error", "log-loss", "brier", "f1", "balanced-accuracy", "auc", "cost", … (scikit-learn's names of scores are
        known, too), or a function of true labels and predicted labels.
    classes
        The labels there are.
    higher_is_better
        For a function: whether its larger values are better.
    positive
        The class that precision, recall, F and the like speak of; of two the second, if left out. Of AUC and average
        precision: the class that is told from the rest.
    costs
        Of "cost": what each label taken for each prediction costs.

    Examples
    --------
    >>> [as_test_set_loss(name, ("no", "yes")).metric.name for name in ("neg_log_loss", "accuracy", "recall-macro")]
    ['log-loss', 'error', 'recall-macro']
    >>> as_test_set_loss("f1", ("cat", "dog", "owl"), positive="owl").metric.title
    'F1 (owl)'
    """
    if callable(metric):
        if positive is not None or costs is not None:
            raise InvalidOption("positive and costs are for a metric by its name; a function has them inside it.")
        return _from_function(metric, higher_is_better)
    if higher_is_better is not None:
        raise InvalidOption("higher_is_better is for a metric that is a function. Leave it out.")
    known = find_metric(metric)
    if known is None:
        raise InvalidOption(unknown_metric(metric).replace(", but is", " or a function, but is"))
    if known.needs == "scores":
        return _scored(known, classes, positive, costs)
    if not known.is_comparable:
        raise InvalidOption(
            "label-balance says which label is predicted too often, and of it neither more nor less is better. Ask"
            " estimate(race.confusion_matrix(learner), metric='label-balance')."
        )
    named = positive is not None or len(classes) > 2
    return _counted(known.of_labels(classes, positive=positive, costs=costs, named=named))


def _from_function(function: Callable[..., float], greater: bool | None) -> TestSetLoss:
    name = getattr(function, "__name__", type(function).__name__)
    if greater is None:
        raise InvalidOption(f"higher_is_better must be told for {name}: True if larger values are better, else False.")

    def whole(answers: Answers) -> float:
        if (answers.predictions < 0).any():
            raise InvalidEvidence(f"{name} cannot be computed: a prediction is a label that y does not have.")
        labels = np.asarray(answers.classes)
        value = float(function(labels[answers.truth], labels[answers.predictions]))
        return -value if greater else value

    return TestSetLoss(metric=as_metric_of_losses(name, higher_is_better=greater), whole=whole)


# --- What a confusion matrix determines -----------------------------------------------------------


def _counted(metric: LabelMetric) -> TestSetLoss:
    """Return the loss by what a confusion matrix determines."""
    if metric.name in {"error", "accuracy"}:
        return TestSetLoss(metric=ERROR_AS_ACCURACY, whole=_mean(_wrong), each=_wrong)
    if metric.costs is not None:
        each = _priced(np.array(metric.costs))
        return TestSetLoss(metric=_plain(metric), whole=_mean(each), each=each)
    sign = -1.0 if metric.higher_is_better else 1.0
    own = {len(metric.labels): metric}  # and the same with a label more, where a prediction is none of them

    def whole(answers: Answers) -> float:
        counts = _cells(answers, by_label=metric.name in _OF_LABELS)
        if len(counts) not in own:
            positive = None if metric.positive is None else metric.labels[metric.positive]
            own[len(counts)] = get_metric(metric.name).of_labels((*metric.labels, _OTHER), positive=positive)
        return float(metric.ideal + sign * own[len(counts)].of(counts))

    # A score that is not defined counts as 0; a rate of which less is better like its complement, as 1.
    instead = 1.0 if metric.ideal or not metric.higher_is_better else 0.0
    return TestSetLoss(metric=_plain(metric), whole=whole, instead=instead)


def _plain(metric: Metric) -> Metric:
    """Return what losses remember of a metric: no labels, no rule."""
    names = ("name", "title", "higher_is_better", "bounds", "ideal", "is_mean")
    return Metric(**{name: getattr(metric, name) for name in names})


_OTHER = "a label that no example has"
_OF_LABELS = ("balanced-accuracy", "informedness")  # to which all wrong predictions of a label are alike


def _cells(answers: Answers, *, by_label: bool) -> IntArray:
    """Return the confusion matrix, with a label more if a prediction is none of the classes."""
    size, truth, said = len(answers.classes), answers.truth, answers.predictions
    strange = said < 0
    if strange.any():
        said = np.where(strange, (truth + 1) % size if by_label else size, said)
        size += not by_label
    counts: IntArray = np.bincount(truth * size + said, minlength=size * size).reshape(size, size)
    return counts


def _priced(costs: FloatArray) -> Callable[[Answers], FloatArray]:
    def each(answers: Answers) -> FloatArray:
        if (answers.predictions < 0).any():
            raise InvalidEvidence("a prediction is a label that no example has, and costs= does not say its price.")
        return costs[:, answers.predictions].T

    return each


# --- Means over examples --------------------------------------------------------------------------


def _mean(each: Callable[[Answers], FloatArray]) -> Callable[[Answers], float]:
    def whole(answers: Answers) -> float:
        return float(each(answers)[np.arange(answers.truth.size), answers.truth].mean())

    return whole


def _wrong(answers: Answers) -> FloatArray:
    return np.not_equal(answers.predictions[:, None], np.arange(len(answers.classes))).astype(float)


def _surprise(answers: Answers) -> FloatArray:
    """Return minus the logarithm of each class's probability; 0 counts as the smallest step from it."""
    return 0.0 - np.log(np.maximum(answers.chances, LEAST_CHANCE))  # of what was certain 0, not −0


def _brier(answers: Answers) -> FloatArray:
    """Return the squared distance from certainty in each class; of two classes that of one, as is the custom."""
    chances = answers.chances
    squares: FloatArray = (chances**2).sum(axis=1, keepdims=True) - 2 * chances + 1  # |p − e_c|², no third dimension
    return np.maximum(squares, 0.0) / (2 if chances.shape[1] == 2 else 1)


# --- What scores determine ------------------------------------------------------------------------


def _scored(metric: Metric, classes: tuple[Any, ...], positive: Hashable, costs: Any) -> TestSetLoss:
    """Return the loss by what class probabilities determine; with `positive` that of one class against the rest."""
    name = metric.name
    if costs is not None:
        raise InvalidOption(f"costs are for metric='cost', not for {name!r}. Leave them out, or ask for the cost.")
    each = {"log-loss": _surprise, "brier": _brier}.get(name)
    whole = _mean(each) if each else {"auc": _auc, "auc-ovo": _auc_of_pairs, "average-precision": _precision}[name]
    if name == "brier":
        metric = replace(metric, bounds=(0.0, 1.0 if len(classes) == 2 or positive is not None else 2.0))
    if positive is None:
        return TestSetLoss(metric=_plain(metric), whole=whole, each=each, probable=True)
    place = place_of(positive, classes)
    of_two = (np.arange(len(classes)) == place).astype(np.int64)  # each class as one of two
    return TestSetLoss(
        metric=_plain(replace(metric, title=f"{metric.title} ({classes[place]})")),
        whole=lambda answers: whole(_against_rest(answers, place)),
        each=None if each is None else lambda answers: each(_against_rest(answers, place))[:, of_two],
        probable=True,
    )


def _against_rest(answers: Answers, place: int) -> Answers:
    """Return the same of two classes: the one at this place, which is the second now, and all others."""
    chance, one = answers.chances[:, place], (answers.truth == place).astype(np.int64)
    said = (answers.predictions == place).astype(np.int64)
    named = answers.classes[place]
    return Answers(one, said, np.stack([1 - chance, chance], axis=1), (f"not {named}", named))


def _auc(answers: Answers) -> float:
    return 1 - _over_classes(area, answers, "auc")


def _precision(answers: Answers) -> float:
    return 1 - _over_classes(average_precision, answers, "average precision")


def _over_classes(rule: Callable[..., FloatArray], answers: Answers, name: str) -> float:
    """Return the value for the second of two classes, or the mean over more of each against the rest."""
    _all_occur(answers, name)
    places = [1] if len(answers.classes) == 2 else range(len(answers.classes))
    return float(np.mean([rule(answers.truth == place, answers.chances[:, place]) for place in places]))


def _auc_of_pairs(answers: Answers) -> float:
    """1 − the mean over pairs of classes of how well each is told from the other (Hand and Till 2001)."""
    _all_occur(answers, "auc-ovo")
    found = []
    for pair in combinations(range(len(answers.classes)), 2):
        some = np.isin(answers.truth, pair)
        truth, chances = answers.truth[some], answers.chances[some]
        found += [area(truth == place, chances[:, place]) for place in pair]
    return 1 - float(np.mean(found))


def _all_occur(answers: Answers, name: str) -> None:
    there = np.bincount(answers.truth, minlength=len(answers.classes))
    if not there.all():
        lacks = answers.classes[int(np.argmin(there))]
        raise InvalidEvidence(
            f"{name} is not defined on a test set that lacks a class, and here none is {lacks!r}. Take larger test"
            " sets, or keep them stratified."
        )


KNOWN = tuple(
    sorted({*COUNTED, *(metric.name for metric in METRICS.values() if metric.needs == "scores")} - {"label-balance"})
)
