"""Pictures of plans: power by sample size or by difference, and expected interval width by sample size."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...errors import InvalidOption
from ...planning import Planned
from ...planning.plan_wording import format_amount as amount
from ...planning.plan_wording import many, power_text
from ...planning.planned import Over
from ...planning.settings.mean_differences import Wins
from ...planning.settings.threshold import Threshold
from ...planning.solving import power_by_formula
from ...typing_ import FloatArray, one_of
from ..picture import Numbers, Picture, drawn
from ..style import COLOURS, DASHES, GRID, INK, MUTED, PAPER
from .drawable_types import undrawable
from .labels import PLAIN, is_narrow, join_listing, name_axis, narrow_size, typeset, write_at
from .rows import WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DOTTED: dict[str, Any] = {"color": MUTED, "linewidth": 0.9, "linestyle": (0, (1, 2))}
_VEIL: dict[str, Any] = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.0, "alpha": 0.8}  # lines may pass behind
_TALL = 3.6
_LINES = 5  # assumptions that lines can distinguish
_REPLICATES = 100  # drawn if the power is never reached


class _Line(NamedTuple):
    """A curve and its name."""

    name: str
    x: FloatArray
    y: FloatArray


def power_curve(planned: Planned, *, over: Over = "size", ax: Axes | None = None) -> Axes:
    """Draw the power of a plan: over the number of examples, or over true differences at the planned number.

    The curve of the plan is exact; others show a textbook formula and other assumptions.

    Parameters
    ----------
    planned
        Result of `plan`.
    over
        "size", at the planned difference, or "difference", at the planned size.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> axes = power_curve(ta.plan(difference=0.15, disagreement=0.25, power=0.8, method="mcnemar"))
    >>> axes.get_title(loc="left")
    'Power by number of examples'
    """
    return drawn(power_curve_picture(planned, over=over), ax)


def power_curve_picture(planned: Planned, *, over: Over = "size") -> Picture:
    """Return the picture that `power_curve` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> planned = ta.plan(examples=100, disagreement=0.25, power=0.8, method="mcnemar")
    >>> power_curve_picture(planned, over="difference").numbers.head
    ('assuming', 'true difference', 'power')
    """
    _require_plan(planned, "power_curve")
    if one_of("over", over, Over) == "size":
        return _by_size(planned)
    return _by_difference(planned)


def width_curve(planned: Planned, *, ax: Axes | None = None) -> Axes:
    """Draw the expected width of an interval over the number of examples.

    Parameters
    ----------
    planned
        Result of `plan` for a width.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> width_curve(ta.plan(width=0.1, error=0.2)).get_title(loc="left")
    'Width by number of examples'
    """
    return drawn(width_curve_picture(planned), ax)


def width_curve_picture(planned: Planned) -> Picture:
    """Return the picture that `width_curve` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> width_curve_picture(ta.plan(width=0.1, error=0.2)).numbers.head
    ('assuming', 'examples', 'width')
    """
    _require_plan(planned, "width_curve")
    lines = _collect_lines(
        planned, _curve_sizes(planned), lambda setting, x: setting.width(_effective_sizes(planned, x))
    )

    def written(width: float) -> str:
        return amount(width, planned.points)

    text = f"{written(planned.width)} at {many(planned.size)}" if planned.reached else "the width is never reached"
    return _make_picture(
        f"Width by number of {planned.unit}",
        f"How wide the {planned.method} interval is, over the number of {planned.unit}: {text}. "
        f"{_describe_ends(lines, written)}.",
        lines,
        (planned.unit, "width"),
        lambda axes: _draw_widths(axes, planned, lines),
    )


def _require_plan(planned: Any, options: str) -> None:
    """Raise InvalidOption if this is not a plan with such a curve."""
    if not isinstance(planned, Planned):
        raise undrawable("planned", planned, "the result of plan(...)")
    able = "power_curve" if math.isnan(planned.width) else "width_curve"
    if able != options:
        raise InvalidOption(f"`planned` must have such a curve. Use {able}.")
    if planned.setting is None:
        raise InvalidOption("`planned` must have a design to compute its curve, got one without.")


# --- Power by size --------------------------------------------------------------------------------


def _by_size(planned: Planned) -> Picture:
    if math.isnan(planned.difference):
        raise InvalidOption("`planned` must have a difference for a curve over sizes, got none that reaches the power.")
    if not math.isfinite(planned.size) and not planned.capped:
        raise InvalidOption(
            f"`planned` needs more {planned.unit} than a picture can show. Plan for a larger difference."
        )
    sizes = _curve_sizes(planned)
    lines = _collect_lines(
        planned, sizes, lambda setting, x: setting.power(_effective_sizes(planned, x), planned.difference)
    )
    first: Any = planned.setting
    formula = [power_by_formula(first, float(size) / planned.design_effect, planned.difference) for size in sizes]
    if np.isfinite(formula).sum() > 1:
        lines.append(_Line(planned.formula_name or "normal formula", sizes, np.array(formula)))
    here = (
        f"{many(planned.size)} give {_format_power(planned.power)}" if planned.reached else "the power is not reached"
    )
    return _make_picture(
        f"Power by number of {planned.unit}",
        f"Power of {planned.method} at alpha = {planned.alpha:g} by the number of"
        f" {planned.unit}: {here}. {_describe_ends(lines, _format_power)}.",
        lines,
        (planned.unit, "power"),
        lambda axes: _draw_by_size(axes, planned, lines),
    )


def _curve_sizes(planned: Planned) -> FloatArray:
    """Return sizes around the planned one and those of other assumptions; fewer if they are slow to compute."""
    first = getattr(planned.setting, "smallest", 1)
    if not math.isfinite(planned.size):
        return np.arange(first, _REPLICATES + 1, dtype=float)
    others = [each.value for each in planned.beside if planned.solved == "size" and math.isfinite(each.value)]
    last = max([2.1 * planned.size, *(1.15 * size for size in others if size < 6 * planned.size)])
    points = 121 if last <= 2000 else 41 if last <= 40_000 else 13
    low = max(first, 0.15 * planned.size if planned.size > 20 else first)
    return np.unique(np.rint(np.linspace(low, max(last, low + 10), points)))


def _effective_sizes(planned: Planned, sizes: FloatArray) -> Any:
    """Return the effective sample sizes of clustered examples."""
    return np.maximum(np.floor(sizes / planned.design_effect + 1e-9), 1).astype(np.int64)


def _collect_lines(planned: Planned, x: FloatArray, valued: Callable[[Any, FloatArray], Any]) -> list[_Line]:
    """Return the curve of the plan, and those of other assumptions."""
    own = [_Line("as planned", x, np.asarray(valued(planned.setting, x), dtype=float))]
    beside = [each for each in planned.beside if each.setting is not None][: _LINES - 1]
    return own + [_Line(each.assuming, x, np.asarray(valued(each.setting, x), dtype=float)) for each in beside]


def _draw_by_size(axes: Axes, planned: Planned, lines: list[_Line]) -> None:
    _draw_power(axes, planned, lines)
    if planned.reached:
        _mark_plan(
            axes, planned.size, planned.power, f"{many(planned.size)} {planned.unit}: {_format_power(planned.power)}"
        )
    else:
        setting: Any = planned.setting
        ever = float(setting.power(10**9, planned.difference))
        axes.axhline(ever, color=INK, linewidth=1.0, linestyle=DASHES[1])
        look: dict[str, Any] = {"ha": "right", "bbox": _VEIL, "zorder": 7}
        write_at(axes, (1, ever), f"at most {_format_power(ever)}", on=axes.get_yaxis_transform(), by=(-4, 10), **look)
    axes.xaxis.set_major_formatter(lambda value, _: many(value) if value == int(value) else "")
    name_axis(axes, x=_axis_label(planned.unit))


def _axis_label(unit: str) -> str:
    return f"number of {unit}"


# --- Power by difference --------------------------------------------------------------------------


def _by_difference(planned: Planned) -> Picture:
    if not math.isfinite(planned.size):
        raise InvalidOption(f"`planned` must have a finite number of {planned.unit} for a curve over differences.")
    setting: Any = planned.setting
    low, most = setting.least, setting.most
    if low == most:
        raise InvalidOption("`planned` must have a discordant rate above 0 for a curve over differences.")
    reach = planned.difference - low if math.isfinite(planned.difference) and planned.difference != low else most - low
    if planned.hypothesis == "equivalent":
        differences = np.linspace(low, -low, 81)
    else:
        far = min(low + 2.2 * reach, most) if reach > 0 else max(low + 2.2 * reach, most)
        differences = np.linspace(low, far, 61)
    size = _effective_sizes(planned, np.asarray(planned.size))
    lines = _collect_lines(planned, differences, lambda each, x: each.power(size, x))
    return _make_picture(
        f"Power by true difference, at {many(planned.size)} {planned.unit}",
        f"Power of {planned.method} at alpha = {planned.alpha:g} with {many(planned.size)}"
        f" {planned.unit}, by the true difference. {_describe_ends(lines, _format_power)}.",
        lines,
        ("true difference", "power"),
        lambda axes: _draw_by_difference(axes, planned, lines),
    )


def _draw_by_difference(axes: Axes, planned: Planned, lines: list[_Line]) -> None:
    scale = 100 if planned.points else 1
    _draw_power(axes, planned, [_Line(line.name, scale * line.x, line.y) for line in lines])
    if math.isfinite(planned.difference):
        text = f"{typeset(amount(planned.difference, planned.points))}: {_format_power(planned.power)}"
        _mark_plan(axes, scale * planned.difference, planned.power, text)
    axes.xaxis.set_major_formatter(lambda value, _: typeset(f"{value + 0.0:.4g}"))
    name_axis(axes, x=f"{_difference_of(planned)}{', in pp' * planned.points}")


def _difference_of(planned: Planned) -> str:
    """Return the name of the difference: of two models, from a threshold, or of wins."""
    if isinstance(planned.setting, Threshold):
        return "true error − threshold"
    if isinstance(planned.setting, Wins) and math.isnan(planned.setting.sd):
        return "P(B wins) − P(A wins)"
    return "true difference A − B"


# --- What they have in common ---------------------------------------------------------------------


def _draw_power(axes: Axes, planned: Planned, lines: list[_Line]) -> None:
    axes.set(ylim=(0, 1), yticks=[0, 0.2, 0.4, 0.6, 0.8, 1.0])
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:g}%")
    if not math.isnan(planned.target):
        axes.axhline(planned.target, **_DOTTED)
    _draw_lines(axes, lines)
    options = "" if math.isnan(planned.target) else f" (dotted: {100 * planned.target:g}%)"
    name_axis(axes, y=f"power{options}")


def _draw_widths(axes: Axes, planned: Planned, lines: list[_Line]) -> None:
    scale = 100 if planned.points else 1
    show_name = [_Line(line.name, line.x, scale * line.y) for line in lines]
    axes.set_ylim(0, 1.05 * max(float(np.nanmax(line.y)) for line in show_name))
    _draw_lines(axes, show_name)
    if planned.reached:
        text = f"{many(planned.size)} {planned.unit}: {amount(planned.width, planned.points)}"
        _mark_plan(axes, planned.size, scale * planned.width, text, below=False)
    axes.xaxis.set_major_formatter(lambda value, _: many(value) if value == int(value) else "")
    name_axis(axes, x=_axis_label(planned.unit), y=f"width{', in pp' * planned.points}")


def _draw_lines(axes: Axes, lines: list[_Line]) -> None:
    """Draw each curve, and a legend where it covers none of them."""
    axes.grid(visible=True, color=GRID, linewidth=0.6)
    ends = [float(end([end(line.x) for line in lines])) for end in (np.min, np.max)]
    axes.set_xlim(*ends)
    axes.locator_params(axis="x", nbins=6)
    looks = [{"color": COLOURS[at % len(COLOURS)], "linestyle": DASHES[at % len(DASHES)]} for at in range(len(lines))]
    for index, (line, look) in enumerate(zip(lines, looks, strict=True)):
        axes.plot(line.x, line.y, linewidth=1.8 if not index else 1.3, zorder=4 - index / 100, **look)
    if len(lines) == 1:
        return
    handles = [
        axes.plot([], [], label=_wrap_name(line.name), **look)[0] for line, look in zip(lines, looks, strict=True)
    ]
    spot: dict[str, Any] = {"loc": "best", "borderaxespad": 1.0}
    if is_narrow(axes):
        spot = {"loc": "upper left", "bbox_to_anchor": (0, -0.2), "borderaxespad": 0}
    legend = axes.legend(handles=handles, frameon=False, fontsize=8.5, handlelength=2.6, labelspacing=0.45, **spot)
    for text in legend.get_texts():
        text.set(**PLAIN)


def _wrap_name(name: str, most: int = 34) -> str:
    """Return a name in two lines where it is long."""
    if len(name) <= most:
        return name
    words, first = name.split(), ""
    while words and len(first) + len(words[0]) < len(name) / 2 + 4:
        first = f"{first} {words.pop(0)}".strip()
    return f"{first}\n{' '.join(words)}"


def _mark_plan(axes: Axes, x: float, y: float, text: str, *, below: bool = True) -> None:
    """Mark the planned point with its figures."""
    axes.axvline(x, **_DOTTED)
    axes.plot([x], [y], "o", color=COLOURS[0], markeredgecolor=PAPER, markersize=7, zorder=6, clip_on=False)
    low, high = axes.get_xlim()
    right = (x - low) / (high - low) < 0.55
    look: dict[str, Any] = {"ha": "left" if right else "right", "fontweight": "bold", "zorder": 7}
    look["bbox"] = _VEIL
    write_at(axes, (x, y), text, by=(8 if right else -8, -10 if below else 10), **look)


def _describe_ends(lines: list[_Line], written: Callable[[float], str]) -> str:
    """Return the first and the last value of each curve."""
    text = []
    for line in lines:
        known = np.flatnonzero(np.isfinite(line.y))
        if known.size:
            first, last = known[0], known[-1]
            text.append(f"{line.name}: from {written(float(line.y[first]))} to {written(float(line.y[last]))}")
    return join_listing(text)


def _format_power(power: float) -> str:
    return power_text(power, digits=3)


def _make_picture(
    title: str, alt: str, lines: list[_Line], head: tuple[str, str], draw: Callable[[Axes], None]
) -> Picture:
    rows = tuple(
        (line.name, float(x), float(y)) for line in lines for x, y in zip(line.x, line.y, strict=True) if np.isfinite(y)
    )
    numbers = Numbers(head=("assuming", *head), rows=rows)
    narrow = narrow_size(_TALL + 0.2 * len(lines))
    return Picture(title=title, alt=alt, numbers=numbers, draw=draw, size=(WIDTH, _TALL), narrow=narrow)
