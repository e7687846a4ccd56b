"""ROC and precision-recall curves, each with a simultaneous confidence band.

With probability 1 − alpha, Kolmogorov's limits contain the distribution functions of the scores of both classes; the
bands of both curves follow from them, for all thresholds together (Campbell 1994).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from math import expm1, log, log1p, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..display import Display, Row, TextTable
from ..errors import InvalidOption
from ..evidence import ClassScores
from ..figures import count_text, level_text
from ..rendering import Rendered
from ..typing_ import BoolArray, FloatArray, IntArray, as_alpha

# Keys of the bibliography that no registered method has.
SOURCES = {"rank_curves": ("campbell1994", "massart1990")}

Band = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankCurve:
    """The ROC and precision-recall curve of one model.

    `thresholds` decrease from infinity, at which no example is predicted positive; an example is predicted positive if
    its score is at or above the threshold. Each has a `false_positive_rate` and a `recall`. Between two thresholds the
    ROC curve is linear: ties are broken at random.
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
        """The precision: the share of positives among positive predictions; 1 if there are none."""
        return self._compute_precision(self.recall, self.false_positive_rate)

    @property
    def reach(self) -> tuple[float, float]:
        """Half the width of the band in the false positive rate, and in the recall."""
        spent = -expm1(0.5 * log1p(-self.alpha))  # per class, for alpha in total
        fall, rise = (min(1.0, sqrt(log(2 / spent) / (2 * size))) for size in (self.negatives, self.positives))
        return fall, rise

    def roc_band(self, at: ArrayLike) -> Band:
        """Return the simultaneous limits of the recall at these false positive rates.

        Examples
        --------
        >>> scores = ClassScores.from_scores([0, 1] * 50, np.arange(100) % 7)
        >>> low, high = rank_curves(scores).curves[0].roc_band([0.0, 0.5, 1.0])
        >>> low.round(2), high.round(2)
        (array([0.  , 0.08, 0.59]), array([0.42, 0.92, 1.  ]))
        """
        x, (fall, rise) = np.asarray(at, dtype=float), self.reach
        high = _interpolate_upper(x + fall, self.false_positive_rate, self.recall) + rise
        low = _interpolate_lower(x - fall, self.false_positive_rate, self.recall) - rise
        return np.maximum(low, 0.0), np.minimum(high, 1.0)

    def precision_band(self, at: ArrayLike) -> Band:
        """Return the simultaneous limits of the precision at these recalls.

        They are for the observed share of positives, on which precision depends.

        Examples
        --------
        >>> scores = ClassScores.from_scores([0, 1] * 50, np.arange(100) % 7)
        >>> low, high = rank_curves(scores).curves[0].precision_band([0.5, 1.0])
        >>> low.round(2), high.round(2)
        (array([0.35, 0.5 ]), array([0.86, 0.64]))
        """
        x, (fall, rise) = np.asarray(at, dtype=float), self.reach
        most = np.minimum(_interpolate_upper(x + rise, self.recall, self.false_positive_rate) + fall, 1.0)
        least = np.maximum(_interpolate_lower(x - rise, self.recall, self.false_positive_rate) - fall, 0.0)
        return self._compute_precision(x, most), self._compute_precision(x, least)

    def thinned(self, most: int = 200) -> RankCurve:
        """Return the curve with at most about `most` thresholds, evenly spaced along the ROC curve."""
        if self.thresholds.size <= most:
            return self
        way = self.false_positive_rate + self.recall
        kept = np.unique(np.searchsorted(way, np.linspace(0, 2, most), side="left"))
        points = {name: getattr(self, name)[kept] for name in ("thresholds", "false_positive_rate", "recall")}
        return replace(self, **points)

    def _compute_precision(self, recall: FloatArray, false: FloatArray) -> FloatArray:
        right, wrong = self.positives * recall, self.negatives * false
        with np.errstate(invalid="ignore"):
            return np.where(right + wrong > 0, right / (right + wrong), 1.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankCurves(Rendered):
    """The ROC and precision-recall curves of one or more models on the same examples."""

    curves: tuple[RankCurve, ...]
    positive: str
    alpha: float = 0.05

    def __iter__(self) -> Iterator[RankCurve]:
        return iter(self.curves)

    def __getitem__(self, model: str) -> RankCurve:
        for curve in self.curves:
            if curve.model == model:
                return curve
        names = ", ".join(curve.model for curve in self.curves)
        raise InvalidOption(f"`model` must be one of {names}, got {model!r}.")

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # there is no more
        """Return the model with the highest AUC, a table of all, and how wide the bands are."""
        first = max(self.curves, key=lambda curve: curve.auc)
        areas = f"AUC {first.auc:.3f}, average precision {first.average_precision:.3f}"
        lines = [[curve.model, f"{curve.auc:.3f}", f"{curve.average_precision:.3f}"] for curve in self.curves]
        table = TextTable(head=("model", "AUC", "average\nprecision"), lines=lines, align="lrr")
        fall, rise = first.reach
        examples = count_text(first.positives + first.negatives, "example")
        rows = (
            Row("data", f"{examples}, {first.positives:,} of class {self.positive}"),
            Row(
                "interval",
                f"{level_text(self.alpha)} simultaneous bands (Campbell 1994): false positive rate +/- {fall:.3f},"
                f" recall +/- {rise:.3f}",
            ),
            Row("scope", "precision at the observed share of positives; overlapping bands do not mean equal models"),
        )
        several = len(self.curves) > 1
        return Display(
            verdict=f"{first.model} has the highest AUC of {len(self.curves)} models" if several else areas,
            figures=areas if several else "",
            blocks=(*([table] if several else []), *rows),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, with all digits."""
        kept = ("thresholds", "false_positive_rate", "recall", "precision", "auc", "average_precision")
        return {
            "positive": self.positive,
            "positives": self.curves[0].positives,
            "negatives": self.curves[0].negatives,
            "alpha": self.alpha,
            "curves": {curve.model: {name: getattr(curve, name) for name in kept} for curve in self.curves},
        }


def rank_curves(scores: ClassScores, *, positive: Hashable = None, alpha: float = 0.05) -> RankCurves:
    """Return the ROC and the precision-recall curve of every model, with simultaneous bands.

    A band contains the whole true curve with probability 1 − alpha or more, for any scores and any number of examples
    (Kolmogorov's limits with Massart's constant, at √(1 − alpha) for each class; Campbell 1994). It is wider than the
    interval of a single point, and conservative for smooth scores. Overlapping bands do not mean that two models are
    equal: use `compare` for that.

    Parameters
    ----------
    scores
        The scores of each model for every example, and the labels.
    positive
        The positive class, against all others. Default: the second of two classes.
    alpha
        Error probability; the level is 1 − alpha.

    Examples
    --------
    >>> curves = rank_curves(ClassScores.from_scores([0, 0, 1, 0, 1, 1], [0.1, 0.4, 0.35, 0.2, 0.8, 0.7]))
    >>> curves["A"].recall.round(2), curves["A"].false_positive_rate.round(2)
    (array([0.  , 0.33, 0.67, 0.67, 1.  , 1.  , 1.  ]), array([0.  , 0.  , 0.  , 0.33, 0.33, 0.67, 1.  ]))
    >>> print(curves)
    AUC 0.889, average precision 0.917
    <BLANKLINE>
      data      6 examples, 3 of class 1
      interval  95% simultaneous bands (Campbell 1994): false positive rate +/- 0.853,
                recall +/- 0.853
      scope     precision at the observed share of positives; overlapping bands do not
                mean equal models
    """
    binary, alpha = of_one_class(scores, positive), as_alpha(alpha=alpha)
    areas, precisions = (binary.by(metric).levels.tolist() for metric in ("auc", "average-precision"))
    curves = tuple(
        RankCurve(
            model=model,
            **_compute_points(binary.labels == 1, binary.scores[index]),
            positives=binary.positives,
            negatives=binary.negatives,
            auc=areas[index],
            average_precision=precisions[index],
            alpha=alpha,
        )
        for index, model in enumerate(binary.models)
    )
    return RankCurves(curves=curves, positive=str(binary.classes[1]), alpha=alpha)


def of_one_class(scores: ClassScores, positive: Hashable = None) -> ClassScores:
    """Return the scores of one class against all others; raise InvalidOption if several classes need a choice."""
    if not isinstance(scores, ClassScores) or scores.shape:
        raise InvalidOption("`scores` must be one ClassScores. Use ClassScores.from_scores(truth, scores).")
    if positive is None and len(scores.classes) > 2:
        listed = ", ".join(map(repr, scores.classes))
        raise InvalidOption(f"`positive` must be one of {listed}, got None.")
    return scores if positive is None else scores.against_rest(positive)


def _compute_points(positive: BoolArray, scores: FloatArray) -> dict[str, FloatArray]:
    """Return thresholds, false positive rates and recalls, in order of decreasing thresholds."""
    order = np.argsort(-scores, kind="stable")
    falling, hits = scores[order], np.cumsum(positive[order])
    last = np.append(np.flatnonzero(np.diff(falling)), falling.size - 1)  # of those with equal scores
    predicted: IntArray = last + 1
    total = int(hits[-1])
    return {
        "thresholds": np.concatenate([[np.inf], falling[last]]),
        "false_positive_rate": np.concatenate([[0.0], (predicted - hits[last]) / (positive.size - total)]),
        "recall": np.concatenate([[0.0], hits[last] / total]),
    }


def _interpolate_upper(at: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """Return the value of an increasing curve at these values: the upper end of a vertical step."""
    return np.interp(at, x, y)  # the last of equal x


def _interpolate_lower(at: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """Return the value of an increasing curve at these values: the lower end of a vertical step."""
    return np.interp(-at, -x[::-1], y[::-1])
