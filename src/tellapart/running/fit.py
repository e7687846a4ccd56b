"""The result of one fit: a learner trained on one training set with one seed, and its predictions."""

from __future__ import annotations

from dataclasses import dataclass

from ..typing_ import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)  # eq=False: arrays have no single ==
class Fit:
    """The predictions of one fit, or why it failed.

    Parameters
    ----------
    learner
        Its name.
    split, seed
        The index of the split in its layout, and of the seed, from 0.
    predictions
        The indices of the predicted classes, −1 for a label that the examples do not have; None if the fit failed.
    probabilities
        By test example and class; None if the fit failed or the learner has none.
    seconds
        The time to fit and predict.
    failure
        Why there are no predictions; None if there are.
    no_probabilities
        Why there are no probabilities although the learner should have them; otherwise None.

    Examples
    --------
    >>> Fit("lr", 0, 0, None, None, 0.1, "ValueError: no").failure
    'ValueError: no'
    """

    learner: str
    split: int
    seed: int
    predictions: IntArray | None
    probabilities: FloatArray | None
    seconds: float
    failure: str | None
    no_probabilities: str | None = None
