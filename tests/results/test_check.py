"""Check: the assumption, the figure, the verdict, and the remedy."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from tellapart.results import Check


def check(figure, **facts):
    facts = {
        "code": "TA001",
        "requirement": "M·e·(1−e) = {figure} ≥ 10",
        "violation": "M·e·(1−e) = {figure}, below 10",
        "so": "the approximation is poor",
        "remedy": "Use method='jeffreys'.",
    } | facts
    return Check(figure=np.asarray(figure, dtype=float)[()], threshold=10, **facts)


def test_what_holds_states_the_figure():
    assert check(12.34).message == "M·e·(1−e) = 12.3 ≥ 10"


def test_what_fails_states_the_figure_and_the_way_out():
    assert check(2.925).message == "M·e·(1−e) = 2.92, below 10: the approximation is poor. Use method='jeffreys'."


AND_SO = ": the approximation is poor. Use method='jeffreys'."


def test_many_are_counted():
    assert check([1, 20, 3]).message == f"M·e·(1−e) down to 1, below 10 in 2 of 3 comparisons{AND_SO}"
    assert check([1, 1]).message == f"M·e·(1−e) = 1, below 10 in all 2 comparisons{AND_SO}"
    assert check([11, 20]).message == "M·e·(1−e) = 11 ≥ 10"
    assert check([[20, 1], [20, 20]]).message == f"M·e·(1−e) = 1, below 10 in 1 of 4 comparisons{AND_SO}"


def test_pairs_are_named():
    pairs = (("a", "b"), ("a", "c"), ("b", "c"))
    assert check([20, 1, 20], pairs=pairs).message == f"M·e·(1−e) = 1, below 10 for a and c{AND_SO}"
    some = "M·e·(1−e) down to 1, below 10 in 2 of 3 pairs (a and c, b and c)"
    assert check([20, 1, 3], pairs=pairs).message == f"{some}{AND_SO}"
    assert check([1, 1, 1], pairs=pairs).message == f"M·e·(1−e) = 1, below 10 in all 3 pairs{AND_SO}"
    assert check([20, 11, 13], pairs=pairs).message == "M·e·(1−e) = 11 ≥ 10"


def test_all_pairs_of_some_models_are_named_by_the_models():
    pairs = (("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d"))
    some = check([1, 2, 20, 3, 20, 20], pairs=pairs)
    assert some.message == f"M·e·(1−e) down to 1, below 10 in the 3 pairs of a, b and c{AND_SO}"


def test_many_pairs_are_cut_short():
    pairs = tuple((name, "z") for name in "abcdefghij")
    many = check([1] * 9 + [20], pairs=pairs)
    named = "in 9 of 10 pairs (a and z, b and z, c and z and 6 more)"
    assert many.message == f"M·e·(1−e) = 1, below 10 {named}{AND_SO}"
    assert many[3].message == f"M·e·(1−e) = 1, below 10{AND_SO}"


@pytest.mark.parametrize(
    ("violation", "shown"),
    [
        ("{figure} pairs, fewer than 10", "1 pair, fewer than 10"),
        ("{figure} effective discordant pairs for it", "1 effective discordant pair for it"),
        ("the outcome of {figure} data sets", "the outcome of 1 data set"),
        ("the sum is {figure} times the largest", "the sum is 1 times the largest"),
        ("{figure} of the classes", "1 of the classes"),
        ("varies by {figure} between test sets", "varies by 1 between test sets"),
    ],
)
def test_what_is_counted_is_singular_after_1(violation, shown):
    assert check(1, violation=violation).statement.removesuffix(": the approximation is poor") == shown
    assert check(2, violation=violation).state("2").startswith(violation.format(figure="2"))
    several = check([1, 3], violation="{figure} pairs", so="")
    assert several.statement == "down to 1 pair in all 2 comparisons"


def test_the_size_of_a_figure_keeps_its_exponent():
    small = Check(
        code="TA999", requirement="{size} < alpha", violation="{size}", remedy="", figure=-1.49e-08, threshold=-0.05
    )
    assert small.message == "1.49e-08 < alpha"


def test_what_is_undefined_is_the_worst():
    assert check([1, np.nan]).message == f"M·e·(1−e) = undefined, below 10 in all 2 comparisons{AND_SO}"


def test_an_index_picks_figure_and_verdict():
    one = check([1, 20])[1]
    assert one.shape == ()
    assert (one.figure, one.holds, one.code) == (20, True, "TA001")


def test_the_plain_form_has_code_verdict_and_message():
    assert check(12).as_dict() == {
        "code": "TA001",
        "title": "",
        "holds": True,
        "message": "M·e·(1−e) = 12 ≥ 10",
    }


def test_fields_cannot_be_set():
    with pytest.raises(FrozenInstanceError):
        check(1).figure = 20


def test_the_threshold_itself_holds_unless_the_check_is_strict():
    assert check(10).holds
    assert not check(10, strict=True).holds


@pytest.mark.parametrize("figure", [9.9996, 9.99999999, 10 - 1e-15])
def test_a_figure_just_below_the_threshold_does_not_look_as_if_it_reached_it(figure):
    shown = check(figure).message.split(" = ")[1].split(",")[0]
    assert float(shown) < 10


def test_a_figure_without_end_is_no_inf_in_a_message():
    facts = {"requirement": "{figure} is at least 10", "violation": "{figure} is below 10", "remedy": "wait"}
    endless = Check(code="TA999", figure=np.inf, threshold=10, **facts)
    assert endless.message == "∞ is at least 10"
    assert (
        Check(code="TA999", figure=np.inf, threshold=10, moot="nothing to count", **facts).message == "nothing to count"
    )
    assert (
        Check(code="TA999", figure=12.0, threshold=10, moot="nothing to count", **facts).message == "12 is at least 10"
    )
