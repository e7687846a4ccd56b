"""Check: what was assumed, the figure, the verdict, and the way out."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from tellapart.results import Check


def check(figure, holds, **facts):
    facts = {
        "code": "TA001",
        "needs": "M·e·(1−e) = {figure} ≥ 10",
        "broken": "M·e·(1−e) = {figure} < 10: poor",
        "otherwise": "method='jeffreys' is not",
    } | facts
    return Check(figure=np.asarray(figure, dtype=float)[()], holds=np.asarray(holds)[()], **facts)


def test_what_holds_states_the_figure():
    assert check(12.34, True).message == "M·e·(1−e) = 12.3 ≥ 10"


def test_what_fails_states_the_figure_and_the_way_out():
    assert check(2.925, False).message == "M·e·(1−e) = 2.92 < 10: poor; method='jeffreys' is not"


def test_many_are_counted():
    assert check([1, 20, 3], [False, True, False]).message == (
        "M·e·(1−e) = … ≥ 10: fails in 2 of 3 entries; method='jeffreys' is not"
    )
    assert check([11, 20], [True, True]).message == "M·e·(1−e) = … ≥ 10: holds in all 2 entries"


def test_an_index_picks_figure_and_verdict():
    one = check([1, 20], [False, True])[1]
    assert one.shape == ()
    assert (one.figure, one.holds, one.code) == (20, True, "TA001")


def test_the_plain_form_has_code_verdict_and_message():
    assert check(12, True).as_dict() == {"code": "TA001", "holds": True, "message": "M·e·(1−e) = 12 ≥ 10"}


def test_fields_cannot_be_set():
    with pytest.raises(FrozenInstanceError):
        check(1, False).holds = True
