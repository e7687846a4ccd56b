"""TA708: no more data sets than the p-value is exact for."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare


def analyse(differences, method="wilcoxon-signed-rank", **options):
    """Compare A, whose every score is 0, with B, whose scores are the differences."""
    table = ScoreTable.from_scores({"A": [0.0] * len(differences), "B": differences}, metric="score")
    return compare(table, method=method, **options)


def many(count, method="wilcoxon-signed-rank", **options):
    return analyse(np.random.default_rng(0).normal(size=count).tolist(), method, **options)


def fails():
    return many(501)


def holds():
    return many(20)


@pytest.mark.parametrize("count", [500, 501])
def test_five_hundred_are_exact(check, count):
    result = check(many(count))
    assert (result.figure, bool(result.holds)) == (500 - count, count == 500)


def test_the_option_exact_sets_the_limit(check):
    assert [bool(check(many(20, exact=exact)).holds) for exact in (19, 20)] == [False, True]


def test_the_sign_test_is_exact_for_any_number(check, quiet):
    assert quiet(many(501, "sign-test"))
    assert "it is a normal approximation" in check(fails()).message
