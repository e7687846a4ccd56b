"""Margins from the smallest float to the largest below 1: a right answer, or one line and exit status 2."""

from itertools import product

import pytest
from click.testing import CliRunner

from tellapart.cli import main

TINY, LARGE, REFUSED = (
    ("5e-324", "1e-308", "1e-17"),
    ("0.999999", "0.9999999999999999"),
    ("1", "0", "-0.1", "nan", "inf"),
)
TABLES = ("0 0 0 5", "5 0 0 0", "0 5 0 0", "0 0 5 0", "3 4 1 92")


def run(*arguments):
    return CliRunner().invoke(main, arguments)


def is_one_line(text):
    return len(text.strip().splitlines()) == 1


@pytest.mark.parametrize("method", ["tango", "tango-bcf", "scas-paired", "mcnemar-evalue"])
@pytest.mark.parametrize("margin", TINY)
def test_a_gate_with_a_tiny_margin_is_undecided_on_five_equal_examples(margin, method):
    """Five examples cannot demonstrate such a margin, and neither can a thousand million."""
    result = run("gate", "--table", "0", "0", "0", "5", "--margin", margin, "--method", method)
    assert result.exit_code == 3
    assert "NOT ENOUGH EVIDENCE" in result.output


@pytest.mark.parametrize("margin", [*TINY, *LARGE])
def test_a_gate_with_any_margin_has_a_verdict(margin):
    for table in TABLES:
        assert run("gate", "--table", *table.split(), "--margin", margin).exit_code in {0, 1, 3}, table


@pytest.mark.parametrize("margin", [*TINY, *LARGE])
@pytest.mark.parametrize("hypothesis", ["non-inferior", "equivalent"])
def test_a_plan_with_any_margin_is_an_answer_or_one_line(margin, hypothesis):
    evidence = (("--disagreement", "0.05"), ("--error", "0.1", "--independent"))
    request = (("--difference", "0", "--power", "0.8"), ("--examples", "50", "--difference", "0"))
    for source, expected in product(evidence, request):
        result = run("plan", "--margin", margin, "--hypothesis", hypothesis, *expected, *source)
        assert result.exit_code == 0 or (result.exit_code == 2 and is_one_line(result.stderr)), (source, result.output)


@pytest.mark.parametrize("margin", [*TINY, *LARGE])
@pytest.mark.parametrize("hypothesis", ["non-inferior", "superior", "equivalent"])
def test_a_comparison_takes_any_margin(margin, hypothesis):
    for table in TABLES:
        assert run("compare", "--table", *table.split(), "--margin", margin, "--hypothesis", hypothesis).exit_code == 0


@pytest.mark.parametrize("margin", REFUSED)
@pytest.mark.parametrize(
    "command", ["gate --table 0 0 0 5", "compare --table 0 0 0 5", "plan --difference 0 --power 0.8 --disagreement 0.1"]
)
def test_an_invalid_margin_is_one_line_and_status_2(command, margin):
    result = run(*command.split(), "--margin", margin)
    assert result.exit_code == 2
    assert is_one_line(result.stderr)


@pytest.mark.parametrize("margin", ["5e-324", "1e-308", "1e-12"])
def test_a_margin_that_no_test_set_can_demonstrate_is_reported_as_such(margin):
    """By Connor's formula it takes (1.645 + 0.842)² 0.05/1e-24, which is 3e23 examples."""
    result = run("plan", "--margin", margin, "--difference", "0", "--power", "0.8", "--disagreement", "0.05")
    assert result.exit_code == 0
    assert "More than 1,000,000,000 examples" in result.output


def test_a_threshold_of_the_smallest_float_can_be_planned_for():
    result = run("plan", "--against", "5e-324", "--error", "0.3", "--power", "0.8", "--alternative", "greater")
    assert result.exit_code == 0 or is_one_line(result.stderr)
