"""TA506: at least 2 examples (or clusters) in the smallest group."""

import numpy as np

from tellapart import Outcomes, compare

A, B = np.random.default_rng(0).beta(5, 2, size=(2, 60)).round(3)


def pair(a=A, b=B, **more):
    return Outcomes.from_scores(a, b, **{"metric": "rouge"} | more)


GROUPS = ["es"] * 30 + ["fi"] * 29 + ["ko"]


def analyse(groups, **more):
    return compare(pair(groups=groups, **{"bounds": (0, 1)} | more), method="macro-average")


def fails():
    return analyse(GROUPS)


def holds():
    return analyse(["es"] * 30 + ["fi"] * 30)


def test_the_figure_is_the_smallest_group(check):
    assert (check(fails()).figure, check(holds()).figure) == (1, 30)
    assert check(analyse(["es"] * 58 + ["fi"] * 2)).holds


def test_a_cluster_counts_once(check):
    clusters = [*range(30)] + [99] * 30
    assert check(analyse(["es"] * 30 + ["fi"] * 30, clusters=clusters)).figure == 1


def test_the_unknown_variance_is_taken_as_the_largest(check):
    """One of three groups has the largest variance that a difference of scores from 0 to 1 can have."""
    assert "its variance is unknown" in check(fails()).message
    assert fails().interval.width > 2 * 1.96 / 3
    assert analyse(GROUPS, bounds=None).interval.high == np.inf


def test_the_remedy_is_the_mean_over_examples(quiet):
    assert quiet(compare(pair(groups=GROUPS), method="mean-t"))
