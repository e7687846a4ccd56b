"""Where two models disagree: the same rows as a loop finds, on every engine, in every layout.

Dask and Spark have their turn in `test_processes.py`.
"""

from __future__ import annotations

import csv
import json
import random

import pytest

from tellapart.errors import InvalidEvidence, InvalidOption
from tellapart.predictions import Predictions
from tellapart.readers import read_predictions

LABELS = ["x", "y, too", 'z "z"', "grün", "<b>"]


def made(rows=150, seed=6):
    """Return columns with everything that may go missing, and texts that are hard to write."""
    draw = random.Random(seed)  # noqa: S311  # a test's draws
    label = [draw.choice(LABELS) for _ in range(rows)]

    def guesses(wrong, gone, nothing):
        picks = ((nothing if draw.random() < gone else draw.choice(LABELS)) for _ in label)
        return [pick if draw.random() < wrong else true for true, pick in zip(label, picks, strict=True)]

    keys = [f"k{number:03}" for number in range(rows)]
    draw.shuffle(keys)
    return {
        "key": keys,
        "label": label,
        "a": guesses(0.4, 0.3, None),
        "b": guesses(0.5, 0.3, ""),
        "times": [draw.randrange(3) for _ in label],
        "site": [draw.choice(["n", "s"]) for _ in label],
    }


def looped(columns, *, missing, identity=None, weight=None, group=None):
    """Find the rows with nothing but a loop: id or row number, label, a, b, who is right, and what else there is."""
    result = []
    for row, (true, a, b) in enumerate(zip(columns["label"], columns["a"], columns["b"], strict=True)):
        a, b = a or None, b or None  # noqa: PLW2901  # nothing is nothing, however written
        if (missing == "drop" and None in (a, b)) or (weight and not columns[weight][row]):
            continue
        if (a == true) != (b == true):
            name = columns[identity][row] if identity else row + 1
            more = [columns[part][row] for part in (group, weight) if part]
            result.append((name, true, a, b, "a" if a == true else "b", *more))
    return sorted(result)


CASES = {
    "dropped": {"missing": "drop", "id": "key"},
    "wrong": {"missing": "wrong", "id": "key"},
    "weighted": {"missing": "wrong", "id": "key", "weight": "times", "group": "site"},
    "no id": {"missing": "drop"},
}
SHARED = {"label": "label", "models": ["a", "b"]}


def finds_what_a_loop_finds(frame, cases=tuple(CASES), limits=(7, 1000)):
    columns = made()
    for case in cases:
        options = CASES[case]
        expected = looped(columns, **{"identity" if name == "id" else name: value for name, value in options.items()})
        total = sum(line[-1] if "weight" in options else 1 for line in expected)
        for limit in limits:
            result = Predictions.of(frame(columns), **SHARED, **options).disagreements("a", "b", limit)
            shown, text = expected, result.lines
            if result.order == "value":  # no id, and an engine that numbers no rows
                blank = sorted((line[1:] for line in expected), key=lambda line: [each or "" for each in line])
                shown, text = blank, sorted(text, key=lambda line: [each or "" for each in line])
            assert result.total == total > 7, case
            assert len(text) == min(limit, len(shown)), case
            assert list(text) == shown[:limit] or result.order == "value", case
            if result.order == "value":  # engines put texts in an order of their own; the rows are among those
                assert all(line in shown for line in text), case
                assert len(text) < len(shown) or text == shown, case


def test_as_a_loop_does(engine):
    finds_what_a_loop_finds(engine)


def as_long(columns):
    rows = [
        (key, true, model, guess)
        for model in "ab"
        for key, true, guess in zip(columns["key"], columns["label"], columns[model], strict=True)
    ]
    random.Random(3).shuffle(rows)  # noqa: S311  # a test's draws
    return dict(zip(("id", "label", "model", "prediction"), map(list, zip(*rows, strict=True)), strict=True))


@pytest.mark.parametrize("missing", ["drop", "wrong"])
def test_long_layout(engine, missing):
    columns = made()
    result = Predictions.of(engine(as_long(columns)), missing=missing).disagreements(limit=20)
    assert list(result.lines) == looped(columns, missing=missing, identity="key")[:20]
    assert result.head == ("id", "label", "a", "b", "right")


@pytest.mark.parametrize("missing", ["drop", "wrong"])
def test_joined_tables(engine, missing):
    """Each model in a table of its own, in another order, one of them without its first ten rows."""
    columns = made()
    part = {name: columns[name] for name in ("key", "label", "a")}
    order = sorted(range(len(columns["key"])), key=lambda row: columns["b"][row] or "")
    other = {name: [columns[name][row] for row in order[10:]] for name in ("key", "label", "b")}
    lost = {columns["key"][row] for row in order[:10]}
    columns["b"] = [None if key in lost else guess for key, guess in zip(columns["key"], columns["b"], strict=True)]
    tables = {
        name: Predictions.of(engine(each), id="key", missing=missing) for name, each in (("A", part), ("B", other))
    }
    result = Predictions.joined(tables).disagreements(limit=1000)
    assert list(result.lines) == looped(columns, missing=missing, identity="key")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([True, False, True], [True, True, False]),
        ([1, 0, 1], [1.0, 1.0, 0.0]),
        (["true", "0", "1"], ["1", "TRUE", "false"]),
    ],
)
def test_outcomes_instead_of_predictions(engine, a, b):
    result = Predictions.of(engine({"a": a, "b": b, "id": [5, 4, 3]}), models=["a", "b"], id="id", correct=True)
    text = result.disagreements()
    assert text.head == ("id", "a", "b", "right")
    assert text.lines == ((3, "right", "wrong", "a"), (4, "wrong", "right", "b"))


def test_numbers_that_became_floats_are_whole_again(engine):
    """Where one is missing pandas holds floats; 1.0 beside 1 would look like another label."""
    columns = {"label": [1, 0, 1], "a": [1, None, 0], "b": [0, 0, 1]}
    result = Predictions.of(engine(columns), missing="wrong").disagreements()
    assert {line[-4:] for line in result.lines} == {(1, 1, 0, "a"), (0, None, 0, "b"), (1, 0, 1, "b")}
    assert all(isinstance(value, int | str | None) for line in result.lines for value in line)


# --- Files ----------------------------------------------------------------------------------------


def written(path, columns):
    with path.open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(columns)
        rows.writerows(zip(*columns.values(), strict=True))
    return path


@pytest.mark.parametrize("missing", ["drop", "wrong"])
def test_a_text_file(tmp_path, missing):
    columns = made()
    file = written(tmp_path / "p.csv", {name: columns[name] for name in ("key", "label", "a", "b")})
    by_id = read_predictions(file, id="key", missing=missing).disagreements(limit=30)
    assert list(by_id.lines) == looped(columns, missing=missing, identity="key")[:30]
    by_row = read_predictions(file, models=["a", "b"], missing=missing).disagreements(limit=30)
    assert list(by_row.lines) == looped(columns, missing=missing)[:30]
    assert (by_row.order, by_row.engine, by_row.head[0]) == ("row", "polars", "row")


def test_a_text_among_numbers_is_shown_as_written(tmp_path):
    file = written(tmp_path / "p.csv", {"label": [1, 0, 1], "a": [1, "none of them", 0], "b": [1, 0, 0]})
    result = read_predictions(file, missing="wrong").disagreements()
    assert result.lines == ((2, 0, "none of them", 0, "b"),)


# --- What is told, and what is refused --------------------------------------------------------------


TABLE = {"label": ["u", "u", "v"], "right": ["u", "v", "v"], "<script>": ["v", "u", "v"]}


def test_forms():
    result = Predictions.of(TABLE).disagreements()
    assert result.head == ("row", "label", "right", "<script>", "right")
    assert json.loads(result.to_json())["rows"] == [
        {"row": 1, "label": "u", "a": "u", "b": "v", "right": "right"},
        {"row": 2, "label": "u", "a": "v", "b": "u", "right": "<script>"},
    ]
    assert str(result).startswith("2 discordant examples of right and <script>\n")
    assert "2 rows shown, by row number" in str(result)
    assert "<script>" not in result._repr_html_()
    assert "&lt;script&gt;" in result._repr_html_()


def test_none_at_all():
    result = Predictions.of({"label": [1, 0], "a": [1, 1], "b": [1, 1]}).disagreements()
    assert (result.total, result.lines) == (0, ())
    assert str(result) == "0 discordant examples of a and b"


def test_long_texts_are_cut_where_they_are_shown():
    result = Predictions.of({"label": ["t" * 5000], "a": ["t" * 5000], "b": ["s"]}).disagreements()
    assert len(result.lines[0][1]) == 5000
    assert len(result.table()[1][0][1]) == 200


@pytest.mark.parametrize("limit", [0, -1, 10_001, 2.5, "50", None, True, float("nan")])
def test_a_limit_out_of_range(limit):
    with pytest.raises(InvalidOption, match="`limit` must be a whole number from 1 to 10000, got"):
        Predictions.of(TABLE).disagreements(limit=limit)


def test_what_was_counted_is_not_counted_again(monkeypatch):
    table = Predictions.of(TABLE)
    tally = table.tally()
    monkeypatch.setattr("tellapart.predictions.counting.tally", None)
    assert table.disagreements(tally=tally).total == 2


def test_a_limit_of_numpy():
    import numpy as np

    assert len(Predictions.of(TABLE).disagreements(limit=np.int64(1)).lines) == 1


def test_which_two():
    three = Predictions.of({"label": [1], "a": [1], "b": [0], "c": [1]})
    with pytest.raises(InvalidOption, match="`a` and `b` must name two models, got None and None"):
        three.disagreements()
    with pytest.raises(InvalidOption, match="`models` must be models of the table, got 'd'"):
        three.disagreements("a", "d")
    assert three.disagreements("b", "c").lines == ((1, 1, 0, 1, "c"),)


def test_what_cannot_be_counted_cannot_be_listed(engine):
    columns = {"label": ["x", "y"], "a": ["x", None], "b": ["y", "y"]}
    with pytest.raises(InvalidEvidence, match="a has no prediction for 1 of 2 examples"):
        Predictions.of(engine(columns)).disagreements()
    twice = {"id": [1, 1], "label": ["x", "y"], "a": ["x", "x"], "b": ["y", "y"]}
    with pytest.raises(InvalidEvidence, match="must be different in every row"):
        Predictions.of(engine(twice), id="id").disagreements()
