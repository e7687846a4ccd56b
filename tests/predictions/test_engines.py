"""Every engine counts the same as a loop over the rows; Dask and Spark do so in `test_processes.py`."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from tellapart.errors import InvalidEvidence
from tellapart.predictions import Predictions

ROWS = 240


def made(seed=1):
    """Return columns with everything that may go missing."""
    draw = random.Random(seed)  # noqa: S311  # a test's draws

    def guesses(truth, wrong, gone, nothing):
        return [
            nothing if draw.random() < gone else draw.choice("xyz") if draw.random() < wrong else true for true in truth
        ]

    label = [draw.choice("xyz") for _ in range(ROWS)]
    return {
        "id": list(range(ROWS)),
        "label": label,
        "a": guesses(label, 0.2, 0.05, None),
        "b": guesses(label, 0.3, 0.05, ""),
        "c": guesses(label, 0.4, 0.0, None),
        "language": [draw.choice(["de", "en", None]) for _ in range(ROWS)],
        "times": [draw.randrange(4) for _ in range(ROWS)],
    }


def looped(columns, models, *, missing, group=None, weight=None, labels=None):
    """Count with nothing but a loop: {group: {code: count}} and what was left out or taken as wrong."""
    counts, because, left_out = {}, {}, 0
    for row, true in enumerate(columns["label"]):
        times = columns[weight][row] if weight else 1
        guesses = {model: columns[model][row] or None for model in models}
        reasons = [f"missing prediction of {model}" for model, guess in guesses.items() if guess is None]
        if labels:
            reasons += [f"unknown prediction of {m}" for m, guess in guesses.items() if guess and guess not in labels]
            reasons += ["unknown label"] * (true not in labels)
        for reason in reasons:
            because[reason] = because.get(reason, 0) + times
        if reasons and missing == "drop":
            left_out += times
            continue
        code = sum((guess != true) << index for index, guess in enumerate(guesses.values()))
        cell = counts.setdefault(columns[group][row] if group else None, {})
        cell[code] = cell.get(code, 0) + times
    return counts, {reason: count for reason, count in because.items() if count}, left_out


CASES = {  # options that Predictions.of and the loop share
    "grouped": {"models": ["a", "b"], "missing": "wrong", "group": "language"},
    "all at once": {"models": ["a", "b", "c"], "missing": "drop", "group": "language", "weight": "times"},
    "two": {"models": ["a", "b"], "missing": "drop"},
    "one": {"models": ["a"], "missing": "wrong", "weight": "times"},
    "three": {"models": ["c", "b", "a"], "missing": "wrong"},
    "known labels": {"models": ["a", "c"], "missing": "drop", "labels": ["x", "y"]},
}


def counts_as_a_loop_does(frame, cases=tuple(CASES)):
    columns = made()
    for case in cases:
        options = CASES[case]
        counts, because, left_out = looped(columns, **options)
        tally = Predictions.of(frame(columns), **options).tally()
        groups = tally.groups or (None,)
        assert groups == tuple(sorted(counts, key=lambda group: (group is None, group))), case
        for index, group in enumerate(groups):
            result = {code: int(each.flat[index]) for code, each in tally.patterns.items()}
            assert {code: count for code, count in result.items() if count} == {
                code: count for code, count in counts[group].items() if count
            }, case
        dropped = options["missing"] == "drop"
        assert (tally.excluded, tally.taken_as_wrong) == ((because, {}) if dropped else ({}, because)), case
        assert tally.left_out == left_out, case


def reads_rows_of_single_predictions(frame):
    """Read the long layout, rows in any order, as the wide one."""
    columns = made(2)
    rows = [(i, m, columns[m][i], columns["label"][i]) for i in columns["id"] for m in "ab" if (i + (m == "a")) % 11]
    random.Random(0).shuffle(rows)  # noqa: S311
    long = dict(zip(("id", "model", "prediction", "label"), map(list, zip(*rows, strict=True)), strict=True))
    wide = {**columns, "a": columns["a"][:], "b": columns["b"][:]}
    for i in columns["id"]:
        for m in "ab":
            if not (i + (m == "a")) % 11:
                wide[m][i] = None
    tally = Predictions.of(frame(long), missing="drop").tally()
    counts, _, left_out = looped(wide, ["a", "b"], missing="drop")
    assert {code: int(count) for code, count in tally.patterns.items()} == counts[None]
    assert tally.left_out == left_out
    assert tally.excluded["id without prediction of a"] == sum((i + 1) % 11 == 0 for i in columns["id"])


def joins_tables_by_id(frame):
    columns = made(3)
    rest = columns["id"][5:]
    here = {name: columns[name][:-3] for name in ("id", "label", "c")}
    there = {"id": rest[::-1], "b": [columns["a"][i] for i in rest[::-1]]}
    tables = {"here": Predictions.of(frame(here), id="id", missing="drop")}
    tables["there"] = Predictions.of(frame(there), id="id", missing="drop")
    tally = Predictions.joined(tables).tally()
    both = {name: [columns[name][i] for i in rest[:-3]] for name in ("label", "a", "c")}
    counts, _, _ = looped(both, ["c", "a"], missing="drop")
    assert tally.models == ("c", "b")
    assert {code: int(count) for code, count in tally.patterns.items() if count} == counts[None]
    assert (tally.excluded["id without prediction of b"], tally.excluded["id without prediction of c"]) == (5, 3)
    assert tally.excluded["missing label"] == 3
    labelled = {**there, "label": [columns["label"][i] for i in there["id"]]}  # an unknown label contradicts none
    tables["there"] = Predictions.of(frame(labelled), id="id", missing="drop")
    again = Predictions.joined(tables).tally()
    assert (again.errors.tolist(), again.left_out) == (tally.errors.tolist(), tally.left_out)
    assert "missing label" not in again.excluded


def tabulates_labels(frame):
    columns = made(4)
    options = {"models": ["a", "b"], "missing": "drop", "group": "language"}
    tally = Predictions.of(frame(columns), **options).cross_tally()
    assert (tally.labels, tally.groups) == (("x", "y", "z"), ("de", "en", None))
    counts = tally.paired_confusion().counts.copy()
    for row, (true, a, b) in enumerate(zip(columns["label"], columns["a"], columns["b"], strict=True)):
        if a and b:
            at = (tally.groups.index(columns["language"][row]), *("xyz".index(each) for each in (true, a, b)))
            counts[at] -= 1  # every example takes itself away
    assert not counts.any()


def says_what_is_missing(frame):
    columns = made()
    lacking = sum(guess is None for guess in columns["a"])
    with pytest.raises(InvalidEvidence, match=rf"a has no prediction for {lacking} of"):
        Predictions.of(frame(columns), models=["a", "c"]).paired_table()


def takes_nan_for_missing_and_whole_floats_for_integers(frame):
    columns = {"label": [0, 1, 1, 0], "a": [0.0, math.nan, 1.0, 1.0], "b": [0, 1, 1, 1]}
    tally = Predictions.of(frame(columns), missing="wrong").tally()
    assert tally.errors.tolist() == [2, 1]
    assert tally.taken_as_wrong == {"missing prediction of a": 1}


def reads_whether_a_model_was_right(frame):
    """Take booleans, 0 and 1, and texts, side by side."""
    columns = {"a": [True, False, True, True], "b": [1, 0, 0, 1], "c": ["True", "false", "TRUE", "0"]}
    tally = Predictions.of(frame(columns), correct=True).tally()
    assert {code: int(count) for code, count in tally.patterns.items()} == {0: 1, 7: 1, 2: 1, 4: 1}


def refuses_integers_that_floats_round(frame):
    """2**53 + 1 is no float: as one it is 2**53, by IEEE 754 (ties to even)."""
    large = 2**53 + 1
    whole, rounded = np.array([large, 5]), np.array([large, 5], dtype=float)
    assert rounded.tolist() == [2**53, 5]
    for label, prediction in ((whole, rounded), (rounded, whole), (rounded, rounded), (-whole, -rounded)):
        table = Predictions.of(frame({"label": label, "a": prediction}))
        with pytest.raises(
            InvalidEvidence, match=r"label must be below 2\*\*53 as (Int|Float)64.*, got -?900719925474099[23]"
        ):
            table.error_counts()
    assert Predictions.of(frame({"label": whole, "a": whole - 1})).error_counts().errors == 2
    single = np.array([2**24 + 1, 5])
    table = Predictions.of(frame({"label": single, "a": single.astype(np.float32)}))
    with pytest.raises(InvalidEvidence, match=r"must be below 2\*\*24 as"):
        table.error_counts()
    assert (
        Predictions.of(frame({"label": [2**24 - 1], "a": np.array([2**24 - 1], dtype=np.float32)}))
        .error_counts()
        .errors
        == 0
    )
    old, new = (
        Predictions.of(frame({"id": ids, "label": ["x", "y"], "prediction": ["x", "y"]}), id="id")
        for ids in (whole, np.array([large - 1, 5.0]))
    )
    for tables in ({"old": old, "new": new}, {"old": new, "new": old}):
        with pytest.raises(
            InvalidEvidence,
            match=r"the id must be below 2\*\*53 as Float64, got 9007199254740992\.0 in 1 row, which may be rounded",
        ):
            Predictions.joined(tables)


def compares_unsigned_with_signed_integers_exactly_or_not_at_all(frame):
    large = 2**53 + 1
    table = Predictions.of(frame({"label": np.array([large], dtype=np.uint64), "a": np.array([large - 1])}))
    with pytest.raises(
        InvalidEvidence,
        match=r"label must be below 2\*\*53 as UInt64 compared with another type \(a\), got 9007199254740993 in 1",
    ):
        table.error_counts()
    small = {"label": np.array([7, 8], dtype=np.uint64), "a": np.array([7, -1])}
    assert Predictions.of(frame(small)).error_counts().errors == 1


CHECKS = (
    counts_as_a_loop_does,
    joins_tables_by_id,
    reads_rows_of_single_predictions,
    tabulates_labels,
    refuses_integers_that_floats_round,
)
SMALL = (reads_whether_a_model_was_right, says_what_is_missing, takes_nan_for_missing_and_whole_floats_for_integers)
SMALL += (compares_unsigned_with_signed_integers_exactly_or_not_at_all,)  # Spark has no unsigned ones


@pytest.mark.parametrize("check", CHECKS + SMALL, ids=lambda check: check.__name__)
def test_an_engine_here(engine, check):
    check(engine)
