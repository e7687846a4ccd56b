"""practical_probabilities: three probabilities, whichever evidence they are asked of."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import tellapart as ta
from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.methods.score_table import bayesian_sign, bayesian_signed_rank

SPLITS = ta.Resamples.from_scores([0.7, 0.7, 0.7, 0.6], [0.8, 0.7, 0.9, 0.8], plan="4-fold")
TABLE = ta.ScoreTable.from_scores(np.random.default_rng(0).normal([0.8, 0.81], 0.02, (12, 2)).round(3))


def test_over_data_sets_they_are_those_of_the_test():
    ranks = bayesian_signed_rank(TABLE, rope=0.01).practical
    assert_allclose(ta.practical_probabilities(TABLE).b_better, ranks.b_better, rtol=1e-12)
    signs = bayesian_sign(TABLE, rope=0.02, prior=2.0).practical
    found = ta.practical_probabilities(TABLE, rope=0.02, method="bayesian-sign", prior=2.0)
    assert_allclose([found.a_better, found.equivalent], [signs.a_better, signs.equivalent], rtol=1e-12)
    assert found.rope == 0.02


@pytest.mark.parametrize(
    ("evidence", "options", "told"),
    [
        (SPLITS, {"method": "bayesian-sign"}, "is for scores over many data sets"),
        (SPLITS, {"prior": 1.0}, "prior= is for scores over many data sets"),
        (TABLE, {"method": "sign-test"}, "method must be one of 'bayesian-signed-rank', 'bayesian-sign'"),
        (TABLE, {"rho": 0.1}, "rho is no option of method 'bayesian-signed-rank'"),
        (TABLE, {"seed": 1}, "seed is no option"),
        (TABLE, {"rope": -1}, "rope must be"),
    ],
)
def test_what_does_not_fit_is_named(evidence, options, told):
    with pytest.raises(InvalidOption, match=told):
        ta.practical_probabilities(evidence, **options)


def test_other_evidence_is_refused():
    with pytest.raises(InvalidEvidence, match="PairedTable"):
        ta.practical_probabilities(ta.PairedTable(20, 25, 10, 45))
