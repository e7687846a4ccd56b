"""Every test and interval of paired tables against 20 digits of mpmath (tests/references says how they were made)."""

import csv
from ast import literal_eval
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tellapart.evidence import PairedTable
from tellapart.methods import find_method, find_methods

REFERENCES = Path(__file__).parent.parent.parent / "references"
CELLS = ("both_wrong", "only_a_wrong", "only_b_wrong", "both_right")
SMALLEST = np.finfo(float).tiny  # stands for every p-value below it

# Methods whose numbers come from elsewhere: the test module, and what it compares with.
ELSEWHERE = {
    ("mcnemar-evalue", "test"): "test_anytime.py",  # fractions, a finite sum and integrals by mpmath
    ("mcnemar-evalue", "interval"): "test_anytime.py",
    ("unconditional", "interval"): "test_unconditional.py",  # the enumerated test at its own limits
    ("percentile", "interval"): "test_bootstrap.py",
    ("bca-bootstrap", "interval"): "test_bootstrap.py",
    ("yang-paired", "interval"): "test_documents.py",  # Python's own standard deviation of W
    ("k-se", "test"): "test_documents.py",  # a verdict: the rule's own arithmetic
    ("interval-overlap", "test"): "test_documents.py",
}


def read(name, *question):
    with (REFERENCES / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    key = itemgetter(*question)
    return {options: list(group) for options, group in groupby(sorted(rows, key=key), key)}


INTERVALS = read("paired_table_intervals", "method", "alpha", "side")
PRINTED = ("mcnemar_as_printed", "proportions_as_printed")  # no methods: tests/reproduce/test_dietterich_printed.py
TESTS = {
    key: rows
    for key, rows in read("paired_table_tests", "method", "alternative").items()
    if not key[0].startswith(PRINTED)
}


def tables(rows):
    return PairedTable(*(np.array([int(row[cell]) for row in rows]) for cell in CELLS))


def called(label):
    """Return name and options of a label such as "dirichlet kappa=1.0"."""
    name, *options = label.split()
    return name, {key: literal_eval(value) for key, value in (option.split("=") for option in options)}


def assert_ten_digits(result, expected, rows, near=0.0):
    """Compare relatively, except for what rounding at the size of `near` does; name the row that is furthest off."""
    result, expected = np.asarray(result, dtype=float), np.broadcast_to(expected, np.shape(result))
    with np.errstate(invalid="ignore"):
        off = np.where(result == expected, 0.0, np.abs(result - expected) - 8 * np.spacing(near) - 1e-30)
        off = np.nan_to_num(off / np.maximum(np.abs(expected), SMALLEST), nan=np.inf)
    worst = int(np.argmax(off))
    wrong = np.count_nonzero(off > 1e-10)
    assert wrong == 0, f"{wrong} of {off.size} off, the worst by {off[worst]:.2g}: {rows[worst]}: {result[worst]!r}"


@pytest.mark.parametrize(("method", "alpha", "side"), INTERVALS)
def test_ten_digits_of_every_limit(method, alpha, side):
    rows = INTERVALS[method, alpha, side]
    table = tables(rows)
    interval = find_method(method, "interval", PairedTable)(table, alpha=float(alpha), side=side)
    # A limit of the difference is the estimate and a distance, one of the reduction is 1 less a
    # ratio: where these nearly cancel, digits of the limit go as they do in any float arithmetic.
    ratio = np.maximum(table.count_b.errors, 1) / np.maximum(table.count_a.errors, 1)
    near = {"difference": np.abs(table.difference), "odds": 0.0, "reduction": np.maximum(1.0, ratio)}
    for end in ("low", "high"):
        expected = np.array([float(row[end]) for row in rows])
        assert_ten_digits(getattr(interval, end), expected, rows, near[interval.parameter])


@pytest.mark.parametrize(("label", "alternative"), TESTS)
def test_ten_digits_of_every_p_value_and_statistic(label, alternative):
    rows = TESTS[label, alternative]
    name, options = called(label)
    result = find_method(name, "test", PairedTable)(tables(rows), alternative=alternative, **options)
    pvalues = np.array([float(row["pvalue"]) for row in rows])
    assert_ten_digits(result.pvalue, np.maximum(pvalues, SMALLEST), rows)
    if rows[0]["statistic"]:
        statistics = np.array([float(row["statistic"]) for row in rows])
        statistic = np.abs(result.statistic) if name == "two-se" else result.statistic
        assert_ten_digits(statistic, statistics, rows)


@pytest.mark.parametrize(("method", "alpha", "side"), [each for each in INTERVALS if each[1:] == ("0.05", "two")])
def test_one_table_at_a_time_gives_the_same_limits(method, alpha, side):
    rows = INTERVALS[method, alpha, side]
    function = find_method(method, "interval", PairedTable)
    together = function(tables(rows))
    for index, row in enumerate(rows):
        alone = function(PairedTable(*(int(row[cell]) for cell in CELLS)))
        assert alone.shape == ()
        assert_allclose([alone.low, alone.high], [together.low[index], together.high[index]], rtol=1e-10)


@pytest.mark.parametrize(("label", "alternative"), [each for each in TESTS if each[1] == "two-sided"])
def test_one_table_at_a_time_gives_the_same_p_values(label, alternative):
    rows = TESTS[label, alternative]
    name, options = called(label)
    function = find_method(name, "test", PairedTable)
    together = function(tables(rows), **options)
    for index, row in enumerate(rows):
        alone = function(PairedTable(*(int(row[cell]) for cell in CELLS)), **options)
        assert alone.shape == ()
        expected = [together.statistic[index], together.pvalue[index]]
        assert_allclose([alone.statistic, alone.pvalue], expected, rtol=1e-10)


def test_no_method_is_without_reference_values():
    names = {(method.name, method.gives) for method in find_methods(evidence=PairedTable)}
    in_tables = {(name, "interval") for name, *_ in INTERVALS} | {(called(label)[0], "test") for label, _ in TESTS}
    assert names == in_tables | set(ELSEWHERE)
    assert not in_tables & set(ELSEWHERE)
