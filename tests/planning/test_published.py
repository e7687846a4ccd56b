"""Sample sizes and powers that others print, each with where.

Connor's were read off the page; O'Brien's, R's and Fleiss's are recalled from theirs.
"""

import math

import pytest

from tellapart.planning import plan

CONNOR = [  # lone errors of each, alternative, power, size: powerandsamplesize.com, paired proportions, after Connor
    (0.45, 0.05, "two-sided", 0.8, 23),
    (0.45, 0.05, "greater", 0.9, 23),
]


@pytest.mark.parametrize(("a", "b", "alternative", "power", "size"), CONNOR)
def test_connors_formula_as_a_calculator_prints_it(a, b, alternative, power, size):
    planned = plan(difference=a - b, disagreement=a + b, power=power, method="mcnemar", alternative=alternative)
    assert math.ceil(planned.formula) == size


def test_obriens_power_of_the_exact_test():
    """O'Brien (2002), as the manual of G*Power has it: 50 pairs, 40 % discordant, odds of 4, one-sided."""
    options = {"examples": 50, "disagreement": 0.4, "method": "mcnemar-exact", "alternative": "greater"}
    assert plan(difference=0.24, **options).power == pytest.approx(0.839, abs=5e-4)
    assert plan(difference=0.0, **options).power == pytest.approx(0.032578, abs=1e-6)  # its "actual alpha"


def test_the_examples_of_power_prop_test():
    """The help page of R's power.prop.test: n = 76.7, power = 0.740."""
    options = {"error_a": 0.75, "error_b": 0.5, "independent": True, "method": "pooled-z"}
    assert plan(power=0.9, **options).formula == pytest.approx(76.7, abs=0.05)
    assert plan(examples=50, **options).formula == pytest.approx(0.740, abs=5e-4)


@pytest.mark.parametrize(("method", "size"), [("pooled-z", 435), ("fisher", 474)])
def test_five_percent_against_ten(method, size):
    """Fleiss's textbook case at a power of 0.8: 435 of each, 474 with the correction for continuity."""
    planned = plan(power=0.8, error_a=0.1, error_b=0.05, independent=True, method=method)
    assert math.ceil(planned.formula) == size
