"""delong and delong-paired against SAS, against pairs counted in fractions, and where there is no spread."""

from math import erfc, sqrt

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from tellapart import ClassScores
from tellapart.errors import InvalidOption
from tellapart.methods.class_scores.delong import delong, delong_paired
from tellapart.methods.class_scores.newcombe import mover_newcombe, newcombe_auc

# DeLong, DeLong and Clarke-Pearson (1988): albumin, total protein, K-G score and outcome of 43 patients, as the
# SAS/STAT User's Guide prints them (The LOGISTIC Procedure, "Comparing Receiver Operating Characteristic Curves").
PATIENTS = """
3.0 5.8 10 0   3.2 6.3  5 1   3.9 6.8  3 1   2.8 4.8  6 0   3.2 5.8  3 1   0.9 4.0  5 0   2.5 5.7  8 0   1.6 5.6  5 1
3.8 5.7  5 1   3.7 6.7  6 1   3.2 5.4  4 1   3.8 6.6  6 1   4.1 6.6  5 1   3.6 5.7  5 1   4.3 7.0  4 1   3.6 6.7  4 0
2.3 4.4  6 1   4.2 7.6  4 0   4.0 6.6  6 0   3.5 5.8  6 1   3.8 6.8  7 1   3.0 4.7  8 0   4.5 7.4  5 1   3.7 7.4  5 1
3.1 6.6  6 1   4.1 8.2  6 1   4.3 7.0  5 1   4.3 6.5  4 1   3.2 5.1  5 1   2.6 4.7  6 1   3.3 6.8  6 0   1.7 4.0  7 0
3.7 6.1  5 1   3.3 6.3  7 1   4.2 7.7  6 1   3.5 6.2  5 1   2.9 5.7  9 0   2.1 4.8  7 1   2.8 6.2  8 0   4.0 7.0  7 1
3.3 5.7  6 1   3.7 6.9  5 1   3.6 6.6  5 1
"""
# Area and standard error; and less the K-G score's: estimate, standard error, chi-square, p (PROC LOGISTIC's output).
ONE = {"kg": (0.7258, 0.1028), "albumin": (0.7366, 0.0927), "protein": (0.6478, 0.1000)}
TWO = {"albumin": (0.0108, 0.0953, 0.0127, 0.9102), "protein": (-0.0780, 0.1046, 0.5554, 0.4561)}
ALIKE = ClassScores.from_scores(np.repeat([0, 1], [40, 20]), np.arange(60.0), np.exp(np.arange(60.0)))


def patients():
    albumin, protein, kg, outcome = np.array(PATIENTS.split(), dtype=float).reshape(-1, 4).T
    return ClassScores.from_scores(outcome.astype(int), {"kg": 10 - kg, "albumin": albumin, "protein": protein})


@pytest.mark.parametrize(("model", "expected"), ONE.items())
def test_areas_and_errors_of_the_paper(model, expected):
    evidence = patients().select(model)
    limits = delong(evidence).interval()
    # The limits are symmetric on the scale of log odds, z·s/(A(1 − A)) away.
    odds = [np.log(limit / (1 - limit)) for limit in (limits.low, limits.high)]
    area = 1 / (1 + np.exp(-np.mean(odds)))
    error = (odds[1] - odds[0]) / 2 / 1.959963984540054 * area * (1 - area)
    assert_allclose([evidence.levels[0], area, error], [expected[0], expected[0], expected[1]], atol=5e-5)


@pytest.mark.parametrize(("model", "expected"), TWO.items())
def test_comparisons_of_the_paper(model, expected):
    evidence = patients().select("kg", model)
    result, limits = delong_paired(evidence).test(), delong_paired(evidence).interval()
    error = (limits.high - limits.low) / 2 / 1.959963984540054
    assert_allclose([evidence.difference, error, result.statistic**2, result.pvalue], expected, atol=5.1e-5)


def test_the_statistic_has_eleven_digits():
    """3,000 examples, many tied, in 40 digits of mpmath from the pairs' own definition."""
    rng = np.random.default_rng(8)
    truth = np.arange(3000) % 3 == 0
    scores = (rng.normal(size=(2, 3000)) + truth).round(2)
    above, beside = (
        (scores[:, truth, None] > scores[:, None, ~truth]),
        (scores[:, truth, None] == scores[:, None, ~truth]),
    )
    kernel = 2 * above.sum(axis=2) + beside.sum(axis=2), 2 * above.sum(axis=1) + beside.sum(axis=1)
    with mpmath.workdps(40):
        m, n = int(truth.sum()), int((~truth).sum())
        change = [[int(v) for v in each[1] - each[0]] for each in kernel]  # twice the placements, B less A
        mean = mpmath.mpf(sum(change[0])) / (2 * m * n)
        variance = mpmath.mpf(0)
        for values, own, others in zip(change, (m, n), (n, m), strict=True):
            variance += sum((mpmath.mpf(v) / (2 * others) - mean) ** 2 for v in values) / (own - 1) / own
        expected = float(mean / mpmath.sqrt(variance))
    assert delong_paired(ClassScores.from_scores(truth, *scores)).test().statistic == pytest.approx(expected, rel=1e-11)


def test_models_that_rank_alike_show_no_difference():
    result = delong_paired(ALIKE).test()
    assert (result.statistic, result.pvalue) == (0, 1)
    limits = delong_paired(ALIKE).interval()
    # A kind of example that 20 positives did not show has at most the share 1 − 0.025^(1/19) of them.
    assert_allclose([limits.low, limits.high], [-(1 - 0.025 ** (1 / 19)), 1 - 0.025 ** (1 / 19)], rtol=1e-12)
    assert delong_paired(ALIKE).test(float(limits.high), "less").pvalue == pytest.approx(0.025)
    assert delong_paired(ALIKE).test(0.3).pvalue < 0.01
    both = mover_newcombe(ALIKE)
    assert (both.low, both.high) == (limits.low, limits.high)


def test_a_perfect_order_keeps_a_width():
    perfect, reverse = ALIKE.select("A"), ClassScores.from_scores(np.repeat([1, 0], [20, 40]), np.arange(60.0))
    for evidence, end in ((perfect, 1.0), (reverse, 0.0)):
        limits, other = delong(evidence).interval(), newcombe_auc(evidence)
        assert (limits.low, limits.high) == (other.low, other.high)
        assert end in (limits.low, limits.high)
        assert limits.high - limits.low > 0.02
    discordant = ClassScores.from_scores([0, 0, 0, 1], [1, 2, 4, 3], [1, 2, 3, 4])
    assert delong(discordant.select("A")).interval().width > 0.5
    whole = delong_paired(discordant).interval()
    assert (whole.low, whole.high, delong_paired(discordant).test().pvalue) == (-1, 1, 1)


@given(st.floats(-0.4, 0.4), st.sampled_from([0.5, 0.2, 0.05, 1e-12]), st.sampled_from(["two", "upper", "lower"]))
def test_test_and_interval_agree_at_every_level(against, alpha, side):
    evidence = patients().select("kg", "protein")
    limits = delong_paired(evidence).interval(alpha=alpha, side=side)
    way = {"two": "two-sided", "upper": "less", "lower": "greater"}[side]
    outside = against < limits.low or against > limits.high
    assert (delong_paired(evidence).test(against, way).pvalue < alpha) == outside


def test_renaming_the_models_only_flips_the_sign():
    evidence = patients().select("kg", "protein")
    one, other = delong_paired(evidence).test(), delong_paired(evidence.swapped()).test()
    assert (one.pvalue, one.statistic) == (other.pvalue, -other.statistic)
    assert one.pvalue == pytest.approx(erfc(abs(one.statistic) / sqrt(2)))


def test_many_entries_are_a_loop_over_entries():
    rng = np.random.default_rng(0)
    many = ClassScores(np.repeat([0, 1], 15), rng.normal(size=(3, 2, 30)).round(1), (0, 1))
    calls = (lambda each: delong_paired(each).test(), lambda each: delong_paired(each).interval(), mover_newcombe)
    for call, fields in zip(calls, (("statistic", "pvalue"), ("low", "high"), ("low", "high")), strict=True):
        whole = call(many)
        for index in range(3):
            one = call(many[index])
            for field in fields:
                assert_allclose(getattr(whole, field)[index], getattr(one, field), rtol=1e-12)


def test_several_classes_are_taken_one_against_the_rest():
    rng = np.random.default_rng(2)
    truth = np.repeat(["a", "b", "c"], 20)
    chances = rng.dirichlet([1, 1, 1], size=(2, 60)) + 0.3 * np.eye(3)[np.repeat([0, 1, 2], 20)]
    evidence = ClassScores.from_scores(truth, *chances)
    spread = evidence.areas.covariance
    error = sqrt(spread[0, 0] + spread[1, 1] - 2 * spread[0, 1])
    assert delong_paired(evidence).test().statistic == pytest.approx(evidence.difference / error, rel=1e-12)
    limits = delong(evidence.select("A")).interval()
    assert limits.low < evidence.levels[0] < limits.high
    with pytest.raises(InvalidOption, match=r"mean of 3.*`positive`.*method='delong'"):
        newcombe_auc(evidence.select("A"))
    assert newcombe_auc(evidence.select("A").against_rest("b")).low < 1


def test_another_metric_and_another_number_of_models_are_refused():
    with pytest.raises(InvalidOption, match=r"'delong-paired' is for auc.*stratified-bootstrap"):
        delong_paired(ALIKE.by("average-precision")).test()
    with pytest.raises(InvalidOption, match="'delong' needs one model, got A, B"):
        delong(ALIKE)
    with pytest.raises(InvalidOption, match="'delong-paired' needs two models, got A"):
        delong_paired(ALIKE.select("A")).test()
