"""TA723: no data set has more than half of the weight."""

import numpy as np
from numpy.testing import assert_allclose

from tellapart import ScoreTable, compare


def with_spreads(spreads):
    """Compare over data sets with the same mean difference, whose runs have these ranges."""
    runs = np.array([-1.0, -0.5, 0.0, 0.5, 1.0]) * np.asarray(spreads)[:, None] + 0.02
    table = ScoreTable(np.stack([runs, 0 * runs]), tuple(map(str, range(len(spreads)))), metric="loss", rho=0.0)
    return compare(table, method="random-effects")


def fails():
    return with_spreads([0.001, 0.1, 0.1, 0.1])


def holds():
    return with_spreads([0.1, 0.1, 0.1, 0.1])


def test_the_figure_is_the_weight_of_all_others(check):
    """Without variance between data sets the weights are 1/variance: 10⁴ for the first, 1 for each of the others."""
    assert_allclose(check(fails()).figure, 3 / 10_003, rtol=1e-9)
    assert_allclose(check(holds()).figure, 0.75)


def test_of_two_data_sets_one_always_has_half(check):
    assert check(with_spreads([0.001, 0.1])).holds


def test_the_weights_are_those_of_the_result(check):
    """The weights depend on the correlation of the runs, from the table or from an option."""
    values = np.random.default_rng(3).normal(0.01, 0.01, (5, 4)) * np.array([1, 9, 9, 9, 9])[:, None]
    losses = {"A": values, "B": 0 * values}
    text, options = (ScoreTable.from_scores(losses, higher_is_better=False, rho=rho) for rho in (0.5, None))
    here = check(compare(text, method="random-effects")).figure
    there = check(compare(options, method="random-effects", rho=0.5)).figure
    assert here == there != check(compare(options, method="random-effects", rho=0.0)).figure
