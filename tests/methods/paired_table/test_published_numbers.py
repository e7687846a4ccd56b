"""Numbers that were printed elsewhere: papers, the documentation and test suites of R packages, SciPy, statsmodels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from tellapart import PairedTable, compare
from tellapart.methods import find_method
from tellapart.reproduce.dietterich.printed_tests import mcnemar_as_printed

BENTUR = PairedTable(1, 1, 7, 12)  # airway responsiveness, Bentur and others 2009
CAVO = PairedTable(59, 6, 16, 80)  # complete response, Cavo and others 2012


def pvalue(name, table, **options):
    return find_method(name, "test", PairedTable)(table, **options).pvalue


def limits(name, table, alpha=0.05, **options):
    interval = find_method(name, "interval", PairedTable)(table, alpha=alpha, **options)
    return interval.low, interval.high


def decimals(text):
    return len(text.partition(".")[2])


@pytest.mark.parametrize(
    ("name", "bentur", "cavo"),
    [  # Fagerland, Lydersen and Laake 2013; the test suite of the R package contingencytables 3.0.1
        ("mcnemar", "0.034", "0.033006"),
        ("mcnemar-corrected", "0.077", "0.055009"),
        ("mcnemar-exact", "0.070", "0.052479"),
        ("mcnemar-mid-p", "0.039", "0.034690"),
    ],
)
def test_p_values_of_bentur_and_of_cavo(name, bentur, cavo):
    for table, printed in ((BENTUR, bentur), (CAVO, cavo)):
        assert_allclose(pvalue(name, table), float(printed), rtol=0, atol=0.5001 * 10.0 ** -decimals(printed))


def test_the_unconditional_p_value_of_bentur():
    """Fagerland, Lydersen and Laake 2013 print .0353."""
    assert_allclose(pvalue("mcnemar-unconditional", BENTUR), 0.0353160272, rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    ("name", "table", "alpha", "low", "high"),
    [
        # Fagerland, Lydersen and Laake 2014, and the documentation of the R package ratesci 1.1
        ("tango", BENTUR, 0.05, "-0.5172", "-0.0260"),
        ("newcombe-paired", BENTUR, 0.05, "-0.5069", "-0.0256"),
        ("tango-bcf", BENTUR, 0.05, "-0.5226", "-0.0183"),
        ("scas-paired", BENTUR, 0.05, "-0.5281", "-0.0184"),
        ("wald-paired", BENTUR, 0.05, "-0.5197", "-0.0517"),
        ("agresti-min", BENTUR, 0.05, "-0.4932", "-0.0285"),
        ("bonett-price", BENTUR, 0.05, "-0.5084", "-0.0134"),
        ("odds-mid-p", BENTUR, 0.05, "0.006", "0.924"),
        ("odds-exact", BENTUR, 0.05, "0.003", "1.112"),
        # the test suite of contingencytables 3.0.1
        ("tango", CAVO, 0.05, "-0.1240", "-0.0054"),
        ("newcombe-paired", CAVO, 0.05, "-0.1186", "-0.0046"),
        ("bonett-price", CAVO, 0.05, "-0.1195", "-0.0032"),
        ("wald-paired", CAVO, 0.05, "-0.1184", "-0.0058"),
        # Tango 1998, both examples
        ("tango", PairedTable(4, 9, 3, 16), 0.05, "-0.027", "0.390"),
        ("tango", PairedTable(43, 0, 1, 0), 0.10, "-0.096", "0.037"),
        # Agresti and Min 2005: Tango's interval
        ("tango", PairedTable(53, 16, 8, 9), 0.05, "-0.020", "0.207"),
        # Newcombe 1998, method 10
        ("newcombe-paired", PairedTable(20, 12, 2, 16), 0.05, "0.0562", "0.3292"),
        # Tang, Ling, Ling and Tian 2010, and Chang and others 2024
        ("newcombe-paired", PairedTable(8, 3, 1, 2), 0.05, "-0.1574", "0.4136"),
        ("tango", PairedTable(8, 3, 1, 2), 0.05, "-0.1670", "0.4327"),
        ("tango", PairedTable(7, 25, 2, 68), 0.05, "0.139", "0.321"),
        ("newcombe-paired", PairedTable(7, 25, 2, 68), 0.05, "0.133", "0.318"),
        # 1 − the ratio of DelRocco and others 2023, .0653 .9069, and of Tang, Tang and Chan 2003, .958 .992, .904 1.039
        ("reduction-score", PairedTable(1, 7, 1, 12), 0.05, "0.0931", "0.9347"),
        ("reduction-score", PairedTable(446, 16, 5, 690), 0.10, "0.008", "0.042"),
        ("reduction-score", PairedTable(43, 1, 0, 0), 0.10, "-0.039", "0.096"),
    ],
)
def test_printed_limits(name, table, alpha, low, high):
    for interval, printed in zip(limits(name, table, alpha), (low, high), strict=True):
        assert_allclose(interval, float(printed), rtol=0, atol=0.5001 * 10.0 ** -decimals(printed))


def test_the_corrected_score_of_bentur_is_mcnemars_with_one_example_less():
    """The documentation of ratesci 1.1 prints z = -2.070197, p = 0.03843393 for both corrected scores."""
    for name in ("tango-bcf", "scas-paired"):
        result = find_method(name, "test", PairedTable)(BENTUR)
        assert_allclose([result.statistic, result.pvalue], [-2.070197, 0.03843393], rtol=0, atol=1e-6)


def test_non_inferiority_of_tango_1998():
    """One disagreement in 44 pairs, margin 0.1: Z = 1.709, p = .044."""
    table = PairedTable(43, 0, 1, 0)
    result = find_method("tango", "test", PairedTable)(table, against=-0.1, alternative="greater")
    assert_allclose([result.statistic, result.pvalue], [1.709, 0.044], rtol=0, atol=0.5e-3)
    assert_allclose(compare(table, method="tango", margin=0.1).pvalue, result.pvalue, rtol=1e-12)


def test_five_agreeing_examples_show_nothing():
    """Tango's bounds are z²/(n + z²); at one-sided 5 % a margin of .01 needs 268 of them, at .02 the 133 of z²·49."""
    answer = compare(PairedTable(0, 0, 0, 5), margin=0.02)
    assert answer.pvalue > 0.3
    assert not answer.rejected
    low, high = limits("tango", PairedTable(0, 0, 0, 5))
    assert_allclose([low, high], [-0.434, 0.434], rtol=0, atol=1e-3)
    agreeing = PairedTable(0, 0, 0, np.arange(1, 600))
    for margin, needed in ((0.01, 268), (0.02, 133)):
        result = find_method("tango", "test", PairedTable)(agreeing, against=-margin, alternative="greater")
        assert int(agreeing.examples[result.pvalue < 0.05].min()) == needed
        assert compare(PairedTable(0, 0, 0, needed), margin=margin).rejected
        assert not compare(PairedTable(0, 0, 0, needed - 1), margin=margin).rejected


GRID = PairedTable(
    3, *np.array([(b, c) for b in (0, 1, 2, 5, 17, 60) for c in (0, 1, 3, 5, 16, 61) if b + c > 0]).T, 40
)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_exact_test_is_scipys_binomial_test(alternative):
    theirs = [
        binomtest(int(b), int(b + c), 0.5, alternative).pvalue
        for b, c in zip(GRID.only_a_wrong, GRID.only_b_wrong, strict=True)
    ]
    assert_allclose(pvalue("mcnemar-exact", GRID, alternative=alternative), theirs, rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "options"),
    [("mcnemar", {"exact": False, "correction": False}), ("mcnemar-exact", {"exact": True})],
)
def test_statsmodels_agrees(name, options):
    theirs = [
        statsmodels_mcnemar([[40, int(b)], [int(c), 3]], **options).pvalue
        for b, c in zip(GRID.only_a_wrong, GRID.only_b_wrong, strict=True)
    ]
    assert_allclose(pvalue(name, GRID), theirs, rtol=1e-10)


def test_statsmodels_agrees_on_the_corrected_test_where_the_correction_is_sane():
    """At b = c the print (and statsmodels) gives (0 − 1)²/(b + c) instead of 0: `mcnemar_as_printed` does, too."""
    for b, c in zip(GRID.only_a_wrong.tolist(), GRID.only_b_wrong.tolist(), strict=True):
        theirs = statsmodels_mcnemar([[40, b], [c, 3]], exact=False, correction=True).pvalue
        table = PairedTable(3, b, c, 40)
        assert_allclose(mcnemar_as_printed(table).pvalue, theirs, rtol=1e-10)
        assert_allclose(pvalue("mcnemar-corrected", table), 1.0 if b == c else theirs, rtol=1e-10)


def test_one_example_has_no_unbiased_variance_and_leaves_everything_open():
    """n/(n − 1) is infinite there, so neither limit of the corrected intervals can be inside [−1, 1]."""
    for name in ("tango-bcf", "scas-paired"):
        for cells in ((0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)):
            limits = find_method(name, "interval", PairedTable)(PairedTable(*cells))
            assert (limits.low, limits.high) == (-1, 1)
