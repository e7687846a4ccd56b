"""What clusters cost, and a rate's interval by it, against SciPy, statsmodels and textbook identities."""

import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import f_oneway, norm
from scipy.stats import t as student
from statsmodels.stats.proportion import proportion_confint

from tellapart import Outcomes
from tellapart.errors import InvalidEvidence
from tellapart.methods.outcomes.clusters import robust_moments
from tellapart.methods.outcomes.design_effect import design_effect, rao_scott_wilson

SIZES = [4, 1, 7, 3, 3, 6, 2, 5]


def draw(sizes=SIZES, seed=0, **facts):
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    right = rng.normal(size=len(sizes))[codes] + rng.normal(size=codes.size) > -0.5
    return Outcomes.from_scores(right.astype(int), clusters=codes, **facts)


@pytest.mark.parametrize("sizes", [SIZES, [5] * 12])
def test_the_likeness_is_that_of_an_analysis_of_variance(sizes):
    """ICC = (F − 1)/(F + n₀ − 1), with F by SciPy and n₀ = (n − Σn²/n)/(G − 1)."""
    outcomes = draw(sizes)
    ratio = f_oneway(*(outcomes.values[outcomes.clusters == code] for code in range(len(sizes)))).statistic
    n = sum(sizes)
    typical = (n - np.square(sizes).sum() / n) / (len(sizes) - 1)
    assert design_effect(outcomes).likeness == pytest.approx((ratio - 1) / (ratio + typical - 1))


def test_equal_clusters_cost_what_their_likeness_says():
    """Kish: 1 + (m − 1)·ICC, but for what n − 1 and G − 1 make of few clusters."""
    many = np.repeat(np.arange(4000), 5)
    rng = np.random.default_rng(2)
    outcomes = Outcomes.from_scores(rng.normal(size=4000)[many] + rng.normal(size=20_000), clusters=many, metric="x")
    result = design_effect(outcomes)
    assert result.effect == pytest.approx(1 + 4 * result.likeness, rel=1e-3)
    assert result.likeness == pytest.approx(0.5, abs=0.05)
    assert result.effective_examples == pytest.approx(20_000 / result.effect)


def test_independent_examples_are_worth_what_they_are():
    outcomes = Outcomes.from_scores([0.1, 0.7, 0.4, 0.9], metric="x")
    result = design_effect(outcomes)
    assert (result.effect, result.effective_examples) == (pytest.approx(1), pytest.approx(4))
    assert np.isnan(result.likeness)  # no two share a cluster


def test_weights_cost_too():
    """Where values have nothing to do with weights it is Kish's n·Σw²/(Σw)², on average."""
    rng = np.random.default_rng(3)
    weights = rng.lognormal(size=400)
    outcomes = Outcomes(scores=rng.normal(size=(2000, 1, 400)), models=("a",), metric="x", weights=weights)
    result = design_effect(outcomes)
    assert np.mean(result.effect) == pytest.approx(400 * (weights**2).sum() / weights.sum() ** 2, rel=0.02)


def test_weights_that_follow_the_values_are_held_against_the_spread_of_all_examples():
    """Errors drawn nine times as often as successes: s² is that of a rate of 0.1, Σ share·(x − x̄)²/(1 − Σ share²)."""
    wrong = np.arange(400) < 200
    outcomes = Outcomes.from_scores((~wrong).astype(int), weights=np.where(wrong, 1.0, 9.0))
    share = np.where(wrong, 1.0, 9.0) / 2000
    square = 0.1 * 0.9 / (1 - share @ share)
    assert design_effect(outcomes).effective_examples == pytest.approx(square / robust_moments(outcomes).error ** 2)


@pytest.mark.parametrize("size", [1e-300, 1e299])
def test_no_size_of_scores_is_too_small_or_too_large(size):
    scores = np.random.default_rng(5).normal(size=30)
    outcomes, sized = (Outcomes.from_scores(scores * by, metric="x", clusters=np.arange(30) % 7) for by in (1, size))
    assert design_effect(sized).effect == pytest.approx(design_effect(outcomes).effect)


def test_without_errors_any_bound_has_width():
    """At alpha = ½ t is 0; that n clusters in effect show no error still leaves 1 − ½^(1/(n − 1))."""
    perfect = Outcomes.from_scores([1] * 40, clusters=np.arange(40) // 2)
    assert rao_scott_wilson(perfect, alpha=0.5, side="upper").high == pytest.approx(1 - 0.5 ** (1 / 19))
    hopeless = Outcomes.from_scores([0] * 40, clusters=np.arange(40) // 2)
    assert rao_scott_wilson(hopeless, alpha=0.5, side="lower").low == pytest.approx(0.5 ** (1 / 19))


def test_what_cannot_be_reported_is_stated():
    same = design_effect(Outcomes.from_scores([1, 1, 1, 1], clusters=[1, 1, 2, 2]))
    one = design_effect(Outcomes.from_scores([1, 0, 1, 1], clusters=[1, 1, 1, 1]))
    for result in (same, one):
        assert "Design effect unknown" in str(result)
        assert json.loads(result.to_json())["effect"] is None
    alike = design_effect(Outcomes.from_scores([1, 0, 1, 0], clusters=[1, 1, 2, 2]))
    assert alike.effect == 0
    assert np.isnan(alike.effective_examples)


def test_it_is_reported_in_rows():
    result = design_effect(draw([5] * 12))
    assert str(result).splitlines()[-1] == "  data      60 examples in 12 clusters"
    assert "effective sample size" in result.to_markdown()
    assert "8 clusters, effective number 6.45" in str(design_effect(draw()))
    several = Outcomes(
        scores=np.random.default_rng(1).normal(size=(3, 1, 20)), models=("a",), clusters=np.arange(20) % 5
    )
    assert " to " in dict(design_effect(several).rows())["design effect"]


@pytest.mark.parametrize("weighted", [False, True])
def test_the_interval_is_wilsons_for_fewer_examples(weighted):
    """By statsmodels, at n = e(1 − e)/V and the alpha at which z is t."""
    outcomes = draw(weights=np.random.default_rng(5).lognormal(size=sum(SIZES)) if weighted else None)
    moments = robust_moments(outcomes)
    rate = float(moments.mean)
    effective = rate * (1 - rate) / moments.error**2
    assert effective < outcomes.effective_examples
    alpha = 2 * norm.sf(student.isf(0.05, moments.freedom))
    expected = proportion_confint(rate * effective, effective, alpha=alpha, method="wilson")
    limits = rao_scott_wilson(outcomes, alpha=0.1)
    assert_allclose([limits.low, limits.high], expected)
    assert_allclose(rao_scott_wilson(outcomes, alpha=0.05, side="upper").high, limits.high)


@pytest.mark.parametrize(("right", "open_end"), [(1, "low"), (0, "high")])
def test_without_errors_a_cluster_counts_as_one_example(right, open_end):
    """Twelve clusters of five, all right: Wilson's limit for 12 trials with t of 11, t²/(12 + t²)."""
    limits = rao_scott_wilson(Outcomes.from_scores([right] * 60, clusters=np.repeat(np.arange(12), 5)))
    t = student.isf(0.025, 11)
    assert getattr(limits, open_end) == {"low": 0, "high": 1}[open_end]
    assert limits.width == pytest.approx(t**2 / (12 + t**2))


def test_clusters_that_are_all_alike_are_worth_no_more_than_their_examples():
    outcomes = Outcomes.from_scores([1, 0, 1, 1] * 10, clusters=np.repeat(np.arange(10), 4))
    t = student.isf(0.025, 9)
    expected = proportion_confint(10, 40, alpha=2 * norm.sf(t), method="wilson")
    limits = rao_scott_wilson(outcomes)
    assert_allclose([limits.low, limits.high], expected)


def test_repeats_are_answers_but_no_more_than_that():
    """Ten questions, four answers each, every one right half of the time: 40 fair coins at most."""
    outcomes = Outcomes.from_scores([[1, 0, 1, 0]] * 10)
    expected = proportion_confint(20, 40, alpha=2 * norm.sf(student.isf(0.025, 9)), method="wilson")
    limits = rao_scott_wilson(outcomes)
    assert_allclose([limits.low, limits.high], expected)


rows = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4)), min_size=1, max_size=15)


@given(rows, st.floats(0.001, 0.5), st.sampled_from(["two", "upper", "lower"]))
@example([(0, 1), (0, 1), (0, 1), (0, 1), (1, 0)], 0.5, "two")  # worth one example, less a last digit
def test_limits_are_inside_and_around_the_rate(rows, alpha, side):
    right, codes = np.array(rows).T
    outcomes = Outcomes.from_scores(right, clusters=codes)
    limits = rao_scott_wilson(outcomes, alpha=alpha, side=side)
    rate = 1 - right.mean()
    assert 0 <= limits.low <= rate + 1e-12
    assert rate - 1e-12 <= limits.high <= 1
    assert limits.width > 0
    mirrored = rao_scott_wilson(
        Outcomes.from_scores(1 - right, clusters=codes),
        alpha=alpha,
        side={"upper": "lower", "lower": "upper"}.get(side, side),
    )
    assert_allclose([1 - mirrored.high, 1 - mirrored.low], [limits.low, limits.high], atol=1e-9)


def test_a_single_cluster_tells_nothing_and_many_entries_are_a_loop():
    one = rao_scott_wilson(Outcomes.from_scores([1, 0, 1], clusters=["a"] * 3))
    assert (one.low, one.high) == (0, 1)
    scores = np.random.default_rng(2).integers(0, 2, size=(4, 1, 24))
    many = Outcomes(scores=scores, models=("a",), metric="error", clusters=np.arange(24) % 7)
    assert_allclose(rao_scott_wilson(many).low[2], rao_scott_wilson(many[2]).low)


@pytest.mark.parametrize(
    "outcomes", [Outcomes.from_scores([1, 0], [1, 1]), Outcomes.from_scores([0.2, 1], metric="rouge")]
)
def test_anything_but_one_rate_is_refused(outcomes):
    with pytest.raises(
        InvalidEvidence,
        match=r"needs one model, right or wrong on each example.*Use (interval|method)='cluster-robust'",
    ):
        rao_scott_wilson(outcomes)
