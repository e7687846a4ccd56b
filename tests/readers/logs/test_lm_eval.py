"""Logs of lm-evaluation-harness, written by it (tests/fixtures/logs/lm_eval/make.py).

What is expected is what the harness itself reports in the results beside the samples, or is counted from the raw rows.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
from pathlib import Path

import polars as pl
import pytest
from numpy.testing import assert_allclose

from tellapart.errors import InvalidEvidence, InvalidInput, InvalidOption
from tellapart.readers.logs import lm_eval, read_logs
from tellapart.readers.logs.run import Selection

LOGS = Path(__file__).parents[2] / "fixtures" / "logs" / "lm_eval"
ARITH = next(LOGS.glob("outA/*/samples_arith_*.jsonl"))
NORTH = next(LOGS.glob("outA/*/samples_capitals_north_*.jsonl"))
SUMS = sorted(LOGS.glob("sums/plain/*/samples_*.jsonl"))


def runs(path, **expected):
    return lm_eval.READER.runs(Path(path), Selection(**expected))


def run(path, **expected):
    (only,) = runs(path, **expected)
    return only


def rows_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def written(folder, rows, name="renamed.txt"):
    path = Path(folder) / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


# --- The harness's own numbers ------------------------------------------------------------------------

NOT_BY_MEAN = {"signs", "parts", "brier_score", "ter", "bleu", "word_perplexity", "bits_per_byte", "perplexity"}


def reported():
    for path in sorted(LOGS.rglob("results_*.json")):
        content = json.loads(path.read_text())
        for task in content["configs"]:
            for key, value in content["results"][task].items():
                metric, _, chosen = key.rpartition(",")
                if metric and not metric.endswith("_stderr") and metric not in NOT_BY_MEAN:
                    error = content["results"][task][f"{metric}_stderr,{chosen}"]
                    yield pytest.param(path, task, metric, chosen, value, error, id=f"{path.parent}"[-20:] + f"-{key}")


@pytest.mark.parametrize(("path", "task", "metric", "chosen", "mean", "error"), list(reported()))
def test_means_and_standard_errors_are_those_that_the_harness_reports(path, task, metric, chosen, mean, error):
    content = json.loads(path.read_text())
    result = run(path, task=task, metric=metric, filter=chosen)
    scores = result.table["score"].drop_nulls()
    assert_allclose(scores.mean(), mean, rtol=1e-12)
    if not math.isnan(error):  # of a metric that is NaN somewhere the harness has no standard error
        assert_allclose(scores.std() / math.sqrt(len(scores)), error, rtol=1e-12)
    assert (result.task, result.model) == (task, content["model_name"])
    assert result.version == content["lm_eval_version"] == "0.4.13"
    assert result.higher_is_better is content["higher_is_better"][task][metric]
    assert result.table.height == content["n-samples"][task]["effective"]


def test_the_harness_and_we_make_the_same_of_a_dictionary_and_of_a_log_likelihood():
    for folder in ("graded/demo__alder", "graded/demo__birch"):
        text = json.loads(next((LOGS / folder).glob("results_*.json")).read_text())["results"]["graded"]
        result = run(LOGS / folder, metric="parts/value")  # helpers.inside of make.py is the mean of this part
        assert_allclose(result.table["score"].mean(), text["parts,none"])
    text = json.loads(next((LOGS / "lower").rglob("results_*.json")).read_text())["results"]["last_word"]
    result = run(LOGS / "lower", task="last_word", metric="perplexity")
    assert_allclose(math.exp(-result.table["score"].mean()), text["perplexity,none"])
    assert result.higher_is_better  # of the log likelihood, though not of the perplexity
    assert "log likelihood" in result.notes[0]


# --- Rows ---------------------------------------------------------------------------------------------


def test_an_item_is_its_doc_id_proved_by_the_hash_of_the_document():
    result = run(ARITH, filter="strict-match", columns=("passage_id",))
    rows = [row for row in rows_of(ARITH) if row["filter"] == "strict-match"]
    hashes = [hashlib.sha256(json.dumps(row["doc"], indent=2).encode()).hexdigest() for row in rows]
    assert result.table.columns == ["id", "proof", "score", "passage_id"]
    assert result.table["id"].to_list() == [str(row["doc_id"]) for row in rows] == [str(i) for i in range(20)]
    assert result.table["proof"].to_list() == [text[:12] for text in hashes]
    assert result.table["passage_id"].to_list() == [row["doc"]["passage_id"] for row in rows]
    assert (result.metric, result.filter, result.bounds, result.notes) == (
        "exact_match",
        "strict-match",
        (0.0, 1.0),
        (),
    )


def test_a_score_that_a_row_lacks_or_that_is_nan_is_none():
    for metric in ("worked", "small_only"):
        for folder in ("demo__alder", "demo__birch"):
            rows = rows_of(next((LOGS / "graded" / folder).glob("samples_*.jsonl")))
            values = [row.get(metric, math.nan) for row in rows]
            result = run(LOGS / "graded" / folder, metric=metric)
            assert result.table["score"].to_list() == [None if math.isnan(value) else value for value in values]
            gone = sum(map(math.isnan, values))
            assert result.notes[-1].startswith(f"{gone} of 4 samples have no '{metric}'")


def test_truth_values_are_numbers_between_0_and_1():
    result = run(LOGS / "graded", model="demo/birch", metric="tidy")
    assert result.table["score"].to_list() == [1.0, 0.0, 0.0, 1.0]
    assert result.table.schema["score"] == pl.Float64
    assert result.bounds == (0.0, 1.0)
    assert run(LOGS / "graded", model="demo/birch", metric="off_by").bounds is None


def test_percentages_that_are_called_acc_have_no_bounds(tmp_path):
    rows = [{**row, "acc": 100 * row["acc"]} for row in rows_of(NORTH)]
    assert run(written(tmp_path, rows), metric="acc").bounds is None


def test_pieces_and_care_give_what_one_scan_gives(tmp_path, monkeypatch):
    expected = {"filter": "flexible-extract", "columns": ("passage_id",)}
    whole = run(ARITH, **expected).table
    rows = rows_of(ARITH)
    rows[7]["resps"] = [[float("nan")]]  # which Python writes and polars does not read
    monkeypatch.setattr(lm_eval, "_BATCH", 7)
    assert run(written(tmp_path, rows), **expected).table.equals(whole)
    monkeypatch.setattr(lm_eval, "_with_care", None)
    for size in (1, 700, 5000):
        monkeypatch.setattr(lm_eval, "_PIECE", size)
        assert run(ARITH, **expected).table.equals(whole)


def test_columns_of_other_types_and_inside_others(tmp_path):
    rows = rows_of(SUMS[0])
    for index, row in enumerate(rows):
        row["doc"] |= {"part": index, "share": [1, 0.5, 2][index], "from": {"page": f"p{index}"}, "list": [index]}
    result = run(written(tmp_path, rows), columns=("part", "share", "from.page", "list")).table
    assert result["part"].to_list() == [0, 1, 2]
    assert result["share"].to_list() == [1, 0.5, 2]
    assert result["from.page"].to_list() == ["p0", "p1", "p2"]
    assert result["list"].to_list() == ["[0]", "[1]", "[2]"]
    assert run(written(tmp_path, rows), columns=("part", "share")).table["share"].to_list() == [1, 0.5, 2]
    with pytest.raises(InvalidOption, match=r"samples of .*renamed\.txt must have 'topic' in their metadata, got none"):
        run(written(tmp_path, rows), columns=("topic",))


# --- Repeats ------------------------------------------------------------------------------------------


def test_repeats_are_one_score_by_the_filter_and_that_is_stated():
    result = {name: run(LOGS / "repeats", filter=name) for name in ("first", "majority", "all")}
    assert result["first"].table["score"].to_list() == [0.0, 1.0, 1.0]
    assert_allclose(result["all"].table["score"], 2 / 3)
    assert result["all"].notes == ("each question was answered 3 times, of which filter 'all' makes one score",)
    assert "epoch" not in result["all"].table.columns


def test_scores_of_each_repeat_are_epochs(tmp_path):
    """As 0.5 writes them: rows of the first filter have one score, those of the second one for each repeat."""
    first, second = rows_of(SUMS[0]), rows_of(SUMS[0])
    for row in second:
        row["filter"], row["metrics"] = "all", ["pass@3(exact_match)"]
        row |= {"pass@3(exact_match)": 1.0, "scores_per_repeat": {"exact_match": [0, 1, row.pop("exact_match")]}}
    path = written(tmp_path, first + second)
    result = run(path, filter="all", metric="exact_match")
    assert result.table["epoch"].to_list() == [1, 2, 3] * 3
    assert result.table["score"].to_list() == [0, 1, 0, 0, 1, 1, 0, 1, 1]
    assert result.table["id"].to_list() == [*"000111222"]
    assert not result.notes
    assert run(path, filter="none", metric="exact_match").table.columns == ["id", "proof", "score"]
    assert run(path, filter="all", metric="pass@3(exact_match)").bounds == (0.0, 1.0)
    alone = written(tmp_path, second, "alone.jsonl")
    with pytest.raises(
        InvalidOption,
        match=r"`metric` must name one of the scores in .*alone\.jsonl: 'exact_match', 'pass@3\(exact_match\)'",
    ):
        run(alone)


# --- Which run, task, filter, score -------------------------------------------------------------------


def test_of_several_runs_of_a_task_the_newest_is_read():
    result = run(LOGS / "sums" / "plain")
    assert result.table["score"].to_list() == [row["exact_match"] for row in rows_of(SUMS[1])]
    assert result.notes == ("of 2 runs of 'sums' the newest is read, of 2026-01-05T09-08-00.250125",)
    older = run(SUMS[0].with_name(SUMS[0].name.replace("samples_sums", "results").replace(".jsonl", ".json")))
    assert older.table["score"].to_list() == [row["exact_match"] for row in rows_of(SUMS[0])]
    assert older.table.equals(run(SUMS[0]).table)
    assert not older.notes


def test_tasks_of_a_group_and_of_a_folder():
    result = runs(LOGS / "outA", task="quiz", metric="acc")
    assert [each.task for each in result] == ["capitals_north", "capitals_south"]
    text = json.loads(next(LOGS.glob("outA/*/results_*.json")).read_text())["groups"]["quiz"]
    assert_allclose(pl.concat(each.table for each in result)["score"].mean(), text["acc,none"])
    with pytest.raises(InvalidOption, match=r"`task` must be one of the tasks in .*outA, got 'gsm8k'"):
        runs(LOGS / "outA", task="gsm8k")


def test_models_of_a_folder():
    result = runs(LOGS / "graded", metric="off_by")
    assert [each.model for each in result] == ["demo/alder", "demo/birch"]
    assert not any(each.higher_is_better for each in result)
    with pytest.raises(InvalidOption, match=r"`model` must be one of the models in .*graded, got 'demo/oak'"):
        runs(LOGS / "graded", model="demo/oak")


@pytest.mark.parametrize(
    ("folder", "expected", "message"),
    [
        (
            "outA",
            {"task": "arith"},
            r"`filter` must name one of the filters in .*samples_arith_2026-01-05T09-01-00\.250125\.jsonl"
            r" \(task 'arith'\): 'flexible-extract', 'strict-match'",
        ),
        (
            "outA",
            {"task": "arith", "filter": "none"},
            r"`filter` must be one of the filters in .*samples_arith_2026-01-05T09-01-00\.250125\.jsonl"
            r" \(task 'arith'\), got 'none'",
        ),
        (
            "outA",
            {"task": "arith", "filter": "strict-match", "metric": "acc"},
            r"`metric` must be one of the scores in .*samples_arith_2026-01-05T09-01-00\.250125\.jsonl"
            r" \(task 'arith'\), got 'acc'",
        ),
        (
            "outA",
            {"task": "quiz"},
            r"`metric` must name one of the scores in .*samples_capitals_north_2026-01-05T09-01-00\.250125\.jsonl"
            r" \(task 'capitals_north'\): 'acc', 'acc_norm'",
        ),
        ("outA", {"task": "capitals_south", "metric": "brier_score"}, r"'brier_score' of a sample is \[0, '\[0.39"),
        ("graded", {}, "'closeness', 'off_by', 'parts/length', 'parts/value', 'small_only', 'tidy', 'worked'"),
        ("graded", {"metric": "signs"}, r"'signs' of a sample is \[True, True\], which is no number"),
        ("lower", {"task": "lines"}, r"'bits_per_byte' of a sample is \[-10.0, 24\]"),
        (
            "lower",
            {"task": "copy"},
            r"'bleu' of a sample is \['The cat sat by the door.', 'The cat",
        ),
        (
            "sums/bypass",
            {},
            r".*samples_sums_2026-01-05T09-12-00\.250125\.jsonl \(task 'sums'\) must have a score, got none",
        ),
    ],
)
def test_what_is_to_be_chosen_is_reported(folder, expected, message):
    with pytest.raises(InvalidInput, match=message):
        runs(LOGS / folder, **expected)


def test_answers_that_never_came_are_wrong_as_the_harness_counts_them():
    assert run(LOGS / "sums" / "blank").table["score"].to_list() == [0, 0, 0]


# --- Files on their own, and of other versions --------------------------------------------------------


def test_a_file_without_its_results_or_its_name(tmp_path, head):
    alone = shutil.copy(ARITH, tmp_path / ARITH.name)
    renamed = shutil.copy(ARITH, tmp_path / "what.dat")
    assert lm_eval.READER.recognises(head(tmp_path))
    assert lm_eval.READER.recognises(head(renamed))
    for path, task in ((alone, "arith"), (renamed, "what")):
        result = run(path, filter="strict-match")
        assert result.table.equals(run(ARITH, filter="strict-match").table)
        assert (result.task, result.model, result.version, result.notes) == (task, "", "", ())
    assert run(renamed, task="arith", filter="strict-match").task == "arith"
    lonely = shutil.copy(next(LOGS.glob("graded/demo__alder/samples_*")), tmp_path / "graded.jsonl")
    assert "no results file says whether a higher 'off_by' is better" in run(lonely, metric="off_by").notes[0]
    (tmp_path / "oak").mkdir()
    alone.rename(tmp_path / "oak" / alone.name)
    assert run(tmp_path, filter="strict-match").model == "oak"


def test_results_under_another_name(tmp_path):
    """As the harness names them if --output_path is a file: the samples then lie beside it."""
    shutil.copy(ARITH, tmp_path)
    shutil.copy(next(ARITH.parent.glob("results_*")), tmp_path / "mine_2026-01-05T09-01-00.250125.json")
    assert run(tmp_path, filter="strict-match").model == "demo/alder"
    assert run(tmp_path / "mine_2026-01-05T09-01-00.250125.json", filter="strict-match").task == "arith"


def test_results_without_samples(tmp_path, head):
    path = Path(shutil.copy(next(ARITH.parent.glob("results_*")), tmp_path))
    assert lm_eval.READER.recognises(head(path))
    with pytest.raises(InvalidEvidence, match=r"holds means alone.*--log_samples"):
        runs(path)
    with pytest.raises(InvalidEvidence, match=r"has no samples_<task>_<time>.jsonl.*--log_samples"):
        runs(tmp_path)


def older(rows):
    return [{key: value for key, value in row.items() if key not in ("filter", "metrics")} for row in rows]


def test_rows_up_to_0_4_5_do_not_name_filters_and_metrics(tmp_path):
    path = written(tmp_path, older(rows_of(ARITH)), ARITH.name)
    assert run(path, filter="2").table.equals(run(ARITH, filter="flexible-extract").table)
    with pytest.raises(
        InvalidOption,
        match=r"`filter` must name one of the filters in .*samples_arith_2026-01-05T09-01-00\.250125\.jsonl"
        r" \(task 'arith'\): '1', '2'",
    ):
        run(path)
    shutil.copy(next(ARITH.parent.glob("results_*")), tmp_path)
    assert run(path, filter="flexible-extract").table.equals(run(ARITH, filter="flexible-extract").table)
    single = written(tmp_path, older(rows_of(NORTH)))
    assert run(single, metric="acc_norm").table.equals(run(NORTH, metric="acc_norm").table)


def test_a_list_of_rows_as_up_to_0_4_2_is_proved_by_hashes_of_our_own(tmp_path, head):
    rows = [{key: value for key, value in row.items() if "hash" not in key} for row in older(rows_of(NORTH))]
    path = tmp_path / "model__x_capitals_north.jsonl"
    path.write_text(json.dumps(rows, indent=2))
    assert lm_eval.READER.recognises(head(path))
    assert run(path, metric="acc").table.equals(run(NORTH, metric="acc").table)


def test_unknown_fields_and_a_newer_version(tmp_path, head):
    rows = [{"zeta": {"new": [1]}, **row, "cost": None} for row in rows_of(SUMS[0])]
    path = written(tmp_path, rows, SUMS[0].name)
    results = next(SUMS[0].parent.glob("results_*07-00*"))
    content = json.loads(results.read_text()) | {"lm_eval_version": "1.0.0", "results_of_the_future": [1]}
    (tmp_path / results.name).write_text(json.dumps(content))
    result = run(path)
    assert lm_eval.READER.recognises(head(path))
    assert result.table.equals(run(SUMS[0]).table)
    assert result.notes == ("written by lm-evaluation-harness 1.0.0, newer than the supported version",)


def test_only_its_own_files_are_recognised(tmp_path, head):
    long = rows_of(SUMS[0])
    long[0]["doc"]["question"] = "why? " * 20_000
    assert lm_eval.READER.recognises(head(written(tmp_path, long)))
    for content in (
        '{"id": 1, "label": "cat", "a": "cat"}\n',
        '{"doc_id": 1, "doc": "x", "acc": 1}\n',
        "a,b\n1,2\n",
        "",
    ):
        path = tmp_path / "samples_other_2026-01-05T09-01-00.jsonl"
        path.write_text(content)
        assert not lm_eval.READER.recognises(head(path))
    assert not lm_eval.READER.recognises(head(written(tmp_path, [{"results": {"a": 1}, "config": {}}])))


# --- Broken files -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (lambda raw: raw[:-200], r".*broken\.jsonl: line 40 must be complete JSON"),
        (lambda raw: raw[:30], r".*broken\.jsonl: line 1 must be complete JSON"),
        (
            lambda raw: raw.replace(b'{"doc_id": 15', b'{"doc_id": \x00\xff15', 1),
            r".*broken\.jsonl: line 16 must be complete JSON",
        ),
        (lambda raw: raw + b'{"doc": {}}\n', "sample 41 has no doc_id"),
        (lambda raw: raw + b"[1]\n", r".*broken\.jsonl: line 41 must be a JSON object"),
        (lambda raw: raw + b'{"doc_id": ' + b"9" * 5000 + b"}\n", r".*broken\.jsonl: line 41 must be complete JSON"),
        (lambda raw: raw + b"[" * 100_000 + b"\n", r".*broken\.jsonl: line 41 must be complete JSON"),
        (lambda raw: raw.replace(b'"exact_match": 0.0}', b'"exact_match": "no"}'), "'exact_match' of a sample is 'no'"),
        (lambda raw: raw.replace(b'"exact_match": 0.0}', b'"exact_match": 1e999}'), "must be finite"),
        (lambda _: b"", r".*broken\.jsonl is empty"),
        (lambda raw: b"[" + raw, r".*broken\.jsonl must be complete JSON: expected '\]'"),
    ],
)
def test_a_broken_file_is_reported(tmp_path, broken, message):
    path = tmp_path / "broken.jsonl"
    path.write_bytes(broken(ARITH.read_bytes()))
    with pytest.raises(InvalidEvidence, match=message):
        runs(path, filter="strict-match")


def test_odd_bytes_in_a_text_do_no_harm(tmp_path):
    raw = ARITH.read_bytes()
    path = tmp_path / "odd.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + raw.replace(b"#### 9", b"#### \xff9").replace(b"}\n", b"}\r\n\r\n"))
    assert run(path, filter="strict-match").table.equals(run(ARITH, filter="strict-match").table)


def test_broken_results_are_reported(tmp_path):
    shutil.copy(ARITH, tmp_path)
    (tmp_path / "results_2026-01-05T09-01-00.250125.json").write_text('{"results": {"ari')
    with pytest.raises(InvalidEvidence, match=r".*results_2026-01-05T09-01-00\.250125\.json must be complete JSON"):
        runs(tmp_path)


def test_damage_of_any_kind_is_read_or_reported(tmp_path, damaged, refusal):
    results = next(SUMS[0].parent.glob("results_*07-00*"))
    for source in (SUMS[0], results):
        for file in (SUMS[0], results):
            shutil.copy(file, tmp_path)
        for content in damaged(source, copies=6):
            (tmp_path / source.name).write_bytes(content)
            message = refusal(runs, tmp_path / SUMS[0].name)
            assert not message or str(tmp_path) in message


# --- Two runs -----------------------------------------------------------------------------------------


def test_two_runs_give_the_table_that_the_rows_give():
    table = read_logs(LOGS / "outA", LOGS / "outB", task="arith", filter="flexible-extract").outcomes().paired_table()
    right = [
        {row["doc_hash"]: row["exact_match"] for row in rows_of(path) if row["filter"] == "flexible-extract"}
        for path in (ARITH, next(LOGS.glob("outB/*/samples_arith_*.jsonl")))
    ]
    pairs = [(right[0][item], right[1][item]) for item in right[0]]
    assert (table.only_a_wrong, table.only_b_wrong) == (pairs.count((0, 1)), pairs.count((1, 0)))
    assert (table.both_wrong, table.both_right) == (pairs.count((0, 0)), pairs.count((1, 1)))


@pytest.mark.parametrize("other", ["shuffled", "picked"])
def test_documents_that_moved_are_not_taken_for_the_same(other):
    """The data in another order, and --samples [2, 0], of which the harness numbers the documents wrongly."""
    with pytest.raises(
        InvalidEvidence, match="the runs must be on the same items, but the proof of one id differs for"
    ):
        read_logs(LOGS / "sums" / "plain", LOGS / "sums" / other, missing="drop").outcomes()


def test_other_prompts_are_the_same_items():
    assert read_logs(LOGS / "sums" / "plain", LOGS / "sums" / "fewshot").outcomes().paired_table().examples == 3


def test_metadata_of_several_kinds_are_one_column(tmp_path, monkeypatch):
    monkeypatch.setattr(lm_eval, "_BATCH", 1)  # a number in one batch, a text in the next
    rows = rows_of(SUMS[0])
    for index, row in enumerate(rows):
        row["doc"]["passage"] = index if index == 0 else "\ud83d"  # half a character
        row["exact_match"] = math.nan if index == 0 else 1.0  # which polars does not read
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    passages = run(path, metric="exact_match", columns=("passage",)).table["passage"].to_list()
    assert passages == ["?" if index else "0" for index in range(len(rows))]


def test_a_document_twice_is_no_repeat(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_text(SUMS[0].read_text() * 2)
    with pytest.raises(InvalidEvidence, match=r"samples\.jsonl has several samples of document 0"):
        run(path)


def test_fewer_samples_than_the_results_say_are_noted(tmp_path):
    folder = shutil.copytree(SUMS[1].parent, tmp_path / "demo")
    path = folder / SUMS[1].name
    whole = path.read_text().splitlines(keepends=True)
    assert not any("cut short" in note for note in run(path).notes)
    path.write_text("".join(whole[:-1]))
    assert f"the results are of {len(whole)} samples, and the log has {len(whole) - 1}" in " ".join(run(path).notes)


def test_a_filter_is_requested_of_the_tasks_that_have_a_choice():
    (alone,) = lm_eval.READER.runs(NORTH, Selection(filter="strict-match", metric="acc"))
    assert alone.filter == ""  # the harness calls it none
    with pytest.raises(
        InvalidOption,
        match=r"`filter` must be one of the filters in"
        r" .*samples_capitals_north_2026-01-05T09-01-00\.250125\.jsonl \(task 'capitals_north'\), got 'strict-match'",
    ):
        lm_eval.READER.runs(NORTH, Selection(task="capitals_north", filter="strict-match", metric="acc"))
