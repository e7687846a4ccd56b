"""Exact error rates of the gate, computed once and kept as data.

`python -m tellapart.gate.card` computes them again and writes `card.json` beside this file; the same command gives the
same bytes. Nothing is simulated: the numbers of discordant pairs and of discordant errors are binomial, and the verdict
is computed for every table with positive probability.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..evidence import PairedTable
from ..methods import find_method
from ..planning.settings.pairs import PairedSetting
from ..planning.settings.regions import Claim
from ..typing_ import FloatArray, IntArray

COMMAND = "python -m tellapart.gate.card"
FILE = Path(__file__).with_name("card.json")
METHOD = "tango"  # the test of the gate
OTHER = "scas-paired"  # corrected for skewness
PROVEN = "mcnemar-evalue"  # its error rates are proven to be at most alpha, so only its power is measured
ALPHA = 0.05
ALPHAS = (0.1, ALPHA, 0.01)
MARGINS = (0.005, 0.01, 0.02, 0.05)
SIZES = (50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)
SHARES = (0.02, 0.05, 0.1, 0.2)  # discordant rates
MOST = 0.8  # largest discordant rate in the range of the score test
WHOLE = (50, 1000)  # range of sizes, all of which are computed, for the largest rates
BANDS = ((50, 99), (100, 199), (200, 499), (500, 1000), (2000, 2000), (5000, 5000), (20_000, 20_000))
EQUALS: dict[str, Any] = {"examples": 5000, "disagreement": 0.1}  # design on which the power of methods is compared
DIGITS = 6  # significant digits that are equal on all processors
_PARTS = 41  # discordant rates from the margin to MOST, denser near the margin, where rates are largest
_FINE = 81  # discordant rates between the neighbours of the largest


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Probabilities of the verdicts at one design.

    Examples
    --------
    >>> found = rates(margin=0.02, examples=1000, disagreement=0.1)
    >>> round(found.false_pass, 3), round(found.passed, 3), round(found.little, 3)
    (0.049, 0.631, 0.369)
    """

    margin: float
    examples: int
    disagreement: float
    false_pass: float | None  # "pass" if the candidate is worse by the margin; None if the discordant rate is smaller
    false_worse: float | None  # "worse" if it is worse by exactly the margin
    passed: float  # "pass" if both are equal
    worse: float  # "worse" if both are equal

    @property
    def little(self) -> float:
        """Probability of "not enough evidence" if the models are equal."""
        return 1 - self.passed - self.worse


@dataclass(frozen=True, slots=True, kw_only=True)
class Largest:
    """The largest error rates over a range of designs, and where: examples and discordant rate."""

    method: str
    alpha: float
    margin: float
    first: int  # smallest number of examples
    last: int  # largest number of examples
    least: float  # smallest discordant rate; the largest is `MOST`
    false_pass: float
    false_pass_at: tuple[int, float]
    false_worse: float
    false_worse_at: tuple[int, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateCard:
    """Error rates of the gate, and the command that computes them."""

    command: str
    rates: tuple[Rates, ...]  # of the gate with its defaults
    largest: tuple[Largest, ...]  # also for other alphas and methods
    equals: dict[str, dict[str, float]]  # probability to pass if both are equal, by method and margin


@cache
def card() -> GateCard:
    """Return the stored error rates.

    Examples
    --------
    >>> card().command
    'python -m tellapart.gate.card'
    """
    kept = json.loads(FILE.read_text(encoding="utf-8"))

    def result(row: dict[str, Any]) -> Largest:
        at = {name: tuple(row[name]) for name in ("false_pass_at", "false_worse_at")}
        return Largest(**{**row, **at})

    return GateCard(
        command=kept["command"],
        rates=tuple(Rates(**row) for row in kept["rates"]),
        largest=tuple(map(result, kept["largest"])),
        equals=kept["equals"],
    )


def rates(*, margin: float, examples: int, disagreement: float, alpha: float = ALPHA, method: str = METHOD) -> Rates:
    """Return the exact probability of each verdict.

    A candidate that is worse by more than the margin passes less often than one that is worse by exactly the margin,
    and one that is worse by less fails less often, so the rates at the margin are the largest.

    Parameters
    ----------
    margin
        The non-inferiority margin.
    examples
        The number of examples.
    disagreement
        The discordant rate.
    alpha
        Significance level of the one-sided test.
    method
        Name of a paired test with a margin.
    """
    passing, failing = (_Rate(claim) for claim in _claims(method, margin=margin, alpha=alpha))
    possible = margin <= disagreement
    return Rates(
        margin=margin,
        examples=examples,
        disagreement=disagreement,
        false_pass=float(passing.on_the_border(examples, disagreement)) if possible else None,
        false_worse=float(failing.on_the_border(examples, disagreement)) if possible else None,
        passed=float(passing.of_equals(examples, disagreement)),
        worse=float(failing.of_equals(examples, disagreement)),
    )


def _claims(method: str, *, margin: float, alpha: float) -> tuple[Claim, Claim]:
    """Return the hypotheses that the gate tests to pass and to fail a candidate.

    Worse by more than the margin is, with both models swapped, better by more than the margin.
    """
    test = find_method(method, "test", PairedTable)
    return (
        Claim(method=test, alpha=alpha, margin=margin, hypothesis="non-inferior"),
        Claim(method=test, alpha=alpha, margin=margin, hypothesis="superior"),
    )


@dataclass(frozen=True, slots=True)
class _Rate:
    """The power of a claim."""

    claim: Claim

    def on_the_border(self, examples: ArrayLike, disagreement: float) -> FloatArray:
        """Return the power if the candidate is worse by exactly the margin."""
        pairs = PairedSetting(claim=self.claim, disagreement=disagreement)
        return pairs.power(examples, pairs.least)

    def of_equals(self, examples: ArrayLike, disagreement: float) -> FloatArray:
        """Return the power if the models are equal."""
        return PairedSetting(claim=self.claim, disagreement=disagreement).power(examples, 0.0)


# --- The largest rates ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Surface:
    """A rate at the margin, by discordant rate and number of examples."""

    rate: _Rate
    grid: FloatArray
    sizes: IntArray
    rates: FloatArray

    @classmethod
    def of(cls, claim: Claim, sizes: IntArray) -> _Surface:
        rate, margin = _Rate(claim), claim.margin
        grid = np.union1d(margin + (MOST - margin) * np.linspace(0, 1, _PARTS) ** 2, 2 * margin)
        return cls(rate, grid, sizes, np.array([rate.on_the_border(sizes, float(share)) for share in grid]))

    def peak(self, first: int, last: int, least: float) -> tuple[float, tuple[int, float]]:
        """Return the largest rate and its position, refined between its neighbours on the grid."""
        inside = (self.grid >= least)[:, None] & (self.sizes >= first) & (self.sizes <= last)
        top, index = map(int, np.unravel_index(np.argmax(np.where(inside, self.rates, -1.0)), inside.shape))
        ends = max(self.grid[max(top - 1, 0)], least), self.grid[min(top + 1, self.grid.size - 1)]
        examples, fine = int(self.sizes[index]), np.linspace(*ends, _FINE)
        refined = [float(self.rate.on_the_border(examples, float(share))) for share in fine]
        best = int(np.argmax(refined))
        return refined[best], (examples, float(fine[best]))


def _largest(
    method: str, *, margin: float, alpha: float, bands: Sequence[tuple[int, int]], leasts: Sequence[float]
) -> list[Largest]:
    """Return the largest rates in each band of sizes, for each smallest discordant rate."""
    sizes = np.array(sorted({size for first, last in bands for size in range(first, last + 1)}))
    surfaces = [_Surface.of(claim, sizes) for claim in _claims(method, margin=margin, alpha=alpha)]
    rows = []
    for (first, last), least in product(bands, leasts):
        (passed, passed_at), (worse, worse_at) = (surface.peak(first, last, least) for surface in surfaces)
        rows.append(
            Largest(
                method=method,
                alpha=alpha,
                margin=margin,
                first=first,
                last=last,
                least=least,
                false_pass=passed,
                false_pass_at=passed_at,
                false_worse=worse,
                false_worse_at=worse_at,
            )
        )
    return rows


# --- The file -------------------------------------------------------------------------------------


def measured() -> GateCard:
    """Return all rates, computed again, which takes minutes."""
    largest = []
    for (method, alpha), margin in product([*product([METHOD], ALPHAS), (OTHER, ALPHA)], MARGINS):
        bands = (WHOLE, *BANDS) if (method, alpha) == (METHOD, ALPHA) else (WHOLE,)
        largest += _largest(method, margin=margin, alpha=alpha, bands=bands, leasts=(margin, 2 * margin))
    return GateCard(
        command=COMMAND,
        rates=tuple(
            rates(margin=margin, examples=examples, disagreement=share)
            for margin, share, examples in product(MARGINS, SHARES, SIZES)
        ),
        largest=tuple(largest),
        equals={
            method: {str(margin): rates(margin=margin, method=method, **EQUALS).passed for margin in MARGINS}
            for method in (METHOD, OTHER, PROVEN)
        },
    )


def _rounded(value: Any) -> Any:
    """Return plain data, rounded to digits that are equal on all processors."""
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def main(arguments: Sequence[str] | None = None) -> int:
    """Compute the rates and write the file, one row per line so that changes are readable."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Measure the gate's error rates.")
    parser.add_argument("--out", type=Path, default=FILE, help="the file to write")
    out: Path = parser.parse_args(arguments).out
    kept = _rounded(asdict(measured()))
    parts = []
    for name, value in kept.items():
        rows = isinstance(value, list)
        shown = ",\n".join(json.dumps(row) for row in value) if rows else json.dumps(value)
        parts.append(f"{json.dumps(name)}: " + (f"[\n{shown}\n]" if rows else shown))
    out.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
