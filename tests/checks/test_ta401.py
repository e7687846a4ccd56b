"""TA401: the differences vary between test sets."""

import numpy as np
import pytest

from tellapart import Plan, Resamples, compare


def answer_for(a, b, method=None):
    return compare(Resamples.from_scores(a, b, plan=f"{len(a)}-fold", examples=200), method=method)


def fails():
    return answer_for([0.9] * 5, [0.8] * 5)


def holds():
    return answer_for([0.9] * 5, [0.8, 0.8, 0.8, 0.8, 0.85])


@pytest.mark.parametrize("method", ["corrected-resampled-t", "kfold-t", "bayesian-correlated-t"])
def test_the_figure_is_the_standard_deviation(check, method):
    a, b = [0.9, 0.8, 0.85, 0.7, 0.9], [0.8, 0.75, 0.9, 0.65, 0.85]
    assert check(answer_for(a, b, method)).figure == pytest.approx(np.std(np.subtract(b, a), ddof=1), rel=1e-12)


def test_what_is_only_rounding_is_no_spread(check):
    """0.9 − 0.8 and 0.8 − 0.7 differ in the last bit, and in nothing else."""
    a, b = [0.9, 0.3, 0.8, 0.7], [0.8, 0.2, 0.7, 0.6]
    assert np.ptp(np.subtract(a, b)) > 0
    assert not check(answer_for(a, b)).holds


def test_without_spread_nothing_is_claimed(check):
    answer = fails()
    assert not check(answer).holds
    assert (answer.pvalue, answer.interval.low, answer.interval.high) == (1, -1, 1)
    assert "p is 1 and the interval is the whole range" in check(answer).message


def test_the_way_out_counts_examples(check, quiet):
    """Right and wrong on eight examples, one by one: A errs on 1 of them, B on 2 others."""
    assert check(fails()).remedy == "Use larger test sets."
    same = [1, 1, 0, 1, 1, 1, 1, 1]
    known = compare(Resamples.from_scores(same, same, plan="loo"), method="corrected-resampled-t")
    assert "Use method='mcnemar-on-cv'" in check(known).remedy
    evidence = Resamples.from_scores([1, 1, 0, 1, 1, 1, 1, 1], [1, 0, 1, 0, 1, 1, 1, 1], plan="loo")
    answer = compare(evidence, method="mcnemar-on-cv")
    assert quiet(answer)
    assert answer.pvalue == pytest.approx(2 * (1 / 8 + 3 / 16))  # mid-p at 1 against 2


def test_many_are_looked_at_one_by_one(check):
    loss = np.array([[[[0.1, 0.2]], [[0.3, 0.3]]], [[[0.1, 0.2]], [[0.2, 0.3]]]])
    result = check(compare(Resamples(loss, 40, 40, Plan.parse("2-fold"))))
    assert result.holds.tolist() == [True, False]
