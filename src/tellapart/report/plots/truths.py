"""The truth that calibrations are drawn along: the true difference of two models, or the true value of one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...lab import Design
from ...rendering import significant
from ...typing_ import FloatArray
from .curves import Curve, Curves


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthAxis:
    """What is true of a design, as an axis or a column shows it.

    `name` is that of the quantity, `unit` that of its numbers ("points", "%", or none), and `scale` what turns a
    number into that unit.
    """

    design: Design
    name: str
    unit: str
    scale: float

    @property
    def title(self) -> str:
        """The name and what it is of: "true difference, error(A) − error(B)"."""
        if self.design.value_name:
            return self.name
        return f"{self.name}, {self.design.difference_name}"

    @property
    def label(self) -> str:
        """What stands below an axis."""
        return f"{self.title}, in {self.unit}" if self.unit else self.title

    @property
    def head(self) -> str:
        """What stands above a column."""
        return f"{self.name} ({self.unit})" if self.unit else self.name

    def of(self, differences: Any) -> FloatArray:
        """Return the true differences, or the true values that belong to them where there is one model."""
        steps = np.asarray(differences, dtype=float)
        if not self.design.value_name:
            return steps
        return np.array([float(self.design.at(step).truth("error")) for step in steps.tolist()])

    def over_truth(self, curves: Curves) -> Curves:
        """Return curves over the truth, in no unit."""
        return {name: replace(curve, x=self.of(curve.x)) for name, curve in curves.items()}

    def in_unit(self, curves: Curves) -> Curves:
        """Return curves over the truth, in the unit of the axis."""
        return {name: replace(curve, x=self.scale * curve.x) for name, curve in self.over_truth(curves).items()}

    def format_value(self, value: float) -> str:
        """Write one number in the unit of the axis."""
        text = significant(self.scale * value)
        joined = f" {self.unit}" if self.unit else ""
        return f"{text}{joined}"


def truth_axis(design: Design) -> TruthAxis:
    """Return the axis of what is measured at a design.

    Examples
    --------
    >>> from tellapart.lab import OneRate, PairedOutcomes
    >>> truth_axis(OneRate(0.1, 50)).label
    'true error rate, in %'
    >>> truth_axis(PairedOutcomes(0.1, 0.1, disagreement=0.1, examples=300)).label
    'true difference, error(A) − error(B), in points'
    """
    name = f"true {design.value_name}" if design.value_name else "true difference"
    unit = ("%" if design.value_name else "points") if design.in_points else ""
    return TruthAxis(design=design, name=name, unit=unit, scale=100.0 if design.in_points else 1.0)


def limits_caption(curves: Iterable[Curve]) -> str:
    """Say what the limits in a picture are, or that there are none because the figures are exact."""
    evidence = list(curves)
    trials = max((curve.trials for curve in evidence), default=0)
    drawn = "bars" if all(curve.x.size == 1 for curve in evidence) else "shaded"
    exact = "" if all(curve.trials for curve in evidence) else "; lines without are exact"
    return f"{trials_caption(trials, drawn)}{exact if trials else ''}"


def trials_caption(trials: int, drawn: str = "shaded") -> str:
    """Say what the limits of so many trials are drawn as; none are where the figures are exact."""
    return f"{drawn}: 95 % limits of the simulation, {trials:,} trials" if trials else "exact, so without limits"
