"""Numbers with standard errors, by hand."""

from __future__ import annotations

import math

import pytest

from tellapart.reproduce.measured import Measured


def test_a_mean_and_a_share():
    assert Measured.mean([1.0, 2.0, 6.0]) == pytest.approx((3.0, math.sqrt(7 / 3)))
    assert Measured.share([True] * 4) == pytest.approx((1.0, math.sqrt(0.75 * 0.25 / 8)))


def test_a_difference_adds_squares_of_errors():
    assert Measured(0.5, 0.03).less(Measured(0.2, 0.04)) == pytest.approx((0.3, 0.05))


def test_what_trials_tell():
    assert Measured(-0.025, 0.01).not_negative
    assert not Measured(-0.026, 0.01).not_negative
    assert Measured(0.026, 0.01).description == "+0.026 ± 0.010"
    assert Measured(0.025, 0.01).description == "+0.025 ± 0.010, not significantly different from 0"
