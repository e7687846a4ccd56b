"""Designs for several models on one test set, strata, finite pools and priors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np

from ...errors import InvalidOption
from ...evidence import ErrorCount, ErrorPatterns, StratifiedCount
from ...methods import Offer, check_options, find_method
from ...methods.error_count.posterior import BetaPrior, as_prior
from ...numerics.hypergeometric import log_probability
from ...typing_ import FloatArray, IntArray, Side, as_alpha
from ..design import Design, Everything, name_difference, one_number, one_rate, rate, whole
from ..models import binomial_probability
from .counts import percent_text

_MOST = 1_000_000  # outcomes that are listed
_MODELS = 12  # of which all 4096 patterns of errors are drawn
_STEPS = (0.01, 0.02, 0.05)  # differences at which power is measured unless others are asked for


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SeveralModels(Design):
    """Several equally good models on the same independent examples.

    With probability `correlation` an example is as hard for all models: one number decides who gets it wrong. Else
    it is another matter for each. The errors of any two equally good models have exactly this correlation.

    `at(difference)` makes the last model better by so much. What is true is then told pair by pair, in the order
    of `ErrorPatterns.pairs`; a claim about a pair is false where the two are equally good or the other one is better.

    Parameters
    ----------
    error
        The true error of all models, or of all but the last.
    models
        The number of models.
    examples
        The number of test examples.
    correlation
        The correlation of the errors of two models, from 0 to 1.
    difference
        The advantage of the last model over the others.

    Examples
    --------
    >>> design = SeveralModels(0.2, models=3, examples=100, correlation=0.5)
    >>> design.at(0.1).errors, design.at(0.1).truth("difference")
    (array([0.2, 0.2, 0.1]), array([0. , 0.1, 0.1]))
    """

    error: float
    models: int
    examples: int
    correlation: float = 0.0
    difference: float = 0.0
    evidence: ClassVar = (ErrorPatterns,)
    usual: ClassVar = ("cochran-q", "max-t")
    block: ClassVar = 1000
    trials: ClassVar = 2000

    def __post_init__(self) -> None:
        for name in ("error", "correlation"):
            object.__setattr__(self, name, one_rate(name, getattr(self, name)))
        object.__setattr__(self, "difference", one_number("difference", self.difference))
        for name, least in (("models", 2), ("examples", 1)):
            object.__setattr__(self, name, whole(name, getattr(self, name), least))
        if self.models > _MODELS:
            raise InvalidOption(f"`models` must be 2 to {_MODELS}, got {self.models}.")
        if not 0 <= self.error - self.difference <= 1:
            raise InvalidOption(f"`difference` must be at most `error`, {self.error:g}, got {self.difference:g}.")

    @property
    def grid(self) -> tuple[float, ...]:
        """Default differences: 1, 2 and 5 pp, if possible."""
        return tuple(step for step in _STEPS if step <= self.error)

    @property
    def errors(self) -> FloatArray:
        """The true error of each model."""
        errors = np.full(self.models, self.error)
        errors[-1] -= self.difference
        return errors

    @property
    def difference_name(self) -> str:
        """Name of a difference: of the last model from every other."""
        return name_difference("error", several=True)

    def at(self, difference: float) -> Self:
        """Return the design with the last model better by this difference."""
        return replace(self, difference=difference)

    def truth(self, parameter: str) -> FloatArray:
        """Return error(A) − error(B) of every pair, or the error of the first model."""
        first, second = np.triu_indices(self.models, 1)
        return np.asarray(self.errors[first] - self.errors[second] if parameter == "difference" else self.errors[0])[()]

    def view(self, method: Offer, learners: int = 2) -> str:
        """Return whether a method accepts several tables at once."""
        Design.view(self, method, learners)
        return "one by one" if method.gives == "pairs" else "at once"

    @property
    def patterns(self) -> FloatArray:
        """Probability of every pattern of errors; bit i of the index means that model i is wrong."""
        wrong = (np.arange(2**self.models)[:, None] >> np.arange(self.models)) & 1
        independent = np.where(wrong, self.errors, 1 - self.errors).prod(axis=1)
        # One number u for all: wrong is who has an error above u.
        cuts = np.concatenate([[0.0], np.sort(self.errors), [1.0]])
        together = np.zeros(2**self.models)
        for low, high in pairwise(cuts.tolist()):
            together[int(((self.errors > low) << np.arange(self.models)).sum())] += high - low
        return np.asarray(self.correlation * together + (1 - self.correlation) * independent)

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw the counts of all patterns."""
        shares = self.patterns
        possible = np.flatnonzero(shares)
        counts = rng.multinomial(self.examples, shares[possible] / shares.sum(), trials)
        wrong = ((possible[:, None] >> np.arange(self.models)) & 1).astype(bool)
        drawn = ErrorPatterns([f"model {index + 1}" for index in range(self.models)], wrong, counts)
        return {view: drawn if view == "at once" else [drawn[index] for index in range(trials)] for view in views}

    @property
    def facts(self) -> dict[str, float]:
        """Numbers of examples and models, and mean number of examples on which the models do not all agree."""
        uninformative = self.patterns[[0, -1]].sum()
        return {
            "examples": self.examples,
            "models": self.models,
            "outcomes": self.examples * self.models * float(1 - uninformative),
        }

    def describe(self) -> str:
        """Return a description of the design."""
        better = f", the last lower by {100 * self.difference:.4g} pp" if self.difference else ""
        errors = f"error rate {percent_text(self.error)}{better}"
        return f"{self.models} models, {errors}, correlation {self.correlation:.4g}, {self.examples} examples"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Strata(Design):
    """One classifier in a population with several strata, with a fixed number of test examples in each.

    Parameters
    ----------
    errors
        The true error in each stratum.
    shares
        The share that each stratum has of the population; they add up to 1.
    examples
        The number of test examples of each stratum.

    Examples
    --------
    >>> from tellapart.lab import calibrate
    >>> design = Strata(errors=(0.02, 0.3), shares=(0.9, 0.1), examples=(100, 50))
    >>> design.truth("error").round(3)
    np.float64(0.048)
    >>> calibrate("stratified-wilson", design).coverage.value.round(4)
    array([0.9752])
    """

    errors: tuple[float, ...]
    shares: tuple[float, ...]
    examples: tuple[int, ...]
    evidence: ClassVar = (StratifiedCount,)
    usual: ClassVar = ("stratified-wilson", "stratified-normal")

    def __post_init__(self) -> None:
        errors = np.atleast_1d(rate("errors", self.errors))
        sizes = tuple(whole("examples", size) for size in np.atleast_1d(np.asarray(self.examples)).tolist())
        if errors.ndim > 1 or errors.size != len(sizes):
            raise InvalidOption(
                f"`errors` and `examples` must have one entry for each stratum, got {errors.size} and {len(sizes)}."
            )
        shares = StratifiedCount([0] * len(sizes), sizes, self.shares).shares  # which says what shares are
        object.__setattr__(self, "errors", tuple(errors.tolist()))
        object.__setattr__(self, "shares", tuple(shares.tolist()))
        object.__setattr__(self, "examples", sizes)

    @property
    def value_name(self) -> str:
        """Name of the true value of the classifier: its error rate."""
        return "error rate"

    def at(self, difference: float) -> Self:
        """Return the design with the error of every stratum increased by this difference."""
        moved = np.asarray(self.errors) + difference
        if np.any((moved < 0) | (moved > 1)):
            raise InvalidOption(
                f"`difference` must be between {-min(self.errors):.4g} and {1 - max(self.errors):.4g} for error rates"
                f" {self.errors}, got {difference:g}."
            )
        return replace(self, errors=tuple(moved.tolist()))

    def truth(self, parameter: str) -> FloatArray:
        """Return the error in the population."""
        if parameter != "error":
            raise InvalidOption(f"`parameter` must be 'error' for one model in strata, got {parameter!r}.")
        return np.asarray(np.dot(self.errors, self.shares))[()]

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw the errors of every stratum."""
        errors = rng.binomial(self.examples, self.errors, (trials, len(self.examples)))
        return dict.fromkeys(views, self._count_errors(errors))

    def _count_errors(self, errors: IntArray) -> StratifiedCount:
        return StratifiedCount(errors, np.broadcast_to(self.examples, errors.shape), self.shares)

    def outcomes(self, view: Any, conditions: Sequence[Self]) -> int:  # noqa: ARG002
        """Return the number of combinations of errors by stratum."""
        ways = math.prod(size + 1 for size in self.examples)
        return ways if ways <= _MOST else 0

    def everything(self, view: Any, conditions: Sequence[Self]) -> Everything:  # noqa: ARG002
        """Return all combinations of errors by stratum."""
        errors = np.indices([size + 1 for size in self.examples]).reshape(len(self.examples), -1).T
        true = np.array([design.errors for design in conditions])
        chance = np.ones((len(errors), len(true)))
        for index, size in enumerate(self.examples):
            chance *= binomial_probability(errors[:, index, None], size, true[:, index])
        return Everything(self._count_errors(errors), chance)

    @property
    def facts(self) -> dict[str, float]:
        """The number of strata, and of examples in the smallest."""
        return {"strata": len(self.examples), "examples": min(self.examples)}

    def describe(self) -> str:
        """Return a description of the design."""
        strata = zip(self.errors, self.shares, self.examples, strict=True)
        texts = [
            f"error rate {percent_text(error)}, weight {share:.4g}, {size} examples" for error, share, size in strata
        ]
        return f"one model, {len(texts)} strata: {'; '.join(texts)}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Pool(Design):
    """One classifier on a finite pool of examples, tested on a sample without replacement.

    Parameters
    ----------
    wrong
        The number of errors in the pool.
    pool
        The number of examples in the pool.
    examples
        The number of test examples.
    against
        The number of errors that tests compare it with: its own, unless `at` moved it.

    Examples
    --------
    >>> from tellapart.lab import calibrate
    >>> found = calibrate("hypergeometric", Pool(wrong=20, pool=400, examples=120))
    >>> found.trials, bool(found.coverage.value[0] >= 0.95)
    ('exact', True)
    """

    wrong: int
    pool: int
    examples: int
    against: int | None = None
    evidence: ClassVar = (ErrorCount,)
    usual: ClassVar = ("hypergeometric", "jeffreys", "wilson")

    def __post_init__(self) -> None:
        for name in ("pool", "examples"):
            object.__setattr__(self, name, whole(name, getattr(self, name)))
        object.__setattr__(self, "wrong", whole("wrong", self.wrong, 0))
        null = self.wrong if self.against is None else whole("against", self.against, 0)
        object.__setattr__(self, "against", null)
        for name in ("wrong", "examples", "against"):
            if getattr(self, name) > self.pool:
                raise InvalidOption(f"`{name}` must be at most the pool's {self.pool}, got {getattr(self, name)}.")

    @property
    def testable(self) -> bool:
        """Whether errors can be tested against the threshold: it is neither none of the pool nor all."""
        return 0 < (self.against or 0) < self.pool

    @property
    def value_name(self) -> str:
        """Name of the true value of the classifier: its error rate."""
        return "error rate"

    def at(self, difference: float) -> Self:
        """Return the pool with this difference of the error from the threshold, in whole examples."""
        errors = (self.against or 0) + difference * self.pool
        if abs(errors - round(errors)) > 1e-6 or not 0 <= round(errors) <= self.pool:
            raise InvalidOption(
                f"`difference` must be a whole number of the pool's {self.pool} examples, got {difference:g}. Use for"
                f" example {1 / self.pool:.6g}."
            )
        return replace(self, wrong=round(errors))

    def truth(self, parameter: str) -> FloatArray:
        """Return the error over the pool, or its difference from the threshold."""
        errors = self.wrong - (self.against or 0) if parameter == "difference" else self.wrong
        return np.asarray(errors / self.pool)[()]

    def options(self, method: Offer) -> dict[str, Any]:
        """Return the size of the pool and the threshold, for methods with these options."""
        known = {"pool": self.pool, "against": (self.against or 0) / self.pool}
        return {name: value for name, value in known.items() if name in method.options}

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw the number of errors among those tested."""
        errors = rng.hypergeometric(self.wrong, self.pool - self.wrong, self.examples, trials)
        return dict.fromkeys(views, ErrorCount(errors, self.examples))

    def outcomes(self, view: Any, conditions: Sequence[Self]) -> int:  # noqa: ARG002
        """Return the number of possible error counts."""
        return self.examples + 1 if self.examples < _MOST else 0

    def everything(self, view: Any, conditions: Sequence[Self]) -> Everything:  # noqa: ARG002
        """Return every possible error count."""
        errors = np.arange(self.examples + 1)
        chance = np.zeros((errors.size, len(conditions)))
        rest = self.pool - self.examples
        for index, design in enumerate(conditions):
            possible = (errors <= design.wrong) & (design.wrong - errors <= rest)
            if possible.sum() > 1:
                chance[possible, index] = np.exp(log_probability(errors[possible], self.examples, rest, design.wrong))
            else:  # all of the pool is wrong, or right, or tested
                chance[possible, index] = 1.0
        return Everything(ErrorCount(errors, self.examples), chance)

    @property
    def facts(self) -> dict[str, float]:
        """The number of examples and their share of the pool."""
        return {"examples": self.examples, "tested": self.examples / self.pool}

    def describe(self) -> str:
        """Return a description of the design."""
        return f"one model, {self.wrong} errors in a pool of {self.pool} examples, {self.examples} tested"


def average_coverage(
    method: str | Offer,
    prior: Any,
    examples: int,
    *,
    level: float | None = None,
    alpha: float | None = None,
    side: Side = "two",
    **options: Any,
) -> float:
    """Return the exact coverage of an interval, averaged over a Beta prior of the true error.

    The number of errors is then beta-binomial, and after it the true error has the Beta posterior: the coverage is
    Σ P(m) · P(low ≤ error ≤ high | m). For the quantiles of that posterior it is the level itself, whatever the prior.

    Parameters
    ----------
    method
        The interval's name.
    prior
        The prior of the true error: (u, v), or the name of a prior such as "error-rates".
    examples
        The number of test examples.
    level, alpha, side, options
        As for `estimate`. A method that takes a prior is given this one, unless another is named in `options`.

    Examples
    --------
    >>> round(average_coverage("beta", (1, 3.67), 50, raw=True), 12)
    0.95
    >>> round(average_coverage("wald", (1, 3.67), 50), 3)
    0.874
    """
    before, tested = as_prior(prior), whole("examples", examples)
    if not isinstance(before, BetaPrior):
        raise InvalidOption("`prior` must be a Beta prior (u, v), got a function.")
    offer = method if isinstance(method, Offer) else find_method(method, "interval", ErrorCount)
    if offer.gives != "interval":
        raise InvalidOption(f"`method` must be an interval, got {offer.name!r}, a {offer.gives}.")
    keywords = ({"prior": before} if "prior" in offer.options else {}) | options
    check_options(keywords, offer)
    counts = ErrorCount(np.arange(tested + 1), tested)
    limits = offer(counts, alpha=as_alpha(level, alpha), side=side, **keywords)
    from scipy.special import betainc, betaln

    after = (before.u + counts.errors, before.v + counts.successes)
    choices = -np.log(tested + 1) - betaln(counts.errors + 1, counts.successes + 1)
    chance = np.exp(choices + betaln(*after) - betaln(before.u, before.v))
    contained = betainc(*after, np.clip(limits.high, 0, 1)) - betainc(*after, np.clip(limits.low, 0, 1))
    return float(np.sum(chance * contained))
