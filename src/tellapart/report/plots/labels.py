"""Texts on pictures: names, numbers, labels of axes, and the room that they take."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ...typing_ import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation

# Properties of texts that are laid out after the style context has ended: no mathematics, no TeX.
PLAIN: dict[str, Any] = {"parse_math": False, "usetex": False}
_LONGEST = 40  # characters of a name that a picture shows


def show_name(name: object, most: int = _LONGEST) -> str:
    r"""Return a name for a picture: one line, and of a long one its beginning and its end.

    Examples
    --------
    >>> show_name("$x$ tab\there"), show_name("gradient boosting, 500 trees", most=16)
    ('$x$ tab here', 'gradien…00 trees')
    """
    text = " ".join("".join(part if part.isprintable() else " " for part in str(name)).split())
    if len(text) <= most:
        return text
    after = most // 2
    return f"{text[: most - 1 - after]}…{text[-after:]}"


def show_distinct_names(names: Sequence[str], most: int = _LONGEST) -> list[str]:
    """Return names for a picture that stay distinct when they are shortened.

    Examples
    --------
    >>> show_distinct_names(["forest with 100 trees, seed 1", "forest with 500 trees, seed 1", "svm"], most=16)
    ['…100 trees, see…', '…500 trees, see…', 'svm']
    """
    result = [show_name(name, most) for name in names]
    alike: dict[str, list[int]] = {}
    for index, text in enumerate(result):
        alike.setdefault(text, []).append(index)
    for places in alike.values():
        if len(places) > 1:
            whole = [show_name(names[index], 10**6) for index in places]
            start = next(index for index, each in enumerate(zip_longest(*whole)) if len(set(each)) > 1)
            cut = [f"…{text[start:]}" for text in whole]
            cut = [text if len(text) <= most else f"{text[: most - 1]}…" for text in cut]
            for index, text, number in zip(places, cut, range(1, len(cut) + 1), strict=True):
                # What differs at its end only after this many characters again is numbered.
                result[index] = text if cut.count(text) == 1 else f"{text[: most - 4].rstrip('…')}… {number}"
    return result


def typeset(text: str) -> str:
    """Return a text with minus signs in place of hyphens.

    Examples
    --------
    >>> typeset("-1.5 to 2")
    '−1.5 to 2'
    """
    return text.replace("-", "−")


def join_listing(parts: Iterable[str], most: int = 12) -> str:
    """Return parts joined by semicolons; of many, the first.

    Examples
    --------
    >>> join_listing(["a", "b", "c"], most=2)
    'a; b; and 1 more'
    """
    known = list(parts)
    more = [f"and {len(known) - most} more"] if len(known) > most else []
    return "; ".join([*known[:most], *more])


def longest_length(texts: Iterable[str]) -> int:
    """Return the length of the longest text."""
    return max((len(text) for text in texts), default=0)


def write_at(
    axes: Axes, at: tuple[float, float], text: str, *, by: tuple[float, float] = (0, 0), on: Any = "data", **look: Any
) -> Annotation:
    """Write text at an offset from a position, which may lie outside of the axes."""
    known: dict[str, Any] = {"fontsize": 9, "va": "center", "ha": "left", "annotation_clip": False} | PLAIN | look
    return axes.annotate(text, at, by, xycoords=on, textcoords="offset points", **known)


def fits_beside(axes: Axes, *texts: str, size: float = 9.0, beside: int = 0) -> bool:
    """Return whether texts fit beside each other into the width of the axes.

    `beside` is the number of characters of other texts that take room from the axes.
    """
    figure = axes.figure.figure
    needed = sum(0.6 * size * len(text) for text in texts) + 12 * len(texts) + 0.6 * size * beside
    return bool(needed <= 72 * axes.bbox.width / figure.dpi * (1 if len(figure.axes) == 1 else 0.55))


PHONE = 3.65  # inches that a phone shows
_PER_INCH = 13.0  # characters of a line below the axes for each inch of the figure
_PHONE_LINE = 38  # characters of a line below the axes of a figure as narrow as that


def narrow_size(height: float, *texts: str, most: int = 44) -> tuple[float, float] | None:
    """Return the size of a picture on a phone; None if a text that it cannot break is too long for one.

    Examples
    --------
    >>> narrow_size(2.0, "tree better"), narrow_size(2.0, "x" * 80)
    ((3.65, 2.0), None)
    """
    return (PHONE, height) if longest_length(texts) <= most else None


def is_narrow(axes: Axes) -> bool:
    """Return whether axes belong to a figure as narrow as a phone."""
    return float(axes.figure.figure.get_size_inches()[0]) < 1.2 * PHONE


def name_axis(axes: Axes, *, x: str | None = None, y: str | None = None) -> None:
    """Set the labels of the axes; on a phone in several lines."""
    if x is not None:
        room = _PHONE_LINE if is_narrow(axes) else int(_PER_INCH * axes.figure.figure.get_size_inches()[0])
        x = "\n".join(part for line in x.split("\n") for part in textwrap.wrap(line, room))
    if x is not None:
        axes.set_xlabel(x, **PLAIN)
    if y is not None:
        axes.set_ylabel(y, **PLAIN)


def number_ticks(axes: Axes, axis: Literal["x", "y"], span: tuple[float, float], most: int = 6) -> None:
    """Set the ticks of an axis so that long numbers do not overlap."""
    low, high = span
    digits = np.log10(max(abs(low), abs(high), 1e-300) / max(high - low, 1e-300))
    if axis == "x" and digits > 2:
        most = max(2, most - int(digits))
    axes.locator_params(axis=axis, nbins=most)
    evidence = axes.xaxis if axis == "x" else axes.yaxis
    evidence.set_major_formatter(lambda value, _: typeset(f"{value + 0.0:.12g}"))


def space_out(target: FloatArray, gap: float) -> FloatArray:
    """Return positions in [0, 1] near the targets (least squares), in order, with a minimum gap between them.

    Examples
    --------
    >>> space_out(np.array([0.5, 0.5]), 0.2)
    array([0.4, 0.6])
    """
    order = np.argsort(target, kind="stable")
    blocks: list[list[float]] = []  # mean and number of entries that stand together
    for step, index in enumerate(order):
        blocks.append([float(target[index]) - step * gap, 1])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            (mean, number), (last, more) = blocks[-2], blocks.pop()
            blocks[-1] = [(mean * number + last * more) / (number + more), number + more]
    flat = np.concatenate([np.full(int(number), mean) for mean, number in blocks])
    room = max(0.0, 1 - gap * (target.size - 1))
    placed = np.clip(flat, 0.0, room) + gap * np.arange(target.size)
    result: FloatArray = np.empty_like(placed)
    result[order] = placed
    return result
