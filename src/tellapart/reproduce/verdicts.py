"""Printed numbers and statements compared with those found here.

A printed number has a tolerance: half a unit of its last digit, and, if either number was simulated, a multiple of the
standard error of the difference. The verdict depends on this tolerance only.
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

Verdict = Literal["matches", "deviates", "not available"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_RISK = 0.01  # probability that any number of a table deviates by chance alone
_DUST = 1e-9  # rounding error of half a unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One printed number or statement of a paper, and its counterpart here.

    Parameters
    ----------
    what
        The cell of a table, the quantity, or the number of the statement.
    printed, ours
        The texts shown for the paper and for this package.
    verdict
        "matches", "deviates" or "not available".
    difference, tolerance
        Ours minus the printed number, and the largest accepted absolute value; None for statements.
    allows
        A description of the tolerance.
    reason
        Why it deviates or is not available; empty if unknown.
    statement
        Whether this is a statement, such as a conclusion, which holds or does not.
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
        """Whether the line matches or has a reason."""
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
    """Return a printed number compared with ours.

    Parameters
    ----------
    what
        The quantity.
    printed
        The number as the paper prints it; its digits determine the precision.
    ours
        The number computed here.
    error
        The standard error of ours, if it was simulated.
    spread
        The standard deviation of the printed number, if it was simulated.
    among
        The number of such comparisons. The tolerance in standard errors is chosen so that with this many numbers from
        equal distributions, one table in a hundred has any deviation.
    unit
        The unit of the last printed digit, if it was rounded twice or to the nearest 5.
    reason
        Why it deviates, if it does.

    Examples
    --------
    >>> compared("sd of the sample error", "0.07", 0.0724569).verdict
    'matches'
    >>> line = compared("z of 68%", "1.00", 0.9944579, reason="1.00 is the value for 68.27%.")
    >>> line.verdict, round(line.difference, 4), line.tolerance.__round__(3), line.reason
    ('deviates', -0.0055, 0.005, '1.00 is the value for 68.27%.')
    >>> compared("size", "0.05", 0.062, error=0.001, spread=0.007).allows
    'half a unit of the last digit and 2.58 standard errors'
    """
    try:
        value = float(printed)
    except ValueError:
        raise InvalidOption(f"`printed` must be a number as it was printed, such as '0.30', got {printed!r}.") from None
    places = len(printed.partition(".")[2])
    step = 10.0**-places if unit is None else unit
    noise, reach = math.hypot(error, spread), _largest_chance_error(among)
    tolerance = step / 2 + reach * noise + _DUST
    agrees = abs(ours - value) <= tolerance
    rounded = "half a unit of the last digit"
    return Line(
        what=what,
        printed=printed,
        ours=_format_number(ours, places),
        verdict="matches" if agrees else "deviates",
        difference=ours - value,
        tolerance=tolerance,
        allows=f"{rounded} and {reach:.2f} standard errors" if noise else rounded,
        reason="" if agrees else reason,
    )


def claimed(what: str, statement: str, holds: Any, figures: str, *, reason: str = "") -> Line:
    """Return a statement of a paper, and whether it holds here.

    Parameters
    ----------
    what
        The subject.
    statement
        The statement of the paper, in a few words.
    holds
        Whether it holds here.
    figures
        The figures that decide it.
    reason
        Why it does not hold, if so.

    Examples
    --------
    >>> claimed("set 1", "S is the widest", 11.7 > 15.8, "S 11.7, B 15.8", reason="It is the narrowest.").verdict
    'deviates'
    """
    verdict: Verdict = "matches" if holds else "deviates"
    why = "" if holds else reason
    return Line(what=what, printed=statement, ours=figures, verdict=verdict, reason=why, statement=True)


def missing(what: str, printed: str, reason: str) -> Line:
    """Return a line that is not available, with the reason.

    Examples
    --------
    >>> missing("Figure 9", "histogram of 35 error rates", "The rates were not published.").verdict
    'not available'
    """
    return Line(what=what, printed=printed, ours="-", verdict="not available", reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The result of a table or figure of a paper: lines, pictures, further tables and notes.

    Parameters
    ----------
    lines
        The comparisons with the paper.
    pictures
        The figure redrawn, or a picture of the table.
    tables
        Further results: other sizes, and later methods.
    notes
        Sentences on replacements, sizes, seeds and corrections.

    Examples
    --------
    >>> Shown(lines=(compared("z of 95%", "1.96", 1.959964), missing("plot", "-", "Lost."))).verdict
    'matches'
    """

    lines: tuple[Line, ...]
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The overall verdict: "deviates" if any line does, "not available" if no line is available, else "matches"."""
        verdicts = {line.verdict for line in self.lines}
        return "deviates" if "deviates" in verdicts else "matches" if "matches" in verdicts else "not available"

    @property
    def counts(self) -> dict[Verdict, int]:
        """The number of lines with each verdict."""
        return counted(line.verdict for line in self.lines)

    @property
    def unexplained(self) -> tuple[Line, ...]:
        """The deviations without a known reason."""
        return tuple(line for line in self.lines if not line.explained)


def counted(verdicts: Iterable[Verdict]) -> dict[Verdict, int]:
    """Return the number of times each verdict occurs.

    Examples
    --------
    >>> counted(["matches", "matches", "deviates"])
    {'matches': 2, 'deviates': 1, 'not available': 0}
    """
    given_verdicts = list(verdicts)
    return {verdict: given_verdicts.count(verdict) for verdict in VERDICTS}


def _format_number(value: float, places: int) -> str:
    """Return a number with two more digits than the printed one; counts are written as whole numbers."""
    if not math.isfinite(value):
        return str(value)
    return f"{value:.0f}" if not places and value == round(value) else f"{value:.{places + 2}f}"


@cache
def _largest_chance_error(among: int) -> float:
    """Return the largest of this many differences that chance alone explains, in standard errors."""
    from scipy.special import ndtri

    return float(-ndtri(_RISK / 2 / among))
