"""What came of one fit: a learner, trained on one training set with one seed, tested on its test set."""

from __future__ import annotations

from dataclasses import dataclass

from ..typing_ import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)  # eq=False: arrays have no single ==
class Fit:
    """What one fit predicted, or why it did not.

    Parameters
    ----------
    learner
        Its name.
    split, seed
        The place of the split in its layout, and which of the seeds it is, from 0.
    predictions
        The classes by their places, −1 for a label that the examples do not have; None if the fit failed.
    probabilities
        By test example and class; None if the fit failed or the learner gives none.
    seconds
        How long it took to fit and predict.
    failure
        Why there are no predictions; None if there are.
    no_probabilities
        Why there are none, although the learner should give them; None else.

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
