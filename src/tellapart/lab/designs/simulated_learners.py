"""Dietterich's simulated learners: every example has its own error probability, without training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption, UnknownMethod
from ...evidence import PairedTable, Plan, Resamples
from ...methods import Offer
from ...typing_ import FloatArray
from ..design import Design, one_number, one_rate, rate, whole
from ..plan_views import view_of
from .counts import error_rates_text
from .simulated_errors import Kinds, SimulatedErrors, Splits, by_counts, by_points, by_tables, tables_pay

_EPSILON = 0.1  # the first of Dietterich's (1998) errors
_STEPS = (0.01, 0.02, 0.05)  # differences at which power is measured unless others are asked for
_FEW = 8  # kinds up to which points are counted, not drawn one by one
_BLOCK = 10_000  # trials drawn at once, if there are few test sets
_TEST_SETS = 1_500_000  # drawn at once
_LONGEST = 200  # test sets of the plans that methods were made for; but one that leaves one out has all examples

# Methods that read what both learners got wrong on the same points; drawing it takes longer.
TOGETHER = frozenset({"cv-wald", "holdout-choice", "mcnemar-on-cv", "mean-se-w", "two-se"})


class MethodView(NamedTuple):
    """View of a method: plan, kind of evidence, number of learners, and whether errors are paired."""

    plan: str
    kind: str
    learners: int
    together: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SimulatedLearners(Design):
    """Two learners whose error probability depends only on the kind of example.

    The default is the worst case of Dietterich (1998, section 4.1): on one half of the population A is wrong with
    probability ε/2 and B with 3ε/2, on the other half the reverse. Both have the error ε, but a sample with more
    examples of one half favours one of them. Errors are drawn independently for every training run, so the training set
    matters, but overlapping training sets are not more similar than others.

    Parameters
    ----------
    epsilon
        The error of both learners (default 0.1), if `error_a` and `error_b` are not given.
    examples
        The size of a sample, which is drawn with replacement and split by the plan; test sets are parts of it.
    plan
        How samples are split; by default, the natural plan of each method. Methods for one test set get one third of a
        sample.
    beta
        Half the width of the range of a random shift for each training run, which is added to all probabilities of both
        learners, as for a training set that is good or bad for both.
    samples
        The number of samples for the plan "independent", where each has its own test data.
    error_a, error_b
        The error probabilities of A and B for each kind of example.
    shares
        The share of each kind in the population; equal by default.

    Examples
    --------
    >>> design = SimulatedLearners(0.1)
    >>> design.describe()
    'two simulated learners, error rates 10%, 2 kinds of points, samples of 300 examples'
    >>> design.at(0.02).truth("difference").round(12)
    np.float64(0.02)
    """

    epsilon: float | None = None
    examples: int = 300
    plan: str | None = None
    beta: float = 0.0
    samples: int = 10
    error_a: Any = None
    error_b: Any = None
    shares: Any = None
    evidence: ClassVar = (PairedTable, Resamples)
    usual: ClassVar = ("mcnemar-corrected", "difference-of-proportions", "resampled-t", "kfold-t", "5x2cv-t")

    def __post_init__(self) -> None:
        named = (self.error_a is not None, self.error_b is not None)
        if named[0] != named[1]:
            raise InvalidOption("`error_a` and `error_b` must be given together, got one of them.")
        if not named[0]:
            if self.shares is not None:
                raise InvalidOption("`shares` must be left out without error_a and error_b.")
            a, b, shares = _dietterich_halves(_EPSILON if self.epsilon is None else self.epsilon)
        else:
            a, b, shares = _merge_kinds(self.error_a, self.error_b, self.shares)
        mean = float(shares @ (a + b)) / 2
        if named[0] and self.epsilon is not None and abs(one_rate("epsilon", self.epsilon) - mean) > 1e-9:
            raise InvalidOption(
                f"`epsilon` must be left out if error_a and error_b are given, got {self.epsilon!r}; their mean is"
                f" {mean:.4g}."
            )
        object.__setattr__(self, "examples", whole("examples", self.examples, least=2))
        object.__setattr__(self, "samples", whole("samples", self.samples, least=2))
        object.__setattr__(self, "beta", one_rate("beta", self.beta))
        for name, value in (("error_a", a), ("error_b", b), ("shares", shares)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "epsilon", mean)
        if self.plan is not None:
            object.__setattr__(self, "plan", Plan.parse(self.plan).name)
            _test_sets(self.plan, self.examples, self.samples)

    @classmethod
    def from_rates(
        cls, error_a: ArrayLike, error_b: ArrayLike, shares: ArrayLike | None = None, **options: Any
    ) -> Self:
        """Return the design with the observed error rates of A and B for each example or kind of example.

        Points that are alike are put together. Measured rates make a simulation of real learners that
        leaves out how errors on neighbouring points depend on each other.

        Examples
        --------
        >>> SimulatedLearners.from_rates([0.0, 0.2, 0.2], [0.1, 0.1, 0.1], examples=60).truth("error").round(4)
        np.float64(0.1333)
        """
        return cls(error_a=error_a, error_b=error_b, shares=shares, **options)

    # --- What is true -----------------------------------------------------------------------------

    @property
    def grid(self) -> tuple[float, ...]:
        """Default differences: that of the design, else 1, 2 and 5 pp, if possible."""
        own = self._own_difference
        if own:
            return (own,)
        room = min(self.error_b.min(), 1 - self.error_a.max())
        return tuple(step for step in _STEPS if step / 2 <= room)

    @property
    def _own_difference(self) -> float:
        own = float(self.shares @ (self.error_a - self.error_b))
        return own if abs(own) > 1e-12 else 0.0

    def at(self, difference: float) -> Self:
        """Return the design with this difference: half is added to the error rates of A, half subtracted from B's."""
        half = (one_number("difference", difference) - self._own_difference) / 2
        a, b = self.error_a + half, self.error_b - half
        if min(a.min(), b.min()) < -1e-12 or max(a.max(), b.max()) > 1 + 1e-12:
            raise InvalidOption(
                f"`difference` must keep every error probability between 0 and 1, got {difference:g}. Use a smaller"
                " difference, or other error rates."
            )
        moved = replace(self, epsilon=None, error_a=np.clip(a, 0, 1), error_b=np.clip(b, 0, 1))
        if abs(float(moved.truth("difference")) - difference) > 1e-9:
            raise InvalidOption(
                f"`beta` must be smaller for a difference of {difference:g}: shifted rates would leave 0 to 1."
            )
        return moved

    @property
    def cells(self) -> FloatArray:
        """Probabilities of both wrong, only A, only B, both right, for an example of the population."""
        a, b, both = (float(self.shares @ part) for part in _mean_shifted_rates(self.error_a, self.error_b, self.beta))
        return np.array([both, a - both, b - both, 1 - a - b + both])

    def truth(self, parameter: str) -> FloatArray:
        """Return the difference, error(A), the odds of discordant errors, or the reduction of the error."""
        both, only_a, only_b, _ = self.cells
        with np.errstate(divide="ignore", invalid="ignore"):  # without discordant errors the odds are undefined
            known: dict[str, FloatArray] = {
                "difference": only_a - only_b,
                "error": both + only_a,
                "odds": np.divide(only_a, only_b),
                "reduction": 1 - np.divide(both + only_b, both + only_a),
            }
        if parameter not in known:
            raise InvalidOption(f"`parameter` must be one of {', '.join(known)}, got {parameter!r}.")
        return known[parameter]

    @property
    def facts(self) -> dict[str, float]:
        """The size of a sample, the discordant rate, and the facts of the plan, if the design has one."""
        known = {"examples": float(self.examples), "disagreement": float(self.cells[1:3].sum())}
        if self.plan is None:
            return known
        splits = _test_sets(self.plan, self.examples, self.samples)
        sizes = {"test": min(splits.sizes), "folds": len(splits.sizes), "replicates": splits.replicates}
        return known | {name: float(value) for name, value in sizes.items()}

    # --- What is drawn ----------------------------------------------------------------------------

    @property
    def block(self) -> int:  # type: ignore[override]  # fewer trials of a longer plan
        """Number of trials drawn at once."""
        runs = max(_LONGEST, self.examples)
        if self.plan is not None:
            splits = _test_sets(self.plan, self.examples, self.samples)
            runs = splits.replicates * len(splits.sizes)
        return max(min(_BLOCK, _TEST_SETS // runs), 1)

    def view(self, method: Offer, learners: int = 2) -> MethodView:
        """Return the view of a method: its plan and kind of evidence."""
        Design.view(self, method, learners)
        return _resolve_view(method, self.plan, learners, self.examples, self.samples)

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Return the errors on every test set of new samples, for each view."""
        # All views start from the same random numbers, so that what a method sees does not depend on the others.
        starts = [deepcopy(rng) for _ in views[1:]]
        return {view: self._draw_evidence(view, trials, own) for view, own in zip(views, (*starts, rng), strict=True)}

    def _draw_evidence(self, view: MethodView, trials: int, rng: np.random.Generator) -> PairedTable | Resamples:
        splits = _test_sets(view.plan, self.examples, self.samples)
        sizes = np.array(splits.sizes)
        a, b, both = self._draw_errors(splits, view.together, trials, rng)
        if view.kind == "PairedTable":
            only_a, only_b = a - both, b - both
            cells = (both, only_a, only_b, sizes - both - only_a - only_b)
            return PairedTable(*(cell[:, 0, 0] for cell in cells))
        learners = ("A", "B")[: view.learners]
        own = range(len(learners))
        loss = np.empty((trials, len(learners), splits.replicates, sizes.size))
        for one in own:
            loss[:, one] = (a, b)[one]
        loss /= sizes if np.ptp(sizes) else sizes[0]  # one number divides faster than a short row
        together = None
        if view.together:
            together = np.empty((trials, len(learners), *loss.shape[1:]))
            for one, other in product(own, own):
                together[:, one, other] = ((a, both), (both, b))[one][other]
        train, plan = self.examples - sizes, Plan.parse(view.plan)
        return Resamples(loss, sizes, train, plan, learners, together=together, examples=self.examples)

    def _draw_errors(self, splits: Splits, together: bool, trials: int, rng: np.random.Generator) -> SimulatedErrors:
        """Draw the errors by the fastest of three algorithms, depending only on the design and `trials`."""
        kinds = Kinds.independent(self.shares, self.error_a, self.error_b)
        full = trials >= self.block  # there may be more of them: then it pays to build tables
        if full and not self.beta and tables_pay(kinds, splits, together):
            return by_tables(kinds, splits, trials, together, rng)
        few = len(kinds.shares) <= _FEW or (splits.once and not self.beta)
        route = by_counts if few else by_points
        return route(kinds, splits, trials, self.beta, together, rng)

    def __repr__(self) -> str:
        arguments, ratio = [f"epsilon={self.epsilon:g}"], np.array([[0.5, 1.5], [1.5, 0.5]])
        if self.shares.size != 2 or not np.allclose([self.error_a, self.error_b], ratio * self.epsilon, atol=1e-12):
            arguments = [f"{name}={_format_numbers(getattr(self, name))}" for name in ("error_a", "error_b", "shares")]
        usual = {"examples": 300, "plan": None, "beta": 0.0, "samples": 10}
        arguments += [f"{name}={value!r}" for name, most in usual.items() if (value := getattr(self, name)) != most]
        return f"SimulatedLearners({', '.join(arguments)})"

    def describe(self) -> str:
        """Return a description of the design."""
        errors = error_rates_text(self.truth("error"), self.truth("error") - self.truth("difference"))
        shift = f", shifted by up to {self.beta:g} at every training run" if self.beta else ""
        split = f" split by {self.plan}" if self.plan else ""
        kinds = f"{self.shares.size} kind{'s' * (self.shares.size > 1)} of points"
        return f"two simulated learners, {errors}, {kinds}{shift}, samples of {self.examples} examples{split}"


@lru_cache(maxsize=256)
def _resolve_view(method: Offer, plan: str | None, learners: int, examples: int, samples: int) -> MethodView:
    """Return the view of a method; raise UnknownMethod if it does not suit the design."""
    selected = view_of(method, plan, learners)
    try:
        _test_sets(selected.plan, examples, samples)
    except InvalidOption as error:
        raise UnknownMethod(f"method {method.name!r} does not apply here: {error}") from error
    return MethodView(*selected, together=method.name in TOGETHER or selected.kind == "PairedTable")


@lru_cache(maxsize=256)
def _test_sets(name: str, examples: int, samples: int) -> Splits:
    """Return the test sets of a plan; raise InvalidOption if the plan requires training."""
    plan = Plan.parse(name)
    if plan.kind == "k-fold":
        folds = plan.folds or examples
        if folds > examples:
            raise InvalidOption(f"plan {name!r} needs at least {folds} examples, got {examples}.")
        small, larger = divmod(examples, folds)
        return Splits(examples, plan.replicates, (small + 1,) * larger + (small,) * (folds - larger))
    if plan.kind in {"random", "independent"}:
        test = examples - round(examples * (plan.share or 2 / 3))
        if not 0 < test < examples:
            raise InvalidOption(f"plan {name!r} leaves no training or no test set of {examples} examples.")
        return Splits(examples, plan.replicates or samples, (test,), fresh=plan.kind == "independent")
    raise InvalidOption(
        f"plan {name!r} needs trained learners, and simulated ones are not trained. Use '10-fold', '30x(2/3)',"
        " 'holdout' or 'independent'."
    )


def _dietterich_halves(epsilon: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return Dietterich's population: the errors of A and of B on its two halves, and their shares."""
    error = one_rate("epsilon", epsilon)
    if 1.5 * error > 1:
        raise InvalidOption(f"`epsilon` must be one error of at most 2/3, got {epsilon!r}.")
    halves = np.array([0.5, 1.5]) * error
    return halves, halves[::-1], np.full(2, 0.5)


def _merge_kinds(error_a: Any, error_b: Any, shares: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the distinct kinds of examples and their shares."""
    a, b = np.atleast_1d(rate("error_a", error_a)), np.atleast_1d(rate("error_b", error_b))
    try:
        parts = np.ones(a.shape) if shares is None else np.atleast_1d(np.asarray(shares, dtype=float))
    except (TypeError, ValueError):
        parts = np.full(a.shape, np.nan)
    if not (a.ndim == 1 and a.size and a.shape == b.shape == parts.shape):
        raise InvalidOption(
            f"`error_a`, `error_b` and `shares` must be one number for each kind of point, got shapes {a.shape},"
            f" {b.shape} and {parts.shape}."
        )
    if not (np.isfinite(parts).all() and (parts >= 0).all() and parts.sum() > 0):
        raise InvalidOption(f"`shares` must be 0 or more, and some above 0, got {shares!r}.")
    a, b, parts = (part[parts > 0] for part in (a, b, parts))
    alike, index = np.unique(np.stack([a, b]), axis=1, return_inverse=True)
    weights = np.bincount(index.ravel(), parts)
    return alike[0], alike[1], weights / weights.sum()


def _format_numbers(values: FloatArray) -> str:
    """Return numbers as text, or their count if there are many."""
    short = ", ".join(f"{value:.4g}" for value in values)
    return f"[{short}]" if values.size <= _FEW else f"<{values.size} rates>"


def _mean_shifted_rates(a: FloatArray, b: FloatArray, beta: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean rates of A, B and both over all shifts, clipped to 0 and 1."""
    if not beta:
        return a, b, a * b
    # Between the places where a rate is cut off, rates are lines and their product a parabola: Simpson's rule is exact.
    edge = np.full_like(a, beta)
    ends = np.sort(np.clip([-edge, -a, 1 - a, -b, 1 - b, edge], -beta, beta), axis=0)
    low, high = ends[:-1], ends[1:]
    total = np.zeros((3, a.size))
    for shift, weight in ((low, 1 / 6), ((low + high) / 2, 4 / 6), (high, 1 / 6)):
        of_a, of_b = np.clip(a + shift, 0, 1), np.clip(b + shift, 0, 1)
        total += [(part * weight * (high - low)).sum(axis=0) for part in (of_a, of_b, of_a * of_b)]
    mean_rate = total / (2 * beta)
    return mean_rate[0], mean_rate[1], mean_rate[2]
