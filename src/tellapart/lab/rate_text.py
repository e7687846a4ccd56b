"""Text of rates and differences of designs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .design import Design
    from .estimated_share import Share


def rate_text(rate: float) -> str:
    """Return a rate in percent with two or three significant digits; a rate below 1 is never written as 100%.

    Examples
    --------
    >>> rate_text(0.0468), rate_text(0.128), rate_text(0.9999), rate_text(1.0), rate_text(0.0)
    ('4.7%', '12.8%', '> 99.9%', '100%', '0%')
    """
    if 0.9995 <= rate < 1:
        return "> 99.9%"
    return f"{100 * rate:.2g}%" if rate < 0.0995 else f"{100 * rate:.3g}%"


def share_text(share: Share) -> str:
    """Return a probability in percent."""
    return rate_text(float(share.value))


def significant_text(value: float, digits: int = 3) -> str:
    """Return a number with a given number of significant digits; large numbers in full.

    Examples
    --------
    >>> significant_text(2.9249999), significant_text(120.0), significant_text(1234567.0)
    ('2.92', '120', '1,234,567')
    """
    text = f"{value:.{digits}g}"
    return f"{value:,.0f}" if "e+" in text and abs(value) < 1e15 else text


def difference_text(design: Design, difference: float) -> str:
    """Return a true difference: in pp for error rates, else on the scale of the scores."""
    return f"{significant_text(100 * difference)} pp" if design.in_points else significant_text(difference)
