"""Scores by class from tables: columns of one class and of several, what is missing, and what has no place."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose

from tellapart import Predictions, read_predictions
from tellapart.errors import InvalidEvidence, InvalidInput, InvalidOption

MAIL = {"label": ["ham", "spam", "ham", "spam"], "old": [0.4, 0.3, 0.2, 0.9], "new": [0.3, 0.6, 0.1, 0.8]}
ANIMALS = {"label": ["cat", "dog", "owl", "cat"]}
for index, animal in enumerate(("cat", "dog", "owl")):
    ANIMALS |= {f"old:{animal}": np.eye(3)[[0, 1, 2, 0], index] * 0.4 + 0.2}
    ANIMALS |= {f"new_{animal}": [1 / 3] * 4}


@pytest.mark.parametrize("engine", [dict, pl.DataFrame, pd.DataFrame])
def test_a_column_is_the_score_of_the_positive_class(engine):
    evidence = Predictions.of(engine(MAIL)).class_scores()
    assert (evidence.models, evidence.classes) == (("old", "new"), ("ham", "spam"))
    assert_allclose(evidence.scores, [MAIL["old"], MAIL["new"]])
    assert_allclose(evidence.levels, [0.75, 1.0])
    turned = Predictions.of(engine(MAIL)).class_scores("new", positive="ham")
    assert (turned.models, turned.classes) == (("new",), ("spam", "ham"))
    assert_allclose(turned.levels, [0.0])


def test_several_classes_have_a_column_each():
    table = Predictions.of(ANIMALS)
    evidence = table.class_scores()
    assert (evidence.models, evidence.classes) == (("old", "new"), ("cat", "dog", "owl"))
    assert_allclose(evidence.levels, [1.0, 0.5])
    assert table.class_scores("new").models == ("new",)
    assert table.class_scores("old:cat", "old:dog", "old:owl").models == ("old",)
    assert_allclose(table.class_scores("old", positive="dog").levels, [1.0])
    single = Predictions.of({"label": ANIMALS["label"], "m": [0.1, 0.9, 0.2, 0.3]})
    assert_allclose(single.class_scores(positive="dog").levels, [1.0])
    two = Predictions.of({"label": [0, 1, 0], "model_0": [0.1, 0.2, 0.3], "model_1": [0.3, 0.2, 0.1]})
    assert two.class_scores().models == ("model_0", "model_1")


def test_rows_come_by_id_and_may_be_joined_or_long():
    ids = {"id": [3, 1, 2, 0]}
    evidence = Predictions.of({**ids, **MAIL}, id="id").class_scores("old")
    assert evidence.scores.tolist() == [[0.9, 0.3, 0.2, 0.4]]
    parts = {
        name: Predictions.of({**ids, "label": MAIL["label"], "score": MAIL[name]}, id="id") for name in ("old", "new")
    }
    joined = Predictions.joined(parts).class_scores()
    assert (joined.models, joined.levels.tolist()) == (("old", "new"), [0.75, 1.0])
    long = {"id": [0, 1, 0, 1], "model": list("aabb"), "prediction": [0.1, 0.2, 0.4, 0.3], "label": [0, 1, 0, 1]}
    assert Predictions.of(long).class_scores().levels.tolist() == [1, 0]


def test_what_is_missing_fails_or_is_left_out():
    gaps = {"label": [0, 1, None, 1, 0], "a": [0.1, 0.9, 0.5, None, 0.3], "b": [0.2, 0.8, 0.5, 0.7, 0.1]}
    with pytest.raises(InvalidEvidence, match="the label is missing in 1 of 5 examples"):
        Predictions.of(gaps).class_scores()
    tally = Predictions.of(gaps, missing="drop").class_score_tally()
    assert tally.reasons == {"missing label": 1, "missing score of a": 1}
    assert (tally.left_out, tally.scores.examples, tally.scores.classes) == (2, 3, (0, 1))
    with pytest.raises(InvalidEvidence, match="a has no score for 1 of 5 examples"):
        Predictions.of({**gaps, "label": [0, 1, 0, 1, 0]}).class_scores()
    with pytest.raises(InvalidEvidence, match="no example is left of 1"):
        Predictions.of({"label": [None], "a": [0.1]}, missing="drop").class_scores()


def test_files_are_read_as_scores(tmp_path):
    file = tmp_path / "mail.csv"
    pl.DataFrame(MAIL).write_csv(file)
    assert read_predictions(file, scores=True).class_scores().levels.tolist() == [0.75, 1.0]


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ({"m": list("abab")}, {}, "`m` must hold scores, got texts"),
        ({"m": [1, 2, 3, 4], "w": [1] * 4}, {"weight": "w"}, "`weight` is not supported for scores, got 'w'"),
        ({"m": [1, 2, 3, 4], "g": [1] * 4}, {"group": "g"}, "`group` is not supported for scores, got 'g'"),
        ({"m": [1, 2, 3, 4], "c": [1] * 4}, {"cluster": "c"}, "`cluster` is not supported for scores, got 'c'"),
        ({"m": [1, 1, 0, 1]}, {"correct": True}, "`correct` must be False for scores, got True"),
        ({"label": ["x"] * 4, "m": [1, 2, 3, 4]}, {}, "the label must hold two classes or more, got only 'x'"),
        (
            {"label": list("abca"), "m": [1, 2, 3, 4]},
            {},
            "'m' must have a column for each of the classes 'a', 'b', 'c', such as 'm:a', got one",
        ),
        (
            {"m:a": [0.5] * 4, "m:b": [0.3] * 4, "m:c": [0.2] * 4},
            {},
            "'m' must have one column of scores for each of 'a', 'b', such as 'm:a'",
        ),
        ({"id": [1, 1, 2, 3], "m": [1, 2, 3, 4]}, {"id": "id"}, "must be different in every row"),
        ({"m": [0.1, 0.2, 0.3, np.inf]}, {}, "`scores` must be finite"),
    ],
)
def test_what_has_no_place_is_reported(columns, options, message):
    with pytest.raises(InvalidInput, match=message):
        Predictions.of({"label": list("abab"), **columns}, **options).class_scores()


def test_unknown_models_and_tables_without_labels():
    with pytest.raises(InvalidOption, match="`models` must be models of the table, got 'newer'"):
        Predictions.of(MAIL).class_scores("newer")
    with pytest.raises(InvalidEvidence, match="`label` must name the column of true labels, got none"):
        Predictions.of({"old": [0.1, 0.2]}).class_scores()
    with pytest.raises(InvalidEvidence, match="the table must have a column of scores, got none"):
        Predictions.of({"label": [0, 1]}).class_scores()
