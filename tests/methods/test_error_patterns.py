"""Cochran's Q, max-t, the winner's optimism and tie groups: other packages, enumeration, laws, measured levels."""

from fractions import Fraction
from itertools import combinations

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binomtest, multinomial, norm
from statsmodels.stats.contingency_tables import cochrans_q, mcnemar

from tellapart.bibliography import REFERENCES
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence import ErrorPatterns
from tellapart.methods.assumptions import Context
from tellapart.methods.error_patterns.assumptions import DISAGREEMENTS_OF_EVERY_PAIR, INFORMATIVE_EXAMPLES
from tellapart.methods.error_patterns.cochran import cochran_q
from tellapart.methods.error_patterns.reports import winner_optimism
from tellapart.methods.error_patterns.step_down import SOURCES, max_t
from tellapart.methods.tie_groups import square, tie_groups

seldom = settings(derandomize=True, deadline=None, max_examples=12)
FEW = ErrorPatterns.from_codes(["a", "b", "c"], {0: 2, 1: 2, 3: 1, 4: 1})  # small enough to enumerate
CLEAR = ErrorPatterns.from_codes(["a", "b", "c"], {0: 150, 1: 40, 3: 12, 4: 5, 7: 20})


def patterns_of(wrong):
    """Count the rows of an array with a column for each model."""
    rows, counts = np.unique(wrong, axis=0, return_counts=True)
    return ErrorPatterns([f"m{index}" for index in range(wrong.shape[1])], rows, counts)


def examples_of(patterns):
    return np.repeat(patterns.wrong, patterns.counts, axis=0)


def equal_models(rng, models, examples, error, again, loners=0):
    """Draw models of one error rate: each draws a share `again` of the examples anew, loners all of them."""
    shared = rng.random((examples, 1)) < error
    anew = rng.random((examples, models)) < np.where(np.arange(models) < loners, 1.0, again)
    return np.where(anew, rng.random((examples, models)) < error, shared)


wrongs = (
    st.integers(2, 5)
    .flatmap(
        lambda models: st.lists(st.lists(st.booleans(), min_size=models, max_size=models), min_size=1, max_size=30)
    )
    .map(np.array)
)


# --- Cochran's Q ---------------------------------------------------------------------------------


@pytest.mark.parametrize("models", [2, 3, 6])
def test_q_of_statsmodels(models):
    wrong = equal_models(np.random.default_rng(models), models, 120, 0.3, 0.6)
    theirs, ours = cochrans_q(wrong.astype(int)), cochran_q(patterns_of(wrong))
    assert_allclose([ours.statistic, ours.pvalue], [theirs.statistic, theirs.pvalue], rtol=1e-12)


def test_q_of_mlxtend():
    evaluate = pytest.importorskip("mlxtend.evaluate")
    wrong = equal_models(np.random.default_rng(8), 4, 90, 0.2, 0.7)
    theirs = evaluate.cochrans_q(np.zeros(90, dtype=int), *wrong.T.astype(int))
    ours = cochran_q(patterns_of(wrong))
    assert_allclose([ours.statistic, ours.pvalue], theirs, rtol=1e-12)


def test_q_of_two_models_is_the_uncorrected_mcnemar_test():
    theirs = mcnemar([[20, 25], [10, 45]], exact=False, correction=False)
    ours = cochran_q(ErrorPatterns.from_codes(["a", "b"], {3: 20, 1: 25, 2: 10, 0: 45}))
    assert_allclose([ours.statistic, ours.pvalue], [theirs.statistic, theirs.pvalue], rtol=1e-12)


@pytest.mark.parametrize("codes", [{0: 5}, {7: 5}, {0: 10**9, 7: 1}, {7: 1}])
def test_q_of_models_that_never_disagree(codes):
    """Other packages divide 0 by 0 here."""
    result = cochran_q(ErrorPatterns.from_codes(["a", "b", "c"], codes))
    assert (result.statistic, result.pvalue) == (0, 1)


@pytest.mark.parametrize("scale", [1, 10**6, 10**12])
def test_q_of_large_counts_in_exact_arithmetic(scale):
    codes = {0: 60 * scale, 1: 9 * scale, 2: 9 * scale + 3, 3: 5 * scale, 4: 9 * scale + 1, 7: 20 * scale}
    errors = [sum(count for code, count in codes.items() if code >> index & 1) for index in range(3)]
    total, squares = sum(errors), sum(count * code.bit_count() ** 2 for code, count in codes.items())
    q = Fraction(2 * (3 * sum(each**2 for each in errors) - total**2), 3 * total - squares)
    result = cochran_q(ErrorPatterns.from_codes(["a", "b", "c"], codes))
    assert_allclose(result.statistic, float(q), rtol=1e-12)
    expected = mpmath.gammainc(1, mpmath.mpf(q.numerator) / q.denominator / 2, regularized=True)
    assert_allclose(result.pvalue, max(float(expected), np.finfo(float).tiny), rtol=1e-9)


@given(wrongs)
@seldom
def test_q_does_not_change_with_names_sides_or_unanimous_examples(wrong):
    here = cochran_q(patterns_of(wrong)).statistic
    unanimous = np.concatenate([wrong, np.ones((3, wrong.shape[1]), bool), np.zeros((2, wrong.shape[1]), bool)])
    for other in (wrong[:, ::-1], ~wrong, unanimous):
        assert_allclose(cochran_q(patterns_of(other)).statistic, here, rtol=1e-9, atol=1e-12)


def test_q_of_many_tables_is_a_loop():
    counts = np.random.default_rng(5).multinomial(80, [0.1] * 8 + [0.2], size=(2, 3))[..., :8] + [[[1] + [0] * 7]]
    many = ErrorPatterns(["a", "b", "c"], (np.arange(8)[:, None] >> np.arange(3)) & 1 == 1, counts)
    result = cochran_q(many)
    assert result.shape == (2, 3)
    assert_array_equal(result.pvalue, [[cochran_q(many[i][j]).pvalue for j in range(3)] for i in range(2)])


# --- max-t ---------------------------------------------------------------------------------------


def statistics(wrong_counts, patterns, centre):
    """Return t of every pair by the formula in the docstring, table by table."""
    values = []
    for (a, b), middle in zip(combinations(range(len(patterns.models)), 2), centre, strict=True):
        only_a = sum(n for n, row in zip(wrong_counts, patterns.wrong, strict=True) if row[a] and not row[b])
        only_b = sum(n for n, row in zip(wrong_counts, patterns.wrong, strict=True) if row[b] and not row[a])
        lead, n = only_a - only_b, sum(wrong_counts)
        values.append((lead - middle) / np.sqrt(only_a + only_b + 2 - lead**2 / (n + 2)))
    return np.array(values)


def compositions(total, cells):
    if cells == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, cells - 1):
            yield (first, *rest)


def exact_step_down(patterns, direction):
    """Return the p-values of infinitely many resamples: every resample with its multinomial probability."""
    n, counts = int(patterns.examples), patterns.counts
    tables = patterns.pairs()
    lead = tables.only_a_wrong - tables.only_b_wrong
    observed = direction(statistics(counts, patterns, np.zeros(lead.size)))
    order = np.argsort(-observed, kind="stable")
    chance = np.zeros(lead.size)
    for drawn in compositions(n, counts.size):
        weight = multinomial.pmf(drawn, n, counts / n)
        ts = direction(statistics(drawn, patterns, lead))
        for step, pair in enumerate(order):
            chance[pair] += weight * (max(ts[order[step:]]) >= observed[pair] - 1e-9)
    running = np.maximum.accumulate(chance[order])
    chance[order] = running
    return observed, chance


@pytest.mark.parametrize(
    ("alternative", "direction", "alone"),
    [
        ("two-sided", np.abs, lambda t: 2 * norm.sf(t)),
        ("greater", np.positive, norm.sf),
        ("less", np.negative, norm.sf),
    ],
)
def test_max_t_against_every_resample_there_is(alternative, direction, alone):
    observed, exact = exact_step_down(FEW, direction)
    result = max_t(FEW, resamples=40_000, rng=5, alternative=alternative)
    assert_allclose(direction(result.statistic), observed, rtol=1e-12)
    expected = np.maximum(exact, alone(observed))  # never below what the pair alone would give
    assert_allclose(result.pvalue, expected, atol=4 * np.sqrt(0.25 / 40_000))


def test_max_t_against_resampling_of_examples():
    """Draw examples by their position, as one does without the counts, and compare within the noise."""
    rng = np.random.default_rng(12)
    wrong = equal_models(rng, 4, 150, 0.25, 0.5)
    wrong[:, 0] &= rng.random(150) < 0.8
    patterns, repeats = patterns_of(wrong), 3000
    first, second = np.triu_indices(4, 1)
    signed = wrong[:, first].astype(int) - wrong[:, second].astype(int)
    lead = signed.sum(axis=0)
    observed = np.abs(lead) / np.sqrt(np.abs(signed).sum(axis=0) + 2 - lead**2 / 152)
    largest = []
    for _ in range(repeats):
        drawn = signed[rng.integers(0, 150, 150)]
        total = drawn.sum(axis=0)
        largest.append(np.max(np.abs(total - lead) / np.sqrt(np.abs(drawn).sum(axis=0) + 2 - total**2 / 152)))
    best = np.argmax(observed)  # for the most extreme pair, one step and all steps are the same
    expected = (np.sum(np.array(largest) >= observed[best]) + 1) / (repeats + 1)
    result = max_t(patterns, resamples=repeats, rng=1)
    assert_allclose(result.pvalue[best], expected, atol=4 * np.sqrt(2 * 0.25 / repeats))
    assert_allclose(result.critical, np.quantile(largest, 0.95), rtol=0.05)


DESIGNS = [  # models, examples, error, share drawn anew, loners
    (4, 100, 0.05, 0.3, 0),
    (4, 300, 0.2, 0.05, 0),  # all but clones: 5 disagreements a pair
    (6, 200, 0.2, 0.2, 1),
    (6, 100, 0.3, 1.0, 6),
    (5, 500, 0.1, 0.03, 2),  # three clones, two loners
]


@pytest.mark.parametrize("design", DESIGNS)
def test_max_t_keeps_its_level_among_equal_models(design):
    """The chance of any false claim, and of any limit that misses, in 400 tables: its interval reaches alpha."""
    rng, trials = np.random.default_rng(sum(design[:2])), 400
    claims = misses = 0
    for _ in range(trials):
        result = max_t(patterns_of(equal_models(rng, *design)), resamples=399, rng=rng)
        claims += bool(np.any(result.pvalue < 0.05))
        misses += not np.all(result.interval.contains(0.0))
    assert binomtest(claims, trials).proportion_ci(0.99).low <= 0.05
    assert binomtest(misses, trials).proportion_ci(0.99).low <= 0.05


@pytest.mark.parametrize("examples", [5, 10, 20, 30])
def test_max_t_with_hardly_any_examples(examples):
    """Six coins are tossed: a sound test rejects in at most 1.7 alpha (its standing's promise), from 5 examples on."""
    rng, trials = np.random.default_rng(examples), 1000
    result = [max_t(patterns_of(rng.random((examples, 6)) < 0.5), resamples=199, rng=rng) for _ in range(trials)]
    claims = sum(bool(np.any(each.pvalue < 0.05)) for each in result)
    assert binomtest(claims, trials).proportion_ci(0.99).high < 1.7 * 0.05 + 0.02
    assert binomtest(claims, trials).proportion_ci(0.99).low <= 1.7 * 0.05


def test_max_t_keeps_its_level_beside_true_differences():
    """Two of six are truly better, and found; the others are equal, and claims among these are false."""
    rng, trials, false, detected = np.random.default_rng(2005), 400, 0, 0
    for _ in range(trials):
        wrong = equal_models(rng, 6, 300, 0.2, 0.3)
        wrong[:, :2] &= rng.random((300, 2)) < 0.4
        significant = square(max_t(patterns_of(wrong), resamples=299, rng=rng).pvalue < 0.05, 6)
        false += bool(significant[2:, 2:].any() or significant[0, 1])
        detected += bool(significant[:2, 2:].all())
    assert binomtest(false, trials).proportion_ci(0.99).low <= 0.05
    assert detected > 0.9 * trials


def test_max_t_finds_what_holm_misses():
    """Pairs on one test set are related; the bound for all of them is below Bonferroni's."""
    rng = np.random.default_rng(1)
    result = max_t(patterns_of(equal_models(rng, 10, 2000, 0.2, 0.3)))
    assert norm.isf(0.025) < result.critical < norm.isf(0.025 / 45)


def test_models_that_never_disagree_are_not_significantly_different_and_nothing_is_known_exactly():
    for codes in ({0: 100}, {7: 100}, {0: 1}, {0: 50, 7: 50}):
        result = max_t(ErrorPatterns.from_codes(["a", "b", "c"], codes))
        assert_array_equal(result.pvalue, [1, 1, 1])
        assert_array_equal(result.statistic, [0, 0, 0])
        assert result.critical == pytest.approx(norm.isf(0.025))
        assert np.all(result.interval.width >= 2 * 1.96 * np.sqrt(2) / (sum(codes.values()) + 2) - 1e-3)


def test_a_clone_beside_others_gets_one():
    result = max_t(ErrorPatterns.from_codes(["a", "clone", "c"], {0: 80, 3: 15, 4: 25, 7: 10}))
    assert result.pvalue[0] == 1
    assert result.interval.low[0] < 0 < result.interval.high[0]
    assert_allclose(result.pvalue[1], result.pvalue[2])


def test_always_right_against_always_wrong():
    """Another package puts these two into one group."""
    result = max_t(ErrorPatterns.from_codes(["A", "B"], {2: 100}))
    assert_allclose(result.pvalue, [1 / 10_001])
    assert result.interval.low == -1
    assert -1 < result.interval.high < -0.9


@pytest.mark.parametrize("size", [1, 2, 10, 10**9, 2**50])
def test_max_t_at_any_size(size):
    patterns = ErrorPatterns.from_codes(["a", "b", "c"], {0: size, 1: size // 3, 2: size // 4, 4: size // 5})
    result = max_t(patterns, resamples=500)
    for values in (result.statistic, result.pvalue, result.interval.low, result.interval.high):
        assert np.isfinite(values).all()
    assert np.all((result.pvalue > 0) & (result.pvalue <= 1))
    assert np.all((result.interval.low >= -1) & (result.interval.high <= 1) & (result.interval.width > 0))
    assert np.all(result.interval.contains(patterns.pairs().difference))


@given(wrongs, st.sampled_from([0.5, 0.1, 0.01]))
@seldom
def test_max_t_is_never_degenerate_and_its_parts_agree(wrong, alpha):
    result = max_t(patterns_of(wrong), resamples=150, alpha=alpha)
    tables = patterns_of(wrong).pairs()
    assert np.all((result.pvalue >= 1 / 151) & (result.pvalue <= 1))
    assert np.all(result.pvalue >= 2 * norm.sf(np.abs(result.statistic)) * (1 - 1e-9))
    assert np.all(result.interval.width > 0)
    assert np.all(result.interval.contains(tables.difference))
    order = np.argsort(-np.abs(result.statistic), kind="stable")
    assert np.all(np.diff(result.pvalue[order]) >= 0)
    # What exceeds the bound for all pairs is told apart; steps down may tell more.
    assert np.all(result.pvalue[np.abs(result.statistic) > result.critical * (1 + 1e-9)] < alpha)
    assert (result.pvalue.min() < alpha) == bool(np.abs(result.statistic).max() > result.critical)


def test_renaming_the_models_flips_signs_and_no_more():
    here = max_t(CLEAR, resamples=4000)
    there = max_t(patterns_of(examples_of(CLEAR)[:, ::-1]), resamples=4000)  # pairs: cb, ca, ba
    assert_allclose(there.statistic, -here.statistic[::-1], rtol=1e-12)
    assert_allclose(there.pvalue, here.pvalue[::-1], atol=0.03)


def test_one_sided_claims_go_one_way():
    both, greater, less = (max_t(CLEAR, alternative=way) for way in ("two-sided", "greater", "less"))
    assert CLEAR.pairs().difference[1] > 0  # a is worse than c
    assert greater.pvalue[1] <= both.pvalue[1] < 0.01
    assert less.pvalue[1] > 0.9
    assert (greater.interval.side, less.interval.side) == ("lower", "upper")
    assert_array_equal(greater.interval.high, [1, 1, 1])
    assert_array_equal(less.interval.low, [-1, -1, -1])
    assert greater.critical < both.critical


def test_the_same_seed_gives_the_same_bits():
    one, two = max_t(CLEAR, rng=3), max_t(CLEAR, rng=np.random.default_rng(3))
    assert_array_equal(one.pvalue, two.pvalue)
    assert one.critical == two.critical


def test_blocks_change_nothing_but_memory(monkeypatch):
    whole = max_t(CLEAR, resamples=1000), winner_optimism(CLEAR, resamples=1000)
    monkeypatch.setattr("tellapart.methods.error_patterns.drawing._BLOCK", 700)
    parts = max_t(CLEAR, resamples=1000), winner_optimism(CLEAR, resamples=1000)
    assert_array_equal(parts[0].pvalue, whole[0].pvalue)
    assert parts[0].critical == whole[0].critical
    assert parts[1] == pytest.approx(whole[1])


def test_a_pattern_without_examples_is_none():
    with_empty = ErrorPatterns.from_codes(CLEAR.models, {0: 150, 1: 40, 2: 0, 3: 12, 4: 5, 7: 20})
    assert_array_equal(max_t(with_empty).pvalue, max_t(CLEAR).pvalue)


def test_too_few_resamples_for_alpha_are_refused():
    with pytest.raises(InvalidOption, match=r"`resamples` must be at least 1000 for alpha = 0.001, got 999.*'holm'"):
        max_t(CLEAR, alpha=0.001, resamples=999)
    assert np.all(max_t(CLEAR, alpha=0.001, resamples=1000).pvalue > 0)


@pytest.mark.parametrize("bad", [0, -1, 2.5, "many", True, 10**12])
def test_resamples_are_a_whole_number(bad):
    for function in (max_t, winner_optimism):
        with pytest.raises(InvalidOption, match="`resamples` must be a whole number from 1 to 10,000,000"):
            function(CLEAR, resamples=bad)


def test_alpha_and_alternative_are_checked():
    with pytest.raises(InvalidOption, match="alpha"):
        max_t(CLEAR, alpha=5)
    with pytest.raises(InvalidOption, match="alternative"):
        max_t(CLEAR, alternative="better")


def test_one_table_at_a_time():
    many = ErrorPatterns(CLEAR.models, CLEAR.wrong, [CLEAR.counts, CLEAR.counts])
    for function in (max_t, winner_optimism):
        with pytest.raises(InvalidEvidence, match=r"one table of patterns, got shape \(2,\)"):
            function(many)
    assert_array_equal(max_t(many[0]).pvalue, max_t(CLEAR).pvalue)


# --- The winner's optimism -----------------------------------------------------------------------


def test_optimism_against_every_resample_there_is():
    n, counts = int(FEW.examples), FEW.counts
    expected = 0.0
    for drawn in compositions(n, counts.size):
        again = np.array(drawn) @ FEW.wrong
        wins = again == again.min()
        expected += multinomial.pmf(drawn, n, counts / n) * np.mean((counts @ FEW.wrong - again)[wins]) / n
    assert winner_optimism(FEW, resamples=40_000) == pytest.approx(expected, abs=0.004)


@pytest.mark.parametrize("codes", [{0: 100}, {7: 10}, {0: 3, 7: 4}])
def test_no_optimism_where_there_is_no_choice(codes):
    assert winner_optimism(ErrorPatterns.from_codes(["a", "b", "c"], codes)) == 0


def test_no_optimism_where_the_choice_is_clear():
    assert winner_optimism(ErrorPatterns.from_codes(["A", "B"], {0: 100, 2: 100})) == 0


def test_optimism_is_most_of_the_truth_among_equal_models():
    """The luck of the best, known by simulation: error 0.3 less what the best of eight showed."""
    rng, values, truth = np.random.default_rng(4), [], []
    for _ in range(150):
        wrong = equal_models(rng, 8, 200, 0.3, 1.0, 8)
        values.append(winner_optimism(patterns_of(wrong), resamples=200, rng=rng))
        truth.append(0.3 - wrong.mean(axis=0).min())
    assert 0.6 < np.mean(values) / np.mean(truth) < 0.85


# --- Tie groups ----------------------------------------------------------------------------------


def test_groups_of_a_leaderboard():
    significant = square(np.array([0, 1, 1, 0, 1, 0], dtype=bool), 4)  # neighbours are tied, no others
    rates = np.array([0.1, 0.2, 0.3, 0.4])
    assert tie_groups("abcd", rates, significant) == (("a", "b"), ("b", "c"), ("c", "d"))
    assert tie_groups("abcd", rates[::-1], significant) == (("d", "c"), ("c", "b"), ("b", "a"))


def test_all_alike_and_all_different():
    rates = np.array([0.3, 0.1, 0.2])
    assert tie_groups("abc", rates, np.zeros((3, 3), bool)) == (("b", "c", "a"),)
    assert tie_groups("abc", rates, ~np.eye(3, dtype=bool)) == (("b",), ("c",), ("a",))


def test_always_right_and_always_wrong_are_in_two_groups():
    patterns = ErrorPatterns.from_codes(["A", "B"], {2: 100})
    significant = square(max_t(patterns).pvalue < 0.05, 2)
    assert tie_groups(patterns.models, patterns.rates, significant) == (("A",), ("B",))


@given(
    st.integers(1, 8).flatmap(lambda k: st.lists(st.booleans(), min_size=k * (k - 1) // 2, max_size=k * (k - 1) // 2))
)
@seldom
def test_two_share_a_group_exactly_where_they_are_not_significantly_different(significant):
    models = int((1 + np.sqrt(1 + 8 * len(significant))) / 2)
    answer_of = square(np.array(significant, dtype=bool), models)
    names = [f"m{index}" for index in range(models)]
    groups = tie_groups(names, np.linspace(0.1, 0.2, models), answer_of)
    for i, j in combinations(range(models), 2):
        assert answer_of[i, j] != any({names[i], names[j]} <= set(group) for group in groups)
    assert {name for group in groups for name in group} == set(names)
    assert not any(set(one) <= set(two) for one in groups for two in groups if one is not two)
    assert names[0] in groups[0]


# --- Checks and references -----------------------------------------------------------------------


def test_few_informative_examples_are_reported():
    """Tate and Brown 1970: 24 outcomes at least, those of unanimous examples left out."""
    few = ErrorPatterns.from_codes(["a", "b", "c"], {0: 900, 1: 4, 6: 3, 7: 50})
    check = INFORMATIVE_EXAMPLES.check(few, Context(interval=None))
    assert (check.figure, check.holds) == (21, False)
    assert "Tate & Brown 1970" in check.message
    assert INFORMATIVE_EXAMPLES.check(few + ErrorPatterns.from_codes(few.models, {1: 1}), Context(interval=None)).holds


def test_the_fewest_disagreements_are_reported():
    check = DISAGREEMENTS_OF_EVERY_PAIR.check(
        ErrorPatterns.from_codes(["a", "b", "c"], {1: 40, 5: 9}), Context(interval=None)
    )
    assert (check.figure, check.holds) == (9, False)
    assert "two models have 9 discordant pairs, fewer than 10" in check.message


def test_sources_are_in_the_bibliography():
    assert {key for keys in SOURCES.values() for key in keys} <= set(REFERENCES)
