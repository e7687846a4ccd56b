"""TA401: the differences vary between test sets."""

import numpy as np
import pytest

from tellapart import Plan, Resamples, compare


def analyse(a, b, method=None):
    return compare(Resamples.from_scores(a, b, plan=f"{len(a)}-fold", examples=200), method=method)


def fails():
    return analyse([0.9] * 5, [0.8] * 5)


def holds():
    return analyse([0.9] * 5, [0.8, 0.8, 0.8, 0.8, 0.85])


@pytest.mark.parametrize("method", ["corrected-resampled-t", "kfold-t", "bayesian-correlated-t"])
def test_the_figure_is_the_standard_deviation(check, method):
    a, b = [0.9, 0.8, 0.85, 0.7, 0.9], [0.8, 0.75, 0.9, 0.65, 0.85]
    assert check(analyse(a, b, method)).figure == pytest.approx(np.std(np.subtract(b, a), ddof=1), rel=1e-12)


def test_rounding_error_is_not_variation(check):
    """0.9 − 0.8 and 0.8 − 0.7 differ only in the last bit."""
    a, b = [0.9, 0.3, 0.8, 0.7], [0.8, 0.2, 0.7, 0.6]
    assert np.ptp(np.subtract(a, b)) > 0
    assert not check(analyse(a, b)).holds


def test_without_variation_p_is_1_or_the_interval_unbounded(check):
    answer = fails()
    assert not check(answer).holds
    assert (answer.pvalue, answer.interval.low, answer.interval.high) == (1, -1, 1)
    assert "p is 1 and the interval is the whole range" in check(answer).message


def test_the_remedy_counts_discordant_pairs(check, quiet):
    """Leave-one-out with eight examples: A is wrong on 1 of them, B on 2 others."""
    assert check(fails()).remedy == "Use larger test sets."
    same = [1, 1, 0, 1, 1, 1, 1, 1]
    known = compare(Resamples.from_scores(same, same, plan="loo"), method="corrected-resampled-t")
    assert "Use method='mcnemar-on-cv'" in check(known).remedy
    evidence = Resamples.from_scores([1, 1, 0, 1, 1, 1, 1, 1], [1, 0, 1, 0, 1, 1, 1, 1], plan="loo")
    answer = compare(evidence, method="mcnemar-on-cv")
    assert quiet(answer)
    assert answer.pvalue == pytest.approx(2 * (1 / 8 + 3 / 16))  # mid-p at 1 against 2


def test_batches_are_checked_entry_by_entry(check):
    loss = np.array([[[[0.1, 0.2]], [[0.3, 0.3]]], [[[0.1, 0.2]], [[0.2, 0.3]]]])
    result = check(compare(Resamples(loss, 40, 40, Plan.parse("2-fold"))))
    assert result.holds.tolist() == [True, False]
