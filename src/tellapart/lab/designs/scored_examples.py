"""Models scored by example: graded or binary, clustered, weighted, repeated, in groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from typing import Any, ClassVar, Self

import numpy as np

from ...errors import InvalidOption
from ...evidence import Outcomes, is_one
from ...evidence.outcomes import as_metric_of_outcomes
from ...methods import Offer
from ...typing_ import FloatArray
from ..design import Design, name_difference, one_number, one_rate, whole
from .layouts import ExampleLayout, laid_out, layout_of
from .marginals import Marginal, marginal_of

_NUMBERS = 2_000_000  # drawn at once
_POINTS = 500  # quantiles of a normal number
_BY_GROUP = "macro-average"  # methods for the mean over groups, not over examples


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoredExamples(Design):
    """Two or more models scored on the same examples.

    Every score is a function of a standard normal number, the sum of effects of the cluster, the example and the
    repeat. The first two are correlated between models. So the mean of every model is known exactly for every kind, and
    for normal scores also the correlations.

    Parameters
    ----------
    examples
        The number of examples.
    kind
        "normal"; "skewed" (Beta, close to 1); "zero-inflated" (many scores are 0); "all or nothing" (1 or 0);
        "heavy-tailed" (losses that are log-normal); or "right or wrong".
    mean
        The mean score, or the accuracy for "right or wrong". Default: a typical value for the kind.
    other
        The kind of all models but A, if different. With None, equally good models are exchangeable.
    alike
        The correlation of cluster and example effects between models.
    clusters
        The number of clusters; 0 for none.
    correlation
        The share of variance between clusters.
    uneven
        Variation of the sizes of clusters (and of groups): the standard deviation of their logarithms.
    weighted
        Variation of the weights of the examples: the standard deviation of their logarithms.
    repeats
        The number of repeats of every example.
    within
        The share of variance between repeats.
    groups
        The number of groups; 0 for none.
    apart
        The spread of the differences of the groups, whose mean over groups and over examples is `difference`. Needs
        three or more groups.
    models
        The number of models; of more than two, the last is better by the difference.
    difference
        loss(A) − loss(B).
    like
        Outcomes whose examples are used, with their clusters, weights, groups and repeats.

    Examples
    --------
    >>> from tellapart.lab import calibrate
    >>> found = calibrate("mean-t", ScoredExamples(20), trials=20_000, differences=[])
    >>> bool(found.size.low < 0.05 < found.size.high)
    True
    >>> ScoredExamples(300, "right or wrong", clusters=30, correlation=0.2).describe()
    'two models, right-or-wrong answers, mean 0.8, 300 examples in 30 clusters, intraclass correlation 0.2'
    """

    examples: int
    kind: str = "normal"
    mean: Any = None  # a number, once it is made
    other: str | None = None
    alike: float = 0.5
    clusters: int = 0
    correlation: float = 0.0
    uneven: float = 0.0
    weighted: float = 0.0
    repeats: int = 1
    within: float = 0.0
    groups: int = 0
    apart: float = 0.0
    models: int = 2
    difference: float = 0.0
    like: Outcomes | None = None
    evidence: ClassVar = (Outcomes,)

    def __post_init__(self) -> None:
        if self.like is not None and not is_one(self.like, Outcomes):
            raise InvalidOption(
                f"`like` must be Outcomes, got {type(self.like).__name__}. Of several, take one: outcomes[0]."
            )
        for name, least in (("examples", 1), ("clusters", 0), ("repeats", 1), ("groups", 0), ("models", 1)):
            object.__setattr__(self, name, whole(name, getattr(self, name), least))
        for name in ("alike", "correlation", "within"):
            object.__setattr__(self, name, one_rate(name, getattr(self, name)))
        for name in ("uneven", "weighted", "apart"):
            object.__setattr__(self, name, one_number(name, getattr(self, name), 0.0, 1e3))
        object.__setattr__(self, "difference", one_number("difference", self.difference))
        usual = self.marginal.usual if self.mean is None else one_number("mean", self.mean)
        object.__setattr__(self, "mean", usual)
        self._check_parameters()

    def _check_parameters(self) -> None:
        if not _same_scale(self.marginal, self.other_marginal):
            raise InvalidOption(
                f"`kind` and `other` must be on one scale, got {self.kind!r} and {self.other!r}. Take for example"
                " 'skewed' and 'all or nothing'."
            )
        if self.correlation + self.within > 1 + 1e-12:
            raise InvalidOption(
                "`correlation` and `within` must add up to at most 1 (shares of one variance), got"
                f" {self.correlation:g} and {self.within:g}."
            )
        if self.clusters > self.examples or self.groups > (self.clusters or self.examples):
            raise InvalidOption(
                f"{self.groups or self.clusters} groups or clusters need at least as many examples (and clusters), got"
                f" {self.examples} examples{f' and {self.clusters} clusters' if self.clusters else ''}."
            )
        if self.apart and self.groups < 3:
            raise InvalidOption(f"`apart` needs at least three groups, got {self.groups}.")
        if self.like is not None and (self.like.examples, len(self.like.models)) != (self.examples, self.models):
            raise InvalidOption("`like` must have as many examples and models as the design.")
        for marginal, means in (
            (self.marginal, self._model_means()[:1]),
            (self.other_marginal, self._model_means()[1:]),
        ):
            low, high = marginal.reach
            inside = (means >= low) & (means <= high) if marginal.closed else (means > low) & (means < high)
            if not inside.all():
                raise InvalidOption(
                    f"`mean` of {marginal.words} must be between {low:g} and {high:g} for every model,"
                    f" got {means[~inside].flat[0]:.4g} for a mean of {self.mean:g} and a difference of"
                    f" {self.difference:g}."
                )

    # --- What is true -----------------------------------------------------------------------------

    @property
    def marginal(self) -> Marginal:
        """Distribution of one score of A."""
        return marginal_of(self.kind, self.like)

    @property
    def other_marginal(self) -> Marginal:
        """Distribution of one score of any other model."""
        return marginal_of(self.other or self.kind, self.like)

    @property
    def layout(self) -> ExampleLayout:
        """The examples: their clusters, weights, groups and repeats."""
        if self.like is not None:
            return layout_of(self.like)
        names = ("clusters", "uneven", "weighted", "groups", "repeats", "models")
        return laid_out(self.examples, **{name: getattr(self, name) for name in names})

    def _model_means(self, layout: ExampleLayout | None = None) -> FloatArray:
        """Return the mean score by model and group, or of all examples without groups."""
        better = 1.0 if self.marginal.higher_is_better else -1.0
        shift = self.difference + self._group_contrast(layout)
        gains = np.zeros((self.models, shift.size))
        if self.models == 2:
            gains[0], gains[1] = -shift / 2, shift / 2
        elif self.models > 2:
            gains[-1] = shift
        return np.asarray(self.mean + better * gains)

    def _group_contrast(self, layout: ExampleLayout | None = None) -> FloatArray:
        """Return the deviation of each group's difference, which averages to 0 over groups and over examples."""
        if not self.apart:
            return np.zeros(1)
        arrangement = layout or self.layout
        shares = np.bincount(arrangement.groups, arrangement.shares)  # type: ignore[arg-type]  # apart has groups
        signs = np.where(np.arange(shares.size) % 2, -1.0, 1.0)
        both = np.stack([np.ones_like(shares), shares])
        left = signs - np.linalg.lstsq(both.T, signs, rcond=None)[0] @ both
        return np.asarray(self.apart * left / np.abs(left).max())

    def truth(self, parameter: str) -> FloatArray:
        """Return loss(A) − loss(B) (of every pair with several models), or the error (or mean score) of A."""
        means = self._model_means().mean(axis=1)
        if parameter == "difference":
            better = 1.0 if self.marginal.higher_is_better else -1.0
            first, second = np.triu_indices(self.models, 1)
            pairs = better * (means[second] - means[first])
            return np.asarray(self.difference)[()] if self.models == 2 else pairs
        if parameter == "error":
            return np.asarray(1 - means[0] if self.in_points else means[0])[()]
        raise InvalidOption(f"`parameter` must be difference or error, got {parameter!r}: {self!r}.")

    def truth_for(self, view: Any, parameter: str) -> FloatArray:
        """Return the true value of a view; if groups differ, that of A is a mean over examples or over groups."""
        if parameter == "error" and not view[1] and self.apart:
            layout = self.layout
            shares = np.bincount(layout.groups, layout.shares)  # type: ignore[arg-type]  # apart has groups
            mean = self._model_means(layout)[0] @ shares
            return np.asarray(1 - mean if self.in_points else mean)[()]
        return self.truth(parameter)

    def at(self, difference: float) -> Self:
        """Return the design with this value of loss(A) − loss(B)."""
        return replace(self, difference=difference)

    @property
    def in_points(self) -> bool:
        """Whether differences are of error rates, in percentage points."""
        return self.marginal.metric == "error"

    @property
    def difference_name(self) -> str:
        """Name of a difference: of error rates, or of mean scores."""
        metric, higher = ("error", False) if self.in_points else (self.marginal.metric, self.marginal.higher_is_better)
        return name_difference(metric, higher_is_better=higher, several=self.models > 2)

    @property
    def value_name(self) -> str:
        """Name of the true value of a single model: its error rate or mean score; empty with several."""
        called = "error rate" if self.in_points else f"mean {self.marginal.metric}"
        return called if self.alone else ""

    @property
    def alone(self) -> bool:
        """Whether there is only one model."""
        return self.models == 1

    @property
    def grid(self) -> tuple[float, ...]:
        """Default differences: in pp, or fractions of a standard deviation, if possible."""
        if self.models == 1:
            return ()
        if self.marginal.bounds == (0.0, 1.0) or self.in_points:
            steps: tuple[float, ...] = (0.01, 0.02, 0.05)
        else:
            steps = tuple(float(f"{part * self._score_sd:.2g}") for part in (0.1, 0.2, 0.5))
        return tuple(step for step in steps if step > 0 and self._allows_means(step))

    @property
    def _score_sd(self) -> float:
        """Standard deviation of one score, computed from quantiles."""
        from scipy.special import ndtri

        z = ndtri((np.arange(2000) + 0.5) / 2000)
        return float(self.marginal.scores(z, np.asarray(self.mean)).std())

    def _allows_means(self, step: float) -> bool:
        try:
            self.at(step)
        except InvalidOption:
            return False
        return True

    # --- What is drawn ----------------------------------------------------------------------------

    @property
    def usual(self) -> tuple[str, ...]:  # type: ignore[override]
        """Default methods: the fast ones for clusters, groups or several models."""
        if self.models > 2:
            return ("max-t",)
        layout = self.layout
        clustered = ("cluster-robust", "cluster-cr0") if layout.clusters is not None else ()
        return (*clustered, "mean-t", *((_BY_GROUP,) if layout.groups is not None else ()))

    @property
    def block(self) -> int:  # type: ignore[override]
        """Number of trials drawn at once: few, as random methods may use the same draws for all of them."""
        most = self.repeats if self.like is None or self.like.repeats is None else int(self.like.repeats.max())
        return max(1, min(250, _NUMBERS // (self.models * self.examples * most)))

    def view(self, method: Offer, learners: int = 2) -> tuple[int, bool, bool]:
        """Return the number of models of a method, whether it is by groups, and whether it needs single trials."""
        Design.view(self, method, learners)
        return min(learners, self.models), method.name == _BY_GROUP, method.gives == "pairs"

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw the scores."""
        drawn = self._draw_outcomes(trials, rng)
        evidence = {}
        for view in views:
            selected = drawn.select(drawn.models[0]) if view[0] == 1 and self.models > 1 else drawn
            evidence[view] = [selected[trial] for trial in range(trials)] if view[2] else selected
        return evidence

    def _draw_outcomes(self, trials: int, rng: np.random.Generator) -> Outcomes:
        layout, marginal = self.layout, self.marginal
        means = self._model_means(layout)[:, 0 if layout.groups is None or not self.apart else layout.groups]
        of_example = np.sqrt(max(1 - self.correlation - self.within, 0.0)) * self._shared_effects(
            self.examples, trials, rng
        )
        if self.correlation:
            codes = np.arange(self.examples) if layout.clusters is None else layout.clusters
            of_example += (
                np.sqrt(self.correlation) * self._shared_effects(int(codes.max()) + 1, trials, rng)[..., codes]
            )
        met = np.ones((self.models, 1), dtype=np.int64) if layout.repeats is None else layout.repeats
        anew = np.sqrt(self.within) * rng.standard_normal((*of_example.shape, int(met.max()))) if self.within else 0.0
        means = np.broadcast_to(means.reshape(self.models, -1), (self.models, self.examples))
        numbers = of_example[..., None] + anew
        kinds = ((marginal, slice(0, 1)), (self.other_marginal, slice(1, None)))
        every = np.concatenate([each.scores(numbers[:, some], means[some, :, None]) for each, some in kinds], axis=1)
        every = np.broadcast_to(every, (*of_example.shape, int(met.max())))
        there = np.arange(int(met.max())) < met[..., None]
        scores = np.where(there, every, 0.0).sum(axis=-1) / met
        within = (np.where(there, every - scores[..., None], 0.0) ** 2).sum(axis=-1)
        once = layout.repeats is None
        return Outcomes(
            scores=np.clip(scores, *marginal.bounds) if marginal.bounds else scores,
            models=self.names,
            metric=as_metric_of_outcomes(
                marginal.metric, higher_is_better=marginal.higher_is_better, bounds=marginal.bounds
            ),
            clusters=layout.clusters,
            weights=layout.weights,
            groups=layout.groups,
            group_names=layout.group_names,
            repeats=None if once else layout.repeats,
            within=None if once else within,
            clustered_by=layout.clustered_by,
        )

    def _shared_effects(self, number: int, trials: int, rng: np.random.Generator) -> FloatArray:
        """Return normal numbers by trial, model and cluster (or example), correlated between the models."""
        effects = np.sqrt(1 - self.alike) * rng.standard_normal((trials, self.models, number))
        if self.alike:
            effects += np.sqrt(self.alike) * rng.standard_normal((trials, 1, number))
        return np.asarray(effects)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the models."""
        if self.like is not None:
            return self.like.models
        return ("A", "B")[: self.models] if self.models < 3 else tuple(f"model {k + 1}" for k in range(self.models))

    # --- Description -----------------------------------------------------------------------------

    @property
    def facts(self) -> dict[str, float]:
        """Numbers of examples and clusters, effective numbers, and spread of the values.

        "cochran" is the number of examples (or clusters) of equal weight over the squared skewness of the values,
        where that exceeds 1.
        """
        layout = self.layout
        values = self._score_quantiles()
        skewness = float(np.mean(values**3) - 3 * values.mean() * values.var() - values.mean() ** 3)
        skewness /= max(float(values.std()) ** 3, 1e-300)
        sizes = np.bincount(np.arange(self.examples) if layout.clusters is None else layout.clusters, layout.shares)
        return {
            "examples": self.examples,
            "clusters": int(sizes.size),
            "cluster_size": self.examples / sizes.size,
            "effective_clusters": float(1 / np.sum(sizes**2)),
            "skewness": abs(skewness),
            "cochran": float(1 / np.sum(sizes**2)) / max(skewness**2, 1.0),
            "smallest_group": self._smallest_group(layout),
            "correlation": self.correlation,
            "exchangeable": float(self.other in (None, self.kind)),
        }

    def _score_quantiles(self) -> FloatArray:
        """Return quantiles of the averaged values, of the first model or of the first and the last."""
        from scipy.special import ndtri

        each = ndtri((np.arange(_POINTS) + 0.5) / _POINTS)
        first, last = self._model_means().mean(axis=1)[[0, -1]]
        score = self.marginal.scores
        if self.models == 1:
            return score(each, np.asarray(first)) - self.in_points
        together = self.alike * (1 - self.within)
        other = together * each[:, None] + np.sqrt(1 - together**2) * each
        last_score = self.other_marginal.scores(other, np.asarray(last))
        return np.asarray(last_score - score(each, np.asarray(first))[:, None])

    def _smallest_group(self, layout: ExampleLayout) -> float:
        """Return the number of clusters (examples, if there are none) in the smallest group."""
        units = np.arange(self.examples) if layout.clusters is None else layout.clusters
        if layout.groups is None:
            return float(np.unique(units).size)
        return float(min(np.unique(units[layout.groups == each]).size for each in np.unique(layout.groups)))

    def describe(self) -> str:
        """Return a description of the design."""
        numbers = {1: "one model", 2: "two models"}
        text = f"{numbers.get(self.models, f'{self.models} models')}, {self.marginal.words}"
        if self.other not in (None, self.kind):
            text += f" against {self.other_marginal.words}"
        text += f", mean {self.mean:.4g}"
        if self.difference and self.models > 1:
            text += f", difference {self.difference:.4g}"
        layout = self.layout
        text += f", {self.examples} examples"
        if layout.clusters is not None:
            uneven = " uneven" if np.ptp(layout.sizes) > 1 else ""
            text += f" in {layout.sizes.size}{uneven} clusters, intraclass correlation {self.correlation:.2g}"
        if layout.repeats is not None:
            text += f", {_range_text(layout.repeats)} repeats each"
        if layout.weights is not None:
            text += ", weighted"
        if layout.groups is not None:
            text += f", {len(layout.group_names)} groups"
        return text

    def as_dict(self) -> dict[str, Any]:
        """Return the design's name and parameters; evidence by its fingerprint."""
        named = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "like"}
        reference = {} if self.like is None else {"like": _fingerprint(self.like)}
        return {"design": type(self).__name__} | named | reference


def _same_scale(one: Marginal, other: Marginal) -> bool:
    """Return whether scores of two kinds can be compared."""
    return (one.bounds, one.metric, one.higher_is_better) == (other.bounds, other.metric, other.higher_is_better)


def _range_text(values: np.ndarray) -> str:
    least, most = int(values.min()), int(values.max())
    return str(least) if least == most else f"{least} to {most}"


def _fingerprint(outcomes: Outcomes) -> str:
    """Return a short fingerprint of evidence."""
    digest = sha256(outcomes.metric.name.encode())
    for part in ("scores", "clusters", "weights", "groups", "repeats"):
        value = getattr(outcomes, part)
        digest.update(b"-" if value is None else np.ascontiguousarray(value).tobytes())
    return digest.hexdigest()[:16]
