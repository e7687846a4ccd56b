"""The true difference of two models, or the true value of one, as the axis of calibrations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...lab import Design
from ...rendering import significant
from ...typing_ import FloatArray
from .curves import Curves, PlotCurve


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthAxis:
    """The true value of a design, as an axis or a column.

    `name` is that of the quantity, `unit` that of its numbers ("pp", "%", or none), and `scale` the factor to it.
    """

    design: Design
    name: str
    unit: str
    scale: float

    @property
    def title(self) -> str:
        """The name and the quantity: "true difference, error(A) − error(B)"."""
        if self.design.value_name:
            return self.name
        return f"{self.name}, {self.design.difference_name}"

    @property
    def label(self) -> str:
        """The label of an axis."""
        return f"{self.title}, in {self.unit}" if self.unit else self.title

    @property
    def head(self) -> str:
        """The head of a column."""
        return f"{self.name} ({self.unit})" if self.unit else self.name

    def of(self, differences: Any) -> FloatArray:
        """Return the true differences; for one model the true values."""
        steps = np.asarray(differences, dtype=float)
        if not self.design.value_name:
            return steps
        return np.array([float(self.design.at(step).truth("error")) for step in steps.tolist()])

    def over_truth(self, curves: Curves) -> Curves:
        """Return curves over the true value, without a unit."""
        return {name: replace(curve, x=self.of(curve.x)) for name, curve in curves.items()}

    def in_unit(self, curves: Curves) -> Curves:
        """Return curves over the true value, in the unit of the axis."""
        return {name: replace(curve, x=self.scale * curve.x) for name, curve in self.over_truth(curves).items()}

    def format_value(self, value: float) -> str:
        """Write one number in the unit of the axis."""
        text = significant(self.scale * value)
        joined = {"": "", "%": "%"}.get(self.unit, f" {self.unit}")
        return f"{text}{joined}"


def truth_axis(design: Design) -> TruthAxis:
    """Return the axis of true values of a design.

    Examples
    --------
    >>> from tellapart.lab import OneRate, PairedOutcomes
    >>> truth_axis(OneRate(0.1, 50)).label
    'true error rate, in %'
    >>> truth_axis(PairedOutcomes(0.1, 0.1, disagreement=0.1, examples=300)).label
    'true difference, error(A) − error(B), in pp'
    """
    name = f"true {design.value_name}" if design.value_name else "true difference"
    unit = ("%" if design.value_name else "pp") if design.in_points else ""
    return TruthAxis(design=design, name=name, unit=unit, scale=100.0 if design.in_points else 1.0)


def limits_caption(curves: Iterable[PlotCurve]) -> str:
    """Return what the intervals in a picture are, or that the values are exact."""
    evidence = list(curves)
    trials = max((curve.trials for curve in evidence), default=0)
    drawn = "bars" if all(curve.x.size == 1 for curve in evidence) else "shaded"
    exact = "" if all(curve.trials for curve in evidence) else "; others are exact"
    return f"{trials_caption(trials, drawn)}{exact if trials else ''}"


def trials_caption(trials: int, drawn: str = "shaded") -> str:
    """Return how the intervals of so many trials are drawn, or that the values are exact."""
    return f"{drawn}: 95% CI of the simulation, {trials:,} trials" if trials else "exact"
