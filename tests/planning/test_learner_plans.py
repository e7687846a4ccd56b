"""Plans for learners, data sets and graded scores: which question is meant, what is said, what is refused."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import chi2, norm
from statsmodels.stats.power import TTestPower

import tellapart as ta
from tellapart import Resamples, compare
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.evidence.plan import Plan
from tellapart.planning.learner_options import Varying
from tellapart.planning.learner_plans import plan_learners
from tellapart.planning.plan_target import Clusters, PlanTarget

SCORES = [0.80, 0.82, 0.78, 0.81, 0.80], [0.79, 0.83, 0.74, 0.78, 0.81]


def planned(method=None, pilot=None, **settings):
    options = {name: settings.pop(name) for name in tuple(settings) if name in PlanTarget.__slots__}
    return plan_learners(PlanTarget(**options), Varying(**settings), method=method, pilot=pilot)


# --- Splits ---------------------------------------------------------------------------------------


def test_replicates_are_the_fewest_that_have_the_power():
    result = planned(sd=0.05, plan="10-fold", difference=0.05, power=0.8)
    assert (result.solved, result.unit, result.method) == ("size", "replicates", "corrected-repeated-kfold-t")
    enough, fewer = (result.setting.power(result.size - less, 0.05) for less in (0, 1))
    assert fewer < 0.8 <= enough == result.power
    assert "8 repeats of 10-fold cross-validation detect" in result.words


def test_the_ceiling_is_reported():
    """(1.96 + 0.84)·sd/3 is the smallest difference that any number of 10-fold replicates shows four times in five."""
    result = planned(sd=0.05, plan="10-fold", difference=0.02, power=0.8)
    assert result.size == math.inf
    assert not result.reached
    least = 100 * (norm.isf(0.025) + norm.isf(0.2)) * 0.05 / 3
    assert f"below {least:.3g} pp" in result.words
    assert "No number of replicates gives 80% power" in str(result)


def test_the_power_of_a_plan_and_its_ceiling():
    result = planned(sd=0.05, plan="30x(2/3)", difference=0.06)
    assert (result.solved, result.size) == ("power", 30)
    z = 0.06 / (0.05 * math.sqrt(0.5))
    ever = norm.sf(norm.isf(0.025) - z) + norm.cdf(-norm.isf(0.025) - z)
    assert f" Power: at most {100 * ever:.4g}% with any number of replicates" in result.words
    assert result.power < ever


def test_one_replicate_is_a_plan_too():
    """Without a difference, or without a power, "10-fold" is one cross-validation, as "1x10" is."""
    short, text = (planned(sd=0.05, plan=plan, power=0.8) for plan in ("10-fold", "1x10"))
    assert short.size == text.size == 1
    assert short.difference == text.difference


def test_the_power_is_80_percent_by_default():
    """Of "10-fold" the replicates are open, of "1x10" and "10x10" they are not."""
    assert ta.plan(sd=0.05, plan="10-fold", difference=0.05).solved == "size"
    assert ta.plan(sd=0.05, plan="1x10", difference=0.05).solved == "power"
    assert ta.plan(sd=0.05, plan="10x10").target == 0.8
    assert ta.plan(sd=0.05, plan="independent", difference=0.02).size == 52
    assert ta.plan(wins=0.7).size == 54
    assert ta.plan(Resamples.from_scores(*SCORES, plan="5-fold")).solved == "difference"


def test_other_numbers_of_folds_stand_beside():
    """Were sd² inverse to the test sets' size, the mean would vary by sd²·(1/r + k/(k − 1))/10 with k folds."""
    result = planned(sd=0.05, plan="1000x10", power=0.8)
    beside = {aside.assuming.split()[1]: aside.value for aside in result.beside}
    assert list(beside) == ["2", "5", "20"]
    z = norm.isf(0.025) + norm.isf(0.2)
    for folds, value in beside.items():
        k = int(folds)
        assert_allclose(value, z * 0.05 * math.sqrt((0.001 + k / (k - 1)) / 10), rtol=2e-3)


def test_a_pilot_gives_its_spread_and_never_its_mean():
    evidence = Resamples.from_scores(*SCORES, plan="5-fold")
    moved = Resamples.from_scores(np.asarray(SCORES[0]) - 0.1, SCORES[1], plan="5-fold")
    here, there = (planned(pilot=pilot, difference=0.05, power=0.8) for pilot in (evidence, moved))
    assert evidence.difference != moved.difference
    assert (here.size, here.power) == (there.size, there.power)
    sd = np.std(np.subtract(*SCORES), ddof=1)
    assert_allclose(here.setting.sd, sd)
    upper = sd * math.sqrt(4 / chi2.ppf(0.05, 4))
    assert f"{100 * upper:.3g} pp" in str(here)
    assert "its mean difference is not" in here.words


def test_a_pilot_of_another_plan_is_reported():
    evidence = Resamples.from_scores(*SCORES, plan="5-fold")
    assert "he pilot has another design" not in planned(pilot=evidence, power=0.8).words
    other = planned(pilot=evidence, plan="10x10", power=0.8)
    assert (other.size, other.setting.folds) == (10, 10)
    assert " The pilot has another design" in other.words
    assert all("folds" not in aside.assuming for aside in other.beside)


def test_what_was_planned_is_what_compare_does():
    """At the smallest difference it was planned for, the test of the very evidence has t = shift."""
    result = planned(sd=0.02, plan="10x10", power=0.8)
    rng = np.random.default_rng(10)
    values = rng.normal(size=100)
    values = result.difference + 0.02 * (values - values.mean()) / values.std(ddof=1)
    evidence = Resamples.from_scores(0.8 - values, np.full(100, 0.8), plan="10x10")
    answer = compare(evidence, method=result.method)
    assert_allclose(answer.statistic, result.difference / (0.02 * math.sqrt(0.01 + 1 / 9)), rtol=1e-9)


# --- Training sets, data sets, examples -----------------------------------------------------------


@pytest.mark.parametrize("options", [{"over": "training sets"}, {"plan": "independent"}, {"over": "data sets"}, {}])
def test_whatever_shares_nothing_is_a_plain_paired_t(options):
    result = planned(sd=0.05, difference=0.02, power=0.8, **options)
    assert result.size == math.ceil(TTestPower().solve_power(effect_size=0.4, alpha=0.05, power=0.8))
    assert result.unit == options.get("over", "training sets" if options else "examples")
    assert result.method == "paired-t"
    assert result.points == bool(options)


def test_numbers_that_are_given():
    assert planned(sd=0.05, training_sets=20, power=0.8).solved == "difference"
    assert planned(sd=0.05, data_sets=20, difference=0.02).solved == "power"
    assert planned(sd=0.3, size=500, power=0.8).unit == "examples"
    assert_allclose(planned(wins=0.7, data_sets=30).power, planned(wins=0.3, data_sets=30).power)


def test_other_tests_over_data_sets_stand_beside():
    result = planned(sd=0.05, over="data sets", difference=0.02, power=0.8)
    others = {aside.assuming: aside.value for aside in result.beside}
    for name in ("wilcoxon-signed-rank", "sign-test"):
        own = planned(method=name, sd=0.05, over="data sets", difference=0.02, power=0.8)
        assert own.method == name
        assert others[f"for {name}"] == own.size
        assert {aside.assuming for aside in own.beside} == {
            "for paired-t",
            "for wilcoxon-signed-rank",
            "for sign-test",
        } - {f"for {name}"}


def test_wins_are_reported_in_words():
    result = planned(wins=0.7, power=0.8)
    assert result.size == 54
    assert "with 80% power if B wins on 70% of data sets" in result.words
    assert "A wins on 70%" in planned(wins=0.3, power=0.8).words


def test_epochs_shrink_what_varies_within_examples():
    """Miller (2024): n = (z + z)²(ω² + σ_A²/K_A + σ_B²/K_B)/δ²."""
    z = norm.isf(0.025) + norm.isf(0.2)
    for epochs, variance in ((None, 0.09 + 0.04 + 0.01), (4, 0.09 + 0.0125), ((2, 5), 0.09 + 0.022)):
        result = planned(sd=0.3, sd_a=0.2, sd_b=0.1, epochs=epochs, difference=0.02, power=0.8)
        assert_allclose(result.formula, z**2 * variance / 0.02**2)
        assert 0 <= result.size - result.formula < 4  # Student's t asks for a little more
    assert result.beside[-1].assuming == "with any number of epochs"
    assert_allclose(result.beside[-1].value, z**2 * 0.09 / 0.02**2, atol=4)


def test_clusters_are_of_examples():
    alone = planned(sd=0.3, difference=0.02, power=0.8)
    result = planned(sd=0.3, difference=0.02, power=0.8, clusters=Clusters(2.0, 10))
    assert result.size == 10 * math.ceil(2 * alone.size / 10)


def test_margins():
    result = planned(sd=0.05, over="training sets", difference=0.0, power=0.8, hypothesis="non-inferior", margin=0.01)
    expected = TTestPower().solve_power(effect_size=0.2, alpha=0.05, power=0.8, alternative="larger")
    assert result.size == math.ceil(expected)
    same = planned(sd=0.05, training_sets=400, power=0.8, hypothesis="equivalent", margin=0.01)
    assert 0 < same.difference < 0.01
    assert_allclose(same.setting.power(400, same.difference), 0.8, atol=1e-6)


# --- What is refused ------------------------------------------------------------------------------

REFUSED = [
    (
        {"sd": 0.05, "plan": "10x10", "difference": 0.02, "power": 0.8},
        "`plan` must leave the number of replicates open if power and difference are set, got '10x10'",
    ),
    (
        {"sd": 0.05, "plan": "delve 8x200", "power": 0.8},
        "`plan` must have a fixed ratio of test to training size, got 'delve 8x200'",
    ),
    ({"sd": 0.05, "plan": "loo", "power": 0.8}, "`plan` must have a fixed ratio of test to training size, got 'loo'"),
    ({"sd": 0.05, "plan": "nonsense", "power": 0.8}, "unknown `plan` 'nonsense'"),
    ({"sd": 0.05, "over": "splits", "power": 0.8}, "`plan` is required for splits"),
    ({"sd": 0.05, "over": "moons", "power": 0.8}, "`over` must be one of"),
    (
        {"sd": 0.05, "plan": "10x10", "data_sets": 20, "power": 0.8},
        r"`plan` \(for splits\) and `data_sets` \(for data sets\) contradict each other",
    ),
    (
        {"sd": 0.05, "plan": "10x10", "over": "examples", "power": 0.8},
        r"`plan` \(for splits\) and over='examples' contradict each other",
    ),
    ({"sd": 0.05, "plan": "10x10", "size": 100, "power": 0.8}, "plan='10x10'"),
    ({"plan": "10x10", "power": 0.8}, "`sd`, the standard deviation of the difference between splits, is required"),
    ({"sd": 5, "plan": "10x10", "power": 0.8}, r"`sd` must be at most 1, got 5\. For 3 pp use 0\.03\."),
    ({"sd": 0, "plan": "10x10", "power": 0.8}, "above 0"),
    ({"sd": math.nan, "power": 0.8, "difference": 0.1}, "above 0"),
    (
        {"sd": 0.05, "over": "data sets", "difference": 2, "power": 0.8},
        r"`difference` must be between -1 and 1, got 2\. For 1 pp use 0\.01\.",
    ),
    ({"sd": 0.05, "wins": 0.7, "power": 0.8}, "`sd` must not be set with wins"),
    (
        {"wins": 0.5, "power": 0.8},
        r"`wins` must be a probability other than 0\.5, got 0\.5\. If B wins on 7 of 10 data sets use 0\.7\.",
    ),
    (
        {"wins": 7, "power": 0.8},
        r"`wins` must be a probability other than 0\.5, got 7\. If B wins on 7 of 10 data sets use 0\.7\.",
    ),
    (
        {"wins": 0.7, "difference": 0.1, "power": 0.8},
        "`difference` must not be set with wins, which is the difference of a sign test",
    ),
    (
        {"wins": 0.7, "power": 0.8, "hypothesis": "superior", "margin": 0.1},
        "`method` of a plan with a margin must be 'paired-t', got 'sign-test'",
    ),
    ({"sd": 0.05, "data_sets": 1, "power": 0.8}, "2 or more"),
    ({"sd": 0.05, "training_sets": 2.5, "power": 0.8}, "whole number"),
    (
        {"sd": 0.3, "epochs": 4, "difference": 0.1, "power": 0.8},
        r"`epochs` requires sd_a and sd_b, the standard deviations of repeated scores of one example\.",
    ),
    ({"sd": 0.3, "sd_a": 0.1, "difference": 0.1, "power": 0.8}, "`sd_a` and `sd_b` must be set together"),
    (
        {"sd": 0.3, "sd_a": 0.1, "sd_b": 0.1, "epochs": 0, "difference": 0.1, "power": 0.8},
        r"`epochs` must be a whole number of 1 or more, got 0\.",
    ),
    (
        {"sd": 0.3, "sd_a": 0.1, "sd_b": 0, "epochs": (1, 2, 3), "difference": 0.1, "power": 0.8},
        "one for A and one for B",
    ),
    (
        {"sd": 0, "sd_a": 0, "sd_b": 0, "difference": 0.1, "power": 0.8},
        r"one of `sd`, `sd_a` and `sd_b` must be above 0, got 0 for all\.",
    ),
    (
        {"sd": 0.05, "training_sets": 9, "power": 0.8, "clusters": Clusters(2.0)},
        "clusters are for examples, not for training sets",
    ),
    (
        {"sd": 0.05, "training_sets": 9, "power": 0.8, "options": {"prior": 1}},
        "unknown option `prior` of a plan for training sets",
    ),
    (
        {"sd": 0.05, "plan": "5x2", "power": 0.8, "method": "5x2cv-t"},
        "`method` of a plan for splits must be 'corrected-repeated-kfold-t' or 'corrected-resampled-t',",
    ),
    (
        {"sd": 0.05, "plan": "5x2", "power": 0.8, "method": "resampled-t"},
        "`method` of a plan for splits must be 'corrected-repeated-kfold-t' or 'corrected-resampled-t',",
    ),
    (
        {"sd": 0.05, "plan": "5x2", "power": 0.8, "method": "mcnemar"},
        "`method` of a plan for splits must be 'corrected-repeated-kfold-t' or 'corrected-resampled-t',",
    ),
    ({"sd": 0.05, "training_sets": 9}, "two of `examples`, `power` and `difference` must be set, got only one"),
    (
        {"sd": 0.05, "plan": "10-fold", "difference": 0.0, "power": 0.8},
        r"`difference` must be one at which the test can show a difference, got 0\. It is error\(A\) -",
    ),
    (
        {"wins": 0.7, "power": 0.8, "alternative": "less"},
        r"`difference` must be one at which the test can show that A wins more often, got 0\.4\. It is P\(B",
    ),
]


@pytest.mark.parametrize(("settings", "text"), REFUSED)
def test_what_cannot_be_is_refused(settings, text):
    with pytest.raises(InvalidOption, match=text):
        planned(**settings)


def test_pilots_that_tell_nothing():
    flat = Resamples.from_scores([0.8, 0.7], [0.7, 0.6], plan="2-fold")
    several = Resamples.from_scores({"a": [0.8, 0.7], "b": [0.7, 0.6], "c": [0.8, 0.6]}, plan="2-fold")
    evidence = Resamples.from_scores(*SCORES, plan="5-fold")
    for pilot, settings, text in (
        (flat, {}, "the differences of a pilot must vary, got one value on 2 test sets"),
        (several, {}, r"race.resamples\('a', 'b'\)"),
        (evidence, {"sd": 0.05}, "must not be set with a pilot"),
        ("race", {}, "got str"),
    ):
        with pytest.raises((InvalidEvidence, InvalidOption), match=text):
            planned(pilot=pilot, difference=0.05, power=0.8, **settings)


def test_a_plan_may_be_a_plan():
    assert planned(sd=0.05, plan=Plan.parse("10x10"), power=0.8).size == 10
