"""Check: what was assumed, the figure, the verdict, and the way out."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from tellapart.results import Check


def check(figure, **facts):
    facts = {
        "code": "TA001",
        "needs": "M·e·(1−e) = {figure} ≥ 10",
        "broken": "M·e·(1−e) = {figure} < 10: poor",
        "otherwise": "method='jeffreys' is not",
    } | facts
    return Check(figure=np.asarray(figure, dtype=float)[()], threshold=10, **facts)


def test_what_holds_states_the_figure():
    assert check(12.34).message == "M·e·(1−e) = 12.3 ≥ 10"


def test_what_fails_states_the_figure_and_the_way_out():
    assert check(2.925).message == "M·e·(1−e) = 2.92 < 10: poor; method='jeffreys' is not"


def test_many_are_counted():
    assert check([1, 20, 3]).message == ("M·e·(1−e) = 1 to 20 ≥ 10: fails in 2 of 3 entries; method='jeffreys' is not")
    assert check([11, 20]).message == "M·e·(1−e) = 11 to 20 ≥ 10: holds in all 2 entries"
    assert check([11, 11, np.nan]).message.startswith("M·e·(1−e) = 11 ≥ 10: fails in 1 of 3 entries")
    assert check([1, 3]).message == "M·e·(1−e) = 1 to 3 < 10: poor (in 2 of 2 entries); method='jeffreys' is not"
    assert check([np.nan]).message.startswith("M·e·(1−e) = unknown < 10: poor (in 1 of 1 entries)")


def test_a_range_of_sizes_goes_up():
    assert check([-3, -12], broken="off by {size}").message.startswith("off by 3 to 12 (in 2 of 2 entries); ")


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
