"""Mean, variance, t and its limits: against exact fractions, and where nothing varies."""

from fractions import Fraction

import numpy as np
import pytest
from mpmath import mp, mpf
from numpy.testing import assert_allclose, assert_array_equal

from tellapart.errors import InvalidOption
from tellapart.evidence import Resamples
from tellapart.evidence.plan import Plan
from tellapart.methods.loss_scale import scale
from tellapart.methods.pivots import Student, Undetermined
from tellapart.methods.resamples.moments import fit_student, moments
from tellapart.numerics.rounding import unit, without_rounding


def test_mean_and_variance_in_fractions():
    a, b = [[9, 11, 7], [12, 8, 10]], [[8, 9, 8], [9, 7, 10]]
    difference = [
        Fraction(x - y, 50) for left, right in zip(a, b, strict=True) for x, y in zip(left, right, strict=True)
    ]
    mean = sum(difference) / 6
    variance = sum((value - mean) ** 2 for value in difference) / 5
    resampled = Resamples.from_scores(np.array(a) / 50, np.array(b) / 50, plan="2x3", metric="error")
    result = moments(resampled)
    assert_allclose([result.mean, result.deviation, result.runs], [float(mean), float(variance) ** 0.5, 6], rtol=1e-13)


def test_losses_far_from_zero_keep_the_digits_of_their_differences():
    """Differences of 10⁶ and a little: two passes lose nothing but what the subtraction has lost."""
    little = np.array([0.25, 0.5, -0.125, 0.375])
    resampled = Resamples(
        np.stack([1e6 + little, np.full(4, 1e6)])[:, :, None], 1, 2, Plan.parse("independent"), metric="x"
    )
    assert_allclose(moments(resampled).deviation, little.std(ddof=1), rtol=1e-12)


def test_rounding_counts_as_nothing():
    """0.3 − 0.2 is not 0.2 − 0.1 in floats, and the same here."""
    resampled = Resamples.from_scores([0.3, 0.2, 0.9], [0.2, 0.1, 0.8], plan="3-fold", metric="error")
    assert np.ptp(resampled.values) > 0
    assert moments(resampled).deviation == 0
    assert_allclose(moments(resampled).mean, 0.1)
    assert_array_equal(without_rounding([1e-17, 1e-3, -1e-17], 1.0), [0, 1e-3, 0])
    tiny = Resamples.from_scores([1e-9, 2e-9], [2e-9, 1e-9], plan="2-fold", metric="error")
    assert moments(tiny).deviation > 0  # small is not rounding


def test_the_size_and_the_unit_of_losses():
    """A bounded loss is rounded like a 1; any other like its largest, seeds that are not there left out."""
    assert scale(Resamples.from_scores([0.999, 0.998], plan="2-fold")) == 1
    assert scale(Resamples.from_scores([-3.0, -5.0, -2.0], [-7.0], plan="seeds", metric="neg_log_loss")) == 7
    many = Resamples.from_scores([[-3.0, -5.0], [0.0, 0.0]], plan="2-fold", metric="neg_log_loss")
    assert_array_equal(scale(many), [5, 0])
    assert_array_equal(unit([5, 0, 1, 0.3]), [4, 1, 1, 0.25])
    largest, smallest = np.finfo(float).max, 5e-324
    assert largest / unit(largest) < 2
    assert smallest / unit(smallest) == 1


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_moments_follow_the_unit(size):
    loss = np.array([0.25, 0.5, 0.125, 0.375])[None, :, None]
    resampled = Resamples(size * loss, 1, 2, "independent", ("A",), metric="cost")
    assert_allclose(
        [moments(resampled).mean / size, moments(resampled).deviation / size],
        [loss.mean(), loss.std(ddof=1)],
    )


def student(mean, error, df):
    """Return Student's t without bounds, as it is of learners."""
    return Student(mean, error, df, Undetermined((-np.inf, np.inf)), quick=True)


def test_t_without_an_error():
    for mean, statistic in ((0.0, 0.0), (0.1, np.inf), (-0.1, -np.inf)):
        for alternative in ("two-sided", "less", "greater"):
            result = student(mean, 0.0, 5).test(alternative=alternative)
            assert (result.statistic, result.pvalue) == (statistic, 1.0)
    bounded = Resamples.from_scores([0.3, 0.3], [0.2, 0.2], plan="2-fold", metric="error")
    endless = Resamples.from_scores([3.0, 3.0], [2.0, 2.0], plan="2-fold", metric="neg_log_loss")
    for resampled, ends in ((bounded, (-1, 1)), (endless, (-np.inf, np.inf))):
        limits = fit_student(resampled, 0.1, 0.0, 1).interval()
        assert (limits.low, limits.high) == ends


def test_a_bad_alternative_is_refused():
    with pytest.raises(InvalidOption, match="`alternative` must be one of"):
        student(1.0, 1.0, 3).test(alternative="both")


@pytest.mark.parametrize("freedom", [1, 2, 4.7, 9, 99, 9999, np.inf])
def test_tails_and_quantiles_keep_their_digits(freedom):
    """Against mpmath's incomplete Beta and error functions, from alpha ½ to 10⁻¹² and far beyond."""

    def above(t):
        if freedom == np.inf:
            return mp.erfc(t / mp.sqrt(2)) / 2
        return mp.betainc(mpf(freedom) / 2, mpf(1) / 2, 0, freedom / (freedom + mpf(t) ** 2), regularized=True) / 2

    endless = Resamples.from_scores([3.0, 2.0], [2.0, 3.0], plan="2-fold", metric="neg_log_loss")
    with mp.workdps(30):
        for t in (0.01, 1.0, 2.5, 8.0, 30.0):
            assert_allclose(student(t, 1.0, freedom).test().pvalue, float(2 * above(t)), rtol=1e-12)
            assert_allclose(student(t, 1.0, freedom).test(alternative="greater").pvalue, float(above(t)), rtol=1e-12)
        for alpha in (0.5, 0.05, 1e-6, 1e-12):
            high = fit_student(endless, 0.0, 1.0, freedom).interval(alpha).high
            assert_allclose(float(above(mpf(float(high)))), alpha / 2, rtol=1e-11)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 9, 10, 29, 99, 100, 101, 4.5])
def test_two_tails_keep_their_digits(freedom):
    """Against the incomplete Beta function in 40 digits; where p is small, SciPy keeps nine of them."""
    t = np.array([0.0, 1e-9, 1e-3, 0.1, 0.7, 1.5, 2.0, 2.5, 2.6, -1.2, 40.0])
    result = student(t, 1.0, freedom).test().pvalue
    with mp.workdps(40):
        ends = [mpf(freedom) / (freedom + mpf(float(value)) ** 2) for value in t]
        expected = [mp.betainc(mpf(freedom) / 2, mpf(1) / 2, 0, end, regularized=True) for end in ends]
    few = freedom <= 100 and freedom == int(freedom)
    assert_allclose(result, np.array(expected, dtype=float), rtol=1e-8)
    sums = (result > 0.01) & few
    assert_allclose(result[sums], np.array(expected, dtype=float)[sums], rtol=1e-13)
    assert_array_equal([student(value, 1.0, freedom).test().pvalue for value in t], result)  # a batch is a loop
