"""Losses of learners after training on each of several training sets, on the same test examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ..errors import InvalidEvidence
from ..figures import count_text
from ..metrics import ERROR, Metric
from ..typing_ import FloatArray, Source, one_of
from .base import ONE_TEST_SET, SAME_SOURCE, Scope, Unit
from .of_learners import OfLearners, as_floats, as_metric_of_losses, as_names, check_bounds

_Varies = Literal["training set", "seed"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class TrainingSets(OfLearners):
    """The loss of learners on every test example, after each of several disjoint training sets.

    Training sets and test examples are crossed: every classifier is tested on every example. With
    `varies="seed"` there is one training set, and the learner's seed varies.

    Parameters
    ----------
    loss
        By learner, training set and test example, along the last three dimensions: 1 for wrong and 0
        for right, or any loss; a mean over seeds, if there were several.
    learners
        Their names.
    trained_on
        The size of each training set; 0 if it is unknown.
    varies
        The second dimension: "training set" or "seed".
    seeds, seed_variance
        The number of seeds over which each loss is a mean, and the variance between them of the mean loss on
        the test set, by learner and training set.
    metric
        The metric that the losses represent, or its name; an unknown name is that of the loss itself.

    Examples
    --------
    >>> sets = TrainingSets([[[1, 0, 0, 1], [1, 0, 0, 0]], [[0, 0, 0, 1], [0, 0, 0, 0]]], learners=("a", "b"))
    >>> sets.losses, sets.difference
    (array([0.375, 0.125]), np.float64(0.25))
    """

    loss: FloatArray
    learners: tuple[str, ...] = ("A", "B")
    trained_on: int = 0
    varies: _Varies = "training set"
    seeds: int = 1
    seed_variance: FloatArray | None = None
    metric: Metric = ERROR
    unit: ClassVar = Unit("training set", "experiment")
    deep = ("loss", "seed_variance")

    def __post_init__(self) -> None:
        loss, names = as_floats("loss", self.loss), as_names(self.learners)
        if loss.ndim < 3 or loss.shape[-3] != len(names) or 0 in loss.shape:
            raise InvalidEvidence(
                f"`loss` must have {count_text(len(names), 'learner')}, training sets and test examples as last"
                f" dimensions, got shape {loss.shape}."
            )
        if not np.isfinite(loss).all():
            raise InvalidEvidence(
                f"`loss` must be finite, got {loss[~np.isfinite(loss)][0]}. Leave out the examples without a loss."
            )
        self._set_fields(metric=as_metric_of_losses(self.metric))
        if self.metric.is_rate and (loss.min() < 0 or loss.max() > 1):
            raise InvalidEvidence(
                f"`loss` must be from 0 (right) to 1 (wrong), got {(loss.min() if loss.min() < 0 else loss.max()):.6g}."
            )
        one_of("varies", self.varies, _Varies)
        check_bounds(self.metric, loss)
        self._set_fields(loss=loss, learners=names)
        if self.seed_variance is not None:
            spread = as_floats("seed_variance", self.seed_variance)
            if spread.shape != loss.shape[:-1] or not np.isfinite(spread).all():
                raise InvalidEvidence(
                    f"`seed_variance` must be finite and of shape {loss.shape[:-1]}, got shape {spread.shape}."
                )
            self._set_fields(seed_variance=spread)

    @property
    def sets(self) -> int:
        """The number of training sets (or seeds)."""
        return int(self.loss.shape[-2])

    @property
    def examples(self) -> int:
        """The number of test examples."""
        return int(self.loss.shape[-1])

    @property
    def size(self) -> int:
        """The number of training sets (or seeds)."""
        return self.sets

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of variation that the evidence can show."""
        varied: tuple[Source, ...] = ("learner",) if self.varies == "seed" else ("training data", "learner")
        return (*ONE_TEST_SET, *(varied if self.sets > 1 else ()))

    def default(self, goal: str, options: Mapping[str, Any] | None = None) -> str:
        """Return the default method for the design."""
        if goal == "adjust":
            return "holm"
        if goal in {"interval", "estimate"}:
            return "crossed-interval"
        return "quasi-f" if self.varies == "training set" else "two-way-bootstrap"

    def traits(self) -> dict[str, Any]:
        """Return the answers to the questions of `advise` that the losses determine."""
        count = len(self.learners)
        known = {"task": "choose" if count > 1 else "estimate", "models": count, "examples": self.examples}
        known |= {"stochastic": True} if self.varies == "seed" else {}
        return {"domains": "one", "subject": "learner", "data": "much"} | known

    def recommend(self, gives: str = "") -> str:
        """Return which methods to use instead of an unsuitable one, as a sentence."""
        return "Use method='quasi-f' to compare learners, or method='crossed-interval' to estimate one."

    def scope(self, method: str = "") -> Scope:
        """Return the scope of the answer."""
        if self.varies == "seed":
            return Scope("retraining with other seeds on this training set", SAME_SOURCE, "other training sets")
        return Scope(f"learners trained on {self._trained_on()}", SAME_SOURCE, "one trained model")

    def target(self, method: str = "") -> str:
        """Return the subject of the estimate: the learner with its training size."""
        if not self.trained_on:
            return f"{self.learners[0]}, at the size of these training sets"
        return f"{self.learners[0]}, trained on {self._trained_on()}"

    def _trained_on(self) -> str:
        return f"{self.trained_on} examples" if self.trained_on else "as many examples"

    def _select_models(self, positions: Any, learners: tuple[str, ...]) -> Self:
        spread = self._pick_fields(lambda array: array[..., positions, :], "seed_variance")
        return replace(self, loss=self.loss[..., positions, :, :], learners=learners, **spread)

    def as_dict(self) -> dict[str, Any]:
        """Return the evidence by name, for JSON: the mean loss of each training set, not of each example."""
        return {
            "learners": list(self.learners),
            "varies": self.varies,
            "size": self.trained_on,
            "examples": self.examples,
            "seeds": self.seeds,
            "metric": self.metric.name,
            "loss": self.loss.mean(axis=-1).tolist(),
        }

    def __repr__(self) -> str:
        return f"TrainingSets({', '.join(self.learners)}: {self.sets} {self.varies}s, {self.examples} test examples)"

    def describe(self) -> str:
        """Return a description of the observations."""
        of = (
            f" of {count_text(self.trained_on, 'example')}" if self.trained_on and self.varies == "training set" else ""
        )
        sets = count_text(self.sets, f"disjoint {self.varies}" if self.varies == "training set" else self.varies)
        return f"{sets}{of}, {count_text(self.examples, 'test example')}"
