"""TA510: at least 10 effective clusters."""

import numpy as np
import pytest

from tellapart import Outcomes, compare, estimate


def analyse(sizes, **options):
    codes = np.repeat(np.arange(len(sizes)), sizes)
    scores = np.random.default_rng(1).integers(0, 2, size=(2, codes.size))
    return compare(Outcomes.from_scores(*scores, clusters=codes), **options)


def fails():
    return analyse([5] * 6)


def holds():
    return analyse([5] * 12)


@pytest.mark.parametrize(
    ("sizes", "figure"),
    [([5] * 6, 6), ([3] * 9, 9), ([3] * 10, 10), ([2] * 20 + [40], 80**2 / (20 * 4 + 1600))],
)
def test_clusters_count_by_their_weight(check, sizes, figure):
    """(Σn)²/Σn²: a large cluster and twenty small ones are fewer than four effective clusters."""
    result = check(analyse(sizes))
    assert result.figure == pytest.approx(figure)
    assert result.holds == (figure >= 10)


def test_without_a_test_the_interval_is_unreliable(check):
    codes = np.repeat(np.arange(6), 5)
    answer = estimate(Outcomes.from_scores(np.arange(30) % 4 > 0, clusters=codes, metric="score"))
    assert "fewer than 10: the interval may miss the true value 2-3 times too often. " in check(answer).message


def test_the_remedy_depends_on_the_clusters_that_differ(check, quiet):
    assert check(fails()).remedy == "Add clusters."  # five of the six differ from 0: the smallest p is 2/32
    assert check(analyse([3] * 9)).remedy == "Add clusters, or use method='wild-cluster'."
    assert quiet(analyse([5] * 12, method="wild-cluster"))


def test_which_methods_have_the_check(carriers):
    named = {
        "cluster-robust",
        "cluster-cr2",
        "cluster-bootstrap",
        "rao-scott-wilson",
        "obuchowski",
        "durkalski",
        "yang",
    }
    assert carriers == {*named, "eliasziw-donner"}
