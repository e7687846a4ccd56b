"""Whole numbers beyond 2**53 are compared exactly, or refused: Python's own integers say what is right."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from numpy.testing import assert_array_equal

from tellapart import ClassScores, ConfusionMatrix, ErrorCount, ErrorPatterns, IndependentCounts, PairedTable
from tellapart.cli import main
from tellapart.errors import InvalidEvidence
from tellapart.evidence import LabelPatterns, PairedConfusion
from tellapart.predictions import Predictions
from tellapart.readers import read_predictions

LARGE = 2**53 + 1
WHOLE, ROUNDED = [LARGE, 5], [float(2**53), 5.0]
KINDS = {
    "ErrorCount": ErrorCount.from_predictions,
    "PairedTable": lambda truth, guess: PairedTable.from_predictions(truth, truth, guess),
    "ConfusionMatrix": ConfusionMatrix.from_predictions,
    "PairedConfusion": lambda truth, guess: PairedConfusion.from_predictions(truth, guess, truth),
    "ErrorPatterns": lambda truth, guess: ErrorPatterns.from_predictions(truth, {"a": truth, "b": guess, "c": guess}),
    "LabelPatterns": lambda truth, guess: LabelPatterns.from_predictions(truth, {"a": truth, "b": guess, "c": guess}),
    "IndependentCounts": lambda truth, guess: IndependentCounts.from_predictions(truth, guess, ["x"], ["x"]),
}


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("form", [list, np.array, pd.Series], ids=["list", "NumPy", "pandas"])
def test_no_evidence_takes_a_rounded_float_for_a_whole_number(make, form):
    for truth, guess in ((WHOLE, ROUNDED), (ROUNDED, WHOLE), ([LARGE, 0.5], [LARGE, 0.5])):
        with pytest.raises(InvalidEvidence, match=r"^`truth` must .*2\*\*53"):
            make(form(truth), form(guess))


@pytest.mark.parametrize("dtypes", [(np.int64, np.uint64), (np.uint64, np.int64), (object, np.int64), (object, object)])
def test_integers_of_all_types_are_compared_exactly(dtypes):
    truth, guess = (
        np.array(values, dtype=dtype) for values, dtype in zip(([LARGE, 5], [LARGE - 1, 5]), dtypes, strict=True)
    )
    assert ErrorCount.from_predictions(truth, guess).errors == 1
    assert ConfusionMatrix.from_predictions(truth, guess).labels == (5, LARGE - 1, LARGE)


def test_objects_are_compared_as_python_does():
    """Python compares integers with floats without rounding; NumPy's numbers among objects would not."""
    truth = np.array([np.int64(LARGE), "cat"], dtype=object)
    assert ErrorCount.from_predictions(truth, np.array([float(2**53), "cat"], dtype=object)).errors == 1


def test_floats_of_32_bits_beside_integers():
    whole = np.array([2**24 + 1, 3])
    with pytest.raises(InvalidEvidence, match=r"^`truth` must .*2\*\*24"):
        ErrorCount.from_predictions(whole, whole.astype(np.float32))
    assert ErrorCount.from_predictions(whole - 2, (whole - 2).astype(np.float32)).errors == 0


def test_labels_that_are_named_are_found_exactly():
    table = Predictions.of({"label": [LARGE, 5], "a": [LARGE - 1, 5]}, labels=[LARGE, 5], missing="wrong")
    tally = table.tally()
    assert tally.taken_as_wrong == {"unknown prediction of a": 1}
    table = Predictions.of({"label": [LARGE, 5], "a": [LARGE, 5]}, labels=[LARGE, 5])
    assert table.error_counts().errors == 0


def test_ids_in_rows_of_single_predictions():
    columns = {"id": [float(2**53), float(2**53 + 2)] * 2, "model": ["a", "a", "b", "b"], "prediction": [1, 1, 1, 0]}
    with pytest.raises(
        InvalidEvidence,
        match=r"the id must be below 2\*\*53 as Float64, got 9007199254740992\.0 in 4 rows, which may be rounded",
    ):
        Predictions.of(columns | {"label": [1] * 4}, id="id", model="model", prediction="prediction")


def test_groups_that_floats_have_rounded():
    table = {"label": [1, 1], "a": [1, 0], "site": [float(2**53), 5.0]}
    with pytest.raises(
        InvalidEvidence,
        match=r"site \(the group\) must be below 2\*\*53 as Float64, got 9007199254740992\.0 in 1 of 2"
        r" examples, which may be rounded",
    ):
        Predictions.of(table, group="site").error_counts()


# --- Files ---


def write(folder, name, text):
    (folder / name).write_text(text)
    return str(folder / name)


def test_columns_of_a_file_that_are_read_as_different_numbers(tmp_path):
    file = write(tmp_path, "p.csv", f"label,a\n{LARGE},{LARGE - 1}.0\n5,5.0\n")
    with pytest.raises(
        InvalidEvidence,
        match=r"label must be below 2\*\*53 as Int64 compared with another type \(a\), got 9007199254740993"
        r" in 1 of 2 examples, which may be rounded; a must be below 2\*\*53 as Float64 compared with another type"
        r" \(label\), got 9007199254740992\.0 in 1 of 2 examples, which may be rounded",
    ):
        read_predictions(file).error_counts()
    assert read_predictions(write(tmp_path, "w.csv", f"label,a\n{LARGE},{LARGE - 1}\n5,5\n")).error_counts().errors == 1
    file = write(tmp_path, "t.csv", f"label,a\n{LARGE},{LARGE - 1}\n5,5\n")
    assert read_predictions(file, text=True).error_counts().errors == 1


def test_parts_of_a_table_with_ever_more_digits(tmp_path):
    """One part has ids of 19 digits and one of 25: integers of 128 bits hold both."""
    ids = [2**62 + 1, 10**24 + 1]
    for index, number in enumerate(ids):
        write(tmp_path, f"part-{index}.csv", f"id,label,a\n{number},x,x\n{number + 1},x,y\n")
    result = read_predictions(str(tmp_path / "part-*.csv"), id="id")
    assert (result.error_counts().errors, result.tally().examples) == (2, 4)


@pytest.mark.parametrize("other", [f"{LARGE - 1}.0", f"{LARGE}.0"])
def test_a_gate_does_not_pass_by_rounding(tmp_path, other):
    rows = "".join(f"{index},{LARGE},{LARGE}\n" for index in range(500))
    old = write(tmp_path, "old.csv", f"id,label,prediction\n{rows}")
    new = write(
        tmp_path, "new.csv", f"id,label,prediction\n{rows.replace(f',{LARGE}' + chr(10), f',{other}' + chr(10))}"
    )
    done = CliRunner().invoke(main, ["gate", old, new])
    assert done.exit_code == 2
    assert "--text" in done.stderr
    assert CliRunner().invoke(main, ["gate", old, new, "--text"]).exit_code == 1  # "1" is not "1.0" as it is written


def test_a_gate_does_not_join_rounded_ids(tmp_path):
    old = write(tmp_path, "old.csv", f"id,label,prediction\n{LARGE},x,x\n2,x,x\n")
    new = write(tmp_path, "new.csv", f"id,label,prediction\n{LARGE - 1}.0,x,x\n2.0,x,x\n")
    done = CliRunner().invoke(main, ["gate", old, new])
    assert done.exit_code == 2
    assert "the id" in done.stderr
    assert "must be below 2**53" in done.stderr


# --- Classes whose names are large numbers ---


@pytest.mark.parametrize("blank", ["", ",0.5,0.5\n"])
def test_classes_of_scores_stay_separate_beside_a_blank_label(tmp_path, blank):
    """Three classes, two of them next to each other beyond 2**53: one example in three is of the last."""
    labels = [1, LARGE - 1, LARGE] * 20
    rows = "".join(f"{label},{index % 7},{index % 5}\n" for index, label in enumerate(labels))
    table = read_predictions(write(tmp_path, "p.csv", f"label,a,b\n{rows}{blank}"), missing="drop")
    result = table.class_scores(positive=LARGE)
    assert result.class_counts.tolist() == [40, 20]
    plain = ClassScores.from_scores(
        [each == LARGE for each in labels], {"a": np.arange(60) % 7, "b": np.arange(60) % 5}, positive=True
    )
    assert_array_equal(result.levels, plain.levels)


@pytest.mark.parametrize("labels", [[1.0, float(LARGE - 1)], [1, LARGE - 1, LARGE, 1.5], np.array([LARGE, 1], "f8")])
def test_classes_that_are_floats_of_that_size_are_refused(tmp_path, labels):
    scores = np.arange(len(labels), dtype=float)
    with pytest.raises(InvalidEvidence, match=r"^`truth` must .*2\*\*53"):
        ClassScores.from_scores(labels, {"a": scores}, positive=1)
    rows = "".join(f"{float(label)!r},{score}\n" for label, score in zip(labels, scores, strict=True))
    file = write(tmp_path, "p.csv", f"label,a\n{rows.replace('e+15', 'e15')}")
    with pytest.raises(
        InvalidEvidence, match=r"the label must be below 2\*\*53 as Float64, got 9007199254740992\.0 in"
    ):
        read_predictions(file).class_scores(positive=1)
