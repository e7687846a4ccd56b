"""Tables whose every example counts by itself: joined, repeated, unscored, clustered, weighted."""

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tellapart import Predictions, Scored, read_predictions
from tellapart.errors import InvalidEvidence, InvalidOption


def run(ids, scores, *, missing="fail", errors=None, scored=True, **columns):
    """Return one run of a model, as a reader of logs makes it."""
    table = pl.DataFrame({"id": ids, "m": scores} | columns, schema_overrides={"m": pl.Float64})
    parts = {name: name for name in ("epoch", "proof", "cluster", "group", "sampling_weight") if name in columns}
    return Predictions.of(table, id="id", models=["m"], scores=scored, missing=missing, errors=errors, **parts)


def both(a, b):
    return Predictions.joined({"a": a, "b": b})


def test_runs_are_joined_by_id_whatever_their_order():
    evidence = both(run(["q1", "q2", "q3"], [1, 0, 1]), run(["q3", "q1", "q2"], [0, 1, 1])).outcomes()
    assert evidence.models == ("a", "b")
    assert evidence.countable
    assert_array_equal(evidence.scores, [[1, 0, 1], [1, 1, 0]])


def test_runs_on_different_items_are_refused_and_reported():
    a, b = run(["q1", "q2"], [1, 0]), run(["q2", "q9"], [1, 0])
    with pytest.raises(
        InvalidEvidence, match=r"a lacks 1 of 3 examples \(first: q9\); b lacks 1 of 3 examples \(first: q1\)"
    ):
        both(a, b).outcomes()
    with pytest.raises(InvalidEvidence, match="share no example"):
        both(a, run(["x"], [1])).outcomes()


def test_what_cannot_be_joined_is_listed_when_it_is_dropped():
    a, b = run(["q1", "q2"], [1, 0], missing="drop"), run(["q2", "q9"], [1, 0], missing="drop")
    tally = both(a, b).outcome_tally()
    assert tally.reasons == {"no row of a (q9)": 1, "no row of b (q1)": 1}
    assert_array_equal(tally.ids, ["q2"])
    assert tally.unmatched == {"a": ("q9",), "b": ("q1",)}
    wrong = both(run(["q1", "q2"], [1, 0], missing="wrong"), run(["q2"], [1], missing="wrong")).outcome_tally()
    assert_array_equal(wrong.outcomes.scores, [[1, 0], [0, 1]])
    assert wrong.reasons == {"no row of b (q1) (counted as wrong)": 1}


def test_the_same_id_must_be_the_same_item():
    a, b = run(["1", "2"], [1, 0], proof=["x", "y"]), run(["1", "2"], [1, 0], proof=["x", "z"])
    with pytest.raises(
        InvalidEvidence,
        match=r"the runs must be on the same items, but the proof of one id differs for 1 of 2 examples"
        r" \(first: id '2'\)",
    ):
        both(a, b).outcomes()


def test_unscored_answers_fail_where_the_runs_differ_in_them():
    a, b = run(["1", "2", "3"], [1, None, 0]), run(["1", "2", "3"], [1, 1, 0])
    with pytest.raises(
        InvalidEvidence, match=r"every answer must have a score, got unscored answers of a \(2\): 1 example"
    ):
        both(a, b).outcomes()
    same = both(a, run(["1", "2", "3"], [1, None, 1])).outcome_tally()
    assert_array_equal(same.ids, ["1", "3"])
    assert sum(same.excluded.values()) == 2  # told of each run
    with pytest.raises(
        InvalidEvidence, match=r"every answer must have a score, got unscored answers of m \(2\): 1 example"
    ):
        run(["1", "2"], [1, None], errors="fail").outcomes()


@pytest.mark.parametrize(("errors", "scores"), [("wrong", [[1, 0, 0], [1, 1, 0]]), ("drop", [[1, 0], [1, 0]])])
def test_unscored_answers_are_counted_or_left_out_as_requested(errors, scores):
    a, b = run(["1", "2", "3"], [1, None, 0], errors=errors), run(["1", "2", "3"], [1, 1, 0], errors=errors)
    assert_array_equal(both(a, b).outcomes().scores, scores)


def test_a_score_without_bounds_has_no_worst():
    evidence = run(["1", "2"], [0.5, None], errors="wrong", scored="perplexity")
    with pytest.raises(
        InvalidOption, match="`bounds` must be known to count missing answers as wrong, got none for perplexity"
    ):
        evidence.outcomes()
    lower = Scored(metric="ter", higher_is_better=False, bounds=(0.0, 2.0))
    assert_array_equal(run(["1", "2"], [0.5, None], errors="wrong", scored=lower).outcomes().scores, [[0.5, 2.0]])


def test_epochs_are_repeats_and_need_not_be_as_many():
    a = run(["1", "1", "1", "2", "2", "2"], [1, 0, 1, 0, 0, 1], epoch=[1, 2, 3, 1, 2, 3])
    b = run(["1", "2"], [1, 0])
    evidence = both(a, b).outcomes()
    assert evidence.examples == 2
    assert evidence.repeats.tolist() == [[3, 3], [1, 1]]
    assert_allclose(evidence.means, [0.5, 0.5])
    assert_allclose(evidence.within, [[2 / 3, 2 / 3], [0, 0]])
    with pytest.raises(InvalidOption, match="counts do not include the epoch of each example"):
        a.tally()


def test_an_unscored_repeat_leaves_the_others():
    a = run(["1", "1"], [1, None], epoch=[1, 2], errors="drop")
    evidence = both(a, run(["1", "1"], [0, 1], epoch=[1, 2], errors="drop")).outcomes()
    assert evidence.scores.tolist() == [[1.0], [0.5]]
    assert evidence.repeats.tolist() == [[1], [2]]
    wrong = run(["1", "1"], [1, None], epoch=[1, 2], errors="wrong").outcomes()
    assert wrong.scores.tolist() == [[0.5]]
    assert wrong.within.tolist() == [[0.5]]


def test_repeats_of_an_example_agree_on_what_it_is():
    """A repeat that failed may know nothing of its example; one that says otherwise is an error."""
    columns = {"epoch": [1, 2, 1, 2], "cluster": [None, "p", "q", "q"]}
    assert run(["1", "1", "2", "2"], [None, 1, 0, 1], errors="drop", **columns).outcomes().cluster_count == 2
    with pytest.raises(
        InvalidEvidence,
        match=r"the cluster must be the same in all repeats of an example, but differs for 1 example \(first: 1\)",
    ):
        run(["1", "1", "2", "2"], [0, 1, 0, 1], **columns | {"cluster": ["x", "p", "q", "q"]}).outcomes()
    for part, values in (("epoch", ["1"]), ("cluster", ["p"])):
        here = {"epoch": [1], "cluster": [1]}
        with pytest.raises(
            InvalidEvidence, match=f"the {part} must be of one kind in all tables, got numbers in 'a' and texts"
        ):
            both(run(["1"], [1], **here), run(["1"], [1], **here | {part: values}))


def test_the_same_id_twice_in_one_epoch_is_refused():
    with pytest.raises(InvalidEvidence, match="must be different in every row of an epoch"):
        run(["1", "1"], [1, 0], epoch=[1, 1]).outcomes()


def test_binary_scores_that_are_worse_when_higher_are_turned_round():
    evidence = run(["1", "2", "3"], [1, 0, 0], scored=Scored(metric="toxic", higher_is_better=False)).outcomes()
    assert evidence.metric.name == "error"
    assert_array_equal(evidence.levels, [1 / 3])


def test_labels_with_clusters_and_weights_fold_by_example():
    table = {
        "label": ["x", "y", "x", "y"],
        "a": ["x", "x", "x", None],
        "b": ["x", "y", "y", "y"],
        "passage": [1, 1, 2, 2],
        "w": [0.5, 1.5, 1.0, 1.0],
    }
    made = Predictions.of(table, cluster="passage", sampling_weight="w", models=["a", "b"], missing="wrong")
    tally = made.outcome_tally()
    assert_array_equal(tally.outcomes.scores, [[1, 0, 1, 0], [1, 1, 0, 1]])
    assert tally.outcomes.clustered_by == "passage"
    assert tally.outcomes.cluster_count == 2
    assert tally.reasons == {"missing prediction of a (counted as wrong)": 1}
    dropped = Predictions.of(table, cluster="passage", models=["a", "b"], missing="drop").outcome_tally()
    assert dropped.outcomes.examples == 3


def test_counts_of_rows_are_no_weights_of_a_mean():
    table = {"label": [1, 0], "a": [1, 1], "w": [2, 3], "c": [1, 2]}
    with pytest.raises(InvalidOption, match="sampling_weight"):
        Predictions.of(table, weight="w", cluster="c", models=["a"]).outcomes()
    with pytest.raises(
        InvalidEvidence,
        match=r"w \(the weight\) must hold whole numbers from 0 to 2\*\*53, got 0\.5 in 2 of 2 examples",
    ):
        Predictions.of(table | {"w": [0.5, 1.5]}, weight="w", models=["a"]).error_counts()


def test_a_missing_cluster_is_reported():
    with pytest.raises(InvalidEvidence, match="cluster is missing for 1 example"):
        run(["1", "2"], [1, 0], cluster=["p", None]).outcomes()
    dropped = run(["1", "2"], [1, None], cluster=["p", None], errors="drop")  # one that failed may have none
    assert dropped.outcomes().cluster_count == 1


def test_scores_must_be_numbers_and_of_one_kind():
    with pytest.raises(InvalidEvidence, match="`m` must hold scores, got texts"):
        Predictions.of({"m": ["C", "I"]}, models=["m"], scores=True).outcomes()
    with pytest.raises(InvalidOption, match="all tables must hold the same score, got 'f1' in 'a' and 'bleu' in 'b'"):
        both(run(["1"], [1], scored="f1"), run(["1"], [1], scored="bleu"))
    with pytest.raises(InvalidOption, match="`correct` must be False with `scores`, got True"):
        Predictions.of({"m": [1]}, models=["m"], scores=True, correct=True)
    with pytest.raises(
        InvalidOption, match=r"`id` must name the column of examples if there are epochs \('epoch'\), got none"
    ):
        Predictions.of({"m": [1], "epoch": [1]}, models=["m"], scores=True, epoch="epoch")


def test_scores_with_bounds_that_are_known_of_one_run_only_have_none():
    known, other = Scored(metric="f1", bounds=(0, 1)), Scored(metric="f1")
    evidence = both(run(["1"], [0.5], scored=known), run(["1"], [0.25], scored=other)).outcomes()
    assert evidence.metric.known_bounds is None
    with pytest.raises(InvalidOption, match="'f1' must have one scale, got 0 to 1 in 'a' and 0 to 100 in 'b'"):
        both(run(["1"], [1], scored=known), run(["1"], [50], scored=Scored(metric="f1", bounds=(0, 100))))
    with pytest.raises(
        InvalidOption,
        match="'f1' must have one direction, got higher is better in one of 'a' and 'b' and lower in the other",
    ):
        both(run(["1"], [1], scored=known), run(["1"], [1], scored=Scored(metric="f1", higher_is_better=False)))


@pytest.mark.parametrize("bounds", [(1, 0), (0,), "ab", (0, float("nan"))])
def test_bounds_are_two_numbers_in_order(bounds):
    with pytest.raises(
        InvalidOption, match=r"`bounds` must be the smallest and largest possible score, such as \(0, 1\), got"
    ):
        Scored(bounds=bounds)


def test_what_was_left_out_is_not_reported_again_as_wrong():
    """Example 4 is unscored in one run and lacking in the other: it is left out, so nothing of it is filled in."""
    options = {"missing": "wrong", "errors": "drop", "scored": Scored(bounds=(0, 1))}
    tally = both(run([1, 2, 3], [1, 0.5, 1], **options), run([1, 2, 4], [0.5, 1, None], **options)).outcome_tally()
    assert tally.reasons == {"unscored answers of b (4)": 1, "no row of b (3) (counted as wrong)": 1}
    assert tally.left_out == 1
    assert_array_equal(tally.outcomes.scores, [[1, 0.5, 1], [0.5, 1, 0]])


def test_an_example_that_all_models_lack_is_left_out_once():
    tally = both(run(["1", "2"], [1, None]), run(["1", "2"], [0, None])).outcome_tally()
    assert tally.counted().left_out == 1


def test_scores_and_weights_that_are_none_are_reported_by_name():
    with pytest.raises(InvalidEvidence, match="the scores of m must be finite, got infinity for q2"):
        run(["q1", "q2"], [1, np.inf]).outcomes()
    with pytest.raises(InvalidEvidence, match="the sampling weight must hold positive numbers, got -2"):
        run(["1", "2"], [1, 0], sampling_weight=[1, -2]).outcomes()
    with pytest.raises(InvalidEvidence, match="the sampling weight must hold positive numbers, got 'much'"):
        run(["1", "2"], [1, 0], sampling_weight=["much", "little"]).outcomes()
    with pytest.raises(InvalidEvidence, match="epoch is missing in 1 row"):
        run(["1", "1"], [1, 0], epoch=[1, None]).outcomes()


def test_a_graded_score_called_error_is_reported_as_a_score():
    evidence = run(
        ["1", "1"], [0.5, 0.25], epoch=[1, 2], scored=Scored(metric="error", higher_is_better=False)
    ).outcomes()
    assert not evidence.metric.is_rate


def test_text_files_are_read_with_care(tmp_path):
    """A value far down that is no number: one that says that there is none, and one that says nothing of the kind."""
    file = tmp_path / "scores.csv"
    rows = [f"{index},cat,{index % 7 / 7},0.5" for index in range(10_100)]
    for late in ("NA", "bad"):
        file.write_text("\n".join(["id,label,a,b", *rows, f"10100,dog,{late},1"]))
        evidence = read_predictions(file, id="id", scores=True, errors="drop", models=["a", "b"])
        if late == "NA":
            assert evidence.outcomes().examples == 10_100
        else:
            with pytest.raises(InvalidEvidence, match="`a` must hold scores, got 'bad' in 1 of 10,101 examples"):
                evidence.outcomes()


def test_ids_as_they_are_written_beside_scores_that_are_numbers(tmp_path):
    for name, ids in (("a", ("01", "02")), ("b", ("01", "x2"))):
        (tmp_path / f"{name}.csv").write_text(f"id,score\n{ids[0]},0.5\n{ids[1]},1\n")
    tables = {
        name: read_predictions(tmp_path / f"{name}.csv", id="id", scores=True, text=True, missing="drop")
        for name in "ab"
    }
    assert_array_equal(Predictions.joined(tables).outcomes().scores, [[0.5], [0.5]])


def _native(table, engine):
    if engine == "pandas":
        return table.to_pandas().convert_dtypes()
    arrow = table.to_arrow()
    if engine == "duckdb":
        import duckdb

        return duckdb.sql("SELECT * FROM arrow")
    return arrow


@pytest.mark.parametrize("engine", ["pandas", "pyarrow", "duckdb"])
def test_other_engines_give_the_same(engine):
    table = pl.DataFrame({"id": ["2", "1", "1"], "e": [1, 2, 1], "m": [0.5, None, 1.0], "g": ["x", "y", "y"]})
    native = _native(table, engine)
    options = {"id": "id", "epoch": "e", "models": ["m"], "scores": "f1", "group": "g", "errors": "drop"}
    here, there = Predictions.of(table, **options).outcomes(), Predictions.of(native, **options).outcomes()
    assert_array_equal(there.scores, here.scores)
    assert there.group_names == here.group_names == ("x", "y")
    assert np.array_equal(there.repeats, here.repeats) if here.repeats is not None else there.repeats is None
    with pytest.raises(InvalidEvidence, match="must be different in every row"):
        Predictions.of(native, id="id", models=["m"], scores=True).outcomes()
    gap = _native(table.with_columns(g=pl.Series(["x", None, None])), engine)
    with pytest.raises(InvalidEvidence, match=r"g .the group. is missing for 1 example"):
        Predictions.of(gap, **options).outcomes()
