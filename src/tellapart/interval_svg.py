"""A difference (or a rate) with its interval as a small inline SVG, for notebooks, reports and the gate's page.

Positions across are percentages and sizes are pixels, so that the picture is as wide as its column while its numbers
keep the size of the text around it. Everything is drawn in `currentColor`: the picture follows the theme.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from html import escape

from .figures import Scale
from .markup import with_minus

WIDEST = "44em"
_LEFT, _RIGHT = 25.0, 80.0  # percent of the width; the interval is drawn between them, so that its numbers have room
_ROOM = 25.0  # percent of the width that a label takes on a phone
_ESTIMATE, _LIMITS, _INTERVAL, _AXIS, _MARKS, _CAPTION = 14, 33, 46, 66, 82, 102  # heights in pixels
_MUTED = 'opacity="0.65"'


def interval_svg(
    estimate: float,
    low: float,
    high: float,
    *,
    scale: Scale,
    level: str = "95%",
    name: str = "Difference",
    zero: float | None = 0.0,
    margins: Iterable[float] = (),
    margin_name: str = "margin",
    caption: str = "",
    interval_name: str = "CI",
    inline_style: bool = True,
) -> str:
    """Return an SVG of an estimate with its interval, or "" if the estimate or a limit is undefined.

    Parameters
    ----------
    estimate, low, high
        The estimate and its limits, in the direction of the headline. An infinite limit is drawn as an arrow.
    scale
        How the numbers are written; see `figures.scale_of`.
    level
        The confidence level as text.
    name
        What the estimate is, for screen readers.
    zero
        The value of no difference, marked on the axis; None leaves it out, as for a rate.
    margins
        Margins to be marked, in the same direction and unit as the estimate.
    margin_name
        What they are called: "margin" or "threshold".
    caption
        A line below the axis, such as "pp in favour of new".
    interval_name
        "CI", or "credible interval".
    inline_style
        Whether the widest width is set as an inline style. A page whose policy forbids inline styles sets it itself.

    Examples
    --------
    >>> from tellapart.figures import Scale
    >>> interval_svg(0.02, 0.0097, 0.0328, scale=Scale("points", 1)).split('"')[3]
    'Difference 2.0 pp, 95% CI 1.0 to 3.3 pp, zero outside'
    >>> interval_svg(0.02, float("nan"), 0.0328, scale=Scale("points", 1))
    ''
    """
    if any(map(math.isnan, (estimate, low, high))):
        return ""
    marked = tuple(float(margin) for margin in margins if math.isfinite(margin))
    text = describe_interval(
        estimate,
        low,
        high,
        scale=scale,
        level=level,
        name=name,
        zero=zero,
        margins=marked,
        margin_name=margin_name,
        interval_name=interval_name,
    )
    position = _PercentPosition((estimate, low, high, *marked, *(() if zero is None else (zero,))))
    body = [
        *_draw_axis(position, scale, zero, marked, margin_name),
        *_draw_interval(position, scale, low, high),
        f'<circle cx="{position(estimate)}%" cy="{_INTERVAL}" r="5.5" fill="currentColor"/>',
        _text(position(estimate), _ESTIMATE, "middle", scale.value(estimate), 'font-weight="700"'),
    ]
    if caption:
        body.append(_text(50, _CAPTION, "middle", caption, _MUTED))
    height = _CAPTION + 6 if caption else _MARKS + 6 if marked or zero is not None else _INTERVAL + 12
    style = f' style="display:block;max-width:{WIDEST}"' if inline_style else ""
    return (
        f'<svg role="img" aria-label="{escape(with_minus(text))}" class="interval" width="100%" height="{height}"'
        f' font-size="13" fill="currentColor"{style}>{"".join(body)}</svg>'
    )


def describe_interval(
    estimate: float,
    low: float,
    high: float,
    *,
    scale: Scale,
    level: str = "95%",
    name: str = "Difference",
    zero: float | None = 0.0,
    margins: Iterable[float] = (),
    margin_name: str = "margin",
    interval_name: str = "CI",
) -> str:
    """Return the picture's text for screen readers: estimate, interval, and which marks the interval includes.

    Examples
    --------
    >>> from tellapart.figures import Scale
    >>> describe_interval(0.0033, -0.0126, 0.0052, scale=Scale("points", 2), margins=(-0.01,))
    'Difference 0.33 pp, 95% CI -1.26 to 0.52 pp, zero inside, margin -1.00 pp inside'
    """
    if math.isinf(low) or math.isinf(high):
        limit, side = (high, "below") if math.isinf(low) else (low, "above")
        limits = f"{side} {scale.value(limit)}" if math.isfinite(limit) else "without limits"
    else:
        limits = scale.range(low, high, unit=True)
    parts = [f"{name} {scale.value(estimate)}", f"{level} {interval_name} {limits}"]
    if zero is not None:
        parts.append(f"zero {_where(zero, low, high)}")
    parts += [f"{margin_name} {scale.value(margin)} {_where(margin, low, high)}" for margin in margins]
    return ", ".join(parts)


def _where(mark: float, low: float, high: float) -> str:
    return "inside" if low <= mark <= high else "outside"


class _PercentPosition:
    """The position of a value, in percent of the width."""

    def __init__(self, values: Iterable[float]) -> None:
        finite = [value for value in values if math.isfinite(value)]
        self._low, high = min(finite), max(finite)
        self._range = high - self._low

    def __call__(self, value: float) -> float:
        if math.isinf(value):
            return 100.0 if value > 0 else 0.0
        share = (value - self._low) / self._range if self._range > 0 else 0.5
        return round(_LEFT + share * (_RIGHT - _LEFT), 2)


def _draw_interval(position: _PercentPosition, scale: Scale, low: float, high: float) -> Iterator[str]:
    """Yield the line of the interval, its ends, and the numbers above them; an infinite end is an arrow."""
    ends = (position(low), position(high))
    yield _line(*ends, _INTERVAL, _INTERVAL, 'stroke-width="2.5"')
    for limit, end, anchor, tip in ((low, ends[0], "end", "m8-5-8 5 8 5"), (high, ends[1], "start", "m-8-5 8 5-8 5")):
        if math.isinf(limit):
            path = f'<path d="{tip}" fill="none" stroke="currentColor" stroke-width="2.5"/>'
            yield f'<svg x="{end}%" y="{_INTERVAL}" overflow="visible" aria-hidden="true">{path}</svg>'
        else:
            yield _line(end, end, _INTERVAL - 7, _INTERVAL + 7, 'stroke-width="2.5"')
            yield _text(end, _LIMITS, anchor, scale.number(limit))


def _draw_axis(
    position: _PercentPosition, scale: Scale, zero: float | None, margins: tuple[float, ...], margin_name: str
) -> Iterator[str]:
    """Yield the axis with a line and a label for zero and for each margin; neighbouring labels lean away."""
    marks = [(position(zero), "0", "")] if zero is not None else []
    marks += [(position(value), f"{margin_name} {scale.number(value)}", 'stroke-dasharray="2 3"') for value in margins]
    if marks:
        yield _line(0, 100, _AXIS, _AXIS, _MUTED)
    marks.sort()
    for index, (across, label, dashes) in enumerate(marks):
        near_left = index > 0 and across - marks[index - 1][0] < _ROOM
        near_right = index + 1 < len(marks) and marks[index + 1][0] - across < _ROOM
        anchor = "middle" if near_left == near_right else "start" if near_left else "end"
        yield _line(across, across, _INTERVAL - 9, _AXIS, dashes)
        yield _text(across, _MARKS, anchor, label)


def _line(left: float, right: float, top: float, bottom: float, more: str = "") -> str:
    return f'<line x1="{left}%" x2="{right}%" y1="{top}" y2="{bottom}" stroke="currentColor" {more}/>'


def _text(across: float, down: float, anchor: str, text: str, more: str = "") -> str:
    return f'<text x="{across}%" y="{down}" text-anchor="{anchor}" {more}>{escape(with_minus(text))}</text>'
