"""practical_probabilities: three probabilities, whichever evidence they are asked of."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import tellapart as ta
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.methods.score_table.bayesian import bayesian_sign, bayesian_signed_rank

SPLITS = ta.Resamples.from_scores([0.7, 0.7, 0.7, 0.6], [0.8, 0.7, 0.9, 0.8], plan="4-fold")
TABLE = ta.ScoreTable.from_scores(np.random.default_rng(0).normal([0.8, 0.81], 0.02, (12, 2)).round(3))


def test_over_data_sets_they_are_those_of_the_test():
    ranks = bayesian_signed_rank(TABLE, rope=0.01).practical
    assert_allclose(ta.practical_probabilities(TABLE).b_better, ranks.b_better, rtol=1e-12)
    signs = bayesian_sign(TABLE, rope=0.02, prior=2.0).practical
    result = ta.practical_probabilities(TABLE, rope=0.02, method="bayesian-sign", prior=2.0)
    assert_allclose([result.a_better, result.equivalent], [signs.a_better, signs.equivalent], rtol=1e-12)
    assert result.rope == 0.02


@pytest.mark.parametrize(
    ("evidence", "options", "message"),
    [
        (SPLITS, {"method": "bayesian-sign"}, "is for scores over many data sets"),
        (SPLITS, {"prior": 1.0}, "prior= is for scores over many data sets"),
        (TABLE, {"method": "sign-test"}, "`method` must be one of 'bayesian-signed-rank', 'bayesian-sign'"),
        (TABLE, {"rho": 0.1}, "unknown option `rho` of method 'bayesian-signed-rank'"),
        (TABLE, {"seed": 1}, "unknown option `seed`"),
        (TABLE, {"rope": -1}, "rope` must be"),
    ],
)
def test_what_does_not_fit_is_named(evidence, options, message):
    with pytest.raises(InvalidOption, match=message):
        ta.practical_probabilities(evidence, **options)


def test_other_evidence_is_refused():
    with pytest.raises(InvalidEvidence, match="PairedTable"):
        ta.practical_probabilities(ta.PairedTable(20, 25, 10, 45))


# --- No spread: the posterior sits on the mean -------------------------------------------------------------
# A posterior whose spread goes to 0 puts everything where its mean is; a difference d is equivalent where |d| ≤ rope.

GAINS = [(0.0, [0, 1, 0]), (0.005, [0, 1, 0]), (0.01, [0, 1, 0]), (0.02, [0, 0, 1]), (-0.02, [1, 0, 0])]


def regions(result):
    return [result.a_better, result.equivalent, result.b_better]


@pytest.mark.parametrize(("gain", "expected"), GAINS)
def test_splits_that_all_show_the_same_gain_leave_no_doubt_but_a_failed_check(gain, expected):
    a = np.random.default_rng(3).normal(0.8, 0.03, 100)
    resamples = ta.Resamples.from_scores(a, a + gain, plan="10x10", examples=1000)
    result = ta.practical_probabilities(resamples, rope=0.01)
    assert regions(result) == expected
    assert [(check.code, bool(check.holds)) for check in result.checks] == [("TA401", False)]
    assert "caution" in str(result)
    assert "TA401" in str(result)
    assert result.as_dict()["checks"][0]["code"] == "TA401"
    answer = ta.compare(resamples, method="bayesian-correlated-t", rope=0.01)
    assert (answer.test.statistic, answer.pvalue) == (expected[2], 1)
    assert "TA401" in [check.code for check in answer.checks if not check.holds]


@pytest.mark.parametrize(("gain", "expected"), GAINS)
def test_data_sets_that_all_show_the_same_gain(gain, expected):
    """By votes of data sets the pseudo data set keeps its say: of n data sets, 2⁻ⁿ (Benavoli et al. 2017)."""
    table = ta.ScoreTable.from_scores({"A": [0.8] * 30, "B": [0.8 + gain] * 30}, bounds=(0, 1))
    for method in ("bayesian-sign", "bayesian-signed-rank"):
        result = ta.practical_probabilities(table, rope=0.01, method=method)
        assert_allclose(regions(result), expected, atol=2.0**-29)
        assert result.checks == ()


@pytest.mark.parametrize(("gain", "expected"), GAINS)
def test_runs_and_data_sets_that_all_show_the_same_gain(gain, expected):
    scores = {"A": np.full((6, 5), 0.8), "B": np.full((6, 5), 0.8 + gain)}
    table = ta.ScoreTable.from_scores(scores, metric="accuracy", rho=0.1)
    result = ta.practical_probabilities(table, rope=0.01, method="hierarchical")
    assert regions(result) == expected
    assert [(check.code, bool(check.holds)) for check in result.checks] == [("TA728", False)]


def test_a_batch_sits_on_each_mean_by_itself():
    a, b = np.full((2, 100), 0.8), np.stack([np.full(100, 0.82), np.random.default_rng(1).normal(0.82, 0.05, 100)])
    result = ta.practical_probabilities(ta.Resamples.from_scores(a, b, plan="10x10", examples=1000), rope=0.01)
    assert regions(result[0]) == [0, 0, 1]
    assert 0 < result[1].b_better < 1
    assert "caution" in str(result[0])
    assert "caution" not in str(result[1])
