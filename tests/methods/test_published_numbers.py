"""Intervals against printed tables, and against two other implementations."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from tellapart import ErrorCount, compare, estimate, exact_coverage
from tellapart.methods import find_method

# Newcombe 1998, Table I, 95 %: the methods 1 to 7 in his order, and their limits for 81 of 263,
# 15 of 148, 0 of 20 and 1 of 29. He marks limits below 0 and intervals of no width and prints none.
NEWCOMBE = {
    "wald": ((0.2522, 0.3638), (0.0527, 0.1500), (None, None), (None, 0.1009)),
    "wald-cc": ((0.2503, 0.3657), (0.0494, 0.1534), (None, 0.0250), (None, 0.1181)),
    "wilson": ((0.2553, 0.3662), (0.0624, 0.1605), (0.0, 0.1611), (0.0061, 0.1718)),
    "wilson-cc": ((0.2535, 0.3682), (0.0598, 0.1644), (0.0, 0.2005), (0.0018, 0.1963)),
    "clopper-pearson": ((0.2527, 0.3676), (0.0578, 0.1617), (0.0, 0.1684), (0.0009, 0.1776)),
    "mid-p": ((0.2544, 0.3658), (0.0601, 0.1581), (0.0, 0.1391), (0.0017, 0.1585)),
    "likelihood-ratio": ((0.2542, 0.3655), (0.0596, 0.1567), (0.0, 0.0916), (0.0020, 0.1432)),
}
NEWCOMBE_COUNTS = ((81, 263), (15, 148), (0, 20), (1, 29))

# Ligarden and others 2010, 13 of 16, the example of Fagerland, Lydersen and Laake 2017, chapter 2.
LIGARDEN = {
    "clopper-pearson": (0.5435, 0.9595),
    "mid-p": (0.5699, 0.9500),
    "jeffreys": (0.5792, 0.9442),
    "wilson": (0.5699, 0.9341),
    "wilson-cc": (0.5369, 0.9503),
    "likelihood-ratio": (0.5828, 0.9497),
}


@pytest.mark.parametrize("method", NEWCOMBE)
def test_newcombe_1998_table_1(method):
    for count, printed in zip(NEWCOMBE_COUNTS, NEWCOMBE[method], strict=True):
        interval = estimate(ErrorCount(*count), method=method).interval
        for limits, limit in zip((interval.low, interval.high), printed, strict=True):
            assert limit is None or abs(limits - limit) < 0.5e-4 + 1e-12, (count, limits, limit)


def test_newcombe_1998_marks_where_wald_leaves_the_range_or_has_no_width():
    below, none = ErrorCount(1, 29), ErrorCount(0, 20)
    assert estimate(below, method="wald").interval.low < 0
    assert estimate(below, method="wald-cc").interval.low < 0
    assert estimate(none, method="wald").interval.width == 0


@pytest.mark.parametrize("method", LIGARDEN)
def test_ligarden_13_of_16(method):
    interval = estimate(ErrorCount(13, 16), method=method).interval
    assert_allclose([interval.low, interval.high], LIGARDEN[method], rtol=0, atol=0.5e-4)


def test_rule_of_three():
    """No errors in n: the exact upper 95 % bound is 1 − 0.05^(1/n), close to 3/n (Hanley and Lippman-Hand 1983)."""
    trials = np.array([30, 100, 1000])
    bound = estimate(ErrorCount(0, trials), method="clopper-pearson", side="upper").interval.high
    assert_allclose(bound, 1 - 0.05 ** (1 / trials), rtol=1e-13)
    assert np.all((bound < 3 / trials) & (bound > 0.94 * 3 / trials))


# Exact coverage at 95 %, over 4000 true errors in the middle of their cells: mean, minimum on that
# grid, mean width, for 30 trials at any true error, and for 30, 100 and 1000 trials below 10 %.
# Measured without this package. Wald's width is left out: it was measured on limits cut off at
# 0 and 1, which ours are not.
DESIGNS = ((30, 1.0), (30, 0.1), (100, 0.1), (1000, 0.1))
COVERAGE = {
    "wald": (".875 .004", ".684 .000", ".842 .001", ".934 .012"),
    "wilson": (".952 .838 .271", ".956 .838 .170", ".954 .838 .085", ".951 .850 .0255"),
    "jeffreys": (".951 .889 .269", ".960 .888 .151", ".952 .880 .080", ".950 .905 .0253"),
    "mid-p": (".958 .925 .276", ".977 .930 .162", ".960 .921 .083", ".952 .917 .0254"),
    "agresti-coull": (".960 .934 .279", ".976 .949 .189", ".969 .944 .091", ".955 .944 .0258"),
    "wilson-cc": (".973 .952 .300", ".980 .949 .198", ".974 .950 .095", ".960 .951 .0265"),
    "clopper-pearson": (".973 .951 .299", ".987 .975 .182", ".976 .951 .090", ".960 .950 .0263"),
}


@pytest.mark.parametrize("method", COVERAGE)
@pytest.mark.parametrize("design", range(len(DESIGNS)))
def test_measured_coverage(method, design):
    trials, largest = DESIGNS[design]
    result = exact_coverage(method, trials, within=(0, largest), points=4000)
    figures = (result.mean, result.coverage.min(), result.mean_width)
    for figure, printed in zip(figures, COVERAGE[method][design].split(), strict=method != "wald"):
        # More than half a unit: the .095 of wilson-cc is .09447, rounded twice.
        assert abs(figure - float(printed)) < 0.55 * 10.0 ** -len(printed.lstrip(".")), (figure, printed)


GRID = ErrorCount(
    *np.array([(m, n) for n in (1, 2, 7, 30, 120, 1000) for m in {0, 1, 2, n // 3, n - 1, n} if m <= n]).T
)


@pytest.mark.parametrize("alpha", [0.5, 0.05, 0.001])
@pytest.mark.parametrize(
    ("method", "theirs", "options"),
    [
        ("jeffreys", "jeffreys", {"raw": True}),
        ("clopper-pearson", "beta", {}),
        ("wilson", "wilson", {}),
        ("agresti-coull", "agresti_coull", {}),
        ("wald", "normal", {}),
    ],
)
def test_statsmodels_agrees(method, theirs, options, alpha):
    interval = find_method(method, "interval", ErrorCount)(GRID, alpha=alpha, **options)
    low, high = proportion_confint(GRID.errors, GRID.trials, alpha, theirs)
    # statsmodels cuts Wald's limits off at 0 and 1; everybody else's are inside.
    assert_allclose(np.clip(interval.low, 0, 1), low, rtol=1e-10, atol=1e-14)
    assert_allclose(np.clip(interval.high, 0, 1), high, rtol=1e-10)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize(
    ("method", "theirs"), [("clopper-pearson", "exact"), ("wilson", "wilson"), ("wilson-cc", "wilsoncc")]
)
@pytest.mark.parametrize(("side", "alternative"), [("two", "two-sided"), ("upper", "less"), ("lower", "greater")])
def test_scipy_agrees(method, theirs, side, alternative, level):
    interval = find_method(method, "interval", ErrorCount)(GRID, alpha=1 - level, side=side)
    for m, n, low, high in zip(GRID.errors, GRID.trials, interval.low, interval.high, strict=True):
        limits = binomtest(int(m), int(n), alternative=alternative).proportion_ci(level, theirs)
        assert_allclose([low, high], limits, rtol=1e-10, atol=1e-11)  # its roots are found to 2e-12


@pytest.mark.parametrize("alternative", ["less", "greater"])
@pytest.mark.parametrize("threshold", [0.001, 0.05, 0.5, 0.9])
def test_the_exact_test_is_scipys_binomial_test(alternative, threshold):
    pvalue = compare(GRID, against=threshold, method="clopper-pearson", alternative=alternative).pvalue
    theirs = [
        binomtest(int(m), int(n), threshold, alternative).pvalue for m, n in zip(GRID.errors, GRID.trials, strict=True)
    ]
    assert_allclose(pvalue, np.maximum(theirs, np.finfo(float).tiny), rtol=1e-10)
