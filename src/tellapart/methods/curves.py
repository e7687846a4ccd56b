"""What scores give at every threshold: the ROC curve and the precision-recall curve, each with a band.

The band is of the whole curve at once. With the chance 1 − alpha, Kolmogorov's limits hold the distribution of the
scores in both classes together; from these both curves follow, at every threshold there is (Campbell 1994).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from math import expm1, log, log1p, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidOption
from ..evidence import ClassScores
from ..rendering import Tabled, level_text, significant
from ..typing_ import BoolArray, FloatArray, IntArray, as_alpha

# Whom the registry has no place for, by key of the bibliography.
SOURCES = {"rank_curves": ("campbell1994", "massart1990")}

Band = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankCurve:
    """What one model's scores give at every threshold.

    `thresholds` fall from infinity, at which nothing is taken for positive; an example is from its own score on. Beside
    each stand the `false_positive_rate` and the `recall`. Between two thresholds the ROC curve is straight: a tie is
    broken by the toss of a coin.
    """

    model: str
    thresholds: FloatArray
    false_positive_rate: FloatArray
    recall: FloatArray
    positives: int
    negatives: int
    auc: float
    average_precision: float
    alpha: float = 0.05

    @property
    def precision(self) -> FloatArray:
        """The share of right ones among those taken for positive; 1 where there are none."""
        return self._precision(self.recall, self.false_positive_rate)

    @property
    def reach(self) -> tuple[float, float]:
        """How far the band goes beyond the false positive rate, and beyond the recall."""
        spent = -expm1(0.5 * log1p(-self.alpha))  # by each class: together they spend alpha
        fall, rise = (min(1.0, sqrt(log(2 / spent) / (2 * size))) for size in (self.negatives, self.positives))
        return fall, rise

    def roc_band(self, at: ArrayLike) -> Band:
        """Return between what the recall lies at these false positive rates, at all of them together.

        Examples
        --------
        >>> scores = ClassScores.from_scores([0, 1] * 50, np.arange(100) % 7)
        >>> low, high = rank_curves(scores).curves[0].roc_band([0.0, 0.5, 1.0])
        >>> low.round(2), high.round(2)
        (array([0.  , 0.08, 0.59]), array([0.42, 0.92, 1.  ]))
        """
        x, (fall, rise) = np.asarray(at, dtype=float), self.reach
        high = _largest(x + fall, self.false_positive_rate, self.recall) + rise
        low = _smallest(x - fall, self.false_positive_rate, self.recall) - rise
        return np.maximum(low, 0.0), np.minimum(high, 1.0)

    def precision_band(self, at: ArrayLike) -> Band:
        """Return between what the precision lies at these recalls, at all of them together.

        The share of positives is taken for the one seen: where it is another, precision is another, too.

        Examples
        --------
        >>> scores = ClassScores.from_scores([0, 1] * 50, np.arange(100) % 7)
        >>> low, high = rank_curves(scores).curves[0].precision_band([0.5, 1.0])
        >>> low.round(2), high.round(2)
        (array([0.35, 0.5 ]), array([0.86, 0.64]))
        """
        x, (fall, rise) = np.asarray(at, dtype=float), self.reach
        most = np.minimum(_largest(x + rise, self.recall, self.false_positive_rate) + fall, 1.0)
        least = np.maximum(_smallest(x - rise, self.recall, self.false_positive_rate) - fall, 0.0)
        return self._precision(x, most), self._precision(x, least)

    def thinned(self, most: int = 200) -> RankCurve:
        """Return about so many of its points, evenly along the ROC curve: more than anybody sees."""
        if self.thresholds.size <= most:
            return self
        way = self.false_positive_rate + self.recall
        kept = np.unique(np.searchsorted(way, np.linspace(0, 2, most), side="left"))
        points = {name: getattr(self, name)[kept] for name in ("thresholds", "false_positive_rate", "recall")}
        return replace(self, **points)

    def _precision(self, recall: FloatArray, false: FloatArray) -> FloatArray:
        right, wrong = self.positives * recall, self.negatives * false
        with np.errstate(invalid="ignore"):
            return np.where(right + wrong > 0, right / (right + wrong), 1.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankCurves(Tabled):
    """The curves of one model or several, on the same examples: what `rank_curves` gives."""

    curves: tuple[RankCurve, ...]
    positive: str
    alpha: float = 0.05

    def __iter__(self) -> Iterator[RankCurve]:
        return iter(self.curves)

    def __getitem__(self, model: str) -> RankCurve:
        for curve in self.curves:
            if curve.model == model:
                return curve
        raise InvalidOption(f"model must be one of {', '.join(each.model for each in self.curves)}, but is {model!r}.")

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        first = self.curves[0]
        fall, rise = first.reach
        return [
            ("positive", f"{self.positive}: {first.positives} of {first.positives + first.negatives} examples"),
            (
                "bands",
                f"{level_text(self.alpha)}, each of a whole curve: {significant(fall)} to the sides and"
                f" {significant(rise)} up and down; the precision-recall band takes the share of positives for the one"
                " seen",
            ),
        ]

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the head of each column, and a line for each model."""
        lines = [[each.model, significant(each.auc, 4), significant(each.average_precision, 4)] for each in self.curves]
        return ["model", "AUC", "average precision"], lines

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, every digit kept."""
        kept = ("thresholds", "false_positive_rate", "recall", "precision", "auc", "average_precision")
        return {
            "positive": self.positive,
            "positives": self.curves[0].positives,
            "negatives": self.curves[0].negatives,
            "alpha": self.alpha,
            "curves": {each.model: {name: getattr(each, name) for name in kept} for each in self.curves},
        }


def rank_curves(scores: ClassScores, *, positive: Hashable = None, alpha: float = 0.05) -> RankCurves:
    """Return the ROC and the precision-recall curve of every model, with a band for each.

    A band holds the whole true curve with the chance 1 − alpha or more, whatever the scores are like and however few
    (Kolmogorov's limits by Massart's constant, at √(1 − alpha) for each class; Campbell 1994). So it is wider than
    limits of one point would be, cautious where scores are smooth, and never without width. Two bands that overlap do
    not say that two models are alike: compare them for that.

    Parameters
    ----------
    scores
        The scores of each model for every example, and the labels.
    positive
        The class that is looked for, against all others; of two the second, if left out.
    alpha
        Error probability; the level is 1 − alpha.

    Examples
    --------
    >>> held = ClassScores.from_scores([0, 0, 1, 0, 1, 1], [0.1, 0.4, 0.35, 0.2, 0.8, 0.7])
    >>> found = rank_curves(held)
    >>> found.curves[0].recall.round(2), found.curves[0].false_positive_rate.round(2)
    (array([0.  , 0.33, 0.67, 0.67, 1.  , 1.  , 1.  ]), array([0.  , 0.  , 0.  , 0.33, 0.33, 0.67, 1.  ]))
    >>> print(found)
    positive  1: 3 of 6 examples
    bands     95 %, each of a whole curve: 0.853 to the sides and 0.853 up and down; the
              precision-recall band takes the share of positives for the one seen
    <BLANKLINE>
    model  AUC     average precision
    A      0.8889  0.9167
    """
    held, alpha = of_one_class(scores, positive), as_alpha(alpha=alpha)
    areas, precisions = (held.by(metric).levels.tolist() for metric in ("auc", "average-precision"))
    curves = tuple(
        RankCurve(
            model=model,
            **_points(held.labels == 1, held.scores[place]),
            positives=held.positives,
            negatives=held.negatives,
            auc=areas[place],
            average_precision=precisions[place],
            alpha=alpha,
        )
        for place, model in enumerate(held.models)
    )
    return RankCurves(curves=curves, positive=str(held.classes[1]), alpha=alpha)


def of_one_class(scores: ClassScores, positive: Hashable = None) -> ClassScores:
    """Return the scores of one class against all others, or say that the class must be named."""
    if not isinstance(scores, ClassScores) or scores.shape:
        raise InvalidOption("curves are of one ClassScores: ClassScores.from_scores(truth, scores), say.")
    if positive is None and len(scores.classes) > 2:
        listed = ", ".join(map(repr, scores.classes))
        raise InvalidOption(f"curves are of one class against all others: say which, positive=..., of {listed}.")
    return scores if positive is None else scores.against_rest(positive)


def _points(positive: BoolArray, scores: FloatArray) -> dict[str, FloatArray]:
    """Return thresholds, false positive rates and recalls, from the highest threshold on."""
    order = np.argsort(-scores, kind="stable")
    falling, found = scores[order], np.cumsum(positive[order])
    last = np.append(np.flatnonzero(np.diff(falling)), falling.size - 1)  # of those with equal scores
    taken: IntArray = last + 1
    total = int(found[-1])
    return {
        "thresholds": np.concatenate([[np.inf], falling[last]]),
        "false_positive_rate": np.concatenate([[0.0], (taken - found[last]) / (positive.size - total)]),
        "recall": np.concatenate([[0.0], found[last] / total]),
    }


def _largest(at: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """Return how high a rising curve has come at these places: the upper end where it goes straight up."""
    return np.interp(at, x, y)  # of points with one x it takes the last


def _smallest(at: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """Return how high a rising curve is at least from these places on: the lower end where it goes straight up."""
    return np.interp(-at, -x[::-1], y[::-1])
