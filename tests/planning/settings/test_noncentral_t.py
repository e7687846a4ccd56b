"""The noncentral t against mpmath's quadrature and SciPy's own, and two tests at once against a plain integral."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.special import stdtrit
from scipy.stats import chi, nct, norm

from tellapart.planning.settings.noncentral_t import both_beyond, t_beyond

REFERENCE = [  # degrees, alpha (two-sided) whose quantile is the limit, shift, P(Z + shift > limit·S): mpmath's quad
    (1, 0.05, 2.8, 0.17393164763678215),
    (1, 0.05, 20.1, 0.8852108770216837),
    (1, 1e-06, 40.0, 5.013256545961349e-05),
    (1, 1e-12, 10000.0, 1.2533141373155e-08),
    (2, 0.5, -2.0, 0.0050497458391213),
    (2, 1e-12, 19.9, 3.97009999920994e-10),
    (9, 0.05, -2.0, 8.030763199948053e-05),
    (9, 0.05, 0.5, 0.06543260853290363),
    (9, 0.05, 2.8, 0.7032967232508148),
    (9, 1e-06, 20.1, 0.9977029532059563),
    (9, 1e-12, 40.0, 0.13851778589014446),
    (99, 0.05, 2.8, 0.7918272223770257),
    (99, 1e-12, 8.0, 0.44672221586544847),
    (10**5, 0.05, -2.0, 3.748354846808043e-05),
    (10**5, 0.05, 2.8, 0.7995483649091361),
    (10**5, 1e-12, 8.0, 0.807433173360845),
    (10**5, 0.05, 40.0, 1.0),
]


@pytest.mark.parametrize(("freedom", "alpha", "shift", "expected"), REFERENCE)
def test_tails_match_an_integral_of_many_digits(freedom, alpha, shift, expected):
    assert_allclose(t_beyond(-stdtrit(freedom, alpha / 2), freedom, shift), expected, rtol=1e-9, atol=2e-12)


def test_it_is_scipys_distribution():
    limit, freedom, shift = np.meshgrid([0.7, 2.0, 3.5], [3, 20, 400], [0.1, 1.5, 4.0])
    assert_allclose(t_beyond(limit, freedom, shift), nct.sf(limit, freedom, shift), rtol=1e-9)


def test_without_a_shift_it_is_students():
    alphas = np.array([0.5, 0.05, 1e-6, 1e-12])
    assert_allclose(t_beyond(-stdtrit(9, alphas), 9, 0.0), alphas, rtol=1e-4, atol=1e-16)
    assert_allclose(t_beyond(-stdtrit(9, 0.05), 9, np.array([1e9, -1e9])), [1.0, 0.0])


@pytest.mark.parametrize("freedom", [1, 4, 30, 10**4])
@pytest.mark.parametrize(("low", "high"), [(3.0, 3.0), (2.0, 6.0), (30.0, 25.0), (0.5, 0.5)])
def test_both_tests_at_once_match_a_plain_integral(freedom, low, high):
    limit = float(-stdtrit(freedom, 0.05))
    scale = chi(freedom, scale=1 / np.sqrt(freedom))

    def inside(s):
        return max(norm.cdf(high - limit * s) - norm.cdf(limit * s - low), 0.0) * scale.pdf(s)

    end = min((low + high) / (2 * limit), scale.ppf(1 - 1e-15))
    expected = quad(inside, 0, end, points=[min(1.0, end)], epsabs=1e-12, limit=400)[0]
    assert_allclose(both_beyond(limit, freedom, low, high), expected, atol=1e-9)


def test_with_endless_degrees_both_are_normal():
    z = norm.isf(0.05)
    assert_allclose(both_beyond(z, 10**9, 3.0, 2.5), norm.cdf(2.5 - z) - norm.cdf(z - 3.0), atol=1e-8)
