"""Designs of scored examples: what is true of them, what they draw, and what is taken from evidence."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import integrate, stats

import tellapart as ta
from tellapart.errors import InvalidOption, UnknownMethod
from tellapart.evidence import Outcomes
from tellapart.lab import ScoredExamples, calibrate
from tellapart.lab.cards.maker import CardTask, measured
from tellapart.lab.cards.suites import suite
from tellapart.lab.designs.layouts import parts
from tellapart.lab.designs.marginals import KINDS, observed
from tellapart.lab.designs.observed import as_scored
from tellapart.methods import find_method
from tellapart.methods.cards import card

laws = settings(derandomize=True, deadline=None, max_examples=12)
BOTH = (2, False, False)
LAID_OUT = {
    "plain": {},
    "clusters": {"clusters": 12, "correlation": 0.4, "uneven": 1.0},
    "weights": {"weighted": 1.0},
    "repeats": {"repeats": 3, "within": 0.5},
    "groups": {"groups": 5, "apart": 0.06, "uneven": 0.7},
}


def drawn(design, trials=1000, seed=1, view=BOTH):
    return design.draw([view], trials, np.random.default_rng(seed))[view]


# --- What is true -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mean", [0.1, 0.3, 0.49])
def test_a_kind_has_the_requested_mean(kind, mean):
    """By numerical integration over the normal density (scipy)."""

    def weighed(z):
        return float(KINDS[kind].scores(np.array([z]), np.array(mean))[0]) * stats.norm.pdf(z)

    result = integrate.quad(weighed, -9, 9, points=[-stats.norm.ppf(mean), -stats.norm.ppf(2 * mean)], limit=200)[0]
    assert_allclose(result, mean, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layout", LAID_OUT)
def test_what_is_drawn_has_the_difference_that_is_true(kind, layout):
    """Within four and a half standard errors, for mean over examples and mean over groups alike."""
    design = ScoredExamples(60, kind, mean={"normal": 2.0, "heavy-tailed": 2.0}.get(kind), **LAID_OUT[layout])
    moved = design.at(design.grid[-1])
    evidence = drawn(moved)
    assert (evidence.shape, evidence.examples) == ((1000,), 60)
    values = evidence.difference
    assert abs(values.mean() - moved.difference) < 4.5 * values.std() / np.sqrt(1000)
    of_a = evidence.select("A").values @ evidence.shares
    true = moved.truth_for((1, False, False), "error")
    assert abs(of_a.mean() - true) < 4.5 * of_a.std() / np.sqrt(1000)
    if evidence.groups is not None:
        each = np.stack([part.difference for _, part in evidence.by_group()])
        assert abs(each.mean(axis=0).mean() - moved.difference) < 4.5 * each.mean(axis=0).std() / np.sqrt(1000)
        assert np.ptp(each.mean(axis=1)) > 0.06  # the groups themselves differ


def test_normal_scores_have_the_correlations_that_are_requested():
    design = ScoredExamples(8, clusters=2, correlation=0.3, within=0.2, repeats=2, alike=0.6)
    evidence = drawn(design, 40_000)
    score = evidence.scores
    one_answer = score.var(axis=0) + evidence.within.mean(axis=0) / 2  # of one repeat: 1 in all
    assert_allclose(one_answer, 1.0, atol=0.03)
    assert_allclose(evidence.within.mean(axis=0), 0.2, atol=0.01)  # (K − 1)·0.2
    between = np.cov(score[:, 0, 0], score[:, 0, 1])[0, 1]  # one cluster, one model
    assert_allclose(between, 0.3, atol=0.02)
    assert abs(np.cov(score[:, 0, 0], score[:, 0, 7])[0, 1]) < 0.02  # two clusters
    assert_allclose(np.cov(score[:, 0, 0], score[:, 1, 0])[0, 1], 0.6 * 0.8, atol=0.02)
    assert_allclose(np.cov(score[:, 0, 0], score[:, 1, 1])[0, 1], 0.6 * 0.3, atol=0.02)


def test_right_and_wrong_are_wrong_together_as_two_normal_numbers_are_low_together():
    """P(both wrong) is the bivariate normal distribution function (scipy)."""
    evidence = drawn(ScoredExamples(400, "right or wrong", 0.8, alike=0.5), 500).paired_table()
    both = stats.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]]).cdf([stats.norm.ppf(0.2)] * 2)
    share = evidence.both_wrong.sum() / 200_000
    assert abs(share - both) < 4.5 * np.sqrt(both * (1 - both) / 200_000)


def test_models_of_two_kinds_are_equally_good_but_not_exchangeable():
    """Beta(9, 1) against 0 and 1: the same mean, and a difference whose third moment is not 0."""
    design = ScoredExamples(50, "skewed", other="all or nothing")
    values = drawn(design, 2000).values
    assert abs(values.mean()) < 4.5 * values.std() / np.sqrt(values.size)
    assert stats.skew(values.ravel()) < -1
    assert (design.facts["exchangeable"], ScoredExamples(50, "skewed").facts["exchangeable"]) == (0, 1)
    assert design.describe() == "two models, skewed scores against all-or-nothing scores, mean 0.9, 50 examples"


@laws
@given(st.integers(1, 60), st.integers(0, 500), st.floats(0, 3))
def test_parts_make_up_the_whole(number, more, uneven):
    result = parts(number + more, number, uneven)
    assert result.sum() == number + more
    assert result.min() >= 1
    assert np.all(np.diff(result) >= -1)  # sizes grow, but for rounding
    if uneven == 0:
        assert np.ptp(result) <= 1


def test_clusters_lie_in_one_group_each():
    design = ScoredExamples(100, clusters=20, groups=4, uneven=1.0)
    layout = design.layout
    for code in range(20):
        assert np.unique(layout.groups[layout.clusters == code]).size == 1
    assert np.unique(layout.groups).size == 4


def test_facts_are_what_the_formulas_say():
    """Beta(9, 1) has a skewness of −1.474 (scipy); weights and sizes are worth (Σw)²/Σw² (Kish)."""
    skewness = float(stats.beta(9, 1).stats(moments="s"))
    facts = ScoredExamples(100, "skewed", models=1).facts
    assert_allclose(facts["cochran"], 100 / skewness**2, rtol=0.04)  # 500 quantiles stand for all
    weighted = ScoredExamples(100, weighted=1.0)
    assert_allclose(weighted.facts["effective_clusters"], drawn(weighted, 1).effective_examples)
    uneven = ScoredExamples(100, clusters=5, uneven=1.0)
    sizes = uneven.layout.sizes
    assert_allclose(uneven.facts["effective_clusters"], 100**2 / np.sum(sizes**2))


# --- Size, power, coverage: where the answer is known -----------------------------------------------------------------


def test_students_t_is_exact_for_normal_scores():
    """Size 0.05, coverage 0.95 and power by the noncentral t distribution (scipy), within four standard errors."""
    design, step, trials = ScoredExamples(10, alike=0.3), 0.9, 20_000
    result = calibrate("mean-t", design, differences=[step], trials=trials, rng=5)
    shift = step / np.sqrt(2 * 0.7) * np.sqrt(10)
    limit = stats.t.ppf(0.975, 9)
    power = stats.nct.sf(limit, 9, shift) + stats.nct.cdf(-limit, 9, shift)
    for got, true in ((result.size, 0.05), (result.power[0], power), *((each, 0.95) for each in result.coverage)):
        assert abs(got.value - true) < 4 * np.sqrt(true * (1 - true) / trials)
    width = 2 * limit * np.sqrt(2 * 0.7 / 10) * np.sqrt(2 / 9) * np.exp(np.diff([0, *map(_log_gamma, (4.5, 5))])[-1])
    assert_allclose(result.width, width, rtol=0.01)  # E[s] = σ·√(2/9)·Γ(5)/Γ(4.5)


def _log_gamma(x):
    from scipy.special import gammaln

    return gammaln(x)


def test_ignoring_clusters_has_the_size_of_its_design_effect():
    """200 clusters of 4, ρ = 0.5: t is too large by √(1 + 3·0.5), for which the normal distribution has the tail."""
    design = ScoredExamples(800, clusters=200, correlation=0.5)
    result = calibrate("mean-t", design, differences=[], trials=3000)
    true = 2 * stats.norm.sf(1.96 / np.sqrt(2.5))
    assert abs(result.size.value - true) < 4 * np.sqrt(true * (1 - true) / 3000) + 0.005


def test_one_model_alone_reports_its_mean():
    result = calibrate("mean-t", ScoredExamples(20, models=1), trials=2000)
    assert result.gives == ("estimate", "interval")
    assert abs(result.coverage.value[0] - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 2000)
    with pytest.raises(UnknownMethod, match=r"compares two learners. The design is one model"):
        calibrate("sign-flip", ScoredExamples(20, models=1), trials=10)


def test_differences_of_scores_are_not_reported_in_points():
    graded = calibrate("mean-t", ScoredExamples(30), differences=[0.5], trials=50)
    assert "at a difference of 0.5" in graded.words
    assert "at a true difference of 0.5" in graded.paragraph()
    rates = calibrate("mean-t", ScoredExamples(30, "right or wrong"), differences=[0.05], trials=50)
    assert "at a difference of 5 pp" in rates.words


def test_the_same_seed_gives_the_same_trials_on_workers_too():
    design = ScoredExamples(20, "skewed", clusters=5, correlation=0.2)
    assert pickle.loads(pickle.dumps(design)).as_dict() == design.as_dict()  # noqa: S301  # our own
    here, there = (calibrate("mean-t", design, trials=200, rng=3) for _ in range(2))
    assert json.loads(here.to_json()) == json.loads(there.to_json())


# --- From evidence ----------------------------------------------------------------------------------------------------


def one(design, seed=0):
    return drawn(design, 1, seed)[0]


@pytest.mark.parametrize("kind", ["normal", "skewed", "right or wrong"])
def test_a_design_is_found_again_in_what_it_drew(kind):
    """Means to within a few standard errors, shares of the variance to about a tenth: 500 clusters."""
    true = ScoredExamples(2000, kind, clusters=500, correlation=0.3, alike=0.6, repeats=4, within=0.2)
    evidence = one(true)
    result = as_scored(evidence)
    assert result.layout.clusters is evidence.clusters
    assert_allclose(result.mean, true.mean, atol=0.08)
    assert_allclose([result.correlation, result.within, result.alike], [0.3, 0.2, 0.6], atol=0.1)


def test_calibrate_takes_outcomes():
    """As skewed as they are: the size of t on 12 observed examples is measured with their own values."""
    evidence = one(ScoredExamples(12, "zero-inflated"))
    result = calibrate("mean-t", evidence, differences=[], trials=500)
    assert result.design.layout.examples == 12
    assert set(np.unique(drawn(result.design, 50).scores)) <= set(np.unique(evidence.scores))
    assert 0 < result.size.value < 0.12
    with pytest.raises(InvalidOption, match="must be one entry"):
        calibrate("mean-t", drawn(ScoredExamples(5), 3))


def test_names_weights_groups_and_repeats_of_evidence_are_kept():
    labels = {"groups": list("xxyyzz"), "weights": [1, 2, 3, 1, 2, 3], "clusters": [0, 0, 1, 1, 2, 2]}
    scores = {"old": [[1, 0], [1, 1], [0, 0], [1, 1], [0, 1], [1, 1]], "new": [[1, 1]] * 6}
    evidence = Outcomes.from_scores(scores, **labels, clustered_by="page")
    again = drawn(as_scored(evidence), 3)
    assert (again.models, again.clustered_by, again.metric.name) == (("old", "new"), "page", "error")
    for name in ("groups", "weights", "clusters", "repeats"):
        assert_allclose(getattr(again, name), getattr(evidence, name))
    assert again.within.shape == (3, 2, 6)


@pytest.mark.parametrize(
    "scores",
    [
        ([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),  # nothing varies
        ([0.2, 0.9], [0.2, 0.9]),  # identical models
        ([0.3], [0.4]),  # one example
        ([1, 1, 1], [1, 1, 1]),
        ([1e9, 1e9 + 1], [-1e9, 0.0]),
    ],
)
def test_degenerate_evidence_is_a_design_like_any(scores):
    evidence = Outcomes.from_scores(*scores)
    design = as_scored(evidence)
    again = drawn(design, 5)
    assert np.isfinite(again.scores).all()
    assert design.truth("difference") == 0
    assert design.describe()
    assert calibrate("mean-t", evidence, differences=[], trials=20).size.value <= 1


def test_tilting_moves_the_mean_and_nothing_out_of_range():
    """Of right and wrong only a share can be tilted: it is the mean."""
    seen = observed(Outcomes.from_scores([0.0, 1.0, 1.0, 1.0], metric="rouge", bounds=(0, 1)))
    z = stats.norm.ppf((np.arange(1000) + 0.5) / 1000)
    for mean in (0.1, 0.5, 0.75, 0.9):
        result = seen.scores(z, np.array(mean))
        assert set(np.unique(result)) <= {0.0, 1.0}
        assert_allclose(result.mean(), mean, atol=0.001)


# --- What is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"kind": "purple"}, "`kind` must be one of normal, skewed"),
        ({"kind": "observed"}, "`kind` must be one of normal"),
        ({"kind": "skewed", "mean": 1.0}, "must be between 0 and 1"),
        ({"kind": "right or wrong", "mean": 0.98, "difference": 0.1}, "got 1.03 for a mean of 0.98"),
        ({"correlation": 0.7, "within": 0.5}, "add up to at most 1"),
        ({"clusters": 30}, "need at least as many examples"),
        ({"groups": 2, "apart": 0.1}, "`apart` needs at least three groups"),
        ({"like": 3}, "`like` must be Outcomes, got int"),
        ({"like": Outcomes.from_scores([1, 0], [1, 1])}, "as many examples and models"),
        ({"alike": 1.5}, "`alike` must be a rate"),
        ({"other": "skewed"}, "`kind` and `other` must be on one scale"),
    ],
)
def test_what_cannot_be_is_refused(options, text):
    with pytest.raises(InvalidOption, match=text):
        ScoredExamples(20, **options)


def test_it_is_reported_in_a_line():
    design = ScoredExamples(100, "heavy-tailed", clusters=10, correlation=0.25, repeats=3, groups=3, weighted=0.5)
    assert design.at(0.1).describe() == (
        "two models, heavy-tailed losses, mean 1, difference 0.1, 100 examples in 10 clusters, intraclass correlation"
        " 0.25, 3 repeats each, weighted, 3 groups"
    )
    assert len(repr(ta.lab.ScoredExamples(10))) < 200


# --- Cards ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gives", ["test", "interval"])
def test_a_card_comes_out_again(gives):
    """The same seed gives the same figures, regardless of other methods on the same trials."""
    words = "10 examples, right or wrong, error rates 5% to 50%"
    method = find_method("mean-t", gives, Outcomes)
    number = next(index for index, group in enumerate(suite("Outcomes")) if group.words == words and group.asks(method))
    ((_, now),) = measured(CardTask("Outcomes", number, (("mean-t", gives),)))
    assert [row for row in card(method).entries if row.design == words] == now
