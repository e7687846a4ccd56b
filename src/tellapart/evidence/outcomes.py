"""Scores by model and example, with clusters, weights, groups and repeats, which counts cannot represent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidEvidence, InvalidOption
from ..figures import count_text
from ..metrics import ERROR, METRICS, Metric
from ..typing_ import BoolArray, FloatArray, IntArray, list_names
from .base import RETRAINING, SAME_SOURCE, TRAITS_OF_CLASSIFIERS, Evidence, Scope, Table, pair_index
from .error_count import ErrorCount
from .error_patterns import ErrorPatterns
from .of_learners import ByExample, as_floats, as_names, named_scores
from .paired_table import PairedTable
from .patterns import codes_of
from .repeated import LARGEST, as_labelled, as_repeated, chance_of_all, chance_of_any

# Outcomes that are right (1) or wrong (0), or means of these: reported as accuracy, or as error rate if that was named.
_RIGHT_OR_WRONG = replace(ERROR, bounds=(0.0, 1.0), as_accuracy=True)
_WRONG_OR_RIGHT = replace(_RIGHT_OR_WRONG, as_accuracy=False)
_SCORE = Metric(name="score", title="mean score")


def as_metric_of_outcomes(
    metric: Metric | str, *, higher_is_better: bool = True, bounds: tuple[float, float] | None = None
) -> Metric:
    """Return the metric of scores by example: "error" for right and wrong, a `Metric` unchanged, or that of a name.

    Examples
    --------
    >>> as_metric_of_outcomes("rouge").title, as_metric_of_outcomes("error").bounds
    ('mean rouge', (0.0, 1.0))
    """
    name = metric if isinstance(metric, str) else metric.name
    if name == "error":
        return _WRONG_OR_RIGHT if metric is _WRONG_OR_RIGHT else _RIGHT_OR_WRONG
    title = METRICS[name].title if name in ("brier", "log-loss") else name  # whose names are not titles
    title = f"mean {title}" if not name.startswith("pass") else title
    if isinstance(metric, Metric):
        return replace(metric, title=title, ideal=0.0)
    ends = (-np.inf, np.inf) if bounds is None else (float(bounds[0]), float(bounds[1]))
    return Metric(name=name, title=title, higher_is_better=higher_is_better, bounds=ends)


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class Outcomes(ByExample):
    """The score of each model on every example.

    If all scores are right (1) or wrong (0) the metric is "error", and results are error rates or accuracies; for any
    other metric they are mean scores. An example with several repeats (epochs, samples, seeds) is still
    one example: its score is the mean of its repeats, and `within` holds their variation.

    `from_scores` takes arrays; `Predictions.outcomes` takes tables and logs.

    Parameters
    ----------
    scores
        By model and example, along the last two dimensions; for repeats, their mean.
    models
        The names of the models.
    metric
        "error" for right (1) and wrong (0), else a `Metric` or its name, with its direction and the bounds of the
        scores.
    clusters
        The cluster of each example (the passage of a question, the customer of a ticket), as a code.
    weights
        The weight of each example in the mean, such as the inverse of its sampling probability.
    groups, group_names
        The group (task, language) of each example as an index into the names, and the names.
    repeats
        The number of repeats by model and example; None for one each.
    within
        The sum of squared deviations of the repeats from their mean, by model and example, along the last
        two dimensions.
    clustered_by
        The name of the column of clusters.

    Examples
    --------
    >>> outcomes = Outcomes.from_scores([0.2, 0.5, 1.0, 0.4], [0.4, 0.5, 1.0, 0.9], metric="rouge", bounds=(0, 1))
    >>> outcomes.means.round(3), outcomes.difference.round(3)
    (array([0.525, 0.7  ]), np.float64(0.175))
    >>> Outcomes.from_scores([1, 0, 1], [1, 1, 1]).paired_table().disagreements
    np.int64(1)
    """

    scores: FloatArray
    models: tuple[str, ...] = ("A", "B")
    metric: Metric = _SCORE
    clusters: IntArray | None = None
    weights: FloatArray | None = None
    groups: IntArray | None = None
    group_names: tuple[str, ...] = ()
    repeats: IntArray | None = None
    within: FloatArray | None = None
    clustered_by: str = "cluster"
    subject: ClassVar = "model"
    level_name: ClassVar = "mean"
    averaging: ClassVar = "Values are averages over the groups, each with the same weight."
    deep = ("scores", "within")

    def __post_init__(self) -> None:
        scores, names = as_floats("scores", self.scores), as_names(self.models)
        if scores.ndim < 2 or scores.shape[-2] != len(names) or 0 in scores.shape:
            raise InvalidEvidence(
                f"`scores` must have models and examples as last dimensions, {len(names)} models, got shape"
                f" {scores.shape}."
            )
        if not np.isfinite(scores).all():
            raise InvalidEvidence(
                f"`scores` must be finite, got {scores[~np.isfinite(scores)][0]}. Leave out examples without a score,"
                " or"
                " give them one."
            )
        if np.abs(scores).max() > LARGEST:
            raise InvalidEvidence(
                f"`scores` must be at most {LARGEST:g} in absolute value, got"
                f" {scores.flat[np.abs(scores).argmax()]:.6g}. Use a larger unit, or logarithms."
            )
        self._set_fields(metric=as_metric_of_outcomes(self.metric))
        self._check_bounds(scores)
        scores.flags.writeable = False
        self._set_fields(scores=scores, models=names)
        self._check_parts(scores.shape[-1])
        self._check_repeats()
        if self.metric.is_rate and self.repeats is None and not ((scores == 0) | (scores == 1)).all():
            raise InvalidEvidence(
                "`scores` of metric 'error' must be right (1) or wrong (0), got others. Name the metric, or give the"
                " repeats."
            )

    def _check_bounds(self, scores: FloatArray) -> None:
        low, high = self.metric.bounds
        if not low < high:
            raise InvalidEvidence(
                f"`bounds` must be the smallest and the largest possible score, got {self.metric.bounds}."
            )
        outside = scores[(scores < low) | (scores > high)]
        if outside.size:
            raise InvalidEvidence(
                f"`scores` of {self.metric.name} must be from {low:g} to {high:g}, got {outside.flat[0]:.6g}."
            )

    def _check_parts(self, examples: int) -> None:
        """Set clusters, groups and weights as arrays; raise InvalidEvidence if one has not one value per example."""
        if self.clusters is not None:
            self._set_fields(clusters=as_labelled("clusters", self.clusters, examples)[0])
        if self.groups is not None:
            codes, labels = as_labelled("groups", self.groups, examples)
            names = self.group_names or tuple(map(str, labels))
            if len(names) != len(labels):
                raise InvalidEvidence(
                    f"`group_names` must be {len(labels)} names, one per group, got {list_names(names)}."
                )
            self._set_fields(groups=codes, group_names=tuple(names))
        if self.weights is not None:
            weights = as_floats("weights", self.weights)
            if weights.shape != (examples,) or not (np.isfinite(weights) & (weights > 0)).all():
                raise InvalidEvidence(
                    f"`weights` must be one positive number for each of {examples:,} examples, got"
                    f" {_first_invalid_weight(weights, examples)}. Leave out examples without weight."
                )
            self._set_fields(weights=weights)

    def _check_repeats(self) -> None:
        if self.repeats is None:
            if self.within is not None:
                raise InvalidEvidence(
                    "`within` needs `repeats`, the number of repeats by model and example. Give both, or neither."
                )
            return
        repeats = np.asarray(self.repeats)
        if repeats.shape != self.scores.shape[-2:] or repeats.dtype.kind not in "iu" or repeats.min() < 1:
            raise InvalidEvidence(
                f"`repeats` must be whole numbers of 1 or more of shape {self.scores.shape[-2:]}, got {repeats!r}."
            )
        if self.within is None:
            raise InvalidEvidence(
                "`repeats` need `within`, the sum of squared deviations of each example's repeats. Give both, or"
                " neither."
            )
        within = as_floats("within", self.within)
        if within.shape != self.scores.shape or not (np.isfinite(within) & (within >= 0)).all():
            raise InvalidEvidence(
                f"`within` must be finite numbers of 0 or more of shape {self.scores.shape}, got shape {within.shape}."
            )
        self._set_fields(repeats=repeats.astype(np.int64), within=within)

    # --- From arrays --------------------------------------------------------------------

    @classmethod
    def from_scores(
        cls,
        a: ArrayLike | Mapping[str, ArrayLike],
        b: ArrayLike | None = None,
        *,
        metric: str | None = None,
        higher_is_better: bool = True,
        bounds: tuple[float, float] | None = None,
        models: Sequence[str] | None = None,
        clusters: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        clustered_by: str = "cluster",
    ) -> Self:
        """Return the evidence from the scores of each example, in the same order for every model.

        Parameters
        ----------
        a, b
            The scores of A and B; of A alone; or, in place of both, a mapping from names to scores. A number for each
            example, or a row of repeats for each, filled up with NaN.
        metric
            The name of the metric. Default: "error" if all scores are right (1) or wrong (0), else "score".
        higher_is_better, bounds, clusters, weights, groups, clustered_by
            As the fields; clusters and groups may be any labels.
        models
            The names of A and B.

        Examples
        --------
        >>> outcomes = Outcomes.from_scores([[1, 0, 1], [0, 0, 0]], [[1, 1, 1], [0, 1, 0]], models=["old", "new"])
        >>> outcomes.levels.round(3), outcomes.repeats.tolist()
        (array([0.667, 0.333]), [[3, 3], [3, 3]])
        """
        named = named_scores(a, b, models, "model")
        means, repeats, within, binary = as_repeated(named)
        called = metric or ("error" if binary else "score")
        if called == "error" and not binary:
            raise InvalidEvidence(
                "`scores` of metric 'error' must be right (1) or wrong (0), got others. Name the metric."
            )
        once = repeats.max() == 1
        return cls(
            scores=means,
            models=tuple(named),
            metric=as_metric_of_outcomes(called, higher_is_better=higher_is_better, bounds=bounds),
            clusters=None if clusters is None else np.asarray(clusters),
            weights=None if weights is None else np.asarray(weights),
            groups=None if groups is None else np.asarray(groups),
            repeats=None if once else repeats,
            within=None if once else within,
            clustered_by=clustered_by,
        )

    # --- What methods read ------------------------------------------------------------------------

    @property
    def _first_entries(self) -> FloatArray:
        return self.scores[..., 0, 0]

    @property
    def examples(self) -> int:
        """The number of examples, each with all its repeats counted once."""
        return int(self.scores.shape[-1])

    @property
    def repeated(self) -> bool:
        """Whether there are repeats."""
        return self.repeats is not None

    @property
    def cluster_count(self) -> int:
        """The number of clusters; the number of examples if there are none."""
        return self.examples if self.clusters is None else int(self.clusters.max()) + 1

    @property
    def shares(self) -> FloatArray:
        """The weight of each example in the mean; they add up to 1."""
        if self.weights is None:
            return np.full(self.examples, 1 / self.examples)
        shares = self.weights / self.weights.max()  # whose sum does not overflow
        return shares / shares.sum()  # type: ignore[no-any-return]

    @property
    def effective_examples(self) -> float:
        """The effective number of examples (Kish): (Σw)²/Σw²."""
        return float(1 / np.sum(self.shares**2))

    @property
    def losses(self) -> FloatArray:
        """The losses by model and example: 1 − score for right or wrong, else ±score."""
        return 1 - self.scores if self.metric.is_rate else self.metric.loss(self.scores)

    @property
    def values(self) -> FloatArray:
        """The values by example: one model's errors or scores, or loss(A) − loss(B) of two."""
        if self.parameter == "difference":
            losses = self.losses
            return losses[..., 0, :] - losses[..., 1, :]
        return self.losses[..., 0, :] if self.metric.is_rate else self.scores[..., 0, :]

    @property
    def means(self) -> FloatArray:
        """The mean score of each model, along the last dimension."""
        return self.mean_of(self.scores)

    @property
    def levels(self) -> FloatArray:
        """The error rate of each model, or its mean score, along the last dimension."""
        return self.rank_by if self.metric.is_rate else self.means

    @property
    def estimated_levels(self) -> FloatArray:
        """The levels averaged over the groups with equal weight."""
        return self.evenly().levels

    def evenly(self) -> Self:
        """Return the evidence with weights that give every group equal weight.

        Examples
        --------
        >>> outcomes = Outcomes.from_scores([0.0, 0.0, 0.0, 1.0], metric="rouge", groups=["a", "a", "a", "b"])
        >>> outcomes.means.tolist(), outcomes.evenly().means.tolist()
        ([0.25], [0.5])
        """
        if self.groups is None:
            return self
        shares = self.shares
        return replace(self, weights=shares / np.bincount(self.groups, weights=shares)[self.groups])

    @property
    def value(self) -> FloatArray:
        """The error rate, or the mean score, of one model."""
        return self.mean_of(self.values)

    @property
    def rank_by(self) -> FloatArray:
        """The mean loss of each model, along the last dimension."""
        return self.mean_of(self.losses)

    @property
    def difference(self) -> FloatArray:
        """The mean of loss(A) − loss(B); positive: B is better."""
        self.require_two("difference")
        return self.mean_of(self.values)

    def mean_of(self, values: FloatArray) -> FloatArray:
        """Return the mean over examples, along the last dimension; a mean as small as rounding errors is 0."""
        if self.weights is None:
            mean, size = values.sum(axis=-1) / self.examples, np.abs(values).sum(axis=-1) / self.examples
        else:
            share = self.shares
            mean, size = values @ share, np.abs(values) @ share
        exact: FloatArray = np.where(np.abs(mean) <= 4 * np.finfo(float).eps * size, 0.0, mean)
        return exact[()]

    def default(self, goal: str, options: Mapping[str, Any] | None = None) -> str:
        """Return the default method for the design: examples of one cluster are not independent."""
        if goal in {"adjust", "groups"}:
            return "max-t" if goal == "adjust" else "macro-average"
        if goal in {"interval", "estimate"} and self.metric.is_rate and len(self.models) == 1:
            return "rao-scott-wilson"
        return "mean-t" if self.clusters is None else "cluster-robust"

    def traits(self) -> dict[str, Any]:
        """Return the answers to the questions of `advise` that the outcomes (or their counts) determine."""
        if self.countable:
            return self.reduced().traits()
        several = len(self.models) > 1
        task = {"task": "choose", "test_sets": "one"} if several else {"task": "estimate"}
        scored = {} if self.metric.is_rate else {"scored": True}
        return TRAITS_OF_CLASSIFIERS | task | scored | {"models": len(self.models), "examples": self.examples}

    def scope(self, method: str = "") -> Scope:
        """Return the scope of the answer: which models, and which examples or clusters.

        Examples
        --------
        >>> Outcomes.from_scores([0.1, 0.2, 0.4], clusters=["a", "a", "b"], clustered_by="passage_id").scope().row
        'this model, passages from the same source; not retraining'
        """
        who = "these models" if len(self.models) > 1 else "this model"
        source = SAME_SOURCE if self.clusters is None else f"{self.cluster_noun}s from the same source"
        return Scope(who, source + (", by their weights" if self.weights is not None else ""), RETRAINING)

    @property
    def cluster_noun(self) -> str:
        """The noun for one cluster: "passage" for the clusters of passage_id."""
        return re.sub(r"(?i)[_\s-]?(id|ids|key|name|no|code)$", "", self.clustered_by).replace("_", " ") or "cluster"

    # --- Models, groups, and other evidence ----------------------------------------------------------------

    def _select_models(self, positions: list[int], models: tuple[str, ...]) -> Self:
        chosen = self._pick_fields(lambda array: array[..., positions, :], "scores", "within", "repeats")
        return replace(self, models=models, **chosen)

    def where(self, kept: BoolArray) -> Self:
        """Return the examples for which the mask is true."""
        chosen = self._pick_fields(lambda array: array[..., kept], "scores", "within", "repeats", "clusters", "weights")
        return replace(self, groups=None, group_names=(), **chosen)

    def by_group(self) -> Iterator[tuple[str, Self]]:
        """Yield each group's name and its outcomes."""
        if self.groups is None:
            raise InvalidEvidence(
                "`groups` must be known for a breakdown, got none. Use Outcomes.from_scores(a, b, groups=...)."
            )
        for code, name in enumerate(self.group_names):
            yield name, self.where(self.groups == code)

    def ungrouped(self) -> Self:
        """Return the evidence without its groups."""
        return replace(self, groups=None, group_names=())

    def pass_at(self, tries: int) -> Self:
        """Return the probability that at least one of k repeats is right, for each example (unbiased pass@k)."""
        return self._of_tries(tries, f"pass@{tries}", chance_of_any)

    def pass_all(self, tries: int) -> Self:
        """Return the probability that k repeats are all right, for each example (unbiased pass^k)."""
        return self._of_tries(tries, f"pass^{tries}", chance_of_all)

    def _of_tries(self, tries: int, metric: str, chance: Any) -> Self:
        if not self.metric.is_rate:
            raise InvalidEvidence(
                f"{metric} needs right (1) and wrong (0), got scores of {self.metric.name}. Turn them into right and"
                " wrong."
            )
        met = np.ones(self.scores.shape[-2:], dtype=np.int64) if self.repeats is None else self.repeats
        if isinstance(tries, bool) or not isinstance(tries, int | np.integer) or tries < 1:
            raise InvalidOption(f"`tries` must be a whole number of 1 or more, got {tries!r}.")
        if tries > met.min():
            raise InvalidOption(
                f"{metric} needs at least {tries} repeats of every example, got {met.min()}. Use"
                f" {metric[:5]}{met.min()}, or"
                " leave out examples with fewer."
            )
        scores = chance(np.rint(self.scores * met), met, int(tries))
        chances = Metric(name=metric, bounds=(0.0, 1.0))  # whose title is its name
        return replace(self, scores=scores, metric=chances, repeats=None, within=None)

    @property
    def countable(self) -> bool:
        """Whether counts are sufficient: right or wrong, without repeats, weights or clusters."""
        plain = self.clusters is None and self.weights is None and not self.repeated
        return self.metric.is_rate and plain

    def report_as(self, *, as_accuracy: bool) -> Self:
        """Return the same outcomes, reported as accuracy or as error rate."""
        return replace(self, metric=_RIGHT_OR_WRONG if as_accuracy else _WRONG_OR_RIGHT)

    def paired_table(self) -> PairedTable:
        """Return the paired table of two models, without clusters and weights."""
        wrong = self._require_right_or_wrong()
        self.require_two("paired_table")
        a, b = wrong[..., 0, :], wrong[..., 1, :]
        cells = (a & b, a & ~b, ~a & b, ~a & ~b)
        return PairedTable(
            *(cell.sum(axis=-1) for cell in cells),
            models=(self.models[0], self.models[1]),
            as_accuracy=self.metric.as_accuracy,
        )

    def error_patterns(self) -> ErrorPatterns:
        """Return every pattern of right and wrong among all models."""
        codes, counts = np.unique(self.codes(), return_counts=True)
        by_code = dict(zip(codes.tolist(), counts, strict=True))
        return ErrorPatterns.from_codes(self.models, by_code, as_accuracy=self.metric.as_accuracy)

    def codes(self) -> IntArray:
        """Return an integer for each example, whose bit i is set if model i was wrong."""
        if self.shape:
            raise InvalidEvidence(f"`codes` needs one entry, got shape {self.shape}. Select one by its index.")
        return codes_of(self._require_right_or_wrong().T)

    def pairs(self, control: str | None = None) -> Self:
        """Return all pairs of models (or all pairs with the control), along one dimension.

        The number of repeats of an example is the smallest of all models.
        """
        index = pair_index(self.models, control)
        repeats = None if self.repeats is None else np.tile(self.repeats.min(axis=0), (2, 1))
        return replace(
            self,
            models=("A", "B"),
            repeats=repeats,
            **self._pick_fields(lambda array: array[index], "scores", "within"),
        )

    def reduced(self) -> Evidence:
        """Return counts if they are sufficient."""
        if not self.countable:
            return self
        if len(self.models) == 1:
            return self.error_counts()[..., 0]
        if len(self.models) == 2:
            return self.paired_table()
        return self.error_patterns()

    def error_counts(self) -> ErrorCount:
        """Return the errors of each model, along the last dimension."""
        wrong = self._require_right_or_wrong()
        return ErrorCount(wrong.sum(axis=-1), self.examples, as_accuracy=self.metric.as_accuracy)

    def _require_right_or_wrong(self) -> BoolArray:
        if not self.metric.is_rate or self.repeated:
            scores = f"scores of {self.metric.name}"
            what = "repeats of examples" if self.repeated else scores
            raise InvalidEvidence(
                f"counts need one right or wrong answer per example, got {what}. Compare the outcomes."
            )
        wrong: BoolArray = self.scores < 0.5
        return wrong

    # --- Output -----------------------------------------------------------------------------------

    def describe(self) -> str:
        """Return a description of the observations."""
        parts = [count_text(self.examples, "example")]
        if self.clusters is not None:
            parts[0] += f" in {count_text(self.cluster_count, 'cluster')} ({self.clustered_by})"
        if self.repeats is not None:
            least, most = int(self.repeats.min()), int(self.repeats.max())
            parts.append(f"{least if least == most else f'{least} to {most}'} repeats each")
        if self.weights is not None:
            parts.append(f"weighted (effective number {self.effective_examples:,.0f})")
        if self.groups is not None:
            parts.append(count_text(len(self.group_names), "group"))
        return ", ".join(parts)

    def content(self) -> tuple[dict[str, Any], tuple[np.ndarray | None, ...]]:
        """Return the means, and the arrays by example."""
        return self.as_dict(), (self.scores, self.clusters, self.weights, self.groups, self.repeats)

    def as_dict(self) -> dict[str, Any]:
        """Return the evidence by name, for JSON: the means, not every example."""
        kept: dict[str, Any] = {"models": list(self.models), "metric": self.metric.name, "examples": self.examples}
        right = self.metric.is_rate or self.metric.higher_is_better
        kept |= {"means": self.means.tolist(), "higher_is_better": right}
        if np.isfinite(self.metric.bounds).any():
            kept["bounds"] = list(self.metric.bounds)
        if self.clusters is not None:
            kept |= {"clusters": self.cluster_count, "clustered_by": self.clustered_by}
        if self.repeats is not None:
            kept["repeats"] = self.repeats.sum(axis=-1).tolist()
        if self.weights is not None:
            kept["effective_examples"] = self.effective_examples
        if self.groups is not None:
            sizes = np.bincount(self.groups, minlength=len(self.group_names)).tolist()
            kept["groups"] = dict(zip(self.group_names, sizes, strict=True))
        return kept

    def _notebook_table(self) -> Table:
        return self._table_of(self.means, "accuracy" if self.metric.is_rate else f"mean {self.metric.name}")


def _first_invalid_weight(weights: FloatArray, examples: int) -> str:
    """Return the first weight that is not a positive number, or the shape of weights that do not fit the examples."""
    if weights.shape != (examples,):
        return f"shape {weights.shape}"
    return f"{weights[~(np.isfinite(weights) & (weights > 0))][0]:g}"
