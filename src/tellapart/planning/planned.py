"""What a plan says: the number that was left open, what it buys, and what it assumes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from ..bibliography import Reference
from ..errors import InvalidOption
from ..figures import level_text
from ..results.paper import Citable, Cited, Sentence, software_in_print
from ..typing_ import Alternative, FloatArray, Hypothesis, Side, one_of
from .settings.setting import Setting, Spans
from .solving import difference_for

Solved = Literal["size", "power", "difference", "width"]
Over = Literal["size", "difference"]
_STEP = 0.02  # more than was asked for by this much is told
_AT_MOST = " with a thousand million"
_ALL_BUT_SURE = 0.999  # power beyond which a curve has nothing more to show


class Aside(NamedTuple):
    """The same question under another assumption, and its answer."""

    assuming: str
    value: float
    setting: Setting | Spans | None = None  # what knows the power under that assumption, for a picture

    @classmethod
    def of(cls, assuming: str, planned: Planned) -> Aside:
        """Return what another plan found."""
        return cls(assuming, float(getattr(planned, planned.solved)), planned.setting)


class Curve(NamedTuple):
    """What a picture of a plan shows: power (or width) by size, or power by true difference."""

    over: Over
    x: FloatArray
    y: FloatArray
    gives: Literal["power", "width"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Planned(Citable):
    """How many examples, with which power, to see which difference: three of which two were given.

    `solved` says which was left open. What is not asked for is NaN; a size that nothing reaches is infinite, and a
    difference that nothing shows is NaN.

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
    about: str  # what is planned: `setting.describe()`
    power: float = math.nan
    difference: float = math.nan
    width: float = math.nan
    alternative: Alternative = "two-sided"
    side: Side = "two"
    hypothesis: Hypothesis = "different"
    margin: float = 0.0
    shows: str = "a difference"  # what the test is to show
    truth: str = ""  # what has to be true for it: "the two really differ by 1 point"
    target: float = math.nan  # the power that was asked for
    formula: float = math.nan  # what a textbook's normal formula gives for what was left open
    formula_name: str = ""
    beside: tuple[Aside, ...] = ()
    design_effect: float = 1.0
    cluster_size: float = math.nan
    points: bool = True  # differences and widths are of rates, and told in points
    notes: tuple[str, ...] = ()
    references: tuple[str | Reference, ...] = ()
    setting: Setting | Spans | None = None  # what knows the power, or the width, at any size

    @property
    def clusters(self) -> float:
        """How many clusters that makes; NaN where there are none, or no one said how large they are."""
        return self.size / self.cluster_size

    @property
    def reached(self) -> bool:
        """Whether there is an answer: some number of examples is enough, some difference can be seen."""
        return math.isfinite(getattr(self, self.solved))

    def curve(self, over: Over = "size", *, points: int = 41) -> Curve:
        """Return power (or width) at sizes around the planned one, or at differences, for a picture.

        Parameters
        ----------
        over
            "size" (at the planned difference) or "difference" (at the planned size).
        points
            How many.

        Examples
        --------
        >>> import tellapart as ta
        >>> answer = ta.plan(difference=0.15, disagreement=0.25, power=0.8, method="mcnemar")
        >>> answer.curve(points=4).x, answer.curve(points=4).y.round(2)
        (array([ 16.,  66., 116., 166.]), array([0.2 , 0.72, 0.93, 0.98]))
        """
        one_of("over", over, Over)
        if self.setting is None or not math.isfinite(self.size):
            raise InvalidOption(f"a plan without a finite number of {self.unit} has no curve.")
        if self.solved == "width" or not math.isnan(self.width):
            return self._by_size(points, "width")
        if over == "size":
            return self._by_size(points, "power")
        setting: Any = self.setting
        size = self._effective(self.size)
        far = -setting.least if self.hypothesis == "equivalent" else difference_for(setting, size, _ALL_BUT_SURE)
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
        """Return how many independent examples so many in clusters are worth."""
        return np.maximum(np.floor(np.asarray(size) / self.design_effect + 1e-9), 1).astype(np.int64)

    # --- What it says -----------------------------------------------------------------------------

    @property
    def answer(self) -> str:
        """The number that was asked for, and what it buys, in one sentence."""
        if self.solved == "size":
            return self._size_told()
        if self.solved == "difference":
            return self._difference_told()
        told = self._width_told() if self.solved == "width" else f"{self._chance(self.power)} if {self.truth}"
        return f"With {self._how_many()}, {told}."

    def _size_told(self) -> str:
        if not self.reached:
            goal = "give such an interval" if math.isnan(self.power) else f"have a power of {power_text(self.target)}"
            if self.capped:
                return f"No number of {self.unit} is enough: even a thousand million do not {goal}."
            return f"It takes more than a thousand million {self.unit} to {goal}."
        if not math.isnan(self.width):
            return f"Take {self._how_many()}: then {self._width_told()}."
        return f"Take {self._how_many()}: if {self.truth}, {self._chance(self.power)}."

    @property
    def capped(self) -> bool:
        """Whether no number may be enough: splits of one data set overlap; of all else there can always be more."""
        return self.unit == "replicates"

    def _difference_told(self) -> str:
        told = f"With {self._how_many()}"
        if not self.reached:
            return (
                f"{told}, no true difference gives {self._test()} a chance of {power_text(self.target)} to show"
                f" {self.shows}: it is {power_text(self.power)} at most."
            )
        told = f"{told}, {self._chance(self.target)}"
        if self.hypothesis == "equivalent":
            return f"{told} if the two really differ by at most {amount(self.difference, self.points)}."
        if self.hypothesis == "non-inferior":
            return f"{told} if {self.truth}{' at most' * (self.difference < 0)}."
        return f"{told} if {self.truth}, and a larger one beyond; smaller differences may well go unseen."

    def _chance(self, power: float) -> str:
        return f"{self._test()} has a chance of {power_text(power)} to show {self.shows}"

    def _width_told(self) -> str:
        what = {
            "two": "interval is {} wide",
            "upper": "bound is {} above the truth",
            "lower": "bound is {} below the truth",
        }
        told = what[self.side].format(amount(self.width, self.points))
        often = "on average" if math.isnan(self.target) else f"or less {power_text(self.target)} of the time"
        return f"the {level_text(self.alpha)} {self.method} {told} {often} if {self.truth}"

    def _test(self) -> str:
        return f"{self.method} at alpha {self.alpha:g}"

    def _how_many(self) -> str:
        return f"{many(self.size)} {_singular(self.unit) if self.size == 1 else self.unit}"

    @property
    def words(self) -> str:
        """What the plan says, for somebody who has never made one: the number, what it buys, what it assumes."""
        return " ".join(part for part in (self.answer, f"This is planned for {self.about}.", self.remarks) if part)

    @property
    def remarks(self) -> str:
        """What else must be said of the plan; empty where there is nothing."""
        return " ".join([*self._stepped(), *self._clustered(), *self.notes])

    def _stepped(self) -> Iterator[str]:
        if self.solved == "size" and self.reached and self.power - self.target > _STEP:
            yield f"Power goes in steps here: with one fewer it falls short of {power_text(self.target)}."

    def _clustered(self) -> Iterator[str]:
        if self.design_effect == 1:
            return
        made = (
            f" ({many(math.ceil(self.clusters - 1e-9))} clusters of {self.cluster_size:g})"
            if math.isfinite(self.clusters) and self.cluster_size > 1
            else ""
        )
        worth = "fewer" if self.design_effect > 1 else "more"
        yield (
            f"A design effect of {self.design_effect:.4g} is in it{made}: examples that go together are worth {worth}"
            " independent ones, by an approximation for clusters of about one size."
        )

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        told = [("plan", self.about)]
        if math.isfinite(self.size) or self.solved == "size":
            told.append((self.unit, many(self.size) if self.reached else self._valued(math.inf)))
        if math.isfinite(self.clusters):
            told.append(("clusters", f"{many(math.ceil(self.clusters - 1e-9))} of {self.cluster_size:g}"))
        if self.design_effect != 1:
            told.append(("design effect", f"{self.design_effect:.4g}"))
        if not math.isnan(self.power):
            told.append(("power", f"{power_text(self.power)}{'' if math.isfinite(self.size) else _AT_MOST}"))
        if self.solved == "difference" or not math.isnan(self.difference):
            told.append(
                ("difference", amount(self.difference, self.points) if not math.isnan(self.difference) else "none")
            )
        if not math.isnan(self.width):
            told.append(("width", amount(self.width, self.points)))
        told.append(("method", f"{self.method}, alpha {self.alpha:g}, {self._asked()}"))
        if math.isfinite(self.formula):
            told.append(("by formula", self._formula_told()))
        told += [
            ("beside" if place == 0 else "", f"{self._valued(each.value)} {each.assuming}")
            for place, each in enumerate(self.beside)
        ]
        return [*told, ("in words", self.words)]

    def _formula_told(self) -> str:
        if self.solved != "size":
            return f"{self._valued(self.formula)} ({self.formula_name})"
        return f"{self._valued(math.ceil(self.formula))} ({self.formula_name}: {self.formula:,.2f})"

    def _asked(self) -> str:
        if not math.isnan(self.width):
            return {"two": "two-sided", "upper": "upper bound", "lower": "lower bound"}[self.side]
        return self.alternative if self.hypothesis == "different" else f"to show {self.shows}"

    def _valued(self, value: float) -> str:
        """Write a value of what was left open."""
        if self.solved == "size" and not math.isfinite(value):
            return "no number is enough" if self.capped else "more than a thousand million"
        if self.solved == "size":
            return f"{many(value)} {_singular(self.unit) if value == 1 else self.unit}"
        if self.solved == "power":
            return f"power {power_text(value)}"
        return amount(value, self.points) if math.isfinite(value) else "no difference"

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        names = ("solved", "unit", "size", "power", "difference", "width", "method", "alpha", "alternative", "side")
        more = ("hypothesis", "margin", "target", "about", "shows", "truth", "formula", "formula_name")
        return {
            **{name: getattr(self, name) for name in (*names, *more)},
            "reached": self.reached,
            "beside": [{"assuming": each.assuming, "value": each.value} for each in self.beside],
            "design_effect": self.design_effect,
            "cluster_size": self.cluster_size,
            "clusters": self.clusters,
            "notes": list(self.notes),
            "words": self.words,
        }

    def in_print(self) -> Iterator[Sentence]:
        """Return the sentences of the paragraph for a paper."""
        yield (self.answer.removesuffix("."), Cited(self.references), ".")
        yield (f"This was planned for {self.about}.",)
        yield from ((told,) for told in self._clustered())
        yield from software_in_print()

    def __repr__(self) -> str:
        return str(self)


def amount(value: float, points: bool = True, *, unit: bool = True) -> str:
    """Write a planned difference or width: in points where it is of rates.

    Examples
    --------
    >>> amount(0.01), amount(0.0213), amount(2.5, points=False)
    ('1 point', '2.13 points', '2.5')
    """
    if not points:
        return f"{value:.4g}"
    told = f"{100 * value:.3g}"
    return f"{told} point{'s' * (told != '1')}" if unit else told


def many(value: float) -> str:
    """Write a number of examples.

    Examples
    --------
    >>> many(3768)
    '3,768'
    """
    return f"{int(value):,}" if math.isfinite(value) else "infinitely many"


def power_text(value: float, digits: int = 4) -> str:
    """Write a power: never as 100 % where it is less, and without digits that nobody asked for where it is tiny.

    Examples
    --------
    >>> power_text(0.80014), power_text(0.9999999), power_text(1e-7)
    ('80.01 %', 'just below 100 %', 'less than 0.01 %')
    """
    if 0 < value < 1e-4:
        return "less than 0.01 %"
    told = f"{100 * value:.{digits}g}"
    return f"{told} %" if float(told) < 100 or value >= 1 else "just below 100 %"


def _singular(unit: str) -> str:
    first, _, rest = unit.partition(" ")
    return unit.removesuffix("s") if not rest or rest.endswith("s") else f"{first.removesuffix('s')} {rest}"
