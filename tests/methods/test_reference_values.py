"""Every interval against 20 digits of mpmath (tests/references says how they were made)."""

import csv
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tellapart.evidence import ErrorCount
from tellapart.methods import find_method, find_methods

TABLE = Path(__file__).parent.parent / "references" / "error_count_intervals.csv"

# How the table calls a method with options.
CALLS = {"jeffreys-raw": ("jeffreys", {"raw": True}), "beta-1-3.67": ("beta", {"prior": (1, 3.67)})}

# Methods whose numbers come from elsewhere: the test module, and what it compares with.
ELSEWHERE = {
    "posterior": "test_posterior.py",  # the Beta limits, and integrals by mpmath
    "percentile": "test_bootstrap.py",  # binomial quantiles by SciPy, and a drawn bootstrap
    "bca-bootstrap": "test_bootstrap.py",  # its definition on those, and scipy.stats.bootstrap
    "beta-binomial-cs": "test_anytime.py",  # integrals and roots by mpmath
    "hypergeometric": "test_finite.py",  # every pool, by counting samples in whole numbers
}


def read_table():
    with TABLE.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    question = itemgetter("method", "level", "side")
    return {key: list(group) for key, group in groupby(sorted(rows, key=question), question)}


QUESTIONS = read_table()


@pytest.mark.parametrize(("method", "level", "side"), QUESTIONS)
def test_ten_digits_of_every_reference_value(method, level, side):
    rows = QUESTIONS[method, level, side]
    errors, trials = ([int(row[name]) for row in rows] for name in ("errors", "trials"))
    name, options = CALLS.get(method, (method, {}))
    interval = find_method(name, "interval", ErrorCount)(
        ErrorCount(errors, trials), alpha=1 - float(level), side=side, **options
    )
    # Blaker's acceptability of 0 of 2 (and its mirror image) touches one half without crossing it:
    # a double root, which halves the digits.
    touches = [
        (method, level) == ("blaker", "0.5") and n == 2 and m in (0, 2) for m, n in zip(errors, trials, strict=True)
    ]
    tolerance = np.where(touches, 1e-8, 1e-10)
    for end in ("low", "high"):
        expected = np.array([float(row[end]) for row in rows])
        assert_within(getattr(interval, end), expected, tolerance, rows)


@pytest.mark.parametrize("method", sorted({method for method, _, _ in QUESTIONS}))
def test_one_count_at_a_time_gives_the_same_ten_digits(method):
    name, options = CALLS.get(method, (method, {}))
    function = find_method(name, "interval", ErrorCount)
    for (name, level, side), rows in QUESTIONS.items():
        if name != method or level == "0.5":  # 0.5 has the double root, and was asked above
            continue
        for row in rows[:: max(len(rows) // 12, 1)]:
            count = ErrorCount(int(row["errors"]), int(row["trials"]))
            interval = function(count, alpha=1 - float(level), side=side, **options)
            assert interval.shape == ()
            limits = [float(row["low"]), float(row["high"])]
            assert_allclose([interval.low, interval.high], limits, rtol=1e-10, err_msg=str(row))


def test_no_interval_is_without_reference_values():
    names = {method.name for method in find_methods(gives="interval", evidence=ErrorCount)}
    in_table = {CALLS.get(method, (method, {}))[0] for method, _, _ in QUESTIONS}
    assert names == in_table | set(ELSEWHERE)
    assert not in_table & set(ELSEWHERE)
    assert all((Path(__file__).parent / module).exists() for module in ELSEWHERE.values())


def assert_within(result, expected, tolerance, rows):
    """Compare relatively, and name the row that is furthest off."""
    off = np.abs(result - expected) - tolerance * np.abs(expected)
    worst = int(np.argmax(np.where(np.isnan(off), np.inf, off)))
    assert np.all(off <= 0), f"{rows[worst]}: found {result[worst]!r}"
