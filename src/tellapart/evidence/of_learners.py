"""What evidence has in common that holds a value of every model on each of its units, and evidence about learners."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidEvidence, InvalidOption
from ..metrics import ERROR, METRICS, Metric, canonical_name, find_metric
from ..typing_ import FloatArray, Source
from .base import Evidence, Table, Unit, pair_index, positions_of, swap_names


class Valued(Evidence):
    """Values of one model or more on every unit; methods take those of one, or the difference of two."""

    __slots__ = ()
    accepts: ClassVar = frozenset({"margin", "hypothesis", "looks"})
    _leader = "_first_entries"

    @property
    def parameter(self) -> str:
        """What the values are: the "error" (or the metric) of one model, or the "difference" of two."""
        if len(self.models) > 2:
            raise InvalidEvidence(
                f"one or two {self.noun}s are wanted, but these are {', '.join(self.models)}. Take them out by select."
            )
        return "error" if len(self.models) == 1 else "difference"

    @property
    def range(self) -> tuple[float, float]:
        """Between what the figure of one model, or the difference of two, must lie."""
        return self.metric.bounds if self.parameter == "error" else self.metric.difference_bounds

    def _select_models(self, places: Any, models: tuple[str, ...]) -> Self:
        raise TypeError(f"{type(self).__name__} does not say what it keeps of {models} at {places}")


class ByExample(Valued):
    """Values of classifiers or other models on examples."""

    __slots__ = ()
    models: tuple[str, ...]
    metric: Metric
    question: ClassVar = 3

    @property
    def examples(self) -> int:
        """How many examples there are."""
        raise TypeError(f"{type(self).__name__} does not say how many examples there are")

    @property
    def size(self) -> int:
        """The number of examples."""
        return self.examples

    def select(self, *models: str) -> Self:
        """Return what is known of these models, in this order."""
        return self._select_models(positions_of(as_names(models), self.models), models)

    def swapped(self) -> Self:
        """Return the same with A and B exchanged."""
        return self._select_models([1, 0], swap_names(self.models))

    def __repr__(self) -> str:
        many = f"shape={self.shape}, " if self.shape else ""
        return f"{type(self).__name__}({many}{', '.join(self.models)}: {self.metric.name}, {self.describe()})"


class OfLearners(Valued):
    """The losses of one learner or more; methods take one, or the difference of two.

    Methods see losses; readers are answered in the `metric` that they stand for.

    A subclass has the fields, and says in `_select_models` what is kept of some of the learners.
    """

    __slots__ = ()
    loss: FloatArray  # […, learner, one dimension more, another]
    learners: tuple[str, ...]
    metric: Metric  # that the losses stand for
    subject: ClassVar = "learner"
    noun: ClassVar = "learner"
    unit: ClassVar = Unit("split", "race")
    sources_covered: ClassVar[tuple[Source, ...] | None] = None
    sees_losses: ClassVar = True

    @property
    def _first_entries(self) -> FloatArray:
        return self.loss[..., 0, 0, 0]

    @property
    def models(self) -> tuple[str, ...]:
        """The learners, by the name that comparisons have for them."""
        return self.learners

    def select(self, *learners: str) -> Self:
        """Return what is known of these learners, in this order."""
        if len(set(learners)) != len(learners) or not learners:
            raise InvalidEvidence(f"learners must be different names, but are {learners!r}.")
        return self._select_models(positions_of(learners, self.learners, "learner"), learners)

    def by(self, metric: Any, *, positive: Any = None, costs: Any = None) -> Self:
        """Raise InvalidOption: losses are of one metric."""
        raise InvalidOption(
            "metric, positive, costs and missing are for a race, which has kept its predictions; scores have one"
            " metric."
        )

    def pairs(self, control: str | None = None) -> Self:
        """Return all pairs (or each with the control) at once, along the last dimension; called A and B."""
        return self._select_models(pair_index(self.learners, control), ("A", "B"))

    def _notebook_table(self) -> Table:
        return self._table_of(self.levels, f"mean {'error' if self.metric.is_rate else self.metric.title}")

    # --- What readers see -------------------------------------------------------------------------

    @property
    def levels(self) -> FloatArray:
        """The mean of the metric of each learner, along the last dimension."""
        levels: FloatArray = self.metric.from_loss(self.losses)
        return levels

    # --- What methods see -------------------------------------------------------------------------

    @property
    def losses(self) -> FloatArray:
        """The mean loss of each learner, along the last dimension: every split (or example) counts alike."""
        means: FloatArray = np.nanmean(self.loss, axis=(-2, -1))
        return means

    @property
    def rank_by(self) -> FloatArray:
        """The figures that order a ranking, the smallest first."""
        return self.losses

    @property
    def bounded(self) -> bool:
        """Whether the loss lies between 0 and 1."""
        return self.metric.loss_bounds == (0.0, 1.0)

    @property
    def range(self) -> tuple[float, float]:
        """Between what the loss of one learner, or the difference of two, must lie."""
        least, most = self.metric.loss_bounds
        return (least, most) if self.parameter == "error" else (least - most, most - least)

    @property
    def values(self) -> FloatArray:
        """The loss of one learner, or loss(A) − loss(B) of two, along the last two dimensions."""
        if self.parameter == "error":
            return self.loss[..., 0, :, :]
        return self.loss[..., 0, :, :] - self.loss[..., 1, :, :]

    @property
    def difference(self) -> FloatArray:
        """The mean of loss(A) − loss(B); positive: B is better."""
        self.require_two("difference")
        losses = self.losses
        return (losses[..., 0] - losses[..., 1])[()]


def as_metric_of_losses(
    metric: Metric | str,
    *,
    higher_is_better: bool | None = None,
    ideal: float = 0.0,
    bounds: tuple[float, float] | None = None,
) -> Metric:
    """Return the metric that losses stand for: as it is, or that of a name.

    A name alone is that of a metric that is known, or of a loss. With its direction it may be somebody's own: then what
    is not spelled as it is here keeps its name.

    Examples
    --------
    >>> as_metric_of_losses("f1").loss(0.75), as_metric_of_losses("loss").loss(0.75)
    (0.25, 0.75)
    >>> as_metric_of_losses("my_score", higher_is_better=True).title
    'my_score'
    """
    if isinstance(metric, Metric):
        return metric
    if not isinstance(metric, str) or not metric:
        raise InvalidEvidence(f"metric must be a name, but is {metric!r}.")
    base, of, label = metric.partition(" (")
    known = find_metric(base) if ideal or higher_is_better is None else METRICS.get(base.replace("_", "-"))
    known = find_metric(base) if known is None and canonical_name(base) == base.replace("_", "-") else known
    if higher_is_better is None:
        if metric == "error" or (known is not None and known.higher_is_better and known.name != "accuracy"):
            return known or ERROR
        higher_is_better = False
    ends = (-np.inf, np.inf) if bounds is None else (float(bounds[0]), float(bounds[1]))
    if known is not None and known.name in {"log-loss", "brier"} and bounds is None and not higher_is_better:
        ends = known.bounds
    facts: dict[str, Any] = {"higher_is_better": higher_is_better, "bounds": ends, "ideal": ideal}
    if known is None or known.name == "error":  # which is written in percent, as what is wrong
        name = metric if known is None else "error score"
        return Metric(name=name, is_mean=known is not None, **facts)
    return Metric(name=known.name, title=f"{known.title}{of}{label}", is_mean=known.is_mean, **facts)


def check_bounds(metric: Metric, loss: FloatArray) -> None:
    """Raise InvalidEvidence if losses are not within the bounds of their metric."""
    low, high = metric.loss_bounds
    if (low, high) == (-np.inf, np.inf):  # no bounds: nothing to look at
        return
    known = loss[np.isfinite(loss)]
    room = 1e-9 * min(high - low, 1e300)  # means are rounded
    if not low < high or known.min() < low - room or known.max() > high + room:
        raise InvalidEvidence(
            f"bounds must be the least and the largest loss there can be, but are {(low, high)}, and the losses go from"
            f" {known.min():.6g} to {known.max():.6g}."
        )


def named_scores(
    a: ArrayLike | Mapping[str, ArrayLike], b: ArrayLike | None, names: Sequence[str] | None, noun: str
) -> dict[str, ArrayLike]:
    """Return the scores of A and B, of A alone, or those that `a` names, by name; or say what is wrong with them.

    Examples
    --------
    >>> named_scores([0.9, 0.8], [0.7, 0.8], ["lr", "nb"], "learner"), named_scores([0.9], None, None, "model")
    ({'lr': [0.9, 0.8], 'nb': [0.7, 0.8]}, {'A': [0.9]})
    """
    scores = dict(a) if isinstance(a, Mapping) else {"A": a} | ({} if b is None else {"B": b})
    if isinstance(a, Mapping) and b is not None:
        raise InvalidOption("b must be left out where a is a mapping from names to scores.")
    if not scores:
        raise InvalidEvidence(f"a must hold the scores of one {noun} or more, but is empty.")
    called = as_names(tuple(scores) if names is None else names)
    if len(called) != len(scores):
        raise InvalidOption(f"{noun}s must be {len(scores)} names, but is {names!r}.")
    return dict(zip(called, scores.values(), strict=True))


def as_floats(name: str, value: Any) -> FloatArray:
    """Return numbers as an array of our own, or say what is none.

    Examples
    --------
    >>> as_floats("loss", [1, 0])
    array([1., 0.])
    """
    try:
        return np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise InvalidEvidence(f"{name} must be numbers, but is {value!r}.") from None


def as_names(learners: Any) -> tuple[str, ...]:
    """Return what the learners are called, or say that different names are wanted.

    Examples
    --------
    >>> as_names(["lr", "nb"])
    ('lr', 'nb')
    """
    names = tuple(learners) if isinstance(learners, Iterable) and not isinstance(learners, str) else ()
    if not names or not all(isinstance(name, str) for name in names):
        raise InvalidEvidence(f"learners must be a list of names, such as ['lr', 'nb'], but is {learners!r}.")
    if len(set(names)) != len(names):
        raise InvalidEvidence(f"learners must be different names, but is {names!r}.")
    return names
