"""The one question of a plan: what is found, what is taken from a pilot, and what is refused."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import beta, binom

import tellapart as ta
from tellapart import ErrorCount, IndependentCounts, PairedTable, Predictions, plan
from tellapart.errors import InvalidEvidence, InvalidOption, UnknownMethod

PILOT = PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=945)


# --- Two of three ---------------------------------------------------------------------------------


def test_each_of_the_three_can_be_found():
    known = {"disagreement": 0.1, "method": "mcnemar"}
    size = plan(difference=0.05, power=0.9, **known)
    power = plan(difference=0.05, examples=size.size, **known)
    least = plan(power=0.9, examples=size.size, **known)
    assert [result.solved for result in (size, power, least)] == ["size", "power", "difference"]
    assert_allclose(power.power, size.power, rtol=1e-12)
    assert 0.049 < least.difference <= 0.05


def test_what_is_meant_where_two_are_open():
    """A power of 0.8; with a margin, both equally good; of a table's own examples, what they show."""
    assert plan(difference=0.05, disagreement=0.1, method="mcnemar").target == 0.8
    assert plan(examples=100, disagreement=0.1, method="mcnemar").target == 0.8
    equal = plan(margin=0.02, disagreement=0.06)
    assert (equal.solved, equal.difference, equal.target, equal.method) == ("size", 0.0, 0.8, "tango")
    assert plan(margin=0.02, disagreement=0.06, examples=500).solved == "power"
    assert plan(margin=0.02, disagreement=0.06, examples=500, power=0.8).solved == "difference"
    evidence = plan(PILOT, method="mcnemar")
    assert (evidence.solved, evidence.size, evidence.target) == ("difference", 1000, 0.8)
    assert plan(PILOT, power=0.9, method="mcnemar").size == 1000
    assert plan(PILOT, difference=0.02, method="mcnemar").solved == "size"
    assert plan(PILOT, difference=0.02, examples=1000, method="mcnemar").solved == "power"


@pytest.mark.parametrize(
    "options",
    [
        {"disagreement": 0.1},
        {"disagreement": 0.1, "power": 0.8},
        {"disagreement": 0.1, "power": 0.8, "difference": 0.05, "examples": 10},
        {"disagreement": 0.1, "margin": 0.02, "hypothesis": "superior"},
    ],
)
def test_one_or_three_are_refused(options):
    with pytest.raises(InvalidOption, match=r"`power` and `difference` must be set, got (only one|all three)"):
        plan(**options)


def test_no_disagreement_at_all_and_a_margin_of_one_point():
    """With b = c = 0 the bound is z²/(n + z²) ≤ 0.01, z = 1.645: n ≥ z²·99 = 267.85 (Tango's interval)."""
    assert plan(margin=0.01, disagreement=0.0).size == math.ceil(1.6448536**2 * 0.99 / 0.01) == 268


@settings(max_examples=6, deadline=None)
@given(st.floats(0.05, 0.9), st.floats(0.3, 0.9), st.floats(0.5, 0.95))
def test_whom_we_call_a_does_not_matter(disagreement, share, power):
    difference = share * disagreement
    for here, there in (("two-sided", "two-sided"), ("greater", "less")):
        options = {"power": power, "disagreement": disagreement, "method": "mcnemar"}
        result = plan(difference=difference, alternative=here, **options)
        assert result.size == plan(difference=-difference, alternative=there, **options).size


# --- What is known --------------------------------------------------------------------------------


def test_of_a_pilot_only_the_disagreement_counts():
    """Tables with 35 disagreements of 1000, whatever their difference, give the same plan."""
    options = {"difference": 0.02, "method": "mcnemar"}
    result = {plan(PairedTable(5, b, 35 - b, 960), **options).size for b in (0, 17, 35)}
    assert result == {plan(disagreement=0.035, **options).size}


def test_a_pilots_upper_limit_stands_beside():
    """Clopper and Pearson's limit by SciPy's Beta."""
    upper = beta.ppf(0.95, 36, 965)
    result = plan(PILOT, difference=0.02, method="mcnemar")
    assert result.beside[0].value == plan(disagreement=float(upper), difference=0.02, method="mcnemar").size
    assert f"95% upper limit {100 * upper:.3g}%" in result.words
    assert "its difference is not used" in result.words


def test_a_difference_that_is_just_the_observed_one_is_reported():
    """It was named, so it is planned for; but it may be no accident."""
    two = IndependentCounts.from_counts(30, 100, 20, 100)
    for pilot, method in ((PairedTable(5, 25, 10, 960), "mcnemar"), (two, "pooled-z")):
        seen = float(pilot.difference)
        assert " The difference equals that of the pilot" in plan(pilot, difference=seen, method=method).words
        assert " The difference equals that of the pilot" in plan(pilot, difference=-seen, method=method).words
        assert "just the one that" not in plan(pilot, difference=1.1 * seen, method=method).words


def test_a_pilot_without_disagreements_is_planned_for_at_its_limit():
    """1 − 0.05^(1/100) = 2.95 %."""
    result = plan(PairedTable(5, 0, 0, 95), difference=0.01, method="mcnemar")
    assert result.size == plan(disagreement=1 - 0.05 ** (1 / 100), difference=0.01, method="mcnemar").size
    assert " No discordant pairs in the pilot" in result.words


def test_pilots_of_one_example():
    for table in (PairedTable(0, 0, 0, 1), PairedTable(0, 1, 0, 0)):
        result = plan(table)
        assert not result.reached
        assert math.isnan(result.difference)
    # On one example they disagree, so they do on all: the sign test of b ~ Binomial(n, ¾), by SciPy.
    counts = [np.arange(n + 1) for n in range(1, 80)]
    power = [binom.pmf(b, n, 0.75)[(2 * b - n) ** 2 / n > 3.841459].sum() for n, b in enumerate(counts, start=1)]
    from_there_on = 1 + max(n for n, each in enumerate(power, start=1) if each < 0.8)
    assert plan(PairedTable(0, 1, 0, 0), difference=0.5, method="mcnemar").size == from_there_on


def test_predictions_fold_themselves():
    table = {"label": [0, 1, 1, 0] * 10, "forest": [0, 1, 0, 0] * 10, "stump": [0, 0, 1, 0] * 10}
    options = {"difference": 0.3, "alternative": "greater", "method": "mcnemar"}
    result = plan(Predictions.of(table), **options)
    assert result.size == plan(PairedTable(0, 10, 10, 20), **options).size
    assert result.shows == "that stump is better"


def test_error_rates_leave_a_range_of_disagreements():
    """Errors of 25 % and 15 %: from 10 % to 40 %, by chance 0.25·0.85 + 0.15·0.75 = 32.5 %."""
    result = plan(error_a=0.25, error_b=0.15, method="mcnemar")
    sizes = [plan(disagreement=each, difference=0.1, method="mcnemar").size for each in (0.4, 0.325, 0.1)]
    assert [result.size, *(each.value for each in result.beside)] == sizes
    assert plan(error=0.2, difference=0.1, method="mcnemar").size == sizes[0]
    assert plan(error_a=0.25, difference=0.1, method="mcnemar").size == sizes[0]
    assert plan(error_b=0.15, difference=0.1, method="mcnemar").size == sizes[0]
    # Above one half the right answers cannot all be apart: 0.7 + 0.6 − 2·0.3.
    most = plan(disagreement=0.7, difference=0.1, method="mcnemar").size
    assert plan(error_a=0.7, error_b=0.6, method="mcnemar").size == most
    within = plan(examples=100, power=0.8, error=0.1, method="mcnemar")
    assert within.difference == plan(examples=100, power=0.8, disagreement=0.2, method="mcnemar").difference


def test_two_test_sets():
    result = plan(independent=True, error_a=0.2, error_b=0.15, method="pooled-z")
    assert result.unit == "examples of each"
    assert result.size == plan(independent=True, error=0.175, difference=0.05, method="pooled-z").size
    more = plan(independent=True, error_a=0.2, error_b=0.15, ratio=2, method="pooled-z")
    assert (more.unit, more.size < result.size < 2 * more.size) == ("examples of A", True)
    pilot = plan(IndependentCounts.from_counts(30, 100, 20, 100), difference=0.1, method="pooled-z")
    assert pilot.size == plan(independent=True, error=0.25, difference=0.1, method="pooled-z").size
    upper = beta.ppf(0.95, 51, 150)
    at_most = plan(independent=True, error=float(upper), difference=0.1, method="pooled-z")
    assert pilot.beside[0].value == at_most.size
    none = plan(IndependentCounts.from_counts(0, 10, 0, 10), difference=0.1, method="pooled-z")
    assert none.size == plan(independent=True, error=1 - 0.05 ** (1 / 20), difference=0.1, method="pooled-z").size
    assert plan(independent=True, error=0.1, margin=0.05).method == "miettinen-nurminen"


def test_both_sides_where_they_differ():
    """A errs on 10 %, so B may be better or worse by 5 points, which is not the same."""
    options = {"independent": True, "error_a": 0.1, "method": "pooled-z"}
    better, worse = (plan(difference=step, **options) for step in (0.05, -0.05))
    assert better.size < worse.size
    assert "detect that B is better by 5 pp with 80% power" in better.answer
    assert "detect that B is worse by 5 pp with 80% power" in worse.answer
    result = plan(examples=better.size, **options)
    other = result.beside[0]
    assert other.assuming == "if B is the worse of the two"
    assert_allclose(plan(examples=better.size, difference=other.value, **options).power, 0.8, atol=1e-6)
    assert 0.04 < result.difference <= 0.05 < -other.value
    above = plan(against=0.05, examples=1000)
    below = plan(against=0.05, examples=1000, difference=above.beside[0].value)
    assert above.difference > 0 > below.difference
    assert_allclose(below.power, 0.8, atol=1e-6)


def test_of_very_many_outcomes_some_are_looked_at():
    """Half a million examples by each method, on which all agree: the words say how well that is known."""
    options = {"examples": 500_000, "difference": 0.001, "disagreement": 0.06}
    result = plan(**options, method="mcnemar")
    assert "a sample of the outcomes enumerated" in result.words
    assert "every so many-th" not in plan(**{**options, "examples": 500}, method="mcnemar").words
    assert_allclose(result.power, result.formula, atol=1e-3)


def test_the_tests_are_those_of_compare():
    assert plan(difference=0.05, disagreement=0.1, examples=50).method == ta.compare(PILOT).method
    assert plan(margin=0.05, disagreement=0.1, examples=50).method == ta.compare(PILOT, margin=0.05).method
    two = IndependentCounts.from_counts(3, 10, 2, 10)
    assert plan(independent=True, error=0.1, examples=50, difference=0.05).method == ta.compare(two).method
    assert plan(examples=50, error=0.1).method == ta.estimate(ErrorCount(3, 10)).method
    assert plan(examples=50, against=0.1, error=0.2).method == ta.compare(ErrorCount(3, 10), against=0.1).method


# --- Clusters -------------------------------------------------------------------------------------


def test_clusters():
    """1 + (5 − 1)·0.3 = 2.2 examples are worth one; whole clusters are taken."""
    alone = plan(difference=0.05, disagreement=0.1, method="mcnemar")
    result = plan(difference=0.05, disagreement=0.1, method="mcnemar", cluster_size=5, cluster_correlation=0.3)
    assert_allclose(result.design_effect, 2.2)
    assert result.size == 5 * math.ceil(2.2 * alone.size / 5)
    assert result.clusters == result.size / 5
    assert_allclose(result.formula, 2.2 * alone.formula)
    text = plan(difference=0.05, disagreement=0.1, method="mcnemar", design_effect=2.2)
    assert text.size == math.ceil(2.2 * alone.size)
    assert math.isnan(text.clusters)
    assert "kish1965" in text.references
    assert ". The design effect is that of the differences of a pair" in text.words
    power = plan(difference=0.05, disagreement=0.1, method="mcnemar", design_effect=2, examples=601)
    assert power.power == plan(difference=0.05, disagreement=0.1, method="mcnemar", examples=300).power
    wide = plan(width=0.1, error=0.2, design_effect=2)
    assert wide.size == 2 * plan(width=0.1, error=0.2).size
    assert plan(examples=800, error=0.2, design_effect=2).width == plan(examples=400, error=0.2).width


# --- Bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "trouble"),
    [
        ({"difference": 0.1, "disagreement": 0.05}, r"must be at most the discordant rate \(0\.05\), got 0\.1\."),
        ({"difference": 0.1, "disagreement": 0.0}, r"must be at most the discordant rate \(0\), got 0\.1\."),
        ({"difference": 0.0, "disagreement": 0.05}, r"can show a difference, got 0\."),
        ({"difference": 0.01, "disagreement": 0.05, "alternative": "less"}, r"can show that A is better, got 0\.01\."),
        ({"difference": -0.02, "disagreement": 0.05, "margin": 0.02}, r"can show that B is at most 2 pp worse"),
        ({"difference": 0.02, "disagreement": 0.05, "margin": 0.02, "hypothesis": "equivalent"}, "by less than 2 pp"),
        ({"difference": 0.01, "disagreement": 0.05, "margin": 0.02, "hypothesis": "superior"}, "by more than 2 pp"),
        ({"difference": 0.01, "disagreement": 0.05, "hypothesis": "equivalent"}, "`margin` is required for"),
        ({"difference": 0.01, "disagreement": 0.05, "margin": 1}, "`margin` must be between"),
        ({"difference": "0.01", "disagreement": 0.05}, r"`difference` must be a number, got '0\.01'"),
        ({"difference": math.nan, "disagreement": 0.05}, "`difference` must be a number, got nan"),
        ({"difference": 0.01, "disagreement": 6}, r"`disagreement` must be between 0 and 1, got 6\."),
        ({"difference": 0.01, "disagreement": True}, "`disagreement` must be between 0 and 1, got True"),
        ({"difference": 0.01}, "the discordant rate is required"),
        ({"difference": 0.01, "disagreement": 0.05, "power": 80}, r"`power` must be between 0 and 1, got 80\."),
        ({"difference": 0.01, "disagreement": 0.05, "power": 0.05}, r"must be above alpha = 0\.05, got 0\.05\."),
        ({"difference": 0.01, "disagreement": 0.05, "alpha": 0.9}, r"`power` must be above alpha = 0\.9, got 0\.8\."),
        ({"examples": 0, "disagreement": 0.05}, r"`examples` must be a whole number from 1 to 1,000,000,000, got 0\."),
        ({"examples": 2.5, "disagreement": 0.05}, r"to 1,000,000,000, got 2\.5\."),
        ({"examples": math.nan, "disagreement": 0.05}, r"to 1,000,000,000, got nan\."),
        ({"examples": 10**10, "disagreement": 0.05}, r"to 1,000,000,000, got 10000000000\."),
        ({"examples": 10, "disagreement": 0.05, "method": "two-se"}, "`method` of a plan must not be 'two-se'"),
        ({"examples": 10, "disagreement": 0.05, "method": "mcnemar-unconditional"}, "'mcnemar-unconditional', which"),
        ({"examples": 10, "disagreement": 0.05, "margin": 0.1, "method": "mcnemar"}, "takes no margin"),
        ({"examples": 10, "disagreement": 0.05, "rope": 1}, "unknown option `rope` of method 'mcnemar-mid-p'"),
        ({"examples": 10, "disagreement": 0.05, "side": "upper", "power": 0.8}, "are for tests, got a width"),
        ({"error_a": 0.1, "error_b": 0.05, "difference": 0.02}, r"must be error_a - error_b = 0\.05, got 0\.02\."),
        ({"error_a": 0.1, "error_b": 0.05, "disagreement": 0.3}, r"must be from 0\.05 to 0\.15 with these"),
        ({"error": 0.1, "error_b": 0.05, "difference": 0.02}, "`error` is the mean of both rates"),
        ({"error": (0.1, 0.2), "difference": 0.02}, "`error` must be one rate unless a width is planned, got a range"),
        ({"error": 0.01, "difference": 0.1}, "the error rate of B must be between 0 and 1"),
        ({"error_a": 0.1, "examples": 100, "power": 0.8}, "two error rates are required"),
        ({"independent": True, "difference": 0.1}, "the error rates are required"),
        ({"independent": True, "difference": 0.1, "error": 0.1, "disagreement": 0.1}, "is for one test set"),
        ({"independent": True, "difference": 0.5, "error": 0.1}, r"with an error rate of 0\.1, got 0\.5\."),
        ({"independent": True, "difference": 0.1, "error": 0.1, "method": "boschloo"}, "takes minutes"),
        ({"independent": True, "difference": 0.1, "error": 0.1, "ratio": 0}, r"must be from 0\.001 to 1000, got 0\."),
        ({"difference": 0.1, "disagreement": 0.1, "ratio": 2}, "`ratio` is for two test sets"),
        ({"difference": 0.05, "disagreement": 0.1, "cluster_size": 5}, "`cluster_correlation` must be set together"),
        ({"difference": 0.05, "disagreement": 0.1, "design_effect": -1}, r"1,000,000,000, got -1\."),
        ({"difference": 0.05, "disagreement": 0.1, "design_effect": 2, "cluster_correlation": 0.1}, "replaces"),
        ({"difference": 0.05, "disagreement": 0.1, "against": 0.1}, "`against` is for one classifier without a width"),
        ({"error": 0.05, "against": 0.1, "side": "upper"}, "`side` and `assurance` are for intervals"),
        ({"error": 0.05, "against": 0.1, "assurance": 0.9}, "`side` and `assurance` are for intervals"),
        ({"difference": 0.05, "sd": 0.1, "disagreement": 0.1}, "`disagreement` is for classifiers on a test set"),
    ],
)  # fmt: skip
def test_bad_input(options, trouble):
    with pytest.raises(InvalidOption, match=trouble):
        plan(**options)


@pytest.mark.parametrize(
    ("pilot", "options", "trouble"),
    [
        (PILOT, {"disagreement": 0.1, "difference": 0.01}, "must not be set with a pilot"),
        (PILOT, {"independent": True}, "`independent` needs a pilot of two test sets, got one test set"),
        (PILOT, {"error_a": 0.1, "difference": 0.01}, "must not be set with a pilot"),
        (PairedTable([1, 2], 1, 1, 1), {}, "`evidence` must be one table, got 2"),
        (ErrorCount(3, 100), {"difference": 0.01}, "the pilot of a comparison must have two models, got one"),
        (ErrorCount(3, 100), {"width": 0.1, "error": 0.1}, "`error` must not be set with a pilot"),
        (ErrorCount(3, 100), {"against": 0.1, "difference": 0.1}, "`against` must not be combined with a pilot"),
        (IndependentCounts.from_counts(3, 9, 2, 9), {"error": 0.1, "difference": 0.1}, "must not be set with a pilot"),
    ],
)  # fmt: skip
def test_pilots_that_do_not_fit(pilot, options, trouble):
    with pytest.raises(InvalidOption, match=trouble):
        plan(pilot, **options)


def test_what_is_no_pilot():
    with pytest.raises(
        InvalidEvidence, match="`evidence` must be a PairedTable, an IndependentCounts or an ErrorCount, got list"
    ):
        plan([1, 2, 3, 4])
    with pytest.raises(UnknownMethod, match=r"unknown method 'mcnemer'\. Did you mean 'mcnemar'"):
        plan(difference=0.01, disagreement=0.1, method="mcnemer")


def test_extremes():
    assert plan(disagreement=1.0, difference=1.0, method="mcnemar-exact").size == 6  # 2/2⁶ < 0.05 ≤ 2/2⁵
    assert plan(disagreement=0.1, difference=0.1, method="mcnemar-exact").size > 60
    assert not plan(disagreement=0.0, examples=100).reached
    assert not plan(disagreement=0.5, difference=1e-6, method="mcnemar").reached
    many = plan(disagreement=0.5, difference=1e-4, examples=10**9, method="mcnemar")
    assert_allclose(many.power, many.formula, rtol=1e-4)
    sizes = [
        plan(disagreement=0.1, difference=0.05, power=power, method="mcnemar").size for power in (0.5, 0.8, 0.9999)
    ]
    assert sizes == sorted(sizes)
    sizes = [
        plan(disagreement=0.1, difference=0.05, alpha=alpha, method="mcnemar").size for alpha in (0.5, 0.05, 1e-12)
    ]
    assert sizes == sorted(sizes)
    assert plan(disagreement=np.float32(0.5), difference=np.float64(0.25), examples=np.int64(50)).size == 50


def test_learners_are_planned_by_how_much_they_vary():
    assert plan(sd=0.05, difference=0.02, over="training sets").unit == "training sets"
    assert plan(sd=0.03, plan="10x10").solved == "difference"
    assert plan(data_sets=20, wins=0.8).solved == "power"
    assert plan(wins=0.8).target == 0.8
