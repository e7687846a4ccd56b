"""TA503: n/skewness² is at least 25."""

import numpy as np
import pytest

from tellapart import Outcomes, compare

A, B = np.random.default_rng(0).beta(5, 2, size=(2, 60)).round(3)


def pair(a=A, b=B, **more):
    return Outcomes.from_scores(a, b, **{"metric": "rouge"} | more)


def fails():
    return compare(pair(np.zeros(40), [0.0] * 38 + [1, 1]))


def holds():
    return compare(pair())


def test_the_figure_is_scipys_skewness(check):
    from scipy.stats import skew

    tailed = np.random.default_rng(1).exponential(size=60)
    assert check(compare(pair(np.zeros(60), tailed))).figure == pytest.approx(60 / skew(tailed) ** 2, rel=1e-12)
    assert check(holds()).figure == pytest.approx(60)  # no skewness below 1 counts


def test_equal_weights_change_nothing(check):
    tailed = np.random.default_rng(1).exponential(size=60)
    weighted = pair(np.zeros(60), tailed, weights=np.full(60, 2.0))
    assert check(compare(weighted)).figure == pytest.approx(
        float(check(compare(pair(np.zeros(60), tailed))).figure), rel=1e-9
    )
    uneven = pair(weights=np.where(np.arange(60) < 10, 1.0, 1e-6))
    assert check(compare(uneven)).figure < 10.01


def test_the_remedy_needs_no_normal_approximation(check, quiet):
    assert check(fails()).remedy == "Test more examples."  # two differences cannot reach alpha
    many = compare(pair(np.zeros(400), [0.0] * 392 + [1] * 8))
    assert "method='sign-flip'" in check(many).message
    answer = compare(pair(np.zeros(40), [0.0] * 38 + [1, 1]), method="sign-flip", interval="bca-bootstrap")
    assert quiet(answer)
    assert answer.pvalue == 0.5  # two nonzero differences
