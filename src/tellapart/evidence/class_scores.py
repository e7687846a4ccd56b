"""Scores by class of every example: areas under curves, log loss and Brier score of one model or more."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidEvidence, InvalidOption
from ..figures import count_text
from ..metrics import LEAST_CHANCE, METRICS, RANKED, SCORED, Metric, canonical_name, get_metric, is_counted
from ..rendering import plain
from ..typing_ import BoolArray, FloatArray, IntArray, list_names, nearest_name
from .base import Table, pair_index
from .of_learners import ByExample, as_floats, as_names, named_scores
from .outcomes import Outcomes
from .ranks import Areas, areas, areas_of_classes, average_precision
from .score_columns import against, check_columns, coded, find_class
from .validation import matching_labels

Found = TypeVar("Found")

# The interval for one model, and the test and interval for two.
_METHODS = {"auc": ("delong", "delong-paired"), "average-precision": ("ap-logit", "stratified-bootstrap")}
_SUM_TOLERANCE = 0.01  # largest deviation from 1 of a sum of probabilities, which files round


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class ClassScores(ByExample):
    """The scores that each model gave every example: a ranking score for the positive class, or class probabilities.

    `from_scores` takes arrays; `Predictions.class_scores` takes tables.

    Parameters
    ----------
    labels
        The true class of each example, as an index into `classes`.
    scores
        For two classes the score of the last, the positive one, by model and example along the last two dimensions; for
        more classes by model, example and class. Larger means more probable; log loss and Brier score need
        probabilities.
    classes
        The labels.
    models
        The names of the models.
    metric
        "auc" or "average-precision"; for several classes the mean over the classes, each against the rest.

    Examples
    --------
    >>> evidence = ClassScores.from_scores(["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8], [0.2, 0.3, 0.7, 0.9])
    >>> evidence.levels, evidence.difference  # loss(A) − loss(B): positive where B is better
    (array([0.75, 1.  ]), np.float64(0.25))
    >>> evidence.by("brier").levels.round(4)
    array([0.1581, 0.0575])
    """

    labels: IntArray
    scores: FloatArray
    classes: tuple[Any, ...]
    models: tuple[str, ...] = ("A", "B")
    metric: Metric = METRICS["auc"]  # or the name of one
    _kept: dict[Hashable, Any] = field(init=False, default_factory=dict)  # results of sorting, computed once
    deep = ("scores",)

    def __post_init__(self) -> None:
        scores, names, classes = as_floats("scores", self.scores), as_names(self.models), tuple(self.classes)
        labels = np.asarray(self.labels)
        if labels.ndim != 1 or labels.size == 0 or labels.dtype.kind not in "iub":
            raise InvalidEvidence(
                f"`labels` must be a vector of indices into `classes`, got {self.labels!r}. For other labels use"
                " ClassScores.from_scores(truth, scores)."
            )
        if len(classes) < 2 or len(set(classes)) != len(classes):
            raise InvalidEvidence(f"`classes` must be two different labels or more, got {list_names(classes)}.")
        if labels.min() < 0 or labels.max() >= len(classes):
            raise InvalidEvidence(
                f"`labels` must be from 0 to {len(classes) - 1}, got"
                f" {labels.max() if labels.min() >= 0 else labels.min()}."
            )
        behind = (len(names), labels.size) + ((len(classes),) if len(classes) > 2 else ())
        if scores.shape[-len(behind) :] != behind or 0 in scores.shape:
            dimensions = "models and examples" if len(behind) == 2 else "models, examples and classes"
            raise InvalidEvidence(
                f"`scores` must have {dimensions} as last dimensions, {behind}, got shape {scores.shape}."
            )
        if not np.isfinite(scores).all():
            raise InvalidEvidence(
                f"`scores` must be finite, got {scores[~np.isfinite(scores)][0]}. Leave out examples without a score;"
                " replace infinity with a number beyond all others."
            )
        name = canonical_name(self.metric)
        if name not in RANKED:
            raise InvalidOption(
                f"`metric` must be one of {list_names(RANKED)}, got {name!r}. For others use .by(metric)."
            )
        known = get_metric(self.metric) if isinstance(self.metric, str) else self.metric
        title = known.synonym or METRICS[name].title  # with the class, or as the mean over several
        title = f"macro {title}" if len(classes) > 2 else f"{title} ({classes[1]})"
        metric = replace(METRICS[name], title=title, synonym=known.synonym)
        labels = labels.astype(np.int8 if len(classes) <= 127 else np.int64)  # small integers are faster to sort
        scores.flags.writeable = labels.flags.writeable = False
        self._set_fields(labels=labels, scores=scores, classes=classes, models=names, metric=metric)

    @classmethod
    def from_scores(
        cls,
        truth: ArrayLike,
        a: ArrayLike | Mapping[str, ArrayLike],
        b: ArrayLike | None = None,
        *,
        positive: Hashable = None,
        models: Sequence[str] | None = None,
        classes: Sequence[Hashable] | None = None,
        metric: str = "auc",
    ) -> Self:
        """Return the evidence from true labels and each model's scores, in the same order.

        Parameters
        ----------
        truth
            The true label of each example, of any kind.
        a, b
            The scores of A and B; of A alone; or, in place of both, a mapping from names to scores. A number for each
            example is the score of the positive class; a row for each example has a column for each class, in the
            order of `classes` (what `predict_proba` gives).
        positive
            The positive class. Default: the last of two classes. With more classes it is compared with all the rest.
        models
            The names of the models.
        classes
            The labels in the order of the columns. Default: the labels that occur, sorted.
        metric
            "auc" or "average-precision"; `by` takes the others.

        Examples
        --------
        >>> chances = [[0.4, 0.5, 0.1], [0.3, 0.5, 0.2], [0.2, 0.2, 0.6], [0.5, 0.2, 0.3]]
        >>> evidence = ClassScores.from_scores(["cat", "dog", "owl", "owl"], chances)
        >>> evidence.levels.round(4), evidence.against_rest("owl").levels
        (array([0.8333]), array([1.]))
        """
        named = named_scores(a, b, models, "model")
        (exact,) = matching_labels({"truth": truth})
        codes, labels = coded(exact, classes)
        names, grids = tuple(named), {name: as_floats(f"the scores of {name}", row) for name, row in named.items()}
        for name, grid in grids.items():
            check_columns(name, grid, codes.size, labels)
        wide = {grid.ndim == 2 for grid in grids.values()}
        if len(wide) > 1:
            raise InvalidEvidence(
                "the scores of all models must have the same form. Give each one number per example, or each one row"
                " per example."
            )
        scores = np.stack(list(grids.values()))
        if wide == {True} and len(labels) > 2:
            evidence = cls(codes, scores, labels, names, get_metric(metric))
            return evidence if positive is None else evidence.against_rest(positive)
        if wide == {True}:
            index = 1 if positive is None else find_class(positive, labels)
            scores, positive = scores[..., index], labels[index]
        codes, labels = against(codes, labels, positive)
        return cls(codes, scores, labels, names, get_metric(metric))

    # --- What methods read ------------------------------------------------------------------------

    @property
    def _first_entries(self) -> FloatArray:
        return self.scores[..., 0, 0, 0] if self.several_classes else self.scores[..., 0, 0]

    @property
    def several_classes(self) -> bool:
        """Whether there are more than two classes, each of which is compared with the rest."""
        return len(self.classes) > 2

    @property
    def examples(self) -> int:
        """The number of examples."""
        return int(self.labels.size)

    @property
    def class_counts(self) -> IntArray:
        """The number of examples of each class."""
        return self.once("counts", self._count_classes)

    def _count_classes(self) -> IntArray:
        if self.several_classes:
            return np.bincount(self.labels, minlength=len(self.classes))
        many = int(np.count_nonzero(self.labels))  # much faster
        return np.array([self.examples - many, many])

    @property
    def positives(self) -> int:
        """The number of positive examples; for several classes, that of the rarest class."""
        return int(self.class_counts.min() if self.several_classes else self.class_counts[1])

    @property
    def negatives(self) -> int:
        """The number of negative examples."""
        return self.examples - self.positives

    @property
    def levels(self) -> FloatArray:
        """The area of each model, along the last dimension; for several classes the mean over the classes."""
        if self.metric.name == "auc":
            return self.areas.means
        return self.once("levels", lambda: np.mean([average_precision(*split) for split in self.one_by_one()], axis=0))

    @property
    def difference(self) -> FloatArray:
        """loss(A) − loss(B): area(B) − area(A)."""
        self.require_two("difference")
        return (self.levels[..., 1] - self.levels[..., 0])[()]

    def default(self, goal: str, options: Mapping[str, Any] | None = None) -> str:
        """Return the default method for the metric."""
        if goal == "adjust":
            return "holm"
        alone, paired = _METHODS[self.metric.name]
        return alone if len(self.models) == 1 else paired

    def pairs(self, control: str | None = None) -> Self:
        """Return all pairs of models (or all pairs with the control), along one dimension."""
        return replace(self, scores=self.scores[pair_index(self.models, control)], models=("A", "B"))

    @property
    def areas(self) -> Areas:
        """The areas under the ROC curves, their covariance (DeLong, DeLong & Clarke-Pearson 1988), and more."""
        return self.once("areas", self._compute_areas)

    def _compute_areas(self) -> Areas:
        self.require_classes()
        if self.several_classes:
            return areas_of_classes(self.labels, self.scores)
        return areas(self.labels == 1, self.scores)

    def once(self, name: Hashable, find: Callable[[], Found]) -> Found:
        """Return the value of this name, computed at the first call and kept.

        Examples
        --------
        >>> evidence = ClassScores.from_scores([0, 1], [0.3, 0.2])
        >>> evidence.once("size", lambda: evidence.scores.size), evidence.once("size", lambda: None)
        (2, 2)
        """
        if name not in self._kept:
            self._kept[name] = find()
        return self._kept[name]  # type: ignore[no-any-return]

    def require_classes(self) -> Self:
        """Return the evidence; raise InvalidEvidence if a class has no example, as no area is then defined."""
        counts = self.class_counts
        if not counts.all():
            lacking = self.classes[int(np.argmin(counts))]
            raise InvalidEvidence(
                f"{self.metric.name} needs examples of every class, got none of {lacking!r}. Add examples, or choose"
                " another"
                " class with `positive`."
            )
        return self

    def one_by_one(self) -> list[tuple[BoolArray, FloatArray]]:
        """Return which examples are positive, and the scores [..., model, example], for each class against the rest."""
        self.require_classes()
        if not self.several_classes:
            return [(self.labels == 1, self.scores)]
        return [(self.labels == index, self.scores[..., index]) for index in range(len(self.classes))]

    # --- Other metrics, and models ---------------------------------------------------------------

    def by(self, metric: Any, *, positive: Hashable = None, costs: Any = None) -> ClassScores | Outcomes:
        """Return the evidence about another metric, named as for `compare`.

        Log loss and Brier score are means over examples and are returned as `Outcomes`; the scores must be
        probabilities.

        Examples
        --------
        >>> evidence = ClassScores.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> evidence.by("average_precision").levels.round(4), evidence.by("log_loss").levels.round(4)
        (array([0.8333]), array([0.4723]))
        """
        if costs is not None:
            raise InvalidOption("`costs` need metric='cost' and predicted labels. Leave them out.")
        name = self.metric.name if metric is None else canonical_name(metric)
        if is_counted(name):
            raise InvalidOption(
                f"`metric` of scores must be one of {list_names(SCORED)}, got {name!r}. For that, choose a threshold"
                " on other"
                " examples and use a ConfusionMatrix or PairedConfusion."
            )
        if name not in SCORED:
            near = nearest_name(name, [*SCORED, *(alias for known in SCORED for alias in METRICS[known].aliases)], 0.6)
            hint = f" Did you mean {near!r}?" if near else ""
            raise InvalidOption(f"`metric` of scores must be one of {list_names(SCORED)}, got {metric!r}.{hint}")
        here = self if positive is None else self.against_rest(positive)
        if name in RANKED:
            return replace(here, metric=self.metric if metric is None else get_metric(metric)).require_classes()
        return here._score_probabilities(get_metric(metric))  # noqa: SLF001  # the same class

    def _score_probabilities(self, metric: Metric) -> Outcomes:
        """Return the log loss or the Brier score of each example."""
        name = metric.name
        chances = self._read_probabilities(name)
        true = chances[..., np.arange(self.examples), self.labels]
        if name == "log-loss":
            losses = 0.0 - np.log(np.maximum(true, LEAST_CHANCE))  # 0, not −0, if the probability is 1
            bounds = (0.0, float(-np.log(LEAST_CHANCE)))
        elif self.several_classes:
            losses, bounds = np.maximum((chances**2).sum(axis=-1) - 2 * true + 1, 0.0), (0.0, 2.0)  # |p − e|²
            losses = np.minimum(losses, 2.0)
        else:
            losses, bounds = (1 - true) ** 2, (0.0, 1.0)
        return Outcomes(losses, self.models, replace(metric, bounds=bounds))

    def _read_probabilities(self, name: str) -> FloatArray:
        """Return the probabilities [..., model, example, class]; raise InvalidEvidence if they are not valid."""
        outside = self.scores[(self.scores < 0) | (self.scores > 1)]
        if outside.size:
            raise InvalidEvidence(
                f"scores for {name} must be probabilities from 0 to 1, got {outside.flat[0]:.6g}. Convert them, or use"
                " metric='auc', which needs only their order."
            )
        if not self.several_classes:
            return np.stack([1 - self.scores, self.scores], axis=-1)
        sums = self.scores.sum(axis=-1)
        if np.abs(sums - 1).max() > _SUM_TOLERANCE:
            total = sums.flat[np.abs(sums - 1).argmax()]
            raise InvalidEvidence(
                f"scores for {name} must be probabilities that add up to 1 over the classes, got {total:.6g} for an"
                " example."
                " Check that no class is missing among the columns."
            )
        return self.scores

    def against_rest(self, label: Hashable) -> Self:
        """Return the evidence with two classes: this one as the positive class, and all others together."""
        index = find_class(label, self.classes)
        if self.several_classes:
            codes, classes = against(self.labels, self.classes, self.classes[index])
            return type(self)(codes, self.scores[..., index], classes, self.models, self.metric)
        if index == 1:
            return self
        chances = bool(self.scores.min() >= 0 and self.scores.max() <= 1)
        complement = 1 - self.scores if chances else -self.scores  # the other class has the reverse order
        return type(self)(1 - self.labels, complement, self.classes[::-1], self.models, self.metric)

    def _select_models(self, positions: list[int], models: tuple[str, ...]) -> Self:
        axis = -3 if self.several_classes else -2
        return replace(self, scores=np.take(self.scores, positions, axis=axis), models=models)

    # --- Output -----------------------------------------------------------------------------------

    def describe(self) -> str:
        """Return a description of the observations."""
        examples = count_text(self.examples, "example")
        if self.several_classes:
            return f"{examples} of {len(self.classes)} classes"
        return f"{examples}, {self.positives:,} of them {self.classes[1]}"

    def content(self) -> tuple[dict[str, Any], tuple[np.ndarray | None, ...]]:
        """Return names, labels and scores: the metric need not be defined."""
        named = {"models": self.models, "classes": self.classes}
        return named, (np.asarray(self.labels, dtype=np.int64), self.scores)

    def as_dict(self) -> dict[str, Any]:
        """Return the evidence by name, for JSON: the areas, not every score."""
        return {
            "models": list(self.models),
            "metric": self.metric.name,
            "examples": self.examples,
            "classes": {
                str(plain(label)): int(many) for label, many in zip(self.classes, self.class_counts, strict=True)
            },
            "means": self._shown_means.tolist(),
        }

    @property
    def _shown_means(self) -> FloatArray:
        """The areas; NaN if a class has no example."""
        return self.levels if self.class_counts.all() else np.full((*self.shape, len(self.models)), np.nan)

    def _notebook_table(self) -> Table:
        return self._table_of(self._shown_means, self.metric.title)
