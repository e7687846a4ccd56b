"""Areas under curves and average precision from one sort per model.

No pairs are compared. In the order of the scores, the number of examples of a class below another example is a
running count of labels, and ties are the bounds of groups of equal scores. All functions take scores by example
along the last dimension; leading dimensions are models and entries, sorted in one call. The labels, which are the same
for all, mark the positive examples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..typing_ import BoolArray, FloatArray, IntArray

_WORST = 0.05  # an area below which nearly all pairs are ranked wrongly
_PIECE = 15_000  # scores that fit the processor's cache with all temporary arrays


def area(positive: BoolArray, scores: FloatArray) -> FloatArray:
    """Return the area under the ROC curve: the probability that a positive has the larger score, ties counting half.

    Examples
    --------
    >>> area(np.array([False, False, True, True]), np.array([0.1, 0.4, 0.35, 0.8]))
    np.float64(0.75)
    """
    many = int(np.count_nonzero(positive))
    below = _fill_rows(lambda part, out: _sum_below(positive, part, out), scores)
    return (below / (many * (positive.size - many)))[()]


def misplacements(positive: BoolArray, scores: FloatArray) -> FloatArray:
    """Return for each example how many of the other class are ranked wrongly against it, ties counting half.

    For a positive, the negatives with larger scores; for a negative, the positives with smaller scores. One minus their
    share of the other class is the placement value, whose variance gives that of the area.

    Examples
    --------
    >>> misplacements(np.array([False, False, True, True]), np.array([0.1, 0.4, 0.35, 0.8]))
    array([0., 1., 1., 0.])
    """
    return _fill_rows(lambda part, out: _fill_misplacements(positive, part, out), scores, whole=True)


class Areas(NamedTuple):
    """Areas under ROC curves with their covariance."""

    means: FloatArray  # [..., model]
    covariance: FloatArray  # [..., model, model]
    differing: IntArray  # the number of examples with different placements by the first two models; 0 for one model


def areas(positive: BoolArray, scores: FloatArray) -> Areas:
    """Return the areas of models with DeLong's covariance: S₁₀/m + S₀₁/n, of the placements of either class.

    A class of a single example adds no variance.

    Examples
    --------
    >>> result = areas(np.array([False, False, True, True]), np.array([[0.1, 0.4, 0.35, 0.8], [0.2, 0.3, 0.7, 0.9]]))
    >>> result.means, result.covariance.round(6).tolist()
    (array([0.75, 1.  ]), [[0.125, 0.0], [0.0, 0.0]])
    """
    many = int(np.count_nonzero(positive))
    others = positive.size - many
    wrong = misplacements(positive, scores)
    sums = _sum_by_class(positive, wrong)
    means: FloatArray = 1 - sums.ours / (many * others)
    differing, mostly_wrong = _count_differing(wrong), means < _WORST
    if mostly_wrong.any():  # exact squares: use right ranks
        wrong = np.where(mostly_wrong[..., None], np.where(positive, others, many) - wrong, wrong)
        sums = _sum_by_class(positive, wrong)
    covariance = _covariance_of_means(sums.squares, sums.ours, many, others)
    covariance = covariance + _covariance_of_means(sums.rest, sums.theirs, others, many)
    sign = np.where(mostly_wrong, -1.0, 1.0)
    return Areas(means, covariance * sign[..., None] * sign[..., None, :], differing)


class _ClassSums(NamedTuple):
    """Sums over the positives and over the negatives, of values and of their products."""

    ours: FloatArray
    theirs: FloatArray
    squares: FloatArray
    rest: FloatArray


def _sum_by_class(positive: BoolArray, values: FloatArray) -> _ClassSums:
    """Return the sums of values and products by class, computed in chunks to save memory."""
    sums = [np.zeros(values.shape[:-1]) for _ in range(2)]
    squares = [np.zeros((*values.shape[:-1], values.shape[-2])) for _ in range(2)]
    for at in range(0, positive.size, _PIECE):
        part = values[..., at : at + _PIECE]
        positives = part * positive[at : at + _PIECE]
        for index, (left, right) in enumerate(((positives, part), (part, part))):
            sums[index] += left.sum(axis=-1)
            squares[index] += _sum_products(left, right)
    return _ClassSums(sums[0], sums[1] - sums[0], squares[0], squares[1] - squares[0])


def _covariance_of_means(squares: FloatArray, sums: FloatArray, count: int, others: int) -> FloatArray:
    """Return the covariance of means over `count` examples, from sums of products and of values."""
    scatter: FloatArray = squares - sums[..., None] * sums[..., None, :] / count
    return scatter / (max(count - 1, 1) * count * float(others) ** 2)


def areas_of_classes(labels: IntArray, scores: FloatArray) -> Areas:
    """Return the mean over the classes of the area of each against the rest; scores are [..., model, example, class].

    The influence of an example is the sum of its contributions to all areas. The variance within a class is a sample
    variance as in DeLong's estimate; the variance between the classes' means is added, which is 0 for two classes.

    Examples
    --------
    >>> chances = np.array([[[0.6, 0.4], [0.3, 0.7], [0.7, 0.3], [0.2, 0.8]]])
    >>> areas_of_classes(np.array([0, 1, 1, 0]), chances).means
    array([0.25])
    """
    size = scores.shape[-1]
    means: Any = 0.0
    influence: Any = 0.0
    differing: Any = 0
    for index in range(size):
        positive = labels == index
        many = int(np.count_nonzero(positive))
        others = positive.size - many
        wrong = misplacements(positive, scores[..., index])
        lacks = wrong @ positive.astype(float) / (many * others)
        differing = np.maximum(differing, _count_differing(wrong))
        means = means + (1 - lacks) / size
        influence = influence + (lacks[..., None] / np.where(positive, many, others) - wrong / (many * others)) / size
    covariance: Any = 0.0
    for index in range(size):
        part = influence[..., labels == index]
        many = part.shape[-1]
        mean = part.mean(axis=-1, keepdims=True)
        centred = part - mean
        covariance = (
            covariance + _sum_products(centred, centred) * (many / max(many - 1, 1)) + many * _sum_products(mean, mean)
        )
    return Areas(means, covariance, differing)


def _sum_products(left: FloatArray, right: FloatArray) -> FloatArray:
    products: FloatArray = left @ np.swapaxes(right, -1, -2)
    return products


def _count_differing(placed: FloatArray) -> Any:
    if placed.shape[-2] < 2:
        return np.zeros(placed.shape[:-2], dtype=np.int64)[()]
    return np.count_nonzero(placed[..., 0, :] != placed[..., 1, :], axis=-1)


def average_precision(positive: BoolArray, scores: FloatArray) -> FloatArray:
    """Return the mean of the precision at every positive, as scikit-learn computes it: ties form one step.

    Examples
    --------
    >>> average_precision(np.array([False, False, True, True]), np.array([0.1, 0.4, 0.35, 0.8])).round(4)
    np.float64(0.8333)
    """
    return _fill_rows(lambda part, out: _sum_precision(positive, part, out), scores)[()]


def tie_groups(rows: FloatArray, order: IntArray) -> IntArray | None:
    """Return the starts of groups of equal scores in sorted rows, laid end to end; None without ties.

    Examples
    --------
    >>> tie_groups(np.array([[0.3, 0.1, 0.3, 0.7]]), np.array([[1, 0, 2, 3]]))
    array([0, 1, 3])
    """
    scores = np.take_along_axis(rows, order, axis=-1)
    differs = np.ones(rows.shape, dtype=bool)
    np.not_equal(scores[:, 1:], scores[:, :-1], out=differs[:, 1:])
    return None if differs.all() else np.flatnonzero(differs)


def midranks(scores: FloatArray) -> FloatArray:
    """Return the rank of each score from 1, ties sharing their middle rank.

    Examples
    --------
    >>> midranks(np.array([0.3, 0.1, 0.3, 0.7]))
    array([2.5, 1. , 2.5, 4. ])
    """
    return _fill_rows(_fill_midranks, scores, whole=True)


def _fill_rows(
    fill: Callable[[FloatArray, FloatArray], None], scores: FloatArray, *, whole: bool = False
) -> FloatArray:
    """Return the results that a function fills in for chunks of rows: a number for each row, or for each score."""
    rows = scores.reshape(-1, scores.shape[-1])
    results = np.zeros(rows.shape if whole else len(rows))
    step = max(_PIECE // rows.shape[1], 1)
    for at in range(0, len(rows), step):
        fill(rows[at : at + step], results[at : at + step])
    return results.reshape(scores.shape if whole else scores.shape[:-1])


class _SortedPiece:
    """Sorted scores: a part of one long row between groups of ties, or several rows laid end to end."""

    def __init__(self, places: IntArray, labels: BoolArray, starts: IntArray | None, first: int, before: int) -> None:
        self.places, self.labels = places, labels
        self.starts = starts  # of groups of equal scores; None without ties
        self.first = first  # the position in its row
        self.before = np.empty(
            labels.size + 1, dtype=np.int64
        )  # the positives before each position, and after the last
        self.before[0] = before
        np.cumsum(labels.view(np.int8), out=self.before[1:])
        self.before[1:] += before

    def groups(self, size: int) -> tuple[IntArray, IntArray, IntArray]:
        """Return the start, end and row of each group of equal scores, for rows of this size."""
        starts = np.arange(self.labels.size) if self.starts is None else self.starts
        return starts, np.append(starts[1:], self.labels.size), (self.first + starts) // size

    def below(self, size: int, many: int) -> tuple[IntArray, IntArray]:
        """Return twice the positives and twice the negatives below each group, the group itself counting half."""
        starts, ends, row = self.groups(size)
        positives = self.before[starts] + self.before[ends] - 2 * many * row
        return positives, 2 * self.first + starts + ends - 2 * size * row - positives


def _split_pieces(positive: BoolArray, rows: FloatArray) -> Iterator[_SortedPiece]:
    """Yield sorted pieces that fit the processor's cache: all rows at once if they are short."""
    order = rows.argsort(axis=-1)
    if len(rows) > 1:
        places = (order + rows.shape[1] * np.arange(len(rows))[:, None]).ravel()
        yield _SortedPiece(places, positive[order].ravel(), tie_groups(rows, order), 0, 0)
        return
    scores, places = rows[0], order[0]
    at, before, width = 0, 0, _PIECE
    while at < places.size:
        here = places[at : at + width]
        near = scores[here]
        differs = near[1:] != near[:-1]
        if at + width < places.size:  # the last group may continue: it is left for the next piece
            if not differs.any():
                width *= 8  # and keeps this width: other groups may be as long
                continue
            cut = differs.size - int(differs[::-1].argmax())
            here, differs = here[:cut], differs[: cut - 1]
        labels = positive[here]
        starts = None if differs.all() else np.append(0, np.flatnonzero(differs) + 1)
        piece = _SortedPiece(here, labels, starts, at, before)
        yield piece
        at, before = at + here.size, int(piece.before[-1])


def _fill_misplacements(positive: BoolArray, rows: FloatArray, out: FloatArray) -> None:
    many, size, wrong = int(np.count_nonzero(positive)), rows.shape[1], out.reshape(-1)
    for piece in _split_pieces(positive, rows):
        if piece.starts is None and len(rows) == 1:
            # For a negative: the positives before it; for a positive at position k: all negatives but k − before.
            above = np.arange(size - many - piece.first, size - many - piece.first - piece.labels.size, -1.0)
            above *= piece.labels
            above += piece.before[:-1]
            wrong[piece.places] = above
            continue
        starts, ends, _ = piece.groups(size)
        positives, negatives = piece.below(size, many)
        both = np.stack([positives / 2, size - many - negatives / 2], axis=-1).ravel()  # for a negative, for a positive
        which = np.repeat(np.arange(0, both.size, 2), ends - starts)
        which += piece.labels
        wrong[piece.places] = both[which]


def _sum_below(positive: BoolArray, rows: FloatArray, out: FloatArray) -> None:
    """Add the number of correctly ranked pairs of a positive and a negative, ties counting half."""
    many, size = int(np.count_nonzero(positive)), rows.shape[1]
    for piece in _split_pieces(positive, rows):
        starts, ends, row = piece.groups(size)
        halves = (piece.before[ends] - piece.before[starts]) * piece.below(size, many)[1] * 0.5
        out += np.bincount(row, weights=halves, minlength=len(rows))


def _sum_precision(positive: BoolArray, rows: FloatArray, out: FloatArray) -> None:
    """Add the sum of the precision at every positive, divided by the number of positives."""
    many, size = int(np.count_nonzero(positive)), rows.shape[1]
    for piece in _split_pieces(positive, rows):
        starts, ends, row = piece.groups(size)
        hits = many * (row + 1) - piece.before[starts]  # the positives that score at least as much
        taken = size * (row + 1) - piece.first - starts
        steps = (piece.before[ends] - piece.before[starts]) * (hits / taken)
        out += np.bincount(row, weights=steps, minlength=len(rows))
    out /= many


def _fill_midranks(rows: FloatArray, out: FloatArray) -> None:
    order = rows.argsort(axis=-1)
    starts = tie_groups(rows, order)
    starts = np.arange(rows.size) if starts is None else starts
    ends = np.append(starts[1:], rows.size)
    middle = (starts + ends + 1) / 2 - rows.shape[1] * (starts // rows.shape[1])
    np.put_along_axis(out, order, np.repeat(middle, ends - starts).reshape(rows.shape), axis=-1)
