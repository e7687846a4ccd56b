"""TA106: agreement on at least 20% of the examples."""

import pytest
from scipy.stats import binom

from tellapart import PairedTable, compare


def fails():
    return compare(PairedTable(1, 20, 10, 2))


def holds():
    return compare(PairedTable(20, 25, 10, 45))


@pytest.mark.parametrize(("agreeing", "holds"), [(19, False), (20, True), (21, True)])
def test_one_fifth_is_enough(check, agreeing, holds):
    half = (100 - agreeing) // 2
    for agreed in ((0, agreeing), (agreeing, 0)):  # both right or both wrong
        table = PairedTable(agreed[0], half, 100 - agreeing - half, agreed[1])
        assert check(compare(table)).figure == agreeing / 100
        assert check(compare(table)).holds == holds


def test_without_agreement_mid_p_rejects_1_3_times_too_often():
    """50 discordant pairs of 50 examples: rejected from 18:32 on, by the binomial distribution."""
    rejected = [k for k in range(26) if 2 * binom.cdf(k - 1, 50, 0.5) + binom.pmf(k, 50, 0.5) < 0.05]
    size = 2 * binom.cdf(max(rejected), 50, 0.5)
    assert 1.25 * 0.05 < size < 1.35 * 0.05
    edge = max(rejected)
    assert compare(PairedTable(0, edge, 50 - edge, 0)).rejected
    assert not compare(PairedTable(0, edge + 1, 49 - edge, 0)).rejected


def test_the_remedy_does_not_have_this_check(check, quiet):
    assert "a share of 0.0909 of the examples, below 0.2: mid-p may reject" in check(fails()).message
    assert check(fails()).remedy == "Use method='mcnemar-unconditional'."
    assert check(compare(PairedTable(1, 3000, 2500, 2))).remedy == "Use method='mcnemar-exact'."  # over 5000 examples
    for name in ("mcnemar-exact", "mcnemar-unconditional"):
        assert quiet(compare(PairedTable(1, 20, 10, 2), method=name))


def test_arrays_are_checked_entry_by_entry(check, carriers):
    assert check(compare(PairedTable([1, 20], [20, 25], 10, [2, 45]))).holds.tolist() == [False, True]
    assert carriers == {"mcnemar-mid-p"}
