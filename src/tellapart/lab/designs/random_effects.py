"""Learners under the assumptions of the tests: normal differences, crossed effects, and runs by seed.

Here a test has its own assumptions kept, so its size shows what its arithmetic is worth: 5x2cv's t finds a
difference where there is none in 2.8% of cases, for its numerator is part of its denominator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ...errors import InvalidOption
from ...evidence import Resamples, TrainingSets
from ...evidence.plan import as_plan
from ...methods import Offer
from ...metrics import LOSS
from ...typing_ import FloatArray, one_of
from ..design import Design, name_difference, one_number, one_rate, whole
from .counts import error_rates_text

Varies = Literal["training set", "seed"]
_NUMBERS = 5_000_000  # drawn at once


class _Moved(Design):
    """Base class of these designs: any difference, and evidence of A and B or of A alone."""

    __slots__ = ()
    difference: float

    @property
    def in_points(self) -> bool:
        """Whether differences are of error rates: no, normal losses have no unit."""
        return False

    @property
    def difference_name(self) -> str:
        """Name of a difference: of losses without a unit."""
        return name_difference("loss")

    def at(self, difference: float) -> Self:
        """Return the design with this mean of loss(A) − loss(B)."""
        return replace(self, difference=difference)  # type: ignore[type-var]

    def truth(self, parameter: str) -> FloatArray:  # noqa: ARG002
        """Return the difference, which is also the loss of A: that of B is 0 on average."""
        return np.asarray(self.difference)[()]

    def view(self, method: Offer, learners: int = 2) -> tuple[int, bool]:
        """Return the number of learners of a method, and whether it needs single trials because it is random."""
        Design.view(self, method, learners)
        return learners, "rng" in method.options

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw the losses."""
        both = self._draw_losses(trials, rng)
        evidence = {}
        for learners, singly in views:
            drawn = both if learners == 2 else both.select("A")
            evidence[learners, singly] = [drawn[trial] for trial in range(trials)] if singly else drawn
        return evidence

    def _draw_losses(self, trials: int, rng: np.random.Generator) -> Any:
        raise TypeError(f"{type(self).__name__} cannot draw {trials} trials with {rng}")


def _at_once(most: int, numbers: int) -> int:
    """Return the number of trials in a block, by their size."""
    return max(1, min(most, _NUMBERS // numbers))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NormalEffects(_Moved):
    """Two learners with normal differences of variance 1, equally correlated within a sample.

    The ideal of the t tests is a correlation of 0; Nadeau and Bengio suppose the share of the examples that is tested.

    Parameters
    ----------
    plan
        The plan whose test sets they are: "5x2", "10-fold", "30x(2/3)", "independent".
    correlation
        Of any two differences of one sample, from 0 to 1.
    runs
        The number of differences, if the plan does not determine it.
    examples
        The number of examples, which determines the sizes of training and test sets.
    difference
        The mean of the differences, in units of their standard deviation.

    Examples
    --------
    >>> from tellapart.lab import calibrate
    >>> found = calibrate("5x2cv-t", NormalEffects("5x2"), trials=20_000)
    >>> bool(found.size.low < 0.0282 < found.size.high)
    True
    """

    plan: str
    correlation: float = 0.0
    runs: int = 10
    examples: int = 300
    difference: float = 0.0
    evidence: ClassVar = (Resamples,)

    def __post_init__(self) -> None:
        plan = as_plan(self.plan, whole("runs", self.runs))
        if plan.kind not in {"k-fold", "random", "independent"}:
            raise InvalidOption(
                f"`plan` must be a design of folds, random splits or independent samples, got {self.plan!r}."
            )
        object.__setattr__(self, "plan", plan.name)
        object.__setattr__(self, "runs", plan.replicates * plan.folds)
        object.__setattr__(self, "examples", whole("examples", self.examples, 2))
        object.__setattr__(self, "correlation", one_rate("correlation", self.correlation))
        object.__setattr__(self, "difference", one_number("difference", self.difference))

    @property
    def usual(self) -> tuple[str, ...]:  # type: ignore[override]
        """Default methods: t tests, of the plan if it has its own."""
        own = {"5x2": ("5x2cv-t", "5x2cv-f", "corrected-resampled-t"), "independent": ("paired-t",)}
        return own.get(self.plan, ("corrected-resampled-t", "resampled-t", "kfold-t"))

    def _draw_losses(self, trials: int, rng: np.random.Generator) -> Resamples:
        common, own = rng.standard_normal((trials, 1)), rng.standard_normal((trials, self.runs))
        values = np.sqrt(self.correlation) * common + np.sqrt(1 - self.correlation) * own + self.difference
        examples = 0 if self.plan == "independent" else self.examples
        return Resamples.from_scores(
            values, np.zeros_like(values), plan=self.plan, metric="loss", higher_is_better=False, examples=examples
        )

    @property
    def facts(self) -> dict[str, float]:
        """Number of test sets, and correlation of their differences."""
        return {"runs": self.runs, "correlation": self.correlation}

    def describe(self) -> str:
        """Return a description of the design."""
        return f"{self.runs} normal differences, correlation {self.correlation:.4g}, by {self.plan}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SeedRuns(_Moved):
    """Normal losses of several independent runs of A and B.

    Parameters
    ----------
    runs_a, runs_b
        The number of runs of each learner.
    spread_a, spread_b
        The standard deviation of the runs of each.
    difference
        The mean loss of A minus that of B.

    Examples
    --------
    >>> SeedRuns(5, 10, spread_b=3.0).describe()
    '5 runs of A with SD 1, 10 runs of B with SD 3, one seed per run'
    """

    runs_a: int
    runs_b: int
    spread_a: float = 1.0
    spread_b: float = 1.0
    difference: float = 0.0
    evidence: ClassVar = (Resamples,)
    usual: ClassVar = ("welch", "unpaired-t", "probability-better-run")
    block: ClassVar = 2000

    def __post_init__(self) -> None:
        for name in ("runs_a", "runs_b"):
            object.__setattr__(self, name, whole(name, getattr(self, name), 2))
        for name in ("spread_a", "spread_b"):
            object.__setattr__(self, name, one_number(name, getattr(self, name), 0.0))
        object.__setattr__(self, "difference", one_number("difference", self.difference))

    def _draw_losses(self, trials: int, rng: np.random.Generator) -> Resamples:
        a = self.difference + self.spread_a * rng.standard_normal((trials, self.runs_a))
        b = self.spread_b * rng.standard_normal((trials, self.runs_b))
        return Resamples.from_scores(a, b, plan="seeds", metric="loss", higher_is_better=False)

    @property
    def facts(self) -> dict[str, float]:
        """Number of runs of the learner with fewer."""
        return {"runs": min(self.runs_a, self.runs_b)}

    def describe(self) -> str:
        """Return a description of the design."""
        return (
            f"{self.runs_a} runs of A with SD {self.spread_a:.4g}, {self.runs_b} runs of B with SD {self.spread_b:.4g},"
            " one seed per run"
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CrossedEffects(_Moved):
    """Normal effects of training sets and test examples on loss(A) − loss(B), plus a residual.

    Parameters
    ----------
    sets, examples
        The numbers of training sets and test examples, fully crossed.
    of_sets, of_examples, rest
        The variance of one difference that comes from each.
    difference
        The mean difference.

    Examples
    --------
    >>> CrossedEffects(8, 50, of_sets=0.02).describe()
    '8 training sets (variance 0.02), 50 test examples (variance 0), residual variance 1'
    """

    sets: int
    examples: int
    of_sets: float = 0.0
    of_examples: float = 0.0
    rest: float = 1.0
    difference: float = 0.0
    evidence: ClassVar = (TrainingSets,)
    usual: ClassVar = ("quasi-f", "crossed-interval")

    def __post_init__(self) -> None:
        for name in ("sets", "examples"):
            object.__setattr__(self, name, whole(name, getattr(self, name), 2))
        for name in ("of_sets", "of_examples", "rest"):
            object.__setattr__(self, name, one_number(name, getattr(self, name), 0.0))
        object.__setattr__(self, "difference", one_number("difference", self.difference))

    @property
    def block(self) -> int:  # type: ignore[override]
        """Number of trials drawn at once; fewer if they are large."""
        return _at_once(500, self.sets * self.examples)

    def _draw_losses(self, trials: int, rng: np.random.Generator) -> TrainingSets:
        values = np.sqrt(self.rest) * rng.standard_normal((trials, self.sets, self.examples))
        values += np.sqrt(self.of_sets) * rng.standard_normal((trials, self.sets, 1))
        values += np.sqrt(self.of_examples) * rng.standard_normal((trials, 1, self.examples)) + self.difference
        return TrainingSets(np.stack([values, np.zeros_like(values)], axis=1), metric=LOSS)

    @property
    def facts(self) -> dict[str, float]:
        """Numbers of training sets and test examples."""
        return {"sets": self.sets, "examples": self.examples}

    def describe(self) -> str:
        """Return a description of the design."""
        return (
            f"{self.sets} training sets (variance {self.of_sets:.4g}), {self.examples} test examples"
            f" (variance {self.of_examples:.4g}), residual variance {self.rest:.4g}"
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CrossedErrors(_Moved):
    """Errors of two learners with several seeds (or training sets) on the same test examples.

    An example is misclassified if the sum of three normal effects exceeds a threshold: those of the example and the
    seed, and a residual of variance 1. The error is Φ(−threshold/√(1 + of_sets + of_examples)), exactly.

    Parameters
    ----------
    error
        The mean of the true errors of A and B.
    sets, examples
        The numbers of seeds and test examples.
    of_sets, of_examples
        The variance of what a seed, and an example, adds.
    correlation
        The correlation of the difficulty of examples for A and B, from 0 to 1.
    varies
        "seed", drawn independently for A and B, or "training set".
    difference
        The true error of A minus that of B.

    Examples
    --------
    >>> CrossedErrors(0.2, 10, 100).at(0.02).truth("difference")
    np.float64(0.02)
    """

    error: float
    sets: int
    examples: int
    of_sets: float = 0.1
    of_examples: float = 1.0
    correlation: float = 0.5
    varies: Varies = "seed"
    difference: float = 0.0
    evidence: ClassVar = (TrainingSets,)
    usual: ClassVar = ("two-way-bootstrap",)
    trials: ClassVar = 2000

    def __post_init__(self) -> None:
        for name in ("error", "correlation"):
            object.__setattr__(self, name, one_rate(name, getattr(self, name)))
        for name in ("sets", "examples"):
            object.__setattr__(self, name, whole(name, getattr(self, name), 2))
        for name in ("of_sets", "of_examples"):
            object.__setattr__(self, name, one_number(name, getattr(self, name), 0.0))
        object.__setattr__(self, "difference", one_number("difference", self.difference))
        one_of("varies", self.varies, Varies)
        if not (np.all(self.errors >= 0) and np.all(self.errors <= 1)):
            raise InvalidOption(
                f"`difference` must be closer to 0 for a mean error rate of {self.error:g}, got {self.difference:g}."
            )

    @property
    def block(self) -> int:  # type: ignore[override]
        """Number of trials drawn at once; fewer if they are large."""
        return _at_once(200, 2 * self.sets * self.examples)

    @property
    def grid(self) -> tuple[float, ...]:
        """Default differences: 2 and 5 pp, if possible."""
        return tuple(step for step in (0.02, 0.05) if step / 2 <= min(self.error, 1 - self.error))

    @property
    def in_points(self) -> bool:
        """Whether differences are of error rates: yes."""
        return True

    @property
    def difference_name(self) -> str:
        """Name of a difference: of error rates."""
        return name_difference("error")

    @property
    def errors(self) -> FloatArray:
        """The true errors of A and B."""
        return self.error + np.array([0.5, -0.5]) * self.difference

    def truth(self, parameter: str) -> FloatArray:
        """Return the difference, or the error of A."""
        return np.asarray(self.difference if parameter == "difference" else self.errors[0])[()]

    def _draw_losses(self, trials: int, rng: np.random.Generator) -> TrainingSets:
        from scipy.special import ndtri

        threshold = -ndtri(self.errors) * np.sqrt(1 + self.of_sets + self.of_examples)
        common, own = (
            rng.standard_normal((trials, 1, 1, self.examples)),
            rng.standard_normal((trials, 2, 1, self.examples)),
        )
        hard = np.sqrt(self.correlation) * common + np.sqrt(1 - self.correlation) * own
        unlucky = rng.standard_normal((trials, 2, self.sets, 1))
        chance = rng.standard_normal((trials, 2, self.sets, self.examples))
        total = chance + np.sqrt(self.of_sets) * unlucky + np.sqrt(self.of_examples) * hard
        return TrainingSets(total > threshold[:, None, None], varies=self.varies)

    @property
    def facts(self) -> dict[str, float]:
        """Numbers of seeds (or training sets) and test examples."""
        return {"sets": self.sets, "examples": self.examples}

    def describe(self) -> str:
        """Return a description of the design."""
        return (
            f"two learners, {error_rates_text(*self.errors)}, {self.sets} {self.varies}s, {self.examples} test examples"
        )
