"""What evidence about learners has in common: a loss by learner, along the third dimension from the end."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any, Self

import numpy as np

from ..errors import InvalidEvidence
from ..typing_ import FloatArray
from .base import Measured, Table
from .measures import COUNTED, title_of
from .score_columns import SCORED, scored_name

_NEVER_NEGATIVE = {"log_loss", "brier"}  # losses without an upper bound that is worth telling


class OfLearners(Measured):
    """The losses of one learner or more; methods take one, or the difference of two.

    `metric` names the loss ("1 - f1"), which is all that methods see; `measured` and `title` name what it stands for
    ("f1", "F1"), in which readers are answered.

    A subclass has the fields, and says in `_of` what is kept of some of the learners.
    """

    __slots__ = ()
    loss: FloatArray  # […, learner, one dimension more, another]
    learners: tuple[str, ...]
    metric: str
    bounds: tuple[float, float] | None  # of the loss, where the name of the metric does not tell
    _leader = "_first"

    @property
    def _first(self) -> FloatArray:
        return self.loss[..., 0, 0, 0]

    @property
    def models(self) -> tuple[str, ...]:
        """The learners, by the name that comparisons have for them."""
        return self.learners

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The names of every two learners, in order."""
        return tuple(combinations(self.learners, 2))

    def select(self, *learners: str) -> Self:
        """Return what is known of these learners, in this order."""
        if len(set(learners)) != len(learners) or not learners:
            raise InvalidEvidence(f"learners must be different names, but are {learners!r}.")
        for name in learners:
            if name not in self.learners:
                raise InvalidEvidence(f"learner must be one of {', '.join(self.learners)}, but is {name!r}.")
        return self._of([self.learners.index(name) for name in learners], learners)

    def every_pair(self) -> Self:
        """Return all pairs at once, in the order of `pairs`, along the last dimension of the shape; called A and B."""
        return self._of(np.stack(np.triu_indices(len(self.learners), 1), axis=-1), ("A", "B"))

    def _table(self) -> Table:
        means = zip(self.learners, self.means.tolist(), strict=True)
        lines = [[name, f"{mean:.6g}"] for name, mean in means]
        what = "error" if self.right_or_wrong else self.title
        return f"{type(self).__name__}: {self.describe()}", ["learner", f"mean {what}"], lines

    def _of(self, places: Any, learners: tuple[str, ...]) -> Self:
        raise TypeError(f"{type(self).__name__} does not say what it keeps of {learners} at {places}")

    # --- What readers see -------------------------------------------------------------------------

    @property
    def measured(self) -> str:
        """The metric that the loss stands for: "f1" where the loss is 1 − F1, "error" where it is the error."""
        return metric_behind(self.metric)[0]

    @property
    def title(self) -> str:
        """What the metric is called in a sentence: "error rate", "F1 (spam)", "log loss"."""
        return metric_behind(self.metric)[1]

    @property
    def higher_is_better(self) -> bool:
        """Whether more of the metric is better, so that the loss is what is lacking of it."""
        return self.metric.startswith(_TURNED)

    @property
    def means(self) -> FloatArray:
        """The mean of the metric of each learner, along the last dimension."""
        means: FloatArray = self.in_metric(self.losses)
        return means

    def in_metric(self, losses: Any) -> Any:
        """Return losses as the values of the metric that they stand for.

        Examples
        --------
        >>> from tellapart import Resamples
        >>> Resamples.from_scores([0.9, 0.8], plan="2-fold", metric="f1").in_metric(0.25)
        0.75
        """
        if not self.higher_is_better:
            return losses
        return (1.0 if self.metric.startswith(_TURNED[0]) else 0.0) - losses

    # --- What methods see -------------------------------------------------------------------------

    @property
    def losses(self) -> FloatArray:
        """The mean loss of each learner, along the last dimension: every split (or example) counts alike."""
        means: FloatArray = np.nanmean(self.loss, axis=(-2, -1))
        return means

    @property
    def rates(self) -> FloatArray:
        """The mean losses, by the name that rankings have for them."""
        return self.losses

    @property
    def bounded(self) -> bool:
        """Whether the loss lies between 0 and 1."""
        return self.metric == "error" or self.metric.startswith("1 - ") or self.bounds == (0.0, 1.0)

    @property
    def parameter(self) -> str:
        """What the values are: the "error" of one learner, or the "difference" of two."""
        if len(self.learners) > 2:
            raise InvalidEvidence(
                f"one or two learners are wanted, but these are {', '.join(self.learners)}. Take them out by select."
            )
        return "error" if len(self.learners) == 1 else "difference"

    @property
    def range(self) -> tuple[float, float]:
        """Between what the loss of one learner, or the difference of two, must lie."""
        never = plain_name(self.metric) in _NEVER_NEGATIVE
        least, most = (0.0, 1.0) if self.bounded else self.bounds or (0.0 if never else -np.inf, np.inf)
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
        if len(self.learners) != 2:
            raise InvalidEvidence(f"difference is of two learners, but these are {', '.join(self.learners)}.")
        losses = self.losses
        return (losses[..., 0] - losses[..., 1])[()]


_TURNED = ("1 - ", "-")  # how the name of a loss begins that is what a metric lacks
_SPOKEN = {"auc": "AUC", "auc-ovo": "AUC of pairs of classes", "average-precision": "average precision"}
_SPOKEN |= {"log-loss": "log loss", "brier": "Brier score", "error": "error rate"}


def metric_behind(loss: str) -> tuple[str, str]:
    """Return the metric that a loss of this name stands for, and what a sentence calls it.

    Examples
    --------
    >>> metric_behind("1 - f1_macro"), metric_behind("-mcc"), metric_behind("1 - roc_auc (spam)")
    (('f1-macro', 'macro F1'), ('mcc', 'MCC'), ('auc', 'AUC (spam)'))
    >>> metric_behind("log_loss"), metric_behind("-my_score")
    (('log-loss', 'log loss'), ('my_score', 'my_score'))
    """
    if loss == "error":
        return "error", _SPOKEN["error"]
    named = next((loss.removeprefix(start) for start in _TURNED if loss.startswith(start)), loss)
    base, of, label = named.partition(" (")
    # What is lacking to 1 is of a metric that is known, by whatever name; any other may be somebody's own.
    name = scored_name(base) if loss.startswith(_TURNED[0]) else base.replace("_", "-")
    if name == "error":  # which is told in percent, as what is wrong
        return "error score", "error score"
    if not _known(name):
        return named, named
    return name, f"{_SPOKEN.get(name) or title_of(name)}{of}{label}"


def _known(name: str) -> bool:
    base = name.removesuffix("-macro").removesuffix("-micro").removesuffix("-weighted")
    beta = base.startswith("f") and base[1:].replace(".", "", 1).isdigit()
    return name in {*COUNTED, *SCORED, "auc-ovo"} or beta


def plain_name(metric: str) -> str:
    """Return the name of a loss without the class it speaks of.

    Examples
    --------
    >>> plain_name("log_loss (owl)"), plain_name("1 - f1")
    ('log_loss', '1 - f1')
    """
    return metric.partition(" (")[0]


def as_bounds(bounds: Any, loss: FloatArray) -> tuple[float, float] | None:
    """Return between what a loss lies, or say that it does not.

    Examples
    --------
    >>> as_bounds((0, 2), np.array([0.5, 1.5]))
    (0.0, 2.0)
    """
    if bounds is None:
        return None
    low, high = (float(end) for end in bounds)
    known = loss[np.isfinite(loss)]
    room = 1e-9 * (high - low)  # means are rounded
    if not low < high or known.min() < low - room or known.max() > high + room:
        raise InvalidEvidence(
            f"bounds must be the least and the largest loss there can be, but are {bounds}, and the losses go from"
            f" {known.min():.6g} to {known.max():.6g}."
        )
    return low, high


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
