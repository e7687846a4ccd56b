"""ConfusionMatrix and PairedConfusion: against scikit-learn, and against Elazmeh, Japkowicz and Matwin's tables."""

import copy
import csv
import json
import pickle
from dataclasses import FrozenInstanceError
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import metrics

from tellapart import estimate
from tellapart.errors import InvalidEvidence
from tellapart.evidence import ConfusionMatrix, ErrorCount, PairedConfusion, PairedTable

TARGETS = Path(__file__).parent.parent / "targets"
laws = settings(derandomize=True, deadline=None, max_examples=12)
pairs = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=40)
triples = st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=1, max_size=40)


def columns(rows):
    return [np.array(column) for column in zip(*rows, strict=True)]


def theirs(truth, predicted, labels):
    """Return scikit-learn's matrix; one label alone it takes for a mistake, so a second one is named and left out."""
    return metrics.confusion_matrix(truth, predicted, labels=[*labels, "none"])[:-1, :-1]


# --- One classifier, against scikit-learn --------------------------------------------------------


@laws
@given(pairs)
def test_counts_and_metrics_are_scikit_learns(rows):
    truth, predicted = columns(rows)
    matrix = ConfusionMatrix.from_predictions(truth, predicted)
    assert matrix.labels == tuple(sorted(set(truth.tolist()) | set(predicted.tolist())))
    assert_array_equal(matrix.counts, theirs(truth, predicted, matrix.labels))
    assert_allclose(matrix.accuracy, metrics.accuracy_score(truth, predicted), rtol=1e-15)
    for label in matrix.labels:
        binary = {"y_true": truth == label, "y_pred": predicted == label, "zero_division": 0}
        assert_allclose(matrix.recall(label), metrics.recall_score(**binary), rtol=1e-15)
        assert_allclose(matrix.precision(label), metrics.precision_score(**binary), rtol=1e-15)
        assert_allclose(matrix.f1(label), metrics.f1_score(**binary), rtol=1e-14)
        others = {"y_true": truth != label, "y_pred": predicted != label, "zero_division": 1}
        assert_allclose(matrix.false_positive_rate(label), 1 - metrics.recall_score(**others), atol=1e-15)


@laws
@given(pairs)
def test_errors_are_off_the_diagonal(rows):
    truth, predicted = columns(rows)
    counted, expected = (
        ConfusionMatrix.from_predictions(truth, predicted).error_count,
        ErrorCount.from_predictions(truth, predicted),
    )
    assert (counted.errors, counted.trials) == (expected.errors, expected.trials)


KINDS = {
    "ints": lambda names: ["abc".index(name) for name in names],
    "floats": lambda names: np.array(["abc".index(name) / 2 for name in names]),
    "booleans": lambda names: [name == "a" for name in names],
    "bytes": lambda names: [name.encode() for name in names],
    "objects": lambda names: np.array(names, dtype=object),
    "mixed objects": lambda names: np.array([1 if name == "a" else name for name in names], dtype=object),
    "dates": lambda names: np.array([f"2020-01-0{'abc'.index(name) + 1}" for name in names], dtype="M8[D]"),
    "pandas": pd.Series,
    "pandas categories": lambda names: pd.Series(names, dtype="category"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_labels_may_be_of_any_type(kind):
    truth, predicted = (KINDS[kind](list(column)) for column in ("aabbcca", "abbbcaa"))
    matrix = ConfusionMatrix.from_predictions(truth, predicted)
    expected = {
        (one, other): sum(pair == (one, other) for pair in zip(list(truth), list(predicted), strict=True))
        for one in set(truth)
        for other in set(predicted)
    }
    for (one, other), count in expected.items():
        index = [matrix.labels.index(getattr(label, "tolist", lambda label=label: label)()) for label in (one, other)]
        assert matrix.counts[tuple(index)] == count
    assert matrix.error_count.trials == 7


def test_labels_can_be_named_and_ordered():
    matrix = ConfusionMatrix.from_predictions(["yes", "no"], ["yes", "yes"], labels=["yes", "no", "maybe"])
    assert matrix.labels == ("yes", "no", "maybe")
    assert matrix.counts.tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 0]]
    assert (matrix.recall("maybe"), matrix.precision("maybe"), matrix.f1("maybe")) == (0, 0, 0)
    with pytest.raises(InvalidEvidence, match="`labels` must include every label that occurs"):
        ConfusionMatrix.from_predictions(["yes", "no"], ["yes", "yes"], labels=["yes"])


def test_counting_in_chunks_is_counting_at_once():
    """Labels that occur late only are found, too."""
    rng = np.random.default_rng(0)
    truth, predicted = rng.integers(0, 3, (2, 200_000))
    truth[-1], predicted[-2] = 7, 9
    matrix = ConfusionMatrix.from_predictions(truth, predicted)
    assert matrix.labels == (0, 1, 2, 7, 9)
    assert_array_equal(matrix.counts, metrics.confusion_matrix(truth, predicted))


def test_the_last_of_two_labels_is_the_one_that_is_meant():
    matrix = ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"])
    assert matrix.recall() == matrix.recall("spam") == 35 / 40
    assert matrix.precision() == matrix.precision("spam") == 35 / 45
    assert matrix.false_positive_rate() == 10 / 60
    assert_allclose(matrix.f1(), 2 * 35 / (2 * 35 + 10 + 5))
    with pytest.raises(InvalidEvidence, match="`label` is required with 3 labels"):
        ConfusionMatrix(np.eye(3, dtype=int)).recall()
    with pytest.raises(InvalidEvidence, match="`label` must be one of 'ham', 'spam'"):
        matrix.recall("eggs")


def test_many_matrices_have_many_metrics():
    cells = np.random.default_rng(2).integers(0, 20, (4, 5, 3, 3)) + 1
    many = ConfusionMatrix(cells, "abc")
    assert many.shape == many.accuracy.shape == many.recall("b").shape == (4, 5)
    for index in np.ndindex(4, 5):
        one = many[index]
        assert_array_equal(one.counts, cells[index])
        for metric in ("recall", "precision", "f1", "false_positive_rate"):
            assert_allclose(getattr(many, metric)("b")[index], getattr(one, metric)("b"), rtol=1e-15)


# --- Elazmeh, Japkowicz and Matwin 2006 ----------------------------------------------------------


def read(name):
    with (TARGETS / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


ROWS = [
    (f"{one['dataset']}{one['classifier']}", one, other)
    for one, other in zip(read("s4_table5.csv"), read("s4_table6.csv"), strict=True)
]


def printed(share, *, twice):
    """Percent with one decimal; what was counted in percent went through two decimals before."""
    percent = Decimal(str(100 * float(share)))
    for digits in ("0.01", "0.1") if twice else ("0.1",):
        percent = percent.quantize(Decimal(digits), ROUND_HALF_UP)
    return percent


def matrix_of(row):
    """Their a, b, c, d are true positives, false negatives, false positives and true negatives."""
    a, b, c, d = (int(row[cell]) for cell in "abcd")
    return ConfusionMatrix([[d, c], [b, a]], ["negative", "positive"])


def test_there_are_48_rows():
    assert len(ROWS) == 48
    assert all((one["dataset"], one["classifier"]) == (two["dataset"], two["classifier"]) for _, one, two in ROWS)


@pytest.mark.parametrize(("metrics_row", "counts_row"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_table_5_as_printed(metrics_row, counts_row):
    """All 240 numbers. The accuracies were rounded twice (sets 4 and 7, T), the shares of one class once."""
    matrix = matrix_of(counts_row)
    result = {
        "accuracy": matrix.accuracy,
        "recall": matrix.recall(),
        "fp_rate": matrix.false_positive_rate(),
        "precision": matrix.precision(),
        "f": matrix.f1(),
    }
    for name, share in result.items():
        assert printed(share, twice=name == "accuracy") == Decimal(metrics_row[f"{name}_printed"]), name
        assert_allclose(100 * share, float(metrics_row[f"{name}_computed"]), atol=6e-5)


@pytest.mark.parametrize("row", [row[2] for row in ROWS], ids=[row[0] for row in ROWS])
def test_table_6_is_the_label_against_the_prediction(row):
    """Their b − c over n is the difference; A is the label, B the prediction, "wrong" is being positive."""
    table = matrix_of(row).label_against_prediction()
    expected = tuple(int(row[cell]) for cell in "abcd")
    assert (table.both_wrong, table.only_a_wrong, table.only_b_wrong, table.both_right) == expected
    assert table.models == ("label", "prediction")
    assert table.examples == int(row["n"])
    assert printed(abs(table.difference), twice=True) == abs(Decimal(row["diff_printed_pct"]))
    assert_allclose(100 * table.difference, float(row["diff_computed_pct"]), atol=6e-5)


def test_table_3_is_a_table_of_pairs():
    """Tango's marijuana users: 9 pairs where the non-user alone slept badly, 3 where the user alone did."""
    (row,) = read("s4_table3.csv")
    table = PairedTable(*(int(row[cell]) for cell in ("a_both", "b_nonuser_only", "c_user_only", "d_neither")))
    assert table.examples == int(row["n_pairs"])
    assert table.difference == float(row["diff_exact"])


def test_any_label_can_be_the_positive_one():
    matrix = ConfusionMatrix([[5, 1, 2], [3, 6, 4], [0, 7, 8]], "abc")
    table = matrix.label_against_prediction("b")
    assert (table.both_wrong, table.only_a_wrong, table.only_b_wrong, table.both_right) == (6, 7, 8, 15)
    with pytest.raises(InvalidEvidence, match="`label` is required with 3 labels"):
        matrix.label_against_prediction()
    many = ConfusionMatrix(np.ones((4, 2, 2), dtype=int)).label_against_prediction(0)
    assert many.shape == (4,)


# --- Two classifiers -----------------------------------------------------------------------------


@laws
@given(triples)
def test_a_paired_confusion_holds_both_confusions_and_the_paired_table(rows):
    truth, a, b = columns(rows)
    both = PairedConfusion.from_predictions(truth, a, b)
    names = list(both.labels)
    assert_array_equal(both.confusion_a.counts, theirs(truth, a, names))
    assert_array_equal(both.confusion_b.counts, theirs(truth, b, names))
    table, expected = both.paired_table(), PairedTable.from_predictions(truth, a, b)
    assert repr(table) == repr(expected)
    assert both.difference == expected.difference
    for label, said_a, said_b in rows:
        index = tuple(names.index(each) for each in (label, said_a, said_b))
        assert both.counts[index] == rows.count((label, said_a, said_b))


def test_a_comes_before_b():
    both = PairedConfusion.from_predictions(["cat"], ["dog"], ["cat"])
    assert both.labels == ("cat", "dog")
    assert both.counts[0, 1, 0] == 1  # label cat, A said dog, B said cat
    assert both.paired_table().only_a_wrong == 1
    assert both.difference == 1
    assert both.confusion_a.accuracy == 0
    assert both.confusion_b.accuracy == 1


@laws
@given(triples)
def test_exchanging_twice_changes_nothing(rows):
    truth, a, b = columns(rows)
    both = PairedConfusion.from_predictions(truth, a, b, models=("forest", "stump"))
    assert_array_equal(both.swapped().swapped().counts, both.counts)
    assert_array_equal(both.swapped().confusion_a.counts, both.confusion_b.counts)
    assert both.swapped().difference == -both.difference
    assert both.swapped().models == ("stump", "forest")
    assert repr(both.swapped().paired_table()) == repr(both.paired_table().swapped())
    assert PairedConfusion.from_predictions(truth, a, b).swapped().models == ("A", "B")


def test_many_paired_confusions():
    cells = np.random.default_rng(3).integers(0, 9, (5, 2, 2, 2)) + 1
    many = PairedConfusion(cells, ["no", "yes"], models=("forest", "stump"))
    assert many.shape == many.paired_table().shape == many.confusion_a.shape == (5,)
    for index, one in enumerate(many):
        assert one.models == ("forest", "stump")
        assert_array_equal(one.counts, cells[index])
        assert repr(one.paired_table()) == repr(many.paired_table()[index])
    assert many[1:3].shape == (2,)


# --- Bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[1, 2, 3], [4, 5, 6]], "`counts` must be k by k for k labels, got shape (2, 3)."),
        ([1, 2], "`counts` must be k by k for k labels, got shape (2,)."),
        (7, "`counts` must be k by k for k labels, got shape ()."),
        ([[0, 0], [0, 0]], "`counts` must hold at least one example, got zeros only. Leave it out."),
        (
            [[[1, 0], [0, 1]], [[0, 0], [0, 0]]],
            "`counts` must hold at least one example, got zeros only. Leave it out.",
        ),
        ([[1, -2], [3, 4]], "`counts` must be whole numbers of 0 or more, got -2. Check its sign."),
        (
            [[1, 0.5], [3, 4]],
            "`counts` must be whole numbers of 0 or more, got 0.5.",
        ),
        (
            [[1, np.nan], [3, 4]],
            "`counts` must be whole numbers of 0 or more, got nan.",
        ),
        (
            [[1, 2], [3, 2**53 + 1]],
            "`counts` must be at most 2**53, got 9007199254740993. Larger counts are not exact.",
        ),
        ([["1", "2"], ["3", "4"]], "`counts` must be whole numbers of 0 or more, got"),
        ([[1, 2], [3]], "`counts` must be one array, got entries of different lengths. Make them equally long."),
        (None, "`counts` must be whole numbers of 0 or more, got"),
    ],
)
def test_counts_that_cannot_be_are_refused(counts, message):
    with pytest.raises(InvalidEvidence) as caught:
        ConfusionMatrix(counts)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_cube_is_a_cube():
    with pytest.raises(InvalidEvidence, match="`counts` must be k by k by k for k labels"):
        PairedConfusion([[1, 2], [3, 4]])
    with pytest.raises(InvalidEvidence, match="k by k by k"):
        PairedConfusion(np.ones((2, 2, 3), dtype=int))
    with pytest.raises(InvalidEvidence, match="at least one example"):
        PairedConfusion(np.zeros((2, 2, 2), dtype=int))
    with pytest.raises(InvalidEvidence, match="`models` must be two different names"):
        PairedConfusion(np.ones((2, 2, 2), dtype=int), models=("x", "x"))


@pytest.mark.parametrize("labels", [["a"], ["a", "b", "c"], ["a", "a"], [["a"], ["b"]]])
def test_labels_are_as_many_different_names(labels):
    with pytest.raises(InvalidEvidence, match="`labels` must be"):
        ConfusionMatrix([[1, 2], [3, 4]], labels)
    with pytest.raises(InvalidEvidence, match="`labels` must be"):
        PairedConfusion(np.ones((2, 2, 2), dtype=int), labels)


@pytest.mark.parametrize("cells", [np.full((2, 2), 2**53), np.full((40, 40), 2**53)])
def test_more_examples_than_are_exact_are_refused(cells):
    with pytest.raises(InvalidEvidence, match=r"at most 2\*\*53 examples"):
        ConfusionMatrix(cells)


def test_the_largest_matrix_is_exact():
    matrix = ConfusionMatrix([[2**52, 2**51 - 1], [1, 2**51]])
    assert (matrix.error_count.errors, matrix.error_count.trials) == (2**51, 2**53)
    assert matrix.label_against_prediction().only_b_wrong == 2**51 - 1


@pytest.mark.parametrize(
    ("truth", "predicted", "message"),
    [
        ([1, 2], [1, 2, 3], "`truth` and `predictions` must hold labels of the same examples, got 2 and 3"),
        (
            ["1"],
            [1],
            "`truth` and `predictions` must hold labels of one kind, got texts against numbers.",
        ),
        (
            ["a", None],
            ["a", "b"],
            "`truth` must have no missing labels, got one at position 1. Drop the example, or count it as an error.",
        ),
        ([], [], "`truth` must hold at least one label, got none."),
        ([[1]], [[1]], "`truth` must be a vector of labels, got an array of shape (1, 1). Flatten it."),
    ],
)
def test_labels_that_say_nothing_are_refused(truth, predicted, message):
    with pytest.raises(InvalidEvidence) as caught:
        ConfusionMatrix.from_predictions(truth, predicted)
    assert message in str(caught.value)


# --- A frozen value, its shape and [i] -----------------------------------------------------------


@pytest.mark.parametrize("kind", [ConfusionMatrix, PairedConfusion])
def test_what_was_validated_stays(kind):
    mine = np.ones((2,) * (2 if kind is ConfusionMatrix else 3), dtype=int)
    matrix = kind(mine)
    mine[:] = 7
    assert np.all(matrix.counts == 1)
    with pytest.raises(ValueError, match="read-only"):
        matrix.counts[0] = 9
    with pytest.raises(FrozenInstanceError):
        matrix.counts = mine
    with pytest.raises(IndexError, match="is a single entry"):
        matrix[0]
    with pytest.raises(TypeError, match="cannot be iterated over"):
        iter(matrix)
    for again in (copy.deepcopy(matrix), pickle.loads(pickle.dumps(matrix))):  # noqa: S301  # our own bytes
        assert_array_equal(again.counts, matrix.counts)
        assert again.labels == matrix.labels


# --- Pooling -------------------------------------------------------------------------------------


@laws
@given(triples, triples)
def test_shards_add_up_to_the_whole(here, there):
    names = "abc"
    truth, a, b = columns(here + there)
    parts = [PairedConfusion.from_predictions(*columns(rows), labels=names) for rows in (here, there)]
    whole = PairedConfusion.from_predictions(truth, a, b, labels=names)
    assert_array_equal((parts[0] + parts[1]).counts, whole.counts)
    assert_array_equal(sum(parts).counts, whole.counts)
    assert_array_equal(sum(part.confusion_a for part in parts).counts, whole.confusion_a.counts)
    assert sum(parts).labels == whole.labels


def test_a_matrix_keeps_the_name_of_its_model():
    matrix = ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"], models=("forest",))
    for one in (matrix.by("f1"), matrix + matrix, ConfusionMatrix(np.ones((3, 2, 2), int), models=("forest",))[1]):
        assert one.models == ("forest",)
    assert estimate(matrix, metric="f1").words.startswith("forest: F1 (spam) ")
    assert "models" not in ConfusionMatrix([[50, 10], [5, 35]]).as_dict()
    assert matrix.as_dict()["models"] == ["forest"]
    with pytest.raises(InvalidEvidence, match="`models` must be the same"):
        _ = matrix + ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"])
    for models in ("forest", ("forest", "stump"), (1,)):
        with pytest.raises(InvalidEvidence, match="`models` must be a tuple of one name"):
            ConfusionMatrix([[50, 10], [5, 35]], models=models)


def test_only_the_same_labels_and_models_pool():
    one = ConfusionMatrix([[1, 0], [0, 1]], "ab")
    with pytest.raises(InvalidEvidence, match="must be the same in counts that are added"):
        one + ConfusionMatrix([[1, 0], [0, 1]], "ba")
    with pytest.raises(InvalidEvidence, match="must be the same in counts that are added"):
        one + ConfusionMatrix(np.eye(3, dtype=int), "abc")
    cube = np.ones((2, 2, 2), dtype=int)
    with pytest.raises(InvalidEvidence, match="must be the same in counts that are added"):
        PairedConfusion(cube, models=("x", "y")) + PairedConfusion(cube)
    with pytest.raises(InvalidEvidence, match="must be the same in counts that are added"):
        PairedConfusion(cube, "ab") + PairedConfusion(cube)
    with pytest.raises(InvalidEvidence, match="shape"):
        ConfusionMatrix(np.ones((3, 2, 2), dtype=int)) + ConfusionMatrix(np.ones((4, 2, 2), dtype=int))


@pytest.mark.parametrize("other", [1, None, ErrorCount(1, 2), PairedTable(1, 2, 3, 4)])
def test_nothing_else_is_added(other):
    for matrix in (ConfusionMatrix([[1, 0], [0, 1]]), PairedConfusion(np.ones((2, 2, 2), dtype=int))):
        with pytest.raises(TypeError):
            matrix + other
        with pytest.raises(TypeError):
            other + matrix


def test_the_two_kinds_do_not_pool():
    with pytest.raises(TypeError):
        ConfusionMatrix([[1, 0], [0, 1]]) + PairedConfusion(np.ones((2, 2, 2), dtype=int))


# --- In words and in JSON ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "matrix",
    [
        ConfusionMatrix([[1, 2], [3, 4]]),
        ConfusionMatrix([[1, 2], [3, 4]], ["ham", "spam"]),
        ConfusionMatrix.from_predictions([True, False], [True, True]),
        ConfusionMatrix.from_predictions(np.array(["a", "b"]), np.array(["a", "a"])),
        PairedConfusion(np.ones((2, 2, 2), dtype=int), "ab"),
        PairedConfusion(np.ones((2, 2, 2), dtype=int), models=("forest", "stump")),
    ],
    ids=repr,
)
def test_what_is_shown_can_be_typed(matrix):
    again = eval(repr(matrix))  # noqa: S307  # our own text
    assert_array_equal(again.counts, matrix.counts)
    assert again.labels == matrix.labels
    assert getattr(again, "models", None) == getattr(matrix, "models", None)


def test_many_are_shown_by_their_shape():
    assert repr(ConfusionMatrix(np.ones((5, 2, 2), dtype=int))) == "ConfusionMatrix(shape=(5,))"


@pytest.mark.parametrize("kind", ["ints", "booleans", "bytes", "objects", "dates"])
def test_a_dictionary_is_ready_for_json(kind):
    truth, predicted = (KINDS[kind](list(column)) for column in ("aabbcca", "abbbcaa"))
    values = json.loads(json.dumps(ConfusionMatrix.from_predictions(truth, predicted).as_dict()))
    assert set(values) == {"counts", "labels"}
    assert np.shape(values["counts"]) == (len(values["labels"]),) * 2
    both = json.loads(json.dumps(PairedConfusion.from_predictions(truth, predicted, truth).as_dict()))
    assert set(both) == {"counts", "labels", "models"}


def test_words():
    assert ConfusionMatrix([[1, 2], [3, 4]]).describe() == "2 labels, 5 errors in 10 examples"
    assert ConfusionMatrix(np.ones((5, 2, 2), dtype=int)).describe() == "confusion matrices of shape (5,)"
    both = PairedConfusion.from_predictions(["cat"], ["dog"], ["cat"], models=("forest", "stump"))
    assert both.describe().startswith("2 labels; forest wrong, stump right: 1;")
    assert PairedConfusion(np.ones((5, 2, 2, 2), dtype=int)).describe() == "paired confusions of shape (5,)"
