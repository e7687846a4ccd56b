"""TA725: the runs or the data sets vary, and there are 2 data sets or more."""

import numpy as np

from tellapart import ScoreTable, compare


def table_of(runs):
    runs = np.asarray(runs, dtype=float)
    return ScoreTable(np.stack([runs, 0 * runs]), tuple(map(str, range(len(runs)))), metric="loss", rho=0.1)


def fails():
    return compare(table_of([[0.1, 0.1]] * 4), method="random-effects")


def holds():
    return compare(table_of([[0.1, 0.1], [0.2, 0.2]]), method="random-effects")


def test_the_figure_is_the_error_of_the_mean(check):
    assert check(fails()).figure == 0
    assert fails().pvalue == 1
    assert np.isinf(fails().interval.low)
    assert check(holds()).figure > 0


def test_one_data_set_fails(check):
    assert not check(compare(table_of([[0.1, 0.2, 0.3]]), method="random-effects")).holds
