"""What every example gave: scores by model, with the clusters, weights, groups and repeats that counts cannot carry."""

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
from ..typing_ import BoolArray, FloatArray, IntArray
from .base import RETRAINING, SAME_SOURCE, TRAITS_OF_CLASSIFIERS, Evidence, Scope, Table, pair_index
from .error_count import ErrorCount
from .error_patterns import ErrorPatterns
from .of_learners import ByExample, as_floats, as_names, named_scores
from .paired_table import PairedTable
from .patterns import codes_of
from .repeated import LARGEST, as_labelled, as_repeated, chance_of_all, chance_of_any

# Outcomes that are right (1) or wrong (0), or means of such: reported as accuracy, or as error rate if that was named.
_RIGHT_OR_WRONG = replace(ERROR, bounds=(0.0, 1.0), as_accuracy=True)
_WRONG_OR_RIGHT = replace(_RIGHT_OR_WRONG, as_accuracy=False)
_SCORE = Metric(name="score", title="mean score")


def as_metric_of_outcomes(
    metric: Metric | str, *, higher_is_better: bool = True, bounds: tuple[float, float] | None = None
) -> Metric:
    """Return the metric of scores by example: "error" for right and wrong, a metric as it is, or one of this name.

    Examples
    --------
    >>> as_metric_of_outcomes("rouge").title, as_metric_of_outcomes("error").bounds
    ('mean rouge', (0.0, 1.0))
    """
    name = metric if isinstance(metric, str) else metric.name
    if name == "error":
        return _WRONG_OR_RIGHT if metric is _WRONG_OR_RIGHT else _RIGHT_OR_WRONG
    title = METRICS[name].title if name in ("brier", "log-loss") else name  # whose names are not words
    title = f"mean {title}" if not name.startswith("pass") else title
    if isinstance(metric, Metric):
        return replace(metric, title=title, ideal=0.0)
    ends = (-np.inf, np.inf) if bounds is None else (float(bounds[0]), float(bounds[1]))
    return Metric(name=name, title=title, higher_is_better=higher_is_better, bounds=ends)


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class Outcomes(ByExample):
    """The score of each model on every example.

    Where all scores are right (1) or wrong (0) the metric is "error" and everything is told as error rates; any other
    metric is told as mean scores. An example that was met several times (epochs, samples, seeds) is still
    one example: its score is the mean of its repeats, and `within` keeps how far these were apart.

    `from_scores` takes what people hold; `Predictions.outcomes` yields it from tables and logs.

    Parameters
    ----------
    scores
        By model and example, along the last two dimensions; of repeats, their mean.
    models
        What they are called.
    metric
        What the scores are: "error" for right (1) and wrong (0), else a `Metric` or its name, which says whether higher
        is better, and between what a score must lie.
    clusters
        Which examples belong together (questions of one passage, tickets of one customer), a code for each example.
    weights
        How much each example counts in the mean, such as the inverse of its chance to be drawn.
    groups, group_names
        To which group (task, language) each example belongs: its place in the names.
    repeats
        How often each model met each example, by model and example; None where once.
    within
        The sum of squared deviations of the repeats from their mean, by model and example, along the last
        two dimensions.
    clustered_by
        What a cluster is called.

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
                f"scores must have models and examples as their last dimensions, for {len(names)} models, but have"
                f" shape {scores.shape}."
            )
        if not np.isfinite(scores).all():
            raise InvalidEvidence(
                "scores must be finite, but are not everywhere. Leave out examples without a score, or decide what they"
                " count."
            )
        if np.abs(scores).max() > LARGEST:
            raise InvalidEvidence(
                f"scores must be at most {LARGEST:g} in size, lest their differences overflow, but have"
                f" {scores.flat[np.abs(scores).argmax()]:.6g}. Take them in a larger unit, or take their logarithms."
            )
        self._set_fields(metric=as_metric_of_outcomes(self.metric))
        self._check_bounds(scores)
        scores.flags.writeable = False
        self._set_fields(scores=scores, models=names)
        self._check_parts(scores.shape[-1])
        self._check_repeats()
        if self.metric.is_rate and self.repeats is None and not ((scores == 0) | (scores == 1)).all():
            raise InvalidEvidence(
                "scores of the metric 'error' must be right (1) or wrong (0), or means of repeats. Name the metric, or"
                " give the repeats."
            )

    def _check_bounds(self, scores: FloatArray) -> None:
        low, high = self.metric.bounds
        if not low < high:
            raise InvalidEvidence(
                f"bounds must be the least and the largest score there can be, but are {self.metric.bounds}."
            )
        outside = scores[(scores < low) | (scores > high)]
        if outside.size:
            raise InvalidEvidence(
                f"scores ({self.metric.name}) must lie between {low:g} and {high:g}, but have {outside.flat[0]:.6g}."
            )

    def _check_parts(self, examples: int) -> None:
        """Bring clusters, groups and weights into shape, or say which is not one value an example."""
        if self.clusters is not None:
            self._set_fields(clusters=as_labelled("clusters", self.clusters, examples)[0])
        if self.groups is not None:
            codes, labels = as_labelled("groups", self.groups, examples)
            names = self.group_names or tuple(map(str, labels))
            if len(names) != len(labels):
                raise InvalidEvidence(f"group_names must name the {len(labels)} groups there are, but are {names!r}.")
            self._set_fields(groups=codes, group_names=tuple(names))
        if self.weights is not None:
            weights = as_floats("weights", self.weights)
            if weights.shape != (examples,) or not (np.isfinite(weights) & (weights > 0)).all():
                raise InvalidEvidence(
                    f"weights must be one positive number for each of {examples} examples, but are not. Leave out"
                    " examples that do not count."
                )
            self._set_fields(weights=weights)

    def _check_repeats(self) -> None:
        if self.repeats is None:
            if self.within is not None:
                raise InvalidEvidence("within needs repeats: how often each model met each example.")
            return
        repeats = np.asarray(self.repeats)
        if repeats.shape != self.scores.shape[-2:] or repeats.dtype.kind not in "iu" or repeats.min() < 1:
            raise InvalidEvidence(
                f"repeats must be whole numbers from 1 on, of shape {self.scores.shape[-2:]}, by model and example."
            )
        if self.within is None:
            raise InvalidEvidence("repeats need within: the sum of squared deviations of each example's repeats.")
        within = as_floats("within", self.within)
        if within.shape != self.scores.shape or not (np.isfinite(within) & (within >= 0)).all():
            raise InvalidEvidence(f"within must be finite, 0 or more, and of shape {self.scores.shape}.")
        self._set_fields(repeats=repeats.astype(np.int64), within=within)

    # --- From what people hold --------------------------------------------------------------------

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
        """Take the scores of each example, in the same order for every model.

        Parameters
        ----------
        a, b
            The scores of A and B; of A alone; or, in place of both, a mapping from names to scores. A number for each
            example, or a row of repeats for each; NaN where a row has fewer.
        metric
            What the scores are. If left out: "error" where every one of them is right (1) or wrong (0), else "score".
        higher_is_better, bounds, clusters, weights, groups, clustered_by
            As the fields are; clusters and groups may be any labels.
        models
            What A and B are called.

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
            raise InvalidEvidence("scores of the metric 'error' must be right (1) or wrong (0). Name the metric.")
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
        """How many examples there are; repeats of one are one."""
        return int(self.scores.shape[-1])

    @property
    def repeated(self) -> bool:
        """Whether an example was met more than once."""
        return self.repeats is not None

    @property
    def cluster_count(self) -> int:
        """How many clusters there are; without any, every example is its own."""
        return self.examples if self.clusters is None else int(self.clusters.max()) + 1

    @property
    def shares(self) -> FloatArray:
        """How much each example counts in the mean; they add up to 1."""
        if self.weights is None:
            return np.full(self.examples, 1 / self.examples)
        shares = self.weights / self.weights.max()  # whose sum cannot overflow
        return shares / shares.sum()  # type: ignore[no-any-return]

    @property
    def effective_examples(self) -> float:
        """How many examples of equal weight would say as much (Kish): (Σw)²/Σw²."""
        return float(1 / np.sum(self.shares**2))

    @property
    def losses(self) -> FloatArray:
        """What is better when it is smaller, by model and example: 1 − score for right or wrong, else ±score."""
        return 1 - self.scores if self.metric.is_rate else self.metric.loss(self.scores)

    @property
    def values(self) -> FloatArray:
        """What is averaged, by example: one model's errors or scores, or loss(A) − loss(B) of two."""
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
        """The levels on average over the groups, each counting as much as any other."""
        return self.evenly().levels

    def evenly(self) -> Self:
        """Return the same with weights by which every group counts as much as any other.

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
        """The mean loss of each model, along the last dimension: the smallest is the best."""
        return self.mean_of(self.losses)

    @property
    def difference(self) -> FloatArray:
        """The mean of loss(A) − loss(B); positive: B is better."""
        self.require_two("difference")
        return self.mean_of(self.values)

    def mean_of(self, values: FloatArray) -> FloatArray:
        """Return the mean over examples, along the last dimension; what is left of rounding alone is 0."""
        if self.weights is None:
            mean, size = values.sum(axis=-1) / self.examples, np.abs(values).sum(axis=-1) / self.examples
        else:
            share = self.shares
            mean, size = values @ share, np.abs(values) @ share
        exact: FloatArray = np.where(np.abs(mean) <= 4 * np.finfo(float).eps * size, 0.0, mean)
        return exact[()]

    def default(self, goal: str, options: Mapping[str, Any] | None = None) -> str:
        """Return the method that the design asks for: examples of one cluster are not independent."""
        if goal in {"adjust", "groups"}:
            return "max-t" if goal == "adjust" else "macro-average"
        if goal in {"interval", "estimate"} and self.metric.is_rate and len(self.models) == 1:
            return "rao-scott-wilson"
        return "mean-t" if self.clusters is None else "cluster-robust"

    def traits(self) -> dict[str, Any]:
        """Return what the outcomes answer of the nine questions of `advise`: what their counts do, if these suffice."""
        if self.countable:
            return self.reduced().traits()
        several = len(self.models) > 1
        task = {"task": "choose", "test_sets": "one"} if several else {"task": "estimate"}
        scored = {} if self.metric.is_rate else {"scored": True}
        return TRAITS_OF_CLASSIFIERS | task | scored | {"models": len(self.models), "examples": self.examples}

    def scope(self, method: str = "") -> Scope:
        """Return what the answer applies to: which models, and which examples or clusters.

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
        """What one cluster is called: "passage", where the clusters are those of passage_id."""
        return re.sub(r"(?i)[_\s-]?(id|ids|key|name|no|code)$", "", self.clustered_by).replace("_", " ") or "cluster"

    # --- Parts, and other evidence ----------------------------------------------------------------

    def _select_models(self, places: list[int], models: tuple[str, ...]) -> Self:
        chosen = self._pick_fields(lambda array: array[..., places, :], "scores", "within", "repeats")
        return replace(self, models=models, **chosen)

    def where(self, kept: BoolArray) -> Self:
        """Return the examples for which this holds."""
        chosen = self._pick_fields(lambda array: array[..., kept], "scores", "within", "repeats", "clusters", "weights")
        return replace(self, groups=None, group_names=(), **chosen)

    def by_group(self) -> Iterator[tuple[str, Self]]:
        """Yield each group's name and its outcomes."""
        if self.groups is None:
            raise InvalidEvidence("these outcomes have no groups. Say which group each example belongs to: groups=.")
        for code, name in enumerate(self.group_names):
            yield name, self.where(self.groups == code)

    def ungrouped(self) -> Self:
        """Return the same without its groups."""
        return replace(self, groups=None, group_names=())

    def pass_at(self, tries: int) -> Self:
        """Return the chance that at least one of so many repeats is right, for each example (unbiased pass@k)."""
        return self._of_tries(tries, f"pass@{tries}", chance_of_any)

    def pass_all(self, tries: int) -> Self:
        """Return the chance that so many repeats are all right, for each example (unbiased pass^k)."""
        return self._of_tries(tries, f"pass^{tries}", chance_of_all)

    def _of_tries(self, tries: int, metric: str, chance: Any) -> Self:
        if not self.metric.is_rate:
            raise InvalidEvidence(f"{metric} is of right and wrong, but these are scores ({self.metric.name}).")
        met = np.ones(self.scores.shape[-2:], dtype=np.int64) if self.repeats is None else self.repeats
        if isinstance(tries, bool) or not isinstance(tries, int | np.integer) or tries < 1:
            raise InvalidOption(f"tries must be a whole number, 1 or more, but is {tries!r}.")
        if tries > met.min():
            raise InvalidOption(
                f"{metric} needs {tries} repeats of every example or more, but some have {met.min()}. Ask for"
                f" {metric[:5]}{met.min()}, or leave those examples out."
            )
        scores = chance(np.rint(self.scores * met), met, int(tries))
        chances = Metric(name=metric, bounds=(0.0, 1.0))  # a mean by its name
        return replace(self, scores=scores, metric=chances, repeats=None, within=None)

    @property
    def countable(self) -> bool:
        """Whether counts hold all there is: right or wrong, each example once, none weighted or clustered."""
        plain = self.clusters is None and self.weights is None and not self.repeated
        return self.metric.is_rate and plain

    def report_as(self, *, as_accuracy: bool) -> Self:
        """Return the same outcomes, reported as accuracy or as error rate."""
        return replace(self, metric=_RIGHT_OR_WRONG if as_accuracy else _WRONG_OR_RIGHT)

    def paired_table(self) -> PairedTable:
        """Return who of two models was wrong where; clusters and weights are not in it."""
        wrong = self._require_right_or_wrong()
        self.require_two("a paired table")
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
        """Return an integer for each example whose bit i says that model i was wrong."""
        if self.shape:
            raise InvalidEvidence("patterns are counted for one entry. Take one out by its index.")
        return codes_of(self._require_right_or_wrong().T)

    def pairs(self, control: str | None = None) -> Self:
        """Return every two models (or each with the control) at once, along a dimension of their own.

        Repeats are counted once for all: how often the two models of a pair met an example is the least that any did.
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
        """Return counts where they hold all there is."""
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
            scores = f"these are {self.metric.name} scores"
            what = "repeats of one example are not new examples" if self.repeated else scores
            raise InvalidEvidence(f"only right and wrong can be counted, but {what}. Compare the outcomes themselves.")
        wrong: BoolArray = self.scores < 0.5
        return wrong

    # --- How it is shown --------------------------------------------------------------------------

    def describe(self) -> str:
        """Return what was observed."""
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
        """Return the means, and what every example gave."""
        return self.as_dict(), (self.scores, self.clusters, self.weights, self.groups, self.repeats)

    def as_dict(self) -> dict[str, Any]:
        """Return what was observed by name, for JSON: the means, not every example."""
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
        return self._table_of(self.means, "share right" if self.metric.is_rate else f"mean {self.metric.name}")
