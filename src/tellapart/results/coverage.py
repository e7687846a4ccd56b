"""The exact coverage of an interval method, and several methods side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..display import Block, Display, Row, TextTable
from ..figures import count_text, level_text
from ..rendering import Rendered
from ..typing_ import FloatArray, Side


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Coverage(Rendered):
    """The exact coverage of an interval method at one number of trials.

    `coverage` and `width` are those at the true error rates in `error`, evenly spaced over the range `within`;
    `minimum` is the infimum over the whole range, which lies at a limit of an interval, and `worst` is the true error
    rate next to it.
    """

    method: str
    trials: int
    alpha: float
    side: Side
    within: tuple[float, float]
    error: FloatArray
    coverage: FloatArray
    width: FloatArray
    minimum: float
    worst: float
    title: str = ""  # the title in output

    @property
    def level(self) -> float:
        """The nominal coverage, 1 - alpha."""
        return 1 - self.alpha

    @property
    def mean(self) -> float:
        """The average coverage over the range."""
        return float(self.coverage.mean())

    @property
    def mean_width(self) -> float:
        """The average expected width over the range."""
        return float(self.width.mean())

    @property
    def fails(self) -> list[tuple[float, float]]:
        """The ranges of true errors that are missed more than twice as often as alpha allows."""
        bad = np.concatenate([[False], 1 - self.coverage > 2 * self.alpha, [False]])
        edges = np.flatnonzero(bad[1:] != bad[:-1])
        half = (self.within[1] - self.within[0]) / (2 * self.error.size)
        return [
            (max(float(self.error[first] - half), 0.0), float(self.error[last - 1] + half))
            for first, last in zip(edges[::2], edges[1::2], strict=True)
        ]

    @property
    def failing_share(self) -> float:
        """The share of the range that is missed more than twice as often as alpha allows."""
        return sum(high - low for low, high in self.fails) / (self.within[1] - self.within[0])

    @property
    def worst_location(self) -> str:
        """The error rate at which coverage is lowest, in words."""
        if self.worst < 1e-200:
            return "as the error rate approaches 0"
        if self.worst > 1 - 1e-12:
            return "as the error rate approaches 1"
        return f"at an error rate of {100 * self.worst:.4g}%"

    @property
    def place(self) -> str:
        """Deprecated alias of `worst_location`."""
        return self.worst_location

    @property
    def verdict(self) -> str:
        """The mean and the minimum coverage with the nominal one, in one line."""
        name = self.title.removesuffix(" interval") or self.method
        mean = f"{name} covers {_percent_text(self.mean)} on average at nominal {level_text(self.alpha)}"
        if self.minimum >= self.level - 1e-9:
            return f"{mean}, and never less than {_percent_text(self.minimum)}"
        return f"{mean}, and {_percent_text(self.minimum)} at worst"

    @property
    def words(self) -> str:
        """The verdict with its design, in one sentence."""
        low, high = self.within
        rates = f"error rates {low:g} to {high:g}, {count_text(self.trials, 'example')}"
        return f"{self.verdict} ({self.worst_location}; {rates})."

    def display(self, *, verbose: bool = False) -> Display:
        """Return the verdict, coverage and width; with `verbose` every range in which the interval fails."""
        low, high = self.within
        kind = "" if self.side == "two" else f"{self.side} bound, "
        rows = [
            Row("coverage", f"mean {self.mean:.4f}; minimum {self.minimum:.4f}, {self.worst_location}"),
            Row("interval", f"{kind}expected width {self.mean_width:.4f}"),
        ]
        if self.fails:
            rows.append(Row("caution", self.describe_failures(verbose=verbose)))
        rows.append(Row("design", f"{count_text(self.trials, 'example')}, error rates {low:g} to {high:g}, exact"))
        return Display(verdict=self.verdict, blocks=tuple(rows))

    def describe_failures(self, *, verbose: bool) -> str:
        """Return the share of the range with a miss rate above twice alpha, and its parts."""
        share = f"miss rate above {_percent_text(2 * self.alpha)} over {100 * self.failing_share:.3g}% of the range"
        ranges = [_range_text(low, high) for low, high in self.fails]
        if verbose:
            return f"{share}: error rates {', '.join(ranges)}"
        if len(ranges) == 1:
            return f"{share}: error rates {ranges[0]}"
        return f"{share}, such as error rates {ranges[0]} (-v lists all {len(ranges)} stretches)"

    def explanations(self) -> list[tuple[str, str]]:
        """Return the meaning of each row."""
        return [
            (
                "coverage",
                f"How often the interval contains the true error rate; nominal: {level_text(self.alpha)}. Mean: over"
                " the range of error rates. Minimum: over the range, found next to the limits of the interval.",
            ),
            ("width", "The expected width, averaged over the range of error rates."),
            (
                "fails",
                f"The share of the range with a miss rate above {_percent_text(2 * self.alpha)}, which is twice alpha.",
            ),
            ("design", "Exact: all numbers of errors are enumerated; nothing is simulated."),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, with all digits."""
        names = (
            "method",
            "trials",
            "level",
            "alpha",
            "side",
            "within",
            "mean",
            "minimum",
            "worst",
            "mean_width",
        )
        figures = {name: getattr(self, name) for name in names}
        return figures | {"fails": self.fails, "words": self.words}

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Coverages(Rendered):
    """The exact coverage of several interval methods at one number of trials, side by side."""

    each: tuple[Coverage, ...]

    def display(self, *, verbose: bool = False) -> Display:
        """Return a line for each method; with `verbose` every range in which one fails."""
        first = self.each[0]
        low, high = first.within
        lines = []
        for coverage in self.each:
            where = f"{100 * coverage.worst:.4g}%"
            if coverage.worst < 1e-200 or coverage.worst > 1 - 1e-12:
                where = f"{coverage.worst:.0f}"
            failing = f"{100 * coverage.failing_share:.1f}%" if coverage.fails else ""
            figures = (f"{coverage.mean:.4f}", f"{coverage.minimum:.4f}", where, f"{coverage.mean_width:.4f}")
            lines.append([coverage.method, *figures, failing])
        heads = ["interval\n", "mean\ncoverage", "minimum\ncoverage", "at error\nrate", "expected\nwidth", "fails\n"]
        if not any(line[-1] for line in lines):
            heads, lines = heads[:-1], [line[:-1] for line in lines]
        blocks: list[Block] = [TextTable(head=heads, lines=lines, align="l" + "r" * (len(heads) - 1))]
        if verbose:
            failing_methods = [coverage for coverage in self.each if coverage.fails]
            blocks += [
                Row("caution", f"{coverage.method}: {coverage.describe_failures(verbose=True)}")
                for coverage in failing_methods
            ]
        fails = f"; fails: share of the range with a miss rate above {_percent_text(2 * first.alpha)}"
        sides = "" if first.side == "two" else f", {first.side} bounds"
        design = f"{count_text(first.trials, 'example')}, error rates {low:g} to {high:g}{sides}, exact"
        blocks.append(Row("design", design + fails * ("fails\n" in heads)))
        return Display(verdict=self.verdict, blocks=tuple(blocks))

    @property
    def verdict(self) -> str:
        """The number of methods with at least nominal coverage at every error rate."""
        nominal = level_text(self.each[0].alpha)
        valid = sum(coverage.minimum >= coverage.level - 1e-9 for coverage in self.each)
        intervals = count_text(len(self.each), "interval")
        return f"{valid} of {intervals} cover{'s' * (valid == 1)} at least {nominal} at every error rate"

    def explanations(self) -> list[tuple[str, str]]:
        """Return the meaning of each column."""
        return self.each[0].explanations()

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, with all digits."""
        return {"coverages": [coverage.as_dict() for coverage in self.each]}

    def __repr__(self) -> str:
        return str(self)


def _range_text(low: float, high: float) -> str:
    """Return a range of error rates in percent, with enough decimals that its ends differ.

    Examples
    --------
    >>> _range_text(0.0, 0.01925), _range_text(0.0655, 0.06625), _range_text(0.98, 1.0)
    ('0 to 1.9%', '6.55 to 6.62%', '98 to 100%')
    """
    decimals = 1
    while f"{100 * low:.{decimals}f}" == f"{100 * high:.{decimals}f}" and decimals < 6:
        decimals += 1
    ends = (f"{100 * end:.{decimals}f}".removesuffix(".0") for end in (low, high))
    return f"{' to '.join(ends)}%"


def _percent_text(rate: float) -> str:
    """Return a rate in percent: one decimal, no decimal if it is whole, and never 100% or 0% unless it is."""
    if rate in (0.0, 1.0) or abs(100 * rate - round(100 * rate)) < 1e-9:
        return f"{100 * rate:.0f}%"
    return "> 99.9%" if rate > 0.9995 else "< 0.1%" if rate < 0.0005 else f"{100 * rate:.1f}%"
