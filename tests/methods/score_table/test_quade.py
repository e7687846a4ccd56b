"""quade against Conover's example, R, scikit-posthocs and every way to shuffle."""

from itertools import permutations, product

import numpy as np
import pytest
import scikit_posthocs
from numpy.testing import assert_allclose
from scipy.stats import f as f_curve
from scipy.stats import rankdata

from tellapart import ScoreTable
from tellapart.errors import InvalidOption
from tellapart.methods.score_table.quade import quade, quade_pairs

# Conover 1999, page 375: sales of five brands of hand lotion in seven stores.
LOTION = np.array(
    [
        [5, 4, 7, 10, 12],
        [1, 3, 1, 0, 2],
        [16, 12, 22, 22, 35],
        [5, 4, 3, 5, 4],
        [10, 9, 7, 13, 10],
        [19, 18, 28, 37, 58],
        [10, 7, 6, 8, 7],
    ]
)


def table(scores):
    return ScoreTable.from_scores(scores, metric="sales")


def test_conovers_example():
    """R's quade.test prints F = 3.8293 with 4 and 24 degrees of freedom, p = 0.01519."""
    result = quade(table(LOTION))
    assert result.statistic == pytest.approx(3.8293, abs=5e-5)
    assert result.pvalue == pytest.approx(0.01519, abs=5e-6)


def written_out(scores):
    """Conover's formulas, row by row."""
    many, learners = scores.shape
    weights = rankdata([row.max() - row.min() for row in scores])
    s = np.array([q * (rankdata(row) - (learners + 1) / 2) for q, row in zip(weights, scores, strict=True)])
    a, b = np.square(s).sum(), np.square(s.sum(axis=0)).sum() / many
    return s, a, b


@pytest.mark.parametrize("shape", [(4, 3), (12, 6), (30, 2)])
def test_written_out(shape):
    scores = np.random.default_rng(1979).integers(0, 12, size=shape).astype(float)
    _, a, b = written_out(scores)
    f = (shape[0] - 1) * b / (a - b)
    result = quade(table(scores))
    assert_allclose(result.statistic, f, rtol=1e-12)
    assert_allclose(result.pvalue, f_curve.sf(f, shape[1] - 1, (shape[1] - 1) * (shape[0] - 1)), rtol=1e-10)


@pytest.mark.parametrize("shape", [(7, 5), (20, 8)])
def test_scikit_posthocs_agrees(shape):
    """Conover's t of the residuals."""
    scores = LOTION if shape == (7, 5) else np.random.default_rng(3).integers(0, 30, size=shape) + np.arange(8)
    theirs = scikit_posthocs.posthoc_quade(np.asarray(scores, dtype=float)).to_numpy()
    result = quade_pairs(table(scores), error="residual")
    assert_allclose(result.pvalue, theirs[np.triu_indices(shape[1], 1)], rtol=1e-9)


def test_by_every_shuffle():
    """The z has variance 1 when ranks are shuffled; so does not that of García et al. 2010, but for three learners."""
    scores = np.array([[1, 2, 3, 5], [2, 7, 4, 1], [1, 2, 6, 3]])
    weights = rankdata(np.ptp(scores, axis=1))
    ways = [np.array(list(permutations(q * (rankdata(row) - 2.5)))) for q, row in zip(weights, scores, strict=True)]
    sums = (ways[0][:, None, None] + ways[1][None, :, None] + ways[2]).reshape(-1, 4)
    error = np.std(sums[:, 0] - sums[:, 1])
    s, _, _ = written_out(-scores)
    result = quade_pairs(table(scores))
    assert result.statistic[0] == pytest.approx((s.sum(axis=0)[0] - s.sum(axis=0)[1]) / error, rel=1e-12)
    for k in (2, 3, 6):
        theirs = k * (k + 1) * (2 * 9 + 1) * (k - 1) / (18 * 9 * 10)  # of Σ Q r/(N(N + 1)/2), nine data sets
        ours = 2 * (9 * 10 * 19 / 6) * (k * (k**2 - 1) / 12) / (k - 1) / (9 * 10 / 2) ** 2
        assert theirs / ours == pytest.approx((k - 1) / 2)


def test_data_sets_of_one_range_and_one_order():
    """Conover 1999, page 374: without residuals the p-value is (1/k!)^(N − 1)."""
    same = table([[1, 2, 3], [4, 5, 6], [2, 3, 4]])
    assert quade(same).statistic == np.inf
    assert quade(same).pvalue == pytest.approx(1 / 36, rel=1e-12)
    assert np.all(quade_pairs(same, error="residual").pvalue >= 1 / 36 * (1 - 1e-12))


def test_every_ordering_of_a_small_table_keeps_its_level():
    """At most alpha of all 6³ ways to order three data sets of different ranges are below the floor of p-values."""
    rows = [[1, 2, 3], [1, 3, 6], [1, 4, 9]]
    loss = np.array(
        [[list(row) for row in ways] for ways in product(*(permutations(row) for row in rows))], dtype=float
    )
    tables = ScoreTable(np.swapaxes(loss, -1, -2)[..., None], tuple("xyz"), tuple("ABC"))
    result = quade(tables)
    assert np.all(result.pvalue >= 1 / 36 * (1 - 1e-12))
    assert_allclose(result.pvalue, [quade(tables[index]).pvalue for index in range(216)], rtol=1e-14)


def test_an_unknown_error():
    with pytest.raises(InvalidOption, match="`error` must be one of 'shuffled', 'residual', got 't'"):
        quade_pairs(table(LOTION), error="t")
