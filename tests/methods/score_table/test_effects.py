"""effect_sizes: wins counted by hand, the rank biserial correlation from SciPy's rank sums, the rope."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from tellapart import effect_sizes
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import ScoreTable


def table_of(differences):
    differences = np.asarray(differences, dtype=float)
    return ScoreTable.from_scores({"A": np.zeros_like(differences), "B": differences})


def test_wins_and_superiority():
    result = effect_sizes(table_of([0.03, -0.01, 0.0, 0.05, 0.02, 0.0]))
    assert (result.a_wins, result.ties, result.b_wins) == (1, 2, 3)
    assert_allclose(result.superiority, 4 / 6)


def test_differences_up_to_the_rope_are_ties():
    """0.91 − 0.9 is 0.01 as scores are written, though not in floats."""
    table = ScoreTable.from_scores({"A": [0.9, 0.5, 0.6, 0.7], "B": [0.91, 0.49, 0.611, 0.8]})
    result = effect_sizes(table, rope=0.01)
    assert (result.a_wins, result.ties, result.b_wins, result.rope) == (0, 2, 2, 0.01)
    assert_allclose(result.superiority, 0.75)
    assert result.rank_biserial == effect_sizes(table).rank_biserial
    assert result.typical == effect_sizes(table).typical


@pytest.mark.parametrize("seed", range(4))
def test_the_rank_biserial_correlation_is_kerbys_simple_difference(seed):
    """Kerby 2014: the share of the rank sum that speaks for B less that for A; the sums are SciPy's."""
    differences = np.random.default_rng(seed).normal(0.3, 1, 17).round(5)
    plus = stats.wilcoxon(differences, alternative="greater").statistic
    total = 17 * 18 / 2
    assert_allclose(effect_sizes(table_of(differences)).rank_biserial, (2 * plus - total) / total, rtol=1e-12)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=12))
def test_swapping_learners_turns_everything_around(differences):
    values = np.array(differences) / 100
    here, there = effect_sizes(table_of(values)), effect_sizes(table_of(-values))
    assert (here.a_wins, here.ties, here.b_wins) == (there.b_wins, there.ties, there.a_wins)
    assert_allclose(here.superiority, 1 - there.superiority)
    assert_allclose([here.rank_biserial, here.typical], [-there.rank_biserial, -there.typical])
    assert 0 <= here.superiority <= 1
    assert -1 <= here.rank_biserial <= 1


def test_nothing_but_ties_and_nothing_in_common():
    tied = effect_sizes(table_of([0.0] * 3))
    assert (tied.superiority, tied.rank_biserial, tied.typical) == (0.5, 0.0, 0.0)
    none = effect_sizes(ScoreTable.from_scores([[0.5, None], [None, 0.5]]))
    assert (none.a_wins, none.ties, none.b_wins) == (0, 0, 0)
    assert np.isnan([none.superiority, none.rank_biserial, none.typical]).all()


def test_a_batch_is_a_loop():
    scores = np.random.default_rng(0).integers(0, 9, (7, 4)) / 10
    scores[1, 2] = np.nan
    scores_table = ScoreTable.from_scores(scores)
    result = effect_sizes(scores_table.pairs(), rope=0.1)
    one_by_one = [effect_sizes(scores_table.select(*pair), rope=0.1) for pair in scores_table.pair_names()]
    for name in ("a_wins", "ties", "b_wins", "superiority", "rank_biserial", "typical"):
        assert_array_equal(getattr(result, name), [getattr(one, name) for one in one_by_one])


@pytest.mark.parametrize("rope", [-0.01, np.nan, np.inf, "0.01", True])
def test_a_rope_is_a_size(rope):
    with pytest.raises(InvalidOption, match="`rope` must be 0 or more, in units of the metric"):
        effect_sizes(table_of([0.1]), rope=rope)


def test_three_learners_are_refused():
    with pytest.raises(InvalidEvidence, match="compares two learners"):
        effect_sizes(ScoreTable.from_scores([[1, 2, 3]]))
