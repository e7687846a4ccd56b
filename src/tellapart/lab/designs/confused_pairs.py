"""Two classifiers and the labels: the joint probabilities of labels and both predictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...evidence import PairedConfusion
from ...metric_rules import CellRatio
from ...metrics import LabelMetric
from ...typing_ import FloatArray
from ..design import one_rate, rate
from .confused import Confused, metric_options_of
from .count_tables import as_shares
from .counts import ROUNDING, STEPS, number_text, percent_text

_HALVINGS = 60  # of a bracket: to the last digit


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ConfusedPairs(Confused):
    """Two classifiers on the same independent examples, with the joint probabilities of label and predictions.

    `at(difference)` lets B be right on some of its errors, the same share of each kind, until it is better by so much;
    or A, where A is to be better. So what A and B have in common stays, and every metric can be moved.

    Parameters
    ----------
    examples
        The number of test examples.
    shares
        The probability of every label, prediction of A and prediction of B, `shares[label, A, B]`; they add up to 1.
        Further dimensions in front make it many designs.
    metric, positive, costs
        The metric of both, as for `compare`.
    labels
        The labels; 0, 1, 2, … by default.

    Examples
    --------
    >>> design = ConfusedPairs.from_rates(200, positives=0.3, recall=0.8, specificity=0.9, metric="f1")
    >>> design.truth("difference"), design.at(0.05).truth("difference").round(12)
    (np.float64(0.0), np.float64(0.05))
    >>> unlike = ConfusedPairs.from_rates(200, recall=(0.9, 0.7), specificity=(0.7, 0.9), metric="f1").at(0.0)
    >>> unlike.values.round(4)
    array([0.8182, 0.8182])
    """

    examples: int
    shares: FloatArray
    metric: str = "error"
    positive: Any = None
    costs: Any = None
    labels: Any = None
    evidence: ClassVar = (PairedConfusion,)
    _cells: ClassVar = 3

    def __post_init__(self) -> None:
        self._check_parameters()

    @classmethod
    def from_rates(
        cls,
        examples: int,
        *,
        positives: ArrayLike = 0.5,
        recall: Any = 0.8,
        specificity: Any = 0.8,
        alike: float = 0.5,
        **metric_options: Any,
    ) -> Self:
        """Return the design for two labels, by the share of positives and the recalls of A and B.

        Parameters
        ----------
        examples
            The number of test examples.
        positives
            The share of positives, or many.
        recall, specificity
            Of both, or two numbers: of A and of B.
        alike
            How far A and B are right on the same examples, within each label: 0, by chance; 1, as far as can be. Where
            both are as often right it is the correlation of being right.
        metric_options
            The metric and its options: metric, positive, costs.

        Examples
        --------
        >>> design = ConfusedPairs.from_rates(100, positives=0.4, recall=(0.9, 0.8), alike=1.0)
        >>> design.shares[1].round(3)
        array([[0.04, 0.  ],
               [0.04, 0.32]])
        """
        share, overlap = rate("positives", positives), one_rate("alike", alike)
        cells = []
        for name, rates, weight in (("specificity", specificity, 1 - share), ("recall", recall, share)):
            a, b = (float(each) for each in np.broadcast_to(rate(name, rates), 2))
            both = a * b + overlap * (min(a, b) - a * b)
            table = np.array([[both, a - both], [b - both, 1 - a - b + both]])  # by whether A and B are right
            table = table if name == "specificity" else table[::-1, ::-1]
            cells.append(np.asarray(weight)[..., None, None] * np.maximum(table, 0.0))
        return cls(examples, np.stack(cells, axis=-3), **metric_options)

    @classmethod
    def from_shares(cls, examples: int, shares: ArrayLike, *, alike: float = 0.5, **metric_options: Any) -> Self:
        """Return two classifiers with these confusion probabilities, whose predictions agree more than by chance.

        With probability `alike` one prediction is that of both; else each has its own.

        Examples
        --------
        >>> one = np.array([[0.5, 0.1, 0.0], [0.05, 0.2, 0.05], [0.0, 0.02, 0.08]])
        >>> ConfusedPairs.from_shares(60, one, metric="f1-macro").truth("difference")
        np.float64(0.0)
        """
        single, overlap = as_shares("shares", shares, 2), one_rate("alike", alike)
        labels = single.sum(axis=-1, keepdims=True)
        conditional = np.divide(single, labels, out=np.zeros_like(single), where=labels > 0)
        independent = single[..., :, None] * conditional[..., None, :]
        together = single[..., :, None] * np.eye(single.shape[-1])
        return cls(examples, overlap * together + (1 - overlap) * independent, **metric_options)

    @classmethod
    def from_counts(cls, both: PairedConfusion) -> Self:
        """Return the design with the observed counts averaged over A and B swapped: no difference, same agreement."""
        if both.shape:
            raise InvalidOption(
                f"`evidence` must be one entry, got an array of shape {both.shape}. Take one of them: counts[0]."
            )
        counts = np.asarray(both.counts) / float(both.examples)
        return cls(int(both.examples), (counts + np.swapaxes(counts, -1, -2)) / 2, **metric_options_of(both))

    @property
    def usual(self) -> tuple[str, ...]:  # type: ignore[override]
        """Default methods: the fast ones for any metric."""
        return ("paired-delta",)

    # --- What is true -----------------------------------------------------------------------------

    @property
    def values(self) -> FloatArray:
        """The metric of A and of B."""
        return np.stack([self.measure.of(self.shares.sum(axis=axis)) for axis in (-1, -2)], axis=-1)

    def truth(self, parameter: str) -> FloatArray:
        """Return loss(A) − loss(B), the metric of A, or the ratio of B to A."""
        if parameter == "difference":
            return _loss_difference(self.measure, self.shares)
        a, b = np.moveaxis(self.values, -1, 0)
        if parameter == "ratio":
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.asarray(b / a)[()]
        if parameter == "error":
            return np.asarray(a)[()]
        raise InvalidOption(f"`parameter` must be difference, ratio or error, got {parameter!r}: {self!r}.")

    def at(self, difference: float) -> Self:
        """Return the design with this value of loss(A) − loss(B): some errors of B, or of A, are corrected."""
        shares, measure = self._has_one_design(), self.measure
        away = float(difference - _loss_difference(measure, shares))
        if abs(away) <= ROUNDING:
            return self
        axis = -1 if away > 0 else -2

        def missing(share: float) -> float:
            """Return the remaining distance to the requested difference, in the direction of the corrections."""
            moved = _loss_difference(measure, _put_right(shares, axis, share))
            return float((difference - moved) * np.sign(away))

        if not missing(1.0) <= ROUNDING:  # NaN is none
            raise InvalidOption(
                f"`difference` must be closer to 0 for this design ({self.describe()}), got {difference:g}."
            )
        low, high = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if missing(middle) > 0 else (low, middle)
        return self._replace_shares(_put_right(shares, axis, high))

    @property
    def grid(self) -> tuple[float, ...]:
        """Default differences: that of the design, else 1%, 2% and 5% of the range of the metric, if possible."""
        if self.shape:
            return ()
        own = float(self.truth("difference"))
        if abs(own) > ROUNDING:
            return (own,)
        low, high = self.measure.bounds
        unit = 1.0 if (low, high) in {(0.0, 1.0), (-1.0, 1.0)} else high - low
        return tuple(unit * step for step in STEPS if self._allows_difference(unit * step))

    def _allows_difference(self, step: float) -> bool:
        try:
            self.at(step)
        except InvalidOption:
            return False
        return True

    def _make_evidence(self, counts: Any) -> PairedConfusion:
        size = len(self.labels)
        return PairedConfusion(counts.reshape(-1, size, size, size), self.labels, measure=self.measure)

    # --- Description -----------------------------------------------------------------------------

    @property
    def facts(self) -> dict[str, float]:
        """Number of examples, of the rarest label, and mean number of discordant examples.

        `disagreements` are the discordant examples among those in the metric's denominator (for the recall, the
        positives), and `disagreement` is their share.
        """
        shares = self._has_one_design()
        number, size = self.examples * shares, len(self.labels)
        slopes = [self.measure.slopes(shares.sum(axis=axis)) for axis in (-1, -2)]
        change = slopes[0][:, :, None] - slopes[1][:, None, :]
        differ, rule = ~np.eye(size, dtype=bool), self.measure.bound_rule
        discordant = (np.abs(change) > ROUNDING) & differ
        trials = rule.trials if isinstance(rule, CellRatio) else np.ones((size, size))
        heard = (trials[:, :, None] != 0) | (trials[:, None, :] != 0)  # what counts for A, or for B
        return {
            "examples": float(self.examples),
            "labels": float(size),
            "rarest": float(number.sum(axis=(1, 2)).min()),
            "disagreements": float(number[discordant].sum()),
            "disagreement": float(number[discordant].sum() / max(number[heard].sum(), 1e-300)),
        }

    def describe(self) -> str:
        """Return a description of the design."""
        values = " and ".join(dict.fromkeys(number_text(values) for values in np.moveaxis(self.values, -1, 0)))
        disagreement = percent_text(1 - np.einsum("...lpp->...", self.shares))
        return (
            f"two models, {self.title} {values}, predictions differ on {disagreement} ({self._describe_labels()}),"
            f" {self.examples} examples"
        )


def _loss_difference(measure: LabelMetric, shares: FloatArray) -> FloatArray:
    """Return loss(A) − loss(B) by a metric."""
    a, b = (measure.of(shares.sum(axis=axis)) for axis in (-1, -2))
    return np.asarray(b - a if measure.higher_is_better else a - b)[()]


def _put_right(shares: FloatArray, axis: int, share: float) -> FloatArray:
    """Return the probabilities after correcting a share of one classifier's errors: B's on the last axis, or A's."""
    own = np.swapaxes(shares, -1, axis)  # [label, the other's, its own]
    right = np.eye(shares.shape[-1], dtype=bool)[:, None, :]
    kept = np.where(right, own, (1 - share) * own)
    gained = share * np.where(right, 0.0, own).sum(axis=-1, keepdims=True)
    return np.swapaxes(kept + right * gained, -1, axis)
