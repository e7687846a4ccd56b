"""The majority inducer's laws (Martin and Hirschberg 1996, appendix A.4) against exact fractions and their print."""

import csv
import itertools
import math
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tellapart.errors import InvalidOption
from tellapart.lab import Majority, class_number_share, majority_bound, majority_error, typical_majority_error

TARGETS = Path(__file__).parent.parent / "targets"


def enumerated(shares, examples):
    """Every sequence of labels, in exact fractions."""
    total = Fraction(0)
    for labels in itertools.product(range(len(shares)), repeat=examples):
        counts = Counter(labels)
        chosen = min(counts, key=lambda label: (-counts[label], label))
        total += math.prod(shares[label] for label in labels) * (1 - shares[chosen])
    return total


@pytest.mark.parametrize(
    ("shares", "examples"),
    [
        ("6/10 4/10", 1),
        ("6/10 4/10", 8),
        ("4/10 6/10", 8),
        ("1/2 1/3 1/6", 6),
        ("1/4 1/4 1/2", 5),
        ("1/8 1/8 3/8 3/8", 5),
    ],
)
def test_every_sample_counted(shares, examples):
    exact = [Fraction(share) for share in shares.split()]
    assert_allclose(majority_error([float(p) for p in exact], examples), float(enumerated(exact, examples)), rtol=1e-12)


def test_against_samples():
    shares, rng = [0.2, 0.35, 0.45], np.random.default_rng(7)
    y = rng.choice(3, size=(40_000, 25), p=shares)
    errors = 1 - np.array(shares)[Majority().fit(np.zeros((40_000, 25, 1)), y).label]
    assert abs(errors.mean() - majority_error(shares, 25)) < 4 * errors.std() / 200


@pytest.mark.parametrize("examples", [1, 10, 51])
def test_the_footnote(examples):
    """Footnote 19: exactly 1 − p when p is 1 or 1/C, slightly greater between, and it converges."""
    assert_allclose(majority_error([1.0, 0.0, 0.0], examples), 0, atol=1e-14)
    assert_allclose(majority_error([1 / 3] * 3, examples), 2 / 3, rtol=1e-12)
    assert majority_error([0.6, 0.4], examples) > 0.4
    assert_allclose(majority_error([0.6, 0.4], 1000), 0.4, atol=1e-8)
    assert majority_error([0.6, 0.4]) == 0.4


def test_the_bound():
    """The mean of 1 − p for p uniform on [1/C, 1], and the file's words."""
    with (TARGETS / "s0_priors_a4.csv").open(newline="") as file:
        row = next(row for row in csv.DictReader(file) if row["prior"] == "majority inducer")
    assert row["computed"] == "0.5(1-1/C)"
    for classes in (1, 2, 3, 10):
        p = np.linspace(1 / classes, 1, 1001)
        assert_allclose(majority_bound(classes), (1 - p).mean(), rtol=1e-12, atol=1e-15)


def test_what_was_drawn_through_118_data_sets():
    """exp(−0.83 C) and 0.86 (1 − 1.39 / C); together they give the printed overall average error, 39%, to 2 pp."""
    with (TARGETS / "s0_coefficients.csv").open(newline="") as file:
        text = [row["implement"] for row in csv.DictReader(file) if row["formula"] == "Fig8b"]
    assert text == ["exp(-0.83 C)", "0.86(1-1.39/C)"]
    assert_allclose([typical_majority_error(2), typical_majority_error(26)], [0.86 * 0.305, 0.86 * (1 - 1.39 / 26)])
    number = range(2, 60)
    shares = [class_number_share(classes) for classes in number]
    assert_allclose(sum(shares), 1, rtol=1e-12)
    assert_allclose(np.diff(np.log(shares)), -0.83, rtol=1e-9)
    mean = sum(share * typical_majority_error(classes) for share, classes in zip(shares, number, strict=True))
    assert abs(mean - 0.39) < 0.02


@pytest.mark.parametrize(
    "call",
    [
        lambda: majority_error([0.5, 0.6]),
        lambda: majority_error([0.5, -0.5, 1.0]),
        lambda: majority_error([0.5, 0.5], 0),
        lambda: majority_error([0.5, 0.5], 10**6),
        lambda: majority_bound(0),
        lambda: typical_majority_error(1),
        lambda: class_number_share(2.5),
    ],
)
def test_what_cannot_be(call):
    with pytest.raises(InvalidOption):
        call()
