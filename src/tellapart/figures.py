"""How numbers are written: estimates with their limits, differences, p-values, counts.

An estimate and its limits share one number of decimals: the fewest that show two significant digits of the half-width,
and at least one for percentages. Differences of percentages are percentage points, "pp".
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, NamedTuple, Self

_MOST_DECIMALS = 12
_MOST_PERCENT = 3  # decimals that keep a percentage from 0 or 100; a smaller one is "< 0.001"
_ROUNDING = 1e-15  # rates nearer to 0 or 1 differ from them by rounding errors
SMALLEST_SHOWN = 0.001  # a p-value below it is written as "< 0.001" beside an estimate


class Scale(NamedTuple):
    """How values are written: percentages with %, their differences in pp, or plain numbers; and with what decimals."""

    kind: Literal["percent", "points", "plain"]
    decimals: int

    @property
    def _factor(self) -> float:
        return 1.0 if self.kind == "plain" else 100.0

    def number(self, value: float) -> str:
        """Return the value without its unit; thousands are separated, and no number is written as -0.

        A percentage with three decimals or more is not rounded to 0 or 100.

        Examples
        --------
        >>> Scale("percent", 1).number(0.98334), Scale("plain", 3).number(-0.00004), Scale("plain", 0).number(12345)
        ('98.3', '0.000', '12,345')
        >>> Scale("percent", 3).number(1e-7), Scale("percent", 3).number(1 - 1e-7), Scale("percent", 3).number(0)
        ('< 0.001', '> 99.999', '0.000')
        """
        if not math.isfinite(value):
            return "undefined"
        text = f"{self._factor * value:,.{self.decimals}f}"
        if self.kind == "percent" and self.decimals >= _MOST_PERCENT and _ROUNDING < value < 1 - _ROUNDING:
            step = 10.0**-self.decimals
            if float(text) in (0, 100):
                return f"< {step:.{self.decimals}f}" if value < 0.5 else f"> {100 - step:.{self.decimals}f}"
        return text.removeprefix("-") if not any(digit in text for digit in "123456789") else text

    def value(self, value: float) -> str:
        """Return the value with its unit.

        Examples
        --------
        >>> Scale("percent", 1).value(0.98334), Scale("points", 1).value(0.02), Scale("plain", 3).value(0.957)
        ('98.3%', '2.0 pp', '0.957')
        """
        text = self.number(value)
        return f"{text}{_UNITS[self.kind]}" if text != "undefined" else text

    def range(self, low: float, high: float, *, unit: bool = False) -> str:
        """Return both ends; percentages with `unit` have it at both, points at the second.

        Examples
        --------
        >>> Scale("points", 1).range(0.0097, 0.0328), Scale("percent", 1).range(0.0072, 0.0653, unit=True)
        ('1.0 to 3.3', '0.7% to 6.5%')
        """
        first = self.value(low) if unit and self.kind == "percent" else self.number(low)
        return f"{first} to {self.value(high) if unit else self.number(high)}"


class CountedAsWrong(str):
    """A reason for which examples were counted as errors and not left out; its text says so.

    Examples
    --------
    >>> reason = CountedAsWrong("missing prediction of old")
    >>> str(reason), reason.reason
    ('missing prediction of old (counted as wrong)', 'missing prediction of old')
    """

    __slots__ = ()
    _SUFFIX = " (counted as wrong)"

    def __new__(cls, reason: str) -> Self:
        """Return the reason with its suffix."""
        return super().__new__(cls, f"{reason}{cls._SUFFIX}")

    def __getnewargs__(self) -> tuple[str]:
        return (self.reason,)

    @property
    def reason(self) -> str:
        """The reason alone."""
        return self[: -len(self._SUFFIX)]


_UNITS = {"percent": "%", "points": " pp", "plain": ""}


def scale_of(
    kind: Literal["percent", "points", "plain"],
    half_width: float,
    ends: Iterable[float] = (),
    apart_from: Iterable[float] = (),
) -> Scale:
    """Return the scale of an estimate, with the decimals that suit the half-width of its interval.

    Parameters
    ----------
    kind
        "percent" of rates, "points" of their differences, else "plain".
    half_width
        Half the width of the interval. If it is not finite, there are three decimals, or one for percentages.
    ends
        Limits that must not round to a value of `apart_from` (0, the margin, a threshold) unless they equal it.

    Examples
    --------
    >>> scale_of("points", 0.0116).value(0.02), scale_of("points", 0.0089).value(0.0033)
    ('2.0 pp', '0.33 pp')
    >>> scale_of("plain", 0.0415).value(0.0484)
    '0.048'
    >>> scale_of("points", 0.05, ends=(0.0004,), apart_from=(0.0,)).value(0.0004)
    '0.04 pp'
    >>> scale_of("percent", 0.05, ends=(0.0004, 0.1), apart_from=(0.0, 1.0)).range(0.0004, 0.1, unit=True)
    '0.04% to 10.00%'
    """
    percent = kind != "plain"
    size = abs(half_width) * (100 if percent else 1)
    decimals = int(percent) if size > 0 or percent else 3
    if math.isinf(size) or math.isnan(size):
        decimals = 1 if percent else 3
    elif size > 0:
        while round(size, decimals) < 10.0 ** (1 - decimals) and decimals < _MOST_DECIMALS:
            decimals += 1
    scale, barriers = Scale(kind, decimals), tuple(apart_from)
    for end in ends:
        while any(_looks_alike(scale, end, barrier) for barrier in barriers) and scale.decimals < _MOST_DECIMALS:
            scale = Scale(kind, scale.decimals + 1)
    return scale


def _looks_alike(scale: Scale, end: float, barrier: float) -> bool:
    equal = abs(end - barrier) <= _ROUNDING if scale.kind == "percent" else end == barrier
    return not equal and math.isfinite(end) and scale.number(end) == scale.number(barrier)


def pvalue_text(pvalue: float, alpha: float = math.nan, *, column: bool = False) -> str:
    """Return a p-value for line 2: two significant digits, at most three decimals; "< 0.001" below that.

    In a column it has three decimals. Rounding never moves it to the other side of alpha.

    Examples
    --------
    >>> [pvalue_text(value) for value in (0.000311, 0.0254, 0.0479, 0.424, 0.1, 1.0, 0.9999986)]
    ['< 0.001', '0.025', '0.048', '0.42', '0.10', '1.0', '> 0.999']
    >>> pvalue_text(0.424, column=True), pvalue_text(0.0496, alpha=0.05), pvalue_text(0.0496, alpha=0.04)
    ('0.424', '0.0496', '0.050')
    """
    if math.isnan(pvalue):
        return "none"
    if pvalue < SMALLEST_SHOWN and not alpha < SMALLEST_SHOWN:
        return f"< {SMALLEST_SHOWN}"
    if pvalue < SMALLEST_SHOWN:
        return precise_pvalue_text(pvalue, alpha)
    if 0.9995 <= pvalue < 1:
        return "> 0.999"
    decimals = 3 if column or pvalue < 0.0995 else 2 if pvalue < 0.995 else 1
    while decimals < 17 and (float(f"{pvalue:.{decimals}f}") < alpha) != (pvalue < alpha):
        decimals += 1
    return f"{pvalue:.{decimals}f}"


def precise_pvalue_text(pvalue: float, alpha: float = math.nan) -> str:
    """Return a p-value with three significant digits, or more if rounding would move it to the other side of alpha.

    Examples
    --------
    >>> [precise_pvalue_text(value) for value in (0.000311, 1.31e-06, 0.424, 2.3e-308, 1.0, 0.9999986)]
    ['0.000311', '1.31e-06', '0.424', '< 1e-307', '1', '> 0.999']
    """
    if math.isnan(pvalue):
        return "none"
    if pvalue < 1e-307:
        return "< 1e-307"
    if 0.9995 <= pvalue < 1:
        return "> 0.999"
    digits = 3
    while digits < 17 and (float(f"{pvalue:.{digits}g}") < alpha) != (pvalue < alpha):
        digits += 1
    return f"{pvalue:.{digits}g}"


def equation(name: str, text: str) -> str:
    """Return "p = 0.025" or "p < 0.001": a text that begins with a sign gets no equals sign.

    Examples
    --------
    >>> equation("p", pvalue_text(0.025)), equation("p", pvalue_text(0.0003))
    ('p = 0.025', 'p < 0.001')
    """
    return f"{name} {text}" if text.startswith(("<", ">")) else f"{name} = {text}"


def count_text(count: float, noun: str, plural: str = "") -> str:
    """Return a number of things, with thousands separated.

    Examples
    --------
    >>> count_text(1, "example"), count_text(2657, "example"), count_text(2, "match", "matches")
    ('1 example', '2,657 examples', '2 matches')
    """
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def level_text(alpha: float) -> str:
    """Return the confidence level that belongs to alpha.

    Examples
    --------
    >>> level_text(0.05), level_text(0.001), level_text(1e-12)
    ('95%', '99.9%', '1 - 1e-12')
    """
    return f"1 - {alpha:.4g}" if alpha < 1e-6 else f"{100 * (1 - alpha):.10g}%"


def join_names(names: Iterable[str], most: int = 6) -> str:
    """Return names as a sentence lists them; a long list ends with the number of the others.

    Examples
    --------
    >>> join_names(["svm", "forest", "logistic"]), join_names("abcdefgh", most=3)
    ('svm, forest and logistic', 'a, b, c and 5 more')
    """
    known = list(names)
    if len(known) > most:
        return f"{', '.join(known[:most])} and {len(known) - most:,} more"
    return " and ".join(part for part in (", ".join(known[:-1]), *known[-1:]) if part)


def finish_sentence(text: str) -> str:
    """Return a text with a capital letter and a full stop; nothing for an empty one.

    Examples
    --------
    >>> finish_sentence("add clusters"), finish_sentence("SD from a pilot.")
    ('Add clusters.', 'SD from a pilot.')
    """
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') or not text else '.'}"


def short_names(names: Iterable[str], most: int = 24) -> dict[str, str]:
    """Return short names of models: without a folder that all share, long names cut in the middle.

    Names that would look alike keep their full length.

    Examples
    --------
    >>> short_names(["mockllm/reed", "mockllm/sedge"])
    {'mockllm/reed': 'reed', 'mockllm/sedge': 'sedge'}
    >>> short_names(["gradient-boosting-learning-rate-0.05", "svm"])["gradient-boosting-learning-rate-0.05"]
    'gradient-boo…g-rate-0.05'
    """
    known = list(names)
    folders = {name.rpartition("/")[0] for name in known}
    shared = len(known) > 1 and len(folders) == 1
    bare = [name.rpartition("/")[2] if shared else name for name in known]
    cut = [name if len(name) <= most else f"{name[: most // 2]}…{name[-(most - most // 2 - 1) :]}" for name in bare]
    return dict(zip(known, cut if len(set(cut)) == len(set(known)) else known, strict=True))
