"""The interval of wilcoxon-signed-rank and the pseudomedian: published limits, and the test asked shift by shift."""

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tellapart.evidence import ScoreTable
from tellapart.methods.score_table.effects import effect_sizes
from tellapart.methods.score_table.sign import sign_test
from tellapart.methods.score_table.walsh import walsh_limits
from tellapart.methods.score_table.wilcoxon import wilcoxon_signed_rank as wilcoxon

HOLLANDER = {
    "after": [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29],
    "before": [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30],
}


def table_of(differences, **options):
    differences = np.asarray(differences, dtype=float)
    return ScoreTable.from_scores({"A": np.zeros_like(differences), "B": differences}, **options)


def averages(differences):
    return np.sort([(a + b) / 2 for a, b in combinations_with_replacement(differences, 2)])


def test_hollander_and_wolfe():
    """R: wilcox.test(x, y, paired = TRUE, conf.int = TRUE) gives 0.46, from 0.010 to 0.786 (Hollander, Wolfe 1973)."""
    table = ScoreTable.from_scores(HOLLANDER)
    result = wilcoxon(table).interval()
    assert_allclose([result.low, result.high], [0.010, 0.786], atol=1e-12)
    assert_allclose(effect_sizes(table).typical, 0.46, atol=1e-12)


@pytest.mark.parametrize("count", [3, 8, 21])
def test_the_pseudomedian_is_the_median_of_all_means_of_two(count):
    differences = np.random.default_rng(count).normal(size=count).round(4)
    assert_allclose(effect_sizes(table_of(differences)).typical, np.median(averages(differences)), atol=1e-12)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1, 0.5])
@pytest.mark.parametrize("count", [6, 12, 30, 60])
def test_without_ties_the_limits_are_means_of_two_in_order(count, alpha):
    """The place is the number of sums that are too small: those reached by fewer than alpha/2 of all patterns of signs.

    Patterns are counted in Python's whole numbers.
    """
    differences = np.random.default_rng(count).normal(size=count).round(9)
    means = averages(differences)
    ways = [1] + [0] * len(means)
    for rank in range(1, count + 1):
        ways = [ways[total] + (ways[total - rank] if total >= rank else 0) for total in range(len(ways))]
    half = Fraction(alpha) / 2 * 2**count
    below = next(total for total in range(len(ways)) if sum(ways[: total + 1]) >= half)
    result = wilcoxon(table_of(differences)).interval(alpha=alpha)
    if below == 0:
        assert (result.low, result.high) == (-np.inf, np.inf)
    else:
        assert_allclose([result.low, result.high], [means[below - 1], means[-below]], atol=1e-12)


@given(
    st.lists(st.integers(-5, 6), min_size=4, max_size=14),
    st.sampled_from([0.02, 0.05, 0.125, 0.3]),
    st.sampled_from(["two", "upper", "lower"]),
)
def test_with_ties_and_zeros_the_limits_hold_what_the_test_does_not_reject(differences, alpha, side):
    """The test is asked at every mean of two, between them and beyond: its verdicts and the limits are the same."""
    values = np.array(differences) / 100
    table = table_of(values)
    alternative = {"two": "two-sided", "upper": "less", "lower": "greater"}[side]
    result = wilcoxon(table).interval(alpha=alpha, side=side)
    means = np.unique(averages(differences)) / 100
    for shift in np.concatenate([means, means - 0.001, means + 0.001]).round(6).tolist():
        stands = wilcoxon(table).test(shift, alternative).pvalue >= alpha
        inside = result.low - 1e-9 < shift < result.high + 1e-9
        at_limit = min(abs(shift - result.low), abs(shift - result.high)) < 1e-9
        assert stands == inside or (at_limit and not stands)


def test_more_confidence_is_wider_and_learners_swap():
    rng = np.random.default_rng(0)
    for differences in (rng.normal(size=20).round(6), rng.integers(-9, 12, 20) / 100):
        result = [wilcoxon(table_of(differences)).interval(alpha=alpha) for alpha in (0.5, 0.2, 0.1, 0.05, 0.01, 0.001)]
        assert (np.diff([each.low for each in result]) <= 0).all()
        assert (np.diff([each.high for each in result]) >= 0).all()
        swapped = wilcoxon(table_of(-differences)).interval(alpha=0.05)
        assert (swapped.low, swapped.high) == (-result[3].high, -result[3].low)


def test_a_batch_is_a_loop():
    rng = np.random.default_rng(1)
    scores = np.stack([rng.normal(size=(9, 6)), rng.integers(-4, 5, (9, 6)) / 100])
    scores[0, 2, 3] = scores[1, 4, :3] = np.nan
    for each in scores:
        scores_table = ScoreTable.from_scores(each)
        pairs = scores_table.pairs()
        one_by_one = [scores_table.select(*pair) for pair in scores_table.pair_names()]
        result = wilcoxon(pairs).interval(alpha=0.1)
        assert_array_equal(result.low, [wilcoxon(one).interval(alpha=0.1).low for one in one_by_one])
        assert_array_equal(result.high, [wilcoxon(one).interval(alpha=0.1).high for one in one_by_one])
        assert_array_equal(effect_sizes(pairs).typical, [effect_sizes(one).typical for one in one_by_one])


@pytest.mark.parametrize("differences", [[0.1], [0.1] * 5, [0.0] * 3, [0.1, 0.2, 0.3, 0.4, 0.5]])
def test_too_few_data_sets_leave_everything_standing(differences):
    result = wilcoxon(table_of(differences, bounds=(0, 1))).interval()
    assert (result.low, result.high) == (-1.0, 1.0)


def test_equal_differences_leave_that_difference_standing_and_a_step_around_it():
    """Ten differences of 0.1: p is 2/2¹⁰ at any other shift, and 1 there; the scores are 0 and 0.1, one step apart."""
    assert_allclose(walsh_limits(table_of([0.1] * 10), 0.025, (-1.0, 1.0)), (0.1, 0.1))
    result = wilcoxon(table_of([0.1] * 10)).interval()
    assert_allclose([result.low, result.high], [0.0, 0.2])
    assert_allclose(effect_sizes(table_of([0.1] * 10)).typical, 0.1)


def test_no_data_set_in_common():
    result = wilcoxon(ScoreTable.from_scores([[0.5, None], [None, 0.5]])).interval()
    assert (result.low, result.high) == (-np.inf, np.inf)


def test_beyond_the_exact_range_the_limits_agree_with_the_test():
    differences = np.random.default_rng(2).normal(0.02, 1, 520).round(5)
    table = table_of(differences)
    result = wilcoxon(table).interval()
    step = 1e-7
    for limit, inward in ((result.low, step), (result.high, -step)):
        assert wilcoxon(table).test(limit - inward).pvalue < 0.05 <= wilcoxon(table).test(limit + inward).pvalue


@pytest.mark.parametrize("procedure", [sign_test, wilcoxon])
@pytest.mark.parametrize("side", ["upper", "lower"])
def test_bounds_on_one_side_are_nested_where_differences_tie(procedure, side):
    """At half the level both limits are the middle, and a bound has width all the same: no step is allowed for."""
    table = ScoreTable.from_scores({"A": [0.0] * 61, "B": np.random.default_rng(2).normal(0, 0.02, 61).round(2)})
    limits = [procedure(table).interval(alpha=alpha, side=side) for alpha in (0.5, 0.4, 0.2, 0.05)]
    ends = [each.high if side == "upper" else -each.low for each in limits]
    assert ends == sorted(ends)


def test_limits_are_what_they_would_be_written_as():
    """A limit short of 16 by the last digit would leave out 16, which the test leaves standing."""
    table = ScoreTable.from_scores({"A": [0.0] * 12, "B": [16, 25, 16, 9, 0, 1, 9, 25, 4, 9, 9, 16]})
    limits = wilcoxon(table).interval(alpha=0.05, side="upper")
    assert limits.high == 16
    assert wilcoxon(table).test(16.0, "less").pvalue >= 0.05
    assert_array_equal(table.differences, [16, 25, 16, 9, 0, 1, 9, 25, 4, 9, 9, 16])
