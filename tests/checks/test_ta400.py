"""TA400: the method has a p-value."""

import numpy as np
import pytest

from tellapart import Resamples, compare


def analyse(method, plan="4x(2/3)", a=(0.9, 0.8, 0.7, 0.8), b=(0.8, 0.7, 0.8, 0.7)):
    return compare(Resamples.from_scores(a, b, plan=plan, examples=300), method=method)


def fails():
    return analyse("vote")


@pytest.mark.parametrize("method", ["vote", "mean-error-choice"])
def test_a_rule_that_chooses_has_no_p_value(check, method):
    answer = analyse(method)
    assert np.isnan(answer.pvalue)
    assert answer.better == "A"  # ahead in three splits of four, and on average
    assert "the rule chooses a learner without a p-value" in check(answer).message


def test_it_fails_for_any_scores(check):
    clear = analyse("vote", a=(0.9, 0.9, 0.9, 0.9), b=(0.1, 0.1, 0.1, 0.1))
    assert not check(clear).holds
    assert not check(analyse("holdout-choice", "holdout", [0.9], [0.1])).holds


def test_the_remedy_has_a_p_value(check, quiet):
    assert "Use method='corrected-resampled-t'." in check(fails()).message
    answer = analyse("corrected-resampled-t")
    assert quiet(answer)
    assert 0 < answer.pvalue < 1


def test_rules_that_choose_have_the_check(carriers):
    assert carriers == {"vote", "holdout-choice", "mean-error-choice"}
