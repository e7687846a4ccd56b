"""Contact lenses: the published 24 rows, and true errors by counting."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tellapart.errors import InvalidOption
from tellapart.lab import Constant, ContactLenses, NearestNeighbours, NominalRule

# Cendrowska's table as the UCI repository has it, row by row: 1 hard, 2 soft, 3 none. Its attributes run as ours do.
PUBLISHED = "3231 3231 3231 3233 3331 3233".replace(" ", "")


def test_the_rules_are_the_published_rows():
    lenses = ContactLenses()
    assert_array_equal(lenses.bayes_rule(lenses.cells), [{"1": 2, "2": 1, "3": 0}[row] for row in PUBLISHED])
    assert (lenses.attributes, lenses.classes, lenses.points, lenses.bayes_error) == (4, 3, 24, 0)


@pytest.mark.parametrize("error", [0.0, 0.001, 0.05, 0.25, 2 / 3])
def test_the_best_rule_has_the_inherent_error(error):
    lenses = ContactLenses(error)
    rule = NominalRule(lenses.bayes_rule(lenses.cells), lenses.values)
    assert_allclose([lenses.true_error(rule), lenses.bayes_error], error, atol=1e-15)
    assert lenses.how(rule) == "exact"


def test_labels_are_wrong_as_often_as_stated():
    """Of 240 000 labels; five standard deviations are allowed."""
    lenses = ContactLenses(0.1)
    x, y = lenses.draw((1000,), 240, 7)
    assert x.shape == (1000, 240, 4)
    assert y.shape == (1000, 240)
    wrong = (y - lenses.bayes_rule(x)) % 3
    assert_allclose([np.mean(wrong == 1), np.mean(wrong == 2)], 0.05, atol=5 * np.sqrt(0.05 * 0.95 / 240_000))
    _, often = np.unique(x.reshape(-1, 4), axis=0, return_counts=True)
    assert often.size == 24
    assert_allclose(often / 240_000, 1 / 24, atol=5 * np.sqrt(1 / 24 / 240_000))


def test_true_errors_are_counted_cell_by_cell():
    lenses = ContactLenses(0.2)
    rules = NearestNeighbours(1).fit(*lenses.draw((5,), 30, 3))
    chance = lenses.posterior(lenses.cells)
    assert_allclose(chance.sum(axis=-1), 1)
    message = rules.predict(lenses.cells)
    by_hand = [np.mean([1 - chance[cell, label] for cell, label in enumerate(row)]) for row in message]
    assert_allclose(lenses.true_error(rules), by_hand)
    # Of 24 cells, 15, 5 and 4 have the classes: 1 − (0.8 × n + 0.1 × (24 − n)) / 24.
    assert_allclose(lenses.true_error(Constant(np.arange(3))), [0.4625, 0.754166666666, 0.783333333333])


def test_the_same_seed_gives_the_same_sample():
    first, second = (ContactLenses(0.1).draw((2,), 10, 5) for _ in range(2))
    assert_array_equal(first[0], second[0])
    assert_array_equal(first[1], second[1])


def test_it_says_what_it_is():
    lenses = ContactLenses(0.05)
    assert "label noise 5%" in lenses.describe()
    assert repr(lenses) == "ContactLenses(error=0.05)"
    assert lenses.as_dict() == {"population": "ContactLenses", "error": 0.05}


@pytest.mark.parametrize("error", [0.7, -0.1, "much"])
def test_no_such_error(error):
    with pytest.raises(InvalidOption, match="`error` must"):
        ContactLenses(error)
