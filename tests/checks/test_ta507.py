"""TA507: at least 50 examples (or clusters)."""

import numpy as np
import pytest

from tellapart import Outcomes, compare

A, B = np.random.default_rng(0).beta(5, 2, size=(2, 60)).round(3)


def pair(a=A, b=B, **more):
    return Outcomes.from_scores(a, b, **{"metric": "rouge"} | more)


def fails():
    return compare(pair(A[:20], B[:20]), interval="bca-bootstrap")


def holds():
    return compare(pair(), interval="bca-bootstrap")


@pytest.mark.parametrize("count", [49, 50])
def test_fifty_are_enough(check, count):
    result = check(compare(pair(A[:count], B[:count]), interval="bca-bootstrap"))
    assert (result.figure, bool(result.holds)) == (count, count == 50)


def test_clusters_are_resampled(check):
    answer = compare(pair(clusters=np.arange(60) // 2), interval="bca-bootstrap")
    assert check(answer).figure == 30
    ruled = compare(pair(weights=[59.0] + [1.0] * 59), interval="bca-bootstrap")
    assert check(ruled).figure == pytest.approx(118**2 / (59**2 + 59))


def test_the_interval_is_too_short_and_the_remedy_is_not(check, quiet):
    """Coverage in 2,000 samples of 20 normal differences with mean 0, at nominal 95%."""
    from tellapart.methods.outcomes.example_resampling import bca_bootstrap
    from tellapart.methods.outcomes.mean import mean_t

    drawn = Outcomes(np.random.default_rng(2).normal(size=(2000, 1, 20)), models=("A",))
    short, plain = bca_bootstrap(drawn, resamples=500), mean_t(drawn).interval()
    assert 0.91 < short.contains(0).mean() < 0.94 < plain.contains(0).mean()
    assert "interval='mean-t'" in check(fails()).message
    assert quiet(compare(pair(A[:20], B[:20]), interval="mean-t"))
