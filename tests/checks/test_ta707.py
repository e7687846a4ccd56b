"""TA707: the differences are roughly symmetric (skewness ≤ 1.5)."""

import numpy as np
import pytest
from scipy import stats

from tellapart import ScoreTable, compare


def analyse(differences, method="wilcoxon-signed-rank", **options):
    """Compare A, whose every score is 0, with B, whose scores are the differences."""
    table = ScoreTable.from_scores({"A": [0.0] * len(differences), "B": differences}, metric="score")
    return compare(table, method=method, **options)


SKEWED = [-0.02, -0.01, -0.01, 0.0, 0.01, 0.01, 0.02, 0.04, 0.3]


def fails():
    return analyse(SKEWED)


def holds():
    return analyse([-0.03, -0.02, -0.01, 0.0, 0.01, 0.02, 0.03, 0.05])


@pytest.mark.parametrize("seed", range(3))
def test_the_figure_is_scipys_skewness(check, seed):
    differences = np.random.default_rng(seed).exponential(1, 20).round(4)
    assert check(analyse(differences.tolist())).figure == pytest.approx(-abs(stats.skew(differences)))


@pytest.mark.parametrize("differences", [SKEWED[-7:], [0.1] * 9, [0.0] * 9])
def test_few_data_sets_and_constant_differences_pass(check, differences):
    assert check(analyse(differences)).figure == 0


def test_which_learner_is_called_a_makes_no_difference(check):
    assert check(analyse([-each for each in SKEWED])).figure == pytest.approx(check(fails()).figure)


def test_the_caution_is_one_line_with_figure_limit_and_remedy(check):
    assert check(fails()).message == "skewness 2.32 (limit 1.5): the test may reject too often. Try method='sign-test'."


def test_the_sign_test_needs_no_symmetry(quiet):
    assert quiet(analyse(SKEWED, "sign-test"))
