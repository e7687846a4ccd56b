"""What the lab found out about a method: its real size, power and coverage, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from ..errors import InvalidInput, InvalidOption
from ..rendering import Rendered, level_text, plain_number, significant
from ..types import Alternative, FloatArray, Side
from .design import Design
from .share import Share
from .tally import PVALUES, Tally, add

__all__ = ["Calibration", "Calibrations"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Calibration(Rendered):
    """How often a test rejects, and how often an interval holds the truth, at one design.

    `differences` are the true differences that were looked at; the first is the null hypothesis. Every
    share has the design's shape in front, and one entry for each difference behind.

    `trials` is how many trials were simulated, or "exact" where every outcome was enumerated. What was
    simulated adds up: `first + more`, of other trials of the same method at the same design.
    """

    method: str
    gives: tuple[str, ...]
    design: Design
    alpha: float
    side: Side
    alternative: Alternative
    differences: FloatArray
    simulated: int  # trials; 0 where every outcome was enumerated
    tally: Tally
    drawn: tuple[tuple[int, int, int], ...] = ()  # seed, first trial, and the one after the last
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def trials(self) -> int | str:
        """How many trials were simulated, or "exact"."""
        return self.simulated or "exact"

    # --- The figures ------------------------------------------------------------------------------

    @property
    def size(self) -> Share | None:
        """How often the test rejects where there is nothing to find; None for what is no test."""
        share = self._share("rejected")
        return None if share is None or not self._nulls else share[..., 0]

    @property
    def power(self) -> Share | None:
        """How often the test rejects at each of the `effects`."""
        share = self._share("rejected")
        return None if share is None else share[..., self._nulls :]

    @property
    def sign_errors(self) -> Share | None:
        """How often the test rejects for the wrong side, at each of the `effects`."""
        share = self._share("wrong")
        return None if share is None else share[..., self._nulls :]

    @property
    def effects(self) -> FloatArray:
        """The differences at which power is told: all but the null hypothesis."""
        return self.differences[self._nulls :]

    @property
    def _nulls(self) -> int:
        """How many of the differences are the null hypothesis: the first, or none where the design has its own."""
        return int(self.differences[0] == 0)

    @property
    def undefined(self) -> Share | None:
        """How often the test had no p-value, at each difference."""
        return self._share("undefined")

    @property
    def coverage(self) -> Share | None:
        """How often the interval holds the truth, at each difference; None for what gives no interval."""
        return self._share("covered")

    @property
    def too_high(self) -> Share | None:
        """How often the whole interval lies above the truth."""
        return self._share("below")

    @property
    def too_low(self) -> Share | None:
        """How often the whole interval lies below the truth."""
        return self._share("above")

    @property
    def width(self) -> FloatArray | None:
        """The mean width of the intervals that end on both sides, at each difference."""
        return self._mean("width", "bounded")

    @property
    def bias(self) -> FloatArray | None:
        """By how much the estimate is off on average, at each difference; None for what gives no estimate."""
        return self._mean("off")

    @property
    def rmse(self) -> FloatArray | None:
        """The root of the mean squared error of the estimate."""
        squared = self._mean("off squared")
        return None if squared is None else np.sqrt(squared)

    @property
    def quantiles(self) -> tuple[FloatArray, FloatArray]:
        """The distribution of the p-values where there is nothing to find: what u claims, and how often p ≤ u.

        A test that keeps its word stays at or below the diagonal; a QQ plot shows the two against each other.
        """
        if "pvalues" not in self.tally:
            raise InvalidOption(f"method {self.method!r} gives no p-values, but {' and '.join(self.gives)}.")
        return PVALUES, self.tally["pvalues"][..., 0, :] / (self.simulated or 1)

    def _share(self, name: str) -> Share | None:
        if name not in self.tally:
            return None
        trials = self.simulated
        value = self.tally[name] / (trials or 1)
        return Share(np.clip(value, 0.0, 1.0), trials)

    def _mean(self, name: str, among: str | None = None) -> FloatArray | None:
        if name not in self.tally:
            return None
        number = self.tally[among] if among else np.float64(self.simulated or 1)
        with np.errstate(invalid="ignore", divide="ignore"):  # no interval had two ends
            return np.asarray(self.tally[name] / number)

    # --- More trials ------------------------------------------------------------------------------

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, Calibration):
            return NotImplemented
        for name in ("method", "gives", "alpha", "side", "alternative"):
            if getattr(self, name) != getattr(other, name):
                raise InvalidInput(
                    f"only calibrations of the same {name} add up, but here it is {getattr(self, name)!r} and there"
                    f" {getattr(other, name)!r}."
                )
        if self.design.as_dict() != other.design.as_dict() or not np.array_equal(self.differences, other.differences):
            raise InvalidInput("only calibrations of the same design and differences add up.")
        if not (self.simulated and other.simulated):
            raise InvalidInput("what was enumerated is exact and needs no more trials.")
        for seed, first, last in self.drawn:
            for seed_there, first_there, last_there in other.drawn:
                if seed == seed_there and first < last_there and first_there < last:
                    raise InvalidInput(
                        f"both hold the same trials, drawn with rng={seed}. Simulate the others with another rng."
                    )
        return replace(
            self,
            simulated=self.simulated + other.simulated,
            tally=add(self.tally, other.tally),
            drawn=_merged((*self.drawn, *other.drawn)),
        )

    # --- What it says -----------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """What the figures mean, in a sentence or two."""
        if self.design.shape:
            return f"{int(np.prod(self.design.shape))} designs; take one of them for its words."
        said = []
        if self.size is not None:
            said.append(
                f"If A and B are equally good, {self.method} says otherwise {_percent(self.size)} of the time;"
                f" {_percent_of(self.alpha)} was asked for: {_verdict(self.size, self.alpha)}."
            )
        if self.power is not None and self.effects.size:
            seen = [
                f"a difference of {significant(abs(100 * step))} points {_percent(share)}"
                for step, share in zip(self.effects, self.power, strict=True)
            ]
            said.append(f"It sees {_listed(seen)} of the time.")
        if self.coverage is not None:
            worst = int(np.argmin(self.coverage.value))
            said.append(
                f"Its {level_text(self.alpha)} interval holds the truth {_percent(self.coverage[worst])} of the time"
                + (f", at a difference of {significant(100 * self.differences[worst])} points" if worst else "")
                + "."
            )
        if self.bias is not None and self.rmse is not None:
            said.append(
                f"Its estimate is off by {100 * float(self.bias[0]):+.2f} points on average,"
                f" by {100 * float(self.rmse[0]):.2f} in the root mean square."
            )
        return " ".join(said)

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        how = "exact: every outcome enumerated" if not self.simulated else f"{self.simulated:,} trials simulated"
        rows = [("method", self.method), ("design", self.design.describe()), ("how", how)]
        if self.design.shape:
            return [*rows, ("in words", self.words)]
        if self.size is not None:
            rows.append((f"size at {self.alpha:g}", str(self.size)))
        if self.power is not None and self.sign_errors is not None:
            for step, share, wrong in zip(self.effects, self.power, self.sign_errors, strict=True):
                signs = f"; for the wrong one {wrong}" if wrong.value > 0 else ""
                rows.append((f"power at {step:g}", f"{share}{signs}"))
        if self.coverage is not None and self.width is not None:
            for step, share, width in zip(self.differences, self.coverage, self.width, strict=True):
                rows.append((f"coverage at {step:g}", f"{share}; mean width {plain_number(width, width / 10)}"))
        if self.bias is not None and self.rmse is not None:
            rows.append(("bias", f"{float(self.bias[0]):+.5f}; root mean square {float(self.rmse[0]):.5f}"))
        return [*rows, ("in words", self.words)]

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        figures: dict[str, Any] = {
            "method": self.method,
            "gives": self.gives,
            "design": self.design.as_dict(),
            "trials": self.trials,
            "alpha": self.alpha,
            "side": self.side,
            "alternative": self.alternative,
            "differences": self.differences,
        }
        for name in ("size", "power", "sign_errors", "undefined", "coverage", "too_high", "too_low"):
            share = getattr(self, name)
            if share is not None:
                figures[name] = share.as_dict()
        for name in ("width", "bias", "rmse"):
            if getattr(self, name) is not None:
                figures[name] = getattr(self, name)
        return figures | {"words": self.words}

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Calibrations(Rendered):
    """Several methods at one design, side by side; where they were simulated, on the same trials.

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
        for found in self.each:
            if found.method == method:
                return found
        raise InvalidOption(f"method must be one of {', '.join(self.methods)}, but is {method!r}.")

    def __iter__(self) -> Iterator[Calibration]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, Calibrations):
            return NotImplemented
        if self.methods != other.methods:
            raise InvalidInput(
                f"only calibrations of the same methods add up, but here they are {', '.join(self.methods)} and there"
                f" {', '.join(other.methods)}."
            )
        return replace(self, each=tuple(here + there for here, there in zip(self.each, other.each, strict=True)))

    @property
    def methods(self) -> tuple[str, ...]:
        """The names of the methods."""
        return tuple(found.method for found in self.each)

    def rows(self) -> list[tuple[str, str]]:
        """Return a line for each method."""
        return [("design", self.each[0].design.describe()), *((found.method, _short(found)) for found in self.each)]

    def as_dict(self) -> dict[str, Any]:
        """Return everything by method, every digit kept."""
        return {"calibrations": [found.as_dict() for found in self.each]}

    def __repr__(self) -> str:
        return str(self)


def _short(found: Calibration) -> str:
    if found.design.shape:
        return str(found.size or found.coverage)
    parts = [] if found.size is None else [f"size {found.size}"]
    parts += [
        f"power at {step:g} {share.value:.4f}"
        for step, share in zip(found.effects, () if found.power is None else found.power, strict=False)
    ]
    if found.coverage is not None and found.width is not None:
        worst = int(np.argmin(found.coverage.value))
        width = float(found.width[worst])
        parts.append(f"coverage {found.coverage[worst]}, width {plain_number(width, width / 10)}")
    if found.bias is not None and found.rmse is not None:
        parts.append(f"bias {float(found.bias[0]):+.5f}, root mean square {float(found.rmse[0]):.5f}")
    return "; ".join(parts)


def _verdict(size: Share, alpha: float) -> str:
    """Say whether a test keeps its word, as far as the trials tell."""
    if float(size.low) > 1.2 * alpha:
        return "it claims too much" if float(size.low) > 1.7 * alpha else "it claims somewhat too much"
    if float(size.high) < 0.5 * alpha:
        return "it is cautious, and pays with power"
    return "it keeps its word" if float(size.high) <= 1.2 * alpha else "as far as these trials tell, it keeps its word"


def _percent(share: Share) -> str:
    return _percent_of(float(share.value))


def _percent_of(value: float) -> str:
    return f"{100 * value:.2g} %" if value < 0.0995 else f"{100 * value:.3g} %"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _merged(spans: tuple[tuple[int, int, int], ...]) -> tuple[tuple[int, int, int], ...]:
    """Join trials of one seed that follow each other."""
    joined: list[tuple[int, int, int]] = []
    for seed, first, last in sorted(spans):
        if joined and joined[-1][0] == seed and joined[-1][2] == first:
            joined[-1] = (seed, joined[-1][1], last)
        else:
            joined.append((seed, first, last))
    return tuple(joined)
