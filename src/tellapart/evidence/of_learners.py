"""Bases of evidence with a value for every model and unit, and of evidence about learners."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidEvidence, InvalidOption
from ..figures import count_text
from ..metrics import ERROR, METRICS, Metric, canonical_name, find_metric
from ..typing_ import FloatArray, Source, list_names, quote_name
from .base import Evidence, Table, Unit, pair_index, positions_of, swap_names


class Valued(Evidence):
    """Values of one model or more on every unit; methods take the values of one, or the difference of two."""

    __slots__ = ()
    accepts: ClassVar = frozenset({"margin", "hypothesis", "looks"})
    _leader = "_first_entries"

    @property
    def parameter(self) -> str:
        """The parameter: the "error" (or the metric) of one model, or the "difference" of two."""
        if len(self.models) > 2:
            raise InvalidEvidence(
                f"the method needs one or two {self.noun}s, got {list_names(self.models)}. Use select(a, b)."
            )
        return "error" if len(self.models) == 1 else "difference"

    @property
    def range(self) -> tuple[float, float]:
        """The bounds of the metric of one model, or of the difference of two."""
        return self.metric.bounds if self.parameter == "error" else self.metric.difference_bounds

    def _select_models(self, positions: Any, models: tuple[str, ...]) -> Self:
        raise TypeError(f"{type(self).__name__} must define `_select_models()`.")


class ByExample(Valued):
    """Values of classifiers or other models on examples."""

    __slots__ = ()
    models: tuple[str, ...]
    metric: Metric
    question: ClassVar = 3

    @property
    def examples(self) -> int:
        """The number of examples."""
        raise TypeError(f"{type(self).__name__} must define `examples`.")

    @property
    def size(self) -> int:
        """The number of examples."""
        return self.examples

    def select(self, *models: str) -> Self:
        """Return the evidence of these models, in this order."""
        return self._select_models(positions_of(as_names(models), self.models), models)

    def swapped(self) -> Self:
        """Return the evidence with A and B swapped."""
        return self._select_models([1, 0], swap_names(self.models))

    def __repr__(self) -> str:
        many = f"shape={self.shape}, " if self.shape else ""
        return f"{type(self).__name__}({many}{', '.join(self.models)}: {self.metric.name}, {self.describe()})"


class OfLearners(Valued):
    """The losses of one learner or more; methods take one, or the difference of two.

    Methods take losses; results report the `metric` that the losses represent.

    A subclass has the fields, and defines `_select_models`.
    """

    __slots__ = ()
    loss: FloatArray  # […, learner, and two more dimensions]
    learners: tuple[str, ...]
    metric: Metric  # the metric that the losses represent
    subject: ClassVar = "learner"
    noun: ClassVar = "learner"
    unit: ClassVar = Unit("split", "experiment")
    sources_covered: ClassVar[tuple[Source, ...] | None] = None
    sees_losses: ClassVar = True

    @property
    def _first_entries(self) -> FloatArray:
        return self.loss[..., 0, 0, 0]

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the learners."""
        return self.learners

    def select(self, *learners: str) -> Self:
        """Return the evidence of these learners, in this order."""
        if len(set(learners)) != len(learners) or not learners:
            raise InvalidEvidence(f"`learners` must be different names, got {list_names(learners) or 'none'}.")
        return self._select_models(positions_of(learners, self.learners, "learner"), learners)

    def by(self, metric: Any, *, positive: Any = None, costs: Any = None) -> Self:
        """Raise InvalidOption, as losses are of one metric."""
        raise InvalidOption(
            "`metric`, `positive`, `costs` and `missing` need a race, which keeps predictions. Leave them out for"
            " scores."
        )

    def pairs(self, control: str | None = None) -> Self:
        """Return all pairs (or all pairs with the control), named A and B, along the last dimension."""
        return self._select_models(pair_index(self.learners, control), ("A", "B"))

    def _notebook_table(self) -> Table:
        return self._table_of(self.levels, f"mean {'error' if self.metric.is_rate else self.metric.title}")

    # --- In the metric -------------------------------------------------------------------------

    @property
    def levels(self) -> FloatArray:
        """The mean of the metric of each learner, along the last dimension."""
        levels: FloatArray = self.metric.from_loss(self.losses)
        return levels

    # --- In losses -------------------------------------------------------------------------

    @property
    def losses(self) -> FloatArray:
        """The mean loss of each learner, along the last dimension: with equal weight for every split (or example)."""
        means: FloatArray = np.nanmean(self.loss, axis=(-2, -1))
        return means

    @property
    def rank_by(self) -> FloatArray:
        """The figures that order a ranking, the smallest first."""
        return self.losses

    @property
    def bounded(self) -> bool:
        """Whether the loss is bounded by 0 and 1."""
        return self.metric.loss_bounds == (0.0, 1.0)

    @property
    def range(self) -> tuple[float, float]:
        """The bounds of the loss of one learner, or of the difference of two."""
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
    """Return the metric that losses represent, from a metric or its name.

    A name alone is that of a known metric, or of a loss. With a direction it may be the caller's own metric, and a
    name that is spelled differently from the known one is kept.

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
        raise InvalidEvidence(f"`metric` must be a name, got {metric!r}.")
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
    if known is None or known.name == "error":  # which would be written in percent
        name = metric if known is None else "error score"
        return Metric(name=name, is_mean=known is not None, **facts)
    return Metric(name=known.name, title=f"{known.title}{of}{label}", is_mean=known.is_mean, **facts)


def check_bounds(metric: Metric, loss: FloatArray) -> None:
    """Raise InvalidEvidence if losses are not within the bounds of their metric."""
    low, high = metric.loss_bounds
    if (low, high) == (-np.inf, np.inf):  # unbounded
        return
    known = loss[np.isfinite(loss)]
    room = 1e-9 * min(high - low, 1e300)  # means are rounded
    if not low < high or known.min() < low - room or known.max() > high + room:
        raise InvalidEvidence(
            f"`bounds` must contain all losses, from {known.min():.6g} to {known.max():.6g}, got {(low, high)}."
        )


def named_scores(
    a: ArrayLike | Mapping[str, ArrayLike], b: ArrayLike | None, names: Sequence[str] | None, noun: str
) -> dict[str, ArrayLike]:
    """Return the scores by name: of A and B, of A alone, or of the names in `a`.

    Examples
    --------
    >>> named_scores([0.9, 0.8], [0.7, 0.8], ["lr", "nb"], "learner"), named_scores([0.9], None, None, "model")
    ({'lr': [0.9, 0.8], 'nb': [0.7, 0.8]}, {'A': [0.9]})
    """
    scores = dict(a) if isinstance(a, Mapping) else {"A": a} | ({} if b is None else {"B": b})
    if isinstance(a, Mapping) and b is not None:
        raise InvalidOption("`b` must be left out if `a` is a mapping from names to scores.")
    if not scores:
        raise InvalidEvidence(f"`a` must hold the scores of at least one {noun}, got none.")
    called = as_names(tuple(scores) if names is None else names)
    if len(called) != len(scores):
        raise InvalidOption(f"`{noun}s` must be {count_text(len(scores), 'name')}, got {list_names(called)}.")
    return dict(zip(called, scores.values(), strict=True))


def as_floats(name: str, value: Any) -> FloatArray:
    """Return numbers as a new array; raise InvalidEvidence if they are not numbers.

    Examples
    --------
    >>> as_floats("loss", [1, 0])
    array([1., 0.])
    """
    try:
        return np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise InvalidEvidence(f"{quote_name(name)} must be numbers, got {value!r}.") from None


def as_names(learners: Any) -> tuple[str, ...]:
    """Return the names of learners; raise InvalidEvidence if they are not different names.

    Examples
    --------
    >>> as_names(["lr", "nb"])
    ('lr', 'nb')
    """
    names = tuple(learners) if isinstance(learners, Iterable) and not isinstance(learners, str) else ()
    if not names or not all(isinstance(name, str) for name in names):
        raise InvalidEvidence(f"`learners` must be a list of names, got {learners!r}. For example: ['lr', 'nb'].")
    if len(set(names)) != len(names):
        raise InvalidEvidence(f"`learners` must be different names, got {list_names(names)}.")
    return names
