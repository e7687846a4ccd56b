"""Inputs on which other packages print p = 0, NaN, intervals of no width or an exception, and the right answer.

Each test names what was printed elsewhere (scipy 1.17.1, statsmodels 0.15.0, mlxtend 0.25.0, pingouin 0.7.0,
Hugging Face evaluate 0.4.6, errorbars 0.2.4, evalstats 0.3.3, statgate 0.1.1, evalsig 0.1.2, evalci 0.1.0).
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tellapart import PairedTable, compare
from tellapart.errors import InvalidEvidence
from tellapart.methods import find_method, find_methods

TESTS = [
    method.name
    for method in find_methods(gives="test", evidence=PairedTable)
    if method.name not in {"k-se", "interval-overlap"}  # rules without a p-value
]
IDENTICAL = PairedTable(both_wrong=12, only_a_wrong=0, only_b_wrong=0, both_right=88)


@pytest.mark.parametrize("name", TESTS)
def test_identical_classifiers_have_a_p_value_of_one(name):
    """Elsewhere: (inf, 0.0), p = 0.0; nan, nan; ValueError "secondary diagonal"; ZeroDivisionError; p = 0.010."""
    answer = compare(IDENTICAL, method=name)
    assert answer.pvalue == 1
    assert answer.better is None
    assert np.isfinite(answer.test.statistic)


def test_identical_classifiers_have_an_interval_with_width():
    """Elsewhere: [0, 0], or a seed's lottery such as [0.0512, 0.0512]; Tango's for 100 examples is ±0.0370."""
    interval = compare(IDENTICAL).interval
    assert_allclose([interval.low, interval.high], [-0.0370, 0.0370], rtol=0, atol=0.5e-4)
    for name in ("newcombe-paired", "bonett-price", "agresti-min", "tango-bcf", "scas-paired"):
        limits = find_method(name, "interval", PairedTable)(IDENTICAL)
        assert limits.low < 0 < limits.high


def test_the_known_right_interval_of_a_neighbour():
    """Where evalstats is right we say the same: 11 and 7 of 100 give (-0.0464, 0.1291)."""
    interval = find_method("tango", "interval", PairedTable)(PairedTable(0, 11, 7, 82))
    assert_allclose([interval.low, interval.high], [-0.0464, 0.1291], rtol=0, atol=0.5e-4)


@pytest.mark.parametrize("discordant", [1, 5])
def test_equally_many_discordant_errors_are_no_difference_in_spite_of_the_correction(discordant):
    """Elsewhere: chi-square 0.1, p = 0.752 for five each, 0.5 and 0.48 for one each."""
    answer = compare(PairedTable(3, discordant, discordant, 40), method="mcnemar-corrected")
    assert (answer.test.statistic, answer.pvalue) == (0, 1)


@pytest.mark.parametrize("cell", [-3, np.nan, 2.5, np.inf])
def test_a_count_that_is_none_is_refused(cell):
    """Elsewhere: p = 4e-12 or 0.0 for a negative cell; nan, or "cannot convert float NaN to integer"."""
    with pytest.raises(InvalidEvidence, match="only_b_wrong"):
        PairedTable(10, 5, cell, 30)


def test_lists_are_as_good_as_arrays():
    """Elsewhere: AttributeError: 'list' object has no attribute 'shape'."""
    table = PairedTable([10], [5], [3], [30])
    assert table.shape == (1,)
    assert compare(table).pvalue.shape == (1,)
    assert PairedTable.from_predictions([0, 1, 1], [0, 1, 0], [0, 0, 1]).disagreements == 2


def test_a_table_without_examples_is_refused():
    with pytest.raises(InvalidEvidence, match="at least one example"):
        PairedTable(0, 0, 0, 0)


def test_always_right_against_always_wrong():
    """Elsewhere: "p-value 1" beside 1.578e-30, and both in one group, "not statistically distinguishable"."""
    answer = compare(PairedTable(0, 0, 100, 0), method="mcnemar-exact")
    assert_allclose(answer.pvalue, 2 * 0.5**100, rtol=1e-12)
    assert answer.better == "A"
    assert compare(PairedTable(0, 0, 100, 0)).better == "A"
    assert compare(PairedTable(0, 100, 0, 0)).better == "B"


def test_five_agreeing_examples_do_not_ship():
    """Elsewhere: SHIP with [+0.0000, +0.0000] at margin 0.02; Tango's interval is ±0.434."""
    answer = compare(PairedTable(0, 0, 0, 5), margin=0.02)
    assert not answer.rejected
    interval = find_method("tango", "interval", PairedTable)(PairedTable(0, 0, 0, 5))
    assert_allclose([interval.low, interval.high], [-0.434, 0.434], rtol=0, atol=0.5e-3)


def test_two_identical_runs_are_neither_better_nor_worse():
    """Elsewhere: REJECT, with a minimum detectable effect of 0."""
    answer = compare(PairedTable(50, 0, 0, 50))
    assert answer.better is None
    assert answer.interval.low < 0 < answer.interval.high


@pytest.mark.parametrize("wrong", [[True, np.nan, False], [0, 1, 2], ["a", "b", "c"]])
def test_outcomes_that_are_none_are_refused(wrong):
    """Elsewhere: delta nan with p = 0.0001 or 0.48; junk cells counted as wrong."""
    with pytest.raises(InvalidEvidence):
        PairedTable.from_correct(wrong, [True, True, False])


def test_a_missing_prediction_is_refused():
    """Elsewhere: a NaN label is silently counted as an error."""
    with pytest.raises(InvalidEvidence):
        PairedTable.from_predictions([0.0, 1.0, 1.0], [0.0, np.nan, 1.0], [0.0, 1.0, 1.0])


def test_unequal_lengths_name_both():
    """Elsewhere: raw broadcast errors, IndexError, a bare AssertionError."""
    with pytest.raises(InvalidEvidence, match=r"3.*2|2.*3"):
        PairedTable.from_correct([True, False, True], [True, False])
    with pytest.raises(InvalidEvidence, match=r"3.*2|2.*3"):
        PairedTable.from_predictions([0, 1, 1], [0, 1, 1], [0, 1])


def test_string_labels_are_fine():
    """Elsewhere: could not convert string to float."""
    table = PairedTable.from_predictions(["cat", "dog", "eel"], ["cat", "cat", "eel"], ["dog", "dog", "eel"])
    assert (table.only_a_wrong, table.only_b_wrong, table.both_right) == (1, 1, 1)


def test_the_two_tailed_p_value_of_proportions():
    """Elsewhere the lower tail: 0.90 against 0.80 gives p = 0.983, swapped 0.017."""
    here, there = PairedTable(0, 20, 10, 70), PairedTable(0, 10, 20, 70)
    pvalue = [compare(table, method="difference-of-proportions").pvalue for table in (here, there)]
    assert pvalue[0] == pvalue[1] < 0.5


def test_large_margins_do_not_overflow():
    """Elsewhere: the product of four margins overflows 32 bits at n ≈ 430 and 64 bits at n ≈ 110 000: NaN, or φ = 0."""
    for n in (430, 110_000, 10**6, 10**9):
        both, discordant = n * 2 // 5, n // 10
        interval = find_method("newcombe-paired", "interval", PairedTable)(
            PairedTable(both, discordant, discordant, both)
        )
        # φ = (ad − bc − n/2)/√∏ = 0.6 nearly; each Wilson half-width is close to 1.96·√(1/4n).
        half = 1.959964 * np.sqrt(0.25 / (n + 3.8414588)) * np.sqrt(2 * (1 - 0.6 + 2 / n))
        assert_allclose([-interval.low, interval.high], half, rtol=1e-2 if n < 1000 else 1e-4)


def test_small_tails_are_not_lost():
    """Elsewhere 1 − cdf: p = 0 far out. A p-value below the smallest normal float is that float."""
    far = PairedTable(0, 0, 200, 0)
    assert_allclose(compare(far, method="mcnemar-exact").pvalue, 2 * 0.5**200, rtol=1e-12)
    assert_allclose(compare(far, method="mcnemar-mid-p").pvalue, 0.5**200, rtol=1e-12)
    assert 0 < compare(far, method="mcnemar").pvalue < 1e-44
    endless = PairedTable(0, 0, 10**6, 0)
    for name in ("mcnemar", "mcnemar-exact", "mcnemar-mid-p", "dirichlet"):
        assert compare(endless, method=name).pvalue == np.finfo(float).tiny


def test_a_level_close_to_one_keeps_its_digits_when_reported_as_alpha():
    """1 − 10⁻¹² as a float has lost four digits of alpha; z is 7.130506848171 (mpmath)."""
    interval = find_method("tango", "interval", PairedTable)(PairedTable(0, 0, 0, 100), alpha=1e-12)
    z = 7.130506848171324
    assert_allclose(interval.high, z**2 / (100 + z**2), rtol=1e-12)
