"""adjust against other packages, against closed testing written out, and against its own laws."""

from itertools import combinations, pairwise, permutations
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests

from tellapart.bibliography import REFERENCES
from tellapart.errors import InvalidInput, InvalidOption
from tellapart.methods.multiplicity import SOURCES, Adjustment, adjust

METHODS = get_args(Adjustment)
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
seldom = settings(derandomize=True, deadline=None, max_examples=30)


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
    found = {each: local(sorted(family[place] for place in each)) for each in sets}
    return [max(p for each, p in found.items() if place in each) for place in range(size)]


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
    given = np.array([0.04, 0.01])
    for method in METHODS:
        adjust(given, method)[0] = 1.0
    assert_array_equal(given, [0.04, 0.01])


@pytest.mark.parametrize("bad", [-0.01, 1.01, np.inf])
def test_no_probability(bad):
    with pytest.raises(InvalidInput, match=rf"pvalues must lie between 0 and 1, but one is {bad}"):
        adjust([0.5, bad])


@pytest.mark.parametrize("bad", [["0.1"], None, [True], [0.1j]])
def test_no_numbers(bad):
    with pytest.raises(InvalidInput, match="pvalues must hold numbers from 0 to 1"):
        adjust(bad)


def test_an_unknown_rule_lists_those_there_are():
    with pytest.raises(InvalidOption, match=r"method must be one of 'holm', .*'none', but is 'fdr_bh'"):
        adjust([0.1], "fdr_bh")


def test_every_rule_has_its_reference():
    assert set(SOURCES) == set(METHODS) - {"none"}
    assert set(SOURCES.values()) <= set(REFERENCES)
