"""Base class of designs: the evidence, the number of models, and their true rates."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from ..errors import InvalidOption, UnknownMethod
from ..evidence import Evidence
from ..evidence.validation import LARGEST
from ..methods import Offer
from ..rendering import plain
from ..typing_ import FloatArray


class Everything(NamedTuple):
    """Every outcome with positive probability, and its probability under each of several designs."""

    evidence: Evidence
    probability: FloatArray  # outcome by design


class Design:
    """A data-generating process with known true values, for one or two classifiers or learners.

    A subclass is a frozen dataclass. It gives the true values (`truth`), the same design with another difference of A
    and B (`at`), and draws any number of trials in one call (`draw`). If the outcomes are few enough it enumerates them
    all (`everything`).

    Methods may need different evidence of the same examples, such as one split or ten folds. `view` names the one that
    a method needs; methods with the same view share the trials.
    """

    __slots__ = ()
    evidence: ClassVar[tuple[type[Evidence], ...]]  # what methods may read from it
    usual: ClassVar[tuple[str, ...]]  # the methods that are measured if none is named
    block: ClassVar[int] = 10_000  # how many trials are drawn at once
    trials: ClassVar[int] = 10_000  # the default number of trials
    movable: ClassVar[bool] = True  # whether `at` can set the difference; if not, there is no null hypothesis

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the parameters; () for one design."""
        return ()

    @property
    def testable(self) -> bool:
        """Whether there is a null hypothesis that can be false; otherwise tests are left out."""
        return True

    @property
    def in_points(self) -> bool:
        """Whether differences are of error rates, in percentage points; otherwise on the scale of the scores."""
        return True

    @property
    def difference_name(self) -> str:
        """Name of a difference for axes and columns; positive if B is better."""
        return name_difference("error")

    @property
    def value_name(self) -> str:
        """Name of the true value of a single model, such as "error rate"; empty if models are compared."""
        return ""

    @property
    def alone(self) -> bool:
        """Whether there is only one model, so intervals are measured but no tests."""
        return False

    @property
    def grid(self) -> tuple[float, ...]:
        """Default true differences at which power is measured."""
        return ()

    def at(self, difference: float) -> Self:
        """Return the design with this value of error(A) − error(B); 0 is the null hypothesis."""
        raise TypeError(f"{type(self).__name__} cannot have a difference of {difference}")

    def truth(self, parameter: str) -> FloatArray:
        """Return the true value of "difference", "error" (of A), "odds" or "reduction"."""
        raise TypeError(f"{type(self).__name__} has no true {parameter}")

    def truth_for(self, view: Any, parameter: str) -> FloatArray:  # noqa: ARG002
        """Return the true value of the parameter of a view; it depends on the view if training sets differ in size."""
        return self.truth(parameter)

    def view(self, method: Offer, learners: int = 2) -> Hashable:  # noqa: ARG002
        """Return the view of a method; raise UnknownMethod if it does not suit the design.

        `learners` is 1 where it is asked about A alone, else 2.
        """
        if method.evidence not in self.evidence:
            raise UnknownMethod(
                f"method {method.name!r} needs {method.evidence.__name__}, which this design does not produce"
                f" ({self.describe()})."
            )
        return method.evidence.__name__

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Return trials of each view: evidence of shape (trials,), or a list of evidence."""
        raise TypeError(f"{type(self).__name__} cannot draw {trials} trials of {views} with {rng}")

    def outcomes(self, view: Any, conditions: Sequence[Self]) -> int:  # noqa: ARG002
        """Return the number of outcomes in `everything`; 0 if there are too many."""
        return 0

    def everything(self, view: Any, conditions: Sequence[Self]) -> Everything:
        """Return all outcomes with positive probability, and their probability under each condition."""
        raise TypeError(f"{type(self).__name__} cannot enumerate its outcomes for {view} under {conditions}")

    def options(self, method: Offer) -> dict[str, Any]:  # noqa: ARG002
        """Return the options of a method that the design determines: the threshold, the size of the pool."""
        return {}

    @property
    def facts(self) -> dict[str, float]:
        """Numbers that a method may name in its range, such as `examples`; of one design, not of an array."""
        return {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.describe()}>"

    def describe(self) -> str:
        """Return a description of the design."""
        raise TypeError(f"{type(self).__name__} does not describe itself")

    def as_dict(self) -> dict[str, Any]:
        """Return the design's name and its parameters, for JSON and to identify the design."""
        named = {field.name: plain(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]  # every subclass is a dataclass
        return {"design": type(self).__name__} | named


def of_one_learner(method: Offer) -> bool:
    """Return whether a method is for one classifier or learner, not for two."""
    return method.question in {1, 2, 5, 6}


def name_difference(metric: str, *, higher_is_better: bool = False, several: bool = False) -> str:
    """Return the name of a difference that is positive if B, or the last of several models, is better.

    Examples
    --------
    >>> name_difference("error"), name_difference("AUC", higher_is_better=True)
    ('error(A) − error(B)', 'AUC(B) − AUC(A)')
    >>> name_difference("error", several=True)
    'error of the others − error of the last model'
    """
    others, better = (f"{metric} of the others", f"{metric} of the last model")
    first, second = (others, better) if several else (f"{metric}(A)", f"{metric}(B)")
    return f"{second} − {first}" if higher_is_better else f"{first} − {second}"


def check_metric(method: Offer, metric: str) -> None:
    """Raise UnknownMethod if a method does not support a metric."""
    if not method.serves(metric):
        served = ", ".join(method.metrics)
        raise UnknownMethod(f"method {method.name!r} applies to {served}, not to {metric}.")


def rate(name: str, value: Any) -> FloatArray:
    """Return a probability or an array of them; raise InvalidOption otherwise."""
    rates = np.asarray(np.nan)
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "bSU":  # neither True nor '0.1'
            rates = array.astype(float)
    except (TypeError, ValueError):
        pass
    if not (rates.size and np.all((rates >= 0) & (rates <= 1))):  # NaN is none
        raise InvalidOption(f"`{name}` must be a rate between 0 and 1, got {value!r}.")
    return rates[()]


def one_rate(name: str, value: Any) -> float:
    """Return one probability; raise InvalidOption otherwise."""
    probability = rate(name, value)
    if np.ndim(probability):
        raise InvalidOption(f"`{name}` must be one rate between 0 and 1, got {value!r}.")
    return float(probability)


def one_number(name: str, value: Any, low: float = -np.inf, high: float = np.inf) -> float:
    """Return a finite number in a range; raise InvalidOption otherwise."""
    known = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not (known and np.isfinite(value) and low <= value <= high):
        above = f", at least {low:g}" if np.isfinite(low) else ""
        limits = f" from {low:g} to {high:g}" if np.isfinite(high) else above
        raise InvalidOption(f"`{name}` must be a number{limits}, got {value!r}.")
    return float(value)


def flag(name: str, value: Any) -> bool:
    """Return True or False; raise InvalidOption otherwise."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidOption(f"`{name}` must be True or False, got {value!r}.")
    return bool(value)


def brief(instance: Any, *always: str) -> str:
    """Return the repr of a dataclass: parameters without a default, with another value, and those always shown."""
    arguments = []
    for field in fields(instance):
        value = getattr(instance, field.name)
        if field.default is MISSING or field.name in always or value != field.default:
            arguments.append(f"{field.name}={value!r}")
    return f"{type(instance).__name__}({', '.join(arguments)})"


def whole(name: str, value: Any, least: int = 1) -> int:
    """Return a whole number; raise InvalidOption otherwise."""
    counts = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not (counts and least <= value <= LARGEST and value == int(value)):  # NaN is none
        raise InvalidOption(f"`{name}` must be a whole number, at least {least}, got {value!r}.")
    return int(value)
