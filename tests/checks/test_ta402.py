"""TA402: the runs of a learner vary."""

from statistics import stdev

import pytest

from tellapart import PairedTable, Resamples, compare


def analyse(a, b, method=None):
    return compare(Resamples.from_scores(a, b, plan="seeds"), method=method)


def fails():
    return analyse([0.9] * 5, [0.8] * 5)


def holds():
    return analyse([0.9] * 5, [0.8, 0.81, 0.8, 0.8, 0.8])


@pytest.mark.parametrize("method", ["welch", "unpaired-t"])
def test_one_learner_that_varies_is_enough(check, method):
    assert not check(analyse([0.9] * 5, [0.8] * 5, method)).holds
    assert check(analyse([0.9] * 5, [0.8, 0.8, 0.81, 0.8, 0.8], method)).holds
    assert check(analyse([0.9, 0.8, 0.9], [0.8] * 3, method)).holds


def test_the_figure_is_the_larger_standard_deviation(check):
    runs = [0.9, 0.8, 0.85], [0.5, 0.55, 0.52]
    assert check(analyse(*runs)).figure == pytest.approx(max(stdev(each) for each in runs))


def test_without_variation_p_is_1_or_the_interval_unbounded(check):
    answer = fails()
    assert (answer.pvalue, answer.interval.low, answer.interval.high) == (1, -1, 1)
    assert "all runs of each learner have the same loss" in check(answer).message


def test_the_remedy_compares_predictions_of_one_run(check, quiet):
    assert "compare the predictions of one run of each learner" in check(fails()).message
    assert quiet(compare(PairedTable(8, 2, 12, 78), method="mcnemar-mid-p"))


def test_comparisons_of_runs_have_the_check(carriers):
    assert carriers == {"unpaired-t", "welch"}
