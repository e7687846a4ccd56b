"""Check: what was assumed, the figure, the verdict, and the way out."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from tellapart.results import Check


def check(figure, **facts):
    facts = {
        "code": "TA001",
        "requirement": "M·e·(1−e) = {figure} ≥ 10",
        "violation": "M·e·(1−e) = {figure} < 10: poor",
        "remedy": "method='jeffreys' is not",
    } | facts
    return Check(figure=np.asarray(figure, dtype=float)[()], threshold=10, **facts)


def test_what_holds_states_the_figure():
    assert check(12.34).message == "M·e·(1−e) = 12.3 ≥ 10"


def test_what_fails_states_the_figure_and_the_way_out():
    assert check(2.925).message == "M·e·(1−e) = 2.92 < 10: poor; method='jeffreys' is not"


def test_many_are_counted():
    fails = "M·e·(1−e) = 1 < 10: poor; method='jeffreys' is not"
    assert check([1, 20, 3]).message == f"in 2 of 3 entries ([0], [2]), at worst: {fails}"
    assert check([1, 1]).message == f"in all 2 entries: {fails}"
    assert check([11, 20]).message == "in all 2 entries, at worst: M·e·(1−e) = 11 ≥ 10"
    assert check([[20, 1], [20, 20]]).message == f"in 1 of 4 entries ([0, 1]): {fails}"


def test_pairs_are_named_and_the_rest_of_many_counted():
    names = ("a and b", "a and c", "b and c")
    assert check([20, 1, 3], names=names).message.startswith(
        "in 2 of 3 pairs (a and c, b and c), at worst: M·e·(1−e) ="
    )
    assert check([20, 11, 13], names=names).message == "in all 3 pairs, at worst: M·e·(1−e) = 11 ≥ 10"
    many = check([1] * 9 + [20], names=tuple("abcdefghij"))
    assert many.message.startswith("in 9 of 10 pairs (a, b, c, d, e and 4 more): M·e·(1−e) = 1 < 10: poor")
    assert many[3].message == "M·e·(1−e) = 1 < 10: poor; method='jeffreys' is not"


def test_what_is_not_known_is_the_worst():
    assert check([1, np.nan]).message.startswith("in all 2 entries, at worst: M·e·(1−e) = nan < 10")


def test_an_index_picks_figure_and_verdict():
    one = check([1, 20])[1]
    assert one.shape == ()
    assert (one.figure, one.holds, one.code) == (20, True, "TA001")


def test_the_plain_form_has_code_verdict_and_message():
    assert check(12).as_dict() == {"code": "TA001", "holds": True, "message": "M·e·(1−e) = 12 ≥ 10"}


def test_fields_cannot_be_set():
    with pytest.raises(FrozenInstanceError):
        check(1).figure = 20


def test_the_threshold_itself_holds_unless_the_check_is_strict():
    assert check(10).holds
    assert not check(10, strict=True).holds


@pytest.mark.parametrize("figure", [9.9996, 9.99999999, 10 - 1e-15])
def test_a_figure_just_below_the_threshold_does_not_look_as_if_it_reached_it(figure):
    shown = check(figure).message.split(" = ")[1].split(" < ")[0]
    assert float(shown) < 10


def test_a_figure_without_end_is_no_inf_in_a_message():
    told = {"requirement": "{figure} is at least 10", "violation": "{figure} is below 10", "remedy": "wait"}
    endless = Check(code="TA999", figure=np.inf, threshold=10, **told)
    assert endless.message == "∞ is at least 10"
    assert (
        Check(code="TA999", figure=np.inf, threshold=10, moot="nothing to count", **told).message == "nothing to count"
    )
    assert (
        Check(code="TA999", figure=12.0, threshold=10, moot="nothing to count", **told).message == "12 is at least 10"
    )
