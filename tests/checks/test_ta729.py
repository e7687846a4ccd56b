"""TA729: at least 5 data sets with scores of both (joint model)."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare


def analyse(datasets, **options):
    """Compare A with B, which is better by about 2 percentage points on each data set of ten folds."""
    gains = np.random.default_rng(29).normal(0.02, 0.02, (40, 10))[:datasets]
    scores = {"A": np.full(gains.shape, 0.8), "B": 0.8 + gains}
    table = ScoreTable.from_scores(scores, metric="accuracy", bounds=(0, 1), rho=0.1)
    return compare(table, **{"method": "hierarchical", "draws": 1000} | options)


def fails():
    return analyse(3)


def holds():
    return analyse(5)


@pytest.mark.parametrize("datasets", [4, 5])
def test_five_are_enough(check, datasets):
    result = check(analyse(datasets))
    assert (result.figure, bool(result.holds)) == (datasets, datasets == 5)


def test_data_sets_without_a_score_of_both_do_not_count(check):
    table = holds().evidence
    loss = table.loss.copy()
    loss[1, 2] = np.nan
    answer = compare(ScoreTable(loss, table.datasets, metric=table.metric, rho=0.1), method="hierarchical", draws=1000)
    assert check(answer).figure == 4


def test_intervals_from_few_data_sets_are_wide():
    """With a uniform prior, two data sets hardly determine the standard deviation (Gelman 2006, section 4.3)."""
    widths = [float(analyse(datasets).interval.width) for datasets in (2, 3, 5, 20)]
    assert widths[0] > 10 * widths[2] > 10 * widths[3]


def test_the_remedy_has_no_such_check(check, quiet):
    assert "'random-effects'" in check(fails()).message
    assert quiet(compare(fails().evidence, method="random-effects"))
