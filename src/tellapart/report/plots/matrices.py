"""The picture of confusion matrices, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InvalidOption, import_extra
from ...evidence import ConfusionMatrix, LabelPatterns, PairedConfusion
from ...rendering import significant
from ...typing_ import IntArray
from ..picture import Numbers, Picture, drawn
from ..style import COLOURS, INK, MUTED
from .drawable_types import undrawable
from .labels import PHONE, is_narrow, join_listing, longest_length, name_axis, show_name, write_at
from .rows import WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Confused = ConfusionMatrix | PairedConfusion | LabelPatterns | Mapping[str, ConfusionMatrix]

_LABELS = 30  # that can be read; of more, those with the most mistakes
_PHONE_LABELS = 6  # labels that a phone has room for
_WIDE = 8  # labels up to which two matrices fit side by side
_MODELS = 6  # matrices that a picture has room for
_LEVELS = 10  # shades


def confusions(evidence: Confused, *, ax: Axes | None = None) -> Axes:
    """Draw confusion matrices side by side: how many examples of each label got which prediction.

    A cell is the darker, the larger its share of the label; right ones are of one colour, mistakes of another. Of more
    than 30 labels those with the most mistakes are shown, and the rest together.

    Parameters
    ----------
    evidence
        A `ConfusionMatrix`, the `PairedConfusion` of two models, the `LabelPatterns` of several, or a mapping from
        names to confusion matrices of the same labels.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> matrix = ta.ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"])
    >>> confusions(matrix).get_title(loc="left")
    'Confusion matrix'
    """
    return drawn(confusions_picture(evidence), ax)


def confusions_picture(evidence: Confused) -> Picture:
    """Return the picture that `confusions` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> matrix = ta.ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"])
    >>> confusions_picture(matrix).numbers.rows[1]
    ('', 'ham', 'spam', 10, 0.16666666666666666)
    """
    matrices = matrices_of(evidence)
    labels = next(iter(matrices.values())).labels
    names, counts = _readable_colour(
        [str(label) for label in labels], {name: each.counts for name, each in matrices.items()}
    )
    shown_ones = dict(list(counts.items())[:_MODELS])
    layout, narrow = (_MatrixLayout(names, list(shown_ones), width) for width in (WIDTH, PHONE))

    rows = tuple(
        (
            model,
            names[label],
            names[message],
            int(cells[label, message]),
            float(cells[label, message] / cells[label].sum()),
        )
        for model, cells in shown_ones.items()
        for label, message in zip(*np.nonzero(cells), strict=True)
    )
    return Picture(
        title="Confusion matrix",
        alt=_describe_picture(names, shown_ones, len(labels)),
        numbers=Numbers(head=("model", "label", "prediction", "examples", "share of the label"), rows=rows),
        draw=lambda axes: _draw_picture(axes, narrow if is_narrow(axes) else layout, shown_ones),
        size=(WIDTH, layout.height),
        narrow=(PHONE, narrow.height + 0.2) if len(names) <= _PHONE_LABELS else None,
    )


def matrices_of(evidence: Confused) -> dict[str, ConfusionMatrix]:
    """Return confusion matrices by the name of their model; raise InvalidOption for anything else."""
    result = find_matrices(evidence)
    if result is None:
        raise undrawable(
            "evidence", evidence, "a ConfusionMatrix, a PairedConfusion, LabelPatterns, or ConfusionMatrices by name"
        )
    if any(each.shape for each in result.values()):
        raise InvalidOption("`evidence` must have one matrix for each model, got an array of them. Index it.")
    if len({each.labels for each in result.values()}) > 1:
        raise InvalidOption("`evidence` must have matrices of the same labels in the same order.")
    return result


@singledispatch
def find_matrices(_: object) -> dict[str, ConfusionMatrix] | None:
    """Return the confusion matrix of each model; None for evidence without labels and predictions."""
    return None


@find_matrices.register
def _matrix_alone(matrix: ConfusionMatrix) -> dict[str, ConfusionMatrix]:
    return {"": matrix}


@find_matrices.register
def _matrices_of_two(pair: PairedConfusion) -> dict[str, ConfusionMatrix]:
    return dict(zip(pair.models, (pair.confusion_a, pair.confusion_b), strict=True))


@find_matrices.register
def _matrices_of_patterns(patterns: LabelPatterns) -> dict[str, ConfusionMatrix]:
    return {name: patterns.confusion(name) for name in patterns.models}


@find_matrices.register
def _matrices_by_name(matrices: Mapping) -> dict[str, ConfusionMatrix] | None:  # type: ignore[type-arg]  # as registered
    parts = {str(name): find_matrices(matrix) for name, matrix in matrices.items()}
    alone = {name: part[""] for name, part in parts.items() if part is not None and list(part) == [""]}
    return alone if alone and len(alone) == len(parts) else None


def _readable_colour(names: list[str], counts: dict[str, IntArray]) -> tuple[list[str], dict[str, IntArray]]:
    """Return no more labels than can be read: of many those with the most mistakes, and the rest as one."""
    if len(names) <= _LABELS:
        return names, counts
    wrong = sum(each.sum(axis=0) + each.sum(axis=1) - 2 * np.diagonal(each) for each in counts.values())
    kept = np.sort(np.argsort(-np.asarray(wrong), kind="stable")[: _LABELS - 1])
    index = np.full(len(names), _LABELS - 1)
    index[kept] = np.arange(kept.size)
    pooled = {}
    for name, each in counts.items():
        cells = np.zeros((_LABELS, _LABELS), dtype=np.int64)
        np.add.at(cells, (index[:, None], index[None, :]), each)
        pooled[name] = cells
    return [*(names[label] for label in kept), f"{len(names) - kept.size} others"], pooled


class _MatrixLayout:
    """Layout: matrices in rows of one or two, in units of a cell."""

    def __init__(self, names: list[str], models: list[str], width: float) -> None:
        size = len(names)
        self.labels = [show_name(name, 16) for name in names]
        self.columns = 2 if size <= _WIDE and len(models) > 1 and width == WIDTH else 1
        self.room = 62 if size <= _WIDE else 68  # typographic points at most for the names of labels
        across = self.columns * size + 0.5 * (self.columns - 1)
        self.width = 72 * (width - 1.5) / across  # of a cell, in typographic points
        self.tall = 30 if size <= _WIDE else min(30.0, max(self.width, 12.5))
        self.turned = 4.9 * longest_length(self.labels) > self.width
        heads = (min(self.room, 5.0 * longest_length(self.labels)) if self.turned else 11) + (15 if any(models) else 0)
        self.head = (heads + 8) / self.tall
        self.lines = -(-len(models) // self.columns)
        self.across, self.down = across, self.lines * (size + self.head)
        self.height = self.tall * self.down / 72 + 0.75
        self.small = size > _WIDE

    def corner(self, index: int) -> tuple[float, float]:
        """Return the position of the upper left cell of a matrix."""
        line, column = divmod(index, self.columns)
        size = len(self.labels)
        return column * (size + 0.5), line * (size + self.head) + self.head


def _draw_picture(axes: Axes, layout: _MatrixLayout, counts: dict[str, IntArray]) -> None:
    axes.set(xlim=(0, layout.across), ylim=(layout.down, 0), xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    for index, (model, cells) in enumerate(counts.items()):
        left, top = layout.corner(index)
        _shade_region(axes, cells, left, top)
        _format_count(axes, layout, cells, left, top)
        _name_matrix(axes, layout, model, index, left, top)
    name_axis(axes, x="columns: the prediction; rows: the label; darker: a larger share of the label")


def _shade_region(axes: Axes, cells: IntArray, left: float, top: float) -> None:
    """Shade the cells by their share of the label: one path for all of a shade, so that many stay a small file."""
    paths, patches = (import_extra(f"matplotlib.{name}", "plot") for name in ("path", "patches"))
    share = cells / np.maximum(cells.sum(axis=1, keepdims=True), 1)
    level = np.ceil(_LEVELS * share).astype(int)
    right = np.eye(len(cells), dtype=bool)
    for colour, of_kind in ((COLOURS[0], right), (COLOURS[1], ~right)):
        for step in range(1, _LEVELS + 1):
            places = np.argwhere((level == step) & of_kind)
            if places.size:
                boxes = [
                    paths.Path.unit_rectangle().transformed(_cell_position(left + x, top + y))
                    for y, x in places.tolist()
                ]
                shape = paths.Path.make_compound_path(*boxes)
                axes.add_patch(
                    patches.PathPatch(shape, facecolor=colour, linewidth=0, alpha=0.06 + 0.5 * step / _LEVELS)
                )
    size = len(cells)
    axes.add_patch(patches.Rectangle((left, top), size, size, fill=False, edgecolor=MUTED, linewidth=0.8))


def _cell_position(x: float, y: float) -> Any:
    return import_extra("matplotlib.transforms", "plot").Affine2D().translate(x, y)


def _format_count(axes: Axes, layout: _MatrixLayout, cells: IntArray, left: float, top: float) -> None:
    """Write counts, and their shares of the label if there is room."""
    whole = cells.sum(axis=1)
    for y, x in np.argwhere(cells > 0 if layout.small else cells >= 0).tolist():
        text = _shorten_label(int(cells[y, x]), 2 if layout.small else 3)
        look: dict[str, Any] = {"ha": "center", "color": INK}
        if layout.small:
            size = min(7.0, 1.45 * layout.width / max(len(text), 3))
            write_at(axes, (left + x + 0.5, top + y + 0.5), text, fontsize=size, **look)
            continue
        share = "–" if whole[y] == 0 else f"{100 * cells[y, x] / whole[y]:.0f}%"
        write_at(axes, (left + x + 0.5, top + y + 0.5), text, by=(0, 5.5), fontsize=8.5, **look)
        write_at(axes, (left + x + 0.5, top + y + 0.5), share, by=(0, -6), fontsize=7, **look | {"color": MUTED})


def _name_matrix(axes: Axes, layout: _MatrixLayout, model: str, index: int, left: float, top: float) -> None:
    """Write the model above its matrix, and the labels above the columns and beside the rows."""
    size = 8.0 if not layout.small else min(8.0, 0.62 * layout.tall)
    look: dict[str, Any] = {"fontsize": size, "rotation": 90 if layout.turned else 0, "va": "bottom", "ha": "center"}
    for step, label in enumerate(layout.labels):
        write_at(axes, (left + step + 0.5, top), label, by=(0, 3), **look)
        if index % layout.columns == 0:
            write_at(axes, (left, top + step + 0.5), label, by=(-4, 0), ha="right", fontsize=size)
    if model:
        room = layout.width * len(layout.labels)
        least = top - layout.head + 6 / layout.tall
        name = show_name(model, max(8, min(40, int(room / 5.2))))
        write_at(axes, (left, least), name, va="top", fontsize=9, fontweight="bold")


def _shorten_label(count: int, digits: int) -> str:
    """Write a count in few signs: 950, 12.3k, 4.6M."""
    for unit, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= unit * (10 if unit == 1e3 and digits > 2 else 1):
            return f"{significant(count / unit, digits)}{sign}"
    return str(count)


def _describe_picture(names: list[str], counts: dict[str, IntArray], labels: int) -> str:
    text = []
    for model, cells in counts.items():
        wrong = cells - np.diag(np.diagonal(cells))
        total = int(cells.sum())
        message = f"{int(wrong.sum()):,} of {total:,} wrong"
        if wrong.any():
            label, taken = np.unravel_index(int(wrong.argmax()), wrong.shape)
            message += f", most often {names[label]} predicted as {names[taken]} ({int(wrong.max()):,})"
        text.append(f"{model}: {message}" if model else message)
    return f"How often each of {labels} labels (rows) got which prediction (columns): {join_listing(text)}."
