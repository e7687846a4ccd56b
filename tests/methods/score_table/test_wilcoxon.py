"""wilcoxon-signed-rank against SciPy, published examples and all patterns of signs, one by one."""

from itertools import combinations_with_replacement, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import ScoreTable
from tellapart.methods import find_method
from tellapart.methods.score_table.wilcoxon import wilcoxon_signed_rank as wilcoxon

WAYS = ("two-sided", "greater", "less")


def table_of(differences):
    """Scores of A are 0, those of B the differences: higher is better, so loss(A) − loss(B) is the difference."""
    differences = np.asarray(differences, dtype=float)
    loss = np.stack([np.zeros_like(differences), -differences], axis=-2)[..., None]
    names = tuple(str(index) for index in range(differences.shape[-1]))
    return ScoreTable(np.where(np.isnan(loss).any(axis=-3, keepdims=True), np.nan, loss), names)


def demsar():
    rows = [line.split(",") for line in (Path(__file__).parent / "demsar2006.csv").read_text().splitlines()]
    scores = [[float(cell) for cell in row[1:]] for row in rows[1:]]
    return ScoreTable.from_scores(scores, rows[0][1:], [row[0] for row in rows[1:]], metric="auc", bounds=(0, 1))


def by_all_patterns(differences, alternative, zeros="pratt"):
    """Return the p-value over all patterns of signs, with SciPy's ranks: P(W ≥ w), W the sum of positive ones."""
    d = np.asarray(differences, dtype=float)
    if zeros == "drop":
        d = d[d != 0]
    ranks = stats.rankdata(np.abs(d)) * (d != 0)
    observed = ranks[d > 0].sum()
    every = np.array(list(product((0, 1), repeat=len(d)))) @ ranks if len(d) else np.zeros(1)
    greater, less = np.mean(every >= observed - 1e-9), np.mean(every <= observed + 1e-9)
    return {"greater": greater, "less": less, "two-sided": min(1.0, 2 * min(greater, less))}[alternative]


# --- Published -------------------------------------------------------------------------------------


def test_hollander_and_wolfe():
    """R's help of wilcox.test (Hollander and Wolfe 1973, p. 29): V = 40 of 45, p = 0.01953 one-sided."""
    first = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    second = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    result = wilcoxon(ScoreTable.from_scores({"second": second, "first": first})).test(alternative="greater")
    assert result.statistic == 5.0
    assert_allclose(result.pvalue, 0.01953125, rtol=1e-15)


def test_students_sleep_data_have_ties_and_a_zero():
    """Nine differences of one sign and a zero: 2/2⁹ by counting (R's sleep data, drug 2 against drug 1)."""
    drugs = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0], [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    for zeros in ("pratt", "drop"):
        assert (
            wilcoxon(ScoreTable.from_scores(dict(zip("12", drugs, strict=True))), zeros=zeros).test().pvalue == 2 / 2**9
        )


# --- Against SciPy and all patterns ----------------------------------------------------------------


@pytest.mark.parametrize("alternative", WAYS)
@pytest.mark.parametrize("count", [1, 2, 5, 13, 30, 120, 300])
def test_without_ties_it_is_scipys_exact_test(count, alternative):
    differences = np.random.default_rng(count).normal(0.2, 1, count)
    expected = stats.wilcoxon(differences, alternative=alternative, method="exact")
    result = wilcoxon(table_of(differences)).test(alternative=alternative)
    assert_allclose(result.pvalue, expected.pvalue, rtol=1e-9)
    if alternative == "two-sided":
        assert result.statistic == expected.statistic


@pytest.mark.parametrize("zeros", ["pratt", "drop"])
@pytest.mark.parametrize("alternative", WAYS)
def test_with_ties_and_zeros_it_counts_all_patterns(alternative, zeros):
    """Every multiset of six differences from −2 to 2 (zeros, ties of one sign and of both), in one call."""
    every = np.array(list(combinations_with_replacement(range(-2, 3), 6)))
    result = wilcoxon(table_of(every / 100), zeros=zeros).test(alternative=alternative)
    expected = [by_all_patterns(row, alternative, zeros) for row in every]
    assert_array_equal(result.pvalue, expected)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=10), st.sampled_from(WAYS))
def test_ten_differences_with_ties(differences, alternative):
    assert_array_equal(
        wilcoxon(table_of(np.array(differences) / 1000)).test(alternative=alternative).pvalue,
        by_all_patterns(differences, alternative),
    )


def test_scores_that_differ_by_rounding_alone_tie():
    """0.888 − 0.882 is not 0.006 in floats; as scores are written it is."""
    table = ScoreTable.from_scores({"A": [0.882, 0.5, 0.4, 0.1], "B": [0.888, 0.494, 0.41, 0.3]})
    assert wilcoxon(table).test().statistic == 1.5


def test_many_data_sets_go_by_the_normal_curve():
    """Beyond 500: SciPy's normal approximation with the correction for continuity, ties counted."""
    rng = np.random.default_rng(3)
    for differences in (rng.normal(0.05, 1, 700), rng.integers(-20, 22, 700) + 0.5):
        expected = stats.wilcoxon(differences, method="approx", correction=True)
        assert_allclose(wilcoxon(table_of(differences)).test().pvalue, expected.pvalue, rtol=1e-9)


def test_the_normal_curve_takes_over_without_a_jump():
    differences = np.random.default_rng(4).normal(0.08, 1, 500)
    exact, normal = (wilcoxon(table_of(differences), exact=limit).test().pvalue for limit in (500, 0))
    assert_allclose(exact, normal, rtol=0.01)
    assert "normal" in find_method("wilcoxon-signed-rank", "test", ScoreTable).note(exact=0)


# --- Its level --------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [(0.2, 0.2, 0.2, 0.2, 0.2), (0.05, 0.1, 0.7, 0.1, 0.05), (0.4, 0.1, 0, 0.1, 0.4)])
@pytest.mark.parametrize("zeros", ["pratt", "drop"])
def test_its_size_is_never_above_alpha(weights, zeros):
    """All 5⁶ outcomes of six differences from −2 to 2 with symmetric chances, added up."""
    every = np.array(list(product(range(-2, 3), repeat=6)))
    chance = np.prod(np.array(weights)[every + 2], axis=-1)
    multisets, back = np.unique(np.sort(every, axis=-1), axis=0, return_inverse=True)
    for alternative in ("two-sided", "greater"):
        pvalue = wilcoxon(table_of(multisets / 100), zeros=zeros).test(alternative=alternative).pvalue[back.reshape(-1)]
        for alpha in (0.01, 0.05, 0.1, 0.2, 0.5):
            assert chance[pvalue <= alpha].sum() <= alpha * (1 + 1e-12)


@pytest.mark.parametrize("count", range(1, 13))
def test_without_ties_its_size_is_the_largest_that_counting_allows(count):
    """The chance of p ≤ alpha, over all 2ⁿ patterns of signs, does not exceed alpha."""
    signs = np.array(list(product((-1, 1), repeat=count)))
    pvalue = wilcoxon(table_of(signs * np.arange(1, count + 1) / 100)).test().pvalue
    reached = np.unique(pvalue)
    assert_allclose([np.mean(pvalue <= alpha) for alpha in reached[reached < 1]], reached[reached < 1], rtol=1e-12)


# --- Laws -------------------------------------------------------------------------------------------

whole_numbers = st.lists(st.one_of(st.integers(-6, 6), st.just(np.nan)), min_size=2, max_size=12)


@given(whole_numbers, st.sampled_from([0.0, 0.01, -0.02]))
def test_swapping_learners_swaps_the_alternatives(differences, against):
    values = np.array([0.01, *(np.array(differences) / 100)])
    here, there = table_of(values), table_of(-values)
    for one, other in (("two-sided", "two-sided"), ("greater", "less")):
        a = wilcoxon(here).test(against, one)
        b = wilcoxon(there).test(-against, other)
        assert (a.pvalue, a.statistic) == (b.pvalue, b.statistic)
        assert 0 < a.pvalue <= 1


@given(st.lists(whole_numbers.map(lambda row: (row + [0] * 12)[:12]), min_size=2, max_size=6))
def test_a_batch_is_a_loop(rows):
    batch = np.array(rows) / 100
    batch[:, 0] = 0.07  # known everywhere
    result = wilcoxon(table_of(batch)).test()
    assert_array_equal(result.pvalue, [wilcoxon(table_of(row)).test().pvalue for row in batch])
    assert_array_equal(result.statistic, [wilcoxon(table_of(row)).test().statistic for row in batch])
    assert result.pvalue.shape == (len(rows),)


def test_missing_data_sets_are_left_out():
    values = np.array([0.3, np.nan, -0.1, 0.2, np.nan, 0.5])
    assert wilcoxon(table_of(values)).test().pvalue == wilcoxon(table_of(values[~np.isnan(values)])).test().pvalue


def test_a_shift_is_one_of_the_differences():
    values = np.array([0.31, 0.12, 0.25, -0.04, 0.05, 0.1])
    assert wilcoxon(table_of(values)).test(0.1).pvalue == wilcoxon(table_of(np.round(values - 0.1, 6))).test().pvalue
    far = wilcoxon(table_of(values)).test(1e9)
    assert (far.pvalue, wilcoxon(table_of(values)).test(-1e9).pvalue) == (2 / 2**6, 2 / 2**6)
    assert wilcoxon(table_of(values)).test(-1e9, "greater").pvalue == 1 / 2**6


@pytest.mark.parametrize("zeros", ["pratt", "drop"])
@pytest.mark.parametrize("count", [1, 4, 600])
def test_learners_that_never_differ(count, zeros):
    """SciPy has given 0.125 for four zeros; nothing has been seen, so p is 1."""
    result = wilcoxon(table_of(np.zeros(count)), zeros=zeros).test()
    assert result.pvalue == 1.0
    assert result.statistic == 0.0


def test_no_data_set_in_common():
    table = ScoreTable.from_scores([[0.5, None], [None, 0.5]])
    result = wilcoxon(table).test()
    assert (result.pvalue, result.statistic) == (1.0, 0.0)


def test_what_it_refuses():
    table = demsar()
    with pytest.raises(InvalidEvidence, match=r"compares two learners, got 4 \(C4\.5, .*pairs\(\)"):
        wilcoxon(table).test()
    pair = table.select("C4.5", "C4.5+m")
    with pytest.raises(InvalidOption, match="`zeros` must be one of 'pratt', 'drop', got 'zsplit'"):
        wilcoxon(pair, zeros="zsplit").test()
    with pytest.raises(InvalidOption, match="`exact` must be a whole number of data sets from 0 to 500, got 501"):
        wilcoxon(pair, exact=501).test()
    with pytest.raises(InvalidOption, match="`alternative` must be one of"):
        wilcoxon(pair).test(alternative="larger")
