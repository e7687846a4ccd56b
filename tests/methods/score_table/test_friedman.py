"""friedman, iman-davenport and friedman-exact against SciPy, Demšar's paper, published tables and every ranking."""

import csv
import sys
from itertools import permutations, product
from math import factorial
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binomtest, friedmanchisquare, rankdata
from scipy.stats import f as f_curve

from tellapart import ScoreTable
from tellapart.errors import InvalidEvidence
from tellapart.methods.score_table.friedman import friedman, iman_davenport
from tellapart.methods.score_table.friedman_exact import friedman_exact

DEMSAR = Path(__file__).with_name("demsar2006.csv")


def demsar(**changes):
    """Return Demšar's table 6 (2006): the area under the curve of C4.5 in four variants on fourteen data sets."""
    with DEMSAR.open(encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    scores = {row[0]: [float(cell) for cell in row[1:]] for row in rows} | changes
    return ScoreTable.from_scores(list(scores.values()), names[1:], list(scores), metric="auc")


def table(scores):
    return ScoreTable.from_scores(scores, metric="score")


@pytest.mark.parametrize("shape", [(3, 3), (14, 4), (30, 20), (200, 5)])
@pytest.mark.parametrize("digits", [1, 12])
def test_scipy_agrees(shape, digits):
    """Its chi-square allows for ties as well."""
    scores = np.round(np.random.default_rng(1937).normal(size=shape), digits)
    result, theirs = friedman(table(scores)), friedmanchisquare(*scores.T)
    assert_allclose([result.statistic, result.pvalue], [theirs.statistic, theirs.pvalue], rtol=1e-10)


def test_what_follows_from_the_table_demsar_printed():
    """Mid-ranks give 9.857, not the 9.28 in the text; SciPy's is corrected for ties."""
    ours = demsar()
    assert friedman(ours, ties="uncorrected").statistic == pytest.approx(9.857, abs=5e-4)
    assert iman_davenport(ours, ties="uncorrected").statistic == pytest.approx(3.987, abs=5e-4)
    assert friedman(ours).statistic == pytest.approx(friedmanchisquare(*ours.cells.T).statistic)


def test_what_demsar_printed_follows_when_a_tie_is_broken():
    """His ranks 3.143, 2.000, 2.893 and 1.964, and with them 9.28 and 3.69, part the 0.975 of `voting`."""
    parted = demsar(voting=[0.972, 0.981, 0.9751, 0.975])
    assert_allclose(parted.mean_ranks, [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    assert friedman(parted, ties="uncorrected").statistic == pytest.approx(9.28, abs=5e-3)
    result = iman_davenport(parted, ties="uncorrected")
    assert result.statistic == pytest.approx(3.69, abs=5e-3)
    assert result.pvalue == pytest.approx(f_curve.sf(result.statistic, 3, 39))


def test_garcia_and_herrera_by_their_mean_ranks():
    """García and Herrera 2008, 30 × 5: χ² = 39.647 and F = 14.309, from mean ranks 2.1, 3.25, 2.2, 4.333 and 3.117."""
    expected = np.array([63, 97.5, 66, 130, 93.5])
    ranks = np.tile(np.arange(1.0, 6.0)[[0, 3, 1, 4, 2]], (30, 1))
    rng = np.random.default_rng(2008)
    ranks[0] = [1, 3.5, 2, 5, 3.5]
    while (ranks.sum(axis=0) != expected).any():  # exchange two neighbours where that brings the sums nearer
        row, (one, two) = rng.integers(1, 30), rng.choice(5, size=2, replace=False)
        moved = ranks.copy()
        moved[row, [one, two]] = moved[row, [two, one]]
        if np.abs(moved.sum(axis=0) - expected).sum() <= np.abs(ranks.sum(axis=0) - expected).sum():
            ranks = moved
    ours = ScoreTable.from_scores(ranks, metric="rank", higher_is_better=False)
    assert friedman(ours, ties="uncorrected").statistic == pytest.approx(39.647, abs=5e-4)
    assert iman_davenport(ours, ties="uncorrected").statistic == pytest.approx(14.309, abs=5e-4)


# --- Every ranking --------------------------------------------------------------------------------

TABLES = {
    "no ties": [[3, 2, 1], [1, 3, 2], [3, 2, 1], [3, 1, 2]],
    "ties": [[3, 2, 2], [1, 3, 2], [3, 3, 1], [2, 2, 2]],
    "four": [[4, 3, 2, 1], [4, 3, 1, 2], [4, 2, 2, 1]],
    "two": [[1, 2], [1, 2], [2, 1], [1, 2], [3, 3], [1, 2]],
    "one order": [[1, 2, 3], [1, 2, 3], [4, 5, 6]],
}


def by_every_ranking(scores):
    """Return the share of all ways to order the ranks within each data set that give as large a chi-square."""
    rows = [rankdata(row) for row in scores]
    seen = np.square(np.sum(rows, axis=0)).sum()
    sums = [np.square(np.sum(ways, axis=0)).sum() for ways in product(*(list(permutations(row)) for row in rows))]
    return np.mean(np.array(sums) >= seen - 1e-9)


@pytest.mark.parametrize("scores", TABLES.values(), ids=TABLES)
def test_exact_by_every_ranking(scores):
    assert friedman_exact(table(scores)).pvalue == pytest.approx(by_every_ranking(scores), rel=1e-12)


@pytest.mark.parametrize(
    ("learners", "datasets", "statistic", "pvalue"),
    [(3, 3, 6.0, 0.028), (3, 4, 6.5, 0.042), (3, 4, 8.0, 0.0046), (4, 2, 6.0, 0.042), (4, 3, 7.4, 0.033)],
)
def test_exact_against_friedmans_tables(learners, datasets, statistic, pvalue):
    """Friedman 1937, tables V and VI: the probability of so large a chi-square."""
    rng = np.random.default_rng(learners * datasets)
    drawn = rng.permuted(np.tile(np.arange(learners), (2000, datasets, 1)), axis=-1)
    tables = ScoreTable(
        np.swapaxes(drawn, -1, -2)[..., None], tuple(map(str, range(datasets))), tuple("ABCD"[:learners])
    )
    result = friedman_exact(tables)
    there = np.isclose(result.statistic, statistic)
    assert there.any()
    assert_allclose(result.pvalue[there], pvalue, atol=5.1e-4)


@pytest.mark.parametrize(("learners", "datasets"), [(2, 4), (3, 3), (4, 10), (5, 2), (20, 3)])
def test_one_order_everywhere_is_never_certain(learners, datasets):
    """F is infinite there, and of the (k!)^N rankings k! agree as well."""
    same = table(np.tile(np.arange(learners), (datasets, 1)))
    share = float(factorial(learners)) ** (1 - datasets)
    assert iman_davenport(same).statistic == np.inf
    assert iman_davenport(same).pvalue == pytest.approx(share, rel=1e-9)
    if learners < 6:
        assert friedman_exact(same).pvalue == pytest.approx(share, rel=1e-9)
    assert friedman(same).statistic == pytest.approx(datasets * (learners - 1))
    assert friedman(same).pvalue >= share * (1 - 1e-9)


@pytest.mark.parametrize("scores", TABLES.values(), ids=TABLES)
def test_no_curve_goes_below_what_rankings_can_give(scores):
    """The smallest p-value that any order of these very ranks could have."""
    rows = [rankdata(row) for row in scores]
    ways = [set(permutations(row)) for row in rows]
    least = max(map(len, ways)) / np.prod([len(each) for each in ways])
    for test in (friedman, iman_davenport, friedman_exact):
        assert test(table(scores)).pvalue >= least * (1 - 1e-12)


def test_two_learners_exact_is_the_sign_test():
    """SciPy's binomial test of 11 wins and 4 losses, ties apart."""
    scores = [[1, 2]] * 11 + [[2, 1]] * 4 + [[3, 3]] * 5
    assert friedman_exact(table(scores)).pvalue == pytest.approx(binomtest(11, 15).pvalue)
    assert friedman(table(scores)).statistic == pytest.approx((11 - 4) ** 2 / 15)


def test_the_work_of_all_data_sets_together_is_bounded(monkeypatch):
    """Few sums for each data set are many over hundreds of these: what takes minutes is refused in seconds."""
    table = ScoreTable.from_scores(np.random.default_rng(9).random((37, 3)))
    assert 0 < friedman_exact(table).pvalue <= 1
    module = sys.modules["tellapart.methods.score_table.friedman_exact"]
    module._enumerate_sums_of_squares.cache_clear()
    monkeypatch.setattr(module, "_WORK", 20_000)  # 37 data sets have less than 37² sums, and 6 ways each
    with pytest.raises(InvalidEvidence, match="got 3 learners on 37 data sets, which is too many"):
        friedman_exact(table)


def test_what_is_beyond_counting_is_reported_what_is_not():
    for learners, datasets in ((9, 5), (8, 4)):
        scores = np.random.default_rng(0).uniform(size=(datasets, learners))
        with pytest.raises(
            InvalidEvidence, match=rf"got {learners} learners on {datasets} data sets, which is too many\. Use"
        ):
            friedman_exact(table(scores))


def test_the_curve_is_near_what_counting_gives():
    for learners, datasets in ((3, 60), (4, 20), (5, 7), (6, 4)):
        scores = np.random.default_rng(1).uniform(size=(datasets, learners))
        exact, curve = friedman_exact(table(scores)), iman_davenport(table(scores))
        assert exact.pvalue == pytest.approx(curve.pvalue, abs=0.05)


def test_tables_of_different_ties_are_a_loop():
    rng = np.random.default_rng(3)
    loss = rng.integers(0, 3, size=(40, 3, 4, 1)).astype(float)
    tables = ScoreTable(loss, tuple("wxyz"), tuple("ABC"))
    assert_array_equal(friedman_exact(tables).pvalue, [friedman_exact(tables[index]).pvalue for index in range(40)])
