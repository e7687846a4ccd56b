"""TA515: effective number of clusters over their number ≥ 0.8."""

import numpy as np
import pytest

from tellapart import Outcomes, compare


def analyse(sizes, method="durkalski"):
    codes = np.repeat(np.arange(len(sizes)), sizes)
    scores = np.random.default_rng(5).integers(0, 2, size=(2, codes.size))
    return compare(Outcomes.from_scores(*scores, clusters=codes), method=method)


def fails():
    return analyse([2] * 10 + [9] * 3)


def holds():
    return analyse([3] * 6 + [4] * 6)


@pytest.mark.parametrize("sizes", [[4] * 12, [2] * 6 + [4] * 6, [1] * 6 + [5] * 6])
def test_the_figure_is_the_effective_over_the_actual_number(check, sizes):
    figure = sum(sizes) ** 2 / np.square(sizes).sum() / len(sizes)
    assert check(analyse(sizes)).figure == pytest.approx(figure)
    assert check(analyse(sizes)).holds == (figure >= 0.8)


def test_the_remedies_average_over_examples(check, quiet):
    assert "Use method='yang' or method='cluster-robust'." in check(fails()).message
    assert quiet(analyse([2] * 10 + [9] * 3, "yang"))


def test_only_durkalskis_test_has_the_check(carriers):
    assert carriers == {"durkalski"}
