"""Formulas that Martin and Hirschberg (1996) print; those of appendix A.3 are in tests/methods/test_seed_targets.py."""

from numpy.testing import assert_allclose
from scipy import stats

from tellapart import Resamples
from tellapart.methods.resamples.seeds import unpaired_t
from tellapart.reproduce.martin_hirschberg.printed_formulas import unpaired_pvalue_as_printed

SEEDS_A, SEEDS_B = [0.31, 0.28, 0.35, 0.30, 0.33, 0.29], [0.27, 0.26, 0.29, 0.22]


def test_printed_freedom_of_the_unpaired_test():
    even = Resamples.from_scores(SEEDS_A[:4], SEEDS_B, plan="seeds", metric="error")
    t = unpaired_t(even).test().statistic
    assert_allclose(unpaired_pvalue_as_printed(even), 2 * stats.t.sf(abs(t), 3), rtol=1e-12)
    more = Resamples.from_scores(SEEDS_A, SEEDS_B, plan="seeds", metric="error")  # 6 of A, 4 of B
    t = unpaired_t(more).test().statistic
    assert_allclose(unpaired_pvalue_as_printed(more), 2 * stats.t.sf(abs(t), 3), rtol=1e-12)
