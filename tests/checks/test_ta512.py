"""TA512: all clusters but the largest have a weight of at least 0.5."""

import numpy as np
import pytest

from tellapart import Outcomes, compare


def analyse(largest, method=None, weights=None):
    codes = np.repeat(np.arange(21), [2] * 20 + [largest])
    scores = np.random.default_rng(3).integers(0, 2, size=(2, codes.size))
    return compare(Outcomes.from_scores(*scores, clusters=codes, weights=weights), method=method)


def fails():
    return analyse(60)


def holds():
    return analyse(20)


@pytest.mark.parametrize(("largest", "others"), [(60, 0.4), (41, 40 / 81), (40, 0.5), (20, 2 / 3)])
def test_the_others_need_half_of_the_weight(check, largest, others):
    assert check(analyse(largest)).figure == pytest.approx(others)
    assert check(analyse(largest)).holds == (largest <= 40)


def test_weights_count_too(check):
    """A cluster of two examples with large weights can dominate."""
    weights = np.ones(60)
    weights[:2] = 100
    assert check(analyse(20, weights=weights)).figure == pytest.approx(58 / 258)


def test_the_remedy_weights_clusters_equally(check, carriers):
    assert "method='durkalski'" in check(fails()).message
    assert "durkalski" not in carriers
    assert analyse(60, "durkalski").method == "durkalski"


def test_which_methods_have_the_check(carriers):
    sandwiches = {"cluster-robust", "cluster-cr0", "cluster-cr1", "cluster-cr2"}
    assert carriers == {*sandwiches, "cluster-bootstrap", "wild-cluster", "rao-scott-wilson"}
