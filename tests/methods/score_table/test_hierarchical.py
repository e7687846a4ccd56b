"""The hierarchical test: its laws, what it says of tables that say little, and what it asks for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tellapart import compare, find_methods
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import ScoreTable
from tellapart.methods.score_table import hierarchical_posterior
from tellapart.methods.score_table.hierarchical import hierarchical
from tellapart.methods.score_table.hierarchical_posterior import draw_posteriors
from tellapart.numerics.convergence import agreement, effective_draws

FEW = {"draws": 640}


def table_of(differences, **options):
    """Return a table in which B is better by so much, by data set and run."""
    differences = np.asarray(differences, dtype=float)
    return ScoreTable.from_scores({"A": 0.5 + 0 * differences, "B": 0.5 + differences}, **{"rho": 0.1} | options)


def some_runs(datasets, runs=10, *, mean=0.0, between=0.02, within=0.02, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(rng.normal(mean, between, (datasets, 1)), within, (datasets, runs))


def shares(result):
    return np.stack([result.practical.a_better, result.practical.equivalent, result.practical.b_better], axis=-1)


# --- Laws -----------------------------------------------------------------------------------------


@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 10**6), datasets=st.integers(1, 8), runs=st.integers(2, 6), rope=st.sampled_from([0, 0.01]))
def test_who_is_called_a_changes_the_sign_and_nothing_else(seed, datasets, runs, rope):
    table = table_of(some_runs(datasets, runs, seed=seed))
    swapped = table.select("B", "A")
    here, there = hierarchical(table, rope=rope, **FEW).test(), hierarchical(swapped, rope=rope, **FEW).test()
    assert_array_equal(shares(there), shares(here)[::-1])
    assert (there.pvalue, there.estimate) == (here.pvalue, -here.estimate)
    assert hierarchical(swapped, rope=rope, **FEW).test(alternative="less").pvalue == (
        hierarchical(table, rope=rope, **FEW).test(alternative="greater").pvalue
    )
    limits, turned = hierarchical(table, **FEW).interval(), hierarchical(swapped, **FEW).interval()
    assert (turned.low, turned.high) == (-limits.high, -limits.low)
    assert 0 < here.pvalue <= 1
    assert_allclose(shares(here).sum(), 1)


def test_the_unit_of_the_metric_changes_nothing_else():
    runs = some_runs(6, mean=0.02)
    here, there = (hierarchical(table_of(factor * runs), **FEW).interval() for factor in (1, 128))
    assert_allclose([there.low, there.high], [128 * here.low, 128 * here.high])
    assert hierarchical(table_of(128 * runs), rope=1.28, **FEW).test().statistic == (
        hierarchical(table_of(runs), rope=0.01, **FEW).test().statistic
    )


def test_the_tiny_and_the_huge_are_answered_alike():
    runs = some_runs(5, mean=0.02)
    tables = [ScoreTable.from_scores({"A": 0 * runs, "B": unit * runs}, rho=0.1) for unit in (2.0**-600, 1, 2.0**600)]
    assert len({hierarchical(table, **FEW).test().pvalue.item() for table in tables}) == 1


@pytest.mark.parametrize("mean", [0.0, 0.012, 0.03])
@pytest.mark.parametrize(("side", "alternative"), [("two", "two-sided"), ("lower", "greater"), ("upper", "less")])
def test_limits_decide_as_the_test_does(mean, side, alternative):
    table = table_of(some_runs(8, mean=mean))
    for alpha in (0.5, 0.1, 0.05, 0.01, 0.002):
        limits = hierarchical(table, **FEW).interval(alpha=alpha, side=side)
        ends = [end for end in (limits.low, limits.high) if np.isfinite(end)]
        for against in (0.0, 0.015, *ends, *np.nextafter(ends, -1), *np.nextafter(ends, 1)):
            rejects = hierarchical(table, **FEW).test(against, alternative).pvalue < alpha
            assert rejects == (not limits.low <= against <= limits.high)


def test_limits_are_nested_and_one_sided_ones_end_where_the_range_does():
    table = table_of(some_runs(8), metric="accuracy", bounds=(0, 1))
    limits = [hierarchical(table, **FEW).interval(alpha=alpha) for alpha in (0.5, 0.1, 0.01, 1e-4)]
    assert all(np.diff([each.low for each in limits]) <= 0)
    assert all(np.diff([each.high for each in limits]) >= 0)
    assert (limits[-1].low, limits[-1].high) == (-1, 1)  # so few draws cannot tell
    assert hierarchical(table, **FEW).interval(side="upper", alpha=0.05).low == -1
    assert hierarchical(table, **FEW).interval(side="upper", alpha=0.05).high == limits[1].high


def test_many_tables_are_many_single_ones():
    losses = np.stack([-some_runs(5, 4, seed=seed) for seed in range(6)]).reshape(2, 3, 5, 4)
    table = ScoreTable(losses, tuple("abcde"), tuple("xyz"), rho=0.25).pairs()
    together = hierarchical(table, rope=0.01, **FEW).test(), hierarchical(table, **FEW).interval()
    drawn = hierarchical(table, rope=0.01, **FEW).masses()
    assert drawn.shape == (2, 3, 640, 3)
    for index in np.ndindex(2, 3):
        alone = hierarchical(table[index], rope=0.01, **FEW).test()
        assert_array_equal(shares(alone), shares(together[0])[index])
        assert (alone.pvalue, alone.estimate) == (together[0].pvalue[index], together[0].estimate[index])
        assert hierarchical(table[index], **FEW).interval().low == together[1].low[index]
        assert_array_equal(hierarchical(table[index], rope=0.01, **FEW).masses(), drawn[index])


def test_draws_vote_as_the_test_says():
    table = table_of(some_runs(8, mean=0.01))
    masses = hierarchical(table, rope=0.01, **FEW).masses()
    assert_allclose(masses.sum(axis=-1), 1)
    assert_array_equal(
        np.bincount(masses.argmax(axis=-1), minlength=3) / 640, shares(hierarchical(table, rope=0.01, **FEW).test())
    )


def test_many_data_sets_with_many_runs_leave_the_normal_theory():
    """δ₀ given everything else is the weighted mean of the data sets, and with 80 of them all else is known."""
    runs = some_runs(80, 40, mean=0.01, between=0.02, within=0.03, seed=2)
    variances = 0.02**2 + 0.03**2 * (0.1 + 0.9 / 40)
    result = hierarchical(table_of(runs), draws=3000).interval(alpha=0.3173)
    assert_allclose((result.low + result.high) / 2, runs.mean(), atol=0.15 * np.sqrt(variances / 80))
    assert_allclose((result.high - result.low) / 2, np.sqrt(variances / 80), rtol=0.2)


def test_what_is_known_of_runs_weighs():
    """Two noisy data sets that speak for A count little beside six steady ones that speak for B."""
    steady = 0.01 + 0.001 * some_runs(6, between=0.0, within=1.0)
    noisy = -0.03 + 0.2 * some_runs(2, between=0.0, within=1.0, seed=1)
    table = table_of(np.vstack([steady, noisy]))
    assert hierarchical(table, draws=2000).test().pvalue < 0.01
    assert hierarchical(table, draws=2000).interval().low > 0.005


# --- What little there is --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("difference", "expected"), [(0.0, [0, 1, 0]), (0.05, [0, 1, 0]), (0.1, [0, 1, 0]), (0.25, [0, 0, 1])]
)
def test_runs_that_never_differ_sit_on_their_mean_and_show_nothing(difference, expected):
    """The region that holds the one difference has it all, ends of the rope included; p and limits claim nothing."""
    table = table_of(np.full((5, 4), difference), metric="accuracy", bounds=(0, 1))
    result, limits = hierarchical(table, rope=0.1).test(), hierarchical(table).interval()
    assert (result.pvalue, result.statistic, result.estimate) == (1, expected[2], difference)
    assert list(shares(result)) == expected
    assert list(shares(hierarchical(table.select("B", "A"), rope=0.1).test())) == expected[::-1]
    assert (limits.low, limits.high) == (-1, 1)
    assert np.all(hierarchical(table, rope=0.1, draws=200).masses() == expected)
    answer = compare(table, method="hierarchical")
    assert any(check.code == "TA728" and not check.holds for check in answer.checks)


def test_one_data_set_without_spread_has_the_smallest_of_the_others():
    runs = some_runs(6)
    runs[2] = 0.125
    steady = runs.copy()
    deviations = runs.std(axis=1, ddof=1)
    smallest = np.delete(deviations, 2).min()
    steady[2] = 0.125 + np.tile([-1, 1], 5) * smallest * np.sqrt(0.9)
    bounds = {"metric": "accuracy", "bounds": (0, 1)}
    result, expected = (hierarchical(table_of(each, **bounds), **FEW).interval() for each in (runs, steady))
    assert_allclose([result.low, result.high], [expected.low, expected.high], rtol=1e-9)


@pytest.mark.parametrize("datasets", [1, 2])
def test_few_data_sets_say_so(datasets):
    table = table_of(0.1 + some_runs(datasets), metric="accuracy", bounds=(0, 1))
    answer = compare(table, method="hierarchical", draws=2000)
    assert answer.interval.high - answer.interval.low > 0.5
    assert [check.code for check in answer.checks if not check.holds] == ["TA729"]


def test_what_is_missing_is_left_out():
    runs = some_runs(7, 6)
    holes = runs.copy()
    holes[3] = np.nan
    whole = table_of(runs).only("1", "2", "3", "5", "6", "7")
    assert hierarchical(table_of(holes), **FEW).test().pvalue == hierarchical(whole, **FEW).test().pvalue
    holes[0, 4:] = np.nan
    assert 0 < hierarchical(table_of(holes), **FEW).test().pvalue < 1


def test_data_sets_that_agree_to_the_last_digit_have_an_answer():
    runs = np.tile(0.02 + 0.01 * np.array([-1, 1, -2, 2, 0]), (6, 1))
    result = hierarchical(table_of(runs), **FEW).interval()
    assert 0 < result.low < 0.02 < result.high


# --- What it asks for ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rope": -0.1}, "`rope` must be 0 or more, in units of the metric, got -0.1"),
        ({"draws": 10}, "`draws` must be a whole number from 128 to ten million, got 10"),
        ({"draws": 1000.0}, "`draws` must be a whole number"),
        ({"rng": "x"}, "`rng` must be a seed"),
    ],
)
def test_options_are_described(options, message):
    with pytest.raises(InvalidOption, match=message):
        hierarchical(table_of(some_runs(4)), **FEW | options).test()
    with pytest.raises(InvalidOption, match="`alternative` must be"):
        hierarchical(table_of(some_runs(4)), **FEW).test(alternative="better")


def test_it_has_to_know_how_runs_go_together():
    table = table_of(some_runs(4), rho=None)
    with pytest.raises(InvalidOption, match=r"rho=0\.1 for 10-fold"):
        hierarchical(table).test()
    here, there = hierarchical(table, rho=0.1, **FEW).test(), hierarchical(table_of(some_runs(4)), **FEW).test()
    assert here.pvalue == there.pvalue
    (test,) = find_methods(name="hierarchical", gives="test")
    note = test.note(rho=0.1)
    assert note == "flat priors; correlation of the runs 0.1"


def test_one_run_is_not_enough():
    runs = some_runs(4)
    runs[2, 1:] = np.nan
    with pytest.raises(InvalidEvidence, match="2 runs or more of both learners on every data set, got 1 on '3'"):
        hierarchical(table_of(runs)).test()


def test_three_learners_are_no_pair():
    scores = np.zeros((4, 3, 5))
    with pytest.raises(InvalidEvidence, match="compares two learners"):
        hierarchical(ScoreTable.from_scores(scores, rho=0.1)).interval()


# --- Draws are made once, and judged ----------------------------------------------------------------


def test_test_and_interval_share_their_draws(monkeypatch):
    """What is remembered is a matter of time alone: all that draws depend on has to be the same."""
    table = table_of(some_runs(5, seed=77))
    result = hierarchical(table, draws=600).test()
    monkeypatch.setattr(hierarchical_posterior, "draw", None)  # whoever draws now fails
    assert hierarchical(table, draws=600).test().pvalue == result.pvalue
    assert hierarchical(table, draws=600).interval().low < result.estimate
    for other in ({"draws": 601}, {"rng": 1}, {"rho": 0.2}, {"rng": np.random.default_rng(0)}):
        with pytest.raises(TypeError):
            hierarchical(table, **{"draws": 600} | other).test()


def test_an_answer_carries_what_its_own_draws_are_worth():
    """Whatever else was drawn from the same scores in between."""
    table = table_of(some_runs(5, seed=77))
    few = hierarchical(table, draws=600).test().mixing
    many = hierarchical(table, draws=6000).test().mixing
    assert few.effective < 900 < many.effective
    again = hierarchical(table, draws=600).interval().mixing
    assert (again.agreement, again.effective) == (few.agreement, few.effective)
    together = hierarchical(ScoreTable(np.stack([table.loss] * 2), table.datasets, rho=0.1), draws=600).test().mixing
    assert_array_equal(together.effective, [few.effective] * 2)


def test_a_generator_goes_on():
    table, rng = table_of(some_runs(5)), np.random.default_rng(0)
    first, second = (hierarchical(table, rng=rng, **FEW).test() for _ in range(2))
    assert first.estimate == hierarchical(table, rng=0, **FEW).test().estimate != second.estimate


def test_usual_draws_have_converged():
    """Few data sets that differ, and many that do not: R-hat at most 1.01, and 400 draws or more in effect."""
    for datasets, between in ((3, 0.02), (30, 0.0)):
        table = table_of(some_runs(datasets, between=between))
        ((_, result),) = draw_posteriors(table, rho=None, draws=10_000, rng=3)
        assert result.agreement < 1.01
        assert result.effective > 400


def test_chains_that_do_not_mix_are_seen():
    """Chains that stay where they are, chains that drift, and chains of which one does something else."""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(300, 32))
    for bad in (
        0.1 * noise + rng.normal(size=32),
        noise + np.linspace(-1, 1, 300)[:, None],
        noise + 4 * (np.arange(32) < 8),
    ):
        assert agreement(bad) > 1.01
        assert effective_draws(bad) < 400
    assert agreement(noise) < 1.01
    assert 7000 < effective_draws(noise) < 13_000


def test_effective_draws_of_an_autoregression_are_known():
    """An autoregression of 0.8 has draws worth (1 − 0.8)/(1 + 0.8) of independent ones."""
    rng = np.random.default_rng(1)
    chain = np.zeros((1000, 16))
    for step in range(1, 1000):
        chain[step] = 0.8 * chain[step - 1] + 0.6 * rng.normal(size=16)
    assert_allclose(effective_draws(chain[50:]), 950 * 16 / 9, rtol=0.15)


def test_runs_without_spread_are_the_limit_of_steadier_runs():
    """Data sets that differ still show how far the next one may lie: as runs get steadier the answer arrives there.

    The expected values are those of the same data sets with runs that scatter by 10⁻⁵ of the data sets' spread.
    """
    gains = np.array([0.02, 0.01, 0.0, 0.03, -0.01, 0.012, 0.018, 0.005])[:, None]
    scatter = np.tile([-1, 1], 5) * 1e-5 * gains.std(ddof=1)
    result, expected = (hierarchical(table_of(gains + each), rope=0.01).test() for each in (np.zeros(10), scatter))
    assert_allclose(shares(result), shares(expected), atol=0.02)
    assert_allclose(result.estimate, expected.estimate, atol=2e-4)
    answer = compare(table_of(gains + np.zeros(10)), method="hierarchical", draws=500)
    assert any(check.code == "TA728" and not check.holds for check in answer.checks)
