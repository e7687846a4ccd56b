"""power_over_data_sets: statsmodels' power of the t test, exact power where it is known, and its own laws."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from statsmodels.stats.power import TTestPower

from tellapart import power_over_data_sets
from tellapart.errors import InvalidOption, UnknownMethod
from tellapart.evidence import ScoreTable


def table_of(differences):
    differences = np.asarray(differences, dtype=float)
    return ScoreTable.from_scores({"A": np.zeros_like(differences), "B": differences})


def normal(count, spread=1.0):
    """Differences that are spread as the normal curve is."""
    values = stats.norm.ppf((np.arange(count) + 0.5) / count)
    return table_of(spread * values / values.std())


@pytest.mark.parametrize("effect", [0.4, 0.8])
def test_the_power_of_the_t_test_is_that_of_statsmodels(effect):
    table = normal(60)
    result = power_over_data_sets(table, difference=effect, method="paired-t", resamples=6000)
    solver = TTestPower()
    assert_allclose(result.power, solver.power(effect, 60, 0.05), atol=0.015)
    assert_allclose(result.needed, solver.solve_power(effect, alpha=0.05, power=0.8), rtol=0.07, atol=1)


def test_signed_ranks_need_a_little_more_than_t_where_differences_are_normal():
    """The asymptotic efficiency of Wilcoxon's test is 3/π there."""
    ranks, t = (
        power_over_data_sets(normal(60), difference=0.4, method=name).needed
        for name in ("wilcoxon-signed-rank", "paired-t")
    )
    assert t - 2 <= ranks <= 1.15 * t * np.pi / 3


@pytest.mark.parametrize(("method", "alpha", "needed"), [("sign-test", 0.05, 6), ("wilcoxon-signed-rank", 0.01, 8)])
def test_a_difference_that_no_spread_hides_takes_what_the_test_takes(method, alpha, needed):
    """All differences point one way then, and the smallest n with 2/2ⁿ below alpha is enough."""
    result = power_over_data_sets(table_of([-0.1, -0.05, 0.0, 0.05, 0.1]), difference=1.0, method=method, alpha=alpha)
    assert (result.power, result.needed, result.datasets) == (0.0, needed, 5)


def test_the_power_of_the_sign_test_is_binomial():
    """A difference of half a standard deviation is seen on Φ(½) of all data sets, where they are normal."""
    result = power_over_data_sets(normal(60), difference=0.5, method="sign-test", resamples=8000, most=60)
    wins = stats.binom(60, stats.norm.cdf(0.5))  # the test rejects at 21 wins or fewer of one learner
    assert_allclose(result.power, wins.cdf(21) + wins.sf(38), atol=0.02)


@pytest.mark.parametrize("method", ["wilcoxon-signed-rank", "paired-t"])
def test_half_the_difference_takes_four_times_the_data_sets(method):
    """Whatever gaps there are between the differences at hand: these are lumped, and skewed."""
    table = table_of(
        [-10.6, -10.2, -7.1, -6.1, -5.0, -1.4, -1.3, 0.2, 1.4, 1.4, 1.7, 2.0, 2.7, 2.7, 3.7, 3.9, 4.7, 5.1]
    )
    large, small = (
        power_over_data_sets(table, difference=size, method=method, resamples=1000).needed for size in (3.0, 1.5)
    )
    assert 3.3 < small / large < 4.7


def test_only_the_spread_of_what_was_observed_matters():
    """Whatever the learners differed by, and whoever is called A: the power is that of the difference that is named."""
    differences = np.random.default_rng(1).exponential(1, 15).round(3)
    result = [
        power_over_data_sets(table_of(values), difference=0.5, resamples=300)
        for values in (differences, differences + 7, differences - 3, -differences)
    ]
    assert len({(each.power, each.needed) for each in result}) == 1


@pytest.mark.parametrize("method", ["wilcoxon-signed-rank", "sign-test", "paired-t"])
@pytest.mark.parametrize("kind", ["tied", "skewed"])
def test_next_to_no_difference_is_seen_no_more_often_than_alpha(method, kind):
    """Ties do not all point one way when they are moved by less than a step, and each test has a middle of its own."""
    rng = np.random.default_rng(4)
    differences = rng.normal(0, 0.02, 300).round(2) if kind == "tied" else rng.exponential(0.02, 300)
    result = power_over_data_sets(table_of(differences), difference=1e-6, method=method, resamples=2000, most=300)
    assert dict(result.curve)[300] < 0.08


def test_scores_that_were_rounded_have_the_power_of_those_that_were_not():
    """A difference of half a step: the scores at hand tie by rounding, and so would those to come, but rarely here."""
    exact = 0.02 * stats.norm.ppf((np.arange(100) + 0.5) / 100)
    fine, coarse = (
        power_over_data_sets(table_of(values), difference=0.005, method="sign-test", resamples=2000, most=100).power
        for values in (exact, exact.round(2))
    )
    assert_allclose(coarse, fine, atol=0.06)


def test_the_variance_of_few_is_not_taken_for_smaller_than_it_is():
    """Four differences of the variance 1 around their mean have 4/3 by n − 1, which is what is drawn from."""
    needed = power_over_data_sets(normal(4), difference=0.4, method="paired-t", resamples=6000).needed
    expected = TTestPower().solve_power(0.4 / np.sqrt(4 / 3), alpha=0.05, power=0.8)
    assert_allclose(needed, expected, rtol=0.07)


def test_more_of_everything():
    table = normal(12)
    small, large = (power_over_data_sets(table, difference=size, resamples=600) for size in (0.6, 1.0))
    assert small.power < large.power
    assert small.needed > large.needed
    shared = power_over_data_sets(table, difference=1.0, comparisons=10, resamples=600)
    assert (shared.alpha, shared.comparisons) == (0.005, 10)
    assert shared.power < large.power
    assert shared.needed > large.needed
    counts, powers = zip(*large.curve, strict=True)
    assert list(counts) == sorted(counts)
    assert (np.diff(powers) > -0.05).all()
    assert dict(large.curve)[12] == large.power
    assert dict(large.curve)[large.needed] >= 0.8


def test_the_same_seed_gives_the_same_answer():
    once, again, other = (power_over_data_sets(normal(9), difference=0.9, rng=rng, resamples=1000) for rng in (3, 3, 4))
    assert (once.power, once.needed) == (again.power, again.needed)
    assert abs(once.power - other.power) < 0.08


def test_a_small_difference_may_take_more_than_was_looked_at():
    result = power_over_data_sets(normal(10), difference=0.01, most=100, resamples=200)
    assert (result.needed, result.most) == (None, 100)
    assert "more than 100 data sets" in " ".join(str(result).split())


def test_of_several_learners_the_pair_of_middle_spread_is_taken():
    rng = np.random.default_rng(0)
    scores = rng.normal(0, 1, (20, 3)) * (0.1, 1.0, 3.0)
    scores_table = ScoreTable.from_scores(scores, ["flat", "even", "wild"])
    result = power_over_data_sets(scores_table, difference=1.0, resamples=200)
    spreads = {pair: scores_table.select(*pair).differences.std() for pair in scores_table.pair_names()}
    assert result.pair == sorted(spreads, key=spreads.get)[1]
    assert result.power == power_over_data_sets(scores_table.select(*result.pair), difference=1.0, resamples=200).power
    assert power_over_data_sets(scores_table.select("flat", "even"), difference=1.0, resamples=200).pair is None


@pytest.mark.parametrize("scores", [[[0, 1], [0, 2]], [[0, 1]] * 5, [[0, 1], [0, 2], [0, None]]])
def test_what_shows_no_spread_is_refused(scores):
    with pytest.raises(InvalidOption, match="different differences on 3 data sets or more"):
        power_over_data_sets(ScoreTable.from_scores(scores), difference=0.1)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"difference": 0.0}, "`difference` must be above 0, in units of the metric"),
        ({"difference": -0.1}, "`difference` must be above 0"),
        ({"difference": 0.1, "power": 80}, "`power` must be between 0 and 1, got 80. For 80% use 0.8"),
        ({"difference": 0.1, "comparisons": 0}, "`comparisons` must be a whole number"),
        ({"difference": 0.1, "most": 2.5}, "`most` must be a whole number"),
        ({"difference": 0.1, "resamples": 0}, "`resamples` must be"),
    ],
)
def test_what_it_refuses(options, text):
    with pytest.raises(InvalidOption, match=text):
        power_over_data_sets(normal(5), **options)


@pytest.mark.parametrize("method", ["random-effects", "hierarchical"])
def test_tests_that_look_at_runs_are_refused_with_others_that_do_not(method):
    with pytest.raises(
        InvalidOption, match=r"must be a test of one run per data set.*Use method='wilcoxon-signed-rank'"
    ):
        power_over_data_sets(normal(5), difference=0.1, method=method)


def test_an_unknown_test_is_reported_with_those_there_are():
    with pytest.raises(UnknownMethod, match="unknown method 'wilcoxon'"):
        power_over_data_sets(normal(5), difference=0.1, method="wilcoxon")


def test_many_tables_and_one_learner_are_refused():
    with pytest.raises(InvalidOption, match="must be a single table"):
        power_over_data_sets(ScoreTable.from_scores([[1, 2, 3]] * 4).pairs(), difference=0.1)
    with pytest.raises(InvalidOption, match="got 'A' alone"):
        power_over_data_sets(ScoreTable.from_scores([[1], [2], [3]]), difference=0.1)
