"""The Bayesian sign and signed-rank tests against baycomp, mpmath, sums over all pairs and quadrature."""

import csv
from itertools import pairwise
from pathlib import Path

import baycomp
import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import integrate, special, stats

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import ScoreTable
from tellapart.methods.score_table.bayesian import (
    bayesian_sign,
    bayesian_signed_rank,
    pairwise_probabilities,
    practical_draws,
)
from tellapart.methods.score_table.posteriors import Regions, dirichlet_regions, rank_masses

TESTS = (bayesian_sign, bayesian_signed_rank)


def table_of(differences, **options):
    differences = np.asarray(differences, dtype=float)
    return ScoreTable.from_scores({"A": np.zeros_like(differences), "B": differences}, **options)


def regions_of(result):
    return np.array([result.practical.a_better, result.practical.equivalent, result.practical.b_better])


def demsar():
    with (Path(__file__).parent / "demsar2006.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    return {name: [float(row[name]) for row in rows] for name in rows[0] if name != "dataset"}


def assert_close(shares, others, draws):
    """Two shares of so many draws are within four standard errors of their difference."""
    error = np.sqrt((others * (1 - others) + 1e-4) * 2 / draws)
    assert np.all(np.abs(shares - others) < 4 * error), (shares, others)


# --- Signs --------------------------------------------------------------------------------------------


def most(own, first, second):
    """Return the probability that the first of three Gamma variables is the largest, by adaptive quadrature."""

    def density(x):
        return stats.gamma.pdf(x, own) * special.gammainc(first, x) * special.gammainc(second, x)

    parts = np.array([0, 1e-3, 0.1, 1, 5, 20, 50, 100, 250])
    return sum(integrate.quad(density, *ends, epsabs=0, epsrel=1e-11)[0] for ends in pairwise(parts))


@pytest.mark.parametrize("weights", [(2, 0.5, 8), (10, 6.5, 20), (30, 1, 1), (4, 1, 60)])
def test_regions_are_those_of_the_integral(weights):
    a, e, b = weights
    result = dirichlet_regions(Regions(*map(np.array, weights)))
    assert_allclose(result, [most(a, e, b), most(e, a, b), most(b, a, e)], rtol=1e-9)


def test_regions_have_all_digits():
    """P(largest) = ∫ F_½(x)·F_3(x)·x³·exp(−x)/Γ(4) dx by mpmath with 20 digits."""
    with mpmath.workdps(20):

        def density(x):
            below = mpmath.erf(mpmath.sqrt(x)) * (1 - mpmath.exp(-x) * (1 + x + x**2 / 2))  # both in closed form
            return below * x**3 * mpmath.exp(-x) / 6

        expected = float(mpmath.quad(density, [0, 0.1, 1, 5, 20, 60]))
    assert_allclose(dirichlet_regions(Regions(*map(np.array, (0.5, 3.0, 4.0)))).b_better, expected, rtol=1e-14)


def test_wins_alone_are_as_odd_as_by_the_sign_test():
    """Five wins of five and a pseudo data set of weight 1: P(Beta(1, 5) > ½) = 2⁻⁵, the exact one-sided p-value."""
    result = bayesian_sign(table_of([0.1] * 5), alternative="greater")
    assert_allclose(result.pvalue, 2.0**-5, rtol=1e-12)
    assert_allclose(bayesian_sign(table_of([0.1] * 5)).pvalue, 2.0**-4, rtol=1e-12)


@pytest.mark.parametrize(("a", "b"), [(2, 8), (17, 11), (200, 160)])
def test_two_regions_are_a_beta_distribution(a, b):
    """Without ties and with the pseudo data set where A is better, B has most with P(Beta(b, a + 1) > ½)."""
    result = bayesian_sign(table_of([-0.1] * a + [0.2] * b), prior_at="a")
    assert_allclose(result.statistic, special.betaincc(b, a + 1, 0.5), rtol=1e-10)
    assert_allclose(result.practical.a_better, special.betainc(b, a + 1, 0.5), rtol=1e-10)


@pytest.mark.parametrize("rope", [0.0, 0.0075])
@pytest.mark.parametrize(("prior", "prior_at"), [(1.0, "rope"), (2.5, "a"), (0.5, "b")])
def test_the_sign_test_is_baycomps(rope, prior, prior_at):
    scores = np.random.default_rng(7).normal([0.7, 0.706], 0.02, (30, 2)).round(4)
    draws, index = 20_000, {"a": 0, "rope": 1, "b": 2}[prior_at]
    drawn = baycomp.SignTest(*scores.T, rope, prior=(prior, index), nsamples=draws, random_state=1)
    result = bayesian_sign(ScoreTable.from_scores(scores), rope=rope, prior=prior, prior_at=prior_at)
    assert_close(regions_of(result), np.array(drawn.probs()), draws)


def test_its_level_is_what_its_standing_promises():
    """Exact: over all numbers of wins of B if either wins with chance ½, from 20 data sets on."""
    for count in (20, 21, 25, 31, 38, 50):
        wins = np.arange(count + 1)
        rows = np.where(np.arange(count) < wins[:, None], 0.1, -0.1)
        table = ScoreTable(np.stack([rows, 0 * rows], 1)[..., None], tuple(map(str, range(count))), metric="loss")
        size = stats.binom.pmf(wins, count, 0.5)[bayesian_sign(table).pvalue < 0.05].sum()
        assert size <= 1.7 * 0.05


# --- Signed ranks -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "rope"), [(6, 0.0), (6, 0.01), (30, 0.0), (30, 0.0075)])
def test_the_signed_rank_test_is_baycomps(count, rope):
    scores = np.random.default_rng(count).normal([0.7, 0.705], 0.02, (count, 2)).round(4)
    draws = 20_000
    drawn = baycomp.SignedRankTest(*scores.T, rope, nsamples=draws, random_state=1)
    result = bayesian_signed_rank(ScoreTable.from_scores(scores), rope=rope, resamples=draws, rng=2)
    assert_close(regions_of(result), np.array(drawn.probs()), draws)


@pytest.mark.parametrize("better", ["C4.5+m", "C4.5+cf"])
def test_demsars_table_is_baycomps(better):
    """Ties between data sets, and on two of them between the learners; baycomp gives halves of sums that are 0, too."""
    scores, draws = demsar(), 20_000
    columns = np.round(1000 * np.array([scores["C4.5"], scores[better]]))  # in whole thousandths, which floats hold
    drawn = baycomp.SignedRankTest(*columns, 0, nsamples=draws, random_state=3)
    table = ScoreTable.from_scores({name: scores[name] for name in ("C4.5", better)})
    assert_close(regions_of(bayesian_signed_rank(table, resamples=draws)), np.array(drawn.probs()), draws)


@pytest.mark.parametrize("prior_at", ["rope", "a", "b"])
@pytest.mark.parametrize("rope", [0.0, 0.1, 0.15])
def test_masses_are_sums_over_all_pairs(rope, prior_at):
    """The same weights, one pair after the other, half of the mass of every sum that is exactly at the rope's end."""
    difference = np.array([-0.3, -0.1, 0.0, 0.1, 0.1, 0.2, 0.5])
    tenths = np.append(np.round(20 * difference), {"rope": 0, "a": -np.inf, "b": np.inf}[prior_at])  # half a tenth is 1
    rng = np.random.default_rng(5)
    own = rng.standard_gamma(0.5, 200)
    weights = np.vstack([rng.standard_exponential((7, 200)), own])  # the differences are in order
    weights /= weights.sum(axis=0)
    sums = tenths[:, None] + tenths
    above = np.heaviside(sums - round(40 * rope), 0.5)
    below = np.heaviside(-sums - round(40 * rope), 0.5)
    high, low = (np.einsum("id,ij,jd->d", weights, side, weights) for side in (above, below))
    table = table_of(difference)
    (result,) = rank_masses(table, rope=rope, prior=0.5, prior_at=prior_at, resamples=200, rng=5)
    assert_allclose(result, [low, 1 - low - high, high], atol=1e-12)


@pytest.mark.parametrize("rope", [0.0, 0.25])
def test_two_data_sets_are_those_of_the_integral(rope):
    """Differences −1 and 2: the weights are z ~ Beta(½, 2) for the prior, and (1 − z)·(u, 1 − u) with u uniform."""
    step = (np.arange(1000) + 0.5) / 1000
    z, u = np.meshgrid(step**2, step, indexing="ij")  # z = t² takes the density's pole away
    chance = stats.beta.pdf(z, 0.5, 2) * 2 * np.sqrt(z) / step.size**2
    weights = {0.0: z, -1.0: (1 - z) * u, 2.0: (1 - z) * (1 - u)}
    masses = np.zeros((3, *z.shape))
    for first, one in weights.items():
        for second, other in weights.items():
            total = first + second
            share = [total < -2 * rope, abs(total) <= 2 * rope, total > 2 * rope]
            split = [0.5, 0.0, 0.5] if rope == 0 and total == 0 else [float(each) for each in share]
            masses += np.multiply.outer(split, one * other)
    most = masses.argmax(axis=0)
    expected = np.array([chance[most == index].sum() for index in range(3)])
    result = bayesian_signed_rank(table_of([-1.0, 2.0]), rope=rope, resamples=200_000)
    assert_allclose(expected.sum(), 1, atol=1e-4)
    assert_allclose(regions_of(result), expected, atol=0.004)


def test_what_draws_cannot_show_is_no_p_value():
    result = bayesian_signed_rank(table_of(np.linspace(0.1, 0.2, 40)), resamples=1000)
    assert result.statistic == 1
    assert_allclose(result.pvalue, 2 / 1001)


# --- Laws of both -------------------------------------------------------------------------------------


@pytest.mark.parametrize("test", TESTS)
def test_equal_learners_are_not_significantly_different(test):
    result = test(table_of([0.0] * 6))
    assert result.pvalue == 1
    assert result.practical.a_better == result.practical.b_better
    assert_allclose(regions_of(test(table_of([0.0] * 6), rope=0.01)), [0, 1, 0], atol=1e-12)


@pytest.mark.parametrize("test", TESTS)
def test_differences_at_the_end_of_the_rope_count_as_none(test):
    """On paper 0.888 − 0.882 is 0.006; in floats it is more."""
    table = ScoreTable.from_scores({"A": [0.882] * 4, "B": [0.888] * 4})
    assert_array_equal(bayesian_sign(table, rope=0.006).practical.b_better < 0.01, True)
    assert regions_of(test(table, rope=0.0061))[1] > 0.9


def test_ranks_split_what_is_at_the_end_of_the_rope():
    """Sums of two differences of 0.006 lie at twice the rope: half of their mass is B's, as baycomp has it."""
    table = ScoreTable.from_scores({"A": [0.882] * 4, "B": [0.888] * 4})
    draws = practical_draws(table, rope=0.006, resamples=50)
    assert np.all(draws[:, 2] <= 0.5)
    assert np.all(draws[:, 0] == 0)


@pytest.mark.parametrize("test", TESTS)
@given(differences=st.lists(st.integers(-4, 4), min_size=1, max_size=9), rope=st.sampled_from([0.0, 0.02]))
def test_renaming_the_learners_exchanges_the_probabilities(test, differences, rope):
    options = {"rope": rope} | ({} if test is bayesian_sign else {"resamples": 4000})
    here = test(table_of(np.array(differences) / 100), **options)
    there = test(table_of(-np.array(differences) / 100), **options)
    atol = 1e-10 if test is bayesian_sign else 0.06
    assert_allclose(regions_of(here), regions_of(there)[::-1], atol=atol)
    assert 0 < here.pvalue <= 1
    assert_allclose(regions_of(here).sum(), 1)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("rope", [0.0, 0.01])
def test_a_batch_is_a_loop(test, rope):
    loss = np.random.default_rng(3).normal(0, 0.02, (5, 2, 12, 1)).round(3)
    loss[1, 0, 3] = loss[2, 1, :4] = np.nan
    loss[3] = 0.5
    table = ScoreTable(loss, tuple(map(str, range(12))))
    options = {"rope": rope} | ({} if test is bayesian_sign else {"resamples": 3000})
    many = test(table, **options)
    one_by_one = [test(table[index], **options) for index in range(5)]
    assert_allclose(many.pvalue, [each.pvalue for each in one_by_one], rtol=1e-12)
    assert_allclose(regions_of(many).T, [regions_of(each) for each in one_by_one], atol=1e-12)
    assert_array_equal(many.chooses, [each.chooses for each in one_by_one])


def test_a_data_set_without_a_score_is_left_out():
    full, some = table_of([0.1, -0.2, 0.3, np.nan, 0.05]), table_of([0.1, -0.2, 0.3, 0.05])
    assert_allclose(regions_of(bayesian_sign(full)), regions_of(bayesian_sign(some)), rtol=1e-12)
    here, there = (regions_of(bayesian_signed_rank(each, resamples=20_000)) for each in (full, some))
    assert_close(here, there, 20_000)


@pytest.mark.parametrize("test", TESTS)
def test_the_prior_speaks_for_where_it_is_put(test):
    table = table_of([0.1, -0.2, 0.3, 0.05, 0.06, -0.01])
    better = [test(table, prior=2.0, prior_at=index).statistic for index in ("a", "rope", "b")]
    assert better[0] < better[1] < better[2]
    assert test(table, prior=1e6, rope=0.001).practical.equivalent > 0.99


def test_one_sided_p_values_are_what_speaks_against():
    table = table_of([0.1, -0.2, 0.3, 0.05, 0.06, 0.07])
    for test in TESTS:
        less, greater = (test(table, alternative=side).pvalue for side in ("less", "greater"))
        assert greater < 0.5 < less
        assert_allclose(test(table).pvalue, min(1, 2 * greater))
        assert test(table).chooses == 1


def test_the_seed_decides():
    table = table_of(np.random.default_rng(0).normal(0.01, 0.05, 10))
    first, again, other = (bayesian_signed_rank(table, resamples=500, rng=seed).statistic for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"rope": -0.1}, "`rope` must be"),
        ({"rope": True}, "`rope` must be"),
        ({"prior": 0}, "`prior` must be"),
        ({"prior_at": "left"}, "`prior_at` must be one of 'rope', 'a', 'b'"),
        ({"alternative": "more"}, "`alternative` must be"),
    ],
)
@pytest.mark.parametrize("test", TESTS)
def test_bad_options_are_named(test, options, text):
    with pytest.raises(InvalidOption, match=text):
        test(table_of([0.1, 0.2]), **options)


@pytest.mark.parametrize("options", [{"resamples": 0}, {"rng": "dice"}])
def test_draws_must_be_possible(options):
    with pytest.raises(InvalidOption, match=next(iter(options))):
        bayesian_signed_rank(table_of([0.1, 0.2]), **options)


@pytest.mark.parametrize("test", TESTS)
def test_three_learners_are_refused(test):
    with pytest.raises(InvalidEvidence, match="select"):
        test(ScoreTable.from_scores([[0.1, 0.2, 0.3]]))


# --- Draws, and all pairs -------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["bayesian-sign", "bayesian-signed-rank"])
def test_the_points_of_the_triangle_vote_as_the_test_says(method):
    table = table_of(np.random.default_rng(1).normal(0.004, 0.02, 20).round(4))
    draws = practical_draws(table, method=method, rope=0.01, resamples=5000)
    assert draws.shape == (5000, 3)
    assert_allclose(draws.sum(axis=1), 1)
    assert draws.min() >= 0
    shares = np.bincount(draws.argmax(axis=1), minlength=3) / 5000
    options = {} if method == "bayesian-sign" else {"resamples": 5000}
    test = bayesian_sign if method == "bayesian-sign" else bayesian_signed_rank
    assert_close(shares, regions_of(test(table, rope=0.01, **options)), 5000)


def test_draws_are_of_one_table_and_a_known_method():
    table = table_of([0.1, 0.2])
    with pytest.raises(InvalidOption, match="`method` must be one of"):
        practical_draws(table, method="wilcoxon-signed-rank")
    with pytest.raises(InvalidEvidence, match="a single table"):
        practical_draws(ScoreTable.from_scores(np.eye(3)).pairs())


@pytest.mark.parametrize("method", ["bayesian-sign", "bayesian-signed-rank"])
def test_every_pair_is_what_two_learners_give(method):
    scores = np.random.default_rng(4).normal(0.8, 0.05, (12, 4)).round(3)
    table = ScoreTable.from_scores(scores)
    result = pairwise_probabilities(table, method=method, rope=0.01, resamples=2000)
    assert np.isnan(np.diag(result)).all()
    test = bayesian_sign if method == "bayesian-sign" else bayesian_signed_rank
    options = {} if method == "bayesian-sign" else {"resamples": 2000}
    for row, column in ((0, 1), (3, 2)):
        pair = test(table.select(*(table.learners[index] for index in sorted((row, column)))), rope=0.01, **options)
        first = pair.practical.a_better if row < column else pair.practical.b_better
        assert_allclose(result[row, column], first, rtol=1e-12)
    with pytest.raises(InvalidOption, match="`method` must be one of"):
        pairwise_probabilities(table, method="nemenyi")
