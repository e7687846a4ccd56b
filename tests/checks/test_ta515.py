"""TA515: clusters are of about one size, where each of them counts alike."""

import numpy as np
import pytest

from tellapart import Outcomes, compare


def answer_for(sizes, method="durkalski"):
    codes = np.repeat(np.arange(len(sizes)), sizes)
    scores = np.random.default_rng(5).integers(0, 2, size=(2, codes.size))
    return compare(Outcomes.from_scores(*scores, clusters=codes), method=method)


def fails():
    return answer_for([2] * 10 + [9] * 3)


def holds():
    return answer_for([3] * 6 + [4] * 6)


@pytest.mark.parametrize("sizes", [[4] * 12, [2] * 6 + [4] * 6, [1] * 6 + [5] * 6])
def test_the_figure_is_their_number_in_effect_over_their_number(check, sizes):
    figure = sum(sizes) ** 2 / np.square(sizes).sum() / len(sizes)
    assert check(answer_for(sizes)).figure == pytest.approx(figure)
    assert check(answer_for(sizes)).holds == (figure >= 0.8)


def test_the_ways_out_speak_of_examples(check, quiet):
    assert "Use method='yang' or method='cluster-robust'." in check(fails()).message
    assert quiet(answer_for([2] * 10 + [9] * 3, "yang"))


def test_only_durkalskis_test_carries_it(carriers):
    assert carriers == {"durkalski"}
