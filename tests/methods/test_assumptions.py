"""Assumptions: which methods carry which, and that their facts are complete."""

import pytest

from tellapart.bibliography import REFERENCES
from tellapart.methods import assumptions, find_methods
from tellapart.methods.assumptions import (
    ANDERSON_SCLOVE,
    HODGES_LEHMANN,
    MENDENHALL,
    MITCHELL_PRODUCT,
    MITCHELL_SIZE,
    Assumption,
)

ALL = [value for value in vars(assumptions).values() if isinstance(value, Assumption)]
CRITERIA = {HODGES_LEHMANN, ANDERSON_SCLOVE, MENDENHALL, MITCHELL_SIZE, MITCHELL_PRODUCT}
NAMES = {method.name for method in find_methods()}
WITHOUT = {"TA105", "TA110"}  # no method makes up for disagreements that are not there
LEANING = {"wald", "wald-cc", "wilson", "wilson-cc", "agresti-coull", "arcsine", "logit", "likelihood-ratio"}


@pytest.mark.parametrize("method", find_methods(question=1), ids=lambda method: f"{method.name}-{method.gives}")
def test_every_criterion_sits_on_every_method_that_leans_on_the_normal(method):
    """Three criteria of Martin and Hirschberg and two of Mitchell, on all that put a normal quantile to use."""
    carried = CRITERIA & set(method.assumes)
    assert carried == (CRITERIA if method.name in LEANING else set())


def test_a_code_means_one_thing():
    codes = [assumption.code for assumption in ALL]
    assert len(codes) == len(set(codes))
    assert "TA010" not in codes  # what a forbidden method carries


@pytest.mark.parametrize("assumption", ALL, ids=lambda assumption: assumption.code)
def test_an_assumption_says_what_it_needs_and_what_else_to_do(assumption):
    assert assumption.needs
    assert assumption.broken
    assert assumption.code in WITHOUT or any(name in assumption.otherwise for name in NAMES)
    assert assumption.source is None or assumption.source in REFERENCES
