"""Trees on nominal attributes against a slow tree in exact fractions, and their laws."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import stats

from tellapart.errors import InvalidOption
from tellapart.lab import ContactLenses, NominalRule, NominalTree, sample_learners
from tellapart.lab.inducers.nominal_trees import differ

# --- A slow tree, example by example ----------------------------------------------------------------


def probability(table):
    """Return the multiple hypergeometric probability of a table, its margins given."""
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    above = math.prod(map(math.factorial, rows)) * math.prod(map(math.factorial, columns))
    below = math.factorial(sum(rows)) * math.prod(math.factorial(entry) for row in table for entry in row)
    return Fraction(above, below)


def tables_like(rows, columns):
    """Yield all tables of these margins."""
    if len(rows) == 1:
        yield (tuple(columns),)
        return
    for row in itertools.product(*(range(min(rows[0], column) + 1) for column in columns)):
        if sum(row) == rows[0]:
            for rest in tables_like(rows[1:], [column - entry for column, entry in zip(columns, row, strict=True)]):
                yield (row, *rest)


def exact_p(table):
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    seen = probability(table)
    return sum(each for other in tables_like(rows, columns) if (each := probability(other)) <= seen)


def grown(examples, values, classes, alpha, above=0):
    """Return what a tree says of every cell, as a dictionary; `examples` are pairs of attributes and label."""
    counts = [sum(label == each for _, label in examples) for each in range(classes)]
    label = counts.index(max(counts)) if examples else above
    result = {}
    splits = {}
    for attribute, many in enumerate(values):
        if many:
            branches = [[example for example in examples if example[0][attribute] == value] for value in range(many)]
            if sum(map(bool, branches)) > 1:
                table = [[sum(label == each for _, label in branch) for each in range(classes)] for branch in branches]
                splits[attribute] = probability(table), branches, table
    if max(counts, default=0) < len(examples) and splits:
        best = min(splits, key=lambda attribute: splits[attribute][0])
        _, branches, table = splits[best]
        if alpha is None or exact_p(table) <= alpha:
            settings = tuple(0 if attribute == best else many for attribute, many in enumerate(values))
            for value, branch in enumerate(branches):
                for cell, message in grown(branch, settings, classes, alpha, label).items():
                    result[(*cell[:best], value, *cell[best + 1 :])] = message
            return result
    return dict.fromkeys(itertools.product(*(range(many) if many else (0,) for many in values)), label)


@pytest.mark.parametrize("alpha", [None, Fraction(1, 20), Fraction(1, 4)])
@pytest.mark.parametrize("error", [0.001, 0.25])
@pytest.mark.parametrize("examples", [6, 24, 40])
def test_a_slow_tree_says_the_same(alpha, error, examples):
    lenses = ContactLenses(error)
    x, y = lenses.draw((10,), examples, 11)
    result = NominalTree(lenses.values, None if alpha is None else float(alpha)).fit(x, y).labels
    for sample in range(10):
        pairs = [
            (tuple(row), label) for row, label in zip(x[sample].astype(int).tolist(), y[sample].tolist(), strict=True)
        ]
        slow = grown(pairs, lenses.values, 3, alpha)
        assert_array_equal(result[sample], [slow[cell] for cell in sorted(slow)])


# --- The exact test ---------------------------------------------------------------------------------


def test_the_exact_test_of_two_by_two_is_fishers():
    tables = np.random.default_rng(1).integers(0, 9, size=(200, 2, 2)) + np.eye(2, dtype=int)
    for table in tables:
        pvalue = stats.fisher_exact(table).pvalue
        assert differ(table[None], pvalue * 1.001)[0]
        assert not differ(table[None], pvalue * 0.999)[0]


def test_the_exact_test_of_larger_tables_in_fractions():
    tables = np.random.default_rng(2).integers(0, 5, size=(60, 3, 3)) + np.eye(3, dtype=int)
    for table in tables:
        pvalue = float(exact_p(table.tolist()))
        assert differ(table[None], pvalue * (1 + 1e-9))[0]
        assert not differ(table[None], pvalue * (1 - 1e-6))[0]


def test_tables_are_tested_together_as_alone():
    tables = np.random.default_rng(3).integers(0, 7, size=(300, 3, 3)) + 1
    assert_array_equal(differ(tables, 0.3), [differ(table[None], 0.3)[0] for table in tables])


def test_large_counts():
    """Too many for one number to hold the margins; SciPy says 0.0476."""
    table = np.array([[25_000, 25_000], [25_313, 24_687]])
    assert abs(stats.fisher_exact(table).pvalue - 0.048) < 0.001
    assert differ(table[None], 0.05)[0]
    assert not differ(table[None], 0.045)[0]
    assert not differ(table[None], 0.0)[0]


# --- Laws -------------------------------------------------------------------------------------------


def test_the_rules_are_learnt_from_every_cell_once():
    lenses = ContactLenses()
    tree = NominalTree(lenses.values).fit(lenses.cells, lenses.bayes_rule(lenses.cells))
    assert lenses.true_error(tree) == 0
    assert tree.shape == ()


def test_an_unpruned_tree_goes_on_where_no_attribute_helps_by_itself():
    """Exclusive or: the first attribute alone says nothing about the class."""
    x, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    assert_array_equal(NominalTree((2, 2)).fit(x, y).labels, y)
    assert_array_equal(NominalTree((2, 2), alpha=0.05).fit(x, y).labels, 0)


def test_an_empty_branch_has_the_class_of_the_node_above():
    rule = NominalTree((3,)).fit([[0], [0], [2]], [1, 1, 0])
    assert_array_equal(rule.labels, [1, 1, 0])


def test_leaves_of_equals_have_the_smallest_label():
    assert_array_equal(NominalTree((2,)).fit([[0], [0], [1]], [2, 1, 2]).labels, [1, 2])


def test_a_batch_is_a_loop():
    lenses = ContactLenses(0.1)
    x, y = lenses.draw((4, 3), 30, 2)
    for tree in (NominalTree(lenses.values), NominalTree(lenses.values, alpha=0.05)):
        together = tree.fit(x, y)
        assert together.shape == (4, 3)
        assert together.predict(x).shape == (4, 3, 30)
        assert together.predict(x[0, 0]).shape == (4, 3, 30)
        for index in np.ndindex(4, 3):
            assert_array_equal(tree.fit(x[index], y[index]).labels, together.labels[index])


def test_a_stopped_tree_fits_its_sample_no_better():
    lenses = ContactLenses(0.25)
    trees = {"stopped": NominalTree(lenses.values, alpha=0.05), "unpruned": NominalTree(lenses.values)}
    result = sample_learners(lenses, trees, 36, ["apparent"], samples=200).estimates("apparent")
    assert np.all(result[:, 0] >= result[:, 1])
    assert result[:, 0].mean() > result[:, 1].mean() + 0.1


def test_at_alpha_one_nothing_is_stopped_at_zero_everything():
    lenses = ContactLenses(0.1)
    x, y = lenses.draw((50,), 40, 4)
    unpruned = NominalTree(lenses.values).fit(x, y).labels
    assert_array_equal(NominalTree(lenses.values, alpha=1.0).fit(x, y).labels, unpruned)
    whole = NominalTree(lenses.values, alpha=0.0).fit(x, y).labels
    assert np.all(whole == whole[:, :1])


def test_names():
    assert NominalTree((2, 2)).name == "unpruned tree"
    assert NominalTree((2, 2), alpha=0.05).name == "stopped tree"
    assert NominalTree((2,), alpha=0.05).as_dict() == {"inducer": "NominalTree", "values": [2], "alpha": 0.05}


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: NominalTree(()), "`values` must give a tree of at most"),
        (lambda: NominalTree((9, 9, 9, 9)), "`values` must give a tree of at most"),
        (lambda: NominalTree((0,)), "`values` must"),
        (lambda: NominalTree((2,), alpha=1.5), "`alpha` must"),
        (lambda: NominalTree((2,)).fit([[0], [2]], [0, 1]), "`X` must hold values 0, 1, 2"),
        (lambda: NominalTree((2,)).fit([[0], [0.5]], [0, 1]), "`X` must hold values 0, 1, 2"),
        (lambda: NominalTree((2, 2)).fit([[0], [1]], [0, 1]), "`X` must have 2 attributes"),
        (lambda: NominalTree((2,)).fit([[0], [1]], [0]), "`X` must have shape"),
        (lambda: NominalTree((2,)).fit([[0], [1]], [0, -1]), "`y` must hold labels"),
        (lambda: NominalRule(np.array([0, 1]), (2,)).predict([[2]]), "`X` must hold values"),
    ],
)
def test_bad_input(make, match):
    with pytest.raises(InvalidOption, match=match):
        make()
