"""The result of a plan: the computed number, its power or width, and the assumptions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from ..bibliography import Reference
from ..display import Display
from ..errors import InvalidOption
from ..results.citable import Citable, Cited, Sentence, software_in_print
from ..typing_ import Alternative, FloatArray, Hypothesis, Side, one_of
from .settings.setting import Setting, Spans
from .solving import difference_for

Solved = Literal["size", "power", "difference", "width"]
Over = Literal["size", "difference"]
_LARGEST_DRAWN_POWER = 0.999  # power at which a curve ends


class AlternativePlan(NamedTuple):
    """The answer for another test, or under another assumption."""

    assuming: str
    value: float
    setting: Setting | Spans | None = None  # knows the power under that assumption, for a picture

    @classmethod
    def from_plan(cls, assuming: str, planned: Planned) -> AlternativePlan:
        """Return the answer of another plan."""
        return cls(assuming, float(getattr(planned, planned.solved)), planned.setting)

    def as_dict(self) -> dict[str, Any]:
        """Return the assumption and the value."""
        return {"assuming": self.assuming, "value": self.value}


Aside = AlternativePlan  # the old name


class Curve(NamedTuple):
    """Power (or width) by size, or power by true difference, for a picture."""

    over: Over
    x: FloatArray
    y: FloatArray
    gives: Literal["power", "width"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Planned(Citable):
    """Size, power and difference of a plan: two were chosen, and the third (`solved`) was computed.

    Inapplicable fields are NaN; a size is infinite if no size is enough, and a difference NaN if none is detected.

    Examples
    --------
    >>> import tellapart as ta
    >>> answer = ta.plan(difference=0.15, disagreement=0.25, power=0.8, method="mcnemar")
    >>> answer.size, round(answer.power, 3), round(answer.formula, 1)
    (79, 0.804, 84.8)
    """

    solved: Solved
    unit: str  # "examples", "examples of each", "replicates", "data sets"
    size: float  # a whole number, or infinity
    method: str
    alpha: float
    about: str  # the design: `setting.describe()`
    power: float = math.nan
    difference: float = math.nan
    width: float = math.nan
    alternative: Alternative = "two-sided"
    side: Side = "two"
    hypothesis: Hypothesis = "different"
    margin: float = 0.0
    shows: str = "a difference"  # the claim of the test
    truth: str = ""  # the assumed truth: "A and B differ by 1 pp"
    effect: str = ""  # the effect with its size: "a difference of 1 pp"; empty if `shows` and `truth` state it
    quantity: str = "error(A) - error(B)"  # the parameter
    basis: str = ""  # how the power was computed: "exact"
    target: float = math.nan  # the requested power
    formula: float = math.nan  # the computed quantity by a textbook's normal formula
    formula_name: str = ""
    alternatives: tuple[AlternativePlan, ...] = ()
    design_effect: float = 1.0
    cluster_size: float = math.nan
    points: bool = True  # whether differences and widths are of rates, written in pp
    cautions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # sources of the assumptions
    power_notes: tuple[str, ...] = ()  # limits of the power
    references: tuple[str | Reference, ...] = ()
    setting: Setting | Spans | None = None  # computes the power, or the width, at any size

    @property
    def clusters(self) -> float:
        """Number of clusters; NaN without clusters, or if their size is unknown."""
        return self.size / self.cluster_size

    @property
    def reached(self) -> bool:
        """Whether there is an answer: a size that is enough, or a difference that is detected."""
        return math.isfinite(getattr(self, self.solved))

    def curve(self, over: Over = "size", *, points: int = 41) -> Curve:
        """Return power (or width) at sizes around the planned one, or at differences, for a picture.

        Parameters
        ----------
        over
            "size" (at the planned difference) or "difference" (at the planned size).
        points
            Number of points.

        Examples
        --------
        >>> import tellapart as ta
        >>> answer = ta.plan(difference=0.15, disagreement=0.25, power=0.8, method="mcnemar")
        >>> answer.curve(points=4).x, answer.curve(points=4).y.round(2)
        (array([ 16.,  66., 116., 166.]), array([0.2 , 0.72, 0.93, 0.98]))
        """
        one_of("over", over, Over)
        if self.setting is None or not math.isfinite(self.size):
            raise InvalidOption(
                f"a plan without a finite number of {self.unit} has no curve. Plan for a larger difference."
            )
        if self.solved == "width" or not math.isnan(self.width):
            return self._by_size(points, "width")
        if over == "size":
            return self._by_size(points, "power")
        setting: Any = self.setting
        size = self._effective(self.size)
        far = -setting.least if self.hypothesis == "equivalent" else difference_for(setting, size, _LARGEST_DRAWN_POWER)
        x = np.linspace(setting.least, setting.most if math.isnan(far) else far, points)
        return Curve("difference", x, setting.power(size, x), "power")

    def _by_size(self, points: int, gives: Literal["power", "width"]) -> Curve:
        setting: Any = self.setting
        first = getattr(setting, "smallest", 1)
        x = np.unique(np.rint(np.linspace(max(first, 0.2 * self.size), max(2.1 * self.size, first + 10), points)))
        sizes = self._effective(x)
        return Curve(
            "size", x, setting.power(sizes, self.difference) if gives == "power" else setting.width(sizes), gives
        )

    def _effective(self, size: Any) -> Any:
        """Return the number of independent examples with the same information."""
        return np.maximum(np.floor(np.asarray(size) / self.design_effect + 1e-9), 1).astype(np.int64)

    # --- Text ---------------------------------------------------------------------------------------

    @property
    def answer(self) -> str:
        """The computed number and its power or width, in one sentence."""
        from .plan_wording import state_answer

        return f"{state_answer(self)}."

    @property
    def capped(self) -> bool:
        """Whether no number may be enough: splits of one data set overlap, however many there are."""
        return self.unit == "replicates"

    @property
    def words(self) -> str:
        """The answer, the design and the notes, in sentences."""
        from .plan_wording import summarize_plan

        return summarize_plan(self)

    @property
    def beside(self) -> tuple[AlternativePlan, ...]:
        """Deprecated alias of `alternatives`."""
        return self.alternatives

    def display(self, *, verbose: bool = False) -> Display:
        """Return the layout; with `verbose` also method names, and one line per alternative."""
        from .plan_wording import build_display

        return build_display(self, verbose=verbose)

    def explanations(self) -> list[tuple[str, str]]:
        """Return labels and sentences: the meaning of the figures, and their assumptions."""
        from .plan_wording import explain_plan

        return list(explain_plan(self))

    def as_dict(self) -> dict[str, Any]:
        """Return all fields by name, at full precision."""
        names = ("solved", "unit", "size", "power", "difference", "width", "method", "alpha", "alternative", "side")
        more = ("hypothesis", "margin", "target", "about", "shows", "truth", "formula", "formula_name")
        return {
            **{name: getattr(self, name) for name in (*names, *more)},
            "reached": self.reached,
            "alternatives": [alternative.as_dict() for alternative in self.alternatives],
            "beside": [alternative.as_dict() for alternative in self.alternatives],  # the old name
            "design_effect": self.design_effect,
            "cluster_size": self.cluster_size,
            "clusters": self.clusters,
            "notes": [*self.cautions, *self.notes, *self.power_notes],
            "words": self.words,
        }

    def in_print(self) -> Iterator[Sentence]:
        """Yield the sentences of the paragraph for a paper."""
        from .plan_wording import format_design, state_answer

        yield (state_answer(self), Cited(self.references), ".")
        yield (f"The design is: {format_design(self)}.",)
        yield from software_in_print()

    def __repr__(self) -> str:
        return str(self)
