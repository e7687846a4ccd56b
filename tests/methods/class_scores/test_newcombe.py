"""newcombe-auc and mover-newcombe against the quartic whose roots Newcombe's limits are, by mpmath."""

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose

from tellapart import ClassScores
from tellapart.methods.class_scores.newcombe import mover_newcombe, newcombe_auc, newcombe_limits


def by_quartic(area, m, n, z):
    """Find where (θ − A)²·mn(2 − θ)(1 + θ) = z²θ(1 − θ)[(2 − θ)(1 + θ) + N*(1 + 2θ − 2θ²)], on both sides of A."""
    with mpmath.workdps(40):
        area, z2, rest = mpmath.mpf(area), mpmath.mpf(z) ** 2, mpmath.mpf(m + n) / 2 - 1

        def significant(x):
            free = (2 - x) * (1 + x)
            return (x - area) ** 2 * m * n * free - z2 * x * (1 - x) * (free + rest * (1 + 2 * x - 2 * x**2))

        result = []
        for end in (mpmath.mpf(0), mpmath.mpf(1)):
            far, near = end, area
            for _ in range(100):
                middle = (far + near) / 2
                far, near = (middle, near) if significant(middle) > 0 else (far, middle)
            result.append(float(near))
        return result


@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-12])
@pytest.mark.parametrize(("m", "n"), [(1, 1), (5, 95), (40, 60), (10**6, 10**8)])
def test_limits_are_the_roots_of_the_quartic(m, n, alpha):
    with mpmath.workdps(40):
        z = mpmath.sqrt(2) * mpmath.erfinv(1 - mpmath.mpf(alpha))
    scores = ClassScores.from_scores([0, 1], [0.2, 0.7])
    with pytest.MonkeyPatch.context() as patch:  # a hundred million examples, without holding them
        patch.setattr(ClassScores, "class_counts", property(lambda _: np.array([n, m])))
        patch.setattr(ClassScores, "examples", property(lambda _: m + n))
        for area in (0.2, 0.5, 0.9, 0.999):
            assert_allclose(newcombe_limits(scores, area, alpha / 2), by_quartic(area, m, n, z), rtol=1e-9)


def test_a_perfect_order_has_the_end_and_a_width():
    scores = ClassScores.from_scores([0] * 45 + [1] * 15, range(60))
    limits = newcombe_auc(scores)
    low, high = by_quartic(1, 15, 45, mpmath.mpf("1.959963984540054"))
    assert high == 1
    assert_allclose([limits.low, limits.high], [low, 1], rtol=1e-9)
    upper = newcombe_auc(scores, side="lower", alpha=0.9)  # a bound below level ½ lies above the estimate, at most 1
    assert (upper.low, upper.high) == (1, 1)


def test_squares_are_added_with_delongs_correlation():
    rng = np.random.default_rng(4)
    truth = np.repeat([0, 1], [50, 12])
    a = rng.normal(size=62) + 2 * truth
    scores = ClassScores.from_scores(truth, a, a + rng.normal(size=62))
    spread = scores.areas.covariance
    r = spread[0, 1] / np.sqrt(spread[0, 0] * spread[1, 1])
    z = mpmath.mpf("1.959963984540054")
    (la, ua), (lb, ub) = (by_quartic(float(area), 12, 50, z) for area in scores.levels)
    (ta, tb), limits = scores.levels, mover_newcombe(scores)
    low = (tb - ta) - np.sqrt((tb - lb) ** 2 - 2 * r * (tb - lb) * (ua - ta) + (ua - ta) ** 2)
    high = (tb - ta) + np.sqrt((ub - tb) ** 2 - 2 * r * (ub - tb) * (ta - la) + (ta - la) ** 2)
    assert_allclose([limits.low, limits.high], [low, high], rtol=1e-9)
    turned = mover_newcombe(scores.swapped())
    assert_allclose([turned.low, turned.high], [-limits.high, -limits.low], rtol=1e-12)


def test_one_perfect_model_has_no_correlation_and_still_a_width():
    truth = np.repeat([0, 1], 10)
    scores = ClassScores.from_scores(truth, np.r_[np.arange(9), 10, 9, np.arange(11, 20)], np.arange(20))
    limits = mover_newcombe(scores)
    assert -1 < limits.low < scores.difference < limits.high < 1
