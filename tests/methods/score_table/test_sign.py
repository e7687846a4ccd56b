"""sign-test against SciPy's binomial test, Demšar's rule and all outcomes, one by one."""

from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from tellapart.errors import InvalidOption
from tellapart.evidence import ScoreTable
from tellapart.methods.score_table.sign import sign_test

WAYS = ("two-sided", "greater", "less")


def table_of(differences, **options):
    differences = np.asarray(differences, dtype=float)
    return ScoreTable.from_scores({"A": np.zeros_like(differences), "B": differences}, **options)


@pytest.mark.parametrize("alternative", WAYS)
@pytest.mark.parametrize(("a", "ties", "b"), [(3, 2, 9), (0, 0, 6), (5, 1, 5), (2, 7, 0), (40, 3, 71)])
def test_it_is_scipys_binomial_test_of_the_wins(a, ties, b, alternative):
    result = sign_test(table_of([-0.1] * a + [0.0] * ties + [0.2] * b)).test(alternative=alternative)
    assert result.statistic == b
    assert_allclose(result.pvalue, stats.binomtest(b, a + b, 0.5, alternative=alternative).pvalue, rtol=1e-12)


def test_ties_can_be_split():
    """Demšar 2006, section 3.1.4: ties are split evenly, and one is ignored if their number is odd."""
    result = sign_test(table_of([-0.1] * 3 + [0.0] * 5 + [0.2] * 9), ties="split").test()
    assert result.statistic == 11
    assert_allclose(result.pvalue, stats.binomtest(11, 16, 0.5).pvalue, rtol=1e-12)


@pytest.mark.parametrize(("wins", "datasets"), [(5, 5), (7, 7), (9, 10), (12, 14), (13, 16), (18, 25)])
def test_the_pvalue_is_counted(wins, datasets):
    """Twice the number of patterns with so many wins or more, over 2ⁿ, to the last digit."""
    patterns = 2 * sum(comb(datasets, k) for k in range(wins, datasets + 1))
    assert sign_test(table_of([0.1] * wins + [-0.1] * (datasets - wins))).test().pvalue == patterns / 2**datasets


@pytest.mark.parametrize("ties", ["drop", "split"])
@pytest.mark.parametrize("tied", [0.0, 0.3, 0.8])
def test_its_size_is_never_above_alpha(tied, ties):
    """All 3⁷ outcomes of seven data sets, with equal chances of both learners to win."""
    every = np.array(list(product((-1, 0, 1), repeat=7)))
    chance = np.prod(np.where(every == 0, tied, (1 - tied) / 2), axis=-1)
    loss = np.stack([every, 0 * every], axis=1)[..., None] / 100
    table = ScoreTable(loss, tuple("abcdefg"))
    for alternative in WAYS:
        pvalue = sign_test(table, ties=ties).test(alternative=alternative).pvalue
        for alpha in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5):
            assert chance[pvalue <= alpha].sum() <= alpha * (1 + 1e-12)


# --- Limits -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "index"), [(6, 1), (8, 1), (9, 2), (12, 3), (15, 4), (20, 6), (25, 8), (40, 14)])
def test_published_places_of_the_median(count, index):
    """Conover 1999, table A3 with p = ½ (and every textbook): the places of the 95 % limits of a median."""
    values = np.sort(np.random.default_rng(count).normal(size=count)).round(6)
    result = sign_test(table_of(values)).interval()
    assert_allclose([result.low, result.high], [values[index - 1], values[count - index]], atol=1e-12)


@given(
    st.lists(st.integers(-5, 6), min_size=2, max_size=16), st.sampled_from([0.02, 0.05, 0.25]), st.sampled_from(WAYS)
)
def test_the_limits_hold_what_the_test_does_not_reject(differences, alpha, alternative):
    table = table_of(np.array(differences) / 100)
    side = {"two-sided": "two", "less": "upper", "greater": "lower"}[alternative]
    result = sign_test(table).interval(alpha=alpha, side=side)
    for shift in (np.arange(-13, 15) / 200).tolist():
        for ties in ("drop", "split"):
            stands = sign_test(table, ties=ties).test(shift, alternative).pvalue >= alpha
            inside = result.low - 1e-9 < shift < result.high + 1e-9
            on_a_difference = round(shift * 100, 6) in differences
            assert inside if stands else (not inside or on_a_difference)


def test_it_speaks_of_the_median():
    assert_allclose(sign_test(table_of([0.1, 0.2, 0.4, 0.9])).test().estimate, 0.3)
    assert_allclose(sign_test(table_of([0.1, 0.2, 0.9])).test().estimate, 0.2)


def test_few_data_sets_leave_everything_standing():
    result = sign_test(table_of([0.1] * 5, bounds=(0, 1))).interval()
    assert (result.low, result.high) == (-1.0, 1.0)
    none = ScoreTable.from_scores([[0.5, None], [None, 0.5]])
    assert (sign_test(none).interval().low, sign_test(none).interval().high) == (-np.inf, np.inf)
    assert sign_test(none).test().pvalue == 1.0
    assert np.isnan(sign_test(none).test().estimate)


# --- Laws -------------------------------------------------------------------------------------------


def test_a_batch_is_a_loop_and_learners_swap():
    rng = np.random.default_rng(1)
    scores = rng.integers(0, 5, (11, 5)) / 10
    scores[2, 3] = scores[4, 0] = np.nan
    scores_table = ScoreTable.from_scores(scores)
    result, limits = (
        sign_test(scores_table.pairs()).test(),
        sign_test(scores_table.pairs()).interval(alpha=0.2),
    )
    for index, (a, b) in enumerate(scores_table.pair_names()):
        one, other = scores_table.select(a, b), scores_table.select(b, a)
        for name in ("pvalue", "statistic", "estimate"):
            assert_array_equal(getattr(sign_test(one).test(), name), getattr(result, name)[index])
        assert sign_test(other).test().pvalue == result.pvalue[index]
        assert sign_test(other).test(alternative="less").pvalue == sign_test(one).test(alternative="greater").pvalue
        there = sign_test(other).interval(alpha=0.2)
        assert (there.low, there.high) == (-limits.high[index], -limits.low[index])


def test_learners_that_never_differ():
    result = sign_test(table_of([0.0] * 4)).test()
    assert (result.pvalue, result.statistic) == (1.0, 0.0)


def test_what_it_refuses():
    with pytest.raises(InvalidOption, match="`ties` must be one of 'drop', 'split', got 'half'"):
        sign_test(table_of([0.1]), ties="half").test()
