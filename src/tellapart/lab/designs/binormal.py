"""Models that score two classes: normal scores, or ratings and probabilities derived from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np

from ...errors import InvalidOption
from ...evidence import ClassScores, Evidence, Outcomes
from ...methods import Offer
from ...metrics import LEAST_CHANCE, METRICS, RANKED, SCORED, title_of
from ...typing_ import FloatArray
from ..design import Design, check_metric, name_difference, one_number, whole
from .counts import STEPS

_NUMBERS = 2_000_000  # drawn at once
_NODES = 200  # of the quadrature over a normal number
_HALVINGS = 60  # of a bracket: to the last digit
_FARTHEST = 12.0  # between classes, in standard deviations: beyond it every area is 1
_SUREST = float(-np.log(LEAST_CHANCE))  # log odds: the largest that evidence accepts


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BinormalScores(Design):
    """Two models (or one) that score positive and negative examples.

    Scores are normal in each class, with a variance of 1; those of positives are larger by a distance that the AUC
    sets. Both models see the same examples, so that their scores are correlated within each class. Ratings are the same
    scores, rounded to a few steps. For log loss and Brier score the scores are converted to probabilities by Bayes'
    rule. Areas and mean losses are known exactly in every case.

    `at(difference)` moves both models apart, each by half of it, by the metric of the design.

    Parameters
    ----------
    positives, negatives
        The numbers of test examples of each class.
    auc
        The true AUC of both models (of the normal scores, before rounding or conversion).
    correlation
        Between the models' scores, within each class.
    ratings
        Number of rating steps of the scores, so that many tie; 0: continuous scores.
    metric
        "auc", "average-precision", "log-loss" or "brier".
    models
        One, or two.
    difference
        loss(A) − loss(B) by the metric.

    Examples
    --------
    >>> from tellapart.lab import calibrate
    >>> design = BinormalScores(30, 70, auc=0.8)
    >>> design.at(0.06).values.round(12)
    array([0.77, 0.83])
    >>> BinormalScores(30, 70, auc=0.8, ratings=5, models=1).describe()
    'one model, AUC 0.7864, scores in 5 steps, 30 positive and 70 negative examples'
    """

    positives: int
    negatives: int
    auc: float = 0.8
    correlation: float = 0.5
    ratings: int = 0
    metric: str = "auc"
    models: int = 2
    difference: float = 0.0
    names: tuple[str, ...] = ()
    trials: ClassVar = 4000

    def __post_init__(self) -> None:
        for name, least in (("positives", 1), ("negatives", 1), ("ratings", 0), ("models", 1)):
            object.__setattr__(self, name, whole(name, getattr(self, name), least))
        object.__setattr__(self, "auc", one_number("auc", self.auc, 1e-9, 1 - 1e-9))
        object.__setattr__(self, "correlation", one_number("correlation", self.correlation, -1.0, 1.0))
        object.__setattr__(self, "difference", one_number("difference", self.difference))
        if self.models > 2 or self.ratings == 1:
            what, value = ("models", self.models) if self.models > 2 else ("ratings", self.ratings)
            raise InvalidOption(f"`{what}` must be {'1 or 2' if self.models > 2 else '0, or 2 or more'}, got {value}.")
        if self.metric not in SCORED:
            raise InvalidOption(f"`metric` must be one of {', '.join(SCORED)}, got {self.metric!r}.")
        names = tuple(self.names) or ("A", "B")[: self.models]
        if len(names) != self.models:
            raise InvalidOption(f"`names` must be one for each model, got {self.names!r}.")
        object.__setattr__(self, "names", names)
        if self.difference:
            self.distances  # noqa: B018  # which says what is out of reach

    @classmethod
    def from_scores(cls, scores: ClassScores) -> Self:
        """Return the design with the observed class sizes, mean AUC, correlation within classes and ties.

        Examples
        --------
        >>> seen = ClassScores.from_scores([0, 0, 0, 1, 1, 1], [1, 2, 3, 2, 3, 3], [1, 1, 3, 2, 2, 3])
        >>> design = BinormalScores.from_scores(seen)
        >>> design.values.round(4), design.ratings
        (array([0.7222, 0.7222]), 3)
        """
        if scores.shape:
            raise InvalidOption(
                f"`scores` must be one entry, got an array of shape {scores.shape}. Take one of them: scores[0]."
            )
        if scores.several_classes or len(scores.models) > 2:
            remedy = "held.against_rest(label)" if scores.several_classes else "held.select(a, b)"
            raise InvalidOption(f"`scores` must have two classes and one or two models, got more. Take {remedy}.")
        steps = min(np.unique(row).size for row in scores.scores)
        design = cls(
            scores.positives,
            scores.negatives,
            correlation=_within_classes(scores),
            ratings=0 if steps > scores.examples / 2 else max(steps, 2),
            metric=scores.metric.name,
            models=len(scores.models),
            names=scores.models,
        )
        least = 0.25 / (scores.positives * scores.negatives)  # an observed AUC of 1 is not taken for the truth
        areas = replace(scores, metric=METRICS["auc"]).levels
        return design._of_area(float(np.clip(areas.mean(), least, 1 - least)))

    def _of_area(self, area: float) -> Self:
        """Return the design with this AUC, computed with its rating steps."""
        low, high = 1e-9, 1 - 1e-9
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            design = replace(self, auc=middle, metric="auc")
            low, high = (middle, high) if design.values[0] < area else (low, middle)
        return replace(self, auc=(low + high) / 2)

    # --- What is true -----------------------------------------------------------------------------

    @property
    def evidence(self) -> tuple[type[Evidence], ...]:  # type: ignore[override]
        """The evidence for methods: scores, or losses per example."""
        return (ClassScores,) if self.metric in RANKED else (Outcomes,)

    @property
    def usual(self) -> tuple[str, ...]:  # type: ignore[override]
        """Default methods: the fast ones."""
        if self.metric not in RANKED:
            return ("mean-t",)
        if self.metric == "average-precision":
            return ("ap-logit",) if self.alone else ("stratified-bootstrap",)
        return ("delong", "newcombe-auc") if self.alone else ("delong-paired", "mover-newcombe")

    @property
    def alone(self) -> bool:
        """Whether there is only one model."""
        return self.models == 1

    @property
    def in_points(self) -> bool:
        """Whether differences are of error rates: never."""
        return False

    @property
    def difference_name(self) -> str:
        """Name of a difference: that of the metric."""
        return name_difference(title_of(self.metric), higher_is_better=self.metric in RANKED)

    @property
    def value_name(self) -> str:
        """Name of the true value of a single model: its metric; empty for two models."""
        return title_of(self.metric) if self.alone else ""

    @property
    def _difference_sign(self) -> float:
        return 1.0 if self.metric in RANKED else -1.0

    @property
    def distances(self) -> FloatArray:
        """Distance between the means of positives and negatives, by model."""
        both = np.full(self.models, self._mean_distance)
        if not self.difference or self.alone:
            return both
        middle = self._metric_value(self._mean_distance)
        targets = middle + self._difference_sign * np.array([-0.5, 0.5]) * self.difference
        return np.array([self._distance_for(target) for target in targets.tolist()])

    @property
    def _mean_distance(self) -> float:
        """Distance for two equally good models: √2·Φ⁻¹(AUC)."""
        from scipy.special import ndtri

        return float(np.sqrt(2) * ndtri(self.auc))

    def _distance_for(self, target: float) -> float:
        """Return the distance with this value of the metric."""
        low, high = -_FARTHEST, _FARTHEST
        if self.metric not in RANKED:  # a model that is no use is the worst of those that know what they do not know
            low = 0.0
        ends = sorted((self._metric_value(low), self._metric_value(high)))
        if not ends[0] < target < ends[1]:
            raise InvalidOption(
                f"`difference` must be closer to 0 for a mean {title_of(self.metric)} of"
                f" {self._metric_value(self._mean_distance):.4g}, got {self.difference:g}."
            )
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            below = self._difference_sign * (self._metric_value(middle) - target) < 0
            low, high = (middle, high) if below else (low, middle)
        return (low + high) / 2

    @property
    def values(self) -> FloatArray:
        """The true metric of each model."""
        return np.array([self._metric_value(each) for each in self.distances.tolist()])

    def _metric_value(self, distance: float) -> float:
        """Return the metric of a model with this distance between the classes."""
        points, below, above = self._score_distribution(distance)
        share = self.positives / (self.positives + self.negatives)
        if self.metric == "auc":
            return self._area_under_curve(distance)
        if self.metric == "average-precision":
            detected, false = (np.cumsum(each[::-1])[::-1] for each in (above, below))
            if not self.ratings:
                detected, false = _normal_cdf(distance - points), _normal_cdf(-points)
            return float(above @ (share * detected / (share * detected + (1 - share) * false)))
        odds = self._log_odds(points, distance)
        return float(share * (above @ self._mean_cost(odds)) + (1 - share) * (below @ self._mean_cost(-odds)))

    def _area_under_curve(self, distance: float) -> float:
        _, below, above = self._score_distribution(distance)
        less = np.cumsum(below) - below / 2
        return float(above @ less) if self.ratings else float(_normal_cdf(distance / np.sqrt(2)))

    def _mean_cost(self, odds: FloatArray) -> FloatArray:
        """Return the mean loss of these log odds, given the true classes."""
        return np.logaddexp(0.0, -odds) if self.metric == "log-loss" else np.asarray(_logistic_cdf(-odds) ** 2)

    def _score_distribution(self, distance: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return grid values (or rating steps), and their probabilities for negatives and positives.

        Of normal scores they are the nodes of a quadrature, about where the positives are.
        """
        if self.ratings:
            edges = np.concatenate([[-np.inf], self._step_limits, [np.inf]])
            below, above = (np.diff(_normal_cdf(edges - shift)) for shift in (0.0, distance))
            return np.arange(self.ratings, dtype=float), below, above
        nodes, weights = _hermite_nodes()
        if self.metric not in RANKED:  # both classes: the nodes of one, and those of the other
            both = np.concatenate([nodes, nodes + distance])
            none = np.zeros_like(weights)
            return both, np.concatenate([weights, none]), np.concatenate([none, weights])
        return nodes + distance, np.zeros_like(weights), weights

    @property
    def _step_limits(self) -> FloatArray:
        """Limits between rating steps: equal parts of a normal distribution between the classes."""
        from scipy.special import ndtri

        return np.asarray(ndtri(np.arange(1, self.ratings) / self.ratings) + self._mean_distance / 2)

    def _log_odds(self, scores: Any, distance: float) -> FloatArray:
        """Return the log odds of a positive given the score (or step), by Bayes' rule."""
        odds = np.log(self.positives / self.negatives)
        if self.ratings:
            _, below, above = self._score_distribution(distance)
            with np.errstate(divide="ignore"):
                odds = (odds + np.log(above) - np.log(below))[np.asarray(scores, dtype=np.int64)]
        else:
            odds = odds + distance * scores - distance**2 / 2
        return np.asarray(np.clip(odds, -_SUREST, _SUREST))

    def truth(self, parameter: str) -> FloatArray:
        """Return loss(A) − loss(B), or the metric of A."""
        if parameter == "difference":
            return np.asarray(self.difference)[()]
        if parameter == "error":
            return np.asarray(self.values[0])[()]
        raise InvalidOption(f"`parameter` must be difference or error, got {parameter!r}: {self!r}.")

    def at(self, difference: float) -> Self:
        """Return the design with this value of loss(A) − loss(B)."""
        if difference and self.alone:
            raise InvalidOption(f"`difference` must be left out for one model, got {difference:g}.")
        return replace(self, difference=difference)

    @property
    def grid(self) -> tuple[float, ...]:
        """Default differences: 0.01, 0.02 and 0.05, if possible."""
        return () if self.alone else tuple(step for step in STEPS if self._allows_value(step))

    def _allows_value(self, step: float) -> bool:
        try:
            self.at(step)
        except InvalidOption:
            return False
        return True

    # --- What is drawn ----------------------------------------------------------------------------

    @property
    def block(self) -> int:  # type: ignore[override]
        """Number of trials drawn at once."""
        return max(1, min(1000, _NUMBERS // (self.models * (self.positives + self.negatives))))

    def view(self, method: Offer, learners: int = 2) -> int:
        """Return the number of models of a method."""
        Design.view(self, method, learners)
        if self.metric in RANKED:
            check_metric(method, self.metric)
        return min(learners, self.models)

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw the scores of both models, negatives first."""
        labels = np.repeat([0, 1], [self.negatives, self.positives])
        own, shared = np.sqrt(1 - abs(self.correlation)), np.sqrt(abs(self.correlation))
        scores = own * rng.standard_normal((trials, self.models, labels.size))
        if shared:
            turned = np.array([1.0, np.sign(self.correlation)])[: self.models, None]
            scores += shared * turned * rng.standard_normal((trials, 1, labels.size))
        distances = self.distances
        scores += distances[:, None] * labels
        if self.ratings:
            scores = np.searchsorted(self._step_limits, scores)
        if self.metric not in RANKED:
            each = [self._log_odds(scores[:, k], distance) for k, distance in enumerate(distances.tolist())]
            scores = _logistic_cdf(np.stack(each, axis=1))
        metric = self.metric if self.metric in RANKED else "auc"
        drawn: Any = ClassScores(labels, scores.astype(float), (0, 1), self.names, METRICS[metric])
        drawn = drawn if self.metric in RANKED else drawn.by(self.metric)
        return {view: drawn.select(self.names[0]) if view < self.models else drawn for view in views}

    # --- Description -----------------------------------------------------------------------------

    @property
    def facts(self) -> dict[str, float]:
        """Number of examples, in both classes and in the smaller one, and the metric of the better model.

        "misranked" is the smaller class times what the larger area lacks to 1.
        """
        smaller = float(min(self.positives, self.negatives))
        area = self._area_under_curve(float(self.distances.max()))
        return {
            "examples": float(self.positives + self.negatives),
            "positives": float(self.positives),
            "negatives": float(self.negatives),
            "smaller": smaller,
            "area": area,
            "misranked": smaller * (1 - area),
            "ratings": float(self.ratings),
            "correlation": self.correlation,
        }

    def describe(self) -> str:
        """Return a description of the design."""
        values = [f"{value:.4g}" for value in self.values.tolist()]
        text = f"{'one model' if self.alone else 'two models'}, {title_of(self.metric)} "
        text += " and ".join(dict.fromkeys(values))
        text += f", scores in {self.ratings} steps" if self.ratings else ""
        text += "" if self.alone else f", correlation {self.correlation:.2g}"
        return f"{text}, {self.positives} positive and {self.negatives} negative examples"


def _normal_cdf(z: Any) -> Any:
    from scipy.special import ndtr

    return ndtr(z)


def _logistic_cdf(odds: Any) -> Any:
    from scipy.special import expit

    return expit(odds)


@cache
def _hermite_nodes() -> tuple[FloatArray, FloatArray]:
    """Return Gauss-Hermite nodes and weights for a normal distribution."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    return nodes, weights / weights.sum()


def _within_classes(scores: ClassScores) -> float:
    """Return the mean correlation of two models' normal scores (from mid-ranks) within the classes."""
    if len(scores.models) == 1:
        return 0.0
    from scipy.special import ndtri

    covariances = []
    for label in (0, 1):
        some = scores.scores[:, scores.labels == label]
        if some.shape[1] < 3:
            continue
        below = (some[:, None, :] < some[:, :, None]).sum(axis=-1) if some.shape[1] <= 1000 else _rank_rows(some)
        normal = ndtri((below + 0.5) / some.shape[1])
        if np.all(np.ptp(normal, axis=1) > 0):
            covariances.append((float(np.corrcoef(normal)[0, 1]), some.shape[1]))
    if not covariances:
        return 0.0
    each, sizes = np.array(covariances).T
    return float(np.clip(np.average(each, weights=sizes), -1.0, 1.0))


def _rank_rows(rows: FloatArray) -> FloatArray:
    """Return the number of smaller values, by row."""
    return np.stack([np.searchsorted(np.sort(row), row) for row in rows])
