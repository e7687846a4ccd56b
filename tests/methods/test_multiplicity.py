"""adjust against other packages, against closed testing written out, and against its own laws."""

from itertools import combinations, pairwise, permutations
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import false_discovery_control, norm
from statsmodels.stats.multitest import multipletests

from tellapart.bibliography import REFERENCES
from tellapart.errors import InvalidInput, InvalidOption
from tellapart.methods.all_pairs import equal_pairs
from tellapart.methods.multiplicity import OF_ALL_PAIRS, SOURCES, adjust
from tellapart.typing_ import Adjustment

EVERY = get_args(Adjustment)
METHODS = tuple(name for name in EVERY if name not in OF_ALL_PAIRS)  # of any p-values
THEIRS = {  # what statsmodels calls them
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "hommel": "hommel",
    "benjamini-hochberg": "fdr_bh",
    "benjamini-yekutieli": "fdr_by",
    "bonferroni": "bonferroni",
}
# Benjamini and Hochberg 1995, section 3: fifteen tests of a thrombolysis study.
FIFTEEN = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
    *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000),
]
families = st.lists(st.floats(0, 1), min_size=1, max_size=12)
seldom = settings(derandomize=True, deadline=None, max_examples=12)


@pytest.mark.parametrize("method", THEIRS)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 45])
def test_statsmodels_agrees(method, size, monkeypatch):
    monkeypatch.setattr("gc.collect", lambda: 0)  # theirs for Holm cleans up every time, slowly
    for family in np.random.default_rng(size).beta(0.4, 1.5, size=(20, size)):
        assert_allclose(adjust(family, method), multipletests(family, method=THEIRS[method])[1], rtol=1e-12)


@pytest.mark.parametrize(("method", "theirs"), [("benjamini-hochberg", "bh"), ("benjamini-yekutieli", "by")])
def test_scipy_agrees(method, theirs):
    family = np.random.default_rng(1995).uniform(size=(5, 30)) ** 2
    assert_allclose(adjust(family, method), false_discovery_control(family, axis=-1, method=theirs), rtol=1e-12)


def closed(family, local):
    """Adjust by definition: the largest local p-value of all sets that hold the hypothesis."""
    size = len(family)
    sets = [each for k in range(1, size + 1) for each in combinations(range(size), k)]
    result = {each: local(sorted(family[index] for index in each)) for each in sets}
    return [max(p for each, p in result.items() if index in each) for index in range(size)]


LOCAL = {
    "holm": lambda ps: min(len(ps) * ps[0], 1.0),  # Bonferroni in every set
    "hommel": lambda ps: min(len(ps) * p / rank for rank, p in enumerate(ps, 1)),  # Simes in every set
}


@pytest.mark.parametrize("method", LOCAL)
@pytest.mark.parametrize("size", [1, 2, 3, 5, 8])
def test_closed_testing_written_out_agrees(method, size):
    rng = np.random.default_rng(7)
    for family in [*rng.uniform(size=(6, size)), *rng.beta(0.3, 2, size=(6, size)), np.full(size, 0.04)]:
        assert_allclose(adjust(family, method), closed(family, LOCAL[method]), rtol=1e-12)


def test_fifteen_p_values_of_benjamini_and_hochberg():
    """Their section 3: Bonferroni rejects three hypotheses at 0.05, theirs four."""
    assert [
        np.count_nonzero(adjust(FIFTEEN, name) <= 0.05) for name in ("bonferroni", "holm", "benjamini-hochberg")
    ] == [
        3,
        3,
        4,
    ]


def test_three_p_values_that_another_package_gets_wrong():
    """The package deepsig gives [0.03, 0.04, 0.06] for Bonferroni's."""
    assert_allclose(adjust([0.01, 0.04, 0.03], "bonferroni"), [0.03, 0.12, 0.09], rtol=1e-15)
    assert_allclose(adjust([0.01, 0.04, 0.03], "holm"), [0.03, 0.06, 0.06], rtol=1e-15)


# --- All pairs of several learners ---------------------------------------------------------------

# García and Herrera 2008, table 2: mean ranks of five classifiers on 30 data sets.
RANKS = {"C4.5": 2.1, "1NN": 3.25, "NaiveBayes": 2.2, "Kernel": 130 / 30, "CN2": 93.5 / 30}
PAIRS = tuple(combinations(RANKS, 2))


def garcia_herrera():
    """Return the p-values of their table 4, by z = (R_i − R_j)/√(k(k + 1)/(6N))."""
    return {pair: 2 * norm.sf(abs(RANKS[pair[0]] - RANKS[pair[1]]) / np.sqrt(5 * 6 / (6 * 30))) for pair in PAIRS}


def test_all_pairs_of_garcia_and_herrera():
    """Their table 4: raw p-values; Bergmann and Hommel leave C4.5 and NaiveBayes, and 1NN and CN2, together at 0.05."""
    raw = garcia_herrera()
    assert raw["C4.5", "Kernel"] == pytest.approx(4.487e-8, rel=1e-3)
    assert raw["NaiveBayes", "Kernel"] == pytest.approx(1.736e-7, rel=1e-3)
    family = np.array([raw[pair] for pair in PAIRS])
    adjusted = {name: dict(zip(PAIRS, adjust(family, name), strict=True)) for name in ("holm", *OF_ALL_PAIRS)}
    kept = {pair for pair, p in adjusted["bergmann-hommel"].items() if p > 0.05}
    assert kept == {("C4.5", "NaiveBayes"), ("1NN", "CN2")}
    printed = [0.0048, 0.8065, 4.487e-8, 0.0128, 0.0101, 0.008, 0.744, 1.736e-7, 0.0247, 0.0029]
    assert_allclose(family, printed, rtol=2e-2)
    assert adjusted["shaffer"]["NaiveBayes", "Kernel"] == pytest.approx(6 * 1.736e-7, rel=1e-3)
    # By the definition; the R package scmamp takes a further step and prints 0.031854.
    assert adjusted["bergmann-hommel"]["1NN", "NaiveBayes"] == pytest.approx(0.030337, abs=5e-7)


def partitions(names):
    """Return all ways to split names into blocks, written out."""
    if not names:
        yield []
        return
    first, rest = names[0], names[1:]
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            left = [name for name in rest if name not in others]
            for more in partitions(left):
                yield [(first, *others), *more]


def exhaustive(learners):
    """Return the sets of pairs that can all be equal: those within the blocks of a partition."""
    index = {pair: number for number, pair in enumerate(combinations(range(learners), 2))}
    result = (
        frozenset(index[pair] for block in blocks for pair in combinations(block, 2))
        for blocks in partitions(list(range(learners)))
    )
    return {each for each in result if each}


def by_definition(family, learners):
    """Bergmann and Hommel 1988: the largest |I| min p over the sets that hold the pair."""
    sets = exhaustive(learners)
    local = {each: min(len(each) * min(family[index] for index in each), 1.0) for each in sets}
    return [max(p for each, p in local.items() if index in each) for index in range(len(family))]


@pytest.mark.parametrize("learners", [2, 3, 4, 5, 6])
def test_bergmann_and_hommel_by_every_partition(learners):
    size = len(list(combinations(range(learners), 2)))
    rng = np.random.default_rng(1988)
    families = [*rng.uniform(size=(3, size)), *rng.beta(0.2, 3, size=(3, size)), np.full(size, 0.02)]
    for family in np.round(families, 3):
        assert_allclose(adjust(family, "bergmann-hommel"), by_definition(family, learners), rtol=1e-14)
    assert_array_equal(adjust(families, "bergmann-hommel"), [adjust(family, "bergmann-hommel") for family in families])


@pytest.mark.parametrize("learners", [2, 3, 4, 5, 6, 7])
def test_how_many_pairs_can_be_equal_by_every_partition(learners):
    """Shaffer 1986, section 3: of five, 0, 1, 2, 3, 4, 6 or 10."""
    assert set(equal_pairs(learners)) == {0, *map(len, exhaustive(learners))}


def shaffer_by_definition(family, learners):
    sizes = {0, *map(len, exhaustive(learners))}
    order = np.argsort(family, kind="stable")
    steps = [family[index] * max(s for s in sizes if s <= len(family) - before) for before, index in enumerate(order)]
    adjusted = np.empty(len(family))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return adjusted


@pytest.mark.parametrize("learners", [3, 4, 5, 6])
def test_shaffer_by_every_partition(learners):
    size = len(list(combinations(range(learners), 2)))
    for family in np.random.default_rng(1986).beta(0.3, 2, size=(5, size)):
        assert_allclose(adjust(family, "shaffer"), shaffer_by_definition(family, learners), rtol=1e-14)


def test_finner_written_out():
    """Finner 1993: 1 − (1 − p)^(m/i), the largest so far."""
    family = [0.001, 0.012, 0.011, 0.2]
    steps = [1 - (1 - p) ** (4 / i) for i, p in enumerate([0.001, 0.011, 0.012, 0.2], 1)]
    assert_allclose(adjust(family, "finner"), np.maximum.accumulate(steps)[[0, 2, 1, 3]], rtol=1e-12)


@given(family=st.lists(st.floats(0, 1), min_size=10, max_size=10))
def test_knowing_how_pairs_hang_together_is_never_worse(family):
    rising = [adjust(family, name) for name in ("none", "bergmann-hommel", "shaffer", "holm")]
    for smaller, larger in pairwise(rising):
        assert np.all(smaller <= larger * (1 + 1e-12) + 1e-300)
    assert np.all(rising[-1] <= 1)


@pytest.mark.parametrize("method", OF_ALL_PAIRS)
def test_pairs_without_a_test_are_not_counted_but_may_be_equal(method):
    """Of three learners one pair was not tested: two hypotheses, of which both may be true."""
    assert_allclose(adjust([0.01, np.nan, 0.04], method), [0.02, np.nan, 0.04])
    assert np.isnan(adjust([np.nan] * 3, method)).all()
    assert adjust(0.03, method) == 0.03
    assert adjust([], method).shape == (0,)


@pytest.mark.parametrize("method", OF_ALL_PAIRS)
def test_who_is_called_what_is_of_no_importance(method):
    """Learners in another order: the pairs are shuffled, and their p-values with them."""
    names, order = range(5), [3, 0, 4, 1, 2]
    family = dict(zip(combinations(names, 2), np.random.default_rng(5).beta(0.3, 2, size=10), strict=True))
    here = dict(zip(family, adjust(list(family.values()), method), strict=True))
    shuffled = [tuple(sorted(pair)) for pair in combinations(order, 2)]
    assert_array_equal(adjust([family[pair] for pair in shuffled], method), [here[pair] for pair in shuffled])


def test_twelve_learners_are_feasible_and_thirteen_are_reported_what_is():
    family = np.random.default_rng(12).beta(0.3, 2, size=66)
    adjusted = adjust(family, "bergmann-hommel")
    assert np.all((family <= adjusted) & (adjusted <= adjust(family, "shaffer") * (1 + 1e-12)))
    with pytest.raises(InvalidInput, match=r"'bergmann-hommel' takes up to 12 learners \(66 p-values\), got 78"):
        adjust(np.full(78, 0.1), "bergmann-hommel")


@pytest.mark.parametrize("method", OF_ALL_PAIRS)
def test_what_are_not_all_pairs(method):
    with pytest.raises(InvalidInput, match=rf"'{method}' adjusts the p-values of all pairs .*, got 4 p-values\. Use"):
        adjust([0.1] * 4, method)


# --- Laws ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@given(family=families)
@seldom
def test_never_below_the_raw_one_and_never_above_one(method, family):
    adjusted = adjust(family, method)
    assert np.all(adjusted >= family)
    assert np.all(adjusted <= 1)


@pytest.mark.parametrize("method", METHODS)
@given(family=families)
@seldom
def test_order_is_kept(method, family):
    order = np.argsort(family)
    assert np.all(np.diff(adjust(family, method)[order]) >= 0)


@pytest.mark.parametrize("method", METHODS)
def test_the_order_they_come_in_is_of_no_importance(method):
    family = np.array([0.02, 0.3, 0.02, 0.001])
    for places in permutations(range(4)):
        assert_array_equal(adjust(family[list(places)], method), adjust(family, method)[list(places)])


@given(family=families)
@seldom
def test_some_are_never_worse_than_others(family):
    rising = [adjust(family, name) for name in ("hommel", "hochberg", "holm", "bonferroni")]
    assert np.all(adjust(family, "finner") <= rising[2] * (1 + 1e-12) + 1e-300)
    rising.insert(0, adjust(family, "benjamini-hochberg"))
    for smaller, larger in pairwise(rising):
        assert np.all(smaller <= larger * (1 + 1e-12) + 1e-300)
    assert np.all(rising[0] <= adjust(family, "benjamini-yekutieli"))


@pytest.mark.parametrize("method", METHODS)
def test_one_p_value_is_its_own_family(method):
    assert adjust(0.03, method) == 0.03
    assert isinstance(adjust(0.03, method), np.float64)
    assert_array_equal(adjust([0.03], method), [0.03])


@pytest.mark.parametrize("method", METHODS)
def test_many_families_are_a_loop(method):
    families = np.random.default_rng(3).beta(0.4, 1.5, size=(2, 4, 6))
    families[0, 1, 2] = families[1, 3, 0] = families[1, 3, 5] = np.nan
    expected = [[adjust(family, method) for family in part] for part in families]
    assert_array_equal(adjust(families, method), expected)


@pytest.mark.parametrize("method", METHODS)
def test_what_was_not_tested_is_not_counted(method):
    family = np.array([np.nan, 0.01, 0.3, np.nan, 0.04])
    there = ~np.isnan(family)
    assert_array_equal(np.isnan(adjust(family, method)), ~there)
    assert_array_equal(adjust(family, method)[there], adjust(family[there], method))
    assert np.isnan(adjust([np.nan, np.nan], method)).all()


@pytest.mark.parametrize("method", METHODS)
def test_extremes(method):
    tiny = np.finfo(float).tiny
    assert_array_equal(adjust([0.0, 1.0], method), [0.0, 1.0])
    assert 0 < adjust([tiny, 1.0], method)[0] < 1e-300
    assert_array_equal(adjust([1, 1, 1], method), [1.0, 1.0, 1.0])
    assert adjust([], method).shape == (0,)


def test_what_was_given_stays_as_it_was():
    family = np.array([0.04, 0.01])
    for method in METHODS:
        adjust(family, method)[0] = 1.0
    assert_array_equal(family, [0.04, 0.01])


@pytest.mark.parametrize("bad", [-0.01, 1.01, np.inf])
def test_no_probability(bad):
    with pytest.raises(InvalidInput, match=rf"`pvalues` must be numbers from 0 to 1, got {bad}"):
        adjust([0.5, bad])


@pytest.mark.parametrize("bad", [["0.1"], None, [True], [0.1j]])
def test_no_numbers(bad):
    with pytest.raises(InvalidInput, match="`pvalues` must be numbers from 0 to 1"):
        adjust(bad)


def test_an_unknown_rule_lists_those_there_are():
    with pytest.raises(
        InvalidOption, match="`method` must be one of 'holm', 'hochberg', 'hommel', 'finner', 'shaffer' and 5 more"
    ):
        adjust([0.1], "fdr_bh")


def test_every_rule_has_its_reference():
    assert set(SOURCES) == set(EVERY) - {"none"}
    assert set(SOURCES.values()) <= set(REFERENCES)
