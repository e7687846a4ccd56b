"""Decision trees on nominal attributes, split by exact probabilities, thousands in one call.

Where attributes have few values a sample is a table of counts, cell by class, and every node that any tree may have is
a margin of it: some attributes given, the others summed over. So all nodes of all samples are counted and scored
first, and each cell then walks down its tree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...typing_ import BoolArray, FloatArray, IntArray
from ..design import one_rate, whole
from .batched import Inducer
from .classifiers import Classifier

_MOST = 4096  # nodes that a tree may have
_MOST_NUMBERS = 2_000_000  # nodes of all samples together that are looked at at once
_DUST = 1e-9  # differences of logarithms that are rounding, no more
_SAME = 1e-7  # of the logarithms of probabilities that are equal


@dataclass(frozen=True, slots=True, eq=False)
class NominalRule(Classifier):
    """One label for each combination of the values of nominal attributes.

    Parameters
    ----------
    labels
        One a combination, (..., product of values); the last attribute changes fastest.
    values
        The number of values of each attribute.

    Examples
    --------
    >>> NominalRule(np.array([0, 1, 1, 0]), (2, 2)).predict([[0, 1], [1, 1]])
    array([1, 0])
    """

    labels: IntArray
    values: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array of classifiers."""
        return self.labels.shape[:-1]

    def predict(self, X: ArrayLike) -> IntArray:  # noqa: N803
        """Return the label of each example."""
        cell = _cell_index(X, self.values)
        batch = np.broadcast_shapes(self.shape, cell.shape[:-1])
        labels = np.broadcast_to(self.labels, (*batch, self.labels.shape[-1]))
        return np.take_along_axis(labels, np.broadcast_to(cell, (*batch, cell.shape[-1])), axis=-1)


@dataclass(frozen=True, slots=True, repr=False)
class NominalTree(Inducer):
    """A decision tree on nominal attributes, unpruned or stopped by an exact test.

    A node is divided by the attribute whose table of classes by values is the least probable under the multiple
    hypergeometric distribution, all margins given; the first among equals. It has a branch for every value. Unless
    `alpha` is given, nodes are divided until they are pure or no attribute tells their examples apart. With `alpha` a
    node stays whole if the test of Fisher, Freeman and Halton finds a p-value above alpha in that table: the sum of
    the probabilities of all tables with these margins that are no more probable. A leaf has the most frequent class of
    its examples, the smallest label among equals; a branch without examples has the class of the node above.

    Martin and Hirschberg (1996, appendix B.2) split and stop their trees by "the hypergeometric probability test",
    which they tell elsewhere; this is our reading of it.

    Parameters
    ----------
    values
        The number of values of each attribute, which are 0, 1, 2, …
    alpha
        The level at which nodes are tested; None for an unpruned tree.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]], [0, 0, 1, 0, 0]
    >>> NominalTree((2, 2)).fit(X, y).labels, NominalTree((2, 2), alpha=0.05).fit(X, y).labels
    (array([0, 0, 1, 0]), array([0, 0, 0, 0]))
    """

    values: tuple[int, ...]
    alpha: float | None = None

    def __post_init__(self) -> None:
        values = tuple(whole("values", value) for value in np.ravel(self.values).tolist())
        if not values or math.prod(value + 1 for value in values) > _MOST:
            raise InvalidOption(f"`values` must give a tree of at most {_MOST} nodes, got {self.values!r}.")
        object.__setattr__(self, "values", values)
        if self.alpha is not None:
            object.__setattr__(self, "alpha", one_rate("alpha", self.alpha))

    @property
    def name(self) -> str:
        """Name for reports."""
        return "unpruned tree" if self.alpha is None else "stopped tree"

    def fit(self, X: ArrayLike, y: ArrayLike) -> NominalRule:  # noqa: N803
        """Return the predictions of all trees for every cell."""
        cell, labels = _cell_index(X, self.values), np.asarray(y)
        if cell.ndim < 1 or labels.shape != cell.shape or not labels.shape[-1]:
            raise InvalidOption(
                f"`X` must have shape (..., examples, attributes) and `y` (..., examples), got {np.shape(X)}"
                f" and {labels.shape}."
            )
        if labels.dtype.kind not in "iub" or (labels.size and labels.min() < 0):
            raise InvalidOption("`y` must hold labels 0, 1, 2, …. Use np.unique(y, return_inverse=True)[1].")
        batch, examples = labels.shape[:-1], labels.shape[-1]
        cell, labels = cell.reshape(-1, examples), labels.reshape(-1, examples).astype(np.int64)
        shape = _number_nodes(self.values)
        classes, cells = max(int(labels.max(initial=0)) + 1, 2), math.prod(self.values)
        labelled = np.empty((len(labels), cells), dtype=np.int64)
        step = max(1, _MOST_NUMBERS // (shape.nodes * classes))
        for start in range(0, len(labels), step):
            some = slice(start, start + step)
            number = len(labels[some])
            key = (labels[some] * number + np.arange(number)[:, None]) * cells + cell[some]
            counts = np.bincount(key.ravel(), minlength=classes * number * cells)
            labelled[some] = self._label_cells(counts.reshape(classes, number, *self.values), shape, examples)
        return NominalRule(labelled.reshape(*batch, cells), self.values)

    def _label_cells(self, cells: IntArray, shape: _Shape, examples: int) -> IntArray:
        """Return the label of every cell of every sample."""
        counts = cells
        for axis in range(2, counts.ndim):  # the sum over an attribute is one more value of it
            counts = np.concatenate([counts, counts.sum(axis=axis, keepdims=True)], axis=axis)
        counts = counts.reshape(*cells.shape[:2], shape.nodes)  # class by class, as these are few
        number = counts.sum(axis=0)
        factorial = _log_factorials(examples)
        # Minus the logarithm of how many ways there are to deal the classes out among the examples of a node. The
        # probability of a table is the product of these ways over its branches, by those of the node.
        ways = factorial[counts].sum(axis=0) - factorial[number]
        chosen, surprise = _choose_splits(ways, number, shape)
        chosen[(counts.max(axis=0) == number) | (surprise == -np.inf)] = -1
        label: IntArray = counts.argmax(axis=0)
        rows = np.arange(len(number))[:, None]
        here = np.full((len(number), shape.cells), shape.root)
        predicted = np.repeat(label[:, shape.root, None], shape.cells, axis=1)
        for _ in shape.values:
            if self.alpha is not None:
                self._mark_leaves(chosen, np.unique(rows * shape.nodes + here), counts, shape)
            by = chosen[rows, here]
            here = np.where(by < 0, here, shape.below[here, by, np.arange(shape.cells)])
            predicted = np.where(number[rows, here] > 0, label[rows, here], predicted)
        return predicted

    def _mark_leaves(self, chosen: IntArray, reached: IntArray, counts: IntArray, shape: _Shape) -> None:
        """Mark reached nodes as leaves if the branches do not differ significantly."""
        row, node = np.divmod(reached, shape.nodes)
        split = chosen[row, node] >= 0
        row, node = row[split], node[split]
        if row.size:
            kids = shape.kids[node, chosen[row, node]]
            tables = np.where(kids[..., None] >= 0, counts[:, row[:, None], kids].transpose(1, 2, 0), 0)
            keep = differ(tables, float(self.alpha or 0.0))
            chosen[row[~keep], node[~keep]] = -1


@dataclass(frozen=True, slots=True, eq=False)
class _Shape:
    """All possible nodes of a tree on these attributes, and their links."""

    values: tuple[int, ...]
    nodes: int
    cells: int
    root: int
    kids: IntArray  # node, attribute, value: the branch; -1 where there is none
    below: IntArray  # node, attribute, cell: the branch in which the cell is, if it is in the node


@lru_cache(maxsize=64)
def _number_nodes(values: tuple[int, ...]) -> _Shape:
    """Return the nodes by number; the value after the last one means that the attribute is unused."""
    wide = tuple(value + 1 for value in values)
    nodes, cells = math.prod(wide), math.prod(values)
    codes = np.stack(np.unravel_index(np.arange(nodes), wide), axis=-1)
    cell = np.stack(np.unravel_index(np.arange(cells), values), axis=-1)
    strides = np.array([math.prod(wide[index + 1 :]) for index in range(len(wide))])
    kids = np.full((nodes, len(values), max(values)), -1)
    below = np.zeros((nodes, len(values), cells), dtype=np.int64)
    for attribute, many in enumerate(values):
        free = codes[:, attribute] == many
        base = np.arange(nodes) - many * strides[attribute]
        kids[free, attribute, :many] = base[free, None] + np.arange(many) * strides[attribute]
        below[free, attribute] = base[free, None] + cell[:, attribute] * strides[attribute]
    return _Shape(values, nodes, cells, nodes - 1, kids, below)


def _choose_splits(ways: FloatArray, number: IntArray, shape: _Shape) -> tuple[IntArray, FloatArray]:
    """Return the attribute with the least probable split of each node, and its log probability; -inf if none."""
    best, surprise = np.zeros(ways.shape, dtype=np.int64), np.full(ways.shape, -np.inf)
    for attribute, many in enumerate(shape.values):
        kids = shape.kids[:, attribute, :many]
        free = np.flatnonzero(kids[:, 0] >= 0)
        gains, some = np.zeros((len(ways), free.size)), np.zeros((len(ways), free.size), dtype=np.int8)
        for value in range(many):
            gains += ways[:, kids[free, value]]
            some += number[:, kids[free, value]] > 0
        score = np.where(some > 1, gains, -np.inf)
        better = score > surprise[:, free] + _DUST
        surprise[:, free] = np.where(better, score, surprise[:, free])
        best[:, free] = np.where(better, attribute, best[:, free])
    return best, surprise


@lru_cache(maxsize=64)
def _log_factorials(most: int) -> FloatArray:
    from scipy.special import gammaln

    return np.asarray(gammaln(np.arange(most + 1) + 1.0))


def _cell_index(X: ArrayLike, values: tuple[int, ...]) -> IntArray:  # noqa: N803
    """Return the index of each example's combination of values."""
    array = np.asarray(X)
    if array.ndim < 2 or array.shape[-1] != len(values):
        raise InvalidOption(f"`X` must have {len(values)} attributes, like `values`, got shape {array.shape}.")
    whole_ones = array.astype(np.int64)
    if (whole_ones != array).any() or (whole_ones < 0).any() or (whole_ones >= np.array(values)).any():
        raise InvalidOption(f"`X` must hold values 0, 1, 2, … below the numbers of values {values}.")
    cell = np.zeros(array.shape[:-1], dtype=np.int64)
    for attribute, many in enumerate(values):
        cell = cell * many + whole_ones[..., attribute]
    return cell


# --- The exact test of a table --------------------------------------------------------------------


def differ(tables: IntArray, alpha: float) -> BoolArray:
    """Return whether the exact p-value of each table, branches by classes, is at most alpha.

    It is no less than the probability of the table itself, and no more than that times the number of tables: what
    these two do not decide is enumerated, once for all tables of the same margins.

    Examples
    --------
    >>> tea = np.array([[[3, 1], [1, 3]]])  # Fisher's lady: p = 34/70
    >>> differ(tea, 0.48), differ(tea, 0.49)
    (array([False]), array([ True]))
    """
    factorial = _log_factorials(int(tables.sum(axis=(1, 2)).max()))
    rows, columns = np.sort(tables.sum(axis=2), axis=1), np.sort(tables.sum(axis=1), axis=1)
    log_p = factorial[rows].sum(axis=1) + factorial[columns].sum(axis=1)
    log_p -= factorial[rows.sum(axis=1)] + factorial[tables].sum(axis=(1, 2))
    free = np.minimum(rows[:, :-1, None], columns[:, None, :-1]) + 1.0
    limit = math.log(alpha) if alpha else -math.inf
    unequal: BoolArray = log_p + np.log(free).sum(axis=(1, 2)) <= limit
    undecided = np.flatnonzero(~unequal & (log_p <= limit + _DUST))
    if undecided.size:
        margins, which = _unique_margins(np.concatenate([rows, columns], axis=1)[undecided])
        critical = [_critical_probability(*_normalise_margins(each, rows.shape[1]), alpha) for each in margins.tolist()]
        unequal[undecided] = log_p[undecided] <= np.array(critical)[which]
    return unequal


def _unique_margins(margins: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct margins, and their index for each table."""
    base = int(margins.max()) + 1
    if base ** margins.shape[1] > 2**62:
        unlike, which = np.unique(margins, axis=0, return_inverse=True)
        return unlike, which.ravel()
    key = margins @ (base ** np.arange(margins.shape[1]))  # one number is sorted far faster than a row
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    return margins[first], which.ravel()


def _normalise_margins(margins: list[int], rows: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return margins without zeros, the shorter one first, as transposed tables have equal probabilities."""
    first, second = tuple(filter(None, margins[:rows])), tuple(filter(None, margins[rows:]))
    return (first, second) if (len(first), first) <= (len(second), second) else (second, first)


@lru_cache(maxsize=1_000_000)
def _critical_probability(rows: tuple[int, ...], columns: tuple[int, ...], alpha: float) -> float:
    """Return the critical log probability of tables with these margins at level alpha."""
    logs = np.sort(_log_probabilities(rows, columns))
    pvalues = np.cumsum(np.exp(logs))
    # Tables that are equally probable have the p-value of the last of them.
    last = np.append(logs[1:] > logs[:-1] + _SAME, True)
    critical = logs[last & (pvalues <= alpha * (1 + _DUST))]
    return float(critical[-1]) + _SAME if critical.size else -math.inf


def _log_probabilities(rows: tuple[int, ...], columns: tuple[int, ...]) -> FloatArray:
    """Return the sorted log probabilities of all tables with these margins.

    The last row, the longest, follows from the others, and so does the last column.
    """
    factorial = _log_factorials(sum(rows))
    left, weight = [np.array([column]) for column in columns], np.zeros(1)  # column by column, as these are few
    for total in rows[:-1]:
        row = _list_compositions(total, columns).T
        fits = np.ones((weight.size, row.shape[1]), dtype=bool)
        for some, entry in zip(left, row, strict=True):
            fits &= entry <= some[:, None]
        state, which = np.nonzero(fits)
        weight = weight[state] - factorial[row].sum(axis=0)[which]
        left = [some[state] - entry[which] for some, entry in zip(left, row, strict=True)]
    for some in left:
        weight -= factorial[some]
    margins = factorial[list(rows)].sum() + factorial[list(columns)].sum() - factorial[sum(rows)]
    return np.asarray(weight + margins)


@lru_cache(maxsize=10_000)
def _list_compositions(total: int, most: tuple[int, ...]) -> IntArray:
    """Return all rows of a table with a given total and entries within the column totals."""
    grid = np.stack(np.meshgrid(*(np.arange(min(each, total) + 1) for each in most[:-1]), indexing="ij"), axis=-1)
    grid = grid.reshape(-1, len(most) - 1)
    last = total - grid.sum(axis=-1)
    fits = (last >= 0) & (last <= most[-1])
    return np.concatenate([grid[fits], last[fits, None]], axis=-1)
