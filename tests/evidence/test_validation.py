"""Bad counts and labels are stopped at the door: one error that names the argument, the value and the remedy."""

import numpy as np
import pandas as pd
import pytest

from tellapart import ConfusionMatrix, ErrorCount, PairedTable
from tellapart.errors import InvalidEvidence
from tellapart.evidence.validation import as_counts, as_labels, matching_labels

BAD_COUNTS = [  # value, what the message shows of it, the remedy
    (-1, "-1", "0 or more"),
    ([3, -2, 5], "-2", "0 or more"),
    (0.03, "0.03", "multiply"),
    ([1, 2.5], "2.5", "multiply"),
    (np.float32(0.5), "0.5", "multiply"),
    (np.nan, "nan", "Leave that entry out"),
    ([1, np.nan], "nan", "Leave that entry out"),
    (np.inf, "inf", ""),
    (-np.inf, "-inf", "0 or more"),
    (2**53 + 1, "9007199254740993", "2**53"),
    (np.uint64(2**63), "9223372036854775808", "2**53"),
    (2**70, "1180591620717411303424", "2**53"),
    ([2**70], "1180591620717411303424", "2**53"),
    ("3", "'3'", "int"),
    (["3", "4"], "'4'", "int"),
    (b"3", "b'3'", "int"),
    (None, "None", "int"),
    ([1, None], "None", "int"),
    (1 + 2j, "(1+2j)", "int"),
    (True, "True", "int"),
    ([True, False], "False", "int"),
    ({1, 2}, "{1, 2}", "int"),
    (np.datetime64("2020"), "2020", "int"),
    ([], "none", "Leave empty batches out"),
    ([[1, 2], [3]], "different lengths", "one array"),
]


@pytest.mark.parametrize(("value", "shown", "remedy"), BAD_COUNTS)
def test_an_invalid_count_is_refused_with_argument_value_and_fix(value, shown, remedy):
    with pytest.raises(InvalidEvidence) as caught:
        as_counts("errors", value)
    message = str(caught.value)
    assert message.startswith("`errors` must ")
    assert shown in message
    assert remedy in message
    assert "\n" not in message


def test_a_masked_count_is_missing_not_what_lies_under_the_mask():
    with pytest.raises(InvalidEvidence, match="errors"):
        as_counts("errors", np.ma.masked_array([3, 99], mask=[False, True]))


def test_a_long_value_is_cut_short():
    with pytest.raises(InvalidEvidence) as caught:
        as_counts("errors", ["x"] * 1000)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "value",
    [
        3,
        3.0,
        np.int8(3),
        np.uint64(3),
        np.float16(3),
        np.float32(3),
        np.longdouble(3),
        np.array(3),
        np.array(3, dtype=">i4"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_one_whole_number_of_any_type_is_one_int64(value):
    count = as_counts("errors", value)
    assert type(count) is np.int64
    assert count == 3


@pytest.mark.parametrize(
    "value",
    [[3, 0], (3, 0), range(3, -1, -3), np.array([3, 0], dtype=np.uint8), np.array([3.0, 0.0]), np.array([3, -0.0])],
    ids=repr,
)
def test_whole_numbers_of_any_type_are_an_int64_array(value):
    counts = as_counts("errors", value)
    assert counts.dtype == np.int64
    assert counts.tolist() == [3, 0]


def test_counts_are_exact_up_to_the_last_one_a_float_can_tell():
    assert as_counts("trials", 2**53) == 2**53
    assert as_counts("trials", np.array([2**53, 2**53 - 1], dtype=np.uint64)).tolist() == [2**53, 2**53 - 1]


def test_counts_are_a_copy():
    mine = np.array([3, 0])
    counts = as_counts("errors", mine)
    mine[0] = 99
    assert counts.tolist() == [3, 0]


class Undecided:
    """Neither equal nor unequal to anything, itself included, and then ambiguous: as pandas.NA is."""

    def __eq__(self, other):
        return self

    def __ne__(self, other):
        return self

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")

    __hash__ = None


BAD_LABELS = [  # labels, what the message says
    ([], "got none"),
    (5, "vector"),
    ("cat", "vector"),
    ([["cat"], ["dog"]], "vector"),
    ([1.0, np.nan], "position 1"),
    ([None, "dog"], "position 0"),
    (np.array(["cat", np.nan], dtype=object), "position 1"),
    (np.array(["cat", Undecided()], dtype=object), "position 1"),
    (np.array(["2020", "NaT"], dtype="datetime64[Y]"), "position 1"),
    (["cat", np.nan], "position 1"),  # NumPy would make it the text 'nan'
    (np.ma.masked_array([1, 2], mask=[False, True]), "masked entries"),
    ([["cat"], ["dog", "cow"]], "one array"),
]


@pytest.mark.parametrize(
    ("labels", "values"),
    BAD_LABELS,
    ids=[
        "empty",
        "number",
        "text",
        "matrix",
        "nan",
        "none",
        "nan-object",
        "na-object",
        "nat",
        "nan-in-text",
        "masked",
        "ragged",
    ],
)
def test_invalid_labels_are_refused_with_argument_and_position(labels, values):
    with pytest.raises(InvalidEvidence) as caught:
        as_labels("truth", labels)
    message = str(caught.value)
    assert message.startswith("`truth` must ")
    assert values in message


@pytest.mark.parametrize(
    "labels",
    [["cat", "dog"], [0, 1], [0.5, 1.5], [True, False], np.array(["cat", 1], dtype=object), (b"cat", b"dog")],
    ids=repr,
)
def test_labels_of_any_type_pass(labels):
    assert as_labels("truth", labels).tolist() == list(labels)


# --- Objects: pandas and databases hand over whole numbers so ---


def as_objects(values):
    return np.array(values, dtype=object)


@pytest.mark.parametrize("number", [int, np.int64, np.uint8, float])
def test_objects_that_are_whole_numbers_are_counts(number):
    result = as_counts("errors", as_objects([number(4), number(0)]))
    assert result.tolist() == [4, 0]
    assert result.dtype == np.int64
    assert as_counts("errors", as_objects([[number(4)], [2**53]])).tolist() == [[4], [2**53]]


def test_every_count_takes_objects():
    """Pandas holds a column of integers as objects where it was read from a database, or had a missing value."""
    frame = pd.DataFrame({"errors": [3, 4], "trials": [100, 200]}, dtype=object)
    count = ErrorCount(frame["errors"], frame["trials"])
    assert (count.errors.tolist(), count.trials.tolist()) == ([3, 4], [100, 200])
    four = [as_objects([each]) for each in (20, 25, 10, 45)]
    assert PairedTable(*four).only_a_wrong.tolist() == [25]
    assert ConfusionMatrix(as_objects([[5, 1], [2, 7]])).counts.tolist() == [[5, 1], [2, 7]]
    assert PairedTable.from_correct(as_objects([1, 0, True]), as_objects([1, 1, np.int64(0)])).both_right == 1


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([2**53 + 1, 4], r"`errors` must be at most 2\*\*53"),
        ([2**70], r"`errors` must be at most 2\*\*53"),
        ([4, -1], "`errors` must be whole numbers of 0 or more"),
        ([-(2**70)], "`errors` must be whole numbers of 0 or more"),
        ([4, 0.5], "`errors` must be whole numbers of 0 or more"),
        ([4, float("nan")], "`errors` must be whole numbers of 0 or more"),
        ([4, None], "`errors` must be whole numbers of 0 or more"),
        ([True, 3], "`errors` must be whole numbers of 0 or more"),
        (["4"], "`errors` must be whole numbers of 0 or more"),
        ([], "`errors` must be whole numbers of 0 or more"),
    ],
)
def test_objects_that_are_no_counts_say_which_entry(values, message):
    with pytest.raises(InvalidEvidence, match=message):
        as_counts("errors", as_objects(values))


@pytest.mark.parametrize(
    ("truth", "predictions", "message"),
    [
        (
            np.array([2**60, 1]),
            np.array([1.0, 2.0]),
            "`truth` must be below 2**53 to be compared with `predictions` as float64, got 1152921504606846976. Give"
            " all labels as integers or strings.",
        ),
        (
            np.array([2**25, 1]),
            np.array([1, 2], dtype=np.float32),
            "`truth` must be below 2**24 to be compared with `predictions` as float32, got 33554432. Give all labels as"
            " integers or strings.",
        ),
        (
            np.array([2.0**60, 1]),
            np.array([1, 2]),
            "`truth` must be below 2**53 as float64, got 1.152921504606847e+18. Give all labels as integers or"
            " strings.",
        ),
    ],
)
def test_labels_that_floats_round_are_refused_with_the_reason(truth, predictions, message):
    with pytest.raises(InvalidEvidence) as caught:
        matching_labels({"truth": truth, "predictions": predictions})
    assert str(caught.value) == message
