"""Permutation test of two AUCs: the ranks that two models give to an example are swapped."""

from __future__ import annotations

import numpy as np

from ...evidence import ClassScores
from ...evidence.ranks import midranks, misplacements
from ...results import TestResult
from ...typing_ import Alternative, BoolArray, FloatArray, IntArray
from ..outcomes.flips import pvalue_of_signs
from ..registry import Standing, test
from ..simulation import resamples_for
from .areas import OF_AUC, require_model_count
from .assumptions import MORE_THAN_TWO_SCORES, RANKS_CAN_REJECT


@test(
    name="auc-permutation",
    title="AUC permutation",
    **OF_AUC,
    assumes=(RANKS_CAN_REJECT, MORE_THAN_TWO_SCORES),
    standing=Standing.RECOMMENDED,
    rationale=(
        "if ranks are exchangeable between the models under the null hypothesis, the test is valid at any sample size"
    ),
    validity="every number of examples, if equally good models have exchangeable ranks",
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
    """Test equal AUCs by swapping the ranks that the two models give to each example.

    The scores of each model are replaced by ranks, so their scales do not matter (Bandos, Rockette and Gur 2005). The
    change of the difference by swaps is a sum over the examples with random signs: the p-value is exact if all patterns
    can be enumerated or convolved (up to about a hundred examples), otherwise simulated, with the observed pattern
    included.

    Parameters
    ----------
    scores
        The scores of two models.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    resamples
        Number of sign patterns if they cannot be enumerated. Default: 10,000, fewer for many examples.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> auc_permutation(ClassScores.from_scores([0, 0, 0, 1, 1], [3, 1, 2, 4, 5], [2, 4, 5, 1, 3])).pvalue
    np.float64(0.125)
    """
    require_model_count(scores, "auc-permutation")
    parts, steps = swap_parts(scores)
    whole = None if steps is None else _reduce_steps(steps.reshape(-1, scores.examples))
    pvalue, simulated = pvalue_of_signs(parts, whole, resamples_for(resamples, scores.examples), rng, alternative)
    return TestResult(statistic=scores.difference, pvalue=pvalue, simulated=simulated)


def _reduce_steps(steps: IntArray) -> IntArray:
    return steps // np.maximum(np.gcd.reduce(steps, axis=-1), 1)[:, None]  # type: ignore[no-any-return]


def swap_parts(scores: ClassScores) -> tuple[FloatArray, IntArray | None]:
    """Return each example's contribution to loss(A) − loss(B), whose sign a swap of its ranks flips; also as integers.

    Notes
    -----
    With ψ(x, y) = 1, ½ or 0 for x above, at or below y, the pair of a positive with ranks x of A and u of B and a
    negative with ranks y and v contributes ψ(u, v) − ψ(x, y). With swaps it is ψ(x, y) − ψ(u, v), ψ(x, v) − ψ(u, y) or
    its negative: a sum of two terms, one with the sign of each example. So the contribution of a positive is half the
    difference between u and x in the number of ranks of negatives, by either model, that they exceed.

    Examples
    --------
    >>> scores = ClassScores.from_scores([0, 0, 0, 1, 1], [3, 1, 2, 4, 5], [2, 4, 5, 1, 3])
    >>> swap_parts(scores)[0].sum().round(4), scores.difference.round(4)
    (np.float64(-0.8333), np.float64(-0.8333))
    """
    parts: FloatArray = np.zeros((*scores.shape, scores.examples))
    steps = np.zeros(parts.shape, dtype=np.int64)
    classes = scores.one_by_one()
    alike = len({int(np.count_nonzero(positive)) for positive, _ in classes}) == 1
    for positive, by_model in classes:
        gains = _placement_gains(positive, midranks(by_model))
        count = int(np.count_nonzero(positive))
        parts += gains / (4 * count * (positive.size - count) * len(classes))
        steps += np.rint(gains).astype(np.int64)
    return parts, steps if alike else None  # with classes of different sizes the integers have different units


def _placement_gains(positive: BoolArray, ranks: FloatArray) -> FloatArray:
    """Return for each example twice the gain in placement of B's rank over A's, among both models' ranks."""
    both = ranks.reshape(*ranks.shape[:-2], -1)
    wrong = misplacements(np.tile(positive, 2), both).reshape(ranks.shape)
    return 2 * (wrong[..., 0, :] - wrong[..., 1, :])
