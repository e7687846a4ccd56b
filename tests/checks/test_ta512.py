"""TA512: no cluster counts for more than half of the mean."""

import numpy as np
import pytest

from tellapart import Outcomes, compare


def answer_for(largest, method=None, weights=None):
    codes = np.repeat(np.arange(21), [2] * 20 + [largest])
    scores = np.random.default_rng(3).integers(0, 2, size=(2, codes.size))
    return compare(Outcomes.from_scores(*scores, clusters=codes, weights=weights), method=method)


def fails():
    return answer_for(60)


def holds():
    return answer_for(20)


@pytest.mark.parametrize(("largest", "others"), [(60, 0.4), (41, 40 / 81), (40, 0.5), (20, 2 / 3)])
def test_the_others_count_for_half(check, largest, others):
    assert check(answer_for(largest)).figure == pytest.approx(others)
    assert check(answer_for(largest)).holds == (largest <= 40)


def test_weights_count_too(check):
    """A cluster of two examples can rule by what these weigh."""
    weights = np.ones(60)
    weights[:2] = 100
    assert check(answer_for(20, weights=weights)).figure == pytest.approx(58 / 258)


def test_the_way_out_lets_clusters_count_alike(check, carriers):
    assert "method='durkalski'" in check(fails()).message
    assert "durkalski" not in carriers
    assert answer_for(60, "durkalski").method == "durkalski"


def test_who_carries_it(carriers):
    sandwiches = {"cluster-robust", "cluster-cr0", "cluster-cr1", "cluster-cr2"}
    assert carriers == {*sandwiches, "cluster-bootstrap", "wild-cluster", "rao-scott-wilson"}
