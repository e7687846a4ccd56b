"""TA510: as many clusters as ten of equal weight."""

import numpy as np
import pytest

from tellapart import Outcomes, compare


def answer_for(sizes, **options):
    codes = np.repeat(np.arange(len(sizes)), sizes)
    scores = np.random.default_rng(1).integers(0, 2, size=(2, codes.size))
    return compare(Outcomes.from_scores(*scores, clusters=codes), **options)


def fails():
    return answer_for([5] * 6)


def holds():
    return answer_for([5] * 12)


@pytest.mark.parametrize(
    ("sizes", "figure"),
    [([5] * 6, 6), ([3] * 9, 9), ([3] * 10, 10), ([2] * 20 + [40], 80**2 / (20 * 4 + 1600))],
)
def test_clusters_count_by_their_weight(check, sizes, figure):
    """(Σn)²/Σn²: a large cluster beside twenty small ones leaves fewer than four."""
    result = check(answer_for(sizes))
    assert result.figure == pytest.approx(figure)
    assert result.holds == (figure >= 10)


def test_the_way_out_turns_signs(check, quiet):
    assert check(fails()).remedy == "Add clusters."  # five of the six differ from 0: all signs of them are 1 in 32
    assert check(answer_for([3] * 9)).remedy == "Add clusters, or use method='wild-cluster'."
    assert quiet(answer_for([5] * 12, method="wild-cluster"))


def test_who_carries_it(carriers):
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
