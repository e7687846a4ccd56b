"""Statements of a log about itself, compared with the samples read from it.

Two rules hold for every tool. If a header or a summary states another number of samples than the log holds, or another
mean, this is noted: the run may be incomplete or edited, but the samples can still be compared. If a list contradicts
its own count, or an item occurs twice although the tool excludes that, the log is refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

_EXACT = 1e-6  # of a mean that the tool wrote with all its digits


def as_count(value: Any) -> int | None:
    """Return a count; None for any other value.

    Examples
    --------
    >>> as_count(3), as_count(3.0), as_count(True), as_count(-1), as_count("3")
    (3, 3, None, None, None)
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def as_mean(value: Any) -> float | None:
    """Return a mean as a finite number; None for any other value.

    Examples
    --------
    >>> as_mean(0.5), as_mean(1), as_mean("0.5"), as_mean(float("nan")), as_mean(10**400)
    (0.5, 1.0, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def note_count(who: str, stated: Any, read: int, what: str = "samples", missing: Iterable[str] = ()) -> Iterator[str]:
    """Yield a note if a log states another number of samples than were read.

    Parameters
    ----------
    who
        The subject and verb of the statement: "the results are of".
    stated
        The number stated; a value that is not a count is ignored.
    read
        The number that the log holds.
    what
        The things counted.
    missing
        Names of the missing samples, if known.

    Examples
    --------
    >>> list(note_count("the header states", 4, 3, missing=["q7"]))
    ["the header states 4 samples, and the log has 3: it may have been cut short (missing: 'q7')"]
    >>> list(note_count("the header states", 4, 4)), list(note_count("the header states", None, 4))
    ([], [])
    """
    count = as_count(stated)
    if count is None or count == read:
        return
    names = sorted(missing)
    which = "" if not names else f" (missing: {names[0]!r}{f' and {len(names) - 1} more' if len(names) > 1 else ''})"
    why = "it may have been cut short" if read < count else "it may hold samples of another run"
    yield f"{who} {_format_count(count)} {what}, and the log has {read}: {why}{which}"


def note_mean(who: str, name: str, stated: Any, mean: Any, *, tolerance: float = _EXACT) -> Iterator[str]:
    """Yield a note if a log states another mean than that of the scores read.

    Examples
    --------
    >>> list(note_mean("the header", "accuracy", 0.75, 0.5))
    ["the header gives 'accuracy' as 0.75, and the mean of the samples read is 0.5: the log may have been edited"]
    >>> list(note_mean("the header", "accuracy", 0.75, 0.75))
    []
    """
    number, actual = as_mean(stated), as_mean(mean)
    if number is None or actual is None or abs(number - actual) <= tolerance * max(1.0, abs(number)):
        return
    yield (
        f"{who} gives {name!r} as {number:.6g}, and the mean of the samples read is {actual:.6g}: the log may have been"
        " edited"
    )


def _format_count(count: int) -> str:
    """Return a count as text; Python refuses to convert numbers with thousands of digits."""
    return str(count) if count < 10**18 else "more than 10^18"
