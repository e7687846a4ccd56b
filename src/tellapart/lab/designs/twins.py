"""Learners that are equally good by construction, or differ by a given amount, with varying training sets."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, ClassVar, Self

from ...errors import InvalidOption
from ...typing_ import FloatArray
from ..design import one_number, one_rate, whole
from ..inducers.batched import Inducer
from ..populations.normals import NormalClasses
from .learner_populations import Trained

_STEPS = (0.02, 0.05, 0.1)  # differences at which power is measured unless others are asked for
_FAR = 12.0  # standard deviations: classes so far apart are never confused
_NEAR = 1e-4  # how closely a distance is solved for


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Twins(Trained):
    """The same learner twice, each time with its own attributes, which separate the classes equally well.

    A uses some attributes of two normal classes, B others with the same distribution. So their expected errors are
    equal for training sets of any size, although their classifiers differ. This is a realistic null hypothesis about
    learners. A shared attribute makes them wrong on the same examples more often.

    `at` moves the classes apart in the attributes of the better learner until the expected errors have the requested
    difference for training sets of the design's plan (or of all examples without a plan). The expected errors are means
    over 4000 training sets, with the standard error in `truth_error`. For plans with other training sizes the
    difference is slightly different, as given by `truth`.

    Parameters
    ----------
    inducer
        The learner.
    examples
        The number of examples of a sample; with the plan "independent", of every training set.
    distance
        The distance between the classes along the attributes of each learner, in standard deviations.
    shared
        The distance along a shared attribute; None for no shared attribute.
    own
        The number of attributes of each learner; the distance is along the first, the others are useless.
    share_1
        The probability of class 1.
    plan, rounds, tested, stratify
        As for `Learners`.
    moved
        The additional distance between the classes for B or, if negative, for A; `at` computes it.

    Examples
    --------
    >>> from tellapart.lab import Discriminant
    >>> twins = Twins(Discriminant(), examples=100, distance=1.5, shared=1.0)
    >>> twins.truth("difference")
    np.float64(0.0)
    >>> twins.at(0.05).truth("difference").round(3)
    np.float64(0.05)
    """

    inducer: Inducer
    examples: int
    distance: float = 1.5
    shared: float | None = None
    own: int = 1
    share_1: float = 0.5
    plan: str | None = None
    rounds: int = 10
    tested: int | str | None = None
    stratify: bool = False
    moved: float = 0.0
    movable: ClassVar = True

    def __post_init__(self) -> None:
        if not (isinstance(self.inducer, Inducer) and hasattr(self.inducer, "attributes")):
            raise InvalidOption(
                "`inducer` must be a learner with the parameter `attributes`, such as Discriminant(), got"
                f" {self.inducer!r}."
            )
        object.__setattr__(self, "own", whole("own", self.own))
        object.__setattr__(self, "share_1", one_rate("share_1", self.share_1))
        object.__setattr__(self, "moved", one_number("moved", self.moved, -_FAR, _FAR))
        for name in ("distance", "shared"):
            if getattr(self, name) is not None or name == "distance":
                object.__setattr__(self, name, one_number(name, getattr(self, name), 0, _FAR))
        self._check_parameters()

    # --- Whom it is about -------------------------------------------------------------------------

    @property
    def population(self) -> NormalClasses:  # type: ignore[override]
        """The population: first the shared attribute, then those of A, then those of B."""
        common = [] if self.shared is None else [self.shared]
        rest = [0.0] * (self.own - 1)
        of_a, of_b = self.distance + max(-self.moved, 0.0), self.distance + max(self.moved, 0.0)
        second_means = (*common, of_a, *rest, of_b, *rest)
        return NormalClasses((0.0,) * len(second_means), second_means, self.share_1)

    @property
    def a(self) -> Inducer:  # type: ignore[override]
        """The learner with the first of the attributes."""
        return self._limit_attributes(0)

    @property
    def b(self) -> Inducer:  # type: ignore[override]
        """The learner with the last of the attributes."""
        return self._limit_attributes(1)

    def _limit_attributes(self, index: int) -> Inducer:
        common = () if self.shared is None else (0,)
        first = len(common) + index * self.own
        return replace(self.inducer, attributes=(*common, *range(first, first + self.own)))  # type: ignore[type-var]

    # --- How much they differ ---------------------------------------------------------------------

    @property
    def exchangeable(self) -> bool:
        """Whether the difference is 0."""
        return self.moved == 0

    def _errors_after(self, index: int, plan: str | None, portion: int) -> FloatArray:
        """Return the true errors of A (0) or B (1), both with the attributes of B.

        Moved or not, the training sets are then the same but for the move, so that chance cancels in the difference.
        """
        own = replace(self, moved=max(self.moved if index else -self.moved, 0.0))
        return own._true_errors(own.b, plan, portion)  # noqa: SLF001  # its own kind

    @property
    def grid(self) -> tuple[float, ...]:
        """Default differences: 2, 5 and 10 pp, if possible."""
        room = float(replace(self, moved=0.0).truth("error"))
        return tuple(step for step in _STEPS if step < 0.8 * room)

    def at(self, difference: float) -> Self:
        """Return the twins with this difference of expected errors for training sets of the design's plan."""
        own, target = replace(self, moved=0.0), one_number("difference", difference)
        if target == 0:
            return own
        key = json.dumps(own.as_dict(), sort_keys=True)
        moved = _solve_distance(_TwinRequest(key, abs(target), own))
        return replace(self, moved=moved if target > 0 else -moved)

    def describe(self) -> str:
        """Return a description of the design."""
        common = "" if self.shared is None else ", one shared attribute"
        return (
            f"equally accurate {self.inducer.name} learners, class distance {self.distance:.4g}{common}, trained"
            f" and tested on {self._describe_examples()}"
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the design's name and its parameters, for JSON and to identify the design."""
        names = [each.name for each in fields(self) if each.name != "inducer"]
        return {"design": type(self).__name__, "inducer": self.inducer.as_dict()} | {
            name: getattr(self, name) for name in names
        }


@dataclass(frozen=True)
class _TwinRequest:
    """Twins, identified by `key`, and the difference to reach."""

    key: str
    difference: float
    twins: Twins = field(compare=False)


@lru_cache(maxsize=256)
def _solve_distance(request: _TwinRequest) -> float:
    """Return the additional distance between the classes for the better learner."""
    from scipy.optimize import brentq

    def excess(moved: float) -> float:
        return float(replace(request.twins, moved=moved).truth("difference")) - request.difference

    farthest = _FAR - request.twins.distance
    if excess(farthest) < 0:
        most = excess(farthest) + request.difference
        raise InvalidOption(
            f"`difference` must be at most {most:.3g} for {request.twins.describe()}, got {request.difference:g}."
        )
    return float(brentq(excess, 0.0, farthest, xtol=_NEAR))
