"""The forms of his two tests that Dietterich (1998) prints, against 20 digits of mpmath (tests/references)."""

import csv
from ast import literal_eval
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tellapart import PairedTable
from tellapart.errors import InvalidOption
from tellapart.methods.paired_table.proportions import difference_of_proportions
from tellapart.reproduce.dietterich.printed_tests import mcnemar_as_printed, proportions_as_printed

REFERENCES = Path(__file__).parents[1] / "references"
FORMS = {"mcnemar_as_printed": mcnemar_as_printed, "proportions_as_printed": proportions_as_printed}
SMALLEST = np.finfo(float).tiny  # stands for every p-value below it


def reference_values():
    """Return rows of tables, statistics and p-values, by the call they are of and the alternative."""
    with (REFERENCES / "paired_table_tests.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["method"].split()[0] in FORMS]
    key = itemgetter("method", "alternative")
    return {call: list(group) for call, group in groupby(sorted(rows, key=key), key)}


REFERENCE = reference_values()


def call(label, rows, alternative):
    """Return what a call such as "proportions_as_printed continuity=False" gives of these rows."""
    name, *options = label.split()
    keywords = {key: literal_eval(value) for key, value in (option.split("=") for option in options)}
    cells = ("both_wrong", "only_a_wrong", "only_b_wrong", "both_right")
    table = PairedTable(*(np.array([int(row[cell]) for row in rows]) for cell in cells))
    return FORMS[name](table, alternative=alternative, **keywords)


def test_there_are_values_of_every_form():
    assert len({label for label, _ in REFERENCE}) == 4


@pytest.mark.parametrize(("label", "alternative"), REFERENCE)
def test_ten_digits_of_every_p_value_and_statistic(label, alternative):
    rows = REFERENCE[label, alternative]
    result = call(label, rows, alternative)
    statistics, pvalues = (np.array([float(row[name]) for row in rows]) for name in ("statistic", "pvalue"))
    assert_allclose(result.statistic, statistics, rtol=1e-10, atol=1e-30)
    assert_allclose(result.pvalue, np.maximum(pvalues, SMALLEST), rtol=1e-10)


@pytest.mark.parametrize(("label", "alternative"), [each for each in REFERENCE if each[1] == "two-sided"])
def test_one_table_at_a_time_gives_the_same(label, alternative):
    rows = REFERENCE[label, alternative]
    together = call(label, rows, alternative)
    for index, row in enumerate(rows):
        alone = call(label, [row], alternative)
        expected = [together.statistic[index], together.pvalue[index]]
        assert_allclose([alone.statistic[0], alone.pvalue[0]], expected, rtol=1e-10)


def test_two_independent_sets_without_correction_are_the_method_itself():
    table = PairedTable([20, 0, 3], [25, 0, 5], [10, 0, 5], [45, 100, 40])
    form = proportions_as_printed(table, variance="independent", continuity=False)
    assert form.pvalue.tolist() == difference_of_proportions(table).pvalue.tolist()


def test_an_unknown_variance_is_refused():
    with pytest.raises(InvalidOption, match="`variance` must be one of 'independent', 'paired', got 'pooled'"):
        proportions_as_printed(PairedTable(1, 2, 3, 4), variance="pooled")
