"""Whether it matters which model gave which rank: a test that turns signs."""

from __future__ import annotations

import numpy as np

from ...evidence import ClassScores
from ...evidence.ranks import midranks, misplacements
from ...results import TestResult
from ...typing_ import Alternative, BoolArray, FloatArray, IntArray
from ..outcomes.flips import pvalue_of_signs
from ..registry import Standing, test
from ..simulation import resamples_for
from .areas import OF_AUC, refuse_models
from .assumptions import MORE_THAN_TWO_SCORES, RANKS_CAN_REJECT


@test(
    name="auc-permutation",
    **OF_AUC,
    assumes=(RANKS_CAN_REJECT, MORE_THAN_TWO_SCORES),
    standing=Standing.RECOMMENDED,
    rationale="if it makes no difference which model gave which rank, every example's could be exchanged: the level holds"
    " at any size",
    validity="every number of examples, for models whose ranks could be exchanged if they are equally good",
    statistic="difference",
    reference="bandos2005",
)
def auc_permutation(
    scores: ClassScores,
    *,
    alternative: Alternative = "two-sided",
    resamples: int | None = None,
    rng: int | np.random.Generator = 0,
) -> TestResult:
    """Test whether two areas differ by exchanging the ranks that the two models gave to an example.

    The scores of either model become ranks, so that their scales do not matter (Bandos, Rockette and Gur 2005). What an
    exchange changes in the difference of the areas is a sum over the examples, whose signs are turned: so the p-value
    is exact where all patterns can be gone through or convolved (up to a hundred examples or so), else of so many
    draws, the observed pattern among them.

    Parameters
    ----------
    scores
        The scores of two models.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    resamples
        How many patterns are drawn where all cannot be gone through; 10,000 if left out, fewer for many examples.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> auc_permutation(ClassScores.from_scores([0, 0, 0, 1, 1], [3, 1, 2, 4, 5], [2, 4, 5, 1, 3])).pvalue
    np.float64(0.125)
    """
    refuse_models(scores, "auc-permutation")
    parts, steps = swap_parts(scores)
    whole = None if steps is None else _smallest(steps.reshape(-1, scores.examples))
    pvalue, simulated = pvalue_of_signs(parts, whole, resamples_for(resamples, scores.examples), rng, alternative)
    return TestResult(statistic=scores.difference, pvalue=pvalue, simulated=simulated)


def _smallest(steps: IntArray) -> IntArray:
    return steps // np.maximum(np.gcd.reduce(steps, axis=-1), 1)[:, None]  # type: ignore[no-any-return]


def swap_parts(scores: ClassScores) -> tuple[FloatArray, IntArray | None]:
    """Return what each example adds to loss(A) − loss(B), where an exchange of its ranks turns the sign; in steps, too.

    With ψ(x, y) = 1, ½ or 0 for x above, at or below y, the pair of a positive with ranks x of A and u of B and a
    negative with y and v adds ψ(u, v) − ψ(x, y) to the difference. Exchanged here or there it is ψ(x, y) − ψ(u, v),
    ψ(x, v) − ψ(u, y) or its reverse: a sum of two parts, one with the sign of each example. So the part of a positive
    is half of what u outranks more than x does among all ranks that negatives got from either model.

    Examples
    --------
    >>> held = ClassScores.from_scores([0, 0, 0, 1, 1], [3, 1, 2, 4, 5], [2, 4, 5, 1, 3])
    >>> swap_parts(held)[0].sum().round(4), held.difference.round(4)
    (np.float64(-0.8333), np.float64(-0.8333))
    """
    parts: FloatArray = np.zeros((*scores.shape, scores.examples))
    steps = np.zeros(parts.shape, dtype=np.int64)
    classes = scores.one_by_one()
    alike = len({int(np.count_nonzero(positive)) for positive, _ in classes}) == 1
    for positive, by_model in classes:
        apart = _moved(positive, midranks(by_model))
        many = int(np.count_nonzero(positive))
        parts += apart / (4 * many * (positive.size - many) * len(classes))
        steps += np.rint(apart).astype(np.int64)
    return parts, steps if alike else None  # of classes of different sizes steps do not add up


def _moved(positive: BoolArray, ranks: FloatArray) -> FloatArray:
    """Return for each example twice what B's rank is placed better than A's, among both models' ranks of the others."""
    both = ranks.reshape(*ranks.shape[:-2], -1)
    wrong = misplacements(np.tile(positive, 2), both).reshape(ranks.shape)
    return 2 * (wrong[..., 0, :] - wrong[..., 1, :])
