"""Predictions: layouts, parts, policies and their errors, on whichever engine holds a dictionary."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tellapart.errors import InvalidEvidence, InvalidInput, InvalidOption, MissingExtra
from tellapart.evidence import ConfusionMatrix, ErrorCount, ErrorPatterns, PairedConfusion, PairedTable
from tellapart.predictions import Predictions
from tellapart.predictions.problems import NO_PREDICTION

ANIMALS = {
    "label": ["cat", "dog", "dog", "cat", "eel", "eel"],
    "a": ["cat", "dog", "cat", "dog", "eel", "cat"],
    "b": ["cat", "cat", "dog", "dog", "eel", "eel"],
}


def cells(table: PairedTable) -> list[list[int]]:
    return [
        np.asarray(getattr(table, name)).tolist()
        for name in ("both_wrong", "only_a_wrong", "only_b_wrong", "both_right")
    ]


def test_folds_are_those_of_vectors_in_memory():
    predictions = Predictions.of(ANIMALS)
    truth, a, b = ANIMALS.values()
    assert cells(predictions.paired_table()) == cells(PairedTable.from_predictions(truth, a, b))
    assert predictions.paired_table("b", "a").models == ("b", "a")
    assert cells(predictions.paired_table("b", "a")) == cells(PairedTable.from_predictions(truth, b, a))
    assert predictions.error_counts().errors.tolist() == [
        ErrorCount.from_predictions(truth, guess).errors for guess in (a, b)
    ]
    assert (
        predictions.confusion_matrix("a").counts.tolist() == ConfusionMatrix.from_predictions(truth, a).counts.tolist()
    )
    for first, second in (("a", "b"), ("b", "a")):
        result = predictions.paired_confusion(first, second)
        expected = PairedConfusion.from_predictions(truth, ANIMALS[first], ANIMALS[second])
        assert (result.labels, result.counts.tolist()) == (expected.labels, expected.counts.tolist())
    patterns = predictions.error_patterns()
    assert patterns.counts.tolist() == ErrorPatterns.from_predictions(truth, {"a": a, "b": b}).counts.tolist()
    tally = predictions.cross_tally("a", "b")
    assert tally.confusion_matrix("b").counts.tolist() == ConfusionMatrix.from_predictions(truth, b).counts.tolist()
    assert tally.paired_confusion("b", "a").models == ("b", "a")


def test_labels_of_any_number_of_models_are_counted_in_one_pass():
    table = {**ANIMALS, "c": ANIMALS["a"][::-1], "day": ["x", "y"] * 3}
    whole = Predictions.of({name: each for name, each in table.items() if name != "day"}).cross_tally()
    by_day = Predictions.of(table, group="day").cross_tally("c", "a", "b")
    assert by_day.counts.shape == (2, len(by_day.patterns))
    for model in "abc":
        expected = ConfusionMatrix.from_predictions(table["label"], table[model]).counts
        assert whole.confusion_matrix(model).counts.tolist() == expected.tolist()
        assert by_day.confusion_matrix(model).counts.sum(axis=0).tolist() == expected.tolist()
    expected = PairedConfusion.from_predictions(table["label"], table["c"], table["b"]).counts.tolist()
    assert whole.paired_confusion("c", "b").counts.tolist() == expected
    assert whole.label_patterns().pair("c", "b").counts.tolist() == expected
    assert by_day.label_patterns()[0].pair("b", "c").models == ("b", "c")


def test_wide_long_and_correctness_say_the_same():
    long = {"id": [], "model": [], "prediction": [], "label": []}
    for index, label in enumerate(ANIMALS["label"]):
        for model in "ba":
            for name, value in zip(long, (f"case {index}", model, ANIMALS[model][index], label), strict=True):
                long[name].append(value)
    renamed = {"case": long["id"], "who": long["model"], "said": long["prediction"], "is": long["label"]}
    right = {
        "a": [guess == label for guess, label in zip(ANIMALS["a"], ANIMALS["label"], strict=True)],
        "b": [int(guess == label) for guess, label in zip(ANIMALS["b"], ANIMALS["label"], strict=True)],
    }
    long_right = {**renamed, "said": [str(s == i) for s, i in zip(renamed["said"], renamed["is"], strict=True)]}
    text = {"id": "case", "model": "who", "prediction": "said"}
    tables = [
        Predictions.of(ANIMALS),
        Predictions.of(long),
        Predictions.of(long, models=["a", "b"]),
        Predictions.of(renamed, **text, label="is"),
        Predictions.of(right, correct=True),
        Predictions.of(long_right, **text, correct=True),
    ]
    assert [table.models for table in tables] == [("a", "b")] * len(tables)
    assert [cells(table.paired_table()) for table in tables] == [[1, 2, 1, 2]] * len(tables)


def test_columns_find_their_parts_by_name():
    table = {"id": [1, 2], "truth": [0, 1], "a": [0, 1], "n": [2, 3], "day": ["x", "y"], "b": [0, 0]}
    predictions = Predictions.of(table, label="truth", weight="n", group="day")
    assert predictions.models == ("a", "b")  # a column called id is no model
    assert repr(predictions).startswith("Predictions(models=('a', 'b'), label='truth', group='day', weight='n'")
    assert Predictions.of({"label": [0], "prediction": [1]}).models == ("prediction",)
    assert Predictions.of({"label": [0], "a": [1], "__index_level_0__": [0]}).models == ("a",)  # pandas' index
    assert Predictions.of({"model": [0], "prediction": [1], "id": [2]}, models=["model", "prediction"]).names == {}


def test_frequency_weights_multiply_counts():
    weight = [3, 0, 1, 2, 5, 1]
    repeated = {
        name: [value for value, n in zip(column, weight, strict=True) for _ in range(n)]
        for name, column in ANIMALS.items()
    }
    for weights in (weight, [float(each) for each in weight], np.array(weight, dtype=np.int8)):
        heavy = Predictions.of({**ANIMALS, "n": weights}, weight="n")
        plain = Predictions.of(repeated)
        assert cells(heavy.paired_table()) == cells(plain.paired_table())
        assert heavy.paired_confusion().counts.tolist() == plain.paired_confusion().counts.tolist()


@pytest.mark.parametrize(
    "weights", [[0.5, 1, 1], [-1, 1, 1], [None, 1, 1], [float("nan"), 1.0, 1.0], [float("inf"), 1, 1]]
)
def test_other_weights_are_refused(weights):
    table = {"label": [0, 1, 1], "a": [0, 1, 1], "b": [0, 1, 0], "c": [0, 0, 0], "share": weights}
    for models in (["a"], ["a", "b"], ["a", "b", "c"]):
        with pytest.raises(
            InvalidEvidence, match=r"share \(the weight\) must hold whole numbers from 0 to 2\*\*53, got"
        ):
            Predictions.of(table, models=models, weight="share").tally()


@pytest.mark.parametrize(("weights", "kind"), [(list("123456"), "texts"), ([True] * 6, "booleans")])
def test_weights_of_another_kind_are_refused(weights, kind):
    with pytest.raises(InvalidEvidence, match=rf"must hold whole numbers from 0 to 2\*\*53, got {kind}"):
        Predictions.of({**ANIMALS, "n": weights}, weight="n").paired_table()


def test_weights_that_would_wrap_around_are_refused(engine):
    """Sums of 64 bits wrap around in silence: twice 2**62 is negative, and 2048 times 2**53 is 0."""
    for weight in (2**62, 2**53 + 1, float(2**60)):
        with pytest.raises(
            InvalidEvidence,
            match=r"n \(the weight\) must hold whole numbers from 0 to 2\*\*53, got .* in 6 of 6 examples",
        ):
            Predictions.of(engine({**ANIMALS, "n": [weight] * 6}), weight="n").paired_table()
    many = {"label": ["x"] * 2048, "a": ["x"] * 2048, "n": [2**53] * 2048}
    for count in ("error_counts", "confusion_matrix"):
        with pytest.raises(
            InvalidEvidence, match=r"the weights must add up to at most 2\*\*53 \(9007199254740992\), got more"
        ):
            getattr(Predictions.of(engine(many), weight="n"), count)()
    one = {**ANIMALS, "n": [2**53, 0, 0, 0, 0, 0]}
    assert int(Predictions.of(engine(one), weight="n").paired_table().both_right) == 2**53


def test_groups_come_with_a_leading_dimension():
    table = {**ANIMALS, "c": ["cat"] * 6, "zoo": ["south", "north", "south", None, "north", "south"]}
    predictions = Predictions.of(table, group="zoo")
    tally = predictions.tally()
    assert tally.groups == ("north", "south", None)
    assert tally.examples.tolist() == [2, 3, 1]
    assert predictions.error_counts().errors.shape == (3, 3)
    assert predictions.error_patterns().shape == predictions.paired_table("a", "b").shape == (3,)
    assert predictions.confusion_matrix("a").counts.shape == (3, 3, 3)
    whole = Predictions.of(table, models=["a", "b", "c"]).error_patterns()
    assert sum(predictions.error_patterns()).counts.tolist() == whole.counts.tolist()


def test_groups_that_are_nan_or_null_are_one():
    table = {"label": [0, 1, 1], "a": [0, 1, 0], "rate": [0.5, float("nan"), None]}
    tally = Predictions.of(table, group="rate").tally()
    assert (tally.groups, tally.examples.tolist(), tally.errors.tolist()) == ((0.5, None), [1, 2], [[0], [1]])


def test_a_group_without_an_example_left_is_reported():
    table = {"label": [0, 1, 1], "a": [0, None, None], "b": [1, 1, 1], "day": ["x", "y", "y"]}
    for tally in (
        Predictions.of(table, group="day", missing="drop").tally(),
        Predictions.of(table, group="day", missing="drop").cross_tally("a", "b"),
        Predictions.of({**table, "c": [0, 0, 0]}, group="day", missing="drop").tally(),
    ):
        assert tally.groups == ("x",)
        assert tally.excluded == {"missing prediction of a": 2, "all examples of group 'y'": 2}
        assert tally.left_out == 2


@pytest.mark.parametrize("nothing", [None, ""])
def test_a_missing_prediction_fails_counts_as_wrong_or_is_dropped(nothing):
    table = {**ANIMALS, "b": [nothing, *ANIMALS["b"][1:]], "id": list("uvwxyz")}
    with pytest.raises(InvalidEvidence) as failure:
        Predictions.of(table, id="id").paired_table()
    assert str(failure.value) == (
        "b has no prediction for 1 of 6 examples (first: id 'u'). Use missing='drop' to compare the other 5, or"
        " missing='wrong' to count it as an error."
    )
    wrong = Predictions.of(table, missing="wrong").tally()
    assert cells(wrong.paired_table()) == [1, 2, 2, 1]
    assert (wrong.taken_as_wrong, wrong.excluded, wrong.left_out) == ({"missing prediction of b": 1}, {}, 0)
    dropped = Predictions.of(table, missing="drop").tally()
    assert cells(dropped.paired_table()) == [1, 2, 1, 1]
    assert (dropped.taken_as_wrong, dropped.excluded, dropped.left_out) == ({}, {"missing prediction of b": 1}, 1)
    assert Predictions.of(table).confusion_matrix("a").counts.sum() == 6  # of b nobody asked


def test_a_missing_label_can_be_dropped_but_not_be_wrong():
    table = {**ANIMALS, "label": [None, *ANIMALS["label"][1:]]}
    for missing in ("fail", "wrong"):
        with pytest.raises(InvalidEvidence, match="the label is missing in 1 of 6 examples"):
            Predictions.of(table, missing=missing).error_counts()
    tally = Predictions.of(table, missing="drop").tally()
    assert (tally.excluded, int(tally.examples)) == ({"missing label": 1}, 5)


def test_a_confusion_has_no_place_for_a_missing_prediction():
    table = {**ANIMALS, "b": [None, *ANIMALS["b"][1:]]}
    for missing in ("fail", "wrong"):
        with pytest.raises(InvalidEvidence, match="b has no prediction for 1 of 6 examples"):
            Predictions.of(table, missing=missing).confusion_matrix("b")
    assert Predictions.of(table, missing="drop").cross_tally("b").excluded == {"missing prediction of b": 1}


def test_unknown_labels_are_never_counted_in_silence():
    with pytest.raises(
        InvalidEvidence,
        match="the label must be one of 'cat', 'dog', got 'eel' in 2 of 6 examples",
    ):
        Predictions.of(ANIMALS, labels=["cat", "dog"], missing="wrong").paired_table()
    tally = Predictions.of(ANIMALS, labels=["cat", "dog"], missing="drop").tally()
    assert tally.excluded == {"unknown label": 2, "unknown prediction of a": 1, "unknown prediction of b": 2}
    assert int(tally.examples) == 4
    known = Predictions.of(
        {**ANIMALS, "b": ["?", *ANIMALS["b"][1:]]}, labels=["cat", "dog", "eel", "fox"], missing="wrong"
    )
    assert known.tally().taken_as_wrong == {"unknown prediction of b": 1}
    assert Predictions.of(ANIMALS, labels=["fox", "eel", "dog", "cat"]).confusion_matrix("a").labels == (
        "fox",
        "eel",
        "dog",
        "cat",
    )


def test_labels_reported_as_texts_stand_for_numbers():
    table = {"label": [0, 1, 2], "a": [0.0, 1.0, 1.0]}
    assert Predictions.of(table, labels=["0", "1"], missing="drop").tally().excluded == {"unknown label": 1}
    with pytest.raises(InvalidEvidence, match="`labels` must hold numbers as the columns do, got 'one'"):
        Predictions.of(table, labels=["one", "2"]).error_counts()
    with pytest.raises(InvalidEvidence, match=r"`labels` must hold texts as the columns do, got \(0, 1\)"):
        Predictions.of(ANIMALS, labels=[0, 1]).error_counts()


def test_labels_that_could_never_agree_are_refused():
    with pytest.raises(InvalidEvidence, match="`a` must hold numbers as `label` does, got texts"):
        Predictions.of({"label": [0, 1], "a": ["0", "1"]}).error_counts()


def test_truth_values_compare_with_0_and_1():
    assert Predictions.of({"label": [1, 0, 1], "a": [True, False, False]}).error_counts().errors.tolist() == [1]
    assert Predictions.of({"label": [1, 0, 1], "a": [True, False, False]}).confusion_matrix().labels == (0, 1)
    assert Predictions.of({"label": [True, False], "a": [True, True]}).confusion_matrix().labels == (False, True)


def test_categories_compare_by_what_they_stand_for():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    texts = pandas.DataFrame(ANIMALS).astype({"label": "category", "a": "category"})
    assert cells(Predictions.of(texts).paired_table()) == [1, 2, 1, 2]
    numbers = pandas.DataFrame({"label": [1, 0, 1], "a": [1, None, 0]}).astype("category")
    numbers["b"] = [1, 0, 0]
    assert Predictions.of(numbers, missing="wrong").error_counts().errors.tolist() == [2, 1]
    enums = polars.DataFrame(ANIMALS).with_columns(polars.col("label").cast(polars.Enum(["cat", "dog", "eel"])))
    enums = enums.with_columns(polars.col("a").cast(polars.Categorical))
    assert cells(Predictions.of(enums).paired_table()) == [1, 2, 1, 2]
    assert Predictions.of(enums).confusion_matrix("a").labels == ("cat", "dog", "eel")


def test_arrow_dictionaries_and_views_compare_by_what_they_stand_for():
    arrow = pytest.importorskip("pyarrow")
    numbers = arrow.table({"label": arrow.array([1, 2]).dictionary_encode(), "a": [1, 1]})
    assert Predictions.of(numbers).error_counts().errors.tolist() == [1]
    texts = arrow.table({"label": ["x", "y"], "a": arrow.array(["x", "x"]).cast(arrow.string_view())})
    texts = texts.append_column("b", arrow.array(["x", "y"]).dictionary_encode())
    assert Predictions.of(texts).error_counts().errors.tolist() == [1, 0]


def test_pandas_objects_compare_by_what_they_are():
    pandas = pytest.importorskip("pandas")

    def table(a, **more):
        return pandas.DataFrame({"label": [1, 0, 1], "a": a, **more}, dtype=object)

    for numbers in ([1, 0, 0], [1.0, 0, 0], [1, 0, None], [True, False, None]):
        assert Predictions.of(table(numbers), missing="wrong").error_counts().errors.tolist() == [1]
    for mixed in ([1, "0", 1], [True, "x", 2.0]):
        with pytest.raises(InvalidEvidence, match=r"`a` must hold values of one type, got (int|bool, float), str"):
            Predictions.of(table(mixed))
    with pytest.raises(InvalidEvidence, match="`a` must hold numbers as `label` does, got texts"):
        Predictions.of(table(["1", "0", "1"])).error_counts()
    notes = table([1, 0, 1], note=[[1], "x", 2])
    assert Predictions.of(notes, models="a").error_counts().errors.tolist() == [0]  # nobody compares the notes


def test_columns_of_one_name_are_reported():
    pandas, arrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    frame = pandas.DataFrame([[1, 1, 1]], columns=["label", "a", "a"])
    table = arrow.Table.from_arrays([arrow.array([1])] * 3, names=["label", "a", "a"])
    for each in (frame, table):
        with pytest.raises(InvalidEvidence, match="columns must have different names, got 'a' more than once"):
            Predictions.of(each)


def test_pandas_own_missing_values_are_missing():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {
            "label": pandas.array([1, 0, 1], dtype="Int64"),
            "a": pandas.array([1, None, 0], dtype="Int64"),
            "b": pandas.Series([True, None, False], dtype=object),
            "c": pandas.array([True, None, True], dtype="boolean"),
        }
    )
    texts = pandas.DataFrame({"label": ["x", "y"], "a": ["x", None], "b": ["", "y"]})
    for dtype in ("string", object, "string[pyarrow]"):
        assert Predictions.of(texts.astype(dtype), missing="wrong").tally().errors.tolist() == [1, 1]
    tally = Predictions.of(frame, missing="wrong").tally()
    assert tally.errors.tolist() == [2, 2, 1]
    assert tally.taken_as_wrong == {f"missing prediction of {name}": 1 for name in "abc"} | {NO_PREDICTION: 1}
    right = Predictions.of(frame, models=["a", "b", "c"], correct=True, missing="drop").tally()
    assert right.errors.tolist() == [1, 1, 0]


def test_correctness_says_right_or_wrong_and_nothing_else():
    with pytest.raises(InvalidEvidence, match=r"`a` must hold 1 \(right\) or 0 \(wrong\), got 7 in 1 of 2 examples"):
        Predictions.of({"a": [0, 7], "b": [1, 1]}, correct=True).paired_table()
    with pytest.raises(
        InvalidEvidence, match=r"`b` must hold 1 \(right\) or 0 \(wrong\), got 'maybe' in 1 of 3 examples"
    ):
        Predictions.of({"a": [0, 1, 1], "b": ["True", "maybe", "1"]}, correct=True).paired_table()
    with pytest.raises(InvalidOption, match="`correct` must be False to count predicted labels, got True"):
        Predictions.of({"a": [0, 1], "b": [1, 1]}, correct=True).confusion_matrix("a")
    tally = Predictions.of({"a": [0, None], "b": ["TRUE", ""]}, correct=True, missing="wrong").tally()
    assert tally.taken_as_wrong == {"missing outcome of a": 1, "missing outcome of b": 1, NO_PREDICTION: 1}
    with pytest.raises(InvalidEvidence, match="a has no outcome for 1 of 2 examples"):
        Predictions.of({"a": [0.0, float("nan")], "b": [1, 1]}, correct=True).paired_table()


def test_an_id_stands_for_one_example():
    table = {**ANIMALS, "case": [1, 2, 2, 3, 3, 3]}
    assert Predictions.of(table, models=["a", "b"]).paired_table().examples == 6  # not declared, not looked at
    with pytest.raises(
        InvalidEvidence,
        match=r"case \(the id\) must be different in every row, but 2 ids occur more than once \(first: 2, 2 times\)",
    ):
        Predictions.of(table, id="case").paired_table()
    with pytest.raises(InvalidEvidence, match=r"case \(the id\) must be present in every row, but is missing in 1 row"):
        Predictions.of({**ANIMALS, "case": [None, 2, 3, 4, 5, 6]}, id="case").paired_table()


def test_long_rows_of_one_id_must_fit_together():
    table = {"id": [1, 1, 2, 2], "model": ["a", "b", "a", "b"], "prediction": [0, 0, 1, 0], "label": [0, 0, 1, 1]}
    assert cells(Predictions.of(table).paired_table()) == [0, 0, 1, 1]
    with pytest.raises(
        InvalidEvidence,
        match=r"a must have one prediction for each example, got several for 1 of 2 examples \(first: id 1\)",
    ):
        Predictions.of({**table, "model": ["a", "a", "a", "b"]}, missing="drop").paired_table()
    with pytest.raises(
        InvalidEvidence,
        match=r"the label must be the same in all rows of an id, but differs for 1 of 2 examples \(first: id 2\)",
    ):
        Predictions.of({**table, "label": [0, 0, 1, 0]}).paired_table()
    with pytest.raises(
        InvalidEvidence,
        match=r"day \(the group\) must be the same in all rows of an id, but differs for 1 of 2 examples"
        r" \(first: id 2\)",
    ):
        Predictions.of({**table, "day": ["x", "x", "x", "y"]}, group="day").paired_table()
    with pytest.raises(InvalidEvidence, match="the id must be present in every row, got none in 1 of 2 examples"):
        Predictions.of({**table, "id": [1, 1, None, None]}).paired_table()
    with pytest.raises(InvalidEvidence, match="`model` must name a model in every row, got none in 1 row"):
        Predictions.of({**table, "model": ["a", "b", "a", None]})
    with pytest.raises(InvalidEvidence, match="`models` must be names in the column 'model', got 'bb'"):
        Predictions.of(table, models=["a", "bb"])
    one = {**table, "model": ["a", "b", "a", "c"]}
    with pytest.raises(InvalidEvidence, match=r"b lacks 1 of 2 examples \(first: id 2\)"):
        Predictions.of(one, models=["a", "b"]).paired_table()
    assert Predictions.of(one, models=["a", "b"], missing="drop").tally().excluded == {"id without prediction of b": 1}
    assert Predictions.of({**table, "model": [1, 2, 1, 2]}).models == ("1", "2")


def test_joined_tables_must_fit_together():
    def table(**columns):
        return Predictions.of({"id": [1, 2], "label": ["x", "y"], "prediction": ["x", "x"], **columns}, id="id")

    joined = Predictions.joined({"old": table(), "new": table(prediction=["x", "y"]), "third": table()})
    assert joined.models == ("old", "new", "third")
    assert joined.tally().errors.tolist() == [1, 0, 1]
    both = Predictions.joined({"old": table(other=["x", "y"]), "new": table()})
    assert both.models == ("old/prediction", "other", "new")
    truth = Predictions.of({"id": [2, 1], "label": ["y", "x"]}, id="id")
    guesses = Predictions.of({"id": [1, 2], "b": ["y", "y"], "c": ["x", "y"]}, id="id")
    assert Predictions.joined({"truth": truth, "guesses": guesses}).tally().errors.tolist() == [1, 0]
    with pytest.raises(
        InvalidEvidence,
        match=r"the label must be the same in all rows of an id, but differs for 1 of 2 examples \(first: id 2\)",
    ):
        Predictions.joined({"old": table(), "new": table(label=["x", "x"])}).paired_table()
    with pytest.raises(InvalidEvidence, match="the id must be different in every row"):
        Predictions.joined({"old": table(), "new": table(id=[1, 1])})
    with pytest.raises(
        InvalidEvidence, match="the id must be of one kind in all tables, got numbers in 'old' and texts in 'new'"
    ):
        Predictions.joined({"old": table(), "new": table(id=["1", "2"])})
    with pytest.raises(InvalidOption, match="`id` is required to join 2 tables"):
        Predictions.joined({"old": table(), "new": Predictions.of({"label": ["x"], "b": ["x"]})})
    with pytest.raises(InvalidOption, match="must agree on"):
        Predictions.joined({"old": table(), "new": Predictions.of({"id": [1], "b": ["x"]}, id="id", missing="drop")})
    with pytest.raises(InvalidEvidence, match="at least two"):
        Predictions.joined({"old": table()})
    with pytest.raises(InvalidOption, match="must have different names"):
        Predictions.joined({"old": table(), "b": Predictions.of({"id": [1], "old": ["x"]}, id="id"), "c": table()})


def test_joined_tables_are_on_one_engine():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    columns = {"id": [1, 2], "label": [0, 1], "a": [0, 0]}
    here, there = (Predictions.of(frame(columns), id="id") for frame in (pandas.DataFrame, polars.DataFrame))
    with pytest.raises(InvalidEvidence, match="all tables must be on one engine, got pandas, polars"):
        Predictions.joined({"here": here, "there": there})


def test_long_and_wide_tables_join():
    long = Predictions.of(
        {"id": [1, 1, 2], "model": ["a", "b", "a"], "prediction": [0, 0, 1], "label": [0, 0, 1]}, missing="drop"
    )
    wide = Predictions.of({"id": [2, 1, 3], "label": [1, 0, 1], "c": [1, 1, 1]}, id="id", missing="drop")
    for tables in ({"long": long, "wide": wide}, {"wide": wide, "long": long}):
        tally = Predictions.joined(tables).tally("a", "c")
        assert cells(tally.paired_table("a", "c")) == [0, 0, 1, 1]
        assert tally.excluded == {"id without prediction of a": 1}
        assert Predictions.joined(tables).tally("b").excluded == {"id without prediction of b": 2}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"label": "lable"},
            "`label` must be a column of the table, got 'lable'",
        ),
        ({"models": ["a", "z"]}, "`models` must be columns of the table, got 'z'"),
        (
            {"models": ["a", "label"], "label": "label"},
            "`models` must be columns of predictions, got 'label', which has another role",
        ),
        ({"models": ["a", "a"]}, r"`models` must be different names, got \('a', 'a'\)"),
        ({"group": "day"}, "`group` must be a column of the table, got 'day'"),
        ({"group": "label"}, "`group` and `label` must be different columns, got 'label' for both"),
        ({"missing": "ignore"}, "`missing` must be one of 'fail', 'wrong', 'drop', got 'ignore'"),
        ({"labels": ["cat"]}, r"`labels` must be two or more different values, got \['cat'\]"),
        ({"labels": "cat"}, "`labels` must be two or more different values, got"),
        ({"model": "who"}, "`id` must be a column of the table, got 'id'"),
    ],
)
def test_parts_that_are_not_there_are_reported(options, message):
    if options == {"group": "label"}:
        options = {"group": "label", "label": "label"}
    with pytest.raises(InvalidInput, match=message):
        Predictions.of(ANIMALS, **options)


def test_what_a_fold_lacks_is_reported():
    three = Predictions.of({**ANIMALS, "c": ["cat"] * 6})
    with pytest.raises(InvalidOption, match="`a` and `b` must name two models, got None and None"):
        three.paired_table()
    with pytest.raises(InvalidOption, match="`a` and `b` must name two models, got 'a' and None"):
        three.paired_table("a")
    with pytest.raises(InvalidOption, match="`models` must be models of the table, got 'z'"):
        three.paired_table("a", "z")
    with pytest.raises(InvalidOption, match="`model` must name a model, got None"):
        three.confusion_matrix()
    with pytest.raises(InvalidOption, match=r"`models` must be different names, got \('a', 'a'\)"):
        three.tally("a", "a")
    with pytest.raises(InvalidEvidence, match="the tally must be made with patterns=True, got patterns=False"):
        three.tally(patterns=False).error_patterns()
    with pytest.raises(InvalidEvidence, match="`a` and `b` must name two models, got None and None"):
        three.tally().paired_table()
    with pytest.raises(InvalidEvidence, match="`a` and `b` must be different models, got 'a' for both"):
        three.tally().paired_table("a", "a")
    with pytest.raises(InvalidEvidence, match="`model` must be a model of the table, got 'z'"):
        three.tally().paired_table("a", "z")
    with pytest.raises(InvalidEvidence, match="`model` must name a model, got None"):
        three.cross_tally("a", "b").confusion_matrix()
    with pytest.raises(InvalidEvidence, match="`label` must name the column of true labels"):
        Predictions.of({"y": [0, 1], "a": [0, 1]}).error_counts()
    with pytest.raises(
        InvalidEvidence, match=r"`label` must name the column of true labels \(the column 'label' is the group\)"
    ):
        Predictions.of(ANIMALS, group="label").error_counts()
    with pytest.raises(
        InvalidEvidence, match=r"`label` must name the column of true labels \(the column 'label' is a model\)"
    ):
        Predictions.of(ANIMALS, models=["a", "label"]).error_counts()
    with pytest.raises(InvalidEvidence, match="the table must have a column of predictions, got none"):
        Predictions.of({"label": [0, 1]}).error_counts()


def test_a_table_without_examples_is_an_error():
    polars = pytest.importorskip("polars")
    empty = polars.DataFrame(
        {"label": [], "a": [], "b": [], "c": []}, schema=dict.fromkeys(["label", "a", "b", "c"], polars.Int64)
    )
    for models in (["a"], ["a", "b"], ["a", "b", "c"]):
        with pytest.raises(InvalidEvidence, match="the table must hold at least one example, got none"):
            Predictions.of(empty, models=models).tally()
    with pytest.raises(InvalidEvidence, match=r"no example is left of 1 \(missing prediction of a: 1\)"):
        Predictions.of({"label": [0], "a": [None]}, missing="drop").error_counts()


def test_what_is_no_table_is_reported():
    with pytest.raises(
        InvalidEvidence,
        match=r"`predictions` must be a table \(pandas, polars, pyarrow, DuckDB, Dask or PySpark\) or a"
        r" dictionary of columns, got list",
    ):
        Predictions.of([1, 2])
    with pytest.raises(
        InvalidEvidence,
        match=r"the columns must make a table, got an error: could not create a new DataFrame: height of"
        r" column 'a' \(1\) does not match height of column 'label' \(2\)",
    ):
        Predictions.of({"label": [1, 2], "a": [1]})
    pandas = pytest.importorskip("pandas")
    with pytest.raises(InvalidEvidence, match="names of columns must be texts, got 0"):
        Predictions.of(pandas.DataFrame({"label": [1], 0: [1]}))


def test_a_dictionary_needs_some_engine(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # noqa: ARG005
    with pytest.raises(MissingExtra, match=r"pip install 'tellapart\[tables\]'"):
        Predictions.of({"label": [1], "a": [1]})


def test_what_an_engine_cannot_do_is_one_clear_error():
    polars = pytest.importorskip("polars")
    with pytest.raises(InvalidEvidence, match="the table could not be counted"):
        Predictions.of(polars.LazyFrame(ANIMALS).select(polars.col("label"), polars.col("nobody")))
    strict = polars.LazyFrame({"label": [0, 1], "a": ["0", "x"]}).with_columns(polars.col("a").cast(polars.Int64))
    with pytest.raises(InvalidEvidence, match="the table could not be counted") as failure:
        Predictions.of(strict).error_counts()
    assert "\n" not in str(failure.value)


def test_no_table_no_engine():
    """Nothing of the table engines is loaded before a table is met."""
    words = "import sys, tellapart.evidence, tellapart; print({'narwhals', 'polars', 'pandas'} & set(sys.modules))"
    text = subprocess.run([sys.executable, "-c", words], check=True, capture_output=True, text=True)  # noqa: S603
    assert text.stdout.strip() == "set()"


def test_scores_are_no_labels():
    scores = [index / 997 for index in range(500)]
    with pytest.raises(InvalidEvidence, match="a matrix of 500 labels is too large"):
        Predictions.of({"label": scores, "a": scores, "b": scores}).paired_confusion()


def test_many_models_cost_one_pass(monkeypatch):
    """Ten models by their patterns, seventy by their errors: one query each."""
    from tellapart.predictions import engine

    queries = []
    run = engine.collect_columns
    monkeypatch.setattr(engine, "collect_columns", lambda frame: queries.append(frame) or run(frame))
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 500)
    models = {f"m{index}": np.where(rng.random(500) < 0.2, 1, truth) for index in range(70)}
    some = dict(list(models.items())[:16])
    patterns = Predictions.of({"label": truth, **some}).error_patterns()
    expected = ErrorPatterns.from_predictions(truth, some)
    assert (patterns.wrong.tolist(), patterns.counts.tolist()) == (expected.wrong.tolist(), expected.counts.tolist())
    errors = Predictions.of({"label": truth, **models}).error_counts().errors
    assert errors.tolist() == [int((guess != truth).sum()) for guess in models.values()]
    assert len(queries) == 2
    with pytest.raises(InvalidOption, match="`models` must be at most 62 to count patterns, got 70"):
        Predictions.of({"label": truth, **models}).error_patterns()


rows = st.lists(st.tuples(*[st.sampled_from([0, 1, 2, None])] * 4), min_size=1, max_size=40)


@given(rows, st.integers(1, 39), st.sampled_from(["wrong", "drop"]))
@settings(derandomize=True, deadline=None, max_examples=12)
def test_shards_add_up_to_the_whole(examples, cut, missing):
    """Counting parts and adding is counting all; so it is by NumPy, where nothing is missing."""
    usable = [row for row in examples if row[0] is not None]
    kept = [row for row in usable if missing == "wrong" or None not in row]
    parts = [
        part
        for part in (usable[:cut], usable[cut:])
        if (missing == "wrong" and part) or any(None not in row for row in part)
    ]
    if not kept or not parts:
        return

    def folded(part):
        columns = dict(zip(("label", "a", "b", "c"), map(list, zip(*part, strict=True)), strict=True))
        typed = {name: np.array([np.nan if v is None else v for v in column]) for name, column in columns.items()}
        predictions = Predictions.of(typed, missing=missing)
        return predictions.paired_table("a", "b") if missing == "wrong" else None, predictions.error_patterns()

    whole = folded(usable)
    shards = [folded(part) for part in parts]
    assert sum(each for _, each in shards).counts.tolist() == whole[1].counts.tolist()
    if missing == "wrong":
        assert cells(sum(each for each, _ in shards)) == cells(whole[0])
    if all(None not in row for row in kept):
        label, a, b, c = (np.array(column) for column in zip(*kept, strict=True))
        assert (
            ErrorPatterns.from_predictions(label, {"a": a, "b": b, "c": c}).counts.tolist() == whole[1].counts.tolist()
        )


# --- Types that differ in size only ---


@pytest.mark.parametrize(
    ("here", "there"),
    [("int32", "int64"), ("int64", "float64"), ("bool", "int64"), ("string", "large_string")],
)
def test_ids_of_one_kind_join_whatever_their_type(here, there):
    pyarrow = pytest.importorskip("pyarrow")
    ids = [False, True] if "bool" in (here, there) else ["x", "y"] if "string" in here else [1, 2]
    kinds = {"bool": pyarrow.bool_(), "string": pyarrow.string(), "large_string": pyarrow.large_string()}

    def table(name, dtype):
        expected = kinds.get(dtype) or getattr(pyarrow, dtype)()
        values = [int(each) for each in ids] if "int" in dtype and "bool" in (here, there) else ids
        columns = {"id": pyarrow.array(values).cast(expected), "label": [0, 1], name: [0, 0 if name == "a" else 1]}
        return Predictions.of(pyarrow.table(columns), id="id")

    joined = Predictions.joined({"one": table("a", here), "two": table("b", there)})
    assert joined.paired_table().only_a_wrong == 1


def test_floats_of_two_sizes_are_compared_in_the_smaller():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"label": [0.1, 0.2], "a": [0.1, 0.2], "b": [0.1, 0.3]})
    mixed = frame.with_columns(polars.col("a").cast(polars.Float32))
    assert Predictions.of(mixed).paired_table("a", "b").only_a_wrong == 0
    assert Predictions.of(mixed).paired_table("a", "b").only_b_wrong == 1
