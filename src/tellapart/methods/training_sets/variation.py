"""Mean squares of losses by training set and test example, and the range of their resamples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import TrainingSets
from ...numerics.rounding import ROUNDING, unit, without_rounding
from ...typing_ import FloatArray
from ..loss_scale import scale

BOTH = (-2, -1)  # training set and example


class MeanSquares(NamedTuple):
    """The mean and the mean squares, in one unit in which squares neither overflow nor underflow."""

    mean: FloatArray
    sets: FloatArray
    examples: FloatArray
    rest: FloatArray
    freedom: int  # of the training sets
    unit: FloatArray


def mean_squares(name: str, sets: TrainingSets) -> MeanSquares:
    """Return the mean and the mean squares of training sets, examples and the rest; rounding counts as 0.

    Examples
    --------
    >>> square = mean_squares("quasi-f", TrainingSets([[[1, 0, 0, 1], [1, 0, 0, 0]]], learners=("a",)))
    >>> square.mean, square.examples
    (np.float64(0.375), np.float64(0.4583333333333333))
    """
    if min(sets.sets, sets.examples) < 2:
        raise InvalidEvidence(
            f"method {name!r} needs 2 or more training sets and test examples, got {sets.sets} and {sets.examples}."
            " Use a plan such as plan='delve 8x200'."
        )
    size = scale(sets)
    scale_size = unit(size)
    values = sets.values / scale_size[..., None, None]
    mean = values.mean(axis=BOTH, keepdims=True)
    by_set = values.mean(axis=-1, keepdims=True) - mean
    by_example = values.mean(axis=-2, keepdims=True) - mean
    rest = values - mean - by_set - by_example
    most = size / scale_size
    freedom, others = sets.sets - 1, sets.examples - 1
    squares = (
        sets.examples * (by_set**2).sum(axis=BOTH) / freedom,
        sets.sets * (by_example**2).sum(axis=BOTH) / others,
        (rest**2).sum(axis=BOTH) / (freedom * others),
    )
    nothing = (ROUNDING * most) ** 2 * max(sets.sets, sets.examples)
    by_set, by_example, rest = (np.where(square <= nothing, 0.0, square)[()] for square in squares)
    return MeanSquares(without_rounding(mean[..., 0, 0], most), by_set, by_example, rest, freedom, scale_size)


def spread_of_draws(sets: TrainingSets) -> FloatArray:
    """Return the range of an example's value over resamples and examples; 0 if it is rounding.

    Examples
    --------
    >>> spread_of_draws(TrainingSets([[[1, 1], [0, 0]], [[1, 1], [0, 0]]], varies="seed"))
    np.float64(2.0)
    >>> spread_of_draws(TrainingSets([[[1, 1], [0, 0]], [[1, 1], [0, 0]]]))
    np.float64(0.0)
    """
    if sets.varies == "training set" or len(sets.learners) == 1:
        spread = np.ptp(sets.values, axis=BOTH)
    else:  # seeds of A and B are independent
        least, most = sets.loss.min(axis=-2), sets.loss.max(axis=-2)
        above, below = most[..., 0, :] - least[..., 1, :], least[..., 0, :] - most[..., 1, :]
        spread = above.max(axis=-1) - below.min(axis=-1)
    return without_rounding(spread, scale(sets))
