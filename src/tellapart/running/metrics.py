"""From predictions to a loss: the metric is chosen after the experiment.

Metrics are defined in `tellapart.metrics`; here they become losses of one test set.
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
from ..evidence.score_columns import find_class
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
    """The predictions of one classifier on one test set.

    Parameters
    ----------
    truth
        The codes of the labels, as indices of `classes`.
    predictions
        The codes of the predictions; -1 for a label that is not one of the classes.
    probabilities
        By example and class; None if the learner has none.
    classes
        The labels.
    """

    truth: IntArray
    predictions: IntArray
    probabilities: FloatArray | None
    classes: tuple[Any, ...]

    @property
    def chances(self) -> FloatArray:
        """The probabilities; InvalidEvidence is raised if there are none."""
        if self.probabilities is None:
            raise InvalidEvidence("the metric needs class probabilities, but the learner has none. Use another metric.")
        return self.probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSetLoss:
    """The loss on a test set; lower is better.

    Parameters
    ----------
    metric
        The metric that the loss stands for.
    whole
        The loss on a test set; NaN if it is undefined.
    cost
        By example and class: the cost of the prediction if this class were the truth. The loss is the mean over the
        examples of the cost for the true class. None if it is not such a mean.
    probable
        Whether it needs class probabilities.
    instead
        The value if it is undefined, as in scikit-learn: the loss of a score of 0.

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
    cost: Callable[[Answers], FloatArray] | None = None
    probable: bool = False
    instead: float = np.nan

    def per_example(self, answers: Answers) -> FloatArray:
        """Return the loss of each example, for a loss that is a mean over examples."""
        if self.cost is None:
            raise InvalidOption(
                f"`metric` must be a mean over examples, got {self.metric.name!r}. Use metric='error', 'cost',"
                " 'log-loss' or 'brier'."
            )
        if self.cost is _is_wrong:  # the most common, without its table
            return np.not_equal(answers.predictions, answers.truth).astype(float)
        return self.cost(answers)[np.arange(answers.truth.size), answers.truth]


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
        "error", "log-loss", "brier", "f1", "balanced-accuracy", "auc", "cost", … (scikit-learn's names are accepted,
        too), or a function of true labels and predicted labels.
    classes
        The labels.
    higher_is_better
        For a function: whether larger values are better.
    positive
        The positive class of precision, recall and F. Default: the second of two. For AUC and average precision: the
        class compared with the rest.
    costs
        For "cost": the cost of each prediction for each label.

    Examples
    --------
    >>> [as_test_set_loss(name, ("no", "yes")).metric.name for name in ("neg_log_loss", "accuracy", "recall-macro")]
    ['log-loss', 'error', 'recall-macro']
    >>> as_test_set_loss("f1", ("cat", "dog", "owl"), positive="owl").metric.title
    'F1 (owl)'
    """
    if callable(metric):
        if positive is not None or costs is not None:
            raise InvalidOption("`positive` and `costs` need a named metric, got a function. Set them in the function.")
        return _from_function(metric, higher_is_better)
    if higher_is_better is not None:
        raise InvalidOption("`higher_is_better` needs a metric that is a function, got a name. Leave it out.")
    definition = find_metric(metric)
    if definition is None:
        raise InvalidOption(unknown_metric(metric))
    if definition.needs == "scores":
        return _loss_of_scores(definition, classes, positive, costs)
    if not definition.is_comparable:
        raise InvalidOption(
            "`metric` must rank learners, got 'label-balance'. Use estimate(race.confusion_matrix(learner),"
            " metric='label-balance')."
        )
    named = positive is not None or len(classes) > 2
    return _loss_of_counts(definition.of_labels(classes, positive=positive, costs=costs, named=named))


def _from_function(function: Callable[..., float], greater: bool | None) -> TestSetLoss:
    name = getattr(function, "__name__", type(function).__name__)
    if greater is None:
        raise InvalidOption(
            f"`higher_is_better` must be True or False for {name}, got None. Use True if larger is better."
        )

    def whole(answers: Answers) -> float:
        if (answers.predictions < 0).any():
            raise InvalidEvidence(f"{name} needs predictions that are labels of `y`, got another label.")
        labels = np.asarray(answers.classes)
        value = float(function(labels[answers.truth], labels[answers.predictions]))
        return -value if greater else value

    return TestSetLoss(metric=as_metric_of_losses(name, higher_is_better=greater), whole=whole)


# --- Metrics of a confusion matrix ----------------------------------------------------------------


def _loss_of_counts(metric: LabelMetric) -> TestSetLoss:
    """Return the loss by a metric of the confusion matrix."""
    if metric.name in {"error", "accuracy"}:
        return TestSetLoss(metric=ERROR_AS_ACCURACY, whole=_mean_over_examples(_is_wrong), cost=_is_wrong)
    if metric.costs is not None:
        cost = _loss_by_costs(np.array(metric.costs))
        return TestSetLoss(metric=_strip_labels(metric), whole=_mean_over_examples(cost), cost=cost)
    sign = -1.0 if metric.higher_is_better else 1.0
    by_size = {len(metric.labels): metric}  # and with another label, for predictions that are not among them

    def whole(answers: Answers) -> float:
        counts = _count_cells(answers, by_label=metric.name in _OF_LABELS)
        if len(counts) not in by_size:
            positive = None if metric.positive is None else metric.labels[metric.positive]
            by_size[len(counts)] = get_metric(metric.name).of_labels((*metric.labels, _OTHER), positive=positive)
        return float(metric.ideal + sign * by_size[len(counts)].of(counts))

    # An undefined score is 0; an undefined rate of which less is better is 1.
    instead = 1.0 if metric.ideal or not metric.higher_is_better else 0.0
    return TestSetLoss(metric=_strip_labels(metric), whole=whole, instead=instead)


def _strip_labels(metric: Metric) -> Metric:
    """Return the metric without its labels and its rule."""
    names = ("name", "title", "higher_is_better", "bounds", "ideal", "is_mean")
    return Metric(**{name: getattr(metric, name) for name in names})


_OTHER = "a label that no example has"
_OF_LABELS = ("balanced-accuracy", "informedness")  # which do not distinguish wrong predictions of a label


def _count_cells(answers: Answers, *, by_label: bool) -> IntArray:
    """Return the confusion matrix, with another label if a prediction is not one of the classes."""
    size, truth, predicted = len(answers.classes), answers.truth, answers.predictions
    strange = predicted < 0
    if strange.any():
        predicted = np.where(strange, (truth + 1) % size if by_label else size, predicted)
        size += not by_label
    counts: IntArray = np.bincount(truth * size + predicted, minlength=size * size).reshape(size, size)
    return counts


def _loss_by_costs(costs: FloatArray) -> Callable[[Answers], FloatArray]:
    def cost(answers: Answers) -> FloatArray:
        if (answers.predictions < 0).any():
            raise InvalidEvidence("`costs` must cover all predictions, got a label that no example has.")
        return costs[:, answers.predictions].T

    return cost


# --- Means over examples --------------------------------------------------------------------------


def _mean_over_examples(cost: Callable[[Answers], FloatArray]) -> Callable[[Answers], float]:
    def whole(answers: Answers) -> float:
        return float(cost(answers)[np.arange(answers.truth.size), answers.truth].mean())

    return whole


def _is_wrong(answers: Answers) -> FloatArray:
    return np.not_equal(answers.predictions[:, None], np.arange(len(answers.classes))).astype(float)


def _log_loss(answers: Answers) -> FloatArray:
    """Return minus the logarithm of each class's probability, which is at least the smallest step from 0."""
    return 0.0 - np.log(np.maximum(answers.chances, LEAST_CHANCE))  # of what was certain 0, not −0


def _brier_score(answers: Answers) -> FloatArray:
    """Return the squared distance from certainty in each class; of two classes that of one, by convention."""
    chances = answers.chances
    squares: FloatArray = (chances**2).sum(axis=1, keepdims=True) - 2 * chances + 1  # |p − e_c|², no third dimension
    return np.maximum(squares, 0.0) / (2 if chances.shape[1] == 2 else 1)


# --- Metrics of scores ----------------------------------------------------------------------------


def _loss_of_scores(metric: Metric, classes: tuple[Any, ...], positive: Hashable, costs: Any) -> TestSetLoss:
    """Return the loss by a metric of class probabilities; with `positive` that of one class against the rest."""
    name = metric.name
    if costs is not None:
        raise InvalidOption(f"`costs` need metric='cost', got {name!r}. Leave them out.")
    cost = {"log-loss": _log_loss, "brier": _brier_score}.get(name)
    whole = (
        _mean_over_examples(cost)
        if cost
        else {"auc": _one_minus_auc, "auc-ovo": _one_minus_auc_ovo, "average-precision": _one_minus_average_precision}[
            name
        ]
    )
    if name == "brier":
        metric = replace(metric, bounds=(0.0, 1.0 if len(classes) == 2 or positive is not None else 2.0))
    if positive is None:
        return TestSetLoss(metric=_strip_labels(metric), whole=whole, cost=cost, probable=True)
    index = find_class(positive, classes)
    of_two = (np.arange(len(classes)) == index).astype(np.int64)  # each class as one of two
    return TestSetLoss(
        metric=_strip_labels(replace(metric, title=f"{metric.title} ({classes[index]})")),
        whole=lambda answers: whole(_against_rest(answers, index)),
        cost=None if cost is None else lambda answers: cost(_against_rest(answers, index))[:, of_two],
        probable=True,
    )


def _against_rest(answers: Answers, index: int) -> Answers:
    """Return the predictions for two classes: all others, and the class at this index."""
    chance, truth = answers.chances[:, index], (answers.truth == index).astype(np.int64)
    predicted = (answers.predictions == index).astype(np.int64)
    named = answers.classes[index]
    return Answers(truth, predicted, np.stack([1 - chance, chance], axis=1), (f"not {named}", named))


def _one_minus_auc(answers: Answers) -> float:
    return 1 - _over_classes(area, answers, "auc")


def _one_minus_average_precision(answers: Answers) -> float:
    return 1 - _over_classes(average_precision, answers, "average precision")


def _over_classes(rule: Callable[..., FloatArray], answers: Answers, name: str) -> float:
    """Return the value for the second of two classes, or the mean over more of each against the rest."""
    _refuse_absent_classes(answers, name)
    indices = [1] if len(answers.classes) == 2 else range(len(answers.classes))
    return float(np.mean([rule(answers.truth == index, answers.chances[:, index]) for index in indices]))


def _one_minus_auc_ovo(answers: Answers) -> float:
    """Return 1 − the mean over pairs of classes of their AUC (Hand and Till 2001)."""
    _refuse_absent_classes(answers, "auc-ovo")
    areas = []
    for pair in combinations(range(len(answers.classes)), 2):
        members = np.isin(answers.truth, pair)
        truth, chances = answers.truth[members], answers.chances[members]
        areas += [area(truth == index, chances[:, index]) for index in pair]
    return 1 - float(np.mean(areas))


def _refuse_absent_classes(answers: Answers, name: str) -> None:
    counts = np.bincount(answers.truth, minlength=len(answers.classes))
    if not counts.all():
        lacks = answers.classes[int(np.argmin(counts))]
        raise InvalidEvidence(
            f"{name} needs every class in every test set, but {lacks!r} is missing in one. Use larger or stratified"
            " test sets."
        )


KNOWN = tuple(
    sorted({*COUNTED, *(metric.name for metric in METRICS.values() if metric.needs == "scores")} - {"label-balance"})
)
