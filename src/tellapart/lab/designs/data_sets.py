"""Learners over many data sets: varying true differences, varying runs, and missing cells."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from ...errors import InvalidOption, UnknownMethod
from ...evidence import ScoreTable
from ...methods import Offer, find_methods
from ...metrics import LOSS
from ...typing_ import FloatArray, one_of
from ..design import Design, Everything, name_difference, one_number, one_rate, whole
from .effect_distributions import CENTRES, SPREADS, STEPS, Centre, EffectDistribution, middles, ways

_NUMBERS = 3_000_000  # drawn at once
_LISTED = 20_000  # ways to tie that are listed
_POINTS = 400  # quantiles of a spread
_FINE = 40  # quantiles of the noise on one data set
# The location parameter of a method, if it is not the mean difference.
_SPEAKS_OF: dict[str, Centre] = {
    **dict.fromkeys(("sign-test", "bayesian-sign", "friedman", "iman-davenport", "skillings-mack"), "median"),
    **dict.fromkeys(("wilcoxon-signed-rank", "bayesian-signed-rank", "quade", "aligned-ranks"), "pseudomedian"),
}
_GRID = (0.25, 0.5, 1.0)  # differences in standard deviations of one


class DataSetView(NamedTuple):
    """View of a method: its location parameter, whether it is pairwise, and whether it needs single tables."""

    centre: Centre
    pairs: bool
    singly: bool


class OverDataSets(Design):
    """Base class of designs over data sets: any difference, of the mean, median or pseudomedian.

    Every method is measured with its own null hypothesis: a median of 0 for the sign test, a pseudomedian of 0 for
    Wilcoxon's test, a mean of 0 for the t test. For asymmetric differences these are not the same, so every method gets
    differences with the requested value of its own location parameter, unless the design's `centre` fixes one.
    """

    __slots__ = ()
    centre: Centre | None
    difference: float
    evidence: ClassVar = (ScoreTable,)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the learners."""
        raise TypeError(f"{type(self).__name__} does not name its learners")

    @property
    def offsets(self) -> Mapping[str, float]:
        """Location parameters of the drawn differences."""
        raise TypeError(f"{type(self).__name__} does not know its middles")

    @property
    def usual(self) -> tuple[str, ...]:  # type: ignore[override]
        """Default methods: tests for two learners, or for several."""
        return ("wilcoxon-signed-rank", "sign-test", "paired-t") if len(self.names) == 2 else ("friedman", "nemenyi")

    @property
    def difference_name(self) -> str:
        """Name of a difference: of losses without a unit."""
        return name_difference("loss", several=len(self.names) > 2)

    def at(self, difference: float) -> Self:
        """Return the design with this value of loss(A) − loss(B); with several learners the last is better by it."""
        return replace(self, difference=difference)  # type: ignore[type-var]

    def truth(self, parameter: str) -> FloatArray:
        """Return the difference; of every pair with several learners."""
        if parameter != "difference":
            raise InvalidOption(f"`parameter` must be 'difference' for learners over data sets, got {parameter!r}.")
        if len(self.names) == 2:
            return np.asarray(self.difference)[()]
        first, second = np.triu_indices(len(self.names), 1)
        worse = np.zeros(len(self.names))
        worse[-1] = -self.difference
        return np.asarray(worse[first] - worse[second])

    def truth_for(self, view: DataSetView, parameter: str) -> FloatArray:
        """Return the true value of the location parameter of a view."""
        off = 0.0 if self.centre is None else self.offsets[view.centre] - self.offsets[self.centre]
        return np.asarray(self.truth(parameter) + off)[()]

    def view(self, method: Offer, learners: int = 2) -> DataSetView:
        """Return the location parameter of a method, and whether it needs single trials because it is random."""
        Design.view(self, method, learners)
        if learners == 1:
            raise UnknownMethod(f"method {method.name!r} compares learners. Leave out `learner`.")
        if len(self.names) > 2 and method.gives != "pairs" and not method.of_several:
            able = sorted(test.name for test in find_methods(gives="test", evidence=ScoreTable) if test.of_several)
            raise UnknownMethod(
                f"method {method.name!r} compares two learners, got {len(self.names)}. Take two, or use one of:"
                f" {', '.join(able)}."
            )
        spoken = _SPEAKS_OF.get(method.name, "mean") if len(self.names) == 2 else "mean"
        return DataSetView(spoken, method.gives == "pairs", "rng" in method.options)

    def draw(self, views: Sequence[DataSetView], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw the losses, shifted to the location parameter of each view."""
        losses = self._draw_losses(trials, rng)
        moved: dict[Centre, ScoreTable] = {}
        for centre in dict.fromkeys(view.centre for view in views):
            moved[centre] = self._make_table(losses, self.difference - self.offsets[self.centre or centre])
        single_centres = {view.centre for view in views if view.singly}
        single = {centre: [moved[centre][trial] for trial in range(trials)] for centre in single_centres}
        return {view: single[view.centre] if view.singly else moved[view.centre] for view in views}

    def _draw_losses(self, trials: int, rng: np.random.Generator) -> FloatArray:
        raise TypeError(f"{type(self).__name__} does not say what is drawn: {trials}, {rng}")

    def _make_table(self, losses: FloatArray, shift: float) -> ScoreTable:
        """Return the table with A (or all learners but the last) worse by this difference."""
        moved = losses.copy()
        if len(self.names) == 2:
            moved[:, 0] += shift
        elif self.difference:
            moved[:, -1] -= self.difference
        return ScoreTable(
            moved,
            tuple(str(1 + index) for index in range(losses.shape[2])),
            self.names,
            metric=LOSS,  # which has no range that a difference could be moved out of
            rho=self._run_correlation(),
        )

    def _run_correlation(self) -> FloatArray | None:
        return None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ManyDataSets(OverDataSets):
    """Two learners, or several, over many data sets.

    The true difference loss(A) − loss(B) on a data set is `difference` plus a random effect of the given `kind`. On
    each data set the difference of one run also varies by `noise`, and runs of one data set are correlated: the mean of
    n runs has the variance noise² (rho + (1 − rho)/n). With several learners, any two have differences with this
    distribution; all are equal except the last, which is better by the difference.

    Parameters
    ----------
    datasets
        The number of data sets.
    kind
        The distribution of true differences: "normal"; "heavy-tailed" (t with three degrees of freedom); "skewed"
        (exponential); "tied" (whole steps, with many ties and zeros); or "one outlier" (normal, but ten times as large
        on one data set).
    spread
        Their standard deviation; for "tied" the step.
    learners
        The number of learners.
    runs
        The number of runs on each data set.
    noise
        The standard deviation of the difference of one run on a data set: the root of its mean square over data sets.
    rho
        The correlation of two runs on one data set.
    uneven
        Variation of the noise between data sets: the standard deviation of its logarithm.
    missing
        The probability that a cell is missing; the first two data sets are complete.
    centre
        The location parameter of the difference: "mean", "median" or "pseudomedian"; None for that of each method.
    difference
        loss(A) − loss(B); with several learners, the advantage of the last over the others.

    Examples
    --------
    >>> ManyDataSets(14, "skewed").describe()
    'two learners, 14 data sets, differences skewed with SD 1'
    >>> ManyDataSets(14, "skewed", centre="mean").truth_for(DataSetView("median", False, False), "difference").round(3)
    np.float64(-0.307)
    """

    datasets: int
    kind: str = "normal"
    spread: float = 1.0
    learners: int = 2
    runs: int = 1
    noise: float = 0.0
    rho: float = 0.0
    uneven: float = 0.0
    missing: float = 0.0
    centre: Centre | None = None
    difference: float = 0.0

    def __post_init__(self) -> None:
        for name, least in (("datasets", 2), ("learners", 2), ("runs", 1)):
            object.__setattr__(self, name, whole(name, getattr(self, name), least))
        for name in ("spread", "noise", "uneven"):
            object.__setattr__(self, name, one_number(name, getattr(self, name), 0.0, 1e3))
        for name in ("rho", "missing"):
            object.__setattr__(self, name, one_rate(name, getattr(self, name)))
            if getattr(self, name) == 1:
                raise InvalidOption(f"`{name}` must be below 1, got 1.")
        object.__setattr__(self, "difference", one_number("difference", self.difference))
        if self.kind not in SPREADS:
            raise InvalidOption(f"`kind` must be one of {', '.join(SPREADS)}, got {self.kind!r}.")
        if self.centre is not None:
            one_of("centre", self.centre, Centre)

    @property
    def shape_of_spread(self) -> EffectDistribution:
        """Distribution of the true differences."""
        return SPREADS[self.kind]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the learners."""
        return ("A", "B") if self.learners == 2 else tuple(f"learner {index + 1}" for index in range(self.learners))

    @property
    def noises(self) -> FloatArray:
        """Standard deviation of the difference of one run, by data set."""
        from scipy.special import ndtri

        each = np.exp(self.uneven * ndtri((np.arange(self.datasets) + 0.5) / self.datasets))
        return np.asarray(self.noise * each / np.sqrt(np.mean(each**2)))

    @property
    def within(self) -> FloatArray:
        """Variance of the mean of all runs around the true difference, by data set."""
        return np.asarray(self.noises**2 * (self.rho + (1 - self.rho) / self.runs))

    @property
    def offsets(self) -> Mapping[str, float]:
        """Location parameters: 0, unless differences are skewed; always 0 with several learners, which are equal."""
        spread = self.shape_of_spread
        if spread.quantile is None or self.learners > 2:
            return dict.fromkeys(CENTRES, 0.0)
        if not self.noise:
            return {name: self.spread * off for name, off in spread.offsets.items()}
        return _with_noise(self.kind, self.spread, tuple(np.sqrt(self.within).tolist()))

    @property
    def grid(self) -> tuple[float, ...]:
        """Default differences: 0.25, 0.5 and 1 standard deviations of the difference on one data set."""
        return grid_of(math.sqrt(self.spread**2 + float(self.within.mean())))

    @property
    def in_points(self) -> bool:
        """Whether differences are of error rates: no, losses have no unit."""
        return False

    @property
    def block(self) -> int:  # type: ignore[override]
        """Number of trials drawn at once; fewer if they are large."""
        return max(1, min(5000, _NUMBERS // (self.learners * self.datasets * self.runs)))

    # --- What is drawn ----------------------------------------------------------------------------

    def _draw_losses(self, trials: int, rng: np.random.Generator) -> FloatArray:
        """Return losses by trial, learner, data set and run."""
        two = self.learners == 2
        parts = 1 if two else self.learners  # the loss of B is 0: only differences are looked at
        scale = 1.0 if two or self.kind == "tied" else math.sqrt(0.5)
        true = scale * self.spread * self.shape_of_spread.draw(rng, (trials, parts, self.datasets))
        losses = np.repeat(true[..., None], self.runs, axis=-1)
        if self.noise:
            common = rng.standard_normal((trials, parts, self.datasets, 1))
            own = rng.standard_normal(losses.shape)
            varied = math.sqrt(self.rho) * common + math.sqrt(1 - self.rho) * own
            losses = losses + scale * self.noises[:, None] * varied
        if two:
            losses = np.concatenate([losses, np.zeros_like(losses)], axis=1)
        if self.missing:
            gone = rng.random(losses.shape[:3]) < self.missing
            gone[..., :2] = False  # every learner has some scores
            losses[gone] = np.nan
        return losses

    def _run_correlation(self) -> FloatArray | None:
        return np.full(self.datasets, self.rho) if self.runs > 1 else None

    def outcomes(self, view: DataSetView, conditions: Sequence[Self]) -> int:  # noqa: ARG002
        """Return the number of patterns of ties, if nothing else is random."""
        plain = self.kind == "tied" and self.learners == 2 and not self.noise and not self.missing
        moved = len({design.difference for design in conditions}) > 1  # differences move all outcomes
        number = math.comb(self.datasets + STEPS, STEPS)
        return number if plain and not moved and number <= _LISTED else 0

    def everything(self, view: DataSetView, conditions: Sequence[Self]) -> Everything:  # noqa: ARG002
        """Return every pattern of ties, regardless of the order of data sets."""
        steps, chance = ways(self.datasets)
        losses = np.zeros((len(steps), 2, self.datasets, self.runs))
        losses[:, 0] = (self.spread * steps)[..., None]
        probability = np.repeat(chance[:, None], len(conditions), axis=1)
        return Everything(self._make_table(losses, conditions[0].difference), probability)

    # --- Description -----------------------------------------------------------------------------

    @property
    def facts(self) -> dict[str, float]:
        """Numbers of data sets, learners and runs, spread of differences, and share of variance between data sets.

        "between" is the share that the spread has of the variance of a difference on one data set.
        """
        total = self.spread**2 + float(self.within.mean())
        facts = {
            "datasets": self.datasets,
            "learners": self.learners,
            "runs": self.runs,
            "tied": float(self.kind == "tied" and not self.noise),
            "between": self.spread**2 / total if total else 0.0,
            "missing": self.missing,
        }
        if self.learners > 2:  # who are alike, so that their differences are symmetric
            return facts
        return facts | {
            "skewness": self.shape_of_spread.skewness,
            "normal": float(self.kind == "normal"),
            "outlier": float(self.kind == "one outlier"),
        }

    def describe(self) -> str:
        """Return a description of the design."""
        who = "two learners" if self.learners == 2 else f"{self.learners} learners"
        text = f"{who}, {self.datasets} data sets, differences {self.shape_of_spread.words} with SD {self.spread:.4g}"
        if self.centre is not None:
            text += f" around the {self.centre}"
        if self.difference:
            text += f", the last better by {self.difference:.4g}" if self.learners > 2 else ""
            text += f", difference {self.difference:.4g}" if self.learners == 2 else ""
        if self.runs > 1 or self.noise:
            runs = f"{self.runs} run{'s' * (self.runs > 1)}"
            text += f"; {runs} per data set with SD {self.noise:.4g}, correlation {self.rho:.4g}"
        return f"{text}; {100 * self.missing:.3g}% of the cells missing" if self.missing else text


def grid_of(deviation: float) -> tuple[float, ...]:
    """Return default differences for a given standard deviation of the difference on one data set.

    Examples
    --------
    >>> grid_of(0.0321)
    (0.008, 0.016, 0.032)
    """
    return tuple(float(f"{part * deviation:.2g}") for part in _GRID if deviation > 0)


@lru_cache(maxsize=64)
def _with_noise(kind: str, spread: float, noises: tuple[float, ...]) -> dict[str, float]:
    """Return the location parameters of a distribution plus normal noise, by quantiles of both."""
    from scipy.special import ndtri

    quantile = SPREADS[kind].quantile
    assert quantile is not None  # noqa: S101  # who asks has looked
    true = spread * quantile((np.arange(_POINTS) + 0.5) / _POINTS)
    noise = np.multiply.outer(np.array(noises), ndtri((np.arange(_FINE) + 0.5) / _FINE)).ravel()
    return middles(np.add.outer(true, noise).ravel()) | {"mean": 0.0}
