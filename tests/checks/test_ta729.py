"""TA729: there are enough data sets to see how much the difference varies between them."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare


def ask(datasets, **options):
    """Compare A with B, who is better by about two points on so many data sets of ten folds."""
    gains = np.random.default_rng(29).normal(0.02, 0.02, (40, 10))[:datasets]
    scores = {"A": np.full(gains.shape, 0.8), "B": 0.8 + gains}
    table = ScoreTable.from_scores(scores, metric="accuracy", bounds=(0, 1), rho=0.1)
    return compare(table, **{"method": "hierarchical", "draws": 1000} | options)


def fails():
    return ask(3)


def holds():
    return ask(5)


@pytest.mark.parametrize("datasets", [4, 5])
def test_five_are_enough(check, datasets):
    result = check(ask(datasets))
    assert (result.figure, bool(result.holds)) == (datasets, datasets == 5)


def test_data_sets_without_a_score_of_both_do_not_count(check):
    table = holds().evidence
    loss = table.loss.copy()
    loss[1, 2] = np.nan
    answer = compare(ScoreTable(loss, table.datasets, metric=table.metric, rho=0.1), method="hierarchical", draws=1000)
    assert check(answer).figure == 4


def test_limits_of_few_are_as_wide_as_the_prior_lets_them_be():
    """A spread between data sets that is uniform beforehand is hardly known from two (Gelman 2006, section 4.3)."""
    widths = [float(ask(datasets).interval.width) for datasets in (2, 3, 5, 20)]
    assert widths[0] > 10 * widths[2] > 10 * widths[3]


def test_the_way_out_says_as_much(check, quiet):
    assert "'random-effects'" in check(fails()).message
    assert quiet(compare(fails().evidence, method="random-effects"))
