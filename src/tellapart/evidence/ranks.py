"""Areas under curves from one sort a model: who is ranked wrongly against the other class, and average precision.

Nothing is compared pair by pair. In the order of the scores, the examples of a class that lie below another example
are a running count of labels, and ties are the bounds of groups of equal scores. All functions take scores by example
along the last dimension; what stands in front are models and entries, sorted in one call. Labels say which example is
positive, and are the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..typing_ import BoolArray, FloatArray, IntArray

_WORST = 0.05  # an area below which next to all pairs are ranked wrongly
_PIECE = 15_000  # scores that stay in the processor's cache with all that is made of them


def area(positive: BoolArray, scores: FloatArray) -> FloatArray:
    """Return the area under the ROC curve: the chance that a positive has the larger score, ties counting half.

    Examples
    --------
    >>> area(np.array([False, False, True, True]), np.array([0.1, 0.4, 0.35, 0.8]))
    np.float64(0.75)
    """
    many = int(np.count_nonzero(positive))
    below = _fill_rows(lambda part, out: _sum_below(positive, part, out), scores)
    return (below / (many * (positive.size - many)))[()]


def misplacements(positive: BoolArray, scores: FloatArray) -> FloatArray:
    """Return for each example how many of the other class it is wrongly ranked against, ties counting half.

    Of a positive, the negatives that score more; of a negative, the positives that score less. What they lack to the
    number of the other class, divided by it, are the placement values whose spread gives the variance of the area.

    Examples
    --------
    >>> misplacements(np.array([False, False, True, True]), np.array([0.1, 0.4, 0.35, 0.8]))
    array([0., 1., 1., 0.])
    """
    return _fill_rows(lambda part, out: _fill_misplacements(positive, part, out), scores, whole=True)


class Areas(NamedTuple):
    """Areas under ROC curves and how they vary."""

    means: FloatArray  # [..., model]
    covariance: FloatArray  # [..., model, model]
    differing: IntArray  # of how many examples the first two models make different placements; 0 of one model


def areas(positive: BoolArray, scores: FloatArray) -> Areas:
    """Return the areas of models with DeLong's covariance: S₁₀/m + S₀₁/n, of the placements of either class.

    A class of a single example shows no spread, and adds none.

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
    if (
        mostly_wrong.any()
    ):  # wrong ranks are few and their squares exact, but where nearly all are wrong the right ones are
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
    """Add up whole and half numbers, by class; some examples at a time, for long rows are seldom held twice."""
    sums = [np.zeros(values.shape[:-1]) for _ in range(2)]
    squares = [np.zeros((*values.shape[:-1], values.shape[-2])) for _ in range(2)]
    for at in range(0, positive.size, _PIECE):
        part = values[..., at : at + _PIECE]
        own = part * positive[at : at + _PIECE]
        for index, (left, right) in enumerate(((own, part), (part, part))):
            sums[index] += left.sum(axis=-1)
            squares[index] += _sum_products(left, right)
    return _ClassSums(sums[0], sums[1] - sums[0], squares[0], squares[1] - squares[0])


def _covariance_of_means(squares: FloatArray, sums: FloatArray, count: int, others: int) -> FloatArray:
    """Return the covariance of means over so many examples, from the sums of their products and of themselves."""
    scatter: FloatArray = squares - sums[..., None] * sums[..., None, :] / count
    return scatter / (max(count - 1, 1) * count * float(others) ** 2)


def areas_of_classes(labels: IntArray, scores: FloatArray) -> Areas:
    """Return the mean over the classes of the area of each against the rest; scores are [..., model, example, class].

    What an example adds to each of the areas is added up. Its spread inside a class is that of a sample, as DeLong has
    it, and how far the classes' own means lie apart is added; of two classes these are 0.

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
    """Return the mean of the precision at every positive, by scikit-learn's steps: examples that tie are met at once.

    Examples
    --------
    >>> average_precision(np.array([False, False, True, True]), np.array([0.1, 0.4, 0.35, 0.8])).round(4)
    np.float64(0.8333)
    """
    return _fill_rows(lambda part, out: _sum_precision(positive, part, out), scores)[()]


def tie_groups(rows: FloatArray, order: IntArray) -> IntArray | None:
    """Return where each group of equal scores begins in rows that are put in order, laid end to end; None without ties.

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
    """Return the rank of each score from 1 on, ties sharing the middle of theirs.

    Examples
    --------
    >>> midranks(np.array([0.3, 0.1, 0.3, 0.7]))
    array([2.5, 1. , 2.5, 4. ])
    """
    return _fill_rows(_fill_midranks, scores, whole=True)


def _fill_rows(
    fill: Callable[[FloatArray, FloatArray], None], scores: FloatArray, *, whole: bool = False
) -> FloatArray:
    """Let a function fill in what it finds in some rows at a time: a number for each row, or for each score."""
    rows = scores.reshape(-1, scores.shape[-1])
    results = np.zeros(rows.shape if whole else len(rows))
    step = max(_PIECE // rows.shape[1], 1)
    for at in range(0, len(rows), step):
        fill(rows[at : at + step], results[at : at + step])
    return results.reshape(scores.shape if whole else scores.shape[:-1])


class _SortedPiece:
    """Some scores in order: a part of one long row that no group of ties crosses, or several rows laid end to end."""

    def __init__(self, places: IntArray, labels: BoolArray, starts: IntArray | None, first: int, before: int) -> None:
        self.places, self.labels = places, labels
        self.starts = starts  # of groups of equal scores; None without ties
        self.first = first  # the place in its row
        self.before = np.empty(labels.size + 1, dtype=np.int64)  # the positives before each place, and after the last
        self.before[0] = before
        np.cumsum(labels.view(np.int8), out=self.before[1:])
        self.before[1:] += before

    def groups(self, size: int) -> tuple[IntArray, IntArray, IntArray]:
        """Return where groups of equal scores start and end, and in which of the rows of this size they are."""
        starts = np.arange(self.labels.size) if self.starts is None else self.starts
        return starts, np.append(starts[1:], self.labels.size), (self.first + starts) // size

    def below(self, size: int, many: int) -> tuple[IntArray, IntArray]:
        """Return twice the positives and twice the negatives below each group, those in it counting half."""
        starts, ends, row = self.groups(size)
        positives = self.before[starts] + self.before[ends] - 2 * many * row
        return positives, 2 * self.first + starts + ends - 2 * size * row - positives


def _split_pieces(positive: BoolArray, rows: FloatArray) -> Iterator[_SortedPiece]:
    """Sort, and yield what stays in the processor's cache: all rows at once where they are short."""
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
        if at + width < places.size:  # the last group may go on: it is left for the next piece
            if not differs.any():
                width *= 8  # and stays: where one group is that long, others are
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
            # Of a negative, the positives before it; of a positive in place k, all negatives but the k − before below.
            above = np.arange(size - many - piece.first, size - many - piece.first - piece.labels.size, -1.0)
            above *= piece.labels
            above += piece.before[:-1]
            wrong[piece.places] = above
            continue
        starts, ends, _ = piece.groups(size)
        positives, negatives = piece.below(size, many)
        both = np.stack([positives / 2, size - many - negatives / 2], axis=-1).ravel()  # of a negative, of a positive
        which = np.repeat(np.arange(0, both.size, 2), ends - starts)
        which += piece.labels
        wrong[piece.places] = both[which]


def _sum_below(positive: BoolArray, rows: FloatArray, out: FloatArray) -> None:
    """Count the pairs of a positive and a negative that are ranked rightly, ties counting half."""
    many, size = int(np.count_nonzero(positive)), rows.shape[1]
    for piece in _split_pieces(positive, rows):
        starts, ends, row = piece.groups(size)
        halves = (piece.before[ends] - piece.before[starts]) * piece.below(size, many)[1] * 0.5
        out += np.bincount(row, weights=halves, minlength=len(rows))


def _sum_precision(positive: BoolArray, rows: FloatArray, out: FloatArray) -> None:
    """Add up the precision at every positive, over the number of positives."""
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
