"""The posterior triangle: A better, practically equal, B better."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InvalidOption, import_extra
from ...evidence import ScoreTable
from ...results import Comparison
from ...typing_ import FloatArray
from ..picture import Numbers, Picture, drawn
from ..style import COLOURS, INK, MUTED
from .data_sets import known_of, rope_of
from .labels import name_axis, show_name, write_at

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GRID = 44  # parts of an edge
_LEVELS = 7  # shades
_CORNERS = np.array([[0.0, 0.0], [0.5, math.sqrt(3) / 2], [1.0, 0.0]])  # A better, practically equal, B better
_LOOKS = (COLOURS[1], COLOURS[7], COLOURS[0])
_METHODS = ("bayesian-sign", "bayesian-signed-rank", "hierarchical")


def posterior_triangle(
    evidence: Comparison | ScoreTable,
    *,
    rope: float | None = None,
    method: str | None = None,
    resamples: int = 20_000,
    rng: Any = 0,
    ax: Axes | None = None,
) -> Axes:
    """Draw the posterior of two learners in a triangle: A better, practically equal, B better.

    The closer a draw of the posterior lies to a corner, the larger its share. The lines divide the triangle by the
    largest share; beside each corner stands the proportion of draws in its region, which is its probability.

    Parameters
    ----------
    evidence
        Result of `compare` for two learners over many data sets, or their scores.
    rope
        Half-width of the region of practical equivalence, above 0; by default that of the answer, else 0.01.
    method
        "bayesian-signed-rank", "bayesian-sign" or "hierarchical"; that of the answer, if it is one of them.
    resamples
        How many draws.
    rng
        The seed of the draws, or a generator.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> table = ta.ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92, 0.6], "tree": [0.85, 0.75, 0.91, 0.8]})
    >>> posterior_triangle(table, rope=0.01).get_title(loc="left")
    'Posterior: better or practically equal'
    """
    return drawn(posterior_triangle_picture(evidence, rope=rope, method=method, resamples=resamples, rng=rng), ax)


def posterior_triangle_picture(
    evidence: Comparison | ScoreTable,
    *,
    rope: float | None = None,
    method: str | None = None,
    resamples: int = 20_000,
    rng: Any = 0,
) -> Picture:
    """Return the picture that `posterior_triangle` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> table = ta.ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92, 0.6], "tree": [0.85, 0.75, 0.91, 0.8]})
    >>> [row[0] for row in posterior_triangle_picture(table, rope=0.01).numbers.rows]
    ['nb better', 'practically equal', 'tree better']
    """
    from ...methods.score_table.bayesian import practical_draws

    table, _, _ = known_of(evidence)
    size = (rope_of(evidence) or 0.01) if rope is None else rope
    if isinstance(size, bool) or not (isinstance(size, int | float | np.number) and 0 < size < math.inf):
        raise InvalidOption(f"`rope` must be a number above 0, got {size!r}. For 1 pp use 0.01.")
    options = getattr(evidence, "method", "") if method is None else method
    name = options if options in _METHODS or method is not None else "bayesian-signed-rank"
    draws = practical_draws(table, method=name, rope=float(size), resamples=resamples, rng=rng)
    shares = _count_shares(evidence, draws, float(size), name)
    a, b = table.learners
    names = (f"{a} better", "practically equal", f"{b} better")
    text = ", ".join(f"P({what}) = {_share_of_draws(share)}" for what, share in zip(names, shares, strict=True))
    return Picture(
        title="Posterior: better or practically equal",
        alt=(
            f"{len(draws):,} posterior draws for {a} and {b} by {name}, in a triangle with the corners"
            f" {', '.join(names)} (within {size:g}): {text}."
        ),
        numbers=Numbers(
            head=("corner", "probability", "mean share", "share, 5% quantile", "share, 95% quantile"),
            rows=tuple(
                (what, float(share), float(part.mean()), *(float(each) for each in np.quantile(part, (0.05, 0.95))))
                for what, share, part in zip(names, shares, draws.T, strict=True)
            ),
        ),
        draw=lambda axes: _draw_picture(axes, draws, shares, (a, b), float(size), name),
        size=(6.4, 4.6),
    )


def _count_shares(evidence: Any, draws: FloatArray, rope: float, method: str) -> FloatArray:
    """Return the three probabilities: those of the answer if it has the same options, else the shares of draws."""
    text = evidence.test.practical if isinstance(evidence, Comparison) else None
    if text is not None and text.rope == rope and evidence.method == method:
        return np.array([text.a_better, text.equivalent, text.b_better], dtype=float)
    most = draws == draws.max(axis=1, keepdims=True)
    shares: FloatArray = (most / most.sum(axis=1, keepdims=True)).mean(axis=0)
    return shares


def _share_of_draws(share: float) -> str:
    return "< 0.001" if share < 0.0005 else "> 0.999" if share >= 0.9995 else f"{share:.3f}"


# --- How it is drawn ------------------------------------------------------------------------------


def _draw_picture(
    axes: Axes, draws: FloatArray, shares: FloatArray, names: tuple[str, str], rope: float, method: str
) -> None:
    called = [show_name(name, 26) for name in names]
    aside = 0.16 if max(map(len, called)) <= 14 else 0.5  # long names take room beside the corners
    axes.set(xlim=(-aside, 1 + aside), ylim=(-0.17, _CORNERS[1, 1] + 0.16), xticks=[], yticks=[], aspect="equal")
    axes.spines[:].set_visible(False)
    middle = _CORNERS.mean(axis=0)
    for index, colour in enumerate(_LOOKS):
        ends = [(_CORNERS[index] + _CORNERS[(index + step) % 3]) / 2 for step in (1, 2)]
        axes.fill(*np.array([_CORNERS[index], ends[0], middle, ends[1]]).T, color=colour, alpha=0.06, linewidth=0)
    _shade_region(axes, draws)
    outline = np.vstack([_CORNERS, _CORNERS[:1]])
    axes.plot(*outline.T, color=MUTED, linewidth=1.2, solid_joinstyle="round", zorder=3)
    for one, other in ((0, 1), (1, 2), (0, 2)):  # two shares are equal, and larger than the third
        edge = (_CORNERS[one] + _CORNERS[other]) / 2
        axes.plot(*np.array([middle, edge]).T, color=INK, linewidth=0.9, linestyle=(0, (4, 2)), zorder=3)
    _name_corners(axes, called, shares, rope)
    message = "at the corners: probability"
    name_axis(axes, x=f"shaded: density of the posterior draws ({method})\n{message}")


def _name_corners(axes: Axes, names: list[str], shares: FloatArray, rope: float) -> None:
    """Write the label and the probability of each corner; long names begin at the edges of the picture."""
    a, equal, b = (_share_of_draws(float(share)) for share in shares)
    look: dict[str, Any] = {"fontsize": 9.5, "fontweight": "bold", "linespacing": 1.25}
    write_at(
        axes,
        tuple(_CORNERS[1]),
        f"practically equal (within {rope:g})\n{equal}",
        by=(0, 8),
        va="bottom",
        ha="center",
        **look,
    )
    left, right = axes.get_xlim()
    write_at(axes, (left + 0.06, 0.0), f"{names[0]} better\n{a}", by=(0, -8), va="top", **look)
    write_at(axes, (right - 0.06, 0.0), f"{names[1]} better\n{b}", by=(0, -8), va="top", ha="right", **look)


def _shade_region(axes: Axes, draws: FloatArray) -> None:
    """Shade a grid of small triangles by how many draws fall into each, in the colour of the corner that is nearest.

    One path for all of a shade, so that any number of draws is a small file.
    """
    paths, patches = (import_extra(f"matplotlib.{name}", "plot") for name in ("path", "patches"))
    cells, counts = np.unique(np.minimum((_GRID * draws).astype(int), _GRID - 1), axis=0, return_counts=True)
    level = np.ceil(_LEVELS * np.sqrt(counts / counts.max())).astype(int)  # the eye sees area
    boxes: dict[tuple[int, int], list[FloatArray]] = {}
    for cell, step in zip(cells, level, strict=True):
        corners = _is_small(cell)
        nearest = int(np.argmax(corners.mean(axis=0)))
        boxes.setdefault((nearest, int(step)), []).append(corners @ _CORNERS)
    codes = [paths.Path.MOVETO, paths.Path.LINETO, paths.Path.LINETO, paths.Path.CLOSEPOLY]
    for (nearest, step), result in sorted(boxes.items(), key=lambda each: each[0]):
        shapes = [paths.Path(np.vstack([corners, corners[:1]]), codes) for corners in result]
        axes.add_patch(
            patches.PathPatch(paths.Path.make_compound_path(*shapes), facecolor=_LOOKS[nearest], linewidth=0,
                              alpha=0.1 + 0.85 * step / _LEVELS, zorder=2)
        )  # fmt: skip


def _is_small(cell: Any) -> FloatArray:
    """Return the corners of a small triangle of the grid, as three parts each, from the whole numbers below its parts.

    In a triangle that stands on its edge these add up to one less than the grid has, in one upside down to two less.
    """
    whole = np.asarray(cell, dtype=float)
    steps = np.eye(3) if whole.sum() >= _GRID - 1 else 1 - np.eye(3)
    corners: FloatArray = (whole + steps) / (whole + steps).sum(axis=1, keepdims=True)
    return corners
