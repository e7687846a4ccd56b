"""PairedTable: who was wrong where. Every way to make one agrees, and A and B are never mixed up."""

import copy
import json
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tellapart.errors import InvalidEvidence
from tellapart.evidence import ErrorCount, IndependentCounts, PairedTable

CELLS = ("both_wrong", "only_a_wrong", "only_b_wrong", "both_right")
laws = settings(derandomize=True, deadline=None, max_examples=12)

examples = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=40
)


@st.composite
def tables(draw, size=None, largest=10**9):
    shape = () if size is None else (size,)
    cells = [draw(st.lists(st.integers(0, largest), min_size=size or 1, max_size=size or 1)) for _ in CELLS]
    cells[3] = [cell + 1 for cell in cells[3]]  # every table has an example
    return PairedTable(*(np.reshape(cell, shape) for cell in cells))


def cells_of(table):
    return tuple(np.asarray(getattr(table, cell)).tolist() for cell in CELLS)


def by_hand(rows):
    """Count (truth, A, B) one after the other, in words."""
    result = dict.fromkeys(CELLS, 0)
    for truth, a, b in rows:
        if truth not in (a, b):
            result["both_wrong"] += 1
        elif a != truth:
            result["only_a_wrong"] += 1
        elif b != truth:
            result["only_b_wrong"] += 1
        else:
            result["both_right"] += 1
    return tuple(result.values())


# --- Which cell is which -------------------------------------------------------------------------


def test_only_a_wrong_is_a_wrong_and_b_right():
    """Dietterich's n01; the classic bug of the field is to swap it."""
    table = PairedTable.from_predictions(["cat"], ["dog"], ["cat"])
    assert cells_of(table) == (0, 1, 0, 0)
    assert table.difference == 1  # error(A) − error(B): B is better
    assert PairedTable.from_correct(a=[False], b=[True]).only_a_wrong == 1


def test_only_b_wrong_is_b_wrong_and_a_right():
    """Dietterich's n10."""
    table = PairedTable.from_predictions(["cat"], ["cat"], ["dog"])
    assert cells_of(table) == (0, 0, 1, 0)
    assert table.difference == -1
    assert PairedTable.from_correct(a=[True], b=[False]).only_b_wrong == 1


def test_both_wrong_in_different_ways_is_both_wrong():
    assert cells_of(PairedTable.from_predictions(["cat"], ["dog"], ["cow"])) == (1, 0, 0, 0)


def test_what_the_cells_say():
    table = PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)
    assert (table.examples, table.disagreements, table.shape) == (100, 35, ())
    assert table.difference == 0.15
    assert (table.count_a.errors, table.count_b.errors) == (45, 30)
    assert table.count_a.trials == table.count_b.trials == 100
    assert_allclose(table.difference, table.count_a.rate - table.count_b.rate, rtol=1e-15)
    assert all(type(getattr(table, cell)) is np.int64 for cell in CELLS)


@laws
@given(tables(size=4))
def test_errors_of_each_and_of_both_add_up(table):
    assert_array_equal(table.count_a.errors - table.count_b.errors, table.only_a_wrong - table.only_b_wrong)
    assert_array_equal(table.disagreements + table.both_wrong + table.both_right, table.examples)


@pytest.mark.parametrize(
    ("only_a", "only_b", "expected"), [(25, 10, 15 / 35), (10, 25, 15 / 35), (7, 7, 0), (3, 0, 1), (0, 4, 1), (0, 0, 0)]
)
def test_the_essential_difference_is_the_share_of_disagreements_that_does_not_cancel(only_a, only_b, expected):
    """Yang 2006: R = |error(A) − error(B)| / P(they disagree), from 0 to 1."""
    result = PairedTable(5, only_a, only_b, 60).essential_difference
    assert_allclose(result, expected, rtol=1e-15)
    assert type(result) is np.float64


def test_essential_differences_of_many():
    assert_allclose(PairedTable(1, [0, 3, 2], [0, 0, 6], 1).essential_difference, [0, 1, 0.5])


# --- Every way to make one -----------------------------------------------------------------------


@laws
@given(examples)
def test_counts_predictions_and_outcomes_agree(rows):
    truth, a, b = (np.array(column) for column in zip(*rows, strict=True))
    expected = by_hand(rows)
    assert cells_of(PairedTable(*expected)) == expected
    assert cells_of(PairedTable.from_predictions(truth, a, b)) == expected
    assert cells_of(PairedTable.from_correct(a == truth, b == truth)) == expected
    assert cells_of(PairedTable.from_correct((a == truth).astype(int), (b == truth).astype(float))) == expected


ROWS = [
    ("cat", "cat", "cat"),
    ("cat", "dog", "cat"),
    ("dog", "dog", "cat"),
    ("dog", "cat", "cat"),
    ("cow", "cow", "cow"),
]
CODES = {"cat": 0, "dog": 1, "cow": 2}
KINDS = {
    "ints": lambda names: [CODES[name] for name in names],
    "unsigned": lambda names: np.array([CODES[name] for name in names], dtype=np.uint8),
    "floats": lambda names: np.array([CODES[name] / 2 for name in names]),
    "strings": list,
    "fixed strings": np.array,
    "bytes": lambda names: [name.encode() for name in names],
    "objects": lambda names: np.array(names, dtype=object),
    "mixed objects": lambda names: np.array([1 if name == "cat" else name for name in names], dtype=object),
    "dates": lambda names: np.array([f"2020-01-0{CODES[name] + 1}" for name in names], dtype="M8[D]"),
    "pandas": pd.Series,
    "pandas with an index of its own": lambda names: pd.Series(names, index=range(10, 10 + len(names))),
    "pandas categories": lambda names: pd.Series(names, dtype="category"),
    "pandas nullable ints": lambda names: pd.Series([CODES[name] for name in names], dtype="Int64"),
    "pandas strings": lambda names: pd.Series(names, dtype="string"),
    "pandas index": pd.Index,
}


@pytest.mark.parametrize("kind", KINDS)
def test_labels_may_be_of_any_type(kind):
    truth, a, b = (KINDS[kind](column) for column in zip(*ROWS, strict=True))
    assert cells_of(PairedTable.from_predictions(truth, a, b)) == by_hand(ROWS) == (1, 1, 1, 2)


def test_booleans_and_numbers_are_one_kind():
    table = PairedTable.from_predictions([True, False, True], [1, 0, 0], [1.0, 1.0, 1.0])
    assert cells_of(table) == (0, 1, 1, 1)


@pytest.mark.parametrize("as_kind", [list, np.array, pd.Series, lambda values: pd.Series(values, dtype="boolean")])
def test_outcomes_may_come_as_lists_arrays_and_series(as_kind):
    table = PairedTable.from_correct(as_kind([True, False, True]), as_kind([True, True, False]))
    assert cells_of(table) == (0, 1, 1, 1)


def test_counting_in_chunks_is_counting_at_once():
    """Far more labels than are compared at a time."""
    rng = np.random.default_rng(0)
    truth, a, b = rng.integers(0, 3, (3, 200_000))
    wrong_a, wrong_b = a != truth, b != truth
    expected = tuple(int(cell.sum()) for cell in (wrong_a & wrong_b, wrong_a & ~wrong_b, ~wrong_a & wrong_b))
    for kind in (np.asarray, lambda labels: labels.astype("U1"), lambda labels: labels.astype(float)):
        assert cells_of(PairedTable.from_predictions(kind(truth), kind(a), kind(b)))[:3] == expected
    assert cells_of(PairedTable.from_correct(~wrong_a, ~wrong_b))[:3] == expected


def test_floats_that_are_whole_are_counts():
    assert cells_of(PairedTable(1.0, np.float32(2), np.uint8(3), 4)) == (1, 2, 3, 4)


# --- Bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ((-1, 2, 3, 4), "`both_wrong` must be whole numbers of 0 or more, got -1. Check its sign."),
        ((1, 2.5, 3, 4), "`only_a_wrong` must be whole numbers of 0 or more, got 2.5"),
        ((1, 2, np.nan, 4), "`only_b_wrong` must be whole numbers of 0 or more, got nan"),
        ((1, 2, 3, np.inf), "`both_right` must be at most 2**53, got inf. Larger counts are not exact."),
        (
            (1, 2, 3, 2**53 + 1),
            "`both_right` must be at most 2**53, got 9007199254740993. Larger counts are not exact.",
        ),
        ((1, 2, 3, 10**30), f"`both_right` must be at most 2**53, got {10**30}"),
        ((2**53, 1, 0, 0), "a table must hold at most 2**53 examples, got 9007199254740993."),
        ((0, 0, 0, 0), "a table must hold at least one example, got four zeros. Leave it out."),
        (([0, 1], 0, 0, 0), "a table must hold at least one example, got four zeros. Leave it out."),
        (
            ([1, 2], [1, 2, 3], 0, 1),
            "must have one shape, got (2,) and (3,) and () and ()",
        ),
        ((None, 2, 3, 4), "`both_wrong` must be whole numbers of 0 or more, got"),
        (("1", 2, 3, 4), "`both_wrong` must be whole numbers of 0 or more, got"),
        ((True, 2, 3, 4), "`both_wrong` must be whole numbers of 0 or more, got"),
        (([], [], [], []), "`both_wrong` must hold at least one count, got none. Leave empty batches out."),
        (
            ([[1], [2, 3]], 1, 1, 1),
            "`both_wrong` must be one array, got entries of different lengths. Make them equally long.",
        ),
    ],
)
def test_cells_that_cannot_be_are_refused(cells, message):
    with pytest.raises(InvalidEvidence) as caught:
        PairedTable(*cells)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("truth", "a", "b", "message"),
    [
        ([1, 2], [1, 2, 3], [1, 2], "`truth` and `predictions_a` must hold labels of the same examples, got 2 and 3"),
        ([1, 2], [1, 2], [1], "`truth` and `predictions_b` must hold labels of the same examples, got 2 and 1"),
        (
            ["1", "2"],
            [1, 2],
            ["1", "2"],
            "`truth` and `predictions_a` must hold labels of one kind, got texts against numbers.",
        ),
        (
            [1, 2],
            [1, 2],
            [b"1", b"2"],
            "`truth` and `predictions_b` must hold labels of one kind, got numbers against bytes.",
        ),
        (
            [1.0, np.nan],
            [1, 2],
            [1, 2],
            "`truth` must have no missing labels, got one at position 1. Drop the example, or count it as an error.",
        ),
        (
            ["a", "b"],
            ["a", None],
            ["a", "b"],
            "`predictions_a` must have no missing labels, got one at position 1.",
        ),
        (
            ["a", "b"],
            ["a", "b"],
            [np.nan, "b"],
            "`predictions_b` must have no missing labels, got one at position 0.",
        ),
        ([], [], [], "`truth` must hold at least one label, got none."),
        ([[1, 2]], [[1, 2]], [[1, 2]], "`truth` must be a vector of labels, got an array of shape (1, 2). Flatten it."),
        (1, 1, 1, "`truth` must be a vector of labels, got an array of shape (). Flatten it."),
        (
            np.ma.array([1, 2], mask=[False, True]),
            [1, 2],
            [1, 2],
            "`truth` must have no masked entries. Leave them out with .compressed(), or fill them.",
        ),
        (
            pd.Series([1, None], dtype="Int64"),
            [1, 2],
            [1, 2],
            "`truth` must have no missing labels, got one at position 1. Drop the example, or count it as an error.",
        ),
        (
            pd.Series(["a", None]),
            ["a", "b"],
            ["a", "b"],
            "`truth` must have no missing labels, got one at position 1. Drop the example, or count it as an error.",
        ),
    ],
)
def test_labels_that_say_nothing_are_refused(truth, a, b, message):
    with pytest.raises(InvalidEvidence) as caught:
        PairedTable.from_predictions(truth, a, b)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([0, 2], [0, 1], "`a` must be right (True or 1) or wrong (False or 0) for each example, got [0, 2]"),
        ([0, 1], [0.5, 1], "`b` must be right (True or 1) or wrong (False or 0) for each example, got [0.5, 1.0]"),
        (["yes", "no"], [0, 1], "For labels and predictions use from_predictions"),
        ([0, 1], [0, 1, 1], "`a` and `b` must have outcomes of the same examples, got 2 and 3."),
        (
            [0, np.nan],
            [0, 1],
            "`a` must have no missing labels, got one at position 1. Drop the example, or count it as an error.",
        ),
        ([], [], "`a` must hold at least one label, got none."),
        ([[0, 1]], [[0, 1]], "`a` must be a vector of labels, got an array of shape (1, 2). Flatten it."),
    ],
)
def test_outcomes_that_are_none_are_refused(a, b, message):
    with pytest.raises(InvalidEvidence) as caught:
        PairedTable.from_correct(a, b)
    assert message in str(caught.value)


@pytest.mark.parametrize("models", [("x",), ("x", "y", "z"), ("x", "x"), "AB", (1, 2), None, ("x", None)])
def test_models_are_two_different_names(models):
    with pytest.raises(InvalidEvidence, match="`models` must be two"):
        PairedTable(1, 2, 3, 4, models=models)


def test_the_largest_table_is_exact():
    table = PairedTable(2**51, 2**51 - 1, 2**51, 2**51 + 1)
    assert table.examples == 2**53
    assert table.count_a.errors == 2**52 - 1
    assert table.disagreements == 2**52 - 1
    assert_allclose(table.difference, -1 / 2**53, rtol=1e-15)


# --- A frozen value ------------------------------------------------------------------------------


def test_fields_cannot_be_set_and_arrays_are_our_own():
    mine = np.array([1, 2])
    table = PairedTable(mine, 2, 3, 4)
    with pytest.raises(FrozenInstanceError):
        table.both_wrong = 3
    for cell in CELLS:
        with pytest.raises(ValueError, match="read-only"):
            getattr(table, cell)[0] = 9
    mine[:] = 7
    assert table.both_wrong.tolist() == [1, 2]


@pytest.mark.parametrize("again", [copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))])  # noqa: S301  # our own bytes
def test_copies_and_pickles_say_the_same(again):
    table = PairedTable([1, 2], 3, 4, 5, models=("forest", "stump"))
    assert cells_of(again(table)) == cells_of(table)
    assert again(table).models == ("forest", "stump")


# --- Shape and [i] -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "shape"),
    [(([1, 2], 3, 4, 5), (2,)), (([1, 2], [[3], [4], [5]], 0, 1), (3, 2)), ((1, 2, 3, [[4]]), (1, 1))],
)
def test_cells_broadcast_to_one_shape(cells, shape):
    table = PairedTable(*cells)
    assert table.shape == shape
    for name, cell in zip(CELLS, cells, strict=True):
        assert_array_equal(getattr(table, name), np.broadcast_to(cell, shape))


def test_one_entry_is_picked_from_each_cell():
    table = PairedTable([[1, 2, 3]], [[4, 5, 6]], 7, [[8, 9, 10]], models=("forest", "stump"))
    assert cells_of(table[0, 1]) == (2, 5, 7, 9)
    assert table[0, 1].models == ("forest", "stump")
    assert table[0].shape == (3,)
    assert [cells_of(entry) for entry in table[0]] == [(1, 4, 7, 8), (2, 5, 7, 9), (3, 6, 7, 10)]
    assert cells_of(table[0][1:]) == ([2, 3], [5, 6], [7, 7], [9, 10])
    assert type(table[0, 1].both_wrong) is np.int64


def test_one_table_has_nothing_to_index():
    with pytest.raises(IndexError, match="this PairedTable is a single entry and cannot be indexed"):
        PairedTable(1, 2, 3, 4)[0]
    with pytest.raises(TypeError, match="this PairedTable is a single entry and cannot be iterated over"):
        iter(PairedTable(1, 2, 3, 4))
    with pytest.raises(IndexError):
        PairedTable([1, 2], 2, 3, 4)[2]


# --- A and B exchanged ---------------------------------------------------------------------------


@laws
@given(tables(size=3))
def test_exchanging_twice_changes_nothing(table):
    assert cells_of(table.swapped().swapped()) == cells_of(table)
    assert_array_equal(table.swapped().difference, -table.difference)
    assert_array_equal(table.swapped().count_a.errors, table.count_b.errors)
    assert_array_equal(table.swapped().essential_difference, table.essential_difference)


@laws
@given(examples)
def test_exchanging_predictions_exchanges_the_table(rows):
    truth, a, b = zip(*rows, strict=True)
    swapped = PairedTable.from_predictions(truth, b, a)
    assert cells_of(swapped) == cells_of(PairedTable.from_predictions(truth, a, b).swapped())


def test_names_go_with_their_models():
    table = PairedTable(1, 2, 3, 4, models=("forest", "stump"))
    assert table.swapped().models == ("stump", "forest")
    assert table.swapped().swapped().models == ("forest", "stump")
    assert PairedTable(1, 2, 3, 4).swapped().models == ("A", "B")  # A is whoever comes first


# --- Pooling -------------------------------------------------------------------------------------


@laws
@given(st.lists(examples, min_size=3, max_size=3))
def test_shards_add_up_to_the_whole(shards):
    parts = [PairedTable.from_predictions(*zip(*shard, strict=True)) for shard in shards]
    whole = PairedTable.from_predictions(*zip(*(row for shard in shards for row in shard), strict=True))
    assert cells_of(sum(parts)) == cells_of(whole) == cells_of(parts[0] + parts[1] + parts[2])


def test_many_tables_pool_entry_by_entry():
    pooled = PairedTable([1, 2], 0, 0, 1) + PairedTable([10, 20], 5, 0, 1)
    assert cells_of(pooled) == ([11, 22], [5, 5], [0, 0], [2, 2])
    assert (PairedTable([1, 2], 0, 0, 1) + PairedTable(1, 1, 1, 1)).shape == (2,)


def test_only_tables_of_the_same_models_pool():
    one, other = PairedTable(1, 2, 3, 4, models=("forest", "stump")), PairedTable(1, 2, 3, 4)
    assert (one + one).models == ("forest", "stump")
    with pytest.raises(InvalidEvidence, match="`models` must be the same in counts that are added"):
        one + other
    with pytest.raises(InvalidEvidence, match="`models` must be the same in counts that are added"):
        one + one.swapped()


@pytest.mark.parametrize("other", [1, None, "table", ErrorCount(1, 2), IndependentCounts.from_counts(1, 2, 1, 2)])
def test_nothing_else_is_added(other):
    with pytest.raises(TypeError):
        PairedTable(1, 2, 3, 4) + other
    with pytest.raises(TypeError):
        other + PairedTable(1, 2, 3, 4)


def test_tables_that_do_not_fit_are_refused():
    with pytest.raises(InvalidEvidence, match="this table and that one must have one shape"):
        PairedTable([1, 2], 0, 0, 1) + PairedTable([1, 2, 3], 0, 0, 1)


def test_pooling_beyond_the_exact_counts_is_refused():
    with pytest.raises(InvalidEvidence, match="2\\*\\*53"):
        PairedTable(2**53, 0, 0, 0) + PairedTable(1, 0, 0, 0)


# --- In words and in JSON ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "table", [PairedTable(1, 2, 3, 4), PairedTable(0, 2**53, 0, 0), PairedTable(1, 2, 3, 4, models=("forest", "it's"))]
)
def test_what_is_shown_can_be_typed(table):
    again = eval(repr(table))  # noqa: S307  # our own text
    assert (cells_of(again), again.models) == (cells_of(table), table.models)


def test_many_are_shown_by_their_shape():
    assert repr(PairedTable([1, 2], 2, 3, 4)) == "PairedTable(shape=(2,))"


def test_a_dictionary_is_ready_for_json():
    values = json.loads(json.dumps(PairedTable(1, 2, 3, 4, models=("forest", "stump")).as_dict()))
    assert values == dict(zip(CELLS, (1, 2, 3, 4), strict=True)) | {"models": ["forest", "stump"]}
    many = json.loads(json.dumps(PairedTable([1, 2], 2, 3, 4).as_dict()))
    assert many["both_wrong"] == [1, 2]
    assert many["both_right"] == [4, 4]


def test_words_say_which_cell_is_which():
    assert PairedTable(20, 25, 10, 45).describe() == (
        "A wrong, B right: 25; A right, B wrong: 10; both wrong: 20; both right: 45"
    )
    named = PairedTable(20, 25, 10, 45, models=("forest", "stump")).describe()
    assert named.startswith("forest wrong, stump right: 25; forest right, stump wrong: 10;")
    assert PairedTable([1, 2], 2, 3, 4).describe() == "2 tables of paired outcomes"
    assert PairedTable([1], 2, 3, 4).describe() == "1 table of paired outcomes"


def test_floats_of_two_sizes_are_compared_in_the_smaller():
    """0.1 of 32 bits is not 0.1 of 64, yet it is the same label."""
    small = np.array([0.1, 0.2], dtype="f4")
    table = PairedTable.from_predictions(np.array([0.1, 0.2]), small, np.array([0.1, 0.3]))
    assert (table.only_a_wrong, table.only_b_wrong) == (0, 1)


def test_scores_are_no_labels():
    with pytest.raises(InvalidEvidence, match="`predictions_a` must hold whole numbers as `truth` does"):
        PairedTable.from_predictions([1, 0, 1], [0.9, 0.2, 0.7], [1, 0, 1])
    assert PairedTable.from_predictions([1, 0], [1.0, 0.0], [1.0, 1.0]).only_b_wrong == 1


def test_names_may_come_as_an_array():
    assert PairedTable(1, 2, 3, 4, models=np.array(["old", "new"])).models == ("old", "new")
    with pytest.raises(InvalidEvidence, match="`models` must be two different names"):
        PairedTable(1, 2, 3, 4, models=np.array(["old", "old"]))
