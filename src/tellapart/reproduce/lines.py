"""What a paper says beside what is found here, and whether the two agree.

A printed number has a tolerance: half a unit of its last digit, and, where either side was simulated, so many standard
errors of the difference. It is a verdict's only ground; nobody decides by hand.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

from ..errors import InvalidOption
from ..report.blocks import Table
from ..report.picture import Picture

Verdict = Literal["matches", "deviates", "cannot be had"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_RISK = 0.01  # that of all numbers of a table any deviates by chance alone
_DUST = 1e-9  # what floating point may add to half a unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One number or statement of a paper, with ours beside it.

    Parameters
    ----------
    what
        What it is: the cell of a table, the quantity, the statement's number.
    printed, ours
        What the paper prints, and what is found here, as they are shown.
    verdict
        "matches", "deviates" or "cannot be had".
    difference, tolerance
        Ours less the printed number, and how far it may lie from 0; None of statements.
    allows
        What the tolerance allows for, in words.
    reason
        Why it deviates, or cannot be had. One that deviates without a reason is news.
    statement
        Whether this is a statement, which holds or does not: what a paper concludes.
    """

    what: str
    printed: str
    ours: str
    verdict: Verdict
    difference: float | None = None
    tolerance: float | None = None
    allows: str = ""
    reason: str = ""
    statement: bool = False

    @property
    def explained(self) -> bool:
        """Whether there is a reason for what does not match."""
        return self.verdict == "matches" or bool(self.reason)


def compared(
    what: str,
    printed: str,
    ours: float,
    *,
    error: float = 0.0,
    spread: float = 0.0,
    among: int = 1,
    unit: float | None = None,
    reason: str = "",
) -> Line:
    """Return a printed number beside ours, and whether they agree.

    Parameters
    ----------
    what
        What it is.
    printed
        The number as the paper prints it: its digits say how precise it is.
    ours
        The number found here.
    error
        The standard error of ours, where it was simulated.
    spread
        The standard deviation of the printed number, where it is one draw of a simulation or a sum of a few.
    among
        Of how many such numbers this is one. Simulated ones may be so many standard errors apart that with this many
        of them, all drawn from the same distribution, one in a hundred tables would have any that deviates.
    unit
        What the last printed digit counts, where that is not what it says: rounded twice, or to the nearest 5.
    reason
        Why it deviates, if it does.

    Examples
    --------
    >>> compared("sd of the sample error", "0.07", 0.0724569).verdict
    'matches'
    >>> line = compared("z of 68 %", "1.00", 0.9944579, reason="1.00 belongs to 68.27 %.")
    >>> line.verdict, round(line.difference, 4), line.tolerance.__round__(3), line.reason
    ('deviates', -0.0055, 0.005, '1.00 belongs to 68.27 %.')
    >>> compared("size", "0.05", 0.062, error=0.001, spread=0.007).allows
    'half a unit of the last digit and 2.58 standard errors'
    """
    try:
        value = float(printed)
    except ValueError:
        raise InvalidOption(
            f"printed must be a number as it was printed, such as '0.30', but is {printed!r}."
        ) from None
    places = len(printed.partition(".")[2])
    step = 10.0**-places if unit is None else unit
    noise, reach = math.hypot(error, spread), _reach(among)
    tolerance = step / 2 + reach * noise + _DUST
    agrees = abs(ours - value) <= tolerance
    rounded = "half a unit of the last digit"
    return Line(
        what=what,
        printed=printed,
        ours=_shown(ours, places),
        verdict="matches" if agrees else "deviates",
        difference=ours - value,
        tolerance=tolerance,
        allows=f"{rounded} and {reach:.2f} standard errors" if noise else rounded,
        reason="" if agrees else reason,
    )


def claimed(what: str, statement: str, holds: Any, found: str, *, reason: str = "") -> Line:
    """Return a statement of a paper, what is found here, and whether it holds.

    Parameters
    ----------
    what
        What it is about.
    statement
        What the paper says, in a few words.
    holds
        Whether it is so here.
    found
        The figures that decide it.
    reason
        Why it does not hold, if so.

    Examples
    --------
    >>> claimed("set 1", "S is the widest", 11.7 > 15.8, "S 11.7, B 15.8", reason="It is the narrowest.").verdict
    'deviates'
    """
    verdict: Verdict = "matches" if holds else "deviates"
    told = "" if holds else reason
    return Line(what=what, printed=statement, ours=found, verdict=verdict, reason=told, statement=True)


def missing(what: str, printed: str, reason: str) -> Line:
    """Return what cannot be had, and why.

    Examples
    --------
    >>> missing("Figure 9", "histogram of 35 error rates", "The rates were not published.").verdict
    'cannot be had'
    """
    return Line(what=what, printed=printed, ours="-", verdict="cannot be had", reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a table or figure of a paper comes to here: lines, pictures, tables of our own, and notes.

    Parameters
    ----------
    lines
        What the paper says, beside ours.
    pictures
        The figure, redrawn, or what shows the table best.
    tables
        What goes beyond the paper: the same at other sizes, methods it did not know.
    notes
        How it was done, in sentences: what stands in for what, sizes, seeds, corrections.

    Examples
    --------
    >>> Shown(lines=(compared("z of 95 %", "1.96", 1.959964), missing("plot", "-", "Lost."))).verdict
    'matches'
    """

    lines: tuple[Line, ...]
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """One for all: "deviates" if any line does, "cannot be had" if none could be looked at, else "matches"."""
        found = {line.verdict for line in self.lines}
        return "deviates" if "deviates" in found else "matches" if "matches" in found else "cannot be had"

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many lines there are of each verdict."""
        return counted(line.verdict for line in self.lines)

    @property
    def unexplained(self) -> tuple[Line, ...]:
        """Lines that deviate, and nobody knows why."""
        return tuple(line for line in self.lines if not line.explained)


def counted(verdicts: Iterable[Verdict]) -> dict[Verdict, int]:
    """Return how often each verdict was given.

    Examples
    --------
    >>> counted(["matches", "matches", "deviates"])
    {'matches': 2, 'deviates': 1, 'cannot be had': 0}
    """
    found = list(verdicts)
    return {verdict: found.count(verdict) for verdict in VERDICTS}


def _shown(value: float, places: int) -> str:
    """Write a number with two digits more than were printed; counts beside counts are whole."""
    if not math.isfinite(value):
        return str(value)
    return f"{value:.0f}" if not places and value == round(value) else f"{value:.{places + 2}f}"


@cache
def _reach(among: int) -> float:
    """Return how many standard errors the largest of so many differences may be, by chance alone."""
    from scipy.special import ndtri

    return float(-ndtri(_RISK / 2 / among))
