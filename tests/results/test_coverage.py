"""Coverage: summaries of exact coverage, and where a method fails."""

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
    result = coverage([0.9, 1.0], width=np.array([0.1, 0.3]))
    assert_allclose([result.mean, result.mean_width, result.level], [0.95, 0.2, 0.95])


def test_it_fails_where_it_misses_more_than_twice_alpha():
    assert_allclose(coverage([0.5, 0.95, 0.89, 0.89, 0.97]).fails, [(0, 0.2), (0.4, 0.8)], atol=1e-12)
    assert coverage([0.91, 0.95, 0.99]).fails == []


def test_it_may_fail_everywhere():
    assert_allclose(coverage([0.5, 0.5]).fails, [(0, 1)])
    assert "over 100% of the range" in coverage([0.5, 0.5]).describe_failures(verbose=False)


def test_one_point_stands_for_the_whole_range():
    result = coverage([0.2], within=(0.0, 0.1))
    assert_allclose(result.fails, [(0, 0.1)])
    assert "100% of the range" in result.describe_failures(verbose=False)


def test_many_places_of_failure_are_cut_short():
    failing = coverage([0.5, 0.99] * 7)
    assert "(-v lists all 7 stretches)" in str(failing)
    assert failing.display(verbose=True).to_text().count(" to ") >= 7


@pytest.mark.parametrize(("minimum", "text"), [(0.96, "and never less than 96%"), (0.84, "and 84% at worst")])
def test_the_verdict_says_whether_coverage_falls_below_the_level(minimum, text):
    assert coverage([0.97, 0.99], minimum=minimum).display().verdict.endswith(text)


def test_json_keeps_every_digit():
    result = coverage([0.5, 1 / 3])
    values = json.loads(result.to_json())
    assert (values["mean"], values["minimum"], values["trials"]) == (result.mean, 1 / 3, 30)
    assert values["fails"] == [list(part) for part in result.fails]
    assert values["words"] == result.words
