"""Coverage: what the exact figures amount to, and where a method fails."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tellapart.results import Coverage


def coverage(covered, within=(0.0, 1.0), **facts):
    covered = np.asarray(covered, dtype=float)
    low, high = within
    facts = {
        "method": "made-up",
        "trials": 30,
        "alpha": 0.05,
        "side": "two",
        "minimum": float(covered.min()),
        "worst": 0.5,
        "width": np.full(covered.shape, 0.2),
    } | facts
    middle = low + (np.arange(covered.size) + 0.5) * (high - low) / covered.size
    return Coverage(within=within, error=middle, coverage=covered, **facts)


def test_mean_and_width_are_averages_over_the_range():
    found = coverage([0.9, 1.0], width=np.array([0.1, 0.3]))
    assert_allclose([found.mean, found.mean_width, found.level], [0.95, 0.2, 0.95])


def test_it_fails_where_it_misses_more_than_twice_alpha():
    assert_allclose(coverage([0.5, 0.95, 0.89, 0.89, 0.97]).fails, [(0, 0.2), (0.4, 0.8)], atol=1e-12)
    assert coverage([0.91, 0.95, 0.99]).fails == []


def test_it_may_fail_everywhere():
    assert_allclose(coverage([0.5, 0.5]).fails, [(0, 1)])
    assert "over 100 % of the range" in dict(coverage([0.5, 0.5]).rows())["fails"]


def test_one_point_stands_for_the_whole_range():
    found = coverage([0.2], within=(0.0, 0.1))
    assert_allclose(found.fails, [(0, 0.1)])
    assert "100 % of the range" in dict(found.rows())["fails"]


def test_many_places_of_failure_are_cut_short():
    assert "and 2 more" in dict(coverage([0.5, 0.99] * 7).rows())["fails"]


@pytest.mark.parametrize(
    ("minimum", "said"), [(0.96, "never below the level: at worst 0.9600"), (0.84, "at worst 0.8400")]
)
def test_words_say_whether_the_level_is_kept(minimum, said):
    assert said in coverage([0.97, 0.99], minimum=minimum).words


def test_json_keeps_every_digit():
    found = coverage([0.5, 1 / 3])
    told = json.loads(found.to_json())
    assert (told["mean"], told["minimum"], told["trials"]) == (found.mean, 1 / 3, 30)
    assert told["fails"] == [list(part) for part in found.fails]
    assert told["words"] == found.words
