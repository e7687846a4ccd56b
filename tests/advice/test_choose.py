"""Defaults depend on what the evidence is, never on its numbers; advice may look at both."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tellapart import ErrorCount, advise_interval, compare, estimate
from tellapart.advice import choose_interval, choose_test
from tellapart.errors import TellapartError, UnknownMethod
from tellapart.methods import Standing

pairs = st.integers(1, 10**6).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))


@settings(deadline=None)
@given(pairs)
def test_the_default_does_not_depend_on_the_numbers(pair):
    count = ErrorCount(*pair)
    assert estimate(count).method == "jeffreys"
    assert compare(count, against=0.05).method == "clopper-pearson"


def test_the_default_is_recommended():
    for choose in (choose_interval, choose_test):
        assert choose(ErrorCount(3, 120), None, {}).standing == Standing.RECOMMENDED


@pytest.mark.parametrize(
    ("prior", "name"),
    [((1, 3), "beta"), ("majority", "beta"), (np.array([1, 3]), "beta"), (lambda error: 1 - error, "posterior")],
)
def test_a_prior_without_a_method_means_the_posterior_under_it(prior, name):
    for choose in (choose_interval, choose_test):
        assert choose(ErrorCount(3, 120), None, {"prior": prior}).name == name


def test_a_name_is_taken_at_its_word():
    assert choose_interval(ErrorCount(3, 120), "wald", {}).name == "wald"
    with pytest.raises(UnknownMethod, match="percentile"):
        choose_test(ErrorCount(3, 120), "percentile", {})


@pytest.mark.parametrize(
    ("errors", "trials", "names"),
    [
        (1, 120, ["mid-p", "clopper-pearson"]),
        (9, 120, ["mid-p", "clopper-pearson"]),
        (10, 120, ["clopper-pearson"]),
        (110, 120, ["clopper-pearson"]),
        (111, 120, ["mid-p", "clopper-pearson"]),  # few successes are as few errors
        ([60, 9], 120, ["mid-p", "clopper-pearson"]),  # one such entry is enough
        ([60, 10], 120, ["clopper-pearson"]),
    ],
)
def test_below_ten_errors_mid_p_is_offered_and_a_guarantee_always(errors, trials, names):
    advice = advise_interval(ErrorCount(errors, trials))
    assert [each.method for each in advice] == names
    assert all(each.when for each in advice)


def test_at_no_errors_an_upper_bound_comes_first():
    """The rule of three: at 95 % the bound 1 − 0.05^(1/M) is about 3/M."""
    first, *others = advise_interval(ErrorCount(0, 120))
    assert (first.method, first.side) == ("clopper-pearson", "upper")
    assert [advice.side for advice in others] == ["two", "two"]


def test_what_is_offered_exists_and_is_recommended():
    for advice in advise_interval(ErrorCount(3, 120)):
        assert choose_interval(ErrorCount(3, 120), advice.method, {}).standing == Standing.RECOMMENDED


def test_where_a_guarantee_is_asked_for_the_method_gives_one():
    guaranteed = [advice.method for advice in advise_interval(ErrorCount(3, 120)) if "guarantee" in advice.when]
    assert guaranteed
    assert all(choose_interval(ErrorCount(3, 120), name, {}).guarantees for name in guaranteed)


@pytest.mark.parametrize("stranger", [3, (3, 120), None])
def test_advice_about_anything_else_is_told_what_to_hand_in(stranger):
    with pytest.raises(TellapartError, match="ErrorCount"):
        advise_interval(stranger)
