"""Wilcoxon's signed ranks as Demšar (2006) has them, against his numbers and all patterns of signs, one by one."""

from itertools import combinations_with_replacement, product
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import stats

from tellapart.errors import InvalidEvidence
from tellapart.evidence import ScoreTable
from tellapart.reproduce.demsar import wilcoxon_with_split_zeros as wilcoxon

WAYS = ("two-sided", "greater", "less")
TABLE = Path(__file__).parents[1] / "methods" / "score_table" / "demsar2006.csv"


def table_of(differences):
    """Scores of A are 0, those of B the differences: higher is better, so loss(A) − loss(B) is the difference."""
    differences = np.asarray(differences, dtype=float)
    loss = np.stack([np.zeros_like(differences), -differences], axis=-2)[..., None]
    names = tuple(str(index) for index in range(differences.shape[-1]))
    return ScoreTable(loss, names)


def demsar():
    rows = [line.split(",") for line in TABLE.read_text().splitlines()]
    scores = [[float(cell) for cell in row[1:]] for row in rows[1:]]
    return ScoreTable.from_scores(scores, rows[0][1:], [row[0] for row in rows[1:]], metric="auc", bounds=(0, 1))


def by_all_patterns(differences, alternative):
    """Return the p-value over all patterns of signs, with SciPy's ranks: P(W ≥ w), W the sum of positive ones."""
    d = np.asarray(differences, dtype=float)
    if np.count_nonzero(d == 0) % 2:
        d = np.delete(d, np.flatnonzero(d == 0)[0])
    ranks = stats.rankdata(np.abs(d)) * (d != 0)
    observed = ranks[d > 0].sum()
    every = np.array(list(product((0, 1), repeat=len(d)))) @ ranks if len(d) else np.zeros(1)
    greater, less = np.mean(every >= observed - 1e-9), np.mean(every <= observed + 1e-9)
    return {"greater": greater, "less": less, "two-sided": min(1.0, 2 * min(greater, less))}[alternative]


def test_demsars_table():
    """Demšar 2006, section 3.1.3: C4.5 against C4.5+m, zeros split: R+ = 93, R− = 12, T = 12, below the critical 21."""
    result = wilcoxon(demsar().select("C4.5", "C4.5+m"))
    assert result.statistic == 12.0
    assert result.pvalue < 0.05


def test_students_sleep_data_have_ties_and_a_zero():
    """Nine differences of one sign and a zero: 2/2⁹ by counting (R's sleep data, drug 2 against drug 1)."""
    drugs = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0], [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    assert wilcoxon(ScoreTable.from_scores(dict(zip("12", drugs, strict=True)))).pvalue == 2 / 2**9


@pytest.mark.parametrize("alternative", WAYS)
def test_with_ties_and_zeros_it_counts_all_patterns(alternative):
    """Every multiset of six differences from −2 to 2 (zeros, ties of one sign and of both), in one call."""
    every = np.array(list(combinations_with_replacement(range(-2, 3), 6)))
    result = [wilcoxon(table_of(row / 100), alternative=alternative).pvalue for row in every]
    assert_array_equal(result, [by_all_patterns(row, alternative) for row in every])


@pytest.mark.parametrize("weights", [(0.2, 0.2, 0.2, 0.2, 0.2), (0.05, 0.1, 0.7, 0.1, 0.05), (0.4, 0.1, 0, 0.1, 0.4)])
def test_its_size_is_never_above_alpha(weights):
    """All 5⁶ outcomes of six differences from −2 to 2 with symmetric chances, added up."""
    every = np.array(list(product(range(-2, 3), repeat=6)))
    chance = np.prod(np.array(weights)[every + 2], axis=-1)
    multisets, back = np.unique(np.sort(every, axis=-1), axis=0, return_inverse=True)
    for alternative in ("two-sided", "greater"):
        result = [wilcoxon(table_of(row / 100), alternative=alternative).pvalue for row in multisets]
        pvalue = np.array(result)[back.reshape(-1)]
        for alpha in (0.01, 0.05, 0.1, 0.2, 0.5):
            assert chance[pvalue <= alpha].sum() <= alpha * (1 + 1e-12)


@pytest.mark.parametrize("count", [1, 4, 600])
def test_learners_that_never_differ(count):
    """SciPy has given 0.125 for four zeros; nothing has been seen, so p is 1."""
    assert wilcoxon(table_of(np.zeros(count))).pvalue == 1.0


def test_either_learner_gets_half_of_the_ranks_of_ties():
    """Ranks 1 to 4 of four ties are 10, so 5 each; one more tie is left out."""
    for ties in (4, 5):
        assert wilcoxon(table_of([0.3, 0.2, -0.1, *[0.0] * ties])).statistic == 5 + 5


def test_it_compares_two_learners():
    with pytest.raises(InvalidEvidence, match="differences need two learners"):
        wilcoxon(demsar())
