"""The measured type I error, power and coverage of methods at a design, exact or with 95% limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from ..display import Display
from ..errors import InvalidInput, InvalidOption
from ..evidence import ErrorCount
from ..rendering import Rendered, plain
from ..results.citable import Citable, Sentence
from ..shaped import entries
from ..typing_ import Alternative, FloatArray, Side
from .calibration_display import condition_rows, describe_trials, display_calibrations, explain_calibrations
from .calibration_paragraph import calibration_in_print
from .calibration_text import Verdict, describe_calibration, verdict_of
from .design import Design
from .estimated_share import Share
from .tally import PVALUES, Margin, Tally, add

_ROUNDING = 1e-12  # what sums of probabilities may be off by


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Calibration(Citable):
    """Rejection rates of a test and coverage of an interval at one design.

    `differences` are the true differences; the first is the null hypothesis. The shape of every rate is that of the
    design, followed by one entry for each difference.

    `trials` is the number of simulated trials, or "exact" if every outcome was enumerated. Simulations can be added,
    `first + more`, if they are different trials of the same method at the same design.
    """

    method: str
    gives: tuple[str, ...]
    design: Design
    alpha: float
    side: Side
    alternative: Alternative
    differences: FloatArray
    simulated: int  # trials; 0 if every outcome was enumerated
    tally: Tally
    drawn: tuple[tuple[int, int, int], ...] = ()  # seed, first trial, and the one after the last
    options: Mapping[str, Any] = field(default_factory=dict)
    margin: Margin | None = None  # of a test with a margin
    chooses: bool = False  # a selection rule, which selects A or B without a test

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of designs."""
        return self.design.shape

    def __getitem__(self, index: Any) -> Self:
        """Return the calibration of some of the designs."""
        if not self.shape:
            raise IndexError("this Calibration has one design and cannot be indexed")
        picked = {name: entries(values, index, self.shape) for name, values in self.tally.items()}
        return replace(self, design=self.design[index], tally=picked)  # type: ignore[index]

    @property
    def trials(self) -> int | str:
        """Number of simulated trials, or "exact"."""
        return self.simulated or "exact"

    # --- The figures ------------------------------------------------------------------------------

    @property
    def size(self) -> Share | None:
        """The type I error rate; None if it is not a test."""
        share = self._share_of("rejected")
        return None if share is None or not self._null_count else share[..., 0]

    @property
    def verdict(self) -> Verdict | None:
        """Whether the type I error rate is at most alpha: "valid", "conservative", "liberal", …; None if not a test."""
        return verdict_of(self)

    @property
    def rule(self) -> bool:
        """Whether the method decides without p-values, so it has no significance level."""
        share = self.undefined
        return share is not None and bool(np.all(share.value > 1 - 1e-9))

    @property
    def power(self) -> Share | None:
        """Power at each of the `effects`."""
        share = self._share_of("rejected")
        return None if share is None else share[..., self._null_count :]

    @property
    def sign_errors(self) -> Share | None:
        """Probability of rejecting with the wrong sign (type S error) at each of the `effects`."""
        share = self._share_of("wrong")
        return None if share is None else share[..., self._null_count :]

    @property
    def chosen(self) -> dict[str, Share] | None:
        """Probability of deciding for "A", "B" and "neither" at each difference.

        None for what is no test, and where the question is another: a threshold, a margin, or more than two models.
        """
        if self.margin is not None or self.design.evidence == (ErrorCount,):
            return None
        for_a, for_b = self._share_of("for A"), self._share_of("for B")
        if for_a is None or for_b is None:
            return None
        left = 1 - for_a.value - for_b.value
        neither = np.where(left < _ROUNDING, 0.0, left)  # two shares that make up a whole leave nothing
        return {"A": for_a, "B": for_b, "neither": Share(neither, self.simulated)}

    @property
    def effects(self) -> FloatArray:
        """The differences at which power is measured: all but the null hypothesis."""
        return self.differences[self._null_count :]

    @property
    def _null_count(self) -> int:
        """Number of differences under the null hypothesis: 1, or 0 for designs with a fixed difference."""
        return int(self.differences[0] == self.null)

    @property
    def null(self) -> float:
        """The difference under the null hypothesis: 0, or the margin."""
        return 0.0 if self.margin is None else self.margin.border

    @property
    def undefined(self) -> Share | None:
        """Probability that the p-value is undefined, at each difference."""
        return self._share_of("undefined")

    @property
    def coverage(self) -> Share | None:
        """Coverage of the interval at each difference; None if it is not an interval."""
        return self._share_of("covered")

    @property
    def too_high(self) -> Share | None:
        """Probability that the whole interval lies above the true value."""
        return self._share_of("below")

    @property
    def too_low(self) -> Share | None:
        """Probability that the whole interval lies below the true value."""
        return self._share_of("above")

    @property
    def width(self) -> FloatArray | None:
        """Mean width of the bounded intervals at each difference."""
        return self._mean_of("width", "bounded")

    @property
    def bounded(self) -> Share | None:
        """Probability that the interval is bounded on both sides."""
        return self._share_of("bounded")

    @property
    def bias(self) -> FloatArray | None:
        """Bias of the estimate at each difference; None if there is no estimate."""
        return self._mean_of("off")

    @property
    def rmse(self) -> FloatArray | None:
        """Root mean squared error of the estimate."""
        squared = self._mean_of("off squared")
        return None if squared is None else np.sqrt(squared)

    @property
    def quantiles(self) -> tuple[FloatArray, FloatArray]:
        """Distribution of the p-values under the null hypothesis: u and P(p ≤ u).

        A valid test stays at or below the diagonal of a QQ plot of the two.
        """
        if "pvalues" not in self.tally:
            raise InvalidOption(f"method {self.method!r} has no p-values. It gives: {', '.join(self.gives)}.")
        if self.rule:
            raise InvalidOption(f"method {self.method!r} is a rule without p-values.")
        return PVALUES, self.tally["pvalues"][..., 0, :] / (self.simulated or 1)

    def _share_of(self, name: str) -> Share | None:
        if name not in self.tally:
            return None
        trials = self.simulated
        value = self.tally[name] / (trials or 1)
        return Share(np.clip(value, 0.0, 1.0), trials)

    def _mean_of(self, name: str, among: str | None = None) -> FloatArray | None:
        if name not in self.tally:
            return None
        number = self.tally[among] if among else np.float64(self.simulated or 1)
        with np.errstate(invalid="ignore", divide="ignore"):  # no interval had two ends
            return np.asarray(self.tally[name] / number)

    # --- More trials ------------------------------------------------------------------------------

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, Calibration):
            return NotImplemented
        for name in ("method", "gives", "alpha", "side", "alternative", "margin", "options"):
            if plain(getattr(self, name)) != plain(getattr(other, name)):
                raise InvalidInput(
                    f"calibrations must have the same {name} to be added, got {getattr(self, name)!r} and"
                    f" {getattr(other, name)!r}."
                )
        if self.design.as_dict() != other.design.as_dict() or not np.array_equal(self.differences, other.differences):
            raise InvalidInput("calibrations must have the same design and differences to be added.")
        if not (self.simulated and other.simulated):
            raise InvalidInput("calibrations must be simulated to be added: an exact one needs no more trials.")
        for seed, first, last in self.drawn:
            for seed_there, first_there, last_there in other.drawn:
                if seed == seed_there and first < last_there and first_there < last:
                    raise InvalidInput(
                        f"both calibrations contain the same trials (rng={seed}). Simulate one of them with"
                        " another `rng`."
                    )
        return replace(
            self,
            simulated=self.simulated + other.simulated,
            tally=add(self.tally, other.tally),
            drawn=_merge_spans((*self.drawn, *other.drawn)),
        )

    # --- What it says -----------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """Summary in one or two sentences."""
        return describe_calibration(self)

    def display(self, *, verbose: bool = False) -> Display:
        """Return the verdict, tables and design; with `verbose` also the figures at each difference."""
        return display_calibrations((self,), verbose=verbose)

    def explanations(self) -> list[tuple[str, str]]:
        """Return what each column means, and the figures in sentences."""
        return explain_calibrations((self,))

    def rows(self) -> list[tuple[str, str]]:
        """Return the design, how it was measured, and the margin or one-sided alternative if there is one."""
        return [("design", self.design.describe()), ("how", describe_trials((self,))), *condition_rows(self)]

    def as_dict(self) -> dict[str, Any]:
        """Return all fields by name, at full precision."""
        figures: dict[str, Any] = {
            "method": self.method,
            "gives": self.gives,
            "design": self.design.as_dict(),
            "trials": self.trials,
            "alpha": self.alpha,
            "side": self.side,
            "alternative": self.alternative,
            "differences": self.differences,
            "options": self.options,
        }
        if self.margin is not None:
            figures |= self.margin._asdict()
        for name in ("size", "power", "sign_errors", "undefined", "coverage", "too_high", "too_low"):
            share = getattr(self, name)
            if share is not None:
                figures[name] = share.as_dict()
        for name in ("width", "bias", "rmse"):
            if getattr(self, name) is not None:
                figures[name] = getattr(self, name)
        if self.chosen is not None:
            figures["chosen"] = {whom: share.as_dict() for whom, share in self.chosen.items()}
        return figures | {"words": self.words}

    def in_print(self) -> Iterator[Sentence]:
        """Return the sentences for the methods section of a paper."""
        return calibration_in_print(self)

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Calibrations(Rendered):
    """Several methods at one design; methods with the same view share the trials.

    Examples
    --------
    >>> import tellapart as ta
    >>> found = ta.calibrate(["mcnemar", "mcnemar-exact"], ta.PairedTable(10, 25, 10, 255))
    >>> found["mcnemar-exact"].size.value < found["mcnemar"].size.value
    np.True_
    """

    each: tuple[Calibration, ...]

    def __getitem__(self, method: str | int) -> Calibration:
        if isinstance(method, int):
            return self.each[method]
        for calibration in self.each:
            if calibration.method == method:
                return calibration
        raise InvalidOption(f"`method` must be one of {', '.join(self.methods)}, got {method!r}.")

    def __iter__(self) -> Iterator[Calibration]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, Calibrations):
            return NotImplemented
        if self.methods != other.methods:
            raise InvalidInput(
                f"calibrations must have the same methods to be added, got {', '.join(self.methods)} and"
                f" {', '.join(other.methods)}."
            )
        return replace(self, each=tuple(here + there for here, there in zip(self.each, other.each, strict=True)))

    @property
    def methods(self) -> tuple[str, ...]:
        """The names of the methods."""
        return tuple(calibration.method for calibration in self.each)

    def display(self, *, verbose: bool = False) -> Display:
        """Return the verdict on the first test, the figures of all methods in tables, and the design."""
        return display_calibrations(self.each, verbose=verbose)

    def explanations(self) -> list[tuple[str, str]]:
        """Return what each column means, and the figures of the first method in sentences."""
        return explain_calibrations(self.each)

    def rows(self) -> list[tuple[str, str]]:
        """Return the design and how it was measured."""
        first = self.each[0]
        return [("design", first.design.describe()), ("how", describe_trials(self.each)), *condition_rows(first)]

    def as_dict(self) -> dict[str, Any]:
        """Return all results by method, at full precision."""
        return {"calibrations": [calibration.as_dict() for calibration in self.each]}

    def __repr__(self) -> str:
        return str(self)


def _merge_spans(spans: tuple[tuple[int, int, int], ...]) -> tuple[tuple[int, int, int], ...]:
    """Return the trials with consecutive trials of one seed joined."""
    joined: list[tuple[int, int, int]] = []
    for seed, first, last in sorted(spans):
        if joined and joined[-1][0] == seed and joined[-1][2] == first:
            joined[-1] = (seed, joined[-1][1], last)
        else:
            joined.append((seed, first, last))
    return tuple(joined)
